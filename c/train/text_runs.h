/* text_runs.h - finds the parts of a query text that occur in a training text.
 *
 * Computes the longest match at each byte of the query (matching statistics, Chang and Lawler,
 * "Sublinear Approximate String Matching and Biological Applications", 1994), the maximal runs
 * (matches that no longer match contains), and all places of a text. A place is the number of a
 * byte of the training text, from 0. Invariant: no match contains the separator of the index.
 */
#ifndef GLASSHOUSE_TEXT_RUNS_H
#define GLASSHOUSE_TEXT_RUNS_H

#include "train/training_index.h"

/* A position in a query text, with the longest match there. */
typedef struct text_reader {
    const training_index *from; /* borrows */
    const unsigned char *text;  /* (count) the query; borrows */
    uint32_t count, at;
    uint32_t line_end;  /* the first separator from `at` on, or `count`: matches end before it */
    text_span without;  /* positions of the index where no match may begin */
    text_match longest; /* at `at`; its place is a position of the index */
} text_reader;

/* Begins at byte 0 of a query of less than 2^32 bytes. `from` must be ready. Matches that begin at
 * the places without.from..without.to-1 do not count. */
text_reader text_reader_open(const training_index *from, const char *text, size_t bytes,
                             text_span without);

/* Advances by `bytes` bytes of the query and finds the longest match there. */
void text_reader_skip(text_reader *r, uint32_t bytes);

/* The place of the longest match; -1 if its length is 0. */
int32_t text_reader_place(const text_reader *r);

typedef struct text_run {
    uint32_t at, bytes; /* first byte and length in the query */
    uint32_t place;     /* of the first occurrence */
    uint32_t count;     /* occurrences in the training text */
} text_run;

/* Iterates over the maximal runs of a query. Runs begin and end between characters. */
typedef struct run_finder {
    text_reader reader;
    uint32_t end, boundary; /* the farthest end of a run so far; see boundary_before */
} run_finder;

/* Begins at byte 0 of the query; arguments as text_reader_open. */
run_finder run_finder_open(const training_index *from, const char *text, size_t bytes);

/* Finds the next maximal run of at least `least` bytes; false after the last. */
bool run_finder_next(run_finder *f, uint32_t least, text_run *run);

/* Places in the caller's array. Places beyond `capacity` are only counted. */
typedef struct place_list {
    int32_t *places; /* (capacity) */
    size_t capacity, count;
} place_list;

/* Add the places where a text occurs, and where a whole line equals it, in no particular order. The
 * text must not be empty or contain the separator of the index. A line begins after a line break
 * and after left-out text. */
void text_places(const training_index *x, const char *text, size_t bytes, place_list *list);
void text_line_places(const training_index *x, const char *line, size_t bytes, place_list *list);

#endif
