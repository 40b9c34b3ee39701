/* gpt_past.h - restoring a snapshot of a run.
 *
 * gpt.h includes this header, and its conventions apply. The header is separate because the
 * WebAssembly module that trains only writes snapshots. A second module (build/wasm-questions)
 * restores them: it computes traces, exports and earlier steps of a run while the first module
 * trains.
 */
#ifndef GLASSHOUSE_GPT_PAST_H
#define GLASSHOUSE_GPT_PAST_H

#include "api/gpt.h"

/* Restores a snapshot that gpt_snapshot_write of the same engine version wrote. The run of the
 * snapshot must have the text and the recipe of `trainer`, except for options that may change
 * during a run (live). If one of the two runs started with the weights of another run, both must
 * have started with the same weights. Restores weights, optimizer state, random stream, position in
 * the data, live options, change log and losses: the next steps have the same bits as in that run.
 * If options of that run changed after the snapshot, make the same changes with gpt_trainer_set
 * after the same steps. Ends the texts of all samplers. Errors: GPT_E_SNAPSHOT if the snapshot is
 * of another run or its header or change log is damaged; nothing changes then. Damaged weights are
 * not noticed. */
GPT_API int gpt_snapshot_restore(gpt_trainer *trainer, const void *snapshot, size_t bytes);

#endif
