/* arena.h - bump allocation out of one block that is taken once.
 *
 * Owns: the block, the running offset, the high-water mark, and the engine's one overflow check. An
 * arena can also *measure*: it then hands out a marker instead of memory and only counts, so that
 * the code which lays out a model is the same code that says beforehand what it will need.
 * Invariant: offsets are multiples of ARENA_ALIGN and counted in 64 bits on every platform.
 */
#ifndef GLASSHOUSE_ARENA_H
#define GLASSHOUSE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/status.h"

enum { ARENA_ALIGN = 64 }; /* a cache line, and enough for any vector load */

typedef struct arena {
    unsigned char *block; /* owns; NULL while measuring or before arena_open */
    unsigned char *first; /* the first aligned byte of block */
    uint64_t capacity;    /* bytes that may be handed out */
    uint64_t used;
    uint64_t peak; /* the highest `used` since it was opened */
    bool measuring;
} arena;

/* Takes `capacity` bytes from the system. GPT_E_ALLOCATION. */
int arena_open(arena *a, uint64_t capacity, gpt_error *error);

/* Makes an arena that only counts. It needs no arena_close. */
void arena_open_measuring(arena *a);

/* Gives the block back; everything handed out ends here. A zeroed arena may be closed. */
void arena_close(arena *a);

/* Room for `count` items of `size` bytes, not cleared; NULL when it does not fit (or the product
 * overflows). While measuring the pointer is only a non-NULL marker: never dereference it. */
void *arena_take(arena *a, uint64_t count, uint64_t size);

/* The same, cleared (nothing is cleared while measuring). */
void *arena_take_zeroed(arena *a, uint64_t count, uint64_t size);

/* What a function answers when the arena `a` did not hold all that it took: GPT_E_MEMORY, with the
 * arena's peak and capacity in bytes. */
int arena_fail(const arena *a, gpt_error *error);

/* Back to an earlier `used`: everything taken since ends. */
void arena_rewind(arena *a, uint64_t mark);

#endif
