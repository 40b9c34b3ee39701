/* run_memory.h - compares the memory that a run will need with a memory limit. */
#ifndef GLASSHOUSE_RUN_MEMORY_H
#define GLASSHOUSE_RUN_MEMORY_H

#include "train/trainer.h"

/* Sets *total to the number of bytes that a trainer and its sampler will allocate; `measured` is
 * the trainer after trainer_measure. `limit` is the memory limit in bytes. Errors: GPT_E_MEMORY if
 * *total and the size of the text together exceed `limit`. */
int run_memory(trainer *measured, const trainer_source *from, uint64_t limit, uint64_t *total,
               gpt_error *error);

#endif
