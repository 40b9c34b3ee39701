/* json_values.c - see json_values.h. */
#include "io/json_values.h"

#include <string.h>

enum { OPTION_NAME_MAX = 32 }; /* bytes of an option's name, with the NUL */

bool json_read_count(const json_reader *r, uint64_t *value) {
    double number = r->type == JSON_NUMBER ? json_number(r) : -1.0;
    if (!(number >= 0 && number <= CONFIG_WHOLE_MAX) || number != (double)(uint64_t)number) {
        return false;
    }
    *value = (uint64_t)number;
    return true;
}

bool json_read_digits(const json_reader *r, uint64_t base, uint64_t *value) {
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

int json_fail_member(const char *what, const json_reader *key, gpt_error *error) {
    char detail[sizeof error->name];
    text_buffer out = text_begin(detail, sizeof detail);
    text_put(&out, what);
    text_put(&out, " ");
    text_put_bytes(&out, key->start, key->size);
    text_end(&out);
    return gpt_fail_name(error, GPT_E_FILE, detail);
}

/* Copies the current string or key to `name`; "" for any other token and for a text that is too
 * long to be the name of an option. */
static void read_name(const json_reader *r, char name[OPTION_NAME_MAX]) {
    bool text = r->type == JSON_STRING || r->type == JSON_KEY;
    size_t length = text ? json_string(r, name, OPTION_NAME_MAX - 1) : 0;
    name[length < OPTION_NAME_MAX ? length : 0] = 0;
}

int json_read_option(const json_reader *r) {
    char name[OPTION_NAME_MAX];
    read_name(r, name);
    return config_find(name);
}

/* Returns whether the decimal text of a number reads back as the same double. */
static bool is_decimal(double value) {
    char text[40];
    text_buffer buffer = text_begin(text, sizeof text);
    text_put_number(&buffer, value);
    size_t length = text_end(&buffer);
    json_reader r = json_open(text, length);
    return json_next(&r) == JSON_NUMBER && json_number(&r) == value;
}

void json_put_exact(text_buffer *out, double value) {
    if (is_decimal(value)) {
        text_put_number(out, value);
        return;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    text_put(out, "\"");
    text_put_hex(out, bits, 16);
    text_put(out, "\"");
}

bool json_read_exact(const json_reader *r, double *value) {
    uint64_t bits;
    if (r->type == JSON_NUMBER) {
        *value = json_number(r);
        return true;
    }
    if (r->size != 16 || !json_read_digits(r, 16, &bits)) {
        return false;
    }
    memcpy(value, &bits, sizeof *value);
    return true;
}

void json_put_options(text_buffer *out, const config *c) {
    text_put(out, "{");
    for (int i = 0; i < OPT_COUNT; i++) {
        if (config_is_written(c, i)) {
            text_put_key(out, CONFIG_ROWS[i].name);
            json_put_exact(out, c->value[i]);
        }
    }
    if (c->left_out.count) {
        text_put_key(out, CONFIG_LEFT_OUT);
        json_put_left_out(out, &c->left_out);
    }
    text_put(out, "}");
}

void json_put_left_out(text_buffer *out, const left_out *set) {
    text_put(out, "[");
    for (uint32_t i = 0; i < set->count; i++) {
        text_put(out, i ? ",[" : "[");
        text_put_whole(out, set->ranges[i].from);
        text_put(out, ",");
        text_put_whole(out, set->ranges[i].to);
        text_put(out, "]");
    }
    text_put(out, "]");
}

/* Reads the next JSON token as a byte offset: a whole number below 2^32. */
static bool read_place(json_reader *r, uint32_t *place) {
    uint64_t value;
    (void)json_next(r);
    bool good = json_read_count(r, &value) && value <= UINT32_MAX;
    *place = good ? (uint32_t)value : 0;
    return good;
}

/* Reads the option left_out, [[812,840],[1024,1100]]; the reader is at its start. Accepts only the
 * canonical list: not empty, ascending, without ranges that overlap or touch. So equal sets of
 * bytes have equal JSON. */
static bool read_left_out(json_reader *r, left_out *set) {
    bool good = r->type == JSON_ARRAY_START && !set->count;
    while (good && json_next(r) == JSON_ARRAY_START) {
        uint32_t from, to, count = set->count;
        good = read_place(r, &from) && read_place(r, &to) && json_next(r) == JSON_ARRAY_END &&
               from < to && (!count || set->ranges[count - 1].to < from) &&
               left_out_add(set, from, to);
    }
    return good && r->type == JSON_ARRAY_END && set->count;
}

int json_read_options(json_reader *r, config *c, int *first, const char *what, gpt_error *error) {
    bool seen[OPT_COUNT] = {false};
    int status = GPT_OK, count = 0;
    *c = config_before();
    bool object = r->type == JSON_OBJECT_START;
    while (object && json_next(r) == JSON_KEY) {
        char name[OPTION_NAME_MAX];
        double value;
        json_reader key = *r;
        read_name(r, name);
        int option = config_find(name);
        (void)json_next(r);
        bool lists = strcmp(name, CONFIG_LEFT_OUT) == 0;
        if (lists ? !read_left_out(r, &c->left_out)
                  : !json_read_exact(r, &value) || (option >= 0 && seen[option])) {
            return json_fail_member(what, &key, error);
        }
        status = lists ? GPT_OK : config_set(c, name, value, error);
        if (status < 0) {
            return status;
        }
        if (!lists) {
            seen[option] = true;
            count += !CONFIG_ROWS[option].later;
        }
    }
    if (first) {
        *first = count;
    }
    return object && r->type == JSON_OBJECT_END ? GPT_OK : gpt_fail_name(error, GPT_E_FILE, what);
}

void json_put_changes(text_buffer *out, const change_log *log) {
    text_put(out, "[");
    for (size_t i = 0; i < log->count; i++) {
        const config_change *change = &log->items[i];
        text_put(out, i ? ",{" : "{");
        text_put_whole_member(out, "step", change->step);
        text_put_string_member(out, "option", CONFIG_ROWS[change->option].name);
        text_put_key(out, "from");
        json_put_exact(out, change->before);
        text_put_key(out, "to");
        json_put_exact(out, change->after);
        text_put(out, "}");
    }
    text_put(out, "]");
}

/* Reads one change of an option, a JSON object; the reader is at its start. Returns false unless
 * all four members are valid. */
static bool read_change(json_reader *r, config_change *change) {
    int members = 0;
    change->option = -1;
    while (json_next(r) == JSON_KEY) {
        bool step = json_is(r, "step"), option = json_is(r, "option");
        bool from = json_is(r, "from"), to = json_is(r, "to");
        (void)json_next(r);
        if (option) {
            change->option = json_read_option(r);
        }
        if (step     ? !json_read_count(r, &change->step)
            : option ? change->option < 0
            : from   ? !json_read_exact(r, &change->before)
                     : !to || !json_read_exact(r, &change->after)) {
            return false;
        }
        members |= step ? 1 : option ? 2 : from ? 4 : 8;
    }
    return r->type == JSON_OBJECT_END && members == 15;
}

/* Returns whether a run can make this change: the option is LIVE (it may change during a run) and
 * both values are in its range. */
static bool is_possible(const config_change *change, gpt_error *error) {
    const config_row *row = &CONFIG_ROWS[change->option];
    config tried = {0};
    return (row->use & LIVE) && config_set(&tried, row->name, change->before, error) == GPT_OK &&
           config_set(&tried, row->name, change->after, error) == GPT_OK;
}

int json_read_changes(json_reader *r, change_log *log, uint64_t last_step, const char *what,
                      gpt_error *error) {
    bool good = r->type == JSON_ARRAY_START;
    uint64_t step = 0;
    while (good && json_next(r) == JSON_OBJECT_START) {
        config_change change = {0};
        good = read_change(r, &change) && change.step >= step && change.step <= last_step &&
               is_possible(&change, NULL);
        step = change.step;
        int status = good ? changes_note(log, change.step, change.option, change.before,
                                         change.after, error)
                          : GPT_OK;
        if (status < 0) {
            return status;
        }
    }
    return good && r->type == JSON_ARRAY_END ? GPT_OK : gpt_fail_name(error, GPT_E_FILE, what);
}

void json_put_run(text_buffer *out, const run_state *run, run_store store) {
    const run_field *field;
    for (int place = 1; (field = run_field_at(store, place)) != NULL; place++) {
        const void *value = (const char *)run + field->offset;
        if (!run->text_bytes && strncmp(field->name, "text_", 5) == 0) {
            continue;
        }
        text_put_key(out, field->name);
        switch (field->form) {
        case RUN_WHOLE:
            text_put_whole(out, *(const uint64_t *)value);
            break;
        case RUN_DECIMAL:
            text_put(out, "\"");
            text_put_whole(out, *(const uint64_t *)value);
            text_put(out, "\"");
            break;
        case RUN_HEX:
            text_put(out, "\"");
            text_put_hex(out, *(const uint64_t *)value, 16);
            text_put(out, "\"");
            break;
        case RUN_FLAG:
            text_put(out, *(const bool *)value ? "true" : "false");
            break;
        case RUN_CHANGES:
            json_put_changes(out, value);
            break;
        }
    }
}

const run_field *json_find_run_field(const json_reader *key, run_store store) {
    const run_field *field;
    for (int place = 1; (field = run_field_at(store, place)) != NULL; place++) {
        if (json_is(key, field->name)) {
            return field;
        }
    }
    return NULL;
}

int json_read_run_field(json_reader *r, const run_field *field, run_state *run, gpt_error *error) {
    void *value = (char *)run + field->offset;
    bool good = false;
    switch (field->form) {
    case RUN_WHOLE:
        good = json_read_count(r, value);
        break;
    case RUN_DECIMAL:
        good = json_read_digits(r, 10, value);
        break;
    case RUN_HEX:
        good = json_read_digits(r, 16, value);
        break;
    case RUN_FLAG:
        *(bool *)value = r->type == JSON_TRUE;
        good = r->type == JSON_TRUE || r->type == JSON_FALSE;
        break;
    case RUN_CHANGES:
        return json_read_changes(r, value, (uint64_t)CONFIG_WHOLE_MAX, field->name, error);
    }
    return good ? GPT_OK : gpt_fail_name(error, GPT_E_FILE, field->name);
}
