/* test_data.c - tokenizers and datasets: bytes to tokens and back, the held-out part, batches. */
#include "models.h"
#include "train/dataset.h"

/* ---- a dataset in its own arena -------------------------------------------------------------- */

typedef struct data_bench {
    arena memory;
    dataset d;
    gpt_error error;
    int status;
    int32_t inputs[512], targets[512];
    batch b;
} data_bench;

/* Opens a dataset of a text. False on failure, with the error in *k. The caller closes *k with
 * data_close, even after a failure. */
static bool data_open(data_bench *k, const config *c, const char *text, size_t bytes) {
    memset(k, 0, sizeof *k);
    k->b.inputs = k->inputs;
    k->b.targets = k->targets;
    if (!CHECK_INT(arena_open(&k->memory, 1 << 20, NULL), GPT_OK)) return false;
    k->status = dataset_open(&k->d, c, NULL, NULL, text, bytes, &k->memory, &k->error);
    return k->status == GPT_OK;
}

static void data_close(data_bench *k) {
    arena_close(&k->memory);
}

/* Returns a config with these options; `validation` is the held-out share. */
static config data_config(tokenizer_kind tokenizer, int sequences, int context, double validation) {
    return config_with("gpt2", (setting[]){{"tokenizer", tokenizer},
                                           {"sequences", sequences},
                                           {"context", context},
                                           {"validation", validation},
                                           {NULL, 0}});
}

/* ---- tokenizers ------------------------------------------------------------------------------ */

/* Encodes and decodes a text; true if the bytes are equal. */
static bool round_trips(const tokenizer *words, const char *text, size_t bytes) {
    size_t at = 0;
    while (at < bytes) {
        int length;
        int id = tokenizer_next(words, text + at, bytes - at, &length, NULL);
        unsigned char out[TOKEN_BYTES_MAX];
        if (id < 0 || id >= words->vocab || tokenizer_bytes(words, id, out) != length ||
            memcmp(out, text + at, (size_t)length) != 0) {
            return false;
        }
        at += (size_t)length;
    }
    return at == bytes;
}

static bool tokenizer_round_trips(tokenizer_kind kind, const char *text, size_t bytes) {
    arena memory;
    tokenizer words;
    text_counts counts;
    CHECK_INT(arena_open(&memory, (uint64_t)1 << 23, NULL), GPT_OK);
    bool good = tokenizer_open(&words, (tokenizer_options){.kind = kind}, NULL, NULL, text, bytes,
                               &memory, &counts, NULL) == GPT_OK &&
                round_trips(&words, text, bytes);
    arena_close(&memory);
    return good;
}

static void test_tokenizers(void) {
    static char bytes[1 << 16];
    TEST("any bytes round-trip through the byte and character tokenizers") {
        uint64_t state = 3;
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(random_number(&state) * 128);
        for (tokenizer_kind kind = TOKENIZER_BYTE; kind <= TOKENIZER_CHAR; kind++) {
            CHECK(tokenizer_round_trips(kind, bytes, sizeof bytes));
            CHECK(tokenizer_round_trips(kind, "\0\0", 2));
            CHECK(tokenizer_round_trips(kind, "\xE4\xB8", 2)); // an incomplete character at the end
        }
    }
    TEST("every plane of Unicode round-trips through the byte and character tokenizers") {
        // Every 37th code point, because a vocabulary has at most 65536 ids.
        char *text = malloc(4 * 40000);
        size_t length = 0;
        for (uint32_t code = 0; code < UTF8_CODE_POINTS; code += code == 0xD7E8 ? 0x818 : 37) {
            if (code >= 0xD800 && code < 0xE000) continue;
            length += (size_t)utf8_encode(code, (unsigned char *)text + length);
        }
        CHECK(tokenizer_round_trips(TOKENIZER_BYTE, text, length));
        CHECK(tokenizer_round_trips(TOKENIZER_CHAR, text, length));
        free(text);
    }
    TEST("characters are sorted by code point, and BOS is the last id") {
        config c = data_config(TOKENIZER_CHAR, SEQUENCES_DOCUMENTS, 8, 0);
        data_bench k;
        if (!CHECK(data_open(&k, &c,
                             "zb\xF0\x9F\x98\x80\xC3\xA9"
                             "a\nab\xFF\n",
                             14)))
            break;
        static const char *const expected[] = {"a",        "b",    "z",
                                               "\xC3\xA9", "\xFF", "\xF0\x9F\x98\x80"};
        CHECK_INT(k.d.tokenizer.code_count, 6);
        for (int id = 0; id < 6; id++) {
            unsigned char out[5] = {0};
            (void)tokenizer_bytes(&k.d.tokenizer, id, out);
            CHECK_STRING((char *)out, expected[id]); // the invalid byte FF sorts as U+DCFF
        }
        CHECK(k.d.tokenizer.bos == 6 && k.d.tokenizer.vocab == 7);
        unsigned char none[TOKEN_BYTES_MAX];
        CHECK_INT(tokenizer_bytes(&k.d.tokenizer, 6, none), 0);
        CHECK_INT(tokenizer_bytes(&k.d.tokenizer, 7, none), 0);
        CHECK_INT(tokenizer_bytes(&k.d.tokenizer, -1, none), 0);
        CHECK_INT(k.d.invalid_bytes, 1);
        data_close(&k);
    }
    TEST("bytes are their own ids, and documents add BOS as 256") {
        data_bench k;
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_STREAM, 2, 0);
        if (!CHECK(data_open(&k, &c, "a\xFF\n", 3))) break;
        CHECK(k.d.tokenizer.vocab == 256 && k.d.tokenizer.bos == -1);
        CHECK(k.d.tokens[0] == 'a' && k.d.tokens[1] == 255 && k.d.tokens[2] == '\n');
        data_close(&k);
        c = data_config(TOKENIZER_BYTE, SEQUENCES_DOCUMENTS, 2, 0);
        if (!CHECK(data_open(&k, &c, "a\xFF\n", 3))) break;
        CHECK(k.d.tokenizer.vocab == 257 && k.d.tokenizer.bos == 256 && k.d.token_count == 2);
        data_close(&k);
    }
    TEST("the error names a character that the vocabulary lacks, below and above U+10000") {
        config c = data_config(TOKENIZER_CHAR, SEQUENCES_STREAM, 2, 0);
        data_bench k;
        if (!CHECK(data_open(&k, &c, "abc\xF0\x9F\x98\x80", 7))) break;
        int length;
        gpt_error error;
        CHECK_INT(tokenizer_next(&k.d.tokenizer, "\xC3\xA9", 2, &length, &error), GPT_E_CHARACTER);
        CHECK_STRING(error.name, "\xC3\xA9");
        CHECK(error.value[0] == 0xE9);
        CHECK_INT(tokenizer_next(&k.d.tokenizer, "\xF0\x9F\x98\x81", 4, &length, &error),
                  GPT_E_CHARACTER);
        CHECK_STRING(error.name, "\xF0\x9F\x98\x81");
        CHECK(error.value[0] == 0x1F601);
        CHECK_INT(tokenizer_next(&k.d.tokenizer, "\n", 1, &length, &error), GPT_E_CHARACTER);
        CHECK_STRING(error.name, ""); // a control character is not shown
        CHECK(error.value[0] == 10);
        CHECK_INT(tokenizer_next(&k.d.tokenizer, "\xF0\x9F\x98\x80", 4, &length, &error), 3);
        data_close(&k);
    }
    TEST("more characters than ids fail with GPT_E_VOCABULARY and both numbers") {
        size_t length = 0;
        char *text = malloc(4 * 70000);
        for (uint32_t code = 0x10000; code < 0x10000 + 66000; code++) {
            length += (size_t)utf8_encode(code, (unsigned char *)text + length);
        }
        arena memory;
        tokenizer words;
        text_counts counts;
        gpt_error error;
        arena_open_measuring(&memory);
        CHECK_INT(tokenizer_open(&words, (tokenizer_options){.kind = TOKENIZER_CHAR}, NULL, NULL,
                                 text, length, &memory, &counts, &error),
                  GPT_E_VOCABULARY);
        CHECK(error.value[0] == 66001 && error.value[1] == VOCABULARY_MAX);
        CHECK_INT(tokenizer_open(&words, (tokenizer_options){.kind = TOKENIZER_CHAR}, NULL, NULL,
                                 text, 4 * (VOCABULARY_MAX - 1), &memory, &counts, &error),
                  GPT_OK);
        CHECK_INT(words.vocab, VOCABULARY_MAX);
        free(text);
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

static void test_streams(void) {
    enum { COUNT = 200, T = 16, B = 4 };
    static char text[COUNT]; // text[i] = i: the id of a token is its position
    for (int i = 0; i < COUNT; i++) text[i] = (char)i;
    TEST("windows cover exactly the training text, and targets are shifted by one") {
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_STREAM, T, 0.1);
        data_bench k;
        if (!CHECK(data_open(&k, &c, text, COUNT))) break;
        CHECK_INT(k.d.train_tokens, 180);
        rng r = rng_from_seed(1);
        int lowest = COUNT, highest = 0;
        for (uint64_t step = 0; step < 500; step++) {
            dataset_batch(&k.d, &k.b, step, B, &r);
            CHECK(k.b.T == T && k.b.B == B && k.b.targets_count == B * T);
            for (int row = 0; row < B; row++) {
                int start = k.inputs[row * T];
                lowest = start < lowest ? start : lowest;
                highest = k.targets[row * T + T - 1] > highest ? k.targets[row * T + T - 1]
                                                               : highest;
                for (int t = 0; t < T; t++) {
                    CHECK(k.inputs[row * T + t] == start + t &&
                          k.targets[row * T + t] == start + t + 1);
                }
            }
        }
        CHECK(lowest == 0 && highest == 179); // all training tokens, no held-out ones
        data_close(&k);
    }
    TEST("windows depend on the random stream alone, one draw each") {
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_STREAM, T, 0);
        data_bench k;
        if (!CHECK(data_open(&k, &c, text, COUNT))) break;
        rng r = rng_from_seed(5), again = rng_from_seed(5), counted = rng_from_seed(5);
        int32_t first[B * T];
        dataset_batch(&k.d, &k.b, 0, B, &r);
        memcpy(first, k.inputs, sizeof first);
        // In a stream the number of the first document, 9 instead of 0, has no effect.
        dataset_batch(&k.d, &k.b, 9, B, &again);
        CHECK(memcmp(first, k.inputs, sizeof first) == 0);
        for (int i = 0; i < B; i++) (void)rng_next(&counted);
        CHECK(r.state == counted.state);
        dataset_shuffle(&k.d, &r);
        CHECK(r.state == counted.state); // shuffling a stream uses no random number
        data_close(&k);
    }
    TEST("held-out windows do not overlap and follow the training text") {
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_STREAM, 4, 0.1);
        data_bench k;
        if (!CHECK(data_open(&k, &c, text, COUNT))) break;
        CHECK_INT(dataset_held_out(&k.d), 4); // 20 tokens: 4 windows of 4, and a last target
        dataset_held_out_batch(&k.d, &k.b, 0, 1, 8);
        CHECK_INT(k.b.B, 4);
        for (int i = 0; i < 16; i++) CHECK(k.inputs[i] == 180 + i && k.targets[i] == 181 + i);
        dataset_held_out_batch(&k.d, &k.b, 1, 2, 8);
        CHECK(k.b.B == 2 && k.inputs[0] == 184 && k.inputs[4] == 192);
        unsigned char held_out[COUNT];
        CHECK_INT(dataset_held_out_text(&k.d, held_out, COUNT), 20);
        CHECK(memcmp(held_out, text + 180, 20) == 0);
        CHECK_INT(dataset_held_out_text(&k.d, held_out, 7), 7);
        data_close(&k);
    }
    TEST("tokens per character are counted for each part, with BOS as the line break") {
        data_bench k;
        static const char text[] = "\xE6\x98\xA5\xE7\x9C\xA0"
                                   "abcdef"; // 12 bytes, 8 characters; a quarter is held out
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_STREAM, 2, 0.25);
        if (!data_open(&k, &c, text, 12)) break;
        CHECK(dataset_tokens_per_character(&k.d, false) == 9.0 / 5);
        CHECK(dataset_tokens_per_character(&k.d, true) == 1.0);
        data_close(&k);
        c = data_config(TOKENIZER_BYTE, SEQUENCES_DOCUMENTS, 5, 0);
        if (!data_open(&k, &c, "\xE6\x98\xA5\nabcdefgh\n", 13)) break;
        rng r = rng_from_seed(1);
        dataset_shuffle(&k.d, &r);
        // Targets per character. First document: 3 bytes and BOS for a character and its line
        // break. Second document: 5 tokens for 5 of its 8 letters; the context cuts off the others.
        CHECK(dataset_tokens_per_character(&k.d, false) == 9.0 / 7);
        double none = dataset_tokens_per_character(&k.d, true);
        CHECK(none != none);
        data_close(&k);
        // The context of 5 tokens cuts the second character after 2 of its 3 bytes: it counts as
        // 2/3.
        if (!data_open(&k, &c, "\xE6\x98\xA5\xE7\x9C\xA0\xE6\x99\xA8\n", 10)) break;
        r = rng_from_seed(1);
        dataset_shuffle(&k.d, &r);
        CHECK(dataset_tokens_per_character(&k.d, false) == 5 / (2 - (1 - 2.0 / 3)));
        data_close(&k);
    }
    TEST("nothing is held out if the share is too small for a window") {
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_STREAM, 20, 0.1);
        data_bench k;
        // 20 tokens are held out, a window needs 21.
        if (!CHECK(data_open(&k, &c, text, COUNT))) break;
        CHECK(k.d.train_tokens == COUNT && dataset_held_out(&k.d) == 0);
        data_close(&k);
    }
    TEST("a text of one window trains; one token less fails with GPT_E_SHORT") {
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_STREAM, T, 0.5);
        data_bench k;
        CHECK(data_open(&k, &c, text, T + 1));
        rng r = rng_from_seed(1);
        dataset_batch(&k.d, &k.b, 0, 2, &r);
        CHECK(k.inputs[0] == 0 && k.inputs[T] == 0 && k.targets[T - 1] == T);
        data_close(&k);
        CHECK(!data_open(&k, &c, text, T));
        CHECK_INT(k.status, GPT_E_SHORT);
        CHECK(k.error.value[0] == T && k.error.value[1] == T && k.error.value[2] == T + 1);
        data_close(&k);
    }
}

/* ---- documents ------------------------------------------------------------------------------- */

/* Returns row `row` of `ids` as letters, BOS as '^' and NO_TARGET as '.', in static storage. */
static const char *letters(const data_bench *k, const int32_t *ids, int row) {
    static char out[64];
    for (int t = 0; t < k->b.T; t++) {
        int32_t id = ids[row * k->b.T + t];
        unsigned char bytes[TOKEN_BYTES_MAX] = {0};
        (void)tokenizer_bytes(&k->d.tokenizer, id < 0 ? 0 : id, bytes);
        out[t] = id == NO_TARGET ? '.' : id == k->d.tokenizer.bos ? '^' : (char)bytes[0];
    }
    out[k->b.T] = 0;
    return out;
}

static void test_documents(void) {
    static const char text[] = "ann\r\n\nbo\n\r\nann\nabcdefgh\nabcd\r";
    TEST("a line is a document without CR and LF; empty lines are skipped, duplicates kept") {
        config c = data_config(TOKENIZER_CHAR, SEQUENCES_DOCUMENTS, 8, 0);
        data_bench k;
        if (!CHECK(data_open(&k, &c, text, strlen(text)))) break;
        CHECK_INT(k.d.document_count, 5);
        CHECK_INT(k.d.token_count, 3 + 2 + 3 + 8 + 4);
        CHECK_INT(k.d.tokenizer.vocab, 10 + 1); // abcdefgh, n, o, and BOS
        rng r = rng_from_seed(1);
        dataset_batch(&k.d, &k.b, 0, 2, &r); // documents are not shuffled yet
        CHECK_INT(k.b.T, 4);
        CHECK_STRING(letters(&k, k.inputs, 0), "^ann");
        CHECK_STRING(letters(&k, k.targets, 0), "ann^");
        CHECK_STRING(letters(&k, k.inputs, 1), "^bo^"); // "bo" is padded to the length of "ann"
        CHECK_STRING(letters(&k, k.targets, 1), "bo^.");
        CHECK_INT(k.b.targets_count, 7);
        CHECK(r.state == 1); // documents use no random number
        data_close(&k);
    }
    TEST("a document of T characters or more is cut, and its last target is the next character") {
        config c = data_config(TOKENIZER_CHAR, SEQUENCES_DOCUMENTS, 4, 0);
        data_bench k;
        if (!CHECK(data_open(&k, &c, text, strlen(text)))) break;
        dataset_batch(&k.d, &k.b, 3, 1, NULL);
        CHECK_STRING(letters(&k, k.inputs, 0), "^abc");
        CHECK_STRING(letters(&k, k.targets, 0), "abcd"); // efgh and BOS are cut off
        dataset_batch(&k.d, &k.b, 4, 1, NULL);
        CHECK_STRING(letters(&k, k.targets, 0), "abcd"); // the final BOS of "abcd" is cut off
        dataset_batch(&k.d, &k.b, 0, 1, NULL);
        CHECK_STRING(letters(&k, k.targets, 0), "ann^"); // "ann" and BOS just fit
        CHECK(k.d.cut_documents == 2 && k.d.cut_tokens == 4);
        data_close(&k);
    }
    TEST("cut_tokens counts characters, or bytes with the byte tokenizer") {
        static const char accents[] = "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\n\xC3\xA9\n";
        config c = data_config(TOKENIZER_CHAR, SEQUENCES_DOCUMENTS, 3, 0);
        data_bench k;
        CHECK(data_open(&k, &c, accents, strlen(accents)));
        CHECK(k.d.cut_documents == 1 && k.d.cut_tokens == 1);
        data_close(&k);
        c = data_config(TOKENIZER_BYTE, SEQUENCES_DOCUMENTS, 3, 0);
        CHECK(data_open(&k, &c, accents, strlen(accents)));
        CHECK(k.d.cut_documents == 1 && k.d.cut_tokens == 5);
        data_close(&k);
    }
    TEST("batches follow the shuffled order of documents and wrap around") {
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_DOCUMENTS, 4, 0);
        data_bench k;
        if (!CHECK(data_open(&k, &c, "a\nb\nc\nd\ne\n", 10))) break;
        rng r = rng_from_seed(42), twin = rng_from_seed(42);
        uint32_t order[5] = {0, 1, 2, 3, 4};
        dataset_shuffle(&k.d, &r);
        rng_shuffle(&twin, order, 5);
        for (uint64_t step = 0; step < 5; step++) {
            dataset_batch(&k.d, &k.b, 2 * step, 2, &r);
            for (uint64_t row = 0; row < 2; row++) {
                CHECK_INT(k.targets[row * 2], 'a' + (int)order[(2 * step + row) % 5]);
            }
        }
        CHECK(r.state == twin.state);
        memcpy(order, k.d.order, sizeof order);
        twin = rng_from_seed(42);
        // Starts from the order of the text, not from the present order.
        dataset_shuffle(&k.d, &twin);
        CHECK(memcmp(order, k.d.order, sizeof order) == 0);
        data_close(&k);
    }
    TEST("held-out documents are the last of the shuffled order and never trained on") {
        config c = data_config(TOKENIZER_BYTE, SEQUENCES_DOCUMENTS, 4, 0.4);
        data_bench k;
        if (!CHECK(data_open(&k, &c, "a\nb\nc\nd\ne\n", 10))) break;
        rng r = rng_from_seed(42);
        dataset_shuffle(&k.d, &r);
        CHECK(k.d.train_documents == 3 && dataset_held_out(&k.d) == 2);
        unsigned trained = 0, held_out = 0;
        for (uint64_t step = 0; step < 20; step++) {
            dataset_batch(&k.d, &k.b, step, 2, &r);
            for (int row = 0; row < 2; row++) trained |= 1u << (k.targets[row * k.b.T] - 'a');
        }
        dataset_held_out_batch(&k.d, &k.b, 0, 1, 8);
        CHECK_INT(k.b.B, 2);
        for (int row = 0; row < 2; row++) held_out |= 1u << (k.targets[row * k.b.T] - 'a');
        CHECK((trained & held_out) == 0 && (trained | held_out) == 31);
        unsigned char lines[8];
        CHECK_INT(dataset_held_out_text(&k.d, lines, sizeof lines), 4);
        CHECK(lines[1] == '\n' && lines[3] == '\n');
        CHECK((1u << (lines[0] - 'a') | 1u << (lines[2] - 'a')) == held_out);
        // Only as much as fits: without the last line break.
        CHECK_INT(dataset_held_out_text(&k.d, lines, 3), 3);
        CHECK_INT(dataset_held_out_text(&k.d, lines, 0), 0);
        data_close(&k);
    }
}

/* ---- unusual texts --------------------------------------------------------------------------- */

static void test_bad_texts(void) {
    TEST("a text without tokens fails with GPT_E_EMPTY") {
        static const char *const documents[] = {"", "\n", "\r\n\r\n", "\r"};
        data_bench k;
        for (tokenizer_kind kind = TOKENIZER_BYTE; kind <= TOKENIZER_CHAR; kind++) {
            config c = data_config(kind, SEQUENCES_DOCUMENTS, 4, 0);
            for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
                CHECK(!data_open(&k, &c, documents[i], strlen(documents[i])) &&
                      k.status == GPT_E_EMPTY);
                data_close(&k);
            }
            c = data_config(kind, SEQUENCES_STREAM, 4, 0);
            CHECK(!data_open(&k, &c, "", 0) && k.status == GPT_E_EMPTY);
            data_close(&k);
        }
    }
    TEST("one character is enough for a document, but not for a stream") {
        data_bench k;
        config c = data_config(TOKENIZER_CHAR, SEQUENCES_DOCUMENTS, 4, 0.5);
        CHECK(data_open(&k, &c, "x", 1) && k.d.tokenizer.vocab == 2 && k.d.train_documents == 1);
        data_close(&k);
        c = data_config(TOKENIZER_CHAR, SEQUENCES_STREAM, 4, 0);
        CHECK(!data_open(&k, &c, "x", 1) && k.status == GPT_E_SHORT);
        data_close(&k);
    }
    TEST("NUL and invalid UTF-8 are tokens") {
        static const char bytes[] = "a\0b\xFF\xC3(\0";
        data_bench k;
        for (tokenizer_kind kind = TOKENIZER_BYTE; kind <= TOKENIZER_CHAR; kind++) {
            config c = data_config(kind, SEQUENCES_STREAM, 4, 0);
            CHECK(data_open(&k, &c, bytes, 7));
            CHECK_INT(k.d.token_count, 7);
            CHECK_INT(k.d.invalid_bytes, 2);
            for (size_t i = 0; i < 7; i++) {
                unsigned char out[TOKEN_BYTES_MAX];
                CHECK(tokenizer_bytes(&k.d.tokenizer, k.d.tokens[i], out) == 1 &&
                      (char)out[0] == bytes[i]);
            }
            data_close(&k);
        }
    }
    TEST("a measured dataset has the size and the counts of a stored one") {
        static const char text[] = "one\ntwo\nthree \xC3\xA9\n";
        for (int form = 0; form < 4; form++) {
            config c = data_config(form & 1, form >> 1, 4, 0.3);
            arena counted;
            dataset counts;
            data_bench k;
            arena_open_measuring(&counted);
            CHECK_INT(dataset_open(&counts, &c, NULL, NULL, text, strlen(text), &counted, NULL),
                      GPT_OK);
            CHECK(data_open(&k, &c, text, strlen(text)));
            CHECK_INT(counted.used, k.memory.used);
            CHECK(counts.token_count == k.d.token_count &&
                  counts.train_tokens == k.d.train_tokens &&
                  counts.document_count == k.d.document_count &&
                  counts.cut_tokens == k.d.cut_tokens &&
                  counts.train_documents == k.d.train_documents &&
                  counts.tokenizer.vocab == k.d.tokenizer.vocab);
            data_close(&k);
        }
    }
}

int main(void) {
    test_tokenizers();
    test_streams();
    test_documents();
    test_bad_texts();
    return check_report();
}
