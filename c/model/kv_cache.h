/* kv_cache.h - keys and values of the tokens so far, so that decoding a token computes that token
 * alone.
 *
 * Owns: the layout of the cache and how many positions are filled. Attention writes into it
 * (tape/ops_attention.c), model_forward moves its length on. Invariant: what it holds was computed
 * with the weights of one moment; after a training step it is read anew.
 *
 * Source: Shazeer 2019, "Fast Transformer Decoding: One Write-Head is All You Need", section 2.
 */
#ifndef GLASSHOUSE_KV_CACHE_H
#define GLASSHOUSE_KV_CACHE_H

#include "recipe/config.h"
#include "tape/ops.h"

/* A prompt is read into a cache in parts of this many tokens: the step's memory then grows with the
 * context, not with its square. */
enum { PREFILL = 64 };

/* One sequence, for every layer: L layers, T positions (the context), C channels. */
typedef struct kv_cache {
    real *key, *value; /* (L,T,C) each, in an arena */
    int length;        /* positions filled, 0 to T */
} kv_cache;

/* Takes room for a sequence of the recipe `c` from `memory` (which may measure): 2 L T C reals,
 * none filled. GPT_E_MEMORY. */
int kv_cache_open(kv_cache *cache, const config *c, arena *memory, gpt_error *error);

/* The part of one layer, 0 <= layer < L: key and value (T,C). */
attention_cache kv_cache_layer(const kv_cache *cache, const config *c, int layer);

#endif
