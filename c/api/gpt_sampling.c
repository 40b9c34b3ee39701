/* gpt_sampling.c - writing on from a prompt, token by token: the part Sampling of gpt.h. */
#include "api/handles.h"

#ifndef GPT_REAL_DOUBLE // the contract speaks of float

#include <string.h>
#include "base/text_buffer.h"

int gpt_sample_voice(gpt_trainer *t, int voice) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (voice != 0 && voice != 1) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "voice", 0, 0, 0);
    }
    sampler *chosen = &t->voices[voice];
    if (!chosen->net) {
        int status = sampler_open(chosen, &t->run.net, &t->run.data.words, &t->run.work, &t->error);
        if (status < 0) {
            sampler_close(chosen);
            return status;
        }
    }
    t->voice = chosen;
    return GPT_OK;
}

int gpt_sample_release(gpt_trainer *t) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    t->voice = &t->voices[0];
    sampler_close(&t->voices[1]);
    return GPT_OK;
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

/* GPT_E_RANGE for a value beyond its limits, and for one that is no number. */
static int check_limit(gpt_trainer *t, const char *name, double value) {
    double low = gpt_sampling_limit(name, 0), high = gpt_sampling_limit(name, 1);
    return value >= low && value <= high ? GPT_OK
                                         : gpt_fail(&t->error, GPT_E_RANGE, name, value, low, high);
}

int gpt_sample_begin(gpt_trainer *t, const char *prompt, size_t prompt_bytes, double temperature,
                     int top_k, double top_p, double seed) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    if (!prompt && prompt_bytes) {
        return gpt_fail(&t->error, GPT_E_ARGUMENT, "prompt", 0, 0, 0);
    }
    int status = check_limit(t, "temperature", temperature);
    status = status < 0 ? status : check_limit(t, "top_k", top_k);
    status = status < 0 ? status : check_limit(t, "top_p", top_p);
    status = status < 0 || seed < 0 ? status : check_limit(t, "seed", seed);
    if (status < 0) {
        return status;
    }
    sample_options options = {(float)temperature, top_k, (float)top_p};
    // The smallest temperatures would overflow 1/temperature: they are greedy in all but name.
    if (options.temperature < 1e-6f) {
        options.temperature = 0.0f;
    }
    if (seed < 0 && !t->has_closing) {
        t->closing =
            t->run.state.stream; // a copy: what is drawn from it changes no later training loss
        t->has_closing = true;
    }
    return sampler_begin(t->voice, prompt, prompt_bytes, options, seed < 0 ? &t->closing : NULL,
                         seed < 0 ? 0 : (uint64_t)seed, &t->error);
}

int gpt_sample_next(gpt_trainer *t) {
    return t ? sampler_next(t->voice, &t->error) : GPT_E_ARGUMENT;
}

int gpt_sample_take(gpt_trainer *t, int id) {
    return t ? sampler_take(t->voice, id, &t->error) : GPT_E_ARGUMENT;
}

double gpt_sample_uniform(const gpt_trainer *t) {
    return t && t->voice->begun ? t->voice->uniform : __builtin_nan("");
}

int gpt_sample_skip(gpt_trainer *t, int draws) {
    return t ? sampler_skip(t->voice, draws, &t->error) : GPT_E_ARGUMENT;
}

int gpt_sample_reread(gpt_trainer *t) {
    return t ? sampler_reread(t->voice, &t->error) : GPT_E_ARGUMENT;
}

int gpt_sample_rows(const gpt_trainer *t) {
    return t ? t->voice->cache.length : GPT_E_ARGUMENT;
}

const int32_t *gpt_sample_context(const gpt_trainer *t) {
    return t && t->voice->begun ? t->voice->window : NULL;
}

int gpt_sample_ended(const gpt_trainer *t) {
    return t ? (int)t->voice->ended : GPT_E_ARGUMENT;
}

int gpt_sample_text(gpt_trainer *t, char *out, size_t capacity) {
    if (!t || !out) {
        return gpt_fail(t ? &t->error : NULL, GPT_E_ARGUMENT, "out", 0, 0, 0);
    }
    return sampler_text(t->voice, out, capacity, &t->error);
}

int gpt_sample_bytes(gpt_trainer *t, char *out, size_t capacity) {
    if (!t || !out) {
        return gpt_fail(t ? &t->error : NULL, GPT_E_ARGUMENT, "out", 0, 0, 0);
    }
    text_buffer buffer = text_begin(out, capacity);
    text_put_bytes(&buffer, (const char *)t->voice->bytes, t->voice->byte_count);
    return text_answer(&buffer, &t->error);
}

const float *gpt_sample_probabilities(gpt_trainer *t, int adjusted) {
    if (!t || !t->voice->begun) {
        return NULL;
    }
    return adjusted ? t->voice->distribution : t->voice->probabilities;
}

int gpt_sample_refills(const gpt_trainer *t) {
    return t ? t->voice->refills : GPT_E_ARGUMENT;
}

int gpt_sample(gpt_trainer *t, const char *prompt, size_t prompt_bytes, int max_tokens,
               double temperature, int top_k, double top_p, double seed, char *out,
               size_t capacity) {
    int status = gpt_sample_begin(t, prompt, prompt_bytes, temperature, top_k, top_p, seed);
    for (int i = 0; status >= 0 && i < max_tokens && !t->voice->ended; i++) {
        status = gpt_sample_next(t);
    }
    return status < 0 ? status : gpt_sample_text(t, out, capacity);
}

#endif
