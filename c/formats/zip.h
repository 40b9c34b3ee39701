/* zip.h - reads a zip archive of uncompressed entries from pieces of the file.
 *
 * Parses the end record (also its 64-bit form), the central directory and the local headers, and
 * checks them. The caller reads the bytes: first the end, then the directory, then the local header
 * of each entry that it needs, because only the local header states where the data of the entry
 * begin. Archives with a comment at the end are refused; torch.save writes no comment. Invariant:
 * entries are within the file, before the directory, and do not overlap.
 */
#ifndef GLASSHOUSE_ZIP_H
#define GLASSHOUSE_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    ZIP_END_BYTES = 98,   /* bytes of the 64-bit end record, its locator and the end record */
    ZIP_LOCAL_BYTES = 30, /* bytes of a local header, without name and extra field */
    ZIP_ENTRIES_MAX = 1 << 18,
};

typedef struct zip_entry {
    const char *name; /* borrowed from zip_file.directory; not NUL-terminated; length: name_bytes */
    size_t name_bytes;
    int method, flags; /* as the central directory states them; method 0: not compressed */
    uint64_t local_at; /* offset of the local header in the file */
    uint64_t limit;    /* offset in the file where the next entry or the directory begins */
    uint64_t size;     /* bytes of the data, as stored */
    uint64_t data_at;  /* offset of the data in the file; 0 before zip_read_local */
} zip_entry;

typedef struct zip_file {
    uint64_t directory_at, directory_bytes; /* offset and length of the central directory */
    size_t count;                           /* number of entries */
    char *directory;                        /* owned */
    zip_entry *entries;                     /* owned; sorted by name */
} zip_file;

/* Reads the end record of an archive of `file_bytes` bytes. `end` has the last `count` bytes of the
 * file: ZIP_END_BYTES, or all bytes of a shorter file. Sets z->directory_at, z->directory_bytes and
 * z->count. Errors: GPT_E_FILE, GPT_E_UNSUPPORTED (several disks). */
int zip_read_end(zip_file *z, const unsigned char *end, size_t count, uint64_t file_bytes,
                 gpt_error *error);

/* Reads the central directory and copies it. `bytes` has the z->directory_bytes bytes of the file
 * from offset z->directory_at. The caller must call zip_close, also after a failure. Errors:
 * GPT_E_FILE (damaged; entries that overlap or have the same name), GPT_E_ALLOCATION. */
int zip_read_directory(zip_file *z, const unsigned char *bytes, gpt_error *error);

/* Returns the entry of this name (`bytes` bytes), or NULL. Binary search. */
zip_entry *zip_find(const zip_file *z, const char *name, size_t bytes);

/* Reads an entry's local header, of which `bytes` has at least the first ZIP_LOCAL_BYTES, and sets
 * e->data_at. Errors: GPT_E_UNSUPPORTED (compressed or encrypted), GPT_E_FILE (damaged, or data
 * beyond e->limit). */
int zip_read_local(zip_entry *e, const unsigned char *bytes, gpt_error *error);

/* Frees the memory of `z` and zeroes it. A zeroed archive may be closed. */
void zip_close(zip_file *z);

#endif
