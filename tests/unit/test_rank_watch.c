// When redundant rows are looked at: where the method's own matrix does not show that those in use are well independent.
#include "dynamics_of.h"
#include "recursion/data.h"
#include "recursion/loop_solve.h"
#include "system/initial.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 100 };
#define SURE 0.5 // of rank.c

// Every step of a run beside a watch that looks after each: the rows in use are the same. Returns how many looks were made, and
// checks that they were made where they should be.
static long compare_rows(const char *settings, long *steps, int *changes)
{
    run o = open_run("bricard", settings);
    hol_dynamics *d = o.d;
    hol_rank_watch *always;
    char active[MOST_ROWS];
    const size_t rows = (size_t)o.m->nc;
    bool done = false;
    assert_true(o.m->nc <= MOST_ROWS);
    assert_int_equal(hol_rank_watch_create(ctx, o.m, &d->rank, true, &always), HOL_OK);
    memcpy(active, d->rank.active, rows);
    *changes = 0;
    while (!done) {
        const long before = hol_rank_watch_looks(d->watch);
        assert_int_equal(hol_dynamics_step(d, &done), HOL_OK);
        *changes += hol_rank_watch_check(always, &d->it->x, 0, false, active);
        assert_memory_equal(active, d->rank.active, rows);
        // after a change of rows nothing is known yet
        if (hol_rank_watch_looks(d->watch) == before) assert_true(d->it->independence >= SURE);
        if (d->it->independence >= SURE) assert_int_equal(hol_rank_watch_looks(d->watch), before);
    }
    *steps = d->it->count.steps;
    assert_int_equal(hol_rank_watch_looks(always), *steps);
    const long looks = hol_rank_watch_looks(d->watch);
    hol_rank_watch_destroy(always);
    close_run(&o);
    return looks;
}

static void rows_are_those_of_a_look_after_every_step(void **state)
{
    (void)state;
    static const char *const set[] = {
        "simulate.method=rk simulate.tolerance=3e-5 simulate.max_step=10",
        "simulate.method=rk simulate.tolerance=1e-3",
        "simulate.method=rk simulate.tolerance=1e-8",
        "simulate.method=rk rk.order=5 simulate.tolerance=1e-4",
    };
    for (int i = 0; i < HOL_COUNT(set); i++) {
        long steps;
        int changes;
        const long looks = compare_rows(set[i], &steps, &changes);
        assert_true(changes > 0); // the rows of the start become dependent
        assert_true(looks >= changes);
        assert_true(4 * looks < steps);
    }
}

static void without_such_a_matrix_every_step_is_looked_at(void **state)
{
    (void)state;
    static const char *const solve[] = {"joints", "sparse"};
    for (int i = 0; i < HOL_COUNT(solve); i++) {
        char text[100];
        long steps;
        int changes;
        snprintf(text, sizeof text, "simulate.method=rk rk.solve=%s simulate.tolerance=1e-4", solve[i]);
        const long looks = compare_rows(text, &steps, &changes);
        assert_int_equal(looks, steps);
        assert_true(changes > 0);
    }
}

// Of what is given, not of the state: at rows that are dependent too.
static void what_is_given_decides(void **state)
{
    (void)state;
    run o = open_run("bricard", "simulate.method=rk");
    hol_rank_watch *w = o.d->watch;
    char *active = o.d->rank.active;
    assert_false(hol_rank_watch_check(w, &o.d->it->x, 1, false, active));
    assert_false(hol_rank_watch_check(w, &o.d->it->x, 1.001 * SURE, false, active));
    assert_int_equal(hol_rank_watch_looks(w), 0);
    hol_rank_watch_check(w, &o.d->it->x, 0.999 * SURE, false, active);
    hol_rank_watch_check(w, &o.d->it->x, 0, false, active);
    assert_int_equal(hol_rank_watch_looks(w), 2);
    close_run(&o);
}

// (15.16) against A column by column, factored in the same order; two rows: 1 - A_01^2/(A_00 A_11).
static void independence_is_that_of_the_matrix(void **state)
{
    (void)state;
    static const char *const model[] = {"four_bar", "bricard", "andrews"};
    for (int i = 0; i < HOL_COUNT(model); i++) {
        const char *set[] = {"parameters.N=1"};
        hol_model_data *m = compile(model[i], set, i == 0);
        hol_kernel start;
        hol_equations *s;
        hol_state x;
        hol_rank rank;
        hol_loops o;
        hol_obstacle obstacle;
        double A[20][20], unit[20], least = 1;
        assert_int_equal(hol_initialise(ctx, m, HOL_START_QUIET | HOL_START_TREE, &start, &x, &rank), HOL_OK);
        s = start.s;
        assert_int_equal(hol_loops_create(ctx, s, &x, NULL, 1e-10, &o, &obstacle), HOL_OK);
        near("nothing is known", hol_loops_independence(&o), 0, 0);
        assert_int_equal(hol_loops_accelerations(&o, &x, false), HOL_OK);
        const int n = o.size->n_loops;
        assert_true(n >= 2 && n <= 20 && o.rank == n);
        for (int k = 0; k < n; k++) {
            memset(unit, 0, sizeof unit);
            unit[o.pivot[k]] = o.row_size[o.pivot[k]];
            hol_tree_operator(o.r, unit, o.k, o.z);
            for (int j = 0; j < n; j++) A[j][k] = o.z[o.pivot[j]] * o.row_size[o.pivot[j]];
        }
        if (n == 2) least = 1 - A[0][1] * A[1][0] / (A[0][0] * A[1][1]);
        for (int k = 0; k < n; k++) unit[k] = A[k][k];
        for (int k = 0; k < n && n > 2; k++) {
            least = fmin(least, A[k][k] / unit[k]);
            for (int j = k + 1; j < n; j++)
                for (int c = k + 1; c < n; c++) A[j][c] -= A[j][k] * A[k][c] / A[k][k];
        }
        near(model[i], hol_loops_independence(&o), sqrt(least), 1e-9);
        hol_loops_destroy(&o);
        hol_rank_destroy(&rank);
        hol_state_destroy(&x);
        hol_start_destroy(&start);
        hol_model_free(m);
    }
}

// ---- redundant equations that are violated ---------------------------------------------------------------------

// Three cranks carry a platform: E (y) follows from the others, and is left out. Fixed steps that hold velocities leave all joints
// open by h^2, E as much as those in use: that is the method, no contradiction.
static void what_a_method_leaves_open_is_no_contradiction(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nbodies:\n"
                               "  - {name: a, mass: 1, inertia: 1/12, position: [0, 0.5], angle: 90 deg, "
                               "velocity: [0.5, 0], omega: -1}\n"
                               "  - {name: b, mass: 1, inertia: 1/12, position: [1, 0.5], angle: 90 deg, "
                               "velocity: [0.5, 0], omega: -1}\n"
                               "  - {name: c, mass: 1, inertia: 1/12, position: [2, 0.5], angle: 90 deg, "
                               "velocity: [0.5, 0], omega: -1}\n"
                               "  - {name: p, mass: 1.5, inertia: 1, position: [1, 1], velocity: [1, 0]}\n"
                               "joints:\n"
                               "  - {name: A, type: revolute, between: [ground, a: [-0.5, 0]]}\n"
                               "  - {name: B, type: revolute, between: [ground: [1, 0], b: [-0.5, 0]]}\n"
                               "  - {name: C, type: revolute, between: [ground: [2, 0], c: [-0.5, 0]]}\n"
                               "  - {name: E, type: revolute, between: [b: [0.5, 0], p: [0, 0]]}\n"
                               "  - {name: F, type: revolute, between: [c: [0.5, 0], p: [1, 0]]}\n"
                               "  - {name: D, type: revolute, between: [a: [0.5, 0], p: [-1, 0]]}\n"
                               "simulate: {end: 0.4, method: newmark-index2, step: 0.02}\n";
    (void)state;
    motion m = move(text, NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    const hol_statistics *s = hol_simulation_finish(m.sim);
    assert_true(s->max_position_violation > 1e-5);
    assert_string_equal(s->position_violation_joint,
                        "E"); // the largest one is of the equation that is not in use
    close_motion(&m);
}

// Two drivers of one joint agree until 0.2 s.
static void drivers_that_part_contradict_each_other(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nlength_scale: 1\n"
        "bodies: [{name: p, mass: 1, inertia: 0.1, position: [1, 0], markers: {o: [-1, 0]}, velocity: [0, "
        "2], omega: 2}]\n"
        "joints: [{name: pin, type: revolute, between: [ground, p.o]}]\n"
        "drivers:\n"
        "  - {name: d, type: angle, joint: pin, value: 2*time}\n"
        "  - {name: e, type: angle, joint: pin, value: \"2*time + max(0, time - 0.2)^3\"}\n"
        "simulate: {end: 1}\n";
    static const char *const runs[] = {
        "simulate.method=hht simulate.step=0.01",       "simulate.method=rk simulate.max_step=0.01",
        "simulate.method=adams simulate.max_step=0.01", "simulate.method=bdf simulate.max_step=0.01",
        "simulate.method=rn4 simulate.max_step=0.01",   "simulate.method=tangent simulate.max_step=0.01"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(runs); i++) {
        char settings[80];
        const char *set[2];
        snprintf(settings, sizeof settings, "%s", runs[i]);
        motion m = move(text, set, split(settings, set, 2));
        assert_int_equal(m.end, HOL_ERR_INTEGRATION);
        expect_message("drivers d and e both prescribe the angle of the same bodies, and not the same one");
        assert_true(hol_simulation_time(m.sim) > 0.2 &&
                    hol_simulation_time(m.sim) < 0.3); // (t - 0.2)^3 = 1e-5 at 0.222 s
        close_motion(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_a_look_after_every_step),
                                       cmocka_unit_test(without_such_a_matrix_every_step_is_looked_at),
                                       cmocka_unit_test(what_is_given_decides),
                                       cmocka_unit_test(independence_is_that_of_the_matrix),
                                       cmocka_unit_test(what_a_method_leaves_open_is_no_contradiction),
                                       cmocka_unit_test(drivers_that_part_contradict_each_other)};
    return cmocka_run_group_tests(tests, start, stop);
}
