/* rng.h - the one random stream: xorshift64, uniform and normal draws, shuffling.
 *
 * Owns: the generator's state and the exact sequence of draws, on which bit-exact runs and the
 * microgpt preset rest. Marsaglia, "Xorshift RNGs" (2003), triple (13, 7, 17); Box and Muller
 * (1958). Invariant: the state is never 0 (xorshift would stay there).
 */
#ifndef GLASSHOUSE_RNG_H
#define GLASSHOUSE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

/* State = seed; seed 0 becomes a fixed non-zero state. */
rng rng_from_seed(uint64_t seed);

/* A stream whose first draws differ between neighbouring seeds: the state is the seed mixed by
 * splitmix64 (Steele, Lea and Flood 2014). xorshift64 itself starts small seeds with numbers
 * near 0. */
rng rng_from_mixed_seed(uint64_t seed);

/* The next state of the stream, 64 bits. */
uint64_t rng_next(rng *r);

/* Top 53 bits / 2^53: in [0, 1). */
double rng_uniform(rng *r);

/* Standard normal by Box-Muller: sqrt(-2 ln u1) cos(2 pi u2), u1 at least 1e-30, two uniforms a
 * draw, computed in double and rounded to float. */
float rng_normal(rng *r);

/* Fisher-Yates from the end: j = (int)(u * (i + 1)) for i from count - 1 down to 1. */
void rng_shuffle(rng *r, uint32_t *items, size_t count);

#endif
