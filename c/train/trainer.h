/* trainer.h - one run: a model, its data, its random stream and its memory.
 *
 * Owns: the two arenas (persist: text, weights, gradients, moments; step: activations), the
 * training step, validation, and the measuring that says beforehand what a run will need.
 * Everything a step does to the world is in here; sampling and probing borrow the trainer and
 * change no training number.
 */
#ifndef GLASSHOUSE_TRAINER_H
#define GLASSHOUSE_TRAINER_H

#include "model/model.h"
#include "recipe/run_state.h"
#include "train/dataset.h"

/* Losses that are kept: all of a run up to here, then every second, fourth, ... */
enum { LOSSES_MAX = 1 << 18 };

/* What a run is made from; everything is copied (what is learned from the text stays in
 * `merges`). */
typedef struct trainer_source {
    const config *options;
    const char *text; /* NULL: a model that only generates; `characters` must then not be NULL */
    size_t bytes;
    const vocabulary *characters; /* NULL: those of the text */
    bpe_source *merges;           /* needed for BPE only */
    bool blank;                   /* weights are left zero, for a file to fill in */
} trainer_source;

typedef struct trainer {
    model net;
    dataset data;
    run_state state;
    arena persist, step_memory;
    tape work; /* the step's tape; validation and sampling use it between steps */
    batch training;
    float *losses; /* (LOSSES_MAX) */
    bool frozen;   /* generates only: there are neither text nor gradients */
} trainer;

/* Lays a run out over arenas that only count: t->data then has the facts of the text, t->net those
 * of the model, and the arenas' peaks are what the run needs. Only trainer_build and trainer_close
 * may follow, the latter after a failure too. GPT_E_HEADS, GPT_E_EMPTY, GPT_E_SHORT,
 * GPT_E_VOCABULARY. */
int trainer_measure(trainer *t, const trainer_source *from, gpt_error *error);

/* Allocates the memory that trainer_measure counted for the same source, and makes the run at step
 * 0. GPT_E_ALLOCATION: `t` is closed. */
int trainer_build(trainer *t, const trainer_source *from, gpt_error *error);

/* Measures and builds. */
int trainer_open(trainer *t, const trainer_source *from, gpt_error *error);
void trainer_close(trainer *t);

/* Back to step 0: same weights, same order of data. GPT_E_ORIGIN when it is imported or a
 * fork. */
int trainer_rewind(trainer *t, gpt_error *error);

/* Changes a live option from the next step on. GPT_E_FIXED, GPT_E_CHANGES and those of
 * config_set: nothing is changed. */
int trainer_set(trainer *t, const char *option, double value, gpt_error *error);

/* One step: GPT_OK, GPT_FINISHED, GPT_E_DIVERGED, GPT_E_NO_TEXT. A step that failed can be tried
 * again: nothing has moved but the figures of the last step. */
int trainer_step(trainer *t, gpt_error *error);

/* Mean loss over at most `count` held-out sequences, evenly spaced; NaN if nothing is held out. */
double trainer_validate(trainer *t, int count);

#endif
