/* gpt2_weights.h - the weights of a GPT-2 in the order of our own file, with their names and shapes
 * on both sides, for files in which other programs read one.
 *
 * Owns: the list, and how a recipe that is without a weight says it: a gain of ones, a bias of
 * zeros.
 */
#ifndef GLASSHOUSE_GPT2_WEIGHTS_H
#define GLASSHOUSE_GPT2_WEIGHTS_H

#include "formats/write_plan.h"

enum { GPT2_WEIGHT_NAME_MAX = 64 };

typedef struct gpt2_sizes {
    uint64_t layers, channels, context, vocab;
    bool tied; /* the head is the token table; then the file has no output.weight */
} gpt2_sizes;

/* How a recipe without a weight expresses it. */
typedef enum gpt2_part { GPT2_MATRIX, GPT2_GAIN, GPT2_NORM_BIAS, GPT2_LINEAR_BIAS } gpt2_part;

typedef struct gpt2_weight {
    char name[GPT2_WEIGHT_NAME_MAX]; /* in a GGUF file */
    char ours[FILE_NAME_MAX];        /* in our own and in transformers' */
    gpt2_part part;
    uint64_t rows, columns; /* in the GGUF file; rows 0: a vector */
    bool swapped;           /* ours has rows and columns the other way round */
    bool half;              /* F16 in a file of 16-bit weights */
} gpt2_weight;

/* How many tensors a model has. */
size_t gpt2_weight_count(const gpt2_sizes *sizes);

/* The tensor number `index`, in the order of our own file. */
gpt2_weight gpt2_weight_at(const gpt2_sizes *sizes, size_t index);

/* Of a model of ours. */
gpt2_sizes gpt2_sizes_of(const export_model *m);

/* Puts our weight, as `how` says; in the place of one that the recipe is without, ones or zeros. */
void gpt2_put_weight(write_plan *p, const gpt2_weight *w, int how);

#endif
