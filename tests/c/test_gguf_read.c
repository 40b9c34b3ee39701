/* test_gguf_read.c - imports GGUF files that the engine exported or that this program builds, and
 * checks that unsupported and damaged files are refused by name. */
#include "gguf_files.h"

/* ---- Files built by the test ----------------------------------------------------------------- */

/* Changes that make_file makes to a valid GGUF file; a zeroed struct changes nothing. */
typedef struct made {
    const char *architecture, *model, *pre; /* values of keys; NULL: "gpt2", "gpt2", "gpt-2" */
    unsigned version;                       /* version of GGUF; 0: 3 */
    unsigned type;                          /* of all matrices but position_embd: ggml's number */
    const char *without;                    /* name of a key or tensor to omit */
    const char *twice, *extra; /* names of a tensor to repeat and of a tensor to rename */
    const char *narrow;        /* name of a tensor whose first dimension is 1 too small */
    bool head;                 /* the file has a tensor output.weight */
    unsigned alignment; /* value of general.alignment; 0 if the key is missing (default: 32) */
    int overlap;        /* bytes by which the second tensor overlaps the first */
    int tokens;         /* size of the vocabulary; 0: 256 */
    bool comma;         /* token 44 is "ab" instead of the comma */
    uint64_t inner;     /* feed_forward_length; 0: 4 * channels */
} made;

/* Appends an integer of `width` bytes. */
static void put_n(blob *b, uint64_t value, size_t width) {
    blob_put(b, &value, width);
}

/* Appends a GGUF string: its length in 8 bytes, then its bytes. */
static void put_s(blob *b, const char *text) {
    put_n(b, strlen(text), 8);
    blob_put(b, text, strlen(text));
}

/* Appends a key and the type of its value. For the key m->without appends nothing and returns
 * false. */
static bool put_key(blob *b, const made *m, const char *key, unsigned type) {
    if (m->without && !strcmp(m->without, key)) return false;
    put_s(b, key);
    put_n(b, type, 4);
    return true;
}

/* Appends the token of one byte: the character of GPT-2's byte alphabet for it. */
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

/* Appends numbers as blocks of type Q8_0, and writes the values that a reader must decode to
 * `means`. */
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

/* Appends a parameter in the type F32 (`type` 0), F16 (1), Q8_0 (8) or else BF16, and writes the
 * values that a reader must decode to `means`, in the order of the file. */
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

/* Builds a GGUF file of the weights of `t` with the changes `m`, and writes the values that a
 * reader must decode to `means`. The caller frees the bytes. */
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

/* Imports a file that must be refused, and writes the error to `json`. */
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

/* Checks that a file is refused with the status `status` and an error whose name is `detail`. */
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

/* Writes `value` (`width` bytes) at offset `at` of a copy of the file, and checks that the copy is
 * refused with `status`. */
static void check_refused_patched(blob file, size_t at, uint64_t value, size_t width, int status) {
    blob copy = {0};
    int got;
    blob_put(&copy, file.bytes, file.size);
    memcpy(copy.bytes + at, &value, width);
    free(import_file(copy, 4096, NULL, &got).bytes);
    CHECK_INT(got, status);
    free(copy.bytes);
}

int main(void) {
    TEST("an exported GGUF file is imported with the same weights: F32 exactly, F16 rounded") {
        for (int k = 0; k < 4; k++) {
            gpt_trainer *t = little_gpt2_with("byte", "tied_head", k & 1);
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

    TEST("an imported GGUF file has the vocab.json and merges.txt of the exported model") {
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

    TEST("vocab.json omits unused ids, and added_tokens.json has the special tokens") {
        gpt_trainer *t = little_gpt2("bpe");
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

    TEST("weights in F32, F16, BF16 and Q8_0 are imported as their decoded values") {
        gpt_trainer *t = little_gpt2("byte");
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

    TEST("another architecture, tokenizer, version or type is refused by its name") {
        gpt_trainer *t = little_gpt2("byte");
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

    TEST("missing, unknown, repeated, misshapen and overlapping tensors are refused by name") {
        gpt_trainer *t = little_gpt2("byte");
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

    TEST("a merge with a line break or a NUL is refused") {
        gpt_trainer *t = little_gpt2("bpe");
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        seen s = look(file);
        size_t first = value_of(&s, "tokenizer.ggml.merges") + 12 + 8;
        const char bytes[] = {'\n', '\r', 0};
        for (size_t i = 0; i < sizeof bytes; i++) {
            file.bytes[first + 1] = bytes[i];
            check_refused(file, GPT_E_FILE, "tokenizer.ggml.merges");
        }
        free(file.bytes);
        gpt_trainer_free(t);
    }

    TEST("a truncated file is refused with its size and the size that it needs") {
        gpt_trainer *t = little_gpt2("bpe");
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        size_t data = look(file).data;
        int cuts = 0, furthest = 0;
        for (size_t size = 16; size < file.size; size += size < data ? 97 : 4099) {
            blob part = {.bytes = file.bytes, .size = size};
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
        CHECK(2 * furthest > cuts); // in most cases the error asks for more than the next byte
        free(file.bytes);
        gpt_trainer_free(t);
    }

    TEST("hostile counts, lengths and types are refused before memory is allocated") {
        gpt_trainer *t = little_gpt2("byte");
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        seen s = look(file);
        size_t architecture = value_of(&s, "general.architecture");
        size_t tokens = value_of(&s, "tokenizer.ggml.tokens");
        const uint64_t huge[] = {1ULL << 62, UINT64_MAX, 1ULL << 40};
        for (int k = 0; k < 3; k++) {
            check_refused_patched(file, 8, huge[k], 8, GPT_E_FILE);       // number of tensors
            check_refused_patched(file, 16, huge[k], 8, GPT_E_FILE);      // number of keys
            check_refused_patched(file, 24, huge[k], 8, GPT_E_TRUNCATED); // length of a key
            check_refused_patched(file, architecture, huge[k], 8, GPT_E_TRUNCATED);
            check_refused_patched(file, tokens + 4, huge[k], 8, GPT_E_TRUNCATED);
        }
        // An array of 2^62 items of 4 bytes: its size overflows to 0 in 64 bits.
        size_t types = value_of(&s, "tokenizer.ggml.token_type");
        check_refused_patched(file, types + 4, 1ULL << 62, 8, GPT_E_TRUNCATED);
        check_refused_patched(file, 16, 60000, 8, GPT_E_TRUNCATED); // reads tensors as keys
        check_refused_patched(file, tokens, 9, 4, GPT_E_FILE);      // an array of arrays
        check_refused_patched(file, tokens, 0, 4, GPT_E_TRUNCATED); // reads tokens as keys
        check_refused_patched(file, architecture - 4, 13, 4, GPT_E_FILE);
        check_refused_patched(file, value_of(&s, "gpt2.block_count"), 4000000, 4, GPT_E_RANGE);
        check_refused_patched(file, value_of(&s, "gpt2.context_length"), 1 << 30, 4, GPT_E_RANGE);
        // The sizes of the model are checked before fields derived from them, such as
        // gpt2.feed_forward_length.
        check_refused_patched(file, value_of(&s, "gpt2.embedding_length"), 0, 4, GPT_E_RANGE);
        check_refused_patched(file, value_of(&s, "gpt2.attention.head_count"), 0, 4, GPT_E_RANGE);
        check_refused_patched(file, value_of(&s, "gpt2.attention.layer_norm_epsilon"), 0x7FC00000,
                              4, GPT_E_RANGE);
        free(file.bytes);
        gpt_trainer_free(t);
    }

    return check_report();
}
