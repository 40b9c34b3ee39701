/* test_base.c - arena, random stream, transcendental functions, status list. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/numeric.h"
#include "base/rng.h"
#include "base/error.h"
#include "check.h"

/* ---- arena ----------------------------------------------------------------------------------- */

/* Allocates 50 arrays of mixed sizes, some empty, from an arena (one with memory, or one that only
 * counts bytes). */
static void take_some(arena *a) {
    for (uint64_t i = 0; i < 50; i++) {
        CHECK(arena_alloc(a, i * 7 % 31, 1 + i % 9) != NULL);
    }
}

static void test_arena(void) {
    TEST("arena memory is aligned to 64 bytes and writable to its last byte") {
        arena a;
        if (!CHECK_INT(arena_open(&a, 64 * 64, NULL), GPT_OK)) break;
        for (uint64_t size = 1; size <= 64; size++) {
            unsigned char *piece = arena_alloc(&a, size, 1);
            if (!CHECK(piece != NULL)) break;
            CHECK_INT((uintptr_t)piece % ARENA_ALIGN, 0);
            memset(piece, (int)size, size);
            CHECK(piece[0] == size && piece[size - 1] == size);
        }
        CHECK_INT(a.used, 64 * 64);
        arena_close(&a);
    }
    TEST("arrays from an arena do not overlap") {
        arena a;
        if (!CHECK_INT(arena_open(&a, 1024, NULL), GPT_OK)) break;
        unsigned char *first = arena_alloc(&a, 65, 1);
        unsigned char *second = arena_alloc(&a, 1, 1);
        CHECK(first && second && second - first == 128);
        arena_close(&a);
    }
    TEST("a full arena returns NULL and does not change") {
        arena a;
        if (!CHECK_INT(arena_open(&a, 128, NULL), GPT_OK)) break;
        CHECK(arena_alloc(&a, 65, 1) != NULL);
        CHECK(arena_alloc(&a, 1, 1) == NULL);
        CHECK_INT(a.used, 128);
        CHECK(arena_alloc(&a, 0, 8) != NULL); // 0 bytes always fit
        arena_rewind(&a, 0);
        CHECK(arena_alloc(&a, 128, 1) != NULL);
        CHECK_INT(a.peak, 128);
        arena_close(&a);
    }
    TEST("an array size that overflows 64 bits is refused, not wrapped") {
        arena a;
        arena_open_measuring(&a);
        CHECK(arena_alloc(&a, UINT64_MAX, UINT64_MAX) == NULL);
        CHECK(arena_alloc(&a, (uint64_t)1 << 61, 8) == NULL);
        CHECK(arena_alloc(&a, UINT64_MAX / 2, 1) == NULL);
        CHECK_INT(a.used, 0);
        // An arena that only counts bytes counts in 64 bits.
        CHECK(arena_alloc(&a, (uint64_t)1 << 40, 8) != NULL);
        CHECK(a.used == (uint64_t)1 << 43);
        CHECK(arena_alloc_zeroed(&a, UINT64_MAX, 2) == NULL);
    }
    TEST("a measuring arena counts the bytes that the same calls use in a real one") {
        arena measured, real_one;
        arena_open_measuring(&measured);
        take_some(&measured);
        if (!CHECK_INT(arena_open(&real_one, measured.peak, NULL), GPT_OK)) break;
        take_some(&real_one);
        CHECK_INT(real_one.used, real_one.capacity);
        CHECK(arena_alloc(&real_one, 1, 1) == NULL);
        arena_close(&real_one);
    }
    TEST("arena_alloc_zeroed clears memory that was used before") {
        arena a;
        if (!CHECK_INT(arena_open(&a, 256, NULL), GPT_OK)) break;
        memset(arena_alloc(&a, 256, 1), 0xAB, 256);
        arena_rewind(&a, 0);
        const unsigned char *clean = arena_alloc_zeroed(&a, 64, 4);
        for (int i = 0; i < 256; i++) CHECK(clean[i] == 0);
        arena_close(&a);
    }
    TEST("an arena that the system refuses fails with GPT_E_ALLOCATION and its size") {
        arena a;
        gpt_error error = {0};
        CHECK_INT(arena_open(&a, UINT64_MAX - 8, &error), GPT_E_ALLOCATION);
        CHECK_INT(error.status, GPT_E_ALLOCATION);
        CHECK(error.value[0] > 1e19);
        arena_close(&a); // an arena that failed to open may be closed
    }
}

/* ---- random stream --------------------------------------------------------------------------- */

static void test_rng(void) {
    // The expected numbers were computed in another language, with big integers and doubles.
    TEST("the stream of seed 42 is xorshift64 with shifts 13, 7, 17") {
        static const uint64_t first[6] = {0xa95514aaa,        0xa00aaafdf80202bf,
                                          0x8b13399cd1d1497a, 0x283b88fe5fdff568,
                                          0x4e915fe38b341082, 0x8c17f2b433701823};
        rng r = rng_from_seed(42);
        for (int i = 0; i < 6; i++) CHECK(rng_next(&r) == first[i]);
        for (int i = 6; i < 999999; i++) (void)rng_next(&r);
        CHECK(rng_next(&r) == 0x993e42ec7fc99535);
    }
    TEST("a uniform draw is the top 53 bits divided by 2^53") {
        static const double first[4] = {0x1.52aa290000000p-29, 0x1.401555fbf0040p-1,
                                        0x1.16267339a3a29p-1, 0x1.41dc47f2feff8p-3};
        rng r = rng_from_seed(42);
        for (int i = 0; i < 4; i++) CHECK(rng_uniform(&r) == first[i]);
        for (int i = 0; i < 100000; i++) {
            double u = rng_uniform(&r);
            CHECK(u >= 0 && u < 1);
        }
    }
    TEST("normal draws use the cosine of Box-Muller, two uniform draws each, rounded to float") {
        static const float first[8] = {-0x1.1ca502p+2f, 0x1.378a48p-1f,  -0x1.784552p+0f,
                                       -0x1.bc964ep-1f, -0x1.04d3cap-1f, 0x1.83c356p-1f,
                                       -0x1.c35e24p-1f, -0x1.a3c5f4p-3f};
        rng r = rng_from_seed(42);
        for (int i = 0; i < 8; i++) CHECK(rng_normal(&r) == first[i]);
        rng twin = rng_from_seed(42);
        for (int i = 0; i < 16; i++) (void)rng_next(&twin);
        CHECK(r.state == twin.state);
    }
    TEST("a first uniform draw of 0 becomes 1e-30, so that normal draws are finite") {
        rng r = {0xbe6df32f185a864d}; // the next state is 1, whose top 53 bits are 0
        CHECK(rng_normal(&r) == 0x1.782046p+3f);
    }
    TEST("normal draws have mean 0 and variance 1") {
        enum { COUNT = 100000 };
        rng r = rng_from_seed(7);
        double sum = 0, squares = 0;
        for (int i = 0; i < COUNT; i++) {
            double x = (double)rng_normal(&r);
            sum += x;
            squares += x * x;
        }
        // Tolerance: five standard errors, which are 1/sqrt(n) for the mean and sqrt(2/n) for the
        // variance.
        CHECK_NEAR(sum / COUNT, 0, 5 / sqrt(COUNT));
        CHECK_NEAR(squares / COUNT, 1, 5 * sqrt(2.0 / COUNT));
    }
    TEST("rng_shuffle is a Fisher-Yates shuffle from the end") {
        static const uint32_t expected[12] = {9, 11, 8, 4, 7, 10, 3, 2, 1, 5, 6, 0};
        uint32_t items[12];
        for (uint32_t i = 0; i < 12; i++) items[i] = i;
        rng r = rng_from_seed(42);
        rng_shuffle(&r, items, 12);
        CHECK(memcmp(items, expected, sizeof items) == 0);
    }
    TEST("shuffling 0 or 1 items draws no random number") {
        uint32_t one = 5;
        rng r = rng_from_seed(42);
        rng_shuffle(&r, NULL, 0);
        rng_shuffle(&r, &one, 1);
        CHECK(r.state == 42 && one == 5);
    }
    TEST("seed 0 is replaced by a constant, because xorshift would stay 0") {
        rng r = rng_from_seed(0);
        CHECK(rng_next(&r) == 0xdc1b77ae0bf34dad);
        CHECK(rng_next(&r) != rng_next(&r));
    }
}

/* ---- transcendentals ------------------------------------------------------------------------- */

/* The reference values come from libm's functions for long double. On machines where long double is
 * double, their error of half an ulp (2^-53) is small beside the bounds of numeric.h, 2^-51 and
 * 2^-50. */
static void test_numeric(void) {
    TEST("num_exp is within 2^-51 of e^x from -708 to 709") {
        double worst = 0;
        for (int i = 0; i <= 200000; i++) {
            double x = -708 + (709.0 + 708.0) * i / 200000;
            double y = (double)expl((long double)x);
            worst = fmax(worst, fabs(num_exp(x) - y) / y);
        }
        CHECK_NEAR(worst, 0, 0x1p-51);
        CHECK(num_exp(0) == 1 && num_exp(-0.0) == 1);
    }
    TEST("num_exp is 0 below -708, saturates above 709 and keeps NaN") {
        CHECK(num_exp(-708.5) == 0 && num_exp(-1e300) == 0 && num_exp(-INFINITY) == 0);
        CHECK(num_exp(710) == num_exp(709) && num_exp(INFINITY) == num_exp(709));
        CHECK(num_exp(709) > 8e307 && num_finite(num_exp(709)));
        CHECK(num_exp(NAN) != num_exp(NAN));
    }
    TEST("num_log is within 2^-51 of ln x, relative to max(1, |ln x|), over all normal numbers") {
        double worst = 0;
        for (int exponent = -1022; exponent <= 1023; exponent++) {
            for (int i = 0; i < 64; i++) {
                double x = ldexp(1 + i / 64.0 + 1e-9 * i, exponent);
                double y = (double)logl((long double)x);
                worst = fmax(worst, fabs(num_log(x) - y) / fmax(1, fabs(y)));
            }
        }
        CHECK_NEAR(worst, 0, 0x1p-51);
        CHECK(num_log(1) == 0);
        CHECK_NEAR(num_log(1e-30), -69.07755278982137, 1e-14); // the bound, 2^-51 * 69, is 3e-14
    }
    TEST("num_cos is within 2^-50 of cos x up to 10^5") {
        double worst = 0;
        for (int i = 0; i <= 200000; i++) {
            double x = (i % 2 ? -1 : 1) * (i < 100000 ? i * 1e-4 : (i - 100000) * 0.99999);
            worst = fmax(worst, fabs(num_cos(x) - (double)cosl((long double)x)));
        }
        CHECK_NEAR(worst, 0, 0x1p-50);
        CHECK(num_cos(0) == 1);
        CHECK_NEAR(num_cos(NUM_PI), -1, 0x1p-50);
    }
    TEST("num_expf is within 2^-22 of e^x wherever the result is a normal float") {
        double worst = 0;
        uint32_t low, high;
        float from = 1e-30f, to = NUM_EXPF_MAX;
        memcpy(&low, &from, 4);
        memcpy(&high, &to, 4);
        for (uint32_t bits = low; bits <= high; bits += 2003) {
            float x;
            memcpy(&x, &bits, 4);
            double up = exp((double)x);
            worst = fmax(worst, fabs((double)num_expf(x) - up) / up);
            if (x <= -NUM_EXPF_MIN) {
                double down = exp(-(double)x);
                worst = fmax(worst, fabs((double)num_expf(-x) - down) / down);
            }
        }
        CHECK_NEAR(worst, 0, 0x1p-22);
        CHECK(num_expf(0.0f) == 1.0f);
    }
    TEST("num_expf is 0 below -87, saturates above 88 and keeps NaN") {
        CHECK(num_expf(-87.5f) == 0 && num_expf(-1e38f) == 0 && num_expf(-INFINITY) == 0);
        CHECK(num_expf(89.0f) == num_expf(88.0f) && num_expf(INFINITY) == num_expf(88.0f));
        CHECK(num_finite((double)num_expf(88.0f)));
        CHECK(num_expf(NAN) != num_expf(NAN));
    }
    TEST("num_power computes x^n, and x^0 is 1") {
        CHECK(num_power(3, 0) == 1 && num_power(0, 0) == 1 && num_power(2, 31) == 2147483648.0);
        CHECK(num_power(-3, 5) == -243);
        // Each of 20 squarings doubles the relative error and rounds once: the error stays below
        // 2^21 * 2^-53.
        CHECK_NEAR(num_power(0.999999, 1000000) / pow(0.999999, 1000000), 1, 0x1p-32);
        CHECK(num_power(0.9, UINT32_MAX) == 0);
    }
    TEST("num_finite is false for NaN and infinities alone") {
        CHECK(num_finite(0) && num_finite(-1.7976931348623157e308) && num_finite(5e-324));
        CHECK(!num_finite(NAN) && !num_finite(-NAN));
        CHECK(!num_finite(INFINITY) && !num_finite(-INFINITY));
    }
    TEST("real_sqrt and real_exp compute in float") {
        CHECK(real_sqrt(R(2.0)) == sqrtf(2.0f) && real_exp(R(1.0)) == num_expf(1.0f));
    }
}

/* ---- status list ----------------------------------------------------------------------------- */

#define STATUS_ROW(symbol, code, name, text) {code, name, text},
static const struct {
    int code;
    const char *name, *text;
} STATUSES[] = {GPT_STATUS_LIST(STATUS_ROW)};
enum { STATUS_COUNT = sizeof STATUSES / sizeof *STATUSES };

static void test_status(void) {
    TEST("every status has a distinct number, name and text") {
        for (int i = 0; i < STATUS_COUNT; i++) {
            CHECK_STRING(gpt_status_name(STATUSES[i].code), STATUSES[i].name);
            CHECK_STRING(gpt_status_text(STATUSES[i].code), STATUSES[i].text);
            CHECK(strlen(STATUSES[i].text) > 3);
            for (int j = 0; j < i; j++) {
                CHECK(STATUSES[i].code != STATUSES[j].code);
                CHECK(strcmp(STATUSES[i].name, STATUSES[j].name) != 0);
                CHECK(strcmp(STATUSES[i].text, STATUSES[j].text) != 0);
            }
        }
        CHECK_STRING(gpt_status_name(-999), "unknown");
        CHECK_STRING(gpt_status_text(-999), "");
    }
    TEST("every message has its placeholders replaced") {
        for (int i = 0; i < STATUS_COUNT; i++) {
            gpt_error error;
            char out[512];
            CHECK_INT(gpt_fail(&error, STATUSES[i].code, "word", 11, 22, 33), STATUSES[i].code);
            size_t length = gpt_error_message(&error, out, sizeof out);
            CHECK_INT(length, strlen(out));
            CHECK(!strchr(out, '{') && !strchr(out, '}'));
        }
    }
    TEST("a message contains the numbers and the name of the failure") {
        gpt_error error;
        char out[512];
        gpt_fail(&error, GPT_E_RANGE, "layers", 0, 1, 96);
        gpt_error_message(&error, out, sizeof out);
        CHECK_STRING(out, "layers is 0, but must be from 1 to 96");
        gpt_fail(&error, GPT_E_CHARACTER, "\xC3\xA9", 0xE9, 0, 0);
        gpt_error_message(&error, out, sizeof out);
        CHECK(strstr(out, "character \xC3\xA9 (U+00E9), which") != NULL);
        gpt_fail(&error, GPT_E_CHARACTER, "", 0xDCFF, 0, 0); // the code of the byte FF
        gpt_error_message(&error, out, sizeof out);
        CHECK(strstr(out, "no token for the byte 0xFF, which") != NULL);
        gpt_fail(&error, GPT_E_CHARACTER, "", 7, 0, 0);
        gpt_error_message(&error, out, sizeof out);
        CHECK(strstr(out, "no token for the character U+0007, which") != NULL);
    }
    TEST("a message replaces control characters and invalid UTF-8 of the name by U+FFFD") {
        gpt_error error;
        char out[512];
        gpt_fail(&error, GPT_E_OPTION, "a\x1B[2J\x7F\xC2\x9B\n\xFF\xC3\xA9", 0, 0, 0);
        gpt_error_message(&error, out, sizeof out);
        CHECK_STRING(out, "there is no option called a\xEF\xBF\xBD[2J\xEF\xBF\xBD\xEF\xBF\xBD"
                          "\xEF\xBF\xBD\xEF\xBF\xBD\xC3\xA9");
    }
    TEST("every failure as JSON fits into 2048 bytes") {
        gpt_error error;
        char name[sizeof error.name] = {0}, out[2048];
        for (int byte = 1; byte < 256; byte++) {
            memset(name, byte, sizeof name - 1);
            for (int i = 0; i < STATUS_COUNT; i++) {
                gpt_fail(&error, STATUSES[i].code, name, -1.23456789e-300, -1e-300, -1e-300);
                CHECK(gpt_error_json(&error, out, sizeof out) < sizeof out);
            }
        }
    }
    TEST("a message is cut at the capacity, and its full length is returned") {
        gpt_error error;
        char out[8] = "xxxxxxx";
        gpt_fail(&error, GPT_OK, "", 0, 0, 0);
        CHECK_INT(gpt_error_message(&error, out, 3), 4);
        CHECK_STRING(out, "do");
        CHECK(out[3] == 'x');
        CHECK_INT(gpt_error_message(&error, NULL, 0), 4);
    }
    TEST("gpt_error_json writes status, code, name, values and message") {
        gpt_error error;
        char out[512];
        gpt_fail(&error, GPT_E_OPTION, "a\"b", NAN, 0.5, 1e300);
        gpt_error_json(&error, out, sizeof out);
        CHECK_STRING(out,
                     "{\"status\":-4,\"code\":\"option\",\"name\":\"a\\\"b\",\"values\":[null,0.5,"
                     "1e300],\"message\":\"there is no option called a\\\"b\"}");
    }
    TEST("gpt_fail cuts a name that is too long and accepts a NULL error") {
        gpt_error error;
        char name[sizeof error.name + 20];
        memset(name, 'x', sizeof name - 1);
        name[sizeof name - 1] = 0;
        gpt_fail(&error, GPT_E_OPTION, name, 0, 0, 0);
        CHECK_INT(strlen(error.name), sizeof error.name - 1);
        CHECK_INT(gpt_fail(NULL, GPT_E_OPTION, "x", 0, 0, 0), GPT_E_OPTION);
    }
}

int main(void) {
    test_arena();
    test_rng();
    test_numeric();
    test_status();
    return check_report();
}
