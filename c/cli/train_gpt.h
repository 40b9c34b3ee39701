/* train_gpt.h - the files of the native command line, all of them clients of gpt.h alone.
 *
 * train_gpt.c trains and samples; train_gpt_arguments.c reads the flags; train_gpt_text.c decodes
 * the text; train_gpt_files.c reads models, train_gpt_import.c models of other programs;
 * train_gpt_outputs.c writes files, train_gpt_export.c files for other programs;
 * train_gpt_receipt.c verifies receipts; train_gpt_trace.c searches the training text.
 *
 * Functions that return int return an exit status: EXIT_SUCCESS, or EXIT_FAILED or EXIT_USAGE after
 * a message on standard error. */
#ifndef GLASSHOUSE_TRAIN_GPT_H
#define GLASSHOUSE_TRAIN_GPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "api/gpt.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };
enum { PIECE_BYTES = 1 << 20 }; /* buffer for reading and writing files */
enum { SETTINGS_MAX = 64, PATH_BYTES = 4096, TEXTS_MAX = 64, EXPORTS_MAX = 8 };

/* Held-out sequences whose mean is the validation loss. */
enum { VALIDATION_SEQUENCES = 64 };

/* An option of the recipe and its value, as text from the command line. */
typedef struct setting {
    char name[64];     /* as in gpt_config_set_text, not the name of the flag */
    const char *value; /* borrows from argv */
} setting;

/* The flags. Strings are NULL without their flag, and borrow from argv. */
typedef struct arguments {
    const char *preset, *data, *load, *hf, *raw, *save, *prompt, *receipt, *verify, *encoding,
        *trace;
    const char *exports[EXPORTS_MAX];
    int export_count;
    setting settings[SETTINGS_MAX];
    int setting_count;
    char **more;    /* the texts of --verify after the first; borrows from argv */
    int more_count; /* below TEXTS_MAX */
    bool tune, fork;
    bool baselines;     /* --yardsticks */
    bool fit;           /* gpt_config_fit chooses the recipe before `settings` are applied */
    int samples;        /* -1: default */
    int max_tokens;     /* 0: default */
    int top_k;          /* 0: all tokens */
    double temperature; /* -1: default */
    double top_p;
    double sample_seed; /* -1: samples continue the training stream */
    int every;          /* steps between printed lines */
    int threads;        /* 0: one for each core */
} arguments;

/* The bytes of a file. */
typedef struct contents {
    char *bytes; /* owns (malloc) */
    size_t size;
} contents;

/* The text of --data. `decoded` is empty until choose_text decodes, and if it uses `raw`. */
typedef struct training_text {
    contents raw, decoded; /* the bytes of the file; UTF-8 with line feeds */
} training_text;

/* Prints "train_gpt: what: why" on standard error; without ": why" if `why` is NULL. Returns
 * EXIT_FAILED. */
int complain(const char *what, const char *why);

/* The same with the last failure of a handle as `why`. */
int complain_of_config(const char *what, const gpt_config *config);
int complain_of_trainer(const char *what, const gpt_trainer *trainer);

/* Reads and checks all flags. Sets *done if the program ends here: the flags asked for the help or
 * the version. EXIT_USAGE. */
int read_arguments(arguments *a, int count, char **words, bool *done);

/* Replaces the recipe by one that fits the text, and prints the flags of an equal recipe on
 * standard error. */
int fit_recipe(gpt_config *config, const contents *text);

/* True if the flags set left_out, even to no ranges. */
bool leaves_out(const arguments *a);

/* Sets the options of the flags in a recipe. EXIT_USAGE. */
int apply_settings(gpt_config *config, const arguments *a);

/* Sets the options of the flags in the recipe of a file, unless the run is resumed. EXIT_USAGE;
 * EXIT_FAILED if a setting changes an option that the weights depend on: to generate with --load,
 * any option that is not live; otherwise any option of the model except `context`. */
int apply_settings_to_file(gpt_config *config, const arguments *a, bool generates);

/* Reads a whole file, or a pipe to its end. The caller frees out->bytes. */
int read_file(const char *path, contents *out);

/* Files that may state the hash of the undecoded bytes, because their run used --encoding bytes or
 * an older version of the program. NULL: no such file. */
typedef struct text_claim {
    const contents *receipt;
    const gpt_loader *checkpoint; /* while it is being loaded */
} text_claim;

/* Returns the text to train on, borrowed from `text`: the raw bytes with --encoding bytes, or if
 * `claim` states their hash; otherwise the text decoded by --encoding, or else by its byte order
 * mark, or else as UTF-8, with line feeds as its only line ends. Empty without --data. NULL after a
 * message if the text cannot be decoded. */
const contents *choose_text(const arguments *a, training_text *text, text_claim claim);
void free_text(training_text *text);

/* Returns the text that a successful choose_text returned for --data. */
const contents *chosen_text(const training_text *text);

/* Prints the answers of --yardsticks and --trace about `text`, the text of the trainer. */
int ask_text(gpt_trainer *trainer, const arguments *a, const contents *text);

/* Replays the run of the receipt --verify, for a fork the runs before it too, on `text` and the
 * texts of a->more. Prints the findings as JSON. EXIT_FAILED, without a message, if they differ
 * from the receipt. */
int verify_receipt(gpt_config *config, const arguments *a, training_text *text);

/* Creates the trainer from --load, --hf or --raw; without --data it only generates. Returns NULL
 * after a message. The caller frees the trainer. */
gpt_trainer *load_trainer(gpt_config *config, const arguments *a, training_text *text);

/* True if a file can be opened and begins as a format of gpt_import_knows: GGUF, PyTorch, llm.c. */
bool is_foreign(const char *path);

/* Converts such a file to a temporary safetensors file with the names of transformers, which is
 * deleted when closed, and sets the model and vocabulary of the recipe from it. Returns the
 * temporary file at its beginning, which the caller closes; NULL after a message. */
FILE *open_foreign(const char *path, gpt_config *config);

/* Write "folder/name", and the folder of a path ("." for a path without "/"). False if the result
 * is too long. */
bool join_path(char out[PATH_BYTES], const char *folder, const char *name);
bool folder_of(char out[PATH_BYTES], const char *path);

/* Before training: checks that the files of the flags can be written, and that no file is written
 * twice or over an input, except --save over --load. */
int check_targets(const arguments *a);

/* Before training: checks that every disk has free space for its files, by estimates of their
 * sizes. */
int check_room(gpt_trainer *trainer, const arguments *a);

/* Write a checkpoint, and a receipt as JSON. save_receipt also prints the receipt's line. */
int save_checkpoint(gpt_trainer *trainer, const char *path);
int save_receipt(gpt_trainer *trainer, const char *path);

/* Before training: checks that the model can be written in the form of each export. */
int check_exports(gpt_trainer *trainer, const arguments *a);

/* Writes the files of one export; `wanted` as in output.h. Creates missing folders. Replaces no
 * older file before all new ones are complete. */
int export_model(gpt_trainer *trainer, const char *wanted);

#endif
