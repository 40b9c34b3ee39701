/* left_out_parts.h - converts left-out bytes (which training never reads) to tokens or documents.
 *
 * Splits the text a second time into tokens or documents. Invariant: a token or document is left
 * out if at least one of its bytes is left out.
 */
#ifndef GLASSHOUSE_LEFT_OUT_PARTS_H
#define GLASSHOUSE_LEFT_OUT_PARTS_H

#include "text/tokenizer.h"

/* Sets `parts` to the numbers, from 0, of the documents (lines that are not empty), or of the
 * tokens of a stream, that contain a byte of the ranges `from`. `from` must have at least one
 * range, and `parts` has at most as many. The tokenizer `k` may have been opened in an arena that
 * only counts bytes. GPT_E_LEFT_OUT_END if a range ends behind the text, and the errors of
 * tokenizer_encode. */
int left_out_parts(left_out *parts, const left_out *from, const tokenizer *k, bool documents,
                   const char *text, size_t bytes, gpt_error *error);

#endif
