/* output.h - files that the command line writes, and the files of an export.
 *
 * A file is written under a temporary name in the folder of its target, and renamed when it is
 * complete: a failed write leaves an older file unchanged. A pipe, a terminal or another device is
 * written directly. Order of the calls: open_output, writes to o->file, close_output,
 * settle_output. Functions that return int return an exit status, as in train_gpt.h.
 */
#ifndef GLASSHOUSE_OUTPUT_H
#define GLASSHOUSE_OUTPUT_H

#include <stdio.h>

#include "cli/train_gpt.h"

/* A file that is being written. */
typedef struct output {
    const char *path;                          /* from the flag, for messages; borrowed */
    char target[PATH_BYTES], part[PATH_BYTES]; /* `path` with links resolved; temporary file */
    FILE *file;
    bool in_place; /* `path` is a device: no temporary file, no rename */
} output;

/* Opens an output for the file `path`; `o` keeps the pointer. EXIT_FAILED if `path` is a folder or
 * a broken symbolic link, or if `path` is a device and `anywhere` is false. */
int open_output(output *o, const char *path, bool anywhere);

/* Writes all buffered bytes to the disk (fsync; not for a device) and closes the file. If an
 * earlier write failed, pass `good` as false and leave the reason in errno. EXIT_FAILED if any
 * write failed. */
int close_output(output *o, bool good);

/* Call after close_output. If `complete`, renames the temporary file to the target, otherwise
 * removes the temporary file. Returns EXIT_SUCCESS if the target is complete. */
int settle_output(const output *o, bool complete);

/* Writes the trainer to an open output, in a form of gpt_save_open such as "checkpoint", and closes
 * the output, even on failure. */
int write_form(gpt_trainer *trainer, const char *form, output *o);

/* Checks that a file can be written at `path`: opens and removes a temporary file beside it. */
int check_target(const char *path);

/* ---- Exports (train_gpt_export.c) ------------------------------------------------------------
 *
 * In these functions `wanted` is the value of --export: FOLDER (files for transformers), or
 * FORM=PLACE (a form such as "onnx", and the folder or file to write). */

enum { EXPORTED_MAX = 16 }; /* most files of one export */

/* Writes the path of file number `index` of an export, from 0. Returns false past the last file, or
 * if the path is too long. */
bool exported_path(char out[PATH_BYTES], const char *wanted, int index);

/* Returns the folder or file that an export writes: a pointer into `wanted`. */
const char *export_place(const char *wanted);

/* Returns the approximate size of all files of an export in bytes; `weights` is the size of the
 * model's weights in bytes. */
double export_bytes(const char *wanted, double weights);

/* Checks that the files of an export can be written. Creates missing folders for this check and
 * removes them again, because a later check may refuse to train. */
int check_export_target(const char *wanted);

#endif
