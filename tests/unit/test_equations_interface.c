// Every function of holonom_equations.h without each of the things it needs, with wrong sizes, with what is not a number, in wrong
// orders and where memory ends: a status and a text, and the handle is as it was.
#include "base/base.h"
#include "harness.h"
#include "holonom_equations.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ARM[] =
    "dimension: 3\ngravity: [0, 0, -9.81]\n"
    "inputs: [{name: torque, value: 0.5, unit: N m}]\n"
    "bodies: [{name: arm, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0], markers: {tip: [0.5, 0, "
    "0]}}]\n"
    "joints: [{name: pin, type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}]\n"
    "states: [{name: level, rate: -level, initial: 1}]\n"
    "variables: [{name: root, value: sqrt(level)}]\n"
    "forces: [{name: motor, type: torque, on: arm, value: [0, torque, 0.1*root]}]\n"
    "events: [{name: off, at: 1, off: motor}]\n"
    "simulate: {method: rk, end: 0.5, tolerance: 1e-8}\n";

static hol_model *model;
static hol_eom *e;
enum { NQ = 7, MOST = 60 };
static double room[MOST * MOST];

#define REFUSED(call) assert_int_equal(call, HOL_ERR_USAGE)

static hol_model *parse(const char *text)
{
    hol_context_clear(ctx);
    hol_model *m = hol_model_parse(ctx, "a", text, strlen(text), NULL, 0);
    if (!m) fail_msg("%s", hol_context_error(ctx));
    return m;
}

static hol_eom *open_eom(const hol_model *m, hol_eom_start how)
{
    hol_eom *new = hol_eom_create(ctx, m, how);
    if (!new) fail_msg("%s", hol_context_error(ctx));
    return new;
}

static int size_of(const hol_eom *eom, hol_eom_quantity what)
{
    int rows, columns;
    assert_int_equal(hol_eom_shape(eom, what, &rows, &columns), HOL_OK);
    assert_true(rows * columns <= MOST * MOST);
    return rows * columns;
}

// ---- what is missing ------------------------------------------------------------------------------------------

static void create(void)
{
    assert_null(hol_eom_create(NULL, model, HOL_EOM_ASSEMBLED));
    assert_null(hol_eom_create(ctx, NULL, HOL_EOM_ASSEMBLED));
    expect_usage("create", hol_context_status(ctx), "model is NULL");
    assert_null(hol_eom_create(ctx, model, (hol_eom_start)7));
    expect_usage("create", hol_context_status(ctx), "there is no start 7");
    assert_null(hol_eom_create(ctx, model, (hol_eom_start)-1));
    expect_usage("create", hol_context_status(ctx), "there is no start -1");
}
static void destroy(void) { hol_eom_destroy(NULL); }
static void count(void)
{
    assert_int_equal(hol_eom_count(NULL, HOL_EOM_COORDINATES), -1);
    assert_int_equal(hol_eom_count(e, (hol_eom_list)-1), -1);
    assert_int_equal(hol_eom_count(e, HOL_EOM_LISTS), -1);
    assert_int_equal(hol_eom_count(e, HOL_EOM_COORDINATES), NQ);
}
static void find(void)
{
    static const char *const odd[] = {"",   ".",       "..",          "arm",      "arm.",
                                      ".x", "arm.x.x", "arm.nothing", "nothing.x"};
    char text[2000];
    assert_int_equal(hol_eom_find(NULL, HOL_EOM_COORDINATES, "arm.x"), -1);
    assert_int_equal(hol_eom_find(e, HOL_EOM_COORDINATES, NULL), -1);
    assert_int_equal(hol_eom_find(e, HOL_EOM_LISTS, "arm.x"), -1);
    for (int i = 0; i < HOL_COUNT(odd); i++)
        assert_int_equal(hol_eom_find(e, HOL_EOM_COORDINATES, odd[i]), -1);
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_int_equal(hol_eom_find(e, HOL_EOM_COORDINATES, text), -1);
    assert_int_equal(hol_eom_find(e, HOL_EOM_COORDINATES, "arm.qz"), 6);
    assert_int_equal(hol_eom_find(e, HOL_EOM_MARKERS, "ground"), hol_eom_count(e, HOL_EOM_MARKERS) - 1);
}
static void name_of(void)
{
    hol_eom_name name;
    assert_false(hol_eom_name_of(NULL, HOL_EOM_COORDINATES, 0, &name));
    assert_false(hol_eom_name_of(e, HOL_EOM_COORDINATES, 0, NULL));
    assert_false(hol_eom_name_of(e, HOL_EOM_COORDINATES, -1, &name));
    assert_false(hol_eom_name_of(e, HOL_EOM_COORDINATES, NQ, &name));
    assert_false(hol_eom_name_of(e, HOL_EOM_LISTS, 0, &name));
    assert_false(hol_eom_name_of(e, (hol_eom_list)-1, 0, &name));
}
static void get_state(void)
{
    hol_state_view x;
    REFUSED(hol_eom_get_state(NULL, &x));
    USAGE(hol_eom_get_state(e, NULL), "out is NULL");
}

// Each number of a state, one after the other, is not finite; sizes are wrong.
static void set_state(void)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    hol_state_view x = {0}, odd;
    double q[NQ], v[NQ], X[1] = {1};
    REFUSED(hol_eom_set_state(NULL, &x));
    USAGE(hol_eom_set_state(e, NULL), "state is NULL");
    assert_int_equal(hol_eom_get_state(e, &x), HOL_OK);
    memcpy(q, x.q, sizeof q);
    memcpy(v, x.v, sizeof v);
    const hol_state_view good = {0, NQ, 1, q, v, X};
    for (int k = 0; k < 3; k++) {
        odd = good;
        odd.t = bad[k];
        USAGE(hol_eom_set_state(e, &odd), "t is not a finite number");
        for (int i = 0; i < NQ; i++) {
            double keep = q[i];
            q[i] = bad[k];
            USAGE(hol_eom_set_state(e, &good), "q[");
            q[i] = keep, keep = v[i], v[i] = bad[k];
            USAGE(hol_eom_set_state(e, &good), "v[");
            v[i] = keep;
        }
        X[0] = bad[k];
        USAGE(hol_eom_set_state(e, &good), "state[0] is not a finite number");
        X[0] = 1;
    }
    for (int n = -1; n < 2 * NQ; n++) {
        odd = good;
        odd.n_q = n;
        if (n != NQ) USAGE(hol_eom_set_state(e, &odd), "7 are wanted");
        odd = good;
        odd.n_states = n;
        if (n != 1) USAGE(hol_eom_set_state(e, &odd), "1 are wanted");
    }
    memset(q + 3, 0, 4 * sizeof *q);
    USAGE(hol_eom_set_state(e, &good), "the Euler parameters of \"arm\" are all 0");
    assert_int_equal(hol_eom_set_state(e, &x), HOL_OK); // a view of its own
    assert_int_equal(hol_eom_set_state(e, &(hol_state_view){.t = 0}), HOL_OK);
}
static void take(void)
{
    hol_simulation *sim = hol_simulation_create(ctx, model);
    hol_model *twin = parse(ARM), *another = parse("dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: b, "
                                                   "type: point, mass: 1}]\nsimulate: {end: 1}\n");
    hol_simulation *same = hol_simulation_create(ctx, twin), *other = hol_simulation_create(ctx, another);
    assert_true(sim && same && other);
    REFUSED(hol_eom_take(NULL, sim));
    USAGE(hol_eom_take(e, NULL), "sim is NULL");
    USAGE(hol_eom_take(e, other), "the simulation is of another model");
    assert_int_equal(hol_eom_take(e, sim), HOL_OK);
    assert_int_equal(hol_eom_take(e, same), HOL_OK); // its numbers mean the same
    hol_simulation_destroy(sim);
    hol_simulation_destroy(same);
    hol_simulation_destroy(other);
    hol_model_destroy(twin);
    hol_model_destroy(another);
}
static void get_memory(void)
{
    REFUSED(hol_eom_get_memory(NULL, room, 1));
    USAGE(hol_eom_get_memory(e, NULL, 1), "memory is NULL");
    USAGE(hol_eom_get_memory(e, room, 0), "memory has 0 numbers");
}
static void set_memory(void)
{
    const size_t n = (size_t)hol_eom_count(e, HOL_EOM_MEMORY);
    REFUSED(hol_eom_set_memory(NULL, room, n));
    USAGE(hol_eom_set_memory(e, NULL, n), "memory is NULL");
    USAGE(hol_eom_set_memory(e, room, n + 1), "are wanted");
    assert_int_equal(hol_eom_get_memory(e, room, n), HOL_OK);
    room[n - 1] = (double)NAN;
    USAGE(hol_eom_set_memory(e, room, n), "is not a finite number");
}
static void set_input(void)
{
    REFUSED(hol_eom_set_input(NULL, 0, 0));
    USAGE(hol_eom_set_input(e, -1, 0), "there is no input -1: the model has 1");
    USAGE(hol_eom_set_input(e, 1, 0), "there is no input 1");
    USAGE(hol_eom_set_input(e, 0, (double)NAN), "\"torque\" is to be nan");
}
static void input(void)
{
    assert_true(isnan(hol_eom_input(NULL, 0)) && isnan(hol_eom_input(e, -1)) && isnan(hol_eom_input(e, 1)));
}
static void project(void) { REFUSED(hol_eom_project(NULL, NULL)); }
static void shape(void)
{
    int n;
    REFUSED(hol_eom_shape(NULL, HOL_EOM_MASS, &n, &n));
    USAGE(hol_eom_shape(e, HOL_EOM_MASS, NULL, &n), "rows is NULL");
    USAGE(hol_eom_shape(e, HOL_EOM_MASS, &n, NULL), "columns is NULL");
    USAGE(hol_eom_shape(e, HOL_EOM_QUANTITIES, &n, &n), "there is no quantity");
    USAGE(hol_eom_shape(e, (hol_eom_quantity)-1, &n, &n), "there is no quantity -1");
}
static void get(void)
{
    REFUSED(hol_eom_get(NULL, HOL_EOM_MASS, room, NQ * NQ));
    USAGE(hol_eom_get(e, HOL_EOM_MASS, NULL, NQ * NQ), "values is NULL");
    USAGE(hol_eom_get(e, HOL_EOM_QUANTITIES, room, 1), "there is no quantity");
    USAGE(hol_eom_get(e, (hol_eom_quantity)-1, room, 1), "there is no quantity -1");
    for (int what = 0; what < HOL_EOM_QUANTITIES; what++) {
        int rows, columns;
        if (hol_eom_shape(e, (hol_eom_quantity)what, &rows, &columns)) {
            expect_usage("shape", hol_context_status(ctx), "hol_eom_use_joints is to be called before");
            USAGE(hol_eom_get(e, (hol_eom_quantity)what, room, 1),
                  "hol_eom_use_joints is to be called before");
            continue;
        }
        const size_t size = (size_t)(rows * columns);
        USAGE(hol_eom_get(e, (hol_eom_quantity)what, room, size + 1), "are wanted");
        USAGE(hol_eom_get(e, (hol_eom_quantity)what, room, (size_t)-1), "are wanted");
        if (size) USAGE(hol_eom_get(e, (hol_eom_quantity)what, room, size - 1), "are wanted");
        assert_int_equal(hol_eom_get(e, (hol_eom_quantity)what, room, size), HOL_OK);
    }
}
static void get_sparse(void)
{
    hol_csc A;
    REFUSED(hol_eom_get_sparse(NULL, HOL_EOM_MASS, &A));
    USAGE(hol_eom_get_sparse(e, HOL_EOM_MASS, NULL), "out is NULL");
    USAGE(hol_eom_get_sparse(e, HOL_EOM_FORCES, &A), "no sparse view");
    USAGE(hol_eom_get_sparse(e, (hol_eom_quantity)-1, &A), "no sparse view");
}
static void marker(void)
{
    hol_eom_motion m;
    REFUSED(hol_eom_marker(NULL, 0, &m));
    USAGE(hol_eom_marker(e, 0, NULL), "out is NULL");
    USAGE(hol_eom_marker(e, -1, &m), "there is no marker -1");
    USAGE(hol_eom_marker(e, hol_eom_count(e, HOL_EOM_MARKERS), &m), "there is no marker");
}
static void marker_jacobian(void)
{
    REFUSED(hol_eom_marker_jacobian(NULL, 0, room, room, 3 * NQ));
    USAGE(hol_eom_marker_jacobian(e, 0, NULL, NULL, 3 * NQ), "is NULL");
    USAGE(hol_eom_marker_jacobian(e, 0, room, NULL, 3 * NQ + 1), "21 are wanted");
    USAGE(hol_eom_marker_jacobian(e, 99, room, NULL, 3 * NQ), "there is no marker 99");
    assert_int_equal(hol_eom_marker_jacobian(e, 0, room, NULL, 3 * NQ), HOL_OK);
    assert_int_equal(hol_eom_marker_jacobian(e, 0, NULL, room, 3 * NQ), HOL_OK);
}
static void reaction(void)
{
    hol_eom_wrench w;
    REFUSED(hol_eom_reaction(NULL, 0, &w));
    USAGE(hol_eom_reaction(e, 0, NULL), "out is NULL");
    USAGE(hol_eom_reaction(e, -1, &w), "there is no element -1: there are 2");
    USAGE(hol_eom_reaction(e, 2, &w), "there is no element 2");
}
static void sum(void)
{
    hol_eom_totals t;
    REFUSED(hol_eom_sum(NULL, NULL, &t));
    USAGE(hol_eom_sum(e, NULL, NULL), "out is NULL");
    USAGE(hol_eom_sum(e, (double[3]){0, (double)NAN, 0}, &t), "about[1] is not a finite number");
}
static void use_joints(void)
{
    hol_eom *new = open_eom(model, HOL_EOM_ASSEMBLED);
    REFUSED(hol_eom_use_joints(NULL));
    assert_int_equal(hol_eom_use_joints(new), HOL_OK);
    USAGE(hol_eom_use_joints(new), "has been called before");
    hol_eom_destroy(new);
}
static void set_joints(void)
{
    hol_eom *new = open_eom(model, HOL_EOM_ASSEMBLED);
    const double p[1] = {0.3}, u[1] = {1}, nan[1] = {(double)NAN};
    REFUSED(hol_eom_set_joints(NULL, 0, p, 1, u, 1));
    USAGE(hol_eom_set_joints(new, 0, p, 1, u, 1), "hol_eom_use_joints is to be called before");
    assert_int_equal(hol_eom_use_joints(new), HOL_OK);
    USAGE(hol_eom_set_joints(new, 0, NULL, 1, u, 1), "p is NULL");
    USAGE(hol_eom_set_joints(new, 0, p, 1, NULL, 1), "u is NULL");
    USAGE(hol_eom_set_joints(new, 0, p, 2, u, 1), "p has 2 numbers");
    USAGE(hol_eom_set_joints(new, 0, p, 1, u, 0), "u has 0 numbers");
    USAGE(hol_eom_set_joints(new, 0, nan, 1, u, 1), "p[0] is not a finite number");
    USAGE(hol_eom_set_joints(new, 0, p, 1, nan, 1), "u[0] is not a finite number");
    USAGE(hol_eom_set_joints(new, (double)NAN, p, 1, u, 1), "t is not a finite number");
    hol_eom_destroy(new);
}
static void linearise(void)
{
    hol_eom_linear l;
    REFUSED(hol_eom_linearise(NULL, HOL_METRIC_MASS, &l));
    USAGE(hol_eom_linearise(e, HOL_METRIC_MASS, NULL), "out is NULL");
    USAGE(hol_eom_linearise(e, (hol_metric)5, &l), "there is no metric 5");
}

#define ROW(name)                                                                                            \
    {                                                                                                        \
        "hol_eom_" #name, name                                                                               \
    }
static const lacking row[] = {
    ROW(create),    ROW(destroy), ROW(count),      ROW(find),       ROW(name_of),   ROW(get_state),
    ROW(set_state), ROW(take),    ROW(get_memory), ROW(set_memory), ROW(set_input), ROW(input),
    ROW(project),   ROW(shape),   ROW(get),        ROW(get_sparse), ROW(marker),    ROW(marker_jacobian),
    ROW(reaction),  ROW(sum),     ROW(use_joints), ROW(set_joints), ROW(linearise)};

static void every_function_of_the_header_is_here(void **state)
{
    (void)state;
    expect_all_functions("include/holonom_equations.h", row, HOL_COUNT(row));
}

static void everything(hol_eom *eom, double *out)
{
    memset(out, 0, MOST * sizeof *out);
    for (int what = 0, n = 0; what < HOL_EOM_JOINT_POSITIONS && n < MOST; what++) {
        const int size = size_of(eom, (hol_eom_quantity)what);
        if (hol_eom_get(eom, (hol_eom_quantity)what, room, (size_t)size))
            fail_msg("%s", hol_context_error(ctx));
        for (int i = 0; i < size; i++) out[n] += (i + 1) * room[i];
        n++;
    }
}

// After all these calls the handle is what it was.
static void every_function_says_what_it_lacks(void **state)
{
    double before[MOST], after[MOST];
    (void)state;
    everything(e, before);
    call_all(row, HOL_COUNT(row));
    everything(e, after);
    assert_memory_equal(before, after, sizeof before);
}

// ---- states ---------------------------------------------------------------------------------------------------

static const char OPEN[] = "dimension: 2\ngravity: [0, -9.81]\n"
                           "bodies: [{name: a, mass: 1, inertia: 0.1, position: [0.55, 0.02], velocity: [0, "
                           "1]}, {name: b, mass: 1, inertia: 0.1, position: [1.5, 0.3]}]\n"
                           "joints: [{name: A, type: revolute, between: [ground, a: [-0.5, 0]]}, {name: B, "
                           "type: revolute, between: [a: [0.5, 0], b: [-0.5, 0]]},\n"
                           " {name: C, type: revolute, between: [b: [0.5, 0], ground: [1.8, 0]]}]\n"
                           "simulate: {end: 1}\n";

// As given the joints are open; projected it is near to what an assembled start is.
static void a_start_as_given_is_put_onto_the_joints(void **state)
{
    (void)state;
    hol_model *m = parse(OPEN);
    hol_eom *given = open_eom(m, HOL_EOM_AS_GIVEN), *assembled = open_eom(m, HOL_EOM_ASSEMBLED);
    hol_state_view x, y;
    hol_eom_linear l;
    hol_eom_change change;
    assert_int_equal(hol_eom_get_state(given, &x), HOL_OK);
    assert_true(x.q[0] == 0.55 && x.v[1] == 1);
    assert_int_equal(hol_eom_get(given, HOL_EOM_PHI, room, 6), HOL_OK);
    assert_true(fabs(room[0]) > 0.01);
    USAGE(hol_eom_linearise(given, HOL_METRIC_MASS, &l), "the state is not on the constraints");
    USAGE(hol_eom_use_joints(given), "the state is not on the constraints");
    assert_int_equal(hol_eom_project(given, &change), HOL_OK);
    assert_true(change.position > 0.01 && change.most_position > 0.01 &&
                change.most_position <= change.position);
    assert_true(change.velocity > 0.01 && change.most_velocity <= change.velocity);
    assert_true(change.position_coordinate >= 0 && change.velocity_coordinate >= 0);
    assert_int_equal(hol_eom_get_state(given, &x), HOL_OK);
    assert_int_equal(hol_eom_get_state(assembled, &y), HOL_OK);
    for (int i = 0; i < x.n_q; i++) near("q", x.q[i], y.q[i], 1e-10);
    for (int i = 0; i < x.n_q; i++) near("v", x.v[i], y.v[i], 1e-10);
    assert_int_equal(hol_eom_project(given, &change), HOL_OK); // it is there
    assert_true(change.position < 1e-12 && change.velocity < 1e-12);
    assert_int_equal(hol_eom_linearise(given, HOL_METRIC_MASS, &l), HOL_OK);
    assert_int_equal(l.n, 0); // two bars between fixed points: no freedom
    hol_eom_destroy(given);
    hol_eom_destroy(assembled);
    hol_model_destroy(m);
}

// From where the joints cannot be closed nothing is moved.
static void what_does_not_close_stays(void **state)
{
    char text[sizeof OPEN + 10];
    (void)state;
    snprintf(text, sizeof text, "%s", OPEN);
    memcpy(strstr(text, "1.8"), "2.8", 3); // two bars of 1 m
    hol_model *m = parse(text);
    hol_eom *eom = open_eom(m, HOL_EOM_AS_GIVEN);
    hol_state_view x;
    hol_eom_change change;
    assert_int_equal(hol_eom_project(eom, &change), HOL_ERR_ASSEMBLY);
    expect_message("is open");
    assert_int_equal(hol_eom_get_state(eom, &x), HOL_OK);
    assert_true(x.q[0] == 0.55 && x.v[1] == 1);
    assert_null(hol_eom_create(ctx, m, HOL_EOM_ASSEMBLED));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_ASSEMBLY);
    hol_eom_destroy(eom);
    hol_model_destroy(m);
}

// The present state of a simulation, within a step too, with an input that was set.
static void a_simulation_gives_its_state(void **state)
{
    (void)state;
    hol_simulation *sim = hol_simulation_create(ctx, model);
    hol_eom *eom = open_eom(model, HOL_EOM_ASSEMBLED);
    double a[NQ], b[NQ];
    assert_int_equal(hol_simulation_advance(sim, 0.0123), HOL_OK);
    assert_int_equal(hol_simulation_set_input(sim, 0, 2), HOL_OK);
    assert_int_equal(hol_eom_take(eom, sim), HOL_OK);
    assert_true(hol_eom_input(eom, 0) == 2);
    const double *value = hol_simulation_values(sim);
    hol_eom_motion tip;
    assert_int_equal(hol_eom_marker(eom, hol_eom_find(eom, HOL_EOM_MARKERS, "arm.tip"), &tip), HOL_OK);
    near("tip.z", tip.position[2], value[hol_simulation_find_signal(sim, "arm.tip.z")], 1e-15);
    near("tip.vz", tip.velocity[2], value[hol_simulation_find_signal(sim, "arm.tip.vz")], 1e-15);
    // by the view, and the input apart
    hol_state_view x;
    assert_int_equal(hol_eom_get(eom, HOL_EOM_ACCELERATIONS, a, NQ), HOL_OK);
    assert_int_equal(hol_simulation_get_state(sim, &x), HOL_OK);
    assert_true(x.t == 0.0123);
    assert_int_equal(hol_eom_set_input(eom, 0, 0), HOL_OK);
    assert_int_equal(hol_eom_get(eom, HOL_EOM_ACCELERATIONS, b, NQ), HOL_OK);
    near("a torque of 2 N m about y", a[2] - b[2], -0.5 * 2 / (0.2 + 0.25), 1e-3);
    assert_int_equal(hol_eom_set_input(eom, 0, 2), HOL_OK);
    assert_int_equal(hol_eom_set_state(eom, &x), HOL_OK);
    assert_int_equal(hol_eom_get(eom, HOL_EOM_ACCELERATIONS, b, NQ), HOL_OK);
    for (int i = 0; i < NQ; i++) near("a", b[i], a[i], 1e-13);
    // switched off: memory
    const int on = hol_eom_find(eom, HOL_EOM_MEMORY, "motor.on"), n = hol_eom_count(eom, HOL_EOM_MEMORY);
    double memory[MOST];
    assert_true(on >= 0 && n <= MOST);
    assert_int_equal(hol_eom_get_memory(eom, memory, (size_t)n), HOL_OK);
    assert_true(memory[on] == 1);
    memory[on] = 0;
    assert_int_equal(hol_eom_set_memory(eom, memory, (size_t)n), HOL_OK);
    assert_int_equal(hol_eom_get(eom, HOL_EOM_ACCELERATIONS, a, NQ), HOL_OK);
    assert_true(fabs(a[2] - b[2]) > 1);
    hol_eom_destroy(eom);
    hol_simulation_destroy(sim);
}

// ---- what is not there ----------------------------------------------------------------------------------------

// A square root of -1 is named, with its place, and the next state is none the worse.
static void what_is_no_number_is_named(void **state)
{
    (void)state;
    hol_eom *eom = open_eom(model, HOL_EOM_ASSEMBLED);
    const double below[1] = {-1}, above[1] = {4};
    hol_csc A;
    assert_int_equal(hol_eom_set_state(eom, &(hol_state_view){.n_states = 1, .state = below}), HOL_OK);
    static const hol_eom_quantity which[] = {HOL_EOM_FORCES,      HOL_EOM_ACCELERATIONS,
                                             HOL_EOM_MULTIPLIERS, HOL_EOM_VARIABLE_VALUES,
                                             HOL_EOM_FORCES_Q,    HOL_EOM_FORCES_T};
    for (int i = 0; i < HOL_COUNT(which); i++) {
        const int size = size_of(eom, which[i]);
        assert_int_equal(hol_eom_get(eom, which[i], room, (size_t)size), HOL_ERR_INTEGRATION);
        expect_message("variables.root");
    }
    hol_eom_wrench w;
    assert_int_equal(hol_eom_reaction(eom, 0, &w), HOL_ERR_INTEGRATION);
    assert_int_equal(hol_eom_get_sparse(eom, HOL_EOM_MASS, &A), HOL_OK); // they have no part in it
    assert_int_equal(hol_eom_set_state(eom, &(hol_state_view){.n_states = 1, .state = above}), HOL_OK);
    assert_int_equal(hol_eom_get(eom, HOL_EOM_VARIABLE_VALUES, room, 1), HOL_OK);
    assert_true(room[0] == 2);
    hol_eom_destroy(eom);
}

// Bodies without mass, contradictions of redundant rows, singular poses.
static void what_is_not_determined_is_said(void **state)
{
    static const struct {
        const char *text, *words;
        hol_eom_quantity what;
    } cases[] = {
        {"{dimension: 2, gravity: [0, 0], bodies: [{name: b, mass: 0, inertia: 0}], simulate: {end: 1}}",
         "masses of 0", HOL_EOM_ACCELERATIONS},
        {"{dimension: 2, gravity: [0, 0], bodies: [{name: b, mass: 1, inertia: 1}], joints: [{name: i, type: "
         "revolute, between: [ground, b]}, {name: j, type: revolute, between: [ground: [0, 0.1], b]}],"
         " drivers: [{name: d, type: angle, between: [ground, b], value: time^2}, {name: e, type: angle, "
         "between: [ground, b], value: -time^2}],"
         " simulate: {end: 1}}",
         "contradict", HOL_EOM_ACCELERATIONS}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(cases); i++) {
        hol_model *m = parse(cases[i].text);
        hol_eom *eom = open_eom(m, HOL_EOM_AS_GIVEN);
        assert_int_equal(hol_eom_get(eom, cases[i].what, room, (size_t)size_of(eom, cases[i].what)),
                         HOL_ERR_INTEGRATION);
        expect_message(cases[i].words);
        hol_eom_destroy(eom);
        hol_model_destroy(m);
    }
}

// Two hinges of one body, which turns all the same: what velocities ask of the accelerations contradicts itself. On the joints it is fixed.
static void what_contradicts_itself_is_said(void **state)
{
    static const double v[3] = {0, 0, 2};
    (void)state;
    hol_model *m = parse(
        "{dimension: 2, gravity: [0, 0], bodies: [{name: b, mass: 1, inertia: 1}], joints: [{name: i, type: "
        "revolute, between: [ground, b]}, {name: j, type: revolute, between: [ground: [0, 0.1], b: [0, "
        "0.1]]}],"
        " simulate: {end: 1}}");
    hol_eom *eom = open_eom(m, HOL_EOM_ASSEMBLED);
    assert_int_equal(hol_eom_set_state(eom, &(hol_state_view){0, 3, 0, NULL, v, NULL}), HOL_OK);
    assert_int_equal(hol_eom_get(eom, HOL_EOM_ACCELERATIONS, room, 3), HOL_ERR_INTEGRATION);
    expect_message("contradict each other there (hol_eom_project)");
    assert_int_equal(hol_eom_project(eom, NULL), HOL_OK);
    assert_int_equal(hol_eom_get(eom, HOL_EOM_ACCELERATIONS, room, 3), HOL_OK);
    for (int i = 0; i < 3; i++) near("a", room[i], 0, 1e-12);
    hol_eom_destroy(eom);
    hol_model_destroy(m);
}

// A parallelogram stretched out may go on in two ways: its joints lose independence.
static void a_singular_pose_is_not_linearised(void **state)
{
    (void)state;
    hol_model *m = load_model("four_bar", NULL, 0);
    hol_eom *eom = open_eom(m, HOL_EOM_ASSEMBLED);
    hol_eom_linear l;
    double q[15] = {0}, v[15] = {0};
    assert_int_equal(hol_eom_count(eom, HOL_EOM_COORDINATES), 15);
    for (int i = 0; i < 15; i += 3) { // all bars along x
        hol_eom_name name;
        assert_true(hol_eom_name_of(eom, HOL_EOM_COORDINATES, i, &name));
        const int k = name.object[strlen(name.object) - 1] - '0';
        q[i] = name.object[1] == 'r' ? k + 0.5 : k + 1.5; // crank, coupler
    }
    assert_int_equal(hol_eom_set_state(eom, &(hol_state_view){0, 15, 0, q, v, NULL}), HOL_OK);
    assert_int_equal(hol_eom_linearise(eom, HOL_METRIC_MASS, &l), HOL_ERR_INTEGRATION);
    expect_message("singular pose");
    hol_eom_destroy(eom);
    hol_model_destroy(m);
}

// Models without joint coordinates: what is to blame is named.
static void who_has_no_joint_coordinates_is_named(void **state)
{
    static const struct {
        const char *model, *words;
    } cases[] = {{"slider_crank", "it closes a loop of joints"},
                 {"gear_train", "beside the tree of joints"},
                 {"knife_edge", "blade: it is a velocity constraint"},
                 {"pendulum", "rod: "}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(cases); i++) {
        hol_model *m = load_model(cases[i].model, NULL, 0);
        hol_eom *eom = open_eom(m, HOL_EOM_ASSEMBLED);
        assert_int_equal(hol_eom_use_joints(eom), HOL_ERR_USAGE);
        expect_message("the model has no joint coordinates: ");
        expect_message(cases[i].words);
        expect_message("N of phi_q gives N^T M N");
        assert_int_equal(hol_eom_count(eom, HOL_EOM_JOINT_RATES), 0);
        assert_int_equal(
            hol_eom_get(eom, HOL_EOM_ACCELERATIONS, room, (size_t)size_of(eom, HOL_EOM_ACCELERATIONS)),
            HOL_OK);
        hol_eom_destroy(eom);
        hol_model_destroy(m);
    }
}

static void couplers_have_no_wrench(void **state)
{
    (void)state;
    hol_model *m = load_model("gear_train", NULL, 0);
    hol_eom *eom = open_eom(m, HOL_EOM_ASSEMBLED);
    hol_eom_wrench w;
    USAGE(hol_eom_reaction(eom, hol_eom_find(eom, HOL_EOM_ELEMENTS, "stage1"), &w), "stage1 has no end");
    hol_eom_destroy(eom);
    hol_model_destroy(m);
}

// ---- memory ---------------------------------------------------------------------------------------------------

static hol_status round_of(hol_eom *eom, int k)
{
    double q[MOST], v[MOST];
    hol_state_view x;
    hol_eom_wrench w;
    hol_csc A;
    hol_status st = hol_eom_get_state(eom, &x);
    if (st) return st;
    memcpy(q, x.q, (size_t)x.n_q * sizeof *q);
    memcpy(v, x.v, (size_t)x.n_q * sizeof *v);
    for (int i = 0; i < x.n_q; i++) q[i] += 1e-3 * k * sin(i);
    st = hol_eom_set_state(eom, &(hol_state_view){0, x.n_q, 0, q, v, NULL});
    if (!st) st = hol_eom_project(eom, NULL);
    for (int what = 0; what < HOL_EOM_QUANTITIES && !st; what++) {
        int rows, columns;
        st = hol_eom_shape(eom, (hol_eom_quantity)what, &rows, &columns);
        if (!st) st = hol_eom_get(eom, (hol_eom_quantity)what, room, (size_t)(rows * columns));
    }
    if (!st) st = hol_eom_get_sparse(eom, HOL_EOM_PHI_Q, &A);
    return st ? st : hol_eom_reaction(eom, 0, &w);
}

// Wherever an allocation fails: a status, no leak (with the sanitizer), and the handle goes on.
static void memory_may_end_anywhere(void **state)
{
    static const char *const models[] = {ARM, "chain"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(models); k++) {
        hol_model *m =
            k ? load_model(models[k], (const char *const[]){"parameters.n=2"}, 1) : parse(models[k]);
        bool whole = false;
        for (long n = 1; !whole; n++) {
            hol_memory_fail_after(ctx, n);
            hol_eom_linear l;
            hol_eom *eom = hol_eom_create(ctx, m, HOL_EOM_ASSEMBLED);
            hol_status st = eom ? hol_eom_use_joints(eom) : hol_context_status(ctx);
            if (!st) st = round_of(eom, 1);
            if (!st) st = hol_eom_linearise(eom, HOL_METRIC_MASS, &l);
            whole = hol_memory_fail_after(ctx, 0) > 0;
            if (!whole) assert_int_equal(st, HOL_ERR_MEMORY);
            if (whole) assert_int_equal(st, HOL_OK);
            if (eom && !whole) { // it goes on
                const hol_status again = hol_eom_use_joints(eom);
                assert_true(!again || again == HOL_ERR_USAGE);
                assert_int_equal(round_of(eom, 1), HOL_OK);
                assert_int_equal(hol_eom_linearise(eom, HOL_METRIC_MASS, &l), HOL_OK);
            }
            hol_eom_destroy(eom);
        }
        hol_model_destroy(m);
    }
}

// After the first round nothing is allocated, as the header says; linearise apart.
static void rounds_allocate_nothing(void **state)
{
    static const char *const models[] = {"bricard", "chain3d", "hydraulic", "walker"};
    (void)state;
    for (int k = 0; k < HOL_COUNT(models); k++) {
        hol_model *m = load_model(models[k], NULL, 0);
        hol_eom *eom = open_eom(m, HOL_EOM_ASSEMBLED);
        hol_eom_wrench w;
        long before = 0;
        for (int i = 0; i < 6; i++) {
            hol_state_view x;
            assert_int_equal(hol_eom_project(eom, NULL), HOL_OK);
            assert_int_equal(hol_eom_get_state(eom, &x), HOL_OK);
            assert_int_equal(hol_eom_set_state(eom, &x), HOL_OK);
            const int nq = x.n_q, nc = hol_eom_count(eom, HOL_EOM_CONSTRAINTS);
            double *out = malloc((size_t)(nq * (nq + nc) + 1) * sizeof *out);
            assert_int_equal(hol_eom_get(eom, HOL_EOM_ACCELERATIONS, out, (size_t)nq), HOL_OK);
            assert_int_equal(hol_eom_get(eom, HOL_EOM_MULTIPLIERS, out, (size_t)nc), HOL_OK);
            assert_int_equal(hol_eom_get(eom, HOL_EOM_FORCES_Q, out, (size_t)(nq * nq)), HOL_OK);
            assert_int_equal(hol_eom_get(eom, HOL_EOM_PHI_Q, out, (size_t)(nc * nq)), HOL_OK);
            assert_int_equal(hol_eom_reaction(eom, 0, &w), HOL_OK);
            free(out);
            if (i == 0) before = hol_memory_count(ctx);
        }
        assert_int_equal(hol_memory_count(ctx), before);
        hol_eom_destroy(eom);
        hol_model_destroy(m);
    }
}

static int prepare(void **state)
{
    if (start(state)) return -1;
    model = hol_model_parse(ctx, "a", ARM, strlen(ARM), NULL, 0);
    if (!model) print_error("%s\n", hol_context_error(ctx));
    e = model ? hol_eom_create(ctx, model, HOL_EOM_ASSEMBLED) : NULL;
    return e ? 0 : -1;
}

static int clean(void **state)
{
    hol_eom_destroy(e);
    hol_model_destroy(model);
    return stop(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_the_header_is_here),
        cmocka_unit_test(every_function_says_what_it_lacks),
        cmocka_unit_test(a_start_as_given_is_put_onto_the_joints),
        cmocka_unit_test(what_does_not_close_stays),
        cmocka_unit_test(a_simulation_gives_its_state),
        cmocka_unit_test(what_is_no_number_is_named),
        cmocka_unit_test(what_is_not_determined_is_said),
        cmocka_unit_test(what_contradicts_itself_is_said),
        cmocka_unit_test(a_singular_pose_is_not_linearised),
        cmocka_unit_test(who_has_no_joint_coordinates_is_named),
        cmocka_unit_test(couplers_have_no_wrench),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(rounds_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
