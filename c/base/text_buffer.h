/* text_buffer.h - writing short texts and JSON into a caller's buffer.
 *
 * Owns: appending with a known capacity, JSON escapes, numbers that read back to the same value. It
 * replaces printf in the engine (half the size of the module, and locale-dependent). Invariant: the
 * buffer is always NUL-terminated, and `length` is what the whole text needs even when it was cut.
 */
#ifndef GLASSHOUSE_TEXT_BUFFER_H
#define GLASSHOUSE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/status.h"

typedef struct text_buffer {
    char *out; /* borrows until text_end */
    size_t capacity;
    size_t length;
    char last; /* the byte written last; 0 before the first */
} text_buffer;

text_buffer text_begin(char *out, size_t capacity);
void text_put(text_buffer *buffer, const char *text);
void text_put_bytes(text_buffer *buffer, const char *bytes, size_t count);

/* A number in decimal: whole numbers exactly up to 2^53, others with up to 9 significant digits. */
void text_put_number(text_buffer *buffer, double value);

/* The same where JSON needs a value: NaN and infinities become null. */
void text_put_json_number(text_buffer *buffer, double value);
void text_put_hex(text_buffer *buffer, uint64_t value, int min_digits);

/* Bytes as two lower-case hexadecimal digits each: hashes as people compare them. */
void text_put_digest(text_buffer *buffer, const unsigned char *bytes, size_t count);

/* All digits of a whole number, also above 2^53. */
void text_put_whole(text_buffer *buffer, uint64_t value);

/* A quoted JSON string; control characters, quotes and backslashes escaped; bytes that are not
 * valid UTF-8 become U+FFFD. */
void text_put_json_string(text_buffer *buffer, const char *text);

/* The same for text with a length, NULs included. */
void text_put_json_bytes(text_buffer *buffer, const char *text, size_t count);

/* Text that must be valid UTF-8: bytes that are not become U+FFFD. Unless the text has `ended`, a
 * character that is incomplete at its end is left out. */
void text_put_utf8(text_buffer *buffer, const unsigned char *bytes, size_t count, bool ended);

/* "name": in a JSON object, after a comma unless it is the first member; the value follows. `name`
 * needs no escapes. */
void text_put_key(text_buffer *buffer, const char *name);

/* A member with its value: a number (null if not finite), a whole number, a string, a boolean. */
void text_put_member(text_buffer *buffer, const char *name, double value);
void text_put_whole_member(text_buffer *buffer, const char *name, uint64_t value);
void text_put_string_member(text_buffer *buffer, const char *name, const char *value);
void text_put_bool_member(text_buffer *buffer, const char *name, bool value);

/* Terminates and returns the length of the whole text. */
size_t text_end(text_buffer *buffer);

/* Writes a text whose size is not known into memory of its own, in two passes, the first of which
 * only measures:
 *
 *     text_buffer out = text_begin(NULL, 0);
 *     do {
 *         write(&out);
 *     } while (text_again(&out, error));
 *
 * Then out.out (malloc; the caller frees it) has out.length bytes and a NUL; NULL:
 * GPT_E_ALLOCATION. */
bool text_again(text_buffer *buffer, gpt_error *error);

/* The answer of a public function that filled a caller's buffer: the length, or GPT_E_CAPACITY,
 * which `error` (may be NULL) keeps with the size that would do. */
int text_answer(text_buffer *buffer, gpt_error *error);

#endif
