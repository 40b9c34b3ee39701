/* formats_files.h - what the tests of formats share: a model as another program's file, and back. */
#ifndef GLASSHOUSE_TEST_DOORS_FILES_H
#define GLASSHOUSE_TEST_DOORS_FILES_H

#include "saved_files.h"

/* A model of GPT-2's shape, a little trained: every weight is its own. `option` may be NULL. */
static inline gpt_trainer *little_gpt2_with(const char *tokenizer, const char *option,
                                            double value) {
    gpt_config *config = small("gpt2");
    gpt_config_set_text(config, "tokenizer", tokenizer);
    gpt_config_set(config, "channels", 32); // a block of Q8_0
    if (option) CHECK_INT(gpt_config_set(config, option, value), GPT_OK);
    gpt_trainer *trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
    for (int i = 0; trainer && i < 3; i++) CHECK_INT(gpt_step(trainer), GPT_OK);
    gpt_config_free(config);
    CHECK(trainer != NULL);
    return trainer;
}

static inline gpt_trainer *little_gpt2(const char *tokenizer) {
    return little_gpt2_with(tokenizer, NULL, 0);
}

/* What a trainer's model is as `form`; empty with the status in *status when it is refused. */
static inline blob export_as(gpt_trainer *trainer, const char *form, size_t piece, int *status) {
    blob weights = save(trainer, "weights", ""), out = {0};
    gpt_export *e = gpt_export_open(form, (double)weights.size);
    char bytes[1024];
    size_t at = 0;
    double got = 0;
    CHECK(e != NULL);
    while (e && got >= 0 && !gpt_export_done(e)) {
        size_t left = weights.size - at, now = left < piece ? left : piece;
        double taken = gpt_export_feed(e, weights.bytes + at, now);
        at += taken > 0 ? (size_t)taken : 0;
        got = taken < 0 ? taken : gpt_export_take(e, bytes, sizeof bytes);
        if (got > 0) blob_put(&out, bytes, (size_t)got);
        if (!CHECK(got < 0 || got > 0 || taken > 0 || gpt_export_done(e))) break; // it stands still
    }
    if (e && got >= 0) CHECK(gpt_export_size(e) == (double)out.size);
    *status = got < 0 ? (int)got : GPT_OK;
    gpt_export_free(e);
    free(weights.bytes);
    return out;
}

/* A foreign file as model.safetensors, and its texts; empty with the status when it is refused. */
static inline blob import_file(blob file, size_t piece, blob *config, int *status) {
    blob out = {0};
    char bytes[1024];
    gpt_import *i = gpt_import_open((double)file.size);
    double got = 0, wants;
    do {
        size_t at = (size_t)gpt_import_at(i);
        wants = gpt_import_wants(i);
        size_t now = wants < (double)piece ? (size_t)wants : piece;
        if (!CHECK(at + now <= file.size)) break;
        double taken = now ? gpt_import_feed(i, file.bytes + at, now) : 0;
        got = taken < 0 ? taken : gpt_import_take(i, bytes, sizeof bytes);
        if (got > 0) blob_put(&out, bytes, (size_t)got);
    } while (got > 0 || (got == 0 && wants > 0));
    *status = got < 0 ? (int)got : GPT_OK;
    if (got >= 0 && CHECK(gpt_import_size(i) == (double)out.size) && config) {
        char text[4096];
        int length = gpt_import_text(i, "config.json", text, sizeof text);
        CHECK(length > 0);
        blob_put(config, text, (size_t)length);
    }
    gpt_import_free(i);
    return out;
}

/* The model that transformers' files hold, to generate; its vocabulary is bytes. */
static inline gpt_trainer *open_folder(blob weights, blob config_json) {
    gpt_config *config = gpt_config_create("gpt2");
    CHECK_INT(gpt_config_import(config, config_json.bytes, config_json.size), GPT_OK);
    gpt_trainer *trainer = load_ours(config, weights, 999, "generate", NULL);
    if (!trainer) printf("%s %s\n", gpt_status_name(status_of(config)), config->error.name);
    gpt_config_free(config);
    return trainer;
}

#endif
