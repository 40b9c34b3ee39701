/* architecture.h - what a recipe's model computes and owns, listed without allocating it.
 *
 * Owns: the letters of the lengths. model_forward itself is run over arenas that only count, twice:
 * with the recipe's sizes, and with sizes of which no two are alike, which tell the letters.
 */
#ifndef GLASSHOUSE_ARCHITECTURE_H
#define GLASSHOUSE_ARCHITECTURE_H

#include "model/model.h"

/* See gpt_architecture_json. GPT_E_ALLOCATION, GPT_E_CAPACITY. */
int architecture_json(const config *options, int vocab, char *out, size_t capacity,
                      gpt_error *error);

#endif
