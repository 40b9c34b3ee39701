/* foreign_reader.h - the interface between import.c and the readers of other programs' files
 * (foreign files).
 *
 * A reader requests ranges of bytes of the file (reader_want), step by step, until it has the
 * names, shapes and offsets of all tensors. import.c then streams the tensors as model.safetensors,
 * with Hugging Face's names and shapes; config.json and the vocabulary become texts beside it. The
 * loader opens the result like any folder of transformers and checks its shapes, types, recipe and
 * vocabulary. Files may be hostile. Invariant: a request is within the file and at most
 * READER_BYTES_MAX bytes, and nothing from a file is executed.
 */
#ifndef GLASSHOUSE_FOREIGN_READER_H
#define GLASSHOUSE_FOREIGN_READER_H

#include "base/text_buffer.h"
#include "formats/tensor_converter.h"
#include "io/safetensors.h"
#include "model/model.h"

/* Number of first bytes by which a format is recognised; limits of the bytes of one request and of
 * the number of tensors. */
enum { READER_FIRST_BYTES = 16, READER_BYTES_MAX = 64 << 20, READER_TENSORS_MAX = 1 << 16 };

typedef struct foreign_tensor {
    char name[FILE_NAME_MAX]; /* name in model.safetensors */
    /* Type in the foreign file: FILE_F32, FILE_F16, FILE_BF16 or FOREIGN_Q8_0. */
    int type;
    uint64_t rows, columns; /* shape in the foreign file; rows 0: a vector */
    bool transposed;        /* model.safetensors has the tensor transposed */
    uint64_t begin;         /* offset of its bytes in the foreign file, or FOREIGN_ZEROS */
} foreign_tensor;

/* The type Q8_0 of llama.cpp, numbered after the FILE_... types. */
enum { FOREIGN_Q8_0 = FILE_TYPE_COUNT };

/* The value of `begin` for a tensor of zeros, which has no bytes in the foreign file. */
#define FOREIGN_ZEROS UINT64_MAX

typedef struct foreign_reader foreign_reader;

/* A step of a reader: parses the `count` bytes of the requested range, which are valid during the
 * call, then requests the next range or sets r->ready. Returns GPT_OK or an error. */
typedef int reader_step(foreign_reader *r, const unsigned char *bytes, size_t count,
                        gpt_error *error);

struct foreign_reader {
    uint64_t file_bytes;
    /* The requested range (offset and bytes), and the step that will parse it. */
    uint64_t want_at, want_bytes;
    reader_step *step;
    bool ready;              /* the tensors and texts below are complete */
    foreign_tensor *sources; /* the tensors; owned (malloc) */
    size_t count, capacity;
    /* Texts of config.json, vocab.json, merges.txt and added_tokens.json; owned (malloc). NULL: the
     * foreign file does not determine this text. */
    char *config, *vocab, *merges, *added;
    model weights; /* names and shapes of GPT-2's parameters; empty before reader_set_config */
    void *own;     /* the format's own state while it reads; NULL: no state */
    void (*close)(foreign_reader *r); /* frees `own`; NULL: nothing to free */
};

/* Requests `bytes` bytes at offset `at` of the file, which `step` will parse. Errors:
 * GPT_E_TRUNCATED if the range goes beyond the end of the file, GPT_E_FILE if `bytes` is 0 or
 * exceeds READER_BYTES_MAX. */
int reader_want(foreign_reader *r, uint64_t at, uint64_t bytes, reader_step *step,
                gpt_error *error);

/* Appends a tensor with this name (`length` bytes) and all other members 0. Returns a pointer that
 * is valid until the next call; NULL if the name is empty, too long or contains a NUL, if there are
 * READER_TENSORS_MAX tensors already (GPT_E_FILE), or if memory ran out (GPT_E_ALLOCATION). */
foreign_tensor *reader_add_tensor(foreign_reader *r, const char *name, size_t length,
                                  gpt_error *error);

/* The sizes of a GPT-2 as a foreign file states them, unchecked. */
typedef struct gpt2_shape {
    double layers, heads, channels, context;
    int vocab;      /* rows of the token table */
    int bos;        /* id of <|endoftext|>; -1: the vocabulary lacks it */
    bool tied;      /* the head is the token table */
    double epsilon; /* epsilon of the norms; 0: the file states none, use 1e-5 */
} gpt2_shape;

/* Checks the range of each size, then writes r->config (the text of config.json) and fills
 * r->weights with GPT-2's parameters of these sizes. Errors: GPT_E_RANGE, GPT_E_WHOLE,
 * GPT_E_ALLOCATION. */
int reader_set_config(foreign_reader *r, const gpt2_shape *shape, gpt_error *error);

/* Returns the size of a tensor in the foreign file, in bytes; UINT64_MAX if the size overflows. */
uint64_t foreign_tensor_bytes(const foreign_tensor *s);

#endif
