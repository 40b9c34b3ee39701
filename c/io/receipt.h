/* receipt.h - receipts: the inputs of a run and its results, to the bit.
 *
 * A receipt has two forms. The long form is JSON from which the run can be replayed (README.md).
 * The short form is one line that two people compare:
 *
 *     gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5
 *
 * This line has the number of the engine (RECEIPT_ENGINE), the nearest preset, the seed and the
 * number of steps, then the first 32 bits of three SHA-256 hashes: of the recipe (options at step
 * 0, text, changes of options and, for a fork, the hash of its parent's receipt), of the losses and
 * of the weights. The receipt of a fork contains the receipt of its parent, which may be a fork
 * too. Receipts are untrusted: reading needs time and memory linear in their size.
 */
#ifndef GLASSHOUSE_RECEIPT_H
#define GLASSHOUSE_RECEIPT_H

#include "base/sha256.h"
#include "base/text_buffer.h"
#include "model/model.h"
#include "recipe/run_state.h"

/* RECEIPT_ENGINE: the number of the engine, which increases when a new version computes other bits
 * from the same recipe. RECEIPT_LINE_MAX: the most bytes of a short form, with its NUL. */
enum { RECEIPT_ENGINE = 1, RECEIPT_LINE_MAX = 128 };

/* RECEIPT_RUNS_MAX: the most runs in a receipt, counting the run itself and its ancestors.
 * RECEIPT_PARENT_MAX: the most bytes of a parent's receipt, which must fit into the header of a
 * checkpoint. */
enum { RECEIPT_RUNS_MAX = 8, RECEIPT_PARENT_MAX = 8 << 20 };

typedef struct receipt {
    /* The preset that was nearest when the receipt was made; in the short form, but not hashed. */
    char preset[16];

    /* If the receipt was read from JSON, fields that RUN_FIELDS does not list for receipts are 0
     * (except loss_count), and run.parent.json points into that JSON. */
    run_state run;

    const float *losses;                 /* length: run.loss_count */
    unsigned char weights[SHA256_BYTES]; /* hash of the weights after the last step */
    /* Memory of `losses` if they were read from JSON; owned (malloc). Else NULL. */
    float *owned;
    /* The run's text, borrowed; NULL until a replay sets it. Length: run.text_bytes. */
    const char *text;
} receipt;

/* Hashes the numbers of all parameters, in the order of net->params. */
void receipt_hash_weights(const model *net, unsigned char digest[SHA256_BYTES]);

/* Returns the name of the preset from which the recipe `initial` differs in the fewest options; the
 * first such preset if there are several. Static string. */
const char *receipt_nearest_preset(const config *initial);

/* Returns the receipt of a run, with the hash of the weights in `net`. Borrows `losses`, and the
 * change log and the parent of `run`. */
receipt receipt_of_run(const run_state *run, const float *losses, const model *net);

/* receipt_write appends the long form of a receipt to `out`, receipt_write_line the short form. */
void receipt_write(const receipt *from, text_buffer *out);
void receipt_write_line(const receipt *from, text_buffer *out);

/* Reads the long form of a receipt into to[0], the receipt of its parent into to[1], and so on.
 * Returns the number of receipts; they borrow `json`, and the caller frees them with receipt_close.
 * After a failure the receipts are already closed. Errors: GPT_E_RECEIPT if the JSON is malformed
 * or its members contradict each other; GPT_E_RECEIPT_ENGINE if another RECEIPT_ENGINE made the
 * receipt; GPT_E_OPTION if it names an option that this version does not have; GPT_E_HEADS if the
 * number of heads does not divide the channels; GPT_E_CHANGES if it has more than CHANGES_MAX
 * changes; GPT_E_FORK_DEPTH if it has more than RECEIPT_RUNS_MAX runs; GPT_E_ALLOCATION. */
int receipt_read(receipt to[RECEIPT_RUNS_MAX], const char *json, size_t bytes, gpt_error *error);
void receipt_close(receipt *r, int count);

/* Checks the long form of a receipt and stores it as the parent `to` of a run, which must have no
 * parent yet. On success `to` owns `json` (malloc); on failure `json` is freed. Errors: see
 * receipt_read; GPT_E_FORK_DEPTH also if `json` is longer than RECEIPT_PARENT_MAX bytes or has
 * RECEIPT_RUNS_MAX runs, because the new run is not counted in them. */
int receipt_adopt(run_parent *to, char *json, size_t bytes, gpt_error *error);

#endif
