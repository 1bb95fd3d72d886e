// A thousand variations in threads: which gains balance the pole with the least effort?
//
//     variations [MODEL.yaml [THREADS]]          default: models/cart_pole.yaml, 4
//
// One model serves all threads; each has a context and a simulation of its own, which hol_simulation_reset makes new for every pair of
// gains: no run allocates anything. What a run finds does not depend on the thread, nor on the runs before it: the first and the last
// thread do the same twenty once more, and find the same bits. Exit 1 if they do not.
#include "holonom.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 25, VARIATIONS = ROWS * 40, PERIODS = 500, MOST_THREADS = 64, AGAIN = 20 };
#define PERIOD 4e-3 // [s]

typedef struct {
    const hol_model *model;
    int from, to; // its variations
    double *effort,
        again
            [AGAIN]; // of each variation: integral of u^2 [N^2 s], infinite where the pole fell; the first twenty again
    char message[200]; // what went wrong
} share;

static double gain(int i) { return 8 + 1.0 * (i % ROWS); }
static double damping(int i) { return 0.25 + 0.25 * (double)(i / ROWS); }

// One run: the lean is fed back. Infinite: the pole fell; NaN: an error.
static double run(hol_simulation *sim, int i, int u, int lean, int omega)
{
    double effort = 0;
    if (hol_simulation_reset(sim)) return (double)NAN;
    for (int k = 0; k < PERIODS; k++) {
        const double *y = hol_simulation_values(sim);
        if (!y) return (double)NAN;
        if (fabs(y[lean]) > 1) return HUGE_VAL;
        const double force = gain(i) * y[lean] - damping(i) * y[omega];
        effort += PERIOD * force * force;
        if (hol_simulation_set_input(sim, u, force) || hol_simulation_advance(sim, PERIOD * (k + 1)))
            return (double)NAN;
    }
    return effort;
}

// A thread's share.
static void *work(void *data)
{
    share *s = data;
    hol_context *ctx = hol_context_create();
    hol_simulation *sim = ctx ? hol_simulation_create(ctx, s->model) : NULL;
    const int u = hol_simulation_find_input(sim, "u"), lean = hol_simulation_find_signal(sim, "lean"),
              omega = hol_simulation_find_signal(sim, "pole.omega");
    bool good = sim && u >= 0 && lean >= 0 && omega >= 0;
    for (int i = s->from; i < s->to && good; i++) good = !isnan(s->effort[i] = run(sim, i, u, lean, omega));
    for (int i = 0; i < AGAIN && good; i++) good = !isnan(s->again[i] = run(sim, i, u, lean, omega));
    if (!good) snprintf(s->message, sizeof s->message, "%s", ctx ? hol_context_error(ctx) : "no memory");
    if (!good && !*s->message)
        snprintf(s->message, sizeof s->message, "the model has no input u or no signal lean");
    hol_simulation_destroy(sim);
    hol_context_destroy(ctx);
    return NULL;
}

static bool all_runs(const hol_model *model, int threads, double *effort)
{
    static share shares[MOST_THREADS];
    pthread_t thread[MOST_THREADS];
    int started = 0;
    bool good = true;
    for (; started < threads && good; started++) {
        shares[started] = (share){
            model, VARIATIONS * started / threads, VARIATIONS * (started + 1) / threads, effort, {0}, ""};
        good = pthread_create(&thread[started], NULL, work, &shares[started]) == 0;
        if (!good) break;
    }
    for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < started; i++) {
        if (*shares[i].message) fprintf(stderr, "thread %d: %s\n", i, shares[i].message);
        good = good && !*shares[i].message && memcmp(shares[i].again, effort, sizeof shares[i].again) == 0;
    }
    return good;
}

int main(int argc, char **argv)
{
    static const char *const set[] = {"simulate.method=rk", "simulate.step=0.004",
                                      "simulate.signals=[pole, lean]"};
    static double effort[VARIATIONS];
    const int threads = argc > 2 ? atoi(argv[2]) : 4;
    hol_context *ctx = hol_context_create();
    hol_model *model = ctx ? hol_model_load(ctx, argc > 1 ? argv[1] : "models/cart_pole.yaml", set, 3) : NULL;
    bool good = model && threads >= 1 && threads <= MOST_THREADS && all_runs(model, threads, effort);
    int best = 0, stood = 0;
    for (int i = 0; i < VARIATIONS && good; i++) {
        stood += isfinite(effort[i]);
        if (effort[i] < effort[best]) best = i;
    }
    good = good && isfinite(effort[best]);
    if (good)
        printf("%d of %d stand; least effort %.4f N^2 s with %g N/rad and %g N s/rad\n", stood, VARIATIONS,
               effort[best], gain(best), damping(best));
    else
        fprintf(stderr, "it did not work: %s\n", ctx ? hol_context_error(ctx) : "no memory");
    hol_model_destroy(model);
    hol_context_destroy(ctx);
    return good ? 0 : 1;
}
