/* check.h - the macros TEST and CHECK of the native tests.
 *
 * Counts tests and prints each failed check with its file and line. A test is a title and a block.
 * It fails if any check in the block, or in a function that the block calls, fails; the block
 * still runs to its end:
 *
 *     int main(void) {
 *         TEST("an empty arena uses no bytes") {
 *             CHECK_INT(arena.used, 0);
 *             if (!CHECK(p != NULL)) break; // leaves this test; the next one still runs
 *         }
 *         return check_report();
 *     }
 *
 * Invariant: the last line printed is `N passed, N failed`, and the exit status is 0 only if no
 * test failed. The runner (tests/stages/c.mjs) counts a program without that line as a failure.
 */
#ifndef GLASSHOUSE_CHECK_H
#define GLASSHOUSE_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct {
    const char *name; // title of the running test; NULL between tests
    int bad;          // failed checks of the running test
    int passed, failed;
} check_state;

/* Ends the running test, if any: counts it and prints its result. Returns 0, which ends the loop of
 * TEST. */
static inline int check_end(void) {
    if (check_state.name == NULL) return 0;
    if (check_state.bad == 0) {
        check_state.passed++;
        printf("ok    %s\n", check_state.name);
    } else {
        check_state.failed++;
        if (check_state.bad > 10) printf("(and %d more)\n", check_state.bad - 10);
        printf("FAIL  %s\n", check_state.name);
    }
    fflush(stdout);
    check_state.name = NULL;
    return 0;
}

/* Begins a test. Ends the previous test first, in case `break` left its block. Returns 1, so that
 * the loop of TEST runs once. */
static inline int check_begin(const char *name) {
    check_end();
    check_state.name = name;
    check_state.bad = 0;
    return 1;
}

/* Returns `good`. If false, counts a failed check and prints its place. A failed check outside any
 * test counts as a failed test. */
static inline bool check_that(bool good, const char *file, int line, const char *what) {
    if (good) return true;
    bool alone = check_state.name == NULL;
    if (alone) check_begin("a check outside of any test");
    if (++check_state.bad > 10) return false; // check_end prints how many were not printed
    printf("%s:%d: in \"%s\": %s\n", file, line, check_state.name, what);
    fflush(stdout);
    if (alone) check_end();
    return false;
}

static inline bool check_near(double a, double b, double tol, const char *file, int line,
                              const char *what) {
    if (fabs(a - b) <= tol || a == b) return true; // == accepts equal infinities; NaN fails
    char text[512];
    snprintf(text, sizeof text, "%s: %.17g and %.17g differ by %.3g, more than %.3g", what, a, b,
             fabs(a - b), tol);
    return check_that(false, file, line, text);
}

static inline bool check_int(long long a, long long b, const char *file, int line,
                             const char *what) {
    if (a == b) return true;
    char text[512];
    snprintf(text, sizeof text, "%s: %lld is not %lld", what, a, b);
    return check_that(false, file, line, text);
}

static inline bool check_string(const char *a, const char *b, const char *file, int line,
                                const char *what) {
    if (a != NULL && b != NULL && strcmp(a, b) == 0) return true;
    char text[512];
    snprintf(text, sizeof text, "%s: \"%s\" is not \"%s\"", what, a ? a : "(null)",
             b ? b : "(null)");
    return check_that(false, file, line, text);
}

/* Ends the last test, prints the totals and returns the exit status of main: 0 if every test
 * passed, else 1. A program without tests fails. */
static inline int check_report(void) {
    check_end();
    if (check_state.passed + check_state.failed == 0)
        check_that(false, __FILE__, __LINE__, "no tests");
    printf("%d passed, %d failed\n", check_state.passed, check_state.failed);
    return check_state.failed == 0 ? 0 : 1;
}

/* TEST("title") { ... } runs the block once as a test; `break` leaves the block. */
#define TEST(sentence)                                                                             \
    for (int check_once = check_begin(sentence); check_once; check_once = check_end())

/* Each CHECK is an expression: true if the check passed. CHECK_NEAR passes if |a - b| <= tol;
 * CHECK_INT compares as long long. */
#define CHECK(condition)      check_that((condition), __FILE__, __LINE__, "CHECK(" #condition ")")
#define CHECK_NEAR(a, b, tol) check_near((a), (b), (tol), __FILE__, __LINE__, #a " near " #b)
#define CHECK_INT(a, b)       check_int((long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STRING(a, b)    check_string((a), (b), __FILE__, __LINE__, #a " equals " #b)

#endif
