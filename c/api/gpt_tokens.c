/* gpt_tokens.c - encoding, decoding, and the BPE vocabulary. See the section Tokens of gpt.h. */
#include "api/handles.h"

#include <string.h>
#include "base/text_buffer.h"

int gpt_encode(gpt_trainer *t, const char *text, size_t bytes, int32_t *ids, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if ((!text && bytes) || bytes > TEXT_BYTES_MAX) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "text");
    }
    id_list list = {ids, ids ? capacity : 0, 0};
    int status = tokenizer_encode(&t->run.data.tokenizer, text, bytes, id_list_add, &list,
                                  &t->error);
    if (status < 0) {
        return status;
    }
    return list.count <= capacity ? (int)list.count
                                  : gpt_fail(&t->error, GPT_E_CAPACITY, "ids", (double)list.count,
                                             (double)capacity, 0);
}

int gpt_token_bytes(gpt_trainer *t, int id, char *out, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (id < 0 || id >= t->run.data.tokenizer.vocab) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "id");
    }
    unsigned char bytes[TOKEN_BYTES_MAX];
    int count = tokenizer_bytes(&t->run.data.tokenizer, id, bytes);
    if (!out || (size_t)count > capacity) {
        return gpt_fail(&t->error, GPT_E_CAPACITY, "out", count, (double)capacity, 0);
    }
    memcpy(out, bytes, (size_t)count);
    return count;
}

/* Returns the BPE vocabulary of a trainer; NULL for other tokenizers. */
static const bpe *bpe_of(const gpt_trainer *t) {
    return t && t->run.data.tokenizer.kind == TOKENIZER_BPE ? &t->run.data.tokenizer.bpe : NULL;
}

int gpt_merges_json(gpt_trainer *t, int first, int count, char *out, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (first < 0 || count < 0) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, first < 0 ? "first" : "count");
    }
    const bpe *table = bpe_of(t);
    int merges = table ? table->merges : 0;
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "[");
    for (int i = 0; i < count && i < merges - first; i++) {
        int rank = first + i;
        const double row[4] = {table->left[rank], table->right[rank], table->made[rank],
                               table->count[rank]};
        for (int j = 0; j < 4; j++) {
            text_put(&buffer, j ? "," : i ? ",[" : "[");
            text_put_number(&buffer, row[j]);
        }
        text_put(&buffer, "]");
    }
    text_put(&buffer, "]");
    return text_answer(&buffer, &t->error);
}
