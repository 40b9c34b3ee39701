/* ngram.c - see ngram.h. */
#include "text/ngram.h"

#include <string.h>

void ngram_open(ngram_model *m, const text_index *index, int vocab, int bos, int separator) {
    memset(m, 0, sizeof *m);
    m->index = index;
    m->vocab = vocab;
    m->bos = bos;
    m->separator = separator;
}

int ngram_symbol(const ngram_model *m, int id) {
    // The separator represents BOS in the indexed text. If tokens are bytes, it is the line break,
    // which no document contains.
    return id == m->bos ? m->separator : id == m->separator ? TEXT_INDEX_NOWHERE : id;
}

int ngram_token(const ngram_model *m, uint32_t rank, uint32_t depth) {
    int symbol = (int)symbol_at(m->index->text, m->index->suffixes[rank] + depth);
    return m->bos >= 0 && symbol == m->separator ? m->bos : symbol;
}

ngram_context ngram_begin(const ngram_model *m) {
    ngram_context c = {.length = 0};
    c.span[0] = text_index_all(m->index);
    if (m->bos >= 0) {
        c.span[1] = text_index_narrow(m->index, c.span[0], 0, m->separator);
        c.length = 1;
    }
    return c;
}

/* Returns t(h) of ngram.h, the number of distinct tokens that follow h: the distinct symbols at
 * `depth`, the length of h, in the suffixes of `span`, which begin with h. Results are cached. */
static uint32_t types_of(ngram_model *m, text_span span, uint32_t depth) {
    size_t slot = (span.from * 0x9E3779B1u + depth * 0x85EBCA6Bu) >> 19;
    if (m->cache[slot].types && m->cache[slot].from == span.from && m->cache[slot].depth == depth) {
        return m->cache[slot].types;
    }
    m->cache[slot].from = span.from;
    m->cache[slot].depth = depth;
    uint32_t types = 0;
    while (span.from < span.to) {
        span.from = text_index_group(m->index, span, depth).to;
        types++;
    }
    m->cache[slot].types = types;
    return types;
}

static uint32_t size_of(text_span span) {
    return span.to - span.from;
}

/* Returns p_k(w | h), the probability of token w after the k tokens h, by the formula in ngram.h.
 * `lower` is p_{k-1}(w | h'), where h' is h without its first token, `span` the suffixes that begin
 * with h, `depth` is k, and `occurrences` is c(h w), the number of occurrences of h followed by w.
 * With `leave_one_out`, one occurrence of h w is subtracted. */
static double interpolate(ngram_model *m, text_span span, uint32_t depth, uint32_t occurrences,
                          bool leave_one_out, double lower) {
    text_span followed = text_index_followed(m->index, span, depth);
    double count = size_of(followed) - leave_one_out;
    if (size_of(followed) <= (uint32_t)leave_one_out) {
        return lower;
    }
    double types = types_of(m, followed, depth) - (leave_one_out && occurrences == 1);
    return ((double)(occurrences - leave_one_out) + types * lower) / (count + types);
}

void ngram_read(ngram_model *m, ngram_context *c, int id, bool leave_one_out, double *p) {
    int symbol = ngram_symbol(m, id);
    ngram_context next = {.span = {c->span[0]}};
    double lower = 1.0 / m->vocab;
    for (int k = 0; k < NGRAM_ORDERS; k++) {
        if (k <= c->length) {
            text_span span = text_index_narrow(m->index, c->span[k], (uint32_t)k, symbol);
            if (p) {
                lower = interpolate(m, c->span[k], (uint32_t)k, size_of(span), leave_one_out,
                                    lower);
            }
            if (k < NGRAM_ORDER_MAX) {
                next.span[k + 1] = span;
                next.length = k + 1;
            }
        }
        if (p) {
            p[k] = lower;
        }
    }
    *c = id == m->bos ? ngram_begin(m) : next;
}

int ngram_draw(ngram_model *m, const ngram_context *c, int order, rng *stream) {
    // h is the last k tokens, c(h) the number of its occurrences, and t(h) the number of distinct
    // tokens that follow h. Order k returns the token after one of these occurrences or, with
    // probability t(h) / (c(h) + t(h)), leaves the draw to order k - 1.
    for (int k = order < c->length ? order : c->length; k >= 0; k--) {
        text_span span = text_index_followed(m->index, c->span[k], (uint32_t)k);
        if (span.from < span.to) {
            uint32_t count = size_of(span), types = types_of(m, span, (uint32_t)k);
            double drawn = rng_uniform(stream) * ((double)count + types);
            if (drawn < count) {
                return ngram_token(m, span.from + (uint32_t)drawn, (uint32_t)k);
            }
        }
    }
    return (int)(rng_uniform(stream) * m->vocab);
}
