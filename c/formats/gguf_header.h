/* gguf_header.h - the keys, values and places that the header of a GGUF file states.
 *
 * Owns: reading a prefix of the file without taking memory: strings and arrays stay where they lie
 * in it. Every count and length is compared with the bytes that the file has left before anything
 * is done with it.
 */
#ifndef GLASSHOUSE_GGUF_HEADER_H
#define GLASSHOUSE_GGUF_HEADER_H

#include "formats/foreign_reader.h"
#include "formats/gguf.h"

/* Reads a prefix of the file from the front. */
typedef struct gguf_cursor {
    const unsigned char *bytes;
    uint64_t at, held, file_bytes;
    enum { GGUF_READS, GGUF_SHORT, GGUF_TRUNCATED } state; /* of the prefix, of the file */
    double needs; /* bytes that a truncated file would have, at least */
} gguf_cursor;

typedef struct gguf_span {
    const char *text;
    uint64_t bytes;
} gguf_span;

typedef struct gguf_field {
    bool given;
    uint32_t type; /* enum gguf_value; of the items of an array */
    bool array;
    double number;  /* numbers, booleans */
    gguf_span text; /* strings */
    uint64_t count; /* items of an array, which begin at byte `items` */
    uint64_t items;
} gguf_field;

/* X(symbol, key): what is read; other keys are passed over. */
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
    uint64_t tensors;
    gguf_field values[GGUF_KEY_COUNT];
    uint64_t table; /* byte where the table of tensors begins */
    uint64_t data;  /* byte where the data of the tensors begins */
} gguf_header;

/* True if `count` more bytes are held. */
bool gguf_has(gguf_cursor *c, uint64_t count);

/* A little-endian number of `width` bytes, 0 if the bytes end before it; a string, empty then. */
uint64_t gguf_whole(gguf_cursor *c, uint64_t width);
gguf_span gguf_string(gguf_cursor *c);

bool gguf_spells(gguf_span s, const char *text);

/* "key value", as far as there is room and as the value can be shown: GPT_E_UNSUPPORTED. */
int gguf_refuse(gpt_error *error, const char *key, const gguf_field *v);

/* Reads as much of the header as is held; the state of `c` tells. GPT_E_UNSUPPORTED, GPT_E_FILE. */
int gguf_read_header(gguf_cursor *c, gguf_header *h, gpt_error *error);

/* ---- The vocabulary (gguf_vocabulary.c), of a header that was read as a whole ---------------- */

/* Its size and <|endoftext|>. GPT_E_RANGE, GPT_E_FILE, GPT_E_UNSUPPORTED,
 * GPT_E_BPE_TOKEN_LENGTH. */
int gguf_read_tokenizer(const gguf_header *h, const unsigned char *bytes, gpt2_shape *shape,
                        gpt_error *error);

/* Gives the reader the vocabulary as the texts of GPT-2's files. GPT_E_FILE, GPT_E_ALLOCATION. */
int gguf_write_vocabulary(foreign_reader *r, const gguf_header *h, const unsigned char *bytes,
                          int vocab, gpt_error *error);

#endif
