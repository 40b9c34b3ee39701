/* architecture.h - the ops and parameters of a recipe's model as JSON.
 *
 * Allocates no model: runs model_forward over measuring arenas, twice. The first run has the sizes
 * of the recipe; the second has artificial sizes, which identify the letter (T, C, H or V) of each
 * length of a shape.
 */
#ifndef GLASSHOUSE_ARCHITECTURE_H
#define GLASSHOUSE_ARCHITECTURE_H

#include "model/model.h"

/* Writes the JSON of gpt_architecture_json (api/gpt.h) to `out`, at most `capacity` bytes with the
 * NUL. `options` is valid (config_check) and vocab at least 1. Returns the length of the text, or
 * GPT_E_ALLOCATION, GPT_E_CAPACITY. */
int architecture_json(const config *options, int vocab, char *out, size_t capacity,
                      gpt_error *error);

#endif
