/* safetensors.c - see safetensors.h. */
#include "io/safetensors.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"

/* ---- Reading --------------------------------------------------------------------------------- */

/* Fails with GPT_E_FILE: `member` of the header is malformed. It is the name of a tensor, or
 * "__metadata__". */
static int fail_header(gpt_error *error, const char *member) {
    return gpt_fail_name(error, GPT_E_FILE, member);
}

/* Returns an ASCII letter in lower case, and any other byte unchanged. */
static int small(unsigned char letter) {
    return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

/* Returns whether a file begins like an answer of a web server: HTML, or an error as XML, JSON or
 * text. Ignores case, white space and a byte order mark. */
static bool is_server_answer(const unsigned char prefix[SAFETENSORS_PREFIX]) {
    enum { LEAST = 3 }; // characters that must match: fewer, after white space, prove nothing
    static const char *const BEGINNINGS[] = {"<!doctype", "<html",     "<?xml",     "<error>",
                                             "{\"error",  "{\"messag", "{\"detail", "{\"code\"",
                                             "{\"status", "404:not",   "notfound",  "entrynot"};
    char begin[SAFETENSORS_PREFIX];
    size_t length = 0;
    for (size_t at = memcmp(prefix, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; at < sizeof begin; at++) {
        if (!prefix[at] || !strchr(" \t\r\n", prefix[at])) {
            begin[length++] = (char)small(prefix[at]);
        }
    }
    bool found = false;
    for (size_t i = 0; i < sizeof BEGINNINGS / sizeof *BEGINNINGS; i++) {
        size_t wanted = strlen(BEGINNINGS[i]), least = wanted < length ? wanted : length;
        found |= length >= LEAST && memcmp(begin, BEGINNINGS[i], least) == 0;
    }
    return found;
}

/* torch.save writes a ZIP archive ("PK\3\4"); before PyTorch 1.6 it wrote pickles of protocol 2. */
int safetensors_mistaken_for(const unsigned char prefix[SAFETENSORS_PREFIX]) {
    if (is_server_answer(prefix)) {
        return GPT_E_FILE_WEB_PAGE;
    }
    bool pickle = memcmp(prefix, "PK\003\004", 4) == 0 || memcmp(prefix, "\x80\002", 2) == 0;
    bool pointer = memcmp(prefix, "version ", SAFETENSORS_PREFIX) == 0;
    return pointer ? GPT_E_FILE_POINTER : pickle ? GPT_E_FILE_PICKLE : GPT_E_FILE_HEADER;
}

int safetensors_header_length(const unsigned char prefix[SAFETENSORS_PREFIX], uint64_t file_bytes,
                              size_t *length, gpt_error *error) {
    uint64_t value = 0;
    for (int i = SAFETENSORS_PREFIX - 1; i >= 0; i--) {
        value = value << 8 | prefix[i];
    }
    // The caller allocates `value` bytes: the file and SAFETENSORS_HEADER_MAX must limit them.
    if (file_bytes < SAFETENSORS_PREFIX || value > file_bytes - SAFETENSORS_PREFIX || value < 2 ||
        value > SAFETENSORS_HEADER_MAX) {
        return gpt_fail_name(error, safetensors_mistaken_for(prefix), "");
    }
    *length = (size_t)value;
    return GPT_OK;
}

/* Reads the entry of a tensor: {"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}. Skips other
 * members. */
static int read_tensor(json_reader *r, file_tensor *t, gpt_error *error) {
    bool has_type = false, has_shape = false, has_range = false;
    if (json_next(r) != JSON_OBJECT_START) {
        return fail_header(error, t->name);
    }
    while (json_next(r) == JSON_KEY) {
        if (json_is(r, "dtype")) {
            t->type = json_next(r) == JSON_STRING ? tensor_file_type(r) : -1;
            if (t->type < 0 || has_type) {
                return fail_header(error, t->name);
            }
            has_type = true;
        } else if (json_is(r, "shape")) {
            (void)json_next(r);
            t->dims = tensor_file_numbers(r, t->shape, FILE_DIMS);
            if (t->dims < 0 || has_shape) {
                return fail_header(error, t->name);
            }
            has_shape = true;
        } else if (json_is(r, "data_offsets")) {
            uint64_t range[2];
            (void)json_next(r);
            if (tensor_file_numbers(r, range, 2) != 2 || has_range) {
                return fail_header(error, t->name);
            }
            t->begin = range[0];
            t->end = range[1];
            has_range = true;
        } else if (!json_skip(r)) {
            break;
        }
    }
    return r->type == JSON_OBJECT_END && has_type && has_shape && has_range
               ? GPT_OK
               : fail_header(error, t->name);
}

/* Checks that the value of __metadata__ is a map from strings to strings; the reader is at the
 * key. */
static int check_metadata(json_reader *r, gpt_error *error) {
    if (json_next(r) != JSON_OBJECT_START) {
        return fail_header(error, "__metadata__");
    }
    while (json_next(r) == JSON_KEY) {
        if (json_next(r) != JSON_STRING) {
            return fail_header(error, "__metadata__");
        }
    }
    return r->type == JSON_OBJECT_END ? GPT_OK : fail_header(error, "__metadata__");
}

/* Returns the number of members of a header; -1 if the header is not one valid JSON object. */
static long count_members(const char *header, size_t length) {
    json_reader r = json_open(header, length);
    long count = 0;
    if (json_next(&r) != JSON_OBJECT_START) {
        return -1;
    }
    while (json_next(&r) == JSON_KEY) {
        count++;
        if (!json_skip(&r)) {
            return -1;
        }
    }
    return r.type == JSON_OBJECT_END && json_next(&r) == JSON_END ? count : -1;
}

/* Adds the tensors of one file, whose data begin at byte `base` of the data of all files. */
static int add_tensors(tensor_file *f, const safetensors_header *header, uint64_t base,
                       gpt_error *error) {
    json_reader r = json_open(header->text, header->length);
    (void)json_next(&r);
    bool metadata = false;
    uint64_t end = 0;
    int status = GPT_OK;
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        if (json_is(&r, "__metadata__")) {
            status = metadata ? fail_header(error, "__metadata__") : check_metadata(&r, error);
            metadata = true;
            continue;
        }
        file_tensor *t = tensor_file_add(f, &r, error);
        status = t ? read_tensor(&r, t, error) : GPT_E_FILE_HEADER;
        if (status == GPT_OK) {
            end = t->end > end ? t->end : end;
            t->begin += base; // at most 256 files, each below 2^53 bytes: no overflow
            t->end += base;
        }
    }
    if (status == GPT_OK && header->name && end != header->data_bytes) {
        uint64_t before = SAFETENSORS_PREFIX + header->length;
        status = gpt_fail(error, GPT_E_PART_SIZE, header->name,
                          (double)(before + header->data_bytes), (double)(before + end), 0);
    }
    return status;
}

int safetensors_open_all(tensor_file *f, const safetensors_header *headers, int count,
                         gpt_error *error) {
    memset(f, 0, sizeof *f);
    size_t capacity = 0, header_bytes = 0;
    uint64_t data_bytes = 0;
    for (int i = 0; i < count; i++) {
        long members = count_members(headers[i].text, headers[i].length);
        if (members < 0) {
            return gpt_fail_name(error, GPT_E_FILE_HEADER, "");
        }
        capacity += (size_t)members;
        header_bytes += headers[i].length;
        data_bytes += headers[i].data_bytes;
    }
    int status = tensor_file_open(f, capacity, header_bytes, data_bytes, error);
    uint64_t base = 0;
    for (int i = 0; i < count && status == GPT_OK; i++) {
        status = add_tensors(f, &headers[i], base, error);
        base += headers[i].data_bytes;
    }
    status = status < 0 ? status : tensor_file_check(f, error);
    if (status < 0) {
        tensor_file_close(f);
    }
    return status;
}

int safetensors_open(tensor_file *f, const char *header, size_t length, uint64_t data_bytes,
                     gpt_error *error) {
    const safetensors_header only = {NULL, header, length, data_bytes};
    return safetensors_open_all(f, &only, 1, error);
}

bool safetensors_metadata(const char *header, size_t length, const char *key, json_reader *value) {
    json_reader r = json_open(header, length);
    (void)json_next(&r);
    while (json_next(&r) == JSON_KEY) {
        if (!json_is(&r, "__metadata__")) {
            if (!json_skip(&r)) {
                return false;
            }
            continue;
        }
        (void)json_next(&r);
        while (json_next(&r) == JSON_KEY) {
            bool found = json_is(&r, key);
            if (json_next(&r) == JSON_STRING && found) {
                *value = r;
                return true;
            }
        }
        return false;
    }
    return false;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static uint64_t source_bytes(const tensor_source *s) {
    return s->columns * (s->rows ? s->rows : 1) * tensor_file_type_bytes(s->type);
}

void safetensors_put_tensor(text_buffer *out, const char *name, int type, uint64_t rows,
                            uint64_t columns, uint64_t *at) {
    text_put(out, ",");
    text_put_json_string(out, name);
    text_put(out, ":{");
    text_put_string_member(out, "dtype", tensor_file_type_name(type));
    text_put(out, ",\"shape\":[");
    if (rows) {
        text_put_whole(out, rows);
        text_put(out, ",");
    }
    text_put_whole(out, columns);
    text_put(out, "],\"data_offsets\":[");
    text_put_whole(out, *at);
    text_put(out, ",");
    *at += columns * (rows ? rows : 1) * tensor_file_type_bytes(type);
    text_put_whole(out, *at);
    text_put(out, "]}");
}

void safetensors_put_end(text_buffer *out) {
    text_put(out, "}");
    while (out->length % SAFETENSORS_PREFIX) {
        text_put(out, " ");
    }
}

/* Writes eight zero bytes, which safetensors_write_open replaces with the length of the header, and
 * then the header. */
static void put_header(text_buffer *out, const metadata_entry *metadata, size_t entries,
                       const tensor_source *sources, size_t count) {
    static const char LENGTH[SAFETENSORS_PREFIX];
    uint64_t at = 0;
    text_put_bytes(out, LENGTH, SAFETENSORS_PREFIX);
    text_put(out, "{\"__metadata__\":{");
    for (size_t i = 0; i < entries; i++) {
        text_put_key(out, metadata[i].key);
        text_put_json_bytes(out, metadata[i].value, metadata[i].bytes);
    }
    text_put(out, "}");
    for (size_t i = 0; i < count; i++) {
        const tensor_source *s = &sources[i];
        safetensors_put_tensor(out, s->name, s->type, s->rows, s->columns, &at);
    }
    safetensors_put_end(out);
}

int safetensors_write_open(safetensors_writer *w, const metadata_entry *metadata, size_t entries,
                           tensor_source *sources, size_t count, gpt_error *error) {
    memset(w, 0, sizeof *w);
    w->sources = sources;
    w->count = count;
    text_buffer out = text_begin(NULL, 0);
    size_t length;
    do {
        put_header(&out, metadata, entries, sources, count);
        length = out.length - SAFETENSORS_PREFIX;
    } while (length <= SAFETENSORS_HEADER_MAX && text_again(&out, error));
    w->header = out.out;
    w->header_bytes = out.length;
    if (!w->header) { // the allocation failed, or the header is longer than readers accept
        safetensors_write_close(w);
        return length <= SAFETENSORS_HEADER_MAX
                   ? GPT_E_ALLOCATION
                   : gpt_fail(error, GPT_E_CAPACITY, "header", (double)length,
                              SAFETENSORS_HEADER_MAX, 0);
    }
    for (int i = 0; i < SAFETENSORS_PREFIX; i++) {
        w->header[i] = (char)(unsigned char)((uint64_t)length >> 8 * i);
    }
    w->size = w->header_bytes;
    for (size_t i = 0; i < count; i++) {
        w->size += source_bytes(&sources[i]);
    }
    w->begin = w->header_bytes;
    return GPT_OK;
}

size_t safetensors_write_piece(safetensors_writer *w, void *out, size_t capacity) {
    unsigned char *to = out;
    size_t written = 0;
    while (written < capacity && w->at < w->size) {
        const unsigned char *from;
        uint64_t left;
        if (w->at < w->header_bytes) {
            from = (const unsigned char *)w->header + w->at;
            left = w->header_bytes - w->at;
        } else {
            const tensor_source *s = &w->sources[w->current];
            uint64_t done = w->at - w->begin;
            left = source_bytes(s) - done;
            if (!left) {
                w->begin = w->at;
                w->current++;
                continue;
            }
            from = (const unsigned char *)s->from + (size_t)done;
        }
        size_t now = left < capacity - written ? (size_t)left : capacity - written;
        memcpy(to + written, from, now);
        written += now;
        w->at += now;
    }
    return written;
}

void safetensors_write_close(safetensors_writer *w) {
    free(w->header);
    free(w->sources);
    memset(w, 0, sizeof *w);
}
