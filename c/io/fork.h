/* fork.h - beginning a run with the weights that another had at its last saved step.
 *
 * Owns: what a fork takes out of the checkpoint of its parent (the weights, and all that the
 * parent's receipt claims) and the making of that receipt. Moments, order and random stream stay
 * behind: they begin anew.
 */
#ifndef GLASSHOUSE_FORK_H
#define GLASSHOUSE_FORK_H

#include "io/checkpoint.h"

/* A fork whose weights are being read. The caller frees `positions` (malloc; may be NULL): the
 * parent's table of `rows`, if the fork's context is smaller. */
typedef struct fork_parts {
    float *positions;
    int rows;
} fork_parts;

/* GPT_OK if the run of a file can be repeated up to where the file has it, so that forks of it can
 * be. GPT_E_FORK, GPT_E_FORK_DEPTH. */
int fork_check(const tensor_file *f, const file_facts *facts, gpt_error *error);

/* checkpoint_bind for a fork: weights, and the parent's losses into the place of its own. */
int fork_bind(fork_parts *fork, tensor_file *f, const file_facts *facts, const run_parts *into,
              uint64_t losses_max, gpt_error *error);

/* All of the file is there: writes the receipt of its run into `parent`. `losses` are where
 * fork_bind had them read to. GPT_E_FORK_DEPTH, GPT_E_ALLOCATION. */
int fork_finish(fork_parts *fork, const file_facts *facts, model *net, const float *losses,
                run_parent *parent, gpt_error *error);

#endif
