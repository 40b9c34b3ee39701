/* write_plan.c - see write_plan.h. */
#include "formats/write_plan.h"

#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"

static const export_format FORMATS[] = {
#define FORMAT(name, plan) {name, plan},
    EXPORT_FORMATS(FORMAT)
#undef FORMAT
};

const export_format *export_format_find(const char *name) {
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        if (name && strcmp(FORMATS[i].name, name) == 0) {
            return &FORMATS[i];
        }
    }
    return NULL;
}

/* Appends an empty part and returns it; NULL, with p->status set, if memory ran out. */
static plan_part *add_part(write_plan *p) {
    if (!p->parts || p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 64;
        plan_part *parts = realloc(p->parts, capacity * sizeof *parts);
        if (!parts) {
            p->status = gpt_fail_allocation(p->error, capacity * sizeof *parts);
            return NULL;
        }
        p->parts = parts;
        p->capacity = capacity;
    }
    plan_part *part = &p->parts[p->count++];
    memset(part, 0, sizeof *part);
    return part;
}

/* Extends the last part of the plan by the bytes that p->bytes gained since the previous call.
 * Starts a new part if the plan is empty or its last part is a tensor. */
static void cover(write_plan *p) {
    plan_part *last = p->count ? &p->parts[p->count - 1] : NULL;
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

uint64_t plan_size(write_plan *p) {
    cover(p);
    return p->size;
}

void plan_put(write_plan *p, const void *bytes, size_t count) {
    text_put_bytes(&p->bytes, bytes, count);
}

static void put_number(write_plan *p, uint64_t value, size_t bytes) {
    unsigned char little[8];
    for (size_t i = 0; i < bytes; i++) {
        little[i] = (unsigned char)(value >> 8 * i);
    }
    plan_put(p, little, bytes);
}

void plan_put_u32(write_plan *p, uint32_t value) {
    put_number(p, value, 4);
}

void plan_put_u64(write_plan *p, uint64_t value) {
    put_number(p, value, 8);
}

void plan_put_f32(write_plan *p, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(p, bits, 4);
}

size_t export_token(const export_model *m, int id, char out[EXPORT_TOKEN_MAX]) {
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

/* Returns the last tensor of the plan, or NULL. */
static const file_tensor *last_tensor(const write_plan *p) {
    for (size_t i = p->count; i-- > 0;) {
        if (p->parts[i].tensor) {
            return p->parts[i].tensor;
        }
    }
    return NULL;
}

void plan_put_tensor(write_plan *p, const char *name, int how) {
    cover(p);
    if (p->status < 0) {
        return;
    }
    const file_tensor *t = tensor_file_find(&p->model->file, "", name);
    const file_tensor *last = last_tensor(p);
    plan_part *part = t && !(last && t->begin < last->end) ? add_part(p) : NULL;
    if (part) {
        part->tensor = t;
        part->how = how;
        part->size = (t->end - t->begin) / (how & PLAN_HALF ? 2 : 1);
        p->size += part->size;
    } else if (p->status == GPT_OK) {
        p->status = gpt_fail_name(p->error, GPT_E_STATE, name);
    }
}

void plan_refuse(write_plan *p, const char *why) {
    if (p->status == GPT_OK) {
        p->status = gpt_fail_name(p->error, GPT_E_FORMAT, why);
    }
}

/* Refuses a plan that contains some tensors of the model but not all: the format does not know the
 * parameter that is missing. A plan without tensors (a text file) is complete. */
static void check_all(write_plan *p) {
    const tensor_file *f = &p->model->file;
    size_t at = 0;
    for (size_t i = 0; i < p->count; i++) {
        at += p->parts[i].tensor == &f->tensors[at];
    }
    if (last_tensor(p) && at < f->count) {
        plan_refuse(p, f->tensors[at].name);
    }
}

int write_plan_open(write_plan *p, const export_format *format, const export_model *of,
                    const template_fields *fields, gpt_error *error) {
    memset(p, 0, sizeof *p);
    p->model = of;
    p->fields = fields;
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
    check_all(p);
    int status = p->status;
    if (status < 0) {
        write_plan_close(p);
    }
    return status;
}

void write_plan_close(write_plan *p) {
    free(p->bytes.out);
    free(p->parts);
    memset(p, 0, sizeof *p);
}
