/* dataset.h - a text as training sequences and held-out sequences.
 *
 * Owns the tokens of the text, splits them into training and held-out part, and fills batches. Two
 * kinds of sequences: a stream, of which a batch has random windows of T tokens; and documents (one
 * for each line), shuffled once and read in turn, each between two BOS and cut at T. The held-out
 * part is the end of the stream, or the last documents of the shuffled order. Invariant: left-out
 * text is in no training batch, and leaving it out changes neither the vocabulary nor the split.
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
    uint16_t *tokens; /* (token_count) the whole text; documents without BOS between them */
    uint64_t token_count, train_tokens; /* the held-out part of a stream begins at train_tokens */
    uint64_t *start;                    /* documents: (document_count + 1) first token of each */
    uint32_t *order; /* documents: (document_count) training, then left-out, then held-out ones */
    uint64_t document_count, train_documents, left_out_documents;
    left_out left_out; /* numbers of tokens or documents, also in the held-out part */
    uint64_t cut_documents, cut_tokens; /* beyond the context, so never targets */
    uint64_t invalid_bytes;             /* bytes that are not UTF-8 */
} dataset;

/* A batch: B sequences of at most T tokens. Shorter ones are padded with BOS, their targets with
 * NO_TARGET. The caller allocates both arrays for the largest batch. */
typedef struct batch {
    int32_t *inputs, *targets; /* (B,T) with a stride of T, which differs between batches */
    int B, T;                  /* T: the longest sequence of this batch */
    int targets_count;         /* targets that are not NO_TARGET */
} batch;

/* Reads the text, opens its tokenizer and allocates the dataset in `memory`; no other memory stays
 * in use. If `memory` measures, sets the counts but stores no tokens. `source`: for BPE only.
 * `given`: the vocabulary of a saved model, or NULL. With it, `text` may be NULL; the dataset then
 * has a tokenizer only. GPT_E_EMPTY, GPT_E_SHORT (a stream of fewer than context + 1 tokens),
 * GPT_E_TEXT_SIZE (more than 2^32 - 1 documents), GPT_E_LEFT_OUT_END, GPT_E_LEFT_OUT_ALL,
 * GPT_E_STATE (the counts that `source` caches are of another text) and the errors of
 * tokenizer_open. */
int dataset_open(dataset *d, const config *c, const vocabulary *given, bpe_source *source,
                 const char *text, size_t bytes, arena *memory, gpt_error *error);

/* Shuffles the documents with `r`, then moves the left-out ones behind the training ones, which
 * keep their order. Draws nothing if the text is a stream. */
void dataset_shuffle(dataset *d, rng *r);

/* Fills a batch with B training documents in shuffled order, from position `first` on and again
 * from the beginning after the last; or with B windows of a stream. Draws each window from `r`
 * until it contains no left-out token. */
void dataset_batch(const dataset *d, batch *b, uint64_t first, int B, rng *r);

/* Targets of document `i` of the shuffled order: min(T, length + 1), its final BOS included. */
int dataset_document_length(const dataset *d, uint64_t i);

/* Fills row `row` of a batch whose T is set: with document `begin` of the shuffled order, padded,
 * or with the window of a stream from token `begin` on. Adds its targets to b->targets_count. */
void dataset_sequence(const dataset *d, batch *b, int row, uint64_t begin);

/* Mean targets per character of the training or the held-out part. A loss per target times this
 * number is a loss per character. Documents must be shuffled. The BOS that ends a document counts
 * as one character, its line break. Left-out training text and text beyond the context do not
 * count; a character cut by the context counts with the share of its bytes before the cut. NaN
 * without characters. Linear in the tokens. */
double dataset_tokens_per_character(const dataset *d, bool held_out);

/* Number of left-out documents, or tokens of a stream, in the training part. */
uint64_t dataset_left_out(const dataset *d);

/* Number of held-out sequences: documents, or windows of T targets that do not overlap. */
uint64_t dataset_held_out(const dataset *d);

/* Writes the held-out text from its beginning up to `capacity` bytes, whole tokens only, and
 * returns the bytes written. Documents must be shuffled: writes them in that order, each with a
 * line break. */
size_t dataset_held_out_text(const dataset *d, unsigned char *out, size_t capacity);

/* Fills a batch with the held-out sequences first, first + stride, ...: B of them, fewer at the
 * end. */
void dataset_held_out_batch(const dataset *d, batch *b, uint64_t first, uint64_t stride, int B);

#endif
