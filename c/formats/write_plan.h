/* write_plan.h - the plan of an exported file: known bytes, and tensors whose numbers follow later.
 *
 * A format writes its plan from an export_model and never sees a weight; export.c then writes the
 * parts in order. Invariant: the tensors of a plan are in the order of the weights file, which is
 * read only once. A plan function runs twice, the first time only to measure its bytes.
 */
#ifndef GLASSHOUSE_WRITE_PLAN_H
#define GLASSHOUSE_WRITE_PLAN_H

#include "base/text_buffer.h"
#include "formats/export_model.h"

/* Texts that the client sets by name, for a template (template.c). */
enum { FIELDS_MAX = 16 };
typedef struct template_fields {
    struct {
        char *name, *text; /* owned (malloc) */
    } items[FIELDS_MAX];
    size_t count;
} template_fields;

/* How a tensor is written: transposed (PLAN_SWAPPED), as F16 (PLAN_HALF), or both. */
enum { PLAN_AS_IS = 0, PLAN_SWAPPED = 1, PLAN_HALF = 2 };

typedef struct plan_part {
    const file_tensor *tensor; /* NULL: the part is bytes */
    size_t begin;              /* offset of the bytes in write_plan.bytes */
    uint64_t size;             /* bytes of the part in the file */
    int how;                   /* PLAN_... of a tensor */
} plan_part;

typedef struct write_plan {
    const export_model *model;
    const template_fields *fields;
    text_buffer bytes; /* all known bytes; a format may also append text to it directly */
    plan_part *parts;  /* owned */
    size_t count, capacity;
    size_t covered; /* bytes of `bytes` that belong to a part already */
    uint64_t size;  /* bytes of all parts in the file */
    int status;     /* the first failure; later calls add no part */
    gpt_error *error;
} write_plan;

/* Returns the bytes of the file so far. */
uint64_t plan_size(write_plan *p);

/* Append bytes, or a little-endian number. */
void plan_put(write_plan *p, const void *bytes, size_t count);
void plan_put_u32(write_plan *p, uint32_t value);
void plan_put_u64(write_plan *p, uint64_t value);
void plan_put_f32(write_plan *p, float value);

/* Writes the text of a token: a special token as it is, any other in GPT-2's byte alphabet (bpe.h).
 * Returns its length in bytes, 0 for a hole. The text may lack a NUL. */
enum { EXPORT_TOKEN_MAX = 2 * TOKEN_BYTES_MAX };
size_t export_token(const export_model *m, int id, char out[EXPORT_TOKEN_MAX]);

/* Appends a tensor of the model, written as `how` says. GPT_E_STATE in p->status if the model has
 * no such tensor, or if it lies before the previous one in the weights file. */
void plan_put_tensor(write_plan *p, const char *name, int how);

/* Sets p->status to GPT_E_FORMAT, named by the options that the format cannot express ("norm
 * rmsnorm"). Keeps an earlier failure. */
void plan_refuse(write_plan *p, const char *why);

/* A line of EXPORT_FORMATS (formats.h). */
typedef struct export_format {
    const char *name;
    void (*plan)(write_plan *p);
} export_format;

/* Returns the format of this name; NULL if `name` is NULL or unknown. */
const export_format *export_format_find(const char *name);

/* Writes the plan of `format` for the model `of`; `of`, `fields` and `error` are borrowed until
 * write_plan_close. Closes `p` on failure. GPT_E_FORMAT (the format cannot express the recipe, or
 * leaves out a parameter), GPT_E_STATE (plan_put_tensor), GPT_E_ALLOCATION. */
int write_plan_open(write_plan *p, const export_format *format, const export_model *of,
                    const template_fields *fields, gpt_error *error);

/* Frees the plan and zeroes it. A zeroed plan may be closed. */
void write_plan_close(write_plan *p);

#endif
