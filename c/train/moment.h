/* moment.h - the whole state of a run at one step, to go back to.
 *
 * Owns: the form of a moment: weights, moments of AdamW, random stream, place in the data, changes
 * and losses, as one array of bytes. It is no file format: only a trainer of the same recipe and
 * text takes it back, in the same version of the engine, and neither vocabulary nor text is in it.
 * From a moment, steps have the bits that they had in the run that it was taken of.
 */
#ifndef GLASSHOUSE_MOMENT_H
#define GLASSHOUSE_MOMENT_H

#include "train/trainer.h"

/* Bytes of the moment that `t` is in: 12 for each weight, 4 for each loss, and some hundred. 0 for
 * a model that only generates. */
size_t moment_bytes(const trainer *t);

/* Writes that many bytes to `out`, and changes nothing. */
void moment_take(const trainer *t, unsigned char *out);

/* Puts `t` into a moment that was taken of a run of its recipe (live options aside) and text.
 * GPT_E_MOMENT, GPT_E_ALLOCATION: `t` is as it was. */
int moment_restore(trainer *t, const unsigned char *moment, size_t bytes, gpt_error *error);

#endif
