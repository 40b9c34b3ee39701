/* test_sampler.c - sampling: the distribution, the draw, the KV cache, prompts, text as UTF-8,
 * several samplers of one trainer, and text drawn from an n-gram table. */
#include "api/gpt.h"
#include "api/gpt_trace.h"
#include "base/numeric.h"
#include "base/text_buffer.h"
#include "calls.h"
#include "infer/probe.h"
#include "infer/sampler.h"
#include "models.h"
#include "train/trainer.h"

#define SMALL                                                                                      \
    {"layers", 2}, {"heads", 2}, {"channels", 16}, {"context", 12}, {                              \
        "batch", 2                                                                                 \
    }

static const char TEXT[] = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n"
                           "the hat sat on the cat\nand the rat sat on that\n";

/* ---- the distribution ------------------------------------------------------------------------ */

/* Computes the distribution of sampler_distribution plainly, in double. A token is kept if fewer
 * than k tokens rank before it, and if the weights of these tokens sum to less than p times the
 * weight that top-k keeps. */
static void expected_distribution(double *out, const float *logits, int n, sample_options o) {
    double weight[64], total = 0, kept_by_k = 0, kept = 0;
    bool keep[64];
    for (int i = 0; i < n; i++) total += weight[i] = exp((double)logits[i] / (double)o.temperature);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            int before = 0;
            double share = 0;
            for (int j = 0; j < n; j++) {
                if (logits[j] > logits[i] || (logits[j] == logits[i] && j < i))
                    before++, share += weight[j];
            }
            bool by_k = o.top_k == 0 || before < o.top_k;
            if (pass == 0) kept_by_k += by_k ? weight[i] : 0;
            keep[i] = by_k && (o.top_p >= 1 || before == 0 || share < (double)o.top_p * kept_by_k);
        }
    }
    for (int i = 0; i < n; i++) kept += keep[i] ? weight[i] : 0;
    for (int i = 0; i < n; i++) out[i] = keep[i] ? weight[i] / kept : 0;
    CHECK(kept <= total);
}

static void check_distribution(const float *logits, int n, sample_options o) {
    float out[64];
    uint32_t ranking[64];
    double expected[64];
    sampler_distribution(out, ranking, logits, n, o);
    expected_distribution(expected, logits, n, o);
    for (int i = 0; i < n; i++) {
        CHECK((out[i] == 0) == (expected[i] == 0));
        // Tolerance: rounding errors of the scaled logit (up to 10) in the exponent, of e^x, and of
        // two sums of n numbers.
        if (!CHECK_NEAR(out[i], expected[i], (2 * n + 40) * FLOAT_UNIT * expected[i])) {
            printf("  temperature %g, top-k %d, top-p %g, token %d\n", (double)o.temperature,
                   o.top_k, (double)o.top_p, i);
        }
    }
}

static void test_distribution(void) {
    static const float temperatures[] = {0.4f, 0.7f, 1, 2.5f},
                       shares[] = {0.05f, 0.5f, 0.9f, 0.999f, 1};
    TEST("temperature, top-k and top-p yield the distribution of a plain computation in double") {
        for (int n = 1; n <= 27; n += 13) {
            float logits[27];
            fill_random(logits, (size_t)n, (uint64_t)n);
            for (int k = 0; k <= n + 1; k++) {
                for (int t = 0; t < 4; t++) {
                    for (int p = 0; p < 5; p++)
                        check_distribution(logits, n,
                                           (sample_options){temperatures[t], k, shares[p]});
                }
            }
        }
    }
    TEST("equally likely tokens rank in the order of their ids") {
        float logits[9] = {1, 3, 3, 1, 3, 0, 3, 1, 3}, out[9];
        uint32_t ranking[9];
        sampler_distribution(out, ranking, logits, 9, (sample_options){1, 2, 1});
        for (int i = 0; i < 9; i++) CHECK(out[i] == (i == 1 || i == 2 ? 0.5f : 0));
    }
    TEST("top-p keeps the fewest tokens that reach the share, also if they reach it exactly") {
        float logits[4] = {2, 2, 2, 2}, out[4];
        uint32_t ranking[4];
        sampler_distribution(out, ranking, logits, 4, (sample_options){1, 0, 0.5f});
        for (int i = 0; i < 4; i++) CHECK(out[i] == (i < 2 ? 0.5f : 0));
    }
    TEST("temperature 0 gives the most likely token, the first of equals, probability 1") {
        float logits[7] = {1, 3, 2, 3, -1, 0, 3}, out[7];
        uint32_t ranking[7];
        sampler_distribution(out, ranking, logits, 7, (sample_options){0, 3, 0.5f});
        for (int i = 0; i < 7; i++) CHECK(out[i] == (i == 1));
    }
}

/* ---- the draw -------------------------------------------------------------------------------- */

static void test_draw(void) {
    TEST("a draw is the first id whose cumulative weight exceeds a uniform number times the sum") {
        float weights[11];
        rng stream = rng_from_seed(42), twin = stream;
        for (int round = 0; round < 2000; round++) {
            fill_random(weights, 11, (uint64_t)round);
            float total = 0, cumulated = 0;
            for (int i = 0; i < 11; i++) total += weights[i] = fabsf(weights[i]) * (i % 3 != 0);
            float r = (float)rng_uniform(&twin) * total;
            int expected = 0;
            for (; expected < 10; expected++) {
                cumulated += weights[expected];
                if (r < cumulated) break;
            }
            CHECK_INT(sampler_draw(weights, 11, &stream), expected);
            CHECK(weights[expected] > 0);
        }
        CHECK(stream.state == twin.state); // one random number per draw
    }
    TEST("if no cumulative weight exceeds the draw, the last token with a weight is drawn") {
        float weights[4] = {0.5f, NAN, 0.5f, 0}; // NaN: no cumulative weight exceeds the draw
        rng stream = rng_from_seed(1);
        CHECK_INT(sampler_draw(weights, 4, &stream), 2);
    }
    TEST("tokens are drawn in proportion to their weights") {
        enum { COUNT = 40000 };
        float weights[3] = {1, 2, 5};
        int counts[3] = {0};
        rng stream = rng_from_seed(3);
        for (int i = 0; i < COUNT; i++) counts[sampler_draw(weights, 3, &stream)]++;
        for (int i = 0; i < 3; i++) {
            double p = (double)weights[i] / 8; // tolerance: five standard deviations of a count
            CHECK_NEAR(counts[i], COUNT * p, 5 * sqrt(COUNT * p * (1 - p)));
        }
    }
}

/* ---- a sampler on a model with random weights ------------------------------------------------ */

/* A training run and a sampler that generates text with its model. */
typedef struct voice {
    trainer run;
    sampler s;
} voice;

static bool voice_open(voice *v, const char *preset, const char *text) {
    config c = config_with(preset, (setting[]){SMALL, {"validation", 0}, END});
    if (!CHECK_INT(
            trainer_open(&v->run,
                         (&(trainer_source){.options = &c, .text = text, .bytes = strlen(text)}),
                         NULL),
            GPT_OK))
        return false;
    randomize_weights(&v->run.net, 0.25, 1);
    return CHECK_INT(sampler_open(&v->s, &v->run.net, &v->run.data.tokenizer, &v->run.work, NULL),
                     GPT_OK);
}

static void voice_close(voice *v) {
    sampler_close(&v->s);
    trainer_close(&v->run);
}

static const sample_options PLAIN = {1, 0, 1};

/* Computes the distribution of the token after ids (count) by a full forward pass. Writes it to
 * `out` (V). */
static void full_forward(voice *v, const int32_t *ids, int count, float *out) {
    int32_t copy[64];
    memcpy(copy, ids, (size_t)count * sizeof *ids);
    tape_rewind(&v->run.work, false);
    tensor *logits = model_forward(&v->run.net, &v->run.work, copy, 1, count, NULL);
    softmax_row_simd(out, logits->data + (count - 1) * v->run.net.vocab, 1, v->run.net.vocab);
}

static void test_generation(void) {
    enum { T = 12, MANY = 60 };
    float expected[257];
    TEST("each probability equals a full forward pass over the tokens so far, to the bit") {
        voice v;
        if (!voice_open(&v, "microgpt", TEXT)) break;
        int32_t ids[T + 1] = {v.run.data.tokenizer.bos};
        CHECK_INT(sampler_begin(&v.s, "", 0, PLAIN, NULL, 4, NULL), 1);
        int count = 1;
        for (int id; !v.s.ended; ids[count++] = id) {
            full_forward(&v, ids, count, expected);
            CHECK_SAME_BITS(v.s.probabilities, expected, v.run.net.vocab);
            if (!CHECK((id = sampler_next(&v.s, NULL)) >= 0)) break;
            if (v.s.ended) break;
        }
        voice_close(&v);
    }
    TEST("a document ends at BOS or when it fills the context: never more than T tokens") {
        voice v;
        if (!voice_open(&v, "microgpt", TEXT)) break;
        int by_bos = 0, by_length = 0;
        for (uint64_t seed = 0; seed < 60; seed++) {
            gpt_error error;
            CHECK_INT(sampler_begin(&v.s, "", 0, PLAIN, NULL, seed, NULL), 1);
            int drawn = 0, id = -1;
            while (!v.s.ended && drawn < 2 * T) id = sampler_next(&v.s, NULL), drawn++;
            CHECK(drawn <= T && v.s.ended);
            bool bos = id == v.run.data.tokenizer.bos;
            by_bos += bos, by_length += !bos;
            CHECK(bos || drawn == T);
            CHECK_INT(v.s.byte_count, drawn - bos); // each token is one byte; BOS has none
            CHECK_INT(sampler_next(&v.s, &error), GPT_E_STATE); // no token after the end
        }
        CHECK(by_bos > 0 && by_length > 0);
        voice_close(&v);
    }
    TEST("a stream never ends: a full cache is refilled with its last half, equal to a full "
         "forward pass to the bit") {
        for (int p = 0; p < PRESET_COUNT; p += 2) {
            voice v;
            if (!voice_open(&v, CONFIG_PRESETS[p], TEXT)) break;
            int32_t all[MANY + 1] = {'t'};
            int refills = 0, window = 1; // window: tokens in the KV cache
            CHECK_INT(sampler_begin(&v.s, "t", 1, PLAIN, NULL, 9, NULL), 1);
            for (int count = 1; count <= MANY; count++) {
                full_forward(&v, all + count - window, window, expected);
                CHECK_SAME_BITS(v.s.probabilities, expected, 256);
                int id = sampler_next(&v.s, NULL);
                if (!CHECK(id >= 0 && !v.s.ended)) break;
                all[count] = id;
                if (++window > T) window = T / 2, refills++; // last half, new token included
                CHECK_INT(v.s.refills, refills);
            }
            CHECK(refills > 5);
            voice_close(&v);
        }
    }
    TEST("a token is drawn from the distribution shown before it, also when the cache is full") {
        voice v;
        if (!voice_open(&v, "gpt2", TEXT)) break;
        CHECK_INT(sampler_begin(&v.s, "the cat sat.", 12, PLAIN, NULL, 9, NULL),
                  12); // fills the KV cache
        rng twin = rng_from_mixed_seed(9);
        for (int i = 0; i < 30; i++) {
            memcpy(expected, v.s.distribution, 256 * sizeof *expected);
            rng copy = twin;
            CHECK_INT(sampler_next(&v.s, NULL), sampler_draw(expected, 256, &twin));
            CHECK(v.s.uniform == rng_uniform(&copy));
        }
        CHECK(v.s.refills > 2);
        CHECK_INT(sampler_begin(&v.s, "the", 3, PLAIN, NULL, 9, NULL), 3);
        CHECK(v.s.uniform != v.s.uniform); // NaN before the first draw
        CHECK_INT(sampler_skip(&v.s, -1, NULL), GPT_E_ARGUMENT);
        CHECK_INT(sampler_skip(&v.s, 30, NULL), GPT_OK);
        CHECK(v.s.own_stream.state == twin.state);
        voice_close(&v);
    }
    TEST("greedy sampling chooses the most likely token and draws no random number") {
        voice v;
        if (!voice_open(&v, "gpt2", TEXT)) break;
        rng lent = rng_from_seed(8);
        CHECK_INT(sampler_begin(&v.s, "a", 1, (sample_options){0, 0, 1}, &lent, 0, NULL), 1);
        for (int i = 0; i < 30; i++) {
            int best = 0;
            for (int id = 1; id < 256; id++)
                best = v.s.probabilities[id] > v.s.probabilities[best] ? id : best;
            CHECK_INT(sampler_next(&v.s, NULL), best);
        }
        CHECK(lent.state == 8);
        voice_close(&v);
    }
    TEST("sampling advances a random stream that it borrows; with a seed it leaves the trainer's "
         "alone") {
        voice v;
        if (!voice_open(&v, "microgpt", TEXT)) break;
        rng before = v.run.state.stream;
        (void)sampler_begin(&v.s, "", 0, PLAIN, NULL, 5, NULL);
        (void)sampler_next(&v.s, NULL);
        CHECK(v.run.state.stream.state == before.state);
        (void)sampler_begin(&v.s, "", 0, PLAIN, &v.run.state.stream, 5, NULL);
        int id = sampler_next(&v.s, NULL);
        float probabilities[64];
        int32_t bos = v.run.data.tokenizer.bos;
        rng twin = before;
        full_forward(&v, &bos, 1, expected);
        softmax_row_ref(probabilities, v.run.work.nodes[v.run.work.node_count - 1].out->data, 1,
                        v.run.net.vocab);
        CHECK_INT(id, sampler_draw(probabilities, v.run.net.vocab, &twin));
        CHECK(v.run.state.stream.state == twin.state);
        voice_close(&v);
    }
    TEST("equal seeds yield equal texts, another seed another text") {
        voice v;
        if (!voice_open(&v, "tinygpt", TEXT)) break;
        char texts[3][256] = {{0}}; // may contain NULs, so memcmp compares them
        for (uint64_t i = 0; i < 3; i++) {
            (void)sampler_begin(&v.s, "the", 3, PLAIN, NULL, i == 2 ? 8 : 7, NULL);
            for (int j = 0; j < 40; j++) (void)sampler_next(&v.s, NULL);
            CHECK(sampler_text(&v.s, texts[i], sizeof texts[i], NULL) > 0);
        }
        CHECK(memcmp(texts[0], texts[1], sizeof texts[0]) == 0);
        CHECK(memcmp(texts[0], texts[2], sizeof texts[0]) != 0);
        voice_close(&v);
    }
}

/* ---- prompts --------------------------------------------------------------------------------- */

static void test_prompts(void) {
    TEST(
        "a prompt with a character that the vocabulary lacks is refused, and the character named") {
        voice v;
        gpt_error error;
        if (!voice_open(&v, "microgpt", TEXT)) break;
        CHECK_INT(sampler_begin(&v.s, "ca\xC3\xA9t", 5, PLAIN, NULL, 1, &error), GPT_E_CHARACTER);
        CHECK_STRING(error.name, "\xC3\xA9");
        CHECK(error.value[0] == 0xE9);
        CHECK_INT(sampler_next(&v.s, &error), GPT_E_STATE); // no text: sampler_begin failed
        CHECK_INT(sampler_begin(&v.s, "cat", 3, PLAIN, NULL, 1, &error), 4);
        voice_close(&v);
    }
    TEST("a document's prompt that is longer than the context is refused with both lengths") {
        voice v;
        gpt_error error;
        if (!voice_open(&v, "microgpt", "aaaa\nb\xC3\xA9\n")) break;
        // BOS and 11 tokens.
        CHECK_INT(sampler_begin(&v.s, "aaaaabaaaab", 11, PLAIN, NULL, 1, &error), 12);
        CHECK(sampler_next(&v.s, &error) >= 0 && v.s.ended);
        CHECK_INT(sampler_begin(&v.s,
                                "aaaaabaaaab\xC3\xA9"
                                "a",
                                14, PLAIN, NULL, 1, &error),
                  GPT_E_LONG);
        CHECK(error.value[0] == 13 && error.value[1] == 11); // counts of characters, not of bytes
        probe look = {0};
        CHECK_INT(probe_run(&look, &v.run.net, &v.run.data.tokenizer,
                            "aaaaabaaaab\xC3\xA9"
                            "a",
                            14, false, &error),
                  GPT_E_LONG);
        CHECK(error.value[0] == 13 && error.value[1] == 11);
        CHECK_INT(
            probe_run(&look, &v.run.net, &v.run.data.tokenizer, "aaaaabaaaab", 11, false, &error),
            12);
        probe_close(&look);
        voice_close(&v);
    }
    TEST("of a stream's long prompt only the last T tokens are read") {
        voice v;
        float expected[256];
        if (!voice_open(&v, "tinygpt", TEXT)) break;
        CHECK_INT(sampler_begin(&v.s, "the cat sat on the mat", 22, PLAIN, NULL, 1, NULL), 12);
        memcpy(expected, v.s.probabilities, sizeof expected);
        CHECK_INT(sampler_begin(&v.s, "t on the mat", 12, PLAIN, NULL, 1, NULL), 12);
        CHECK_SAME_BITS(v.s.probabilities, expected, 256);
        voice_close(&v);
    }
    TEST("a stream's empty prompt stands for a line break") {
        voice v;
        float expected[256];
        if (!voice_open(&v, "tinygpt", TEXT)) break;
        CHECK_INT(sampler_begin(&v.s, NULL, 0, PLAIN, NULL, 1, NULL), 1);
        memcpy(expected, v.s.probabilities, sizeof expected);
        CHECK_INT(sampler_begin(&v.s, "\n", 1, PLAIN, NULL, 1, NULL), 1);
        CHECK_SAME_BITS(v.s.probabilities, expected, 256);
        voice_close(&v);
    }
}

/* ---- UTF-8 of an unfinished text ------------------------------------------------------------- */

/* Writes `bytes` (count) to `out` as NUL-terminated text, with U+FFFD for each invalid byte.
 * Returns the length of the text. */
static size_t shown_text(const unsigned char *bytes, size_t count, char *out) {
    const char *from = out;
    for (size_t at = 0; at < count;) {
        utf8_symbol s = utf8_next(bytes + at, count - at);
        memcpy(out, s.valid ? (const char *)bytes + at : "\xEF\xBF\xBD",
               s.valid ? (size_t)s.length : 3);
        out += s.valid ? s.length : 3;
        at += (size_t)s.length;
    }
    *out = 0;
    return (size_t)(out - from);
}

static void test_text(void) {
    static const char bytes[] = "a\xC3\xA9\xE4\xB8\x80\xF0\x9F\x98\x80"       // characters
                                "\xC3z\xE4\xB8z\xF0\x9F\x98z\xFF\x80\xC0\xAF" // invalid sequences
                                "\xE4\xB8"; // an incomplete character
    enum { COUNT = sizeof bytes - 1 };
    TEST("the text so far is valid UTF-8, and a later text begins with it") {
        voice v;
        if (!voice_open(&v, "tinygpt", TEXT)) break;
        (void)sampler_begin(&v.s, "a", 1, PLAIN, NULL, 1, NULL);
        char before[256] = "", now[256], whole[256];
        memcpy(v.s.bytes, bytes, COUNT);
        for (size_t count = 0; count <= COUNT; count++) {
            v.s.byte_count = count;
            int length = sampler_text(&v.s, now, sizeof now, NULL);
            CHECK_INT(length, strlen(now));
            CHECK(strncmp(now, before, strlen(before)) == 0);
            for (int at = 0; at < length;) {
                utf8_symbol s = utf8_next((const unsigned char *)now + at, (size_t)(length - at));
                CHECK(s.valid);
                at += s.length;
            }
            strcpy(before, now);
        }
        (void)shown_text((const unsigned char *)bytes, COUNT - 2, whole);
        CHECK_STRING(now, whole); // the incomplete character is missing
        v.s.ended = true;
        (void)sampler_text(&v.s, now, sizeof now, NULL);
        (void)shown_text((const unsigned char *)bytes, COUNT, whole);
        CHECK_STRING(now, whole); // after the end of the text its bytes are U+FFFD
        voice_close(&v);
    }
    TEST("a byte model's text is valid UTF-8 after every token; gpt_sample_bytes has the raw "
         "bytes") {
        gpt_config *c = gpt_config_create("tinygpt");
        gpt_trainer *t = gpt_trainer_create(c, TEXT, sizeof TEXT - 1);
        if (!CHECK(t != NULL)) break;
        char text[4096], raw[1024], whole[4096];
        CHECK_INT(gpt_sample_begin(gpt_trainer_sampler(t), "a", 1, 2, 0, 1, 3), 1);
        for (int i = 1; i <= 200; i++) {
            int id = gpt_sample_next(gpt_trainer_sampler(t));
            CHECK(id >= 0 && id < 256);
            int length = gpt_sample_text(gpt_trainer_sampler(t), text, sizeof text);
            CHECK_INT(gpt_sample_bytes(gpt_trainer_sampler(t), raw, sizeof raw), i);
            CHECK((unsigned char)raw[i - 1] == id);
            size_t all = shown_text((const unsigned char *)raw, (size_t)i, whole);
            CHECK(length >= 0 && memcmp(text, whole, (size_t)length) == 0);
            CHECK(all - (size_t)length <= 9); // at most 3 bytes (9 as U+FFFD) missing
        }
        CHECK_INT(gpt_sample_text(gpt_trainer_sampler(t), text, 10), GPT_E_CAPACITY);
        CHECK_INT(gpt_sample_bytes(gpt_trainer_sampler(t), raw, 200), GPT_E_CAPACITY);
        CHECK_INT(gpt_sample_bytes(gpt_trainer_sampler(t), raw, 201), 200);
        gpt_trainer_free(t);
        gpt_config_free(c);
    }
    TEST("sampling fails with GPT_E_LONG before the buffer of bytes overflows") {
        voice v;
        gpt_error error;
        if (!voice_open(&v, "tinygpt", TEXT)) break;
        (void)sampler_begin(&v.s, "a", 1, PLAIN, NULL, 1, NULL);
        v.s.byte_count = SAMPLE_BYTES_MAX - TOKEN_BYTES_MAX;
        CHECK(sampler_next(&v.s, &error) >= 0);
        CHECK_INT(sampler_next(&v.s, &error), GPT_E_LONG);
        voice_close(&v);
    }
}

/* ---- chosen tokens, changed weights, several samplers ---------------------------------------- */

static gpt_trainer *trainer_of(const char *preset) {
    gpt_config *c = gpt_config_create(preset);
    static const setting small[] = {SMALL, {"validation", 0}, END};
    for (const setting *s = small; s->name; s++) CHECK_INT(gpt_config_set(c, s->name, s->value), 0);
    gpt_trainer *t = gpt_trainer_create(c, TEXT, strlen(TEXT));
    gpt_config_free(c);
    CHECK(t != NULL);
    return t;
}

static void test_taking(void) {
    enum { T = 12 };
    float expected[257];
    TEST("sampler_append appends a token like a drawn one, without a random number") {
        voice v;
        gpt_error error;
        if (!voice_open(&v, "tinygpt", TEXT)) break;
        CHECK_INT(sampler_begin(&v.s, "the", 3, PLAIN, NULL, 9, NULL), 3);
        uint64_t before = v.s.own_stream.state;
        CHECK_INT(sampler_append(&v.s, 'q', &error), 'q');
        CHECK(v.s.own_stream.state == before);
        full_forward(&v, (int32_t[]){'t', 'h', 'e', 'q'}, 4, expected);
        CHECK_SAME_BITS(v.s.probabilities, expected, v.run.net.vocab);
        CHECK(v.s.byte_count == 1 && v.s.bytes[0] == 'q');
        CHECK_INT(sampler_append(&v.s, -1, &error), GPT_E_ARGUMENT);
        CHECK_INT(sampler_append(&v.s, v.run.net.vocab, &error), GPT_E_ARGUMENT);
        for (int i = 0; i < T; i++) CHECK_INT(sampler_append(&v.s, 'a' + i, &error), 'a' + i);
        CHECK_INT(v.s.refills, 1);
        voice_close(&v);
        if (!voice_open(&v, "microgpt", TEXT)) break;
        int bos = v.run.data.tokenizer.bos;
        CHECK_INT(sampler_begin(&v.s, "cat", 3, PLAIN, NULL, 9, NULL), 4);
        CHECK_INT(sampler_append(&v.s, bos, &error), bos);
        CHECK(v.s.ended);
        CHECK_INT(sampler_append(&v.s, bos, &error), GPT_E_STATE);
        CHECK_INT(sampler_reread(&v.s, &error), GPT_E_STATE);
        voice_close(&v);
    }
    TEST("sampler_reread yields the distribution of a full forward pass with the current weights") {
        voice v;
        gpt_error error;
        if (!voice_open(&v, "tinygpt", TEXT)) break;
        CHECK_INT(sampler_reread(&v.s, &error), GPT_E_STATE);
        CHECK_INT(sampler_begin(&v.s, "the cat", 7, PLAIN, NULL, 9, NULL), 7);
        for (int i = 0; i < 9; i++) CHECK(sampler_next(&v.s, &error) >= 0); // refills the cache
        randomize_weights(&v.run.net, 0.25, 77);
        int rows = v.s.cache.length;
        full_forward(&v, v.s.window, rows, expected);
        CHECK(memcmp(v.s.probabilities, expected, sizeof(float) * 256) != 0);
        CHECK_INT(sampler_reread(&v.s, &error), rows);
        CHECK_INT(v.s.cache.length, rows);
        CHECK_SAME_BITS(v.s.probabilities, expected, v.run.net.vocab);
        voice_close(&v);
    }
    TEST("samplers of one trainer do not affect each other; freeing them releases their memory") {
        char alone[400], text[400];
        gpt_trainer *t = trainer_of("tinygpt");
        double held = gpt_trainer_get(t, "memory_bytes");
        CHECK(gpt_sample(t, "cat", 3, 30, 1, 0, 1, 3, alone, sizeof alone) >= 0);
        gpt_sampler *own = gpt_trainer_sampler(t);
        CHECK_INT(gpt_sample_begin(own, "the", 3, 1, 0, 1, 5), 3);
        gpt_sampler *other = gpt_sampler_create(t), *third = gpt_sampler_create(t);
        CHECK(gpt_trainer_get(t, "memory_bytes") > held);
        CHECK(gpt_sample_context(other) == NULL);
        CHECK_INT(gpt_sample_next(other), GPT_E_STATE);
        CHECK_INT(gpt_sample_begin(other, "cat", 3, 1, 0, 1, 3), 3);
        for (int i = 0; i < 30; i++) {
            CHECK(gpt_sample_next(other) >= 0);
            CHECK(gpt_sample_next(own) >= 0);
        }
        CHECK(gpt_sample_text(other, text, sizeof text) >= 0);
        CHECK(strcmp(text, alone) == 0);
        gpt_sampler_free(other);
        gpt_sampler_free(third);
        gpt_sampler_free(own); // does nothing: `own` belongs to the trainer
        gpt_sampler_free(NULL);
        CHECK(gpt_trainer_get(t, "memory_bytes") == held);
        other = gpt_sampler_create(t);
        CHECK_INT(gpt_sample_begin(own, "the", 3, 1, 0, 1, 5), 3);
        CHECK_INT(gpt_sample_begin(other, "a", 1, 1, 0, 1, 5), 1);
        CHECK_INT(gpt_rewind(t), GPT_OK); // resets the weights, and so ends both texts
        CHECK_INT(gpt_sample_next(other), GPT_E_STATE);
        CHECK_INT(gpt_sample_next(own), GPT_E_STATE);
        gpt_trainer_free(t); // frees `other` too
    }
    TEST("two samplers on copies of the run's stream yield the text of one alone") {
        char alone[400], texts[2][400];
        gpt_trainer *t = trainer_of("tinygpt");
        CHECK(gpt_sample(t, "cat", 3, 30, 1, 0, 1, -1, alone, sizeof alone) >= 0);
        CHECK_INT(gpt_rewind(t), GPT_OK);
        gpt_sampler *both[] = {gpt_trainer_sampler(t), gpt_sampler_create(t)};
        for (int i = 0; i < 2; i++) {
            CHECK_INT(gpt_sample_begin(both[i], "cat", 3, 1, 0, 1, -1), 3);
        }
        for (int i = 0; i < 60; i++) CHECK(gpt_sample_next(both[i % 2]) >= 0);
        for (int i = 0; i < 2; i++) {
            CHECK(gpt_sample_text(both[i], texts[i], sizeof texts[i]) >= 0);
            CHECK_STRING(texts[i], alone);
        }
        gpt_trainer_free(t);
    }
    TEST("a number of tokens out of range is refused") {
        char out[64];
        gpt_trainer *t = trainer_of("tinygpt");
        CHECK_INT(gpt_sample(t, "", 0, -5, 1, 0, 1, 1, out, sizeof out), GPT_E_RANGE);
        CHECK_INT(gpt_sample(t, "", 0, 0, 1, 0, 1, 1, out, sizeof out), GPT_E_RANGE);
        CHECK_INT(gpt_sample(t, "", 0, SAMPLE_BYTES_MAX + 1, 1, 0, 1, 1, out, sizeof out),
                  GPT_E_RANGE);
        CHECK(gpt_sample(t, "", 0, 1, 1, 0, 1, 1, out, sizeof out) >= 0);
        gpt_trainer_free(t);
    }
}

static void test_holes(void) {
    TEST("an n-gram table draws only tokens of the vocabulary, even if most ids are unused") {
        static char vocab[8192], merges[64], out[64];
        gpt_config *config = gpt_config_create("gpt2");
        CHECK_INT(gpt_config_set(config, "channels", 4), GPT_OK);
        CHECK_INT(gpt_config_set(config, "context", 4), GPT_OK);
        CHECK_INT(gpt_config_set(config, "vocabulary", 257), GPT_OK);
        gpt_trainer *trainer = gpt_trainer_create(config, TEXT, sizeof TEXT - 1);
        CHECK(save_file(trainer, "vocab.json", vocab, sizeof vocab) > 0);
        CHECK(save_file(trainer, "merges.txt", merges, sizeof merges) > 0);
        gpt_trainer_free(trainer);
        char *last = strstr(vocab, ":256");
        if (CHECK(last != NULL)) memcpy(last, ":999", 4);
        size_t size = strlen(vocab), more = strlen(merges);
        CHECK_INT(gpt_config_set_bpe(config, vocab, size, merges, more, NULL, 0), GPT_OK);
        trainer = gpt_trainer_create(config, TEXT, sizeof TEXT - 1);
        gpt_trace *t = gpt_trace_create(trainer, TEXT, sizeof TEXT - 1);
        while (gpt_trace_step(t) == GPT_OK) {}
        for (int s = 0; s < 50; s++) CHECK(gpt_trace_write(t, 0, "", 0, 1, s, out, sizeof out) > 0);
        gpt_trace_free(t);
        gpt_trainer_free(trainer);
        gpt_config_free(config);
    }
}

int main(void) {
    test_distribution();
    test_draw();
    test_generation();
    test_prompts();
    test_text();
    test_taking();
    test_holes();
    return check_report();
}
