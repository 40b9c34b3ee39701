/* sha256.c - see sha256.h. Computes SHA-256 by FIPS 180-4, section 6.2. */
#include "base/sha256.h"

#include <string.h>

#include "base/numeric.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

/* Hashes one block of 64 bytes into `state`. */
static void hash_block(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64], s[8];
    for (int t = 0; t < 16; t++) {
        const unsigned char *b = block + 4 * (size_t)t;
        w[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | (uint32_t)b[3];
    }
    for (int t = 16; t < 64; t++) {
        uint32_t low = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t high = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = high + w[t - 7] + low + w[t - 16];
    }
    memcpy(s, state, sizeof s); // the working variables a to h
    for (int t = 0; t < 64; t++) {
        uint32_t sum1 = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t t1 = s[7] + sum1 + choice + K[t] + w[t];
        uint32_t sum0 = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + sum0 + majority;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}

sha256 sha256_begin(void) {
    return (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                              0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(sha256 *h, const void *bytes, size_t count) {
    const unsigned char *from = bytes;
    size_t held = (size_t)(h->bytes % SHA256_BLOCK);
    h->bytes += count;
    while (count) {
        size_t now = SHA256_BLOCK - held < count ? SHA256_BLOCK - held : count;
        memcpy(h->block + held, from, now);
        from += now;
        count -= now;
        held += now;
        if (held == SHA256_BLOCK) {
            hash_block(h->state, h->block);
            held = 0;
        }
    }
}

void sha256_add_whole(sha256 *h, uint64_t value) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    sha256_add(h, bytes, sizeof bytes);
}

void sha256_add_floats(sha256 *h, const float *values, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = num_canonical_bits(values[i]);
        unsigned char bytes[4] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                  (unsigned char)(bits >> 16), (unsigned char)(bits >> 24)};
        sha256_add(h, bytes, sizeof bytes);
    }
}

void sha256_end(sha256 *h, unsigned char digest[SHA256_BYTES]) {
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    uint64_t bits = h->bytes * 8;
    size_t held = (size_t)(h->bytes % SHA256_BLOCK);
    sha256_add(h, padding, (held < 56 ? 56 : 56 + SHA256_BLOCK) - held);
    unsigned char length[8];
    for (int i = 0; i < 8; i++) {
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    sha256_add(h, length, sizeof length);
    for (int i = 0; i < SHA256_BYTES; i++) {
        digest[i] = (unsigned char)(h->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}
