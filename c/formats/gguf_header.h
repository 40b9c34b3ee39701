/* gguf_header.h - reads the header of a GGUF file: keys and values, the table of tensors, the
 * vocabulary.
 *
 * Parses a prefix (the first bytes) of the file and allocates nothing: strings and arrays stay in
 * the prefix. If the prefix ends within the header, the cursor's state becomes GGUF_SHORT, and the
 * caller reads a longer prefix. Files may be hostile. Invariant: before a count or length is used,
 * it is compared with the bytes that remain in the file.
 */
#ifndef GLASSHOUSE_GGUF_HEADER_H
#define GLASSHOUSE_GGUF_HEADER_H

#include "formats/foreign_reader.h"
#include "formats/gguf.h"

/* A position in a prefix of the file. A read beyond the end of the prefix or of the file returns 0
 * or an empty string and changes the state; all later reads also return 0 or an empty string. */
typedef struct gguf_cursor {
    const unsigned char *bytes;
    /* Offset of the next byte to read; length of the prefix; length of the file; all in bytes. */
    uint64_t at, prefix_bytes, file_bytes;
    /* GGUF_READS: no read has failed. GGUF_SHORT: a read went beyond the end of the prefix.
     * GGUF_TRUNCATED: a read went beyond the end of the file. */
    enum { GGUF_READS, GGUF_SHORT, GGUF_TRUNCATED } state;
    double needs; /* if GGUF_TRUNCATED: bytes that the file must have at least */
} gguf_cursor;

/* A string in the prefix, not NUL-terminated. Borrows `text`. */
typedef struct gguf_span {
    const char *text;
    uint64_t bytes;
} gguf_span;

/* The value of a key. */
typedef struct gguf_field {
    bool present;   /* the file has the key */
    uint32_t type;  /* enum gguf_value; if `array`, the type of the items */
    bool array;     /* the value is an array */
    double number;  /* value of a number or a boolean */
    gguf_span text; /* value of a string */
    uint64_t count; /* number of items of an array */
    uint64_t items; /* offset of the array's first item in the file */
} gguf_field;

/* X(symbol, key): the keys that the reader uses; it skips all other keys. */
#define GGUF_READ_KEYS(X)                                                                          \
    X(ARCHITECTURE, "general.architecture")                                                        \
    X(ALIGNMENT, "general.alignment")                                                              \
    X(CONTEXT, "gpt2.context_length")                                                              \
    X(CHANNELS, "gpt2.embedding_length")                                                           \
    X(INNER, "gpt2.feed_forward_length")                                                           \
    X(LAYERS, "gpt2.block_count")                                                                  \
    X(HEADS, "gpt2.attention.head_count")                                                          \
    X(KEY_HEADS, "gpt2.attention.head_count_kv")                                                   \
    X(KEY_LENGTH, "gpt2.attention.key_length")                                                     \
    X(VALUE_LENGTH, "gpt2.attention.value_length")                                                 \
    X(EPSILON, "gpt2.attention.layer_norm_epsilon")                                                \
    X(TOKENIZER, "tokenizer.ggml.model")                                                           \
    X(PRE, "tokenizer.ggml.pre")                                                                   \
    X(TOKENS, "tokenizer.ggml.tokens")                                                             \
    X(TOKEN_TYPES, "tokenizer.ggml.token_type")                                                    \
    X(MERGES, "tokenizer.ggml.merges")
#define GGUF_KEY_ENUM(symbol, key) GGUF_KEY_##symbol,
enum { GGUF_READ_KEYS(GGUF_KEY_ENUM) GGUF_KEY_COUNT };
extern const char *const GGUF_KEYS[GGUF_KEY_COUNT];

typedef struct gguf_header {
    uint32_t version;
    uint64_t tensors;                  /* number of rows in the table of tensors */
    gguf_field values[GGUF_KEY_COUNT]; /* by GGUF_KEY_... */
    uint64_t table;                    /* offset of the table of tensors */
    uint64_t data;                     /* offset of the tensors' data; set by gguf_read.c */
} gguf_header;

/* Whether the prefix has `count` more bytes after the cursor; if not, sets c->state to GGUF_SHORT
 * or GGUF_TRUNCATED. */
bool gguf_has(gguf_cursor *c, uint64_t count);

/* Read a little-endian number of `width` bytes (at most 8), and a string (8 bytes with its length,
 * then its bytes). */
uint64_t gguf_whole(gguf_cursor *c, uint64_t width);
gguf_span gguf_string(gguf_cursor *c);

/* Whether the string `s` equals `text`. */
bool gguf_spells(gguf_span s, const char *text);

/* Fails with GPT_E_UNSUPPORTED, named "key value". The value is a number, up to 40 bytes of a
 * string, [...] for an array, or "missing" if the file lacks the key. */
int gguf_refuse(gpt_error *error, const char *key, const gguf_field *v);

/* Reads the header, from byte 4 of the prefix, into `h`, which the caller has zeroed. Afterwards
 * `h` is complete if c->state is GGUF_READS; otherwise it has only the keys before the end of the
 * prefix. Errors: GPT_E_UNSUPPORTED (big-endian, a version other than 2 and 3), GPT_E_FILE (a key
 * of GGUF_READ_KEYS twice, a value of unknown type, too many keys or tensors). */
int gguf_read_header(gguf_cursor *c, gguf_header *h, gpt_error *error);

/* ---- The vocabulary of a complete header (gguf_vocabulary.c) --------------------------------- */

/* Checks the vocabulary and sets shape->vocab and shape->bos. `bytes` is the prefix that `h` was
 * read from. Errors: GPT_E_RANGE (number of tokens or merges), GPT_E_FILE (an array is missing, or
 * a token is not UTF-8), GPT_E_UNSUPPORTED (256 or 257 tokens that are not the single bytes),
 * GPT_E_BPE_TOKEN_LENGTH. */
int gguf_read_tokenizer(const gguf_header *h, const unsigned char *bytes, gpt2_shape *shape,
                        gpt_error *error);

/* Sets r->vocab, r->merges and r->added to the texts of vocab.json, merges.txt and
 * added_tokens.json, for `vocab` tokens. r->added is NULL if no token but <|endoftext|> is special.
 * Errors: GPT_E_FILE (a line break or NUL in a merge), GPT_E_ALLOCATION. */
int gguf_write_vocabulary(foreign_reader *r, const gguf_header *h, const unsigned char *bytes,
                          int vocab, gpt_error *error);

#endif
