/* import.h - imports a file of another program: reads ranges of the file and writes
 * model.safetensors.
 *
 * Recognises the format by the first bytes, collects the ranges that the format's reader requests,
 * then copies or converts the tensors. The caller alternates format_import_feed, with bytes from
 * offset format_import_at, and format_import_read, until format_import_wants is 0 and
 * format_import_read returns 0.
 */
#ifndef GLASSHOUSE_IMPORT_H
#define GLASSHOUSE_IMPORT_H

#include "formats/foreign_reader.h"

typedef struct format_import {
    foreign_reader reader;
    unsigned char *fed; /* owned; bytes of the requested range that were fed; NULL: none */
    uint64_t fed_bytes; /* number of bytes in `fed` */
    char *header;       /* owned; header of model.safetensors, with the prefix of its length */
    size_t header_bytes, header_at; /* length of `header`, and bytes of it that were written */
    uint64_t size;                  /* bytes of model.safetensors; 0 before its header is known */
    size_t source;                  /* index of the tensor that is written next */
    /* Bytes of sources[source] that were fed; for a tensor of zeros (FOREIGN_ZEROS), bytes that
     * were written. */
    uint64_t tensor_at;
    bool converting; /* `converter` is open for sources[source] */
    converter converter;
    gpt_error *error;
} format_import;

/* Whether the file that begins with the `count` bytes `first` has a known format. `count` is
 * READER_FIRST_BYTES, or the size of a shorter file. */
bool format_import_knows(const unsigned char *first, size_t count);

/* Start and end the import of a file of `file_bytes` bytes. `error` is borrowed until
 * format_import_close, which frees all memory of the import. */
void format_import_open(format_import *i, uint64_t file_bytes, gpt_error *error);
void format_import_close(format_import *i);

/* Return the offset in the foreign file of the bytes to feed next, and their number. The number is
 * 0, and the offset has no meaning, if format_import_read must be called first or the import is
 * complete. */
uint64_t format_import_at(const format_import *i);
uint64_t format_import_wants(const format_import *i);

/* Reads `count` bytes of the foreign file from offset format_import_at; a piece may have any size.
 * Returns the number of bytes read, which may be less than `count`; 0 if format_import_read must be
 * called first. Errors: GPT_E_FILE (unknown format, or damaged), GPT_E_FILE_POINTER,
 * GPT_E_FILE_WEB_PAGE and GPT_E_FILE_PICKLE (safetensors_mistaken_for), GPT_E_TENSOR_BYTES (a
 * tensor is not within the file, or all tensors together have more than twice its bytes),
 * GPT_E_ALLOCATION, and the errors of the format's reader. */
int64_t format_import_feed(format_import *i, const unsigned char *from, size_t count);

/* Writes the next bytes of model.safetensors to `out`, which has room for `capacity` bytes, at
 * least 128. Returns the number of bytes written; 0 if format_import_feed must be called first or
 * the file is complete. Errors: GPT_E_FILE if the foreign file is empty. */
int64_t format_import_read(format_import *i, unsigned char *out, size_t capacity);

#endif
