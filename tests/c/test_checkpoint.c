/* test_checkpoint.c - checkpoints and weights files: round trips to the bit, generation from
 * weights, damaged headers. */
#include "base/rng.h"
#include "saved_files.h"

/* Compares a run of 20 steps with a run that is saved and resumed after 10 steps. The file is read
 * in pieces of several sizes. */
static void test_resume(const char *preset, const char *text) {
    gpt_config *config = small(preset);
    gpt_trainer *straight = gpt_trainer_create(config, text, strlen(text));
    gpt_trainer *first = gpt_trainer_create(config, text, strlen(text));
    for (int i = 0; i < 20; i++) CHECK_INT(gpt_step(straight), GPT_OK);
    for (int i = 0; i < 10; i++) CHECK_INT(gpt_step(first), GPT_OK);
    blob file = save(first, "checkpoint", "my \"run\"");
    gpt_trainer_free(first);
    size_t pieces[] = {1, 7, 4096, file.size};
    for (int p = 0; p < 4; p++) {
        gpt_config *fresh = gpt_config_create("tinygpt");
        gpt_trainer *second = load_ours(fresh, file, pieces[p], "resume", text);
        if (!CHECK(second != NULL))
            printf("%s\n", fresh->error.name);
        else {
            CHECK(gpt_config_get(fresh, "lr") == 1.0 / 300.0);
            CHECK(gpt_loss(second) == (double)gpt_losses(straight)[9]);
            CHECK(gpt_trainer_get(second, "lr_now") == second->run.state.rate &&
                  second->run.state.rate > 0);
            for (int i = 0; i < 10; i++) CHECK_INT(gpt_step(second), GPT_OK);
            CHECK(gpt_loss(second) == gpt_loss(straight));
            CHECK(same_weights(second, straight));
            CHECK(second->run.state.stream.state == straight->run.state.stream.state);
            CHECK(second->run.state.tokens_seen == straight->run.state.tokens_seen);
            CHECK_INT(gpt_trainer_get(second, "loss_count"), 20);
            CHECK(memcmp(gpt_losses(second), gpt_losses(straight), 20 * sizeof(float)) == 0);
            CHECK_INT(gpt_rewind(second), GPT_OK);
            CHECK_INT(gpt_step(second), GPT_OK);
            CHECK(gpt_loss(second) == (double)gpt_losses(straight)[0]);
        }
        gpt_trainer_free(second);
        gpt_config_free(fresh);
    }
    free(file.bytes);
    gpt_trainer_free(straight);
    gpt_config_free(config);
}
/* Checks the table RUN_FIELDS: in each record the positions are 1, 2, 3... once each, and numbers
 * and fields of snapshots have 64 bits. */
static void test_run_fields(void) {
#define FIELD(name, member, form, checkpoint, receipt, hash, snapshot)                             \
    {name, form, sizeof((run_state *)NULL)->member, {checkpoint, receipt, hash, snapshot}},
    static const struct {
        const char *name;
        run_form form;
        size_t bytes;
        int place[RUN_STORES];
    } rows[] = {RUN_FIELDS(FIELD)};
#undef FIELD
    for (int store = 0; store < RUN_STORES; store++) {
        unsigned used = 0, expected = 0;
        for (int i = 0, place = 1; i < RUN_FIELD_COUNT; i++) {
            if (rows[i].place[store]) {
                used |= 1u << rows[i].place[store];
                expected |= 1u << place++;
            }
        }
        CHECK_INT(used, expected);
    }
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        bool whole = rows[i].form <= RUN_HEX || rows[i].place[IN_SNAPSHOT];
        if (!CHECK(!whole || rows[i].bytes == sizeof(uint64_t))) printf("%s\n", rows[i].name);
    }
}

int main(void) {
    TEST("a record of a run has each of its fields at a place of its own") test_run_fields();
    TEST("a resumed tinygpt run equals an uninterrupted one to the bit")
        test_resume("tinygpt", STREAM);
    TEST("a resumed microgpt run equals an uninterrupted one to the bit")
        test_resume("microgpt", LINES);
    TEST("a resumed gpt2 run equals an uninterrupted one to the bit") test_resume("gpt2", STREAM);

    TEST("a checkpoint resumes only with its own text and recipe") {
        gpt_config *config = small("microgpt");
        gpt_trainer *trainer = gpt_trainer_create(config, LINES, strlen(LINES));
        gpt_step(trainer);
        blob file = save(trainer, "checkpoint", "");
        CHECK(load_ours(config, file, 99, "resume", STREAM) == NULL);
        CHECK_INT(status_of(config), GPT_E_TEXT_DIFFERS);
        gpt_trainer *tuned = load_ours(config, file, 99, "train", "bob\nanna\ncarla\n");
        if (CHECK(tuned != NULL)) {
            CHECK_INT(gpt_trainer_get(tuned, "vocab"), gpt_trainer_get(trainer, "vocab"));
            CHECK_INT(gpt_trainer_get(tuned, "step"), 0);
            // The weights are equal, but the purpose "train" sets AdamW's moments to 0.
            CHECK(same_weights(tuned, trainer) == false);
            CHECK_INT(gpt_step(tuned), GPT_OK);
            CHECK_INT(gpt_rewind(tuned), GPT_E_ORIGIN);
        }
        CHECK(load_ours(config, file, 99, "train", "x and y\n") == NULL);
        CHECK_INT(status_of(config), GPT_E_CHARACTER);
        gpt_loader *loader = gpt_load_open(config, "safetensors", (double)file.size);
        double taken = gpt_load_feed(loader, file.bytes, file.size);
        CHECK(taken > 8 && taken < (double)file.size);
        gpt_config_set(config, "channels", 32);
        CHECK_INT(gpt_load_begin(loader, "resume", LINES, strlen(LINES)), GPT_E_FIXED);
        CHECK_STRING(config->error.name, "channels");
        CHECK_INT(gpt_load_begin(loader, "generate", NULL, 0), GPT_E_TENSOR_SHAPE);
        gpt_config_set(config, "channels", 16);
        gpt_config_set(config, "lr", 0.5); // an option that may change in a run
        CHECK_INT(gpt_load_begin(loader, "resume", LINES, strlen(LINES)), GPT_OK);
        CHECK(gpt_load_finish(loader) == NULL); // no tensor data was fed
        CHECK_INT(status_of(config), GPT_E_TRUNCATED);
        char damaged[64]; // not numbers
        memset(damaged, 0xFF, sizeof damaged);
        CHECK(gpt_load_feed(loader, damaged, sizeof damaged) == GPT_E_TENSOR_NUMBER);
        CHECK(gpt_load_finish(loader) == NULL); // the failure was reported by gpt_load_feed
        CHECK_INT(status_of(config), GPT_E_STATE);
        gpt_load_free(loader);
        gpt_trainer_free(tuned);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
        free(file.bytes);
    }

    TEST("weights generate without a text, with the run's stream, in under a third of the memory") {
        gpt_config *config = small("microgpt");
        gpt_trainer *trainer = gpt_trainer_create(config, LINES, strlen(LINES));
        for (int i = 0; i < 5; i++) gpt_step(trainer);
        const char *forms[] = {"weights", "checkpoint"};
        char a[256], b[256];
        CHECK(gpt_sample(trainer, "", 0, 16, 0.9, 0, 1, -1, a, sizeof a) >= 0);
        for (int i = 0; i < 2; i++) {
            blob file = save(trainer, forms[i], "");
            gpt_config *fresh = gpt_config_create("gpt2");
            gpt_trainer *voice = load_ours(fresh, file, 4096, "generate", NULL);
            if (CHECK(voice != NULL)) {
                CHECK(gpt_sample(voice, "", 0, 16, 0.9, 0, 1, -1, b, sizeof b) >= 0);
                CHECK_STRING(a, b);
                CHECK_INT(gpt_step(voice), GPT_E_NO_TEXT);
                CHECK_INT(gpt_rewind(voice), GPT_E_ORIGIN);
                CHECK_INT(gpt_probe(voice, "anna", 4, 1), GPT_E_NO_TEXT);
                CHECK_INT(gpt_probe(voice, "anna", 4, 0), 5);
                CHECK(voice->run.persist.capacity * 3 < trainer->run.persist.capacity);
                CHECK(save(voice, "checkpoint", "").bytes == NULL);
                CHECK_INT(voice->error.status, GPT_E_NO_TEXT);
                blob again = save(voice, "weights", "");
                CHECK(again.size > 0);
                free(again.bytes);
            }
            gpt_trainer_free(voice);
            gpt_config_free(fresh);
            free(file.bytes);
        }
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }

    TEST("a weights file contains the learned vocabulary") {
        for (int documents = 0; documents < 2; documents++) {
            gpt_config *config = small("gpt2");
            gpt_config_set(config, "vocabulary", 270);
            gpt_config_set(config, "sequences", documents);
            const char *text = documents ? LINES : STREAM;
            gpt_trainer *trainer = gpt_trainer_create(config, text, strlen(text));
            CHECK(gpt_trainer_get(trainer, "merges") > 0);
            gpt_step(trainer);
            blob file = save(trainer, "weights", ""), vocab = save(trainer, "vocab.json", "");
            gpt_config *fresh = gpt_config_create("tinygpt");
            gpt_trainer *voice = load_ours(fresh, file, 100, "generate", NULL);
            if (CHECK(voice != NULL)) {
                int32_t a[64], b[64];
                int count = gpt_encode(trainer, "anna and the dog", 16, a, 64);
                CHECK(count > 0 && count <= 16);
                CHECK_INT(gpt_encode(voice, "anna and the dog", 16, b, 64), count);
                CHECK(memcmp(a, b, (size_t)count * sizeof *a) == 0);
                CHECK_INT(gpt_trainer_get(voice, "bos"), gpt_trainer_get(trainer, "bos"));
                CHECK_INT(gpt_trainer_get(voice, "vocab"), gpt_trainer_get(trainer, "vocab"));
                char said[256], same[256];
                CHECK(gpt_sample(trainer, "a", 1, 12, 0, 0, 1, 1, said, sizeof said) > 0);
                CHECK(gpt_sample(voice, "a", 1, 12, 0, 0, 1, 1, same, sizeof same) > 0);
                CHECK_STRING(said, same);
                blob again = save(voice, "vocab.json", "");
                CHECK(again.size == vocab.size &&
                      memcmp(again.bytes, vocab.bytes, vocab.size) == 0);
                free(again.bytes);
            }
            free(file.bytes);
            free(vocab.bytes);
            gpt_trainer_free(voice);
            gpt_config_free(fresh);
            gpt_trainer_free(trainer);
            gpt_config_free(config);
        }
    }

    TEST("a prompt read in parts has the bits of one forward pass") {
        gpt_config *config = small("gpt2");
        gpt_config_set(config, "tokenizer", TOKENIZER_BYTE);
        gpt_config_set(config, "context", 150);
        gpt_config_set(config, "batch", 1);
        char text[302];
        for (int i = 0; i < 301; i++) text[i] = STREAM[i % (int)strlen(STREAM)];
        gpt_trainer *trainer = gpt_trainer_create(config, text, 301);
        gpt_step(trainer);
        CHECK_INT(gpt_sample_begin(gpt_trainer_sampler(trainer), text, 150, 1, 0, 1, 5), 150);
        const float *parts = gpt_sample_probabilities(gpt_trainer_sampler(trainer), 0);
        CHECK_INT(gpt_probe(trainer, text, 150, 0), 150);
        const float *whole = NULL;
        for (int i = 0; tape_entry_at(&trainer->probe.work, i).value; i++) {
            const tensor *value = tape_entry_at(&trainer->probe.work, i).value;
            if (strcmp(value->name, "probs") == 0) whole = value->data + 149 * 256;
        }
        CHECK(whole && memcmp(parts, whole, 256 * sizeof(float)) == 0);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }

    TEST("a full list of losses keeps every second one") {
        gpt_config *config = small("microgpt");
        gpt_config_set(config, "steps", 1e9);
        gpt_trainer *trainer = gpt_trainer_create(config, LINES, strlen(LINES));
        trainer->run.state.step = trainer->run.state.loss_count = LOSSES_MAX;
        for (int i = 0; i < LOSSES_MAX; i++) trainer->run.losses[i] = (float)i;
        CHECK_INT(gpt_step(trainer), GPT_OK);
        CHECK_INT(gpt_trainer_get(trainer, "loss_count"), LOSSES_MAX / 2 + 1);
        CHECK_INT(gpt_trainer_get(trainer, "loss_stride"), 2);
        CHECK(gpt_losses(trainer)[1] == 2.0f &&
              gpt_losses(trainer)[LOSSES_MAX / 2 - 1] == LOSSES_MAX - 2);
        CHECK((double)gpt_losses(trainer)[LOSSES_MAX / 2] == gpt_loss(trainer));
        CHECK_INT(gpt_step(trainer), GPT_OK);
        CHECK_INT(gpt_trainer_get(trainer, "loss_count"), LOSSES_MAX / 2 + 1);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }

    TEST("a saver fails after a training step, and bad arguments fail") {
        gpt_config *config = small("tinygpt");
        gpt_trainer *trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
        gpt_saver *saver = gpt_save_open(trainer, "checkpoint", NULL, 0);
        char piece[64];
        CHECK(gpt_save_read(saver, piece, sizeof piece) == 64);
        gpt_step(trainer);
        CHECK(gpt_save_read(saver, piece, sizeof piece) == GPT_E_STATE);
        gpt_save_free(saver);
        CHECK(gpt_save_open(trainer, "pickle", NULL, 0) == NULL);
        CHECK(gpt_save_open(NULL, "weights", NULL, 0) == NULL);
        CHECK(gpt_load_open(config, "pickle", 100) == NULL);
        CHECK(gpt_load_open(config, "safetensors", -1) == NULL);
        CHECK(gpt_load_open(config, "safetensors", NAN) == NULL);
        CHECK(gpt_load_feed(NULL, "", 0) == GPT_E_ARGUMENT);
        CHECK(gpt_load_finish(NULL) == NULL);
        gpt_loader *loader = gpt_load_open(config, "safetensors", 100);
        CHECK_INT(gpt_load_begin(loader, "generate", NULL, 0), GPT_E_STATE);
        CHECK(gpt_load_finish(loader) == NULL);
        gpt_load_free(loader);
        gpt_load_free(NULL);
        gpt_save_free(NULL);
        gpt_trainer_free(trainer);
        gpt_config_set(config, "tokenizer", TOKENIZER_CHAR);
        trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
        // No merges: tokens are characters.
        CHECK(gpt_save_open(trainer, "merges.txt", NULL, 0) == NULL);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }

    TEST("impossible metadata is refused with the name of its member") {
        static const struct {
            const char *before, *after, *name; // text in the header, replacement, name in the error
        } cases[] = {
            {"\\\"layers\\\":2", "\\\"layers\\\":N", "glasshouse.config layers"},
            {"\\\"clip\\\":0", "\\\"clip\\\":x", "glasshouse.config clip"},
            {"\\\"step\\\":1", "\\\"step\\\":N", "glasshouse.state step"},
            {"\\\"tokens_seen\\\":", "\\\"tokens_seen\\\":-", "glasshouse.state tokens_seen"},
            {"\\\"imported\\\":false", "\\\"imported\\\":    0", "glasshouse.state imported"},
        };
        gpt_config *config = small("microgpt");
        gpt_trainer *trainer = gpt_trainer_create(config, LINES, strlen(LINES));
        gpt_step(trainer);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            blob file = save(trainer, "checkpoint", "note");
            size_t length = strlen(cases[i].before), at = 8;
            while (at + length < file.size && memcmp(file.bytes + at, cases[i].before, length))
                at++;
            if (!CHECK(at + length < file.size)) break;
            memcpy(file.bytes + at, cases[i].after, strlen(cases[i].after));
            gpt_config *own = gpt_config_create("microgpt");
            gpt_trainer_free(load(own, "safetensors", file.bytes, file.size, 999, "resume", LINES));
            CHECK_INT(status_of(own), GPT_E_FILE);
            CHECK_STRING(own->error.name, cases[i].name);
            gpt_config_free(own);
            free(file.bytes);
        }
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }

    TEST("a checkpoint with random bytes of its header changed loads or fails") {
        gpt_config *config = small("microgpt");
        gpt_config_set(config, "channels", 8);
        // A damaged header may ask for any amount of memory.
        gpt_config_set_memory_limit(config, 1 << 23);
        gpt_trainer *trainer = gpt_trainer_create(config, LINES, strlen(LINES));
        gpt_step(trainer);
        blob file = save(trainer, "checkpoint", "note");
        size_t header = 8 + (unsigned char)file.bytes[0] +
                        256 * (size_t)(unsigned char)file.bytes[1];
        blob changed = {.bytes = malloc(file.size), .size = file.size};
        static const char *const purposes[] = {"resume", "train", "generate"};
        rng r = rng_from_seed(7);
        int loaded = 0, refused = 0;
        for (int i = 0; i < 6000; i++) {
            memcpy(changed.bytes, file.bytes, file.size);
            for (int n = 1 + (int)(rng_uniform(&r) * 3); n > 0; n--) {
                size_t at = (size_t)(rng_uniform(&r) * (double)header);
                static const char likely[] = "0123456789\"{}[],:.-eE\\u \xFF";
                changed.bytes[at] = likely[(size_t)(rng_uniform(&r) * (sizeof likely - 1))];
            }
            size_t size = i % 10 ? file.size : (size_t)(rng_uniform(&r) * (double)file.size);
            const char *purpose = purposes[i % 3];
            gpt_trainer *t = load(config, "safetensors", changed.bytes, size, 1 + (size_t)i % 5000,
                                  purpose, i % 3 == 2 ? NULL : LINES);
            loaded += t != NULL;
            refused += t == NULL;
            if (t && i % 3 != 2) (void)gpt_step(t);
            gpt_trainer_free(t);
        }
        CHECK(loaded > 100 && refused > 1000);
        free(changed.bytes);
        free(file.bytes);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }
    return check_report();
}
