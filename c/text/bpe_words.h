/* bpe_words.h - counts the distinct words of a text, from which a BPE is learned.
 *
 * Owns: the words in order of their first occurrence, and their counts. Invariant: the distinct
 * words have at most WORDS_BYTES_MAX bytes in all. A new word that would exceed this limit is
 * ignored; words already in the list are still counted.
 */
#ifndef GLASSHOUSE_BPE_WORDS_H
#define GLASSHOUSE_BPE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { WORDS_BYTES_MAX = 8 << 20 }; /* 8 MiB */

typedef struct counted_word {
    const unsigned char *bytes; /* borrowed from the text */
    uint32_t length, count;     /* bytes of the word; its occurrences in the text */
} counted_word;

typedef struct word_list {
    counted_word *words; /* owned */
    uint32_t *slots;     /* owned; open addressing: index + 1 into words, 0 if free */
    size_t count, slot_count;
    size_t bytes; /* total length of the distinct words */
} word_list;

/* Counts the words of a text, or with `documents` the words of its lines; lines whose bit is set in
 * the bitmap `held_out`, which are kept apart for validation, are skipped (NULL: no line is
 * skipped). The words point into the text, which is borrowed. words_close frees the list, also
 * after a failure. Errors: GPT_E_ALLOCATION. */
int words_open(word_list *list, bool documents, const char *text, size_t bytes,
               const unsigned char *held_out, gpt_error *error);
void words_close(word_list *list);

#endif
