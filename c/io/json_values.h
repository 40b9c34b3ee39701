/* json_values.h - numbers in our JSON that must come back to the bit.
 *
 * Owns: whole numbers, digits in strings, and reals that are written in decimal where that is exact
 * and as the bits of a double ("3FD3333333333334") where it is not; and the options and the log of
 * changes made of them. Readers stand on the value and answer whether it is one.
 */
#ifndef GLASSHOUSE_JSON_VALUES_H
#define GLASSHOUSE_JSON_VALUES_H

#include "base/json.h"
#include "base/text_buffer.h"
#include "recipe/run_state.h"

/* A whole number of at most CONFIG_WHOLE_MAX. */
bool json_read_count(const json_reader *r, uint64_t *value);

/* A string of up to 20 digits to `base` (10 or 16) that fits into 64 bits. */
bool json_read_digits(const json_reader *r, uint64_t base, uint64_t *value);

/* GPT_E_FILE, named by `what` and the member whose key the reader stood on. */
int json_fail_member(const char *what, const json_reader *key, gpt_error *error);

/* The name of an option, as its number; -1 for anything else. */
int json_read_option(const json_reader *r);

/* A real, exactly. */
void json_put_exact(text_buffer *out, double value);
bool json_read_exact(const json_reader *r, double *value);

/* [[812,840],[1024,1100]] */
void json_put_left_out(text_buffer *out, const left_out *set);

/* {"layers":2,"lr":"3FD3333333333334",...}: the options of a recipe, exactly; `left_out` as above,
 * unless it is empty. Reading starts from config_before and counts into `first` (may be NULL) the
 * options that are not later ones. GPT_E_OPTION, GPT_E_RANGE, GPT_E_WHOLE, GPT_E_FILE (named
 * `what`, and the member at fault) for anything else. */
void json_put_options(text_buffer *out, const config *c);
int json_read_options(json_reader *r, config *c, int *first, const char *what, gpt_error *error);

/* [{"step":120,"option":"lr","from":0.001,"to":0.002},...]. GPT_E_FILE (named `what`) for
 * anything else, for options that are not live, values out of range, and steps that fall or are
 * beyond `last_step`. */
void json_put_changes(text_buffer *out, const change_log *log);
int json_read_changes(json_reader *r, change_log *log, uint64_t last_step, const char *what,
                      gpt_error *error);

/* The fields of a run that `store` keeps, as members of an object that has been begun. Those of the
 * text are left out if the run has none. */
void json_put_run(text_buffer *out, const run_state *run, run_store store);

/* The field whose key the reader stands on, or NULL; and its value, GPT_E_FILE (named after the
 * field) if it is none, GPT_E_ALLOCATION. */
const run_field *json_find_run_field(const json_reader *key, run_store store);
int json_read_run_field(json_reader *r, const run_field *field, run_state *run, gpt_error *error);

#endif
