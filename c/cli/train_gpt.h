/* train_gpt.h - the parts of the native command line; no part of the engine.
 *
 * train_gpt.c trains and samples, train_gpt_arguments.c reads flags, train_gpt_text.c decodes the
 * text, train_gpt_files.c reads models, train_gpt_import.c those of other programs,
 * train_gpt_outputs.c writes files, train_gpt_export.c those of other programs, train_gpt_receipt.c
 * checks receipts, train_gpt_trace.c finds what stands in the text. All are clients of gpt.h only.
 * Functions that can fail have said why on standard error when they answer an exit status other
 * than EXIT_SUCCESS. */
#ifndef GLASSHOUSE_TRAIN_GPT_H
#define GLASSHOUSE_TRAIN_GPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "api/gpt.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };
enum { PIECE_BYTES = 1 << 20 }; /* read or written at a time */
enum { SETTINGS_MAX = 64, PATH_BYTES = 4096, TEXTS_MAX = 64, EXPORTS_MAX = 8 };

/* Held-out sequences whose mean loss is told. */
enum { VALIDATION_SEQUENCES = 64 };

/* One option of the recipe, as it was written. */
typedef struct setting {
    char name[64];
    const char *value;
} setting;

typedef struct arguments {
    const char *preset, *data, *load, *hf, *raw, *save, *prompt, *receipt, *verify, *encoding,
        *trace;
    const char *exports[EXPORTS_MAX];
    int export_count;
    setting settings[SETTINGS_MAX];
    int setting_count;
    char **more;    /* further texts of --verify; borrows */
    int more_count; /* below TEXTS_MAX */
    bool tune, fork;
    bool baselines;
    bool fit;       /* the recipe comes from the text, then the settings */
    int samples;    /* -1: not said */
    int max_tokens; /* 0: not said */
    int top_k;
    double temperature; /* -1: not said */
    double top_p;
    double sample_seed; /* negative: the run's own stream */
    int every;          /* steps from one line to the next */
    int threads;        /* 0: as many as there are cores */
} arguments;

/* The bytes of a file. */
typedef struct contents {
    char *bytes; /* owns */
    size_t size;
} contents;

/* The text of --data: its bytes as they lie, and, once choose_text has made it, the decoded
 * text. */
typedef struct training_text {
    contents raw, decoded; /* owns */
} training_text;

/* "train_gpt: what: why" on standard error; answers EXIT_FAILED. */
int complain(const char *what, const char *why);
int complain_of_config(const char *what, const gpt_config *config);
int complain_of_trainer(const char *what, const gpt_trainer *trainer);

/* Reads all flags; *done when there is nothing more to do than what was printed. */
int read_arguments(arguments *a, int count, char **words, bool *done);

/* Fits the recipe to the text and says on standard error which flags would give the same. */
int fit_recipe(gpt_config *config, const contents *text);

/* Do the flags say what training must not read? */
bool leaves_out(const arguments *a);

/* Puts the options of the flags into a recipe. */
int apply_settings(gpt_config *config, const arguments *a);

/* The same for the recipe of a file, of which not everything may change: what the weights are
 * used for must stay what they were trained for. */
int apply_settings_to_file(gpt_config *config, const arguments *a, bool generates);

/* Reads a whole file, also one that has no size (a pipe). */
int read_file(const char *path, contents *out);

/* What may say that the text was learned as its bytes lie, undecoded: a receipt, or a checkpoint
 * that is being loaded. NULL: unknown. */
typedef struct text_claim {
    const contents *receipt;
    const gpt_loader *checkpoint;
} text_claim;

/* The text to learn: decoded by --encoding, its mark or as UTF-8, with line feeds as its only line
 * ends; undecoded if the claim names those bytes. Empty without --data; NULL if it cannot be
 * decoded. Borrows from `text`. */
const contents *choose_text(const arguments *a, training_text *text, text_claim claim);
void free_text(training_text *text);

/* The one of both that choose_text has answered. */
const contents *chosen_text(const training_text *text);

/* Answers --trace and --yardsticks about the text of a trainer. */
int ask_text(gpt_trainer *trainer, const arguments *a, const contents *text);

/* Replays the run of --verify, with those that it was forked from, on `text` and the further texts,
 * and prints what was found; EXIT_FAILED when it differs. */
int verify_receipt(gpt_config *config, const arguments *a, training_text *text);

/* The trainer of --load, --hf or --raw, for `text` if there is one; NULL on failure. */
gpt_trainer *load_trainer(gpt_config *config, const arguments *a, training_text *text);

/* Whether a file is another program's: a GGUF, a PyTorch file, one of llm.c. */
bool is_foreign(const char *path);

/* Such a file as the safetensors file that transformers would have, without a name; what it says of
 * the model and its vocabulary goes into the recipe. NULL on failure. */
FILE *open_foreign(const char *path, gpt_config *config);

/* "folder/name" into `out`; the folder that a path is in. False if it is too long. */
bool join_path(char out[PATH_BYTES], const char *folder, const char *name);
bool folder_of(char out[PATH_BYTES], const char *path);

/* Finds out before the training whether the files can be written after it, and whether there is
 * room. */
int check_targets(const arguments *a);
int check_room(gpt_trainer *trainer, const arguments *a);

/* Each writes a file that appears under its name, or where a link of that name leads, only when
 * it is complete: a checkpoint; a receipt as JSON, whose line is printed. */
int save_checkpoint(gpt_trainer *trainer, const char *path);
int save_receipt(gpt_trainer *trainer, const char *path);

/* Finds out before the training whether each form of export has a place for such a model. */
int check_exports(gpt_trainer *trainer, const arguments *a);

/* Writes the files of an export, "FOLDER" or "FORM=PLACE"; folders are made where they are not
 * there; all of the files or none. */
int export_model(gpt_trainer *trainer, const char *wanted);

#endif
