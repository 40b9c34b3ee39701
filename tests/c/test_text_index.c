/* test_text_index.c - the suffix array and its searches against plain searches.
 *
 * Thousands of small texts: random bytes, few symbols, periodic, empty, of one symbol; and four
 * long texts.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "text/text_index.h"

enum { TEXTS = 4000, LENGTH_MAX = 70 };

/* A text in an allocation of exactly its size: the address sanitizer reports a read past the
 * end. */
typedef struct sample {
    unsigned char *bytes;
    uint32_t count;
    unsigned char *kept; /* bitmap of the indexed positions; NULL: all are indexed */
} sample;

static uint32_t below(rng *r, uint32_t limit) {
    return (uint32_t)(rng_uniform(r) * limit);
}

/* Makes text number `number`: its kind, length and symbols depend on the number alone. */
static sample make_sample(uint32_t number) {
    rng r = rng_from_mixed_seed(number);
    sample s = {.count = number < 3 ? number : below(&r, LENGTH_MAX)};
    s.bytes = malloc(s.count ? s.count : 1);
    uint32_t symbols = number % 5 == 0 ? 256 : 1 + below(&r, 4);
    uint32_t period = number % 5 == 1 ? 1 + below(&r, 6) : LENGTH_MAX;
    uint32_t first = below(&r, 257 - symbols);
    for (uint32_t i = 0; i < s.count; i++) {
        s.bytes[i] = (unsigned char)(i < period ? first + below(&r, symbols) : s.bytes[i - period]);
    }
    if (number % 3 == 0) {
        s.kept = calloc(s.count / 8 + 1, 1);
        for (uint32_t i = 0; i < s.count; i++) {
            s.kept[i / 8] |= (unsigned char)((rng_uniform(&r) < 0.7) << i % 8);
        }
    }
    return s;
}

static void free_sample(sample *s) {
    free(s->bytes);
    free(s->kept);
}

static text_index open_index(const sample *s) {
    text_index x;
    symbols text = {s->bytes, 1};
    CHECK_INT(text_index_open(&x, text, s->count, 256, s->kept, -1, NULL), GPT_OK);
    int status;
    while ((status = text_index_step(&x, NULL)) == GPT_OK) {
        CHECK(!x.ready);
    }
    CHECK_INT(status, GPT_END);
    return x;
}

/* True if suffix `a` sorts before suffix `b`. */
static bool comes_first(const sample *s, uint32_t a, uint32_t b) {
    uint32_t longest = a > b ? s->count - a : s->count - b;
    int order = memcmp(s->bytes + a, s->bytes + b, longest);
    return order ? order < 0 : a > b;
}

static uint32_t count_kept(const sample *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) count += text_index_is_kept(s->kept, i);
    return count;
}

static void test_order(void) {
    TEST("the index has each kept position once, in the order of the suffixes") {
        for (uint32_t number = 0; number < TEXTS; number++) {
            sample s = make_sample(number);
            text_index x = open_index(&s);
            CHECK_INT(x.count, count_kept(&s));
            bool seen[LENGTH_MAX] = {false}, good = true;
            for (uint32_t i = 0; i < x.count; i++) {
                good = good && !seen[x.suffixes[i]] && text_index_is_kept(s.kept, x.suffixes[i]) &&
                       (i == 0 || comes_first(&s, x.suffixes[i - 1], x.suffixes[i]));
                seen[x.suffixes[i]] = true;
            }
            CHECK(good);
            text_index_close(&x);
            free_sample(&s);
        }
    }
}

static void test_widths(void) {
    TEST("the suffix array of two-byte symbols equals that of one-byte symbols in the same order") {
        for (uint32_t number = 0; number < 500; number++) {
            sample s = make_sample(number * 5 + 2);
            uint16_t *wide = malloc((s.count ? s.count : 1) * sizeof *wide);
            uint32_t *array[2] = {malloc(s.count * 4 + 4), malloc(s.count * 4 + 4)};
            for (uint32_t i = 0; i < s.count; i++) wide[i] = (uint16_t)(s.bytes[i] * 257);
            for (int width = 1; width <= 2; width++) {
                symbols text = {width == 1 ? (void *)s.bytes : (void *)wide, width};
                suffix_builder b;
                suffix_open(&b, text, s.count, width == 1 ? 256 : 65536, array[width - 1]);
                while (suffix_step(&b, NULL) == GPT_OK) {}
                suffix_close(&b);
            }
            CHECK(memcmp(array[0], array[1], s.count * 4) == 0);
            free(array[0]);
            free(array[1]);
            free(wide);
            free_sample(&s);
        }
    }
}

static void test_long(void) {
    static const char *const KINDS[] = {"random bytes", "one symbol", "a word repeated",
                                        "an LMS suffix at every second symbol"};
    for (int kind = 0; kind < 4; kind++) {
        char sentence[128];
        snprintf(sentence, sizeof sentence,
                 "a long text (%s) is sorted in many steps, and its progress never decreases",
                 KINDS[kind]);
        TEST(sentence) {
            enum { LONG = 300000 };
            rng r = rng_from_mixed_seed((uint64_t)kind);
            sample s = {malloc(LONG), LONG, NULL};
            for (uint32_t i = 0; i < LONG; i++) {
                s.bytes[i] = (unsigned char)(kind == 0   ? below(&r, 256)
                                             : kind == 1 ? 'a'
                                             : kind == 2 ? (uint32_t) "abracadabra"[i % 11]
                                                         : (i % 2 ? 255 : below(&r, 255)));
            }
            text_index x;
            CHECK_INT(text_index_open(&x, (symbols){s.bytes, 1}, LONG, 256, NULL, -1, NULL),
                      GPT_OK);
            double progress = 0;
            uint64_t bytes = 0;
            int steps = 0;
            while (text_index_step(&x, NULL) == GPT_OK) {
                CHECK(text_index_progress(&x) >= progress && text_index_progress(&x) <= 1);
                progress = text_index_progress(&x);
                bytes = text_index_bytes(&x) > bytes ? text_index_bytes(&x) : bytes;
                steps++;
            }
            CHECK(steps > 20);
            CHECK(bytes <= 6 * LONG + 2048);
            CHECK_INT(x.count, LONG);
            for (uint32_t i = 1; i < x.count; i++) {
                // Kind 1 repeats one symbol: its suffixes must be sorted by length. Comparing their
                // bytes would take an hour. Of kind 2, also periodic, only every hundredth pair is
                // compared.
                bool good = kind == 1 ? x.suffixes[i - 1] == x.suffixes[i] + 1
                            : kind == 2 && i % 100
                                ? true
                                : comes_first(&s, x.suffixes[i - 1], x.suffixes[i]);
                if (!CHECK(good)) break;
            }
            text_index_close(&x);
            free_sample(&s);
        }
    }
}

/* ---- Searches -------------------------------------------------------------------------------- */

/* Returns the length of the longest prefix of `bytes` (count) that occurs at `place` of the
 * text. */
static uint32_t plain_common(const sample *s, uint32_t place, const unsigned char *bytes,
                             uint32_t count) {
    uint32_t length = 0;
    while (length < count && place + length < s->count &&
           s->bytes[place + length] == bytes[length]) {
        length++;
    }
    return length;
}

/* Returns a query of up to 19 bytes, a part of the text with random changes, in an allocation of
 * exactly its size. The caller frees it. */
static unsigned char *make_query(const sample *s, rng *r, uint32_t *count) {
    *count = below(r, 20);
    unsigned char *query = malloc(*count ? *count : 1);
    uint32_t from = below(r, s->count + 1);
    for (uint32_t i = 0; i < *count; i++) {
        bool copied = from + i < s->count && rng_uniform(r) < 0.9;
        query[i] = copied ? s->bytes[from + i] : s->count > 0 ? s->bytes[below(r, s->count)] : 7;
    }
    return query;
}

/* Compares text_index_longest with a plain search at every byte of a query. Matches that begin at
 * the positions `without` do not count. `known` is a match that is known already: the match at the
 * previous byte of the query, without its first byte. */
static void check_longest(const sample *s, const text_index *x, const unsigned char *query,
                          uint32_t count, text_span without) {
    text_match known = {0, 0};
    for (uint32_t at = 0; at < count; at++) {
        uint32_t longest = 0;
        for (uint32_t i = 0; i < s->count; i++) {
            bool counts = text_index_is_kept(s->kept, i) && (i < without.from || i >= without.to);
            uint32_t length = counts ? plain_common(s, i, query + at, count - at) : 0;
            longest = length > longest ? length : longest;
        }
        text_match m = text_index_longest(x, query + at, count - at, known, without);
        CHECK_INT(m.length, longest);
        CHECK(m.length == 0 || (text_index_is_kept(s->kept, m.place) &&
                                (m.place < without.from || m.place >= without.to) &&
                                plain_common(s, m.place, query + at, count - at) == longest));
        known = m.length > 1 ? (text_match){m.length - 1, m.place + 1} : (text_match){0, 0};
    }
}

static void test_longest(void) {
    TEST("the longest match at every byte of a query equals a plain search, with a random span "
         "excluded") {
        for (uint32_t number = 0; number < TEXTS; number++) {
            sample s = make_sample(number);
            text_index x = open_index(&s);
            rng r = rng_from_mixed_seed(number + 1000000);
            uint32_t count, from = below(&r, LENGTH_MAX);
            unsigned char *query = make_query(&s, &r, &count);
            check_longest(&s, &x, query, count, (text_span){0, 0});
            check_longest(&s, &x, query, count, (text_span){from, from + below(&r, 30)});
            free(query);
            text_index_close(&x);
            free_sample(&s);
        }
    }
}

/* Checks that `span`, a range of the suffix array, contains exactly the suffixes that begin with
 * `bytes` (count). */
static void check_span(const sample *s, const text_index *x, text_span span,
                       const unsigned char *bytes, uint32_t count) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        found += text_index_is_kept(s->kept, i) && plain_common(s, i, bytes, count) == count;
    }
    CHECK_INT(span.to - span.from, found);
    for (uint32_t i = span.from; i < span.to; i++) {
        CHECK_INT(plain_common(s, x->suffixes[i], bytes, count), count);
    }
}

/* The suffixes of `span` share a prefix of `depth` symbols. Checks that text_index_group splits
 * `span` by the next symbol, ascending, and that each group has as many suffixes as that symbol has
 * occurrences after the prefix. */
static void check_groups(const sample *s, const text_index *x, text_span span, uint32_t depth) {
    uint32_t counts[256] = {0};
    for (uint32_t i = span.from; i < span.to; i++) {
        uint32_t at = x->suffixes[i] + depth;
        if (at < s->count) counts[s->bytes[at]]++;
    }
    span = text_index_followed(x, span, depth);
    for (int symbol = 0; symbol < 256; symbol++) {
        text_span narrow = text_index_narrow(x, span, depth, symbol);
        CHECK_INT(narrow.to - narrow.from, counts[symbol]);
        if (counts[symbol] && CHECK(span.from < span.to)) {
            text_span group = text_index_group(x, span, depth);
            CHECK_INT(group.from, narrow.from);
            CHECK_INT(group.to, narrow.to);
            span.from = group.to;
        }
    }
    CHECK_INT(span.from, span.to);
}

static void test_counts(void) {
    TEST("a span has exactly the suffixes with its prefix, and its groups count the next symbols") {
        for (uint32_t number = 0; number < TEXTS; number++) {
            sample s = make_sample(number);
            text_index x = open_index(&s);
            rng r = rng_from_mixed_seed(number + 2000000);
            uint32_t count;
            unsigned char *query = make_query(&s, &r, &count);
            count = count < 4 ? count : count % 4;
            text_span span = text_index_find(&x, query, count);
            check_span(&s, &x, span, query, count);
            if (number % 4 == 0) check_groups(&s, &x, span, count);
            text_span nowhere = text_index_narrow(&x, span, count, TEXT_INDEX_NOWHERE);
            CHECK_INT(nowhere.from, nowhere.to);
            free(query);
            text_index_close(&x);
            free_sample(&s);
        }
    }
}

int main(void) {
    test_order();
    test_widths();
    test_long();
    test_longest();
    test_counts();
    return check_report();
}
