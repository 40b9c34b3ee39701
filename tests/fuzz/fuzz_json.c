/* fuzz_json.c - the JSON reader: every token lies within the text, skipping a value ends where
 * walking through it ends, strings survive being written and read again, and numbers are what
 * the C library makes of them. */
#include <math.h>

#include "base/json.h"
#include "base/text_buffer.h"
#include "fuzz.h"

/* A string that is written as JSON again reads as the same string. */
static void check_string(const json_reader *r) {
    char *out = malloc(r->size + 1);
    REQUIRE(out != NULL);
    size_t length = json_string(r, out, r->size);
    REQUIRE(length <= r->size); // unescaping never lengthens
    out[length] = 0;
    REQUIRE(json_is(r, out) == (memchr(out, 0, length) == NULL));
    text_buffer measuring = text_begin(NULL, 0);
    text_put_json_bytes(&measuring, out, length);
    size_t written = text_end(&measuring);
    char *again = malloc(written + 1);
    REQUIRE(again != NULL);
    text_buffer buffer = text_begin(again, written + 1);
    text_put_json_bytes(&buffer, out, length);
    REQUIRE(text_end(&buffer) == written);
    json_reader second = json_open(again, written);
    REQUIRE(json_next(&second) == JSON_STRING);
    char *read = malloc(second.size + 1);
    REQUIRE(read != NULL);
    REQUIRE(json_string(&second, read, second.size) == length && memcmp(read, out, length) == 0);
    REQUIRE(json_next(&second) == JSON_END);
    // A short buffer gets a part, and the whole length is still told.
    char few[3] = {'x', 'x', 'x'};
    REQUIRE(json_string(r, few, 2) == length && few[2] == 'x');
    free(read);
    free(again);
    free(out);
}

/* json.h promises an ulp or two for sensible numbers; here 1e-14 is asked for, far from the
 * limits of double, where both round differently. */
static void check_number(const json_reader *r) {
    char *text = malloc(r->size + 1);
    REQUIRE(text != NULL);
    memcpy(text, r->start, r->size);
    text[r->size] = 0;
    double value = json_number(r), expected = strtod(text, NULL);
    REQUIRE(value == value);
    if (fabs(expected) > 1e-280 && fabs(expected) < 1e280) {
        REQUIRE(fabs(value - expected) <= 1e-14 * fabs(expected));
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_reader r = json_open((const char *)data, size);
    json_reader after[JSON_DEPTH + 1]; // where skipping the value that is open at this depth ended
    size_t tokens = 0;
    json_type type;
    while ((type = json_next(&r)) != JSON_END && type != JSON_ERROR) {
        REQUIRE(++tokens <= size && r.at <= size && r.depth >= 0 && r.depth <= JSON_DEPTH);
        switch (type) {
        case JSON_OBJECT_START:
        case JSON_ARRAY_START:
            after[r.depth] = r;
            (void)json_skip(&after[r.depth]);
            break;
        case JSON_OBJECT_END:
        case JSON_ARRAY_END:
            REQUIRE(after[r.depth + 1].at == r.at && after[r.depth + 1].type == type);
            break;
        case JSON_KEY:
        case JSON_STRING:
            check_string(&r);
            break;
        case JSON_NUMBER:
            check_number(&r);
            break;
        default:
            break;
        }
    }
    for (int depth = 1; depth <= r.depth; depth++) { // what is still open cannot have been skipped
        REQUIRE(type == JSON_ERROR && after[depth].type == JSON_ERROR);
    }
    REQUIRE(json_next(&r) == type || type == JSON_END);
    return 0;
}
