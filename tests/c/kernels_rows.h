/* kernels_rows.h - the part of test_kernels.c about kernels that sum over rows: norms, softmax,
 * attention.
 *
 * Compares the SIMD and the reference version of each kernel with its formula in double. Every
 * bound is a number of roundings (2^-24 each) times the sum of the magnitudes that were added.
 */
#ifndef GLASSHOUSE_KERNELS_ROWS_H
#define GLASSHOUSE_KERNELS_ROWS_H

#include "kernels/kernels.h"
#include "numbers.h"

enum { ROWS = 3 };

static const float EPS = 1e-5f;

/* ---- layernorm ------------------------------------------------------------------------------- */

static void check_layernorm(const float *out, const float *mean, const float *inverse,
                            const float *x, const float *gain, const float *bias, int n) {
    for (int r = 0; r < ROWS; r++, x += n, out += n) {
        double mu = 0, magnitude = 0, variance = 0;
        for (int i = 0; i < n; i++) mu += (double)x[i] / n;
        for (int i = 0; i < n; i++) magnitude += fabs((double)x[i]) / n;
        for (int i = 0; i < n; i++) variance += ((double)x[i] - mu) * ((double)x[i] - mu) / n;
        double inv = 1 / sqrt(variance + (double)EPS);
        CHECK_NEAR(mean[r], mu, (n + 1) * FLOAT_UNIT * magnitude);
        CHECK_NEAR(inverse[r], inv, (n + 8) * FLOAT_UNIT * inv);
        for (int i = 0; i < n; i++) {
            double g = gain ? (double)gain[i] : 1, b = bias ? (double)bias[i] : 0;
            double from_mean = (n + 1) * magnitude, rest = (n + 12) * fabs((double)x[i] - mu);
            double bound = FLOAT_UNIT * (inv * fabs(g) * (from_mean + rest) + 2 * fabs(b));
            CHECK_NEAR(out[i], ((double)x[i] - mu) * inv * g + b, bound);
        }
    }
}

static void test_layernorm(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)(ROWS * n);
        float *x = random_array(size, 1), *out = random_array(size, 2);
        float *gain = random_array((size_t)n, 3), *bias = random_array((size_t)n, 4);
        float mean[ROWS], inverse[ROWS];
        for (int form = 0; form < 4; form++) {
            const float *g = form & 1 ? gain : NULL, *b = form & 2 ? bias : NULL;
            layernorm_simd(out, mean, inverse, x, g, b, ROWS, n, EPS);
            check_layernorm(out, mean, inverse, x, g, b, n);
            layernorm_ref(out, mean, inverse, x, g, b, ROWS, n, EPS);
            check_layernorm(out, mean, inverse, x, g, b, n);
        }
        free(x), free(out), free(gain), free(bias);
    }
}

/* Checks the gradient of the input of LayerNorm, or of RMSNorm if `mean` is NULL:
 *
 *     xhat = (x - mean) * inverse, g = dout * gain
 *     dx = inverse * (g - mean(g) - xhat * mean(g * xhat)), without mean(g) for RMSNorm
 *
 * `before`: the gradient that the kernel added to; NULL if it set dx. */
static void check_norm_backward(const float *dx, const float *before, const float *x,
                                const float *mean, const float *inverse, const float *gain,
                                const float *dout, int n) {
    for (int r = 0; r < ROWS; r++) {
        double mean_g = 0, mean_gx = 0, size_g = 0, size_gx = 0, inv = (double)inverse[r];
        double mu = mean ? (double)mean[r] : 0;
        for (int i = 0; i < n; i++) {
            double g = (double)dout[r * n + i] * (gain ? (double)gain[i] : 1);
            double xhat = ((double)x[r * n + i] - mu) * inv;
            mean_g += mean ? g / n : 0, mean_gx += g * xhat / n;
            size_g += mean ? fabs(g) / n : 0, size_gx += fabs(g * xhat) / n;
        }
        for (int i = 0; i < n; i++) {
            double g = (double)dout[r * n + i] * (gain ? (double)gain[i] : 1);
            double xhat = ((double)x[r * n + i] - mu) * inv;
            double old = before ? (double)before[r * n + i] : 0;
            double size = inv * (fabs(g) + size_g + fabs(xhat) * size_gx);
            CHECK_NEAR(dx[r * n + i], old + inv * (g - mean_g - xhat * mean_gx),
                       FLOAT_UNIT * ((n + 14) * size + 2 * fabs(old)));
        }
    }
}

static void test_layernorm_backward(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)(ROWS * n);
        float *x = random_array(size, 1), *out = random_array(size, 2),
              *dout = random_array(size, 3);
        float *gain = random_array((size_t)n, 4), *before = random_array(size, 7);
        float mean[ROWS], inverse[ROWS];
        layernorm_ref(out, mean, inverse, x, NULL, NULL, ROWS, n, EPS);
        for (int form = 0; form < 4; form++) {
            const float *g = form & 1 ? gain : NULL;
            bool add = form & 2;
            float *simd = copy_array(before, size), *ref = copy_array(before, size);
            layernorm_backward_simd(simd, x, mean, inverse, g, dout, ROWS, n, add);
            layernorm_backward_ref(ref, x, mean, inverse, g, dout, ROWS, n, add);
            check_norm_backward(simd, add ? before : NULL, x, mean, inverse, g, dout, n);
            check_norm_backward(ref, add ? before : NULL, x, mean, inverse, g, dout, n);
            free(simd), free(ref);
        }
        free(x), free(out), free(dout), free(gain), free(before);
    }
}

/* ---- rmsnorm --------------------------------------------------------------------------------- */

static void check_rmsnorm(const float *out, const float *inverse, const float *x, const float *gain,
                          int n) {
    for (int r = 0; r < ROWS; r++, x += n, out += n) {
        double squares = 0;
        for (int i = 0; i < n; i++) squares += (double)x[i] * (double)x[i] / n;
        double inv = 1 / sqrt(squares + (double)EPS);
        CHECK_NEAR(inverse[r], inv, (n + 6) * FLOAT_UNIT * inv);
        for (int i = 0; i < n; i++) {
            double y = (double)x[i] * inv * (gain ? (double)gain[i] : 1);
            CHECK_NEAR(out[i], y, (n + 10) * FLOAT_UNIT * fabs(y));
        }
    }
}

static void test_rmsnorm(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)(ROWS * n);
        float *x = random_array(size, 1), *out = random_array(size, 2),
              *gain = random_array((size_t)n, 3);
        float inverse[ROWS];
        for (int form = 0; form < 2; form++) {
            rmsnorm_simd(out, inverse, x, form ? gain : NULL, ROWS, n, EPS);
            check_rmsnorm(out, inverse, x, form ? gain : NULL, n);
            rmsnorm_ref(out, inverse, x, form ? gain : NULL, ROWS, n, EPS);
            check_rmsnorm(out, inverse, x, form ? gain : NULL, n);
        }
        free(x), free(out), free(gain);
    }
}

static void test_rmsnorm_backward(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)(ROWS * n);
        float *x = random_array(size, 1), *out = random_array(size, 2),
              *dout = random_array(size, 3);
        float *gain = random_array((size_t)n, 4), *before = random_array(size, 7);
        float inverse[ROWS];
        rmsnorm_ref(out, inverse, x, NULL, ROWS, n, EPS);
        for (int form = 0; form < 4; form++) {
            const float *g = form & 1 ? gain : NULL;
            bool add = form & 2;
            float *simd = copy_array(before, size), *ref = copy_array(before, size);
            rmsnorm_backward_simd(simd, x, inverse, g, dout, ROWS, n, add);
            rmsnorm_backward_ref(ref, x, inverse, g, dout, ROWS, n, add);
            check_norm_backward(simd, add ? before : NULL, x, NULL, inverse, g, dout, n);
            check_norm_backward(ref, add ? before : NULL, x, NULL, inverse, g, dout, n);
            free(simd), free(ref);
        }
        free(x), free(out), free(dout), free(gain), free(before);
    }
}

static void test_norm_gain_backward(void) {
    // dgain = sum over rows of dout * xhat, with xhat = (x - mean) * inverse
    EACH_SIZE(n) {
        size_t row = (size_t)n + 2, size = ROWS * row; // the last two numbers of a row do not count
        float *x = random_array(size, 1), *dout = random_array(size, 3);
        float *before = random_array((size_t)n, 8);
        const float mean[ROWS] = {0.25f, -0.5f, 0.1f}, inverse[ROWS] = {1.5f, 0.7f, 3};
        for (int form = 0; form < 4; form++) {
            const float *mu = form & 1 ? mean : NULL;
            bool add = form & 2;
            float *simd = copy_array(before, (size_t)n), *ref = copy_array(before, (size_t)n);
            norm_gain_backward_simd(simd, x, mu, inverse, dout, row, ROWS, n, add);
            norm_gain_backward_ref(ref, x, mu, inverse, dout, row, ROWS, n, add);
            CHECK_SAME_BITS(simd, ref, n); // both versions add a column in the same order
            for (size_t i = 0; i < (size_t)n; i++) {
                double sum = add ? (double)before[i] : 0, magnitude = fabs(sum);
                for (size_t r = 0; r < ROWS; r++) {
                    double centred = (double)x[r * row + i] - (mu ? (double)mu[r] : 0);
                    double term = (double)dout[r * row + i] * centred * (double)inverse[r];
                    sum += term, magnitude += fabs(term);
                }
                CHECK_NEAR(simd[i], sum, (ROWS + 5) * FLOAT_UNIT * magnitude);
            }
            free(simd), free(ref);
        }
        free(x), free(dout), free(before);
    }
}

/* ---- softmax --------------------------------------------------------------------------------- */

static void check_softmax(const float *out, const float *x, float factor, int n) {
    double highest = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++) highest = fmax(highest, (double)(x[i] * factor));
    for (int i = 0; i < n; i++) sum += exp((double)(x[i] * factor) - highest);
    for (int i = 0; i < n; i++) {
        double z = (double)(x[i] * factor) - highest, p = exp(z) / sum;
        // Relative errors: 2^-22 of num_expf, the rounding of z, n additions. Below e^-87 num_expf
        // returns 0: 2e-38 covers it.
        CHECK_NEAR(out[i], p, (n + 10 - 2 * z) * FLOAT_UNIT * p + 2e-38);
    }
}

static void test_softmax_row(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)n;
        float *x = random_array(size, 1), *out = random_array(size, 2);
        for (int form = 0; form < 4; form++) {
            float factor = form & 1 ? 40.0f : 0.7f; // with 40 some results are e^-80, some 0
            x[size / 2] += form & 2 ? 3.0f : 0;     // puts the maximum in the middle
            softmax_row_simd(out, x, factor, n);
            check_softmax(out, x, factor, n);
            softmax_row_ref(out, x, factor, n);
            check_softmax(out, x, factor, n);
        }
        float *in_place = copy_array(x, size);
        softmax_row_simd(out, x, 0.7f, n);
        softmax_row_simd(in_place, in_place, 0.7f, n);
        CHECK_SAME_BITS(in_place, out, n);
        free(x), free(out), free(in_place);
    }
    // e^1000 overflows unless the maximum is subtracted first; -infinity is a masked column.
    float x[3] = {1000, 999, -INFINITY}, out[3];
    softmax_row_simd(out, x, 1, 3);
    CHECK_NEAR(out[0], 1 / (1 + exp(-1)), 8 * FLOAT_UNIT);
    CHECK(out[2] == 0);
}

static void test_softmax_rows(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)(ROWS * n);
        float *x = random_array(size, 1), *rows = random_array(size, 2), *row = copy_array(x, size);
        softmax_rows_simd(rows, x, 0.7f, ROWS, n);
        for (int r = 0; r < ROWS; r++) softmax_row_simd(row + r * n, x + r * n, 0.7f, n);
        CHECK_SAME_BITS(rows, row, ROWS * n);
        softmax_rows_ref(rows, x, 0.7f, ROWS, n);
        for (int r = 0; r < ROWS; r++) softmax_row_ref(row + r * n, x + r * n, 0.7f, n);
        CHECK_SAME_BITS(rows, row, ROWS * n);
        free(x), free(rows), free(row);
    }
}

static void test_softmax_row_backward(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)n;
        float *x = random_array(size, 1), *y = random_array(size, 2), *dout = random_array(size, 3);
        softmax_row_ref(y, x, 1, n);
        double dot = 0, magnitude = 0;
        for (size_t i = 0; i < size; i++) dot += (double)dout[i] * (double)y[i];
        for (size_t i = 0; i < size; i++) magnitude += fabs((double)dout[i] * (double)y[i]);
        for (int add = 0; add < 2; add++) {
            float *before = random_array(size, 4);
            float *simd = copy_array(before, size), *ref = copy_array(before, size);
            softmax_row_backward_simd(simd, y, dout, 0.7f, n, add);
            softmax_row_backward_ref(ref, y, dout, 0.7f, n, add);
            for (size_t i = 0; i < size; i++) {
                double old = add ? (double)before[i] : 0, yi = (double)y[i], f = (double)0.7f;
                double d = old + f * yi * ((double)dout[i] - dot);
                double size_d = f * yi * (fabs((double)dout[i]) + magnitude);
                double bound = FLOAT_UNIT * ((n + 8) * size_d + 2 * fabs(old));
                CHECK_NEAR(simd[i], d, bound);
                CHECK_NEAR(ref[i], d, bound);
            }
            if (!add) { // the kernel also works in place: dx is the array dout
                float *in_place = copy_array(dout, size);
                softmax_row_backward_simd(in_place, y, in_place, 0.7f, n, false);
                CHECK_SAME_BITS(in_place, simd, n);
                free(in_place);
            }
            free(before), free(simd), free(ref);
        }
        free(x), free(y), free(dout);
    }
}

static void test_rows_not_finite(void) {
    enum { N = 11 };
    float out[N], mean[1], inverse[1], dx[N], ones[N];
    for (int i = 0; i < N; i++) ones[i] = 1;
    for (int at = 0; at < N; at++) {
        float x[N];
        fill_random(x, N, 1);
        x[at] = NAN;
        layernorm_simd(out, mean, inverse, x, NULL, NULL, 1, N, EPS);
        for (int i = 0; i < N; i++) CHECK(out[i] != out[i]);
        rmsnorm_simd(out, inverse, x, NULL, 1, N, EPS);
        for (int i = 0; i < N; i++) CHECK(out[i] != out[i]);
        softmax_row_simd(out, x, 1, N);
        for (int i = 0; i < N; i++) CHECK(out[i] != out[i]);
        softmax_row_backward_simd(dx, ones, x, 1, N, false);
        for (int i = 0; i < N; i++) CHECK(dx[i] != dx[i]);
        x[at] = INFINITY;
        softmax_row_simd(out, x, 1, N);
        for (int i = 0; i < N; i++) CHECK(out[i] != out[i]);
        layernorm_simd(out, mean, inverse, x, NULL, NULL, 1, N, EPS);
        for (int i = 0; i < N; i++) CHECK(out[i] != out[i]);
    }
}

/* ---- attention ------------------------------------------------------------------------------- */

/* Shape and inputs of one call of attention. */
typedef struct attention_case {
    attention_shape s;
    const float *q, *k, *v;
} attention_case;

/* Returns a case of one sequence of t tokens; a row of `qkv` has the query, key and value of a
 * token, as in the model. */
static attention_case packed_case(const float *qkv, int t, int channels, int heads) {
    size_t row = 3 * (size_t)channels;
    return (attention_case){
        {1, t, t, channels, heads, row, row, row}, qkv, qkv + channels, qkv + 2 * channels};
}

/* Returns the score of query i and key j in head h: <q, k> / sqrt(d). `absolute`: returns the sum
 * of the magnitudes of its terms instead. */
static double score(const attention_case *c, int h, int i, int j, bool absolute) {
    int d = c->s.channels / c->s.heads;
    double sum = 0;
    for (int e = 0; e < d; e++) {
        double term = (double)c->q[(size_t)i * c->s.query_row + (size_t)(h * d + e)] *
                      (double)c->k[(size_t)j * c->s.key_row + (size_t)(h * d + e)];
        sum += absolute ? fabs(term) : term;
    }
    return sum / sqrt(d);
}

/* Checks probabilities p = softmax(q k / sqrt(d)), 0 for later keys, and outputs p v. */
static void check_attention(const float *out, const float *probs, const attention_case *c) {
    int d = c->s.channels / c->s.heads, past = c->s.n_key - c->s.n_query;
    double p[128], bound[128];
    for (int h = 0; h < c->s.heads; h++) {
        for (int i = 0; i < c->s.n_query; i++) {
            const float *row = probs +
                               ((size_t)h * (size_t)c->s.n_query + (size_t)i) * (size_t)c->s.n_key;
            int seen = past + i + 1;
            double sum = 0, worst = 0;
            for (int j = 0; j < seen; j++) {
                sum += p[j] = exp(score(c, h, i, j, false));
                worst = fmax(worst, score(c, h, i, j, true));
            }
            for (int j = 0; j < seen; j++) {
                p[j] /= sum;
                // A score has d rounding errors, relative to the sum of its magnitudes; they enter
                // the exponential and the sum.
                bound[j] = FLOAT_UNIT * p[j] * (seen + 16 + 2 * (d + 4) * worst);
                CHECK_NEAR(row[j], p[j], bound[j]);
            }
            for (int j = seen; j < c->s.n_key; j++) CHECK(row[j] == 0);
            for (int e = 0; e < d; e++) {
                double value = 0, slack = 0;
                for (int j = 0; j < seen; j++) {
                    double v = (double)c->v[(size_t)j * c->s.value_row + (size_t)(h * d + e)];
                    value += p[j] * v;
                    slack += fabs(v) * (bound[j] + FLOAT_UNIT * (seen + 1) * p[j]);
                }
                CHECK_NEAR(out[i * c->s.channels + h * d + e], value, slack);
            }
        }
    }
}

/* Tokens T, channels and heads of each case; T is near multiples of ATTENTION_BLOCK. */
static const int ATTENTION_SIZES[][3] = {{1, 4, 1},  {2, 6, 2},   {5, 12, 4},
                                         {15, 8, 1}, {33, 10, 2}, {65, 9, 3}};
enum { ATTENTION_COUNT = sizeof ATTENTION_SIZES / sizeof *ATTENTION_SIZES };

static void test_attention(void) {
    for (int k = 0; k < ATTENTION_COUNT; k++) {
        int t = ATTENTION_SIZES[k][0], channels = ATTENTION_SIZES[k][1],
            heads = ATTENTION_SIZES[k][2];
        size_t size = (size_t)(t * channels);
        float *qkv = random_array(3 * size, 1), *out = random_array(size, 2);
        float *probs = random_array((size_t)(heads * t * t), 3);
        attention_case c = packed_case(qkv, t, channels, heads);
        attention_simd(out, probs, c.q, c.k, c.v, c.s, workspace);
        check_attention(out, probs, &c);
        attention_ref(out, probs, c.q, c.k, c.v, c.s, NULL);
        check_attention(out, probs, &c);
        free(qkv), free(out), free(probs);
    }
    // Fewer queries than keys, and a different row stride in each array.
    enum { KEYS = 40, QUERIES = 35, C = 6, H = 2 };
    float *q = random_array(QUERIES * 7, 4), *keys = random_array(KEYS * 8, 5),
          *values = random_array(KEYS * 9, 6);
    float *out = random_array(QUERIES * C, 7), *probs = random_array(H * QUERIES * KEYS, 8);
    attention_case c = {{1, QUERIES, KEYS, C, H, 7, 8, 9}, q, keys, values};
    attention_simd(out, probs, q, keys, values, c.s, workspace);
    check_attention(out, probs, &c);
    attention_ref(out, probs, q, keys, values, c.s, NULL);
    check_attention(out, probs, &c);
    free(q), free(keys), free(values), free(out), free(probs);
}

/* Adds the gradients of head h to `grad`, and the magnitudes of their terms to `size`; both arrays
 * are (t, 3 * channels). */
static void attention_gradients(double *grad, double *size, const attention_case *c,
                                const float *probs, const float *dout, int h) {
    int d = c->s.channels / c->s.heads, t = c->s.n_query, row = 3 * c->s.channels,
        C = c->s.channels;
    double f = 1 / sqrt(d);
    for (int i = 0; i < t; i++) {
        const float *p = probs + (h * t + i) * t, *go = dout + i * C + h * d;
        double dp[128] = {0}, dp_size[128] = {0}, dot = 0, dot_size = 0;
        // pass 1: dv_j += p_j dout; dp_j = <dout, v_j>; dot = sum_j p_j dp_j
        for (int j = 0; j <= i; j++) {
            for (int e = 0; e < d; e++) {
                double g = (double)go[e], v = (double)c->v[j * row + h * d + e];
                dp[j] += g * v, dp_size[j] += fabs(g * v);
                grad[j * row + 2 * C + h * d + e] += (double)p[j] * g;
                size[j * row + 2 * C + h * d + e] += (double)p[j] * fabs(g);
            }
            dot += (double)p[j] * dp[j], dot_size += (double)p[j] * dp_size[j];
        }
        // pass 2: softmax, ds_j = p_j (dp_j - dot) / sqrt(d); dq += ds_j k_j; dk_j += ds_j q
        for (int j = 0; j <= i; j++) {
            double ds = f * (double)p[j] * (dp[j] - dot),
                   ds_size = f * (double)p[j] * (dp_size[j] + dot_size);
            for (int e = 0; e < d; e++) {
                double q = (double)c->q[i * row + h * d + e], k = (double)c->k[j * row + h * d + e];
                grad[i * row + h * d + e] += ds * k, size[i * row + h * d + e] += ds_size * fabs(k);
                grad[j * row + C + h * d + e] += ds * q,
                    size[j * row + C + h * d + e] += ds_size * fabs(q);
            }
        }
    }
}

static void test_attention_backward(void) {
    for (int k = 0; k < 2 * ATTENTION_COUNT; k++) {
        const int *sizes = ATTENTION_SIZES[k / 2];
        int t = sizes[0], channels = sizes[1], heads = sizes[2], d = channels / heads;
        bool add = k % 2;
        size_t size = (size_t)(t * channels);
        float *qkv = random_array(3 * size, 1), *out = random_array(size, 2),
              *dout = random_array(size, 3);
        float *probs = random_array((size_t)(heads * t * t), 4),
              *scratch = random_array((size_t)(t * t), 5);
        float *before = random_array(3 * size, 6);
        float *simd = copy_array(before, 3 * size), *ref = copy_array(before, 3 * size);
        attention_case c = packed_case(qkv, t, channels, heads);
        attention_ref(out, probs, c.q, c.k, c.v, c.s, NULL);
        attention_backward_simd(simd, simd + channels, simd + 2 * channels, probs, c.q, c.k, c.v,
                                dout, c.s, add, scratch, workspace);
        attention_backward_ref(ref, ref + channels, ref + 2 * channels, probs, c.q, c.k, c.v, dout,
                               c.s, add, scratch, NULL);
        double *grad = calloc(3 * size, sizeof *grad), *sum = calloc(3 * size, sizeof *sum);
        for (int h = 0; h < heads; h++) attention_gradients(grad, sum, &c, probs, dout, h);
        for (size_t i = 0; i < 3 * size; i++) {
            double old = add ? (double)before[i] : 0;
            // Each gradient is computed by two sums over channels and two sums over time.
            double bound = FLOAT_UNIT * ((2 * (t + d) + 16) * sum[i] + (t + 2) * fabs(old));
            CHECK_NEAR(simd[i], old + grad[i], bound);
            CHECK_NEAR(ref[i], old + grad[i], bound);
        }
        free(qkv), free(out), free(dout), free(probs), free(scratch), free(before);
        free(simd), free(ref), free(grad), free(sum);
    }
}

static void test_attention_cached(void) {
    enum { T = 70, C = 12, H = 3 };
    float *qkv = random_array(T * 3 * C, 1), *whole = random_array(T * C, 2),
          *part = random_array(T * C, 3);
    float *probs = random_array(H * T * T, 4), *probs_part = random_array(H * T * T, 5);
    attention_case c = packed_case(qkv, T, C, H);
    attention_simd(whole, probs, c.q, c.k, c.v, c.s, workspace);
    for (int first = 0; first < T; first += 1 + first % 5) {
        for (int count = 1; first + count <= T; count += 13) {
            attention_shape s = c.s;
            s.n_query = count, s.n_key = first + count;
            attention_simd(part, probs_part, c.q + (size_t)first * s.query_row, c.k, c.v, s,
                           workspace);
            CHECK_SAME_BITS(part, whole + first * C, count * C);
        }
    }
    free(qkv), free(whole), free(part), free(probs), free(probs_part);
}

/* One call of attention on a batch equals one call per sequence to the bit, forward and
 * backward. */
static void test_attention_batch(void) {
    enum { B = 3, T = 37, C = 12, H = 3 };
    float *qkv = random_array(B * T * 3 * C, 1), *dout = random_array(B * T * C, 2);
    float *out = random_array(B * T * C, 3), *out_each = random_array(B * T * C, 4);
    float *probs = random_array(B * H * T * T, 5), *probs_each = random_array(B * H * T * T, 6);
    float *d = random_array(B * T * 3 * C, 7), *d_each = copy_array(d, B * T * 3 * C);
    float *scratch = random_array(ATTENTION_BLOCK * T, 8);
    attention_case c = packed_case(qkv, T, C, H);
    attention_shape all = c.s;
    all.batch = B;
    for (int ref = 0; ref < 2; ref++) {
        (ref ? attention_ref : attention_simd)(out, probs, c.q, c.k, c.v, all, workspace);
        (ref ? attention_backward_ref : attention_backward_simd)(
            d, d + C, d + 2 * C, probs, c.q, c.k, c.v, dout, all, ref, scratch, workspace);
        for (int b = 0; b < B; b++) {
            int x = b * T * 3 * C, y = b * T * C, p = b * H * T * T;
            (ref ? attention_ref : attention_simd)(out_each + y, probs_each + p, c.q + x, c.k + x,
                                                   c.v + x, c.s, workspace);
            (ref ? attention_backward_ref : attention_backward_simd)(
                d_each + x, d_each + x + C, d_each + x + 2 * C, probs_each + p, c.q + x, c.k + x,
                c.v + x, dout + y, c.s, ref, scratch, workspace);
        }
        CHECK_SAME_BITS(out, out_each, B * T * C);
        CHECK_SAME_BITS(probs, probs_each, B * H * T * T);
        CHECK_SAME_BITS(d, d_each, B * T * 3 * C);
    }
    free(qkv), free(dout), free(out), free(out_each), free(probs), free(probs_each);
    free(d), free(d_each), free(scratch);
}

static void test_attention_causal(void) {
    enum { T = 45, C = 8, H = 2 };
    float *qkv = random_array(T * 3 * C, 1), *before = random_array(T * C, 2),
          *after = random_array(T * C, 3);
    float *probs = random_array(H * T * T, 4);
    attention_case c = packed_case(qkv, T, C, H);
    attention_simd(before, probs, c.q, c.k, c.v, c.s, workspace);
    for (int changed = T - 1; changed > 0; changed--) {
        fill_random(qkv + changed * 3 * C, 3 * C, (uint64_t)changed);
        attention_simd(after, probs, c.q, c.k, c.v, c.s, workspace);
        CHECK_SAME_BITS(after, before, changed * C);
        CHECK(!same_bits(after + changed * C, before + changed * C, C));
    }
    free(qkv), free(before), free(after), free(probs);
}

#endif
