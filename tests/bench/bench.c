/* bench.c - functions that the benchmark times: peak rates of the machine, and every op of a step
 * alone.
 *
 * Linked with the engine into build/bench/, never into the product. Each function repeats one task
 * `times` times; the caller in JavaScript measures the time.
 */
#include <stdlib.h>
#include <string.h>

#include "api/gpt.h"
#include "base/pool.h"
#include "kernels/kernels.h"
#include "kernels/vec.h"
#include "train/optimizer.h"
#include "train/trainer.h"

// Called by JavaScript only, hence without prototypes in a header.
#pragma clang diagnostic ignored "-Wmissing-prototypes"
#define BENCH_API __attribute__((used, visibility("default")))

/* ---- Peak rates ------------------------------------------------------------------------------ */

enum {
    PEAK_CHAINS = 12,
    PEAK_FLOPS = PEAK_CHAINS * 4 * 2
}; /* floating-point operations of one iteration */

/* The peak rate of a core with four lanes: PEAK_FLOPS * times operations in twelve independent
 * chains of multiply and add in registers. The result depends on every chain, so the compiler keeps
 * the loop. */
BENCH_API float bench_peak(int times) {
    volatile float seed = 0.5f;
    f32x4 factor = v_splat(0.999f * 2.0f * seed), add = v_splat(seed);
    f32x4 a = v_splat(1), b = v_splat(2), c = v_splat(3), d = v_splat(4), e = v_splat(5),
          f = v_splat(6), g = v_splat(7), h = v_splat(8), i = v_splat(9), j = v_splat(10),
          k = v_splat(11), l = v_splat(12);
    for (int t = 0; t < times; t++) {
        a = a * factor + add, b = b * factor + add, c = c * factor + add, d = d * factor + add;
        e = e * factor + add, f = f * factor + add, g = g * factor + add, h = h * factor + add;
        i = i * factor + add, j = j * factor + add, k = k * factor + add, l = l * factor + add;
    }
    return v_sum(a + b + c + d + e + f + g + h + i + j + k + l);
}

BENCH_API int bench_peak_flops(void) {
    return PEAK_FLOPS;
}

/* out (n) = x (k) w (k,n) for `count` matrices, one after the other in `w`: the peak rate for
 * matrices that are read once. Computes 32 columns at a time in eight registers; n is a multiple of
 * 32. Each matrix is stored in panels of 32 columns (n/32,k,32) and read from beginning to end. */
BENCH_API void bench_matvec(float *out, const float *x, const float *w, int n, int k, int count,
                            int times) {
    for (int t = 0; t < times; t++) {
        for (int m = 0; m < count; m++) {
            const float *matrix_m = w + (size_t)m * (size_t)n * (size_t)k;
            for (int j = 0; j < n; j += 32) {
                f32x4 sum[8];
                for (int r = 0; r < 8; r++) {
                    sum[r] = v_splat(0.0f);
                }
                for (int l = 0; l < k; l++) {
                    f32x4 xl = v_splat(x[l]);
                    const float *row = matrix_m + (size_t)j * (size_t)k + (size_t)l * 32;
                    for (int r = 0; r < 8; r++) {
                        sum[r] += xl * v_load(row + 4 * r);
                    }
                }
                for (int r = 0; r < 8; r++) {
                    v_store(out + j + 4 * r, sum[r]);
                }
            }
        }
    }
}

/* The peak rate of reading memory once: `bytes`, rounded down to whole blocks of 32 KB. `streams`
 * is 1 (from beginning to end) or 8 (4 KB apart, which keeps more hardware prefetchers busy; the
 * decoder reads like this). The result depends on every byte, so the compiler keeps the reads. */
BENCH_API int bench_read(const float *from, size_t bytes, int streams) {
    enum { STREAMS = 8, PAGE = 1024, BLOCK = STREAMS * PAGE }; /* in floats */
    size_t stride = streams == 1 ? 4 : PAGE;
    size_t step = streams == 1 ? 4 * STREAMS : 4;
    i32x4 sum[STREAMS] = {0};
    const float *end = from + bytes / sizeof *from / BLOCK * BLOCK;
    for (const float *at = from; at < end; at += BLOCK) {
        for (size_t i = 0; i < PAGE / 4; i++) {
            for (size_t s = 0; s < STREAMS; s++) {
                sum[s] ^= (i32x4)v_load(at + i * step + s * stride);
            }
        }
    }
    for (int s = 1; s < STREAMS; s++) {
        sum[0] ^= sum[s];
    }
    return sum[0][0] ^ sum[0][1] ^ sum[0][2] ^ sum[0][3];
}

/* ---- GEMM ------------------------------------------------------------------------------------ */

/* out (m,n) = a b. `transposed`: 0 none (forward pass), 1 b (gradient of the input), 2 a (gradient
 * of the weights). The workspace has GEMM_WORKSPACE floats. */
BENCH_API void bench_gemm(float *out, const float *a, const float *b, int m, int n, int k,
                          int transposed, int times, float *workspace) {
    matrix left = {a, (size_t)k, 1}, right = {b, (size_t)n, 1};
    if (transposed == 1) {
        right = (matrix){b, 1, (size_t)k};
    } else if (transposed == 2) {
        left = (matrix){a, 1, (size_t)m};
    }
    for (int t = 0; t < times; t++) {
        parallel(gemm, out, (size_t)n, left, right, NULL, m, n, k, false, workspace);
    }
}

BENCH_API int bench_gemm_workspace(void) {
    return GEMM_WORKSPACE;
}

/* ---- Every op of one step, alone ------------------------------------------------------------- */

typedef struct bench {
    trainer run;
    arena memory;
    tape work;
} bench;

/* Runs the forward and backward pass of one step and keeps every gradient, so that each node can be
 * run again. False without memory. */
static bool compute(bench *b) {
    if (tape_open(&b->work, &b->memory, model_node_count(&b->run.net.options), NULL) < 0) {
        return false;
    }
    b->work.keep_grads = true;
    tensor *logits = model_forward(&b->run.net, &b->work, b->run.training.inputs, b->run.training.B,
                                   b->run.training.T, NULL);
    tensor *loss = op_cross_entropy(&b->work, "loss", logits, b->run.training.targets);
    return loss && tape_backward(&b->work, loss) == GPT_OK;
}

BENCH_API void bench_close(bench *b) {
    if (b) {
        tape_close(&b->work);
        arena_close(&b->memory);
        trainer_close(&b->run);
        free(b);
    }
}

/* Computes one step of `recipe` on `text` and keeps its nodes for bench_node_run; NULL on failure.
 * The caller closes it. */
BENCH_API bench *bench_open(const gpt_config *recipe, const char *text, size_t bytes) {
    config options = {0};
    for (int i = 0; i < OPT_COUNT; i++) {
        options.value[i] = gpt_config_get(recipe, CONFIG_ROWS[i].name);
    }
    bench *b = calloc(1, sizeof *b);
    trainer_source from = {.options = &options, .text = text, .bytes = bytes};
    if (!b || trainer_open(&b->run, &from, NULL) < 0 || trainer_rewind(&b->run, NULL) < 0) {
        bench_close(b);
        return NULL;
    }
    dataset_batch(&b->run.data, &b->run.training, 0, config_int(&options, OPT_BATCH),
                  &b->run.state.stream);
    arena_open_measuring(&b->memory);
    bool fits = compute(b);
    uint64_t scratch = 0;
    for (int i = 0; i < b->work.node_count; i++) {
        const tape_node *n = &b->work.nodes[i];
        uint64_t needed = n->op->scratch ? n->op->scratch(n) : 0;
        scratch = needed > scratch ? needed : scratch;
    }
    uint64_t peak = b->memory.peak;
    tape_close(&b->work);
    fits = fits && arena_open(&b->memory, peak + scratch * sizeof(real) + ARENA_ALIGN, NULL) == 0;
    if (!fits || !compute(b)) {
        bench_close(b);
        return NULL;
    }
    // Later gradients occupy the scratch memory that nodes had in the backward pass. The nodes now
    // share scratch memory of their own.
    real *shared = arena_alloc(&b->memory, scratch, sizeof(real));
    for (int i = 0; i < b->work.node_count; i++) {
        b->work.nodes[i].scratch = shared;
    }
    return b;
}

BENCH_API int bench_nodes(const bench *b) {
    return b->work.node_count;
}

/* The name of the node's op, such as "linear". */
BENCH_API const char *bench_node_op(const bench *b, int node) {
    return b->work.nodes[node].op->name;
}

/* Runs the forward (0) or backward (1) pass of one node. */
BENCH_API void bench_node_run(bench *b, int node, int backward, int times) {
    tape_node *n = &b->work.nodes[node];
    for (int t = 0; t < times; t++) {
        (backward ? n->op->backward : n->op->forward)(&b->work, n);
    }
}

/* Runs the update at the end of a step and returns the gradient norm. A rate of 0 leaves the
 * weights unchanged. */
BENCH_API double bench_update(bench *b, int times) {
    double norm = 0;
    for (int t = 0; t < times; t++) {
        norm = optimizer_gradient_norm(&b->run.net);
        optimizer_step(&b->run.net, 0, 0.0, norm);
    }
    return norm;
}

/* Runs the forward pass over the first `length` tokens of the batch: the cost of one token if text
 * is generated without a KV cache. */
BENCH_API void bench_recompute(bench *b, int length, int times) {
    trainer *t = &b->run;
    for (int i = 0; i < times; i++) {
        tape_rewind(&t->work, false);
        (void)model_forward(&t->net, &t->work, t->training.inputs, 1, length, NULL);
    }
}

/* ---- Threads --------------------------------------------------------------------------------- */

static void peak_part(void *context, int part, void *scratch) {
    (void)part, (void)scratch;
    volatile float result = bench_peak(*(int *)context); // volatile: the compiler keeps the loop
    (void)result;
}

/* Runs bench_peak on `threads` threads at once, `times` iterations on each. */
BENCH_API void bench_peak_together(int threads, int times) {
    pool_run(peak_part, &times, threads, threads, NULL);
}
