/* tokenizer_bpe.c - encodes a text with a BPE vocabulary. See tokenizer.h.
 *
 * A text is split into words (pretokenizer.h), and each word is encoded independently (bpe.h). Most
 * words of a text repeat, so a cache stores the ids of words. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lines.h"
#include "text/bpe_learn.h"
#include "text/pretokenizer.h"
#include "text/tokenizer.h"

/* ---- The vocabulary -------------------------------------------------------------------------- */

int bpe_source_read(bpe_source *s, const bpe_texts *from, gpt_error *error) {
    bpe_source read = {.from_files = true};
    int status = bpe_read(&read.bpe, &read.memory, from, error);
    if (status < 0) {
        bpe_source_close(&read);
        return status;
    }
    bpe_source_close(s);
    *s = read;
    return GPT_OK;
}

void bpe_source_close(bpe_source *s) {
    arena_close(&s->memory);
    memset(s, 0, sizeof *s);
}

void tokenizer_write_vocab(const tokenizer *k, text_buffer *out) {
    bpe_write_vocab(k->kind == TOKENIZER_BPE ? &k->bpe : NULL, k->bos, out);
}

void tokenizer_write_merges(const tokenizer *k, text_buffer *out) {
    bpe_write_merges(k->kind == TOKENIZER_BPE ? &k->bpe : NULL, out);
}

/* Counts all tokens of a text, and the tokens that begin in its held-out end. */
typedef struct token_counter {
    const tokenizer *tokenizer;
    uint64_t tokens, held_out;
    uint64_t at, from; /* number of bytes read; offset of the first held-out byte */
} token_counter;

static void count_token(void *receiver, int id) {
    token_counter *c = receiver;
    unsigned char bytes[TOKEN_BYTES_MAX];
    c->tokens++;
    c->held_out += c->at >= c->from;
    c->at += id == c->tokenizer->bos ? strlen(BPE_END_OF_TEXT)
                                     : (uint64_t)tokenizer_bytes(c->tokenizer, id, bytes);
}

/* Returns the number of bytes that are not valid UTF-8. */
static uint64_t invalid_bytes(const char *text, size_t bytes) {
    uint64_t count = 0;
    for (size_t at = 0; at < bytes;) {
        utf8_symbol s = utf8_next((const unsigned char *)text + at, bytes - at);
        count += !s.valid;
        at += (size_t)s.length;
    }
    return count;
}

static int count_text(const tokenizer *k, tokenizer_options options, const char *text, size_t bytes,
                      text_counts *counts, gpt_error *error) {
    encoder e = encoder_open(k, bytes);
    token_counter c = {.tokenizer = k, .from = bytes - options.held_out_bytes};
    int status = GPT_OK;
    if (options.documents) {
        text_line line = {0};
        while (status == GPT_OK && lines_next(text, bytes, &line)) {
            uint64_t before = c.tokens;
            status = encoder_put(&e, text + line.start, line.length, count_token, &c, error);
            text_counts_document(counts, c.tokens - before, options.context);
        }
    } else {
        status = encoder_put(&e, text, bytes, count_token, &c, error);
    }
    encoder_close(&e);
    counts->tokens = c.tokens;
    counts->held_out = c.held_out;
    counts->invalid_bytes = invalid_bytes(text, bytes);
    return status;
}

/* Learns a vocabulary from the text, unless the vocabulary of `s` comes from files or was learned
 * from the same text with the same options. */
static int prepare(bpe_source *s, tokenizer_options options, text_digest digest, const char *text,
                   size_t bytes, gpt_error *error) {
    bool known = s->from_files || (s->learned && digest_same(s->text, digest) &&
                                   s->options.documents == options.documents &&
                                   s->options.vocabulary == options.vocabulary &&
                                   s->options.held_out_bytes == options.held_out_bytes &&
                                   s->options.held_out_hash == options.held_out_hash);
    if (known) {
        return GPT_OK;
    }
    bpe_source_close(s);
    int status = bpe_learn(&s->bpe, &s->memory, options.vocabulary, options.documents, text,
                           bytes - (size_t)options.held_out_bytes, options.held_out_lines, error);
    if (status < 0) {
        bpe_source_close(s);
        return status;
    }
    s->learned = true;
    return GPT_OK;
}

static bool has_holes(const bpe *b) {
    for (int id = 0; id < b->size; id++) {
        if (b->start[id + 1] == b->start[id]) {
            return true;
        }
    }
    return false;
}

int tokenizer_bpe_open(tokenizer *k, tokenizer_options options, int rows, bpe_source *bpe_vocab,
                       const char *text, size_t bytes, arena *memory, text_counts *counts,
                       gpt_error *error) {
    if (!bpe_vocab) {
        return gpt_fail_name(error, GPT_E_ARGUMENT, "bpe_vocab");
    }
    text_digest digest = digest_of(text, bytes);
    int status = prepare(bpe_vocab, options, digest, text, bytes, error);
    status = status < 0 ? status : bpe_copy(&k->bpe, &bpe_vocab->bpe, memory, error);
    if (status < 0) {
        return status;
    }
    if (memory->measuring) {
        k->bpe = bpe_vocab->bpe; // an arena that only counts bytes has no data
    }
    int size = k->bpe.size;
    k->bos = k->bpe.end_of_text >= 0 ? k->bpe.end_of_text : options.documents ? size : -1;
    k->specials = options.specials && k->bos >= 0;
    k->vocab = k->bos == size ? size + 1 : size;
    if (k->vocab > VOCABULARY_MAX) {
        return gpt_fail(error, GPT_E_BPE_ID, "vocab.json", size - 1, VOCABULARY_MAX - 2, 0);
    }
    if (rows && rows < k->vocab) {
        return gpt_fail(error, GPT_E_VOCABULARY_SIZE, "", rows, k->vocab, 0);
    }
    k->holes = rows > k->vocab || has_holes(&k->bpe);
    k->vocab = rows ? rows : k->vocab;
    bool known = bpe_vocab->counted && digest_same(bpe_vocab->text, digest) &&
                 bpe_vocab->options.documents == options.documents &&
                 bpe_vocab->options.context == options.context &&
                 bpe_vocab->options.held_out_bytes == options.held_out_bytes &&
                 bpe_vocab->options.specials == options.specials;
    if (!known) {
        bpe_vocab->counts = (text_counts){0};
        bpe_vocab->counted = false;
        status = count_text(k, options, text, bytes, &bpe_vocab->counts, error);
        if (status < 0) {
            return status;
        }
    }
    bpe_vocab->counted = true;
    bpe_vocab->text = digest;
    bpe_vocab->options = options;
    bpe_vocab->options.held_out_lines = NULL; // borrowed for this call only
    *counts = bpe_vocab->counts;
    return GPT_OK;
}

/* ---- Text to ids ----------------------------------------------------------------------------- */

enum {
    CACHE_BITS = 14,
    CACHED_BYTES = 40, /* words of more bytes rarely repeat and are not cached */
    CACHED_IDS = 12,
    CACHE_WORTH_BYTES = 4096, /* texts of fewer bytes are encoded without a cache */
};

typedef struct cached_word {
    const unsigned char *bytes; /* borrowed from an encoded text; NULL: empty entry */
    uint8_t length, count;
    uint16_t ids[CACHED_IDS];
} cached_word;

/* Direct-mapped cache: a new word replaces the word with the same hash. */
struct word_cache {
    cached_word words[1 << CACHE_BITS];
};

encoder encoder_open(const tokenizer *k, size_t bytes) {
    encoder e = {.tokenizer = k};
    if (k->kind == TOKENIZER_BPE && bytes >= CACHE_WORTH_BYTES) {
        e.cache = calloc(1, sizeof *e.cache); // without the cache, encoding is only slower
    }
    return e;
}

void encoder_close(encoder *e) {
    free(e->cache);
    free(e->scratch);
    memset(e, 0, sizeof *e);
}

static void pass_ids(const uint16_t *ids, size_t count, token_sink *sink, void *receiver) {
    for (size_t i = 0; i < count; i++) {
        sink(receiver, ids[i]);
    }
}

/* Encodes a word of more than BPE_SHORT_WORD bytes, with scratch memory in e->scratch. Errors:
 * GPT_E_ALLOCATION. */
static int put_long(encoder *e, const unsigned char *word, size_t count, token_sink *sink,
                    void *receiver, gpt_error *error) {
    uint64_t merging = bpe_scratch_bytes(count); // a multiple of 8; the ids are written after it
    uint64_t needed = merging + (uint64_t)count * sizeof(uint16_t);
    if (needed > e->scratch_bytes) {
        free(e->scratch);
        e->scratch = needed <= SIZE_MAX ? malloc((size_t)needed) : NULL;
        e->scratch_bytes = e->scratch ? needed : 0;
        // bpe_merge_word stores positions in 32 bits, so longer words fail.
        if (!e->scratch || count >= UINT32_MAX) {
            return gpt_fail_allocation(error, needed);
        }
    }
    uint16_t *ids = (uint16_t *)((unsigned char *)e->scratch + merging);
    size_t tokens = bpe_merge_word(&e->tokenizer->bpe, word, count, ids, e->scratch);
    pass_ids(ids, tokens, sink, receiver);
    return GPT_OK;
}

static int put_word(encoder *e, const unsigned char *word, size_t count, token_sink *sink,
                    void *receiver, gpt_error *error) {
    const bpe *table = &e->tokenizer->bpe;
    if (count == 1) {
        sink(receiver, table->byte_id[word[0]]);
        return GPT_OK;
    }
    if (count > BPE_SHORT_WORD) {
        return put_long(e, word, count, sink, receiver, error);
    }
    cached_word *known = NULL;
    if (e->cache && count <= CACHED_BYTES) {
        uint64_t hash = hash_fnv1a((const char *)word, count);
        known = &e->cache->words[(hash ^ hash >> 32) & ((1u << CACHE_BITS) - 1)];
        if (known->bytes && known->length == count && memcmp(known->bytes, word, count) == 0) {
            pass_ids(known->ids, known->count, sink, receiver);
            return GPT_OK;
        }
    }
    uint16_t ids[BPE_SHORT_WORD];
    size_t tokens = bpe_merge_word(table, word, count, ids, NULL);
    if (known && tokens <= CACHED_IDS) {
        known->bytes = word;
        known->length = (uint8_t)count;
        known->count = (uint8_t)tokens;
        memcpy(known->ids, ids, tokens * sizeof *ids);
    }
    pass_ids(ids, tokens, sink, receiver);
    return GPT_OK;
}

/* Returns the number of bytes before the next <|endoftext|> in `text`; `bytes` if none occurs. */
static size_t before_special(const char *text, size_t bytes) {
    size_t length = strlen(BPE_END_OF_TEXT);
    for (size_t at = 0; bytes - at >= length; at++) {
        const char *found = memchr(text + at, BPE_END_OF_TEXT[0], bytes - at - length + 1);
        if (!found) {
            break;
        }
        at = (size_t)(found - text);
        if (memcmp(found, BPE_END_OF_TEXT, length) == 0) {
            return at;
        }
    }
    return bytes;
}

int encoder_put_bpe(encoder *e, const char *text, size_t bytes, token_sink *sink, void *receiver,
                    gpt_error *error) {
    while (bytes) {
        size_t plain = e->tokenizer->specials ? before_special(text, bytes) : bytes;
        for (size_t at = 0; at < plain;) {
            const unsigned char *word = (const unsigned char *)text + at;
            size_t count = pretokenizer_word(word, plain - at);
            int status = put_word(e, word, count, sink, receiver, error);
            if (status < 0) {
                return status;
            }
            at += count;
        }
        text += plain;
        bytes -= plain;
        if (bytes) {
            sink(receiver, e->tokenizer->bos);
            text += strlen(BPE_END_OF_TEXT);
            bytes -= strlen(BPE_END_OF_TEXT);
        }
    }
    return GPT_OK;
}
