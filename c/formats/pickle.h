/* pickle.h - reads the pickle in a file of torch.save (tensors in dicts) without executing it.
 *
 * A pickle is a program for a stack machine that can import and call any Python function. This
 * reader implements the opcodes that build None, booleans, numbers, strings, tuples, lists and
 * dicts, and knows the few functions and classes that a state dict of tensors needs
 * (PICKLE_GLOBALS); a call only makes a pickle_object. Numbers and arrays of numpy, which training
 * loops save beside the tensors, become objects without a value. Any other opcode, function or
 * class is an error, which names it. Objects refer to each other by index. Invariant: nothing
 * recurses, and stack, memo and objects are bounded by the bytes of the pickle and the constants
 * below.
 */
#ifndef GLASSHOUSE_PICKLE_H
#define GLASSHOUSE_PICKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    PICKLE_BYTES_MAX = 16 << 20, /* bytes of the longest pickle that torch.c reads */
    PICKLE_ITEMS_MAX =
        1 << 21, /* most entries of each array: objects, items of all containers, stack, memo */
};

/* X(symbol, module, name): the functions and classes that a pickle may import. The class of a
 * storage determines the type of its numbers. */
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
    X(ENCODE, "_codecs", "encode") /* makes bytes in protocol 2 */                                 \
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
    PICKLE_BOOLEAN, /* as.whole is 0 or 1 */
    PICKLE_WHOLE,
    PICKLE_NUMBER, /* a float, whose value is not stored */
    PICKLE_TEXT,
    PICKLE_TUPLE,
    PICKLE_LIST,
    PICKLE_DICT, /* as.items: key, value, key, value, ... in the order of assignment */
    PICKLE_GLOBAL,
    PICKLE_STORAGE,
    PICKLE_TENSOR,
    PICKLE_OPAQUE, /* a value of numpy or a bytes object; its content is not stored */
} pickle_type;

/* The index of an object in pickle.objects. */
typedef uint32_t pickle_id;

typedef struct pickle_object {
    pickle_type type;
    union {
        int64_t whole;
        pickle_global global;
        struct {
            const char *bytes; /* borrowed from the pickle; not NUL-terminated */
            size_t length;
        } text;
        struct {
            uint32_t first, last; /* first and last cell, by index; 0: no items */
            uint32_t count;
        } items;
        struct {
            pickle_global kind;
            pickle_id key;    /* index of a text: the name of the storage's archive entry */
            uint64_t numbers; /* how many numbers the storage has */
        } storage;
        struct {
            /* shape and strides: tuples of whole numbers, of equal length */
            pickle_id storage, shape, strides;
            uint64_t offset; /* index of the tensor's first number in the storage */
        } tensor;
    } as;
} pickle_object;

/* An item of a tuple, list or dict; the items of a container are a linked list of cells. */
typedef struct pickle_cell {
    pickle_id item;
    uint32_t next; /* index of the next cell; 0: last item */
} pickle_cell;

typedef struct pickle {
    const unsigned char *bytes; /* borrowed until pickle_close */
    size_t size, at;            /* bytes of the pickle, and offset of the next byte to read */
    pickle_object *objects;     /* owned, like the arrays below */
    size_t object_count, object_capacity;
    pickle_cell *cells; /* cell 0 is unused, because index 0 ends a list */
    size_t cell_count, cell_capacity;
    pickle_id *stack; /* UINT32_MAX: a mark */
    size_t depth, stack_capacity;
    pickle_id *memo; /* UINT32_MAX: an empty entry */
    size_t memo_count, memo_capacity;
    pickle_id root; /* the value of the whole pickle */
    gpt_error *error;
} pickle;

/* Reads a whole pickle of protocols 2 to 5. `bytes` is borrowed until pickle_close, which the
 * caller must call also after a failure. Errors: GPT_E_UNSUPPORTED (named by the unknown opcode,
 * function or class, or by the limit that is exceeded), GPT_E_FILE (damaged), GPT_E_ALLOCATION. */
int pickle_read(pickle *p, const unsigned char *bytes, size_t size, gpt_error *error);

/* Returns the object with this index. */
static inline const pickle_object *pickle_at(const pickle *p, pickle_id id) {
    return &p->objects[id];
}

/* Whether `length` bytes, or the characters of a text object, equal `text`. */
bool pickle_spells(const char *bytes, size_t length, const char *text);
bool pickle_is(const pickle_object *o, const char *text);

/* Copies the first items of a tuple, at most `most`, to `items`. Returns the number of all items,
 * or -1 if the object is not a tuple. */
int64_t pickle_tuple_items(const pickle *p, pickle_id tuple, pickle_id *items, size_t most);

/* pickle_is_count: whether an object is a whole number >= 0. pickle_is_dimensions: whether an
 * object is a tuple of at most 64 such numbers; 64 is torch's limit of dimensions. */
bool pickle_is_count(const pickle *p, pickle_id id);
bool pickle_is_dimensions(const pickle *p, pickle_id tuple);

/* Returns the value that was assigned last to `key`; NULL if `dict` is not a dict or lacks the
 * key. */
const pickle_object *pickle_find(const pickle *p, const pickle_object *dict, const char *key);

/* Frees the arrays and zeroes the pickle. A zeroed pickle may be closed. */
void pickle_close(pickle *p);

#endif
