/* fuzz_options.c - options by name, as text and as numbers: an accepted value is in its range, a
 * refused one leaves the recipe unchanged, and every error can be written as JSON.
 *
 * Input: one byte for the preset, then lines "name value". */
#include "api/handles.h"
#include "base/json.h"
#include "fuzz.h"
#include <stdio.h>

static void check_error(const gpt_config *c, int status) {
    char out[2048], few[8]; // gpt.h promises that 2048 bytes suffice
    int length = gpt_config_error(c, out, sizeof out);
    REQUIRE(length > 0);
    json_reader r = json_open(out, (size_t)length);
    REQUIRE(json_next(&r) == JSON_OBJECT_START && json_skip(&r) && json_next(&r) == JSON_END);
    REQUIRE(c->error.status == status);
    REQUIRE(gpt_config_message(c, out, sizeof out) > 0);
    REQUIRE(gpt_config_message(c, few, sizeof few) == GPT_E_CAPACITY && strlen(few) < sizeof few);
}

/* Checks left_out: ascending ranges that do not touch, and a JSON of the same ranges. */
static void check_left_out(gpt_config *c) {
    const left_out *set = &c->options.left_out;
    static char out[1 << 14], text[1 << 14];
    size_t length = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        left_out_range range = set->ranges[i];
        REQUIRE(range.from < range.to && (!i || set->ranges[i - 1].to < range.from));
        length += (size_t)snprintf(text + length, sizeof text - length, "%s[%u,%u]", i ? "," : "",
                                   (unsigned)range.from, (unsigned)range.to);
    }
    REQUIRE(set->count <= LEFT_OUT_MAX);
    REQUIRE(gpt_config_left_out_json(c, out, sizeof out) == (int)length + 2);
    REQUIRE(memcmp(out + 1, text, length) == 0);
}

/* Sets one option from text, then from the number at the start of the text (0 without one). */
static void set(gpt_config *c, const char *name, const char *value) {
    config before = c->options;
    int status = gpt_config_set_text(c, name, value);
    int option = config_find(name);
    if (status < 0) {
        check_error(c, status);
        REQUIRE(memcmp(&before, &c->options, sizeof before) == 0);
    } else if (strcmp(name, "left_out") == 0) {
        check_left_out(c);
    } else {
        double now = gpt_config_get(c, name);
        REQUIRE(option >= 0 && now >= CONFIG_ROWS[option].min && now <= CONFIG_ROWS[option].max);
        REQUIRE(gpt_config_set(c, name, now) == GPT_OK && gpt_config_get(c, name) == now);
    }
    double number = strtod(value, NULL);
    status = gpt_config_set(c, name, number);
    if (status < 0) {
        check_error(c, status);
    } else {
        REQUIRE(gpt_config_get(c, name) == number);
    }
}

/* Checks that the table of options is JSON and names every option once. */
static void check_table(void) {
    static char out[1 << 16];
    int length = gpt_options_json(out, sizeof out), names = 0;
    REQUIRE(length > 0);
    json_reader r = json_open(out, (size_t)length);
    for (json_type type; (type = json_next(&r)) != JSON_END;) {
        REQUIRE(type != JSON_ERROR);
        names += type == JSON_KEY && json_is(&r, "name");
    }
    REQUIRE(names == OPT_COUNT && gpt_option_name(names) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_open(data, size);
    gpt_config *c = gpt_config_create(CONFIG_PRESETS[fuzz_choice(&in, PRESET_COUNT)]);
    REQUIRE(c != NULL);
    while (in.at < in.size) {
        const uint8_t *from = in.data + in.at, *end = memchr(from, '\n', in.size - in.at);
        size_t length = end ? (size_t)(end - from) : in.size - in.at;
        in.at += length + (end != NULL);
        fuzz_part line = fuzz_copy(from, length, true);
        char *space = strchr(line.text, ' ');
        if (space) {
            *space = 0;
        }
        set(c, line.text, space ? space + 1 : "");
        free(line.text);
    }
    int status = gpt_config_check(c);
    int channels = config_int(&c->options, OPT_CHANNELS);
    REQUIRE(status == (channels % config_int(&c->options, OPT_HEADS) ? GPT_E_HEADS : GPT_OK));
    if (size == 0) {
        check_table();
    }
    gpt_config_free(c);
    return 0;
}
