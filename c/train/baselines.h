/* baselines.h - losses of n-gram models (ngram.h), to compare the loss of a trained model with.
 *
 * Scores the held-out text under the n-gram models of all orders at once, in short steps. If
 * nothing is held out, scores the training text and subtracts each scored token from the counts.
 * Uses the same targets as training: documents are cut at the context length, and the BOS that ends
 * a document is a target. In a long text only evenly spaced parts are scored, about
 * BASELINE_SYMBOLS tokens in all.
 */
#ifndef GLASSHOUSE_BASELINES_H
#define GLASSHOUSE_BASELINES_H

#include "train/training_index.h"

enum { BASELINE_SYMBOLS = 1 << 18, BASELINE_PART = 1 << 10 };

typedef struct baselines {
    training_index *index; /* borrowed */
    uint32_t at, end;      /* index of the next symbol to read; end (exclusive) of the range */
    uint32_t stride;       /* every stride-th document, or part of a stream, is scored; 1: all */
    /* Number of documents before `at`: of held-out ones, or of training documents if nothing is
     * held out. */
    uint32_t documents;
    uint64_t targets;          /* number of tokens scored */
    double nats[NGRAM_ORDERS]; /* [k]: sum of the losses of scored tokens under order k, in nats */
    bool ready;                /* true when all tokens are scored */
} baselines;

/* Begins to score over the index `from`, which must be ready (training_index_is_ready) and outlive
 * `y`. Allocates nothing. */
void baselines_open(baselines *y, training_index *from);

/* Reads about BASELINE_PART tokens. Returns GPT_OK while tokens remain, GPT_END when all are
 * scored. */
int baselines_step(baselines *y);

#endif
