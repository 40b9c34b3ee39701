/* gpt_receipt.c - receipts of runs, and verifiers. See the section Receipts of gpt_files.h.
 *
 * io/receipt.h reads and writes receipts, runs/replay.h replays their runs. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text_buffer.h"
#include "runs/replay.h"

/* Names of the differences in gpt_verify_json, in the order of replay_difference. */
static const char *const DIFFERENCES[] = {"", "loss", "diverged", "weights"};

struct gpt_verifier {
    gpt_config *config; /* borrowed; records the failures */
    /* Copy of the text, owned, if gpt_verify_open has a receipt of several runs; else NULL. */
    char *text;
    replay replay;
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
    return t ? receipt_nearest_preset(&t->run.state.initial) : NULL;
}

const char *gpt_config_preset(const gpt_config *c) {
    return c ? receipt_nearest_preset(&c->options) : NULL;
}

/* ---- Verifying ------------------------------------------------------------------------------- */

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
    replay_texts from = {texts, text_bytes, count};
    if (replay_open(&v->replay, json, bytes, &from, c->memory_limit, &c->error) < 0) {
        gpt_verify_free(v);
        return NULL;
    }
    return v;
}

gpt_verifier *gpt_verify_open(gpt_config *c, const char *json, size_t bytes, const char *text,
                              size_t text_bytes) {
    gpt_verifier *v = gpt_verify_open_all(c, json, bytes, &text, &text_bytes, 1);
    if (!v || v->replay.runs == 1) {
        return v;
    }
    // The trainers of later runs read the text after this function has returned: they need a copy.
    v->text = malloc(text_bytes);
    if (!v->text) {
        (void)gpt_fail_allocation(&c->error, text_bytes);
        gpt_verify_free(v);
        return NULL;
    }
    memcpy(v->text, text, text_bytes);
    for (int i = 0; i < v->replay.runs; i++) {
        v->replay.receipts[i].text = v->text;
    }
    return v;
}

void gpt_verify_free(gpt_verifier *v) {
    if (v) {
        replay_close(&v->replay);
        free(v->text);
        free(v);
    }
}

int gpt_verify_step(gpt_verifier *v) {
    return v ? replay_step(&v->replay, &v->config->error) : GPT_E_ARGUMENT;
}

int gpt_verify_same(const gpt_verifier *v) {
    return v && v->replay.done && v->replay.found == REPLAY_SAME;
}

/* Writes the member `name`: the bits of a loss if losses differ, the hash of the weights if weights
 * differ, else "". */
static void put_finding(text_buffer *out, const char *name, replay_difference found, uint32_t bits,
                        const unsigned char weights[SHA256_BYTES]) {
    text_put_key(out, name);
    text_put(out, "\"");
    if (found == REPLAY_LOSS) {
        text_put_hex(out, bits, 8);
    } else if (found == REPLAY_WEIGHTS) {
        text_put_digest(out, weights, SHA256_BYTES);
    }
    text_put(out, "\"");
}

int gpt_verify_json(const gpt_verifier *v, char *out, size_t capacity) {
    if (!v) {
        return GPT_E_ARGUMENT;
    }
    const replay *r = &v->replay;
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "{");
    text_put_bool_member(&buffer, "same", gpt_verify_same(v));
    text_put_whole_member(&buffer, "done", r->before + r->run.state.step);
    text_put_whole_member(&buffer, "steps", r->steps);
    text_put_string_member(&buffer, "difference", DIFFERENCES[r->found]);
    text_put_whole_member(&buffer, "at", r->at);
    put_finding(&buffer, "expected", r->found, r->expected_bits, r->expected->weights);
    put_finding(&buffer, "found", r->found, r->found_bits, r->weights);
    if (r->runs > 1) {
        text_put_whole_member(&buffer, "run", (uint64_t)(r->runs - (r->expected - r->receipts)));
        text_put_whole_member(&buffer, "runs", (uint64_t)r->runs);
    }
    text_put(&buffer, "}");
    return text_answer(&buffer, NULL);
}
