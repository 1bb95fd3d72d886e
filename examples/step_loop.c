// The loop in your own hands: one accepted step at a time, your own output, and Ctrl-C that leaves everything closed.
//
//     step_loop [MODEL.yaml]          default: models/slider_crank.yaml
//
// Prints a line each tenth of a second, then cancels a second run halfway and checks that it ends properly.
// Exit 1 if anything is not as expected.
#include "holonom.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>

static hol_context *running;

// hol_context_cancel may be called from a signal handler; the next step then returns HOL_ERR_CANCELLED.
static void interrupt(int signal_number)
{
    (void)signal_number;
    hol_context_cancel(running);
}

// Steps to the end, or to `stop_at`, where it cancels itself as Ctrl-C would.
static hol_status loop(hol_context *ctx, hol_simulation *sim, bool print, double stop_at)
{
    const double end = hol_simulation_statistics(sim)->end;
    const int energy = hol_simulation_find_signal(sim, "energy.total");
    const int work = hol_simulation_find_signal(sim, "energy.work");
    bool done = false;
    hol_status st = HOL_OK;
    if (energy < 0 || work < 0) return HOL_ERR_USAGE;
    double next = 0;
    while (!done && !st) {
        if (print && hol_simulation_time(sim) >= next) {
            const double *value = hol_simulation_values(sim);
            if (!value) return hol_context_status(ctx);
            printf("%5.1f %%  t = %6.3f s  energy %9.5f J, of which put in %9.5f J\n",
                   100 * hol_simulation_time(sim) / end, hol_simulation_time(sim), value[energy],
                   value[work]);
            next += 0.1;
        }
        if (hol_simulation_time(sim) >= stop_at) raise(SIGINT);
        st = hol_simulation_step(sim, &done);
    }
    return st;
}

int main(int argc, char **argv)
{
    hol_context *ctx = hol_context_create();
    if (!ctx) return 1;
    hol_model *model = hol_model_load(ctx, argc > 1 ? argv[1] : "models/slider_crank.yaml", NULL, 0);
    running = ctx;
    signal(SIGINT, interrupt);

    // one model serves as many simulations as you like
    hol_simulation *whole = model ? hol_simulation_create(ctx, model) : NULL;
    hol_simulation *half = whole ? hol_simulation_create(ctx, model) : NULL;
    bool good = half != NULL;
    if (good) good = loop(ctx, whole, true, HUGE_VAL) == HOL_OK;
    if (good) {
        const hol_statistics *s = hol_simulation_finish(whole); // counters and times are complete now
        printf("%ld steps, energy error %.1e J\n", s->steps, s->energy_drift_max);
        good = loop(ctx, half, false, s->end / 2) == HOL_ERR_CANCELLED;
        s = hol_simulation_finish(half);
        printf("%s\n", hol_context_error(ctx));
        good = good && fabs(s->time / s->end - 0.5) < 0.1;
    }
    if (!good) fprintf(stderr, "step_loop: %s\n", hol_context_error(ctx));

    hol_simulation_destroy(half);
    hol_simulation_destroy(whole);
    hol_model_destroy(model);
    signal(SIGINT, SIG_DFL);
    hol_context_destroy(ctx);
    return good ? 0 : 1;
}
