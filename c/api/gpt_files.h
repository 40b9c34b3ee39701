/* gpt_files.h - files of models and runs, and receipts of runs.
 *
 * gpt.h includes this header, and its conventions apply. Loaders read checkpoints and weights into
 * a new trainer, savers write them. A receipt records a run; a verifier replays the run and
 * compares every bit.
 */
#ifndef GLASSHOUSE_GPT_FILES_H
#define GLASSHOUSE_GPT_FILES_H

#include "api/gpt.h"

/* ---- Files ------------------------------------------------------------------------------------
 *
 * Files are read and written in pieces of any size, directly into and from the memory of the
 * trainer, so that a file of gigabytes is never copied. Reading:
 *
 *     gpt_loader *loader = gpt_load_open(config, "safetensors", file_bytes);
 *     taken = gpt_load_feed(loader, piece, bytes);      // until GPT_LOAD_BEGIN
 *     gpt_load_begin(loader, "resume", text, bytes);    // allocates the trainer
 *     gpt_load_feed(loader, piece + taken, ...);        // until GPT_LOAD_FINISH
 *     gpt_trainer *trainer = gpt_load_finish(loader);
 *     gpt_load_free(loader);
 *
 * A model in several files has a JSON that names them. Open and feed the JSON first. While the
 * state is GPT_LOAD_NEXT, announce the next file (gpt_load_file, gpt_load_next) and, if the state
 * is then GPT_LOAD_HEADER, feed its header. After gpt_load_begin feed the remaining bytes of all
 * files in the same order. */

/* Sets all options from a Hugging Face config.json, to load the model.safetensors beside it. A
 * model with 256 tokens reads bytes, one with 257 tokens bytes and BOS; set any other vocabulary
 * with gpt_config_set_bpe before this call. Dropout is ignored. The token table may have more rows
 * than the vocabulary has tokens: every softmax includes the extra rows, but their ids are never
 * drawn. On failure the recipe is unchanged. Errors: GPT_E_FILE if the JSON is malformed;
 * GPT_E_UNSUPPORTED, with the name of a setting that would change the results; GPT_E_RANGE,
 * GPT_E_WHOLE, GPT_E_HEADS; GPT_E_ARGUMENT if `json` is NULL or has more than 16 MiB. */
GPT_API int gpt_config_import(gpt_config *config, const char *json, size_t bytes);

/* Opens a loader for a file of `bytes` bytes. `form` says which:
 *   "safetensors":  a checkpoint or weights of this engine, or GPT-2's weights for a recipe from
 *                   gpt_config_import
 *   "index":        model.safetensors.index.json, which names the safetensors files into which
 *                   such weights are split
 *   "raw":          a JSON that describes tensors in files without headers (c/io/README.md)
 * Borrows `config` until gpt_load_free. Errors (NULL; recorded in `config`): GPT_E_ARGUMENT if the
 * form is unknown; GPT_E_FILE_HEADER if `bytes` is below 1, or above 16 MiB for "index" and
 * "raw". */
GPT_API gpt_loader *gpt_load_open(gpt_config *config, const char *form, double bytes);

/* Feeds the next bytes of a file. Returns the count of bytes read: before gpt_load_begin at most up
 * to the end of the header, afterwards all. A negative status is final: later calls return
 * GPT_E_STATE. Errors: if a file is damaged or unknown GPT_E_FILE, GPT_E_FILE_...,
 * GPT_E_TENSOR_..., GPT_E_TRUNCATED, GPT_E_PART_SIZE, GPT_E_BPE_...; if its recipe or run is
 * impossible or not supported GPT_E_UNSUPPORTED, GPT_E_OPTION, GPT_E_RANGE, GPT_E_WHOLE,
 * GPT_E_HEADS, GPT_E_CHANGES, GPT_E_RECEIPT..., GPT_E_FORK_DEPTH. */
GPT_API double gpt_load_feed(gpt_loader *loader, const char *piece, size_t bytes);

/* State of a loader, which says what call the loader expects next. */
enum gpt_load_state {
    GPT_LOAD_HEADER, /* next call: gpt_load_feed, with bytes of a header */
    /* Next call: gpt_load_begin. All headers are read: `config` is now the recipe of the file, if
     * the file has one, and gpt_load_json is available. */
    GPT_LOAD_BEGIN,
    GPT_LOAD_DATA,    /* next call: gpt_load_feed, with bytes of the data */
    GPT_LOAD_FINISH,  /* next call: gpt_load_finish, because all data is read */
    GPT_LOAD_NEXT,    /* next call: gpt_load_next, to announce the next file of the model */
    GPT_LOAD_FINISHED /* gpt_load_finish has returned the trainer; only gpt_load_free may follow */
};

/* Returns the state (GPT_LOAD_...); GPT_E_STATE after a failure that is final. */
GPT_API int gpt_load_state(const gpt_loader *loader);

/* Writes a JSON description of the model and its run, taken from the headers. Errors: GPT_E_STATE
 * before the state GPT_LOAD_BEGIN, and after gpt_load_finish.
 *     {"form":"checkpoint"|"weights","resumable":true,"forkable":true,"step":n,"tokens_seen":n,
 *      "text_hash":"0123456789ABCDEF"|"","text_bytes":n,"data_bytes":n,"note":"...",
 *      "files":[{"name":"model.bin","bytes":n}]}
 * `resumable` and `forkable` say whether gpt_load_begin accepts the purposes "resume" and "fork".
 * `text_hash` is "" if the text is unknown. `files` lists the files that the JSON of the form
 * "index" or "raw" names; empty for the form "safetensors". */
GPT_API int gpt_load_json(gpt_loader *loader, char *out, size_t capacity);

/* Writes the name of file `index`, from 0, of a model in several files. All files are in the folder
 * of the JSON that names them. Writes "" past the last. A model has at most GPT_LOAD_FILES_MAX
 * files. Errors: GPT_E_ARGUMENT for a negative `index`. */
GPT_API int gpt_load_file(gpt_loader *loader, int index, char *out, size_t capacity);
enum { GPT_LOAD_FILES_MAX = 256 };

/* Announces the next of the files that gpt_load_file names, in the same order; `bytes` is its size.
 * Errors: GPT_E_PART_SIZE if the JSON states another size (the loader cannot be used any more);
 * GPT_E_STATE if the state is not GPT_LOAD_NEXT; GPT_E_FILE_HEADER if the size is impossible. */
GPT_API int gpt_load_next(gpt_loader *loader, double bytes);

/* Allocates the trainer for the file, in the state GPT_LOAD_BEGIN. `purpose` is one of these:
 *   "resume":    continues the run of a checkpoint as if it had never stopped. `text` must be the
 *                text of that run. Since the file was read, only options that may change during a
 *                run (live) may have been changed in `config`
 *   "train":     starts a new run at step 0 with the weights of the file, on `text`. Training
 *                options, seed and a smaller context may be set in `config` first. "left_out" is
 *                cleared on another text, unless it was changed since the file was read. The
 *                receipt of the new run cannot be replayed
 *   "fork":      as "train", but the file must be a checkpoint whose run can be replayed. The
 *                receipt of the new run contains the receipt of that run, its parent, and can be
 *                verified with the texts of both runs
 *   "generate":  only generates text: `text` is NULL. Needs about a quarter of the memory of
 *                training
 * If the state is still GPT_LOAD_BEGIN after a failure, the call may be repeated with other
 * arguments. Errors: GPT_E_ARGUMENT if the purpose is unknown, or "generate" with a text;
 * GPT_E_STATE in another state; for "resume" GPT_E_NO_RUN if the file has no run to continue,
 * GPT_E_FIXED if an option was changed that is not live, GPT_E_TEXT_DIFFERS if `text` is not that
 * of the run; for "fork" GPT_E_FORK if the run cannot be replayed, GPT_E_FORK_DEPTH if it has too
 * many earlier runs; for "resume" and "fork" GPT_E_FILE if the losses are impossible;
 * GPT_E_VOCABULARY_FILE if the vocabulary is unknown; GPT_E_CONFIG_FILE if weights of another
 * program do not fit and gpt_config_import was not called; GPT_E_VOCABULARY_SIZE if there are more
 * tokens than rows; GPT_E_CHARACTER if the vocabulary lacks a character of `text`;
 * GPT_E_TENSOR_MISSING, GPT_E_TENSOR_EXTRA, GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE; see also
 * gpt_trainer_create. */
GPT_API int gpt_load_begin(gpt_loader *loader, const char *purpose, const char *text, size_t bytes);

/* Measures the trainer that gpt_load_begin would allocate. Writes JSON as gpt_plan_json. Errors:
 * see gpt_load_begin. */
GPT_API int gpt_load_plan_json(gpt_loader *loader, const char *purpose, const char *text,
                               size_t bytes, char *out, size_t capacity);

/* Returns the trainer, which the caller then owns, once all data is read. Errors (NULL; recorded in
 * `config`): GPT_E_TRUNCATED if data is missing; GPT_E_STATE in another state; for "resume"
 * GPT_E_FILE if the order of the documents is impossible, GPT_E_CHANGES if the run has too many
 * changes of options; for "fork" GPT_E_RECEIPT if the run in the file contradicts itself,
 * GPT_E_FORK_DEPTH if the receipt of that run is too long. */
GPT_API gpt_trainer *gpt_load_finish(gpt_loader *loader);
GPT_API void gpt_load_free(gpt_loader *loader);

/* Opens a saver for one file. `form` says which:
 *   "checkpoint":             the whole run, to load for the purpose "resume"
 *   "weights":                weights, recipe and vocabulary, to generate or to train on another
 *                             text
 *   "model.safetensors",
 *   "config.json":            the model for GPT2LMHeadModel of transformers
 *   "vocab.json",
 *   "merges.txt":             the vocabulary in GPT-2's files
 *   "tokenizer_config.json":  the tokenizer settings of transformers
 * `note`, at most 1 MiB, is text of the client that "checkpoint", "weights" and "model.safetensors"
 * store; NULL with 0: no note. The trainer must neither change nor be freed before gpt_save_free.
 *
 * Errors (NULL; recorded in the trainer): GPT_E_NO_TEXT if the form is "checkpoint" and the trainer
 * only generates; GPT_E_EXPORT if the form is "model.safetensors" or "config.json" and GPT-2 lacks
 * an option of the recipe; GPT_E_STATE if the form is "vocab.json" or "merges.txt" and tokens are
 * characters; GPT_E_ARGUMENT if the form is unknown or the note too long; GPT_E_CAPACITY if the
 * header of the file would exceed 16 MiB. */
GPT_API gpt_saver *gpt_save_open(gpt_trainer *trainer, const char *form, const char *note,
                                 size_t note_bytes);

/* Returns the size of the whole file in bytes. */
GPT_API double gpt_save_bytes(const gpt_saver *saver);

/* Writes the next bytes of the file, raw. Returns their count, 0 at the end, or a negative status:
 * GPT_E_STATE if the trainer has stepped since gpt_save_open (files with weights only). */
GPT_API double gpt_save_read(gpt_saver *saver, char *out, size_t capacity);
GPT_API void gpt_save_free(gpt_saver *saver);

/* Returns 1 if the run in the file was trained on exactly these bytes, else 0; 0 before the header
 * is read. */
GPT_API int gpt_load_names_text(const gpt_loader *loader, const char *text, size_t bytes);

/* Writes the fingerprint by which files identify a text: its 64-bit FNV-1a hash as 16 hexadecimal
 * digits. */
GPT_API int gpt_text_hash(const char *text, size_t bytes, char *out, size_t capacity);

/* ---- Receipts ---------------------------------------------------------------------------------
 *
 * A receipt records the inputs of a run (every option at step 0, the hash of the text, each option
 * that was changed during the run, with the step) and its results (the bits of its losses, a hash
 * of its weights). Anyone with the text can replay the run on any machine and must get the same
 * bits. A fork is a run that starts with the weights of another run: its receipt contains the
 * receipt of that run, and its replay needs both texts. c/io/README.md describes the long form
 * (JSON) and the short form (one line). */

/* Writes the SHA-256 of all weights as 64 hexadecimal digits. The hash covers the floats of the
 * parameters in the order of gpt_parameters_json, little-endian, every NaN as 0x7fc00000. */
GPT_API int gpt_weights_hash(gpt_trainer *trainer, char *out, size_t capacity);

/* Write the receipt of the run so far as JSON, which has eight characters for each stored loss, or
 * as one line to compare: "gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5". The line consists of
 * the number of the engine, nearest preset, seed, steps, and the first 32 bits of the hashes of
 * recipe, losses and weights. Errors: GPT_E_NO_TEXT if the trainer only generates. */
GPT_API int gpt_receipt_json(gpt_trainer *trainer, char *out, size_t capacity);
GPT_API int gpt_receipt_line(gpt_trainer *trainer, char *out, size_t capacity);

/* Returns 1 if the run of a receipt, or an earlier run from whose weights it descends, was trained
 * on exactly these bytes, else 0; 0 for a damaged receipt. */
GPT_API int gpt_receipt_names_text(const char *json, size_t json_bytes, const char *text,
                                   size_t bytes);

/* Replays a run and compares it with its receipt. */
typedef struct gpt_verifier gpt_verifier;

/* Reads a receipt and starts its run again at step 0 on `text`; copies both. Borrows `config`, for
 * its memory limit and for failures, until gpt_verify_free. Errors (NULL; recorded in `config`):
 * GPT_E_RECEIPT if the receipt is malformed; GPT_E_RECEIPT_ENGINE if it is of an engine that
 * computes other bits; GPT_E_OPTION if it names an option that this version does not have;
 * GPT_E_RECEIPT_ORIGIN if the run began with a file of weights or a vocabulary; GPT_E_CHANGES if it
 * has too many changes of options; GPT_E_FORK_DEPTH if it has too many runs; GPT_E_TEXT_DIFFERS if
 * `text` is not that of its run; GPT_E_RECEIPT_TEXT if the receipt is of a fork (a run that starts
 * with another run's weights) and one of the runs had another text; see also gpt_trainer_create. */
GPT_API gpt_verifier *gpt_verify_open(gpt_config *config, const char *receipt, size_t bytes,
                                      const char *text, size_t text_bytes);

/* Opens a verifier on `count` texts in any order, for the receipt of a fork (a run that starts with
 * the weights of another run). Replays the oldest run first, then each later run with the final
 * weights of the run before it. Borrows `config` and the bytes of the texts, but not the two
 * arrays, until gpt_verify_free. Texts are matched by hash and size; unmatched texts are ignored.
 * Errors: see gpt_verify_open; the name of GPT_E_RECEIPT_TEXT is the hash of a missing text. */
GPT_API gpt_verifier *gpt_verify_open_all(gpt_config *config, const char *receipt, size_t bytes,
                                          const char *const *texts, const size_t *text_bytes,
                                          int count);
GPT_API void gpt_verify_free(gpt_verifier *verifier);

/* Replays one step or, in the receipt of a fork (a run that starts with the weights of another
 * run), starts the next run. Returns GPT_OK, or GPT_END at the first difference and after the last
 * comparison. Errors, recorded in `config`: see gpt_load_begin if the next run cannot start;
 * GPT_E_STATE in all calls after a failure. */
GPT_API int gpt_verify_step(gpt_verifier *verifier);

/* Returns 1 if the whole run has been replayed without a difference, else 0. */
GPT_API int gpt_verify_same(const gpt_verifier *verifier);

/* Writes the findings so far as JSON:
 *     {"same":true,"done":500,"steps":500,"difference":"","at":0,"expected":"","found":""}
 * `difference` is "", "loss", "diverged" (the replay could not compute step `at`) or "weights"
 * (after the last step). `at` is the step of the difference, from 1, or 0 without one; `expected`
 * and `found` are the bits of a loss or the hashes of the weights, in hexadecimal. If the receipt
 * is of a fork (a run that starts with the weights of another run), `done` and `steps` count the
 * steps of all its runs, and two members follow, "run":1,"runs":2. `run` is the number of the run
 * being replayed, 1 for the oldest; `at` is a step of that run. */
GPT_API int gpt_verify_json(const gpt_verifier *verifier, char *out, size_t capacity);

#endif
