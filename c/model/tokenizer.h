/* tokenizer.h - text to token ids and back, without losing a byte.
 *
 * Owns: the vocabulary. Two kinds: bytes (256 ids, plus BOS where sequences are documents), and
 * characters (the Unicode code points found in the text, sorted, plus BOS as the last id; bytes that
 * are not UTF-8 count as characters of their own, see utf8.h).
 */
#ifndef GLASSHOUSE_TOKENIZER_H
#define GLASSHOUSE_TOKENIZER_H

#include "base/arena.h"
#include "base/utf8.h"

enum { VOCABULARY_MAX = 65535 }; /* ids are stored in 16 bits */

typedef struct tokenizer {
    int kind;        /* TOKENIZER_BYTE or TOKENIZER_CHAR */
    int vocab;       /* count of ids, BOS included */
    int bos;         /* id of BOS, or -1 */
    int symbols;     /* characters: how many, sorted by code point */
    uint32_t *code;  /* (symbols) code of each id, in the arena */
    uint16_t *id_of; /* (0x10000) id + 1 of a code below 0x10000, 0 when there is none */
} tokenizer;

/* A vocabulary that does not come from the text: that of a saved model. */
typedef struct vocabulary {
    int symbols;          /* characters: how many */
    const uint32_t *code; /* (symbols) rising code points, all below UTF8_CODE_POINTS; borrows */
} vocabulary;

/* Facts of a text that a first reading gives. */
typedef struct text_facts {
    uint64_t tokens;        /* bytes or characters */
    uint64_t invalid_bytes; /* bytes that are not UTF-8 */
} text_facts;

/* Reads the text once and lays the vocabulary out in `memory` (which may measure). `documents`: lines
 * are sequences, line ends are no tokens. `given`: the characters are these instead of those of the
 * text, which may then be empty; NULL: no vocabulary is given. GPT_E_VOCABULARY, GPT_E_ALLOCATION,
 * GPT_E_MEMORY, GPT_E_CHARACTER (the given vocabulary lacks one). */
int tokenizer_open(tokenizer *k, int kind, bool documents, const vocabulary *given,
                   const char *text, size_t bytes, arena *memory, text_facts *facts,
                   gpt_error *error);

/* The next token of `text`: its id, with the bytes it took in *length. GPT_E_CHARACTER when the
 * vocabulary lacks it (the code in the detail). `count` >= 1. */
int tokenizer_next(const tokenizer *k, const char *text, size_t count, int *length,
                   gpt_error *error);

/* The bytes of a token (none for BOS): how many, 0 to 4. */
int tokenizer_bytes(const tokenizer *k, int id, unsigned char out[4]);

#endif
