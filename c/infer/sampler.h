/* sampler.h - generates text from a model, one token at a time, with a KV cache.
 *
 * Owns the KV cache, the distribution of the next token, and the bytes generated so far. Draws from
 * its own random stream or from one that the caller owns. Invariant: a sampler never changes the
 * model. With top-k 0 and top-p 1 it draws exactly as the microgpt C program, which the preset
 * microgpt reproduces.
 */
#ifndef GLASSHOUSE_SAMPLER_H
#define GLASSHOUSE_SAMPLER_H

#include "model/model.h"
#include "text/tokenizer.h"

enum { SAMPLE_BYTES_MAX = 65536 };

typedef struct sample_options {
    float temperature; /* divides the logits; 0: greedy, always the most likely token */
    int top_k;         /* keep the k most likely tokens; 0: all */
    /* Of the tokens that top_k keeps, keeps the fewest, most likely first, that together have at
     * least this share of the probability of all; 1: all. */
    float top_p;
} sample_options;

/* Whether and why a text has ended. */
typedef enum sample_end {
    SAMPLE_OPEN,  /* the text has not ended */
    SAMPLE_ENDED, /* BOS was drawn or appended */
    SAMPLE_FULL   /* a document has reached the length of the context */
} sample_end;

typedef struct sampler {
    model *net;                 /* borrowed */
    const tokenizer *tokenizer; /* borrowed */
    tape *work;                 /* borrowed; used only during a call */
    arena memory;
    kv_cache cache;
    real *probabilities; /* (V) probabilities of the next token, by the model alone */
    real *distribution;  /* (V) probabilities under the options, from which tokens are drawn */
    uint32_t *ranking;   /* (V) scratch memory of sampler_distribution */
    int32_t *window;     /* (2T) tokens; the KV cache has the first cache.length of them */
    /* The text generated so far, without the prompt; length: SAMPLE_BYTES_MAX. */
    unsigned char *bytes;
    size_t byte_count;
    sample_options options;
    rng own_stream;
    rng *stream; /* &own_stream, or a random stream of the caller */
    bool documents;
    bool begun; /* sampler_begin has succeeded */
    sample_end ended;
    int refills;    /* number of times that a full cache was computed again from its last half */
    double uniform; /* in [0, 1): random number of the last draw; NaN before the first */
} sampler;

/* Returns the number of bytes that a sampler of this model allocates. */
uint64_t sampler_measure(model *net);

/* Opens a sampler. Borrows the model, its vocabulary `tok` and the tape `work`, which other code
 * may use between calls. Errors: GPT_E_ALLOCATION; also after a failure the caller calls
 * sampler_close. */
int sampler_open(sampler *s, model *net, const tokenizer *tok, tape *work, gpt_error *error);

/* Frees the memory of a sampler. A zeroed sampler may be closed. */
void sampler_close(sampler *s);

/* Begins a text: reads the prompt and computes the distribution of the next token. If sequences are
 * documents, the text begins with BOS. In a stream, only the last T tokens of the prompt are read
 * (T: the context length), and an empty prompt is replaced by one token, the result of
 * tokenizer_start. `stream`: the random stream to draw from, borrowed until the next sampler_begin;
 * NULL: a new random stream with `seed`. Returns the number of tokens read, BOS included. Errors:
 * GPT_E_CHARACTER, GPT_E_LONG (a document longer than the context), GPT_E_ALLOCATION,
 * GPT_E_NOT_FINITE. */
int sampler_begin(sampler *s, const char *prompt, size_t bytes, sample_options options, rng *stream,
                  uint64_t seed, gpt_error *error);

/* Draws the next token, appends it to the text and computes the distribution of the token after it.
 * Returns the drawn token. Errors: GPT_E_STATE before sampler_begin or after the end of the text,
 * GPT_E_LONG if the text may exceed SAMPLE_BYTES_MAX bytes, GPT_E_NOT_FINITE. */
int sampler_next(sampler *s, gpt_error *error);

/* Like sampler_next, but appends the token `id` instead of drawing one, so the random stream does
 * not change. Errors: GPT_E_ARGUMENT for an id outside the vocabulary. */
int sampler_append(sampler *s, int id, gpt_error *error);

/* Discards the next `draws` numbers of the random stream, without generating tokens. Errors:
 * GPT_E_STATE before sampler_begin, GPT_E_ARGUMENT if `draws` is negative. */
int sampler_skip(sampler *s, int draws, gpt_error *error);

/* Computes the KV cache and the distribution again, after training has changed the weights. Returns
 * the number of tokens in the cache. Errors: GPT_E_STATE before sampler_begin or after the end of
 * the text, GPT_E_NOT_FINITE. */
int sampler_reread(sampler *s, gpt_error *error);

/* Writes the generated text as valid UTF-8: invalid bytes become U+FFFD, and an incomplete
 * character at the end is omitted until the text has ended. Returns the length or
 * GPT_E_CAPACITY. */
int sampler_text(const sampler *s, char *out, size_t capacity, gpt_error *error);

/* Computes the distribution `out` (n) from `logits` (n) under the options; `ranking` (n) is scratch
 * memory. Public for tests and viewers. */
void sampler_distribution(real *out, uint32_t *ranking, const real *logits, int n,
                          sample_options options);

/* Draws an id with probabilities in proportion to weights (n), which need not sum to 1: the first
 * id whose cumulative weight exceeds a uniform random number in [0, 1) times the sum of all
 * weights. */
int sampler_draw(const real *weights, int n, rng *stream);

#endif
