/* output.h - files that the command line writes, and the files of an export.
 *
 * A file is written under a temporary name in the folder of its target, and renamed when it is
 * complete: a failed write leaves an older file unchanged. The temporary files of a run are created
 * before its first step, with reserved disk space, so that a disk that fills up during training
 * does not cost the weights. A pipe, a terminal or another device is written directly. Order of the
 * calls: open_output or begin_output, writes to o->file, close_output, settle_output. Functions
 * that return int return an exit status, as in train_gpt.h.
 */
#ifndef GLASSHOUSE_OUTPUT_H
#define GLASSHOUSE_OUTPUT_H

#include <signal.h>
#include <stdio.h>

#include "cli/train_gpt.h"

/* A file that is being written, or that will be. All zero: not open. */
typedef struct output {
    FILE *file;                     /* owned; NULL if closed */
    volatile sig_atomic_t has_part; /* 1: `part` names a file of this output (see discard_parts) */
    bool in_place;                  /* `path` is a device: no temporary file, no rename */
    char path[PATH_BYTES];          /* from the flag, for messages */
    char target[PATH_BYTES];        /* `path` with links resolved */
    char part[PATH_BYTES];          /* temporary file */
} output;

enum { EXPORTED_MAX = 16 }; /* most files of one export */

/* Numbers of outputs: the checkpoint, the receipt, and the first file of the first export; each
 * export has EXPORTED_MAX numbers. */
enum { CHECKPOINT, RECEIPT, FIRST_EXPORTED, OUTPUTS = FIRST_EXPORTED + EXPORTS_MAX * EXPORTED_MAX };

/* The outputs of the run, by their numbers. */
extern output outputs[OUTPUTS];

/* Opens an output for the file `path` and reserves disk space for `bytes` bytes (not for a device).
 * EXIT_FAILED if the disk lacks that space, if `path` is a folder or a broken symbolic link, or if
 * `path` is a device and `anywhere` is false. */
int open_output(output *o, const char *path, bool anywhere, double bytes);

/* Opens an output for writing: does nothing if `o` is open and its temporary file still exists,
 * otherwise calls open_output without a reservation. */
int begin_output(output *o, const char *path, bool anywhere);

/* Truncates the file to what was written, writes all buffered bytes to the disk (fsync; neither for
 * a device) and closes the file. If an earlier write failed, pass `good` as false and leave the
 * reason in errno. EXIT_FAILED if any write failed. */
int close_output(output *o, bool good);

/* Closes the output if it is still open. If `complete`, renames the temporary file to the target,
 * otherwise removes the temporary file. A complete file that cannot be renamed stays, and the error
 * message names it. Returns EXIT_SUCCESS if the target is complete. */
int settle_output(output *o, bool complete);

/* Returns the size in bytes of the file that gpt_save_open would write in a form; 0 if that form
 * cannot be written. */
double form_bytes(gpt_trainer *trainer, const char *form);

/* Writes the trainer to an open output, in a form of gpt_save_open such as "checkpoint", and closes
 * the output if that succeeds. */
int write_form(gpt_trainer *trainer, const char *form, output *o);

/* Checks that a file can be written at `path`: opens and removes a temporary file beside it. */
int check_target(const char *path);

/* ---- Exports (train_gpt_export.c) ------------------------------------------------------------
 *
 * In these functions `wanted` is the value of --export: FOLDER (files for transformers), or
 * FORM=PLACE (a form such as "onnx", and the folder or file to write). */

/* Writes the path of file number `index` of an export, from 0. Returns false past the last file, or
 * if the path is too long. */
bool exported_path(char out[PATH_BYTES], const char *wanted, int index);

/* Bytes by which a file may grow during training besides its losses: numbers in it get longer. */
enum { GROWTH_BYTES = 4096 };

/* Creates the folders of export number `number`, from 0, and opens its outputs with reserved disk
 * space. */
int reserve_export(gpt_trainer *trainer, const arguments *a, int number);

/* Removes the temporary files of an export, and its folders if reserve_export created them. */
void release_export(const arguments *a, int number);

/* Checks that the files of an export can be written. Creates missing folders for this check and
 * removes them again, because a later check may refuse to train. */
int check_export_target(const char *wanted);

#endif
