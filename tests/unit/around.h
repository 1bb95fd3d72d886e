// What tests of programs around a simulation share: a form of a method begun with fixed steps or with a tolerance, and its values at the end.
#ifndef AROUND_H
#define AROUND_H

#include "method_forms.h"

static motion open_either(const form *f, const char *model, const char *more)
{
    return open_somehow(f, model, 0.01, 1e-4, more);
}

static void good(const form *f, hol_status st)
{
    if (st) fail_msg("%s: %s", f->set, hol_context_error(ctx));
}

// Values at the end, which the simulation owns.
static const double *to_the_end(const form *f, hol_simulation *sim)
{
    bool done = false;
    while (!done) good(f, hol_simulation_step(sim, &done));
    const double *value = hol_simulation_values(sim);
    if (!value) fail_msg("%s: %s", f->set, hol_context_error(ctx));
    return value;
}

static void expect_same(const form *f, const char *what, const hol_simulation *sim, const double *a,
                        const double *b)
{
    for (int i = 0; i < hol_simulation_signals(sim); i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("%s, %s: %s is %.17g and %.17g", f->set, what, hol_simulation_signal_name(sim, i), a[i],
                     b[i]);
}

#endif
