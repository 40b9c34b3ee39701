/* base_rate.h - lengths of the matches that a new text has with the training text by chance.
 *
 * Measures, at every character of the held-out text (kept apart for validation), the length of the
 * longest match with the training text. If nothing is held out, measures every line of the training
 * text, and ignores matches that begin in that line. Also counts the measured lines that are equal
 * to a line of the training text, other than themselves. A match of generated text with the
 * training text suggests copying only if it is longer than these matches.
 */
#ifndef GLASSHOUSE_BASE_RATE_H
#define GLASSHOUSE_BASE_RATE_H

#include "train/text_matches.h"

/* BASE_RATE_BYTES: lines that begin after this many bytes are not measured. BASE_RATE_LENGTH_MAX:
 * longer matches count with this length, in characters. */
enum { BASE_RATE_BYTES = 1 << 20, BASE_RATE_LENGTH_MAX = 1 << 16 };

typedef struct base_rate {
    const training_index *index; /* borrowed */
    /* The first BASE_RATE_BYTES bytes of the held-out text; owned (malloc); NULL if nothing is held
     * out. */
    unsigned char *held_out;
    const unsigned char *text; /* the measured text: held_out, or the training text */
    size_t size, at;           /* bytes of `text`; offset of the next line in `text` */
    bool reading;              /* true while a line is measured */
    text_reader reader;        /* position in the measured line, and the longest match there */
    /* The longest match at the position of `reader` ends before byte match_end of the line;
     * match_characters is the number of characters that begin in it. */
    uint32_t match_end, match_characters;
    /* Number of matches of each length in characters. Owned; length: BASE_RATE_LENGTH_MAX + 1. */
    uint64_t *counts;
    /* Number of matches, number of measured lines, and number of measured lines that are equal to a
     * line of the training text, other than themselves. */
    uint64_t matches, lines, recurring;
    /* Number of texts that can match each other: the lines so far that are not blank, plus 1 for
     * all text after BASE_RATE_BYTES, if there is any. Always 2 if a part is held out: that part
     * and the training text. Below 2, base_rate_characters is NaN. */
    uint64_t others;
    bool ready; /* true when all text is measured */
} base_rate;

/* Opens a measurement over the index `from`, which must be ready (training_index_is_ready) and
 * outlive `b`. base_rate_close frees its memory; a zeroed measurement may be closed. Errors:
 * GPT_E_ALLOCATION. */
int base_rate_open(base_rate *b, const training_index *from, gpt_error *error);
void base_rate_close(base_rate *b);

/* Continues the measurement for some milliseconds. Returns GPT_OK while text remains, GPT_END when
 * all text is measured. */
int base_rate_step(base_rate *b);

/* The length in characters that 95 % of the matches do not exceed. NaN before all text is measured,
 * and if the text is a single line of which nothing is held out: that line has no other text to
 * match. */
double base_rate_characters(const base_rate *b);

/* The share, 0 to 1, of measured lines that are equal to a line of the training text (to another
 * line of it, if nothing is held out). 0 if sequences are not documents. */
double base_rate_lines(const base_rate *b);

#endif
