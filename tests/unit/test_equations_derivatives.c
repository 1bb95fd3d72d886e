// The derivatives of the equations at a state (holonom_equations.h) of every shipped model, at states of its run and at random ones: they
// agree with differences, and the rates of the momenta with what acts from outside.
#include "equations.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- differences ----------------------------------------------------------------------------------------------

// Weights of central differences of order 6 with steps of 1 to 3 h.
static const double first[3] = {0.75, -0.15, 1.0 / 60}, second[4] = {-49.0 / 18, 1.5, -0.15, 1.0 / 90};

static double weight(int k) { return k < 0 ? -first[-k - 1] : k > 0 ? first[k - 1] : 0; }

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

// dQ along one random direction of each kind against differences, accelerations and multipliers held.
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
            for (double part = 1; part > 5e-4 && best > 1e-6; part *= 0.1) { // a kink or a pole may be near
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

// ---- the run --------------------------------------------------------------------------------------------------

static void look_at_derivatives(tested *s, bool dear, bool apart)
{
    if (!dear) return;
    const bool smooth = apart || !s->e->m->n_kinks;
    if (smooth) look_at_balance(s);
    if (apart) look_at_linear(s);
    if (smooth) look_at_curves(s);
    if (smooth) look_at_tangents(s);
}

// ---- random states --------------------------------------------------------------------------------------------

static const looks derivatives = {NULL, look_at_derivatives, NULL};

static void derivatives_of_all_models(void **state)
{
    (void)state;
    look_at_all_models(&derivatives);
}

static void derivatives_of_what_is_rare(void **state)
{
    (void)state;
    look_at_rare_models(&derivatives);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_all_models),
        cmocka_unit_test(derivatives_of_what_is_rare),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
