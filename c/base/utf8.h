/* utf8.h - decodes and encodes UTF-8 that may be invalid, without losing a byte.
 *
 * utf8_next decodes one symbol: a character, or one byte that is not part of valid UTF-8. The code
 * of such a byte is U+DC80 + (byte - 0x80). Valid UTF-8 never contains these codes, which are lone
 * surrogates, so any bytes survive decoding and encoding. Python's surrogateescape (PEP 383) does
 * the same.
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

/* Decodes the symbol at the start of `bytes`: a character or one invalid byte. `count` >= 1 bytes
 * can be read. Valid are the sequences of table 3-7 of the Unicode standard: no overlong forms, no
 * surrogates, no code above U+10FFFF. */
utf8_symbol utf8_next(const unsigned char *bytes, size_t count);

/* Whether all `count` bytes are valid UTF-8. */
bool utf8_is_valid(const unsigned char *bytes, size_t count);

/* Encodes the code of a utf8_symbol: a Unicode scalar value as UTF-8, UTF8_ESCAPE + byte as that
 * one byte. Returns the number of bytes written, 1 to 4. */
int utf8_encode(uint32_t code, unsigned char out[4]);

#endif
