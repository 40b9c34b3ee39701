/* ops_internal.h - what the files ops_*.c share: declaring an op and taking its shape from an input. */
#ifndef GLASSHOUSE_OPS_INTERNAL_H
#define GLASSHOUSE_OPS_INTERNAL_H

#include <assert.h>
#include <string.h>

#include "kernels/kernels.h"
#include "tape/ops.h"

/* A node whose output has the shape of `x`; NULL when there is no x or no memory. */
static inline tape_node *record_like(tape *t, const tape_op *op, const char *name,
                                     const tensor *x) {
    return x ? tape_record(t, op, name, x->dims, x->shape) : NULL;
}

/* A node whose output is (...,width) for x (...,any). */
static inline tape_node *record_rows(tape *t, const tape_op *op, const char *name, const tensor *x,
                                     int width) {
    if (!x) {
        return NULL;
    }
    int shape[TENSOR_DIMS];
    for (int i = 0; i < x->dims; i++) {
        shape[i] = x->shape[i];
    }
    shape[x->dims - 1] = width;
    return tape_record(t, op, name, x->dims, shape);
}

/* Sets n numbers to zero, and counts it: first use sets a gradient wherever it can, so that few are
 * cleared before. */
static inline void clear(tape *t, real *x, uint64_t n) {
    memset(x, 0, (size_t)n * sizeof(real));
    t->cleared += n * sizeof(real);
}

static inline bool wants_grad(const tensor *x) {
    return x && x->requires_grad;
}

#endif
