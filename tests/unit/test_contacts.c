// Contacts: impacts against closed forms, what rests, what is fast, and what is refused. tools/contacts has the longer problems.
#include "harness.h"

#include "api/api.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A ball 0.02 m above a wall, without gravity.
#define WALL                                                                                                 \
    "dimension: 2\nlength_scale: 0.02\ntime_scale: 0.01\nparameters: {v: 2, e: 0.5, c: 0.1}\n"               \
    "ground: {shape: {type: halfplane, name: wall}}\n"                                                       \
    "bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, 0.22], velocity: [0, -v], "                     \
    "shape: {type: sphere, radius: 0.2}}]\n"                                                                 \
    "contacts: [{name: k, between: [b, ground.wall], stiffness: 1e6, LOSS}]\n"                               \
    "simulate: {end: 4/v, method: rk, tolerance: 1e-11, output: 4/v}\n"

static const char *wall(const char *loss)
{
    static char text[1000];
    const char *at = strstr(WALL, "LOSS");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - WALL), WALL, loss, at + 4);
    return text;
}

// References: (23.5) by quadrature with 60 digits, tests/reference/contact/closed_forms.csv.
static void an_impact_is_that_of_the_closed_forms(void **state)
{
    (void)state;
    motion m = move(wall("damping: c"), NULL, 0);
    assert_int_equal(m.end, HOL_OK);
    const hol_statistics s = *hol_simulation_statistics(m.sim);
    const double back = value_of(&m, "b.vy"), lasts = 2 - 0.01 - (value_of(&m, "b.y") - 0.2) / back;
    near("restitution", back / 2, 0.882189986247306379, 1e-11);
    near("depth", s.contact_depth, 5.46690607207190009e-3, 1e-12);
    near("duration", lasts, 8.57128746144744289e-3, 1e-11);
    near("lost", s.contact_damping, 0.221740828164977381, 1e-9);
    assert_int_equal(s.contact_onsets, 1);
    assert_true(s.energy_drift_max < 1e-10);
    close_motion(&m);
}

static void restitution_is_what_is_asked_at_every_speed(void **state)
{
    (void)state;
    static const double asked[] = {0.1, 0.5, 0.9, 0.99, 1}, speed[] = {0.01, 1, 10};
    for (int i = 0; i < HOL_COUNT(asked); i++)
        for (int k = 0; k < HOL_COUNT(speed); k++) {
            char e[40], v[40];
            const char *set[] = {e, v};
            snprintf(e, sizeof e, "parameters.e=%g", asked[i]);
            snprintf(v, sizeof v, "parameters.v=%g", speed[k]);
            motion m = move(wall("restitution: e"), set, 2);
            assert_int_equal(m.end, HOL_OK);
            near("restitution", value_of(&m, "b.vy") / speed[k], asked[i], 1e-8);
            close_motion(&m);
        }
}

// A body at rest that 1 kN presses against a wall from a small distance away. Its speed at the onset is that of the work of the force, v^2 = 2 F
// gap/m, and the damping of all that follows is taken from it: pressed on, it is turned back twice or more. Another reference: rk at 1e-11.
#define SOON                                                                                                 \
    "dimension: 2\nparameters: {gap: 1e-9}\nground: {shape: {type: halfplane, name: wall}}\n"                \
    "bodies: [{name: b, mass: 1, inertia: 1, position: [0, 0.1 + gap], shape: {type: sphere, radius: 0.1}, " \
    "markers: {c: [0, 0]}}]\n"                                                                               \
    "forces: [{name: f, type: force, on: b.c, value: [0, -1e3]}]\n"                                          \
    "contacts: [{name: k, between: [b, ground.wall], stiffness: 1e9, exponent: 1.5, restitution: 0.8}]\n"    \
    "simulate: {end: 1e-3, method: rk, tolerance: 1e-11, output: 1e-3}\n"

// *back: speed at the end.
static double onset_of(const char *method, double T, double gap, double *back)
{
    char text[3][60];
    const char *const set[] = {text[0], text[1], text[2]};
    snprintf(text[0], sizeof text[0], "simulate.method=%s", method);
    snprintf(text[1], sizeof text[1], "simulate.tolerance=%g", T);
    snprintf(text[2], sizeof text[2], "parameters.gap=%g", gap);
    motion m = move(SOON, set, 3);
    assert_int_equal(m.end, HOL_OK);
    const double v = m.sim->d->contacts.touch[0].v_i;
    *back = value_of(&m, "b.vy");
    close_motion(&m);
    return v;
}

static void what_is_met_soon_is_met_at_its_speed(void **state)
{
    (void)state;
    static const char *const methods[] = {"joint_bdf", "adams", "bdf", "rn4", "rk", "hht", "genalpha"};
    static const double gap[] = {1e-9, 1e-7, 1e-5};
    for (int k = 0; k < HOL_COUNT(gap); k++) {
        double exact, back;
        (void)onset_of("rk", 1e-11, gap[k], &exact);
        for (int i = 0; i < HOL_COUNT(methods); i++) {
            const double v = sqrt(2e3 * gap[k]);
            near(methods[i], onset_of(methods[i], 1e-5, gap[k], &back) / v, 1, 1e-5);
            near(methods[i], back, exact, 1e-5 * 0.1);
            if (i < 3) near(methods[i], onset_of(methods[i], 1e-3, gap[k], &back) / v, 1, 1e-3);
        }
    }
}

// Two small balls, one of which turns on an arm, at speeds at which steps are far longer than they are. Whether they meet is known
// from the path, a straight line and a circle, looked at 20000 times. The other one may be a box as small.
#define SHOT(TARGET)                                                                                         \
    "dimension: 2\nlength_scale: 1\nparameters: {R: 1e-3, v: 100, om: 100, aim: 0, far: 0.3}\n"              \
    "bodies:\n"                                                                                              \
    "  - {name: a, mass: 1, inertia: 1, omega: om, position: [-far, aim], velocity: [v, 0],\n"               \
    "     shape: {type: sphere, radius: R, position: [0, 20*R]}}\n"                                          \
    "  - {name: b, mass: 1, inertia: 1, position: [0, 0], shape: {" TARGET "}}\n"                            \
    "contacts: [{name: c, between: [a, b], stiffness: 1e9, deepest: 1}]\n"                                   \
    "simulate: {end: 2*far/v, method: rk, tolerance: 1e-3}\n"

typedef struct {
    double R, v, om, aim, far;
    bool box;
} shot;

static bool meets(const shot *s)
{
    double least = HOL_INF;
    for (int i = 0; i <= 20000; i++) {
        const double t = 2 * s->far / s->v * i / 20000, x = -s->far + s->v * t - 20 * s->R * sin(s->om * t),
                     y = s->aim + 20 * s->R * cos(s->om * t);
        least = fmin(least, s->box ? hypot(fmax(fabs(x) - s->R, 0), fmax(fabs(y) - s->R, 0)) - s->R
                                   : hypot(x, y) - 2 * s->R);
    }
    return least < -0.5 * s->R; // the path of a run may be off by the tolerance
}

// Is the onset found? blind: without the enclosures, by looks at parts of each step and where it bends alone.
static bool is_met(const shot *s, bool blind)
{
    char text[5][60];
    const char *set[5];
    const double value[] = {s->R, s->v, s->om, s->aim, s->far};
    static const char *const name[] = {"R", "v", "om", "aim", "far"};
    for (int i = 0; i < 5; i++) {
        snprintf(text[i], sizeof text[i], "parameters.%s=%.17g", name[i], value[i]);
        set[i] = text[i];
    }
    static const char ball[] = SHOT("type: sphere, radius: R"), box[] = SHOT("type: box, size: [2*R, 2*R]");
    motion m = open_motion(s->box ? box : ball, set, 5);
    hol_dynamics *d = m.sim->d;
    for (int i = 0; i < d->m->n_events && blind; i++) d->events.term[i].smooth = false;
    bool done = false;
    while (!done && d->contacts.found.onsets == 0 && !hol_dynamics_step(d, &done)) continue;
    const bool met = d->contacts.found.onsets > 0;
    close_motion(&m);
    return met;
}

static void shoot(bool box)
{
    hol_random dice = {7};
    int met = 0, blind = 0;
    const int n = few() ? 60 : 300;
    for (int i = 0; i < n; i++) {
        const double R = pow(10, random_in(&dice, -4, -2.5)), v = pow(10, random_in(&dice, 0, 3));
        shot s = {R, v, random_in(&dice, -0.3, 0.3) * v / (20 * R), 0, random_in(&dice, 0.1, 0.5), box};
        const double at = s.far / v; // the arm points so when the body passes
        s.aim = -20 * R * cos(s.om * at) + random_in(&dice, -1, 1) * R;
        if (!meets(&s)) continue;
        met++;
        if (!is_met(&s, false)) fail_msg("R = %g, v = %g, om = %g: it went through", s.R, s.v, s.om);
        blind += is_met(&s, true);
    }
    assert_true(met > n / 4);
    assert_int_equal(blind, met); // four looks at a step met 65 of 161
}

static void nothing_goes_through_at_any_speed(void **state)
{
    (void)state;
    shoot(false);
    shoot(true);
}

// What comes to rest after ever shorter bounces carries its weight; the depth is (m g/K)^(2/3).
static void a_ball_comes_to_rest(void **state)
{
    (void)state;
    motion m = move("dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"
                    "bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, 0.11], shape: {type: sphere, "
                    "radius: 0.1}}]\n"
                    "contacts: [{name: k, between: [b, ground], stiffness: 1e6, restitution: 0.5}]\n"
                    "simulate: {end: 2, method: rk, tolerance: 1e-8, output: 1}\n",
                    NULL, 0);
    assert_int_equal(m.end, HOL_OK);
    near("force", value_of(&m, "k.F"), 0.5 * 9.81, 1e-6);
    near("depth", -value_of(&m, "k.gap"), pow(0.5 * 9.81 / 1e6, 2.0 / 3), 1e-10);
    near("speed", value_of(&m, "b.vy"), 0, 1e-8);
    close_motion(&m);
}

// A ball on the floor whose load is such that the depth is d0 (1 + 0.3 sin(10/s t)), so that the force is known. The depth is a 6e-8th of the length of the model: what a tolerance says of positions says nothing of it.
#define PRESSED                                                                                              \
    "dimension: 2\nlength_scale: 1\ngravity: [0, -9.81]\nparameters: {K: 1e10, m: 0.5, w: 10, d0: "          \
    "6.22e-8}\n"                                                                                             \
    "ground: {shape: {type: halfplane}}\n"                                                                   \
    "bodies: [{name: b, mass: m, inertia: 2e-3, position: [0, 0.1 - d0], velocity: [0, -0.3*d0*w], "         \
    "shape: {type: sphere, radius: 0.1}}]\n"                                                                 \
    "contacts: [{name: k, between: [b, ground], stiffness: K, damping: 100}]\n"                              \
    "variables: [{name: N, value: 'K*(d0*(1 + 0.3*sin(w*time)))^1.5*(1 + 30*d0*w*cos(w*time))'}]\n"          \
    "forces: [{name: f, type: force, on: b, value: [0, 'm*9.81 - N + m*d0*0.3*w*w*sin(w*time)']}]\n"         \
    "simulate: {end: 1, output: 0.02}\n"

static void the_force_is_right_to_the_tolerance(void **state)
{
    (void)state;
    for (const hol_method *const *o = hol_methods; *o; o++) {
        if (!(*o)->divisor || strcmp((*o)->name, "srm") == 0) continue; // explicit, in short steps
        if (!in_sample((int)(o - hol_methods) + 1, 1, 3)) continue;
        char method[60];
        const double T = (*o)->order > 1 ? 1e-6 : 1e-2;
        snprintf(method, sizeof method, "simulate.method=%s", (*o)->name);
        const char *set[] = {method, T < 1e-3 ? "simulate.tolerance=1e-6" : "simulate.tolerance=1e-2"};
        motion m = move(PRESSED, set, 2);
        if (m.end) fail_msg("%s: %s", (*o)->name, hol_context_error(ctx));
        near((*o)->name, value_of(&m, "k.F") / value_of(&m, "N"), 1, 10 * T);
        close_motion(&m);
    }
}

// The same where the depth is a function of joint coordinates: a ball at the end of two bars, and one that turns freely about a place beside
// its centre. Steps are short in the contact alone: nothing is where it lies open.
#define HANGS(K)                                                                                             \
    "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nground: {shape: {type: halfplane}}\n"               \
    "bodies: [{name: a, mass: 1, inertia: 0.05, position: [0.3, 0.4], angle: -53.13010235415598 deg},\n"     \
    "  {name: b, mass: 0.5, inertia: 2e-3, position: [0.9, 0.1], shape: {type: sphere, radius: 0.1}}]\n"     \
    "joints: [{name: h, type: revolute, bodies: [ground, a], at: [0, 0.8]},\n"                               \
    "  {name: k, type: revolute, bodies: [a, b], at: [0.6, 0.1]}]\n"                                         \
    "contacts: [{name: c, between: [b, ground], stiffness: " K ", restitution: 0.5}]\n"                      \
    "forces: [{name: f, type: force, on: b, value: [0, -2 - sin(20*time)]}]\n"                               \
    "simulate: {end: 0.3, output: 0.3}\n"
#define TURNS                                                                                                \
    "dimension: 3\ngravity: [0, 0, -9.81]\nlength_scale: 1\nground: {shape: {type: halfspace}}\n"            \
    "bodies: [{name: b, mass: 0.5, inertia: [2e-3, 2e-3, 2e-3], position: [0, 0, 0.1], omega: [3, 2, 1],\n"  \
    "  shape: {type: sphere, radius: 0.1, position: [1e-4, 0, 0]}}]\n"                                       \
    "contacts: [{name: c, between: [b, ground], stiffness: 1e9, damping: 20}]\n"                             \
    "simulate: {end: 0.3, output: 0.3}\n"

static void so_it_is_in_joint_coordinates(void **state)
{
    (void)state;
    static const char *const models[] = {HANGS("1e9"), TURNS};
    static const char *const methods[] = {"simulate.method=joint_bdf", "simulate.method=bdf",
                                          "simulate.method=rn4"};
    for (int k = 0; k < HOL_COUNT(models); k++) {
        const char *exact[] = {"simulate.method=rk", "simulate.tolerance=1e-10"};
        motion r = move(models[k], exact, 2);
        if (r.end) fail_msg("%s", hol_context_error(ctx));
        for (int i = 0; i < HOL_COUNT(methods); i++) {
            const char *set[] = {methods[i], "simulate.tolerance=1e-6"};
            if (!in_sample(i + k, 1, 2)) continue;
            motion m = move(models[k], set, 2);
            if (m.end) fail_msg("%s", hol_context_error(ctx));
            near(methods[i], value_of(&m, "c.F") / value_of(&r, "c.F"), 1, 1e-5);
            close_motion(&m);
        }
        close_motion(&r);
    }
}

// The impact of Adams pulls on the way out, where the contact lets go, and pushes once more before its end, for 4 microseconds here. Reference:
// Runge-Kutta with 64-bit mantissas and steps of 3e-8 s; bdf and adams at 1e-12 agree to 4e-14.
static void the_impact_of_adams_lets_go_and_pushes_once_more(void **state)
{
    (void)state;
#define DROPPED(on)                                                                                          \
    "dimension: 3\ngravity: [0, 0, -9.81]\nground: {shape: " on "}\n"                                        \
    "bodies: [{name: b, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 1.05], shape: {type: "      \
    "sphere, radius: 0.05}}]\n"                                                                              \
    "contacts: [{name: c, between: [b, ground], stiffness: 1e6, exponent: 1.5, damping: 20, full_depth: 1 "  \
    "mm}]\nsimulate: {end: 3, output: 0.5, method: rk, tolerance: 1e-10}\n"
    static const char *const models[] = {DROPPED("{type: halfspace}"),
                                         DROPPED("{type: box, size: [2, 2, 2], position: [0, 0, -1]}")};
    for (int i = 0; i < HOL_COUNT(models); i++) {
        motion m = move(models[i], NULL, 0);
        assert_int_equal(m.end, HOL_OK);
        near("height", value_of(&m, "b.z"), 0.05399198716, 1e-9);
        close_motion(&m);
    }
}

// What lies on the floor is damped for an approach of 1 mm/s; where another ball falls onto it an event sets that to four times as much, as
// often as it goes in faster.                                                                (23.8)
static void what_lies_and_is_hit_is_damped_less(void **state)
{
    (void)state;
    motion m = move(
        "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"
        "bodies:\n"
        "  - {name: a, mass: 0.5, inertia: 1e-3, position: [0, 0.1], shape: {type: sphere, radius: 0.1}}\n"
        "  - {name: b, mass: 0.5, inertia: 1e-3, position: [0, 0.4], velocity: [0, -2], shape: {type: "
        "sphere, radius: 0.1}}\n"
        "contacts:\n"
        "  - {name: k, between: [a, ground], stiffness: 1e6, restitution: 0.9}\n"
        "  - {name: l, between: [a, b], stiffness: 1e6, restitution: 0.9}\n"
        "simulate: {end: 0.06, method: rk, tolerance: 1e-8, output: 0.06}\n",
        NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    const hol_model_data *data = m.model->data;
    const hol_element *k = &data->element[hol_model_find_element(data, "k")];
    assert_true(m.sim->d->it->x.mem[k->mem + HOL_CONTACT_SPEED] >= 4e-3);
    assert_true(value_of(&m, "b.vy") > 1); // it comes back, which the first damping does not let it
    assert_true(hol_simulation_statistics(m.sim)->energy_drift_max < 1e-6);
    close_motion(&m);
}

// The modulus of Hertz is that of both materials: (3.3) of a steel ball on rubber, d = (5 m v^2/(4 K))^(2/5), K = 4/3 E sqrt(R).
#define ROLLS(how, floor)                                                                                    \
    "dimension: 3\nlength_scale: 0.02\ntime_scale: 0.01\n"                                                   \
    "materials: [{name: rubber, modulus: 5 MPa, poisson: 0.49}, {name: steel, modulus: 210 GPa, poisson: "   \
    "0.3}, {name: rock, modulus: 1e30}]\n"                                                                   \
    "ground: {shape: {type: halfspace, material: " floor "}}\n"                                              \
    "bodies: [{name: b, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.11], velocity: [0.5, 0, " \
    "-2], "                                                                                                  \
    "shape: {type: sphere, radius: 0.1, material: rubber}}]\n"                                               \
    "contacts: [{name: k, between: [b, ground]" how "}]\n"                                                   \
    "simulate: {end: 0.1, method: rk, tolerance: 1e-10, output: 0.1}\n"

static void materials_say_how_hard_it_is(void **state)
{
    (void)state;
    const double E = 1 / ((1 - 0.49 * 0.49) / 5e6 + (1 - 0.3 * 0.3) / 210e9), K = 4.0 / 3 * E * sqrt(0.1);
    motion m = move(ROLLS("", "steel"), NULL, 0);
    assert_int_equal(m.end, HOL_OK);
    near("depth", hol_simulation_statistics(m.sim)->contact_depth, pow(5 * 0.5 * 4 / (4 * K), 0.4), 1e-10);
    close_motion(&m);
}

// They act between the shapes as far as each gives way: on the floor where it does not, in the middle where both are the same.
static void forces_act_where_the_materials_meet(void **state)
{
    (void)state;
#define RUBS ", friction: {coefficient: 0.3, transition: 0.01}"
    static const struct {
        const char *by_material, *by_point;
    } rows[] = {
        {ROLLS(RUBS, "rock"), ROLLS(RUBS ", modulus: 5e6/(1 - 0.49^2), point: second", "rock")},
        {ROLLS(RUBS, "rubber"), ROLLS(RUBS ", modulus: 2.5e6/(1 - 0.49^2), point: middle", "rubber")}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        motion a = move(rows[i].by_material, NULL, 0), b = move(rows[i].by_point, NULL, 0);
        assert_int_equal(a.end, HOL_OK);
        near("spin", value_of(&a, "b.wy"), value_of(&b, "b.wy"), 1e-9);
        assert_true(fabs(value_of(&a, "b.wy")) > 1);
        close_motion(&a);
        close_motion(&b);
    }
}

// What expressions take of a contact is what its signals are. A force that follows the normal force has its impulse.
static void expressions_know_contacts(void **state)
{
    (void)state;
    motion m = move(
        "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"
        "bodies: [{name: b, mass: 0.5, inertia: 1e-3, position: [0, 0.1], velocity: [1, 0], "
        "shape: [{type: sphere, radius: 0.1}]}, {name: c, mass: 1, inertia: 1, position: [1, 1]}]\n"
        "contacts: [{name: k, between: [b, ground], stiffness: 1e6, restitution: 0.5,\n"
        "  friction: {coefficient: 0.2, transition: 0.01}}]\n"
        "variables: [{name: N, value: FN(k)}, {name: g, value: 'gap(k) + 0 m'}, {name: u, value: 2*VT(k)}]\n"
        "states: [{name: s, rate: 'VT(k)/(1 m/s)'}]\n"
        "forces: [{name: f, type: force, on: c, value: ['FN(k)', 0]}]\n"
        "events: [{name: lands, when: 'FN(k) - 1 N', print: pushes}]\n"
        "simulate: {end: 0.05, method: rk, tolerance: 1e-9, output: 0.05}\n",
        NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("FN", value_of(&m, "N"), value_of(&m, "k.F"), 1e-12);
    near("GAP", value_of(&m, "g"), value_of(&m, "k.gap"), 1e-15);
    near("VT", value_of(&m, "u"), 2 * value_of(&m, "k.slip"), 1e-12);
    assert_true(value_of(&m, "k.F") > 1 && value_of(&m, "k.slip") > 0.1);
    near("pushed", value_of(&m, "c.vx"), 0.5 * (value_of(&m, "b.vy") + 9.81 * 0.05),
         1e-8); // impulse over 1 kg
    close_motion(&m);
}

// What `check` foretells: closed forms as above, and of Adams' impact, which has no fixed restitution, runs.
static void check_foretells_impacts(void **state)
{
    (void)state;
    motion one = open_motion(wall("damping: c"), NULL, 0);
    const hol_model_data *data = one.model->data;
    const hol_element *k = &data->element[hol_model_find_element(data, "k")];
    hol_contact_impact out;
    hol_contact_foretell(k, 0.5, 2, &out);
    near("restitution", out.restitution, 0.882189986247306379, 1e-6);
    near("depth", out.depth, 5.46690607207190009e-3, 1e-8);
    near("duration", out.lasts, 8.57128746144744289e-3, 1e-7);
    near("rests", hol_contact_static_depth(k, 8), pow(8e-6, 2.0 / 3), 1e-15);
    close_motion(&one);
    static const char *const losses[] = {"restitution: 0.1", "restitution: 0.9",
                                         "exponent: 2.2, damping: 100, full_depth: 0.1 mm"};
    for (int i = 0; i < HOL_COUNT(losses); i++) {
        const char *const set[] = {"parameters.v=1", "simulate.end=10"};
        motion m = move(wall(losses[i]), set, 2);
        assert_int_equal(m.end, HOL_OK);
        hol_check *c = hol_check_create(ctx, m.model);
        assert_non_null(c);
        assert_int_equal(c->n_contacts, 1);
        near(losses[i], c->contact[0].restitution[1], value_of(&m, "b.vy"), 1e-5);
        near(losses[i], c->contact[0].depth[1], hol_simulation_statistics(m.sim)->contact_depth, 1e-6);
        hol_check_destroy(c);
        close_motion(&m);
    }
}

// Restitution obtained where 0.1 to 0.99 is asked, by what the literature takes the damping from: table of 3.2 in contact mechanics, from the exact
// relation (3.2) with Lambert's function.
static void laws_of_the_literature_give_what_they_give(void **state)
{
    (void)state;
    static const char *const asked[] = {"0.1", "0.3", "0.5", "0.7", "0.8", "0.9", "0.99"};
    static const struct {
        const char *law;
        double obtained[7];
    } rows[] = {{"hunt-crossley", {0.516, 0.581, 0.663, 0.768, 0.833, 0.909, 0.990}},
                {"herbert", {0.491, 0.520, 0.594, 0.723, 0.807, 0.901, 0.990}},
                {"lankarani", {0.665, 0.684, 0.725, 0.796, 0.847, 0.913, 0.990}},
                {"lee-wang", {0.687, 0.739, 0.799, 0.869, 0.909, 0.952, 0.995}},
                {"gonthier", {0.101, 0.304, 0.488, 0.670, 0.768, 0.876, 0.987}},
                {"flores", {0.069, 0.256, 0.470, 0.683, 0.789, 0.894, 0.989}},
                {"hu-guo", {0.074, 0.271, 0.488, 0.697, 0.799, 0.900, 0.990}}};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int k = 0; k < HOL_COUNT(asked); k++) {
            char loss[80];
            snprintf(loss, sizeof loss, "law: %s, restitution: %s", rows[i].law, asked[k]);
            motion m = open_motion(wall(loss), NULL, 0);
            hol_check *c = hol_check_create(ctx, m.model);
            assert_non_null(c);
            near(loss, c->contact[0].restitution[1], rows[i].obtained[k], 5.1e-4);
            hol_check_destroy(c);
            close_motion(&m);
        }
}

// What the forecast cannot follow has none, rather than any numbers.
static void no_impact_is_foretold_that_is_not_found(void **state)
{
    (void)state;
    motion m = open_motion(wall("exponent: 1.5, damping: 1e12, full_depth: 1 mm"), NULL, 0);
    hol_check *c = hol_check_create(ctx, m.model);
    assert_non_null(c);
    for (int k = 0; k < 3; k++)
        assert_true(isnan(c->contact[0].restitution[k]) && isnan(c->contact[0].lasts[k]) &&
                    isnan(c->contact[0].depth[k]));
    near("deepest", c->contact[0].deepest, 0.1, 0); // half of the radius
    hol_check_destroy(c);
    close_motion(&m);
}

static void what_goes_too_deep_ends_the_run(void **state)
{
    (void)state;
    const char *const set[] = {"parameters.v=2000"};
    motion m = move(wall("damping: c"), set, 1);
    assert_int_equal(m.end, HOL_ERR_INTEGRATION);
    expect_message("deep in each other, more than `deepest`, 0.1 m");
    close_motion(&m);
    // Nothing holds what comes at 2 m/s from 0.01 s on. The step from 0.051 s to 0.068 s is looked at in eighths, the fifth of which ends
    // 0.10325 m deep; what lies behind it counts no more.
    const char *const soft[] = {"contacts.k.stiffness=1e-6", "simulate.step=0.017"};
    m = move(wall("damping: c"), soft, 2);
    assert_int_equal(m.end, HOL_ERR_INTEGRATION);
    expect_message("are 0.103 m deep in each other, more than `deepest`, 0.1 m");
    near("told", hol_simulation_statistics(m.sim)->contact_depth, 0.10325, 1e-6);
    close_motion(&m);
}

// So many times the stiffness of WALL as the message says.
static motion with_advised(const char *loss, const char *const *set)
{
    char text[1000];
    const char *advice = strstr(hol_context_error(ctx), " m; ");
    assert_non_null(advice);
    const double K = 1e6 * strtod(advice + strlen(" m; "), NULL);
    const char *whole = wall(loss), *at = strstr(whole, "1e6");
    snprintf(text, sizeof text, "%.*s%.17g%s", (int)(at - whole), whole, K, at + 3);
    hol_context_clear(ctx);
    return move(text, set, 1);
}

// All of the energy of the bodies is to be held, of which at `deepest` most may still be that of the motion.
static void the_stiffness_advised_keeps_to_a_tenth(void **state)
{
    (void)state;
    static const char *const losses[] = {"restitution: 1", "restitution: e", "damping: 0",
                                         "exponent: 2.2, damping: 0"};
    static const char *const speeds[] = {"parameters.v=200", "parameters.v=2000"};
    for (int i = 0; i < HOL_COUNT(losses); i++)
        for (int k = 0; k < HOL_COUNT(speeds); k++) {
            motion m = move(wall(losses[i]), &speeds[k], 1);
            assert_int_equal(m.end, HOL_ERR_INTEGRATION);
            motion n = with_advised(losses[i], &speeds[k]);
            assert_int_equal(n.end, HOL_OK);
            const double depth = hol_simulation_statistics(n.sim)->contact_depth;
            if (!(depth <= 0.011 && depth > 0.003)) fail_msg("%s, %s: %g m", losses[i], speeds[k], depth);
            close_motion(&m);
            close_motion(&n);
        }
}

// A ball that falls through the floor, whose contact an event has switched off: nothing pushes, stores, is lost or too deep; where it is
// switched on again it holds what it finds, which has not come.
#define SWITCHED                                                                                             \
    "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane}}\n"                                \
    "bodies: [{name: b, mass: 0.5, inertia: 1e-3, position: [0, 0.1], shape: {type: sphere, radius: "        \
    "0.1}}]\n"                                                                                               \
    "contacts: [{name: k, between: [b, ground], stiffness: 1e4, restitution: 0.5,\n"                         \
    "  friction: {coefficient: 0.2, transition: 0.01}}]\n"                                                   \
    "variables: [{name: N, value: FN(k)}]\n"                                                                 \
    "events: [{name: off, at: 0, off: k}, {name: 'on', at: back, on: k}]\n"                                  \
    "parameters: {back: 1}\n"                                                                                \
    "simulate: {end: 0.12, method: rk, tolerance: 1e-9, output: 0.12}\n"

static void what_is_switched_off_is_not_watched(void **state)
{
    (void)state;
    motion m = move(SWITCHED, NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    near("falls", value_of(&m, "b.y"), 0.1 - 0.5 * 9.81 * 0.12 * 0.12,
         1e-9); // 0.07 m deep, more than `deepest`
    near("FN", value_of(&m, "N"), 0, 0);
    near("F", value_of(&m, "k.F"), 0, 0);
    near("stored", value_of(&m, "k.stored"), 0, 0);
    near("lost", hol_simulation_statistics(m.sim)->contact_damping, 0, 0);
    close_motion(&m);
    const char *const set[] = {"parameters.back=0.02"};
    motion n = move(SWITCHED, set, 1);
    if (n.end) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(hol_simulation_statistics(n.sim)->contact_onsets, 0);
    close_motion(&n);
}

// The equations are made anew in a contact that lasts, where a joint is switched: it goes on, and has not come again, nor in few steps.
static void a_contact_goes_on_where_equations_are_made_anew(void **state)
{
    (void)state;
    static const char model[] =
        "dimension: 2\nparameters: {te: 0.018}\nground: {shape: {type: halfplane}}\nlength_scale: "
        "0.02\ntime_scale: 0.01\n"
        "bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, 0.22], velocity: [0, -2], shape: {type: "
        "sphere, "
        "radius: 0.2}}, {name: x, mass: 1, inertia: 1, position: [3, 1]}]\n"
        "joints: [{name: j, type: fixed, between: [ground, x]}]\n"
        "contacts: [{name: k, between: [b, ground], stiffness: 1e6, restitution: 0.5}]\n"
        "events: [{name: e, at: te, off: j}]\n"
        "simulate: {end: 0.04, method: rk, step: 1e-3, output: 0.04}\n";
    motion m = move(model, NULL, 0);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(hol_simulation_statistics(m.sim)->contact_onsets, 1);
    close_motion(&m);
    const char *const set[] = {"simulate.step=5e-3", "parameters.te=0.014"};
    m = move(model, set, 2);
    assert_int_equal(m.end,
                     HOL_ERR_INTEGRATION); // its few steps are remembered, and the speed at which it came
    expect_message("too few for what a contact gives back");
    close_motion(&m);
}

// A program puts a ball into the wall, without saying how it came there: at the surface with 2 m/s, or deeper and slower with the energy of
// these; each time after another, slower impact, whose damping would be too large. It leaves as it would have come, but for what is lost on the
// way that it has not gone.
static void what_is_put_into_a_contact_has_come_at_its_speed(void **state)
{
    (void)state;
    const double part[] = {1e-9, 0.3};
    for (int i = 0; i < 2; i++) {
        const char *const set[] = {"parameters.v=0.1", "simulate.end=1"};
        motion m = move(wall("restitution: 0.9"), set, 2);
        hol_dynamics *d = m.sim->d;
        const double depth = part[i] * pow(2.5 * 0.5 * 4 / 2e6, 0.4), V = 1e6 * pow(depth, 2.5) / 2.5;
        double q[3] = {0, 0.2 - depth, 0}, v[3] = {0, -sqrt(4 - 4 * V), 0}, change;
        const hol_state given = {.t = 0, .q = q, .v = v};
        bool done = false;
        assert_int_equal(hol_drive_place(d, &given, &change), HOL_OK);
        for (int k = 0; k < 1000 && d->it->x.t < 0.05; k++)
            assert_int_equal(hol_dynamics_step(d, &done), HOL_OK);
        near("restitution", d->it->x.v[1] / 2, 0.9, i ? 0.02 : 1e-6);
        close_motion(&m);
    }
}

// The wall with another method and step, until well behind the impact, which begins at 0.01 s and lasts about as long.
static motion meet_by(const char *method, const char *step)
{
    char text[1000];
    snprintf(text, sizeof text, "%s", wall("restitution: e"));
    char *at = strstr(text, "simulate:");
    snprintf(at, sizeof text - (size_t)(at - text), "simulate: {end: 0.1/v, method: %s, output: 0.1/v, %s}\n",
             method, step);
    return move(text, NULL, 0);
}

// With a tolerance every method gives back what is asked; with fixed steps it does, or says that they are too long.
static void every_method_takes_an_impact_or_says_why(void **state)
{
    (void)state;
    for (const hol_method *const *o = hol_methods; *o; o++) {
        const char *name = (*o)->name;
        const bool accurate = (*o)->order > 1;
        if (!in_sample((int)(o - hol_methods), 1, 3)) continue;
        if ((*o)->divisor) {
            motion m = meet_by(name, accurate ? "tolerance: 1e-5" : "tolerance: 1e-2");
            assert_int_equal(m.end, HOL_OK);
            near(name, value_of(&m, "b.vy") / 2, 0.5, accurate ? 1e-5 : 1e-2);
            close_motion(&m);
        }
        if ((*o)->orders) continue; // no fixed steps
        motion m = meet_by(name, "step: 5e-3");
        assert_int_equal(m.end, HOL_ERR_INTEGRATION);
        expect_message("too few for what a contact gives back; give a");
        close_motion(&m);
        m = meet_by(name, "step: 2e-5");
        assert_int_equal(m.end, HOL_OK);
        near(name, value_of(&m, "b.vy") / 2, 0.5, accurate ? 1e-4 : 2e-3);
        close_motion(&m);
    }
}

static const char *pair(const char *method)
{
    static char text[1000];
    snprintf(text, sizeof text,
             "dimension: 2\nparameters: {x: 0.35, v: 20}\n"
             "bodies: [{name: a, mass: 0.03, inertia: 1e-6, shape: {type: sphere, radius: 0.01}}, {name: "
             "b, mass: 0.03, inertia: 1e-6, position: [x, 0], velocity: [-v, 0], shape: {type: sphere, "
             "radius: 0.01}}]\n"
             "contacts: [{name: k, between: [a, b], stiffness: 1e10, restitution: 0.5, deepest: 0.1}]\n"
             "simulate: {end: 0.2, output: 0.1, method: %s}\n",
             method);
    return text;
}

// Two balls whose impact lasts 4e-5 s, a hundredth of the steps before it, apart from each other at first or touching: the step behind the
// onset would be longer than the whole way through. Equal masses and e = 0.5: -(1 + e)/2 v and -(1 - e)/2 v.
static void no_method_passes_through_an_impact(void **state)
{
    (void)state;
    static const char *const start[] = {"parameters.x=0.35", "parameters.x=0.02"};
    for (const hol_method *const *o = hol_methods; *o; o++)
        for (int i = 0; i < 2 && (*o)->divisor; i++) {
            const char *set[] = {start[i], "simulate.tolerance=1e-3"};
            motion m = move(pair((*o)->name), set, 2);
            if (m.end) fail_msg("%s: %s", (*o)->name, hol_context_error(ctx));
            near((*o)->name, value_of(&m, "a.vx"), -15, 2e-3);
            near((*o)->name, value_of(&m, "b.vx"), -5, 2e-3);
            assert_int_equal(hol_simulation_statistics(m.sim)->contact_onsets, 1);
            close_motion(&m);
        }
}

// Fixed steps in which impacts come and go: events cut them at what the polynomial of such a step shows, 2700 times within a third of one,
// or for ever. Parts of a step are parts. The impact of the pair lasts 4e-5 s and 5e-5 s.
static void steps_that_events_cut_are_no_steps(void **state)
{
    (void)state;
    static const char *const set[][2] = {{"parameters.v=20", "simulate.step=1e-4"},
                                         {"parameters.v=10", "simulate.step=2e-4"}};
    for (const hol_method *const *o = hol_methods; *o; o++)
        for (int i = 0; i < 2 && !(*o)->orders; i++) {
            motion m = move(pair((*o)->name), (const char **)set[i], 2);
            if (m.end != HOL_ERR_INTEGRATION) fail_msg("%s passes with %s", (*o)->name, set[i][1]);
            expect_message("stopped at t = 0.0");
            close_motion(&m);
        }
}

static void a_checkpoint_within_a_contact_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    char file[] = "/tmp/holonom_contact_XXXXXX";
    static const char *const methods[] = {"simulate.method=rk", "simulate.method=bdf", "simulate.method=hht"};
    const int made = mkstemp(file);
    assert_true(made >= 0);
    close(made);
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        const char *const set[] = {"simulate.tolerance=1e-4",
                                   methods[i]}; // the eleventh step is within the contact
        resume(wall("restitution: e"), set, 2, file);
    }
    remove(file);
}

// A rule of several contacts is switched by its name: without them a box of 1 kg falls freely through the floor on which it lay, and the spring of
// 100 N/m is all that the tangent knows; then it is thrown up by what it is deep in.
static void a_rule_is_switched_as_one(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\nground: {shape: {type: halfplane, name: fl}}\n"
        "bodies: [{name: b, mass: 1, inertia: 0.1, position: [0, 0.05], shape: {type: box, size: [0.4, "
        "0.1]}}]\n"
        "contacts: [{name: k, between: [b, ground], stiffness: 1e4, exponent: 1.5, damping: 3%s}]\n"
        "forces: [{name: s, type: bushing, between: [ground, b], stiffness: [100, 0, 1]}]\n"
        "events: [{name: gone, when: time - 0.5, off: k}, {name: back, when: time - 0.6, on: k}]\n"
        "simulate: {end: 0.7, method: rk, tolerance: 1e-8, signals: [b, k, omega_max]}\n";
    static const char *const more[] = {"", ", friction: {law: tanh, coefficient: 0.3, transition: 0.01}"};
    (void)state;
    for (int i = 0; i < HOL_COUNT(more); i++) {
        char model[1000];
        snprintf(model, sizeof model, text, more[i]);
        motion m = open_motion(model, NULL, 0);
        assert_int_equal(hol_simulation_advance(m.sim, 0.499), HOL_OK);
        const double lay = signal_value(m.sim, "b.y") + 0.1 * signal_value(m.sim, "b.vy");
        near("weight", signal_value(m.sim, "k.F"), 9.81, 1e-2);
        near("two corners", signal_value(m.sim, "omega_max"), sqrt(1.5 * 9.81 / pow(9.81 / 2e4, 2.0 / 3)),
             0.1);
        assert_int_equal(hol_simulation_advance(m.sim, 0.599), HOL_OK);
        near("fall", signal_value(m.sim, "b.y"), lay - 9.81 * 0.099 * 0.099 / 2, 3e-6);
        near("no force", signal_value(m.sim, "k.F"), 0, 0);
        near("spring alone", signal_value(m.sim, "omega_max"), 10, 1e-6);
        assert_int_equal(hol_simulation_advance(m.sim, 0.65), HOL_OK);
        assert_true(signal_value(m.sim, "b.vy") > 0);
        close_motion(&m);
    }
}

// What is set down in touch and gives all back comes up to where it touches, at no speed, and goes down again: K d^2.5/2.5 = m g d at the
// deepest. Its contact ended there by rounding, the onset kept its sign, and the ball fell through the floor (rk at 1e-10 and 1e-11, exit 0).
static void what_comes_back_to_touching_is_met_again(void **state)
{
    static const char *const methods[] = {"rk", "rk", "adams", "bdf", "joint_bdf"};
    (void)state;
    for (int i = 0; i < 40; i++) {
        char text[600], set[3][60];
        const char *const list[] = {set[0], set[1], set[2]};
        const double K = i % 2 ? 1e6 : 1e4, least = 0.1 - 1.01 * pow(2.5 * 9.81 / K, 2 / 3.0),
                     T = pow(10, -4 - i / 5);
        if (i != 31 && !in_sample(i, 4, 8)) continue; // that one fell
        snprintf(
            text, sizeof text,
            "dimension: 3\ngravity: [0, 0, -9.81]\nlength_scale: 1\nground: {shape: {type: halfspace, name: "
            "floor, extent: 1}}\nbodies:\n  - {name: b, mass: 1, inertia: [4e-3, 4e-3, 4e-3], position: [0, "
            "0, 0.1], velocity: [%g, 0, 0], shape: {type: sphere, radius: 0.1}}\ncontacts: [{name: c, "
            "between: "
            "[b, ground.floor], stiffness: %g, restitution: 1, friction: {coefficient: 0.3}}]\nsimulate: "
            "{end: 1}\n",
            i % 3 ? 0.2 : 0.0, K);
        snprintf(set[0], sizeof set[0], "simulate.method=%s", methods[i % 5]);
        snprintf(set[1], sizeof set[1], "simulate.tolerance=%g", T);
        snprintf(set[2], sizeof set[2], "simulate.end=%g", i == 31 ? 0.2 : 0.3 + 0.05 * (i % 7));
        motion a = move(text, list, 3);
        if (a.end) fail_msg("%s %s %s: %s", set[0], set[1], set[2], hol_context_error(ctx));
        const double z = value_of(&a, "b.z");
        if (!(z > least && z < 0.1 + 20 * T)) fail_msg("%g %s %s %s: z = %g", K, set[0], set[1], set[2], z);
        close_motion(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_is_switched_as_one),
        cmocka_unit_test(an_impact_is_that_of_the_closed_forms),
        cmocka_unit_test(restitution_is_what_is_asked_at_every_speed),
        cmocka_unit_test(what_is_met_soon_is_met_at_its_speed),
        cmocka_unit_test(nothing_goes_through_at_any_speed),
        cmocka_unit_test(what_comes_back_to_touching_is_met_again),
        cmocka_unit_test(a_ball_comes_to_rest),
        cmocka_unit_test(the_force_is_right_to_the_tolerance),
        cmocka_unit_test(so_it_is_in_joint_coordinates),
        cmocka_unit_test(the_impact_of_adams_lets_go_and_pushes_once_more),
        cmocka_unit_test(what_lies_and_is_hit_is_damped_less),
        cmocka_unit_test(materials_say_how_hard_it_is),
        cmocka_unit_test(forces_act_where_the_materials_meet),
        cmocka_unit_test(expressions_know_contacts),
        cmocka_unit_test(check_foretells_impacts),
        cmocka_unit_test(laws_of_the_literature_give_what_they_give),
        cmocka_unit_test(no_impact_is_foretold_that_is_not_found),
        cmocka_unit_test(what_goes_too_deep_ends_the_run),
        cmocka_unit_test(the_stiffness_advised_keeps_to_a_tenth),
        cmocka_unit_test(what_is_switched_off_is_not_watched),
        cmocka_unit_test(a_contact_goes_on_where_equations_are_made_anew),
        cmocka_unit_test(what_is_put_into_a_contact_has_come_at_its_speed),
        cmocka_unit_test(every_method_takes_an_impact_or_says_why),
        cmocka_unit_test(no_method_passes_through_an_impact),
        cmocka_unit_test(steps_that_events_cut_are_no_steps),
        cmocka_unit_test(a_checkpoint_within_a_contact_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
