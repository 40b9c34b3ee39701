/* left_out.h - the parts of a text that training must not read: the option `left_out`.
 *
 * Owns: their one form. Ranges rise and never touch each other, so two lists are equal where the
 * sets of bytes are, and their receipts too. As text: "812:840,1024:1100", where each range goes
 * from its first byte to the one behind its last, counted from 0. A dataset uses the same lists
 * for the tokens or documents that such bytes stand in.
 */
#ifndef GLASSHOUSE_LEFT_OUT_H
#define GLASSHOUSE_LEFT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Ranges after those that touch are joined: enough for what a hand marks. A recipe holds them by
 * value and is copied often, so that they must stay small. */
enum { LEFT_OUT_MAX = 256 };

typedef struct left_out_range {
    uint32_t from, to; /* `to` is the first that is not left out */
} left_out_range;

typedef struct left_out {
    uint32_t count; /* 0: nothing is left out, as before the option existed */
    left_out_range ranges[LEFT_OUT_MAX];
} left_out;

/* Adds from..to-1 and joins what it touches; `from` < `to`. False if there is no room: the list is
 * as it was. */
bool left_out_add(left_out *set, uint32_t from, uint32_t to);

/* Reads the form above; "" is the empty list. Ranges may come in any order and overlap. Given in
 * rising order, they may be any number as long as LEFT_OUT_MAX hold what remains when they are
 * joined. GPT_E_LEFT_OUT_RANGE, GPT_E_LEFT_OUT_COUNT: the list is as it was. */
int left_out_read(left_out *set, const char *text, gpt_error *error);

/* Whether something of from..to-1 is left out. */
bool left_out_touches(const left_out *set, uint64_t from, uint64_t to);

bool left_out_same(const left_out *a, const left_out *b);

#endif
