/* kernels_ref.c - the definition of every kernel: scalar, over `real`, as simple as the formula.
 *
 * Contracts and shapes are in kernels.h. Tests compare the SIMD kernels with these functions, and
 * the double-precision build of these functions with central differences.
 *
 * In the comments of backward passes, dNAME is the derivative of the loss with respect to NAME, so
 * dx has the shape of x. Chain rule: dx_i = sum over all outputs j of dout_j (d out_j / d x_i).
 */
#include <string.h>

#include "kernels/kernels.h"
#include "base/numeric.h"

/* Writes `value` to *out, or adds it to *out if `accumulate`. */
static void put(real *out, real value, bool accumulate) {
    *out = accumulate ? *out + value : value;
}

/* out_ij = start + sum over l < k of a_il b_lj, where start is out_ij, bias_j or 0. Swapped strides
 * transpose a or b, so the backward pass of a linear layer is two more calls (tape/ops_dense.c). */
void gemm_ref(real *out, size_t out_row, matrix a, matrix b, const real *bias, int m, int n, int k,
              bool accumulate, real *workspace) {
    (void)workspace;
    for (size_t i = 0; i < (size_t)m; i++) {
        for (size_t j = 0; j < (size_t)n; j++) {
            real sum = accumulate ? out[i * out_row + j] : bias ? bias[j] : R(0.0);
            for (size_t l = 0; l < (size_t)k; l++) {
                sum += a.data[i * a.row + l * a.column] * b.data[l * b.row + j * b.column];
            }
            out[i * out_row + j] = sum;
        }
    }
}

/* A bias is added to every row, so its gradient is the sum over all rows i: out_j = sum_i x_ij. */
void column_sums_ref(real *out, const real *x, size_t row, int rows, int n, bool accumulate) {
    for (int j = 0; j < n; j++) {
        real sum = accumulate ? out[j] : R(0.0);
        for (int i = 0; i < rows; i++) {
            sum += x[(size_t)i * row + (size_t)j];
        }
        out[j] = sum;
    }
}

void add_ref(real *out, const real *a, const real *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = a[i] + b[i];
    }
}

void scale_ref(real *out, const real *x, real factor, size_t n, bool accumulate) {
    for (size_t i = 0; i < n; i++) {
        put(&out[i], x[i] * factor, accumulate);
    }
}

/* gate(x) = (1 + tanh(u)) / 2 with u = sqrt(2/pi) (x + 0.044715 x^3). The code computes 1 / (1 +
 * exp(-2u)), which is equal: one exponential and no cancellation. For u below GELU_SHUT the gate is
 * 0 (tanh rounds to -1 long before): gates of 1e-39 would fill the gradients with denormal numbers,
 * which processors multiply some twenty times more slowly. */
static real gelu_gate(real x) {
    real u = GELU_SCALE * (x + GELU_CUBIC * (x * x * x));
    return u < GELU_SHUT ? R(0.0) : R(1.0) / (R(1.0) + real_exp(R(-2.0) * u));
}

/* out = x gate(x). */
void gelu_ref(real *out, const real *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = x[i] * gelu_gate(x[i]);
    }
}

/* d out / d x = gate + x (d gate / d u) (d u / d x), by the product and the chain rule, with
 *   d gate / d u = 2 gate (1 - gate)                  (the gate is the logistic function of 2u)
 *   d u / d x    = sqrt(2/pi) (1 + 3 * 0.044715 x^2). */
void gelu_backward_ref(real *dx, const real *x, const real *dout, size_t n, bool accumulate) {
    for (size_t i = 0; i < n; i++) {
        real gate = gelu_gate(x[i]);
        real du = GELU_SCALE * (R(1.0) + R(3.0) * GELU_CUBIC * (x[i] * x[i]));
        real slope = gate + x[i] * (R(2.0) * gate * (R(1.0) - gate)) * du;
        put(&dx[i], dout[i] * slope, accumulate);
    }
}

/* out = x^2 for x > 0, otherwise 0. */
void relu2_ref(real *out, const real *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = x[i] > R(0.0) ? x[i] * x[i] : R(0.0);
    }
}

/* d out / d x = 2x for x > 0, otherwise 0. */
void relu2_backward_ref(real *dx, const real *x, const real *dout, size_t n, bool accumulate) {
    for (size_t i = 0; i < n; i++) {
        put(&dx[i], x[i] > R(0.0) ? R(2.0) * x[i] * dout[i] : R(0.0), accumulate);
    }
}

/* LayerNorm of each row x (n):
 *   mu = mean(x),  inv = 1 / sqrt(mean((x - mu)^2) + eps)
 *   out_i = xhat_i gain_i + bias_i  with  xhat_i = (x_i - mu) inv
 * The backward pass needs x and, of each row, only the two numbers mu and inv. */
void layernorm_ref(real *out, real *mean, real *inverse, const real *x, const real *gain,
                   const real *bias, int rows, int n, real eps) {
    for (int r = 0; r < rows; r++, x += n, out += n) {
        // pass 1: the mean
        real sum = R(0.0);
        for (int i = 0; i < n; i++) {
            sum += x[i];
        }
        real mu = sum / (real)n;
        // pass 2: the variance (divided by n, not n - 1)
        real squares = R(0.0);
        for (int i = 0; i < n; i++) {
            squares += (x[i] - mu) * (x[i] - mu);
        }
        real inv = R(1.0) / real_sqrt(squares / (real)n + eps);
        // pass 3: normalise, then scale by gain and shift by bias
        for (int i = 0; i < n; i++) {
            real y = (x[i] - mu) * inv;
            y = gain ? y * gain[i] : y;
            out[i] = bias ? y + bias[i] : y;
        }
        mean[r] = mu;
        inverse[r] = inv;
    }
}

/* Backward pass of layernorm_ref. g_i = dout_i gain_i is the derivative of the loss with respect to
 * xhat_i. Each x_i affects the loss in three ways, whose derivatives add up:
 *   directly, mu and inv fixed:                       inv g_i
 *   through mu, in every xhat_j, d mu / d x_i = 1/n:  -inv (1/n) sum_j g_j
 *   through inv, d inv / d x_i = -inv^2 xhat_i / n:   -inv xhat_i (1/n) sum_j g_j xhat_j
 * So dx_i = inv (g_i - mean(g) - xhat_i mean(g xhat)), with means over the row. */
void layernorm_backward_ref(real *dx, const real *x, const real *mean, const real *inverse,
                            const real *gain, const real *dout, int rows, int n, bool accumulate) {
    for (int r = 0; r < rows; r++, x += n, dout += n, dx += n) {
        // pass 1: mean(g) and mean(g xhat) of the row
        real sum = R(0.0);
        real dot = R(0.0);
        for (int i = 0; i < n; i++) {
            real xhat = (x[i] - mean[r]) * inverse[r];
            real g = gain ? dout[i] * gain[i] : dout[i];
            sum += g;
            dot += g * xhat;
        }
        real mean_g = sum / (real)n;
        real mean_gx = dot / (real)n;
        // pass 2: dx of the row
        for (int i = 0; i < n; i++) {
            real xhat = (x[i] - mean[r]) * inverse[r];
            real g = gain ? dout[i] * gain[i] : dout[i];
            put(&dx[i], inverse[r] * ((g - mean_g) - xhat * mean_gx), accumulate);
        }
    }
}

/* RMSNorm of each row x (n): LayerNorm without the mean and without a bias.
 *   inv = 1 / sqrt(mean(x^2) + eps),  out_i = x_i inv gain_i */
void rmsnorm_ref(real *out, real *inverse, const real *x, const real *gain, int rows, int n,
                 real eps) {
    for (int r = 0; r < rows; r++, x += n, out += n) {
        real squares = R(0.0);
        for (int i = 0; i < n; i++) {
            squares += x[i] * x[i];
        }
        real inv = R(1.0) / real_sqrt(squares / (real)n + eps);
        for (int i = 0; i < n; i++) {
            real y = x[i] * inv;
            out[i] = gain ? y * gain[i] : y;
        }
        inverse[r] = inv;
    }
}

/* Backward pass of rmsnorm_ref. With g_i = dout_i gain_i, each x_i affects the loss in two ways:
 *   directly, inv fixed:                             inv g_i
 *   through inv, d inv / d x_i = -inv^3 x_i / n:     -(inv^3 x_i / n) sum_j g_j x_j
 * So dx_i = inv g_i - x_i inv^3 mean(g x), with the mean over the row. */
void rmsnorm_backward_ref(real *dx, const real *x, const real *inverse, const real *gain,
                          const real *dout, int rows, int n, bool accumulate) {
    for (int r = 0; r < rows; r++, x += n, dout += n, dx += n) {
        // pass 1: sum_j g_j x_j of the row
        real dot = R(0.0);
        for (int i = 0; i < n; i++) {
            real g = gain ? dout[i] * gain[i] : dout[i];
            dot += g * x[i];
        }
        real inv = inverse[r];
        real pull = inv * inv * inv / (real)n * dot;
        // pass 2: dx of the row
        for (int i = 0; i < n; i++) {
            real g = gain ? dout[i] * gain[i] : dout[i];
            put(&dx[i], inv * g - pull * x[i], accumulate);
        }
    }
}

/* All rows share gain, so dgain_i = sum over rows of dout_i xhat_i. Row 0 overwrites dgain unless
 * it accumulates. (All rows share bias too: dbias is column_sums of dout.) */
void norm_gain_backward_ref(real *dgain, const real *x, const real *mean, const real *inverse,
                            const real *dout, size_t row, int rows, int n, bool accumulate) {
    for (size_t r = 0; r < (size_t)rows; r++) {
        real mu = mean ? mean[r] : R(0.0);
        for (size_t i = 0; i < (size_t)n; i++) {
            real xhat = (x[r * row + i] - mu) * inverse[r];
            put(&dgain[i], dout[r * row + i] * xhat, accumulate || r > 0);
        }
    }
}

/* y_i = exp(z_i) / sum_j exp(z_j) with z = factor x. Subtracting max(z) from every z changes no y_i
 * and keeps every exponential at or below 1. */
void softmax_row_ref(real *out, const real *x, real factor, int n) {
    // pass 1: the maximum
    real highest = x[0] * factor;
    for (int i = 1; i < n; i++) {
        real z = x[i] * factor;
        highest = z > highest ? z : highest;
    }
    // pass 2: exponentials and their sum
    real sum = R(0.0);
    for (int i = 0; i < n; i++) {
        out[i] = real_exp(x[i] * factor - highest);
        sum += out[i];
    }
    // pass 3: divide by the sum
    real inv = R(1.0) / sum;
    for (int i = 0; i < n; i++) {
        out[i] *= inv;
    }
}

void softmax_rows_ref(real *out, const real *x, real factor, int rows, int n) {
    for (size_t r = 0; r < (size_t)rows; r++) {
        softmax_row_ref(out + r * (size_t)n, x + r * (size_t)n, factor, n);
    }
}

/* Every y_j depends on every x_i through the sum: d y_j / d x_i = factor y_j ([i = j] - y_i), where
 * [i = j] is 1 if i = j and otherwise 0. So
 *   dx_i = sum_j dout_j factor y_j ([i = j] - y_i) = factor y_i (dout_i - sum_j dout_j y_j). */
void softmax_row_backward_ref(real *dx, const real *y, const real *dout, real factor, int n,
                              bool accumulate) {
    // pass 1: sum_j dout_j y_j
    real dot = R(0.0);
    for (int i = 0; i < n; i++) {
        dot += dout[i] * y[i];
    }
    // pass 2: dx
    for (int i = 0; i < n; i++) {
        put(&dx[i], factor * (y[i] * (dout[i] - dot)), accumulate);
    }
}

double sum_squares_ref(const real *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return sum;
}

/* AdamW, weight by weight. m and v are running means of the gradient g and of g^2. Both start at 0
 * and are too small in the first steps: correction1 and correction2_rt compensate. The step is then
 * about m / sqrt(v), independent of the scale of the gradients: near 1 or -1 if they agree in sign
 * over the last steps, near 0 if they cancel. Weight decay is decoupled: subtracted from the weight
 * instead of added to the gradient, so sqrt(v) does not divide it. */
void adamw_ref(real *w, real *m, real *v, const real *g, size_t n, adamw_update u) {
    real rest1 = R(1.0) - u.beta1;
    real rest2 = R(1.0) - u.beta2;
    for (size_t i = 0; i < n; i++) {
        real gradient = g[i] * u.gradient_scale;
        m[i] = u.beta1 * m[i] + rest1 * gradient;
        v[i] = u.beta2 * v[i] + rest2 * (gradient * gradient);
        real step = m[i] * u.correction1 / (real_sqrt(v[i]) * u.correction2_rt + u.epsilon);
        w[i] -= u.rate * (step + u.decay * w[i]);
    }
}

void drop_tiny_ref(real *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        x[i] = x[i] < KERNEL_TINY && x[i] > -KERNEL_TINY ? R(0.0) : x[i];
    }
}

/* Attention of one sequence. q_i, k_j and v_j are the d = channels / heads numbers of one head in
 * row i or j. For each head and each query i:
 *   s_ij = q_i . k_j / sqrt(d)     for the keys j < seen, up to the query's own position
 *   p_i  = softmax(s_i) over these keys; p_ij = 0 for later keys (causal mask)
 *   o_i  = sum over j < seen of p_ij v_j
 * Heads are independent: head h reads and writes columns h d to h d + d - 1 of the rows. */
static void attend(real *out, real *probs, const real *query, const real *key, const real *value,
                   attention_shape s) {
    int d = s.channels / s.heads;
    real factor = R(1.0) / real_sqrt((real)d);
    for (int h = 0; h < s.heads; h++) {
        for (int i = 0; i < s.n_query; i++) {
            const real *q = query + (size_t)i * s.query_row + (size_t)h * (size_t)d;
            real *p = probs + ((size_t)h * (size_t)s.n_query + (size_t)i) * (size_t)s.n_key;
            // query 0 sees the n_key - n_query cached keys and its own
            int seen = s.n_key - s.n_query + i + 1;
            // pass 1: scores q . k
            for (int j = 0; j < seen; j++) {
                const real *k = key + (size_t)j * s.key_row + (size_t)h * (size_t)d;
                p[j] = R(0.0);
                for (int c = 0; c < d; c++) {
                    p[j] += q[c] * k[c];
                }
            }
            // pass 2: softmax of the scores / sqrt(d), in place; later keys get probability 0
            softmax_row_ref(p, p, factor, seen);
            for (int j = seen; j < s.n_key; j++) {
                p[j] = R(0.0);
            }
            // pass 3: sum of the values, weighted by the probabilities
            real *o = out + (size_t)i * (size_t)s.channels + (size_t)h * (size_t)d;
            for (int c = 0; c < d; c++) {
                o[c] = R(0.0);
                for (int j = 0; j < seen; j++) {
                    o[c] += p[j] *
                            value[(size_t)j * s.value_row + (size_t)h * (size_t)d + (size_t)c];
                }
            }
        }
    }
}

/* Attention of every sequence of a batch. Sequences are independent; attend computes one. */
void attention_ref(real *out, real *probs, const real *query, const real *key, const real *value,
                   attention_shape s, real *workspace) {
    (void)workspace;
    size_t queries = (size_t)s.n_query, keys = (size_t)s.n_key;
    for (size_t b = 0; b < (size_t)s.batch; b++) {
        attend(out + b * queries * (size_t)s.channels, probs + b * (size_t)s.heads * queries * keys,
               query + b * queries * s.query_row, key + b * keys * s.key_row,
               value + b * keys * s.value_row, s);
    }
}

/* Backward pass of attend, for n_query = n_key: query i sees the keys j <= i. do_i (d numbers) is
 * the gradient of o_i. The formulas of attend in reverse order, each with its derivatives:
 *   o_i = sum_j p_ij v_j          dp_ij = do_i . v_j
 *                                 dv_j += p_ij do_i
 *   p_i = softmax(s_i)            ds_ij = p_ij (dp_ij - sum_l dp_il p_il)
 *   s_ij = q_i . k_j / sqrt(d)    dq_i += ds_ij k_j / sqrt(d)
 *                                 dk_j += ds_ij q_i / sqrt(d)
 * So dq_i is a sum over the keys j <= i that query i sees; dk_j and dv_j are sums over the queries
 * i >= j that see key j. The code multiplies ds by 1 / sqrt(d) once. scratch: n_key reals. */
static void attend_backward(real *dquery, real *dkey, real *dvalue, const real *probs,
                            const real *query, const real *key, const real *value, const real *dout,
                            attention_shape s, bool accumulate, real *scratch) {
    size_t d = (size_t)(s.channels / s.heads);
    real factor = R(1.0) / real_sqrt((real)d);
    // all three gradients are running sums: they start at 0 unless they accumulate
    if (!accumulate) {
        for (int i = 0; i < s.n_query; i++) {
            memset(dquery + (size_t)i * s.query_row, 0, (size_t)s.channels * sizeof(real));
            memset(dkey + (size_t)i * s.key_row, 0, (size_t)s.channels * sizeof(real));
            memset(dvalue + (size_t)i * s.value_row, 0, (size_t)s.channels * sizeof(real));
        }
    }
    for (int h = 0; h < s.heads; h++) {
        size_t column = (size_t)h * d;
        for (int i = 0; i < s.n_query; i++) {
            const real *p = probs + ((size_t)h * (size_t)s.n_query + (size_t)i) * (size_t)s.n_key;
            const real *go = dout + (size_t)i * (size_t)s.channels + column;
            real *ds = scratch;
            // pass 1: dp_i, written to ds, and the terms that query i adds to dv
            for (int j = 0; j <= i; j++) {
                const real *v = value + (size_t)j * s.value_row + column;
                real *dv = dvalue + (size_t)j * s.value_row + column;
                ds[j] = R(0.0);
                for (size_t c = 0; c < d; c++) {
                    ds[j] += go[c] * v[c];
                    dv[c] += p[j] * go[c];
                }
            }
            // pass 2: ds_i from dp_i, in place, with the factor 1 / sqrt(d)
            softmax_row_backward_ref(ds, p, ds, factor, i + 1, false);
            // pass 3: dq_i, and the terms that query i adds to dk
            const real *q = query + (size_t)i * s.query_row + column;
            real *dq = dquery + (size_t)i * s.query_row + column;
            for (int j = 0; j <= i; j++) {
                const real *k = key + (size_t)j * s.key_row + column;
                real *dk = dkey + (size_t)j * s.key_row + column;
                for (size_t c = 0; c < d; c++) {
                    dq[c] += ds[j] * k[c];
                    dk[c] += ds[j] * q[c];
                }
            }
        }
    }
}

/* Backward pass of attention for every sequence of a batch. attend_backward computes one sequence
 * and contains the formulas. */
void attention_backward_ref(real *dquery, real *dkey, real *dvalue, const real *probs,
                            const real *query, const real *key, const real *value, const real *dout,
                            attention_shape s, bool accumulate, real *scratch, real *workspace) {
    (void)workspace;
    size_t t = (size_t)s.n_query;
    for (size_t b = 0; b < (size_t)s.batch; b++) {
        size_t q = b * t * s.query_row, k = b * t * s.key_row, v = b * t * s.value_row;
        attend_backward(dquery + q, dkey + k, dvalue + v, probs + b * (size_t)s.heads * t * t,
                        query + q, key + k, value + v, dout + b * t * (size_t)s.channels, s,
                        accumulate, scratch);
    }
}
