/* ops_internal.h - the list of ops, and what the files ops_*.c share.
 *
 * Owns: the one place where an op is listed. Its passes are the functions NAME_forward and
 * NAME_backward in ops_*.c; one that is not listed here does not compile (-Wmissing-prototypes).
 */
#ifndef GLASSHOUSE_OPS_INTERNAL_H
#define GLASSHOUSE_OPS_INTERNAL_H

#include <assert.h>
#include <string.h>

#include "kernels/kernels.h"
#include "tape/ops.h"

/* X(name, scratch, constants): every op that computes something (op_reshape does not). `scratch`
 * returns how many reals the backward pass needs beside the gradients; NULL if it needs none.
 * `constants` fills in the numbers in the formula, or is NULL if it has none. */
#define TAPE_OP_LIST(X)                                                                            \
    X(embedding, NULL, NULL)                                                                       \
    X(positional, NULL, NULL)                                                                      \
    X(add, NULL, NULL)                                                                             \
    X(scale, NULL, scale_constants)                                                                \
    X(linear, NULL, NULL)                                                                          \
    X(linear_transposed, NULL, NULL)                                                               \
    X(matmul, NULL, NULL)                                                                          \
    X(layernorm, norm_scratch, norm_constants)                                                     \
    X(rmsnorm, norm_scratch, norm_constants)                                                       \
    X(gelu, NULL, gelu_constants)                                                                  \
    X(relu2, NULL, NULL)                                                                           \
    X(attention, attention_scratch, attention_constants)                                           \
    X(softmax, NULL, NULL)                                                                         \
    X(cross_entropy, NULL, cross_entropy_constants)                                                \
    X(slice, NULL, slice_constants)

#define TAPE_OP_DECLARE(name, scratch, constants)                                                  \
    void name##_forward(tape *t, tape_node *n);                                                    \
    void name##_backward(tape *t, tape_node *n);                                                   \
    extern const tape_op name##_op;
TAPE_OP_LIST(TAPE_OP_DECLARE)
#undef TAPE_OP_DECLARE
extern const tape_op reshape_op;

uint64_t norm_scratch(const tape_node *n);
uint64_t attention_scratch(const tape_node *n);

int scale_constants(const tape_node *n, op_constant *out);
int norm_constants(const tape_node *n, op_constant *out);
int gelu_constants(const tape_node *n, op_constant *out);
int attention_constants(const tape_node *n, op_constant *out);
int cross_entropy_constants(const tape_node *n, op_constant *out);
int slice_constants(const tape_node *n, op_constant *out);

/* A node of a given shape whose first input is `x`; NULL when there is no x or no memory. */
static inline tape_node *record_shape(tape *t, const tape_op *op, const char *name, tensor *x,
                                      int dims, const int *shape) {
    tape_node *n = x ? tape_record(t, op, name, dims, shape) : NULL;
    if (n) {
        n->in[0] = x;
    }
    return n;
}

/* The same with the shape of `x`. */
static inline tape_node *record_like(tape *t, const tape_op *op, const char *name, tensor *x) {
    return x ? record_shape(t, op, name, x, x->dims, x->shape) : NULL;
}

/* The same with the shape (...,width) for x (...,any). */
static inline tape_node *record_rows(tape *t, const tape_op *op, const char *name, tensor *x,
                                     int width) {
    if (!x) {
        return NULL;
    }
    int shape[TENSOR_DIMS];
    memcpy(shape, x->shape, sizeof shape);
    shape[x->dims - 1] = width;
    return record_shape(t, op, name, x, x->dims, shape);
}

static inline void clear(real *x, uint64_t n) {
    memset(x, 0, (size_t)n * sizeof(real));
}

static inline bool wants_grad(const tensor *x) {
    return x && x->requires_grad;
}

#endif
