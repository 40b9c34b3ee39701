/* saved_files.h - helpers of the file tests: save trainers to memory, load them in pieces, compare
 * their weights. */
#ifndef GLASSHOUSE_TEST_SAVED_FILES_H
#define GLASSHOUSE_TEST_SAVED_FILES_H

#include <sanitizer/asan_interface.h>
#include <stdlib.h>

#include "api/handles.h"
#include "check.h"

/* STREAM: a text to read as a stream. LINES: a text to read as documents, with repeated and empty
 * lines, accents and a byte that is not UTF-8. */
static const char STREAM[] =
    "the quick brown fox jumps over the lazy dog and runs through the wood; "
    "then it comes back over the hill, and the dog is still asleep there.";
static const char LINES[] =
    "anna\nbob\ncarla\nd\xC3\xA9sir\xC3\xA9\xC3\xA9\nanna\n\nzo\xC3\xAB\n\xFF!\n";

/* A file in memory; a zeroed struct is an empty file. The caller frees `bytes`. */
typedef struct blob {
    char *bytes;
    size_t size, capacity;
} blob;

/* Appends bytes and a NUL that blob.size does not count. Poisons the unused capacity, so that the
 * address sanitizer reports reads beyond the NUL. */
static inline void blob_put(blob *b, const void *bytes, size_t size) {
    if (b->size + size + 1 > b->capacity) {
        b->capacity = 2 * (b->size + size + 1);
        b->bytes = realloc(b->bytes, b->capacity);
    }
    ASAN_UNPOISON_MEMORY_REGION(b->bytes, b->capacity);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    b->bytes[b->size] = 0;
    ASAN_POISON_MEMORY_REGION(b->bytes + b->size + 1, b->capacity - b->size - 1);
}

/* Returns a preset with a model that is small enough for the sanitizers. The caller frees it. */
static inline gpt_config *small(const char *preset) {
    gpt_config *config = gpt_config_create(preset);
    gpt_config_set(config, "channels", 16);
    gpt_config_set(config, "layers", 2);
    gpt_config_set(config, "context", 16);
    gpt_config_set(config, "batch", 2);
    if (strcmp(preset, "microgpt") != 0) {
        gpt_config_set(config, "heads", 2);
    }
    // No short decimal number: files must restore all its bits.
    gpt_config_set(config, "lr", 1.0 / 300.0);
    return config;
}

/* Saves a trainer as a file of `form`, in pieces of 777 bytes. Returns an empty file if
 * gpt_save_open fails; the caller frees `bytes`. */
static inline blob save(gpt_trainer *trainer, const char *form, const char *note) {
    blob out = {0};
    gpt_saver *saver = gpt_save_open(trainer, form, note, strlen(note));
    if (!saver) return out;
    char piece[777];
    double got;
    while ((got = gpt_save_read(saver, piece, sizeof piece)) > 0)
        blob_put(&out, piece, (size_t)got);
    CHECK(got == 0);
    CHECK(gpt_save_bytes(saver) == (double)out.size);
    gpt_save_free(saver);
    return out;
}

/* Loads a file in pieces of at most `piece` bytes for `purpose`, on `text` (NULL to generate). NULL
 * on failure, with the error in `config`. The caller frees the trainer. */
static inline gpt_trainer *load(gpt_config *config, const char *form, const char *bytes,
                                size_t size, size_t piece, const char *purpose, const char *text) {
    gpt_loader *loader = gpt_load_open(config, form, (double)size);
    gpt_trainer *trainer = NULL;
    size_t at = 0;
    bool good = loader != NULL;
    while (good && at < size) {
        size_t now = size - at < piece ? size - at : piece;
        double taken = gpt_load_feed(loader, bytes + at, now);
        good = taken >= 0;
        at += good ? (size_t)taken : 0;
        if (good && gpt_load_state(loader) == 1) {
            good = gpt_load_begin(loader, purpose, text, text ? strlen(text) : 0) == GPT_OK;
        }
    }
    if (good) trainer = gpt_load_finish(loader);
    gpt_load_free(loader);
    return trainer;
}

static inline gpt_trainer *load_ours(gpt_config *config, blob file, size_t piece,
                                     const char *purpose, const char *text) {
    return load(config, "safetensors", file.bytes, file.size, piece, purpose, text);
}

static inline int status_of(const gpt_config *config) {
    return config->error.status;
}

/* True if all weights of two trainers are equal to the bit, and AdamW's moments if both trainers
 * have moments. */
static inline bool same_weights(gpt_trainer *a, gpt_trainer *b) {
    for (int i = 0; gpt_parameter_data(a, i); i++) {
        const param *p = &a->run.net.params[i], *q = &b->run.net.params[i];
        size_t bytes = (size_t)p->value.size * sizeof(float);
        if (memcmp(p->value.data, q->value.data, bytes) != 0) return false;
        if (p->moment1 && q->moment1 &&
            (memcmp(p->moment1, q->moment1, bytes) != 0 ||
             memcmp(p->moment2, q->moment2, bytes) != 0)) {
            return false;
        }
    }
    return true;
}

#endif
