/* vec.h - vectors of four floats, with the same bits on every platform.
 *
 * Uses the vector extensions of GCC and Clang, which compile to SIMD128 under Emscripten and to SSE
 * or NEON natively. Invariant: only operations that IEEE 754 defines (no relaxed SIMD, no fused
 * multiply-add), so each lane equals the scalar operation to the bit.
 */
#ifndef GLASSHOUSE_VEC_H
#define GLASSHOUSE_VEC_H

#include <stdint.h>
#include <string.h>

#include "base/numeric.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(4), may_alias));

static inline f32x4 v_load(const float *p) {
    return (f32x4) * (const f32x4_unaligned *)p;
}

static inline void v_store(float *p, f32x4 v) {
    *(f32x4_unaligned *)p = (f32x4_unaligned)v;
}

static inline f32x4 v_splat(float x) {
    return (f32x4){x, x, x, x};
}

/* Lane by lane: mask ? a : b. Mask lanes are 0 or -1, the results of a vector comparison. */
static inline f32x4 v_select(i32x4 mask, f32x4 a, f32x4 b) {
    return (f32x4)((mask & (i32x4)a) | (~mask & (i32x4)b));
}

/* Two functions, lane by lane: v_max is a > b ? a : b, v_min is a < b ? a : b, so the result is b
 * if a or b is NaN. Each is one instruction in SSE and in WebAssembly, whose pmax and pmin have the
 * arguments in the other order. */
static inline f32x4 v_max(f32x4 a, f32x4 b) {
#if defined(__wasm_simd128__)
    return (f32x4)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#elif defined(__SSE2__)
    return (f32x4)_mm_max_ps((__m128)a, (__m128)b);
#else
    return v_select(a > b, a, b);
#endif
}

static inline f32x4 v_min(f32x4 a, f32x4 b) {
#if defined(__wasm_simd128__)
    return (f32x4)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#elif defined(__SSE2__)
    return (f32x4)_mm_min_ps((__m128)a, (__m128)b);
#else
    return v_select(a < b, a, b);
#endif
}

static inline f32x4 v_sqrt(f32x4 v) {
#if defined(__wasm_simd128__)
    return (f32x4)wasm_f32x4_sqrt((v128_t)v);
#elif defined(__SSE2__)
    return (f32x4)_mm_sqrt_ps((__m128)v);
#else
    return (f32x4){__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]),
                   __builtin_sqrtf(v[3])};
#endif
}

/* Steps of a 4 by 4 transpose: v_low_pairs (a0,b0,a1,b1), v_high_pairs (a2,b2,a3,b3),
 * v_low_halves (a0,a1,b0,b1), v_high_halves (a2,a3,b2,b3). */
#if defined(__clang__)
#define V_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define V_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (i32x4){i, j, k, l})
#endif

static inline f32x4 v_low_pairs(f32x4 a, f32x4 b) {
    return V_SHUFFLE(a, b, 0, 4, 1, 5);
}

static inline f32x4 v_high_pairs(f32x4 a, f32x4 b) {
    return V_SHUFFLE(a, b, 2, 6, 3, 7);
}

static inline f32x4 v_low_halves(f32x4 a, f32x4 b) {
    return V_SHUFFLE(a, b, 0, 1, 4, 5);
}

static inline f32x4 v_high_halves(f32x4 a, f32x4 b) {
    return V_SHUFFLE(a, b, 2, 3, 6, 7);
}

/* Sum of the four lanes, always added in this order. */
static inline float v_sum(f32x4 v) {
    return (v[0] + v[1]) + (v[2] + v[3]);
}

/* The largest lane, if no lane is NaN. */
static inline float v_highest(f32x4 v) {
    float a = v[0] > v[1] ? v[0] : v[1];
    float b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

/* e^x in every lane, by the operations of num_expf (base/numeric.h) in the same order. */
static inline f32x4 v_exp(f32x4 x) {
    f32x4 clamped = v_min(v_splat(NUM_EXPF_MAX), x);
    f32x4 magic = v_splat(NUM_ROUND_F);
    f32x4 rounded = clamped * v_splat(NUM_LOG2E_F) + magic;
    f32x4 n = rounded - magic;
    f32x4 r = (clamped - n * v_splat(NUM_LN2_HIGH_F)) - n * v_splat(NUM_LN2_LOW_F);
    f32x4 sum = v_splat(0.0f);
#define VEC_TERM(coefficient) sum = sum * r + v_splat(coefficient);
    NUM_EXPF_SERIES(VEC_TERM)
#undef VEC_TERM
    u32x4 bits = ((u32x4)rounded << 23) + 0x3F800000u;
    return v_select(x < v_splat(NUM_EXPF_MIN), v_splat(0.0f), sum * (f32x4)bits);
}

#endif
