// Contacts of very many pairs: that they are those of elements, that nothing passes through anything, bits, and what is refused.
#include "harness.h"

#include "api/api.h"
#include "integrator/integrator.h"
#include "system/swarm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The same model with every pair found on the way, or each one an element, and other settings.
static motion swarm(const char *model, bool elements, const char *one, const char *two)
{
    const char *set[] = {elements ? "contacts.k.locate=2000" : "contacts.k.locate=0", one, two};
    return move(model, set, two ? 3 : one ? 2 : 1);
}

// ---- the same as elements -----------------------------------------------------------------------------------------

#define LUMPS(law)                                                                                           \
    "dimension: 3\nlength_scale: 0.1\ntime_scale: 0.1\ngravity: [0, 0, -9.81]\n"                             \
    "materials: [{name: rubber, modulus: 5 MPa, poisson: 0.4}, {name: wood, modulus: 50 MPa}]\n"             \
    "ground: {shape: [{type: halfspace, material: wood}, {type: sphere, name: knob, radius: 0.1, "           \
    "position: [0.12, 0.02, -0.05], material: wood}]}\n"                                                     \
    "bodies:\n"                                                                                              \
    "  - {name: a, mass: 0.5, inertia: [4e-4, 5e-4, 6e-4], position: [0, 0, 0.06], velocity: [0.3, 0, 0], "  \
    "omega: [1, 2, 3], shape: {type: sphere, radius: 0.05, material: rubber}}\n"                             \
    "  - {name: b, mass: 0.8, inertia: [4e-4, 5e-4, 6e-4], position: [0.02, 0.01, 0.17], omega: [0, -5, "    \
    "2], "                                                                                                   \
    "shape: [{type: sphere, radius: 0.04, position: [0.03, 0, 0], material: rubber}, "                       \
    "{type: sphere, radius: 0.03, position: [-0.03, 0, 0.01], material: wood}]}\n"                           \
    "contacts: [{name: k, between: [a, b, ground]" law "}]\n"                                                \
    "simulate: {end: 0.2, method: rk, tolerance: 1e-9, output: 0.2}\n"
#define DISCS                                                                                                \
    "dimension: 2\nlength_scale: 0.1\ntime_scale: 0.1\ngravity: [0, -9.81]\n"                                \
    "ground: {shape: {type: halfplane, angle: 10 deg}}\n"                                                    \
    "bodies:\n"                                                                                              \
    "  - {name: a, mass: 0.5, inertia: 6e-4, position: [0, 0.06], velocity: [0.3, 0], omega: 3, shape: "     \
    "{type: sphere, radius: 0.05}}\n"                                                                        \
    "  - {name: b, mass: 0.8, inertia: 6e-4, position: [0.02, 0.17], omega: -5, shape: [{type: sphere, "     \
    "radius: 0.04, position: [0.03, 0.01]}]}\n"                                                              \
    "contacts: [{name: k, between: [all, all, ground], stiffness: 1e6, damping: 0.2, friction: "             \
    "{coefficient: 0.3, transition: 1 cm/s}}]\n"                                                             \
    "simulate: {end: 0.2, method: rk, tolerance: 1e-9, output: 0.2}\n"

// Every law and friction; the tolerance is 1e-9 of each.
// At 1e-9 the law of `impact`, which pushes once more for microseconds before it ends (23.8a), is 1.2e-8 m/s off: elements have an event there, a swarm has steps.
static void a_swarm_is_what_its_elements_are(void **state)
{
    enum { PUSHES = 3 };
    (void)state;
    static const char *const models[] = {
        LUMPS(", restitution: 0.6, friction: {coefficient: 0.3, transition: 1 cm/s}"),
        LUMPS(", modulus: 20 MPa, damping: 0.3, point: first"),
        LUMPS(", stiffness: 1e5, exponent: 1.2, damping: 0.1, friction: {coefficient: 0.4, law: sqrt, "
              "transition: 2 cm/s, static: 1.2, stribeck: 5 cm/s}"),
        LUMPS(
            ", stiffness: 1e6, exponent: 1.5, damping: 20, full_depth: 0.1 mm, friction: {coefficient: 0.4, "
            "law: step, transition: 2 cm/s}"),
        LUMPS(", stiffness: 1e6, except: [a, ground]"),
        DISCS};
    for (int i = 0; i < HOL_COUNT(models); i++) {
        if (few() && i % 3 && i + 1 < HOL_COUNT(models)) continue; // laws are those of elements
        const char *finer = i == PUSHES ? "simulate.tolerance=1e-10" : NULL;
        motion one = swarm(models[i], true, finer, NULL), all = swarm(models[i], false, finer, NULL);
        if (one.end || all.end) fail_msg("%d: %s", i, hol_context_error(ctx));
        const hol_statistics *s = hol_simulation_statistics(one.sim), *t = hol_simulation_statistics(all.sim);
        static const char *const signals[] = {"a.x", "a.y", "b.vx", "b.vy"};
        for (int k = 0; k < HOL_COUNT(signals); k++)
            near(signals[k], value_of(&all, signals[k]), value_of(&one, signals[k]), 1e-8);
        assert_int_equal(t->contact_onsets, s->contact_onsets);
        near("depth", t->contact_depth, s->contact_depth, 0.01 * s->contact_depth);
        near("damping", t->contact_damping, s->contact_damping, 1e-7 * s->energy_start);
        near("friction", t->contact_friction, s->contact_friction, 1e-7 * s->energy_start);
        assert_true(t->energy_drift_max < 1e2 * 1e-9 * s->energy_start);
        close_motion(&one);
        close_motion(&all);
    }
}

// At every tolerance: within a part of it (T L, L = 0.1 m) of contacts that are elements at 1e-10. What is lost closes with the work to rounding, since
// both are summed over the same stages.
static void its_motion_and_its_losses_follow_the_tolerance(void **state)
{
    (void)state;
    static const char *const models[] = {
        LUMPS(", restitution: 0.6, friction: {coefficient: 0.3, transition: 1 cm/s}"),
        LUMPS(", restitution: 0.6"), LUMPS(", damping: 0.3")};
    static const char *const tolerances[] = {"1e-2", "1e-3", "3e-4", "1e-4", "1e-5", "1e-6", "1e-7"};
    static const char *const places[] = {"a.x", "a.y", "a.z", "b.x", "b.y", "b.z"};
    for (int i = 0; i < HOL_COUNT(models); i++) {
        motion one = swarm(models[i], true, "simulate.tolerance=1e-10", NULL);
        const hol_statistics *s = hol_simulation_statistics(one.sim);
        for (int k = 0; k < HOL_COUNT(tolerances); k++) {
            char set[60];
            const double T = strtod(tolerances[k], NULL);
            snprintf(set, sizeof set, "simulate.tolerance=%s", tolerances[k]);
            motion all = swarm(models[i], false, set, NULL);
            if (all.end) fail_msg("%s: %s", set, hol_context_error(ctx));
            const hol_statistics *t = hol_simulation_statistics(all.sim);
            for (int p = 0; p < HOL_COUNT(places); p++)
                near(set, value_of(&all, places[p]), value_of(&one, places[p]), 0.15 * T * 0.1);
            near(set, t->contact_damping, s->contact_damping, 0.1 * T * s->energy_start);
            near(set, t->contact_friction, s->contact_friction, 0.1 * T * s->energy_start);
            assert_true(t->energy_drift_max < 0.1 * T * s->energy_start);
            near("work", value_of(&all, "energy.work"), -t->contact_damping - t->contact_friction, 1e-12);
            close_motion(&all);
        }
        close_motion(&one);
    }
}

// Frictionless bodies of two balls each, and where all of them are at each row.
#define PAIRS(law)                                                                                           \
    "dimension: 2\nlength_scale: 0.1\ntime_scale: 0.1\ngravity: [0, -9.81]\n"                                \
    "ground: {shape: {type: halfplane}}\nbodies:\n"                                                          \
    "  - {name: a, mass: 0.5, inertia: 4e-4, position: [0, 0.1], velocity: [0.1, -0.5], omega: 3, shape: "   \
    "[{type: sphere, radius: 0.03, position: [-0.03, 0.01]}, {type: sphere, radius: 0.03, position: "        \
    "[0.03, 0]}]}\n"                                                                                         \
    "  - {name: b, mass: 0.8, inertia: 6e-4, position: [0.01, 0.2], velocity: [0, -1], omega: -5, shape: "   \
    "[{type: sphere, radius: 0.03, position: [0.02, 0.01]}, {type: sphere, radius: 0.025, position: "        \
    "[-0.02, -0.01]}]}\n"                                                                                    \
    "contacts: [{name: k, between: [all, all, ground], stiffness: 1e6" law "}]\n"                            \
    "simulate: {end: 0.2, method: rk, output: 5e-4}\n"
// Where one contact disturbs the approach of another one.
#define DISTURBED                                                                                            \
    "dimension: 3\nlength_scale: 0.1\ntime_scale: 0.1\ngravity: [0, 0, -9.81]\n"                             \
    "ground: {shape: {type: halfspace}}\nbodies:\n"                                                          \
    "  - {name: b, mass: 0.90713, inertia: [4.732e-4, 6.992e-4, 6.808e-4], position: "                       \
    "[0.0028946720674356587, 0.01529, 0.22], velocity: [0.2088, 0.0050, -0.5447], omega: [0.9891, -0.6896, " \
    "-3.3868], shape: [{type: sphere, radius: 0.0236, position: [-0.00158, -0.02464, 0.01738]}, {type: "     \
    "sphere, radius: 0.0373, position: [0.00286, -0.01199, 0.01635]}]}\n"                                    \
    "  - {name: a, mass: 0.51358, inertia: [2.665e-4, 3.606e-4, 3.566e-4], position: "                       \
    "[-0.012651854051401991, -0.00256, 0.36], velocity: [0.0533, 0.0807, -0.7814], omega: [-1.7647, "        \
    "3.3943, 2.0816], shape: [{type: sphere, radius: 0.0330, position: [0.01205, -0.02130, 0.00695]}, "      \
    "{type: sphere, radius: 0.0213, position: [0.02481, 0.00810, -0.00235]}]}\n"                             \
    "contacts: [{name: k, between: [all, all, ground], stiffness: 1e6, restitution: 0.6}]\n"                 \
    "simulate: {end: 0.2, method: rk, output: 0.2}\n"

// Largest difference of places between the rows of a swarm and those of its elements.
static double apart(const char *model, const char *tolerance)
{
    static const char *const places[] = {"a.x", "a.y", "b.x", "b.y"};
    const char *as_one[] = {"contacts.k.locate=2000", "simulate.tolerance=1e-11"},
               *as_all[] = {"contacts.k.locate=0", tolerance};
    hol_result *one = rows_written(model, as_one, 2, NULL), *all = rows_written(model, as_all, 2, NULL);
    double most = 0;
    assert_int_equal(one->n_rows, all->n_rows);
    for (int p = 0; p < HOL_COUNT(places); p++) {
        const size_t k = (size_t)column_of(all, places[p]), n = (size_t)all->n_columns,
                     j = (size_t)column_of(one, places[p]), n_one = (size_t)one->n_columns;
        for (size_t row = 0; row < all->n_rows; row++)
            most = fmax(most, fabs(all->value[row * n + k] - one->value[row * n_one + j]));
    }
    hol_result_destroy(one);
    hol_result_destroy(all);
    return most;
}

// Rows within a step in which contacts begin and end go by what touched at its beginning, and no step passes the end of a contact.
static void rows_within_steps_follow_the_tolerance(void **state)
{
    (void)state;
    static const char *const models[] = {PAIRS(", restitution: 0.6"), PAIRS("")};
    static const char *const tolerances[] = {"simulate.tolerance=1e-2", "simulate.tolerance=1e-3",
                                             "simulate.tolerance=1e-4", "simulate.tolerance=1e-6"};
    for (int i = 0; i < HOL_COUNT(models); i++)
        for (int k = 0; k < HOL_COUNT(tolerances); k++)
            near(tolerances[k], apart(models[i], tolerances[k]), 0,
                 0.12 * strtod(strchr(tolerances[k], '=') + 1, NULL) * 0.1);
}

// The speed of an approach that is disturbed is known to the tolerance, and no stage that feels a contact counts for a long step.
static void a_disturbed_approach_follows_the_tolerance(void **state)
{
    (void)state;
    static const char *const tolerances[] = {"simulate.tolerance=1e-5", "simulate.tolerance=1e-7",
                                             "simulate.tolerance=1e-8"};
    for (int k = 0; k < HOL_COUNT(tolerances); k++)
        near(tolerances[k], apart(DISTURBED, tolerances[k]), 0,
             0.3 * strtod(strchr(tolerances[k], '=') + 1, NULL) * 0.1);
}

// What lies and is hit is damped less from the moment on at which it goes in four times as fast, (23.8), which the events of elements find.
static void a_hit_is_found_where_it_is(void **state)
{
    (void)state;
    static const char model[] =
        "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 0.1\nground: {shape: {type: halfplane}}\n"
        "bodies:\n"
        "  - {name: a, mass: 0.5, inertia: 1e-3, position: [0, 0.1], shape: {type: sphere, radius: 0.1}}\n"
        "  - {name: b, mass: 0.5, inertia: 1e-3, position: [0.01, 0.4], velocity: [0, -2], shape: {type: "
        "sphere, radius: 0.1}}\n"
        "contacts: [{name: k, between: [a, b, ground], stiffness: 1e6, restitution: 0.9}]\n"
        "simulate: {end: 0.06, method: rk, tolerance: 1e-9, output: 0.06}\n";
    static const char *const set[] = {"simulate.tolerance=1e-3", "simulate.tolerance=1e-4",
                                      "simulate.tolerance=1e-6"};
    motion one = swarm(model, true, NULL, NULL);
    for (int i = 0; i < HOL_COUNT(set); i++) {
        motion all = swarm(model, false, set[i], NULL);
        if (all.end) fail_msg("%s: %s", set[i], hol_context_error(ctx));
        const double T = strtod(strchr(set[i], '=') + 1, NULL);
        near(set[i], value_of(&all, "a.y"), value_of(&one, "a.y"), 5 * T * 0.1);
        near(set[i], value_of(&all, "b.y"), value_of(&one, "b.y"), 5 * T * 0.1);
        close_motion(&all);
    }
    close_motion(&one);
}

// In every form of the accelerations.
static void all_forms_have_it(void **state)
{
    (void)state;
    static const char *const forms[] = {"simulate.rk.solve=tree", "simulate.rk.solve=joints",
                                        "simulate.rk.solve=sparse", "simulate.rk.solve=coordinates",
                                        "simulate.rk.order=5"};
    static const char *const models[] = {
        LUMPS(", restitution: 0.6, friction: {coefficient: 0.3, transition: 1 cm/s}"), DISCS};
    for (int k = 0; k < HOL_COUNT(models); k++) {
        motion first = swarm(models[k], false, forms[0], NULL);
        assert_int_equal(first.end, HOL_OK);
        for (int i = 1; i < HOL_COUNT(forms); i++) {
            motion m = swarm(models[k], false, forms[i], NULL);
            if (m.end) fail_msg("%s: %s", forms[i], hol_context_error(ctx));
            near(forms[i], value_of(&m, "b.x"), value_of(&first, "b.x"), 1e-9);
            close_motion(&m);
        }
        close_motion(&first);
    }
}

// A force between two bodies and its counterpart: nothing is left of momentum and angular momentum (of both about the origin).
static void momentum_stays(void **state)
{
    (void)state;
    static const char model[] = "dimension: 3\nlength_scale: 0.1\ntime_scale: 0.1\n"
                                "bodies:\n"
                                "  - {name: a, mass: 2, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0], "
                                "velocity: [1, 0, 0], omega: [9, -7, 5], "
                                "shape: {type: sphere, radius: 0.1}}\n"
                                "  - {name: b, mass: 3, inertia: [2e-3, 2e-3, 2e-3], position: [0.21, 0.05, "
                                "0.03], shape: {type: sphere, radius: 0.1}}\n"
                                "contacts: [{name: k, between: [a, b], locate: 0, stiffness: 1e6, "
                                "restitution: 0.7, friction: {coefficient: 0.5, "
                                "transition: 1 mm/s}}]\n"
                                "simulate: {end: 0.1, method: rk, tolerance: 1e-9, output: 0.1}\n";
    motion m = move(model, NULL, 0);
    assert_int_equal(m.end, HOL_OK);
#define V(name) value_of(&m, name)
    near("momentum x", 2 * V("a.vx") + 3 * V("b.vx"), 2, 1e-12);
    near("momentum y", 2 * V("a.vy") + 3 * V("b.vy"), 0, 1e-12);
    near("about x",
         2 * (V("a.y") * V("a.vz") - V("a.z") * V("a.vy")) +
             3 * (V("b.y") * V("b.vz") - V("b.z") * V("b.vy")) + 1e-3 * V("a.wx") + 2e-3 * V("b.wx"),
         9e-3, 1e-11);
    near("about z",
         2 * (V("a.x") * V("a.vy") - V("a.y") * V("a.vx")) +
             3 * (V("b.x") * V("b.vy") - V("b.y") * V("b.vx")) + 1e-3 * V("a.wz") + 2e-3 * V("b.wz"),
         5e-3, 1e-11);
    assert_true(fabs(V("b.wx")) > 0.1);
    close_motion(&m);
}

// ---- impacts ------------------------------------------------------------------------------------------------------

#define WALL                                                                                                 \
    "dimension: 2\nlength_scale: 0.02\ntime_scale: 0.01\nparameters: {v: 2, e: 0.5}\n"                       \
    "ground: {shape: {type: halfplane, name: wall}}\n"                                                       \
    "bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, 0.22], velocity: [0, -v], "                     \
    "shape: {type: sphere, radius: 0.2}}]\n"                                                                 \
    "contacts: [{name: k, between: [b, ground.wall], locate: 0, stiffness: 1e6, restitution: e}]\n"          \
    "simulate: {end: 4/v, method: rk, tolerance: 1e-9, output: 4/v}\n"

// The onset is passed by as much as the tolerance gives away: 1e-9 of the energy.
static void restitution_is_what_is_asked(void **state)
{
    (void)state;
    static const double asked[] = {0.1, 0.5, 0.9, 1}, speed[] = {0.01, 1, 10};
    for (int i = 0; i < HOL_COUNT(asked); i++)
        for (int k = 0; k < HOL_COUNT(speed); k++) {
            char e[40], v[40];
            const char *set[] = {e, v};
            snprintf(e, sizeof e, "parameters.e=%g", asked[i]);
            snprintf(v, sizeof v, "parameters.v=%g", speed[k]);
            motion m = move(WALL, set, 2);
            assert_int_equal(m.end, HOL_OK);
            near("restitution", value_of(&m, "b.vy") / speed[k], asked[i], 1e-9);
            assert_int_equal(hol_simulation_statistics(m.sim)->contact_onsets, 1);
            close_motion(&m);
        }
}

// A trial step may go where two that touch are no neighbours: from the accepted state on they are pressed as before, by the speed with which they
// have met.
static void what_touches_is_known_wherever_a_trial_step_goes(void **state)
{
    (void)state;
    motion m = open_motion(WALL, NULL, 0);
    hol_dynamics *d = m.sim->d;
    bool done = false;
    while (!done && d->swarms.depth < 1e-3 && !hol_dynamics_step(d, &done)) continue;
    hol_swarm *w = &d->s->swarms->of[0];
    hol_state *x = &d->it->x;
    const double y = x->q[1];
    hol_swarms_load(d->s, x);
    const double pressed = w->load[0].f[1];
    assert_true(w->near.n == 1 && pressed > 0);
    x->q[1] = 1;
    hol_swarms_load(d->s, x);
    assert_int_equal(w->near.n, 0);
    x->q[1] = y;
    hol_swarms_load(d->s, x);
    assert_true(w->near.n == 1 && w->near.pair[0].touches);
    near("force", w->load[0].f[1], pressed, 0);
    close_motion(&m);
}

// Fixed steps: of twenty in an impact it is a few thousandths off, of fewer than four nothing is said.
static void fixed_steps_are_short_enough_or_refused(void **state)
{
    (void)state;
    const char *set[] = {"simulate.step=3e-4", "simulate.tolerance=", "simulate.output=0.3"};
    static const char model[] =
        "dimension: 2\nlength_scale: 0.02\ntime_scale: 0.01\nparameters: {w: 1}\n"
        "ground: {shape: {type: halfplane, name: wall}}\n"
        "bodies: [{name: b, mass: 0.5, inertia: 1, position: [0, 0.22], velocity: [0, -2], shape: {type: "
        "sphere, radius: "
        "0.2}}]\n"
        "contacts: [{name: k, between: [b, ground.wall], locate: 0, stiffness: 1e6, restitution: 0.5, "
        "friction: {coefficient: 0.5, transition: w}}]\n"
        "simulate: {end: 0.3, method: rk}\n";
    motion m = move(model, set, 1);
    assert_int_equal(m.end, HOL_OK);
    near("restitution", value_of(&m, "b.vy") / 2, 0.5, 5e-3);
    close_motion(&m);
    static const char *const refused[][2] = {{"simulate.step=3e-3", "fewer than 4 fixed steps"},
                                             {"parameters.w=1e-5", "the friction of a contact takes"}};
    for (int i = 0; i < 2; i++) {
        set[0] = i ? "simulate.step=3e-4" : refused[0][0];
        set[1] = refused[i][0];
        m = move(model, set, i + 1);
        assert_int_equal(m.end, HOL_ERR_INTEGRATION);
        expect_message(refused[i][1]);
        close_motion(&m);
    }
}

// A depth beyond `deepest` ends the run by place, and by the stiffness that keeps it at a tenth.
static void what_goes_too_deep_says_how_much_stiffer(void **state)
{
    (void)state;
    const char *set[] = {"parameters.v=2000", "parameters.e=1", NULL};
    char stiffer[80];
    motion m = move(WALL, set, 2);
    assert_int_equal(m.end, HOL_ERR_INTEGRATION);
    expect_message("m deep in each other, at [0, ");
    const char *advice = strstr(hol_context_error(ctx), "0.1 m; ");
    assert_non_null(advice);
    snprintf(stiffer, sizeof stiffer, "contacts.k.stiffness=%.17g", 1e6 * strtod(advice + 7, NULL));
    hol_context_clear(ctx);
    close_motion(&m);
    set[2] = stiffer;
    m = move(WALL, set, 3);
    if (m.end) fail_msg("%s", hol_context_error(ctx));
    const double depth = hol_simulation_statistics(m.sim)->contact_depth;
    assert_true(depth <= 0.011 && depth > 0.003);
    close_motion(&m);
}

// What `check` foretells of a rule: as of its contact.
static void check_foretells_the_impacts_of_a_swarm(void **state)
{
    (void)state;
    const char *set = "contacts.k.locate=2000";
    hol_model *all = load_model(WALL, NULL, 0), *one = load_model(WALL, &set, 1);
    hol_check *a = hol_check_create(ctx, all), *b = hol_check_create(ctx, one);
    assert_true(a && b && a->n_contacts == 1 && b->n_contacts == 1);
    assert_string_equal(a->contact[0].name, "k");
    for (int k = 0; k < 3; k++)
        near("restitution", a->contact[0].restitution[k], b->contact[0].restitution[k], 0);
    near("deepest", a->contact[0].deepest, b->contact[0].deepest, 0);
    hol_check_destroy(a);
    hol_check_destroy(b);
    hol_model_destroy(all);
    hol_model_destroy(one);
}

// What `check` warns of: as of its contact.
static void soft_and_short_contacts_are_told(void **state)
{
    (void)state;
    static const char *const set[][3] = {{"contacts.k.stiffness=1e3", "gravity=[0, -9.81]", "depth"},
                                         {"contacts.k.stiffness=1e14", "simulate.end=1000", "impact"}};
    for (int i = 0; i < HOL_COUNT(set); i++) {
        const char *as_one[] = {set[i][0], set[i][1], "contacts.k.locate=2000"};
        hol_model *all = load_model(WALL, set[i], 2), *one = load_model(WALL, as_one, 3);
        hol_check *a = hol_check_create(ctx, all), *b = hol_check_create(ctx, one);
        int met = 0;
        assert_int_equal(a->n_warnings, b->n_warnings);
        for (int k = 0; k < a->n_warnings; k++) {
            assert_string_equal(a->warning[k].text, b->warning[k].text);
            met += strcmp(a->warning[k].name, set[i][2]) == 0;
        }
        assert_int_equal(met, 1);
        hol_check_destroy(a);
        hol_check_destroy(b);
        hol_model_destroy(all);
        hol_model_destroy(one);
    }
}

// ---- nothing passes -----------------------------------------------------------------------------------------------

// A small ball is shot through a row of others; step control sees nothing in free flight. Whether it meets one is known from the
// straight line.
#define SHOT                                                                                                 \
    "dimension: 3\nlength_scale: 1\ntime_scale: 1\nparameters: {R: 1e-3, v: 100, far: 1, y: 0, z: 0}\n"      \
    "ground: {shape: {type: halfspace, name: wall, position: [3, 0, 0], orientation: {axis: [0, 1, 0], "     \
    "angle: -90 deg}}}\n"                                                                                    \
    "bodies:\n"                                                                                              \
    "  - {name: a, mass: 1, inertia: 1, position: [-far, y, z], velocity: [v, 0, 0], shape: {type: sphere, " \
    "radius: R}}\n"                                                                                          \
    "  - {name: 'b{i}', for: i in 1..20, mass: 1, inertia: 1, position: ['0.1*i', '0.02*sin(7*i)', "         \
    "'0.02*sin(11*i)'], shape: {type: sphere, radius: R}}\n"                                                 \
    "contacts: [{name: k, between: [all, all, ground], locate: 0, stiffness: 1e9, deepest: 1}]\n"            \
    "simulate: {end: '(far+2.5)/v', method: rk, tolerance: 1e-3}\n"

typedef struct {
    double R, v, far, y, z;
} shot;

// How many of the row the straight line meets first, 1 or 0; the tolerance may move it by little.
static bool meets(const shot *s)
{
    double least = HOL_INF;
    for (int i = 1; i <= 20; i++)
        least = fmin(least, hypot(s->y - 0.02 * sin(7 * i), s->z - 0.02 * sin(11 * i)) - 2 * s->R);
    return least < -0.1 * s->R;
}

static bool is_met(const shot *s, bool blind)
{
    char text[5][60];
    const char *set[5];
    const double value[] = {s->R, s->v, s->far, s->y, s->z};
    static const char *const name[] = {"R", "v", "far", "y", "z"};
    for (int i = 0; i < 5; i++) {
        snprintf(text[i], sizeof text[i], "parameters.%s=%.17g", name[i], value[i]);
        set[i] = text[i];
    }
    motion m = open_motion(SHOT, set, 5);
    hol_dynamics *d = m.sim->d;
    d->swarms.blind = blind;
    bool done = false;
    while (!done && d->swarms.onsets == 0 && !hol_dynamics_step(d, &done)) continue;
    const bool met = d->swarms.onsets > 0;
    close_motion(&m);
    return met;
}

static void nothing_goes_through(void **state)
{
    (void)state;
    hol_random dice = {11};
    int met = 0, blind = 0;
    const int n = goes_far() ? 1000 : few() ? 40 : 200;
    for (int i = 0; i < n; i++) {
        const double R = pow(10, random_in(&dice, -3.5, -2)), v = pow(10, random_in(&dice, 0, 3));
        shot s = {R, v, random_in(&dice, 0.1, 1.5), 0, 0};
        const int at = 1 + i % 20;
        s.y = 0.02 * sin(7 * at) + random_in(&dice, -1.3, 1.3) * R;
        s.z = 0.02 * sin(11 * at) + random_in(&dice, -1.3, 1.3) * R;
        if (!meets(&s)) continue;
        met++;
        if (!is_met(&s, false)) fail_msg("R = %g, v = %g: it went through", s.R, s.v);
        blind += is_met(&s, true);
    }
    assert_true(met > n / 4);
    assert_true(blind < 0.5 * met); // those are lost whose ways are not looked at
}

// ---- who is near whom ---------------------------------------------------------------------------------------------

// Of balls of very different sizes the grid finds what looking at all pairs does, in the same order.
static void the_search_finds_all(void **state)
{
    (void)state;
    enum { N = 300 };
    hol_random dice = {5};
    hol_swarm_shape shape[N + 1] = {{0}};
    bool excepted[N + 1] = {false};
    double centre[N][3], reach[N];
    excepted[4] = excepted[8] = true; // of bodies 3 and 7
    for (int i = 0; i <= N; i++) shape[i] = (hol_swarm_shape){.body = i, .many = true};
    shape[N].body = -1;
    shape[N].n[2] = 1;
    const hol_swarm_rule r = {.n_balls = N, .n = N + 1, .shape = shape, .excepted = excepted};
    hol_search o = {0};
    hol_near_list list = {0};
    assert_int_equal(hol_search_create(ctx, &r, 3, &o), HOL_OK);
    assert_int_equal(hol_near_create(ctx, &r, &list), HOL_OK);
    for (int round = 0; round < 20; round++) {
        int n = 0, balls = 0;
        for (int i = 0; i < N; i++) {
            reach[i] = shape[i].radius = 0.05 * pow(10, random_in(&dice, -1.5, round % 2 ? 0.7 : -1.4));
            for (int k = 0; k < 3; k++) centre[i][k] = random_in(&dice, -1, 1) * (round % 3 ? 1 : 0.3);
        }
        centre[9][0] = (double)NAN; // is nowhere
        assert_int_equal(hol_search_near(&o, (const double(*)[3])centre, reach, INT32_MAX, &list), HOL_OK);
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j <= N; j++) {
                double square = 0;
                for (int k = 0; k < 3 && j < N; k++) square += pow(centre[i][k] - centre[j][k], 2);
                const bool close = j < N ? sqrt(square) < reach[i] + reach[j] : centre[i][2] < reach[i];
                if (!close || i == 9 || (i == 3 && j == 7)) continue;
                assert_true(n < list.n);
                balls += j < N;
                assert_int_equal(list.pair[n].a, i);
                assert_int_equal(list.pair[n++].b, j);
            }
        assert_int_equal(n, list.n);
        for (int j = 0; j < N; j++)
            for (int k = list.up_first[j]; k < list.up_first[j + 1]; k++)
                assert_int_equal(list.pair[list.up[k]].b, j);
        assert_int_equal(list.up_first[N], balls);
    }
    hol_near_destroy(&list);
    hol_search_destroy(&o);
}

// ---- bits ---------------------------------------------------------------------------------------------------------

// A small heap, in which much touches after 0.1 s.
#define HEAP                                                                                                 \
    "dimension: 3\nlength_scale: 1\ntime_scale: 1\ngravity: [0, 0, -9.81]\n"                                 \
    "ground: {shape: [{type: halfspace}, {type: halfspace, orientation: {axis: [0, 1, 0], angle: 80 "        \
    "deg}}]}\n"                                                                                              \
    "bodies:\n"                                                                                              \
    "  - {name: 'b{i}_{j}', for: [i in 1..4, j in 1..10], mass: 0.5, inertia: 5e-4, position: ['0.11*i', "   \
    "'0.03*i+0.002*sin(9*j)', '0.102*j-0.04'], shape: {type: sphere, radius: 0.05}}\n"                       \
    "contacts: [{name: k, between: [all, all, ground], locate: 0, stiffness: 1e6, restitution: 0.4, "        \
    "slowest: 0.05, "                                                                                        \
    "friction: "                                                                                             \
    "{coefficient: 0.3, transition: 10 cm/s}}]\n"                                                            \
    "simulate: {end: 0.15, method: rk, step: 5e-4, output: 0.05}\n"

static void hash_state(const motion *m, unsigned long long *hash)
{
    const hol_state *x = &m->sim->d->it->x;
    *hash = hol_hash(HOL_HASH_START, x->q, (size_t)m->sim->d->s->nq * sizeof *x->q);
    *hash = hol_hash(*hash, x->v, (size_t)m->sim->d->s->nq * sizeof *x->v);
}

static void runs_and_threads_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const threads[] = {"simulate.threads=1", "simulate.threads=1", "simulate.threads=4"};
    unsigned long long hash[3];
    for (int i = 0; i < 3; i++) {
        motion m = move(HEAP, &threads[i], 1);
        if (m.end) fail_msg("%s", hol_context_error(ctx));
        assert_true(m.sim->d->swarms.touching > 10);
        hash_state(&m, &hash[i]);
        close_motion(&m);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

// Saved in the middle of contacts, it goes on as if it had not been.
static void a_checkpoint_has_what_touches(void **state)
{
    (void)state;
    const char *const set[] = {"simulate.threads=1"}, *const other[] = {"simulate.output=0.01"};
    motion m = move(HEAP, NULL, 0);
    assert_int_equal(m.end, HOL_OK);
    const double whole = value_of(&m, "b2_5.z");
    close_motion(&m);
    go_on_from_snapshot(HEAP, set, 1, other, 1, 0.1, "b2_5.z", whole, 1e-12);
}

// ---- what is refused ----------------------------------------------------------------------------------------------

static void what_takes_no_swarm_says_so(void **state)
{
    (void)state;
    static const char *const methods[] = {"hht", "srm", "tangent", "rn4", "central"};
    for (int i = 0; i < HOL_COUNT(methods); i++) {
        char set[60];
        const char *one = set;
        snprintf(set, sizeof set, "simulate.method=%s", methods[i]);
        hol_model *model = load_model(HEAP, &one, 1);
        assert_null(hol_simulation_create(ctx, model));
        expect_message("does not take contacts of more pairs than `locate` (\"k\")");
        hol_context_clear(ctx);
        hol_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_swarm_is_what_its_elements_are),
                                       cmocka_unit_test(its_motion_and_its_losses_follow_the_tolerance),
                                       cmocka_unit_test(rows_within_steps_follow_the_tolerance),
                                       cmocka_unit_test(a_disturbed_approach_follows_the_tolerance),
                                       cmocka_unit_test(a_hit_is_found_where_it_is),
                                       cmocka_unit_test(all_forms_have_it),
                                       cmocka_unit_test(momentum_stays),
                                       cmocka_unit_test(restitution_is_what_is_asked),
                                       cmocka_unit_test(what_touches_is_known_wherever_a_trial_step_goes),
                                       cmocka_unit_test(fixed_steps_are_short_enough_or_refused),
                                       cmocka_unit_test(what_goes_too_deep_says_how_much_stiffer),
                                       cmocka_unit_test(check_foretells_the_impacts_of_a_swarm),
                                       cmocka_unit_test(soft_and_short_contacts_are_told),
                                       cmocka_unit_test(nothing_goes_through),
                                       cmocka_unit_test(the_search_finds_all),
                                       cmocka_unit_test(runs_and_threads_have_the_same_bits),
                                       cmocka_unit_test(a_checkpoint_has_what_touches),
                                       cmocka_unit_test(what_takes_no_swarm_says_so)};
    return cmocka_run_group_tests(tests, start, stop);
}
