/* numeric.c - see numeric.h. */
#include "base/numeric.h"

// ln 2 and pi/2, each as the sum of two parts. The last bits of the high part are zero, so that
// n * high is exact.
static const double LN2_HIGH = 0x1.62e42fee00000p-1;
static const double LN2_LOW = 0x1.a39ef35793c76p-33;
static const double HALF_PI_HIGH = 0x1.921fb54400000p0;
static const double HALF_PI_LOW = 0x1.0b4611a626331p-34;

static double power_of_two(int n) {
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double num_exp(double x) {
    if (x != x) {
        return x;
    }
    if (x < -708.0) {
        return 0.0;
    }
    if (x > 709.0) {
        x = 709.0;
    }
    int n = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    double r = (x - n * LN2_HIGH) - n * LN2_LOW;
    // e^x = 2^n e^r with x = n ln 2 + r. Taylor series to r^13, |r| <= 0.347: the first omitted
    // term is 4e-18.
    double sum = 1.0;
    for (int k = 13; k >= 1; k--) {
        sum = 1.0 + r / k * sum;
    }
    return sum * power_of_two(n);
}

double num_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    // ln x = exponent ln 2 + ln m, and ln m = 2 artanh(s) with s = (m-1)/(m+1), |s| <= 0.172.
    // Series to s^23: the first omitted term is below 6e-21.
    double s = (m - 1.0) / (m + 1.0);
    double s2 = s * s;
    double sum = 0.0;
    for (int k = 23; k >= 3; k -= 2) {
        sum = (sum + 1.0 / k) * s2;
    }
    return exponent * LN2_HIGH + (2.0 * s + (2.0 * s * sum + exponent * LN2_LOW));
}

double num_cos(double x) {
    if (x < 0) {
        x = -x;
    }
    int n = (int)(x * (2.0 / NUM_PI) + 0.5);
    double r = (x - n * HALF_PI_HIGH) - n * HALF_PI_LOW;
    double r2 = r * r;
    // x = n pi/2 + r, |r| <= pi/4. Taylor series of cos r to r^18 and of sin r to r^19: the first
    // omitted terms are below 4e-21. n mod 4 selects cos r, -sin r, -cos r or sin r.
    double cosine = 1.0;
    double sine = 1.0;
    for (int k = 18; k >= 2; k -= 2) {
        cosine = 1.0 - r2 / (k * (k - 1)) * cosine;
        sine = 1.0 - r2 / (k * (k + 1)) * sine;
    }
    sine *= r;
    switch (n & 3) {
    case 0:
        return cosine;
    case 1:
        return -sine;
    case 2:
        return -cosine;
    default:
        return sine;
    }
}

double num_power(double x, uint32_t n) {
    double result = 1.0;
    for (; n; n >>= 1) {
        if (n & 1) {
            result *= x;
        }
        x *= x;
    }
    return result;
}
