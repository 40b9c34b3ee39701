/* bpe_learn.c - see bpe_learn.h.
 *
 * Counts are updated, never recounted. Every pair of neighbouring tokens has a count and a linked
 * list of the places where the pair occurs. A merge walks the list of its pair: at each place it
 * removes the pair before and the pair after from their lists, and appends the two new pairs to
 * their lists. A heap yields the most frequent pair. A heap entry may state too high a count, never
 * too low a count: after the merge that created a pair, the count of the pair can only fall. */
#include "text/bpe_learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "text/bpe_words.h"

#define NONE UINT32_MAX /* end of a list of places */

/* A pair of neighbouring tokens and the list of its occurrences: the places (indices of
 * learner.places, ascending) of its left token. */
typedef struct pair_entry {
    uint32_t pair;        /* left << 16 | right */
    uint32_t count;       /* how often the pair occurs in the text */
    uint32_t first, last; /* first and last place of the list, or NONE */
} pair_entry;

/* One token of one distinct word, at first a single byte. A merge of two tokens writes the new
 * token to the place of the left token; the place of the right token is unused from then on. */
typedef struct place {
    uint32_t next, previous; /* places of the neighbours in the word, or NONE */
    uint32_t later, earlier; /* next and previous place in the list of its pair, or NONE */
    uint32_t weight;         /* how often the word occurs in the text */
    uint16_t id;
} place;

typedef struct learner {
    place *places;
    size_t place_count;
    pair_entry *pairs;
    size_t pair_count, slot_count; /* `pairs` has room for slot_count / 2 pairs */
    uint32_t *slots;               /* open addressing: index + 1 into pairs, 0 if free */
    uint64_t *heap;
    size_t waiting, heap_capacity;
    uint16_t length[BPE_SIZE_MAX];                             /* length of each token in bytes */
    uint32_t merged[BPE_SIZE_MAX], merged_count[BPE_SIZE_MAX]; /* by rank: merged pair; its count */
    int merges;
    gpt_error *error;
} learner;

/* ---- Pairs ----------------------------------------------------------------------------------- */

static uint32_t *pair_slot(const learner *l, uint32_t pair) {
    size_t mask = l->slot_count - 1;
    uint64_t hash = pair * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 32) & mask;
    while (l->slots[at] && l->pairs[l->slots[at] - 1].pair != pair) {
        at = (at + 1) & mask;
    }
    return &l->slots[at];
}

static bool grow_pairs(learner *l) {
    size_t slot_count = l->slot_count ? 2 * l->slot_count : 1 << 12;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    pair_entry *pairs = realloc(l->pairs, slot_count / 2 * sizeof *pairs);
    l->pairs = pairs ? pairs : l->pairs;
    if (!slots || !pairs) {
        free(slots);
        gpt_fail_allocation(l->error, slot_count * sizeof *pairs);
        return false;
    }
    free(l->slots);
    l->slots = slots;
    l->slot_count = slot_count;
    for (size_t i = 0; i < l->pair_count; i++) {
        *pair_slot(l, l->pairs[i].pair) = (uint32_t)i + 1;
    }
    return true;
}

/* Returns the pair of tokens at place `at` and its right neighbour, which must exist. */
static uint32_t pair_at(const learner *l, uint32_t at) {
    return (uint32_t)l->places[at].id << 16 | l->places[l->places[at].next].id;
}

/* Appends place `at` to the list of its pair (its token and the token on its right) and adds the
 * weight of the place, which is how often its word occurs, to the count of the pair. For one pair,
 * calls must be in ascending order of places. False, with GPT_E_ALLOCATION in l->error, if memory
 * ran out. */
static bool link_pair(learner *l, uint32_t at) {
    if (l->pair_count * 2 >= l->slot_count && !grow_pairs(l)) {
        return false;
    }
    uint32_t pair = pair_at(l, at);
    uint32_t *slot = pair_slot(l, pair);
    if (!*slot) {
        l->pairs[l->pair_count] = (pair_entry){pair, 0, NONE, NONE};
        *slot = (uint32_t)++l->pair_count;
    }
    pair_entry *p = &l->pairs[*slot - 1];
    place *x = &l->places[at];
    p->count += x->weight;
    x->earlier = p->last;
    x->later = NONE;
    if (p->last == NONE) {
        p->first = at;
    } else {
        l->places[p->last].later = at;
    }
    p->last = at;
    return true;
}

/* Removes place `at` from the list of its pair (its token and the token on its right) and subtracts
 * its weight from the count of the pair. */
static void unlink_pair(learner *l, uint32_t at) {
    pair_entry *p = &l->pairs[*pair_slot(l, pair_at(l, at)) - 1];
    const place *x = &l->places[at];
    p->count -= x->weight;
    if (x->earlier == NONE) {
        p->first = x->later;
    } else {
        l->places[x->earlier].later = x->later;
    }
    if (x->later == NONE) {
        p->last = x->earlier;
    } else {
        l->places[x->later].earlier = x->earlier;
    }
}

/* ---- The most frequent pair ------------------------------------------------------------------ */

/* Returns the heap key of a pair. The smallest key is the pair of the highest count; among equal
 * counts, of the smallest left id, then of the smallest right id. */
static uint64_t heap_key(const pair_entry *p) {
    return (uint64_t)(UINT32_MAX - p->count) << 32 | p->pair;
}

/* Pushes l->pairs[first] and all later pairs onto the heap, except pairs that occur only once or
 * have more than TOKEN_BYTES_MAX bytes. False, with GPT_E_ALLOCATION in l->error, if memory ran
 * out. */
static bool push_pairs(learner *l, size_t first) {
    if (l->waiting + (l->pair_count - first) > l->heap_capacity) {
        size_t capacity = 2 * (l->waiting + (l->pair_count - first));
        uint64_t *heap = realloc(l->heap, capacity * sizeof *heap);
        if (!heap) {
            gpt_fail_allocation(l->error, capacity * sizeof *heap);
            return false;
        }
        l->heap = heap;
        l->heap_capacity = capacity;
    }
    for (size_t i = first; i < l->pair_count; i++) {
        const pair_entry *p = &l->pairs[i];
        if (p->count > 1 &&
            l->length[p->pair >> 16] + l->length[p->pair & 0xFFFF] <= TOKEN_BYTES_MAX) {
            heap_push(l->heap, &l->waiting, heap_key(p));
        }
    }
    return true;
}

/* Pops the most frequent pair from the heap and sets *found to its index in l->pairs. False if no
 * pair occurs twice. */
static bool next_pair(learner *l, size_t *found) {
    while (l->waiting) {
        uint64_t top = heap_pop(l->heap, &l->waiting);
        *found = *pair_slot(l, (uint32_t)top) - 1;
        const pair_entry *p = &l->pairs[*found];
        if (heap_key(p) == top) {
            return true;
        }
        if (p->count > 1) { // stale key: push the pair again with its present count
            heap_push(l->heap, &l->waiting, heap_key(p));
        }
    }
    return false;
}

/* ---- Learning -------------------------------------------------------------------------------- */

/* Writes the words to l->places, one place for each byte, and their pairs to l->pairs and the heap.
 * False, with GPT_E_ALLOCATION in l->error, if memory ran out. */
static bool read_words(learner *l, const word_list *list) {
    l->place_count = list->bytes;
    l->places = calloc(list->bytes + 1, sizeof *l->places);
    if (!l->places) {
        gpt_fail_allocation(l->error, list->bytes * sizeof *l->places);
        return false;
    }
    uint32_t at = 0;
    for (size_t i = 0; i < list->count; i++) {
        const counted_word *word = &list->words[i];
        for (uint32_t j = 0; j < word->length; j++, at++) {
            bool first = j == 0, last = j + 1 == word->length;
            l->places[at] = (place){last ? NONE : at + 1, first ? NONE : at - 1, NONE, NONE,
                                    word->count,          word->bytes[j]};
        }
    }
    for (at = 0; at < l->place_count; at++) {
        if (l->places[at].next != NONE && !link_pair(l, at)) {
            return false;
        }
    }
    return push_pairs(l, 0);
}

/* Replaces every occurrence of the pair l->pairs[index] by a new token. False, with
 * GPT_E_ALLOCATION in l->error, if memory ran out. */
static bool merge(learner *l, size_t index) {
    uint16_t made = (uint16_t)(BPE_BYTES + l->merges);
    size_t known = l->pair_count; // pairs of this index or higher are new
    l->merged[l->merges] = l->pairs[index].pair;
    l->merged_count[l->merges] = l->pairs[index].count;
    l->length[made] = (uint16_t)(l->length[l->pairs[index].pair >> 16] +
                                 l->length[l->pairs[index].pair & 0xFFFF]);
    l->merges++;
    // Each round starts at the head of the list, because a merge may remove the next place, as in
    // "aaa".
    while (l->pairs[index].first != NONE) {
        uint32_t at = l->pairs[index].first;
        place *left = &l->places[at], *right = &l->places[left->next];
        unlink_pair(l, at);
        if (left->previous != NONE) {
            unlink_pair(l, left->previous);
        }
        if (right->next != NONE) {
            unlink_pair(l, left->next);
            l->places[right->next].previous = at;
        }
        left->id = made;
        left->next = right->next;
        if ((left->previous != NONE && !link_pair(l, left->previous)) ||
            (left->next != NONE && !link_pair(l, at))) {
            return false;
        }
    }
    return push_pairs(l, known);
}

/* Writes the learned vocabulary to `b`. Errors: GPT_E_ALLOCATION. */
static int build(bpe *b, const learner *l, arena *memory, gpt_error *error) {
    b->merges = l->merges;
    b->size = BPE_BYTES + l->merges;
    for (int id = 0; id < b->size; id++) {
        b->byte_count += l->length[id];
    }
    int status = bpe_open(b, memory, error);
    if (status < 0) {
        return status;
    }
    b->end_of_text = -1;
    b->start[0] = 0;
    for (int id = 0; id < b->size; id++) {
        b->start[id + 1] = b->start[id] + l->length[id];
        unsigned char *bytes = b->bytes + b->start[id];
        int rank = id - BPE_BYTES;
        if (rank < 0) {
            bytes[0] = (unsigned char)id;
            continue;
        }
        size_t left_count, right_count;
        const unsigned char *left = bpe_token(b, (int)(l->merged[rank] >> 16), &left_count);
        const unsigned char *right = bpe_token(b, (int)(l->merged[rank] & 0xFFFF), &right_count);
        memcpy(bytes, left, left_count);
        memcpy(bytes + left_count, right, right_count);
        b->left[rank] = (uint16_t)(l->merged[rank] >> 16);
        b->right[rank] = (uint16_t)l->merged[rank];
        b->made[rank] = (uint16_t)id;
        b->count[rank] = l->merged_count[rank];
    }
    return bpe_index(b, error);
}

int bpe_learn(bpe *b, arena *memory, int size, bool documents, const char *text, size_t bytes,
              const unsigned char *held_out, gpt_error *error) {
    memset(b, 0, sizeof *b);
    memset(memory, 0, sizeof *memory);
    learner *l = calloc(1, sizeof *l);
    if (!l) {
        return gpt_fail_allocation(error, sizeof *l);
    }
    gpt_error inner = {0};
    l->error = &inner;
    for (int byte = 0; byte < BPE_BYTES; byte++) {
        l->length[byte] = 1;
    }
    word_list words;
    bool fine = words_open(&words, documents, text, bytes, held_out, &inner) == GPT_OK &&
                read_words(l, &words);
    words_close(&words);
    int limit = size < BPE_SIZE_MAX ? size : BPE_SIZE_MAX;
    for (size_t index; fine && BPE_BYTES + l->merges < limit && next_pair(l, &index);) {
        fine = merge(l, index);
    }
    int status = fine ? build(b, l, memory, error)
                      : gpt_fail(error, inner.status, inner.name, inner.value[0], 0, 0);
    free(l->places);
    free(l->pairs);
    free(l->slots);
    free(l->heap);
    free(l);
    return status;
}
