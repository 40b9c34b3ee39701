/* export.h - our weights stream in, another program's file streams out.
 *
 * Owns: the walk over the parts of a plan. Of the weights no more is in memory at a time than a
 * piece, or one tensor whose rows and columns are swapped. */
#ifndef GLASSHOUSE_EXPORT_H
#define GLASSHOUSE_EXPORT_H

#include "formats/write_plan.h"
#include "formats/tensor_converter.h"

typedef struct format_export {
    const export_format *format;
    uint64_t data_bytes; /* of the file of weights */
    unsigned char prefix[SAFETENSORS_PREFIX];
    size_t prefix_at;
    char *header; /* owns; gone once it was read */
    size_t header_bytes, header_at;
    bool planned;
    export_model model;
    template_fields fields;
    write_plan plan;
    size_t part;      /* the one that goes next */
    uint64_t given;   /* bytes of it, where it is bytes */
    uint64_t data_at; /* bytes of data that have come */
    bool converting;  /* `converter` has the tensor of `part` */
    converter converter;
    gpt_error *error;
} format_export;

/* Readies an export; `file_bytes`: of the weights as gpt_save_open("weights") tells them. */
void format_export_open(format_export *e, const export_format *format, uint64_t file_bytes,
                        gpt_error *error);
void format_export_close(format_export *e);

/* Copies a field for a template, before the first bytes; false if there are FIELDS_MAX, or without
 * memory. */
bool format_export_set_field(format_export *e, const char *name, const char *text);

/* Takes the next bytes of the weights; answers how many, fewer than `count` while others wait to
 * go. What export_model_open and write_plan_open find. */
int64_t format_export_feed(format_export *e, const unsigned char *from, size_t count);

/* Writes the next bytes of the file (capacity: 128 or more); answers how many, 0 when more must
 * come first or all has gone. What converter_read finds. */
int64_t format_export_read(format_export *e, unsigned char *out, size_t capacity);

/* All has gone. */
bool format_export_done(const format_export *e);

#endif
