/* text_index.c - see text_index.h. */
#include "text/text_index.h"

#include <string.h>

enum { FILTER_POSITIONS = 1 << 17 };

int text_index_open(text_index *x, symbols text, uint32_t end, uint32_t alphabet_size,
                    const unsigned char *kept, int gap, gpt_error *error) {
    memset(x, 0, sizeof *x);
    x->text = text;
    x->end = end;
    x->kept = kept;
    x->gap = gap;
    int status = arena_open(&x->memory, (uint64_t)end * sizeof *x->suffixes + ARENA_ALIGN, error);
    if (status < 0) {
        return status;
    }
    x->suffixes = arena_alloc(&x->memory, end, sizeof *x->suffixes);
    suffix_open(&x->build, text, end, alphabet_size, x->suffixes);
    return GPT_OK;
}

void text_index_close(text_index *x) {
    suffix_close(&x->build);
    arena_close(&x->memory);
    memset(x, 0, sizeof *x);
}

/* Filters the next part of the suffix array: removes the suffixes whose bit in x->kept is 0. */
static void filter(text_index *x) {
    uint32_t left = x->end - x->read;
    uint32_t to = x->read + (left < FILTER_POSITIONS ? left : FILTER_POSITIONS);
    for (; x->read < to; x->read++) {
        uint32_t at = x->suffixes[x->read];
        if (text_index_is_kept(x->kept, at)) {
            x->suffixes[x->written++] = at;
        }
    }
}

int text_index_step(text_index *x, gpt_error *error) {
    if (x->ready) {
        return GPT_END;
    }
    if (!x->build.ready) {
        int status = suffix_step(&x->build, error);
        if (status != GPT_END) {
            return status;
        }
        suffix_close(&x->build);
        x->build.ready = true;
    }
    if (x->kept) {
        filter(x);
    } else {
        x->read = x->written = x->end;
    }
    x->ready = x->read == x->end;
    x->count = x->ready ? x->written : 0;
    return x->ready ? GPT_END : GPT_OK;
}

double text_index_progress(const text_index *x) {
    return x->ready ? 1 : 0.99 * suffix_progress(&x->build);
}

uint64_t text_index_bytes(const text_index *x) {
    return x->memory.capacity + x->build.own_bytes;
}

/* Returns 1 + the symbol that is `depth` symbols after the start of suffix `rank` (an index of the
 * suffix array); 0 if the suffix ends there. */
static uint32_t ahead(const text_index *x, uint32_t rank, uint32_t depth) {
    uint32_t at = x->suffixes[rank] + depth;
    return at < x->end ? symbol_at(x->text, at) + 1 : 0;
}

/* Binary search in `span`, whose suffixes have the same first `depth` symbols: returns the index of
 * the first suffix whose next symbol plus 1 (ahead) is at least `symbol`, or span.to. */
static uint32_t lower_bound(const text_index *x, text_span span, uint32_t depth, uint32_t symbol) {
    while (span.from < span.to) {
        uint32_t middle = span.from + (span.to - span.from) / 2;
        if (ahead(x, middle, depth) < symbol) {
            span.from = middle + 1;
        } else {
            span.to = middle;
        }
    }
    return span.from;
}

text_span text_index_narrow(const text_index *x, text_span span, uint32_t depth, int symbol) {
    if (symbol < 0) {
        return (text_span){span.from, span.from};
    }
    uint32_t from = lower_bound(x, span, depth, (uint32_t)symbol + 1);
    return (text_span){from,
                       lower_bound(x, (text_span){from, span.to}, depth, (uint32_t)symbol + 2)};
}

text_span text_index_group(const text_index *x, text_span span, uint32_t depth) {
    if (span.from == span.to) {
        return span;
    }
    // galloping search for the end of the group, because most groups are small
    uint32_t symbol = ahead(x, span.from, depth) + 1, low = span.from, step = 1;
    while (step < span.to - low && ahead(x, low + step, depth) < symbol) {
        low += step;
        step *= 2;
    }
    uint32_t high = step < span.to - low ? low + step : span.to;
    return (text_span){span.from, lower_bound(x, (text_span){low, high}, depth, symbol)};
}

text_span text_index_followed(const text_index *x, text_span span, uint32_t depth) {
    span.from += span.from < span.to && !ahead(x, span.from, depth);
    span.to = x->gap < 0 ? span.to : lower_bound(x, span, depth, (uint32_t)x->gap + 1);
    return span;
}

text_span text_index_find(const text_index *x, const unsigned char *bytes, size_t count) {
    text_span span = text_index_all(x);
    for (size_t i = 0; i < count && span.from < span.to; i++) {
        span = text_index_narrow(x, span, (uint32_t)i, bytes[i]);
    }
    return span;
}

/* ---- The longest match ----------------------------------------------------------------------- */

/* Returns the length of the common prefix of `count` bytes and the suffix at position `place`. The
 * first `from` bytes are known to match. */
static uint32_t common(const text_index *x, uint32_t place, const unsigned char *bytes,
                       uint32_t count, uint32_t from) {
    const unsigned char *text = (const unsigned char *)x->text.at + place;
    uint32_t most = x->end - place < count ? x->end - place : count, length = from;
    while (most - length >= 8 && memcmp(text + length, bytes + length, 8) == 0) {
        length += 8;
    }
    while (length < most && text[length] == bytes[length]) {
        length++;
    }
    return length;
}

/* Returns whether the bytes sort after the suffix at position `place`; `length` is the length of
 * their common prefix. */
static bool comes_after(const text_index *x, uint32_t place, const unsigned char *bytes,
                        uint32_t count, uint32_t length) {
    if (length == count) {
        return false;
    }
    const unsigned char *text = x->text.at;
    return place + length == x->end || bytes[length] > text[place + length];
}

static bool within(text_span span, uint32_t at) {
    return at >= span.from && at < span.to;
}

text_match text_index_longest(const text_index *x, const unsigned char *bytes, uint32_t count,
                              text_match known, text_span ignored) {
    // The longest match is at one of the two neighbours of `bytes` in the sorted suffixes. During
    // the binary search, all suffixes between the bounds share at least min(below, above) bytes
    // with `bytes`.
    uint32_t low = 0, high = x->count, below = 0, above = 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, place = x->suffixes[middle];
        uint32_t length = known.length && place == known.place
                              ? known.length
                              : common(x, place, bytes, count, below < above ? below : above);
        if (comes_after(x, place, bytes, count, length)) {
            low = middle + 1;
            below = length;
        } else {
            high = middle;
            above = length;
        }
    }
    uint32_t before = low;
    while (before > 0 && within(ignored, x->suffixes[before - 1])) {
        before--;
    }
    while (high < x->count && within(ignored, x->suffixes[high])) {
        high++;
    }
    text_match match = {0, 0};
    if (before > 0) {
        uint32_t place = x->suffixes[before - 1];
        match = (text_match){before == low ? below : common(x, place, bytes, count, 0), place};
    }
    if (high < x->count) {
        uint32_t place = x->suffixes[high];
        uint32_t length = high == low ? above : common(x, place, bytes, count, 0);
        match = length > match.length ? (text_match){length, place} : match;
    }
    return match;
}
