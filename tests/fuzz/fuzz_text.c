/* fuzz_text.c - texts: any bytes become a dataset that decodes to the same bytes, with batches of
 * existing ids; and any text that is not empty gets a recipe that can be trained.
 *
 * Input: one byte each for the tokenizer, the sequences, special tokens, the vocabulary to learn,
 * the context, the held-out share and the batch; the text. */
#include "base/lines.h"
#include "fit/fit.h"
#include "fuzz.h"
#include "tape/ops.h"
#include "train/dataset.h"

enum { BATCH_MAX = 4, CONTEXT_MAX = 64 };

/* Checks that the tokens from..to-1 decode to the text. */
static void check_bytes(const dataset *d, uint64_t from, uint64_t to, const char *text,
                        size_t bytes) {
    static const char special[] = "<|endoftext|>";
    size_t at = 0;
    for (uint64_t i = from; i < to; i++) {
        unsigned char token[TOKEN_BYTES_MAX];
        REQUIRE(d->tokens[i] < d->tokenizer.vocab);
        size_t count = (size_t)tokenizer_bytes(&d->tokenizer, d->tokens[i], token);
        const void *expected = token;
        if (d->tokens[i] == d->tokenizer.bos) { // only if special tokens are read from a text
            REQUIRE(d->tokenizer.specials && count == 0);
            expected = special;
            count = sizeof special - 1;
        }
        REQUIRE(count > 0 && count <= bytes - at && memcmp(text + at, expected, count) == 0);
        at += count;
    }
    REQUIRE(at == bytes);
}

static void check_tokens(const dataset *d, const fuzz_part *text) {
    if (!d->documents) {
        check_bytes(d, 0, d->token_count, text->text, text->bytes);
        return;
    }
    text_line line = {0};
    uint64_t document = 0;
    for (; lines_next(text->text, text->bytes, &line); document++) {
        REQUIRE(document < d->document_count);
        check_bytes(d, d->start[document], d->start[document + 1], text->text + line.start,
                    line.length);
    }
    REQUIRE(document == d->document_count && d->start[document] == d->token_count);
}

static void check_batch(const dataset *d, const batch *b) {
    REQUIRE(b->B >= 1 && b->B <= BATCH_MAX && b->T >= 1 && b->T <= d->context);
    int targets = 0;
    for (int i = 0; i < b->B * b->T; i++) {
        REQUIRE(b->inputs[i] >= 0 && b->inputs[i] < d->tokenizer.vocab);
        REQUIRE(b->targets[i] == NO_TARGET ||
                (b->targets[i] >= 0 && b->targets[i] < d->tokenizer.vocab));
        targets += b->targets[i] != NO_TARGET;
    }
    REQUIRE(targets == b->targets_count && targets > 0);
}

static void check_batches(dataset *d, int B) {
    static int32_t inputs[BATCH_MAX * CONTEXT_MAX], targets[BATCH_MAX * CONTEXT_MAX];
    batch b = {inputs, targets, 0, 0, 0};
    rng stream = rng_from_seed(1);
    dataset_shuffle(d, &stream);
    for (uint64_t step = 0; step < 3; step++) {
        dataset_batch(d, &b, step ? UINT64_MAX >> step : 0, B, &stream);
        check_batch(d, &b);
    }
    uint64_t held_out = dataset_held_out(d);
    for (uint64_t i = 0; i < held_out && i < 12; i += (uint64_t)B) {
        dataset_held_out_batch(d, &b, i, 1, B);
        check_batch(d, &b);
    }
}

/* Sets a recipe from the input. Returns the batch size. */
static int choose(config *c, fuzz_input *in) {
    REQUIRE(config_from_preset(c, "microgpt", NULL) == GPT_OK);
    c->value[OPT_TOKENIZER] = fuzz_choice(in, 3);
    c->value[OPT_SEQUENCES] = fuzz_choice(in, 2);
    c->value[OPT_SPECIAL_TOKENS] = fuzz_choice(in, 2);
    c->value[OPT_VOCABULARY] = 256 + fuzz_choice(in, 64);
    c->value[OPT_CONTEXT] = 2 + fuzz_choice(in, CONTEXT_MAX - 1);
    c->value[OPT_VALIDATION] = fuzz_choice(in, 6) / 10.0;
    return 1 + fuzz_choice(in, BATCH_MAX);
}

/* Checks the tokens per character: positive, or NaN if there are no characters. */
static void check_characters(const dataset *d) {
    for (int held_out = 0; held_out < 2; held_out++) {
        double tokens = dataset_tokens_per_character(d, held_out);
        REQUIRE(!(tokens <= 0 || tokens > 1e9)); // true for NaN
    }
}

/* Checks the size of the held-out text. A shorter buffer receives a part; the sanitizer detects a
 * write beyond it. */
static void check_held_out_text(const dataset *d, size_t bytes) {
    size_t room = 2 * bytes + 16; // documents add a line break each
    unsigned char *text = malloc(room);
    REQUIRE(text != NULL);
    size_t whole = dataset_held_out_text(d, text, room);
    REQUIRE(whole < room);
    free(text);
    unsigned char *half = malloc(whole / 2 + 1);
    REQUIRE(half != NULL && dataset_held_out_text(d, half, whole / 2) <= whole / 2);
    free(half);
}

/* Checks that the recipe fitted to a text is valid and makes a dataset of that text. */
static void check_fit(const fuzz_part *text) {
    static fit f;
    if (text->bytes == 0) {
        return;
    }
    REQUIRE(fit_text(&f, FIT_NEWEST, text->text, text->bytes) == GPT_OK);
    REQUIRE(config_check(&f.recipe, NULL) == GPT_OK);
    for (int i = 0; i < OPT_COUNT; i++) {
        const config_row *row = &CONFIG_ROWS[i];
        REQUIRE(f.recipe.value[i] >= row->min && f.recipe.value[i] <= row->max);
    }
    dataset d;
    arena measuring;
    arena_open_measuring(&measuring);
    bpe_source source = {0};
    int status = dataset_open(&d, &f.recipe, NULL, &source, text->text, text->bytes, &measuring,
                              NULL);
    REQUIRE(status == GPT_OK || status == GPT_E_EMPTY);
    bpe_source_close(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_open(data, size);
    config c;
    int B = choose(&c, &in);
    fuzz_part text = fuzz_rest(&in);
    bpe_source source = {0};
    gpt_error error = {0};
    dataset measured, d;
    arena measuring, memory = {0};
    arena_open_measuring(&measuring);
    int status = dataset_open(&measured, &c, NULL, &source, text.text, text.bytes, &measuring,
                              &error);
    REQUIRE(status == error.status && status <= GPT_OK);
    if (status == GPT_OK) {
        REQUIRE(arena_open(&memory, measuring.peak, NULL) == GPT_OK);
        REQUIRE(dataset_open(&d, &c, NULL, &source, text.text, text.bytes, &memory, NULL) ==
                GPT_OK);
        REQUIRE(memory.used == measuring.used && d.token_count == measured.token_count);
        check_tokens(&d, &text);
        check_batches(&d, B);
        check_characters(&d);
        check_held_out_text(&d, text.bytes);
    }
    check_fit(&text);
    arena_close(&memory);
    bpe_source_close(&source);
    free(text.text);
    return 0;
}
