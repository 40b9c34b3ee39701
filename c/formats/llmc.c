/* llmc.c - the checkpoints of llm.c: 256 32-bit numbers, then all weights of a kind one after the
 * other, the layers side by side. Versions 3 (F32) and 5 (BF16), as train_gpt2.py writes them. Such
 * a file has no vocabulary: it is GPT-2's. */
#include "formats/formats.h"

#include <string.h>

enum {
    MAGIC = 20240326,
    HEADER_NUMBERS = 256,
    HEADER_BYTES = 4 * HEADER_NUMBERS,
    PADDED_MAX = 1 << 20 /* rows of the token table, the padding included */
};

static uint32_t number_at(const unsigned char *bytes, size_t index) {
    const unsigned char *at = bytes + 4 * index;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool llmc_is(const unsigned char *first, size_t count) {
    return count >= 4 && number_at(first, 0) == MAGIC;
}

/* One kind of weights: "h.N." before the name where each layer has them; linear ones lie (out,in)
 * there. */
typedef struct kind {
    const char *name;
    bool layered;
    uint64_t rows, columns; /* of one */
    uint64_t skipped;       /* rows behind it that nothing is made of */
} kind;

static int add_kind(foreign_reader *r, const kind *k, uint64_t layers, int type, uint64_t *at,
                    gpt_error *error) {
    for (uint64_t layer = 0; layer < (k->layered ? layers : 1); layer++) {
        char name[FILE_NAME_MAX];
        text_buffer out = text_begin(name, sizeof name);
        if (k->layered) {
            text_put(&out, "h.");
            text_put_whole(&out, layer);
            text_put(&out, ".");
        }
        text_put(&out, k->name);
        foreign_tensor *s = reader_add_tensor(r, name, text_end(&out), error);
        if (!s) {
            return error->status;
        }
        s->type = type;
        s->rows = k->rows;
        s->columns = k->columns;
        s->swap = k->layered && k->rows;
        s->begin = *at;
        *at += foreign_tensor_bytes(s) + k->skipped * k->columns * tensor_file_type_bytes(type);
    }
    return GPT_OK;
}

static int read_header(foreign_reader *r, const unsigned char *bytes, size_t count,
                       gpt_error *error) {
    (void)count;
    uint32_t version = number_at(bytes, 1);
    if (version != 3 && version != 5) {
        char what[sizeof error->name];
        text_buffer out = text_begin(what, sizeof what);
        text_put(&out, "llm.c version ");
        text_put_whole(&out, version);
        text_end(&out);
        return gpt_fail_name(error, GPT_E_UNSUPPORTED, what);
    }
    uint64_t context = number_at(bytes, 2), vocab = number_at(bytes, 3);
    uint64_t layers = number_at(bytes, 4), channels = number_at(bytes, 6);
    uint64_t padded = number_at(bytes, 7), heads = number_at(bytes, 5);
    if (vocab < 1 || vocab > VOCABULARY_MAX) {
        return gpt_fail(error, GPT_E_RANGE, "vocab_size", (double)vocab, 1, VOCABULARY_MAX);
    }
    if (padded < vocab || padded > PADDED_MAX) {
        return gpt_fail(error, GPT_E_RANGE, "padded_vocab", (double)padded, (double)vocab,
                        PADDED_MAX);
    }
    gpt2_shape shape = {.layers = (double)layers,
                        .heads = (double)heads,
                        .channels = (double)channels,
                        .context = (double)context,
                        .vocab = (int)vocab,
                        .bos = vocab == 50257 ? 50256 : -1,
                        .tied = true};
    int status = reader_set_config(r, &shape, error); // bounds all of them
    const kind KINDS[] = {
        // The rows of the padding take part in nothing.
        {"wte.weight", false, vocab, channels, padded - vocab},
        {"wpe.weight", false, context, channels, 0},
        {"ln_1.weight", true, 0, channels, 0},
        {"ln_1.bias", true, 0, channels, 0},
        {"attn.c_attn.weight", true, 3 * channels, channels, 0},
        {"attn.c_attn.bias", true, 0, 3 * channels, 0},
        {"attn.c_proj.weight", true, channels, channels, 0},
        {"attn.c_proj.bias", true, 0, channels, 0},
        {"ln_2.weight", true, 0, channels, 0},
        {"ln_2.bias", true, 0, channels, 0},
        {"mlp.c_fc.weight", true, 4 * channels, channels, 0},
        {"mlp.c_fc.bias", true, 0, 4 * channels, 0},
        {"mlp.c_proj.weight", true, channels, 4 * channels, 0},
        {"mlp.c_proj.bias", true, 0, channels, 0},
        {"ln_f.weight", false, 0, channels, 0},
        {"ln_f.bias", false, 0, channels, 0},
    };
    uint64_t at = HEADER_BYTES;
    for (size_t i = 0; status == GPT_OK && i < sizeof KINDS / sizeof *KINDS; i++) {
        status = add_kind(r, &KINDS[i], layers, version == 3 ? FILE_F32 : FILE_BF16, &at, error);
    }
    if (status == GPT_OK && at != r->file_bytes) {
        status = gpt_fail(error, GPT_E_TRUNCATED, "", (double)r->file_bytes, (double)at, 0);
    }
    r->ready = status == GPT_OK;
    return status;
}

int llmc_open(foreign_reader *r, gpt_error *error) {
    return reader_want(r, 0, HEADER_BYTES, read_header, error);
}
