/* training_index.c - see training_index.h. */
#include "train/training_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "train/dataset.h"

/* The byte that replaces left-out bytes (which training never reads) of a stream. It is never part
 * of UTF-8 (RFC 3629). */
enum { GAP_BYTE = 255 };

/* The text, which is borrowed, and its dataset. training_index_open copies both and then frees the
 * dataset. */
typedef struct source_text {
    const char *text;
    size_t bytes;
    dataset data;
    arena memory;
    /* Bitmap of the documents that are trained on; NULL for a stream. Owned; length: document_count
     * bits. */
    unsigned char *trained;
    /* Bitmap of the documents left out of the training part. Owned; length: document_count bits. */
    unsigned char *left_out;
} source_text;

static void set_bit(unsigned char *bits, uint64_t i) {
    bits[i / 8] |= (unsigned char)(1u << i % 8);
}

static void close_source(source_text *s) {
    arena_close(&s->memory);
    free(s->trained);
    free(s->left_out);
}

/* Opens the same dataset (tokens, split, shuffled order) as a trainer of this recipe. For
 * documents, also sets the bitmaps s->trained and s->left_out. */
static int open_source(source_text *s, const config *c, const vocabulary *vocab,
                       bpe_source *bpe_vocab, gpt_error *error) {
    arena measuring;
    arena_open_measuring(&measuring);
    int status = dataset_open(&s->data, c, vocab, bpe_vocab, s->text, s->bytes, &measuring, error);
    status = status < 0 ? status : arena_open(&s->memory, measuring.peak, error);
    status = status < 0 ? status
                        : dataset_open(&s->data, c, vocab, bpe_vocab, s->text, s->bytes, &s->memory,
                                       error);
    if (status < 0 || !s->data.documents) {
        return status;
    }
    rng stream = rng_from_seed((uint64_t)c->value[OPT_SEED]);
    dataset_shuffle(&s->data, &stream);
    s->trained = calloc((size_t)(s->data.document_count / 8 + 1), 1);
    s->left_out = calloc((size_t)(s->data.document_count / 8 + 1), 1);
    if (!s->trained || !s->left_out) {
        return gpt_fail_allocation(error, s->data.document_count / 8 + 1);
    }
    uint64_t trained = s->data.train_documents;
    for (uint64_t i = 0; i < trained + s->data.left_out_documents; i++) {
        set_bit(i < trained ? s->trained : s->left_out, s->data.order[i]);
    }
    return GPT_OK;
}

/* ---- Copying --------------------------------------------------------------------------------- */

/* Copies a text of documents to `to`, with one line break before and one after the whole text, and
 * sets the bits in `kept` of the bytes that are trained on. Carriage returns before line breaks,
 * which belong to no document, become line breaks, and so do all bytes of left-out documents. */
static void copy_documents(const source_text *s, unsigned char *to, unsigned char *kept) {
    uint32_t count = (uint32_t)s->bytes + 2;
    to[0] = to[count - 1] = '\n';
    memcpy(to + 1, s->text, s->bytes);
    for (uint32_t i = count - 1; i-- > 0;) {
        to[i] = to[i] == '\r' && to[i + 1] == '\n' ? '\n' : to[i];
    }
    text_line line = {0};
    for (uint64_t document = 0; lines_next(s->text, s->bytes, &line); document++) {
        if (text_index_is_kept(s->left_out, (uint32_t)document)) {
            memset(to + 1 + line.start, '\n', line.length);
        }
        // Marks the bytes of the document and the line break before it, the context of the first
        // byte.
        for (size_t i = 0; text_index_is_kept(s->trained, (uint32_t)document) && i <= line.length;
             i++) {
            set_bit(kept, line.start + i);
        }
    }
}

/* Copies the tokens of documents to `to`, with one BOS before each document and one after the last,
 * and sets the bits in `kept` of the tokens that are trained on. Each token of a left-out document
 * becomes BOS. */
static void copy_document_tokens(const source_text *s, uint16_t *to, unsigned char *kept) {
    const dataset *d = &s->data;
    uint64_t at = 0;
    for (uint64_t document = 0; document < d->document_count; document++) {
        uint64_t length = d->start[document + 1] - d->start[document];
        to[at] = (uint16_t)d->tokenizer.bos;
        memcpy(to + at + 1, d->tokens + d->start[document], (size_t)length * sizeof *to);
        bool skipped = text_index_is_kept(s->left_out, (uint32_t)document);
        for (uint64_t i = 0; skipped && i < length; i++) {
            to[at + 1 + i] = (uint16_t)d->tokenizer.bos;
        }
        for (uint64_t i = 0; text_index_is_kept(s->trained, (uint32_t)document) && i <= length;
             i++) {
            set_bit(kept, at + i);
        }
        at += 1 + length;
    }
    to[at] = (uint16_t)d->tokenizer.bos;
}

/* Marks the symbols at..at+length-1 of a stream in q->kept as trained on or, if `trained` is false,
 * overwrites them with the separator. Does nothing if q->kept is NULL: no text is left out then. */
static void mark(text_sequence *q, uint64_t at, uint64_t length, bool trained) {
    for (uint64_t i = at; q->kept && i < at + length; i++) {
        if (trained) {
            set_bit(q->kept, i);
        } else if (q->width == 1) {
            ((unsigned char *)q->at)[i] = (unsigned char)q->separator;
        } else {
            ((uint16_t *)q->at)[i] = (uint16_t)q->separator;
        }
    }
}

/* Sets x->tokens.end and x->bytes.end to the end of the training part of a stream, and overwrites
 * left-out tokens and their bytes with separators. */
static void mark_stream(training_index *x, const source_text *s) {
    const dataset *d = &s->data;
    unsigned char token[TOKEN_BYTES_MAX];
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < d->train_tokens; i++) {
        bool special = d->tokens[i] == d->tokenizer.bos;
        uint64_t length = special ? strlen(BPE_END_OF_TEXT)
                                  : (uint64_t)tokenizer_bytes(&d->tokenizer, d->tokens[i], token);
        bool trained = !left_out_touches(&d->left_out, i, i + 1);
        mark(&x->bytes, bytes, length, trained);
        if (x->tokens.at != x->bytes.at) {
            mark(&x->tokens, i, 1, trained);
        }
        bytes += length;
    }
    x->bytes.end = (uint32_t)bytes;
    x->tokens.end = (uint32_t)d->train_tokens;
}

/* Allocates a sequence of `count` symbols of `width` bytes, and its bitmap `kept` if needed, from
 * x->memory, which may be an arena that only counts bytes. False if the arena is full. */
static bool alloc_sequence(training_index *x, text_sequence *q, int width, uint64_t count) {
    q->kept = x->documents || x->gaps ? arena_alloc_zeroed(&x->memory, count / 8 + 1, 1) : NULL;
    q->at = arena_alloc(&x->memory, count, (uint64_t)width);
    q->width = width;
    q->count = q->end = (uint32_t)count;
    return q->at && (q->kept || !(x->documents || x->gaps));
}

/* Allocates the sequences of bytes and of tokens from x->memory and copies the vocabulary there. */
static int lay_out(training_index *x, const source_text *s, tokenizer_options options,
                   const vocabulary *vocab, bpe_source *bpe_vocab, gpt_error *error) {
    const dataset *d = &s->data;
    text_counts counts;
    int status = tokenizer_open(&x->tokenizer, options, vocab, bpe_vocab, NULL, 0, &x->memory,
                                &counts, error);
    if (status < 0) {
        return status;
    }
    bool taken = alloc_sequence(x, &x->bytes, 1, s->bytes + (x->documents ? 2 : 0));
    x->bytes.separator = x->documents ? '\n' : x->gaps ? GAP_BYTE : -1;
    if (options.kind == TOKENIZER_BYTE) {
        x->tokens = x->bytes;
    } else {
        uint64_t separators = x->documents ? d->document_count + 1 : 0;
        taken = taken && alloc_sequence(x, &x->tokens, 2, d->token_count + separators);
        x->tokens.separator = x->documents ? d->tokenizer.bos : x->gaps ? d->tokenizer.vocab : -1;
        if (x->tokens.separator == VOCABULARY_MAX) { // all 65536 symbols are tokens, none is free
            return gpt_fail(error, GPT_E_BPE_ID, "vocab.json", VOCABULARY_MAX - 1,
                            VOCABULARY_MAX - 2, 0);
        }
    }
    return taken ? GPT_OK : arena_fail(&x->memory, error);
}

/* Copies the text to x->bytes and its tokens to x->tokens, which lay_out has allocated; sets
 * x->held_out and x->tokens_per_character. */
static void copy(training_index *x, const source_text *s) {
    const dataset *d = &s->data;
    bool shared = x->tokens.at == x->bytes.at;
    assert(x->bytes.at && x->tokens.at);
    if (x->documents) {
        copy_documents(s, x->bytes.at, x->bytes.kept);
        if (!shared) {
            copy_document_tokens(s, x->tokens.at, x->tokens.kept);
        }
        x->held_out = dataset_held_out(d) > 0;
    } else {
        memcpy(x->bytes.at, s->text, s->bytes);
        if (!shared) {
            memcpy(x->tokens.at, d->tokens, (size_t)d->token_count * sizeof *d->tokens);
        }
        mark_stream(x, s);
        x->held_out = d->train_tokens < d->token_count;
    }
    x->tokens_per_character = dataset_tokens_per_character(d, x->held_out);
}

static int copy_text(training_index *x, const config *c, const tokenizer *from, const char *text,
                     size_t bytes, gpt_error *error) {
    vocabulary vocab = {from->code_count, from->codes, from->vocab};
    bpe_source bpe_vocab = {.bpe = from->bpe,
                            .from_files = true}; // the table is borrowed: no close
    source_text s = {.text = text, .bytes = bytes};
    tokenizer_options options = tokenizer_options_of(c);
    x->documents = options.documents;
    x->context = config_int(c, OPT_CONTEXT);
    x->ahead = x->documents;
    int status = open_source(&s, c, &vocab, &bpe_vocab, error);
    x->gaps = status == GPT_OK && !x->documents && dataset_left_out(&s.data);
    if (x->gaps && memchr(text, GAP_BYTE, bytes)) {
        status = gpt_fail_name(error, GPT_E_UNSUPPORTED, CONFIG_LEFT_OUT);
    }
    arena_open_measuring(&x->memory);
    status = status < 0 ? status : lay_out(x, &s, options, &vocab, &bpe_vocab, error);
    uint64_t needed = x->memory.peak;
    memset(&x->memory, 0, sizeof x->memory);
    status = status < 0 ? status : arena_open(&x->memory, needed, error);
    status = status < 0 ? status : lay_out(x, &s, options, &vocab, &bpe_vocab, error);
    if (status == GPT_OK) {
        copy(x, &s);
    }
    close_source(&s);
    return status;
}

/* ---- The indexes ----------------------------------------------------------------------------- */

static int open_index(text_index *index, const training_index *x, const text_sequence *q,
                      int alphabet_size, gpt_error *error) {
    int gap = x->gaps ? q->separator : -1;
    return text_index_open(index, text_sequence_symbols(q), q->end,
                           (uint32_t)(gap == alphabet_size ? alphabet_size + 1 : alphabet_size),
                           q->kept, gap, error);
}

const text_index *training_index_tokens(const training_index *x) {
    return x->token_index.text.at ? &x->token_index : &x->byte_index;
}

int training_index_open(training_index *x, const config *c, const tokenizer *from, const char *text,
                        size_t bytes, gpt_error *error) {
    memset(x, 0, sizeof *x);
    if (bytes > TRAINING_INDEX_BYTES_MAX) {
        return gpt_fail(error, GPT_E_TEXT_SIZE, "text", (double)bytes, TRAINING_INDEX_BYTES_MAX, 0);
    }
    int status = copy_text(x, c, from, text, bytes, error);
    status = status < 0 ? status : open_index(&x->byte_index, x, &x->bytes, 256, error);
    if (status == GPT_OK && x->tokenizer.kind != TOKENIZER_BYTE) {
        status = open_index(&x->token_index, x, &x->tokens, x->tokenizer.vocab, error);
    }
    if (status < 0) {
        training_index_close(x);
        return status;
    }
    ngram_open(&x->model, training_index_tokens(x), x->tokenizer.vocab,
               x->documents ? x->tokenizer.bos : -1, x->tokens.separator);
    return GPT_OK;
}

void training_index_close(training_index *x) {
    text_index_close(&x->byte_index);
    text_index_close(&x->token_index);
    arena_close(&x->memory);
    memset(x, 0, sizeof *x);
}

int training_index_step(training_index *x, gpt_error *error) {
    int status = text_index_step(&x->byte_index, error);
    bool shared = !x->token_index.text.at;
    return status != GPT_END || shared ? status : text_index_step(&x->token_index, error);
}

/* Whether byte `i` of the sequence `q` of bytes belongs to the held-out part (kept apart for
 * validation). */
static bool is_held_out(const training_index *x, const text_sequence *q, uint32_t i) {
    return x->documents
               ? ((const unsigned char *)q->at)[i] != '\n' && !text_index_is_kept(q->kept, i)
               : i >= q->end;
}

size_t training_index_held_out(const training_index *x, unsigned char *out, size_t capacity) {
    const text_sequence *q = &x->bytes;
    const unsigned char *text = q->at;
    size_t length = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        bool ends_line = x->documents && i && text[i] == '\n' && is_held_out(x, q, i - 1);
        if (!is_held_out(x, q, i) && !ends_line) {
            continue;
        }
        if (length == capacity) {
            while ((text[i] & 0xC0) == 0x80 && length) {
                length--;
                i--;
            }
            break;
        }
        out[length++] = text[i];
    }
    return length;
}

bool training_index_is_ready(const training_index *x) {
    return x->byte_index.ready && (!x->token_index.text.at || x->token_index.ready);
}

double training_index_progress(const training_index *x) {
    double share = x->token_index.end / ((double)x->byte_index.end + x->token_index.end);
    return training_index_is_ready(x) ? 1
                                      : (1 - share) * text_index_progress(&x->byte_index) +
                                            share * text_index_progress(&x->token_index);
}

uint64_t training_index_bytes(const training_index *x) {
    return sizeof *x + x->memory.capacity + text_index_bytes(&x->byte_index) +
           text_index_bytes(&x->token_index);
}
