/* test_fork.c - forks: runs that begin with the weights of another run, on another text.
 *
 * The receipt of a fork contains the receipt of its parent; verifying it needs the texts of both.
 * Checkpoints of a fork keep the receipt of its parent.
 */
#include "io/receipt.h"
#include "saved_files.h"

enum { PARENT_STEPS = 7, FORK_STEPS = 5, CHANGED_AT = 3, ROOM = 1 << 16 };

/* The texts of a run, of its fork and of that fork's fork. Forks keep the vocabulary of the first
 * run: the later texts must use only characters of the first text. */
static const char *const TEXTS[] = {
    "anna\nbella\ncarla\ndora\nemma\nfrida\nbob and a red lamb\n",
    "lamb\nember\nland\nbread\ncreed\namber\n",
    "a bed\na red bell\nand a lamb\n",
};

/* Trains `steps` steps; changes the learning rate after CHANGED_AT of them. */
static void take_steps(gpt_trainer *t, int steps) {
    for (int i = 0; i < steps; i++) {
        if (i == CHANGED_AT) CHECK_INT(gpt_trainer_set(t, "lr", 0.004), GPT_OK);
        CHECK_INT(gpt_step(t), GPT_OK);
    }
}

static gpt_config *tiny(const char *preset) {
    gpt_config *c = small(preset);
    CHECK_INT(gpt_config_set(c, "layers", 1), GPT_OK);
    CHECK_INT(gpt_config_set(c, "context", 8), GPT_OK);
    CHECK_INT(gpt_config_set(c, "validation", 0), GPT_OK);
    if (preset[0] == 'g') CHECK_INT(gpt_config_set(c, "vocabulary", 260), GPT_OK);
    return c;
}

/* Returns a run of PARENT_STEPS steps on TEXTS[0]; the caller frees it. */
static gpt_trainer *first_run(const char *preset) {
    gpt_config *c = tiny(preset);
    gpt_trainer *t = gpt_trainer_create(c, TEXTS[0], strlen(TEXTS[0]));
    CHECK(t != NULL);
    take_steps(t, PARENT_STEPS);
    gpt_config_free(c);
    return t;
}

/* Forks the run of `parent` at its current step, on `text`, with another learning rate and seed and
 * a context of `context` tokens (0: the context of the parent). Returns the trainer of the fork, or
 * NULL with the error in *status. */
static gpt_trainer *fork_of(gpt_trainer *parent, const char *text, int context, int *status) {
    blob file = save(parent, "checkpoint", "");
    gpt_config *c = gpt_config_create("tinygpt");
    gpt_loader *l = gpt_load_open(c, "safetensors", (double)file.size);
    double taken = gpt_load_feed(l, file.bytes, file.size);
    CHECK_INT(gpt_config_set(c, "lr", 0.01), GPT_OK);
    CHECK_INT(gpt_config_set(c, "seed", 5), GPT_OK);
    if (context) CHECK_INT(gpt_config_set(c, "context", context), GPT_OK);
    *status = gpt_load_begin(l, "fork", text, strlen(text));
    gpt_trainer *t = NULL;
    if (*status == GPT_OK) {
        size_t at = (size_t)taken;
        CHECK(gpt_load_feed(l, file.bytes + at, file.size - at) >= 0);
        t = gpt_load_finish(l);
        CHECK(t != NULL);
    }
    gpt_load_free(l);
    gpt_config_free(c);
    free(file.bytes);
    return t;
}

static gpt_trainer *fork_run(gpt_trainer *parent, const char *text, int context) {
    int status;
    gpt_trainer *t = fork_of(parent, text, context, &status);
    CHECK_INT(status, GPT_OK);
    take_steps(t, FORK_STEPS);
    return t;
}

/* Returns the receipt of a run as JSON; the caller frees it. */
static char *receipt_text(gpt_trainer *t) {
    char *json = calloc(1, ROOM);
    CHECK(json != NULL && gpt_receipt_json(t, json, ROOM) > 0);
    return json;
}

/* Replays the runs of a receipt on `texts`. Returns 1 if all losses and weights equal the
 * receipt's, 0 if not, or the error. Writes the JSON of gpt_verify_json to `finding` (1024 bytes)
 * unless `finding` is NULL. */
static int verify(const char *json, const char *const *texts, int count, char *finding) {
    gpt_config *c = gpt_config_create("microgpt");
    size_t sizes[8];
    for (int i = 0; i < count; i++) sizes[i] = strlen(texts[i]);
    gpt_verifier *v = gpt_verify_open_all(c, json, strlen(json), texts, sizes, count);
    int status = v ? GPT_OK : status_of(c);
    while (v && (status = gpt_verify_step(v)) == GPT_OK) {}
    if (v && finding) CHECK(gpt_verify_json(v, finding, 1024) > 0);
    int same = gpt_verify_same(v);
    gpt_verify_free(v);
    gpt_config_free(c);
    return status < 0 ? status : same;
}

/* Returns the place of the value of the first JSON member called `member` after `from`. */
static char *value_of(char *from, const char *member) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":", member);
    char *at = strstr(from, key);
    CHECK(at != NULL);
    return at + strlen(key);
}

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return strcpy(copy, text);
}

static void test_presets(void) {
    static const char *const presets[] = {"tinygpt", "microgpt", "gpt2"};
    for (int p = 0; p < 3; p++) {
        char sentence[128], finding[1024];
        gpt_trainer *parent = first_run(presets[p]), *fork = fork_run(parent, TEXTS[1], 0);
        char *json = receipt_text(fork), *before = receipt_text(parent);
        snprintf(sentence, sizeof sentence,
                 "%s: the receipt of a fork is verified with both texts, in any order", presets[p]);
        TEST(sentence) {
            const char *const other[] = {TEXTS[1], TEXTS[2], TEXTS[0]};
            CHECK_INT(verify(json, TEXTS, 2, finding), 1);
            CHECK_INT(verify(json, other, 3, finding), 1);
            CHECK(strstr(finding, "\"done\":12,\"steps\":12,") != NULL);
            CHECK(strstr(finding, "\"run\":2,\"runs\":2}") != NULL);
        }
        snprintf(sentence, sizeof sentence,
                 "%s: the receipt of a fork contains its parent's unchanged", presets[p]);
        TEST(sentence) {
            char *inner = value_of(json, "parent");
            CHECK(strncmp(inner, before, strlen(before)) == 0);
            CHECK_STRING(inner + strlen(before), "}");
            CHECK(strncmp(value_of(json, "imported"), "false", 5) == 0);
        }
        snprintf(sentence, sizeof sentence,
                 "%s: the receipt of a fork with a smaller context is verified", presets[p]);
        TEST(sentence) {
            gpt_trainer *narrow = fork_run(parent, TEXTS[1], 4);
            char *text = receipt_text(narrow), *inner = value_of(text, "parent");
            CHECK(strncmp(inner, before, strlen(before)) == 0);
            CHECK_INT(verify(text, TEXTS, 2, NULL), 1);
            gpt_trainer_free(narrow);
            free(text);
        }
        gpt_trainer_free(parent);
        gpt_trainer_free(fork);
        free(json);
        free(before);
    }
}

static void test_missing(gpt_trainer *parent, const char *json) {
    TEST("verifying a fork with one text fails with the hash of the other") {
        char error[1024], hash[17];
        for (int i = 0; i < 2; i++) {
            gpt_config *c = gpt_config_create("microgpt");
            const char *lacks = TEXTS[1 - i];
            CHECK(gpt_verify_open(c, json, strlen(json), TEXTS[i], strlen(TEXTS[i])) == NULL);
            CHECK_INT(status_of(c), GPT_E_RECEIPT_TEXT);
            CHECK(gpt_text_hash(lacks, strlen(lacks), hash, sizeof hash) == 16);
            CHECK_STRING(c->error.name, hash);
            CHECK(c->error.value[0] == (double)strlen(lacks));
            CHECK(gpt_config_message(c, error, sizeof error) > 0 && strstr(error, hash));
            gpt_config_free(c);
        }
    }
    TEST("a fork on the text of its parent is verified with that text, which may be freed") {
        char *text = malloc(strlen(TEXTS[0]));
        memcpy(text, TEXTS[0], strlen(TEXTS[0]));
        gpt_trainer *own = fork_run(parent, TEXTS[0], 0);
        char *whole = receipt_text(own);
        gpt_config *c = gpt_config_create("microgpt");
        gpt_verifier *v = gpt_verify_open(c, whole, strlen(whole), text, strlen(TEXTS[0]));
        free(text);
        while (gpt_verify_step(v) == GPT_OK) {}
        CHECK_INT(gpt_verify_same(v), 1);
        gpt_verify_free(v);
        gpt_config_free(c);
        gpt_trainer_free(own);
        free(whole);
    }
    TEST("a receipt without a parent is verified with its text among several") {
        const char *const texts[] = {TEXTS[2], TEXTS[0]};
        char finding[1024], *plain = receipt_text(parent);
        CHECK_INT(verify(plain, texts, 2, finding), 1);
        CHECK(strstr(finding, "runs") == NULL && strstr(plain, "parent") == NULL);
        CHECK_INT(verify(plain, texts, 1, NULL), GPT_E_TEXT_DIFFERS);
        CHECK_INT(verify(plain, texts, 0, NULL), GPT_E_TEXT_DIFFERS);
        free(plain);
    }
    TEST("a NULL text, list or config is refused") {
        gpt_config *c = gpt_config_create("microgpt");
        const char *const none[] = {TEXTS[0], NULL};
        const size_t sizes[] = {1, 1};
        CHECK(gpt_verify_open_all(c, json, strlen(json), none, sizes, 2) == NULL);
        CHECK_INT(status_of(c), GPT_E_ARGUMENT);
        CHECK(gpt_verify_open_all(c, json, strlen(json), NULL, sizes, 1) == NULL);
        CHECK(gpt_verify_open_all(c, json, strlen(json), none, NULL, 1) == NULL);
        CHECK(gpt_verify_open_all(NULL, json, strlen(json), none, sizes, 1) == NULL);
        CHECK_INT(status_of(c), GPT_E_ARGUMENT);
        gpt_config_free(c);
    }
}

static void test_damaged(const char *json) {
    TEST("a fork's receipt with any byte changed is refused or found false") {
        size_t length = strlen(json);
        for (size_t at = 0; at < length; at++) {
            char *damaged = malloc(length + 1);
            memcpy(damaged, json, length + 1);
            damaged[at] = (char)(damaged[at] ^ (1 << at % 5));
            CHECK(verify(damaged, TEXTS, 2, NULL) != 1);
            damaged[at] = 0;
            CHECK(verify(damaged, TEXTS, 2, NULL) < 0);
            free(damaged);
        }
    }
    TEST("the receipt of another parent does not match the fork") {
        // Replaces the parent with the valid receipt of another run on the same text.
        gpt_config *c = tiny("microgpt");
        CHECK_INT(gpt_config_set(c, "seed", 9), GPT_OK);
        gpt_trainer *other = gpt_trainer_create(c, TEXTS[0], strlen(TEXTS[0]));
        take_steps(other, PARENT_STEPS);
        char *inner = receipt_text(other), *forged = calloc(1, ROOM);
        strcpy(forged, json);
        strcpy(value_of(forged, "parent"), inner);
        strcat(forged, "}");
        CHECK_INT(verify(forged, TEXTS, 2, NULL), GPT_E_RECEIPT);
        gpt_trainer_free(other);
        gpt_config_free(c);
        free(inner);
        free(forged);
    }
}

/* Tests a receipt of a fork with a false claim about its parent, whose short form (one line of
 * hashes) matches the false claim. */
static void test_false_parent(gpt_trainer *fork) {
    TEST("a false loss or weight hash of the parent is found in the first run") {
        for (int i = 0; i < 2; i++) {
            char finding[1024], *json = receipt_text(fork), *forged = calloc(1, ROOM);
            char *inner = copy_of(value_of(json, "parent"));
            inner[strlen(inner) - 1] = 0;
            // Reads the parent's receipt, changes a loss or the weight hash and writes the receipt
            // again, so that its short form matches the change.
            receipt read[RECEIPT_RUNS_MAX];
            CHECK_INT(receipt_read(read, inner, strlen(inner), NULL), 1);
            if (i) {
                read[0].weights[3] ^= 1;
            } else {
                read[0].owned[2] += 1;
            }
            text_buffer out = text_begin(forged, ROOM);
            receipt_write(&read[0], &out);
            size_t length = text_end(&out);
            run_parent kept = fork->run.state.parent, made = {0};
            char *owned = malloc(length);
            memcpy(owned, forged, length);
            CHECK_INT(receipt_adopt(&made, owned, length, NULL), GPT_OK);
            fork->run.state.parent = made;
            char *whole = receipt_text(fork);
            fork->run.state.parent = kept;
            CHECK_INT(verify(whole, TEXTS, 2, finding), 0);
            CHECK(strstr(finding, i ? "\"weights\",\"at\":7," : "\"loss\",\"at\":3,") != NULL);
            CHECK(strstr(finding, "\"run\":1,\"runs\":2}") != NULL);
            receipt_close(read, 1);
            free((char *)made.json);
            free(whole);
            free(inner);
            free(json);
            free(forged);
        }
    }
}

static gpt_trainer *through_file(gpt_trainer *t, const char *text) {
    blob file = save(t, "checkpoint", "");
    gpt_config *c = gpt_config_create("tinygpt");
    gpt_trainer *back = load_ours(c, file, 997, "resume", text);
    CHECK(back != NULL);
    gpt_config_free(c);
    free(file.bytes);
    return back;
}

static void test_files(gpt_trainer *parent) {
    TEST("a resumed fork has the weights and the receipt of an uninterrupted one") {
        int status;
        gpt_trainer *through = fork_of(parent, TEXTS[1], 0, &status),
                    *saved = fork_of(parent, TEXTS[1], 0, &status);
        take_steps(through, FORK_STEPS);
        CHECK_INT(gpt_trainer_set(through, "lr", 0.002), GPT_OK);
        take_steps(through, 1);
        take_steps(saved, FORK_STEPS);
        gpt_trainer *resumed = through_file(saved, TEXTS[1]);
        CHECK_INT(gpt_trainer_set(resumed, "lr", 0.002), GPT_OK);
        take_steps(resumed, 1);
        char *a = receipt_text(through), *b = receipt_text(resumed);
        CHECK(same_weights(through, resumed));
        CHECK_STRING(a, b);
        CHECK_INT(verify(b, TEXTS, 2, NULL), 1);
        gpt_trainer_free(through);
        gpt_trainer_free(saved);
        gpt_trainer_free(resumed);
        free(a);
        free(b);
    }
    TEST("a fork begins with the parent's weights, zero moments and step 0, and cannot rewind") {
        int status;
        gpt_trainer *fork = fork_of(parent, TEXTS[1], 0, &status);
        char a[65], b[65];
        CHECK(gpt_weights_hash(parent, a, sizeof a) == 64);
        CHECK(gpt_weights_hash(fork, b, sizeof b) == 64);
        CHECK_STRING(a, b);
        CHECK(gpt_trainer_get(fork, "step") == 0 && gpt_trainer_get(fork, "loss_count") == 0);
        for (int i = 0; i < fork->run.net.count; i++) {
            const param *p = &fork->run.net.params[i];
            for (uint64_t k = 0; k < param_columns(p); k++) {
                CHECK(p->moment1[k] == 0 && p->moment2[k] == 0);
            }
        }
        CHECK_INT(gpt_rewind(fork), GPT_E_ORIGIN);
        gpt_trainer_free(fork);
    }
    TEST("a fork computes the steps of a run that trains the same file, but is not imported") {
        blob file = save(parent, "checkpoint", "");
        gpt_trainer *runs[2];
        for (int i = 0; i < 2; i++) {
            gpt_config *c = gpt_config_create("tinygpt");
            runs[i] = load_ours(c, file, 4096, i ? "fork" : "train", TEXTS[1]);
            CHECK(runs[i] != NULL);
            take_steps(runs[i], FORK_STEPS);
            gpt_config_free(c);
        }
        CHECK(same_weights(runs[0], runs[1]));
        CHECK(runs[0]->run.state.imported && !runs[1]->run.state.imported);
        CHECK(runs[0]->run.state.parent.runs == 0 && runs[1]->run.state.parent.runs == 1);
        gpt_trainer_free(runs[0]);
        gpt_trainer_free(runs[1]);
        free(file.bytes);
    }
    TEST("a snapshot of a fork is restored in an equal fork, not in one of a later step") {
        int status;
        gpt_trainer *fork = fork_of(parent, TEXTS[1], 0, &status), *same, *later;
        same = fork_of(parent, TEXTS[1], 0, &status);
        take_steps(parent, 1);
        later = fork_of(parent, TEXTS[1], 0, &status);
        size_t bytes = gpt_snapshot_bytes(fork);
        void *snapshot = malloc(bytes);
        CHECK_INT(gpt_snapshot_write(fork, snapshot, bytes), GPT_OK);
        CHECK_INT(gpt_snapshot_restore(same, snapshot, bytes), GPT_OK);
        CHECK_INT(gpt_snapshot_restore(later, snapshot, bytes), GPT_E_SNAPSHOT);
        gpt_trainer_free(fork);
        gpt_trainer_free(same);
        gpt_trainer_free(later);
        free(snapshot);
    }
}

static void test_generations(gpt_trainer *parent) {
    TEST("a fork of a fork is verified with all three texts only") {
        gpt_trainer *child = fork_run(parent, TEXTS[1], 0), *loaded = through_file(child, TEXTS[1]),
                    *grandchild = fork_run(loaded, TEXTS[2], 0);
        const char *const texts[] = {TEXTS[2], TEXTS[0], TEXTS[1]};
        char finding[1024], *json = receipt_text(grandchild);
        CHECK_INT(verify(json, texts, 3, finding), 1);
        CHECK(strstr(finding, "\"run\":3,\"runs\":3}") != NULL);
        for (int i = 0; i < 2; i++) CHECK_INT(verify(json, texts + i, 2, NULL), GPT_E_RECEIPT_TEXT);
        gpt_trainer_free(child);
        gpt_trainer_free(loaded);
        gpt_trainer_free(grandchild);
        free(json);
    }
    TEST("a receipt has at most RECEIPT_RUNS_MAX runs") {
        int status = GPT_OK, forks = 0;
        gpt_trainer *run = first_run("microgpt"), *next = run;
        while ((next = fork_of(run, TEXTS[forks % 2], 0, &status)) != NULL) {
            gpt_trainer_free(run);
            run = next;
            take_steps(run, 1);
            forks++;
        }
        CHECK_INT(forks, RECEIPT_RUNS_MAX - 1);
        CHECK_INT(status, GPT_E_FORK_DEPTH);
        char *json = receipt_text(run);
        CHECK_INT(verify(json, TEXTS, 2, NULL), 1);
        char *deeper = calloc(1, 2 * ROOM);
        strcpy(deeper, json);
        deeper[strlen(deeper) - 1] = 0;
        // Inserts the whole receipt again, as the parent of the oldest run: too many runs.
        char *oldest = strrchr(deeper, '{');
        CHECK(oldest != NULL);
        for (char *at = deeper; (at = strstr(at, "\"parent\":")) != NULL; at++) oldest = at;
        char *end = strchr(strstr(oldest, "\"weights\""), '}');
        char *rest = copy_of(end);
        sprintf(end, ",\"parent\":%s%s", json, rest);
        strcat(deeper, "}");
        CHECK_INT(verify(deeper, TEXTS, 2, NULL), GPT_E_FORK_DEPTH);
        gpt_trainer_free(run);
        free(json);
        free(deeper);
        free(rest);
    }
}

static void test_refused(gpt_trainer *parent) {
    TEST("weights files and runs with imported weights cannot be forked") {
        blob file = save(parent, "weights", "");
        gpt_config *c = gpt_config_create("tinygpt");
        CHECK(load_ours(c, file, 4096, "fork", TEXTS[1]) == NULL);
        CHECK_INT(status_of(c), GPT_E_FORK);
        gpt_trainer *tuned = load_ours(c, file, 4096, "train", TEXTS[1]);
        CHECK(tuned != NULL);
        blob imported = save(tuned, "checkpoint", "");
        CHECK(load_ours(c, imported, 4096, "fork", TEXTS[1]) == NULL);
        CHECK_INT(status_of(c), GPT_E_FORK);
        gpt_trainer_free(tuned);
        gpt_config_free(c);
        free(file.bytes);
        free(imported.bytes);
    }
    TEST("a text with characters outside the vocabulary is refused and the first one named") {
        blob file = save(parent, "checkpoint", "");
        gpt_config *c = gpt_config_create("tinygpt");
        CHECK(load_ours(c, file, 4096, "fork", "anna\nXaver\n") == NULL);
        CHECK_INT(status_of(c), GPT_E_CHARACTER);
        CHECK_STRING(c->error.name, "X");
        gpt_config_free(c);
        free(file.bytes);
    }
    TEST("a checkpoint with a damaged parent is refused, or its receipt is still true") {
        gpt_trainer *fork = fork_run(parent, TEXTS[1], 0);
        blob file = save(fork, "checkpoint", "");
        char *at = strstr(file.bytes + 8, "\\\"parent\\\":");
        if (CHECK(at != NULL)) {
            for (size_t i = 11; i < 800; i += 3) {
                char was = at[i];
                at[i] = (char)(was ^ 1);
                gpt_config *c = gpt_config_create("tinygpt");
                gpt_trainer *loaded = load_ours(c, file, 65536, "resume", TEXTS[1]);
                char *json = loaded ? receipt_text(loaded) : NULL;
                CHECK(json ? verify(json, TEXTS, 2, NULL) == 1 : status_of(c) < 0);
                gpt_trainer_free(loaded);
                gpt_config_free(c);
                free(json);
                at[i] = was;
            }
        }
        gpt_trainer_free(fork);
        free(file.bytes);
    }
}

int main(void) {
    test_presets();
    gpt_trainer *parent = first_run("microgpt"), *fork = fork_run(parent, TEXTS[1], 0);
    char *json = receipt_text(fork);
    test_missing(parent, json);
    test_damaged(json);
    test_false_parent(fork);
    test_files(parent);
    test_generations(parent);
    test_refused(parent);
    gpt_trainer_free(parent);
    gpt_trainer_free(fork);
    free(json);
    return check_report();
}
