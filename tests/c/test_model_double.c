/* test_model_double.c - gradients of whole models against central differences, in double precision.
 *
 * The loss is near 2 and has an error of some hundred roundings; divided by the step of 1e-5 the
 * error is 1e-9. The third derivative adds about as much. The bound is 1e-7 of the parameter's
 * largest gradient, and at least 1e-8.
 */
#include "models.h"

static const double STEP = 1e-5;

enum { B = 2, T = 5, V = 7, SAMPLES = 6 };

static const int32_t IDS[B * T] = {6, 0, 3, 3, 1, 6, 2, 5, 6, 6};
// The second sequence is padded.
static const int32_t TARGETS[B * T] = {0, 3, 3, 1, 6, 2, 5, 6, NO_TARGET, NO_TARGET};

#define SMALL                                                                                      \
    {"layers", 2}, {"heads", 2}, {"channels", 8}, {                                                \
        "context", T + 1                                                                           \
    }

static const struct {
    const char *what, *preset;
    setting settings[16];
} CASES[] = {
    {"tinygpt", "tinygpt", {SMALL, {"heads", 1}, END}},
    {"microgpt", "microgpt", {SMALL, END}},
    {"gpt2", "gpt2", {SMALL, END}},
    {"microgpt with gains, biases and a tied head",
     "microgpt",
     {SMALL,
      {"norm_gain", 1},
      {"bias", 1},
      {"tied_head", 1},
      {"head_bias", 1},
      {"final_norm", 1},
      END}},
    {"gpt2 with squared ReLU, an embedding norm, an untied head and no final norm",
     "gpt2",
     {SMALL, {"activation", 1}, {"embedding_norm", 1}, {"tied_head", 0}, {"final_norm", 0}, END}},
    {"gpt2 with RMSNorm, eight heads and no biases",
     "gpt2",
     {SMALL, {"norm", 1}, {"bias", 0}, {"heads", 8}, {"layers", 1}, END}},
    {"tinygpt with gains, a tied head and no biases",
     "tinygpt",
     {SMALL, {"norm_gain", 1}, {"bias", 0}, {"tied_head", 1}, END}},
};

static double loss_value(model_bench *b) {
    b->t.grad_mode = false;
    double loss = model_loss(b, IDS, TARGETS, B, T)->data[0];
    b->t.grad_mode = true;
    return loss;
}

/* Checks the gradients of SAMPLES elements, spread evenly over the parameter `p`. */
static void check_parameter(model_bench *b, param *p) {
    double largest = 0;
    for (uint64_t i = 0; i < p->value.size; i++) largest = fmax(largest, fabs(p->value.grad[i]));
    for (uint64_t k = 0; k < SAMPLES; k++) {
        uint64_t i = (k * 7919 + 3) % p->value.size;
        real *w = &p->value.data[i], at = *w;
        *w = at + STEP;
        double up = loss_value(b);
        *w = at - STEP;
        double down = loss_value(b);
        *w = at;
        double slope = (up - down) / (2 * STEP);
        if (!CHECK_NEAR(p->value.grad[i], slope, fmax(1e-7 * largest, 1e-8))) {
            printf("  %s, element %d\n", p->name, (int)i);
            return;
        }
    }
}

int main(void) {
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        char sentence[160];
        snprintf(sentence, sizeof sentence,
                 "every parameter's gradient equals central differences: %s", CASES[k].what);
        TEST(sentence) {
            config c = config_with(CASES[k].preset, CASES[k].settings);
            model_bench b;
            if (!model_bench_open(&b, &c, V)) break;
            randomize_weights(&b.net, 0.2, k);
            CHECK_INT(tape_backward(&b.t, model_loss(&b, IDS, TARGETS, B, T)), GPT_OK);
            int trained = 0;
            for (int i = 0; i < b.net.count; i++) {
                check_parameter(&b, &b.net.params[i]);
                double sum = 0;
                for (uint64_t j = 0; j < b.net.params[i].value.size; j++) {
                    sum += fabs(b.net.params[i].value.grad[j]);
                }
                trained += sum > 0;
            }
            CHECK_INT(trained, b.net.count); // every parameter has a gradient
            model_bench_close(&b);
        }
    }
    TEST("padding without targets changes neither the loss nor the gradients of the other tokens") {
        config c = config_with("microgpt", (setting[]){SMALL, END});
        model_bench b;
        if (!model_bench_open(&b, &c, V)) break;
        randomize_weights(&b.net, 0.2, 1);
        // A batch of two sequences of three and one tokens, padded to four; then each sequence
        // alone, without padding.
        static const int32_t ids[8] = {6, 0, 3, 6, 6, 6, 6, 6},
                             targets[8] = {0, 3, 6, -1, 5, -1, -1, -1};
        tensor *loss = model_loss(&b, ids, targets, 2, 4);
        real both = loss->data[0];
        CHECK_INT(tape_backward(&b.t, loss), GPT_OK);
        real *grad = copy_array(b.net.blocks[0].qkv_weight->grad, 8 * 24);
        loss = model_loss(&b, ids, targets, 1, 3);
        real first = loss->data[0];
        CHECK_INT(tape_backward(&b.t, loss), GPT_OK);
        real *grad_first = copy_array(b.net.blocks[0].qkv_weight->grad, 8 * 24);
        loss = model_loss(&b, ids + 4, targets + 4, 1, 1);
        real second = loss->data[0];
        CHECK_INT(tape_backward(&b.t, loss), GPT_OK);
        const real *grad_second = b.net.blocks[0].qkv_weight->grad;
        // The loss of the batch is the mean over four tokens. Tolerance: some hundred roundings of
        // doubles near 1.
        CHECK_NEAR(both, (3 * first + second) / 4, 1e-13);
        for (int i = 0; i < 8 * 24; i++)
            CHECK_NEAR(grad[i], (3 * grad_first[i] + grad_second[i]) / 4, 1e-13);
        free(grad), free(grad_first);
        model_bench_close(&b);
    }
    return check_report();
}
