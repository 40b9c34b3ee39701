/* kernels_parallel.c - kernels on several threads: each thread runs NAME_simd on ranges of the
 * output.
 *
 * Each kernel has one entry PARALLEL: the unit of its ranges (elements, rows, columns or heads),
 * the cost of an element, and the call of NAME_simd for a range. A call too small to pay for a
 * second thread is one range. Invariant: one thread computes an output element, in the order of
 * NAME_simd, so the bits are the same for any number of threads.
 */
#include "kernels/kernels_simd.h"

#ifdef GPT_THREADS

#include "base/pool.h"

/* Amounts of work, in operations. Starting a job takes about a microsecond, the time of some 50,000
 * operations; the share of a thread must be at least SHARE_WORK, twice that number. A larger share
 * is divided into up to four parts of at least PART_WORK, so that other threads can run parts of a
 * delayed thread. */
static const double SHARE_WORK = 1e5, PART_WORK = 2e7;

/* Estimated operations per element, for all kernels other than matrix products. */
static const double COST_PLAIN = 4, COST_NORM = 16, COST_EXP = 40;

/* Computes elements, rows, columns or heads first .. first+count-1 of a call's output. `arguments`
 * points to the arguments of the whole call; `workspace` belongs to the executing thread. */
typedef void range_function(const void *arguments, size_t first, size_t count, float *workspace);

/* Division of a call's `size` elements, rows, columns or heads into `parts` ranges. A range begins
 * at a multiple of `grain`. */
typedef struct job {
    range_function *range;
    const void *arguments;
    size_t size, grain;
    int parts;
} job;

/* Returns the first index of part `part`, 0 to `parts`; for part = `parts`, returns `size`. */
static size_t part_start(const job *j, int part) {
    size_t grains = (j->size + j->grain - 1) / j->grain;
    size_t start = grains * (size_t)part / (size_t)j->parts * j->grain;
    return start < j->size ? start : j->size;
}

static void run_part(void *context, int part, void *workspace) {
    const job *j = context;
    size_t first = part_start(j, part);
    j->range(j->arguments, first, part_start(j, part + 1) - first, workspace);
}

/* Computes a call of `work` operations, divided among as many threads as the work pays for.
 * `workspace` belongs to the calling thread. */
static void divide(range_function *range, const void *arguments, size_t size, size_t grain,
                   double work, float *workspace) {
    int most = work < 2 * SHARE_WORK ? 1 : pool_threads();
    if (most < 2 || size <= grain) {
        range(arguments, 0, size, workspace);
        return;
    }
    double shares = work / SHARE_WORK, each = work / PART_WORK / most;
    int threads = shares >= most ? most : (int)shares;
    // Each thread gets the same number of parts, 1 to 4.
    int parts = threads * (each >= 4 ? 4 : each < 1 ? 1 : (int)each);
    size_t grains = (size + grain - 1) / grain;
    job j = {range, arguments, size, grain, (size_t)parts < grains ? parts : (int)grains};
    pool_run(run_part, &j, j.parts, threads, workspace);
}

/* Defines NAME_parallel. `cut` is ELEMENTS, ROWS, COLUMNS, HEADS or ROWS_OR_COLUMNS. `call`
 * computes the range first .. first+count-1; k points to the arguments of the whole call. */
#define PARALLEL(name, cut, call)                                                                  \
    static void name##_range(const void *arguments, size_t first, size_t count,                    \
                             float *workspace) {                                                   \
        const name##_arguments *k = arguments;                                                     \
        (void)workspace;                                                                           \
        call;                                                                                      \
    }                                                                                              \
    void name##_parallel(const name##_arguments *k) {                                              \
        divide(name##_range, k, cut);                                                              \
    }

/* Size, grain, work and workspace of a call, as arguments of divide. The grain of elements and
 * columns is a cache line of 16 numbers, the grain of a matrix product's rows is a tile of 4. */
#define ELEMENTS(cost) k->n, 16, (double)(k->n) * cost, NULL
#define ROWS(cost)     (size_t)(k->rows), 1, cost * k->rows * k->n, NULL
#define COLUMNS(cost)  (size_t)(k->n), 16, cost * k->rows * k->n, NULL
#define HEADS(work)    (size_t)(k->s.batch * k->s.heads), 1, work, k->workspace
#define ROWS_OR_COLUMNS                                                                            \
    (size_t)(k->m >= k->n ? k->m : k->n), k->m >= k->n ? 4 : 16, 2.0 * k->m * k->n * k->k,         \
        k->workspace

PARALLEL(add, ELEMENTS(COST_PLAIN), add_simd(k->out + first, k->a + first, k->b + first, count))

PARALLEL(scale, ELEMENTS(COST_PLAIN),
         scale_simd(k->out + first, k->x + first, k->factor, count, k->accumulate))

PARALLEL(gelu, ELEMENTS(COST_EXP), gelu_simd(k->out + first, k->x + first, count))

PARALLEL(gelu_backward, ELEMENTS(COST_EXP),
         gelu_backward_simd(k->dx + first, k->x + first, k->dout + first, count, k->accumulate))

PARALLEL(relu2, ELEMENTS(COST_PLAIN), relu2_simd(k->out + first, k->x + first, count))

PARALLEL(relu2_backward, ELEMENTS(COST_PLAIN),
         relu2_backward_simd(k->dx + first, k->x + first, k->dout + first, count, k->accumulate))

/* Pointer to row `first` of the dense array k->x. */
#define ROW(x) (k->x + first * (size_t)k->n)

PARALLEL(softmax_rows, ROWS(COST_EXP),
         softmax_rows_simd(ROW(out), ROW(x), k->factor, (int)count, k->n))

PARALLEL(layernorm, ROWS(COST_NORM),
         layernorm_simd(ROW(out), k->mean + first, k->inverse + first, ROW(x), k->gain, k->bias,
                        (int)count, k->n, k->eps))

PARALLEL(layernorm_backward, ROWS(COST_NORM),
         layernorm_backward_simd(ROW(dx), ROW(x), k->mean + first, k->inverse + first, k->gain,
                                 ROW(dout), (int)count, k->n, k->accumulate))

PARALLEL(rmsnorm, ROWS(COST_NORM),
         rmsnorm_simd(ROW(out), k->inverse + first, ROW(x), k->gain, (int)count, k->n, k->eps))

PARALLEL(rmsnorm_backward, ROWS(COST_NORM),
         rmsnorm_backward_simd(ROW(dx), ROW(x), k->inverse + first, k->gain, ROW(dout), (int)count,
                               k->n, k->accumulate))

PARALLEL(column_sums, COLUMNS(COST_PLAIN),
         column_sums_simd(k->out + first, k->x + first, k->row, k->rows, (int)count, k->accumulate))

PARALLEL(norm_gain_backward, COLUMNS(COST_PLAIN),
         norm_gain_backward_simd(k->dgain + first, k->x + first, k->mean, k->inverse,
                                 k->dout + first, k->row, k->rows, (int)count, k->accumulate))

/* A range of rows of the output, or of columns if they are more. */
static void gemm_part(const gemm_arguments *k, size_t first, size_t count, float *workspace) {
    matrix a = k->a, b = k->b;
    if (k->m >= k->n) {
        a.data += first * a.row;
        gemm_simd(k->out + first * k->out_row, k->out_row, a, b, k->bias, (int)count, k->n, k->k,
                  k->accumulate, workspace);
    } else {
        b.data += first * b.column;
        gemm_simd(k->out + first, k->out_row, a, b, k->bias ? k->bias + first : NULL, k->m,
                  (int)count, k->k, k->accumulate, workspace);
    }
}

PARALLEL(gemm, ROWS_OR_COLUMNS, gemm_part(k, first, count, workspace))

/* Operations of an attention call. `products` is the number of matrix products that a head computes
 * over the visible part of the scores. */
static double attention_work(attention_shape s, double products) {
    double square = (double)s.n_query * (s.n_key - 0.5 * s.n_query);
    return square * s.batch * (products * 2 * s.channels + COST_EXP * s.heads);
}

PARALLEL(attention, HEADS(attention_work(k->s, 2)),
         attention_heads_simd(k->out, k->probs, k->query, k->key, k->value, k->s, (int)first,
                              (int)count, workspace))

/* The calling thread uses k->scratch; the scratch memory of a helper follows its workspace. With
 * more keys than that memory is for, the work counts as 0: the calling thread computes alone. */
PARALLEL(attention_backward, HEADS(k->s.n_key <= KERNEL_KEYS_MAX ? attention_work(k->s, 4) : 0),
         attention_heads_backward_simd(
             k->dquery, k->dkey, k->dvalue, k->probs, k->query, k->key, k->value, k->dout, k->s,
             (int)first, (int)count, k->accumulate,
             workspace == k->workspace ? k->scratch : workspace + GEMM_WORKSPACE, workspace))

#endif
