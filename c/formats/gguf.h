/* gguf.h - what a GGUF file of llama.cpp's gpt2 architecture consists of, for its writer and its
 * reader.
 *
 * Owns: the numbers of the types, and the names of tensors. Facts from ggml's gguf.md and
 * llama.cpp's models/gpt2.cpp: a header of keys and values, a table of tensors, then their data.
 * Everything is little-endian. Dimensions are listed from the fastest one on, so a matrix of `rows` and `columns`
 * has the dimensions [columns, rows].
 */
#ifndef GLASSHOUSE_GGUF_H
#define GLASSHOUSE_GGUF_H

#include <stdint.h>

#include "model/model.h"

enum { GGUF_VERSION = 3, GGUF_ALIGNMENT = 32 };

/* Types of values. */
enum gguf_value {
    GGUF_U8,
    GGUF_I8,
    GGUF_U16,
    GGUF_I16,
    GGUF_U32,
    GGUF_I32,
    GGUF_F32,
    GGUF_BOOL,
    GGUF_STRING,
    GGUF_ARRAY,
    GGUF_U64,
    GGUF_I64,
    GGUF_F64
};

/* Types of tensors. */
enum { GGML_F32 = 0, GGML_F16 = 1, GGML_Q8_0 = 8, GGML_BF16 = 30 };

/* Types of tokens. */
enum {
    GGUF_TOKEN_NORMAL = 1,
    GGUF_TOKEN_UNKNOWN,
    GGUF_TOKEN_CONTROL,
    GGUF_TOKEN_USER_DEFINED,
    GGUF_TOKEN_UNUSED,
    GGUF_TOKEN_BYTE
};

/* A parameter of GPT-2 in a GGUF file. */
enum { GGUF_NAME_MAX = 64 };
typedef struct gguf_weight {
    char name[GGUF_NAME_MAX]; /* "" if the architecture has no such tensor */
    uint64_t rows, columns;   /* 0 rows: a vector */
    bool swapped;             /* rows and columns are those of the parameter, exchanged */
    bool half;                /* F16 in a file of 16-bit weights */
} gguf_weight;

gguf_weight gguf_weight_of(const param *p);

/* The next multiple of `alignment`, a power of two. */
static inline uint64_t gguf_align(uint64_t at, uint64_t alignment) {
    return (at + alignment - 1) & ~(alignment - 1);
}

#endif
