/* fork.h - starts a run (the fork) with the weights from the checkpoint of another run (its
 * parent).
 *
 * The fork begins at step 0: AdamW's moments, the order of the documents and the random stream
 * start anew. It stores the parent's receipt, which fork_finish writes. Invariant: the receipt
 * contains the hash of all weights of the parent, even if the fork has a smaller context and so
 * fewer rows in its position table.
 */
#ifndef GLASSHOUSE_FORK_H
#define GLASSHOUSE_FORK_H

#include "io/checkpoint.h"

/* State of a fork while the weights of its parent are read; begins zeroed. */
typedef struct fork_parts {
    /* The parent's position table (rows,channels) if the fork's is smaller, else NULL. The caller
     * frees it. */
    float *positions;
    int rows; /* the parent's context */
} fork_parts;

/* Checks that the run in a file can be replayed from its text, which a fork requires. Errors:
 * GPT_E_FORK if the run cannot be resumed (checkpoint_resumable), if it is `imported` (its first
 * weights or its vocabulary came from a file, or PyTorch computed some of its steps), or if the
 * file lacks run.losses; GPT_E_FORK_DEPTH if the fork would have more than RECEIPT_RUNS_MAX - 1
 * ancestors. */
int fork_check(const tensor_file *f, const file_metadata *metadata, gpt_error *error);

/* Calls checkpoint_bind with BIND_FORK, to bind the parent's weights and losses to the fork's
 * memory in `into`. Before, checkpoint_bind with BIND_WEIGHTS must have succeeded, so that the
 * fork's context is not larger than the parent's. Errors: GPT_E_ALLOCATION and the errors of
 * checkpoint_bind. */
int fork_bind(fork_parts *fork, tensor_file *f, const file_metadata *metadata,
              const run_parts *into, uint64_t losses_max, gpt_error *error);

/* Writes the parent's receipt to `parent` and, if the fork's position table is smaller, copies the
 * first rows of the parent's table into it. Call this after all data of the file has been read.
 * `losses` is the memory to which fork_bind has bound the parent's losses. Errors: GPT_E_RECEIPT if
 * the run in the file contradicts itself; GPT_E_FORK_DEPTH if the receipt is longer than
 * RECEIPT_PARENT_MAX bytes; GPT_E_ALLOCATION. */
int fork_finish(fork_parts *fork, const file_metadata *metadata, model *net, const float *losses,
                run_parent *parent, gpt_error *error);

#endif
