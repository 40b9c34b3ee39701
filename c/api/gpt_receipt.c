/* gpt_receipt.c - the part of gpt.h that makes receipts of runs and replays them.
 *
 * Owns: what of a trainer goes into a receipt, and the replay. The forms belong to io/receipt. */
#include "api/handles.h"

#ifndef GPT_REAL_DOUBLE

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/numeric.h"
#include "base/text_buffer.h"
#include "io/receipt.h"

/* What the replay has found to differ; the names are those of gpt_verify_json. */
typedef enum difference { SAME, LOSS, DIVERGED, WEIGHTS } difference;
static const char *const DIFFERENCES[] = {"", "loss", "diverged", "weights"};

struct gpt_verifier {
    receipt claim;
    gpt_trainer *replay; /* owns */
    size_t change;       /* the next of the claim's */
    difference found;
    uint64_t at;
    uint32_t expected_bits, found_bits;
    unsigned char weights[SHA256_BYTES]; /* of the replay, at its end */
    bool done;
};

/* ---- Making ---------------------------------------------------------------------------------- */

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

/* The receipt of a run; borrows its losses and its log. */
static receipt receipt_of(const trainer *run) {
    receipt made = {.run = run->state, .losses = run->losses};
    const char *preset = receipt_nearest_preset(&made.run.begun);
    memcpy(made.preset, preset, strlen(preset) + 1);
    receipt_hash_weights(&run->net, made.weights);
    return made;
}

static int write_receipt(gpt_trainer *t, void (*write)(const receipt *, text_buffer *), char *out,
                         size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (t->run.frozen) {
        return gpt_fail_name(&t->error, GPT_E_NO_TEXT, "");
    }
    receipt made = receipt_of(&t->run);
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

/* ---- Replaying ------------------------------------------------------------------------------- */

gpt_verifier *gpt_verify_open(gpt_config *c, const char *json, size_t bytes, const char *text,
                              size_t text_bytes) {
    if (!c) {
        return NULL;
    }
    gpt_error *error = &c->error;
    if (!json || (!text && text_bytes)) {
        (void)gpt_fail_name(error, GPT_E_ARGUMENT, json ? "text" : "receipt");
        return NULL;
    }
    gpt_verifier *v = calloc(1, sizeof *v);
    if (!v) {
        (void)gpt_fail_allocation(error, sizeof *v);
        return NULL;
    }
    const receipt *claim = &v->claim;
    int status = receipt_read(&v->claim, json, bytes, error);
    if (status == GPT_OK && claim->run.imported) {
        status = gpt_fail_name(error, GPT_E_RECEIPT_ORIGIN, "");
    }
    if (status == GPT_OK && (text_bytes != claim->run.text_bytes ||
                             hash_fnv1a(text, text_bytes) != claim->run.text_hash)) {
        status = gpt_fail(error, GPT_E_TEXT_DIFFERS, "", (double)claim->run.text_bytes, 0, 0);
    }
    if (status == GPT_OK) {
        c->options = claim->run.begun;
        v->replay = gpt_trainer_create(c, text, text_bytes);
    }
    if (!v->replay) {
        gpt_verify_free(v);
        return NULL;
    }
    return v;
}

void gpt_verify_free(gpt_verifier *v) {
    if (v) {
        receipt_close(&v->claim);
        gpt_trainer_free(v->replay);
        free(v);
    }
}

static int conclude(gpt_verifier *v, difference found, uint64_t at) {
    v->found = found;
    v->at = at;
    v->done = true;
    return GPT_END;
}

/* Makes the changes that the claim has for the step that comes now. */
static bool make_changes(gpt_verifier *v, uint64_t step) {
    const change_log *changes = &v->claim.run.changes;
    while (v->change < changes->count && changes->items[v->change].step == step) {
        const config_change *change = &changes->items[v->change++];
        const char *name = CONFIG_ROWS[change->option].name;
        if (gpt_trainer_set(v->replay, name, change->after) < 0) {
            return false;
        }
    }
    return true;
}

int gpt_verify_step(gpt_verifier *v) {
    if (!v) {
        return GPT_E_ARGUMENT;
    }
    const receipt *claim = &v->claim;
    uint64_t step = v->done ? 0 : v->replay->run.state.step;
    if (v->done) {
        return GPT_END;
    }
    bool changed = make_changes(v, step);
    if (step == claim->run.step) {
        receipt_hash_weights(&v->replay->run.net, v->weights);
        bool same = memcmp(v->weights, claim->weights, SHA256_BYTES) == 0;
        return conclude(v, same ? SAME : WEIGHTS, same ? 0 : step);
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

/* The bits of a loss or the hash of the weights, whichever differs; else "". */
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
    text_put_whole_member(&buffer, "done", v->replay->run.state.step);
    text_put_whole_member(&buffer, "steps", v->claim.run.step);
    text_put_string_member(&buffer, "difference", DIFFERENCES[v->found]);
    text_put_whole_member(&buffer, "at", v->at);
    put_finding(&buffer, "expected", v->found, v->expected_bits, v->claim.weights);
    put_finding(&buffer, "found", v->found, v->found_bits, v->weights);
    text_put(&buffer, "}");
    return text_answer(&buffer, NULL);
}

#endif
