/* tokenizer.c - see tokenizer.h. */
#include "model/tokenizer.h"

#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "model/config.h"

enum { BMP = 0x10000 };

/* Marks every code point in `seen` (one bit each) and counts tokens. */
static void scan(const char *text, size_t bytes, bool chars, unsigned char *seen,
                 text_facts *facts) {
    for (size_t at = 0; at < bytes;) {
        utf8_symbol s = utf8_next((const unsigned char *)text + at, bytes - at);
        seen[s.code >> 3] |= (unsigned char)(1u << (s.code & 7));
        facts->tokens += chars ? 1 : (uint64_t)s.length;
        facts->invalid_bytes += !s.valid;
        at += (size_t)s.length;
    }
}

static int fail_character(uint32_t code, gpt_error *error) {
    char name[5] = {0};
    bool escaped = code >= UTF8_ESCAPE && code < UTF8_ESCAPE + 0x100;
    if (code >= 0x20 && !escaped) {
        (void)utf8_encode(code, (unsigned char *)name);
    }
    return gpt_fail(error, GPT_E_CHARACTER, name, code, 0, 0);
}

/* Makes the given characters those that were `seen`; the text must have no other. */
static int use_given(const vocabulary *given, unsigned char *seen, gpt_error *error) {
    for (int i = 0; i < given->symbols; i++) {
        seen[given->code[i] >> 3] &= (unsigned char)~(1u << (given->code[i] & 7));
    }
    for (uint32_t code = 0; code < UTF8_CODE_POINTS; code++) {
        if (seen[code >> 3] >> (code & 7) & 1) {
            return fail_character(code, error);
        }
    }
    for (int i = 0; i < given->symbols; i++) {
        seen[given->code[i] >> 3] |= (unsigned char)(1u << (given->code[i] & 7));
    }
    return GPT_OK;
}

int tokenizer_open(tokenizer *k, int kind, bool documents, const vocabulary *given,
                   const char *text, size_t bytes, arena *memory, text_facts *facts,
                   gpt_error *error) {
    memset(k, 0, sizeof *k);
    memset(facts, 0, sizeof *facts);
    k->kind = kind;
    enum { SEEN_BYTES = UTF8_CODE_POINTS / 8 };
    unsigned char *seen = calloc(SEEN_BYTES, 1);
    if (!seen) {
        return gpt_fail(error, GPT_E_ALLOCATION, "", SEEN_BYTES, 0, 0);
    }
    bool chars = kind == TOKENIZER_CHAR;
    if (documents) {
        text_line line = {0};
        while (lines_next(text, bytes, &line)) {
            scan(text + line.start, line.length, chars, seen, facts);
        }
    } else {
        scan(text, bytes, chars, seen, facts);
    }
    int status = given && chars ? use_given(given, seen, error) : GPT_OK;
    if (status < 0) {
        free(seen);
        return status;
    }
    if (kind == TOKENIZER_BYTE) {
        k->bos = documents ? 256 : -1;
        k->vocab = documents ? 257 : 256;
    } else {
        for (uint32_t code = 0; code < UTF8_CODE_POINTS; code++) {
            k->symbols += seen[code >> 3] >> (code & 7) & 1;
        }
        k->bos = k->symbols;
        k->vocab = k->symbols + 1;
        if (k->vocab > VOCABULARY_MAX) {
            status = gpt_fail(error, GPT_E_VOCABULARY, "tokenizer", k->vocab, VOCABULARY_MAX, 0);
        } else {
            k->code = arena_take(memory, (uint64_t)k->symbols + 1, sizeof *k->code);
            k->id_of = arena_take_zeroed(memory, BMP, sizeof *k->id_of);
            if (!k->code || !k->id_of) {
                status = gpt_fail(error, GPT_E_MEMORY, "", (double)memory->peak,
                                  (double)memory->capacity, 0);
            }
        }
    }
    if (status == GPT_OK && kind == TOKENIZER_CHAR && !memory->measuring) {
        int id = 0;
        for (uint32_t code = 0; code < UTF8_CODE_POINTS; code++) {
            if (seen[code >> 3] >> (code & 7) & 1) {
                if (code < BMP) {
                    k->id_of[code] = (uint16_t)(id + 1);
                }
                k->code[id++] = code;
            }
        }
    }
    free(seen);
    return status;
}

static int find_above_bmp(const tokenizer *k, uint32_t code) {
    int low = 0, high = k->symbols;
    while (low < high) {
        int middle = (low + high) / 2;
        if (k->code[middle] < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < k->symbols && k->code[low] == code ? low : -1;
}

int tokenizer_next(const tokenizer *k, const char *text, size_t count, int *length,
                   gpt_error *error) {
    if (k->kind == TOKENIZER_BYTE) {
        *length = 1;
        return (unsigned char)text[0];
    }
    utf8_symbol s = utf8_next((const unsigned char *)text, count);
    *length = s.length;
    int id = s.code < BMP ? k->id_of[s.code] - 1 : find_above_bmp(k, s.code);
    return id < 0 ? fail_character(s.code, error) : id;
}

int tokenizer_bytes(const tokenizer *k, int id, unsigned char out[4]) {
    if (id < 0 || id >= k->vocab || id == k->bos) {
        return 0;
    }
    if (k->kind == TOKENIZER_BYTE) {
        out[0] = (unsigned char)id;
        return 1;
    }
    return utf8_encode(k->code[id], out);
}
