/* gpt.h - the public interface of the engine: train a GPT on a text, sample from it, look inside.
 *
 * JavaScript (through WebAssembly), the native command line and the tests use this header alone.
 * Any language can bind it by hand: handles are opaque pointers, every other argument is a number,
 * an array with its length, or a short NUL-terminated name.
 *
 *     gpt_config *config = gpt_config_create("microgpt");
 *     gpt_config_set(config, "seed", 42);
 *     gpt_trainer *trainer = gpt_trainer_create(config, text, bytes);
 *     while (gpt_step(trainer) == GPT_OK) printf("%f\n", gpt_loss(trainer));
 *     gpt_trainer_free(trainer);
 *     gpt_config_free(config);
 *
 * Terms. T is the option `context`. The option `sequences` says how a text is read: as a *stream*,
 * in windows of T tokens at random places, or as *documents*, one per line, in shuffled order, each
 * between two BOS tokens (beginning of sequence) and cut at T. The option `validation` is the share
 * of the text that is *held out* for validation: training never reads it. The option "left_out"
 * lists other parts of the text that training never reads. Losses are in nats per token.
 *
 * Handles. The caller owns every handle and frees it with the _free function of its type, which
 * ignores NULL. Samplers and savers work on a trainer, loaders and verifiers on a gpt_config: that
 * handle must stay alive until they are freed. gpt_trainer_free also frees the samplers.
 *
 * Errors. Functions that return int return a negative status of base/status.h (GPT_E_...) on
 * failure; GPT_OK, GPT_FINISHED and GPT_END are successes. On failure, functions that return a
 * pointer return NULL, and functions that return a double return NaN or, in gpt_files.h and
 * gpt_formats.h, a negative status. A gpt_config, trainer, trace, export or import records its last
 * failure, which functions such as gpt_config_error write as JSON. Samplers and savers record
 * failures in their trainer, loaders and verifiers in their gpt_config. Every argument is checked;
 * no call prints, exits or aborts. Three statuses may come from any function, and the comments
 * below list them only where they have another cause: GPT_E_ARGUMENT (a NULL handle; NULL with a
 * length above 0), GPT_E_ALLOCATION (the system refused memory), GPT_E_CAPACITY (`out` is too
 * small).
 *
 * Buffers. Input text is bytes with a length; NULs and invalid UTF-8 are allowed. Functions copy
 * their input before they return; only gpt_verify_open_all borrows it. A function that writes a
 * string to `out`, `capacity` bytes, adds a NUL and returns the length without the NUL. If the
 * function returns GPT_E_CAPACITY, `out` has the beginning of the string, and the failure, if a
 * handle records it, has the needed capacity as values[0] (see gpt_config_error). Raw bytes and
 * numbers have no NUL. Data behind a returned pointer is borrowed until the call that the comment
 * of the function names.
 *
 * Determinism. The same text, options and seed produce the same bits on every platform and with any
 * number of threads. Sampling, validation and probing never change a later training loss.
 *
 * Threads. Use a handle, and all handles that work on it, from one thread at a time. The pool of
 * helper threads (see Threads at the end) is the only global state and changes no result.
 */
#ifndef GLASSHOUSE_GPT_H
#define GLASSHOUSE_GPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#ifdef __cplusplus
#define GPT_API extern "C"
#else
#define GPT_API extern
#endif

/* Version of this header, the same as in package.json. */
#define GPT_VERSION "0.2.0"

/* Returns the version of the linked library, which may differ from GPT_VERSION. Static string. */
GPT_API const char *gpt_version(void);

/* A recipe: every option of a model and of its training, a BPE vocabulary and a memory limit. */
typedef struct gpt_config gpt_config;

/* A model and its run: weights, optimizer state, text as tokens, samplers. */
typedef struct gpt_trainer gpt_trainer;

/* Generates text with the model of a trainer; see Sampling. */
typedef struct gpt_sampler gpt_sampler;

/* A loader reads files into a new trainer, a saver writes a trainer to a file; see Files in
 * gpt_files.h. */
typedef struct gpt_loader gpt_loader;
typedef struct gpt_saver gpt_saver;

/* ---- Recipe ---------------------------------------------------------------------------------- */

/* Creates a recipe with the values of a preset: "tinygpt", "microgpt" or "gpt2". Returns NULL for
 * another name or if memory is refused. Trainers copy the recipe: it may change or be freed after
 * they are created. */
GPT_API gpt_config *gpt_config_create(const char *preset);
GPT_API void gpt_config_free(gpt_config *config);

/* Sets an option by name. For an option of type "bool", `value` is 0 or 1; for an option of type
 * "choice", the position of the choice in the list of gpt_options_json, from 0. Only the range of
 * this option is checked here; gpt_config_check checks combinations. On failure the recipe is
 * unchanged. Errors: GPT_E_OPTION if the name is unknown, GPT_E_RANGE, GPT_E_WHOLE if the value is
 * not a whole number. */
GPT_API int gpt_config_set(gpt_config *config, const char *option, double value);

/* Sets an option from text: a number as in JSON, `true` or `false` for a bool, or the name of a
 * choice. Errors: GPT_E_CHOICE for other text; see also gpt_config_set.
 *
 * This function also sets "left_out", which is not a number and not in the list of options: byte
 * ranges of the text that training never reads, written from:to (`to` excluded), such as
 * "812:840,1024:1100"; "" for none. Ranges that touch are joined; at most 256 may remain. Training
 * skips documents that overlap a range, and draws a window of a stream again if it overlaps a
 * range. The vocabulary, the order of the documents and the held-out part do not change: a range
 * inside the held-out part has no effect. Errors: GPT_E_LEFT_OUT_RANGE (malformed),
 * GPT_E_LEFT_OUT_COUNT (more than 256 ranges). Functions that read the text return
 * GPT_E_LEFT_OUT_END if a range ends beyond the text, and GPT_E_LEFT_OUT_ALL if no document or
 * fewer than 1 in 1000 windows remain. */
GPT_API int gpt_config_set_text(gpt_config *config, const char *option, const char *text);

/* Writes the value of "left_out" as JSON: the byte ranges of the text that training never reads,
 * ascending, the end of each excluded, such as [[812,840],[1024,1100]]; [] for none. */
GPT_API int gpt_config_left_out_json(gpt_config *config, char *out, size_t capacity);

/* Returns the value of an option; NaN for an unknown name and for "left_out". */
GPT_API double gpt_config_get(const gpt_config *config, const char *option);

/* Checks combinations of options. Errors: GPT_E_HEADS if `heads` does not divide `channels`. */
GPT_API int gpt_config_check(gpt_config *config);

/* Writes the last failure recorded by this handle as JSON; `status` is 0 if no call has failed:
 *     {"status":-7,"code":"heads","name":"","values":[64,5,0],"message":"..."}
 * `code` is the name of the status; `name` and `values` replace {name}, {0}, {1} and {2} in the
 * text of the status in base/status.h; a value that is not finite is null. 2048 bytes are always
 * enough. A failure of this function is not recorded. */
GPT_API int gpt_config_error(const gpt_config *config, char *out, size_t capacity);

/* Writes the last failure recorded by this handle as one English sentence without control
 * characters, the `message` of gpt_config_error. */
GPT_API int gpt_config_message(const gpt_config *config, char *out, size_t capacity);

/* Returns the name of preset `index`, from 0; NULL past the last. Static string. */
GPT_API const char *gpt_preset_name(int index);

/* Return the name, type ("int", "real", "bool", or the choices, such as "byte|char|bpe") and group
 * ("data", "model", "training") of option `index`, from 0; NULL past the last. Static strings.
 * gpt_option_live returns 1 if the option may change during a run, else 0. */
GPT_API const char *gpt_option_name(int index);
GPT_API const char *gpt_option_type(int index);
GPT_API const char *gpt_option_group(int index);
GPT_API int gpt_option_live(int index);

/* Writes the table of options as JSON, the source of forms, URLs and command lines:
 *     {"presets":["tinygpt",...],"options":[{"name":"layers","group":"model",
 *      "type":"int"|"real"|"bool"|"choice","choices":["byte","char","bpe"],"min":1,"max":96,
 *      "live":false,"basic":true,"ladder":"ones","term":"layer","needs":"tokenizer=bpe",
 *      "presets":[2,2,4]},...]}
 *   choices   only for type "choice", in the order of their numbers
 *   live      the option may change during a run
 *   basic     forms show the option at once, others on request
 *   ladder    the round values that a form steps through: "ones" (whole numbers), "halves" (1,
 *             1.5, 2, 3, 4, 6...), "decades" (1, 2, 5, 10...) or "twentieths" (steps of 0.05);
 *             absent for choices and bools
 *   term      the glossary entry that explains the option; absent without an entry
 *   needs     "option=choice", without which the option has no effect; absent if it always has one
 *   presets   the value in each preset, in the order of the list of presets */
GPT_API int gpt_options_json(char *out, size_t capacity);

/* Sets the BPE vocabulary of the recipe from GPT-2's vocab.json, merges.txt and, if the model has
 * one, added_tokens.json (else NULL and 0), or from a tokenizer.json alone, passed as `vocab_json`.
 * NULL and 0 for all three files remove the vocabulary. If the option `tokenizer` is "bpe",
 * trainers copy this vocabulary instead of learning one of `vocabulary` tokens from the text.
 *
 * BOS is the token <|endoftext|> of the vocabulary. BOS separates documents, ends samples and
 * replaces an empty prompt. If the vocabulary lacks this token, a model of documents has one more
 * id, as BOS. The characters <|endoftext|> in a text become BOS only if the option `special_tokens`
 * is 1. Other special tokens are decoded, but never encoded.
 *
 * On failure the recipe is unchanged. Errors: GPT_E_BPE_... if a file is malformed,
 * GPT_E_UNSUPPORTED if a tokenizer.json has a rule that GPT-2 does not have, GPT_E_ARGUMENT for a
 * vocab.json without merges. */
GPT_API int gpt_config_set_bpe(gpt_config *config, const char *vocab_json, size_t vocab_bytes,
                               const char *merges, size_t merges_bytes, const char *added,
                               size_t added_bytes);

/* Sets the most bytes that a trainer made from this recipe and the caller's text may have together;
 * default 2^32 - 2^26. Probes, traces and samplers of gpt_sampler_create are not counted. Errors:
 * GPT_E_RANGE unless `bytes` is from 0 to 2^53 - 1. */
GPT_API int gpt_config_set_memory_limit(gpt_config *config, double bytes);

/* Measures a trainer of this recipe and text without allocating the model. Writes a JSON object
 * with the members
 *
 *   vocab                 ids of the vocabulary, BOS included
 *   merges                merges of a BPE; 0 for other tokenizers
 *   tokens                tokens of the whole text, BOS not counted
 *   train_tokens, validation_tokens
 *                         tokens of the training part and of the held-out part, left-out tokens
 *                         included; null for documents with a held-out part, because the counts
 *                         depend on the shuffled order
 *   documents             documents of the whole text; 0 for a stream
 *   train_documents       documents that are trained on
 *   validation_sequences  held-out documents, or held-out windows of T tokens
 *   cut_documents         documents of at least T tokens
 *   cut_tokens            tokens of these documents beyond T, which are never trained on
 *   invalid_bytes         bytes that are not UTF-8
 *   parameters            numbers in all weights
 *   random_loss           ln(vocab), in nats per token
 *   persist_bytes         memory for tokens, weights, gradients and AdamW's moments
 *   step_bytes            memory for the activations of a step and their gradients
 *   total_bytes           memory of the trainer: persist_bytes, step_bytes and its sampler
 *   text_bytes            size of `text`, which the caller keeps in memory
 *   limit_bytes           the memory limit of the recipe, for total_bytes + text_bytes
 *   tokens_per_step       batch * T
 *   index_bytes           estimated peak memory of a gpt_trace of the text
 * If the option `tokenizer` is "bpe" and no vocabulary is set, the vocabulary is learned here and
 * cached in the recipe for later calls with the same text. Errors: see gpt_trainer_create. */
GPT_API int gpt_plan_json(gpt_config *config, const char *text, size_t bytes, char *out,
                          size_t capacity);

/* Replaces all options but "left_out" by values that suit `text`. The rules (fit/fit.h) depend on
 * the text and on their `version`, from 1; 0 is the newest. Writes the result as JSON, at most 2048
 * bytes; `out` may be NULL:
 *     {"kind":"prose","preset":"tinygpt","changes":{"steps":1400},
 *      "reasons":[{"code":"stream","values":[64,0]},...],"version":2,"characters":n,"lines":n}
 * `changes` are the options that differ from the preset; fit/fit.h lists kinds and codes. Returns
 * the length of the JSON, GPT_OK without `out`. On failure the recipe is unchanged. Errors:
 * GPT_E_EMPTY, GPT_E_TEXT_SIZE, GPT_E_RANGE ("fit": no such version), GPT_E_CAPACITY. */
GPT_API int gpt_config_fit(gpt_config *config, int version, const char *text, size_t bytes,
                           char *out, size_t capacity);

/* Returns the kind of text that the last gpt_config_fit found, such as "prose"; "" before the first
 * call. Static string. */
GPT_API const char *gpt_config_kind(const gpt_config *config);

/* Return the name of the preset that differs in the fewest options from `config`, or from the
 * recipe with which the run of `trainer` began. NULL for NULL. Static strings. */
GPT_API const char *gpt_config_preset(const gpt_config *config);
GPT_API const char *gpt_trainer_preset(const gpt_trainer *trainer);

/* ---- Training -------------------------------------------------------------------------------- */

/* Creates a trainer at step 0 for `text`. All memory of training is allocated here: gpt_step
 * allocates nothing. Errors (NULL; recorded in `config`): GPT_E_HEADS, GPT_E_EMPTY, GPT_E_SHORT (a
 * stream of fewer than T + 1 tokens), GPT_E_TEXT_SIZE (more than 512 MiB), GPT_E_VOCABULARY (more
 * than 65535 different characters), GPT_E_BPE_ID (no id left for BOS), GPT_E_LEFT_OUT_END,
 * GPT_E_LEFT_OUT_ALL, GPT_E_MEMORY (above the memory limit). */
GPT_API gpt_trainer *gpt_trainer_create(gpt_config *config, const char *text, size_t bytes);
GPT_API void gpt_trainer_free(gpt_trainer *trainer);

/* Trains one step: forward, backward, AdamW. Returns GPT_OK, or GPT_FINISHED without a step once
 * the option `steps` is reached. Errors: GPT_E_DIVERGED if the loss or a gradient is not finite:
 * weights, step count and random stream are unchanged, so that another call repeats the same step.
 * GPT_E_NO_TEXT if the trainer only generates. */
GPT_API int gpt_step(gpt_trainer *trainer);

/* Returns the mean loss of the last gpt_step in nats per token, computed with the weights before
 * that step's update; NaN before the first step, and if a loaded file lacks it. */
GPT_API double gpt_loss(const gpt_trainer *trainer);

/* Returns the losses of the run so far: "loss_count" floats (see gpt_trainer_get). Entry i is the
 * loss of step 1 + i * "loss_stride"; the stride is 1 up to 262144 steps and doubles each time that
 * the list is full. An entry is NaN if a loaded file lacks it. Borrowed until a call changes the
 * step of the run. NULL if the trainer only generates. */
GPT_API const float *gpt_losses(const gpt_trainer *trainer);

/* Return the learning rate of the last gpt_step, and the L2 norm of its gradient over all
 * parameters before clipping; NaN before the first step, and if a loaded file lacks them. */
GPT_API double gpt_learning_rate(const gpt_trainer *trainer);
GPT_API double gpt_gradient_norm(const gpt_trainer *trainer);

/* Returns the mean loss, in nats per token, over at most `windows` evenly spaced held-out
 * sequences; calls with the same `windows` use the same sequences. NaN if `windows` < 1 or nothing
 * is held out. */
GPT_API double gpt_validate(gpt_trainer *trainer, int windows);

/* Returns the share, from 0 to 1, of prompts whose continuation the model reproduces word for word
 * by greedy decoding. Prompts come from the training text (`held_out` 0) or the held-out text (1):
 * at most 32, the same at every step, drawn from the seed by a separate random stream. In a stream
 * the prompt and its continuation have "prompt_tokens" tokens each, at most 8. In documents they
 * are the first and the second half of a document with its final BOS, cut after 16 tokens. NaN if
 * the text has no prompt; gpt_trainer_get returns the numbers of prompts. Costs a forward pass over
 * at most 32 * 16 tokens. Changes no later loss. */
GPT_API double gpt_memorised(gpt_trainer *trainer, int held_out);

/* Writes the held-out text from its beginning, as raw bytes: as many whole tokens as fit into
 * `capacity` bytes. Documents are written in shuffled order, a line break after each. Returns the
 * count of bytes, 0 if nothing is held out. */
GPT_API int gpt_held_out_text(const gpt_trainer *trainer, char *out, size_t capacity);

/* Restores the run to step 0, with the same initial weights and order of data. Options that may
 * change during a run (live) keep their present values. Ends the texts of all samplers. Errors:
 * GPT_E_ORIGIN if the initial weights or the BPE vocabulary came from a file (as in a fork, a run
 * that starts with the weights of another run), if PyTorch computed some of the steps, or if the
 * trainer only generates. */
GPT_API int gpt_rewind(gpt_trainer *trainer);

/* A snapshot is the state of the run at this step, without text and vocabulary, as raw bytes;
 * gpt_snapshot_restore (gpt_past.h) restores it in a trainer with the same recipe and text.
 * gpt_snapshot_bytes returns the present size of a snapshot, about 12 bytes per weight and 4 per
 * stored loss; 0 if the trainer only generates. gpt_snapshot_write writes a snapshot and changes no
 * later loss. Errors: GPT_E_NO_TEXT if the trainer only generates. */
GPT_API size_t gpt_snapshot_bytes(const gpt_trainer *trainer);
GPT_API int gpt_snapshot_write(gpt_trainer *trainer, void *out, size_t capacity);

/* Changes an option of the run from the next step on; the receipt of the run (gpt_files.h) lists
 * the change. Errors: GPT_E_FIXED (the option may not change during a run; see gpt_option_live),
 * GPT_E_CHANGES (more than 16384 changes in the run), and errors of gpt_config_set. */
GPT_API int gpt_trainer_set(gpt_trainer *trainer, const char *option, double value);

/* Returns a number by name; NaN for an unknown name. The name is that of an option, or:
 *   step                          steps done
 *   loss_count, loss_stride       count of stored losses, and the steps between two of them
 *   lr_now, grad_norm             as gpt_learning_rate and gpt_gradient_norm
 *   vocab, parameters, merges, documents, train_tokens, validation_tokens, cut_documents,
 *   cut_tokens                    as in gpt_plan_json, NaN for null
 *   validation_windows            the argument `windows` with which page, command line and model
 *                                 card call gpt_validate: from 4 to 32, fewer the longer the
 *                                 context
 *   bos                           id of BOS; -1 if the vocabulary lacks BOS
 *   tokens_seen                   loss targets trained on so far
 *   left_out                      documents of the training part, or tokens of a stream, that
 *                                 training never reads
 *   memory_bytes, memory_peak     bytes allocated for trainer, probe and samplers; sum of the most
 *                                 bytes that each of their arenas has used so far
 *   train_prompts, held_out_prompts, prompt_tokens
 *                                 see gpt_memorised
 *   generates_only                1 if the trainer was loaded without a text and cannot train
 *   train_tokens_per_character, validation_tokens_per_character
 *                                 loss targets per character of the training or held-out part: a
 *                                 loss in nats per token times this number, divided by ln 2, is in
 *                                 bits per character. The BOS that ends a document counts as its
 *                                 line break. NaN if the part is empty. Each call reads the whole
 *                                 part */
GPT_API double gpt_trainer_get(const gpt_trainer *trainer, const char *name);

/* gpt_trainer_error writes the last failure recorded by this trainer as JSON (see
 * gpt_config_error), gpt_trainer_message as an English sentence (see gpt_config_message). */
GPT_API int gpt_trainer_error(const gpt_trainer *trainer, char *out, size_t capacity);
GPT_API int gpt_trainer_message(const gpt_trainer *trainer, char *out, size_t capacity);

/* ---- Sampling ---------------------------------------------------------------------------------
 *
 * A sampler generates one text at a time: gpt_sample_begin reads a prompt into its KV cache, then
 * each gpt_sample_next draws a token. gpt_sample does all of this in one call. Several samplers of
 * a trainer do not affect each other: each has its own KV cache, text and random stream. gpt_rewind
 * and gpt_snapshot_restore end the texts of all samplers: gpt_sample_next returns GPT_E_STATE until
 * the next gpt_sample_begin. */

/* Generates up to `max_tokens` tokens after `prompt` with the trainer's own sampler. Writes the
 * text as gpt_sample_text does and returns its length in bytes.
 *   temperature  0 to 100; below 1e-6 the most probable token is chosen without a draw
 *   top_k        0 to 65536: draws from the k most probable tokens only; 0: from all tokens
 *   top_p        1e-6 to 1: of the tokens that top_k leaves, draws only from the fewest that have
 *                this share of their total probability; 1: from all
 *   max_tokens   1 to 65536
 *   seed         0 to 2^53 - 1 starts a new random stream. A negative seed draws from a copy of the
 *                training run's random stream, as microgpt's closing samples do; later texts
 *                with a negative seed continue this copy until the next step
 * If sequences are documents, the prompt follows BOS, and the text ends when it fills the context.
 * In a stream only the last T tokens of the prompt are read, and an empty prompt means the token
 * <|endoftext|> of a BPE vocabulary, else a line break, else id 0. BOS ends the text of a document
 * and of a stream.
 *
 * Errors: GPT_E_RANGE (a setting out of range), GPT_E_CHARACTER (the vocabulary lacks a character
 * of the prompt), GPT_E_NOT_FINITE (the model computes no finite logits), GPT_E_LONG: the prompt of
 * a document has more than T - 1 tokens, or fewer than 256 bytes remain of the 65536 that a
 * generated text may have. In the second case the `name` of the recorded failure is "sample", and
 * gpt_sample_text of gpt_trainer_sampler still returns the text. */
GPT_API int gpt_sample(gpt_trainer *trainer, const char *prompt, size_t prompt_bytes,
                       int max_tokens, double temperature, int top_k, double top_p, double seed,
                       char *out, size_t capacity);

/* Returns the lowest (`highest` 0) or highest (1) value of "temperature", "top_k", "top_p",
 * "max_tokens" or "seed" that sampling accepts; NaN for other names. For "seed" these are the
 * limits of seeds that start a new random stream; negative seeds have no limit. */
GPT_API double gpt_sampling_limit(const char *name, int highest);

/* Returns the sampler that gpt_sample uses. It belongs to the trainer: gpt_sampler_free ignores
 * it. */
GPT_API gpt_sampler *gpt_trainer_sampler(gpt_trainer *trainer);

/* Creates another sampler of a trainer; NULL if memory is refused. */
GPT_API gpt_sampler *gpt_sampler_create(gpt_trainer *trainer);
GPT_API void gpt_sampler_free(gpt_sampler *sampler);

/* Begins a text: reads the prompt into the KV cache and computes the distribution of the next
 * token. Returns the count of tokens read, BOS included. Arguments and errors as gpt_sample. */
GPT_API int gpt_sample_begin(gpt_sampler *sampler, const char *prompt, size_t prompt_bytes,
                             double temperature, int top_k, double top_p, double seed);

/* Draws the next token and returns its id. Errors: GPT_E_STATE before gpt_sample_begin and after
 * the end of the text; GPT_E_LONG and GPT_E_NOT_FINITE as gpt_sample. */
GPT_API int gpt_sample_next(gpt_sampler *sampler);

/* Returns 0 while the text goes on, 1 if BOS ended it, 2 if a document filled the context. */
GPT_API int gpt_sample_ended(const gpt_sampler *sampler);

/* Appends token `id` to the text instead of drawing a token; the random stream does not advance.
 * Returns `id`. Errors: GPT_E_ARGUMENT for an id outside the vocabulary; see also
 * gpt_sample_next. */
GPT_API int gpt_sample_take(gpt_sampler *sampler, int id);

/* Returns the random number in [0, 1) of the last draw since gpt_sample_begin; a draw skipped by
 * gpt_sample_skip counts. The token drawn is the first, by id, at which the sum of the adjusted
 * probabilities exceeds that number. NaN before the first draw: tokens chosen at temperature 0 or
 * by gpt_sample_take need no draw. */
GPT_API double gpt_sample_uniform(const gpt_sampler *sampler);

/* Advances the random stream by `draws` draws. To continue an earlier text, append its tokens with
 * gpt_sample_take and skip as many draws as that text made: the next draws are then the same as if
 * that text had not been interrupted. Errors: GPT_E_STATE before gpt_sample_begin, GPT_E_ARGUMENT
 * if `draws` is negative. */
GPT_API int gpt_sample_skip(gpt_sampler *sampler, int draws);

/* Recomputes the KV cache and the distribution of the next token with the present weights. Without
 * this call sampling continues after gpt_step with keys and values of the earlier weights. Returns
 * the count of tokens in the cache. Errors: GPT_E_STATE before gpt_sample_begin and after the end
 * of the text, GPT_E_NOT_FINITE. */
GPT_API int gpt_sample_reread(gpt_sampler *sampler);

/* Return the count of filled positions of the KV cache, at most T, and the tokens at these
 * positions. The array is NULL before gpt_sample_begin and borrowed until the sampler's next call
 * that reads or adds tokens. */
GPT_API int gpt_sample_rows(const gpt_sampler *sampler);
GPT_API const int32_t *gpt_sample_context(const gpt_sampler *sampler);

/* Write the text generated since gpt_sample_begin, without the prompt. gpt_sample_text writes valid
 * UTF-8, with U+FFFD for an invalid byte, and omits an incomplete character at the end until its
 * other bytes follow or the text ends. gpt_sample_bytes writes the raw bytes, and a NUL. */
GPT_API int gpt_sample_text(gpt_sampler *sampler, char *out, size_t capacity);
GPT_API int gpt_sample_bytes(gpt_sampler *sampler, char *out, size_t capacity);

/* Returns the distribution of the next token, "vocab" floats (see gpt_trainer_get): the softmax of
 * the model (`adjusted` 0), or the distribution after temperature, top-k and top-p (`adjusted` 1).
 * NULL before gpt_sample_begin. Borrowed until the sampler's next call that reads or adds
 * tokens. */
GPT_API const float *gpt_sample_probabilities(gpt_sampler *sampler, int adjusted);

/* Returns how often, since gpt_sample_begin, the KV cache was full and was recomputed from the last
 * half of the context. */
GPT_API int gpt_sample_refills(const gpt_sampler *sampler);

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* Encodes `text` into token ids and returns their count; adds no BOS. Errors: GPT_E_CHARACTER (the
 * vocabulary lacks a character), GPT_E_CAPACITY (values[0] of the failure, see gpt_trainer_error,
 * is the count of ids). */
GPT_API int gpt_encode(gpt_trainer *trainer, const char *text, size_t bytes, int32_t *ids,
                       size_t capacity);

/* Writes the raw bytes of a token, at most 256, and returns their count; 0 for BOS and for an id
 * without a token (a hole). Errors: GPT_E_ARGUMENT for an id outside the vocabulary. */
GPT_API int gpt_token_bytes(gpt_trainer *trainer, int id, char *out, size_t capacity);

/* Writes at most `count` merges of a BPE vocabulary from number `first` on, in the order of their
 * ranks:
 *     [[left,right,id,occurrences],...]
 * A merge joins the neighbouring tokens `left` and `right` into the token `id`. `occurrences` is
 * how often they were neighbours when the merge was learned; 0 in a vocabulary from files. [] for
 * other tokenizers. Errors: GPT_E_ARGUMENT for a negative `first` or `count`. */
GPT_API int gpt_merges_json(gpt_trainer *trainer, int first, int count, char *out, size_t capacity);

/* ---- Looking inside -------------------------------------------------------------------------- */

/* Runs a probe: computes the forward pass of training over `text` as one sequence, with `gradients`
 * also the backward pass, and keeps all tensors. BOS precedes the text if sequences are documents.
 * Returns the count of input tokens. Discards the previous probe. Errors: GPT_E_EMPTY, GPT_E_LONG
 * (more than T tokens, BOS included), GPT_E_CHARACTER, GPT_E_NOT_FINITE, GPT_E_NO_TEXT (gradients
 * of a trainer that only generates). */
GPT_API int gpt_probe(gpt_trainer *trainer, const char *text, size_t bytes, int gradients);

/* Probes a window of `count` ids: the first count - 1 are the inputs, and each id is the target of
 * its predecessor. Returns count - 1. Errors: GPT_E_EMPTY below two ids, GPT_E_ARGUMENT for an id
 * outside the vocabulary; see also gpt_probe. */
GPT_API int gpt_probe_ids(gpt_trainer *trainer, const int32_t *ids, int count, int gradients);

/* Returns the input ids of the last probe; NULL without a probe. Borrowed until the next probe. */
GPT_API const int32_t *gpt_probe_tokens(gpt_trainer *trainer);

/* Writes the tensors of the last probe in order of computation; [] without a probe:
 *     [{"name":"block0.attn.probs","op":"attention","function":"attention_forward",
 *       "shape":[1,4,8,8],"inputs":["block0.attn.qkv"],"constants":{"heads":4,"scale":0.25}},...]
 * `function` is the C function that computed the tensor; `constants` are the numbers in its
 * formula. */
GPT_API int gpt_probe_json(gpt_trainer *trainer, char *out, size_t capacity);

/* Return the values and the gradients of tensor `index` of the list of gpt_probe_json, row-major;
 * NULL past the last tensor, and for gradients that were not computed. Borrowed until the next
 * probe. */
GPT_API const float *gpt_probe_data(gpt_trainer *trainer, int index);
GPT_API const float *gpt_probe_grad(gpt_trainer *trainer, int index);

/* Writes the structure of a model of this recipe with `vocab` tokens. The structure is recorded
 * from the forward pass; no memory is allocated for the model:
 *     {"weights":n,"layers":2,"sizes":{"T":64,"C":64,"H":1,"V":256},"nodes":[...],
 *      "parameters":[...]}
 * `weights` is the count of numbers in all parameters. `nodes` has the entries of gpt_probe_json
 * for one sequence of T tokens, `parameters` the entries of gpt_parameters_json; both lists contain
 * only the first block, because all blocks are equal. Each entry also has `letters`: the dimensions
 * of its shape in terms of `sizes`, such as ["","T","3C"]; "" for a dimension that does not depend
 * on them. A parameter that is the input of two nodes is shared (the token table, if it also
 * computes the logits). Errors: GPT_E_HEADS, GPT_E_ARGUMENT for `vocab` below 1. */
GPT_API int gpt_architecture_json(gpt_config *config, int vocab, char *out, size_t capacity);

/* Writes the table of parameters: [{"name":"wte.weight","shape":[27,64],"decay":true},...]. `decay`
 * is true for matrices; other parameters have weight decay only if the option `decay` is "all". */
GPT_API int gpt_parameters_json(gpt_trainer *trainer, char *out, size_t capacity);

/* Returns the weights of parameter `index` of gpt_parameters_json, row-major; NULL past the last.
 * Training updates them in place. Borrowed until the trainer is freed. */
GPT_API const float *gpt_parameter_data(gpt_trainer *trainer, int index);

/* Returns the gradients of parameter `index`: after gpt_step, of the whole batch before clipping;
 * after a probe with gradients, of the probed sequence; zeros before the first step or probe. NULL
 * past the last parameter, and if the trainer only generates. Borrowed until the trainer is
 * freed. */
GPT_API const float *gpt_parameter_grad(gpt_trainer *trainer, int index);

/* ---- Threads ----------------------------------------------------------------------------------
 *
 * One pool of helper threads serves all handles: the thread that calls gpt_step, for example,
 * computes, and helpers compute parts of the same work. Call the functions of this section from one
 * thread at a time, and not during another call. Builds without threads have 1 thread: the
 * functions exist and do nothing.
 *
 * Natively gpt_threads_use starts the helpers. In WebAssembly (a module built with threads, which
 * imports a shared memory as env.memory) the host starts one Web Worker for each helper:
 *
 *     1. The caller calls gpt_thread_create, which returns `thread`, and posts the module, the
 *        memory and `thread` to a new worker.
 *     2. The worker instantiates the module with that memory. It must not call _initialize.
 *     3. The worker sets the exported global __stack_pointer to `thread`.
 *     4. The worker calls gpt_thread_run(thread), which returns after a call of gpt_threads_stop.
 *
 * To end the workers, call gpt_threads_stop first: never terminate a worker inside gpt_thread_run.
 * No call waits for a helper that has not started. The caller waits with memory.atomic.wait32 for
 * the parts that helpers compute. The main thread of a page may not wait in this way, so the caller
 * must run in a worker too. */

/* Limits the threads in use, the caller included, to `threads` (1 to 16; 1: the caller alone) and
 * returns how many are in use now. Natively starts missing helpers. In WebAssembly the default is
 * every helper that runs. */
GPT_API int gpt_threads_use(int threads);

/* Returns the count of threads in use, the caller included. */
GPT_API int gpt_threads_count(void);

/* WebAssembly: allocates the stack and the scratch memory of one helper thread, about 1.2 MB; a
 * later helper reuses the memory of a helper that has ended. Returns NULL above 15 helpers, if
 * memory is refused, and in a build without threads. */
GPT_API void *gpt_thread_create(void);

/* WebAssembly: the main loop of a helper thread. The helper's Web Worker calls this function with
 * the result of gpt_thread_create; it returns after gpt_threads_stop. */
GPT_API void gpt_thread_run(void *thread);

/* Stops all helpers and waits until each has left gpt_thread_run. In WebAssembly, a helper that was
 * created but has not started returns from gpt_thread_run at once when it starts. */
GPT_API void gpt_threads_stop(void);

/* Further parts of the interface: files and receipts, files of other programs, restoring snapshots,
 * questions about the training text. */
#include "api/gpt_files.h"
#include "api/gpt_formats.h"
#include "api/gpt_past.h"
#include "api/gpt_trace.h"

#endif
