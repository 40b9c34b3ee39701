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

/* Feeds the loader what it still takes of an open file. */
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

/* The data files of the raw form, which lie beside its JSON. */
static int feed_raw_files(gpt_loader *loader, char *piece, const char *path,
                          const gpt_config *config) {
    char folder[PATH_BYTES], name[PATH_BYTES], joined[PATH_BYTES];
    if (!folder_of(folder, path)) {
        return complain(path, strerror(ENAMETOOLONG));
    }
    int status = EXIT_SUCCESS;
    for (int i = 0; status == EXIT_SUCCESS; i++) {
        int found = gpt_load_file(loader, i, name, sizeof name);
        if (found == GPT_END) {
            break;
        }
        FILE *file = found > 0 && join_path(joined, folder, name) ? fopen(joined, "rb") : NULL;
        if (!file) {
            return complain(name, strerror(errno));
        }
        struct stat facts;
        bool whole = fstat(fileno(file), &facts) == 0 &&
                     (double)facts.st_size == gpt_load_file_bytes(loader, i);
        status = whole ? feed(loader, file, piece, joined, config)
                       : complain(joined, "it has not the size that the JSON names");
        (void)fclose(file);
    }
    return status;
}

/* Reads `file` through the loader; the flags' options are put in where the header ends. */
static int pass_through(gpt_loader *loader, FILE *file, char *piece, const char *path,
                        gpt_config *config, const arguments *a, const contents *text) {
    const char *purpose = !text->bytes ? "generate" : a->load && !a->tune ? "resume" : "train";
    int status = feed(loader, file, piece, path, config);
    if (status == EXIT_SUCCESS && gpt_load_state(loader) == 0) {
        status = complain(path, "the file ends within its header");
    }
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
        status = a->raw ? feed_raw_files(loader, piece, path, config)
                        : feed(loader, file, piece, path, config);
    }
    return status;
}

static gpt_trainer *load_file(gpt_config *config, const char *path, const arguments *a,
                              const contents *text) {
    struct stat facts;
    gpt_trainer *trainer = NULL;
    FILE *file = fopen(path, "rb");
    char *piece = malloc(PIECE_BYTES);
    if (!file || !piece || fstat(fileno(file), &facts) != 0) {
        (void)complain(path, strerror(errno));
    } else {
        gpt_loader *loader = gpt_load_open(config, a->raw ? "raw" : "safetensors",
                                           (double)facts.st_size);
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
        return load_file(config, a->raw ? a->raw : a->load, a, text);
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
    return join_path(path, a->hf, "model.safetensors") ? load_file(config, path, a, text) : NULL;
}
