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
 * negative status of base/status.h; a function that returns a handle answers NULL. The detail of
 * the last failure stays with the handle: gpt_config_error, gpt_trainer_error. Every argument is
 * checked; nothing here prints, exits or aborts.
 *
 * Text is bytes with a length, NULs and invalid UTF-8 included. Functions read their input before
 * they return (they *copy*); one *borrows*, and says so: gpt_verify_open_all. Strings given to
 * `out` are NUL-terminated; a function that fills `out` returns the length without the NUL, or
 * GPT_E_CAPACITY when it does not fit.
 *
 * Determinism. The same text, options and seed give the same bits everywhere. Sampling, validation
 * and probing never change a later training loss.
 *
 * Threads: a handle is used by one thread at a time. There is no global state but the pool of
 * helping threads (see Threads at the end), which changes no result.
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

/* The version of the engine, the same as in package.json. */
#define GPT_VERSION "0.1.0"

/* The same of the library that is linked, which may be another than this header's. Static. */
GPT_API const char *gpt_version(void);

/* A recipe: every option of the model and of its training. Owned by the caller. */
typedef struct gpt_config gpt_config;

/* A model in training: weights, optimiser, data, sampler. Owned by the caller. */
typedef struct gpt_trainer gpt_trainer;

/* Writes texts with the model of a trainer; see Sampling. */
typedef struct gpt_sampler gpt_sampler;

/* A file being read into a new trainer, or being written from one. Owned by the caller. */
typedef struct gpt_loader gpt_loader;
typedef struct gpt_saver gpt_saver;

/* ---- Recipe ---------------------------------------------------------------------------------- */

/* A new recipe with the values of `preset`: "tinygpt", "microgpt" or "gpt2"; NULL for another
 * name or when memory is refused. Free it with gpt_config_free; a trainer copies what it needs. */
GPT_API gpt_config *gpt_config_create(const char *preset);
GPT_API void gpt_config_free(gpt_config *config);

/* Sets one option by name. Choices are numbered in the order gpt_options_json lists them. The
 * range of the option is checked here; what only the whole recipe can tell is checked by
 * gpt_config_check. GPT_E_OPTION, GPT_E_RANGE, GPT_E_WHOLE. */
GPT_API int gpt_config_set(gpt_config *config, const char *option, double value);

/* The same from text: a number as JSON writes it, `true` or `false`, or the name of a choice.
 * GPT_E_CHOICE when it is none of them.
 *
 * Or "left_out", the one option that is no number and not listed with the others: the bytes of the
 * text that training never reads, as ranges from:to (`to` is the first byte behind), such as
 * "812:840,1024:1100"; "" for none. Joined where they touch, at most 256 remain. Vocabulary, order
 * and held-out part are those of the whole text: of documents, those that a range touches are
 * skipped; windows of a stream that touch one are drawn anew. What is held out stays held out.
 * GPT_E_LEFT_OUT_RANGE, GPT_E_LEFT_OUT_COUNT; with the text GPT_E_LEFT_OUT_END and
 * GPT_E_LEFT_OUT_ALL, if nothing remains, or fewer than one in 1000 windows. */
GPT_API int gpt_config_set_text(gpt_config *config, const char *option, const char *text);

/* What is left out, as JSON in rising order: [[812,840],[1024,1100]]. GPT_E_CAPACITY. */
GPT_API int gpt_config_left_out_json(gpt_config *config, char *out, size_t capacity);

/* The value of an option; NaN if no option has that name. */
GPT_API double gpt_config_get(const gpt_config *config, const char *option);

/* Names the first illegal combination of options, or GPT_OK. GPT_E_HEADS. */
GPT_API int gpt_config_check(gpt_config *config);

/* The last failure on this handle as JSON:
 * {"status":-7,"code":"heads","name":"","values":[64,5,0],"message":"..."}. 2048 bytes are
 * enough for any. */
GPT_API int gpt_config_error(const gpt_config *config, char *out, size_t capacity);

/* Its message alone: one English sentence, without control characters. */
GPT_API int gpt_config_message(const gpt_config *config, char *out, size_t capacity);

/* The name of preset `index`, from 0; NULL past the last. */
GPT_API const char *gpt_preset_name(int index);

/* Name, type ("int", "real", "bool", or the choices as "byte|char") and group ("data", "model",
 * "training") of option `index`, from 0; NULL past the last. gpt_option_live is 1 if the option may
 * change during a run, else 0. */
GPT_API const char *gpt_option_name(int index);
GPT_API const char *gpt_option_type(int index);
GPT_API const char *gpt_option_group(int index);
GPT_API int gpt_option_live(int index);

/* The table of options as JSON, the source of forms, URLs and command lines:
 * {"presets":["tinygpt",...],"options":[{"name":"layers","group":"model",
 * "type":"int"|"real"|"bool"|"choice","min":1,"max":96,"choices":["byte","char","bpe"],
 * "live":false,"basic":true,"ladder":"ones","term":"layer","presets":[2,2,4]}...]}.
 * `live` options may change during a run. For forms: `basic` ones are shown without being asked
 * for more; `ladder` says how to go to the next round value ("ones", "halves" of powers of two,
 * "decades" by 1, 2, 5, "twentieths"; numbers only); `term` is the entry of the glossary that
 * explains the option; `needs`, as "tokenizer=bpe", the choice without which it means nothing.
 * The last two are left out where nothing applies. */
GPT_API int gpt_options_json(char *out, size_t capacity);

/* Gives the recipe a BPE vocabulary (copies): GPT-2's vocab.json and merges.txt, with
 * added_tokens.json where there is one (else NULL and 0), or a tokenizer.json alone in place of
 * vocab.json. It is used where the option `tokenizer` is "bpe", in place of learning
 * `vocabulary` tokens from the text, and each trainer takes a copy of its own. Its token
 * <|endoftext|>, where it has one, is the BOS of documents, ends what is sampled and stands for
 * an empty prompt; in a text those characters are ordinary text unless the option
 * `special_tokens` is 1. Without that token documents get one more id for BOS, which
 * `special_tokens` then applies to. Other special tokens are written where the model draws them,
 * but not read in a text. On failure the recipe stays as it was. NULL and 0 for all takes the
 * vocabulary away again. GPT_E_BPE_*, GPT_E_UNSUPPORTED (a tokenizer.json that cuts words in
 * another way), GPT_E_ALLOCATION. */
GPT_API int gpt_config_set_bpe(gpt_config *config, const char *vocab_json, size_t vocab_bytes,
                               const char *merges, size_t merges_bytes, const char *added,
                               size_t added_bytes);

/* Sets the most bytes that the trainers made from this recipe may hold (default: 2^32 - 2^26). */
GPT_API int gpt_config_set_memory_limit(gpt_config *config, double bytes);

/* What this recipe would make of this text, computed without allocating the model, as JSON:
 * {"vocab":27,"merges":n,"tokens":n,"train_tokens":n,"validation_tokens":n,"documents":n,
 * "train_documents":n,"validation_sequences":n,"cut_documents":n,"cut_tokens":n,"invalid_bytes":n,
 * "parameters":n,"random_loss":ln V,"persist_bytes":n,"step_bytes":n,"text_bytes":n,
 * "total_bytes":n,"limit_bytes":n,"tokens_per_step":n,"index_bytes":n}. Null where only the
 * shuffled order tells: the tokens of held-out documents. What is left out is not among
 * `train_documents`, but among `train_tokens`. `cut_tokens` counts tokens. A BPE is learned here
 * unless the recipe has one, and stays with the recipe for the next call with the same text: a
 * trainer does not learn it again. `total_bytes` is what gpt_trainer_create will hold; with the
 * text, which the caller holds beside it, it must stay within `limit_bytes`. `index_bytes` is what
 * a gpt_trace of the text holds at most. Fails with what the creation would fail with. */
GPT_API int gpt_plan_json(gpt_config *config, const char *text, size_t bytes, char *out,
                          size_t capacity);

/* Gives the recipe all options that suit this text, by the rules of c/fit (which depend on the text
 * alone), and answers what they are and why as JSON in `out` (2048 bytes are enough; NULL: not
 * wanted): {"kind":"prose","preset":"tinygpt","changes":{"steps":1400},"reasons":[{"code":"stream",
 * "values":[64,0]}...],"characters":n,"lines":n}. `changes` are the options that differ from the
 * preset; fit/fit.h lists kinds and codes. GPT_E_EMPTY, GPT_E_TEXT_SIZE, GPT_E_ALLOCATION,
 * GPT_E_CAPACITY: the recipe stays as it was. */
GPT_API int gpt_config_fit(gpt_config *config, const char *text, size_t bytes, char *out,
                           size_t capacity);

/* The kind of text of the last gpt_config_fit ("prose"), "" before one. Static storage. */
GPT_API const char *gpt_config_kind(const gpt_config *config);

/* The preset from which a recipe, or the recipe of a run at step 0, differs in the fewest options.
 * NULL for NULL. Static storage. */
GPT_API const char *gpt_config_preset(const gpt_config *config);
GPT_API const char *gpt_trainer_preset(const gpt_trainer *trainer);

/* ---- Training -------------------------------------------------------------------------------- */

/* A trainer at step 0 for `text`; NULL on failure, with the reason in gpt_config_error(config). All
 * memory of training is taken here: gpt_step allocates nothing. */
GPT_API gpt_trainer *gpt_trainer_create(gpt_config *config, const char *text, size_t bytes);
GPT_API void gpt_trainer_free(gpt_trainer *trainer);

/* Trains one step: forward, backward, AdamW. GPT_OK; GPT_FINISHED (nothing done) when the planned
 * `steps` are over; GPT_E_DIVERGED (weights left as they were) when the loss or a gradient is not
 * finite. */
GPT_API int gpt_step(gpt_trainer *trainer);

/* Loss of the last gpt_step, in nats per token, measured before its update; NaN before the
 * first. */
GPT_API double gpt_loss(const gpt_trainer *trainer);

/* The losses of the run so far, "loss_count" of them: of every step up to 262144 steps, of every
 * second one after that, then of every fourth ("loss_stride", see gpt_trainer_get); entry i
 * belongs to step i * stride + 1. NaN where a loaded file had none. Borrowed until the next
 * step. */
GPT_API const float *gpt_losses(const gpt_trainer *trainer);

/* Learning rate of the last gpt_step, and the length of its gradient over all parameters before
 * any clipping (every step computes it: it also tells whether the run diverged); NaN before the
 * first. */
GPT_API double gpt_learning_rate(const gpt_trainer *trainer);
GPT_API double gpt_gradient_norm(const gpt_trainer *trainer);

/* Mean loss over at most `windows` evenly spaced sequences of the held-out text (always the same
 * ones); NaN when nothing is held out or `windows` < 1. */
GPT_API double gpt_validate(gpt_trainer *trainer, int windows);

/* How much of its text the model continues word for word: the share, from 0 to 1, of prompts from
 * the training text (`held_out` 0) or from the held-out text (1) after which greedy decoding gives
 * exactly what follows there. The prompts ("train_prompts" and "held_out_prompts" of
 * gpt_trainer_get, at most 32 each) are the same at every step, drawn by a stream that the seed
 * begins. In a stream each is "prompt_tokens" tokens long (at most 8), and so is what must follow;
 * a document, of which at most 16 tokens count, is cut into halves, and its end must follow too.
 * NaN without prompts. Costs a forward pass over at most 32 * 16 tokens, and changes nothing: later
 * losses have the bits that they would have had. */
GPT_API double gpt_memorised(gpt_trainer *trainer, int held_out);

/* The raw bytes of the held-out text from its beginning, as many whole tokens as fit into
 * `capacity`; returns their count, 0 when nothing is held out. Documents come in their shuffled
 * order, each with a line break. Changes nothing. */
GPT_API int gpt_held_out_text(const gpt_trainer *trainer, char *out, size_t capacity);

/* Back to step 0: the same initial weights, the same order of the data. GPT_E_ORIGIN when those
 * weights came from a file, as those of a fork do. */
GPT_API int gpt_rewind(gpt_trainer *trainer);

/* The whole state of the run at this step, which another trainer of the same recipe and text takes
 * back (gpt_snapshot_restore in gpt_past.h). Its bytes: about 12 for each weight; 0 for a model that
 * only generates. gpt_snapshot_write writes them, and changes nothing: later losses have the bits that
 * they would have had. GPT_E_CAPACITY, GPT_E_NO_TEXT. */
GPT_API size_t gpt_snapshot_bytes(const gpt_trainer *trainer);
GPT_API int gpt_snapshot_write(gpt_trainer *trainer, void *out, size_t capacity);

/* Changes a `live` option during the run. GPT_E_FIXED for the others. */
GPT_API int gpt_trainer_set(gpt_trainer *trainer, const char *option, double value);

/* A number by name; NaN for an unknown name. Any option, or:
 *   step, loss_count, loss_stride    steps done; losses kept, and the steps between two of them
 *   lr_now, grad_norm                of the last step, the norm before clipping
 *   vocab, parameters, merges        merges is 0 unless the tokenizer is BPE
 *   bos                              id of the token, -1 if the vocabulary has none
 *   documents, train_tokens, validation_tokens, tokens_seen
 *   cut_documents, cut_tokens        documents longer than the context; their tokens beyond it, which
 *                                    are never trained on
 *   left_out                         documents of the training part, or tokens of a stream, that
 *                                    training never reads
 *   memory_bytes, memory_peak        held by the trainer; the most that was ever in use
 *   train_prompts, held_out_prompts, prompt_tokens
 *                                    see gpt_memorised
 *   generates_only                   1 if it was loaded without a text and cannot be trained
 *   train_tokens_per_character, validation_tokens_per_character
 *                                    loss targets per character, so that nats per token times this over
 *                                    ln 2 are bits per character. The BOS that ends a document counts
 *                                    as its line break. NaN without such a text. Reads the whole text. */
GPT_API double gpt_trainer_get(const gpt_trainer *trainer, const char *name);

/* The last failure on this handle, as gpt_config_error and gpt_config_message. */
GPT_API int gpt_trainer_error(const gpt_trainer *trainer, char *out, size_t capacity);
GPT_API int gpt_trainer_message(const gpt_trainer *trainer, char *out, size_t capacity);

/* ---- Sampling -------------------------------------------------------------------------------- */

/* Generates up to `max_tokens` tokens after `prompt` into `out` as valid UTF-8 (invalid bytes as
 * U+FFFD) and returns the count of bytes. `temperature` 0 is greedy; `top_k` 0 and `top_p` 1
 * keep every token. `seed` >= 0 starts a stream of its own; a negative one goes on from where
 * the last step left the trainer's stream, as microgpt's closing samples do, and moves a copy of
 * it on. With documents the prompt follows BOS, and BOS ends the text; in streams an empty
 * prompt stands for a line break, or for the BOS of a given BPE vocabulary. A text ends at 65536
 * bytes: then GPT_E_LONG with the name "sample", and what was written stays in gpt_sample_text of
 * gpt_trainer_sampler. GPT_E_CHARACTER, GPT_E_LONG, GPT_E_CAPACITY. */
GPT_API int gpt_sample(gpt_trainer *trainer, const char *prompt, size_t prompt_bytes,
                       int max_tokens, double temperature, int top_k, double top_p, double seed,
                       char *out, size_t capacity);

/* The limits of what every client may ask of a text: the lowest (`highest` 0) or highest value
 * of "temperature", "top_k", "top_p", "max_tokens" or "seed"; NaN for other names. Beyond them
 * gpt_sample and gpt_sample_begin answer GPT_E_RANGE. */
GPT_API double gpt_sampling_limit(const char *name, int highest);

/* The same, one token at a time, with one of several samplers of a trainer, which do not disturb
 * each other: each has its own cache, text and stream (with a negative seed its own copy of the
 * trainer's). gpt_trainer_sampler is the trainer's own,
 * with which gpt_sample writes. gpt_sampler_create makes another: NULL without memory.
 * gpt_sampler_free gives its memory back; gpt_trainer_free does so with all that are left. What
 * fails is told by gpt_trainer_error. */
GPT_API gpt_sampler *gpt_trainer_sampler(gpt_trainer *trainer);
GPT_API gpt_sampler *gpt_sampler_create(gpt_trainer *trainer);
GPT_API void gpt_sampler_free(gpt_sampler *sampler);

/* Begin reads the prompt into the KV cache (returns its length in tokens); next returns the token
 * drawn, or GPT_E_STATE before begin; ended says whether the text has ended: not yet (0), by BOS
 * (1), or because a document has filled the context (2). */
GPT_API int gpt_sample_begin(gpt_sampler *sampler, const char *prompt, size_t prompt_bytes,
                             double temperature, int top_k, double top_p, double seed);
GPT_API int gpt_sample_next(gpt_sampler *sampler);
GPT_API int gpt_sample_ended(const gpt_sampler *sampler);

/* Puts token `id` there instead of drawing one: the random stream stays where it is. Returns `id`.
 * GPT_E_STATE before begin, GPT_E_ARGUMENT for an id outside the vocabulary. */
GPT_API int gpt_sample_take(gpt_sampler *sampler, int id);

/* The number in [0, 1) that the last token was drawn with: the first id whose cumulated adjusted
 * probability, in the order of the ids, exceeds it is the one. NaN when nothing was drawn since
 * begin (temperature 0 and taken tokens need no draw). */
GPT_API double gpt_sample_uniform(const gpt_sampler *sampler);

/* Moves the random stream on as `draws` draws would: with taken tokens, to where an earlier text
 * was. GPT_E_STATE before begin. */
GPT_API int gpt_sample_skip(gpt_sampler *sampler, int draws);

/* The cache belongs to the weights that wrote it. After gpt_step, sampling goes on with what
 * they left there; this reads the cached tokens once more with the weights of now (and computes
 * the coming token's probabilities anew) and returns how many they are. GPT_E_STATE before begin
 * or when ended. */
GPT_API int gpt_sample_reread(gpt_sampler *sampler);

/* Positions of the cache that are filled, at most the context; and the tokens in them (NULL before
 * begin), borrowed until the next sampling call. */
GPT_API int gpt_sample_rows(const gpt_sampler *sampler);
GPT_API const int32_t *gpt_sample_context(const gpt_sampler *sampler);

/* Everything drawn since begin (without the prompt): as text that is valid UTF-8 at every moment
 * (an incomplete tail is held back until it is complete or the text has ended), or as the raw
 * bytes. */
GPT_API int gpt_sample_text(gpt_sampler *sampler, char *out, size_t capacity);
GPT_API int gpt_sample_bytes(gpt_sampler *sampler, char *out, size_t capacity);

/* Probabilities of the coming token, `vocab` floats: as the model gives them (0) or as drawn
 * from, after temperature, top-k and top-p (1). NULL before begin. Borrowed until the next
 * sampling call. */
GPT_API const float *gpt_sample_probabilities(gpt_sampler *sampler, int adjusted);

/* How often the cache was full and begun again with the last half of the context, since begin. */
GPT_API int gpt_sample_refills(const gpt_sampler *sampler);

/* ---- Files ------------------------------------------------------------------------------------
 *
 * Files travel in pieces of any size, straight from and into the trainer's own memory: even a
 * file of gigabytes is never there twice. Reading one:
 *
 *     gpt_loader *loader = gpt_load_open(config, "safetensors", file_bytes);
 *     taken = gpt_load_feed(loader, piece, bytes);      // until taken < bytes or state is 1: header read
 *     gpt_load_begin(loader, "resume", text, bytes);    // takes the memory
 *     gpt_load_feed(loader, piece + taken, ...);        // the rest
 *     gpt_trainer *trainer = gpt_load_finish(loader);
 *     gpt_load_free(loader);
 *
 * A model may lie in several files, which a JSON names: it is opened and fed first; then each
 * file that gpt_load_file names is announced with gpt_load_next, in that order, and fed as far
 * as its header goes (while the state is 0); after begin the rest of each file is fed, again in
 * that order.
 *
 * What fails is told by gpt_config_error of the recipe that the loader was opened with. */

/* Makes a recipe that of a Hugging Face config.json, to load the model.safetensors beside it.
 * Dropout is ignored; every other setting that would change the numbers and is not supported is
 * refused by name. Give its vocabulary to gpt_config_set_bpe first; only one of 256 (bytes) or
 * 257 (and BOS) does without. The model may have more rows than tokens: all take part in every
 * softmax, none is drawn. GPT_E_FILE, GPT_E_UNSUPPORTED, GPT_E_RANGE, GPT_E_HEADS. */
GPT_API int gpt_config_import(gpt_config *config, const char *json, size_t bytes);

/* Begins to read a file of `bytes`: "safetensors" (a checkpoint or weights of ours, or GPT-2's
 * weights for a recipe from gpt_config_import), "index" (model.safetensors.index.json, which
 * names the shards that such weights were cut into), or "raw" (the JSON of the raw form, which
 * names files without headers). Borrows `config` until it is freed. NULL on failure. */
GPT_API gpt_loader *gpt_load_open(gpt_config *config, const char *form, double bytes);

/* Takes the next piece and returns how many of its bytes were taken: all of them, but none
 * beyond the header before gpt_load_begin. Negative on failure; the loader is then of no more
 * use. GPT_E_FILE, GPT_E_FILE_HEADER, GPT_E_FILE_LONG, GPT_E_TENSOR_*, GPT_E_TRUNCATED,
 * GPT_E_STATE. */
GPT_API double gpt_load_feed(gpt_loader *loader, const char *piece, size_t bytes);

/* What a loader waits for. */
enum gpt_load_state {
    GPT_LOAD_HEADER,  /* bytes of a header */
    GPT_LOAD_BEGIN,   /* gpt_load_begin: `config` is now the file's recipe (if it has one) */
    GPT_LOAD_DATA,    /* bytes of the data */
    GPT_LOAD_FINISH,  /* gpt_load_finish */
    GPT_LOAD_NEXT,    /* gpt_load_next, for another file */
    GPT_LOAD_FINISHED /* nothing but gpt_load_free */
};

/* One of these. GPT_E_STATE after a failure. */
GPT_API int gpt_load_state(const gpt_loader *loader);

/* What the header tells: {"form":"checkpoint"|"weights","resumable":true,"forkable":true,"step":n,
 * "tokens_seen":n,"text_hash":"0123456789ABCDEF"|"","text_bytes":n,"data_bytes":n,"note":"...",
 * "files":[{"name":"model.bin","bytes":n}]}. */
GPT_API int gpt_load_json(gpt_loader *loader, char *out, size_t capacity);

/* Name of file `index` (from 0) of those that the JSON names, which lie beside it; empty (0)
 * past the last. */
GPT_API int gpt_load_file(gpt_loader *loader, int index, char *out, size_t capacity);
enum { GPT_LOAD_FILES_MAX = 256 };

/* The next of them is here, with this many bytes. GPT_E_PART_SIZE when it must have others,
 * GPT_E_STATE when no file is due. */
GPT_API int gpt_load_next(gpt_loader *loader, double bytes);

/* Takes the memory of a trainer for the file:
 *   "resume"    a checkpoint goes on as if it had never stopped; `text` must be the text it learned
 *               from, and only `live` options may have been changed in `config`
 *   "train"     the weights learn from `text`, at step 0 of a new run; training options, the seed and
 *               a smaller context may be set in `config` first
 *   "fork"      the same, of a checkpoint whose run can be repeated ("forkable"): the new run's
 *               receipt then has that of the run in the file as its parent, and the texts of both
 *               verify it
 *   "generate"  `text` is NULL; no gradients, a quarter of the memory
 * GPT_E_TEXT_DIFFERS, GPT_E_NO_RUN, GPT_E_FIXED, GPT_E_VOCABULARY_FILE, GPT_E_VOCABULARY_SIZE,
 * GPT_E_TENSOR_MISSING, GPT_E_TENSOR_EXTRA, GPT_E_TENSOR_SHAPE, GPT_E_TENSOR_TYPE, GPT_E_FORK,
 * GPT_E_FORK_DEPTH, GPT_E_CHARACTER, and those of gpt_trainer_create. */
GPT_API int gpt_load_begin(gpt_loader *loader, const char *purpose, const char *text, size_t bytes);

/* What gpt_load_begin would need, as gpt_plan_json. */
GPT_API int gpt_load_plan_json(gpt_loader *loader, const char *purpose, const char *text,
                               size_t bytes, char *out, size_t capacity);

/* The trainer, once all data has come; NULL when some is missing. It is the caller's. */
GPT_API gpt_trainer *gpt_load_finish(gpt_loader *loader);
GPT_API void gpt_load_free(gpt_loader *loader);

/* Begins to write: "checkpoint" (everything), "weights" (enough to generate and to train on another
 * text), or "model.safetensors" and "config.json", which together open in transformers as a
 * GPT2LMHeadModel; "vocab.json", "merges.txt" and "tokenizer_config.json", which open as its
 * GPT2Tokenizer, are there unless tokens are characters (GPT_E_STATE). `note` is the client's own
 * text, kept in the file. The trainer must neither step nor be freed before gpt_save_free. NULL on
 * failure, with the reason in gpt_trainer_error: GPT_E_EXPORT, GPT_E_NO_TEXT, GPT_E_ALLOCATION. */
GPT_API gpt_saver *gpt_save_open(gpt_trainer *trainer, const char *form, const char *note,
                                 size_t note_bytes);

/* Bytes of the whole file. */
GPT_API double gpt_save_bytes(const gpt_saver *saver);

/* The next bytes of the file into `out`; returns how many, 0 at the end. GPT_E_STATE when the
 * trainer has stepped since gpt_save_open. */
GPT_API double gpt_save_read(gpt_saver *saver, char *out, size_t capacity);
GPT_API void gpt_save_free(gpt_saver *saver);

/* 1 if the run in the file learned from exactly these bytes; 0 before its header was read. */
GPT_API int gpt_load_names_text(const gpt_loader *loader, const char *text, size_t bytes);

/* The name by which checkpoints know a text: 16 hexadecimal digits of its 64-bit FNV-1a hash. */
GPT_API int gpt_text_hash(const char *text, size_t bytes, char *out, size_t capacity);

/* ---- Receipts ---------------------------------------------------------------------------------
 *
 * A receipt says what a run was made of (every option at step 0, the hash of the text, what was
 * changed in mid-run and when) and what came out (the bits of its losses, a hash of its
 * weights). Anyone with the text can replay it, anywhere, and must get the same bits. The receipt
 * of a fork has that of the run it went on from in it, and needs the texts of both.
 * c/io/README.md describes both forms. */

/* SHA-256 of all weights as 64 hexadecimal digits: the floats of the parameters in the order of
 * gpt_parameters_json, each from its lowest byte on, every NaN as 0x7fc00000. */
GPT_API int gpt_weights_hash(gpt_trainer *trainer, char *out, size_t capacity);

/* The receipt of the run so far as JSON (eight characters for each loss that is kept), or as one
 * line to compare: "gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5", which is the engine, the
 * nearest preset, the seed, the steps, and the beginnings of the hashes of recipe, losses and
 * weights. GPT_E_NO_TEXT when it only generates. */
GPT_API int gpt_receipt_json(gpt_trainer *trainer, char *out, size_t capacity);
GPT_API int gpt_receipt_line(gpt_trainer *trainer, char *out, size_t capacity);

/* 1 if a run that the receipt is of, or was forked from, learned from exactly these bytes; 0 for a
 * damaged receipt too. */
GPT_API int gpt_receipt_names_text(const char *json, size_t json_bytes, const char *text,
                                   size_t bytes);

/* A run being replayed to see whether its receipt is true. Owned by the caller. */
typedef struct gpt_verifier gpt_verifier;

/* Reads a receipt and begins its run again at step 0 on `text` (copies both); `config` becomes its
 * recipe, without the vocabulary that it was given, and is borrowed until gpt_verify_free. NULL on
 * failure, with the reason in gpt_config_error(config): GPT_E_RECEIPT,
 * GPT_E_RECEIPT_ENGINE, GPT_E_RECEIPT_ORIGIN, GPT_E_TEXT_DIFFERS and those of
 * gpt_trainer_create. */
GPT_API gpt_verifier *gpt_verify_open(gpt_config *config, const char *receipt, size_t bytes,
                                      const char *text, size_t text_bytes);

/* The same on `count` texts in any order, as the receipt of a fork needs: its first run is begun,
 * and each run after it with the weights that the one before ends with. Borrows `config` and the
 * texts (the bytes, not the two arrays) until gpt_verify_free. A text that the receipt names is
 * known by its hash and size, others are not looked at; GPT_E_RECEIPT_TEXT if one is missing
 * (GPT_E_TEXT_DIFFERS if the receipt has no parent). */
GPT_API gpt_verifier *gpt_verify_open_all(gpt_config *config, const char *receipt, size_t bytes,
                                          const char *const *texts, const size_t *text_bytes,
                                          int count);
GPT_API void gpt_verify_free(gpt_verifier *verifier);

/* Replays one step: GPT_OK, or GPT_END when all is compared or the first difference is found. Of a
 * fork also negative, with the reason in gpt_config_error, when the next of its runs cannot begin:
 * those of gpt_load_begin. */
GPT_API int gpt_verify_step(gpt_verifier *verifier);

/* 1 if the whole run has been replayed and nothing differs, else 0. */
GPT_API int gpt_verify_same(const gpt_verifier *verifier);

/* What has been found so far, as JSON: {"same":true,"done":500,"steps":500,"difference":"",
 * "at":0,"expected":"","found":""}. `difference` names what differs first: "loss" (at step `at`,
 * with the bits of both), "diverged" (the replay could not take that step) or "weights" (after
 * the last step). Of a fork, `done` and `steps` count those of all its runs, and two members
 * follow: "run":1,"runs":2, the run that `at` is counted in, from the first one on. */
GPT_API int gpt_verify_json(const gpt_verifier *verifier, char *out, size_t capacity);

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* Ids of `text` into `ids`; returns their count. GPT_E_CHARACTER, GPT_E_CAPACITY (with the count
 * needed in the detail). No BOS is added. */
GPT_API int gpt_encode(gpt_trainer *trainer, const char *text, size_t bytes, int32_t *ids,
                       size_t capacity);

/* The raw bytes of one token into `out`; returns their count (0 for BOS, at most 256).
 * GPT_E_ARGUMENT for an id that there is not, GPT_E_CAPACITY. */
GPT_API int gpt_token_bytes(gpt_trainer *trainer, int id, char *out, size_t capacity);

/* The merges of a BPE in the order in which they were learned, from number `first` on, at most
 * `count` of them: [[left,right,id,occurrences]...], where the tokens `left` and `right`
 * together became `id` when they stood side by side that often (0 in a given vocabulary). [] for
 * other tokenizers. */
GPT_API int gpt_merges_json(gpt_trainer *trainer, int first, int count, char *out, size_t capacity);

/* The BPE as GPT-2's two files, which gpt_config_set_bpe reads; BOS as <|endoftext|>.
 * GPT_E_STATE for other tokenizers, GPT_E_CAPACITY (with the bytes needed in the detail). */
GPT_API int gpt_bpe_vocab_json(gpt_trainer *trainer, char *out, size_t capacity);
GPT_API int gpt_bpe_merges_text(gpt_trainer *trainer, char *out, size_t capacity);

/* ---- Looking inside -------------------------------------------------------------------------- */

/* Runs one sequence (`text`, with BOS before it where sequences are documents) through the training
 * forward with every node kept and named, and with `gradients` also backward. Returns the count of
 * input tokens. Replaces the last probe. GPT_E_EMPTY, GPT_E_LONG, GPT_E_CHARACTER. */
GPT_API int gpt_probe(gpt_trainer *trainer, const char *text, size_t bytes, int gradients);

/* The same on `count` ids, each of which is the target of the one before it: the first count - 1
 * are what the model reads, as windows of a long text need it. Returns count - 1. GPT_E_EMPTY
 * below two, GPT_E_LONG, GPT_E_ARGUMENT for an id outside the vocabulary. */
GPT_API int gpt_probe_ids(gpt_trainer *trainer, const int32_t *ids, int count, int gradients);

/* The ids that the probe ran on. Borrowed until the next probe. */
GPT_API const int32_t *gpt_probe_tokens(gpt_trainer *trainer);

/* The nodes of the last probe in order of computation:
 * [{"name":"block0.attn.probs","op":"attention","function":"attention_forward","shape":[1,4,8,8],
 * "inputs":["block0.attn.qkv"],"constants":{"heads":4,"scale":0.25}}...]. `constants` are the
 * numbers in the op's formula, as the C function uses them. */
GPT_API int gpt_probe_json(gpt_trainer *trainer, char *out, size_t capacity);

/* Values and gradients of node `index` of that list (NULL when it has none). Borrowed until the
 * next probe. */
GPT_API const float *gpt_probe_data(gpt_trainer *trainer, int index);
GPT_API const float *gpt_probe_grad(gpt_trainer *trainer, int index);

/* The model of this recipe on a vocabulary of `vocab` tokens, read off its own forward pass without
 * allocating it: {"weights":n,"layers":2,"sizes":{"T":64,"C":64,"H":1,"V":256},"nodes":[...],
 * "parameters":[...]}. `weights` counts the numbers in all parameters. `nodes` are those of
 * gpt_probe_json for one sequence as long as the context, `parameters` those of
 * gpt_parameters_json, both without the blocks after the first, which are like it. Each has
 * `letters` beside its `shape`: ["","T","3C"], so that equal sizes are told apart ("" if a length
 * does not depend on the sizes). A parameter that is an input of two nodes is shared (the tied
 * head). GPT_E_HEADS, GPT_E_ARGUMENT for `vocab` below 1, GPT_E_ALLOCATION, GPT_E_CAPACITY. */
GPT_API int gpt_architecture_json(gpt_config *config, int vocab, char *out, size_t capacity);

/* The table of parameters: [{"name":"wte.weight","shape":[27,64],"decay":true}...]; and the weights
 * of entry `index`, borrowed until the trainer is freed. */
GPT_API int gpt_parameters_json(gpt_trainer *trainer, char *out, size_t capacity);
GPT_API const float *gpt_parameter_data(gpt_trainer *trainer, int index);

/* Gradients of parameter `index`: of the whole batch after gpt_step (before clipping), of the one
 * sequence after gpt_probe with gradients, zeros before either; NULL where the trainer has none.
 * Borrowed until the trainer is freed. */
GPT_API const float *gpt_parameter_grad(gpt_trainer *trainer, int index);

/* ---- Threads --------------------------------------------------------------------------------- */

/* One pool of helping threads serves all handles: the thread that calls gpt_step (say) computes,
 * and helpers take parts of the work. Results are the same to the bit with any number of them.
 * Call these functions from one thread at a time, and not during another call. Builds without
 * threads have the functions too: they answer 1 thread and do nothing.
 *
 * Natively gpt_threads_use starts what is missing. In WebAssembly (the module built with
 * threads, whose memory is imported as env.memory and shared) the caller brings each helper, a
 * worker:
 *
 *     caller   thread = gpt_thread_create()          then posts module, memory and `thread` to a worker
 *     worker   instantiates the module over that memory, does not call _initialize,
 *              sets the exported global __stack_pointer to `thread`,
 *              and calls gpt_thread_run(thread), which returns only after gpt_threads_stop
 *
 * Nothing waits for a helper that has not come yet. A caller waits for parts that helpers have
 * taken, with memory.atomic.wait32: it must itself live in a worker, because a page's main
 * thread may not wait. Never terminate a worker inside gpt_thread_run: stop first. */

/* Lets up to `threads` threads take part in the work, the caller included (1: nobody else), and
 * returns how many do now. In WebAssembly the default is all that have come. */
GPT_API int gpt_threads_use(int threads);

/* How many threads take part now, the caller included. */
GPT_API int gpt_threads_count(void);

/* WebAssembly: memory for one more helper (its stack and workspace, about 1.2 MB, kept for the
 * next helper when this one has left); NULL when there are 15, when memory is refused, or in a
 * build without threads. */
GPT_API void *gpt_thread_create(void);

/* WebAssembly: what a helper calls with what gpt_thread_create answered. */
GPT_API void gpt_thread_run(void *thread);

/* Sends all helpers home and waits until those inside gpt_thread_run have left; one that comes
 * later leaves at once. */
GPT_API void gpt_threads_stop(void);

/* Files of other programs; back to a snapshot of a run; what stands in the training text, and tables
 * to compare a model with. */
#include "api/gpt_formats.h"
#include "api/gpt_past.h"
#include "api/gpt_trace.h"

#endif
