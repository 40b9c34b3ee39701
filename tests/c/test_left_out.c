/* test_left_out.c - the option left_out in lists of ranges, datasets, receipts and files.
 *
 * Training never reads a left-out byte. The option changes neither the order of documents nor the
 * split, the vocabulary, the held-out text or the initial weights.
 */
#include "api/handles.h"
#include "base/lines.h"
#include "models.h"
#include "saved_files.h"
#include "train/dataset.h"

/* ---- Lists ----------------------------------------------------------------------------------- */

enum { PLACES = 200 };

/* Writes `count` random byte ranges between 0 and `places` in the form of the option left_out, such
 * as "3:9,12:14". A range has at most 12 bytes, but if `count` is 7 the first range has nine tenths
 * of `places`. */
static void write_ranges(char *text, size_t capacity, int count, int places, uint64_t *state) {
    text[0] = 0;
    for (int i = 0; i < count; i++) {
        int from = (int)((random_number(state) + 1) / 2 * (places - 1));
        int most = places - from < 12 ? places - from : 12;
        int length = 1 + (int)((random_number(state) + 1) / 2 * (most - 1));
        if (count == 7 && i == 0) {
            from = 0;
            length = places - places / 10;
        }
        size_t at = strlen(text);
        (void)snprintf(text + at, capacity - at, "%s%d:%d", i ? "," : "", from, from + length);
    }
}

/* Sets marked[i] (PLACES) to true for every byte i of the ranges, else to false. */
static void mark(const char *ranges, bool *marked) {
    int from, to, read;
    memset(marked, 0, PLACES);
    while (sscanf(ranges, "%d:%d%n", &from, &to, &read) == 2) {
        for (int i = from; i < to; i++) marked[i] = true;
        ranges += read + (ranges[read] == ',');
    }
}

static void test_lists(void) {
    TEST("ranges in any order become one ascending list in which no two ranges touch") {
        uint64_t state = 1;
        for (int round = 0; round < 500; round++) {
            char text[512];
            bool marked[PLACES];
            left_out set = {0};
            write_ranges(text, sizeof text, 1 + round % 20, PLACES, &state);
            mark(text, marked);
            CHECK_INT(left_out_read(&set, text, NULL), GPT_OK);
            for (uint32_t i = 0; i < set.count; i++) {
                CHECK(set.ranges[i].from < set.ranges[i].to);
                CHECK(!i || set.ranges[i - 1].to < set.ranges[i].from);
            }
            for (uint64_t i = 0; i < PLACES; i++) {
                CHECK(left_out_touches(&set, i, i + 1) == marked[i]);
                bool near = marked[i] || (i + 1 < PLACES && marked[i + 1]);
                CHECK(left_out_touches(&set, i, i + 2) == near);
            }
        }
    }
    TEST("an invalid range is refused and quoted, and the list is unchanged") {
        static const char *const wrong[][2] = {
            {"5:3", "5:3"},     {"5:5", "5:5"},
            {"1:2,x", "x"},     {"1", "1"},
            {",1:2", ",1:2"},   {"-1:2", "-1:2"},
            {"1:2:3", "1:2:3"}, {"1:2 ", "1:2 "},
            {"1.5:2", "1.5:2"}, {"0:4294967296", "0:4294967296"},
            {"lines", "lines"}, {"0:99999999999999999999999", "0:99999999999999999999999"}};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            config c = config_with("gpt2", NULL);
            gpt_error error = {0};
            CHECK_INT(config_set_text(&c, "left_out", "7:9", &error), GPT_OK);
            CHECK_INT(config_set_text(&c, "left_out", wrong[i][0], &error), GPT_E_LEFT_OUT_RANGE);
            CHECK_STRING(error.name, wrong[i][1]);
            CHECK(c.left_out.count == 1 && c.left_out.ranges[0].from == 7);
        }
        config c = config_with("gpt2", NULL);
        CHECK_INT(config_set_text(&c, "left_out", "0:4294967295,", NULL), GPT_OK);
        CHECK(c.left_out.ranges[0].to == UINT32_MAX);
        CHECK_INT(config_set_text(&c, "left_out", "", NULL), GPT_OK);
        CHECK_INT(c.left_out.count, 0);
        CHECK_INT(config_set(&c, "left_out", 1, NULL), GPT_E_OPTION);
    }
    TEST("a list has at most 256 ranges once touching ranges are joined") {
        for (int extra = 0; extra < 2; extra++) {
            char text[8 * (LEFT_OUT_MAX + 1)] = "";
            left_out set = {0};
            gpt_error error = {0};
            for (int i = 0; i < LEFT_OUT_MAX + extra; i++) {
                size_t at = strlen(text);
                (void)snprintf(text + at, sizeof text - at, "%d:%d,", 2 * i, 2 * i + 1);
            }
            CHECK_INT(left_out_read(&set, text, &error), extra ? GPT_E_LEFT_OUT_COUNT : GPT_OK);
            CHECK_INT(set.count, extra ? 0 : LEFT_OUT_MAX);
            CHECK(!extra || error.value[0] == LEFT_OUT_MAX);
            CHECK(extra || (left_out_add(&set, 3, 4) && set.count == LEFT_OUT_MAX - 1));
        }
    }
}

/* ---- Datasets -------------------------------------------------------------------------------- */

typedef struct data_bench {
    arena memory;
    bpe_source bpe_vocab;
    dataset d;
    rng stream; /* the run's random stream, after the shuffle of the documents */
} data_bench;

/* Opens and shuffles a dataset as a trainer does. Checks that opening it in an arena that only
 * counts bytes has the same status, number of documents and left-out list. Returns the status of
 * dataset_open. */
static int bench_open(data_bench *k, const config *c, const char *text) {
    dataset measured;
    arena measuring;
    memset(k, 0, sizeof *k);
    arena_open_measuring(&measuring);
    int known = dataset_open(&measured, c, NULL, &k->bpe_vocab, text, strlen(text), &measuring,
                             NULL);
    CHECK_INT(arena_open(&k->memory, (uint64_t)1 << 22, NULL), GPT_OK);
    int status = dataset_open(&k->d, c, NULL, &k->bpe_vocab, text, strlen(text), &k->memory, NULL);
    CHECK_INT(known, status);
    CHECK(measured.train_documents == k->d.train_documents &&
          left_out_same(&measured.left_out, &k->d.left_out));
    k->stream = rng_from_seed((uint64_t)c->value[OPT_SEED]);
    if (status == GPT_OK) dataset_shuffle(&k->d, &k->stream);
    return status;
}

static void bench_close(data_bench *k) {
    bpe_source_close(&k->bpe_vocab);
    arena_close(&k->memory);
}

/* Writes random lines, some of them empty, with characters of one to three bytes. */
static void write_text(char text[PLACES + 1], uint64_t *state) {
    static const char *const pieces[] = {"a", "b",    "th",  "e ", "\n", "\xC3\xA9", "\xE4\xB8\xAD",
                                         "c", "\r\n", "the "};
    text[0] = 0;
    for (size_t at = 0; at < PLACES - 4; at = strlen(text)) {
        strcat(text, pieces[(int)((random_number(state) + 1) / 2 * 10) % 10]);
    }
}

static bool touches_marked(const bool *marked, uint64_t from, uint64_t to) {
    bool found = false;
    for (uint64_t i = from; i < to; i++) found |= marked[i];
    return found;
}

static void test_documents(void) {
    TEST("left-out documents are skipped; the others keep their order, tokens and split") {
        uint64_t state = 2;
        int refused = 0, skipped = 0;
        for (int round = 0; round < 300; round++) {
            char text[PLACES + 1], ranges[256];
            bool marked[PLACES];
            write_text(text, &state);
            write_ranges(ranges, sizeof ranges, 1 + round % 9, (int)strlen(text), &state);
            mark(ranges, marked);
            config c = config_with("microgpt", (setting[]){{"tokenizer", round % 3},
                                                           {"vocabulary", 260},
                                                           {"validation", round % 4 * 0.15},
                                                           {"context", 8},
                                                           {"seed", round},
                                                           END});
            data_bench all, some;
            CHECK_INT(bench_open(&all, &c, text), GPT_OK);
            CHECK_INT(config_set_text(&c, "left_out", ranges, NULL), GPT_OK);
            int status = bench_open(&some, &c, text);
            uint32_t expected[PLACES];
            uint64_t count = 0;
            bool out[PLACES] = {false};
            text_line line = {0};
            for (uint64_t i = 0; lines_next(text, strlen(text), &line); i++) {
                out[i] = touches_marked(marked, line.start, line.start + line.length);
            }
            for (uint64_t i = 0; i < all.d.train_documents; i++) {
                if (!out[all.d.order[i]]) expected[count++] = all.d.order[i];
            }
            CHECK_INT(status, count ? GPT_OK : GPT_E_LEFT_OUT_ALL);
            refused += !count;
            skipped += count < all.d.train_documents;
            if (status == GPT_OK) {
                dataset *d = &some.d;
                CHECK_INT(d->train_documents, count);
                CHECK_INT(dataset_left_out(d), all.d.train_documents - count);
                CHECK(memcmp(d->order, expected, count * sizeof *expected) == 0);
                uint64_t held_out = dataset_held_out(&all.d);
                CHECK_INT(dataset_held_out(d), held_out);
                CHECK(memcmp(d->order + all.d.train_documents, all.d.order + all.d.train_documents,
                             held_out * sizeof *d->order) == 0);
                char held[2][PLACES + 1];
                CHECK(dataset_held_out_text(d, (unsigned char *)held[0], PLACES) ==
                      dataset_held_out_text(&all.d, (unsigned char *)held[1], PLACES));
                CHECK(d->token_count == all.d.token_count &&
                      d->tokenizer.vocab == all.d.tokenizer.vocab &&
                      memcmp(d->tokens, all.d.tokens, d->token_count * sizeof *d->tokens) == 0);
                CHECK(some.stream.state == all.stream.state); // so the initial weights are the same
            }
            bench_close(&all);
            bench_close(&some);
        }
        CHECK(refused > 5 && skipped > 200);
    }
    TEST("batches cycle through the remaining documents and contain no other") {
        static const char text[] = "a\nb\nc\nd\ne\nf\ng\n";
        config c = config_with("microgpt", (setting[]){{"context", 4}, END});
        // Leaves out b, e and f.
        CHECK_INT(config_set_text(&c, "left_out", "2:3,8:11", NULL), GPT_OK);
        data_bench k;
        int32_t inputs[64], targets[64];
        batch b = {.inputs = inputs, .targets = targets};
        if (!CHECK_INT(bench_open(&k, &c, text), GPT_OK)) break;
        int times[7] = {0};
        for (uint64_t step = 0; step < 8; step++) {
            dataset_batch(&k.d, &b, step * 3 % k.d.train_documents, 3, &k.stream);
            for (int row = 0; row < 3; row++) times[targets[row * b.T]]++;
        }
        for (int i = 0; i < 7; i++) CHECK_INT(times[i], i == 1 || i == 4 || i == 5 ? 0 : 6);
        bench_close(&k);
    }
}

/* ---- Streams --------------------------------------------------------------------------------- */

/* Sets place[i] to the byte at which token i begins, and the entry after the last token to the end
 * of the text. */
static void find_places(const dataset *d, uint64_t *place) {
    unsigned char bytes[TOKEN_BYTES_MAX];
    place[0] = 0;
    for (uint64_t i = 0; i < d->token_count; i++) {
        place[i + 1] = place[i] + (uint64_t)tokenizer_bytes(&d->tokenizer, d->tokens[i], bytes);
    }
}

static void test_streams(void) {
    TEST("windows never touch left-out bytes: a draw that would is repeated") {
        uint64_t state = 3;
        int refused = 0, redrawn = 0;
        for (int round = 0; round < 400; round++) {
            enum { B = 4, T = 5 };
            char text[PLACES + 1], ranges[256];
            bool marked[PLACES];
            write_text(text, &state);
            write_ranges(ranges, sizeof ranges, 1 + round % 13, (int)strlen(text), &state);
            mark(ranges, marked);
            config c = config_with("gpt2", (setting[]){{"tokenizer", round % 3},
                                                       {"vocabulary", 262},
                                                       {"validation", round % 2 * 0.2},
                                                       {"context", T},
                                                       {"seed", round},
                                                       END});
            data_bench all, some;
            CHECK_INT(bench_open(&all, &c, text), GPT_OK);
            CHECK_INT(config_set_text(&c, "left_out", ranges, NULL), GPT_OK);
            int status = bench_open(&some, &c, text);
            uint64_t place[PLACES + 1], starts = all.d.train_tokens - T, remain = 0, left = 0;
            find_places(&all.d, place);
            for (uint64_t i = 0; i < starts; i++) {
                remain += !touches_marked(marked, place[i], place[i + T + 1]);
            }
            for (uint64_t i = 0; i < all.d.train_tokens; i++) {
                left += touches_marked(marked, place[i], place[i + 1]);
            }
            CHECK_INT(status, remain ? GPT_OK : GPT_E_LEFT_OUT_ALL);
            refused += !remain;
            for (int step = 0; status == GPT_OK && step < 20; step++) {
                int32_t inputs[B * T], targets[B * T];
                batch b = {.inputs = inputs, .targets = targets};
                dataset_batch(&some.d, &b, 0, B, &some.stream);
                for (int row = 0; row < B; row++) {
                    uint64_t start = (uint64_t)(rng_uniform(&all.stream) * (double)starts);
                    while (touches_marked(marked, place[start], place[start + T + 1])) {
                        start = (uint64_t)(rng_uniform(&all.stream) * (double)starts);
                        redrawn++;
                    }
                    for (int t = 0; t < T; t++) {
                        CHECK(inputs[row * T + t] == all.d.tokens[start + (uint64_t)t] &&
                              targets[row * T + t] == all.d.tokens[start + (uint64_t)t + 1]);
                    }
                }
            }
            if (status == GPT_OK) {
                CHECK_INT(dataset_left_out(&some.d), left);
                CHECK(some.d.train_tokens == all.d.train_tokens &&
                      some.d.tokenizer.vocab == all.d.tokenizer.vocab);
            }
            bench_close(&all);
            bench_close(&some);
        }
        CHECK(refused > 5 && redrawn > 1000);
    }
    TEST("a stream is refused, with its counts of windows, if left-out bytes leave fewer than 1 in "
         "1000") {
        enum { BYTES = 3004, T = 4 };
        char text[BYTES + 1] = {0};
        memset(text, 'x', BYTES);
        for (int remain = 1; remain < 5; remain++) {
            config c = config_with("gpt2", (setting[]){{"context", T}, {"validation", 0}, END});
            char ranges[32];
            (void)snprintf(ranges, sizeof ranges, "%d:%d", T + remain, BYTES);
            CHECK_INT(config_set_text(&c, "left_out", ranges, NULL), GPT_OK);
            arena measuring;
            dataset d;
            gpt_error error = {0};
            arena_open_measuring(&measuring);
            int status = dataset_open(&d, &c, NULL, NULL, text, BYTES, &measuring, &error);
            CHECK_INT(status, remain < 3 ? GPT_E_LEFT_OUT_ALL : GPT_OK);
            CHECK(remain > 2 || (error.value[0] == remain && error.value[1] == BYTES - T));
        }
    }
    TEST("a range beyond the text is refused with its last byte and the length of the text") {
        for (int kind = 0; kind < 2; kind++) {
            config c = config_with(kind ? "microgpt" : "gpt2", (setting[]){{"context", 4}, END});
            CHECK_INT(config_set_text(&c, "left_out", "3:11", NULL), GPT_OK);
            arena measuring;
            dataset d;
            gpt_error error = {0};
            arena_open_measuring(&measuring);
            CHECK_INT(dataset_open(&d, &c, NULL, NULL, "anna\nbella", 10, &measuring, &error),
                      GPT_E_LEFT_OUT_END);
            CHECK(error.value[0] == 10 && error.value[1] == 10);
        }
    }
}

/* ---- Receipts and files ---------------------------------------------------------------------- */

/* Returns a small run after `steps` steps that never read the byte ranges `ranges` of its text
 * (option left_out). */
static gpt_trainer *train(const char *preset, const char *text, const char *ranges, int steps) {
    gpt_config *config = small(preset);
    CHECK_INT(gpt_config_set_text(config, "left_out", ranges), GPT_OK);
    gpt_trainer *trainer = gpt_trainer_create(config, text, strlen(text));
    for (int i = 0; CHECK(trainer != NULL) && i < steps; i++) CHECK_INT(gpt_step(trainer), GPT_OK);
    gpt_config_free(config);
    return trainer;
}

/* Returns the receipt of the run that train() makes, in static memory that the second next call
 * overwrites. */
static char *receipt_of_run(const char *preset, const char *text, const char *ranges, int steps) {
    static char json[2][1 << 15];
    static int which;
    char *out = json[which = !which];
    gpt_trainer *trainer = train(preset, text, ranges, steps);
    CHECK(gpt_receipt_json(trainer, out, sizeof json[0]) > 0);
    gpt_trainer_free(trainer);
    return out;
}

/* Replays a receipt. Returns 1 if the run is the same, 0 if it differs, a negative status if the
 * receipt is refused. */
static int replay(const char *json, const char *text) {
    gpt_config *config = gpt_config_create("gpt2");
    gpt_verifier *verifier = gpt_verify_open(config, json, strlen(json), text, strlen(text));
    int result = verifier ? 0 : config->error.status;
    while (verifier && gpt_verify_step(verifier) == GPT_OK) {}
    result = verifier ? gpt_verify_same(verifier) : result;
    gpt_verify_free(verifier);
    gpt_config_free(config);
    return result;
}

static const char *const PRESETS[] = {"tinygpt", "microgpt", "gpt2"};

static const char *text_of(const char *preset) {
    return strcmp(preset, "microgpt") == 0 ? LINES : STREAM;
}

static void test_receipts(void) {
    TEST("equal sets of left-out bytes have equal receipts, other sets do not; all verify") {
        for (int p = 0; p < 3; p++) {
            const char *text = text_of(PRESETS[p]);
            char first[1 << 15];
            strcpy(first, receipt_of_run(PRESETS[p], text, "5:8,9:15", 6));
            CHECK(strstr(first, ",\"left_out\":[[5,8],[9,15]]}") != NULL);
            CHECK_STRING(receipt_of_run(PRESETS[p], text, "9:12,5:7,6:8,12:15", 6), first);
            CHECK(strcmp(receipt_of_run(PRESETS[p], text, "5:15", 6), first) != 0);
            CHECK_INT(replay(first, text), 1);
            const char *all = receipt_of_run(PRESETS[p], text, "", 6);
            CHECK(strstr(all, "left_out") == NULL);
            CHECK_INT(replay(all, text), 1);
        }
    }
    TEST("a receipt whose left_out was altered is refused") {
        // The hash of the recipe in the receipt's short form covers left_out: an altered list
        // contradicts the short form.
        char *json = receipt_of_run("microgpt", LINES, "5:8", 6);
        char *place = strstr(json, "[[5,8]]");
        if (!CHECK(place != NULL)) break;
        place[4] = '7';
        CHECK_INT(replay(json, LINES), GPT_E_RECEIPT);
    }
    TEST("a receipt whose left_out is not in canonical form is refused") {
        static const char *const forms[] = {"[[8,5]]",
                                            "[[5,5]]",
                                            "[]",
                                            "[[]]",
                                            "[[5]]",
                                            "[[5,8,9]]",
                                            "[[5,6],[6,8]]",
                                            "[[6,8],[5,7]]",
                                            "[5,8]",
                                            "\"5:8\"",
                                            "[[5,8]",
                                            "[[-1,8]]",
                                            "[[5.5,8]]",
                                            "7",
                                            "[[5,4294967296]]",
                                            "[[5,8]],\"left_out\":[[5,8]]"};
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            const char *json = receipt_of_run("microgpt", LINES, "5:8", 1);
            const char *place = strstr(json, "[[5,8]]");
            char changed[1 << 15];
            if (!CHECK(place != NULL)) break;
            (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(place - json), json, forms[i],
                           place + 7);
            CHECK_INT(replay(changed, LINES), GPT_E_RECEIPT);
        }
    }
    TEST("the number of threads changes no bit of a run with left_out") {
        char one[1 << 15];
        (void)gpt_threads_use(1);
        strcpy(one, receipt_of_run("gpt2", STREAM, "20:23", 8));
        (void)gpt_threads_use(4);
        CHECK_STRING(receipt_of_run("gpt2", STREAM, "20:23", 8), one);
        gpt_threads_stop();
    }
    TEST("a rewound run with left_out has the receipt of a new run") {
        for (int p = 0; p < 3; p++) {
            const char *text = text_of(PRESETS[p]);
            char json[1 << 15];
            gpt_trainer *trainer = train(PRESETS[p], text, "5:8", 7);
            CHECK_INT(gpt_rewind(trainer), GPT_OK);
            for (int i = 0; i < 4; i++) CHECK_INT(gpt_step(trainer), GPT_OK);
            CHECK(gpt_receipt_json(trainer, json, sizeof json) > 0);
            gpt_trainer_free(trainer);
            CHECK_STRING(receipt_of_run(PRESETS[p], text, "5:8", 4), json);
        }
    }
}

static void test_files(void) {
    TEST("a run with left_out resumes from its checkpoint to the bit") {
        for (int p = 0; p < 3; p++) {
            const char *text = text_of(PRESETS[p]);
            gpt_trainer *whole = train(PRESETS[p], text, "5:8", 4);
            blob file = save(whole, "checkpoint", "");
            gpt_config *config = gpt_config_create("gpt2");
            gpt_trainer *resumed = load_ours(config, file, 700, "resume", text);
            char json[2][1 << 15];
            for (int i = 0; CHECK(resumed != NULL) && i < 9; i++) {
                CHECK_INT(gpt_step(whole), GPT_OK);
                CHECK_INT(gpt_step(resumed), GPT_OK);
                CHECK(gpt_loss(whole) == gpt_loss(resumed));
            }
            CHECK(gpt_receipt_json(whole, json[0], sizeof json[0]) > 0 &&
                  gpt_receipt_json(resumed, json[1], sizeof json[1]) > 0);
            CHECK_STRING(json[0], json[1]);
            CHECK(same_weights(whole, resumed));
            gpt_trainer_free(whole);
            gpt_trainer_free(resumed);
            gpt_config_free(config);
            free(file.bytes);
        }
    }
    TEST("a checkpoint resumes only with its own left_out") {
        gpt_trainer *trainer = train("microgpt", LINES, "5:8", 2);
        blob file = save(trainer, "checkpoint", "");
        static const char *const others[] = {"", "5:9", "5:8,11:12"};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            gpt_config *config = gpt_config_create("gpt2");
            gpt_loader *loader = gpt_load_open(config, "safetensors", (double)file.size);
            CHECK(gpt_load_feed(loader, file.bytes, file.size) > 0);
            char json[64];
            CHECK(gpt_config_left_out_json(config, json, sizeof json) > 0);
            CHECK_STRING(json, "[[5,8]]");
            CHECK_INT(gpt_config_set_text(config, "left_out", others[i]), GPT_OK);
            CHECK_INT(gpt_load_begin(loader, "resume", LINES, strlen(LINES)), GPT_E_FIXED);
            CHECK_STRING(config->error.name, "left_out");
            gpt_load_free(loader);
            gpt_config_free(config);
        }
        gpt_trainer_free(trainer);
        free(file.bytes);
    }
    TEST("a checkpoint whose order trains on a left-out document is refused") {
        gpt_trainer *trainer = train("microgpt", LINES, "5:8", 2);
        uint32_t *order = trainer->run.data.order, first = order[0];
        uint64_t last = trainer->run.data.train_documents; // place of "bob", the left-out document
        CHECK_INT(order[last], 1);
        order[0] = order[last];
        order[last] = first;
        blob file = save(trainer, "checkpoint", "");
        gpt_config *config = gpt_config_create("gpt2");
        CHECK(load_ours(config, file, 700, "resume", LINES) == NULL);
        CHECK_INT(status_of(config), GPT_E_FILE);
        CHECK_STRING(config->error.name, "run.order");
        gpt_trainer_free(trainer);
        gpt_config_free(config);
        free(file.bytes);
    }
    TEST("a file of weights keeps left_out for its own text and drops it for another") {
        gpt_trainer *trainer = train("microgpt", LINES, "5:8", 2);
        blob file = save(trainer, "weights", "");
        static const char other[] = "bob\nanna\nzo\xC3\xAB\n";
        const char *const texts[] = {NULL, LINES, other};
        static const int left[] = {0, 1, 0};
        for (int i = 0; i < 3; i++) {
            gpt_config *config = gpt_config_create("gpt2");
            gpt_trainer *loaded = load_ours(config, file, 700, i ? "train" : "generate", texts[i]);
            if (!CHECK(loaded != NULL)) break;
            CHECK_INT(gpt_trainer_get(loaded, "left_out"), left[i]);
            CHECK_INT(loaded->run.net.options.left_out.count, i < 2);
            gpt_trainer_free(loaded);
            gpt_config_free(config);
        }
        gpt_trainer_free(trainer);
        free(file.bytes);
    }
    TEST("fitting the recipe to a text keeps left_out") {
        gpt_config *config = gpt_config_create("gpt2");
        char json[64];
        CHECK_INT(gpt_config_set_text(config, "left_out", "5:8"), GPT_OK);
        CHECK_INT(gpt_config_fit(config, 0, LINES, strlen(LINES), NULL, 0), GPT_OK);
        CHECK(gpt_config_left_out_json(config, json, sizeof json) > 0);
        CHECK_STRING(json, "[[5,8]]");
        CHECK_INT(gpt_config_left_out_json(config, json, 4), GPT_E_CAPACITY);
        CHECK_INT(gpt_config_left_out_json(NULL, json, sizeof json), GPT_E_ARGUMENT);
        gpt_config_free(config);
    }
}

int main(void) {
    test_lists();
    test_documents();
    test_streams();
    test_receipts();
    test_files();
    return check_report();
}
