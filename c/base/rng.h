/* rng.h - the random stream: xorshift64 with uniform draws, normal draws and shuffling.
 *
 * The exact sequence of draws must not change: runs that repeat bit for bit and the preset microgpt
 * depend on it. Sources: Marsaglia, "Xorshift RNGs" (2003), triple (13, 7, 17); Box and Muller
 * (1958). Invariant: the state is never 0, because xorshift maps 0 to 0.
 */
#ifndef GLASSHOUSE_RNG_H
#define GLASSHOUSE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state;
} rng;

/* Returns a stream with `seed` as its state; seed 0 is replaced by a fixed constant. */
rng rng_from_seed(uint64_t seed);

/* Returns a stream whose state is the seed mixed by splitmix64 (Steele, Lea and Flood 2014), so
 * that the first draws of neighbouring seeds are unrelated. Without mixing, the first draws of
 * xorshift64 are near 0 for every small seed. */
rng rng_from_mixed_seed(uint64_t seed);

/* Advances the stream and returns its new state, 64 random bits. */
uint64_t rng_next(rng *r);

/* Returns a uniform draw from [0, 1): the top 53 bits / 2^53. */
double rng_uniform(rng *r);

/* Returns a standard normal draw by Box-Muller, sqrt(-2 ln u1) cos(2 pi u2), from two uniform
 * draws, with u1 at least 1e-30; computed in double and rounded to float. */
float rng_normal(rng *r);

/* Shuffles by Fisher-Yates from the end: for i from count - 1 down to 1, draws a uniform u and
 * swaps items i and (int)(u * (i + 1)). */
void rng_shuffle(rng *r, uint32_t *items, size_t count);

#endif
