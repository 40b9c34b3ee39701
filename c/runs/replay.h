/* replay.h - replays the runs that a receipt records and compares their results to the bit.
 *
 * A receipt describes one run or, for a fork, the fork and all runs that it descends from. The
 * replay begins with the oldest run, one trainer at a time; each fork begins with the final weights
 * of the run before it. Every loss that a receipt keeps is compared, and the weights after the last
 * step of each run. */
#ifndef GLASSHOUSE_REPLAY_H
#define GLASSHOUSE_REPLAY_H

#include "io/receipt.h"
#include "train/trainer.h"

/* The first difference between a replay and its receipt. REPLAY_DIVERGED: the replay could not
 * compute step `at`. */
typedef enum replay_difference {
    REPLAY_SAME,
    REPLAY_LOSS,
    REPLAY_DIVERGED,
    REPLAY_WEIGHTS
} replay_difference;

/* The texts on which the runs were trained, in any order; borrowed. */
typedef struct replay_texts {
    const char *const *texts;
    const size_t *bytes;
    int count;
} replay_texts;

typedef struct replay {
    receipt claims[RECEIPT_RUNS_MAX]; /* one per run; the newest run first; each borrows its text */
    int runs;                         /* number of receipts in `claims` */
    receipt *claim;                   /* the run being replayed: points into `claims` */
    uint64_t memory_limit;            /* bytes, for one trainer */
    uint64_t steps, before;           /* steps of all runs; steps of the runs already replayed */
    trainer run;                      /* trainer of `claim` */
    bool running;                     /* `run` can step */
    bpe_source merges; /* owned: the BPE vocabulary learned from the text of the oldest run */
    size_t change;     /* index of the next change of an option in claim->run.changes */
    bool done;
    replay_difference found;
    uint64_t at;                         /* step of the first difference, from 1; 0 if none */
    uint32_t expected_bits, found_bits;  /* REPLAY_LOSS: the two losses */
    unsigned char weights[SHA256_BYTES]; /* hash of the replay's final weights */
} replay;

/* Reads a receipt, finds the text of each run and builds the trainer of the oldest, at step 0. The
 * caller closes `r`, also after a failure: GPT_E_RECEIPT_ORIGIN (a run began with a file),
 * GPT_E_TEXT_DIFFERS or, if the receipt has several runs, GPT_E_RECEIPT_TEXT, in which error->name
 * is the hash of the missing text; the errors of receipt_read, trainer_measure, run_memory and
 * trainer_build. */
int replay_open(replay *r, const char *json, size_t bytes, const replay_texts *texts,
                uint64_t memory_limit, gpt_error *error);

/* Replays one step, or begins the next run. Returns GPT_OK, or GPT_END at the first difference and
 * after the last comparison. GPT_E_STATE after a failure; if the next run cannot begin,
 * GPT_E_ALLOCATION and the errors of run_file.h and replay_open. */
int replay_step(replay *r, gpt_error *error);

/* Frees all memory that `r` owns. Accepts a zeroed replay. */
void replay_close(replay *r);

#endif
