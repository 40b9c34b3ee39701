/* test_receipt_runs.c - the receipt of every honest run verifies.
 *
 * Runs are random: their preset, tokenizer and options, and the actions between steps: changes of
 * options, samples from either random stream, probes, validation, rewinds, saving and resuming,
 * forks on another text. A step that diverges is tried again. The argument is the number of runs
 * (30 without one); `make test-receipts` makes a thousand.
 */
#include <stdlib.h>

#include "api/gpt.h"
#include "base/rng.h"
#include "calls.h"
#include "check.h"

static const char TEXT[] = "anna\nbella\ncarla\ndora\nemma\nfrida\ngréta\nhanna\nida\njana\n";
enum { TEXT_BYTES = sizeof TEXT - 1 };

/* The texts that forks train on. The second text has only characters of the first: a fork keeps the
 * vocabulary. */
static const char *const TEXTS[] = {TEXT, "a jar\nfar land\nelf\nred arc\nember\nbread\n"};
enum { TEXT_COUNT = 2, SEED = 6 };

static const char *text; /* the text of the current run */
static int forks;        /* forks of all runs so far */
static bool one_text;    /* TEXT is the text of all runs of the receipt */

static rng dice;

/* A random whole number in [0, count). */
static int roll(int count) {
    return (int)(rng_uniform(&dice) * count);
}

/* A random power of ten from 10^low to 10^high. */
static double power(int low, int high) {
    double value = 1;
    for (int i = low + roll(high - low + 1); i != 0; i += i < 0 ? 1 : -1) {
        value = i < 0 ? value / 10 : value * 10;
    }
    return value;
}

/* Returns a random recipe of a small model. Every combination of the values below is valid. */
static gpt_config *random_config(void) {
    static const char *const presets[] = {"tinygpt", "microgpt", "gpt2"};
    gpt_config *c = gpt_config_create(presets[roll(3)]);
    const struct {
        const char *name;
        double value;
    } options[] = {
        {"layers", 1 + roll(2)},
        {"heads", 1 + roll(2)},
        {"channels", 4 + 4 * roll(2)},
        {"context", 4 + 2 * roll(3)},
        {"batch", 1 + roll(3)},
        {"tokenizer", roll(3)},
        {"vocabulary", 256 + roll(5)},
        {"sequences", roll(2)},
        {"special_tokens", roll(2)},
        {"validation", roll(3) ? 0 : 0.2},
        {"seed", roll(1000)},
        {"norm", roll(2)},
        {"activation", roll(2)},
        {"tied_head", roll(2)},
        {"embedding_norm", roll(2)},
        {"steps", 10 + roll(40)},
        {"schedule", roll(3)},
        {"warmup", roll(8)},
        {"lr", power(-3, 1)},
        {"weight_decay", roll(4) ? power(-2, 1) : -0.0},
        {"clip", roll(4) ? roll(2) : -0.0},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        CHECK_INT(gpt_config_set(c, options[i].name, options[i].value), GPT_OK);
    }
    static const char *const left_out[] = {"", "7:8", "0:4,30:37"};
    CHECK_INT(gpt_config_set_text(c, "left_out", left_out[roll(3)]), GPT_OK);
    return c;
}

/* Saves a checkpoint of `t` and loads it with the purpose "resume" or "fork". Returns the new
 * trainer; NULL if the run cannot be forked. The caller frees both trainers. */
static gpt_trainer *saved_and_loaded(gpt_trainer *t, const char *purpose) {
    bool forks_now = strcmp(purpose, "fork") == 0;
    const char *of = forks_now ? TEXTS[roll(TEXT_COUNT)] : text;
    gpt_saver *saver = gpt_save_open(t, "checkpoint", NULL, 0);
    size_t size = (size_t)gpt_save_bytes(saver), taken = 0;
    char *file = malloc(size);
    CHECK(gpt_save_read(saver, file, size) == (double)size);
    gpt_save_free(saver);
    gpt_config *config = gpt_config_create("tinygpt");
    gpt_loader *loader = gpt_load_open(config, "safetensors", (double)size);
    taken = (size_t)gpt_load_feed(loader, file, size);
    if (forks_now) {
        CHECK_INT(gpt_config_set(config, "lr", power(-3, -1)), GPT_OK);
        CHECK_INT(gpt_config_set(config, "seed", roll(1000)), GPT_OK);
        CHECK_INT(gpt_config_set(config, "batch", 1 + roll(3)), GPT_OK);
        if (roll(2)) CHECK_INT(gpt_config_set(config, "context", 4), GPT_OK);
    }
    int status = gpt_load_begin(loader, purpose, of, strlen(of));
    CHECK(status == GPT_OK || forks_now);
    gpt_trainer *loaded = NULL;
    if (status == GPT_OK) {
        (void)gpt_load_feed(loader, file + taken, size - taken);
        loaded = gpt_load_finish(loader);
        CHECK(loaded != NULL);
        text = of;
        one_text = one_text && of == TEXT;
        forks += forks_now;
    }
    gpt_load_free(loader);
    gpt_config_free(config);
    free(file);
    return loaded;
}

/* Frees `t` and returns `by`; returns `t` if `by` is NULL. */
static gpt_trainer *replaced(gpt_trainer *t, gpt_trainer *by) {
    if (by) gpt_trainer_free(t);
    return by ? by : t;
}

/* Performs a random action that a client may take between two steps. Returns the trainer that
 * continues the run: `t`, or another one if `t` was freed. */
static gpt_trainer *disturb(gpt_trainer *t) {
    static const char *const live[] = {"lr", "weight_decay", "clip", "schedule", "warmup"};
    char out[256];
    switch (roll(10)) {
    case 0:
        CHECK_INT(gpt_trainer_set(t, live[roll(2)], power(-3, 0)), GPT_OK);
        break;
    case 1:
        CHECK_INT(gpt_trainer_set(t, live[2 + roll(3)], roll(4) ? roll(3) : -0.0), GPT_OK);
        break;
    case 2:
        (void)gpt_sample(t, "", 0, 1 + roll(8), 1, roll(4), 0.9, -1, out, sizeof out);
        break;
    case 3:
        (void)gpt_sample(t, "an", 2, 1 + roll(8), 0.5, 0, 1, roll(9), out, sizeof out);
        break;
    case 4:
        (void)gpt_probe(t, "an", 2, roll(2));
        break;
    case 5:
        (void)gpt_validate(t, 3);
        break;
    case 6:
        return replaced(t, saved_and_loaded(t, "resume"));
    case 7:
        if (!roll(8)) CHECK(gpt_rewind(t) == GPT_OK || forks > 0);
        break;
    case 8:
        return replaced(t, saved_and_loaded(t, "fork"));
    default:
        break;
    }
    return t;
}

/* Returns a config for a replay. At random the config has an imported vocabulary, which the replay
 * must ignore. */
static gpt_config *fresh_config(void) {
    gpt_config *c = gpt_config_create("microgpt");
    if (roll(2)) {
        static char vocab[8192], merges[256];
        static const char words[] = "zoozoo zoozoo zoozoo";
        gpt_config *learning = gpt_config_create("gpt2");
        CHECK_INT(gpt_config_set(learning, "vocabulary", 258), GPT_OK);
        CHECK_INT(gpt_config_set(learning, "context", 4), GPT_OK);
        gpt_trainer *t = gpt_trainer_create(learning, words, strlen(words));
        int vocab_bytes = save_file(t, "vocab.json", vocab, sizeof vocab);
        int merges_bytes = save_file(t, "merges.txt", merges, sizeof merges);
        CHECK_INT(gpt_config_set_bpe(c, vocab, (size_t)vocab_bytes, merges, (size_t)merges_bytes,
                                     NULL, 0),
                  GPT_OK);
        gpt_trainer_free(t);
        gpt_config_free(learning);
    }
    return c;
}

/* Opens a replay with gpt_verify_open_all or, if all runs have the same text, at random with
 * gpt_verify_open and a text that is freed at once. */
static gpt_verifier *open_replay(gpt_config *c, const char *json, size_t bytes) {
    size_t sizes[TEXT_COUNT] = {TEXT_BYTES, strlen(TEXTS[1])};
    if (!one_text || roll(2)) {
        return gpt_verify_open_all(c, json, bytes, TEXTS, sizes, TEXT_COUNT);
    }
    char *copy = malloc(TEXT_BYTES);
    memcpy(copy, TEXT, TEXT_BYTES);
    gpt_verifier *v = gpt_verify_open(c, json, bytes, copy, TEXT_BYTES);
    free(copy);
    return v;
}

/* Makes a random run and replays its receipt. True if the replay has the same losses and weights.
 * Adds 1 to *diverged if the run diverged. */
static bool verifies(int *diverged) {
    static char json[1 << 18], finding[512];
    text = TEXT;
    one_text = true;
    gpt_config *config = random_config();
    gpt_trainer *t = gpt_trainer_create(config, TEXT, TEXT_BYTES);
    gpt_config_free(config);
    if (!CHECK(t != NULL)) return true;
    int status = GPT_OK;
    for (int i = roll(60); i > 0 && t; i--) {
        status = gpt_step(t);
        if (status == GPT_E_DIVERGED) {
            *diverged += 1;
            (void)gpt_trainer_set(t, "lr", 1e-6);
            for (int again = 0; again < 3; again++) CHECK_INT(gpt_step(t), GPT_E_DIVERGED);
            break;
        }
        t = roll(3) ? t : disturb(t);
    }
    if (!t) return false;
    int length = gpt_receipt_json(t, json, sizeof json);
    gpt_trainer_free(t);
    gpt_config *fresh = fresh_config();
    gpt_verifier *v = length > 0 ? open_replay(fresh, json, (size_t)length) : NULL;
    while (gpt_verify_step(v) == GPT_OK) {}
    bool same = v && gpt_verify_json(v, finding, sizeof finding) > 0 &&
                strncmp(finding, "{\"same\":true", 12) == 0;
    if (!same) printf("  %s\n  %.*s\n", v ? finding : "refused", length > 900 ? 900 : length, json);
    gpt_verify_free(v);
    gpt_config_free(fresh);
    return same;
}

int main(int count, char **words) {
    int runs = count > 1 ? atoi(words[1]) : 30, diverged = 0;
    TEST("the receipt of every random run verifies") {
        dice = rng_from_mixed_seed(SEED);
        for (int i = 0; i < runs; i++) {
            if (!CHECK(verifies(&diverged))) printf("  run %d of seed %d\n", i, SEED);
        }
        CHECK(diverged > 0 && forks > 0); // divergence and forks were tested
    }
    printf("%d runs, %d of them diverged, %d forks\n", runs, diverged, forks);
    return check_report();
}
