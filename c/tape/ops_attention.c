/* ops_attention.c - ops that compute probabilities: causal attention, softmax and cross-entropy.
 *
 * Shapes and arguments are in ops.h. In the formulas of backward passes, dout is the gradient of
 * the op's output and dx the gradient of its input x (in[i]->grad). "dx +=" means: the first node
 * that contributes to dx sets it, later nodes add to it (n->add[i]).
 */
#include <string.h>

#include "base/numeric.h"
#include "tape/ops_internal.h"

/* ---- attention: out = softmax(q k^T / sqrt(d)) v for every head ------------------------------ */

/* Shapes of the call of the attention kernel. Query, key and value begin at columns 0, C and 2C of
 * rows of 3C numbers. With a cache, keys and values are rows 0 .. first+T-1 of the cache, of C
 * numbers each; `first` is the position of the first new token. */
static attention_shape shape_of(const tape_node *n) {
    int T = n->out->shape[1], C = n->out->shape[2];
    size_t packed = 3 * (size_t)C;
    if (n->cache.key) {
        return (attention_shape){1, T, n->first + T, C, n->heads, packed, (size_t)C, (size_t)C};
    }
    return (attention_shape){n->out->shape[0], T, T, C, n->heads, packed, packed, packed};
}

/* Copies the keys and values of the T new tokens into the cache, at positions first ..
 * first+T-1. */
static void store_in_cache(tape_node *n, const attention_shape *s) {
    size_t C = (size_t)s->channels;
    for (size_t i = 0; i < (size_t)s->n_query; i++) {
        const real *row = n->in[0]->data + i * 3 * C;
        size_t at = ((size_t)n->first + i) * C;
        memcpy(n->cache.key + at, row + C, C * sizeof(real));
        memcpy(n->cache.value + at, row + 2 * C, C * sizeof(real));
    }
}

/* probs (B,H,T,keys) = softmax(q k^T / sqrt(d)), causal; out (B,T,C) = probs v. Without a cache,
 * `keys` is T; with a cache it is first + T, where `first` is the number of tokens already in the
 * cache. */
void attention_forward(tape *t, tape_node *n) {
    attention_shape s = shape_of(n);
    const real *qkv = n->in[0]->data, *key = qkv + s.channels, *value = key + s.channels;
    if (n->cache.key) {
        store_in_cache(n, &s);
        key = n->cache.key;
        value = n->cache.value;
    }
    parallel(attention, n->out->data, n->kept[0]->data, qkv, key, value, s, t->workspace);
}

/* Gradients of every head, from dout (B,T,C) and the kept probabilities p. Query i sees the keys
 * j <= i (derivation at attend_backward in kernels/kernels_ref.c):
 *   dp_ij = dout_i . v_j
 *   dv_j += sum over i >= j of p_ij dout_i
 *   ds_ij = p_ij (dp_ij - sum over l <= i of dp_il p_il)
 *   dq_i += sum over j <= i of ds_ij k_j / sqrt(d)
 *   dk_j += sum over i >= j of ds_ij q_i / sqrt(d)
 * dq, dk and dv begin at columns 0, C and 2C of dqkv (B,T,3C). */
void attention_backward(tape *t, tape_node *n) {
    attention_shape s = shape_of(n);
    const real *qkv = n->in[0]->data;
    real *dqkv = n->in[0]->grad;
    size_t C = (size_t)s.channels;
    parallel(attention_backward, dqkv, dqkv + C, dqkv + 2 * C, n->kept[0]->data, qkv, qkv + C,
             qkv + 2 * C, n->out->grad, s, n->add[0], n->scratch, t->workspace);
}

uint64_t attention_scratch(const tape_node *n) {
    return ATTENTION_BLOCK * (uint64_t)n->out->shape[1];
}

int attention_constants(const tape_node *n, op_constant *out) {
    int d = tensor_last(n->out) / n->heads;
    out[0] = (op_constant){"heads", n->heads};
    out[1] = (op_constant){"scale", 1.0 / __builtin_sqrt((double)d)};
    return 2;
}

tensor *op_attention(tape *t, const char *name, tensor *qkv, int heads,
                     const attention_cache *cache, int first) {
    if (!qkv) {
        return NULL;
    }
    assert(qkv->dims == 3 && qkv->shape[2] % (3 * heads) == 0);
    assert(!cache || (qkv->shape[0] == 1 && first + qkv->shape[1] <= cache->capacity));
    tape_node *n = record_rows(t, &attention_op, name, qkv, qkv->shape[2] / 3);
    if (!n) {
        return NULL;
    }
    n->heads = heads;
    if (cache) {
        n->cache = *cache;
        n->first = first;
    }
    int keys = (cache ? first : 0) + qkv->shape[1];
    n->kept[0] = tape_tensor(t, "attn.probs", 4,
                             (int[]){qkv->shape[0], heads, qkv->shape[1], keys});
    return n->kept[0] ? tape_run(t, n) : NULL;
}

/* ---- softmax: y = exp(x - max) / sum --------------------------------------------------------- */

/* Number of columns that softmax runs over: the first i+1 of row i if causal, otherwise all. */
static int visible_columns(const tape_node *n, int row) {
    return n->causal ? row + 1 : tensor_last(n->out);
}

void softmax_forward(tape *t, tape_node *n) {
    (void)t;
    int width = tensor_last(n->out);
    for (int r = 0; r < tensor_rows(n->out); r++) {
        size_t at = (size_t)r * (size_t)width;
        int seen = visible_columns(n, r);
        kernel(softmax_row)(n->out->data + at, n->in[0]->data + at, R(1.0), seen);
        clear(n->out->data + at + seen, (size_t)(width - seen));
    }
}

/* dx += y (dout - sum(dout y)), with the sum over the visible columns of the row (derivation in
 * kernels/kernels_ref.c). The other columns do not affect y: their gradient is 0. */
void softmax_backward(tape *t, tape_node *n) {
    (void)t;
    int width = tensor_last(n->out);
    for (int r = 0; r < tensor_rows(n->out); r++) {
        size_t at = (size_t)r * (size_t)width;
        int seen = visible_columns(n, r);
        kernel(softmax_row_backward)(n->in[0]->grad + at, n->out->data + at, n->out->grad + at,
                                     R(1.0), seen, n->add[0]);
        if (!n->add[0]) {
            clear(n->in[0]->grad + at + seen, (size_t)(width - seen));
        }
    }
}

tensor *op_softmax(tape *t, const char *name, tensor *x, bool causal) {
    tape_node *n = record_like(t, &softmax_op, name, x);
    if (!n) {
        return NULL;
    }
    assert(!causal || (x->dims == 2 && x->shape[0] == x->shape[1]));
    n->causal = causal;
    return tape_run(t, n);
}

/* ---- cross_entropy: mean of -ln p[target], p = softmax(logits) ------------------------------- */

/* Added to a probability before the logarithm, because float may have rounded it to 0. The gradient
 * ignores this constant. */
static const double LEAST_PROBABILITY = 1e-30;

int cross_entropy_constants(const tape_node *n, op_constant *out) {
    (void)n;
    out[0] = (op_constant){"epsilon", LEAST_PROBABILITY};
    return 1;
}

/* N in the formulas of cross-entropy: number of rows with a target; 1 if no row has a target, so
 * that the mean is 0, not NaN. */
static int count_targets(const tape_node *n) {
    int count = 0;
    for (int r = 0; r < tensor_rows(n->in[0]); r++) {
        count += n->ids[r] != NO_TARGET;
    }
    return count ? count : 1;
}

/* L = 1/N sum over rows r with a target y_r of -ln p[r][y_r]. Sums in double, in the order of the
 * rows. kept[0] = p (...,V), kept[1] = loss of each row. */
void cross_entropy_forward(tape *t, tape_node *n) {
    (void)t;
    int V = tensor_last(n->in[0]);
    double sum = 0.0;
    parallel(softmax_rows, n->kept[0]->data, n->in[0]->data, R(1.0), tensor_rows(n->in[0]), V);
    for (int r = 0; r < tensor_rows(n->in[0]); r++) {
        size_t at = (size_t)r * (size_t)V;
        if (n->ids[r] == NO_TARGET) {
            n->kept[1]->data[r] = R(0.0);
            continue;
        }
        real p = n->kept[0]->data[at + (size_t)n->ids[r]];
        // NaN stays NaN: num_log is only defined for numbers above 0
        double loss = p == p ? -num_log((double)p + LEAST_PROBABILITY) : (double)p;
        n->kept[1]->data[r] = (real)loss;
        sum += loss;
    }
    n->out->data[0] = (real)(sum / count_targets(n));
}

/* The loss of a row with logits z and target y is -ln p[y] = -z[y] + ln sum_v exp(z[v]). Its
 * derivative with respect to z[v] is p[v] - [v = y], where [v = y] is 1 if v = y, otherwise 0.
 * The mean divides by N, so for every row r with a target y_r
 *   dz[r][v] += (dL/N) (p[r][v] - [v = y_r])
 * and dz[r][v] += 0 for rows without a target. */
void cross_entropy_backward(tape *t, tape_node *n) {
    (void)t;
    size_t V = (size_t)tensor_last(n->in[0]);
    int rows = tensor_rows(n->in[0]);
    real weight = n->out->grad[0] / (real)count_targets(n);
    // One kernel call for each group of consecutive rows that all have a target, or that all lack
    // one. Usually all rows form one group.
    for (int r = 0, end; r < rows; r = end) {
        bool counts = n->ids[r] != NO_TARGET;
        for (end = r + 1; end < rows && (n->ids[end] != NO_TARGET) == counts; end++) {}
        real *d = n->in[0]->grad + (size_t)r * V;
        parallel(scale, d, n->kept[0]->data + (size_t)r * V, counts ? weight : R(0.0),
                 (size_t)(end - r) * V, n->add[0]);
        for (int i = r; i < end && counts; i++, d += V) {
            d[n->ids[i]] -= weight;
        }
    }
}

tensor *op_cross_entropy(tape *t, const char *name, tensor *logits, const int32_t *targets) {
    tape_node *n = record_shape(t, &cross_entropy_op, name, logits, 1, (int[]){1});
    if (!n) {
        return NULL;
    }
    n->ids = targets;
    n->kept[0] = tape_tensor(t, "probs", logits->dims, logits->shape);
    n->kept[1] = tape_tensor(t, "token_loss", 1, (int[]){tensor_rows(logits)});
    return n->kept[0] && n->kept[1] ? tape_run(t, n) : NULL;
}
