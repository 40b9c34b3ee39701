/* gguf_vocabulary.c - reads tokens and merges of a GGUF file; see gguf_header.h. */
#include "formats/gguf_header.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/bpe_files.h"
#include "text/tokenizer.h"

/* Limit of the text of a token in bytes: twice the longest text that a token of TOKEN_BYTES_MAX
 * bytes has in the byte alphabet. */
enum { TOKEN_TEXT_MAX = 4 * TOKEN_BYTES_MAX };

/* Checks that the value of a key is an array of `least` to `most` items (inclusive) of `type`.
 * Errors: GPT_E_FILE (not such an array), GPT_E_RANGE (the number of items). */
static int check_array(const gguf_header *h, int key, uint32_t type, uint64_t least, uint64_t most,
                       gpt_error *error) {
    const gguf_field *v = &h->values[key];
    if (!v->present || !v->array || v->type != type) {
        return gpt_fail_name(error, GPT_E_FILE, GGUF_KEYS[key]);
    }
    return v->count >= least && v->count <= most
               ? GPT_OK
               : gpt_fail(error, GPT_E_RANGE, GGUF_KEYS[key], (double)v->count, (double)least,
                          (double)most);
}

/* Returns a cursor at the first item of a key's array. Its reads cannot go out of bounds, because
 * gguf_read_header has read the whole array before. */
static gguf_cursor items_of(const gguf_header *h, int key, const unsigned char *bytes) {
    uint64_t at = h->values[key].items;
    return (gguf_cursor){
        .bytes = bytes, .at = at, .prefix_bytes = UINT64_MAX, .file_bytes = UINT64_MAX};
}

/* A position in the array of tokens and in the array of token types. */
typedef struct token_reader {
    gguf_cursor texts, types;
    bool typed; /* the file has token types; if not, all tokens are GGUF_TOKEN_NORMAL */
} token_reader;

static token_reader tokens_of(const gguf_header *h, const unsigned char *bytes) {
    return (token_reader){items_of(h, GGUF_KEY_TOKENS, bytes),
                          items_of(h, GGUF_KEY_TOKEN_TYPES, bytes),
                          h->values[GGUF_KEY_TOKEN_TYPES].present};
}

static gguf_span next_token(token_reader *t, uint32_t *type) {
    *type = t->typed ? (uint32_t)gguf_whole(&t->types, 4) : GGUF_TOKEN_NORMAL;
    return gguf_string(&t->texts);
}

/* Checks the length and the UTF-8 of every token, and sets shape->bos to the id of <|endoftext|>,
 * or to -1 if no token has this text. Errors: GPT_E_BPE_TOKEN_LENGTH, GPT_E_FILE. */
static int check_tokens(const gguf_header *h, const unsigned char *bytes, gpt2_shape *shape,
                        gpt_error *error) {
    token_reader t = tokens_of(h, bytes);
    shape->bos = -1;
    for (int id = 0; id < shape->vocab; id++) {
        uint32_t type;
        gguf_span text = next_token(&t, &type);
        if (text.bytes > TOKEN_TEXT_MAX) {
            return gpt_fail(error, GPT_E_BPE_TOKEN_LENGTH, GGUF_KEYS[GGUF_KEY_TOKENS], id, 1,
                            TOKEN_BYTES_MAX);
        }
        if (!utf8_is_valid((const unsigned char *)text.text, (size_t)text.bytes)) {
            return gpt_fail_name(error, GPT_E_FILE, GGUF_KEYS[GGUF_KEY_TOKENS]);
        }
        if (gguf_spells(text, BPE_END_OF_TEXT)) {
            shape->bos = id;
        }
    }
    return GPT_OK;
}

/* Checks a vocabulary of 256 or 257 tokens, which the loader takes for the single bytes: tokens 0
 * to 255 must be the bytes in ascending order, a token 256 must be <|endoftext|>, and the file must
 * have no merges. Errors: GPT_E_UNSUPPORTED. */
static int check_bytes(const gguf_header *h, const unsigned char *bytes, const gpt2_shape *shape,
                       gpt_error *error) {
    token_reader t = tokens_of(h, bytes);
    bool good = h->values[GGUF_KEY_MERGES].count == 0 && (shape->vocab == 256 || shape->bos == 256);
    for (int id = 0; id < 256 && good; id++) {
        uint32_t type;
        gguf_span text = next_token(&t, &type);
        utf8_symbol symbol = text.bytes
                                 ? utf8_next((const unsigned char *)text.text, (size_t)text.bytes)
                                 : (utf8_symbol){0};
        good = text.bytes == (uint64_t)symbol.length && symbol.valid &&
               bpe_byte_of_character(symbol.code) == id;
    }
    return good ? GPT_OK
                : gguf_refuse(error, GGUF_KEYS[GGUF_KEY_TOKENS], &h->values[GGUF_KEY_TOKENS]);
}

/* Writes a JSON object from tokens to ids. If `special` is true, the object has the special tokens,
 * as plain text; otherwise it has the other tokens, in the byte alphabet. <|endoftext|> is not a
 * special token here, because GPT-2's own vocab.json contains it. Returns whether a token was
 * written. */
static bool put_tokens(text_buffer *out, const gguf_header *h, const unsigned char *bytes,
                       int vocab, bool special) {
    token_reader t = tokens_of(h, bytes);
    bool any = false;
    text_put(out, "{");
    for (int id = 0; id < vocab; id++) {
        uint32_t type;
        gguf_span text = next_token(&t, &type);
        bool plain = (type == GGUF_TOKEN_CONTROL || type == GGUF_TOKEN_USER_DEFINED) &&
                     !gguf_spells(text, BPE_END_OF_TEXT);
        if (type == GGUF_TOKEN_UNUSED || plain != special) {
            continue; // skips ids without a token, and tokens that belong in the other object
        }
        text_put(out, any ? "," : "");
        any = true;
        text_put_json_bytes(out, text.text, (size_t)text.bytes);
        text_put(out, ":");
        text_put_whole(out, (uint64_t)id);
    }
    text_put(out, "}");
    return any;
}

static int put_merges(text_buffer *out, const gguf_header *h, const unsigned char *bytes,
                      gpt_error *error) {
    gguf_cursor merges = items_of(h, GGUF_KEY_MERGES, bytes);
    text_put(out, "#version: 0.2\n");
    for (uint64_t i = 0; i < h->values[GGUF_KEY_MERGES].count; i++) {
        gguf_span merge = gguf_string(&merges);
        size_t length = (size_t)merge.bytes;
        if (memchr(merge.text, '\n', length) || memchr(merge.text, '\r', length) ||
            memchr(merge.text, '\0', length)) {
            return gpt_fail_name(error, GPT_E_FILE, GGUF_KEYS[GGUF_KEY_MERGES]);
        }
        text_put_bytes(out, merge.text, length);
        text_put(out, "\n");
    }
    return GPT_OK;
}

int gguf_write_vocabulary(foreign_reader *r, const gguf_header *h, const unsigned char *bytes,
                          int vocab, gpt_error *error) {
    int status = GPT_OK;
    bool any = false;
    text_buffer out = text_begin(NULL, 0);
    do {
        (void)put_tokens(&out, h, bytes, vocab, false);
    } while (text_again(&out, error));
    r->vocab = out.out;
    out = text_begin(NULL, 0);
    do {
        status = put_merges(&out, h, bytes, error);
    } while (status == GPT_OK && text_again(&out, error));
    r->merges = out.out;
    if (status < 0) {
        return status;
    }
    out = text_begin(NULL, 0);
    do {
        any = put_tokens(&out, h, bytes, vocab, true);
    } while (text_again(&out, error));
    r->added = out.out;
    if (r->added && !any) {
        free(r->added);
        r->added = NULL;
    }
    return r->vocab && r->merges && out.out ? GPT_OK : GPT_E_ALLOCATION;
}

int gguf_read_tokenizer(const gguf_header *h, const unsigned char *bytes, gpt2_shape *shape,
                        gpt_error *error) {
    int status = check_array(h, GGUF_KEY_TOKENS, GGUF_STRING, 1, VOCABULARY_MAX, error);
    uint64_t count = h->values[GGUF_KEY_TOKENS].count;
    status = status < 0 ? status
                        : check_array(h, GGUF_KEY_MERGES, GGUF_STRING, 0, BPE_MERGES_MAX, error);
    if (status == GPT_OK && h->values[GGUF_KEY_TOKEN_TYPES].present) {
        status = check_array(h, GGUF_KEY_TOKEN_TYPES, GGUF_I32, count, count, error);
    }
    shape->vocab = status < 0 ? 0 : (int)count;
    status = status < 0 ? status : check_tokens(h, bytes, shape, error);
    return status == GPT_OK && (count == 256 || count == 257) ? check_bytes(h, bytes, shape, error)
                                                              : status;
}
