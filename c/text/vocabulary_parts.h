/* vocabulary_parts.h - where the tokens and the merges of a given vocabulary stand in its files.
 *
 * Owns: telling tokenizer.json, which holds everything, from vocab.json with merges.txt and
 * added_tokens.json; and refusing by name a tokenizer.json whose rules are not GPT-2's. Invariant:
 * the parts point into the files and copy nothing.
 */
#ifndef GLASSHOUSE_VOCABULARY_PARTS_H
#define GLASSHOUSE_VOCABULARY_PARTS_H

#include "text/bpe_files.h"

/* Where tokens are listed with their ids. */
typedef struct token_list {
    const char *file, *text; /* its name for failures, and the JSON */
    size_t bytes, offset;    /* of that JSON in the file */
    bool plain;              /* written as text, not in the byte alphabet */
} token_list;

/* The parts of a vocabulary, in two or three files or in one tokenizer.json. */
typedef struct vocabulary_parts {
    token_list tokens[2];
    const char *merges;
    size_t merges_bytes;
    bool merges_listed; /* a JSON array, as tokenizer.json has them */
} vocabulary_parts;

/* Finds the parts of the given files. GPT_E_BPE_JSON, GPT_E_UNSUPPORTED, GPT_E_ARGUMENT (no
 * merges). */
int vocabulary_parts_find(vocabulary_parts *parts, const bpe_texts *from, gpt_error *error);

#endif
