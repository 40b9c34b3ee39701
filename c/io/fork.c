/* fork.c - see fork.h. */
#include "io/fork.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "io/receipt.h"

int fork_check(const tensor_file *f, const file_metadata *metadata, gpt_error *error) {
    if (!checkpoint_resumable(f, metadata) || metadata->run.imported ||
        !tensor_file_find(f, "", "run.losses")) {
        return gpt_fail_name(error, GPT_E_FORK, "");
    }
    return metadata->run.parent.runs + 1 < RECEIPT_RUNS_MAX
               ? GPT_OK
               : gpt_fail(error, GPT_E_FORK_DEPTH, "", RECEIPT_RUNS_MAX - 1, 0, 0);
}

/* If fork->positions is not NULL, exchanges the model's position table with the parent's larger one
 * in fork->positions. A second call exchanges them back. */
static void swap_positions(fork_parts *fork, const model *net) {
    tensor *table = net->position_table;
    if (fork->positions) {
        fork_parts here = {table->data, table->shape[0]};
        table->data = fork->positions;
        table->shape[0] = fork->rows;
        table->size = (uint64_t)fork->rows * (uint64_t)table->shape[1];
        *fork = here;
    }
}

int fork_bind(fork_parts *fork, tensor_file *f, const file_metadata *metadata,
              const run_parts *into, uint64_t losses_max, gpt_error *error) {
    const tensor *table = into->net->position_table;
    fork->rows = config_int(&metadata->run.initial, OPT_CONTEXT);
    if (fork->rows != table->shape[0]) {
        size_t bytes = (size_t)fork->rows * (size_t)table->shape[1] * sizeof(float);
        fork->positions = malloc(bytes);
        if (!fork->positions) {
            return gpt_fail_allocation(error, bytes);
        }
    }
    swap_positions(fork, into->net);
    int status = checkpoint_bind(f, metadata, into, BIND_FORK, losses_max, error);
    swap_positions(fork, into->net);
    return status;
}

int fork_finish(fork_parts *fork, const file_metadata *metadata, model *net, const float *losses,
                run_parent *parent, gpt_error *error) {
    swap_positions(fork, net);
    receipt made = receipt_of_run(&metadata->run, losses, net);
    swap_positions(fork, net);
    if (fork->positions) {
        const tensor *table = net->position_table;
        memcpy(table->data, fork->positions, (size_t)table->size * sizeof(float));
    }
    text_buffer out = text_begin(NULL, 0);
    do {
        receipt_write(&made, &out);
    } while (text_again(&out, error));
    return out.out ? receipt_adopt(parent, out.out, out.length, error) : GPT_E_ALLOCATION;
}
