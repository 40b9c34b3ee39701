/* gpt_receipt.c - making receipts and replaying their runs. See the section Receipts of gpt.h.
 *
 * io/receipt.h reads and writes receipts. A receipt describes one run or, for a fork, the fork and
 * all runs that it descends from. A verifier replays these runs, the oldest first, one trainer at a
 * time, and compares each kept loss and the final weights of each run to the bit. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/numeric.h"
#include "base/text_buffer.h"
#include "io/receipt.h"

/* The first difference between a replay and its receipt; the names are for gpt_verify_json. */
typedef enum difference { SAME, LOSS, DIVERGED, WEIGHTS } difference;
static const char *const DIFFERENCES[] = {"", "loss", "diverged", "weights"};

struct gpt_verifier {
    gpt_config *config; /* borrows; records the failures */
    char *text;         /* owns: copy of the text if `runs` > 1 (gpt_verify_open only); else NULL */
    receipt claims[RECEIPT_RUNS_MAX]; /* one per run; the newest run first */
    int runs;                         /* number of receipts in `claims` */
    receipt *claim;                   /* the run being replayed: points into `claims` */
    uint64_t steps, before;           /* steps of all runs; steps of the runs already replayed */
    gpt_trainer *replay;              /* owns: trainer of `claim`; NULL if it could not start */
    size_t change; /* index of the next change of an option in claim->run.changes */
    difference found;
    uint64_t at; /* step of the first difference, from 1; 0 if none */
    uint32_t expected_bits, found_bits;
    unsigned char weights[SHA256_BYTES]; /* hash of the replay's final weights */
    bool done;
};

/* ---- Making receipts ------------------------------------------------------------------------- */

int gpt_weights_hash(gpt_trainer *t, char *out, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    unsigned char digest[SHA256_BYTES];
    receipt_hash_weights(&t->run.net, digest);
    text_buffer buffer = text_begin(out, capacity);
    text_put_digest(&buffer, digest, SHA256_BYTES);
    return text_answer(&buffer, &t->error);
}

static int write_receipt(gpt_trainer *t, void (*write)(const receipt *, text_buffer *), char *out,
                         size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (t->run.frozen) {
        return gpt_fail_name(&t->error, GPT_E_NO_TEXT, "");
    }
    receipt made = receipt_of_run(&t->run.state, t->run.losses, &t->run.net);
    text_buffer buffer = text_begin(out, capacity);
    write(&made, &buffer);
    return text_answer(&buffer, &t->error);
}

int gpt_receipt_json(gpt_trainer *t, char *out, size_t capacity) {
    return write_receipt(t, receipt_write, out, capacity);
}

int gpt_receipt_line(gpt_trainer *t, char *out, size_t capacity) {
    return write_receipt(t, receipt_write_line, out, capacity);
}

int gpt_receipt_names_text(const char *json, size_t json_bytes, const char *text, size_t bytes) {
    receipt runs[RECEIPT_RUNS_MAX];
    int count = json && text && bytes ? receipt_read(runs, json, json_bytes, NULL) : 0;
    bool named = false;
    for (int i = 0; i < count && !named; i++) {
        named = bytes == runs[i].run.text_bytes && hash_fnv1a(text, bytes) == runs[i].run.text_hash;
    }
    receipt_close(runs, count);
    return named;
}

const char *gpt_trainer_preset(const gpt_trainer *t) {
    return t ? receipt_nearest_preset(&t->run.state.begun) : NULL;
}

const char *gpt_config_preset(const gpt_config *c) {
    return c ? receipt_nearest_preset(&c->options) : NULL;
}

/* ---- Replaying runs -------------------------------------------------------------------------- */

/* Sets claim->text to the text with the hash and size that the receipt `claim` records. If no text
 * matches: GPT_E_TEXT_DIFFERS or, if several runs are verified, GPT_E_RECEIPT_TEXT, in which
 * error->name is the hash of the missing text. */
static int find_text(gpt_verifier *v, receipt *claim, const char *const *texts, const size_t *bytes,
                     int count) {
    const run_state *run = &claim->run;
    for (int i = 0; i < count && !claim->text; i++) {
        bool same = bytes[i] == run->text_bytes && hash_fnv1a(texts[i], bytes[i]) == run->text_hash;
        claim->text = same ? texts[i] : NULL;
    }
    if (claim->text) {
        return GPT_OK;
    }
    gpt_error *error = &v->config->error;
    if (v->runs == 1) {
        return gpt_fail(error, GPT_E_TEXT_DIFFERS, "", (double)run->text_bytes, 0, 0);
    }
    (void)gpt_fail(error, GPT_E_RECEIPT_TEXT, "", (double)run->text_bytes, 0, 0);
    text_buffer name = text_begin(error->name, sizeof error->name);
    text_put_hex(&name, run->text_hash, 16);
    text_end(&name);
    return GPT_E_RECEIPT_TEXT;
}

gpt_verifier *gpt_verify_open_all(gpt_config *c, const char *json, size_t bytes,
                                  const char *const *texts, const size_t *text_bytes, int count) {
    if (!c) {
        return NULL;
    }
    bool given = json && texts && text_bytes;
    for (int i = 0; given && i < count; i++) {
        given = texts[i] || !text_bytes[i];
    }
    if (!given) {
        (void)gpt_fail_name(&c->error, GPT_E_ARGUMENT, json ? "text" : "receipt");
        return NULL;
    }
    gpt_verifier *v = calloc(1, sizeof *v);
    if (!v) {
        (void)gpt_fail_allocation(&c->error, sizeof *v);
        return NULL;
    }
    v->config = c;
    int status = v->runs = receipt_read(v->claims, json, bytes, &c->error);
    for (int i = 0; i < v->runs && status >= 0; i++) {
        v->claim = &v->claims[i];
        v->steps += v->claim->run.step;
        status = v->claim->run.imported ? gpt_fail_name(&c->error, GPT_E_RECEIPT_ORIGIN, "")
                                        : find_text(v, v->claim, texts, text_bytes, count);
    }
    if (status >= 0) {
        c->options = v->claim->run.begun;
        if (c->source.given) {
            // Only runs without a BPE vocabulary from files can be replayed. Such a run must not
            // use the vocabulary that the caller has set, so it is removed.
            bpe_source_close(&c->source);
        }
        v->replay = gpt_trainer_create(c, v->claim->text, (size_t)v->claim->run.text_bytes);
    }
    if (!v->replay) {
        gpt_verify_free(v);
        return NULL;
    }
    return v;
}

gpt_verifier *gpt_verify_open(gpt_config *c, const char *json, size_t bytes, const char *text,
                              size_t text_bytes) {
    gpt_verifier *v = gpt_verify_open_all(c, json, bytes, &text, &text_bytes, 1);
    if (!v || v->runs == 1) {
        return v;
    }
    // Later runs of the receipt read the text after this function has returned: they need a copy.
    v->text = malloc(text_bytes);
    if (!v->text) {
        (void)gpt_fail_allocation(&c->error, text_bytes);
        gpt_verify_free(v);
        return NULL;
    }
    memcpy(v->text, text, text_bytes);
    for (int i = 0; i < v->runs; i++) {
        v->claims[i].text = v->text;
    }
    return v;
}

void gpt_verify_free(gpt_verifier *v) {
    if (v) {
        receipt_close(v->claims, v->runs);
        gpt_trainer_free(v->replay);
        free(v->text);
        free(v);
    }
}

static int conclude(gpt_verifier *v, difference found, uint64_t at) {
    v->found = found;
    v->at = at;
    v->done = true;
    return GPT_END;
}

/* Changes the options of the replay that the receipt records as changed after `step` steps. False
 * if the trainer refuses a change. */
static bool make_changes(gpt_verifier *v, uint64_t step) {
    const change_log *changes = &v->claim->run.changes;
    while (v->change < changes->count && changes->items[v->change].step == step) {
        const config_change *change = &changes->items[v->change++];
        const char *name = CONFIG_ROWS[change->option].name;
        if (gpt_trainer_set(v->replay, name, change->after) < 0) {
            return false;
        }
    }
    return true;
}

/* Starts the replay of the next run, which began with the final weights of the run just replayed (a
 * fork of that run). The weights pass through a file in memory, so that only one trainer is
 * allocated at a time. Returns GPT_OK or a negative status. */
static int begin_fork(gpt_verifier *v) {
    gpt_config *c = v->config;
    const receipt *claim = --v->claim;
    gpt_saver *saver = gpt_save_open(v->replay, "weights", NULL, 0);
    if (!saver) {
        c->error = v->replay->error;
        gpt_trainer_free(v->replay);
        v->replay = NULL; // gpt_verify_step then returns GPT_E_ARGUMENT
        return c->error.status;
    }
    size_t bytes = (size_t)gpt_save_bytes(saver);
    char *file = malloc(bytes);
    (void)gpt_save_read(saver, file, bytes);
    gpt_save_free(saver);
    v->before += v->replay->run.state.step;
    v->change = 0;
    gpt_trainer_free(v->replay);
    v->replay = NULL;
    gpt_loader *l = file ? gpt_load_open(c, "safetensors", (double)bytes) : NULL;
    double taken = l ? gpt_load_feed(l, file, bytes) : gpt_fail_allocation(&c->error, bytes);
    int status = taken < 0 ? (int)taken : GPT_OK;
    if (status == GPT_OK) {
        c->options = claim->run.begun;
        status = gpt_load_begin(l, "train", claim->text, (size_t)claim->run.text_bytes);
    }
    if (status == GPT_OK) {
        (void)gpt_load_feed(l, file + (size_t)taken, bytes - (size_t)taken);
        v->replay = gpt_load_finish(l);
        status = v->replay ? GPT_OK : c->error.status;
    }
    gpt_load_free(l);
    free(file);
    return status;
}

int gpt_verify_step(gpt_verifier *v) {
    if (!v || (!v->done && !v->replay)) {
        return GPT_E_ARGUMENT;
    }
    if (v->done) {
        return GPT_END;
    }
    const receipt *claim = v->claim;
    uint64_t step = v->replay->run.state.step;
    bool changed = make_changes(v, step);
    if (step == claim->run.step) {
        receipt_hash_weights(&v->replay->run.net, v->weights);
        bool same = memcmp(v->weights, claim->weights, SHA256_BYTES) == 0;
        return same && claim > v->claims ? begin_fork(v)
                                         : conclude(v, same ? SAME : WEIGHTS, same ? 0 : step);
    }
    if (!changed || gpt_step(v->replay) != GPT_OK) {
        return conclude(v, DIVERGED, step + 1);
    }
    if (step % claim->run.loss_stride == 0) {
        v->expected_bits = num_canonical_bits(claim->losses[step / claim->run.loss_stride]);
        v->found_bits = num_canonical_bits((float)v->replay->run.state.loss);
        if (v->expected_bits != v->found_bits) {
            return conclude(v, LOSS, step + 1);
        }
    }
    return GPT_OK;
}

int gpt_verify_same(const gpt_verifier *v) {
    return v && v->done && v->found == SAME;
}

/* Writes the member `name`: the bits of a loss or the hash of the weights, according to `found`; ""
 * if nothing differs. */
static void put_finding(text_buffer *out, const char *name, difference found, uint32_t bits,
                        const unsigned char weights[SHA256_BYTES]) {
    text_put_key(out, name);
    text_put(out, "\"");
    if (found == LOSS) {
        text_put_hex(out, bits, 8);
    } else if (found == WEIGHTS) {
        text_put_digest(out, weights, SHA256_BYTES);
    }
    text_put(out, "\"");
}

int gpt_verify_json(const gpt_verifier *v, char *out, size_t capacity) {
    if (!v) {
        return GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "{");
    text_put_bool_member(&buffer, "same", gpt_verify_same(v));
    text_put_whole_member(&buffer, "done", v->before + (v->replay ? v->replay->run.state.step : 0));
    text_put_whole_member(&buffer, "steps", v->steps);
    text_put_string_member(&buffer, "difference", DIFFERENCES[v->found]);
    text_put_whole_member(&buffer, "at", v->at);
    put_finding(&buffer, "expected", v->found, v->expected_bits, v->claim->weights);
    put_finding(&buffer, "found", v->found, v->found_bits, v->weights);
    if (v->runs > 1) {
        text_put_whole_member(&buffer, "run", (uint64_t)(v->runs - (v->claim - v->claims)));
        text_put_whole_member(&buffer, "runs", (uint64_t)v->runs);
    }
    text_put(&buffer, "}");
    return text_answer(&buffer, NULL);
}
