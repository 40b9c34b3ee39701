/* ops.h - the operations that models are written in: each computes its output and records itself on
 * the tape.
 *
 * `name` labels the output for viewers and is borrowed until the tape is rewound. Every op returns
 * NULL if memory ran out, or if an input is NULL because another op failed; so a model is written
 * as a chain of calls and checked once at its end. Shapes: B batch, T time, C channels, H heads, V
 * vocabulary, K inputs, N outputs; (...,C) means any leading dimensions. Formulas and backward
 * passes are in ops_*.c.
 */
#ifndef GLASSHOUSE_OPS_H
#define GLASSHOUSE_OPS_H

#include "tape/tape.h"

/* Target of a position that contributes to neither the loss nor its gradient, such as padding. */
enum { NO_TARGET = -1 };

/* out (B,T,C) = table[ids]: the row of table (V,C) for each id of ids (B,T), 0 <= id < V. ids are
 * borrowed until the tape is rewound. */
tensor *op_embedding(tape *t, const char *name, tensor *table, const int32_t *ids, int B, int T);

/* out (B,T,C) = x (B,T,C) + rows first .. first+T-1 of table (Tmax,C), the learned positions.
 * `first` is the position of the first token of x; first + T <= Tmax. */
tensor *op_positional(tape *t, const char *name, tensor *x, tensor *table, int first);

/* out = a + b, for equal shapes. */
tensor *op_add(tape *t, const char *name, tensor *a, tensor *b);

/* out = x * factor. */
tensor *op_scale(tape *t, const char *name, tensor *x, real factor);

/* out (...,N) = x (...,K) w (K,N) + bias (N); bias may be NULL. */
tensor *op_linear(tape *t, const char *name, tensor *x, tensor *w, tensor *bias);

/* out (...,N) = x (...,K) w^T + bias (N) for w (N,K), the layout of a token table. Computes logits,
 * with the token table itself as w if the model's head is tied. bias may be NULL. */
tensor *op_linear_transposed(tape *t, const char *name, tensor *x, tensor *w, tensor *bias);

/* out (M,N) = a (M,K) b (K,N); a and b are different tensors. */
tensor *op_matmul(tape *t, const char *name, tensor *a, tensor *b);

/* out (...,C) = LayerNorm of x (...,C) over the last dimension; gain (C) and bias (C) may be NULL.
 * eps is added to the variance. */
tensor *op_layernorm(tape *t, const char *name, tensor *x, tensor *gain, tensor *bias, real eps);

/* out (...,C) = RMSNorm of x (...,C) over the last dimension; gain (C) may be NULL. eps is added to
 * the mean square. */
tensor *op_rmsnorm(tape *t, const char *name, tensor *x, tensor *gain, real eps);

/* op_gelu: out = GELU (tanh form) of each element of x. op_relu2: out = squared ReLU of each
 * element. */
tensor *op_gelu(tape *t, const char *name, tensor *x);
tensor *op_relu2(tape *t, const char *name, tensor *x);

/* out (B,T,C) = causal attention of `heads` heads. A row of qkv (B,T,3C) is query, key and value
 * side by side; head h uses columns h C/H .. (h+1) C/H - 1 of each. Keeps the probabilities
 * (B,H,T,T). `cache` NULL: the sequence begins at position 0, and `first` is ignored. With a cache
 * (B = 1, no gradients), `first` is the position of the first of the T tokens, first + T <=
 * capacity: writes their keys and values to positions first .. first+T-1 of the cache; queries
 * attend to all positions up to their own, and the probabilities are (1,H,T,first+T). The cache's
 * arrays are borrowed until the tape is rewound. */
tensor *op_attention(tape *t, const char *name, tensor *qkv, int heads,
                     const attention_cache *cache, int first);

/* out = softmax of x over the last dimension. `causal`: for x (T,T), softmax of row i over its
 * first i+1 columns; the other columns of out are 0. */
tensor *op_softmax(tape *t, const char *name, tensor *x, bool causal);

/* out (1) = mean of -ln softmax(logits)[target] over all rows with a target, in nats; 0 if no row
 * has one. logits (...,V); `targets` has one id per row, 0 .. V-1 or NO_TARGET, and is borrowed
 * until the tape is rewound. Keeps the probabilities and the loss of each row (0 without a
 * target). */
tensor *op_cross_entropy(tape *t, const char *name, tensor *logits, const int32_t *targets);

/* out = x in another shape of equal size: a view that shares data and gradient with x. */
tensor *op_reshape(tape *t, const char *name, tensor *x, int dims, const int *shape);

/* out (...,width) = a copy of columns first .. first+width-1 of x (...,C). */
tensor *op_slice(tape *t, const char *name, tensor *x, int first, int width);

/* All ops, ended by NULL, for tests and documentation that must cover every op. */
extern const tape_op *const TAPE_OPS[];

#endif
