/* zip.h - reading a zip archive whose entries are stored without compression, from pieces of it.
 *
 * Owns: the end record (with its 64-bit form), the central directory, the local headers; and the
 * checks that make them safe to follow. The caller reads the bytes: the end first, then the
 * directory, then the local header of each entry that it wants, because only that says where the
 * entry's bytes begin. Invariant: entries lie within the file, before the directory, and do not
 * overlap. An archive has no comment at its end: none of the writers of such files makes one.
 */
#ifndef GLASSHOUSE_ZIP_H
#define GLASSHOUSE_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    ZIP_END_BYTES = 98,   /* the end record, after its 64-bit form and the locator of that */
    ZIP_LOCAL_BYTES = 30, /* of a local header, before name and extra field */
    ZIP_ENTRIES_MAX = 1 << 18,
};

typedef struct zip_entry {
    const char *name; /* of `name_bytes`, in the directory */
    size_t name_bytes;
    int method, flags;
    uint64_t local_at; /* byte of the file where the local header begins */
    uint64_t limit;    /* byte of the file where the next entry, or the directory, begins */
    uint64_t size;
    uint64_t data_at; /* byte of the file; 0 before zip_read_local */
} zip_entry;

typedef struct zip_file {
    uint64_t directory_at, directory_bytes;
    size_t count;
    char *directory;    /* owns */
    zip_entry *entries; /* owns; in the order of their names */
} zip_file;

/* Reads the end of a file of `file_bytes`: its last ZIP_END_BYTES, or all of a smaller one. Sets
 * where the directory lies. GPT_E_FILE, GPT_E_UNSUPPORTED. */
int zip_read_end(zip_file *z, const unsigned char *end, size_t count, uint64_t file_bytes,
                 gpt_error *error);

/* Reads the directory: `directory_bytes` from `directory_at`. GPT_E_FILE, GPT_E_ALLOCATION. */
int zip_read_directory(zip_file *z, const unsigned char *bytes, gpt_error *error);

/* The entry of this name, or NULL. */
zip_entry *zip_find(const zip_file *z, const char *name, size_t bytes);

/* Reads the first ZIP_LOCAL_BYTES of the entry's local header and sets `data_at`. GPT_E_UNSUPPORTED
 * for a compressed or encrypted entry, GPT_E_FILE for data that reach beyond `limit`. */
int zip_read_local(zip_entry *e, const unsigned char *bytes, gpt_error *error);

/* Frees all. A zeroed archive may be closed. */
void zip_close(zip_file *z);

#endif
