/* tensor_converter.h - the numbers of one tensor on their way from one file into another.
 *
 * Owns: the changes that foreign formats ask for: rows and columns swapped, 32-bit floats rounded
 * to 16-bit ones, blocks of eight-bit numbers unpacked. Bytes come and go in pieces of any size.
 * Only a tensor whose rows and columns are swapped is in memory as a whole. */
#ifndef GLASSHOUSE_TENSOR_CONVERTER_H
#define GLASSHOUSE_TENSOR_CONVERTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/real.h"
#include "base/error.h"

enum {
    CONVERT_PIECE = 1 << 16,
    Q8_0_NUMBERS = 32, /* in a block: a 16-bit float that scales, then as many signed bytes */
    Q8_0_BYTES = 34,
};

typedef enum tensor_change {
    CONVERT_COPY,
    CONVERT_TO_HALF,     /* F32 to F16, to the nearest, to even when two are as near */
    CONVERT_FROM_BLOCKS, /* Q8_0 to F32 */
} tensor_change;

typedef struct converter {
    const char *name; /* of the tensor, for failures; borrows */
    tensor_change change;
    uint64_t rows, columns;      /* of what comes; rows 0: a vector */
    bool swap;                   /* what goes has them the other way round */
    size_t in_width, in_numbers; /* bytes of the smallest piece that can be changed, its numbers */
    size_t out_width;            /* bytes of one number that goes */
    uint64_t come, gone;         /* numbers */
    unsigned char piece[CONVERT_PIECE];
    size_t held;          /* bytes in piece that wait */
    unsigned char *whole; /* owns; NULL unless rows and columns are swapped */
} converter;

/* Readies a converter for one tensor of numbers of `width` bytes (of blocks: any). `swap` needs rows.
 * GPT_E_ALLOCATION, GPT_E_TENSOR_SHAPE for rows that are no whole blocks. */
int converter_open(converter *p, const char *name, tensor_change change, bool swap, uint64_t rows,
                   uint64_t columns, size_t width, gpt_error *error);

/* Gives everything back. A zeroed converter may be closed. */
void converter_close(converter *p);

/* Bytes that have to come in all, and that go. */
uint64_t converter_bytes_in(const converter *p);
uint64_t converter_bytes_out(const converter *p);

/* Takes the next bytes; answers how many it took: fewer than `bytes` while others wait to go. */
size_t converter_feed(converter *p, const unsigned char *from, size_t bytes);

/* Writes the next bytes, at most `capacity` (128 or more); answers how many, 0 when more must come
 * first, or GPT_E_TENSOR_NUMBER for a number that has no 16-bit float near it. */
int64_t converter_read(converter *p, unsigned char *out, size_t capacity, gpt_error *error);

/* All has gone. */
bool converter_done(const converter *p);

#endif
