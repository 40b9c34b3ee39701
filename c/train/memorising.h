/* memorising.h - measures how much of its text a model reproduces word for word.
 *
 * After Carlini et al., "Quantifying Memorization Across Neural Language Models" (2023): a text is
 * memorised if greedy decoding after its beginning (the prompt) returns its end (the continuation).
 * Stream: PROMPT_TOKENS tokens and the next PROMPT_TOKENS, fewer if the context is shorter.
 * Document: its tokens and its final BOS, cut at 2 PROMPT_TOKENS and at the context; the prompt is
 * the first half. Invariant: the prompts are the same at every step of a run.
 */
#ifndef GLASSHOUSE_MEMORISING_H
#define GLASSHOUSE_MEMORISING_H

#include "train/trainer.h"

enum { PROMPTS_MAX = 32, PROMPT_TOKENS = 8 };

/* Beginnings of prompts: positions in the shuffled order of documents, or tokens of the stream. */
typedef struct prompt_list {
    uint64_t begin[PROMPTS_MAX];
    int count; /* 0 if that part of the text is too short or left out */
} prompt_list;

/* Draws prompts from the training or the held-out part: one from each of PROMPTS_MAX equal
 * sections, or every possible prompt if these are fewer. Draws from a random stream of its own,
 * seeded with the seed of the run. Training prompts contain no left-out text: a section where
 * DRAWS_MAX draws all do is skipped. */
prompt_list memorising_prompts(const trainer *t, bool held_out);

/* The longest prompt in tokens, without BOS: PROMPT_TOKENS or half of the context. */
int memorising_prompt_tokens(const trainer *t);

/* Fills a batch, whose buffers hold `capacity` tokens, with prompts and their continuations, from
 * prompt `first` on, until the buffers are full. Only tokens of continuations are targets, the
 * others are NO_TARGET. The value of b->targets_count is meaningless afterwards. */
void memorising_batch(const trainer *t, const prompt_list *prompts, int first, int capacity,
                      batch *b);

/* The share of these prompts, 0 to 1, whose whole continuation greedy decoding returns with the
 * present weights. One forward pass over the true tokens is enough: decoding differs from the text
 * exactly if, somewhere in the continuation, the true token is not the most probable one after the
 * true tokens before it. NaN without prompts. Overwrites t->training, but no number of the run. */
double memorising_share(trainer *t, bool held_out);

#endif
