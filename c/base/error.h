/* error.h - the record of a failure: functions of the engine write it, clients read it as a sentence
 * or as JSON (gpt_config_message, gpt_config_error).
 */
#ifndef GLASSHOUSE_ERROR_H
#define GLASSHOUSE_ERROR_H

#include "base/status.h"

/* The record of a failure; each handle has one for its last failure. */
typedef struct gpt_error {
    int status;
    double value[3]; /* {0} {1} {2} of the text */
    char name[128];  /* {name} of the text: an option, argument, character, tensor; may be "" */
} gpt_error;

/* Records `status` with its name and numbers in `error` (may be NULL) and returns `status`, so that
 * a failing function can `return gpt_fail(error, GPT_E_RANGE, "heads", 0, 1, 64);`. `name` may be
 * NULL for an empty one; at most 127 bytes of it are copied. */
int gpt_fail(gpt_error *error, int status, const char *name, double v0, double v1, double v2);

/* Like gpt_fail, for a status whose text has no numbers. */
int gpt_fail_name(gpt_error *error, int status, const char *name);

/* Records GPT_E_ALLOCATION: the system refused `bytes` bytes. Returns the status. */
int gpt_fail_allocation(gpt_error *error, uint64_t bytes);

/* Writes the English text with the numbers and the name filled in, NUL-terminated and cut to
 * `capacity` bytes; control characters and invalid UTF-8 of the name become U+FFFD. Returns the
 * length of the whole message. */
size_t gpt_error_message(const gpt_error *error, char *out, size_t capacity);

/* Writes the failure as JSON, cut and NUL-terminated likewise:
 * {"status":-7,"code":"heads","name":"","values":[64,5,0],"message":"..."}. The message has at most
 * 511 bytes; a value that is NaN or infinite is null. Returns the length of the whole JSON. */
size_t gpt_error_json(const gpt_error *error, char *out, size_t capacity);

#endif
