/* text_statistics.h - what one reading of a text tells about its shape.
 *
 * Owns: counts of characters and lines, how long the lines are, how they begin and end. It judges
 * nothing: fit.c does. One pass, no memory beside its table of characters, linear in the bytes.
 */
#ifndef GLASSHOUSE_TEXT_STATISTICS_H
#define GLASSHOUSE_TEXT_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* Lines of at least this many characters are counted together. */
enum { LINE_LENGTHS = 1024 };

/* What a line begins or ends with. */
typedef struct line_marks {
    uint64_t sentence_ends;  /* ends with a full stop or another mark that ends a sentence */
    uint64_t open_ends;      /* ends with a comma, colon, semicolon, dash or hyphen */
    uint64_t code_ends;      /* ends with a brace, parenthesis, semicolon or > */
    uint64_t indented;       /* begins with a space or a tab */
    uint64_t records;        /* begins with { and ends with } */
    uint64_t speakers;       /* says who speaks, perhaps behind a date and time */
    uint64_t dated_speakers; /* of these: with date and time, and a name that is told from them */
    uint64_t named;          /* of these: a name alone, as in "Ada: hi", and no number behind it */
    uint64_t turns;          /* of these: of another name than the one before */
    uint64_t answers;        /* of these: of one of the two who spoke last */
    uint64_t fields;         /* begins with one letter and a colon, as the heads of ABC tunes do */
    uint64_t stamps;         /* begins with a date or time */
} line_marks;

/* Counts of a text. Lines are those of base/lines.h: empty ones are no lines. */
typedef struct text_statistics {
    uint64_t bytes,
        characters;        /* characters: code points; a byte that is not UTF-8 counts as one */
    uint64_t line_breaks;  /* characters that end a line */
    uint64_t distinct;     /* different characters */
    uint64_t beyond_ascii; /* characters above U+007F */
    uint64_t lines, blank_lines;
    uint64_t words;   /* within lines; three characters of a script without spaces count as one */
    uint64_t longest; /* characters of the longest line */
    uint64_t
        same_separators; /* lines with as many commas (or tabs) as the first line, at least two */
    line_marks marks;
    uint64_t length[LINE_LENGTHS + 1]; /* lines of this many characters */
} text_statistics;

/* Reads `text` once. GPT_E_ALLOCATION (the table of characters takes 136 kB). */
int text_statistics_read(text_statistics *s, const char *text, size_t bytes);

/* Characters that lie beyond the first `most` of their line, over all lines. `most` <
 * LINE_LENGTHS. */
uint64_t text_statistics_beyond(const text_statistics *s, int most);

/* Lines of more than `most` characters. `most` < LINE_LENGTHS. */
uint64_t text_statistics_longer(const text_statistics *s, int most);

#endif
