/* gpt.h - the one contract of the engine: grow a GPT from a text, sample from it, look inside.
 *
 * JavaScript (through WebAssembly), the native command line and the tests know this header and
 * nothing else. It is written to be bound by hand from any language: handles are opaque pointers,
 * every other argument is a number, a pointer to bytes with its length, or a short name.
 *
 *     gpt_config *config = gpt_config_create("microgpt");
 *     gpt_config_set(config, "seed", 42);
 *     gpt_trainer *trainer = gpt_trainer_create(config, text, bytes);
 *     while (gpt_step(trainer) == GPT_OK) printf("%f\n", gpt_loss(trainer));
 *
 * Failure. A function that returns int answers `>= 0` (a value, GPT_OK, GPT_FINISHED, GPT_END) or a
 * negative status of base/status.h; a function that returns a handle answers NULL. The detail of the
 * last failure stays with the handle: gpt_config_error, gpt_trainer_error. Every argument is checked;
 * nothing here prints, exits or aborts.
 *
 * Text is bytes with a length, NULs and invalid UTF-8 included, and is never kept: functions read
 * their input before they return (they *copy*). Strings given to `out` are NUL-terminated; a function
 * that fills `out` returns the length without the NUL, or GPT_E_CAPACITY when it does not fit.
 *
 * Determinism. The same text, options and seed give the same bits everywhere. Sampling, validation
 * and probing never change a later training loss.
 *
 * Threads: a handle is used by one thread at a time. There is no global state but the pool of helping
 * threads (see Threads at the end), which changes no result.
 */
#ifndef GLASSHOUSE_GPT_H
#define GLASSHOUSE_GPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define GPT_API extern

/* A recipe: every option of the model and of its training. Owned by the caller. */
typedef struct gpt_config gpt_config;

/* A model in training: weights, optimiser, data, sampler. Owned by the caller. */
typedef struct gpt_trainer gpt_trainer;

/* ---- Recipe ---------------------------------------------------------------------------------- */

/* A new recipe with the values of `preset`: "tinygpt", "microgpt" or "gpt2"; NULL for another name or
 * when memory is refused. Free it with gpt_config_free; a trainer copies what it needs. */
GPT_API gpt_config *gpt_config_create(const char *preset);
GPT_API void gpt_config_free(gpt_config *config);

/* Sets one option by name. Choices are numbered in the order gpt_options_json lists them. The range of
 * the option is checked here; what only the whole recipe can tell is checked by gpt_config_check.
 * GPT_E_OPTION, GPT_E_RANGE, GPT_E_WHOLE. */
GPT_API int gpt_config_set(gpt_config *config, const char *option, double value);

/* The value of an option; NaN when there is none of that name. */
GPT_API double gpt_config_get(const gpt_config *config, const char *option);

/* Names the first illegal combination of options, or GPT_OK. GPT_E_HEADS. */
GPT_API int gpt_config_check(gpt_config *config);

/* The last failure on this handle as JSON:
 * {"status":-7,"code":"heads","name":"","values":[64,5,0],"message":"..."}. */
GPT_API int gpt_config_error(const gpt_config *config, char *out, size_t capacity);

/* The table of options as JSON, the source of forms, URLs and command lines:
 * {"presets":["tinygpt",...],"options":[{"name":"layers","group":"model","type":"int"|"real"|"bool"|
 * "choice","min":1,"max":96,"choices":["byte","char"],"live":false,"presets":[2,2,4]}...]}.
 * `live` options may change during a run. */
GPT_API int gpt_options_json(char *out, size_t capacity);

/* Sets the most bytes that the trainers made from this recipe may hold (default: 2^31 - 2^26). */
GPT_API int gpt_config_set_memory_limit(gpt_config *config, double bytes);

/* What this recipe would make of this text, computed without allocating the model, as JSON:
 * {"vocab":27,"tokens":n,"train_tokens":n,"validation_tokens":n,"documents":n,"cut_documents":n,
 * "cut_characters":n,"invalid_bytes":n,"parameters":n,"random_loss":ln V,"persist_bytes":n,
 * "step_bytes":n,"text_bytes":n,"total_bytes":n,"limit_bytes":n,"tokens_per_step":n}.
 * `total_bytes` is what gpt_trainer_create will hold. Fails with what the creation would fail with. */
GPT_API int gpt_plan_json(gpt_config *config, const char *text, size_t bytes, char *out,
                          size_t capacity);

/* ---- Training -------------------------------------------------------------------------------- */

/* A trainer at step 0 for `text`; NULL on failure, with the reason in gpt_config_error(config). All
 * memory of training is taken here: gpt_step allocates nothing. */
GPT_API gpt_trainer *gpt_trainer_create(gpt_config *config, const char *text, size_t bytes);
GPT_API void gpt_trainer_free(gpt_trainer *trainer);

/* Trains one step: forward, backward, AdamW. GPT_OK; GPT_FINISHED (nothing done) when the planned
 * `steps` are over; GPT_E_DIVERGED (weights left as they were) when the loss or a gradient is not
 * finite. */
GPT_API int gpt_step(gpt_trainer *trainer);

/* Loss of the last gpt_step, in nats per token, measured before its update; NaN before the first. */
GPT_API double gpt_loss(const gpt_trainer *trainer);

/* Mean loss over at most `windows` evenly spaced sequences of the held-out text (always the same
 * ones); NaN when nothing is held out or `windows` < 1. */
GPT_API double gpt_validate(gpt_trainer *trainer, int windows);

/* Back to step 0: the same initial weights, the same order of the data. */
GPT_API int gpt_rewind(gpt_trainer *trainer);

/* Changes a `live` option during the run. GPT_E_FIXED for the others. */
GPT_API int gpt_trainer_set(gpt_trainer *trainer, const char *option, double value);

/* A number by name: any option, or "step", "lr_now", "grad_norm", "vocab", "parameters", "documents",
 * "train_tokens", "validation_tokens", "tokens_seen", "memory_bytes", "bos" (-1 when there is none);
 * NaN for other names. `lr_now` and `grad_norm` (before clipping) are those of the last step. */
GPT_API double gpt_trainer_get(const gpt_trainer *trainer, const char *name);

/* The last failure on this handle, as gpt_config_error. */
GPT_API int gpt_trainer_error(const gpt_trainer *trainer, char *out, size_t capacity);

/* ---- Sampling -------------------------------------------------------------------------------- */

/* Generates up to `max_tokens` tokens after `prompt` into `out` as valid UTF-8 (invalid bytes as
 * U+FFFD) and returns the count of bytes. `temperature` 0 is greedy; `top_k` 0 and `top_p` 1 keep
 * every token. `seed` >= 0 starts a stream of its own; a negative one continues the trainer's stream,
 * as microgpt's closing samples do. With documents the prompt follows BOS, and BOS ends the text; in
 * streams an empty prompt stands for a line break. GPT_E_CHARACTER, GPT_E_LONG, GPT_E_CAPACITY. */
GPT_API int gpt_sample(gpt_trainer *trainer, const char *prompt, size_t prompt_bytes,
                       int max_tokens, double temperature, int top_k, double top_p, double seed,
                       char *out, size_t capacity);

/* The same, one token at a time: begin reads the prompt into the KV cache (returns its length in
 * tokens); next returns the token drawn, or GPT_E_STATE before begin; ended says whether BOS or a full
 * document ended the text (1) or not (0). */
GPT_API int gpt_sample_begin(gpt_trainer *trainer, const char *prompt, size_t prompt_bytes,
                             double temperature, int top_k, double top_p, double seed);
GPT_API int gpt_sample_next(gpt_trainer *trainer);
GPT_API int gpt_sample_ended(const gpt_trainer *trainer);

/* Everything drawn since begin (without the prompt): as text that is valid UTF-8 at every moment (an
 * incomplete tail is held back until it is complete or the text has ended), or as the raw bytes. */
GPT_API int gpt_sample_text(gpt_trainer *trainer, char *out, size_t capacity);
GPT_API int gpt_sample_bytes(gpt_trainer *trainer, char *out, size_t capacity);

/* Probabilities of the coming token, `vocab` floats: as the model gives them (0) or as drawn from,
 * after temperature, top-k and top-p (1). NULL before begin. Borrowed until the next sampling call. */
GPT_API const float *gpt_sample_probabilities(gpt_trainer *trainer, int adjusted);

/* How often the cache was full and begun again with the last half of the context, since begin. */
GPT_API int gpt_sample_refills(const gpt_trainer *trainer);

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* Ids of `text` into `ids`; returns their count. GPT_E_CHARACTER, GPT_E_CAPACITY (with the count
 * needed in the detail). No BOS is added. */
GPT_API int gpt_encode(gpt_trainer *trainer, const char *text, size_t bytes, int32_t *ids,
                       size_t capacity);

/* The raw bytes of one token into `out`; returns their count (0 for BOS). */
GPT_API int gpt_token_bytes(const gpt_trainer *trainer, int id, char *out, size_t capacity);

/* ---- Looking inside -------------------------------------------------------------------------- */

/* Runs one sequence (`text`, with BOS before it where sequences are documents) through the training
 * forward with every node kept and named, and with `gradients` also backward. Returns the count of
 * input tokens. Replaces the last probe. GPT_E_EMPTY, GPT_E_LONG, GPT_E_CHARACTER. */
GPT_API int gpt_probe(gpt_trainer *trainer, const char *text, size_t bytes, int gradients);

/* The ids that the probe ran on. Borrowed until the next probe. */
GPT_API const int32_t *gpt_probe_tokens(gpt_trainer *trainer);

/* The nodes of the last probe in order of computation:
 * [{"name":"block0.attn.probs","op":"attention","function":"attention_forward","shape":[1,4,8,8],
 * "inputs":["block0.attn.qkv"]}...]. */
GPT_API int gpt_probe_json(gpt_trainer *trainer, char *out, size_t capacity);

/* Values and gradients of node `index` of that list (NULL when it has none). Borrowed until the next
 * probe. */
GPT_API const float *gpt_probe_data(gpt_trainer *trainer, int index);
GPT_API const float *gpt_probe_grad(gpt_trainer *trainer, int index);

/* The table of parameters: [{"name":"wte","shape":[27,64],"decay":true}...]; and the weights of
 * entry `index`, borrowed until the trainer is freed. */
GPT_API int gpt_parameters_json(gpt_trainer *trainer, char *out, size_t capacity);
GPT_API const float *gpt_parameter_data(gpt_trainer *trainer, int index);

/* ---- Threads --------------------------------------------------------------------------------- */

/* One pool of helping threads serves all handles: the thread that calls gpt_step (say) computes, and
 * helpers take parts of the work. Results are the same to the bit with any number of them. Call these
 * functions from one thread at a time, and not during another call. Builds without threads have the
 * functions too: they answer 1 thread and do nothing.
 *
 * Natively gpt_threads_use starts what is missing. In WebAssembly (the module built with threads, whose
 * memory is imported as env.memory and shared) the caller brings each helper, a worker:
 *
 *     caller   thread = gpt_thread_create()          then posts module, memory and `thread` to a worker
 *     worker   instantiates the module over that memory, does not call _initialize,
 *              sets the exported global __stack_pointer to `thread`,
 *              and calls gpt_thread_run(thread), which returns only after gpt_threads_stop
 *
 * Nothing waits for a helper that has not come yet. A caller waits for parts that helpers have taken,
 * with memory.atomic.wait32: it must itself live in a worker, because a page's main thread may not
 * wait. Never terminate a worker inside gpt_thread_run: stop first. */

/* Lets up to `threads` threads take part in the work, the caller included (1: nobody else), and returns
 * how many do now. In WebAssembly the default is all that have come. */
GPT_API int gpt_threads_use(int threads);

/* How many threads take part now, the caller included. */
GPT_API int gpt_threads_count(void);

/* WebAssembly: memory for one more helper (its stack and workspace, about 1.2 MB, kept for the next
 * helper when this one has left); NULL when there are 15, when memory is refused, or in a build without
 * threads. */
GPT_API void *gpt_thread_create(void);

/* WebAssembly: what a helper calls with what gpt_thread_create answered. */
GPT_API void gpt_thread_run(void *thread);

/* Sends all helpers home and waits until those inside gpt_thread_run have left; one that comes later
 * leaves at once. */
GPT_API void gpt_threads_stop(void);

#endif
