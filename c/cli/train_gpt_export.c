/* train_gpt_export.c - writes files for other programs: --export FOLDER, or --export FORM=PLACE.
 *
 * FORMS is the table of the forms of export (hf, gguf, gguf-f16, onnx) and of the files of each
 * form. A file is either written from the trainer (gpt_save_open) or converted from the trainer's
 * weights (gpt_export_open). Invariant: all files of an export are complete before the first of
 * them replaces an older file.
 */
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX asks for this name
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output.h"

static const char CARD[] =
#include "formats/templates/card.en.md.inc"
    ;
static const char CHINESE_CARD[] =
#include "formats/templates/card.zh.md.inc"
    ;
static const char MODELFILE[] =
#include "formats/templates/Modelfile.txt.inc"
    ;

/* A file of an export. */
typedef struct exported_file {
    const char *name; /* path in the folder; if PLACE is a file, see path_of */
    const char *form; /* name of the format for gpt_save_open or gpt_export_open */
    /* True: gpt_export_open writes the file. False: gpt_save_open writes the file; if GPT-2 lacks
     * an option of the model, gpt_save_open refuses, and gpt_export_open writes the file
     * instead. */
    bool converted;
    /* True: the export omits the file if gpt_save_open refuses to write it, such as vocab.json of a
     * model whose tokens are characters. */
    bool optional;
    /* text: the template, if `form` is "template"; otherwise NULL. card: in a model card, the name
     * of the template's field that selects the lines for this export; otherwise NULL. */
    const char *text, *card;
} exported_file;

/* A form of export: a list of files, and the programs that open them. */
typedef struct export_form {
    const char *name, *opens; /* FORM in --export FORM=PLACE; the programs that open the files */
    bool folder;              /* true: PLACE is a folder; false: a file */
    exported_file files[EXPORTED_MAX];
} export_form;

#define CONVERTED(name)                                                                            \
    { name, name, true, false, NULL, NULL }
#define SAVED(name)                                                                                \
    { name, name, false, false, NULL, NULL }
#define CARD_OF(form)                                                                              \
    { "README.md", "template", true, false, CARD, form }
#define TOKENIZER                                                                                  \
    CONVERTED("tokenizer.json"), CONVERTED("special_tokens_map.json"),                             \
        CONVERTED("generation_config.json")
#define GGUF(form)                                                                                 \
    {                                                                                              \
        form, "llama.cpp, Ollama and LM Studio", false, {                                          \
            {"", form, true, false, NULL, NULL},                                                   \
                {".Modelfile", "template", true, false, MODELFILE, NULL}, {                        \
                ".md", "template", true, false, CARD, "gguf"                                       \
            }                                                                                      \
        }                                                                                          \
    }

static const export_form FORMS[] = {
    {"hf",
     "transformers",
     true,
     {SAVED("config.json"),
      SAVED("model.safetensors"),
      TOKENIZER,
      SAVED("tokenizer_config.json"),
      {"vocab.json", "vocab.json", false, true, NULL, NULL},
      {"merges.txt", "merges.txt", false, true, NULL, NULL},
      CARD_OF("hf")}},
    GGUF("gguf"),
    GGUF("gguf-f16"),
    {"onnx",
     "transformers.js and onnxruntime",
     true,
     {{"config.json", "onnx-config.json", true, false, NULL, NULL},
      TOKENIZER,
      CONVERTED("tokenizer_config.json"),
      {"onnx/model.onnx", "onnx", true, false, NULL, NULL},
      {"onnx/model_plain.onnx", "onnx-plain", true, false, NULL, NULL},
      CARD_OF("onnx")}},
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

/* Splits `wanted`, the value of --export: returns the form of export, and sets *place to the folder
 * or file to write. If `wanted` does not begin with the name of a form and "=", returns the form
 * for transformers and sets *place to `wanted`. */
static const export_form *form_of(const char *wanted, const char **place) {
    const char *sign = strchr(wanted, '=');
    for (int i = 0; sign && i < FORM_COUNT; i++) {
        size_t length = strlen(FORMS[i].name);
        if (length == (size_t)(sign - wanted) && memcmp(FORMS[i].name, wanted, length) == 0) {
            *place = sign + 1;
            return &FORMS[i];
        }
    }
    *place = wanted;
    return FORMS;
}

/* Returns the length in bytes of a path without its extension: 3 for "out.gguf". */
static int stem_of(const char *place) {
    const char *end = strrchr(place, '.');
    return end && end > place && !strchr(end, '/') ? (int)(end - place) : (int)strlen(place);
}

/* Writes the path of a file of an export. If the form has a folder, `place` is this folder, and the
 * path is "place/name". Otherwise the path is `place` without its extension, followed by the name,
 * or `place` itself if the name is "". Returns false if the path is too long. */
static bool path_of(char out[PATH_BYTES], const export_form *form, const char *place,
                    const exported_file *file) {
    if (form->folder) {
        return join_path(out, place, file->name);
    }
    int length = *file->name
                     ? snprintf(out, PATH_BYTES, "%.*s%s", stem_of(place), place, file->name)
                     : snprintf(out, PATH_BYTES, "%s", place);
    return length > 0 && length < PATH_BYTES;
}

bool exported_path(char out[PATH_BYTES], const char *wanted, int index) {
    const char *place;
    const export_form *form = form_of(wanted, &place);
    return index < EXPORTED_MAX && form->files[index].form &&
           path_of(out, form, place, &form->files[index]);
}

/* ---- One file -------------------------------------------------------------------------------- */

static int complain_of_export(const char *path, const gpt_export *export) {
    char message[512];
    (void)gpt_export_message(export, message, sizeof message);
    return complain(path, message);
}

/* Feeds the weights to the export and writes the converted file to `file`. If `file` is NULL, feeds
 * only until the size of the converted file is known, which proves that the format can represent
 * the model. `in` and `out` are buffers of PIECE_BYTES bytes; error messages name `path`. */
static int pass(gpt_saver *weights, gpt_export *export, char *in, char *out, const char *path,
                FILE *file) {
    double size = 0, at = 0, taken = 0;
    int got = 0;
    bool good = true;
    while (good && !gpt_export_done(export) && (file || gpt_export_size(export) == 0)) {
        if (at == size) {
            size = gpt_save_read(weights, in, PIECE_BYTES);
            at = 0;
        }
        if (size > at) {
            taken = gpt_export_feed(export, in + (size_t)at, (size_t)(size - at));
            at += taken > 0 ? taken : 0;
        }
        got = taken < 0 || !file ? 0 : gpt_export_take(export, out, PIECE_BYTES);
        if (taken < 0 || got < 0) {
            return complain_of_export(path, export);
        }
        good = !file || fwrite(out, 1, (size_t)got, file) == (size_t)got;
    }
    return good ? EXIT_SUCCESS : complain_of_system(path, errno);
}

/* Returns the size in bytes of the first `count` characters of a UTF-8 text of `bytes` bytes;
 * `bytes` if the text has fewer characters. */
static size_t characters(const char *text, size_t bytes, size_t count) {
    size_t at = 0;
    while (at < bytes && (count || ((unsigned char)text[at] & 0xC0) == 0x80)) {
        count -= count && ((unsigned char)text[at] & 0xC0) != 0x80;
        at++;
    }
    return at;
}

/* Shortens a text to a prompt that the model can continue: the first word of the text, or half of
 * that word if the text ends with it. The prompt has one to eight characters, and at most `room`
 * bytes if it has more than one character. Control characters, spaces, quotes and $, \ and ! end a
 * word, because users paste the prompt between quotes into shell commands and code. Returns false
 * if the text has no word, or if the prompt contains U+FFFD. */
static bool keep_beginning(char *text, double room) {
    static const char ODD[] =
        "\1\2\3\4\5\6\7\b\t\n\v\f\r\16\17\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37 "
        "\177\"\\$`'!";
    enum { PROMPT_CHARACTERS = 8 };
    size_t from = strspn(text, ODD), bytes = strcspn(text + from, ODD), count = 0;
    for (size_t i = 0; i < bytes; i++) {
        count += ((unsigned char)text[from + i] & 0xC0) != 0x80;
    }
    size_t most = text[from + bytes] ? count : count / 2;
    most = most < PROMPT_CHARACTERS ? most : PROMPT_CHARACTERS;
    while (most > 1 && (double)characters(text + from, bytes, most) > room) {
        most--;
    }
    bytes = characters(text + from, bytes, most ? most : 1);
    memmove(text, text + from, bytes);
    text[bytes] = 0;
    // The sampler has replaced invalid bytes of the text by U+FFFD.
    return bytes > 0 && !strstr(text, "\xEF\xBF\xBD");
}

/* Sets the field `what` of a template to a number with four decimals; NaN leaves the field
 * unset. */
static void set_number(gpt_export *export, const char *what, double number) {
    char text[32];
    if (number == number) {
        (void)snprintf(text, sizeof text, "%.4f", number);
        (void)gpt_export_set_field(export, what, text);
    }
}

/* Sets the fields of a template that show a sample: `prompt`, the beginning of a text that the
 * model generates; `sample`, the continuation of the prompt at temperature 0; `tokens`, the most
 * tokens of the continuation. Sets no field if no generated text begins with a usable word. */
static void set_sample(gpt_export *export, gpt_trainer *trainer) {
    enum { TOKENS = 40, SEEDS = 8 };
    static char prompt[1 << 16], sample[1 << 16];
    double context = gpt_trainer_get(trainer, "context");
    bool found = false;
    for (int seed = 0; seed <= SEEDS && !found; seed++) { // seed 0 generates at temperature 0
        found = gpt_sample(trainer, "", 0, TOKENS, seed ? 1 : 0, 0, 1, seed, prompt,
                           sizeof prompt) > 0 &&
                keep_beginning(prompt, context / 2);
    }
    if (!found) {
        return;
    }
    // The prompt takes at most one position of the context for each of its bytes, and one for BOS.
    double room = context - (double)strlen(prompt) - 1;
    int tokens = room < 1 ? 1 : room < TOKENS ? (int)room : TOKENS;
    char number[16];
    (void)snprintf(number, sizeof number, "%d", tokens);
    (void)gpt_export_set_field(export, "tokens", number);
    (void)gpt_export_set_field(export, "prompt", prompt);
    if (gpt_sample(trainer, prompt, strlen(prompt), tokens, 0, 0, 1, 1, sample, sizeof sample) >
        0) {
        (void)gpt_export_set_field(export, "sample", sample);
    }
}

/* Sets the fields of the template of a card or Modelfile, for an export to `place`. A card is in
 * Chinese if `language` is "zh", otherwise in English. */
static void set_fields(gpt_export *export, const exported_file *file, gpt_trainer *trainer,
                       const char *place, const char *language) {
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
    char receipt[256], stem[PATH_BYTES];
    (void)snprintf(stem, sizeof stem, "%.*s", stem_of(name), name);
    bool chinese = file->card && language && strcmp(language, "zh") == 0;
    (void)gpt_export_set_field(export, "template", chinese ? CHINESE_CARD : file->text);
    (void)gpt_export_set_field(export, "file", name);
    if (file->card) {
        (void)gpt_export_set_field(export, file->card, "");
        if (strcmp(file->card, "gguf") == 0) {
            (void)gpt_export_set_field(export, "stem", stem);
        }
        if (gpt_receipt_line(trainer, receipt, sizeof receipt) > 0) {
            (void)gpt_export_set_field(export, "receipt", receipt);
        }
        set_number(export, "loss", gpt_loss(trainer));
        set_number(export, "validation", validation_loss(trainer));
    }
    set_sample(export, trainer);
}

/* Converts the weights of the trainer to the format of `file`, writes the converted file to the
 * output `o`, and closes `o` if that succeeds. If `o` is NULL, only checks that the format can
 * represent the model. If `bytes` is not NULL, sets *bytes to the size of the converted file, 0 if
 * it is unknown. `place` is the folder or file of the export; error messages name `path`.
 * For `language` see set_fields. */
static int write_converted(gpt_trainer *trainer, const exported_file *file, const char *place,
                           const char *path, const char *language, output *o, double *bytes) {
    gpt_saver *weights = gpt_save_open(trainer, "weights", NULL, 0);
    gpt_export *export = weights ? gpt_export_open(file->form, gpt_save_bytes(weights)) : NULL;
    char *in = malloc(PIECE_BYTES), *out = malloc(PIECE_BYTES);
    if (export && o && file->text) {
        set_fields(export, file, trainer, place, language);
    }
    int status = !weights ? complain_of_trainer(path, trainer)
                 : !export || !in || !out
                     ? complain_of_system(path, ENOMEM)
                     : pass(weights, export, in, out, path, o ? o->file : NULL);
    if (bytes) {
        *bytes = gpt_export_size(export);
    }
    free(in);
    free(out);
    gpt_export_free(export);
    gpt_save_free(weights);
    return o && status == EXIT_SUCCESS ? close_output(o, true) : status;
}

/* ---- Whole exports --------------------------------------------------------------------------- */

/* True if an export of this model contains the file. An optional file is missing if gpt_save_open
 * refuses to write it. */
static bool has_file(gpt_trainer *trainer, const exported_file *file) {
    if (!file->optional) {
        return true;
    }
    gpt_saver *saver = gpt_save_open(trainer, file->form, NULL, 0);
    gpt_save_free(saver);
    return saver != NULL;
}

/* True if gpt_export_open writes the file for this model, false if gpt_save_open does. */
static bool is_converted(gpt_trainer *trainer, const exported_file *file) {
    gpt_saver *saver = file->converted ? NULL : gpt_save_open(trainer, file->form, NULL, 0);
    gpt_save_free(saver);
    return saver == NULL;
}

/* Checks that the files of one export can represent the model. Refuses a folder with a vocabulary
 * file of another model that this export would not replace. */
static int check_export(gpt_trainer *trainer, const char *wanted) {
    const char *place;
    const export_form *form = form_of(wanted, &place);
    int status = EXIT_SUCCESS;
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        char path[PATH_BYTES];
        if (!path_of(path, form, place, file)) {
            status = complain_of_system(place, ENAMETOOLONG);
        } else if (!has_file(trainer, file)) {
            // The export would leave a vocabulary file of an older export in the folder, and
            // programs would load this vocabulary with the new weights.
            status = access(path, F_OK) != 0
                         ? EXIT_SUCCESS
                         : complain(path, "is there from another model, and this one has no such "
                                          "file: remove it, or export to another folder");
        } else if (is_converted(trainer, file)) {
            status = write_converted(trainer, file, place, place, NULL, NULL, NULL);
        }
    }
    return status;
}

int check_exports(gpt_trainer *trainer, const arguments *a) {
    int status = EXIT_SUCCESS;
    for (int i = 0; i < a->export_count && status == EXIT_SUCCESS; i++) {
        status = check_export(trainer, a->exports[i]);
    }
    return status;
}

/* TEMPLATE_BYTES: reserved for a card or Modelfile, which will contain a generated text. */
enum { TEMPLATE_BYTES = 1 << 16 };

/* made_folder[i]: export number i created its folder. */
static bool made_folder[EXPORTS_MAX];

/* Creates the folder of an export and its subfolders. Sets *made to true if the folder did not
 * exist before, otherwise to false. */
static int make_folders(const export_form *form, const char *place, bool *made) {
    char path[PATH_BYTES], folder[PATH_BYTES];
    *made = false;
    if (!form->folder) {
        return EXIT_SUCCESS;
    }
    *made = mkdir(place, 0777) == 0;
    int status = *made || errno == EEXIST ? EXIT_SUCCESS : complain_of_system(place, errno);
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        if (!path_of(path, form, place, file) || !folder_of(folder, path)) {
            status = complain_of_system(place, ENAMETOOLONG);
        } else if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            status = complain_of_system(folder, errno);
        }
    }
    return status;
}

/* Removes the subfolders and the folder of an export if they are empty. */
static void remove_folders(const export_form *form, const char *place) {
    char path[PATH_BYTES], folder[PATH_BYTES];
    for (const exported_file *file = form->files; form->folder && file->form; file++) {
        if (path_of(path, form, place, file) && folder_of(folder, path)) {
            (void)rmdir(folder); // fails without effect if the folder is not empty
        }
    }
    (void)rmdir(place);
}

/* Sets *bytes to the size that the file will have at most when training ends. */
static int measure_file(gpt_trainer *trainer, const exported_file *file, const char *place,
                        double *bytes) {
    int status = EXIT_SUCCESS;
    if (file->text) {
        *bytes = TEMPLATE_BYTES;
    } else if (is_converted(trainer, file)) {
        status = write_converted(trainer, file, place, place, NULL, NULL, bytes);
    } else {
        *bytes = form_bytes(trainer, file->form);
    }
    *bytes += GROWTH_BYTES;
    return status;
}

/* Returns the output of the first file of export number `number`. */
static output *first_output(int number) {
    return &outputs[FIRST_EXPORTED + number * EXPORTED_MAX];
}

int reserve_export(gpt_trainer *trainer, const arguments *a, int number) {
    const char *place;
    const export_form *form = form_of(a->exports[number], &place);
    int status = make_folders(form, place, &made_folder[number]);
    output *o = first_output(number);
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS;
         file++, o++) {
        char path[PATH_BYTES];
        double bytes = 0;
        if (!has_file(trainer, file)) {
            continue;
        }
        status = path_of(path, form, place, file) ? measure_file(trainer, file, place, &bytes)
                                                  : complain_of_system(place, ENAMETOOLONG);
        status = status == EXIT_SUCCESS ? open_output(o, path, false, bytes) : status;
    }
    return status;
}

void release_export(const arguments *a, int number) {
    const char *place;
    const export_form *form = form_of(a->exports[number], &place);
    for (int i = 0; i < EXPORTED_MAX; i++) {
        (void)settle_output(&first_output(number)[i], false);
    }
    if (made_folder[number]) {
        remove_folders(form, place);
    }
}

int export_model(gpt_trainer *trainer, const arguments *a, int number) {
    const char *place;
    const export_form *form = form_of(a->exports[number], &place);
    bool made;
    int status = make_folders(form, place, &made), count = 0;
    made_folder[number] |= made;
    output *files = first_output(number);
    // First write all files under temporary names, then replace the files of an older export.
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        char path[PATH_BYTES];
        output *o = &files[count++];
        if (!has_file(trainer, file)) {
            continue;
        }
        status = path_of(path, form, place, file) ? begin_output(o, path, false)
                                                  : complain_of_system(place, ENAMETOOLONG);
        status = status != EXIT_SUCCESS ? status
                 : is_converted(trainer, file)
                     ? write_converted(trainer, file, place, o->path, a->language, o, NULL)
                     : write_form(trainer, file->form, o);
    }
    if (status != EXIT_SUCCESS) {
        release_export(a, number);
        return status;
    }
    for (int i = 0; i < count; i++) {
        if (files[i].has_part && settle_output(&files[i], true) != EXIT_SUCCESS) {
            status = EXIT_FAILED;
        }
    }
    if (status == EXIT_SUCCESS) {
        (void)fprintf(stderr, "exported to %s, for %s\n", place, form->opens);
    }
    return status;
}

/* True if `path` is a model card or a Modelfile that no export has written. Decides by the first 63
 * bytes: a card from an export contains "Glasshouse" there, and a Modelfile from an export contains
 * "FROM ./". */
static bool is_of_others(const char *path, const exported_file *of) {
    if (!of->text) {
        return false;
    }
    char first[BEGINNING] = {0};
    (void)read_beginning(path, first);
    first[63] = 0;
    return access(path, F_OK) == 0 && strstr(first, of->card ? "Glasshouse" : "FROM ./") == NULL;
}

/* True if the folder `place` contains the weights of another form of export. Both forms have files
 * of the same names, such as config.json, with different contents. */
static bool has_other_weights(const export_form *form, const char *place) {
    static const char *const WEIGHTS[] = {"model.safetensors", "onnx/model.onnx"};
    bool found = false;
    for (size_t i = 0; i < sizeof WEIGHTS / sizeof *WEIGHTS; i++) {
        bool own = false;
        for (const exported_file *file = form->files; file->form; file++) {
            own |= strcmp(file->name, WEIGHTS[i]) == 0;
        }
        char path[PATH_BYTES];
        found |= !own && join_path(path, place, WEIGHTS[i]) && access(path, F_OK) == 0;
    }
    return found;
}

int check_export_target(const char *wanted) {
    const char *place;
    const export_form *form = form_of(wanted, &place);
    struct stat facts;
    bool made = false;
    // Reject "unknown=folder", whose form does not exist: otherwise the export would create a
    // folder of this name. A `wanted` with "/" or "." before the "=" is a path, without a form.
    const char *sign = strchr(place, '=');
    if (!*place || (sign && place == wanted && strcspn(place, "/.") > (size_t)(sign - place))) {
        return complain(wanted, "is no export: write FOLDER, or 'hf=', 'onnx=', 'gguf=' or "
                                "'gguf-f16=' and a place");
    }
    if (form->folder && has_other_weights(form, place)) {
        return complain(place, "has the weights of another form of export, whose settings would be "
                               "lost: choose another folder");
    }
    bool taken = form->folder && stat(place, &facts) == 0 && !S_ISDIR(facts.st_mode);
    int status = taken ? complain_of_system(place, ENOTDIR) : make_folders(form, place, &made);
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        char path[PATH_BYTES];
        status = path_of(path, form, place, file) ? check_target(path)
                                                  : complain_of_system(place, ENAMETOOLONG);
        if (status == EXIT_SUCCESS && is_of_others(path, file)) {
            status = complain(path, "is there, and not from an export: choose another folder");
        }
    }
    if (made) {
        remove_folders(form, place);
    }
    return status;
}
