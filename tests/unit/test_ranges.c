// Where joints begin in their ranges: what counts is the pose that joints and drivers leave; a smooth stop pushes what begins beyond it.
// Equilibria at stops, and poses that are written there and used again. References: closed forms, and of several stops all sets of them.
#include "at_rest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLANE "dimension: 2\ngravity: [0, 0]\nbodies: [{name: b, mass: 2, inertia: 1%s}]\njoints: [{name: j, "
#define SPACE                                                                                                \
    "dimension: 3\ngravity: [0, 0, 0]\nbodies: [{name: b, mass: 2, inertia: [1, 1, 1]%s}]\njoints: [{name: " \
    "j, "
#define SLIDE "type: translational, between: [ground, b]"
#define HINGE "type: revolute, between: [ground, b]"

// ---- the start ---------------------------------------------------------------------------------------------------

typedef struct {
    const char *text, *body, *says; // says: NULL: it begins
} begun;

static void what_counts_is_the_pose_at_the_start(void **state)
{
    static const begun rows[] = {
        {PLANE SLIDE ", limits: {range: [-1, 0.3], hard: yes}}]\n", ", position: [0.5, 0]",
         "joints.j.limits.range: the joint begins at 0.5 m, outside of -1 to 0.3; let it begin within its "
         "range"},
        {PLANE SLIDE ", limits: {range: [-1, 0.3], hard: yes}}]\n", ", position: [-1.00000001, 0]",
         "the joint begins at -1.00000001 m, outside of -1 to 0.3"},
        {PLANE SLIDE ", limits: {range: [-1, 0.3], stiffness: 1e4}}]\n", ", position: [0.5, 0]", NULL},
        {PLANE SLIDE ", limits: {range: [-1, 0.3], hard: yes}}]\ndrivers: [{name: d, type: stroke, joint: j, "
                     "value: 0.5}]\n",
         "", "the joint begins at 0.5 m, outside of -1 to 0.3"},
        {PLANE SLIDE ", limits: {range: [-1, 0.3], hard: yes}}]\ndrivers: [{name: d, type: stroke, joint: j, "
                     "value: 0.5 - time}]\n",
         "", "the joint begins at 0.5 m, outside of -1 to 0.3"},
        {PLANE SLIDE ", limits: {range: [-1, 0.3], hard: yes}}]\ndrivers: [{name: d, type: stroke, joint: j, "
                     "value: 0.1}]\n",
         ", position: [0.5, 0]", NULL},
        {PLANE HINGE ", limits: {range: [0.5, 1], hard: yes}}]\n", "",
         "the joint begins at 0 rad, outside of 0.5 to 1; let it begin within its range"},
        {PLANE HINGE ", limits: {range: [6, 7], stiffness: 10}}]\n", "",
         "joints.j.limits.range: the joint begins at 0 rad, outside of 6 to 7; it lies within it full turns "
         "away: shift the "
         "range by 2*pi"},
        {PLANE HINGE ", limits: {range: [0, 360 deg], stiffness: 10}}]\n", ", angle: -1 deg", NULL},
        {SPACE HINGE ", limits: {range: [0, 360 deg], stiffness: 10}}]\n",
         ", orientation: {rpy: [0, 0, -1 deg]}",
         "it lies within it full turns away: give the joint `turns: 1`"},
        {SPACE HINGE ", turns: 0, limits: {range: [0, 360 deg], stiffness: 10}}]\n",
         ", orientation: {rpy: [0, 0, -1 deg]}", NULL},
        {SPACE HINGE ", turns: 1, limits: {range: [-1, 1], stiffness: 10}}]\n", "",
         "the joint begins at 6.28318531 rad, outside of -1 to 1; it lies within it full turns away: give "
         "the joint "
         "`turns: 0`"},
        {SPACE HINGE
         ", limits: {range: [6, 7], hard: yes}}]\ndrivers: [{name: d, type: angle, joint: j, value: 6.5}]\n",
         "", NULL},
        {SPACE "type: cylindrical, between: [ground, b], stroke_limits: {range: [1, 2], stiffness: 10}}]\n",
         "", NULL},
        {SPACE "type: spherical, between: [ground: {axis: [0, 1, 0]}, b], limits: {swing: 60 deg, stiffness: "
               "10}}]\n",
         "", NULL},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[900];
        snprintf(text, sizeof text, rows[i].text, rows[i].body); // NOLINT: from the table above
        strcat(text, "simulate: {end: 0.01}\n");
        hol_model *model = load_model(text, NULL, 0);
        hol_simulation *sim = hol_simulation_create(ctx, model);
        if (rows[i].says) {
            if (sim) fail_msg("row %d begins", i);
            expect_message(rows[i].says);
            assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
        } else if (!sim)
            fail_msg("row %d: %s", i, hol_context_error(ctx));
        hol_context_clear(ctx);
        hol_simulation_destroy(sim);
        hol_model_destroy(model);
    }
}

// A program that puts a joint behind its hard stop is refused, whatever its velocity.
static void no_program_puts_a_joint_behind_its_stop(void **state)
{
    (void)state;
    static const double rates[] = {1, 0, -1};
    motion m = open_motion(
        "dimension: 2\ngravity: [0, 0]\nbodies: [{name: b, mass: 1, inertia: 1, omega: 0.1}]\njoints: "
        "[{name: j, " HINGE ", limits: {range: [-1, 1], hard: yes}}]\nsimulate: {end: 1}\n",
        NULL, 0);
    for (int i = 0; i < HOL_COUNT(rates); i++) {
        double q[] = {0, 0, 1.5}, v[] = {0, 0, rates[i]};
        const hol_state_view x = {0, 3, 0, q, v, NULL};
        assert_true(hol_simulation_set_state(m.sim, &x, false) < 0);
        expect_message("0.5 beyond its hard stop");
        hol_context_clear(ctx);
    }
    close_motion(&m);
}

// The force is told where it throws the body, and not where another one holds it, or a driver.
static void a_start_beyond_a_smooth_stop_is_told(void **state)
{
    static const begun rows[] = {
        {PLANE SLIDE ", limits: {range: [-1, 0.3], stiffness: 1e4}}]\n", ", position: [0.31, 0]",
         "joints.j.limits.range: the joint begins 0.01 m beyond 0.3 m, the end of its range, where the stop "
         "pushes it back "
         "with 10 N"},
        {PLANE HINGE ", limits: {range: [-1, 0.3], stiffness: 1e4}}]\n", ", angle: 0.31",
         "the joint begins 0.01 rad beyond 0.3 rad, the end of its range, where the stop pushes it back with "
         "10 N m"},
        {PLANE SLIDE ", limits: {range: [-1, 0.3], stiffness: 1e4}, preload: 10}]\n", ", position: [0.31, 0]",
         NULL},
        {PLANE SLIDE
         ", limits: {range: [-1, 0.3], stiffness: 1e4}}]\ndrivers: [{name: d, type: stroke, joint: j, value: "
         "0.31}]\n",
         "", NULL},
        {PLANE SLIDE ", limits: {range: [-1, 0.3], stiffness: 1e4}}]\n", ", position: [0.3, 0]", NULL},
        // rounding, with no weight beside it
        {PLANE SLIDE ", limits: {range: [-1, 0.3], stiffness: 1e4}}]\n",
         ", position: [0.3000000000000001, 0]", NULL},
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        char text[900];
        bool told = false;
        snprintf(text, sizeof text, rows[i].text, rows[i].body); // NOLINT: from the table above
        strcat(text, "simulate: {end: 1}\n");
        hol_model *model = load_model(text, NULL, 0);
        hol_check *c = hol_check_create(ctx, model);
        assert_non_null(c);
        for (int k = 0; k < c->n_warnings; k++) {
            if (strcmp(c->warning[k].name, "stop") != 0) continue;
            told = true;
            if (!rows[i].says || !strstr(c->warning[k].text, rows[i].says))
                fail_msg("row %d: %s", i, c->warning[k].text);
        }
        if (told != (rows[i].says != NULL)) fail_msg("row %d: told %d", i, told);
        hol_check_destroy(c);
        hol_model_destroy(model);
    }
}

// ---- equilibria at stops, and their poses ------------------------------------------------------------------------

// 10 N or 10 N m press each joint against the lower end of its range: K depth^1.5 = 10, or the end itself. A run from the pose stays there.
static void poses_at_stops_are_used_again(void **state)
{
    static const struct {
        const char *text, *range, *signal, *force;
    } rows[] = {{PLANE SLIDE, "[0, 1]", "j.stroke", "j.limits.force"},
                {SPACE SLIDE, "[0, 1]", "j.stroke", "j.limits.force"},
                {PLANE HINGE, "[0, 1]", "j.angle", "j.limits.torque"},
                {SPACE HINGE, "[0, 1]", "j.angle", "j.limits.torque"},
                {PLANE HINGE, "[0, 360 deg]", "j.angle", "j.limits.torque"},
                {SPACE HINGE, "[0, 360 deg]", "j.angle", "j.limits.torque"}};
    (void)state;
    for (int i = 0; i < 2 * HOL_COUNT(rows); i++) {
        const int r = i / 2;
        const bool hard = i % 2;
        char part[] = "/tmp/holonom_part_XXXXXX", pose[] = "/tmp/holonom_pose_XXXXXX", text[900];
        const int a = mkstemp(part), b = mkstemp(pose);
        assert_true(a >= 0 && b >= 0);
        int n = snprintf(text, sizeof text, rows[r].text, ""); // NOLINT: from the table above
        n += snprintf(
            text + n, sizeof text - (size_t)n,
            ", preload: -10, limits: {range: %s, %s}}]\nsimulate: {end: 1, tolerance: 1e-6, signals: [all, "
            "coordinates]}\n",
            rows[r].range, hard ? "hard: yes" : "stiffness: 1e4, restitution: 0.5");
        assert_true(write(a, text, (size_t)n) == n);
        close(a);
        close(b);
        snprintf(text, sizeof text, "include: [%s]\n", part);
        hol_model *model;
        hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
        const double place = hard ? 0 : -pow(1e-3, 2.0 / 3);
        near("place", value(s, rows[r].signal), place, 1e-9);
        near("force", value(s, rows[r].force), 10, 1e-6);
        assert_true(s->point[0].stable);
        assert_int_equal(hol_statics_write_pose(ctx, s, 0, pose), HOL_OK);
        leave(s, model);
        snprintf(text, sizeof text, "include: [%s, %s]\n", part, pose);
        motion m = move(text, NULL, 0);
        if (m.end || !m.sim) fail_msg("row %d: %s", i, hol_context_error(ctx));
        near("stays", value_of(&m, rows[r].signal), place, 1e-6);
        near("presses", value_of(&m, rows[r].force), 10, 1e-3);
        close_motion(&m);
        unlink(part);
        unlink(pose);
    }
}

// Two crossed slides under a quadratic potential 1/2 (q - c)^T A (q - c), between stops at 0 and 1: of all nine sets of stops the one
// whose forces push is the equilibrium.
static void solve_box(const double A[3], const double c[2], double q[2], double f[2])
{
    for (int set = 0; set < 9; set++) {
        const int side[2] = {set % 3 - 1, set / 3 - 1}; // -1 lower, 0 free, 1 upper
        bool good = true;
        double p[2];
        for (int i = 0; i < 2; i++) p[i] = side[i] > 0 ? 1 : side[i] < 0 ? 0 : (double)NAN;
        if (!side[0] && !side[1]) p[0] = c[0], p[1] = c[1];
        if (!side[0] && side[1]) p[0] = c[0] - A[1] * (p[1] - c[1]) / A[0];
        if (side[0] && !side[1]) p[1] = c[1] - A[1] * (p[0] - c[0]) / A[2];
        const double g[2] = {A[0] * (p[0] - c[0]) + A[1] * (p[1] - c[1]),
                             A[1] * (p[0] - c[0]) + A[2] * (p[1] - c[1])};
        for (int i = 0; i < 2; i++) {
            if (side[i] == 0) good = good && p[i] >= 0 && p[i] <= 1;
            if (side[i] < 0) good = good && g[i] >= 0;
            if (side[i] > 0) good = good && g[i] <= 0;
        }
        if (!good) continue;
        for (int i = 0; i < 2; i++) q[i] = p[i], f[i] = side[i] ? g[i] : 0;
        return;
    }
    fail_msg("no set of stops holds");
}

static void stops_hold_and_let_go(void **state)
{
    hol_random dice = {7};
    (void)state;
    for (int n = 0; n < 40; n++) {
        const double a = random_in(&dice, 1, 10), b = random_in(&dice, 1, 10),
                     k = random_in(&dice, -0.95, 0.95) * sqrt(a * b), A[3] = {a, k, b},
                     c[2] = {random_in(&dice, -2, 3), random_in(&dice, -2, 3)},
                     from[2] = {random_in(&dice, 0, 1), random_in(&dice, 0, 1)};
        double q[2], f[2];
        char text[1500];
        solve_box(A, c, q, f);
        snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, 0]\nbodies: [{name: u, mass: 1, inertia: 1, position: [%.17g, 0]}, "
            "{name: w, "
            "mass: 1, inertia: 1, position: [%.17g, %.17g]}]\n"
            "joints:\n  - {name: x, type: translational, between: [ground, u], limits: {range: [0, 1], hard: "
            "yes}}\n"
            "  - {name: y, type: translational, between: [u: {angle: 90 deg}, w: {angle: 90 deg}], limits: "
            "{range: "
            "[0, 1], hard: yes}}\n"
            "forces:\n  - {name: fx, type: force, joint: x, value: \"-(%.17g)*(DX(w) - (%.17g)) - "
            "(%.17g)*(DY(w) - "
            "(%.17g))\"}\n"
            "  - {name: fy, type: force, joint: y, value: \"-(%.17g)*(DX(w) - (%.17g)) - (%.17g)*(DY(w) - "
            "(%.17g))\"}\n",
            from[0], from[0], from[1], a, c[0], k, c[1], k, c[0], b, c[1]);
        hol_model *model;
        hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
        near("x", value(s, "x.stroke"), q[0], 1e-8);
        near("y", value(s, "y.stroke"), q[1], 1e-8);
        near("at x", value(s, "x.limits.force"), f[0], 1e-7);
        near("at y", value(s, "y.limits.force"), f[1], 1e-7);
        leave(s, model);
    }
}

// A block of 2 kg over its stop carries another of 3 kg on a spring: the first rests, and the other vibrates with sqrt(k/m).
#define CARRIED                                                                                              \
    "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: u, mass: 2, inertia: 1, position: [0, 0.4]}, "       \
    "{name: w, mass: 3, "                                                                                    \
    "inertia: 1, position: [0, 0.9]}]\n"                                                                     \
    "joints:\n  - {name: x, type: translational, between: [ground: {angle: 90 deg}, u: {angle: 90 deg}], "   \
    "limits: {range: "                                                                                       \
    "[0, 1], hard: yes}}\n"                                                                                  \
    "  - {name: y, type: translational, between: [u: {angle: 90 deg}, w: {angle: 90 deg}], stiffness: "      \
    "1200, length: 0.5, "                                                                                    \
    "damping: 2}\n"                                                                                          \
    "simulate: {start: equilibrium, end: 1, signals: [all, coordinates]}\n"

static void what_rests_at_a_stop_carries(void **state)
{
    (void)state;
    hol_model *model;
    hol_statics *s = at_rest(CARRIED, NULL, 0, NULL, &model);
    near("place", value(s, "x.stroke"), 0, 1e-12);
    near("spring", value(s, "y.stroke"), 0.5 - 3 * 9.81 / 1200, 1e-9);
    near("stop", value(s, "x.limits.force"), 5 * 9.81, 1e-9);
    hol_statics_destroy(s);
    const hol_modes_options o = {.equilibrium = true};
    hol_modes *modes = hol_modes_create(ctx, model, &o);
    if (!modes) fail_msg("%s", hol_context_error(ctx));
    assert_int_equal(modes->degrees_of_freedom, 1);
    near("omega", modes->omega_max, 20, 1e-9);
    hol_modes_destroy(modes);
    hol_model_destroy(model);
    motion m = move(CARRIED, NULL, 0);
    if (m.end || !m.sim) fail_msg("%s", hol_context_error(ctx));
    near("stays", value_of(&m, "x.stroke"), 0, 1e-12);
    near("hangs", value_of(&m, "y.stroke"), 0.5 - 3 * 9.81 / 1200, 1e-9);
    near("presses", value_of(&m, "x.limits.force"), 5 * 9.81, 1e-6);
    close_motion(&m);
}

// What no stop holds still has no equilibrium: the stop is on the other side.
static void what_no_stop_holds_is_told(void **state)
{
    (void)state;
    hol_model *model =
        load_model("dimension: 2\ngravity: [-9.81, 0]\nbodies: [{name: b, mass: 2, inertia: 1}, {name: c, "
                   "mass: 1, inertia: 1}]\njoints: [{name: "
                   "j, " SLIDE ", limits: {range: [-1, 1], hard: yes}}, {name: k, type: translational, "
                   "between: [b, c]}]\n",
                   NULL, 0);
    hol_statics *s = hol_statics_create(ctx, model, NULL);
    assert_null(s);
    expect_message("nothing holds \"c\" along -x");
    hol_context_clear(ctx);
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_counts_is_the_pose_at_the_start),
        cmocka_unit_test(no_program_puts_a_joint_behind_its_stop),
        cmocka_unit_test(a_start_beyond_a_smooth_stop_is_told),
        cmocka_unit_test(poses_at_stops_are_used_again),
        cmocka_unit_test(stops_hold_and_let_go),
        cmocka_unit_test(what_rests_at_a_stop_carries),
        cmocka_unit_test(what_no_stop_holds_is_told),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
