// The shortest of %.15g, %.16g and %.17g that reads back as the same number. The C library finds 17 digits once; 15 or 16
// of them are rounded here.
#include "base/base.h"
#include "io/number_text.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 17 };

// digits[ALL] of x = +-d.ddd 10^exponent, as text; false: not a number, or infinite.
static bool split(double x, char *digits, int *exponent)
{
    char text[32];
    hol_decimal_print(text, sizeof text, "%.16e", x < 0 ? -x : x);
    if (text[1] != '.') return false;
    digits[0] = text[0];
    memcpy(digits + 1, text + 2, ALL - 1);
    *exponent = atoi(text + 3 + ALL - 1);
    return true;
}

// The first n of the digits, rounded; false: what is left out may be a half, and then the digits do not tell to which side.
static bool round_to(int n, char *digits, int *exponent)
{
    const char half = '5', next = digits[n];
    if (next == half && (n + 1 == ALL || digits[n + 1] == '0')) return false;
    digits[n] = 0;
    if (next < half) return true;
    int i = n - 1;
    for (; i >= 0 && digits[i] == '9'; i--) digits[i] = '0';
    if (i >= 0) {
        digits[i]++;
        return true;
    }
    digits[0] = '1'; // 9.99 becomes 10.0
    ++*exponent;
    return true;
}

// As %g does: no zeros at the end, an exponent where it is below -4 or has n digits before the point.
static int write(bool negative, const char *digits, int n, int exponent, char *out)
{
    char *to = out;
    int last = n;
    while (last > 1 && digits[last - 1] == '0') last--;
    if (negative) *to++ = '-';
    if (exponent < -4 || exponent >= n) {
        *to++ = digits[0];
        if (last > 1) *to++ = '.';
        memcpy(to, digits + 1, (size_t)last - 1);
        to += last - 1;
        return (int)(to - out) + sprintf(to, "e%+03d", exponent);
    }
    if (exponent < 0) {
        memcpy(to, "0.000", 5);
        to += 1 - exponent;
        memcpy(to, digits, (size_t)last);
        to += last;
    } else {
        const int whole = exponent + 1;
        memcpy(to, digits, (size_t)whole);
        to += whole;
        if (last > whole) {
            *to++ = '.';
            memcpy(to, digits + whole, (size_t)(last - whole));
            to += last - whole;
        }
    }
    *to = 0;
    return (int)(to - out);
}

// 15 digits can do only if the last two of 17 are near zeros: half a unit of the last bit is at most 11.1 units of the 17th
// digit, but for numbers that have lost bits.
static bool may_do(int n, double x, const char *digits)
{
    const int rest = 10 * (digits[ALL - 2] - '0') + digits[ALL - 1] - '0';
    return n > 15 || rest <= 12 || rest >= 88 || (x < DBL_MIN && x > -DBL_MIN);
}

int hol_number_text(double x, char out[32])
{
    char digits[ALL + 1], some[ALL + 1];
    int exponent = 0;
    if (x == 0 || !split(x, digits, &exponent)) return hol_decimal_print(out, 32, "%.17g", x);
    for (int n = 15; n < ALL; n++) {
        int k, e = exponent;
        if (!may_do(n, x, digits)) continue;
        memcpy(some, digits, sizeof some);
        if (round_to(n, some, &e))
            k = write(x < 0, some, n, e, out);
        else
            k = hol_decimal_print(out, 32, "%.*g", n, x);
        if (hol_decimal_read(out, NULL) == x) return k;
    }
    return write(x < 0, digits, ALL, exponent, out);
}
