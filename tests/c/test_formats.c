/* test_formats.c - files of other programs: import of checkpoints of llm.c, export of
 * tokenizer.json, rounding to 16-bit floats. */
#include "formats/tensor_converter.h"
#include "formats_files.h"

static const param *find(gpt_trainer *t, const char *name) {
    for (int i = 0; i < t->run.net.count; i++) {
        if (strcmp(t->run.net.params[i].name, name) == 0) return &t->run.net.params[i];
    }
    return NULL;
}

/* ---- llm.c ----------------------------------------------------------------------------------- */

/* Appends a parameter, transposed if `transposed`: llm.c stores linear weights transposed. */
static void put_param(blob *b, const param *p, bool transposed) {
    size_t rows = (size_t)param_rows(p), columns = (size_t)param_columns(p);
    for (size_t i = 0; i < (rows ? rows : 1) * columns; i++) {
        size_t at = transposed ? i % rows * columns + i / rows : i;
        blob_put(b, &p->value.data[at], sizeof(float));
    }
}

/* Returns a checkpoint of llm.c: a header, then for each kind of weight the weights of all layers.
 * The token table has `padding` additional rows, filled with 9. The caller frees the bytes. */
static blob llmc_file(gpt_trainer *t, int version, int padding) {
    static const char *const KINDS[] = {
        "ln_1.weight",        "ln_1.bias",        "attn.c_attn.weight", "attn.c_attn.bias",
        "attn.c_proj.weight", "attn.c_proj.bias", "ln_2.weight",        "ln_2.bias",
        "mlp.c_fc.weight",    "mlp.c_fc.bias",    "mlp.c_proj.weight",  "mlp.c_proj.bias"};
    const model *net = &t->run.net;
    int32_t header[256] = {20240326,
                           version,
                           config_int(&net->options, OPT_CONTEXT),
                           net->vocab,
                           config_int(&net->options, OPT_LAYERS),
                           config_int(&net->options, OPT_HEADS),
                           config_int(&net->options, OPT_CHANNELS),
                           net->vocab + padding};
    blob b = {0};
    blob_put(&b, header, sizeof header);
    put_param(&b, find(t, "wte.weight"), false);
    for (int i = 0; i < padding * header[6]; i++) blob_put(&b, &(float){9}, sizeof(float));
    put_param(&b, find(t, "wpe.weight"), false);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        for (int layer = 0; layer < header[4]; layer++) {
            char name[64];
            snprintf(name, sizeof name, "h.%d.%s", layer, KINDS[k]);
            put_param(&b, find(t, name), param_rows(find(t, name)) > 0);
        }
    }
    put_param(&b, find(t, "ln_f.weight"), false);
    put_param(&b, find(t, "ln_f.bias"), false);
    return b;
}

/* ---- 16-bit floats --------------------------------------------------------------------------- */

/* Decodes a finite IEEE half. */
static float half_value(unsigned half) {
    int exponent = (int)(half >> 10 & 31), fraction = (int)(half & 1023);
    double value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return (float)(half & 0x8000 ? -value : value);
}

int main(void) {
    TEST("a checkpoint of llm.c is imported to the bit, without its padding") {
        gpt_trainer *t = little_gpt2("byte");
        if (!CHECK(t != NULL)) break;
        for (int padding = 0; padding <= 8; padding += 8) {
            blob file = llmc_file(t, 3, padding), config = {0};
            for (size_t piece = 1; piece < 1 << 20; piece = piece * 37 + 2) {
                int status;
                blob weights = import_file(file, piece, padding || piece > 1 ? NULL : &config,
                                           &status);
                if (!config.size) {
                    free(import_file(file, 4096, &config, &status).bytes);
                }
                if (CHECK_INT(status, GPT_OK)) {
                    gpt_trainer *back = open_folder(weights, config);
                    if (CHECK(back != NULL)) CHECK(same_weights(back, t));
                    gpt_trainer_free(back);
                }
                free(weights.bytes);
            }
            free(config.bytes);
            free(file.bytes);
        }
        gpt_trainer_free(t);
    }

    TEST("a checkpoint of llm.c that is cut or of another version is refused") {
        gpt_trainer *t = little_gpt2("byte");
        blob file = llmc_file(t, 3, 0);
        int status;
        for (int cut = 1; cut < 1000; cut += 333) {
            blob part = {.bytes = file.bytes, .size = file.size - (size_t)cut};
            free(import_file(part, 4096, NULL, &status).bytes);
            CHECK_INT(status, GPT_E_TRUNCATED);
        }
        blob shorter = {.bytes = file.bytes, .size = 900};
        free(import_file(shorter, 4096, NULL, &status).bytes);
        CHECK_INT(status, GPT_E_TRUNCATED);
        file.bytes[4] = 1;
        free(import_file(file, 4096, NULL, &status).bytes);
        CHECK_INT(status, GPT_E_UNSUPPORTED);
        file.bytes[0] = 1;
        free(import_file(file, 4096, NULL, &status).bytes);
        CHECK_INT(status, GPT_E_FILE);
        free(file.bytes);
        gpt_trainer_free(t);
    }

    TEST("a checkpoint of llm.c with an impossible size is refused with the name of the field") {
        static const struct {
            size_t at; // index of the field in the header
            int32_t value;
            const char *field;
        } cases[] = {{2, -1, "context"},     {3, 0, "vocab_size"},
                     {3, -1, "vocab_size"},  {4, 0, "layers"},
                     {5, 0, "heads"},        {6, 0, "channels"},
                     {7, 1, "padded_vocab"}, {7, INT32_MAX, "padded_vocab"}};
        gpt_trainer *t = little_gpt2("byte");
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            blob file = llmc_file(t, 3, 0);
            memcpy(file.bytes + 4 * cases[i].at, &cases[i].value, 4);
            gpt_import *import = gpt_import_open((double)file.size);
            double taken = 1;
            while (taken > 0 && gpt_import_size(import) == 0) {
                const char *from = file.bytes + (size_t)gpt_import_at(import);
                taken = gpt_import_feed(import, from, (size_t)gpt_import_wants(import));
            }
            char error[512], name[64];
            snprintf(name, sizeof name, "\"name\":\"%s\"", cases[i].field);
            CHECK_INT((int)taken, GPT_E_RANGE);
            CHECK(gpt_import_error_json(import, error, sizeof error) > 0 && strstr(error, name));
            gpt_import_free(import);
            free(file.bytes);
        }
        gpt_trainer_free(t);
    }

    TEST("tokenizer.json does not depend on the size of the pieces fed") {
        const char *tokenizers[] = {"byte", "char", "bpe"};
        for (int k = 0; k < 3; k++) {
            gpt_trainer *t = little_gpt2(tokenizers[k]);
            if (!CHECK(t != NULL)) continue;
            int status;
            blob whole = export_as(t, "tokenizer.json", 1 << 20, &status);
            CHECK_INT(status, GPT_OK);
            blob pieces = export_as(t, "tokenizer.json", 7, &status);
            CHECK(whole.size == pieces.size && !memcmp(whole.bytes, pieces.bytes, whole.size));
            CHECK(strstr(whole.bytes, "\"type\": \"BPE\"") != NULL);
            free(whole.bytes);
            free(pieces.bytes);
            gpt_trainer_free(t);
        }
    }

    TEST("a character vocabulary with bytes that are not UTF-8 has no tokenizer.json") {
        gpt_config *config = small("gpt2");
        gpt_config_set_text(config, "tokenizer", "char");
        static const char bytes[] = "abc\xFF de\xFE abc de abc de abc de";
        gpt_trainer *t = gpt_trainer_create(config, bytes, strlen(bytes));
        int status;
        free(export_as(t, "tokenizer.json", 4096, &status).bytes);
        CHECK_INT(status, GPT_E_FORMAT_BYTES);
        gpt_trainer_free(t);
        gpt_config_free(config);
    }

    TEST("floats round to the nearest half, ties to even") {
        converter p;
        gpt_error error;
        for (unsigned half = 0; half < 0x7BFF; half += 7) {
            double low = half_value(half), high = half_value(half + 1), middle = (low + high) / 2;
            const float values[] = {(float)low, (float)middle, nextafterf((float)middle, 0),
                                    nextafterf((float)middle, 1e9f), (float)-low};
            const unsigned wanted[] = {half, half + (half & 1), half, half + 1, half | 0x8000};
            unsigned char out[128];
            CHECK_INT(converter_open(&p, "x", CONVERT_TO_HALF, false, 0, 5, 4, &error), GPT_OK);
            CHECK(converter_feed(&p, (const unsigned char *)values, sizeof values) ==
                  sizeof values);
            CHECK_INT((int)converter_read(&p, out, sizeof out, &error), 10);
            for (int i = 0; i < 5; i++) {
                CHECK_INT(out[2 * i] | out[2 * i + 1] << 8, (int)wanted[i]);
            }
            converter_close(&p);
        }
        unsigned char out[128];
        const float large = 65520;
        CHECK_INT(converter_open(&p, "x", CONVERT_TO_HALF, false, 0, 1, 4, &error), GPT_OK);
        CHECK(converter_feed(&p, (const unsigned char *)&large, 4) == 4);
        CHECK_INT((int)converter_read(&p, out, sizeof out, &error), GPT_E_TENSOR_NUMBER);
        converter_close(&p);
    }

    return check_report();
}
