/* vocabulary_parts.h - locates the tokens and the merges of a BPE vocabulary in its files.
 *
 * Owns: distinguishing a tokenizer.json, which contains everything, from vocab.json with merges.txt
 * and added_tokens.json; and rejecting, by name, rules of a tokenizer.json that differ from
 * GPT-2's. Invariant: the parts point into the files; nothing is copied.
 */
#ifndef GLASSHOUSE_VOCABULARY_PARTS_H
#define GLASSHOUSE_VOCABULARY_PARTS_H

#include "text/bpe_files.h"

/* A list of tokens with their ids. */
typedef struct token_list {
    const char *file, *text; /* name for errors, and the JSON of the list */
    size_t bytes, offset;    /* size of that JSON, and its offset in the file */
    bool plain;              /* tokens are plain text, not in the byte alphabet */
} token_list;

/* The parts of a vocabulary. Borrows the files. */
typedef struct vocabulary_parts {
    token_list tokens[2]; /* ordinary, then added tokens (bytes 0: no list) */
    const char *merges;
    size_t merges_bytes;
    bool merges_listed; /* the merges are a JSON array, as in tokenizer.json */
} vocabulary_parts;

/* Finds the parts in the files. GPT_E_BPE_JSON, GPT_E_UNSUPPORTED (a rule of a tokenizer.json),
 * GPT_E_ARGUMENT (vocab.json without merges). */
int vocabulary_parts_find(vocabulary_parts *parts, const bpe_texts *from, gpt_error *error);

#endif
