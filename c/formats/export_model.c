/* export_model.c - see export_model.h. */
#include "formats/export_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Fills m->special: true for BOS, and for every BPE token of two or more bytes that is valid UTF-8
 * and that no merge makes: such a token was added to the vocabulary as plain text. */
static int find_special(export_model *m, gpt_error *error) {
    const tokenizer *tok = &m->tok;
    const bpe *b = tok->kind == TOKENIZER_BPE ? &tok->bpe : NULL;
    m->special = calloc((size_t)m->vocab + 1, sizeof *m->special);
    if (!m->special) {
        return gpt_fail_allocation(error, (uint64_t)m->vocab);
    }
    for (int id = 0; b && id < b->size; id++) {
        size_t count;
        const unsigned char *bytes = bpe_token(b, id, &count);
        m->special[id] = count > 1 && utf8_is_valid(bytes, count);
    }
    for (int rank = 0; b && rank < b->merges; rank++) {
        m->special[b->made[rank]] = false;
    }
    if (tok->bos >= 0) {
        m->special[tok->bos] = true;
    }
    return GPT_OK;
}

static int open_vocabulary(export_model *m, gpt_error *error) {
    const file_metadata *file = &m->metadata;
    int status = GPT_OK;
    if (file->vocab && file->merges) {
        bpe_texts from = {
            file->vocab, file->vocab_bytes, file->merges, file->merges_bytes, NULL, 0};
        status = bpe_source_read(&m->bpe_vocab, &from, error);
    }
    tokenizer_options options = tokenizer_options_of(&m->options);
    bool known = options.kind == TOKENIZER_CHAR  ? file->has_codes
                 : options.kind == TOKENIZER_BPE ? m->bpe_vocab.from_files
                                                 : true;
    if (status == GPT_OK && !known) {
        return gpt_fail(error, GPT_E_VOCABULARY_FILE, "", m->vocab, 0, 0);
    }
    vocabulary vocab = {file->code_count, file->codes, m->vocab};
    text_counts none;
    arena measured;
    arena_open_measuring(&measured);
    if (status == GPT_OK) {
        status = tokenizer_open(&m->tok, options, &vocab, &m->bpe_vocab, "", 0, &measured, &none,
                                error);
    }
    status = status < 0 ? status : arena_open(&m->memory, measured.peak, error);
    if (status == GPT_OK) {
        status = tokenizer_open(&m->tok, options, &vocab, &m->bpe_vocab, "", 0, &m->memory, &none,
                                error);
    }
    if (status == GPT_OK && m->tok.vocab != m->vocab) {
        status = gpt_fail(error, GPT_E_VOCABULARY_SIZE, "", m->vocab, m->tok.vocab, 0);
    }
    return status;
}

/* Builds the recipe's table of parameters and checks that the file has one F32 tensor for each
 * parameter and no other tensor. Errors: GPT_E_TENSOR_MISSING, GPT_E_TENSOR_EXTRA,
 * GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE. */
static int check_tensors(export_model *m, gpt_error *error) {
    arena counting;
    arena_open_measuring(&counting);
    int status = model_open_frozen(&m->net, &m->options, m->vocab, &counting, error);
    for (int i = 0; i < m->net.count && status == GPT_OK; i++) {
        const param *p = &m->net.params[i];
        file_tensor *t = tensor_file_find(&m->file, "", p->name);
        status = t ? tensor_file_bind(t, INTO_FLOAT_EXACT, NULL, param_rows(p), param_columns(p),
                                      false, error)
                   : gpt_fail_name(error, GPT_E_TENSOR_MISSING, p->name);
    }
    for (size_t i = 0; i < m->file.count && status == GPT_OK; i++) {
        const file_tensor *t = &m->file.tensors[i];
        status = t->known ? GPT_OK : gpt_fail_name(error, GPT_E_TENSOR_EXTRA, t->name);
    }
    return status;
}

int export_model_open(export_model *m, const char *header, size_t length, uint64_t data_bytes,
                      gpt_error *error) {
    memset(m, 0, sizeof *m);
    (void)config_from_preset(&m->options, CONFIG_PRESETS[PRESET_GPT2], NULL);
    int status = safetensors_open(&m->file, header, length, data_bytes, error);
    status = status < 0 ? status
                        : checkpoint_read(&m->metadata, &m->options, header, length, error);
    if (status == GPT_OK && !m->metadata.ours) {
        status = gpt_fail_name(error, GPT_E_FILE, "weights");
    }
    status = status < 0 ? status : config_check(&m->options, error);
    m->vocab = status < 0 ? 0 : checkpoint_rows(&m->file);
    status = status < 0 ? status : open_vocabulary(m, error);
    status = status < 0 ? status : find_special(m, error);
    status = status < 0 ? status : check_tensors(m, error);
    if (status < 0) {
        export_model_close(m);
    }
    return status;
}

void export_model_close(export_model *m) {
    model_close(&m->net);
    tensor_file_close(&m->file);
    checkpoint_metadata_close(&m->metadata);
    bpe_source_close(&m->bpe_vocab);
    free(m->special);
    arena_close(&m->memory);
    memset(m, 0, sizeof *m);
}
