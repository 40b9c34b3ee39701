/* kernels_simd.h - parts of SIMD kernels, shared by the files of kernels/.
 *
 * Most functions compute a range of rows, columns or heads of an output: kernels_parallel.c divides
 * a call among threads with them. The two gemm functions let attention pack a matrix once for
 * several products. Invariant: the bits do not depend on division or packing.
 */
#ifndef GLASSHOUSE_KERNELS_SIMD_H
#define GLASSHOUSE_KERNELS_SIMD_H

#include "kernels/kernels.h"

enum { GEMM_PANEL = 8 }; /* columns in a packed panel of B, the right factor */

/* Copies the matrix b (k,n) into panels of k rows by 8 columns: panel p contains columns 8p ..
 * 8p+7, row by row, with zeros beyond column n. Writes k * n floats, with n rounded up to a
 * multiple of 8. */
void gemm_pack_simd(float *to, matrix b, int n, int k);

/* Matrix product out (m,n) = a (m,k) b (k,n), or += if `accumulate`; the result has the same bits
 * as that of gemm. b is the first k rows and n columns of a matrix of packed_k rows, which
 * gemm_pack_simd wrote to `packed`. `workspace` is scratch memory for GEMM_WORKSPACE_A floats. */
void gemm_packed_simd(float *out, size_t out_row, matrix a, const float *packed, int packed_k,
                      int m, int n, int k, bool accumulate, float *workspace);

/* Attention and its backward pass for heads first .. first+count-1 only; head h of sequence b has
 * the number b * heads + h. All other arguments are the arguments of the whole call. */
void attention_heads_simd(float *out, float *probs, const float *query, const float *key,
                          const float *value, attention_shape s, int first, int count,
                          float *workspace);
void attention_heads_backward_simd(float *dquery, float *dkey, float *dvalue, const float *probs,
                                   const float *query, const float *key, const float *value,
                                   const float *dout, attention_shape s, int first, int count,
                                   bool accumulate, float *scratch, float *workspace);

#endif
