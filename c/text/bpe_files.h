/* bpe_files.h - reads and writes BPE vocabularies in the files of other programs.
 *
 * vocab.json is one JSON object that maps tokens, written in the byte alphabet of bpe.h, to ids.
 * merges.txt has one merge per line, in order of rank: the left and the right token with a space
 * between them. added_tokens.json maps special tokens, written as plain text, to ids. A
 * tokenizer.json (tokenizers library) contains all three. Files may be hostile. Invariant: reading
 * takes n log n time in the bytes and memory linear in the ids and merges.
 */
#ifndef GLASSHOUSE_BPE_FILES_H
#define GLASSHOUSE_BPE_FILES_H

#include "base/text_buffer.h"
#include "text/bpe.h"

/* The contents of the files of a BPE vocabulary, borrowed. */
typedef struct bpe_texts {
    const char *vocab; /* vocab.json, or a tokenizer.json: then the other members are ignored */
    size_t vocab_bytes;
    const char *merges; /* merges.txt; may be NULL with a tokenizer.json */
    size_t merges_bytes;
    const char *added; /* added_tokens.json; NULL and 0 bytes if there is no such file */
    size_t added_bytes;
} bpe_texts;

/* Reads a vocabulary into `b`, whose arrays are allocated in a new arena `memory` (the caller
 * closes it, also after a failure). Skips byte order marks, a first line `#version...` of
 * merges.txt, CRs before line ends, and blank lines. A merged token has the bytes of its left and
 * right token, concatenated. Ids without a token (holes) are allowed. Sets b->end_of_text to the id
 * of the token <|endoftext|>, or to -1. Errors: GPT_E_BPE_*, GPT_E_UNSUPPORTED (a tokenizer.json
 * with other rules than GPT-2), GPT_E_ARGUMENT (vocab.json without merges), GPT_E_ALLOCATION. */
int bpe_read(bpe *b, arena *memory, const bpe_texts *from, gpt_error *error);

/* Writes vocab.json; `b` NULL: the vocabulary is the 256 bytes. Appends <|endoftext|> with the id
 * `bos` if `bos` is the first id after the tokens; other values (-1: no BOS) append nothing. */
void bpe_write_vocab(const bpe *b, int bos, text_buffer *out);

/* Writes merges.txt with its header line; `b` NULL: only the header line, because bytes have no
 * merges. */
void bpe_write_merges(const bpe *b, text_buffer *out);

#endif
