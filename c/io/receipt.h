/* receipt.h - receipts: the inputs of a run and its results, to the bit.
 *
 * A receipt has two forms. The long form is JSON from which the run can be replayed (README.md).
 * The short form is one line that two people compare:
 *
 *     gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5
 *
 * This line has the engine's number, the nearest preset, the seed and the number of steps, then the
 * first 32 bits of three SHA-256 hashes: of the recipe (options at step 0, text, changes, and all
 * claims of a fork's parent), of the losses and of the weights. The receipt of a fork contains the
 * receipt of its parent, which may be a fork too. Receipts are untrusted: reading needs time and
 * memory linear in their size.
 */
#ifndef GLASSHOUSE_RECEIPT_H
#define GLASSHOUSE_RECEIPT_H

#include "base/sha256.h"
#include "base/text_buffer.h"
#include "model/model.h"
#include "recipe/run_state.h"

/* RECEIPT_ENGINE: the engine's number, which increases when a new version computes other bits from
 * the same recipe. RECEIPT_LINE_MAX: the most bytes of a short form, with its NUL. */
enum { RECEIPT_ENGINE = 1, RECEIPT_LINE_MAX = 128 };

/* RECEIPT_RUNS_MAX: the most runs in a receipt, counting the run itself and its ancestors.
 * RECEIPT_PARENT_MAX: the most bytes of a parent's receipt, which must fit into the header of a
 * checkpoint. */
enum { RECEIPT_RUNS_MAX = 8, RECEIPT_PARENT_MAX = 8 << 20 };

typedef struct receipt {
    char preset[16]; /* the nearest preset when the receipt was made; only shown to people */

    /* If the receipt was read from JSON, fields that RUN_FIELDS does not list for receipts are 0,
     * and run.parent.json points into that JSON. */
    run_state run;

    const float *losses;                 /* (run.loss_count) */
    unsigned char weights[SHA256_BYTES]; /* hash of the weights after the last step */
    float *owned;     /* owned (malloc): memory of losses that were read from JSON; else NULL */
    const char *text; /* (run.text_bytes) borrowed: the run's text, for a replay, or NULL */
} receipt;

/* Hashes the numbers of all parameters, in the order of net->params. */
void receipt_hash_weights(const model *net, unsigned char digest[SHA256_BYTES]);

/* Returns the name of the preset from which the recipe `begun` differs in the fewest options; the
 * first such preset if there are several. Static string. */
const char *receipt_nearest_preset(const config *begun);

/* Returns the receipt of a run, with the hash of the weights in `net`. Borrows `losses`, and the
 * change log and the parent of `run`. */
receipt receipt_of_run(const run_state *run, const float *losses, const model *net);

/* receipt_write appends the long form of a receipt to `out`, receipt_write_line the short form. */
void receipt_write(const receipt *from, text_buffer *out);
void receipt_write_line(const receipt *from, text_buffer *out);

/* Reads the long form of a receipt into to[0], the receipt of its parent into to[1], and so on.
 * Returns the number of receipts; they borrow `json`, and the caller frees them with receipt_close.
 * GPT_E_RECEIPT (malformed, or members contradict each other), GPT_E_RECEIPT_ENGINE (made by an
 * engine with another number), GPT_E_OPTION (an option of a later version), GPT_E_HEADS,
 * GPT_E_CHANGES, GPT_E_FORK_DEPTH (more than RECEIPT_RUNS_MAX runs), GPT_E_ALLOCATION; on failure
 * the receipts are already closed. */
int receipt_read(receipt to[RECEIPT_RUNS_MAX], const char *json, size_t bytes, gpt_error *error);
void receipt_close(receipt *r, int count);

/* Checks the long form of a receipt and sets `to`, the parent of a run, to it; the run must have no
 * parent yet. On success `to` owns `json` (malloc); on failure `json` is freed. Errors as
 * receipt_read; GPT_E_FORK_DEPTH also if `json` is longer than RECEIPT_PARENT_MAX bytes, or has
 * RECEIPT_RUNS_MAX runs, so that the new run would be one too many. */
int receipt_adopt(run_parent *to, char *json, size_t bytes, gpt_error *error);

#endif
