/* gpt_trace.h - questions about the training text: where a text occurs in it, and the losses of
 * n-gram tables of it, to compare a model with.
 *
 * gpt.h includes this header, and its conventions apply. The header is separate because only the
 * WebAssembly module for questions (build/wasm-questions) exports it, the training module does not.
 *
 * A trace indexes the training part of a text (c/text/text_index.h cites the papers). Matches never
 * lie in held-out or left-out text and, where sequences are documents, never contain a line break.
 * A *place* is the offset of a byte in the text, from 0.
 */
#ifndef GLASSHOUSE_GPT_TRACE_H
#define GLASSHOUSE_GPT_TRACE_H

#include "api/gpt.h"

/* An index of a training text, built in steps. */
typedef struct gpt_trace gpt_trace;

/* Creates a trace of the text that `trainer` was trained on: copies the text, and prepares the
 * index that gpt_trace_step builds. The recipe and vocabulary of `trainer` decide which part is
 * held out; the trainer may be freed afterwards. A trainer that only generates accepts any text.
 * Memory: 5 bytes per byte of text and, unless tokens are bytes, 6 per token; while the index is
 * built at most 7 and 8. gpt_trace_free at any time cancels the building. NULL on failure, recorded
 * in `trainer`: GPT_E_TEXT_DIFFERS (trained on another text), GPT_E_TEXT_SIZE (more than 128 MiB),
 * GPT_E_UNSUPPORTED (a stream with left-out ranges contains the byte 255, which is not UTF-8),
 * GPT_E_EMPTY, GPT_E_SHORT, GPT_E_CHARACTER, GPT_E_BPE_ID, GPT_E_LEFT_OUT_END,
 * GPT_E_LEFT_OUT_ALL. */
GPT_API gpt_trace *gpt_trace_create(gpt_trainer *trainer, const char *text, size_t bytes);
GPT_API void gpt_trace_free(gpt_trace *trace);

/* Builds a part of the index, some milliseconds of work. Returns GPT_OK, or GPT_END once the index
 * is ready. Until then gpt_trace_lengths and all functions below it return GPT_E_STATE. After
 * GPT_E_ALLOCATION the call may be repeated. */
GPT_API int gpt_trace_step(gpt_trace *trace);

/* Returns a number by name; NaN for an unknown name:
 *   progress            of the building, from 0 to 1
 *   bytes, tokens       indexed, including the line break or BOS before each document; 0 until the
 *                       index is ready
 *   held_out            1 if a part of the text is held out
 *   base_characters     length that 95 % of the runs in unlearned text do not exceed; NaN before
 *                       gpt_base_rate_step returns GPT_END, and for a single line without a held-out
 *                       part
 *   base_lines          share of unlearned lines that occur in the training text
 *   scored_tokens       by gpt_baselines_step
 *   bits_per_character  of a loss of one nat per token
 *   memory_bytes        allocated now */
GPT_API double gpt_trace_get(const gpt_trace *trace, const char *name);

/* Writes the held-out text from its beginning in the order of the text, whole characters only, as
 * raw bytes; each document with a line break. Returns the count of bytes, 0 if nothing is held out.
 * GPT_E_ARGUMENT if `out` is NULL or `capacity` above 512 MiB. */
GPT_API int gpt_trace_held_out_text(gpt_trace *trace, char *out, size_t capacity);

/* Write the last failure recorded by this handle, as gpt_config_error and gpt_config_message. */
GPT_API int gpt_trace_error(const gpt_trace *trace, char *out, size_t capacity);
GPT_API int gpt_trace_message(const gpt_trace *trace, char *out, size_t capacity);

/* Computes matching statistics (Chang and Lawler, 1994): for each byte of `text`, the length of the
 * longest match with the training text that begins there, and one place of the match (-1 for length
 * 0). Both arrays have `bytes` entries. Ignores matches that begin at the places from..to-1 of the
 * training text, so that a line of it can be asked about as if it were left out; 0, 0 ignores
 * nothing. Returns `bytes`. GPT_E_ARGUMENT unless 0 <= from <= to <= 2^27. */
GPT_API int gpt_trace_lengths(gpt_trace *trace, const char *text, size_t bytes, double from,
                              double to, int32_t *lengths, int32_t *places);

/* A part of a written text that occurs in the training text, in bytes. */
typedef struct gpt_run {
    double at, bytes;    /* in the written text */
    double place, count; /* the first occurrence, and how many there are */
} gpt_run;

/* Finds the maximal runs of `text` (those not contained in a longer run) of at least `least` bytes.
 * They begin and end between characters. Writes the first `capacity` of them, ascending, and returns
 * how many there are. GPT_E_ARGUMENT if `least` < 1. */
GPT_API int gpt_trace_runs(gpt_trace *trace, const char *text, size_t bytes, int least,
                           gpt_run *runs, size_t capacity);

/* Measures a part of the base rate (c/train/base_rate.h), some milliseconds of work. Returns GPT_OK,
 * or GPT_END after the last; gpt_trace_get then has "base_characters" and "base_lines". A run that is
 * no longer than "base_characters" may be chance. GPT_E_ALLOCATION. */
GPT_API int gpt_base_rate_step(gpt_trace *trace);

/* Return the count of occurrences of `text`, or of lines equal to `text`, in the training text, and
 * write up to `capacity` of their places in any order. GPT_E_ARGUMENT if `text` is empty. */
GPT_API int gpt_trace_find(gpt_trace *trace, const char *text, size_t bytes, int32_t *places,
                           size_t capacity);
GPT_API int gpt_trace_find_line(gpt_trace *trace, const char *text, size_t bytes, int32_t *places,
                                size_t capacity);

/* Returns the count of occurrences of the token sequence `ids` in the training text. A sequence
 * occurs inside one document, whose first token follows BOS and whose last precedes BOS.
 * GPT_E_ARGUMENT for an id outside the vocabulary. */
GPT_API int gpt_trace_count(gpt_trace *trace, const int32_t *ids, size_t count);

/* Returns the count of different tokens that follow these occurrences, and writes up to `capacity`
 * of them to `next` and their counts to `counts`. GPT_E_ARGUMENT as gpt_trace_count. */
GPT_API int gpt_trace_followers(gpt_trace *trace, const int32_t *ids, size_t count, int32_t *next,
                                int32_t *counts, size_t capacity);

/* Computes the loss, in nats, of each of `count` tokens under the n-gram table of `order` preceding
 * tokens, 0 to 5, with Witten-Bell smoothing (c/text/ngram.h), into `nats` (count). The first token
 * begins a document, or a stream without known context. Returns `count`. GPT_E_RANGE (the order),
 * GPT_E_ARGUMENT (an id outside the vocabulary). */
GPT_API int gpt_trace_score(gpt_trace *trace, int order, const int32_t *ids, size_t count,
                            float *nats);

/* Generates text after `prompt` from the table of `order`, with a random stream started from `seed`
 * >= 0. The text ends after `max_tokens` tokens, at BOS, or when fewer than 256 of 65536 bytes are
 * free. Writes valid UTF-8 and returns its length. GPT_E_RANGE (order, max_tokens or seed: see
 * gpt_sampling_limit), GPT_E_CHARACTER. */
GPT_API int gpt_trace_write(gpt_trace *trace, int order, const char *prompt, size_t prompt_bytes,
                            int max_tokens, double seed, char *out, size_t capacity);

/* Computes the baselines, losses of simple models to compare with: scores about 1000 tokens and
 * returns GPT_OK, or GPT_END after the last. It scores the held-out text; if nothing is held out, the
 * training text, without counting the scored token itself. Documents are cut at T, as in training; of
 * a long text, evenly spaced parts of about 262144 tokens in all are scored. */
GPT_API int gpt_baselines_step(gpt_trace *trace);

/* Returns the mean loss of the table of `order` tokens before (0 to 5) in nats per token, or of a
 * uniform guess (order -1). NaN before gpt_baselines_step returns GPT_END. */
GPT_API double gpt_baseline(const gpt_trace *trace, int order);

#endif
