/* json.c - see json.h. */
#include "base/json.h"

#include <string.h>

#include "base/numeric.h"
#include "base/utf8.h"

/* States of the parser: the tokens that the grammar allows next. */
enum {
    WANT_VALUE,
    WANT_VALUE_OR_END,
    WANT_KEY_OR_END,
    WANT_KEY,
    WANT_COLON,
    WANT_COMMA_OR_END,
    WANT_NOTHING
};

json_reader json_open(const char *text, size_t length) {
    json_reader r = {0};
    r.text = text;
    r.length = length;
    r.at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // after a byte order mark
    r.type = JSON_NULL;
    r.expect = WANT_VALUE;
    return r;
}

static json_type fail(json_reader *r) {
    r->type = JSON_ERROR;
    return JSON_ERROR;
}

static int peek(const json_reader *r) {
    return r->at < r->length ? (unsigned char)r->text[r->at] : -1;
}

static void skip_space(json_reader *r) {
    int c;
    while ((c = peek(r)) == ' ' || c == '\t' || c == '\n' || c == '\r') {
        r->at++;
    }
}

/* Marks a value as complete: only a comma or the end of the enclosing array or object may follow,
 * or after the outermost value only the end of the text. Returns `type`. */
static json_type finish(json_reader *r, json_type type) {
    r->expect = r->depth ? WANT_COMMA_OR_END : WANT_NOTHING;
    r->type = type;
    return type;
}

static bool in_array(const json_reader *r) {
    return r->arrays >> (r->depth - 1) & 1;
}

static json_type open_level(json_reader *r, bool array) {
    if (r->depth == JSON_DEPTH) {
        return fail(r);
    }
    r->at++;
    uint64_t bit = (uint64_t)1 << r->depth++;
    r->arrays = array ? r->arrays | bit : r->arrays & ~bit;
    r->expect = array ? WANT_VALUE_OR_END : WANT_KEY_OR_END;
    return r->type = array ? JSON_ARRAY_START : JSON_OBJECT_START;
}

static json_type close_level(json_reader *r, bool array) {
    if (!r->depth || in_array(r) != array) {
        return fail(r);
    }
    r->at++;
    r->depth--;
    return finish(r, array ? JSON_ARRAY_END : JSON_OBJECT_END);
}

static int hex_digit(int c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool read_escape(json_reader *r) {
    int c = peek(r);
    if (c != 'u') {
        r->at++;
        return c > 0 && strchr("\"\\/bfnrt", c) != NULL;
    }
    r->at++;
    for (int i = 0; i < 4; i++, r->at++) {
        if (hex_digit(peek(r)) < 0) {
            return false;
        }
    }
    return true;
}

/* Reads a string from its opening quote to its closing quote and sets r->start and r->size. False
 * if the string is not valid. */
static bool read_string(json_reader *r) {
    r->start = r->text + ++r->at;
    for (;;) {
        int c = peek(r);
        if (c < 0x20) { // a control character, or the end of the text
            return false;
        }
        if (c == '"') {
            r->size = (size_t)(r->text + r->at - r->start);
            r->at++;
            return true;
        }
        if (c == '\\') {
            r->at++;
            if (!read_escape(r)) {
                return false;
            }
            continue;
        }
        utf8_symbol s = utf8_next((const unsigned char *)r->text + r->at, r->length - r->at);
        if (!s.valid) {
            return false;
        }
        r->at += (size_t)s.length;
    }
}

static bool read_digits(json_reader *r) {
    size_t first = r->at;
    while (peek(r) >= '0' && peek(r) <= '9') {
        r->at++;
    }
    return r->at > first;
}

static bool read_number(json_reader *r) {
    r->start = r->text + r->at;
    if (peek(r) == '-') {
        r->at++;
    }
    bool zero = peek(r) == '0';
    size_t first = r->at;
    if (!read_digits(r) || (zero && r->at - first > 1)) {
        return false;
    }
    if (peek(r) == '.') {
        r->at++;
        if (!read_digits(r)) {
            return false;
        }
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->at++;
        if (peek(r) == '+' || peek(r) == '-') {
            r->at++;
        }
        if (!read_digits(r)) {
            return false;
        }
    }
    r->size = (size_t)(r->text + r->at - r->start);
    return true;
}

static json_type read_word(json_reader *r, const char *word, json_type type) {
    size_t size = strlen(word);
    if (r->length - r->at < size || memcmp(r->text + r->at, word, size) != 0) {
        return fail(r);
    }
    r->at += size;
    return finish(r, type);
}

static json_type read_value(json_reader *r) {
    int c = peek(r);
    switch (c) {
    case '{':
        return open_level(r, false);
    case '[':
        return open_level(r, true);
    case '"':
        return read_string(r) ? finish(r, JSON_STRING) : fail(r);
    case 't':
        return read_word(r, "true", JSON_TRUE);
    case 'f':
        return read_word(r, "false", JSON_FALSE);
    case 'n':
        return read_word(r, "null", JSON_NULL);
    default:
        return read_number(r) ? finish(r, JSON_NUMBER) : fail(r);
    }
}

static json_type read_key(json_reader *r) {
    if (peek(r) != '"' || !read_string(r)) {
        return fail(r);
    }
    skip_space(r);
    if (peek(r) != ':') {
        return fail(r);
    }
    r->at++;
    r->expect = WANT_VALUE;
    return r->type = JSON_KEY;
}

json_type json_next(json_reader *r) {
    if (r->type == JSON_ERROR) {
        return JSON_ERROR;
    }
    skip_space(r);
    if (r->expect == WANT_COMMA_OR_END && peek(r) == ',') {
        r->at++;
        r->expect = in_array(r) ? WANT_VALUE : WANT_KEY;
        skip_space(r);
    }
    int c = peek(r);
    switch (r->expect) {
    case WANT_VALUE:
        return read_value(r);
    case WANT_VALUE_OR_END:
        return c == ']' ? close_level(r, true) : read_value(r);
    case WANT_KEY_OR_END:
        return c == '}' ? close_level(r, false) : read_key(r);
    case WANT_KEY:
        return read_key(r);
    case WANT_COMMA_OR_END:
        return c == ']' || c == '}' ? close_level(r, c == ']') : fail(r);
    default:
        return c < 0 ? (r->type = JSON_END) : fail(r);
    }
}

bool json_skip(json_reader *r) {
    if (r->type == JSON_KEY) {
        (void)json_next(r);
    }
    if (r->type == JSON_OBJECT_START || r->type == JSON_ARRAY_START) {
        int outside = r->depth - 1;
        while (r->depth > outside && json_next(r) != JSON_ERROR) {}
    }
    return r->type != JSON_ERROR;
}

static uint32_t read_hex4(const char *p) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        value = value << 4 | (uint32_t)hex_digit((unsigned char)p[i]);
    }
    return value;
}

/* Decodes one escape, or copies one byte, at *p in a string that read_string has checked. Writes
 * the UTF-8 bytes to `out`, moves *p past the escape or byte, and returns the number of bytes, 1 to
 * 4. A lone surrogate becomes U+FFFD. */
static int unescape(const char **p, const char *end, unsigned char out[4]) {
    const char *c = *p;
    if (*c != '\\') {
        out[0] = (unsigned char)*c;
        *p = c + 1;
        return 1;
    }
    static const char NAMES[] = "bfnrt", VALUES[] = "\b\f\n\r\t";
    if (c[1] != 'u') {
        const char *name = strchr(NAMES, c[1]);
        out[0] = (unsigned char)(name ? VALUES[name - NAMES] : c[1]);
        *p = c + 2;
        return 1;
    }
    uint32_t code = read_hex4(c + 2);
    *p = c + 6;
    if (code >= 0xD800 && code < 0xDC00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') {
        uint32_t low = read_hex4(*p + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            *p += 6;
            return utf8_encode(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), out);
        }
    }
    return utf8_encode(code >= 0xD800 && code < 0xE000 ? 0xFFFD : code, out);
}

bool json_is(const json_reader *r, const char *text) {
    const char *p = r->start, *end = r->start + r->size;
    size_t left = strlen(text);
    while (p < end) {
        unsigned char bytes[4];
        size_t count = (size_t)unescape(&p, end, bytes);
        if (count > left || memcmp(bytes, text, count) != 0) {
            return false;
        }
        text += count;
        left -= count;
    }
    return left == 0;
}

size_t json_string(const json_reader *r, char *out, size_t capacity) {
    const char *p = r->start, *end = r->start + r->size;
    size_t length = 0;
    while (p < end) {
        unsigned char bytes[4];
        int count = unescape(&p, end, bytes);
        for (int i = 0; i < count; i++, length++) {
            if (length < capacity) {
                out[length] = (char)bytes[i];
            }
        }
    }
    return length;
}

double json_number(const json_reader *r) {
    const char *p = r->start, *end = r->start + r->size;
    bool negative = p < end && *p == '-';
    p += negative;
    uint64_t digits = 0; // the first 19 digits; later digits only change the exponent
    int exponent = 0;
    bool fraction = false;
    for (; p < end && ((*p >= '0' && *p <= '9') || *p == '.'); p++) {
        if (*p == '.') {
            fraction = true;
        } else if (digits < UINT64_C(1000000000000000000)) {
            digits = digits * 10 + (uint64_t)(*p - '0');
            exponent -= fraction;
        } else {
            exponent += !fraction;
        }
    }
    double value = (double)digits;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        bool down = p < end && *p == '-';
        p += p < end && (*p == '-' || *p == '+');
        int written = 0;
        for (; p < end && *p >= '0' && *p <= '9'; p++) {
            written = written < 10000 ? written * 10 + (*p - '0') : written;
        }
        exponent += down ? -written : written;
    }
    // Dividing by an exact power of ten rounds once; multiplying by its inverse would round twice.
    for (; exponent < -22 && value != 0; exponent += 22) {
        value /= 1e22;
    }
    for (; exponent > 22 && num_finite(value); exponent -= 22) {
        value *= 1e22;
    }
    double power = num_power(10.0, (uint32_t)(exponent < 0 ? -exponent : exponent) % 23);
    value = exponent < 0 ? value / power : value * power;
    return negative ? -value : value;
}
