// The equations at a state (holonom_equations.h) of every shipped model, at states of its run and at random ones: they hold, they
// agree with the run, with each other and with differences.
#include "element/contact.h"
#include "analysis/dynamics.h"
#include "analysis/eom.h"
#include "api/api.h"
#include "harness.h"
#include "integrator/crossing.h"

#include <float.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 20, APART = 5 }; // of a run and random ones; steps between those of a run

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

static int rows_of(const hol_eom *e, hol_eom_quantity what)
{
    int rows, columns;
    assert_int_equal(hol_eom_shape(e, what, &rows, &columns), HOL_OK);
    return rows;
}

// out += c A x, or A^T x; A (rows x columns)
static void add_times(double c, const double *A, int rows, int columns, const double *x, double *out)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) out[i] += c * A[i + j * rows] * x[j];
}
static void add_transposed(double c, const double *A, int rows, int columns, const double *x, double *out)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) out[j] += c * A[i + j * rows] * x[i];
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

typedef struct {
    const char *name;
    hol_model *model;
    hol_eom *e;
    double seen[KINDS];
    int n[KINDS]; // how often it was looked at
    hol_random dice;
    bool tree; // it has joint coordinates
} tested;

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

// ---- the equations --------------------------------------------------------------------------------------------

static void look_at_motion(tested *s)
{
    hol_eom *e = s->e;
    const int nq = rows_of(e, HOL_EOM_FORCES), nc = rows_of(e, HOL_EOM_PHI), nk = rows_of(e, HOL_EOM_PSI);
    double *M = get(e, HOL_EOM_MASS), *J = get(e, HOL_EOM_PHI_Q), *P = get(e, HOL_EOM_PSI_V),
           *Q = get(e, HOL_EOM_FORCES), *a = get(e, HOL_EOM_ACCELERATIONS),
           *lam = get(e, HOL_EOM_MULTIPLIERS), *kap = get(e, HOL_EOM_VELOCITY_MULTIPLIERS),
           *gamma = get(e, HOL_EOM_GAMMA), *psi_gamma = get(e, HOL_EOM_PSI_GAMMA);
    double *Ma = room((size_t)nq), *held = room((size_t)nq), *left = room((size_t)(nq + nc + nk));
    add_times(1, M, nq, nq, a, Ma);
    add_transposed(1, J, nc, nq, lam, held);
    add_transposed(1, P, nk, nq, kap, held);
    for (int i = 0; i < nq; i++) left[i] = (Ma[i] + held[i] - Q[i]) * e->k.s->q_size[i];
    const double most = fmax(largest(Ma, nq), fmax(largest(held, nq), largest(Q, nq)));
    if (most > 0) note(s, MOTION, largest(left, nq) / most);
    memset(left, 0, (size_t)nq * sizeof *left);
    add_times(1, J, nc, nq, a, left);
    add_times(1, P, nk, nq, a, left + nc);
    for (int i = 0; i < nc; i++) left[i] = (left[i] - gamma[i]) / e->k.s->row_size[i];
    for (int i = 0; i < nk; i++) left[nc + i] -= psi_gamma[i];
    const double T = e->m->time_scale,
                 size = largest(gamma, nc) + hol_equations_coordinate_norm(e->k.s, a) + 1 / (T * T);
    if (nc + nk) note(s, ROWS, largest(left, nc + nk) / size);
    void *all[] = {M, J, P, Q, a, lam, kap, gamma, psi_gamma, Ma, held, left};
    for (int i = 0; i < HOL_COUNT(all); i++) free(all[i]);
}

static void look_at_constraints(tested *s)
{
    hol_eom *e = s->e;
    hol_state_view x;
    hol_eom_get_state(e, &x);
    const int nq = x.n_q, nc = rows_of(e, HOL_EOM_PHI), nk = rows_of(e, HOL_EOM_PSI);
    double *phi = get(e, HOL_EOM_PHI), *J = get(e, HOL_EOM_PHI_Q), *dot_ = get(e, HOL_EOM_PHI_T),
           *psi = get(e, HOL_EOM_PSI);
    add_times(1, J, nc, nq, x.v, dot_);
    const double *size = e->k.s->row_size, T = e->m->time_scale,
                 speed = 1 + T * hol_equations_coordinate_norm(e->k.s, x.v);
    for (int i = 0; i < nc; i++) phi[i] /= size[i], dot_[i] *= T / size[i];
    if (nc) note(s, CLOSED, fmax(largest(phi, nc), largest(dot_, nc) / speed));
    if (nk) note(s, CLOSED, largest(psi, nk) * T / e->m->length_scale / speed);
    void *all[] = {phi, J, dot_, psi};
    for (int i = 0; i < HOL_COUNT(all); i++) free(all[i]);
}

// Dense and sparse are the same; no entry twice.
static void look_at_sparse(tested *s)
{
    static const hol_eom_quantity which[] = {HOL_EOM_MASS, HOL_EOM_PHI_Q, HOL_EOM_PSI_V};
    for (int k = 0; k < HOL_COUNT(which); k++) {
        hol_csc A;
        double *dense = get(s->e, which[k]);
        assert_int_equal(hol_eom_get_sparse(s->e, which[k], &A), HOL_OK);
        assert_int_equal(A.n_rows, rows_of(s->e, which[k]));
        for (int j = 0; j < A.n_columns; j++)
            for (int i = A.start[j]; i < A.start[j + 1]; i++) {
                assert_true(A.row[i] >= 0 && A.row[i] < A.n_rows &&
                            (i == A.start[j] || A.row[i] > A.row[i - 1]));
                double *at = &dense[A.row[i] + j * A.n_rows];
                assert_true(*at == A.value[i]);
                *at = 0;
            }
        assert_true(largest(dense, A.n_rows * A.n_columns) == 0); // nothing beside
        free(dense);
    }
}

// ---- momenta and markers --------------------------------------------------------------------------------------

// The velocities of all coordinates in a rotation w about a point and a translation u.
static void rigid_field(const hol_eom *e, const double *q, const double u[3], const double w[3],
                        const double about[3], double *n)
{
    const hol_model_data *m = e->m;
    for (int b = 0; b < m->n_bodies; b++) {
        const double *r = q + m->body[b].q, *p = r + 3;
        double *to = n + m->body[b].q, arm[3] = {0};
        for (int i = 0; i < m->dimension; i++) arm[i] = r[i] - about[i];
        for (int i = 0; i < m->dimension; i++)
            to[i] = u[i] + w[(i + 1) % 3] * arm[(i + 2) % 3] - w[(i + 2) % 3] * arm[(i + 1) % 3];
        if (m->body[b].frame == HOL_FRAME_PLANAR) to[2] = w[2];
        if (m->body[b].frame != HOL_FRAME_SPATIAL) continue;
        to[3] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
        to[4] = 0.5 * (p[0] * w[0] + p[3] * w[1] - p[2] * w[2]);
        to[5] = 0.5 * (-p[3] * w[0] + p[0] * w[1] + p[1] * w[2]);
        to[6] = 0.5 * (p[2] * w[0] - p[1] * w[1] + p[0] * w[2]);
    }
}

// Takes away what rotors of armatures have of M v: they turn as if against ground, which is not in the momenta of bodies.
static void without_rotors(const hol_eom *e, const double *q, const double *v, double *Mv)
{
    for (int k = e->m->n_bodies; k < e->m->n_elements; k++) {
        const hol_element *of = &e->m->element[k];
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], f[HOL_MAX_Y];
        if (!of->type->mass) continue;
        hol_element_gather(e->m, of, 0, q, v, 0, y, w);
        of->type->mass_times(of->data, y, w, f);
        hol_element_scatter(e->m, of, f, -1, Mv);
    }
}

static void look_at_momenta(tested *s)
{
    hol_eom *e = s->e;
    hol_state_view x;
    hol_eom_totals sum;
    hol_eom_get_state(e, &x);
    const bool plane = e->m->dimension == 2;
    double about[3] = {0.3, -0.2, plane ? 0 : 0.5}, u[3], w[3], *M = get(e, HOL_EOM_MASS),
           *Mv = room((size_t)x.n_q), *n = room((size_t)x.n_q);
    for (int i = 0; i < 3; i++) u[i] = hol_random_uniform(&s->dice), w[i] = hol_random_uniform(&s->dice);
    if (plane) u[2] = w[0] = w[1] = 0;
    assert_int_equal(hol_eom_sum(e, about, &sum), HOL_OK);
    add_times(1, M, x.n_q, x.n_q, x.v, Mv);
    rigid_field(e, x.q, u, w, about, n);
    double terms = 0;
    const double kinetic = 0.5 * dot(x.v, Mv, x.n_q);
    if (kinetic > 0) note(s, ENERGY, fabs(kinetic - sum.kinetic) / kinetic);
    without_rotors(e, x.q, x.v, Mv);
    for (int i = 0; i < x.n_q; i++) terms += fabs(n[i] * Mv[i]);
    const double momenta = dot(u, sum.linear, 3) + dot(w, sum.angular, 3);
    if (terms > 0)
        note(s, MOMENTA, fabs(dot(n, Mv, x.n_q) - momenta) / terms / fmax(1, s->seen[CLOSED] / 1e-12));
    free(M), free(Mv), free(n);
}

static void look_at_markers(tested *s)
{
    hol_eom *e = s->e;
    hol_state_view x;
    hol_eom_get_state(e, &x);
    double *J = room(3 * (size_t)x.n_q), *Jr = room(3 * (size_t)x.n_q);
    const int all = hol_eom_count(e, HOL_EOM_MARKERS), step = all > 60 ? all / 30 : 1;
    for (int k = 0; k < all; k += step) {
        hol_eom_motion at;
        hol_eom_name name;
        double v[3] = {0}, w[3] = {0};
        assert_int_equal(hol_eom_marker(e, k, &at), HOL_OK);
        assert_int_equal(hol_eom_marker_jacobian(e, k, J, Jr, 3 * (size_t)x.n_q), HOL_OK);
        add_times(1, J, 3, x.n_q, x.v, v);
        add_times(1, Jr, 3, x.n_q, x.v, w);
        assert_true(hol_eom_name_of(e, HOL_EOM_MARKERS, k, &name));
        if (strcmp(name.object, "ground") == 0) continue; // moves by itself
        for (int i = 0; i < 3; i++) {
            note(s, JACOBIANS, fabs(v[i] - at.velocity[i]) / (1 + largest(at.velocity, 3)));
            note(s, JACOBIANS, fabs(w[i] - at.omega[i]) / (1 + largest(at.omega, 3)));
        }
    }
    free(J), free(Jr);
}

// ---- differences ----------------------------------------------------------------------------------------------

// Weights of central differences of order 6 with steps of 1 to 3 h.
static const double first[3] = {0.75, -0.15, 1.0 / 60}, second[4] = {-49.0 / 18, 1.5, -0.15, 1.0 / 90};

static double weight(int k) { return k < 0 ? -first[-k - 1] : k > 0 ? first[k - 1] : 0; }

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

// What is missing of the first and second derivative of Phi along q(t) with q' = n, q'' = c, by differences with steps of h; both by
// natural size and time.
static double curve_error(tested *s, const point *p, const double *n, const double *c, double h)
{
    hol_eom *e = s->e;
    const int nq = e->m->nq, nc = e->m->nc;
    const double T = e->m->time_scale, *size = e->k.s->row_size;
    double *d1 = room((size_t)nc), *d2 = room((size_t)nc);
    for (int k = -3; k <= 3; k++) {
        go_along(e, p, k * h, &(direction){.q = n, .bend = c, .t = 1});
        double *phi = get(e, HOL_EOM_PHI);
        for (int i = 0; i < nc; i++) {
            d1[i] += weight(k) * phi[i] / h;
            d2[i] += second[abs(k)] * phi[i] / (h * h);
        }
        free(phi);
    }
    go(e, p);
    point there = *p;
    there.v = room((size_t)nq);
    memcpy(there.v, n, (size_t)nq * sizeof *n);
    go(e, &there);
    double *J = get(e, HOL_EOM_PHI_Q), *t = get(e, HOL_EOM_PHI_T), *gamma = get(e, HOL_EOM_GAMMA), size1 = 0,
           size2 = 0;
    for (int i = 0; i < nc; i++) {
        d1[i] -= t[i], d2[i] += gamma[i];
        size1 = fmax(size1, fabs(t[i]) / size[i] * T);
        size2 = fmax(size2, fabs(gamma[i]) / size[i] * T * T);
    }
    add_times(-1, J, nc, nq, n, d1);
    add_times(-1, J, nc, nq, c, d2);
    for (int i = 0; i < nc; i++) d1[i] *= T / size[i], d2[i] *= T * T / size[i];
    const double error = fmax(largest(d1, nc) / (1 + size1), largest(d2, nc) / (1 + size2));
    void *all[] = {d1, d2, J, t, gamma, there.v};
    for (int i = 0; i < HOL_COUNT(all); i++) free(all[i]);
    return error;
}

// The derivatives of Phi along a random curve: Phi_q n + Phi_t and Phi_q c - gamma(n). Kinks may be near: the best of some steps.
static void look_at_curves(tested *s)
{
    hol_eom *e = s->e;
    const int nq = e->m->nq;
    point p = here(e);
    const double T = e->m->time_scale;
    double *n = random_along(s, nq, e->k.s->q_size), *c = random_along(s, nq, e->k.s->q_size), best = HOL_INF;
    for (int i = 0; i < nq; i++) n[i] /= T, c[i] /= T * T;
    for (double h = 4e-3; h > 1e-4; h /= 4) best = fmin(best, curve_error(s, &p, n, c, h * T));
    if (e->m->nc) note(s, CURVES, best);
    go(e, &p);
    free(n), free(c);
    leave(&p);
}

// Q at a state, users' variables following, with the accelerations and multipliers that are in x (NULL: as the handle finds them).
static hol_status forces_at(hol_eom *e, const hol_explicit *deep, const hol_state *x, double *Q)
{
    if (!x) return hol_eom_get(e, HOL_EOM_FORCES, Q, (size_t)e->m->nq);
    hol_state y;
    assert_int_equal(hol_state_create(e->k.s, &y), HOL_OK);
    hol_state_copy(e->k.s, &y, &e->x);
    memcpy(y.a, x->a, (size_t)(e->k.s->n) * sizeof *y.a);
    const hol_status st = hol_explicit_evaluate(deep, e->k.s, &y);
    memset(y.lam, 0, (size_t)(e->k.s->nc + e->k.s->nk) * sizeof *y.lam);
    hol_equations_forces(e->k.s, &y, Q);
    for (int i = 0; i < e->m->nq; i++) Q[i] = -Q[i];
    hol_state_destroy(&y);
    return st;
}

// dQ along one random direction of each kind against differences, accelerations and multipliers held.
// Is a contact so near its kink, where its force begins, that differences would go over it?
static bool touches(const hol_eom *e)
{
    for (int i = 0; i < e->m->n_elements; i++) {
        const hol_element *k = &e->m->element[i];
        hol_contact_state at;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
        if (k->type != &hol_force_contact) continue;
        hol_element_gather(e->m, k, e->x.t, e->x.q, e->x.v, 1, y, w);
        hol_contact_look(k, y, w, NULL, NULL, &at);
        if (fabs(at.gap) < 1e-4 * e->m->length_scale) return true;
    }
    return false;
}

static void look_at_tangents(tested *s)
{
    hol_eom *e = s->e;
    if (touches(e)) return;
    const int nq = e->m->nq, nx = e->m->n_states, n_i = hol_eom_count(e, HOL_EOM_INPUTS);
    char *implicit = calloc((size_t)e->m->n_equations + 1, 1);
    hol_explicit deep = {0};
    hol_state held;
    assert_int_equal(hol_explicit_create_part(ctx, e->m, true, &deep, implicit), HOL_OK);
    const bool circle = memchr(implicit, 1, (size_t)e->m->n_equations + 1);
    free(implicit);
    assert_false(circle && !e->follows); // no such model here
    assert_int_equal(hol_state_create(e->k.s, &held), HOL_OK);
    point p = here(e);
    const double T = e->m->time_scale;
    double *dq = random_along(s, nq, e->k.s->q_size), *dv = random_along(s, nq, e->k.s->q_size),
           *dX = random_along(s, nx, NULL), *du = random_along(s, n_i, NULL), *Q = get(e, HOL_EOM_FORCES);
    hol_state_copy(e->k.s, &held, &e->x);
    for (int i = 0; i < nq; i++) dv[i] /= T;
    static const hol_eom_quantity which[] = {HOL_EOM_FORCES_Q, HOL_EOM_FORCES_V, HOL_EOM_FORCES_X,
                                             HOL_EOM_FORCES_T, HOL_EOM_FORCES_U};
    const direction along[] = {{.q = dq}, {.v = dv}, {.X = dX}, {.t = T}, {.u = du}};
    for (int k = 0; k < HOL_COUNT(which); k++) {
        double *A = get(e, which[k]), *exact = room((size_t)nq), best = HOL_INF, size = largest(Q, nq);
        const double *x[] = {dq, dv, dX, &T, du};
        const int columns[] = {nq, nq, nx, 1, n_i};
        if (columns[k]) add_times(1, A, nq, columns[k], x[k], exact);
        size = fmax(size, largest(exact, nq));
        for (double h = 1e-2; h > 1e-6 && size > 0; h /= 10) { // kinks may be near: the best of some steps
            double *d = room((size_t)nq);
            for (int i = -3; i <= 3; i++) {
                if (!i) continue;
                go_along(e, &p, i * h, &along[k]);
                double *value = room((size_t)nq);
                const hol_status st = forces_at(e, &deep, e->follows ? NULL : &held, value);
                for (int j = 0; j < nq; j++) d[j] += st ? HOL_INF : weight(i) * value[j] / h;
                free(value);
            }
            for (int j = 0; j < nq; j++) d[j] -= exact[j];
            best = fmin(best, largest(d, nq) / size);
            free(d);
        }
        if (size > 0) note(s, TANGENTS, best);
        go(e, &p);
        free(A), free(exact);
    }
    free(dq), free(dv), free(dX), free(du), free(Q);
    hol_state_destroy(&held);
    hol_explicit_destroy(&deep);
    leave(&p);
}

// What hol_eom_linearise gives, copied: views end with the state.
typedef struct {
    hol_eom_linear view;
    double *A, *B, *C, *D, *N, *Z, *V, *WV;
} linearised;

static double *copied(const double *from, int rows, int columns)
{
    double *to = room((size_t)rows * (size_t)columns);
    if (rows && columns) memcpy(to, from, (size_t)rows * (size_t)columns * sizeof *to);
    return to;
}

static linearised linearise(tested *s, hol_metric metric)
{
    hol_eom *e = s->e;
    hol_eom_linear l;
    const int nq = e->m->nq;
    if (hol_eom_linearise(e, metric, &l)) fail_msg("%s: %s", s->name, hol_context_error(ctx));
    assert_int_equal(l.n, l.n_x + l.n_w + l.n_X);
    assert_int_equal(l.n_i, hol_eom_count(e, HOL_EOM_INPUTS));
    assert_int_equal(l.n_z, hol_eom_count(e, HOL_EOM_VARIABLES));
    linearised o = {l,
                    copied(l.A, l.n, l.n),
                    copied(l.B, l.n, l.n_i),
                    copied(l.C, l.n_z, l.n),
                    copied(l.D, l.n_z, l.n_i),
                    copied(l.N, nq, l.n_x),
                    copied(l.Z, nq, l.n_x),
                    copied(l.V, nq, l.n_w),
                    room((size_t)nq * (size_t)l.n_w)};
    double *M = get(e, HOL_EOM_MASS);
    for (int k = 0; k < l.n_w; k++) {
        if (metric == HOL_METRIC_MASS) add_times(1, M, nq, nq, o.V + k * nq, o.WV + k * nq);
        for (int i = 0; i < nq && metric == HOL_METRIC_NATURAL; i++)
            o.WV[k * nq + i] = o.V[k * nq + i] / (e->k.s->q_size[i] * e->k.s->q_size[i]);
    }
    free(M);
    return o;
}

static void forget(linearised *o)
{
    void *all[] = {o->A, o->B, o->C, o->D, o->N, o->Z, o->V, o->WV};
    for (int i = 0; i < HOL_COUNT(all); i++) free(all[i]);
}

// w', X' and the variables by differences along a direction, in out; false: too far from the constraints.
static bool rates_by_differences(tested *s, const linearised *o, const point *p, double h, const direction *d,
                                 double *out)
{
    hol_eom *e = s->e;
    const hol_eom_linear *l = &o->view;
    const int nq = e->m->nq;
    for (int i = -3; i <= 3; i++) {
        if (!i) continue;
        go_along(e, p, i * h, d);
        if (hol_eom_project(e, NULL)) return false;
        double *a = get(e, HOL_EOM_ACCELERATIONS), *rate = get(e, HOL_EOM_STATE_RATES),
               *z = get(e, HOL_EOM_VARIABLE_VALUES);
        for (int j = 0; j < l->n_w; j++) out[j] += weight(i) / h * dot(o->WV + j * nq, a, nq);
        for (int j = 0; j < l->n_X; j++) out[l->n_w + j] += weight(i) / h * rate[j];
        for (int j = 0; j < l->n_z; j++) out[l->n_w + l->n_X + j] += weight(i) / h * z[j];
        free(a), free(rate), free(z);
    }
    return true;
}

// A, B, C and D along some directions against differences of accelerations and variables on the constraints.
static void look_at_linear(tested *s)
{
    hol_eom *e = s->e;
    const int nq = e->m->nq;
    const double T = e->m->time_scale;
    point p = here(e);
    for (int metric = 0; metric < 2; metric++) {
        linearised o = linearise(s, metric ? HOL_METRIC_NATURAL : HOL_METRIC_MASS);
        const hol_eom_linear *l = &o.view;
        const int rows = l->n_w + l->n_X + l->n_z;
        double most = 1 / T / T;
        for (int k = 0; k < 3 && l->n + l->n_i; k++) {
            double *x = random_along(s, l->n, NULL), *u = random_along(s, l->n_i, NULL),
                   *dq = room((size_t)nq), *dv = room((size_t)nq), *seen = room((size_t)rows),
                   *exact = room((size_t)(l->n + l->n_z)), best = HOL_INF;
            for (int i = 0; i < l->n_w; i++) x[l->n_x + i] /= T;
            add_times(1, o.N, nq, l->n_x, x, dq);
            add_times(1, o.Z, nq, l->n_x, x, dv);
            add_times(1, o.V, nq, l->n_w, x + l->n_x, dv);
            add_times(1, o.A, l->n, l->n, x, exact);
            add_times(1, o.B, l->n, l->n_i, u, exact);
            add_times(1, o.C, l->n_z, l->n, x, exact + l->n);
            add_times(1, o.D, l->n_z, l->n_i, u, exact + l->n);
            const double h = 2e-3 / fmax(hol_equations_coordinate_norm(e->k.s, dq),
                                         fmax(T * hol_equations_coordinate_norm(e->k.s, dv), 1e-3));
            for (int i = 0; i < rows; i++) most = fmax(most, fabs(exact[l->n_x + i]));
            for (double part = 1; part > 0.05 && best > 1e-6; part *= 0.1) { // a kink may be near
                double worst = 0;
                memset(seen, 0, (size_t)rows * sizeof *seen);
                const bool near = rates_by_differences(
                    s, &o, &p, part * h, &(direction){.q = dq, .v = dv, .X = x + l->n_x + l->n_w, .u = u},
                    seen);
                go(e, &p);
                for (int i = 0; i < rows; i++) worst = hol_larger(fabs(exact[l->n_x + i] - seen[i]), worst);
                if (near) best = fmin(best, worst / most);
            }
            if (best < HOL_INF) note(s, LINEAR, best);
            free(x), free(u), free(dq), free(dv), free(seen), free(exact);
        }
        forget(&o);
    }
    leave(&p);
}

// Linear and angular momentum after h of the motion, (6).
static void momenta_after(hol_eom *e, const point *p, const double *a, double h, double out[6])
{
    hol_eom_totals sum;
    go_along(e, p, h, &(direction){.q = p->v, .bend = a, .v = a, .t = 1});
    assert_int_equal(hol_eom_sum(e, NULL, &sum), HOL_OK);
    memcpy(out, sum.linear, sizeof sum.linear);
    memcpy(out + 3, sum.angular, sizeof sum.angular);
}

static void add_moment(double sign, const double *at, const double *force, double out[6], double *terms)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] += sign * force[i];
        out[3 + i] += sign * (at[j] * force[k] - at[k] * force[j]);
        *terms = fmax(*terms, fmax(fabs(force[i]), fmax(fabs(at[j] * force[k]), fabs(at[k] * force[j]))));
    }
}

// What acts on the bodies from outside: weight, and the wrenches of elements with ground. false: an element has no ends.
static bool outside(hol_eom *e, const point *p, double out[6], double *terms)
{
    const hol_model_data *m = e->m;
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *of = &m->element[k];
        hol_eom_wrench w;
        if (k < m->n_bodies) {
            hol_inertia body;
            double weight[3], at[3] = {0};
            of->type->inertia(of->data, &body);
            for (int i = 0; i < 3; i++) weight[i] = body.m * body.g[i];
            for (int i = 0; i < m->dimension; i++) at[i] = p->q[m->body[k].q + i];
            add_moment(1, at, weight, out, terms);
            continue;
        }
        if (of->n_ends == 0) return false;
        if (of->n_ends == 2 && of->end[0].body >= 0 && of->end[1].body >= 0) continue;
        assert_int_equal(hol_eom_reaction(e, k - m->n_bodies, &w), HOL_OK);
        const double sign = strcmp(w.body, "ground") == 0 ? -1 : 1;
        double force[3] = {0}, torque[3] = {0};
        add_times(1, w.axes, 3, 3, w.force, force);
        add_times(1, w.axes, 3, 3, w.torque, torque);
        add_moment(sign, w.point, force, out, terms);
        for (int i = 0; i < 3; i++) out[3 + i] += sign * torque[i], *terms = fmax(*terms, fabs(torque[i]));
    }
    return true;
}

static void look_at_balance(tested *s)
{
    hol_eom *e = s->e;
    point p = here(e);
    double *a = get(e, HOL_EOM_ACCELERATIONS), from_outside[6] = {0}, terms = 0, best = HOL_INF;
    const bool known = outside(e, &p, from_outside, &terms);
    const double fast =
        fmax(hol_equations_coordinate_norm(e->k.s, p.v), sqrt(hol_equations_coordinate_norm(e->k.s, a)));
    for (double part = 1e-2; part > 1e-4 && known && terms > 0; part /= 4) {
        const double h = part / fmax(fast, 1 / e->m->time_scale);
        double rate[6] = {0};
        for (int i = -3; i <= 3; i++) {
            double value[6];
            momenta_after(e, &p, a, i * h, value);
            for (int k = 0; k < 6; k++) rate[k] += weight(i) * value[k] / h;
        }
        for (int k = 0; k < 6; k++) rate[k] -= from_outside[k];
        best = fmin(best, largest(rate, 6) / terms);
    }
    go(e, &p);
    if (known && terms > 0) note(s, BALANCE, best);
    free(a);
    leave(&p);
}

// ---- joint coordinates ----------------------------------------------------------------------------------------

// H of the masses and inertias of the bodies, from the Jacobians of their frames.
static double *inertia_of_bodies(hol_eom *e, const double *N, int n)
{
    const hol_model_data *m = e->m;
    const int nq = m->nq;
    hol_state_view x;
    hol_eom_get_state(e, &x);
    double *H = room((size_t)(n * n)), *Jr = room(3 * (size_t)nq);
    for (int b = 0; b < m->n_bodies; b++) {
        hol_inertia body;
        hol_eom_motion at;
        m->element[b].type->inertia(m->element[b].data, &body);
        assert_int_equal(hol_eom_marker(e, m->body[b].marker, &at), HOL_OK);
        assert_int_equal(hol_eom_marker_jacobian(e, m->body[b].marker, NULL, Jr, 3 * (size_t)nq), HOL_OK);
        for (int j = 0; j < n; j++) {
            double w[3] = {0}, own[3] = {0}, L[3] = {0}, spin[3] = {0};
            add_times(1, Jr, 3, nq, N + j * nq, w);
            add_transposed(1, at.axes, 3, 3, w, own);
            add_transposed(1, body.J, 3, 3, own, L);
            add_times(1, at.axes, 3, 3, L, spin);
            for (int i = 0; i < n; i++) {
                double wi[3] = {0};
                add_times(1, Jr, 3, nq, N + i * nq, wi);
                H[i + j * n] += dot(wi, spin, 3) + body.m * dot(N + i * nq + m->body[b].q,
                                                                N + j * nq + m->body[b].q, m->dimension);
            }
        }
    }
    for (int j = 0; j < n; j++) { // rotors have inertia too
        memset(Jr, 0, (size_t)nq * sizeof *Jr);
        without_rotors(e, x.q, N + j * nq, Jr);
        for (int i = 0; i < n; i++) H[i + j * n] -= dot(N + i * nq, Jr, nq);
    }
    free(Jr);
    return H;
}

static void look_at_joints(tested *s)
{
    hol_eom *e = s->e;
    hol_state_view x;
    hol_eom_get_state(e, &x);
    const int nq = x.n_q, n = rows_of(e, HOL_EOM_JOINT_BIAS);
    double *u = get(e, HOL_EOM_JOINT_VELOCITIES), *N = get(e, HOL_EOM_JOINT_BASIS),
           *v = get(e, HOL_EOM_JOINT_DRIFT), *H = get(e, HOL_EOM_JOINT_INERTIA),
           *h = get(e, HOL_EOM_JOINT_BIAS), *rate = get(e, HOL_EOM_JOINT_ACCELERATIONS),
           *Hu = room((size_t)n), *bodies = inertia_of_bodies(e, N, n);
    const double drift = largest(v, nq);
    add_times(1, N, nq, n, u, v);
    for (int i = 0; i < nq; i++) v[i] -= x.v[i];
    note(s, JOINTS, largest(v, nq) / (1 + largest(x.v, nq)));
    add_times(1, H, n, n, rate, Hu);
    double terms = 0;
    for (int i = 0; i < n; i++) terms = fmax(terms, fmax(fabs(Hu[i]), fabs(h[i])));
    for (int i = 0; i < n * n; i++) terms = fmax(terms, fabs(H[i]) * fabs(rate[i / (n ? n : 1)]));
    for (int i = 0; i < n; i++) Hu[i] += h[i];
    if (terms > 0) note(s, JOINTS, largest(Hu, n) / terms);
    for (int i = 0; i < n * n; i++) bodies[i] -= H[i];
    if (n) note(s, JOINTS, largest(bodies, n * n) / (DBL_MIN + largest(H, n * n)));
    memset(Hu, 0, (size_t)n * sizeof *Hu);
    add_times(1, H, n, n, u, Hu);
    hol_eom_totals sum;
    assert_int_equal(hol_eom_sum(e, NULL, &sum), HOL_OK);
    if (drift == 0 && sum.kinetic > 0) note(s, JOINTS, fabs(0.5 * dot(u, Hu, n) - sum.kinetic) / sum.kinetic);
    void *all[] = {u, N, v, H, h, rate, Hu, bodies};
    for (int i = 0; i < HOL_COUNT(all); i++) free(all[i]);
}

// Any joint coordinates are a state on the constraints, and they come back.
static void set_joints(tested *s)
{
    hol_eom *e = s->e;
    point before = here(e);
    double *p = get(e, HOL_EOM_JOINT_POSITIONS), *u = get(e, HOL_EOM_JOINT_VELOCITIES);
    const int n_p = rows_of(e, HOL_EOM_JOINT_POSITIONS), n_u = rows_of(e, HOL_EOM_JOINT_VELOCITIES);
    for (int i = 0; i < n_p; i++) p[i] += 0.3 * hol_random_uniform(&s->dice);
    for (int i = 0; i < n_u; i++) u[i] += hol_random_uniform(&s->dice);
    assert_int_equal(hol_eom_set_joints(e, before.t + 0.1, p, (size_t)n_p, u, (size_t)n_u), HOL_OK);
    double *again = get(e, HOL_EOM_JOINT_POSITIONS), *u_again = get(e, HOL_EOM_JOINT_VELOCITIES);
    assert_memory_equal(p, again, (size_t)n_p * sizeof *p);
    assert_memory_equal(u, u_again, (size_t)n_u * sizeof *u);
    look_at_constraints(s);
    look_at_joints(s);
    point first_ = here(e), there;
    go(e, &first_); // now found from the state; Euler parameters may be of other length
    free(u_again), free(again);
    again = get(e, HOL_EOM_JOINT_POSITIONS), u_again = get(e, HOL_EOM_JOINT_VELOCITIES);
    assert_int_equal(hol_eom_set_joints(e, first_.t, again, (size_t)n_p, u_again, (size_t)n_u), HOL_OK);
    there = here(e);
    for (int i = 0; i < e->m->nq; i++) there.q[i] -= first_.q[i], there.v[i] -= first_.v[i];
    note(s, JOINTS, largest(there.q, e->m->nq));
    note(s, JOINTS, largest(there.v, e->m->nq) / (1 + largest(first_.v, e->m->nq)));
    go(e, &before);
    free(p), free(u), free(again), free(u_again);
    leave(&before), leave(&there), leave(&first_);
}

// ---- the run --------------------------------------------------------------------------------------------------

// Reactions, markers, energies, variables as the signals have them.
static void look_at_signals(tested *s, const hol_dynamics *d)
{
    hol_eom *e = s->e;
    double force = 0, torque = 0;
    for (int i = 0; i < d->signals.n; i++) {
        const hol_column *c = &d->signals.column[i];
        if (!c->element || c->element->n_ends == 0) continue;
        double *most = strcmp(c->unit, "N") == 0 ? &force : &torque;
        *most = fmax(*most, fabs(d->signals.value[i]));
    }
    force = fmax(force, torque / e->m->length_scale); // neither is exact to less than the other
    torque = fmax(torque, force * e->m->length_scale);
    for (int i = 0; i < d->signals.n; i++) {
        const hol_column *c = &d->signals.column[i];
        const double want = d->signals.value[i];
        char name[200];
        snprintf(name, sizeof name, "%s", c->name);
        char *dot_ = strrchr(name, '.');
        if (c->element && c->element->n_ends) {
            hol_eom_wrench w;
            *dot_ = 0;
            if (hol_eom_reaction(e, hol_eom_find(e, HOL_EOM_ELEMENTS, name), &w))
                fail_msg("%s", hol_context_error(ctx));
            const int k = e->m->dimension == 2 && c->component == 2 ? 5 : c->component;
            const double have = k < 3 ? w.force[k] : w.torque[k - 3], size = k < 3 ? force : torque;
            if (size > 0) note(s, REACTIONS, fabs(have - want) / size);
            continue;
        }
        const int variable = hol_eom_find(e, HOL_EOM_VARIABLES, c->name);
        if (variable >= 0) {
            double *value = get(e, HOL_EOM_VARIABLE_VALUES);
            note(s, SIGNALS, fabs(value[variable] - want) / (1 + fabs(want)));
            free(value);
        }
        if (strcmp(c->name, "energy.kinetic") == 0 || strcmp(c->name, "energy.potential") == 0) {
            hol_eom_totals sum;
            assert_int_equal(hol_eom_sum(e, NULL, &sum), HOL_OK);
            const double have = strstr(c->name, "kinetic") ? sum.kinetic : sum.potential;
            note(s, SIGNALS, fabs(have - want) / (fabs(sum.kinetic) + fabs(sum.potential) + DBL_MIN));
        }
        static const char *const words[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "omega"};
        int which = -1;
        for (int k = 0; k < HOL_COUNT(words) && dot_; k++)
            if (strcmp(dot_ + 1, words[k]) == 0) which = k;
        if (which < 0) continue;
        *dot_ = 0;
        const int marker = hol_eom_find(e, HOL_EOM_MARKERS, name);
        hol_eom_motion at;
        if (marker < 0) continue;
        assert_int_equal(hol_eom_marker(e, marker, &at), HOL_OK);
        const double have = which < 3   ? at.position[which]
                            : which < 6 ? at.velocity[which - 3]
                            : which < 9 ? at.omega[which - 6]
                                        : at.omega[2];
        note(s, SIGNALS, fabs(have - want) / (1 + fabs(want)));
    }
}

// dear: what takes long too. apart: not at a place where the run has ended a step because the forces have a kink there.
static void look(tested *s, bool dear, bool apart)
{
    look_at_motion(s);
    look_at_constraints(s);
    look_at_momenta(s);
    look_at_markers(s);
    if (!dear) return;
    look_at_sparse(s);
    if (s->e->joints.memory) look_at_joints(s);
    if (s->e->joints.memory && apart) set_joints(s);
    if (apart || !s->e->m->n_kinks) look_at_balance(s);
    if (apart) look_at_linear(s);
    if (apart || !s->e->m->n_kinks) look_at_curves(s);
    if (apart || !s->e->m->n_kinks) look_at_tangents(s);
}

#define NEXT_TO 0.2 // a pose [natural sizes]

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
        double *a = get(s->e, HOL_EOM_ACCELERATIONS);
        const double size =
            1 / (s->e->m->time_scale * s->e->m->time_scale) + hol_equations_coordinate_norm(d->s, x->a);
        for (int i = 0; i < d->s->nq; i++) a[i] -= x->a[i];
        double
            way; // to a singular pose, beside which errors of positions grow with its inverse square (section 9.5)
        assert_int_equal(hol_crossing_way(d->it, &way), HOL_OK);
        const double beside = fmin(1, way / NEXT_TO);
        note(s, RUN, beside * beside * hol_equations_coordinate_norm(d->s, a) / size);
        free(a);
        look_at_signals(s, d);
        look(s, n % 5 == 0, false);
        n++;
    }
    hol_dynamics_destroy(d);
    if (n < STATES) fail_msg("%s: %d states of the run", s->name, n);
}

// Every name is found again, and no other.
static void look_at_names(hol_eom *e)
{
    for (int list = 0; list < HOL_EOM_LISTS; list++) {
        const int n = hol_eom_count(e, (hol_eom_list)list);
        assert_true(n >= 0);
        for (int i = 0; i < n; i++) {
            hol_eom_name name;
            char text[300];
            assert_true(hol_eom_name_of(e, (hol_eom_list)list, i, &name));
            snprintf(text, sizeof text, "%s%s%s", name.object, *name.part ? "." : "", name.part);
            if (hol_eom_find(e, (hol_eom_list)list, text) != i)
                fail_msg("list %d: %s is not number %d", list, text, i);
            assert_non_null(name.unit);
        }
        assert_int_equal(hol_eom_find(e, (hol_eom_list)list, "no such thing.x"), -1);
    }
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
        look(s, n % 5 == 0, true);
        n++;
    }
    if (n < STATES) fail_msg("%s: %d random states close", s->name, n);
}

// model: as load_model takes it.
static int look_at_model(const char *name, const char *model, int *trees)
{
    static const char *const all[] = {"simulate.signals=[all]", "simulate.project=true"};
    int bad = 0;
    tested s = {.name = name, .dice = {17}};
    s.model = load_model(model, all, 2);
    s.e = hol_eom_create(ctx, s.model, HOL_EOM_ASSEMBLED);
    if (!s.e) fail_msg("%s: %s", name, hol_context_error(ctx));
    point start = here(s.e);
    look_at_names(s.e);
    s.tree = hol_eom_use_joints(s.e) == HOL_OK;
    if (s.tree)
        look_at_names(s.e);
    else if (hol_context_status(ctx) != HOL_ERR_USAGE ||
             !strstr(hol_context_error(ctx), "no joint coordinates: "))
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

static void equations_of_all_models(void **state)
{
    glob_t models;
    int bad = 0, trees = 0;
    (void)state;
    assert_int_equal(glob("models/*.yaml", 0, NULL, &models), 0);
    assert_true(models.gl_pathc > 25);
    for (size_t i = 0; i < models.gl_pathc; i++) {
        char name[60];
        if (getenv("MODEL") ? !strstr(models.gl_pathv[i], getenv("MODEL")) : !in_sample((int)i, 1, 3))
            continue;
        sscanf(models.gl_pathv[i], "models/%59[^.]", name);
        bad += look_at_model(name, name, &trees);
    }
    globfree(&models);
    print_message("%d of them have joint coordinates\n", trees);
    assert_int_equal(bad, 0);
    assert_true(trees >= (few() ? 3 : 8) || getenv("MODEL"));
}

static void equations_of_what_is_rare(void **state)
{
    int bad = 0, trees = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(rare); i++)
        if (!getenv("MODEL") || strstr(rare[i].name, getenv("MODEL")))
            bad += look_at_model(rare[i].name, rare[i].text, &trees);
    assert_int_equal(bad, 0);
    assert_true(trees == 1 || getenv("MODEL")); // the arm
}

// Where the joints cannot be closed from a state it stays, to the bit: a mass on a rod of 1 m that a driver wants to be farther than 3 m away
// from a point 2 m beside the rod's.
static void random_states_stay_where_they_do_not_close(void **state)
{
    tested s = {.name = "driven away", .dice = {3}};
    (void)state;
    s.model = load_model(
        "{dimension: 2, gravity: [0, -9.81], bodies: [{name: p, type: point, mass: 1, position: [0.8, 0.6]}],"
        " joints: [{name: rod, type: distance, between: [ground, p], length: 1}],"
        " drivers: [{name: away, type: distance, between: [ground: [2, 0], p], value: 1.4 + time}], "
        "simulate: {end: 1}}",
        NULL, 0);
    s.e = hol_eom_create(ctx, s.model, HOL_EOM_ASSEMBLED);
    point begin = here(s.e);
    for (int k = 0; k < 20; k++) {
        double *dq = random_along(&s, 2, NULL), *dv = random_along(&s, 2, NULL);
        const double t = k % 2 ? 1.2 : 3; // m away: 2.6, 4.4
        go_along(s.e, &begin, t, &(direction){.q = dq, .v = dv, .t = 1});
        point before = here(s.e);
        hol_eom_change change = {.position = -1};
        const hol_status st = hol_eom_project(s.e, &change);
        point after = here(s.e);
        assert_int_equal(st, k % 2 ? HOL_OK : HOL_ERR_ASSEMBLY);
        if (st) {
            assert_memory_equal(before.q, after.q, 2 * sizeof *before.q);
            assert_memory_equal(before.v, after.v, 2 * sizeof *before.v);
            assert_true(change.position == -1);
        } else
            look_at_constraints(&s);
        free(dq), free(dv);
        leave(&before), leave(&after);
    }
    assert_true(s.seen[CLOSED] <= kinds[CLOSED].allowed);
    leave(&begin);
    hol_eom_destroy(s.e);
    hol_model_destroy(s.model);
}

// A rod on a slide that a driver moves, x = s(t): H = J + m l^2/4, h = m l/2 (g sin a + s'' cos a), from Lagrange's equation in the angle a of
// the rod from the downward vertical; v0 moves both bodies along x.
static void joint_coordinates_of_a_driven_arm(void **state)
{
    static const char text[] = "dimension: 2\ngravity: [0, -9.81]\n"
                               "bodies: [{name: cart, mass: 3, inertia: 1}, {name: rod, mass: 2, inertia: "
                               "0.5, position: [0, -0.6]}]\n"
                               "joints: [{name: rail, type: translational, between: [ground, cart]}, {name: "
                               "pin, type: revolute, between: [cart, rod: [0, 0.6]]}]\n"
                               "drivers: [{name: shake, type: stroke, joint: rail, value: 0.3*sin(2*time)}]\n"
                               "simulate: {end: 1}\n";
    (void)state;
    hol_model *model = load_model(text, NULL, 0);
    hol_eom *e = hol_eom_create(ctx, model, HOL_EOM_ASSEMBLED);
    assert_int_equal(hol_eom_use_joints(e), HOL_OK);
    assert_int_equal(hol_eom_count(e, HOL_EOM_JOINT_RATES), 1);
    assert_int_equal(hol_eom_find(e, HOL_EOM_JOINT_RATES, "pin.angle"), 0);
    for (int k = 0; k < 5; k++) {
        const double t = 0.4 * k, a = 0.7 * k - 1, rate = 2 - k, l = 0.6;
        const double speed = 0.6 * cos(2 * t), push = -1.2 * sin(2 * t);
        assert_int_equal(hol_eom_set_joints(e, t, &a, 1, &rate, 1), HOL_OK);
        double *H = get(e, HOL_EOM_JOINT_INERTIA), *h = get(e, HOL_EOM_JOINT_BIAS),
               *N = get(e, HOL_EOM_JOINT_BASIS), *v0 = get(e, HOL_EOM_JOINT_DRIFT),
               *u1 = get(e, HOL_EOM_JOINT_ACCELERATIONS);
        near("H", H[0], 0.5 + 2 * l * l, 1e-14);
        near("h", h[0], 2 * l * (9.81 * sin(a) + push * cos(a)), 1e-13);
        near("u'", u1[0], -h[0] / H[0], 1e-12);
        const double basis[6] = {0, 0, 0, l * cos(a), l * sin(a), 1}, drift[6] = {speed, 0, 0, speed, 0, 0};
        for (int i = 0; i < 6; i++) near("N", N[i], basis[i], 1e-14), near("v0", v0[i], drift[i], 1e-14);
        free(H), free(h), free(N), free(v0), free(u1);
    }
    hol_eom_destroy(e);
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equations_of_all_models),
                                       cmocka_unit_test(equations_of_what_is_rare),
                                       cmocka_unit_test(random_states_stay_where_they_do_not_close),
                                       cmocka_unit_test(joint_coordinates_of_a_driven_arm)};
    return cmocka_run_group_tests(tests, start, stop);
}
