/* handles.h - what the opaque handles of gpt.h are; private to c/api. */
#ifndef GLASSHOUSE_HANDLES_H
#define GLASSHOUSE_HANDLES_H

#include "api/gpt.h"
#include "infer/probe.h"
#include "infer/sampler.h"
#include "train/trainer.h"
#include "train/base_rate.h"
#include "train/baselines.h"

/* More text than this leaves a module of 4 GB little room beside its tokens. */
#define TEXT_BYTES_MAX ((size_t)512 << 20)

struct gpt_config {
    config options;
    bpe_source source; /* the BPE vocabulary that was given or last learned */
    uint64_t memory_limit;
    int vocab;        /* tokens that an imported config.json speaks of; 0: none */
    const char *kind; /* of text, as gpt_config_fit found it; NULL: it was not called */
    gpt_error error;
};

struct gpt_sampler {
    sampler sampler;
    gpt_trainer *trainer; /* borrows: its model, its run's stream, its last failure */
    gpt_sampler *next;    /* of the same trainer; owns */
    rng closing; /* the run's stream as this sampler's texts have moved it on since the last step */
    bool has_closing;
};

struct gpt_trainer {
    trainer run;
    gpt_sampler own; /* of gpt_sample; the others follow it */
    probe probe;
    gpt_error error;
};

struct gpt_trace {
    training_index index;
    baselines scores;
    bool scoring; /* `scores` has begun */
    base_rate base;
    bool measuring; /* `base` has begun */
    gpt_error error;
};

/* What the trainer's samplers have begun is of weights that are gone. */
void handle_end_samples(gpt_trainer *t);

/* GPT_OK if a setting of sampling is within gpt_sampling_limit. GPT_E_RANGE. */
int handle_check_limit(const char *name, double value, gpt_error *error);

/* GPT_OK for a trace whose index is ready. */
int handle_check_trace(gpt_trace *t);

/* Where `name` (may be NULL) is among `count` names, or -1. */
int handle_find(const char *const *names, int count, const char *name);

/* Writes a failure as gpt_config_error and gpt_config_message do. GPT_E_CAPACITY; GPT_E_ARGUMENT for
 * NULL. */
int handle_error_json(const gpt_error *error, char *out, size_t capacity);
int handle_message(const gpt_error *error, char *out, size_t capacity);

/* GPT_OK for a text that can be learned from. */
int handle_check_text(const char *text, size_t bytes, gpt_error *error);

/* A trainer that is measured and not built: only handle_build and gpt_trainer_free may follow. NULL
 * with the reason in config->error. */
gpt_trainer *handle_measure(gpt_config *config, const trainer_source *from);

/* Builds a measured trainer from the same source, within the recipe's memory limit; NULL with the
 * reason in config->error, and the trainer is freed. */
gpt_trainer *handle_build(gpt_config *config, gpt_trainer *measured, const trainer_source *from);

/* Tokens to train on; a held-out share of documents is known only once they are shuffled: NaN. */
double handle_train_tokens(const dataset *d);

/* The plan of a source as JSON, see gpt_plan_json. */
int handle_plan_json(gpt_config *config, const trainer_source *from, char *out, size_t capacity);

#endif
