/* arena.h - a bump allocator over one block of memory.
 *
 * An arena allocates one block with malloc, returns slices of it in order, and frees them all at
 * once. A measuring arena has no block and only counts bytes. The code that lays out a model runs
 * over a measuring arena first and so computes how much memory the model needs. arena_alloc checks
 * every size for overflow. Invariant: every offset is a multiple of ARENA_ALIGN and is counted in
 * 64 bits on every platform.
 */
#ifndef GLASSHOUSE_ARENA_H
#define GLASSHOUSE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/error.h"

enum { ARENA_ALIGN = 64 }; /* bytes: a cache line, and enough for any vector load */

typedef struct arena {
    unsigned char *block; /* owned; NULL in a measuring arena and before arena_open */
    unsigned char *first; /* first byte in `block` whose address is a multiple of ARENA_ALIGN */
    uint64_t capacity;    /* bytes available, counted from `first` */
    uint64_t used;        /* bytes allocated now, padding included */
    uint64_t peak;        /* the highest `used` since arena_open */
    bool measuring;
} arena;

/* Allocates a block of `capacity` bytes, which arena_close frees. Errors: GPT_E_ALLOCATION if the
 * system refuses the memory; `a` is then zeroed. */
int arena_open(arena *a, uint64_t capacity, gpt_error *error);

/* Opens a measuring arena, which only counts bytes and needs no arena_close. */
void arena_open_measuring(arena *a);

/* Frees the block, and with it every allocation, and zeroes `a`. A zeroed arena may be closed. */
void arena_close(arena *a);

/* Allocates `count` items of `size` bytes each, aligned to ARENA_ALIGN and not cleared. NULL if the
 * items do not fit or if count * size overflows. In a measuring arena, which only counts bytes,
 * returns a pointer that is not NULL and must not be dereferenced. */
void *arena_alloc(arena *a, uint64_t count, uint64_t size);

/* Like arena_alloc, but sets the memory to zero. In a measuring arena there is no memory to set. */
void *arena_alloc_zeroed(arena *a, uint64_t count, uint64_t size);

/* Records GPT_E_MEMORY in `error` after an allocation in `a` returned NULL, with two numbers in
 * bytes: the arena's peak (without the failed allocation) and its capacity. Returns
 * GPT_E_MEMORY. */
int arena_fail(const arena *a, gpt_error *error);

/* Frees every allocation made since a->used had the value `mark`. a->peak is not changed. */
void arena_rewind(arena *a, uint64_t mark);

#endif
