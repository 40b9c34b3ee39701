/* safetensors.h - the safetensors format: reads a header, writes a file in pieces.
 *
 * A file has three parts: the length of the header (eight bytes, little-endian); the header, a JSON
 * object of tensors (type, shape, byte range) and of `__metadata__`, a map from strings to strings;
 * and the data, the bytes of the tensors without gaps. This layout is known only here; callers
 * interpret the names of tensors and the metadata. Headers are untrusted.
 */
#ifndef GLASSHOUSE_SAFETENSORS_H
#define GLASSHOUSE_SAFETENSORS_H

#include "base/text_buffer.h"
#include "io/tensor_file.h"

enum {
    SAFETENSORS_PREFIX = 8,            /* bytes at the start of a file: the header's length */
    SAFETENSORS_HEADER_MAX = 16 << 20, /* bytes of a header; far more than GPT-2 models need */
    SAFETENSORS_SOURCE_NAME = 64,      /* bytes of a tensor_source's name, with the NUL */
};

/* Returns the error for a file that is not a safetensors file, by its first bytes:
 * GPT_E_FILE_POINTER (a pointer of Git LFS), GPT_E_FILE_WEB_PAGE (HTML, or an error of a web server
 * as XML, JSON or text), GPT_E_FILE_PICKLE (written by torch.save), GPT_E_FILE_HEADER (any other
 * file). */
int safetensors_mistaken_for(const unsigned char prefix[SAFETENSORS_PREFIX]);

/* Reads the length of the header, in bytes, from the first bytes of a file of `file_bytes` bytes.
 * Fails if the length is below 2 or above SAFETENSORS_HEADER_MAX, or if the header would extend
 * beyond the end of the file. The error (safetensors_mistaken_for) then says which kind of file the
 * first bytes suggest. */
int safetensors_header_length(const unsigned char prefix[SAFETENSORS_PREFIX], uint64_t file_bytes,
                              size_t *length, gpt_error *error);

/* The header of one file, in memory. */
typedef struct safetensors_header {
    const char *name; /* name of the file, for errors; NULL if it is the model's only file */
    const char *text; /* JSON; borrowed */
    size_t length;
    uint64_t data_bytes; /* bytes of the file after the header */
} safetensors_header;

/* Opens `f` with the tensors of `count` files that together contain one model. Byte ranges in `f`
 * are offsets into the data of all files, concatenated in the order of `headers`. The caller closes
 * `f` with tensor_file_close, but not after a failure. Errors: GPT_E_FILE (names the tensor, or
 * __metadata__), GPT_E_FILE_HEADER, GPT_E_PART_SIZE (a file with a name has more or fewer bytes
 * than its tensors), GPT_E_ALLOCATION and the errors of tensor_file_check. */
int safetensors_open_all(tensor_file *f, const safetensors_header *headers, int count,
                         gpt_error *error);

/* Opens `f` with the tensors of a single file, which has `data_bytes` bytes after the header.
 * Errors: see safetensors_open_all. */
int safetensors_open(tensor_file *f, const char *header, size_t length, uint64_t data_bytes,
                     gpt_error *error);

/* Finds `key` in the metadata of a header that safetensors_open has accepted, and sets `value` to a
 * reader at the string that is its value. Returns false if the metadata has no such key. */
bool safetensors_metadata(const char *header, size_t length, const char *key, json_reader *value);

/* ---- Writing --------------------------------------------------------------------------------- */

/* A key of the metadata and its value, a string; both borrowed. */
typedef struct metadata_entry {
    const char *key;
    const char *value;
    size_t bytes; /* length of `value` */
} metadata_entry;

/* A tensor to write: numbers in memory, copied into the file unchanged. */
typedef struct tensor_source {
    char name[SAFETENSORS_SOURCE_NAME];
    int type;               /* FILE_... */
    uint64_t rows, columns; /* rows is 0 for a vector */
    const void *from;       /* borrowed until the last piece is written */
} tensor_source;

/* Appends the entry of a tensor to the JSON of a header, after a comma: another member must precede
 * the entry. `rows` is 0 for a vector. `at` is the offset of the tensor's first byte in the data,
 * and is increased by the bytes of the tensor. */
void safetensors_put_tensor(text_buffer *out, const char *name, int type, uint64_t rows,
                            uint64_t columns, uint64_t *at);

/* Appends "}", the end of the header's JSON, and spaces until `out` has a multiple of eight bytes.
 * `out` must begin with the eight bytes of the header's length, so that the data begin at a
 * multiple of eight in the file. */
void safetensors_put_end(text_buffer *out);

typedef struct safetensors_writer {
    char *header; /* owned (malloc); the bytes before the data: length, JSON and padding */
    size_t header_bytes;
    tensor_source *sources; /* owned (malloc) */
    size_t count;
    uint64_t size;  /* bytes of the whole file */
    uint64_t at;    /* bytes written so far */
    size_t current; /* index of the tensor in `sources` whose bytes come next */
    uint64_t begin; /* offset in the file of the first byte of sources[current] */
} safetensors_writer;

/* Prepares `w` to write a file. Copies the metadata. On success the writer owns `sources` (malloc);
 * on failure `sources` is freed. Errors: GPT_E_ALLOCATION, GPT_E_CAPACITY (the header would be
 * longer than SAFETENSORS_HEADER_MAX). */
int safetensors_write_open(safetensors_writer *w, const metadata_entry *metadata, size_t entries,
                           tensor_source *sources, size_t count, gpt_error *error);

/* Writes the next bytes of the file, at most `capacity`, to `out`. Returns the number of bytes
 * written, 0 at the end of the file. */
size_t safetensors_write_piece(safetensors_writer *w, void *out, size_t capacity);

/* Frees all memory that the writer owns. Accepts a zeroed writer. */
void safetensors_write_close(safetensors_writer *w);

#endif
