/* export.c - see export.h. */
#include "formats/export.h"

#include <stdlib.h>
#include <string.h>

void format_export_open(format_export *e, const export_format *format, uint64_t file_bytes,
                        gpt_error *error) {
    memset(e, 0, offsetof(format_export, converter));
    e->converter.whole = NULL;
    e->format = format;
    e->data_bytes = file_bytes;
    e->error = error;
}

void format_export_close(format_export *e) {
    free(e->header);
    converter_close(&e->converter);
    write_plan_close(&e->plan);
    export_model_close(&e->model);
    e->header = NULL;
    for (size_t i = 0; i < e->fields.count; i++) {
        free(e->fields.items[i].name);
        free(e->fields.items[i].text);
    }
    e->fields.count = 0;
}

static char *copy_of(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

bool format_export_set_field(format_export *e, const char *name, const char *text) {
    if (e->fields.count == FIELDS_MAX) {
        return false;
    }
    char *name_copy = copy_of(name), *text_copy = copy_of(text);
    if (!name_copy || !text_copy) {
        free(name_copy);
        free(text_copy);
        return false;
    }
    e->fields.items[e->fields.count].name = name_copy;
    e->fields.items[e->fields.count++].text = text_copy;
    return true;
}

bool format_export_done(const format_export *e) {
    return e->planned && e->part == e->plan.count;
}

/* ---- The header ------------------------------------------------------------------------------ */

static int read_prefix(format_export *e) {
    int status = safetensors_header_length(e->prefix, e->data_bytes, &e->header_bytes, e->error);
    if (status < 0) {
        return status;
    }
    e->data_bytes -= SAFETENSORS_PREFIX + e->header_bytes;
    e->header = malloc(e->header_bytes + 1);
    return e->header ? GPT_OK : gpt_fail_allocation(e->error, e->header_bytes);
}

static int read_header(format_export *e) {
    int status = export_model_open(&e->model, e->header, e->header_bytes, e->data_bytes, e->error);
    free(e->header);
    e->header = NULL;
    status = status < 0 ? status
                        : write_plan_open(&e->plan, e->format, &e->model, &e->fields, e->error);
    e->planned = status == GPT_OK;
    return status;
}

static int64_t feed_header(format_export *e, const unsigned char *from, size_t count) {
    size_t taken = 0;
    int status = GPT_OK;
    while (e->prefix_at < sizeof e->prefix && taken < count && status == GPT_OK) {
        e->prefix[e->prefix_at++] = from[taken++];
        status = e->prefix_at == sizeof e->prefix ? read_prefix(e) : GPT_OK;
    }
    if (status < 0 || !e->header) {
        return status < 0 ? status : (int64_t)taken;
    }
    size_t left = e->header_bytes - e->header_at;
    size_t now = left < count - taken ? left : count - taken;
    memcpy(e->header + e->header_at, from + taken, now);
    e->header_at += now;
    status = e->header_at == e->header_bytes ? read_header(e) : GPT_OK;
    return status < 0 ? status : (int64_t)(taken + now);
}

/* ---- Parts of the plan ----------------------------------------------------------------------- */

/* Returns the tensor of the part that is written next; NULL if that part is bytes or the file is
 * complete. */
static const file_tensor *tensor_now(const format_export *e) {
    return format_export_done(e) ? NULL : e->plan.parts[e->part].tensor;
}

/* Returns the plan's next tensor that is not completely written; NULL if no tensor remains. */
static const file_tensor *tensor_wanted(const format_export *e) {
    for (size_t i = e->part; i < e->plan.count; i++) {
        if (e->plan.parts[i].tensor) {
            return e->plan.parts[i].tensor;
        }
    }
    return NULL;
}

static int start_tensor(format_export *e) {
    const plan_part *part = &e->plan.parts[e->part];
    const file_tensor *t = part->tensor;
    uint64_t rows = t->dims == 2 ? t->shape[0] : 0;
    int status = converter_open(
        &e->converter, t->name, part->how & PLAN_HALF ? CONVERT_TO_HALF : CONVERT_COPY,
        part->how & PLAN_TRANSPOSED, rows, t->shape[t->dims - 1], sizeof(float), e->error);
    e->converting = status == GPT_OK;
    return status;
}

int64_t format_export_feed(format_export *e, const unsigned char *from, size_t count) {
    if (!e->planned) {
        return feed_header(e, from, count);
    }
    const file_tensor *wanted = tensor_wanted(e);
    if (!wanted || e->data_at < wanted->begin) {
        // skips the data before the wanted tensor; all remaining data if no tensor remains
        uint64_t skip = (wanted ? wanted->begin : e->data_bytes) - e->data_at;
        size_t now = skip < count ? (size_t)skip : count;
        e->data_at += now;
        return (int64_t)now;
    }
    if (tensor_now(e) != wanted) {
        // the caller must first read the plan's bytes before the wanted tensor
        return 0;
    }
    if (!e->converting) {
        int status = start_tensor(e);
        if (status < 0) {
            return status;
        }
    }
    size_t now = converter_feed(&e->converter, from, count);
    e->data_at += now;
    return (int64_t)now;
}

int64_t format_export_read(format_export *e, unsigned char *out, size_t capacity) {
    size_t written = 0;
    while (e->planned && written < capacity && e->part < e->plan.count) {
        const plan_part *part = &e->plan.parts[e->part];
        if (!part->tensor) {
            uint64_t left = part->size - e->part_at;
            size_t now = left < capacity - written ? (size_t)left : capacity - written;
            memcpy(out + written, e->plan.bytes.out + part->begin + (size_t)e->part_at, now);
            e->part_at += now;
            written += now;
            if (e->part_at == part->size) {
                e->part_at = 0;
                e->part++;
            }
            continue;
        }
        int64_t now = e->converting ? converter_read(&e->converter, out + written,
                                                     capacity - written, e->error)
                                    : 0;
        if (now < 0) {
            return now;
        }
        written += (size_t)now;
        if (e->converting && converter_done(&e->converter)) {
            converter_close(&e->converter);
            e->converting = false;
            e->part++;
        } else if (now == 0) {
            break;
        }
    }
    return (int64_t)written;
}
