/* sampler.c - see sampler.h. */
#include "infer/sampler.h"

#include <string.h>

#include "base/heap.h"
#include "base/text_buffer.h"
#include "kernels/kernels.h"

static int lay_out(sampler *s, gpt_error *error) {
    uint64_t V = (uint64_t)s->net->vocab;
    int T = config_int(&s->net->options, OPT_CONTEXT);
    s->probabilities = arena_alloc_zeroed(&s->memory, V, sizeof *s->probabilities);
    s->distribution = arena_alloc_zeroed(&s->memory, V, sizeof *s->distribution);
    s->ranking = arena_alloc(&s->memory, V, sizeof *s->ranking);
    s->window = arena_alloc(&s->memory, 2 * (uint64_t)T, sizeof *s->window);
    s->bytes = arena_alloc(&s->memory, SAMPLE_BYTES_MAX, 1);
    if (!s->probabilities || !s->distribution || !s->ranking || !s->window || !s->bytes) {
        return arena_fail(&s->memory, error);
    }
    return kv_cache_open(&s->cache, &s->net->options, &s->memory, error);
}

uint64_t sampler_measure(model *net) {
    sampler s = {.net = net};
    arena_open_measuring(&s.memory);
    (void)lay_out(&s, NULL); // an arena that only counts bytes cannot run out
    return s.memory.peak;
}

int sampler_open(sampler *s, model *net, const tokenizer *tok, tape *work, gpt_error *error) {
    uint64_t needed = sampler_measure(net);
    memset(s, 0, sizeof *s);
    s->net = net;
    s->tokenizer = tok;
    s->work = work;
    s->documents = config_int(&net->options, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS;
    int status = arena_open(&s->memory, needed, error);
    return status < 0 ? status : lay_out(s, error);
}

void sampler_close(sampler *s) {
    arena_close(&s->memory);
    memset(s, 0, sizeof *s);
}

/* ---- The distribution ------------------------------------------------------------------------ */

/* Orders ids by descending weight; ids of equal weight ascend. */
static inline __attribute__((always_inline)) bool ranks_before(const void *context, uint32_t a,
                                                               uint32_t b) {
    const real *weights = context;
    return weights[a] == weights[b] ? a < b : weights[a] > weights[b];
}

void sampler_distribution(real *out, uint32_t *ranking, const real *logits, int n,
                          sample_options options) {
    if (options.temperature <= 0.0f) {
        int best = 0;
        for (int i = 1; i < n; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        memset(out, 0, (size_t)n * sizeof *out);
        out[best] = R(1.0);
        return;
    }
    // The reference kernel adds in the same order as the microgpt C program, which the preset
    // microgpt reproduces.
    softmax_row_ref(out, logits, R(1.0) / (real)options.temperature, n);
    bool by_count = options.top_k > 0 && options.top_k < n;
    bool by_share = options.top_p < 1.0f;
    if (!by_count && !by_share) {
        return;
    }
    // top-k: keep the first `kept` ids of the ranking by probability
    int kept = by_count ? options.top_k : n;
    for (int i = 0; i < n; i++) {
        ranking[i] = (uint32_t)i;
    }
    heap_sort_first(ranking, (size_t)n, (size_t)kept, ranks_before, out);
    // top-p: of the kept ids, keep the fewest whose share of the kept probability reaches top_p
    if (by_share) {
        real total = R(0.0);
        for (int i = 0; i < kept; i++) {
            total += out[ranking[i]];
        }
        real reached = R(0.0);
        int enough = 0;
        while (enough < kept && (enough == 0 || reached < (real)options.top_p * total)) {
            reached += out[ranking[enough++]];
        }
        kept = enough;
    }
    // keep the first `kept` ids of the ranking: zero the probabilities of all others, normalise
    real sum = R(0.0);
    for (int i = 0; i < n; i++) {
        if (i >= kept) {
            out[ranking[i]] = R(0.0);
        }
    }
    for (int i = 0; i < n; i++) {
        sum += out[i];
    }
    for (int i = 0; i < n; i++) {
        out[i] /= sum;
    }
}

int sampler_draw(const real *weights, int n, rng *stream) {
    real total = R(0.0);
    int last = 0;
    for (int i = 0; i < n; i++) {
        total += weights[i];
    }
    real r = (real)rng_uniform(stream) * total;
    real cumulated = R(0.0);
    for (int i = 0; i < n; i++) {
        cumulated += weights[i];
        if (r < cumulated) {
            return i;
        }
        last = weights[i] > R(0.0) ? i : last;
    }
    // Rounding can make r equal to the sum of all weights: draw the last id with a positive weight.
    return last;
}

/* ---- Generating ------------------------------------------------------------------------------ */

/* A logit so low that softmax gives it the probability 0. */
#define LEAST R(-3e38)

/* Masks ids without a token (holes), so that they are never drawn. */
static void mask_holes(const tokenizer *tok, real *logits, int count) {
    for (int id = 0; tok->holes && id < count; id++) {
        logits[id] = tokenizer_is_hole(tok, id) ? LEAST : logits[id];
    }
}

/* Appends `count` tokens to the KV cache, PREFILL at a time, and computes the distribution of the
 * next token. */
static int feed(sampler *s, const int32_t *ids, int count, gpt_error *error) {
    int V = s->net->vocab;
    real *last = s->probabilities;
    for (int at = 0, part; at < count; at += part) {
        part = count - at < PREFILL ? count - at : PREFILL;
        tape_rewind(s->work, false);
        tensor *logits = model_forward(s->net, s->work, ids + at, 1, part, &s->cache);
        if (!logits) {
            return arena_fail(s->work->memory, error);
        }
        last = logits->data + (size_t)(part - 1) * (size_t)V;
    }
    int status = tape_check_finite(s->work, last, V, s->cache.length, error);
    if (status < 0) {
        return status;
    }
    kernel(softmax_row)(s->probabilities, last, R(1.0), V);
    mask_holes(s->tokenizer, last, V);
    sampler_distribution(s->distribution, s->ranking, last, V, s->options);
    return GPT_OK;
}

/* Appends token `id` to a stream whose KV cache is full: keeps the last half of the context, which
 * then ends with `id`, and computes the cache again from position 0. */
static int refill(sampler *s, int32_t id, gpt_error *error) {
    int T = config_int(&s->net->options, OPT_CONTEXT);
    int keep = T / 2;
    memmove(s->window, s->window + T - keep + 1, (size_t)(keep - 1) * sizeof *s->window);
    s->window[keep - 1] = id;
    s->cache.length = 0;
    s->refills++;
    return feed(s, s->window, keep, error);
}

/* A sink (token_sink) that writes the tokens of a prompt to the window. */
typedef struct prompt_reader {
    sampler *s;
    int context;
    int in_window;  /* number of tokens in the window */
    uint64_t count; /* number of tokens read */
} prompt_reader;

/* Appends a token to the window, which has room for 2T tokens (T: the context length). If the
 * window is full, first moves its last T tokens to the front, so that a move happens at most once
 * for every T tokens. */
static void read_token(void *receiver, int id) {
    prompt_reader *p = receiver;
    int T = p->context;
    if (p->in_window == 2 * T) {
        memcpy(p->s->window, p->s->window + T, (size_t)T * sizeof *p->s->window);
        p->in_window = T;
    }
    p->s->window[p->in_window++] = id;
    p->count++;
}

/* Writes the tokens of the prompt to the window. If sequences are documents, BOS precedes the
 * prompt. In a stream only the last T tokens of the prompt stay in the window (T: the context
 * length), and one token replaces an empty prompt. Returns the number of tokens in the window. */
static int read_prompt(sampler *s, const char *prompt, size_t bytes, gpt_error *error) {
    int T = config_int(&s->net->options, OPT_CONTEXT);
    prompt_reader p = {s, T, 0, 0};
    if (s->documents) {
        read_token(&p, s->tokenizer->bos);
    } else if (!bytes) {
        read_token(&p, tokenizer_start(s->tokenizer));
    }
    int status = tokenizer_encode(s->tokenizer, prompt, bytes, read_token, &p, error);
    if (status < 0) {
        return status;
    }
    if (s->documents && p.count > (uint64_t)T) {
        return gpt_fail(error, GPT_E_LONG, "prompt", (double)p.count - 1, T - 1, 0);
    }
    int count = p.in_window < T ? p.in_window : T;
    memmove(s->window, s->window + p.in_window - count, (size_t)count * sizeof *s->window);
    return count;
}

int sampler_begin(sampler *s, const char *prompt, size_t bytes, sample_options options, rng *stream,
                  uint64_t seed, gpt_error *error) {
    s->begun = false;
    s->ended = SAMPLE_OPEN;
    s->byte_count = 0;
    s->refills = 0;
    s->uniform = __builtin_nan("");
    s->cache.length = 0;
    s->options = options;
    s->own_stream = rng_from_mixed_seed(seed);
    s->stream = stream ? stream : &s->own_stream;
    int count = read_prompt(s, prompt, bytes, error);
    if (count < 0) {
        return count;
    }
    int status = feed(s, s->window, count, error);
    s->begun = status == GPT_OK;
    return s->begun ? count : status;
}

/* Returns GPT_OK if another token can be appended. Errors: GPT_E_STATE before sampler_begin or
 * after the end of the text, GPT_E_LONG if the longest possible token would not fit into
 * s->bytes. */
static int check_open(const sampler *s, gpt_error *error) {
    if (!s->begun || s->ended) {
        return gpt_fail_name(error, GPT_E_STATE, "sample");
    }
    if (s->byte_count + TOKEN_BYTES_MAX > SAMPLE_BYTES_MAX) {
        return gpt_fail(error, GPT_E_LONG, "sample", SAMPLE_BYTES_MAX, SAMPLE_BYTES_MAX, 0);
    }
    return GPT_OK;
}

/* Appends a token and computes the distribution after it, unless the text ends. Returns the
 * token. */
static int append(sampler *s, int id, gpt_error *error) {
    if (id == s->tokenizer->bos) {
        s->ended = SAMPLE_ENDED;
        return id;
    }
    s->byte_count += (size_t)tokenizer_bytes(s->tokenizer, id, s->bytes + s->byte_count);
    bool full = s->cache.length == config_int(&s->net->options, OPT_CONTEXT);
    if (full && s->documents) {
        s->ended = SAMPLE_FULL;
        return id;
    }
    int32_t next = id;
    int status;
    if (full) {
        status = refill(s, next, error);
    } else {
        s->window[s->cache.length] = next;
        status = feed(s, &next, 1, error);
    }
    return status < 0 ? status : id;
}

int sampler_next(sampler *s, gpt_error *error) {
    int status = check_open(s, error);
    if (status < 0) {
        return status;
    }
    int id = 0;
    if (s->options.temperature > 0.0f) {
        rng twin = *s->stream;
        s->uniform = rng_uniform(&twin);
        id = sampler_draw(s->distribution, s->net->vocab, s->stream);
    }
    while (s->options.temperature <= 0.0f && s->distribution[id] == R(0.0)) {
        id++; // greedy: finds the only id with a probability above zero
    }
    return append(s, id, error);
}

int sampler_append(sampler *s, int id, gpt_error *error) {
    int status = check_open(s, error);
    if (status == GPT_OK && (id < 0 || id >= s->net->vocab)) {
        status = gpt_fail_name(error, GPT_E_ARGUMENT, "id");
    }
    return status < 0 ? status : append(s, id, error);
}

int sampler_skip(sampler *s, int draws, gpt_error *error) {
    if (!s->begun) {
        return gpt_fail_name(error, GPT_E_STATE, "sample");
    }
    if (draws < 0) {
        return gpt_fail_name(error, GPT_E_ARGUMENT, "draws");
    }
    for (int i = 0; i < draws; i++) {
        s->uniform = rng_uniform(s->stream);
    }
    return GPT_OK;
}

int sampler_reread(sampler *s, gpt_error *error) {
    if (!s->begun || s->ended) {
        return gpt_fail_name(error, GPT_E_STATE, "sample");
    }
    int count = s->cache.length;
    s->cache.length = 0;
    int status = feed(s, s->window, count, error);
    s->begun = status == GPT_OK;
    return status < 0 ? status : count;
}

int sampler_text(const sampler *s, char *out, size_t capacity, gpt_error *error) {
    text_buffer buffer = text_begin(out, capacity);
    text_put_utf8(&buffer, s->bytes, s->byte_count, s->ended != SAMPLE_OPEN);
    return text_answer(&buffer, error);
}
