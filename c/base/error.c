/* error.c - see error.h and status.h. */
#include "base/error.h"

#include <string.h>

#include "base/text_buffer.h"
#include "base/utf8.h"

int gpt_fail(gpt_error *error, int status, const char *name, double v0, double v1, double v2) {
    if (error) {
        memset(error, 0, sizeof *error);
        error->status = status;
        error->value[0] = v0;
        error->value[1] = v1;
        error->value[2] = v2;
        if (name) {
            strncpy(error->name, name, sizeof error->name - 1);
        }
    }
    return status;
}

int gpt_fail_name(gpt_error *error, int status, const char *name) {
    return gpt_fail(error, status, name, 0, 0, 0);
}

int gpt_fail_allocation(gpt_error *error, uint64_t bytes) {
    return gpt_fail(error, GPT_E_ALLOCATION, "", (double)bytes, 0, 0);
}

const char *gpt_status_name(int status) {
#define CASE(symbol, code, name, text)                                                             \
    case code:                                                                                     \
        return name;
    switch (status) { GPT_STATUS_LIST(CASE) }
#undef CASE
    return "unknown";
}

const char *gpt_status_text(int status) {
#define CASE(symbol, code, name, text)                                                             \
    case code:                                                                                     \
        return text;
    switch (status) { GPT_STATUS_LIST(CASE) }
#undef CASE
    return "";
}

/* Writes the name of a failure, with U+FFFD for control characters and invalid UTF-8: the name may
 * come from an untrusted file and go to a terminal, which would obey control characters. */
static void put_name(text_buffer *out, const char *name) {
    for (size_t left = strlen(name); left;) {
        utf8_symbol s = utf8_next((const unsigned char *)name, left);
        bool control = s.code < 0x20 || (s.code >= 0x7F && s.code < 0xA0);
        if (s.valid && !control) {
            text_put_bytes(out, name, (size_t)s.length);
        } else {
            text_put(out, "\xEF\xBF\xBD");
        }
        name += s.length;
        left -= (size_t)s.length;
    }
}

/* Writes the symbol of GPT_E_CHARACTER, whose value 0 is the code of a utf8_symbol: "character é
 * (U+00E9)"; "character U+0007" if it has no name; "byte 0xFF" if it is not UTF-8. */
static void put_symbol(text_buffer *out, const gpt_error *error) {
    uint64_t code = (uint64_t)error->value[0];
    bool byte = code >= UTF8_ESCAPE + 0x80 && code < UTF8_ESCAPE + 0x100, named = *error->name;
    text_put(out, byte ? "byte " : "character ");
    put_name(out, error->name);
    text_put(out, byte ? "0x" : named ? " (U+" : "U+");
    text_put_hex(out, byte ? code - UTF8_ESCAPE : code, byte ? 2 : 4);
    text_put(out, named ? ")" : "");
}

static void put_value(text_buffer *out, const gpt_error *error, int index) {
    if (error->status == GPT_E_CHARACTER && index == 0) {
        put_symbol(out, error);
    } else {
        text_put_number(out, error->value[index]);
    }
}

size_t gpt_error_message(const gpt_error *error, char *out, size_t capacity) {
    text_buffer buffer = text_begin(out, capacity);
    const char *text = gpt_status_text(error->status);
    while (*text) {
        if (strncmp(text, "{name}", 6) == 0) {
            put_name(&buffer, error->name);
            text += 6;
        } else if (text[0] == '{' && text[1] >= '0' && text[1] <= '2' && text[2] == '}') {
            put_value(&buffer, error, text[1] - '0');
            text += 3;
        } else {
            text_put_bytes(&buffer, text, 1);
            text++;
        }
    }
    return text_end(&buffer);
}

size_t gpt_error_json(const gpt_error *error, char *out, size_t capacity) {
    char message[512];
    (void)gpt_error_message(error, message, sizeof message);
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "{");
    text_put_member(&buffer, "status", error->status);
    text_put_string_member(&buffer, "code", gpt_status_name(error->status));
    text_put_string_member(&buffer, "name", error->name);
    text_put_key(&buffer, "values");
    text_put(&buffer, "[");
    for (int i = 0; i < 3; i++) {
        text_put(&buffer, i ? "," : "");
        text_put_json_number(&buffer, error->value[i]);
    }
    text_put(&buffer, "]");
    text_put_string_member(&buffer, "message", message);
    text_put(&buffer, "}");
    return text_end(&buffer);
}
