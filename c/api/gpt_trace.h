/* gpt_trace.h - questions about the training text: where a text occurs in it, and the losses of
 * n-gram tables counted from it, with which the loss of a model is compared.
 *
 * gpt.h includes this header, and its conventions apply. The header is separate because the
 * WebAssembly module that trains does not export it. A second module (build/wasm-questions) does:
 * it computes traces, exports and earlier steps of a run while the first module trains.
 *
 * A trace indexes the training part of a text (c/text/text_index.h cites the papers). Matches never
 * lie in held-out text or in text that training never reads (left out) and, where sequences are
 * documents, never contain a line break. A *place* is the offset of a byte in the whole text, from
 * 0.
 */
#ifndef GLASSHOUSE_GPT_TRACE_H
#define GLASSHOUSE_GPT_TRACE_H

#include "api/gpt.h"

/* An index of the training part of a text, built in short steps. */
typedef struct gpt_trace gpt_trace;

/* Creates a trace of the text that `trainer` was trained on: copies the text, and prepares the
 * index that gpt_trace_step builds. The recipe and vocabulary of `trainer` decide which part is
 * held out; the trainer may be freed afterwards. A trainer that only generates accepts any text.
 * Memory: 5 bytes per byte of text and, unless tokens are bytes, 6 bytes per token; until the index
 * is complete at most 7 and 8 bytes. gpt_trace_free also frees an index that is not complete.
 * Errors (NULL; recorded in `trainer`): GPT_E_TEXT_DIFFERS (trained on another text),
 * GPT_E_TEXT_SIZE (more than 128 MiB), GPT_E_UNSUPPORTED (a stream with left-out ranges contains
 * the byte 255, which is not UTF-8), GPT_E_EMPTY, GPT_E_SHORT, GPT_E_CHARACTER, GPT_E_BPE_ID,
 * GPT_E_LEFT_OUT_END, GPT_E_LEFT_OUT_ALL. */
GPT_API gpt_trace *gpt_trace_create(gpt_trainer *trainer, const char *text, size_t bytes);
GPT_API void gpt_trace_free(gpt_trace *trace);

/* Builds a part of the index, which takes a few milliseconds. Returns GPT_OK, or GPT_END once the
 * index is ready. Until then gpt_trace_runs and the functions after it return GPT_E_STATE, but
 * gpt_baseline returns NaN. After GPT_E_ALLOCATION the call may be repeated. */
GPT_API int gpt_trace_step(gpt_trace *trace);

/* Returns a number by name; NaN for an unknown name:
 *   progress            share of the index that is built, from 0 to 1
 *   bytes, tokens       counts of indexed bytes and tokens, including the line break or BOS before
 *                       each document; 0 until the index is ready
 *   held_out            1 if a part of the text is held out, else 0
 *   base_characters     length in characters that 95 % of the matches with the training text (see
 *                       gpt_trace_runs) do not exceed. Measured on the held-out text or, if
 *                       nothing is held out, on each line of the training text, compared with all
 *                       other lines. NaN before gpt_base_rate_step returns GPT_END, and for a
 *                       single line without a held-out part
 *   base_lines          share of measured lines, 0 to 1, that equal a line of the training text
 *                       other than themselves; 0 for a stream
 *   scored_tokens       count of tokens that gpt_baselines_step has scored
 *   bits_per_character  the loss of 1 nat per token, converted to bits per character
 *   memory_bytes        bytes allocated now, without those of gpt_base_rate_step */
GPT_API double gpt_trace_get(const gpt_trace *trace, const char *name);

/* gpt_trace_error writes the last failure recorded by this trace as JSON (see gpt_config_error),
 * gpt_trace_message as an English sentence (see gpt_config_message). */
GPT_API int gpt_trace_error(const gpt_trace *trace, char *out, size_t capacity);
GPT_API int gpt_trace_message(const gpt_trace *trace, char *out, size_t capacity);

/* A match: a part of a text that occurs word for word in the training text. The names in this
 * interface call a match a run. */
typedef struct gpt_run {
    /* Offset of the match in the text that was passed to gpt_trace_runs; length of the match in
     * bytes. */
    double at, bytes;
    /* Offset of its first occurrence in the training text; number of its occurrences. */
    double place, count;
} gpt_run;

/* Finds the maximal matches of at least `least` bytes: the parts of `text` that occur word for word
 * in the training text and are not contained in a longer match. A match begins and ends between
 * characters. Writes the first `capacity` matches, in the order of `text`, to `runs` and returns
 * the count of all. Errors: GPT_E_ARGUMENT if `least` < 1. */
GPT_API int gpt_trace_runs(gpt_trace *trace, const char *text, size_t bytes, int least,
                           gpt_run *runs, size_t capacity);

/* Measures the base rate: how long, by chance, the matches with the training text are in a text
 * that the model did not learn (c/train/base_rate.h). Each call measures a part of the text and
 * takes a few milliseconds. Returns GPT_OK, or GPT_END after the last part; gpt_trace_get then
 * returns "base_characters" and "base_lines". A match (see gpt_trace_runs) of at most
 * "base_characters" characters may be chance. Errors: GPT_E_ALLOCATION. */
GPT_API int gpt_base_rate_step(gpt_trace *trace);

/* gpt_trace_find finds the occurrences of `text` in the training text, gpt_trace_find_line the
 * lines of the training text that equal `text`. Both write the places (byte offsets) of at most
 * `capacity` occurrences or lines, in any order, and return the count of all. Errors:
 * GPT_E_ARGUMENT if `text` is empty. */
GPT_API int gpt_trace_find(gpt_trace *trace, const char *text, size_t bytes, int32_t *places,
                           size_t capacity);
GPT_API int gpt_trace_find_line(gpt_trace *trace, const char *text, size_t bytes, int32_t *places,
                                size_t capacity);

/* Computes the loss, in nats, of each of `count` tokens under the n-gram table of `order` preceding
 * tokens, 0 to 5, with Witten-Bell smoothing (c/text/ngram.h), into `nats` (count). The first token
 * begins a document, or a stream without known context. Returns `count`. Errors: GPT_E_RANGE (the
 * order), GPT_E_ARGUMENT (an id outside the vocabulary). */
GPT_API int gpt_trace_score(gpt_trace *trace, int order, const int32_t *ids, size_t count,
                            float *nats);

/* Generates text after `prompt` from the n-gram table of `order` preceding tokens (0 to 5), with a
 * random stream started from `seed` >= 0. The text ends after `max_tokens` tokens, at BOS, or when
 * fewer than 256 bytes remain of the 65536 that it may have. Writes valid UTF-8 and returns its
 * length. Errors: GPT_E_RANGE (order, max_tokens or seed: see gpt_sampling_limit),
 * GPT_E_CHARACTER. */
GPT_API int gpt_trace_write(gpt_trace *trace, int order, const char *prompt, size_t prompt_bytes,
                            int max_tokens, double seed, char *out, size_t capacity);

/* Computes the baselines (the losses of n-gram tables, with which the loss of a model is compared)
 * in short steps. One call scores about 1000 tokens and returns GPT_OK, or GPT_END after the last.
 * Scores the held-out text or, if nothing is held out, the training text; each token is then
 * excluded from its own counts. Documents are cut at T, as in training. Of a long text only evenly
 * spaced parts are scored, about 262144 tokens in all. */
GPT_API int gpt_baselines_step(gpt_trace *trace);

/* Returns the mean loss, in nats per token, of the n-gram table of `order` preceding tokens (0 to
 * 5), or of a uniform guess (`order` -1). NaN before gpt_baselines_step returns GPT_END. */
GPT_API double gpt_baseline(const gpt_trace *trace, int order);

#endif
