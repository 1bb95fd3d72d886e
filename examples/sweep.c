// A parameter sweep: the same model file with other values, one table line each.
//
//     sweep                           reads models/pendulum.yaml
//
// The period of a pendulum that swings by 60 degrees, for five lengths, against the closed form
//     T = 2 pi sqrt(L/g) / agm(1, cos(30 deg)).
// Exit 1 if one of them differs by more than 1e-5 of it.
#include "holonom.h"

#include <math.h>
#include <stdio.h>

static const double gravity = 9.81, degree = 0.017453292519943295, pi = 3.141592653589793;

static double closed_form(double length)
{
    double a = 1, b = cos(30 * degree);
    while (fabs(a - b) > 1e-15) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * pi * sqrt(length / gravity) / a;
}

// It starts at rest on the right, so a quarter of the period is the time at which x passes zero. -1: error.
static double simulated(hol_context *ctx, double length)
{
    char l[64], step[64];
    snprintf(l, sizeof l, "parameters.L=%.17g", length);
    snprintf(step, sizeof step, "simulate.step=%.17g",
             1e-3 * sqrt(length)); // as many steps per period for all
    const char *const set[] = {l, step, "simulate.signals=[bob]"};
    hol_model *model = hol_model_load(ctx, "models/pendulum.yaml", set, 3);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    double quarter = -1, t0 = 0, x0 = 0;
    bool done = !sim;
    const int x = sim ? hol_simulation_find_signal(sim, "bob.x") : -1;
    while (!done && quarter < 0) {
        const double *value = hol_simulation_values(sim);
        const double t = hol_simulation_time(sim);
        if (!value) break;
        if (value[x] <= 0) quarter = t0 + (t - t0) * x0 / (x0 - value[x]); // x is nearly straight here
        t0 = t;
        x0 = value[x];
        if (hol_simulation_step(sim, &done)) break;
    }
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return quarter < 0 ? -1 : 4 * quarter;
}

int main(void)
{
    static const double length[] = {0.25, 0.5, 1, 2, 4}; // [m]
    hol_context *ctx = hol_context_create();
    bool good = ctx != NULL;
    printf("%10s %14s %14s %12s\n", "length/m", "period/s", "closed form/s", "difference");
    for (size_t i = 0; good && i < sizeof length / sizeof *length; i++) {
        const double exact = closed_form(length[i]), period = simulated(ctx, length[i]);
        if (period < 0) fprintf(stderr, "sweep: %s\n", hol_context_error(ctx));
        printf("%10g %14.6f %14.6f %12.1e\n", length[i], period, exact, period / exact - 1);
        good = fabs(period / exact - 1) < 1e-5;
    }
    hol_context_destroy(ctx);
    return good ? 0 : 1;
}
