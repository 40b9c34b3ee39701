/* model.c - see model.h. The forward pass is at the end. */
#include "model/model.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/numeric.h"
#include "base/text_buffer.h"

/* ---- The table of parameters ----------------------------------------------------------------- */

/* State while the table of parameters is built. */
typedef struct param_list {
    model *m;
    arena *memory;
    int count;           /* parameters added so far */
    bool failed, frozen; /* failed: memory ran out; frozen: no gradients or moments */
} param_list;

/* Allocates `count` reals, all 0. On failure sets list->failed and returns NULL. */
static real *alloc(param_list *list, uint64_t count) {
    real *data = arena_alloc_zeroed(list->memory, count, sizeof(real));
    list->failed = list->failed || !data;
    return data;
}

/* Adds a parameter to the table. Its name is prefix + layer + "." + name, as in "h.0.ln_1.weight",
 * or prefix + name if `layer` is -1. Its shape is (rows,columns), or (columns) if `rows` is 0. In
 * the first pass, while the table is not allocated, only counts the parameter and returns NULL. */
static tensor *add_param(param_list *list, const char *prefix, int layer, const char *name,
                         int rows, int columns, param_init init) {
    int index = list->count++;
    if (!list->m->params) {
        return NULL;
    }
    param *p = &list->m->params[index];
    int shape[2] = {rows ? rows : columns, columns};
    uint64_t size = (uint64_t)shape[0] * (uint64_t)(rows ? columns : 1);
    list->m->weights += size;
    real *data = alloc(list, size);
    real *grad = list->frozen ? NULL : alloc(list, size);
    real *moment1 = list->frozen ? NULL : alloc(list, size);
    real *moment2 = list->frozen ? NULL : alloc(list, size);
    text_buffer full = text_begin(p->name, sizeof p->name);
    text_put(&full, prefix);
    if (layer >= 0) {
        text_put_number(&full, layer);
        text_put(&full, ".");
    }
    text_put(&full, name);
    size_t length = text_end(&full);
    assert(length < sizeof p->name);
    (void)length;
    p->value = tensor_of(p->name, data, grad, rows ? 2 : 1, shape);
    p->moment1 = moment1;
    p->moment2 = moment2;
    p->init = init;
    p->draws = 1;
    p->linear = false;
    p->decays = rows > 0;
    return &p->value;
}

/* Adds the weight (in,out) of a linear layer in block `layer`. The weight is `draws` matrices of
 * equal width side by side, whose initial values are drawn one after another. */
static tensor *add_linear(param_list *list, int layer, const char *name, int in, int out, int draws,
                          param_init init) {
    tensor *weight = add_param(list, "h.", layer, name, in, out, init);
    if (weight) {
        param *p = &list->m->params[list->count - 1];
        p->linear = true;
        p->draws = draws;
    }
    return weight;
}

/* Adds a bias vector, or returns NULL if the config has no biases. */
static tensor *add_bias(param_list *list, const char *prefix, int layer, const char *name,
                        int size) {
    return config_bool(&list->m->options, OPT_BIAS)
               ? add_param(list, prefix, layer, name, 0, size, INIT_ZERO)
               : NULL;
}

/* Adds gain and bias of a norm. *gain is NULL if the config excludes gains; *bias is NULL without a
 * gain, with RMSNorm, or if the config excludes biases. */
static void add_norm(param_list *list, int layer, const char *prefix, const char *gain_name,
                     const char *bias_name, tensor **gain, tensor **bias) {
    const config *c = &list->m->options;
    int C = config_int(c, OPT_CHANNELS);
    *gain = *bias = NULL;
    if (config_bool(c, OPT_NORM_GAIN)) {
        *gain = add_param(list, prefix, layer, gain_name, 0, C, INIT_ONE);
        if (config_norm(c) == NORM_LAYERNORM) {
            *bias = add_bias(list, prefix, layer, bias_name, C);
        }
    }
}

/* Adds the parameters of one block. Only the order of the matrices matters (see model_init): the
 * initial values of the vectors are constants. */
static void add_block(param_list *list, int layer, block_params *b) {
    int C = config_int(&list->m->options, OPT_CHANNELS);
    add_norm(list, layer, "h.", "ln_1.weight", "ln_1.bias", &b->norm1_gain, &b->norm1_bias);
    b->qkv_weight = add_linear(list, layer, "attn.c_attn.weight", C, 3 * C, 3, INIT_NORMAL);
    b->qkv_bias = add_bias(list, "h.", layer, "attn.c_attn.bias", 3 * C);
    b->attn_weight = add_linear(list, layer, "attn.c_proj.weight", C, C, 1, INIT_RESIDUAL);
    b->attn_bias = add_bias(list, "h.", layer, "attn.c_proj.bias", C);
    add_norm(list, layer, "h.", "ln_2.weight", "ln_2.bias", &b->norm2_gain, &b->norm2_bias);
    b->fc_weight = add_linear(list, layer, "mlp.c_fc.weight", C, 4 * C, 1, INIT_NORMAL);
    b->fc_bias = add_bias(list, "h.", layer, "mlp.c_fc.bias", 4 * C);
    b->out_weight = add_linear(list, layer, "mlp.c_proj.weight", 4 * C, C, 1, INIT_RESIDUAL);
    b->out_bias = add_bias(list, "h.", layer, "mlp.c_proj.bias", C);
}

/* Adds all parameters of the config, the matrices in the order of their initial draws. */
static void add_all(param_list *list) {
    model *m = list->m;
    const config *c = &m->options;
    int C = config_int(c, OPT_CHANNELS);
    m->token_table = add_param(list, "", -1, "wte.weight", m->vocab, C, INIT_NORMAL);
    m->position_table = add_param(list, "", -1, "wpe.weight", config_int(c, OPT_CONTEXT), C,
                                  INIT_NORMAL);
    m->head_weight = config_bool(c, OPT_TIED_HEAD)
                         ? m->token_table
                         : add_param(list, "", -1, "lm_head.weight", m->vocab, C, INIT_NORMAL);
    if (config_bool(c, OPT_HEAD_BIAS)) {
        m->head_bias = add_param(list, "", -1, "lm_head.bias", 0, m->vocab, INIT_ZERO);
    }
    if (config_bool(c, OPT_EMBEDDING_NORM)) {
        add_norm(list, -1, "", "ln_e.weight", "ln_e.bias", &m->embedding_gain, &m->embedding_bias);
    }
    for (int l = 0; l < config_int(c, OPT_LAYERS); l++) {
        add_block(list, l, &m->blocks[l]);
    }
    if (config_bool(c, OPT_FINAL_NORM)) {
        add_norm(list, -1, "", "ln_f.weight", "ln_f.bias", &m->final_gain, &m->final_bias);
    }
}

/* Builds the table in two passes: the first counts the parameters, the second allocates them. */
static int lay_out(model *m, const config *options, int vocab, bool frozen, arena *memory,
                   gpt_error *error) {
    memset(m, 0, sizeof *m);
    m->options = *options;
    m->vocab = vocab;
    size_t L = (size_t)config_int(options, OPT_LAYERS);
    param_list list = {m, memory, 0, false, frozen};
    m->blocks = calloc(L, sizeof(block_params));
    if (!m->blocks) {
        return gpt_fail_allocation(error, L * sizeof(block_params));
    }
    add_all(&list); // only counts the parameters, because m->params is NULL
    m->count = list.count;
    m->params = calloc((size_t)m->count, sizeof(param));
    if (!m->params) {
        size_t bytes = (size_t)m->count * sizeof(param);
        model_close(m);
        return gpt_fail_allocation(error, bytes);
    }
    list.count = 0;
    add_all(&list);
    if (list.failed) {
        model_close(m);
        return arena_fail(memory, error);
    }
    return GPT_OK;
}

int model_open(model *m, const config *options, int vocab, arena *memory, gpt_error *error) {
    return lay_out(m, options, vocab, false, memory, error);
}

int model_open_frozen(model *m, const config *options, int vocab, arena *memory, gpt_error *error) {
    return lay_out(m, options, vocab, true, memory, error);
}

void model_close(model *m) {
    free(m->params);
    free(m->blocks);
    memset(m, 0, sizeof *m);
}

bool param_is_head(const param *p) {
    return strncmp(p->name, "lm_head.", 8) == 0;
}

void model_put_parameter(text_buffer *out, const param *p) {
    text_put_string_member(out, "name", p->name);
    text_put_key(out, "shape");
    tensor_put_shape(out, &p->value);
    text_put_bool_member(out, "decay", p->decays);
}

/* ---- Initial weights ------------------------------------------------------------------------- */

/* Fills a matrix with normal draws times `std`, row by row. The weight (in,out) of a linear layer
 * is filled column by column, which is the row order of its transpose (out,in). A `std` of 0
 * consumes as many draws as any other value. */
static void draw(param *p, float std, rng *r) {
    int rows = p->value.shape[0], columns = p->value.shape[1];
    if (!p->linear) {
        for (uint64_t i = 0; i < p->value.size; i++) {
            p->value.data[i] = (real)(std * rng_normal(r));
        }
        return;
    }
    int width = columns / p->draws;
    for (int part = 0; part < p->draws; part++) {
        for (int out = 0; out < width; out++) {
            for (int in = 0; in < rows; in++) {
                size_t at = (size_t)in * (size_t)columns + (size_t)(part * width + out);
                p->value.data[at] = (real)(std * rng_normal(r));
            }
        }
    }
}

/* Standard deviation of the initial weights that write to the residual stream (the output
 * projections of attention and MLP), by the option residual_init. */
static float residual_std(const config *c) {
    double std = c->value[OPT_INIT_STD];
    switch (config_residual_init(c)) {
    case RESIDUAL_ZERO:
        return 0.0f;
    case RESIDUAL_SCALED: // GPT-2 divides by the square root of the number of residual additions
        return (float)(std / __builtin_sqrt(2.0 * c->value[OPT_LAYERS]));
    case RESIDUAL_NORMAL:
        break;
    }
    return (float)std;
}

void model_init(model *m, rng *r) {
    for (int i = 0; i < m->count; i++) {
        param *p = &m->params[i];
        size_t bytes = (size_t)p->value.size * sizeof(real);
        memset(p->value.data, 0, bytes);
        memset(p->value.grad, 0, bytes);
        memset(p->moment1, 0, bytes);
        memset(p->moment2, 0, bytes);
        if (p->init == INIT_ONE) {
            for (uint64_t j = 0; j < p->value.size; j++) {
                p->value.data[j] = R(1.0);
            }
        } else if (p->init == INIT_NORMAL) {
            draw(p, (float)m->options.value[OPT_INIT_STD], r);
        } else if (p->init == INIT_RESIDUAL) {
            draw(p, residual_std(&m->options), r);
        }
    }
}

/* ---- The forward pass ------------------------------------------------------------------------ */

/* Upper bounds of the number of tape nodes: outside the blocks (with the loss), and in one
 * block. */
enum { NODES_OUTSIDE = 8, NODES_PER_BLOCK = 10 };

int model_node_count(const config *options) {
    return NODES_OUTSIDE + NODES_PER_BLOCK * config_int(options, OPT_LAYERS);
}

/* LayerNorm or RMSNorm, by the config. */
static tensor *norm(const model *m, tape *t, const char *name, tensor *x, tensor *gain,
                    tensor *bias) {
    real epsilon = (real)m->options.value[OPT_NORM_EPSILON];
    switch (config_norm(&m->options)) {
    case NORM_RMSNORM:
        return op_rmsnorm(t, name, x, gain, epsilon);
    case NORM_LAYERNORM:
        return op_layernorm(t, name, x, gain, bias, epsilon);
    }
    return NULL;
}

/* GELU or squared ReLU, by the config. */
static tensor *activation(const model *m, tape *t, const char *name, tensor *x) {
    switch (config_activation(&m->options)) {
    case ACTIVATION_GELU:
        return op_gelu(t, name, x);
    case ACTIVATION_RELU2:
        return op_relu2(t, name, x);
    }
    return NULL;
}

tensor *model_forward(model *m, tape *t, const int32_t *ids, int B, int T, kv_cache *cache) {
    int H = config_int(&m->options, OPT_HEADS);
    int first = cache ? cache->length : 0;

    // residual stream: token embedding plus position embedding, (B,T,C)
    tensor *x = op_embedding(t, "embed.token", m->token_table, ids, B, T);
    x = op_positional(t, "embed.position", x, m->position_table, first);
    if (config_bool(&m->options, OPT_EMBEDDING_NORM)) {
        x = norm(m, t, "embed.norm", x, m->embedding_gain, m->embedding_bias);
    }
    for (int l = 0; l < config_int(&m->options, OPT_LAYERS); l++) {
        const block_params *b = &m->blocks[l];
        attention_cache past;
        if (cache) {
            past = kv_cache_layer(cache, &m->options, l);
        }
        t->scope = (tape_scope){"block", l};
        // attention: x += W_out heads(W_qkv norm(x))
        tensor *a = norm(m, t, "attn.norm", x, b->norm1_gain, b->norm1_bias);
        a = op_linear(t, "attn.qkv", a, b->qkv_weight, b->qkv_bias);
        a = op_attention(t, "attn.heads", a, H, cache ? &past : NULL, first);
        a = op_linear(t, "attn.out", a, b->attn_weight, b->attn_bias);
        x = op_add(t, "attn.residual", x, a);
        // MLP, 4C wide: x += W_out act(W_fc norm(x))
        tensor *f = norm(m, t, "mlp.norm", x, b->norm2_gain, b->norm2_bias);
        f = op_linear(t, "mlp.fc", f, b->fc_weight, b->fc_bias);
        f = activation(m, t, "mlp.activation", f);
        f = op_linear(t, "mlp.out", f, b->out_weight, b->out_bias);
        x = op_add(t, "mlp.residual", x, f);
    }
    t->scope = (tape_scope){NULL, 0};
    if (cache) {
        cache->length += T;
    }
    if (config_bool(&m->options, OPT_FINAL_NORM)) {
        x = norm(m, t, "final.norm", x, m->final_gain, m->final_bias);
    }
    // logits (B,T,V): dot products of x with the V rows of the output head, and its bias if any
    return op_linear_transposed(t, "logits", x, m->head_weight, m->head_bias);
}
