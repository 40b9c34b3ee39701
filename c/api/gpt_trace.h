/* gpt_trace.h - the second part of the contract: where a written text stands in the training text,
 * and what tables of the last few tokens would have lost.
 *
 * gpt.h includes it, so clients name that one alone. It is a file of its own because the module
 * that trains does without: only the one for questions (build/wasm-questions) exports what is here.
 *
 * A trace is an index of the training part of a text (c/text/text_index.h, with the papers). What
 * is held out or left out is not found, and no match contains a line break where sequences are
 * documents. A place is the number of a byte of the text, from 0.
 */
#ifndef GLASSHOUSE_GPT_TRACE_H
#define GLASSHOUSE_GPT_TRACE_H

#include "api/gpt.h"

typedef struct gpt_trace gpt_trace;

/* Copies the text that a model was trained on and prepares its index: gpt_trace_step builds it. The
 * recipe and vocabulary of `trainer` say which part is held out; a trainer that only generates will
 * do, and may be freed afterwards. Owned by the caller. NULL on failure, with the reason in
 * gpt_trainer_error: GPT_E_TEXT_DIFFERS (the trainer learned from another text), GPT_E_TEXT_SIZE
 * (above 128 MB), GPT_E_UNSUPPORTED (something is left out of a stream with the byte 255, which is
 * not UTF-8), GPT_E_EMPTY, GPT_E_SHORT, GPT_E_CHARACTER, GPT_E_ALLOCATION. Memory: 5 bytes for
 * each byte of the text and, unless tokens are bytes, 6 for each token; while it is built at most 7
 * and 8. Free it with gpt_trace_free at any time: that cancels. */
GPT_API gpt_trace *gpt_trace_create(gpt_trainer *trainer, const char *text, size_t bytes);
GPT_API void gpt_trace_free(gpt_trace *trace);

/* Builds a part of the index, some milliseconds: GPT_OK, or GPT_END when it is ready. Until then
 * all questions below answer GPT_E_STATE. GPT_E_ALLOCATION: may be called again. */
GPT_API int gpt_trace_step(gpt_trace *trace);

/* A number by name; NaN for an unknown name:
 *   progress                   of the building, from 0 to 1
 *   bytes, tokens              of the indexed part (BOS counted where sequences are documents)
 *   held_out                   1 if a part of the text is held out
 *   base_characters            length that 95 % of the runs in unlearned text do not exceed; NaN
 *                              before gpt_base_rate_step has ended, and if nothing tells
 *   base_lines                 share of unlearned lines that occur in the training text
 *   scored_tokens              by gpt_baselines_step so far
 *   bits_per_character         that one nat per token is
 *   memory_bytes               held now */
GPT_API double gpt_trace_get(const gpt_trace *trace, const char *name);

/* As gpt_held_out_text, in the order of the text, whole characters only. GPT_E_ARGUMENT. */
GPT_API int gpt_trace_held_out_text(gpt_trace *trace, char *out, size_t capacity);

/* The last failure on this handle, as gpt_config_error and gpt_config_message. */
GPT_API int gpt_trace_error(const gpt_trace *trace, char *out, size_t capacity);
GPT_API int gpt_trace_message(const gpt_trace *trace, char *out, size_t capacity);

/* Matching statistics (Chang and Lawler, 1994): for each byte of `text`, the length of the longest
 * run that begins there and stands in the training text, and a place of it (-1 for length 0), into
 * arrays of `bytes` numbers; returns `bytes`. What begins at the places from..to-1 of the training
 * text does not count (0, 0: everything counts): a line of it may be asked for as if it were left
 * out. GPT_E_ARGUMENT. */
GPT_API int gpt_trace_lengths(gpt_trace *trace, const char *text, size_t bytes, double from,
                              double to, int32_t *lengths, int32_t *places);

/* A part of a written text that occurs in the training text, in bytes. */
typedef struct gpt_run {
    double at, bytes;    /* in the written text */
    double place, count; /* the first occurrence, and how many there are */
} gpt_run;

/* The maximal runs of `text` of at least `least` bytes that occur in the training text: those not
 * contained in a longer one. They begin and end between characters. Writes the first `capacity` of
 * them, in their order, and returns how many there are. GPT_E_ARGUMENT. */
GPT_API int gpt_trace_runs(gpt_trace *trace, const char *text, size_t bytes, int least,
                           gpt_run *runs, size_t capacity);

/* Measures a part of the base rate (c/train/base_rate.h): GPT_OK, or GPT_END when all is measured.
 * Runs of a text that are no longer than "base_characters" of gpt_trace_get say nothing.
 * GPT_E_ALLOCATION. */
GPT_API int gpt_base_rate_step(gpt_trace *trace);

/* How often `text`, or a whole line that is just `text`, stands in the training text; up to
 * `capacity` of the places into `places`, in any order. GPT_E_ARGUMENT if `text` is empty. */
GPT_API int gpt_trace_find(gpt_trace *trace, const char *text, size_t bytes, int32_t *places,
                           size_t capacity);
GPT_API int gpt_trace_find_line(gpt_trace *trace, const char *text, size_t bytes, int32_t *places,
                                size_t capacity);

/* How often the tokens `ids` stand side by side in one document of the training text; BOS stands
 * before the first token and behind the last. GPT_E_ARGUMENT for an id outside the vocabulary. */
GPT_API int gpt_trace_count(gpt_trace *trace, const int32_t *ids, size_t count);

/* The tokens that follow them there, up to `capacity` into `next` with their counts in `counts`;
 * returns how many different ones there are. GPT_E_ARGUMENT. */
GPT_API int gpt_trace_followers(gpt_trace *trace, const int32_t *ids, size_t count, int32_t *next,
                                int32_t *counts, size_t capacity);

/* Loss of each of `count` tokens, in nats, under the table of `order` tokens before (0 to 5; with
 * Witten-Bell smoothing, see c/text/ngram.h) into `nats` (count). The first one begins a document,
 * or a stream of which nothing is known. Returns `count`. GPT_E_RANGE, GPT_E_ARGUMENT. */
GPT_API int gpt_trace_score(gpt_trace *trace, int order, const int32_t *ids, size_t count,
                            float *nats);

/* Lets the table of `order` write after `prompt`, as gpt_sample, from a stream of `seed` >= 0:
 * valid UTF-8 into `out`, up to `max_tokens` tokens, to BOS or to 65536 bytes; returns its length.
 * GPT_E_RANGE, GPT_E_CHARACTER, GPT_E_CAPACITY. */
GPT_API int gpt_trace_write(gpt_trace *trace, int order, const char *prompt, size_t prompt_bytes,
                            int max_tokens, double seed, char *out, size_t capacity);

/* Scores a part of the held-out text (of the training text, each token left out of the counts, if
 * nothing is held out) with all tables: GPT_OK, or GPT_END when all is scored. Documents are cut
 * at the context, as in training; of a long text evenly spaced parts are scored, about 262144
 * tokens. */
GPT_API int gpt_baselines_step(gpt_trace *trace);

/* Mean loss of the table of `order` tokens before (0 to 5), in nats per token; -1: of guessing all
 * tokens with equal probability. NaN before gpt_baselines_step has answered GPT_END. */
GPT_API double gpt_baseline(const gpt_trace *trace, int order);

#endif
