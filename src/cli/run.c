// holonom run MODEL: simulate, show progress, write results, print the summary.
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const cli_option options[] = {
    {"--method", NULL, "NAME", "simulate.method=", "integrator, see holonom methods"},
    {"--step", NULL, "H", "simulate.step=", "step size in seconds"},
    {"--end", NULL, "T", "simulate.end=", "end in seconds"},
    {"--set", NULL, "PATH=VALUE", "", "override a value, e.g. parameters.N=40 or newmark.gamma=0.75"},
    {"--out", "-o", "FILE.csv", NULL, "write results; may be given several times"},
    {"--stats", NULL, "FILE.json", NULL, "write the statistics"},
    {"-q", NULL, NULL, NULL, "no progress, notes and summary"},
    {NULL, NULL, NULL, NULL, NULL}};

// ---- progress -------------------------------------------------------------------------------------------------

typedef struct {
    bool terminal, shown;
    double started, last;
} progress;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// On a terminal one line that is overwritten, otherwise a line every 10 s.
static void show(progress *p, const hol_simulation *sim, const hol_statistics *s, long steps, bool last)
{
    const double t = now();
    if (!last && t - p->last < (p->terminal ? 0.1 : 10)) return;
    if (last && !p->terminal) return;
    p->last = t;
    const double done = s->end > 0 ? hol_simulation_time(sim) / s->end : 0;
    const double left = done > 0 ? (t - p->started) * (1 - done) / done : 0;
    fprintf(stderr, "%st = %-10.5g s  %5.1f %%  %ld steps  violation %.1e  %.0f s left%s", p->terminal ? "\r" : "",
            hol_simulation_time(sim), 100 * done, steps, s->max_position_violation, left, p->terminal ? "  " : "\n");
    p->shown = true;
    if (last) fprintf(stderr, "\n");
    fflush(stderr);
}

// ---- results --------------------------------------------------------------------------------------------------

static const char *status_word(hol_status st)
{
    switch (st) {
    case HOL_OK: return "ok";
    case HOL_ERR_CANCELLED: return "interrupted";
    case HOL_ERR_IO: return "not written";
    default: return "stopped";
    }
}

static void print_summary(const hol_simulation *sim, const hol_statistics *s, const cli_options *o)
{
    int bodies, coordinates, constraints, redundant;
    hol_simulation_counts(sim, &bodies, &coordinates, &constraints, &redundant);
    printf("%-18s %d bodies, %d coordinates, %d constraints, %d degree%s of freedom, ", o->model, bodies, coordinates,
           constraints, coordinates - constraints + redundant, coordinates - constraints + redundant == 1 ? "" : "s");
    if (redundant)
        printf("%d redundant\n", redundant);
    else
        printf("none redundant\n");
    printf("%-18s 0 .. %.6g s   %ld steps, %.1f Newton iterations per step, h %.3g s\n", s->method, s->time, s->steps,
           s->steps ? (double)s->newton_iterations / (double)s->steps : 0, s->h_max);
    if (s->position_violation_joint)
        printf("joints held to %.1e (%s, %s), velocities to %.1e\n", s->max_position_violation, s->position_violation_joint,
               s->position_violation_direction, s->max_velocity_violation);
    printf("energy drift %.3g J, at the start %.4g J; %.3g s CPU\n", s->energy_drift_max, s->energy_start, s->cpu_seconds);
    if (s->unconverged)
        printf("%ld of the steps were accepted without convergence, as accept_unconverged asked\n", s->unconverged);
    if (s->corrector_failures) printf("%ld times Newton's iteration had to start again\n", s->corrector_failures);
    for (int i = 0; i < o->n_out; i++) printf("%s%s", i ? "  " : "", o->out[i]);
    if (o->n_out) printf("\n");
}

static void json_number(FILE *f, const char *key, double x, const char *end)
{
    if (isfinite(x))
        fprintf(f, "  \"%s\": %.17g%s\n", key, x, end);
    else
        fprintf(f, "  \"%s\": null%s\n", key, end);
}

static int write_stats(const char *path, const hol_statistics *s)
{
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        return 1;
    }
    fprintf(f, "{\n  \"method\": \"%s\",\n  \"tolerance\": null,\n  \"status\": \"%s\",\n", s->method,
            status_word(s->status));
    const struct {
        const char *key;
        long value;
    } counts[] = {{"steps", s->steps},
                  {"rejected", s->rejected},
                  {"corrector_failures", s->corrector_failures},
                  {"residuals", s->residuals},
                  {"jacobians", s->jacobians},
                  {"factorizations", s->factorizations},
                  {"newton_iterations", s->newton_iterations},
                  {"unconverged", s->unconverged}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        fprintf(f, "  \"%s\": %ld,\n", counts[i].key, counts[i].value);
    json_number(f, "time", s->time, ",");
    json_number(f, "h_min", s->h_min, ",");
    json_number(f, "h_max", s->h_max, ",");
    json_number(f, "max_position_violation", s->max_position_violation, ",");
    json_number(f, "max_velocity_violation", s->max_velocity_violation, ",");
    json_number(f, "energy_drift_max", s->energy_drift_max, ",");
    json_number(f, "cpu_seconds", s->cpu_seconds, ",");
    json_number(f, "wall_seconds", s->wall_seconds, "");
    fprintf(f, "}\n");
    if (fclose(f) == 0) return 0;
    perror(path);
    return 1;
}

// ---- the verb -------------------------------------------------------------------------------------------------

static hol_status open_outputs(hol_simulation *sim, const cli_options *o)
{
    for (int i = 0; i < o->n_out; i++) {
        const char *dot = strrchr(o->out[i], '.');
        if (!dot || strcmp(dot, ".csv") != 0) {
            fprintf(stderr, "holonom: error: --out %s: results are written as .csv\n", o->out[i]);
            return HOL_ERR_USAGE;
        }
        const hol_status st = hol_simulation_write_csv(sim, o->out[i]);
        if (st) return st;
    }
    return HOL_OK;
}

static hol_status loop(hol_simulation *sim, const hol_statistics *s, bool quiet)
{
    progress p = {.terminal = isatty(2), .started = now()};
    bool done = false;
    hol_status st = HOL_OK;
    p.last = p.started;
    for (long steps = 1; !done && !st; steps++) {
        st = hol_simulation_step(sim, &done);
        if (!quiet && (steps % 16 == 0 || done)) show(&p, sim, s, steps, done && p.shown);
    }
    if (p.terminal && p.shown && st) fprintf(stderr, "\n");
    return st;
}

static int run(hol_context *ctx, const cli_options *o)
{
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    hol_simulation *sim = model ? hol_simulation_create(ctx, model) : NULL;
    int code = 0;
    if (!sim) code = cli_fail(ctx, hol_context_status(ctx));
    hol_status st = sim ? open_outputs(sim, o) : HOL_OK;
    if (st) code = st == HOL_ERR_USAGE ? 2 : cli_fail(ctx, st);
    if (!code) {
        st = loop(sim, hol_simulation_statistics(sim), o->quiet);
        const hol_statistics *s = hol_simulation_finish(sim);
        if (s->status) code = cli_fail(ctx, s->status);
        if (!o->quiet) print_summary(sim, s, o);
        if (o->stats && write_stats(o->stats, s) && !code) code = 1;
    }
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_run = {
    "run", "MODEL [options]", "simulate a model and write its motion, reactions and energies",
    "Examples:\n  holonom run models/four_bar.yaml --out four_bar.csv\n"
    "  holonom run models/pendulum.yaml --method newmark --set newmark.gamma=0.75 --step 1e-3 --end 4",
    options, run};
