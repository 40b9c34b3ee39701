/* run_memory.h - the memory that a measured run needs, and its limit. */
#ifndef GLASSHOUSE_RUN_MEMORY_H
#define GLASSHOUSE_RUN_MEMORY_H

#include "train/trainer.h"

/* Sets *total to the bytes of memory that the trainer `measured` and its sampler need. GPT_E_MEMORY
 * if this total and the size of the text exceed `limit`. */
int run_memory(trainer *measured, const trainer_source *from, uint64_t limit, uint64_t *total,
               gpt_error *error);

#endif
