/* left_out_parts.c - see left_out_parts.h. */
#include "train/left_out_parts.h"

#include <assert.h>
#include <string.h>

#include "base/lines.h"

typedef struct part_finder {
    const left_out *from;
    left_out *parts;
    const tokenizer *tokenizer;
    uint64_t at;     /* number of bytes of the text read so far */
    uint32_t number; /* number of tokens or documents read so far */
} part_finder;

/* Reads the next token or document, which consists of the bytes from..to-1 of the text. Adds its
 * number to f->parts if at least one of its bytes is left out. */
static void pass(part_finder *f, uint64_t from, uint64_t to) {
    if (left_out_touches(f->from, from, to)) {
        bool fits = left_out_add(f->parts, f->number, f->number + 1);
        // The tokens or documents that contain bytes of one range are consecutive, so f->parts
        // never has more ranges than f->from.
        assert(fits);
        (void)fits;
    }
    f->number++;
    f->at = to;
}

static void pass_token(void *receiver, int id) {
    part_finder *f = receiver;
    unsigned char bytes[TOKEN_BYTES_MAX];
    size_t length = id == f->tokenizer->bos ? strlen(BPE_END_OF_TEXT)
                                            : (size_t)tokenizer_bytes(f->tokenizer, id, bytes);
    pass(f, f->at, f->at + length);
}

int left_out_parts(left_out *parts, const left_out *from, const tokenizer *k, bool documents,
                   const char *text, size_t bytes, gpt_error *error) {
    part_finder f = {.from = from, .parts = parts, .tokenizer = k};
    uint32_t end = from->ranges[from->count - 1].to;
    if (end > bytes) {
        return gpt_fail(error, GPT_E_LEFT_OUT_END, "", end - 1.0, (double)bytes, 0);
    }
    parts->count = 0;
    if (documents) {
        text_line line = {0};
        while (lines_next(text, bytes, &line)) {
            pass(&f, line.start, line.start + line.length);
        }
        return GPT_OK;
    }
    if (k->kind == TOKENIZER_BPE) {
        return tokenizer_encode(k, text, bytes, pass_token, &f, error);
    }
    // A token is one byte or one character. The text is split here without calling the tokenizer,
    // which has no table of characters if its arena only counts bytes.
    while (f.at < bytes) {
        const unsigned char *rest = (const unsigned char *)text + f.at;
        int length = k->kind == TOKENIZER_BYTE ? 1 : utf8_next(rest, bytes - (size_t)f.at).length;
        pass(&f, f.at, f.at + (uint64_t)length);
    }
    return GPT_OK;
}
