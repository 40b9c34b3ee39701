/* gpt_errors.c - the last failure of a handle, as JSON or as a sentence. */
#include "api/handles.h"

#ifndef GPT_REAL_DOUBLE // the contract speaks of float

static int error_json(const gpt_error *error, char *out, size_t capacity) {
    if (!out || !capacity) {
        return GPT_E_CAPACITY;
    }
    size_t length = gpt_error_json(error, out, capacity);
    return length < capacity ? (int)length : GPT_E_CAPACITY;
}

int gpt_config_error(const gpt_config *c, char *out, size_t capacity) {
    return c ? error_json(&c->error, out, capacity) : GPT_E_ARGUMENT;
}

static int error_message(const gpt_error *error, char *out, size_t capacity) {
    if (!out || !capacity) {
        return GPT_E_CAPACITY;
    }
    size_t length = gpt_error_message(error, out, capacity);
    return length < capacity ? (int)length : GPT_E_CAPACITY;
}

int gpt_config_message(const gpt_config *c, char *out, size_t capacity) {
    return c ? error_message(&c->error, out, capacity) : GPT_E_ARGUMENT;
}

int gpt_trainer_message(const gpt_trainer *t, char *out, size_t capacity) {
    return t ? error_message(&t->error, out, capacity) : GPT_E_ARGUMENT;
}

int gpt_trainer_error(const gpt_trainer *t, char *out, size_t capacity) {
    return t ? error_json(&t->error, out, capacity) : GPT_E_ARGUMENT;
}

#endif
