/* tensor_converter.c - see tensor_converter.h. Q8_0 is ggml's block_q8_0. */
#include "formats/tensor_converter.h"

#include <stdlib.h>
#include <string.h>

#include "io/tensor_file.h"

static const uint32_t INFINITE = 0x7F800000u; // the bits of an infinite F32

static uint64_t numbers_of(const converter *p) {
    return p->columns * (p->rows ? p->rows : 1);
}

int converter_open(converter *p, const char *name, tensor_change change, bool transposed,
                   uint64_t rows, uint64_t columns, size_t width, gpt_error *error) {
    memset(p, 0, offsetof(converter, piece));
    p->piece_bytes = 0;
    p->whole = NULL;
    p->name = name;
    p->change = change;
    p->rows = rows;
    p->columns = columns;
    p->transposed = transposed && rows;
    bool blocks = change == CONVERT_FROM_BLOCKS;
    p->in_numbers = blocks ? Q8_0_NUMBERS : 1;
    p->in_width = blocks ? Q8_0_BYTES : width;
    p->out_width = blocks ? sizeof(float) : change == CONVERT_TO_HALF ? 2 : width;
    if (blocks && columns % Q8_0_NUMBERS) {
        return gpt_fail_name(error, GPT_E_TENSOR_SHAPE, name);
    }
    if (p->transposed) {
        uint64_t bytes = converter_bytes_out(p);
        p->whole = bytes <= SIZE_MAX ? malloc((size_t)bytes + 1) : NULL;
        if (!p->whole) {
            return gpt_fail_allocation(error, bytes);
        }
    }
    return GPT_OK;
}

void converter_close(converter *p) {
    free(p->whole);
    p->whole = NULL;
}

uint64_t converter_bytes_in(const converter *p) {
    return numbers_of(p) / p->in_numbers * p->in_width;
}

uint64_t converter_bytes_out(const converter *p) {
    return numbers_of(p) * p->out_width;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint32_t bits_at(const unsigned char *from) {
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static void put_bits(unsigned char *out, uint32_t bits, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (unsigned char)(bits >> 8 * i);
    }
}

/* Returns the bits of the F16 nearest to an F32, ties to even (IEEE 754, section 4.3.1); infinity
 * if the number is too large. */
static uint32_t half_of(uint32_t bits) {
    uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude >= 0x47800000u) { // 65536 or more, infinity, NaN
        return sign | (magnitude > INFINITE ? 0x7E00u : 0x7C00u);
    }
    if (magnitude < 0x38800000u) { // below 2^-14: subnormal, a multiple of 2^-24
        uint32_t exponent = magnitude >> 23;
        if (exponent < 102) { // below 2^-25: zero
            return sign;
        }
        uint32_t fraction = (magnitude & 0x7FFFFFu) | 0x800000u, drop = 126 - exponent;
        uint32_t kept = fraction >> drop, rest = fraction & ((1u << drop) - 1);
        uint32_t middle = 1u << (drop - 1);
        return sign | (kept + (rest > middle || (rest == middle && (kept & 1))));
    }
    uint32_t kept = (magnitude - 0x38000000u) >> 13, rest = magnitude & 0x1FFFu;
    return sign | (kept + (rest > 0x1000u || (rest == 0x1000u && (kept & 1))));
}

/* Converts one unit (p->in_numbers numbers). False if a finite number is too large for F16. */
static bool change_one(const converter *p, unsigned char *out, const unsigned char *from) {
    switch (p->change) {
    case CONVERT_TO_HALF: {
        uint32_t bits = bits_at(from), half = half_of(bits);
        put_bits(out, half, 2);
        // infinities and NaN stay; a finite number must not become infinite
        return (half & 0x7C00u) != 0x7C00u || (bits & INFINITE) == INFINITE;
    }
    case CONVERT_FROM_BLOCKS: {
        float scale = tensor_file_half(from);
        for (size_t i = 0; i < Q8_0_NUMBERS; i++) {
            float value = scale * (float)(signed char)from[2 + i];
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            put_bits(out + 4 * i, bits, 4);
        }
        return true;
    }
    case CONVERT_COPY:
        break;
    }
    memcpy(out, from, p->in_width);
    return true;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* Converts the complete units in p->piece and writes each number to its transposed position in
 * p->whole. Errors: GPT_E_TENSOR_NUMBER. */
static int store_transposed(converter *p, gpt_error *error) {
    size_t at = 0;
    unsigned char changed[Q8_0_NUMBERS * sizeof(float)];
    for (; p->piece_bytes - at >= p->in_width; at += p->in_width) {
        if (!change_one(p, changed, p->piece + at)) {
            return gpt_fail_name(error, GPT_E_TENSOR_NUMBER, p->name);
        }
        for (size_t i = 0; i < p->in_numbers; i++, p->numbers_in++) {
            uint64_t row = p->numbers_in / p->columns, column = p->numbers_in % p->columns;
            memcpy(p->whole + (size_t)(column * p->rows + row) * p->out_width,
                   changed + i * p->out_width, p->out_width);
        }
    }
    p->piece_bytes -= at;
    memmove(p->piece, p->piece + at, p->piece_bytes);
    return GPT_OK;
}

size_t converter_feed(converter *p, const unsigned char *from, size_t bytes) {
    uint64_t left = converter_bytes_in(p) - p->numbers_in / p->in_numbers * p->in_width -
                    p->piece_bytes;
    size_t room = sizeof p->piece - p->piece_bytes;
    size_t taken = bytes < room ? bytes : room;
    taken = left < taken ? (size_t)left : taken;
    memcpy(p->piece + p->piece_bytes, from, taken);
    p->piece_bytes += taken;
    return taken;
}

int64_t converter_read(converter *p, unsigned char *out, size_t capacity, gpt_error *error) {
    if (p->transposed) {
        int status = store_transposed(p, error);
        if (status < 0 || p->numbers_in < numbers_of(p)) {
            return status;
        }
        uint64_t left = numbers_of(p) - p->numbers_out;
        size_t count = capacity / p->out_width;
        count = left < count ? (size_t)left : count;
        memcpy(out, p->whole + (size_t)p->numbers_out * p->out_width, count * p->out_width);
        p->numbers_out += count;
        return (int64_t)(count * p->out_width);
    }
    size_t at = 0, written = 0, step = p->in_numbers * p->out_width;
    for (; p->piece_bytes - at >= p->in_width && capacity - written >= step; at += p->in_width) {
        if (!change_one(p, out + written, p->piece + at)) {
            return gpt_fail_name(error, GPT_E_TENSOR_NUMBER, p->name);
        }
        written += step;
        p->numbers_in += p->in_numbers;
        p->numbers_out += p->in_numbers;
    }
    p->piece_bytes -= at;
    memmove(p->piece, p->piece + at, p->piece_bytes);
    return (int64_t)written;
}

bool converter_done(const converter *p) {
    return p->numbers_out == numbers_of(p);
}
