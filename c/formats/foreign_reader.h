/* foreign_reader.h - the interface between import.c and the readers of other programs' files.
 *
 * A reader requests ranges of bytes of the file (reader_want), step by step, until it knows all
 * tensors. import.c then streams these as model.safetensors, with Hugging Face's names and shapes;
 * config.json and the vocabulary are texts beside it. The result is loaded like any folder of
 * transformers, so the loader checks shapes, types, recipe and vocabulary. Files may be hostile.
 * Invariant: a request is within the file and at most READER_BYTES_MAX bytes, and nothing from a
 * file is executed.
 */
#ifndef GLASSHOUSE_FOREIGN_READER_H
#define GLASSHOUSE_FOREIGN_READER_H

#include "base/text_buffer.h"
#include "formats/tensor_converter.h"
#include "io/safetensors.h"
#include "model/model.h"

enum { READER_FIRST_BYTES = 16, READER_BYTES_MAX = 64 << 20, READER_TENSORS_MAX = 1 << 16 };

/* A tensor of the foreign file. */
typedef struct foreign_tensor {
    char name[FILE_NAME_MAX]; /* in model.safetensors */
    int type;               /* in the foreign file: FILE_F32, FILE_F16, FILE_BF16 or FOREIGN_Q8_0 */
    uint64_t rows, columns; /* in the foreign file; rows 0: a vector */
    bool swap;              /* transposed in model.safetensors */
    uint64_t begin;         /* offset in the foreign file, or FOREIGN_ZEROS */
} foreign_tensor;

enum { FOREIGN_Q8_0 = FILE_TYPE_COUNT };

/* `begin` of a tensor of zeros, which the foreign file does not contain. */
#define FOREIGN_ZEROS UINT64_MAX

typedef struct foreign_reader foreign_reader;

/* Reads the requested bytes, which are valid during the call, then requests the next range or sets
 * `ready`. Returns GPT_OK or an error. */
typedef int reader_step(foreign_reader *r, const unsigned char *bytes, size_t count,
                        gpt_error *error);

struct foreign_reader {
    uint64_t file_bytes;
    /* The requested range, and the step that will read it. */
    uint64_t want_at, want_bytes;
    reader_step *step;
    bool ready;              /* the tensors and texts below are complete */
    foreign_tensor *sources; /* owned (malloc) */
    size_t count, capacity;
    /* Texts of config.json, vocab.json, merges.txt and added_tokens.json; owned (malloc). NULL: the
     * foreign file does not determine this text. */
    char *config, *vocab, *merges, *added;
    model weights; /* parameters of the GPT-2 in the file; empty before reader_set_config */
    void *own;     /* state of the format while it reads; NULL: none */
    void (*close)(foreign_reader *r); /* frees `own`; NULL: nothing to free */
};

/* Requests `bytes` at offset `at` for `step`. GPT_E_TRUNCATED if the file ends before, GPT_E_FILE
 * if `bytes` is 0 or exceeds READER_BYTES_MAX. */
int reader_want(foreign_reader *r, uint64_t at, uint64_t bytes, reader_step *step,
                gpt_error *error);

/* Appends a tensor with a name of `length` bytes, all other members 0. The pointer is valid until
 * the next call. NULL if the name is empty, too long or contains a NUL, if there are
 * READER_TENSORS_MAX tensors already (GPT_E_FILE), or if memory ran out (GPT_E_ALLOCATION). */
foreign_tensor *reader_add_tensor(foreign_reader *r, const char *name, size_t length,
                                  gpt_error *error);

/* The sizes of a GPT-2 as a foreign file states them, unchecked. */
typedef struct gpt2_shape {
    double layers, heads, channels, context;
    int vocab;      /* rows of the token table */
    int bos;        /* id of <|endoftext|>; -1: the vocabulary lacks it */
    bool tied;      /* the head is the token table */
    double epsilon; /* of the norms; 0: not stated, which means 1e-5 */
} gpt2_shape;

/* Checks the range of each size, then writes r->config (the text of config.json) and fills
 * r->weights. GPT_E_RANGE, GPT_E_WHOLE, GPT_E_ALLOCATION. */
int reader_set_config(foreign_reader *r, const gpt2_shape *shape, gpt_error *error);

/* Returns the bytes of a tensor's numbers in the foreign file; UINT64_MAX if that overflows. */
uint64_t foreign_tensor_bytes(const foreign_tensor *s);

#endif
