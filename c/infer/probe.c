/* probe.c - see probe.h. */
#include "infer/probe.h"

#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"

static int reserve(probe *p, int T, gpt_error *error) {
    p->ids = calloc((size_t)T, sizeof *p->ids);
    p->targets = calloc((size_t)T, sizeof *p->targets);
    return p->ids && p->targets ? GPT_OK : gpt_fail_allocation(error, (size_t)T * 8);
}

static int read_tokens(probe *p, const model *net, const tokenizer *tok, const char *text,
                       size_t bytes, gpt_error *error) {
    int T = config_int(&net->options, OPT_CONTEXT);
    bool documents = config_int(&net->options, OPT_SEQUENCES) == SEQUENCES_DOCUMENTS;
    int status = reserve(p, T, error);
    if (status < 0) {
        return status;
    }
    id_list list = {p->ids, (size_t)T, 0};
    if (documents) {
        id_list_add(&list, tok->bos);
    }
    status = tokenizer_encode(tok, text, bytes, id_list_add, &list, error);
    if (status < 0) {
        return status;
    }
    if (list.count > (size_t)T) {
        return gpt_fail(error, GPT_E_LONG, "text", (double)list.count - documents, T - documents,
                        0);
    }
    p->count = (int)list.count;
    if (!p->count) {
        return gpt_fail_name(error, GPT_E_EMPTY, "text");
    }
    for (int i = 0; i + 1 < p->count; i++) {
        p->targets[i] = p->ids[i + 1];
    }
    p->targets[p->count - 1] = documents ? tok->bos : NO_TARGET;
    return GPT_OK;
}

static int copy_ids(probe *p, const model *net, const int32_t *ids, int count, gpt_error *error) {
    int T = config_int(&net->options, OPT_CONTEXT);
    if (count < 2) {
        return gpt_fail_name(error, GPT_E_EMPTY, "text");
    }
    if (count - 1 > T) {
        return gpt_fail(error, GPT_E_LONG, "text", count - 1, T, 0);
    }
    for (int i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= net->vocab) {
            return gpt_fail_name(error, GPT_E_ARGUMENT, "ids");
        }
    }
    int status = reserve(p, T, error);
    if (status == GPT_OK) {
        p->count = count - 1;
        memcpy(p->ids, ids, (size_t)p->count * sizeof *ids);
        memcpy(p->targets, ids + 1, (size_t)p->count * sizeof *ids);
    }
    return status;
}

static int compute(probe *p, model *net, bool gradients, gpt_error *error) {
    int status = tape_open(&p->work, &p->memory, model_node_count(&net->options), error);
    if (status < 0) {
        return status;
    }
    p->work.grad_mode = gradients;
    p->work.keep_grads = true;
    tensor *logits = model_forward(net, &p->work, p->ids, 1, p->count, NULL);
    tensor *loss = op_cross_entropy(&p->work, "loss", logits, p->targets);
    if (!loss || (gradients && tape_backward(&p->work, loss) < 0)) {
        return arena_fail(&p->memory, error);
    }
    return p->memory.measuring
               ? GPT_OK
               : tape_check_finite(&p->work, logits->data, p->count * net->vocab, p->count, error);
}

/* Measures the memory of a pass over p->ids, allocates this memory and runs the pass. `status` is
 * the result of reading the ids; if it is negative, no pass runs. Returns the number of ids; on
 * failure empties the probe and returns the negative status. */
static int run(probe *p, model *net, bool gradients, int status, gpt_error *error) {
    if (status == GPT_OK) {
        arena_open_measuring(&p->memory);
        status = compute(p, net, gradients, error);
        tape_close(&p->work);
    }
    if (status == GPT_OK) {
        status = arena_open(&p->memory, p->memory.peak, error);
    }
    if (status == GPT_OK) {
        status = compute(p, net, gradients, error);
    }
    int count = p->count;
    if (status < 0) {
        probe_close(p);
    }
    return status < 0 ? status : count;
}

int probe_run(probe *p, model *net, const tokenizer *tok, const char *text, size_t bytes,
              bool gradients, gpt_error *error) {
    probe_close(p);
    int status = read_tokens(p, net, tok, text, bytes, error);
    return run(p, net, gradients, status, error);
}

int probe_run_ids(probe *p, model *net, const int32_t *ids, int count, bool gradients,
                  gpt_error *error) {
    probe_close(p);
    int status = copy_ids(p, net, ids, count, error);
    return run(p, net, gradients, status, error);
}

void probe_close(probe *p) {
    tape_close(&p->work);
    arena_close(&p->memory);
    free(p->ids);
    free(p->targets);
    memset(p, 0, sizeof *p);
}

int probe_json(const probe *p, char *out, size_t capacity, gpt_error *error) {
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "[");
    tape_entry e;
    for (int i = 0; (e = tape_entry_at(&p->work, i)).value; i++) {
        text_put(&buffer, i ? ",{" : "{");
        tape_put_entry(&buffer, e);
        text_put(&buffer, "}");
    }
    text_put(&buffer, "]");
    return text_answer(&buffer, error);
}
