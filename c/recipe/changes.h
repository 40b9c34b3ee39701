/* changes.h - the log of what was changed in the middle of a run.
 *
 * Owns: which `live` option got which value after which step. With the recipe and the text it says
 * all that a run is made of. Invariant: steps never fall, no option occurs twice at one step, and
 * no entry leaves a value as it was.
 */
#ifndef GLASSHOUSE_CHANGES_H
#define GLASSHOUSE_CHANGES_H

#include "recipe/config.h"

/* Far above what a hand can do; it bounds files. */
enum { CHANGES_MAX = 1 << 14 };

typedef struct config_change {
    uint64_t step; /* steps that had been done: the next one is the first with the new value */
    int option;    /* OPT_... */
    double before, after;
} config_change;

typedef struct change_log {
    config_change *items; /* owns (malloc) */
    size_t count, room;
} change_log;

/* Gives everything back; the log is then empty. A zeroed log may be closed. */
void changes_close(change_log *log);

/* Notes that `option` became `after` when `step` steps were done. GPT_E_CHANGES,
 * GPT_E_ALLOCATION: the log is as it was. */
int changes_note(change_log *log, uint64_t step, int option, double before, double after,
                 gpt_error *error);

/* The recipe at step 0 of a run whose options are now those of `c`. */
void changes_undo(const change_log *log, config *c);

#endif
