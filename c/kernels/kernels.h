/* kernels.h - the hot loops on plain arrays: contracts of all kernels and the choice of version.
 *
 * Each kernel exists as NAME_ref (scalar, over `real`, always compiled: the definition) and
 * NAME_simd (four float lanes). Engine code calls parallel(NAME, ...) to compute on several threads
 * of base/pool.h, each of which runs NAME_simd on ranges of the output, or kernel(NAME)(...) to
 * compute on the calling thread. Tensors, the tape and the model are layers above.
 *
 * Invariant: the order of the operations for an output element depends on shapes alone. A parallel
 * call equals NAME_simd to the bit for any number of threads: threads share outputs, never a sum.
 */
#ifndef GLASSHOUSE_KERNELS_H
#define GLASSHOUSE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"

/* A borrowed matrix: element (i, j) is data[i * row + j * column]. Swapping the two strides
 * transposes it. */
typedef struct matrix {
    const real *data;
    size_t row;
    size_t column;
} matrix;

/* AdamW's moments below this threshold are set to 0. The threshold is negligible beside moments
 * that matter, and 2^6 times the smallest normal float: denormals make processors many times
 * slower. */
#define KERNEL_TINY R(0x1p-120)

/* Constants of GELU's tanh form: gelu(x) = x gate(u), u = GELU_SCALE (x + GELU_CUBIC x^3),
 * gate(u) = (1 + tanh(u)) / 2, and gate(u) = 0 for u < GELU_SHUT. */
#define GELU_SCALE R(0.7978845608028654) /* sqrt(2/pi) */
#define GELU_CUBIC R(0.044715)
#define GELU_SHUT  R(-20.0)

/* Arguments of one AdamW step; t is the number of the step, from 1. */
typedef struct adamw_update {
    real rate;           /* learning rate of this step */
    real beta1, beta2;   /* decay rates of the moments */
    real epsilon;        /* added to the denominator, outside the square root */
    real correction1;    /* 1 / (1 - beta1^t) */
    real correction2_rt; /* 1 / sqrt(1 - beta2^t) */
    real decay;          /* decoupled weight decay; 0 means plain Adam */
    real gradient_scale; /* factor of every gradient, for clipping; 1 without clipping */
} adamw_update;

/* Shapes of one attention call. The `batch` sequences follow each other in memory; each has n_query
 * rows of query and n_key rows of key and value. A row has `channels` numbers, d = channels / heads
 * for each head. The queries are the last positions: query i has position n_key - n_query + i and
 * attends to the keys of all positions from 0 to its own. */
typedef struct attention_shape {
    int batch, n_query, n_key, channels, heads;
    size_t query_row, key_row, value_row; /* distance from one row to the next, in reals */
} attention_shape;

/* Size of the workspace of gemm and attention, in numbers of type `real`. gemm multiplies matrices
 * A and B; the workspace has room for a packed block of B, then for a packed block of A. Calls that
 * run at the same time need separate workspaces. The reference kernels use none. */
enum {
    GEMM_WORKSPACE_B = 256 * 512,
    GEMM_WORKSPACE_A = 64 * 256,
    GEMM_WORKSPACE = GEMM_WORKSPACE_B + GEMM_WORKSPACE_A
};

/* Number of queries that the SIMD attention processes together, so that matrix products replace dot
 * products. Its backward pass needs ATTENTION_BLOCK * n_key reals of scratch memory. */
enum { ATTENTION_BLOCK = 16 };

/* Scratch memory of one pool thread in bytes: a workspace, then the scratch of attention_backward
 * for up to KERNEL_KEYS_MAX keys. With more keys, attention_backward runs on the calling thread
 * alone. */
enum { KERNEL_KEYS_MAX = 8192 };
#define KERNEL_THREAD_BYTES                                                                        \
    ((GEMM_WORKSPACE + ATTENTION_BLOCK * (size_t)KERNEL_KEYS_MAX) * sizeof(real))

/* X(return type, name, arguments): the kernels whose output threads can divide.
 *
 * Outputs come first. x (rows,n) is a dense row-major array of rows * n numbers; strides are
 * arguments where an array is not dense. If `accumulate` is false, a result overwrites the output;
 * if true, it is added to the output. dNAME is the gradient of the loss with respect to NAME.
 * Arguments overlap only where the contract allows it.
 *
 * Element-wise kernels and gemm equal their reference to the bit. A reduction of n terms, in any
 * version, is within n * 2^-24 of the exact sum, relative to the sum of magnitudes: the four SIMD
 * lanes add in another order than a scalar loop. */
#define PARALLEL_KERNEL_LIST(X)                                                                    \
    /* out (m,n) = start + a (m,k) b (k,n). start is out if `accumulate`, otherwise bias (n), */   \
    /* or 0 if bias is NULL. Terms are added one by one for k = 0, 1, ..., so tiles, edges and */  \
    /* a single row yield the same bits: decoding one token equals the full forward pass. */       \
    X(void, gemm,                                                                                  \
      (real * out, size_t out_row, matrix a, matrix b, const real *bias, int m, int n, int k,      \
       bool accumulate, real *workspace))                                                          \
    /* out (n) = sum over the rows of x (rows,n), or += if `accumulate`: a bias gradient. */       \
    /* Rows of x begin `row` numbers apart. */                                                     \
    X(void, column_sums,                                                                           \
      (real * out, const real *x, size_t row, int rows, int n, bool accumulate))                   \
    /* out (n) = a (n) + b (n). out may be a or b. */                                              \
    X(void, add, (real * out, const real *a, const real *b, size_t n))                             \
    /* out (n) = factor x (n), or += if `accumulate`. out may be x. */                             \
    X(void, scale, (real * out, const real *x, real factor, size_t n, bool accumulate))            \
    /* GELU in its tanh form (Hendrycks and Gimpel 2016): */                                       \
    /* out (n) = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). */                                 \
    X(void, gelu, (real * out, const real *x, size_t n))                                           \
    /* Backward pass of gelu: dx (n) = dout gelu'(x), or += if `accumulate`. */                    \
    X(void, gelu_backward,                                                                         \
      (real * dx, const real *x, const real *dout, size_t n, bool accumulate))                     \
    /* Squared ReLU (So et al. 2021): out (n) = max(0, x)^2. */                                    \
    X(void, relu2, (real * out, const real *x, size_t n))                                          \
    /* Backward pass of relu2: dx (n) = dout 2 max(0, x), or += if `accumulate`. */                \
    X(void, relu2_backward,                                                                        \
      (real * dx, const real *x, const real *dout, size_t n, bool accumulate))                     \
    /* out (rows,n) = (x - mean) inverse [gain] [+ bias]: LayerNorm of each row. Also writes */    \
    /* mean (rows) and inverse (rows) = 1 / sqrt(variance + eps), for the backward pass. */        \
    /* gain (n) and bias (n) may be NULL. Ba et al. 2016. */                                       \
    X(void, layernorm,                                                                             \
      (real * out, real * mean, real * inverse, const real *x, const real *gain, const real *bias, \
       int rows, int n, real eps))                                                                 \
    /* Backward pass of layernorm for its input: dx (rows,n), or += if `accumulate`. */            \
    /* gain may be NULL. */                                                                        \
    X(void, layernorm_backward,                                                                    \
      (real * dx, const real *x, const real *mean, const real *inverse, const real *gain,          \
       const real *dout, int rows, int n, bool accumulate))                                        \
    /* out (rows,n) = x inverse [gain]: RMSNorm of each row. Also writes inverse (rows) = */       \
    /* 1 / sqrt(mean(x^2) + eps). gain (n) may be NULL. Zhang and Sennrich 2019. */                \
    X(void, rmsnorm,                                                                               \
      (real * out, real * inverse, const real *x, const real *gain, int rows, int n, real eps))    \
    /* Backward pass of rmsnorm for its input: dx (rows,n), or += if `accumulate`. */              \
    /* gain may be NULL. */                                                                        \
    X(void, rmsnorm_backward,                                                                      \
      (real * dx, const real *x, const real *inverse, const real *gain, const real *dout,          \
       int rows, int n, bool accumulate))                                                          \
    /* Backward pass of both norms for the gain: dgain (n) = sum over the rows of dout xhat, */    \
    /* or += if `accumulate`, with xhat = (x - mean) inverse. mean NULL means 0 (RMSNorm). */      \
    /* Rows of x and dout begin `row` numbers apart. */                                            \
    X(void, norm_gain_backward,                                                                    \
      (real * dgain, const real *x, const real *mean, const real *inverse, const real *dout,       \
       size_t row, int rows, int n, bool accumulate))                                              \
    /* Applies softmax_row, below, to every row of x (rows,n). */                                  \
    X(void, softmax_rows, (real * out, const real *x, real factor, int rows, int n))               \
    /* Causal attention of every head: probs (batch, heads, n_query, n_key) = softmax(q k^T / */   \
    /* sqrt(d)), 0 after the position of the query; out (batch, n_query, channels) = probs v. */   \
    /* Vaswani et al. 2017. */                                                                     \
    X(void, attention,                                                                             \
      (real * out, real * probs, const real *query, const real *key, const real *value,            \
       attention_shape s, real *workspace))                                                        \
    /* Gradients of attention for n_query = n_key: dquery, dkey and dvalue, with the row */        \
    /* strides of query, key and value. `scratch` has ATTENTION_BLOCK * n_key reals. */            \
    X(void, attention_backward,                                                                    \
      (real * dquery, real * dkey, real * dvalue, const real *probs, const real *query,            \
       const real *key, const real *value, const real *dout, attention_shape s, bool accumulate,   \
       real *scratch, real *workspace))

/* All kernels: the list above, then the kernels that only run on the calling thread. The last three
 * are called in jobs of train/optimizer.c, which divide the weights of all tensors. */
#define KERNEL_LIST(X)                                                                             \
    PARALLEL_KERNEL_LIST(X)                                                                        \
    /* out (n) = softmax(factor x) = exp(factor x - max) / sum, n >= 1; max is the largest */      \
    /* factor x, so exp cannot overflow. out may be x. */                                          \
    X(void, softmax_row, (real * out, const real *x, real factor, int n))                          \
    /* dx (n) = factor y (dout - sum(dout y)), or += if `accumulate`, where y is the output */     \
    /* of softmax_row for x and factor. dx may be dout unless `accumulate`. */                     \
    X(void, softmax_row_backward,                                                                  \
      (real * dx, const real *y, const real *dout, real factor, int n, bool accumulate))           \
    /* Returns the sum of the squares of x (n), in double. */                                      \
    X(double, sum_squares, (const real *x, size_t n))                                              \
    /* One AdamW step of n weights, g being the gradient times gradient_scale: */                  \
    /* m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2; */                              \
    /* w -= rate (m correction1 / (sqrt(v) correction2_rt + epsilon) + decay w). */                \
    /* Decoupled weight decay: Loshchilov and Hutter 2019. */                                      \
    X(void, adamw, (real * w, real * m, real * v, const real *g, size_t n, adamw_update u))        \
    /* Sets numbers of x (n) with |x| < KERNEL_TINY to 0. NaN stays NaN. */                        \
    X(void, drop_tiny, (real * x, size_t n))

#define KERNEL_DECLARE(type, name, arguments)                                                      \
    type name##_ref arguments;                                                                     \
    type name##_simd arguments;
KERNEL_LIST(KERNEL_DECLARE)
#undef KERNEL_DECLARE

/* Turns at most 12 parameters into members of a struct: MEMBERS(int a, int b) is `int a; int b;`
 * and ten empty members, which GCC and Clang ignore. */
// clang-format off
#define MEMBERS(...) MEMBERS_12(__VA_ARGS__, , , , , , , , , , , ,)
#define MEMBERS_12(a, b, c, d, e, f, g, h, i, j, k, l, ...) a; b; c; d; e; f; g; h; i; j; k; l;
// clang-format on

/* NAME_parallel runs NAME_simd with these arguments on several threads; with -DGPT_THREADS. */
#define KERNEL_DECLARE(type, name, arguments)                                                      \
    typedef struct name##_arguments {                                                              \
        MEMBERS arguments                                                                          \
    } name##_arguments;                                                                            \
    type name##_parallel(const name##_arguments *k);
PARALLEL_KERNEL_LIST(KERNEL_DECLARE)
#undef KERNEL_DECLARE

#if defined(GPT_REAL_DOUBLE) || defined(GPT_KERNELS_REF)
#define kernel(name)        name##_ref
#define parallel(name, ...) name##_ref(__VA_ARGS__)
#elif defined(GPT_THREADS)
#define kernel(name)        name##_simd
#define parallel(name, ...) name##_parallel(&(name##_arguments){__VA_ARGS__})
#else
#define kernel(name)        name##_simd
#define parallel(name, ...) name##_simd(__VA_ARGS__)
#endif

#endif
