/* run_state.h - the state of a training run without its text, weights and AdamW's moments.
 *
 * The state has the recipe (the value of every option) at step 0, the changes since then and the
 * position in the data. RUN_FIELDS is the table by which checkpoints, receipts, snapshots and the
 * hash of a recipe store its fields. Invariant: the present recipe is `initial` with `changes`
 * applied.
 */
#ifndef GLASSHOUSE_RUN_STATE_H
#define GLASSHOUSE_RUN_STATE_H

#include "base/rng.h"
#include "base/sha256.h"
#include "recipe/changes.h"

/* The parent of a fork: the run whose weights the fork began with. The parent's receipt (the JSON
 * by which a run can be replayed) describes the parent at the step of the fork. All fields are 0 in
 * a run that is not a fork. */
typedef struct run_parent {
    /* The parent's receipt as JSON. Owned (malloc), except in a run_state that was itself read from
     * a receipt: there `json` points into the JSON of that receipt. */
    const char *json;
    size_t bytes;
    /* Number of runs that `json` describes: the parent and its own ancestors. 0 if this run is not
     * a fork. */
    int runs;
    /* SHA-256 of what `json` states about the parent: recipe, losses, weights and number of
     * steps. */
    unsigned char digest[SHA256_BYTES];
} run_parent;

typedef struct run_state {
    config initial;       /* the recipe at step 0 */
    change_log changes;   /* changes of options since step 0; owned */
    uint64_t step;        /* number of steps done */
    uint64_t cursor;      /* index of the next document in shuffled order; 0 without documents */
    uint64_t tokens_seen; /* number of target tokens in the batches of all steps so far */
    /* The random stream of shuffling, initial weights and training batches, and of nothing else.
     * State 0 means that the file from which the run was read has no stream. */
    rng stream;
    /* hash_fnv1a of the text and its length in bytes. Length 0: there is no text, the model only
     * generates. */
    uint64_t text_hash, text_bytes;
    /* Number of stored losses, and the steps from one to the next: losses of steps 0, loss_stride,
     * 2 loss_stride..., where step 0 is the first. */
    uint64_t loss_count, loss_stride;
    union {
        struct {
            double loss, rate, gradient_norm; /* of the last step; NaN if none, or not in a file */
        };
        double last[3]; /* loss, rate and gradient_norm as an array, for files */
    };
    /* True if the run began with weights or a vocabulary from a file, or if PyTorch computed some
     * of its steps. */
    bool imported;
    run_parent parent;
} run_state;

/* Type of a field and its form in JSON. RUN_WHOLE, RUN_DECIMAL and RUN_HEX are of type uint64_t and
 * written as a number, a string of decimal digits, a string of 16 hexadecimal digits. RUN_FLAG is a
 * bool. RUN_CHANGES is a change_log, written as an array. */
typedef enum run_form { RUN_WHOLE, RUN_DECIMAL, RUN_HEX, RUN_FLAG, RUN_CHANGES } run_form;

/* The four stores of fields of a run_state, in the order of the last four columns of RUN_FIELDS;
 * IN_HASH is the hash of a recipe. RUN_STORES is their number. */
typedef enum run_store { IN_CHECKPOINT, IN_RECEIPT, IN_HASH, IN_SNAPSHOT, RUN_STORES } run_store;

/* X(name in JSON, member of run_state, form, and the place of the field in each of the four stores:
 * a checkpoint, a receipt, the hash of a recipe, a snapshot). Places in a store count from 1
 * without gaps and fix the order of the bytes; 0: the store does not have the field. A new field
 * gets the next place of a store. In a snapshot, fields must be uint64_t, and a new field needs a
 * new SNAPSHOT_MAGIC. */
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
    size_t offset; /* offset of the member in run_state, in bytes */
    run_form form;
    /* Place of the field in each store, indexed by run_store and counted from 1; 0 if the store
     * does not have the field. */
    unsigned char place[RUN_STORES];
} run_field;

/* Returns the field at place `place`, from 1, of `store`; NULL beyond the last place. */
const run_field *run_field_at(run_store store, int place);

#endif
