/* lines.h - one document a line: the one rule of what a line is.
 *
 * Lines end at LF or at the end of the text; trailing CRs and LFs are no part of them; empty lines
 * are skipped, duplicates kept, nothing is cut (the rule of the program that the microgpt preset
 * repeats).
 */
#ifndef GLASSHOUSE_LINES_H
#define GLASSHOUSE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct text_line {
    size_t start, length; /* the line's bytes within the text */
    size_t next;          /* where to look for the next one; starts at 0 */
} text_line;

/* Moves to the next line that is not empty; false if no more follows. */
static inline bool lines_next(const char *text, size_t bytes, text_line *line) {
    while (line->next < bytes) {
        const char *from = text + line->next;
        const char *end = memchr(from, '\n', bytes - line->next);
        size_t length = end ? (size_t)(end - from) : bytes - line->next;
        line->start = line->next;
        line->next += length + (end ? 1 : 0);
        while (length && text[line->start + length - 1] == '\r') {
            length--;
        }
        line->length = length;
        if (length) {
            return true;
        }
    }
    return false;
}

#endif
