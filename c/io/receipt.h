/* receipt.h - the receipt of a run: what it was made of and what came out, to the bit.
 *
 * Owns: both forms, in both directions. The long form is JSON that a run can be replayed from (see
 * io/README.md); the short form is one line that two people compare:
 *
 *     gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5
 *
 * engine, nearest preset, seed, steps, then the first 32 bits each of the SHA-256 of the recipe
 * (options at step 0, text, changes; of a fork all that its parent's receipt claims too), of the
 * losses and of the weights. The receipt of a fork has that of its parent in it, which may be one
 * of a fork. Receipts come from others: reading one bounds everything by its size. It trains
 * nothing.
 */
#ifndef GLASSHOUSE_RECEIPT_H
#define GLASSHOUSE_RECEIPT_H

#include "base/sha256.h"
#include "base/text_buffer.h"
#include "model/model.h"
#include "recipe/run_state.h"

/* Counts the changes of this engine after which the same recipe gives other bits. */
enum { RECEIPT_ENGINE = 1, RECEIPT_LINE_MAX = 128 };

/* The most runs that a receipt speaks of: its own and those before it; and the most bytes of the
 * receipt of a parent, so that a checkpoint has room for it in its header. */
enum { RECEIPT_RUNS_MAX = 8, RECEIPT_PARENT_MAX = 8 << 20 };

typedef struct receipt {
    char preset[16];     /* for people: the nearest one to the recipe when it was made */
    run_state run;       /* of its last step and its stream nothing is known once it was read; its
                          * parent then borrows from the JSON */
    const float *losses; /* (run.loss_count) */
    unsigned char weights[SHA256_BYTES];
    float *owned;     /* owns (malloc): the losses of a receipt that was read, else NULL */
    const char *text; /* for a replay: of run.text_bytes; borrows. NULL: not found yet */
} receipt;

/* SHA-256 over all weights in the order of the table of parameters. */
void receipt_hash_weights(const model *net, unsigned char digest[SHA256_BYTES]);

/* The preset with the fewest options that differ; the first of several. Static storage. */
const char *receipt_nearest_preset(const config *begun);

/* The receipt of a run; borrows its losses, its log and its parent. */
receipt receipt_of_run(const run_state *run, const float *losses, const model *net);

/* Writes the long form, and the short one. */
void receipt_write(const receipt *from, text_buffer *out);
void receipt_write_line(const receipt *from, text_buffer *out);

/* Reads a long form: the receipt itself, then that of its parent, and so on; returns how many.
 * receipt_close ends them. GPT_E_RECEIPT, GPT_E_RECEIPT_ENGINE, GPT_E_OPTION (it is of a later
 * version), GPT_E_HEADS, GPT_E_FORK_DEPTH, GPT_E_ALLOCATION; nothing is then left to close. */
int receipt_read(receipt to[RECEIPT_RUNS_MAX], const char *json, size_t bytes, gpt_error *error);
void receipt_close(receipt *r, int count);

/* Makes a long form (malloc; taken over, freed on failure) the parent of a run. Those of
 * receipt_read. */
int receipt_adopt(run_parent *to, char *json, size_t bytes, gpt_error *error);

#endif
