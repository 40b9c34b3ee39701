/* pretokenizer.h - splits a text into words by GPT-2's rule; BPE merges only within a word.
 *
 * Any bytes can be split. The rule is the pattern of GPT-2's published encoder,
 *
 *     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *
 * matched from left to right, here as code without a regular expression engine. A byte that is not
 * valid UTF-8 is a symbol outside \p{L}, \p{N} and \s. Invariant: the words of a text,
 * concatenated, are the text.
 */
#ifndef GLASSHOUSE_PRETOKENIZER_H
#define GLASSHOUSE_PRETOKENIZER_H

#include <stddef.h>

/* Returns the length in bytes of the first word of `text`; `bytes` >= 1. The end of `text` must be
 * the end of the whole text, because white space there is a single word. All words of a text
 * together take linear time. */
size_t pretokenizer_word(const unsigned char *text, size_t bytes);

#endif
