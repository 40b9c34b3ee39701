/* tensor_converter.h - converts the numbers of one tensor while they stream from one file into
 * another.
 *
 * Transposes, rounds F32 to F16, or decodes blocks of Q8_0. Input and output are pieces of any
 * size. Invariant: only a tensor that is transposed is in memory as a whole.
 */
#ifndef GLASSHOUSE_TENSOR_CONVERTER_H
#define GLASSHOUSE_TENSOR_CONVERTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/error.h"

enum {
    CONVERT_PIECE = 1 << 16, /* bytes of the input buffer */
    Q8_0_NUMBERS = 32,       /* numbers in a block of Q8_0 */
    Q8_0_BYTES = 34,         /* bytes of a block: an F16 scale, then a signed byte per number */
};

typedef enum tensor_change {
    CONVERT_COPY,
    CONVERT_TO_HALF,     /* F32 to the nearest F16, ties to even */
    CONVERT_FROM_BLOCKS, /* Q8_0 to F32: scale times signed byte */
} tensor_change;

typedef struct converter {
    const char *name; /* name of the tensor, for errors; borrowed */
    tensor_change change;
    uint64_t rows, columns; /* shape of the input; rows 0: a vector */
    bool transposed;        /* the output is transposed */
    /* The smallest unit of conversion, a number or a block: its bytes in the input, its numbers. */
    size_t in_width, in_numbers;
    size_t out_width;                   /* bytes of a number in the output */
    uint64_t numbers_in, numbers_out;   /* numbers converted so far, and numbers written so far */
    unsigned char piece[CONVERT_PIECE]; /* input that is not converted yet */
    size_t piece_bytes;                 /* bytes in `piece` */
    unsigned char *whole;               /* owned; the transposed tensor; NULL unless `transposed` */
} converter;

/* Prepares the conversion of one tensor. `width` is the bytes of an input number: 4 for
 * CONVERT_TO_HALF, ignored for CONVERT_FROM_BLOCKS. `transposed` transposes a matrix and is ignored
 * for a vector. `name` is borrowed until converter_close. Errors: GPT_E_TENSOR_SHAPE if the change
 * is CONVERT_FROM_BLOCKS and `columns` is not a multiple of 32, GPT_E_ALLOCATION. */
int converter_open(converter *p, const char *name, tensor_change change, bool transposed,
                   uint64_t rows, uint64_t columns, size_t width, gpt_error *error);

/* Frees the transposed tensor. A zeroed converter may be closed. */
void converter_close(converter *p);

/* Return the total bytes of the input (converter_bytes_in) and of the output. */
uint64_t converter_bytes_in(const converter *p);
uint64_t converter_bytes_out(const converter *p);

/* Reads the next `bytes` bytes of the input. Returns the number of bytes read: less than `bytes` if
 * converter_read must be called first or the input is complete. */
size_t converter_feed(converter *p, const unsigned char *from, size_t bytes);

/* Writes the next bytes of the output to `out`, which has room for `capacity` bytes, at least 128
 * (a decoded block). Returns the number of bytes written; 0 if more input must be fed first or the
 * output is complete. Errors: GPT_E_TENSOR_NUMBER for a finite number too large for F16. */
int64_t converter_read(converter *p, unsigned char *out, size_t capacity, gpt_error *error);

/* Whether the whole output was written. */
bool converter_done(const converter *p);

#endif
