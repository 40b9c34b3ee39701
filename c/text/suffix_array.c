/* suffix_array.c - see suffix_array.h.
 *
 * A suffix is of L-type if it is greater than its successor, the suffix one symbol later, otherwise
 * of S-type. An LMS suffix (leftmost S-type) is an S-type suffix after an L-type suffix. Among
 * suffixes with the same first symbol, the L-types sort first. Once the LMS suffixes are sorted,
 * two passes over the array sort all others: upwards, each suffix places its predecessor if that is
 * of L-type; downwards, if it is of S-type. To sort the LMS suffixes, the same two passes first
 * sort the LMS substrings, which extend from one LMS suffix to the next. Equal substrings get equal
 * names. If all names differ, the LMS suffixes are sorted; otherwise the sequence of names is
 * sorted in the same way, one level down. */
#include "text/suffix_array.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t EMPTY = UINT32_MAX;
enum { STEP_POSITIONS = 1 << 17 };

static suffix_level *level_of(suffix_builder *b) {
    return &b->levels[b->level];
}

/* ---- Buckets: the ranges of suffixes with the same first symbol ------------------------------ */

/* Sets b->bucket to memory for the buckets, one number for each value of a symbol, of the current
 * level: to b->own on level 0 (the text), whose sort uses all of b->array. All deeper levels (names
 * of LMS substrings) use only the first n and the last n entries of b->array, n being the number of
 * LMS substrings of level 0. Their buckets are placed between these entries if there is enough
 * room, otherwise in b->own. Errors: GPT_E_ALLOCATION. */
static int alloc_buckets(suffix_builder *b, gpt_error *error) {
    const suffix_level *first = &b->levels[0];
    uint32_t alphabet_size = level_of(b)->alphabet_size;
    if (b->level && alphabet_size <= first->count - 2 * first->lms_count) {
        b->bucket = b->array + first->lms_count;
        return GPT_OK;
    }
    uint64_t bytes = (uint64_t)alphabet_size * sizeof *b->own;
    if (bytes > b->own_bytes) {
        free(b->own);
        b->own = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
        b->own_bytes = b->own ? bytes : 0;
        if (!b->own) {
            return gpt_fail_allocation(error, bytes);
        }
    }
    b->bucket = b->own;
    return GPT_OK;
}

/* Adds the symbols at positions from..to-1 to the counts in b->bucket, one for each value of a
 * symbol. Zeroes the counts first if `from` is 0. */
static void count_symbols(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    if (from == 0) {
        memset(b->bucket, 0, l->alphabet_size * sizeof *b->bucket);
    }
    for (uint32_t i = from; i < to; i++) {
        b->bucket[symbol_at(l->text, i)]++;
    }
}

/* Counts the symbols at positions from..to-1. If `to` is the end of the text, replaces each count
 * by the array index of the first suffix that begins with the symbol. */
static void count_to_starts(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    count_symbols(b, from, to);
    uint32_t sum = 0;
    for (uint32_t k = 0; to == l->count && k < l->alphabet_size; k++) {
        uint32_t size = b->bucket[k];
        b->bucket[k] = sum;
        sum += size;
    }
}

/* Counts the symbols at positions from..to-1. If `to` is the end of the text, replaces each count
 * by the array index after the last suffix that begins with the symbol. */
static void count_to_ends(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    count_symbols(b, from, to);
    uint32_t sum = 0;
    for (uint32_t k = 0; to == l->count && k < l->alphabet_size; k++) {
        sum += b->bucket[k];
        b->bucket[k] = sum;
    }
}

/* ---- Induced sorting ------------------------------------------------------------------------- */

/* Sets b->s_type to whether the suffix at position `i` is of S-type (smaller than the suffix one
 * symbol later). Returns whether it is an LMS suffix (S-type after L-type). b->s_type must be set
 * for position i + 1, so positions are visited in descending order, from count - 1. */
static bool visit_down(suffix_builder *b, const suffix_level *l, uint32_t i) {
    uint32_t symbol = symbol_at(l->text, i);
    uint32_t next = i + 1 < l->count ? symbol_at(l->text, i + 1) : 0;
    b->s_type = i + 1 < l->count && (symbol < next || (symbol == next && b->s_type));
    return b->s_type && i > 0 && symbol_at(l->text, i - 1) > symbol;
}

/* Sets the entries from..to-1 of the array to EMPTY, except the first l->lms_count entries, which
 * are the sorted LMS suffixes; l->lms_count, their number, is 0 until gather_lms has counted
 * them. */
static void clear(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t i = from > l->lms_count ? from : l->lms_count; i < to; i++) {
        b->array[i] = EMPTY;
    }
}

/* Writes the positions of the LMS suffixes to the ends of their buckets, the parts of the array for
 * suffixes with the same first symbol. The order within a bucket is arbitrary. */
static void place_lms(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (visit_down(b, l, i)) {
            b->array[--b->bucket[symbol_at(l->text, i)]] = i;
        }
    }
}

/* Pass upwards: each suffix in the array whose predecessor (the suffix one symbol earlier) is of
 * L-type writes the predecessor to the next free entry from the start of its bucket, the part of
 * the array for suffixes with its first symbol. The last suffix of the text is of L-type too, but
 * is the predecessor of no suffix, so it is written first. */
static void induce_l_types(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    symbols text = l->text;
    uint32_t *array = b->array, *bucket = b->bucket, count = l->count;
    if (from == 0) {
        array[bucket[symbol_at(text, count - 1)]++] = count - 1;
    }
    for (uint32_t i = from; i < to; i++) {
        uint32_t before = array[i] - 1; // neither EMPTY - 1 nor the wrapped 0 - 1 is below count
        if (before < count) {
            uint32_t symbol = symbol_at(text, before);
            if (symbol >= symbol_at(text, before + 1)) {
                array[bucket[symbol]++] = before;
            }
        }
    }
}

/* Pass downwards: each suffix in the array whose predecessor (the suffix one symbol earlier) is of
 * S-type writes the predecessor to the next free entry from the end of its bucket, the part of the
 * array for suffixes with its first symbol. A suffix and a predecessor with the same first symbol
 * have the same type; the suffix is of S-type if this pass has already filled its entry of the
 * bucket. */
static void induce_s_types(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    symbols text = l->text;
    uint32_t *array = b->array, *bucket = b->bucket, count = l->count;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = count - 1 - k, before = array[i] - 1;
        if (before < count) {
            uint32_t symbol = symbol_at(text, before), next = symbol_at(text, before + 1);
            if (symbol < next || (symbol == next && i >= bucket[symbol])) {
                array[--bucket[symbol]] = before;
            }
        }
    }
}

/* ---- Names of LMS substrings ----------------------------------------------------------------- */

/* Moves the LMS suffixes, which are now sorted by their LMS substrings, to the front of the array
 * and counts them in l->lms_count. */
static void gather_lms(suffix_builder *b, uint32_t from, uint32_t to) {
    suffix_level *l = level_of(b);
    for (uint32_t i = from; i < to; i++) {
        uint32_t at = b->array[i], before = at - 1;
        if (before < l->count && symbol_at(l->text, before) > symbol_at(l->text, at) &&
            i >= b->bucket[symbol_at(l->text, at)]) {
            b->array[l->lms_count++] = at;
        }
    }
}

/* Returns the array entry for the length, later the name, of the LMS substring that begins at
 * position `at`. Substrings begin at least two positions apart, so no two share an entry. */
static uint32_t *substring_entry(suffix_builder *b, uint32_t at) {
    return &b->array[level_of(b)->lms_count + at / 2];
}

/* Stores the length of each LMS substring, including the first symbol of the next substring. For
 * the last substring stores 0, because it equals no other substring. */
static void measure_substrings(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->last = from == 0 ? 0 : b->last;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (visit_down(b, l, i)) {
            *substring_entry(b, i) = b->last ? b->last - i + 1 : 0;
            b->last = i;
        }
    }
}

static bool same_substring(symbols text, uint32_t a, uint32_t b, uint32_t length) {
    const char *bytes = text.at;
    size_t width = (size_t)text.width;
    return memcmp(bytes + a * width, bytes + b * width, length * width) == 0;
}

/* Replaces the length of each LMS substring by its name: 0 for the smallest substring, 1 for the
 * next, and so on; equal substrings have equal names. */
static void name_substrings(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->names = from == 0 ? 0 : b->names;
    for (uint32_t k = from; k < to; k++) {
        uint32_t at = b->array[k], length = *substring_entry(b, at);
        bool same = k > 0 && length && length == b->last &&
                    same_substring(l->text, at, b->array[k - 1], length);
        b->names += !same;
        b->last = length;
        *substring_entry(b, at) = b->names - 1;
    }
}

/* Moves the names of the LMS substrings to the end of the array, in the order of the text. */
static void gather_names(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->to = from == 0 ? l->count : b->to;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (i >= l->lms_count && b->array[i] != EMPTY) {
            b->array[--b->to] = b->array[i];
        }
    }
}

/* ---- From sorted names to sorted suffixes ---------------------------------------------------- */

/* Overwrites the names at the end of the array with the positions of the LMS suffixes, in the order
 * of the text. */
static void list_lms(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->to = from == 0 ? l->count : b->to;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (visit_down(b, l, i)) {
            b->array[--b->to] = i;
        }
    }
}

/* Replaces the numbers of the LMS suffixes, which the sort of the names one level down has ordered,
 * by their positions. LMS suffixes are numbered from 0 in the order of the text. */
static void number_to_position(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t i = from; i < to; i++) {
        b->array[i] = b->array[l->count - l->lms_count + b->array[i]];
    }
}

/* Moves the sorted LMS suffixes from the front of the array to the ends of their buckets, the parts
 * of the array for suffixes with the same first symbol. Moves the last LMS suffix first. */
static void place_sorted(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->lms_count - 1 - k, at = b->array[i];
        b->array[i] = EMPTY;
        b->array[--b->bucket[symbol_at(l->text, at)]] = at;
    }
}

/* ---- The phases of sorting one level (a text or the names of LMS substrings) ----------------- */

/* The phases that sort one level, in order. Each phase visits all positions of the level or, if
 * `substrings` is true, all its LMS substrings. Each call of `visit` visits the positions or
 * substrings from..to-1. */
static const struct {
    void (*visit)(suffix_builder *b, uint32_t from, uint32_t to);
    bool substrings;
} PHASES[] = {
    {clear, false},          {count_to_ends, false},
    {place_lms, false},      {count_to_starts, false},
    {induce_l_types, false}, {count_to_ends, false},
    {induce_s_types, false}, {gather_lms, false},
    {clear, false},          {measure_substrings, false},
    {name_substrings, true}, {gather_names, false},
    {list_lms, false},       {number_to_position, true},
    {clear, false},          {count_to_ends, false},
    {place_sorted, true},    {count_to_starts, false},
    {induce_l_types, false}, {count_to_ends, false},
    {induce_s_types, false},
};
enum { NAMED = 10, DOWN = 11, UP = 12, SORTED = 14, PHASE_COUNT = sizeof PHASES / sizeof *PHASES };

/* Moves to the next phase. After name_substrings: skips to the phases that sort all suffixes if all
 * names differ. After gather_names: moves one level down, to sort the names. After the last phase:
 * moves one level up, or ends on level 0. */
static void next_phase(suffix_builder *b) {
    suffix_level *l = level_of(b);
    // the visits on all deeper levels, as b->total (an upper bound of all visits) includes them
    uint64_t below = (uint64_t)PHASE_COUNT * l->count;
    if (b->phase == NAMED) {
        bool sorted = b->names == l->lms_count;
        b->phase = sorted ? SORTED : DOWN;
        b->total -= below - (sorted ? 0 : (uint64_t)2 * PHASE_COUNT * l->lms_count);
    } else if (b->phase == DOWN) {
        l[1] = (suffix_level){
            {b->array + l->count - l->lms_count, sizeof *b->array}, l->lms_count, b->names, 0};
        b->level++;
        b->phase = 0;
    } else if (++b->phase == PHASE_COUNT) {
        b->ready = b->level == 0;
        b->level -= !b->ready;
        b->phase = UP;
    }
}

void suffix_open(suffix_builder *b, symbols text, uint32_t count, uint32_t alphabet_size,
                 uint32_t *array) {
    memset(b, 0, sizeof *b);
    b->array = array;
    b->levels[0] = (suffix_level){text, count, alphabet_size, 0};
    b->ready = count == 0;
    b->total = (uint64_t)2 * PHASE_COUNT * count;
}

int suffix_step(suffix_builder *b, gpt_error *error) {
    if (b->ready) {
        return GPT_END;
    }
    int status = alloc_buckets(b, error);
    if (status < 0) {
        return status;
    }
    const suffix_level *l = level_of(b);
    uint32_t length = PHASES[b->phase].substrings ? l->lms_count : l->count;
    uint32_t end = length - b->at < STEP_POSITIONS ? length : b->at + STEP_POSITIONS;
    PHASES[b->phase].visit(b, b->at, end);
    b->done += end - b->at;
    b->at = end;
    if (end == length) {
        b->at = 0;
        next_phase(b);
    }
    return b->ready ? GPT_END : GPT_OK;
}

double suffix_progress(const suffix_builder *b) {
    return b->ready ? 1 : (double)b->done / (double)b->total;
}

void suffix_close(suffix_builder *b) {
    free(b->own);
    memset(b, 0, sizeof *b);
}
