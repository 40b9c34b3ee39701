/* gguf_write.c - writes a model as a GGUF file of llama.cpp's gpt2 architecture, with its
 * tokenizer.
 *
 * GPT-2 in llama.cpp has all gains and biases, so missing gains are written as ones and missing
 * biases as zeros. A tied head has no output.weight; llama.cpp then uses token_embd.weight instead.
 */
#include "formats/formats.h"

#include <string.h>

#include "formats/gguf.h"
#include "formats/gpt2_weights.h"
#include "formats/gpt2.h"

/* ---- Values ---------------------------------------------------------------------------------- */

static void put_string(write_plan *p, const char *text, size_t bytes) {
    plan_put_u64(p, bytes);
    plan_put(p, text, bytes);
}

static void put_key(write_plan *p, const char *key, uint32_t type) {
    put_string(p, key, strlen(key));
    plan_put_u32(p, type);
}

static void put_text(write_plan *p, const char *key, const char *text) {
    put_key(p, key, GGUF_STRING);
    put_string(p, text, strlen(text));
}

static void put_u32(write_plan *p, const char *key, double value) {
    put_key(p, key, GGUF_U32);
    plan_put_u32(p, (uint32_t)value);
}

static void put_array(write_plan *p, const char *key, uint32_t type, int count) {
    put_key(p, key, GGUF_ARRAY);
    plan_put_u32(p, type);
    plan_put_u64(p, (uint64_t)count);
}

/* ---- Recipe ---------------------------------------------------------------------------------- */

static void check_recipe(write_plan *p) {
    static const fixed_option FIXED[] = {
        {OPT_NORM, NORM_LAYERNORM, "norm rmsnorm"},
        {OPT_ACTIVATION, ACTIVATION_GELU, "activation relu2"},
        {OPT_HEAD_BIAS, 0, "head_bias true"},
        {OPT_EMBEDDING_NORM, 0, "embedding_norm true"},
        {OPT_FINAL_NORM, 1, "final_norm false"},
    };
    static const int STATED[] = {OPT_LAYERS,    OPT_HEADS,    OPT_CHANNELS,      OPT_CONTEXT,
                                 OPT_TIED_HEAD, OPT_INIT_STD, OPT_RESIDUAL_INIT, OPT_NORM_EPSILON,
                                 OPT_NORM_GAIN, OPT_BIAS};
    char detail[sizeof p->error->name];
    text_buffer why = text_begin(detail, sizeof detail);
    put_unfit(&why, &p->model->options, FIXED, sizeof FIXED / sizeof *FIXED, STATED,
              sizeof STATED / sizeof *STATED);
    if (p->model->tok.kind == TOKENIZER_CHAR) {
        text_put(&why, why.length ? ", " : "");
        text_put(&why, "tokenizer char");
    }
    if (text_end(&why)) {
        plan_refuse(p, detail);
    }
}

/* ---- Tokenizer ------------------------------------------------------------------------------- */

/* Writes `count` bytes in GPT-2's byte alphabet (bpe.h), without a NUL. Returns the length of the
 * text in bytes. */
static size_t spell(char out[2 * TOKEN_BYTES_MAX], const unsigned char *bytes, size_t count) {
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        at += (size_t)utf8_encode(bpe_character_of_byte(bytes[i]), (unsigned char *)out + at);
    }
    return at;
}

static uint32_t token_type(const export_model *m, int id) {
    return m->special[id]                   ? GGUF_TOKEN_CONTROL
           : tokenizer_is_hole(&m->tok, id) ? GGUF_TOKEN_UNUSED
                                            : GGUF_TOKEN_NORMAL;
}

static void put_token(write_plan *p, int id) {
    char text[EXPORT_TOKEN_MAX];
    size_t length = export_token(p->model, id, text);
    if (length == 0) {
        // llama.cpp needs a text also for an id without a token (a hole); no token in the byte
        // alphabet equals "[PAD 3]", because that alphabet has no space
        text_buffer name = text_begin(text, sizeof text);
        text_put(&name, "[PAD ");
        text_put_whole(&name, (uint64_t)id);
        text_put(&name, "]");
        length = text_end(&name);
    }
    put_string(p, text, length);
}

static void put_merge(write_plan *p, const bpe *table, int rank) {
    char text[4 * TOKEN_BYTES_MAX + 1];
    size_t count;
    const unsigned char *bytes = bpe_token(table, table->left[rank], &count);
    size_t length = spell(text, bytes, count);
    text[length++] = ' ';
    bytes = bpe_token(table, table->right[rank], &count);
    length += spell(text + length, bytes, count);
    put_string(p, text, length);
}

/* Returns the id of the token at which llama.cpp stops: <|endoftext|>, or, if the vocabulary lacks
 * it, the byte FF, which no UTF-8 text contains. Without the key eos_token_id, llama.cpp would stop
 * at token 11, a comma in GPT-2's vocabulary. */
static int end_token(const tokenizer *tok) {
    return tok->bos >= 0 ? tok->bos : tok->kind == TOKENIZER_BPE ? tok->bpe.byte_id[0xFF] : 0xFF;
}

/* Number of keys that put_tokenizer writes. */
enum { TOKENIZER_VALUES = 8 };

static void put_tokenizer(write_plan *p) {
    const tokenizer *tok = &p->model->tok;
    bool documents = config_int(&p->model->options, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS;
    int merges = tok->kind == TOKENIZER_BPE ? tok->bpe.merges : 0;
    put_text(p, "tokenizer.ggml.model", "gpt2");
    put_text(p, "tokenizer.ggml.pre", "gpt-2");
    put_array(p, "tokenizer.ggml.tokens", GGUF_STRING, tok->vocab);
    for (int id = 0; id < tok->vocab; id++) {
        put_token(p, id);
    }
    put_array(p, "tokenizer.ggml.token_type", GGUF_I32, tok->vocab);
    for (int id = 0; id < tok->vocab; id++) {
        plan_put_u32(p, token_type(p->model, id));
    }
    put_array(p, "tokenizer.ggml.merges", GGUF_STRING, merges);
    for (int rank = 0; rank < merges; rank++) {
        put_merge(p, &tok->bpe, rank);
    }
    put_u32(p, "tokenizer.ggml.bos_token_id", end_token(tok));
    put_u32(p, "tokenizer.ggml.eos_token_id", end_token(tok));
    put_key(p, "tokenizer.ggml.add_bos_token", GGUF_BOOL);
    plan_put(p, documents && tok->bos >= 0 ? "\1" : "\0", 1); // true: BOS before each document
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static void put_padding(write_plan *p) {
    static const char ZEROS[GGUF_ALIGNMENT] = {0};
    uint64_t size = plan_size(p);
    plan_put(p, ZEROS, (size_t)(gguf_align(size, GGUF_ALIGNMENT) - size));
}

/* Writes the table: name, dimensions, type and offset of each tensor. Refuses the plan if
 * llama.cpp's gpt2 has no tensor for a parameter. */
static void put_table(write_plan *p, const model *weights, bool half) {
    uint64_t at = 0;
    for (int i = 0; i < weights->count; i++) {
        gguf_weight w = gguf_weight_of(&weights->params[i]);
        if (!*w.name) {
            plan_refuse(p, weights->params[i].name);
        }
        put_string(p, w.name, strlen(w.name));
        plan_put_u32(p, w.rows ? 2 : 1);
        plan_put_u64(p, w.columns);
        if (w.rows) {
            plan_put_u64(p, w.rows);
        }
        plan_put_u32(p, half && w.half ? GGML_F16 : GGML_F32);
        plan_put_u64(p, at);
        at += gguf_align((w.rows ? w.rows : 1) * w.columns * (half && w.half ? 2 : 4),
                         GGUF_ALIGNMENT);
    }
}

static void put_data(write_plan *p, const model *weights, bool half) {
    for (int i = 0; i < weights->count; i++) {
        gguf_weight w = gguf_weight_of(&weights->params[i]);
        int how = (w.transposed ? PLAN_TRANSPOSED : 0) | (half && w.half ? PLAN_HALF : 0);
        gpt2_put_weight(p, &weights->params[i], how);
        put_padding(p);
    }
}

/* Number of keys that put_model writes. */
enum { MODEL_VALUES = 10 };

static void put_model(write_plan *p, bool half) {
    const config *c = &p->model->options;
    put_text(p, "general.architecture", "gpt2");
    put_text(p, "general.name", "Glasshouse");
    put_u32(p, "general.file_type", half); // llama.cpp's numbers: 0 ALL_F32, 1 MOSTLY_F16
    put_u32(p, "general.alignment", GGUF_ALIGNMENT);
    put_u32(p, "gpt2.context_length", c->value[OPT_CONTEXT]);
    put_u32(p, "gpt2.embedding_length", c->value[OPT_CHANNELS]);
    put_u32(p, "gpt2.feed_forward_length", 4 * c->value[OPT_CHANNELS]);
    put_u32(p, "gpt2.block_count", c->value[OPT_LAYERS]);
    put_u32(p, "gpt2.attention.head_count", c->value[OPT_HEADS]);
    put_key(p, "gpt2.attention.layer_norm_epsilon", GGUF_F32);
    plan_put_f32(p, (float)c->value[OPT_NORM_EPSILON]);
}

static void put_file(write_plan *p, bool half) {
    model weights = {0};
    check_recipe(p);
    if (p->status == GPT_OK) {
        p->status = gpt2_open_weights(&weights, &p->model->options, p->model->vocab, p->error);
    }
    if (p->status < 0) {
        return;
    }
    plan_put(p, "GGUF", 4);
    plan_put_u32(p, GGUF_VERSION);
    plan_put_u64(p, (uint64_t)weights.count);
    plan_put_u64(p, MODEL_VALUES + TOKENIZER_VALUES);
    put_model(p, half);
    put_tokenizer(p);
    put_table(p, &weights, half);
    put_padding(p);
    put_data(p, &weights, half);
    model_close(&weights);
}

void gguf_plan(write_plan *p) {
    put_file(p, false);
}

void gguf_half_plan(write_plan *p) {
    put_file(p, true);
}
