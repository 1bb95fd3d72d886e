// Angles that count full turns. Space gives an angle up to whole turns; the memory of its last accepted value, carried on with its rate,
// says which one is meant: half a turn of difference from an even motion is allowed within a step, not half a turn of motion
// (docs/theory.md, 3.4).
#ifndef HOL_TURNS_H
#define HOL_TURNS_H

#include "base/base.h"

#include <math.h>

// Memory of one angle: its value when it was last accepted [rad], its rate then [rad/s], and when that was [s].
enum { HOL_TURNS_VALUE, HOL_TURNS_RATE, HOL_TURNS_TIME, HOL_TURNS_SIZE };

// The whole turns that this angle lacks of the one nearest to what the memory expects at time t.
static inline double hol_turns_lacking(hol_real angle, const double *mem, double t)
{
    const double expected = mem[HOL_TURNS_VALUE] + mem[HOL_TURNS_RATE] * (t - mem[HOL_TURNS_TIME]);
    return round((expected - hol_re(angle)) / (2 * HOL_PI));
}

// The angle of those that differ from this one by whole turns which is nearest to what the memory expects at time t.
static inline hol_real hol_turns_nearest(hol_real angle, const double *mem, double t)
{
    return angle + 2 * HOL_PI * hol_turns_lacking(angle, mem, t);
}

// How far an accepted one lay from what the memory before expected: half the change of the rate over the step, to its third order [rad].
static inline double hol_turns_missed(const double *before, const double *mem)
{
    return 0.5 * (mem[HOL_TURNS_TIME] - before[HOL_TURNS_TIME]) *
           fabs(mem[HOL_TURNS_RATE] - before[HOL_TURNS_RATE]);
}

// An accepted one, as found by the function above.
static inline void hol_turns_remember(hol_real angle, hol_real rate, double t, double *mem)
{
    mem[HOL_TURNS_VALUE] = hol_re(angle);
    mem[HOL_TURNS_RATE] = hol_re(rate);
    mem[HOL_TURNS_TIME] = t;
}

#endif
