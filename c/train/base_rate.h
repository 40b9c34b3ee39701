/* base_rate.h - how much of a text that a model has not learned occurs in its training text all the
 * same.
 *
 * Owns: the lengths of the longest runs at every character of the held-out text or, if nothing is
 * held out, of each line of the training text as if that line were left out of it; and how many of
 * those lines occur there once more. A run of a written text says something only if it is longer.
 */
#ifndef GLASSHOUSE_BASE_RATE_H
#define GLASSHOUSE_BASE_RATE_H

#include "train/text_runs.h"

/* Bytes that are measured at most; longer runs are counted with this length. */
enum { BASE_RATE_BYTES = 1 << 20, BASE_RATE_LENGTH_MAX = 1 << 16 };

typedef struct base_rate {
    const training_index *from;       /* borrows */
    unsigned char *held_out;          /* owns (malloc); NULL if nothing is held out */
    const unsigned char *text;        /* what is measured */
    size_t size, at;                  /* its bytes; where the next line begins */
    bool reading;                     /* a line is being measured: */
    text_reader reader;               /* at its next byte */
    uint32_t run_end, run_characters; /* of the longest run at the reader; characters that begin in
                                       * it */
    uint64_t *counts;                 /* (BASE_RATE_LENGTH_MAX + 1) owns: runs of each length */
    uint64_t runs, lines, recurring;
    uint64_t others; /* lines that are not blank, and what lies beyond the measured part */
    bool ready;
} base_rate;

/* Prepares the measurement on a ready index. GPT_E_ALLOCATION. */
int base_rate_open(base_rate *b, const training_index *from, gpt_error *error);
void base_rate_close(base_rate *b);

/* Measures a part, some milliseconds: GPT_OK, or GPT_END when all is measured. */
int base_rate_step(base_rate *b);

/* The length in characters that 95 % of the runs do not exceed. NaN if the text is a single line and
 * nothing is held out: then nothing tells what chance alone gives. */
double base_rate_characters(const base_rate *b);

/* The share of lines that occur in the training text (once more); 0 if sequences are no lines. */
double base_rate_lines(const base_rate *b);

#endif
