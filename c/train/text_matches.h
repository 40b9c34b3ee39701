/* text_matches.h - finds matches: the parts of a query text that occur in a training text.
 *
 * Computes the longest match at each byte of the query (matching statistics, Chang and Lawler,
 * "Sublinear Approximate String Matching and Biological Applications", 1994), the maximal matches
 * (not contained in a longer match), and all places where a text occurs. A place is the offset of a
 * byte in the training text. Invariant: no match contains the separator of the index, the symbol
 * between documents or in place of left-out text (which training never reads).
 */
#ifndef GLASSHOUSE_TEXT_MATCHES_H
#define GLASSHOUSE_TEXT_MATCHES_H

#include "train/training_index.h"

/* A position in a query text, with the longest match with the training text that begins there. */
typedef struct text_reader {
    const training_index *index; /* borrowed */
    const unsigned char *text;   /* the query; borrowed; length: count */
    uint32_t count, at;          /* bytes of the query; position of the reader in the query */
    /* Matches end at this position of the query at the latest: the first separator from `at` on;
     * `count` if no separator follows. */
    uint32_t line_end;
    text_span ignored; /* range of positions in the index; matches that begin there are ignored */
    /* The longest match of the query from byte `at` on. longest.place is a position in the indexed
     * bytes, which begin with a separator if sequences are documents; text_reader_place converts it
     * to an offset in the training text. */
    text_match longest;
} text_reader;

/* Returns a reader at byte 0 of the query `text`, of `bytes` < 2^32 bytes. The index `from` must be
 * ready (training_index_is_ready). Ignores matches that begin at the bytes
 * ignored.from..ignored.to-1 of the training text. */
text_reader text_reader_open(const training_index *from, const char *text, size_t bytes,
                             text_span ignored);

/* Advances by `bytes` bytes of the query and finds the longest match there. */
void text_reader_skip(text_reader *r, uint32_t bytes);

/* Returns the offset, in bytes of the training text, of the longest match; -1 if not even one byte
 * matches. */
int32_t text_reader_place(const text_reader *r);

/* A maximal match: a part of the query that occurs in the training text and is not contained in a
 * longer such part. */
typedef struct maximal_match {
    uint32_t at, bytes; /* offset and length in the query, in bytes */
    uint32_t place;     /* offset of its first occurrence in the training text */
    uint32_t count;     /* number of its occurrences in the training text */
} maximal_match;

/* Iterates over the maximal matches of a query, in ascending order. These matches consist of whole
 * characters. */
typedef struct match_finder {
    text_reader reader;
    /* Positions in the query: the largest end of a match so far, and the last result of
     * boundary_before, the end of a character. */
    uint32_t end, boundary;
} match_finder;

/* Returns a match finder at byte 0 of a query. The arguments are as in text_reader_open. */
match_finder match_finder_open(const training_index *from, const char *text, size_t bytes);

/* Sets *match to the next maximal match of at least `least` bytes. Returns false if no such match
 * is left. */
bool match_finder_next(match_finder *f, uint32_t least, maximal_match *match);

/* An array, owned by the caller, for places (offsets in the training text). Places beyond
 * `capacity` are only counted. */
typedef struct place_list {
    int32_t *places; /* length: capacity */
    size_t capacity, count;
} place_list;

/* text_places adds every place where `text` occurs in the training text; text_line_places adds
 * every place where a whole line equals `line`. The order of places is arbitrary. `text` and `line`
 * must not be empty or contain the separator of the index. A line begins after a line break, and
 * after left-out text (which training never reads). */
void text_places(const training_index *x, const char *text, size_t bytes, place_list *list);
void text_line_places(const training_index *x, const char *line, size_t bytes, place_list *list);

#endif
