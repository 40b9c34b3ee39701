/* architecture.h - the ops and parameters of a recipe's model as JSON.
 *
 * Allocates no weights: runs model_forward twice, over arenas that only count bytes. The first pass
 * has the sizes of the recipe. The second has artificial sizes, by which each length of a shape is
 * recognised as T (context), C (channels), H (heads), V (vocabulary) or a multiple of C.
 */
#ifndef GLASSHOUSE_ARCHITECTURE_H
#define GLASSHOUSE_ARCHITECTURE_H

#include "model/model.h"

/* Writes the JSON that gpt_architecture_json (api/gpt.h) documents to `out`, at most `capacity`
 * bytes with the NUL. `options` must be valid (config_check); `vocab`, the number of tokens, is at
 * least 1. Returns the length of the JSON without the NUL. Errors: GPT_E_ALLOCATION,
 * GPT_E_CAPACITY. */
int architecture_json(const config *options, int vocab, char *out, size_t capacity,
                      gpt_error *error);

#endif
