/* run_file.h - begins or continues a run from a model file: checks that the file suits the purpose,
 * and connects its tensors to the memory of the run.
 *
 * Call in this order, once the table of tensors is open: run_file_read, run_file_source,
 * trainer_measure, run_file_check, trainer_build, run_file_bind; then feed the data to
 * file->tensors, and call run_file_finish.
 */
#ifndef GLASSHOUSE_RUN_FILE_H
#define GLASSHOUSE_RUN_FILE_H

#include "io/checkpoint.h"
#include "io/fork.h"
#include "train/trainer.h"

/* The purposes of gpt_load_begin (api/gpt_files.h). */
typedef enum run_purpose { TO_TRAIN, TO_FORK, TO_RESUME, TO_GENERATE } run_purpose;

typedef struct run_file {
    tensor_file tensors;
    file_metadata metadata;
    bpe_source bpe_vocab; /* owned; the BPE vocabulary of the file, if it has one */
    /* The recipe when the headers were read, to find options that the client changes later. */
    config recipe;
    fork_parts fork;
} run_file;

/* A request of the client for a run; all pointers are borrowed. */
typedef struct run_request {
    run_purpose purpose;
    config *options;       /* the recipe of the new run */
    bpe_source *bpe_vocab; /* the BPE vocabulary that the client has set, if any */
    /* Rows of the token table that config.json or the JSON of the raw form states; 0 without such a
     * file. */
    int rows;
    /* Text to train on, borrowed, and its length in bytes; NULL and 0 for TO_GENERATE. */
    const char *text;
    size_t bytes;
} run_request;

/* Reads the metadata in the header of `file`, after tensor_file_open. If this engine wrote the
 * file, the recipe in the file replaces `options`. Errors: see checkpoint_read and
 * bpe_source_read. */
int run_file_read(run_file *file, config *options, const char *header, size_t length,
                  gpt_error *error);

/* Frees all memory that `file` owns. Accepts a zeroed run_file. */
void run_file_close(run_file *file);

/* Returns whether the run in the file was trained on exactly these bytes. */
bool run_file_names_text(const run_file *file, const char *text, size_t bytes);

/* Checks a request. On success, sets `from` to a description of the trainer, which the caller then
 * measures and builds, and `vocab` to the vocabulary of the model; `from` borrows `vocab`. Clears
 * the option left_out if the new run has another text than the run in the file and the client has
 * not changed the option. Errors: for TO_RESUME GPT_E_NO_RUN if the run cannot be resumed,
 * GPT_E_FIXED if an option was changed that may not change during a run, GPT_E_TEXT_DIFFERS if the
 * text is not that of the run; for TO_FORK see fork_check; GPT_E_VOCABULARY_FILE if the vocabulary
 * is unknown; GPT_E_CONFIG_FILE instead if another program wrote the weights and no config.json was
 * imported. */
int run_file_source(run_file *file, const run_request *request, vocabulary *vocab,
                    trainer_source *from, gpt_error *error);

/* Checks names, shapes and types of the file's tensors against a measured trainer, before the
 * memory of the trainer is allocated; `rows` is run_request.rows. Errors: see checkpoint_bind;
 * GPT_E_CONFIG_FILE instead if another program wrote the weights and no config.json was
 * imported. */
int run_file_check(run_file *file, int rows, trainer *measured, gpt_error *error);

/* Binds the tensors of the file to the memory of `run`. After a failure file->tensors must not be
 * fed any more. Errors: see checkpoint_bind and fork_bind. */
int run_file_bind(run_file *file, run_purpose purpose, trainer *run, gpt_error *error);

/* Completes `run`, once all data is read: restores the state of the saved run (TO_RESUME), writes
 * the parent's receipt (TO_FORK), or copies step, token count and random stream (TO_GENERATE).
 * Errors: GPT_E_FILE if run.order, the order of the documents in the file, contains a document that
 * does not exist or that training must not read; GPT_E_CHANGES if the run has too many changes of
 * options; GPT_E_ALLOCATION; see also fork_finish. */
int run_file_finish(run_file *file, run_purpose purpose, trainer *run, gpt_error *error);

#endif
