/* train_gpt_files.c - reads whole files into memory, and loads models.
 *
 * A gpt_loader loads a model in three parts: it reads the headers of all files of the model; then
 * gpt_load_begin receives the training text and the options from the flags; then the data of all
 * files are read. If a model has several files, a JSON file names them and is read first. The
 * vocabulary is read from files in the same folder, unless the file with the weights contains the
 * vocabulary.
 */
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX asks for this name
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/train_gpt.h"

/* ---- Files ----------------------------------------------------------------------------------- */

int read_file(const char *path, contents *out) {
    FILE *file = fopen(path, "rb");
    size_t room = 0, got = 0;
    *out = (contents){0};
    bool good = file != NULL;
    do {
        if (good && out->size == room) {
            room = room ? room * 2 : PIECE_BYTES;
            char *grown = realloc(out->bytes, room);
            good = grown != NULL;
            out->bytes = grown ? grown : out->bytes;
        }
        got = good ? fread(out->bytes + out->size, 1, room - out->size, file) : 0;
        out->size += got;
    } while (got);
    good = good && !ferror(file);
    int status = good ? EXIT_SUCCESS : complain_of_system(path, errno);
    if (file) {
        (void)fclose(file);
    }
    if (!good) {
        free(out->bytes);
        *out = (contents){0};
    }
    return status;
}

size_t read_beginning(const char *path, char first[BEGINNING]) {
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(first, 1, BEGINNING, file) : 0;
    if (file) {
        (void)fclose(file);
    }
    return got;
}

bool join_path(char out[PATH_BYTES], const char *folder, const char *name) {
    int length = snprintf(out, PATH_BYTES, "%s/%s", folder, name);
    return length > 0 && length < PATH_BYTES;
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* Feeds an open file to the loader, to the end of the header if gpt_load_begin has not been called
 * yet, otherwise to the end of the file. `piece` is a buffer of PIECE_BYTES bytes; error messages
 * name `path`. */
static int feed(gpt_loader *loader, FILE *file, char *piece, const char *path,
                const gpt_config *config) {
    size_t got;
    while ((got = fread(piece, 1, PIECE_BYTES, file)) > 0) {
        double taken = gpt_load_feed(loader, piece, got);
        if (taken < 0) {
            return complain_of_config(path, config);
        }
        if (taken < (double)got) { // the header ended: seek back to its end, where the data begin
            return fseek(file, (long)taken - (long)got, SEEK_CUR) == 0
                       ? EXIT_SUCCESS
                       : complain_of_system(path, errno);
        }
    }
    return ferror(file) ? complain_of_system(path, errno) : EXIT_SUCCESS;
}

bool folder_of(char out[PATH_BYTES], const char *path) {
    const char *slash = strrchr(path, '/');
    int length = slash > path ? (int)(slash - path) : 1;
    return snprintf(out, PATH_BYTES, "%.*s", length, slash ? path : ".") < PATH_BYTES;
}

/* Feeds the header of a file to the loader. EXIT_FAILED if the file ends within its header. */
static int feed_header(gpt_loader *loader, FILE *file, char *piece, const char *path,
                       const gpt_config *config) {
    int status = feed(loader, file, piece, path, config);
    return status == EXIT_SUCCESS && gpt_load_state(loader) == GPT_LOAD_HEADER
               ? complain(path, "the file ends within its header")
               : status;
}

/* Writes the path of file number `index`, from 0, of a model in several files. The JSON file at
 * `path` names these files, which are in its folder. Returns false past the last file, or if the
 * path is too long. */
static bool part_of_model(char out[PATH_BYTES], gpt_loader *loader, int index, const char *path) {
    char folder[PATH_BYTES], name[PATH_BYTES];
    return gpt_load_file(loader, index, name, sizeof name) > 0 && folder_of(folder, path) &&
           join_path(out, folder, name);
}

/* Feeds to the loader the headers of all files that the JSON file at `path` names. Sets ends[i] to
 * the offset in file i where its header ends: 0 in the raw form, whose files have no headers.
 * `ends` has GPT_LOAD_FILES_MAX elements. */
static int feed_headers(gpt_loader *loader, char *piece, const char *path, const gpt_config *config,
                        long *ends) {
    char part[PATH_BYTES];
    for (int i = 0; gpt_load_state(loader) == GPT_LOAD_NEXT; i++) {
        if (!part_of_model(part, loader, i, path)) {
            return complain_of_system(path, ENAMETOOLONG);
        }
        FILE *file = fopen(part, "rb");
        struct stat facts;
        if (!file) {
            return complain_of_system(part, errno);
        }
        int status = EXIT_SUCCESS;
        if (fstat(fileno(file), &facts) != 0) {
            status = complain_of_system(part, errno);
        } else if (gpt_load_next(loader, (double)facts.st_size) < 0) {
            status = complain_of_config(part, config);
        }
        if (status == EXIT_SUCCESS && gpt_load_state(loader) == GPT_LOAD_HEADER) {
            status = feed_header(loader, file, piece, part, config);
        }
        ends[i] = ftell(file);
        (void)fclose(file);
        if (status != EXIT_SUCCESS) {
            return status;
        }
    }
    return EXIT_SUCCESS;
}

/* Feeds to the loader the data of all files that the JSON file at `path` names: of file i the bytes
 * from offset ends[i], where its header ends, to its end. */
static int feed_parts(gpt_loader *loader, char *piece, const char *path, const gpt_config *config,
                      const long *ends) {
    char part[PATH_BYTES];
    int status = EXIT_SUCCESS;
    for (int i = 0; status == EXIT_SUCCESS && part_of_model(part, loader, i, path); i++) {
        FILE *file = fopen(part, "rb");
        status = file && fseek(file, ends[i], SEEK_SET) == 0
                     ? feed(loader, file, piece, part, config)
                     : complain_of_system(part, errno);
        if (file) {
            (void)fclose(file);
        }
    }
    return status;
}

/* Prints on standard error which flags or files help after `failure`, an error (GPT_E_...) of a
 * load; nothing for most errors. */
static void print_hint(int failure) {
    static const char SIZES[] =
        "config.json has the sizes n_layer, n_head, n_embd, n_positions and "
        "vocab_size of the model: where it lacks one, GPT-2's is assumed";
    static const struct {
        int failure;
        const char *hint;
    } HINTS[] = {
        {GPT_E_TEXT_DIFFERS, "--fork or --tune trains the weights on another text"},
        {GPT_E_NO_RUN, "--tune trains the weights on this text, from step 0"},
        {GPT_E_FORK, "--tune trains the weights on this text, from step 0"},
        {GPT_E_HEADS, SIZES},
        {GPT_E_TENSOR_SHAPE, SIZES},
    };
    for (size_t i = 0; i < sizeof HINTS / sizeof *HINTS; i++) {
        if (HINTS[i].failure == failure) {
            (void)fprintf(stderr, "train_gpt: %s\n", HINTS[i].hint);
        }
    }
}

/* Reads a model from `file` and, if this is a JSON file, from the files that it names: feeds all
 * headers to the loader, sets the options from the flags in `config`, calls gpt_load_begin with the
 * training text, and feeds all data. */
static int pass_through(gpt_loader *loader, FILE *file, char *piece, const char *path,
                        gpt_config *config, const arguments *a, training_text *given) {
    bool resumes = a->data && a->load && !a->tune && !a->fork;
    const char *purpose = !a->data ? "generate" : resumes ? "resume" : a->fork ? "fork" : "train";
    long ends[GPT_LOAD_FILES_MAX] = {0};
    int status = feed_header(loader, file, piece, path, config);
    bool parts = gpt_load_state(loader) == GPT_LOAD_NEXT;
    status = status ? status : feed_headers(loader, piece, path, config, ends);
    status = status ? status : apply_settings_to_file(config, a);
    const contents *text = status == EXIT_SUCCESS
                               ? choose_text(a, given, (text_claim){.checkpoint = loader})
                               : NULL;
    status = text ? status : EXIT_FAILED;
    if (status == EXIT_SUCCESS) {
        int begun = gpt_load_begin(loader, purpose, text->bytes, text->size);
        bool of_text = begun == GPT_E_EMPTY || begun == GPT_E_SHORT || begun == GPT_E_CHARACTER ||
                       begun == GPT_E_TEXT_SIZE || begun == GPT_E_TEXT_DIFFERS;
        if (begun == GPT_E_VOCABULARY_FILE && a->load && is_foreign(path)) {
            status = complain(path, "does not say which tokens it has: put vocab.json and "
                                    "merges.txt, or tokenizer.json, beside it (a meta.pkl of "
                                    "nanoGPT is not read)");
        } else if (begun == GPT_E_CONFIG_FILE && a->load) {
            status = complain(path, "these are weights without their recipe: give the folder that "
                                    "also has config.json with --hf FOLDER");
        } else if (begun < 0) {
            status = complain_of_config(of_text ? a->data : path, config);
        }
        print_hint(begun);
    }
    if (status == EXIT_SUCCESS) {
        status = parts ? feed_parts(loader, piece, path, config, ends)
                       : feed(loader, file, piece, path, config);
    }
    return status;
}

/* The vocabulary files of transformers, of OpenAI's release of GPT-2, and of the tokenizers
 * library. The first row whose files exist is used; added_tokens.json may be missing. */
static const char *const VOCABULARIES[][3] = {
    {"vocab.json", "merges.txt", "added_tokens.json"},
    {"encoder.json", "vocab.bpe", NULL},
    {"tokenizer.json", NULL, NULL},
};

/* True if the folder contains the file. `path` receives the path of the file. */
static bool has_part(char path[PATH_BYTES], const char *folder, const char *name) {
    return join_path(path, folder, name) && access(path, F_OK) == 0;
}

/* Sets the vocabulary in `config` from the vocabulary files in a folder. If there are no such
 * files, changes nothing and returns EXIT_SUCCESS. */
static int load_vocabulary(gpt_config *config, const char *folder) {
    enum { FORMS = sizeof VOCABULARIES / sizeof *VOCABULARIES, PARTS = 3 };
    char path[PATH_BYTES], why[PATH_BYTES];
    const char *alone = NULL; // a vocabulary whose merges are missing
    int form = 0;
    for (; form < FORMS; form++) {
        const char *const *names = VOCABULARIES[form];
        bool first = has_part(path, folder, names[0]);
        if (first && (!names[1] || has_part(path, folder, names[1]))) {
            break;
        }
        alone = first ? names[0] : alone;
    }
    if (form == FORMS && alone) {
        (void)snprintf(why, sizeof why,
                       "%s needs its merges: add merges.txt (vocab.bpe for encoder.json), or put "
                       "tokenizer.json there instead",
                       alone);
        return complain(folder, why);
    }
    if (form == FORMS) {
        // No vocabulary files. gpt_load_begin refuses the model if it needs a vocabulary.
        return EXIT_SUCCESS;
    }
    contents part[PARTS] = {0};
    int status = EXIT_SUCCESS;
    for (int i = 0; i < PARTS && status == EXIT_SUCCESS && VOCABULARIES[form][i]; i++) {
        bool found = has_part(path, folder, VOCABULARIES[form][i]);
        status = !found && i == 2 ? EXIT_SUCCESS : read_file(path, &part[i]);
    }
    if (status == EXIT_SUCCESS) {
        int set = gpt_config_set_bpe(config, part[0].bytes, part[0].size, part[1].bytes,
                                     part[1].size, part[2].bytes, part[2].size);
        const char *const *names = VOCABULARIES[form];
        (void)snprintf(why, sizeof why, "%s/%s%s%s", folder, names[0], names[1] ? ", " : "",
                       names[1] ? names[1] : "");
        status = set >= 0 ? EXIT_SUCCESS
                 : set == GPT_E_ARGUMENT
                     ? complain(why,
                                "this is not a tokenizer.json of the tokenizers library, or it "
                                "is damaged: get it again, or remove it and put vocab.json and "
                                "merges.txt there")
                     : complain_of_config(why, config);
    }
    for (int i = 0; i < PARTS; i++) {
        free(part[i].bytes);
    }
    return status;
}

/* Creates a trainer from the file at `path`. `form` is a form of gpt_load_open. First converts a
 * model file of another program (see is_foreign). Returns NULL after printing an error. */
static gpt_trainer *load_file(gpt_config *config, const char *form, const char *path,
                              const arguments *a, training_text *text) {
    struct stat facts;
    gpt_trainer *trainer = NULL;
    char folder[PATH_BYTES];
    bool foreign = is_foreign(path);
    // Read the vocabulary files beside a file of another program. If the file itself contains a
    // vocabulary, open_foreign replaces the vocabulary that was read here.
    bool known = !foreign ||
                 (folder_of(folder, path) && load_vocabulary(config, folder) == EXIT_SUCCESS);
    FILE *file = !known ? NULL : foreign ? open_foreign(path, config) : fopen(path, "rb");
    char *piece = malloc(PIECE_BYTES);
    if (!file || !piece || fstat(fileno(file), &facts) != 0) {
        (void)(!known || (foreign && !file) ? EXIT_FAILED : complain_of_system(path, errno));
    } else {
        gpt_loader *loader = gpt_load_open(config, form, (double)facts.st_size);
        if (!loader) {
            (void)complain_of_config(path, config);
        } else if (pass_through(loader, file, piece, path, config, a, text) == EXIT_SUCCESS) {
            trainer = gpt_load_finish(loader);
            if (!trainer) {
                (void)complain_of_config(path, config);
            }
        }
        gpt_load_free(loader);
    }
    if (file) {
        (void)fclose(file);
    }
    free(piece);
    return trainer;
}

/* The weights in a folder of transformers, in the order in which transformers looks for them, and
 * the form of each for gpt_load_open: one file, the index of the shards of a large model, and
 * PyTorch's file. */
static const char *const WEIGHTS[][2] = {
    {"model.safetensors", "safetensors"},
    {"model.safetensors.index.json", "index"},
    {"pytorch_model.bin", "safetensors"},
};

/* Creates a trainer from a folder of transformers. Returns NULL after printing an error. */
static gpt_trainer *load_folder(gpt_config *config, const arguments *a, training_text *text) {
    char path[PATH_BYTES];
    contents json = {0};
    if (load_vocabulary(config, a->hf) != EXIT_SUCCESS) {
        return NULL;
    }
    if (!join_path(path, a->hf, "config.json")) {
        (void)complain_of_system(a->hf, ENAMETOOLONG);
        return NULL;
    }
    if (read_file(path, &json) != EXIT_SUCCESS) {
        return NULL;
    }
    int status = gpt_config_import(config, json.bytes, json.size);
    free(json.bytes);
    if (status < 0) {
        (void)complain_of_config(path, config);
        print_hint(status);
        return NULL;
    }
    for (size_t i = 0; i < sizeof WEIGHTS / sizeof *WEIGHTS; i++) {
        if (has_part(path, a->hf, WEIGHTS[i][0])) {
            return load_file(config, WEIGHTS[i][1], path, a, text);
        }
    }
    (void)complain(a->hf, "has no weights: add model.safetensors, its shards with their index, or "
                          "pytorch_model.bin");
    return NULL;
}

gpt_trainer *load_trainer(gpt_config *config, const arguments *a, training_text *text) {
    char folder[PATH_BYTES], first[BEGINNING];
    if (a->hf) {
        return load_folder(config, a, text);
    }
    bool good = a->raw
                    ? folder_of(folder, a->raw) && load_vocabulary(config, folder) == EXIT_SUCCESS
                    : check_kind(a->load, first, read_beginning(a->load, first), true) ==
                          EXIT_SUCCESS;
    return !good    ? NULL
           : a->raw ? load_file(config, "raw", a->raw, a, text)
                    : load_file(config, "safetensors", a->load, a, text);
}
