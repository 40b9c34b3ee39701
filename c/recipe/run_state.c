/* run_state.c - see run_state.h. */
#include "recipe/run_state.h"

#include <stddef.h>

static const run_field FIELDS[RUN_FIELD_COUNT] = {
#define FIELD(name, member, form, checkpoint, receipt, hash, snapshot)                             \
    {name, offsetof(run_state, member), form, {checkpoint, receipt, hash, snapshot}},
    RUN_FIELDS(FIELD)
#undef FIELD
};

const run_field *run_field_at(run_store store, int place) {
    for (int i = 0; i < RUN_FIELD_COUNT; i++) {
        if (FIELDS[i].place[store] == place) {
            return &FIELDS[i];
        }
    }
    return NULL;
}
