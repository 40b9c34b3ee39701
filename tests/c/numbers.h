/* numbers.h - arrays of random numbers from a seed, and their comparison to the bit.
 *
 * An array is allocated with its exact size, so that the address sanitizer reports a kernel that
 * accesses memory outside it.
 */
#ifndef GLASSHOUSE_NUMBERS_H
#define GLASSHOUSE_NUMBERS_H

#include <stdint.h>
#include <stdlib.h>

#include "base/real.h"
#include "check.h"

/* Returns the next number, in [-1, 1), of a linear congruential generator with Knuth's MMIX
 * constants. */
static inline double random_number(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* Fills x with n numbers in [-2, 2). */
static inline void fill_random(real *x, size_t n, uint64_t seed) {
    uint64_t state = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++) x[i] = (real)(2 * random_number(&state));
}

/* Returns n random numbers in [-2, 2), which the caller frees. For n = 0 returns memory for one
 * number, not initialised. */
static inline real *random_array(size_t n, uint64_t seed) {
    real *x = malloc((n ? n : 1) * sizeof *x);
    if (x) fill_random(x, n, seed);
    return x;
}

/* Returns n copies of `value`, which the caller frees. */
static inline real *constant_array(size_t n, real value) {
    real *x = malloc((n ? n : 1) * sizeof *x);
    for (size_t i = 0; x && i < n; i++) x[i] = value;
    return x;
}

static inline real *copy_array(const real *from, size_t n) {
    real *x = malloc((n ? n : 1) * sizeof *x);
    if (x) memcpy(x, from, n * sizeof *x);
    return x;
}

/* Compares two arrays by their bits: 0 differs from -0. A NaN equals any other NaN. */
static inline bool same_bits(const real *a, const real *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && (a[i] == a[i] || b[i] == b[i])) return false;
    }
    return true;
}

#define CHECK_SAME_BITS(a, b, n)                                                                   \
    check_that(same_bits((a), (b), (size_t)(n)), __FILE__, __LINE__, #a " equals " #b " to the bit")

/* The largest relative error of rounding to float: the unit of the bounds in kernels.h. */
#define FLOAT_UNIT 0x1p-24

#endif
