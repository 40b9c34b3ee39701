/* dataset.h - a text as training sequences and held-out sequences.
 *
 * Owns the tokens of the text, splits the text into a training part and a held-out part (kept apart
 * for validation), and fills batches. Two kinds of sequences: a stream, of which a batch has random
 * windows of T tokens; and documents (one for each line), shuffled once and read in turn, each with
 * a BOS before and after it and cut at T, the context length. The held-out part is the end of the
 * stream, or the last documents of the shuffled order. Invariant: no training batch contains
 * left-out text (bytes that training must not read, recipe/left_out.h), and leaving text out
 * changes neither the vocabulary nor the split.
 */
#ifndef GLASSHOUSE_DATASET_H
#define GLASSHOUSE_DATASET_H

#include "base/rng.h"
#include "recipe/config.h"
#include "text/tokenizer.h"

typedef struct dataset {
    tokenizer tokenizer;
    bool documents;
    int context;
    uint16_t *tokens; /* all tokens of the text, without BOS of documents; length: token_count */
    uint64_t token_count, train_tokens; /* the held-out part of a stream begins at train_tokens */
    /* Documents only; length: document_count + 1. Index in `tokens` of the first token of each
     * document; the last entry is token_count. */
    uint64_t *start;
    /* Documents only; length: document_count. The shuffled order. Documents of the training part
     * come first, then left-out documents (which training never reads), then held-out documents. */
    uint32_t *order;
    uint64_t document_count, train_documents, left_out_documents;
    /* Ranges of left-out tokens of a stream, or of left-out documents, numbered from 0 in the order
     * of the text. Tokens or documents of the held-out part can be among them. */
    left_out left_out;
    /* Number of documents that exceed the context with their final BOS, and of their tokens beyond
     * the context, which are never targets. */
    uint64_t cut_documents, cut_tokens;
    uint64_t invalid_bytes; /* number of bytes of the text that are not valid UTF-8 */
} dataset;

/* A batch: B sequences of at most T tokens. The inputs of shorter sequences are padded with BOS,
 * their targets with NO_TARGET. The caller allocates `inputs` and `targets` for the largest
 * batch. */
typedef struct batch {
    int32_t *inputs, *targets; /* (B,T); T, the length of a row, differs between batches */
    int B, T;                  /* T: number of targets of the longest sequence of this batch */
    int targets_count;         /* number of targets that are not NO_TARGET */
} batch;

/* Reads the text, opens its tokenizer and allocates the dataset in `memory`; frees all temporary
 * memory. If `memory` only counts bytes (arena_open_measuring), sets the counts but stores no
 * tokens. `bpe_vocab`: a BPE vocabulary from files, or a cache for one that is learned from the
 * text; ignored if tokens are bytes or characters. `vocab`: the vocabulary of a saved model; NULL:
 * read from the text. If `vocab` is not NULL, `text` may be NULL, and then the dataset has only a
 * tokenizer. Errors: GPT_E_EMPTY, GPT_E_SHORT (a stream of fewer than context + 1 tokens),
 * GPT_E_TEXT_SIZE (more than 2^32 - 1 documents), GPT_E_LEFT_OUT_END (a left-out range ends after
 * the text), GPT_E_LEFT_OUT_ALL (too little training text remains), GPT_E_STATE (the counts that
 * `bpe_vocab` caches are of another text) and the errors of tokenizer_open. */
int dataset_open(dataset *d, const config *c, const vocabulary *vocab, bpe_source *bpe_vocab,
                 const char *text, size_t bytes, arena *memory, gpt_error *error);

/* Shuffles the documents with draws from `r`. Then moves the left-out documents of the training
 * part after its other documents, which keep their order. For a stream, does nothing and draws
 * nothing. */
void dataset_shuffle(dataset *d, rng *r);

/* Fills a batch. Documents: the batch has B training documents in shuffled order, from position
 * `first` on; after the last document it continues with the first. Stream: the batch has B windows
 * at random positions, each drawn from `r` until it contains no left-out token. */
void dataset_batch(const dataset *d, batch *b, uint64_t first, int B, rng *r);

/* Number of targets of the document at position `i` of the shuffled order: min(T, number of its
 * tokens + 1); the BOS at its end is a target. */
int dataset_document_length(const dataset *d, uint64_t i);

/* Fills row `row` of a batch whose T is set: with the document at position `begin` of the shuffled
 * order, padded, or with the window of a stream that begins at token `begin`. Adds the number of
 * targets of the row to b->targets_count. */
void dataset_sequence(const dataset *d, batch *b, int row, uint64_t begin);

/* Mean number of targets per character, in the training part or the held-out part. A loss per
 * target times this number is a loss per character. Documents must be shuffled. The BOS that ends a
 * document counts as one character, its line break. Left-out training text and text beyond the
 * context do not count; if the end of the context divides a character, the character counts as a
 * fraction, the share of its bytes before that end. NaN if the part has no characters. Takes linear
 * time in the tokens. */
double dataset_tokens_per_character(const dataset *d, bool held_out);

/* Number of left-out documents, or of left-out tokens of a stream, in the training part. */
uint64_t dataset_left_out(const dataset *d);

/* Number of held-out sequences: documents, or windows of T targets that do not overlap. */
uint64_t dataset_held_out(const dataset *d);

/* Writes the beginning of the held-out text, at most `capacity` bytes and whole tokens only.
 * Documents must be shuffled, and are written in the shuffled order, each with a line break after
 * it. Returns the number of bytes written. */
size_t dataset_held_out_text(const dataset *d, unsigned char *out, size_t capacity);

/* Fills a batch with every stride-th held-out sequence, from number `first` on (counted from 0): B
 * sequences, or fewer if the held-out part ends before. */
void dataset_held_out_batch(const dataset *d, batch *b, uint64_t first, uint64_t stride, int B);

#endif
