/* gpt2.h - GPT-2 in the files of transformers, and in the raw form.
 *
 * Owns: Hugging Face's config.json in both directions, its names of tensors, its index of shards,
 * and the header of the raw form (JSON with dimensions and a list of tensors beside plain float32
 * files; schema: public/schema/gpt2-raw.schema.json). A setting that this engine cannot compute is
 * refused by name. Invariant: a file that opens computes the same numbers as elsewhere.
 */
#ifndef GLASSHOUSE_GPT2_H
#define GLASSHOUSE_GPT2_H

#include "base/text_buffer.h"
#include "io/tensor_file.h"
#include "recipe/config.h"

enum { PART_FILES_MAX = 256, PART_FILE_NAME_MAX = 64 };

/* One of the files that hold a model together: they lie beside the JSON that names them. */
typedef struct part_file {
    char name[PART_FILE_NAME_MAX]; /* no folder in it */
    uint64_t bytes;                /* of the whole file; the index of shards does not tell */
} part_file;

/* Makes `c` the recipe that config.json describes (training options as in the preset gpt2) and
 * tells the size of its vocabulary: 256 and 257 stand for bytes without and with BOS, others for
 * BPE. Dropout is ignored: this engine has none. GPT_E_FILE, GPT_E_UNSUPPORTED (named by key and
 * value, NaN and null among them), GPT_E_RANGE, GPT_E_WHOLE, GPT_E_HEADS. */
int gpt2_read_config(config *c, int *vocab, const char *json, size_t bytes, gpt_error *error);

/* GPT_OK if GPT2LMHeadModel can compute a model of this recipe. Else GPT_E_EXPORT, whose detail
 * lists every option that stands in the way with its value, "bias false, embedding_norm true". */
int gpt2_check_export(const config *c, gpt_error *error);

/* An option that a program has one value of, and how another value is named in a refusal. */
typedef struct fixed_option {
    int option;
    double value;
    const char *refused;
} fixed_option;

/* Lists the options of a recipe that a program cannot compute: `fixed` ones with another value, and
 * options of the model that are neither fixed nor `stated` in its files and differ from the value
 * that means "as before this option existed". */
void put_unfit(text_buffer *why, const config *c, const fixed_option *fixed, size_t fixed_count,
               const int *stated, size_t stated_count);

/* Writes config.json for a recipe that gpt2_check_export accepts; `bos` -1: no such token. */
void gpt2_write_config(text_buffer *out, const config *c, int vocab, int bos);

/* The same of any recipe, without the brace that ends it: other members can follow. */
void gpt2_begin_config(text_buffer *out, const config *c, int vocab, int bos);

/* Writes tokenizer_config.json. Without it transformers' GPT2Tokenizer would add <|endoftext|>
 * as one more id to a vocabulary that has none (`bos` -1), and the model has no row for that id;
 * and transformers.js would remove spaces before points and commas of what a model writes. */
void gpt2_write_tokenizer_config(text_buffer *out, const config *c, int bos,
                                 const char *tokenizer_class);

/* Reads the raw form's JSON: the recipe into `c`, its tensors into `f` (which tensor_file_close
 * ends) with ranges as if all files lay one after the other, and the files (PART_FILES_MAX) in
 * that order. */
int gpt2_read_raw(tensor_file *f, config *c, int *vocab, part_file *files, int *file_count,
                  const char *json, size_t bytes, gpt_error *error);

/* A name without the prefixes of wrappers: GPT2LMHeadModel (before all but its head), data
 * parallelism, trainers and torch.compile, in any order. */
const char *gpt2_plain_name(const char *name);

/* Finds the plain names of all tensors, and marks tensors that the
 * model does not use (causal masks, heads of other tasks). GPT_E_TENSOR_TWICE if two tensors have
 * one plain name. */
int gpt2_name_tensors(tensor_file *f, gpt_error *error);

/* True for the name of a tensor that the model does not use. */
bool gpt2_ignores(const char *name);

/* A file name that stays in the folder of the JSON, without control characters. */
bool gpt2_is_plain_name(const char *name, size_t length);

/* Reads model.safetensors.index.json: the names of the shards (PART_FILES_MAX), in the order in
 * which they first occur; which tensor is where, the shards say themselves. GPT_E_FILE. */
int gpt2_read_index(part_file *files, int *file_count, const char *json, size_t bytes,
                    gpt_error *error);

#endif
