// What tests of laws of joints share: the value of a signal at the end of a run, by one method or by all that choose their steps.
#ifndef LAWS_H
#define LAWS_H

#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>

static double at_end(const char *model, const char *signal, const char *method, double T)
{
    char how[2][60];
    const char *set[] = {how[0], how[1]};
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    motion m = move(model, set, 2);
    if (m.end) fail_msg("%s, T = %g: %s", method, T, hol_context_error(ctx));
    const double x = value_of(&m, signal);
    close_motion(&m);
    return x;
}

#define assert_close(have, want, allowed) near(#have, have, want, allowed)

// Every method with error control reaches the value to `factor` tolerances.
static void all_reach(const char *model, const char *signal, double want, double T, double factor)
{
    for (int i = 0; hol_methods[i]; i++) {
        if (!hol_methods[i]->divisor || hol_methods[i]->order == 1) continue;
        if (few() && i % 3) continue;
        const double x = at_end(model, signal, hol_methods[i]->name, T);
        if (!(fabs(x - want) <= factor * T))
            fail_msg("%s: %s is %.9g, not %.9g", hol_methods[i]->name, signal, x, want);
    }
}

#endif
