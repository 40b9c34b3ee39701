/* sampler.h - text out of a model, one token at a time, with a KV cache.
 *
 * Owns: the cache of keys and values, the distribution of the coming token, the draw, and the bytes
 * generated so far. It reads the model and never changes it; its random stream is its own unless it
 * is lent another. With temperature only (top-k 0, top-p 1) it draws exactly as the program that
 * the microgpt preset repeats.
 */
#ifndef GLASSHOUSE_SAMPLER_H
#define GLASSHOUSE_SAMPLER_H

#include "model/model.h"
#include "text/tokenizer.h"

enum { SAMPLE_BYTES_MAX = 65536 };

typedef struct sample_options {
    float temperature; /* 0: always the most likely token */
    int top_k;         /* keep the k most likely tokens; 0: all */
    float top_p;       /* keep the fewest most likely tokens that reach this share; 1: all */
} sample_options;

/* How a text has ended. */
typedef enum sample_end {
    SAMPLE_OPEN,  /* it has not */
    SAMPLE_ENDED, /* by BOS */
    SAMPLE_FULL   /* its document has filled the context */
} sample_end;

typedef struct sampler {
    model *net;                 /* borrows */
    const tokenizer *tokenizer; /* borrows */
    tape *work;                 /* borrows between begin and the end of each call */
    arena memory;
    kv_cache cache;
    real *probabilities;  /* (V) as the model gives them */
    real *distribution;   /* (V) as drawn from */
    uint32_t *ranking;    /* (V) ids by falling probability */
    int32_t *window;      /* (2T) the tokens in the cache; the rest is for reading a prompt */
    unsigned char *bytes; /* (SAMPLE_BYTES_MAX) generated so far */
    size_t byte_count;
    sample_options options;
    rng own_stream;
    rng *stream; /* own_stream, or one that it is lent */
    bool documents;
    bool begun;
    sample_end ended;
    int refills;    /* times that a full cache was begun again with its last half */
    double uniform; /* in [0, 1): what the last draw was made with; NaN when there was none */
} sampler;

/* Bytes that a sampler for this model takes. */
uint64_t sampler_measure(model *net);

/* A sampler over a model, its vocabulary and a tape that is free between calls.
 * GPT_E_ALLOCATION. */
int sampler_open(sampler *s, model *net, const tokenizer *tok, tape *work, gpt_error *error);
void sampler_close(sampler *s);

/* Reads the prompt (after BOS for documents; an empty one stands for tokenizer_start in streams,
 * of a longer one than the context only its end is read there). `stream` is borrowed until the
 * next begin; NULL starts a stream from `seed`. Returns the tokens read. GPT_E_CHARACTER,
 * GPT_E_LONG, GPT_E_NOT_FINITE. */
int sampler_begin(sampler *s, const char *prompt, size_t bytes, sample_options options, rng *stream,
                  uint64_t seed, gpt_error *error);

/* Draws the next token and computes the distribution after it. GPT_E_STATE before begin or after
 * the end, GPT_E_LONG when SAMPLE_BYTES_MAX is full, GPT_E_NOT_FINITE. */
int sampler_next(sampler *s, gpt_error *error);

/* Puts `id` there instead of drawing: the stream stays where it is. Else as sampler_next, and
 * GPT_E_ARGUMENT for an id that there is not. */
int sampler_take(sampler *s, int id, gpt_error *error);

/* Moves the stream on as `draws` draws would. GPT_E_STATE before begin. */
int sampler_skip(sampler *s, int draws, gpt_error *error);

/* Reads the tokens in the cache once more, with the weights of now: the cache holds keys and
 * values of the weights that wrote it. GPT_E_STATE before begin or after the end. */
int sampler_reread(sampler *s, gpt_error *error);

/* What was drawn as valid UTF-8: invalid bytes as U+FFFD, an incomplete tail held back unless
 * the text has ended. Returns its length or GPT_E_CAPACITY. */
int sampler_text(const sampler *s, char *out, size_t capacity, gpt_error *error);

/* The distribution that logits (n) give under the options, into `out`, for a draw; `ranking` (n) is
 * scratch. Public for tests and viewers. */
void sampler_distribution(real *out, uint32_t *ranking, const real *logits, int n,
                          sample_options options);

/* The first id whose cumulated weight exceeds a uniform draw times the sum of all, else the
 * last. */
int sampler_draw(const real *weights, int n, rng *stream);

#endif
