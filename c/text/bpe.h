/* bpe.h - a vocabulary of byte-level byte-pair encoding, and merging a word with it.
 *
 * Owns: the bytes of every token, the merges in order of rank, and the index that finds the merge
 * of two neighbours. It is data only: where a vocabulary comes from is in bpe_files.c (given:
 * vocab.json and merges.txt) and bpe_learn.c (learned from a text); which tokens a text has is in
 * tokenizer_bpe.c. Invariant: all 256 bytes are tokens, so every text can be written.
 */
#ifndef GLASSHOUSE_BPE_H
#define GLASSHOUSE_BPE_H

#include "base/arena.h"

enum {
    TOKEN_BYTES_MAX = 256,  /* longest token; GPT-2's longest has 128 bytes */
    BPE_SIZE_MAX = 65536,   /* tokens: ids fit 16 bits */
    BPE_MERGES_MAX = 65535, /* ranks fit 16 bits, and one value is left */
    BPE_EMPTY = 65535,
    BPE_BYTES = 256,
};

/* The merge of two neighbours, as the index keeps it. */
typedef struct bpe_slot {
    uint32_t pair;       /* left << 16 | right */
    uint16_t rank, made; /* which merge it is, and the token that it makes; rank BPE_EMPTY: none */
} bpe_slot;

typedef struct bpe {
    int size;   /* ids, BOS not among them unless the vocabulary was given with one; an id that
                          * no token has (a hole) is one of no bytes */
    int merges; /* how many */
    uint32_t byte_count; /* bytes of all tokens together */
    int end_of_text;     /* id of <|endoftext|>, or -1 */
    uint32_t *start;     /* (size + 1) where the bytes of a token begin */
    unsigned char *bytes;
    uint16_t *left, *right, *made; /* (merges) by rank */
    uint32_t *count;   /* (merges) how often the pair occurred when it was merged; 0 when given */
    uint16_t *byte_id; /* (256) the token of a single byte */
    bpe_slot *slots;   /* (a power of two) open addressing */
    int slot_bits;
} bpe;

/* `<|endoftext|>`, GPT-2's token between documents. */
extern const char BPE_END_OF_TEXT[];

/* Takes room for a vocabulary of b->size tokens of b->byte_count bytes and b->merges merges;
 * nothing is filled in. GPT_E_MEMORY. */
int bpe_lay_out(bpe *b, arena *memory, gpt_error *error);

/* The same in an arena of its own, which the caller closes. GPT_E_ALLOCATION. */
int bpe_open(bpe *b, arena *memory, gpt_error *error);

/* A vocabulary of its own with the same content, in `memory` (which may measure). GPT_E_MEMORY. */
int bpe_copy(bpe *to, const bpe *from, arena *memory, gpt_error *error);

/* Fills in byte_id and the index from the tokens and merges. GPT_E_BPE_BYTE,
 * GPT_E_BPE_MERGE_TWICE. */
int bpe_index(bpe *b, gpt_error *error);

/* The bytes of token `id`, 0 <= id < b->size, with their count. */
static inline const unsigned char *bpe_token(const bpe *b, int id, size_t *count) {
    *count = b->start[id + 1] - b->start[id];
    return b->bytes + b->start[id];
}

/* The slot of a pair: where it is, or where it would go. The factor is 2^32 over the golden ratio,
 * made prime. */
static inline bpe_slot *bpe_slot_of(const bpe *b, uint32_t pair) {
    uint32_t mask = (1u << b->slot_bits) - 1;
    uint32_t at = (pair ^ pair >> 16) * 0x9E3779B1u >> (32 - b->slot_bits);
    while (b->slots[at].pair != pair && b->slots[at].rank != BPE_EMPTY) {
        at = (at + 1) & mask;
    }
    return &b->slots[at];
}

/* The merge of two neighbours, or NULL. */
static inline const bpe_slot *bpe_find(const bpe *b, uint32_t left, uint32_t right) {
    const bpe_slot *slot = bpe_slot_of(b, left << 16 | right);
    return slot->rank == BPE_EMPTY ? NULL : slot;
}

/* ---- A word ---------------------------------------------------------------------------------- */

/* Tokens of one word into `ids` (room for `count`), and how many: the pair of the lowest rank is
 * merged, the leftmost first, until no two neighbours have a merge. `scratch` is needed from
 * BPE_SHORT_WORD + 1 bytes on: bpe_scratch_bytes(count) of them, aligned for 64-bit numbers.
 * Time is n log n. */
size_t bpe_merge_word(const bpe *b, const unsigned char *word, size_t count, uint16_t *ids,
                      void *scratch);

enum { BPE_SHORT_WORD = 64 }; /* up to here looking at all pairs beats keeping a heap */

uint64_t bpe_scratch_bytes(size_t count);

/* ---- The byte alphabet of vocab.json --------------------------------------------------------- */

/* GPT-2 writes each byte as one visible character: itself where Latin-1 has a visible one, and
 * for the others, in order, the code points from U+0100. */
uint32_t bpe_character_of_byte(int byte);

/* The byte that a character stands for, or -1. */
int bpe_byte_of_character(uint32_t code);

#endif
