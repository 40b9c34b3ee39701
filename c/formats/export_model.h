/* export_model.h - the model of one of our weights files, as the header of the file describes it.
 *
 * Recipe, vocabulary and table of tensors, but no numbers. Every export format writes its plan from
 * this description; the data that follow the header are streamed (export.c).
 */
#ifndef GLASSHOUSE_EXPORT_MODEL_H
#define GLASSHOUSE_EXPORT_MODEL_H

#include "io/checkpoint.h"
#include "model/model.h"

typedef struct export_model {
    config options;
    file_facts facts;  /* metadata: state of the run, note of the client */
    tokenizer tok;     /* arrays in `memory` */
    int vocab;         /* rows of the token table; equals tok.vocab */
    bool *special;     /* (vocab) true: plain text, such as BOS; owned (malloc) */
    model net;         /* table of parameters, whose tensors have no data */
    tensor_file file;  /* the same parameters by their ranges in the file; all F32 */
    bpe_source merges; /* the BPE vocabulary of the metadata */
    arena memory;
} export_model;

/* Reads the header of a weights file, after which `data_bytes` follow. Closes `m` on failure.
 * GPT_E_FILE (no recipe of ours in the metadata, or damaged), GPT_E_VOCABULARY_FILE (the metadata
 * lack the vocabulary), GPT_E_VOCABULARY_SIZE (the vocabulary does not match the token table),
 * GPT_E_TENSOR_MISSING, GPT_E_TENSOR_EXTRA, GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE (not F32), and
 * the errors of safetensors_open, checkpoint_read, bpe_read and tokenizer_open. */
int export_model_open(export_model *m, const char *header, size_t length, uint64_t data_bytes,
                      gpt_error *error);

/* Frees everything and zeroes the model. A zeroed model may be closed. */
void export_model_close(export_model *m);

#endif
