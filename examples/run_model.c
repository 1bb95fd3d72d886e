// Load a model, run it to its end, print the final values of its signals.
//
//     run_model [MODEL.yaml]          default: models/four_bar.yaml
//
// Exit 1 on any error, or if the joints opened or the energy balance is off by more than 1 %.
#include "holonom.h"

#include <math.h>
#include <stdio.h>

static void print_message(void *user, hol_severity severity, const char *text)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", severity == HOL_NOTICE ? "note" : "warning", text);
}

static void print_signals(hol_simulation *sim)
{
    const double *value = hol_simulation_values(sim);
    printf("t = %g s\n", hol_simulation_time(sim));
    for (int i = 0; value && i < hol_simulation_signals(sim); i++)
        printf("  %-22s %14.6g %s\n", hol_simulation_signal_name(sim, i), value[i],
               hol_simulation_signal_unit(sim, i));
}

int main(int argc, char **argv)
{
    // what --set does on the command line: write these signals only
    static const char *const set[] = {"simulate.signals=[crank0.tip, A0, energy]"};
    const bool own_model = argc > 1;
    hol_context *ctx = hol_context_create();
    if (!ctx) return 1;
    hol_context_set_log(ctx, print_message, NULL); // notices and warnings; silent without

    // each call returns NULL or a status; the text of an error is in the context
    hol_model *model =
        hol_model_load(ctx, own_model ? argv[1] : "models/four_bar.yaml", set, own_model ? 0 : 1);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    bool good = sim && hol_simulation_run(sim) == HOL_OK;
    if (good) {
        print_signals(sim);
        const hol_statistics *s = hol_simulation_finish(sim);
        printf("%ld steps with %s, joints open by %.1e, energy error %.1e J\n", s->steps, s->method,
               s->max_position_violation, s->energy_drift_max);
        good = s->max_position_violation < 1e-6 && s->energy_drift_max < 0.01 * fabs(s->energy_start);
        if (!good) fprintf(stderr, "run_model: the run is not as accurate as expected\n");
    } else
        fprintf(stderr, "%s\n", hol_context_error(ctx));

    // NULL is allowed everywhere; the context goes last
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    hol_context_destroy(ctx);
    return good ? 0 : 1;
}
