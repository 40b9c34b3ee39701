/* baselines.h - what tables of the last few tokens lose on a text: losses to compare a model with.
 *
 * Owns: the sums over the held-out part, for every order at once and in steps. Where nothing is
 * held out, over the training text with each token left out of the counts. The targets are those of
 * a trainer: documents are cut at the context, and the BOS that ends one counts. Of a long text
 * evenly spaced parts are scored, BASELINE_SYMBOLS in all.
 */
#ifndef GLASSHOUSE_BASELINES_H
#define GLASSHOUSE_BASELINES_H

#include "train/training_index.h"

enum { BASELINE_SYMBOLS = 1 << 18, BASELINE_PART = 1 << 10 };

typedef struct baselines {
    training_index *from; /* borrows */
    uint32_t at, end;     /* the next symbol of the text; where what is scored ends */
    uint32_t stride;      /* from one scored document, or part of a stream, to the next */
    uint32_t documents;   /* that may be scored, up to `at` */
    uint64_t targets;
    double nats[NGRAM_ORDERS]; /* sums */
    bool ready;
} baselines;

/* Begins with an index that is ready. */
void baselines_open(baselines *y, training_index *from);

/* Scores about a thousand tokens: GPT_OK, or GPT_END after the last. */
int baselines_step(baselines *y);

#endif
