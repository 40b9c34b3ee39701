/* probe.h - runs one sequence through the model and keeps every tensor, for viewers.
 *
 * Runs the forward pass of training and, on request, its backward pass, in an arena of its own: the
 * tensors stay valid while training continues. Invariant: a probe writes nothing that training
 * reads. Its backward pass overwrites the gradients of the parameters, which every step computes
 * again.
 */
#ifndef GLASSHOUSE_PROBE_H
#define GLASSHOUSE_PROBE_H

#include "model/model.h"
#include "text/tokenizer.h"

typedef struct probe {
    arena memory;
    tape work;              /* over memory: the tensors of the pass */
    int32_t *ids, *targets; /* (count); owns (malloc) */
    int count;              /* input tokens; 0: empty */
} probe;

/* Runs `text`, after BOS if sequences are documents, and replaces the last sequence; `p` must be
 * zeroed before the first one. The last target is BOS for documents, else NO_TARGET. `gradients`:
 * runs the backward pass too. Returns the number of input tokens. GPT_E_EMPTY, GPT_E_LONG (more
 * tokens than the context), GPT_E_CHARACTER, GPT_E_NOT_FINITE, GPT_E_ALLOCATION; the probe is empty
 * then. */
int probe_run(probe *p, model *net, const tokenizer *tok, const char *text, size_t bytes,
              bool gradients, gpt_error *error);

/* Runs the tokens `ids` (count) as probe_run runs a text: the first count - 1 are inputs, and each
 * token is the target of the token before it. GPT_E_EMPTY if `count` < 2, GPT_E_ARGUMENT for an id
 * outside the vocabulary. */
int probe_run_ids(probe *p, model *net, const int32_t *ids, int count, bool gradients,
                  gpt_error *error);

/* Frees all memory of the probe and empties it. A zeroed probe may be closed. */
void probe_close(probe *p);

/* Writes all tensors as JSON, see gpt_probe_json. Returns the length or GPT_E_CAPACITY. */
int probe_json(const probe *p, char *out, size_t capacity, gpt_error *error);

#endif
