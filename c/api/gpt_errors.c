/* gpt_errors.c - writes the last failure of a handle as JSON or as a sentence. See gpt.h. */
#include "api/handles.h"

typedef size_t error_writer(const gpt_error *error, char *out, size_t capacity);

static int answer(error_writer *write, const gpt_error *error, char *out, size_t capacity) {
    if (!error) {
        return GPT_E_ARGUMENT;
    }
    size_t length = out && capacity ? write(error, out, capacity) : capacity;
    return length < capacity ? (int)length : GPT_E_CAPACITY;
}

int handle_error_json(const gpt_error *error, char *out, size_t capacity) {
    return answer(gpt_error_json, error, out, capacity);
}

int handle_message(const gpt_error *error, char *out, size_t capacity) {
    return answer(gpt_error_message, error, out, capacity);
}

int gpt_config_error(const gpt_config *c, char *out, size_t capacity) {
    return handle_error_json(c ? &c->error : NULL, out, capacity);
}

int gpt_config_message(const gpt_config *c, char *out, size_t capacity) {
    return answer(gpt_error_message, c ? &c->error : NULL, out, capacity);
}

int gpt_trainer_error(const gpt_trainer *t, char *out, size_t capacity) {
    return handle_error_json(t ? &t->error : NULL, out, capacity);
}

int gpt_trainer_message(const gpt_trainer *t, char *out, size_t capacity) {
    return answer(gpt_error_message, t ? &t->error : NULL, out, capacity);
}

int gpt_trace_error(const gpt_trace *t, char *out, size_t capacity) {
    return handle_error_json(t ? &t->error : NULL, out, capacity);
}

int gpt_trace_message(const gpt_trace *t, char *out, size_t capacity) {
    return answer(gpt_error_message, t ? &t->error : NULL, out, capacity);
}
