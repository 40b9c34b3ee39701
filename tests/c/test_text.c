/* test_text.c - UTF-8, lines of a text, and writing texts, numbers and JSON values into a
 * buffer. */
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/lines.h"
#include "base/error.h"
#include "base/text_buffer.h"
#include "base/utf8.h"
#include "check.h"

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

/* Encodes a code point by the arithmetic definition of UTF-8; returns the number of bytes. */
static int encode_by_definition(uint32_t code, unsigned char out[4]) {
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned lead[5] = {0, 0, 192, 224, 240};
    for (int i = length - 1; i > 0; i--, code /= 64) {
        out[i] = (unsigned char)(128 + code % 64);
    }
    out[0] = (unsigned char)(lead[length] + code);
    return length;
}

static bool is_surrogate(uint32_t code) {
    return code >= 0xD800 && code < 0xE000;
}

/* A set of strings of one to three bytes: bits[length] has one bit for every string of that length,
 * set if the string is in the set. */
typedef struct byte_strings {
    unsigned char *bits[4];
} byte_strings;

static size_t string_number(const unsigned char *bytes, int length) {
    size_t number = 0;
    for (int i = 0; i < length; i++) number = number << 8 | bytes[i];
    return number;
}

static void mark(byte_strings *set, const unsigned char *bytes, int length) {
    size_t number = string_number(bytes, length);
    set->bits[length][number >> 3] |= (unsigned char)(1u << (number & 7));
}

static bool marked(const byte_strings *set, const unsigned char *bytes, int length) {
    size_t number = string_number(bytes, length);
    return set->bits[length][number >> 3] >> (number & 7) & 1;
}

/* Compares the result of utf8_next at the start of `bytes` (count) with two sets: `whole`, all
 * characters, and `begun`, all incomplete beginnings of characters. */
static void check_symbol(const byte_strings *whole, const byte_strings *begun,
                         const unsigned char *bytes, int count) {
    int length = 0;
    for (int i = 1; i <= count && i <= 3; i++) {
        length = marked(whole, bytes, i) ? i : length;
    }
    utf8_symbol s = utf8_next(bytes, (size_t)count);
    bool good = s.valid == (length > 0) && s.length == (length ? length : 1) &&
                s.incomplete == (!length && marked(begun, bytes, count)) &&
                (s.valid || s.code == 0xDC00u + bytes[0]);
    if (!good) CHECK(good);
}

static void test_utf8(void) {
    TEST("every code point is encoded by the definition of UTF-8, and decoded to itself") {
        for (uint32_t code = 0; code < UTF8_CODE_POINTS; code++) {
            if (is_surrogate(code)) continue;
            unsigned char expected[4], out[4];
            int length = encode_by_definition(code, expected);
            bool same = utf8_encode(code, out) == length && !memcmp(out, expected, (size_t)length);
            utf8_symbol s = utf8_next(expected, (size_t)length);
            if (!same || s.code != code || s.length != length || !s.valid || s.incomplete) {
                CHECK_INT(s.code, code);
                CHECK(same && s.valid);
                break;
            }
        }
    }
    TEST("an invalid byte is decoded to U+DC80 .. U+DCFF, and encoded as the same byte") {
        for (unsigned byte = 0x80; byte < 0x100; byte++) {
            unsigned char bytes[2] = {(unsigned char)byte, 'a'}, out[4];
            utf8_symbol s = utf8_next(bytes, 2);
            CHECK(!s.valid && s.length == 1 && s.code == 0xDC00 + byte && !s.incomplete);
            CHECK_INT(utf8_encode(s.code, out), 1);
            CHECK_INT(out[0], byte);
        }
    }
    TEST("every string of one to three bytes is valid, incomplete or invalid as UTF-8 defines") {
        byte_strings whole = {{NULL}}, begun = {{NULL}};
        for (int i = 1; i <= 3; i++) {
            whole.bits[i] = calloc((size_t)1 << (8 * i - 3), 1);
            begun.bits[i] = calloc((size_t)1 << (8 * i - 3), 1);
        }
        for (uint32_t code = 0; code < UTF8_CODE_POINTS; code++) {
            unsigned char bytes[4];
            int length = encode_by_definition(code, bytes);
            if (is_surrogate(code)) continue;
            if (length <= 3) mark(&whole, bytes, length);
            for (int i = 1; i < length; i++) mark(&begun, bytes, i);
        }
        // A third byte is tried only if the first byte is at least 0xC0: otherwise utf8_next looks
        // at the first byte alone.
        for (int a = 0; a < 0x100; a++) {
            unsigned char bytes[3] = {(unsigned char)a};
            check_symbol(&whole, &begun, bytes, 1);
            for (int b = 0; b < 0x100; b++) {
                bytes[1] = (unsigned char)b;
                check_symbol(&whole, &begun, bytes, 2);
                for (int c = 0; c < 0x100 && a >= 0xC0; c++) {
                    bytes[2] = (unsigned char)c;
                    check_symbol(&whole, &begun, bytes, 3);
                }
            }
        }
        for (int i = 1; i <= 3; i++) {
            free(whole.bits[i]);
            free(begun.bits[i]);
        }
    }
    TEST("four bytes are valid exactly from U+10000 to U+10FFFF") {
        static const struct {
            const char *bytes;
            bool valid, incomplete;
        } cases[] = {
            {"\xF0\x8F\xBF\xBF", false, false}, {"\xF0\x90\x80\x80", true, false},
            {"\xF4\x8F\xBF\xBF", true, false},  {"\xF4\x90\x80\x80", false, false},
            {"\xF5\x80\x80\x80", false, false}, {"\xF8\x88\x80\x80", false, false},
            {"\xF1\x80\x80", false, true},      {"\xF1\x80\x80z", false, false},
            {"\xF1\x80z\x80", false, false},    {"\xF1z\x80\x80", false, false},
            {"\xF1\x80\x80\xC0", false, false}, {"\xFF\xFE", false, false},
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            utf8_symbol s = utf8_next((const unsigned char *)cases[i].bytes,
                                      strlen(cases[i].bytes));
            CHECK(s.valid == cases[i].valid && s.incomplete == cases[i].incomplete);
        }
    }
    TEST("utf8_next reads no byte beyond the count") {
        utf8_symbol s = utf8_next((const unsigned char *)"\xE4\xB8\x80", 2);
        CHECK(!s.valid && s.incomplete && s.length == 1);
        unsigned char *one = malloc(1); // the sanitizer reports a read past the byte
        *one = 0xE4;
        CHECK(utf8_next(one, 1).incomplete);
        free(one);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Returns the lines of `text`, joined by "|", in static memory. */
static const char *lines_of(const char *text, size_t bytes) {
    static char out[128];
    text_buffer buffer = text_begin(out, sizeof out);
    text_line line = {0};
    for (bool first = true; lines_next(text, bytes, &line); first = false) {
        text_put(&buffer, first ? "" : "|");
        text_put_bytes(&buffer, text + line.start, line.length);
    }
    text_end(&buffer);
    return out;
}

static void test_lines(void) {
    TEST("lines end at LF or at the end of the text, without CRs before it; empty lines are "
         "skipped") {
        static const char *const cases[][2] = {
            {"", ""},
            {"\n", ""},
            {"\r\n\r\n\n", ""},
            {"\r\r\r", ""},
            {"a", "a"},
            {"a\n", "a"},
            {"a\nb", "a|b"},
            {"a\r\nb\r\n", "a|b"},
            {"a\r\r\nb\r", "a|b"},
            {"\n\na\n\n\nb\n\n", "a|b"},
            {"a\ra\nb", "a\ra|b"}, // a CR within a line is a character
            {"\ra\n", "\ra"},
            {" \n\ta ", " |\ta "}, // spaces are characters
            {"a\na\na", "a|a|a"},  // duplicates are kept
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            CHECK_STRING(lines_of(cases[i][0], strlen(cases[i][0])), cases[i][1]);
        }
    }
    TEST("a NUL is a character of its line") {
        text_line line = {0};
        CHECK(lines_next("a\0b\nc", 5, &line) && line.start == 0 && line.length == 3);
        CHECK(lines_next("a\0b\nc", 5, &line) && line.start == 4 && line.length == 1);
        CHECK(!lines_next("a\0b\nc", 5, &line));
    }
}

/* ---- writing texts --------------------------------------------------------------------------- */

/* Returns `value` as text_put_number writes it, in static memory. */
static const char *number(double value) {
    static char out[64];
    text_buffer buffer = text_begin(out, sizeof out);
    text_put_number(&buffer, value);
    text_end(&buffer);
    return out;
}

static void test_writer(void) {
    TEST("whole numbers are written exactly up to 2^53") {
        CHECK_STRING(number(0), "0");
        CHECK_STRING(number(-7), "-7");
        CHECK_STRING(number(4294967296.0), "4294967296");
        CHECK_STRING(number(9007199254740992.0), "9007199254740992");
        CHECK_STRING(number(-9007199254740991.0), "-9007199254740991");
    }
    TEST("other numbers are written with at most nine digits and no trailing zeros") {
        CHECK_STRING(number(0.1), "0.1");
        CHECK_STRING(number(0.02), "0.02");
        CHECK_STRING(number(1e-8), "1e-8");
        CHECK_STRING(number(0.99999), "0.99999");
        CHECK_STRING(number(-1234.5), "-1234.5");
        CHECK_STRING(number(1.0 / 3), "0.333333333");
        CHECK_STRING(number(0.9999999999), "1");
        CHECK_STRING(number(1e300), "1e300");
        CHECK_STRING(number(NAN), "NaN");
        CHECK_STRING(number(INFINITY), "infinity");
        CHECK_STRING(number(-INFINITY), "-infinity");
    }
    TEST("a number of any size reads back within half a unit of the ninth digit") {
        for (int exponent = -300; exponent <= 300; exponent++) {
            for (int i = 0; i < 20; i++) {
                double value = (i % 2 ? -1 : 1) * (1 + i * 0.4499999) * pow(10, exponent);
                // Tolerance: at most 600 multiplications by ten, each with an error of half an ulp:
                // 7e-14.
                CHECK_NEAR(strtod(number(value), NULL) / value, 1, 5e-9 + 1e-13);
            }
        }
    }
    TEST("NaN and infinity are null in JSON") {
        char out[32];
        text_buffer buffer = text_begin(out, sizeof out);
        text_put_json_number(&buffer, NAN);
        text_put_json_number(&buffer, -INFINITY);
        text_put_json_number(&buffer, 1.5);
        text_end(&buffer);
        CHECK_STRING(out, "nullnull1.5");
    }
    TEST("hexadecimal is padded to its width and never truncated") {
        char out[32];
        text_buffer buffer = text_begin(out, sizeof out);
        text_put_hex(&buffer, 0xE9, 4);
        text_put_hex(&buffer, 0x1F600, 4);
        text_put_hex(&buffer, 0, 1);
        text_end(&buffer);
        CHECK_STRING(out, "00E91F6000");
    }
    TEST("a text that does not fit is truncated and NUL-terminated, and its whole length counted") {
        for (size_t capacity = 1; capacity <= 8; capacity++) {
            char *out = malloc(capacity); // the sanitizer reports a write past the end
            text_buffer buffer = text_begin(out, capacity);
            text_put(&buffer, "abc");
            text_put(&buffer, "def");
            int answer = text_answer(&buffer, NULL);
            CHECK_INT(answer, capacity > 6 ? 6 : GPT_E_CAPACITY);
            CHECK_INT(buffer.length, 6);
            CHECK_INT(strlen(out), capacity > 6 ? 6 : capacity - 1);
            CHECK(strncmp(out, "abcdef", capacity - 1) == 0);
            free(out);
        }
        text_buffer nowhere = text_begin(NULL, 100);
        text_put(&nowhere, "abc");
        CHECK_INT(text_answer(&nowhere, NULL), GPT_E_CAPACITY);
        CHECK_INT(nowhere.length, 3);
    }
}

int main(void) {
    test_utf8();
    test_lines();
    test_writer();
    return check_report();
}
