// holonom modes MODEL: natural frequencies, damping ratios and mode shapes.
#include "analysis/modes.h"
#include "cli/linear_text.h"
#include "cli/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"--at", NULL, "T", NULL, "run the model up to this time in seconds before; without it: the start"},
    {"--equilibrium", NULL, NULL, NULL, "look for a static equilibrium from there"},
    {"--count", NULL, "N", NULL, "the lowest N modes only; without it: all, of large models 20"},
    {"--metric", NULL, "NAME", NULL, "mass (default), or natural: that of the charts of rn4"},
    {"--coordinates", NULL, "NAMES", "linearise.coordinates=",
     "expressions or variables in whose motion the eigenvalues are those of a steady one"},
    {"--out", "-o", "FILE", NULL,
     "write the shapes, .csv (text) or .nc (netCDF); may be given several times"},
    {"--report", NULL, "FILE.html", NULL,
     "write a web page that plays the modes, each as a motion of the bodies"},
    {"--animate", NULL, "FILE.glb", NULL, "write them as glTF with an animation for each"},
    {"--json", NULL, NULL, NULL, "print JSON"},
    {"--method", NULL, "NAME", "simulate.method=", "with --at: integrator, see holonom methods"},
    {"--tol", NULL, "T", "simulate.tolerance=", "with --at: error of the motion up to then"},
    {"--step", NULL, "H", "simulate.step=", "with --at: instead, fixed steps of this size in seconds"},
    {"--set", NULL, "PATH=VALUE", "", "override a value of the model, e.g. parameters.N=40"},
    {"-q", NULL, NULL, NULL, "no notes"},
    {NULL, NULL, NULL, NULL, NULL}};

#define ROUNDING 1e-12 // of a damping ratio

// ---- text -----------------------------------------------------------------------------------------------------

static void print_column(const char *format, double x)
{
    if (isnan(x))
        printf("%14s", "-");
    else
        printf(format, x);
}

// The bodies with most of the kinetic energy, those with equal figures as the file has them; or the state that moves alone.
static void print_movers(const hol_modes *m, const hol_mode *mode)
{
    enum { MOST = 3, LEAST = 5 }; // [%]
    double last = 200;
    int last_body = -1, shown = 0;
    for (; shown < MOST; shown++) {
        int best = -1;
        for (int k = 0; k < m->n_bodies; k++) {
            const double x = rint(100 * mode->share[k]);
            if (x > last || (x == last && k <= last_body) || x < LEAST) continue;
            if (best < 0 || x > rint(100 * mode->share[best])) best = k;
        }
        if (best < 0) break;
        last = rint(100 * mode->share[best]);
        last_body = best;
        printf("%s%s %.0f %%", shown ? ", " : "  ", m->body[best], last);
    }
    int state = -1;
    for (int k = 0; k < m->n_states && !shown; k++)
        if (state < 0 ||
            hypot(mode->state_re[k], mode->state_im[k]) > hypot(mode->state_re[state], mode->state_im[state]))
            state = k;
    if (state >= 0) printf("  state %s", m->state[state]);
    printf("\n");
}

static bool grows(const hol_modes *m, const hol_mode *mode)
{
    const double least = fmax(ROUNDING, 10 * m->speed); // a motion that counts as rest moves damping ratios
    if (m->warning) return false;
    return mode->kind == HOL_MODE_DIVERGENCE ||
           (mode->kind == HOL_MODE_OSCILLATION && mode->damping < -least);
}

static bool unstable(const hol_modes *m)
{
    bool found = false;
    for (int i = 0; i < m->n; i++) found = found || grows(m, &m->mode[i]);
    return found;
}

// A line of the table, with what the mode is.
static void print_mode(const hol_modes *m, int i)
{
    const hol_mode *mode = &m->mode[i];
    printf("%4d", i + 1);
    print_column("%14.6g", mode->frequency);
    print_column("%14.6g", mode->omega);
    print_column("%14.4g", fabs(mode->damping) < ROUNDING ? 0 : mode->damping);
    switch (mode->kind) {
    case HOL_MODE_RIGID: printf("  %-26s", hol_mode_words[HOL_MODE_RIGID]); break;
    case HOL_MODE_OSCILLATION: printf("  %-26s", grows(m, mode) ? "grows" : ""); break;
    case HOL_MODE_REAL:
    case HOL_MODE_DECAY:
    case HOL_MODE_DIVERGENCE: {
        char text[40];
        snprintf(text, sizeof text, "%s, %.6g 1/s", hol_mode_words[mode->kind], mode->re);
        printf("  %-26s", text);
    }
    }
    print_movers(m, mode);
}

static void print_equilibrium(const hol_modes *m)
{
    printf("  %s equilibrium", unstable(m) ? "an unstable" : "an");
    if (m->speed > 1e-9)
        printf(" but for a motion by %.3g of its size in its natural time; less than %g counts as rest",
               m->speed, HOL_MODES_AT_REST);
    printf("\n");
}

// What was linearised and where, then the modes.
static void print_text(const hol_modes *m)
{
    const double w = m->omega_max;
    const char *unit = m->metric == HOL_METRIC_MASS ? "N/sqrt(kg)" : "1/s^2";
    if (m->warning) printf("warning: %s\n", m->warning);
    printf("%s\n", m->title ? m->title : m->model);
    printf("  t = %.6g s, %d degree%s of freedom", m->time, m->degrees_of_freedom,
           m->degrees_of_freedom == 1 ? "" : "s");
    if (m->velocity_constraints)
        printf(", %d of velocities", m->degrees_of_freedom - m->velocity_constraints);
    if (m->n_states) printf(", %d state%s", m->n_states, m->n_states == 1 ? "" : "s");
    printf(", %s metric\n", m->metric == HOL_METRIC_MASS ? "mass" : "natural");
    if (m->equilibrium)
        print_equilibrium(m);
    else {
        printf("  not an equilibrium (forces left %.3g %s, speed %.3g", m->residual, unit, m->speed);
        if (m->n_states) printf(", rates of states %.3g", m->rate);
        printf("):\n  the tangent of the motion in coordinates of the %s metric\n",
               m->metric == HOL_METRIC_MASS ? "mass" : "natural");
    }
    printf("mode frequency[Hz]  omega[rad/s] damping ratio\n");
    for (int i = 0; i < m->n; i++) print_mode(m, i);
    if (m->n < m->n_all) printf("  %d more\n", m->n_all - m->n);
    if (m->projected)
        printf("  the lowest; the equations are projected onto %d undamped modes, which leaves out %.2g of "
               "the accelerations\n",
               m->projected, m->outside);
    if (w > 0)
        printf("omega_max %.8g rad/s%s; largest stable step %.5g s (Fox-Goodwin),\n  %.5g s (linear "
               "acceleration), %.5g s (central "
               "differences)\n",
               w, m->n_states ? " with states held" : "", sqrt(6) / w, sqrt(12) / w, 2 / w);
    else
        printf("nothing vibrates at this pose%s: omega_max is 0\n", m->n_states ? " with states held" : "");
}

// ---- JSON -----------------------------------------------------------------------------------------------------

static void json_values(const char *key, int n, const double *x)
{
    printf(",\n     \"%s\": [", key);
    for (int i = 0; i < n; i++) printf("%s%.17g", i ? ", " : "", x[i]);
    printf("]");
}

static void json_names(const char *key, int n, const char *const *name)
{
    printf("  \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        if (i) printf(", ");
        cli_print_json(name[i]);
    }
    printf("],\n");
}

// The same with all eigenvalues and shapes.
static void print_json(const hol_modes *m)
{
    printf("{\n  \"warning\": ");
    if (m->warning)
        cli_print_json(m->warning);
    else
        printf("null");
    printf(",\n  \"title\": ");
    cli_print_json(m->title ? m->title : m->model);
    cli_print_json_number("time", m->time);
    printf(",\n  \"metric\": \"%s\", \"degrees_of_freedom\": %d, \"equilibrium\": %s",
           m->metric == HOL_METRIC_MASS ? "mass" : "natural", m->degrees_of_freedom,
           m->equilibrium ? "true" : "false");
    cli_print_json_number("residual", m->residual);
    cli_print_json_number("speed", m->speed);
    cli_print_json_number("omega_max", m->omega_max);
    printf(", \"projected\": %d", m->projected);
    cli_print_json_number("outside", m->outside);
    printf(",\n");
    json_names("bodies", m->n_bodies, m->body);
    json_names("coordinates", m->n_coordinates, m->coordinate);
    json_names("states", m->n_states, m->state);
    printf("  \"modes\": [");
    for (int i = 0; i < m->n; i++) {
        const hol_mode *mode = &m->mode[i];
        printf("%s\n    {\"kind\": \"%s\"", i ? "," : "", hol_mode_words[mode->kind]);
        cli_print_json_number("re", mode->re);
        cli_print_json_number("im", mode->im);
        cli_print_json_number("omega", mode->omega);
        cli_print_json_number("frequency", mode->frequency);
        cli_print_json_number("damping_ratio", mode->damping);
        json_values("shape_re", m->n_coordinates, mode->shape_re);
        json_values("shape_im", m->n_coordinates, mode->shape_im);
        json_values("state_re", m->n_states, mode->state_re);
        json_values("state_im", m->n_states, mode->state_im);
        json_values("kinetic_share", m->n_bodies, mode->share);
        printf("}");
    }
    printf("\n  ]\n}\n");
}

// ---- the verb -------------------------------------------------------------------------------------------------

// Where, how many, what is to be written.
static int read_options(hol_context *ctx, const cli_options *o, hol_modes_options *out)
{
    hol_linear_options where = {0};
    char *end = "";
    const int code = cli_read_linear(o, options, &where);
    if (code) return code;
    out->at = where.at;
    out->equilibrium = where.equilibrium;
    out->metric = where.metric;
    const long count = o->count ? strtol(o->count, &end, 10) : 0;
    if (o->count && (end == o->count || *end || count < 1 || count > 1000000))
        return cli_wrong("--count", o->count, "a number of modes is wanted, 1 or more");
    out->count = (int)count;
    for (int i = 0; i < o->n_out; i++)
        if (hol_result_check_name(ctx, o->out[i])) return cli_fail(ctx, HOL_ERR_USAGE);
    if ((o->report && hol_report_check_name(ctx, o->report)) ||
        (o->animate && hol_motion_check_name(ctx, o->animate)))
        return cli_fail(ctx, HOL_ERR_USAGE);
    return cli_check_outputs(o);
}

static bool has_coordinates(const cli_options *o)
{
    bool found = false;
    for (int i = 0; i < o->n_set; i++) found = found || strncmp(o->set[i], "linearise.coordinates=", 22) == 0;
    return found;
}

// The eigenvalues of the motion that coordinates measure, of which there are no shapes of bodies.
static int run_coordinates(hol_context *ctx, const cli_options *o, const hol_modes_options *wanted)
{
    const hol_linear_options where = {
        .at = wanted->at, .equilibrium = wanted->equilibrium, .metric = wanted->metric};
    if (o->n_out || o->count)
        return cli_wrong(
            o->n_out ? "--out" : "--count", o->n_out ? o->out[0] : o->count,
            "it does not go with --coordinates; `holonom linearise -o FILE` writes what there is");
    if (o->report || o->animate)
        return cli_wrong(o->report ? "--report" : "--animate", o->report ? o->report : o->animate,
                         "it does not go with --coordinates, whose motions have no shapes of bodies");
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    hol_linear *l = model ? hol_linear_create(ctx, model, &where) : NULL;
    int code = l ? 0 : cli_fail(ctx, hol_context_status(ctx));
    if (l && o->json) {
        const hol_status st = hol_linear_print(ctx, l, 0, NULL, cli_print, stdout);
        if (st) code = cli_fail(ctx, st);
    } else if (l) {
        cli_print_linear_head(l);
        cli_print_poles(l);
    }
    hol_linear_destroy(l);
    hol_model_destroy(model);
    return code;
}

// The pictures that are asked for; returns the exit code.
static int draw(hol_context *ctx, const cli_options *o, const hol_modes *m, const hol_model *model)
{
    hol_status st = o->report ? hol_modes_report(ctx, m, model, o->report) : HOL_OK;
    if (!st && o->animate) st = hol_modes_export(ctx, m, model, o->animate);
    return st ? cli_fail(ctx, st) : 0;
}

// The verb: finds the modes and writes or prints them.
static int run(hol_context *ctx, const cli_options *o)
{
    hol_modes_options wanted = {0};
    int code = read_options(ctx, o, &wanted);
    if (code) return code;
    if (has_coordinates(o)) return run_coordinates(ctx, o, &wanted);
    hol_model *model = hol_model_load(ctx, o->model, o->set, o->n_set);
    code = model ? cli_keep_model(ctx, o, model) : 0;
    hol_modes *m = model && !code ? hol_modes_create(ctx, model, &wanted) : NULL;
    if (!m && !code) code = cli_fail(ctx, hol_context_status(ctx));
    for (int i = 0; i < o->n_out && !code; i++) {
        const hol_status st = hol_modes_write(ctx, m, o->out[i]);
        if (st) code = cli_fail(ctx, st);
    }
    if (!code) code = draw(ctx, o, m, model);
    if (!code && o->json) print_json(m);
    if (!code && !o->json) print_text(m);
    hol_modes_destroy(m);
    hol_model_destroy(model);
    return code;
}

const cli_verb cli_modes = {"modes",
                            "MODEL [options]",
                            "natural frequencies, damping ratios and mode shapes",
                            "Examples:\n  holonom modes models/double_pendulum.yaml --equilibrium\n"
                            "  holonom modes models/hmmwv.yaml --count 12\n"
                            "  holonom modes models/four_bar.yaml --at 0.5 -o modes.nc",
                            options,
                            run};
