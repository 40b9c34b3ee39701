/* snapshot.h - the whole state of a run at one step, in memory, to return to it.
 *
 * A snapshot is an array of bytes with the weights, AdamW's moments, the random stream, the
 * position in the data, the changes and the losses, but without vocabulary and text. It is not a
 * file format: only a trainer of the same recipe and text restores it, in the same version of the
 * engine. Invariant: the steps after a restored snapshot have the same bits as in the original run.
 */
#ifndef GLASSHOUSE_SNAPSHOT_H
#define GLASSHOUSE_SNAPSHOT_H

#include "train/trainer.h"

/* Bytes of a snapshot of `t` now: 12 for each weight, 4 for each kept loss, 32 for each change, and
 * some hundred more. 0 if `t` only generates. */
size_t snapshot_bytes(const trainer *t);

/* Writes a snapshot of snapshot_bytes(t) bytes, which must not be 0, to `out`. */
void snapshot_write(const trainer *t, unsigned char *out);

/* Restores a snapshot of a run with the recipe (except for live options), text and parent of `t`.
 * GPT_E_SNAPSHOT if it is of another run or version, or if its head or its changes are damaged;
 * GPT_E_ALLOCATION. After an error `t` is unchanged. */
int snapshot_restore(trainer *t, const unsigned char *snapshot, size_t bytes, gpt_error *error);

#endif
