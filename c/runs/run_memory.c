/* run_memory.c - see run_memory.h. */
#include "runs/run_memory.h"

#include "infer/sampler.h"

int run_memory(trainer *measured, const trainer_source *from, uint64_t limit, uint64_t *total,
               gpt_error *error) {
    *total = measured->persist.peak + measured->step_memory.peak + sampler_measure(&measured->net);
    // While the trainer is created, the client's copy of the text is in memory too.
    double needed = (double)*total + (double)from->bytes;
    return needed > (double)limit ? gpt_fail(error, GPT_E_MEMORY, "", needed, (double)limit, 0)
                                  : GPT_OK;
}
