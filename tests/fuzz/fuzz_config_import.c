/* fuzz_config_import.c - Hugging Face's config.json: an accepted file gives a valid recipe that can
 * be planned, and that is the same after writing and reading it. A refused file leaves the recipe
 * unchanged. */
#include "api/handles.h"
#include "fuzz.h"
#include "formats/gpt2.h"

/* Checks a refusal: the handle has its status and an English message, the recipe is unchanged. */
static void check_refusal(gpt_config *c, const config *before, int status) {
    char message[2048];
    REQUIRE(status < 0 && c->error.status == status);
    REQUIRE(gpt_config_message(c, message, sizeof message) > 0);
    for (const char *at = message; *at; at++) {
        REQUIRE((unsigned char)*at >= 0x20 && *at != 0x7F); // no control codes for a terminal
    }
    REQUIRE(memcmp(&c->options, before, sizeof *before) == 0);
}

static void check_round_trip(const gpt_config *c) {
    char text[1024];
    text_buffer out = text_begin(text, sizeof text);
    REQUIRE(gpt2_check_export(&c->options, NULL) == GPT_OK);
    gpt2_write_config(&out, &c->options, c->rows, -1);
    size_t length = text_end(&out);
    REQUIRE(length < sizeof text);
    config again;
    int vocab = 0;
    REQUIRE(gpt2_read_config(&again, &vocab, text, length, NULL) == GPT_OK && vocab == c->rows);
    REQUIRE(memcmp(&again, &c->options, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gpt_config *c = gpt_config_create("microgpt");
    REQUIRE(c != NULL);
    config before = c->options;
    int status = gpt_config_import(c, (const char *)data, size);
    if (status < 0) {
        check_refusal(c, &before, status);
    } else {
        REQUIRE(gpt_config_check(c) == GPT_OK && c->rows >= 1 && c->rows <= 65535);
        check_round_trip(c);
        // Only recipes of bytes are planned: a BPE would be learned from the text, which is slow.
        if (gpt_config_get(c, "tokenizer") == TOKENIZER_BYTE &&
            gpt_config_get(c, "layers") * gpt_config_get(c, "context") < 4096) {
            char plan[1024];
            (void)gpt_config_set_memory_limit(c, 1 << 20);
            status = gpt_plan_json(c, "some words to learn", 19, plan, sizeof plan);
            REQUIRE(status > 0 || status == GPT_E_MEMORY || status == GPT_E_SHORT);
        }
    }
    gpt_config_free(c);
    return 0;
}
