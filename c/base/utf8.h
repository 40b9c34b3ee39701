/* utf8.h - decodes and encodes UTF-8 that may be invalid, without losing a byte.
 *
 * utf8_next decodes one symbol, utf8_encode encodes it. A byte that is not part of valid UTF-8 is a
 * symbol of its own, with the code U+DC80 + (byte - 0x80). Valid UTF-8 never contains these codes,
 * which are lone surrogates, so any bytes survive decoding and encoding. Python's surrogateescape
 * (PEP 383) does the same.
 */
#ifndef GLASSHOUSE_UTF8_H
#define GLASSHOUSE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_CODE_POINTS = 0x110000, UTF8_ESCAPE = 0xDC00 };

typedef struct utf8_symbol {
    uint32_t code;   /* Unicode scalar value; UTF8_ESCAPE + byte if invalid */
    int length;      /* bytes consumed, 1 to 4 */
    bool valid;      /* false: the symbol is one byte that is not UTF-8 */
    bool incomplete; /* invalid, but only because the bytes end within a character */
} utf8_symbol;

/* Returns the symbol at the start of `bytes`; `count` >= 1. Valid are the sequences of table 3-7 of
 * the Unicode standard: no overlong forms, no surrogates, no code above U+10FFFF. */
utf8_symbol utf8_next(const unsigned char *bytes, size_t count);

/* Whether all `count` bytes are valid UTF-8. */
bool utf8_is_valid(const unsigned char *bytes, size_t count);

/* Writes the bytes of a symbol's code, or the one byte that an escape code represents. Returns
 * their number, 1 to 4. */
int utf8_encode(uint32_t code, unsigned char out[4]);

#endif
