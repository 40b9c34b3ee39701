/* memorising.h - how much of its text a model continues word for word.
 *
 * Owns: the prompts, which are the same at every step of a run, and what counts as continued. A
 * prompt of a stream is PROMPT_TOKENS tokens, its continuation the PROMPT_TOKENS tokens after them
 * (both shorter where the context holds fewer). A document, with the BOS that ends it, is cut at
 * 2 PROMPT_TOKENS tokens and at the context: its first half is the prompt, the other half the
 * continuation. After Carlini et al., "Quantifying Memorization Across Neural Language
 * Models" (2023): a text is memorised if greedy decoding from its beginning gives the rest of it.
 */
#ifndef GLASSHOUSE_MEMORISING_H
#define GLASSHOUSE_MEMORISING_H

#include "train/trainer.h"

enum { PROMPTS_MAX = 32, PROMPT_TOKENS = 8 };

/* Where prompts begin: documents of the shuffled order, or places of the stream. */
typedef struct prompt_list {
    uint64_t begin[PROMPTS_MAX];
    int count; /* 0 if that part of the text has none */
} prompt_list;

/* Draws the prompts of the training or the held-out part, each from its own of PROMPTS_MAX equal
 * parts (all of them if they are no more), from a stream of their own that the seed of the run
 * begins. None touches what is left out: a part of the text with hardly anything else has none. */
prompt_list memorising_prompts(const trainer *t, bool held_out);

/* The most tokens of a prompt, BOS not counted. */
int memorising_prompt_tokens(const trainer *t);

/* Fills a batch, which has room for `capacity` tokens, with as many prompts from number `first` on
 * as fit, and with what follows each; only tokens of the continuation are targets. */
void memorising_batch(const trainer *t, const prompt_list *prompts, int first, int capacity,
                      batch *b);

/* The share, from 0 to 1, of these prompts whose whole continuation greedy decoding gives now. One
 * pass over the true tokens tells: decoding leaves the text at the first token that is not the most
 * probable one after true tokens. NaN without prompts. Changes no number of the run. */
double memorising_share(trainer *t, bool held_out);

#endif
