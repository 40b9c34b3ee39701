/* train_gpt.h - the parts of the native command line; no part of the engine.
 *
 * train_gpt.c trains and samples, train_gpt_arguments.c reads flags, train_gpt_files.c reads and writes
 * files, train_gpt_receipt.c makes and checks receipts. All are clients of gpt.h only. Functions that can fail have said why on standard error when
 * they answer an exit status other than EXIT_SUCCESS.
 */
#ifndef GLASSHOUSE_TRAIN_GPT_H
#define GLASSHOUSE_TRAIN_GPT_H

#include <stdbool.h>
#include <stddef.h>

#include "api/gpt.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };
enum { SETTINGS_MAX = 64 };

/* One option of the recipe, as it was written. */
typedef struct setting {
    char name[64];
    const char *value;
} setting;

typedef struct arguments {
    const char *preset, *data, *load, *hf, *raw, *save, *export_folder, *prompt, *receipt, *verify;
    setting settings[SETTINGS_MAX];
    int setting_count;
    bool tune;
    int samples;    /* -1: not said */
    int max_tokens; /* 0: not said */
    int top_k;
    double temperature; /* -1: not said */
    double top_p;
    double sample_seed; /* negative: the run's own stream */
    int every;          /* a line every so many steps */
} arguments;

/* The bytes of a file. */
typedef struct contents {
    char *bytes; /* owns */
    size_t size;
} contents;

/* "train_gpt: what: why" on standard error; answers EXIT_FAILED. */
int complain(const char *what, const char *why);
int complain_of_config(const char *what, const gpt_config *config);
int complain_of_trainer(const char *what, const gpt_trainer *trainer);

/* Reads all flags; *done when there is nothing more to do than what was printed. */
int read_arguments(arguments *a, int count, char **words, bool *done);

/* Puts the options of the flags into a recipe. */
int apply_settings(gpt_config *config, const arguments *a);

/* The same for the recipe of a file, of which not everything may change: what the weights are used for
 * must stay what they were trained for. */
int apply_settings_to_file(gpt_config *config, const arguments *a, bool generates);

/* Reads a whole file, also one that has no size (a pipe). */
int read_file(const char *path, contents *out);

/* Writes the receipt of a run as JSON, and prints its line. */
int save_receipt(gpt_trainer *trainer, const char *path);

/* Replays the run of --verify on `text` and prints what was found; EXIT_FAILED when it differs. */
int verify_receipt(gpt_config *config, const arguments *a, const contents *text);

/* The trainer of --load, --hf or --raw, for `text` if there is one; NULL on failure. */
gpt_trainer *load_trainer(gpt_config *config, const arguments *a, const contents *text);

/* Finds out before the training whether the files can be written after it. */
int check_targets(const arguments *a);

/* Writes a checkpoint that appears under its name, or where a link of that name leads, only when it is
 * complete. */
int save_checkpoint(gpt_trainer *trainer, const char *path);

/* Finds out before the training whether transformers has a place for such a model. */
int check_export(gpt_trainer *trainer, const char *folder);

/* Writes the files that transformers opens into a folder, which is made where it is not there. */
int export_folder(gpt_trainer *trainer, const char *folder);

#endif
