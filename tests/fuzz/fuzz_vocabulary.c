/* fuzz_vocabulary.c - vocab.json and merges.txt: an accepted vocabulary encodes any text without
 * losing a byte, and is the same after writing and reading it.
 *
 * Input: one byte (1: tokens 0 to 255 are the single bytes, and the given vocab.json continues
 * after them), vocab.json (or a tokenizer.json) up to a byte 0xFF, merges.txt up to another,
 * added_tokens.json. */
#include "fuzz.h"
#include "text/bpe_files.h"
#include "text/tokenizer.h"

/* Returns a vocab.json that begins with a token for every byte and continues with `more`. */
static fuzz_part with_alphabet(const fuzz_part *more) {
    static char text[8192];
    static size_t alphabet;
    if (!alphabet) {
        text_buffer out = text_begin(text, sizeof text);
        for (int byte = 0; byte < BPE_BYTES; byte++) {
            char token[5] = {0};
            (void)utf8_encode(bpe_character_of_byte(byte), (unsigned char *)token);
            text_put(&out, byte ? "," : "{");
            text_put_json_string(&out, token);
            text_put(&out, ":");
            text_put_whole(&out, (uint64_t)byte);
        }
        alphabet = text_end(&out);
    }
    fuzz_part whole = {malloc(alphabet + more->bytes), alphabet + more->bytes};
    REQUIRE(whole.text != NULL);
    memcpy(whole.text, text, alphabet);
    if (more->bytes) {
        memcpy(whole.text + alphabet, more->text, more->bytes);
    }
    return whole;
}

typedef struct decoded {
    const tokenizer *tokenizer;
    const fuzz_part *text;
    size_t at;
} decoded;

/* Sink of the ids: the bytes of each token must be the next bytes of the text. */
static void check_id(void *receiver, int id) {
    decoded *d = receiver;
    unsigned char bytes[TOKEN_BYTES_MAX];
    int count = tokenizer_bytes(d->tokenizer, id, bytes);
    REQUIRE(count > 0 && (size_t)count <= d->text->bytes - d->at);
    REQUIRE(memcmp(d->text->text + d->at, bytes, (size_t)count) == 0);
    d->at += (size_t)count;
}

static void check_encoding(const bpe_source *source, const fuzz_part *text) {
    tokenizer words = {
        .kind = TOKENIZER_BPE, .vocab = source->bpe.size, .bos = -1, .bpe = source->bpe};
    decoded d = {&words, text, 0};
    REQUIRE(tokenizer_encode(&words, text->text, text->bytes, check_id, &d, NULL) == GPT_OK);
    REQUIRE(d.at == text->bytes);
}

/* Returns vocab.json or merges.txt of a vocabulary. */
static fuzz_part write_file(const bpe *table, bool merges) {
    text_buffer out = text_begin(NULL, 0);
    fuzz_part file = {NULL, 0};
    for (int round = 0; round < 2; round++) { // measure, then write
        if (merges) {
            bpe_write_merges(table, &out);
        } else {
            bpe_write_vocab(table, -1, &out);
        }
        if (round == 0) {
            file.bytes = text_end(&out);
            file.text = malloc(file.bytes + 1);
            REQUIRE(file.text != NULL);
            out = text_begin(file.text, file.bytes + 1);
        }
    }
    REQUIRE(text_end(&out) == file.bytes);
    return file;
}

static void check_round_trip(const bpe *table) {
    fuzz_part vocab = write_file(table, false), merges = write_file(table, true);
    bpe_source again = {0};
    bpe_texts written = {vocab.text, vocab.bytes, merges.text, merges.bytes, NULL, 0};
    REQUIRE(bpe_source_read(&again, &written, NULL) == GPT_OK);
    const bpe *other = &again.bpe;
    REQUIRE(other->size == table->size && other->merges == table->merges &&
            other->end_of_text == table->end_of_text && other->byte_count == table->byte_count);
    size_t merge_bytes = (size_t)table->merges * sizeof *table->made;
    REQUIRE(memcmp(other->start, table->start, ((size_t)table->size + 1) * 4) == 0 &&
            memcmp(other->bytes, table->bytes, table->byte_count) == 0 &&
            memcmp(other->left, table->left, merge_bytes) == 0 &&
            memcmp(other->right, table->right, merge_bytes) == 0 &&
            memcmp(other->made, table->made, merge_bytes) == 0);
    bpe_source_close(&again);
    free(vocab.text);
    free(merges.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_open(data, size);
    bool complete = fuzz_choice(&in, 2) == 1;
    fuzz_part vocab = fuzz_until_mark(&in, false), merges = fuzz_until_mark(&in, false);
    fuzz_part added = fuzz_rest(&in);
    if (complete) {
        fuzz_part whole = with_alphabet(&vocab);
        free(vocab.text);
        vocab = whole;
    }
    bpe_source source = {0};
    gpt_error error = {0};
    bpe_texts files = {vocab.text, vocab.bytes, merges.text, merges.bytes, added.text, added.bytes};
    int status = bpe_source_read(&source, &files, &error);
    REQUIRE(status == error.status && status <= GPT_OK);
    REQUIRE((status == GPT_OK) == source.from_files);
    if (status == GPT_OK) {
        check_encoding(&source, &vocab);
        check_encoding(&source, &merges);
        check_round_trip(&source.bpe);
    }
    bpe_source_close(&source);
    free(vocab.text);
    free(merges.text);
    free(added.text);
    return 0;
}
