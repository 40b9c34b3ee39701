/* text_index.h - where anything stands in a text: its suffixes in sorted order, and searches there.
 *
 * Owns: the suffix array of a sequence of bytes or of token ids (suffix_array.h), and the searches
 * on it (Manber and Myers, "Suffix Arrays", 1993). A *span* is a range of the array: all suffixes
 * that begin with the same symbols. Its size is how often these occur, so that a count of anything
 * is two binary searches away.
 * Memory: 4 bytes a symbol beside the sequence, which it borrows.
 */
#ifndef GLASSHOUSE_TEXT_INDEX_H
#define GLASSHOUSE_TEXT_INDEX_H

#include "base/arena.h"
#include "text/suffix_array.h"

enum { TEXT_INDEX_NOWHERE = -1 }; /* in place of a symbol: none that the sequence can have */

typedef struct text_span {
    uint32_t from, to; /* of the array */
} text_span;

/* A part of the text that begins at `place`, and how long it is. */
typedef struct text_match {
    uint32_t length, place;
} text_match;

typedef struct text_index {
    symbols text;
    uint32_t end;              /* symbols of the text that count, from its beginning */
    const unsigned char *kept; /* a bit for each position that counts; NULL: all. Borrows */
    int gap;                   /* the highest symbol where it stands for what was cut out; or -1 */
    arena memory;
    uint32_t *suffixes; /* positions, in the order of what begins there */
    uint32_t count;     /* of them */
    suffix_builder build;
    uint32_t read, written; /* of the array, while positions that do not count are left out */
    bool ready;
} text_index;

static inline bool text_index_is_kept(const unsigned char *kept, uint32_t at) {
    return !kept || (kept[at / 8] >> at % 8 & 1);
}

/* Prepares an index of the first `end` symbols of a text, all below `kinds`. With `kept`, what
 * begins at a position whose bit is not set is not found. `gap`: kinds - 1 or -1, see above.
 * GPT_E_ALLOCATION. */
int text_index_open(text_index *x, symbols text, uint32_t end, uint32_t kinds,
                    const unsigned char *kept, int gap, gpt_error *error);
void text_index_close(text_index *x);

/* Builds a part of it: GPT_OK, or GPT_END when it is ready to be asked. GPT_E_ALLOCATION. */
int text_index_step(text_index *x, gpt_error *error);

/* From 0 to 1. */
double text_index_progress(const text_index *x);

/* Bytes held now: the array, and what building needs beside it. */
uint64_t text_index_bytes(const text_index *x);

/* All suffixes. */
static inline text_span text_index_all(const text_index *x) {
    return (text_span){0, x->count};
}

/* The suffixes of `span`, which all begin with the same `depth` symbols, that go on with `symbol`.
 * Logarithmic in the span. */
text_span text_index_narrow(const text_index *x, text_span span, uint32_t depth, int symbol);

/* The suffixes of `span` that go on with the same symbol as its first one: the next group of those
 * that follow. `span` must be empty or from text_index_followed. */
text_span text_index_group(const text_index *x, text_span span, uint32_t depth);

/* `span` without the suffixes that end or have a gap after `depth` symbols: nothing follows
 * there. */
text_span text_index_followed(const text_index *x, text_span span, uint32_t depth);

/* The suffixes that begin with `count` bytes. */
text_span text_index_find(const text_index *x, const unsigned char *bytes, size_t count);

/* The longest beginning of `count` bytes that stands in a text of bytes, and one place of it; none
 * that begins at a position of `without`. `known` saves comparing again: at its place exactly its
 * length of the bytes stand (length 0: nothing is known). */
text_match text_index_longest(const text_index *x, const unsigned char *bytes, uint32_t count,
                              text_match known, text_span without);

#endif
