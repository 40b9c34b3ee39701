/* gpt_past.h - the third part of the contract: back to a snapshot of a run.
 *
 * gpt.h includes it, so clients name that one alone. It is a file of its own because the module
 * that trains only takes snapshots: the one for questions (build/wasm-questions) goes back to them.
 */
#ifndef GLASSHOUSE_GPT_PAST_H
#define GLASSHOUSE_GPT_PAST_H

#include "api/gpt.h"

/* Puts a trainer into a snapshot that gpt_snapshot_write wrote for a run of the same recipe (live
 * options aside) and text: weights, random stream, place in the text, changes and losses are those
 * of then, and so are the bits of every step from there on. What was changed later in that run is
 * to be changed again, with gpt_trainer_set, after as many steps. GPT_E_SNAPSHOT when the bytes are
 * none of such a run, GPT_E_ALLOCATION: the trainer is then as it was. */
GPT_API int gpt_snapshot_restore(gpt_trainer *trainer, const void *snapshot, size_t bytes);

#endif
