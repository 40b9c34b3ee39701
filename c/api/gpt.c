/* gpt.c - fulfils gpt.h with the layers below: checks every argument, keeps the last error.
 *
 * The contract speaks of float, so the double-precision build of the tests leaves this file out. */
#include "api/handles.h"

#ifndef GPT_REAL_DOUBLE

#include <stdlib.h>
#include <string.h>

#include "base/numeric.h"
#include "base/text_buffer.h"
#include "text/bpe_files.h"

// 4 GB less what the module itself, its stack and the caller's buffers need.
static const uint64_t DEFAULT_MEMORY_LIMIT = ((uint64_t)1 << 32) - (1u << 26);

// More text than this leaves a module of 4 GB little room beside its tokens.
static const size_t TEXT_BYTES_MAX = (size_t)512 << 20;

/* ---- Recipe ---------------------------------------------------------------------------------- */

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
        bpe_source_close(&c->source);
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

int gpt_config_check(gpt_config *c) {
    return c ? config_check(&c->options, &c->error) : GPT_E_ARGUMENT;
}

static int error_json(const gpt_error *error, char *out, size_t capacity) {
    if (!out || !capacity) {
        return GPT_E_CAPACITY;
    }
    size_t length = gpt_error_json(error, out, capacity);
    return length < capacity ? (int)length : GPT_E_CAPACITY;
}

int gpt_config_error(const gpt_config *c, char *out, size_t capacity) {
    return c ? error_json(&c->error, out, capacity) : GPT_E_ARGUMENT;
}

static int error_message(const gpt_error *error, char *out, size_t capacity) {
    if (!out || !capacity) {
        return GPT_E_CAPACITY;
    }
    size_t length = gpt_error_message(error, out, capacity);
    return length < capacity ? (int)length : GPT_E_CAPACITY;
}

int gpt_config_message(const gpt_config *c, char *out, size_t capacity) {
    return c ? error_message(&c->error, out, capacity) : GPT_E_ARGUMENT;
}

int gpt_trainer_message(const gpt_trainer *t, char *out, size_t capacity) {
    return t ? error_message(&t->error, out, capacity) : GPT_E_ARGUMENT;
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
    return index >= 0 && index < OPT_COUNT && CONFIG_ROWS[index].live;
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
        bpe_source_close(&c->source);
        return GPT_OK;
    }
    if (!vocab_json || (!merges && merges_bytes) || (!added && added_bytes)) {
        const char *missing = !vocab_json               ? "vocab_json"
                              : !merges && merges_bytes ? "merges"
                                                        : "added";
        return gpt_fail(&c->error, GPT_E_ARGUMENT, missing, 0, 0, 0);
    }
    bpe_texts from = {vocab_json, vocab_bytes, merges, merges_bytes, added, added_bytes};
    return bpe_source_give(&c->source, &from, &c->error);
}

int handle_check_text(const char *text, size_t bytes, gpt_error *error) {
    if (!text && bytes) {
        return gpt_fail(error, GPT_E_ARGUMENT, "text", 0, 0, 0);
    }
    if (bytes > TEXT_BYTES_MAX) {
        return gpt_fail(error, GPT_E_TEXT_SIZE, "text", (double)bytes, (double)TEXT_BYTES_MAX, 0);
    }
    return bytes ? GPT_OK : gpt_fail(error, GPT_E_EMPTY, "text", 0, 0, 0);
}

/* Measures a run without taking its memory; the caller closes `t`. */
static int measure(gpt_config *c, const trainer_source *from, trainer *t, uint64_t *total) {
    memset(t, 0, sizeof *t);
    int status = trainer_measure(t, from, &c->error);
    if (status < 0) {
        return status;
    }
    *total = t->persist.peak + t->step_memory.peak + sampler_measure(&t->net);
    // The caller's copy of the text lies in the same memory until the trainer stands.
    double needed = (double)*total + (double)from->bytes;
    return needed > (double)c->memory_limit
               ? gpt_fail(&c->error, GPT_E_MEMORY, "", needed, (double)c->memory_limit, 0)
               : GPT_OK;
}

static void put_field(text_buffer *out, const char *name, double value) {
    text_put(out, out->length > 1 ? "," : "");
    text_put_json_string(out, name);
    text_put(out, ":");
    text_put_json_number(out, value);
}

/* Tokens to train on; a held-out share of documents is known only once they are shuffled: NaN. */
static double train_tokens(const dataset *d) {
    bool unknown = d->documents && d->train_documents < d->document_count;
    return unknown ? __builtin_nan("") : (double)d->train_tokens;
}

int handle_plan_json(gpt_config *c, const trainer_source *from, char *out, size_t capacity) {
    trainer t;
    uint64_t total = 0;
    int status = measure(c, from, &t, &total);
    if (status == GPT_OK) {
        const dataset *d = &t.data;
        double used = train_tokens(d);
        int T = config_int(&c->options, OPT_CONTEXT), B = config_int(&c->options, OPT_BATCH);
        text_buffer buffer = text_begin(out, capacity);
        text_put(&buffer, "{");
        put_field(&buffer, "vocab", d->words.vocab);
        put_field(&buffer, "merges", d->words.table.merges);
        put_field(&buffer, "tokens", (double)d->token_count);
        put_field(&buffer, "train_tokens", used);
        put_field(&buffer, "validation_tokens", (double)d->token_count - used);
        put_field(&buffer, "documents", (double)d->document_count);
        put_field(&buffer, "train_documents", (double)d->train_documents);
        put_field(&buffer, "validation_sequences", (double)dataset_held_out(d));
        put_field(&buffer, "cut_documents", (double)d->cut_documents);
        put_field(&buffer, "cut_tokens", (double)d->cut_tokens);
        put_field(&buffer, "invalid_bytes", (double)d->invalid_bytes);
        put_field(&buffer, "parameters", (double)t.net.weights);
        put_field(&buffer, "random_loss", num_log(d->words.vocab));
        put_field(&buffer, "persist_bytes", (double)t.persist.peak);
        put_field(&buffer, "step_bytes", (double)t.step_memory.peak);
        put_field(&buffer, "text_bytes", (double)from->bytes);
        put_field(&buffer, "total_bytes", (double)total);
        put_field(&buffer, "limit_bytes", (double)c->memory_limit);
        put_field(&buffer, "tokens_per_step", (double)B * T);
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
    trainer_source from = {&c->options, text, bytes, NULL, &c->source, false};
    int status = handle_check_text(text, bytes, &c->error);
    return status < 0 ? status : handle_plan_json(c, &from, out, capacity);
}

/* ---- Training -------------------------------------------------------------------------------- */

gpt_trainer *handle_trainer(gpt_config *c, const trainer_source *from) {
    trainer measured;
    uint64_t total = 0;
    int status = measure(c, from, &measured, &total);
    trainer_close(&measured);
    gpt_trainer *t = status == GPT_OK ? calloc(1, sizeof *t) : NULL;
    if (status == GPT_OK && !t) {
        status = gpt_fail(&c->error, GPT_E_ALLOCATION, "", sizeof *t, 0, 0);
    }
    if (t) {
        t->voice = &t->voices[0];
    }
    status = status < 0 ? status : trainer_open(&t->run, from, &c->error);
    status = status < 0 ? status
                        : sampler_open(&t->voices[0], &t->run.net, &t->run.data.words, &t->run.work,
                                       &c->error);
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
    trainer_source from = {&c->options, text, bytes, NULL, &c->source, false};
    return handle_trainer(c, &from);
}

void gpt_trainer_free(gpt_trainer *t) {
    if (t) {
        probe_close(&t->glass);
        sampler_close(&t->voices[0]);
        sampler_close(&t->voices[1]);
        trainer_close(&t->run);
        free(t);
    }
}

int gpt_step(gpt_trainer *t) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    t->has_closing = false;
    return trainer_step(&t->run, &t->error);
}

double gpt_loss(const gpt_trainer *t) {
    return t ? t->run.loss : __builtin_nan("");
}

const float *gpt_losses(const gpt_trainer *t) {
    return t ? t->run.losses : NULL;
}

double gpt_learning_rate(const gpt_trainer *t) {
    return t ? t->run.rate : __builtin_nan("");
}

double gpt_gradient_norm(const gpt_trainer *t) {
    return t ? t->run.gradient_norm : __builtin_nan("");
}

double gpt_validate(gpt_trainer *t, int windows) {
    return t ? trainer_validate(&t->run, windows) : __builtin_nan("");
}

int gpt_held_out_text(const gpt_trainer *t, char *out, size_t capacity) {
    if (!t || (!out && capacity)) {
        return GPT_E_ARGUMENT;
    }
    size_t most = capacity < TEXT_BYTES_MAX ? capacity : TEXT_BYTES_MAX; // the count is an int
    return (int)dataset_held_out_text(&t->run.data, (unsigned char *)out, most);
}

int gpt_rewind(gpt_trainer *t) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    t->has_closing = false;
    int status = trainer_rewind(&t->run, &t->error);
    for (int i = 0; i < 2 && status == GPT_OK; i++) {
        t->voices[i].begun = false;
    }
    return status;
}

int gpt_trainer_set(gpt_trainer *t, const char *option, double value) {
    return t ? trainer_set(&t->run, option, value, &t->error) : GPT_E_ARGUMENT;
}

double gpt_trainer_get(const gpt_trainer *t, const char *name) {
    if (!t || !name) {
        return __builtin_nan("");
    }
    const trainer *run = &t->run;
    const struct {
        const char *name;
        double value;
    } facts[] = {
        {"step", (double)run->step},
        {"lr_now", run->rate},
        {"grad_norm", run->gradient_norm},
        {"vocab", run->data.words.vocab},
        {"parameters", (double)run->net.weights},
        {"documents", (double)run->data.document_count},
        {"train_tokens", train_tokens(&run->data)},
        {"validation_tokens", (double)run->data.token_count - train_tokens(&run->data)},
        {"tokens_seen", (double)run->tokens_seen},
        {"memory_bytes",
         (double)(run->persist.capacity + run->step_memory.capacity + t->voices[0].memory.capacity +
                  t->voices[1].memory.capacity + t->glass.memory.capacity)},
        {"memory_peak",
         (double)(run->persist.peak + run->step_memory.peak + t->voices[0].memory.peak +
                  t->voices[1].memory.peak + t->glass.memory.peak)},
        {"bos", run->data.words.bos},
        {"cut_documents", (double)run->data.cut_documents},
        {"cut_tokens", (double)run->data.cut_tokens},
        {"loss_count", (double)run->loss_count},
        {"loss_stride", (double)run->loss_stride},
        {"generates_only", run->frozen},
        {"merges", run->data.words.table.merges},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (strcmp(name, facts[i].name) == 0) {
            return facts[i].value;
        }
    }
    if (strcmp(name, "train_tokens_per_character") == 0) {
        return dataset_tokens_per_character(&run->data, false);
    }
    if (strcmp(name, "validation_tokens_per_character") == 0) {
        return dataset_tokens_per_character(&run->data, true);
    }
    int option = config_find(name);
    return option >= 0 ? run->net.options.value[option] : __builtin_nan("");
}

int gpt_trainer_error(const gpt_trainer *t, char *out, size_t capacity) {
    return t ? error_json(&t->error, out, capacity) : GPT_E_ARGUMENT;
}

/* ---- Sampling -------------------------------------------------------------------------------- */

int gpt_sample_voice(gpt_trainer *t, int voice) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (voice != 0 && voice != 1) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "voice", 0, 0, 0);
    }
    sampler *chosen = &t->voices[voice];
    if (!chosen->net) {
        int status = sampler_open(chosen, &t->run.net, &t->run.data.words, &t->run.work, &t->error);
        if (status < 0) {
            sampler_close(chosen);
            return status;
        }
    }
    t->voice = chosen;
    return GPT_OK;
}

int gpt_sample_release(gpt_trainer *t) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    t->voice = &t->voices[0];
    sampler_close(&t->voices[1]);
    return GPT_OK;
}

static const struct {
    const char *name;
    double lowest, highest;
} SAMPLING[] = {{"temperature", 0, 100},
                {"top_k", 0, 65536},
                {"top_p", 1e-6, 1},
                {"max_tokens", 1, SAMPLE_BYTES_MAX},
                {"seed", 0, CONFIG_WHOLE_MAX}};

double gpt_sampling_limit(const char *name, int highest) {
    for (size_t i = 0; name && i < sizeof SAMPLING / sizeof *SAMPLING; i++) {
        if (strcmp(name, SAMPLING[i].name) == 0) {
            return highest ? SAMPLING[i].highest : SAMPLING[i].lowest;
        }
    }
    return __builtin_nan("");
}

/* GPT_E_RANGE for a value beyond its limits, and for one that is no number. */
static int check_limit(gpt_trainer *t, const char *name, double value) {
    double low = gpt_sampling_limit(name, 0), high = gpt_sampling_limit(name, 1);
    return value >= low && value <= high ? GPT_OK
                                         : gpt_fail(&t->error, GPT_E_RANGE, name, value, low, high);
}

int gpt_sample_begin(gpt_trainer *t, const char *prompt, size_t prompt_bytes, double temperature,
                     int top_k, double top_p, double seed) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (!prompt && prompt_bytes) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "prompt", 0, 0, 0);
    }
    int status = check_limit(t, "temperature", temperature);
    status = status < 0 ? status : check_limit(t, "top_k", top_k);
    status = status < 0 ? status : check_limit(t, "top_p", top_p);
    status = status < 0 || seed < 0 ? status : check_limit(t, "seed", seed);
    if (status < 0) {
        return status;
    }
    sample_options options = {(float)temperature, top_k, (float)top_p};
    // The smallest temperatures would overflow 1/temperature: they are greedy in all but name.
    if (options.temperature < 1e-6f) {
        options.temperature = 0.0f;
    }
    if (seed < 0 && !t->has_closing) {
        t->closing = t->run.stream; // a copy: what is drawn from it changes no later training loss
        t->has_closing = true;
    }
    return sampler_begin(t->voice, prompt, prompt_bytes, options, seed < 0 ? &t->closing : NULL,
                         seed < 0 ? 0 : (uint64_t)seed, &t->error);
}

int gpt_sample_next(gpt_trainer *t) {
    return t ? sampler_next(t->voice, &t->error) : GPT_E_ARGUMENT;
}

int gpt_sample_take(gpt_trainer *t, int id) {
    return t ? sampler_take(t->voice, id, &t->error) : GPT_E_ARGUMENT;
}

double gpt_sample_uniform(const gpt_trainer *t) {
    return t && t->voice->begun ? t->voice->uniform : __builtin_nan("");
}

int gpt_sample_skip(gpt_trainer *t, int draws) {
    return t ? sampler_skip(t->voice, draws, &t->error) : GPT_E_ARGUMENT;
}

int gpt_sample_reread(gpt_trainer *t) {
    return t ? sampler_reread(t->voice, &t->error) : GPT_E_ARGUMENT;
}

int gpt_sample_rows(const gpt_trainer *t) {
    return t ? t->voice->cache.length : GPT_E_ARGUMENT;
}

const int32_t *gpt_sample_context(const gpt_trainer *t) {
    return t && t->voice->begun ? t->voice->window : NULL;
}

int gpt_sample_ended(const gpt_trainer *t) {
    return t ? (int)t->voice->ended : GPT_E_ARGUMENT;
}

int gpt_sample_text(gpt_trainer *t, char *out, size_t capacity) {
    if (!t || !out) {
        return gpt_fail(t ? &t->error : NULL, GPT_E_ARGUMENT, "out", 0, 0, 0);
    }
    return sampler_text(t->voice, out, capacity, &t->error);
}

int gpt_sample_bytes(gpt_trainer *t, char *out, size_t capacity) {
    if (!t || !out) {
        return gpt_fail(t ? &t->error : NULL, GPT_E_ARGUMENT, "out", 0, 0, 0);
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put_bytes(&buffer, (const char *)t->voice->bytes, t->voice->byte_count);
    return text_answer(&buffer, &t->error);
}

const float *gpt_sample_probabilities(gpt_trainer *t, int adjusted) {
    if (!t || !t->voice->begun) {
        return NULL;
    }
    return adjusted ? t->voice->distribution : t->voice->probabilities;
}

int gpt_sample_refills(const gpt_trainer *t) {
    return t ? t->voice->refills : GPT_E_ARGUMENT;
}

int gpt_sample(gpt_trainer *t, const char *prompt, size_t prompt_bytes, int max_tokens,
               double temperature, int top_k, double top_p, double seed, char *out,
               size_t capacity) {
    int status = gpt_sample_begin(t, prompt, prompt_bytes, temperature, top_k, top_p, seed);
    for (int i = 0; status >= 0 && i < max_tokens && !t->voice->ended; i++) {
        status = gpt_sample_next(t);
    }
    return status < 0 ? status : gpt_sample_text(t, out, capacity);
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* Where the next id goes; those that do not fit are counted. */
typedef struct id_writer {
    int32_t *ids;
    size_t capacity, count;
} id_writer;

static void write_id(void *taker, int id) {
    id_writer *w = taker;
    if (w->ids && w->count < w->capacity) {
        w->ids[w->count] = id;
    }
    w->count++;
}

int gpt_encode(gpt_trainer *t, const char *text, size_t bytes, int32_t *ids, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if ((!text && bytes) || bytes > TEXT_BYTES_MAX) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "text", 0, 0, 0);
    }
    id_writer w = {ids, capacity, 0};
    int status = tokenizer_encode(&t->run.data.words, text, bytes, write_id, &w, &t->error);
    if (status < 0) {
        return status;
    }
    return w.count <= capacity
               ? (int)w.count
               : gpt_fail(&t->error, GPT_E_CAPACITY, "ids", (double)w.count, (double)capacity, 0);
}

int gpt_token_bytes(gpt_trainer *t, int id, char *out, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (id < 0 || id >= t->run.data.words.vocab) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "id", 0, 0, 0);
    }
    unsigned char bytes[TOKEN_BYTES_MAX];
    int count = tokenizer_bytes(&t->run.data.words, id, bytes);
    if (!out || (size_t)count > capacity) {
        return gpt_fail(&t->error, GPT_E_CAPACITY, "out", count, (double)capacity, 0);
    }
    memcpy(out, bytes, (size_t)count);
    return count;
}

/* The BPE of a trainer, or NULL when it has another tokenizer. */
static const bpe *table_of(const gpt_trainer *t) {
    return t && t->run.data.words.kind == TOKENIZER_BPE ? &t->run.data.words.table : NULL;
}

int gpt_merges_json(gpt_trainer *t, int first, int count, char *out, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (first < 0 || count < 0) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, first < 0 ? "first" : "count", 0, 0, 0);
    }
    const bpe *table = table_of(t);
    int merges = table ? table->merges : 0;
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "[");
    for (int i = 0; i < count && i < merges - first; i++) {
        int rank = first + i;
        const double row[4] = {table->left[rank], table->right[rank], table->made[rank],
                               table->count[rank]};
        for (int j = 0; j < 4; j++) {
            text_put(&buffer, j ? "," : i ? ",[" : "[");
            text_put_number(&buffer, row[j]);
        }
        text_put(&buffer, "]");
    }
    text_put(&buffer, "]");
    return text_answer(&buffer, &t->error);
}

int gpt_bpe_vocab_json(gpt_trainer *t, char *out, size_t capacity) {
    const bpe *table = table_of(t);
    if (!table) {
        return t ? gpt_fail(&t->error, GPT_E_STATE, "tokenizer", 0, 0, 0) : GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    bpe_write_vocab(table, t->run.data.words.bos, &buffer);
    return text_answer(&buffer, &t->error);
}

int gpt_bpe_merges_text(gpt_trainer *t, char *out, size_t capacity) {
    const bpe *table = table_of(t);
    if (!table) {
        return t ? gpt_fail(&t->error, GPT_E_STATE, "tokenizer", 0, 0, 0) : GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    bpe_write_merges(table, &buffer);
    return text_answer(&buffer, &t->error);
}

/* ---- Looking inside -------------------------------------------------------------------------- */

int gpt_probe(gpt_trainer *t, const char *text, size_t bytes, int gradients) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (!text && bytes) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "text", 0, 0, 0);
    }
    if (gradients && t->run.frozen) {
        return gpt_fail(&t->error, GPT_E_NO_TEXT, "", 0, 0, 0);
    }
    return probe_run(&t->glass, &t->run.net, &t->run.data.words, text, bytes, gradients != 0,
                     &t->error);
}

int gpt_probe_ids(gpt_trainer *t, const int32_t *ids, int count, int gradients) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (!ids && count > 0) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "ids", 0, 0, 0);
    }
    if (gradients && t->run.frozen) {
        return gpt_fail(&t->error, GPT_E_NO_TEXT, "", 0, 0, 0);
    }
    return probe_run_ids(&t->glass, &t->run.net, ids, count, gradients != 0, &t->error);
}

const int32_t *gpt_probe_tokens(gpt_trainer *t) {
    return t ? t->glass.ids : NULL;
}

int gpt_probe_json(gpt_trainer *t, char *out, size_t capacity) {
    return t ? probe_json(&t->glass, out, capacity, &t->error) : GPT_E_ARGUMENT;
}

const float *gpt_probe_data(gpt_trainer *t, int index) {
    const tensor *value = t && index >= 0 ? probe_at(&t->glass, index).value : NULL;
    return value ? value->data : NULL;
}

const float *gpt_probe_grad(gpt_trainer *t, int index) {
    const tensor *value = t && index >= 0 ? probe_at(&t->glass, index).value : NULL;
    return value ? value->grad : NULL;
}

const float *gpt_parameter_data(gpt_trainer *t, int index) {
    return t && index >= 0 && index < t->run.net.count ? t->run.net.params[index].value.data : NULL;
}

const float *gpt_parameter_grad(gpt_trainer *t, int index) {
    return t && index >= 0 && index < t->run.net.count ? t->run.net.params[index].value.grad : NULL;
}

int gpt_parameters_json(gpt_trainer *t, char *out, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "[");
    for (int i = 0; i < t->run.net.count; i++) {
        const param *p = &t->run.net.params[i];
        text_put(&buffer, i ? ",{\"name\":" : "{\"name\":");
        text_put_json_string(&buffer, p->name);
        text_put(&buffer, ",\"shape\":[");
        for (int d = 0; d < p->value.dims; d++) {
            text_put(&buffer, d ? "," : "");
            text_put_number(&buffer, p->value.shape[d]);
        }
        text_put(&buffer, p->decays ? "],\"decay\":true}" : "],\"decay\":false}");
    }
    text_put(&buffer, "]");
    return text_answer(&buffer, &t->error);
}

#endif
