// make bench: what a step costs per body, from 10 to 100,000 links of a chain, and where the time goes.
//
// Each part (residual, matrix, factorisation, solve, measures) is timed alone at the final state and multiplied by how
// often a step calls it; "rest" is what remains of the measured step. Ratios are meaningful, seconds are the machine's.
#include "bench.h"
#include "analysis/dynamics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    double step, residual, matrix, factor, solve, measure; // seconds per body and step
    double newton;                                         // iterations per step
    int bodies;
    long allocations; // in the step loop
} cost;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { PART_RESIDUAL, PART_MATRIX, PART_FACTOR, PART_SOLVE, PART_MEASURE, PARTS };

static void call(hol_dynamics *d, int part)
{
    static const hol_coefficients c = {1, 1e-6, 1e-6, 1e-3, HOL_WITH_ALL};
    hol_kernel *k = &d->kernel;
    hol_equations *s = k->s;
    hol_measure m;
    switch (part) {
    case PART_RESIDUAL: hol_equations_residual(s, &d->it->x, k->work, k->rhs); break;
    case PART_MATRIX: hol_kernel_matrix(k, &d->it->x, &c); break;
    case PART_FACTOR: hol_kernel_factor(k); break;
    case PART_SOLVE: hol_kernel_solve(k, 1, k->rhs); break;
    default: hol_equations_measure(s, &d->it->x, &m);
    }
}

// Seconds per call.
static double time_of(hol_dynamics *d, int part)
{
    int repeat = 1 + 200000 / d->s->n;
    call(d, part);
    const double start = now();
    for (int i = 0; i < repeat; i++) call(d, part);
    return (now() - start) / repeat;
}

static int run_chain(hol_context *ctx, const char *model_file, int n, cost *out)
{
    char count[40];
    const char *set[] = {count, "simulate.step=1e-3", "simulate.end=1e6", "simulate.signals=energy"};
    snprintf(count, sizeof count, "parameters.n=%d", n);
    hol_spec *spec = hol_spec_read_file(ctx, model_file, set, 4);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    hol_settings settings;
    hol_dynamics *d =
        m && !hol_settings_read(m, &settings) ? hol_dynamics_create(ctx, m, &settings, true) : NULL;
    hol_status st = d ? HOL_OK : HOL_ERR_MODEL;
    bool done;
    for (int i = 0; i < 5 && !st; i++) st = hol_dynamics_step(d, &done); // the predictor has its history
    const int steps = n < 1000 ? 200000 / n : 40; // the same number where ratios are formed
    const hol_counters before = d ? d->it->count : (hol_counters){0};
    const long residuals = d ? d->s->count.residuals : 0, jacobians = d ? d->s->count.jacobians : 0;
    hol_kkt_stats sparse0 = {0}, sparse1 = {0};
    if (d) hol_kkt_get_stats(d->kernel.A, &sparse0);
    const long allocated = hol_memory_count(ctx);
    const double start = now();
    for (int i = 0; i < steps && !st; i++) st = hol_dynamics_step(d, &done);
    const double seconds = now() - start;
    if (!st) {
        hol_kkt_get_stats(d->kernel.A, &sparse1);
        const double per = 1.0 / ((double)steps * n);
        out->bodies = n;
        out->step = seconds * per;
        out->newton = (double)(d->it->count.newton_iterations - before.newton_iterations) / steps;
        out->allocations = hol_memory_count(ctx) - allocated;
        const double n_residual = (double)(d->s->count.residuals - residuals),
                     n_matrix = (double)(d->s->count.jacobians - jacobians);
        const double n_factor = (double)(sparse1.factorizations - sparse0.factorizations);
        const double n_solve = (double)(sparse1.solves - sparse0.solves);
        out->residual = time_of(d, PART_RESIDUAL) * n_residual * per;
        out->matrix = time_of(d, PART_MATRIX) * n_matrix * per;
        out->factor = time_of(d, PART_FACTOR) * n_factor * per;
        out->solve = time_of(d, PART_SOLVE) * n_solve * per;
        out->measure = time_of(d, PART_MEASURE) / n;
    } else
        fprintf(stderr, "%s: %s\n", model_file, hol_context_error(ctx));
    hol_dynamics_destroy(d);
    hol_model_free(m);
    return st ? 1 : 0;
}

static void print(const cost *c, const cost *reference)
{
    const double share = 100 / c->step;
    printf("%8d %9.3f %8.2f %8.1f %10.0f %8.0f %8.0f %8.0f %8.0f %8.0f %8ld\n", c->bodies, 1e6 * c->step,
           reference ? c->step / reference->step : 0, c->newton, share * c->residual, share * c->matrix,
           share * c->factor, share * c->solve, share * c->measure,
           100 - share * (c->residual + c->matrix + c->factor + c->solve + c->measure), c->allocations);
}

int main(int argc, char **argv)
{
    const char *models = argc > 1 ? argv[1] : "models";
    static const char *const file[] = {"chain.yaml", "chain3d.yaml"};
    static const int sizes[] = {10, 100, 1000, 10000, 100000};
    int failed = bench_force() | bench_nonstiff() | bench_tree(models) | bench_loops(models);
    for (int k = 0; k < 2; k++) {
        char path[500];
        cost c[5] = {{0}};
        snprintf(path, sizeof path, "%s/%s", models, file[k]);
        printf("%s, hht, h = 1e-3 s: microseconds of CPU per body and step, and the share of its parts in "
               "percent\n"
               "  bodies   us/step  / 1000   newton   residual   matrix   factor    solve  measure     rest  "
               "allocs\n",
               file[k]);
        for (int i = 0; i < 5; i++) {
            hol_context *ctx = hol_context_create();
            if (!ctx || run_chain(ctx, path, sizes[i], &c[i])) failed = 1;
            print(&c[i], i >= 2 ? &c[2] : NULL);
            if (c[i].allocations) failed = 1;
            fflush(stdout);
            hol_context_destroy(ctx);
        }
        const double growth = c[4].step / c[2].step;
        printf("growth from 1000 to 100000 bodies: %.2f (bound 2.5: %s)\n\n", growth,
               growth <= 2.5 ? "yes" : "NO");
        if (growth > 2.5) failed = 1;
    }
    return failed;
}
