/* bpe.c - see bpe.h. */
#include "text/bpe.h"

#include <string.h>

#include "base/heap.h"

const char BPE_END_OF_TEXT[] = "<|endoftext|>";

/* ---- Memory of a vocabulary ------------------------------------------------------------------ */

/* Returns log2 of the number of slots of the hash index for `merges` merges. At most half of the
 * slots are full, so that probe sequences stay short. */
static int slot_bits(int merges) {
    int bits = 1;
    while ((1 << bits) < 2 * merges) {
        bits++;
    }
    return bits;
}

int bpe_lay_out(bpe *b, arena *memory, gpt_error *error) {
    uint64_t merges = (uint64_t)b->merges;
    b->slot_bits = slot_bits(b->merges);
    b->start = arena_alloc(memory, (uint64_t)b->size + 1, sizeof *b->start);
    b->bytes = arena_alloc(memory, b->byte_count, 1);
    b->left = arena_alloc(memory, merges, sizeof *b->left);
    b->right = arena_alloc(memory, merges, sizeof *b->right);
    b->made = arena_alloc(memory, merges, sizeof *b->made);
    b->count = arena_alloc(memory, merges, sizeof *b->count);
    b->byte_id = arena_alloc(memory, BPE_BYTES, sizeof *b->byte_id);
    b->slots = arena_alloc(memory, (uint64_t)1 << b->slot_bits, sizeof *b->slots);
    bool taken = b->start && b->bytes && b->left && b->right && b->made && b->count && b->byte_id &&
                 b->slots;
    return taken ? GPT_OK : arena_fail(memory, error);
}

int bpe_open(bpe *b, arena *memory, gpt_error *error) {
    arena measuring;
    arena_open_measuring(&measuring);
    (void)bpe_lay_out(b, &measuring, NULL); // an arena that only counts bytes cannot run out
    int status = arena_open(memory, measuring.peak, error);
    return status < 0 ? status : bpe_lay_out(b, memory, error);
}

int bpe_copy(bpe *to, const bpe *from, arena *memory, gpt_error *error) {
    *to = *from;
    int status = bpe_lay_out(to, memory, error);
    if (status < 0 || memory->measuring) {
        return status;
    }
    size_t merges = (size_t)from->merges;
    memcpy(to->start, from->start, ((size_t)from->size + 1) * sizeof *to->start);
    memcpy(to->bytes, from->bytes, from->byte_count);
    memcpy(to->left, from->left, merges * sizeof *to->left);
    memcpy(to->right, from->right, merges * sizeof *to->right);
    memcpy(to->made, from->made, merges * sizeof *to->made);
    memcpy(to->count, from->count, merges * sizeof *to->count);
    memcpy(to->byte_id, from->byte_id, BPE_BYTES * sizeof *to->byte_id);
    memcpy(to->slots, from->slots, sizeof *to->slots << from->slot_bits);
    return GPT_OK;
}

/* ---- The index of pairs ---------------------------------------------------------------------- */

/* Inserts all merges into the hash index. Errors: GPT_E_BPE_MERGE_TWICE if two merges have the same
 * pair. */
static int fill_slots(bpe *b, gpt_error *error) {
    memset(b->slots, 0xFF, sizeof *b->slots << b->slot_bits);
    for (int rank = 0; rank < b->merges; rank++) {
        uint32_t pair = (uint32_t)b->left[rank] << 16 | b->right[rank];
        bpe_slot *slot = bpe_slot_of(b, pair);
        if (slot->rank != BPE_EMPTY) {
            return gpt_fail(error, GPT_E_BPE_MERGE_TWICE, "", rank, 0, 0);
        }
        *slot = (bpe_slot){pair, (uint16_t)rank, b->made[rank]};
    }
    return GPT_OK;
}

int bpe_index(bpe *b, gpt_error *error) {
    bool found[BPE_BYTES] = {false};
    for (int id = 0; id < b->size; id++) {
        size_t count;
        const unsigned char *bytes = bpe_token(b, id, &count);
        if (count == 1 && !found[bytes[0]]) {
            found[bytes[0]] = true;
            b->byte_id[bytes[0]] = (uint16_t)id;
        }
    }
    for (int byte = 0; byte < BPE_BYTES; byte++) {
        if (!found[byte]) {
            return gpt_fail(error, GPT_E_BPE_BYTE, "", byte, 0, 0);
        }
    }
    return fill_slots(b, error);
}

/* ---- Merging a word -------------------------------------------------------------------------- */

enum { NO_RANK = BPE_MERGES_MAX + 1 }; /* rank of a pair without a merge, above every rank */

static uint32_t rank_of(const bpe *b, uint32_t left, uint32_t right) {
    const bpe_slot *slot = bpe_find(b, left, right);
    return slot ? slot->rank : NO_RANK;
}

/* Merges a word of at most BPE_SHORT_WORD tokens. Scans all pairs for each merge: n^2 time, but
 * without the cost of a heap. */
static size_t merge_short(const bpe *b, size_t count, uint16_t *ids) {
    uint32_t rank[BPE_SHORT_WORD];
    for (size_t i = 0; i + 1 < count; i++) {
        rank[i] = rank_of(b, ids[i], ids[i + 1]);
    }
    while (count > 1) {
        size_t best = 0;
        for (size_t i = 1; i + 1 < count; i++) {
            best = rank[i] < rank[best] ? i : best;
        }
        if (rank[best] == NO_RANK) {
            break;
        }
        ids[best] = b->made[rank[best]];
        count--;
        memmove(ids + best + 1, ids + best + 2, (count - best - 1) * sizeof *ids);
        memmove(rank + best, rank + best + 1, (count - best - 1) * sizeof *rank);
        if (best) {
            rank[best - 1] = rank_of(b, ids[best - 1], ids[best]);
        }
        if (best + 1 < count) {
            rank[best] = rank_of(b, ids[best], ids[best + 1]);
        }
    }
    return count;
}

/* Returns the heap entry of a pair: the rank of its merge in the high 32 bits, its position in the
 * word in the low 32 bits. So the lowest rank comes first and, among equal ranks, the leftmost
 * position. */
static uint64_t heap_entry(uint32_t rank, size_t position) {
    return (uint64_t)rank << 32 | (uint32_t)position;
}

uint64_t bpe_scratch_bytes(size_t count) {
    return (uint64_t)count * (2 * sizeof(uint64_t) + 2 * sizeof(uint32_t));
}

/* Merges a long word, with a min-heap of pairs and a linked list of tokens: n log n time. Merges
 * leave stale entries in the heap: an entry is valid only if the pair at its position still has the
 * rank of the entry. A position that was merged into the token on its left has itself as `next`. */
static size_t merge_long(const bpe *b, size_t count, uint16_t *ids, void *scratch) {
    // 2 * count entries suffice: the heap starts with fewer than `count`, and each of the at most
    // count - 1 merges removes one entry and adds at most two.
    uint64_t *heap = scratch;
    uint32_t *next = (uint32_t *)(heap + 2 * count), *previous = next + count;
    size_t waiting = 0;
    for (size_t i = 0; i < count; i++) {
        next[i] = (uint32_t)(i + 1);
        previous[i] = (uint32_t)(i - 1);
        uint32_t rank = i + 1 < count ? rank_of(b, ids[i], ids[i + 1]) : NO_RANK;
        if (rank != NO_RANK) {
            heap[waiting++] = heap_entry(rank, i);
        }
    }
    heap_build(heap, waiting);
    while (waiting) {
        uint64_t first = heap_pop(heap, &waiting);
        size_t at = (uint32_t)first;
        size_t after = next[at];
        if (after == at || after == count || rank_of(b, ids[at], ids[after]) != first >> 32) {
            continue;
        }
        ids[at] = b->made[first >> 32];
        next[at] = next[after];
        next[after] = (uint32_t)after;
        if (next[at] < count) {
            previous[next[at]] = (uint32_t)at;
            uint32_t rank = rank_of(b, ids[at], ids[next[at]]);
            if (rank != NO_RANK) {
                heap_push(heap, &waiting, heap_entry(rank, at));
            }
        }
        if (at) {
            uint32_t rank = rank_of(b, ids[previous[at]], ids[at]);
            if (rank != NO_RANK) {
                heap_push(heap, &waiting, heap_entry(rank, previous[at]));
            }
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i = next[i]) {
        ids[kept++] = ids[i];
    }
    return kept;
}

size_t bpe_merge_word(const bpe *b, const unsigned char *word, size_t count, uint16_t *ids,
                      void *scratch) {
    for (size_t i = 0; i < count; i++) {
        ids[i] = b->byte_id[word[i]];
    }
    return count <= BPE_SHORT_WORD ? merge_short(b, count, ids)
                                   : merge_long(b, count, ids, scratch);
}

/* ---- The byte alphabet ----------------------------------------------------------------------- */

static bool visible(int byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

uint32_t bpe_character_of_byte(int byte) {
    if (visible(byte)) {
        return (uint32_t)byte;
    }
    // Bytes without a visible character, in order: 33 below '!', then 0x7F to 0xA0, then the soft
    // hyphen 0xAD.
    return 0x100u + (uint32_t)(byte < 0x21 ? byte : byte < 0xA1 ? byte - 0x7F + 33 : 33 + 34);
}

int bpe_byte_of_character(uint32_t code) {
    if (code < 0x100) {
        return visible((int)code) ? (int)code : -1;
    }
    uint32_t k = code - 0x100;
    return k < 33 ? (int)k : k < 67 ? (int)(k - 33 + 0x7F) : k == 67 ? 0xAD : -1;
}
