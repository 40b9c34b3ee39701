/* heap.h - a binary min-heap of 64-bit keys, and a heapsort of 32-bit items, in the caller's array.
 *
 * The caller packs a priority into the high bits of a key (a rank, or UINT32_MAX minus a count) and
 * a tie-breaker into the low bits, so that the order of removal depends on the keys alone.
 * Invariant: no key is smaller than the key of its parent.
 */
#ifndef GLASSHOUSE_HEAP_H
#define GLASSHOUSE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Overwrites the key at `root` with `value` and sifts `value` down until no child is smaller. */
static inline void heap_sift_down(uint64_t *heap, size_t root, size_t count, uint64_t value) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && heap[child + 1] < heap[child];
        if (value <= heap[child]) {
            break;
        }
        heap[root] = heap[child];
    }
    heap[root] = value;
}

/* Rearranges `count` keys of any order into a heap, in linear time. */
static inline void heap_build(uint64_t *heap, size_t count) {
    for (size_t i = count / 2; i-- > 0;) {
        heap_sift_down(heap, i, count, heap[i]);
    }
}

/* Adds a key and increments *count. The array must have space for *count + 1 keys. */
static inline void heap_push(uint64_t *heap, size_t *count, uint64_t value) {
    size_t at = (*count)++;
    while (at && heap[(at - 1) / 2] > value) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = value;
}

/* Removes and returns the smallest key, and decrements *count, which must be at least 1. */
static inline uint64_t heap_pop(uint64_t *heap, size_t *count) {
    uint64_t first = heap[0];
    uint64_t last = heap[--*count];
    if (*count) {
        heap_sift_down(heap, 0, *count, last);
    }
    return first;
}

/* True if item `a` comes before item `b` in a strict order that `context` defines. heap_sift and
 * heap_sort_first are always inlined, so that they call this function directly: an indirect call
 * for each comparison made sampling with top_p 1.4 times as slow. */
typedef bool heap_before(const void *context, uint32_t a, uint32_t b);

static inline __attribute__((always_inline)) void heap_swap(uint32_t *items, size_t a, size_t b) {
    uint32_t held = items[a];
    items[a] = items[b];
    items[b] = held;
}

static inline __attribute__((always_inline)) void heap_sift(uint32_t *items, size_t root,
                                                            size_t count, heap_before *before,
                                                            const void *context) {
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && before(context, items[child + 1], items[child]);
        if (!before(context, items[child], items[root])) {
            return;
        }
        heap_swap(items, root, child);
    }
}

/* Moves the first `most` of `count` items, in the order of `before`, sorted to the front of the
 * array; the other items follow in any order. Heapsort: no recursion, no extra memory, n log n
 * steps for every input, and the same order on every platform. */
static inline __attribute__((always_inline)) void heap_sort_first(uint32_t *items, size_t count,
                                                                  size_t most, heap_before *before,
                                                                  const void *context) {
    for (size_t i = count / 2; i-- > 0;) {
        heap_sift(items, i, count, before, context);
    }
    for (size_t end = count; end-- > count - most;) {
        heap_swap(items, 0, end);
        heap_sift(items, 0, end, before, context);
    }
    for (size_t i = 0; i < count / 2; i++) { // reverses the array, which has its first item last
        heap_swap(items, i, count - 1 - i);
    }
}

#endif
