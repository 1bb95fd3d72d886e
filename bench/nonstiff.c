// Non-stiff problems of the field with rk: chains of parallelograms through their singular poses, Bricard's mechanism with
// its redundant equation, the seven-body mechanism of Andrews. CPU of the integration alone, the least of several rounds.
#include "bench.h"
#include "analysis/dynamics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, SETTINGS = 4 };

typedef struct {
    const char *title, *model;
    const char *set[SETTINGS];
    double drift; // that must be met [J]; Andrews' mechanism is driven, its balance is meant
    double by_hand;
} problem;

// by_hand: milliseconds of programs written for the one problem (explicit Runge-Kutta of a library, sparse KKT, projection),
// least over their settings at the same accuracy, one core of 2.3 GHz.
static const problem problems[] = {
    {"parallelograms, N = 2",
     "four_bar",
     {"parameters.N=2", "simulate.tolerance=5e-3", "simulate.end=10", "simulate.output=10"},
     0.1,
     1.7},
    {"parallelograms, N = 40",
     "four_bar",
     {"parameters.N=40", "simulate.tolerance=2.5e-4", "simulate.end=10", "simulate.output=10"},
     0.1,
     25},
    {"parallelograms, N = 200",
     "four_bar",
     {"parameters.N=200", "simulate.tolerance=5e-5", "simulate.end=10", "simulate.output=10"},
     0.1,
     170},
    {"Bricard", "bricard", {"simulate.tolerance=1.5e-4", "simulate.end=10", "simulate.output=10"}, 1e-3, 4.1},
    {"Andrews",
     "andrews",
     {"simulate.tolerance=5e-5", "simulate.end=0.03", "simulate.output=0.03"},
     1e-3,
     0.65},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hol_status run(hol_context *ctx, const problem *p, double *seconds, hol_statistics *out)
{
    char path[100];
    const char *set[SETTINGS + 3] = {"simulate.method=rk", "rk.order=8", "simulate.signals=energy"};
    int n = 3;
    while (n < SETTINGS + 3 && p->set[n - 3]) {
        set[n] = p->set[n - 3];
        n++;
    }
    snprintf(path, sizeof path, "models/%s.yaml", p->model);
    hol_model *model = hol_model_load(ctx, path, set, n);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    if (!sim) return HOL_ERR_MODEL;
    const double begin = now();
    const hol_status st = hol_simulation_run(sim);
    *seconds = now() - begin;
    *out = *hol_simulation_statistics(sim);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return st;
}

int bench_nonstiff(void)
{
    int failed = 0;
    printf("rk, order 8, integration only: least of %d rounds\n", ROUNDS);
    printf("  %-24s %8s %8s %10s %10s %10s %14s\n", "problem", "steps", "rhs", "drift", "ms", "us/rhs",
           "by hand, ms");
    for (int i = 0; i < (int)(sizeof problems / sizeof *problems); i++) {
        const problem *p = &problems[i];
        hol_statistics s = {0};
        double best = 1e9, seconds = 0;
        for (int k = 0; k < ROUNDS; k++) {
            hol_context *ctx = hol_context_create();
            if (!ctx || run(ctx, p, &seconds, &s)) {
                printf("  %s: %s\n", p->title, ctx ? hol_context_error(ctx) : "no memory");
                failed = 1;
            }
            best = seconds < best ? seconds : best;
            hol_context_destroy(ctx);
        }
        printf("  %-24s %8ld %8ld %10.1e %10.3f %10.2f %14.2f\n", p->title, s.steps, s.residuals,
               s.energy_drift_max, 1e3 * best, 1e6 * best / (double)s.residuals, p->by_hand);
        if (s.energy_drift_max > p->drift) failed = 1;
    }
    printf("\n");
    return failed;
}
