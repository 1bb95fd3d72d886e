// Arithmetic of intervals, rounded outwards: every operation, and every function of the C library, is wrong by less than
// LAST of its result. What is exactly 0 stays so. Inside src/expr only.
//     [a] + [b] = [a.lo + b.lo, a.hi + b.hi],    [a] [b] = hull of the four products,    0 inf = 0
// R. E. Moore, R. B. Kearfott, M. J. Cloud: Introduction to Interval Analysis, SIAM 2009, chapters 2 and 3.
#ifndef HOL_INTERVAL_H
#define HOL_INTERVAL_H

#include "expr/enclose.h"

#include <float.h>
#include <math.h>

#define HOL_INTERVAL_LAST (4 * DBL_EPSILON)
#define HOL_INTERVAL_LEAST 1e-320 // more than what underflow takes away

static const hol_interval hol_whole = {-(double)INFINITY, (double)INFINITY}, hol_zero = {0, 0};

static inline hol_interval hol_outward(double lo, double hi)
{
    if (!(lo <= hi)) return hol_whole; // not a number
    lo = fmin(lo, DBL_MAX);
    hi = fmax(hi, -DBL_MAX);
    return (hol_interval){lo - HOL_INTERVAL_LAST * fabs(lo), hi + HOL_INTERVAL_LAST * fabs(hi)};
}

// After n more operations.
static inline hol_interval hol_loosen(hol_interval a, int n)
{
    const double last = n * HOL_INTERVAL_LAST;
    return (hol_interval){a.lo - last * fabs(a.lo), a.hi + last * fabs(a.hi)};
}
static inline bool hol_holds(hol_interval a, double x) { return a.lo <= x && x <= a.hi; }
static inline bool hol_is_zero(hol_interval a) { return a.lo == 0 && a.hi == 0; }
static inline hol_interval hol_hull(hol_interval a, hol_interval b)
{
    return (hol_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
static inline hol_interval hol_clip(hol_interval a, double lo, double hi)
{
    return (hol_interval){fmin(fmax(a.lo, lo), hi), fmax(fmin(a.hi, hi), lo)};
}
static inline hol_interval hol_minus(hol_interval a) { return (hol_interval){-a.hi, -a.lo}; }
static inline double hol_most(hol_interval a) { return fmax(fabs(a.lo), fabs(a.hi)); }
static inline double hol_least(hol_interval a) { return hol_holds(a, 0) ? 0 : fmin(fabs(a.lo), fabs(a.hi)); }
static inline hol_interval hol_plus(hol_interval a, hol_interval b)
{
    return hol_outward(a.lo + b.lo, a.hi + b.hi);
}
static inline hol_interval hol_less(hol_interval a, hol_interval b) { return hol_plus(a, hol_minus(b)); }
hol_interval hol_times(hol_interval a, hol_interval b);
hol_interval hol_over(hol_interval a, hol_interval b); // everything if b holds 0
hol_interval hol_square(hol_interval a);

#endif
