/* gpt2.h - reads and writes GPT-2's files in the form of transformers, and reads the raw form.
 *
 * Reads and writes config.json; knows Hugging Face's names of tensors; reads the index of shards,
 * and the JSON of the raw form (sizes and a list of tensors, beside plain float32 files; schema:
 * public/schema/gpt2-raw.schema.json). An error names each setting that this engine cannot compute.
 * Invariant: a model that opens computes the same numbers here as in transformers.
 */
#ifndef GLASSHOUSE_GPT2_H
#define GLASSHOUSE_GPT2_H

#include "base/text_buffer.h"
#include "io/tensor_file.h"
#include "recipe/config.h"

/* Limits of the files of one model, and of the bytes of a file's name with its NUL. */
enum { PART_FILES_MAX = 256, PART_FILE_NAME_MAX = 64 };

/* One of several files that contain the tensors of a model. All files are in the folder of the JSON
 * that names them. */
typedef struct part_file {
    char name[PART_FILE_NAME_MAX]; /* without a folder */
    uint64_t bytes;                /* size of the whole file; gpt2_read_index does not set it */
} part_file;

/* Reads config.json into `c`, and its vocab_size into `*vocab`: 256 means bytes without BOS, 257
 * bytes with BOS, every other size BPE. Training options, which config.json lacks, get their values
 * in the preset gpt2. Ignores dropout, which this engine does not have. On failure `c` and `*vocab`
 * are unchanged. Errors: GPT_E_FILE, GPT_E_UNSUPPORTED (named by key and value, including NaN and
 * null), GPT_E_RANGE, GPT_E_WHOLE, GPT_E_HEADS. */
int gpt2_read_config(config *c, int *vocab, const char *json, size_t bytes, gpt_error *error);

/* Checks whether GPT2LMHeadModel of transformers can compute a model of this recipe. Errors:
 * GPT_E_EXPORT, named by all options that it cannot compute, with their values: "bias false,
 * embedding_norm true". */
int gpt2_check_export(const config *c, gpt_error *error);

/* An option of which another program supports only `value`. `refused` is the text of an error for
 * any other value. */
typedef struct fixed_option {
    int option;
    double value;
    const char *refused;
} fixed_option;

/* Appends to `why`, separated by commas, the options of a recipe that another program cannot
 * compute. An option in `fixed` must have its one supported value; an option number in `stated` may
 * have any value, because the program's file states it; every other option of the model must have
 * the value `before` (config.h). Appends nothing if the program can compute the recipe. */
void put_unfit(text_buffer *why, const config *c, const fixed_option *fixed, size_t fixed_count,
               const int *stated, size_t stated_count);

/* Writes config.json of a recipe that gpt2_check_export accepts. `bos` is the id of BOS, -1 if the
 * vocabulary lacks BOS. */
void gpt2_write_config(text_buffer *out, const config *c, int vocab, int bos);

/* Writes config.json of any recipe up to the closing brace, so that the caller can append
 * members. */
void gpt2_begin_config(text_buffer *out, const config *c, int vocab, int bos);

/* Writes tokenizer_config.json. Without this file, GPT2Tokenizer of transformers adds <|endoftext|>
 * to a vocabulary that lacks it (`bos` is -1), with an id for which the token table has no row, and
 * transformers.js removes the spaces before full stops and commas of generated text. */
void gpt2_write_tokenizer_config(text_buffer *out, const config *c, int bos,
                                 const char *tokenizer_class);

/* Reads the JSON of the raw form: the recipe into `c`, the size of its vocabulary into `*vocab`,
 * the tensors into `f` (the caller frees it with tensor_file_close), the files into `files` (room
 * for PART_FILES_MAX) and their number into `*file_count`. Ranges of tensors are offsets into the
 * concatenation of all files, in the order of `files`. Errors: GPT_E_FILE, GPT_E_FILE_HEADER,
 * GPT_E_UNSUPPORTED, GPT_E_RANGE, GPT_E_WHOLE, GPT_E_HEADS, and the errors of tensor_file_open and
 * tensor_file_check. */
int gpt2_read_raw(tensor_file *f, config *c, int *vocab, part_file *files, int *file_count,
                  const char *json, size_t bytes, gpt_error *error);

/* Returns `name` without the prefixes that wrappers add, in any order: "transformer."
 * (GPT2LMHeadModel), "module." (data parallelism), "model." (trainers), "_orig_mod."
 * (torch.compile). The result points into `name`. */
const char *gpt2_plain_name(const char *name);

/* Sets `prefix` and `ignored` of every tensor: the bytes before its plain name (gpt2_plain_name),
 * and whether the model does not use it. Then sorts the index of names. Errors: GPT_E_TENSOR_TWICE
 * if two tensors have the same plain name. */
int gpt2_name_tensors(tensor_file *f, gpt_error *error);

/* Whether the model does not use a tensor of this name: a causal mask, or the head of another
 * task. */
bool gpt2_ignores(const char *name);

/* Whether a name of `length` bytes names a file in the folder of the JSON itself: 1 to
 * PART_FILE_NAME_MAX - 1 bytes, without slashes, backslashes, colons and control characters, not
 * starting with a dot. */
bool gpt2_is_plain_name(const char *name, size_t length);

/* Reads the names of the shards from model.safetensors.index.json into `files` (room for
 * PART_FILES_MAX), in order of first occurrence, and their number into `*file_count`. Does not read
 * which shard contains which tensor: the headers of the shards state that. Errors: GPT_E_FILE. */
int gpt2_read_index(part_file *files, int *file_count, const char *json, size_t bytes,
                    gpt_error *error);

#endif
