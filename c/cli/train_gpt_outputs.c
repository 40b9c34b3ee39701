/* train_gpt_outputs.c - writes checkpoints and receipts, first under a temporary name (see
 * output.h). train_gpt_export.c writes exports in the same way.
 *
 * Before the first step, checks that all output files can be written and that there is enough free
 * space for them.
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

/* Creates a temporary file in the folder of `path` and writes its path to `part`: the first of
 * `path`.part, `path`.part1, ... that does not exist. Returns NULL with errno set on failure. */
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

/* True if `path` names a pipe, a terminal or another device. */
static bool is_stream(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

int open_output(output *o, const char *path, bool anywhere) {
    *o = (output){.path = path, .in_place = anywhere && is_stream(path)};
    if (!o->in_place && find_target(o->target, path) != EXIT_SUCCESS) {
        return EXIT_FAILED;
    }
    o->file = o->in_place ? fopen(path, "wb") : open_part(o->part, o->target);
    return o->file ? EXIT_SUCCESS : complain_of_system(path, errno);
}

int close_output(output *o, bool good) {
    good = good && fflush(o->file) == 0 && (o->in_place || fsync(fileno(o->file)) == 0);
    int error = errno;
    if (fclose(o->file) != 0 && good) {
        good = false;
        error = errno;
    }
    o->file = NULL;
    return good ? EXIT_SUCCESS : complain_of_system(o->path, error);
}

int settle_output(const output *o, bool complete) {
    if (complete && !o->in_place && rename(o->part, o->target) != 0) {
        complete = false;
        (void)complain_of_system(o->path, errno);
    }
    if (!complete && !o->in_place && *o->part) {
        (void)remove(o->part);
    }
    return complete ? EXIT_SUCCESS : EXIT_FAILED;
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
        (void)fclose(o->file);
        return complain_of_trainer(o->path, trainer);
    }
    errno = error;
    return close_output(o, good);
}

int save_checkpoint(gpt_trainer *trainer, const char *path) {
    output o;
    if (open_output(&o, path, false) != EXIT_SUCCESS) {
        return EXIT_FAILED;
    }
    return settle_output(&o, write_form(trainer, "checkpoint", &o) == EXIT_SUCCESS);
}

int save_receipt(gpt_trainer *trainer, const char *path) {
    char line[LINE_BYTES];
    char *json = malloc(RECEIPT_BYTES);
    if (!json) {
        return complain_of_system(path, ENOMEM);
    }
    int length = gpt_receipt_json(trainer, json, RECEIPT_BYTES);
    bool made = length >= 0 && gpt_receipt_line(trainer, line, sizeof line) >= 0;
    int status = made ? EXIT_SUCCESS : complain_of_trainer(path, trainer);
    output o;
    status = status == EXIT_SUCCESS ? open_output(&o, path, true) : status;
    if (status == EXIT_SUCCESS) {
        bool good = fwrite(json, 1, (size_t)length, o.file) == (size_t)length;
        status = settle_output(&o, close_output(&o, good) == EXIT_SUCCESS);
    }
    free(json);
    if (status == EXIT_SUCCESS) {
        (void)printf("receipt %s\n", line);
    }
    return status;
}

/* ---- Before the first step ------------------------------------------------------------------- */

int check_target(const char *path) {
    output o;
    if (open_output(&o, path, false) != EXIT_SUCCESS) {
        return EXIT_FAILED;
    }
    int status = close_output(&o, true);
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

/* Disk space on one device, in bytes: needed for the output files there, and free. */
typedef struct disk_space {
    dev_t device;
    double needed, left;
} disk_space;

/* Adds the size of an output, `bytes`, to the space needed on the device of the file or folder
 * `path`. `rooms` has `*count` entries, one for each device. EXIT_FAILED after printing an error if
 * the device has less free space than is needed for all outputs so far. */
static int add_room(disk_space *rooms, int *count, const char *path, double bytes) {
    char folder[PATH_BYTES];
    struct stat facts;
    struct statvfs room;
    bool found = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) && statvfs(path, &room) == 0;
    if (!found &&
        !(folder_of(folder, path) && stat(folder, &facts) == 0 && statvfs(folder, &room) == 0)) {
        return EXIT_SUCCESS; // the free space is unknown; writing may fail later
    }
    int i = 0;
    while (i < *count && rooms[i].device != facts.st_dev) {
        i++;
    }
    if (i == *count) {
        rooms[(*count)++] = (disk_space){.device = facts.st_dev};
    }
    rooms[i].needed += bytes;
    rooms[i].left = (double)room.f_bavail * (double)room.f_frsize;
    if (rooms[i].needed <= rooms[i].left) {
        return EXIT_SUCCESS;
    }
    char why[160];
    (void)snprintf(why, sizeof why,
                   "there is room for %.1f MB, and up to %.1f are needed: make room, or choose "
                   "another place",
                   rooms[i].left / 1e6, rooms[i].needed / 1e6);
    return complain(path, why);
}

/* Returns the size in bytes of the file that gpt_save_open would write in a form; 0 if that form
 * cannot be written. */
static double form_bytes(gpt_trainer *trainer, const char *form) {
    gpt_saver *saver = gpt_save_open(trainer, form, NULL, 0);
    double bytes = saver ? gpt_save_bytes(saver) : 0;
    gpt_save_free(saver);
    return bytes;
}

int check_disk_space(gpt_trainer *trainer, const arguments *a) {
    disk_space rooms[2 + EXPORTS_MAX];
    int count = 0, status = EXIT_SUCCESS;
    double steps = gpt_trainer_get(trainer, "steps");
    double losses = steps < LOSSES_KEPT ? steps : LOSSES_KEPT;
    if (a->save) {
        // The checkpoint will also contain the losses of the remaining steps.
        double bytes = form_bytes(trainer, "checkpoint") + 4 * losses;
        status = add_room(rooms, &count, a->save, bytes);
    }
    if (a->receipt && status == EXIT_SUCCESS) {
        status = add_room(rooms, &count, a->receipt, 4096 + 8 * losses);
    }
    // Estimate an export by its weights: its vocabulary and model card are small.
    for (int i = 0; i < a->export_count && status == EXIT_SUCCESS; i++) {
        status = add_room(rooms, &count, export_place(a->exports[i]),
                          export_bytes(a->exports[i], form_bytes(trainer, "weights")));
    }
    return status;
}
