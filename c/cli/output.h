/* output.h - a file that the command line writes: it appears under its name when it is complete. */
#ifndef GLASSHOUSE_OUTPUT_H
#define GLASSHOUSE_OUTPUT_H

#include <stdio.h>

#include "cli/train_gpt.h"

/* A file on its way. */
typedef struct output {
    const char *path; /* borrows */
    char target[PATH_BYTES], part[PATH_BYTES];
    FILE *file;
    bool in_place; /* a pipe or a terminal: nothing may take its place */
} output;

/* Opens a file on its way; `anywhere`: a pipe or a terminal will do. */
int open_output(output *o, const char *path, bool anywhere);

/* Ends the writing, which was `good` so far or failed as errno says. */
int close_output(output *o, bool good);

/* Lets a complete file take its place, or takes it away. */
int settle_output(const output *o, bool complete);

/* Writes one form of the trainer into an output, which is then closed. */
int write_form(gpt_trainer *trainer, const char *form, output *o);

/* Can a file appear under this name when it is complete? */
int check_target(const char *path);

/* ---- Exports (train_gpt_export.c): "FOLDER", or "FORM=PLACE" --------------------------------- */

enum { EXPORTED_MAX = 16 };

/* The path of file `index` of an export; false when there are no more. */
bool exported_path(char out[PATH_BYTES], const char *wanted, int index);

/* Where it goes; bytes that it may take, of weights of `weights` bytes. */
const char *export_place(const char *wanted);
double export_bytes(const char *wanted, double weights);

/* Can its files be written? Makes the folder to find out, and takes it away again: the run may
 * still be refused. */
int check_export_target(const char *wanted);

#endif
