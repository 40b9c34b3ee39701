/* lines.h - splits a text into lines; in a text of documents, each line is a document.
 *
 * A line ends at LF or at the end of the text, and does not include its LF and the CRs before it.
 * Empty lines are skipped, duplicates are kept, and no line is shortened. The program that the
 * preset microgpt reproduces splits its text by the same rule.
 */
#ifndef GLASSHOUSE_LINES_H
#define GLASSHOUSE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct text_line {
    size_t start, length; /* offset of the line in the text, and its length, in bytes */
    size_t next;          /* offset after the line and its LF; 0 before the first line */
} text_line;

/* Finds the next line that is not empty and writes its position to *line, which is zeroed before
 * the first call. False at the end of the text. */
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
