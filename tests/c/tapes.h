/* tapes.h - helpers of the op tests: a tape in its own arena, random parameters, a scalar loss. */
#ifndef GLASSHOUSE_TAPES_H
#define GLASSHOUSE_TAPES_H

#include "kernels/kernels.h"
#include "numbers.h"
#include "tape/ops.h"

enum { BENCH_NODES = 400 };

typedef struct bench {
    arena memory;
    tape t;
} bench;

/* Opens a tape for BENCH_NODES nodes, in an arena for `reals` numbers and the workspace of gemm. */
static inline bool bench_open(bench *b, uint64_t reals) {
    return CHECK_INT(arena_open(&b->memory, (reals + GEMM_WORKSPACE) * sizeof(real), NULL),
                     GPT_OK) &&
           CHECK_INT(tape_open(&b->t, &b->memory, BENCH_NODES, NULL), GPT_OK);
}

static inline void bench_close(bench *b) {
    tape_close(&b->t);
    arena_close(&b->memory);
}

/* Returns a parameter of random numbers; free it with free_parameter. `trained`: the parameter has
 * a gradient array, filled with 7s that a backward pass must overwrite. */
static inline tensor random_parameter(int dims, const int *shape, uint64_t seed, bool trained) {
    size_t size = 1;
    for (int i = 0; i < dims; i++) size *= (size_t)shape[i];
    return tensor_of("x", random_array(size, seed), trained ? constant_array(size, R(7.0)) : NULL,
                     dims, shape);
}

static inline void free_parameter(tensor *x) {
    free(x->data);
    free(x->grad);
}

/* Returns the sum over i of x_i weights_i, a scalar (1) whose gradient with respect to x is
 * `weights`. The caller fills `weights` with at least x->size random numbers; this function sets
 * its shape. */
static inline tensor *weighted_sum(tape *t, tensor *x, tensor *weights) {
    int size = (int)x->size;
    weights->dims = 2;
    weights->shape[0] = size;
    weights->shape[1] = 1;
    weights->size = x->size;
    tensor *row = op_reshape(t, "row", x, 2, (int[]){1, size});
    return op_reshape(t, "sum", op_matmul(t, "dot", row, weights), 1, (int[]){1});
}

#endif
