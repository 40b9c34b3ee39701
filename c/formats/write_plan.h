/* write_plan.h - the plan of an exported file: bytes that are known now, and tensors whose numbers
 * follow later.
 *
 * A format writes its plan from an export_model and never reads a weight; export.c then writes the
 * parts in order. Invariant: the tensors of a plan are in the order of the weights file, which is
 * read only once. The function that writes a plan runs twice, the first time only to count its
 * bytes.
 */
#ifndef GLASSHOUSE_WRITE_PLAN_H
#define GLASSHOUSE_WRITE_PLAN_H

#include "base/text_buffer.h"
#include "formats/export_model.h"

/* Texts that the client sets by name, for use in a template (template.c). */
enum { FIELDS_MAX = 16 };
typedef struct template_fields {
    struct {
        char *name, *text; /* owned (malloc) */
    } items[FIELDS_MAX];
    size_t count;
} template_fields;

/* How a tensor is written: transposed (PLAN_TRANSPOSED), as F16 (PLAN_HALF), or both. */
enum { PLAN_AS_IS = 0, PLAN_TRANSPOSED = 1, PLAN_HALF = 2 };

typedef struct plan_part {
    const file_tensor *tensor; /* NULL: the part is bytes */
    size_t begin;              /* offset in write_plan.bytes, if the part is bytes */
    uint64_t size;             /* bytes of the part in the file */
    int how;                   /* PLAN_..., if the part is a tensor */
} plan_part;

typedef struct write_plan {
    const export_model *model;
    const template_fields *fields;
    text_buffer bytes; /* bytes of all parts but tensors; a format may also append text directly */
    plan_part *parts;  /* owned */
    size_t count, capacity;
    size_t covered; /* how many bytes of `bytes` already belong to a part */
    uint64_t size;  /* total size of the parts in the file, in bytes */
    int status;     /* GPT_OK or the first failure, after which no part is added */
    gpt_error *error;
} write_plan;

/* Returns the size in bytes of all parts so far. */
uint64_t plan_size(write_plan *p);

/* Append `count` bytes, or a number in little-endian order. */
void plan_put(write_plan *p, const void *bytes, size_t count);
void plan_put_u32(write_plan *p, uint32_t value);
void plan_put_u64(write_plan *p, uint64_t value);
void plan_put_f32(write_plan *p, float value);

/* Longest text of a token in bytes: the byte alphabet has at most two bytes per byte. */
enum { EXPORT_TOKEN_MAX = 2 * TOKEN_BYTES_MAX };

/* Writes the text of a token: a special token as plain text, any other token in GPT-2's byte
 * alphabet (bpe.h). Returns the length of the text in bytes; 0 if the vocabulary has no token `id`
 * (a hole). The text need not end with a NUL. */
size_t export_token(const export_model *m, int id, char out[EXPORT_TOKEN_MAX]);

/* Appends the model's tensor `name`, written as `how` (PLAN_...) states. Sets p->status to
 * GPT_E_STATE if the model has no such tensor, or if the weights file has it before the plan's last
 * tensor. */
void plan_put_tensor(write_plan *p, const char *name, int how);

/* Sets p->status to GPT_E_FORMAT, named `why`: the options that the format cannot express ("norm
 * rmsnorm"). Does nothing after an earlier failure. */
void plan_refuse(write_plan *p, const char *why);

/* A line of EXPORT_FORMATS (formats.h). */
typedef struct export_format {
    const char *name;
    void (*plan)(write_plan *p);
} export_format;

/* Returns the format of this name; NULL if `name` is NULL or unknown. */
const export_format *export_format_find(const char *name);

/* Writes the plan of `format` for the model `of`; `of`, `fields` and `error` are borrowed until
 * write_plan_close. Closes `p` on failure. Errors: GPT_E_FORMAT (the format cannot express the
 * recipe, or leaves out a parameter), GPT_E_STATE (plan_put_tensor), GPT_E_ALLOCATION. */
int write_plan_open(write_plan *p, const export_format *format, const export_model *of,
                    const template_fields *fields, gpt_error *error);

/* Frees the plan and zeroes it. A zeroed plan may be closed. */
void write_plan_close(write_plan *p);

#endif
