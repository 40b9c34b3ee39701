/* numeric.h - exp, log and cos in double and exp in float, with the same bits on every platform.
 *
 * The functions use only IEEE 754 operations (+ - * / sqrt) and integer operations on the bits, so
 * no result depends on a libm or a browser. Every series is a Taylor series, whose coefficients
 * need no source; the comment beside it bounds its error.
 */
#ifndef GLASSHOUSE_NUMERIC_H
#define GLASSHOUSE_NUMERIC_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"

#define NUM_PI 3.14159265358979323846

/* Returns e^x with a relative error below 2^-51; 0 for x < -708, e^709 for x > 709, NaN for NaN. */
double num_exp(double x);

/* Returns ln x for normal numbers x > 0, with an error below 2^-51 * max(1, |ln x|). */
double num_log(double x);

/* Returns cos x for |x| < 10^5, with an absolute error below 2^-50. */
double num_cos(double x);

/* Returns x^n, computed by repeated squaring; x^0 is 1. */
double num_power(double x, uint32_t n);

/* False for NaN and infinities. Tests the bits, so that no compiler can assume the result. */
static inline bool num_finite(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits >> 52 & 0x7FF) != 0x7FF;
}

/* Returns the bits of a float; 0x7fc00000 for every NaN, because the bits of a NaN depend on the
 * platform. */
static inline uint32_t num_canonical_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x == x ? bits : 0x7fc00000u;
}

/* num_expf returns e^88 = 1.65e38 for larger x. */
#define NUM_EXPF_MAX   88.0f
/* num_expf returns 0 for smaller x. e^-87 is 1.6e-38. */
#define NUM_EXPF_MIN   (-87.0f)
#define NUM_LOG2E_F    1.44269504f
/* ln 2 as a sum of two numbers. The first has only 16 bits, so that its product with a whole number
 * n is exact for |n| < 256. */
#define NUM_LN2_HIGH_F 0.693145751953125f
#define NUM_LN2_LOW_F  1.42860677e-6f
/* 1.5 * 2^23. Adding it to a float x, |x| < 2^22, rounds x to a whole number n; the low bits of the
 * sum are then the low bits of n. */
#define NUM_ROUND_F    12582912.0f

/* Coefficients of e^r from r^7 down to r^0, for |r| <= ln(2)/2. The first omitted term is below
 * 5.2e-9, less than a fifth of half an ulp of e^r in float. v_exp in kernels/vec.h uses the same
 * coefficients and must return the same bits. */
#define NUM_EXPF_SERIES(X)                                                                         \
    X(1.98412698e-4f) /* 1/7! */                                                                   \
    X(1.38888889e-3f) /* 1/6! */                                                                   \
    X(8.33333333e-3f) /* 1/5! */                                                                   \
    X(4.16666667e-2f) /* 1/4! */                                                                   \
    X(1.66666667e-1f) /* 1/3! */                                                                   \
    X(0.5f)                                                                                        \
    X(1.0f)                                                                                        \
    X(1.0f)

/* Returns e^x in float with a relative error below 2^-22; e^88 for x > 88, 0 for x < -87, NaN for
 * NaN. Formula, also of v_exp in kernels/vec.h: e^x = 2^n e^r with x = n ln 2 + r. */
static inline float num_expf(float x) {
    float clamped = x > NUM_EXPF_MAX ? NUM_EXPF_MAX : x;
    float rounded = clamped * NUM_LOG2E_F + NUM_ROUND_F;
    float n = rounded - NUM_ROUND_F;
    float r = (clamped - n * NUM_LN2_HIGH_F) - n * NUM_LN2_LOW_F;
    float sum = 0.0f;
#define NUM_TERM(coefficient) sum = sum * r + coefficient;
    NUM_EXPF_SERIES(NUM_TERM)
#undef NUM_TERM
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    bits = (bits << 23) + 0x3F800000u; // the bits of 2^n: the low bits of `rounded` are n
    float power;
    memcpy(&power, &bits, sizeof power);
    return x < NUM_EXPF_MIN ? 0.0f : sum * power;
}

/* Returns e^x in `real`, the number type of tensors. */
static inline real real_exp(real x) {
#ifdef GPT_REAL_DOUBLE
    return num_exp(x);
#else
    return num_expf(x);
#endif
}

static inline real real_sqrt(real x) {
#ifdef GPT_REAL_DOUBLE
    return __builtin_sqrt(x);
#else
    return __builtin_sqrtf(x);
#endif
}

#endif
