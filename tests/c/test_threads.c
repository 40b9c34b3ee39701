/* test_threads.c - the thread pool; kernels and runs have the same bits with any number of threads.
 *
 * Built and run twice: with the address sanitizer, and with the detector of data races.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "api/gpt.h"
#include "base/pool.h"
#include "check.h"
#include "kernels/kernels.h"

static const int THREADS[] = {2, 3, 8};
#define EACH_THREADS(count)                                                                        \
    for (int index = 0, count; index < 3 && ((count = gpt_threads_use(THREADS[index])), true);     \
         index++)

/* ---- the thread pool ------------------------------------------------------------------------- */

enum { PARTS = 97 };

typedef struct tally {
    int runs[PARTS];
    int nested; /* parts of the nested job that each part starts; 0: none */
} tally;

static void count_inner(void *context, int part, void *scratch) {
    (void)part, (void)scratch;
    ++*(int *)context;
}

static void count_part(void *context, int part, void *scratch) {
    (void)scratch;
    tally *t = context;
    t->runs[part]++;
    if (t->nested) {
        int inner = 0;
        pool_run(count_inner, &inner, t->nested, 8, NULL);
        t->runs[part] += inner == t->nested ? 0 : 100;
    }
}

/* True if a job of `parts` parts runs each part exactly once, and each nested job of `nested` parts
 * runs all of its parts. */
static bool each_once(int parts, int nested, int threads) {
    tally t = {.nested = nested};
    pool_run(count_part, &t, parts, threads, NULL);
    bool good = true;
    for (int i = 0; i < PARTS; i++) good = good && t.runs[i] == (i < parts);
    return good;
}

static void note_thread(void *threads, int part, void *scratch) {
    (void)scratch;
    ((pthread_t *)threads)[part] = pthread_self();
    for (int i = 0; i < 20000; i++) __asm__ volatile(""); // gives slow threads the time to join
}

/* Returns how many threads ran parts of a job that may use `threads` threads. */
static int threads_in_job(int threads) {
    pthread_t by[PARTS];
    int count = 0;
    pool_run(note_thread, by, PARTS, threads, NULL);
    for (int i = 0, k; i < PARTS; i++) {
        for (k = 0; k < i && !pthread_equal(by[k], by[i]); k++) {}
        count += k == i;
    }
    return count;
}

static void *run_many(void *failures) {
    for (int i = 0; i < 200; i++) *(int *)failures += !each_once(PARTS, 0, 8);
    return NULL;
}

/* ---- kernels --------------------------------------------------------------------------------- */

#define SAME(a, b, count) CHECK(memcmp(a, b, (size_t)(count) * sizeof *(a)) == 0)

enum { ROWS = 96, WIDTH = 200, SIZE = ROWS * WIDTH, BIG = 300001 };

/* Inputs and outputs of the kernel tests. `one` and `many` are the outputs with one thread and with
 * many threads; both arrays contain the same numbers before the kernel runs. */
typedef struct arrays {
    float *x, *y, *z, *one, *many, *one2, *many2, *workspace, *scratch;
} arrays;

/* Returns the first `count` random numbers of a seed; the caller frees them. The numbers of a seed
 * are computed once and then copied: the race detector makes the computation slow. */
static float *numbers(size_t count, uint32_t seed) {
    static float drawn[8][BIG];
    float *series = drawn[seed], *copy = malloc(count * sizeof *copy);
    uint32_t state = seed;
    for (size_t i = 0; series[BIG - 1] == 0 && i < BIG; i++) {
        state = state * 1664525u + 1013904223u;
        series[i] = (float)(int32_t)state / 2147483648.0f;
    }
    if (copy) memcpy(copy, series, count * sizeof *copy);
    return copy;
}

static arrays arrays_open(size_t count) {
    return (arrays){.x = numbers(count, 1),
                    .y = numbers(count, 2),
                    .z = numbers(count, 3),
                    .one = numbers(count, 4),
                    .many = numbers(count, 4),
                    .one2 = numbers(count, 5),
                    .many2 = numbers(count, 5),
                    .workspace = numbers(GEMM_WORKSPACE, 6),
                    .scratch = numbers(ATTENTION_BLOCK * 256, 7)};
}

static void arrays_close(arrays a) {
    free(a.x), free(a.y), free(a.z), free(a.one), free(a.many), free(a.one2), free(a.many2);
    free(a.workspace), free(a.scratch);
}

static void test_gemm(arrays a) {
    // Rows, columns and depth of products that are split by rows or by columns, with and without
    // full tiles. The last product is too small for a second thread.
    static const int shapes[][3] = {{257, 64, 96},  {64, 257, 96},  {7, 1030, 200},
                                    {1, 1030, 280}, {1030, 3, 280}, {5, 6, 7}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int m = shapes[i][0], n = shapes[i][1], k = shapes[i][2];
        for (int form = 0; form < 8; form++) {
            matrix left = form & 1 ? (matrix){a.x, 1, (size_t)m} : (matrix){a.x, (size_t)k, 1};
            matrix right = form & 2 ? (matrix){a.y, 1, (size_t)k} : (matrix){a.y, (size_t)n, 1};
            const float *bias = form & 4 ? a.z : NULL;
            gemm_simd(a.one, (size_t)n, left, right, bias, m, n, k, !bias, a.workspace);
            parallel(gemm, a.many, (size_t)n, left, right, bias, m, n, k, !bias, a.workspace);
            SAME(a.one, a.many, m * n);
        }
    }
}

static void test_column_sums(arrays a) {
    for (int add = 0; add < 2; add++) {
        column_sums_simd(a.one, a.x, WIDTH, BIG / WIDTH, WIDTH, add);
        parallel(column_sums, a.many, a.x, WIDTH, BIG / WIDTH, WIDTH, add);
        SAME(a.one, a.many, WIDTH);
    }
}

static void test_add(arrays a) {
    add_simd(a.one, a.x, a.y, BIG);
    parallel(add, a.many, a.x, a.y, BIG);
    SAME(a.one, a.many, BIG);
}

static void test_scale(arrays a) {
    for (int add = 0; add < 2; add++) {
        scale_simd(a.one, a.x, 0.3f, BIG, add);
        parallel(scale, a.many, a.x, 0.3f, BIG, add);
        SAME(a.one, a.many, BIG);
    }
}

static void test_gelu(arrays a) {
    gelu_simd(a.one, a.x, BIG);
    parallel(gelu, a.many, a.x, BIG);
    SAME(a.one, a.many, BIG);
}

static void test_gelu_backward(arrays a) {
    for (int add = 0; add < 2; add++) {
        gelu_backward_simd(a.one, a.x, a.y, BIG, add);
        parallel(gelu_backward, a.many, a.x, a.y, BIG, add);
        SAME(a.one, a.many, BIG);
    }
}

static void test_relu2(arrays a) {
    relu2_simd(a.one, a.x, BIG);
    parallel(relu2, a.many, a.x, BIG);
    SAME(a.one, a.many, BIG);
}

static void test_relu2_backward(arrays a) {
    for (int add = 0; add < 2; add++) {
        relu2_backward_simd(a.one, a.x, a.y, BIG, add);
        parallel(relu2_backward, a.many, a.x, a.y, BIG, add);
        SAME(a.one, a.many, BIG);
    }
}

static void test_layernorm(arrays a) {
    layernorm_simd(a.one, a.one2, a.one2 + ROWS, a.x, a.y, a.z, ROWS, WIDTH, 1e-5f);
    parallel(layernorm, a.many, a.many2, a.many2 + ROWS, a.x, a.y, a.z, ROWS, WIDTH, 1e-5f);
    SAME(a.one, a.many, SIZE);
    SAME(a.one2, a.many2, 2 * ROWS);
}

static void test_layernorm_backward(arrays a) {
    for (int add = 0; add < 2; add++) {
        const float *gain = a.scratch, *mean = a.z, *inverse = a.z + ROWS;
        layernorm_backward_simd(a.one, a.x, mean, inverse, gain, a.y, ROWS, WIDTH, add);
        parallel(layernorm_backward, a.many, a.x, mean, inverse, gain, a.y, ROWS, WIDTH, add);
        SAME(a.one, a.many, SIZE);
    }
}

static void test_rmsnorm(arrays a) {
    rmsnorm_simd(a.one, a.one2, a.x, a.y, ROWS, WIDTH, 1e-5f);
    parallel(rmsnorm, a.many, a.many2, a.x, a.y, ROWS, WIDTH, 1e-5f);
    SAME(a.one, a.many, SIZE);
    SAME(a.one2, a.many2, ROWS);
}

static void test_rmsnorm_backward(arrays a) {
    for (int add = 0; add < 2; add++) {
        rmsnorm_backward_simd(a.one, a.x, a.z, a.scratch, a.y, ROWS, WIDTH, add);
        parallel(rmsnorm_backward, a.many, a.x, a.z, a.scratch, a.y, ROWS, WIDTH, add);
        SAME(a.one, a.many, SIZE);
    }
}

static void test_norm_gain_backward(arrays a) {
    enum { TALL = BIG / WIDTH };
    for (int form = 0; form < 4; form++) {
        const float *mean = form & 1 ? a.z : NULL, *inverse = a.z + TALL;
        bool add = form & 2;
        norm_gain_backward_simd(a.one, a.x, mean, inverse, a.y, WIDTH, TALL, WIDTH, add);
        parallel(norm_gain_backward, a.many, a.x, mean, inverse, a.y, WIDTH, TALL, WIDTH, add);
        SAME(a.one, a.many, WIDTH);
    }
}

static void test_softmax_rows(arrays a) {
    softmax_rows_simd(a.one, a.x, 0.7f, ROWS, WIDTH);
    parallel(softmax_rows, a.many, a.x, 0.7f, ROWS, WIDTH);
    SAME(a.one, a.many, SIZE);
}

enum { BATCH = 3, T = 70, HEADS = 5, C = 40 };
static const attention_shape SHAPE = {BATCH,        T, T, C, HEADS, 3 * (size_t)C, 3 * (size_t)C,
                                      3 * (size_t)C};

static void test_attention(arrays a) {
    attention_simd(a.one, a.one2, a.x, a.x + C, a.x + 2 * C, SHAPE, a.workspace);
    parallel(attention, a.many, a.many2, a.x, a.x + C, a.x + 2 * C, SHAPE, a.workspace);
    SAME(a.one, a.many, BATCH * T * C);
    SAME(a.one2, a.many2, BATCH * HEADS * T * T);
}

static void test_attention_backward(arrays a) {
    for (int add = 0; add < 2; add++) {
        attention_backward_simd(a.one, a.one + C, a.one + 2 * C, a.y, a.x, a.x + C, a.x + 2 * C,
                                a.z, SHAPE, add, a.scratch, a.workspace);
        parallel(attention_backward, a.many, a.many + C, a.many + 2 * C, a.y, a.x, a.x + C,
                 a.x + 2 * C, a.z, SHAPE, add, a.scratch, a.workspace);
        SAME(a.one, a.many, BATCH * T * 3 * C);
    }
}

/* Tests every kernel of PARALLEL_KERNEL_LIST with test_NAME: a kernel without such a function does
 * not compile. */
#define TEST_KERNEL(type, name, arguments)                                                         \
    TEST("kernel " #name ": the same bits with 1, 2, 3 and 8 threads") {                           \
        arrays a = arrays_open(BIG);                                                               \
        EACH_THREADS(count) {                                                                      \
            CHECK_INT(count, THREADS[index]);                                                      \
            test_##name(a);                                                                        \
        }                                                                                          \
        arrays_close(a);                                                                           \
    }

/* ---- whole runs ------------------------------------------------------------------------------ */

enum { STEPS = 4 };

/* The results of a run: the loss of every step and at the end the held-out loss, a sample, and a
 * hash (FNV-1a) of the weights. */
typedef struct trace {
    double loss[STEPS + 1];
    char sample[4096];
    uint64_t hash;
} trace;

static void hash_weights(gpt_trainer *t, trace *r) {
    static char json[65536];
    CHECK(gpt_parameters_json(t, json, sizeof json) > 0);
    double left = gpt_trainer_get(t, "parameters");
    r->hash = 14695981039346656037u;
    // The size of each parameter is the product of its shape, which is parsed from the JSON.
    const char *at = json;
    for (int i = 0; left > 0 && (at = strstr(at, "\"shape\":[")) != NULL; i++) {
        at += 9;
        size_t size = 1;
        for (char *end = NULL; *at != ']'; at = *end == ',' ? end + 1 : end) {
            size *= (size_t)strtoul(at, &end, 10);
        }
        const unsigned char *bytes = (const unsigned char *)gpt_parameter_data(t, i);
        for (size_t j = 0; j < size * sizeof(float); j++) {
            r->hash = (r->hash ^ bytes[j]) * 1099511628211u;
        }
        left -= (double)size;
    }
    CHECK(left == 0);
}

static trace run(const char *preset, const char *text) {
    trace r = {0};
    gpt_config *c = gpt_config_create(preset);
    gpt_config_set(c, "layers", 2);
    gpt_config_set(c, "channels", 96);
    gpt_config_set(c, "batch", 3);
    gpt_config_set(c, "validation", 0.3);
    gpt_trainer *t = gpt_trainer_create(c, text, strlen(text));
    if (CHECK(t != NULL)) {
        double bytes = gpt_trainer_get(t, "memory_bytes");
        for (int i = 0; i < STEPS; i++) {
            CHECK_INT(gpt_step(t), GPT_OK);
            r.loss[i] = gpt_loss(t);
        }
        r.loss[STEPS] = gpt_validate(t, 4);
        CHECK(gpt_sample(t, "", 0, 40, 0.9, 0, 1, 7, r.sample, sizeof r.sample) >= 0);
        hash_weights(t, &r);
        CHECK(gpt_trainer_get(t, "memory_bytes") == bytes);
    }
    gpt_trainer_free(t);
    gpt_config_free(c);
    return r;
}

static void test_run(const char *preset) {
    static char text[4000];
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        text[i] = i % 41 == 40 ? '\n' : (char)('a' + i * i % 23 + i % 3);
    }
    gpt_threads_use(1);
    trace alone = run(preset, text);
    EACH_THREADS(count) {
        CHECK_INT(count, THREADS[index]);
        trace together = run(preset, text);
        CHECK(memcmp(alone.loss, together.loss, sizeof alone.loss) == 0);
        CHECK(alone.hash == together.hash);
        CHECK_STRING(alone.sample, together.sample);
    }
}

int main(void) {
    TEST("without other threads a job is a loop on the calling thread") {
        CHECK_INT(gpt_threads_count(), 1);
        CHECK(each_once(PARTS, 0, 8));
        CHECK(gpt_thread_create() == NULL);
        gpt_threads_stop();
    }
    TEST("every part of a job runs exactly once, on any number of threads") {
        EACH_THREADS(count) {
            CHECK_INT(count, THREADS[index]);
            // The jobs have different numbers of parts. A thread that starts late on a job that has
            // ended must not run parts of the next job as parts of the ended one.
            for (int i = 0; i < 20000; i++) {
                if (!CHECK(each_once(1 + i * 5 % PARTS, 0, 1 + i % 9))) break;
            }
        }
    }
    TEST("a late thread runs no part of a job that is limited to fewer threads") {
        CHECK_INT(gpt_threads_use(4), 4);
        for (int i = 0; i < 300; i++) {
            CHECK(each_once(4, 0, 4));
            if (!CHECK(threads_in_job(2) <= 2)) break;
        }
    }
    TEST("a job within a job runs all its parts") {
        for (int i = 0; i < 50; i++) CHECK(each_once(PARTS, 5, 8));
    }
    TEST("two threads may start jobs at the same time") {
        int failures = 0, others = 0;
        pthread_t other;
        pthread_create(&other, NULL, run_many, &others);
        run_many(&failures);
        pthread_join(other, NULL);
        CHECK_INT(failures + others, 0);
    }
    TEST("threads can be stopped and started again") {
        for (int i = 0; i < 20; i++) {
            CHECK_INT(gpt_threads_use(1 + i % 4), 1 + i % 4);
            CHECK(each_once(PARTS, 0, 8));
            gpt_threads_stop();
            CHECK_INT(gpt_threads_count(), 1);
        }
        CHECK_INT(gpt_threads_use(1000), POOL_THREADS_MAX);
        CHECK_INT(gpt_threads_use(-5), 1);
        gpt_threads_stop();
    }
    PARALLEL_KERNEL_LIST(TEST_KERNEL)
    TEST("tinygpt: losses, weights and samples are the same with 1, 2, 3 and 8 threads")
        test_run("tinygpt");
    TEST("microgpt: losses, weights and samples are the same with 1, 2, 3 and 8 threads")
        test_run("microgpt");
    TEST("gpt2: losses, weights and samples are the same with 1, 2, 3 and 8 threads")
        test_run("gpt2");
    gpt_threads_stop();
    return check_report();
}
