/* unicode_classes.h - classifies code points as letters, numbers and white space.
 *
 * Contains the three classes that GPT-2's pre-tokenizer distinguishes, as a generated table of one
 * Unicode version (stated in unicode_classes.c). White space is the property White_Space, which is
 * the meaning of \s in GPT-2's own regular expressions. \s of JavaScript differs in two code
 * points: it includes U+FEFF and excludes U+0085.
 */
#ifndef GLASSHOUSE_UNICODE_CLASSES_H
#define GLASSHOUSE_UNICODE_CLASSES_H

#include <stdint.h>

typedef enum unicode_kind {
    UNICODE_OTHER,
    UNICODE_LETTER, /* general category L */
    UNICODE_NUMBER, /* general category N */
    UNICODE_SPACE,  /* White_Space */
} unicode_kind;

/* Ranges of consecutive code points of one class, ascending. Each range is stored as one number:
 * its first code point << 2 | its class. A range ends before the first code point of the next
 * range. */
extern const uint32_t UNICODE_RANGES[];
extern const int UNICODE_RANGE_COUNT;

/* Returns the class of a code point; UNICODE_OTHER for unassigned code points. */
static inline unicode_kind unicode_class(uint32_t code) {
    uint32_t wanted = code << 2 | 3;
    int low = 0,
        high = UNICODE_RANGE_COUNT; // binary search for the last range starting at or before `code`
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (UNICODE_RANGES[middle] <= wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (unicode_kind)(UNICODE_RANGES[low] & 3);
}

#endif
