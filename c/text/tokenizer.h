/* tokenizer.h - text to token ids and back, without losing a byte.
 *
 * Owns: the vocabulary. Three kinds: bytes (256 ids, plus BOS where sequences are documents);
 * characters (the Unicode code points found in the text, sorted, plus BOS as the last id; bytes
 * that are not UTF-8 count as characters of their own, see utf8.h); and BPE (tokenizer_bpe.c),
 * whose vocabulary is given or learned from the text. BOS of a BPE is the <|endoftext|> that it was
 * given with, else one more id where sequences are documents.
 */
#ifndef GLASSHOUSE_TOKENIZER_H
#define GLASSHOUSE_TOKENIZER_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "text/bpe_files.h"
#include "recipe/config.h"

enum { VOCABULARY_MAX = 65536 }; /* ids are stored in 16 bits */

/* What a vocabulary is asked to be. */
typedef struct tokenizer_options {
    tokenizer_kind kind;
    bool documents; /* lines are sequences, and line ends are no tokens */
    int context;    /* T, with documents: longer ones count as cut */
    int vocabulary; /* BPE without a given vocabulary: tokens to learn, BOS not counted */
    bool specials;  /* BPE: <|endoftext|> in a text stands for BOS, where there is one */
    /* BPE: what of the text is held out, so that no vocabulary is learned from it: of a stream
     * the last bytes, of documents the lines whose bit is set (NULL: none; borrows for the call
     * only). */
    uint64_t held_out_bytes;
    const unsigned char *held_out_lines;
    uint64_t held_out_hash; /* of those bits */
} tokenizer_options;

/* Facts of a text that a first reading gives. */
typedef struct text_facts {
    uint64_t tokens;        /* all of the text, BOS not counted */
    uint64_t invalid_bytes; /* bytes that are not UTF-8 */
    uint64_t cut_documents; /* documents that do not fit the context */
    uint64_t cut_tokens;    /* tokens of theirs that are never learned */
    uint64_t held_out;      /* BPE: tokens that begin within the held-out bytes */
} text_facts;

/* Where BPE vocabularies come from: the one that was given, or else the last one that was learned,
 * with the facts of the last text. It outlives every measuring, so that a text is learned from and
 * counted once however often it is opened. Zeroed it is ready; bpe_source_close ends it. */
typedef struct bpe_source {
    arena memory;
    bpe table;
    bool given;
    bool learned; /* table was learned from `text` with these options */
    bool counted; /* facts are those of `text` with these options and this table */
    text_digest text;
    tokenizer_options options;
    text_facts facts;
} bpe_source;

typedef struct tokenizer {
    tokenizer_kind kind;
    int vocab;       /* count of ids, BOS and ids that no token has included */
    bool holes;      /* there are such ids: of no bytes, in no text, and never to be drawn */
    int bos;         /* id of BOS, or -1 */
    int symbols;     /* characters: how many, sorted by code point */
    uint32_t *code;  /* (symbols) code of each id, in the arena */
    uint16_t *id_of; /* (0x10000) id + 1 of a code below 0x10000, 0 if absent */
    bpe table;       /* BPE: in the arena; while measuring the source's own */
    bool specials;   /* BPE: see tokenizer_options */
} tokenizer;

/* What a saved model says of its vocabulary. */
typedef struct vocabulary {
    int symbols;          /* characters, which do not come from the text then: how many */
    const uint32_t *code; /* (symbols) rising code points, all below UTF8_CODE_POINTS; borrows */
    int rows; /* BPE: rows of its token table, which may be padded; 0: one for each id */
} vocabulary;

/* The options of a recipe. */
tokenizer_options tokenizer_options_of(const config *c);

/* Reads the text and lays the vocabulary out in `memory` (which may measure). `source` is needed
 * for BPE only. `given`: characters are these instead of those of the text; NULL: they are not
 * given. The text may be empty when it is not needed to make the vocabulary. GPT_E_VOCABULARY,
 * GPT_E_VOCABULARY_SIZE (the given rows are fewer than the ids), GPT_E_ALLOCATION, GPT_E_MEMORY,
 * GPT_E_CHARACTER (the given characters lack one). */
int tokenizer_open(tokenizer *k, tokenizer_options options, const vocabulary *given,
                   bpe_source *source, const char *text, size_t bytes, arena *memory,
                   text_facts *facts, gpt_error *error);

/* Whether no token has this id: it is of no bytes, and not BOS. */
static inline bool tokenizer_is_hole(const tokenizer *k, int id) {
    return k->holes && id != k->bos &&
           (id >= k->table.size || k->table.start[id + 1] == k->table.start[id]);
}

/* The bytes of a token (none for BOS, and for an id that no token has): how many, at most
 * TOKEN_BYTES_MAX. */
int tokenizer_bytes(const tokenizer *k, int id, unsigned char out[TOKEN_BYTES_MAX]);

/* Write the vocabulary as vocab.json and merges.txt of GPT-2 (see bpe_files.h): of BPE, or the 256
 * bytes, which have no merges. Characters have no such files. */
void tokenizer_write_vocab(const tokenizer *k, text_buffer *out);
void tokenizer_write_merges(const tokenizer *k, text_buffer *out);

/* The id that an empty prompt of a stream stands for: the BOS that a vocabulary was given with,
 * else a line break, else the first id. */
int tokenizer_start(const tokenizer *k);

/* ---- Text to ids ----------------------------------------------------------------------------- */

/* Takes one id after the other. */
typedef void token_sink(void *taker, int id);

/* Ids in the caller's array, for id_list_add as a sink; those that do not fit are only counted. */
typedef struct id_list {
    int32_t *ids; /* (capacity) */
    size_t capacity, count;
} id_list;

void id_list_add(void *list, int id);

/* Encodes several texts with one vocabulary. What it keeps (words that came before, room for a long
 * one) only makes it faster. */
typedef struct encoder {
    const tokenizer *tokenizer; /* borrows */
    struct word_cache *cache;   /* owns; NULL for little text */
    void *scratch;              /* owns */
    uint64_t scratch_bytes;
} encoder;

/* An encoder for about `bytes` of text in all. Cannot fail; encoder_close gives back what it
 * took. */
encoder encoder_open(const tokenizer *k, size_t bytes);
void encoder_close(encoder *e);

/* Gives the ids of `text` to `sink`, in order; linear in `bytes`. A text must stay where it is
 * until the encoder is closed. GPT_E_CHARACTER when the vocabulary lacks a character (its code
 * in the detail), GPT_E_ALLOCATION when there is no room for a long word: ids before it have
 * been given. */
int encoder_put(encoder *e, const char *text, size_t bytes, token_sink *sink, void *taker,
                gpt_error *error);

/* The same for a single text. */
int tokenizer_encode(const tokenizer *k, const char *text, size_t bytes, token_sink *sink,
                     void *taker, gpt_error *error);

/* Bytes and characters only: the next token of `text`, with the bytes it took in *length.
 * `count` >= 1. GPT_E_CHARACTER. */
int tokenizer_next(const tokenizer *k, const char *text, size_t count, int *length,
                   gpt_error *error);

/* ---- BPE (tokenizer_bpe.c) ------------------------------------------------------------------- */

/* Takes a vocabulary from files; replaces the one before only when it can be read. As bpe_read. */
int bpe_source_give(bpe_source *s, const bpe_texts *from, gpt_error *error);

/* Gives everything back; the source is empty then. */
void bpe_source_close(bpe_source *s);

int tokenizer_bpe_open(tokenizer *k, tokenizer_options options, int rows, bpe_source *source,
                       const char *text, size_t bytes, arena *memory, text_facts *facts,
                       gpt_error *error);
int encoder_put_bpe(encoder *e, const char *text, size_t bytes, token_sink *sink, void *taker,
                    gpt_error *error);

/* A document of `tokens` tokens that does not fit a context is counted. */
void text_facts_document(text_facts *facts, uint64_t tokens, int context);

#endif
