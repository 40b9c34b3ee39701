/* gpt_past.h - restoring a snapshot of a run.
 *
 * gpt.h includes this header, and its conventions apply. The header is separate because the
 * training module only writes snapshots; the WebAssembly module for questions
 * (build/wasm-questions) restores them.
 */
#ifndef GLASSHOUSE_GPT_PAST_H
#define GLASSHOUSE_GPT_PAST_H

#include "api/gpt.h"

/* Restores a snapshot that gpt_snapshot_write wrote, in the same version of the engine, for a run
 * with the recipe (live options aside), text and parent of `trainer`. Weights, optimizer state,
 * random stream, position in the data, live options, change log and losses are restored; the next
 * steps have the same bits as in that run. Changes that followed the snapshot must be made again
 * with gpt_trainer_set, after the same steps. Ends the texts of all samplers. GPT_E_SNAPSHOT
 * (damaged, or of another run): the trainer is unchanged. */
GPT_API int gpt_snapshot_restore(gpt_trainer *trainer, const void *snapshot, size_t bytes);

#endif
