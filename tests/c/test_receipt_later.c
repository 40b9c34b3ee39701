/* test_receipt_later.c - an option that is added later changes no older receipt. This program is an
 * engine with three invented options (later_options.h). */
#include <stdlib.h>

#include "api/gpt.h"
#include "check.h"

/* The text of a run, and its receipt from an engine without the invented options. */
static const char TEXT_PATH[] = "tests/fixtures/raw-bytes/names-crlf.txt";
static const char RECEIPT_PATH[] = "tests/fixtures/raw-bytes/names-crlf.receipt.json";

typedef struct file {
    char bytes[1 << 16];
    size_t size;
} file;

static void read_file(file *into, const char *path) {
    FILE *from = fopen(path, "rb");
    into->size = from ? fread(into->bytes, 1, sizeof into->bytes, from) : 0;
    CHECK(into->size > 0 && into->size < sizeof into->bytes);
    if (from) fclose(from);
}

/* Replays a receipt. Returns 1 if the run is the same, 0 if it differs, -1 if the receipt is
 * refused. */
static int replay(const char *json, size_t size, const file *text) {
    gpt_config *config = gpt_config_create("microgpt");
    gpt_verifier *verifier = gpt_verify_open(config, json, size, text->bytes, text->size);
    int result = -1;
    if (verifier) {
        char finding[512];
        while (gpt_verify_step(verifier) == GPT_OK) {}
        CHECK(gpt_verify_json(verifier, finding, sizeof finding) > 0);
        result = strncmp(finding, "{\"same\":true", 12) == 0;
    }
    gpt_verify_free(verifier);
    gpt_config_free(config);
    return result;
}

int main(void) {
    static file text, before;
    static char json[1 << 16], line[128];
    read_file(&text, TEXT_PATH);
    read_file(&before, RECEIPT_PATH);
    TEST("a receipt from before the options verifies") {
        CHECK(strstr(before.bytes, "later_") == NULL);
        CHECK_INT(replay(before.bytes, before.size, &text), 1);
    }
    TEST("a new option at its old value leaves the receipt's line unchanged; another value is "
         "named") {
        for (int changed = 0; changed < 2; changed++) {
            gpt_config *config = gpt_config_create("microgpt");
            CHECK_INT(gpt_config_set(config, "layers", 1), GPT_OK);
            CHECK_INT(gpt_config_set(config, "heads", 1), GPT_OK);
            CHECK_INT(gpt_config_set(config, "channels", 4), GPT_OK);
            CHECK_INT(gpt_config_set(config, "context", 8), GPT_OK);
            CHECK_INT(gpt_config_set(config, "steps", 40), GPT_OK);
            CHECK_INT(gpt_config_set(config, "later_number", changed ? 2 : 0.5), GPT_OK);
            gpt_trainer *trainer = gpt_trainer_create(config, text.bytes, text.size);
            while (gpt_step(trainer) == GPT_OK) {}
            int size = gpt_receipt_json(trainer, json, sizeof json);
            CHECK(gpt_receipt_line(trainer, line, sizeof line) > 0);
            CHECK(size > 0 && (strstr(json, "later_number") != NULL) == (changed == 1));
            CHECK((strstr(before.bytes, line) != NULL) == (changed == 0));
            CHECK_INT(replay(json, (size_t)size, &text), 1);
            gpt_trainer_free(trainer);
            gpt_config_free(config);
        }
    }
    return check_report();
}
