/* changes.h - the log of option changes during a run.
 *
 * Only options marked LIVE in config.h change during a run. The recipe at step 0, the text and this
 * log together determine a run that did not begin with a file. Invariant: entries ascend by step,
 * and those of one step by option; an option occurs at most once in a step; `before` and `after` of
 * an entry differ.
 */
#ifndef GLASSHOUSE_CHANGES_H
#define GLASSHOUSE_CHANGES_H

#include "recipe/config.h"

/* The most entries of a log: more changes than a person makes, and a limit for untrusted files. */
enum { CHANGES_MAX = 1 << 14 };

typedef struct config_change {
    uint64_t step; /* steps done before the change: the next step is the first with `after` */
    int option;    /* OPT_... */
    double before, after;
} config_change;

typedef struct change_log {
    config_change *items; /* owned (malloc); NULL before the first entry */
    size_t count, room;   /* entries; entries for which memory is allocated */
} change_log;

/* Frees the entries and empties the log. A zeroed log may be closed. */
void changes_close(change_log *log);

/* Records that `option` changed from `before` to `after` after `step` steps; `step` is not below
 * the step of any entry. If the log has an entry of the same option and step, only its `after`
 * changes, and the entry is removed if the option is back at its `before`. Equal `before` and
 * `after` add no entry. GPT_E_CHANGES if the log has CHANGES_MAX entries, GPT_E_ALLOCATION; the log
 * is unchanged then. */
int changes_note(change_log *log, uint64_t step, int option, double before, double after,
                 gpt_error *error);

/* Turns the present recipe `c` of a run into its recipe at step 0, by undoing the log. */
void changes_undo(const change_log *log, config *c);

#endif
