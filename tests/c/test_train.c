/* test_train.c - whole runs: overfitting, determinism, validation, refusals, divergence, memory,
 * and the vocabulary without the held-out text. */
#include "api/gpt.h"
#include "base/numeric.h"
#include "models.h"
#include "train/trainer.h"

#define SMALL                                                                                      \
    {"layers", 1}, {"heads", 2}, {"channels", 16}, {"context", 12}, {                              \
        "batch", 2                                                                                 \
    }

static const char TEXT[] = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n"
                           "the hat sat on the cat\nand the rat sat on that\n";

/* ---- runs ------------------------------------------------------------------------------------ */

static gpt_trainer *trainer_with(const char *preset, const setting *settings, const char *text) {
    gpt_config *c = gpt_config_create(preset);
    // The gpt2 of the tests has byte tokens: with BPE the short texts would be a handful of tokens.
    if (preset[0] == 'g') CHECK_INT(gpt_config_set(c, "tokenizer", 0), GPT_OK);
    for (; settings->name; settings++)
        CHECK_INT(gpt_config_set(c, settings->name, settings->value), GPT_OK);
    gpt_trainer *t = gpt_trainer_create(c, text, strlen(text));
    CHECK(t != NULL);
    gpt_config_free(c);
    return t;
}

static int open_run(trainer *t, const config *c, const char *text, gpt_error *error) {
    trainer_source from = {.options = c, .text = text, .bytes = strlen(text)};
    return trainer_open(t, &from, error);
}

static void test_overfitting(void) {
    static const setting settings[] = {
        {"layers", 1},  {"channels", 32}, {"heads", 1},    {"context", 16},   {"batch", 1},
        {"steps", 400}, {"lr", 0.01},     {"schedule", 0}, {"validation", 0}, END};
    // One document. A stream needs one byte more for a window of 16 tokens and its last target.
    static const char one_batch[] = "hello wide world";
    for (int p = 0; p < PRESET_COUNT; p++) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "%s overfits one batch: the loss falls below 0.05",
                 CONFIG_PRESETS[p]);
        TEST(sentence) {
            gpt_trainer *t = trainer_with(CONFIG_PRESETS[p], settings,
                                          p == PRESET_MICROGPT ? one_batch : "hello wide world.");
            CHECK(gpt_loss(t) != gpt_loss(t)); // NaN before the first step
            int step = 0;
            while (gpt_step(t) == GPT_OK && gpt_loss(t) >= 0.05) step++;
            CHECK(gpt_loss(t) < 0.05);
            gpt_trainer_free(t);
        }
    }
}

/* Trains `count` steps and writes their losses. */
static void losses_of(gpt_trainer *t, double *losses, int count) {
    for (int i = 0; i < count; i++) {
        CHECK_INT(gpt_step(t), GPT_OK);
        losses[i] = gpt_loss(t);
    }
}

static void test_runs(void) {
    enum { STEPS = 12 };
    double first[STEPS], second[STEPS];
    for (int p = 0; p < PRESET_COUNT; p++) {
        static const char *const claims[3] = {
            "a second run and a rewound run have the same losses to the bit",
            "sampling, validation and probes between steps change no bit of a later loss",
            "another seed has another loss"};
        char sentences[3][128];
        for (int i = 0; i < 3; i++)
            snprintf(sentences[i], sizeof sentences[i], "%s: %s", CONFIG_PRESETS[p], claims[i]);
        static const setting settings[] = {SMALL, {"validation", 0.3}, {"steps", STEPS}, END};
        gpt_trainer *t = trainer_with(CONFIG_PRESETS[p], settings, TEXT);
        losses_of(t, first, STEPS);
        TEST(sentences[0]) {
            gpt_trainer *other = trainer_with(CONFIG_PRESETS[p], settings, TEXT);
            losses_of(other, second, STEPS);
            CHECK(memcmp(first, second, sizeof first) == 0);
            gpt_trainer_free(other);
            CHECK_INT(gpt_step(t), GPT_FINISHED);
            CHECK_INT(gpt_rewind(t), GPT_OK);
            CHECK(gpt_trainer_get(t, "step") == 0 && gpt_loss(t) != gpt_loss(t));
            losses_of(t, second, STEPS);
            CHECK(memcmp(first, second, sizeof first) == 0);
        }
        TEST(sentences[1]) {
            CHECK_INT(gpt_rewind(t), GPT_OK);
            for (int i = 0; i < STEPS; i++) {
                char out[512];
                losses_of(t, second + i, 1);
                CHECK(gpt_sample(t, "the", 3, 20, 0.8, i, 0.9, i, out, sizeof out) >= 0);
                double held_out = gpt_validate(t, 3);
                CHECK(held_out > 0 && held_out < 10);
                CHECK_INT(gpt_probe(t, "that", 4, i % 2), p == PRESET_MICROGPT ? 5 : 4);
                CHECK(gpt_loss(t) == second[i]);
            }
            CHECK(memcmp(first, second, sizeof first) == 0);
        }
        TEST("a probe of ids has the losses of a probe of their text; gpt_learning_rate and "
             "gpt_gradient_norm equal lr_now and grad_norm") {
            int32_t ids[8];
            int count = gpt_encode(t, "that", 4, ids + 1, 7);
            ids[0] = p == PRESET_MICROGPT ? (int32_t)gpt_trainer_get(t, "bos") : ids[1];
            bool documents = p == PRESET_MICROGPT;
            ids[5] = ids[0];
            CHECK_INT(gpt_probe(t, "that", 4, 0), count + documents);
            float whole[5], part[5];
            int node = 0;
            // Finds the last node, the losses of the tokens.
            while (gpt_probe_data(t, node + 1)) node++;
            memcpy(whole, gpt_probe_data(t, node), 4 * sizeof *whole);
            int32_t *from = documents ? ids : ids + 1;
            CHECK_INT(gpt_probe_ids(t, from, count + 2 * documents, 0), count - 1 + 2 * documents);
            memcpy(part, gpt_probe_data(t, node), 3 * sizeof *part);
            CHECK(memcmp(whole, part, 3 * sizeof *whole) == 0 && whole[0] > 0);
            CHECK_INT(gpt_probe_ids(t, from, 1, 0), GPT_E_EMPTY);
            CHECK_INT(gpt_probe_ids(t, from, 1000, 0), GPT_E_LONG);
            CHECK_INT(gpt_probe_ids(t, (int32_t[]){0, -1}, 2, 0), GPT_E_ARGUMENT);
            CHECK_INT(gpt_probe_ids(t, (int32_t[]){0, 1 << 20}, 2, 0), GPT_E_ARGUMENT);
            CHECK(gpt_learning_rate(t) == gpt_trainer_get(t, "lr_now"));
            CHECK(gpt_gradient_norm(t) == gpt_trainer_get(t, "grad_norm"));
        }
        TEST(sentences[2]) {
            gpt_trainer *other = trainer_with(
                CONFIG_PRESETS[p],
                (setting[]){SMALL, {"validation", 0.3}, {"steps", STEPS}, {"seed", 43}, END}, TEXT);
            losses_of(other, second, STEPS);
            CHECK(first[0] != second[0]);
            gpt_trainer_free(other);
        }
        gpt_trainer_free(t);
    }
    TEST("raising `steps` continues a run that had ended") {
        gpt_trainer *t = trainer_with("microgpt", (setting[]){SMALL, {"steps", 2}, END}, TEXT);
        losses_of(t, first, 2);
        CHECK_INT(gpt_step(t), GPT_FINISHED);
        CHECK(gpt_loss(t) == first[1] && gpt_trainer_get(t, "step") == 2);
        CHECK_INT(gpt_trainer_set(t, "steps", 3), GPT_OK);
        CHECK_INT(gpt_step(t), GPT_OK);
        CHECK_INT(gpt_step(t), GPT_FINISHED);
        gpt_trainer_free(t);
    }
    TEST("the learning rate of a step follows the cosine schedule") {
        gpt_trainer *t = trainer_with("microgpt",
                                      (setting[]){SMALL, {"steps", 4}, {"lr", 0.5}, END}, TEXT);
        for (int i = 0; i < 4; i++) {
            losses_of(t, first, 1);
            CHECK_NEAR(gpt_trainer_get(t, "lr_now"), 0.25 * (1 + cos(NUM_PI * i / 4)), 1e-15);
        }
        gpt_trainer_free(t);
    }
    TEST("the loss of a step is computed before its update") {
        gpt_trainer *t = trainer_with("microgpt", (setting[]){SMALL, {"lr", 0.5}, END}, TEXT);
        losses_of(t, first, 1);
        CHECK_NEAR(first[0], log(gpt_trainer_get(t, "vocab")), 0.1); // the loss before any update
        gpt_trainer_free(t);
    }
    TEST("the validation loss is the mean over the tokens of all held-out sequences") {
        static const setting settings[] = {SMALL, {"validation", 0.5}, END};
        config c = config_with("microgpt", settings);
        trainer t;
        if (!CHECK_INT(open_run(&t, &c, TEXT, NULL), GPT_OK)) break;
        for (int i = 0; i < 5; i++) CHECK_INT(trainer_step(&t, NULL), GPT_OK);
        double all = trainer_validate(&t, 100), sum = 0, tokens = 0, some = 0;
        int32_t inputs[12], targets[12];
        batch one = {inputs, targets, 0, 0, 0};
        CHECK_INT(dataset_held_out(&t.data), 3);
        for (uint64_t i = 0; i < 3; i++) {
            dataset_held_out_batch(&t.data, &one, i, 1, 1);
            tape_rewind(&t.work, true);
            tensor *logits = model_forward(&t.net, &t.work, inputs, 1, one.T, NULL);
            double loss = (double)op_cross_entropy(&t.work, "loss", logits, targets)->data[0];
            sum += loss * one.targets_count, tokens += one.targets_count;
            some = i == 0 ? loss : some;
        }
        // Tolerance: the mean of each batch is rounded to float once, an error of 2^-24 of a loss
        // below 4.
        CHECK_NEAR(all, sum / tokens, 4 * FLOAT_UNIT * 4);
        CHECK_NEAR(trainer_validate(&t, 1), some, 4 * FLOAT_UNIT * 4);
        CHECK(trainer_validate(&t, 100) == all &&
              trainer_validate(&t, 0) != trainer_validate(&t, 0));
        trainer_close(&t);
    }
}

static void test_refusals(void) {
    TEST("an invalid recipe, an empty text and a text shorter than a window open no run") {
        static const struct {
            const char *text;
            int heads, status;
        } cases[] = {{TEXT, 3, GPT_E_HEADS}, {"", 2, GPT_E_EMPTY}, {"too short", 2, GPT_E_SHORT}};
        for (int i = 0; i < 3; i++) {
            config c = config_with("gpt2", (setting[]){SMALL, END});
            c.value[OPT_HEADS] = cases[i].heads;
            trainer t;
            gpt_error error = {0};
            CHECK_INT(open_run(&t, &c, cases[i].text, &error), cases[i].status);
            CHECK_INT(error.status, cases[i].status);
            CHECK(t.net.params == NULL && t.persist.block == NULL); // nothing was allocated
        }
    }
}

/* ---- divergence ------------------------------------------------------------------------------ */

/* Returns a copy of all weights in the order of the parameter table; the caller frees it. */
static float *weights_of(const model *m) {
    float *all = malloc(m->weights * sizeof *all);
    uint64_t at = 0;
    for (int i = 0; i < m->count; at += m->params[i++].value.size) {
        memcpy(all + at, m->params[i].value.data, m->params[i].value.size * sizeof *all);
    }
    return all;
}

static void test_divergence(void) {
    TEST("a step that diverges is GPT_E_DIVERGED and leaves the weights unchanged") {
        config c = config_with("tinygpt",
                               (setting[]){SMALL, {"lr", 10}, {"weight_decay", 10}, END});
        trainer t;
        gpt_error error = {0};
        if (!CHECK_INT(open_run(&t, &c, TEXT, NULL), GPT_OK)) break;
        float *before = weights_of(&t.net);
        int status, step = 0;
        for (; (status = trainer_step(&t, &error)) == GPT_OK && step < 200; step++) {
            free(before);
            before = weights_of(&t.net);
        }
        CHECK_INT(status, GPT_E_DIVERGED);
        CHECK(error.value[0] == step + 1);
        CHECK_INT(t.state.step, step); // a failed step is not counted
        float *after = weights_of(&t.net);
        CHECK_SAME_BITS(after, before, t.net.weights);
        free(before), free(after);
        CHECK_INT(trainer_rewind(&t, NULL), GPT_OK);
        CHECK_INT(trainer_step(&t, &error), GPT_OK); // after a rewind the run can be trained again
        trainer_close(&t);
    }
    TEST("a NaN weight makes the next step diverge, for every preset") {
        for (int p = 0; p < PRESET_COUNT; p++) {
            config c = config_with(CONFIG_PRESETS[p], (setting[]){SMALL, END});
            trainer t;
            gpt_error error = {0};
            if (!CHECK_INT(open_run(&t, &c, TEXT, NULL), GPT_OK)) break;
            CHECK_INT(trainer_step(&t, &error), GPT_OK);
            t.net.blocks[0].fc_weight->data[5] = NAN;
            float *before = weights_of(&t.net);
            CHECK_INT(trainer_step(&t, &error), GPT_E_DIVERGED);
            float *after = weights_of(&t.net);
            CHECK_SAME_BITS(after, before, t.net.weights);
            free(before), free(after);
            trainer_close(&t);
        }
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void test_memory(void) {
    TEST("a run allocates exactly the memory that was measured, and a full step uses all of it") {
        for (int p = 0; p < PRESET_COUNT; p++) {
            config c = config_with(CONFIG_PRESETS[p], (setting[]){SMALL, {"validation", 0.3}, END});
            trainer measured, t;
            trainer_source from = {.options = &c, .text = TEXT, .bytes = strlen(TEXT)};
            CHECK_INT(trainer_measure(&measured, &from, NULL), GPT_OK);
            if (!CHECK_INT(open_run(&t, &c, TEXT, NULL), GPT_OK)) break;
            CHECK_INT(t.persist.capacity, measured.persist.peak);
            CHECK_INT(t.persist.used, t.persist.capacity);
            CHECK_INT(t.step_memory.capacity, measured.step_memory.peak);
            for (int i = 0; i < 4; i++) CHECK_INT(trainer_step(&t, NULL), GPT_OK);
            (void)trainer_validate(&t, 10);
            CHECK_INT(t.persist.peak, t.persist.capacity);
            CHECK_INT(t.step_memory.peak,
                      t.step_memory.capacity); // reached: a document fills the context
            CHECK_INT(measured.net.weights, t.net.weights);
            trainer_close(&measured);
            trainer_close(&t);
        }
    }
    TEST("a memory limit of exactly the needed bytes suffices; one byte less is refused with both "
         "numbers") {
        gpt_config *c = gpt_config_create("microgpt");
        for (const setting *s = (setting[]){SMALL, END}; s->name; s++) {
            CHECK_INT(gpt_config_set(c, s->name, s->value), GPT_OK);
        }
        CHECK_INT(gpt_config_set_text(c, "left_out", "54:58"), GPT_OK);
        gpt_trainer *t = gpt_trainer_create(c, TEXT, strlen(TEXT));
        if (!CHECK(t != NULL)) break;
        // The memory limit also counts the caller's copy of the text.
        double bytes = gpt_trainer_get(t, "memory_bytes") + (double)strlen(TEXT);
        gpt_trainer_free(t);
        CHECK_INT(gpt_config_set_memory_limit(c, bytes), GPT_OK);
        t = gpt_trainer_create(c, TEXT, strlen(TEXT));
        CHECK(t != NULL);
        gpt_trainer_free(t);
        CHECK_INT(gpt_config_set_memory_limit(c, bytes - 1), GPT_OK);
        CHECK(gpt_trainer_create(c, TEXT, strlen(TEXT)) == NULL);
        char out[512], expected[128];
        CHECK(gpt_config_error(c, out, sizeof out) > 0);
        snprintf(expected, sizeof expected,
                 "\"code\":\"memory\",\"name\":\"\",\"values\":[%.0f,%.0f,0]", bytes, bytes - 1);
        CHECK(strstr(out, expected) != NULL);
        gpt_config_free(c);
    }
}

/* ---- the held-out text ----------------------------------------------------------------------- */

/* Opens a dataset with a BPE vocabulary that is learned from its training part. The caller closes
 * `memory`. */
static int learn_words(dataset *d, arena *memory, const config *c, const char *text) {
    bpe_source source = {0};
    size_t bytes = strlen(text);
    arena_open_measuring(memory);
    int status = dataset_open(d, c, NULL, &source, text, bytes, memory, NULL);
    size_t needed = memory->peak;
    status = status < 0 ? status : arena_open(memory, needed, NULL);
    status = status < 0 ? status : dataset_open(d, c, NULL, &source, text, bytes, memory, NULL);
    bpe_source_close(&source);
    return status;
}

static bool same_merges(const bpe *a, const bpe *b) {
    return a->size == b->size && a->merges == b->merges &&
           memcmp(a->left, b->left, (size_t)a->merges * sizeof *a->left) == 0 &&
           memcmp(a->right, b->right, (size_t)a->merges * sizeof *a->right) == 0;
}

static void test_held_out_words(void) {
    enum { LINES = 40 };
    for (int documents = 0; documents < 2; documents++) {
        TEST(documents ? "held-out lines do not influence the learned vocabulary"
                       : "the held-out end of a stream does not influence the learned vocabulary") {
            config c = config_with("gpt2", (setting[]){SMALL,
                                                       {"tokenizer", TOKENIZER_BPE},
                                                       {"sequences", documents},
                                                       {"validation", 0.25},
                                                       {"vocabulary", 300},
                                                       END});
            char text[LINES * 16 + 1] = {0}, other[sizeof text];
            for (int i = 0; i < LINES; i++) {
                (void)snprintf(text + strlen(text), 17, "the cat %02d sat!\n", i);
            }
            dataset d, e, f;
            arena memory[3];
            CHECK_INT(learn_words(&d, &memory[0], &c, text), GPT_OK);
            CHECK(d.tokenizer.bpe.merges > 5);
            memcpy(other, text, sizeof text);
            if (documents) { // shuffles as the trainer does: the last documents are held out
                rng r = rng_from_seed((uint64_t)c.value[OPT_SEED]);
                dataset_shuffle(&d, &r);
                CHECK_INT(d.train_documents, LINES - LINES / 4);
                for (uint64_t i = d.train_documents; i < LINES; i++) {
                    memset(other + d.order[i] * 16, 'z', 15);
                }
            } else {
                memset(other + strlen(other) * 3 / 4, 'z', strlen(other) / 4);
                // Bytes of the training tokens: the vocabulary was learned from these bytes alone.
                uint64_t bytes = 0;
                for (uint64_t i = 0; i < d.train_tokens; i++) {
                    unsigned char token[TOKEN_BYTES_MAX];
                    bytes += (uint64_t)tokenizer_bytes(&d.tokenizer, d.tokens[i], token);
                }
                CHECK(bytes >= strlen(text) * 3 / 4 && bytes < strlen(text) * 3 / 4 + 6);
            }
            CHECK_INT(learn_words(&e, &memory[1], &c, other), GPT_OK);
            CHECK(same_merges(&d.tokenizer.bpe, &e.tokenizer.bpe));
            // If nothing is held out, the changed bytes influence the merges.
            c.value[OPT_VALIDATION] = 0;
            CHECK_INT(learn_words(&f, &memory[2], &c, other), GPT_OK);
            CHECK(!same_merges(&d.tokenizer.bpe, &f.tokenizer.bpe));
            for (int i = 0; i < 3; i++) arena_close(&memory[i]);
        }
    }
}

int main(void) {
    test_held_out_words();
    test_overfitting();
    test_runs();
    test_refusals();
    test_divergence();
    test_memory();
    return check_report();
}
