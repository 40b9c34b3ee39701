/* tensor_file.h - the table of tensors that a file announces, and its bytes on their way to them.
 *
 * Owns: names, types, shapes and byte ranges, checked before a byte of data is read; and the
 * feeding of the data in pieces of any size, converted straight into where the numbers belong. It
 * knows no format and no model. Files may be hostile: what comes from them is bounded by their
 * size. Invariant: after tensor_file_check the ranges follow each other without gap or overlap.
 */
#ifndef GLASSHOUSE_TENSOR_FILE_H
#define GLASSHOUSE_TENSOR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/error.h"

enum {
    FILE_DIMS = 8,
    FILE_NAME_MAX = 80,
    FILE_ENTRY_MIN = 20, /* no description of a tensor in JSON is shorter, in any form */
};

/* X(name, bytes of one number): the types that safetensors files have. */
#define FILE_TYPES(X)                                                                              \
    X(F32, 4)                                                                                      \
    X(F16, 2)                                                                                      \
    X(BF16, 2)                                                                                     \
    X(F64, 8)                                                                                      \
    X(I64, 8)                                                                                      \
    X(U64, 8)                                                                                      \
    X(I32, 4)                                                                                      \
    X(U32, 4)                                                                                      \
    X(I16, 2)                                                                                      \
    X(U16, 2)                                                                                      \
    X(I8, 1)                                                                                       \
    X(U8, 1)                                                                                       \
    X(BOOL, 1)                                                                                     \
    X(F8_E5M2, 1)                                                                                  \
    X(F8_E4M3, 1)

#define FILE_TYPE_ENUM(name, bytes) FILE_##name,
enum file_type { FILE_TYPES(FILE_TYPE_ENUM) FILE_TYPE_COUNT };
#undef FILE_TYPE_ENUM

/* What memory numbers are read into: floats from F32, F16 and BF16 alike; the others from their own
 * type only. */
typedef enum target_kind {
    INTO_NOTHING,
    INTO_FLOAT,
    INTO_FLOAT_EXACT,
    INTO_INT,
    INTO_DOUBLE
} target_kind;

typedef struct file_tensor {
    char name[FILE_NAME_MAX];
    size_t prefix; /* bytes of the name before the plain name, by which it is found */
    bool ignored;  /* the model does not use it */
    int type, dims;
    uint64_t shape[FILE_DIMS];
    uint64_t begin, end; /* bytes of the data */
    bool known;          /* a target or a reason to skip it was found */
    target_kind kind;
    void *into;    /* borrows; room for `take` numbers */
    uint64_t take; /* the first `take` numbers are read, the rest is skipped */
    bool compare;  /* `into` already holds them: they must be equal */
    bool finite;   /* floats that are infinite or no numbers are refused */
} file_tensor;

typedef struct tensor_file {
    file_tensor *tensors; /* owns; in the order of their bytes */
    file_tensor **by_name;
    size_t count, capacity;
    uint64_t data_bytes;
    uint64_t at;    /* data bytes fed so far */
    size_t current; /* the tensor they have reached */
    unsigned char carry[8];
    size_t carried; /* bytes of a number that the last piece cut in two */
} tensor_file;

/* Room for at most `capacity` tensors, which `header_bytes` of JSON describe, over `data_bytes`
 * of data. GPT_E_FILE_HEADER when so short a header cannot hold them, GPT_E_ALLOCATION. */
int tensor_file_open(tensor_file *f, size_t capacity, size_t header_bytes, uint64_t data_bytes,
                     gpt_error *error);

/* Gives everything back. A zeroed file may be closed. */
void tensor_file_close(tensor_file *f);

/* A new tensor whose name is the current string of `r`; NULL (GPT_E_FILE_HEADER in `error`) when it
 * is empty, longer than FILE_NAME_MAX or one too many. */
file_tensor *tensor_file_add(tensor_file *f, const json_reader *r, gpt_error *error);

/* Reads an array of whole numbers, up to `most` of them, into `out`; the reader stands on its
 * start. Returns how many, or -1. */
int tensor_file_numbers(json_reader *r, uint64_t *out, int most);

/* The type called like the current string of `r`, or -1; its name; the bytes of one number of
 * it. */
int tensor_file_type(const json_reader *r);
const char *tensor_file_type_name(int type);
uint64_t tensor_file_type_bytes(int type);

/* Numbers in the tensor; UINT64_MAX when that overflows. */
uint64_t tensor_file_size(const file_tensor *t);

/* Puts the tensors in order and checks sizes, ranges, names. GPT_E_TENSOR_BYTES,
 * GPT_E_TENSOR_PLACE, GPT_E_TENSOR_TWICE, GPT_E_TRUNCATED. */
int tensor_file_check(tensor_file *f, gpt_error *error);

/* Sorts the index of plain names. GPT_E_TENSOR_TWICE. */
int tensor_file_index(tensor_file *f, gpt_error *error);

/* The tensor with the plain name `prefix` + `name`, or NULL. */
file_tensor *tensor_file_find(const tensor_file *f, const char *prefix, const char *name);

/* Binds a tensor to memory of the same shape (rows 0: a vector of `columns`). With `crop` the
 * file may have more rows. GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE. */
int tensor_file_bind(file_tensor *t, target_kind kind, void *into, uint64_t rows, uint64_t columns,
                     bool crop, gpt_error *error);

/* Takes the next piece of the data. GPT_E_FILE_LONG when there is more than announced,
 * GPT_E_TENSOR_TIED when a compared tensor differs, GPT_E_TENSOR_NUMBER when one that is to be
 * finite is not. */
int tensor_file_feed(tensor_file *f, const void *piece, size_t bytes, gpt_error *error);

/* The number of two bytes, IEEE half precision: 1 sign, 5 exponent, 10 fraction bits. Every half is
 * a float. */
float tensor_file_half(const unsigned char *from);

/* All data has come. */
bool tensor_file_done(const tensor_file *f);

#endif
