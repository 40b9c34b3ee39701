/* import.c - see import.h. Also defines the functions of foreign_reader.h, which all readers
 * share. */
#include "formats/import.h"

#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"
#include "formats/gpt2.h"
#include "formats/gpt2_weights.h"
#include "io/safetensors.h"

static const struct {
    const char *name;
    bool (*is)(const unsigned char *first, size_t count);
    int (*open)(foreign_reader *r, gpt_error *error);
} READERS[] = {
#define READER(name, is, open) {name, is, open},
    IMPORT_FORMATS(READER)
#undef READER
};

/* ---- Functions that readers share ------------------------------------------------------------ */

int reader_want(foreign_reader *r, uint64_t at, uint64_t bytes, reader_step *step,
                gpt_error *error) {
    if (at > r->file_bytes || bytes > r->file_bytes - at) {
        return gpt_fail(error, GPT_E_TRUNCATED, "", (double)r->file_bytes, (double)(at + bytes), 0);
    }
    if (!bytes || bytes > READER_BYTES_MAX) {
        return gpt_fail_name(error, GPT_E_FILE, "header");
    }
    r->want_at = at;
    r->want_bytes = bytes;
    r->step = step;
    return GPT_OK;
}

foreign_tensor *reader_add_tensor(foreign_reader *r, const char *name, size_t length,
                                  gpt_error *error) {
    if (!length || length >= FILE_NAME_MAX || memchr(name, 0, length) ||
        r->count == READER_TENSORS_MAX) {
        (void)gpt_fail_name(error, GPT_E_FILE, "tensors");
        return NULL;
    }
    if (r->count == r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 64;
        foreign_tensor *sources = realloc(r->sources, capacity * sizeof *sources);
        if (!sources) {
            (void)gpt_fail_allocation(error, capacity * sizeof *sources);
            return NULL;
        }
        r->sources = sources;
        r->capacity = capacity;
    }
    foreign_tensor *s = &r->sources[r->count++];
    memset(s, 0, sizeof *s);
    memcpy(s->name, name, length);
    return s;
}

static uint64_t numbers_of(const foreign_tensor *s) {
    uint64_t rows = s->rows ? s->rows : 1;
    return s->columns > UINT64_MAX / 256 / rows ? UINT64_MAX : rows * s->columns;
}

uint64_t foreign_tensor_bytes(const foreign_tensor *s) {
    uint64_t numbers = numbers_of(s);
    if (numbers == UINT64_MAX) {
        return UINT64_MAX;
    }
    return s->type == FOREIGN_Q8_0 ? numbers / Q8_0_NUMBERS * Q8_0_BYTES
                                   : numbers * tensor_file_type_bytes(s->type);
}

int reader_set_config(foreign_reader *r, const gpt2_shape *shape, gpt_error *error) {
    const struct {
        const char *option;
        double value;
    } options[] = {{"layers", shape->layers},
                   {"heads", shape->heads},
                   {"channels", shape->channels},
                   {"context", shape->context}};
    config c;
    (void)config_from_preset(&c, CONFIG_PRESETS[PRESET_GPT2], NULL);
    c.value[OPT_TIED_HEAD] = shape->tied;
    int status = GPT_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options && status == GPT_OK; i++) {
        status = config_set(&c, options[i].option, options[i].value, error);
    }
    if (status == GPT_OK && shape->epsilon > 0) {
        status = config_set(&c, CONFIG_ROWS[OPT_NORM_EPSILON].name, shape->epsilon, error);
    }
    if (status < 0) {
        return status;
    }
    text_buffer out = text_begin(NULL, 0);
    do {
        gpt2_write_config(&out, &c, shape->vocab, shape->bos);
    } while (text_again(&out, error));
    free(r->config);
    r->config = out.out;
    model_close(&r->weights);
    return r->config ? gpt2_open_weights(&r->weights, &c, shape->vocab, error) : GPT_E_ALLOCATION;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Returns the index in READERS of the reader that recognises the first bytes of a file, or -1. */
static int find_reader(const unsigned char *first, size_t count) {
    for (size_t i = 0; i < sizeof READERS / sizeof *READERS; i++) {
        if (READERS[i].is(first, count)) {
            return (int)i;
        }
    }
    return -1;
}

bool format_import_knows(const unsigned char *first, size_t count) {
    return find_reader(first, count) >= 0;
}

static int choose_reader(foreign_reader *r, const unsigned char *bytes, size_t count,
                         gpt_error *error) {
    int reader = find_reader(bytes, count);
    if (reader >= 0) {
        return READERS[reader].open(r, error);
    }
    int status = count < SAFETENSORS_PREFIX ? GPT_E_FILE_HEADER : safetensors_mistaken_for(bytes);
    return status == GPT_E_FILE_HEADER ? gpt_fail_name(error, GPT_E_FILE, "kind")
                                       : gpt_fail_name(error, status, "");
}

void format_import_open(format_import *i, uint64_t file_bytes, gpt_error *error) {
    memset(i, 0, offsetof(format_import, converter));
    i->converter.whole = NULL;
    i->error = error;
    i->reader.file_bytes = file_bytes;
    i->reader.want_bytes = file_bytes < READER_FIRST_BYTES ? file_bytes : READER_FIRST_BYTES;
    i->reader.step = choose_reader;
}

static void end_reading(foreign_reader *r) {
    if (r->close) {
        r->close(r);
    }
    r->close = NULL;
    r->own = NULL;
}

void format_import_close(format_import *i) {
    foreign_reader *r = &i->reader;
    end_reading(r);
    model_close(&r->weights);
    free(r->sources);
    free(r->config);
    free(r->vocab);
    free(r->merges);
    free(r->added);
    free(i->fed);
    free(i->header);
    converter_close(&i->converter);
    memset(i, 0, offsetof(format_import, converter));
}

/* ---- The header of model.safetensors --------------------------------------------------------- */

static int out_type(const foreign_tensor *s) {
    return s->type == FOREIGN_Q8_0 ? FILE_F32 : s->type;
}

static void put_header(text_buffer *out, const foreign_reader *r, uint64_t *data_bytes) {
    uint64_t at = 0;
    text_put(out, "{\"__metadata__\":{\"format\":\"pt\"}");
    for (size_t i = 0; i < r->count; i++) {
        const foreign_tensor *s = &r->sources[i];
        bool transposed = s->rows && s->transposed;
        safetensors_put_tensor(out, s->name, out_type(s), transposed ? s->columns : s->rows,
                               transposed ? s->rows : s->columns, &at);
    }
    safetensors_put_end(out);
    *data_bytes = at;
}

/* Checks that every tensor is within the file, and that all tensors together have at most twice the
 * bytes of the file, so that a small file cannot become a large one. They may have more bytes than
 * the file, because two names may share a storage (a tied head) and tensors of zeros are not in the
 * file. Errors: GPT_E_FILE (no tensors), GPT_E_TENSOR_BYTES. */
static int check_sources(const foreign_reader *r, gpt_error *error) {
    if (!r->count) {
        return gpt_fail_name(error, GPT_E_FILE, "tensors");
    }
    uint64_t left = 2 * r->file_bytes;
    for (size_t i = 0; i < r->count; i++) {
        const foreign_tensor *s = &r->sources[i];
        uint64_t bytes = foreign_tensor_bytes(s);
        if (!bytes || bytes > r->file_bytes || bytes > left ||
            (s->begin != FOREIGN_ZEROS && s->begin > r->file_bytes - bytes)) {
            return gpt_fail_name(error, GPT_E_TENSOR_BYTES, s->name);
        }
        left -= bytes;
    }
    return GPT_OK;
}

static int write_header(format_import *i) {
    uint64_t data_bytes = 0;
    int status = check_sources(&i->reader, i->error);
    if (status < 0) {
        return status;
    }
    static const char LENGTH[SAFETENSORS_PREFIX] = {0};
    text_buffer out = text_begin(NULL, 0);
    do {
        text_put_bytes(&out, LENGTH, sizeof LENGTH);
        put_header(&out, &i->reader, &data_bytes);
    } while (text_again(&out, i->error));
    if (!out.out) {
        return GPT_E_ALLOCATION;
    }
    i->header = out.out;
    i->header_bytes = out.length;
    for (size_t at = 0; at < sizeof LENGTH; at++) {
        i->header[at] = (char)((uint64_t)(out.length - sizeof LENGTH) >> 8 * at);
    }
    i->size = i->header_bytes + data_bytes;
    return GPT_OK;
}

/* ---- Bytes in and out ------------------------------------------------------------------------ */

/* Returns the tensor that is written next; NULL if the header is not written yet, or if all tensors
 * are written. */
static const foreign_tensor *source_now(const format_import *i) {
    bool reached = i->size && i->header_at == i->header_bytes && i->source < i->reader.count;
    return reached ? &i->reader.sources[i->source] : NULL;
}

static bool is_zeros(const foreign_tensor *s) {
    return s && s->begin == FOREIGN_ZEROS;
}

uint64_t format_import_at(const format_import *i) {
    const foreign_tensor *s = source_now(i);
    if (is_zeros(s)) {
        return 0;
    }
    return s ? s->begin + i->tensor_at : i->reader.want_at + i->fed_bytes;
}

uint64_t format_import_wants(const format_import *i) {
    if (!i->size) {
        return i->reader.want_bytes - i->fed_bytes;
    }
    const foreign_tensor *s = source_now(i);
    return s && !is_zeros(s) ? foreign_tensor_bytes(s) - i->tensor_at : 0;
}

/* Collects the bytes of the requested range. When the range is complete, runs the step that parses
 * it. Returns the number of bytes that were read from `from`, or an error. */
static int64_t feed_reader(format_import *i, const unsigned char *from, size_t count) {
    foreign_reader *r = &i->reader;
    uint64_t left = r->want_bytes - i->fed_bytes;
    size_t now = left < count ? (size_t)left : count;
    if (!i->fed) {
        i->fed = malloc((size_t)r->want_bytes + 1);
        if (!i->fed) {
            return gpt_fail_allocation(i->error, r->want_bytes);
        }
    }
    memcpy(i->fed + i->fed_bytes, from, now);
    i->fed_bytes += now;
    if (i->fed_bytes < r->want_bytes) {
        return (int64_t)now;
    }
    unsigned char *fed = i->fed;
    size_t fed_bytes = (size_t)i->fed_bytes;
    i->fed = NULL;
    i->fed_bytes = 0;
    int status = r->step(r, fed, fed_bytes, i->error);
    free(fed);
    if (status == GPT_OK && r->ready) {
        end_reading(r);
        status = write_header(i);
    }
    return status < 0 ? status : (int64_t)now;
}

int64_t format_import_feed(format_import *i, const unsigned char *from, size_t count) {
    if (!i->size) {
        return feed_reader(i, from, count);
    }
    const foreign_tensor *s = source_now(i);
    if (!s || is_zeros(s)) {
        return 0;
    }
    if (!i->converting) {
        bool blocks = s->type == FOREIGN_Q8_0;
        int status = converter_open(
            &i->converter, s->name, blocks ? CONVERT_FROM_BLOCKS : CONVERT_COPY, s->transposed,
            s->rows, s->columns, blocks ? 0 : (size_t)tensor_file_type_bytes(s->type), i->error);
        if (status < 0) {
            return status;
        }
        i->converting = true;
    }
    size_t now = converter_feed(&i->converter, from, count);
    i->tensor_at += now;
    return (int64_t)now;
}

static void end_source(format_import *i) {
    i->source++;
    i->tensor_at = 0;
}

int64_t format_import_read(format_import *i, unsigned char *out, size_t capacity) {
    size_t written = 0;
    if (!i->size) { // the requested range has no bytes only if the foreign file is empty
        return i->reader.want_bytes ? 0 : gpt_fail_name(i->error, GPT_E_FILE, "empty");
    }
    if (i->header_at < i->header_bytes) {
        size_t left = i->header_bytes - i->header_at;
        written = left < capacity ? left : capacity;
        memcpy(out, i->header + i->header_at, written);
        i->header_at += written;
    }
    if (i->converting && capacity - written >= Q8_0_NUMBERS * sizeof(float)) {
        int64_t now = converter_read(&i->converter, out + written, capacity - written, i->error);
        if (now < 0) {
            return now;
        }
        written += (size_t)now;
        if (converter_done(&i->converter)) {
            converter_close(&i->converter);
            i->converting = false;
            end_source(i);
        }
    } else if (is_zeros(source_now(i))) {
        uint64_t left = foreign_tensor_bytes(source_now(i)) - i->tensor_at;
        size_t now = left < capacity - written ? (size_t)left : capacity - written;
        memset(out + written, 0, now);
        i->tensor_at += now;
        written += now;
        if (now == left) {
            end_source(i);
        }
    }
    return (int64_t)written;
}
