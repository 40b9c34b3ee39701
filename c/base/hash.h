/* hash.h - FNV-1a, a 64-bit hash of a text (Fowler, Noll, Vo; RFC 9923).
 *
 * Two texts hardly ever have equal hashes by accident. The hash is not cryptographic: anybody can
 * construct two texts with equal hashes.
 */
#ifndef GLASSHOUSE_HASH_H
#define GLASSHOUSE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns the hash of `bytes` bytes: for each byte, the hash is xored with the byte and multiplied
 * by the prime 2^40 + 0x1b3. */
static inline uint64_t hash_fnv1a(const char *text, size_t bytes) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    }
    return hash;
}

#endif
