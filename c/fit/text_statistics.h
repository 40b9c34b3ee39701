/* text_statistics.h - counts that describe the shape of a text.
 *
 * Counts characters and lines, the lengths of lines, and how lines begin and end; fit.c draws the
 * conclusions. Invariant: one pass, linear in the bytes, with no memory but a bitmap of characters.
 */
#ifndef GLASSHOUSE_TEXT_STATISTICS_H
#define GLASSHOUSE_TEXT_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* Lines of at least this many characters share one counter of text_statistics.length. */
enum { LINE_LENGTHS = 1024 };

/* Counts of lines, by how the lines begin or end. */
typedef struct line_marks {
    uint64_t sentence_ends;  /* lines that end with a full stop or another end of a sentence */
    uint64_t open_ends;      /* lines that end with a comma, colon, semicolon, dash or hyphen */
    uint64_t code_ends;      /* lines that end with a brace, parenthesis, semicolon or > */
    uint64_t indented;       /* lines that begin with a space or a tab */
    uint64_t records;        /* lines that begin with { and end with } */
    uint64_t speakers;       /* lines that begin with a speaker's name or a date and a name */
    uint64_t dated_speakers; /* lines of `speakers`: date or time, and more than a name */
    uint64_t named;          /* lines of `speakers` without a date, as in "Ada: hi" */
    uint64_t turns;          /* lines of `named` by another speaker than the previous one */
    uint64_t answers;        /* lines of `named` by one of the last two speakers */
    uint64_t fields;         /* lines whose second byte is a colon, as in headers of ABC tunes */
    uint64_t stamps;         /* lines that begin with a date or time */
} line_marks;

/* Counts of a text. A line ends with a line feed and the carriage returns before it. A line of only
 * spaces and tabs is blank: it counts in `blank_lines` and in no other count of lines. */
typedef struct text_statistics {
    uint64_t bytes, characters; /* characters: code points, and each byte that is not UTF-8 */
    uint64_t line_breaks;       /* line feeds, and carriage returns at the ends of lines */
    uint64_t distinct;          /* different characters; all line breaks count as one character */
    uint64_t beyond_ascii;      /* characters above U+007F */
    uint64_t lines, blank_lines;
    uint64_t words;           /* three characters of a script without spaces count as one word */
    uint64_t longest;         /* characters of the longest line */
    uint64_t same_separators; /* lines with as many commas (2+) or tabs (1+) as the first */
    line_marks marks;
    uint64_t
        length[LINE_LENGTHS + 1]; /* [n]: lines of n characters; last entry: all longer lines */
} text_statistics;

/* Counts a text in one pass. GPT_OK or GPT_E_ALLOCATION (a bitmap of 136 KiB is allocated). */
int text_statistics_read(text_statistics *s, const char *text, size_t bytes);

/* Returns how many characters of all lines come after the first `most` of their line; `most` <
 * LINE_LENGTHS. An upper bound: each line of LINE_LENGTHS characters or more counts with the length
 * of the longest line. */
uint64_t text_statistics_beyond(const text_statistics *s, int most);

/* Returns the count of lines of more than `most` characters; `most` < LINE_LENGTHS. */
uint64_t text_statistics_longer(const text_statistics *s, int most);

#endif
