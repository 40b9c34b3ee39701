/* model.h - the decoder-only Transformer: its table of parameters and its one forward pass.
 *
 * The config determines both: which parameters the table has (names, shapes, initial values) and
 * which ops the pass applies. Training, validation, probe and decoding with a KV cache all call
 * model_forward.
 *
 * Names of parameters follow Hugging Face's GPT-2 ("h.0.attn.c_attn.weight"). Weights of linear
 * layers have the shape (in,out) as in GPT-2, the head (V,C).
 */
#ifndef GLASSHOUSE_MODEL_H
#define GLASSHOUSE_MODEL_H

#include "base/rng.h"
#include "model/kv_cache.h"
#include "recipe/config.h"
#include "tape/ops.h"

enum { MODEL_NAME_MAX = 32 }; /* bytes of a name, with the NUL */

typedef enum param_init {
    INIT_ZERO,
    INIT_ONE,
    INIT_NORMAL,   /* normal draws times the option init_std */
    INIT_RESIDUAL, /* an output projection into the residual stream: by the option residual_init */
} param_init;

/* One parameter of the model: a matrix or a vector of weights. */
typedef struct param {
    char name[MODEL_NAME_MAX];
    tensor value; /* (rows,columns) or (columns), in the arena of the model; grad NULL if frozen */
    real *moment1, *moment2; /* AdamW's moments, same shape; NULL if frozen */
    param_init init;
    int draws;   /* matrices side by side in the columns (q, k, v), drawn one after another */
    bool linear; /* weight (in,out) of a linear layer, whose initial draws run over (out,in) */
    bool decays; /* true for matrices: weight decay applies under DECAY_MATRICES too */
} param;

/* Rows of a matrix, 0 for a vector. */
static inline uint64_t param_rows(const param *p) {
    return p->value.dims == 2 ? (uint64_t)p->value.shape[0] : 0;
}

/* Columns of a matrix, length of a vector. */
static inline uint64_t param_columns(const param *p) {
    return (uint64_t)tensor_last(&p->value);
}

/* True for lm_head.weight and lm_head.bias. A tied head has no weight of its own. */
bool param_is_head(const param *p);

/* Parameters of one block, pointers into model.params; NULL if the config has no such parameter. */
typedef struct block_params {
    tensor *norm1_gain, *norm1_bias, *qkv_weight, *qkv_bias, *attn_weight, *attn_bias;
    tensor *norm2_gain, *norm2_bias, *fc_weight, *fc_bias, *out_weight, *out_bias;
} block_params;

typedef struct model {
    config options;
    int vocab;            /* number of tokens */
    int count;            /* parameters in the table */
    param *params;        /* owned; in the order of the initial draws */
    block_params *blocks; /* owned; (L) */
    // Pointers into params; NULL if the config has no such parameter. head_weight is token_table if
    // the head is tied.
    tensor *token_table, *position_table, *head_weight, *head_bias;
    tensor *embedding_gain, *embedding_bias, *final_gain, *final_bias;
    uint64_t weights; /* numbers in all parameters; a tied head counts once */
} model;

/* Allocates parameters, gradients and moments of a model from `memory` (which may measure), all 0,
 * and the table from the system. `memory` outlives the model. vocab is the number of tokens.
 * GPT_E_MEMORY, GPT_E_ALLOCATION. */
int model_open(model *m, const config *options, int vocab, arena *memory, gpt_error *error);

/* model_open without gradients and moments: a quarter of the memory. The model can run forward but
 * not train. */
int model_open_frozen(model *m, const config *options, int vocab, arena *memory, gpt_error *error);

/* Writes the members of a parameter's JSON object, without braces: name, shape, decay. */
void model_put_parameter(text_buffer *out, const param *p);

/* Frees the table; the arena owns the numbers. A zeroed model may be closed. */
void model_close(model *m);

/* Sets initial weights and clears gradients and moments of a model that is not frozen. Draws from
 * `r` in the order token table, position table, head (unless tied), then per layer query, key,
 * value, attention output, MLP input, MLP output. Each is drawn row by row; linear weights (in,out)
 * are drawn row by row of (out,in). */
void model_init(model *m, rng *r);

/* Upper bound of the nodes that one forward pass and its loss append to a tape. */
int model_node_count(const config *options);

/* Returns the logits (B,T,V) of ids (B,T), 0 <= id < V, on the tape `t`; NULL if memory ran out.
 * ids are borrowed until the tape is rewound, and may be NULL if its arena measures. `cache` NULL:
 * sequences begin at position 0 and T is at most the context. With a cache: B is 1, t->grad_mode is
 * false, the first token has position cache->length, cache->length + T is at most the context, and
 * cache->length grows by T (also if memory ran out). */
tensor *model_forward(model *m, tape *t, const int32_t *ids, int B, int T, kv_cache *cache);

#endif
