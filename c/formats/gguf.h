/* gguf.h - GGUF files of llama.cpp's gpt2 architecture: constants, and the name and shape of each
 * weight, for the writer and the reader.
 *
 * A file is a header of keys and values, a table of tensors, then their data. All numbers are
 * little-endian. Dimensions are listed fastest first: a matrix of `rows` and `columns` has the
 * dimensions [columns, rows]. Sources: ggml's gguf.md, llama.cpp's models/gpt2.cpp.
 */
#ifndef GLASSHOUSE_GGUF_H
#define GLASSHOUSE_GGUF_H

#include <stdint.h>

#include "model/model.h"

enum { GGUF_VERSION = 3, GGUF_ALIGNMENT = 32 };

/* Types of the values in the header, with the numbers that the file uses. */
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

/* Types of tensors that are supported, with their numbers in enum ggml_type. */
enum { GGML_F32 = 0, GGML_F16 = 1, GGML_Q8_0 = 8, GGML_BF16 = 30 };

/* Types of tokens, with their numbers in the array tokenizer.ggml.token_type. */
enum {
    GGUF_TOKEN_NORMAL = 1,
    GGUF_TOKEN_UNKNOWN,
    GGUF_TOKEN_CONTROL,
    GGUF_TOKEN_USER_DEFINED,
    GGUF_TOKEN_UNUSED,
    GGUF_TOKEN_BYTE
};

/* The name, shape and type that a parameter of GPT-2 has in a GGUF file. */
enum { GGUF_NAME_MAX = 64 };
typedef struct gguf_weight {
    char name[GGUF_NAME_MAX]; /* "" if llama.cpp's gpt2 has no such tensor */
    uint64_t rows, columns;   /* shape in the GGUF file; rows 0: a vector */
    bool transposed;          /* the GGUF file has the parameter transposed */
    bool half;                /* F16 in the export format gguf-f16; false: always F32 */
} gguf_weight;

/* Returns the name, shape and type of a parameter in a GGUF file. */
gguf_weight gguf_weight_of(const param *p);

/* Rounds `at` up to a multiple of `alignment`, a power of two. */
static inline uint64_t gguf_align(uint64_t at, uint64_t alignment) {
    return (at + alignment - 1) & ~(alignment - 1);
}

#endif
