// What tests of laws of joints share: the value of a signal at the end of a run, by one method or by all that choose their steps.
#ifndef LAWS_H
#define LAWS_H

#include "harness.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>

static motion moved(const char *model, const char *method, double T)
{
    char how[2][60];
    const char *set[] = {how[0], how[1]};
    snprintf(how[0], sizeof how[0], "simulate.method=%s", method);
    snprintf(how[1], sizeof how[1], "simulate.tolerance=%g", T);
    motion m = move(model, set, 2);
    if (m.end) fail_msg("%s, T = %g: %s", method, T, hol_context_error(ctx));
    return m;
}

static double at_end(const char *model, const char *signal, const char *method, double T)
{
    motion m = moved(model, method, T);
    const double x = value_of(&m, signal);
    close_motion(&m);
    return x;
}

#define assert_close(have, want, allowed) near(#have, have, want, allowed)

typedef struct {
    const char *signal;
    double value;
} reached;

// Every method with error control reaches the values to `factor` tolerances, one whose steps are as short as the tolerance even at three times
// of it. number: of the case; with sanitizers each tries others of the methods.
static void all_reach(int number, const char *model, double T, double factor, int n, const reached *want)
{
    for (int i = 0; hol_methods[i]; i++) {
        if (!hol_methods[i]->divisor || hol_methods[i]->order == 1 || !in_sample(i + number, 1, 3)) continue;
        motion m = moved(model, hol_methods[i]->name, hol_methods[i]->open ? 3 * T : T);
        for (int k = 0; k < n; k++)
            near(hol_methods[i]->name, value_of(&m, want[k].signal), want[k].value, factor * T);
        close_motion(&m);
    }
}

#define WANTED(...)                                                                                          \
    HOL_COUNT(((const reached[]){__VA_ARGS__})), (const reached[]) { __VA_ARGS__ }

#endif
