/* fuzz.h - what the fuzz targets share: a claim, and an input taken apart.
 *
 * Owns: REQUIRE, and reading choices and parts off the bytes that a fuzzer made up. Each fuzz_*.c
 * is one target: a function from bytes to nothing, which must come back from any bytes at all. It
 * is linked twice: with libFuzzer, which searches (`make fuzz`), and with replay.c, which runs the
 * corpus as a test. Invariant: an input is read from its front; once it is used up, every choice is
 * 0 and every part empty, so that the shortest inputs are valid.
 */
#ifndef GLASSHOUSE_FUZZ_H
#define GLASSHOUSE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The target itself; 0 always. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the input is; otherwise the run ends, and the fuzzer keeps the input. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

typedef struct fuzz_input {
    const uint8_t *data;
    size_t size, at;
} fuzz_input;

static inline fuzz_input fuzz_open(const uint8_t *data, size_t size) {
    return (fuzz_input){data, size, 0};
}

/* One byte as a choice below `choices` (1 to 256). */
static inline int fuzz_choice(fuzz_input *in, int choices) {
    return in->at < in->size ? in->data[in->at++] % choices : 0;
}

/* A part of the input in memory of exactly its size (and a NUL that is not counted), so that the
 * sanitizer sees every byte read beyond it. Owned by the caller: free(part.text). */
typedef struct fuzz_part {
    char *text;
    size_t bytes;
} fuzz_part;

static inline fuzz_part fuzz_copy(const void *from, size_t bytes, bool terminated) {
    fuzz_part part = {malloc(bytes + terminated), bytes};
    REQUIRE(part.text != NULL || bytes + terminated == 0);
    if (bytes) {
        memcpy(part.text, from, bytes);
    }
    if (terminated) {
        part.text[bytes] = 0;
    }
    return part;
}

/* Everything that is left. */
static inline fuzz_part fuzz_rest(fuzz_input *in) {
    size_t from = in->at;
    in->at = in->size;
    return fuzz_copy(in->data + from, in->size - from, false);
}

/* Everything up to the next byte 0xFF, which no UTF-8 contains, or to the end. */
static inline fuzz_part fuzz_until_mark(fuzz_input *in, bool terminated) {
    size_t from = in->at;
    while (in->at < in->size && in->data[in->at] != 0xFF) {
        in->at++;
    }
    size_t bytes = in->at - from;
    in->at += in->at < in->size;
    return fuzz_copy(in->data + from, bytes, terminated);
}

/* Sizes of pieces to feed a file in: from single bytes to everything at once, the same for the same
 * seed. */
typedef struct fuzz_pieces {
    uint32_t state;
    int largest;
} fuzz_pieces;

static inline fuzz_pieces fuzz_pieces_from(int seed) {
    static const int largest[] = {1 << 20, 1, 3, 7, 64, 1000, 4096, 2};
    return (fuzz_pieces){(uint32_t)seed * 2654435761u + 1, largest[seed % 8]};
}

static inline size_t fuzz_piece(fuzz_pieces *p, size_t left) {
    p->state = p->state * 1664525u + 1013904223u;
    size_t bytes = 1 + (p->state >> 8) % (uint32_t)p->largest;
    return bytes < left && p->largest != 1 << 20 ? bytes : left;
}

#endif
