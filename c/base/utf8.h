/* utf8.h - reading UTF-8 that may be broken, without losing a byte.
 *
 * Owns: one symbol at a time from bytes and back. A byte that is not part of valid UTF-8 is a
 * symbol of its own, U+DC80 + (byte - 0x80): code points that valid UTF-8 never carries (lone
 * surrogates), so any bytes round-trip (the same idea as Python's surrogateescape, PEP 383).
 */
#ifndef GLASSHOUSE_UTF8_H
#define GLASSHOUSE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_CODE_POINTS = 0x110000, UTF8_ESCAPE = 0xDC00 };

typedef struct utf8_symbol {
    uint32_t code;   /* Unicode scalar value, or 0xDC00 + byte when invalid */
    int length;      /* bytes consumed, 1 to 4 */
    bool valid;      /* false: one byte that is not UTF-8 */
    bool incomplete; /* invalid only because the bytes end here; more could complete it */
} utf8_symbol;

/* The symbol at the start of `bytes`; `count` >= 1. Follows table 3-7 of the Unicode standard: no
 * overlong forms, no surrogates, nothing above U+10FFFF. */
utf8_symbol utf8_next(const unsigned char *bytes, size_t count);

/* Whether all of the bytes are UTF-8. */
bool utf8_is_valid(const unsigned char *bytes, size_t count);

/* Writes the bytes of a symbol's code (escaped bytes as themselves) and returns how many, 1 to
 * 4. */
int utf8_encode(uint32_t code, unsigned char out[4]);

#endif
