/* training_index.h - full-text indexes of a run's training text, by bytes and by tokens.
 *
 * Owns copies of the text, its tokens and its vocabulary, the two indexes (suffix arrays,
 * text_index.h), and an n-gram model; needs no trainer after training_index_open. Splits the text
 * as a dataset of the same recipe does. The held-out part (kept apart for validation) is stored, so
 * that places are offsets in the whole text, but searches do not find it. A separator comes before
 * and after each document: a line break among bytes, BOS among tokens. Separators also replace
 * left-out text (which training never reads); the separator of a stream is a byte or id that occurs
 * nowhere else in the text. Invariant: no match contains a separator.
 */
#ifndef GLASSHOUSE_TRAINING_INDEX_H
#define GLASSHOUSE_TRAINING_INDEX_H

#include "recipe/config.h"
#include "text/ngram.h"
#include "text/tokenizer.h"

/* The largest text that can be indexed, in bytes. A larger text would leave no memory for a model
 * in a WebAssembly module of 4 GB. */
enum { TRAINING_INDEX_BYTES_MAX = 1 << 27 };

/* The text as a sequence of bytes or tokens, with separators. */
typedef struct text_sequence {
    void *at;       /* symbols; length: count */
    int width;      /* bytes per symbol, 1 or 2 */
    uint32_t count; /* number of symbols, including the held-out part */
    uint32_t end;   /* stream: index of the first held-out symbol; documents: count */
    int separator;  /* symbol between documents, or in place of left-out text; -1: none */
    /* Bitmap of symbols trained on; NULL: all before `end` are. Length: count bits. */
    unsigned char *kept;
} text_sequence;

static inline symbols text_sequence_symbols(const text_sequence *q) {
    return (symbols){q->at, q->width};
}

typedef struct training_index {
    arena memory;
    tokenizer tokenizer;
    bool documents;
    bool gaps;                          /* text is left out of the training part of a stream */
    int context;                        /* T: documents are cut after T tokens */
    uint32_t ahead;                     /* number of separators before the text: 1; 0 in a stream */
    bool held_out;                      /* a part of the text is held out */
    text_sequence bytes, tokens;        /* one shared sequence if tokens are bytes */
    text_index byte_index, token_index; /* if tokens are bytes, token_index is empty */
    ngram_model model;
    /* Mean number of tokens per character of the held-out part, or of the training part if nothing
     * is held out. */
    double tokens_per_character;
} training_index;

/* Copies the text and the vocabulary (of the tokenizer `from`) of a run with the recipe `c` and
 * prepares the indexes; training_index_step builds them. Errors: GPT_E_TEXT_SIZE (more than
 * TRAINING_INDEX_BYTES_MAX bytes), GPT_E_ALLOCATION, GPT_E_UNSUPPORTED (text is left out of a
 * stream that contains the byte 255, which is never part of UTF-8), GPT_E_BPE_ID (text is left out
 * of a stream and the vocabulary uses all 65536 ids, so no id is free for the separator) and the
 * errors of dataset_open. After a failure `x` is closed. */
int training_index_open(training_index *x, const config *c, const tokenizer *from, const char *text,
                        size_t bytes, gpt_error *error);

/* Frees the index. A zeroed index may be closed. */
void training_index_close(training_index *x);

/* Builds the indexes for some milliseconds. Returns GPT_OK while work remains, GPT_END when both
 * indexes are ready. After GPT_E_ALLOCATION the call may be repeated. */
int training_index_step(training_index *x, gpt_error *error);

/* Whether both indexes are built. Searches are allowed only then. */
bool training_index_is_ready(const training_index *x);

/* Returns the finished share of building the indexes, 0 to 1. */
double training_index_progress(const training_index *x);

/* Estimates the peak memory, in bytes, while the indexes of a text are built. A text of `bytes`
 * bytes needs 7 for each: 1 for the byte itself, 4 for the suffix array, 2 to build the array. Its
 * `tokens` tokens need 8 each: 2 for the id, 4 for the suffix array, 2 to build the array. If
 * `shared`, tokens are bytes and need no index of their own. Separators and the bitmaps `kept` are
 * not counted. */
static inline uint64_t training_index_most_bytes(uint64_t bytes, uint64_t tokens, bool shared) {
    return sizeof(training_index) + 7 * bytes + (shared ? 0 : 8 * tokens);
}

/* Returns the number of bytes of memory that the index uses now. */
uint64_t training_index_bytes(const training_index *x);

/* Writes the beginning of the held-out text, at most `capacity` bytes and whole characters only.
 * Documents are in the order of the text, each with a line break after it. Returns the number of
 * bytes written; 0 if nothing is held out. */
size_t training_index_held_out(const training_index *x, unsigned char *out, size_t capacity);

/* Returns the index of the tokens, which is the index of the bytes if tokens are bytes. */
const text_index *training_index_tokens(const training_index *x);

#endif
