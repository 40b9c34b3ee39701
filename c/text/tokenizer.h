/* tokenizer.h - encodes text as token ids and decodes the ids to the same bytes.
 *
 * Owns: the vocabulary, of one of three kinds. Bytes: 256 ids, plus BOS if sequences are documents.
 * Characters: the Unicode code points of the text in ascending order, plus BOS as the last id; a
 * byte that is not valid UTF-8 is a character of its own (utf8.h). BPE (tokenizer_bpe.c): read from
 * files or learned from the text. BOS of a BPE is the <|endoftext|> of the files; without that
 * token it is one more id if sequences are documents.
 */
#ifndef GLASSHOUSE_TOKENIZER_H
#define GLASSHOUSE_TOKENIZER_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "text/bpe_files.h"
#include "recipe/config.h"

enum { VOCABULARY_MAX = 65536 }; /* ids are stored in 16 bits */

/* Options of a recipe that determine the vocabulary and the facts of a text. */
typedef struct tokenizer_options {
    tokenizer_kind kind;
    bool documents; /* sequences are lines, and line ends are not tokens */
    int context;    /* context length T, for the counts of cut documents */
    int vocabulary; /* BPE to be learned: number of tokens, without BOS */
    bool specials;  /* BPE with BOS: <|endoftext|> in a text is encoded as BOS */
    /* BPE: the held-out part, from which no vocabulary is learned. In a stream: the last
     * held_out_bytes bytes. With documents: the lines whose bit is set in held_out_lines (NULL: no
     * line; borrowed during the call). */
    uint64_t held_out_bytes;
    const unsigned char *held_out_lines;
    uint64_t held_out_hash; /* hash of the bits; 0 if NULL */
} tokenizer_options;

/* Counts of a text. */
typedef struct text_facts {
    uint64_t tokens;        /* of the whole text, without the BOS of documents */
    uint64_t invalid_bytes; /* bytes that are not UTF-8 */
    uint64_t cut_documents; /* documents longer than the context, including their closing BOS */
    uint64_t cut_tokens;    /* their tokens beyond the context, which are never trained on */
    uint64_t held_out;      /* BPE: tokens that begin within the held-out bytes */
} text_facts;

/* A BPE vocabulary, read from files or learned from a text, and a cache of the last text's facts.
 * Opening a tokenizer several times (measuring, then for real) learns and counts a text only once.
 * Starts zeroed; bpe_source_close frees it. */
typedef struct bpe_source {
    arena memory;
    bpe table;
    bool given;   /* table was read from files */
    bool learned; /* table was learned from `text` with `options` */
    bool counted; /* facts were counted for `text` with `options` and `table` */
    text_digest text;
    tokenizer_options options;
    text_facts facts;
} bpe_source;

typedef struct tokenizer {
    tokenizer_kind kind;
    int vocab;       /* number of ids, including BOS and holes */
    bool holes;      /* some ids are holes: 0 bytes, never encoded, must not be drawn */
    int bos;         /* id of BOS, or -1 */
    int symbols;     /* number of characters, if tokens are characters */
    uint32_t *code;  /* (symbols) code point of each id, ascending; in the arena */
    uint16_t *id_of; /* characters: (0x10000) id + 1 of a code point below 0x10000, 0 if absent */
    bpe table;       /* BPE: arrays in the arena; while measuring, of the source */
    bool specials;   /* BPE: see tokenizer_options */
} tokenizer;

/* The vocabulary of a saved model. */
typedef struct vocabulary {
    int symbols;          /* number of characters, if tokens are characters */
    const uint32_t *code; /* characters: (symbols) ascending, below UTF8_CODE_POINTS; borrows */
    int rows;             /* BPE: rows of the token table, padding included; 0: one per id */
} vocabulary;

/* Returns the options of a recipe, with no held-out part. */
tokenizer_options tokenizer_options_of(const config *c);

/* Makes the vocabulary in `memory` (which may measure) and counts the facts of the text. `given`:
 * the characters, which then do not come from the text, or the rows of a BPE; NULL: neither is
 * known. `source`: required for BPE, otherwise ignored. `text` may be empty if the vocabulary does
 * not come from it. GPT_E_VOCABULARY (too many characters), GPT_E_CHARACTER (`given` lacks a
 * character of the text), GPT_E_VOCABULARY_SIZE (fewer rows than ids), GPT_E_BPE_ID (no id is left
 * for BOS), GPT_E_ARGUMENT (BPE without a source), GPT_E_MEMORY, GPT_E_ALLOCATION. */
int tokenizer_open(tokenizer *k, tokenizer_options options, const vocabulary *given,
                   bpe_source *source, const char *text, size_t bytes, arena *memory,
                   text_facts *facts, gpt_error *error);

/* Returns whether `id` is a hole: an id of 0 bytes that is not BOS. */
static inline bool tokenizer_is_hole(const tokenizer *k, int id) {
    return k->holes && id != k->bos &&
           (id >= k->table.size || k->table.start[id + 1] == k->table.start[id]);
}

/* Writes the bytes of a token and returns their number, at most TOKEN_BYTES_MAX; 0 for BOS, holes
 * and ids outside the vocabulary. */
int tokenizer_bytes(const tokenizer *k, int id, unsigned char out[TOKEN_BYTES_MAX]);

/* Write the vocabulary as vocab.json and merges.txt of GPT-2 (bpe_files.h): a BPE, or the 256
 * bytes, which have no merges. Must not be called for characters. */
void tokenizer_write_vocab(const tokenizer *k, text_buffer *out);
void tokenizer_write_merges(const tokenizer *k, text_buffer *out);

/* Returns the id that replaces an empty prompt of a stream: for BPE the <|endoftext|> of its files,
 * otherwise the line break, or id 0 if the vocabulary has no line break. */
int tokenizer_start(const tokenizer *k);

/* ---- Text to ids ----------------------------------------------------------------------------- */

/* Receives ids one at a time; `taker` is the pointer passed with the sink. */
typedef void token_sink(void *taker, int id);

/* An array of the caller for ids, with id_list_add as the sink. Ids beyond the capacity are counted
 * but not stored. */
typedef struct id_list {
    int32_t *ids; /* (capacity) */
    size_t capacity, count;
} id_list;

void id_list_add(void *list, int id);

/* Encodes texts with one vocabulary. Keeps a cache of words, which only saves time, and scratch
 * memory for long words. */
typedef struct encoder {
    const tokenizer *tokenizer; /* borrows */
    struct word_cache *cache;   /* owns; NULL: no cache (short texts, or the allocation failed) */
    void *scratch;              /* owns */
    uint64_t scratch_bytes;
} encoder;

/* Returns an encoder for about `bytes` of text in all. Cannot fail: if the allocation of the cache
 * fails, the encoder has no cache. encoder_close frees its memory. */
encoder encoder_open(const tokenizer *k, size_t bytes);
void encoder_close(encoder *e);

/* Encodes `text` and passes its ids to `sink` in order. Time is linear in `bytes`, but n log n for
 * a BPE word of n > BPE_SHORT_WORD bytes. The cache points into the text, so the text must remain
 * valid until encoder_close. GPT_E_CHARACTER (the vocabulary lacks a character; value 0: its code
 * point), GPT_E_ALLOCATION (for a long word). Ids before a failure have been passed. */
int encoder_put(encoder *e, const char *text, size_t bytes, token_sink *sink, void *taker,
                gpt_error *error);

/* The same for a single text, with a temporary encoder. */
int tokenizer_encode(const tokenizer *k, const char *text, size_t bytes, token_sink *sink,
                     void *taker, gpt_error *error);

/* Bytes and characters only: returns the first token of `text` and its length in bytes in
 * `*length`. `count` >= 1 bytes. GPT_E_CHARACTER. */
int tokenizer_next(const tokenizer *k, const char *text, size_t count, int *length,
                   gpt_error *error);

/* ---- BPE (tokenizer_bpe.c) ------------------------------------------------------------------- */

/* Reads a vocabulary from files. Replaces the present one only on success. Errors as bpe_read. */
int bpe_source_give(bpe_source *s, const bpe_texts *from, gpt_error *error);

/* Frees the source and zeroes it. */
void bpe_source_close(bpe_source *s);

/* The BPE cases of tokenizer_open (`rows`: of `given`, or 0) and of encoder_put. */
int tokenizer_bpe_open(tokenizer *k, tokenizer_options options, int rows, bpe_source *source,
                       const char *text, size_t bytes, arena *memory, text_facts *facts,
                       gpt_error *error);
int encoder_put_bpe(encoder *e, const char *text, size_t bytes, token_sink *sink, void *taker,
                    gpt_error *error);

/* Counts a document of `tokens` tokens as cut if it is longer than the context. */
void text_facts_document(text_facts *facts, uint64_t tokens, int context);

#endif
