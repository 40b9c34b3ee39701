/* train_gpt_files.c - what the command line reads and writes. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX asks for this name
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/train_gpt.h"

enum { PATH_BYTES = 4096, PIECE_BYTES = 1 << 20 };

/* ---- Files ----------------------------------------------------------------------------------------- */

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

/* "folder/name" into `out`. */
static bool join_path(char out[PATH_BYTES], const char *folder, const char *name) {
    int length = snprintf(out, PATH_BYTES, "%s/%s", folder, name);
    return length > 0 && length < PATH_BYTES;
}

/* The name of a file that is not complete yet. */
static bool part_path(char out[PATH_BYTES], const char *path) {
    int length = snprintf(out, PATH_BYTES, "%s.part", path);
    return length > 0 && length < PATH_BYTES;
}

int check_targets(const arguments *a) {
    char part[PATH_BYTES];
    if (a->save) {
        FILE *file = part_path(part, a->save) ? fopen(part, "wb") : NULL;
        if (!file || fclose(file) != 0 || remove(part) != 0) {
            return complain(a->save, strerror(errno));
        }
    }
    if (a->export_folder && mkdir(a->export_folder, 0777) != 0 && errno != EEXIST) {
        return complain(a->export_folder, strerror(errno));
    }
    return EXIT_SUCCESS;
}

/* Writes one form of the trainer under a name that appears when the file is complete. */
static int write_file(gpt_trainer *trainer, const char *form, const char *path) {
    char part[PATH_BYTES];
    if (!part_path(part, path)) {
        return complain(path, strerror(ENAMETOOLONG));
    }
    gpt_saver *saver = gpt_save_open(trainer, form, NULL, 0);
    if (!saver) {
        return complain_of_trainer(path, trainer);
    }
    char *piece = malloc(PIECE_BYTES);
    FILE *file = piece ? fopen(part, "wb") : NULL;
    bool good = file != NULL;
    double got = 0;
    while (good && (got = gpt_save_read(saver, piece, PIECE_BYTES)) > 0) {
        good = fwrite(piece, 1, (size_t)got, file) == (size_t)got;
    }
    good = good && got == 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int error = errno;
    if (file && fclose(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && rename(part, path) != 0) {
        good = false;
        error = errno;
    }
    if (!good && file) {
        (void)remove(part);
    }
    free(piece);
    gpt_save_free(saver);
    return good ? EXIT_SUCCESS : complain(path, strerror(error));
}

int export_folder(gpt_trainer *trainer, const char *folder) {
    static const char *const FILES[] = {"config.json", "model.safetensors", "vocab.json",
                                        "merges.txt"};
    bool merges = gpt_trainer_get(trainer, "merges") > 0; // else there is nothing in the last two
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES - (merges ? 0 : 2); i++) {
        char path[PATH_BYTES];
        if (!join_path(path, folder, FILES[i])) {
            return complain(folder, strerror(ENAMETOOLONG));
        }
        if (write_file(trainer, FILES[i], path) != EXIT_SUCCESS) {
            return EXIT_FAILED;
        }
    }
    (void)fprintf(stderr, "exported to %s\n", folder);
    return EXIT_SUCCESS;
}

int save_checkpoint(gpt_trainer *trainer, const char *path) {
    return write_file(trainer, "checkpoint", path);
}

/* ---- Loading --------------------------------------------------------------------------------------- */

/* Feeds the loader what it still takes of an open file: its header, or after begin all the rest. */
static int feed(gpt_loader *loader, FILE *file, char *piece, const char *path,
                const gpt_config *config) {
    size_t got;
    while ((got = fread(piece, 1, PIECE_BYTES, file)) > 0) {
        double taken = gpt_load_feed(loader, piece, got);
        if (taken < 0) {
            return complain_of_config(path, config);
        }
        if (taken < (double)got) { // the header ends here: the rest is read again after begin
            return fseek(file, (long)taken - (long)got, SEEK_CUR) == 0
                       ? EXIT_SUCCESS
                       : complain(path, strerror(errno));
        }
    }
    return ferror(file) ? complain(path, strerror(errno)) : EXIT_SUCCESS;
}

/* The folder that a path is in. */
static bool folder_of(char out[PATH_BYTES], const char *path) {
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 1;
    return snprintf(out, PATH_BYTES, "%.*s", length, slash ? path : ".") < PATH_BYTES;
}

/* Feeds a header, which must be whole. */
static int feed_header(gpt_loader *loader, FILE *file, char *piece, const char *path,
                       const gpt_config *config) {
    int status = feed(loader, file, piece, path, config);
    return status == EXIT_SUCCESS && gpt_load_state(loader) == 0
               ? complain(path, "the file ends within its header")
               : status;
}

/* Path of file `index` of a model in several files, which lie beside the JSON at `path`. False when
 * there are no more. */
static bool part_of_model(char out[PATH_BYTES], gpt_loader *loader, int index, const char *path) {
    char folder[PATH_BYTES], name[PATH_BYTES];
    return gpt_load_file(loader, index, name, sizeof name) > 0 && folder_of(folder, path) &&
           join_path(out, folder, name);
}

/* Feeds the headers of the files that the JSON at `path` names; `ends` gets where each ends. */
static int feed_headers(gpt_loader *loader, char *piece, const char *path, const gpt_config *config,
                        long *ends) {
    char part[PATH_BYTES];
    for (int i = 0; gpt_load_state(loader) == GPT_LOAD_FILE_DUE; i++) {
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
        if (status == EXIT_SUCCESS && gpt_load_state(loader) == 0) {
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

/* Feeds the data of those files, after their headers. */
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

/* Reads `file` through the loader; the flags' options are put in where the header ends. */
static int pass_through(gpt_loader *loader, FILE *file, char *piece, const char *path,
                        gpt_config *config, const arguments *a, const contents *text) {
    const char *purpose = !text->bytes ? "generate" : a->load && !a->tune ? "resume" : "train";
    long ends[GPT_LOAD_FILES_MAX] = {0};
    int status = feed_header(loader, file, piece, path, config);
    bool parts = gpt_load_state(loader) == GPT_LOAD_FILE_DUE;
    status = status ? status : feed_headers(loader, piece, path, config, ends);
    status = status ? status : apply_settings(config, a);
    if (status == EXIT_SUCCESS && gpt_load_begin(loader, purpose, text->bytes, text->size) < 0) {
        status = complain_of_config(path, config);
        char error[2048];
        bool differs = gpt_config_error(config, error, sizeof error) > 0 &&
                       strstr(error, "\"text-differs\"") != NULL;
        if (differs) {
            (void)fputs("train_gpt: --tune trains the weights on another text\n", stderr);
        }
    }
    if (status == EXIT_SUCCESS) {
        status = parts ? feed_parts(loader, piece, path, config, ends)
                       : feed(loader, file, piece, path, config);
    }
    return status;
}

static gpt_trainer *load_file(gpt_config *config, const char *form, const char *path,
                              const arguments *a, const contents *text) {
    struct stat facts;
    gpt_trainer *trainer = NULL;
    FILE *file = fopen(path, "rb");
    char *piece = malloc(PIECE_BYTES);
    if (!file || !piece || fstat(fileno(file), &facts) != 0) {
        (void)complain(path, strerror(errno));
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

/* Gives the recipe vocab.json and merges.txt of a folder, where they are. */
static int give_vocabulary(gpt_config *config, const char *folder) {
    char vocab_path[PATH_BYTES], merges_path[PATH_BYTES];
    if (!join_path(vocab_path, folder, "vocab.json") ||
        !join_path(merges_path, folder, "merges.txt")) {
        return complain(folder, strerror(ENAMETOOLONG));
    }
    if (access(vocab_path, F_OK) != 0) {
        return EXIT_SUCCESS; // bytes need none; whether this does is known when the weights are
    }
    contents vocab = {0}, merges = {0};
    int status = read_file(vocab_path, &vocab);
    status = status == EXIT_SUCCESS ? read_file(merges_path, &merges) : status;
    if (status == EXIT_SUCCESS &&
        gpt_config_set_bpe(config, vocab.bytes, vocab.size, merges.bytes, merges.size) < 0) {
        status = complain_of_config(folder, config);
    }
    free(vocab.bytes);
    free(merges.bytes);
    return status;
}

gpt_trainer *load_trainer(gpt_config *config, const arguments *a, const contents *text) {
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
    // Large models are cut into shards; where both forms lie, transformers too takes the one file.
    bool shards = access(path, F_OK) != 0 && access(index, F_OK) == 0;
    return shards ? load_file(config, "index", index, a, text)
                  : load_file(config, "safetensors", path, a, text);
}
