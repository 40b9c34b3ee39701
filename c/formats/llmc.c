/* llmc.c - reads checkpoints of llm.c, versions 3 (F32) and 5 (BF16), as train_gpt2.py writes them.
 *
 * A file is a header of 256 32-bit numbers, then the weights sorted by kind: one kind of weight of
 * all layers in order, then the next kind. The file has no vocabulary, because llm.c uses GPT-2's.
 */
#include "formats/formats.h"

#include <string.h>

enum {
    MAGIC = 20240326,
    HEADER_NUMBERS = 256,
    HEADER_BYTES = 4 * HEADER_NUMBERS,
    PADDED_MAX = 1 << 20 /* limit of the token table's rows, padding included */
};

static uint32_t number_at(const unsigned char *bytes, size_t index) {
    const unsigned char *at = bytes + 4 * index;
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

bool llmc_is(const unsigned char *first, size_t count) {
    return count >= 4 && number_at(first, 0) == MAGIC;
}

/* Adds the parameter whose numbers begin at offset `*at` of the file, and advances `*at` to their
 * end. Linear weights are (out,in) in the file. */
static int add_weight(foreign_reader *r, const param *p, int type, uint64_t *at, gpt_error *error) {
    foreign_tensor *s = reader_add_tensor(r, p->name, strlen(p->name), error);
    if (!s) {
        return error->status;
    }
    s->type = type;
    s->rows = p->linear ? param_columns(p) : param_rows(p);
    s->columns = p->linear ? param_rows(p) : param_columns(p);
    s->transposed = p->linear;
    s->begin = *at;
    *at += foreign_tensor_bytes(s);
    return GPT_OK;
}

/* Adds all parameters in the order of the file, from offset `*at` on. Skips the `padding` rows
 * after the token table, which belong to no token. */
static int add_weights(foreign_reader *r, uint64_t layers, uint64_t padding, int type, uint64_t *at,
                       gpt_error *error) {
    const model *list = &r->weights;
    // the first two parameters are the token and the position table, the last two the final norm
    int outer = 2;
    int each = (list->count - 4) / (int)layers, status = GPT_OK;
    for (int kind = 0; kind < each + 4 && status == GPT_OK; kind++) {
        bool layered = kind >= outer && kind < outer + each;
        for (int layer = 0; layer < (layered ? (int)layers : 1) && status == GPT_OK; layer++) {
            int index = kind < outer ? kind
                        : layered    ? kind + layer * each
                                     : list->count - (each + 4 - kind);
            const param *p = &list->params[index];
            status = add_weight(r, p, type, at, error);
            *at += kind ? 0 : padding * param_columns(p) * tensor_file_type_bytes(type);
        }
    }
    return status;
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
    int status = reader_set_config(r, &shape, error); // checks the ranges of the sizes
    uint64_t at = HEADER_BYTES;
    status = status < 0 ? status
                        : add_weights(r, layers, padded - vocab,
                                      version == 3 ? FILE_F32 : FILE_BF16, &at, error);
    if (status == GPT_OK && at != r->file_bytes) {
        status = gpt_fail(error, GPT_E_TRUNCATED, "", (double)r->file_bytes, (double)at, 0);
    }
    r->ready = status == GPT_OK;
    return status;
}

int llmc_open(foreign_reader *r, gpt_error *error) {
    return reader_want(r, 0, HEADER_BYTES, read_header, error);
}
