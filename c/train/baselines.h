/* baselines.h - losses of n-gram models (ngram.h), to compare a model's loss with.
 *
 * Scores the held-out text under every order at once, in short steps. If nothing is held out,
 * scores the training text and excludes each token from its own counts. Uses the targets of a
 * trainer: documents are cut at the context, and the BOS that ends a document is a target. In a
 * long text only evenly spaced parts are scored, about BASELINE_SYMBOLS tokens in all.
 */
#ifndef GLASSHOUSE_BASELINES_H
#define GLASSHOUSE_BASELINES_H

#include "train/training_index.h"

enum { BASELINE_SYMBOLS = 1 << 18, BASELINE_PART = 1 << 10 };

typedef struct baselines {
    training_index *from; /* borrows */
    uint32_t at, end;     /* next symbol of the text, end of the scored range */
    uint32_t stride;      /* every stride-th document, or part of a stream, is scored; 1: all */
    uint32_t documents;   /* documents before `at` in the scored part (training or held-out) */
    uint64_t targets;     /* tokens scored */
    double nats[NGRAM_ORDERS]; /* [k]: summed loss of order k */
    bool ready;
} baselines;

/* Begins scoring with a ready index, which must outlive `y`. Allocates nothing. */
void baselines_open(baselines *y, training_index *from);

/* Reads about BASELINE_PART tokens. GPT_OK, or GPT_END when all are scored. */
int baselines_step(baselines *y);

#endif
