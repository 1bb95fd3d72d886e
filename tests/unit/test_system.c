// The system layer: the Newton matrix is the derivative of the residual, laws of conservation hold, and a mechanism does
// not care how it is turned, named or ordered.
#include "system/initial.h"
#include "integrator/integrator.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const models[] = {"pendulum",       "double_pendulum",   "four_bar",     "andrews",
                                     "bricard",        "flyball",           "slider_crank", "car_axis",
                                     "stiff_pendulum", "double_pendulum_3d"};

static hol_model_data *load(hol_context *ctx, const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "models/%s.yaml", name);
    hol_spec *spec = hol_spec_read_file(ctx, path, NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    return m;
}

// All that users may write in one model, in the plane and in space: {u} stands for a code's library.
static const char user_2d[] =
    "dimension: 2\n"
    "gravity: [1, -9.81]\n"
    "parameters: {k: 3, brake: 0.4}\n"
    "ground: {markers: {shaker: {motion: {x: 0.1*sin(3*time), angle: 0.2*time}}}}\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: 0.3, position: [0.5, 0.1], markers: {root: [-0.5, 0], tip: {position: "
    "[0.5, 0], angle: 0.3}}}\n"
    "  - {name: b, mass: 1, inertia: 0.1, position: [1.4, 0.3], angle: 0.2}\n"
    "  - {name: c, type: point, mass: 0.5, position: [2, 1]}\n"
    "joints:\n"
    "  - {name: h, type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  - {name: g, type: revolute, bodies: [a, b], at: [1, 0.2]}\n"
    "constraints:\n"
    "  - {name: level, position: \"DY(c) - 1 - 0.1*sin(DX(c, a.tip)) + 0.05*AZ(b)*DM(c, b)\"}\n"
    "  - {name: blade, velocity: \"VX(c, ground.shaker, ground.shaker) - 0.3*WZ(b)*DY(b, a) + 0.2*VM(b, "
    "c)*time\"}\n"
    "variables:\n"
    "  - {name: p, value: \"k*DX(a.tip, c, b) + 0.3*q^2 + sin(s) + FX(h)*0.1\"}\n"
    "  - {name: q, value: \"0.2*p*VR(c, a.tip) + ACCX(c, a, b) - TZ(spring)*0.01 + FM(g) + WDTZ(b)\"}\n"
    "states:\n"
    "  - {name: s, rate: \"-s + p*DIF1(r) + VX(b, ground.shaker, a)\", initial: 0.3}\n"
    "  - {name: r, rate: \"-2*r + s*q + FY(push)\", initial: -0.2}\n"
    "transfer_functions:\n"
    "  - {name: filter, input: p + r, numerator: [1, 2], denominator: [0.5, 3, 1]}\n"
    "forces:\n"
    "  - {name: push, type: force, on: a.tip, frame: body, value: [\"p*s\", \"q - filter\"]}\n"
    "  - {name: spring, type: rotational-spring-damper, between: [a, b], stiffness: 3, torque: \"0.1*s*AZ(a, "
    "b)\"}\n"
    "  - {name: rub, type: friction, joint: g, coefficient: 0.3, radius: 0.2, transition: 2}\n"
    "  - {name: air, type: force, on: c, value: [\"-brake*VX(c)\", 0]}\n"
    "events:\n"
    "  - {name: ease, when: DX(c) - 100, set: {brake: 0.1}}\n";
static const char user_3d[] =
    "dimension: 3\n"
    "gravity: [0, 1, -9.81]\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: [0.3, 0.4, 0.5], position: [0.5, 0.1, 0], omega: [1, 2, 3], markers: "
    "{tip: {position: [0.5, 0, 0], orientation: {rpy: [0.1, 0.2, 0.3]}}}}\n"
    "  - {name: b, mass: 1, inertia: [0.1, 0.2, 0.15], position: [1.4, 0.3, 0.2], orientation: {rpy: [0.3, "
    "-0.2, 0.5]}}\n"
    "joints:\n"
    "  - {name: h, type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
    "  - {name: g, type: universal, bodies: [a, b], at: [1, 0.2, 0], axis: [1, 0, 0], axis2: [0, 0, 1]}\n"
    "constraints:\n"
    "  - {name: plane, position: \"DZ(b, a.tip) - 0.1 - 0.2*DX(b)*DY(a.tip, b, a)\"}\n"
    "  - {name: roll, velocity: \"VX(b, a, a.tip) + WY(b, a)*DZ(b) - 0.3*WX(a)*VM(b)\"}\n"
    "variables:\n"
    "  - {name: p, value: \"DM(a.tip, b) + AX(b, a)*WY(b, a, a.tip) + ACCZ(b, a, a.tip, b) + 0.1*FX(h) + "
    "0.1*TY(g)\"}\n"
    "  - {name: q, value: \"p*WDTX(b, a, b) + FM(h) - TM(g) + FZ(pull)\"}\n"
    "states:\n"
    "  - {name: s, rate: \"q*0.01 - s + VR(a.tip, b)\", initial: 1}\n"
    "forces:\n"
    "  - {name: pull, type: spring-damper, between: [ground: [0, 0, 2], b], stiffness: 10, force: "
    "\"0.2*q*s\"}\n"
    "  - {name: turn, type: torque, on: b, frame: body, value: [p, \"s*WX(b)\", 0]}\n";

static hol_model_data *load_text(hol_context *ctx, const char *text)
{
    hol_spec *spec = hol_spec_read_text(ctx, "text", text, strlen(text), NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    return m;
}

static void residual(hol_equations *s, const hol_state *x, double *r)
{
    hol_equations_residual(s, x, r, r + s->nf);
    hol_equations_users(s, x, r + s->nq);
    hol_equations_rates(s, x, r + s->nf + s->nc);
}

// The residual (M a + Phi_q^T lam + Psi_v^T kap - Q; z - E; Phi; Psi), whose derivative S must be when dq = b da,
// dv = g da, dX = g dX'.
static double matrix_error(hol_context *ctx, hol_model_data *m)
{
    hol_kernel start;
    hol_equations *s;
    hol_state x, y;
    hol_rank rank;
    hol_random random = {99};
    const double b = 0.3, g = 0.7, step = 1e-6;
    assert_int_equal(hol_initialise(ctx, m, true, &start, &x, &rank), HOL_OK);
    s = start.s;
    assert_int_equal(hol_state_create(s, &y), HOL_OK);
    double *direction = hol_calloc(ctx, (size_t)s->n, sizeof(double)), *r[2], *product;
    for (int i = 0; i < 2; i++) r[i] = hol_calloc(ctx, (size_t)s->n, sizeof(double));
    product = hol_calloc(ctx, (size_t)s->n, sizeof(double));
    for (int i = 0; i < s->nq; i++) x.v[i] += 0.1 * hol_random_uniform(&random);
    x.t = 0.37;
    for (int i = 0; i < s->n; i++) direction[i] = hol_random_uniform(&random);
    for (int k = 0; k < 2; k++) {
        const double e = k ? -step : step;
        hol_state_copy(s, &y, &x);
        for (int i = 0; i < s->nq; i++) {
            y.a[i] += e * direction[i];
            y.q[i] += e * b * direction[i];
            y.v[i] += e * g * direction[i];
        }
        for (int i = s->nq; i < s->n; i++) y.a[i] += e * direction[i]; // z, lam, kap
        for (int i = 0; i < s->nx; i++) y.X[i] += e * g * direction[s->nq + m->state[i].equation];
        residual(s, &y, r[k]);
    }
    const hol_coefficients c = {1, b, b, g, HOL_WITH_ALL};
    assert_int_equal(hol_kernel_need(&start), HOL_OK);
    hol_kernel_matrix(&start, &x, &c);
    const double *values = hol_kkt_values(start.A);
    for (int j = 0; j < s->n; j++)
        for (int p = s->pattern.start[j]; p < s->pattern.start[j + 1]; p++)
            product[s->pattern.index[p]] += values[p] * direction[j];
    double worst = 0, largest = 0;
    for (int i = 0; i < s->n; i++) {
        // the lower rows of S are Phi_q and Psi_v + b/g Psi_q: the constraints move by b Phi_q da and g times the other
        const double difference = (r[0][i] - r[1][i]) / (2 * step) /
                                  (i < s->nf           ? 1
                                   : i < s->nf + s->nc ? b
                                                       : g);
        largest = fmax(largest, fabs(product[i]));
        worst = fmax(worst, fabs(difference - product[i]));
    }
    double *const arrays[] = {direction, r[0], r[1], product};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    hol_state_destroy(&x);
    hol_state_destroy(&y);
    hol_rank_destroy(&rank);
    hol_start_destroy(&start);
    hol_model_free(m);
    return worst / largest;
}

static void the_newton_matrix_is_the_derivative_of_the_residual(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(models); i++) {
        hol_context *ctx = hol_context_create();
        const double error = matrix_error(ctx, load(ctx, models[i]));
        if (!(error < 1e-7))
            print_error("%s: %.3g, bound 1e-7 (central differences with 1e-6)\n", models[i], error);
        assert_true(error < 1e-7);
        hol_context_destroy(ctx);
    }
}

static void so_it_is_with_users_equations(void **state)
{
    static const char *const texts[] = {user_2d, user_3d};
    (void)state;
    for (int i = 0; i < HOL_COUNT(texts); i++) {
        hol_context *ctx = hol_context_create();
        const double error = matrix_error(ctx, load_text(ctx, texts[i]));
        if (!(error < 1e-7))
            print_error("model %d: %.3g, bound 1e-7 (central differences with 1e-6)\n", i, error);
        assert_true(error < 1e-7);
        hol_context_destroy(ctx);
    }
}

// ---- runs of small texts --------------------------------------------------------------------------------------

typedef struct {
    double q[64], t;
    int nq;
    double momentum[3], spin[3], energy;
} outcome;

// Linear and angular momentum about the origin of free spatial bodies, from mass matrices.
static void momenta(const hol_equations *s, const hol_state *x, outcome *out)
{
    memset(out->momentum, 0, sizeof out->momentum);
    memset(out->spin, 0, sizeof out->spin);
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_body *b = &s->m->body[k];
        if (b->frame != HOL_FRAME_SPATIAL) continue;
        const double *q = x->q + b->q, *v = x->v + b->q;
        hol_real y[8], M[49], E[3][4], p[7];
        for (int i = 0; i < 7; i++) y[i] = q[i];
        y[7] = 0;
        s->m->element[k].type->mass(s->m->element[k].data, y, M);
        for (int i = 0; i < 7; i++) {
            p[i] = 0;
            for (int j = 0; j < 7; j++) p[i] += M[7 * i + j] * v[j];
        }
        hol_global_rate(y + 3, E);
        for (int i = 0; i < 3; i++) {
            const int a = (i + 1) % 3, c = (i + 2) % 3;
            out->momentum[i] += hol_re(p[i]);
            out->spin[i] += hol_re(y[a] * p[c] - y[c] * p[a]);
            for (int j = 0; j < 4; j++) out->spin[i] += 0.5 * hol_re(E[i][j] * p[3 + j]);
        }
    }
}

static void simulate(const char *text, const char *method, double h, int steps, outcome *first, outcome *last)
{
    hol_context *ctx = hol_context_create();
    hol_spec *spec = hol_spec_read_text(ctx, "text", text, strlen(text), NULL, 0);
    hol_model_data *m = spec ? hol_model_compile(spec) : NULL;
    if (!m) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(m);
    hol_kernel start;
    hol_equations *s;
    hol_state x;
    hol_rank rank;
    assert_int_equal(hol_initialise(ctx, m, true, &start, &x, &rank), HOL_OK);
    s = start.s;
    const hol_method *table = hol_method_find(method);
    hol_value option[32] = {{0}};
    int n = 0;
    for (int k = 0; k < HOL_METHOD_TABLES; k++)
        for (const hol_option *o = hol_method_table(table, k); o->key; o++) option[n++].num = o->def;
    hol_integrator *it =
        hol_integrator_create(ctx, table, &start, &x, option, &(hol_steps){.fixed = h, .end = h * steps});
    assert_non_null(it);
    hol_measure e;
    if (first) {
        momenta(s, &it->x, first);
        hol_equations_measure(s, &it->x, &e);
        first->energy = e.kinetic + e.potential;
    }
    for (int i = 1; i <= steps; i++) assert_int_equal(hol_integrator_step(it, i * h), HOL_OK);
    hol_equations_measure(s, &it->x, &e);
    momenta(s, &it->x, last);
    last->energy = e.kinetic + e.potential;
    last->nq = s->nq;
    assert_true(s->nq <= HOL_COUNT(last->q));
    memcpy(last->q, it->x.q, (size_t)s->nq * sizeof *last->q);
    hol_integrator_destroy(it);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_start_destroy(&start);
    hol_model_free(m);
    hol_context_destroy(ctx);
}

static const char tumbling[] =
    "dimension: 3\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: [1, 2, 2.5], omega: [0.1, 3, 0.2], velocity: [1, 0.5, 0]}\n"
    "  - {name: b, mass: 1, inertia: [0.5, 0.7, 0.9, 0.05, 0.1, -0.1], position: [1, 0.2, 0], "
    "omega: [1, 0, -1], velocity: [1, 1, 0.5]}\n"
    "joints:\n"
    "  - {name: ball, type: spherical, bodies: [a, b], at: [0.5, 0, 0.1]}\n";

static void momentum_is_conserved_in_free_flight(void **state)
{
    static const char *const methods[] = {"hht", "newmark", "genalpha"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        outcome start, coarse, fine;
        simulate(tumbling, methods[k], 2e-3, 500, &start, &coarse);
        simulate(tumbling, methods[k], 1e-3, 1000, NULL, &fine);
        double spin = 0, spin_fine = 0, energy = 0;
        for (int i = 0; i < 3; i++) {
            // momentum is a linear invariant: kept to rounding and Newton's tolerance by every method
            if (fabs(coarse.momentum[i] - start.momentum[i]) > 1e-8)
                print_error("%s: momentum %d: %.12g -> %.12g\n", methods[k], i, start.momentum[i],
                            coarse.momentum[i]);
            assert_true(fabs(coarse.momentum[i] - start.momentum[i]) < 1e-8);
            spin = fmax(spin, fabs(coarse.spin[i] - start.spin[i]));
            spin_fine = fmax(spin_fine, fabs(fine.spin[i] - start.spin[i]));
        }
        energy = fabs(fine.energy - start.energy);
        print_message("%s: angular momentum off by %.2e, %.2e at half the step; energy by %.2e of %.3g J\n",
                      methods[k], spin, spin_fine, energy, start.energy);
        // quadratic invariants converge with the order of the velocities: 2, or 1 for Newmark with gamma = 3/4
        const double ratio = spin / spin_fine;
        assert_true(strcmp(methods[k], "newmark") == 0 ? ratio > 1.7 : ratio > 3.4);
        assert_true(energy < (strcmp(methods[k], "newmark") == 0 ? 2e-2 : 1e-3) * start.energy);
    }
}

static const char plain[] =
    "dimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: [0.1, 0.2, 0.25], position: [0.5, 0, 0]}\n"
    "  - {name: b, mass: 1, inertia: [0.05, 0.07, 0.09], position: [1, 0.4, 0]}\n"
    "joints:\n"
    "  - {name: hinge, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  - {name: cross, type: universal, bodies: [a, b], at: [1, 0, 0], axis: [1, 0, 0], axis2: [0, 0, 1]}\n"
    "forces:\n"
    "  - {name: spring, type: spring-damper, between: [ground: [0, 0, 1], b], stiffness: 50, damping: 1, "
    "length: 1}\n";
// the same turned by 90 degrees about x: y -> z, z -> -y
static const char turned[] =
    "dimension: 3\ngravity: [0, 9.81, 0]\n"
    "bodies:\n"
    "  - {name: a, mass: 2, inertia: [0.1, 0.2, 0.25], position: [0.5, 0, 0], orientation: {axis: [1,0,0], "
    "angle: 90 deg}}\n"
    "  - {name: b, mass: 1, inertia: [0.05, 0.07, 0.09], position: [1, 0, 0.4], orientation: {axis: [1,0,0], "
    "angle: 90 deg}}\n"
    "joints:\n"
    "  - {name: hinge, type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  - {name: cross, type: universal, bodies: [a, b], at: [1, 0, 0], axis: [1, 0, 0], axis2: [0, -1, 0]}\n"
    "forces:\n"
    "  - {name: spring, type: spring-damper, between: [ground: [0, -1, 0], b], stiffness: 50, damping: 1, "
    "length: 1}\n";
// the same with bodies, joints and ends in another order, and other names
static const char shuffled[] =
    "dimension: 3\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  - {name: second, mass: 1, inertia: [0.05, 0.07, 0.09], position: [1, 0.4, 0]}\n"
    "  - {name: first, mass: 2, inertia: [0.1, 0.2, 0.25], position: [0.5, 0, 0]}\n"
    "joints:\n"
    "  - {name: u, type: universal, bodies: [second, first], at: [1, 0, 0], axis: [0, 0, 1], axis2: [1, 0, "
    "0]}\n"
    "  - {name: r, type: revolute, bodies: [first, ground], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "forces:\n"
    "  - {name: s, type: spring-damper, between: [second, ground: [0, 0, 1]], stiffness: 50, damping: 1, "
    "length: 1}\n";

static void close_to(double a, double b, const char *what)
{
    if (!(fabs(a - b) < 1e-8)) print_error("%s: %.12g and %.12g\n", what, a, b);
    assert_true(fabs(a - b) < 1e-8);
}

static void a_turned_mechanism_moves_the_same(void **state)
{
    outcome a, b;
    (void)state;
    simulate(plain, "hht", 1e-3, 500, NULL, &a);
    simulate(turned, "hht", 1e-3, 500, NULL, &b);
    close_to(a.energy, b.energy, "energy");
    for (int k = 0; k < 2; k++) {
        close_to(a.q[7 * k], b.q[7 * k], "x");
        close_to(a.q[7 * k + 1], b.q[7 * k + 2], "y -> z");
        close_to(a.q[7 * k + 2], -b.q[7 * k + 1], "z -> -y");
    }
}

static void order_and_names_do_not_matter(void **state)
{
    outcome a, b;
    (void)state;
    simulate(plain, "genalpha", 1e-3, 500, NULL, &a);
    simulate(shuffled, "genalpha", 1e-3, 500, NULL, &b);
    for (int i = 0; i < 7; i++) {
        close_to(a.q[i], b.q[7 + i], "first body");
        close_to(a.q[7 + i], b.q[i], "second body");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_newton_matrix_is_the_derivative_of_the_residual),
                                       cmocka_unit_test(so_it_is_with_users_equations),
                                       cmocka_unit_test(momentum_is_conserved_in_free_flight),
                                       cmocka_unit_test(a_turned_mechanism_moves_the_same),
                                       cmocka_unit_test(order_and_names_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
