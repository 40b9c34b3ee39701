/* suffix_array.h - builds the suffix array of a sequence, in linear time and in small steps.
 *
 * Owns: SA-IS (Nong, Zhang and Chan, "Linear Suffix Array Construction by Almost Pure
 * Induced-Sorting", 2009) without recursion, and its buckets; the caller owns the array. A suffix
 * that is a prefix of another sorts first, as if a symbol smaller than all others ended the
 * sequence. Memory beside the array: 4 bytes for each value that a symbol can have. Unusual texts
 * need more, at most 2 bytes for each symbol of the sequence.
 */
#ifndef GLASSHOUSE_SUFFIX_ARRAY_H
#define GLASSHOUSE_SUFFIX_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/error.h"

/* Maximal number of symbols. Positions are 32-bit numbers, one of which means "empty". */
enum { SUFFIXES_MAX = 0x7FFFFFFF };

/* A sequence of symbols of 1, 2 or 4 bytes each (`width`), borrowed from the caller. */
typedef struct symbols {
    const void *at;
    int width;
} symbols;

/* Returns symbol `i`, without a bounds check. */
static inline uint32_t symbol_at(symbols s, uint32_t i) {
    return s.width == 1   ? ((const uint8_t *)s.at)[i]
           : s.width == 2 ? ((const uint16_t *)s.at)[i]
                          : ((const uint32_t *)s.at)[i];
}

/* A sequence whose suffixes are sorted. On level 0 it is the text of the caller; on each level
 * below, its symbols are the names (ranks) of the LMS substrings of the level above, which
 * suffix_array.c defines. */
typedef struct suffix_level {
    symbols text;
    uint32_t count, alphabet_size; /* number of symbols; each is 0 to alphabet_size - 1 */
    uint32_t lms_count;            /* number of LMS substrings; 0 until counted */
} suffix_level;

enum { SUFFIX_LEVELS = 32 }; /* each level has at most half the symbols of the level above */

typedef struct suffix_builder {
    uint32_t *array; /* the suffix array; borrowed; length: levels[0].count */
    suffix_level levels[SUFFIX_LEVELS];
    int level, phase; /* current level; current phase, an index of PHASES */
    bool ready;       /* the array is sorted */
    uint32_t at;      /* number of positions that the current phase has visited */
    uint32_t to;      /* index of the entry that gather_names or list_lms wrote last */
    uint32_t names;   /* number of distinct LMS substrings so far */
    /* Start of the last visited LMS substring in measure_substrings, its length in
     * name_substrings. */
    uint32_t last;
    bool s_type; /* the last visited suffix is smaller than the suffix after it (S-type) */
    /* One number per value of a symbol; in `array` or `own`; length: alphabet_size. */
    uint32_t *bucket;
    uint32_t *own; /* owned; memory for `bucket`; NULL until needed */
    uint64_t own_bytes;
    uint64_t done, total; /* positions visited so far; upper bound of visits in all */
} suffix_builder;

/* Prepares to sort the suffixes of `count` <= SUFFIXES_MAX symbols, each 0 to alphabet_size - 1,
 * into `array` (count). Borrows `text` and `array`; allocates nothing. */
void suffix_open(suffix_builder *b, symbols text, uint32_t count, uint32_t alphabet_size,
                 uint32_t *array);

/* Performs a part of the sort, which takes a few milliseconds. Returns GPT_OK while work remains,
 * GPT_END when the array is sorted. After GPT_E_ALLOCATION the state is unchanged and the call can
 * be repeated. */
int suffix_step(suffix_builder *b, gpt_error *error);

/* Returns the finished share of the work, 0 to 1, which never decreases. */
double suffix_progress(const suffix_builder *b);

/* Frees the buckets and zeroes the builder. A zeroed builder may be closed. */
void suffix_close(suffix_builder *b);

#endif
