/* dataset.h - a text as sequences to learn from.
 *
 * Owns: the token ids, the split into training and held-out text, and which tokens a batch holds.
 * Two kinds: a stream, cut into random windows of T tokens; and documents (one a line), shuffled
 * once and taken in turn, each wrapped in BOS and cut at T. The held-out share is the end of the
 * stream, or the last documents of the shuffled order. What a recipe leaves out is never in a
 * training batch; everything else is as it is without.
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
    uint16_t *tokens; /* the whole text; documents one after the other, without BOS */
    uint64_t token_count, train_tokens;
    uint64_t *start; /* documents: (count + 1) where each begins in tokens */
    uint32_t *order; /* documents: those to train on in shuffled order, left out, held out */
    uint64_t document_count, train_documents, left_out_documents;
    left_out left_out; /* tokens of a stream, or documents; of the held-out part too */
    uint64_t cut_documents, cut_tokens; /* longer than the context: their tails are not trained */
    uint64_t invalid_bytes;
} dataset;

/* A batch to fill in: B sequences of at most T tokens, padded with NO_TARGET at the end. */
typedef struct batch {
    int32_t *inputs, *targets; /* (B,T), dense in the T that is returned */
    int B, T;                  /* T: the longest sequence of this batch */
    int targets_count;         /* real targets */
} batch;

/* Reads the text and lays the dataset out in `memory` (which may measure; the facts are then
 * filled in but no token is stored). `source` is needed for BPE only. With a `given` vocabulary
 * (see tokenizer_open; not NULL) `text` may be NULL: there is then nothing to learn from.
 * GPT_E_EMPTY, GPT_E_SHORT, GPT_E_TEXT_SIZE, GPT_E_LEFT_OUT_END, GPT_E_LEFT_OUT_ALL and those of
 * tokenizer_open. */
int dataset_open(dataset *d, const config *c, const vocabulary *given, bpe_source *source,
                 const char *text, size_t bytes, arena *memory, gpt_error *error);

/* Puts the documents into the order of the stream `r`, then those that are left out behind those
 * that are trained on, whose order stays; takes nothing from it for a stream. */
void dataset_shuffle(dataset *d, rng *r);

/* Fills a batch: B documents of the order from `first` on, round and round, or windows drawn
 * from `r`, each drawn anew while it touches what is left out. */
void dataset_batch(const dataset *d, batch *b, uint64_t first, int B, rng *r);

/* Tokens that document `i` of the shuffled order gives: min(T, length + 1). */
int dataset_document_length(const dataset *d, uint64_t i);

/* Fills row `row` of a batch with b->T tokens of document `begin` of the shuffled order, padded, or
 * of the stream from token `begin` on. */
void dataset_sequence(const dataset *d, batch *b, int row, uint64_t begin);

/* Targets of the loss over the characters that they stand for, of the training or the held-out
 * part (known for documents once they are shuffled): BOS at the end of a document stands for its
 * line break, and what the context cuts off counts for neither; of a character that it cuts, its
 * bytes before the cut count. NaN without characters. Reads all of it. */
double dataset_tokens_per_character(const dataset *d, bool held_out);

/* What is left out of the training part: documents, or tokens of a stream. */
uint64_t dataset_left_out(const dataset *d);

/* How many held-out sequences there are: documents, or windows of T that do not overlap. */
uint64_t dataset_held_out(const dataset *d);

/* Writes the held-out text from its beginning, as many whole tokens as fit into `capacity`, and
 * returns the bytes written; of documents (which must be shuffled) in that order, each with a
 * line break. */
size_t dataset_held_out_text(const dataset *d, unsigned char *out, size_t capacity);

/* Fills a batch with held-out sequences first, first+stride, ... (at most B; fewer at the end). */
void dataset_held_out_batch(const dataset *d, batch *b, uint64_t first, uint64_t stride, int B);

#endif
