/* gpt_training.c - steps, losses and the state of a run. See the section Training of gpt.h. */
#include "api/handles.h"
#include "train/memorising.h"

#include <string.h>

/* Discards the samplers' copies of the run's random stream. A text with a negative seed, which
 * means "draw from a copy of the run's stream" (gpt_sample), then makes a new copy. */
static void end_closing(gpt_trainer *t) {
    for (gpt_sampler *s = &t->own; s; s = s->next) {
        s->has_closing = false;
    }
}

int gpt_step(gpt_trainer *t) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    end_closing(t);
    return trainer_step(&t->run, &t->error);
}

double gpt_loss(const gpt_trainer *t) {
    return t ? t->run.state.loss : __builtin_nan("");
}

const float *gpt_losses(const gpt_trainer *t) {
    return t ? t->run.losses : NULL;
}

double gpt_learning_rate(const gpt_trainer *t) {
    return t ? t->run.state.rate : __builtin_nan("");
}

double gpt_gradient_norm(const gpt_trainer *t) {
    return t ? t->run.state.gradient_norm : __builtin_nan("");
}

double gpt_validate(gpt_trainer *t, int windows) {
    return t ? trainer_validate(&t->run, windows) : __builtin_nan("");
}

double gpt_memorised(gpt_trainer *t, int held_out) {
    return t ? memorising_share(&t->run, held_out) : __builtin_nan("");
}

int gpt_held_out_text(const gpt_trainer *t, char *out, size_t capacity) {
    if (!t || (!out && capacity)) {
        return GPT_E_ARGUMENT;
    }
    // Limits the returned count to the range of int.
    size_t most = capacity < TEXT_BYTES_MAX ? capacity : TEXT_BYTES_MAX;
    return (int)dataset_held_out_text(&t->run.data, (unsigned char *)out, most);
}

void handle_end_samples(gpt_trainer *t) {
    end_closing(t);
    for (gpt_sampler *s = &t->own; s; s = s->next) {
        s->sampler.begun = false;
    }
}

int gpt_rewind(gpt_trainer *t) {
    if (!t) {
        return GPT_E_ARGUMENT;
    }
    int status = trainer_rewind(&t->run, &t->error);
    if (status == GPT_OK) {
        handle_end_samples(t);
    }
    return status;
}

int gpt_trainer_set(gpt_trainer *t, const char *option, double value) {
    return t ? trainer_set(&t->run, option, value, &t->error) : GPT_E_ARGUMENT;
}

double gpt_trainer_get(const gpt_trainer *t, const char *name) {
    if (!t || !name) {
        return __builtin_nan("");
    }
    const trainer *run = &t->run;
    uint64_t held = run->persist.capacity + run->step_memory.capacity + t->probe.memory.capacity;
    uint64_t peak = run->persist.peak + run->step_memory.peak + t->probe.memory.peak;
    for (const gpt_sampler *s = &t->own; s; s = s->next) {
        held += s->sampler.memory.capacity;
        peak += s->sampler.memory.peak;
    }
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"step", (double)run->state.step},
        {"lr_now", run->state.rate},
        {"grad_norm", run->state.gradient_norm},
        {"vocab", run->data.tokenizer.vocab},
        {"parameters", (double)run->net.weights},
        {"documents", (double)run->data.document_count},
        {"train_tokens", handle_train_tokens(&run->data)},
        {"validation_tokens", (double)run->data.token_count - handle_train_tokens(&run->data)},
        {"validation_windows", trainer_validation_windows(run)},
        {"tokens_seen", (double)run->state.tokens_seen},
        {"memory_bytes", (double)held},
        {"memory_peak", (double)peak},
        {"bos", run->data.tokenizer.bos},
        {"cut_documents", (double)run->data.cut_documents},
        {"cut_tokens", (double)run->data.cut_tokens},
        {"left_out", (double)dataset_left_out(&run->data)},
        {"loss_count", (double)run->state.loss_count},
        {"loss_stride", (double)run->state.loss_stride},
        {"generates_only", run->frozen},
        {"merges", run->data.tokenizer.bpe.merges},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) == 0) {
            return numbers[i].value;
        }
    }
    if (strcmp(name, "train_tokens_per_character") == 0) {
        return dataset_tokens_per_character(&run->data, false);
    }
    if (strcmp(name, "validation_tokens_per_character") == 0) {
        return dataset_tokens_per_character(&run->data, true);
    }
    if (strcmp(name, "train_prompts") == 0) {
        return memorising_prompts(run, false).count;
    }
    if (strcmp(name, "held_out_prompts") == 0) {
        return memorising_prompts(run, true).count;
    }
    if (strcmp(name, "prompt_tokens") == 0) {
        return memorising_prompt_tokens(run);
    }
    int option = config_find(name);
    return option >= 0 ? run->net.options.value[option] : __builtin_nan("");
}
