/* tokenizer.h - encodes text as token ids and decodes the ids to the same bytes.
 *
 * Owns: the vocabulary, of one of three kinds. Bytes: 256 ids, plus BOS if sequences are documents.
 * Characters: the Unicode code points of the text in ascending order, plus BOS as the last id; a
 * byte that is not valid UTF-8 is a character of its own (utf8.h). BPE (tokenizer_bpe.c): read from
 * files or learned from the text. BOS of a BPE is the token <|endoftext|> of its files; without
 * that token, BOS is one more id if sequences are documents.
 */
#ifndef GLASSHOUSE_TOKENIZER_H
#define GLASSHOUSE_TOKENIZER_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "text/bpe_files.h"
#include "recipe/config.h"

enum { VOCABULARY_MAX = 65536 }; /* ids are stored in 16 bits */

/* The options of a recipe that determine the vocabulary and the counts of a text. */
typedef struct tokenizer_options {
    tokenizer_kind kind;
    bool documents; /* sequences are lines, and line ends are not tokens */
    int context;    /* context length T, for the counts of cut documents */
    int vocabulary; /* BPE to be learned: number of tokens, without BOS */
    bool specials;  /* BPE with BOS: <|endoftext|> in a text is encoded as BOS */
    /* BPE: the held-out part (for validation), from which no vocabulary is learned. In a stream:
     * the last held_out_bytes bytes. With documents: the lines whose bit is set in held_out_lines
     * (NULL: no line; borrowed during the call). */
    uint64_t held_out_bytes;
    const unsigned char *held_out_lines;
    uint64_t held_out_hash; /* hash of held_out_lines; 0 if NULL */
} tokenizer_options;

typedef struct text_counts {
    uint64_t tokens;        /* number of tokens of the whole text, without the BOS of documents */
    uint64_t invalid_bytes; /* bytes that are not UTF-8 */
    uint64_t cut_documents; /* documents that exceed the context if their closing BOS counts */
    uint64_t cut_tokens;    /* tokens of the cut documents beyond the context, never trained on */
    uint64_t held_out;      /* BPE in a stream: tokens that begin within the held-out bytes */
} text_counts;

/* A BPE vocabulary, read from files or learned from a text, and a cache of the counts of the last
 * text. A trainer opens its tokenizer twice, first to count bytes, then to allocate them; with the
 * cache, the text is learned from and counted only once. A source starts zeroed; bpe_source_close
 * frees it. */
typedef struct bpe_source {
    arena memory;
    bpe bpe;
    bool from_files;  /* true: `bpe` was read from files */
    bool learned;     /* true: `bpe` was learned from the last text with `options` */
    bool counted;     /* true: `counts` are the counts of the last text with `options` */
    text_digest text; /* identifies the last text */
    tokenizer_options options;
    text_counts counts;
} bpe_source;

typedef struct tokenizer {
    tokenizer_kind kind;
    int vocab;       /* number of ids, including BOS and holes */
    bool holes;      /* some ids have no token (holes): 0 bytes, never encoded or drawn */
    int bos;         /* id of BOS, or -1 */
    int code_count;  /* number of characters, if tokens are characters */
    uint32_t *codes; /* code point of each id, ascending; in the arena; length: code_count */
    uint16_t *id_of; /* characters: id + 1 of each code point below 0x10000; 0: no id */
    /* BPE; its arrays are in the arena or, if the arena only counts bytes, in the bpe_source. */
    bpe bpe;
    bool specials; /* BPE: <|endoftext|> in a text is encoded as BOS */
} tokenizer;

/* The vocabulary of a saved model. */
typedef struct vocabulary {
    int code_count;        /* number of characters, if tokens are characters */
    const uint32_t *codes; /* ascending, below UTF8_CODE_POINTS; borrowed; length: code_count */
    int rows;              /* BPE: rows of the token table, with padding; 0: one row per id */
} vocabulary;

/* Returns the tokenizer options of a recipe, with no held-out part. */
tokenizer_options tokenizer_options_of(const config *c);

/* Opens a tokenizer: allocates its vocabulary in `memory` (which may be an arena that only counts
 * bytes) and sets `counts` to the counts of the text. `vocab`: the characters, or the number of BPE
 * rows, of a saved model; NULL: the characters come from the text, and BPE has one row per id.
 * `bpe_vocab`: the BPE vocabulary; required for BPE, otherwise ignored. `text` may be empty if the
 * vocabulary does not come from it. Errors: GPT_E_VOCABULARY (too many characters), GPT_E_CHARACTER
 * (`vocab` lacks a character of the text), GPT_E_VOCABULARY_SIZE (fewer rows than ids),
 * GPT_E_BPE_ID (no id is free for BOS), GPT_E_ARGUMENT (BPE without a source), GPT_E_MEMORY,
 * GPT_E_ALLOCATION. */
int tokenizer_open(tokenizer *k, tokenizer_options options, const vocabulary *vocab,
                   bpe_source *bpe_vocab, const char *text, size_t bytes, arena *memory,
                   text_counts *counts, gpt_error *error);

/* Returns whether `id` is a hole: an id of 0 bytes that is not BOS. */
static inline bool tokenizer_is_hole(const tokenizer *k, int id) {
    return k->holes && id != k->bos &&
           (id >= k->bpe.size || k->bpe.start[id + 1] == k->bpe.start[id]);
}

/* Writes the bytes of a token and returns their number, at most TOKEN_BYTES_MAX; 0 for BOS, holes
 * and ids outside the vocabulary. */
int tokenizer_bytes(const tokenizer *k, int id, unsigned char out[TOKEN_BYTES_MAX]);

/* tokenizer_write_vocab writes vocab.json, and tokenizer_write_merges merges.txt, the files of a
 * GPT-2 vocabulary (bpe_files.h). The vocabulary must be a BPE or the 256 bytes, which have no
 * merges; not characters. */
void tokenizer_write_vocab(const tokenizer *k, text_buffer *out);
void tokenizer_write_merges(const tokenizer *k, text_buffer *out);

/* Returns the id that replaces an empty prompt of a stream: for BPE the <|endoftext|> of its files,
 * otherwise the line break, or id 0 if the vocabulary has no line break. */
int tokenizer_start(const tokenizer *k);

/* ---- Text to ids ----------------------------------------------------------------------------- */

/* A function that receives the ids of a text, one id per call. `receiver` is the pointer that the
 * caller passed with the function. */
typedef void token_sink(void *receiver, int id);

/* An array of the caller for ids; id_list_add is its token_sink. Ids beyond the capacity are
 * counted but not stored. */
typedef struct id_list {
    int32_t *ids; /* length: capacity */
    size_t capacity, count;
} id_list;

void id_list_add(void *list, int id);

/* Encodes texts with one vocabulary. Has a cache of words, which only saves time, and scratch
 * memory for long words. */
typedef struct encoder {
    const tokenizer *tokenizer; /* borrowed */
    struct word_cache *cache;   /* owned; NULL: no cache (short texts, or the allocation failed) */
    void *scratch;              /* owned */
    uint64_t scratch_bytes;
} encoder;

/* Returns an encoder for about `bytes` of text in all. Cannot fail: if the allocation of the cache
 * fails, the encoder has no cache. encoder_close frees its memory. */
encoder encoder_open(const tokenizer *k, size_t bytes);
void encoder_close(encoder *e);

/* Encodes `text` and passes its ids to `sink` in order. Takes linear time in `bytes`, except for
 * long BPE words: n log n for a word of n > BPE_SHORT_WORD bytes. The cache points into the text,
 * so the text must remain valid until encoder_close. Errors: GPT_E_CHARACTER if the vocabulary
 * lacks a character (error->value[0] is its code point), GPT_E_ALLOCATION for a long word. Ids
 * before the failure have been passed to `sink`. */
int encoder_put(encoder *e, const char *text, size_t bytes, token_sink *sink, void *receiver,
                gpt_error *error);

/* Like encoder_put, but for a single text, with a temporary encoder. */
int tokenizer_encode(const tokenizer *k, const char *text, size_t bytes, token_sink *sink,
                     void *receiver, gpt_error *error);

/* Returns the first token of `text`, of `count` >= 1 bytes, and sets *length to the number of bytes
 * of the token. Tokens must be bytes or characters, not BPE. Errors: GPT_E_CHARACTER. */
int tokenizer_next(const tokenizer *k, const char *text, size_t count, int *length,
                   gpt_error *error);

/* ---- BPE (tokenizer_bpe.c) ------------------------------------------------------------------- */

/* Reads a BPE vocabulary from files and replaces the vocabulary of `s`; `s` is unchanged after an
 * error. Errors: see bpe_read. */
int bpe_source_read(bpe_source *s, const bpe_texts *from, gpt_error *error);

/* Frees the source and zeroes it. */
void bpe_source_close(bpe_source *s);

/* tokenizer_open calls tokenizer_bpe_open, and encoder_put calls encoder_put_bpe, if tokens are
 * BPE. `rows`: number of rows of the token table of a saved model; 0: one row per id. */
int tokenizer_bpe_open(tokenizer *k, tokenizer_options options, int rows, bpe_source *bpe_vocab,
                       const char *text, size_t bytes, arena *memory, text_counts *counts,
                       gpt_error *error);
int encoder_put_bpe(encoder *e, const char *text, size_t bytes, token_sink *sink, void *receiver,
                    gpt_error *error);

/* Adds a document of `tokens` tokens to counts->cut_documents and its tokens beyond the context to
 * counts->cut_tokens, if the document and its closing BOS exceed the context. */
void text_counts_document(text_counts *counts, uint64_t tokens, int context);

#endif
