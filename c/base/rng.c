/* rng.c - see rng.h. */
#include "base/rng.h"

#include "base/numeric.h"

rng rng_from_seed(uint64_t seed) {
    // Seed 0 becomes 2^64 / golden ratio; any constant but 0 would do.
    return (rng){seed ? seed : 0x9E3779B97F4A7C15u};
}

rng rng_from_mixed_seed(uint64_t seed) {
    uint64_t bits = seed + 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return rng_from_seed(bits ^ bits >> 31);
}

uint64_t rng_next(rng *r) {
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state;
}

double rng_uniform(rng *r) {
    return (double)(rng_next(r) >> 11) * (1.0 / 9007199254740992.0);
}

float rng_normal(rng *r) {
    double u1 = rng_uniform(r);
    double u2 = rng_uniform(r);
    if (u1 < 1e-30) {
        u1 = 1e-30;
    }
    return (float)(__builtin_sqrt(-2.0 * num_log(u1)) * num_cos(2.0 * NUM_PI * u2));
}

void rng_shuffle(rng *r, uint32_t *items, size_t count) {
    for (size_t i = count; i-- > 1;) {
        size_t j = (size_t)(rng_uniform(r) * (double)(i + 1));
        uint32_t held = items[i];
        items[i] = items[j];
        items[j] = held;
    }
}
