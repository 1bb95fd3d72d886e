// Which method is the fastest for which error, and how many digits are sure.
//
//     compare_methods [MODEL]         reads models/pendulum.yaml if none is given
//
// Four methods run at four tolerances, as many runs at a time as there are processors; then a certificate of
// the positions by two methods that have nothing in common. Ctrl-C ends it. Exit 1 if six digits are not verified.
#include "holonom_compare.h"

#include <signal.h>
#include <stdio.h>

static hol_context *ctx;

static void interrupt(int number)
{
    (void)number;
    hol_context_cancel(ctx); // the runs that are under way stop at their next step
}

// Called by the library when a run is over.
static void progress(void *user, const hol_run *run, int done, int wanted)
{
    (void)user;
    if (wanted)
        fprintf(stderr, "%d of %d: %s at %.0e: %s\n", done, wanted, run->method, run->tolerance,
                hol_fate_word(run->fate));
}

// For each power of ten the fastest run whose error is below it, and how much longer the next method takes.
static int show_race(const hol_model *model)
{
    static const char *const method[] = {"rk", "hht", "bdf", "joint_bdf"}; // none: all
    static const double tolerance[] = {1e-3, 1e-4, 1e-5, 1e-6};
    const hol_race_options options = {.study = {.ended = progress},
                                      .method = method,
                                      .n_methods = sizeof method / sizeof *method,
                                      .tolerance = tolerance,
                                      .n_tolerances = sizeof tolerance / sizeof *tolerance};
    hol_race *race = hol_race_create(ctx, model, &options);
    if (!race) return 1;
    if (race->status) fprintf(stderr, "compare_methods: %s\n", race->why);
    for (int i = 0; i < race->n_choices; i++) {
        const hol_choice *c = &race->choice[i];
        const hol_run *run = &race->run[c->run].run;
        printf("errors 1e-%d .. 1e-%d: %s at %.0e, %ld steps", c->first, c->last, run->method, run->tolerance,
               run->out.steps);
        if (c->second >= 0)
            printf("; %s takes %.1f times as long", race->run[c->second].run.method, c->times);
        printf("\n");
    }
    hol_race_destroy(race);
    return 0;
}

// The digits of each signal, and the bound of its error.
static int show_certificate(const hol_model *model)
{
    hol_certificate *c = hol_certificate_create(ctx, model, NULL);
    if (!c) return 1;
    const hol_reference *r = &c->reference;
    for (int i = 0; c->signal && i < r->n_signals; i++)
        printf("%s: %d digits, wrong by at most %.1e %s\n", r->signal[i].name, c->signal[i].digits,
               c->signal[i].error, r->signal[i].unit);
    if (c->because) printf("%s\n", c->because);
    if (c->status) fprintf(stderr, "compare_methods: %s\n", c->why);
    const int failed = c->status != HOL_OK;
    hol_certificate_destroy(c);
    return failed;
}

int main(int argc, char **argv)
{
    ctx = hol_context_create();
    if (!ctx) return 1;
    signal(SIGINT, interrupt);
    hol_model *model = hol_model_load(ctx, argc > 1 ? argv[1] : "models/pendulum.yaml", NULL, 0);
    const int failed = !model || show_race(model) || show_certificate(model);
    if (*hol_context_error(ctx)) fprintf(stderr, "compare_methods: %s\n", hol_context_error(ctx));
    hol_model_destroy(model);
    signal(SIGINT, SIG_DFL);
    hol_context_destroy(ctx);
    return failed;
}
