// Trees in pieces: however many threads work on them, the results are those of one thread and of the tree in one piece, bit
// for bit. Under VARIANT=tsan every access to memory is watched too.
#include "analysis/dynamics.h"
#include "harness.h"
#include "recursion/data.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 2, MOST_SETTINGS = 10 };

// Chains under a platform that hangs on a spring, others on ground; bars between their ends close loops, by points, by hinges, by
// universal joints in turn.
static const char comb[] =
    "title: comb\ndimension: 3\ngravity: [0, 0, -9.81]\nparameters: {N: 30, H: 15, K: 9}\n"
    "bodies:\n"
    "  - {name: base, mass: 50, inertia: [50, 50, 50], position: [0, 0, 0.5]}\n"
    "  - {for: 'i in 0..N', name: 'beam{i}', mass: 1, inertia: [0.1, 0.1, 0.1], position: [i, 0, 0]}\n"
    "  - {for: ['i in 0..N', 'k in 1..K'], name: 'link{i}_{k}', mass: 1, inertia: [0.1, 0.1, 0.02],\n"
    "     position: [i, 0, 0.5 - k]}\n"
    "  - {for: 'i in 1..6', name: 'bar{i}', mass: 1, inertia: [0.02, 0.1, 0.1], position: [i - 0.5, 0, -K]}\n"
    "joints:\n"
    "  - {name: guide, type: translational, between: [ground: {axis: [0, 0, 1]}, base: {axis: [0, 0, 1]}]}\n"
    "  - {for: 'i in 0..H', name: 'fixed{i}', type: fixed, between: [base: [i, 0, -0.5], beam{i}]}\n"
    "  - {for: 'i in H+1..N', name: 'slide{i}', type: translational,\n"
    "     between: [ground: {position: [i, 0, 0], axis: [0, 0, 1]}, beam{i}: {axis: [0, 0, 1]}]}\n"
    "  - {for: 'i in 0..N', name: 'top{i}', type: revolute,\n"
    "     between: [beam{i}: {axis: [0, 1, 0]}, link{i}_1: {position: [0, 0, 0.5], axis: [0, 1, 0]}]}\n"
    "  - {for: ['i in 0..N', 'k in 2..K'], name: 'hinge{i}_{k}', type: revolute,\n"
    "     between: [link{i}_{k-1}: {position: [0, 0, -0.5], axis: [0, 1, 0]},\n"
    "               link{i}_{k}: {position: [0, 0, 0.5], axis: [0, 1, 0]}]}\n"
    "  - {for: 'i in 1..6', name: 'left{i}', type: spherical, between: [link{i-1}_{K}: [0, 0, -0.5], bar{i}: "
    "[-0.5, 0, 0]]}\n"
    "  - {for: 'i in 1..2', name: 'right{i}', type: spherical, between: [bar{i}: [0.5, 0, 0], link{i}_{K}: "
    "[0, 0, -0.5]]}\n"
    "  - {for: 'i in 3..4', name: 'right{i}', type: revolute, loop: yes,\n"
    "     between: [bar{i}: {position: [0.5, 0, 0], axis: [0, 1, 0]}, link{i}_{K}: {position: [0, 0, -0.5], "
    "axis: [0, 1, 0]}]}\n"
    "  - {for: 'i in 5..6', name: 'right{i}', type: universal, loop: yes,\n"
    "     between: [bar{i}: {position: [0.5, 0, 0], axis: [0, 1, 0]}, link{i}_{K}: {position: [0, 0, -0.5], "
    "axis: [0, 0, 1]}]}\n"
    "forces:\n"
    "  - {name: spring, type: spring-damper, between: [ground: [0, 0, 5], base], stiffness: 1000, length: "
    "4.5}\n";

// The tree has more than one piece; a dense matrix of loop rows is summed over the bodies, whose order pieces change.
enum { WHOLE = 0, DIVIDED = 1, DENSE = 2 };

typedef struct {
    const char *model, *settings;
    int what;
} subject_of;

static const subject_of subjects[] = {
    {"net", "parameters.L=45 simulate.method=srm simulate.step=0.01",
     DIVIDED}, // ranges and sums are in parts too
    {"net",
     "parameters.L=27 simulate.method=srm simulate.step=0.01 srm.scaling=identity srm.iterates=1 "
     "srm.carry=step",
     DIVIDED},
    {"net", "parameters.L=27 parameters.breeze=1 simulate.method=srm simulate.tolerance=1e-4", DIVIDED},
    {"net", "parameters.L=27 simulate.method=rk rk.solve=tree rk.order=5 simulate.step=0.01",
     DIVIDED}, // conjugate gradients
    {"ladder", "parameters.K=30 simulate.method=rk rk.solve=joints simulate.step=0.01", WHOLE},
    {"ladder", "parameters.K=30 simulate.method=srm simulate.step=0.01", WHOLE},
    {"ladder", "parameters.K=30 simulate.method=rk rk.solve=tree simulate.tolerance=1e-6", WHOLE},
    {comb, "simulate.method=srm simulate.step=0.005", DIVIDED},
    {comb, "simulate.method=rk rk.solve=tree simulate.tolerance=1e-5", DIVIDED | DENSE},
    {"chain", "parameters.n=300 simulate.method=rk rk.solve=tree simulate.step=0.01", WHOLE}};

typedef struct {
    hol_model_data *m;
    hol_dynamics *d;
} work;

// divide: from how many bodies on the tree is divided.
static work run(const char *model, const char *settings, int threads, int divide, int steps)
{
    char text[300];
    const char *set[MOST_SETTINGS];
    hol_settings of;
    work o;
    bool done = false;
    snprintf(text, sizeof text, "%s simulate.end=1 simulate.signals=[energy]", settings);
    o.m = compile(model, set, split(text, set, MOST_SETTINGS));
    assert_int_equal(hol_settings_read(o.m, &of), HOL_OK);
    of.threads = threads;
    of.divide = divide;
    o.d = hol_dynamics_create(ctx, o.m, &of, true);
    if (!o.d) fail_msg("%.8s %s: %s", model, settings, hol_context_error(ctx));
    assert_int_equal(hol_team_threads(o.d->team), threads);
    for (int i = 0; i < steps; i++) assert_int_equal(hol_dynamics_step(o.d, &done), HOL_OK);
    assert_int_equal(hol_integrator_complete(o.d->it), HOL_OK);
    hol_dynamics_finish(o.d, HOL_OK);
    return o;
}

static void finish(work *o)
{
    hol_dynamics_destroy(o->d);
    hol_model_free(o->m);
}

static void must_be_equal(const work *a, const work *b)
{
    const hol_state *x = &a->d->it->x, *y = &b->d->it->x;
    const hol_statistics *p = &a->d->stats, *q = &b->d->stats;
    const hol_equations *s = a->d->s;
    assert_memory_equal(&x->t, &y->t, sizeof x->t);
    assert_memory_equal(x->q, y->q, (size_t)s->nq * sizeof *x->q);
    assert_memory_equal(x->v, y->v, (size_t)s->nq * sizeof *x->v);
    assert_memory_equal(x->a, y->a, (size_t)s->n * sizeof *x->a); // and multipliers
    assert_true(p->energy_drift_max == q->energy_drift_max);
    assert_true(p->max_position_violation == q->max_position_violation);
    assert_true(p->max_velocity_violation == q->max_velocity_violation);
    assert_true(p->srm_multiplier == q->srm_multiplier && p->srm_dissipated == q->srm_dissipated);
    assert_int_equal(p->loop_iterations, q->loop_iterations);
}

// The tree in one piece too.
static void same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        const subject_of *of = &subjects[k];
        work one = run(of->model, of->settings, 1, 20, STEPS);
        for (int threads = 2; threads <= 4; threads++) {
            const bool whole = threads == 4;
            if (whole && (of->what & DENSE)) continue;
            work o = whole ? run(of->model, of->settings, 1, 0, STEPS)
                           : run(of->model, of->settings, threads, 20, STEPS);
            print_message("%.8s %s: %s\n", of->model, of->settings,
                          whole          ? "one piece"
                          : threads == 2 ? "2"
                                         : "3");
            must_be_equal(&one, &o);
            finish(&o);
        }
        finish(&one);
    }
}

// Pieces do not touch each other, nor have they a father of the top in common.
static void check_pieces(const hol_tree *r, bool divided)
{
    assert_int_equal(r->n_pieces > 1, divided);
    assert_int_equal(r->piece[r->n_pieces], r->n_bodies);
    int *user = calloc((size_t)r->n_bodies, sizeof *user); // 1 + the piece that writes to a body of the top
    assert_non_null(user);
    for (int j = 0; j < r->piece[0]; j++) assert_true(r->link[j].father < j);
    for (int p = 0; p < r->n_pieces; p++) {
        if (divided) assert_true(r->piece[p + 1] - r->piece[p] <= r->n_bodies / 8);
        for (int j = r->piece[p]; j < r->piece[p + 1]; j++) {
            const int k = r->link[j].father;
            assert_true(k < j && (k < r->piece[0] || k >= r->piece[p]));
            if (k < 0 || k >= r->piece[0]) continue;
            assert_true(user[k] == 0 || user[k] == 1 + p);
            user[k] = 1 + p;
        }
    }
    for (int j = 0; j < r->piece[0]; j++) // all children of a body that a piece writes to are in this piece
        if (r->link[j].father >= 0) assert_int_equal(user[r->link[j].father], 0);
    free(user);
}

static void pieces_are_subtrees(void **state)
{
    (void)state;
    for (int k = 0; k < HOL_COUNT(subjects); k++) {
        work o = run(subjects[k].model, subjects[k].settings, 1, 20, 0);
        hol_forest forest;
        hol_tree *r;
        assert_int_equal(hol_forest_create(ctx, o.m, o.d->it->x.q, &forest), HOL_OK);
        assert_int_equal(hol_tree_create(ctx, o.d->s, &forest, &r), HOL_OK);
        print_message("%.8s: %d bodies, %d pieces, %d at the top\n", subjects[k].model, r->n_bodies,
                      r->n_pieces, r->piece[0]);
        check_pieces(r, subjects[k].what & DIVIDED);
        hol_tree_destroy(r);
        hol_forest_destroy(&forest);
        finish(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_are_subtrees), cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, start, stop);
}
