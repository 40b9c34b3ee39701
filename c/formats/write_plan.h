/* write_plan.h - a file to be written: bytes that are known, and tensors whose numbers come later.
 *
 * Owns: the list of parts in the order of the file. A format writes its plan from a export_model; it
 * never sees a weight. Tensors go in the order in which they lie in the file of our weights, which
 * streams by once. A plan function runs twice, the first time only to measure.
 */
#ifndef GLASSHOUSE_WRITE_PLAN_H
#define GLASSHOUSE_WRITE_PLAN_H

#include "base/text_buffer.h"
#include "formats/export_model.h"

/* Texts that a client sets by name for a template, see template.c. */
enum { FIELDS_MAX = 16 };
typedef struct template_fields {
    struct {
        char *name, *text; /* own (malloc) */
    } items[FIELDS_MAX];
    size_t count;
} template_fields;

/* How a tensor goes into the file; may be joined. */
enum { PLAN_AS_IS = 0, PLAN_SWAPPED = 1, PLAN_HALF = 2 };

typedef struct plan_part {
    const file_tensor *tensor; /* NULL: bytes */
    size_t begin;              /* of the bytes, in `bytes` */
    uint64_t size;             /* of the part in the file */
    int how;
} plan_part;

typedef struct write_plan {
    const export_model *model;
    const template_fields *fields;
    text_buffer bytes; /* all known ones; text may be written straight into it */
    plan_part *parts;  /* owns */
    size_t count, capacity;
    size_t covered; /* of `bytes`, by the parts */
    uint64_t size;  /* of the parts */
    int status;     /* the first failure; nothing is put after it */
    gpt_error *error;
} write_plan;

/* Bytes of the file so far. */
uint64_t plan_size(write_plan *p);

/* Bytes, and numbers as little-endian ones. */
void plan_put(write_plan *p, const void *bytes, size_t count);
void plan_put_u32(write_plan *p, uint32_t value);
void plan_put_u64(write_plan *p, uint64_t value);
void plan_put_f32(write_plan *p, float value);

/* The text of a token: bytes in the byte alphabet of GPT-2, a special one as it stands. Returns its
 * length; 0 for a hole. */
enum { EXPORT_TOKEN_MAX = 2 * TOKEN_BYTES_MAX };
size_t export_token(const export_model *m, int id, char out[EXPORT_TOKEN_MAX]);

/* A tensor of the model. GPT_E_STATE if it lies before the last one in the file of weights. */
void plan_put_tensor(write_plan *p, const char *name, int how);

/* Refuses the recipe: GPT_E_FORMAT, naming what stands in the way ("norm rmsnorm"). */
void plan_refuse(write_plan *p, const char *why);

/* A format that goes out. Its name is what clients ask for; a text needs no tensor. */
typedef struct export_format {
    const char *name;
    void (*plan)(write_plan *p);
} export_format;

/* The one of this name, or NULL. The table is in write_plan.c: a format is one line there. */
const export_format *export_format_find(const char *name);

/* Makes the plan of `format` for the model `of`; it and `fields` are borrowed until
 * write_plan_close. GPT_E_FORMAT, what plan_put_tensor finds, GPT_E_ALLOCATION. */
int write_plan_open(write_plan *p, const export_format *format, const export_model *of,
                    const template_fields *fields, gpt_error *error);

/* Gives everything back. A zeroed plan may be closed. */
void write_plan_close(write_plan *p);

#endif
