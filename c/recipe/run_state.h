/* run_state.h - the state of a training run without its text, weights and AdamW's moments.
 *
 * The state has the recipe at step 0, the changes since then and the position in the data.
 * RUN_FIELDS is the table by which checkpoints, receipts, snapshots and the hash of a recipe store
 * its fields. Invariant: the present recipe is `begun` with `changes` applied.
 */
#ifndef GLASSHOUSE_RUN_STATE_H
#define GLASSHOUSE_RUN_STATE_H

#include "base/rng.h"
#include "base/sha256.h"
#include "recipe/changes.h"

/* The parent of a fork: the receipt of the run that it continues, at the step of the fork. All zero
 * for a run that is not a fork. */
typedef struct run_parent {
    const char *json; /* the receipt; owned (malloc), but borrowed in a receipt read from JSON */
    size_t bytes;
    int runs; /* runs in the receipt: the parent and its ancestors; 0: the run is not a fork */
    unsigned char digest[SHA256_BYTES]; /* SHA-256 of the claims in the receipt */
} run_parent;

typedef struct run_state {
    config begun;         /* the recipe at step 0 */
    change_log changes;   /* of live options since step 0; owned */
    uint64_t step;        /* steps done */
    uint64_t cursor;      /* index of the next document in shuffled order; 0 without documents */
    uint64_t tokens_seen; /* targets in the batches of all steps */
    rng stream; /* of shuffle, initial weights and batches only; state 0: not in the file */
    uint64_t text_hash, text_bytes;   /* hash_fnv1a; 0 bytes: no text, the model only generates */
    uint64_t loss_count, loss_stride; /* losses stored: steps 0, loss_stride, 2 loss_stride... */
    union {
        struct {
            double loss, rate, gradient_norm; /* of the last step; NaN before the first */
        };
        double last[3]; /* the same three as an array, for files */
    };
    bool imported; /* began with weights or a vocabulary from a file, or PyTorch made some steps */
    run_parent parent;
} run_state;

/* Type of a field and its form in JSON. RUN_WHOLE, RUN_DECIMAL, RUN_HEX: a uint64_t as a number, as
 * a string of decimal digits, as a string of 16 hexadecimal digits. RUN_FLAG: a bool. RUN_CHANGES:
 * a change_log as an array. */
typedef enum run_form { RUN_WHOLE, RUN_DECIMAL, RUN_HEX, RUN_FLAG, RUN_CHANGES } run_form;

/* The stores of fields: the last four columns of RUN_FIELDS. */
typedef enum run_store { IN_CHECKPOINT, IN_RECEIPT, IN_HASH, IN_SNAPSHOT, RUN_STORES } run_store;

/* X(name in JSON, member of run_state, form, and the place of the field in a checkpoint, a receipt,
 * the hash of a recipe, a snapshot). Places count from 1 without gaps and fix the order of the
 * bytes; 0: the store does not have the field. A new field uses the next place of a store. In a
 * snapshot, fields must be uint64_t, and a new one needs a new SNAPSHOT_MAGIC. */
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
    size_t offset; /* of the member in run_state, in bytes */
    run_form form;
    unsigned char place[RUN_STORES]; /* by run_store; 0: not stored */
} run_field;

/* Returns the field at a place of a store, counted from 1; NULL beyond the last place. */
const run_field *run_field_at(run_store store, int place);

#endif
