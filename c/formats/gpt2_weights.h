/* gpt2_weights.h - the list of GPT-2's weights in files of other programs.
 *
 * The list is the model's own table of parameters (model/model.h), with all gains and biases,
 * because those programs always have them. A recipe without them is written with gains of ones and
 * biases of zeros.
 */
#ifndef GLASSHOUSE_GPT2_WEIGHTS_H
#define GLASSHOUSE_GPT2_WEIGHTS_H

#include "formats/write_plan.h"

/* Fills `list` with the parameters of `options`, all gains and biases included. Allocates the table
 * without the numbers; model_close frees it. GPT_E_ALLOCATION. */
int gpt2_open_weights(model *list, const config *options, int vocab, gpt_error *error);

/* Returns the parameter of this name, or NULL. */
const param *gpt2_find_weight(const model *list, const char *name);

/* Appends a parameter of the list to the plan, `how` as in plan_put_tensor. A vector that the
 * recipe lacks is written as F32 ones (a gain) or zeros (a bias). */
void gpt2_put_weight(write_plan *p, const param *weight, int how);

#endif
