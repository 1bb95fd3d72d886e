// Closed loops: nanoseconds per rod and step of srm (two iterates, Heun), and of two evaluations of the accelerations, which
// is such a step, along the tree with exact loop multipliers and by the sparse matrix. Ladder and net, interleaved. With
// HOLONOM_BENCH_LARGE in the environment up to 10^6 rods, which takes minutes and 4 GB; of those of the net srm alone.
#include "analysis/dynamics.h"
#include "bench.h"
#include "recursion/loop_solve.h"
#include "system/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ACCURACY 1e-6 // of the conjugate gradients, as errors of such a step are
enum { MOST = 60 };   // steps of a round: the falling ladder is not followed to where it tangles
enum { ROUNDS = 3, SRM, SRM_FREE, EXACT, SPARSE, PATHS };

typedef struct {
    hol_model_data *m;
    hol_dynamics *d;
    hol_integrator *free; // the same without projection onto the tree
    hol_value *option;
    hol_loops loops;
    hol_state x;
    double best[PATHS]; // [s] per step
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hol_status start(hol_context *ctx, bench *b, const char *file, const char *size)
{
    const char *set[] = {size,
                         "simulate.method=srm",
                         "simulate.step=0.01",
                         "simulate.end=1e6",
                         "simulate.output=1e6",
                         "simulate.signals=[energy]"};
    hol_settings settings;
    hol_spec *spec = hol_spec_read_file(ctx, file, set, HOL_COUNT(set));
    b->m = spec ? hol_model_compile(spec) : NULL;
    b->d =
        b->m && !hol_settings_read(b->m, &settings) ? hol_dynamics_create(ctx, b->m, &settings, true) : NULL;
    return b->d ? HOL_OK : HOL_ERR_MODEL;
}

static hol_status start_free(hol_context *ctx, bench *b)
{
    const hol_integrator *it = b->d->it;
    int n = 0;
    for (int k = 0; k < HOL_METHOD_TABLES; k++) n += hol_option_count(hol_method_table(it->method, k));
    b->option = hol_calloc(ctx, (size_t)n, sizeof *b->option);
    if (!b->option) return HOL_ERR_MEMORY;
    memcpy(b->option, it->option, (size_t)n * sizeof *b->option);
    for (int i = 0; it->method->options[i].key; i++)
        if (strcmp(it->method->options[i].key, "project") == 0) b->option[i].num = 0;
    const hol_steps steps = {.fixed = 0.01, .h_max = 0.01, .end = 1e6};
    hol_state x;
    if (hol_state_create(b->d->s, &x)) return HOL_ERR_MEMORY;
    hol_state_copy(b->d->s, &x, &it->x);
    b->free = hol_integrator_create(ctx, it->method, it->k, &x, b->option, &steps);
    hol_state_destroy(&x);
    return b->free ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status step(bench *b, int path)
{
    hol_integrator *it = path == SRM_FREE ? b->free : b->d->it;
    hol_status st = HOL_OK;
    for (int i = 0; i < 2 && path >= EXACT && !st; i++) {
        if (path == SPARSE) {
            st = hol_solve_accelerations(it->k, &b->x);
            continue;
        }
        memset(b->loops.mu, 0,
               (size_t)b->loops.size->n_loops * sizeof *b->loops.mu); // no help from the last step
        st = hol_loops_accelerations(&b->loops, &b->x, false);
    }
    return path >= EXACT ? st : hol_integrator_step(it, it->x.t + 0.01);
}

// Operations of one step: of srm without projection, of the exact path, of one factorisation of the matrix.
typedef struct {
    long factors, applies, iterations;
    double flops;
} counts;

static hol_status count(bench *b, int paths, counts *out)
{
    if (paths <= EXACT) return HOL_OK;
    const hol_srm_report *r = b->free->srm;
    const long factors = r->factors, applies = r->applies, iterations = b->loops.iterations;
    hol_status st = step(b, SRM_FREE);
    out->factors = r->factors - factors;
    out->applies = r->applies - applies;
    if (!st) st = step(b, EXACT);
    out->iterations = b->loops.iterations - iterations;
    if (paths > SPARSE) {
        hol_kkt_stats stats;
        hol_kkt_get_stats(b->d->kernel.A, &stats);
        out->flops = stats.factor_flops;
    }
    return st;
}

// Of the process since peak_restart.
static double peak_megabytes(void)
{
    char line[200];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
    if (f) fclose(f);
    return (double)kilobytes / 1024;
}

static void peak_restart(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (!f) return;
    fputs("5", f);
    fclose(f);
}

typedef struct {
    double srm, peak; // [ns] per rod and step, [MB]
} cost;

static hol_status measure(hol_context *ctx, bench *b, const char *file, const char *parameter, int size,
                          int paths, cost *out)
{
    char set[60];
    hol_obstacle obstacle;
    snprintf(set, sizeof set, "parameters.%s=%d", parameter, size);
    hol_status st = start(ctx, b, file, set);
    for (int i = 0; i < 5 && !st; i++) st = step(b, SRM);
    if (st) return st;
    const hol_dynamics *d = b->d;
    out->peak = peak_megabytes(); // of srm: the other paths come beside it
    if (paths > SRM_FREE) st = start_free(ctx, b);
    if (!st && paths > EXACT)
        st = hol_loops_create(ctx, d->s, &d->it->x, NULL, ACCURACY, &b->loops, &obstacle);
    if (!st && paths > EXACT) st = hol_state_create(d->s, &b->x);
    if (st) return st;
    if (paths > EXACT) hol_state_copy(d->s, &b->x, &d->it->x);
    const int bodies = d->m->n_bodies;
    for (int p = SRM; p < PATHS; p++) b->best[p] = HOL_INF;
    for (int round = 0; round < ROUNDS && !st; round++)
        for (int p = SRM; p < paths && !st; p++) {
            int steps = 0;
            const double t0 = now();
            double used = 0;
            for (; !st && (steps < 2 || (used < 0.1 && steps < MOST)); steps++, used = now() - t0)
                st = step(b, p);
            if (used / steps < b->best[p]) b->best[p] = used / steps;
        }
    counts c = {0};
    if (!st) st = count(b, paths, &c);
    for (int p = paths; p < PATHS; p++) b->best[p] = 0;
    out->srm = 1e9 * b->best[SRM] / bodies;
    printf("%8d %8.0f %8.0f %8.0f %8.0f %6ld %6ld %6ld %10.0f %8.0f\n", bodies, out->srm,
           1e9 * b->best[SRM_FREE] / bodies, 1e9 * b->best[EXACT] / bodies, 1e9 * b->best[SPARSE] / bodies,
           c.factors, c.applies, c.iterations, c.flops / bodies, out->peak);
    fflush(stdout);
    return st;
}

static void finish(bench *b)
{
    hol_loops_destroy(&b->loops);
    hol_state_destroy(&b->x);
    hol_integrator_destroy(b->free);
    hol_dynamics_destroy(b->d);
    hol_free(b->option);
    hol_model_free(b->m);
}

static bool run(const char *models, const char *file, const char *parameter, int size, int paths, cost *out)
{
    hol_context *ctx = hol_context_create();
    bench b = {0};
    char path[500];
    snprintf(path, sizeof path, "%s/%s.yaml", models, file);
    peak_restart();
    const bool failed = !ctx || measure(ctx, &b, path, parameter, size, paths, out);
    if (failed) fprintf(stderr, "%s: %s\n", path, ctx ? hol_context_error(ctx) : "memory");
    finish(&b);
    hol_context_destroy(ctx);
    return failed;
}

int bench_loops(const char *models)
{
    static const struct {
        const char *file, *parameter;
        int size, paths;
        bool large, last;
    } rows[] = {{"ladder", "K", 333, PATHS, false, false},  {"ladder", "K", 3333, PATHS, false, false},
                {"ladder", "K", 33333, PATHS, true, false}, {"ladder", "K", 333333, SPARSE, true, true},
                {"net", "L", 22, PATHS, false, false},      {"net", "L", 70, PATHS, false, false},
                {"net", "L", 223, SPARSE, true, false},     {"net", "L", 707, SRM_FREE, true, true}};
    const bool large = getenv("HOLONOM_BENCH_LARGE");
    bool failed = false;
    cost first = {0}, now = {0};
    printf(
        "closed loops: nanoseconds of CPU per rod and step of order 2; operations of a step: eliminations "
        "and "
        "substitutions\n"
        "along the tree (srm, not projected), iterations to %.0e (exact); flops of a factorisation per rod "
        "(sparse);\n"
        "peak of memory with srm alone\n"
        "    rods      srm   srm, no    exact   sparse   tree   tree  iter-     sparse     peak\n"
        "          projected project                   elim.  subst ations      flops       MB\n",
        ACCURACY);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        if (rows[i].large && !large) continue;
        const bool begins = i == 0 || strcmp(rows[i].file, rows[i - 1].file) != 0;
        failed |= run(models, rows[i].file, rows[i].parameter, rows[i].size, rows[i].paths, &now);
        if (begins) first = now;
        if (!rows[i].last) continue;
        const double growth = now.srm / first.srm;
        printf("%s: growth from the first size to the last: %.2f (bound 2.5: %s)\n", rows[i].file, growth,
               growth <= 2.5 ? "yes" : "NO");
        failed |= growth > 2.5;
    }
    return failed;
}
