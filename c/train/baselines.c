/* baselines.c - see baselines.h. */
#include "train/baselines.h"

#include <string.h>

#include "base/numeric.h"

static int symbol_here(const baselines *y, uint32_t at) {
    return (int)symbol_at(text_sequence_symbols(&y->index->tokens), at);
}

void baselines_open(baselines *y, training_index *from) {
    const text_sequence *q = &from->tokens;
    uint32_t trained = training_index_tokens(from)->count;
    uint32_t scored = from->held_out ? q->count - trained : trained;
    memset(y, 0, sizeof *y);
    y->index = from;
    y->at = from->held_out && !from->documents ? q->end : 0;
    y->end = from->held_out ? q->count : q->end;
    y->stride = 1 + scored / BASELINE_SYMBOLS;
}

/* Reads token `id`, adds its loss under each order to y->nats and appends the token to the context
 * `c`. A separator in place of left-out text (which training never reads) is not scored; it only
 * ends the context. */
static void score(baselines *y, ngram_context *c, int id) {
    double p[NGRAM_ORDERS];
    if (y->index->gaps && id == y->index->tokens.separator && !y->index->held_out) {
        ngram_read(&y->index->model, c, id, false, NULL);
        return;
    }
    ngram_read(&y->index->model, c, id, !y->index->held_out, p);
    for (int k = 0; k < NGRAM_ORDERS; k++) {
        y->nats[k] -= num_log(p[k]);
    }
    y->targets++;
}

/* Scores the next BASELINE_PART tokens of a stream. First reads the NGRAM_ORDER_MAX tokens before
 * them, as context of the first one, and at the end skips to the next part. */
static void score_part(baselines *y) {
    uint32_t from = y->at, left = y->end - from;
    uint32_t to = from + (left < BASELINE_PART ? left : BASELINE_PART);
    ngram_context c = ngram_begin(&y->index->model);
    for (uint32_t i = from < NGRAM_ORDER_MAX ? 0 : from - NGRAM_ORDER_MAX; i < from; i++) {
        ngram_read(&y->index->model, &c, symbol_here(y, i), false, NULL);
    }
    for (uint32_t i = from; i < to; i++) {
        score(y, &c, symbol_here(y, i));
    }
    uint64_t next = (uint64_t)from + (uint64_t)BASELINE_PART * y->stride;
    y->at = next < y->end ? (uint32_t)next : y->end;
}

/* Scores the document of `length` tokens that begins at y->at. Tokens beyond the context length are
 * not scored; the BOS that ends the document is scored if it is within the context length. */
static void score_document(baselines *y, uint32_t length) {
    uint32_t context = (uint32_t)y->index->context;
    ngram_context c = ngram_begin(&y->index->model);
    for (uint32_t t = 0; t < length && t < context; t++) {
        score(y, &c, symbol_here(y, y->at + t));
    }
    if (length < context) {
        score(y, &c, y->index->tokenizer.bos);
    }
}

/* Reads whole documents, about BASELINE_PART symbols (tokens and separators). Scores every
 * stride-th document of the held-out part, or of the training part if nothing is held out. */
static void score_documents(baselines *y) {
    const text_sequence *q = &y->index->tokens;
    for (uint32_t from = y->at, length; y->at < y->end && y->at - from < BASELINE_PART;
         y->at += length + 1) {
        for (length = 0; symbol_here(y, y->at + length) != q->separator;) {
            length++;
        }
        bool held_out = !text_index_is_kept(q->kept, y->at);
        if (length > 0 && held_out == y->index->held_out && y->documents++ % y->stride == 0) {
            score_document(y, length);
        }
    }
}

int baselines_step(baselines *y) {
    if (y->at < y->end && y->index->documents) {
        score_documents(y);
    } else if (y->at < y->end) {
        score_part(y);
    }
    y->ready = y->at >= y->end;
    return y->ready ? GPT_END : GPT_OK;
}
