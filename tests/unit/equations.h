// Tests of the equations at a state: every shipped model, and what none of those has, at states of its run and at random ones, and what is
// measured there.
#ifndef EQUATIONS_H
#define EQUATIONS_H

#include "analysis/eom.h"
#include "api/api.h"
#include "harness.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATES = 20,
    APART = 5,
    DEAR = 5
}; // of a run and random ones; steps between those of a run; one of so many is looked at longer

// What no shipped model has.
static const struct {
    const char *name, *text;
} rare[] = {
    {"arm of all joints", // a tree in space: strokes, one, two and three angles, a screw, drivers, frames away from the centres of mass
     "dimension: 3\ngravity: [0.3, -0.4, -9.81]\n"
     "bodies:\n"
     "  - {name: a, mass: 2, inertia: [0.3, 0.4, 0.5, 0.05, 0, 0.02], com: [0.1, 0, 0.2], position: [0, 0, "
     "0.5], omega: [0, 0, 1]}\n"
     "  - {name: b, mass: 1.5, inertia: [0.2, 0.1, 0.3], position: [1, 0, 0.5]}\n"
     "  - {name: c, mass: 1, inertia: [0.1, 0.2, 0.15], com: [0, 0.1, 0], position: [2, 0, 0.5]}\n"
     "  - {name: d, mass: 0.8, inertia: [0.1, 0.05, 0.1], position: [2, 1, 0.5]}\n"
     "  - {name: e, mass: 0.7, inertia: [0.02, 0.03, 0.04], position: [2, 2, 0.5]}\n"
     "  - {name: f, mass: 0.5, inertia: [0.05, 0.02, 0.04], position: [2, 2, 1.5]}\n"
     "  - {name: g, mass: 0.4, inertia: [0.01, 0.02, 0.015], position: [3, 2, 1.5], velocity: [0.1, 0, 0]}\n"
     "  - {name: free, mass: 1.1, inertia: [0.2, 0.3, 0.25], com: [0.1, 0.2, 0], position: [-2, 0, 0], "
     "omega: [1, -0.5, 2]}\n"
     "  - {name: p, type: point, mass: 0.2, position: [-1, 1, 0]}\n"
     "joints:\n"
     "  - {name: waist, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0.1, 0.2, 1]}\n"
     "  - {name: boom, type: cylindrical, bodies: [a, b], at: [0.5, 0, 0.5], axis: [1, 0, 0.1]}\n"
     "  - {name: cross, type: universal, bodies: [b, c], at: [1.5, 0, 0.5], axis: [0, 1, 0], axis2: [0, 0, "
     "1]}\n"
     "  - {name: ball, type: spherical, bodies: [c, d], at: [2, 0.5, 0.5]}\n"
     "  - {name: thread, type: screw, pitch: 0.2, bodies: [d, e], at: [2, 1.5, 0.5], axis: [0, 1, 0.2]}\n"
     "  - {name: slide, type: translational, bodies: [e, f], at: [2, 2, 1], axis: [0, 0.3, 1]}\n"
     "  - {name: table, type: planar, bodies: [f, g], at: [2.5, 2, 1.5], axis: [1, 0, 0.4]}\n"
     "drivers:\n"
     "  - {name: lift, type: stroke, joint: slide, value: 0.1*sin(3*time)}\n"
     "forces:\n"
     "  - {name: spring, type: spring-damper, between: [ground: [0, 0, 3], c], stiffness: 40, damping: 2, "
     "length: 1}\n"
     "  - {name: push, type: force, on: g, value: [2*sin(time), -VX(g), 0.3*DX(g)^2]}\n"
     "simulate: {end: 0.5, tolerance: 1e-6}\n"},
    {"users", // variables and states that depend on positions, velocities, accelerations and reactions, velocity constraints
     "dimension: 3\ngravity: [0, 0, -9.81]\n"
     "parameters: {mu: 0.2, gain: 0.7}\n"
     "ground: {markers: {moving: {position: [0, 0, 1], axis: [0, 1, 0], motion: {x: 0.1*sin(2*time), z: "
     "0.05*time^2, angle: "
     "0.3*time, axis: [0, 1, 0.2]}}}}\n"
     "bodies:\n"
     "  - {name: a, mass: 2, inertia: [0.3, 0.4, 0.5], position: [0.5, 0, 1], omega: [0.2, 0, 0]}\n"
     "  - {name: b, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 2, 0.3], omega: [0, 0.5, 0.4]}\n"
     "joints:\n"
     "  - {name: hinge, type: revolute, between: [ground.moving, a: {position: [-0.5, 0, 0], axis: [0, 1, "
     "0]}]}\n"
     "constraints:\n"
     "  - {name: blade, velocity: \"VX(b, ground, b) - 0.1*sin(time)\"}\n"
     "  - {name: plane, position: \"DZ(b) - 0.3 - 0.05*sin(DX(b))\"}\n"
     "inputs: [{name: pushed, value: 0.2, hold: linear}]\n"
     "tunable: [gain]\n"
     "states:\n"
     "  - {name: level, rate: -0.5*level + DX(a) + u + gain*pushed, initial: 0.3}\n"
     "variables:\n"
     "  - {name: u, value: 2*level - VX(a)*DZ(b)}\n"
     "  - {name: w, value: \"0.1*ACCX(a) + 0.3*w2\"}\n"
     "  - {name: w2, value: \"0.2*FZ(hinge) + u + time + 0.3*pushed\"}\n"
     "forces:\n"
     "  - {name: pull, type: force, on: b, value: [u - VX(b), 0.4*w2 - VY(b), gain*pushed^2]}\n"
     "  - {name: twist, type: torque, on: a, value: [0, 0.1*w - WY(a), 0]}\n"
     "  - {name: bush, type: bushing, between: [a, b], stiffness: [10, 20, 30, 1, 2, 3], damping: [1, 1, 1, "
     "0.1, 0.1, 0.1]}\n"
     "simulate: {end: 0.5, tolerance: 1e-6, method: bdf}\n"},
    {"held coordinates", // constraints on coordinates of joints and their rates
     "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
     "  - {name: a, mass: 2, inertia: [0.3, 0.4, 0.5], position: [0.5, 0, 0], omega: [0.0293, 0.0586, "
     "0.293]}\n"
     "  - {name: b, mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0.2, 0.3]}\n"
     "  - {name: c, mass: 1, inertia: [0.1, 0.2, 0.3], position: [1, 0.6, 0.3]}\n"
     "joints:\n"
     "  - {name: turn, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0.1, 0.2, 1]}\n"
     "  - {name: tube, type: cylindrical, bodies: [a, b], at: [1, 0, 0], axis: [1, 0.3, 0.2]}\n"
     "  - {name: knee, type: universal, bodies: [b, c], at: [1, 0.4, 0.3], axis: [1, 0, 0], axis2: [0, 0, "
     "1]}\n"
     "constraints:\n"
     "  - {name: out, position: \"tube.stroke - 0.1*sin(2*time) + 0.02*DZ(c)\"}\n"
     "  - {name: round, velocity: \"turn.rate - 0.3*cos(time) - 0.1*tube.stroke*knee.rate1\"}\n"
     "simulate: {end: 0.5, tolerance: 1e-6, method: bdf}\n"},
    {"redundant", // two hinges of one door, a parallelogram in space
     "dimension: 3\ngravity: [0, 0, -9.81]\n"
     "bodies:\n"
     "  - {name: crank, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], omega: [0, 1, 0]}\n"
     "  - {name: rod, mass: 2, inertia: [0.1, 0.3, 0.3], position: [1, 0, 1], velocity: [1, 0, 0]}\n"
     "  - {name: rocker, mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0.5], omega: [0, 1, 0]}\n"
     "joints:\n"
     "  - {name: A, type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n"
     "  - {name: A2, type: revolute, bodies: [ground, crank], at: [0, 0.3, 0], axis: [0, 1, 0]}\n"
     "  - {name: B, type: revolute, bodies: [crank, rod], at: [0, 0, 1], axis: [0, 1, 0]}\n"
     "  - {name: C, type: revolute, bodies: [rod, rocker], at: [2, 0, 1], axis: [0, 1, 0]}\n"
     "  - {name: D, type: revolute, bodies: [ground, rocker], at: [2, 0, 0], axis: [0, 1, 0]}\n"
     "simulate: {end: 0.5, tolerance: 1e-6}\n"},
    {"turns", // gears in space count whole turns; a force is switched and a parameter is set on the way; inputs
     "dimension: 3\ngravity: [0, 0, -9.81]\n"
     "parameters: {k: 3}\n"
     "inputs:\n  - {name: torque, value: 0.5, unit: N m}\n"
     "bodies:\n"
     "  - {name: big, mass: 2, inertia: [0.1, 0.1, 0.2], omega: [0, 0, 30]}\n"
     "  - {name: small, mass: 1, inertia: [0.05, 0.05, 0.02], position: [1, 0, 0], omega: [0, 0, -75]}\n"
     "joints:\n"
     "  - {name: s1, type: revolute, bodies: [ground, big], at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  - {name: s2, type: revolute, bodies: [ground, small], at: [1, 0, 0], axis: [0, 0, 1]}\n"
     "  - {name: mesh, type: gear, joints: [s1, s2], ratio: -0.4}\n"
     "forces:\n"
     "  - {name: brake, type: torque, on: big, value: [0, 0, -0.1*k*WZ(big)]}\n"
     "  - {name: motor, type: torque, on: small, value: [0, 0, torque]}\n"
     "events:\n"
     "  - {name: later, at: 0.2, set: {k: 1}}\n"
     "  - {name: stop, at: 0.4, off: brake}\n"
     "simulate: {end: 0.8, tolerance: 1e-6}\n"},
    {"cam", // a constraint by a table whose slope is 0 over wide ranges: its entries in the matrices are there nevertheless
     "dimension: 2\ngravity: [0, -9.81]\n"
     "splines: [{name: lift, kind: akima, x: [-100, -50, 0, 2, 4, 5, 6, 7, 8, 9, 100], y: [0, 0, 0, 0, 0, "
     "0.1, 0.3, 0.4, 0.4, 0.4, 0.4]}]\n"
     "bodies: [{name: cam, mass: 1, inertia: 0.1, omega: 10}, {name: follower, mass: 0.4, inertia: 1e-2, "
     "position: [0, 0.5]}]\n"
     "joints: [{name: shaft, type: revolute, between: [ground, cam]}, {name: guide, type: translational, "
     "between: [ground: {axis: [0, 1]}, follower: {axis: [0, 1]}]}]\n"
     "constraints: [{name: surface, position: \"DY(follower) - 0.5 - spline(AZ(cam), lift)\"}]\n"
     "simulate: {end: 0.9, tolerance: 1e-6}\n"},
};

// ---- vectors --------------------------------------------------------------------------------------------------

static double *room(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

// rows x columns of a quantity, to be freed.
static double *get(hol_eom *e, hol_eom_quantity what)
{
    int rows, columns;
    assert_int_equal(hol_eom_shape(e, what, &rows, &columns), HOL_OK);
    const size_t size = (size_t)rows * (size_t)columns;
    double *x = room(size);
    if (hol_eom_get(e, what, x, size)) fail_msg("quantity %d: %s", (int)what, hol_context_error(ctx));
    return x;
}

// out += c A x, or A^T x; A (rows x columns)
static void add_times(double c, const double *A, int rows, int columns, const double *x, double *out)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) out[i] += c * A[i + j * rows] * x[j];
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = hol_larger(fabs(x[i]), most);
    return most;
}
static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// ---- what is measured -----------------------------------------------------------------------------------------

// The largest error of each kind over all states of a model.
typedef enum {
    MOTION,    // M a + Phi_q^T lam + Psi_v^T kap - Q, against the largest term
    ROWS,      // Phi_q a - gamma and the same of Psi, against gamma and a
    CLOSED,    // Phi, Phi_q v + Phi_t, Psi after a projection, by natural size
    RUN,       // accelerations against those of the run
    REACTIONS, // of all joints, drivers and forces against the signals
    SIGNALS,   // positions, velocities, energies, variables against the signals
    ENERGY,    // v^T M v/2 against the kinetic energy
    MOMENTA,   // against products of M v with the fields of translation and rotation
    JACOBIANS, // J v and Jr v against velocity and omega
    CURVES,    // Phi along q + h v + h^2 a/2: first and second derivative by differences, markers' velocities
    TANGENTS,  // dQ/dq, dQ/dv, dQ/dX, dQ/dt, dQ/du against differences
    LINEAR,    // A, B, C, D against differences of accelerations and variables on the constraints
    BALANCE,   // rates of the momenta, by differences, against the wrenches from outside
    JOINTS,    // H u' + h, N u + v0 - v, u^T H u/2, H from Jacobians of the bodies
    KINDS
} kind;

static const struct {
    const char *name;
    double allowed;
} kinds[KINDS] = {
    [MOTION] = {"motion", 1e-11},
    [ROWS] = {"rows", 1e-13},
    [CLOSED] = {"closed", 1e-10}, // as far as projections go
    [RUN] = {"run", 1e-9},        // as far as the run goes
    [REACTIONS] = {"reactions", 1e-8},
    [SIGNALS] = {"signals", 1e-13},
    [ENERGY] = {"energy", 1e-12},
    [MOMENTA] = {"momenta", 1e-12}, // and as the joints are closed
    [JACOBIANS] = {"jacobians", 1e-13},
    [CURVES] = {"curves", 1e-7},
    [TANGENTS] = {"tangents", 1e-7},
    [LINEAR] = {"linear", 1e-5},
    [BALANCE] = {"balance", 1e-6},
    [JOINTS] = {"joints", 1e-10},
};

typedef struct tested tested;

// What a program looks at, NULL: nothing.
typedef struct {
    void (*names)(hol_eom *e);
    // At each state. dear: what takes long too. apart: not at a place where the run has ended a step because the forces have a kink there.
    void (*state)(tested *s, bool dear, bool apart);
    // Beside the run, which is at x.
    void (*run)(tested *s, hol_dynamics *d, const hol_state *x);
} looks;

struct tested {
    const char *name;
    const looks *look;
    hol_model *model;
    hol_eom *e;
    double seen[KINDS];
    int n[KINDS]; // how often it was looked at
    hol_random dice;
    bool tree; // it has joint coordinates
};

static void note(tested *s, kind what, double error)
{
    if (!(error <= kinds[what].allowed) && !(s->seen[what] > kinds[what].allowed)) {
        hol_state_view x;
        hol_eom_get_state(s->e, &x);
        print_message("%s: %s is off by %.2e at t = %.6g\n", s->name, kinds[what].name, error, x.t);
    }
    s->seen[what] = hol_larger(error, s->seen[what]);
    s->n[what]++;
}

// ---- differences ----------------------------------------------------------------------------------------------

typedef struct {
    double t, *q, *v, *X, *memory;
} point;

static point here(const hol_eom *e)
{
    hol_state_view x;
    assert_int_equal(hol_eom_get_state(e, &x), HOL_OK);
    const size_t n_memory = (size_t)hol_eom_count(e, HOL_EOM_MEMORY);
    point p = {x.t, room((size_t)x.n_q), room((size_t)x.n_q), room((size_t)x.n_states), room(n_memory)};
    memcpy(p.q, x.q, (size_t)x.n_q * sizeof *p.q);
    memcpy(p.v, x.v, (size_t)x.n_q * sizeof *p.v);
    memcpy(p.X, x.state, (size_t)x.n_states * sizeof *p.X);
    assert_int_equal(hol_eom_get_memory(e, p.memory, n_memory), HOL_OK);
    return p;
}

static void leave(point *p) { free(p->q), free(p->v), free(p->X), free(p->memory); }

static void go(hol_eom *e, const point *p)
{
    const hol_model_data *m = e->m;
    const hol_state_view x = {p->t, m->nq, m->n_states, p->q, p->v, p->X};
    if (hol_eom_set_state(e, &x) || hol_eom_set_memory(e, p->memory, (size_t)m->n_mem))
        fail_msg("%s", hol_context_error(ctx));
}

// A direction of all that a state depends on; NULL: 0.
typedef struct {
    const double *q, *bend, *v, *X; // q bends by bend h^2/2
    const double *u;                // of inputs and tunable parameters
    double t;
} direction;

// The state at a part h of a direction.
static void go_along(hol_eom *e, const point *p, double h, const direction *d)
{
    const double *dq = d->q, *bend = d->bend, *dv = d->v, *dX = d->X, dt = d->t;
    point x = {p->t + h * dt, room((size_t)e->m->nq), room((size_t)e->m->nq), room((size_t)e->m->n_states),
               p->memory};
    for (int i = 0; i < e->m->nq; i++) {
        x.q[i] = p->q[i] + (dq ? h * dq[i] : 0) + (bend ? 0.5 * h * h * bend[i] : 0);
        x.v[i] = p->v[i] + (dv ? h * dv[i] : 0);
    }
    for (int i = 0; i < e->m->n_states; i++) x.X[i] = p->X[i] + (dX ? h * dX[i] : 0);
    go(e, &x);
    for (int i = 0; i < hol_eom_count(e, HOL_EOM_INPUTS) && d->u; i++)
        assert_int_equal(hol_eom_set_input(e, i, hol_eom_input(e, i) + h * d->u[i]), HOL_OK);
    free(x.q), free(x.v), free(x.X);
}

static double *random_along(tested *s, int n, const double *size)
{
    double *x = room((size_t)n);
    for (int i = 0; i < n; i++) x[i] = hol_random_uniform(&s->dice) * (size ? size[i] : 1);
    return x;
}

// ---- the run --------------------------------------------------------------------------------------------------

static void look_at_run(tested *s)
{
    hol_settings set = s->model->settings;
    set.max_step = fmin(set.max_step, set.end / (APART * (STATES + 1)));
    set.max_step_given = true;
    hol_dynamics *d = hol_dynamics_create(ctx, s->model->data, &set, true);
    if (!d) fail_msg("%s: %s", s->name, hol_context_error(ctx));
    bool done = false;
    int n = 0;
    for (int step = 0; n < STATES && !done; step++) {
        if (hol_dynamics_step(d, &done)) fail_msg("%s: %s", s->name, hol_context_error(ctx));
        const hol_state *x;
        if (step % APART) continue;
        if (hol_rows_at(&d->rows, d->it->x.t, &x)) continue; // a singular pose, perhaps
        assert_int_equal(hol_signals_evaluate(&d->signals, x, 0), HOL_OK);
        const point p = {x->t, x->q, x->v, x->X, x->mem};
        if (hol_model_switched(s->e->m, x->mem) >= 0) { // the equations are those of the start
            assert_int_equal(hol_eom_set_memory(s->e, x->mem, (size_t)d->m->n_mem), HOL_ERR_USAGE);
            n = STATES;
            break;
        }
        go(s->e, &p);
        if (s->look->run) s->look->run(s, d, x);
        s->look->state(s, n % DEAR == 0, false);
        n++;
    }
    hol_dynamics_destroy(d);
    if (n < STATES) fail_msg("%s: %d states of the run", s->name, n);
}

// ---- random states --------------------------------------------------------------------------------------------

static void look_at_random(tested *s, const point *start)
{
    hol_eom *e = s->e;
    int n = 0;
    for (int k = 0; n < STATES && k < 10 * STATES; k++) {
        const double far =
            0.19 / (1 + k / STATES); // nearer where it does not close; on no table that has round times
        double *dq = random_along(s, e->m->nq, e->k.s->q_size),
               *dv = random_along(s, e->m->nq, e->k.s->q_size), *dX = random_along(s, e->m->n_states, NULL);
        for (int i = 0; i < e->m->nq; i++) dv[i] /= far * e->m->time_scale;
        go_along(e, start, far, &(direction){.q = dq, .v = dv, .X = dX, .t = e->m->time_scale});
        hol_eom_change change;
        const hol_status st = hol_eom_project(e, &change);
        free(dq), free(dv), free(dX);
        if (st == HOL_ERR_ASSEMBLY) continue;
        if (st) fail_msg("%s: %s", s->name, hol_context_error(ctx));
        s->look->state(s, n % DEAR == 0, true);
        n++;
    }
    if (n < STATES) fail_msg("%s: %d random states close", s->name, n);
}

// model: as load_model takes it. How many kinds have too large an error; trees: one more if it has joint coordinates.
static int look_at_model(const char *name, const char *model, const looks *look, int *trees)
{
    static const char *const all[] = {"simulate.signals=[all]", "simulate.project=true"};
    int bad = 0;
    tested s = {.name = name, .look = look, .dice = {17}};
    s.model = load_model(model, all, 2);
    s.e = hol_eom_create(ctx, s.model, HOL_EOM_ASSEMBLED);
    if (!s.e) fail_msg("%s: %s", name, hol_context_error(ctx));
    point start = here(s.e);
    if (look->names) look->names(s.e);
    s.tree = hol_eom_use_joints(s.e) == HOL_OK;
    if (s.tree && look->names) look->names(s.e);
    if (!s.tree && (hol_context_status(ctx) != HOL_ERR_USAGE ||
                    !strstr(hol_context_error(ctx), "no joint coordinates: ")))
        fail_msg("%s: %s", name, hol_context_error(ctx));
    look_at_run(&s);
    look_at_random(&s, &start);
    leave(&start);
    printf("%-22s", name);
    for (int k = 0; k < KINDS; k++) {
        if (s.n[k]) printf(" %s %.0e", kinds[k].name, s.seen[k]);
        bad += s.n[k] && !(s.seen[k] <= kinds[k].allowed);
    }
    printf("\n");
    *trees += s.tree;
    hol_eom_destroy(s.e);
    hol_model_destroy(s.model);
    return bad;
}

// How many of the shipped models have joint coordinates.
static int look_at_all_models(const looks *look)
{
    glob_t models;
    int bad = 0, trees = 0;
    assert_int_equal(glob("models/*.yaml", 0, NULL, &models), 0);
    assert_true(models.gl_pathc > 25);
    for (size_t i = 0; i < models.gl_pathc; i++) {
        char name[60];
        if (getenv("MODEL") ? !strstr(models.gl_pathv[i], getenv("MODEL")) : !in_sample((int)i, 1, 3))
            continue;
        sscanf(models.gl_pathv[i], "models/%59[^.]", name);
        bad += look_at_model(name, name, look, &trees);
    }
    globfree(&models);
    print_message("%d of them have joint coordinates\n", trees);
    assert_int_equal(bad, 0);
    return trees;
}

static int look_at_rare_models(const looks *look)
{
    int bad = 0, trees = 0;
    for (int i = 0; i < HOL_COUNT(rare); i++)
        if (!getenv("MODEL") || strstr(rare[i].name, getenv("MODEL")))
            bad += look_at_model(rare[i].name, rare[i].text, look, &trees);
    assert_int_equal(bad, 0);
    return trees;
}

#endif
