/* gpt2_weights.h - the weights of a GPT-2 in files of other programs.
 *
 * Owns: how the model's own list of parameters (model/model.h) appears there. Those programs always
 * have all gains and biases: a recipe without them writes gains of ones and biases of zeros.
 */
#ifndef GLASSHOUSE_GPT2_WEIGHTS_H
#define GLASSHOUSE_GPT2_WEIGHTS_H

#include "formats/write_plan.h"

/* Lists the parameters of `options` with all gains and biases; allocates the table alone. Close it
 * with model_close. GPT_E_ALLOCATION. */
int gpt2_open_weights(model *list, const config *options, int vocab, gpt_error *error);

/* The parameter of this name, or NULL. */
const param *gpt2_find_weight(const model *list, const char *name);

/* Puts a parameter of the list, `how` as in plan_put_tensor; ones or zeros if the recipe has none. */
void gpt2_put_weight(write_plan *p, const param *weight, int how);

#endif
