/* text_buffer.c - see text_buffer.h. */
#include "base/text_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/numeric.h"
#include "base/error.h"
#include "base/utf8.h"

text_buffer text_begin(char *out, size_t capacity) {
    return (text_buffer){out, out ? capacity : 0, 0, 0};
}

void text_put_bytes(text_buffer *buffer, const char *bytes, size_t count) {
    if (buffer->length < buffer->capacity) {
        size_t room = buffer->capacity - buffer->length;
        memcpy(buffer->out + buffer->length, bytes, count < room ? count : room);
    }
    buffer->length += count;
    if (count) {
        buffer->last = bytes[count - 1];
    }
}

void text_put(text_buffer *buffer, const char *text) {
    text_put_bytes(buffer, text, strlen(text));
}

static void put_whole(text_buffer *buffer, uint64_t value, int base, int min_digits) {
    char digits[24];
    int n = 0;
    do {
        digits[n++] = "0123456789ABCDEF"[value % (uint64_t)base];
        value /= (uint64_t)base;
    } while (value);
    while (n < min_digits) {
        digits[n++] = '0';
    }
    while (n) {
        text_put_bytes(buffer, &digits[--n], 1);
    }
}

void text_put_hex(text_buffer *buffer, uint64_t value, int min_digits) {
    put_whole(buffer, value, 16, min_digits);
}

void text_put_digest(text_buffer *buffer, const unsigned char *bytes, size_t count) {
    static const char DIGITS[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        char pair[2] = {DIGITS[bytes[i] >> 4], DIGITS[bytes[i] & 15]};
        text_put_bytes(buffer, pair, 2);
    }
}

void text_put_whole(text_buffer *buffer, uint64_t value) {
    put_whole(buffer, value, 10, 1);
}

/* Writes `value` > 0 in decimal, with an exponent if it is very large or small, rounded to nine
 * digits: enough for people. Exact values (losses, weights) are stored as bits, never as decimal
 * text. */
static void put_scientific(text_buffer *buffer, double value) {
    int exponent = 0;
    while (value >= 1e9) {
        value /= 10;
        exponent++;
    }
    while (value < 1e8) {
        value *= 10;
        exponent--;
    }
    uint64_t digits = (uint64_t)(value + 0.5);
    while (digits && digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    int count = 0;
    for (uint64_t d = digits; d; d /= 10) {
        count++;
    }
    uint64_t power = 1;
    if (exponent > 9 || exponent < -count - 5) {
        for (int i = 1; i < count; i++) {
            power *= 10;
        }
        put_whole(buffer, digits / power, 10, 1);
        if (count > 1) {
            text_put(buffer, ".");
            put_whole(buffer, digits % power, 10, count - 1);
        }
        exponent += count - 1;
        text_put(buffer, exponent < 0 ? "e-" : "e");
        put_whole(buffer, (uint64_t)(exponent < 0 ? -exponent : exponent), 10, 1);
        return;
    }
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); i++) {
        power *= 10;
    }
    if (exponent >= 0) {
        put_whole(buffer, digits * power, 10, 1);
        return;
    }
    put_whole(buffer, digits / power, 10, 1);
    text_put(buffer, ".");
    put_whole(buffer, digits % power, 10, -exponent);
}

void text_put_number(text_buffer *buffer, double value) {
    if (value != value) {
        text_put(buffer, "NaN");
        return;
    }
    if (value < 0) {
        text_put(buffer, "-");
        value = -value;
    }
    if (value > 1.7976931348623157e308) {
        text_put(buffer, "infinity");
    } else if (value <= 9007199254740992.0 && (double)(uint64_t)value == value) {
        put_whole(buffer, (uint64_t)value, 10, 1);
    } else {
        put_scientific(buffer, value);
    }
}

void text_put_json_number(text_buffer *buffer, double value) {
    if (num_finite(value)) {
        text_put_number(buffer, value);
    } else {
        text_put(buffer, "null");
    }
}

void text_put_json_string(text_buffer *buffer, const char *text) {
    text_put_json_bytes(buffer, text, strlen(text));
}

void text_put_utf8(text_buffer *buffer, const unsigned char *bytes, size_t count, bool ended) {
    while (count) {
        utf8_symbol symbol = utf8_next(bytes, count);
        if (symbol.incomplete && !ended) {
            return;
        }
        if (symbol.valid) {
            text_put_bytes(buffer, (const char *)bytes, (size_t)symbol.length);
        } else {
            text_put(buffer, "\xEF\xBF\xBD");
        }
        bytes += symbol.length;
        count -= (size_t)symbol.length;
    }
}

void text_put_json_bytes(text_buffer *buffer, const char *text, size_t count) {
    text_put(buffer, "\"");
    while (count) {
        utf8_symbol symbol = utf8_next((const unsigned char *)text, count);
        unsigned char c = (unsigned char)*text;
        if (!symbol.valid) {
            text_put(buffer, "\\uFFFD");
        } else if (c == '"' || c == '\\') {
            text_put(buffer, "\\");
            text_put_bytes(buffer, text, 1);
        } else if (c < 0x20) {
            text_put(buffer, "\\u");
            text_put_hex(buffer, c, 4);
        } else {
            text_put_bytes(buffer, text, (size_t)symbol.length);
        }
        text += symbol.length;
        count -= (size_t)symbol.length;
    }
    text_put(buffer, "\"");
}

void text_put_key(text_buffer *buffer, const char *name) {
    text_put(buffer, buffer->last == '{' ? "\"" : ",\"");
    text_put(buffer, name);
    text_put(buffer, "\":");
}

void text_put_member(text_buffer *buffer, const char *name, double value) {
    text_put_key(buffer, name);
    text_put_json_number(buffer, value);
}

void text_put_whole_member(text_buffer *buffer, const char *name, uint64_t value) {
    text_put_key(buffer, name);
    text_put_whole(buffer, value);
}

void text_put_string_member(text_buffer *buffer, const char *name, const char *value) {
    text_put_key(buffer, name);
    text_put_json_string(buffer, value);
}

void text_put_bool_member(text_buffer *buffer, const char *name, bool value) {
    text_put_key(buffer, name);
    text_put(buffer, value ? "true" : "false");
}

size_t text_end(text_buffer *buffer) {
    if (buffer->capacity) {
        size_t last = buffer->capacity - 1;
        buffer->out[buffer->length < last ? buffer->length : last] = 0;
    }
    return buffer->length;
}

bool text_again(text_buffer *buffer, gpt_error *error) {
    size_t length = text_end(buffer);
    if (buffer->out) {
        return false;
    }
    *buffer = text_begin(malloc(length + 1), length + 1);
    if (!buffer->out) {
        (void)gpt_fail_allocation(error, length);
    }
    return buffer->out != NULL;
}

int text_answer(text_buffer *buffer, gpt_error *error) {
    size_t length = text_end(buffer);
    return length < buffer->capacity ? (int)length
                                     : gpt_fail(error, GPT_E_CAPACITY, "out", (double)length + 1,
                                                (double)buffer->capacity, 0);
}
