/* optimizer.h - AdamW, gradient clipping and the learning-rate schedules.
 *
 * Updates the weights and AdamW's moments of a model from the gradients of one step. Invariant: the
 * result has the same bits for any number of threads.
 */
#ifndef GLASSHOUSE_OPTIMIZER_H
#define GLASSHOUSE_OPTIMIZER_H

#include "model/model.h"

/* Learning rate of step s (from 0), by schedule:
 *   constant        lr
 *   cosine          lr (min + (1 - min) (1 + cos(pi s / steps)) / 2), from lr to min lr over the
 *                   planned steps, min lr afterwards (Loshchilov and Hutter 2017)
 *   warmup_cosine   lr (s + 1) / warmup for `warmup` steps, then cosine over the remaining steps
 * where lr and min are the options lr and min_lr; min is a fraction of lr. */
double schedule_rate(const config *c, uint64_t step);

/* L2 norm of all gradients as one vector; NaN or infinity if a gradient is not finite. */
double optimizer_gradient_norm(const model *m);

/* Updates all parameters once by AdamW with the learning rate `rate`. `step` counts from 0: the
 * bias correction uses t = step + 1. `norm` is the L2 norm of the gradients; if it exceeds the
 * option clip, the gradients are scaled down so that their norm is clip. The option clip = 0 turns
 * clipping off. */
void optimizer_step(model *m, uint64_t step, double rate, double norm);

#endif
