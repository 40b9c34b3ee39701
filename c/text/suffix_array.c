/* suffix_array.c - see suffix_array.h.
 *
 * A suffix is *falling* if it is greater than its successor (the suffix one symbol later), else
 * *rising*; a rising one after a falling one is a *valley* (LMS in the paper). Among suffixes with
 * the same first symbol, the falling ones come first. If the valleys are sorted, one pass upwards
 * sorts the falling suffixes (each is placed by its successor) and one pass downwards the rising
 * ones. To sort the valleys, the same two passes sort the pieces between them; equal pieces get
 * equal names, and the sequence of names is sorted the same way, one level down, unless all names
 * differ. */
#include "text/suffix_array.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t EMPTY = UINT32_MAX;
enum { STEP_POSITIONS = 1 << 17 };

static suffix_level *level_of(suffix_builder *b) {
    return &b->levels[b->level];
}

/* ---- Buckets: where the suffixes that begin with a symbol lie -------------------------------- */

/* Makes room for the buckets of this level. Below the first level the middle of the array is free:
 * its beginning and its end hold the pieces and their names. */
static int take_buckets(suffix_builder *b, gpt_error *error) {
    const suffix_level *first = &b->levels[0];
    uint32_t kinds = level_of(b)->kinds;
    if (b->level && kinds <= first->count - 2 * first->pieces) {
        b->bucket = b->array + first->pieces;
        return GPT_OK;
    }
    uint64_t bytes = (uint64_t)kinds * sizeof *b->own;
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

static void count_symbols(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    if (from == 0) {
        memset(b->bucket, 0, l->kinds * sizeof *b->bucket);
    }
    for (uint32_t i = from; i < to; i++) {
        b->bucket[symbol_at(l->text, i)]++;
    }
}

/* Each bucket becomes the place of its first suffix. */
static void count_to_starts(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    count_symbols(b, from, to);
    uint32_t sum = 0;
    for (uint32_t k = 0; to == l->count && k < l->kinds; k++) {
        uint32_t size = b->bucket[k];
        b->bucket[k] = sum;
        sum += size;
    }
}

/* Each bucket becomes the place behind its last suffix. */
static void count_to_ends(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    count_symbols(b, from, to);
    uint32_t sum = 0;
    for (uint32_t k = 0; to == l->count && k < l->kinds; k++) {
        sum += b->bucket[k];
        b->bucket[k] = sum;
    }
}

/* ---- Induced sorting ------------------------------------------------------------------------- */

/* Visits position `i` after i + 1 (first count - 1): is it a valley? */
static bool visit_down(suffix_builder *b, const suffix_level *l, uint32_t i) {
    uint32_t symbol = symbol_at(l->text, i);
    uint32_t next = i + 1 < l->count ? symbol_at(l->text, i + 1) : 0;
    b->rising = i + 1 < l->count && (symbol < next || (symbol == next && b->rising));
    return b->rising && i > 0 && symbol_at(l->text, i - 1) > symbol;
}

/* Empties the array behind the pieces (all of it before they are known). */
static void clear(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t i = from > l->pieces ? from : l->pieces; i < to; i++) {
        b->array[i] = EMPTY;
    }
}

/* Puts the valleys into their buckets, in any order. */
static void place_valleys(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (visit_down(b, l, i)) {
            b->array[--b->bucket[symbol_at(l->text, i)]] = i;
        }
    }
}

/* Upwards: every suffix that stands in the array places its predecessor if that one is falling. */
static void induce_falling(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    symbols text = l->text;
    uint32_t *array = b->array, *bucket = b->bucket, count = l->count;
    if (from == 0) {
        array[bucket[symbol_at(text, count - 1)]++] = count - 1;
    }
    for (uint32_t i = from; i < to; i++) {
        uint32_t before = array[i] - 1; // neither for an empty place nor for position 0
        if (before < count) {
            uint32_t symbol = symbol_at(text, before);
            if (symbol >= symbol_at(text, before + 1)) {
                array[bucket[symbol]++] = before;
            }
        }
    }
}

/* Downwards: the same for rising predecessors. With equal symbols the predecessor is rising if the
 * suffix itself is, that is if it lies where this pass has filled its bucket. */
static void induce_rising(suffix_builder *b, uint32_t from, uint32_t to) {
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

/* ---- Names of pieces ------------------------------------------------------------------------- */

/* Moves the valleys, which are sorted by their pieces now, to the front. */
static void gather_pieces(suffix_builder *b, uint32_t from, uint32_t to) {
    suffix_level *l = level_of(b);
    for (uint32_t i = from; i < to; i++) {
        uint32_t at = b->array[i], before = at - 1;
        if (before < l->count && symbol_at(l->text, before) > symbol_at(l->text, at) &&
            i >= b->bucket[symbol_at(l->text, at)]) {
            b->array[l->pieces++] = at;
        }
    }
}

/* The place of what is known of the piece at `at`: valleys are at least two apart. */
static uint32_t *piece_at(suffix_builder *b, uint32_t at) {
    return &b->array[level_of(b)->pieces + at / 2];
}

/* Notes the length of each piece, the next valley included; 0 for the last, which no other piece
 * equals. */
static void measure_pieces(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->last = from == 0 ? 0 : b->last;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (visit_down(b, l, i)) {
            *piece_at(b, i) = b->last ? b->last - i + 1 : 0;
            b->last = i;
        }
    }
}

static bool same_piece(symbols text, uint32_t a, uint32_t b, uint32_t length) {
    const char *bytes = text.at;
    size_t width = (size_t)text.width;
    return memcmp(bytes + a * width, bytes + b * width, length * width) == 0;
}

/* Replaces the lengths by names, which rise with the pieces. */
static void name_pieces(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->names = from == 0 ? 0 : b->names;
    for (uint32_t k = from; k < to; k++) {
        uint32_t at = b->array[k], length = *piece_at(b, at);
        bool same = k > 0 && length && length == b->last &&
                    same_piece(l->text, at, b->array[k - 1], length);
        b->names += !same;
        b->last = length;
        *piece_at(b, at) = b->names - 1;
    }
}

/* Moves the names, in the order of the text, to the end of the array. */
static void gather_names(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->to = from == 0 ? l->count : b->to;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (i >= l->pieces && b->array[i] != EMPTY) {
            b->array[--b->to] = b->array[i];
        }
    }
}

/* ---- From sorted names to sorted suffixes ---------------------------------------------------- */

/* Writes the valleys, in the order of the text, over their names. */
static void list_valleys(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    b->to = from == 0 ? l->count : b->to;
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->count - 1 - k;
        if (visit_down(b, l, i)) {
            b->array[--b->to] = i;
        }
    }
}

/* The level below sorted numbers of pieces: makes them valleys. */
static void number_to_valley(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t i = from; i < to; i++) {
        b->array[i] = b->array[l->count - l->pieces + b->array[i]];
    }
}

/* Puts the sorted valleys into their buckets. */
static void place_sorted(suffix_builder *b, uint32_t from, uint32_t to) {
    const suffix_level *l = level_of(b);
    for (uint32_t k = from; k < to; k++) {
        uint32_t i = l->pieces - 1 - k, at = b->array[i];
        b->array[i] = EMPTY;
        b->array[--b->bucket[symbol_at(l->text, at)]] = at;
    }
}

/* ---- The phases of a level ------------------------------------------------------------------- */

/* Each phase visits all positions of the level, or all pieces, a part at a time. */
static const struct {
    void (*visit)(suffix_builder *b, uint32_t from, uint32_t to);
    bool pieces;
} PHASES[] = {
    {clear, false},           {count_to_ends, false},   {place_valleys, false},
    {count_to_starts, false}, {induce_falling, false},  {count_to_ends, false},
    {induce_rising, false},   {gather_pieces, false},   {clear, false},
    {measure_pieces, false},  {name_pieces, true},      {gather_names, false},
    {list_valleys, false},    {number_to_valley, true}, {clear, false},
    {count_to_ends, false},   {place_sorted, true},     {count_to_starts, false},
    {induce_falling, false},  {count_to_ends, false},   {induce_rising, false},
};
enum { NAMED = 10, DOWN = 11, UP = 12, SORTED = 14, PHASE_COUNT = sizeof PHASES / sizeof *PHASES };

/* Goes to the next phase: down a level behind the names, up a level behind the last phase. */
static void next_phase(suffix_builder *b) {
    suffix_level *l = level_of(b);
    uint64_t below = (uint64_t)PHASE_COUNT * l->count; // counted for the levels below this one
    if (b->phase == NAMED) {
        bool sorted = b->names == l->pieces;
        b->phase = sorted ? SORTED : DOWN;
        b->total -= below - (sorted ? 0 : (uint64_t)2 * PHASE_COUNT * l->pieces);
    } else if (b->phase == DOWN) {
        l[1] = (suffix_level){
            {b->array + l->count - l->pieces, sizeof *b->array}, l->pieces, b->names, 0};
        b->level++;
        b->phase = 0;
    } else if (++b->phase == PHASE_COUNT) {
        b->ready = b->level == 0;
        b->level -= !b->ready;
        b->phase = UP;
    }
}

void suffix_open(suffix_builder *b, symbols text, uint32_t count, uint32_t kinds, uint32_t *array) {
    memset(b, 0, sizeof *b);
    b->array = array;
    b->levels[0] = (suffix_level){text, count, kinds, 0};
    b->ready = count == 0;
    b->total = (uint64_t)2 * PHASE_COUNT * count;
}

int suffix_step(suffix_builder *b, gpt_error *error) {
    if (b->ready) {
        return GPT_END;
    }
    int status = take_buckets(b, error);
    if (status < 0) {
        return status;
    }
    const suffix_level *l = level_of(b);
    uint32_t length = PHASES[b->phase].pieces ? l->pieces : l->count;
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
