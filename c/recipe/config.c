/* config.c - see config.h. */
#include "recipe/config.h"

#include <string.h>

#include "base/json.h"
#include "base/text_buffer.h"

#define ROW(symbol, name, group, type, min, max, use, ladder, term, needs, tiny, micro, gpt2)      \
    {name, group, type, min, max, ladder, term, needs, {tiny, micro, gpt2}, tiny, use, false},
#define LATER_ROW(symbol, name, group, type, min, max, use, ladder, term, needs, tiny, micro,      \
                  gpt2, before)                                                                    \
    {name, group, type, min, max, ladder, term, needs, {tiny, micro, gpt2}, before, use, true},
const config_row CONFIG_ROWS[] = {CONFIG_OPTIONS(ROW) CONFIG_LATER_OPTIONS(LATER_ROW)};
#undef ROW
#undef LATER_ROW

const char *const CONFIG_PRESETS[PRESET_COUNT] = {"tinygpt", "microgpt", "gpt2"};

int config_from_preset(config *c, const char *preset, gpt_error *error) {
    for (int p = 0; preset && p < PRESET_COUNT; p++) {
        if (strcmp(preset, CONFIG_PRESETS[p]) == 0) {
            for (int i = 0; i < OPT_COUNT; i++) {
                c->value[i] = CONFIG_ROWS[i].preset[p];
            }
            c->left_out.count = 0;
            return GPT_OK;
        }
    }
    return gpt_fail_name(error, GPT_E_PRESET, preset ? preset : "");
}

config config_before(void) {
    config c = {0};
    for (int i = 0; i < OPT_COUNT; i++) {
        c.value[i] = CONFIG_ROWS[i].before;
    }
    return c;
}

int config_find(const char *name) {
    for (int i = 0; name && i < OPT_COUNT; i++) {
        if (strcmp(name, CONFIG_ROWS[i].name) == 0) {
            return i;
        }
    }
    return -1;
}

int config_set(config *c, const char *name, double value, gpt_error *error) {
    int option = config_find(name);
    if (option < 0) {
        return gpt_fail_name(error, GPT_E_OPTION, name ? name : "");
    }
    const config_row *row = &CONFIG_ROWS[option];
    if (!(value >= row->min && value <= row->max)) { // negated, so that NaN fails the test too
        return gpt_fail(error, GPT_E_RANGE, name, value, row->min, row->max);
    }
    if (strcmp(row->type, "real") != 0 && value != (double)(int64_t)value) {
        return gpt_fail(error, GPT_E_WHOLE, name, value, 0, 0);
    }
    c->value[option] = value + 0.0; // -0 becomes 0: equal recipes must have equal hashes
    return GPT_OK;
}

/* Returns the index of `text` among the choices "a|b|c", or -1. */
static int find_choice(const char *choices, const char *text) {
    size_t length = strlen(text);
    for (int i = 0; *choices; i++) {
        size_t size = strcspn(choices, "|");
        if (size == length && memcmp(choices, text, size) == 0) {
            return i;
        }
        choices += size + (choices[size] == '|');
    }
    return -1;
}

/* Reads a text that is exactly one JSON number, without white space. False for other texts. */
static bool read_number(const char *text, double *value) {
    json_reader r = json_open(text, strlen(text));
    bool found = json_next(&r) == JSON_NUMBER;
    *value = found ? json_number(&r) : 0.0;
    return found && r.size == strlen(text) && json_next(&r) == JSON_END;
}

int config_set_text(config *c, const char *name, const char *text, gpt_error *error) {
    if (name && text && strcmp(name, CONFIG_LEFT_OUT) == 0) {
        return left_out_read(&c->left_out, text, error);
    }
    int option = config_find(name);
    if (option < 0 || !text) {
        return gpt_fail_name(error, text ? GPT_E_OPTION : GPT_E_ARGUMENT, name ? name : "");
    }
    const config_row *row = &CONFIG_ROWS[option];
    const char *choices = strcmp(row->type, "bool") == 0 ? "false|true" : row->type;
    bool number = !strchr(choices, '|');
    double value;
    if (!number && find_choice(choices, text) >= 0) {
        value = find_choice(choices, text);
    } else if (!read_number(text, &value)) {
        char detail[sizeof error->name];
        text_buffer buffer = text_begin(detail, sizeof detail);
        text_put(&buffer, name);
        text_put(&buffer, " ");
        text_put(&buffer, text);
        text_put(&buffer, number ? " (from " : " (");
        if (number) {
            text_put_number(&buffer, row->min);
            text_put(&buffer, " to ");
            text_put_number(&buffer, row->max);
        } else {
            text_put(&buffer, choices);
        }
        text_put(&buffer, ")");
        text_end(&buffer);
        return gpt_fail_name(error, GPT_E_CHOICE, detail);
    }
    return config_set(c, name, value, error);
}

int config_check(const config *c, gpt_error *error) {
    int channels = config_int(c, OPT_CHANNELS), heads = config_int(c, OPT_HEADS);
    if (channels % heads) {
        return gpt_fail(error, GPT_E_HEADS, "heads", channels, heads, 0);
    }
    return GPT_OK;
}

/* Writes the type of an option as JSON members: a type "a|b" as the type "choice" with the choices
 * ["a","b"]. */
static void put_type(text_buffer *out, const char *type) {
    bool choice = strchr(type, '|') != NULL;
    text_put_string_member(out, "type", choice ? "choice" : type);
    if (choice) {
        text_put(out, ",\"choices\":[\"");
        for (; *type; type++) {
            text_put_bytes(out, *type == '|' ? "\",\"" : type, *type == '|' ? 3 : 1);
        }
        text_put(out, "\"]");
    }
}

/* Writes the JSON member `name` with the string `word`, or nothing if `word` is "". */
static void put_word(text_buffer *out, const char *name, const char *word) {
    if (*word) {
        text_put_string_member(out, name, word);
    }
}

int config_json(char *out, size_t capacity) {
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "{\"presets\":[");
    for (int p = 0; p < PRESET_COUNT; p++) {
        text_put(&buffer, p ? "," : "");
        text_put_json_string(&buffer, CONFIG_PRESETS[p]);
    }
    text_put(&buffer, "],\"options\":[");
    for (int i = 0; i < OPT_COUNT; i++) {
        const config_row *row = &CONFIG_ROWS[i];
        text_put(&buffer, i ? ",{" : "{");
        text_put_string_member(&buffer, "name", row->name);
        text_put_string_member(&buffer, "group", row->group);
        put_type(&buffer, row->type);
        text_put_member(&buffer, "min", row->min);
        text_put_member(&buffer, "max", row->max);
        text_put_bool_member(&buffer, "live", row->use & LIVE);
        text_put_bool_member(&buffer, "basic", row->use & BASIC);
        put_word(&buffer, "ladder", row->ladder);
        put_word(&buffer, "term", row->term);
        put_word(&buffer, "needs", row->needs);
        text_put(&buffer, ",\"presets\":[");
        for (int p = 0; p < PRESET_COUNT; p++) {
            text_put(&buffer, p ? "," : "");
            text_put_number(&buffer, row->preset[p]);
        }
        text_put(&buffer, "]}");
    }
    text_put(&buffer, "]}");
    return text_answer(&buffer, NULL);
}
