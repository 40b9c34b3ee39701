/* import.h - imports a file of another program: reads it by requested ranges and streams
 * model.safetensors out.
 *
 * Recognises the format by the first bytes, collects the ranges that its reader requests, then
 * copies or converts the tensors. The caller alternates format_import_feed, with bytes from
 * format_import_at, and format_import_read, until nothing is wanted and nothing is written.
 */
#ifndef GLASSHOUSE_IMPORT_H
#define GLASSHOUSE_IMPORT_H

#include "formats/foreign_reader.h"

typedef struct format_import {
    foreign_reader reader;
    unsigned char *held; /* owned; the part of the requested range that was fed; NULL: nothing */
    uint64_t held_bytes;
    char *header; /* owned; of model.safetensors */
    size_t header_bytes, header_at;
    uint64_t size;   /* of model.safetensors; 0 before its header is known */
    size_t source;   /* index of the tensor that is written next */
    uint64_t come;   /* its bytes that were fed, or, if it is FOREIGN_ZEROS, written */
    bool converting; /* `converter` is open for that tensor */
    converter converter;
    gpt_error *error;
} format_import;

/* Whether a file that begins with these bytes has a known format. `count` is READER_FIRST_BYTES, or
 * all of a shorter file. */
bool format_import_knows(const unsigned char *first, size_t count);

/* Starts the import of a file of `file_bytes`. `error` is borrowed until format_import_close, which
 * frees everything else. */
void format_import_open(format_import *i, uint64_t file_bytes, gpt_error *error);
void format_import_close(format_import *i);

/* Return the offset of the bytes to feed next, and their number. The number is 0, and the offset
 * has no meaning, if output must be read first or the import is complete. */
uint64_t format_import_at(const format_import *i);
uint64_t format_import_wants(const format_import *i);

/* Reads bytes from that offset, in pieces of any size. Returns how many it read: fewer than `count`
 * if output must be read first. GPT_E_FILE (unknown format, or damaged), GPT_E_FILE_POINTER,
 * GPT_E_FILE_WEB_PAGE and GPT_E_FILE_PICKLE (safetensors_mistaken_for), GPT_E_TENSOR_BYTES (a
 * tensor is not within the file), GPT_E_ALLOCATION, and the errors of the format's reader. */
int64_t format_import_feed(format_import *i, const unsigned char *from, size_t count);

/* Writes the next bytes of model.safetensors to `out`; `capacity` is at least 128. Returns how
 * many, 0 if more bytes must be fed first or the file is complete. GPT_E_FILE if the foreign file
 * is empty. */
int64_t format_import_read(format_import *i, unsigned char *out, size_t capacity);

#endif
