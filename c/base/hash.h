/* hash.h - a name for a text: FNV-1a in 64 bits (Fowler, Noll, Vo; RFC 9923).
 *
 * It tells one text from another by accident's standards, not against somebody who wants to
 * deceive.
 */
#ifndef GLASSHOUSE_HASH_H
#define GLASSHOUSE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Hash of `bytes`: for each byte, xor it in, then multiply by 2^40 + 0x1b3. */
static inline uint64_t hash_fnv1a(const char *text, size_t bytes) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    }
    return hash;
}

#endif
