/* gguf_read.c - reads GGUF files of llama.cpp's gpt2 architecture: versions 2 and 3, weights in
 * F32, F16, BF16 or Q8_0.
 *
 * The file does not state the length of its header. The reader requests prefixes of the file, each
 * four times as long as the one before, until a prefix contains the whole header (gguf_header.h).
 */
#include "formats/formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "formats/gguf_header.h"

enum { FIRST_PREFIX = 1 << 16, GROWTH = 4, ALIGNMENT_MAX = 1 << 16, DIMENSIONS_MAX = 4 };

/* ---- Recipe ---------------------------------------------------------------------------------- */

/* Checks that the value of a key is `text`. If `late` is true, a missing key is no error, because
 * the header may continue after the prefix. Errors: GPT_E_UNSUPPORTED. */
static int check_text(const gguf_header *h, int key, const char *text, bool late,
                      gpt_error *error) {
    const gguf_field *v = &h->values[key];
    if (late && !v->present) {
        return GPT_OK;
    }
    bool good = v->present && !v->array && v->type == GGUF_STRING && gguf_spells(v->text, text);
    return good ? GPT_OK : gguf_refuse(error, GGUF_KEYS[key], v);
}

static int check_texts(const gguf_header *h, bool late, gpt_error *error) {
    int status = check_text(h, GGUF_KEY_ARCHITECTURE, "gpt2", late, error);
    status = status < 0 ? status : check_text(h, GGUF_KEY_TOKENIZER, "gpt2", late, error);
    return status < 0 ? status : check_text(h, GGUF_KEY_PRE, "gpt-2", late, error);
}

/* Copies the number of a key to `*out`. Errors: GPT_E_FILE if the file lacks the key or its value
 * is not a number. */
static int read_number(const gguf_header *h, int key, double *out, gpt_error *error) {
    const gguf_field *v = &h->values[key];
    *out = v->number;
    return v->present && !v->array && v->type != GGUF_STRING
               ? GPT_OK
               : gpt_fail_name(error, GPT_E_FILE, GGUF_KEYS[key]);
}

/* Checks that the value of a key is the number `wanted`, or that the file lacks the key. Errors:
 * GPT_E_UNSUPPORTED. */
static int check_number(const gguf_header *h, int key, double wanted, gpt_error *error) {
    const gguf_field *v = &h->values[key];
    bool good = !v->present || (!v->array && v->type != GGUF_STRING && v->number == wanted);
    return good ? GPT_OK : gguf_refuse(error, GGUF_KEYS[key], v);
}

/* Returns the decimal with the fewest places that rounds to the same float as `number`: 1e-5
 * instead of 9.99999975e-06. */
static double short_decimal(double number) {
    double power = 1;
    for (int places = 0; places < 15; places++, power *= 10) {
        double scaled = number * power;
        if (scaled < 1e9 && (float)((double)(int64_t)(scaled + 0.5) / power) == (float)number) {
            return (double)(int64_t)(scaled + 0.5) / power;
        }
    }
    return number;
}

static int read_shape(const gguf_header *h, gpt2_shape *shape, gpt_error *error) {
    const struct {
        int key;
        double *out;
    } numbers[] = {{GGUF_KEY_LAYERS, &shape->layers},
                   {GGUF_KEY_HEADS, &shape->heads},
                   {GGUF_KEY_CHANNELS, &shape->channels},
                   {GGUF_KEY_CONTEXT, &shape->context},
                   {GGUF_KEY_EPSILON, &shape->epsilon}};
    int status = GPT_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == GPT_OK; i++) {
        status = read_number(h, numbers[i].key, numbers[i].out, error);
    }
    if (status == GPT_OK && !(shape->epsilon >= 1e-12 && shape->epsilon <= 1)) {
        status = gpt_fail(error, GPT_E_RANGE, GGUF_KEYS[GGUF_KEY_EPSILON], shape->epsilon, 1e-12,
                          1);
    }
    if (status == GPT_OK) {
        shape->epsilon = short_decimal(shape->epsilon);
    }
    return status;
}

/* Checks the settings whose values follow from the sizes in `shape`, such as the width of the MLP.
 * reader_set_config has checked the ranges of the sizes, so shape->heads is not 0. */
static int check_derived(const gguf_header *h, const gpt2_shape *shape, gpt_error *error) {
    int status = GPT_OK;
    const struct {
        int key;
        double wanted;
    } fixed[] = {{GGUF_KEY_INNER, 4 * shape->channels},
                 {GGUF_KEY_KEY_HEADS, shape->heads},
                 {GGUF_KEY_KEY_LENGTH, shape->channels / shape->heads},
                 {GGUF_KEY_VALUE_LENGTH, shape->channels / shape->heads}};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed && status == GPT_OK; i++) {
        status = check_number(h, fixed[i].key, fixed[i].wanted, error);
    }
    return status;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

/* X(number, name): the tensor types of ggml that are refused, and their names for the error. */
#define TYPES(X)                                                                                   \
    X(2, "Q4_0")                                                                                   \
    X(3, "Q4_1")                                                                                   \
    X(6, "Q5_0")                                                                                   \
    X(7, "Q5_1")                                                                                   \
    X(9, "Q8_1")                                                                                   \
    X(10, "Q2_K")                                                                                  \
    X(11, "Q3_K")                                                                                  \
    X(12, "Q4_K")                                                                                  \
    X(13, "Q5_K")                                                                                  \
    X(14, "Q6_K")                                                                                  \
    X(15, "Q8_K")                                                                                  \
    X(16, "IQ2_XXS")                                                                               \
    X(17, "IQ2_XS")                                                                                \
    X(18, "IQ3_XXS")                                                                               \
    X(19, "IQ1_S")                                                                                 \
    X(20, "IQ4_NL")                                                                                \
    X(21, "IQ3_S")                                                                                 \
    X(22, "IQ2_S")                                                                                 \
    X(23, "IQ4_XS")                                                                                \
    X(24, "I8")                                                                                    \
    X(25, "I16")                                                                                   \
    X(26, "I32")                                                                                   \
    X(27, "I64")                                                                                   \
    X(28, "F64")                                                                                   \
    X(29, "IQ1_M")                                                                                 \
    X(34, "TQ1_0")                                                                                 \
    X(35, "TQ2_0")                                                                                 \
    X(39, "MXFP4")

static int refuse_type(uint32_t type, const char *of, gpt_error *error) {
    static const struct {
        uint32_t number;
        const char *name;
    } NAMES[] = {
#define TYPE_NAME(number, name) {number, name},
        TYPES(TYPE_NAME)
#undef TYPE_NAME
    };
    char detail[sizeof error->name];
    text_buffer out = text_begin(detail, sizeof detail);
    text_put(&out, of);
    text_put(&out, " ");
    const char *name = "type ";
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        name = NAMES[i].number == type ? NAMES[i].name : name;
    }
    text_put(&out, name);
    if (strcmp(name, "type ") == 0) {
        text_put_whole(&out, type);
    }
    text_end(&out);
    return gpt_fail_name(error, GPT_E_UNSUPPORTED, detail);
}

static int our_type(uint32_t type) {
    return type == GGML_F32    ? FILE_F32
           : type == GGML_F16  ? FILE_F16
           : type == GGML_BF16 ? FILE_BF16
           : type == GGML_Q8_0 ? FOREIGN_Q8_0
                               : -1;
}

/* A row of the table of tensors. */
typedef struct table_row {
    char name[GGUF_NAME_MAX];
    uint64_t dimensions, sizes[DIMENSIONS_MAX];
    uint32_t type;
    uint64_t offset; /* from the beginning of the tensors' data */
} table_row;

/* Reads the row of the table at the cursor. A read cannot go out of bounds, because
 * gguf_read_header has read the whole table before. Errors: GPT_E_FILE (the name),
 * GPT_E_TENSOR_SHAPE. */
static int read_row(gguf_cursor *c, table_row *row, gpt_error *error) {
    gguf_span name = gguf_string(c);
    memset(row, 0, sizeof *row);
    if (!name.bytes || name.bytes >= sizeof row->name ||
        !utf8_is_valid((const unsigned char *)name.text, (size_t)name.bytes)) {
        return gpt_fail_name(error, GPT_E_FILE, "header");
    }
    memcpy(row->name, name.text, (size_t)name.bytes);
    row->dimensions = gguf_whole(c, 4);
    if (!row->dimensions || row->dimensions > DIMENSIONS_MAX) {
        return gpt_fail_name(error, GPT_E_TENSOR_SHAPE, row->name);
    }
    for (uint64_t i = 0; i < row->dimensions; i++) {
        row->sizes[i] = gguf_whole(c, 8);
    }
    row->type = (uint32_t)gguf_whole(c, 4);
    row->offset = gguf_whole(c, 8);
    return GPT_OK;
}

/* Searches the table for the row of the tensor `name` and copies it to `*row`; `*found` is false if
 * the table lacks it. Errors: GPT_E_TENSOR_TWICE if two rows have this name. */
static int find_row(const gguf_header *h, const unsigned char *bytes, const char *name,
                    table_row *row, bool *found, gpt_error *error) {
    gguf_cursor c = {
        .bytes = bytes, .at = h->table, .prefix_bytes = UINT64_MAX, .file_bytes = UINT64_MAX};
    *found = false;
    for (uint64_t i = 0; i < h->tensors; i++) {
        table_row next = {0};
        int status = read_row(&c, &next, error);
        if (status < 0) {
            return status;
        }
        if (strcmp(next.name, name) != 0) {
            continue;
        }
        if (*found) {
            return gpt_fail_name(error, GPT_E_TENSOR_TWICE, name);
        }
        *row = next;
        *found = true;
    }
    return GPT_OK;
}

static int add_tensor(foreign_reader *r, const gguf_header *h, const param *p, const gguf_weight *w,
                      const table_row *row, uint64_t alignment, gpt_error *error) {
    if (row->sizes[0] != w->columns || row->dimensions != (w->rows ? 2 : 1) ||
        (w->rows && row->sizes[1] != w->rows)) {
        return gpt_fail_name(error, GPT_E_TENSOR_SHAPE, w->name);
    }
    if (our_type(row->type) < 0) {
        return refuse_type(row->type, w->name, error);
    }
    foreign_tensor *s = reader_add_tensor(r, p->name, strlen(p->name), error);
    if (!s) {
        return error->status;
    }
    s->type = our_type(row->type);
    s->rows = w->rows;
    s->columns = w->columns;
    s->transposed = w->transposed;
    if (s->type == FOREIGN_Q8_0 && s->columns % Q8_0_NUMBERS) {
        return gpt_fail_name(error, GPT_E_TENSOR_SHAPE, w->name);
    }
    uint64_t bytes = foreign_tensor_bytes(s);
    if (row->offset % alignment) {
        return gpt_fail_name(error, GPT_E_TENSOR_PLACE, w->name);
    }
    if (h->data > r->file_bytes || bytes > r->file_bytes - h->data ||
        row->offset > r->file_bytes - h->data - bytes) {
        return gpt_fail(error, GPT_E_TRUNCATED, "", (double)r->file_bytes,
                        (double)h->data + (double)row->offset + (double)bytes, 0);
    }
    s->begin = h->data + row->offset;
    return GPT_OK;
}

static int compare_places(const void *a, const void *b) {
    uint64_t x = ((const foreign_tensor *)a)->begin, y = ((const foreign_tensor *)b)->begin;
    return x < y ? -1 : x > y;
}

/* Sorts the tensors by offset, so that the file is read once from front to back. Errors:
 * GPT_E_TENSOR_PLACE if two tensors overlap. */
static int check_places(foreign_reader *r, gpt_error *error) {
    qsort(r->sources, r->count, sizeof *r->sources, compare_places);
    for (size_t i = 0; i + 1 < r->count; i++) {
        const foreign_tensor *s = &r->sources[i];
        if (s->begin + foreign_tensor_bytes(s) > s[1].begin) {
            return gpt_fail_name(error, GPT_E_TENSOR_PLACE, s[1].name);
        }
    }
    return GPT_OK;
}

/* Refuses a table that has more rows than the model has parameters (weights->count). Among its
 * first weights->count + 1 rows, one has an unknown name (GPT_E_TENSOR_EXTRA) or two have the same
 * name (GPT_E_TENSOR_TWICE); the error states that name. */
static int refuse_extra(const gguf_header *h, const unsigned char *bytes, const model *weights,
                        gpt_error *error) {
    gguf_cursor c = {
        .bytes = bytes, .at = h->table, .prefix_bytes = UINT64_MAX, .file_bytes = UINT64_MAX};
    table_row row = {0};
    for (int i = 0; i <= weights->count; i++) {
        int status = read_row(&c, &row, error);
        bool known = false;
        for (int k = 0; k < weights->count && status == GPT_OK && !known; k++) {
            gguf_weight w = gguf_weight_of(&weights->params[k]);
            known = strcmp(w.name, row.name) == 0;
        }
        if (status < 0 || !known) {
            return status < 0 ? status : gpt_fail_name(error, GPT_E_TENSOR_EXTRA, row.name);
        }
    }
    gguf_header first = *h;
    first.tensors = (uint64_t)weights->count + 1;
    int status = GPT_OK;
    for (int k = 0; k < weights->count && status == GPT_OK; k++) {
        gguf_weight w = gguf_weight_of(&weights->params[k]);
        bool found;
        status = find_row(&first, bytes, w.name, &row, &found, error);
    }
    return status < 0 ? status : gpt_fail_name(error, GPT_E_FILE, "header");
}

static int read_tensors(foreign_reader *r, const gguf_header *h, const unsigned char *bytes,
                        uint64_t alignment, gpt_error *error) {
    const model *weights = &r->weights;
    if (h->tensors > (uint64_t)weights->count) {
        return refuse_extra(h, bytes, weights, error);
    }
    for (int i = 0; i < weights->count; i++) {
        gguf_weight w = gguf_weight_of(&weights->params[i]);
        table_row row = {0};
        bool found;
        int status = find_row(h, bytes, w.name, &row, &found, error);
        if (status == GPT_OK && !found) {
            status = gpt_fail_name(error, GPT_E_TENSOR_MISSING, w.name);
        }
        status = status < 0 ? status
                            : add_tensor(r, h, &weights->params[i], &w, &row, alignment, error);
        if (status < 0) {
            return status;
        }
    }
    return check_places(r, error);
}

/* ---- The file -------------------------------------------------------------------------------- */

/* Sets sizes, vocabulary and tensors of `r` from a complete header, which ends at offset `end` of
 * the file. `bytes` is the prefix that contains the header. */
static int use_header(foreign_reader *r, gguf_header *h, uint64_t end, const unsigned char *bytes,
                      gpt_error *error) {
    const gguf_field *field = &h->values[GGUF_KEY_ALIGNMENT];
    double alignment = field->present ? field->number : GGUF_ALIGNMENT;
    if (field->array || !(alignment >= 1 && alignment <= ALIGNMENT_MAX) ||
        ((uint64_t)alignment & ((uint64_t)alignment - 1)) != 0) {
        return gpt_fail_name(error, GPT_E_FILE, GGUF_KEYS[GGUF_KEY_ALIGNMENT]);
    }
    gpt2_shape shape = {0};
    int status = check_texts(h, false, error);
    status = status < 0 ? status : read_shape(h, &shape, error);
    status = status < 0 ? status : gguf_read_tokenizer(h, bytes, &shape, error);
    table_row head = {0};
    bool has_head = false;
    status = status < 0 ? status : find_row(h, bytes, "output.weight", &head, &has_head, error);
    shape.tied = !has_head;
    // reader_set_config also checks the ranges of the sizes
    status = status < 0 ? status : reader_set_config(r, &shape, error);
    status = status < 0 ? status : check_derived(h, &shape, error);
    if (status < 0) {
        return status;
    }
    h->data = gguf_align(end, (uint64_t)alignment);
    status = read_tensors(r, h, bytes, (uint64_t)alignment, error);
    if (status == GPT_OK && shape.vocab != 256 && shape.vocab != 257) {
        status = gguf_write_vocabulary(r, h, bytes, shape.vocab, error);
    }
    r->ready = status == GPT_OK;
    return status;
}

/* A reader_step: reads the header from a prefix, or requests a longer prefix if the header does not
 * end in this one. */
static int read_prefix(foreign_reader *r, const unsigned char *bytes, size_t count,
                       gpt_error *error) {
    gguf_cursor c = {.bytes = bytes, .prefix_bytes = count, .file_bytes = r->file_bytes};
    gguf_header h = {0};
    int status = gguf_read_header(&c, &h, error);
    status = status < 0 ? status : check_texts(&h, true, error);
    if (status < 0) {
        return status;
    }
    if (c.state == GGUF_READS) {
        return use_header(r, &h, c.at, bytes, error);
    }
    if (c.state == GGUF_TRUNCATED) {
        return gpt_fail(error, GPT_E_TRUNCATED, "", (double)r->file_bytes, c.needs, 0);
    }
    if (count == READER_BYTES_MAX) {
        return gpt_fail_name(error, GPT_E_FILE, "header");
    }
    uint64_t more = GROWTH * (uint64_t)count < READER_BYTES_MAX ? GROWTH * (uint64_t)count
                                                                : READER_BYTES_MAX;
    return reader_want(r, 0, more < r->file_bytes ? more : r->file_bytes, read_prefix, error);
}

bool gguf_is(const unsigned char *first, size_t count) {
    return count >= 4 && memcmp(first, "GGUF", 4) == 0;
}

int gguf_open(foreign_reader *r, gpt_error *error) {
    uint64_t first = r->file_bytes < FIRST_PREFIX ? r->file_bytes : FIRST_PREFIX;
    return reader_want(r, 0, first, read_prefix, error);
}
