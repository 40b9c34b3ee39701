/* train_gpt_files.c - what the command line reads and writes. */
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX asks for this name (realpath is XSI)
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/train_gpt.h"

enum { PATH_BYTES = 4096, PIECE_BYTES = 1 << 20, PART_NAMES = 100 };

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

/* The file that writing to `path` replaces: where its links lead. Only a regular file may be replaced: a
 * renamed file would take the place of a device. */
static int find_target(char out[PATH_BYTES], const char *path) {
    struct stat facts;
    if (stat(path, &facts) != 0) {
        int error = errno;
        if (error == ENOENT && lstat(path, &facts) == 0) {
            return complain(path, "is a link that leads nowhere");
        }
        int length = snprintf(out, PATH_BYTES, "%s", path);
        error = length >= PATH_BYTES ? ENAMETOOLONG : error;
        return error == ENOENT && length > 0 ? EXIT_SUCCESS : complain(path, strerror(error));
    }
    if (!S_ISREG(facts.st_mode)) {
        return complain(path, S_ISDIR(facts.st_mode) ? "is a directory, not a file"
                                                     : "is not a regular file");
    }
    char *real = realpath(path, NULL);
    bool fits = real && snprintf(out, PATH_BYTES, "%s", real) < PATH_BYTES;
    int error = real ? ENAMETOOLONG : errno;
    free(real);
    return fits ? EXIT_SUCCESS : complain(path, strerror(error));
}

/* Opens a file beside `path` for what is not complete yet, under a name that nothing has; NULL and errno
 * when it cannot be. */
static FILE *open_part(char part[PATH_BYTES], const char *path) {
    for (int i = 0; i < PART_NAMES; i++) {
        char number[16] = "";
        if (i) {
            (void)snprintf(number, sizeof number, "%d", i);
        }
        if (snprintf(part, PATH_BYTES, "%s.part%s", path, number) >= PATH_BYTES) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        int descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (descriptor >= 0) {
            return fdopen(descriptor, "wb");
        }
        if (errno != EEXIST) {
            return NULL;
        }
    }
    return NULL;
}

/* Can a file appear under this name when it is complete? */
static int check_target(const char *path) {
    char target[PATH_BYTES], part[PATH_BYTES];
    int status = find_target(target, path);
    if (status != EXIT_SUCCESS) {
        return status;
    }
    FILE *file = open_part(part, target);
    return file && fclose(file) == 0 && remove(part) == 0 ? EXIT_SUCCESS
                                                          : complain(path, strerror(errno));
}

/* A receipt is written in place, so that a pipe will do, and a terminal. */
static int check_receipt(const char *path) {
    struct stat facts;
    if (stat(path, &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) {
            return complain(path, "is a directory, not a file");
        }
        return access(path, W_OK) == 0 ? EXIT_SUCCESS : complain(path, strerror(errno));
    }
    return check_target(path);
}

/* The files of an export: the model, then its tokenizer, which a model of characters has not. */
static const char *const EXPORTED_FILES[] = {"config.json", "model.safetensors", "vocab.json",
                                             "merges.txt", "tokenizer_config.json"};
enum { EXPORTED_COUNT = sizeof EXPORTED_FILES / sizeof *EXPORTED_FILES, EXPORTED_MODEL = 2 };

/* Can the files of an export be written? Makes the folder to find out, and takes it away again: the run
 * may still be refused. */
static int check_export_folder(const char *folder) {
    bool made = mkdir(folder, 0777) == 0;
    int error = made ? 0 : errno;
    struct stat facts;
    if (error == EEXIST) {
        error = stat(folder, &facts) != 0 ? errno : S_ISDIR(facts.st_mode) ? 0 : ENOTDIR;
    }
    int status = error ? complain(folder, strerror(error)) : EXIT_SUCCESS;
    for (int i = 0; i < EXPORTED_COUNT && status == EXIT_SUCCESS; i++) {
        char path[PATH_BYTES];
        status = join_path(path, folder, EXPORTED_FILES[i])
                     ? check_target(path)
                     : complain(folder, strerror(ENAMETOOLONG));
    }
    if (made) {
        (void)rmdir(folder);
    }
    return status;
}

/* Do two names lead to one file? One that is not there yet is known by its name only. */
static bool same_file(const char *one, const char *other) {
    struct stat first, second;
    if (!one || !other) {
        return false;
    }
    return strcmp(one, other) == 0 ||
           (stat(one, &first) == 0 && stat(other, &second) == 0 && S_ISREG(first.st_mode) &&
            first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

/* What is written must not destroy what was read, nor what was written just before. */
static int check_distinct(const arguments *a) {
    const char *overwritten = same_file(a->save, a->data)        ? a->save
                              : same_file(a->receipt, a->data)   ? a->receipt
                              : same_file(a->receipt, a->load)   ? a->receipt
                              : same_file(a->receipt, a->save)   ? a->receipt
                              : same_file(a->receipt, a->verify) ? a->receipt
                                                                 : NULL;
    return overwritten ? complain(overwritten, "two options name this file: one would destroy the "
                                               "other's. Choose another name")
                       : EXIT_SUCCESS;
}

int check_targets(const arguments *a) {
    int status = check_distinct(a);
    status = status == EXIT_SUCCESS && a->save ? check_target(a->save) : status;
    status = status == EXIT_SUCCESS && a->receipt ? check_receipt(a->receipt) : status;
    return status == EXIT_SUCCESS && a->export_folder ? check_export_folder(a->export_folder)
                                                      : status;
}

/* Writes one form of the trainer under a name that appears when the file is complete. */
static int write_file(gpt_trainer *trainer, const char *form, const char *path) {
    char target[PATH_BYTES], part[PATH_BYTES];
    if (find_target(target, path) != EXIT_SUCCESS) {
        return EXIT_FAILED;
    }
    gpt_saver *saver = gpt_save_open(trainer, form, NULL, 0);
    if (!saver) {
        return complain_of_trainer(path, trainer);
    }
    char *piece = malloc(PIECE_BYTES);
    FILE *file = piece ? open_part(part, target) : NULL;
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
    if (good && rename(part, target) != 0) {
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

/* How many of the files there are for this model. */
static int exported_count(gpt_trainer *trainer) {
    gpt_saver *words = gpt_save_open(trainer, EXPORTED_FILES[EXPORTED_MODEL], NULL, 0);
    gpt_save_free(words);
    return words ? EXPORTED_COUNT : EXPORTED_MODEL;
}

int check_export(gpt_trainer *trainer, const char *folder) {
    // What transformers has no place for is refused where its config.json is made.
    gpt_saver *saver = gpt_save_open(trainer, "config.json", NULL, 0);
    int status = saver ? EXIT_SUCCESS : complain_of_trainer(folder, trainer);
    gpt_save_free(saver);
    // The tokenizer of another model beside these weights would be taken for theirs.
    for (int i = exported_count(trainer); i < EXPORTED_COUNT && status == EXIT_SUCCESS; i++) {
        char path[PATH_BYTES];
        if (join_path(path, folder, EXPORTED_FILES[i]) && access(path, F_OK) == 0) {
            status = complain(path, "is there from another model, and this one has no such file: "
                                    "remove it, or export to another folder");
        }
    }
    return status;
}

int export_folder(gpt_trainer *trainer, const char *folder) {
    bool made = mkdir(folder, 0777) == 0;
    int status = made || errno == EEXIST ? EXIT_SUCCESS : complain(folder, strerror(errno));
    int count = exported_count(trainer);
    for (int i = 0; i < count && status == EXIT_SUCCESS; i++) {
        char path[PATH_BYTES];
        status = join_path(path, folder, EXPORTED_FILES[i])
                     ? write_file(trainer, EXPORTED_FILES[i], path)
                     : complain(folder, strerror(ENAMETOOLONG));
    }
    if (status == EXIT_SUCCESS) {
        (void)fprintf(stderr, "exported to %s%s\n", folder,
                      count == EXPORTED_COUNT ? ""
                                              : ", without a tokenizer: transformers has none of "
                                                "characters (their ids are in the order of their "
                                                "code points)");
    } else if (made) {
        (void)rmdir(folder); // only if nothing is in it
    }
    return status;
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
    bool resumes = text->bytes && a->load && !a->tune;
    const char *purpose = !text->bytes ? "generate" : resumes ? "resume" : "train";
    long ends[GPT_LOAD_FILES_MAX] = {0};
    int status = feed_header(loader, file, piece, path, config);
    bool parts = gpt_load_state(loader) == GPT_LOAD_FILE_DUE;
    status = status ? status : feed_headers(loader, piece, path, config, ends);
    // What a run that goes on may change, gpt_load_begin knows.
    status = status    ? status
             : resumes ? apply_settings(config, a)
                       : apply_settings_to_file(config, a, !text->bytes);
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
