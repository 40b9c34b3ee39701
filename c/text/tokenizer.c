/* tokenizer.c - bytes and characters, and the code that all kinds share. See tokenizer.h. */
#include "text/tokenizer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"

enum { BMP = 0x10000 }; /* first code point after the Basic Multilingual Plane */

tokenizer_options tokenizer_options_of(const config *c) {
    return (tokenizer_options){
        .kind = config_tokenizer(c),
        .documents = config_int(c, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS,
        .context = config_int(c, OPT_CONTEXT),
        .vocabulary = config_int(c, OPT_VOCABULARY),
        .specials = config_bool(c, OPT_SPECIAL_TOKENS),
    };
}

void text_counts_document(text_counts *counts, uint64_t tokens, int context) {
    if (tokens + 1 > (uint64_t)context) {
        counts->cut_documents++;
        // Training reads only the first T tokens of a document (T: the context): the inputs are
        // BOS and T - 1 tokens, the targets are T tokens. All further tokens are cut.
        counts->cut_tokens += tokens - (uint64_t)context;
    }
}

typedef struct code_set {
    uint64_t *words; /* owned; one bit for each code point */
    uint32_t end;    /* greater than all members */
} code_set;

enum { SYMBOL_WORDS = UTF8_CODE_POINTS / 64 };

static void add_code(code_set *seen, uint32_t code) {
    seen->words[code >> 6] |= (uint64_t)1 << (code & 63);
    seen->end = code < seen->end ? seen->end : code + 1;
}

/* Returns the smallest member of the set that is at least `from`; UTF8_CODE_POINTS if there is no
 * such member. */
static uint32_t next_code(const code_set *seen, uint32_t from) {
    while (from < seen->end) {
        uint64_t rest = seen->words[from >> 6] >> (from & 63);
        if (rest & 1) {
            return from;
        }
        from = rest ? from + 1 : (from | 63) + 1;
    }
    return UTF8_CODE_POINTS;
}

/* Adds the code points of a text to `seen`, and the numbers of its tokens and invalid bytes to
 * `counts`. */
static void scan(const char *text, size_t bytes, bool chars, code_set *seen, text_counts *counts) {
    for (size_t at = 0; at < bytes;) {
        utf8_symbol s = utf8_next((const unsigned char *)text + at, bytes - at);
        add_code(seen, s.code);
        counts->tokens += chars ? 1 : (uint64_t)s.length;
        counts->invalid_bytes += !s.valid;
        at += (size_t)s.length;
    }
}

/* Fails with GPT_E_CHARACTER. The name of the error is the character; empty for control characters
 * and invalid bytes. */
static int fail_character(uint32_t code, gpt_error *error) {
    char name[5] = {0};
    bool escaped = code >= UTF8_ESCAPE && code < UTF8_ESCAPE + 0x100;
    if (code >= 0x20 && !escaped) {
        (void)utf8_encode(code, (unsigned char *)name);
    }
    return gpt_fail(error, GPT_E_CHARACTER, name, code, 0, 0);
}

/* Sets `seen`, at first the characters of the text, to the characters of a saved model. Errors:
 * GPT_E_CHARACTER if the model lacks a character of the text. */
static int use_vocab(const vocabulary *vocab, code_set *seen, gpt_error *error) {
    for (int i = 0; i < vocab->code_count; i++) {
        seen->words[vocab->codes[i] >> 6] &= ~((uint64_t)1 << (vocab->codes[i] & 63));
    }
    uint32_t missing = next_code(seen, 0);
    if (missing < UTF8_CODE_POINTS) {
        return fail_character(missing, error);
    }
    for (int i = 0; i < vocab->code_count; i++) {
        add_code(seen, vocab->codes[i]);
    }
    return GPT_OK;
}

/* Allocates the tables between ids and code points, and fills them unless `memory` only counts
 * bytes. Errors: GPT_E_VOCABULARY, GPT_E_MEMORY. */
static int lay_out_characters(tokenizer *k, const code_set *seen, arena *memory, gpt_error *error) {
    uint32_t code = next_code(seen, 0);
    for (; code < UTF8_CODE_POINTS; code = next_code(seen, code + 1)) {
        k->code_count++;
    }
    k->bos = k->code_count;
    k->vocab = k->code_count + 1;
    if (k->vocab > VOCABULARY_MAX) {
        return gpt_fail(error, GPT_E_VOCABULARY, "tokenizer", k->vocab, VOCABULARY_MAX, 0);
    }
    k->codes = arena_alloc(memory, (uint64_t)k->code_count + 1, sizeof *k->codes);
    k->id_of = arena_alloc_zeroed(memory, BMP, sizeof *k->id_of);
    if (!k->codes || !k->id_of) {
        return arena_fail(memory, error);
    }
    code = memory->measuring ? UTF8_CODE_POINTS : next_code(seen, 0);
    for (int id = 0; code < UTF8_CODE_POINTS; code = next_code(seen, code + 1)) {
        if (code < BMP) {
            k->id_of[code] = (uint16_t)(id + 1);
        }
        k->codes[id++] = code;
    }
    return GPT_OK;
}

int tokenizer_open(tokenizer *k, tokenizer_options options, const vocabulary *vocab,
                   bpe_source *bpe_vocab, const char *text, size_t bytes, arena *memory,
                   text_counts *counts, gpt_error *error) {
    memset(k, 0, sizeof *k);
    memset(counts, 0, sizeof *counts);
    k->kind = options.kind;
    if (options.kind == TOKENIZER_BPE) {
        return tokenizer_bpe_open(k, options, vocab ? vocab->rows : 0, bpe_vocab, text, bytes,
                                  memory, counts, error);
    }
    code_set seen = {calloc(SYMBOL_WORDS, sizeof *seen.words), 0};
    if (!seen.words) {
        return gpt_fail_allocation(error, SYMBOL_WORDS * sizeof *seen.words);
    }
    bool chars = options.kind == TOKENIZER_CHAR;
    if (options.documents) {
        text_line line = {0};
        while (lines_next(text, bytes, &line)) {
            uint64_t before = counts->tokens;
            scan(text + line.start, line.length, chars, &seen, counts);
            text_counts_document(counts, counts->tokens - before, options.context);
        }
    } else {
        scan(text, bytes, chars, &seen, counts);
    }
    int status = GPT_OK;
    if (chars) {
        status = vocab ? use_vocab(vocab, &seen, error) : GPT_OK;
        status = status < 0 ? status : lay_out_characters(k, &seen, memory, error);
    } else {
        k->bos = options.documents ? 256 : -1;
        k->vocab = options.documents ? 257 : 256;
    }
    free(seen.words);
    return status;
}

/* Binary search: returns the id of a code point; -1 if the vocabulary lacks the code point. */
static int find_above_bmp(const tokenizer *k, uint32_t code) {
    int low = 0, high = k->code_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (k->codes[middle] < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < k->code_count && k->codes[low] == code ? low : -1;
}

int tokenizer_next(const tokenizer *k, const char *text, size_t count, int *length,
                   gpt_error *error) {
    switch (k->kind) {
    case TOKENIZER_BYTE:
        *length = 1;
        return (unsigned char)text[0];
    case TOKENIZER_CHAR: {
        utf8_symbol s = utf8_next((const unsigned char *)text, count);
        *length = s.length;
        int id = s.code < BMP ? k->id_of[s.code] - 1 : find_above_bmp(k, s.code);
        return id < 0 ? fail_character(s.code, error) : id;
    }
    case TOKENIZER_BPE:
        break;
    }
    assert(false); // the end of a BPE token depends on the text after it
    return gpt_fail_name(error, GPT_E_STATE, "tokenizer");
}

void id_list_add(void *list, int id) {
    id_list *l = list;
    if (l->count < l->capacity) {
        l->ids[l->count] = id;
    }
    l->count++;
}

int encoder_put(encoder *e, const char *text, size_t bytes, token_sink *sink, void *receiver,
                gpt_error *error) {
    if (e->tokenizer->kind == TOKENIZER_BPE) {
        return encoder_put_bpe(e, text, bytes, sink, receiver, error);
    }
    while (bytes) {
        int length;
        int id = tokenizer_next(e->tokenizer, text, bytes, &length, error);
        if (id < 0) {
            return id;
        }
        sink(receiver, id);
        text += length;
        bytes -= (size_t)length;
    }
    return GPT_OK;
}

int tokenizer_encode(const tokenizer *k, const char *text, size_t bytes, token_sink *sink,
                     void *receiver, gpt_error *error) {
    encoder e = encoder_open(k, bytes);
    int status = encoder_put(&e, text, bytes, sink, receiver, error);
    encoder_close(&e);
    return status;
}

int tokenizer_bytes(const tokenizer *k, int id, unsigned char out[TOKEN_BYTES_MAX]) {
    if (id < 0 || id >= k->vocab || id == k->bos) {
        return 0;
    }
    switch (k->kind) {
    case TOKENIZER_BYTE:
        out[0] = (unsigned char)id;
        return 1;
    case TOKENIZER_CHAR:
        return utf8_encode(k->codes[id], out);
    case TOKENIZER_BPE:
        break;
    }
    if (id >= k->bpe.size) {
        return 0;
    }
    size_t count;
    const unsigned char *bytes = bpe_token(&k->bpe, id, &count);
    memcpy(out, bytes, count);
    return (int)count;
}

int tokenizer_start(const tokenizer *k) {
    if (k->kind == TOKENIZER_BPE) {
        return k->bpe.end_of_text >= 0 ? k->bpe.end_of_text : k->bpe.byte_id['\n'];
    }
    int length;
    int line_break = tokenizer_next(k, "\n", 1, &length, NULL);
    return line_break < 0 ? 0 : line_break;
}
