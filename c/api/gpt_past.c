/* gpt_past.c - moments of a run: gpt_moment_take in gpt.h, and gpt_past.h. */
#include "api/handles.h"
#include "train/moment.h"

#ifndef GPT_REAL_DOUBLE // the contract speaks of float

size_t gpt_moment_bytes(const gpt_trainer *t) {
    return t ? moment_bytes(&t->run) : 0;
}

int gpt_moment_take(gpt_trainer *t, void *out, size_t capacity) {
    if (!t || !out) {
        return GPT_E_ARGUMENT;
    }
    size_t bytes = moment_bytes(&t->run);
    if (bytes == 0) {
        return gpt_fail_name(&t->error, GPT_E_NO_TEXT, "");
    }
    if (capacity < bytes) {
        return gpt_fail(&t->error, GPT_E_CAPACITY, "", (double)bytes, (double)capacity, 0);
    }
    moment_take(&t->run, out);
    return GPT_OK;
}

int gpt_moment_restore(gpt_trainer *t, const void *moment, size_t bytes) {
    if (!t || !moment) {
        return GPT_E_ARGUMENT;
    }
    int status = moment_restore(&t->run, moment, bytes, &t->error);
    if (status == GPT_OK) {
        handle_end_samples(t);
    }
    return status;
}

#endif
