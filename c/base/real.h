/* real.h - the number type of tensors.
 *
 * The engine is written over `real`: float in every build that people use. With -DGPT_REAL_DOUBLE
 * the same sources compile in double precision with the reference kernels, so that the tests can
 * hold every backward pass against central differences without rounding in the way.
 */
#ifndef GLASSHOUSE_REAL_H
#define GLASSHOUSE_REAL_H

#ifdef GPT_REAL_DOUBLE
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
