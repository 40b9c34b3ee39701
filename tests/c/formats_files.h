/* formats_files.h - helpers of the format tests: train a small GPT-2, export it to another
 * program's format, import such a file, load the result. Bytes move in pieces of a chosen size.
 */
#ifndef GLASSHOUSE_TEST_FORMATS_FILES_H
#define GLASSHOUSE_TEST_FORMATS_FILES_H

#include "saved_files.h"

/* Returns a small GPT-2 after 3 training steps, so that gains and biases are not all equal. Sets
 * the option named `option` to `value`; NULL changes no option. The caller frees the trainer. */
static inline gpt_trainer *little_gpt2_with(const char *tokenizer, const char *option,
                                            double value) {
    gpt_config *config = small("gpt2");
    gpt_config_set_text(config, "tokenizer", tokenizer);
    gpt_config_set(config, "channels", 32); // rows are whole Q8_0 blocks of 32 numbers
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

/* Exports the model of a trainer as `form`, in pieces of at most `piece` bytes of weights. Sets
 * *status to GPT_OK or the error. Returns the bytes of the file, after an error its beginning; the
 * caller frees them. */
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
        // No progress is an error.
        if (!CHECK(got < 0 || got > 0 || taken > 0 || gpt_export_done(e))) break;
    }
    if (e && got >= 0) CHECK(gpt_export_size(e) == (double)out.size);
    *status = got < 0 ? (int)got : GPT_OK;
    gpt_export_free(e);
    free(weights.bytes);
    return out;
}

/* Imports another program's file in pieces of at most `piece` bytes. Returns the model.safetensors
 * made from it, after an error its beginning, and appends the config.json to `config` unless
 * `config` is NULL. Sets *status to GPT_OK or the error. The caller frees both blobs. */
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

/* Loads a model from the model.safetensors and config.json of transformers, only to generate text;
 * its tokens must be bytes. On failure prints the error and returns NULL. The caller frees the
 * trainer. */
static inline gpt_trainer *open_folder(blob weights, blob config_json) {
    gpt_config *config = gpt_config_create("gpt2");
    CHECK_INT(gpt_config_import(config, config_json.bytes, config_json.size), GPT_OK);
    gpt_trainer *trainer = load_ours(config, weights, 999, "generate", NULL);
    if (!trainer) printf("%s %s\n", gpt_status_name(status_of(config)), config->error.name);
    gpt_config_free(config);
    return trainer;
}

#endif
