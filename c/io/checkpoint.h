/* checkpoint.h - what our safetensors files say about a model and its run.
 *
 * Owns: the names of tensors and metadata in a file, in both directions. Weights carry Hugging
 * Face's GPT-2 names; `adam.m.` and `adam.v.` before them are AdamW's moments; `run.losses` (F32),
 * `run.order` (I32) and `run.last` (F64: loss, rate, gradient norm of the last step) are the run's.
 * Metadata: `glasshouse.config` (JSON, every option), `glasshouse.tokenizer` (JSON: {},
 * {"codes":[97,98..]}, or {"vocab":text,"merges":text} of GPT-2's two files), `glasshouse.state`
 * (JSON, see README.md), `glasshouse.note` (the client's), `format` (for transformers). It opens
 * and trains nothing: what belongs to a run comes as run_parts.
 */
#ifndef GLASSHOUSE_CHECKPOINT_H
#define GLASSHOUSE_CHECKPOINT_H

#include "io/safetensors.h"
#include "model/model.h"
#include "recipe/run_state.h"
#include "text/tokenizer.h"

/* The parts of a run that go into a file or come out of one; everything is borrowed. */
typedef struct run_parts {
    model *net;
    run_state *state;
    float *losses;
    uint32_t *order; /* documents */
    uint64_t order_count;
} run_parts;

/* What a header tells before any data is read. */
typedef struct file_facts {
    bool ours;       /* it has glasshouse.config, which is then in the config */
    bool has_codes;  /* the characters of the vocabulary are given */
    uint32_t *codes; /* owns (malloc) */
    int code_count;
    char *vocab, *merges; /* own (malloc): GPT-2's vocab.json and merges.txt; NULL: none */
    size_t vocab_bytes, merges_bytes;
    char *note; /* owns (malloc); NULL: none. Not NUL-terminated */
    size_t note_bytes;
    run_state run; /* owns its changes and its parent */
} file_facts;

/* Reads the metadata of an accepted header; `c` becomes the file's recipe when it has one.
 * GPT_E_FILE, GPT_E_OPTION, GPT_E_RANGE, GPT_E_ALLOCATION. */
int checkpoint_read(file_facts *facts, config *c, const char *header, size_t length,
                    gpt_error *error);
void checkpoint_facts_close(file_facts *facts);

/* Rows of the token table in the file, 0 when it has none that could be one. */
int checkpoint_rows(const tensor_file *f);

/* The file has what a run needs to go on. */
bool checkpoint_resumable(const tensor_file *f, const file_facts *facts);

/* What of a file is read: its weights, those and the losses, each exactly as the run had them, or
 * all of the run. */
typedef enum bound_parts { BIND_WEIGHTS, BIND_FORK, BIND_RUN } bound_parts;

/* Binds every tensor of those to its place in `into` (there must be room for `losses_max`
 * losses). May be called again, with another model. Optional parts that the file lacks are set as
 * if they had been lost: losses NaN, order as shuffled. GPT_E_TENSOR_MISSING, GPT_E_TENSOR_EXTRA,
 * GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE. */
int checkpoint_bind(tensor_file *f, const file_facts *facts, const run_parts *into,
                    bound_parts parts, uint64_t losses_max, gpt_error *error);

/* Forms of a file to write. */
typedef enum checkpoint_form {
    FORM_CHECKPOINT,  /* everything */
    FORM_WEIGHTS,     /* weights, recipe, vocabulary, random stream: a third of the size */
    FORM_TRANSFORMERS /* the same under the names that transformers expects */
} checkpoint_form;

/* Prepares a file of `from`, whose memory is borrowed until the writer is closed.
 * GPT_E_ALLOCATION. */
int checkpoint_write(safetensors_writer *w, const run_parts *from, const tokenizer *tok,
                     checkpoint_form form, const char *note, size_t note_bytes, gpt_error *error);

#endif
