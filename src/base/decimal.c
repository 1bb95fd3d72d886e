// Numbers in texts. The C library writes and reads them by the locale of the thread, which is the caller's, or what user code
// has made of it in the middle of a run. While one text is made or read the thread has the C locale, and then its own again:
// nobody else sees it, and setlocale in another thread does not reach it.
#include "base/base.h"

#include <math.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

// What was in force; to be given back to uselocale.
static locale_t enter_c(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_c_locale);
    return uselocale(c_locale); // without memory for the C locale this changes nothing
}

int hol_decimal_vprint(char *text, size_t size, const char *format, va_list args)
{
    const locale_t before = enter_c();
    const int length = vsnprintf(text, size, format, args);
    uselocale(before);
    return length;
}

int hol_decimal_print(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = hol_decimal_vprint(text, size, format, args);
    va_end(args);
    return length;
}

long double hol_decimal_read_long(const char *text)
{
    const locale_t before = enter_c();
    const long double x = strtold(text, NULL);
    uselocale(before);
    return x;
}

double hol_decimal_read(const char *text, char **end)
{
    const locale_t before = enter_c();
    const double x = strtod(text, end);
    uselocale(before);
    return x;
}

const char *hol_decimal_factor(double large, double small, char text[HOL_FACTOR])
{
    const double factor = large / small;
    if (isfinite(factor))
        hol_decimal_print(text, HOL_FACTOR, "%.2g", factor);
    else
        hol_decimal_print(text, HOL_FACTOR, "1e+%.0f", log10(large) - log10(small));
    return text;
}

int hol_decimal_digits(double a, double b)
{
    enum { LEAST = 6, MOST = 17 };
    char text[2][40];
    for (int n = LEAST; n < MOST; n++) {
        hol_decimal_print(text[0], sizeof text[0], "%.*g", n, a);
        hol_decimal_print(text[1], sizeof text[1], "%.*g", n, b);
        if (a == b || strcmp(text[0], text[1]) != 0) return n;
    }
    return MOST;
}
