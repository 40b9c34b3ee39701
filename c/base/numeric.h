/* numeric.h - our own transcendentals, so that every engine computes the same bits.
 *
 * Owns: exp, log and cos in double, exp in float. Only IEEE 754 operations (+ - * / sqrt and
 * integer work on the bits) are used, so results depend on neither a libm nor a browser. Every
 * series is the Taylor series: its coefficients need no source, and its error is stated beside it.
 */
#ifndef GLASSHOUSE_NUMERIC_H
#define GLASSHOUSE_NUMERIC_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/real.h"

#define NUM_PI 3.14159265358979323846

/* e^x for any double; relative error below 2^-51; 0 below -708, saturates at e^709. */
double num_exp(double x);

/* ln x for x > 0 (normal numbers); error below 2^-51 relative to max(1, |ln x|). */
double num_log(double x);

/* cos x for |x| < 10^5; absolute error below 2^-50. */
double num_cos(double x);

/* x^n by squaring. */
double num_power(double x, uint32_t n);

/* True for neither NaN nor infinity, whatever the compiler assumes. */
static inline bool num_finite(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits >> 52 & 0x7FF) != 0x7FF;
}

/* The bits of a float; every NaN has the same ones, because which NaN it is depends on the
 * platform. */
static inline uint32_t num_canonical_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x == x ? bits : 0x7fc00000u;
}

#define NUM_EXPF_MAX   88.0f    /* e^88 = 1.65e38: results saturate here */
#define NUM_EXPF_MIN   (-87.0f) /* e^-87 = 1.6e-38: smaller results are 0 */
#define NUM_LOG2E_F    1.44269504f
#define NUM_LN2_HIGH_F 0.693145751953125f /* ln 2 in 16 bits: n * this is exact for |n| < 256 */
#define NUM_LN2_LOW_F  1.42860677e-6f
#define NUM_ROUND_F    12582912.0f /* 1.5 * 2^23: adding it rounds to a whole number in the low bits */

/* Coefficients of e^r, |r| <= ln(2)/2, to r^7: the first omitted term is below 6e-9 relative,
 * under a tenth of a float's half ulp. Shared with the vector form, which must give the same
 * bits. */
#define NUM_EXPF_SERIES(X)                                                                         \
    X(1.98412698e-4f) /* 1/7! */                                                                   \
    X(1.38888889e-3f) /* 1/6! */                                                                   \
    X(8.33333333e-3f) /* 1/5! */                                                                   \
    X(4.16666667e-2f) /* 1/4! */                                                                   \
    X(1.66666667e-1f) /* 1/3! */                                                                   \
    X(0.5f)                                                                                        \
    X(1.0f)                                                                                        \
    X(1.0f)

/* e^x in float, the scalar twin of v_exp in kernels/vec.h; relative error below 2^-22. */
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
    bits = (bits << 23) + 0x3F800000u; // the whole number sits in the low bits: 2^n
    float power;
    memcpy(&power, &bits, sizeof power);
    return x < NUM_EXPF_MIN ? 0.0f : sum * power;
}

/* e^x in the tensors' type. */
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
