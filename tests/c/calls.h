/* calls.h - frequent sequences of calls of gpt.h, for tests. */
#ifndef GLASSHOUSE_TEST_CALLS_H
#define GLASSHOUSE_TEST_CALLS_H

#include "api/gpt.h"

/* Writes a whole file of gpt_save_open and a NUL to `out`. Returns the bytes of the file, or a
 * negative status. */
static inline int save_file(gpt_trainer *trainer, const char *form, char *out, size_t capacity) {
    gpt_saver *saver = gpt_save_open(trainer, form, NULL, 0);
    int bytes = saver ? (int)gpt_save_read(saver, out, capacity - 1) : GPT_E_STATE;
    if (bytes >= 0) out[bytes] = 0;
    gpt_save_free(saver);
    return bytes;
}

#endif
