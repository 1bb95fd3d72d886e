// When redundant rows are looked at: where the method's own matrix does not show that those in use are well independent.
#include "harness.h"
#include "analysis/dynamics.h"
#include "recursion/loop_solve.h"
#include "system/initial.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 100 };
#define SURE 0.5 // of rank.c

typedef struct {
    hol_model_data *m;
    hol_dynamics *d;
} run;

static run open_run(const char *model, const char *settings)
{
    char text[200];
    const char *set[8];
    hol_settings read;
    snprintf(text, sizeof text, "%s", settings);
    run o = {.m = compile(model, set, split(text, set, 8))};
    assert_int_equal(hol_settings_read(o.m, &read), HOL_OK);
    o.d = hol_dynamics_create(ctx, o.m, &read, true);
    assert_non_null(o.d);
    return o;
}

static void close_run(run *o)
{
    hol_dynamics_destroy(o->d);
    hol_model_free(o->m);
}

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
        *changes += hol_rank_watch_check(always, &d->it->x, 0, active);
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
    assert_false(hol_rank_watch_check(w, &o.d->it->x, 1, active));
    assert_false(hol_rank_watch_check(w, &o.d->it->x, 1.001 * SURE, active));
    assert_int_equal(hol_rank_watch_looks(w), 0);
    hol_rank_watch_check(w, &o.d->it->x, 0.999 * SURE, active);
    hol_rank_watch_check(w, &o.d->it->x, 0, active);
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
        double A[20][20], unit[20], least = 1;
        assert_int_equal(hol_initialise(ctx, m, HOL_START_QUIET | HOL_START_TREE, &start, &x, &rank), HOL_OK);
        s = start.s;
        assert_int_equal(hol_loops_create(ctx, s, &x, 1e-10, &o), HOL_OK);
        near("nothing is known", hol_loops_independence(&o), 0, 0);
        assert_int_equal(hol_loops_accelerations(&o, &x, false), HOL_OK);
        const int n = o.size->n_loops;
        assert_true(n >= 2 && n <= 20 && o.rank == n);
        for (int k = 0; k < n; k++) {
            memset(unit, 0, sizeof unit);
            unit[o.pivot[k]] = o.row_size[o.pivot[k]];
            hol_recursion_operator(o.r, unit, o.k, o.z);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_a_look_after_every_step),
        cmocka_unit_test(without_such_a_matrix_every_step_is_looked_at),
        cmocka_unit_test(what_is_given_decides),
        cmocka_unit_test(independence_is_that_of_the_matrix),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
