/* train_gpt_export.c - files for other programs: --export FOLDER, or FORM=PLACE. */
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
    const char *name; /* in the folder; without one, what follows the name of the first file */
    const char *form;
    bool
        converted; /* made by gpt_export_open, else by gpt_save_open or, if that refuses the recipe,
                     * by gpt_export_open */
    bool optional; /* a vocabulary that not every model has */
    const char *text,
        *card; /* of the form "template": the template, and the field that the lines of
                              * a card ask for */
} exported_file;

/* A form of export: its files, and what opens them. */
typedef struct export_form {
    const char *name, *opens;
    bool folder;
    double weights; /* copies of the weights in it */
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

/* The form that is wanted, and where it goes: a folder without a form is for transformers. */
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

/* What the names of files beside a model have in common with its own: "out" of "out.gguf". */
static int stem_of(const char *place) {
    const char *end = strrchr(place, '.');
    return end && end > place && !strchr(end, '/') ? (int)(end - place) : (int)strlen(place);
}

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

/* Lets the weights through the export into `file`; without one, only as far as the form says whether
 * it can be made. */
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
    return good ? EXIT_SUCCESS : EXIT_FAILED;
}

/* Bytes of the first `count` characters of UTF-8, or of all before `bytes`. */
static size_t characters(const char *text, size_t bytes, size_t count) {
    size_t at = 0;
    while (at < bytes && (count || ((unsigned char)text[at] & 0xC0) == 0x80)) {
        count -= count && ((unsigned char)text[at] & 0xC0) != 0x80;
        at++;
    }
    return at;
}

/* Leaves the first word of a text, or half of it where nothing follows, so that there is more to be
 * written; eight characters and `room` bytes at most, and none that a shell or a language of
 * programs would read as more than itself. False when there is no such word. */
static bool keep_beginning(char *text, double room) {
    // Control characters, spaces and quotes.
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
    return bytes > 0 && !strstr(text, "\xEF\xBF\xBD"); // it stands for bytes that are no text
}

static void set_number(gpt_export *export, const char *what, double number) {
    char text[32];
    if (number == number) {
        (void)snprintf(text, sizeof text, "%.4f", number);
        (void)gpt_export_set_field(export, what, text);
    }
}

/* Sets what the model writes after a beginning of its own. */
static void set_sample(gpt_export *export, gpt_trainer *trainer) {
    enum { TOKENS = 40, SEEDS = 8 };
    static char prompt[1 << 16], sample[1 << 16];
    double context = gpt_trainer_get(trainer, "context");
    bool found = false;
    for (int seed = 0; seed <= SEEDS && !found; seed++) { // the first one is the likeliest text
        found = gpt_sample(trainer, "", 0, TOKENS, seed ? 1 : 0, 0, 1, seed, prompt,
                           sizeof prompt) > 0 &&
                keep_beginning(prompt, context / 2);
    }
    if (!found) {
        return;
    }
    // A token has a byte at least, and BOS may stand before all.
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

/* Sets the fields of a template for the file at `place`. */
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
    (void)gpt_export_set_field(export, "tokens", "20"); // unless a sample has set it
    (void)gpt_export_set_field(export, "prompt", "");
}

/* Writes a file of another program into an output, which is then closed; without one, only finds
 * out whether it can be made. */
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
    if (!o) {
        return status;
    }
    return close_output(o, status == EXIT_SUCCESS) == EXIT_SUCCESS ? status : EXIT_FAILED;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Whether this model has the file. */
static bool has_file(gpt_trainer *trainer, const exported_file *file) {
    if (!file->optional) {
        return true;
    }
    gpt_saver *saver = gpt_save_open(trainer, file->form, NULL, 0);
    gpt_save_free(saver);
    return saver != NULL;
}

/* Whether the file is made by gpt_export_open. */
static bool is_converted(gpt_trainer *trainer, const exported_file *file) {
    gpt_saver *saver = file->converted ? NULL : gpt_save_open(trainer, file->form, NULL, 0);
    gpt_save_free(saver);
    return saver == NULL;
}

static int check_export(gpt_trainer *trainer, const char *wanted) {
    const char *place;
    const export_form *form = form_of(wanted, &place);
    int status = EXIT_SUCCESS;
    for (const exported_file *file = form->files; file->form && status == EXIT_SUCCESS; file++) {
        char path[PATH_BYTES];
        if (!path_of(path, form, place, file)) {
            status = complain(place, strerror(ENAMETOOLONG));
        } else if (!has_file(trainer, file)) {
            // The tokenizer of another model beside these weights would be taken for theirs.
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

/* Makes the folder of an export and those in it; *made: it was not there before. */
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

/* Takes empty folders away again. */
static void remove_folders(const export_form *form, const char *place) {
    char path[PATH_BYTES], folder[PATH_BYTES];
    for (const exported_file *file = form->files; form->folder && file->form; file++) {
        if (path_of(path, form, place, file) && folder_of(folder, path)) {
            (void)rmdir(folder); // only if nothing is in it
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
    // An export over an older one: all of it takes its place, or nothing.
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

/* A README.md or a Modelfile that is not of an export is somebody's own. */
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

/* Whether a folder has weights that an export of another form wrote, beside files whose names both
 * have. */
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
    // A flag's form that there is not would become a folder of that name.
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
