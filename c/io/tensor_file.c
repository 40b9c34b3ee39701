/* tensor_file.c - see tensor_file.h. */
#include "io/tensor_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "io/json_values.h"

static const char *const TYPE_NAMES[] = {
#define NAME(name, bytes) #name,
    FILE_TYPES(NAME)
#undef NAME
};

static const unsigned char TYPE_BYTES[] = {
#define BYTES(name, bytes) bytes,
    FILE_TYPES(BYTES)
#undef BYTES
};

/* ---- The table of tensors -------------------------------------------------------------------- */

int tensor_file_open(tensor_file *f, size_t capacity, size_t header_bytes, uint64_t data_bytes,
                     gpt_error *error) {
    memset(f, 0, sizeof *f);
    if (capacity > header_bytes / FILE_ENTRY_MIN + 1) { // the file's size limits the allocation
        return gpt_fail_name(error, GPT_E_FILE_HEADER, "");
    }
    f->data_bytes = data_bytes;
    f->capacity = capacity;
    f->tensors = calloc(capacity + 1, sizeof *f->tensors);
    f->by_name = calloc(capacity + 1, sizeof(void *));
    if (!f->tensors || !f->by_name) {
        tensor_file_close(f);
        return gpt_fail_allocation(error, capacity * sizeof(file_tensor));
    }
    return GPT_OK;
}

void tensor_file_close(tensor_file *f) {
    free(f->tensors);
    free(f->by_name);
    memset(f, 0, sizeof *f);
}

file_tensor *tensor_file_add(tensor_file *f, const json_reader *r, gpt_error *error) {
    file_tensor *t = &f->tensors[f->count];
    size_t length = json_string(r, t->name, sizeof t->name - 1);
    if (f->count == f->capacity || !length || length >= sizeof t->name ||
        memchr(t->name, 0, length)) {
        memset(t, 0, sizeof *t);
        (void)gpt_fail_name(error, GPT_E_FILE_HEADER, "");
        return NULL;
    }
    f->count++;
    return t;
}

int tensor_file_numbers(json_reader *r, uint64_t *out, int most) {
    int count = 0;
    if (r->type != JSON_ARRAY_START) {
        return -1;
    }
    while (json_next(r) == JSON_NUMBER) {
        if (count == most || !json_read_count(r, &out[count++])) {
            return -1;
        }
    }
    return r->type == JSON_ARRAY_END ? count : -1;
}

int tensor_file_type(const json_reader *r) {
    for (int type = 0; type < FILE_TYPE_COUNT; type++) {
        if (json_is(r, TYPE_NAMES[type])) {
            return type;
        }
    }
    return -1;
}

const char *tensor_file_type_name(int type) {
    return TYPE_NAMES[type];
}

uint64_t tensor_file_type_bytes(int type) {
    return TYPE_BYTES[type];
}

uint64_t tensor_file_size(const file_tensor *t) {
    uint64_t size = 1;
    for (int d = 0; d < t->dims; d++) {
        if (t->shape[d] && size > (UINT64_MAX >> 8) / t->shape[d]) {
            return UINT64_MAX;
        }
        size *= t->shape[d];
    }
    return size;
}

static int compare_ranges(const void *a, const void *b) {
    const file_tensor *x = a, *y = b;
    if (x->begin != y->begin) {
        return x->begin < y->begin ? -1 : 1;
    }
    return x->end < y->end ? -1 : x->end > y->end;
}

static int compare_names(const void *a, const void *b) {
    const file_tensor *const *x = a, *const *y = b;
    return strcmp((*x)->name + (*x)->prefix, (*y)->name + (*y)->prefix);
}

int tensor_file_check(tensor_file *f, gpt_error *error) {
    qsort(f->tensors, f->count, sizeof *f->tensors, compare_ranges);
    uint64_t end = 0;
    for (size_t i = 0; i < f->count; i++) {
        const file_tensor *t = &f->tensors[i];
        uint64_t size = tensor_file_size(t);
        if (t->end < t->begin || size > UINT64_MAX >> 8 ||
            t->end - t->begin != size * TYPE_BYTES[t->type]) {
            return gpt_fail_name(error, GPT_E_TENSOR_BYTES, t->name);
        }
        if (t->begin != end) {
            return gpt_fail_name(error, GPT_E_TENSOR_PLACE, t->name);
        }
        end = t->end;
        f->by_name[i] = &f->tensors[i];
    }
    if (end != f->data_bytes) {
        return gpt_fail(error, GPT_E_TRUNCATED, "", (double)f->data_bytes, (double)end, 0);
    }
    return tensor_file_index(f, error);
}

int tensor_file_index(tensor_file *f, gpt_error *error) {
    qsort(f->by_name, f->count, sizeof(file_tensor *), compare_names);
    for (size_t i = 1; i < f->count; i++) {
        if (compare_names(&f->by_name[i - 1], &f->by_name[i]) == 0) {
            return gpt_fail_name(error, GPT_E_TENSOR_TWICE, f->by_name[i]->name);
        }
    }
    return GPT_OK;
}

file_tensor *tensor_file_find(const tensor_file *f, const char *prefix, const char *name) {
    size_t skip = strlen(prefix), low = 0, high = f->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        file_tensor *t = f->by_name[middle];
        const char *plain = t->name + t->prefix;
        int order = strncmp(plain, prefix, skip);
        order = order ? order : strcmp(plain + skip, name);
        if (order == 0) {
            return t;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

/* Writes a shape as "(8,4)". `more` follows the rows: "+" in "(8+,4)" means 8 or more. */
static void put_shape(text_buffer *out, const uint64_t *shape, int dims, const char *more) {
    text_put(out, "(");
    for (int d = 0; d < dims; d++) {
        text_put(out, d ? "," : "");
        text_put_whole(out, shape[d]);
        text_put(out, d ? "" : more);
    }
    text_put(out, ")");
}

static bool accepts(target_kind kind, int type) {
    switch (kind) {
    case INTO_FLOAT:
        return type == FILE_F32 || type == FILE_F16 || type == FILE_BF16;
    case INTO_FLOAT_EXACT:
        return type == FILE_F32;
    case INTO_INT:
        return type == FILE_I32;
    case INTO_DOUBLE:
        return type == FILE_F64;
    default:
        return true;
    }
}

int tensor_file_bind(file_tensor *t, target_kind kind, void *into, uint64_t rows, uint64_t columns,
                     bool crop, gpt_error *error) {
    char what[sizeof error->name];
    text_buffer buffer = text_begin(what, sizeof what);
    int dims = rows ? 2 : 1;
    uint64_t shape[2] = {rows ? rows : columns, columns};
    bool fits = t->dims == dims && t->shape[dims - 1] == columns &&
                (crop ? t->shape[0] >= shape[0] : t->shape[0] == shape[0]);
    if (!fits) {
        text_put(&buffer, t->name);
        text_put(&buffer, " ");
        put_shape(&buffer, t->shape, t->dims, "");
        text_put(&buffer, " != ");
        put_shape(&buffer, shape, dims, crop ? "+" : "");
        text_end(&buffer);
        return gpt_fail_name(error, GPT_E_TENSOR_SHAPE, what);
    }
    if (!accepts(kind, t->type)) {
        text_put(&buffer, t->name);
        text_put(&buffer, " ");
        text_put(&buffer, TYPE_NAMES[t->type]);
        text_end(&buffer);
        return gpt_fail_name(error, GPT_E_TENSOR_TYPE, what);
    }
    t->known = true;
    t->kind = kind;
    t->into = into;
    t->count = columns * (rows ? rows : 1);
    return GPT_OK;
}

/* ---- The data -------------------------------------------------------------------------------- */

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float tensor_file_half(const unsigned char *from) {
    uint32_t bits = (uint32_t)from[0] | (uint32_t)from[1] << 8;
    uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3FFu;
    if (exponent == 31) {
        return float_of_bits(sign | 0x7F800000u | fraction << 13);
    }
    if (exponent == 0) { // zero or subnormal: fraction * 2^-24
        float value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

static float float_at(int type, const unsigned char *from) {
    if (type == FILE_F32) {
        float value;
        memcpy(&value, from, sizeof value);
        return value;
    }
    return type == FILE_F16
               ? tensor_file_half(from)
               : float_of_bits((uint32_t)from[0] << 16 | (uint32_t)from[1] << 24); // BF16
}

/* Returns whether `count` floats are all finite. A float whose exponent bits are all 1 is NaN or
 * infinite. */
static bool are_finite(const void *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, (const unsigned char *)values + i * sizeof bits, sizeof bits);
        if ((bits & 0x7F800000u) == 0x7F800000u) {
            return false;
        }
    }
    return true;
}

/* Writes `count` complete numbers to the memory to which `t` is bound, or compares them with it if
 * t->compare is true. `first` is the index of the first of these numbers in the tensor. Errors:
 * GPT_E_TENSOR_TIED (a number differs), GPT_E_TENSOR_NUMBER (a number is NaN or infinite). */
static int store_numbers(file_tensor *t, uint64_t first, const unsigned char *from, size_t count) {
    uint64_t width = TYPE_BYTES[t->type];
    if (first >= t->count) {
        return GPT_OK;
    }
    if (count > t->count - first) {
        count = (size_t)(t->count - first);
    }
    if (t->type != FILE_F16 && t->type != FILE_BF16) {
        unsigned char *into = (unsigned char *)t->into + (size_t)(first * width);
        if (t->compare) {
            return memcmp(into, from, count * (size_t)width) == 0 ? GPT_OK : GPT_E_TENSOR_TIED;
        }
        memcpy(into, from, count * (size_t)width);
        bool sound = !t->finite || t->type != FILE_F32 || are_finite(into, count);
        return sound ? GPT_OK : GPT_E_TENSOR_NUMBER;
    }
    float *into = (float *)t->into + (size_t)first;
    for (size_t i = 0; i < count; i++) {
        float value = float_at(t->type, from + i * (size_t)width);
        if (t->compare && value != into[i]) {
            return GPT_E_TENSOR_TIED;
        }
        into[i] = value;
    }
    return !t->finite || are_finite(into, count) ? GPT_OK : GPT_E_TENSOR_NUMBER;
}

/* Reads `bytes` bytes of tensor `t`, which follow its first `done` bytes. If f->carry has the first
 * bytes of a number, completes this number first. Stores the bytes of an incomplete last number in
 * f->carry. Errors: see store_numbers. */
static int read_bytes(tensor_file *f, file_tensor *t, uint64_t done, const unsigned char *from,
                      size_t bytes) {
    size_t width = TYPE_BYTES[t->type];
    uint64_t first = done / width;
    if (f->carried) {
        while (f->carried < sizeof f->carry && f->carried < width && bytes) {
            f->carry[f->carried++] = *from++;
            bytes--;
        }
        if (f->carried < width) {
            return GPT_OK;
        }
        f->carried = 0;
        int status = store_numbers(t, first++, f->carry, 1);
        if (status < 0) {
            return status;
        }
    }
    int status = store_numbers(t, first, from, bytes / width);
    f->carried = bytes % width;
    memcpy(f->carry, from + (bytes - f->carried), f->carried);
    return status;
}

int tensor_file_feed(tensor_file *f, const void *piece, size_t bytes, gpt_error *error) {
    const unsigned char *from = piece;
    while (bytes) {
        while (f->current < f->count && f->at == f->tensors[f->current].end) {
            f->current++;
        }
        if (f->current == f->count) {
            return gpt_fail(error, GPT_E_FILE_LONG, "", (double)f->at, 0, 0);
        }
        file_tensor *t = &f->tensors[f->current];
        uint64_t left = t->end - f->at;
        size_t now = left < bytes ? (size_t)left : bytes;
        int status = t->kind == INTO_NOTHING ? GPT_OK
                                             : read_bytes(f, t, f->at - t->begin, from, now);
        if (status < 0) {
            return gpt_fail_name(error, status, t->name);
        }
        f->at += now;
        from += now;
        bytes -= now;
    }
    return GPT_OK;
}

bool tensor_file_done(const tensor_file *f) {
    return f->at == f->data_bytes;
}
