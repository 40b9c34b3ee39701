/* json.h - reading JSON that may be hostile: a pull parser without recursion or allocation.
 *
 * Owns: one token at a time from a byte range, checked against RFC 8259. The caller walks: it asks
 * for the next token and decides what it means. Invariant: never reads outside the range, never
 * nests deeper than JSON_DEPTH, and after the first error answers only JSON_ERROR.
 */
#ifndef GLASSHOUSE_JSON_H
#define GLASSHOUSE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 64 };

typedef enum json_type {
    JSON_ERROR,
    JSON_END, /* after the one value of the text */
    JSON_OBJECT_START,
    JSON_OBJECT_END,
    JSON_ARRAY_START,
    JSON_ARRAY_END,
    JSON_KEY, /* a member's name; its value follows */
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
} json_type;

typedef struct json_reader {
    const char *text; /* borrows */
    size_t length, at;
    int depth;
    uint64_t arrays;   /* bit d: level d is an array, else an object */
    int expect;        /* private: what may come next */
    json_type type;    /* of the current token */
    const char *start; /* its bytes: of strings and keys without the quotes, escapes as written */
    size_t size;
} json_reader;

/* A reader at the start of `text`. */
json_reader json_open(const char *text, size_t length);

/* Moves to the next token and answers its type. */
json_type json_next(json_reader *r);

/* Skips the value that the current token starts (for a key: the value after it); false on an
 * error. */
bool json_skip(json_reader *r);

/* The current string or key is exactly `text` (compared after unescaping). */
bool json_is(const json_reader *r, const char *text);

/* The current string or key as UTF-8 into `out` (unescaped; a lone surrogate as U+FFFD); returns
 * its length, which may exceed `capacity`: then `out` holds a part. Not NUL-terminated. */
size_t json_string(const json_reader *r, char *out, size_t capacity);

/* The current number as a double: the nearest one for up to 15 digits and 22 decades; otherwise
 * within an ulp, and half an ulp more for every further 22 decades. */
double json_number(const json_reader *r);

#endif
