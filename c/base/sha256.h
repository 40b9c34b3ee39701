/* sha256.h - SHA-256 (FIPS 180-4): 32 bytes that nobody can find two inputs for.
 *
 * Owns: the digest of bytes that come in pieces. It stands for weights and losses where two people
 * compare their runs.
 */
#ifndef GLASSHOUSE_SHA256_H
#define GLASSHOUSE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64 };

typedef struct sha256 {
    uint32_t state[8];
    uint64_t bytes;                    /* taken so far */
    unsigned char block[SHA256_BLOCK]; /* the last bytes % 64 of them */
} sha256;

sha256 sha256_begin(void);
void sha256_add(sha256 *h, const void *bytes, size_t count);

/* The same for a number, as its eight bytes from the lowest on. */
void sha256_add_whole(sha256 *h, uint64_t value);

/* For floats, as their four bytes from the lowest on; every NaN counts as 0x7fc00000. */
void sha256_add_floats(sha256 *h, const float *values, uint64_t count);

/* The digest; `h` is of no more use. */
void sha256_end(sha256 *h, unsigned char digest[SHA256_BYTES]);

#endif
