/* fuzz_import.c - weights of GPT-2 from other programs through the loader of gpt.h: prefixes of
 * names, several number types, causal masks, an output head beside the token table that it is tied
 * to, missing and extra tensors. The target writes a valid table of tensors itself, so that inputs
 * reach the code behind the parser.
 *
 * Input: one byte each for the tying, the purpose, the pieces and the order; one byte for each
 * tensor that the model or an old file may have; then bytes of data, which repeat. */
#include "api/gpt.h"
#include "base/text_buffer.h"
#include "fuzz.h"

static const char TEXT[] = "a text to learn: the cat sat on the mat, the rat ran, a bat had a hat";
enum { CHANNELS = 2, CONTEXT = 4, VOCAB = 256, FILE_MAX = 1 << 16 };

/* The tensors that a file may have; `rows` 0: a vector. */
static const struct {
    const char *name;
    int rows, columns;
    bool needed; /* required by every recipe */
} TENSORS[] = {
    {"wte.weight", VOCAB, CHANNELS, true},
    {"wpe.weight", CONTEXT, CHANNELS, true},
    {"h.0.ln_1.weight", 0, CHANNELS, true},
    {"h.0.ln_1.bias", 0, CHANNELS, true},
    {"h.0.attn.c_attn.weight", CHANNELS, 3 * CHANNELS, true},
    {"h.0.attn.c_attn.bias", 0, 3 * CHANNELS, true},
    {"h.0.attn.c_proj.weight", CHANNELS, CHANNELS, true},
    {"h.0.attn.c_proj.bias", 0, CHANNELS, true},
    {"h.0.ln_2.weight", 0, CHANNELS, true},
    {"h.0.ln_2.bias", 0, CHANNELS, true},
    {"h.0.mlp.c_fc.weight", CHANNELS, 4 * CHANNELS, true},
    {"h.0.mlp.c_fc.bias", 0, 4 * CHANNELS, true},
    {"h.0.mlp.c_proj.weight", 4 * CHANNELS, CHANNELS, true},
    {"h.0.mlp.c_proj.bias", 0, CHANNELS, true},
    {"ln_f.weight", 0, CHANNELS, true},
    {"ln_f.bias", 0, CHANNELS, true},
    {"lm_head.weight", VOCAB, CHANNELS, false},
    {"h.0.attn.bias", CONTEXT, CONTEXT, false},
    {"h.0.attn.masked_bias", 0, 1, false},
    {"wpe.other", 0, 3, false},
};
enum { TENSOR_COUNT = sizeof TENSORS / sizeof *TENSORS };

/* Bits of the byte of a tensor: TURNED inverts its presence (needed tensors are present, others
 * absent), two bits for the type, a prefix of the name, one more row. */
enum { TURNED = 1, TYPE = 6, PREFIXED = 8, LONGER = 16 };

static size_t put_tensor(text_buffer *header, int which, uint8_t choice, size_t begin) {
    static const char *const types[] = {"F32", "F16", "BF16", "I32"};
    static const size_t widths[] = {4, 2, 2, 4};
    int type = (choice & TYPE) >> 1;
    size_t rows = (size_t)TENSORS[which].rows, columns = (size_t)TENSORS[which].columns;
    rows += rows && (choice & LONGER);
    size_t end = begin + (rows ? rows : 1) * columns * widths[type];
    text_put(header, begin ? ",\"" : "\"");
    text_put(header, choice & PREFIXED ? "transformer." : "");
    text_put(header, TENSORS[which].name);
    text_put(header, "\":{\"dtype\":\"");
    text_put(header, types[type]);
    text_put(header, "\",\"shape\":[");
    if (rows) {
        text_put_whole(header, rows);
        text_put(header, ",");
    }
    text_put_whole(header, columns);
    text_put(header, "],\"data_offsets\":[");
    text_put_whole(header, begin);
    text_put(header, ",");
    text_put_whole(header, end);
    text_put(header, "]}");
    return end;
}

/* Writes a file of the chosen tensors, in ascending or descending order. Returns its size. */
static size_t make_file(fuzz_input *in, char file[FILE_MAX]) {
    bool backwards = fuzz_choice(in, 2) == 1;
    uint8_t choices[TENSOR_COUNT];
    for (int i = 0; i < TENSOR_COUNT; i++) {
        choices[i] = (uint8_t)fuzz_choice(in, 256);
    }
    text_buffer header = text_begin(file + 8, FILE_MAX - 8);
    size_t data = 0;
    text_put(&header, "{");
    for (int i = 0; i < TENSOR_COUNT; i++) {
        int which = backwards ? TENSOR_COUNT - 1 - i : i;
        if (TENSORS[which].needed != (choices[which] & TURNED)) {
            data = put_tensor(&header, which, choices[which], data);
        }
    }
    text_put(&header, "}");
    uint64_t length = text_end(&header);
    REQUIRE(8 + length + data <= FILE_MAX);
    memcpy(file, &length, 8);
    size_t given = in->size - in->at;
    for (size_t i = 0; i < data; i++) {
        file[8 + length + i] = given ? (char)in->data[in->at + i % given] : 0;
    }
    return 8 + (size_t)length + data;
}

static void use(gpt_trainer *t, bool trains) {
    char out[512];
    int status = trains ? gpt_step(t) : GPT_OK;
    REQUIRE(status == GPT_OK || status == GPT_E_DIVERGED);
    status = gpt_sample(t, "a", 1, 8, 0.8, 5, 0.9, 7, out, sizeof out);
    REQUIRE(status >= 0 || status == GPT_E_NOT_FINITE); // large finite weights may overflow
    static const char *const forms[] = {"model.safetensors",    "config.json", "weights",
                                        "checkpoint",           "vocab.json",  "merges.txt",
                                        "tokenizer_config.json"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        gpt_saver *s = gpt_save_open(t, forms[i], "", 0);
        // A model without a text has no run, so no checkpoint.
        REQUIRE((s == NULL) == (i == 3 && !trains));
        double total = 0, now;
        while (s && (now = gpt_save_read(s, out, sizeof out)) > 0) {
            total += now;
        }
        REQUIRE(!s || total == gpt_save_bytes(s));
        gpt_save_free(s);
    }
}

/* Feeds the whole file and calls begin after the header. Returns the trainer, NULL if refused. */
static gpt_trainer *load(gpt_loader *l, const char *file, size_t size, const char *purpose,
                         fuzz_pieces pieces) {
    bool trains = strcmp(purpose, "train") == 0;
    for (size_t at = 0; at < size;) {
        size_t now = fuzz_piece(&pieces, size - at);
        double taken = gpt_load_feed(l, file + at, now);
        if (taken < 0) {
            REQUIRE(gpt_load_state(l) == GPT_E_STATE && gpt_load_feed(l, file, 1) == GPT_E_STATE);
            return NULL;
        }
        at += (size_t)taken;
        if (gpt_load_state(l) == 1 &&
            gpt_load_begin(l, purpose, trains ? TEXT : NULL, trains ? sizeof TEXT - 1 : 0) < 0) {
            return NULL;
        }
        REQUIRE(at == size || gpt_load_finish(l) == NULL); // not before the end of the data
    }
    return gpt_load_finish(l);
}

/* Checks that calls in the wrong order or with invalid arguments fail. */
static void check_misuse(void) {
    gpt_config *c = gpt_config_create("tinygpt");
    char out[64];
    REQUIRE(c != NULL);
    REQUIRE(gpt_config_import(NULL, "{}", 2) == GPT_E_ARGUMENT);
    REQUIRE(gpt_config_import(c, NULL, 2) == GPT_E_ARGUMENT);
    REQUIRE(!gpt_load_open(NULL, "raw", 9) && !gpt_load_open(c, "no form", 9));
    REQUIRE(!gpt_load_open(c, NULL, 9) && !gpt_load_open(c, "raw", -1));
    REQUIRE(gpt_load_next(NULL, 1) == GPT_E_ARGUMENT);
    REQUIRE(gpt_load_feed(NULL, "", 0) == GPT_E_ARGUMENT);
    REQUIRE(gpt_load_json(NULL, out, sizeof out) == GPT_E_ARGUMENT);
    REQUIRE(gpt_load_begin(NULL, "train", NULL, 0) == GPT_E_ARGUMENT && !gpt_load_finish(NULL));
    gpt_loader *l = gpt_load_open(c, "safetensors", 100);
    REQUIRE(l != NULL);
    REQUIRE(gpt_load_next(l, 1) == GPT_E_STATE && !gpt_load_finish(l));
    REQUIRE(gpt_load_json(l, out, sizeof out) == GPT_E_STATE);
    REQUIRE(gpt_load_begin(l, "generate", NULL, 0) == GPT_E_STATE);
    REQUIRE(gpt_load_feed(l, NULL, 1) == GPT_E_ARGUMENT);
    gpt_load_free(l);

    gpt_trainer *t = gpt_trainer_create(c, TEXT, sizeof TEXT - 1);
    REQUIRE(t != NULL && !gpt_save_open(NULL, "weights", "", 0));
    REQUIRE(!gpt_save_open(t, "no form", "", 0) && !gpt_save_open(t, "weights", NULL, 1));
    gpt_saver *s = gpt_save_open(t, "weights", "", 0);
    REQUIRE(s != NULL && gpt_save_read(NULL, out, sizeof out) == GPT_E_ARGUMENT);
    REQUIRE(gpt_step(t) == GPT_OK && gpt_save_read(s, out, sizeof out) == GPT_E_STATE);
    gpt_save_free(s);
    REQUIRE(gpt_text_hash(NULL, 1, out, sizeof out) == GPT_E_ARGUMENT);
    REQUIRE(gpt_text_hash("a", 1, out, sizeof out) == 16);
    gpt_trainer_free(t);
    gpt_config_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char file[FILE_MAX];
    static const char *const purposes[] = {"train", "generate"};
    static const char *const tied[] = {"true", "false"};
    if (size == 0) {
        check_misuse();
    }
    fuzz_input in = fuzz_open(data, size);
    char json[256];
    (void)snprintf(json, sizeof json,
                   "{\"n_layer\":1,\"n_head\":1,\"n_embd\":%d,\"n_positions\":%d,\"vocab_size\":%d,"
                   "\"tie_word_embeddings\":%s}",
                   CHANNELS, CONTEXT, VOCAB, tied[fuzz_choice(&in, 2)]);
    const char *purpose = purposes[fuzz_choice(&in, 2)];
    fuzz_pieces pieces = fuzz_pieces_from(fuzz_choice(&in, 256));
    size_t file_bytes = make_file(&in, file);
    gpt_config *c = gpt_config_create("tinygpt");
    REQUIRE(c != NULL && gpt_config_import(c, json, strlen(json)) == GPT_OK);
    REQUIRE(gpt_config_set(c, "batch", 1) == GPT_OK);
    REQUIRE(gpt_config_set_memory_limit(c, 8 << 20) == GPT_OK);
    gpt_loader *l = gpt_load_open(c, "safetensors", (double)file_bytes);
    REQUIRE(l != NULL);
    gpt_trainer *t = load(l, file, file_bytes, purpose, pieces);
    REQUIRE(t != NULL || gpt_config_error(c, json, 0) == GPT_E_CAPACITY);
    if (t) {
        use(t, strcmp(purpose, "train") == 0);
    }
    gpt_load_free(l);
    gpt_trainer_free(t);
    gpt_config_free(c);
    return 0;
}
