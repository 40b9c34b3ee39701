/* left_out_parts.h - which tokens or documents of a text its left-out bytes stand in.
 *
 * Owns: reading a text once more to find them. One byte of a token or document is enough.
 */
#ifndef GLASSHOUSE_LEFT_OUT_PARTS_H
#define GLASSHOUSE_LEFT_OUT_PARTS_H

#include "text/tokenizer.h"

/* Finds the documents (lines that are not empty), or the tokens of a stream, of `text` that `from`
 * (not empty) touches; at most as many ranges as it has. `k` may have been laid out in a measuring
 * arena. GPT_E_LEFT_OUT_END, and what encoding fails with. */
int left_out_parts(left_out *parts, const left_out *from, const tokenizer *k, bool documents,
                   const char *text, size_t bytes, gpt_error *error);

#endif
