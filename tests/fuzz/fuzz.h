/* fuzz.h - shared by all fuzz targets: an assertion, and reading the input as choices and parts.
 *
 * Each fuzz_*.c is one target: a function that must return for any bytes. The Makefile links it
 * twice: with libFuzzer, which searches for inputs that fail (`make fuzz`), and with replay.c,
 * which runs the corpus as a test. Invariant: an input is read from front to end; after its end
 * every choice is 0 and every part is empty, so that the shortest inputs are valid.
 */
#ifndef GLASSHOUSE_FUZZ_H
#define GLASSHOUSE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The target. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Asserts a property of every input. On failure prints the condition and aborts; libFuzzer then
 * saves the input. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* An input and the position of the next byte to read. Borrows. */
typedef struct fuzz_input {
    const uint8_t *data;
    size_t size, at;
} fuzz_input;

static inline fuzz_input fuzz_open(const uint8_t *data, size_t size) {
    return (fuzz_input){data, size, 0};
}

/* Reads one byte as a choice from 0 to choices - 1; `choices` is 1 to 256. */
static inline int fuzz_choice(fuzz_input *in, int choices) {
    return in->at < in->size ? in->data[in->at++] % choices : 0;
}

/* A copy of a part of the input in an allocation of exactly its size, so that the sanitizer detects
 * a read beyond it. The caller frees part.text. A terminated part has a NUL after `bytes`. */
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

/* Reads the remaining bytes. */
static inline fuzz_part fuzz_rest(fuzz_input *in) {
    size_t from = in->at;
    in->at = in->size;
    return fuzz_copy(in->data + from, in->size - from, false);
}

/* Reads the bytes up to the next 0xFF, which UTF-8 never contains, or to the end. Skips the
 * 0xFF. */
static inline fuzz_part fuzz_until_mark(fuzz_input *in, bool terminated) {
    size_t from = in->at;
    while (in->at < in->size && in->data[in->at] != 0xFF) {
        in->at++;
    }
    size_t bytes = in->at - from;
    in->at += in->at < in->size;
    return fuzz_copy(in->data + from, bytes, terminated);
}

/* Piece sizes for a file, determined by a seed: from single bytes to the whole file. */
typedef struct fuzz_pieces {
    uint32_t state;
    int largest;
} fuzz_pieces;

static inline fuzz_pieces fuzz_pieces_from(int seed) {
    static const int largest[] = {1 << 20, 1, 3, 7, 64, 1000, 4096, 2};
    return (fuzz_pieces){(uint32_t)seed * 2654435761u + 1, largest[seed % 8]};
}

/* Returns the size of the next piece: 1 to `largest` bytes, at most `left`; all of `left` if
 * `largest` is 1 << 20. */
static inline size_t fuzz_piece(fuzz_pieces *p, size_t left) {
    p->state = p->state * 1664525u + 1013904223u;
    size_t bytes = 1 + (p->state >> 8) % (uint32_t)p->largest;
    return bytes < left && p->largest != 1 << 20 ? bytes : left;
}

#endif
