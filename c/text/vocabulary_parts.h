/* vocabulary_parts.h - locates the tokens and the merges of a BPE vocabulary in its files.
 *
 * Distinguishes a tokenizer.json, which contains the whole vocabulary, from vocab.json with
 * merges.txt and added_tokens.json. Rejects, by name, rules of a tokenizer.json that differ from
 * GPT-2's. Invariant: the parts point into the files; nothing is copied.
 */
#ifndef GLASSHOUSE_VOCABULARY_PARTS_H
#define GLASSHOUSE_VOCABULARY_PARTS_H

#include "text/bpe_files.h"

/* A list of tokens with their ids. */
typedef struct token_list {
    const char *file, *text; /* file name for errors; the JSON of the list */
    size_t bytes, offset;    /* size of this JSON and its offset in the file */
    bool plain;              /* tokens are plain text, not in the byte alphabet of bpe.h */
} token_list;

/* The parts of a vocabulary: its lists of tokens and its merges. Borrows the files. */
typedef struct vocabulary_parts {
    token_list tokens[2]; /* [0]: ordinary tokens; [1]: added tokens, 0 bytes if absent */
    const char *merges;
    size_t merges_bytes;
    bool merges_listed; /* the merges are a JSON array, as in tokenizer.json */
} vocabulary_parts;

/* Finds the lists of tokens and the merges in the files `from`. Errors: GPT_E_BPE_JSON if a
 * tokenizer.json is damaged, GPT_E_UNSUPPORTED if it has a rule that GPT-2 does not have,
 * GPT_E_ARGUMENT for a vocab.json without merges. */
int vocabulary_parts_find(vocabulary_parts *parts, const bpe_texts *from, gpt_error *error);

#endif
