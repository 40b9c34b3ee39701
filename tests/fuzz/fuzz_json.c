/* fuzz_json.c - the JSON reader: every token is within the text, skipping a value ends where
 * reading it ends, strings are the same after writing and reading them, and numbers agree with
 * strtod. */
#include <math.h>

#include "base/json.h"
#include "base/text_buffer.h"
#include "fuzz.h"

/* Writes the string as JSON and reads it again: the result must be equal. */
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
    // A short buffer receives a part; the return value is still the whole length.
    char few[3] = {'x', 'x', 'x'};
    REQUIRE(json_string(r, few, 2) == length && few[2] == 'x');
    free(read);
    free(again);
    free(out);
}

/* Compares with strtod. json.h promises an error of an ulp or two for usual numbers; the limit here
 * is 1e-14, except near the limits of double, where the two round differently. */
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
    json_reader after[JSON_DEPTH + 1]; // [depth]: the reader after json_skip of the open value
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
    for (int depth = 1; depth <= r.depth; depth++) { // values without an end: json_skip failed too
        REQUIRE(type == JSON_ERROR && after[depth].type == JSON_ERROR);
    }
    REQUIRE(json_next(&r) == type || type == JSON_END);
    return 0;
}
