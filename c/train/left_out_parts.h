/* left_out_parts.h - converts left-out bytes of a text to left-out tokens or documents.
 *
 * Splits the text once more into tokens or documents. Invariant: a token or document is left out if
 * at least one of its bytes is.
 */
#ifndef GLASSHOUSE_LEFT_OUT_PARTS_H
#define GLASSHOUSE_LEFT_OUT_PARTS_H

#include "text/tokenizer.h"

/* Sets `parts` to the numbers, from 0, of the documents (lines that are not empty) or of the tokens
 * of a stream that contain bytes of `from`, which must not be empty. `parts` has at most as many
 * ranges as `from`. `k` may come from a measuring arena. GPT_E_LEFT_OUT_END if a range ends behind
 * the text, and the errors of tokenizer_encode. */
int left_out_parts(left_out *parts, const left_out *from, const tokenizer *k, bool documents,
                   const char *text, size_t bytes, gpt_error *error);

#endif
