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
    int status = good ? EXIT_SUCCESS : complain(path, strerror(errno));
    if (file) {
        (void)fclose(file);
    }
    if (!good) {
        free(out->bytes);
        *out = (contents){0};
    }
    return status;
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
                       : complain(path, strerror(errno));
        }
    }
    return ferror(file) ? complain(path, strerror(errno)) : EXIT_SUCCESS;
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
            return complain(path, strerror(ENAMETOOLONG));
        }
        FILE *file = fopen(part, "rb");
        struct stat facts;
        if (!file) {
            return complain(part, strerror(errno));
        }
        int status = EXIT_SUCCESS;
        if (fstat(fileno(file), &facts) != 0) {
            status = complain(part, strerror(errno));
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
                     : complain(part, strerror(errno));
        if (file) {
            (void)fclose(file);
        }
    }
    return status;
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
    // For a resumed run gpt_load_begin checks that the flags change only options that may change
    // during a run. For other runs apply_settings_to_file checks the flags.
    status = status    ? status
             : resumes ? apply_settings(config, a)
                       : apply_settings_to_file(config, a, !a->data);
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
        } else if (begun == GPT_E_VOCABULARY_FILE && a->load) {
            status = complain(path, "these are weights without their recipe: give the folder that "
                                    "also has config.json with --hf FOLDER");
        } else if (begun < 0) {
            status = complain_of_config(of_text ? a->data : path, config);
        }
        if (begun == GPT_E_TEXT_DIFFERS) {
            (void)fputs("train_gpt: --fork or --tune trains the weights on another text\n", stderr);
        }
    }
    if (status == EXIT_SUCCESS) {
        status = parts ? feed_parts(loader, piece, path, config, ends)
                       : feed(loader, file, piece, path, config);
    }
    return status;
}

/* The vocabulary files of transformers, of OpenAI's release of GPT-2, and of the tokenizers
 * library. The first row whose first file exists is used; added_tokens.json may be missing. */
static const char *const VOCABULARIES[][3] = {
    {"vocab.json", "merges.txt", "added_tokens.json"},
    {"encoder.json", "vocab.bpe", NULL},
    {"tokenizer.json", NULL, NULL},
};

/* Sets the vocabulary in `config` from the vocabulary files in a folder. If there are no such
 * files, changes nothing and returns EXIT_SUCCESS. */
static int give_vocabulary(gpt_config *config, const char *folder) {
    enum { FORMS = sizeof VOCABULARIES / sizeof *VOCABULARIES, PARTS = 3 };
    char path[PATH_BYTES];
    int form = 0;
    do {
        if (form == FORMS) {
            // No vocabulary files. gpt_load_begin refuses the model if it needs a vocabulary.
            return EXIT_SUCCESS;
        }
        if (!join_path(path, folder, VOCABULARIES[form][0])) {
            return complain(folder, strerror(ENAMETOOLONG));
        }
    } while (access(path, F_OK) != 0 && ++form);
    contents part[PARTS] = {0};
    int status = EXIT_SUCCESS;
    for (int i = 0; i < PARTS && status == EXIT_SUCCESS && VOCABULARIES[form][i]; i++) {
        bool joined = join_path(path, folder, VOCABULARIES[form][i]);
        bool optional = i == 2 && access(path, F_OK) != 0;
        status = !joined    ? complain(folder, strerror(ENAMETOOLONG))
                 : optional ? EXIT_SUCCESS
                            : read_file(path, &part[i]);
    }
    if (status == EXIT_SUCCESS &&
        gpt_config_set_bpe(config, part[0].bytes, part[0].size, part[1].bytes, part[1].size,
                           part[2].bytes, part[2].size) < 0) {
        status = complain_of_config(folder, config);
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
                 (folder_of(folder, path) && give_vocabulary(config, folder) == EXIT_SUCCESS);
    FILE *file = !known ? NULL : foreign ? open_foreign(path, config) : fopen(path, "rb");
    char *piece = malloc(PIECE_BYTES);
    if (!file || !piece || fstat(fileno(file), &facts) != 0) {
        (void)(!known || (foreign && !file) ? EXIT_FAILED : complain(path, strerror(errno)));
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

gpt_trainer *load_trainer(gpt_config *config, const arguments *a, training_text *text) {
    char folder[PATH_BYTES];
    if (a->raw && (!folder_of(folder, a->raw) || give_vocabulary(config, folder) != EXIT_SUCCESS)) {
        return NULL;
    }
    if (!a->hf) {
        return a->raw ? load_file(config, "raw", a->raw, a, text)
                      : load_file(config, "safetensors", a->load, a, text);
    }
    if (give_vocabulary(config, a->hf) != EXIT_SUCCESS) {
        return NULL;
    }
    char path[PATH_BYTES];
    contents json = {0};
    if (!join_path(path, a->hf, "config.json")) {
        (void)complain(a->hf, strerror(ENAMETOOLONG));
        return NULL;
    }
    if (read_file(path, &json) != EXIT_SUCCESS) {
        return NULL;
    }
    int status = gpt_config_import(config, json.bytes, json.size);
    free(json.bytes);
    if (status < 0) {
        (void)complain_of_config(path, config);
        return NULL;
    }
    char index[PATH_BYTES];
    if (!join_path(path, a->hf, "model.safetensors") ||
        !join_path(index, a->hf, "model.safetensors.index.json")) {
        (void)complain(a->hf, strerror(ENAMETOOLONG));
        return NULL;
    }
    // Look for the weights in the same order as transformers: one file, the shards of a large
    // model, pytorch_model.bin.
    bool shards = access(path, F_OK) != 0 && access(index, F_OK) == 0;
    char pickle[PATH_BYTES];
    bool other = !shards && access(path, F_OK) != 0 &&
                 join_path(pickle, a->hf, "pytorch_model.bin") && access(pickle, F_OK) == 0;
    if (other) {
        return load_file(config, "safetensors", pickle, a, text);
    }
    return shards ? load_file(config, "index", index, a, text)
                  : load_file(config, "safetensors", path, a, text);
}
