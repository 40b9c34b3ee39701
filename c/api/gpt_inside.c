/* gpt_inside.c - probes and parameters. See the section Looking inside of gpt.h. */
#include "api/handles.h"

#include "base/text_buffer.h"
#include "model/architecture.h"

int gpt_probe(gpt_trainer *t, const char *text, size_t bytes, int gradients) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (!text && bytes) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "text");
    }
    if (gradients && t->run.frozen) {
        return gpt_fail_name(&t->error, GPT_E_NO_TEXT, "");
    }
    return probe_run(&t->probe, &t->run.net, &t->run.data.tokenizer, text, bytes, gradients != 0,
                     &t->error);
}

int gpt_probe_ids(gpt_trainer *t, const int32_t *ids, int count, int gradients) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (!ids && count > 0) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "ids");
    }
    if (gradients && t->run.frozen) {
        return gpt_fail_name(&t->error, GPT_E_NO_TEXT, "");
    }
    return probe_run_ids(&t->probe, &t->run.net, ids, count, gradients != 0, &t->error);
}

const int32_t *gpt_probe_tokens(gpt_trainer *t) {
    return t ? t->probe.ids : NULL;
}

int gpt_probe_json(gpt_trainer *t, char *out, size_t capacity) {
    return t ? probe_json(&t->probe, out, capacity, &t->error) : GPT_E_ARGUMENT;
}

const float *gpt_probe_data(gpt_trainer *t, int index) {
    const tensor *value = t && index >= 0 ? tape_entry_at(&t->probe.work, index).value : NULL;
    return value ? value->data : NULL;
}

const float *gpt_probe_grad(gpt_trainer *t, int index) {
    const tensor *value = t && index >= 0 ? tape_entry_at(&t->probe.work, index).value : NULL;
    return value ? value->grad : NULL;
}

const float *gpt_parameter_data(gpt_trainer *t, int index) {
    return t && index >= 0 && index < t->run.net.count ? t->run.net.params[index].value.data : NULL;
}

const float *gpt_parameter_grad(gpt_trainer *t, int index) {
    return t && index >= 0 && index < t->run.net.count ? t->run.net.params[index].value.grad : NULL;
}

int gpt_parameters_json(gpt_trainer *t, char *out, size_t capacity) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put(&buffer, "[");
    for (int i = 0; i < t->run.net.count; i++) {
        text_put(&buffer, i ? ",{" : "{");
        model_put_parameter(&buffer, &t->run.net.params[i]);
        text_put(&buffer, "}");
    }
    text_put(&buffer, "]");
    return text_answer(&buffer, &t->error);
}

int gpt_architecture_json(gpt_config *c, int vocab, char *out, size_t capacity) {
    if (!c) {
        return GPT_E_ARGUMENT;
    }
    if (vocab < 1) {
        return gpt_fail_name(&c->error, GPT_E_ARGUMENT, "vocab");
    }
    int status = config_check(&c->options, &c->error);
    return status < 0 ? status : architecture_json(&c->options, vocab, out, capacity, &c->error);
}
