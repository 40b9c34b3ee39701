/* probe.h - one sequence through the model with everything kept, for people to look at.
 *
 * Owns: an arena of its own, so that what it shows stays valid while training goes on. It runs the
 * same forward (and, asked to, backward) as training, and writes nothing that training reads: the
 * parameters' gradients are set anew by every step.
 */
#ifndef GLASSHOUSE_PROBE_H
#define GLASSHOUSE_PROBE_H

#include "model/model.h"
#include "text/tokenizer.h"

typedef struct probe {
    arena memory;
    tape work;
    int32_t *ids, *targets; /* (count) */
    int count;
} probe;

/* Runs `text` (after BOS where sequences are documents); replaces what the probe held. Returns the
 * count of input tokens. GPT_E_EMPTY, GPT_E_LONG, GPT_E_CHARACTER, GPT_E_ALLOCATION. */
int probe_run(probe *p, model *net, const tokenizer *tok, const char *text, size_t bytes,
              bool gradients, gpt_error *error);

/* The same for `count` ids, each of which is the target of the one before: the first count - 1
 * are the input tokens, whose number is returned. GPT_E_ARGUMENT for an id that there is not,
 * GPT_E_EMPTY, GPT_E_LONG, GPT_E_ALLOCATION. */
int probe_run_ids(probe *p, model *net, const int32_t *ids, int count, bool gradients,
                  gpt_error *error);

/* Gives everything back. A zeroed probe may be closed. */
void probe_close(probe *p);

/* All entries as JSON; see gpt_probe_json. */
int probe_json(const probe *p, char *out, size_t capacity, gpt_error *error);

#endif
