/* gguf_files.h - a second reader of GGUF for the tests: header, tensor table, 16-bit floats and the
 * tensor names of GPT-2. The reader shares no code with c/formats, so that it finds errors there.
 *
 * It reads only files that the tests made, with at most 64 keys and 64 tensors, and checks no
 * bounds.
 */
#ifndef GLASSHOUSE_TEST_GGUF_FILES_H
#define GLASSHOUSE_TEST_GGUF_FILES_H

#include "formats_files.h"

static inline const param *find(gpt_trainer *t, const char *name) {
    for (int i = 0; i < t->run.net.count; i++) {
        if (strcmp(t->run.net.params[i].name, name) == 0) return &t->run.net.params[i];
    }
    return NULL;
}

/* ---- 16-bit floats --------------------------------------------------------------------------- */

/* Decodes a finite IEEE half. */
static inline float half_value(unsigned half) {
    int exponent = (int)(half >> 10 & 31), fraction = (int)(half & 1023);
    double value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return (float)(half & 0x8000 ? -value : value);
}

/* Rounds to the nearest half, ties to even; |value| <= 65504. Bisects the positive halves, whose
 * bits are in the order of their values. */
static inline unsigned nearest_half(float value) {
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

static inline float bfloat_value(unsigned bits) {
    uint32_t wide = bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* ---- Header ---------------------------------------------------------------------------------- */

/* An entry of the tensor table. `sizes`: the fastest dimension first. `type`: ggml's number of the
 * type. `offset`: from the beginning of the tensor data, in bytes. */
typedef struct seen_tensor {
    char name[64];
    unsigned dims, type;
    uint64_t sizes[4], offset;
} seen_tensor;

/* A parsed header; borrows the bytes of the file. `at`: offset of the next byte to parse. `data`:
 * offset of the tensor data. */
typedef struct seen {
    const char *bytes;
    size_t at, data;
    unsigned version;
    uint64_t tensors, pairs;
    seen_tensor tensor[64];
    size_t key_at[64]; /* byte offset of each value's type; the value follows 4 bytes later */
    char key[64][64];
} seen;

/* Reads an integer of `width` bytes. */
static inline uint64_t whole(seen *s, int width) {
    uint64_t value = 0;
    memcpy(&value, s->bytes + s->at, (size_t)width);
    s->at += (size_t)width;
    return value;
}

static inline void text_of(seen *s, char *out, size_t capacity) {
    size_t length = (size_t)whole(s, 8);
    snprintf(out, capacity, "%.*s", (int)length, s->bytes + s->at);
    s->at += length;
}

/* Skips a value of the given type. Type 8 is a string, 9 an array; WIDTHS has the sizes in bytes of
 * all other types. */
static inline void pass_value(seen *s, unsigned type) {
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

/* Parses the header of a file. */
static inline seen look(blob file) {
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

static inline const seen_tensor *tensor_called(const seen *s, const char *name) {
    for (uint64_t i = 0; i < s->tensors; i++) {
        if (!strcmp(s->tensor[i].name, name)) return &s->tensor[i];
    }
    return NULL;
}

/* Returns the byte offset of the value of `key`. If the file lacks the key, a check fails and the
 * offset is 0. */
static inline size_t value_of(const seen *s, const char *key) {
    for (uint64_t i = 0; i < s->pairs; i++) {
        if (!strcmp(s->key[i], key)) return s->key_at[i] + 4;
    }
    CHECK_STRING(key, "a key of the file");
    return 0;
}

/* Returns the value of `key`, an unsigned 32-bit integer. */
static inline double number_of(const seen *s, const char *key) {
    uint32_t bits;
    memcpy(&bits, s->bytes + value_of(s, key), sizeof bits);
    return bits;
}

/* Tensor names of a layer in GGUF and in our checkpoints, without the prefix "blk.N." or "h.N." of
 * layer N. */
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

/* Writes the names of tensor `index` in GGUF (`theirs`) and in our checkpoints (`ours`). False past
 * the last tensor. */
static inline bool names_of(const gpt_trainer *t, int index, char theirs[64], char ours[64]) {
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

/* True for the weight of a linear layer, which GGUF stores as (out,in) and our checkpoints as
 * (in,out). */
static inline bool is_linear(const char *theirs) {
    return !strncmp(theirs, "blk.", 4) && strstr(theirs, ".weight") && !strstr(theirs, "norm");
}

/* Returns the element of parameter `p` that has position `index` in its GGUF tensor. `linear`: the
 * GGUF tensor is the transpose. */
static inline float number_at(const param *p, bool linear, size_t index) {
    size_t rows = (size_t)param_rows(p), columns = (size_t)param_columns(p);
    return p->value.data[linear ? index % rows * columns + index / rows : index];
}

#endif
