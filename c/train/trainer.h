/* trainer.h - one run: a model, its data, its random stream and its memory.
 *
 * Owns: the two arenas (persist: text, weights, gradients, moments; step: activations), the
 * training step, validation, and the measuring that says beforehand what a run will need. Everything a
 * step does to the world is in here; sampling and probing borrow the trainer and change no training
 * number.
 */
#ifndef GLASSHOUSE_TRAINER_H
#define GLASSHOUSE_TRAINER_H

#include "model/model.h"
#include "train/dataset.h"

typedef struct trainer {
    model net;
    dataset data;
    rng stream; /* shuffle, initial weights, training batches, closing samples: nothing else */
    arena persist, step_memory;
    tape work; /* the step's tape; validation and sampling use it between steps */
    batch training;
    uint64_t step; /* steps done */
    uint64_t tokens_seen;
    double loss, rate, gradient_norm; /* of the last step; loss is NaN before the first */
} trainer;

/* Fills `t` in as trainer_open would, but over arenas that only count: t->data has the facts of the
 * text, t->net those of the model, and the arenas' peaks what they will need. Not for stepping;
 * trainer_close ends it. */
int trainer_measure(trainer *t, const config *c, bpe_source *source, const char *text, size_t bytes,
                    gpt_error *error);

/* A run at step 0. All memory of training is taken here; a vocabulary is copied out of `source`, which
 * is needed for BPE only. GPT_E_HEADS, GPT_E_EMPTY, GPT_E_SHORT, GPT_E_VOCABULARY, GPT_E_ALLOCATION. */
int trainer_open(trainer *t, const config *c, bpe_source *source, const char *text, size_t bytes,
                 gpt_error *error);
void trainer_close(trainer *t);

/* Back to step 0: same weights, same order of data. */
void trainer_rewind(trainer *t);

/* One step: GPT_OK, GPT_FINISHED, GPT_E_DIVERGED. */
int trainer_step(trainer *t, gpt_error *error);

/* Mean loss over at most `count` held-out sequences, evenly spaced; NaN when there are none. */
double trainer_validate(trainer *t, int count);

#endif
