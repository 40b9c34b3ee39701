/* test_kernels.c - the SIMD version of every kernel against its scalar reference.
 *
 * Element-wise kernels and gemm must agree to the bit. Reductions add in another order: they must
 * agree with the exact sum (in double) within n * 2^-24 of the sum of magnitudes, as kernels.h
 * states.
 */
#include "kernels/kernels.h"
#include "kernels/vec.h"
#include "numbers.h"

/* Array sizes around multiples of four, the number of SIMD lanes, and larger sizes. */
static const int SIZES[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 64, 257};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

#define EACH_SIZE(n)                                                                               \
    for (int size_index = 0, n; size_index < SIZE_COUNT && ((n = SIZES[size_index]), true);        \
         size_index++)

/* Inputs at and beyond the bounds of branches and clamps, infinity and NaN among them. */
static const float SPECIAL[] = {0.0f,   -0.0f, 1.0f,  -1.0f,  1e-30f, -1e-30f,  87.5f,
                                -87.5f, 1e4f,  -1e4f, 3.0f,   -3.0f,  INFINITY, NAN,
                                0.5f,   -9.0f, 1e19f, -1e19f, -1e-6f, 1e-6f,    1.0000001f};
enum { SPECIAL_COUNT = sizeof SPECIAL / sizeof *SPECIAL };

/* ---- element-wise kernels -------------------------------------------------------------------- */

typedef void (*map_kernel)(float *out, const float *x, size_t n);
typedef void (*slope_kernel)(float *dx, const float *x, const float *dout, size_t n, bool add);

static void check_map(map_kernel simd, map_kernel ref) {
    EACH_SIZE(n) {
        size_t size = (size_t)n;
        float *x = random_array(size, 1);
        float *a = random_array(size, 2), *b = random_array(size, 3);
        simd(a, x, size);
        ref(b, x, size);
        CHECK_SAME_BITS(a, b, n);
        free(x), free(a), free(b);
    }
    float a[SPECIAL_COUNT], b[SPECIAL_COUNT];
    simd(a, SPECIAL, SPECIAL_COUNT);
    ref(b, SPECIAL, SPECIAL_COUNT);
    CHECK_SAME_BITS(a, b, SPECIAL_COUNT);
}

static void check_slope(slope_kernel simd, slope_kernel ref) {
    for (int add = 0; add < 2; add++) {
        EACH_SIZE(n) {
            size_t size = (size_t)n;
            float *x = random_array(size, 1), *dout = random_array(size, 2);
            float *a = random_array(size, 3), *b = copy_array(a, size);
            simd(a, x, dout, size, add);
            ref(b, x, dout, size, add);
            CHECK_SAME_BITS(a, b, n);
            free(x), free(dout), free(a), free(b);
        }
        float a[SPECIAL_COUNT] = {0}, b[SPECIAL_COUNT] = {0}, dout[SPECIAL_COUNT];
        fill_random(dout, SPECIAL_COUNT, 4);
        simd(a, SPECIAL, dout, SPECIAL_COUNT, add);
        ref(b, SPECIAL, dout, SPECIAL_COUNT, add);
        CHECK_SAME_BITS(a, b, SPECIAL_COUNT);
    }
}

static void test_add(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)n;
        float *x = random_array(size, 1), *y = random_array(size, 2);
        float *a = random_array(size, 3), *b = copy_array(a, size);
        add_simd(a, x, y, size);
        add_ref(b, x, y, size);
        CHECK_SAME_BITS(a, b, n);
        for (size_t i = 0; i < size; i++) CHECK(b[i] == x[i] + y[i]);
        add_simd(x, x, y, size); // the kernel also works in place
        CHECK_SAME_BITS(x, b, n);
        free(x), free(y), free(a), free(b);
    }
}

static void test_scale(void) {
    for (int add = 0; add < 2; add++) {
        EACH_SIZE(n) {
            size_t size = (size_t)n;
            float *x = random_array(size, 1), *before = random_array(size, 3);
            float *a = copy_array(before, size), *b = copy_array(before, size);
            scale_simd(a, x, 0.3f, size, add);
            scale_ref(b, x, 0.3f, size, add);
            CHECK_SAME_BITS(a, b, n);
            for (size_t i = 0; i < size; i++) CHECK(b[i] == (add ? before[i] : 0) + x[i] * 0.3f);
            scale_simd(x, x, 0.3f, size, false); // in place, as softmax calls it
            if (!add) CHECK_SAME_BITS(x, b, n);
            free(x), free(before), free(a), free(b);
        }
    }
}

static void test_gelu(void) {
    check_map(gelu_simd, gelu_ref);
    // Values of GELU's tanh form, computed in double. Tolerance: 8 half ulps of a float in [1, 2).
    static const double known[][2] = {{0, 0},
                                      {1, 0.8411919906082768},
                                      {-1, -0.15880800939172324},
                                      {2, 1.9545976940877752},
                                      {-2, -0.04540230591222481},
                                      {10, 10},
                                      {-10, 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        float x = (float)known[i][0], y;
        gelu_simd(&y, &x, 1);
        CHECK_NEAR(y, known[i][1], 8 * FLOAT_UNIT * fmax(1, fabs(known[i][1])));
    }
    float nan = NAN, y;
    gelu_simd(&y, &nan, 1);
    CHECK(y != y);
}

static void test_gelu_backward(void) {
    check_slope(gelu_backward_simd, gelu_backward_ref);
}

static void test_relu2(void) {
    check_map(relu2_simd, relu2_ref);
    float x[5] = {-3, -0.5f, 0, 0.5f, 3}, y[5];
    relu2_simd(y, x, 5);
    CHECK(y[0] == 0 && y[1] == 0 && y[2] == 0 && y[3] == 0.25f && y[4] == 9);
}

static void test_relu2_backward(void) {
    check_slope(relu2_backward_simd, relu2_backward_ref);
    float x[3] = {-3, 0, 3}, one[3] = {1, 1, 1}, dx[3];
    relu2_backward_simd(dx, x, one, 3, false);
    CHECK(dx[0] == 0 && dx[1] == 0 && dx[2] == 6);
}

static void test_adamw(void) {
    adamw_update updates[] = {
        {1e-3f, 0.9f, 0.999f, 1e-8f, 10, 31.6f, 0, 1}, // first step of Adam, without decay
        {1e-3f, 0.9f, 0.95f, 1e-8f, 1.2f, 1.5f, 0.1f, 0.25f},
        {0, 0, 0, 1, 1, 1, 0, 1},
    };
    for (size_t u = 0; u < sizeof updates / sizeof *updates; u++) {
        EACH_SIZE(n) {
            size_t size = (size_t)n;
            float *w = random_array(size, 1), *m = random_array(size, 2);
            float *v = constant_array(size, 0.5f), *g = random_array(size, 4);
            float *w2 = copy_array(w, size), *m2 = copy_array(m, size), *v2 = copy_array(v, size);
            adamw_simd(w, m, v, g, size, updates[u]);
            adamw_ref(w2, m2, v2, g, size, updates[u]);
            CHECK_SAME_BITS(w, w2, n);
            CHECK_SAME_BITS(m, m2, n);
            CHECK_SAME_BITS(v, v2, n);
            free(w), free(m), free(v), free(g), free(w2), free(m2), free(v2);
        }
    }
    // Without weight decay, a gradient of 0 still moves a weight that has momentum, and leaves a
    // weight without momentum unchanged.
    float w[2] = {1, 1}, m[2] = {1, 0}, v[2] = {1, 0}, g[2] = {0, 0};
    adamw_simd(w, m, v, g, 2, updates[0]);
    CHECK(w[0] < 1 && w[1] == 1);
}

static void test_drop_tiny(void) {
    EACH_SIZE(n) {
        size_t size = (size_t)n;
        float *x = random_array(size, 1);
        for (int i = 0; i < n; i++) x[i] *= i % 3 ? 1.0f : i % 2 ? 1e-37f : -1e-40f;
        float *y = copy_array(x, size);
        drop_tiny_simd(x, size);
        drop_tiny_ref(y, size);
        CHECK_SAME_BITS(x, y, n);
        free(x), free(y);
    }
    float x[8] = {0x1p-120f, -0x1p-120f, 0x1p-121f, -1e-45f, 1, -1, INFINITY, NAN};
    const float y[6] = {0x1p-120f, -0x1p-120f, 0, 0, 1, -1};
    drop_tiny_simd(x, 8);
    CHECK_SAME_BITS(x, y, 6);
    CHECK(x[6] == INFINITY && x[7] != x[7]);
}

static void test_vector_exp(void) {
    for (int i = 0; i < 400000; i += 4) {
        float x[4], lanes[4], single[4];
        for (int j = 0; j < 4; j++) x[j] = -100 + (float)(i + j) * (200.0f / 400000);
        v_store(lanes, v_exp(v_load(x)));
        for (int j = 0; j < 4; j++) single[j] = num_expf(x[j]);
        if (!CHECK_SAME_BITS(lanes, single, 4)) break;
    }
    for (int i = 0; i + 4 <= SPECIAL_COUNT; i++) {
        float lanes[4], single[4];
        v_store(lanes, v_exp(v_load(SPECIAL + i)));
        for (int j = 0; j < 4; j++) single[j] = num_expf(SPECIAL[i + j]);
        CHECK_SAME_BITS(lanes, single, 4);
    }
}

/* ---- gemm ------------------------------------------------------------------------------------ */

static float workspace[GEMM_WORKSPACE];

/* True if the SIMD and the reference version of gemm agree on a product. The rows of their outputs
 * have two elements more than n, which must not change. */
static bool gemm_agrees(int m, int n, int k, bool at, bool bt, bool bias, bool accumulate) {
    size_t M = (size_t)m, N = (size_t)n, K = (size_t)k, row = N + 2;
    float *a = random_array(M * K, 1), *b = random_array(K * N, 2), *c = random_array(N, 3);
    float *simd = random_array(M * row, 4), *ref = copy_array(simd, M * row);
    matrix left = at ? (matrix){a, 1, M} : (matrix){a, K, 1};
    matrix right = bt ? (matrix){b, 1, K} : (matrix){b, N, 1};
    gemm_simd(simd, row, left, right, bias ? c : NULL, m, n, k, accumulate, workspace);
    gemm_ref(ref, row, left, right, bias ? c : NULL, m, n, k, accumulate, NULL);
    bool same = same_bits(simd, ref, M * row);
    if (!same) {
        printf("  m %d n %d k %d, a %s, b %s%s%s\n", m, n, k, at ? "transposed" : "plain",
               bt ? "transposed" : "plain", bias ? ", bias" : "", accumulate ? ", added" : "");
    }
    free(a), free(b), free(c), free(simd), free(ref);
    return same;
}

static bool gemm_agrees_in_every_form(int m, int n, int k) {
    bool same = true;
    for (int form = 0; form < 16 && same; form++) {
        same = gemm_agrees(m, n, k, form & 1, form & 2, form & 4, form & 8);
    }
    return same;
}

static void test_gemm(void) {
    // All sizes up to 9 x 9, and so every incomplete 4 x 8 tile, with every choice of transposes,
    // bias and accumulation.
    bool same = true;
    for (int m = 1; m <= 9 && same; m++) {
        for (int n = 1; n <= 9 && same; n++) {
            for (int k = 0; k <= 9 && same; k++) same = gemm_agrees_in_every_form(m, n, k);
        }
    }
    CHECK(same);
    // Sizes around and beyond the blocks of gemm: 12 rows (packing begins), 64 rows, depth 256, 512
    // columns.
    static const int large[][3] = {{11, 17, 300}, {12, 17, 257}, {13, 20, 256},  {65, 24, 40},
                                   {64, 515, 9},  {3, 521, 260}, {130, 33, 513}, {1, 1030, 70}};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        CHECK(gemm_agrees_in_every_form(large[i][0], large[i][1], large[i][2]));
    }
    // Three products computed by hand: [1 2; 3 4] [5 6; 7 8] added to 100; with bias [10 20]; with
    // both matrices transposed.
    float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, bias[2] = {10, 20},
          out[4] = {100, 100, 100, 100};
    gemm_simd(out, 2, (matrix){a, 2, 1}, (matrix){b, 2, 1}, NULL, 2, 2, 2, true, workspace);
    CHECK(out[0] == 119 && out[1] == 122 && out[2] == 143 && out[3] == 150);
    gemm_simd(out, 2, (matrix){a, 2, 1}, (matrix){b, 2, 1}, bias, 2, 2, 2, false, workspace);
    CHECK(out[0] == 29 && out[1] == 42 && out[2] == 53 && out[3] == 70);
    gemm_simd(out, 2, (matrix){a, 1, 2}, (matrix){b, 1, 2}, NULL, 2, 2, 2, false, workspace);
    CHECK(out[0] == 1 * 5 + 3 * 6 && out[1] == 1 * 7 + 3 * 8);
}

static void test_gemm_rows(void) {
    // A row of the product computed alone equals the same row of the whole product: decoding one
    // token computes the same bits as training.
    enum { M = 40, N = 27, K = 300 };
    float *a = random_array(M * K, 1), *b = random_array(K * N, 2);
    float *all = random_array(M * N, 3), *one = random_array(N, 4);
    for (int transposed = 0; transposed < 2; transposed++) {
        matrix right = transposed ? (matrix){b, 1, K} : (matrix){b, N, 1};
        gemm_simd(all, N, (matrix){a, K, 1}, right, NULL, M, N, K, false, workspace);
        for (int i = 0; i < M; i++) {
            gemm_simd(one, N, (matrix){a + i * K, K, 1}, right, NULL, 1, N, K, false, workspace);
            CHECK_SAME_BITS(one, all + i * N, N);
        }
    }
    free(a), free(b), free(all), free(one);
}

static void test_gemm_not_finite(void) {
    // A NaN in row 5 of a affects row 5 of out, an infinity in column 17 of b affects column 17,
    // and neither affects any other element.
    enum { M = 13, N = 19, K = 10 };
    float *a = random_array(M * K, 1), *b = random_array(K * N, 2), *out = random_array(M * N, 3);
    a[5 * K + 3] = NAN;
    b[2 * N + 17] = INFINITY;
    gemm_simd(out, N, (matrix){a, K, 1}, (matrix){b, N, 1}, NULL, M, N, K, false, workspace);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            CHECK(num_finite((double)out[i * N + j]) == (i != 5 && j != 17));
        }
    }
    free(a), free(b), free(out);
}

/* ---- reductions ------------------------------------------------------------------------------ */

static void test_column_sums(void) {
    for (int add = 0; add < 2; add++) {
        EACH_SIZE(n) {
            size_t size = (size_t)n;
            float *x = random_array(9 * size, 1);
            float *a = random_array(size, 2), *b = copy_array(a, size);
            column_sums_simd(a, x, size, 9, n, add);
            column_sums_ref(b, x, size, 9, n, add);
            CHECK_SAME_BITS(a, b, n); // both versions add a column in the same order
            free(x), free(a), free(b);
        }
    }
    float x[6] = {1, 2, 3, 10, 20, 30}, out[3] = {100, 100, 100};
    column_sums_simd(out, x, 3, 2, 3, true);
    CHECK(out[0] == 111 && out[1] == 122 && out[2] == 133);
}

static void test_sum_squares(void) {
    static const int sizes[] = {0, 1, 3, 4, 7, 255, 256, 257, 1000, 70001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = (size_t)sizes[i];
        float *x = random_array(n, 5);
        double exact = 0; // in double, whose rounding errors are far below the bound
        for (size_t j = 0; j < n; j++) exact += (double)x[j] * (double)x[j];
        // The kernel adds at most 256 numbers in float: 64 in each lane, then the lanes, then the
        // remaining numbers.
        CHECK_NEAR(sum_squares_simd(x, n), exact, 256 * FLOAT_UNIT * exact);
        CHECK_NEAR(sum_squares_ref(x, n), exact, 1e-12 * exact);
        free(x);
    }
    float bad[5] = {1, 2, 3, 4, NAN};
    CHECK(!num_finite(sum_squares_simd(bad, 5)));
    bad[4] = 1e30f; // its square overflows a float
    CHECK(!num_finite(sum_squares_simd(bad, 5)));
}

#include "kernels_rows.h"

/* ---- the list of kernels --------------------------------------------------------------------- */

/* Calls test_NAME for every kernel of KERNEL_LIST: a kernel without such a function does not
 * compile. */
#define TEST_KERNEL(type, name, arguments)                                                         \
    TEST("kernel " #name ": SIMD agrees with the reference") test_##name();

int main(void) {
    KERNEL_LIST(TEST_KERNEL)
    TEST("the vector exponential equals the scalar one in every lane, to the bit")
        test_vector_exp();
    TEST("a row of a matrix product has the same bits alone as in a larger product")
        test_gemm_rows();
    TEST("a matrix product spreads a NaN to its row and its column only") test_gemm_not_finite();
    TEST("norms and softmax of a row with a NaN or an infinity are NaN throughout")
        test_rows_not_finite();
    TEST("attention of new queries over a KV cache equals the rows of full attention, to the bit")
        test_attention_cached();
    TEST("attention over a batch equals attention over each sequence alone, to the bit")
        test_attention_batch();
    TEST("attention is causal: later keys and values change no bit of an earlier output")
        test_attention_causal();
    return check_report();
}
