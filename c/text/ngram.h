/* ngram.h - models that know only the last few tokens, counted from the index of a text.
 *
 * Owns: the probability of a token after up to five others, for every order at once, and drawing
 * one. Interpolated Witten-Bell smoothing (Witten and Bell, "The Zero-Frequency Problem", 1991, in
 * the recursive form of Chen and Goodman, "An Empirical Study of Smoothing Techniques for Language
 * Modeling", 1999):
 *
 *     p_k(w | h) = (c(h w) + t(h) p_{k-1}(w | h')) / (c(h) + t(h)),    p_{-1}(w) = 1 / V
 *
 * where h are the last k tokens, h' is h without its first, c counts occurrences and t(h) how many
 * different tokens follow h. It has no parameter to estimate: Kneser-Ney's discount comes from how
 * many n-grams occur once and twice, and a text of a few lines may have none of these.
 */
#ifndef GLASSHOUSE_NGRAM_H
#define GLASSHOUSE_NGRAM_H

#include "base/rng.h"
#include "text/text_index.h"

enum { NGRAM_ORDER_MAX = 5, NGRAM_ORDERS = NGRAM_ORDER_MAX + 1, NGRAM_CACHE = 1 << 13 };

typedef struct ngram_model {
    const text_index *index; /* of tokens; borrows */
    int vocab;
    int bos;       /* id of the token that separates documents, -1 in a stream */
    int separator; /* the symbol of the text that stands for it, or for a gap in a stream; or -1 */
    struct {
        uint32_t from, depth, kinds; /* kinds 0: free */
    } cache[NGRAM_CACHE];            /* how many tokens follow a span */
} ngram_model;

/* What was read last. */
typedef struct ngram_context {
    text_span span[NGRAM_ORDERS]; /* [k]: where the last k tokens stand */
    int length;                   /* tokens that are known, up to NGRAM_ORDER_MAX */
} ngram_context;

void ngram_open(ngram_model *m, const text_index *index, int vocab, int bos, int separator);

/* The symbol of the text for token `id`; TEXT_INDEX_NOWHERE if the text cannot have it. And the
 * token that stands `depth` behind the beginning of a suffix. */
int ngram_symbol(const ngram_model *m, int id);
int ngram_token(const ngram_model *m, uint32_t rank, uint32_t depth);

/* The beginning of a document, or of a stream, of which nothing is known. */
ngram_context ngram_begin(const ngram_model *m);

/* Reads token `id`. `p` (NGRAM_ORDERS; may be NULL) gets the probability that each order gave it.
 * `left_out`: the token is one of the indexed text, and is itself not counted (the leaving-one-out
 * estimate of Ney, Essen and Kneser, 1995). */
void ngram_read(ngram_model *m, ngram_context *c, int id, bool left_out, double *p);

/* A token after the context, drawn from the model of `order`. Where nothing is known of the context
 * it may be an id that no token has (tokenizer_is_hole): draw again. */
int ngram_draw(ngram_model *m, const ngram_context *c, int order, rng *stream);

#endif
