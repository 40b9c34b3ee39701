/* base_rate.c - see base_rate.h. */
#include "train/base_rate.h"

#include <stdlib.h>
#include <string.h>

enum { PART_BYTES = 1 << 14, COMMON_PERCENT = 95 };

int base_rate_open(base_rate *b, const training_index *from, gpt_error *error) {
    const unsigned char *text = from->bytes.at;
    memset(b, 0, sizeof *b);
    b->index = from;
    b->counts = calloc(BASE_RATE_LENGTH_MAX + 1, sizeof *b->counts);
    b->held_out = from->held_out ? malloc(BASE_RATE_BYTES) : NULL;
    if (!b->counts || (from->held_out && !b->held_out)) {
        base_rate_close(b);
        return gpt_fail_allocation(error, BASE_RATE_BYTES);
    }
    b->text = b->held_out ? b->held_out : text + from->ahead;
    b->size = b->held_out ? training_index_held_out(from, b->held_out, BASE_RATE_BYTES)
                          : from->bytes.count - from->ahead;
    // a held-out text always has another text to match, the training text
    b->others = b->held_out ? 2 : b->size > BASE_RATE_BYTES;
    return GPT_OK;
}

void base_rate_close(base_rate *b) {
    free(b->held_out);
    free(b->counts);
    memset(b, 0, sizeof *b);
}

static bool continues(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

/* Number of bytes of the line that begins at offset b->at of the measured text, without its line
 * break or separator. The held-out part of a stream counts as one line. */
static size_t line_bytes(const base_rate *b) {
    const unsigned char *from = b->text + b->at;
    size_t left = b->size - b->at;
    if (b->held_out && !b->index->documents) {
        return left;
    }
    int separator = b->index->bytes.separator;
    const unsigned char *end = memchr(from, '\n', left);
    size_t bytes = end ? (size_t)(end - from) : left;
    const unsigned char *gap = separator >= 0 ? memchr(from, separator, bytes) : NULL;
    return gap ? (size_t)(gap - from) : bytes;
}

static void begin_line(base_rate *b) {
    size_t bytes = line_bytes(b);
    const char *line = (const char *)b->text + b->at;
    text_span own = {0, 0};
    if (!b->held_out) {
        own = (text_span){(uint32_t)b->at, (uint32_t)(b->at + bytes)};
        size_t blank = 0;
        while (blank < bytes && (unsigned char)line[blank] <= ' ') {
            blank++;
        }
        b->others += blank < bytes;
    }
    b->at += bytes + 1;
    b->reading = bytes > 0;
    if (!bytes) {
        return;
    }
    if (b->index->documents) {
        place_list places = {NULL, 0, 0};
        text_line_places(b->index, line, bytes, &places);
        b->lines++;
        b->recurring += places.count > (own.to > own.from);
    }
    b->reader = text_reader_open(b->index, line, bytes, own);
    b->match_end = b->match_characters = 0;
}

/* Counts the longest match at the position of b->reader, unless this position is inside a
 * character. First moves b->match_end to the end of this match and updates b->match_characters, the
 * number of characters that begin between the position and that end. */
static void count_match(base_rate *b) {
    const text_reader *r = &b->reader;
    uint32_t end = r->at + r->longest.length;
    if (b->match_end < r->at) {
        b->match_end = r->at;
        b->match_characters = 0;
    }
    while (b->match_end < end) {
        b->match_characters += !continues(r->text[b->match_end++]);
    }
    // Subtracts the characters between the two ends if this match ends before the previous one. In
    // the training text, the previous match can begin just before the measured line and extend into
    // it, but matches that begin in the line are ignored.
    while (b->match_end > end) {
        b->match_characters -= !continues(r->text[--b->match_end]);
    }
    if (continues(r->text[r->at])) {
        return;
    }
    bool cut = end < r->count && continues(r->text[end]);
    uint32_t length = b->match_characters - cut;
    b->counts[length < BASE_RATE_LENGTH_MAX ? length : BASE_RATE_LENGTH_MAX]++;
    b->matches++;
    b->match_characters -= end > r->at;
}

int base_rate_step(base_rate *b) {
    for (int i = 0; i < PART_BYTES && !b->ready; i++) {
        if (!b->reading) {
            b->ready = b->at >= b->size || b->at >= BASE_RATE_BYTES;
            if (!b->ready) {
                begin_line(b);
            }
            continue;
        }
        count_match(b);
        text_reader_skip(&b->reader, 1);
        b->reading = b->reader.at < b->reader.count;
    }
    return b->ready ? GPT_END : GPT_OK;
}

double base_rate_characters(const base_rate *b) {
    uint64_t seen = 0;
    if (!b->ready || b->others < 2) {
        return __builtin_nan("");
    }
    for (int length = 0; length < BASE_RATE_LENGTH_MAX; length++) {
        seen += b->counts[length];
        if (seen * 100 >= b->matches * COMMON_PERCENT) {
            return length;
        }
    }
    return BASE_RATE_LENGTH_MAX;
}

double base_rate_lines(const base_rate *b) {
    return b->lines ? (double)b->recurring / (double)b->lines : 0;
}
