/* safetensors.h - the safetensors format: reads a header, writes a file in pieces.
 *
 * A file has the length of its header (eight bytes, little-endian); the header, a JSON object of
 * tensors (type, shape, byte range) and of `__metadata__`, a map from strings to strings; and the
 * bytes of the tensors without gaps. Owns this layout; the meaning of tensors and metadata belongs
 * to the callers. Headers may be hostile.
 */
#ifndef GLASSHOUSE_SAFETENSORS_H
#define GLASSHOUSE_SAFETENSORS_H

#include "base/text_buffer.h"
#include "io/tensor_file.h"

enum {
    SAFETENSORS_PREFIX = 8,            /* bytes of the header's length */
    SAFETENSORS_HEADER_MAX = 16 << 20, /* bytes of a header; far more than our models need */
    SAFETENSORS_SOURCE_NAME = 64,      /* bytes of a tensor_source's name, with the NUL */
};

/* Recognises a file of another kind by its first bytes: GPT_E_FILE_POINTER (Git LFS),
 * GPT_E_FILE_WEB_PAGE (HTML), GPT_E_FILE_PICKLE (torch.save), else GPT_E_FILE_HEADER. */
int safetensors_mistaken_for(const unsigned char prefix[SAFETENSORS_PREFIX]);

/* Reads the length of the header from the first bytes of a file of `file_bytes` bytes. Fails with
 * the status of safetensors_mistaken_for if the length is below 2, above SAFETENSORS_HEADER_MAX or
 * beyond the end of the file. */
int safetensors_header_length(const unsigned char prefix[SAFETENSORS_PREFIX], uint64_t file_bytes,
                              size_t *length, gpt_error *error);

/* The header of one file, in memory. */
typedef struct safetensors_header {
    const char *name; /* of the file, for errors; NULL if it is the model's only file */
    const char *text; /* JSON */
    size_t length;
    uint64_t data_bytes; /* bytes of the file after the header */
} safetensors_header;

/* Opens `f` with the tensors of `count` files that together contain one model. Byte ranges are
 * offsets into the data of all files, concatenated in this order. Close `f` with tensor_file_close,
 * except after a failure: GPT_E_FILE (names the tensor, or __metadata__), GPT_E_FILE_HEADER,
 * GPT_E_PART_SIZE (a named file has more or fewer bytes than its tensors), GPT_E_ALLOCATION and the
 * errors of tensor_file_check. */
int safetensors_open_all(tensor_file *f, const safetensors_header *headers, int count,
                         gpt_error *error);

/* Opens `f` with the tensors of a single file, in which `data_bytes` follow the header. Errors as
 * safetensors_open_all. */
int safetensors_open(tensor_file *f, const char *header, size_t length, uint64_t data_bytes,
                     gpt_error *error);

/* Finds `key` in the metadata of a header that safetensors_open has accepted, and sets `value` to a
 * reader at its string. False if the header has no such key. */
bool safetensors_metadata(const char *header, size_t length, const char *key, json_reader *value);

/* ---- Writing --------------------------------------------------------------------------------- */

/* A string of the metadata; borrowed. */
typedef struct metadata_entry {
    const char *key;
    const char *value;
    size_t bytes; /* of `value` */
} metadata_entry;

/* A tensor to write: numbers in memory, copied into the file unchanged. */
typedef struct tensor_source {
    char name[SAFETENSORS_SOURCE_NAME];
    int type;               /* FILE_... */
    uint64_t rows, columns; /* rows 0: a vector */
    const void *from;       /* borrowed until the last piece is written */
} tensor_source;

/* Appends the entry of a tensor to a header in which a member precedes it. `rows` 0: a vector. The
 * data begin at byte `at`, which is then set to their end. */
void safetensors_put_tensor(text_buffer *out, const char *name, int type, uint64_t rows,
                            uint64_t columns, uint64_t *at);

/* Closes the object of a header and pads `out` with spaces to a multiple of eight bytes. `out` must
 * begin with the length, so that the data begin at a multiple of eight in the file. */
void safetensors_put_end(text_buffer *out);

typedef struct safetensors_writer {
    char *header; /* owned: length, JSON and padding */
    size_t header_bytes;
    tensor_source *sources; /* owned (malloc) */
    size_t count;
    uint64_t size;  /* bytes of the whole file */
    uint64_t at;    /* bytes written so far */
    size_t current; /* the source whose bytes are written next */
    uint64_t begin; /* offset of that source in the file */
} safetensors_writer;

/* Prepares a file. `sources` (malloc) becomes owned by the writer, and is freed on failure. Copies
 * the metadata. GPT_E_ALLOCATION, GPT_E_CAPACITY (the header would be longer than
 * SAFETENSORS_HEADER_MAX). */
int safetensors_write_open(safetensors_writer *w, const metadata_entry *metadata, size_t entries,
                           tensor_source *sources, size_t count, gpt_error *error);

/* Writes the next bytes of the file, at most `capacity`. Returns their count, 0 at the end of the
 * file. */
size_t safetensors_write_piece(safetensors_writer *w, void *out, size_t capacity);

/* Frees all memory of the writer. A zeroed writer may be closed. */
void safetensors_write_close(safetensors_writer *w);

#endif
