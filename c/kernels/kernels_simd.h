/* kernels_simd.h - pieces of the SIMD kernels that other kernels build on.
 *
 * Owns: nothing; only files in kernels/ include it. A piece does a part of what its kernel does,
 * for the threads of kernels_parallel.c, and gives the same bits however the whole is cut.
 */
#ifndef GLASSHOUSE_KERNELS_SIMD_H
#define GLASSHOUSE_KERNELS_SIMD_H

#include "kernels/kernels.h"

enum { GEMM_PANEL = 8 }; /* columns of a packed panel */

/* Packs b (k,n) into panels of 8 columns, zeros beyond n: panel p holds columns 8p..8p+7, k
 * after k. */
void gemm_pack_simd(float *to, matrix b, int n, int k);

/* out (m,n) (+)= a (m,k) times the first k rows and n columns of a B that was packed with packed_k
 * rows; the same bits as gemm. `room` holds GEMM_ROOM_A floats. */
void gemm_packed_simd(float *out, size_t out_row, matrix a, const float *packed, int packed_k,
                      int m, int n, int k, bool accumulate, float *room);

/* The heads first .. first+count-1 of an attention call, counted through all sequences. */
void attention_heads_simd(float *out, float *probs, const float *query, const float *key,
                          const float *value, attention_shape s, int first, int count,
                          float *workspace);
void attention_heads_backward_simd(float *dquery, float *dkey, float *dvalue, const float *probs,
                                   const float *query, const float *key, const float *value,
                                   const float *dout, attention_shape s, int first, int count,
                                   bool accumulate, float *scratch, float *workspace);

/* Columns first .. first+count-1 of column_sums: out[j] (+)= sum over rows of x (rows,n). */
void column_sums_part_simd(float *out, const float *x, int rows, int n, size_t first, size_t count,
                           bool accumulate);

/* Columns first .. first+count-1 of a norm's dgain: (+)= sum over rows of dout xhat, with
 * xhat = (x - mean) inverse; mean NULL stands for 0. */
void norm_gain_part_simd(float *dgain, const float *x, const float *mean, const float *inverse,
                         const float *dout, int rows, int n, size_t first, size_t count,
                         bool accumulate);

/* The rows of a norm's dx, without dgain and dbias. */
void layernorm_dx_simd(float *dx, const float *x, const float *mean, const float *inverse,
                       const float *gain, const float *dout, int rows, int n, bool accumulate);
void rmsnorm_dx_simd(float *dx, const float *x, const float *inverse, const float *gain,
                     const float *dout, int rows, int n, bool accumulate);

#endif
