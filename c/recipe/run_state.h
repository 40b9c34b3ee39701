/* run_state.h - everything of a run that is not its text, its weights or their moments.
 *
 * Owns: what a run began with, what was changed since, and where it stands. A trainer moves it on,
 * checkpoints carry it, a receipt is made of it. Invariant: the recipe of now is `begun` with
 * `changes` applied.
 */
#ifndef GLASSHOUSE_RUN_STATE_H
#define GLASSHOUSE_RUN_STATE_H

#include "base/rng.h"
#include "base/sha256.h"
#include "recipe/changes.h"

/* The run that a fork went on from, at the step that it did so, as the receipt of that run. */
typedef struct run_parent {
    const char *json; /* the receipt; owns (malloc) but in a receipt that was read */
    size_t bytes;
    int runs; /* runs in it: the parent and those before it; 0: the run is no fork */
    unsigned char digest[SHA256_BYTES]; /* of all that it claims */
} run_parent;

typedef struct run_state {
    config begun;       /* the recipe at step 0 */
    change_log changes; /* of live options, since step 0; owns */
    uint64_t step;      /* steps done */
    uint64_t cursor;    /* place in the shuffled order of documents; 0 without documents */
    uint64_t tokens_seen;
    rng stream; /* shuffle, initial weights, training batches: nothing else; 0: a file has none */
    uint64_t text_hash, text_bytes; /* 0 bytes: it has no text and only generates */
    uint64_t loss_count,
        loss_stride; /* losses kept, of the steps 0, loss_stride, 2 loss_stride.. */
    union {
        struct {
            double loss, rate, gradient_norm; /* of the last step; NaN before the first */
        };
        double last[3]; /* the same, as files have them */
    };
    bool imported; /* it began with a file of weights or a vocabulary, or PyTorch took steps */
    run_parent parent;
} run_state;

#endif
