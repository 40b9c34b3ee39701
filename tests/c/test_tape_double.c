/* test_tape_double.c - every op's backward pass against central differences, in double precision.
 *
 * A step of 1e-5 has an error of about 1e-10 from the third derivative and 1e-10 from rounding
 * (values near 10, 1e-16 relative, divided by 1e-5). The bound, 1e-7 of the largest gradient of the
 * tensor, is hundreds of times larger; a wrong formula exceeds it by orders of magnitude.
 */
#include "base/numeric.h"
#include "tapes.h"

static const double STEP = 1e-5, BOUND = 1e-7;

enum { INPUTS = 3, WEIGHTS = 512 };

static const int32_t IDS[8] = {2, 0, 4, 2, 2, 1, 0, 4}; // some ids repeat, 3 is missing
static const int32_t TARGETS[6] = {1, NO_TARGET, 4, 0, 4, NO_TARGET};

/* ---- the cases ------------------------------------------------------------------------------- */

/* Builds the output of a case from its inputs `in` (INPUTS); in[i] is NULL if the op has no such
 * input. */
typedef tensor *(*builder)(tape *t, tensor **in);

static tensor *embedding(tape *t, tensor **in) {
    return op_embedding(t, "y", in[0], IDS, 2, 4);
}
static tensor *positional(tape *t, tensor **in) {
    return op_positional(t, "y", in[0], in[1], 2);
}
static tensor *add(tape *t, tensor **in) {
    return op_add(t, "y", in[0], in[1]);
}
static tensor *add_itself(tape *t, tensor **in) {
    return op_add(t, "y", in[0], in[0]);
}
static tensor *scale(tape *t, tensor **in) {
    return op_scale(t, "y", in[0], -0.7);
}
static tensor *linear(tape *t, tensor **in) {
    return op_linear(t, "y", in[0], in[1], in[2]);
}
static tensor *linear_transposed(tape *t, tensor **in) {
    return op_linear_transposed(t, "y", in[0], in[1], in[2]);
}
static tensor *matmul(tape *t, tensor **in) {
    return op_matmul(t, "y", in[0], in[1]);
}
static tensor *layernorm(tape *t, tensor **in) {
    return op_layernorm(t, "y", in[0], in[1], in[2], 1e-5);
}
static tensor *layernorm_bias(tape *t, tensor **in) {
    return op_layernorm(t, "y", in[0], NULL, in[1], 1e-5);
}
static tensor *rmsnorm(tape *t, tensor **in) {
    return op_rmsnorm(t, "y", in[0], in[1], 1e-5);
}
static tensor *gelu(tape *t, tensor **in) {
    return op_gelu(t, "y", in[0]);
}
static tensor *relu2(tape *t, tensor **in) {
    return op_relu2(t, "y", in[0]);
}
static tensor *attention(tape *t, tensor **in) {
    return op_attention(t, "y", in[0], 3, NULL, 0);
}
static tensor *softmax(tape *t, tensor **in) {
    return op_softmax(t, "y", in[0], false);
}
static tensor *softmax_causal(tape *t, tensor **in) {
    return op_softmax(t, "y", in[0], true);
}
static tensor *cross_entropy(tape *t, tensor **in) {
    return op_cross_entropy(t, "y", in[0], TARGETS);
}
/* Uses both a view and its base tensor: the gradients of both uses must add. */
static tensor *reshape(tape *t, tensor **in) {
    tensor *view = op_reshape(t, "view", in[0], 2, (int[]){4, 3});
    tensor *back = op_reshape(t, "back", op_gelu(t, "g", view), 2, (int[]){2, 6});
    return op_add(t, "y", back, in[0]);
}
/* Uses two overlapping slices of a tensor: the gradients of both must add. */
static tensor *slice(tape *t, tensor **in) {
    tensor *left = op_slice(t, "left", in[0], 0, 4);
    return op_add(t, "y", op_gelu(t, "g", left), op_slice(t, "right", in[0], 2, 4));
}

typedef struct gradient_case {
    const char *op; // name in TAPE_OPS
    builder build;
    int shape[INPUTS][TENSOR_DIMS]; // 0 ends a shape; an empty shape is an absent input
} gradient_case;

static const gradient_case CASES[] = {
    {"embedding", embedding, {{5, 3}}},
    {"positional", positional, {{2, 3, 4}, {6, 4}}},
    {"add", add, {{2, 3}, {2, 3}}},
    {"add", add_itself, {{2, 3}}},
    {"scale", scale, {{2, 3}}},
    {"linear", linear, {{2, 3, 4}, {4, 5}, {5}}},
    {"linear", linear, {{3, 4}, {4, 5}}},
    {"linear_transposed", linear_transposed, {{2, 3, 4}, {5, 4}, {5}}},
    {"linear_transposed", linear_transposed, {{3, 4}, {5, 4}}},
    {"matmul", matmul, {{3, 4}, {4, 5}}},
    {"layernorm", layernorm, {{2, 3, 5}, {5}, {5}}},
    {"layernorm", layernorm, {{2, 5}, {5}}},
    {"layernorm", layernorm_bias, {{2, 5}, {5}}},
    {"layernorm", layernorm, {{2, 5}}},
    {"rmsnorm", rmsnorm, {{2, 3, 5}, {5}}},
    {"rmsnorm", rmsnorm, {{2, 5}}},
    {"gelu", gelu, {{3, 5}}},
    {"relu2", relu2, {{3, 5}}},
    {"attention", attention, {{2, 5, 18}}},
    {"attention", attention, {{1, 1, 9}}},
    {"softmax", softmax, {{2, 3, 4}}},
    {"softmax", softmax_causal, {{4, 4}}},
    {"cross_entropy", cross_entropy, {{2, 3, 5}}},
    {"reshape", reshape, {{2, 6}}},
    {"slice", slice, {{3, 6}}},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

/* ---- central differences --------------------------------------------------------------------- */

/* The kinds of inputs of the tested op. DIRECT: parameters. TWICE: parameters, and the op is used
 * twice, so that gradients must add. BEHIND: outputs of another op, whose gradients are on the
 * tape. */
typedef enum route { DIRECT, TWICE, BEHIND, ROUTES } route;

static tensor *loss_of(bench *b, const gradient_case *c, route way, tensor *inputs,
                       tensor *weights) {
    tape *t = &b->t;
    tape_rewind(t, true);
    tensor *in[INPUTS] = {NULL};
    for (int i = 0; i < INPUTS; i++) {
        if (!inputs[i].data) continue;
        in[i] = way == BEHIND ? op_scale(t, "behind", &inputs[i], 1.3) : &inputs[i];
    }
    tensor *y = c->build(t, in);
    if (way == TWICE) y = op_add(t, "both", y, op_scale(t, "half", c->build(t, in), 0.5));
    return weighted_sum(t, y, weights);
}

static void check_input(bench *b, const gradient_case *c, route way, tensor *inputs, int i,
                        tensor *weights, const real *grad) {
    double largest = 0;
    for (uint64_t j = 0; j < inputs[i].size; j++) largest = fmax(largest, fabs(grad[j]));
    for (uint64_t j = 0; j < inputs[i].size; j++) {
        real *x = &inputs[i].data[j], at = *x;
        *x = at + STEP;
        double up = loss_of(b, c, way, inputs, weights)->data[0];
        *x = at - STEP;
        double down = loss_of(b, c, way, inputs, weights)->data[0];
        *x = at;
        double slope = (up - down) / (2 * STEP);
        if (!CHECK_NEAR(grad[j], slope, BOUND * fmax(largest, 1))) {
            printf("  op %s, way %d, input %d, element %d\n", c->op, way, i, (int)j);
            return;
        }
    }
}

/* Checks the gradients of a case against central differences. Input i has a gradient if bit i of
 * `mask` is set; otherwise it is a constant. */
static void check_case(bench *b, const gradient_case *c, route way, unsigned mask) {
    tensor inputs[INPUTS] = {{0}};
    for (int i = 0; i < INPUTS; i++) {
        int dims = 0;
        while (dims < TENSOR_DIMS && c->shape[i][dims]) dims++;
        if (dims) inputs[i] = random_parameter(dims, c->shape[i], (uint64_t)i + 1, mask >> i & 1);
    }
    real numbers[WEIGHTS];
    fill_random(numbers, WEIGHTS, 99);
    tensor weights = tensor_of("weights", numbers, NULL, 1, (int[]){WEIGHTS});
    tensor *loss = loss_of(b, c, way, inputs, &weights);
    bool used = false;
    for (int i = 0; i < b->t.node_count; i++) used |= strcmp(b->t.nodes[i].op->name, c->op) == 0;
    CHECK(used);
    CHECK_INT(tape_backward(&b->t, loss), GPT_OK);
    for (int i = 0; i < INPUTS; i++) {
        if (!inputs[i].grad) continue;
        // Runs forward passes only: grad stays.
        check_input(b, c, way, inputs, i, &weights, inputs[i].grad);
    }
    for (int i = 0; i < INPUTS; i++) free_parameter(&inputs[i]);
}

static void test_cases(bench *b) {
    for (int k = 0; k < CASE_COUNT; k++) {
        char sentence[128];
        unsigned present = 0;
        for (int i = 0; i < INPUTS; i++) present |= CASES[k].shape[i][0] ? 1u << i : 0;
        snprintf(sentence, sizeof sentence, "backward of %s (case %d) equals central differences",
                 CASES[k].op, k);
        TEST(sentence) {
            for (route way = DIRECT; way < ROUTES; way++) {
                for (unsigned mask = 1; mask <= present; mask++) {
                    if ((mask & present) == mask) check_case(b, &CASES[k], way, mask);
                }
            }
        }
    }
    TEST("every op of TAPE_OPS has a case") {
        for (int i = 0; TAPE_OPS[i]; i++) {
            bool found = false;
            for (int k = 0; k < CASE_COUNT; k++)
                found |= strcmp(CASES[k].op, TAPE_OPS[i]->name) == 0;
            if (!CHECK(found)) printf("  no case for %s\n", TAPE_OPS[i]->name);
        }
    }
    TEST("every op of TAPE_OPS has a name, a function name and, unless it is a view, a backward "
         "pass") {
        for (int i = 0; TAPE_OPS[i]; i++) {
            CHECK(TAPE_OPS[i]->name && TAPE_OPS[i]->function);
            CHECK((TAPE_OPS[i]->backward == NULL) == (strcmp(TAPE_OPS[i]->name, "reshape") == 0));
            CHECK((TAPE_OPS[i]->forward == NULL) == (TAPE_OPS[i]->backward == NULL));
        }
    }
}

/* ---- attention composed of other ops --------------------------------------------------------- */

/* Computes the attention softmax(q k^T / sqrt(C)) v of one head of one sequence by other ops:
 * slice, linear_transposed, scale, softmax and matmul. `qkv` has the shape (1,T,3C). */
static tensor *attention_of_parts(tape *t, tensor *qkv, int T, int C) {
    tensor *rows = op_reshape(t, "rows", qkv, 2, (int[]){T, 3 * C});
    tensor *q = op_slice(t, "q", rows, 0, C), *k = op_slice(t, "k", rows, C, C);
    tensor *v = op_slice(t, "v", rows, 2 * C, C);
    tensor *scores = op_scale(t, "scores", op_linear_transposed(t, "qk", q, k, NULL), 1 / sqrt(C));
    return op_matmul(t, "out", op_softmax(t, "probs", scores, true), v);
}

static void test_attention_parts(bench *b) {
    TEST("fused attention equals slice, matmul, scale, causal softmax, matmul in output and "
         "gradients") {
        enum { T = 6, C = 4 };
        tensor qkv = random_parameter(3, (int[]){1, T, 3 * C}, 5, true);
        real numbers[WEIGHTS], fused[T * C], grad[3 * T * C];
        fill_random(numbers, WEIGHTS, 99);
        tensor weights = tensor_of("weights", numbers, NULL, 1, (int[]){WEIGHTS});
        tape_rewind(&b->t, true);
        tensor *y = op_attention(&b->t, "fused", &qkv, 1, NULL, 0);
        memcpy(fused, y->data, sizeof fused);
        CHECK_INT(tape_backward(&b->t, weighted_sum(&b->t, y, &weights)), GPT_OK);
        memcpy(grad, qkv.grad, sizeof grad);
        tape_rewind(&b->t, true);
        tensor *parts = attention_of_parts(&b->t, &qkv, T, C);
        // Tolerance: some fifty rounding errors of doubles near 1.
        for (int i = 0; i < T * C; i++) CHECK_NEAR(fused[i], parts->data[i], 1e-14);
        CHECK_INT(tape_backward(&b->t, weighted_sum(&b->t, parts, &weights)), GPT_OK);
        for (int i = 0; i < 3 * T * C; i++) CHECK_NEAR(grad[i], qkv.grad[i], 1e-13);
        free_parameter(&qkv);
    }
    TEST("attention over a cache in pieces of several sizes equals attention at once") {
        enum { T = 7, C = 6 };
        tensor qkv = random_parameter(3, (int[]){1, T, 3 * C}, 5, false);
        real key[T * C], value[T * C];
        attention_cache cache = {key, value, T};
        tape_rewind(&b->t, true);
        tensor *whole = op_attention(&b->t, "whole", &qkv, 2, NULL, 0);
        for (int first = 0, count = 1; first < T; first += count, count = 3) {
            if (count > T - first) count = T - first;
            tensor part = tensor_of("part", qkv.data + first * 3 * C, NULL, 3,
                                    (int[]){1, count, 3 * C});
            tensor *y = op_attention(&b->t, "piece", &part, 2, &cache, first);
            for (int i = 0; i < count * C; i++)
                CHECK_NEAR(y->data[i], whole->data[first * C + i], 1e-14);
        }
        free_parameter(&qkv);
    }
}

/* ---- the tape itself ------------------------------------------------------------------------- */

/* Returns the loss of a network of two layers that share the weights `w`, with a residual
 * connection. */
static tensor *network(tape *t, tensor *x, tensor *w, tensor *weights) {
    tensor *h = op_gelu(t, "h", op_linear(t, "l1", x, w, NULL));
    tensor *y = op_add(t, "y", op_rmsnorm(t, "n", op_linear(t, "l2", h, w, NULL), NULL, 1e-5), h);
    return weighted_sum(t, y, weights);
}

static void test_tape(bench *b) {
    tape *t = &b->t;
    tensor x = random_parameter(2, (int[]){3, 4}, 1, true),
           w = random_parameter(2, (int[]){4, 4}, 2, true);
    tensor unused = random_parameter(2, (int[]){4, 4}, 3, true);
    real numbers[WEIGHTS], dx[12], dw[16];
    fill_random(numbers, WEIGHTS, 99);
    tensor weights = tensor_of("weights", numbers, NULL, 1, (int[]){WEIGHTS});

    tape_rewind(t, true);
    tensor *loss = network(t, &x, &w, &weights);
    (void)op_scale(t, "aside", &unused, 2); // a node on the tape that the loss does not need
    real value = loss->data[0];
    CHECK_INT(tape_backward(t, loss), GPT_OK);
    memcpy(dx, x.grad, sizeof dx);
    memcpy(dw, w.grad, sizeof dw);
    uint64_t recycled = b->memory.used;

    TEST("a parameter that the loss does not depend on keeps its old gradient") {
        for (int i = 0; i < 16; i++) CHECK(unused.grad[i] == 7);
    }
    TEST("the same pass after a rewind has the same bits") {
        for (int pass = 0; pass < 3; pass++) {
            tape_rewind(t, true);
            loss = network(t, &x, &w, &weights);
            CHECK(loss->data[0] == value);
            CHECK_INT(tape_backward(t, loss), GPT_OK);
            CHECK_SAME_BITS(x.grad, dx, 12);
            CHECK_SAME_BITS(w.grad, dw, 16);
        }
    }
    TEST("gradients in reused memory equal, to the bit, gradients that are all kept") {
        tape_rewind(t, true);
        t->keep_grads = true;
        CHECK_INT(tape_backward(t, network(t, &x, &w, &weights)), GPT_OK);
        CHECK_SAME_BITS(x.grad, dx, 12);
        CHECK_SAME_BITS(w.grad, dw, 16);
        CHECK(b->memory.used > recycled); // without keep_grads memory was reused
        for (int i = 0; i < t->node_count; i++) {
            for (int j = 0; j < i; j++) {
                const tensor *one = t->nodes[i].out, *other = t->nodes[j].out;
                bool views = one->base || other->base;
                CHECK(one->grad != NULL && (views || one->grad != other->grad));
            }
        }
        t->keep_grads = false;
    }
    TEST("with grad_mode false no tensor requires a gradient and no gradient is written") {
        tape_rewind(t, false);
        for (int i = 0; i < 16; i++) w.grad[i] = 3;
        loss = network(t, &x, &w, &weights);
        CHECK(loss->data[0] == value);
        for (int i = 0; i < t->tensor_count; i++)
            CHECK(!t->tensors[i].requires_grad && !t->tensors[i].grad);
        for (int i = 0; i < 16; i++) CHECK(w.grad[i] == 3);
    }
    TEST("a view shares data and gradient with its base tensor") {
        tape_rewind(t, true);
        tensor *y = op_scale(t, "y", &x, 2), *view = op_reshape(t, "v", y, 1, (int[]){12});
        CHECK(view->data == y->data);
        CHECK_INT(tape_backward(t, weighted_sum(t, view, &weights)), GPT_OK);
        CHECK(view->grad == y->grad);
        for (int i = 0; i < 12; i++) CHECK(x.grad[i] == 2 * numbers[i]);
    }
    TEST("the gradient of a parameter's view is the parameter's") {
        tape_rewind(t, true);
        tensor *view = op_reshape(t, "v", &w, 2, (int[]){2, 8});
        CHECK_INT(tape_backward(t, weighted_sum(t, view, &weights)), GPT_OK);
        for (int i = 0; i < 16; i++) CHECK(w.grad[i] == numbers[i]);
    }
    TEST("a measuring tape counts exactly the memory of the same pass and computes nothing") {
        bench counted;
        arena_open_measuring(&counted.memory);
        CHECK_INT(tape_open(&counted.t, &counted.memory, BENCH_NODES, NULL), GPT_OK);
        tape_rewind(t, true);
        b->memory.peak = 0;
        CHECK_INT(tape_backward(t, network(t, &x, &w, &weights)), GPT_OK);
        for (int i = 0; i < 16; i++) w.grad[i] = 3;
        CHECK_INT(tape_backward(&counted.t, network(&counted.t, &x, &w, &weights)), GPT_OK);
        CHECK_INT(counted.memory.used, b->memory.used);
        CHECK_INT(counted.memory.peak, b->memory.peak);
        for (int i = 0; i < 16; i++) CHECK(w.grad[i] == 3);
        tape_close(&counted.t);
    }
    TEST("without memory every op returns NULL, and tape_backward GPT_E_MEMORY") {
        bench small;
        if (!bench_open(&small, 40)) break; // memory for two outputs of 12 reals, aligned to 16
        tensor *y = op_scale(&small.t, "y", &x, 2), *z = op_gelu(&small.t, "z", y);
        CHECK(y != NULL && z != NULL);
        tensor *none = op_add(&small.t, "a", z, z);
        CHECK(none == NULL && op_linear(&small.t, "l", none, &w, NULL) == NULL);
        CHECK(op_add(&small.t, "a", none, z) == NULL && op_add(&small.t, "a", z, none) == NULL);
        CHECK(op_matmul(&small.t, "m", none, z) == NULL && op_gelu(&small.t, "g", none) == NULL);
        CHECK(op_relu2(&small.t, "r", none) == NULL && op_scale(&small.t, "s", none, 2) == NULL);
        CHECK(op_layernorm(&small.t, "n", none, NULL, NULL, 1) == NULL);
        CHECK(op_rmsnorm(&small.t, "n", none, NULL, 1) == NULL);
        CHECK(op_positional(&small.t, "p", none, &w, 0) == NULL);
        CHECK(op_attention(&small.t, "h", none, 1, NULL, 0) == NULL);
        CHECK(op_softmax(&small.t, "s", none, false) == NULL);
        CHECK(op_slice(&small.t, "s", none, 0, 1) == NULL);
        CHECK(op_linear_transposed(&small.t, "l", none, &w, NULL) == NULL);
        CHECK(op_cross_entropy(&small.t, "c", none, TARGETS) == NULL);
        CHECK(op_reshape(&small.t, "v", none, 1, (int[]){12}) == NULL);
        tape_rewind(&small.t, true);
        tensor one = random_parameter(1, (int[]){1}, 1, true);
        tensor *loss_here = op_scale(&small.t, "loss", &one, 2);
        (void)arena_alloc(&small.memory, small.memory.capacity - small.memory.used, 1);
        CHECK_INT(tape_backward(&small.t, loss_here), GPT_E_MEMORY);
        free_parameter(&one);
        bench_close(&small);
    }
    TEST("without a free node an op returns NULL") {
        tape_rewind(t, true);
        tensor *y = &x;
        for (int i = 0; i < BENCH_NODES; i++) y = op_reshape(t, "v", y, 1, (int[]){12});
        CHECK(y != NULL && op_reshape(t, "v", y, 1, (int[]){12}) == NULL);
    }
    free_parameter(&x), free_parameter(&w), free_parameter(&unused);
}

int main(void) {
    bench b;
    if (!bench_open(&b, 100000)) return 1;
    test_cases(&b);
    test_attention_parts(&b);
    test_tape(&b);
    bench_close(&b);
    return check_report();
}
