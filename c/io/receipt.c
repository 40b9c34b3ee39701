/* receipt.c - see receipt.h. */
#include "io/receipt.h"

#include <stdlib.h>
#include <string.h>

#include "base/numeric.h"
#include "io/json_values.h"

static const char FORMAT[] = "glasshouse-receipt";
static const char PARENT[] = "parent";

/* ---- Hashes ---------------------------------------------------------------------------------- */

void receipt_hash_weights(const model *net, unsigned char digest[SHA256_BYTES]) {
    sha256 h = sha256_begin();
    for (int i = 0; i < net->count; i++) {
        const tensor *value = &net->params[i].value;
        uint64_t count = (uint64_t)tensor_rows(value) * (uint64_t)tensor_last(value);
        sha256_add_floats(&h, value->data, count);
    }
    sha256_end(&h, digest);
}

static void add_double(sha256 *h, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sha256_add_whole(h, bits);
}

static void hash_changes(sha256 *h, const change_log *log) {
    for (size_t i = 0; i < log->count; i++) {
        const config_change *change = &log->items[i];
        const char *name = CONFIG_ROWS[change->option].name;
        sha256_add_whole(h, change->step);
        sha256_add(h, name, strlen(name) + 1);
        add_double(h, change->after);
    }
}

/* Hashes a recipe: the options, the ranges of bytes that training never reads (left_out), for a
 * fork the hash of its parent's receipt (hash_receipt), and the fields that RUN_FIELDS lists for
 * the hash (text, imported, changes). Omits an option that was added later (CONFIG_LATER_OPTIONS)
 * if it has the value that older runs imply (config_row.before), so that their receipts keep their
 * hash. */
static void hash_recipe(const receipt *from, unsigned char digest[SHA256_BYTES]) {
    sha256 h = sha256_begin();
    for (int i = 0; i < OPT_COUNT; i++) {
        if (config_is_written(&from->run.initial, i)) {
            sha256_add(&h, CONFIG_ROWS[i].name, strlen(CONFIG_ROWS[i].name) + 1);
            add_double(&h, from->run.initial.value[i]);
        }
    }
    const left_out *set = &from->run.initial.left_out;
    if (set->count) {
        sha256_add(&h, CONFIG_LEFT_OUT, sizeof CONFIG_LEFT_OUT);
        sha256_add_whole(&h, set->count);
    }
    for (uint32_t i = 0; i < set->count; i++) {
        sha256_add_whole(&h, set->ranges[i].from);
        sha256_add_whole(&h, set->ranges[i].to);
    }
    if (from->run.parent.runs) {
        sha256_add(&h, PARENT, sizeof PARENT);
        sha256_add(&h, from->run.parent.digest, SHA256_BYTES);
    }
    const run_field *field;
    for (int place = 1; (field = run_field_at(IN_HASH, place)) != NULL; place++) {
        const void *value = (const char *)&from->run + field->offset;
        if (field->form == RUN_CHANGES) {
            hash_changes(&h, value);
        } else {
            sha256_add_whole(&h, field->form == RUN_FLAG ? *(const bool *)value
                                                         : *(const uint64_t *)value);
        }
    }
    sha256_end(&h, digest);
}

static void hash_losses(const receipt *from, unsigned char digest[SHA256_BYTES]) {
    sha256 h = sha256_begin();
    sha256_add_whole(&h, from->run.loss_stride);
    sha256_add_floats(&h, from->losses, from->run.loss_count);
    sha256_end(&h, digest);
}

/* Hashes a receipt: recipe, losses, weights and number of steps. Omits the preset, which is only
 * shown to people. */
static void hash_receipt(const receipt *from, unsigned char digest[SHA256_BYTES]) {
    unsigned char recipe[SHA256_BYTES], losses[SHA256_BYTES];
    hash_recipe(from, recipe);
    hash_losses(from, losses);
    sha256 h = sha256_begin();
    sha256_add(&h, recipe, SHA256_BYTES);
    sha256_add(&h, losses, SHA256_BYTES);
    sha256_add(&h, from->weights, SHA256_BYTES);
    sha256_add_whole(&h, from->run.step);
    sha256_end(&h, digest);
}

/* ---- Writing --------------------------------------------------------------------------------- */

const char *receipt_nearest_preset(const config *initial) {
    int best = 0, fewest = OPT_COUNT + 1;
    for (int p = 0; p < PRESET_COUNT; p++) {
        int differing = 0;
        for (int i = 0; i < OPT_COUNT; i++) {
            differing += initial->value[i] != CONFIG_ROWS[i].preset[p];
        }
        if (differing < fewest) {
            fewest = differing;
            best = p;
        }
    }
    return CONFIG_PRESETS[best];
}

receipt receipt_of_run(const run_state *run, const float *losses, const model *net) {
    receipt made = {.run = *run, .losses = losses};
    const char *preset = receipt_nearest_preset(&made.run.initial);
    memcpy(made.preset, preset, strlen(preset) + 1);
    receipt_hash_weights(net, made.weights);
    return made;
}

void receipt_write_line(const receipt *from, text_buffer *out) {
    unsigned char recipe[SHA256_BYTES], losses[SHA256_BYTES];
    hash_recipe(from, recipe);
    hash_losses(from, losses);
    text_put(out, "gh");
    text_put_whole(out, RECEIPT_ENGINE);
    text_put(out, "-");
    text_put(out, from->preset);
    text_put(out, "-s");
    text_put_whole(out, (uint64_t)from->run.initial.value[OPT_SEED]);
    text_put(out, "-");
    text_put_whole(out, from->run.step);
    const unsigned char *const digests[] = {recipe, losses, from->weights};
    for (int i = 0; i < 3; i++) {
        text_put(out, "-");
        text_put_digest(out, digests[i], 4);
    }
}

/* Writes the bits of each loss as eight hexadecimal digits: "40b233e440a87497...". */
static void put_losses(text_buffer *out, const receipt *from) {
    text_put(out, "\"");
    for (uint64_t i = 0; i < from->run.loss_count; i++) {
        uint32_t bits = num_canonical_bits(from->losses[i]);
        unsigned char bytes[4] = {(unsigned char)(bits >> 24), (unsigned char)(bits >> 16),
                                  (unsigned char)(bits >> 8), (unsigned char)bits};
        text_put_digest(out, bytes, 4);
    }
    text_put(out, "\"");
}

void receipt_write(const receipt *from, text_buffer *out) {
    text_put(out, "{");
    text_put_string_member(out, "format", FORMAT);
    text_put_whole_member(out, "engine", RECEIPT_ENGINE);
    text_put(out, ",\"line\":\"");
    receipt_write_line(from, out);
    text_put(out, "\"");
    text_put_string_member(out, "preset", from->preset);
    text_put_key(out, "options");
    json_put_options(out, &from->run.initial);
    json_put_run(out, &from->run, IN_RECEIPT);
    text_put_key(out, "losses");
    put_losses(out, from);
    text_put(out, ",\"weights\":\"");
    text_put_digest(out, from->weights, SHA256_BYTES);
    text_put(out, "\"");
    if (from->run.parent.runs) {
        text_put_key(out, PARENT);
        text_put_bytes(out, from->run.parent.json, from->run.parent.bytes);
    }
    text_put(out, "}");
}

/* ---- Reading --------------------------------------------------------------------------------- */

static int fail_receipt(gpt_error *error, const char *part) {
    return gpt_fail_name(error, GPT_E_RECEIPT, part);
}

/* Returns the value of a lower-case hexadecimal digit; -1 for any other character. */
static int digit_of(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes `size` lower-case hexadecimal digits into `bytes` bytes at `out`. Returns false unless
 * there are two digits for each byte. */
static bool read_bytes(const char *digits, size_t size, unsigned char *out, size_t bytes) {
    bool good = size == 2 * bytes;
    for (size_t i = 0; i < bytes && good; i++) {
        int high = digit_of(digits[2 * i]), low = digit_of(digits[2 * i + 1]);
        good = high >= 0 && low >= 0;
        out[i] = (unsigned char)(good ? high << 4 | low : 0);
    }
    return good;
}

/* Reads the options. Each must occur exactly once, except that options of CONFIG_LATER_OPTIONS,
 * which older receipts do not name, may be missing. */
static int read_options(json_reader *r, config *c, gpt_error *error) {
    int first = 0;
    gpt_error inner = {0};
    int status = json_read_options(r, c, &first, "options", &inner);
    if (status == GPT_E_OPTION) { // an option of a later version of the engine
        return gpt_fail_name(error, status, inner.name);
    }
    return status == GPT_OK && first == OPT_FIRST_LATER ? GPT_OK : fail_receipt(error, "options");
}

static int read_losses(const json_reader *r, receipt *to, gpt_error *error) {
    uint64_t count = r->size / 8;
    if (r->type != JSON_STRING || r->size % 8 || to->owned) {
        return fail_receipt(error, "losses");
    }
    to->owned = malloc((size_t)(count + 1) * sizeof *to->owned);
    if (!to->owned) {
        return gpt_fail_allocation(error, r->size);
    }
    for (uint64_t i = 0; i < count; i++) {
        unsigned char b[4];
        if (!read_bytes(r->start + 8 * i, 8, b, 4)) {
            return fail_receipt(error, "losses");
        }
        uint32_t bits = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
                        (uint32_t)b[3];
        memcpy(&to->owned[i], &bits, sizeof bits);
    }
    to->losses = to->owned;
    to->run.loss_count = count;
    return GPT_OK;
}

/* Members of a receipt's JSON that are not fields of RUN_FIELDS. All are required and occur once,
 * except that only the receipt of a fork has `parent`. */
#define RECEIPT_MEMBERS(X)                                                                         \
    X(format)                                                                                      \
    X(engine)                                                                                      \
    X(line)                                                                                        \
    X(preset)                                                                                      \
    X(options)                                                                                     \
    X(losses)                                                                                      \
    X(weights)                                                                                     \
    X(parent)
#define MEMBER_ENUM(name) MEMBER_##name,
enum member { RECEIPT_MEMBERS(MEMBER_ENUM) MEMBER_COUNT };
#define MEMBER_NAME(name) #name,
static const char *const MEMBERS[] = {RECEIPT_MEMBERS(MEMBER_NAME)};

/* Reads the value of one member; the reader is at its first token. For the member `line`, the short
 * form, only copies the reader to `line`: check_whole compares the text later. For the parent's
 * receipt, only stores where it is in the JSON: receipt_read reads it later. */
static int read_member(json_reader *r, int member, receipt *to, json_reader *line,
                       gpt_error *error) {
    uint64_t engine = 0;
    bool good = false;
    switch (member) {
    case MEMBER_format:
        good = r->type == JSON_STRING && json_is(r, FORMAT);
        break;
    case MEMBER_engine:
        good = json_read_count(r, &engine);
        if (good && engine != RECEIPT_ENGINE) {
            return gpt_fail(error, GPT_E_RECEIPT_ENGINE, "", (double)engine, RECEIPT_ENGINE, 0);
        }
        break;
    case MEMBER_line:
        *line = *r;
        good = r->type == JSON_STRING;
        break;
    case MEMBER_preset:
        good = r->type == JSON_STRING && r->size < sizeof to->preset;
        to->preset[good ? json_string(r, to->preset, sizeof to->preset - 1) : 0] = 0;
        break;
    case MEMBER_options:
        return read_options(r, &to->run.initial, error);
    case MEMBER_losses:
        return read_losses(r, to, error);
    case MEMBER_parent:
        to->run.parent.json = r->text + r->at - 1;
        good = r->type == JSON_OBJECT_START && json_skip(r);
        to->run.parent.bytes = (size_t)(r->text + r->at - to->run.parent.json);
        break;
    default:
        good = r->type == JSON_STRING && read_bytes(r->start, r->size, to->weights, SHA256_BYTES);
        break;
    }
    return good ? GPT_OK : fail_receipt(error, MEMBERS[member]);
}

/* Checks that need more than one member of the receipt: the number of losses against loss_stride
 * and the steps, each change of an option against the value before it, the options with each other,
 * and the short form, the current token of `line`, against the rest. For a fork,
 * r->run.parent.digest must be set: the short form depends on it. */
static int check_whole(const receipt *r, const json_reader *line, gpt_error *error) {
    uint64_t stride = r->run.loss_stride;
    bool power = stride && !(stride & (stride - 1));
    if (!power || r->run.loss_count != r->run.step / stride + (r->run.step % stride != 0)) {
        return fail_receipt(error, "losses");
    }
    // The options after the changes checked so far; `before` of the next change must equal them.
    config now = r->run.initial;
    for (size_t i = 0; i < r->run.changes.count; i++) {
        const config_change *change = &r->run.changes.items[i];
        if (change->step > r->run.step || now.value[change->option] != change->before) {
            return fail_receipt(error, "changes");
        }
        now.value[change->option] = change->after;
    }
    char own[RECEIPT_LINE_MAX];
    text_buffer out = text_begin(own, sizeof own);
    receipt_write_line(r, &out);
    text_end(&out);
    return json_is(line, own) ? config_check(&r->run.initial, error) : fail_receipt(error, "line");
}

/* Reads one receipt, but not the receipt of its parent. Sets `line` to a JSON reader whose current
 * token is the value of the member `line`, the short form. */
static int read_one(receipt *to, const char *json, size_t bytes, json_reader *line,
                    gpt_error *error) {
    json_reader r = json_open(json, bytes);
    *line = r;
    // seen[MEMBER_name]: the JSON has had this member. seen[MEMBER_COUNT + p]: the JSON has had the
    // field at place p (from 1) of a receipt in RUN_FIELDS.
    bool seen[MEMBER_COUNT + RUN_FIELD_COUNT + 1] = {false}, any = false;
    int status = json_next(&r) == JSON_OBJECT_START ? GPT_OK : fail_receipt(error, "JSON");
    while (status == GPT_OK && json_next(&r) == JSON_KEY) {
        const run_field *field = json_find_run_field(&r, IN_RECEIPT);
        int member = field ? MEMBER_COUNT + field->place[IN_RECEIPT] : 0;
        while (member < MEMBER_COUNT && !json_is(&r, MEMBERS[member])) {
            member++;
        }
        if (member == MEMBER_COUNT || seen[member]) {
            return fail_receipt(error, member == MEMBER_COUNT ? "JSON"
                                       : field                ? field->name
                                                              : MEMBERS[member]);
        }
        any = seen[member] = true;
        (void)json_next(&r);
        status = field ? json_read_run_field(&r, field, &to->run, error)
                       : read_member(&r, member, to, line, error);
        if (status == GPT_E_FILE) {
            return fail_receipt(error, field ? field->name : MEMBERS[member]);
        }
    }
    if (status == GPT_OK && (!any || r.type != JSON_OBJECT_END || json_next(&r) != JSON_END)) {
        status = fail_receipt(error, "JSON");
    }
    for (int i = 0; i < MEMBER_COUNT && status == GPT_OK; i++) {
        status = seen[i] || i == MEMBER_parent ? GPT_OK : fail_receipt(error, MEMBERS[i]);
    }
    const run_field *field;
    for (int i = 1; status == GPT_OK && (field = run_field_at(IN_RECEIPT, i)); i++) {
        status = seen[MEMBER_COUNT + i] ? GPT_OK : fail_receipt(error, field->name);
    }
    return status;
}

int receipt_read(receipt to[RECEIPT_RUNS_MAX], const char *json, size_t bytes, gpt_error *error) {
    json_reader lines[RECEIPT_RUNS_MAX];
    run_parent next = {.json = json, .bytes = bytes};
    int count = 0, status = GPT_OK;
    do {
        if (count == RECEIPT_RUNS_MAX) {
            status = gpt_fail(error, GPT_E_FORK_DEPTH, "", RECEIPT_RUNS_MAX - 1, 0, 0);
        } else {
            to[count] = (receipt){0};
            status = read_one(&to[count], next.json, next.bytes, &lines[count], error);
            next = to[count++].run.parent;
        }
    } while (next.json && status == GPT_OK);
    // Oldest run first: the short form of a fork depends on the hash of its parent's receipt.
    for (int i = count - 1; i >= 0 && status == GPT_OK; i--) {
        if (to[i].run.parent.json) {
            to[i].run.parent.runs = count - 1 - i;
            hash_receipt(&to[i + 1], to[i].run.parent.digest);
        }
        status = check_whole(&to[i], &lines[i], error);
    }
    if (status < 0) {
        receipt_close(to, count);
        return status;
    }
    return count;
}

void receipt_close(receipt *r, int count) {
    for (int i = 0; i < count; i++) {
        changes_close(&r[i].run.changes);
        free(r[i].owned);
        r[i] = (receipt){0};
    }
}

int receipt_adopt(run_parent *to, char *json, size_t bytes, gpt_error *error) {
    receipt read[RECEIPT_RUNS_MAX];
    if (bytes > RECEIPT_PARENT_MAX) {
        free(json);
        return gpt_fail(error, GPT_E_FORK_DEPTH, "", RECEIPT_RUNS_MAX - 1, 0, 0);
    }
    int runs = receipt_read(read, json, bytes, error);
    if (runs < 0) {
        free(json);
        return runs;
    }
    run_parent parent = {.json = json, .bytes = bytes, .runs = runs};
    hash_receipt(&read[0], parent.digest);
    receipt_close(read, runs);
    if (runs == RECEIPT_RUNS_MAX) { // with the new run there would be more than RECEIPT_RUNS_MAX
        free(json);
        return gpt_fail(error, GPT_E_FORK_DEPTH, "", RECEIPT_RUNS_MAX - 1, 0, 0);
    }
    *to = parent;
    return GPT_OK;
}
