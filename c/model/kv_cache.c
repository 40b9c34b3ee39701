/* kv_cache.c - see kv_cache.h. */
#include "model/kv_cache.h"

/* Number of reals in the keys of one layer: T C (context times channels). */
static uint64_t layer_size(const config *c) {
    return (uint64_t)config_int(c, OPT_CONTEXT) * (uint64_t)config_int(c, OPT_CHANNELS);
}

int kv_cache_open(kv_cache *cache, const config *c, arena *memory, gpt_error *error) {
    uint64_t size = (uint64_t)config_int(c, OPT_LAYERS) * layer_size(c);
    cache->key = arena_alloc_zeroed(memory, size, sizeof(real));
    cache->value = arena_alloc_zeroed(memory, size, sizeof(real));
    cache->length = 0;
    return cache->key && cache->value ? GPT_OK : arena_fail(memory, error);
}

attention_cache kv_cache_layer(const kv_cache *cache, const config *c, int layer) {
    size_t at = (size_t)layer * (size_t)layer_size(c);
    return (attention_cache){cache->key + at, cache->value + at, config_int(c, OPT_CONTEXT)};
}
