/* test_gguf_write.c - exports GGUF files and checks them with the second reader of gguf_files.h. */
#include "gguf_files.h"

/* Compares every tensor of a GGUF file with the weights of `t`. `half`: the weights of linear
 * layers and the token tables must be the nearest 16-bit floats; all other tensors are F32 and must
 * be equal. */
static void check_written(gpt_trainer *t, blob file, bool half) {
    char theirs[64], ours[64];
    seen s = look(file);
    uint64_t found = 0, end = 0;
    for (uint64_t i = 0; i < s.tensors; i++) {
        const seen_tensor *x = &s.tensor[i];
        uint64_t count = x->sizes[0] * (x->dims == 2 ? x->sizes[1] : 1);
        CHECK(x->offset == end); // llama.cpp needs tensors without gaps, each at a multiple of 32
        end = (x->offset + count * (x->type ? 2 : 4) + 31) / 32 * 32;
    }
    CHECK(s.data + end == file.size);
    for (int i = 0; names_of(t, i, theirs, ours); i++) {
        const seen_tensor *x = tensor_called(&s, theirs);
        const param *p = find(t, ours);
        if (!p && !strcmp(ours, "lm_head.weight")) {
            CHECK(x == NULL); // a tied head: the file has token_embd.weight alone
            continue;
        }
        if (!CHECK(x != NULL)) continue;
        found++;
        bool linear = is_linear(theirs),
             narrow = half && (linear || !strcmp(theirs, "output.weight") ||
                               !strcmp(theirs, "token_embd.weight"));
        size_t count = (size_t)(x->sizes[0] * (x->dims == 2 ? x->sizes[1] : 1));
        CHECK_INT(x->type, narrow ? 1 : 0);
        if (p) {
            CHECK(count == p->value.size);
            CHECK_INT(x->sizes[0], linear ? param_rows(p) : param_columns(p));
        }
        const char *at = file.bytes + s.data + x->offset;
        bool same = true;
        for (size_t k = 0; k < count; k++) {
            // The file has every tensor of GPT-2: a gain that the model lacks is ones, a bias
            // zeros.
            float wanted = p ? number_at(p, linear, k) : strstr(theirs, "weight") ? 1.0f : 0.0f;
            float value;
            uint16_t bits;
            memcpy(&value, at + 4 * k, narrow ? 0 : 4);
            memcpy(&bits, at + 2 * k, narrow ? 2 : 0);
            same = same && (narrow ? bits == nearest_half(wanted) : value == wanted);
        }
        if (!CHECK(same)) printf("%s\n", theirs);
    }
    CHECK(found == s.tensors);
}

int main(void) {
    TEST("tensors of a GGUF file equal the weights: exactly in F32, rounded in F16") {
        const char *tokenizers[] = {"byte", "bpe"};
        for (int k = 0; k < 4; k++) {
            gpt_trainer *t = little_gpt2_with(tokenizers[k & 1], "tied_head", k < 2);
            for (int half = 0; half < 2; half++) {
                int status;
                blob file = export_as(t, half ? "gguf-f16" : "gguf", 4096, &status);
                if (CHECK_INT(status, GPT_OK)) check_written(t, file, half);
                free(file.bytes);
            }
            gpt_trainer_free(t);
        }
    }

    TEST("missing gains are written as ones, and missing biases as zeros") {
        const char *options[] = {"norm_gain", "bias"};
        for (int k = 0; k < 2; k++) {
            gpt_trainer *t = little_gpt2_with("byte", options[k], 0);
            int status;
            blob file = export_as(t, "gguf", 4096, &status);
            if (CHECK_INT(status, GPT_OK)) check_written(t, file, false);
            free(file.bytes);
            gpt_trainer_free(t);
        }
    }

    TEST("the metadata has architecture, sizes, tokenizer and an EOS that is in no text") {
        gpt_trainer *t = little_gpt2("byte");
        int status;
        blob file = export_as(t, "gguf", 4096, &status);
        if (CHECK_INT(status, GPT_OK)) {
            seen s = look(file);
            CHECK_INT(s.version, 3);
            CHECK(!memcmp(file.bytes + value_of(&s, "general.architecture") + 8, "gpt2", 4));
            CHECK(!memcmp(file.bytes + value_of(&s, "tokenizer.ggml.model") + 8, "gpt2", 4));
            CHECK(!memcmp(file.bytes + value_of(&s, "tokenizer.ggml.pre") + 8, "gpt-2", 5));
            CHECK(number_of(&s, "gpt2.context_length") == 16);
            CHECK(number_of(&s, "gpt2.embedding_length") == 32);
            CHECK(number_of(&s, "gpt2.feed_forward_length") == 128);
            CHECK(number_of(&s, "gpt2.block_count") == 2);
            CHECK(number_of(&s, "gpt2.attention.head_count") == 2);
            CHECK(number_of(&s, "general.alignment") == 32);
            // Without this key llama.cpp takes token 11 as the end of a text. Token 255 is a byte
            // that UTF-8 never has.
            CHECK(number_of(&s, "tokenizer.ggml.eos_token_id") == 255);
            CHECK_INT(file.bytes[value_of(&s, "tokenizer.ggml.add_bos_token")], 0);
        }
        free(file.bytes);
        gpt_trainer_free(t);
    }

    TEST("where lines are documents, the metadata tells llama.cpp to add BOS") {
        gpt_config *config = small("gpt2");
        gpt_config_set_text(config, "sequences", "documents");
        gpt_config_set_text(config, "tokenizer", "bpe");
        gpt_trainer *t = gpt_trainer_create(config, LINES, strlen(LINES));
        int status;
        if (CHECK(t != NULL)) {
            blob file = export_as(t, "gguf", 4096, &status);
            if (CHECK_INT(status, GPT_OK)) {
                seen s = look(file);
                CHECK_INT(file.bytes[value_of(&s, "tokenizer.ggml.add_bos_token")], 1);
                CHECK(number_of(&s, "tokenizer.ggml.bos_token_id") == t->run.data.tokenizer.bos);
                size_t at = value_of(&s, "tokenizer.ggml.token_type") + 12;
                int32_t type;
                memcpy(&type, file.bytes + at + 4 * (size_t)t->run.data.tokenizer.bos, 4);
                CHECK_INT(type, 3);
            }
            free(file.bytes);
        }
        gpt_trainer_free(t);
        gpt_config_free(config);
    }

    TEST("a recipe outside the gpt2 architecture is refused with the name of the option") {
        const struct {
            const char *option, *why;
            double value;
        } cases[] = {
            {"norm", "norm rmsnorm", 1},           {"activation", "activation relu2", 1},
            {"head_bias", "head_bias true", 1},    {"embedding_norm", "embedding_norm true", 1},
            {"final_norm", "final_norm false", 0}, {"tokenizer", "tokenizer char", 1}};
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            gpt_trainer *t = little_gpt2_with("byte", cases[k].option, cases[k].value);
            blob weights = save(t, "weights", "");
            gpt_export *e = gpt_export_open("gguf", (double)weights.size);
            char json[1024];
            CHECK_INT((int)gpt_export_feed(e, weights.bytes, weights.size), GPT_E_FORMAT);
            CHECK(gpt_export_error_json(e, json, sizeof json) > 0);
            CHECK(strstr(json, cases[k].why) != NULL);
            CHECK_INT(gpt_export_error_json(e, json, 8), GPT_E_CAPACITY);
            gpt_export_free(e);
            free(weights.bytes);
            gpt_trainer_free(t);
        }
    }

    return check_report();
}
