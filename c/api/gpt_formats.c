/* gpt_formats.c - see gpt_formats.h. Checks arguments; c/formats converts. */
#include "api/gpt_formats.h"

#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/text_buffer.h"
#include "formats/export.h"
#include "formats/import.h"

struct gpt_export {
    format_export stream;
    bool failed; /* a call failed: feed and take return GPT_E_STATE */
    gpt_error error;
};

struct gpt_import {
    format_import stream;
    bool failed; /* a call failed: feed and take return GPT_E_STATE */
    gpt_error error;
};

static bool is_size(double bytes) {
    return bytes >= 0 && bytes <= CONFIG_WHOLE_MAX;
}

/* Returns `got`, a count of bytes or a negative status, as a double. Sets *failed if `got` is a
 * status. */
static double answer(bool *failed, int64_t got) {
    *failed = *failed || got < 0;
    return (double)got;
}

gpt_export *gpt_export_open(const char *form, double bytes) {
    const export_format *format = export_format_find(form);
    gpt_export *e = format && is_size(bytes) ? calloc(1, sizeof *e) : NULL;
    if (e) {
        format_export_open(&e->stream, format, (uint64_t)bytes, &e->error);
    }
    return e;
}

void gpt_export_free(gpt_export *e) {
    if (e) {
        format_export_close(&e->stream);
        free(e);
    }
}

int gpt_export_set_field(gpt_export *e, const char *what, const char *text) {
    if (!e || !what || !text || e->stream.prefix_at) {
        return GPT_E_ARGUMENT;
    }
    return format_export_set_field(&e->stream, what, text) ? GPT_OK : GPT_E_ARGUMENT;
}

double gpt_export_feed(gpt_export *e, const void *piece, size_t bytes) {
    if (!e || (!piece && bytes)) {
        return GPT_E_ARGUMENT;
    }
    return e->failed ? GPT_E_STATE
                     : answer(&e->failed, format_export_feed(&e->stream, piece, bytes));
}

int gpt_export_take(gpt_export *e, void *out, size_t capacity) {
    if (!e || !out || capacity > INT32_MAX) {
        return GPT_E_ARGUMENT;
    }
    return e->failed ? GPT_E_STATE
                     : (int)answer(&e->failed, format_export_read(&e->stream, out, capacity));
}

double gpt_export_size(const gpt_export *e) {
    return e ? (double)e->stream.plan.size : GPT_E_ARGUMENT;
}

int gpt_export_done(const gpt_export *e) {
    return e ? format_export_done(&e->stream) : GPT_E_ARGUMENT;
}

int gpt_export_error_json(const gpt_export *e, char *out, size_t capacity) {
    return handle_error_json(e ? &e->error : NULL, out, capacity);
}

int gpt_export_message(const gpt_export *e, char *out, size_t capacity) {
    return handle_message(e ? &e->error : NULL, out, capacity);
}

int gpt_import_knows(const void *first, size_t bytes) {
    return first && format_import_knows(first, bytes);
}

gpt_import *gpt_import_open(double bytes) {
    gpt_import *i = is_size(bytes) ? calloc(1, sizeof *i) : NULL;
    if (i) {
        format_import_open(&i->stream, (uint64_t)bytes, &i->error);
    }
    return i;
}

void gpt_import_free(gpt_import *i) {
    if (i) {
        format_import_close(&i->stream);
        free(i);
    }
}

double gpt_import_at(const gpt_import *i) {
    return i ? (double)format_import_at(&i->stream) : GPT_E_ARGUMENT;
}

double gpt_import_wants(const gpt_import *i) {
    return i ? (double)format_import_wants(&i->stream) : GPT_E_ARGUMENT;
}

double gpt_import_feed(gpt_import *i, const void *piece, size_t bytes) {
    if (!i || (!piece && bytes)) {
        return GPT_E_ARGUMENT;
    }
    return i->failed ? GPT_E_STATE
                     : answer(&i->failed, format_import_feed(&i->stream, piece, bytes));
}

double gpt_import_size(const gpt_import *i) {
    return i ? (double)i->stream.size : GPT_E_ARGUMENT;
}

int gpt_import_take(gpt_import *i, void *out, size_t capacity) {
    if (!i || !out || capacity > INT32_MAX) {
        return GPT_E_ARGUMENT;
    }
    return i->failed ? GPT_E_STATE
                     : (int)answer(&i->failed, format_import_read(&i->stream, out, capacity));
}

int gpt_import_text(gpt_import *i, const char *name, char *out, size_t capacity) {
    if (!i || !name) {
        return GPT_E_ARGUMENT;
    }
    const foreign_reader *r = &i->stream.reader;
    const struct {
        const char *name, *text;
    } texts[] = {{"config.json", r->config},
                 {"vocab.json", r->vocab},
                 {"merges.txt", r->merges},
                 {"added_tokens.json", r->added}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        if (strcmp(name, texts[t].name) == 0) {
            text_buffer buffer = text_begin(out, capacity);
            text_put(&buffer, texts[t].text ? texts[t].text : "");
            return text_answer(&buffer, &i->error);
        }
    }
    return gpt_fail_name(&i->error, GPT_E_ARGUMENT, "name");
}

int gpt_import_error_json(const gpt_import *i, char *out, size_t capacity) {
    return handle_error_json(i ? &i->error : NULL, out, capacity);
}

int gpt_import_message(const gpt_import *i, char *out, size_t capacity) {
    return handle_message(i ? &i->error : NULL, out, capacity);
}
