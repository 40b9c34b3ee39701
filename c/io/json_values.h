/* json_values.h - reads and writes the values of the engine's own JSON, in which every number keeps
 * its bits.
 *
 * A real number is written in decimal if the decimal text reads back as the same double, else as a
 * string with the bits of the double in 16 hexadecimal digits ("3FD3333333333334"). The values of
 * options, also those in change logs, are written in this form. Functions that read a value begin
 * at the current token of the reader, the first token of the value, and check the value.
 */
#ifndef GLASSHOUSE_JSON_VALUES_H
#define GLASSHOUSE_JSON_VALUES_H

#include "base/json.h"
#include "base/text_buffer.h"
#include "recipe/run_state.h"

/* Reads a whole number from 0 to CONFIG_WHOLE_MAX (2^53 - 1). Returns false for any other value. */
bool json_read_count(const json_reader *r, uint64_t *value);

/* Reads a whole number from a string of 1 to 20 digits; `base` is 10 or 16 (digits in upper or
 * lower case). Returns false for any other value and for numbers above 2^64 - 1. */
bool json_read_digits(const json_reader *r, uint64_t base, uint64_t *value);

/* Fails with GPT_E_FILE and a name made of `what`, a space and the name of the member at `key`,
 * such as "glasshouse.config lr". */
int json_fail_member(const char *what, const json_reader *key, gpt_error *error);

/* Returns the number (OPT_...) of the option that the current string or key names; -1 for an
 * unknown name and for any other token. */
int json_read_option(const json_reader *r);

/* Write and read a double: a JSON number, or a string with the bits in 16 hexadecimal digits, which
 * is also the form of NaN and infinities. Reading returns false for any other value. */
void json_put_exact(text_buffer *out, double value);
bool json_read_exact(const json_reader *r, double *value);

/* Writes the option left_out, ranges of bytes that training never reads: [[812,840],[1024,1100]],
 * each from its first byte to the byte after its last; [] if `set` is empty. */
void json_put_left_out(text_buffer *out, const left_out *set);

/* Write and read the options of a recipe: {"layers":2,"lr":"3FD3333333333334",...}. Writing omits
 * an option of CONFIG_LATER_OPTIONS (added after the first receipts were published) that has its
 * value config_row.before, and left_out if it is empty. Reading sets missing options as
 * config_before does and sets *first (`first` may be NULL) to the number of options read, not
 * counting left_out and CONFIG_LATER_OPTIONS. After a failure `c` and *first are undefined. Errors:
 * GPT_E_OPTION (unknown option), GPT_E_RANGE, GPT_E_WHOLE, GPT_E_FILE (malformed JSON, with the
 * name `what`; an option that is malformed or occurs twice, with the name that json_fail_member
 * makes of `what`). */
void json_put_options(text_buffer *out, const config *c);
int json_read_options(json_reader *r, config *c, int *first, const char *what, gpt_error *error);

/* Write and read a change log: [{"step":120,"option":"lr","from":0.001,"to":0.002},...]. Reading
 * appends to `log`; after a failure, the log has the changes before the faulty one. Errors:
 * GPT_E_FILE, with the name `what`, if the JSON is malformed, an option must not change during a
 * run, a value is out of range, or a step is below that of the previous change or above
 * `last_step`; GPT_E_CHANGES if the log has CHANGES_MAX changes; GPT_E_ALLOCATION. */
void json_put_changes(text_buffer *out, const change_log *log);
int json_read_changes(json_reader *r, change_log *log, uint64_t last_step, const char *what,
                      gpt_error *error);

/* Writes the fields of a run that RUN_FIELDS lists for `store` (a checkpoint or a receipt) as
 * members of an object, in the order of their places in the store; the caller writes the braces.
 * Omits text_hash and text_bytes if the run has no text. */
void json_put_run(text_buffer *out, const run_state *run, run_store store);

/* Returns the field of `store` that `key` names; NULL if `store` has no such field. */
const run_field *json_find_run_field(const json_reader *key, run_store store);

/* Reads the value of `field` into its member of `run`. Errors: GPT_E_FILE, with the name of the
 * field; GPT_E_CHANGES; GPT_E_ALLOCATION. */
int json_read_run_field(json_reader *r, const run_field *field, run_state *run, gpt_error *error);

#endif
