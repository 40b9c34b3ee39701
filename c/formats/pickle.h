/* pickle.h - reading the pickle that torch.save writes for tensors in dicts, without running it.
 *
 * A pickle is a program for a stack machine that can import and call any Python function. This
 * reader has the part of the machine that builds None, booleans, numbers, strings, tuples, lists
 * and dicts, and knows the few names that a state dict of tensors calls (PICKLE_GLOBALS), each of
 * which only makes an object below. Numbers and arrays of numpy, which training loops keep beside
 * the tensors, become objects without a value. Every other opcode and name is refused, and named.
 * Owns: the objects, as numbers into one array. Invariant: nothing recurses, and stack, memo and
 * objects are bounded by the bytes of the pickle and by the constants below.
 */
#ifndef GLASSHOUSE_PICKLE_H
#define GLASSHOUSE_PICKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    PICKLE_BYTES_MAX = 16 << 20,
    PICKLE_ITEMS_MAX = 1 << 21, /* objects, items of containers, the stack, the memo: of each */
};

/* X(symbol, module, name): the names that a pickle may import. Those of storages say the type of
 * their numbers. */
#define PICKLE_GLOBALS(X)                                                                          \
    X(ORDERED_DICT, "collections", "OrderedDict")                                                  \
    X(REBUILD_TENSOR, "torch._utils", "_rebuild_tensor_v2")                                        \
    X(REBUILD_PARAMETER, "torch._utils", "_rebuild_parameter")                                     \
    X(NUMPY_DTYPE, "numpy", "dtype")                                                               \
    X(NUMPY_TYPE, "numpy", "ndarray")                                                              \
    X(NUMPY_SCALAR, "numpy.core.multiarray", "scalar")                                             \
    X(NUMPY_ARRAY, "numpy.core.multiarray", "_reconstruct")                                        \
    X(NUMPY2_SCALAR, "numpy._core.multiarray", "scalar")                                           \
    X(NUMPY2_ARRAY, "numpy._core.multiarray", "_reconstruct")                                      \
    X(ENCODE, "_codecs", "encode") /* how protocol 2 writes bytes */                               \
    X(FLOAT, "torch", "FloatStorage")                                                              \
    X(HALF, "torch", "HalfStorage")                                                                \
    X(BFLOAT16, "torch", "BFloat16Storage")                                                        \
    X(DOUBLE, "torch", "DoubleStorage")                                                            \
    X(LONG, "torch", "LongStorage")                                                                \
    X(INT, "torch", "IntStorage")                                                                  \
    X(SHORT, "torch", "ShortStorage")                                                              \
    X(CHAR, "torch", "CharStorage")                                                                \
    X(BYTE, "torch", "ByteStorage")                                                                \
    X(BOOL, "torch", "BoolStorage")

#define PICKLE_GLOBAL_ENUM(symbol, module, name) PICKLE_##symbol,
typedef enum pickle_global { PICKLE_GLOBALS(PICKLE_GLOBAL_ENUM) PICKLE_GLOBAL_COUNT } pickle_global;
#undef PICKLE_GLOBAL_ENUM

typedef enum pickle_type {
    PICKLE_NONE,
    PICKLE_BOOLEAN, /* whole: 0 or 1 */
    PICKLE_WHOLE,
    PICKLE_NUMBER, /* a float; its value is not kept */
    PICKLE_TEXT,
    PICKLE_TUPLE,
    PICKLE_LIST,
    PICKLE_DICT, /* items: key, value, key, value, ... as they were set */
    PICKLE_GLOBAL,
    PICKLE_STORAGE,
    PICKLE_TENSOR,
    PICKLE_OPAQUE, /* a value of numpy, or bytes: skipped, nothing of it is kept */
} pickle_type;

/* An object is a number. */
typedef uint32_t pickle_id;

typedef struct pickle_object {
    pickle_type type;
    union {
        int64_t whole;
        pickle_global global;
        struct {
            const char *bytes; /* in the pickle; not NUL-terminated */
            size_t length;
        } text;
        struct {
            uint32_t first, last; /* numbers of cells; 0 if it has no items */
            uint32_t count;
        } items;
        struct {
            pickle_global kind;
            pickle_id key; /* text: the entry of the archive */
            uint64_t numbers;
        } storage;
        struct {
            pickle_id storage, shape, strides; /* tuples of whole numbers, of one length */
            uint64_t offset;                   /* in numbers */
        } tensor;
    } as;
} pickle_object;

/* An item of a tuple, list or dict. */
typedef struct pickle_cell {
    pickle_id item;
    uint32_t next; /* 0 after the last */
} pickle_cell;

typedef struct pickle {
    const unsigned char *bytes; /* borrows until pickle_close */
    size_t size, at;
    pickle_object *objects; /* owns, as all below */
    size_t object_count, object_capacity;
    pickle_cell *cells; /* the first is not used: 0 ends a list */
    size_t cell_count, cell_capacity;
    pickle_id *stack;
    size_t depth, stack_capacity;
    pickle_id *memo; /* UINT32_MAX: nothing was put there */
    size_t memo_count, memo_capacity;
    pickle_id root; /* the value of the pickle */
    gpt_error *error;
} pickle;

/* Reads a whole pickle (protocols 2 to 5). GPT_E_UNSUPPORTED with the opcode or name that is not
 * known, GPT_E_FILE for a damaged one, GPT_E_ALLOCATION. */
int pickle_read(pickle *p, const unsigned char *bytes, size_t size, gpt_error *error);

/* The object of this number. */
static inline const pickle_object *pickle_at(const pickle *p, pickle_id id) {
    return &p->objects[id];
}

/* The bytes, or the text, are exactly these. */
bool pickle_spells(const char *bytes, size_t length, const char *text);
bool pickle_is(const pickle_object *o, const char *text);

/* Reads the items of a tuple, at most `most`; returns how many the tuple has, -1 if it is none. */
int64_t pickle_tuple_items(const pickle *p, pickle_id tuple, pickle_id *items, size_t most);

/* A whole number from 0 on, and a tuple of such numbers, at most 64 as in torch. */
bool pickle_is_count(const pickle *p, pickle_id id);
bool pickle_is_dimensions(const pickle *p, pickle_id tuple);

/* The value set last for a key in a dict; NULL if `dict` is no dict or lacks it. */
const pickle_object *pickle_find(const pickle *p, const pickle_object *dict, const char *key);

/* Frees all. A zeroed pickle may be closed. */
void pickle_close(pickle *p);

#endif
