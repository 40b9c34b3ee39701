/* bpe_files.h - a BPE vocabulary in the files of others.
 *
 * Owns: reading them, however hostile, and writing GPT-2's two. vocab.json is one object from
 * tokens, written in the byte alphabet of bpe.h, to ids; merges.txt has one merge a line, the left
 * and the right token with a space between, in order of rank; added_tokens.json has special tokens
 * as plain text. The tokenizers library keeps all of it in one tokenizer.json. Invariant: time is n
 * log n in the bytes read, memory linear in the ids and merges, and nothing remains of a reading
 * that failed.
 */
#ifndef GLASSHOUSE_BPE_FILES_H
#define GLASSHOUSE_BPE_FILES_H

#include "base/text_buffer.h"
#include "text/bpe.h"

/* The files as texts; all are borrowed. */
typedef struct bpe_texts {
    const char *vocab; /* vocab.json, or a tokenizer.json, which leaves nothing to the others */
    size_t vocab_bytes;
    const char *merges; /* merges.txt; NULL with a tokenizer.json */
    size_t merges_bytes;
    const char *added; /* added_tokens.json; may be NULL */
    size_t added_bytes;
} bpe_texts;

/* Reads the files into `b`, whose arrays come from `memory`, opened here (the caller closes it,
 * also after a failure). A byte order mark, a first line `#version...` of merges.txt, CRs before
 * line ends and blank lines are skipped; the merge of a pair makes the token that has the bytes
 * of both. Ids may have holes. The token <|endoftext|>, where there is one, becomes
 * b->end_of_text. GPT_E_BPE_*, GPT_E_UNSUPPORTED (a tokenizer.json that cuts words in another
 * way), GPT_E_ALLOCATION. */
int bpe_read(bpe *b, arena *memory, const bpe_texts *from, gpt_error *error);

/* Writes vocab.json; `bos`, when no token has that id, as a last token <|endoftext|>. Without
 * `b` the tokens are the 256 bytes. */
void bpe_write_vocab(const bpe *b, int bos, text_buffer *out);

/* Writes merges.txt with its header line; without `b` that line only, as bytes have no merges. */
void bpe_write_merges(const bpe *b, text_buffer *out);

#endif
