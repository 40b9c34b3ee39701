/* fuzz_receipt.c - receipts: an accepted receipt is the same after writing and reading it, and its
 * replay ends with a result. Any other input is refused with a status.
 *
 * Input: the long form of a receipt. Every replay uses TEXTS, so that a receipt of these texts, or
 * of a fork from one to the other, can be verified. */
#include <stdint.h>

#include "api/handles.h"
#include "base/json.h"
#include "fuzz.h"
#include "io/receipt.h"

static const char *const TEXTS[] = {"ab\nba\naab\nbb\n", "bab\na\nabba\n"};
enum { TEXT_COUNT = 2, STEPS = 8 };
static char first[1 << 17], second[1 << 17];

static size_t written(const receipt *r, char *out, size_t capacity) {
    text_buffer buffer = text_begin(out, capacity);
    receipt_write(r, &buffer);
    size_t length = text_end(&buffer);
    REQUIRE(length < capacity);
    return length;
}

/* Writes the receipt and reads it again: both must be equal. The short form must be one word. */
static void check_round_trip(const receipt *r) {
    size_t length = written(r, first, sizeof first);
    receipt again[RECEIPT_RUNS_MAX];
    gpt_error error = {0};
    int runs = receipt_read(again, first, length, &error);
    REQUIRE(runs == r->run.parent.runs + 1);
    REQUIRE(again->run.step == r->run.step && again->run.loss_count == r->run.loss_count);
    REQUIRE(written(again, second, sizeof second) == length);
    REQUIRE(memcmp(first, second, length) == 0);
    receipt_close(again, runs);

    // receipt_adopt must accept the receipt as the parent of a fork.
    run_parent parent = {0};
    char *copy = malloc(length);
    REQUIRE(copy != NULL);
    memcpy(copy, first, length);
    REQUIRE(receipt_adopt(&parent, copy, length, &error) == GPT_OK && parent.runs == runs);
    free((char *)parent.json);

    char line[RECEIPT_LINE_MAX];
    text_buffer buffer = text_begin(line, sizeof line);
    receipt_write_line(r, &buffer);
    REQUIRE(text_end(&buffer) < sizeof line && strncmp(line, "gh1-", 4) == 0);
    REQUIRE(strcspn(line, " \n\"") == strlen(line));
}

/* Replays up to STEPS steps of a receipt; a refusal must have a message. */
static void check_replay(const char *json, size_t bytes) {
    gpt_config *c = gpt_config_create("microgpt");
    REQUIRE(c != NULL);
    (void)gpt_config_set_memory_limit(c, 4 << 20);
    size_t sizes[TEXT_COUNT] = {strlen(TEXTS[0]), strlen(TEXTS[1])};
    gpt_verifier *v = gpt_verify_open_all(c, json, bytes, TEXTS, sizes, TEXT_COUNT);
    if (!v) {
        char message[2048];
        REQUIRE(gpt_config_message(c, message, sizeof message) > 0);
    } else {
        int status = 0;
        for (int step = 0; step < STEPS && status == GPT_OK; step++) {
            status = gpt_verify_step(v);
        }
        REQUIRE(status == GPT_OK || status == GPT_END || status < 0);
        char out[2048];
        int length = gpt_verify_json(v, out, sizeof out);
        REQUIRE(length > 0);
        json_reader r = json_open(out, (size_t)length);
        REQUIRE(json_next(&r) == JSON_OBJECT_START && json_skip(&r) && json_next(&r) == JSON_END);
    }
    gpt_verify_free(v);
    gpt_config_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_part json = fuzz_copy(data, size, false);
    receipt read[RECEIPT_RUNS_MAX];
    gpt_error error = {0};
    int runs = receipt_read(read, json.text, json.bytes, &error);
    if (runs > 0) {
        check_round_trip(read);
        bool quick = true;
        for (int i = 0; i < runs; i++) {
            const config *c = &read[i].run.initial;
            quick = quick && config_int(c, OPT_TOKENIZER) != TOKENIZER_BPE &&
                    config_int(c, OPT_LAYERS) * config_int(c, OPT_CONTEXT) <= 64;
        }
        if (quick) {
            check_replay(json.text, json.bytes);
        }
        receipt_close(read, runs);
    } else {
        REQUIRE(runs < 0 && error.status == runs);
    }
    free(json.text);
    return 0;
}
