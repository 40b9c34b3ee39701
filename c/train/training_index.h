/* training_index.h - the training text of a run, indexed: its bytes and its tokens.
 *
 * Owns: a copy of the text, of its tokens where these are not bytes, the vocabulary, both indexes,
 * and the n-gram models. Which part is trained on is what a dataset of the same recipe says.
 * Documents (the lines of the text) are separated by a line break, which no match contains; tokens
 * by BOS. The held-out part is there too, so that places are places of the text, but is not found.
 * Separators stand in place of documents of the training part that are left out, and of left-out
 * stretches of a stream (which then has one: a byte or id that it has nowhere else).
 * Needs no trainer once it is open: training goes on meanwhile.
 */
#ifndef GLASSHOUSE_TRAINING_INDEX_H
#define GLASSHOUSE_TRAINING_INDEX_H

#include "recipe/config.h"
#include "text/ngram.h"
#include "text/tokenizer.h"

/* More text than this is not indexed: it would leave a module of 4 GB no room beside a model. */
enum { TRAINING_INDEX_BYTES_MAX = 1 << 27 };

/* The text as a sequence. */
typedef struct text_sequence {
    void *at;            /* (count) symbols */
    int width;           /* bytes of a symbol */
    uint32_t count;      /* the held-out ones too */
    uint32_t end;        /* where the held-out part of a stream begins */
    int separator;       /* of documents, or of what is left out of a stream; or -1 */
    unsigned char *kept; /* a bit for each symbol that is trained on; NULL: all before `end` */
} text_sequence;

static inline symbols text_sequence_symbols(const text_sequence *q) {
    return (symbols){q->at, q->width};
}

typedef struct training_index {
    arena memory;
    tokenizer tokenizer;
    bool documents;
    bool gaps;                   /* a stream of which something is left out */
    int context;                 /* T: documents are cut there */
    uint32_t ahead;              /* symbols before the text: documents begin with a separator */
    bool held_out;               /* something is */
    text_sequence bytes, tokens; /* the same where tokens are bytes */
    text_index byte_index, token_index;
    ngram_model model;
    double tokens_per_character; /* of what is held out, else of the training text */
} training_index;

/* Copies the text of a run with this recipe and vocabulary and prepares its indexes.
 * GPT_E_TEXT_SIZE, GPT_E_ALLOCATION, GPT_E_UNSUPPORTED ("left_out" of a stream that has the byte
 * 255, which no UTF-8 has) and those of dataset_open. */
int training_index_open(training_index *x, const config *c, const tokenizer *from, const char *text,
                        size_t bytes, gpt_error *error);
void training_index_close(training_index *x);

/* Builds a part: GPT_OK, or GPT_END when it is ready. GPT_E_ALLOCATION. */
int training_index_step(training_index *x, gpt_error *error);

bool training_index_is_ready(const training_index *x);

/* From 0 to 1. */
double training_index_progress(const training_index *x);

/* The most bytes held while an index is built: for each byte or token the symbol itself, 4 bytes of
 * the array, 2 of the building, and in documents a bit. Tokens that are bytes share one index. */
static inline uint64_t training_index_most_bytes(uint64_t bytes, uint64_t tokens, bool shared) {
    return sizeof(training_index) + 7 * bytes + (shared ? 0 : 8 * tokens);
}

/* Bytes held now. */
uint64_t training_index_bytes(const training_index *x);

/* Writes the held-out text from its beginning, whole characters of at most `capacity` bytes; lines,
 * where sequences are documents, each with a line break. Returns its length; 0 if nothing is. */
size_t training_index_held_out(const training_index *x, unsigned char *out, size_t capacity);

/* The index of the tokens. */
const text_index *training_index_tokens(const training_index *x);

#endif
