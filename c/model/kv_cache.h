/* kv_cache.h - keys and values of all tokens so far, so that decoding computes only the new token.
 *
 * Attention writes to the cache (tape/ops_attention.c), model_forward increases its length.
 * Invariant: all entries were computed with the same weights; after a training step sampler_reread
 * (infer/sampler.h) computes them again.
 *
 * Source: Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 2.
 */
#ifndef GLASSHOUSE_KV_CACHE_H
#define GLASSHOUSE_KV_CACHE_H

#include "recipe/config.h"
#include "tape/ops.h"

/* Maximal number of prompt tokens in one forward pass. Because of this limit the memory for
 * attention probabilities grows with the context, not with its square. */
enum { PREFILL = 64 };

/* The cache of one sequence: L layers, T positions (the context), C channels. */
typedef struct kv_cache {
    real *key, *value; /* (L,T,C) each, owned by the arena */
    int length;        /* number of positions filled, 0 to T */
} kv_cache;

/* Allocates an empty cache, 2 L T C reals (L layers, T context, C channels), for a model of the
 * recipe `c`. `memory` may be an arena that only counts bytes. Errors: GPT_E_MEMORY. */
int kv_cache_open(kv_cache *cache, const config *c, arena *memory, gpt_error *error);

/* Returns pointers to the keys and values (T,C) of one layer, 0 <= layer < L, in the arrays of
 * `cache`. */
attention_cache kv_cache_layer(const kv_cache *cache, const config *c, int layer);

#endif
