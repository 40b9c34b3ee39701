/* export.h - exports a model: streams one of our weights files in and a file of another program's
 * format out.
 *
 * The caller alternates format_export_feed and format_export_read until format_export_done. The
 * header of the weights becomes an export_model; from it the format writes a plan, whose parts are
 * then written in order. Invariant: of the numbers, at most one piece is in memory, or one whole
 * tensor if it is transposed.
 */
#ifndef GLASSHOUSE_EXPORT_H
#define GLASSHOUSE_EXPORT_H

#include "formats/write_plan.h"
#include "formats/tensor_converter.h"

typedef struct format_export {
    const export_format *format;
    uint64_t data_bytes; /* of the weights file; after its prefix was read, of the data alone */
    unsigned char prefix[SAFETENSORS_PREFIX];
    size_t prefix_at; /* bytes of it that were fed */
    char *header;     /* owned; NULL before the prefix was read and after the header was parsed */
    size_t header_bytes, header_at; /* its length, and the bytes of it that were fed */
    bool planned;                   /* `model` and `plan` are open */
    export_model model;
    template_fields fields;
    write_plan plan;
    size_t part;      /* index of the part that is written next */
    uint64_t given;   /* if it is bytes: how many of them were written */
    uint64_t data_at; /* data bytes that were fed */
    bool converting;  /* `converter` is open for the tensor of `part` */
    converter converter;
    gpt_error *error;
} format_export;

/* Starts an export to `format` from a weights file of `file_bytes`, as gpt_save_open("weights")
 * writes it. `format` and `error` are borrowed until format_export_close, which frees everything
 * else. */
void format_export_open(format_export *e, const export_format *format, uint64_t file_bytes,
                        gpt_error *error);
void format_export_close(format_export *e);

/* Adds a field for a template (template.c); copies both texts. Must be called before the first
 * bytes are fed. False if there are FIELDS_MAX fields already, or if memory ran out. */
bool format_export_set_field(format_export *e, const char *name, const char *text);

/* Reads the next bytes of the weights. Returns how many it read: fewer than `count` if output must
 * be read first or the data have ended. Errors of safetensors_header_length, export_model_open and
 * write_plan_open; GPT_E_ALLOCATION. */
int64_t format_export_feed(format_export *e, const unsigned char *from, size_t count);

/* Writes the next bytes of the exported file to `out`; `capacity` is at least 128. Returns how
 * many, 0 if more weights must be fed first or the file is complete. GPT_E_TENSOR_NUMBER (see
 * converter_read). */
int64_t format_export_read(format_export *e, unsigned char *out, size_t capacity);

/* Whether the whole file was written. */
bool format_export_done(const format_export *e);

#endif
