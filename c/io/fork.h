/* fork.h - starts a run, the fork, with the weights that another run, its parent, had at its saved
 * step.
 *
 * The fork reads the weights from the parent's checkpoint and stores the parent's receipt, which is
 * made here. AdamW's moments, the order of documents and the random stream start anew. Invariant:
 * the receipt hashes all weights of the parent, also if the fork has a smaller context.
 */
#ifndef GLASSHOUSE_FORK_H
#define GLASSHOUSE_FORK_H

#include "io/checkpoint.h"

/* State of a fork while its weights are read; begins zeroed. */
typedef struct fork_parts {
    float *positions; /* the parent's position table (rows,channels) if the fork's is smaller, else
                       * NULL; malloc, the caller frees it */
    int rows;         /* the parent's context */
} fork_parts;

/* Checks that the run in a file can be repeated from its text, as forks of it require. GPT_E_FORK
 * (the run cannot continue, is imported, or the file lacks its losses), GPT_E_FORK_DEPTH (the fork
 * would have more than RECEIPT_RUNS_MAX - 1 earlier runs). */
int fork_check(const tensor_file *f, const file_facts *facts, gpt_error *error);

/* Binds the parent's weights and losses to the memory of the fork in `into`, as checkpoint_bind
 * with BIND_FORK. That call with BIND_WEIGHTS must have succeeded before, so that the fork's
 * context is not larger than the parent's. GPT_E_ALLOCATION and the errors of checkpoint_bind. */
int fork_bind(fork_parts *fork, tensor_file *f, const file_facts *facts, const run_parts *into,
              uint64_t losses_max, gpt_error *error);

/* Writes the parent's receipt to `parent`, after all data of the file was read, and copies the
 * parent's first positions into a smaller table of the fork. `losses` is the memory that fork_bind
 * has bound. GPT_E_RECEIPT (the run in the file contradicts itself), GPT_E_FORK_DEPTH (the receipt
 * is longer than RECEIPT_PARENT_MAX), GPT_E_ALLOCATION. */
int fork_finish(fork_parts *fork, const file_facts *facts, model *net, const float *losses,
                run_parent *parent, gpt_error *error);

#endif
