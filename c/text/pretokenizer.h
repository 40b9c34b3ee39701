/* pretokenizer.h - GPT-2's rule of where a text may be cut into words before pairs are merged.
 *
 * Owns: one word at a time from any bytes. The rule is the pattern of GPT-2's published encoder,
 *
 *     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *
 * tried from the left at every position, written out by hand. A byte that is not UTF-8 counts as a
 * symbol that is no letter, number or white space. Invariant: the words of a text, one after the
 * other, are the text.
 */
#ifndef GLASSHOUSE_PRETOKENIZER_H
#define GLASSHOUSE_PRETOKENIZER_H

#include <stddef.h>

/* Bytes of the word that `text` starts with; `bytes` >= 1. The end of `text` is the end of the
 * text: white space there stays together. Linear over all words of a text. */
size_t pretokenizer_word(const unsigned char *text, size_t bytes);

#endif
