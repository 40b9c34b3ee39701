/* suffix_array.h - the suffixes of a sequence in sorted order, built in linear time and in steps.
 *
 * Owns: SA-IS (Nong, Zhang and Chan, "Linear Suffix Array Construction by Almost Pure
 * Induced-Sorting", 2009) without recursion, and its buckets. The array itself is the caller's.
 * A suffix that ends first comes first, as if a symbol smaller than all others ended the sequence.
 * Memory beside the array: one number for each kind of symbol, and at most 2 bytes for each symbol
 * of the sequence, which only unusual texts need.
 */
#ifndef GLASSHOUSE_SUFFIX_ARRAY_H
#define GLASSHOUSE_SUFFIX_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/status.h"

/* The most symbols: positions are 32-bit numbers, one of which means "empty". */
enum { SUFFIXES_MAX = 0x7FFFFFFF };

/* A sequence of symbols of 1, 2 or 4 bytes each. Borrows. */
typedef struct symbols {
    const void *at;
    int width;
} symbols;

static inline uint32_t symbol_at(symbols s, uint32_t i) {
    return s.width == 1   ? ((const uint8_t *)s.at)[i]
           : s.width == 2 ? ((const uint16_t *)s.at)[i]
                          : ((const uint32_t *)s.at)[i];
}

/* One sequence to sort. Below the first, a symbol is the rank of a piece of the sequence above. */
typedef struct suffix_level {
    symbols text;
    uint32_t count, kinds; /* symbols; every one is below `kinds` */
    uint32_t pieces;       /* LMS substrings, each from one valley of the sequence to the next */
} suffix_level;

enum { SUFFIX_LEVELS = 32 }; /* each has at most half of the symbols of the one above */

typedef struct suffix_builder {
    uint32_t *array; /* (count) borrows */
    suffix_level levels[SUFFIX_LEVELS];
    int level, phase;
    bool ready;
    uint32_t at;      /* positions of the phase that are done */
    uint32_t to;      /* where the phase writes next */
    uint32_t names;   /* different pieces so far */
    uint32_t last;    /* start of the piece that was visited last, or its length */
    bool rising;      /* type of the suffix that was visited last: smaller than its successor */
    uint32_t *bucket; /* (kinds) of this level; in `array`, or `own` */
    uint32_t *own;    /* owns */
    uint64_t own_bytes;
    uint64_t done, total; /* positions visited, of at most this many */
} suffix_builder;

/* Prepares to sort the suffixes of `count` <= SUFFIXES_MAX symbols, all below `kinds`, into
 * `array` (count). Allocates nothing yet. */
void suffix_open(suffix_builder *b, symbols text, uint32_t count, uint32_t kinds, uint32_t *array);

/* Does a part of the work, some milliseconds: GPT_OK, or GPT_END when the array is sorted.
 * GPT_E_ALLOCATION: can be called again. */
int suffix_step(suffix_builder *b, gpt_error *error);

/* From 0 to 1; never falls. */
double suffix_progress(const suffix_builder *b);

/* Frees the buckets. A zeroed builder may be closed. */
void suffix_close(suffix_builder *b);

#endif
