// The equations at a state (holonom_equations.h) of every shipped model, at states of its run and at random ones: they hold, and they
// agree with the run and with each other.
#include "equations.h"
#include "harness.h"
#include "integrator/crossing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- vectors --------------------------------------------------------------------------------------------------

static int rows_of(const hol_eom *e, hol_eom_quantity what)
{
    int rows, columns;
    assert_int_equal(hol_eom_shape(e, what, &rows, &columns), HOL_OK);
    return rows;
}

static void add_transposed(double c, const double *A, int rows, int columns, const double *x, double *out)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) out[j] += c * A[i + j * rows] * x[i];
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

enum { QUARTIC = 4 }; // of components of a quaternion, in n' M v: its length enters by this power

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
        note(s, MOMENTA,
             fabs(dot(n, Mv, x.n_q) - momenta) / terms / fmax(1, QUARTIC * s->seen[CLOSED] / 1e-12));
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
static void look_at_equations(tested *s, bool dear, bool apart)
{
    look_at_motion(s);
    look_at_constraints(s);
    look_at_momenta(s);
    look_at_markers(s);
    if (!dear) return;
    look_at_sparse(s);
    if (s->e->joints.memory) look_at_joints(s);
    if (s->e->joints.memory && apart) set_joints(s);
}

#define NEXT_TO 0.2 // a pose [natural sizes]

// Accelerations and signals.
static void compare_with_run(tested *s, hol_dynamics *d, const hol_state *x)
{
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

static const looks equations = {look_at_names, look_at_equations, compare_with_run};

static void equations_of_all_models(void **state)
{
    (void)state;
    const int trees = look_at_all_models(&equations);
    assert_true(trees >= (few() ? 3 : 8) || getenv("MODEL"));
}

static void equations_of_what_is_rare(void **state)
{
    (void)state;
    const int trees = look_at_rare_models(&equations);
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

// Hinges drawn at 0 and at a third of a turn, on bodies whose Euler parameters have the other sign: the coordinates are those of a run.
static void joint_positions_are_within_half_turns(void **state)
{
    static const char text[] =
        "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 1, orientation: {z: [0, 0, -1], x: [1, 0, 0]}, markers: {j: "
        "{orientation: "
        "{z: [0, 0, -1], x: [1, 0, 0]}}}}\n"
        "  - {name: b, mass: 1, inertia: 1, orientation: {quat_wxyz: [-0.5, -0.5, -0.5, -0.5]}}\n"
        "joints:\n  - {name: h, type: revolute, between: [ground, a.j]}\n"
        "  - {name: c, type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [1, 1, 1]}\n"
        "simulate: {end: 1, signals: [coordinates]}\n";
    (void)state;
    hol_model *model = load_model(text, NULL, 0);
    hol_eom *e = hol_eom_create(ctx, model, HOL_EOM_ASSEMBLED);
    assert_int_equal(hol_eom_use_joints(e), HOL_OK);
    double *p = get(e, HOL_EOM_JOINT_POSITIONS);
    hol_simulation *sim = hol_simulation_create(ctx, model);
    assert_int_equal(rows_of(e, HOL_EOM_JOINT_POSITIONS), 2);
    for (int i = 0; i < rows_of(e, HOL_EOM_JOINT_POSITIONS); i++) {
        hol_eom_name name;
        char text_of[40];
        assert_true(hol_eom_name_of(e, HOL_EOM_JOINT_COORDINATES, i, &name));
        snprintf(text_of, sizeof text_of, "%s.%s", name.object, name.part);
        const int at = hol_simulation_find_signal(sim, text_of);
        assert_true(at >= 0);
        near(text_of, p[i], hol_simulation_values(sim)[at], 1e-14);
    }
    hol_simulation_destroy(sim);
    free(p);
    hol_eom_destroy(e);
    hol_model_destroy(model);
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
                                       cmocka_unit_test(joint_coordinates_of_a_driven_arm),
                                       cmocka_unit_test(joint_positions_are_within_half_turns)};
    return cmocka_run_group_tests(tests, start, stop);
}
