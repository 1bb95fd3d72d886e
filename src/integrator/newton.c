// When a modified Newton iteration has converged, and when it will not. docs/theory.md, section 5.3.
#include "integrator/newton.h"

#include <math.h>
#include <stdbool.h>

hol_verdict hol_newton_judge(hol_newton *n, double size, const hol_newton_limits *limits)
{
    n->k++;
    if (!isfinite(size)) return HOL_NEWTON_FAILED;
    // no rate yet at a first correction, also with a new matrix
    const bool rated = n->k > 1 && n->last > 0;
    if (rated) n->rate = size / n->last;
    n->growing = rated && n->rate >= 1 ? n->growing + 1 : 0;
    n->last = size;
    if (size <= limits->floor) return HOL_NEWTON_CONVERGED;
    if (rated && n->rate < 1) {
        const double left = n->rate / (1 - n->rate) * size;
        if (left <= limits->target) return HOL_NEWTON_CONVERGED;
    }
    if (n->growing >= 2 || n->k >= limits->max) return HOL_NEWTON_FAILED;
    return HOL_NEWTON_GO_ON;
}
