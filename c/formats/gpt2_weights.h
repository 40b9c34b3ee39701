/* gpt2_weights.h - the list of GPT-2's weights in files of other programs.
 *
 * The list is the model's own table of parameters (model/model.h), with all gains and biases,
 * because GPT-2 in those programs always has them. If a recipe has no gains or no biases, the file
 * contains gains of ones or biases of zeros.
 */
#ifndef GLASSHOUSE_GPT2_WEIGHTS_H
#define GLASSHOUSE_GPT2_WEIGHTS_H

#include "formats/write_plan.h"

/* Fills `list` with the parameters of a model with these options and `vocab` tokens, and with all
 * gains and biases. Allocates names and shapes, but no numbers; model_close frees the list. Errors:
 * GPT_E_ALLOCATION. */
int gpt2_open_weights(model *list, const config *options, int vocab, gpt_error *error);

/* Returns the parameter of this name in `list`, or NULL. */
const param *gpt2_find_weight(const model *list, const char *name);

/* Appends `weight`, a parameter of the list, to the plan; `how` as in plan_put_tensor. If the
 * exported model lacks the parameter, appends F32 ones for a gain and F32 zeros for a bias. */
void gpt2_put_weight(write_plan *p, const param *weight, int how);

#endif
