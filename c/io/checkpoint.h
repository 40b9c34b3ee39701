/* checkpoint.h - reads and writes a model and its training run as a safetensors file.
 *
 * Defines the names of the file's tensors and metadata; README.md explains them. Weights have
 * Hugging Face's GPT-2 names; `adam.m.NAME` and `adam.v.NAME` are AdamW's moments of the weight
 * NAME. Tensors of the run: `run.losses` (F32), `run.order` (I32: the shuffled order of the
 * documents) and `run.last` (F64: loss, learning rate and gradient norm of the last step).
 * Metadata: `glasshouse.config` (JSON: the options), `glasshouse.tokenizer` (JSON: {},
 * {"codes":[97,98..]}, or {"vocab":text,"merges":text} with the texts of GPT-2's two files),
 * `glasshouse.state` (JSON: the fields of the run that RUN_FIELDS lists for checkpoints, and the
 * receipt of a fork's parent), `glasshouse.note` (text of the client), `format` ("pt", which
 * transformers requires).
 */
#ifndef GLASSHOUSE_CHECKPOINT_H
#define GLASSHOUSE_CHECKPOINT_H

#include "io/safetensors.h"
#include "model/model.h"
#include "recipe/run_state.h"
#include "text/tokenizer.h"

/* The parts of a run that are written to a file or read from a file. All memory is borrowed. */
typedef struct run_parts {
    model *net;
    run_state *state;
    float *losses;        /* length: state->loss_count */
    uint32_t *order;      /* shuffled indices of the documents; length: order_count */
    uint64_t order_count; /* documents in the text; 0 if the text is one stream */
} run_parts;

/* The parsed metadata of a file. The strings have no terminating NUL. */
typedef struct file_metadata {
    bool ours;       /* the header has glasshouse.config: this engine wrote the file */
    bool has_codes;  /* the tokens are the characters in `codes` */
    uint32_t *codes; /* code points, ascending; owned (malloc); length: code_count */
    int code_count;
    char *vocab, *merges; /* owned (malloc); texts of vocab.json, merges.txt; NULL if absent */
    size_t vocab_bytes, merges_bytes;
    char *note; /* owned (malloc); NULL if absent */
    size_t note_bytes;
    run_state run; /* owns its change log and the JSON of its parent's receipt */
} file_metadata;

/* Reads the metadata of a header that safetensors_open_all has accepted. If the header has
 * glasshouse.config, sets `c` to the recipe of the run at its last step and metadata->run.initial
 * to the recipe at step 0; otherwise metadata->ours is false and `c` is unchanged. The caller frees
 * `metadata` with checkpoint_metadata_close. Errors: GPT_E_FILE (the error names the metadata key
 * and its member), GPT_E_OPTION, GPT_E_RANGE, GPT_E_WHOLE, GPT_E_HEADS, GPT_E_CHANGES,
 * GPT_E_ALLOCATION and the errors of receipt_adopt; on failure `c` is unchanged and `metadata`
 * needs no closing. */
int checkpoint_read(file_metadata *metadata, config *c, const char *header, size_t length,
                    gpt_error *error);

/* Frees the memory that `metadata` owns and zeroes all members. Accepts zeroed metadata. */
void checkpoint_metadata_close(file_metadata *metadata);

/* Returns the number of rows of the token table, the tensor wte.weight; 0 if the file lacks this
 * tensor or if it has more than VOCABULARY_MAX rows. */
int checkpoint_rows(const tensor_file *f);

/* Returns whether the run in the file can continue: this engine wrote the file, and the file has
 * the length of the text (text_bytes), a random stream and, unless the run is at step 0, AdamW's
 * moments. */
bool checkpoint_resumable(const tensor_file *f, const file_metadata *metadata);

/* The tensors that checkpoint_bind binds. BIND_WEIGHTS: the weights, of type F32, F16 or BF16; if
 * the file's position table has more rows than the model's context, only its first rows are read.
 * BIND_FORK: weights and losses, as F32 and in exactly the shapes of the model, so that every
 * number keeps its bits. BIND_RUN: the tensors of BIND_FORK, AdamW's moments, run.order and
 * run.last. */
typedef enum bound_parts { BIND_WEIGHTS, BIND_FORK, BIND_RUN } bound_parts;

/* Binds the tensors that `parts` selects to the memory of `into`, where tensor_file_feed will write
 * their numbers. Each call replaces all bindings of earlier calls, even if those were to another
 * model. BIND_WEIGHTS uses into->net only. BIND_FORK and BIND_RUN also set loss_count and
 * loss_stride of into->state, and need memory for `losses_max` floats at into->losses. If the file
 * lacks run.losses, all losses become NaN; if it lacks run.order or run.last, the memory for that
 * tensor stays unchanged. Errors: GPT_E_TENSOR_MISSING (a weight or a moment), GPT_E_TENSOR_EXTRA
 * (the model has no such tensor; if this engine wrote the file, only for names of weights),
 * GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE, GPT_E_FILE (loss_stride is 0, or the run has more than
 * `losses_max` losses). */
int checkpoint_bind(tensor_file *f, const file_metadata *metadata, const run_parts *into,
                    bound_parts parts, uint64_t losses_max, gpt_error *error);

/* The kinds of file that checkpoint_write writes. */
typedef enum checkpoint_form {
    FORM_CHECKPOINT,  /* weights, AdamW's moments and the run: training can continue */
    FORM_WEIGHTS,     /* only weights and metadata: about a third of the bytes of FORM_CHECKPOINT */
    FORM_TRANSFORMERS /* FORM_WEIGHTS with the tensor names of transformers' GPT2LMHeadModel */
} checkpoint_form;

/* Prepares `w` to write the run `from` as a file. Copies the metadata, including `tok` and `note`;
 * borrows the tensors in `from` until safetensors_write_close. If `note_bytes` is 0, the file has
 * no note. Errors: GPT_E_ALLOCATION, GPT_E_CAPACITY (the header would be longer than
 * SAFETENSORS_HEADER_MAX). */
int checkpoint_write(safetensors_writer *w, const run_parts *from, const tokenizer *tok,
                     checkpoint_form form, const char *note, size_t note_bytes, gpt_error *error);

#endif
