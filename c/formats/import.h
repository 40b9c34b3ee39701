/* import.h - another program's file is read where it is wanted, and streams out as
 * model.safetensors.
 *
 * Owns: which format a file has, the bytes on their way to it, and the file that is made of its
 * tensors. The client gives the bytes that are wanted, wherever they lie, and takes what is there.
 */
#ifndef GLASSHOUSE_IMPORT_H
#define GLASSHOUSE_IMPORT_H

#include "formats/foreign_reader.h"

typedef struct format_import {
    foreign_reader reader;
    const char *format;  /* its name once it is known; NULL before */
    unsigned char *held; /* owns; what of the wanted bytes has come */
    uint64_t held_bytes;
    char *header; /* owns; of the file that goes out */
    size_t header_bytes, header_at;
    uint64_t size; /* of that file; 0 before it is known */
    size_t source; /* the one that goes next */
    uint64_t come; /* bytes of it */
    bool converting;
    converter converter;
    gpt_error *error;
} format_import;

/* Whether a file that begins with these bytes is of a known format. */
bool format_import_knows(const unsigned char *first, size_t count);

/* Readies the reading of a file of `file_bytes`. */
void format_import_open(format_import *i, uint64_t file_bytes, gpt_error *error);
void format_import_close(format_import *i);

/* Where the bytes lie that are wanted next, and how many (0: take what is there). */
uint64_t format_import_at(const format_import *i);
uint64_t format_import_wants(const format_import *i);

/* Takes bytes from there; answers how many. GPT_E_FILE for a file of no known format, what its
 * reader finds. */
int64_t format_import_feed(format_import *i, const unsigned char *from, size_t count);

/* Writes the next bytes of model.safetensors (capacity: 128 or more); answers how many, 0 when more
 * must come first or all has gone. */
int64_t format_import_read(format_import *i, unsigned char *out, size_t capacity);

#endif
