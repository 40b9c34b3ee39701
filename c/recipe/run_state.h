/* run_state.h - the state of a run besides its text, its weights and AdamW's moments.
 *
 * Owns: the recipe at step 0, the changes since, the position in the data, and RUN_FIELDS, the one
 * table from which checkpoints, receipts, snapshots and the hash of a recipe are written and read.
 * Invariant: the present recipe is `begun` with `changes` applied.
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

/* How JSON writes a field. RUN_FLAG is a bool and RUN_CHANGES a change_log; the others are uint64_t:
 * a number, a string of decimal digits, a string of hexadecimal digits. */
typedef enum run_form { RUN_WHOLE, RUN_DECIMAL, RUN_HEX, RUN_FLAG, RUN_CHANGES } run_form;

/* What stores fields of a run. */
typedef enum run_store { IN_CHECKPOINT, IN_RECEIPT, IN_HASH, IN_SNAPSHOT, RUN_STORES } run_store;

/* X(name in JSON, member of run_state, form, places: in a checkpoint, a receipt, the hash of a
 * recipe, a snapshot). Places count from 1 and fix the order of the bytes; 0: not stored there. A
 * new field takes the next place; in a snapshot it needs a new SNAPSHOT_MAGIC too. */
#define RUN_FIELDS(X)                                                                              \
    X("step", step, RUN_WHOLE, 1, 4, 0, 1)                                                         \
    X("tokens_seen", tokens_seen, RUN_WHOLE, 2, 0, 0, 3)                                           \
    X("cursor", cursor, RUN_WHOLE, 3, 0, 0, 2)                                                     \
    X("loss_stride", loss_stride, RUN_WHOLE, 4, 6, 0, 6)                                           \
    X("rng", stream.state, RUN_DECIMAL, 5, 0, 0, 4)                                                \
    X("text_hash", text_hash, RUN_HEX, 6, 1, 1, 0)                                                 \
    X("text_bytes", text_bytes, RUN_WHOLE, 7, 2, 2, 0)                                             \
    X("imported", imported, RUN_FLAG, 8, 3, 3, 0)                                                  \
    X("changes", changes, RUN_CHANGES, 9, 5, 4, 0)                                                 \
    X("loss_count", loss_count, RUN_WHOLE, 0, 0, 0, 5)

#define RUN_FIELD_ONE(name, member, form, checkpoint, receipt, hash, snapshot) +1
enum { RUN_FIELD_COUNT = 0 RUN_FIELDS(RUN_FIELD_ONE) };
#undef RUN_FIELD_ONE

typedef struct run_field {
    const char *name;
    size_t offset; /* of the member in run_state */
    run_form form;
    unsigned char place[RUN_STORES];
} run_field;

/* The field at this place, from 1 on; NULL beyond the last one. */
const run_field *run_field_at(run_store store, int place);

#endif
