/* gpt_recipe.c - recipes, plans, and creating trainers. See the section Recipe of gpt.h. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>
#include "base/numeric.h"
#include "base/text_buffer.h"
#include "io/json_values.h"
#include "runs/run_memory.h"

// WebAssembly's 4 GB minus 64 MB for the module itself, its stack and the caller's buffers.
static const uint64_t DEFAULT_MEMORY_LIMIT = ((uint64_t)1 << 32) - (1u << 26);

const char *gpt_version(void) {
    return GPT_VERSION;
}

gpt_config *gpt_config_create(const char *preset) {
    gpt_config *c = calloc(1, sizeof *c);
    if (c && config_from_preset(&c->options, preset, &c->error) < 0) {
        free(c);
        return NULL;
    }
    if (c) {
        c->memory_limit = DEFAULT_MEMORY_LIMIT;
    }
    return c;
}

void gpt_config_free(gpt_config *c) {
    if (c) {
        bpe_source_close(&c->bpe_vocab);
        free(c);
    }
}

int gpt_config_set(gpt_config *c, const char *option, double value) {
    return c ? config_set(&c->options, option, value, &c->error) : GPT_E_ARGUMENT;
}

int gpt_config_set_text(gpt_config *c, const char *option, const char *text) {
    return c ? config_set_text(&c->options, option, text, &c->error) : GPT_E_ARGUMENT;
}

double gpt_config_get(const gpt_config *c, const char *option) {
    int i = config_find(option);
    return c && i >= 0 ? c->options.value[i] : __builtin_nan("");
}

int gpt_config_left_out_json(gpt_config *c, char *out, size_t capacity) {
    if (!c) {
        return GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    json_put_left_out(&buffer, &c->options.left_out);
    return text_answer(&buffer, &c->error);
}

int gpt_config_check(gpt_config *c) {
    return c ? config_check(&c->options, &c->error) : GPT_E_ARGUMENT;
}

int gpt_options_json(char *out, size_t capacity) {
    return config_json(out, capacity);
}

const char *gpt_preset_name(int index) {
    return index >= 0 && index < PRESET_COUNT ? CONFIG_PRESETS[index] : NULL;
}

const char *gpt_option_name(int index) {
    return index >= 0 && index < OPT_COUNT ? CONFIG_ROWS[index].name : NULL;
}

const char *gpt_option_type(int index) {
    return index >= 0 && index < OPT_COUNT ? CONFIG_ROWS[index].type : NULL;
}

const char *gpt_option_group(int index) {
    return index >= 0 && index < OPT_COUNT ? CONFIG_ROWS[index].group : NULL;
}

int gpt_option_live(int index) {
    return index >= 0 && index < OPT_COUNT && (CONFIG_ROWS[index].use & LIVE);
}

int gpt_config_set_memory_limit(gpt_config *c, double bytes) {
    if (!c) {
        return GPT_E_ARGUMENT;
    }
    if (!(bytes >= 0 && bytes <= CONFIG_WHOLE_MAX)) {
        return gpt_fail(&c->error, GPT_E_RANGE, "memory_limit", bytes, 0, CONFIG_WHOLE_MAX);
    }
    c->memory_limit = (uint64_t)bytes;
    return GPT_OK;
}

int gpt_config_set_bpe(gpt_config *c, const char *vocab_json, size_t vocab_bytes,
                       const char *merges, size_t merges_bytes, const char *added,
                       size_t added_bytes) {
    if (!c) {
        return GPT_E_ARGUMENT;
    }
    if (!vocab_json && !merges && !added && !vocab_bytes && !merges_bytes && !added_bytes) {
        bpe_source_close(&c->bpe_vocab);
        return GPT_OK;
    }
    if (!vocab_json || (!merges && merges_bytes) || (!added && added_bytes)) {
        const char *missing = !vocab_json               ? "vocab_json"
                              : !merges && merges_bytes ? "merges"
                                                        : "added";
        return gpt_fail_name(&c->error, GPT_E_ARGUMENT, missing);
    }
    bpe_texts from = {vocab_json, vocab_bytes, merges, merges_bytes, added, added_bytes};
    return bpe_source_read(&c->bpe_vocab, &from, &c->error);
}

int handle_find(const char *const *names, int count, const char *name) {
    for (int i = 0; name && i < count; i++) {
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

int handle_check_text(const char *text, size_t bytes, gpt_error *error) {
    if (!text && bytes) {
        return gpt_fail_name(error, GPT_E_ARGUMENT, "text");
    }
    if (bytes > TEXT_BYTES_MAX) {
        return gpt_fail(error, GPT_E_TEXT_SIZE, "text", (double)bytes, (double)TEXT_BYTES_MAX, 0);
    }
    return bytes ? GPT_OK : gpt_fail_name(error, GPT_E_EMPTY, "text");
}

double handle_train_tokens(const dataset *d) {
    bool unknown = d->documents && dataset_held_out(d);
    return unknown ? __builtin_nan("") : (double)d->train_tokens;
}

int handle_plan_json(gpt_config *c, const trainer_source *from, char *out, size_t capacity) {
    trainer t;
    uint64_t total = 0;
    int status = trainer_measure(&t, from, &c->error);
    status = status < 0 ? status : run_memory(&t, from, c->memory_limit, &total, &c->error);
    if (status == GPT_OK) {
        const dataset *d = &t.data;
        double used = handle_train_tokens(d);
        int T = config_int(&c->options, OPT_CONTEXT), B = config_int(&c->options, OPT_BATCH);
        text_buffer buffer = text_begin(out, capacity);
        text_put(&buffer, "{");
        text_put_member(&buffer, "vocab", d->tokenizer.vocab);
        text_put_member(&buffer, "merges", d->tokenizer.bpe.merges);
        text_put_member(&buffer, "tokens", (double)d->token_count);
        text_put_member(&buffer, "train_tokens", used);
        text_put_member(&buffer, "validation_tokens", (double)d->token_count - used);
        text_put_member(&buffer, "documents", (double)d->document_count);
        text_put_member(&buffer, "train_documents", (double)d->train_documents);
        text_put_member(&buffer, "validation_sequences", (double)dataset_held_out(d));
        text_put_member(&buffer, "cut_documents", (double)d->cut_documents);
        text_put_member(&buffer, "cut_tokens", (double)d->cut_tokens);
        text_put_member(&buffer, "invalid_bytes", (double)d->invalid_bytes);
        text_put_member(&buffer, "parameters", (double)t.net.weights);
        text_put_member(&buffer, "random_loss", num_log(d->tokenizer.vocab));
        text_put_member(&buffer, "persist_bytes", (double)t.persist.peak);
        text_put_member(&buffer, "step_bytes", (double)t.step_memory.peak);
        text_put_member(&buffer, "text_bytes", (double)from->bytes);
        text_put_member(&buffer, "total_bytes", (double)total);
        text_put_member(&buffer, "limit_bytes", (double)c->memory_limit);
        text_put_member(&buffer, "tokens_per_step", (double)B * T);
        bool shared = d->tokenizer.kind == TOKENIZER_BYTE;
        uint64_t most = training_index_most_bytes(from->bytes, d->token_count, shared);
        text_put_member(&buffer, "index_bytes", (double)most);
        text_put(&buffer, "}");
        status = text_answer(&buffer, &c->error);
    }
    trainer_close(&t);
    return status;
}

int gpt_plan_json(gpt_config *c, const char *text, size_t bytes, char *out, size_t capacity) {
    if (!c) {
        return GPT_E_ARGUMENT;
    }
    trainer_source from = {&c->options, text, bytes, NULL, &c->bpe_vocab, false};
    int status = handle_check_text(text, bytes, &c->error);
    return status < 0 ? status : handle_plan_json(c, &from, out, capacity);
}

gpt_trainer *handle_measure(gpt_config *c, const trainer_source *from) {
    gpt_trainer *t = calloc(1, sizeof *t);
    if (!t) {
        (void)gpt_fail_allocation(&c->error, sizeof *t);
        return NULL;
    }
    t->own.trainer = t;
    if (trainer_measure(&t->run, from, &c->error) < 0) {
        gpt_trainer_free(t);
        return NULL;
    }
    return t;
}

gpt_trainer *handle_build(gpt_config *c, gpt_trainer *t, const trainer_source *from) {
    uint64_t total = 0;
    int status = run_memory(&t->run, from, c->memory_limit, &total, &c->error);
    status = status < 0 ? status : trainer_build(&t->run, from, &c->error);
    status = status < 0 ? status
                        : sampler_open(&t->own.sampler, &t->run.net, &t->run.data.tokenizer,
                                       &t->run.work, &c->error);
    if (status < 0) {
        gpt_trainer_free(t);
        return NULL;
    }
    return t;
}

gpt_trainer *gpt_trainer_create(gpt_config *c, const char *text, size_t bytes) {
    if (!c || handle_check_text(text, bytes, &c->error) < 0) {
        return NULL;
    }
    trainer_source from = {&c->options, text, bytes, NULL, &c->bpe_vocab, false};
    gpt_trainer *t = handle_measure(c, &from);
    return t ? handle_build(c, t, &from) : NULL;
}

void gpt_trainer_free(gpt_trainer *t) {
    if (t) {
        probe_close(&t->probe);
        while (t->own.next) {
            gpt_sampler_free(t->own.next);
        }
        sampler_close(&t->own.sampler);
        trainer_close(&t->run);
        free(t);
    }
}
