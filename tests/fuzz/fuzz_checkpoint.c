/* fuzz_checkpoint.c - checkpoints through the loader of gpt.h, in the order of a client: header,
 * begin, data in pieces of any size; then the model is used. A loaded run is saved, loaded and
 * saved again: both files must be equal.
 *
 * Input: one byte each for the model, the purpose, the pieces and an option to change; then the
 * parts of the file (model_file.h). */
#include "model_file.h"

enum { MODELS = 4 };

/* Returns a file that inputs modify: three checkpoints, one per tokenizer, and a file of
 * weights. */
static const model_file *file_of(int which) {
    static model_file *files[MODELS];
    static const small_model models[MODELS] = {{"microgpt", 1, 1, 1, "checkpoint"},
                                               {"gpt2", 2, 0, 1, "checkpoint"},
                                               {"tinygpt", 0, 0, 1, "checkpoint"},
                                               {"gpt2", 1, 0, 2, "weights"}};
    if (!files[which]) {
        files[which] = make_model_file(&models[which]);
    }
    return files[which];
}

/* Feeds the file from `*at` on until the state of the loader changes or the file ends. False if the
 * loader refuses a piece. */
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

/* Whether the last file was refused for values that are not finite. */
static bool infinite;

/* Loads a file. Returns the trainer, or NULL if the file is refused. `change`: an option to change
 * after the header; 0: no change. */
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
        REQUIRE(gpt_load_feed(l, file + at, size - at) == 0); // no data before begin
        static const char *const changes[] = {"", "lr", "steps", "context", "seed", "batch"};
        if (change) {
            (void)gpt_config_set(c, changes[change], change == 1 ? 0.5 : change);
        }
        int planned = gpt_load_plan_json(l, purpose, text, generate ? 0 : TEXT_BYTES, json,
                                         sizeof json);
        int status = gpt_load_begin(l, purpose, text, generate ? 0 : TEXT_BYTES);
        REQUIRE(status <= GPT_OK && (status < 0 || planned > 0));
        bool fed = status == GPT_OK && feed(l, file, size, &at, &pieces);
        infinite = gpt_config_error(c, json, sizeof json) > 0 && strstr(json, "tensor-number");
        t = status == GPT_OK ? gpt_load_finish(l) : NULL;
        REQUIRE(!t || fed);
    }
    REQUIRE(t || gpt_config_error(c, json, sizeof json) > 0);
    gpt_load_free(l);
    return t;
}

/* Trains, validates, samples and probes. Every call must return a result or an expected error, for
 * all weights. */
static void use(gpt_trainer *t) {
    char out[4096];
    if (gpt_trainer_get(t, "generates_only") == 0) {
        (void)gpt_trainer_set(t, "lr", 0.1 + 0.2); // more digits than the decimal numbers of a file
    }
    for (int i = 0; i < 2; i++) {
        int status = gpt_step(t);
        REQUIRE(status == GPT_OK || status == GPT_FINISHED || status == GPT_E_DIVERGED ||
                status == GPT_E_NO_TEXT);
    }
    (void)gpt_validate(t, 2);
    REQUIRE(gpt_losses(t) || gpt_trainer_get(t, "generates_only") == 1);
    int length = gpt_sample(t, "th", 2, 9, 0.9, 3, 0.9, 1, out, sizeof out);
    REQUIRE(length >= 0 || length == GPT_E_CHARACTER || length == GPT_E_NOT_FINITE);
    length = gpt_sample(t, "", 0, 9, 0, 0, 1, -1, out, sizeof out);
    REQUIRE(length >= 0 || length == GPT_E_NOT_FINITE);
    length = gpt_probe(t, "th", 2, gpt_trainer_get(t, "generates_only") == 0);
    REQUIRE(length > 0 || length == GPT_E_CHARACTER || length == GPT_E_LONG ||
            length == GPT_E_NOT_FINITE);
}

/* Saves the run, loads the file and saves again: both files must be equal, byte for byte. */
static void check_again(gpt_trainer *t) {
    static char file[FILE_MAX], second[FILE_MAX];
    gpt_config *c = gpt_config_create("gpt2");
    REQUIRE(c != NULL);
    bool frozen = gpt_trainer_get(t, "generates_only") == 1;
    const char *form = frozen ? "weights" : "checkpoint";
    size_t size = save(t, form, "again", file);
    gpt_trainer *again = load(c, file, size, frozen ? "generate" : "resume", 0,
                              fuzz_pieces_from(0));
    // Steps on very large weights may end with weights that are not finite.
    REQUIRE(again != NULL || infinite);
    REQUIRE(!again ||
            (save(again, form, "again", second) == size && memcmp(file, second, size) == 0));
    gpt_trainer_free(again);
    gpt_config_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char file[FILE_MAX];
    static const char *const purposes[] = {"resume", "train", "generate", "fork"};
    fuzz_input in = fuzz_open(data, size);
    const model_file *from = file_of(fuzz_choice(&in, MODELS));
    const char *purpose = purposes[fuzz_choice(&in, 4)];
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
        if (gpt_trainer_get(t, "context") <= 64) { // longer is slow and tests nothing more
            use(t);
            check_again(t);
        }
        gpt_trainer_free(t);
    }
    gpt_config_free(c);
    return 0;
}
