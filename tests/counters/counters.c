// make counters: the work of shipped models and of the problems of the field, as numbers that no machine changes. tests/run.py
// compares them with expected.txt, so that a regression is seen without timing.
#include "../allocations.h"
#include "analysis/dynamics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- problems -------------------------------------------------------------------------------------------------

enum { MOST_SETTINGS = 8, WARM = 20 }; // steps after which nothing may be allocated

typedef struct {
    const char *name, *model, *set; // set: "path=value path=value ..."
} problem;

// Shipped models as they are, and the problems of the field by the methods that suit them. Names say what is set.
static const problem problems[] = {
#define MODEL(name, set)                                                                                     \
    {                                                                                                        \
        name, name, set                                                                                      \
    }
    MODEL("andrews", ""),
    MODEL("bricard", ""),
    MODEL("bushing_pendulum", ""),
    MODEL("cam_follower", ""),
    MODEL("car_axis", ""),
    MODEL("chain", ""),
    MODEL("chain3d", ""),
    MODEL("circle_linear", ""),
    MODEL("circle_spring", ""),
    MODEL("double_pendulum", ""),
    MODEL("double_pendulum_3d", ""),
    MODEL("flyball", ""),
    MODEL("four_bar", ""),
    MODEL("gear_train", ""),
    MODEL("hmmwv", "simulate.end=2"),
    MODEL("hydraulic", ""),
    MODEL("impact_stop", ""),
    MODEL("inverted_pendulum", ""),
    MODEL("knife_edge", ""),
    MODEL("ladder", ""),
    MODEL("net", "simulate.end=0.5"),
    MODEL("oblique_sphere", ""),
    MODEL("pendulum", ""),
    MODEL("ring", ""),
    MODEL("rolling_disc", ""),
    MODEL("slider_crank", ""),
    MODEL("stiff_chain", ""),
    MODEL("stiff_pendulum", ""),
    MODEL("stiff_pendulum_angle", ""),
    MODEL("tower", "simulate.end=5"),
    MODEL("valve_train", ""),
    MODEL("walker", ""),
    // parallelograms through their singular poses
    {"P1_N2_rk8", "four_bar", "parameters.N=2 simulate.method=rk rk.order=8 simulate.tolerance=0.005"},
    {"P1_N2_rk5", "four_bar", "parameters.N=2 simulate.method=rk rk.order=5 simulate.tolerance=0.0005"},
    {"P1_N2_adams", "four_bar", "parameters.N=2 simulate.method=adams simulate.tolerance=0.001"},
    {"P1_N40_rk8", "four_bar", "parameters.N=40 simulate.method=rk rk.order=8 simulate.tolerance=0.00025"},
    {"P1_N200_rk8", "four_bar", "parameters.N=200 simulate.method=rk rk.order=8 simulate.tolerance=5e-05"},
    // Bricard, one equation redundant
    {"P2_rk8", "bricard", "simulate.method=rk rk.order=8 simulate.tolerance=0.00015"},
    {"P2_rk5", "bricard", "simulate.method=rk rk.order=5 simulate.tolerance=5e-05"},
    {"P2_adams", "bricard", "simulate.method=adams simulate.tolerance=0.0001"},
    // Andrews' squeezing mechanism
    {"P3_rk8", "andrews", "simulate.method=rk rk.order=8 simulate.tolerance=5e-05"},
    {"P3_rk5", "andrews", "simulate.method=rk rk.order=5 simulate.tolerance=5e-05"},
    {"P3_adams", "andrews", "simulate.method=adams simulate.tolerance=0.0001"},
    // stiff flyball governor
    {"P4_rn4", "flyball", "simulate.method=rn4 simulate.tolerance=0.0001"},
    {"P4_bdf", "flyball", "simulate.method=bdf simulate.tolerance=0.001"},
    {"P4_joint_bdf", "flyball", "simulate.method=joint_bdf simulate.tolerance=0.001"},
    {"P4_hht", "flyball", "simulate.method=hht simulate.tolerance=0.02"},
    // stiff double pendulum
    {"P5_rn4", "double_pendulum", "simulate.method=rn4 simulate.tolerance=0.0001"},
    {"P5_bdf", "double_pendulum", "simulate.method=bdf simulate.tolerance=0.0001"},
    {"P5_joint_bdf", "double_pendulum", "simulate.method=joint_bdf simulate.tolerance=0.001"},
    {"P5_hht", "double_pendulum", "simulate.method=hht simulate.tolerance=0.001"},
    // open chains
    {"P6_n10_rk8", "chain3d", "parameters.n=10 simulate.method=rk rk.solve=tree simulate.tolerance=5e-08"},
    {"P6_n100_rk8", "chain3d", "parameters.n=100 simulate.method=rk rk.solve=tree simulate.tolerance=5e-08"},
    {"P6_n100_sparse", "chain3d",
     "parameters.n=100 simulate.method=rk rk.solve=sparse simulate.tolerance=5e-08"},
    {"P6_n1000_hht", "chain3d", "parameters.n=1000 simulate.method=hht simulate.step=1e-3 simulate.end=0.05"},
    {"P6_n1000_rk8", "chain3d", "parameters.n=1000 simulate.method=rk simulate.step=1e-3 simulate.end=0.025"},
    // ladders of squares
    {"P7_n10_rk8", "ladder",
     "parameters.K=10 parameters.g=9.81 simulate.tolerance=5e-09 rk.solve=sparse "
     "simulate.end=0.5"},
    {"P7_n10_tree", "ladder",
     "parameters.K=10 parameters.g=9.81 simulate.tolerance=5e-09 rk.solve=tree "
     "simulate.end=0.5"},
    {"P7_n10_adams", "ladder",
     "parameters.K=10 parameters.g=9.81 simulate.method=adams simulate.tolerance=0.0001 "
     "simulate.end=0.5"},
    {"P7_n100_tree", "ladder",
     "parameters.K=100 parameters.g=9.81 simulate.step=0.01 rk.solve=tree simulate.end=0.3"},
    {"P7_n1000_rk8", "ladder", "parameters.K=1000 parameters.g=9.81 simulate.step=0.002 simulate.end=0.05"},
    {"P7s_n10_rk8", "ladder",
     "parameters.K=10 parameters.g=9.81 simulate.tolerance=5e-09 rk.solve=sparse "
     "simulate.end=1"},
};

// ---- a run ----------------------------------------------------------------------------------------------------

static int split(char *text, const char **set, int n)
{
    for (char *word = strtok(text, " "); word && n < MOST_SETTINGS; word = strtok(NULL, " ")) set[n++] = word;
    return n;
}

static hol_dynamics *create(hol_context *ctx, const problem *p, hol_model_data **m)
{
    char path[100], text[300];
    const char *set[MOST_SETTINGS] = {"simulate.signals=energy", "simulate.output=10"};
    hol_settings settings;
    snprintf(path, sizeof path, "models/%s.yaml", p->model);
    snprintf(text, sizeof text, "%s", p->set);
    hol_spec *spec = hol_spec_read_file(ctx, path, set, split(text, set, *p->set ? 2 : 1));
    *m = spec ? hol_model_compile(spec) : NULL;
    return *m && !hol_settings_read(*m, &settings) ? hol_dynamics_create(ctx, *m, &settings, true) : NULL;
}

static int run(const problem *p)
{
    hol_context *ctx = hol_context_create();
    hol_model_data *m = NULL;
    hol_dynamics *d = ctx ? create(ctx, p, &m) : NULL;
    hol_status st = d ? HOL_OK : HOL_ERR_MODEL;
    bool done = false;
    long warm = 0;
    const hol_solver_work start = d ? *hol_context_work(ctx) : (hol_solver_work){0};
    for (long k = 0; !st && !done; k++) {
        if (k == WARM) warm = allocations;
        st = hol_dynamics_step(d, &done);
    }
    const long allocated = warm ? allocations - warm : 0;
    if (!st) {
        const hol_solver_work *w = hol_context_work(ctx);
        hol_dynamics_finish(d, st);
        const hol_statistics *s = &d->stats;
        printf("%-22s %-14s %7ld %6ld %7ld %7ld %7ld %7ld %7ld %7ld %7ld %7ld %7ld %6ld\n", p->name,
               s->method, s->steps, s->rejected, s->newton_iterations, s->residuals, s->jacobians,
               w->factorizations - start.factorizations, w->pivotings - start.pivotings,
               w->solves - start.solves, w->nonzeros, w->factor_nonzeros, s->loop_iterations, allocated);
    } else
        fprintf(stderr, "%s: %s\n", p->name, ctx ? hol_context_error(ctx) : "no memory");
    hol_dynamics_destroy(d);
    hol_model_free(m);
    hol_context_destroy(ctx);
    return st != HOL_OK;
}

int main(int argc, char **argv)
{
    int failed = 0;
    printf("# The work of each run: written by `make counters`, compared by `make check` (tests/run.py "
           "counters).\n"
           "# nonzeros, factors: of the largest matrix and the fullest factors; loops: iterations; allocs: "
           "after %d steps\n"
           "%-22s %-14s %7s %6s %7s %7s %7s %7s %7s %7s %7s %7s %7s %6s\n",
           WARM, "problem", "method", "steps", "reject", "newton", "rhs", "jacobi", "factor", "pivot",
           "solve", "nonzero", "factors", "loops", "allocs");
    for (int i = 0; i < HOL_COUNT(problems); i++)
        if (argc < 2 || strcmp(argv[1], problems[i].name) == 0) failed |= run(&problems[i]);
    return failed;
}
