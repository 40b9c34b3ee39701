/* export_model.h - describes the model in a weights file of this engine, from the header of the
 * file.
 *
 * The description has the recipe, the vocabulary and the table of tensors, but no weights. Every
 * export format writes its plan from this description; export.c streams the weights, which follow
 * the header in the file.
 */
#ifndef GLASSHOUSE_EXPORT_MODEL_H
#define GLASSHOUSE_EXPORT_MODEL_H

#include "io/checkpoint.h"
#include "model/model.h"

typedef struct export_model {
    config options;         /* the recipe */
    file_metadata metadata; /* metadata of the file, such as the state of the run */
    tokenizer tok;          /* its arrays are in `memory` */
    int vocab;              /* rows of the token table; equals tok.vocab */
    /* By id: true for a token that exports write as plain text, such as BOS. Owned (malloc);
     * length: vocab. */
    bool *special;
    model net;            /* names and shapes of the parameters, without their numbers */
    tensor_file file;     /* byte range of each parameter in the weights file; all F32 */
    bpe_source bpe_vocab; /* BPE vocabulary in the metadata; empty if the metadata lack it */
    arena memory;         /* memory of `tok` */
} export_model;

/* Reads `header`, the JSON header of a weights file (`length` bytes); in the file, `data_bytes`
 * bytes of weights follow the header. Closes `m` on failure. Errors: GPT_E_FILE (damaged, or the
 * metadata lack a recipe of this engine), GPT_E_VOCABULARY_FILE (the metadata lack the vocabulary),
 * GPT_E_VOCABULARY_SIZE (the vocabulary does not match the token table), GPT_E_TENSOR_MISSING,
 * GPT_E_TENSOR_EXTRA, GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE (not F32), and the errors of
 * safetensors_open, checkpoint_read, bpe_read and tokenizer_open. */
int export_model_open(export_model *m, const char *header, size_t length, uint64_t data_bytes,
                      gpt_error *error);

/* Frees all memory of the model and zeroes `m`. A zeroed model may be closed. */
void export_model_close(export_model *m);

#endif
