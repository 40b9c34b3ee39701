/* model.h - the decoder-only Transformer: its parameters and its one forward pass.
 *
 * Owns: the table of parameters (names, shapes, initial values) that a config asks for, and
 * model_forward, which training, validation, probing and decoding with a KV cache all call. It
 * trains nothing and samples nothing.
 *
 * Names follow Hugging Face's GPT-2 ("h.0.attn.c_attn.weight"); weights of linear layers are
 * (in,out) as there, the head is (V,C). Every family is a choice of rows in this table and of ops
 * in the pass.
 */
#ifndef GLASSHOUSE_MODEL_H
#define GLASSHOUSE_MODEL_H

#include "base/rng.h"
#include "model/kv_cache.h"
#include "recipe/config.h"
#include "tape/ops.h"

enum { MODEL_NAME_MAX = 32 };

typedef enum param_init {
    INIT_ZERO,
    INIT_ONE,
    INIT_NORMAL,   /* normal draws times init_std */
    INIT_RESIDUAL, /* an output projection back into the residual stream: see residual_init */
} param_init;

/* One tensor of weights. */
typedef struct param {
    char name[MODEL_NAME_MAX];
    tensor value;            /* data and grad in the persistent arena; no grad when frozen */
    real *moment1, *moment2; /* AdamW's running means; NULL when frozen */
    param_init init;
    int draws; /* matrices side by side in the last dimension, drawn one after the other (q, k, v) */
    bool linear; /* (in,out): drawn as (out,in) */
    bool decays; /* weight decay applies even when it is for matrices only */
} param;

/* Rows of a matrix, 0 for a vector; numbers in a row, or in the vector. */
static inline uint64_t param_rows(const param *p) {
    return p->value.dims == 2 ? (uint64_t)p->value.shape[0] : 0;
}

static inline uint64_t param_columns(const param *p) {
    return (uint64_t)tensor_last(&p->value);
}

/* True for the weight and the bias of the language model head. */
bool param_is_head(const param *p);

typedef struct block_params {
    tensor *norm1_gain, *norm1_bias, *qkv_weight, *qkv_bias, *attn_weight, *attn_bias;
    tensor *norm2_gain, *norm2_bias, *fc_weight, *fc_bias, *out_weight, *out_bias;
} block_params;

typedef struct model {
    config options;
    int vocab;
    int count;            /* tensors of parameters */
    param *params;        /* owns; in the order of initial draws */
    block_params *blocks; /* owns; (L) */
    tensor *token_table, *position_table, *head_weight, *head_bias;
    tensor *embedding_gain, *embedding_bias, *final_gain, *final_bias;
    uint64_t weights; /* numbers in all parameters together */
} model;

/* Lays a model out in `memory` (which may measure): parameters, gradients, moments; the table
 * itself comes from the system. GPT_E_MEMORY, GPT_E_ALLOCATION. */
int model_open(model *m, const config *options, int vocab, arena *memory, gpt_error *error);

/* The same without gradients and moments, a quarter of the memory: for generating only. */
int model_open_frozen(model *m, const config *options, int vocab, arena *memory, gpt_error *error);

/* Writes the fields of a parameter's JSON object, without the braces: name, shape, decay. */
void model_put_parameter(text_buffer *out, const param *p);

/* Gives the table back; the numbers go with their arena. A zeroed model may be closed. */
void model_close(model *m);

/* Initial weights from the stream, in the order token, position, head, then per layer query, key,
 * value, output, fc1, fc2, each drawn as (out,in) row-major; moments cleared. */
void model_init(model *m, rng *r);

/* Nodes that one forward pass and its loss put on a tape. */
int model_node_count(const config *options);

/* logits (B,T,V) of ids (B,T). With a cache, B is 1, the tokens follow the cache's, and it grows
 * by T; T is at most the context minus its length. NULL when memory ran out. */
tensor *model_forward(model *m, tape *t, const int32_t *ids, int B, int T, kv_cache *cache);

#endif
