/* snapshot.h - the whole state of a run at one step, in memory, to return to that step.
 *
 * A snapshot is an array of bytes with the weights, AdamW's moments, the random stream, the
 * position in the data, the log of option changes and the losses, but without vocabulary and text.
 * It is not a file format: only a trainer with the same recipe and text, in the same version of the
 * engine, can restore it. Invariant: the steps after a restored snapshot have the same bits as in
 * the original run.
 */
#ifndef GLASSHOUSE_SNAPSHOT_H
#define GLASSHOUSE_SNAPSHOT_H

#include "train/trainer.h"

/* Size in bytes of a snapshot of the present state of `t`: 12 for each weight, 4 for each stored
 * loss, 32 for each logged change of an option, and some hundred bytes more. 0 if `t` only
 * generates. */
size_t snapshot_bytes(const trainer *t);

/* Writes a snapshot of snapshot_bytes(t) bytes, which must not be 0, to `out`. */
void snapshot_write(const trainer *t, unsigned char *out);

/* Restores a snapshot. The run of the snapshot and the run of `t` must have the same text, the same
 * parent (the run whose weights a fork began with) and the same recipe, except for options that may
 * change during a run (live). Errors: GPT_E_SNAPSHOT if the snapshot is of another run or version
 * of the engine, or if its header or its list of option changes is damaged; GPT_E_ALLOCATION. After
 * an error `t` is unchanged. */
int snapshot_restore(trainer *t, const unsigned char *snapshot, size_t bytes, gpt_error *error);

#endif
