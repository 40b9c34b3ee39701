/* sha256.h - SHA-256 (FIPS 180-4), a cryptographic hash of bytes that arrive in pieces.
 *
 * Nobody is known to be able to construct two inputs with the same 32-byte digest. So two people
 * can compare their training runs by the digests of weights and losses in the receipts (records) of
 * the runs.
 */
#ifndef GLASSHOUSE_SHA256_H
#define GLASSHOUSE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64 };

typedef struct sha256 {
    uint32_t state[8];
    uint64_t bytes;                    /* number of bytes added so far */
    unsigned char block[SHA256_BLOCK]; /* the last `bytes` % 64 bytes added, not hashed yet */
} sha256;

sha256 sha256_begin(void);
void sha256_add(sha256 *h, const void *bytes, size_t count);

/* Adds `value` to the input as eight bytes, little-endian. */
void sha256_add_whole(sha256 *h, uint64_t value);

/* Adds `count` floats to the input as four bytes each, little-endian, with every NaN as
 * 0x7fc00000. */
void sha256_add_floats(sha256 *h, const float *values, uint64_t count);

/* Writes the digest of the input. `h` must not be used afterwards. */
void sha256_end(sha256 *h, unsigned char digest[SHA256_BYTES]);

#endif
