/* text_runs.h - which parts of a written text stand in a training text.
 *
 * Owns: the longest run that begins at each byte of a written text (matching statistics, Chang and
 * Lawler, "Sublinear Approximate String Matching and Biological Applications", 1994), and the runs
 * that are part of no longer one. Places are bytes of the training text as it was given.
 */
#ifndef GLASSHOUSE_TEXT_RUNS_H
#define GLASSHOUSE_TEXT_RUNS_H

#include "train/training_index.h"

/* Visits a written text byte after byte. */
typedef struct text_reader {
    const training_index *from; /* borrows */
    const unsigned char *text;  /* (count) borrows */
    uint32_t count, at;
    uint32_t line_end;  /* of the line of `at`, or of what has no separator; else `count` */
    text_span without;  /* positions of the index whose matches do not count */
    text_match longest; /* that begins at `at` */
} text_reader;

/* Begins at byte 0; matches that begin at the places from..to-1 do not count. */
text_reader text_reader_open(const training_index *from, const char *text, size_t bytes,
                             text_span without);

/* Goes `bytes` further. */
void text_reader_skip(text_reader *r, uint32_t bytes);

/* The place of the longest match. */
int32_t text_reader_place(const text_reader *r);

typedef struct text_run {
    uint32_t at, bytes; /* of the written text */
    uint32_t place;     /* of the first occurrence in the training text */
    uint32_t count;     /* occurrences */
} text_run;

/* Finds the runs one after the other, between characters. */
typedef struct run_finder {
    text_reader reader;
    uint32_t end, boundary; /* of the run before; the last boundary of characters before its end */
} run_finder;

run_finder run_finder_open(const training_index *from, const char *text, size_t bytes);

/* The next run of at least `least` bytes; false if no other follows. */
bool run_finder_next(run_finder *f, uint32_t least, text_run *run);

/* Places in the caller's array; those that do not fit are only counted. */
typedef struct place_list {
    int32_t *places; /* (capacity) */
    size_t capacity, count;
} place_list;

/* Where a text stands; where lines stand that consist of it (a line begins behind a left-out
 * stretch, too). Neither may contain the separator of the training text. */
void text_places(const training_index *x, const char *text, size_t bytes, place_list *list);
void text_line_places(const training_index *x, const char *line, size_t bytes, place_list *list);

#endif
