/* digest.h - a 128-bit digest of a text, computed at the speed of memory.
 *
 * A cache stores the digest of a text instead of the text, and compares digests to find out whether
 * it sees the same text again. The digest is not cryptographic: anybody can construct two texts
 * with equal digests, and a cache must stay harmless in that case.
 */
#ifndef GLASSHOUSE_DIGEST_H
#define GLASSHOUSE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct text_digest {
    uint64_t half[2];
    uint64_t bytes; /* length of the text in bytes */
} text_digest;

/* Returns the digest of a text. Both halves of the digest read the text in words of eight bytes,
 * the last word padded with zeros. For each word, a half is xored with the word, multiplied by an
 * odd constant (digits of pi) and rotated. */
static inline text_digest digest_of(const char *text, size_t bytes) {
    uint64_t a = 0x243F6A8885A308D3u, b = 0x13198A2E03707345u;
    for (size_t at = 0; at < bytes; at += 8) {
        uint64_t word = 0;
        memcpy(&word, text + at, bytes - at < 8 ? bytes - at : 8);
        a = (a ^ word) * 0xA4093822299F31D1u;
        b = (b ^ word) * 0x082EFA98EC4E6C89u;
        a = a << 29 | a >> 35;
        b = b << 41 | b >> 23;
    }
    return (text_digest){{a ^ a >> 32, b ^ b >> 32}, bytes};
}

static inline bool digest_same(text_digest x, text_digest y) {
    return x.half[0] == y.half[0] && x.half[1] == y.half[1] && x.bytes == y.bytes;
}

#endif
