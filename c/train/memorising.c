/* memorising.c - see memorising.h. */
#include "train/memorising.h"

/* Maximal number of draws for the prompt of one section of the text. If all prompts drawn from a
 * section contain left-out text (which training never reads), the section is skipped. */
enum { DRAWS_MAX = 32 };

int memorising_prompt_tokens(const trainer *t) {
    // prompt and continuation must fit into a window of context + 1 tokens; the first token of a
    // document's window is BOS, which belongs to neither the prompt nor the continuation
    int most = (t->data.context + !t->data.documents) / 2;
    return most < PROMPT_TOKENS ? most : PROMPT_TOKENS;
}

prompt_list memorising_prompts(const trainer *t, bool held_out) {
    const dataset *d = &t->data;
    // the shuffled order: training documents, left-out documents (never read), held-out documents
    uint64_t from = held_out ? d->document_count - dataset_held_out(d) : 0;
    uint64_t end = held_out ? d->document_count : d->train_documents;
    if (!d->documents) {
        from = held_out ? d->train_tokens : 0;
        end = held_out ? d->token_count : d->train_tokens;
        uint64_t behind = 2 * (uint64_t)memorising_prompt_tokens(t) - 1;
        end = end - from > behind ? end - behind : from;
    }
    uint64_t places = end - from;
    uint64_t parts = places < PROMPTS_MAX ? places : PROMPTS_MAX;
    uint64_t length = 2 * (uint64_t)memorising_prompt_tokens(t);
    prompt_list list = {{0}, 0};
    rng stream = rng_from_mixed_seed((uint64_t)t->state.initial.value[OPT_SEED]);
    for (uint64_t i = 0; i < parts; i++) {
        uint64_t first = from + i * places / parts;
        uint64_t size = from + (i + 1) * places / parts - first;
        bool touches = true;
        for (int tries = 0; touches && tries < DRAWS_MAX; tries++) {
            uint64_t begin = first + (uint64_t)(rng_uniform(&stream) * (double)size);
            touches = !held_out && !d->documents &&
                      left_out_touches(&d->left_out, begin, begin + length);
            list.begin[list.count] = begin;
        }
        list.count += !touches;
    }
    return list;
}

/* Returns the number of targets of the prompt that begins at `begin` and of its continuation
 * together; sets *in_prompt to the number of targets in the prompt. */
static int targets_of(const trainer *t, uint64_t begin, int *in_prompt) {
    int tokens = memorising_prompt_tokens(t);
    if (!t->data.documents) {
        *in_prompt = tokens - 1;
        return 2 * tokens - 1;
    }
    int length = dataset_document_length(&t->data, begin);
    length = length < 2 * PROMPT_TOKENS ? length : 2 * PROMPT_TOKENS;
    *in_prompt = length / 2;
    return length;
}

void memorising_batch(const trainer *t, const prompt_list *prompts, int first, int capacity,
                      batch *b) {
    int in_prompt;
    b->B = b->T = b->targets_count = 0;
    for (int length; first + b->B < prompts->count; b->B++) {
        length = targets_of(t, prompts->begin[first + b->B], &in_prompt);
        length = length > b->T ? length : b->T;
        if ((b->B + 1) * length > capacity) {
            break;
        }
        b->T = length;
    }
    for (int row = 0; row < b->B; row++) {
        uint64_t begin = prompts->begin[first + row];
        dataset_sequence(&t->data, b, row, begin);
        (void)targets_of(t, begin, &in_prompt);
        for (int i = 0; i < in_prompt; i++) {
            b->targets[row * b->T + i] = NO_TARGET;
        }
    }
}

/* Whether greedy decoding would choose token `id` from the V logits of one position: its logit must
 * be the highest, and its id the lowest among equal logits; ids without a token are ignored. False
 * if a logit is NaN. */
static bool is_greedy_choice(const tokenizer *tok, const real *logits, int V, int id) {
    for (int other = 0; other < V; other++) {
        bool is_below = logits[other] < logits[id] || (other >= id && logits[other] == logits[id]);
        if (!is_below && !tokenizer_is_hole(tok, other)) {
            return false;
        }
    }
    return true;
}

double memorising_share(trainer *t, bool held_out) {
    prompt_list prompts = memorising_prompts(t, held_out);
    const config *c = &t->net.options;
    batch *b = &t->training;
    int V = t->net.vocab, continued = 0;
    for (int first = 0; first < prompts.count; first += b->B) {
        // the tape has memory for at most the tokens of a full training batch
        memorising_batch(t, &prompts, first, config_int(c, OPT_BATCH) * t->data.context, b);
        tape_rewind(&t->work, false);
        tensor *logits = model_forward(&t->net, &t->work, b->inputs, b->B, b->T, NULL);
        for (int row = 0; logits && row < b->B; row++) {
            bool same = true;
            for (int at = row * b->T; same && at < (row + 1) * b->T; at++) {
                same = b->targets[at] == NO_TARGET ||
                       is_greedy_choice(&t->data.tokenizer, logits->data + (size_t)at * (size_t)V,
                                        V, b->targets[at]);
            }
            continued += same;
        }
    }
    return (double)continued / prompts.count; // 0 / 0 is NaN
}
