/* bpe_files.h - a BPE vocabulary as the two files of GPT-2, vocab.json and merges.txt.
 *
 * Owns: reading them, however hostile, and writing them. vocab.json is one object from tokens, written
 * in the byte alphabet of bpe.h, to ids; merges.txt has one merge a line, the left and the right token
 * with a space between, in order of rank. Invariant: time is n log n in the bytes read, memory linear
 * in the entries, and nothing remains of a reading that failed.
 */
#ifndef GLASSHOUSE_BPE_FILES_H
#define GLASSHOUSE_BPE_FILES_H

#include "base/text.h"
#include "model/bpe.h"

/* Reads both files into `b`, whose arrays come from `memory`, opened here (the caller closes it, also
 * after a failure). A first line `#version...` of merges.txt, CRs before line ends and blank lines are
 * skipped; the merge of a pair makes the token that has the bytes of both. The token <|endoftext|>,
 * where there is one, becomes b->end_of_text. GPT_E_BPE_*, GPT_E_ALLOCATION. */
int bpe_read(bpe *b, arena *memory, const char *vocab, size_t vocab_bytes, const char *merges,
             size_t merges_bytes, gpt_error *error);

/* Writes vocab.json; `bos`, when no token has that id, as a last token <|endoftext|>. Without `b` the
 * tokens are the 256 bytes. */
void bpe_write_vocab(const bpe *b, int bos, text_buffer *out);

/* Writes merges.txt with its header line; without `b` that line only, as bytes have no merges. */
void bpe_write_merges(const bpe *b, text_buffer *out);

#endif
