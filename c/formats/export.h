/* export.h - exports a model: reads a weights file of this engine and writes a file in another
 * program's format.
 *
 * The caller alternates format_export_feed and format_export_read until format_export_done. The
 * header of the weights file becomes an export_model; from the model the format writes a plan,
 * whose parts are then written in order. Invariant: of the weights, memory contains at most one
 * piece (CONVERT_PIECE bytes), or one whole tensor if it is transposed.
 */
#ifndef GLASSHOUSE_EXPORT_H
#define GLASSHOUSE_EXPORT_H

#include "formats/write_plan.h"
#include "formats/tensor_converter.h"

typedef struct format_export {
    const export_format *format;
    /* Bytes of the whole weights file; once `prefix` is complete, bytes of the data after the
     * header. */
    uint64_t data_bytes;
    unsigned char prefix[SAFETENSORS_PREFIX]; /* first bytes of the file: the header's length */
    size_t prefix_at;                         /* bytes of `prefix` that were fed */
    char *header; /* owned; NULL before `prefix` is complete and after the header was parsed */
    size_t header_bytes, header_at; /* length of `header`, and bytes of it that were fed */
    bool planned;                   /* `model` and `plan` are open */
    export_model model;
    template_fields fields;
    write_plan plan;
    size_t part;      /* index of the plan's part that is written next */
    uint64_t part_at; /* bytes of parts[part] already written; 0 if it is a tensor */
    uint64_t data_at; /* bytes after the header that were fed */
    bool converting;  /* `converter` is open for the tensor of parts[part] */
    converter converter;
    gpt_error *error;
} format_export;

/* Start and end an export to `format`. The weights file has `file_bytes` bytes and is one that
 * gpt_save_open("weights") writes. `format` and `error` are borrowed until format_export_close,
 * which frees all memory of the export. */
void format_export_open(format_export *e, const export_format *format, uint64_t file_bytes,
                        gpt_error *error);
void format_export_close(format_export *e);

/* Adds a field, whose value template.c writes in place of {name}; copies both texts. Must be called
 * before the first format_export_feed. False if the export has FIELDS_MAX fields already, or if
 * memory ran out. */
bool format_export_set_field(format_export *e, const char *name, const char *text);

/* Reads the next `count` bytes of the weights file. Returns the number of bytes read, which may be
 * less than `count`; 0 if format_export_read must be called first or the data have ended. Errors of
 * safetensors_header_length, export_model_open and write_plan_open; GPT_E_ALLOCATION. */
int64_t format_export_feed(format_export *e, const unsigned char *from, size_t count);

/* Writes the next bytes of the exported file to `out`, which has room for `capacity` bytes, at
 * least 128. Returns the number of bytes written; 0 if format_export_feed must be called first or
 * the file is complete. Errors: GPT_E_TENSOR_NUMBER (see converter_read). */
int64_t format_export_read(format_export *e, unsigned char *out, size_t capacity);

/* Whether the whole exported file was written. */
bool format_export_done(const format_export *e);

#endif
