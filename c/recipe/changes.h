/* changes.h - the log of option changes during a run.
 *
 * Only options marked LIVE in config.h change during a run. The recipe (the value of every option)
 * at step 0, the text and this log together determine a run that did not begin with a file.
 * Invariant: entries are sorted by step, then by option; an option occurs at most once in a step;
 * `before` and `after` of an entry differ.
 */
#ifndef GLASSHOUSE_CHANGES_H
#define GLASSHOUSE_CHANGES_H

#include "recipe/config.h"

/* The most entries of a log: more changes than a person makes, and a limit for untrusted files. */
enum { CHANGES_MAX = 1 << 14 };

typedef struct config_change {
    uint64_t step; /* number of steps done before the change; the next step uses `after` */
    int option;    /* OPT_... */
    double before, after;
} config_change;

typedef struct change_log {
    config_change *items;   /* owned (malloc); NULL before the first entry */
    size_t count, capacity; /* number of entries; number for which memory is allocated */
} change_log;

/* Frees the entries and empties the log. A zeroed log may be closed. */
void changes_close(change_log *log);

/* Records that `option` changed from `before` to `after` when `step` steps were done; `step` is not
 * below the step of any entry. An entry that the log already has for this option and step gets the
 * new `after`, or is removed if `after` equals its `before`. Equal `before` and `after` add no
 * entry. Errors: GPT_E_CHANGES if the log has CHANGES_MAX entries, GPT_E_ALLOCATION if the system
 * refuses memory; the log is unchanged then. */
int changes_note(change_log *log, uint64_t step, int option, double before, double after,
                 gpt_error *error);

/* Turns the present recipe `c` of a run into its recipe at step 0, by undoing the changes in the
 * log. */
void changes_undo(const change_log *log, config *c);

#endif
