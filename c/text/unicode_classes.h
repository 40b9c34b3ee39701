/* unicode_classes.h - which code points are letters, numbers and white space.
 *
 * Owns: the three classes that the pre-tokenizer of GPT-2 asks for, as a generated table of one
 * Unicode version (named in unicode_classes.c). White space is the property White_Space, which `\s`
 * means in the regular expressions of GPT-2 itself; JavaScript's `\s` differs in two code points
 * (it has U+FEFF and lacks U+0085).
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

/* Where the class changes: `first << 2 | class` for the first code point of each run, rising. */
extern const uint32_t UNICODE_RUNS[];
extern const int UNICODE_RUN_COUNT;

/* The class of a code point; OTHER for everything that is not assigned. */
static inline unicode_kind unicode_class(uint32_t code) {
    uint32_t wanted = code << 2 | 3;
    int low = 0,
        high = UNICODE_RUN_COUNT; // the run sought is the last one that starts at or before
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (UNICODE_RUNS[middle] <= wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (unicode_kind)(UNICODE_RUNS[low] & 3);
}

#endif
