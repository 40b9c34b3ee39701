/* dataset.c - see dataset.h. */
#include "train/dataset.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lines.h"
#include "tape/ops.h"
#include "train/left_out_parts.h"

/* The largest allowed mean number of draws of a random window until one contains no left-out token.
 * leave_out refuses a text that needs more draws, with the error GPT_E_LEFT_OUT_ALL, whose message
 * contains this number. */
enum { WINDOWS_PER_DRAW = 1000 };

/* An array for token ids. write_token, a token_sink, appends an id; ids beyond `capacity` are only
 * counted. */
typedef struct token_writer {
    uint16_t *tokens;
    uint64_t at, capacity;
} token_writer;

static void write_token(void *receiver, int id) {
    token_writer *w = receiver;
    if (w->at < w->capacity) {
        w->tokens[w->at] = (uint16_t)id;
    }
    w->at++;
}

static uint64_t count_lines(const char *text, size_t bytes) {
    uint64_t count = 0;
    text_line line = {0};
    while (lines_next(text, bytes, &line)) {
        count++;
    }
    return count;
}

static int fill_documents(dataset *d, encoder *e, const char *text, size_t bytes, token_writer *w,
                          gpt_error *error) {
    uint64_t document = 0;
    int status = GPT_OK;
    text_line line = {0};
    while (status == GPT_OK && lines_next(text, bytes, &line)) {
        d->start[document] = w->at;
        d->order[document] = (uint32_t)document;
        status = encoder_put(e, text + line.start, line.length, write_token, w, error);
        document++;
    }
    d->start[document] = w->at;
    return status;
}

/* Stores all tokens of the text in d->tokens. Errors: GPT_E_STATE if their number is not
 * d->token_count. */
static int fill(dataset *d, const char *text, size_t bytes, gpt_error *error) {
    token_writer w = {d->tokens, 0, d->token_count};
    encoder e = encoder_open(&d->tokenizer, bytes);
    int status = d->documents ? fill_documents(d, &e, text, bytes, &w, error)
                              : encoder_put(&e, text, bytes, write_token, &w, error);
    encoder_close(&e);
    if (status == GPT_OK && w.at != d->token_count) {
        // The cached counts are of another text that has the same digest. Somebody must have
        // constructed it: by chance this practically never happens.
        status = gpt_fail_name(error, GPT_E_STATE, "text");
    }
    return status;
}

/* Returns the number of training documents, of `documents` in all, if a fraction `share` (0 to 0.5)
 * is held out. */
static uint64_t train_share(uint64_t documents, double share) {
    return documents - (uint64_t)((double)documents * share);
}

/* Returns a bitmap with one bit for each of the `lines` lines (documents): 1 if the line is held
 * out under the recipe `c`. The caller frees the bitmap. NULL if nothing is held out, and NULL with
 * error->status < 0 on failure. */
static unsigned char *held_out_lines(const config *c, uint64_t lines, gpt_error *error) {
    uint64_t first = train_share(lines, c->value[OPT_VALIDATION]);
    if (first == lines) {
        return NULL;
    }
    dataset shuffled = {.documents = true, .document_count = lines};
    unsigned char *bits = calloc((size_t)(lines / 8 + 1), 1);
    shuffled.order = malloc((size_t)(lines + 1) * sizeof *shuffled.order);
    if (bits && shuffled.order) {
        rng stream = rng_from_seed((uint64_t)c->value[OPT_SEED]);
        dataset_shuffle(&shuffled, &stream);
        for (uint64_t i = first; i < lines; i++) {
            bits[shuffled.order[i] / 8] |= (unsigned char)(1u << shuffled.order[i] % 8);
        }
    } else {
        free(bits);
        bits = NULL;
        (void)gpt_fail_allocation(error, lines * sizeof *shuffled.order);
    }
    free(shuffled.order);
    return bits;
}

/* Opens the tokenizer. A BPE vocabulary is learned from the training part alone: otherwise the
 * held-out text would influence the merges, and its loss would be too low. */
static int open_tokenizer(dataset *d, const config *c, const vocabulary *vocab,
                          bpe_source *bpe_vocab, const char *text, size_t bytes, arena *memory,
                          text_counts *counts, gpt_error *error) {
    tokenizer_options options = tokenizer_options_of(c);
    unsigned char *lines = NULL;
    if (options.kind == TOKENIZER_BPE && !d->documents) {
        options.held_out_bytes = (uint64_t)((double)bytes * c->value[OPT_VALIDATION]);
    } else if (options.kind == TOKENIZER_BPE && bpe_vocab && !bpe_vocab->from_files &&
               d->document_count <= UINT32_MAX) {
        gpt_error refused = {0};
        lines = held_out_lines(c, d->document_count, &refused);
        if (refused.status < 0) {
            return gpt_fail(error, refused.status, "", refused.value[0], 0, 0);
        }
        options.held_out_lines = lines;
        options.held_out_hash = lines
                                    ? hash_fnv1a((char *)lines, (size_t)(d->document_count / 8 + 1))
                                    : 0;
    }
    int status = tokenizer_open(&d->tokenizer, options, vocab, bpe_vocab, text, bytes, memory,
                                counts, error);
    free(lines);
    return status;
}

/* Sets d->left_out_documents to the number of documents that are left out but not held out. */
static int count_left_out_documents(dataset *d, const config *c, gpt_error *error) {
    gpt_error refused = {0};
    unsigned char *held_out = held_out_lines(c, d->document_count, &refused);
    if (refused.status < 0) {
        return gpt_fail(error, refused.status, "", refused.value[0], 0, 0);
    }
    for (uint32_t i = 0; i < d->left_out.count; i++) {
        for (uint32_t at = d->left_out.ranges[i].from; at < d->left_out.ranges[i].to; at++) {
            d->left_out_documents += !held_out || !(held_out[at / 8] >> at % 8 & 1);
        }
    }
    free(held_out);
    return GPT_OK;
}

/* Number of windows of the training part, overlapping ones included, that contain no left-out
 * token. */
static uint64_t count_windows(const dataset *d) {
    uint64_t starts = d->train_tokens - (uint64_t)d->context, count = 0, from = 0;
    for (uint32_t i = 0; i < d->left_out.count && from < starts; i++) {
        uint64_t first = d->left_out.ranges[i].from, context = (uint64_t)d->context;
        // The windows that begin at tokens from..to-1 end before `first`, the next left-out token.
        uint64_t to = first > context ? first - context : 0;
        to = to < starts ? to : starts;
        count += to > from ? to - from : 0;
        from = d->left_out.ranges[i].to;
    }
    return count + (starts > from ? starts - from : 0);
}

/* Converts the left-out bytes of the recipe to left-out tokens or documents. Errors:
 * GPT_E_LEFT_OUT_ALL if too little training text remains: no document, or less than one in
 * WINDOWS_PER_DRAW windows. */
static int leave_out(dataset *d, const config *c, const char *text, size_t bytes,
                     gpt_error *error) {
    int status = left_out_parts(&d->left_out, &c->left_out, &d->tokenizer, d->documents, text,
                                bytes, error);
    status = status < 0 || !d->documents ? status : count_left_out_documents(d, c, error);
    if (status < 0) {
        return status;
    }
    uint64_t all = d->train_documents, remain = all - d->left_out_documents;
    if (!d->documents) {
        all = d->train_tokens - (uint64_t)d->context;
        remain = count_windows(d);
    }
    d->train_documents -= d->left_out_documents;
    bool enough = d->documents ? remain : remain * WINDOWS_PER_DRAW >= all;
    return enough ? GPT_OK
                  : gpt_fail(error, GPT_E_LEFT_OUT_ALL, "", (double)remain, (double)all, 0);
}

/* Splits the text into a training part and a held-out part, which is the fraction `share` of the
 * text. The held-out part of a stream is empty if either part would be shorter than a window, which
 * has context + 1 tokens. */
static void split(dataset *d, double share, const text_counts *counts) {
    if (d->documents) {
        d->train_documents = train_share(d->document_count, share);
        d->train_tokens = d->token_count;
        return;
    }
    // For BPE, the held-out part is a share of the bytes, not of the tokens: the vocabulary is
    // learned from the training part, so the text must be split before it has tokens.
    uint64_t held_out = d->tokenizer.kind == TOKENIZER_BPE
                            ? counts->held_out
                            : (uint64_t)((double)d->token_count * share);
    uint64_t window = (uint64_t)d->context + 1;
    bool enough = held_out >= window && d->token_count - held_out >= window;
    d->train_tokens = d->token_count - (enough ? held_out : 0);
}

int dataset_open(dataset *d, const config *c, const vocabulary *vocab, bpe_source *bpe_vocab,
                 const char *text, size_t bytes, arena *memory, gpt_error *error) {
    memset(d, 0, sizeof *d);
    d->documents = config_int(c, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS;
    d->context = config_int(c, OPT_CONTEXT);
    d->document_count = d->documents ? count_lines(text, bytes) : 0;
    text_counts counts = {0};
    int status = open_tokenizer(d, c, vocab, bpe_vocab, text, bytes, memory, &counts, error);
    if (status < 0 || (vocab && !text)) {
        return status;
    }
    d->token_count = counts.tokens;
    d->invalid_bytes = counts.invalid_bytes;
    d->cut_documents = counts.cut_documents;
    d->cut_tokens = counts.cut_tokens;
    if (d->token_count == 0) {
        return gpt_fail_name(error, GPT_E_EMPTY, "text");
    }
    d->tokens = arena_alloc(memory, d->token_count, sizeof *d->tokens);
    bool taken = d->tokens != NULL;
    if (d->documents) {
        if (d->document_count > UINT32_MAX) {
            return gpt_fail(error, GPT_E_TEXT_SIZE, "text", (double)bytes, UINT32_MAX, 0);
        }
        d->start = arena_alloc(memory, d->document_count + 1, sizeof *d->start);
        d->order = arena_alloc(memory, d->document_count, sizeof *d->order);
        taken = taken && d->start && d->order;
    } else if (d->token_count < (uint64_t)d->context + 1) {
        return gpt_fail(error, GPT_E_SHORT, "text", (double)d->token_count, d->context,
                        d->context + 1);
    }
    if (!taken) {
        return arena_fail(memory, error);
    }
    status = memory->measuring ? GPT_OK : fill(d, text, bytes, error);
    split(d, c->value[OPT_VALIDATION], &counts);
    return status < 0 || !c->left_out.count ? status : leave_out(d, c, text, bytes, error);
}

/* Position of the first held-out document in the shuffled order. */
static uint64_t first_held_out(const dataset *d) {
    return d->train_documents + d->left_out_documents;
}

void dataset_shuffle(dataset *d, rng *r) {
    if (d->documents) {
        for (uint32_t i = 0; i < d->document_count; i++) {
            d->order[i] = i;
        }
        rng_shuffle(r, d->order, (size_t)d->document_count);
    }
    uint64_t end = d->left_out_documents ? first_held_out(d) : 0, kept = 0;
    for (uint64_t i = 0; i < end; i++) {
        uint32_t document = d->order[i];
        if (!left_out_touches(&d->left_out, document, document + 1)) {
            d->order[i] = d->order[kept];
            d->order[kept++] = document;
        }
    }
}

int dataset_document_length(const dataset *d, uint64_t i) {
    uint32_t document = d->order[i];
    uint64_t length = d->start[document + 1] - d->start[document] + 1;
    return length < (uint64_t)d->context ? (int)length : d->context;
}

/* Fills a row with the document at position `i` of the shuffled order: inputs BOS + text, targets
 * text + BOS, padded to b->T. */
static void put_document(const dataset *d, batch *b, int row, uint64_t i) {
    uint32_t document = d->order[i];
    const uint16_t *text = d->tokens + d->start[document];
    uint64_t size = d->start[document + 1] - d->start[document];
    int length = dataset_document_length(d, i);
    int32_t *in = b->inputs + (size_t)row * (size_t)b->T;
    int32_t *target = b->targets + (size_t)row * (size_t)b->T;
    for (int t = 0; t < b->T; t++) {
        in[t] = t == 0 || t >= length ? d->tokenizer.bos : text[t - 1];
        target[t] = t >= length ? NO_TARGET : (uint64_t)t < size ? text[t] : d->tokenizer.bos;
    }
    b->targets_count += length;
}

static void put_window(const dataset *d, batch *b, int row, uint64_t start) {
    const uint16_t *text = d->tokens + start;
    for (int t = 0; t < b->T; t++) {
        b->inputs[(size_t)row * (size_t)b->T + (size_t)t] = text[t];
        b->targets[(size_t)row * (size_t)b->T + (size_t)t] = text[t + 1];
    }
    b->targets_count += b->T;
}

void dataset_sequence(const dataset *d, batch *b, int row, uint64_t begin) {
    if (d->documents) {
        put_document(d, b, row, begin);
    } else {
        put_window(d, b, row, begin);
    }
}

/* Draws windows of the training part until one contains no left-out token. Returns the index in
 * d->tokens of the first token of that window. */
static uint64_t draw_window(const dataset *d, rng *r) {
    uint64_t context = (uint64_t)d->context, start;
    double starts = (double)(d->train_tokens - context);
    do {
        start = (uint64_t)(rng_uniform(r) * starts);
    } while (left_out_touches(&d->left_out, start, start + context + 1));
    return start;
}

void dataset_batch(const dataset *d, batch *b, uint64_t first, int B, rng *r) {
    b->B = B;
    b->targets_count = 0;
    if (!d->documents) {
        b->T = d->context;
        for (int row = 0; row < B; row++) {
            put_window(d, b, row, draw_window(d, r));
        }
        return;
    }
    b->T = 0;
    for (uint64_t row = 0; row < (uint64_t)B; row++) {
        int length = dataset_document_length(d, (first + row) % d->train_documents);
        b->T = length > b->T ? length : b->T;
    }
    for (int row = 0; row < B; row++) {
        put_document(d, b, row, (first + (uint64_t)row) % d->train_documents);
    }
}

/* Whether `byte` is a continuation byte of UTF-8 (RFC 3629). */
static bool continues(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

/* Number of characters that begin in token `id`: bytes that are not UTF-8 continuation bytes. */
static uint64_t characters_of(const dataset *d, int id) {
    unsigned char bytes[TOKEN_BYTES_MAX];
    int count = tokenizer_bytes(&d->tokenizer, id, bytes);
    uint64_t characters = 0;
    for (int i = 0; i < count; i++) {
        characters += !continues(bytes[i]);
    }
    return characters;
}

/* Examines the cut of a document of `size` tokens, from token `start` on, after `length` tokens. If
 * the cut divides a character, returns the share of the bytes of this character that are before the
 * cut, 0 to 1; otherwise returns 1. */
static double part_before_cut(const dataset *d, uint64_t start, uint64_t length, uint64_t size) {
    unsigned char bytes[TOKEN_BYTES_MAX];
    int behind = 0, before = 0;
    for (uint64_t t = length; t < size; t++) {
        int count = tokenizer_bytes(&d->tokenizer, d->tokens[start + t], bytes), i = 0;
        while (i < count && continues(bytes[i])) {
            i++;
        }
        behind += i;
        if (i < count) {
            break;
        }
    }
    for (uint64_t t = length; behind && t-- > 0;) {
        for (int i = tokenizer_bytes(&d->tokenizer, d->tokens[start + t], bytes); i-- > 0;) {
            before++;
            if (!continues(bytes[i])) {
                return (double)before / (double)(before + behind);
            }
        }
    }
    return 1;
}

double dataset_tokens_per_character(const dataset *d, bool held_out) {
    uint64_t targets = 0, characters = 0;
    // each character that a cut divides adds the share of its bytes after the cut, 0 to 1
    double cut = 0;
    if (d->documents) {
        uint64_t first = held_out ? first_held_out(d) : 0;
        uint64_t end = held_out ? d->document_count : d->train_documents;
        for (uint64_t i = first; i < end; i++) {
            uint64_t start = d->start[d->order[i]];
            uint64_t size = d->start[d->order[i] + 1] - start;
            uint64_t length = (uint64_t)dataset_document_length(d, i);
            for (uint64_t t = 0; t < length && t < size; t++) {
                characters += characters_of(d, d->tokens[start + t]);
            }
            characters += length > size;
            cut += 1 - part_before_cut(d, start, length, size);
            targets += length;
        }
    } else {
        uint64_t end = held_out ? d->token_count : d->train_tokens;
        for (uint64_t i = held_out ? d->train_tokens : 0; i < end; i++) {
            if (held_out || !left_out_touches(&d->left_out, i, i + 1)) {
                characters += characters_of(d, d->tokens[i]);
                targets++;
            }
        }
    }
    return characters ? (double)targets / ((double)characters - cut) : __builtin_nan("");
}

uint64_t dataset_left_out(const dataset *d) {
    uint64_t count = d->left_out_documents;
    for (uint32_t i = 0; !d->documents && i < d->left_out.count; i++) {
        left_out_range part = d->left_out.ranges[i];
        uint64_t to = part.to < d->train_tokens ? part.to : d->train_tokens;
        count += to > part.from ? to - part.from : 0;
    }
    return count;
}

uint64_t dataset_held_out(const dataset *d) {
    if (d->documents) {
        return d->document_count - first_held_out(d);
    }
    uint64_t held_out = d->token_count - d->train_tokens;
    return held_out ? (held_out - 1) / (uint64_t)d->context : 0;
}

/* Appends the bytes of the tokens first..end-1 to the *length bytes in `out` and adds their number
 * to *length. Returns false if a token does not fit into `capacity` bytes, the size of `out`; only
 * the tokens before it are appended then. */
static bool put_bytes(const dataset *d, uint64_t first, uint64_t end, unsigned char *out,
                      size_t capacity, size_t *length) {
    unsigned char bytes[TOKEN_BYTES_MAX];
    for (uint64_t i = first; i < end; i++) {
        size_t count = (size_t)tokenizer_bytes(&d->tokenizer, d->tokens[i], bytes);
        if (count > capacity - *length) {
            return false;
        }
        memcpy(out + *length, bytes, count);
        *length += count;
    }
    return true;
}

size_t dataset_held_out_text(const dataset *d, unsigned char *out, size_t capacity) {
    size_t length = 0;
    if (!d->documents) {
        (void)put_bytes(d, d->train_tokens, d->token_count, out, capacity, &length);
        return length;
    }
    for (uint64_t i = first_held_out(d); i < d->document_count; i++) {
        uint32_t document = d->order[i];
        if (!put_bytes(d, d->start[document], d->start[document + 1], out, capacity, &length) ||
            length == capacity) {
            break;
        }
        out[length++] = '\n';
    }
    return length;
}

void dataset_held_out_batch(const dataset *d, batch *b, uint64_t first, uint64_t stride, int B) {
    uint64_t count = dataset_held_out(d);
    b->B = 0;
    b->T = d->documents ? 0 : d->context;
    b->targets_count = 0;
    for (uint64_t i = first; i < count && b->B < B; i += stride) {
        b->B++;
        if (d->documents) {
            int length = dataset_document_length(d, first_held_out(d) + i);
            b->T = length > b->T ? length : b->T;
        }
    }
    for (int row = 0; row < b->B; row++) {
        uint64_t i = first + (uint64_t)row * stride;
        dataset_sequence(d, b, row,
                         d->documents ? first_held_out(d) + i
                                      : d->train_tokens + i * (uint64_t)d->context);
    }
}
