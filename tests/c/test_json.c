/* test_json.c - the JSON reader on valid, invalid, truncated and altered text, and on JSON that
 * text_buffer.h writes. */
#include <stdlib.h>

#include "base/json.h"
#include "base/text_buffer.h"
#include "check.h"

/* True if the whole of `text` is one JSON value. Reads a copy of exactly `length` bytes, so that
 * the address sanitizer reports a read beyond its end. */
static bool accepts(const char *text, size_t length) {
    char *copy = malloc(length ? length : 1);
    if (length) memcpy(copy, text, length);
    json_reader r = json_open(copy, length);
    json_type type;
    size_t tokens = 0;
    while ((type = json_next(&r)) != JSON_END && type != JSON_ERROR) tokens++;
    CHECK(tokens <= length);
    CHECK_INT(json_next(&r), type); // after JSON_END or JSON_ERROR json_next repeats it
    free(copy);
    return type == JSON_END;
}

static bool reads(const char *text) {
    return accepts(text, strlen(text));
}

/* Returns the value of a JSON text that consists of one number. */
static double number(const char *text) {
    json_reader r = json_open(text, strlen(text));
    CHECK_INT(json_next(&r), JSON_NUMBER);
    return json_number(&r);
}

/* Returns the unescaped string of a JSON text that consists of one string, in static memory. */
static const char *string(const char *text) {
    static char out[64];
    json_reader r = json_open(text, strlen(text));
    CHECK_INT(json_next(&r), JSON_STRING);
    size_t length = json_string(&r, out, sizeof out - 1);
    out[length] = 0;
    CHECK(json_is(&r, out));
    return out;
}

static const char *const VALID[] = {"0",
                                    "-0",
                                    "1",
                                    "-1.5e+3",
                                    "0.0E-7",
                                    "1e5",
                                    "true",
                                    "false",
                                    "null",
                                    "\"\"",
                                    "[]",
                                    "{}",
                                    " \t\r\n1 \n",
                                    "[1,2]",
                                    "[[],{},[[]]]",
                                    "{\"a\":1,\"a\":2}",
                                    "{\"\":{\"b\":[null,\"c\"]}}",
                                    "\xEF\xBB\xBF[ 1 , 2 ]",
                                    "{ \"a\" : 1 , \"b\" : 2 }",
                                    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
                                    "\"\xC3\xA9\xF0\x9F\x98\x80\x7F\"",
                                    "\"\\uD83D\\uDE00\"",
                                    "\"\\uD800\""};

static const char *const INVALID[] = {
    // empty, more than one value, or no value
    "", " ", "1 2", "[] []", "{}1", "nul", "truefalse", "nulll", "undefined", "NaN", "Infinity",
    "'a'", "[\xEF\xBB\xBF]", "// 1", "#",
    // numbers
    "+1", "01", "-", "-01", "1.", ".5", "1.e5", "1e", "1e+", "1E-", "0x10", "1_000", "--1", "1.2.3",
    // structure
    "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{1:2}", "{\"a\"}", "{\"a\":}",
    "{\"a\":1,}", "{,}", "{\"a\":1", "{\"a\" 1}", "{\"a\":1]", "{\"a\":1 \"b\":2}", "{a:1}", "[1]]",
    "{\"a\":1}}", "[:]", "{:1}", "[\"a\":1]", "{\"a\",\"b\"}", ",", ":", "[1,,2]",
    // strings
    "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\", "\"\n\"", "\"\x01\"",
    "\"\x1F\"", "\"\\u", "\"\\U0041\"",
    // not UTF-8
    "\"\xFF\"", "\"\xC3\"", "\"\xED\xA0\x80\"", "\"\xC0\x80\"", "\"\xF4\x90\x80\x80\"", "\xFF"};

static void test_reading(void) {
    TEST("every form of valid JSON is accepted") {
        for (size_t i = 0; i < sizeof VALID / sizeof *VALID; i++) {
            if (!CHECK(reads(VALID[i]))) printf("  not read: %s\n", VALID[i]);
        }
    }
    TEST("every kind of invalid JSON is refused") {
        for (size_t i = 0; i < sizeof INVALID / sizeof *INVALID; i++) {
            if (!CHECK(!reads(INVALID[i]))) printf("  read: %s\n", INVALID[i]);
        }
        CHECK(!accepts("\"a\0b\"", 5)); // NUL within a string
        CHECK(!accepts("1\0", 2));      // NUL after a value
        CHECK(!accepts("\"\\\0\"", 4)); // NUL as an escape
    }
    TEST("no truncation of a valid text is accepted or read beyond its end") {
        static const char text[] = "{\"a\":[1.5e3,true,null,\"x\\u00e9\\n\xE4\xB8\x80\"],\"b\":{}}";
        for (size_t length = 0; length < sizeof text - 1; length++) CHECK(!accepts(text, length));
        CHECK(accepts(text, sizeof text - 1));
    }
    TEST("with any single byte changed, the reader stays in bounds and ends") {
        static const char text[] = "{\"a\":[1.5e3,true,\"\\u00e9\"],\"b\":{}}";
        char changed[sizeof text];
        for (size_t at = 0; at < sizeof text - 1; at++) {
            for (int byte = 0; byte < 256; byte++) {
                memcpy(changed, text, sizeof text);
                changed[at] = (char)byte;
                (void)accepts(changed, sizeof text - 1); // checks bounds, and that reading ends
            }
        }
    }
    TEST("nesting is accepted up to JSON_DEPTH levels and refused beyond") {
        char text[2 * JSON_DEPTH + 3];
        for (int depth = JSON_DEPTH; depth <= JSON_DEPTH + 1; depth++) {
            memset(text, '[', (size_t)depth);
            memset(text + depth, ']', (size_t)depth);
            CHECK(accepts(text, 2 * (size_t)depth) == (depth == JSON_DEPTH));
        }
        for (int i = 0; i < JSON_DEPTH / 2; i++) memcpy(text + 2 * i, "[{", 2);
        CHECK(!accepts(text, JSON_DEPTH)); // nested arrays and objects, none closed
    }
    TEST("json_next returns the tokens in order") {
        static const char text[] = " {\"a\" : [ 1, \"b\", true, false, null, {} ] } ";
        static const json_type expected[] = {JSON_OBJECT_START, JSON_KEY,       JSON_ARRAY_START,
                                             JSON_NUMBER,       JSON_STRING,    JSON_TRUE,
                                             JSON_FALSE,        JSON_NULL,      JSON_OBJECT_START,
                                             JSON_OBJECT_END,   JSON_ARRAY_END, JSON_OBJECT_END,
                                             JSON_END,          JSON_END};
        json_reader r = json_open(text, strlen(text));
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            CHECK_INT(json_next(&r), expected[i]);
            if (expected[i] == JSON_KEY) CHECK(json_is(&r, "a"));
        }
    }
    TEST("json_skip skips exactly one value") {
        static const char text[] = "{\"a\":[1,[2,{\"x\":[]}]],\"b\":\"s\",\"c\":7}";
        json_reader r = json_open(text, strlen(text));
        CHECK_INT(json_next(&r), JSON_OBJECT_START);
        CHECK(json_next(&r) == JSON_KEY && json_is(&r, "a") && json_skip(&r));
        CHECK(json_next(&r) == JSON_KEY && json_is(&r, "b") && json_skip(&r));
        CHECK(json_next(&r) == JSON_KEY && json_is(&r, "c"));
        CHECK(json_next(&r) == JSON_NUMBER && json_number(&r) == 7);
        CHECK(json_skip(&r) && json_next(&r) == JSON_OBJECT_END);
        r = json_open("[1,[2}", 6);
        CHECK(json_next(&r) == JSON_ARRAY_START && !json_skip(&r));
    }
}

static void test_values(void) {
    TEST("numbers of up to 15 digits and small exponents are exact") {
        static const char *const cases[] = {"0",
                                            "-0",
                                            "1",
                                            "-1",
                                            "0.1",
                                            "0.001",
                                            "1e-8",
                                            "123.456",
                                            "-2.5e10",
                                            "9007199254740991",
                                            "0.99999",
                                            "1E22",
                                            "1e-22",
                                            "100000000000000e-15",
                                            "0.000000000000001",
                                            "1.50"};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            double expected = strtod(cases[i], NULL), got = number(cases[i]);
            CHECK(memcmp(&expected, &got, sizeof got) == 0); // compares bits: -0 is not 0
        }
    }
    TEST("any other number is within the bound that json.h states") {
        unsigned long long state = 1;
        for (int i = 0; i < 20000; i++) {
            char text[64];
            state = state * 6364136223846793005u + 1442695040888963407u;
            int exponent = (int)(state >> 33) % 600 - 300;
            unsigned long long digits = (state >> 11) + (state << 53 >> 1);
            snprintf(text, sizeof text, "%llu.%llue%d", digits % 100000, digits, exponent);
            double expected = strtod(text, NULL);
            // Bound of the relative error, in half ulps of 2^-53: one for the digits, one for each
            // multiplication by up to 10^22 (fraction digits add up to 19 to the exponent), one of
            // strtod.
            double bound = (3 + (abs(exponent) + 19) / 22) * 0x1p-53;
            if (fabs(number(text) / expected - 1) > bound) {
                printf("  %s\n", text);
                CHECK_NEAR(number(text) / expected, 1, bound);
                break;
            }
        }
    }
    TEST("numbers out of range become infinity or 0") {
        CHECK(number("1e400") == INFINITY && number("-1e99999999999") == -INFINITY);
        CHECK(number("1e-400") == 0 && number("0e99999999999") == 0 &&
              number("0e-99999999999") == 0);
    }
    TEST("a number of 400 digits is within 2^-48 of its value") {
        char text[512];
        memset(text, '0', sizeof text);
        memcpy(text, "1", 1);
        memcpy(text + 401, "e-400", 6);
        CHECK_NEAR(number(text), 1, 0x1p-48); // 19 divisions, each with an error of half an ulp
        memset(text, '0', sizeof text);
        memcpy(text, "0.", 2);
        memcpy(text + 402, "1e401", 6);
        CHECK_NEAR(number(text), 1, 0x1p-48);
    }
    TEST("escapes are decoded: a surrogate pair to one character, a lone surrogate to U+FFFD") {
        CHECK_STRING(string("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), "\"\\/\b\f\n\r\t");
        CHECK_STRING(string("\"\\u0041\\u00e9\\u4E00\""), "A\xC3\xA9\xE4\xB8\x80");
        CHECK_STRING(string("\"\\uD83D\\uDE00\""), "\xF0\x9F\x98\x80");
        CHECK_STRING(string("\"\\uD83Dx\""), "\xEF\xBF\xBDx");
        CHECK_STRING(string("\"\\uDE00\\uD83D\""), "\xEF\xBF\xBD\xEF\xBF\xBD");
        CHECK_STRING(string("\"\\uD83D\\n\""), "\xEF\xBF\xBD\n");
        CHECK_STRING(string("\"\\uD83D\\uD83D\\uDE00\""), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
    }
    TEST("a NUL escape is a byte of the string") {
        char out[4] = "xxx";
        json_reader r = json_open("\"a\\u0000b\"", 10);
        CHECK(json_next(&r) == JSON_STRING && json_string(&r, out, sizeof out) == 3);
        CHECK(memcmp(out, "a\0b", 3) == 0);
        CHECK(!json_is(&r, "a"));
    }
    TEST("a string longer than the buffer is truncated, and its whole length returned") {
        char out[3] = "..";
        json_reader r = json_open("\"a\\u00e9bc\"", 11);
        CHECK(json_next(&r) == JSON_STRING && json_string(&r, out, 2) == 5);
        CHECK(memcmp(out, "a\xC3", 3) == 0);
        CHECK_INT(json_string(&r, NULL, 0), 5);
    }
    TEST("json_is compares the whole unescaped string") {
        json_reader r = json_open("\"st\\u0065p\"", 11);
        CHECK(json_next(&r) == JSON_STRING && json_is(&r, "step"));
        CHECK(!json_is(&r, "ste") && !json_is(&r, "steps") && !json_is(&r, "") &&
              !json_is(&r, "stop"));
    }
}

static void test_round_trip(void) {
    TEST("a JSON string that text_buffer writes reads back equal, invalid UTF-8 as U+FFFD") {
        char text[256], out[2048], back[1024];
        for (int i = 1; i < 128; i++) text[i - 1] = (char)i;
        memcpy(text + 127, "\xC3\xA9\xE4\xB8\x80\xF0\x9F\x98\x80", 10);
        text_buffer buffer = text_begin(out, sizeof out);
        text_put_json_string(&buffer, text);
        size_t length = text_end(&buffer);
        json_reader r = json_open(out, length);
        CHECK_INT(json_next(&r), JSON_STRING);
        CHECK_INT(json_string(&r, back, sizeof back), strlen(text));
        CHECK(memcmp(back, text, strlen(text)) == 0);
        CHECK_INT(json_next(&r), JSON_END);

        buffer = text_begin(out, sizeof out);
        text_put_json_string(&buffer, "a\xFFz\xC3");
        text_end(&buffer);
        CHECK_STRING(string(out), "a\xEF\xBF\xBDz\xEF\xBF\xBD");
    }
    TEST("a JSON number that text_buffer writes reads back to nine digits") {
        for (int exponent = -300; exponent <= 300; exponent++) {
            double value = (exponent % 2 ? -1.23456789 : 9.87654321) * pow(10, exponent);
            char out[64];
            text_buffer buffer = text_begin(out, sizeof out);
            text_put_json_number(&buffer, value);
            text_end(&buffer);
            CHECK_NEAR(number(out) / value, 1, 5e-9);
        }
    }
}

int main(void) {
    test_reading();
    test_values();
    test_round_trip();
    return check_report();
}
