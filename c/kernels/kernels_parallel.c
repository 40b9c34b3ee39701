/* kernels_parallel.c - every kernel on several threads: each runs NAME_simd on parts of the output.
 *
 * Threads divide a matrix product by rows or columns, whichever are more; norms and softmax by
 * rows; sums over rows by columns; attention by heads; other arrays by ranges of elements. A call
 * too small to pay for a second thread runs NAME_simd itself. Invariant: one thread computes an
 * output element, in the order of NAME_simd, so the bits are the same for any number of threads.
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
enum { COST_PLAIN = 4, COST_NORM = 16, COST_EXP = 40 };

/* Division of `size` rows, columns, heads or elements into `parts` ranges for `threads` threads. A
 * range begins at a multiple of `grain`. */
typedef struct cut {
    size_t size, grain;
    int parts, threads;
} cut;

/* Divides `size` rows, columns, heads or elements among at most `most` >= 1 threads. `work` is the
 * number of operations of the whole call. */
static cut cut_for(size_t size, size_t grain, double work, int most) {
    double shares = work / SHARE_WORK, each = work / PART_WORK / most;
    int threads = shares >= most ? most : shares < 1 ? 1 : (int)shares;
    // Each thread gets the same number of parts, 1 to 4.
    int parts = threads * (each >= 4 ? 4 : each < 1 ? 1 : (int)each);
    size_t grains = (size + grain - 1) / grain;
    return (cut){size, grain, (size_t)parts < grains ? parts : (int)grains, threads};
}

/* True if one thread computes the whole call. */
static bool alone(const cut *c) {
    return c->threads < 2 || c->parts < 2;
}

/* Returns the first index of part `part`, 0 to `parts`; for part = `parts`, returns `size`. */
static size_t part_start(const cut *c, int part) {
    size_t grains = (c->size + c->grain - 1) / c->grain;
    size_t start = grains * (size_t)part / (size_t)c->parts * c->grain;
    return start < c->size ? start : c->size;
}

/* Declares the variables `first` and `count`: first index and number of indices of part `part`. */
#define PART_OF(c, part)                                                                           \
    size_t first = part_start(&(c), part), count = part_start(&(c), (part) + 1) - first

/* ---- gemm ------------------------------------------------------------------------------------ */

typedef struct gemm_job {
    cut c;
    float *out;
    size_t out_row;
    matrix a, b;
    const float *bias;
    int m, n, k;
    bool accumulate, by_rows;
} gemm_job;

static void gemm_part(void *context, int part, void *scratch) {
    const gemm_job *j = context;
    PART_OF(j->c, part);
    if (j->by_rows) {
        matrix a = {j->a.data + first * j->a.row, j->a.row, j->a.column};
        gemm_simd(j->out + first * j->out_row, j->out_row, a, j->b, j->bias, (int)count, j->n, j->k,
                  j->accumulate, scratch);
    } else {
        matrix b = {j->b.data + first * j->b.column, j->b.row, j->b.column};
        gemm_simd(j->out + first, j->out_row, j->a, b, j->bias ? j->bias + first : NULL, j->m,
                  (int)count, j->k, j->accumulate, scratch);
    }
}

void gemm_parallel(float *out, size_t out_row, matrix a, matrix b, const float *bias, int m, int n,
                   int k, bool accumulate, float *workspace) {
    bool by_rows = m >= n;
    // The grain is a tile of 4 rows, or a cache line of 16 columns.
    cut c = cut_for((size_t)(by_rows ? m : n), by_rows ? 4 : 16, 2.0 * m * n * k, pool_threads());
    if (alone(&c)) {
        gemm_simd(out, out_row, a, b, bias, m, n, k, accumulate, workspace);
        return;
    }
    gemm_job job = {c, out, out_row, a, b, bias, m, n, k, accumulate, by_rows};
    pool_run(gemm_part, &job, c.parts, c.threads, workspace);
}

/* ---- element by element ---------------------------------------------------------------------- */

/* Arguments of a call of any kernel below except attention; each kernel uses only some fields.
 * `run` computes a range of elements, rows or columns. */
typedef struct array_job {
    cut c;
    void (*run)(const struct array_job *j, size_t first, size_t count);
    float *out, *mean, *inverse, *dgain, *dbias; /* outputs; may be NULL */
    const float *a, *b, *gain, *bias, *dout, *kept_mean, *kept_inverse;
    int rows, n;
    float factor;
    bool accumulate, accumulate_gain, accumulate_bias;
} array_job;

static void job_part(void *context, int part, void *scratch) {
    (void)scratch;
    const array_job *j = context;
    PART_OF(j->c, part);
    j->run(j, first, count);
}

/* Runs a job on the range 0 .. size-1, divided among threads if `work` operations pay for it. */
static void run_all(array_job *j, size_t size, size_t grain, double work) {
    j->c = cut_for(size, grain, work, pool_threads());
    if (alone(&j->c)) {
        j->run(j, 0, size);
    } else {
        pool_run(job_part, j, j->c.parts, j->c.threads, NULL);
    }
}

/* Runs an element-wise job on n elements, each of `cost` operations. Ranges begin at multiples of
 * 16 elements, a cache line. */
static void map_all(array_job *j, size_t n, double cost) {
    run_all(j, n, 16, cost * (double)n);
}

/* Runs a job on `rows` rows of j->n elements, each element of `cost` operations. */
static void rows_all(array_job *j, int rows, double cost) {
    run_all(j, (size_t)rows, 1, cost * (double)rows * j->n);
}

static void add_part(const array_job *j, size_t i, size_t n) {
    add_simd(j->out + i, j->a + i, j->b + i, n);
}

void add_parallel(float *out, const float *a, const float *b, size_t n) {
    map_all(&(array_job){.run = add_part, .out = out, .a = a, .b = b}, n, COST_PLAIN);
}

static void scale_part(const array_job *j, size_t i, size_t n) {
    scale_simd(j->out + i, j->a + i, j->factor, n, j->accumulate);
}

void scale_parallel(float *out, const float *x, float factor, size_t n, bool accumulate) {
    map_all(
        &(array_job){
            .run = scale_part, .out = out, .a = x, .factor = factor, .accumulate = accumulate},
        n, COST_PLAIN);
}

static void gelu_part(const array_job *j, size_t i, size_t n) {
    gelu_simd(j->out + i, j->a + i, n);
}

void gelu_parallel(float *out, const float *x, size_t n) {
    map_all(&(array_job){.run = gelu_part, .out = out, .a = x}, n, COST_EXP);
}

static void gelu_backward_part(const array_job *j, size_t i, size_t n) {
    gelu_backward_simd(j->out + i, j->a + i, j->b + i, n, j->accumulate);
}

void gelu_backward_parallel(float *dx, const float *x, const float *dout, size_t n,
                            bool accumulate) {
    map_all(
        &(array_job){
            .run = gelu_backward_part, .out = dx, .a = x, .b = dout, .accumulate = accumulate},
        n, COST_EXP);
}

static void relu2_part(const array_job *j, size_t i, size_t n) {
    relu2_simd(j->out + i, j->a + i, n);
}

void relu2_parallel(float *out, const float *x, size_t n) {
    map_all(&(array_job){.run = relu2_part, .out = out, .a = x}, n, COST_PLAIN);
}

static void relu2_backward_part(const array_job *j, size_t i, size_t n) {
    relu2_backward_simd(j->out + i, j->a + i, j->b + i, n, j->accumulate);
}

void relu2_backward_parallel(float *dx, const float *x, const float *dout, size_t n,
                             bool accumulate) {
    map_all(
        &(array_job){
            .run = relu2_backward_part, .out = dx, .a = x, .b = dout, .accumulate = accumulate},
        n, COST_PLAIN);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void softmax_part(const array_job *j, size_t first, size_t rows) {
    size_t at = first * (size_t)j->n;
    softmax_rows_simd(j->out + at, j->a + at, j->factor, (int)rows, j->n);
}

void softmax_rows_parallel(float *out, const float *x, float factor, int rows, int n) {
    rows_all(&(array_job){.run = softmax_part, .out = out, .a = x, .n = n, .factor = factor}, rows,
             COST_EXP);
}

static void layernorm_part(const array_job *j, size_t first, size_t rows) {
    size_t at = first * (size_t)j->n;
    layernorm_simd(j->out + at, j->mean + first, j->inverse + first, j->a + at, j->gain, j->bias,
                   (int)rows, j->n, j->factor);
}

void layernorm_parallel(float *out, float *mean, float *inverse, const float *x, const float *gain,
                        const float *bias, int rows, int n, float eps) {
    rows_all(&(array_job){.run = layernorm_part,
                          .out = out,
                          .mean = mean,
                          .inverse = inverse,
                          .a = x,
                          .gain = gain,
                          .bias = bias,
                          .n = n,
                          .factor = eps},
             rows, COST_NORM);
}

static void rmsnorm_part(const array_job *j, size_t first, size_t rows) {
    size_t at = first * (size_t)j->n;
    rmsnorm_simd(j->out + at, j->inverse + first, j->a + at, j->gain, (int)rows, j->n, j->factor);
}

void rmsnorm_parallel(float *out, float *inverse, const float *x, const float *gain, int rows,
                      int n, float eps) {
    rows_all(&(array_job){.run = rmsnorm_part,
                          .out = out,
                          .inverse = inverse,
                          .a = x,
                          .gain = gain,
                          .n = n,
                          .factor = eps},
             rows, COST_NORM);
}

/* ---- sums over rows, by columns -------------------------------------------------------------- */

static void columns_part(const array_job *j, size_t first, size_t count) {
    if (j->dgain) {
        norm_gain_part_simd(j->dgain, j->a, j->kept_mean, j->kept_inverse, j->dout, j->rows, j->n,
                            first, count, j->accumulate_gain);
    }
    if (j->dbias) {
        column_sums_part_simd(j->dbias, j->dout, j->rows, j->n, first, count, j->accumulate_bias);
    }
}

/* Computes j->dgain and j->dbias, unless NULL. Both are sums over rows: threads divide columns. */
static void columns_all(array_job *j) {
    if (j->dgain || j->dbias) {
        j->run = columns_part;
        run_all(j, (size_t)j->n, 16, (double)COST_PLAIN * j->rows * j->n);
    }
}

void column_sums_parallel(float *out, const float *x, int rows, int n, bool accumulate) {
    columns_all(
        &(array_job){.dbias = out, .dout = x, .rows = rows, .n = n, .accumulate_bias = accumulate});
}

static void layernorm_dx_part(const array_job *j, size_t first, size_t rows) {
    size_t at = first * (size_t)j->n;
    layernorm_dx_simd(j->out + at, j->a + at, j->kept_mean + first, j->kept_inverse + first,
                      j->gain, j->dout + at, (int)rows, j->n, j->accumulate);
}

void layernorm_backward_parallel(float *dx, float *dgain, float *dbias, const float *x,
                                 const float *mean, const float *inverse, const float *gain,
                                 const float *dout, int rows, int n, bool accumulate,
                                 bool accumulate_gain, bool accumulate_bias) {
    array_job j = {.dgain = dgain,
                   .dbias = dbias,
                   .a = x,
                   .kept_mean = mean,
                   .kept_inverse = inverse,
                   .dout = dout,
                   .rows = rows,
                   .n = n,
                   .accumulate_gain = accumulate_gain,
                   .accumulate_bias = accumulate_bias};
    columns_all(&j);
    j.run = layernorm_dx_part;
    j.out = dx;
    j.gain = gain;
    j.accumulate = accumulate;
    rows_all(&j, rows, COST_NORM);
}

static void rmsnorm_dx_part(const array_job *j, size_t first, size_t rows) {
    size_t at = first * (size_t)j->n;
    rmsnorm_dx_simd(j->out + at, j->a + at, j->kept_inverse + first, j->gain, j->dout + at,
                    (int)rows, j->n, j->accumulate);
}

void rmsnorm_backward_parallel(float *dx, float *dgain, const float *x, const float *inverse,
                               const float *gain, const float *dout, int rows, int n,
                               bool accumulate, bool accumulate_gain) {
    array_job j = {.dgain = dgain,
                   .a = x,
                   .kept_inverse = inverse,
                   .dout = dout,
                   .rows = rows,
                   .n = n,
                   .accumulate_gain = accumulate_gain};
    columns_all(&j);
    j.run = rmsnorm_dx_part;
    j.out = dx;
    j.gain = gain;
    j.accumulate = accumulate;
    rows_all(&j, rows, COST_NORM);
}

/* ---- attention, by heads --------------------------------------------------------------------- */

typedef struct attention_job {
    cut c;
    float *out, *probs;             /* forward */
    float *dquery, *dkey, *dvalue;  /* backward */
    const float *kept_probs, *dout; /* backward */
    const float *query, *key, *value;
    attention_shape s;
    bool accumulate;
    float *scratch, *workspace; /* of the calling thread */
} attention_job;

static void attention_part(void *context, int part, void *workspace) {
    const attention_job *j = context;
    PART_OF(j->c, part);
    attention_heads_simd(j->out, j->probs, j->query, j->key, j->value, j->s, (int)first, (int)count,
                         workspace);
}

static void attention_backward_part(void *context, int part, void *workspace) {
    const attention_job *j = context;
    PART_OF(j->c, part);
    // The calling thread has j->scratch; the scratch memory of a helper follows its workspace.
    float *scratch = workspace == j->workspace ? j->scratch : (float *)workspace + GEMM_WORKSPACE;
    attention_heads_backward_simd(j->dquery, j->dkey, j->dvalue, j->kept_probs, j->query, j->key,
                                  j->value, j->dout, j->s, (int)first, (int)count, j->accumulate,
                                  scratch, workspace);
}

/* Divides attention by heads. `products` is the number of matrix products that a head computes over
 * the visible part of the scores, 2 in the forward pass and 4 in the backward pass. */
static cut cut_heads(attention_shape s, double products) {
    double square = (double)s.n_query * (s.n_key - 0.5 * s.n_query);
    double work = square * s.batch * (products * 2 * s.channels + (double)COST_EXP * s.heads);
    return cut_for((size_t)s.batch * (size_t)s.heads, 1, work, pool_threads());
}

void attention_parallel(float *out, float *probs, const float *query, const float *key,
                        const float *value, attention_shape s, float *workspace) {
    attention_job job = {.c = cut_heads(s, 2),
                         .out = out,
                         .probs = probs,
                         .query = query,
                         .key = key,
                         .value = value,
                         .s = s};
    pool_run(attention_part, &job, job.c.parts, job.c.threads, workspace);
}

void attention_backward_parallel(float *dquery, float *dkey, float *dvalue, const float *probs,
                                 const float *query, const float *key, const float *value,
                                 const float *dout, attention_shape s, bool accumulate,
                                 float *scratch, float *workspace) {
    attention_job job = {.c = cut_heads(s, 4),
                         .dquery = dquery,
                         .dkey = dkey,
                         .dvalue = dvalue,
                         .kept_probs = probs,
                         .dout = dout,
                         .query = query,
                         .key = key,
                         .value = value,
                         .s = s,
                         .accumulate = accumulate,
                         .scratch = scratch,
                         .workspace = workspace};
    int threads = s.n_key <= KERNEL_KEYS_MAX ? job.c.threads : 1;
    pool_run(attention_backward_part, &job, job.c.parts, threads, workspace);
}

/* ---- kernels that the caller runs on one thread ---------------------------------------------- */

void softmax_row_parallel(float *out, const float *x, float factor, int n) {
    softmax_row_simd(out, x, factor, n);
}

void softmax_row_backward_parallel(float *dx, const float *y, const float *dout, float factor,
                                   int n, bool accumulate) {
    softmax_row_backward_simd(dx, y, dout, factor, n, accumulate);
}

/* The next three kernels use one thread: train/optimizer.c divides the weights of all tensors among
 * threads in one job and calls these kernels on ranges of weights. */
double sum_squares_parallel(const float *x, size_t n) {
    return sum_squares_simd(x, n);
}

void drop_tiny_parallel(float *x, size_t n) {
    drop_tiny_simd(x, n);
}

void adamw_parallel(float *w, float *m, float *v, const float *g, size_t n, adamw_update u) {
    adamw_simd(w, m, v, g, n, u);
}

#endif
