/* heap.h - a binary min-heap of 64-bit numbers in the caller's array.
 *
 * Owns: the order, nothing else. What comes first is packed into the high bits (a rank, a count
 * turned round), what breaks ties below it, so that equal input always leaves in the same order.
 */
#ifndef GLASSHOUSE_HEAP_H
#define GLASSHOUSE_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Puts `value` where `root` is and moves it down until no child is smaller. */
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

/* Makes a heap of `count` numbers in any order; linear time. */
static inline void heap_build(uint64_t *heap, size_t count) {
    for (size_t i = count / 2; i-- > 0;) {
        heap_sift_down(heap, i, count, heap[i]);
    }
}

/* Adds a number; the array must have room for it. */
static inline void heap_push(uint64_t *heap, size_t *count, uint64_t value) {
    size_t at = (*count)++;
    while (at && heap[(at - 1) / 2] > value) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = value;
}

/* Takes the smallest number out; `*count` >= 1. */
static inline uint64_t heap_pop(uint64_t *heap, size_t *count) {
    uint64_t first = heap[0];
    uint64_t last = heap[--*count];
    if (*count) {
        heap_sift_down(heap, 0, *count, last);
    }
    return first;
}

#endif
