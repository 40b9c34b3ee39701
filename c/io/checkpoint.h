/* checkpoint.h - a model and its run in a safetensors file.
 *
 * Owns the names of tensors and metadata, for reading and writing; README.md explains them. Weights
 * have Hugging Face's GPT-2 names; `adam.m.` and `adam.v.` before such a name mark AdamW's moments.
 * The run has `run.losses` (F32), `run.order` (I32) and `run.last` (F64: loss, learning rate and
 * gradient norm of the last step). Metadata: `glasshouse.config` (JSON: the options),
 * `glasshouse.tokenizer` (JSON: {}, {"codes":[97,98..]}, or {"vocab":text,"merges":text} of GPT-2's
 * two files), `glasshouse.state` (JSON: the fields of RUN_FIELDS that have a place in a checkpoint,
 * and the parent), `glasshouse.note` (text of the client), `format` (for transformers).
 */
#ifndef GLASSHOUSE_CHECKPOINT_H
#define GLASSHOUSE_CHECKPOINT_H

#include "io/safetensors.h"
#include "model/model.h"
#include "recipe/run_state.h"
#include "text/tokenizer.h"

/* The parts of a run that a file stores; all borrowed. */
typedef struct run_parts {
    model *net;
    run_state *state;
    float *losses;        /* (state->loss_count) */
    uint32_t *order;      /* (order_count) the documents in shuffled order */
    uint64_t order_count; /* 0: the text is a stream */
} run_parts;

/* The contents of the metadata. The texts have no terminating NUL. */
typedef struct file_facts {
    bool ours;       /* the header has glasshouse.config */
    bool has_codes;  /* the vocabulary is characters: `codes` */
    uint32_t *codes; /* owned (malloc); (code_count) code points, ascending */
    int code_count;
    char *vocab, *merges; /* owned (malloc); text of vocab.json and merges.txt; NULL if absent */
    size_t vocab_bytes, merges_bytes;
    char *note; /* owned (malloc); NULL if absent */
    size_t note_bytes;
    run_state run; /* owns its changes and its parent */
} file_facts;

/* Reads the metadata of a header that safetensors_open_all has accepted. If the file is ours, `c`
 * becomes the recipe of the run at its last step, and facts->run.begun the recipe at step 0;
 * otherwise facts->ours is false and `c` is unchanged. GPT_E_FILE (names the key and the member),
 * GPT_E_OPTION, GPT_E_RANGE, GPT_E_WHOLE, GPT_E_HEADS, GPT_E_CHANGES, GPT_E_ALLOCATION and the
 * errors of receipt_adopt: `c` is unchanged and `facts` is closed. */
int checkpoint_read(file_facts *facts, config *c, const char *header, size_t length,
                    gpt_error *error);

/* Frees the contents and zeroes them. Zeroed facts may be closed. */
void checkpoint_facts_close(file_facts *facts);

/* Returns the rows of the token table wte.weight; 0 if the file lacks it or if it has more than
 * VOCABULARY_MAX rows. */
int checkpoint_rows(const tensor_file *f);

/* Returns whether the run in the file can continue: the file is ours and has a text hash, a random
 * stream and, after step 0, AdamW's moments. */
bool checkpoint_resumable(const tensor_file *f, const file_facts *facts);

/* The parts of a file to bind. BIND_WEIGHTS: weights of type F32, F16 or BF16; a position table may
 * have more rows than the model's context, then its first rows are read. BIND_FORK: weights and
 * losses, in the shapes of the model and as F32, so that they keep their bits. BIND_RUN: as
 * BIND_FORK, also the moments, the order and the numbers of the last step. */
typedef enum bound_parts { BIND_WEIGHTS, BIND_FORK, BIND_RUN } bound_parts;

/* Binds the tensors of these parts to their memory in `into`. A later call, also with another
 * model, replaces all bindings. BIND_WEIGHTS uses into->net alone; the others set loss_count and
 * loss_stride of into->state, and into->losses has memory for `losses_max` floats. Tensors of the
 * run may be missing from the file: losses are then NaN, the order and the numbers of the last step
 * stay as they are. GPT_E_TENSOR_MISSING, GPT_E_TENSOR_EXTRA (in a file of ours only if the name is
 * that of a weight), GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE, GPT_E_FILE (loss_stride is 0, or means
 * more than `losses_max` losses). */
int checkpoint_bind(tensor_file *f, const file_facts *facts, const run_parts *into,
                    bound_parts parts, uint64_t losses_max, gpt_error *error);

/* Forms of a file to write. */
typedef enum checkpoint_form {
    FORM_CHECKPOINT,  /* the whole run */
    FORM_WEIGHTS,     /* weights and all metadata: a third of the size */
    FORM_TRANSFORMERS /* as FORM_WEIGHTS, with the names of GPT2LMHeadModel in transformers */
} checkpoint_form;

/* Prepares a file of `from`, whose memory is borrowed until safetensors_write_close. Copies `note`;
 * `note_bytes` 0: no note. GPT_E_ALLOCATION, GPT_E_CAPACITY (as safetensors_write_open). */
int checkpoint_write(safetensors_writer *w, const run_parts *from, const tokenizer *tok,
                     checkpoint_form form, const char *note, size_t note_bytes, gpt_error *error);

#endif
