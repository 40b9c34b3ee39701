/* test_model.c - parameter tables, initial weights, the bits of the forward pass, and the ranges of
 * options. */
#include "models.h"

/* ---- parameter tables ------------------------------------------------------------------------ */

/* Returns the parameter table as text, a line for each parameter: "wte.weight 27x64". Static
 * memory. */
static const char *bpe_of(const model *m) {
    static char out[8192];
    size_t at = 0;
    for (int i = 0; i < m->count; i++) {
        const tensor *x = &m->params[i].value;
        at += (size_t)snprintf(out + at, sizeof out - at, "%s %d", x->name, x->shape[0]);
        if (x->dims == 2) at += (size_t)snprintf(out + at, sizeof out - at, "x%d", x->shape[1]);
        at += (size_t)snprintf(out + at, sizeof out - at, "\n");
    }
    return out;
}

/* Opens a model on an arena that only counts bytes. Compares its parameter table with `bpe` and
 * its number of weights with `weights`. */
static void check_table(const config *c, int vocab, const char *table, uint64_t weights) {
    arena memory;
    model m;
    arena_open_measuring(&memory);
    if (!CHECK_INT(model_open(&m, c, vocab, &memory, NULL), GPT_OK)) return;
    CHECK_STRING(bpe_of(&m), table);
    CHECK_INT(m.weights, weights);
    model_close(&m);
}

#define TINY_BLOCK(l)                                                                              \
    "h." l ".attn.c_attn.weight 64x192\nh." l ".attn.c_attn.bias 192\nh." l                        \
    ".attn.c_proj.weight 64x64\nh." l ".attn.c_proj.bias 64\nh." l ".mlp.c_fc.weight 64x256\nh." l \
    ".mlp.c_fc.bias 256\nh." l ".mlp.c_proj.weight 256x64\nh." l ".mlp.c_proj.bias 64\n"
#define MICRO_BLOCK(l)                                                                             \
    "h." l ".attn.c_attn.weight 64x192\nh." l ".attn.c_proj.weight 64x64\nh." l                    \
    ".mlp.c_fc.weight 64x256\nh." l ".mlp.c_proj.weight 256x64\n"
#define GPT2_BLOCK(l)                                                                              \
    "h." l ".ln_1.weight 128\nh." l ".ln_1.bias 128\nh." l ".attn.c_attn.weight 128x384\nh." l     \
    ".attn.c_attn.bias 384\nh." l ".attn.c_proj.weight 128x128\nh." l                              \
    ".attn.c_proj.bias 128\nh." l ".ln_2.weight 128\nh." l ".ln_2.bias 128\nh." l                  \
    ".mlp.c_fc.weight 128x512\nh." l ".mlp.c_fc.bias 512\nh." l ".mlp.c_proj.weight 512x128\nh." l \
    ".mlp.c_proj.bias 128\n"

static void test_tables(void) {
    TEST("microgpt with 27 symbols has the 103,808 parameters of its source") {
        config c = config_with("microgpt", NULL);
        check_table(&c, 27,
                    "wte.weight 27x64\nwpe.weight 32x64\nlm_head.weight 27x64\n" MICRO_BLOCK("0")
                        MICRO_BLOCK("1"),
                    103808);
    }
    TEST("tinygpt has an untied head with a bias, and a bias in every linear layer") {
        config c = config_with("tinygpt", NULL);
        // Weights for C = 64 channels: tables of 256 and 64 rows, a head with bias, two blocks of
        // 12 C^2 + 9 C.
        check_table(&c, 256,
                    "wte.weight 256x64\nwpe.weight 64x64\nlm_head.weight 256x64\nlm_head.bias "
                    "256\n" TINY_BLOCK("0") TINY_BLOCK("1"),
                    256 * 64 + 64 * 64 + 256 * 64 + 256 + 2 * (12 * 64 * 64 + 9 * 64));
    }
    TEST("gpt2 has gains, biases, a final norm and a tied head") {
        config c = config_with("gpt2", NULL);
        // Weights for C = 128 channels: tables of 256 and 64 rows, four blocks of 12 C^2 + 13 C, a
        // final norm of 2 C.
        check_table(&c, 256,
                    "wte.weight 256x128\nwpe.weight 64x128\n" GPT2_BLOCK("0") GPT2_BLOCK("1")
                        GPT2_BLOCK("2") GPT2_BLOCK("3") "ln_f.weight 128\nln_f.bias 128\n",
                    256 * 128 + 64 * 128 + 4 * (12 * 128 * 128 + 13 * 128) + 2 * 128);
    }
    TEST("a model of GPT-2 small's shape has GPT-2 small's 124,439,808 parameters") {
        config c = config_with(
            "gpt2",
            (setting[]){
                {"layers", 12}, {"heads", 12}, {"channels", 768}, {"context", 1024}, {NULL, 0}});
        arena memory;
        model m;
        arena_open_measuring(&memory);
        if (!CHECK_INT(model_open(&m, &c, 50257, &memory, NULL), GPT_OK)) break;
        CHECK_INT(m.weights, 124439808);
        CHECK_INT(memory.used / 16, 124439808); // 4 floats each: weight, gradient, 2 moments
        model_close(&m);
    }
    TEST("with norm_gain and bias every norm has a gain, and only LayerNorm a bias") {
        config c = config_with(
            "microgpt",
            (setting[]){
                {"layers", 1}, {"norm_gain", 1}, {"final_norm", 1}, {"bias", 1}, {NULL, 0}});
        arena memory;
        model m;
        for (int norm = NORM_LAYERNORM; norm <= NORM_RMSNORM; norm++) {
            c.value[OPT_NORM] = norm;
            arena_open_measuring(&memory);
            if (!CHECK_INT(model_open(&m, &c, 27, &memory, NULL), GPT_OK)) break;
            CHECK(m.embedding_gain && m.final_gain && m.blocks[0].norm1_gain &&
                  m.blocks[0].norm2_gain);
            bool centred = norm == NORM_LAYERNORM;
            CHECK((m.embedding_bias != NULL) == centred && (m.final_bias != NULL) == centred);
            CHECK((m.blocks[0].norm1_bias != NULL) == centred &&
                  (m.blocks[0].norm2_bias != NULL) == centred);
            model_close(&m);
        }
    }
    TEST("the matrices of gpt2 decay, its vectors do not") {
        config c = config_with("gpt2", NULL);
        arena memory;
        model m;
        arena_open_measuring(&memory);
        if (!CHECK_INT(model_open(&m, &c, 256, &memory, NULL), GPT_OK)) break;
        for (int i = 0; i < m.count; i++)
            CHECK(m.params[i].decays == (m.params[i].value.dims == 2));
        model_close(&m);
    }
}

/* ---- initial weights ------------------------------------------------------------------------- */

/* Compares a matrix with the next rows x columns normal draws of `r` times `std`, drawn in the
 * order (out,in). `stored_turned`: the matrix is stored as (in,out), and only its `rows` columns
 * from `first` on are compared. */
static void check_draws(rng *r, const tensor *x, int rows, int columns, int first, float std,
                        bool stored_turned) {
    int width = x->shape[1];
    for (int out = 0; out < rows; out++) {
        for (int in = 0; in < columns; in++) {
            float expected = std * rng_normal(r);
            float got = stored_turned ? x->data[in * width + first + out]
                                      : x->data[out * width + in];
            if (!(got == expected)) {
                CHECK(got == expected);
                return;
            }
        }
    }
}

static void check_initial(const config *c, float residual) {
    model_bench b;
    if (!model_bench_open(&b, c, 11)) return;
    rng drawn = rng_from_seed(42), again = rng_from_seed(42);
    model_init(&b.net, &drawn);
    int C = config_int(c, OPT_CHANNELS);
    check_draws(&again, b.net.token_table, 11, C, 0, 0.02f, false);
    check_draws(&again, b.net.position_table, config_int(c, OPT_CONTEXT), C, 0, 0.02f, false);
    if (b.net.head_weight != b.net.token_table)
        check_draws(&again, b.net.head_weight, 11, C, 0, 0.02f, false);
    for (int l = 0; l < config_int(c, OPT_LAYERS); l++) {
        const block_params *p = &b.net.blocks[l];
        for (int part = 0; part < 3; part++)
            check_draws(&again, p->qkv_weight, C, C, part * C, 0.02f, true);
        check_draws(&again, p->attn_weight, C, C, 0, residual, true);
        check_draws(&again, p->fc_weight, 4 * C, C, 0, 0.02f, true);
        check_draws(&again, p->out_weight, C, 4 * C, 0, residual, true);
    }
    CHECK(drawn.state == again.state); // model_init drew nothing else
    for (int i = 0; i < b.net.count; i++) {
        const param *p = &b.net.params[i];
        for (uint64_t j = 0; j < p->value.size; j++) {
            if (p->init == INIT_ZERO) CHECK(p->value.data[j] == 0);
            if (p->init == INIT_ONE) CHECK(p->value.data[j] == 1);
            CHECK(p->moment1[j] == 0 && p->moment2[j] == 0);
        }
    }
    model_bench_close(&b);
}

static void test_initial(void) {
    static const setting small[] = {
        {"channels", 8}, {"heads", 2}, {"layers", 2}, {"context", 6}, {NULL, 0}};
    TEST("weights are drawn as (out,in): token, position, head, then query, key, value, output, "
         "fc1, fc2") {
        config c = config_with("tinygpt", small);
        check_initial(&c, 0.02f);
    }
    TEST("projections that are initialised to zero still consume their draws") {
        config c = config_with("microgpt", small);
        check_initial(&c, 0.0f);
    }
    TEST("gpt2 divides initial residual projections by the square root of twice the layers; gains "
         "are 1") {
        config c = config_with("gpt2", small);
        check_initial(&c, (float)(0.02 / sqrt(2.0 * 2)));
    }
}

/* ---- the bits of the forward pass ------------------------------------------------------------ */

enum { T = 40, V = 29 };

static const setting FORWARD[] = {
    {"channels", 24}, {"heads", 3}, {"layers", 2}, {"context", T}, {NULL, 0}};

/* Returns the logits (count,V) of one forward pass over the ids first .. first+count-1 without
 * gradients; NULL on failure. Valid until the next pass. `cache` is the KV cache, or NULL. */
static const float *logits_of(model_bench *b, const int32_t *ids, int first, int count,
                              kv_cache *cache) {
    tape_rewind(&b->t, false);
    tensor *logits = model_forward(&b->net, &b->t, ids + first, 1, count, cache);
    return CHECK(logits != NULL) ? logits->data : NULL;
}

static void check_decoding(model_bench *b, const int32_t *ids) {
    static const int pieces[] = {1, 2, 7, 13, T}; // tokens per forward pass
    float *whole = copy_array(logits_of(b, ids, 0, T, NULL), (size_t)(T * V));
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        b->cache.length = 0;
        for (int first = 0; first < T; first += pieces[k]) {
            int count = T - first < pieces[k] ? T - first : pieces[k];
            CHECK_SAME_BITS(logits_of(b, ids, first, count, &b->cache), whole + first * V,
                            count * V);
            CHECK_INT(b->cache.length, first + count);
        }
    }
    free(whole);
}

static void check_causal(model_bench *b, int32_t *ids) {
    float *whole = copy_array(logits_of(b, ids, 0, T, NULL), (size_t)(T * V));
    for (int changed = 1; changed < T; changed += 3) {
        ids[changed] = (ids[changed] + 1) % V;
        const float *now = logits_of(b, ids, 0, T, NULL);
        CHECK_SAME_BITS(now, whole, changed * V);
        CHECK(!same_bits(now + changed * V, whole + changed * V, (size_t)V));
        ids[changed] = (ids[changed] + V - 1) % V;
    }
    free(whole);
}

/* Compares the logits of two sequences in one batch with the logits of each sequence alone. */
static void check_batch(model_bench *b, const int32_t *ids) {
    enum { HALF = T / 2 };
    float *first = copy_array(logits_of(b, ids, 0, HALF, NULL), (size_t)(HALF * V));
    float *second = copy_array(logits_of(b, ids, HALF, HALF, NULL), (size_t)(HALF * V));
    tape_rewind(&b->t, true);
    const float *both = model_forward(&b->net, &b->t, ids, 2, HALF, NULL)->data;
    CHECK_SAME_BITS(both, first, HALF * V);
    CHECK_SAME_BITS(both + HALF * V, second, HALF * V);
    free(first), free(second);
}

static void test_forward(void) {
    for (int p = 0; p < PRESET_COUNT; p++) {
        char sentences[3][128];
        static const char *const claims[3] = {
            "decoding with a KV cache, in pieces of any size, has the bits of a full forward pass",
            "a changed token changes the logits at its position and no bit of earlier ones",
            "the logits of a sequence in a batch equal those of the sequence alone to the bit"};
        for (int i = 0; i < 3; i++) {
            snprintf(sentences[i], sizeof sentences[i], "%s: %s", CONFIG_PRESETS[p], claims[i]);
        }
        config c = config_with(CONFIG_PRESETS[p], FORWARD);
        model_bench b;
        if (!model_bench_open(&b, &c, V)) continue;
        randomize_weights(&b.net, 0.2, 3);
        int32_t ids[T];
        fill_ids(ids, T, V, 7);
        TEST(sentences[0]) check_decoding(&b, ids);
        TEST(sentences[1]) check_causal(&b, ids);
        TEST(sentences[2]) check_batch(&b, ids);
        model_bench_close(&b);
    }
    TEST("a model too large for its arena is GPT_E_MEMORY and can be closed") {
        arena memory;
        model m;
        gpt_error error = {0};
        config c = config_with("microgpt", FORWARD);
        CHECK_INT(arena_open(&memory, 10000, NULL), GPT_OK);
        CHECK_INT(model_open(&m, &c, V, &memory, &error), GPT_E_MEMORY);
        CHECK_INT(error.status, GPT_E_MEMORY);
        model_close(&m);
        arena_close(&memory);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static void test_options(void) {
    TEST("every option refuses values out of its range, NaN, infinity, and fractions if it is "
         "whole") {
        for (int i = 0; i < OPT_COUNT; i++) {
            const config_row *row = &CONFIG_ROWS[i];
            config c = config_with("gpt2", NULL), before = c;
            gpt_error error;
            CHECK_INT(config_find(row->name), i);
            CHECK_INT(config_set(&c, row->name, row->min, &error), GPT_OK);
            CHECK_INT(config_set(&c, row->name, row->max, &error), GPT_OK);
            CHECK(c.value[i] == row->max);
            c = before;
            CHECK_INT(config_set(&c, row->name, row->min - 1, &error), GPT_E_RANGE);
            CHECK(error.value[0] == row->min - 1 && error.value[1] == row->min &&
                  error.value[2] == row->max);
            CHECK_STRING(error.name, row->name);
            CHECK_INT(config_set(&c, row->name, row->max * 2 + 1, &error), GPT_E_RANGE);
            CHECK_INT(config_set(&c, row->name, NAN, &error), GPT_E_RANGE);
            CHECK_INT(config_set(&c, row->name, INFINITY, &error), GPT_E_RANGE);
            if (strcmp(row->type, "real") != 0) {
                CHECK_INT(config_set(&c, row->name, row->min + 0.5, &error), GPT_E_WHOLE);
            }
            CHECK(memcmp(&c, &before, sizeof c) == 0); // a refused value changes nothing
            for (int p = 0; p < PRESET_COUNT; p++) {
                CHECK(row->preset[p] >= row->min && row->preset[p] <= row->max);
            }
        }
    }
    TEST("unknown options and presets are named in the error") {
        config c;
        gpt_error error;
        CHECK_INT(config_from_preset(&c, "gpt5", &error), GPT_E_PRESET);
        CHECK_STRING(error.name, "gpt5");
        CHECK_INT(config_from_preset(&c, NULL, &error), GPT_E_PRESET);
        c = config_with("gpt2", NULL);
        CHECK_INT(config_set(&c, "dropout", 0.1, &error), GPT_E_OPTION);
        CHECK_STRING(error.name, "dropout");
        CHECK_INT(config_set(&c, NULL, 0, &error), GPT_E_OPTION);
        CHECK_INT(config_find(NULL), -1);
    }
    TEST("heads that do not divide the channels are refused with both numbers") {
        gpt_error error;
        config c = config_with("gpt2", NULL);
        CHECK_INT(config_set(&c, "heads", 5, &error), GPT_OK);
        CHECK_INT(config_check(&c, &error), GPT_E_HEADS);
        CHECK(error.value[0] == 128 && error.value[1] == 5);
    }
}

int main(void) {
    test_tables();
    test_initial();
    test_forward();
    test_options();
    return check_report();
}
