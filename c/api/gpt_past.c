/* gpt_past.c - writing and restoring snapshots. See gpt.h, section Training, and gpt_past.h. */
#include "api/handles.h"
#include "train/snapshot.h"

size_t gpt_snapshot_bytes(const gpt_trainer *t) {
    return t ? snapshot_bytes(&t->run) : 0;
}

int gpt_snapshot_write(gpt_trainer *t, void *out, size_t capacity) {
    if (!t || !out) {
        return GPT_E_ARGUMENT;
    }
    size_t bytes = snapshot_bytes(&t->run);
    if (bytes == 0) {
        return gpt_fail_name(&t->error, GPT_E_NO_TEXT, "");
    }
    if (capacity < bytes) {
        return gpt_fail(&t->error, GPT_E_CAPACITY, "", (double)bytes, (double)capacity, 0);
    }
    snapshot_write(&t->run, out);
    return GPT_OK;
}

int gpt_snapshot_restore(gpt_trainer *t, const void *snapshot, size_t bytes) {
    if (!t || !snapshot) {
        return GPT_E_ARGUMENT;
    }
    int status = snapshot_restore(&t->run, snapshot, bytes, &t->error);
    if (status == GPT_OK) {
        handle_end_samples(t);
    }
    return status;
}
