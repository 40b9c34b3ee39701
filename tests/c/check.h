/* check.h - the few macros that the native tests are written with.
 *
 * Owns: counting tests, and printing what failed and where. A test is a sentence and a block; it
 * fails when any check in it (or in a function that it calls) fails, and goes on to its end:
 *
 *     int main(void) {
 *         TEST("an empty arena holds nothing") {
 *             CHECK(arena_used(&arena) == 0);
 *             if (!CHECK(p != NULL)) break; // leaves this test; the next one still runs
 *         }
 *         return check_report();
 *     }
 *
 * Invariant: the last line printed is `N passed, N failed` and the exit status is 0 only when no
 * test failed. A program that dies before check_report has no such line: the runner counts that.
 */
#ifndef GLASSHOUSE_CHECK_H
#define GLASSHOUSE_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static struct {
    const char *name; // of the running test; NULL between tests
    int bad;          // failed checks in it
    int passed, failed;
} check_state;

/* Closes the running test, if any. Returns 0, which ends the loop that TEST is. */
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

/* Opens a test; the one before it is closed first, in case it was left with `break`. */
static inline int check_begin(const char *name) {
    check_end();
    check_state.name = name;
    check_state.bad = 0;
    return 1;
}

/* Counts a failed check. Outside of any test it becomes a failed test of its own. */
static inline bool check_that(bool good, const char *file, int line, const char *what) {
    if (good) return true;
    bool alone = check_state.name == NULL;
    if (alone) check_begin("a check outside of any test");
    if (++check_state.bad > 10) return false; // the rest would tell nothing new
    printf("%s:%d: in \"%s\": %s\n", file, line, check_state.name, what);
    fflush(stdout);
    if (alone) check_end();
    return false;
}

static inline bool check_near(double a, double b, double tol, const char *file, int line,
                              const char *what) {
    if (fabs(a - b) <= tol || a == b) return true; // `==` for infinities; NaN is near nothing
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

/* Prints the sums; the value is what main returns. A program without tests fails. */
static inline int check_report(void) {
    check_end();
    if (check_state.passed + check_state.failed == 0)
        check_that(false, __FILE__, __LINE__, "no tests");
    printf("%d passed, %d failed\n", check_state.passed, check_state.failed);
    return check_state.failed == 0 ? 0 : 1;
}

/* TEST("sentence") { ... } */
#define TEST(sentence)                                                                             \
    for (int check_once = check_begin(sentence); check_once; check_once = check_end())

/* Every CHECK is an expression: true when it held. */
#define CHECK(condition)      check_that((condition), __FILE__, __LINE__, "CHECK(" #condition ")")
#define CHECK_NEAR(a, b, tol) check_near((a), (b), (tol), __FILE__, __LINE__, #a " near " #b)
#define CHECK_INT(a, b)       check_int((long long)(a), (long long)(b), __FILE__, __LINE__, #a " == " #b)
#define CHECK_STRING(a, b)    check_string((a), (b), __FILE__, __LINE__, #a " equals " #b)

#endif
