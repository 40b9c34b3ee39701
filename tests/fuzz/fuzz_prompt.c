/* fuzz_prompt.c - prompts, probes and encoding with trained models: any bytes and numbers give
 * valid UTF-8, or an error.
 *
 * Input: one byte each for the model, temperature, top-k, top-p, seed and tokens; the prompt. */
#include "api/gpt.h"
#include "base/utf8.h"
#include "fuzz.h"

static const char TEXT[] = "the cat sat on the mat\nthe r\303\244t ran\n\xE8\xB4\x9D\xE5\xA3\xB3 "
                           "<|endoftext|>\xFF that cat had a hat\na bat\n";

/* Returns the model of a tokenizer and a kind of sequences, trained for one step on first use. */
static gpt_trainer *model_of(int which) {
    static gpt_trainer *models[6];
    if (!models[which]) {
        gpt_config *c = gpt_config_create("microgpt");
        REQUIRE(c != NULL);
        const struct {
            const char *option;
            double value;
        } options[] = {{"tokenizer", which % 3}, {"sequences", which / 3},
                       {"special_tokens", 1},    {"layers", 1},
                       {"channels", 4},          {"heads", 2},
                       {"context", 12},          {"batch", 1},
                       {"vocabulary", 270}};
        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
            REQUIRE(gpt_config_set(c, options[i].option, options[i].value) == GPT_OK);
        }
        models[which] = gpt_trainer_create(c, TEXT, sizeof TEXT - 1);
        REQUIRE(models[which] != NULL && gpt_step(models[which]) == GPT_OK);
        gpt_config_free(c);
    }
    return models[which];
}

static void check_utf8(const char *text, int bytes) {
    for (int at = 0; at < bytes;) {
        utf8_symbol s = utf8_next((const unsigned char *)text + at, (size_t)(bytes - at));
        REQUIRE(s.valid);
        at += s.length;
    }
}

static void check_error(gpt_trainer *t, int status) {
    char out[2048];
    REQUIRE(status < 0 && gpt_trainer_error(t, out, sizeof out) > 0);
    REQUIRE(gpt_trainer_message(t, out, sizeof out) > 0);
}

/* Continues after a sampled text: sets any id, skips draws, recomputes the cache. */
static void go_on(gpt_trainer *t, const uint8_t *numbers) {
    double drawn = gpt_sample_uniform(gpt_trainer_sampler(t));
    REQUIRE(!(drawn < 0 || drawn >= 1)); // NaN if nothing was drawn
    REQUIRE(gpt_sample_skip(gpt_trainer_sampler(t), numbers[3]) == GPT_OK);
    int id = numbers[4] * 3 - 2, vocab = (int)gpt_trainer_get(t, "vocab");
    bool ended = gpt_sample_ended(gpt_trainer_sampler(t)) != 0;
    int status = gpt_sample_take(gpt_trainer_sampler(t), id);
    REQUIRE(ended || status == (id >= 0 && id < vocab ? id : GPT_E_ARGUMENT) || status < 0);
    int rows = gpt_sample_rows(gpt_trainer_sampler(t)),
        read = gpt_sample_reread(gpt_trainer_sampler(t));
    REQUIRE(rows >= 0 && rows <= (int)gpt_trainer_get(t, "context"));
    REQUIRE(read < 0 || (read == rows && gpt_sample_context(gpt_trainer_sampler(t)) != NULL));
}

static void sample(gpt_trainer *t, const fuzz_part *prompt, const uint8_t *numbers) {
    static const double temperatures[] = {0, 1e-9, 1e-3, 0.7, 1, 100, 101, -1, __builtin_nan("")};
    static const int tops[] = {0, 1, 3, 300, 2147483647, -1};
    static const double shares[] = {1, 0.9, 1e-30, 0, 2};
    static const double seeds[] = {1, 0, 9007199254740991.0, 1e17, -1, __builtin_nan("")};
    char out[4096], whole[4096];
    double seed = seeds[numbers[3] % 6];
    int length = gpt_sample(t, prompt->text, prompt->bytes, numbers[4] % 40,
                            temperatures[numbers[0] % 9], tops[numbers[1] % 6],
                            shares[numbers[2] % 5], seed, out, sizeof out);
    if (length < 0) {
        check_error(t, length);
    } else {
        check_utf8(out, length);
        REQUIRE((size_t)length == strlen(out) || memchr(out, 0, (size_t)length));
        int raw = gpt_sample_bytes(gpt_trainer_sampler(t), whole, sizeof whole);
        REQUIRE(raw >= 0 && gpt_sample_probabilities(gpt_trainer_sampler(t), 0) &&
                gpt_sample_probabilities(gpt_trainer_sampler(t), 1));
        REQUIRE(length == 0 ||
                gpt_sample_text(gpt_trainer_sampler(t), out, (size_t)length) == GPT_E_CAPACITY);
        go_on(t, numbers);
    }
    if (seed == -1) {
        REQUIRE(gpt_rewind(t) == GPT_OK); // seed -1 drew from the stream of the trainer: restart it
    }
}

/* Encodes a text. The bytes of the ids, with <|endoftext|> for BOS, must be the text. */
static void encode(gpt_trainer *t, const fuzz_part *text) {
    int count = gpt_encode(t, text->text, text->bytes, NULL, 0);
    size_t room = text->bytes + 1, at = 0;
    int32_t *ids = calloc(room, sizeof *ids);
    REQUIRE(ids != NULL && (count < 0 || (text->bytes == 0 && count == 0)));
    count = gpt_encode(t, text->text, text->bytes, ids, room);
    for (int i = 0; i < count; i++) {
        char bytes[256];
        int length = gpt_token_bytes(t, ids[i], bytes, sizeof bytes);
        REQUIRE(length >= 0 && (size_t)length <= text->bytes - at);
        REQUIRE(memcmp(text->text + at, bytes, (size_t)length) == 0);
        at += length ? (size_t)length : strlen("<|endoftext|>");
    }
    if (count < 0) {
        check_error(t, count);
    } else {
        REQUIRE(at == text->bytes);
    }
    free(ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_open(data, size);
    gpt_trainer *t = model_of(fuzz_choice(&in, 6));
    uint8_t numbers[5];
    for (int i = 0; i < 5; i++) {
        numbers[i] = (uint8_t)fuzz_choice(&in, 256);
    }
    fuzz_part prompt = fuzz_rest(&in);
    sample(t, &prompt, numbers);
    encode(t, &prompt);
    int tokens = gpt_probe(t, prompt.text, prompt.bytes, numbers[0] & 1);
    if (tokens < 0) {
        check_error(t, tokens);
        REQUIRE(gpt_probe_tokens(t) == NULL);
    } else {
        REQUIRE(tokens >= 1 && tokens <= 12 && gpt_probe_data(t, 0) != NULL);
    }
    free(prompt.text);
    return 0;
}
