/* bpe_learn.h - learns a BPE vocabulary from a text.
 *
 * Owns: the training of byte-pair encoding (Sennrich, Haddow and Birch, 2016) on the words of
 * GPT-2's pre-tokenizer. Tokens 0 to 255 are the single bytes. Each step makes a token of the most
 * frequent pair of neighbouring tokens; a pair counts once for each occurrence of its word. Ties go
 * to the smallest left id, then to the smallest right id. Pairs of more than TOKEN_BYTES_MAX bytes
 * are skipped. Learning ends at the requested size, or when no pair occurs twice. Invariant: the
 * same text gives the same merges on every platform.
 */
#ifndef GLASSHOUSE_BPE_LEARN_H
#define GLASSHOUSE_BPE_LEARN_H

#include "text/bpe.h"

/* Learns a vocabulary of at most `size` tokens, and at least the 256 bytes, into `b`, whose arrays
 * are allocated in a new arena `memory` (the caller closes it, also after a failure). With
 * `documents`, learns from the lines of the text, without line ends; lines whose bit is set in the
 * bitmap `held_out`, which are kept apart for validation, are skipped (NULL: no line is skipped).
 * Temporary memory comes from malloc: about 24 bytes for each byte of the distinct words, 24 to 48
 * for each distinct pair, and the heap. Errors: GPT_E_ALLOCATION. */
int bpe_learn(bpe *b, arena *memory, int size, bool documents, const char *text, size_t bytes,
              const unsigned char *held_out, gpt_error *error);

#endif
