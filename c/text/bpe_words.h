/* bpe_words.h - the different words of a text and how often each occurs.
 *
 * Owns: counting, in the order in which words first appear. It is all that learning merges needs of
 * a text. Memory is bounded: once the different words together have WORDS_BYTES_MAX bytes, further
 * ones are left out, while those already there go on counting.
 */
#ifndef GLASSHOUSE_BPE_WORDS_H
#define GLASSHOUSE_BPE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { WORDS_BYTES_MAX = 8 << 20 };

typedef struct counted_word {
    const unsigned char *bytes; /* borrows from the text */
    uint32_t length, count;
} counted_word;

typedef struct word_list {
    counted_word *words; /* owns */
    uint32_t *slots;     /* owns; index + 1 into words, 0 where free; open addressing */
    size_t count, slot_count;
    size_t bytes; /* of all different words together */
} word_list;

/* Counts the words of a text, or with `documents` those of its lines, but for the lines whose
 * bit is set in `held_out` (NULL: none). The list borrows the text and is closed by words_close,
 * also after a failure. GPT_E_ALLOCATION. */
int words_open(word_list *list, bool documents, const char *text, size_t bytes,
               const unsigned char *held_out, gpt_error *error);
void words_close(word_list *list);

#endif
