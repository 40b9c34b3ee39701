/* checkpoint.c - see checkpoint.h. The contract speaks of float: no double-precision build. */
#include "io/checkpoint.h"

#ifndef GPT_REAL_DOUBLE

#include <stdlib.h>
#include <string.h>

#include "base/numeric.h"
#include "base/text.h"

static const char KEY_CONFIG[] = "glasshouse.config";
static const char KEY_TOKENIZER[] = "glasshouse.tokenizer";
static const char KEY_STATE[] = "glasshouse.state";
static const char KEY_NOTE[] = "glasshouse.note";

static const char *const MOMENT_PREFIX[2] = {"adam.m.", "adam.v."};

/* ---- Reading the metadata -------------------------------------------------------------------------- */

static int fail_metadata(gpt_error *error, const char *key) {
    return gpt_fail(error, GPT_E_FILE, key, 0, 0, 0);
}

/* The text under `key`, unescaped; *text stays NULL when there is none. */
static int copy_metadata(const char *header, size_t length, const char *key, char **text,
                         size_t *bytes, gpt_error *error) {
    json_reader value;
    *text = NULL;
    *bytes = 0;
    if (!safetensors_metadata(header, length, key, &value)) {
        return GPT_OK;
    }
    *text = malloc(value.size + 1); // unescaping never lengthens
    if (!*text) {
        return gpt_fail(error, GPT_E_ALLOCATION, "", (double)value.size, 0, 0);
    }
    *bytes = json_string(&value, *text, value.size);
    return GPT_OK;
}

/* A whole number from digits, decimal or hexadecimal; false on anything else. */
static bool read_digits(const json_reader *r, uint64_t base, uint64_t *value) {
    if (r->type != JSON_STRING || !r->size || r->size > 20) {
        return false;
    }
    *value = 0;
    for (size_t i = 0; i < r->size; i++) {
        int c = (unsigned char)r->start[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                           : 99;
        if ((uint64_t)digit >= base || *value > (UINT64_MAX - (uint64_t)digit) / base) {
            return false;
        }
        *value = *value * base + (uint64_t)digit;
    }
    return true;
}

static bool read_count(const json_reader *r, uint64_t *value) {
    double number = r->type == JSON_NUMBER ? json_number(r) : -1.0;
    if (!(number >= 0 && number <= CONFIG_WHOLE_MAX) || number != (double)(uint64_t)number) {
        return false;
    }
    *value = (uint64_t)number;
    return true;
}

/* The name of an option that the reader stands on, or "" when it is too long for one. */
static void read_option_name(const json_reader *r, char name[32]) {
    size_t length = json_string(r, name, 31);
    name[length < 32 ? length : 0] = 0;
}

/* {"layers":2,...}: options that the file lacks keep the first preset's value. */
static int read_config(config *c, const char *text, size_t bytes, gpt_error *error) {
    int status = config_from_preset(c, CONFIG_PRESETS[0], error);
    json_reader r = json_open(text, bytes);
    if (json_next(&r) != JSON_OBJECT_START) {
        return fail_metadata(error, KEY_CONFIG);
    }
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        char name[32];
        read_option_name(&r, name);
        status = json_next(&r) == JSON_NUMBER ? config_set(c, name, json_number(&r), error)
                                              : fail_metadata(error, KEY_CONFIG);
    }
    return status < 0 || r.type == JSON_OBJECT_END ? status : fail_metadata(error, KEY_CONFIG);
}

/* {"codes":[97,98,...]}, rising; other members are for later versions. */
static int read_codes(file_facts *facts, const char *text, size_t bytes, gpt_error *error) {
    json_reader r = json_open(text, bytes);
    if (json_next(&r) != JSON_OBJECT_START) {
        return fail_metadata(error, KEY_TOKENIZER);
    }
    while (json_next(&r) == JSON_KEY) {
        if (!json_is(&r, "codes") || facts->codes) {
            if (!json_skip(&r)) {
                break;
            }
            continue;
        }
        size_t room = bytes / 2 < VOCABULARY_MAX ? bytes / 2 : VOCABULARY_MAX;
        facts->codes = calloc(room + 1, sizeof *facts->codes);
        if (!facts->codes) {
            return gpt_fail(error, GPT_E_ALLOCATION, "", (double)room * 4, 0, 0);
        }
        (void)json_next(&r);
        while (r.type != JSON_ERROR && json_next(&r) == JSON_NUMBER) {
            uint64_t code;
            int at = facts->code_count;
            if ((size_t)at + 1 > room || at + 1 >= VOCABULARY_MAX || !read_count(&r, &code) ||
                code >= UTF8_CODE_POINTS || (at && code <= facts->codes[at - 1])) {
                return fail_metadata(error, KEY_TOKENIZER);
            }
            facts->codes[facts->code_count++] = (uint32_t)code;
        }
        if (r.type != JSON_ARRAY_END) {
            break;
        }
        facts->has_codes = true;
    }
    return r.type == JSON_OBJECT_END ? GPT_OK : fail_metadata(error, KEY_TOKENIZER);
}

/* {"lr":"3F50624DD2F1A9FC",...}: the bits of options whose decimal text is not exact. They count only
 * while they are what that text rounds: whoever edits the text wins. */
static bool read_exact(config *c, json_reader *r) {
    if (r->type != JSON_OBJECT_START) {
        return false;
    }
    while (json_next(r) == JSON_KEY) {
        char name[32];
        uint64_t bits;
        read_option_name(r, name);
        (void)json_next(r);
        int option = config_find(name);
        if (option < 0 || !read_digits(r, 16, &bits)) {
            return false;
        }
        double value, text = c->value[option];
        memcpy(&value, &bits, sizeof value);
        double apart = value > text ? value - text : text - value;
        if (apart <= 1e-8 * (text < 0 ? -text : text)) { // false for NaN
            (void)config_set(c, name, value, NULL);
        }
    }
    return r->type == JSON_OBJECT_END;
}

/* {"step":10,"tokens_seen":320,"rng":"1601...","cursor":10,"text_hash":"CBF2...","text_bytes":9,
 * "loss_stride":1,"imported":false,"exact":{}}: members that are missing stay zero, unknown ones are
 * for later versions. */
static int read_state(run_facts *run, config *c, const char *text, size_t bytes, gpt_error *error) {
    json_reader r = json_open(text, bytes);
    bool good = json_next(&r) == JSON_OBJECT_START;
    const struct {
        const char *key;
        uint64_t *value;
    } counts[] = {{"step", &run->step},
                  {"tokens_seen", &run->tokens_seen},
                  {"cursor", &run->cursor},
                  {"text_bytes", &run->text_bytes},
                  {"loss_stride", &run->loss_stride}};
    enum { COUNTS = sizeof counts / sizeof *counts };
    while (good && json_next(&r) == JSON_KEY) {
        size_t i = 0;
        while (i < COUNTS && !json_is(&r, counts[i].key)) {
            i++;
        }
        bool rng_key = json_is(&r, "rng"), hash_key = json_is(&r, "text_hash");
        bool exact_key = json_is(&r, "exact"), imported_key = json_is(&r, "imported");
        if (i == COUNTS && !rng_key && !hash_key && !exact_key && !imported_key) {
            good = json_skip(&r);
            continue;
        }
        (void)json_next(&r);
        if (i < COUNTS) {
            good = read_count(&r, counts[i].value);
        } else if (rng_key) {
            good = read_digits(&r, 10, &run->rng);
        } else if (hash_key) {
            good = run->has_text = read_digits(&r, 16, &run->text_hash);
        } else if (imported_key) {
            run->imported = r.type == JSON_TRUE;
        } else {
            good = read_exact(c, &r);
        }
    }
    return good && r.type == JSON_OBJECT_END ? GPT_OK : fail_metadata(error, KEY_STATE);
}

int checkpoint_read(file_facts *facts, config *c, const char *header, size_t length,
                    gpt_error *error) {
    memset(facts, 0, sizeof *facts);
    char *text = NULL;
    size_t bytes;
    config read = *c;
    int status = copy_metadata(header, length, KEY_CONFIG, &text, &bytes, error);
    if (status < 0 || !text) {
        return status;
    }
    facts->ours = true;
    status = read_config(&read, text, bytes, error);
    free(text);
    text = NULL;
    status = status < 0 ? status
                        : copy_metadata(header, length, KEY_TOKENIZER, &text, &bytes, error);
    status = status < 0 || !text ? status : read_codes(facts, text, bytes, error);
    free(text);
    text = NULL;
    status = status < 0 ? status : copy_metadata(header, length, KEY_STATE, &text, &bytes, error);
    status = status < 0 || !text ? status : read_state(&facts->run, &read, text, bytes, error);
    free(text);
    status = status < 0
                 ? status
                 : copy_metadata(header, length, KEY_NOTE, &facts->note, &facts->note_bytes, error);
    status = status < 0 ? status : config_check(&read, error);
    if (status < 0) {
        checkpoint_facts_close(facts);
        return status;
    }
    *c = read;
    return GPT_OK;
}

void checkpoint_facts_close(file_facts *facts) {
    free(facts->codes);
    free(facts->note);
    memset(facts, 0, sizeof *facts);
}

/* ---- Binding --------------------------------------------------------------------------------------- */

/* `name` with or without the prefix that GPT2LMHeadModel puts before all but its head. */
static file_tensor *find_weight(const tensor_file *f, const char *name) {
    file_tensor *t = tensor_file_find(f, "", name);
    return t ? t : tensor_file_find(f, "transformer.", name);
}

bool checkpoint_resumable(const tensor_file *f, const file_facts *facts) {
    bool moments = tensor_file_find(f, MOMENT_PREFIX[0], "wte.weight") != NULL;
    return facts->ours && facts->run.rng && facts->run.has_text && (moments || !facts->run.step);
}

/* The causal mask that older files carry in every layer: "h.0.attn.bias", "h.0.attn.masked_bias". */
static bool is_mask(const char *name) {
    static const char prefix[] = "transformer.";
    name += strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    if (strncmp(name, "h.", 2) != 0) {
        return false;
    }
    name += 2 + strspn(name + 2, "0123456789");
    return strcmp(name, ".attn.bias") == 0 || strcmp(name, ".attn.masked_bias") == 0;
}

/* Could be a weight of some model: in our own files everything else is for other readers. */
static bool is_weight(const char *name) {
    static const char *const beginnings[] = {"transformer.", "h.",  "wte.",
                                             "wpe.",         "ln_", "lm_head."};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) {
            return true;
        }
    }
    return false;
}

static int bind_weight(tensor_file *f, const param *p, bool exact, bool crop, gpt_error *error) {
    file_tensor *t = find_weight(f, p->name);
    if (!t) {
        return gpt_fail(error, GPT_E_TENSOR_MISSING, p->name, 0, 0, 0);
    }
    bool matrix = p->value.dims == 2;
    return tensor_file_bind(t, exact ? INTO_FLOAT_EXACT : INTO_FLOAT, p->value.data,
                            matrix ? (uint64_t)p->value.shape[0] : 0,
                            (uint64_t)p->value.shape[matrix], crop, error);
}

static int bind_moments(tensor_file *f, const param *p, gpt_error *error) {
    real *into[2] = {p->moment1, p->moment2};
    int status = GPT_OK;
    for (int i = 0; i < 2 && status == GPT_OK; i++) {
        file_tensor *t = tensor_file_find(f, MOMENT_PREFIX[i], p->name);
        bool matrix = p->value.dims == 2;
        if (!t) {
            char name[96];
            text_buffer buffer = text_begin(name, sizeof name);
            text_put(&buffer, MOMENT_PREFIX[i]);
            text_put(&buffer, p->name);
            text_end(&buffer);
            return gpt_fail(error, GPT_E_TENSOR_MISSING, name, 0, 0, 0);
        }
        status = tensor_file_bind(t, INTO_FLOAT_EXACT, into[i],
                                  matrix ? (uint64_t)p->value.shape[0] : 0,
                                  (uint64_t)p->value.shape[matrix], false, error);
    }
    return status;
}

/* A tied head that is in the file all the same must be the token table: whichever of the two comes
 * first is read, the other is compared with it. */
static int bind_tied_head(tensor_file *f, const model *net, gpt_error *error) {
    file_tensor *head = tensor_file_find(f, "", "lm_head.weight");
    file_tensor *table = find_weight(f, "wte.weight");
    if (!head || !config_bool(&net->options, OPT_TIED_HEAD)) {
        return GPT_OK;
    }
    const tensor *value = net->token_table;
    int status = tensor_file_bind(head, INTO_FLOAT, value->data, (uint64_t)value->shape[0],
                                  (uint64_t)value->shape[1], false, error);
    head->compare = head->begin > table->begin;
    table->compare = !head->compare;
    return status;
}

/* What only a run that goes on needs. */
static int bind_run(tensor_file *f, const file_facts *facts, run_parts *into, gpt_error *error) {
    const run_facts *run = &facts->run;
    int status = GPT_OK;
    for (int i = 0; i < into->net->count && status == GPT_OK && run->step; i++) {
        status = bind_moments(f, &into->net->params[i], error);
    }
    file_tensor *losses = tensor_file_find(f, "", "run.losses");
    file_tensor *order = tensor_file_find(f, "", "run.order");
    file_tensor *last = tensor_file_find(f, "", "run.last");
    uint64_t room = into->loss_count, stride = losses ? run->loss_stride : 1;
    while (stride && !losses && run->step / stride >= room) {
        stride *= 2;
    }
    uint64_t expected = stride ? run->step / stride + (run->step % stride != 0) : 0;
    if (!stride || expected > room) {
        return gpt_fail(error, GPT_E_FILE, "run.losses", 0, 0, 0);
    }
    into->loss_count = expected;
    into->facts.loss_stride = stride;
    if (status == GPT_OK && losses) {
        status = tensor_file_bind(losses, INTO_FLOAT_EXACT, into->losses, 0, expected, false,
                                  error);
    } else if (!losses) {
        for (uint64_t i = 0; i < expected; i++) {
            into->losses[i] = __builtin_nanf("");
        }
    }
    if (status == GPT_OK && order) {
        status = tensor_file_bind(order, INTO_INT, into->order, 0, into->order_count, false, error);
    }
    if (status == GPT_OK && last) {
        status = tensor_file_bind(last, INTO_DOUBLE, into->last, 0, 3, false, error);
    }
    return status;
}

int checkpoint_bind(tensor_file *f, const file_facts *facts, run_parts *into, bool resume,
                    gpt_error *error) {
    const model *net = into->net;
    int status = GPT_OK;
    for (size_t i = 0; i < f->count; i++) {
        f->tensors[i].known = f->tensors[i].compare = false;
        f->tensors[i].kind = INTO_NOTHING;
    }
    for (int i = 0; i < net->count && status == GPT_OK; i++) {
        // Positions beyond a smaller context are never reached: the table may be longer in the file.
        bool crop = &net->params[i].value == net->position_table && !resume;
        status = bind_weight(f, &net->params[i], resume, crop, error);
    }
    status = status < 0 ? status : bind_tied_head(f, net, error);
    status = status < 0 || !resume ? status : bind_run(f, facts, into, error);
    for (size_t i = 0; i < f->count && status == GPT_OK; i++) {
        const file_tensor *t = &f->tensors[i];
        if (!t->known && !is_mask(t->name) && (is_weight(t->name) || !facts->ours)) {
            return gpt_fail(error, GPT_E_TENSOR_EXTRA, t->name, 0, 0, 0);
        }
    }
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------------- */

static void put_member(text_buffer *out, const char *name, uint64_t value) {
    text_put_json_string(out, name);
    text_put(out, ":");
    text_put_whole(out, value);
    text_put(out, ",");
}

static void put_config(text_buffer *out, const run_parts *from) {
    text_put(out, "{");
    for (int i = 0; i < OPT_COUNT; i++) {
        text_put(out, i ? "," : "");
        text_put_json_string(out, CONFIG_ROWS[i].name);
        text_put(out, ":");
        text_put_number(out, from->net->options.value[i]);
    }
    text_put(out, "}");
}

static void put_exact(text_buffer *out, const config *c) {
    bool any = false;
    for (int i = 0; i < OPT_COUNT; i++) {
        char text[40];
        text_buffer buffer = text_begin(text, sizeof text);
        text_put_number(&buffer, c->value[i]);
        size_t length = text_end(&buffer);
        json_reader r = json_open(text, length);
        if (json_next(&r) == JSON_NUMBER && json_number(&r) == c->value[i]) {
            continue;
        }
        uint64_t bits;
        memcpy(&bits, &c->value[i], sizeof bits);
        text_put(out, any ? ",\"" : "\"");
        text_put(out, CONFIG_ROWS[i].name);
        text_put(out, "\":\"");
        text_put_hex(out, bits, 16);
        text_put(out, "\"");
        any = true;
    }
}

static void put_state(text_buffer *out, const run_parts *from) {
    const run_facts *run = &from->facts;
    text_put(out, "{");
    put_member(out, "step", run->step);
    put_member(out, "tokens_seen", run->tokens_seen);
    put_member(out, "cursor", run->cursor);
    put_member(out, "loss_stride", run->loss_stride);
    text_put(out, "\"rng\":\"");
    text_put_whole(out, run->rng);
    text_put(out, "\",");
    if (run->has_text) {
        text_put(out, "\"text_hash\":\"");
        text_put_hex(out, run->text_hash, 16);
        text_put(out, "\",");
        put_member(out, "text_bytes", run->text_bytes);
    }
    text_put(out, run->imported ? "\"imported\":true," : "\"imported\":false,");
    text_put(out, "\"exact\":{");
    put_exact(out, &from->net->options);
    text_put(out, "}}");
}

static void put_tokenizer(text_buffer *out, const tokenizer *words) {
    text_put(out, words->kind == TOKENIZER_CHAR ? "{\"codes\":[" : "{");
    for (int i = 0; i < words->symbols; i++) {
        text_put(out, i ? "," : "");
        text_put_whole(out, words->code[i]);
    }
    text_put(out, words->kind == TOKENIZER_CHAR ? "]}" : "}");
}

/* The three texts one after the other; where each begins goes into `start` (4). */
static size_t put_texts(text_buffer *out, const run_parts *from, const tokenizer *words,
                        size_t start[4]) {
    start[0] = 0;
    put_config(out, from);
    start[1] = out->length;
    put_tokenizer(out, words);
    start[2] = out->length;
    put_state(out, from);
    start[3] = out->length;
    return text_end(out);
}

static void put_source(tensor_source *s, const char *prefix, const char *name, int type,
                       uint64_t rows, uint64_t columns, const void *from) {
    text_buffer buffer = text_begin(s->name, sizeof s->name);
    text_put(&buffer, prefix);
    text_put(&buffer, name);
    text_end(&buffer);
    s->type = type;
    s->rows = rows;
    s->columns = columns;
    s->from = from;
}

static void put_param(tensor_source *s, const char *prefix, const param *p, const real *from) {
    bool matrix = p->value.dims == 2;
    put_source(s, prefix, p->name, FILE_F32, matrix ? (uint64_t)p->value.shape[0] : 0,
               (uint64_t)p->value.shape[matrix], from);
}

/* The tensors of the file; returns how many. Those of eight bytes a number come first: all are then
 * aligned. */
static size_t list_sources(tensor_source *s, const run_parts *from, checkpoint_form form) {
    size_t n = 0;
    if (form == FORM_CHECKPOINT) {
        put_source(&s[n++], "", "run.last", FILE_F64, 0, 3, from->last);
    }
    for (int i = 0; i < from->net->count; i++) {
        const param *p = &from->net->params[i];
        bool head = strncmp(p->name, "lm_head.", 8) == 0;
        put_param(&s[n++], form == FORM_TRANSFORMERS && !head ? "transformer." : "", p,
                  p->value.data);
    }
    if (form == FORM_CHECKPOINT) {
        for (int i = 0; i < from->net->count; i++) {
            const param *p = &from->net->params[i];
            put_param(&s[n++], MOMENT_PREFIX[0], p, p->moment1);
            put_param(&s[n++], MOMENT_PREFIX[1], p, p->moment2);
        }
        put_source(&s[n++], "", "run.losses", FILE_F32, 0, from->loss_count, from->losses);
        if (from->order_count) {
            put_source(&s[n++], "", "run.order", FILE_I32, 0, from->order_count, from->order);
        }
    }
    return n;
}

int checkpoint_write(safetensors_writer *w, const run_parts *from, const tokenizer *words,
                     checkpoint_form form, const char *note, size_t note_bytes, gpt_error *error) {
    memset(w, 0, sizeof *w);
    size_t start[4];
    text_buffer measuring = text_begin(NULL, 0);
    size_t length = put_texts(&measuring, from, words, start);
    char *texts = malloc(length + 1);
    tensor_source *sources = calloc(3 * (size_t)from->net->count + 3, sizeof *sources);
    if (!texts || !sources) {
        free(texts);
        free(sources);
        return gpt_fail(error, GPT_E_ALLOCATION, "", (double)length, 0, 0);
    }
    text_buffer out = text_begin(texts, length + 1);
    (void)put_texts(&out, from, words, start);
    metadata_entry metadata[] = {
        {"format", "pt", 2}, // transformers refuses files without it
        {KEY_CONFIG, texts, start[1]},
        {KEY_TOKENIZER, texts + start[1], start[2] - start[1]},
        {KEY_STATE, texts + start[2], start[3] - start[2]},
        {KEY_NOTE, note, note_bytes},
    };
    size_t entries = sizeof metadata / sizeof *metadata - (note_bytes == 0);
    size_t count = list_sources(sources, from, form);
    int status = safetensors_write_open(w, metadata, entries, sources, count, error);
    free(texts);
    return status;
}

#endif
