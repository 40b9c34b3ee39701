/* ops.h - the operations a model is written in.
 *
 * Each computes its output, records itself on the tape, and has its backward pass beside it in
 * ops_*.c. `name` labels the output for viewers. All return NULL when memory ran out or an input is
 * NULL. Shapes: B batch, T time, C channels, H heads, V vocabulary, K inputs, N outputs; (...,C)
 * means any leading dimensions.
 */
#ifndef GLASSHOUSE_OPS_H
#define GLASSHOUSE_OPS_H

#include "tape/tape.h"

/* Target id of a padded position: it counts in neither the loss nor its gradient. */
enum { NO_TARGET = -1 };

/* out (B,T,C) = table[ids]: rows of table (V,C); ids (B,T) borrowed until the tape is rewound. */
tensor *op_embedding(tape *t, const char *name, tensor *table, const int32_t *ids, int B, int T);

/* out (B,T,C) = x (B,T,C) + table[first + time] for the learned positions table (Tmax,C). */
tensor *op_positional(tape *t, const char *name, tensor *x, tensor *table, int first);

/* out = a + b, same shape. */
tensor *op_add(tape *t, const char *name, tensor *a, tensor *b);

/* out = x * factor. */
tensor *op_scale(tape *t, const char *name, tensor *x, real factor);

/* out (...,N) = x (...,K) w (K,N) + bias (N); bias may be NULL. */
tensor *op_linear(tape *t, const char *name, tensor *x, tensor *w, tensor *bias);

/* out (...,N) = x (...,K) w^T + bias for w (N,K): a head, tied to the token table or its own. */
tensor *op_linear_transposed(tape *t, const char *name, tensor *x, tensor *w, tensor *bias);

/* out (M,N) = a (M,K) b (K,N). */
tensor *op_matmul(tape *t, const char *name, tensor *a, tensor *b);

/* out = LayerNorm of the last dimension; gain (C) and bias (C) may be NULL. */
tensor *op_layernorm(tape *t, const char *name, tensor *x, tensor *gain, tensor *bias, real eps);

/* out = RMSNorm of the last dimension; gain (C) may be NULL. */
tensor *op_rmsnorm(tape *t, const char *name, tensor *x, tensor *gain, real eps);

/* out = GELU (tanh form), squared ReLU: element by element. */
tensor *op_gelu(tape *t, const char *name, tensor *x);
tensor *op_relu2(tape *t, const char *name, tensor *x);

/* out (B,T,C) = causal attention of `heads` heads over the packed qkv (B,T,3C); the
 * probabilities (B,H,T,T) are kept. With a cache (B = 1, no gradients) the T new keys and values
 * are stored at positions first, first+1, ... and the queries see every position up to their
 * own; the probabilities are then (1,H,T,first+T). */
tensor *op_attention(tape *t, const char *name, tensor *qkv, int heads,
                     const attention_cache *cache, int first);

/* out = softmax over the last dimension. `causal`: x (T,T), row i over its first i+1 columns, the
 * rest 0. */
tensor *op_softmax(tape *t, const char *name, tensor *x, bool causal);

/* out (1) = mean over the rows with a target of -ln softmax(logits)[target], for logits (...,V) and
 * as many targets; the probabilities are kept. */
tensor *op_cross_entropy(tape *t, const char *name, tensor *logits, const int32_t *targets);

/* The same numbers in another shape: a view, data and gradient shared. */
tensor *op_reshape(tape *t, const char *name, tensor *x, int dims, const int *shape);

/* out (...,width) = columns first .. first+width-1 of x (...,C), copied. */
tensor *op_slice(tape *t, const char *name, tensor *x, int first, int width);

/* The list of all ops, for documentation and tests that must miss none; NULL-terminated. */
extern const tape_op *const TAPE_OPS[];

#endif
