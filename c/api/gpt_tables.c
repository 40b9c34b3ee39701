/* gpt_tables.c - n-gram tables (counts, losses, generation), and baselines. See gpt_trace.h. */
#include "api/handles.h"

#include <stdlib.h>
#include "base/numeric.h"
#include "base/text_buffer.h"

/* Checks that the index is ready and all ids are in the vocabulary. Errors: GPT_E_STATE,
 * GPT_E_ARGUMENT. */
static int check_ids(gpt_trace *t, const int32_t *ids, size_t count) {
    int status = handle_check_trace(t);
    if (status < 0) {
        return status;
    }
    if ((!ids && count) || count > TEXT_BYTES_MAX) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "ids");
    }
    for (size_t i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= t->index.tokenizer.vocab) {
            return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "ids");
        }
    }
    return GPT_OK;
}

static int check_order(gpt_trace *t, int order) {
    return order >= 0 && order <= NGRAM_ORDER_MAX
               ? GPT_OK
               : gpt_fail(&t->error, GPT_E_RANGE, "order", order, 0, NGRAM_ORDER_MAX);
}

int gpt_trace_score(gpt_trace *t, int order, const int32_t *ids, size_t count, float *nats) {
    int status = check_ids(t, ids, count);
    status = status < 0 ? status : check_order(t, order);
    if (status < 0) {
        return status;
    }
    if (!nats && count) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "nats");
    }
    ngram_context context = ngram_begin(&t->index.model);
    for (size_t i = 0; i < count; i++) {
        double p[NGRAM_ORDERS];
        ngram_read(&t->index.model, &context, ids[i], false, p);
        nats[i] = (float)-num_log(p[order]);
    }
    return (int)count;
}

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct prompt_reader {
    ngram_model *model;
    ngram_context context;
} prompt_reader;

static void read_token(void *receiver, int id) {
    prompt_reader *p = receiver;
    ngram_read(p->model, &p->context, id, false, NULL);
}

/* Draws tokens from the n-gram table of `order` until BOS, `most` tokens or a full buffer. Writes
 * the bytes of the tokens to `out` and returns the number of bytes. */
static size_t write_tokens(prompt_reader *p, const tokenizer *k, int order, int most, rng *stream,
                           unsigned char out[SAMPLE_BYTES_MAX]) {
    size_t length = 0;
    for (int written = 0; written < most && length + TOKEN_BYTES_MAX <= SAMPLE_BYTES_MAX;) {
        int id = ngram_draw(p->model, &p->context, order, stream);
        if (id == k->bos) {
            break;
        }
        if (!tokenizer_is_hole(k, id)) { // draws again after a hole, an id without bytes
            length += (size_t)tokenizer_bytes(k, id, out + length);
            read_token(p, id);
            written++;
        }
    }
    return length;
}

int gpt_trace_write(gpt_trace *t, int order, const char *prompt, size_t prompt_bytes,
                    int max_tokens, double seed, char *out, size_t capacity) {
    int status = handle_check_trace(t);
    if (status == GPT_OK && ((!prompt && prompt_bytes) || prompt_bytes > TEXT_BYTES_MAX)) {
        status = gpt_fail_name(&t->error, GPT_E_ARGUMENT, "prompt");
    }
    status = status < 0 ? status : check_order(t, order);
    status = status < 0 ? status : handle_check_limit("max_tokens", max_tokens, &t->error);
    status = status < 0 ? status : handle_check_limit("seed", seed, &t->error);
    if (status < 0) {
        return status;
    }
    prompt_reader p = {&t->index.model, ngram_begin(&t->index.model)};
    status = tokenizer_encode(&t->index.tokenizer, prompt, prompt_bytes, read_token, &p, &t->error);
    unsigned char *written = status == GPT_OK ? malloc(SAMPLE_BYTES_MAX) : NULL;
    if (!written) {
        return status < 0 ? status : gpt_fail_allocation(&t->error, SAMPLE_BYTES_MAX);
    }
    rng stream = rng_from_mixed_seed((uint64_t)seed);
    size_t length = write_tokens(&p, &t->index.tokenizer, order, max_tokens, &stream, written);
    text_buffer buffer = text_begin(out, capacity);
    text_put_utf8(&buffer, written, length, true);
    free(written);
    return text_answer(&buffer, &t->error);
}

/* ---- Baselines ------------------------------------------------------------------------------ */

int gpt_baselines_step(gpt_trace *t) {
    int status = handle_check_trace(t);
    if (status < 0) {
        return status;
    }
    if (!t->scoring) {
        baselines_open(&t->scores, &t->index);
        t->scoring = true;
    }
    return baselines_step(&t->scores);
}

double gpt_baseline(const gpt_trace *t, int order) {
    if (!t || !t->scores.ready || order < -1 || order > NGRAM_ORDER_MAX) {
        return __builtin_nan("");
    }
    return order < 0 ? num_log(t->index.tokenizer.vocab)
                     : t->scores.nats[order] / (double)t->scores.targets;
}
