/* kernels_ref.c - the definition of every kernel: scalar, over `real`, as simple as the formula.
 *
 * Always compiled. The SIMD versions are tested against these; the double-precision build of these
 * is tested against central differences. Contracts and formulas are in kernels.h.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "base/numeric.h"

/* Sets or adds, as `accumulate` says. */
static void put(real *out, real value, bool accumulate) {
    *out = accumulate ? *out + value : value;
}

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

void column_sums_ref(real *out, const real *x, int rows, int n, bool accumulate) {
    for (int j = 0; j < n; j++) {
        real sum = accumulate ? out[j] : R(0.0);
        for (int i = 0; i < rows; i++) {
            sum += x[(size_t)i * (size_t)n + (size_t)j];
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

/* (1 + tanh(u)) / 2 = 1 / (1 + exp(-2u)): the same function, one exponential, no cancellation.
 * Below GELU_SHUT it is 0 (tanh rounds to -1 long before): gates of 1e-39 would fill the
 * gradients with subnormal numbers, which processors multiply some twenty times more slowly. */
static real gelu_gate(real x) {
    real u = GELU_SCALE * (x + GELU_CUBIC * (x * x * x));
    return u < GELU_SHUT ? R(0.0) : R(1.0) / (R(1.0) + real_exp(R(-2.0) * u));
}

void gelu_ref(real *out, const real *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = x[i] * gelu_gate(x[i]);
    }
}

void gelu_backward_ref(real *dx, const real *x, const real *dout, size_t n, bool accumulate) {
    for (size_t i = 0; i < n; i++) {
        real gate = gelu_gate(x[i]);
        real du = GELU_SCALE * (R(1.0) + R(3.0) * GELU_CUBIC * (x[i] * x[i]));
        real slope = gate + x[i] * (R(2.0) * gate * (R(1.0) - gate)) * du;
        put(&dx[i], dout[i] * slope, accumulate);
    }
}

void relu2_ref(real *out, const real *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = x[i] > R(0.0) ? x[i] * x[i] : R(0.0);
    }
}

void relu2_backward_ref(real *dx, const real *x, const real *dout, size_t n, bool accumulate) {
    for (size_t i = 0; i < n; i++) {
        put(&dx[i], x[i] > R(0.0) ? R(2.0) * x[i] * dout[i] : R(0.0), accumulate);
    }
}

void layernorm_ref(real *out, real *mean, real *inverse, const real *x, const real *gain,
                   const real *bias, int rows, int n, real eps) {
    for (int r = 0; r < rows; r++, x += n, out += n) {
        real sum = R(0.0);
        for (int i = 0; i < n; i++) {
            sum += x[i];
        }
        real mu = sum / (real)n;
        real squares = R(0.0);
        for (int i = 0; i < n; i++) {
            squares += (x[i] - mu) * (x[i] - mu);
        }
        real inv = R(1.0) / real_sqrt(squares / (real)n + eps);
        for (int i = 0; i < n; i++) {
            real y = (x[i] - mu) * inv;
            y = gain ? y * gain[i] : y;
            out[i] = bias ? y + bias[i] : y;
        }
        mean[r] = mu;
        inverse[r] = inv;
    }
}

/* With xhat = (x - mean) inverse and g = dout gain:
 * dx = inverse (g - mean(g) - xhat mean(g xhat)). */
void layernorm_backward_ref(real *dx, real *dgain, real *dbias, const real *x, const real *mean,
                            const real *inverse, const real *gain, const real *dout, int rows,
                            int n, bool accumulate, bool accumulate_gain, bool accumulate_bias) {
    for (int r = 0; r < rows; r++, x += n, dout += n, dx += n) {
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
        for (int i = 0; i < n; i++) {
            real xhat = (x[i] - mean[r]) * inverse[r];
            real g = gain ? dout[i] * gain[i] : dout[i];
            put(&dx[i], inverse[r] * ((g - mean_g) - xhat * mean_gx), accumulate);
            if (dgain) {
                put(&dgain[i], dout[i] * xhat, accumulate_gain || r > 0);
            }
            if (dbias) {
                put(&dbias[i], dout[i], accumulate_bias || r > 0);
            }
        }
    }
}

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

/* With g = dout gain: dx = inverse g - x inverse^3 mean(g x). */
void rmsnorm_backward_ref(real *dx, real *dgain, const real *x, const real *inverse,
                          const real *gain, const real *dout, int rows, int n, bool accumulate,
                          bool accumulate_gain) {
    for (int r = 0; r < rows; r++, x += n, dout += n, dx += n) {
        real dot = R(0.0);
        for (int i = 0; i < n; i++) {
            real g = gain ? dout[i] * gain[i] : dout[i];
            dot += g * x[i];
        }
        real inv = inverse[r];
        real pull = inv * inv * inv / (real)n * dot;
        for (int i = 0; i < n; i++) {
            real g = gain ? dout[i] * gain[i] : dout[i];
            put(&dx[i], inv * g - pull * x[i], accumulate);
            if (dgain) {
                put(&dgain[i], dout[i] * (x[i] * inv), accumulate_gain || r > 0);
            }
        }
    }
}

void softmax_row_ref(real *out, const real *x, real factor, int n) {
    real highest = x[0] * factor;
    for (int i = 1; i < n; i++) {
        real z = x[i] * factor;
        highest = z > highest ? z : highest;
    }
    real sum = R(0.0);
    for (int i = 0; i < n; i++) {
        out[i] = real_exp(x[i] * factor - highest);
        sum += out[i];
    }
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

void softmax_row_backward_ref(real *dx, const real *y, const real *dout, real factor, int n,
                              bool accumulate) {
    real dot = R(0.0);
    for (int i = 0; i < n; i++) {
        dot += dout[i] * y[i];
    }
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

/* One sequence. */
static void attend(real *out, real *probs, const real *query, const real *key, const real *value,
                   attention_shape s) {
    int d = s.channels / s.heads;
    real factor = R(1.0) / real_sqrt((real)d);
    for (int h = 0; h < s.heads; h++) {
        for (int i = 0; i < s.n_query; i++) {
            const real *q = query + (size_t)i * s.query_row + (size_t)h * (size_t)d;
            real *p = probs + ((size_t)h * (size_t)s.n_query + (size_t)i) * (size_t)s.n_key;
            int seen = s.n_key - s.n_query + i + 1;
            for (int j = 0; j < seen; j++) {
                const real *k = key + (size_t)j * s.key_row + (size_t)h * (size_t)d;
                p[j] = R(0.0);
                for (int c = 0; c < d; c++) {
                    p[j] += q[c] * k[c];
                }
            }
            softmax_row_ref(p, p, factor, seen);
            for (int j = seen; j < s.n_key; j++) {
                p[j] = R(0.0);
            }
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

/* One sequence. */
static void attend_backward(real *dquery, real *dkey, real *dvalue, const real *probs,
                            const real *query, const real *key, const real *value, const real *dout,
                            attention_shape s, bool accumulate, real *scratch) {
    size_t d = (size_t)(s.channels / s.heads);
    real factor = R(1.0) / real_sqrt((real)d);
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
            real *ds = scratch; /* gradient of the probabilities, then of the scores */
            for (int j = 0; j <= i; j++) {
                const real *v = value + (size_t)j * s.value_row + column;
                real *dv = dvalue + (size_t)j * s.value_row + column;
                ds[j] = R(0.0);
                for (size_t c = 0; c < d; c++) {
                    ds[j] += go[c] * v[c];
                    dv[c] += p[j] * go[c];
                }
            }
            softmax_row_backward_ref(ds, p, ds, factor, i + 1, false);
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
