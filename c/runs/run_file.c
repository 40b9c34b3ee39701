/* run_file.c - see run_file.h. */
#include "runs/run_file.h"

#include <stdlib.h>

#include "base/hash.h"

int run_file_read(run_file *file, config *options, const char *header, size_t length,
                  gpt_error *error) {
    file_metadata *m = &file->metadata;
    int status = checkpoint_read(m, options, header, length, error);
    if (status == GPT_OK && m->vocab && m->merges) {
        bpe_texts from = {m->vocab, m->vocab_bytes, m->merges, m->merges_bytes, NULL, 0};
        status = bpe_source_read(&file->bpe_vocab, &from, error);
    }
    file->recipe = *options;
    return status;
}

void run_file_close(run_file *file) {
    tensor_file_close(&file->tensors);
    checkpoint_metadata_close(&file->metadata);
    free(file->fork.positions);
    bpe_source_close(&file->bpe_vocab);
}

bool run_file_names_text(const run_file *file, const char *text, size_t bytes) {
    const run_state *run = &file->metadata.run;
    return bytes == run->text_bytes && hash_fnv1a(text, bytes) == run->text_hash;
}

/* Checks that the run in the file can continue as requested: the file is resumable, its run was
 * trained on this text, and the client has changed only options that may change during a run
 * (live). */
static int check_resume(const run_file *file, const run_request *r, gpt_error *error) {
    if (!checkpoint_resumable(&file->tensors, &file->metadata)) {
        return gpt_fail_name(error, GPT_E_NO_RUN, "");
    }
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(CONFIG_ROWS[i].use & LIVE) && r->options->value[i] != file->recipe.value[i]) {
            return gpt_fail_name(error, GPT_E_FIXED, CONFIG_ROWS[i].name);
        }
    }
    if (!left_out_same(&r->options->left_out, &file->recipe.left_out)) {
        return gpt_fail_name(error, GPT_E_FIXED, CONFIG_LEFT_OUT);
    }
    return run_file_names_text(file, r->text, r->bytes)
               ? GPT_OK
               : gpt_fail(error, GPT_E_TEXT_DIFFERS, "", (double)file->metadata.run.text_bytes, 0,
                          0);
}

/* Returns whether the vocabulary of the model is known. Characters: the file lists them, as only
 * files of this engine do. BPE: the file has a vocabulary, or the client has set one. Bytes: this
 * engine wrote the file, or the token table has 256 rows (257 with BOS, for documents). */
static bool knows_vocabulary(const run_file *file, const run_request *r,
                             const bpe_source *bpe_vocab) {
    bool documents = config_int(r->options, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS;
    switch (config_tokenizer(r->options)) {
    case TOKENIZER_CHAR:
        return file->metadata.has_codes;
    case TOKENIZER_BPE:
        return bpe_vocab->from_files;
    case TOKENIZER_BYTE:
        break;
    }
    return file->metadata.ours || r->rows == (documents ? 257 : 256);
}

/* Returns `status`, the error of a failed check. If another program wrote the weights and no
 * config.json was read (rows = 0), fails with GPT_E_CONFIG_FILE instead: the sizes in the recipe
 * may be wrong. */
static int fail_to_fit(const run_file *file, int rows, int status, gpt_error *error) {
    return file->metadata.ours || rows ? status
                                       : gpt_fail_name(error, GPT_E_CONFIG_FILE, "config.json");
}

int run_file_source(run_file *file, const run_request *r, vocabulary *vocab, trainer_source *from,
                    gpt_error *error) {
    const file_metadata *metadata = &file->metadata;
    int status = r->purpose == TO_RESUME ? check_resume(file, r, error)
                 : r->purpose == TO_FORK ? fork_check(&file->tensors, metadata, error)
                                         : GPT_OK;
    if (status < 0) {
        return status;
    }
    // The file's ranges of left_out are bytes of its own text: drop them for another text.
    left_out *ranges = &r->options->left_out;
    if (r->purpose <= TO_FORK && left_out_same(ranges, &file->recipe.left_out) &&
        !run_file_names_text(file, r->text, r->bytes)) {
        ranges->count = 0;
    }
    bpe_source *bpe_vocab = file->bpe_vocab.from_files ? &file->bpe_vocab : r->bpe_vocab;
    if (!knows_vocabulary(file, r, bpe_vocab)) {
        status = gpt_fail(error, GPT_E_VOCABULARY_FILE, "", r->rows, 0, 0);
        return fail_to_fit(file, r->rows, status, error);
    }
    // Every row of the model's token table (wte.weight) is an id, even a row that no token uses
    // (padding), because each softmax is over all rows.
    *vocab = (vocabulary){metadata->code_count, metadata->codes,
                          metadata->ours ? checkpoint_rows(&file->tensors) : r->rows};
    *from = (trainer_source){r->options, r->text, r->bytes, vocab, bpe_vocab, true};
    return GPT_OK;
}

int run_file_check(run_file *file, int rows, trainer *measured, gpt_error *error) {
    run_parts parts = {.net = &measured->net};
    int status = checkpoint_bind(&file->tensors, &file->metadata, &parts, BIND_WEIGHTS, 0, error);
    return status < 0 ? fail_to_fit(file, rows, status, error) : status;
}

int run_file_bind(run_file *file, run_purpose purpose, trainer *run, gpt_error *error) {
    run_parts parts = {&run->net, &file->metadata.run, run->losses, run->data.order,
                       run->data.document_count};
    return purpose == TO_FORK
               ? fork_bind(&file->fork, &file->tensors, &file->metadata, &parts, LOSSES_MAX, error)
               : checkpoint_bind(&file->tensors, &file->metadata, &parts,
                                 purpose == TO_RESUME ? BIND_RUN : BIND_WEIGHTS, LOSSES_MAX, error);
}

/* Restores the state of the saved run. */
static int restore(run_file *file, trainer *run, gpt_error *error) {
    for (uint64_t i = 0; i < run->data.document_count; i++) {
        uint64_t document = run->data.order[i];
        bool read = i < run->data.train_documents;
        if (document >= run->data.document_count ||
            (read && left_out_touches(&run->data.left_out, document, document + 1))) {
            return gpt_fail_name(error, GPT_E_FILE, "run.order");
        }
    }
    changes_close(&run->state.changes);
    run->state = file->metadata.run;
    file->metadata.run.changes = (change_log){0}; // now owned by the trainer
    file->metadata.run.parent = (run_parent){0};
    // The cursor is an index into the shuffled documents. In older checkpoints it counts the
    // documents of all passes.
    uint64_t documents = run->data.train_documents;
    run->state.cursor = documents ? run->state.cursor % documents : 0;
    int status = GPT_OK;
    // Log the options that the client has changed since the file was read, at the saved step.
    for (int i = 0; i < OPT_COUNT && status == GPT_OK; i++) {
        status = changes_note(&run->state.changes, run->state.step, i, file->recipe.value[i],
                              run->net.options.value[i], error);
    }
    return status;
}

int run_file_finish(run_file *file, run_purpose purpose, trainer *run, gpt_error *error) {
    const run_state *saved = &file->metadata.run;
    switch (purpose) {
    case TO_RESUME:
        return restore(file, run, error);
    case TO_FORK:
        run->state.imported = false;
        return fork_finish(&file->fork, &file->metadata, &run->net, run->losses, &run->state.parent,
                           error);
    case TO_GENERATE:
        run->state.step = saved->step;
        run->state.tokens_seen = saved->tokens_seen;
        run->state.stream = saved->stream.state ? saved->stream : run->state.stream;
        break;
    case TO_TRAIN:
        break;
    }
    run->state.imported = true;
    return GPT_OK;
}
