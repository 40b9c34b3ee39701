/* test_gguf.c - GGUF in both directions: what is written is read here by other code than ours, what
 * is read was built here, and every file that the reader cannot use is refused by name. */
#include "doors_files.h"

static const param *find(gpt_trainer *t, const char *name) {
    for (int i = 0; i < t->run.net.count; i++) {
        if (strcmp(t->run.net.params[i].name, name) == 0) return &t->run.net.params[i];
    }
    return NULL;
}

/* ---- Sixteen bits ---------------------------------------------------------------------------- */

static float half_value(unsigned half) {
    int exponent = (int)(half >> 10 & 31), fraction = (int)(half & 1023);
    double value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return (float)(half & 0x8000 ? -value : value);
}

/* The nearest half, by bisection over the positive ones, which are in order. */
static unsigned nearest_half(float value) {
    unsigned low = 0, high = 0x7BFF;
    double size = fabs((double)value);
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        *((double)half_value(middle) <= size ? &low : &high) = middle;
    }
    double below = size - (double)half_value(low), above = (double)half_value(high) - size;
    unsigned half = below < above || (below == above && !(low & 1)) ? low : high;
    return value < 0 || (value == 0 && signbit(value)) ? half | 0x8000 : half;
}

static float bfloat_value(unsigned bits) {
    uint32_t wide = bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* ---- Reading what was written ---------------------------------------------------------------- */

typedef struct seen_tensor {
    char name[64];
    unsigned dims, type;
    uint64_t sizes[4], offset;
} seen_tensor;

typedef struct seen {
    const char *bytes;
    size_t at, data;
    unsigned version;
    uint64_t tensors, pairs;
    seen_tensor tensor[64];
    size_t key_at[64]; /* where the type of each value lies */
    char key[64][64];
} seen;

static uint64_t whole(seen *s, int width) {
    uint64_t value = 0;
    memcpy(&value, s->bytes + s->at, (size_t)width);
    s->at += (size_t)width;
    return value;
}

static void text_of(seen *s, char *out, size_t capacity) {
    size_t length = (size_t)whole(s, 8);
    snprintf(out, capacity, "%.*s", (int)length, s->bytes + s->at);
    s->at += length;
}

static void pass_value(seen *s, unsigned type) {
    static const int WIDTHS[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    if (type == 9) {
        unsigned item = (unsigned)whole(s, 4);
        uint64_t count = whole(s, 8);
        for (uint64_t i = 0; i < count; i++) pass_value(s, item);
    } else if (type == 8) {
        size_t length = (size_t)whole(s, 8);
        s->at += length;
    } else {
        s->at += (size_t)WIDTHS[type];
    }
}

static seen look(blob file) {
    seen s = {.bytes = file.bytes, .at = 4};
    CHECK(file.size > 24 && !memcmp(file.bytes, "GGUF", 4));
    s.version = (unsigned)whole(&s, 4);
    s.tensors = whole(&s, 8);
    s.pairs = whole(&s, 8);
    for (uint64_t i = 0; i < s.pairs; i++) {
        text_of(&s, s.key[i], sizeof s.key[i]);
        s.key_at[i] = s.at;
        pass_value(&s, (unsigned)whole(&s, 4));
    }
    for (uint64_t i = 0; i < s.tensors; i++) {
        seen_tensor *t = &s.tensor[i];
        text_of(&s, t->name, sizeof t->name);
        t->dims = (unsigned)whole(&s, 4);
        for (unsigned d = 0; d < t->dims; d++) t->sizes[d] = whole(&s, 8);
        t->type = (unsigned)whole(&s, 4);
        t->offset = whole(&s, 8);
    }
    s.data = (s.at + 31) / 32 * 32;
    return s;
}

static const seen_tensor *tensor_called(const seen *s, const char *name) {
    for (uint64_t i = 0; i < s->tensors; i++) {
        if (!strcmp(s->tensor[i].name, name)) return &s->tensor[i];
    }
    return NULL;
}

static size_t value_of(const seen *s, const char *key) {
    for (uint64_t i = 0; i < s->pairs; i++) {
        if (!strcmp(s->key[i], key)) return s->key_at[i] + 4;
    }
    CHECK_STRING(key, "a key of the file");
    return 0;
}

static double number_of(const seen *s, const char *key) {
    uint32_t bits;
    memcpy(&bits, s->bytes + value_of(s, key), sizeof bits);
    return bits;
}

/* Names of both sides; the layer goes before. */
static const char *const LAYER_NAMES[][2] = {
    {"attn_norm.weight", "ln_1.weight"},          {"attn_norm.bias", "ln_1.bias"},
    {"attn_qkv.weight", "attn.c_attn.weight"},    {"attn_qkv.bias", "attn.c_attn.bias"},
    {"attn_output.weight", "attn.c_proj.weight"}, {"attn_output.bias", "attn.c_proj.bias"},
    {"ffn_norm.weight", "ln_2.weight"},           {"ffn_norm.bias", "ln_2.bias"},
    {"ffn_up.weight", "mlp.c_fc.weight"},         {"ffn_up.bias", "mlp.c_fc.bias"},
    {"ffn_down.weight", "mlp.c_proj.weight"},     {"ffn_down.bias", "mlp.c_proj.bias"}};
static const char *const OUTER_NAMES[][2] = {{"token_embd.weight", "wte.weight"},
                                             {"position_embd.weight", "wpe.weight"},
                                             {"output.weight", "lm_head.weight"},
                                             {"output_norm.weight", "ln_f.weight"},
                                             {"output_norm.bias", "ln_f.bias"}};

enum { LAYER_KINDS = 12, OUTER_KINDS = 5 };

/* The names of tensor `index`; false after the last. */
static bool names_of(const gpt_trainer *t, int index, char theirs[64], char ours[64]) {
    int layers = config_int(&t->run.net.options, OPT_LAYERS);
    if (index < OUTER_KINDS) {
        snprintf(theirs, 64, "%s", OUTER_NAMES[index][0]);
        snprintf(ours, 64, "%s", OUTER_NAMES[index][1]);
        return true;
    }
    index -= OUTER_KINDS;
    if (index >= layers * LAYER_KINDS) return false;
    const char *const *names = LAYER_NAMES[index % LAYER_KINDS];
    snprintf(theirs, 64, "blk.%d.%s", index / LAYER_KINDS, names[0]);
    snprintf(ours, 64, "h.%d.%s", index / LAYER_KINDS, names[1]);
    return true;
}

static bool is_linear(const char *theirs) {
    return !strncmp(theirs, "blk.", 4) && strstr(theirs, ".weight") && !strstr(theirs, "norm");
}

/* The number of `p` that lies at `index` of the other file. */
static float number_at(const param *p, bool linear, size_t index) {
    size_t rows = (size_t)param_rows(p), columns = (size_t)param_columns(p);
    return p->value.data[linear ? index % rows * columns + index / rows : index];
}

/* Every tensor of the file has our numbers: exact in F32, the nearest halves in F16. */
static void check_written(gpt_trainer *t, blob file, bool half) {
    char theirs[64], ours[64];
    seen s = look(file);
    uint64_t found = 0, end = 0;
    for (uint64_t i = 0; i < s.tensors; i++) {
        const seen_tensor *x = &s.tensor[i];
        uint64_t count = x->sizes[0] * (x->dims == 2 ? x->sizes[1] : 1);
        CHECK(x->offset == end); // llama.cpp wants them side by side, each at a multiple of 32
        end = (x->offset + count * (x->type ? 2 : 4) + 31) / 32 * 32;
    }
    CHECK(s.data + end == file.size);
    for (int i = 0; names_of(t, i, theirs, ours); i++) {
        const seen_tensor *x = tensor_called(&s, theirs);
        const param *p = find(t, ours);
        if (!p && !strcmp(ours, "lm_head.weight")) {
            CHECK(x == NULL); // tied
            continue;
        }
        if (!CHECK(x != NULL)) continue;
        found++;
        bool linear = is_linear(theirs),
             narrow = half && (linear || !strcmp(theirs, "output.weight") ||
                               !strcmp(theirs, "token_embd.weight"));
        size_t count = (size_t)(x->sizes[0] * (x->dims == 2 ? x->sizes[1] : 1));
        CHECK_INT(x->type, narrow ? 1 : 0);
        if (p) {
            CHECK(count == p->value.size);
            CHECK_INT(x->sizes[0], linear ? param_rows(p) : param_columns(p));
        }
        const char *at = file.bytes + s.data + x->offset;
        bool same = true;
        for (size_t k = 0; k < count; k++) {
            // Without a parameter: gains are ones, biases zeros.
            float wanted = p ? number_at(p, linear, k) : strstr(theirs, "weight") ? 1.0f : 0.0f;
            float value;
            uint16_t bits;
            memcpy(&value, at + 4 * k, narrow ? 0 : 4);
            memcpy(&bits, at + 2 * k, narrow ? 2 : 0);
            same = same && (narrow ? bits == nearest_half(wanted) : value == wanted);
        }
        if (!CHECK(same)) printf("%s\n", theirs);
    }
    CHECK(found == s.tensors);
}

/* ---- Files made by hand ---------------------------------------------------------------------- */

/* A file that differs in one thing from a good one. */
typedef struct made {
    const char *architecture, *model, *pre; /* NULL: as in a good file */
    unsigned version;                       /* 0: 3 */
    unsigned type;                          /* of the matrices */
    const char *without;                    /* a key or tensor that is left out */
    const char *twice, *extra;              /* tensor */
    const char *narrow;                     /* tensor whose first dimension is one less */
    bool head;                              /* has an output.weight */
    unsigned alignment;                     /* 0: not said */
    int overlap;                            /* bytes that the second tensor begins too early */
    int tokens;                             /* 0: 256 */
    bool comma;                             /* token 44 is not the comma */
    uint64_t inner;                         /* 0: 4 times the channels */
} made;

static void put_n(blob *b, uint64_t value, size_t width) {
    blob_put(b, &value, width);
}

static void put_s(blob *b, const char *text) {
    put_n(b, strlen(text), 8);
    blob_put(b, text, strlen(text));
}

static bool put_key(blob *b, const made *m, const char *key, unsigned type) {
    if (m->without && !strcmp(m->without, key)) return false;
    put_s(b, key);
    put_n(b, type, 4);
    return true;
}

static void put_byte_token(blob *b, int byte) {
    bool visible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte != 173);
    int code = byte;
    if (!visible) {
        code = 256;
        for (int i = 0; i < byte; i++) code += !((i >= 33 && i <= 126) || (i >= 161 && i != 173));
    }
    char text[3] = {(char)code, 0, 0};
    if (code >= 128) {
        text[0] = (char)(0xC0 | code >> 6);
        text[1] = (char)(0x80 | (code & 63));
    }
    put_s(b, text);
}

/* Writes a row of Q8_0, and what it stands for into `means`. */
static void put_blocks(blob *b, const float *numbers, size_t count, float *means) {
    for (size_t at = 0; at < count; at += 32) {
        float largest = 0;
        for (size_t i = at; i < at + 32; i++) largest = fmaxf(largest, fabsf(numbers[i]));
        unsigned scale = nearest_half(largest / 127);
        float size = half_value(scale);
        put_n(b, scale, 2);
        for (size_t i = at; i < at + 32; i++) {
            int q = size > 0 ? (int)lroundf(numbers[i] / size) : 0;
            q = q > 127 ? 127 : q < -127 ? -127 : q;
            put_n(b, (uint64_t)(unsigned char)q, 1);
            means[i] = size * (float)q;
        }
    }
}

/* Writes a tensor in a type, and sets the numbers that it then stands for, as they lie there. */
static void put_numbers(blob *b, const param *p, bool linear, unsigned type, float *means) {
    size_t count = (size_t)p->value.size;
    float *numbers = malloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++) means[i] = numbers[i] = number_at(p, linear, i);
    if (type == 8) {
        put_blocks(b, numbers, count, means);
    } else if (type == 0) {
        blob_put(b, numbers, count * sizeof *numbers);
    } else {
        for (size_t i = 0; i < count; i++) {
            uint32_t wide;
            memcpy(&wide, &numbers[i], sizeof wide);
            unsigned bits = type == 1 ? nearest_half(numbers[i]) : wide >> 16;
            put_n(b, bits, 2);
            means[i] = type == 1 ? half_value(bits) : bfloat_value(bits);
        }
    }
    free(numbers);
}

enum { MEANS = 1 << 16 };

/* A file of the weights of `t`. `means`: what its tensors stand for, one after the other. */
static blob make_file(gpt_trainer *t, const made *m, float *means) {
    const config *c = &t->run.net.options;
    blob b = {0}, data = {0}, table = {0};
    const char *const texts[][2] = {
        {"general.architecture", m->architecture ? m->architecture : "gpt2"},
        {"tokenizer.ggml.model", m->model ? m->model : "gpt2"},
        {"tokenizer.ggml.pre", m->pre ? m->pre : "gpt-2"}};
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {
        {"gpt2.context_length", (uint64_t)c->value[OPT_CONTEXT]},
        {"gpt2.embedding_length", (uint64_t)c->value[OPT_CHANNELS]},
        {"gpt2.feed_forward_length", m->inner ? m->inner : 4 * (uint64_t)c->value[OPT_CHANNELS]},
        {"gpt2.block_count", (uint64_t)c->value[OPT_LAYERS]},
        {"gpt2.attention.head_count", (uint64_t)c->value[OPT_HEADS]}};
    uint64_t pairs = 0, tensors = 0, alignment = m->alignment ? m->alignment : 32;
    blob keys = {0};
    for (int i = 0; i < 3; i++) {
        if (!put_key(&keys, m, texts[i][0], 8)) continue;
        put_s(&keys, texts[i][1]);
        pairs++;
    }
    for (int i = 0; i < 5; i++) {
        if (!put_key(&keys, m, numbers[i].key, 4)) continue;
        put_n(&keys, numbers[i].value, 4);
        pairs++;
    }
    if (m->alignment && put_key(&keys, m, "general.alignment", 4)) {
        put_n(&keys, m->alignment, 4);
        pairs++;
    }
    if (put_key(&keys, m, "gpt2.attention.layer_norm_epsilon", 6)) {
        blob_put(&keys, &(float){1e-5f}, 4);
        pairs++;
    }
    (void)put_key(&keys, m, "an array that nobody knows", 9);
    put_n(&keys, 1, 4);
    put_n(&keys, 3, 8);
    put_n(&keys, 0, 3);
    pairs++;
    if (put_key(&keys, m, "tokenizer.ggml.tokens", 9)) {
        put_n(&keys, 8, 4);
        put_n(&keys, (uint64_t)(m->tokens ? m->tokens : 256), 8);
        for (int i = 0; i < (m->tokens ? m->tokens : 256); i++) {
            if (m->comma && i == 44) {
                put_s(&keys, "ab");
            } else {
                put_byte_token(&keys, i);
            }
        }
        pairs++;
    }
    if (put_key(&keys, m, "tokenizer.ggml.merges", 9)) {
        put_n(&keys, 8, 4);
        put_n(&keys, 0, 8);
        pairs++;
    }
    char theirs[64], ours[64];
    for (int i = 0; names_of(t, i, theirs, ours); i++) {
        if (!strcmp(theirs, "output.weight") && !m->head) continue;
        if (m->without && !strcmp(m->without, theirs)) continue;
        const param *p = find(t, !strcmp(theirs, "output.weight") ? "wte.weight" : ours);
        bool linear = is_linear(theirs), matrix = param_rows(p) > 0;
        unsigned type = matrix && strncmp(theirs, "position", 8) ? m->type : 0;
        for (int times = m->twice && !strcmp(m->twice, theirs) ? 2 : 1; times; times--) {
            while (data.size % alignment) put_n(&data, 0xEE, 1);
            put_s(&table, m->extra && !strcmp(m->extra, theirs) ? "blk.0.attn_q.weight" : theirs);
            put_n(&table, matrix ? 2 : 1, 4);
            put_n(&table,
                  (uint64_t)(linear ? param_rows(p) : param_columns(p)) -
                      (m->narrow && !strcmp(m->narrow, theirs)),
                  8);
            if (matrix) put_n(&table, (uint64_t)(linear ? param_columns(p) : param_rows(p)), 8);
            put_n(&table, type, 4);
            put_n(&table, data.size - (uint64_t)(tensors == 1 ? m->overlap : 0), 8);
            tensors++;
            put_numbers(&data, p, linear, type == 8 || type == 1 || type == 30 ? type : 0, means);
            means += p->value.size;
        }
    }
    blob_put(&b, "GGUF", 4);
    put_n(&b, m->version ? m->version : 3, 4);
    put_n(&b, tensors, 8);
    put_n(&b, pairs, 8);
    blob_put(&b, keys.bytes, keys.size);
    blob_put(&b, table.bytes, table.size);
    while (b.size % alignment) put_n(&b, 0xEE, 1);
    blob_put(&b, data.bytes, data.size);
    free(keys.bytes);
    free(table.bytes);
    free(data.bytes);
    return b;
}

/* What the import says of a file that it refuses. */
static void refusal(blob file, char *json, size_t capacity) {
    gpt_import *i = gpt_import_open((double)file.size);
    double taken = 1;
    while (taken > 0 && gpt_import_wants(i) > 0) {
        size_t at = (size_t)gpt_import_at(i);
        taken = gpt_import_feed(i, file.bytes + at, (size_t)gpt_import_wants(i));
        while (taken > 0 && gpt_import_take(i, json, capacity) > 0) continue;
    }
    CHECK(gpt_import_error_json(i, json, capacity) > 0);
    gpt_import_free(i);
}

/* The import's refusal with its detail. */
static void check_refused(blob file, int status, const char *detail) {
    int got;
    free(import_file(file, 4096, NULL, &got).bytes);
    CHECK_INT(got, status);
    char json[1024], name[256];
    refusal(file, json, sizeof json);
    snprintf(name, sizeof name, "\"name\":\"%s\"", detail);
    if (!CHECK(strstr(json, name) != NULL)) printf("%s, not %s\n", json, name);
}

static void check_refused_made(gpt_trainer *t, made m, int status, const char *detail) {
    float *means = malloc(MEANS * 2 * sizeof *means);
    blob file = make_file(t, &m, means);
    check_refused(file, status, detail);
    free(file.bytes);
    free(means);
}

/* A file that differs in the bytes at one place. */
static void check_refused_patched(blob file, size_t at, uint64_t value, size_t width, int status) {
    blob copy = {0};
    int got;
    blob_put(&copy, file.bytes, file.size);
    memcpy(copy.bytes + at, &value, width);
    free(import_file(copy, 4096, NULL, &got).bytes);
    CHECK_INT(got, status);
    free(copy.bytes);
}

static gpt_trainer *trained(const char *tokenizer, const char *option, double value) {
    gpt_config *config = small("gpt2");
    gpt_config_set_text(config, "tokenizer", tokenizer);
    gpt_config_set(config, "channels", 32);
    if (option) CHECK_INT(gpt_config_set(config, option, value), GPT_OK);
    gpt_trainer *t = gpt_trainer_create(config, STREAM, strlen(STREAM));
    for (int i = 0; t && i < 3; i++) CHECK_INT(gpt_step(t), GPT_OK);
    gpt_config_free(config);
    CHECK(t != NULL);
    return t;
}

int main(void) {
    TEST("every tensor of a GGUF file has the weights: exact in F32, the nearest halves in F16") {
        const char *tokenizers[] = {"byte", "bpe"};
        for (int k = 0; k < 4; k++) {
            gpt_trainer *t = trained(tokenizers[k & 1], "tied_head", k < 2);
            for (int half = 0; half < 2; half++) {
                int status;
                blob file = export_as(t, half ? "gguf-f16" : "gguf", 4096, &status);
                if (CHECK_INT(status, GPT_OK)) check_written(t, file, half);
                free(file.bytes);
            }
            gpt_trainer_free(t);
        }
    }

    TEST("what GPT-2 can express in other words is written: no gain is ones, no bias is zeros") {
        const char *options[] = {"norm_gain", "bias"};
        for (int k = 0; k < 2; k++) {
            gpt_trainer *t = trained("byte", options[k], 0);
            int status;
            blob file = export_as(t, "gguf", 4096, &status);
            if (CHECK_INT(status, GPT_OK)) check_written(t, file, false);
            free(file.bytes);
            gpt_trainer_free(t);
        }
    }

    TEST("the metadata names architecture, sizes and tokenizer, and a token that ends no text") {
        gpt_trainer *t = trained("byte", NULL, 0);
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        if (CHECK_INT(status, GPT_OK)) {
            seen s = look(file);
            CHECK_INT(s.version, 3);
            CHECK(!memcmp(file.bytes + value_of(&s, "general.architecture") + 8, "gpt2", 4));
            CHECK(!memcmp(file.bytes + value_of(&s, "tokenizer.ggml.model") + 8, "gpt2", 4));
            CHECK(!memcmp(file.bytes + value_of(&s, "tokenizer.ggml.pre") + 8, "gpt-2", 5));
            CHECK(number_of(&s, "gpt2.context_length") == 16);
            CHECK(number_of(&s, "gpt2.embedding_length") == 32);
            CHECK(number_of(&s, "gpt2.feed_forward_length") == 128);
            CHECK(number_of(&s, "gpt2.block_count") == 2);
            CHECK(number_of(&s, "gpt2.attention.head_count") == 2);
            CHECK(number_of(&s, "general.alignment") == 32);
            // llama.cpp's own choice would be token 11; UTF-8 has no byte FF.
            CHECK(number_of(&s, "tokenizer.ggml.eos_token_id") == 255);
            CHECK_INT(file.bytes[value_of(&s, "tokenizer.ggml.add_bos_token")], 0);
        }
        free(file.bytes);
        gpt_trainer_free(t);
    }

    TEST("where lines are documents, llama.cpp is told to begin each text with BOS") {
        gpt_config *config = small("gpt2");
        gpt_config_set_text(config, "sequences", "documents");
        gpt_config_set_text(config, "tokenizer", "bpe");
        gpt_trainer *t = gpt_trainer_create(config, LINES, strlen(LINES));
        int status;
        if (CHECK(t != NULL)) {
            blob file = export_as(t, "gguf", 4096, &status);
            if (CHECK_INT(status, GPT_OK)) {
                seen s = look(file);
                CHECK_INT(file.bytes[value_of(&s, "tokenizer.ggml.add_bos_token")], 1);
                CHECK(number_of(&s, "tokenizer.ggml.bos_token_id") == t->run.data.tokenizer.bos);
                size_t at = value_of(&s, "tokenizer.ggml.token_type") + 12;
                int32_t type;
                memcpy(&type, file.bytes + at + 4 * (size_t)t->run.data.tokenizer.bos, 4);
                CHECK_INT(type, 3);
            }
            free(file.bytes);
        }
        gpt_trainer_free(t);
        gpt_config_free(config);
    }

    TEST("a recipe that the gpt2 architecture cannot compute is refused by the option's name") {
        const struct {
            const char *option, *why;
            double value;
        } cases[] = {
            {"norm", "norm rmsnorm", 1},           {"activation", "activation relu2", 1},
            {"head_bias", "head_bias true", 1},    {"embedding_norm", "embedding_norm true", 1},
            {"final_norm", "final_norm false", 0}, {"tokenizer", "tokenizer char", 1}};
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            gpt_trainer *t = trained("byte", cases[k].option, cases[k].value);
            blob weights = save(t, "weights", "");
            gpt_export *e = gpt_export_open("gguf", (double)weights.size);
            char json[1024];
            CHECK_INT((int)gpt_export_feed(e, weights.bytes, weights.size), GPT_E_DOOR);
            CHECK(gpt_export_error_json(e, json, sizeof json) > 0);
            CHECK(strstr(json, cases[k].why) != NULL);
            gpt_export_free(e);
            free(weights.bytes);
            gpt_trainer_free(t);
        }
    }

    TEST("a file that went out as GGUF comes back with the same weights, to the bit in F32") {
        for (int k = 0; k < 4; k++) {
            gpt_trainer *t = trained("byte", "tied_head", k & 1);
            int status;
            blob file = export_as(t, k < 2 ? "gguf" : "gguf-f16", 4096, &status), config = {0};
            for (size_t piece = 5; CHECK_INT(status, GPT_OK) && piece < 1 << 20; piece *= 4096) {
                config.size = 0;
                blob weights = import_file(file, piece, &config, &status);
                if (!CHECK_INT(status, GPT_OK)) break;
                gpt_trainer *back = open_folder(weights, config);
                if (CHECK(back != NULL) && k < 2) CHECK(same_weights(back, t));
                for (int i = 0; back && k >= 2 && i < t->run.net.count; i++) {
                    const param *p = &t->run.net.params[i], *q = find(back, p->name);
                    bool wide = param_rows(p) == 0 || !strcmp(p->name, "wpe.weight"), same = true;
                    for (size_t n = 0; n < p->value.size; n++) {
                        float x = p->value.data[n];
                        same = same && q->value.data[n] == (wide ? x : half_value(nearest_half(x)));
                    }
                    CHECK(same);
                }
                if (back) CHECK(back->run.net.options.value[OPT_NORM_EPSILON] == 1e-5);
                gpt_trainer_free(back);
                free(weights.bytes);
            }
            free(config.bytes);
            free(file.bytes);
            gpt_trainer_free(t);
        }
    }

    TEST("a vocabulary comes back as the vocab.json and merges.txt of the model that went out") {
        gpt_config *config = small("gpt2");
        gpt_config_set_text(config, "sequences", "documents");
        gpt_trainer *t = gpt_trainer_create(config, LINES, strlen(LINES));
        int status;
        if (CHECK(t != NULL)) {
            blob file = export_as(t, "gguf", 4096, &status);
            gpt_import *in = gpt_import_open((double)file.size);
            while (gpt_import_size(in) == 0 && gpt_import_wants(in) > 0) {
                double fed = gpt_import_feed(in, file.bytes + (size_t)gpt_import_at(in),
                                             (size_t)gpt_import_wants(in));
                if (!CHECK(fed > 0)) break;
            }
            const char *names[] = {"vocab.json", "merges.txt"};
            for (int k = 0; k < 2; k++) {
                char wanted[8192], text[8192];
                text_buffer out = text_begin(wanted, sizeof wanted);
                (k ? tokenizer_write_merges : tokenizer_write_vocab)(&t->run.data.tokenizer, &out);
                CHECK(text_end(&out) < sizeof wanted);
                CHECK(gpt_import_text(in, names[k], text, sizeof text) > 0);
                CHECK_STRING(text, wanted);
            }
            char text[64];
            CHECK_INT(gpt_import_text(in, "added_tokens.json", text, sizeof text), 0);
            gpt_import_free(in);
            free(file.bytes);
        }
        gpt_trainer_free(t);
        gpt_config_free(config);
    }

    TEST("unused ids are left out of vocab.json, and special tokens are in added_tokens.json") {
        gpt_trainer *t = trained("bpe", NULL, 0);
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        seen s = look(file);
        size_t types = value_of(&s, "tokenizer.ggml.token_type") + 12;
        size_t last = (size_t)t->run.net.vocab - 1;
        int32_t patched[] = {5, 4};
        memcpy(file.bytes + types + 4 * (last - 1), patched, sizeof patched);
        gpt_import *in = gpt_import_open((double)file.size);
        while (gpt_import_size(in) == 0 && gpt_import_wants(in) > 0) {
            double fed = gpt_import_feed(in, file.bytes + (size_t)gpt_import_at(in),
                                         (size_t)gpt_import_wants(in));
            if (!CHECK(fed > 0)) break;
        }
        char text[8192], unused[16], special[16];
        snprintf(unused, sizeof unused, ":%d", (int)last - 1);
        snprintf(special, sizeof special, ":%d}", (int)last);
        CHECK(gpt_import_text(in, "vocab.json", text, sizeof text) > 0);
        CHECK(strstr(text, ":255,") != NULL);
        CHECK(strstr(text, unused) == NULL && strstr(text, special) == NULL);
        CHECK(gpt_import_text(in, "added_tokens.json", text, sizeof text) > 0);
        CHECK(strstr(text, special) != NULL && strchr(text, ',') == NULL);
        gpt_import_free(in);
        free(file.bytes);
        gpt_trainer_free(t);
    }

    TEST("weights in F32, F16, BF16 and Q8_0 come in as what they stand for") {
        gpt_trainer *t = trained("byte", NULL, 0);
        const unsigned types[] = {0, 1, 30, 8};
        float *means = malloc(2 * MEANS * sizeof *means);
        for (int k = 0; k < 8; k++) {
            made m = {.type = types[k % 4],
                      .version = k < 4 ? 3 : 2,
                      .head = k >= 4,
                      .alignment = k >= 4 ? 64 : 0};
            blob file = make_file(t, &m, means), config = {0};
            int status;
            blob weights = import_file(file, 1000, &config, &status);
            char theirs[64], ours[64];
            gpt_trainer *back = CHECK_INT(status, GPT_OK) ? open_folder(weights, config) : NULL;
            const float *at = means;
            for (int i = 0; CHECK(back != NULL) && names_of(t, i, theirs, ours); i++) {
                if (!strcmp(theirs, "output.weight") && !m.head) continue;
                const param *q = find(back, ours);
                bool same = CHECK(q != NULL);
                for (size_t n = 0; same && n < q->value.size; n++) {
                    same = number_at(q, is_linear(theirs), n) == at[n];
                }
                if (!CHECK(same)) printf("%s, type %u\n", theirs, m.type);
                at += q->value.size;
            }
            gpt_trainer_free(back);
            free(weights.bytes);
            free(config.bytes);
            free(file.bytes);
        }
        free(means);
        gpt_trainer_free(t);
    }

    TEST("a file of another architecture, tokenizer, version or type is refused by its name") {
        gpt_trainer *t = trained("byte", NULL, 0);
        const int no = GPT_E_UNSUPPORTED;
        check_refused_made(t, (made){.architecture = "llama"}, no, "general.architecture llama");
        check_refused_made(t, (made){.model = "llama"}, no, "tokenizer.ggml.model llama");
        check_refused_made(t, (made){.pre = "llama-bpe"}, no, "tokenizer.ggml.pre llama-bpe");
        check_refused_made(t, (made){.without = "tokenizer.ggml.pre"}, no,
                           "tokenizer.ggml.pre missing");
        check_refused_made(t, (made){.version = 1}, no, "GGUF version 1");
        check_refused_made(t, (made){.version = 4}, no, "GGUF version 4");
        check_refused_made(t, (made){.version = 0x03000000}, no, "GGUF big-endian");
        check_refused_made(t, (made){.type = 12}, no, "token_embd.weight Q4_K");
        check_refused_made(t, (made){.type = 77}, no, "token_embd.weight type 77");
        check_refused_made(t, (made){.inner = 100}, no, "gpt2.feed_forward_length 100");
        check_refused_made(t, (made){.comma = true}, no, "tokenizer.ggml.tokens [...]");
        gpt_trainer_free(t);
    }

    TEST("missing, unknown, doubled, misshapen and overlapping tensors are refused by name") {
        gpt_trainer *t = trained("byte", NULL, 0);
        const char *const norm = "blk.1.ffn_norm.bias";
        check_refused_made(t, (made){.without = norm}, GPT_E_TENSOR_MISSING, norm);
        check_refused_made(t, (made){.twice = norm}, GPT_E_TENSOR_TWICE, norm);
        check_refused_made(t, (made){.twice = norm, .without = "output_norm.bias"},
                           GPT_E_TENSOR_TWICE, norm);
        check_refused_made(t, (made){.extra = norm}, GPT_E_TENSOR_MISSING, norm);
        check_refused_made(t, (made){.twice = norm, .extra = norm}, GPT_E_TENSOR_EXTRA,
                           "blk.0.attn_q.weight");
        check_refused_made(t, (made){.narrow = norm}, GPT_E_TENSOR_SHAPE, norm);
        check_refused_made(t, (made){.overlap = 32}, GPT_E_TENSOR_PLACE, "wpe.weight");
        check_refused_made(t, (made){.overlap = 4}, GPT_E_TENSOR_PLACE, "position_embd.weight");
        check_refused_made(t, (made){.without = "gpt2.block_count"}, GPT_E_FILE,
                           "gpt2.block_count");
        check_refused_made(t, (made){.without = "tokenizer.ggml.merges"}, GPT_E_FILE,
                           "tokenizer.ggml.merges");
        check_refused_made(t, (made){.alignment = 24}, GPT_E_FILE, "general.alignment");
        check_refused_made(t, (made){.tokens = 255}, GPT_E_TENSOR_SHAPE, "token_embd.weight");
        gpt_trainer_free(t);
    }

    TEST("a cut file is refused as truncated, with the bytes that it says it has") {
        gpt_trainer *t = trained("bpe", NULL, 0);
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        size_t data = look(file).data;
        int cuts = 0, furthest = 0;
        for (size_t size = 16; size < file.size; size += size < data ? 97 : 4099) {
            blob part = {file.bytes, size};
            free(import_file(part, 4096, NULL, &status).bytes);
            CHECK_INT(status, GPT_E_TRUNCATED);
            char json[1024], *values;
            double has = 0, needs = 0;
            refusal(part, json, sizeof json);
            values = strstr(json, "\"values\":[");
            CHECK(values && sscanf(values, "\"values\":[%lf,%lf", &has, &needs) == 2);
            CHECK(has == (double)size && needs > has && needs <= (double)file.size);
            furthest += needs > has + 1;
            cuts++;
        }
        CHECK(2 * furthest > cuts); // of most, more than one byte is missing
        free(file.bytes);
        gpt_trainer_free(t);
    }

    TEST("hostile counts, lengths and types are refused before memory is taken") {
        gpt_trainer *t = trained("byte", NULL, 0);
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        seen s = look(file);
        size_t architecture = value_of(&s, "general.architecture");
        size_t tokens = value_of(&s, "tokenizer.ggml.tokens");
        const uint64_t huge[] = {1ULL << 62, UINT64_MAX, 1ULL << 40};
        for (int k = 0; k < 3; k++) {
            check_refused_patched(file, 8, huge[k], 8, GPT_E_FILE);       // tensors
            check_refused_patched(file, 16, huge[k], 8, GPT_E_FILE);      // pairs
            check_refused_patched(file, 24, huge[k], 8, GPT_E_TRUNCATED); // length of a key
            check_refused_patched(file, architecture, huge[k], 8, GPT_E_TRUNCATED);
            check_refused_patched(file, tokens + 4, huge[k], 8, GPT_E_TRUNCATED);
        }
        // 2^62 items of 4 bytes: their product is 0 in 64 bits.
        size_t types = value_of(&s, "tokenizer.ggml.token_type");
        check_refused_patched(file, types + 4, 1ULL << 62, 8, GPT_E_TRUNCATED);
        check_refused_patched(file, 16, 60000, 8, GPT_E_TRUNCATED); // tensors as keys
        check_refused_patched(file, tokens, 9, 4, GPT_E_FILE);      // an array of arrays
        check_refused_patched(file, tokens, 0, 4, GPT_E_TRUNCATED); // tokens as keys
        check_refused_patched(file, architecture - 4, 13, 4, GPT_E_FILE);
        check_refused_patched(file, value_of(&s, "gpt2.block_count"), 4000000, 4, GPT_E_RANGE);
        check_refused_patched(file, value_of(&s, "gpt2.context_length"), 1 << 30, 4, GPT_E_RANGE);
        check_refused_patched(file, value_of(&s, "gpt2.attention.layer_norm_epsilon"), 0x7FC00000,
                              4, GPT_E_RANGE);
        free(file.bytes);
        gpt_trainer_free(t);
    }

    return check_report();
}
