// Rows in use of large redundant loops become dependent on the way, while the mechanism is not singular: other rows take their place in
// time, with all methods; and a run that has none of them in time says so.
#include "dynamics_of.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A platform on K parallel cranks of 1 m, their pins on a circle: of each crank but two one equation follows from the others, and those that
// are left of all these depend on each other where the cranks come into the direction that they hold. It has no singular pose.
enum { CRANKS = 130, PER_CRANK = 600, TEXT = CRANKS * PER_CRANK + 1000 };
#define BEGIN 0.7 // angle of the cranks at the start, driven by 1 rad/s

static int add_crank(char *text, size_t room, int i, bool joints)
{
    const double turn = 2 * acos(-1) * i / CRANKS + 0.3, x = 2 * cos(turn), y = 2 * sin(turn), c = cos(BEGIN),
                 s = sin(BEGIN);
    if (joints)
        return snprintf(text, room,
                        "  - {name: A%d, type: revolute, between: [ground: [%.17g, %.17g], c%d: [-0.5, 0]]}\n"
                        "  - {name: B%d, type: revolute, between: [c%d: [0.5, 0], p: [%.17g, %.17g]]}\n",
                        i, x, y, i, i, i, x, y);
    return snprintf(text, room,
                    "  - {name: c%d, mass: 0.1, inertia: 0.1/12, position: [%.17g, %.17g], angle: %.17g, "
                    "velocity: [%.17g, %.17g], omega: 1}\n",
                    i, x + c / 2, y + s / 2, BEGIN, -s / 2, c / 2);
}

static char *platform(void)
{
    char *text = malloc(TEXT);
    assert_non_null(text);
    int n = snprintf(text, TEXT,
                     "dimension: 2\ngravity: [0, -9.81]\nlength_scale: 1\nbodies:\n"
                     "  - {name: p, mass: 2, inertia: 1, position: [%.17g, %.17g]}\n",
                     cos(BEGIN), sin(BEGIN));
    for (int i = 0; i < CRANKS; i++) n += add_crank(text + n, (size_t)(TEXT - n), i, false);
    n += snprintf(text + n, (size_t)(TEXT - n), "joints:\n");
    for (int i = 0; i < CRANKS; i++) n += add_crank(text + n, (size_t)(TEXT - n), i, true);
    n += snprintf(text + n, (size_t)(TEXT - n), "drivers: [{name: d, type: angle, joint: A0, speed: 1}]\n");
    assert_true(n < TEXT);
    return text;
}

static run open_until(const char *text, const char *method, double end)
{
    char settings[120];
    snprintf(settings, sizeof settings, "simulate.method=%s simulate.end=%g simulate.tolerance=1e-4", method,
             end);
    return open_run(text, settings);
}

typedef struct {
    double velocity, work; // errors: [m/s], [J]
} errors;

// What the last step adds to the errors against the closed form: all of the platform moves on a circle, and the work lifts the weights.
static void compare(const hol_dynamics *d, errors *e)
{
    const hol_state *x = &d->it->x;
    const double angle = BEGIN + x->t, *v = x->v + d->m->body[0].q;
    e->velocity = fmax(e->velocity, fmax(fabs(v[0] + sin(angle)), fabs(v[1] - cos(angle))));
    e->work = fmax(e->work, fabs(d->work - 9.81 * (2 + 0.1 * CRANKS / 2) * (sin(angle) - sin(BEGIN))));
}

// The work of methods of order 2 is summed by trapezoids, that of multipliers that are straight lines to ten tolerances of a step; the
// others are right to less. None of those that hold velocities is led: there is no pose.
static void all_methods_go_through(void **state)
{
    static const struct {
        const char *method;
        double velocity, work;
    } of[] = {{"rk", 1e-7, 1e-5},        {"adams", 1e-7, 1e-4}, {"bdf", 1e-7, 1e-6},
              {"joint_bdf", 1e-7, 1e-6}, {"rn4", 1e-6, 0.2},    {"ros2w", 1e-6, 0.2},
              {"tangent", 1e-6, 0.2},    {"hht", 1e-4, 0.02},   {"newmark", 1e-4, 0.2},
              {"genalpha", 1e-4, 0.02}};
    char *text = platform();
    (void)state;
    for (int i = 0; i < HOL_COUNT(of); i++) {
        run o = open_until(text, of[i].method, 4);
        errors e = {0, 0};
        bool done = false;
        while (!done) {
            if (hol_dynamics_step(o.d, &done)) fail_msg("%s: %s", of[i].method, hol_context_error(ctx));
            compare(o.d, &e);
        }
        near(of[i].method, e.velocity, 0, of[i].velocity);
        near(of[i].method, e.work, 0, of[i].work);
        assert_true(o.d->it->count.repartitions >= 3); // three quarters of a turn
        if (o.d->set.method->holds & HOL_HOLDS_VELOCITIES) {
            assert_true(o.d->stats.max_velocity_violation < 1e-9);
            assert_int_equal(o.d->it->count.passages, 0);
        }
        close_run(&o);
    }
    free(text);
}

// When rows are looked at next is saved too.
static void a_resumed_run_is_the_same(void **state)
{
    char *text = platform(), file[] = "/tmp/holonom_selection_XXXXXX";
    const char *set[] = {"simulate.method=bdf", "simulate.end=1.2"};
    const int made = mkstemp(file);
    (void)state;
    assert_true(made >= 0);
    close(made);
    resume(text, set, 2, file);
    remove(file);
    free(text);
}

// ---- a walking machine ------------------------------------------------------------------------------------------

// 92 bodies, 138 equations that follow from others, its crank driven by 1 rad/s: it has no singular pose, but those of the rows of the start
// at 1.0316 s.
static char *machine(void)
{
    enum { MOST = 400000 };
    char *text = malloc(MOST);
    FILE *f = fopen("tests/robots/strandbeest_assembled.yaml", "rb");
    assert_non_null(text);
    assert_non_null(f);
    const size_t n = fread(text, 1, MOST - 200, f);
    fclose(f);
    assert_true(n < MOST - 200);
    snprintf(text + n, 200,
             "\ndrivers: [{name: crank, type: angle, joint: joint_crossbar_crank, speed: 1}]\n");
    return text;
}

// Its energy is known without integration: no freedom is left. What the account lacks of it is the error of the work.
static void a_walking_machine_goes_through(void **state)
{
    static const struct {
        const char *method;
        double work;
    } of[] = {{"rk", 1e-3}, {"adams", 1e-3}, {"rn4", 0.3}};
    char *text = machine();
    (void)state;
    for (int i = 0; i < HOL_COUNT(of); i++) {
        run o = open_until(text, of[i].method, 1.1);
        bool done = false;
        while (!done)
            if (hol_dynamics_step(o.d, &done)) fail_msg("%s: %s", of[i].method, hol_context_error(ctx));
        near(of[i].method, o.d->stats.energy_drift_max, 0, of[i].work);
        assert_true(o.d->stats.max_velocity_violation < 1e-7);
        assert_true(o.d->it->count.steps < 200);
        close_run(&o);
    }
    free(text);
}

// With the rows of the start no step is accepted whose velocities are off the joints.
static void a_projection_that_fails_ends_the_run(void **state)
{
    char *text = machine();
    (void)state;
    run o = open_until(text, "adams", 1.1);
    hol_dynamics *d = o.d;
    bool done = false;
    hol_status st = HOL_OK;
    double most = 0;
    hol_selection_destroy(d);
    while (!st && !done) {
        st = hol_dynamics_step(d, &done);
        if (!st) most = d->stats.max_velocity_violation;
    }
    assert_true(most <= 1e-4 * d->fastest); // (4.5b)
    if (st) {                               // rounding, by machine, says whether a step comes over that pose
        assert_int_equal(st, HOL_ERR_INTEGRATION);
        expect_message("its equations do not determine them here: those in use of joint_crossbar_crank");
        near("at the pose of these rows", d->it->x.t, 1.0316, 1e-3);
    }
    close_run(&o);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_methods_go_through),
                                       cmocka_unit_test(a_resumed_run_is_the_same),
                                       cmocka_unit_test(a_walking_machine_goes_through),
                                       cmocka_unit_test(a_projection_that_fails_ends_the_run)};
    return cmocka_run_group_tests(tests, start, stop);
}
