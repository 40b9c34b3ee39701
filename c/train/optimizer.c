/* optimizer.c - see optimizer.h; the kernel adamw has the formula of the update. */
#include "train/optimizer.h"

#include "base/numeric.h"
#include "base/pool.h"
#include "kernels/kernels.h"

double schedule_rate(const config *c, uint64_t step) {
    double lr = c->value[OPT_LR];
    double low = c->value[OPT_MIN_LR];
    double steps = c->value[OPT_STEPS];
    double done = (double)step;
    switch (config_schedule(c)) {
    case SCHEDULE_WARMUP_COSINE: {
        double warmup = c->value[OPT_WARMUP];
        if (done < warmup) {
            return lr * (done + 1) / warmup;
        }
        done -= warmup;
        steps = steps > warmup ? steps - warmup : 1;
        break;
    }
    case SCHEDULE_COSINE:
        break;
    case SCHEDULE_CONSTANT:
        return lr;
    }
    if (done > steps) {
        done = steps;
    }
    return lr * (low + (1 - low) * 0.5 * (1 + num_cos(NUM_PI * done / steps)));
}

/* ---- All weights, divided among threads ------------------------------------------------------ */

/* The weights are divided into pieces and groups. A piece is at most PIECE neighbouring numbers of
 * one tensor; a group is a range of consecutive pieces, which one thread computes. Pieces and
 * groups depend on the shapes alone, each group has a sum of its own, and these sums are added in
 * the order of the groups. So the result does not depend on the number of threads. */
enum { PIECE = 8192, GROUPS_MAX = 256 };

/* Every DROP_INTERVAL steps, AdamW's moments whose magnitude is below KERNEL_TINY, 2^6 above the
 * denormal range, are set to zero. So a decaying moment becomes denormal between two such steps
 * only if its beta is below 2^(-6/32) = 0.88. */
enum { DROP_INTERVAL = 32 };

static uint64_t pieces_of(const param *p) {
    return (p->value.size + PIECE - 1) / PIECE;
}

typedef struct piece_job {
    const model *m;
    uint64_t pieces;
    int groups;
    void (*run)(struct piece_job *job, int group, const param *p, uint64_t first, size_t count);
    adamw_update update;
    bool drops_tiny;        /* true: moments below KERNEL_TINY become zero */
    double sum[GROUPS_MAX]; /* sum of the squared gradients of each group */
} piece_job;

/* Calls job->run for each piece of group `group`, in order. */
static void run_group(void *context, int group, void *scratch) {
    (void)scratch;
    piece_job *job = context;
    uint64_t from = job->pieces * (uint64_t)group / (uint64_t)job->groups;
    uint64_t to = job->pieces * ((uint64_t)group + 1) / (uint64_t)job->groups;
    uint64_t piece = 0;
    job->sum[group] = 0.0;
    for (int i = 0; i < job->m->count && piece < to; i++) {
        const param *p = &job->m->params[i];
        uint64_t end = piece + pieces_of(p);
        for (uint64_t at = piece < from ? from : piece; at < end && at < to; at++) {
            uint64_t first = (at - piece) * PIECE;
            uint64_t left = p->value.size - first;
            job->run(job, group, p, first, (size_t)(left < PIECE ? left : PIECE));
        }
        piece = end;
    }
}

static void run_pieces(piece_job *job) {
    job->pieces = 0;
    for (int i = 0; i < job->m->count; i++) {
        job->pieces += pieces_of(&job->m->params[i]);
    }
    job->groups = job->pieces < GROUPS_MAX ? (int)job->pieces : GROUPS_MAX;
    // Uses at most one thread for every two groups, and only threads that are still awake after the
    // matrix products of this step: for a small model, waking a thread and fetching its results
    // costs more time than the thread saves.
    int threads = job->groups / 2;
    pool_run(run_group, job, job->groups, threads < pool_awake() ? threads : pool_awake(), NULL);
}

static void add_squares(piece_job *job, int group, const param *p, uint64_t first, size_t count) {
    job->sum[group] += kernel(sum_squares)(p->value.grad + first, count);
}

double optimizer_gradient_norm(const model *m) {
    piece_job job = {.m = m, .run = add_squares};
    run_pieces(&job);
    double sum = 0.0;
    for (int i = 0; i < job.groups; i++) {
        sum += job.sum[i];
    }
    return __builtin_sqrt(sum);
}

static void update_weights(piece_job *job, int group, const param *p, uint64_t first,
                           size_t count) {
    (void)group;
    const config *c = &job->m->options;
    adamw_update u = job->update;
    bool decays = p->decays || config_int(c, OPT_DECAY) == DECAY_ALL;
    u.decay = decays ? (real)c->value[OPT_WEIGHT_DECAY] : R(0.0);
    kernel(adamw)(p->value.data + first, p->moment1 + first, p->moment2 + first,
                  p->value.grad + first, count, u);
    if (job->drops_tiny) {
        kernel(drop_tiny)(p->moment1 + first, count);
        kernel(drop_tiny)(p->moment2 + first, count);
    }
}

void optimizer_step(model *m, uint64_t step, double rate, double norm) {
    const config *c = &m->options;
    double clip = c->value[OPT_CLIP];
    uint32_t t = (uint32_t)(step + 1);
    double power1 = num_power(c->value[OPT_BETA1], t), power2 = num_power(c->value[OPT_BETA2], t);
    adamw_update u = {
        .rate = (real)rate,
        .beta1 = (real)c->value[OPT_BETA1],
        .beta2 = (real)c->value[OPT_BETA2],
        .epsilon = (real)c->value[OPT_EPSILON],
        .correction1 = (real)(1.0 / (1.0 - power1)),
        .correction2_rt = (real)(1.0 / __builtin_sqrt(1.0 - power2)),
        .gradient_scale = clip > 0 && norm > clip ? (real)(clip / norm) : R(1.0),
    };
    // The gradients of a dead ReLU, whose output is always 0, stay zero, and AdamW's moments decay
    // until they are denormal numbers. Computing with denormals made every step several times
    // slower.
    bool drops_tiny = (step + 1) % DROP_INTERVAL == 0;
    piece_job job = {.m = m, .run = update_weights, .update = u, .drops_tiny = drops_tiny};
    run_pieces(&job);
}
