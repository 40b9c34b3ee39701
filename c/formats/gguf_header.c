/* gguf_header.c - see gguf_header.h. */
#include "formats/gguf_header.h"

#include <string.h>

#include "base/text_buffer.h"
#include "base/utf8.h"

#define KEY_NAME(symbol, key) key,
const char *const GGUF_KEYS[GGUF_KEY_COUNT] = {GGUF_READ_KEYS(KEY_NAME)};

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Whether the prefix has `count` more items of `width` bytes each after the cursor; if not, sets
 * c->state to GGUF_SHORT or GGUF_TRUNCATED. */
static bool has_pieces(gguf_cursor *c, uint64_t count, uint64_t width) {
    if (c->state != GGUF_READS) {
        return false;
    }
    if (count > (c->file_bytes - c->at) / width) {
        c->state = GGUF_TRUNCATED;
        c->needs = (double)c->at + (double)count * (double)width;
    } else if (count > (c->prefix_bytes - c->at) / width) {
        c->state = GGUF_SHORT;
    }
    return c->state == GGUF_READS;
}

bool gguf_has(gguf_cursor *c, uint64_t count) {
    return has_pieces(c, count, 1);
}

uint64_t gguf_whole(gguf_cursor *c, uint64_t width) {
    uint64_t value = 0;
    if (gguf_has(c, width)) {
        for (uint64_t i = 0; i < width; i++) {
            value |= (uint64_t)c->bytes[c->at + i] << 8 * i;
        }
        c->at += width;
    }
    return value;
}

gguf_span gguf_string(gguf_cursor *c) {
    uint64_t bytes = gguf_whole(c, 8);
    if (!gguf_has(c, bytes)) {
        return (gguf_span){"", 0};
    }
    gguf_span s = {(const char *)c->bytes + c->at, bytes};
    c->at += bytes;
    return s;
}

bool gguf_spells(gguf_span s, const char *text) {
    return s.bytes == strlen(text) && memcmp(s.text, text, (size_t)s.bytes) == 0;
}

/* ---- Keys and values ------------------------------------------------------------------------- */

/* Returns the size in bytes of a value of this type; 0 for strings and arrays, whose size varies,
 * and for unknown types. */
static uint64_t width_of(uint32_t type) {
    static const unsigned char WIDTHS[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < sizeof WIDTHS ? WIDTHS[type] : 0;
}

static double read_number(gguf_cursor *c, uint32_t type) {
    uint64_t width = width_of(type), bits = gguf_whole(c, width);
    switch (type) {
    case GGUF_I8:
        return (double)(int8_t)bits;
    case GGUF_I16:
        return (double)(int16_t)bits;
    case GGUF_I32:
        return (double)(int32_t)bits;
    case GGUF_I64:
        return (double)(int64_t)bits;
    case GGUF_F32: {
        uint32_t low = (uint32_t)bits;
        float number;
        memcpy(&number, &low, sizeof number);
        return (double)number;
    }
    case GGUF_F64: {
        double number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    default:
        return (double)bits;
    }
}

/* Reads type and count of an array and skips its items. A hostile count cannot prolong the loop
 * over strings, which stops at the end of the prefix. */
static int read_array(gguf_cursor *c, gguf_field *v, const char *key, gpt_error *error) {
    v->type = (uint32_t)gguf_whole(c, 4);
    v->count = gguf_whole(c, 8);
    v->items = c->at;
    uint64_t width = width_of(v->type);
    if (c->state != GGUF_READS) {
        return GPT_OK;
    }
    if (!width && v->type != GGUF_STRING) {
        return gpt_fail_name(error, GPT_E_FILE, key);
    }
    // every string begins with its length, so it has at least 8 bytes
    bool complete = has_pieces(c, v->count, width ? width : 8);
    if (width) {
        c->at += complete ? v->count * width : 0;
        return GPT_OK;
    }
    for (uint64_t i = 0; i < v->count && c->state == GGUF_READS; i++) {
        (void)gguf_string(c);
    }
    return GPT_OK;
}

static int read_value(gguf_cursor *c, gguf_field *v, const char *key, gpt_error *error) {
    v->type = (uint32_t)gguf_whole(c, 4);
    if (c->state != GGUF_READS) {
        return GPT_OK;
    }
    v->array = v->type == GGUF_ARRAY;
    if (v->array) {
        return read_array(c, v, key, error);
    }
    if (v->type == GGUF_STRING) {
        v->text = gguf_string(c);
    } else if (width_of(v->type)) {
        v->number = read_number(c, v->type);
    } else {
        return gpt_fail_name(error, GPT_E_FILE, key);
    }
    return GPT_OK;
}

int gguf_refuse(gpt_error *error, const char *key, const gguf_field *v) {
    char detail[sizeof error->name];
    text_buffer out = text_begin(detail, sizeof detail);
    text_put(&out, key);
    text_put(&out, " ");
    if (!v->present) {
        text_put(&out, "missing");
    } else if (v->type == GGUF_STRING && !v->array) {
        text_put_utf8(&out, (const unsigned char *)v->text.text,
                      v->text.bytes < 40 ? (size_t)v->text.bytes : 40, false);
    } else if (!v->array) {
        text_put_number(&out, v->number);
    } else {
        text_put(&out, "[...]");
    }
    text_end(&out);
    return gpt_fail_name(error, GPT_E_UNSUPPORTED, detail);
}

/* Reads a key and its value. Errors: GPT_E_FILE if the header has a key of GGUF_READ_KEYS twice. */
static int read_pair(gguf_cursor *c, gguf_header *h, gpt_error *error) {
    gguf_span key = gguf_string(c);
    gguf_field passed = {0}, *v = &passed;
    const char *name = "";
    for (int i = 0; i < GGUF_KEY_COUNT; i++) {
        if (gguf_spells(key, GGUF_KEYS[i])) {
            v = &h->values[i];
            name = GGUF_KEYS[i];
        }
    }
    if (v->present) {
        return gpt_fail_name(error, GPT_E_FILE, name);
    }
    int status = read_value(c, v, name, error);
    v->present = c->state == GGUF_READS;
    return status;
}

/* Sets h->table to the offset of the table of tensors and skips the table. */
static void read_table(gguf_cursor *c, gguf_header *h) {
    h->table = c->at;
    for (uint64_t i = 0; i < h->tensors && c->state == GGUF_READS; i++) {
        (void)gguf_string(c);
        uint64_t dimensions = gguf_whole(c, 4);
        if (gguf_has(c, 8 * dimensions + 12)) {
            c->at += 8 * dimensions + 12;
        }
    }
}

int gguf_read_header(gguf_cursor *c, gguf_header *h, gpt_error *error) {
    c->at = 4; // after the first bytes, "GGUF"
    h->version = (uint32_t)gguf_whole(c, 4);
    h->tensors = gguf_whole(c, 8);
    uint64_t pairs = gguf_whole(c, 8);
    if (c->state != GGUF_READS) {
        return GPT_OK;
    }
    // in a big-endian file the version is in the upper half of this number
    if (!(h->version & 0xFFFF)) {
        gguf_field order = {.present = true, .type = GGUF_STRING, .text = {"big-endian", 10}};
        return gguf_refuse(error, "GGUF", &order);
    }
    if (h->version != 2 && h->version != GGUF_VERSION) {
        gguf_field version = {.present = true, .number = h->version};
        return gguf_refuse(error, "GGUF version", &version);
    }
    if (h->tensors > READER_TENSORS_MAX || pairs > READER_TENSORS_MAX) {
        return gpt_fail_name(error, GPT_E_FILE, "header");
    }
    int status = GPT_OK;
    for (uint64_t i = 0; i < pairs && status == GPT_OK && c->state == GGUF_READS; i++) {
        status = read_pair(c, h, error);
    }
    if (status == GPT_OK && c->state == GGUF_READS) {
        read_table(c, h);
    }
    return status;
}
