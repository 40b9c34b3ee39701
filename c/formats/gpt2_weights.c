/* gpt2_weights.c - see gpt2_weights.h. */
#include "formats/gpt2_weights.h"

#include <string.h>

#include "base/text_buffer.h"

/* Rows and columns are multiples of the channels, so 0 rows make a vector. */
typedef struct layer_tensor {
    const char *name, *ours;
    gpt2_part part;
    unsigned rows, columns;
} layer_tensor;

/* In the order of a block in our file. */
static const layer_tensor LAYER[] = {
    {"attn_norm.weight", "ln_1.weight", GPT2_GAIN, 0, 1},
    {"attn_norm.bias", "ln_1.bias", GPT2_NORM_BIAS, 0, 1},
    {"attn_qkv.weight", "attn.c_attn.weight", GPT2_MATRIX, 3, 1},
    {"attn_qkv.bias", "attn.c_attn.bias", GPT2_LINEAR_BIAS, 0, 3},
    {"attn_output.weight", "attn.c_proj.weight", GPT2_MATRIX, 1, 1},
    {"attn_output.bias", "attn.c_proj.bias", GPT2_LINEAR_BIAS, 0, 1},
    {"ffn_norm.weight", "ln_2.weight", GPT2_GAIN, 0, 1},
    {"ffn_norm.bias", "ln_2.bias", GPT2_NORM_BIAS, 0, 1},
    {"ffn_up.weight", "mlp.c_fc.weight", GPT2_MATRIX, 4, 1},
    {"ffn_up.bias", "mlp.c_fc.bias", GPT2_LINEAR_BIAS, 0, 4},
    {"ffn_down.weight", "mlp.c_proj.weight", GPT2_MATRIX, 1, 4},
    {"ffn_down.bias", "mlp.c_proj.bias", GPT2_LINEAR_BIAS, 0, 1},
};

enum { PER_LAYER = sizeof LAYER / sizeof *LAYER };

static void put_name(char *out, size_t capacity, const char *prefix, uint64_t layer,
                     const char *name) {
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, prefix);
    text_put_whole(&buffer, layer);
    text_put(&buffer, ".");
    text_put(&buffer, name);
    text_end(&buffer);
}

static gpt2_weight outer(const char *name, const char *ours, gpt2_part part, uint64_t rows,
                         uint64_t columns) {
    gpt2_weight w = {.part = part, .rows = rows, .columns = columns};
    memcpy(w.name, name, strlen(name));
    memcpy(w.ours, ours, strlen(ours));
    return w;
}

size_t gpt2_weight_count(const gpt2_sizes *sizes) {
    return (sizes->tied ? 4 : 5) + PER_LAYER * (size_t)sizes->layers;
}

gpt2_weight gpt2_weight_at(const gpt2_sizes *sizes, size_t index) {
    uint64_t channels = sizes->channels;
    size_t before = sizes->tied ? 2 : 3;
    if (index < before) {
        gpt2_weight w = index == 0   ? outer("token_embd.weight", "wte.weight", GPT2_MATRIX,
                                             sizes->vocab, channels)
                        : index == 1 ? outer("position_embd.weight", "wpe.weight", GPT2_MATRIX,
                                             sizes->context, channels)
                                     : outer("output.weight", "lm_head.weight", GPT2_MATRIX,
                                             sizes->vocab, channels);
        w.half = index != 1; // llama.cpp's converter keeps the position table in 32 bits
        return w;
    }
    index -= before;
    if (index >= PER_LAYER * (size_t)sizes->layers) {
        return index % PER_LAYER == 0
                   ? outer("output_norm.weight", "ln_f.weight", GPT2_GAIN, 0, channels)
                   : outer("output_norm.bias", "ln_f.bias", GPT2_NORM_BIAS, 0, channels);
    }
    const layer_tensor *t = &LAYER[index % PER_LAYER];
    gpt2_weight w = {.part = t->part,
                     .rows = t->rows * channels,
                     .columns = t->columns * channels,
                     .swapped = t->part == GPT2_MATRIX,
                     .half = t->part == GPT2_MATRIX};
    put_name(w.name, sizeof w.name, "blk.", index / PER_LAYER, t->name);
    put_name(w.ours, sizeof w.ours, "h.", index / PER_LAYER, t->ours);
    return w;
}

gpt2_sizes gpt2_sizes_of(const export_model *m) {
    const config *c = &m->options;
    return (gpt2_sizes){(uint64_t)c->value[OPT_LAYERS], (uint64_t)c->value[OPT_CHANNELS],
                        (uint64_t)c->value[OPT_CONTEXT], (uint64_t)m->vocab,
                        config_bool(c, OPT_TIED_HEAD)};
}

static bool has_weight(const config *c, gpt2_part part) {
    switch (part) {
    case GPT2_MATRIX:
        break;
    case GPT2_GAIN:
        return config_bool(c, OPT_NORM_GAIN);
    case GPT2_NORM_BIAS:
        return config_bool(c, OPT_NORM_GAIN) && config_bool(c, OPT_BIAS);
    case GPT2_LINEAR_BIAS:
        return config_bool(c, OPT_BIAS);
    }
    return true;
}

void gpt2_put_weight(write_plan *p, const gpt2_weight *w, int how) {
    if (has_weight(&p->model->options, w->part)) {
        plan_put_tensor(p, w->ours, w->swapped ? w->columns : w->rows,
                        w->swapped ? w->rows : w->columns, how);
        return;
    }
    for (uint64_t i = 0; i < w->columns; i++) {
        plan_put_f32(p, w->part == GPT2_GAIN ? 1.0f : 0.0f);
    }
}
