// Closed loops: nanoseconds per rod and step of srm (two iterates, Heun), and of two evaluations of the accelerations, which
// is such a step, along the tree with exact loop multipliers and by the sparse matrix. Ladder and net, interleaved.
#include "analysis/dynamics.h"
#include "bench.h"
#include "system/loop_solve.h"
#include "system/project.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ACCURACY 1e-6 // of the conjugate gradients, as errors of such a step are
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
    const char *set[] = {size, "simulate.method=srm", "simulate.step=0.01", "simulate.end=1e6",
                         "simulate.output=1e6"};
    hol_settings settings;
    hol_spec *spec = hol_spec_read_file(ctx, file, set, HOL_COUNT(set));
    b->m = spec ? hol_model_compile(spec) : NULL;
    b->d =
        b->m && !hol_settings_read(b->m, &settings) ? hol_dynamics_create(ctx, b->m, &settings, true) : NULL;
    if (!b->d) return HOL_ERR_MODEL;
    const hol_integrator *it = b->d->it;
    int n = 0;
    for (int k = 0; k < HOL_METHOD_TABLES; k++) n += hol_option_count(hol_method_table(it->method, k));
    b->option = hol_calloc(ctx, (size_t)n, sizeof *b->option);
    if (!b->option) return HOL_ERR_MEMORY;
    memcpy(b->option, it->option, (size_t)n * sizeof *b->option);
    for (int i = 0; it->method->options[i].key; i++)
        if (strcmp(it->method->options[i].key, "project") == 0) b->option[i].num = 0;
    const hol_steps steps = {.fixed = 0.01, .h_max = 0.01, .end = 1e6};
    b->free = hol_integrator_create(ctx, it->method, b->d->s, &it->x, b->option, &steps);
    return b->free ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status step(bench *b, int path)
{
    hol_integrator *it = path == SRM_FREE ? b->free : b->d->it;
    hol_status st = HOL_OK;
    for (int i = 0; i < 2 && path >= EXACT && !st; i++) {
        if (path == SPARSE) {
            st = hol_solve_accelerations(b->d->s, &b->x);
            continue;
        }
        memset(b->loops.mu, 0,
               (size_t)b->loops.size->n_loops * sizeof *b->loops.mu); // no help from the last step
        st = hol_loops_accelerations(&b->loops, &b->x, false);
    }
    return path >= EXACT ? st : hol_integrator_step(it, it->x.t + 0.01);
}

static hol_status measure(hol_context *ctx, bench *b, const char *file, const char *parameter, int size,
                          bool sparse)
{
    char set[60];
    snprintf(set, sizeof set, "parameters.%s=%d", parameter, size);
    hol_status st = start(ctx, b, file, set);
    if (st) return st;
    const hol_dynamics *d = b->d;
    for (int i = 0; i < 5 && !st; i++) st = step(b, SRM);
    if (!st) st = hol_loops_create(ctx, d->s, &d->it->x, ACCURACY, &b->loops);
    if (!st) st = hol_state_create(d->s, &b->x);
    if (st) return st;
    hol_state_copy(d->s, &b->x, &d->it->x);
    const int bodies = d->m->n_bodies;
    for (int p = SRM; p < PATHS; p++) b->best[p] = HOL_INF;
    for (int round = 0; round < ROUNDS && !st; round++)
        for (int p = SRM; p < (sparse ? PATHS : SPARSE) && !st; p++) {
            int steps = 0;
            const double t0 = now();
            double used = 0;
            for (; !st && (steps < 2 || used < 0.1); steps++, used = now() - t0) st = step(b, p);
            if (used / steps < b->best[p]) b->best[p] = used / steps;
        }
    const long before = b->loops.iterations;
    if (!st) st = step(b, EXACT);
    printf("%8d %8d %8.0f %8.0f %8.0f %8.0f %7ld\n", bodies, b->loops.size->n_loops,
           1e9 * b->best[SRM] / bodies, 1e9 * b->best[SRM_FREE] / bodies, 1e9 * b->best[EXACT] / bodies,
           sparse ? 1e9 * b->best[SPARSE] / bodies : 0, (b->loops.iterations - before) / 2);
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

int bench_loops(const char *models)
{
    static const struct {
        const char *file, *parameter;
        int size, sparse;
    } rows[] = {{"ladder", "K", 333, 1}, {"ladder", "K", 3333, 1}, {"net", "L", 22, 1}, {"net", "L", 70, 1}};
    int failed = 0;
    printf("closed loops: nanoseconds of CPU per rod and step of order 2; the last column: iterations "
           "to %.0e\n"
           "    rods    loops      srm   srm, no    exact   sparse   iter-\n"
           "              rows  projected project                    ations\n",
           ACCURACY);
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        hol_context *ctx = hol_context_create();
        bench b = {0};
        char path[500];
        snprintf(path, sizeof path, "%s/%s.yaml", models, rows[i].file);
        if (!ctx || measure(ctx, &b, path, rows[i].parameter, rows[i].size, rows[i].sparse)) {
            fprintf(stderr, "%s: %s\n", path, ctx ? hol_context_error(ctx) : "memory");
            failed = 1;
        }
        finish(&b);
        hol_context_destroy(ctx);
    }
    return failed;
}
