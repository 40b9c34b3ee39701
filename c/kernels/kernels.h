/* kernels.h - the hot loops: contracts of all kernels, and the one place that picks a version.
 *
 * Owns: arithmetic on plain arrays. It knows no tensor, no tape and no model. Each kernel exists as
 * NAME_ref (scalar, over `real`, always compiled: the definition), NAME_simd (four float lanes)
 * and, with -DGPT_THREADS, NAME_parallel (NAME_simd on a part of the output by each thread of
 * base/pool.h). Engine code calls kernel(NAME). -DGPT_KERNELS_REF or -DGPT_REAL_DOUBLE picks the
 * references.
 *
 * Conventions: outputs first; arrays are dense and row-major unless a stride is given; `accumulate`
 * false sets the output, true adds to it; arguments may not overlap unless said. Every output
 * element is computed in an order that depends on shapes alone. Element-wise kernels and gemm agree
 * with their reference to the bit; reductions within n * 2^-24 relative to the sum of magnitudes,
 * because four lanes add in another order than one. NAME_parallel equals NAME_simd to the bit with
 * any number of threads: outputs are shared out, sums never.
 */
#ifndef GLASSHOUSE_KERNELS_H
#define GLASSHOUSE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"

/* A matrix in memory: element (i, j) at data[i * row + j * column]. A transpose swaps the
 * strides. */
typedef struct matrix {
    const real *data;
    size_t row;
    size_t column;
} matrix;

/* 2^-120: nothing beside any number that counts, and still far from the denormal numbers, with
 * which processors are many times slower. */
#define KERNEL_TINY R(0x1p-120)

/* GELU's tanh form: the gate is 0 below GELU_SHUT. */
#define GELU_SCALE R(0.7978845608028654) /* sqrt(2/pi) */
#define GELU_CUBIC R(0.044715)
#define GELU_SHUT  R(-20.0)

typedef struct adamw_update {
    real rate;           /* learning rate of this step */
    real beta1, beta2;   /* decay of the moments */
    real epsilon;        /* outside the square root */
    real correction1;    /* 1 / (1 - beta1^t) */
    real correction2_rt; /* 1 / sqrt(1 - beta2^t) */
    real decay;          /* decoupled weight decay; 0 is plain Adam */
    real gradient_scale; /* clipping: multiplies every gradient */
} adamw_update;

/* One attention call: for each of `batch` sequences, one after the other in memory, query (n_query
 * rows), key and value (n_key rows) of `channels` numbers, split into `heads`; query i stands at
 * position n_key - n_query + i and sees keys up to its own. */
typedef struct attention_shape {
    int batch, n_query, n_key, channels, heads;
    size_t query_row, key_row, value_row; /* strides between rows */
} attention_shape;

/* Reals that gemm packs into: a block of B, then one of A. */
enum {
    GEMM_ROOM_B = 256 * 512,
    GEMM_ROOM_A = 64 * 256,
    GEMM_WORKSPACE = GEMM_ROOM_B + GEMM_ROOM_A
};

/* Attention goes over the triangle in blocks of this many queries; its backward pass needs a
 * scratch of ATTENTION_BLOCK * n_key reals. */
enum { ATTENTION_BLOCK = 16 };

/* Bytes of memory of its own that a thread needs to take part in any kernel: the workspace of gemm,
 * and attention's scratch up to a context of KERNEL_KEYS_MAX (more is left to one thread). */
enum { KERNEL_KEYS_MAX = 8192 };
#define KERNEL_THREAD_BYTES                                                                        \
    ((GEMM_WORKSPACE + ATTENTION_BLOCK * (size_t)KERNEL_KEYS_MAX) * sizeof(real))

/* X(return type, name, arguments): every kernel of the engine. */
#define KERNEL_LIST(X)                                                                                 \
    /* out (m,n) = sum_k a(i,k) b(k,j), started from 0, from out (accumulate) or from bias (n).    \
     * Terms are added for k = 0, 1, ... one after the other: tiles, edges and a single row give   \
     * the same bits, so decoding one token equals the full forward. */   \
    X(void, gemm,                                                                                      \
      (real * out, size_t out_row, matrix a, matrix b, const real *bias, int m, int n, int k,          \
       bool accumulate, real *workspace))                                                              \
    /* out (n) (+)= column sums of x (rows,n): the gradient of a bias. */                              \
    X(void, column_sums, (real * out, const real *x, int rows, int n, bool accumulate))                \
    /* out (n) = a (n) + b (n); out may be a or b. */                                                  \
    X(void, add, (real * out, const real *a, const real *b, size_t n))                                 \
    /* out (n) (+)= x (n) * factor. */                                                                 \
    X(void, scale, (real * out, const real *x, real factor, size_t n, bool accumulate))                \
    /* GELU, tanh form: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). Hendrycks and Gimpel 2016. */   \
    X(void, gelu, (real * out, const real *x, size_t n))                                               \
    X(void, gelu_backward,                                                                             \
      (real * dx, const real *x, const real *dout, size_t n, bool accumulate))                         \
    /* Squared ReLU: max(0, x)^2. So et al. 2021. */                                                   \
    X(void, relu2, (real * out, const real *x, size_t n))                                              \
    X(void, relu2_backward,                                                                            \
      (real * dx, const real *x, const real *dout, size_t n, bool accumulate))                         \
    /* LayerNorm of each row (n): (x - mean) / sqrt(variance + eps) [* gain + bias]; keeps mean    \
     * and 1/deviation per row. Ba et al. 2016. gain, bias may be NULL. */   \
    X(void, layernorm,                                                                                 \
      (real * out, real * mean, real * inverse, const real *x, const real *gain, const real *bias,     \
       int rows, int n, real eps))                                                                     \
    /* dgain and dbias may be NULL and accumulate by their own flag. */                                \
    X(void, layernorm_backward,                                                                        \
      (real * dx, real * dgain, real * dbias, const real *x, const real *mean,                         \
       const real *inverse, const real *gain, const real *dout, int rows, int n, bool accumulate,      \
       bool accumulate_gain, bool accumulate_bias))                                                    \
    /* RMSNorm of each row: x / sqrt(mean(x^2) + eps) [* gain]. Zhang and Sennrich 2019. */            \
    X(void, rmsnorm,                                                                                   \
      (real * out, real * inverse, const real *x, const real *gain, int rows, int n, real eps))        \
    X(void, rmsnorm_backward,                                                                          \
      (real * dx, real * dgain, const real *x, const real *inverse, const real *gain,                  \
       const real *dout, int rows, int n, bool accumulate, bool accumulate_gain))                      \
    /* out (n) = exp(factor x - max) / sum, the largest subtracted first; out may be x. */             \
    X(void, softmax_row, (real * out, const real *x, real factor, int n))                              \
    /* The same for every row of x (rows,n). */                                                        \
    X(void, softmax_rows, (real * out, const real *x, real factor, int rows, int n))                   \
    /* dx (n) (+)= factor y (dout - <dout, y>): the Jacobian-vector product of softmax. dx may be  \
     * dout when it does not accumulate. */   \
    X(void, softmax_row_backward,                                                                      \
      (real * dx, const real *y, const real *dout, real factor, int n, bool accumulate))               \
    /* Sum of x^2 over n numbers, in double. */                                                        \
    X(double, sum_squares, (const real *x, size_t n))                                                  \
    /* AdamW of n weights in one pass (Loshchilov and Hutter 2019):                                \
     * m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2;                                                 \
     * w -= rate (m c1 / (sqrt(v) c2 + eps) + decay w). */   \
    X(void, adamw, (real * w, real * m, real * v, const real *g, size_t n, adamw_update u))            \
    /* Zero for every x (n) that is smaller than KERNEL_TINY; NaN stays. */                            \
    X(void, drop_tiny, (real * x, size_t n))                                                           \
    /* Causal attention of every head: probs (batch, heads, n_query, n_key) = softmax(q k / sqrt(d)),\
     * zero above the diagonal; out (batch, n_query, channels) = probs v. Vaswani et al. 2017. */ \
    X(void, attention,                                                                                 \
      (real * out, real * probs, const real *query, const real *key, const real *value,                \
       attention_shape s, real *workspace))                                                            \
    /* Its gradients for n_query = n_key, with the strides of the inputs; scratch holds            \
     * ATTENTION_BLOCK * n_key reals. */   \
    X(void, attention_backward,                                                                        \
      (real * dquery, real * dkey, real * dvalue, const real *probs, const real *query,                \
       const real *key, const real *value, const real *dout, attention_shape s, bool accumulate,       \
       real *scratch, real *workspace))

#define KERNEL_DECLARE(type, name, arguments)                                                      \
    type name##_ref arguments;                                                                     \
    type name##_simd arguments;                                                                    \
    type name##_parallel arguments;
KERNEL_LIST(KERNEL_DECLARE)
#undef KERNEL_DECLARE

#if defined(GPT_REAL_DOUBLE) || defined(GPT_KERNELS_REF)
#define kernel(name) name##_ref
#elif defined(GPT_THREADS)
#define kernel(name) name##_parallel
#else
#define kernel(name) name##_simd
#endif

#endif
