/* left_out.h - the option `left_out`: ranges of bytes of the text that training must not read.
 *
 * In text form, the option is a list such as "812:840,1024:1100": for each range the offset of its
 * first byte and the offset after its last byte, counted from 0. A dataset uses the same type for
 * ranges of tokens or of documents, which it derives from the ranges of bytes. Invariant: ranges
 * ascend and neither overlap nor touch. So there is exactly one list for a set of bytes, and equal
 * recipes have equal hashes in their receipts (records of runs).
 */
#ifndef GLASSHOUSE_LEFT_OUT_H
#define GLASSHOUSE_LEFT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The most ranges of a list: enough for the parts that a person marks. The limit is small because
 * every recipe contains a list by value and recipes are copied often. */
enum { LEFT_OUT_MAX = 256 };

typedef struct left_out_range {
    uint32_t from, to; /* the bytes from..to-1; from < to */
} left_out_range;

typedef struct left_out {
    uint32_t count; /* 0: nothing is left out */
    left_out_range ranges[LEFT_OUT_MAX];
} left_out;

/* Adds the bytes from..to-1 (from < to) and merges the ranges that overlap or touch. False, with
 * the list unchanged, if the list would have more than LEFT_OUT_MAX ranges. */
bool left_out_add(left_out *set, uint32_t from, uint32_t to);

/* Reads a list from text; "" is the empty list. Ranges may overlap and come in any order. Errors:
 * GPT_E_LEFT_OUT_RANGE for a part that is not "from:to" with from < to < 2^32, GPT_E_LEFT_OUT_COUNT
 * if there are more than LEFT_OUT_MAX ranges after merging; the list is unchanged then. Each range
 * is merged as it is read, so a text whose ranges do not ascend can exceed the limit before its
 * later ranges join earlier ones. */
int left_out_read(left_out *set, const char *text, gpt_error *error);

/* Whether at least one of the bytes from..to-1 is in a range of `set`. */
bool left_out_touches(const left_out *set, uint64_t from, uint64_t to);

bool left_out_same(const left_out *a, const left_out *b);

#endif
