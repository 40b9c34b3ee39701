/* memorising.h - measures how much of its text a model reproduces word for word.
 *
 * After Carlini et al., "Quantifying Memorization Across Neural Language Models" (2023): a text is
 * memorised if greedy decoding after its beginning (the prompt) returns its end (the continuation).
 * In a stream, prompt and continuation have PROMPT_TOKENS tokens each, fewer if the context is too
 * short. In documents, the text is one document with its final BOS, cut at 2 PROMPT_TOKENS tokens
 * and at the context; the prompt is the first half. Invariant: the prompts are the same at every
 * step of a run.
 */
#ifndef GLASSHOUSE_MEMORISING_H
#define GLASSHOUSE_MEMORISING_H

#include "train/trainer.h"

enum { PROMPTS_MAX = 32, PROMPT_TOKENS = 8 };

/* The beginnings of prompts: positions in the shuffled order of documents, or indices of tokens of
 * a stream. */
typedef struct prompt_list {
    uint64_t begin[PROMPTS_MAX];
    int count; /* number of prompts; 0 if the part of the text is too short or is left out */
} prompt_list;

/* Draws prompts from the held-out part of the text if `held_out`, otherwise from the training part.
 * Divides the part into PROMPTS_MAX equal sections, or into one for each possible prompt if there
 * are fewer than PROMPTS_MAX, and draws one prompt from each section. The draws come from a
 * separate random stream with the seed of the run. Training prompts contain no left-out text (which
 * training never reads): a section is skipped if DRAWS_MAX draws in it all contain left-out
 * text. */
prompt_list memorising_prompts(const trainer *t, bool held_out);

/* Maximal length of a prompt in tokens, without BOS: PROMPT_TOKENS, or less if the context is too
 * short for a prompt and its continuation. */
int memorising_prompt_tokens(const trainer *t);

/* Fills a batch with prompts and their continuations, from prompt `first` on, until buffers of
 * `capacity` tokens are full. Only tokens of continuations are targets; the targets in prompts are
 * NO_TARGET. The value of b->targets_count is meaningless afterwards. */
void memorising_batch(const trainer *t, const prompt_list *prompts, int first, int capacity,
                      batch *b);

/* The share, 0 to 1, of the prompts of memorising_prompts after which greedy decoding with the
 * present weights returns the whole continuation. Runs one forward pass over the true tokens,
 * because decoding differs from the text exactly if, somewhere in the continuation, the true token
 * is not the most probable one after the true tokens before it. NaN without prompts. Overwrites the
 * buffers t->training, but no number that the run depends on. */
double memorising_share(trainer *t, bool held_out);

#endif
