/* optimizer.h - AdamW, gradient clipping and the learning-rate schedules.
 *
 * Owns: what one step does to the weights once their gradients are known.
 */
#ifndef GLASSHOUSE_OPTIMIZER_H
#define GLASSHOUSE_OPTIMIZER_H

#include "model/model.h"

/* Learning rate of step `step` (from 0): constant; cosine from lr to min_lr * lr over the planned
 * steps, lr (min + (1 - min) (1 + cos(pi s / steps)) / 2) (Loshchilov and Hutter 2017); or the same
 * after `warmup` steps in which it grows in equal parts. */
double schedule_rate(const config *c, uint64_t step);

/* Square root of the sum of squares of all gradients; NaN or infinity when one is not finite. */
double optimizer_gradient_norm(const model *m);

/* One AdamW update of all parameters at step `step` (from 0, so t = step + 1 in the bias
 * correction), with gradients scaled down to the norm `clip` when `norm` is larger and clip > 0. */
void optimizer_step(model *m, uint64_t step, double rate, double norm);

#endif
