/* error.h - the record of a failure. Functions of the engine write the record; clients read it as a
 * sentence or as JSON (gpt_config_message, gpt_config_error).
 */
#ifndef GLASSHOUSE_ERROR_H
#define GLASSHOUSE_ERROR_H

#include "base/status.h"

/* The record of a failure. Each handle of the public interface has one, for its last failure. */
typedef struct gpt_error {
    int status;
    double value[3]; /* numbers for the placeholders {0} {1} {2} in the status text */
    /* Word for the placeholder {name} in the status text: the name of an option, argument,
     * character or tensor; may be "". */
    char name[128];
} gpt_error;

/* Records `status` with its name and numbers in `error` (may be NULL) and returns `status`, so that
 * a failing function can `return gpt_fail(error, GPT_E_RANGE, "heads", 0, 1, 64);`. `name` may be
 * NULL, which means ""; at most 127 bytes of `name` are copied. */
int gpt_fail(gpt_error *error, int status, const char *name, double v0, double v1, double v2);

/* Like gpt_fail, for a status whose text has no numbers. */
int gpt_fail_name(gpt_error *error, int status, const char *name);

/* Records GPT_E_ALLOCATION: the system refused `bytes` bytes. Returns GPT_E_ALLOCATION. */
int gpt_fail_allocation(gpt_error *error, uint64_t bytes);

/* Writes the failure as an English sentence: the status text with numbers and name filled in.
 * NUL-terminated and cut to `capacity` bytes; control characters and invalid UTF-8 in the name
 * become U+FFFD. Returns the length of the whole sentence in bytes. */
size_t gpt_error_message(const gpt_error *error, char *out, size_t capacity);

/* Writes the failure as JSON, NUL-terminated and cut to `capacity` bytes:
 * {"status":-7,"code":"heads","name":"","values":[64,5,0],"message":"..."}. The message has at most
 * 511 bytes; a value that is NaN or infinite is null. Returns the length of the whole JSON in
 * bytes. */
size_t gpt_error_json(const gpt_error *error, char *out, size_t capacity);

#endif
