/* foreign_reader.h - a foreign file on its way in: it becomes the file that transformers would have.
 *
 * Owns: asking for the bytes that a format needs to know what is in the file, and then giving the
 * tensors in another container: model.safetensors, with Hugging Face's names and shapes, beside
 * config.json and the vocabulary as texts. What comes out is opened like any other such folder, so
 * that shapes, types, recipe and vocabulary are checked where those are. Files may be hostile: no
 * format may ask for more than READER_BYTES_MAX bytes at once, and nothing is run.
 */
#ifndef GLASSHOUSE_FOREIGN_READER_H
#define GLASSHOUSE_FOREIGN_READER_H

#include "base/text_buffer.h"
#include "formats/tensor_converter.h"
#include "io/safetensors.h"
#include "model/model.h"

enum { READER_FIRST_BYTES = 16, READER_BYTES_MAX = 64 << 20, READER_TENSORS_MAX = 1 << 16 };

/* A tensor in the foreign file. */
typedef struct foreign_tensor {
    char name[FILE_NAME_MAX]; /* in the safetensors file */
    int type;               /* FILE_F32, FILE_F16 or FILE_BF16: as it lies there, or FOREIGN_Q8_0 */
    uint64_t rows, columns; /* as it lies there; rows 0: a vector */
    bool swap;              /* it goes on with rows and columns the other way round */
    uint64_t begin;         /* byte of the file, or FOREIGN_ZEROS */
} foreign_tensor;

enum { FOREIGN_Q8_0 = FILE_TYPE_COUNT };

/* Where a tensor begins that the file leaves out because all its numbers are zero. */
#define FOREIGN_ZEROS UINT64_MAX

typedef struct foreign_reader foreign_reader;

/* Takes the bytes that were wanted; sets what is wanted next, or `ready`. */
typedef int reader_step(foreign_reader *r, const unsigned char *bytes, size_t count,
                        gpt_error *error);

struct foreign_reader {
    uint64_t file_bytes;
    /* What the format wants next; within the file. */
    uint64_t want_at, want_bytes;
    reader_step *step;
    bool ready;              /* all below is known */
    foreign_tensor *sources; /* owns (malloc) */
    size_t count, capacity;
    /* Texts in the forms of Hugging Face; own (malloc), NULL: none. */
    char *config, *vocab, *merges, *added;
    model weights; /* the parameters of a GPT-2 of its sizes, once reader_set_config has them */
    void *own;     /* of the format while it reads */
    void (*close)(foreign_reader *r); /* gives `own` back; NULL: nothing to give */
};

/* Sets what is wanted next. GPT_E_TRUNCATED beyond the file, GPT_E_FILE for too much. */
int reader_want(foreign_reader *r, uint64_t at, uint64_t bytes, reader_step *step,
                gpt_error *error);

/* A new source with everything zero but its name; NULL (GPT_E_FILE, GPT_E_ALLOCATION in `error`)
 * when the name is empty or too long, or there are too many. */
foreign_tensor *reader_add_tensor(foreign_reader *r, const char *name, size_t length,
                                  gpt_error *error);

/* The dimensions of a GPT-2 in a foreign file. */
typedef struct gpt2_shape {
    double layers, heads, channels, context;
    int vocab;      /* rows of the token table */
    int bos;        /* id of <|endoftext|>; -1: none */
    bool tied;      /* the head is the token table */
    double epsilon; /* of its norms; 0: not said */
} gpt2_shape;

/* Sets the text of config.json and the list of weights. GPT_E_RANGE, GPT_E_ALLOCATION. */
int reader_set_config(foreign_reader *r, const gpt2_shape *shape, gpt_error *error);

/* Bytes that a source takes in the foreign file, UINT64_MAX when that overflows. */
uint64_t foreign_tensor_bytes(const foreign_tensor *s);

#endif
