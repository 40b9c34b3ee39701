/* model.h - the decoder-only Transformer: its table of parameters and its forward pass.
 *
 * The config determines which parameters the table has (names, shapes, initial values) and which
 * ops the forward pass applies. Training, validation, the probe and decoding with a KV cache all
 * call model_forward.
 *
 * Names of parameters follow Hugging Face's GPT-2 ("h.0.attn.c_attn.weight"). Weights of linear
 * layers have the shape (in,out) as in GPT-2; the output head, which computes the logits, has
 * (V,C).
 */
#ifndef GLASSHOUSE_MODEL_H
#define GLASSHOUSE_MODEL_H

#include "base/rng.h"
#include "model/kv_cache.h"
#include "recipe/config.h"
#include "tape/ops.h"

enum { MODEL_NAME_MAX = 32 }; /* bytes of a parameter's name, with the NUL */

typedef enum param_init {
    INIT_ZERO,
    INIT_ONE,
    INIT_NORMAL,   /* normal draws times the option init_std */
    INIT_RESIDUAL, /* output projections: normal draws scaled by the option residual_init */
} param_init;

/* One parameter of the model: a matrix or a vector of weights. */
typedef struct param {
    char name[MODEL_NAME_MAX];
    tensor value; /* (rows,columns) or (columns), in the arena of the model; grad NULL if frozen */
    real *moment1, *moment2; /* AdamW's moments, same shape as value; NULL if frozen */
    param_init init;
    int draws;   /* number of matrices side by side (3: query, key, value), drawn one by one */
    bool linear; /* weight (in,out) of a linear layer, drawn in the row order of (out,in) */
    bool decays; /* true for matrices; vectors decay only if the option decay is DECAY_ALL */
} param;

/* Number of rows of a matrix, 0 for a vector. */
static inline uint64_t param_rows(const param *p) {
    return p->value.dims == 2 ? (uint64_t)p->value.shape[0] : 0;
}

/* Number of columns of a matrix, length of a vector. */
static inline uint64_t param_columns(const param *p) {
    return (uint64_t)tensor_last(&p->value);
}

/* True for lm_head.weight and lm_head.bias, the output head. A tied head has no lm_head.weight. */
bool param_is_head(const param *p);

/* Parameters of one block, pointers into model.params; NULL if the config has no such parameter. */
typedef struct block_params {
    tensor *norm1_gain, *norm1_bias, *qkv_weight, *qkv_bias, *attn_weight, *attn_bias;
    tensor *norm2_gain, *norm2_bias, *fc_weight, *fc_bias, *out_weight, *out_bias;
} block_params;

typedef struct model {
    config options;
    int vocab;            /* number of tokens */
    int count;            /* number of parameters in the table */
    param *params;        /* owned; in the order of the initial draws */
    block_params *blocks; /* owned; (L) */
    // Pointers into params; NULL if the config has no such parameter. head_weight is token_table if
    // the head is tied.
    tensor *token_table, *position_table, *head_weight, *head_bias;
    tensor *embedding_gain, *embedding_bias, *final_gain, *final_bias;
    uint64_t weights; /* numbers in all parameters; a tied head counts once */
} model;

/* Opens a model of `vocab` tokens. Allocates parameters, gradients and AdamW's moments from
 * `memory`, all 0, and the table of parameters with calloc. `memory` must outlive the model; if it
 * is an arena that only counts bytes, the parameters have shapes but no data. Errors: GPT_E_MEMORY,
 * GPT_E_ALLOCATION. */
int model_open(model *m, const config *options, int vocab, arena *memory, gpt_error *error);

/* Like model_open, but without gradients and moments: needs a quarter of the memory. The model can
 * run forward but not train. */
int model_open_frozen(model *m, const config *options, int vocab, arena *memory, gpt_error *error);

/* Writes the members of a parameter's JSON object, without braces: name, shape, decay. */
void model_put_parameter(text_buffer *out, const param *p);

/* Frees the table of parameters. The arena passed to model_open keeps their data. A zeroed model
 * may be closed. */
void model_close(model *m);

/* Sets the initial weights of a model that is not frozen, and sets its gradients and moments to 0.
 * Draws from `r` in the order token table, position table, head (unless tied), then per layer
 * query, key, value, attention output, MLP input, MLP output. Each matrix is drawn row by row, a
 * linear weight (in,out) in the row order of (out,in). */
void model_init(model *m, rng *r);

/* Upper bound of the number of nodes that one forward pass and its loss append to a tape. */
int model_node_count(const config *options);

/* Returns the logits (B,T,V) of `ids` (B,T), 0 <= id < V, computed on the tape `t`; NULL if memory
 * ran out. `ids` is borrowed until the tape is rewound; it may be NULL if the tape's arena only
 * counts bytes. `cache` NULL: sequences begin at position 0 and T is at most the context. With a
 * cache: B is 1, t->grad_mode is false, the first token has position cache->length, cache->length +
 * T is at most the context, and cache->length grows by T (also if memory ran out). */
tensor *model_forward(model *m, tape *t, const int32_t *ids, int B, int T, kv_cache *cache);

#endif
