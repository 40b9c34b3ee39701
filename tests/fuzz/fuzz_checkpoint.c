/* fuzz_checkpoint.c - checkpoints through the loader of gpt.h, as a page would read one: header,
 * begin, data in pieces of any size, and then the model is used. A run that was taken up is
 * saved and opens again with the same weights.
 *
 * The file is one that the engine itself wrote, with parts exchanged: a fuzzer that had to
 * invent the length of the header and the table of tensors would never come to what lies behind
 * them. Input: one byte each for the model, the purpose, the pieces and changes of the recipe;
 * then, each up to a byte 0xFF and left as written when empty: config, tokenizer, state, note
 * and table of tensors; then bytes that are put over the data. */
#include "api/gpt.h"
#include "base/json.h"
#include "base/text_buffer.h"
#include "fuzz.h"

static const char TEXT[] = "the cat sat on the mat\nthe rat ran\nthat cat had a hat\na bat\n";
enum { TEXT_BYTES = sizeof TEXT - 1, MODELS = 4, PARTS = 5, FILE_MAX = 1 << 18 };

/* A file as the engine wrote it. */
typedef struct model_file {
    char bytes[FILE_MAX];
    size_t size, header, data; /* where the header and the data begin */
    fuzz_part part[PARTS];     /* of its header, unescaped; the last: the table as written */
} model_file;

static const char *const KEYS[PARTS] = {"glasshouse.config", "glasshouse.tokenizer",
                                        "glasshouse.state", "glasshouse.note", NULL};

/* Reads the whole file that a trainer gives out in a form. */
static size_t save(gpt_trainer *t, const char *form, const char *note, char *out) {
    gpt_saver *s = gpt_save_open(t, form, note, strlen(note));
    REQUIRE(s != NULL);
    size_t size = (size_t)gpt_save_bytes(s), at = 0;
    REQUIRE(size <= FILE_MAX);
    for (double now; (now = gpt_save_read(s, out + at, 1000)) > 0;) {
        at += (size_t)now;
    }
    REQUIRE(at == size);
    gpt_save_free(s);
    return size;
}

/* The parts of a header of our own: metadata first, then the tensors. */
static void take_apart(model_file *f) {
    uint64_t length = 0;
    memcpy(&length, f->bytes, 8);
    f->header = 8;
    f->data = 8 + (size_t)length;
    json_reader r = json_open(f->bytes + f->header, (size_t)length);
    REQUIRE(json_next(&r) == JSON_OBJECT_START && json_next(&r) == JSON_KEY);
    REQUIRE(json_next(&r) == JSON_OBJECT_START);
    while (json_next(&r) == JSON_KEY) {
        int which = 0;
        while (which < PARTS - 1 && !json_is(&r, KEYS[which])) {
            which++;
        }
        REQUIRE(json_next(&r) == JSON_STRING);
        if (which < PARTS - 1) {
            f->part[which] = (fuzz_part){malloc(r.size + 1), 0};
            f->part[which].bytes = json_string(&r, f->part[which].text, r.size);
        }
    }
    const char *table = f->bytes + f->header + r.at + 1; // after the comma
    const char *end = f->bytes + f->data;
    while (end[-1] != '}') {
        end--;
    }
    f->part[PARTS - 1] = fuzz_copy(table, (size_t)(end - 1 - table), false);
}

/* The files that inputs start from: three families with different tokenizers, and one of a model
 * that is as small as can be. */
static const model_file *file_of(int which) {
    static model_file *files[MODELS];
    static const struct {
        const char *preset;
        int tokenizer, sequences, channels;
        const char *form;
    } models[MODELS] = {{"microgpt", 1, 1, 1, "checkpoint"},
                        {"gpt2", 2, 0, 1, "checkpoint"},
                        {"tinygpt", 0, 0, 1, "checkpoint"},
                        {"gpt2", 1, 0, 2, "weights"}};
    if (files[which]) {
        return files[which];
    }
    gpt_config *c = gpt_config_create(models[which].preset);
    REQUIRE(c != NULL);
    const struct {
        const char *option;
        double value;
    } options[] = {{"tokenizer", models[which].tokenizer},
                   {"sequences", models[which].sequences},
                   {"channels", models[which].channels},
                   {"layers", 1},
                   {"heads", 1},
                   {"context", 4},
                   {"batch", 2},
                   {"vocabulary", 258}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        REQUIRE(gpt_config_set(c, options[i].option, options[i].value) == GPT_OK);
    }
    gpt_trainer *t = gpt_trainer_create(c, TEXT, TEXT_BYTES);
    REQUIRE(t != NULL && gpt_step(t) == GPT_OK && gpt_step(t) == GPT_OK);
    files[which] = calloc(1, sizeof *files[which]);
    REQUIRE(files[which] != NULL);
    files[which]->size = save(t, models[which].form, "a note", files[which]->bytes);
    take_apart(files[which]);
    gpt_trainer_free(t);
    gpt_config_free(c);
    return files[which];
}

/* The file with the parts of the input in place of its own; returns its size. */
static size_t put_together(const model_file *f, fuzz_input *in, char out[FILE_MAX]) {
    text_buffer header = text_begin(out + 8, FILE_MAX - 8);
    text_put(&header, "{\"__metadata__\":{\"format\":\"pt\"");
    for (int i = 0; i < PARTS; i++) {
        fuzz_part given = fuzz_until_mark(in, false);
        const fuzz_part *part = given.bytes ? &given : &f->part[i];
        if (KEYS[i] && part->text) {
            text_put(&header, ",");
            text_put_json_string(&header, KEYS[i]);
            text_put(&header, ":");
            text_put_json_bytes(&header, part->text, part->bytes);
        } else if (!KEYS[i]) {
            text_put(&header, "},");
            text_put_bytes(&header, part->text, part->bytes);
        }
        free(given.text);
    }
    text_put(&header, "}");
    uint64_t length = text_end(&header);
    size_t data = f->size - f->data;
    if (length + data + 8 >= FILE_MAX) {
        return 0;
    }
    memcpy(out, &length, 8);
    memcpy(out + 8 + length, f->bytes + f->data, data);
    size_t over = in->size - in->at;
    if (over) {
        memcpy(out + 8 + length, in->data + in->at, over < data ? over : data);
    }
    return 8 + (size_t)length + data;
}

/* Feeds from *at on until the loader's state changes or the file ends. */
static bool feed(gpt_loader *l, const char *file, size_t size, size_t *at, fuzz_pieces *pieces) {
    int state = gpt_load_state(l);
    while (*at < size && gpt_load_state(l) == state) {
        size_t now = fuzz_piece(pieces, size - *at);
        char *piece = malloc(now);
        REQUIRE(piece != NULL);
        memcpy(piece, file + *at, now);
        double taken = gpt_load_feed(l, piece, now);
        free(piece);
        REQUIRE(taken <= (double)now);
        if (taken < 0) {
            return false;
        }
        *at += (size_t)taken;
    }
    return true;
}

static gpt_trainer *load(gpt_config *c, const char *file, size_t size, const char *purpose,
                         int change, fuzz_pieces pieces) {
    static char json[FILE_MAX];
    gpt_loader *l = gpt_load_open(c, "safetensors", (double)size);
    REQUIRE(l != NULL);
    size_t at = 0;
    bool generate = strcmp(purpose, "generate") == 0;
    const char *text = generate ? NULL : TEXT;
    gpt_trainer *t = NULL;
    if (feed(l, file, size, &at, &pieces) && gpt_load_state(l) == 1) {
        REQUIRE(gpt_load_json(l, json, sizeof json) > 0);
        REQUIRE(gpt_load_feed(l, file + at, size - at) == 0); // nothing before begin
        static const char *const changes[] = {"", "lr", "steps", "context", "seed", "batch"};
        if (change) {
            (void)gpt_config_set(c, changes[change], change == 1 ? 0.5 : change);
        }
        int planned = gpt_load_plan_json(l, purpose, text, generate ? 0 : TEXT_BYTES, json,
                                         sizeof json);
        int status = gpt_load_begin(l, purpose, text, generate ? 0 : TEXT_BYTES);
        REQUIRE(status <= GPT_OK && (status < 0 || planned > 0));
        bool fed = status == GPT_OK && feed(l, file, size, &at, &pieces);
        t = status == GPT_OK ? gpt_load_finish(l) : NULL;
        REQUIRE(!t || fed);
    }
    REQUIRE(t || gpt_config_error(c, json, sizeof json) > 0);
    gpt_load_free(l);
    return t;
}

/* Trains, validates, samples and looks inside; whatever the weights are, an answer comes. */
static void use(gpt_trainer *t) {
    char out[4096];
    if (gpt_trainer_get(t, "generates_only") == 0) {
        (void)gpt_trainer_set(t, "lr", 0.1 + 0.2); // more digits than a file's decimals have
    }
    for (int i = 0; i < 2; i++) {
        int status = gpt_step(t);
        REQUIRE(status == GPT_OK || status == GPT_FINISHED || status == GPT_E_DIVERGED ||
                status == GPT_E_NO_TEXT);
    }
    (void)gpt_validate(t, 2);
    REQUIRE(gpt_losses(t) || gpt_trainer_get(t, "generates_only") == 1);
    int length = gpt_sample(t, "th", 2, 9, 0.9, 3, 0.9, 1, out, sizeof out);
    REQUIRE(length >= 0 || length == GPT_E_CHARACTER);
    length = gpt_sample(t, "", 0, 9, 0, 0, 1, -1, out, sizeof out);
    REQUIRE(length >= 0);
    length = gpt_probe(t, "th", 2, gpt_trainer_get(t, "generates_only") == 0);
    REQUIRE(length > 0 || length == GPT_E_CHARACTER || length == GPT_E_LONG);
}

/* A run that is saved and loaded once more is the same run: its file is the same to the byte. */
static void check_again(gpt_trainer *t) {
    static char file[FILE_MAX], second[FILE_MAX];
    gpt_config *c = gpt_config_create("gpt2");
    REQUIRE(c != NULL);
    bool frozen = gpt_trainer_get(t, "generates_only") == 1;
    const char *form = frozen ? "weights" : "checkpoint";
    size_t size = save(t, form, "again", file);
    gpt_trainer *again = load(c, file, size, frozen ? "generate" : "resume", 0,
                              fuzz_pieces_from(0));
    REQUIRE(again != NULL);
    REQUIRE(save(again, form, "again", second) == size && memcmp(file, second, size) == 0);
    gpt_trainer_free(again);
    gpt_config_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char file[FILE_MAX];
    static const char *const purposes[] = {"resume", "train", "generate"};
    fuzz_input in = fuzz_open(data, size);
    const model_file *from = file_of(fuzz_choice(&in, MODELS));
    const char *purpose = purposes[fuzz_choice(&in, 3)];
    fuzz_pieces pieces = fuzz_pieces_from(fuzz_choice(&in, 256));
    int change = fuzz_choice(&in, 6);
    size_t file_bytes = put_together(from, &in, file);
    if (!file_bytes) {
        return 0;
    }
    gpt_config *c = gpt_config_create("gpt2");
    REQUIRE(c != NULL && gpt_config_set_memory_limit(c, 4 << 20) == GPT_OK);
    gpt_trainer *t = load(c, file, file_bytes, purpose, change, pieces);
    if (t) {
        if (gpt_trainer_get(t, "context") <=
            64) { // else its use takes long, and shows nothing more
            use(t);
            check_again(t);
        }
        gpt_trainer_free(t);
    }
    gpt_config_free(c);
    return 0;
}
