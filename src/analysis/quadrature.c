// The polynomial of order 4 by Newton's forward differences; docs/theory.md, section 5.6.
#include "analysis/quadrature.h"

#include <string.h>

double hol_integrate_quartic(const double value[5], double h, double t)
{
    double d[5];
    const double part = 0.25 * h, u = h > 0 ? t / part : 0;
    memcpy(d, value, sizeof d);
    for (int i = 1; i < 5; i++)
        for (int k = 4; k >= i; k--) d[k] -= d[k - 1];
    return part * u *
           (d[0] + u * (d[1] / 2 + (u / 3 - 0.5) * d[2] / 2 + (u * (u / 4 - 1) + 1) * d[3] / 6 +
                        (u * (u * (u / 5 - 1.5) + 11.0 / 3) - 3) * d[4] / 24));
}
