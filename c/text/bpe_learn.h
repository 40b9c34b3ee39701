/* bpe_learn.h - learning a BPE vocabulary from a text.
 *
 * Owns: the training of byte-pair encoding (Sennrich, Haddow and Birch, 2016) over the words of
 * GPT-2's pre-tokenizer. The tokens begin as the 256 bytes, id = byte; then, again and again, the
 * pair of neighbours that occurs most often in the words (each counted as often as it occurs)
 * becomes a token. Of equally frequent pairs the one with the smallest left id wins, then the
 * smallest right id. A pair that would make a token longer than TOKEN_BYTES_MAX is passed over.
 * Learning ends at the size asked for, or when no pair occurs twice. The same text gives the same
 * merges everywhere.
 */
#ifndef GLASSHOUSE_BPE_LEARN_H
#define GLASSHOUSE_BPE_LEARN_H

#include "text/bpe.h"

/* Learns a vocabulary of at most `size` tokens into `b`, whose arrays come from `memory`, opened
 * here (the caller closes it, also after a failure). With `documents` the lines of the text are
 * learned from, without line ends, but for those whose bit is set in `held_out` (NULL: none).
 * What learning itself needs comes from the system and goes back: about 24 bytes for each byte
 * of different words, and 20 for each pair. GPT_E_ALLOCATION. */
int bpe_learn(bpe *b, arena *memory, int size, bool documents, const char *text, size_t bytes,
              const unsigned char *held_out, gpt_error *error);

#endif
