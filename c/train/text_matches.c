/* text_matches.c - see text_matches.h. */
#include "train/text_matches.h"

#include <string.h>

#include "base/utf8.h"

/* Sets r->longest to the longest match at r->at. `known` is an earlier result: a match at r->at
 * that cannot be extended at its place; its bytes are not compared again. known.length is 0 if no
 * match is known. */
static void look_up(text_reader *r, text_match known) {
    int separator = r->index->bytes.separator;
    if (separator >= 0 && r->at >= r->line_end) {
        const void *end = memchr(r->text + r->at, separator, r->count - r->at);
        r->line_end = end ? (uint32_t)((const unsigned char *)end - r->text) : r->count;
    }
    r->longest = text_index_longest(&r->index->byte_index, r->text + r->at, r->line_end - r->at,
                                    known, r->ignored);
}

text_reader text_reader_open(const training_index *from, const char *text, size_t bytes,
                             text_span ignored) {
    text_reader r = {.index = from, .text = (const unsigned char *)text, .count = (uint32_t)bytes};
    r.line_end = from->bytes.separator >= 0 ? 0 : r.count;
    r.ignored = (text_span){ignored.from + from->ahead, ignored.to + from->ahead};
    if (bytes) {
        look_up(&r, (text_match){0, 0});
    }
    return r;
}

void text_reader_skip(text_reader *r, uint32_t bytes) {
    text_match known = {0, 0};
    if (r->longest.length > bytes) {
        known = (text_match){r->longest.length - bytes, r->longest.place + bytes};
    }
    r->at += bytes;
    if (r->at < r->count) {
        look_up(r, known);
    }
}

int32_t text_reader_place(const text_reader *r) {
    return r->longest.length ? (int32_t)(r->longest.place - r->index->ahead) : -1;
}

/* ---- Maximal matches ------------------------------------------------------------------------ */

match_finder match_finder_open(const training_index *from, const char *text, size_t bytes) {
    return (match_finder){.reader = text_reader_open(from, text, bytes, (text_span){0, 0})};
}

static uint32_t character_at(const text_reader *r, uint32_t at) {
    return (uint32_t)utf8_next(r->text + at, r->count - at).length;
}

/* Returns the last boundary between two characters of the query at or before byte `end`. `end` must
 * not decrease from call to call: the search continues from the previous result. */
static uint32_t boundary_before(match_finder *f, uint32_t end) {
    for (uint32_t next; f->boundary < end; f->boundary = next) {
        next = f->boundary + character_at(&f->reader, f->boundary);
        if (next > end) {
            break;
        }
    }
    return f->boundary;
}

static uint32_t first_place(const training_index *x, text_span span) {
    uint32_t first = UINT32_MAX;
    for (uint32_t i = span.from; i < span.to; i++) {
        uint32_t place = x->byte_index.suffixes[i];
        first = place < first ? place : first;
    }
    return first - x->ahead;
}

bool match_finder_next(match_finder *f, uint32_t least, maximal_match *match) {
    text_reader *r = &f->reader;
    bool found = false;
    while (r->at < r->count && !found) {
        uint32_t end = boundary_before(f, r->at + r->longest.length);
        found = end > f->end && end - r->at >= least;
        if (found) {
            text_span span = text_index_find(&r->index->byte_index, r->text + r->at, end - r->at);
            *match = (maximal_match){r->at, end - r->at, first_place(r->index, span),
                                     span.to - span.from};
        }
        f->end = end > f->end ? end : f->end;
        text_reader_skip(r, character_at(r, r->at));
    }
    return found;
}

/* ---- Places ---------------------------------------------------------------------------------- */

static void add_place(const training_index *x, uint32_t rank, place_list *list) {
    if (list->count < list->capacity) {
        list->places[list->count] = (int32_t)(x->byte_index.suffixes[rank] - x->ahead);
    }
    list->count++;
}

void text_places(const training_index *x, const char *text, size_t bytes, place_list *list) {
    text_span span = text_index_find(&x->byte_index, (const unsigned char *)text, bytes);
    for (uint32_t i = span.from; i < span.to; i++) {
        add_place(x, i, list);
    }
}

/* Adds the place of suffix `rank` (an index of the suffix array) if the first `bytes` bytes of the
 * suffix are a whole line. */
static void add_line(const training_index *x, uint32_t rank, uint32_t bytes, place_list *list) {
    const unsigned char *text = x->bytes.at;
    uint32_t at = x->byte_index.suffixes[rank], end = at + bytes;
    if ((at == 0 || text[at - 1] == '\n' || text[at - 1] == x->bytes.separator) &&
        (end == x->bytes.count || text[end] == '\n')) {
        add_place(x, rank, list);
    }
}

void text_line_places(const training_index *x, const char *line, size_t bytes, place_list *list) {
    uint32_t length = (uint32_t)bytes;
    text_span all = text_index_find(&x->byte_index, (const unsigned char *)line, bytes);
    text_span followed = text_index_followed(&x->byte_index, all, length);
    // A match at the very end of the training part has no next symbol, so text_index_followed
    // excludes it. It is the first suffix of `all`.
    if (all.from < followed.from) {
        add_line(x, all.from, length, list);
    }
    text_span ends = text_index_narrow(&x->byte_index, followed, length, '\n');
    for (uint32_t i = ends.from; i < ends.to; i++) {
        add_line(x, i, length, list);
    }
}
