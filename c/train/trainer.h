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

/* Capacity of the loss history. The history has every loss of the first LOSSES_MAX steps; in a
 * longer run it has every second loss, then every fourth, and so on. */
enum { LOSSES_MAX = 1 << 18 };

/* The input of trainer_measure, trainer_build and trainer_open. They copy the data and keep no
 * pointer; a BPE vocabulary learned from the text is cached in `bpe_vocab`. */
typedef struct trainer_source {
    const config *options;
    const char *text; /* NULL: a model that only generates; `vocab` must not be NULL then */
    size_t bytes;
    const vocabulary *vocab; /* vocabulary of a saved model; NULL: read from the text */
    bpe_source *bpe_vocab;   /* BPE only: vocabulary from files, or cache for a learned one */
    bool blank;              /* all weights stay zero, until a file is read into them */
} trainer_source;

typedef struct trainer {
    model net;
    dataset data;
    run_state state;
    arena persist, step_memory;
    tape work;      /* tape in step_memory; validation and sampling use it between steps */
    batch training; /* buffers for a full training batch; validation overwrites them */
    float *losses;  /* the loss history; the first state.loss_count are set; length: LOSSES_MAX */
    bool frozen;    /* the run only generates: no text, gradients or moments */
} trainer;

/* Measures the memory of a run, with arenas that only count bytes. Afterwards t->data has the
 * counts of the text, t->net the shapes of the model, and the `peak` of each arena is the number of
 * bytes to allocate. Only trainer_build and trainer_close may be called next; also after a failure
 * the caller calls trainer_close. Errors: GPT_E_HEADS and the errors of dataset_open. */
int trainer_measure(trainer *t, const trainer_source *from, gpt_error *error);

/* Builds a run: allocates the memory of all steps and sets the run to step 0. `t` must be the
 * result of trainer_measure for the same source. Errors: GPT_E_ALLOCATION; after a failure `t` is
 * closed. */
int trainer_build(trainer *t, const trainer_source *from, gpt_error *error);

/* Calls trainer_measure and trainer_build, with their errors; `t` is closed after a failure. */
int trainer_open(trainer *t, const trainer_source *from, gpt_error *error);

/* Frees all memory of the run. A zeroed trainer may be closed. */
void trainer_close(trainer *t);

/* Returns the run to step 0, with the same initial weights and the same order of data. Options that
 * may change during a run (live) keep their present values; the log of changes is emptied. Errors:
 * GPT_E_ORIGIN if the run began with weights or a vocabulary from a file, is a fork of another run,
 * or only generates. */
int trainer_rewind(trainer *t, gpt_error *error);

/* Sets an option that may change during a run (live), from the next step on, and logs the change.
 * Errors: GPT_E_FIXED if the option is not live, GPT_E_CHANGES if the log is full,
 * GPT_E_ALLOCATION, and the errors of config_set. After a failure the option is unchanged. */
int trainer_set(trainer *t, const char *option, double value, gpt_error *error);

/* Trains one step. Returns GPT_OK, or GPT_FINISHED if all planned steps are done. Errors:
 * GPT_E_DIVERGED if the loss or the gradient norm is not finite, GPT_E_NO_TEXT if `t` only
 * generates. A failed step can be repeated: it changes state.loss and state.gradient_norm, but
 * neither the weights nor the random stream. */
int trainer_step(trainer *t, gpt_error *error);

/* Mean loss per target, in nats, over at most `count` evenly spaced held-out sequences. NaN if
 * nothing is held out or `count` < 1. */
double trainer_validate(trainer *t, int count);

/* The `count` for trainer_validate by which every client reports the validation loss of a run: 32,
 * fewer if they would have more than 2048 tokens, but at least 4. */
int trainer_validation_windows(const trainer *t);

#endif
