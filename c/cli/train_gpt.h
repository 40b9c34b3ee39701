/* train_gpt.h - functions that the files of the native command line share. They use the engine
 * through gpt.h alone.
 *
 * train_gpt.c trains and samples; train_gpt_arguments.c reads the flags; train_gpt_text.c decodes
 * the training text; train_gpt_files.c loads models; train_gpt_import.c converts models of other
 * programs; train_gpt_outputs.c writes checkpoints and receipts; train_gpt_export.c writes files
 * for other programs; train_gpt_receipt.c replays a run and compares it with its receipt;
 * train_gpt_trace.c searches the training text.
 *
 * Terms: a *run* is one training from its first step on; a *recipe* (gpt_config) has all options of
 * a model and of its training; a *receipt* records a run, so that a replay can be compared with it.
 *
 * Functions that return int return an exit status: EXIT_SUCCESS, or EXIT_FAILED or EXIT_USAGE after
 * printing an error on standard error. */
#ifndef GLASSHOUSE_TRAIN_GPT_H
#define GLASSHOUSE_TRAIN_GPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "api/gpt.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };
enum { PIECE_BYTES = 1 << 20 }; /* buffer for reading and writing files */
enum { BEGINNING = 512 };       /* bytes at the start of a file: enough to recognise it */
enum { SETTINGS_MAX = 64, PATH_BYTES = 4096, TEXTS_MAX = 64, EXPORTS_MAX = 8 };

/* An option of the recipe and its value, both as text from the command line. */
typedef struct setting {
    char name[64];     /* name for gpt_config_set_text; may differ from the name of the flag */
    const char *value; /* points into argv */
} setting;

/* The parsed flags. Strings point into argv; a string is NULL if its flag is absent. */
typedef struct arguments {
    const char *preset, *data, *load, *hf, *raw, *save, *prompt, *receipt, *verify, *encoding,
        *trace, *language;
    const char *exports[EXPORTS_MAX];
    int export_count;
    setting settings[SETTINGS_MAX];
    int setting_count;
    char **more;    /* paths of the texts of --verify after the first; points into argv */
    int more_count; /* below TEXTS_MAX */
    bool tune, fork;
    bool baselines;     /* --yardsticks */
    bool fit;           /* gpt_config_fit chooses the options before `settings` are applied */
    int fit_version;    /* version of its rules; 0: the newest */
    int samples;        /* -1: default */
    int max_tokens;     /* 0: default */
    int top_k;          /* 0: all tokens */
    double temperature; /* -1: default */
    double top_p;
    double sample_seed; /* -1: samples continue the random stream of training */
    int every;          /* steps between printed lines */
    int threads;        /* 0: one for each core */
} arguments;

/* The bytes of a file. */
typedef struct contents {
    char *bytes; /* owned (malloc) */
    size_t size;
} contents;

/* The text of --data. `decoded` is empty until choose_text decodes the text, and stays empty if
 * choose_text returns `raw`. */
typedef struct training_text {
    contents raw, decoded; /* the bytes of the file; the text as UTF-8 with line feeds */
} training_text;

/* Prints "train_gpt: what: why" on standard error, without ": why" if `why` is NULL. Returns
 * EXIT_FAILED. */
int complain(const char *what, const char *why);

/* Prints "train_gpt: what: why" on standard error, where `why` is the message of a system error
 * (an errno) and what to do about it. Returns EXIT_FAILED. */
int complain_of_system(const char *what, int error);

/* Print "train_gpt: what: why" on standard error, where `why` is the last failure of `config` or
 * `trainer`. Return EXIT_FAILED. */
int complain_of_config(const char *what, const gpt_config *config);
int complain_of_trainer(const char *what, const gpt_trainer *trainer);

/* Reads and checks all flags; `count` and `words` are the arguments of main. Sets *done to true if
 * the program should end, because the help or the version was printed. EXIT_USAGE for wrong
 * flags. */
int read_arguments(arguments *a, int count, char **words, bool *done);

/* Replaces the options in `config` by values that suit the text (gpt_config_fit), and prints on
 * standard error the flags that set these values. */
int fit_recipe(gpt_config *config, int version, const contents *text);

/* True if a flag sets the option left_out (byte ranges that training never reads), even to an empty
 * list. */
bool leaves_out(const arguments *a);

/* Sets the options in `config` to the values from the flags. EXIT_USAGE if a name or value is
 * wrong. */
int apply_settings(gpt_config *config, const arguments *a);

/* Sets the options in `config`, which were read from a model file, to the values from the flags.
 * EXIT_USAGE if a name or value is wrong. EXIT_FAILED if a flag changes an option that the weights
 * depend on. With --load, but without --tune and --fork: any option that may not change during a
 * run (gpt_option_live). Otherwise: any option of the model, except that `context` may become
 * smaller. */
int apply_settings_to_file(gpt_config *config, const arguments *a);

/* Reads the first bytes of a file. Returns how many there are, 0 if the file cannot be read. */
size_t read_beginning(const char *path, char first[BEGINNING]);

/* Reads a file, or a pipe, to its end. The caller frees out->bytes. */
int read_file(const char *path, contents *out);

/* A receipt and a checkpoint of the run; NULL if absent. They contain the hash of the undecoded
 * training text if the run was trained with --encoding bytes or by an older version of the program;
 * otherwise the hash of the decoded text. */
typedef struct text_claim {
    const contents *receipt;
    const gpt_loader *checkpoint; /* the checkpoint that is being loaded */
} text_claim;

/* Returns the offset of the first byte of a text that is not UTF-8; `size` if all bytes are. */
size_t valid_utf8(const char *text, size_t size);

/* True if the text begins with a byte order mark or is UTF-8: it can be read without --encoding. */
bool names_encoding(const contents *text);

/* True for the value of --encoding with which texts are not decoded. */
bool is_bytes(const char *encoding);

/* Checks the kind of a file by its first `size` bytes; BEGINNING bytes are enough. EXIT_FAILED if
 * the file is no model (loads = true, for --load) or no text (loads = false, for --data), after
 * printing its kind and what to do. */
int check_kind(const char *path, const char *first, size_t size, bool loads);

/* Returns the text to train on: a pointer to text->raw or text->decoded. Chooses the raw bytes with
 * --encoding bytes, or if a file in `claim` contains their hash. Otherwise decodes the text by
 * --encoding, else by its byte order mark, else as UTF-8, and turns all line ends into line feeds.
 * Returns an empty text without --data; NULL after printing an error if the text cannot be
 * decoded. */
const contents *choose_text(const arguments *a, training_text *text, text_claim claim);
void free_text(training_text *text);

/* Returns the text that choose_text chose. Call only after choose_text succeeded with --data. */
const contents *chosen_text(const training_text *text);

/* Prints baselines for the loss of a model (--yardsticks), and the matches of a file with the
 * training text (--trace). `text` is the training text. */
int ask_text(gpt_trainer *trainer, const arguments *a, const contents *text);

/* Replays the run of the receipt in the file a->verify, on `text`, and prints the findings as JSON,
 * and in words if standard output is a terminal. If the run is a fork (it began with the weights of
 * an earlier run), first replays the earlier runs, on the texts of a->more. EXIT_FAILED if the
 * replay differs from the receipt. */
int verify_receipt(gpt_config *config, const arguments *a, training_text *text);

/* Creates the trainer from the file or folder of --load, --hf or --raw; without --data the trainer
 * can only generate text. Returns NULL after printing an error. The caller frees the trainer. */
gpt_trainer *load_trainer(gpt_config *config, const arguments *a, training_text *text);

/* Returns the validation loss of the run, NaN if nothing is held out. */
double validation_loss(gpt_trainer *trainer);

/* True if the file can be opened and begins as a model file of another program does: GGUF, PyTorch
 * or llm.c (gpt_import_knows). */
bool is_foreign(const char *path);

/* Converts a model file of another program (see is_foreign) to a temporary safetensors file with
 * the tensor names of transformers, and sets the options of the model and the vocabulary in
 * `config`. Returns the temporary file, positioned at its beginning; NULL after printing an error.
 * The caller closes the file, which also deletes it. */
FILE *open_foreign(const char *path, gpt_config *config);

/* join_path writes the path "folder/name". folder_of writes the folder of a path: "." for a path
 * without "/". Both return false if the result is too long. */
bool join_path(char out[PATH_BYTES], const char *folder, const char *name);
bool folder_of(char out[PATH_BYTES], const char *path);

/* Call before training. Checks that the files that the flags name can be written, and that no file
 * is written twice or replaces an input. Exception: --save may name the file of --load. */
int check_targets(const arguments *a);

/* Call before training, after all other checks. Creates the temporary file of every output and
 * reserves its disk space. EXIT_FAILED, without temporary files, if a disk has not enough space. */
int reserve_outputs(gpt_trainer *trainer, const arguments *a);

/* Deletes the temporary files of all outputs. A signal handler may call it. */
void discard_parts(void);

/* save_checkpoint writes a checkpoint. save_receipt writes a receipt as JSON and prints its short
 * form, one line. */
int save_checkpoint(gpt_trainer *trainer, const char *path);
int save_receipt(gpt_trainer *trainer, const char *path);

/* Call before training. Checks that the format of each --export can represent the model. */
int check_exports(gpt_trainer *trainer, const arguments *a);

/* Writes the files of export number `number`, from 0. Creates missing folders. Replaces older files
 * only after all new files are complete. */
int export_model(gpt_trainer *trainer, const arguments *a, int number);

#endif
