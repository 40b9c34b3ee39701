/* probe.h - runs one sequence through the model and keeps every tensor, for viewers.
 *
 * Runs the forward pass of training and, on request, the backward pass, in an arena of its own: the
 * tensors stay valid while training continues. Invariant: a probe writes nothing that training
 * reads. A backward pass overwrites the gradients of the parameters, but every training step
 * computes them again.
 */
#ifndef GLASSHOUSE_PROBE_H
#define GLASSHOUSE_PROBE_H

#include "model/model.h"
#include "text/tokenizer.h"

typedef struct probe {
    arena memory;
    tape work;              /* the tensors of the pass, allocated in `memory` */
    int32_t *ids, *targets; /* arrays of `count` token ids; owned (malloc) */
    int count;              /* number of input tokens; 0: the probe is empty */
} probe;

/* Runs the model on `text`, which BOS precedes if sequences are documents; with `gradients`, also
 * runs the backward pass. Frees the tensors of the previous call; `p` must be zeroed before the
 * first call. The target of each token is the next token; the target of the last token is BOS for
 * documents, else NO_TARGET. Returns the number of input tokens. Errors: GPT_E_EMPTY, GPT_E_LONG
 * (more tokens than the context), GPT_E_CHARACTER, GPT_E_NOT_FINITE, GPT_E_ALLOCATION; after an
 * error the probe is empty. */
int probe_run(probe *p, model *net, const tokenizer *tok, const char *text, size_t bytes,
              bool gradients, gpt_error *error);

/* Like probe_run, but runs `count` token ids: the first count - 1 ids are inputs, and the target of
 * each is the id after it. Errors: GPT_E_EMPTY if `count` < 2, GPT_E_ARGUMENT for an id outside the
 * vocabulary. */
int probe_run_ids(probe *p, model *net, const int32_t *ids, int count, bool gradients,
                  gpt_error *error);

/* Frees all memory of the probe and empties it. A zeroed probe may be closed. */
void probe_close(probe *p);

/* Writes all tensors to `out` (`capacity` bytes) as the JSON of gpt_probe_json (api/gpt.h),
 * NUL-terminated. Returns the length without the NUL. Errors: GPT_E_CAPACITY. */
int probe_json(const probe *p, char *out, size_t capacity, gpt_error *error);

#endif
