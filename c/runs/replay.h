/* replay.h - replays the runs that a receipt records and compares their results to the bit.
 *
 * A receipt describes one run or, for a fork, the fork and all runs that it descends from. The
 * replay begins with the oldest run, one trainer at a time; each fork begins with the final weights
 * of the run before it. The replay compares every loss in a receipt, and the hash of the weights
 * after the last step of each run. */
#ifndef GLASSHOUSE_REPLAY_H
#define GLASSHOUSE_REPLAY_H

#include "io/receipt.h"
#include "train/trainer.h"

/* The first difference between a replay and its receipt. */
typedef enum replay_difference {
    REPLAY_SAME, /* no difference */
    REPLAY_LOSS, /* the loss of a step differs in its bits */
    /* A step that the receipt records cannot be computed here: its loss or gradient is NaN or
     * infinite, or an option cannot change as the receipt states. */
    REPLAY_DIVERGED,
    REPLAY_WEIGHTS /* the hash of the weights after the last step differs */
} replay_difference;

/* The texts on which the runs were trained, in any order; borrowed. */
typedef struct replay_texts {
    const char *const *texts;
    const size_t *bytes;
    int count;
} replay_texts;

typedef struct replay {
    receipt receipts[RECEIPT_RUNS_MAX]; /* one for each run, the newest first; texts borrowed */
    int runs;                           /* number of receipts in `receipts` */
    receipt *expected;                  /* receipt of the run being replayed, in `receipts` */
    uint64_t memory_limit;              /* bytes, for one trainer */
    uint64_t steps, before;             /* steps of all runs; steps of the runs already replayed */
    trainer run;                        /* trainer of `expected` */
    bool running;                       /* true: `run` is built and can step */
    bpe_source bpe_vocab; /* owned: the BPE vocabulary learned from the text of the oldest run */
    size_t change;        /* index in expected->run.changes of the next change to make */
    bool done;
    replay_difference found;
    uint64_t at;                         /* step of the first difference, from 1; 0 if none */
    uint32_t expected_bits, found_bits;  /* bits of the two losses, if `found` is REPLAY_LOSS */
    unsigned char weights[SHA256_BYTES]; /* hash of the replay's final weights */
} replay;

/* Reads a receipt, finds the text of each run and builds the trainer of the oldest run, at step 0.
 * The caller closes `r`, also after a failure. Errors: GPT_E_RECEIPT_ORIGIN if a run is `imported`:
 * it cannot be replayed from its text alone; GPT_E_TEXT_DIFFERS if the receipt has one run and its
 * text is missing; GPT_E_RECEIPT_TEXT if it has several runs and a text is missing, with the hash
 * of that text as error->name; see also receipt_read, trainer_measure, run_memory and
 * trainer_build. */
int replay_open(replay *r, const char *json, size_t bytes, const replay_texts *texts,
                uint64_t memory_limit, gpt_error *error);

/* Replays one step, or begins the next run. Returns GPT_OK, or GPT_END at the first difference and
 * after the last comparison. Errors: GPT_E_STATE in all calls after a failure; if the next run
 * cannot begin, GPT_E_ALLOCATION, and see run_file.h and replay_open. */
int replay_step(replay *r, gpt_error *error);

/* Frees all memory that `r` owns. Accepts a zeroed replay. */
void replay_close(replay *r);

#endif
