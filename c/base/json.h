/* json.h - a pull parser for JSON from untrusted files, without recursion or allocation.
 *
 * json_next reads one token from a range of bytes and checks it against RFC 8259; the caller calls
 * it again for the next token and decides what each token means.
 * Invariant: the parser never reads outside the range, accepts at most JSON_DEPTH nested levels,
 * and returns only JSON_ERROR after the first error.
 */
#ifndef GLASSHOUSE_JSON_H
#define GLASSHOUSE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_DEPTH = 64 };

typedef enum json_type {
    JSON_ERROR,
    JSON_END, /* end of the text, after its one value */
    JSON_OBJECT_START,
    JSON_OBJECT_END,
    JSON_ARRAY_START,
    JSON_ARRAY_END,
    JSON_KEY, /* name of a member; the next token starts its value */
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
} json_type;

typedef struct json_reader {
    const char *text;  /* borrowed */
    size_t length, at; /* length of `text` in bytes; offset of the next byte to read */
    int depth;         /* number of open arrays and objects */
    uint64_t arrays;   /* bit d is 1 if nesting level d is an array, 0 if an object */
    int expect;        /* private: the tokens allowed next */
    json_type type;    /* type of the current token */
    const char *start; /* bytes of a string, key or number: without quotes, escapes not decoded */
    size_t size;       /* number of bytes at `start` */
} json_reader;

/* Returns a reader at the start of `text`, after its byte order mark if it has one. The reader
 * borrows `text`. */
json_reader json_open(const char *text, size_t length);

/* Reads the next token and returns its type. */
json_type json_next(json_reader *r);

/* Skips the value that starts with the current token; if the current token is a key, skips the key
 * and its value. The last token of the value becomes the current token. False on an error. */
bool json_skip(json_reader *r);

/* Whether the current string or key, with its escapes decoded, equals `text`. */
bool json_is(const json_reader *r, const char *text);

/* Writes the current string or key to `out` as UTF-8, with its escapes decoded and without a NUL; a
 * lone surrogate becomes U+FFFD. Writes at most `capacity` bytes and returns the length of the
 * whole string in bytes. */
size_t json_string(const json_reader *r, char *out, size_t capacity);

/* Returns the current number as a double; infinity if it is too large. The result is the nearest
 * double if the number has up to 15 digits and a power of ten from -22 to 22. Otherwise the error
 * is at most one ulp (unit in the last place), plus half an ulp for every further 22 powers of
 * ten. */
double json_number(const json_reader *r);

#endif
