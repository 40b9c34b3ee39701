/* gpt2.h - reads and writes GPT-2's files as transformers has them, and reads the raw form.
 *
 * Covers config.json in both directions, Hugging Face's names of tensors, the index of shards, and
 * the JSON of the raw form (sizes and a list of tensors, beside plain float32 files; schema:
 * public/schema/gpt2-raw.schema.json). A setting that this engine cannot compute is refused by
 * name. Invariant: a model that opens computes the same numbers here as in transformers.
 */
#ifndef GLASSHOUSE_GPT2_H
#define GLASSHOUSE_GPT2_H

#include "base/text_buffer.h"
#include "io/tensor_file.h"
#include "recipe/config.h"

enum { PART_FILES_MAX = 256, PART_FILE_NAME_MAX = 64 };

/* One file of a model in several files. All are in the folder of the JSON that names them. */
typedef struct part_file {
    char name[PART_FILE_NAME_MAX]; /* without a folder */
    uint64_t bytes;                /* of the whole file; not set by gpt2_read_index */
} part_file;

/* Reads config.json into `c`, with the training options of the preset gpt2, and its vocab_size into
 * `*vocab`: 256 and 257 mean bytes without and with BOS, other sizes mean BPE. Ignores dropout,
 * which this engine does not have. On failure both are unchanged. GPT_E_FILE, GPT_E_UNSUPPORTED
 * (named by key and value, including NaN and null), GPT_E_RANGE, GPT_E_WHOLE, GPT_E_HEADS. */
int gpt2_read_config(config *c, int *vocab, const char *json, size_t bytes, gpt_error *error);

/* Checks whether GPT2LMHeadModel of transformers can compute a model of this recipe. GPT_E_EXPORT,
 * named by every option that it cannot compute, with the value: "bias false, embedding_norm
 * true". */
int gpt2_check_export(const config *c, gpt_error *error);

/* An option of which a program supports one value, and the text that names any other value in an
 * error. */
typedef struct fixed_option {
    int option;
    double value;
    const char *refused;
} fixed_option;

/* Appends to `why`, separated by commas, the options of a recipe that a program cannot compute:
 * options in `fixed` with another value, and options of the model that are neither in `fixed` nor
 * in `stated` (by the program's file) and whose value is not `before` (config.h). Appends nothing
 * if the program can compute the recipe. */
void put_unfit(text_buffer *why, const config *c, const fixed_option *fixed, size_t fixed_count,
               const int *stated, size_t stated_count);

/* Writes config.json of a recipe that gpt2_check_export accepts. `bos`: id of BOS, -1: none. */
void gpt2_write_config(text_buffer *out, const config *c, int vocab, int bos);

/* Writes config.json of any recipe up to the closing brace, so that the caller can append
 * members. */
void gpt2_begin_config(text_buffer *out, const config *c, int vocab, int bos);

/* Writes tokenizer_config.json. Without this file, GPT2Tokenizer of transformers adds <|endoftext|>
 * to a vocabulary that lacks it (`bos` -1), as an id for which the model has no row, and
 * transformers.js removes the spaces before full stops and commas of generated text. */
void gpt2_write_tokenizer_config(text_buffer *out, const config *c, int bos,
                                 const char *tokenizer_class);

/* Reads the JSON of the raw form: the recipe into `c`, its number of tokens into `*vocab`, the
 * tensors into `f` (the caller frees it with tensor_file_close), the files into `files`
 * (PART_FILES_MAX) and their number into `*file_count`. Ranges of tensors are offsets into all
 * files, concatenated in this order. GPT_E_FILE, GPT_E_FILE_HEADER, GPT_E_UNSUPPORTED, GPT_E_RANGE,
 * GPT_E_WHOLE, GPT_E_HEADS, and the errors of tensor_file_open and tensor_file_check. */
int gpt2_read_raw(tensor_file *f, config *c, int *vocab, part_file *files, int *file_count,
                  const char *json, size_t bytes, gpt_error *error);

/* Returns `name` without the prefixes of wrappers, in whichever order they come: "transformer."
 * (GPT2LMHeadModel), "module." (data parallelism), "model." (trainers), "_orig_mod."
 * (torch.compile). */
const char *gpt2_plain_name(const char *name);

/* Sets the plain name of every tensor, marks the tensors that the model does not use, and sorts the
 * index of names. GPT_E_TENSOR_TWICE if two tensors have the same plain name. */
int gpt2_name_tensors(tensor_file *f, gpt_error *error);

/* Whether the model does not use a tensor of this name: a causal mask, or the head of another
 * task. */
bool gpt2_ignores(const char *name);

/* Whether a name of `length` bytes is a file in the folder of the JSON: shorter than
 * PART_FILE_NAME_MAX, without path separators and control characters, not starting with a dot. */
bool gpt2_is_plain_name(const char *name, size_t length);

/* Reads model.safetensors.index.json: the names of the shards (PART_FILES_MAX), in order of first
 * occurrence. The headers of the shards say which tensors each has. GPT_E_FILE. */
int gpt2_read_index(part_file *files, int *file_count, const char *json, size_t bytes,
                    gpt_error *error);

#endif
