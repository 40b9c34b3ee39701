/* arena.h - a bump allocator over one block of memory.
 *
 * An arena allocates one block with malloc, returns slices of it in order, and frees them all at
 * once. A measuring arena has no block: it returns a marker instead of memory and only counts
 * bytes. The code that lays out a model runs over a measuring arena first and so computes how much
 * memory the model needs. arena_take contains the engine's overflow check of sizes.
 * Invariant: every offset is a multiple of ARENA_ALIGN and is counted in 64 bits on every platform.
 */
#ifndef GLASSHOUSE_ARENA_H
#define GLASSHOUSE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/error.h"

enum { ARENA_ALIGN = 64 }; /* a cache line, and enough for any vector load */

typedef struct arena {
    unsigned char *block; /* owned; NULL while measuring and before arena_open */
    unsigned char *first; /* the first byte of block aligned to ARENA_ALIGN */
    uint64_t capacity;    /* bytes available, counted from `first` */
    uint64_t used;        /* bytes allocated now, padding included */
    uint64_t peak;        /* the highest `used` since arena_open */
    bool measuring;
} arena;

/* Allocates a block of `capacity` bytes, freed by arena_close. GPT_E_ALLOCATION: `a` is zeroed. */
int arena_open(arena *a, uint64_t capacity, gpt_error *error);

/* Opens a measuring arena, which needs no arena_close. */
void arena_open_measuring(arena *a);

/* Frees the block, and with it every allocation, and zeroes `a`. A zeroed arena may be closed. */
void arena_close(arena *a);

/* Allocates `count` items of `size` bytes, aligned to ARENA_ALIGN and not cleared. NULL if the
 * items do not fit or if count * size overflows. A measuring arena returns a marker that is not
 * NULL and must not be dereferenced. */
void *arena_take(arena *a, uint64_t count, uint64_t size);

/* Like arena_take, but sets the memory to zero. A measuring arena writes nothing. */
void *arena_take_zeroed(arena *a, uint64_t count, uint64_t size);

/* Fails with GPT_E_MEMORY, after an allocation in `a` returned NULL. The numbers of the failure are
 * the arena's peak (without that allocation) and its capacity, in bytes. Returns the status. */
int arena_fail(const arena *a, gpt_error *error);

/* Frees every allocation made since `used` was `mark`; `peak` keeps its value. */
void arena_rewind(arena *a, uint64_t mark);

#endif
