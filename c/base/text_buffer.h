/* text_buffer.h - appends short texts, numbers and JSON to a buffer of the caller.
 *
 * The engine uses these functions instead of printf, which would be half the size of the
 * WebAssembly module and depends on the locale. Invariant: no byte is written beyond the capacity,
 * `length` counts the whole text even if the buffer holds only its beginning, and text_end writes a
 * terminating NUL.
 */
#ifndef GLASSHOUSE_TEXT_BUFFER_H
#define GLASSHOUSE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/error.h"

typedef struct text_buffer {
    char *out;       /* borrowed, or owned after text_again; NULL: only the length is counted */
    size_t capacity; /* size of `out` in bytes; 0 if `out` is NULL */
    size_t length;   /* length of the whole text in bytes, without the NUL */
    char last;       /* the last byte of the text; 0 if the text is empty */
} text_buffer;

/* Returns an empty text that will be written to `out`, which has `capacity` bytes, NUL included. If
 * `out` is NULL, the text is only measured. */
text_buffer text_begin(char *out, size_t capacity);

/* text_put appends a NUL-terminated text, text_put_bytes appends `count` bytes. */
void text_put(text_buffer *buffer, const char *text);
void text_put_bytes(text_buffer *buffer, const char *bytes, size_t count);

/* Appends a number in decimal: whole numbers up to 2^53 with all digits, other numbers rounded to
 * at most 9 significant digits. NaN is written as NaN, infinities as infinity and -infinity. */
void text_put_number(text_buffer *buffer, double value);

/* Appends a number as a JSON value: like text_put_number, but null for NaN and infinities. */
void text_put_json_number(text_buffer *buffer, double value);

/* Appends `value` as upper-case hexadecimal digits, at least `min_digits` of them. */
void text_put_hex(text_buffer *buffer, uint64_t value, int min_digits);

/* Appends each byte as two lower-case hexadecimal digits, the usual spelling of a hash. */
void text_put_digest(text_buffer *buffer, const unsigned char *bytes, size_t count);

/* Appends all decimal digits of `value`; text_put_number rounds values above 2^53. */
void text_put_whole(text_buffer *buffer, uint64_t value);

/* Appends a quoted JSON string, with control characters, quotes and backslashes escaped. Bytes that
 * are not valid UTF-8 become U+FFFD. */
void text_put_json_string(text_buffer *buffer, const char *text);

/* Like text_put_json_string, for `count` bytes, which may include NULs. */
void text_put_json_bytes(text_buffer *buffer, const char *text, size_t count);

/* Appends `count` bytes as valid UTF-8: bytes that are not valid become U+FFFD. If more bytes may
 * follow (`ended` is false), an incomplete character at the end is omitted. */
void text_put_utf8(text_buffer *buffer, const unsigned char *bytes, size_t count, bool ended);

/* Appends the name of an object member in quotes, and a colon; before the name a comma, unless the
 * text ends in "{". The caller appends the value next. `name` must contain no character that JSON
 * escapes. */
void text_put_key(text_buffer *buffer, const char *name);

/* Four functions that append an object member, whose value is a number (null if not finite), a
 * whole number, a string or a bool. */
void text_put_member(text_buffer *buffer, const char *name, double value);
void text_put_whole_member(text_buffer *buffer, const char *name, uint64_t value);
void text_put_string_member(text_buffer *buffer, const char *name, const char *value);
void text_put_bool_member(text_buffer *buffer, const char *name, bool value);

/* Writes the terminating NUL if the capacity is not 0. Returns the length of the whole text. */
size_t text_end(text_buffer *buffer);

/* Controls a loop that writes a text of unknown size twice, first to measure the text and then into
 * memory from malloc:
 *
 *     text_buffer out = text_begin(NULL, 0);
 *     do {
 *         write(&out);
 *     } while (text_again(&out, error));
 *
 * Returns true after the first pass only. After the loop, out.out has out.length bytes and a NUL,
 * and the caller frees it. If memory was refused, out.out is NULL and `error` has
 * GPT_E_ALLOCATION. */
bool text_again(text_buffer *buffer, gpt_error *error);

/* Ends a text in a buffer of the caller. Returns the result of the public function that wrote the
 * text: its length in bytes, or GPT_E_CAPACITY if text and NUL do not fit. `error` (may be NULL)
 * then contains the size that is needed. */
int text_answer(text_buffer *buffer, gpt_error *error);

#endif
