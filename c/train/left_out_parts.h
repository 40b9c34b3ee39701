/* left_out_parts.h - converts left-out bytes (which training never reads) to tokens or documents.
 *
 * Splits the text a second time into tokens or documents. Invariant: a token or document is left
 * out if at least one of its bytes is left out.
 */
#ifndef GLASSHOUSE_LEFT_OUT_PARTS_H
#define GLASSHOUSE_LEFT_OUT_PARTS_H

#include "text/tokenizer.h"

/* Sets `parts` to the left-out documents, or tokens of a stream, which contain a byte of the ranges
 * `from`. `parts` has ranges of their numbers, counted from 0 in the order of the text; documents
 * are the lines that are not empty. `from` must have at least one range; `parts` has at most as
 * many ranges. The arena of the tokenizer `k` may be one that only counts bytes. Errors:
 * GPT_E_LEFT_OUT_END if a range ends after the text, and the errors of tokenizer_encode. */
int left_out_parts(left_out *parts, const left_out *from, const tokenizer *k, bool documents,
                   const char *text, size_t bytes, gpt_error *error);

#endif
