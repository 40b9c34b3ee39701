/* test_gpt2_files.c - import and export of GPT-2: config.json, safetensors in one file or in
 * shards, and the raw form.
 *
 * The files are built in memory. Their numbers are exact in F32, F16 and BF16, so imported weights
 * are compared for equality.
 */
#include "formats/gpt2.h"
#include "io/safetensors.h"
#include "saved_files.h"

/* ---- Files built in memory ------------------------------------------------------------------- */

/* Returns a safetensors file: the length of the header (8 bytes, little-endian), the header, and
 * the data. The caller frees `bytes`. */
static blob container(const char *header, const void *data, size_t size) {
    blob b = {0};
    unsigned char prefix[8] = {0};
    uint64_t length = strlen(header);
    for (int i = 0; i < 8; i++) prefix[i] = (unsigned char)(length >> 8 * i);
    blob_put(&b, prefix, 8);
    blob_put(&b, header, (size_t)length);
    blob_put(&b, data, size);
    return b;
}

/* Builds a safetensors file of the tensors first .. end-1 of `f`. `data` begins with the bytes of
 * tensor `first`. The caller frees the result's `bytes`. */
static blob shard(const tensor_file *f, size_t first, size_t end, const char *data) {
    blob header = {0};
    uint64_t begin = f->tensors[first].begin;
    for (size_t i = first; i < end; i++) {
        const file_tensor *t = &f->tensors[i];
        char text[256];
        char second[32] = "";
        if (t->dims == 2) snprintf(second, sizeof second, ",%d", (int)t->shape[1]);
        snprintf(text, sizeof text,
                 "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%d%s],\"data_offsets\":[%d,%d]}",
                 i > first ? "," : "{", t->name, tensor_file_type_name(t->type), (int)t->shape[0],
                 second, (int)(t->begin - begin), (int)(t->end - begin));
        blob_put(&header, text, strlen(text));
    }
    blob_put(&header, "}", 1);
    blob file = container(header.bytes, data, (size_t)(f->tensors[end - 1].end - begin));
    free(header.bytes);
    return file;
}

/* Feeds `file` from byte `at` in pieces until the loader consumes no more bytes. Returns the byte
 * at which it stopped; -1 if it failed. */
static long feed_some(gpt_loader *loader, blob file, size_t at, size_t piece) {
    double taken = 1;
    while (at < file.size && taken > 0) {
        size_t now = file.size - at < piece ? file.size - at : piece;
        taken = gpt_load_feed(loader, file.bytes + at, now);
        at += taken > 0 ? (size_t)taken : 0;
    }
    return taken < 0 ? -1 : (long)at;
}

/* Loads a model from two shards, in the order in which the JSON `index` names them, only to
 * generate text. NULL on any failure. */
static gpt_trainer *load_shards(gpt_config *config, const char *index, const blob shards[2],
                                size_t piece) {
    blob json = {.bytes = (char *)index, .size = strlen(index)};
    gpt_loader *loader = gpt_load_open(config, "index", (double)json.size);
    gpt_trainer *trainer = NULL;
    long at[2] = {0};
    char name[64];
    bool good = feed_some(loader, json, 0, piece) == (long)json.size;
    for (int i = 0; good && i < 2; i++) {
        CHECK_INT(gpt_load_state(loader), 4);
        CHECK_INT(gpt_load_file(loader, i, name, sizeof name), 2);
        good = gpt_load_next(loader, (double)shards[i].size) == GPT_OK;
        at[i] = good ? feed_some(loader, shards[i], 0, piece) : -1;
        good = at[i] >= 0;
    }
    good = good && gpt_load_begin(loader, "generate", NULL, 0) == GPT_OK;
    for (int i = 0; good && i < 2; i++) {
        good = feed_some(loader, shards[i], (size_t)at[i], piece) == (long)shards[i].size;
    }
    trainer = good ? gpt_load_finish(loader) : NULL;
    gpt_load_free(loader);
    return trainer;
}

/* A safetensors file under construction: its header without the final brace, and its data. */
typedef struct builder {
    blob json, data;
    int count;
} builder;

/* Appends a tensor of the numbers 0.5, 0.75, ..., 2, 0.5, ... in the type F32, F16 or BF16. `rows`
 * 0: a tensor of one dimension. */
static void build_tensor(builder *b, const char *name, const char *type, int rows, int columns) {
    char text[256];
    size_t numbers = (size_t)columns * (size_t)(rows ? rows : 1);
    size_t width = strcmp(type, "F32") == 0 ? 4 : 2, begin = b->data.size;
    for (size_t i = 0; i < numbers; i++) {
        float value = 0.5f + 0.25f * (float)(i % 7); // exact in all three types
        uint32_t bits;
        memcpy(&bits, &value, 4);
        uint16_t half = strcmp(type, "BF16") == 0
                            ? (uint16_t)(bits >> 16)
                            : (uint16_t)(((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 1023));
        if (width == 4)
            blob_put(&b->data, &bits, 4);
        else
            blob_put(&b->data, &half, 2);
    }
    if (rows) {
        snprintf(text, sizeof text,
                 "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%d,%d],\"data_offsets\":[%zu,%zu]}",
                 b->count++ ? "," : "{", name, type, rows, columns, begin, b->data.size);
    } else {
        snprintf(text, sizeof text,
                 "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%d],\"data_offsets\":[%zu,%zu]}",
                 b->count++ ? "," : "{", name, type, columns, begin, b->data.size);
    }
    blob_put(&b->json, text, strlen(text));
}

/* Builds a GPT-2 of one layer, 4 channels, 8 positions and 256 tokens under Hugging Face's tensor
 * names with `prefix`. Omits the tensor `without`; "" omits none. */
static builder build_gpt2(const char *prefix, const char *type, const char *without) {
    static const struct {
        const char *name;
        int rows, columns;
    } shapes[] = {{"h.0.ln_1.weight", 0, 4},
                  {"h.0.ln_1.bias", 0, 4},
                  {"h.0.attn.c_attn.weight", 4, 12},
                  {"h.0.attn.c_attn.bias", 0, 12},
                  {"h.0.attn.c_proj.weight", 4, 4},
                  {"h.0.attn.c_proj.bias", 0, 4},
                  {"h.0.ln_2.weight", 0, 4},
                  {"h.0.ln_2.bias", 0, 4},
                  {"h.0.mlp.c_fc.weight", 4, 16},
                  {"h.0.mlp.c_fc.bias", 0, 16},
                  {"h.0.mlp.c_proj.weight", 16, 4},
                  {"h.0.mlp.c_proj.bias", 0, 4},
                  {"ln_f.bias", 0, 4},
                  {"ln_f.weight", 0, 4},
                  {"wpe.weight", 8, 4},
                  {"wte.weight", 256, 4}};
    builder b = {0};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s%s", prefix, shapes[i].name);
        if (strcmp(shapes[i].name, without) != 0) {
            build_tensor(&b, name, type, shapes[i].rows, shapes[i].columns);
        }
    }
    return b;
}

/* Returns the finished file and frees the builder's memory. */
static blob finish(builder *b) {
    blob_put(&b->json, "}", 1);
    blob file = container(b->json.bytes, b->data.bytes, b->data.size);
    free(b->json.bytes);
    free(b->data.bytes);
    return file;
}

/* The config.json of the model that build_gpt2 builds, without the final brace. */
static const char CONFIG[] = "{\"model_type\":\"gpt2\",\"n_layer\":1,\"n_head\":2,\"n_embd\":4,"
                             "\"n_positions\":8,\"vocab_size\":256,\"n_inner\":null,"
                             "\"activation_function\":\"gelu_new\",\"layer_norm_epsilon\":1e-05,"
                             "\"attn_pdrop\":0.1,\"architectures\":[\"GPT2LMHeadModel\"]";

/* Imports CONFIG with the additional JSON members `more`, which begin with a comma. */
static gpt_config *imported(const char *more) {
    char json[1024];
    snprintf(json, sizeof json, "%s%s}", CONFIG, more);
    gpt_config *config = gpt_config_create("tinygpt");
    CHECK_INT(gpt_config_import(config, json, strlen(json)), GPT_OK);
    return config;
}

/* Loads the file of `b` only to generate text and frees `b`. Returns the status; `detail` receives
 * the name in the error. `more`: additional members of the config.json, see imported(). */
static int import_status(builder b, const char *more, char detail[96]) {
    blob file = finish(&b);
    gpt_config *config = imported(more);
    gpt_trainer *trainer = load_ours(config, file, 100, "generate", NULL);
    int status = trainer ? GPT_OK : status_of(config);
    memcpy(detail, config->error.name, 96);
    gpt_trainer_free(trainer);
    gpt_config_free(config);
    free(file.bytes);
    return status;
}

/* Checks that every weight has the value that build_tensor wrote. */
static void check_pattern(const model *net) {
    for (int p = 0; p < net->count; p++) {
        bool equal = true;
        for (uint64_t j = 0; j < net->params[p].value.size; j++) {
            equal = equal && net->params[p].value.data[j] == 0.5f + 0.25f * (float)(j % 7);
        }
        CHECK(equal);
    }
}

int main(void) {
    TEST("GPT-2 opens with either name prefix, extra masks, F32, F16, BF16 and a shorter context") {
        const char *types[] = {"F32", "F16", "BF16"};
        const char *prefixes[] = {"", "transformer."};
        for (int i = 0; i < 6; i++) {
            builder b = build_gpt2(prefixes[i % 2], types[i / 2], "");
            build_tensor(&b, i % 2 ? "transformer.h.0.attn.bias" : "h.0.attn.bias", "F16", 8, 8);
            build_tensor(&b, "h.0.attn.masked_bias", "F32", 0, 1);
            blob file = finish(&b);
            for (int context = 4; context <= 8; context += 4) {
                gpt_config *config = imported("");
                gpt_config_set(config, "context", context);
                gpt_trainer *trainer = load_ours(config, file, 13, "train", STREAM);
                if (CHECK(trainer != NULL)) {
                    const model *net = &trainer->run.net;
                    CHECK_INT(net->position_table->shape[0], context);
                    check_pattern(net);
                    CHECK_INT(gpt_step(trainer), GPT_OK);
                }
                gpt_trainer_free(trainer);
                gpt_config_free(config);
            }
            free(file.bytes);
        }
    }

    TEST("F16 converts exactly: both zeros, subnormals, the largest number and infinity") {
        const uint16_t bits[] = {0x0000, 0x8000, 0x0001, 0x03FF, 0x0400,
                                 0x3C00, 0xC000, 0x7BFF, 0x7C00, 0x3555};
        const double values[] = {0, -0.0, 0x1p-24, 1023 * 0x1p-24, 0x1p-14,
                                 1, -2,   65504,   INFINITY,       0.333251953125};
        blob file = container("{\"a\":{\"dtype\":\"F16\",\"shape\":[10],\"data_offsets\":[0,20]}}",
                              bits, 20);
        tensor_file f;
        gpt_error error;
        float out[10];
        CHECK_INT(safetensors_open(&f, file.bytes + 8, file.size - 28, 20, &error), GPT_OK);
        CHECK_INT(tensor_file_bind(&f.tensors[0], INTO_FLOAT, out, 0, 10, false, &error), GPT_OK);
        CHECK_INT(tensor_file_feed(&f, file.bytes + file.size - 20, 20, &error), GPT_OK);
        CHECK(tensor_file_done(&f));
        for (int i = 0; i < 10; i++)
            CHECK((double)out[i] == values[i] && signbit(out[i]) == signbit(values[i]));
        tensor_file_close(&f);
        free(file.bytes);
    }

    TEST("lm_head.weight must equal the token table if the head is tied, and exist if it is not") {
        char detail[96];
        builder b = build_gpt2("transformer.", "F32", "");
        build_tensor(&b, "lm_head.weight", "F32", 256, 4);
        CHECK_INT(import_status(b, "", detail), GPT_OK);
        b = build_gpt2("transformer.", "F32", "");
        build_tensor(&b, "lm_head.weight", "F16", 256, 4);
        CHECK_INT(import_status(b, ",\"tie_word_embeddings\":false", detail), GPT_OK);
        b = build_gpt2("transformer.", "F32", "");
        CHECK_INT(import_status(b, ",\"tie_word_embeddings\":false", detail), GPT_E_TENSOR_MISSING);
        CHECK_STRING(detail, "lm_head.weight");
        b = build_gpt2("transformer.", "F32", "");
        build_tensor(&b, "lm_head.weight", "F32", 256, 4);
        b.data.bytes[b.data.size - 1] ^= 1;
        CHECK_INT(import_status(b, "", detail), GPT_E_TENSOR_TIED);
        CHECK_STRING(detail, "lm_head.weight");
    }

    TEST("a NaN or infinite weight of any number type is refused, and its tensor named") {
        static const struct {
            const char *type;
            unsigned char last, before;
        } bad[] = {{"F32", 0x7F, 0xC0},
                   {"F32", 0xFF, 0x80},
                   {"F16", 0x7E, 0x00},
                   {"BF16", 0x7F, 0x80},
                   {"BF16", 0xFF, 0xC0}};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            char detail[96];
            builder b = build_gpt2("", bad[i].type, "wpe.weight");
            build_tensor(&b, "wpe.weight", bad[i].type, 8, 4);
            b.data.bytes[b.data.size - 1] = (char)bad[i].last;
            b.data.bytes[b.data.size - 2] = (char)bad[i].before;
            CHECK_INT(import_status(b, "", detail), GPT_E_TENSOR_NUMBER);
            CHECK_STRING(detail, "wpe.weight");
        }
    }

    TEST("tensors that are missing, unknown, or of a wrong shape or type are refused by name") {
        char detail[96];
        CHECK_INT(import_status(build_gpt2("", "F32", "h.0.mlp.c_fc.bias"), "", detail),
                  GPT_E_TENSOR_MISSING);
        CHECK_STRING(detail, "h.0.mlp.c_fc.bias");
        builder b = build_gpt2("", "F32", "");
        build_tensor(&b, "h.1.ln_1.weight", "F32", 0, 4);
        CHECK_INT(import_status(b, "", detail), GPT_E_TENSOR_EXTRA);
        CHECK_STRING(detail, "h.1.ln_1.weight");
        b = build_gpt2("", "F32", "wpe.weight");
        build_tensor(&b, "wpe.weight", "F32", 7, 4);
        CHECK_INT(import_status(b, "", detail), GPT_E_TENSOR_SHAPE);
        CHECK_STRING(detail, "wpe.weight (7,4) != (8+,4)");
        b = build_gpt2("", "F32", "ln_f.bias");
        char text[128];
        snprintf(text, sizeof text,
                 ",\"ln_f.bias\":{\"dtype\":\"I32\",\"shape\":[4],\"data_offsets\":[%zu,%zu]}",
                 b.data.size, b.data.size + 16);
        blob_put(&b.data, "0123456789ABCDEF", 16);
        blob_put(&b.json, text, strlen(text));
        CHECK_INT(import_status(b, "", detail), GPT_E_TENSOR_TYPE);
        CHECK_STRING(detail, "ln_f.bias I32");
    }

    TEST("unsupported settings of config.json are refused by key and value") {
        static const char *const refused[][2] = {
            {"\"n_inner\":17", "n_inner 17"},
            {"\"activation_function\":\"relu\"", "activation_function relu"},
            {"\"activation_function\":\"gelu\"", "activation_function gelu"},
            {"\"layer_norm_epsilon\":\"1e-6\"", "layer_norm_epsilon \"1e-6\""},
            {"\"scale_attn_weights\":false", "scale_attn_weights false"},
            {"\"scale_attn_by_inverse_layer_idx\":true", "scale_attn_by_inverse_layer_idx true"},
            {"\"reorder_and_upcast_attn\":true", "reorder_and_upcast_attn true"},
            {"\"add_cross_attention\":true", "add_cross_attention true"},
            {"\"model_type\":\"llama\"", "model_type llama"},
            {"\"quantization_config\":{\"bits\":4}", "quantization_config {...}"},
            {"\"n_layer\":\"two\"", "n_layer two"},
            {"\"n_layer\":null", "n_layer null"},
            {"\"n_layer\":NaN", "n_layer NaN"},
            {"\"layer_norm_epsilon\":Infinity", "layer_norm_epsilon Infinity"},
            {"\"n_inner\":0", "n_inner 0"},
            {"\"initializer_range\":NaN", "initializer_range NaN"},
        };
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            char json[256];
            snprintf(json, sizeof json, "{%s}", refused[i][0]);
            gpt_config *config = gpt_config_create("tinygpt");
            CHECK_INT(gpt_config_import(config, json, strlen(json)), GPT_E_UNSUPPORTED);
            CHECK_STRING(config->error.name, refused[i][1]);
            CHECK(gpt_config_get(config, "channels") == 64); // the recipe is unchanged
            gpt_config_free(config);
        }
        static const char *const broken[] = {"",
                                             "{",
                                             "[]",
                                             "{}",
                                             "{\"n_layer\":1",
                                             "{\"n_layer\":1}x",
                                             "{\"n_layer\":1e99}",
                                             "{\"n_head\":5}",
                                             "{\"vocab_size\":0}"};
        for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
            gpt_config *config = gpt_config_create("tinygpt");
            CHECK(gpt_config_import(config, broken[i], strlen(broken[i])) < 0);
            gpt_config_free(config);
        }
    }

    TEST("a model size in config.json that is out of range or not whole is refused, 0 included") {
        static const struct {
            const char *json, *name;
            int status;
        } sizes[] = {
            {"\"n_layer\":-1", "layers", GPT_E_RANGE},
            {"\"n_embd\":1e400", "channels", GPT_E_RANGE},
            {"\"n_head\":2.5", "heads", GPT_E_WHOLE},
            {"\"n_positions\":0", "context", GPT_E_RANGE},
            {"\"n_ctx\":0", "context", GPT_E_RANGE},
            {"\"vocab_size\":1e400", "vocab_size", GPT_E_RANGE},
            {"\"vocab_size\":2.5", "vocab_size", GPT_E_WHOLE},
        };
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            char json[256];
            snprintf(json, sizeof json, "{%s}", sizes[i].json);
            gpt_config *config = gpt_config_create("tinygpt");
            CHECK_INT(gpt_config_import(config, json, strlen(json)), sizes[i].status);
            CHECK_STRING(config->error.name, sizes[i].name);
            gpt_config_free(config);
        }
    }

    TEST("an export imports with the same weights; options that transformers lacks are refused") {
        gpt_config *config = small("gpt2");
        gpt_config_set(config, "tied_head", 0);
        gpt_trainer *trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
        gpt_step(trainer);
        blob json = save(trainer, "config.json", ""), file = save(trainer, "model.safetensors", "");
        gpt_config *fresh = gpt_config_create("tinygpt");
        CHECK_INT(gpt_config_import(fresh, json.bytes, json.size), GPT_OK);
        CHECK(gpt_config_get(fresh, "tied_head") == 0 && gpt_config_get(fresh, "channels") == 16);
        gpt_trainer *back = load_ours(fresh, file, 1000, "generate", NULL);
        CHECK(back && same_weights(back, trainer));
        CHECK(strstr(file.bytes + 8, "\"transformer.h.1.mlp.c_proj.bias\"") != NULL);
        CHECK(strstr(file.bytes + 8, "\"lm_head.weight\"") != NULL);
        CHECK(strstr(json.bytes, "\"tie_word_embeddings\": false") != NULL);
        free(json.bytes);
        free(file.bytes);
        gpt_trainer_free(back);
        gpt_config_free(fresh);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
        static const char *const options[][2] = {{"norm", "norm rmsnorm"},
                                                 {"head_bias", "head_bias true"},
                                                 {"embedding_norm", "embedding_norm true"}};
        for (int i = 0; i < 3; i++) {
            config = small("gpt2");
            gpt_config_set(config, options[i][0], 1);
            trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
            CHECK(gpt_save_open(trainer, "config.json", NULL, 0) == NULL);
            CHECK_INT(trainer->error.status, GPT_E_EXPORT);
            CHECK_STRING(trainer->error.name, options[i][1]);
            CHECK(gpt_save_open(trainer, "model.safetensors", NULL, 0) == NULL);
            gpt_trainer_free(trainer);
            gpt_config_free(config);
        }
    }

    TEST("a refused export lists every option that prevents it, and no other") {
        gpt_config *config = small("microgpt");
        gpt_trainer *trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
        CHECK(gpt_save_open(trainer, "config.json", NULL, 0) == NULL);
        CHECK_STRING(trainer->error.name, "norm rmsnorm, norm_gain false, bias false, "
                                          "embedding_norm true, final_norm false");
        gpt_trainer_free(trainer);
        // The longest list: with head_bias, all six options have values that GPT-2 lacks.
        gpt_config_set(config, "head_bias", 1);
        trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
        CHECK(gpt_save_open(trainer, "model.safetensors", NULL, 0) == NULL);
        CHECK_STRING(trainer->error.name, "norm rmsnorm, norm_gain false, bias false, "
                                          "head_bias true, embedding_norm true, final_norm false");
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }

    TEST("squared ReLU is exported and imported as relu2, its name in transformers") {
        gpt_config *config = small("gpt2");
        gpt_config_set(config, "activation", 1);
        gpt_trainer *trainer = gpt_trainer_create(config, STREAM, strlen(STREAM));
        blob json = save(trainer, "config.json", "");
        CHECK(strstr(json.bytes, "\"activation_function\": \"relu2\"") != NULL);
        gpt_config *fresh = gpt_config_create("tinygpt");
        CHECK_INT(gpt_config_import(fresh, json.bytes, json.size), GPT_OK);
        CHECK(gpt_config_get(fresh, "activation") == 1);
        free(json.bytes);
        gpt_config_free(fresh);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }

    TEST("the raw form opens from one data file or two") {
        for (int files = 1; files <= 2; files++) {
            builder b = build_gpt2("", "F32", "");
            blob json = {0};
            char text[512];
            size_t cut = 4 * (size_t)(4 + 4 + 48 + 12); // bytes of the first four tensors
            snprintf(
                text, sizeof text,
                "{\"format\":\"gpt2-raw\",\"version\":1,\"config\":{\"n_vocab\":256,\"n_ctx\":8,"
                "\"n_embd\":4,\"n_head\":2,\"n_layer\":1},\"files\":[{\"name\":\"a.bin\",\"bytes\":"
                "%zu}",
                files == 1 ? b.data.size : cut);
            blob_put(&json, text, strlen(text));
            if (files == 2) {
                snprintf(text, sizeof text, ",{\"name\":\"b.bin\",\"bytes\":%zu}",
                         b.data.size - cut);
                blob_put(&json, text, strlen(text));
            }
            blob_put(&json, "],\"tensors\":[", 13);
            blob_put(&b.json, "}", 1);
            tensor_file f;
            gpt_error error;
            CHECK_INT(safetensors_open(&f, b.json.bytes, b.json.size, b.data.size, &error), GPT_OK);
            for (size_t i = 0; i < f.count; i++) {
                const file_tensor *t = &f.tensors[i];
                bool second = files == 2 && t->begin >= cut;
                snprintf(text, sizeof text,
                         "%s{\"name\":\"%s\",\"shape\":[%d%s%d],\"file\":\"%s\",\"offset\":%zu}",
                         i ? "," : "", t->name, (int)t->shape[0], t->dims == 2 ? "," : "",
                         (int)t->shape[t->dims - 1], second ? "b.bin" : "a.bin",
                         (size_t)t->begin - (second ? cut : 0));
                if (t->dims == 1) {
                    snprintf(text, sizeof text,
                             "%s{\"name\":\"%s\",\"shape\":[%d],\"file\":\"%s\",\"offset\":%zu}",
                             i ? "," : "", t->name, (int)t->shape[0], second ? "b.bin" : "a.bin",
                             (size_t)t->begin - (second ? cut : 0));
                }
                blob_put(&json, text, strlen(text));
            }
            blob_put(&json, "]}", 2);
            gpt_config *config = gpt_config_create("tinygpt");
            gpt_loader *loader = gpt_load_open(config, "raw", (double)json.size);
            CHECK(gpt_load_feed(loader, json.bytes, json.size) == (double)json.size);
            CHECK_INT(gpt_load_begin(loader, "generate", NULL, 0), GPT_E_STATE);
            for (int i = 0; i < files; i++) {
                CHECK_INT(gpt_load_state(loader), 4);
                size_t all = b.data.size, bytes = files == 1 ? all : i ? all - cut : cut;
                CHECK_INT(gpt_load_next(loader, (double)bytes), GPT_OK);
            }
            CHECK_INT(gpt_load_next(loader, 8), GPT_E_STATE);
            CHECK_INT(gpt_load_begin(loader, "generate", NULL, 0), GPT_OK);
            char name[64];
            CHECK_INT(gpt_load_file(loader, 0, name, sizeof name), 5);
            CHECK_INT(gpt_load_file(loader, files, name, sizeof name), 0);
            CHECK(gpt_load_feed(loader, b.data.bytes, b.data.size) == (double)b.data.size);
            gpt_trainer *trainer = gpt_load_finish(loader);
            CHECK(trainer && gpt_parameter_data(trainer, 0)[1] == 0.75f);
            gpt_load_free(loader);
            loader = gpt_load_open(config, "raw", (double)json.size);
            CHECK(gpt_load_feed(loader, json.bytes, json.size) == (double)json.size);
            CHECK_INT(gpt_load_next(loader, 12), GPT_E_PART_SIZE);
            CHECK_STRING(config->error.name, "a.bin");
            CHECK_INT(gpt_load_state(loader), GPT_E_STATE);
            gpt_load_free(loader);
            for (size_t at = 0; at < json.size; at++) { // changes each byte: no call may crash
                char held = json.bytes[at];
                json.bytes[at] = "\"x{9"[at % 4];
                loader = gpt_load_open(config, "raw", (double)json.size);
                if (gpt_load_feed(loader, json.bytes, json.size) >= 0) {
                    (void)gpt_load_next(loader, (double)(files == 1 ? b.data.size : cut));
                    (void)gpt_load_next(loader, (double)(b.data.size - cut));
                    (void)gpt_load_begin(loader, "generate", NULL, 0);
                }
                gpt_load_free(loader);
                json.bytes[at] = held;
            }
            gpt_trainer_free(trainer);
            gpt_config_free(config);
            tensor_file_close(&f);
            free(json.bytes);
            free(b.json.bytes);
            free(b.data.bytes);
        }
    }

    TEST("shards load as one model in pieces of any size; a truncated shard is refused by name") {
        const char *index = "{\"metadata\":{\"total_size\":1},\"weight_map\":{\"wte.weight\":"
                            "\"s1\",\"wpe.weight\":\"s2\",\"ln_f.weight\":\"s1\"}}";
        builder b = build_gpt2("transformer.", "F16", "");
        blob_put(&b.json, "}", 1);
        tensor_file f;
        gpt_error error;
        CHECK_INT(safetensors_open(&f, b.json.bytes, b.json.size, b.data.size, &error), GPT_OK);
        size_t half = f.count / 2, cut = (size_t)f.tensors[half].begin;
        blob shards[2] = {shard(&f, 0, half, b.data.bytes),
                          shard(&f, half, f.count, b.data.bytes + cut)};
        for (size_t piece = 1; piece < 1 << 20; piece *= 32) {
            gpt_config *config = imported("");
            gpt_trainer *trainer = load_shards(config, index, shards, piece);
            if (CHECK(trainer != NULL)) {
                check_pattern(&trainer->run.net);
            }
            gpt_trainer_free(trainer);
            gpt_config_free(config);
        }
        gpt_config *config = imported("");
        blob whole = shards[1];
        shards[1].size -= 2;
        CHECK(load_shards(config, index, shards, 999) == NULL);
        CHECK_INT(status_of(config), GPT_E_PART_SIZE);
        CHECK_STRING(config->error.name, "s2");
        shards[1] = shards[0]; // both shards then contain the same tensors
        CHECK(load_shards(config, index, shards, 999) == NULL);
        CHECK_INT(status_of(config), GPT_E_TENSOR_TWICE);
        shards[1] = whole;
        shards[0].size = 8; // ends after the length of its header
        CHECK(load_shards(config, index, shards, 999) == NULL);
        CHECK_INT(status_of(config), GPT_E_FILE_HEADER);
        gpt_config_free(config);
        tensor_file_close(&f);
        free(shards[0].bytes);
        free(whole.bytes);
        free(b.json.bytes);
        free(b.data.bytes);
    }

    TEST("an invalid index, or a shard name that leaves its folder, is refused") {
        static const char *const WRONG[] = {
            "[]",
            "{",
            "{}",
            "{\"weight_map\":{}}",
            "{\"weight_map\":[\"a\"]}",
            "{\"weight_map\":{\"x\":1}}",
            "{\"weight_map\":{\"x\":\"\"}}",
            "{\"weight_map\":{\"x\":\"../a\"}}",
            "{\"weight_map\":{\"x\":\"/a\"}}",
            "{\"weight_map\":{\"x\":\"C:a\"}}",
            "{\"weight_map\":{\"x\":\"a\"}} x",
            "{\"weight_map\":{\"x\":\"a\"},\"weight_map\":{\"x\":\"a\"}}",
        };
        for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
            gpt_config *config = imported("");
            size_t bytes = strlen(WRONG[i]);
            gpt_loader *loader = gpt_load_open(config, "index", (double)bytes);
            CHECK_INT(gpt_load_feed(loader, WRONG[i], bytes), GPT_E_FILE);
            CHECK_INT(gpt_load_next(loader, 100), GPT_E_STATE);
            gpt_load_free(loader);
            gpt_config_free(config);
        }
    }
    return check_report();
}
