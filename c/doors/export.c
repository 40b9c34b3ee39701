/* export.c - see export.h. */
#include "doors/export.h"

#ifndef GPT_REAL_DOUBLE

#include <stdlib.h>
#include <string.h>

void door_export_open(door_export *e, const door_format *format, uint64_t file_bytes,
                      gpt_error *error) {
    memset(e, 0, offsetof(door_export, pump));
    e->pump.whole = NULL;
    e->format = format;
    e->data_bytes = file_bytes;
    e->error = error;
}

void door_export_close(door_export *e) {
    free(e->header);
    pump_close(&e->pump);
    door_plan_close(&e->plan);
    door_model_close(&e->model);
    e->header = NULL;
#define FREE(name) free(e->said.name);
    DOOR_SAYINGS(FREE)
#undef FREE
}

bool door_export_say(door_export *e, const char *what, const char *text) {
    char **place = NULL;
#define PLACE(name)                                                                                \
    if (strcmp(what, #name) == 0) {                                                                \
        place = &e->said.name;                                                                     \
    }
    DOOR_SAYINGS(PLACE)
#undef PLACE
    char *copy = place ? malloc(strlen(text) + 1) : NULL;
    if (copy) {
        memcpy(copy, text, strlen(text) + 1);
        free(*place);
        *place = copy;
    }
    return copy != NULL;
}

bool door_export_done(const door_export *e) {
    return e->planned && e->part == e->plan.count;
}

/* ---- The header ------------------------------------------------------------------------------ */

static int read_prefix(door_export *e) {
    int status = safetensors_header_length(e->prefix, e->data_bytes, &e->header_bytes, e->error);
    if (status < 0) {
        return status;
    }
    e->data_bytes -= SAFETENSORS_PREFIX + e->header_bytes;
    e->header = malloc(e->header_bytes + 1);
    return e->header ? GPT_OK : gpt_fail_allocation(e->error, e->header_bytes);
}

static int read_header(door_export *e) {
    int status = door_model_open(&e->model, e->header, e->header_bytes, e->data_bytes, e->error);
    free(e->header);
    e->header = NULL;
    status = status < 0 ? status
                        : door_plan_open(&e->plan, e->format, &e->model, &e->said, e->error);
    e->planned = status == GPT_OK;
    return status;
}

static int64_t feed_header(door_export *e, const unsigned char *from, size_t count) {
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

/* ---- The numbers ----------------------------------------------------------------------------- */

/* The tensor that goes next, once all before it has gone; NULL: bytes, or none. */
static const file_tensor *tensor_now(const door_export *e) {
    return door_export_done(e) ? NULL : e->plan.parts[e->part].tensor;
}

/* The next tensor that is wanted, or NULL. */
static const file_tensor *tensor_wanted(const door_export *e) {
    for (size_t i = e->part; i < e->plan.count; i++) {
        if (e->plan.parts[i].tensor) {
            return e->plan.parts[i].tensor;
        }
    }
    return NULL;
}

static int start_tensor(door_export *e) {
    const door_part *part = &e->plan.parts[e->part];
    const file_tensor *t = part->tensor;
    uint64_t rows = t->dims == 2 ? t->shape[0] : 0;
    int status = pump_open(&e->pump, t->name, part->how & DOOR_HALF ? PUMP_TO_HALF : PUMP_COPY,
                           part->how & DOOR_SWAPPED, rows, t->shape[t->dims - 1], sizeof(float),
                           e->error);
    e->pumping = status == GPT_OK;
    return status;
}

int64_t door_export_feed(door_export *e, const unsigned char *from, size_t count) {
    if (!e->planned) {
        return feed_header(e, from, count);
    }
    const file_tensor *wanted = tensor_wanted(e);
    if (!wanted || e->data_at < wanted->begin) { // of what the format has no use for
        uint64_t skip = (wanted ? wanted->begin : e->data_bytes) - e->data_at;
        size_t now = skip < count ? (size_t)skip : count;
        e->data_at += now;
        return (int64_t)now;
    }
    if (tensor_now(e) != wanted) { // bytes go first
        return 0;
    }
    if (!e->pumping) {
        int status = start_tensor(e);
        if (status < 0) {
            return status;
        }
    }
    size_t now = pump_feed(&e->pump, from, count);
    e->data_at += now;
    return (int64_t)now;
}

int64_t door_export_take(door_export *e, unsigned char *out, size_t capacity) {
    size_t given = 0;
    while (e->planned && given < capacity && e->part < e->plan.count) {
        const door_part *part = &e->plan.parts[e->part];
        if (!part->tensor) {
            uint64_t left = part->size - e->given;
            size_t now = left < capacity - given ? (size_t)left : capacity - given;
            memcpy(out + given, e->plan.bytes.out + part->begin + (size_t)e->given, now);
            e->given += now;
            given += now;
            if (e->given == part->size) {
                e->given = 0;
                e->part++;
            }
            continue;
        }
        int64_t now = e->pumping ? pump_take(&e->pump, out + given, capacity - given, e->error) : 0;
        if (now < 0) {
            return now;
        }
        given += (size_t)now;
        if (e->pumping && pump_done(&e->pump)) {
            pump_close(&e->pump);
            e->pumping = false;
            e->part++;
        } else if (now == 0) {
            break;
        }
    }
    return (int64_t)given;
}

#endif
