/* optimizer.c - see optimizer.h; the update itself is the kernel adamw. */
#include "train/optimizer.h"

#include "base/numeric.h"
#include "kernels/kernels.h"

double schedule_rate(const config *c, uint64_t step) {
    double lr = c->value[OPT_LR];
    double low = c->value[OPT_MIN_LR];
    double steps = c->value[OPT_STEPS];
    double done = (double)step;
    switch (config_int(c, OPT_SCHEDULE)) {
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
    default:
        return lr;
    }
    if (done > steps) {
        done = steps;
    }
    return lr * (low + (1 - low) * 0.5 * (1 + num_cos(NUM_PI * done / steps)));
}

double optimizer_gradient_norm(const model *m) {
    double sum = 0.0;
    for (int i = 0; i < m->count; i++) {
        sum += KERNEL(sum_squares)(m->params[i].value.grad, (size_t)m->params[i].value.size);
    }
    return __builtin_sqrt(sum);
}

void optimizer_step(model *m, uint64_t step, double rate, double norm) {
    const config *c = &m->options;
    double clip = c->value[OPT_CLIP];
    uint32_t t = (uint32_t)(step + 1);
    // Beyond some 4e5 steps the corrections are 1 to the last bit anyway.
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
    for (int i = 0; i < m->count; i++) {
        param *p = &m->params[i];
        bool decays = p->decays || config_int(c, OPT_DECAY) == DECAY_ALL;
        u.decay = decays ? (real)c->value[OPT_WEIGHT_DECAY] : R(0.0);
        KERNEL(adamw)
        (p->value.data, p->moment1, p->moment2, p->value.grad, (size_t)p->value.size, u);
    }
}
