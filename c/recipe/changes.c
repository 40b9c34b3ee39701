/* changes.c - see changes.h. */
#include "recipe/changes.h"

#include <stdlib.h>
#include <string.h>

void changes_close(change_log *log) {
    free(log->items);
    *log = (change_log){0};
}

/* Reallocates the array of the log so that it has memory for at least `count` entries. Errors:
 * GPT_E_ALLOCATION if the system refuses the memory. */
static int make_room(change_log *log, size_t count, gpt_error *error) {
    if (count <= log->capacity) {
        return GPT_OK;
    }
    size_t capacity = count < 16 ? 16 : count * 2;
    config_change *items = realloc(log->items, capacity * sizeof *items);
    if (!items) {
        return gpt_fail_allocation(error, capacity * sizeof *items);
    }
    log->items = items;
    log->capacity = capacity;
    return GPT_OK;
}

int changes_note(change_log *log, uint64_t step, int option, double before, double after,
                 gpt_error *error) {
    size_t i = log->count;
    while (i > 0 && log->items[i - 1].step == step && log->items[i - 1].option >= option) {
        i--;
    }
    if (i < log->count && log->items[i].option == option) {
        config_change *here = &log->items[i];
        here->after = after;
        if (here->before == after) { // the changes of this option in this step cancel out
            log->count--;
            memmove(here, here + 1, (log->count - i) * sizeof *here);
        }
        return GPT_OK;
    }
    if (before == after) {
        return GPT_OK;
    }
    if (log->count == CHANGES_MAX) {
        return gpt_fail(error, GPT_E_CHANGES, CONFIG_ROWS[option].name, CHANGES_MAX, 0, 0);
    }
    int status = make_room(log, log->count + 1, error);
    if (status == GPT_OK) {
        memmove(&log->items[i + 1], &log->items[i], (log->count - i) * sizeof *log->items);
        log->items[i] = (config_change){step, option, before, after};
        log->count++;
    }
    return status;
}

void changes_undo(const change_log *log, config *c) {
    for (size_t i = log->count; i > 0; i--) {
        c->value[log->items[i - 1].option] = log->items[i - 1].before;
    }
}
