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
    const char *path;                          /* as in the flag, for messages; borrows */
    char target[PATH_BYTES], part[PATH_BYTES]; /* `path` without links; the temporary file */
    FILE *file;
    bool in_place; /* `path` is a device: no temporary file, no rename */
} output;

/* Opens an output for `path`, which `o` borrows. EXIT_FAILED if `path` is a folder or a broken
 * link, and if it is a device unless `anywhere`. */
int open_output(output *o, const char *path, bool anywhere);

/* Writes all buffers to the disk (fsync) and closes the file. `good` is false if an earlier write
 * failed; errno is the reason then. EXIT_FAILED if any write failed. */
int close_output(output *o, bool good);

/* After close_output: renames the temporary file to the target if `complete`, otherwise removes it.
 * Returns EXIT_SUCCESS if the target is complete. */
int settle_output(const output *o, bool complete);

/* Writes the trainer in a form of gpt_save_open to an open output, and closes the output, also on
 * failure. */
int write_form(gpt_trainer *trainer, const char *form, output *o);

/* Checks that a file can be written at `path`: opens and removes a temporary file beside it. */
int check_target(const char *path);

/* ---- Exports (train_gpt_export.c) ------------------------------------------------------------
 *
 * `wanted` is the value of --export: FOLDER for transformers, or FORM=PLACE. */

enum { EXPORTED_MAX = 16 }; /* files of one export */

/* Writes the path of file `index`, from 0. False past the last, and if the path is too long. */
bool exported_path(char out[PATH_BYTES], const char *wanted, int index);

/* Returns the folder or the file of an export: a part of `wanted`. */
const char *export_place(const char *wanted);

/* Returns the approximate bytes of all files of an export; the weights have `weights` bytes. */
double export_bytes(const char *wanted, double weights);

/* Checks that the files of an export can be written. Creates missing folders for this check and
 * removes them again, because the run may still be refused. */
int check_export_target(const char *wanted);

#endif
