/* export_model.h - what a file of our own weights says of the model in it, before its numbers come.
 *
 * Owns: recipe, vocabulary and table of tensors, read from the header that gpt_save_open writes for
 * "weights". Every format that goes out is made from this and from the numbers behind it.
 */
#ifndef GLASSHOUSE_EXPORT_MODEL_H
#define GLASSHOUSE_EXPORT_MODEL_H

#include "io/checkpoint.h"
#include "model/model.h"

typedef struct export_model {
    config options;
    file_facts facts; /* the run, the client's note */
    tokenizer tok;    /* in `memory` */
    int vocab;        /* rows of the token table: ids, and rows that no id has */
    bool *special;    /* (vocab) tokens that stand for themselves; owns (malloc) */
    model net;        /* its list of parameters; no numbers */
    tensor_file file; /* the same tensors in the order of their bytes, all F32 */
    bpe_source merges;
    arena memory;
} export_model;

/* Reads a header. GPT_E_FILE for one that is not ours, what safetensors_open, checkpoint_read,
 * bpe_read and tokenizer_open find, GPT_E_TENSOR_TYPE. A model that failed is closed. */
int export_model_open(export_model *m, const char *header, size_t length, uint64_t data_bytes,
                      gpt_error *error);

/* Gives everything back. A zeroed model may be closed. */
void export_model_close(export_model *m);

#endif
