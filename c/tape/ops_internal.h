/* ops_internal.h - the list of ops, and helpers shared by the files ops_*.c.
 *
 * The list is the one place that names every op; the passes of an op are NAME_forward and
 * NAME_backward in ops_*.c. A pass of an op that is not listed does not compile
 * (-Wmissing-prototypes); a listed op without its passes does not link.
 */
#ifndef GLASSHOUSE_OPS_INTERNAL_H
#define GLASSHOUSE_OPS_INTERNAL_H

#include <assert.h>
#include <string.h>

#include "kernels/kernels.h"
#include "tape/ops.h"

/* X(name, scratch, constants): every op that computes something (all but op_reshape). `scratch` is
 * a function that returns the size in reals of the scratch memory of the backward pass, `constants`
 * a function that writes the constants of the op's formula. Each is NULL for an op without scratch
 * or constants. */
#define TAPE_OP_LIST(X)                                                                            \
    X(embedding, NULL, NULL)                                                                       \
    X(positional, NULL, NULL)                                                                      \
    X(add, NULL, NULL)                                                                             \
    X(scale, NULL, scale_constants)                                                                \
    X(linear, NULL, NULL)                                                                          \
    X(linear_transposed, NULL, NULL)                                                               \
    X(matmul, NULL, NULL)                                                                          \
    X(layernorm, NULL, norm_constants)                                                             \
    X(rmsnorm, NULL, norm_constants)                                                               \
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

uint64_t attention_scratch(const tape_node *n);

int scale_constants(const tape_node *n, op_constant *out);
int norm_constants(const tape_node *n, op_constant *out);
int gelu_constants(const tape_node *n, op_constant *out);
int attention_constants(const tape_node *n, op_constant *out);
int cross_entropy_constants(const tape_node *n, op_constant *out);
int slice_constants(const tape_node *n, op_constant *out);

/* Records a node with first input `x` and an output of the given shape. NULL if x is NULL or memory
 * ran out. */
static inline tape_node *record_shape(tape *t, const tape_op *op, const char *name, tensor *x,
                                      int dims, const int *shape) {
    tape_node *n = x ? tape_record(t, op, name, dims, shape) : NULL;
    if (n) {
        n->in[0] = x;
    }
    return n;
}

/* Records a node with first input `x` and an output of the same shape. NULL if x is NULL or memory
 * ran out. */
static inline tape_node *record_like(tape *t, const tape_op *op, const char *name, tensor *x) {
    return x ? record_shape(t, op, name, x, x->dims, x->shape) : NULL;
}

/* Records a node with first input `x` and an output of the shape of x, but with `width` as its last
 * dimension. NULL if x is NULL or memory ran out. */
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

/* True if a backward pass must compute the gradient of x. False also for NULL, an absent input. */
static inline bool wants_grad(const tensor *x) {
    return x && x->requires_grad;
}

#endif
