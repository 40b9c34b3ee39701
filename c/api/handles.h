/* handles.h - definitions of the opaque handles of gpt.h, and functions that several files of c/api
 * share. Private to c/api. */
#ifndef GLASSHOUSE_HANDLES_H
#define GLASSHOUSE_HANDLES_H

#include "api/gpt.h"
#include "infer/probe.h"
#include "infer/sampler.h"
#include "train/trainer.h"
#include "train/base_rate.h"
#include "train/baselines.h"

/* Limit of the size of a text: a larger text leaves little memory for its tokens in a WebAssembly
 * module of 4 GB. */
#define TEXT_BYTES_MAX ((size_t)512 << 20)

struct gpt_config {
    config options;
    bpe_source bpe_vocab; /* BPE vocabulary set by the caller, or learned last; zeroed if none */
    uint64_t memory_limit;
    /* Rows of the token table that an imported config.json or raw form states; 0 without such a
     * file. */
    int rows;
    const char *kind; /* kind of text found by gpt_config_fit; NULL before that call */
    gpt_error error;
};

struct gpt_sampler {
    sampler sampler;
    gpt_trainer *trainer; /* borrowed, with its model, tape, random stream and error record */
    gpt_sampler *next;    /* owned: the trainer's next sampler, or NULL */
    rng closing;          /* copy of the run's random stream, for texts with a negative seed */
    bool has_closing;     /* false: the next text with a negative seed makes a new copy */
};

struct gpt_trainer {
    trainer run;
    gpt_sampler own; /* sampler of gpt_sample; head of the list of all samplers */
    probe probe;
    gpt_error error;
};

struct gpt_trace {
    training_index index;
    baselines scores;
    bool scoring; /* `scores` is open */
    base_rate base;
    bool measuring; /* `base` is open */
    gpt_error error;
};

/* Ends the texts of all samplers of a trainer whose weights were replaced. */
void handle_end_samples(gpt_trainer *t);

/* Checks the sampling setting `name` against gpt_sampling_limit; NaN fails. Errors: GPT_E_RANGE. */
int handle_check_limit(const char *name, double value, gpt_error *error);

/* Returns GPT_OK if the index of the trace is complete, otherwise GPT_E_STATE; GPT_E_ARGUMENT for
 * NULL. */
int handle_check_trace(gpt_trace *t);

/* Returns the index of `name` (may be NULL) among `count` names, or -1. */
int handle_find(const char *const *names, int count, const char *name);

/* handle_error_json writes `error` as the JSON of gpt_config_error, handle_message as the sentence
 * of gpt_config_message. Errors: GPT_E_CAPACITY; GPT_E_ARGUMENT if `error` is NULL. */
int handle_error_json(const gpt_error *error, char *out, size_t capacity);
int handle_message(const gpt_error *error, char *out, size_t capacity);

/* Checks a training text. Errors: GPT_E_ARGUMENT (NULL with a length), GPT_E_EMPTY,
 * GPT_E_TEXT_SIZE. */
int handle_check_text(const char *text, size_t bytes, gpt_error *error);

/* Creates the trainer that `from` describes and measures its memory, but does not allocate the
 * model: the trainer may only be passed to handle_build or gpt_trainer_free. NULL on failure,
 * recorded in `config`; errors as gpt_trainer_create and, for a vocabulary from a file,
 * GPT_E_CHARACTER and GPT_E_VOCABULARY_SIZE. */
gpt_trainer *handle_measure(gpt_config *config, const trainer_source *from);

/* Allocates and initializes a trainer that handle_measure returned for the same `from`, within the
 * memory limit of `config`. Returns `measured`; on failure frees it and returns NULL, with the
 * failure in `config`. */
gpt_trainer *handle_build(gpt_config *config, gpt_trainer *measured, const trainer_source *from);

/* Returns the count of tokens in the training part. NaN for documents with a held-out part: the
 * count then depends on the shuffled order. */
double handle_train_tokens(const dataset *d);

/* Writes the JSON of gpt_plan_json for a trainer that `from` describes. */
int handle_plan_json(gpt_config *config, const trainer_source *from, char *out, size_t capacity);

#endif
