/* sampler.h - generates text from a model, one token at a time, with a KV cache.
 *
 * Owns the KV cache, the distribution of the next token, and the bytes generated so far. Draws from
 * a random stream of its own or of the caller. Invariant: a sampler never changes the model. With
 * top-k 0 and top-p 1 it draws exactly as the program that the microgpt preset reproduces.
 */
#ifndef GLASSHOUSE_SAMPLER_H
#define GLASSHOUSE_SAMPLER_H

#include "model/model.h"
#include "text/tokenizer.h"

enum { SAMPLE_BYTES_MAX = 65536 };

typedef struct sample_options {
    float temperature; /* divides the logits; 0: greedy, always the most likely token */
    int top_k;         /* keep the k most likely tokens; 0: all */
    float top_p;       /* of these, keep the fewest that have this share; 1: all */
} sample_options;

/* Whether and why a text has ended. */
typedef enum sample_end {
    SAMPLE_OPEN,  /* not ended */
    SAMPLE_ENDED, /* BOS was drawn */
    SAMPLE_FULL   /* a document has filled the context */
} sample_end;

typedef struct sampler {
    model *net;                 /* borrows */
    const tokenizer *tokenizer; /* borrows */
    tape *work;                 /* borrows; in use only during a call */
    arena memory;
    kv_cache cache;
    real *probabilities;  /* (V) of the next token, by the model alone */
    real *distribution;   /* (V) of the next token under the options; draws use it */
    uint32_t *ranking;    /* (V) scratch of sampler_distribution */
    int32_t *window;      /* (2T) first the cache.length tokens in the cache; see read_token */
    unsigned char *bytes; /* (SAMPLE_BYTES_MAX) generated so far, without the prompt */
    size_t byte_count;
    sample_options options;
    rng own_stream;
    rng *stream; /* own_stream, or the caller's */
    bool documents;
    bool begun; /* sampler_begin has succeeded */
    sample_end ended;
    int refills;    /* how often a full cache was computed again from the last half */
    double uniform; /* in [0, 1): random number of the last draw; NaN before the first */
} sampler;

/* Bytes that a sampler of this model allocates. */
uint64_t sampler_measure(model *net);

/* Opens a sampler. Borrows the model, its vocabulary and a tape, which other code may use between
 * calls. GPT_E_ALLOCATION: close it all the same. */
int sampler_open(sampler *s, model *net, const tokenizer *tok, tape *work, gpt_error *error);

/* Frees the memory of a sampler. A zeroed sampler may be closed. */
void sampler_close(sampler *s);

/* Begins a text: reads the prompt and computes the distribution after it. A document begins with
 * BOS. In a stream an empty prompt is replaced by the token tokenizer_start, and of a prompt longer
 * than the context only the end is read. `stream` is borrowed until the next sampler_begin; NULL: a
 * new stream with `seed`. Returns the number of tokens read. GPT_E_CHARACTER, GPT_E_LONG (a
 * document longer than the context), GPT_E_ALLOCATION, GPT_E_NOT_FINITE. */
int sampler_begin(sampler *s, const char *prompt, size_t bytes, sample_options options, rng *stream,
                  uint64_t seed, gpt_error *error);

/* Draws the next token, appends it and computes the distribution after it. Returns the token.
 * GPT_E_STATE before sampler_begin or after the end of the text, GPT_E_LONG if the text may
 * exceed SAMPLE_BYTES_MAX bytes, GPT_E_NOT_FINITE. */
int sampler_next(sampler *s, gpt_error *error);

/* Appends `id` without a draw: the random stream stays unchanged. Otherwise as sampler_next.
 * GPT_E_ARGUMENT for an id outside the vocabulary. */
int sampler_take(sampler *s, int id, gpt_error *error);

/* Advances the random stream by `draws` draws. GPT_E_STATE before sampler_begin. */
int sampler_skip(sampler *s, int draws, gpt_error *error);

/* Computes the KV cache and the distribution again, after training has changed the weights. Returns
 * the number of tokens in the cache. GPT_E_STATE before sampler_begin or after the end of the text,
 * GPT_E_NOT_FINITE. */
int sampler_reread(sampler *s, gpt_error *error);

/* Writes the generated text as valid UTF-8: invalid bytes become U+FFFD, and an incomplete
 * character at the end is omitted until the text has ended. Returns the length or
 * GPT_E_CAPACITY. */
int sampler_text(const sampler *s, char *out, size_t capacity, gpt_error *error);

/* Computes the distribution `out` (n) of logits (n) under the options; `ranking` (n) is scratch
 * memory. Public for tests and viewers. */
void sampler_distribution(real *out, uint32_t *ranking, const real *logits, int n,
                          sample_options options);

/* Draws an id with probabilities in proportion to weights (n), which need not sum to 1: the first
 * id whose cumulative weight exceeds a uniform number in [0, 1) times their sum. */
int sampler_draw(const real *weights, int n, rng *stream);

#endif
