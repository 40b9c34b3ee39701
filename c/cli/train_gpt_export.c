/* train_gpt_export.c - writes files for other programs: --export FOLDER, or --export FORM=PLACE.
 *
 * FORMS is the table of export forms and their files. A file comes directly from the trainer
 * (gpt_save_open), or is converted from the stream of weights (gpt_export_open). Invariant: all
 * files of an export are complete before the first replaces an older file.
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
#include "templates/card.en.md.inc"
    ;
static const char MODELFILE[] =
#include "templates/Modelfile.txt.inc"
    ;

/* A file of an export. */
typedef struct exported_file {
    const char *name; /* path in the folder; without a folder, see path_of */
    const char *form; /* of gpt_save_open or gpt_export_open */
    bool converted; /* by gpt_export_open; false: by gpt_save_open, unless it refuses the recipe */
    bool optional;  /* left out if gpt_save_open refuses it: tokens are characters */
    /* Only in the form "template": the template, and the field that selects the lines of a card for
     * this export. NULL otherwise; `card` is NULL in a Modelfile too. */
    const char *text, *card;
} exported_file;

/* A form of export. */
typedef struct export_form {
    const char *name, *opens; /* FORM in the flag; the programs that open the files */
    bool folder;              /* the place is a folder; false: a file */
    double weights;           /* copies of the weights in the files */
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
        form, "llama.cpp, Ollama and LM Studio", false, 1, {                                       \
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
     1,
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
     2,
     {{"config.json", "onnx-config.json", true, false, NULL, NULL},
      TOKENIZER,
      CONVERTED("tokenizer_config.json"),
      {"onnx/model.onnx", "onnx", true, false, NULL, NULL},
      {"onnx/model_plain.onnx", "onnx-plain", true, false, NULL, NULL},
      CARD_OF("onnx")}},
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

/* Returns the form of an export and sets *place to its folder or file. Without a known form, the
 * form is that of transformers and *place all of `wanted`. */
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

const char *export_place(const char *wanted) {
    const char *place;
    (void)form_of(wanted, &place);
    return place;
}

double export_bytes(const char *wanted, double weights) {
    const char *place;
    return form_of(wanted, &place)->weights * weights;
}

/* Returns the length of the stem of a path, which has no extension: "out" of "out.gguf". */
static int stem_of(const char *place) {
    const char *end = strrchr(place, '.');
    return end && end > place && !strchr(end, '/') ? (int)(end - place) : (int)strlen(place);
}

/* Writes the path of a file of an export: in the folder, or the stem of the place followed by the
 * name; the place itself if the name is "". False if the path is too long. */
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

/* Feeds the weights to the export and writes its output to `file`. If `file` is NULL, feeds only
 * until the size is known: then the form can represent the model. `in` and `out` have PIECE_BYTES
 * bytes. A failed write returns EXIT_FAILED without a message; errno is the reason. */
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
    return good ? EXIT_SUCCESS : complain(path, strerror(errno));
}

/* Returns the bytes of the first `count` characters of UTF-8 text, at most `bytes`. */
static size_t characters(const char *text, size_t bytes, size_t count) {
    size_t at = 0;
    while (at < bytes && (count || ((unsigned char)text[at] & 0xC0) == 0x80)) {
        count -= count && ((unsigned char)text[at] & 0xC0) != 0x80;
        at++;
    }
    return at;
}

/* Shortens a text to its first word, or to half of it if the text ends there, so that the model can
 * continue it. Keeps one to eight characters, and at most `room` bytes if more than one. The prompt
 * is used in shell commands and code, so a word ends at every character that they interpret.
 * Returns false without such a word, or if it contains U+FFFD. */
static bool keep_beginning(char *text, double room) {
    // Control characters, the space, quotes, and $ \ ! of shells.
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
    return bytes > 0 && !strstr(text, "\xEF\xBF\xBD"); // U+FFFD replaces invalid bytes
}

/* Sets a field to a number with four decimals; NaN leaves it unset. */
static void set_number(gpt_export *export, const char *what, double number) {
    char text[32];
    if (number == number) {
        (void)snprintf(text, sizeof text, "%.4f", number);
        (void)gpt_export_set_field(export, what, text);
    }
}

/* Sets the fields of a sample: `prompt`, the beginning of a text by the model; `sample`, its
 * continuation at temperature 0; `tokens`, the limit of that continuation. Sets no field if no text
 * begins with a usable word. */
static void set_sample(gpt_export *export, gpt_trainer *trainer) {
    enum { TOKENS = 40, SEEDS = 8 };
    static char prompt[1 << 16], sample[1 << 16];
    double context = gpt_trainer_get(trainer, "context");
    bool found = false;
    for (int seed = 0; seed <= SEEDS && !found; seed++) { // seed 0: temperature 0
        found = gpt_sample(trainer, "", 0, TOKENS, seed ? 1 : 0, 0, 1, seed, prompt,
                           sizeof prompt) > 0 &&
                keep_beginning(prompt, context / 2);
    }
    if (!found) {
        return;
    }
    // The prompt has at most one token for each byte, after at most one BOS.
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

/* Sets the fields of a template for an export to `place`. */
static void set_fields(gpt_export *export, const exported_file *file, gpt_trainer *trainer,
                       const char *place) {
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
    char receipt[256], stem[PATH_BYTES];
    (void)snprintf(stem, sizeof stem, "%.*s", stem_of(name), name);
    (void)gpt_export_set_field(export, "template", file->text);
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
        set_number(export, "validation", gpt_validate(trainer, VALIDATION_SEQUENCES));
    }
    set_sample(export, trainer);
    // Defaults: the first value of a field counts.
    (void)gpt_export_set_field(export, "tokens", "20");
    (void)gpt_export_set_field(export, "prompt", "");
}

/* Converts a file into an output and closes the output, also on failure. If `o` is NULL, only
 * checks that the form can represent the model. `path` is for messages. */
static int write_converted(gpt_trainer *trainer, const exported_file *file, const char *place,
                           const char *path, output *o) {
    gpt_saver *weights = gpt_save_open(trainer, "weights", NULL, 0);
    gpt_export *export = weights ? gpt_export_open(file->form, gpt_save_bytes(weights)) : NULL;
    char *in = malloc(PIECE_BYTES), *out = malloc(PIECE_BYTES);
    if (export && o && file->text) {
        set_fields(export, file, trainer, place);
    }
    int status = !weights ? complain_of_trainer(path, trainer)
                 : !export || !in || !out
                     ? complain(path, strerror(ENOMEM))
                     : pass(weights, export, in, out, path, o ? o->file : NULL);
    free(in);
    free(out);
    gpt_export_free(export);
    gpt_save_free(weights);
    if (o && status == EXIT_SUCCESS) {
        return close_output(o, true);
    }
    if (o) {
        (void)fclose(o->file);
    }
    return status;
}

/* ---- Whole exports --------------------------------------------------------------------------- */

/* True if the export of this model has the file. */
static bool has_file(gpt_trainer *trainer, const exported_file *file) {
    if (!file->optional) {
        return true;
    }
    gpt_saver *saver = gpt_save_open(trainer, file->form, NULL, 0);
    gpt_save_free(saver);
    return saver != NULL;
}

/* True if gpt_export_open makes the file, false if gpt_save_open does. */
static bool is_converted(gpt_trainer *trainer, const exported_file *file) {
    gpt_saver *saver = file->converted ? NULL : gpt_save_open(trainer, file->form, NULL, 0);
    gpt_save_free(saver);
    return saver == NULL;
}

/* Checks the files of one export; see check_exports. */
static int check_export(gpt_trainer *trainer, const char *wanted) {
    const char *place;
    const export_form *form = form_of(wanted, &place);
    int status = EXIT_SUCCESS;
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        char path[PATH_BYTES];
        if (!path_of(path, form, place, file)) {
            status = complain(place, strerror(ENAMETOOLONG));
        } else if (!has_file(trainer, file)) {
            // Programs would load the vocabulary of another model with these weights.
            status = access(path, F_OK) != 0
                         ? EXIT_SUCCESS
                         : complain(path, "is there from another model, and this one has no such "
                                          "file: remove it, or export to another folder");
        } else if (is_converted(trainer, file)) {
            status = write_converted(trainer, file, place, place, NULL);
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

/* Creates the folder of an export and its subfolders. Sets *made to false if the folder existed. */
static int make_folders(const export_form *form, const char *place, bool *made) {
    char path[PATH_BYTES], folder[PATH_BYTES];
    *made = false;
    if (!form->folder) {
        return EXIT_SUCCESS;
    }
    *made = mkdir(place, 0777) == 0;
    int status = *made || errno == EEXIST ? EXIT_SUCCESS : complain(place, strerror(errno));
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        if (!path_of(path, form, place, file) || !folder_of(folder, path)) {
            status = complain(place, strerror(ENAMETOOLONG));
        } else if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            status = complain(folder, strerror(errno));
        }
    }
    return status;
}

/* Removes the folders of an export that are empty. */
static void remove_folders(const export_form *form, const char *place) {
    char path[PATH_BYTES], folder[PATH_BYTES];
    for (const exported_file *file = form->files; form->folder && file->form; file++) {
        if (path_of(path, form, place, file) && folder_of(folder, path)) {
            (void)rmdir(folder); // fails if the folder is not empty
        }
    }
    (void)rmdir(place);
}

int export_model(gpt_trainer *trainer, const char *wanted) {
    static output files[EXPORTED_MAX];
    static char paths[EXPORTED_MAX][PATH_BYTES];
    const char *place;
    const export_form *form = form_of(wanted, &place);
    bool made;
    int status = make_folders(form, place, &made), written = 0;
    // First writes all files under temporary names, then replaces the files of an older export.
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        if (!has_file(trainer, file)) {
            continue;
        }
        output *o = &files[written];
        status = path_of(paths[written], form, place, file)
                     ? open_output(o, paths[written], false)
                     : complain(place, strerror(ENAMETOOLONG));
        written += status == EXIT_SUCCESS;
        status = status != EXIT_SUCCESS        ? status
                 : is_converted(trainer, file) ? write_converted(trainer, file, place, o->path, o)
                                               : write_form(trainer, file->form, o);
    }
    bool complete = status == EXIT_SUCCESS;
    for (int i = 0; i < written; i++) {
        status = settle_output(&files[i], complete) == EXIT_SUCCESS ? status : EXIT_FAILED;
    }
    if (status == EXIT_SUCCESS) {
        (void)fprintf(stderr, "exported to %s, for %s\n", place, form->opens);
    } else if (made) {
        remove_folders(form, place);
    }
    return status;
}

/* True if a card or a Modelfile exists at `path` that no export wrote, by its first 63 bytes. */
static bool is_of_others(const char *path, const exported_file *of) {
    if (!of->text) {
        return false;
    }
    char first[64] = {0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    (void)fread(first, 1, sizeof first - 1, file);
    (void)fclose(file);
    return strstr(first, of->card ? "Glasshouse" : "FROM ./") == NULL;
}

/* True if a folder has the weights of another form of export. Both forms have files of the same
 * name, such as config.json, with different contents. */
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
    // An unknown form would otherwise become a part of a folder's name.
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
    int status = taken ? complain(place, strerror(ENOTDIR)) : make_folders(form, place, &made);
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        char path[PATH_BYTES];
        status = path_of(path, form, place, file) ? check_target(path)
                                                  : complain(place, strerror(ENAMETOOLONG));
        if (status == EXIT_SUCCESS && is_of_others(path, file)) {
            status = complain(path, "is there, and not from an export: choose another folder");
        }
    }
    if (made) {
        remove_folders(form, place);
    }
    return status;
}
