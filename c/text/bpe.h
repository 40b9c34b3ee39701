/* bpe.h - a byte-level BPE (byte-pair encoding) vocabulary, and the encoding of one word with it.
 *
 * Owns: the bytes of every token, the merges in order of rank, and a hash index from two
 * neighbouring tokens to their merge. bpe_files.c reads a vocabulary from files (vocab.json and
 * merges.txt), bpe_learn.c learns one from a text, tokenizer_bpe.c encodes whole texts. Invariant:
 * all 256 single bytes are tokens, so every text can be encoded.
 */
#ifndef GLASSHOUSE_BPE_H
#define GLASSHOUSE_BPE_H

#include "base/arena.h"

enum {
    TOKEN_BYTES_MAX = 256,  /* longest token; GPT-2's longest has 128 bytes */
    BPE_SIZE_MAX = 65536,   /* maximal number of tokens: ids fit 16 bits */
    BPE_MERGES_MAX = 65535, /* ranks are 0 to 65534; 65535 is BPE_EMPTY */
    BPE_EMPTY = 65535,      /* rank of an empty slot */
    BPE_BYTES = 256,
};

/* A slot of the hash index: a pair of tokens and its merge. */
typedef struct bpe_slot {
    uint32_t pair;       /* left << 16 | right */
    uint16_t rank, made; /* rank of the merge (BPE_EMPTY: no merge); token that it makes */
} bpe_slot;

/* A vocabulary. An id without a token (a hole) has 0 bytes. */
typedef struct bpe {
    int size;                      /* number of ids; BOS is included only if the files contain it */
    int merges;                    /* number of merges */
    uint32_t byte_count;           /* total bytes of the tokens */
    int end_of_text;               /* id of <|endoftext|>, or -1 */
    uint32_t *start;               /* offset of each token in `bytes`; length: size + 1 */
    unsigned char *bytes;          /* the bytes of all tokens, concatenated; length: byte_count */
    uint16_t *left, *right, *made; /* by rank: two tokens, the merged token; length: merges */
    /* Occurrences of each pair when it was merged, by rank; 0 if read from files; length: merges. */
    uint32_t *count;
    uint16_t *byte_id; /* token of each single byte; length: 256 */
    bpe_slot *slots;   /* (1 << slot_bits) hash table, open addressing, at most half full */
    int slot_bits;
} bpe;

/* "<|endoftext|>": GPT-2's token between documents. */
extern const char BPE_END_OF_TEXT[];

/* Allocates the arrays of a vocabulary in `memory` (which may be an arena that only counts bytes)
 * and leaves them uninitialised. The caller sets b->size, b->byte_count and b->merges first.
 * Errors: GPT_E_MEMORY. */
int bpe_lay_out(bpe *b, arena *memory, gpt_error *error);

/* Like bpe_lay_out, but first opens `memory` as a new arena of the required size. The caller closes
 * the arena, also after a failure. Errors: GPT_E_ALLOCATION. */
int bpe_open(bpe *b, arena *memory, gpt_error *error);

/* Copies `from` into arrays allocated in `memory`. If `memory` only counts bytes, no array is
 * copied. Errors: GPT_E_MEMORY. */
int bpe_copy(bpe *to, const bpe *from, arena *memory, gpt_error *error);

/* Fills byte_id and slots from the tokens and merges. Errors: GPT_E_BPE_BYTE if a byte has no token
 * (error->value[0] is the byte), GPT_E_BPE_MERGE_TWICE if two merges have the same pair
 * (error->value[0] is the rank of the second merge). */
int bpe_index(bpe *b, gpt_error *error);

/* Returns the bytes of token `id`, 0 <= id < b->size, and sets *count to their number (0: a hole).
 * The bytes are borrowed from `b`. */
static inline const unsigned char *bpe_token(const bpe *b, int id, size_t *count) {
    *count = b->start[id + 1] - b->start[id];
    return b->bytes + b->start[id];
}

/* Returns the slot of a pair in the hash index, or the empty slot in which to insert the pair
 * (linear probing). The factor of the hash is a prime near 2^32 / golden ratio. */
static inline bpe_slot *bpe_slot_of(const bpe *b, uint32_t pair) {
    uint32_t mask = (1u << b->slot_bits) - 1;
    uint32_t at = (pair ^ pair >> 16) * 0x9E3779B1u >> (32 - b->slot_bits);
    while (b->slots[at].pair != pair && b->slots[at].rank != BPE_EMPTY) {
        at = (at + 1) & mask;
    }
    return &b->slots[at];
}

/* Returns the slot with the merge of two neighbouring tokens; NULL if they have no merge. */
static inline const bpe_slot *bpe_find(const bpe *b, uint32_t left, uint32_t right) {
    const bpe_slot *slot = bpe_slot_of(b, left << 16 | right);
    return slot->rank == BPE_EMPTY ? NULL : slot;
}

/* ---- Encoding one word ----------------------------------------------------------------------- */

/* Encodes one word of `count` < 2^32 - 1 bytes: writes its tokens to `ids` (room for `count`) and
 * returns the number of tokens. Repeats the merge of the lowest rank, at the leftmost pair first,
 * until no two neighbours have a merge. `scratch`: bpe_scratch_bytes(count) bytes, aligned to 8, if
 * `count` > BPE_SHORT_WORD; otherwise it may be NULL. Takes n log n time. */
size_t bpe_merge_word(const bpe *b, const unsigned char *word, size_t count, uint16_t *ids,
                      void *scratch);

/* Words of up to this many bytes are merged by a scan of all pairs, which is faster than a heap. */
enum { BPE_SHORT_WORD = 64 };

/* Returns the number of bytes of scratch memory that bpe_merge_word needs for a word of `count`
 * bytes. */
uint64_t bpe_scratch_bytes(size_t count);

/* ---- The byte alphabet of vocab.json --------------------------------------------------------- */

/* Returns the code point that represents a byte: the value of the byte itself if Latin-1 has a
 * visible character there, otherwise the next code point from U+0100 to U+0143, in order of the
 * bytes (bytes_to_unicode in the encoder of GPT-2). */
uint32_t bpe_character_of_byte(int byte);

/* Returns the byte that a code point represents; -1 if the code point is not in the alphabet. */
int bpe_byte_of_character(uint32_t code);

#endif
