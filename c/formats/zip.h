/* zip.h - reads a zip archive of uncompressed entries from pieces of the file.
 *
 * Parses the end record (also its 64-bit form), the central directory and the local headers, and
 * checks them. The caller reads the bytes: first the end, then the directory, then the local header
 * of each entry that it needs, because only that says where the data begin. Archives with a comment
 * at the end are refused; torch.save writes none. Invariant: entries are within the file, before
 * the directory, and do not overlap.
 */
#ifndef GLASSHOUSE_ZIP_H
#define GLASSHOUSE_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    ZIP_END_BYTES = 98,   /* the 64-bit end record, its locator, the end record */
    ZIP_LOCAL_BYTES = 30, /* a local header, without name and extra field */
    ZIP_ENTRIES_MAX = 1 << 18,
};

typedef struct zip_entry {
    const char *name; /* (name_bytes) in zip_file.directory, not NUL-terminated */
    size_t name_bytes;
    int method, flags;
    uint64_t local_at; /* offset of the local header in the file */
    uint64_t limit;    /* offset of the next entry or of the directory */
    uint64_t size;     /* bytes of the data, as stored */
    uint64_t data_at;  /* offset of the data; 0 before zip_read_local */
} zip_entry;

typedef struct zip_file {
    uint64_t directory_at, directory_bytes;
    size_t count;
    char *directory;    /* owned */
    zip_entry *entries; /* owned; sorted by name */
} zip_file;

/* Reads the end of a file of `file_bytes`: `end` is its last ZIP_END_BYTES, or all of a shorter
 * file. Sets directory_at, directory_bytes and count. GPT_E_FILE, GPT_E_UNSUPPORTED (several
 * disks). */
int zip_read_end(zip_file *z, const unsigned char *end, size_t count, uint64_t file_bytes,
                 gpt_error *error);

/* Reads the directory, directory_bytes from offset directory_at, and copies it. The caller calls
 * zip_close, also after a failure. GPT_E_FILE (damaged; entries that overlap or have one name),
 * GPT_E_ALLOCATION. */
int zip_read_directory(zip_file *z, const unsigned char *bytes, gpt_error *error);

/* Returns the entry of this name, or NULL. Binary search. */
zip_entry *zip_find(const zip_file *z, const char *name, size_t bytes);

/* Reads the first ZIP_LOCAL_BYTES of the entry's local header and sets `data_at`. GPT_E_UNSUPPORTED
 * (compressed or encrypted), GPT_E_FILE (damaged, or data beyond `limit`). */
int zip_read_local(zip_entry *e, const unsigned char *bytes, gpt_error *error);

/* Frees the archive and zeroes it. A zeroed archive may be closed. */
void zip_close(zip_file *z);

#endif
