/* kernels_simd.c - SIMD versions of all kernels but gemm and attention. Contracts are in kernels.h,
 * formulas in kernels_ref.c.
 *
 * Element-wise kernels perform the operations of the reference in the same order, so the bits are
 * equal, also in the tail (the last 1 to 3 numbers of an array). Reductions keep four running sums,
 * one per lane, and add them at the end in a fixed order.
 */
#include "kernels/kernels_simd.h"

#include "kernels/vec.h"

/* Loads the tail of an array, 1 to 3 numbers, with zeros in the other lanes. Element-wise kernels
 * thus run the same vector code for the tail as for groups of four numbers. */
static inline f32x4 load_tail(const float *p, size_t count) {
    float lanes[4] = {0};
    for (size_t i = 0; i < count; i++) {
        lanes[i] = p[i];
    }
    return v_load(lanes);
}

static inline void store_tail(float *p, f32x4 v, size_t count) {
    for (size_t i = 0; i < count; i++) {
        p[i] = v[i];
    }
}

/* Expands BODY(LOAD, STORE) for i = 0, 4, 8, ... below n. LOAD and STORE access four numbers, or at
 * the end of the array the last 1 to 3 numbers. */
#define EACH_FOUR(n, BODY)                                                                         \
    do {                                                                                           \
        size_t i = 0;                                                                              \
        for (; i + 4 <= (n); i += 4) {                                                             \
            BODY(v_load, v_store)                                                                  \
        }                                                                                          \
        if (i < (n)) {                                                                             \
            size_t left = (n)-i;                                                                   \
            BODY(LOAD_TAIL, STORE_TAIL)                                                            \
        }                                                                                          \
    } while (0)
#define LOAD_TAIL(p)     load_tail(p, left)
#define STORE_TAIL(p, v) store_tail(p, v, left)

void column_sums_simd(float *out, const float *x, size_t row, int rows, int n, bool accumulate) {
    // Adds row by row to `out`, which stays in cache, in the order of the reference kernel.
    if (!accumulate) {
        memset(out, 0, (size_t)n * sizeof *out);
    }
    for (size_t r = 0; r < (size_t)rows; r++) {
        add_simd(out, out, x + r * row, (size_t)n);
    }
}

void add_simd(float *out, const float *a, const float *b, size_t n) {
#define BODY(LOAD, STORE) STORE(out + i, LOAD(a + i) + LOAD(b + i));
    EACH_FOUR(n, BODY);
#undef BODY
}

void scale_simd(float *out, const float *x, float factor, size_t n, bool accumulate) {
    f32x4 f = v_splat(factor);
#define BODY(LOAD, STORE)                                                                          \
    f32x4 d = LOAD(x + i) * f;                                                                     \
    STORE(out + i, accumulate ? LOAD(out + i) + d : d);
    EACH_FOUR(n, BODY);
#undef BODY
}

static inline f32x4 gelu_gate(f32x4 x) {
    f32x4 u = v_splat(GELU_SCALE) * (x + v_splat(GELU_CUBIC) * (x * x * x));
    f32x4 gate = v_splat(1.0f) / (v_splat(1.0f) + v_exp(v_splat(-2.0f) * u));
    return v_select(u < v_splat(GELU_SHUT), v_splat(0.0f), gate);
}

void gelu_simd(float *out, const float *x, size_t n) {
#define BODY(LOAD, STORE)                                                                          \
    f32x4 xi = LOAD(x + i);                                                                        \
    STORE(out + i, xi * gelu_gate(xi));
    EACH_FOUR(n, BODY);
#undef BODY
}

/* Returns gelu'(x), by the formula of gelu_backward_ref. */
static inline f32x4 gelu_slope(f32x4 x) {
    f32x4 one = v_splat(1.0f);
    f32x4 gate = gelu_gate(x);
    f32x4 du = v_splat(GELU_SCALE) * (one + v_splat(3.0f * GELU_CUBIC) * (x * x));
    return gate + x * (v_splat(2.0f) * gate * (one - gate)) * du;
}

void gelu_backward_simd(float *dx, const float *x, const float *dout, size_t n, bool accumulate) {
#define BODY(LOAD, STORE)                                                                          \
    f32x4 d = LOAD(dout + i) * gelu_slope(LOAD(x + i));                                            \
    STORE(dx + i, accumulate ? LOAD(dx + i) + d : d);
    EACH_FOUR(n, BODY);
#undef BODY
}

void relu2_simd(float *out, const float *x, size_t n) {
    f32x4 zero = v_splat(0.0f);
#define BODY(LOAD, STORE)                                                                          \
    f32x4 xi = LOAD(x + i);                                                                        \
    STORE(out + i, v_select(xi > zero, xi * xi, zero));
    EACH_FOUR(n, BODY);
#undef BODY
}

void relu2_backward_simd(float *dx, const float *x, const float *dout, size_t n, bool accumulate) {
    f32x4 zero = v_splat(0.0f);
#define BODY(LOAD, STORE)                                                                          \
    f32x4 xi = LOAD(x + i);                                                                        \
    f32x4 d = v_select(xi > zero, v_splat(2.0f) * xi * LOAD(dout + i), zero);                      \
    STORE(dx + i, accumulate ? LOAD(dx + i) + d : d);
    EACH_FOUR(n, BODY);
#undef BODY
}

/* Returns the sum of (a - shift) b: adds in four running sums, adds these up, then adds the
 * tail. */
static float dot_shifted(const float *a, const float *b, float shift, size_t n) {
    f32x4 sum = v_splat(0.0f);
    f32x4 by = v_splat(shift);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        sum += (v_load(a + i) - by) * v_load(b + i);
    }
    float total = v_sum(sum);
    for (; i < n; i++) {
        total += (a[i] - shift) * b[i];
    }
    return total;
}

static float sum_of(const float *x, size_t n) {
    f32x4 sum = v_splat(0.0f);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        sum += v_load(x + i);
    }
    float total = v_sum(sum);
    for (; i < n; i++) {
        total += x[i];
    }
    return total;
}

/* Returns the sum of (x - shift)^2. */
static float sum_squares_shifted(const float *x, float shift, size_t n) {
    f32x4 sum = v_splat(0.0f);
    f32x4 by = v_splat(shift);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        f32x4 d = v_load(x + i) - by;
        sum += d * d;
    }
    float total = v_sum(sum);
    for (; i < n; i++) {
        total += (x[i] - shift) * (x[i] - shift);
    }
    return total;
}

/* out = (x - mean) inverse [gain] [+ bias]. Each combination has its own loop, without branches. */
static void normalize_row(float *out, const float *x, float mean, float inverse, const float *gain,
                          const float *bias, size_t n) {
    f32x4 mu = v_splat(mean);
    f32x4 inv = v_splat(inverse);
#define PLAIN(LOAD, STORE) STORE(out + i, (LOAD(x + i) - mu) * inv);
#define GAIN(LOAD, STORE)  STORE(out + i, (LOAD(x + i) - mu) * inv * LOAD(gain + i));
#define BOTH(LOAD, STORE)                                                                          \
    STORE(out + i, (LOAD(x + i) - mu) * inv * LOAD(gain + i) + LOAD(bias + i));
#define BIAS(LOAD, STORE) STORE(out + i, (LOAD(x + i) - mu) * inv + LOAD(bias + i));
    if (gain && bias) {
        EACH_FOUR(n, BOTH);
    } else if (gain) {
        EACH_FOUR(n, GAIN);
    } else if (bias) {
        EACH_FOUR(n, BIAS);
    } else {
        EACH_FOUR(n, PLAIN);
    }
#undef PLAIN
#undef GAIN
#undef BOTH
#undef BIAS
}

void layernorm_simd(float *out, float *mean, float *inverse, const float *x, const float *gain,
                    const float *bias, int rows, int n, float eps) {
    size_t width = (size_t)n;
    for (int r = 0; r < rows; r++, x += n, out += n) {
        mean[r] = sum_of(x, width) / (float)n;
        inverse[r] = 1.0f / real_sqrt(sum_squares_shifted(x, mean[r], width) / (float)n + eps);
        normalize_row(out, x, mean[r], inverse[r], gain, bias, width);
    }
}

void norm_gain_backward_simd(float *dgain, const float *x, const float *mean, const float *inverse,
                             const float *dout, size_t row, int rows, int n, bool accumulate) {
    for (size_t r = 0; r < (size_t)rows; r++) {
        const float *xr = x + r * row, *g = dout + r * row;
        f32x4 mu = v_splat(mean ? mean[r] : 0.0f);
        f32x4 inv = v_splat(inverse[r]);
        bool add = accumulate || r > 0;
#define GAIN(LOAD, STORE)                                                                          \
    f32x4 d = LOAD(g + i) * ((LOAD(xr + i) - mu) * inv);                                           \
    STORE(dgain + i, add ? LOAD(dgain + i) + d : d);
        EACH_FOUR((size_t)n, GAIN);
#undef GAIN
    }
}

void layernorm_backward_simd(float *dx, const float *x, const float *mean, const float *inverse,
                             const float *gain, const float *dout, int rows, int n,
                             bool accumulate) {
    size_t width = (size_t)n;
    for (int r = 0; r < rows; r++, x += n, dout += n, dx += n) {
        f32x4 mu = v_splat(mean[r]);
        f32x4 inv = v_splat(inverse[r]);
        f32x4 sums = v_splat(0.0f);
        f32x4 dots = v_splat(0.0f);
        // Unused lanes of the tail add 0 to both sums: xhat is not 0 in these lanes, but g is.
#define SUMS(LOAD, STORE)                                                                          \
    f32x4 g = gain ? LOAD(dout + i) * LOAD(gain + i) : LOAD(dout + i);                             \
    sums += g;                                                                                     \
    dots += g * ((LOAD(x + i) - mu) * inv);
        EACH_FOUR(width, SUMS);
#undef SUMS
        f32x4 mean_g = v_splat(v_sum(sums) / (float)n);
        f32x4 mean_gx = v_splat(v_sum(dots) / (float)n);
#define INPUT(LOAD, STORE)                                                                         \
    f32x4 xhat = (LOAD(x + i) - mu) * inv;                                                         \
    f32x4 g = gain ? LOAD(dout + i) * LOAD(gain + i) : LOAD(dout + i);                             \
    f32x4 d = inv * ((g - mean_g) - xhat * mean_gx);                                               \
    STORE(dx + i, accumulate ? LOAD(dx + i) + d : d);
        EACH_FOUR(width, INPUT);
#undef INPUT
    }
}

void rmsnorm_simd(float *out, float *inverse, const float *x, const float *gain, int rows, int n,
                  float eps) {
    size_t width = (size_t)n;
    for (int r = 0; r < rows; r++, x += n, out += n) {
        inverse[r] = 1.0f / real_sqrt(sum_squares_shifted(x, 0.0f, width) / (float)n + eps);
        normalize_row(out, x, 0.0f, inverse[r], gain, NULL, width);
    }
}

void rmsnorm_backward_simd(float *dx, const float *x, const float *inverse, const float *gain,
                           const float *dout, int rows, int n, bool accumulate) {
    size_t width = (size_t)n;
    for (int r = 0; r < rows; r++, x += n, dout += n, dx += n) {
        float inv = inverse[r];
        f32x4 dots = v_splat(0.0f);
#define DOTS(LOAD, STORE)                                                                          \
    f32x4 g = gain ? LOAD(dout + i) * LOAD(gain + i) : LOAD(dout + i);                             \
    dots += g * LOAD(x + i);
        EACH_FOUR(width, DOTS);
#undef DOTS
        f32x4 pull = v_splat(inv * inv * inv / (float)n * v_sum(dots));
        f32x4 by = v_splat(inv);
#define INPUT(LOAD, STORE)                                                                         \
    f32x4 g = gain ? LOAD(dout + i) * LOAD(gain + i) : LOAD(dout + i);                             \
    f32x4 d = by * g - pull * LOAD(x + i);                                                         \
    STORE(dx + i, accumulate ? LOAD(dx + i) + d : d);
        EACH_FOUR(width, INPUT);
#undef INPUT
    }
}

void softmax_row_simd(float *out, const float *x, float factor, int n) {
    size_t width = (size_t)n;
    size_t i = 0;
    float highest = x[0] * factor;
    f32x4 f = v_splat(factor);
    f32x4 top = v_splat(highest);
    for (; i + 4 <= width; i += 4) {
        top = v_max(v_load(x + i) * f, top);
    }
    highest = v_highest(top);
    for (; i < width; i++) {
        float z = x[i] * factor;
        highest = z > highest ? z : highest;
    }
    f32x4 shift = v_splat(highest);
    f32x4 sums = v_splat(0.0f);
    for (i = 0; i + 4 <= width; i += 4) {
        f32x4 e = v_exp(v_load(x + i) * f - shift);
        v_store(out + i, e);
        sums += e;
    }
    float sum = v_sum(sums);
    for (; i < width; i++) {
        out[i] = num_expf(x[i] * factor - highest);
        sum += out[i];
    }
    scale_simd(out, out, 1.0f / sum, width, false);
}

void softmax_rows_simd(float *out, const float *x, float factor, int rows, int n) {
    for (size_t r = 0; r < (size_t)rows; r++) {
        softmax_row_simd(out + r * (size_t)n, x + r * (size_t)n, factor, n);
    }
}

void softmax_row_backward_simd(float *dx, const float *y, const float *dout, float factor, int n,
                               bool accumulate) {
    size_t width = (size_t)n;
    f32x4 dot = v_splat(dot_shifted(dout, y, 0.0f, width));
    f32x4 f = v_splat(factor);
#define BODY(LOAD, STORE)                                                                          \
    f32x4 d = f * (LOAD(y + i) * (LOAD(dout + i) - dot));                                          \
    STORE(dx + i, accumulate ? LOAD(dx + i) + d : d);
    EACH_FOUR(width, BODY);
#undef BODY
}

double sum_squares_simd(const float *x, size_t n) {
    // Sums of 256 squares are float, the total of these sums is double: the rounding error does not
    // grow over millions of numbers.
    enum { CHUNK = 256 };
    double total = 0.0;
    for (size_t start = 0; start < n; start += CHUNK) {
        size_t count = n - start < CHUNK ? n - start : CHUNK;
        total += (double)sum_squares_shifted(x + start, 0.0f, count);
    }
    return total;
}

void adamw_simd(float *w, float *m, float *v, const float *g, size_t n, adamw_update u) {
    f32x4 beta1 = v_splat(u.beta1);
    f32x4 beta2 = v_splat(u.beta2);
    f32x4 rest1 = v_splat(1.0f - u.beta1);
    f32x4 rest2 = v_splat(1.0f - u.beta2);
    f32x4 epsilon = v_splat(u.epsilon);
    f32x4 correction1 = v_splat(u.correction1);
    f32x4 correction2 = v_splat(u.correction2_rt);
    f32x4 rate = v_splat(u.rate);
    f32x4 decay = v_splat(u.decay);
    f32x4 gradient_scale = v_splat(u.gradient_scale);
#define BODY(LOAD, STORE)                                                                          \
    f32x4 gradient = LOAD(g + i) * gradient_scale;                                                 \
    f32x4 mi = beta1 * LOAD(m + i) + rest1 * gradient;                                             \
    f32x4 vi = beta2 * LOAD(v + i) + rest2 * (gradient * gradient);                                \
    f32x4 wi = LOAD(w + i);                                                                        \
    f32x4 step = mi * correction1 / (v_sqrt(vi) * correction2 + epsilon);                          \
    STORE(m + i, mi);                                                                              \
    STORE(v + i, vi);                                                                              \
    STORE(w + i, wi - rate * (step + decay * wi));
    EACH_FOUR(n, BODY);
#undef BODY
}

void drop_tiny_simd(float *x, size_t n) {
    // Floats without the sign bit compare like their bits as integers; NaN is the largest.
    i32x4 tiny = (i32x4)v_splat(KERNEL_TINY);
#define BODY(LOAD, STORE)                                                                          \
    i32x4 bits = (i32x4)LOAD(x + i);                                                               \
    STORE(x + i, (f32x4)(bits & ((bits & 0x7FFFFFFF) >= tiny)));
    EACH_FOUR(n, BODY);
#undef BODY
}
