/* training_index.h - suffix-array indexes of a run's training text, by bytes and by tokens.
 *
 * Owns copies of the text, its tokens and its vocabulary, both indexes, and the n-gram model; after
 * opening it needs no trainer. Splits the text as a dataset of the same recipe does. The held-out
 * part is stored, so that places are bytes of the whole text, but searches do not find it. A
 * separator comes before and after each document: a line break among bytes, BOS among tokens.
 * Separators also replace left-out documents and, as a byte or id that is nowhere else in the text,
 * left-out stretches of a stream. Invariant: no match contains a separator.
 */
#ifndef GLASSHOUSE_TRAINING_INDEX_H
#define GLASSHOUSE_TRAINING_INDEX_H

#include "recipe/config.h"
#include "text/ngram.h"
#include "text/tokenizer.h"

/* The largest text that is indexed, in bytes. A larger one would leave a module of 4 GB no memory
 * for a model. */
enum { TRAINING_INDEX_BYTES_MAX = 1 << 27 };

/* The text as a sequence of bytes or tokens, with separators. */
typedef struct text_sequence {
    void *at;            /* (count) symbols */
    int width;           /* bytes of a symbol, 1 or 2 */
    uint32_t count;      /* symbols, held-out ones included */
    uint32_t end;        /* stream: the held-out part begins here; documents: count */
    int separator;       /* symbol between documents, or in gaps of a stream; -1: none */
    unsigned char *kept; /* (count) bitmap: trained on; NULL: all before `end` are */
} text_sequence;

static inline symbols text_sequence_symbols(const text_sequence *q) {
    return (symbols){q->at, q->width};
}

typedef struct training_index {
    arena memory;
    tokenizer tokenizer;
    bool documents;
    bool gaps;                   /* a stream whose training part has left-out stretches */
    int context;                 /* T: documents are cut after T tokens */
    uint32_t ahead;              /* symbols before the text: 1 (separator) if documents, else 0 */
    bool held_out;               /* a part of the text is held out */
    text_sequence bytes, tokens; /* one shared sequence if tokens are bytes */
    text_index byte_index, token_index; /* if tokens are bytes, token_index is empty */
    ngram_model model;
    double tokens_per_character; /* of the held-out text, or else of the training text */
} training_index;

/* Copies the text and the vocabulary `from` of a run with the recipe `c` and prepares the indexes;
 * training_index_step builds them. GPT_E_TEXT_SIZE, GPT_E_ALLOCATION, GPT_E_UNSUPPORTED (text is
 * left out of a stream that contains the byte 255, which is never part of UTF-8), GPT_E_BPE_ID
 * (text is left out and the vocabulary uses all 65536 ids) and the errors of dataset_open; `x` is
 * closed then. */
int training_index_open(training_index *x, const config *c, const tokenizer *from, const char *text,
                        size_t bytes, gpt_error *error);

/* Frees the index. A zeroed index may be closed. */
void training_index_close(training_index *x);

/* Builds a part of the indexes, some milliseconds. GPT_OK, or GPT_END when they are ready.
 * GPT_E_ALLOCATION: may be called again. */
int training_index_step(training_index *x, gpt_error *error);

/* Whether both indexes are built. Searches need that. */
bool training_index_is_ready(const training_index *x);

/* The share of the building that is done, from 0 to 1. */
double training_index_progress(const training_index *x);

/* An estimate of the most bytes in use while the indexes are built. For each byte: 1 for the byte,
 * 4 for the suffix array, 2 for the builder; for each token 2, 4 and 2. Separators and the bitmaps
 * `kept` are not counted. `shared`: tokens are bytes and need no sequence of their own. */
static inline uint64_t training_index_most_bytes(uint64_t bytes, uint64_t tokens, bool shared) {
    return sizeof(training_index) + 7 * bytes + (shared ? 0 : 8 * tokens);
}

/* Bytes of memory in use now. */
uint64_t training_index_bytes(const training_index *x);

/* Writes the held-out text from its beginning up to `capacity` bytes, whole characters only:
 * documents in the order of the text, each with a line break. Returns the bytes written; 0 if
 * nothing is held out. */
size_t training_index_held_out(const training_index *x, unsigned char *out, size_t capacity);

/* The index of the tokens: the byte index if tokens are bytes. */
const text_index *training_index_tokens(const training_index *x);

#endif
