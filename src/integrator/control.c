// Step size control; see control.h.
#include "integrator/control.h"

#include <math.h>

#define SAFETY 0.9
#define FACTOR_MIN 0.2
#define FACTOR_MAX 5.0
#define DEAD_BAND 1.2

double hol_control_factor(double ratio, double power, bool grow)
{
    const double factor = hol_control_factor_plain(ratio, power, grow);
    return factor > 1 && factor < DEAD_BAND ? 1 : factor;
}

double hol_control_factor_plain(double ratio, double power, bool grow)
{
    const double largest = grow ? FACTOR_MAX : 1;
    if (!(ratio > 0))
        return ratio == 0 ? largest : FACTOR_MIN; // nothing moves (free flight), or not a number
    const double factor = SAFETY * pow(ratio, -1 / power);
    if (factor < FACTOR_MIN) return FACTOR_MIN;
    return factor > largest ? largest : factor;
}

double hol_control_step(double t, double wanted, double h_max, double t_stop, hol_limit *limit)
{
    double h = wanted;
    if (h > h_max) {
        h = h_max;
        *limit = HOL_LIMIT_MAX_STEP;
    }
    const double left = t_stop - t;
    if (h >= left * (1 - 1e-9)) {
        *limit = HOL_LIMIT_STOP;
        return left;
    }
    return h > 0.5 * left ? 0.5 * left : h; // two equal steps rather than a long and a tiny one
}
