/* tensor_file.h - the table of a file's tensors, and the reader of their data.
 *
 * The table has names, types, shapes and byte ranges, which are checked before any data is read.
 * The reader accepts the data in pieces of any size, converts the numbers and writes them to the
 * memory to which their tensors are bound. Table and reader know neither the file's format nor the
 * model. Files are untrusted: the memory of a table is limited by the size of its file. Invariant:
 * after tensor_file_check the byte ranges follow each other without gap or overlap.
 */
#ifndef GLASSHOUSE_TENSOR_FILE_H
#define GLASSHOUSE_TENSOR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "base/error.h"

enum {
    FILE_DIMS = 8,       /* the most dimensions of a tensor */
    FILE_NAME_MAX = 80,  /* bytes of a name, with the NUL */
    FILE_ENTRY_MIN = 20, /* the fewest bytes of JSON that describe a tensor, in any format */
};

/* X(name, bytes of one number): the number types of safetensors. */
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

/* Type of the numbers in memory, and the types in files that are converted to it. */
typedef enum target_kind {
    INTO_NOTHING,     /* the tensor is skipped */
    INTO_FLOAT,       /* float, from F32, F16 or BF16 */
    INTO_FLOAT_EXACT, /* float, from F32 only */
    INTO_INT,         /* 32-bit integers, from I32 */
    INTO_DOUBLE       /* double, from F64 */
} target_kind;

typedef struct file_tensor {
    char name[FILE_NAME_MAX];
    size_t prefix;  /* bytes of the name before the plain name, such as "transformer." */
    bool ignored;   /* the model does not use the tensor */
    int type, dims; /* FILE_...; dimensions, 0 for a scalar */
    uint64_t shape[FILE_DIMS];
    uint64_t begin, end; /* the bytes begin..end-1 of the data of all files */
    bool known;          /* tensor_file_bind has succeeded */
    target_kind kind;
    void *into;     /* borrowed; memory for `count` numbers */
    uint64_t count; /* the first `count` numbers are read, later ones skipped */
    bool compare;   /* `into` already has the numbers; a number that differs is an error */
    bool finite;    /* true: NaN and infinities are errors */
} file_tensor;

typedef struct tensor_file {
    file_tensor *tensors;   /* owned; tensor_file_check sorts them by the place of their data */
    file_tensor **by_name;  /* owned; sorted by plain name, for a binary search */
    size_t count, capacity; /* tensors; entries allocated */
    uint64_t data_bytes;    /* bytes of data in the file, or in all shards of a model */
    uint64_t at;            /* bytes of data read so far */
    size_t current;         /* index of the tensor at byte `at` */
    unsigned char carry[8]; /* first bytes of a number whose other bytes are in the next piece */
    size_t carried;         /* bytes in `carry` */
} tensor_file;

/* Allocates an empty table for `capacity` tensors, which `header_bytes` bytes of JSON describe and
 * which have `data_bytes` bytes of data in all. Errors: GPT_E_FILE_HEADER (the JSON is too short to
 * describe `capacity` tensors), GPT_E_ALLOCATION. */
int tensor_file_open(tensor_file *f, size_t capacity, size_t header_bytes, uint64_t data_bytes,
                     gpt_error *error);

/* Frees the table, but not the memory to which tensors are bound. Accepts a zeroed table. */
void tensor_file_close(tensor_file *f);

/* Adds a tensor named by the current string or key of `r`, with all other members 0. Returns a
 * pointer to the tensor, which is valid until tensor_file_check; NULL, with GPT_E_FILE_HEADER in
 * `error`, if the name is empty, too long or contains a NUL, or if the table is full. */
file_tensor *tensor_file_add(tensor_file *f, const json_reader *r, gpt_error *error);

/* Reads a JSON array of at most `most` whole numbers into `out`; the reader is at the start of the
 * array. Returns the count of numbers; -1 for any other value. */
int tensor_file_numbers(json_reader *r, uint64_t *out, int most);

/* Returns the type (FILE_...) that the current string of `r` names, or -1. */
int tensor_file_type(const json_reader *r);

/* Return the name of a number type (static string), and the bytes of one number of the type. */
const char *tensor_file_type_name(int type);
uint64_t tensor_file_type_bytes(int type);

/* Returns the count of numbers in a tensor. UINT64_MAX means 2^56 or more: the bytes of any smaller
 * tensor can be counted without overflow. */
uint64_t tensor_file_size(const file_tensor *t);

/* Sorts the tensors by range, checks the table and builds the index of names. Errors:
 * GPT_E_TENSOR_BYTES (a range has more or fewer bytes than the tensor's type and shape need),
 * GPT_E_TENSOR_PLACE (a gap or an overlap of ranges), GPT_E_TRUNCATED (the ranges have more or
 * fewer bytes than the data), GPT_E_TENSOR_TWICE (two tensors with the same name). */
int tensor_file_check(tensor_file *f, gpt_error *error);

/* Sorts the index of names again, after the caller has changed the `prefix` of tensors. Errors:
 * GPT_E_TENSOR_TWICE (two tensors with the same plain name). */
int tensor_file_index(tensor_file *f, gpt_error *error);

/* Returns the tensor whose plain name is `prefix` followed by `name`, or NULL. */
file_tensor *tensor_file_find(const tensor_file *f, const char *prefix, const char *name);

/* Binds a tensor to memory (rows,columns), or (columns) if `rows` is 0. If `into` is NULL, only
 * checks the tensor: it must be bound again before its data is read. If `crop` is true, the tensor
 * may have more rows, which are skipped. Errors: GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE. */
int tensor_file_bind(file_tensor *t, target_kind kind, void *into, uint64_t rows, uint64_t columns,
                     bool crop, gpt_error *error);

/* Reads the next `bytes` bytes of the data and writes the numbers to the memory to which their
 * tensors are bound. Errors: GPT_E_FILE_LONG (more bytes than the tensors have), GPT_E_TENSOR_TIED
 * (a number of a tensor with `compare` differs), GPT_E_TENSOR_NUMBER (a number of a tensor with
 * `finite` is NaN or infinite). After a failure, no more data can be read. */
int tensor_file_feed(tensor_file *f, const void *piece, size_t bytes, gpt_error *error);

/* Converts two bytes, a little-endian IEEE half-precision number (1 sign, 5 exponent and 10
 * fraction bits), to the equal float. */
float tensor_file_half(const unsigned char *from);

/* Returns whether all data of the tensors has been read. */
bool tensor_file_done(const tensor_file *f);

#endif
