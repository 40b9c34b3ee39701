/* safetensors.h - the container format: reading its header, writing a file in pieces.
 *
 * Eight bytes say how long the header is (little-endian); the header is a JSON object of tensors
 * (type, shape, byte range) and of `__metadata__`, a map from strings to strings; then come the
 * tensors' bytes without gaps. Owns: that layout, and nothing of what the tensors mean.
 */
#ifndef GLASSHOUSE_SAFETENSORS_H
#define GLASSHOUSE_SAFETENSORS_H

#include "base/text_buffer.h"
#include "io/tensor_file.h"

enum {
    SAFETENSORS_PREFIX = 8,            /* bytes before the header */
    SAFETENSORS_HEADER_MAX = 16 << 20, /* far above what any model of ours needs */
    SAFETENSORS_SOURCE_NAME = 64,
};

/* What a file is whose first bytes are no header: GPT_E_FILE_POINTER, GPT_E_FILE_WEB_PAGE or
 * GPT_E_FILE_PICKLE, or GPT_E_FILE_HEADER if it is none of these. */
int safetensors_mistaken_for(const unsigned char prefix[SAFETENSORS_PREFIX]);

/* The length of the header, from the first eight bytes of a file of `file_bytes`.
 * GPT_E_FILE_HEADER when it is impossible. */
int safetensors_header_length(const unsigned char prefix[SAFETENSORS_PREFIX], uint64_t file_bytes,
                              size_t *length, gpt_error *error);

/* The header of one file, in memory. */
typedef struct safetensors_header {
    const char *name; /* of the file, to be named in a failure; NULL when it is the only one */
    const char *text;
    size_t length;
    uint64_t data_bytes; /* that follow it in the file */
} safetensors_header;

/* Reads the headers of `count` files that hold one model into `f` (which tensor_file_close ends),
 * with ranges as if the data of all files lay one after the other. GPT_E_FILE,
 * GPT_E_FILE_HEADER, GPT_E_PART_SIZE, and what tensor_file_check finds. */
int safetensors_open_all(tensor_file *f, const safetensors_header *headers, int count,
                         gpt_error *error);

/* The same for one file: `data_bytes` follow its header. */
int safetensors_open(tensor_file *f, const char *header, size_t length, uint64_t data_bytes,
                     gpt_error *error);

/* Finds `key` in the metadata of a header that safetensors_open has accepted: `value` then
 * stands on its string. */
bool safetensors_metadata(const char *header, size_t length, const char *key, json_reader *value);

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct metadata_entry {
    const char *key;
    const char *value; /* borrows */
    size_t bytes;
} metadata_entry;

/* A tensor to write: numbers in memory as they go into the file. */
typedef struct tensor_source {
    char name[SAFETENSORS_SOURCE_NAME];
    int type;               /* FILE_... */
    uint64_t rows, columns; /* rows 0: a vector */
    const void *from;       /* borrows until the last piece is written */
} tensor_source;

/* Writes the entry of a tensor into a header, after its metadata (rows 0: a vector), its data beginning at byte `at`,
 * which becomes the end of the data. The end of a header, padded to a multiple of eight bytes. */
void safetensors_put_tensor(text_buffer *out, const char *name, int type, uint64_t rows,
                            uint64_t columns, uint64_t *at);
void safetensors_put_end(text_buffer *out);

typedef struct safetensors_writer {
    char *header; /* owns: length, JSON and padding to a multiple of eight */
    size_t header_bytes;
    tensor_source *sources; /* owns (malloc) */
    size_t count;
    uint64_t size; /* bytes of the whole file */
    uint64_t at;
    size_t current; /* the tensor whose bytes come next */
    uint64_t begin; /* where in the file it begins */
} safetensors_writer;

/* Prepares a file; `sources` becomes the writer's. GPT_E_ALLOCATION, GPT_E_CAPACITY (then
 * `sources` is freed). */
int safetensors_write_open(safetensors_writer *w, const metadata_entry *metadata, size_t entries,
                           tensor_source *sources, size_t count, gpt_error *error);

/* The next bytes of the file; returns how many, 0 at its end. */
size_t safetensors_write_piece(safetensors_writer *w, void *out, size_t capacity);

/* Gives everything back. A zeroed writer may be closed. */
void safetensors_write_close(safetensors_writer *w);

#endif
