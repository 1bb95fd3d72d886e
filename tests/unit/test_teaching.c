// Teaching methods: against the textbook's recursions, orders, drift, limits of stability, the stiff pendulum of Fernandez de
// Bustos et al. 2021, refusals.
#include "harness.h"

#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETTINGS = 10 };
#define G 9.8

// The stiff pendulum in its angle: a body held at its centre of mass, gravity as a torque. Its constraints are linear, and zero
// to the last bit: every method is the scalar one.
static const char minimal[] =
    "dimension: 2\nlength_scale: 1\nparameters: {T0: 0.1, theta: 0, omega: 0}\n"
    "bodies: [{name: bob, mass: 1, inertia: 1, angle: theta, omega: omega}]\n"
    "joints: [{name: hinge, type: revolute, between: [ground, bob]}]\n"
    "forces: [{name: motor, type: torque, on: bob, value: T0*sin(0.1*time) - 9.8*sin(AZ(bob))}]\n"
    "simulate: {end: 1}\n";

// ---- runs -----------------------------------------------------------------------------------------------------

// settings: "key=value ..." in one text.
static motion begin(const char *model, const char *method, double h, double end, const char *settings)
{
    char words[300], fixed[3][60];
    const char *set[SETTINGS] = {fixed[0], fixed[1], fixed[2]};
    snprintf(fixed[0], sizeof fixed[0], "simulate.method=%s", method);
    snprintf(fixed[1], sizeof fixed[1], h > 0 ? "simulate.step=%.17g" : "simulate.tolerance=1e-12", h);
    snprintf(fixed[2], sizeof fixed[2], "simulate.end=%.17g", end);
    snprintf(words, sizeof words, "%s", settings);
    const int n = 3 + split(words, set + 3, SETTINGS - 3);
    return open_motion(model ? model : minimal, set, n);
}

static hol_status step_of(motion *r)
{
    bool done;
    return hol_simulation_step(r->sim, &done);
}

// Value at the end; no number where the motion fails.
static double at_end(const char *model, const char *method, double h, double t, const char *settings,
                     const char *signal)
{
    motion r = begin(model, method, h, t, settings);
    const hol_status st = hol_simulation_run(r.sim);
    const double x = st ? HOL_NONE : value_of(&r, signal);
    close_motion(&r);
    return x;
}

// Largest |angle| of the bob in 200 s, infinite where the motion fails.
static double swing(const char *model, const char *method, double h, const char *settings)
{
    motion r = begin(model, method, h, 200, settings);
    double most = 0;
    bool done = false;
    while (!done && most < HOL_INF)
        most = hol_simulation_step(r.sim, &done) ? HOL_INF : fmax(most, fabs(value_of(&r, "bob.theta")));
    close_motion(&r);
    return most;
}

static void close_to(double x, double want, double bound, const char *what, const char *method)
{
    if (!(fabs(x - want) <= bound)) print_error("%s, %s: %.17g, not %.17g\n", method, what, x, want);
    assert_true(fabs(x - want) <= bound);
}

// ---- methods --------------------------------------------------------------------------------------------------

// A walk over the teaching methods: the next one of the table; m NULL begins, NULL: that was the last one.
static const hol_method *next_teaching(const hol_method *m)
{
    int i = 0;
    while (m && hol_methods[i++] != m) continue;
    while (hol_methods[i] && !hol_methods[i]->teaching) i++;
    return hol_methods[i];
}

// "NAME.KEY=VALUE" for each of the method's own options whose key begins so; "": it has none.
static void settings_of(const hol_method *m, const char *beginning, double value, char *text, size_t size)
{
    size_t n = 0;
    *text = 0;
    for (const hol_option *o = m->options; o && o->key; o++)
        if (strncmp(o->key, beginning, strlen(beginning)) == 0 && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s.%s=%g ", m->name, o->key, value);
}

// Newmark's parameters are its first options.
static bool has_newmark_parameters(const hol_method *m)
{
    const hol_option *o = m->options;
    return o && o[0].key && o[1].key && !strcmp(o[0].key, "gamma") && !strcmp(o[1].key, "beta");
}

// ---- textbook recursions --------------------------------------------------------------------------------------

static double acceleration(double theta, double t) { return 5 * sin(0.1 * t) - G * sin(theta); }

enum { STEPS = 60 };
#define START "parameters.T0=5 parameters.theta=0.5 parameters.omega=1"

// Equations (21) and (22) of the paper; here the start has a velocity.
static void central_is_the_recursion(void **state)
{
    const double h = 0.05;
    double theta[STEPS + 2] = {0.5};
    (void)state;
    theta[1] = theta[0] + h * 1 + h * h / 2 * acceleration(theta[0], 0);
    for (int n = 1; n <= STEPS; n++)
        theta[n + 1] = 2 * theta[n] - theta[n - 1] + h * h * acceleration(theta[n], n * h);
    motion r = begin(NULL, "central", h, STEPS * h, START);
    for (int n = 1; n <= STEPS; n++) {
        assert_int_equal(step_of(&r), HOL_OK);
        close_to(value_of(&r, "bob.theta"), theta[n], 1e-12, "theta", "central");
        close_to(value_of(&r, "bob.omega"), (theta[n + 1] - theta[n - 1]) / (2 * h), 1e-12, "omega",
                 "central");
    }
    close_motion(&r);
}

static void newmark_in_one_angle(double gamma, double beta, const char *method, const char *tight)
{
    const double h = 0.05;
    double q = 0.5, v = 1, a = acceleration(q, 0);
    char set[300];
    snprintf(set, sizeof set, "%s %s.gamma=%.17g %s.beta=%.17g %s", START, method, gamma, method, beta,
             tight);
    motion r = begin(NULL, method, h, STEPS * h, set);
    for (int n = 1; n <= STEPS; n++) {
        double a1 = a, q1 = q;
        for (int k = 0; k < 20; k++) {
            q1 = q + h * v + h * h * ((0.5 - beta) * a + beta * a1);
            a1 -= (a1 - acceleration(q1, n * h)) / (1 + beta * h * h * G * cos(q1));
        }
        q = q + h * v + h * h * ((0.5 - beta) * a + beta * a1);
        v += h * ((1 - gamma) * a + gamma * a1);
        a = a1;
        assert_int_equal(step_of(&r), HOL_OK);
        close_to(value_of(&r, "bob.theta"), q, 1e-12, "theta", method);
        close_to(value_of(&r, "bob.omega"), v, 1e-12, "omega", method);
        close_to(value_of(&r, "bob.alpha"), a, 1e-11, "alpha", method);
    }
    close_motion(&r);
}

static void the_others_are_newmark_in_one_angle(void **state)
{
    static const struct {
        const char *name, *tight;
    } rows[] = {{"newmark", "newmark.newton_tolerance=1.1e-14"},
                {"projected", ""},
                {"newmark-index2", "newmark-index2.baumgarte=3"},
                {"newmark-index1", "newmark-index1.baumgarte_alpha=3 newmark-index1.baumgarte_beta=5"}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        newmark_in_one_angle(0.5, 1.0 / 12, rows[i].name, rows[i].tight);
        newmark_in_one_angle(0.6, 0.35, rows[i].name, rows[i].tight);
    }
}

// The pendulum in Cartesian coordinates: the multipliers of RATTLE in closed form.
static void central_with_a_constraint_is_rattle(void **state)
{
    const double h = 0.02, g[2] = {0, -9.81};
    double q[2] = {sin(1), -cos(1)}, v[2] = {0.5 * cos(1), 0.5 * sin(1)};
    (void)state;
    motion r = begin("pendulum", "central", h, 2, "parameters.angle=1 parameters.omega=0.5");
    for (int n = 1; n <= 100; n++) {
        double p[2], pp = 0, pq = 0, qq = 0, qw = 0, w[2];
        for (int i = 0; i < 2; i++) {
            p[i] = q[i] + h * (v[i] + h / 2 * g[i]);
            pp += p[i] * p[i];
            pq += p[i] * q[i];
            qq += q[i] * q[i];
        }
        const double mu = (pq - sqrt(pq * pq - qq * (pp - 1))) / qq; // |p - mu q| = 1
        for (int i = 0; i < 2; i++) {
            w[i] = v[i] + h / 2 * g[i] - mu * q[i] / h;
            q[i] = p[i] - mu * q[i];
            v[i] = w[i] + h / 2 * g[i];
            qw += q[i] * v[i];
        }
        for (int i = 0; i < 2; i++) v[i] -= qw * q[i] / (q[0] * q[0] + q[1] * q[1]);
        assert_int_equal(step_of(&r), HOL_OK);
        close_to(value_of(&r, "bob.x"), q[0], 1e-12, "x", "central");
        close_to(value_of(&r, "bob.vy"), v[1], 1e-12, "vy", "central");
    }
    close_motion(&r);
}

// (23): with N the tangent of the circle, N^T (M a - Q) = 0; positions on the circle; and the same motion as `newmark`.
static void projected_satisfies_its_equation(void **state)
{
    (void)state;
    motion r = begin("pendulum", "projected", 0.02, 4, ""),
           other = begin("pendulum", "newmark", 0.02, 4,
                         "newmark.gamma=0.5 newmark.beta=0.25 newmark.newton_tolerance=1e-13");
    for (int n = 1; n <= 200; n++) {
        assert_int_equal(step_of(&r), HOL_OK);
        assert_int_equal(step_of(&other), HOL_OK);
        const double x = value_of(&r, "bob.x"), y = value_of(&r, "bob.y");
        close_to(-y * value_of(&r, "bob.ax") + x * (value_of(&r, "bob.ay") + 9.81), 0, 1e-11, "(23)",
                 "projected");
        close_to(hypot(x, y), 1, 1e-14, "length", "projected");
        close_to(x, value_of(&other, "bob.x"), 1e-10, "x", "projected");
    }
    close_motion(&r);
    close_motion(&other);
}

// ---- order ----------------------------------------------------------------------------------------------------

// Errors of positions against rk, for h, h/2, h/4.
static void errors_fall_with_the_square_of_the_step(void **state)
{
    static const struct {
        const char *model, *signal;
        double h, end;
    } rows[] = {{"pendulum", "bob.x", 0.01, 1}, {"four_bar", "coupler1.x", 4e-3, 0.6}};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const double exact = at_end(rows[i].model, "rk", 0, rows[i].end, "", rows[i].signal);
        for (const hol_method *m = NULL; (m = next_teaching(m));) {
            char gains[100];
            settings_of(m, "baumgarte", 10, gains, sizeof gains);
            for (int with = 0; with < (*gains ? 2 : 1); with++) {
                double error[3];
                for (int k = 0; k < 3; k++)
                    error[k] = at_end(rows[i].model, m->name, rows[i].h / (1 << k), rows[i].end,
                                      with ? gains : "", rows[i].signal) -
                               exact;
                const double first = error[0] / error[1], second = error[1] / error[2];
                // the ratio is 4 + c h: with half the step half as far from 4
                if (!(fabs(first - 4) < 0.4 && fabs(2 * second - first - 4) < 0.05))
                    fail_msg("%s, %s %s: %g %g %g, ratios %g %g", rows[i].model, m->name, with ? gains : "",
                             error[0], error[1], error[2], first, second);
            }
        }
    }
}

// ---- drift ----------------------------------------------------------------------------------------------------

// A point that goes round and round on its rod, nothing else acting: what the rod misses after t. The trapezoidal rule keeps a
// circle by its symmetry; other parameters show what happens in general.
static double drift(const char *method, double t, const char *settings)
{
    char set[300];
    snprintf(set, sizeof set, "gravity=[0,0] parameters.omega=2 %s", settings);
    return at_end("pendulum", method, 0.005, t, set, "violation.position");
}

static void what_is_not_held_drifts(void **state)
{
    (void)state;
    static const char second[] = "newmark-index2.gamma=0.6",
                      second_held[] = "newmark-index2.gamma=0.6 newmark-index2.baumgarte=20",
                      first[] = "newmark-index1.beta=0.0833333333333333333",
                      first_held[] = "newmark-index1.beta=0.0833333333333333333 "
                                     "newmark-index1.baumgarte_alpha=20 newmark-index1.baumgarte_beta=20";
    const double two = drift("newmark-index2", 2, second), eight = drift("newmark-index2", 8, second),
                 one = drift("newmark-index1", 1, first), four = drift("newmark-index1", 4, first);
    print_message("index 2: %.3g after 2 s, %.3g after 8 s; index 1: %.3g after 1 s, %.3g after 4 s\n", two,
                  eight, one, four);
    close_to(eight / two, 4, 0.2, "drift", "newmark-index2");
    close_to(four / one, 16, 1, "drift", "newmark-index1");
    const double held = drift("newmark-index2", 8, second_held),
                 both = drift("newmark-index1", 8, first_held);
    print_message("with gains, after 8 s: %.3g, %.3g\n", held, both);
    assert_true(held < 0.1 * eight && both < 0.1 * four);
    close_to(drift("newmark-index2", 4, second_held) / held, 1, 0.05, "held drift", "newmark-index2");
    close_to(drift("newmark-index1", 4, first_held) / both, 1, 0.05, "held drift", "newmark-index1");
    assert_true(drift("newmark-index2", 8, "") < 1e-13 && drift("newmark-index1", 4, "") < 1e-13);
    assert_true(drift("projected", 8, "") < 1e-13 && drift("central", 8, "") < 1e-13);
}

// ---- stability ------------------------------------------------------------------------------------------------

static double swing_with(const char *model, const char *method, double h, bool fox_goodwin)
{
    char set[100];
    snprintf(set, sizeof set, "%s.gamma=0.5 %s.beta=%.17g", method, method, fox_goodwin ? 1.0 / 12 : 0.25);
    return swing(model, method, h, set);
}

static void limits_are_known(void **state)
{
    hol_value o[2] = {{.given = true, .num = 0.5}, {.given = true, .num = 1.0 / 12}};
    int found = 0;
    (void)state;
    assert_true(hol_method_find("central")->limit(NULL, false) == 2);
    for (int i = 0; hol_methods[i]; i++) {
        const hol_method *m = hol_methods[i];
        assert_true(!m->teaching || m->limit);
        if (!has_newmark_parameters(m)) continue;
        found++;
        o[0].num = 0.5;
        o[1] = (hol_value){.given = true, .num = 1.0 / 12};
        close_to(m->limit(o, false), sqrt(6), 1e-14, "Fox-Goodwin", m->name);
        o[1].num = 1.0 / 6;
        close_to(m->limit(o, false), sqrt(12), 1e-14, "linear acceleration", m->name);
        o[1].num = 0.25;
        assert_true(isinf(m->limit(o, false)));
        o[0].num = 0.75;
        o[1].given = false; // the default
        assert_true(isinf(m->limit(o, false)));
    }
    assert_true(found >= 4);
}

// omega = sqrt(9.8): limits 0.63888 s and 0.78246 s. The paper's figures 3 to 5.
static void the_angle_is_as_stable_as_theory_says(void **state)
{
    (void)state;
    close_to(swing(NULL, "central", 0.6, ""), 0.01114, 1e-5, "swing", "central");
    assert_true(swing(NULL, "central", 0.7, "") > 100);
    for (int i = 0; hol_methods[i]; i++) {
        const char *m = hol_methods[i]->name;
        if (!has_newmark_parameters(hol_methods[i])) continue;
        close_to(swing_with(NULL, m, 0.7, true), 0.01094, 1e-5, "swing", m);
        close_to(swing_with(NULL, m, 0.78, true), 0.01432, 1e-5, "swing", m);
        close_to(swing_with(NULL, m, 0.79, true), 0.491, 1e-3, "swing", m);
        close_to(swing_with(NULL, m, 6, false), 0.01023, 1e-5, "swing", m);
    }
}

// Full coordinates, two constraints, no rotational inertia: figures 6 and 7. Held as positions, the constraints are a
// stiffness without bound: below the trapezoidal rule no step is small enough. Held as velocities or accelerations, or by an
// explicit method, they leave the limit of the angle.
static void constraints_change_the_limit(void **state)
{
    static const double steps[] = {0.01, 0.1, 0.6, 0.78, 0.79, 6};
    static const char model[] = "stiff_pendulum";
    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_true(isinf(swing_with(model, "newmark", steps[i], true)));
        assert_true(isinf(swing_with(model, "projected", steps[i], true)));
        if (i == 0 || i == 2) continue;
        close_to(swing_with(model, "projected", steps[i], false), 0.0104, 2e-4, "swing", "projected");
    }
    close_to(swing(model, "central", 0.6, ""), 0.01114, 1e-5, "swing", "central");
    assert_true(swing(model, "central", 0.7, "") > 0.1);
    close_to(swing_with(model, "newmark-index2", 0.78, true), 0.0139, 1e-4, "swing", "newmark-index2");
    assert_true(isinf(swing_with(model, "newmark-index2", 0.79, true)));
    close_to(swing_with(model, "newmark-index1", 0.1, true), 0.01054, 1e-5, "swing", "newmark-index1");
}

// The larger the torque, the more the null space turns: figures 8 and 10. With the trapezoidal rule and constraints of the
// positions the forces begin to oscillate; held at another level they are right.
static double largest_force(const char *method, double torque)
{
    char set[60];
    snprintf(set, sizeof set, "parameters.T0=%g", torque);
    motion r = begin("stiff_pendulum", method, 0.1, 200, set);
    double most = 0;
    bool done = false;
    while (!done && most < HOL_INF)
        most = hol_simulation_step(r.sim, &done)
                   ? HOL_INF
                   : fmax(most, hypot(value_of(&r, "hinge.Fx"), value_of(&r, "hinge.Fy")));
    close_motion(&r);
    return most;
}

static void large_turns_excite_the_reactions(void **state)
{
    static const char *const others[] = {"central", "newmark-index2", "newmark-index1"};
    (void)state;
    close_to(largest_force("projected", 5), 9.93, 0.01, "force", "projected");
    close_to(largest_force("projected", 6), 10.62, 0.05, "force", "projected");
    assert_true(largest_force("projected", 8) > 50);
    assert_true(isinf(largest_force("projected", 9)));
    for (int i = 0; i < 3; i++) close_to(largest_force(others[i], 9), 9.96, 0.01, "force", others[i]);
    for (const hol_method *m = NULL; (m = next_teaching(m));) // no other one rings
        assert_true(strcmp(m->name, "projected") == 0 || largest_force(m->name, 9) < 12);
}

// ---- users' equations, redundant constraints, refusals -----------------------------------------------------------

// Controllers with states, and an event: against rk.
static void users_equations_take_part(void **state)
{
    (void)state;
    const double exact = at_end("inverted_pendulum", "rk", 0, 2, "", "cart.x");
    for (const hol_method *m = NULL; (m = next_teaching(m));) {
        const double coarse = at_end("inverted_pendulum", m->name, 4e-3, 2, "", "cart.x") - exact,
                     fine = at_end("inverted_pendulum", m->name, 2e-3, 2, "", "cart.x") - exact;
        close_to(coarse / fine, 4, 0.2, "order with states", m->name);
        assert_true(isfinite(at_end("impact_stop", m->name, 1e-3, 1, "", "energy.total")));
    }
}

static void redundant_rows_are_left_out(void **state)
{
    (void)state;
    for (const hol_method *m = NULL; (m = next_teaching(m));)
        close_to(at_end("bricard", m->name, 2e-3, 1, "", "energy.total"),
                 at_end("bricard", "rk", 0, 1, "", "energy.total"), 1e-2, "energy of bricard", m->name);
}

static void refused(const char *model, const char *method, const char *how, const char *word,
                    const char *not_this)
{
    char path[100], set_method[60];
    const char *set[] = {set_method, how};
    snprintf(path, sizeof path, "models/%s.yaml", model);
    snprintf(set_method, sizeof set_method, "simulate.method=%s", method);
    hol_model *m = hol_model_load(ctx, path, set, 2);
    hol_simulation *sim = m ? hol_simulation_create(ctx, m) : NULL;
    assert_null(sim);
    if (!strstr(hol_context_error(ctx), word)) print_error("%s\n", hol_context_error(ctx));
    assert_non_null(strstr(hol_context_error(ctx), word));
    assert_null(strstr(hol_context_error(ctx), not_this));
    hol_model_destroy(m);
}

static void what_they_cannot_do_is_refused(void **state)
{
    (void)state;
    int found = 0;
    for (const hol_method *m = NULL; (m = next_teaching(m)); found++) {
        refused("pendulum", m->name, "simulate.tolerance=1e-4", "fixed steps only", "?");
        refused("rolling_disc", m->name, "simulate.step=1e-3", "does not take velocity constraints",
                "projected,");
    }
    assert_true(found >= 4);
    assert_false(hol_method_find("hht")->teaching); // the default
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(central_is_the_recursion),
                                       cmocka_unit_test(the_others_are_newmark_in_one_angle),
                                       cmocka_unit_test(central_with_a_constraint_is_rattle),
                                       cmocka_unit_test(projected_satisfies_its_equation),
                                       cmocka_unit_test(errors_fall_with_the_square_of_the_step),
                                       cmocka_unit_test(what_is_not_held_drifts),
                                       cmocka_unit_test(limits_are_known),
                                       cmocka_unit_test(the_angle_is_as_stable_as_theory_says),
                                       cmocka_unit_test(constraints_change_the_limit),
                                       cmocka_unit_test(large_turns_excite_the_reactions),
                                       cmocka_unit_test(users_equations_take_part),
                                       cmocka_unit_test(redundant_rows_are_left_out),
                                       cmocka_unit_test(what_they_cannot_do_is_refused)};
    return cmocka_run_group_tests(tests, start, stop);
}
