/* replay.c - see replay.h. */
#include "runs/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/numeric.h"
#include "base/text_buffer.h"
#include "runs/run_file.h"
#include "runs/run_memory.h"

/* Sets to->text to the text whose hash and size the receipt `to` records. */
static int find_text(const replay *r, receipt *to, const replay_texts *from, gpt_error *error) {
    const run_state *run = &to->run;
    for (int i = 0; i < from->count && !to->text; i++) {
        bool same = from->bytes[i] == run->text_bytes &&
                    hash_fnv1a(from->texts[i], from->bytes[i]) == run->text_hash;
        to->text = same ? from->texts[i] : NULL;
    }
    if (to->text) {
        return GPT_OK;
    }
    if (r->runs == 1) {
        return gpt_fail(error, GPT_E_TEXT_DIFFERS, "", (double)run->text_bytes, 0, 0);
    }
    (void)gpt_fail(error, GPT_E_RECEIPT_TEXT, "", (double)run->text_bytes, 0, 0);
    text_buffer name = text_begin(error->name, sizeof error->name);
    text_put_hex(&name, run->text_hash, 16);
    text_end(&name);
    return GPT_E_RECEIPT_TEXT;
}

/* Builds the trainer of the run in r->expected. If `weights` is not NULL, the run begins with the
 * weights of this file, which the caller feeds afterwards. */
static int build(replay *r, run_file *weights, gpt_error *error) {
    receipt *of = r->expected;
    size_t bytes = (size_t)of->run.text_bytes;
    trainer_source from = {&of->run.initial, of->text, bytes, NULL, &r->bpe_vocab, false};
    vocabulary vocab;
    uint64_t total;
    if (weights) {
        run_request wanted = {TO_TRAIN, &of->run.initial, &r->bpe_vocab, 0, of->text, bytes};
        int status = run_file_source(weights, &wanted, &vocab, &from, error);
        if (status < 0) {
            return status;
        }
    }
    int status = trainer_measure(&r->run, &from, error);
    status = status < 0 ? status : run_memory(&r->run, &from, r->memory_limit, &total, error);
    if (status == GPT_OK && weights) {
        status = run_file_check(weights, 0, &r->run, error);
    }
    status = status < 0 ? status : trainer_build(&r->run, &from, error);
    if (status == GPT_OK && weights) {
        status = run_file_bind(weights, TO_TRAIN, &r->run, error);
    }
    r->running = status == GPT_OK;
    return status;
}

int replay_open(replay *r, const char *json, size_t bytes, const replay_texts *texts,
                uint64_t memory_limit, gpt_error *error) {
    *r = (replay){.memory_limit = memory_limit};
    int status = receipt_read(r->receipts, json, bytes, error);
    r->runs = status < 0 ? 0 : status;
    for (int i = 0; i < r->runs && status >= 0; i++) {
        r->expected = &r->receipts[i];
        r->steps += r->expected->run.step;
        status = r->expected->run.imported ? gpt_fail_name(error, GPT_E_RECEIPT_ORIGIN, "")
                                           : find_text(r, r->expected, texts, error);
    }
    return status < 0 ? status : build(r, NULL, error);
}

void replay_close(replay *r) {
    receipt_close(r->receipts, r->runs);
    trainer_close(&r->run);
    bpe_source_close(&r->bpe_vocab);
}

static int conclude(replay *r, replay_difference found, uint64_t at) {
    r->found = found;
    r->at = at;
    r->done = true;
    return GPT_END;
}

/* Applies the changes of options that the receipt records after `step` steps. False if the trainer
 * refuses a change. */
static bool make_changes(replay *r, uint64_t step) {
    const change_log *changes = &r->expected->run.changes;
    while (r->change < changes->count && changes->items[r->change].step == step) {
        const config_change *change = &changes->items[r->change++];
        if (trainer_set(&r->run, CONFIG_ROWS[change->option].name, change->after, NULL) < 0) {
            return false;
        }
    }
    return true;
}

/* Writes the weights of the run as a file in memory. Sets *file (malloc; the caller frees it) and
 * *bytes. */
static int write_weights(trainer *run, char **file, size_t *bytes, gpt_error *error) {
    run_parts parts = {&run->net, &run->state, run->losses, run->data.order,
                       run->data.document_count};
    safetensors_writer writer;
    int status = checkpoint_write(&writer, &parts, &run->data.tokenizer, FORM_WEIGHTS, NULL, 0,
                                  error);
    if (status == GPT_OK) {
        *bytes = (size_t)writer.size;
        *file = malloc(*bytes);
        status = *file ? GPT_OK : gpt_fail_allocation(error, *bytes);
        for (size_t at = 0; status == GPT_OK && at < *bytes;) {
            at += safetensors_write_piece(&writer, *file + at, *bytes - at);
        }
        safetensors_write_close(&writer);
    }
    return status;
}

/* Begins the next run with the weights in a file that write_weights has written. */
static int read_weights(replay *r, const char *file, size_t bytes, gpt_error *error) {
    run_file weights = {0};
    const unsigned char *prefix = (const unsigned char *)file;
    const char *header = file + SAFETENSORS_PREFIX;
    size_t length = 0;
    config recipe; // recipe of the file; ignored, because build() takes that of the receipt
    int status = safetensors_header_length(prefix, bytes, &length, error);
    size_t data = SAFETENSORS_PREFIX + length;
    status = status < 0 ? status
                        : safetensors_open(&weights.tensors, header, length, bytes - data, error);
    status = status < 0 ? status : run_file_read(&weights, &recipe, header, length, error);
    status = status < 0 ? status : build(r, &weights, error);
    status = status < 0 ? status
                        : tensor_file_feed(&weights.tensors, file + data, bytes - data, error);
    status = status < 0 ? status : run_file_finish(&weights, TO_TRAIN, &r->run, error);
    run_file_close(&weights);
    return status;
}

/* Begins the replay of the next run, a fork of the run just replayed. The weights pass through a
 * file in memory, so that only one trainer is allocated at a time. */
static int begin_fork(replay *r, gpt_error *error) {
    char *file = NULL;
    size_t bytes = 0;
    r->before += r->run.state.step;
    r->change = 0;
    r->expected--;
    int status = write_weights(&r->run, &file, &bytes, error);
    trainer_close(&r->run);
    status = status < 0 ? status : read_weights(r, file, bytes, error);
    r->running = status == GPT_OK;
    free(file);
    return status;
}

int replay_step(replay *r, gpt_error *error) {
    if (r->done) {
        return GPT_END;
    }
    if (!r->running) {
        return gpt_fail_name(error, GPT_E_STATE, "verify");
    }
    const receipt *expected = r->expected;
    uint64_t step = r->run.state.step;
    bool changed = make_changes(r, step);
    if (step == expected->run.step) {
        receipt_hash_weights(&r->run.net, r->weights);
        bool same = memcmp(r->weights, expected->weights, SHA256_BYTES) == 0;
        return same && expected > r->receipts
                   ? begin_fork(r, error)
                   : conclude(r, same ? REPLAY_SAME : REPLAY_WEIGHTS, same ? 0 : step);
    }
    if (!changed || trainer_step(&r->run, NULL) != GPT_OK) {
        return conclude(r, REPLAY_DIVERGED, step + 1);
    }
    if (step % expected->run.loss_stride == 0) {
        r->expected_bits = num_canonical_bits(expected->losses[step / expected->run.loss_stride]);
        r->found_bits = num_canonical_bits((float)r->run.state.loss);
        if (r->expected_bits != r->found_bits) {
            return conclude(r, REPLAY_LOSS, step + 1);
        }
    }
    return GPT_OK;
}
