/* bpe_words.c - see bpe_words.h. */
#include "text/bpe_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lines.h"
#include "text/pretokenizer.h"

enum { SLOTS_FIRST = 1 << 12 };

/* Returns the slot of a word in the hash table, or the free slot in which to insert the word
 * (linear probing). */
static uint32_t *find_slot(const word_list *list, const unsigned char *bytes, size_t length) {
    uint64_t hash = hash_fnv1a((const char *)bytes, length);
    size_t mask = list->slot_count - 1;
    size_t at = (size_t)(hash ^ hash >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *slot = &list->slots[at];
        const counted_word *word = *slot ? &list->words[*slot - 1] : NULL;
        if (!word || (word->length == length && memcmp(word->bytes, bytes, length) == 0)) {
            return slot;
        }
    }
}

/* Doubles the number of slots of the hash table, and allocates `words` for half as many words as
 * slots. Errors: GPT_E_ALLOCATION. */
static int grow(word_list *list, gpt_error *error) {
    size_t slot_count = list->slot_count ? 2 * list->slot_count : SLOTS_FIRST;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    counted_word *words = realloc(list->words, slot_count / 2 * sizeof *words);
    list->words = words ? words : list->words;
    if (!slots || !words) {
        free(slots);
        return gpt_fail_allocation(error, slot_count * sizeof *words);
    }
    free(list->slots);
    list->slots = slots;
    list->slot_count = slot_count;
    for (size_t i = 0; i < list->count; i++) {
        *find_slot(list, list->words[i].bytes, list->words[i].length) = (uint32_t)i + 1;
    }
    return GPT_OK;
}

static int count_words(word_list *list, const unsigned char *text, size_t bytes, gpt_error *error) {
    for (size_t at = 0; at < bytes;) {
        const unsigned char *word = text + at;
        size_t length = pretokenizer_word(word, bytes - at);
        at += length;
        if (list->count * 2 >= list->slot_count) {
            int status = grow(list, error);
            if (status < 0) {
                return status;
            }
        }
        uint32_t *slot = length <= WORDS_BYTES_MAX ? find_slot(list, word, length) : NULL;
        if (slot && *slot) {
            list->words[*slot - 1].count++;
        } else if (slot && list->bytes + length <= WORDS_BYTES_MAX) {
            list->words[list->count] = (counted_word){word, (uint32_t)length, 1};
            *slot = (uint32_t)++list->count;
            list->bytes += length;
        }
    }
    return GPT_OK;
}

int words_open(word_list *list, bool documents, const char *text, size_t bytes,
               const unsigned char *held_out, gpt_error *error) {
    memset(list, 0, sizeof *list);
    if (!documents) {
        return count_words(list, (const unsigned char *)text, bytes, error);
    }
    int status = GPT_OK;
    text_line line = {0};
    for (size_t i = 0; status == GPT_OK && lines_next(text, bytes, &line); i++) {
        if (!held_out || !(held_out[i / 8] >> i % 8 & 1)) {
            const unsigned char *from = (const unsigned char *)text + line.start;
            status = count_words(list, from, line.length, error);
        }
    }
    return status;
}

void words_close(word_list *list) {
    free(list->words);
    free(list->slots);
    memset(list, 0, sizeof *list);
}
