/* test_allocation.c - fault injection: refuses each request of the engine for memory or a thread,
 * and checks that training makes none.
 *
 * The linker replaces malloc, calloc, realloc and pthread_create with the wrappers of this file
 * (see the Makefile; Linux only). The leak sanitizer is on.
 *
 * A scenario calls the engine and records the results: first without a failure, then with its
 * first request refused, then its second, until all have been refused. Each time it must record
 * the same results or return GPT_E_ALLOCATION. Repeated with the same handles and no failure, it
 * must record the same results.
 */
#include "api/gpt.h"
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static const char TEXT[] = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n";

static void set_sizes(gpt_config *c) {
    static const struct {
        const char *option;
        double value;
    } sizes[] = {{"layers", 1}, {"channels", 16}, {"heads", 2}, {"context", 12}, {"batch", 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CHECK_INT(gpt_config_set(c, sizes[i].option, sizes[i].value), GPT_OK);
    }
    CHECK_INT(gpt_config_set_text(c, "left_out", "54:58"), GPT_OK);
}

/* Creates a small trainer; NULL on failure. */
static gpt_trainer *make_trainer(gpt_config *c) {
    set_sizes(c);
    return gpt_trainer_create(c, TEXT, sizeof TEXT - 1);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *context);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *context);

static int asked;          // requests for memory or a thread since the last reset to 0
static int refuse_at = -1; // number of the request to refuse, from 0; -1 to refuse none
static int refused_in_all;

/* Counts a request for memory or a thread. True if the request has the number refuse_at. */
static bool refuse(void) {
    bool now = asked++ == refuse_at;
    refused_in_all += now;
    return now;
}

void *__wrap_malloc(size_t size) {
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return refuse() ? NULL : __real_realloc(old, size);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *context) {
    return refuse() ? EAGAIN : __real_pthread_create(thread, attributes, start, context);
}

/* ---- Data of the scenarios ------------------------------------------------------------------- */

enum { BYTES_MAX = 1 << 18 };

/* The bytes that a scenario recorded. */
typedef struct result {
    char bytes[BYTES_MAX];
    size_t count;
} result;

static void put(result *r, const void *from, size_t bytes) {
    if (CHECK(r->count + bytes <= BYTES_MAX)) {
        memcpy(r->bytes + r->count, from, bytes);
        r->count += bytes;
    }
}

static void put_double(result *r, double value) {
    put(r, &value, sizeof value);
}

typedef struct file {
    char *bytes; // owns (__real_malloc); NULL if the model has no such file
    size_t count;
} file;

static const struct {
    const char *name, *preset;
    int tokenizer;
} MODELS[] = {{"tinygpt", "tinygpt", 0},
              {"microgpt", "microgpt", 1},
              {"gpt2", "gpt2", 2},
              {"gpt2 over bytes", "gpt2", 0}};
enum { MODEL_COUNT = sizeof MODELS / sizeof *MODELS, BPE_MODEL = 2, BYTES_MODEL = 3 };

/* The files of a model. gpt_save_open writes the first SAVED_FORMS, write_raw the other two. */
enum {
    CHECKPOINT,
    WEIGHTS,
    EXPORT,
    CONFIG_JSON,
    VOCAB_JSON,
    MERGES_TXT,
    SAVED_FORMS,
    RAW_JSON = 6,
    RAW_DATA,
    FILES
};
static const char *const FORMS[SAVED_FORMS] = {"checkpoint",  "weights",    "model.safetensors",
                                               "config.json", "vocab.json", "merges.txt"};

/* Handles and files of one model. `model`: index of MODELS. `form`: index of the file to save or
 * load in `files`. `purpose`: argument of gpt_load_begin. */
typedef struct world {
    int model, form;
    const char *purpose;
    gpt_config *config;
    gpt_trainer *trainer;
    file files[FILES];
} world;

static void set_recipe(gpt_config *c, int model) {
    CHECK_INT(gpt_config_set(c, "tokenizer", MODELS[model].tokenizer), GPT_OK);
    CHECK_INT(gpt_config_set(c, "vocabulary", 270), GPT_OK);
    CHECK_INT(gpt_config_set(c, "validation", 0.3), GPT_OK);
    set_sizes(c);
}

/* Trains two steps; records their losses, the held-out loss and a sample. */
static void put_run(result *r, gpt_trainer *t) {
    char out[512];
    for (int i = 0; i < 2; i++) {
        CHECK_INT(gpt_step(t), GPT_OK);
        put_double(r, gpt_loss(t));
    }
    put_double(r, gpt_validate(t, 2));
    int length = gpt_sample(t, "the", 3, 30, 1, 5, 0.9, 1, out, sizeof out);
    if (CHECK(length >= 0)) put(r, out, (size_t)length);
}

/* ---- Scenarios: each returns GPT_OK or the status that stopped it ---------------------------- */

/* Returns the status of the last failure that a gpt_config recorded. */
static int config_status(const gpt_config *c) {
    char out[2048];
    int status = GPT_E_STATE;
    if (CHECK(gpt_config_error(c, out, sizeof out) > 0)) {
        CHECK(sscanf(out, "{\"status\":%d", &status) == 1);
    }
    return status;
}

static int trainer_status(const gpt_trainer *t) {
    char out[2048];
    int status = GPT_E_STATE;
    if (CHECK(gpt_trainer_error(t, out, sizeof out) > 0)) {
        CHECK(sscanf(out, "{\"status\":%d", &status) == 1);
    }
    return status;
}

static int make_recipe(world *w, result *r) {
    gpt_config *c = gpt_config_create(MODELS[w->model].preset);
    if (!c) return GPT_E_ALLOCATION; // without a handle no error is recorded
    put_double(r, gpt_config_get(c, "layers"));
    gpt_config_free(c);
    return GPT_OK;
}

/* Deletes the vocabulary that a recipe learned and caches, so that the next use learns again. */
static void forget(world *w) {
    CHECK_INT(gpt_config_set_bpe(w->config, NULL, 0, NULL, 0, NULL, 0), GPT_OK);
}

/* Calls gpt_plan_json for a text whose many words make every table of BPE learning grow. */
static int plan(world *w, result *r) {
    static char text[60000], out[1024];
    uint32_t state = 1;
    for (size_t i = 0; i < sizeof text; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = i == 30000 ? '\n' : i % 6 == 5 ? ' ' : (char)('a' + (state >> 24) % 26);
    }
    forget(w);
    int length = gpt_plan_json(w->config, text, sizeof text, out, sizeof out);
    if (length >= 0) put(r, out, (size_t)length);
    return length < 0 ? length : GPT_OK;
}

static int create_again(world *w, result *r) {
    gpt_trainer *t = gpt_trainer_create(w->config, TEXT, sizeof TEXT - 1);
    if (!t) return config_status(w->config);
    put_run(r, t);
    gpt_trainer_free(t);
    return GPT_OK;
}

static int create(world *w, result *r) {
    forget(w);
    return create_again(w, r);
}

/* Samples, encodes, lists merges and validates. The text has words of 150 letters, which are too
 * long for the encoder's array on the stack: it must allocate memory. */
static int use(world *w, result *r) {
    static char text[9000], out[8192];
    static int32_t ids[9000];
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = i % 300 < 150 ? "the cat sat "[i % 12] : 'a';
    }
    gpt_trainer *t = w->trainer;
    // The prompt of a document (microgpt) must fit into the context.
    bool long_prompt = strcmp(MODELS[w->model].name, "microgpt") != 0;
    int length = gpt_sample(t, text, long_prompt ? sizeof text : 8, 20, 1, 5, 0.9, 1, out,
                            sizeof out);
    if (length < 0) return length;
    put(r, out, (size_t)length);
    length = gpt_encode(t, text, sizeof text, ids, sizeof ids / sizeof *ids);
    if (length < 0) return length;
    put(r, ids, (size_t)length * sizeof *ids);
    length = gpt_merges_json(t, 0, 5, out, sizeof out);
    put(r, out, (size_t)(length > 0 ? length : 0));
    put_double(r, gpt_validate(t, 2));
    return GPT_OK;
}

static int look_inside(world *w, result *r) {
    int count = gpt_probe(w->trainer, "the cat", 7, 1);
    if (count < 0) {
        CHECK(gpt_probe_data(w->trainer, 0) == NULL && gpt_probe_tokens(w->trainer) == NULL);
        return count;
    }
    put(r, gpt_probe_tokens(w->trainer), (size_t)count * sizeof(int32_t));
    static char nodes[1 << 16];
    int length = gpt_probe_json(w->trainer, nodes, sizeof nodes);
    if (CHECK(length > 0)) put(r, nodes, (size_t)length);
    put(r, gpt_probe_data(w->trainer, 0), sizeof(float));
    put(r, gpt_parameter_grad(w->trainer, 0), 16 * sizeof(float));
    return GPT_OK;
}

/* Queries a trace with a complete index: matches, a text of an n-gram table, baselines. */
static int ask_trace(gpt_trace *t, result *r) {
    gpt_run runs[7];
    char out[1024];
    int count = gpt_trace_runs(t, "the cat", 7, 1, runs, 7);
    if (CHECK(count > 0)) put(r, runs, (size_t)count * sizeof *runs);
    int length = gpt_trace_write(t, 3, "th", 2, 30, 1, out, sizeof out);
    if (length < 0) return length;
    put(r, out, (size_t)length);
    while (gpt_baselines_step(t) == GPT_OK) {}
    put_double(r, gpt_baseline(t, 2));
    int status;
    while ((status = gpt_base_rate_step(t)) == GPT_OK) {}
    if (status < 0) return status;
    put_double(r, gpt_trace_get(t, "base_characters"));
    return GPT_OK;
}

/* Builds the index of the training text, repeating a step that failed, and queries it. */
static int trace_text(world *w, result *r) {
    gpt_trace *t = gpt_trace_create(w->trainer, TEXT, sizeof TEXT - 1);
    if (!t) return trainer_status(w->trainer);
    int status;
    while ((status = gpt_trace_step(t)) == GPT_OK || status == GPT_E_ALLOCATION) {}
    CHECK_INT(status, GPT_END);
    status = ask_trace(t, r);
    gpt_trace_free(t);
    return status;
}

/* Saves the file FORMS[w->form]. */
static int save(world *w, result *r) {
    static char piece[1000];
    gpt_saver *s = gpt_save_open(w->trainer, FORMS[w->form], "a note", 6);
    if (!s) return trainer_status(w->trainer);
    for (double now; (now = gpt_save_read(s, piece, sizeof piece)) > 0;) {
        put(r, piece, (size_t)now);
    }
    gpt_save_free(s);
    return GPT_OK;
}

static int give_vocabulary(world *w, result *r) {
    const file *vocab = &w->files[VOCAB_JSON], *merges = &w->files[MERGES_TXT];
    int status = gpt_config_set_bpe(w->config, vocab->bytes, vocab->count, merges->bytes,
                                    merges->count, NULL, 0);
    if (status < 0) return status;
    return create_again(w, r); // with the vocabulary from the files, not a learned one
}

/* Feeds a file from offset *at until the state of the loader changes or the file ends. */
static int feed(gpt_loader *l, const file *f, size_t *at) {
    int state = gpt_load_state(l);
    while (*at < f->count && gpt_load_state(l) == state) {
        size_t now = f->count - *at < 777 ? f->count - *at : 777;
        double taken = gpt_load_feed(l, f->bytes + *at, now);
        if (taken < 0) return (int)taken;
        *at += (size_t)taken;
    }
    return GPT_OK;
}

/* Replays the receipt of a fork: first the run of its parent, then the fork. */
static int verify_fork(world *w, result *r, gpt_trainer *t) {
    static char json[1 << 16];
    char finding[512];
    int length = gpt_receipt_json(t, json, sizeof json);
    if (!CHECK(length > 0)) return length;
    gpt_verifier *v = gpt_verify_open(w->config, json, (size_t)length, TEXT, sizeof TEXT - 1);
    if (!v) return config_status(w->config);
    int status = GPT_OK;
    while ((status = gpt_verify_step(v)) == GPT_OK) {}
    length = gpt_verify_json(v, finding, sizeof finding);
    if (status >= 0) CHECK_INT(gpt_verify_same(v), 1);
    if (status >= 0 && CHECK(length > 0)) put(r, finding, (size_t)length);
    gpt_verify_free(v);
    return status < 0 ? status : GPT_OK;
}

/* Loads a model from the file `header` and uses the trainer: reads the header, calls
 * gpt_load_plan_json and gpt_load_begin, again if memory was refused, and reads the data. `data` is
 * the data file of the raw form (a JSON file and a file of numbers), NULL for other forms. */
static int load_parts(world *w, result *r, gpt_loader *l, const file *header, const file *data) {
    bool generate = strcmp(w->purpose, "generate") == 0;
    const char *text = generate ? NULL : TEXT;
    size_t bytes = generate ? 0 : sizeof TEXT - 1, at = 0, data_at = 0;
    char out[1024];
    int status = feed(l, header, &at);
    if (status < 0) return status;
    // The data file of the raw form has no header: gpt_load_next checks only its size.
    status = data ? gpt_load_next(l, (double)data->count) : GPT_OK;
    if (status < 0) return status;
    int planned = gpt_load_plan_json(l, w->purpose, text, bytes, out, sizeof out);
    status = gpt_load_begin(l, w->purpose, text, bytes);
    if (status == GPT_E_ALLOCATION && gpt_load_state(l) == 1) {
        // Must succeed: only one request is refused.
        status = gpt_load_begin(l, w->purpose, text, bytes);
        CHECK_INT(status, GPT_OK);
    }
    if (status < 0 || planned < 0) return status < 0 ? status : planned;
    status = data ? feed(l, data, &data_at) : feed(l, header, &at);
    if (status < 0) return status;
    gpt_trainer *t = gpt_load_finish(l);
    if (!t) return config_status(w->config);
    if (!generate) put_run(r, t);
    int length = gpt_sample(t, "the", 3, 30, 1, 5, 0.9, 1, out, sizeof out);
    if (CHECK(length >= 0)) put(r, out, (size_t)length);
    status = strcmp(w->purpose, "fork") == 0 ? verify_fork(w, r, t) : GPT_OK;
    gpt_trainer_free(t);
    return status;
}

static int load(world *w, result *r, const char *form, const file *header, const file *data) {
    gpt_loader *l = gpt_load_open(w->config, form, (double)header->count);
    int status = l ? load_parts(w, r, l, header, data) : config_status(w->config);
    gpt_load_free(l);
    return status;
}

static int load_file(world *w, result *r) {
    return load(w, r, "safetensors", &w->files[w->form], NULL);
}

static int load_raw(world *w, result *r) {
    return load(w, r, "raw", &w->files[RAW_JSON], &w->files[RAW_DATA]);
}

/* Loads the files of transformers: vocabulary, config.json and weights. */
static int load_import(world *w, result *r) {
    const file *vocab = &w->files[VOCAB_JSON], *merges = &w->files[MERGES_TXT];
    const file *json = &w->files[CONFIG_JSON];
    int status = vocab->bytes ? gpt_config_set_bpe(w->config, vocab->bytes, vocab->count,
                                                   merges->bytes, merges->count, NULL, 0)
                              : GPT_OK;
    status = status < 0 ? status : gpt_config_import(w->config, json->bytes, json->count);
    if (status < 0) return status;
    CHECK_INT(gpt_config_set(w->config, "batch", 2), GPT_OK);
    return load(w, r, "safetensors", &w->files[EXPORT], NULL);
}

/* Trains with up to 4 threads. If a thread cannot be created, the engine uses fewer threads and
 * reports no error. */
static int use_threads(world *w, result *r) {
    int threads = gpt_threads_use(4);
    CHECK(threads >= 1 && threads <= 4);
    gpt_trainer *t = gpt_trainer_create(w->config, TEXT, sizeof TEXT - 1);
    int status = t ? GPT_OK : config_status(w->config);
    if (t) put_run(r, t);
    gpt_trainer_free(t);
    gpt_threads_stop();
    CHECK_INT(gpt_threads_count(), 1);
    return status;
}

/* ---- Fault injection ------------------------------------------------------------------------- */

typedef int scenario(world *w, result *r);

/* Distance between the numbers of two refused requests: 1 with LONG=1 in the environment, else 3.
 * The first number differs by model. */
static int stride(void) {
    return getenv("LONG") ? 1 : 3;
}

/* Runs a scenario without a failure, then again and again, each time with another request refused,
 * always with the same handles. Checks that the scenario makes at least about `at_least` requests
 * and fewer than 500. */
static void refuse_each(world *w, scenario *run, int at_least) {
    static result expected, now;
    expected.count = 0;
    refuse_at = -1;
    if (!CHECK_INT(run(w, &expected), GPT_OK)) return;
    int refused = w->model % stride();
    for (bool reached = true; reached && refused < 500; refused += stride()) {
        now.count = 0;
        asked = 0, refuse_at = refused;
        int status = run(w, &now);
        reached = asked > refused;
        refuse_at = -1;
        CHECK(status == GPT_OK || (status == GPT_E_ALLOCATION && reached));
        if (status == GPT_OK) {
            CHECK(now.count == expected.count && !memcmp(now.bytes, expected.bytes, now.count));
        }
        now.count = 0;
        CHECK_INT(run(w, &now), GPT_OK);
        CHECK(now.count == expected.count && !memcmp(now.bytes, expected.bytes, now.count));
    }
    CHECK(refused < 500 && refused > at_least); // the last run made too few requests to refuse one
}

/* Writes the weights in the raw form (c/io/README.md): `json` has the names, shapes and offsets of
 * the tensors, `data` the numbers without a header. */
static void write_raw(gpt_trainer *t, file *json, file *data) {
    char table[8192];
    int length = gpt_parameters_json(t, table, sizeof table);
    *json = (file){__real_malloc(BYTES_MAX), 0};
    *data = (file){__real_malloc(BYTES_MAX), 0};
    size_t at = (size_t)snprintf(
        json->bytes, BYTES_MAX,
        "{\"format\":\"gpt2-raw\",\"version\":1,\"config\":{\"n_vocab\":256,\"n_ctx\":12,"
        "\"n_embd\":16,\"n_head\":2,\"n_layer\":1,\"tied_head\":true},\"tensors\":[");
    const char *entry = table;
    for (int i = 0; length > 0 && (entry = strstr(entry, "{\"name\"")) != NULL; i++, entry++) {
        const char *shape = strstr(entry, "\"shape\":["), *end = strstr(entry, ",\"decay\"");
        int rows = 1, columns = 1;
        if (!CHECK(shape && end && sscanf(shape, "\"shape\":[%d,%d", &rows, &columns) >= 1)) return;
        at += (size_t)snprintf(json->bytes + at, BYTES_MAX - at, "%s%.*s,\"offset\":%zu}",
                               i ? "," : "", (int)(end - entry), entry, data->count);
        size_t bytes = (size_t)rows * (size_t)columns * sizeof(float);
        memcpy(data->bytes + data->count, gpt_parameter_data(t, i), bytes);
        data->count += bytes;
    }
    at += (size_t)snprintf(json->bytes + at, BYTES_MAX - at,
                           "],\"files\":[{\"name\":\"model.bin\",\"bytes\":%zu}]}", data->count);
    json->count = at;
}

/* Opens a world: a recipe, a trainer after two steps, and every file that can be saved of it. */
static world open_world(int model) {
    static result saved;
    world w = {.model = model};
    w.config = gpt_config_create(MODELS[model].preset);
    set_recipe(w.config, model);
    w.trainer = gpt_trainer_create(w.config, TEXT, sizeof TEXT - 1);
    CHECK(w.trainer != NULL && gpt_step(w.trainer) == GPT_OK && gpt_step(w.trainer) == GPT_OK);
    for (w.form = 0; w.form < SAVED_FORMS; w.form++) {
        saved.count = 0;
        if (save(&w, &saved) == GPT_OK) {
            w.files[w.form] = (file){__real_malloc(saved.count), saved.count};
            memcpy(w.files[w.form].bytes, saved.bytes, saved.count);
        }
    }
    if (model == BYTES_MODEL) write_raw(w.trainer, &w.files[RAW_JSON], &w.files[RAW_DATA]);
    return w;
}

static void close_world(world *w) {
    for (int i = 0; i < FILES; i++) free(w->files[i].bytes);
    gpt_trainer_free(w->trainer);
    gpt_config_free(w->config);
}

/* Replaces the recipe by a new one: scenarios may have changed it. */
static void renew(world *w) {
    gpt_config_free(w->config);
    w->config = gpt_config_create(MODELS[w->model].preset);
    set_recipe(w->config, w->model);
}

static void test_model(int model) {
    world w = open_world(model);
    char sentence[256];
    const struct {
        const char *what;
        scenario *run;
        int at_least; // requests that it makes: see refuse_each
    } scenarios[] = {{"creating a recipe", make_recipe, 0},
                     {"planning", plan, 4},
                     {"creating a trainer and training", create, 10},
                     {"sampling, encoding and validating", use, -1},
                     {"probing", look_inside, 4},
                     {"tracing", trace_text, 6},
                     {"using threads", use_threads, 10}};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        renew(&w);
        snprintf(sentence, sizeof sentence,
                 "%s: if any request is refused, %s fails or has the same results, without leaks",
                 MODELS[model].name, scenarios[i].what);
        TEST(sentence) refuse_each(&w, scenarios[i].run, scenarios[i].at_least);
    }
    for (w.form = 0; w.form < SAVED_FORMS; w.form++) {
        if (!w.files[w.form].bytes) continue;
        snprintf(sentence, sizeof sentence,
                 "%s: if any request is refused, saving %s fails or writes the same file",
                 MODELS[model].name, FORMS[w.form]);
        TEST(sentence) refuse_each(&w, save, 1);
    }
    static const char *const purposes[] = {"resume", "train", "generate", "fork"};
    for (int i = 0; i < 5; i++) {
        renew(&w);
        w.form = i < 4 ? CHECKPOINT : WEIGHTS;
        w.purpose = purposes[i < 4 ? i : 1];
        snprintf(sentence, sizeof sentence,
                 "%s: if any request is refused, loading %s to %s fails or has the same results",
                 MODELS[model].name, FORMS[w.form], w.purpose);
        TEST(sentence) refuse_each(&w, load_file, 10);
    }
    if (w.files[EXPORT].bytes) {
        renew(&w);
        w.purpose = "train";
        snprintf(sentence, sizeof sentence,
                 "%s: if any request is refused, importing GPT-2 fails or has the same results",
                 MODELS[model].name);
        TEST(sentence) refuse_each(&w, load_import, 10);
    }
    if (w.files[VOCAB_JSON].bytes) {
        renew(&w);
        TEST("if any request is refused, setting a vocabulary fails or has the same results") {
            refuse_each(&w, give_vocabulary, 10);
        }
    }
    if (w.files[RAW_JSON].bytes) {
        renew(&w);
        w.purpose = "train";
        TEST("if any request is refused, loading the raw form fails or has the same results")
            refuse_each(&w, load_raw, 10);
    }
    close_world(&w);
}

static void test_steps(void) {
    TEST("training, validation and sampling allocate no memory") {
        static const char *const presets[] = {"tinygpt", "microgpt", "gpt2"};
        for (int p = 0; p < 3; p++) {
            gpt_config *c = gpt_config_create(presets[p]);
            CHECK_INT(gpt_config_set(c, "validation", 0.3), GPT_OK);
            if (p == 2) {
                // Bytes instead of BPE, which may allocate memory for long words when it encodes a
                // prompt.
                CHECK_INT(gpt_config_set(c, "tokenizer", 0), GPT_OK);
            }
            gpt_trainer *t = make_trainer(c);
            char out[256];
            asked = 0;
            for (int i = 0; i < 5; i++) {
                CHECK_INT(gpt_step(t), GPT_OK);
                CHECK(gpt_validate(t, 2) > 0);
                CHECK(gpt_sample(t, "the", 3, 30, 1, 5, 0.9, 1, out, sizeof out) >= 0);
            }
            CHECK_INT(gpt_rewind(t), GPT_OK);
            CHECK_INT(asked, 0);
            gpt_trainer_free(t);
            gpt_config_free(c);
        }
    }
}

int main(void) {
    for (int model = 0; model < MODEL_COUNT; model++) {
        test_model(model);
    }
    test_steps();
    printf("%d requests refused\n", refused_in_all);
    return check_report();
}
