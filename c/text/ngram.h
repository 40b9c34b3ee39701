/* ngram.h - n-gram language models of order 0 to 5, counted from the index of a text.
 *
 * Computes the probability of a token after the last k tokens, for all orders k at once, and draws
 * tokens. Interpolated Witten-Bell smoothing (Witten and Bell, "The Zero-Frequency Problem", 1991,
 * in the recursive form of Chen and Goodman, "An Empirical Study of Smoothing Techniques for
 * Language Modeling", 1999):
 *
 *     p_k(w | h) = (c(h w) + t(h) p_{k-1}(w | h')) / (c(h) + t(h)),    p_{-1}(w) = 1 / V
 *
 * h is the last k tokens, h' is h without its first token, c counts occurrences, and t(h) is the
 * number of distinct tokens that follow h; p_k = p_{k-1} if nothing follows h. The smoothing has no
 * parameter to estimate. The discount of Kneser-Ney would be estimated from the n-grams that occur
 * once and twice, and a text of a few lines may have neither.
 */
#ifndef GLASSHOUSE_NGRAM_H
#define GLASSHOUSE_NGRAM_H

#include "base/rng.h"
#include "text/text_index.h"

enum { NGRAM_ORDER_MAX = 5, NGRAM_ORDERS = NGRAM_ORDER_MAX + 1, NGRAM_CACHE = 1 << 13 };

typedef struct ngram_model {
    const text_index *index; /* index of the tokens; borrowed */
    int vocab;
    int bos; /* id of the token between documents; -1 in a stream */
    /* Symbol of the indexed text that represents BOS or, in a stream, text that training never
     * reads (left out); -1: the indexed text contains neither. */
    int separator;
    /* Direct-mapped cache of t(h), the number of distinct tokens that follow the tokens h. Key:
     * `from`, the index of the first suffix in which a token follows h, and `depth`, the length of
     * h. Value: `types`, which is t(h); 0 in an empty entry. */
    struct {
        uint32_t from, depth, types;
    } cache[NGRAM_CACHE];
} ngram_model;

/* The last tokens that were read. */
typedef struct ngram_context {
    text_span span[NGRAM_ORDERS]; /* [k]: suffixes of the text that begin with the last k tokens */
    int length;                   /* number of known tokens, 0 to NGRAM_ORDER_MAX */
} ngram_context;

/* Prepares a model with `vocab` ids; the struct describes the other arguments. Borrows `index`,
 * which must be ready (text_index_step) before ngram_begin. */
void ngram_open(ngram_model *m, const text_index *index, int vocab, int bos, int separator);

/* ngram_symbol returns the symbol by which the indexed text represents token `id`;
 * TEXT_INDEX_NOWHERE if the text cannot contain the token. ngram_token returns the token that is
 * `depth` symbols after the start of suffix `rank` (an index of the suffix array). */
int ngram_symbol(const ngram_model *m, int id);
int ngram_token(const ngram_model *m, uint32_t rank, uint32_t depth);

/* Returns the context at the start of a document, where BOS is known, or of a stream, where no
 * token is known. */
ngram_context ngram_begin(const ngram_model *m);

/* Reads token `id`: appends the token to the context, or resets the context to ngram_begin if the
 * token is BOS. If `p` (NGRAM_ORDERS) is not NULL, p[k] is set to the probability of `id` after the
 * old context under order k. `leave_one_out`: the token is part of the indexed text, and this
 * occurrence is subtracted from all counts (the leaving-one-out estimate of Ney, Essen and Kneser,
 * 1995). */
void ngram_read(ngram_model *m, ngram_context *c, int id, bool leave_one_out, double *p);

/* Draws and returns a token from the model of order `order` (0 to 5) after the context. The token
 * may be a hole (tokenizer_is_hole), because p_{-1} includes all ids: in that case the caller draws
 * again. */
int ngram_draw(ngram_model *m, const ngram_context *c, int order, rng *stream);

#endif
