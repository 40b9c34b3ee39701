/* trainer.h - one training run: its model, data, random stream and memory.
 *
 * Owns two arenas: `persist` holds the tokens of the text, the weights, gradients and AdamW's
 * moments; `step_memory` holds the activations of one step and their gradients. Trains, validates,
 * and measures in advance how much memory a run needs. Invariant: samplers and probes borrow the
 * trainer and change no number that training reads.
 */
#ifndef GLASSHOUSE_TRAINER_H
#define GLASSHOUSE_TRAINER_H

#include "model/model.h"
#include "recipe/run_state.h"
#include "train/dataset.h"

/* Capacity of the loss history. It has every loss of the first LOSSES_MAX steps; in a longer run
 * every second loss, then every fourth, and so on. */
enum { LOSSES_MAX = 1 << 18 };

/* The input of trainer_measure and trainer_open. They copy it and keep no pointer; a BPE vocabulary
 * learned from the text is cached in `merges`. */
typedef struct trainer_source {
    const config *options;
    const char *text; /* NULL: a model that only generates; `characters` must not be NULL then */
    size_t bytes;
    const vocabulary *characters; /* of a saved model; NULL: read from the text */
    bpe_source *merges;           /* BPE: given vocabulary, or cache of the learned one */
    bool blank;                   /* the weights start at zero, for a file to fill in */
} trainer_source;

typedef struct trainer {
    model net;
    dataset data;
    run_state state;
    arena persist, step_memory;
    tape work;      /* over step_memory; validation and sampling use it between steps */
    batch training; /* buffers of a full batch, which validation overwrites */
    float *losses;  /* (LOSSES_MAX), of which state.loss_count are set */
    bool frozen;    /* generates only: no text, gradients or moments */
} trainer;

/* Measures a run: lays it out over arenas that only count. Afterwards t->data has the facts of the
 * text, t->net the shapes of the model, and the arenas' peaks the bytes to allocate. Only
 * trainer_build and trainer_close may follow; close it also after an error. GPT_E_HEADS and the
 * errors of dataset_open. */
int trainer_measure(trainer *t, const trainer_source *from, gpt_error *error);

/* Builds a measured run of the same source: allocates the memory of all its steps and opens it at
 * step 0. GPT_E_ALLOCATION; `t` is closed then. */
int trainer_build(trainer *t, const trainer_source *from, gpt_error *error);

/* Measures and builds a run; `t` is closed after an error. */
int trainer_open(trainer *t, const trainer_source *from, gpt_error *error);

/* Frees all memory of the run. A zeroed trainer may be closed. */
void trainer_close(trainer *t);

/* Returns to step 0: the same initial weights and the same order of data. Live options keep their
 * present values and the log of changes is emptied. GPT_E_ORIGIN if the run is imported or a fork,
 * or only generates. */
int trainer_rewind(trainer *t, gpt_error *error);

/* Sets a live option from the next step on and logs the change. GPT_E_FIXED if the option is not
 * live, GPT_E_CHANGES, GPT_E_ALLOCATION and the errors of config_set; the option is unchanged
 * then. */
int trainer_set(trainer *t, const char *option, double value, gpt_error *error);

/* Trains one step. GPT_OK, or GPT_FINISHED if all planned steps are done. GPT_E_DIVERGED if the
 * loss or the gradient norm is not finite, GPT_E_NO_TEXT if `t` only generates. A failed step can
 * be repeated: it changes state.loss and state.gradient_norm, but no weight and no random state. */
int trainer_step(trainer *t, gpt_error *error);

/* Mean loss per target, in nats, over at most `count` evenly spaced held-out sequences. NaN if
 * nothing is held out or `count` < 1. */
double trainer_validate(trainer *t, int count);

#endif
