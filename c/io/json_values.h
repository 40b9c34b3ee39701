/* json_values.h - reads and writes the values of our JSON so that every number keeps its bits.
 *
 * A real number is written in decimal if the decimal text reads back as the same double, else as a
 * string with the bits of the double in 16 hexadecimal digits ("3FD3333333333334"). Options, change
 * logs and the fields of a run consist of such numbers. A reader must be at the first token of the
 * value; the functions check the value.
 */
#ifndef GLASSHOUSE_JSON_VALUES_H
#define GLASSHOUSE_JSON_VALUES_H

#include "base/json.h"
#include "base/text_buffer.h"
#include "recipe/run_state.h"

/* Reads a whole number from 0 to CONFIG_WHOLE_MAX. False for any other value. */
bool json_read_count(const json_reader *r, uint64_t *value);

/* Reads a string of 1 to 20 digits of `base` 10 or 16 (upper or lower case). False for any other
 * value and above 2^64 - 1. */
bool json_read_digits(const json_reader *r, uint64_t base, uint64_t *value);

/* Fails with GPT_E_FILE, named "WHAT MEMBER" by `what` and the name of the member at `key`. */
int json_fail_member(const char *what, const json_reader *key, gpt_error *error);

/* Returns the number (OPT_...) of the option that the current string or key names; -1 for an
 * unknown name and for other tokens. */
int json_read_option(const json_reader *r);

/* Write and read a real number. The 16 digits also represent NaN and infinities. */
void json_put_exact(text_buffer *out, double value);
bool json_read_exact(const json_reader *r, double *value);

/* Writes ranges of bytes: [[812,840],[1024,1100]]; [] if `set` is empty. */
void json_put_left_out(text_buffer *out, const left_out *set);

/* Write and read the options of a recipe: {"layers":2,"lr":"3FD3333333333334",...}. Omitted are
 * later options with their value `before`, and an empty `left_out`. Reading starts from
 * config_before, accepts each option once, and sets `first` (may be NULL) to the number of options
 * read that are not later ones. GPT_E_OPTION (unknown), GPT_E_RANGE, GPT_E_WHOLE, GPT_E_FILE (named
 * by `what` and the member): `c` is then undefined. */
void json_put_options(text_buffer *out, const config *c);
int json_read_options(json_reader *r, config *c, int *first, const char *what, gpt_error *error);

/* Write and read a change log: [{"step":120,"option":"lr","from":0.001,"to":0.002},...]. Reading
 * adds to `log`, also before a failure. GPT_E_FILE (named `what`) for malformed JSON, for an option
 * that is not live, a value out of range, and a step below that of an earlier change or above
 * `last_step`; GPT_E_CHANGES, GPT_E_ALLOCATION. */
void json_put_changes(text_buffer *out, const change_log *log);
int json_read_changes(json_reader *r, change_log *log, uint64_t last_step, const char *what,
                      gpt_error *error);

/* Writes the fields that RUN_FIELDS assigns to `store`, in the order of their places, as members of
 * an object whose braces the caller writes. Omits text_hash and text_bytes if the run has no
 * text. */
void json_put_run(text_buffer *out, const run_state *run, run_store store);

/* Returns the field of `store` that the current key names; NULL for any other key. */
const run_field *json_find_run_field(const json_reader *key, run_store store);

/* Reads the value of a field into `run`. GPT_E_FILE (named after the field), GPT_E_CHANGES,
 * GPT_E_ALLOCATION. */
int json_read_run_field(json_reader *r, const run_field *field, run_state *run, gpt_error *error);

#endif
