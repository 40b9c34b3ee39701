/* template.c - fills in a template, such as a model card. The client (the page or the command line)
 * supplies the template's text, in its language.
 *
 * In a template, {name} is replaced by the value of the field `name`. {name|json} and {name|shell}
 * quote the value for JSON and for a shell; any other word behind the bar, such as {name|block},
 * replaces each ` by '. A line that begins with ?name is written, without ?name and the space after
 * it, only if the field `name` exists. The client sets fields; the model adds vocab, context, steps
 * (missing before the first step), text_hash and text_bytes (missing if the model has no training
 * text) and recipe (rows of a Markdown table). If the client does not set them, tokens (how many to
 * generate) is 20 and prompt is empty. A brace that begins no such field is plain text.
 */
#include "formats/formats.h"

#include <string.h>

/* VALUE_BYTES: room for a number. SAMPLE_TOKENS: the count `tokens` if the client sets none. */
enum { VALUE_BYTES = 32, SAMPLE_TOKENS = 20 };

static bool is_name(const char *name, size_t length, const char *known) {
    return strlen(known) == length && memcmp(name, known, length) == 0;
}

/* Returns the value of the field `name` (`length` bytes); NULL if the field does not exist. The
 * text of a number is written to `number`, and `number` is returned. The value of `recipe` is "":
 * put_field writes a table in its place (put_recipe). */
static const char *find_field(const write_plan *p, const char *name, size_t length,
                              char number[VALUE_BYTES]) {
    const run_state *run = &p->model->metadata.run;
    for (size_t i = 0; i < p->fields->count; i++) {
        if (is_name(name, length, p->fields->items[i].name)) {
            return p->fields->items[i].text;
        }
    }
    text_buffer out = text_begin(number, VALUE_BYTES);
    if (is_name(name, length, "vocab")) {
        text_put_whole(&out, (uint64_t)p->model->vocab);
    } else if (is_name(name, length, "context")) {
        text_put_number(&out, p->model->options.value[OPT_CONTEXT]);
    } else if (is_name(name, length, "steps") && run->step) {
        text_put_whole(&out, run->step);
    } else if (is_name(name, length, "text_hash") && run->text_bytes) {
        text_put_hex(&out, run->text_hash, 16);
    } else if (is_name(name, length, "text_bytes") && run->text_bytes) {
        text_put_whole(&out, run->text_bytes);
    } else if (is_name(name, length, "tokens")) {
        text_put_whole(&out, SAMPLE_TOKENS);
    } else if (!is_name(name, length, "prompt") && !is_name(name, length, "recipe")) {
        return NULL;
    }
    text_end(&out);
    return number;
}

/* Writes a row of a Markdown table for every option: "| lr | 0.001 |". The value of a choice is its
 * name. */
static void put_recipe(text_buffer *out, const config *c) {
    for (int i = 0; i < OPT_COUNT; i++) {
        const config_row *row = &CONFIG_ROWS[i];
        bool is_bool = strcmp(row->type, "bool") == 0;
        const char *choices = is_bool ? "false|true" : strchr(row->type, '|') ? row->type : NULL;
        text_put(out, i ? "\n| " : "| ");
        text_put(out, row->name);
        text_put(out, " | ");
        for (int skip = (int)c->value[i]; choices && skip > 0; skip--) {
            choices = strchr(choices, '|') + 1;
        }
        if (choices) {
            text_put_bytes(out, choices, strcspn(choices, "|"));
        } else {
            text_put_number(out, c->value[i]);
        }
        text_put(out, " |");
    }
}

static void put_replaced(text_buffer *out, const char *text, char wanted, const char *with) {
    for (; *text; text++) {
        text_put_bytes(out, *text == wanted ? with : text, *text == wanted ? strlen(with) : 1);
    }
}

/* Writes the value of the field whose name begins at `from`, after the opening brace. Returns the
 * number of bytes from `from` to the closing brace, inclusive; 0 if the opening brace is plain
 * text. */
static size_t put_field(write_plan *p, const char *from) {
    char number[VALUE_BYTES];
    size_t length = strspn(from, "abcdefghijklmnopqrstuvwxyz_");
    const char *quotes = from + length, *end = strchr(quotes, '}');
    const char *value = find_field(p, from, length, number);
    bool plain = *quotes == '}';
    if (!value || !end || (!plain && *quotes != '|')) {
        return 0;
    }
    text_buffer *out = &p->bytes;
    if (is_name(from, length, "recipe")) {
        put_recipe(out, &p->model->options);
    } else if (plain) {
        text_put(out, value);
    } else if (strncmp(quotes, "|json}", 6) == 0) {
        text_put_json_string(out, value);
    } else if (strncmp(quotes, "|shell}", 7) == 0) {
        text_put(out, "'");
        put_replaced(out, value, '\'', "'\\''");
        text_put(out, "'");
    } else {
        put_replaced(out, value, '`', "'");
    }
    return (size_t)(end - from) + 1;
}

/* Writes the template line by line. Its text is the field "template", which the client sets. */
void template_plan(write_plan *p) {
    char number[VALUE_BYTES];
    const char *at = find_field(p, "template", strlen("template"), number);
    while (at && *at) {
        size_t length = strcspn(at, "\n");
        const char *end = at + length;
        if (*at == '?') {
            size_t name = strcspn(at, " \n") - 1;
            bool known = find_field(p, at + 1, name, number) != NULL;
            at = !known ? end : at[1 + name] == ' ' ? at + 2 + name : at + 1 + name;
            if (!known) {
                at += *end == '\n';
                continue;
            }
        }
        while (at < end) {
            size_t field = *at == '{' ? put_field(p, at + 1) : 0;
            if (field) {
                at += 1 + field;
            } else {
                text_put_bytes(&p->bytes, at++, 1);
            }
        }
        text_put(&p->bytes, "\n");
        at = end + (*end == '\n');
    }
}
