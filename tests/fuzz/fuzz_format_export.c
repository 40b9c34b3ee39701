/* fuzz_format_export.c - hostile weights through gpt_export, in every format. Any header ends with
 * a file of the announced size or with an error.
 *
 * Input: one byte each for the model and the pieces; then the parts of the file (model_file.h). */
#include "api/gpt_formats.h"
#include "formats/formats.h"
#include "model_file.h"

enum { MODELS = 6 };

static const char *const FORMS[] = {
#define NAME(name, plan) name,
    EXPORT_FORMATS(NAME)
#undef NAME
};

/* Returns a file that inputs modify: weights of GPT-2 with each tokenizer, or of other presets. */
static const model_file *file_of(int which) {
    static model_file *files[MODELS];
    static const small_model models[MODELS] = {
        {"gpt2", 0, 0, 2, "weights"},       {"gpt2", 1, 1, 2, "weights"},
        {"gpt2", 2, 0, 2, "weights"},       {"microgpt", 1, 1, 1, "weights"},
        {"tinygpt", 0, 0, 1, "checkpoint"}, {"gpt2", 2, 1, 2, "model.safetensors"}};
    if (!files[which]) {
        files[which] = make_model_file(&models[which]);
    }
    return files[which];
}

/* Exports a file of weights in one format, to the end or to an error. */
static void export_as(const char *form, const char *file, size_t size, fuzz_pieces pieces) {
    gpt_export *e = gpt_export_open(form, (double)size);
    REQUIRE(e != NULL);
    size_t at = 0;
    double gone = 0;
    while (gpt_export_done(e) == 0) {
        size_t now = fuzz_piece(&pieces, size - at);
        fuzz_part piece = fuzz_copy(file + at, now, false);
        double taken = gpt_export_feed(e, piece.text, now);
        free(piece.text);
        REQUIRE(taken <= (double)now);
        at += taken > 0 ? (size_t)taken : 0;
        char out[1000];
        int got = taken < 0 ? (int)taken : gpt_export_take(e, out, sizeof out);
        if (got < 0) {
            REQUIRE(got != GPT_E_STATE && gpt_export_feed(e, "", 1) == GPT_E_STATE);
            char json[2048];
            REQUIRE(gpt_export_error_json(e, json, sizeof json) > 0);
            gpt_export_free(e);
            return;
        }
        gone += got;
        REQUIRE(gone <= gpt_export_size(e));
        // Every round makes progress: a whole file of the announced size has all data of the plan.
        REQUIRE(taken > 0 || got > 0 || gpt_export_done(e));
    }
    REQUIRE(gone == gpt_export_size(e));
    gpt_export_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char file[FILE_MAX];
    fuzz_input in = fuzz_open(data, size);
    const model_file *from = file_of(fuzz_choice(&in, MODELS));
    fuzz_pieces pieces = fuzz_pieces_from(fuzz_choice(&in, 256));
    size_t file_bytes = put_together(from, &in, file);
    for (size_t i = 0; file_bytes && i < sizeof FORMS / sizeof *FORMS; i++) {
        export_as(FORMS[i], file, file_bytes, pieces);
    }
    return 0;
}
