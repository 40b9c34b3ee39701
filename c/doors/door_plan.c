/* door_plan.c - see door_plan.h. */
#include "doors/door_plan.h"

#ifndef GPT_REAL_DOUBLE

#include <stdlib.h>
#include <string.h>

#include "doors/formats.h"

static const door_format FORMATS[] = {
#define FORMAT(name, plan) {name, plan},
    DOOR_FORMATS(FORMAT)
#undef FORMAT
};

const door_format *door_find(const char *name) {
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        if (name && strcmp(FORMATS[i].name, name) == 0) {
            return &FORMATS[i];
        }
    }
    return NULL;
}

/* A new last part; NULL where there is no memory. */
static door_part *add_part(door_plan *p) {
    if (!p->parts || p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 64;
        door_part *parts = realloc(p->parts, capacity * sizeof *parts);
        if (!parts) {
            p->status = gpt_fail_allocation(p->error, capacity * sizeof *parts);
            return NULL;
        }
        p->parts = parts;
        p->capacity = capacity;
    }
    door_part *part = &p->parts[p->count++];
    memset(part, 0, sizeof *part);
    return part;
}

/* Bytes that were written since the last part are a part of the file too. */
static void cover(door_plan *p) {
    door_part *last = p->count ? &p->parts[p->count - 1] : NULL;
    size_t covered = p->covered;
    if (p->status < 0 || p->bytes.length == covered) {
        return;
    }
    if (!last || last->tensor) {
        last = add_part(p);
        if (!last) {
            return;
        }
        last->begin = covered;
    }
    last->size += p->bytes.length - covered;
    p->size += p->bytes.length - covered;
    p->covered = p->bytes.length;
}

uint64_t door_size(door_plan *p) {
    cover(p);
    return p->size;
}

void door_put(door_plan *p, const void *bytes, size_t count) {
    text_put_bytes(&p->bytes, bytes, count);
}

static void put_number(door_plan *p, uint64_t value, size_t bytes) {
    unsigned char little[8];
    for (size_t i = 0; i < bytes; i++) {
        little[i] = (unsigned char)(value >> 8 * i);
    }
    door_put(p, little, bytes);
}

void door_put_u32(door_plan *p, uint32_t value) {
    put_number(p, value, 4);
}

void door_put_u64(door_plan *p, uint64_t value) {
    put_number(p, value, 8);
}

void door_put_f32(door_plan *p, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(p, bits, 4);
}

size_t door_token(const door_model *m, int id, char out[DOOR_TOKEN_MAX]) {
    unsigned char bytes[TOKEN_BYTES_MAX];
    if (id == m->tok.bos) {
        size_t length = strlen(BPE_END_OF_TEXT);
        memcpy(out, BPE_END_OF_TEXT, length + 1);
        return length;
    }
    if (tokenizer_is_hole(&m->tok, id)) {
        return 0;
    }
    size_t count = (size_t)tokenizer_bytes(&m->tok, id, bytes), at = 0;
    if (m->special[id]) {
        memcpy(out, bytes, count);
        return count;
    }
    for (size_t i = 0; i < count; i++) {
        at += (size_t)utf8_encode(bpe_character_of_byte(bytes[i]), (unsigned char *)out + at);
    }
    return at;
}

/* The last tensor that was put, or NULL. */
static const file_tensor *last_tensor(const door_plan *p) {
    for (size_t i = p->count; i-- > 0;) {
        if (p->parts[i].tensor) {
            return p->parts[i].tensor;
        }
    }
    return NULL;
}

void door_put_tensor(door_plan *p, const char *name, uint64_t rows, uint64_t columns, int how) {
    cover(p);
    if (p->status < 0) {
        return;
    }
    const file_tensor *t = tensor_file_find(&p->model->file, "", name);
    const file_tensor *last = last_tensor(p);
    if (!t) {
        p->status = gpt_fail_name(p->error, GPT_E_TENSOR_MISSING, name);
    } else if (t->dims != (rows ? 2 : 1) || t->shape[t->dims - 1] != columns ||
               (rows && t->shape[0] != rows)) {
        p->status = gpt_fail_name(p->error, GPT_E_TENSOR_SHAPE, name);
    } else if (last && t->begin < last->end) {
        p->status = gpt_fail_name(p->error, GPT_E_STATE, name);
    } else {
        door_part *part = add_part(p);
        if (part) {
            part->tensor = t;
            part->how = how;
            part->size = (t->end - t->begin) / (how & DOOR_HALF ? 2 : 1);
            p->size += part->size;
        }
    }
}

void door_refuse(door_plan *p, const char *why) {
    if (p->status == GPT_OK) {
        p->status = gpt_fail_name(p->error, GPT_E_DOOR, why);
    }
}

int door_plan_open(door_plan *p, const door_format *format, const door_model *of,
                   const door_said *said, gpt_error *error) {
    memset(p, 0, sizeof *p);
    p->model = of;
    p->said = said;
    p->error = error;
    p->bytes = text_begin(NULL, 0);
    do {
        p->count = 0;
        p->covered = 0;
        p->size = 0;
        format->plan(p);
        cover(p);
    } while (p->status == GPT_OK && text_again(&p->bytes, error));
    if (p->status == GPT_OK && !p->bytes.out) {
        p->status = GPT_E_ALLOCATION;
    }
    int status = p->status;
    if (status < 0) {
        door_plan_close(p);
    }
    return status;
}

void door_plan_close(door_plan *p) {
    free(p->bytes.out);
    free(p->parts);
    memset(p, 0, sizeof *p);
}

#endif
