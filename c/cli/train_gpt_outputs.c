/* train_gpt_outputs.c - writes checkpoints and receipts, first under a temporary name (see
 * output.h). train_gpt_export.c writes exports in the same way.
 *
 * Before the first step, checks that all output files can be written and reserves disk space for
 * them.
 */
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX asks for this name (realpath is XSI)
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/output.h"

/* PART_NAMES: the most temporary names to try. LOSSES_KEPT: most losses that a checkpoint or a
 * receipt contains. LINE_BYTES: buffer for the short form of a receipt. */
enum { PART_NAMES = 100, LOSSES_KEPT = 1 << 18, LINE_BYTES = 256 };

/* Buffer for a receipt as JSON. The longest receipt has 8 bytes for each of LOSSES_KEPT losses,
 * 16384 changes of options, and the receipt of an earlier run (for a fork) of at most 8 MiB. */
enum { RECEIPT_BYTES = 12 << 20 };

output outputs[OUTPUTS];

/* ---- One file -------------------------------------------------------------------------------- */

/* Writes the path of the regular file that `path` names, with symbolic links resolved. If the file
 * does not exist yet, copies `path`. EXIT_FAILED for a folder, a device or a broken link. */
static int find_target(char out[PATH_BYTES], const char *path) {
    struct stat facts;
    if (stat(path, &facts) != 0) {
        int error = errno;
        if (error == ENOENT && lstat(path, &facts) == 0) {
            return complain(path, "is a link that leads nowhere");
        }
        int length = snprintf(out, PATH_BYTES, "%s", path);
        error = length >= PATH_BYTES ? ENAMETOOLONG : error;
        return error == ENOENT && length > 0 ? EXIT_SUCCESS : complain_of_system(path, error);
    }
    if (!S_ISREG(facts.st_mode)) {
        return complain(path, S_ISDIR(facts.st_mode) ? "is a directory, not a file"
                                                     : "is not a regular file");
    }
    char *real = realpath(path, NULL);
    bool fits = real && snprintf(out, PATH_BYTES, "%s", real) < PATH_BYTES;
    int error = real ? ENAMETOOLONG : errno;
    free(real);
    return fits ? EXIT_SUCCESS : complain_of_system(path, error);
}

/* Creates the temporary file of an output: the first of `target`.part, `target`.part1, ... that
 * does not exist. Returns NULL with errno set on failure. */
static FILE *open_part(output *o) {
    for (int i = 0; i < PART_NAMES; i++) {
        char number[16] = "";
        if (i) {
            (void)snprintf(number, sizeof number, "%d", i);
        }
        if (snprintf(o->part, PATH_BYTES, "%s.part%s", o->target, number) >= PATH_BYTES) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        int descriptor = open(o->part, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (descriptor >= 0) {
            o->has_part = 1;
            return fdopen(descriptor, "wb");
        }
        if (errno != EEXIST) {
            return NULL;
        }
    }
    return NULL;
}

/* True if `path` names a pipe, a terminal or another device. */
static bool is_stream(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

/* Reserves disk space for the first `bytes` bytes of an empty file. Returns 0 or an errno. Writes
 * zeros if the system or the file system cannot reserve space: a size alone (ftruncate) reserves
 * none. */
static int reserve(int descriptor, double bytes) {
    static const char ZEROS[1 << 16];
#if defined(_POSIX_ADVISORY_INFO) && _POSIX_ADVISORY_INFO > 0
    int error = bytes > 0 ? EINTR : 0;
    while (error == EINTR) {
        error = posix_fallocate(descriptor, 0, (off_t)bytes);
    }
    if (error != EINVAL && error != EOPNOTSUPP) {
        return error;
    }
#endif
    while (bytes > 0) {
        size_t size = bytes < sizeof ZEROS ? (size_t)bytes : sizeof ZEROS;
        ssize_t written = write(descriptor, ZEROS, size);
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        bytes -= written > 0 ? (double)written : 0;
    }
    return lseek(descriptor, 0, SEEK_SET) == 0 ? 0 : errno;
}

/* Prints why an output could not be opened or its disk space not be reserved. */
static void complain_of_space(const output *o, double bytes, int error) {
    char why[160];
    struct statvfs disk;
    int descriptor = o->file ? fileno(o->file) : -1;
    // A failed reservation may keep a part of the space.
    if (error == ENOSPC && ftruncate(descriptor, 0) == 0 && fstatvfs(descriptor, &disk) == 0) {
        (void)snprintf(why, sizeof why,
                       "there is room for %.1f MB, and up to %.1f are needed: make room, or choose "
                       "another place",
                       (double)disk.f_bavail * (double)disk.f_frsize / 1e6, bytes / 1e6);
        (void)complain(o->path, why);
    } else {
        (void)complain_of_system(o->path, error);
    }
}

int open_output(output *o, const char *path, bool anywhere, double bytes) {
    *o = (output){.in_place = anywhere && is_stream(path)};
    (void)snprintf(o->path, PATH_BYTES, "%s", path);
    if (!o->in_place && find_target(o->target, path) != EXIT_SUCCESS) {
        return EXIT_FAILED;
    }
    o->file = o->in_place ? fopen(path, "wb") : open_part(o);
    int error = !o->file ? errno : o->in_place ? 0 : reserve(fileno(o->file), bytes);
    if (error) {
        complain_of_space(o, bytes, error);
        return settle_output(o, false);
    }
    return EXIT_SUCCESS;
}

int begin_output(output *o, const char *path, bool anywhere) {
    // A user may have deleted the temporary file during training.
    if (o->file && access(o->part, F_OK) == 0) {
        return EXIT_SUCCESS;
    }
    (void)settle_output(o, false);
    return open_output(o, path, anywhere, 0);
}

int close_output(output *o, bool good) {
    int descriptor = fileno(o->file);
    good = good && fflush(o->file) == 0 &&
           (o->in_place || (ftruncate(descriptor, ftello(o->file)) == 0 && fsync(descriptor) == 0));
    int error = errno;
    if (fclose(o->file) != 0 && good) {
        good = false;
        error = errno;
    }
    o->file = NULL;
    return good ? EXIT_SUCCESS : complain_of_system(o->path, error);
}

int settle_output(output *o, bool complete) {
    if (o->file) {
        (void)fclose(o->file);
        o->file = NULL;
    }
    if (o->has_part && !complete) {
        (void)remove(o->part);
    } else if (o->has_part && rename(o->part, o->target) != 0) {
        (void)complain_of_system(o->path, errno);
        if (access(o->part, F_OK) == 0) {
            (void)complain(o->part, "is the complete file: move it to where you want it");
        }
        complete = false;
    }
    o->has_part = 0;
    return complete ? EXIT_SUCCESS : EXIT_FAILED;
}

void discard_parts(void) {
    for (int i = 0; i < OUTPUTS; i++) {
        if (outputs[i].has_part) {
            (void)unlink(outputs[i].part);
        }
    }
}

int write_form(gpt_trainer *trainer, const char *form, output *o) {
    gpt_saver *saver = gpt_save_open(trainer, form, NULL, 0);
    char *piece = malloc(PIECE_BYTES);
    double got = 0;
    bool good = saver && piece;
    int error = saver ? ENOMEM : 0;
    while (good && (got = gpt_save_read(saver, piece, PIECE_BYTES)) > 0) {
        good = fwrite(piece, 1, (size_t)got, o->file) == (size_t)got;
        error = errno;
    }
    bool refused = !saver || got < 0;
    free(piece);
    gpt_save_free(saver);
    if (refused) {
        return complain_of_trainer(o->path, trainer);
    }
    errno = error;
    return close_output(o, good);
}

int save_checkpoint(gpt_trainer *trainer, const char *path) {
    output *o = &outputs[CHECKPOINT];
    if (begin_output(o, path, false) != EXIT_SUCCESS) {
        return EXIT_FAILED;
    }
    return settle_output(o, write_form(trainer, "checkpoint", o) == EXIT_SUCCESS);
}

/* Sets *json to the receipt of the run so far, which the caller frees. Returns its length in bytes,
 * -1 after printing an error. */
static int make_receipt(gpt_trainer *trainer, const char *path, char **json) {
    *json = malloc(RECEIPT_BYTES);
    int length = *json ? gpt_receipt_json(trainer, *json, RECEIPT_BYTES) : -1;
    if (length < 0) {
        (void)(*json ? complain_of_trainer(path, trainer) : complain_of_system(path, ENOMEM));
        return -1;
    }
    return length;
}

int save_receipt(gpt_trainer *trainer, const char *path) {
    output *o = &outputs[RECEIPT];
    char line[LINE_BYTES], *json = NULL;
    int length = make_receipt(trainer, path, &json), status = EXIT_FAILED;
    if (length >= 0 && begin_output(o, path, true) == EXIT_SUCCESS) {
        bool good = fwrite(json, 1, (size_t)length, o->file) == (size_t)length;
        status = close_output(o, good);
    }
    status = settle_output(o, status == EXIT_SUCCESS);
    free(json);
    if (status == EXIT_SUCCESS && gpt_receipt_line(trainer, line, sizeof line) >= 0) {
        (void)printf("receipt %s\n", line);
    }
    return status;
}

/* ---- Before the first step ------------------------------------------------------------------- */

int check_target(const char *path) {
    output o;
    int status = open_output(&o, path, false, 0);
    (void)settle_output(&o, false);
    return status;
}

/* Writes the absolute path of a file, with symbolic links resolved. The file need not exist, but
 * its folder must. Returns false if the folder does not exist or the path is too long. */
static bool find_name(char out[PATH_BYTES], const char *path) {
    char folder[PATH_BYTES];
    const char *slash = strrchr(path, '/');
    char *real = realpath(path, NULL);
    bool whole = real != NULL;
    if (!whole && folder_of(folder, path)) {
        real = realpath(folder, NULL);
    }
    bool good = real && (whole ? snprintf(out, PATH_BYTES, "%s", real) < PATH_BYTES
                               : join_path(out, real, slash ? slash + 1 : path));
    free(real);
    return good;
}

/* True if two paths name the same file, which need not exist. False for a device, or if a path is
 * NULL. */
static bool same_file(const char *one, const char *other) {
    char first[PATH_BYTES], second[PATH_BYTES];
    struct stat facts;
    if (!one || !other) {
        return false;
    }
    // Compare the strings first: find_name fails while the folder of the file does not exist.
    bool same = strcmp(one, other) == 0 ||
                (find_name(first, one) && find_name(second, other) && strcmp(first, second) == 0);
    return same && (stat(one, &facts) != 0 || S_ISREG(facts.st_mode));
}

/* Checks that no output file replaces an input file or another output file. Exception: a->save may
 * replace a->load. */
static int check_distinct(const arguments *a) {
    static char exported[EXPORTS_MAX * EXPORTED_MAX][PATH_BYTES];
    static const char *const HF_FILES[] = {"config.json", "model.safetensors", "vocab.json",
                                           "merges.txt", "tokenizer.json"};
    enum { HF_COUNT = sizeof HF_FILES / sizeof *HF_FILES };
    static char of_hf[HF_COUNT][PATH_BYTES];
    const char *read[4 + HF_COUNT] = {a->data, a->load, a->raw, a->verify};
    for (int i = 0; a->hf && i < HF_COUNT; i++) {
        read[4 + i] = join_path(of_hf[i], a->hf, HF_FILES[i]) ? of_hf[i] : NULL;
    }
    const char *written[EXPORTS_MAX * EXPORTED_MAX + 2] = {a->save, a->receipt};
    // export_of[i]: number of the export that writes written[i]; -1: --save; -2: --receipt
    int export_of[EXPORTS_MAX * EXPORTED_MAX + 2] = {-1, -2};
    enum { READ = sizeof read / sizeof *read };
    int count = 2;
    for (int e = 0; e < a->export_count; e++) {
        for (int i = 0; exported_path(exported[count - 2], a->exports[e], i); i++) {
            written[count] = exported[count - 2];
            export_of[count++] = e;
        }
    }
    for (int i = 0; i < count; i++) {
        bool again = i == 0; // written[0] is a->save, which may replace a->load
        bool taken = false, alone = false;
        for (int j = 0; j < READ && !taken; j++) {
            taken = !(again && read[j] == a->load) && same_file(written[i], read[j]);
        }
        for (int j = 0; j < i && !taken; j++) {
            taken = same_file(written[i], written[j]);
            alone = taken && export_of[i] == export_of[j];
        }
        if (taken) {
            return complain(written[i], alone
                                            ? "this export also writes its card or Modelfile under "
                                              "this name: choose a name that ends in .gguf"
                                            : "two options name this file: one would destroy the "
                                              "other's. Choose another name");
        }
    }
    return EXIT_SUCCESS;
}

int check_targets(const arguments *a) {
    int status = check_distinct(a);
    status = status == EXIT_SUCCESS && a->save ? check_target(a->save) : status;
    if (status == EXIT_SUCCESS && a->receipt) {
        status = !is_stream(a->receipt)          ? check_target(a->receipt)
                 : access(a->receipt, W_OK) == 0 ? EXIT_SUCCESS
                                                 : complain_of_system(a->receipt, errno);
    }
    for (int i = 0; i < a->export_count && status == EXIT_SUCCESS; i++) {
        status = check_export_target(a->exports[i]);
    }
    return status;
}

double form_bytes(gpt_trainer *trainer, const char *form) {
    gpt_saver *saver = gpt_save_open(trainer, form, NULL, 0);
    double bytes = saver ? gpt_save_bytes(saver) : 0;
    gpt_save_free(saver);
    return bytes;
}

/* Removes the temporary files of all outputs, and the folders made for exports. */
static void release_outputs(const arguments *a) {
    (void)settle_output(&outputs[CHECKPOINT], false);
    (void)settle_output(&outputs[RECEIPT], false);
    for (int i = 0; i < a->export_count; i++) {
        release_export(a, i);
    }
}

int reserve_outputs(gpt_trainer *trainer, const arguments *a) {
    int status = EXIT_SUCCESS;
    double steps = gpt_trainer_get(trainer, "steps");
    double losses = steps < LOSSES_KEPT ? steps : LOSSES_KEPT;
    if (a->save) {
        // The checkpoint will also contain the losses of the remaining steps.
        double bytes = form_bytes(trainer, "checkpoint") + 4 * losses + GROWTH_BYTES;
        status = open_output(&outputs[CHECKPOINT], a->save, false, bytes);
    }
    // A pipe is opened when the receipt is written: opening it would wait for its reader.
    if (status == EXIT_SUCCESS && a->receipt && !is_stream(a->receipt)) {
        char *json = NULL;
        int length = make_receipt(trainer, a->receipt, &json);
        double bytes = length + 8 * losses + GROWTH_BYTES;
        status = length < 0 ? EXIT_FAILED
                            : open_output(&outputs[RECEIPT], a->receipt, false, bytes);
        free(json);
    }
    for (int i = 0; i < a->export_count && status == EXIT_SUCCESS; i++) {
        status = reserve_export(trainer, a, i);
    }
    if (status != EXIT_SUCCESS) {
        release_outputs(a);
    }
    return status;
}
