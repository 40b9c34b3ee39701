/* test_optimizer.c - schedules of the learning rate, AdamW, weight decay and gradient clipping. */
#include "base/numeric.h"
#include "models.h"
#include "train/optimizer.h"

#define SMALL                                                                                      \
    {"layers", 1}, {"heads", 2}, {"channels", 16}, {"context", 12}, {                              \
        "batch", 2                                                                                 \
    }

/* ---- schedules ------------------------------------------------------------------------------- */

static void test_schedules(void) {
    // num_cos is within 2^-50 of libm's cos; a tolerance of 1e-16 covers this error times a rate of
    // 0.01.
    TEST("the constant schedule is lr at every step") {
        config c = config_with("gpt2",
                               (setting[]){{"schedule", 0}, {"lr", 0.01}, {"warmup", 5}, END});
        for (uint64_t s = 0; s < 5000; s += 7) CHECK(schedule_rate(&c, s) == 0.01);
    }
    TEST("the cosine schedule falls from lr to min_lr * lr over the planned steps, then stays "
         "constant") {
        config c = config_with(
            "gpt2",
            (setting[]){{"schedule", 1}, {"lr", 0.01}, {"min_lr", 0.1}, {"steps", 400}, END});
        for (uint64_t s = 0; s <= 400; s++) {
            double expected = 0.01 * (0.1 + 0.9 * 0.5 * (1 + cos(NUM_PI * (double)s / 400)));
            CHECK_NEAR(schedule_rate(&c, s), expected, 1e-16);
        }
        CHECK(schedule_rate(&c, 0) == 0.01);
        CHECK_NEAR(schedule_rate(&c, 400), 0.001, 1e-16);
        CHECK_NEAR(schedule_rate(&c, 100000), 0.001, 1e-16);
    }
    TEST("microgpt's rate is 1e-3 * 0.5 * (1 + cos(pi s / 5000))") {
        config c = config_with("microgpt", NULL);
        for (uint64_t s = 0; s < 5000; s += 13) {
            CHECK_NEAR(schedule_rate(&c, s), 1e-3 * 0.5 * (1 + cos(NUM_PI * (double)s / 5000)),
                       1e-17);
        }
    }
    TEST("the warm-up rises linearly to lr, and the cosine spans the remaining steps") {
        config c = config_with("gpt2", (setting[]){{"schedule", 2},
                                                   {"lr", 0.01},
                                                   {"min_lr", 0.1},
                                                   {"steps", 500},
                                                   {"warmup", 100},
                                                   END});
        for (uint64_t s = 0; s < 100; s++)
            CHECK_NEAR(schedule_rate(&c, s), 0.01 * (double)(s + 1) / 100, 1e-17);
        for (uint64_t s = 100; s <= 500; s++) {
            double expected = 0.01 *
                              (0.1 + 0.9 * 0.5 * (1 + cos(NUM_PI * (double)(s - 100) / 400)));
            CHECK_NEAR(schedule_rate(&c, s), expected, 1e-16);
        }
    }
    TEST("rates are finite with a warm-up longer than the run and with no warm-up") {
        config c = config_with(
            "gpt2", (setting[]){{"schedule", 2}, {"lr", 0.01}, {"steps", 10}, {"warmup", 50}, END});
        CHECK_NEAR(schedule_rate(&c, 9), 0.002, 1e-17);
        CHECK(num_finite(schedule_rate(&c, 50)) && num_finite(schedule_rate(&c, 60)));
        c.value[OPT_WARMUP] = 0;
        CHECK(schedule_rate(&c, 0) == 0.01);
    }
}

/* ---- AdamW ----------------------------------------------------------------------------------- */

/* Opens a model with random weights and gradients; false on failure. */
static bool optimizer_bench(model_bench *b, const config *c) {
    if (!model_bench_open(b, c, 11)) return false;
    rng r = rng_from_seed(1);
    model_init(&b->net, &r);
    randomize_weights(&b->net, 0.5, 5);
    for (int i = 0; i < b->net.count; i++) {
        fill_random(b->net.params[i].value.grad, (size_t)b->net.params[i].value.size,
                    (uint64_t)i + 50);
    }
    return true;
}

static void test_optimizer(void) {
    TEST("ten steps of AdamW with decay and clipping equal the formula in double") {
        config c = config_with("gpt2",
                               (setting[]){SMALL, {"clip", 0.5}, {"weight_decay", 0.1}, END});
        model_bench b;
        if (!optimizer_bench(&b, &c)) break;
        const param *p = &b.net.params[4]; // a matrix
        size_t n = (size_t)p->value.size;
        CHECK(p->value.dims == 2 && p->decays);
        double *w = malloc(n * sizeof *w), *m = calloc(n, sizeof *m), *v = calloc(n, sizeof *v);
        for (size_t i = 0; i < n; i++) w[i] = (double)p->value.data[i];
        double norm = optimizer_gradient_norm(&b.net), rate = 0.01;
        CHECK(norm > 0.5);
        for (uint64_t step = 0; step < 10; step++) {
            optimizer_step(&b.net, step, rate, norm);
            for (size_t i = 0; i < n; i++) {
                double g = (double)p->value.grad[i] * 0.5 / norm, t = (double)step + 1;
                m[i] = 0.9 * m[i] + 0.1 * g;
                v[i] = 0.95 * v[i] + 0.05 * g * g;
                double update = m[i] / (1 - pow(0.9, t)) / (sqrt(v[i] / (1 - pow(0.95, t))) + 1e-8);
                w[i] -= rate * (update + 0.1 * w[i]);
            }
        }
        // Tolerance: ten updates of at most 0.01 in floats. The rounding of the weights, 2^-24 for
        // a weight near 1, dominates.
        for (size_t i = 0; i < n; i++) CHECK_NEAR(p->value.data[i], w[i], 20 * FLOAT_UNIT);
        free(w), free(m), free(v);
        model_bench_close(&b);
    }
    TEST("with beta2 = 0.99999 the bias correction still matters after 500,000 steps") {
        config c = config_with("gpt2", (setting[]){SMALL, {"beta2", 0.99999}, {"clip", 0}, END});
        model_bench b;
        if (!optimizer_bench(&b, &c)) break;
        const param *p = &b.net.params[4];
        float before = p->value.data[0], g = p->value.grad[0];
        p->moment1[0] = p->moment2[0] = 0;
        optimizer_step(&b.net, 500000, 0.001, 0);
        double mean = 0.1 * (double)g, square = (1 - 0.99999f) * (double)g * (double)g;
        double corrected = square / (1 - pow(0.99999, 500001)), decay = c.value[OPT_WEIGHT_DECAY];
        double expected = before - 0.001 * (mean / (sqrt(corrected) + c.value[OPT_EPSILON]) +
                                            decay * (double)before);
        // The bias correction changes the update of 0.03 by 0.3 %, a hundred times the tolerance.
        CHECK_NEAR(p->value.data[0], expected, 1e-6);
        model_bench_close(&b);
    }
    TEST("with zero gradients, weight decay shrinks matrices only or all parameters, as `decay` "
         "says") {
        for (int everything = 0; everything < 2; everything++) {
            config c = config_with("gpt2",
                                   (setting[]){SMALL,
                                               {"decay", everything ? DECAY_ALL : DECAY_MATRICES},
                                               {"weight_decay", 0.5},
                                               END});
            model_bench b;
            if (!optimizer_bench(&b, &c)) break;
            float *before[64];
            for (int i = 0; i < b.net.count; i++) {
                tensor *x = &b.net.params[i].value;
                before[i] = copy_array(x->data, (size_t)x->size);
                memset(x->grad, 0, (size_t)x->size * sizeof *x->grad);
            }
            optimizer_step(&b.net, 0, 0.1, 0);
            for (int i = 0; i < b.net.count; i++) {
                const tensor *x = &b.net.params[i].value;
                bool decays = everything || x->dims == 2;
                for (uint64_t j = 0; j < x->size; j++) {
                    float w = before[i][j];
                    CHECK(x->data[j] == (decays ? w - 0.1f * (0.5f * w) : w));
                }
                free(before[i]);
            }
            model_bench_close(&b);
        }
    }
    TEST("with a weight decay of 0 the option `decay` changes no bit") {
        config c = config_with("gpt2",
                               (setting[]){SMALL, {"weight_decay", 0}, {"decay", DECAY_ALL}, END});
        model_bench a, b;
        if (!optimizer_bench(&a, &c)) break;
        c.value[OPT_DECAY] = DECAY_MATRICES;
        if (!optimizer_bench(&b, &c)) break;
        for (uint64_t step = 0; step < 3; step++) {
            optimizer_step(&a.net, step, 0.01, 0);
            optimizer_step(&b.net, step, 0.01, 0);
        }
        for (int i = 0; i < a.net.count; i++) {
            CHECK_SAME_BITS(a.net.params[i].value.data, b.net.params[i].value.data,
                            a.net.params[i].value.size);
        }
        model_bench_close(&a), model_bench_close(&b);
    }
    TEST("moments of weights without a gradient become 0 and do not stay denormal") {
        config c = config_with("microgpt", (setting[]){SMALL, END});
        model_bench b;
        if (!optimizer_bench(&b, &c)) break;
        optimizer_step(&b.net, 0, 0.01, 0);
        const param *p = &b.net.params[0];
        memset(p->value.grad, 0, (size_t)p->value.size * sizeof(float));
        uint64_t tiny = 0;
        for (uint64_t step = 1; step < 3000; step++) {
            optimizer_step(&b.net, step, 0.01, 0);
            for (uint64_t i = 0; i < p->value.size; i++) {
                tiny += p->moment1[i] != 0 && __builtin_fabsf(p->moment1[i]) < 0x1p-126f;
                tiny += p->moment2[i] != 0 && p->moment2[i] < 0x1p-126f;
            }
        }
        // Tiny moments are set to 0 every 32 steps. Otherwise each moment would be denormal for
        // hundreds of steps.
        CHECK(tiny < 32 * p->value.size);
        for (uint64_t i = 0; i < p->value.size; i++) {
            CHECK(p->moment1[i] == 0 && p->moment2[i] == 0);
        }
        model_bench_close(&b);
    }
    TEST("the first step of Adam moves every weight by the learning rate, against its gradient's "
         "sign") {
        config c = config_with("microgpt", (setting[]){SMALL, END});
        model_bench b;
        if (!optimizer_bench(&b, &c)) break;
        const tensor *x = &b.net.params[0].value;
        float *before = copy_array(x->data, (size_t)x->size);
        optimizer_step(&b.net, 0, 0.01, 0);
        for (uint64_t j = 0; j < x->size; j++) {
            double moved = (double)(x->data[j] - before[j]);
            CHECK_NEAR(moved, x->grad[j] > 0 ? -0.01 : 0.01,
                       1e-6); // tolerance: floats near 1 are 1e-7 apart
        }
        free(before);
        model_bench_close(&b);
    }
    TEST("clipping scales all gradients by clip / norm, only if the norm exceeds clip") {
        for (int large = 0; large < 2; large++) {
            config c = config_with("gpt2", (setting[]){SMALL, END});
            model_bench b;
            if (!optimizer_bench(&b, &c)) break;
            double norm = optimizer_gradient_norm(&b.net);
            c.value[OPT_CLIP] = b.net.options.value[OPT_CLIP] = large ? norm / 4 : norm * 4;
            optimizer_step(&b.net, 0, 0.01, norm);
            for (int i = 0; i < b.net.count; i++) {
                const param *p = &b.net.params[i];
                for (uint64_t j = 0; j < p->value.size; j++) {
                    float g = large ? p->value.grad[j] * 0.25f : p->value.grad[j];
                    // The factor 1 - 0.9f is near 0.1 and has the rounding error of 0.9f, which is
                    // nine times larger relative to 0.1.
                    CHECK_NEAR(p->moment1[j], 0.1 * (double)g,
                               13 * FLOAT_UNIT * fabs(0.1 * (double)g));
                }
            }
            model_bench_close(&b);
        }
    }
    TEST("the gradient norm spans all parameters and is not finite if one gradient is not") {
        config c = config_with("gpt2", (setting[]){SMALL, END});
        model_bench b;
        if (!optimizer_bench(&b, &c)) break;
        double sum = 0;
        for (int i = 0; i < b.net.count; i++) {
            const tensor *x = &b.net.params[i].value;
            for (uint64_t j = 0; j < x->size; j++) sum += (double)x->grad[j] * (double)x->grad[j];
        }
        // At most 256 numbers are added in float; the square root halves the relative error of the
        // sum.
        CHECK_NEAR(optimizer_gradient_norm(&b.net), sqrt(sum), 128 * FLOAT_UNIT * sqrt(sum));
        b.net.params[2].value.grad[1] = NAN;
        CHECK(!num_finite(optimizer_gradient_norm(&b.net)));
        b.net.params[2].value.grad[1] = -INFINITY;
        CHECK(!num_finite(optimizer_gradient_norm(&b.net)));
        model_bench_close(&b);
    }
}

int main(void) {
    test_schedules();
    test_optimizer();
    return check_report();
}
