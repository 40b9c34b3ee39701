/* text_index.h - a full-text index: the suffix array of a text, and searches on it.
 *
 * Owns: the suffix array (suffix_array.h) of a sequence of bytes or of token ids, and its searches
 * (Manber and Myers, "Suffix Arrays", 1993). A "span" is a range of the array: all suffixes that
 * begin with the same symbols. The size of a span is the number of occurrences of these symbols, so
 * a count takes two binary searches per symbol. Memory: 4 bytes per symbol beside the sequence,
 * which is borrowed.
 */
#ifndef GLASSHOUSE_TEXT_INDEX_H
#define GLASSHOUSE_TEXT_INDEX_H

#include "base/arena.h"
#include "text/suffix_array.h"

enum { TEXT_INDEX_NOWHERE = -1 }; /* used as a symbol that occurs nowhere in the text */

typedef struct text_span {
    uint32_t from, to; /* indices of the suffix array; `to` is excluded */
} text_span;

/* `length` symbols of the text from position `place`. */
typedef struct text_match {
    uint32_t length, place;
} text_match;

typedef struct text_index {
    symbols text;
    uint32_t end; /* only the first `end` symbols are indexed */
    /* Bitmap of the positions whose suffixes are indexed; NULL: all are indexed. Borrowed. */
    const unsigned char *kept;
    /* The gap symbol, which replaces text that training never reads (left out): the highest symbol,
     * alphabet_size - 1; -1: the text has no gaps. */
    int gap;
    arena memory;
    uint32_t *suffixes; /* the suffix array: positions of the sorted suffixes; length: count */
    uint32_t count;     /* number of suffixes; 0 until ready */
    suffix_builder build;
    uint32_t read, written; /* number of entries that filter() read; number that it kept */
    bool ready;
} text_index;

/* Returns whether the suffix at position `at` is indexed: its bit in `kept`, or true if `kept` is
 * NULL. */
static inline bool text_index_is_kept(const unsigned char *kept, uint32_t at) {
    return !kept || (kept[at / 8] >> at % 8 & 1);
}

/* Prepares an index of the first `end` symbols of a text, each 0 to alphabet_size - 1. Borrows
 * `text` and `kept`, a bitmap of the positions whose suffixes are indexed (NULL: all). `gap` is the
 * symbol in place of text that training never reads; -1: no such symbol. text_index_close frees the
 * index; a zeroed index may be closed. Errors: GPT_E_ALLOCATION. */
int text_index_open(text_index *x, symbols text, uint32_t end, uint32_t alphabet_size,
                    const unsigned char *kept, int gap, gpt_error *error);
void text_index_close(text_index *x);

/* Builds a part of the index, which takes a few milliseconds. Returns GPT_OK while work remains,
 * GPT_END when the functions below may be called. After GPT_E_ALLOCATION the call can be
 * repeated. */
int text_index_step(text_index *x, gpt_error *error);

/* Returns the finished share of building the index, 0 to 1. */
double text_index_progress(const text_index *x);

/* Returns the bytes allocated now: the suffix array and, while it is built, temporary memory. */
uint64_t text_index_bytes(const text_index *x);

/* Returns the span (range of the suffix array) of all suffixes. */
static inline text_span text_index_all(const text_index *x) {
    return (text_span){0, x->count};
}

/* Returns the suffixes of `span` whose symbol at `depth` (counted from 0 at the start of the
 * suffix) is `symbol`; an empty span for TEXT_INDEX_NOWHERE. All suffixes of `span` must begin with
 * the same `depth` symbols. Takes logarithmic time in the size of the span. */
text_span text_index_narrow(const text_index *x, text_span span, uint32_t depth, int symbol);

/* Returns the first group of `span`: all suffixes that have the same symbol at `depth` as the first
 * suffix. `span` must be empty, a result of text_index_followed, or such a result from which the
 * first groups were removed. */
text_span text_index_group(const text_index *x, text_span span, uint32_t depth);

/* Returns `span` without the suffixes that do not continue after their first `depth` symbols: those
 * where the text ends there, or where the gap symbol (left-out text) follows. */
text_span text_index_followed(const text_index *x, text_span span, uint32_t depth);

/* Returns the suffixes that begin with the `count` bytes; the symbols of the text must be bytes. */
text_span text_index_find(const text_index *x, const unsigned char *bytes, size_t count);

/* Finds the longest prefix of the `count` bytes that occurs in the text, whose symbols must be
 * bytes. Ignores occurrences at the positions ignored.from..ignored.to-1. Returns the length of the
 * prefix and the position of one occurrence; length 0: no match. `known` saves comparisons: exactly
 * known.length of the bytes match the text at known.place; length 0: no match is known. */
text_match text_index_longest(const text_index *x, const unsigned char *bytes, uint32_t count,
                              text_match known, text_span ignored);

#endif
