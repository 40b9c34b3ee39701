/* arena.c - see arena.h. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

int arena_open(arena *a, uint64_t capacity, gpt_error *error) {
    memset(a, 0, sizeof *a);
    uint64_t bytes = capacity + ARENA_ALIGN;
    if (bytes > SIZE_MAX || bytes < capacity) {
        return gpt_fail_allocation(error, capacity);
    }
    a->block = malloc((size_t)bytes);
    if (!a->block) {
        return gpt_fail_allocation(error, capacity);
    }
    a->first = a->block + (ARENA_ALIGN - (uintptr_t)a->block % ARENA_ALIGN) % ARENA_ALIGN;
    a->capacity = capacity;
    return GPT_OK;
}

void arena_open_measuring(arena *a) {
    memset(a, 0, sizeof *a);
    a->measuring = true;
    a->capacity = UINT64_MAX / 2;
}

void arena_close(arena *a) {
    free(a->block);
    memset(a, 0, sizeof *a);
}

void *arena_alloc(arena *a, uint64_t count, uint64_t size) {
    // Fails if count * size could overflow. `count` itself is a product of numbers too small to
    // overflow. A quarter of the 64-bit range leaves room for rounding up to ARENA_ALIGN.
    if (size && count > (UINT64_MAX / 4) / size) {
        return NULL;
    }
    uint64_t bytes = (count * size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (bytes > a->capacity - a->used) {
        return NULL;
    }
    void *taken = a->measuring ? (void *)a : (void *)(a->first + a->used);
    a->used += bytes;
    if (a->used > a->peak) {
        a->peak = a->used;
    }
    return taken;
}

void *arena_alloc_zeroed(arena *a, uint64_t count, uint64_t size) {
    void *taken = arena_alloc(a, count, size);
    if (taken && !a->measuring) {
        memset(taken, 0, (size_t)(count * size));
    }
    return taken;
}

int arena_fail(const arena *a, gpt_error *error) {
    return gpt_fail(error, GPT_E_MEMORY, "", (double)a->peak, (double)a->capacity, 0);
}

void arena_rewind(arena *a, uint64_t mark) {
    a->used = mark;
}
