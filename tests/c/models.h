/* models.h - builds configs from names and values, and models in arenas, without a trainer. */
#ifndef GLASSHOUSE_MODELS_H
#define GLASSHOUSE_MODELS_H

#include "train/trainer.h"
#include "kernels/kernels.h"
#include "model/model.h"
#include "numbers.h"

/* One option and its value. A NULL name ends a list. */
typedef struct setting {
    const char *name;
    double value;
} setting;

#define END                                                                                        \
    { NULL, 0 }

/* Returns a preset with the byte tokenizer ("microgpt": characters) and then the changes
 * `settings`; NULL for no changes. */
static inline config config_with(const char *preset, const setting *settings) {
    config c = {0};
    CHECK_INT(config_from_preset(&c, preset, NULL), GPT_OK);
    // Excludes BPE, which would have to learn a vocabulary from a text; test_bpe.c tests BPE.
    c.value[OPT_TOKENIZER] = preset[0] == 'm' ? TOKENIZER_CHAR : TOKENIZER_BYTE;
    for (; settings && settings->name; settings++) {
        CHECK_INT(config_set(&c, settings->name, settings->value, NULL), GPT_OK);
    }
    CHECK_INT(config_check(&c, NULL), GPT_OK);
    return c;
}

/* A model, a tape for its forward and backward pass, and a KV cache, in arenas of 16 MiB. */
typedef struct model_bench {
    arena persist, step;
    model net;
    tape t;
    kv_cache cache;
} model_bench;

static inline bool model_bench_open(model_bench *b, const config *c, int vocab) {
    uint64_t bytes = (uint64_t)1 << 24;
    memset(b, 0, sizeof *b);
    return CHECK_INT(arena_open(&b->persist, bytes, NULL), GPT_OK) &&
           CHECK_INT(arena_open(&b->step, bytes, NULL), GPT_OK) &&
           CHECK_INT(model_open(&b->net, c, vocab, &b->persist, NULL), GPT_OK) &&
           CHECK_INT(tape_open(&b->t, &b->step, model_node_count(c), NULL), GPT_OK) &&
           CHECK_INT(kv_cache_open(&b->cache, &b->net.options, &b->persist, NULL), GPT_OK);
}

static inline void model_bench_close(model_bench *b) {
    tape_close(&b->t);
    model_close(&b->net);
    arena_close(&b->persist);
    arena_close(&b->step);
}

/* Fills every parameter with random numbers from -2 * size to 2 * size (gains: around 1), so that
 * no path through the model is multiplied by zero. */
static inline void randomize_weights(model *m, double size, uint64_t seed) {
    for (int i = 0; i < m->count; i++) {
        tensor *x = &m->params[i].value;
        fill_random(x->data, (size_t)x->size, seed + (uint64_t)i);
        for (uint64_t j = 0; j < x->size; j++) {
            x->data[j] = (real)(size * (double)x->data[j] +
                                (m->params[i].init == INIT_ONE ? 1 : 0));
        }
    }
}

/* Rewinds the tape, runs the forward pass and returns the cross-entropy of a batch of `ids` and
 * `targets`, both (B,T). */
static inline tensor *model_loss(model_bench *b, const int32_t *ids, const int32_t *targets, int B,
                                 int T) {
    tape_rewind(&b->t, true);
    tensor *logits = model_forward(&b->net, &b->t, ids, B, T, NULL);
    return op_cross_entropy(&b->t, "loss", logits, targets);
}

/* Fills `ids` with random tokens in [0, vocab). */
static inline void fill_ids(int32_t *ids, int count, int vocab, uint64_t seed) {
    uint64_t state = seed + 12345;
    for (int i = 0; i < count; i++) ids[i] = (int32_t)((random_number(&state) + 1) / 2 * vocab);
}

#endif
