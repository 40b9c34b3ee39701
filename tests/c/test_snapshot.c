/* test_snapshot.c - restoring a snapshot of any step: the same weights, and the same later steps to
 * the bit. */
#include "api/handles.h"
#include "io/receipt.h"
#include "models.h"
#include "saved_files.h"

enum { STEPS = 24, CHANGED_AT = 9 };

static const char TEXT[] = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n"
                           "the hat sat on the cat\nand the rat sat on that\n";

static gpt_trainer *open_run(const char *preset, double seed) {
    gpt_config *c = gpt_config_create(preset);
    static const setting settings[] = {{"layers", 1},       {"heads", 2}, {"channels", 16},
                                       {"context", 8},      {"batch", 2}, {"steps", STEPS},
                                       {"validation", 0.2}, END};
    if (preset[0] == 'g') CHECK_INT(gpt_config_set(c, "tokenizer", 0), GPT_OK);
    for (const setting *s = settings; s->name; s++)
        CHECK_INT(gpt_config_set(c, s->name, s->value), GPT_OK);
    CHECK_INT(gpt_config_set(c, "seed", seed), GPT_OK);
    gpt_trainer *t = gpt_trainer_create(c, TEXT, sizeof TEXT - 1);
    CHECK(t != NULL);
    gpt_config_free(c);
    return t;
}

/* Trains one step. Changes the learning rate after CHANGED_AT steps: a run that is repeated from a
 * snapshot must make the same change. */
static void one_step(gpt_trainer *t) {
    if (gpt_trainer_get(t, "step") == CHANGED_AT) {
        CHECK_INT(gpt_trainer_set(t, "lr", 0.004), GPT_OK);
    }
    CHECK_INT(gpt_step(t), GPT_OK);
}

/* A snapshot (owns) and the hash of the weights in it. */
typedef struct taken {
    unsigned char *snapshot;
    size_t bytes;
    unsigned char weights[SHA256_BYTES];
} taken;

static taken take(gpt_trainer *t) {
    taken one = {.bytes = gpt_snapshot_bytes(t)};
    one.snapshot = malloc(one.bytes);
    CHECK(one.snapshot != NULL);
    CHECK_INT(gpt_snapshot_write(t, one.snapshot, one.bytes), GPT_OK);
    receipt_hash_weights(&t->run.net, one.weights);
    return one;
}

static bool has_weights(const gpt_trainer *t, const taken *of) {
    unsigned char digest[SHA256_BYTES];
    receipt_hash_weights(&t->run.net, digest);
    return memcmp(digest, of->weights, sizeof digest) == 0;
}

/* Returns the receipt of `t` at its current step; the caller frees it. */
static char *receipt_of(gpt_trainer *t) {
    enum { ROOM = 1 << 14 };
    char *json = calloc(1, ROOM);
    CHECK(json != NULL && gpt_receipt_json(t, json, ROOM) > 0);
    return json;
}

static void test_every_step(void) {
    for (int p = 0; p < PRESET_COUNT; p++) {
        const char *preset = CONFIG_PRESETS[p];
        gpt_trainer *run = open_run(preset, 7), *quiet = open_run(preset, 7),
                    *other = open_run(preset, 7);
        taken snapshots[STEPS + 1];
        for (int step = 0; step <= STEPS; step++) {
            snapshots[step] = take(run);
            if (step < STEPS) one_step(run);
        }
        char *end = receipt_of(run);
        char sentence[128];
        snprintf(sentence, sizeof sentence, "%s: writing snapshots changes no bit of a run",
                 preset);
        TEST(sentence) {
            for (int step = 0; step < STEPS; step++) one_step(quiet);
            CHECK(has_weights(quiet, &snapshots[STEPS]));
        }
        snprintf(sentence, sizeof sentence,
                 "%s: after restoring any snapshot, in any order, later steps have the same bits",
                 preset);
        TEST(sentence) {
            for (int times = 0; times <= STEPS; times++) {
                int from = times * 11 % (STEPS + 1);
                CHECK_INT(
                    gpt_snapshot_restore(other, snapshots[from].snapshot, snapshots[from].bytes),
                    GPT_OK);
                for (int step = from;; step++) {
                    CHECK(has_weights(other, &snapshots[step]));
                    CHECK_INT(gpt_trainer_get(other, "step"), step);
                    if (step == STEPS) break;
                    one_step(other);
                }
                char *again = receipt_of(other);
                CHECK(strcmp(again, end) == 0);
                free(again);
            }
        }
        snprintf(sentence, sizeof sentence, "%s: equal states have equal snapshots", preset);
        TEST(sentence) {
            taken again = take(other);
            CHECK(again.bytes == snapshots[STEPS].bytes);
            CHECK(memcmp(again.snapshot, snapshots[STEPS].snapshot, again.bytes) == 0);
            free(again.snapshot);
        }
        for (int step = 0; step <= STEPS; step++) free(snapshots[step].snapshot);
        free(end);
        gpt_trainer_free(run);
        gpt_trainer_free(quiet);
        gpt_trainer_free(other);
    }
}

/* Checkpoints of older versions and of glasshouse.py may have a cursor (position in the shuffled
 * documents) beyond one pass over the documents. */
static void test_resumed(void) {
    TEST("a run resumed with a cursor beyond one pass writes and restores snapshots") {
        gpt_trainer *run = open_run("microgpt", 7);
        for (int step = 0; step < STEPS / 2; step++) one_step(run);
        run->run.state.cursor += 2 * run->run.data.train_documents;
        blob file = save(run, "checkpoint", "");
        run->run.state.cursor %= run->run.data.train_documents;
        gpt_config *c = gpt_config_create("tinygpt");
        gpt_trainer *resumed = load_ours(c, file, 4096, "resume", TEXT);
        if (CHECK(resumed != NULL)) {
            taken snapshot = take(resumed);
            CHECK_INT(gpt_snapshot_restore(resumed, snapshot.snapshot, snapshot.bytes), GPT_OK);
            for (int step = STEPS / 2; step < STEPS; step++) {
                one_step(run);
                one_step(resumed);
            }
            CHECK(same_weights(run, resumed));
            free(snapshot.snapshot);
        }
        gpt_trainer_free(resumed);
        gpt_trainer_free(run);
        gpt_config_free(c);
        free(file.bytes);
    }
}

static void test_refused(void) {
    gpt_trainer *run = open_run("microgpt", 7), *other = open_run("microgpt", 8),
                *wide = open_run("tinygpt", 7);
    for (int step = 0; step < CHANGED_AT + 2; step++) one_step(run);
    taken snapshot = take(run);
    TEST("a snapshot of another seed or recipe, or a truncated one, is refused and changes "
         "nothing") {
        taken before = take(other);
        CHECK_INT(gpt_snapshot_restore(other, snapshot.snapshot, snapshot.bytes), GPT_E_SNAPSHOT);
        CHECK_INT(gpt_snapshot_restore(wide, snapshot.snapshot, snapshot.bytes), GPT_E_SNAPSHOT);
        CHECK_INT(gpt_snapshot_restore(run, snapshot.snapshot, snapshot.bytes - 1), GPT_E_SNAPSHOT);
        CHECK_INT(gpt_snapshot_restore(run, snapshot.snapshot, 3), GPT_E_SNAPSHOT);
        CHECK_INT(gpt_snapshot_restore(run, NULL, 3), GPT_E_ARGUMENT);
        CHECK_INT(gpt_snapshot_write(run, snapshot.snapshot, snapshot.bytes - 1), GPT_E_CAPACITY);
        CHECK(has_weights(other, &before) && has_weights(run, &snapshot));
        free(before.snapshot);
    }
    TEST("with any bit of its header or changes flipped, a snapshot is refused or can be trained "
         "on") {
        size_t head = snapshot.bytes - 12 * (size_t)gpt_trainer_get(run, "parameters");
        for (size_t at = 0; at < head; at++) {
            for (int bit = 0; bit < 8; bit++) {
                snapshot.snapshot[at] ^= (unsigned char)(1 << bit);
                int status = gpt_snapshot_restore(run, snapshot.snapshot, snapshot.bytes);
                CHECK(status == GPT_OK || status == GPT_E_SNAPSHOT);
                if (status == GPT_OK) {
                    int next = gpt_step(run);
                    CHECK(next == GPT_OK || next == GPT_FINISHED || next == GPT_E_DIVERGED);
                }
                snapshot.snapshot[at] ^= (unsigned char)(1 << bit);
            }
        }
        CHECK_INT(gpt_snapshot_restore(run, snapshot.snapshot, snapshot.bytes), GPT_OK);
        CHECK(has_weights(run, &snapshot));
    }
    free(snapshot.snapshot);
    gpt_trainer_free(run);
    gpt_trainer_free(other);
    gpt_trainer_free(wide);
}

int main(void) {
    test_every_step();
    test_resumed();
    test_refused();
    return check_report();
}
