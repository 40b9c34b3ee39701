/* digest.h - 128 bits that tell one text from another at memory speed.
 *
 * Owns: knowing a text again without keeping it. Not cryptographic: what is remembered under a
 * digest must be harmless when somebody builds two texts with the same one.
 */
#ifndef GLASSHOUSE_DIGEST_H
#define GLASSHOUSE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct text_digest {
    uint64_t half[2];
    uint64_t bytes;
} text_digest;

/* Digest of a text: two lanes of xor, multiply by an odd constant (digits of pi) and rotate. */
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
