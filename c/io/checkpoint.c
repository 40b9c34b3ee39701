/* checkpoint.c - reads the metadata and binds the tensors. See checkpoint.h.
 *
 * Files have floats, so the test build in which `real` is double omits c/io. */
#include "io/checkpoint.h"

#include "io/checkpoint_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/numeric.h"
#include "base/text_buffer.h"
#include "io/json_values.h"
#include "io/receipt.h"

/* ---- Reading the metadata -------------------------------------------------------------------- */

static int fail_metadata(gpt_error *error, const char *key) {
    return gpt_fail_name(error, GPT_E_FILE, key);
}

/* Decodes the current string of `r` into `text` (malloc, without a NUL), which the caller frees. */
static int copy_string(const json_reader *r, char **text, size_t *bytes, gpt_error *error) {
    *text = malloc(r->size + 1); // decoding escapes never makes a text longer
    if (!*text) {
        return gpt_fail_allocation(error, r->size);
    }
    *bytes = json_string(r, *text, r->size);
    return GPT_OK;
}

/* Reads glasshouse.config: {"layers":2,...}. */
static int read_config(file_metadata *metadata, config *c, const char *text, size_t bytes,
                       gpt_error *error) {
    metadata->ours = true;
    json_reader r = json_open(text, bytes);
    (void)json_next(&r);
    return json_read_options(&r, c, NULL, KEY_CONFIG, error);
}

/* Reads the text of vocab.json or merges.txt from a JSON string. Fails if `text` is set already:
 * the member occurs twice. */
static int read_file_text(const json_reader *r, char **text, size_t *bytes, gpt_error *error) {
    return r->type == JSON_STRING && !*text ? copy_string(r, text, bytes, error)
                                            : fail_metadata(error, KEY_TOKENIZER);
}

/* Reads an array of ascending code points, [97,98,...]; the reader is at its start. `bytes`, the
 * length of the JSON around the array, limits the allocation: a code point needs at least two
 * bytes. */
static int read_codes(file_metadata *metadata, json_reader *r, size_t bytes, gpt_error *error) {
    size_t room = bytes / 2 < VOCABULARY_MAX ? bytes / 2 : VOCABULARY_MAX;
    if (metadata->codes || r->type != JSON_ARRAY_START) {
        return fail_metadata(error, KEY_TOKENIZER);
    }
    metadata->codes = calloc(room + 1, sizeof *metadata->codes);
    if (!metadata->codes) {
        return gpt_fail_allocation(error, room * 4);
    }
    while (json_next(r) == JSON_NUMBER) {
        uint64_t code;
        int at = metadata->code_count;
        if ((size_t)at + 1 > room || at + 1 >= VOCABULARY_MAX || !json_read_count(r, &code) ||
            code >= UTF8_CODE_POINTS || (at && code <= metadata->codes[at - 1])) {
            return fail_metadata(error, KEY_TOKENIZER);
        }
        metadata->codes[metadata->code_count++] = (uint32_t)code;
    }
    metadata->has_codes = r->type == JSON_ARRAY_END;
    return metadata->has_codes ? GPT_OK : fail_metadata(error, KEY_TOKENIZER);
}

/* Reads glasshouse.tokenizer: {}, {"codes":[...]} or {"vocab":"...","merges":"..."}. Skips unknown
 * members, which a later version of the engine may have written. */
static int read_tokenizer(file_metadata *metadata, config *c, const char *text, size_t bytes,
                          gpt_error *error) {
    (void)c;
    json_reader r = json_open(text, bytes);
    int status = json_next(&r) == JSON_OBJECT_START ? GPT_OK : fail_metadata(error, KEY_TOKENIZER);
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        json_reader key = r;
        (void)json_next(&r);
        if (json_is(&key, "codes")) {
            status = read_codes(metadata, &r, bytes, error);
        } else if (json_is(&key, "vocab")) {
            status = read_file_text(&r, &metadata->vocab, &metadata->vocab_bytes, error);
        } else if (json_is(&key, "merges")) {
            status = read_file_text(&r, &metadata->merges, &metadata->merges_bytes, error);
        } else if (!json_skip(&r)) {
            break;
        }
    }
    return status < 0 || r.type == JSON_OBJECT_END ? status : fail_metadata(error, KEY_TOKENIZER);
}

/* Reads `exact`, a member of glasshouse.state in older files: {"lr":"3F50624DD2F1A9FC",...}. In
 * such a file the options in glasshouse.config are rounded to nine digits, and `exact` has the bits
 * of every option that the rounding changed. If an option in glasshouse.config differs from these
 * bits by more than the rounding, somebody has edited it, and the bits are ignored. */
static bool read_exact(config *c, json_reader *r) {
    if (r->type != JSON_OBJECT_START) {
        return false;
    }
    while (json_next(r) == JSON_KEY) {
        int option = json_read_option(r);
        double value;
        (void)json_next(r);
        if (option < 0 || !json_read_exact(r, &value)) {
            return false;
        }
        double text = c->value[option];
        double apart = value > text ? value - text : text - value;
        if (apart <= 1e-8 * (text < 0 ? -text : text)) { // false if `value` is NaN
            (void)config_set(c, CONFIG_ROWS[option].name, value, NULL);
        }
    }
    return r->type == JSON_OBJECT_END;
}

/* Copies the receipt of a fork's parent, a JSON object, to `to`; the reader is at its start. */
static int read_parent(json_reader *r, run_parent *to, gpt_error *error) {
    size_t from = r->at - 1;
    if (to->json || r->type != JSON_OBJECT_START || !json_skip(r)) {
        return fail_metadata(error, KEY_STATE);
    }
    char *json = malloc(r->at - from);
    if (!json) {
        return gpt_fail_allocation(error, r->at - from);
    }
    memcpy(json, r->text + from, r->at - from);
    return receipt_adopt(to, json, r->at - from, error);
}

/* Reads glasshouse.state: {"step":10,"tokens_seen":320,"cursor":10,"loss_stride":1,"rng":"1601...",
 * "text_hash":"CBF2...","text_bytes":9,"imported":false,"changes":[],"parent":{...}}. A missing
 * cursor becomes step * batch, any other missing member 0. Skips unknown members, which a later
 * version of the engine may have written. */
static int read_state(file_metadata *metadata, config *c, const char *text, size_t bytes,
                      gpt_error *error) {
    run_state *run = &metadata->run;
    json_reader r = json_open(text, bytes);
    bool good = json_next(&r) == JSON_OBJECT_START, has_cursor = false;
    while (good && json_next(&r) == JSON_KEY) {
        json_reader key = r;
        const run_field *field = json_find_run_field(&key, IN_CHECKPOINT);
        int status = GPT_OK;
        (void)json_next(&r);
        if (field) {
            status = json_read_run_field(&r, field, run, error);
            has_cursor |= json_is(&key, "cursor");
        } else if (json_is(&key, "exact")) {
            good = read_exact(c, &r);
        } else if (json_is(&key, "parent")) {
            status = read_parent(&r, &run->parent, error);
        } else {
            good = json_skip(&r);
        }
        if (status < 0 && status != GPT_E_FILE) {
            return status;
        }
        good = good && status == GPT_OK;
        if (!good) {
            return json_fail_member(KEY_STATE, &key, error);
        }
    }
    if (!has_cursor) {
        run->cursor = run->step * (uint64_t)config_int(c, OPT_BATCH);
    }
    return good && r.type == JSON_OBJECT_END ? GPT_OK : fail_metadata(error, KEY_STATE);
}

/* Keys of the metadata and the functions that read their values, in the order of reading:
 * glasshouse.state needs the options of glasshouse.config. */
static const struct {
    const char *key;
    int (*read)(file_metadata *metadata, config *c, const char *text, size_t bytes,
                gpt_error *error);
} METADATA[] = {
    {KEY_CONFIG, read_config}, {KEY_TOKENIZER, read_tokenizer}, {KEY_STATE, read_state}};

int checkpoint_read(file_metadata *metadata, config *c, const char *header, size_t length,
                    gpt_error *error) {
    memset(metadata, 0, sizeof *metadata);
    metadata->run.loss = metadata->run.rate = metadata->run.gradient_norm = __builtin_nan("");
    config read = *c;
    json_reader value;
    int status = GPT_OK;
    for (size_t i = 0; i < sizeof METADATA / sizeof *METADATA && status == GPT_OK; i++) {
        if (safetensors_metadata(header, length, METADATA[i].key, &value)) {
            char *text;
            size_t bytes = 0;
            status = copy_string(&value, &text, &bytes, error);
            status = status < 0 ? status : METADATA[i].read(metadata, &read, text, bytes, error);
            free(text);
        }
        if (!metadata->ours) {
            return status;
        }
    }
    if (status == GPT_OK && safetensors_metadata(header, length, KEY_NOTE, &value)) {
        status = copy_string(&value, &metadata->note, &metadata->note_bytes, error);
    }
    status = status < 0 ? status : config_check(&read, error);
    if (status < 0) {
        checkpoint_metadata_close(metadata);
        return status;
    }
    metadata->run.initial = *c = read;
    changes_undo(&metadata->run.changes, &metadata->run.initial);
    return GPT_OK;
}

void checkpoint_metadata_close(file_metadata *metadata) {
    free(metadata->codes);
    free(metadata->vocab);
    free(metadata->merges);
    free(metadata->note);
    changes_close(&metadata->run.changes);
    free((char *)metadata->run.parent.json);
    memset(metadata, 0, sizeof *metadata);
}

/* ---- Binding --------------------------------------------------------------------------------- */

int checkpoint_rows(const tensor_file *f) {
    const file_tensor *table = tensor_file_find(f, "", "wte.weight");
    return table && table->shape[0] <= VOCABULARY_MAX ? (int)table->shape[0] : 0;
}

bool checkpoint_resumable(const tensor_file *f, const file_metadata *metadata) {
    bool moments = tensor_file_find(f, MOMENT_PREFIX[0], "wte.weight") != NULL;
    return metadata->ours && metadata->run.stream.state && metadata->run.text_bytes &&
           (moments || !metadata->run.step);
}

/* Returns whether a tensor's name begins as the names of weights do. In a file that this engine
 * wrote, a tensor that the model lacks is an error only if it has such a name. */
static bool is_weight(const char *name) {
    static const char *const BEGINNINGS[] = {"h.", "wte.", "wpe.", "ln_", "lm_head."};
    for (size_t i = 0; i < sizeof BEGINNINGS / sizeof *BEGINNINGS; i++) {
        if (strncmp(name, BEGINNINGS[i], strlen(BEGINNINGS[i])) == 0) {
            return true;
        }
    }
    return false;
}

static int bind_weight(tensor_file *f, const param *p, bool exact, bool crop, gpt_error *error) {
    file_tensor *t = tensor_file_find(f, "", p->name);
    if (!t) {
        return gpt_fail_name(error, GPT_E_TENSOR_MISSING, p->name);
    }
    t->finite = true;
    return tensor_file_bind(t, exact ? INTO_FLOAT_EXACT : INTO_FLOAT, p->value.data, param_rows(p),
                            param_columns(p), crop, error);
}

static int bind_moments(tensor_file *f, const param *p, gpt_error *error) {
    real *into[2] = {p->moment1, p->moment2};
    int status = GPT_OK;
    for (int i = 0; i < 2 && status == GPT_OK; i++) {
        file_tensor *t = tensor_file_find(f, MOMENT_PREFIX[i], p->name);
        if (!t) {
            char name[96];
            text_buffer buffer = text_begin(name, sizeof name);
            text_put(&buffer, MOMENT_PREFIX[i]);
            text_put(&buffer, p->name);
            text_end(&buffer);
            return gpt_fail_name(error, GPT_E_TENSOR_MISSING, name);
        }
        t->finite = true;
        status = tensor_file_bind(t, INTO_FLOAT_EXACT, into[i], param_rows(p), param_columns(p),
                                  false, error);
    }
    return status;
}

/* If the model's output head is tied to the token table but the file has a tensor for the head,
 * binds the head and the token table of the file to the same memory: the numbers of the first
 * tensor in the file are read, the numbers of the second are compared with them. */
static int bind_tied_head(tensor_file *f, const model *net, gpt_error *error) {
    file_tensor *head = tensor_file_find(f, "", "lm_head.weight");
    file_tensor *table = tensor_file_find(f, "", "wte.weight");
    if (!head || !config_bool(&net->options, OPT_TIED_HEAD)) {
        return GPT_OK;
    }
    const tensor *value = net->token_table;
    int status = tensor_file_bind(head, INTO_FLOAT, value->data, (uint64_t)value->shape[0],
                                  (uint64_t)value->shape[1], false, error);
    // The tensor that comes first in the file sets the weights, so it must be finite. That may be
    // the head; bind_weight has set `finite` of the token table.
    head->finite = true;
    head->compare = head->begin > table->begin;
    table->compare = !head->compare;
    return status;
}

/* Binds the tensor `name`, a vector of `count` numbers, to `into` if the file has such a tensor. */
static int bind_optional(tensor_file *f, const char *name, target_kind kind, void *into,
                         uint64_t count, gpt_error *error) {
    file_tensor *t = tensor_file_find(f, "", name);
    return t ? tensor_file_bind(t, kind, into, 0, count, false, error) : GPT_OK;
}

/* Binds run.losses and sets loss_count and loss_stride of the run. If the file lacks run.losses,
 * sets loss_stride to the smallest power of two above step / losses_max, which limits the run to
 * `losses_max` losses, and sets all losses to NaN. Fails with GPT_E_FILE if loss_stride is 0 or the
 * run has more than `losses_max` losses. */
static int bind_losses(tensor_file *f, const run_parts *into, uint64_t losses_max,
                       gpt_error *error) {
    run_state *run = into->state;
    bool lost = !tensor_file_find(f, "", "run.losses");
    uint64_t stride = lost ? 1 : run->loss_stride;
    while (lost && run->step / stride >= losses_max) {
        stride *= 2;
    }
    uint64_t expected = stride ? run->step / stride + (run->step % stride != 0) : 0;
    if (!stride || expected > losses_max) {
        return gpt_fail_name(error, GPT_E_FILE, "run.losses");
    }
    run->loss_count = expected;
    run->loss_stride = stride;
    for (uint64_t i = 0; lost && i < expected; i++) {
        into->losses[i] = __builtin_nanf("");
    }
    return bind_optional(f, "run.losses", INTO_FLOAT_EXACT, into->losses, expected, error);
}

/* Binds the tensors that only a continued run needs: AdamW's moments (unless the run is at step 0),
 * run.order and run.last. */
static int bind_run(tensor_file *f, const run_parts *into, gpt_error *error) {
    run_state *run = into->state;
    int status = GPT_OK;
    for (int i = 0; i < into->net->count && status == GPT_OK && run->step; i++) {
        status = bind_moments(f, &into->net->params[i], error);
    }
    status = status < 0
                 ? status
                 : bind_optional(f, "run.order", INTO_INT, into->order, into->order_count, error);
    return status < 0 ? status : bind_optional(f, "run.last", INTO_DOUBLE, run->last, 3, error);
}

int checkpoint_bind(tensor_file *f, const file_metadata *metadata, const run_parts *into,
                    bound_parts parts, uint64_t losses_max, gpt_error *error) {
    bool exact = parts != BIND_WEIGHTS;
    const model *net = into->net;
    int status = GPT_OK;
    for (size_t i = 0; i < f->count; i++) {
        f->tensors[i].known = f->tensors[i].compare = false;
        f->tensors[i].kind = INTO_NOTHING;
    }
    for (int i = 0; i < net->count && status == GPT_OK; i++) {
        // the file's position table may have more rows than the model's context; they are skipped
        bool crop = &net->params[i].value == net->position_table && !exact;
        status = bind_weight(f, &net->params[i], exact, crop, error);
    }
    status = status < 0 ? status : bind_tied_head(f, net, error);
    status = status < 0 || !exact ? status : bind_losses(f, into, losses_max, error);
    status = status < 0 || parts != BIND_RUN ? status : bind_run(f, into, error);
    for (size_t i = 0; i < f->count && status == GPT_OK; i++) {
        const file_tensor *t = &f->tensors[i];
        if (!t->known && !t->ignored && (is_weight(t->name + t->prefix) || !metadata->ours)) {
            return gpt_fail_name(error, GPT_E_TENSOR_EXTRA, t->name);
        }
    }
    return status;
}
