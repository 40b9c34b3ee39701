/* receipt.h - receipts: the inputs of a run and its results, to the bit.
 *
 * Reads and writes the long form, JSON from which a run can be replayed (README.md), and writes the
 * short form, one line that two people compare:
 *
 *     gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5
 *
 * The line has engine, nearest preset, seed and steps, then the first 32 bits of three SHA-256
 * hashes: of the recipe (options at step 0, text, changes, and all claims of a fork's parent), the
 * losses and the weights. The receipt of a fork contains the receipt of its parent, which may be a
 * fork too. Receipts may be hostile: reading needs time and memory linear in their size.
 */
#ifndef GLASSHOUSE_RECEIPT_H
#define GLASSHOUSE_RECEIPT_H

#include "base/sha256.h"
#include "base/text_buffer.h"
#include "model/model.h"
#include "recipe/run_state.h"

/* RECEIPT_ENGINE counts the versions of the engine that compute other bits from the same recipe.
 * RECEIPT_LINE_MAX: bytes for a short form and its NUL. */
enum { RECEIPT_ENGINE = 1, RECEIPT_LINE_MAX = 128 };

/* RECEIPT_RUNS_MAX: the most runs in a receipt, a run and its ancestors. RECEIPT_PARENT_MAX: the
 * most bytes of a parent's receipt, which must fit into the header of a checkpoint. */
enum { RECEIPT_RUNS_MAX = 8, RECEIPT_PARENT_MAX = 8 << 20 };

typedef struct receipt {
    char preset[16];     /* nearest to the recipe when the receipt was made; for people only */
    run_state run;       /* read from JSON: fields that a receipt lacks are 0; the parent borrows
                          * from the JSON */
    const float *losses; /* (run.loss_count) */
    unsigned char weights[SHA256_BYTES]; /* digest of the weights */
    float *owned;     /* owned (malloc): the losses of a receipt read from JSON; else NULL */
    const char *text; /* borrowed (run.text_bytes): the text, for a replay; NULL until found */
} receipt;

/* Hashes the numbers of all parameters, in the order of the table of parameters. */
void receipt_hash_weights(const model *net, unsigned char digest[SHA256_BYTES]);

/* Returns the preset from which a recipe differs in the fewest options; of several, the first.
 * Static string. */
const char *receipt_nearest_preset(const config *begun);

/* Returns the receipt of a run. Borrows its losses, its changes and its parent. */
receipt receipt_of_run(const run_state *run, const float *losses, const model *net);

/* Append the long form, or the short form. */
void receipt_write(const receipt *from, text_buffer *out);
void receipt_write_line(const receipt *from, text_buffer *out);

/* Reads a long form: to[0] is the receipt itself, to[1] its parent, and so on. Returns their count;
 * receipt_close frees them. They borrow `json`. GPT_E_RECEIPT (malformed, or members contradict
 * each other), GPT_E_RECEIPT_ENGINE (another engine), GPT_E_OPTION (an option of a later version),
 * GPT_E_HEADS, GPT_E_CHANGES, GPT_E_FORK_DEPTH (more than RECEIPT_RUNS_MAX runs), GPT_E_ALLOCATION:
 * the receipts are already closed. */
int receipt_read(receipt to[RECEIPT_RUNS_MAX], const char *json, size_t bytes, gpt_error *error);
void receipt_close(receipt *r, int count);

/* Checks a long form and makes it the parent of a run that has no parent yet. `json` (malloc)
 * becomes owned by `to`, or is freed on failure. Errors as receipt_read; GPT_E_FORK_DEPTH also
 * above RECEIPT_PARENT_MAX bytes, or if it has RECEIPT_RUNS_MAX runs. */
int receipt_adopt(run_parent *to, char *json, size_t bytes, gpt_error *error);

#endif
