/* real.h - the number type of tensors, and checks that reject compilers which would change the bits
 * of results.
 *
 * `real` is float in every released build. With -DGPT_REAL_DOUBLE the same sources compile in
 * double precision with the reference kernels: tests then compare every backward pass with central
 * differences, where rounding errors of float would be too large.
 */
#ifndef GLASSHOUSE_REAL_H
#define GLASSHOUSE_REAL_H

#if !defined(__GNUC__)
#error "the engine needs GCC or Clang: it is C11 with their vector types and atomics"
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "files are little-endian and read without turning bytes round"
#endif

/* All builds compute the same bits: no compiler may evaluate an operation with more precision, or
 * in another order, than the source states. One flag cannot be rejected: Clang defines no macro for
 * -ffp-contract=fast, which overrides the pragma below. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and its parts: they change the bits"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "compile for an arithmetic that rounds to float, such as -msse2 -mfpmath=sse"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#pragma clang fp reassociate(off)
#elif defined(__FP_FAST_FMAF) && (!defined(__STRICT_ANSI__) || !__GCC_IEC_559)
#error "compile with -std=c11 -ffp-contract=off: a product joined with a sum changes the bits"
#endif

#ifdef GPT_REAL_DOUBLE
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
