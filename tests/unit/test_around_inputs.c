// Inputs that a program around a simulation sets, for every form of every method: at once, in straight lines, within a step, behind a
// snapshot; and parameters that it tunes.
#include "around.h"

#include <math.h>

// ---- inputs -----------------------------------------------------------------------------------------------------

// The same controller as sampled events and outside: the push of every millisecond is found from the state of its beginning.
#define CART(inputs, events)                                                                                 \
    "dimension: 2\ngravity: [0, -9.81]\nparameters: {l: 0.5, lean0: 0.1" inputs "bodies:\n"                  \
    "  - {name: cart, mass: 1, inertia: 1}\n"                                                                \
    "  - {name: pole, mass: 0.1, inertia: 0.01, position: [l*sin(lean0), l*cos(lean0)], angle: -lean0}\n"    \
    "joints:\n"                                                                                              \
    "  - {name: rail, type: translational, between: [ground, cart]}\n"                                       \
    "  - {name: hinge, type: revolute, between: [cart, pole: [0, -l]]}\n"                                    \
    "forces:\n"                                                                                              \
    "  - {name: motor, type: force, on: cart, value: [u, 0]}\n" events "simulate: {end: 0.4, output: 0.1}\n"
#define SAMPLED                                                                                              \
    CART(", u: 0}\n",                                                                                        \
         "events: [{name: sample, every: 1e-3, set: {u: -40*AZ(pole) - 10*WZ(pole) + DX(cart) + "            \
         "2*VX(cart)}}]\n")
#define DRIVEN_WITH(forces) CART("}\ninputs: [{name: u, unit: N}]\n", forces)
#define DRIVEN DRIVEN_WITH("")

enum { PERIODS = 400 };

static void control(const form *f, hol_simulation *sim)
{
    for (int k = 0; k < PERIODS; k++) {
        hol_state_view x;
        good(f, hol_simulation_get_state(sim, &x));
        const double u = -40 * x.q[5] - 10 * x.v[5] + x.q[0] + 2 * x.v[0];
        good(f, hol_simulation_set_input(sim, 0, u));
        good(f, hol_simulation_advance(sim, 1e-3 * (k + 1)));
    }
}

static void controls(const form *f, const char *how, double most)
{
    motion a = open_form(f, SAMPLED, how), b = open_form(f, DRIVEN, how);
    if (!a.sim) {
        assert_null(b.sim);
        return;
    }
    good(f, hol_simulation_run(a.sim));
    control(f, b.sim);
    const char *const signal[] = {"cart.x", "cart.vx", "pole.theta", "pole.omega"};
    for (int i = 0; i < HOL_COUNT(signal); i++) {
        const double want = value_of(&a, signal[i]), have = value_of(&b, signal[i]);
        if (!(fabs(have - want) <= most))
            fail_msg("%s%s: %s is %.15g outside, %.15g by events", f->set, how, signal[i], have, want);
    }
    close_motion(&a);
    close_motion(&b);
}

// Fixed steps of the period: both are the same steps. With a tolerance both are as right as it says.
static void a_controller_outside_is_that_inside(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (!tried(&f)) continue;
        controls(&f, "simulate.step=1e-3", 1e-9);
        if (order_of_form(&f) > 2) controls(&f, "simulate.tolerance=1e-9", 1e-8);
    }
}

// What acts follows an input at once, at the start and within a step: Newton's law for the pole, and for both of them upwards.
static void reactions_are_those_of_a_changed_input(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        motion a = f.index ? (motion){0} : open_either(&f, DRIVEN, "");
        if (!a.sim) continue;
        for (int k = 0; k < 4; k++) {
            good(&f, hol_simulation_set_input(a.sim, 0, 10 * k));
            const double Fx = 0.1 * value_of(&a, "pole.ax"), Fy = 0.1 * (value_of(&a, "pole.ay") + 9.81);
            near(f.set, hypot(value_of(&a, "hinge.Fx"), value_of(&a, "hinge.Fy")), hypot(Fx, Fy),
                 1e-8); // in the pole's axes
            near(f.set, value_of(&a, "rail.Fy"), 9.81 + Fy, 1e-8);
            if (k == 1) good(&f, hol_simulation_advance(a.sim, 0.013));
        }
        close_motion(&a);
    }
}

// Saved behind an input that has been taken, before the step that begins with it: what the method has prepared for that step is saved too.
static void an_input_is_taken_before_a_snapshot(void **state)
{
    static double first[1000];
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (!tried(&f)) continue;
        motion a = open_either(&f, DRIVEN, ""), b = open_either(&f, DRIVEN, "");
        if (!a.sim) continue;
        for (int k = 0; k < 5; k++) {
            good(&f, hol_simulation_set_input(a.sim, 0, 5 - k));
            good(&f, hol_simulation_advance(a.sim, 0.01 * (k + 1)));
        }
        good(&f, hol_simulation_set_input(a.sim, 0, -3));
        hol_snapshot *s = hol_simulation_save(a.sim);
        assert_non_null(s);
        memcpy(first, to_the_end(&f, a.sim), (size_t)hol_simulation_signals(a.sim) * sizeof *first);
        good(&f, hol_simulation_restore(b.sim, s));
        expect_same(&f, "behind an input", b.sim, first, to_the_end(&f, b.sim));
        hol_snapshot_destroy(s);
        close_motion(&a);
        close_motion(&b);
    }
}

// What is counted of a period of this model with the family's fixed steps of the same length.
static void expect_work(const char *model, double matrices, double residuals)
{
    const char *const method[] = {"hht", "newmark", "genalpha"};
    for (int i = 0; i < HOL_COUNT(method); i++) {
        form f = {.method = hol_method_find(method[i])};
        snprintf(f.set, sizeof f.set, "simulate.method=%s ", method[i]);
        motion a = open_form(&f, model, "simulate.step=1e-3");
        assert_non_null(a.sim);
        control(&f, a.sim);
        const hol_statistics *s = hol_simulation_finish(a.sim);
        const double few = 1.02 * PERIODS; // and the first steps
        near("steps", (double)s->steps, PERIODS, 0);
        if (s->jacobians > matrices * few || s->factorizations > matrices * few ||
            s->residuals > residuals * few)
            fail_msg("%s: %ld matrices, %ld factorisations, %ld right-hand sides in %d periods", method[i],
                     s->jacobians, s->factorizations, s->residuals, PERIODS);
        close_motion(&a);
    }
}

// One matrix: the accelerations with the new input, their rate, and the step itself. A force that depends on accelerations has them found
// by an iteration, whose second look needs no other one; a stiff spring wants one of its own for each step.
static void a_changed_input_costs_one_matrix(void **state)
{
    (void)state;
    expect_work(DRIVEN, 1, 4);
    expect_work(DRIVEN_WITH("  - {name: more, type: force, on: cart, value: [-0.1*ACCX(cart), 0]}\n"), 1, 5);
    expect_work(DRIVEN_WITH("  - {name: stiff, type: torque, on: pole, value: -1e5*(AZ(pole) + 0.1)}\n"), 2,
                6);
}

// A force that a program changes, on 2 kg: 0 until 0.1 s, then in straight lines to 0.3 N at 0.2 s and 0.6 N at 0.3 s, constant behind.
#define POINT                                                                                                \
    "dimension: 2\nbodies: [{name: p, type: point, mass: 2}]\nforces: [{name: f, type: force, on: p, "       \
    "value: [u, 0]}]\n"                                                                                      \
    "simulate: {end: 0.5}\n"

static void an_input_in_a_straight_line(void **state)
{
    // x'' = u/2: at 0.3 s v = 3/2 0.2^2/2, x = 3/2 0.2^3/6; then 0.3 m/s^2 for 0.2 s
    const double v = 0.03, x = 0.002, T = 0.2, want = x + v * T + 0.3 * T * T / 2;
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (f.index) continue;
        motion a = open_either(&f, POINT "inputs: [{name: u, unit: N, hold: linear}]\n", "");
        // the same force as a function of time
        motion b = open_either(
            &f, POINT "variables: [{name: u, value: \"3*(max(time, 0.1) - max(time, 0.3) + 0.2)\"}]\n", "");
        if (!a.sim) continue;
        good(&f, hol_simulation_advance(a.sim, 0.1));
        good(&f, hol_simulation_set_input(a.sim, 0, 0.3));
        good(&f, hol_simulation_advance(a.sim, 0.2));
        near("u is reached", value_of(&a, "u"), 0.3, 1e-12);
        good(&f, hol_simulation_set_input(a.sim, 0, 0.6));
        good(&f, hol_simulation_advance(a.sim, 0.3));
        good(&f, hol_simulation_advance(a.sim, 0.5));
        near("u stays", value_of(&a, "u"), 0.6, 1e-12);
        good(&f, hol_simulation_run(b.sim));
        // what a line is not known of is half of a step late, 5 % here
        const double off = fabs(value_of(&b, "p.x") - want), have = value_of(&a, "p.x");
        if (!(fabs(have - want) <= 1.1 * off + 1e-5))
            fail_msg("%s: %.9f, wanted %.9f, by time %.2e off", f.set, have, want, off);
        if (order_of_form(&f) > 2) near(f.set, have, want, 1e-5);
        close_motion(&a);
        close_motion(&b);
    }
}

// Behind the advance that it was given for, whatever comes: steps, the end, another simulation.
static void a_straight_line_ends(void **state)
{
    const char *set[] = {"simulate.method=rk"}, *model = POINT "inputs: [{name: u, unit: N, hold: linear}]\n";
    const form f = {.set = ""};
    bool done;
    (void)state;
    motion a = open_motion(model, set, 1), b = open_motion(model, set, 1);
    good(&f, hol_simulation_set_input(a.sim, 0, 0.3));
    good(&f, hol_simulation_advance(a.sim, 0.1));
    hol_snapshot *s = hol_simulation_save(a.sim);
    good(&f, hol_simulation_step(a.sim, &done));
    near("u after a step", value_of(&a, "u"), 0.3, 1e-12);
    good(&f, hol_simulation_run(a.sim));
    near("u at the end", value_of(&a, "u"), 0.3, 1e-12);
    good(&f, hol_simulation_restore(b.sim, s));
    good(&f, hol_simulation_advance(b.sim, 0.4));
    near("u elsewhere", value_of(&b, "u"), 0.3, 1e-12);
    hol_snapshot_destroy(s);
    close_motion(&a);
    close_motion(&b);
}

// What may stand between an input that is set and the advance that takes it.
static void look_at_values(const form *f, motion *a)
{
    good(f, hol_simulation_values(a->sim) ? HOL_OK : HOL_ERR_USAGE);
}

static void look_at_state(const form *f, motion *a)
{
    hol_state_view x;
    good(f, hol_simulation_get_state(a->sim, &x));
}

static void save_and_go_back(const form *f, motion *a)
{
    hol_snapshot *s = hol_simulation_save(a->sim);
    assert_non_null(s);
    good(f, hol_simulation_restore(a->sim, s));
    hol_snapshot_destroy(s);
}

static void set_its_own_state(const form *f, motion *a)
{
    hol_state_view x;
    good(f, hol_simulation_get_state(a->sim, &x));
    good(f, hol_simulation_set_state(a->sim, &x, NULL));
}

static void (*const between[])(const form *f, motion *a) = {look_at_values, look_at_state, save_and_go_back,
                                                            set_its_own_state};

// A line of 0.1 s from 0 to 8 N on 2 kg gives 0.2 m/s, from the start or from within a step, whatever stands between. newmark, of
// order 1, has it half of a step of 0.01 s late, 5 %.
static void looking_does_not_take_a_straight_line(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);)
        for (int k = 0; k < HOL_COUNT(between) && !f.index; k++) {
            motion a = open_either(&f, POINT "inputs: [{name: u, unit: N, hold: linear}]\n", "");
            if (!a.sim) continue;
            for (int first = 0; first < 2; first++) {
                good(&f, hol_simulation_advance(a.sim, 0.07 * first));
                const double v = value_of(&a, "p.vx");
                good(&f, hol_simulation_set_input(a.sim, 0, 8));
                between[k](&f, &a);
                good(&f, hol_simulation_advance(a.sim, 0.1 + 0.07 * first));
                near("u is reached", value_of(&a, "u"), 8, 1e-12);
                near(f.set, value_of(&a, "p.vx") - v, 0.2, order_of_form(&f) > 1 ? 1e-3 : 2e-2);
                if (!first) good(&f, hol_simulation_reset(a.sim));
            }
            close_motion(&a);
        }
}

// A step knows no time that a line could reach: the input is there at once, however the step is cut.
static void steps_take_a_straight_line_at_once(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        bool done;
        if (f.index) continue;
        motion a = open_either(&f, POINT "inputs: [{name: u, unit: N, hold: linear}]\n", "");
        if (!a.sim) continue;
        good(&f, hol_simulation_advance(a.sim, 0.07));
        good(&f, hol_simulation_set_input(a.sim, 0, 8));
        good(&f, hol_simulation_step(a.sim, &done));
        near("u after a step", value_of(&a, "u"), 8, 0);
        good(&f, hol_simulation_run(a.sim));
        near(f.set, value_of(&a, "p.vx"), 4 * (0.5 - 0.07), order_of_form(&f) > 1 ? 2e-3 : 4e-2);
        close_motion(&a);
    }
}

// One that jumps, where nobody asked for a stop: the step is cut there.
static void an_input_within_a_step(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (f.index || (f.method->refuse && f.method->refuse(f.value, true))) continue;
        motion a = open_form(&f, POINT "inputs: [{name: u}]\n", "simulate.tolerance=1e-4");
        if (!a.sim) continue;
        good(&f, hol_simulation_advance(a.sim, 0.2));
        good(&f, hol_simulation_set_input(a.sim, 0, 4));
        assert_true(hol_simulation_input(a.sim, 0) == 4);
        near("acceleration", value_of(&a, "p.ax"), 2, 1e-9); // of now, before the next step
        good(&f, hol_simulation_advance(a.sim, 0.4));
        good(&f, hol_simulation_set_input(a.sim, 0, 0));
        good(&f, hol_simulation_advance(a.sim, 0.5));
        near(f.set, value_of(&a, "p.vx"), 0.4, 2e-4);
        near(f.set, value_of(&a, "p.x"), 0.04 + 0.04, 2e-4);
        const hol_statistics *s = hol_simulation_finish(a.sim);
        assert_true(s->energy_drift_max < 2e-4);
        close_motion(&a);
    }
}

static void an_input_lets_an_event_happen(void **state)
{
    const char *set[] = {"simulate.method=rk"};
    (void)state;
    motion a = open_motion(
        POINT
        "inputs: [{name: u}]\nparameters: {seen: 0}\n"
        "events: [{name: e, when: u - 1, set: {seen: seen + 1}}, {name: end, when: seen - 1.5, stop: yes}]\n",
        set, 1);
    const form f = {.set = ""};
    good(&f, hol_simulation_advance(a.sim, 0.1));
    good(&f, hol_simulation_set_input(a.sim, 0, 2));
    good(&f, hol_simulation_advance(a.sim, 0.2));
    good(&f, hol_simulation_set_input(a.sim, 0, 0));
    good(&f, hol_simulation_advance(a.sim, 0.3));
    near("ended by the second", hol_simulation_time(a.sim), 0.2, 1e-12);
    assert_string_equal(hol_simulation_statistics(a.sim)->ended_by, "end");
    close_motion(&a);
}

// A parameter that is no input: the stiffness of a spring, from 0 to 8 N/m at t = 0.
static void a_parameter_is_tuned(void **state)
{
    const char *set[] = {"simulate.method=rk", "simulate.tolerance=1e-8"};
    (void)state;
    motion a =
        open_motion("dimension: 2\nparameters: {k: 0}\ntunable: [k]\n"
                    "bodies: [{name: p, type: point, mass: 2, position: [1, 0]}]\n"
                    "forces: [{name: f, type: force, on: p, value: [-k*DX(p), 0]}]\nsimulate: {end: 1}\n",
                    set, 2);
    const form f = {.set = ""};
    const int k = hol_simulation_find_input(a.sim, "k");
    assert_int_equal(k, 0);
    assert_string_equal(hol_simulation_input_unit(a.sim, k), "");
    good(&f, hol_simulation_set_input(a.sim, k, 8));
    good(&f, hol_simulation_run(a.sim));
    near("x", value_of(&a, "p.x"), cos(2.0), 1e-7);
    close_motion(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controller_outside_is_that_inside),
        cmocka_unit_test(reactions_are_those_of_a_changed_input),
        cmocka_unit_test(an_input_is_taken_before_a_snapshot),
        cmocka_unit_test(a_changed_input_costs_one_matrix),
        cmocka_unit_test(an_input_in_a_straight_line),
        cmocka_unit_test(looking_does_not_take_a_straight_line),
        cmocka_unit_test(steps_take_a_straight_line_at_once),
        cmocka_unit_test(a_straight_line_ends),
        cmocka_unit_test(an_input_within_a_step),
        cmocka_unit_test(an_input_lets_an_event_happen),
        cmocka_unit_test(a_parameter_is_tuned),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
