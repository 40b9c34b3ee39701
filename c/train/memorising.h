/* memorising.h - measures how much of its text a model reproduces word for word.
 *
 * After Carlini et al., "Quantifying Memorization Across Neural Language Models" (2023): a text is
 * memorised if greedy decoding (which always chooses the most probable token) after its beginning
 * (the prompt) returns its end (the continuation). In a stream, prompt and continuation have
 * PROMPT_TOKENS tokens each, fewer if the context is too short. With documents, the text is one
 * document with its final BOS, cut at 2 PROMPT_TOKENS tokens and at the context; the prompt is the
 * first half of this text. Invariant: the prompts are the same at every step of a run.
 */
#ifndef GLASSHOUSE_MEMORISING_H
#define GLASSHOUSE_MEMORISING_H

#include "train/trainer.h"

enum { PROMPTS_MAX = 32, PROMPT_TOKENS = 8 };

/* The places where prompts begin: positions in the shuffled order of documents, or indices of
 * tokens of a stream. */
typedef struct prompt_list {
    uint64_t begin[PROMPTS_MAX];
    /* Number of prompts; 0 if the text is too short, or if every drawn prompt contains left-out
     * text. */
    int count;
} prompt_list;

/* Draws prompts from the held-out part of the text if `held_out`, otherwise from the training part.
 * Divides the part into PROMPTS_MAX equal sections, or fewer if fewer different prompts are
 * possible, and draws one prompt from each section. The draws come from a separate random stream
 * with the seed of the run. Training prompts contain no left-out text (which training never reads):
 * a section has no prompt if DRAWS_MAX draws from it all contain left-out text. */
prompt_list memorising_prompts(const trainer *t, bool held_out);

/* Maximal length of a prompt in tokens, without BOS: PROMPT_TOKENS, or less if the context is too
 * short for a prompt and its continuation. */
int memorising_prompt_tokens(const trainer *t);

/* Fills a batch with prompts and their continuations, from number `first` of the list on (counted
 * from 0), until buffers of `capacity` tokens are full. Only tokens of continuations are targets;
 * the targets in prompts are NO_TARGET. The value of b->targets_count is meaningless afterwards. */
void memorising_batch(const trainer *t, const prompt_list *prompts, int first, int capacity,
                      batch *b);

/* The share, 0 to 1, of the prompts of memorising_prompts after which greedy decoding with the
 * present weights returns the whole continuation. Does not decode: a forward pass over the true
 * tokens is enough, because decoding differs from the text exactly if, somewhere in the
 * continuation, the true token is not the most probable one after the true tokens before it. NaN if
 * there are no prompts. Overwrites the buffers of t->training, but no number that later training
 * steps depend on. */
double memorising_share(trainer *t, bool held_out);

#endif
