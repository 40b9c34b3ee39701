/* test_trace.c - the index of a run's training text against plain searches and counts: matches,
 * places, lines, n-gram models and baselines, for streams and documents, with held-out and
 * left-out parts. */
#include <stdlib.h>

#include "base/lines.h"
#include "base/numeric.h"
#include "check.h"
#include "train/dataset.h"
#include "train/text_matches.h"
#include "train/baselines.h"

enum { TEXTS = 400, LENGTH_MAX = 200, CONTEXT = 8 };

/* A text, the dataset that a trainer makes from it, and the index of its training part. */
typedef struct bench {
    char *text;
    size_t bytes;
    config recipe;
    bpe_source bpe_vocab;
    arena memory;
    dataset data;
    training_index index;
    unsigned char *trained; /* (bytes) 1 if training reads the byte, else 0 */
    size_t end;             /* byte at which a stream's training part ends; 0 for documents */
} bench;

static uint32_t below(rng *r, uint32_t limit) {
    return (uint32_t)(rng_uniform(r) * limit);
}

/* True if the recipe of text number `number` has byte ranges that training never reads (left
 * out). */
static bool leaves_out(uint32_t number) {
    return number / 12 % 2;
}

/* Makes text number `number`: random lines of a few letters, characters of several bytes and
 * carriage returns, and empty lines. Texts without left-out ranges may contain the byte 0xFF; the
 * index does not accept both together. */
static void make_text(bench *b, uint32_t number, rng *r) {
    static const char *const PIECES[] = {"a",    "b",        "ab", "\n",   "\n",           "c",
                                         "\r\n", "\xC3\xA9", "\r", "\xFF", "\xE8\xB4\x9D", "abc\n"};
    uint32_t kinds = 4 + below(r, leaves_out(number) ? 5 : 9);
    b->text = malloc(LENGTH_MAX + 8);
    size_t wanted = 40 + below(r, LENGTH_MAX - 40);
    for (b->bytes = 0; b->bytes < wanted;) {
        const char *piece = PIECES[below(r, kinds)];
        memcpy(b->text + b->bytes, piece, strlen(piece));
        b->bytes += strlen(piece);
    }
    b->text = realloc(b->text, b->bytes); // the sanitizer reports a read beyond it
}

static void set_recipe(bench *b, uint32_t number, rng *r) {
    CHECK_INT(config_from_preset(&b->recipe, "microgpt", NULL), GPT_OK);
    b->recipe.value[OPT_TOKENIZER] = number % 3;
    b->recipe.value[OPT_SEQUENCES] = number / 3 % 2;
    b->recipe.value[OPT_VOCABULARY] = 260;
    b->recipe.value[OPT_CONTEXT] = CONTEXT;
    b->recipe.value[OPT_VALIDATION] = number / 6 % 2 ? 0.3 : 0;
    b->recipe.value[OPT_SEED] = below(r, 1000);
    for (int i = 0; leaves_out(number) && i < 3; i++) {
        uint32_t from = below(r, (uint32_t)b->bytes - 6);
        CHECK(left_out_add(&b->recipe.left_out, from, from + 1 + below(r, 6)));
    }
}

/* Sets bench.trained and bench.end from the dataset, independently of the index. */
static void mark_trained(bench *b) {
    const dataset *d = &b->data;
    b->trained = calloc(b->bytes + 1, 1);
    if (d->documents) {
        text_line line = {0};
        for (uint32_t i = 0; lines_next(b->text, b->bytes, &line); i++) {
            bool trained = false;
            for (uint64_t k = 0; k < d->train_documents; k++) trained |= d->order[k] == i;
            memset(b->trained + line.start, trained, line.length);
        }
        return;
    }
    unsigned char token[TOKEN_BYTES_MAX];
    for (uint64_t i = 0; i < d->train_tokens; i++) {
        size_t length = (size_t)tokenizer_bytes(&d->tokenizer, d->tokens[i], token), from = b->end;
        const left_out *set = &b->recipe.left_out;
        bool read = true;
        for (uint32_t k = 0; k < set->count; k++) {
            read = read && (set->ranges[k].to <= from || set->ranges[k].from >= from + length);
        }
        b->end += length;
        memset(b->trained + from, read, length);
    }
}

static bool open_bench(bench *b, uint32_t number) {
    rng r = rng_from_mixed_seed(number);
    memset(b, 0, sizeof *b);
    make_text(b, number, &r);
    set_recipe(b, number, &r);
    arena measuring;
    arena_open_measuring(&measuring);
    gpt_error error = {0};
    int status = dataset_open(&b->data, &b->recipe, NULL, &b->bpe_vocab, b->text, b->bytes,
                              &measuring, &error);
    if (status == GPT_E_LEFT_OUT_ALL) { // nothing is left for training
        b->recipe.left_out.count = 0;
        status = dataset_open(&b->data, &b->recipe, NULL, &b->bpe_vocab, b->text, b->bytes,
                              &measuring, &error);
    }
    if (!CHECK_INT(status, GPT_OK)) return false;
    CHECK_INT(arena_open(&b->memory, measuring.peak, NULL), GPT_OK);
    CHECK_INT(dataset_open(&b->data, &b->recipe, NULL, &b->bpe_vocab, b->text, b->bytes, &b->memory,
                           NULL),
              GPT_OK);
    rng stream = rng_from_seed((uint64_t)b->recipe.value[OPT_SEED]);
    dataset_shuffle(&b->data, &stream);
    mark_trained(b);
    status = training_index_open(&b->index, &b->recipe, &b->data.tokenizer, b->text, b->bytes,
                                 NULL);
    if (!CHECK_INT(status, GPT_OK)) return false;
    while ((status = training_index_step(&b->index, NULL)) == GPT_OK) {}
    CHECK(status == GPT_END && training_index_is_ready(&b->index));
    CHECK(training_index_progress(&b->index) == 1);
    return true;
}

static void close_bench(bench *b) {
    training_index_close(&b->index);
    bpe_source_close(&b->bpe_vocab);
    arena_close(&b->memory);
    free(b->text);
    free(b->trained);
}

/* Returns the length of the longest prefix of a query that occurs at `place` of the training text.
 * In documents no match contains a line break. */
static uint32_t common(const bench *b, size_t place, const char *query, size_t count) {
    uint32_t length = 0;
    while (length < count && place + length < b->bytes && b->trained[place + length] &&
           b->text[place + length] == query[length] &&
           !(b->data.documents && query[length] == '\n')) {
        length++;
    }
    return length;
}

/* Returns a query of pieces of the training and the held-out text, each followed by a random byte;
 * the caller frees it. */
static char *make_query(const bench *b, rng *r, size_t *bytes) {
    char *query = malloc(100);
    *bytes = 0;
    while (*bytes < 60) {
        size_t from = below(r, (uint32_t)b->bytes), count = 1 + below(r, 20);
        count = count < b->bytes - from ? count : b->bytes - from;
        memcpy(query + *bytes, b->text + from, count);
        *bytes += count;
        query[(*bytes)++] = "ab\n\xA9\xFF"[below(r, 5)];
    }
    return realloc(query, *bytes);
}

static void test_lengths(void) {
    TEST("matching statistics equal those of a plain search of the training text") {
        for (uint32_t number = 0; number < TEXTS; number++) {
            bench b;
            if (!open_bench(&b, number)) break;
            rng r = rng_from_mixed_seed(number + 5000);
            size_t bytes;
            char *query = make_query(&b, &r, &bytes);
            uint32_t from = below(&r, LENGTH_MAX), to = from + below(&r, 50);
            text_reader reader = text_reader_open(&b.index, query, bytes, (text_span){from, to});
            for (size_t at = 0; at < bytes; at++) {
                uint32_t longest = 0;
                for (size_t i = 0; i < b.bytes; i++) {
                    uint32_t length = i >= from && i < to ? 0
                                                          : common(&b, i, query + at, bytes - at);
                    longest = length > longest ? length : longest;
                }
                CHECK_INT(reader.longest.length, longest);
                int32_t place = text_reader_place(&reader);
                CHECK(longest ? common(&b, (size_t)place, query + at, bytes - at) == longest
                              : place == -1);
                text_reader_skip(&reader, 1);
            }
            free(query);
            close_bench(&b);
        }
    }
}

/* ---- Maximal matches, places, lines ---------------------------------------------------------- */

/* Counts the occurrences of `text` in the training text by trying every place; `first` receives the
 * first place of an occurrence, if any. */
static uint32_t count_plainly(const bench *b, const char *text, size_t bytes, uint32_t *first) {
    uint32_t count = 0;
    for (size_t i = 0; i < b->bytes; i++) {
        bool here = common(b, i, text, bytes) == bytes;
        *first = here && !count ? (uint32_t)i : *first;
        count += here;
    }
    return count;
}

/* True if a character begins at byte `at`, or if the text ends there. */
static bool is_boundary(const char *text, size_t bytes, size_t at) {
    size_t i = 0;
    while (i < at) i += (size_t)utf8_next((const unsigned char *)text + i, bytes - i).length;
    return i == at;
}

/* Returns the bytes of the longest match with the training text that begins at byte `at` of `text`
 * and ends between characters. */
static uint32_t match_length(const bench *b, const char *text, size_t bytes, size_t at) {
    uint32_t longest = 0;
    for (size_t i = 0; i < b->bytes; i++) {
        uint32_t length = common(b, i, text + at, bytes - at);
        while (!is_boundary(text, bytes, at + length)) length--;
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void test_maximal_matches(void) {
    TEST("the finder returns every maximal match between characters, with first place and count") {
        for (uint32_t number = 0; number < TEXTS; number++) {
            bench b;
            if (!open_bench(&b, number)) break;
            rng r = rng_from_mixed_seed(number + 6000);
            size_t bytes, end = 0;
            char *query = make_query(&b, &r, &bytes);
            uint32_t least = 1 + number % 4;
            match_finder finder = match_finder_open(&b.index, query, bytes);
            maximal_match match;
            for (size_t at = 0; at < bytes; at++) {
                if (!is_boundary(query, bytes, at)) continue;
                uint32_t length = match_length(&b, query, bytes, at), first = 0;
                if (at + length > end && length >= least) {
                    if (!CHECK(match_finder_next(&finder, least, &match))) break;
                    CHECK_INT(match.at, at);
                    CHECK_INT(match.bytes, length);
                    CHECK_INT(match.count, count_plainly(&b, query + at, length, &first));
                    CHECK_INT(match.place, first);
                }
                end = at + length > end ? at + length : end;
            }
            CHECK(!match_finder_next(&finder, least, &match));
            free(query);
            close_bench(&b);
        }
    }
}

/* True if the `bytes` bytes at place `at` of the text are a whole line. In documents, carriage
 * returns before a line break are not part of the line. */
static bool is_line(const bench *b, size_t at, size_t bytes) {
    size_t end = at + bytes;
    // A line also begins after a left-out range.
    bool stream = !b->data.documents;
    bool begins = at == 0 || b->text[at - 1] == '\n' || (stream && !b->trained[at - 1]);
    while (b->data.documents && end < b->bytes && b->text[end] == '\r') end++;
    bool gap = stream && end < b->end && !b->trained[end];
    return begins && !gap && (end == b->bytes || b->text[end] == '\n');
}

static void test_lines(void) {
    TEST("texts and whole lines are found at exactly their places in the training text") {
        for (uint32_t number = 0; number < TEXTS; number++) {
            bench b;
            if (!open_bench(&b, number)) break;
            text_line line = {0};
            while (lines_next(b.text, b.bytes, &line)) {
                int32_t places[LENGTH_MAX + 8];
                place_list lines = {places, LENGTH_MAX + 8, 0}, all = {NULL, 0, 0};
                const char *text = b.text + line.start;
                uint32_t first = 0, expected = 0;
                text_places(&b.index, text, line.length, &all);
                CHECK_INT(all.count, count_plainly(&b, text, line.length, &first));
                text_line_places(&b.index, text, line.length, &lines);
                for (size_t i = 0; i < b.bytes; i++) {
                    expected += common(&b, i, text, line.length) == line.length &&
                                is_line(&b, i, line.length);
                }
                CHECK_INT(lines.count, expected);
                for (size_t i = 0; i < lines.count; i++) {
                    CHECK(is_line(&b, (size_t)places[i], line.length) &&
                          memcmp(b.text + places[i], text, line.length) == 0);
                }
            }
            close_bench(&b);
        }
    }
}

/* ---- N-gram models and baselines ------------------------------------------------------------- */

enum { TOKENS_MAX = 4 * LENGTH_MAX, GAP = -7 };

/* Writes the tokens of the training part or, with `held_out`, of the held-out part to `ids`: BOS
 * before, between and after documents, GAP for left-out tokens of a stream. Returns the number of
 * entries. */
static int list_tokens(const bench *b, bool held_out, int *ids) {
    const dataset *d = &b->data;
    int count = 0;
    if (!d->documents) {
        uint64_t end = held_out ? d->token_count : d->train_tokens;
        for (uint64_t i = held_out ? d->train_tokens : 0; i < end; i++) {
            bool gap = !held_out && left_out_touches(&d->left_out, i, i + 1);
            ids[count++] = gap ? GAP : d->tokens[i];
        }
        return count;
    }
    // The documents are listed in the order of the text, not in shuffled order: the order changes
    // no count, and sums of losses only by rounding.
    for (uint64_t i = 0; i < d->document_count; i++) {
        uint64_t k = 0;
        while (d->order[k] != i) k++;
        bool out = k >= d->train_documents + d->left_out_documents;
        if (out != held_out || (!out && k >= d->train_documents)) continue;
        ids[count++] = d->tokenizer.bos;
        for (uint64_t t = d->start[i]; t < d->start[i + 1]; t++) ids[count++] = d->tokens[t];
    }
    ids[count++] = d->tokenizer.bos;
    return count;
}

/* Counts the occurrences of `ids` (count) in `list` (length); 0 if `ids` has BOS between other
 * tokens. */
static int occurrences(const int *list, int length, const int *ids, int count, int bos) {
    int found = 0;
    for (int i = 0; i + count <= length; i++) {
        bool same = memcmp(list + i, ids, (size_t)count * sizeof *ids) == 0;
        for (int k = 1; k + 1 < count; k++) same = same && ids[k] != bos;
        // The last BOS of the list ends a document and begins none: it does not count.
        found += same && !(count == 1 && bos >= 0 && ids[0] == bos && i == length - 1);
    }
    return found;
}

/* Computes the probability of `id` after `context` (order) by the formula in ngram.h, from counts
 * of the occurrences in `list` (length). */
static double plain_probability(const bench *b, const int *list, int length, const int *context,
                                int order, int id) {
    int V = b->data.tokenizer.vocab, bos = b->data.documents ? b->data.tokenizer.bos : -1;
    double p = 1.0 / V;
    for (int k = 0; k <= order; k++) {
        int ids[NGRAM_ORDERS], total = 0, kinds = 0, here = 0;
        memcpy(ids, context + order - k, (size_t)k * sizeof *ids);
        for (int w = 0; w < V; w++) {
            ids[k] = w;
            int count = occurrences(list, length, ids, k + 1, bos);
            total += count;
            kinds += count > 0;
            here = w == id ? count : here;
        }
        p = total ? (here + kinds * p) / (total + kinds) : p;
    }
    return p;
}

static void test_probabilities(void) {
    TEST("the probabilities of each order equal the formula on plain counts and sum to 1") {
        for (uint32_t number = 0; number < 48; number++) {
            bench b;
            if (!open_bench(&b, number)) break;
            rng r = rng_from_mixed_seed(number + 7000);
            int list[TOKENS_MAX], length = list_tokens(&b, false, list);
            int V = b.data.tokenizer.vocab, bos = b.data.documents ? b.data.tokenizer.bos : -1;
            ngram_context c = ngram_begin(&b.index.model);
            int context[NGRAM_ORDER_MAX], known = bos >= 0;
            context[0] = bos;
            for (int i = 0; i < 12; i++) {
                int id = rng_uniform(&r) < 0.9 ? list[below(&r, (uint32_t)length)] : GAP;
                id = id == GAP ? (int)below(&r, (uint32_t)V) : id;
                double sums[NGRAM_ORDERS] = {0}, p[NGRAM_ORDERS];
                for (int w = 0; w < V; w++) {
                    ngram_context twin = c;
                    ngram_read(&b.index.model, &twin, w, false, p);
                    for (int k = 0; k < NGRAM_ORDERS; k++) sums[k] += p[k];
                }
                ngram_read(&b.index.model, &c, id, false, p);
                for (int k = 0; k < NGRAM_ORDERS; k++) {
                    int order = k < known ? k : known;
                    CHECK_NEAR(sums[k], 1, 1e-12);
                    CHECK_NEAR(
                        p[k],
                        plain_probability(&b, list, length, context + known - order, order, id),
                        1e-14);
                }
                if (id == bos) {
                    known = 0;
                } else if (known == NGRAM_ORDER_MAX) {
                    memmove(context, context + 1, (NGRAM_ORDER_MAX - 1) * sizeof *context);
                    known--;
                }
                context[known++] = id;
            }
            close_bench(&b);
        }
    }
}

static void test_baselines(void) {
    TEST("baselines are the summed losses of each order on the held-out targets") {
        for (uint32_t number = 6; number < 100; number++) {
            bench b;
            if (number / 6 % 2 == 0) continue;
            if (!open_bench(&b, number)) break;
            int list[TOKENS_MAX], length = list_tokens(&b, true, list);
            ngram_context c = ngram_begin(&b.index.model);
            double sums[NGRAM_ORDERS] = {0}, p[NGRAM_ORDERS];
            uint64_t targets = 0;
            bool documents = b.data.documents;
            for (uint64_t i = b.data.train_tokens < 5 ? 0 : b.data.train_tokens - 5;
                 !documents && i < b.data.train_tokens; i++) {
                // The model reads a left-out token as the separator.
                bool gap = left_out_touches(&b.data.left_out, i, i + 1);
                int id = gap ? b.index.tokens.separator : b.data.tokens[i];
                ngram_read(&b.index.model, &c, id, false, NULL);
            }
            for (int i = documents, t = 0; i < length; i++, t++) {
                bool scored = !documents || t < CONTEXT;
                ngram_read(&b.index.model, &c, list[i], false, p);
                for (int k = 0; k < NGRAM_ORDERS && scored; k++) sums[k] -= num_log(p[k]);
                targets += scored;
                t = documents && list[i] == b.data.tokenizer.bos ? -1 : t;
            }
            baselines y;
            baselines_open(&y, &b.index);
            while (baselines_step(&y) == GPT_OK) {}
            CHECK_INT(y.targets, b.index.held_out ? targets : y.targets);
            for (int k = 0; k < NGRAM_ORDERS && b.index.held_out; k++) {
                CHECK_NEAR(y.nats[k], sums[k], 1e-9);
            }
            close_bench(&b);
        }
    }
    TEST("without held-out text each token is scored with counts that exclude it") {
        bench b = {.text = NULL};
        b.bytes = 9;
        b.text = malloc(b.bytes);
        memcpy(b.text, "aabaabaab", 9);
        rng r = rng_from_mixed_seed(1);
        set_recipe(&b, TOKENIZER_BYTE, &r);
        tokenizer bytes = {.kind = TOKENIZER_BYTE, .vocab = 256, .bos = -1};
        CHECK_INT(training_index_open(&b.index, &b.recipe, &bytes, b.text, b.bytes, NULL), GPT_OK);
        while (training_index_step(&b.index, NULL) == GPT_OK) {}
        baselines y;
        baselines_open(&y, &b.index);
        while (baselines_step(&y) == GPT_OK) {}
        CHECK_INT(y.targets, 9);
        // Order 0 computed by hand. There are 6 a and 3 b; each letter is scored with the counts of
        // the other 8 letters: 5 a for an a, 2 b for a b, two different letters.
        double expected = -6 * log((5 + 2 / 256.0) / 10) - 3 * log((2 + 2 / 256.0) / 10);
        CHECK_NEAR(y.nats[0], expected, 1e-12);
        close_bench(&b);
    }
}

/* Computes the baselines of a text of byte tokens, as a stream or as documents. `left_out`: byte
 * ranges that training never reads, written as in the option left_out. */
static baselines baselines_without(const char *text, int documents, const char *left_out) {
    bench b = {.text = NULL};
    rng r = rng_from_mixed_seed(1);
    set_recipe(&b, TOKENIZER_BYTE, &r);
    b.recipe.value[OPT_SEQUENCES] = documents;
    CHECK_INT(config_set_text(&b.recipe, "left_out", left_out, NULL), GPT_OK);
    tokenizer bytes = {.kind = TOKENIZER_BYTE, .vocab = 256, .bos = -1};
    baselines y;
    CHECK_INT(training_index_open(&b.index, &b.recipe, &bytes, text, strlen(text), NULL), GPT_OK);
    while (training_index_step(&b.index, NULL) == GPT_OK) {}
    unsigned char held_out[8];
    CHECK_INT(training_index_held_out(&b.index, held_out, sizeof held_out), 0);
    baselines_open(&y, &b.index);
    while (baselines_step(&y) == GPT_OK) {}
    training_index_close(&b.index);
    return y;
}

static void test_left_out(void) {
    TEST("left-out text is neither counted nor scored: the baselines equal those of a text without "
         "it") {
        static const char *const texts[][3] = {
            {"aabaabaab", "aabaabaabzaa", "9:12"},
            {"aab\nabaa\n", "aab\nzab\nabaa\nzz\n", "4:6,13:14"}};
        for (int documents = 0; documents < 2; documents++) {
            const char *const *text = texts[documents];
            baselines plain = baselines_without(text[0], documents, "");
            baselines without = baselines_without(text[1], documents, text[2]);
            baselines with = baselines_without(text[1], documents, "");
            CHECK(plain.targets == without.targets && with.targets > plain.targets);
            for (int k = 0; k < NGRAM_ORDERS; k++) {
                CHECK(plain.nats[k] == without.nats[k] && with.nats[k] != plain.nats[k]);
            }
        }
    }
    TEST("left-out ranges of a stream that has the byte 255 are refused") {
        config c;
        CHECK_INT(config_from_preset(&c, "tinygpt", NULL), GPT_OK);
        c.value[OPT_CONTEXT] = 4;
        tokenizer bytes = {.kind = TOKENIZER_BYTE, .vocab = 256, .bos = -1};
        for (int left = 0; left < 2; left++) {
            training_index x;
            gpt_error error = {0};
            CHECK_INT(config_set_text(&c, "left_out", left ? "11:12" : "", NULL), GPT_OK);
            int status = training_index_open(&x, &c, &bytes,
                                             "anna\xFF"
                                             "bellaaaa",
                                             13, &error);
            CHECK_INT(status, left ? GPT_E_UNSUPPORTED : GPT_OK);
            CHECK_STRING(error.name, left ? "left_out" : "");
            training_index_close(&x);
        }
    }
}

static void test_long_baselines(void) {
    TEST("a long held-out text is scored in evenly spaced parts") {
        bench b = {.bytes = 1200000};
        b.text = malloc(b.bytes);
        rng r = rng_from_mixed_seed(2);
        for (size_t i = 0; i < b.bytes; i++) b.text[i] = "abcd"[below(&r, 4)];
        set_recipe(&b, TOKENIZER_BYTE, &r);
        b.recipe.value[OPT_VALIDATION] = 0.5;
        tokenizer bytes = {.kind = TOKENIZER_BYTE, .vocab = 256, .bos = -1};
        CHECK_INT(training_index_open(&b.index, &b.recipe, &bytes, b.text, b.bytes, NULL), GPT_OK);
        while (training_index_step(&b.index, NULL) == GPT_OK) {}
        baselines y;
        baselines_open(&y, &b.index);
        int steps = 0;
        while (baselines_step(&y) == GPT_OK) steps++;
        // The held-out text has 586 parts of 1024 bytes; every third part is scored, among them the
        // shorter last part.
        CHECK_INT(steps, 195);
        CHECK_INT(y.targets, 195 * 1024 + (600000 - 585 * 1024));
        for (int k = 0; k < NGRAM_ORDERS; k++) {
            CHECK_NEAR(y.nats[k] / (double)y.targets, log(4), 0.01);
        }
        close_bench(&b);
    }
}

static void test_draws(void) {
    TEST("tokens are drawn with their probabilities, and equal seeds draw equal tokens") {
        bench b;
        if (!open_bench(&b, 3)) break;
        ngram_model *m = &b.index.model;
        ngram_context c = ngram_begin(m);
        enum { DRAWS = 40000 };
        for (int order = 0; order <= 2; order++) {
            rng r = rng_from_mixed_seed(9), twin = r;
            int counts[300] = {0};
            for (int i = 0; i < DRAWS; i++) {
                int id = ngram_draw(m, &c, order, &r);
                CHECK_INT(id, ngram_draw(m, &c, order, &twin));
                if (CHECK(id >= 0 && id < m->vocab)) counts[id]++;
            }
            for (int w = 0; w < m->vocab; w++) {
                double p[NGRAM_ORDERS];
                ngram_context next = c;
                ngram_read(m, &next, w, false, p);
                double spread = sqrt(p[order] * (1 - p[order]) / DRAWS);
                CHECK_NEAR((double)counts[w] / DRAWS, p[order], 5 * spread + 1e-4);
            }
        }
        close_bench(&b);
    }
}

static void test_limit(void) {
    TEST("a text above the limit is refused with its size and the limit, before it is read") {
        config c;
        CHECK_INT(config_from_preset(&c, "tinygpt", NULL), GPT_OK);
        tokenizer bytes = {.kind = TOKENIZER_BYTE, .vocab = 256, .bos = -1};
        training_index x;
        gpt_error error = {0};
        size_t size = (size_t)TRAINING_INDEX_BYTES_MAX + 1;
        CHECK_INT(training_index_open(&x, &c, &bytes, "a", size, &error), GPT_E_TEXT_SIZE);
        CHECK(error.value[0] == (double)size && error.value[1] == TRAINING_INDEX_BYTES_MAX);
        training_index_close(&x); // nothing was allocated
    }
}

int main(void) {
    test_limit();
    test_lengths();
    test_maximal_matches();
    test_lines();
    test_probabilities();
    test_baselines();
    test_left_out();
    test_long_baselines();
    test_draws();
    return check_report();
}
