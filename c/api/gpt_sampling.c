/* gpt_sampling.c - samplers of a trainer. See the section Sampling of gpt.h. */
#include "api/handles.h"

#include <stdlib.h>
#include <string.h>
#include "base/text_buffer.h"

gpt_sampler *gpt_trainer_sampler(gpt_trainer *t) {
    return t ? &t->own : NULL;
}

gpt_sampler *gpt_sampler_create(gpt_trainer *t) {
    if (!t) {
        return NULL;
    }
    gpt_sampler *s = calloc(1, sizeof *s);
    if (!s) {
        gpt_fail_allocation(&t->error, sizeof *s);
        return NULL;
    }
    if (sampler_open(&s->sampler, &t->run.net, &t->run.data.tokenizer, &t->run.work, &t->error) <
        0) {
        sampler_close(&s->sampler);
        free(s);
        return NULL;
    }
    s->trainer = t;
    s->next = t->own.next;
    t->own.next = s;
    return s;
}

void gpt_sampler_free(gpt_sampler *s) {
    if (!s || s == &s->trainer->own) {
        return;
    }
    gpt_sampler *before = &s->trainer->own;
    while (before->next != s) {
        before = before->next;
    }
    before->next = s->next;
    sampler_close(&s->sampler);
    free(s);
}

static const struct {
    const char *name;
    double lowest, highest;
} SAMPLING[] = {{"temperature", 0, 100},
                {"top_k", 0, 65536},
                {"top_p", 1e-6, 1},
                {"max_tokens", 1, SAMPLE_BYTES_MAX},
                {"seed", 0, CONFIG_WHOLE_MAX}};

double gpt_sampling_limit(const char *name, int highest) {
    for (size_t i = 0; name && i < sizeof SAMPLING / sizeof *SAMPLING; i++) {
        if (strcmp(name, SAMPLING[i].name) == 0) {
            return highest ? SAMPLING[i].highest : SAMPLING[i].lowest;
        }
    }
    return __builtin_nan("");
}

int handle_check_limit(const char *name, double value, gpt_error *error) {
    double low = gpt_sampling_limit(name, 0), high = gpt_sampling_limit(name, 1);
    return value >= low && value <= high ? GPT_OK
                                         : gpt_fail(error, GPT_E_RANGE, name, value, low, high);
}

int gpt_sample_begin(gpt_sampler *s, const char *prompt, size_t prompt_bytes, double temperature,
                     int top_k, double top_p, double seed) {
    if (!s) {
        return GPT_E_ARGUMENT;
    }
    gpt_trainer *t = s->trainer;
    if (!prompt && prompt_bytes) {
        return gpt_fail_name(&t->error, GPT_E_ARGUMENT, "prompt");
    }
    int status = handle_check_limit("temperature", temperature, &t->error);
    status = status < 0 ? status : handle_check_limit("top_k", top_k, &t->error);
    status = status < 0 ? status : handle_check_limit("top_p", top_p, &t->error);
    status = status < 0 || seed < 0 ? status : handle_check_limit("seed", seed, &t->error);
    if (status < 0) {
        return status;
    }
    sample_options options = {(float)temperature, top_k, (float)top_p};
    // Below 1e-6 the distribution is practically greedy, and 1 / temperature could overflow.
    if (options.temperature < 1e-6f) {
        options.temperature = 0.0f;
    }
    if (seed < 0 && !s->has_closing) {
        s->closing = t->run.state.stream; // a copy: draws do not change the training run
        s->has_closing = true;
    }
    return sampler_begin(&s->sampler, prompt, prompt_bytes, options, seed < 0 ? &s->closing : NULL,
                         seed < 0 ? 0 : (uint64_t)seed, &t->error);
}

int gpt_sample_next(gpt_sampler *s) {
    return s ? sampler_next(&s->sampler, &s->trainer->error) : GPT_E_ARGUMENT;
}

int gpt_sample_take(gpt_sampler *s, int id) {
    return s ? sampler_append(&s->sampler, id, &s->trainer->error) : GPT_E_ARGUMENT;
}

double gpt_sample_uniform(const gpt_sampler *s) {
    return s && s->sampler.begun ? s->sampler.uniform : __builtin_nan("");
}

int gpt_sample_skip(gpt_sampler *s, int draws) {
    return s ? sampler_skip(&s->sampler, draws, &s->trainer->error) : GPT_E_ARGUMENT;
}

int gpt_sample_reread(gpt_sampler *s) {
    return s ? sampler_reread(&s->sampler, &s->trainer->error) : GPT_E_ARGUMENT;
}

int gpt_sample_rows(const gpt_sampler *s) {
    return s ? s->sampler.cache.length : GPT_E_ARGUMENT;
}

const int32_t *gpt_sample_context(const gpt_sampler *s) {
    return s && s->sampler.begun ? s->sampler.window : NULL;
}

int gpt_sample_ended(const gpt_sampler *s) {
    return s ? (int)s->sampler.ended : GPT_E_ARGUMENT;
}

int gpt_sample_text(gpt_sampler *s, char *out, size_t capacity) {
    if (!s || !out) {
        return gpt_fail_name(s ? &s->trainer->error : NULL, GPT_E_ARGUMENT, "out");
    }
    return sampler_text(&s->sampler, out, capacity, &s->trainer->error);
}

int gpt_sample_bytes(gpt_sampler *s, char *out, size_t capacity) {
    if (!s || !out) {
        return gpt_fail_name(s ? &s->trainer->error : NULL, GPT_E_ARGUMENT, "out");
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put_bytes(&buffer, (const char *)s->sampler.bytes, s->sampler.byte_count);
    return text_answer(&buffer, &s->trainer->error);
}

const float *gpt_sample_probabilities(gpt_sampler *s, int adjusted) {
    if (!s || !s->sampler.begun) {
        return NULL;
    }
    return adjusted ? s->sampler.distribution : s->sampler.probabilities;
}

int gpt_sample_refills(const gpt_sampler *s) {
    return s ? s->sampler.refills : GPT_E_ARGUMENT;
}

int gpt_sample(gpt_trainer *t, const char *prompt, size_t prompt_bytes, int max_tokens,
               double temperature, int top_k, double top_p, double seed, char *out,
               size_t capacity) {
    gpt_sampler *s = gpt_trainer_sampler(t);
    int status = s ? handle_check_limit("max_tokens", max_tokens, &t->error) : GPT_E_ARGUMENT;
    if (status == GPT_OK) {
        status = gpt_sample_begin(s, prompt, prompt_bytes, temperature, top_k, top_p, seed);
    }
    for (int i = 0; status >= 0 && i < max_tokens && !s->sampler.ended; i++) {
        status = gpt_sample_next(s);
    }
    return status < 0 ? status : gpt_sample_text(s, out, capacity);
}
