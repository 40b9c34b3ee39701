/* tapes.h - a tape over an arena of its own, parameters to compute with, and a scalar loss. */
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

/* Room for `reals` numbers beside the workspace of gemm. */
static inline bool bench_open(bench *b, uint64_t reals) {
    return CHECK_INT(arena_open(&b->memory, (reals + GEMM_WORKSPACE) * sizeof(real), NULL),
                     GPT_OK) &&
           CHECK_INT(tape_open(&b->t, &b->memory, BENCH_NODES, NULL), GPT_OK);
}

static inline void bench_close(bench *b) {
    tape_close(&b->t);
    arena_close(&b->memory);
}

/* A parameter with random numbers (`seed`); `trained`: with a gradient. Free it with
 * free_parameter. */
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

/* sum of x * weights, where weights are fixed random numbers: a scalar that every element moves.
 * `weights` (at least x->size) belongs to the caller. */
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
