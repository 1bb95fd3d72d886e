// holonom run MODEL: simulate, show progress, write results, print the summary.
#include "base/file.h"
#include "cli/names.h"
#include "cli/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const cli_option options[] = {
    {"--method", NULL, "NAME", "simulate.method=", "integrator, see holonom methods"},
    {"--tol", NULL, "T", "simulate.tolerance=",
     "error of the result, as a part of the length of the mechanism and in rad; steps are chosen by it"},
    {"--step", NULL, "H", "simulate.step=", "instead: fixed steps of this size in seconds"},
    {"--max-step", NULL, "H", "simulate.max_step=", "largest step in seconds"},
    {"--end", NULL, "T", "simulate.end=", "end in seconds"},
    {"--time-limit", NULL, "SECONDS",
     "simulate.time_limit=", "stop after this time of the wall clock, with status 7"},
    {"--set", NULL, "PATH=VALUE", "", "override a value, e.g. parameters.N=40 or newmark.gamma=0.75"},
    CLI_OUTPUTS,
    {"--contacts", NULL, "FILE.csv", NULL,
     "write the table of contacts: onset, end, speeds, depth, impulse, what was lost, a line each"},
    {"--checkpoint", NULL, "FILE", NULL, "save the state every 30 s and at the end or when stopped"},
    {"--restart", NULL, "FILE", NULL,
     "go on from a checkpoint, with the same model, method and tolerance; --end may be later; writes the "
     "rows "
     "behind it"},
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
    fprintf(stderr, "%st = %-10.5g s  %5.1f %%  %ld steps  violation %.1e  %.0f s left%s",
            p->terminal ? "\r" : "", hol_simulation_time(sim), 100 * done, steps, s->max_position_violation,
            left, p->terminal ? "  " : "\n");
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
    case HOL_ERR_LIMIT: return "limit reached";
    case HOL_ERR_IO: return "not written";
    default: return "stopped";
    }
}

// The method's line, and what kept the steps from being longer.
static void print_steps(const hol_statistics *s)
{
    char newton[60] = "", method[100], limits[300];
    hol_limits_text(s, limits, sizeof limits);
    snprintf(method, sizeof method, s->chosen ? "%s (%s)" : "%s", s->method, s->chosen);
    if (s->steps && s->newton_iterations) // methods without Newton's iteration say nothing about it
        snprintf(newton, sizeof newton, ", %.1f Newton iterations per step",
                 (double)s->newton_iterations / (double)s->steps);
    if (isnan(s->tolerance)) {
        printf("%s: 0 .. %.6g s, found from pose to pose in %ld step%s of at most %.2g s%s\n", method,
               s->time, s->steps, s->steps == 1 ? "" : "s", s->h_max, newton);
    } else if (s->tolerance == 0) {
        printf("%s: 0 .. %.6g s in %ld fixed step%s of %.3g s%s\n", method, s->time, s->steps,
               s->steps == 1 ? "" : "s", s->h_max, newton);
    } else {
        printf("%s, tolerance %.1g: 0 .. %.6g s in %ld step%s (%ld rejected) of %.2g .. %.2g s%s\n", method,
               s->tolerance, s->time, s->steps, s->steps == 1 ? "" : "s", s->rejected, s->h_min, s->h_max,
               newton);
    }
    if (*limits) printf("what limited the length of the steps: %s\n", limits);
}

// "1 body, ", "3 bodies, "
static void print_count(long n, const char *one, const char *many, const char *after)
{
    printf("%ld %s%s", n, n == 1 ? one : many, after);
}

// "1 velocity constraint, 2 states"
static void print_users(int rates, int variables, int states, int events)
{
    const struct {
        int n;
        const char *one, *many;
    } list[] = {{rates, "velocity constraint", "velocity constraints"},
                {variables, "variable", "variables"},
                {states, "state", "states"},
                {events, "event", "events"}};
    const char *comma = "";
    if (rates + variables + states + events == 0) return;
    for (int i = 0; i < 4; i++) {
        if (!list[i].n) continue;
        printf("%s", comma);
        print_count(list[i].n, list[i].one, list[i].many, "");
        comma = ", ";
    }
    printf("\n");
}

static void print_loops(const hol_statistics *s)
{
    if (s->srm_eps <= 0) return;
    printf(
        "loops: eps %.3g, open by %.1e, by %.1e in velocity; last two iterates differ by %.1e; multipliers "
        "up to %.3g\n",
        s->srm_eps, s->srm_drift, s->srm_rate, s->srm_estimate, s->srm_multiplier);
    printf("regularization dissipated %.3g J; eigenvalues of the loops from %.2g to %.2g at the start\n",
           s->srm_dissipated, s->srm_least, s->srm_most);
}

enum { DEAREST = 3 };
#define NOTHING 0.005 // share that is not worth a word

static void print_costs(const hol_cost *cost, int n)
{
    for (int i = 0; i < n && (i == 0 || cost[i].share >= NOTHING); i++)
        printf("%s%s (%s) %.2g s (%.0f %%)",
               i ? ", " : "; the elements that took the longest: ", cost[i].name, cost[i].type,
               cost[i].cpu_seconds, 100 * cost[i].share);
    printf("\n");
}

// Has a page taken the place of the file that was there, if any? One that could not be made has not.
static bool is_new(const char *path, const struct stat *before)
{
    struct stat now;
    return stat(path, &now) == 0 && (now.st_dev != before->st_dev || now.st_ino != before->st_ino);
}

// What is told after a run: counts, what was chosen, steps, violations, energy, costs, files.
static void print_summary(const hol_simulation *sim, const hol_statistics *s, const hol_cost *cost,
                          int n_costs, const struct stat *old_page, const cli_options *o)
{
    int bodies, coordinates, constraints, redundant, rates, variables, states, events;
    hol_simulation_counts(sim, &bodies, &coordinates, &constraints, &redundant);
    printf("%s: ", o->model);
    print_count(bodies, "body", "bodies", ", ");
    print_count(coordinates, "coordinate", "coordinates", ", ");
    print_count(constraints, "constraint", "constraints", ", ");
    print_count(coordinates - constraints + redundant, "degree of freedom", "degrees of freedom", ", ");
    if (redundant)
        printf("%d constraint%s redundant", redundant, redundant == 1 ? "" : "s");
    else if (!s->unexamined_loops)
        printf("no constraint redundant");
    if (s->unexamined_loops)
        printf("%sredundant ones not looked for in %d large group%s of loops", redundant ? ", " : "",
               s->unexamined_loops, s->unexamined_loops == 1 ? "" : "s");
    printf("\n");
    hol_simulation_user_counts(sim, &rates, &variables, &states, &events);
    print_users(rates, variables, states, events);
    if (*s->defaults) printf("chosen: %s\n", s->defaults);
    print_steps(s);
    if (s->stable_step > 0)
        printf("largest stable step at the start %.5g s (omega_max %.6g rad/s)\n", s->stable_step,
               s->omega_max);
    if (s->ended_by) printf("ended by event %s at t = %.6g s\n", s->ended_by, s->time);
    if (rates) printf("velocity constraints held to %.1e\n", s->max_rate_violation);
    if (s->position_violation_joint) {
        char open[400];
        hol_violations_text(s, open, sizeof open);
        printf("joints open by at most %s, their velocities differ by %.1e\n", open,
               s->max_velocity_violation);
    }
    printf("energy: %.4g J at the start; %s %.3g J\n", s->energy_start,
           strcmp(s->method, "kinematics") == 0 ? "the work of its drivers is summed to" // poses are exact
                                                : "lost or made by errors at most",
           s->energy_drift_max);
    printf("computing time: %.3g s CPU", s->cpu_seconds);
    print_costs(cost, n_costs);
    char contacts[300];
    hol_contacts_text(s, contacts, sizeof contacts);
    if (*contacts) printf("contacts: %s\n", contacts);
    print_loops(s);
    hol_statistic one;
    for (int i = 0; hol_simulation_statistic(sim, i, &one); i++)
        if (one.remark && one.value > 0) printf("%s: %.0f\n", one.remark, one.value);
    if (s->corrector_failures) {
        printf(s->newton_iterations ? "%ld times Newton's iteration had to start again"
                                    : "%ld attempts at a step found no state or no accelerations",
               s->corrector_failures);
        for (int i = 0; i < 3 && s->struggled[i]; i++)
            printf("%s%s", i ? ", " : "; largest residuals: ", s->struggled[i]);
        printf("\n");
    }
    if (s->stiff_step > 0)
        printf("stiff: the step is held at %.2g s by %s, not by the error; %s takes far longer ones\n",
               s->stiff_step, s->stiff_cause, s->stiff_instead);
    const bool page = o->report && is_new(o->report, old_page);
    const char *const more[] = {o->contacts, page ? o->report : NULL};
    int files = o->n_out;
    for (int i = 0; i < o->n_out; i++) printf("%s%s", i ? "  " : "", o->out[i]);
    for (int i = 0; i < 2; i++)
        if (more[i]) printf("%s%s", files++ ? "  " : "", more[i]);
    if (files) printf("\n");
}

static void json_number(FILE *f, const char *key, double x)
{
    if (isfinite(x))
        fprintf(f, ",\n  \"%s\": %.17g", key, x);
    else
        fprintf(f, ",\n  \"%s\": null", key);
}

// Names are words, but the text around them has quotation marks.
static void json_text(FILE *f, const char *key, const char *text)
{
    fprintf(f, "  \"%s\": \"", key);
    for (; *text; text++) fprintf(f, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fprintf(f, "\",\n");
}

// Texts first. A number that is not finite is null.
static void write_stats(FILE *f, const hol_simulation *sim, const hol_statistics *s, const hol_cost *cost,
                        int n_costs)
{
    hol_statistic one;
    fprintf(f, "{\n");
    json_text(f, "method", s->method);
    json_text(f, "status", status_word(s->status));
    if (s->chosen) json_text(f, "chosen", s->chosen);
    if (*s->defaults) json_text(f, "defaults", s->defaults);
    if (s->stiff_step > 0) json_text(f, "stiff_cause", s->stiff_cause);
    if (s->ended_by) json_text(f, "ended_by", s->ended_by);
    fprintf(f, "  \"struggled\": [");
    for (int i = 0; i < 3 && s->struggled[i]; i++) fprintf(f, "%s\"%s\"", i ? ", " : "", s->struggled[i]);
    fprintf(f, "],\n  \"limited\": {");
    for (int i = 0; i < HOL_LIMITS; i++)
        fprintf(f, "%s\"%s\": %ld", i ? ", " : "", hol_limit_key(i), s->limited[i]);
    fprintf(f, "},\n  \"costs\": [");
    for (int i = 0; i < n_costs; i++)
        fprintf(f,
                "%s\n    {\"name\": \"%s\", \"type\": \"%s\", \"elements\": %ld, \"cpu_seconds\": %.3g, "
                "\"share\": %.3g}",
                i ? "," : "", cost[i].name, cost[i].type, cost[i].elements, cost[i].cpu_seconds,
                cost[i].share);
    fprintf(f, "]");
    for (int i = 0; hol_simulation_statistic(sim, i, &one); i++)
        if (one.applies) json_number(f, one.name, one.value);
    fprintf(f, "\n}\n");
}

// ---- the verbs -------------------------------------------------------------------------------------------------

typedef hol_simulation *create_simulation(hol_context *ctx, const hol_model *model, const cli_options *o);

// Before anything is computed.
static int check_names(hol_context *ctx, const cli_options *o)
{
    for (int i = 0; i < o->n_out; i++)
        if (hol_result_check_name(ctx, o->out[i])) return cli_fail(ctx, HOL_ERR_USAGE);
    if (o->contacts && hol_contacts_check_name(ctx, o->contacts)) return cli_fail(ctx, HOL_ERR_USAGE);
    if (o->report && hol_report_check_name(ctx, o->report)) return cli_fail(ctx, HOL_ERR_USAGE);
    return cli_check_outputs(o);
}

// A run that goes on writes its own part alone: a result that holds what came before must not be lost for it.
static int keep_before(hol_context *ctx, const hol_simulation *sim, const cli_options *o)
{
    for (int i = 0; i < o->n_out; i++) {
        struct stat of;
        if (stat(o->out[i], &of) != 0 || !S_ISREG(of.st_mode)) continue;
        hol_result *old = hol_result_read(ctx, o->out[i]); // else it is none, or is empty
        const bool before = old && old->n_rows && old->value[0] < hol_simulation_time(sim);
        if (before)
            fprintf(stderr,
                    "holonom: error: %s holds a result from t = %.9g s, and this run goes on from %.9g s and "
                    "writes what "
                    "comes then alone: give another name with --out, or remove %s\n",
                    o->out[i], old->value[0], hol_simulation_time(sim), o->out[i]);
        hol_result_destroy(old);
        if (before) return 2;
    }
    return 0;
}

// Nor one of contacts.
static int keep_contacts(const hol_simulation *sim, const cli_options *o)
{
    struct stat of;
    if (!o->contacts || stat(o->contacts, &of) != 0 || !S_ISREG(of.st_mode) || of.st_size == 0) return 0;
    fprintf(
        stderr,
        "holonom: error: %s is there, and this run goes on from %.9g s and writes the contacts that end then "
        "alone: give another name with --contacts, or remove %s\n",
        o->contacts, hol_simulation_time(sim), o->contacts);
    return 2;
}

static hol_status open_outputs(hol_simulation *sim, const cli_options *o)
{
    for (int i = 0; i < o->n_out; i++) {
        const hol_status st = hol_simulation_write(sim, o->out[i]);
        if (st) return st;
    }
    const hol_status st = o->contacts ? hol_simulation_write_contacts(sim, o->contacts) : HOL_OK;
    return st || !o->report ? st : hol_simulation_report(sim, o->report);
}

// Two runs with one name would each replace the other's checkpoints: the place is held as long as one of them goes on.
static int hold_checkpoint(hol_context *ctx, const char *path, hol_output *turn)
{
    if (!hol_is_replaceable(path)) {
        fprintf(stderr, "holonom: error: %s: this is not a plain file; give another name\n", path);
        return 2;
    }
    return hol_output_hold(ctx, turn, path, HOL_OUTPUT_TURN) ? 0 : cli_not_written(path, turn->why);
}

enum { CHECKPOINT_SECONDS = 30 }; // wall time between checkpoints

// All steps of a run, with progress on a terminal and a checkpoint every while.
static hol_status loop(hol_simulation *sim, const hol_statistics *s, const cli_options *o)
{
    progress p = {.terminal = isatty(2), .started = now()};
    double saved = p.started;
    bool done = false;
    hol_status st = HOL_OK;
    p.last = p.started;
    for (long steps = 1; !done && !st; steps++) {
        st = hol_simulation_step(sim, &done);
        if (o->checkpoint && !st && steps % 16 == 0 && now() - saved > CHECKPOINT_SECONDS) {
            st = hol_simulation_checkpoint(sim, o->checkpoint);
            saved = now();
        }
        if (!o->quiet && (steps % 16 == 0 || done)) show(&p, sim, s, steps, done && p.shown);
    }
    if (p.terminal && p.shown && st) fprintf(stderr, "\n");
    // the state reached, also when the run was stopped: it is complete
    const bool whole = !st || st == HOL_ERR_CANCELLED || st == HOL_ERR_LIMIT;
    const hol_status saving = o->checkpoint && whole ? hol_simulation_checkpoint(sim, o->checkpoint) : HOL_OK;
    return st ? st : saving;
}

hol_model *cli_load_model(hol_context *ctx, const cli_options *o)
{
    return hol_model_load(ctx, o->model, o->set, o->n_set);
}

// Loads, starts or goes on from a checkpoint, opens the outputs, runs and tells.
int cli_simulate(hol_context *ctx, const cli_options *o, cli_load *load, cli_create *create, cli_leave *leave,
                 void *with)
{
    int code = check_names(ctx, o);
    if (code) return code;
    hol_model *model = load(ctx, o);
    if (!model) return cli_fail(ctx, hol_context_status(ctx));
    code = cli_keep_model(ctx, o, model);
    hol_simulation *sim = code ? NULL : create(ctx, model, o, with);
    if (!code && !sim) code = cli_fail(ctx, hol_context_status(ctx));
    hol_status st = sim && o->restart ? hol_simulation_restart(sim, o->restart) : HOL_OK;
    if (sim && !st && o->restart) code = keep_before(ctx, sim, o);
    if (sim && !st && !code && o->restart) code = keep_contacts(sim, o);
    if (sim && !st && !code) st = open_outputs(sim, o);
    if (st) code = cli_fail(ctx, st);
    struct stat old_page = {0};
    if (o->report) (void)stat(o->report, &old_page);
    hol_output stats = {.held = -1}, turn = {.held = -1};
    // now: a run must not be lost for a wrong name
    if (!code && o->stats && !hol_output_open(ctx, &stats, o->stats, HOL_OUTPUT_WHOLE))
        code = cli_not_written(o->stats, stats.why);
    if (!code && o->checkpoint) code = hold_checkpoint(ctx, o->checkpoint, &turn);
    // of a run that begins, or of a model that does not close: the reason may be among them
    if ((!code || code == cli_exit_code(HOL_ERR_ASSEMBLY)) && hol_model_warn(ctx, model) && !code)
        code = cli_fail(ctx, hol_context_status(ctx));
    if (!code) {
        st = loop(sim, hol_simulation_statistics(sim), o);
        const hol_statistics *s = hol_simulation_finish(sim);
        if (s->status || st) code = cli_fail(ctx, s->status ? s->status : st); // st: a checkpoint that failed
        hol_cost cost[DEAREST];
        const int n = o->quiet && !stats.file ? 0 : hol_simulation_costs(sim, cost, DEAREST);
        if (!o->quiet) print_summary(sim, s, cost, n, &old_page, o);
        if (stats.file) write_stats(stats.file, sim, s, cost, n);
        if (stats.file && !hol_output_close(&stats, true)) {
            const int bad = cli_not_written(o->stats, stats.why);
            code = code ? code : bad;
        }
    }
    if (!code && leave) code = leave(ctx, sim, o, with);
    (void)hol_output_close(&stats, false); // when there was no run
    (void)hol_output_close(&turn, true);
    hol_simulation_destroy(sim);
    hol_model_destroy(model);
    return code;
}

static hol_simulation *create_run(hol_context *ctx, const hol_model *model, const cli_options *o, void *with)
{
    (void)o;
    (void)with;
    return hol_simulation_create(ctx, model);
}

static int run(hol_context *ctx, const cli_options *o)
{
    return cli_simulate(ctx, o, cli_load_model, create_run, NULL, NULL);
}

const cli_verb cli_run = {
    "run",
    "MODEL [options]",
    "simulate a model and write its motion, reactions and energies",
    "Examples:\n  holonom run models/four_bar.yaml --out four_bar.csv\n"
    "  holonom run models/pendulum.yaml --method newmark --set newmark.gamma=0.75 --step 1e-3 --end 4",
    options,
    run};
