/* gguf.h - what a GGUF file of llama.cpp's gpt2 architecture consists of, for its writer and its
 * reader.
 *
 * Owns: the numbers of the types, and the list of tensors with the names of both sides, which a
 * folder for transformers has too. Facts from
 * ggml's gguf.md and llama.cpp's models/gpt2.cpp: a header of keys and values, a table of tensors,
 * then their data. Everything is little-endian. Dimensions are listed from the fastest one on, so a
 * matrix of `rows` and `columns` has the dimensions [columns, rows].
 */
#ifndef GLASSHOUSE_GGUF_H
#define GLASSHOUSE_GGUF_H

#include "doors/door_plan.h"

enum { GGUF_VERSION = 3, GGUF_ALIGNMENT = 32, GGUF_NAME_MAX = 64 };

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

typedef struct gguf_sizes {
    uint64_t layers, channels, context, vocab;
    bool tied; /* the head is the token table; then the file has no output.weight */
} gguf_sizes;

/* How a recipe without a weight expresses it. */
typedef enum gguf_part { GGUF_MATRIX, GGUF_GAIN, GGUF_NORM_BIAS, GGUF_LINEAR_BIAS } gguf_part;

typedef struct gguf_weight {
    char name[GGUF_NAME_MAX], ours[FILE_NAME_MAX];
    gguf_part part;
    uint64_t rows, columns; /* in the GGUF file; rows 0: a vector */
    bool swapped;           /* ours has rows and columns the other way round */
    bool half;              /* F16 in a file of 16-bit weights */
} gguf_weight;

/* How many tensors a model has. */
size_t gguf_weight_count(const gguf_sizes *sizes);

/* The tensor number `index`, in the order of our own file. */
gguf_weight gguf_weight_at(const gguf_sizes *sizes, size_t index);

/* Of a model of ours. */
gguf_sizes gguf_sizes_of(const door_model *m);

/* Puts our weight, as `how` says; in the place of one that the recipe is without, ones or zeros. */
void gguf_put_weight(door_plan *p, const gguf_weight *w, int how);

/* The next multiple of `alignment`, a power of two. */
uint64_t gguf_align(uint64_t at, uint64_t alignment);

#endif
