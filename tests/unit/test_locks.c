// Mechanisms that a driver locks: every method stops there with the same words, the driver and the value at which it locks. Poses
// where two branches cross are passed, or stop a run with other words.
#include "harness.h"
#include "holonom_analyses.h"
#include "integrator/integrator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 3000 };

typedef struct {
    double x, y;
} point;

static point along(point p, double length, double angle)
{
    return (point){p.x + length * cos(angle), p.y + length * sin(angle)};
}

static double angle_to(point p, point q) { return atan2(q.y - p.y, q.x - p.x); }

// Where circles about p and q meet; side: of the line from p to q.
static point meet(point p, double a, point q, double b, int side)
{
    const double d = hypot(q.x - p.x, q.y - p.y);
    return along(p, a, angle_to(p, q) + side * acos((a * a + d * d - b * b) / (2 * a * d)));
}

// A rod as an item of `bodies`, from p to q: markers s and e.
static int add_rod(char *text, int n, const char *name, point p, point q)
{
    const double l = hypot(q.x - p.x, q.y - p.y);
    return n + snprintf(text + n, TEXT - (size_t)n,
                        "  - {name: %s, mass: 1, inertia: %.17g, position: [%.17g, %.17g], angle: %.17g, "
                        "markers: {s: [%.17g, 0], e: [%.17g, 0]}}\n",
                        name, l * l / 12, (p.x + q.x) / 2, (p.y + q.y) / 2, angle_to(p, q), -l / 2, l / 2);
}

// ---- locked mechanisms ------------------------------------------------------------------------------------------

// A crank that turns at 1 rad/s (backwards: -1) from phi, ground, link, rocker; side: how it is assembled.
typedef struct {
    double crank, ground, link, rocker, phi;
    int side, way;
} four_bar;

static void write_four_bar(const four_bar *f, char *text)
{
    const point A = {0, 0}, B = {f->ground, 0}, P = along(A, f->crank, f->phi);
    const point C = meet(P, f->link, B, f->rocker, f->side);
    int n = snprintf(text, TEXT, "dimension: 2\ngravity: [0, -9.81]\nbodies:\n");
    n = add_rod(text, n, "crank", A, P);
    n = add_rod(text, n, "link", P, C);
    n = add_rod(text, n, "rocker", B, C);
    snprintf(text + n, TEXT - (size_t)n,
             "joints:\n"
             "  - {name: A, type: revolute, between: [ground, crank.s]}\n"
             "  - {name: P, type: revolute, between: [crank.e, link.s]}\n"
             "  - {name: C, type: revolute, between: [link.e, rocker.e]}\n"
             "  - {name: B, type: revolute, between: [{ground: [%.17g, 0]}, rocker.s]}\n"
             "drivers: [{name: motor, type: angle, joint: A, value: \"%.17g + %d*time\"}]\n"
             "simulate: {end: 7}\n",
             f->ground, f->phi, f->way);
}

// The angle at which link and rocker come into line, stretched or folded, the first one on the way; 0: it turns.
static double lock_of(const four_bar *f)
{
    const double reach[2] = {f->link + f->rocker, fabs(f->link - f->rocker)};
    double first = HOL_INF;
    for (int i = 0; i < 2; i++) {
        const double c =
            (f->ground * f->ground + f->crank * f->crank - reach[i] * reach[i]) / (2 * f->ground * f->crank);
        if (fabs(c) >= 1) continue;
        for (int k = -4; k < 4; k++) {
            const double at = (k % 2 ? -1 : 1) * acos(c) + 2 * HOL_PI * floor(k / 2.0);
            if ((at - f->phi) * f->way > 0) first = fmin(first, (at - f->phi) * f->way);
        }
    }
    return isfinite(first) ? f->phi + f->way * first : 0;
}

static const four_bar locked[] = {
    {0.15, 0.3879, 0.64, 0.393, 2.0, 1,
     1}, // the lower loop of Jansen's leg with a link of 0.64; Grashof's limit is 0.6309
    {0.15, 0.3879, 0.64, 0.393, 2.0, -1, -1},
    {1, 1.5, 0.7, 0.6, 0.2, 1, 1},
    {1, 1.5, 0.7, 0.6, 0.2, 1, -1},
    {1, 1.2, 0.5, 0.5, 0.1, 1, 1},
    {1, 1.2, 2.5, 0.5, 2.6, 1, 1},
    {1, 1.2, 2.5, 0.5, 2.6, -1, -1},
    {0.8, 1, 0.45, 0.9, 0.5, 1, 1},
    {2, 2.3, 1.1, 1.2, 0.3, -1, 1},
    {20, 23, 11, 12, 0.3, -1, 1}, // in another size
};

// A slider that is driven beyond the reach of its crank: rods of crank and link, the slider's line lies by `off` beside the foot.
typedef struct {
    double crank, link, off, stroke, speed, lock; // x of the slider at the start and where it locks
} slider;

static void write_slider(const slider *f, char *text)
{
    const point A = {0, 0}, S = {f->stroke, f->off}, P = meet(A, f->crank, S, f->link, 1);
    int n = snprintf(text, TEXT, "dimension: 2\ngravity: [0, -9.81]\nbodies:\n");
    n = add_rod(text, n, "crank", A, P);
    n = add_rod(text, n, "link", P, S);
    snprintf(text + n, TEXT - (size_t)n,
             "  - {name: block, mass: 1, inertia: 1, position: [%.17g, %.17g]}\n"
             "joints:\n"
             "  - {name: A, type: revolute, between: [ground, crank.s]}\n"
             "  - {name: P, type: revolute, between: [crank.e, link.s]}\n"
             "  - {name: S, type: revolute, between: [link.e, block]}\n"
             "  - {name: guide, type: translational, between: [{ground: [0, %.17g]}, block]}\n"
             "drivers: [{name: motor, type: stroke, joint: guide, value: \"%.17g + %.17g*time\"}]\n"
             "simulate: {end: 7}\n",
             S.x, S.y, f->off, f->stroke, f->speed);
}

static const slider sliders[] = {
    {1, 2, 0, 2.5, 0.5, 3},
    {1, 2, 0, 1.8, -0.5, 1},
    {1, 2, 0.3, 2.5, 0.5, 2.98496231131986},   // sqrt(9 - 0.09)
    {1, 2, 0.3, 1.8, -0.5, 0.953939201416946}, // sqrt(1 - 0.09)
    {0.1, 0.3, 0.05, 0.3, 0.1, 0.396862696659689},
};

// A cylinder between foot and hand of an arm of two rods, which it stretches; the arm swings about its foot.
static void write_arm(double l1, double l2, double first, double speed, char *text)
{
    const point A = {0, 0}, H = {first, 0}, P = meet(A, l1, H, l2, 1);
    int n = snprintf(text, TEXT, "dimension: 2\ngravity: [0, -9.81]\nbodies:\n");
    n = add_rod(text, n, "upper", A, P);
    n = add_rod(text, n, "lower", P, H);
    snprintf(text + n, TEXT - (size_t)n,
             "joints:\n"
             "  - {name: A, type: revolute, between: [ground, upper.s]}\n"
             "  - {name: P, type: revolute, between: [upper.e, lower.s]}\n"
             "drivers: [{name: motor, type: distance, between: [ground, lower.e], value: \"%.17g + "
             "%.17g*time\"}]\n"
             "simulate: {end: 7}\n",
             first, speed);
}

// The motion by a method, NULL: by kinematics.
static motion go(const char *text, const hol_method *method)
{
    char set[80];
    const char *const all[] = {set};
    bool done = false;
    motion a = {0};
    snprintf(set, sizeof set, "simulate.method=%s", method ? method->name : "auto");
    if (method) return move(text, all, 1);
    a.model = load_model(text, all, 0);
    a.sim = hol_kinematics_create(ctx, a.model);
    assert_non_null(a.sim);
    while (!done && !a.end) a.end = hol_simulation_step(a.sim, &done);
    return a;
}

// A message "stopped at .. locked: driver "motor" .. any further than VALUE" of a run by this method.
static int is_told(const char *text, const char *what, const hol_method *method, double lock, double allowed)
{
    motion a = go(text, method);
    const char *said = a.end ? hol_context_error(ctx) : "nothing";
    const char *at = strstr(said, "locked: driver \"motor\""),
               *value = at ? strstr(at, "further than ") : NULL;
    const double found = value ? strtod(value + strlen("further than "), NULL) : HOL_INF;
    const bool right = a.end == HOL_ERR_INTEGRATION && fabs(found - lock) <= allowed;
    if (!right)
        print_error("%s, %s: locks at %.12g, but said is: %s\n", what, method ? method->name : "kinematics",
                    lock, said);
    close_motion(&a);
    return !right;
}

// The dead centre is found to rounding where nothing else moves; an arm that swings has another free motion, so no kinematics.
#define ROUNDING 1e-10
static int is_told_by_all(const char *text, const char *what, int number, double lock, double size,
                          bool swings)
{
    const double allowed = (swings ? 1e-3 : ROUNDING) * size;
    int failed = swings ? 0 : is_told(text, what, NULL, lock, allowed);
    for (int m = 0; hol_methods[m]; m++)
        if (!hol_methods[m]->teaching && !hol_methods[m]->open && in_sample(m + number, 4, 4))
            failed += is_told(text, what, hol_methods[m], lock, allowed);
    return failed;
}

static void locks_are_named(void **state)
{
    char text[TEXT], what[60];
    int failed = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(locked); i++) {
        write_four_bar(&locked[i], text);
        snprintf(what, sizeof what, "four-bar %d", i);
        failed += is_told_by_all(text, what, i, lock_of(&locked[i]), 1, false);
    }
    for (int i = 0; i < HOL_COUNT(sliders); i++) {
        write_slider(&sliders[i], text);
        snprintf(what, sizeof what, "slider %d", i);
        failed += is_told_by_all(text, what, i, sliders[i].lock, sliders[i].crank, false);
    }
    for (int i = 0; i < 5; i++) {
        const double l1 = 0.5 + 0.3 * i, l2 = 1;
        write_arm(l1, l2, 0.9 * (l1 + l2), 0.05 * (i + 1), text);
        snprintf(what, sizeof what, "arm %d", i);
        failed += is_told_by_all(text, what, i, l1 + l2, 1, true);
    }
    assert_int_equal(failed, 0);
}

// Steps towards a dead centre that take a part of the rest of the way each are many: the guide's hundredth ends 6e-13 s before it, and ros2w,
// to which it was left, went into rounding there and told of a singular pose.
static void a_lock_is_named_that_many_steps_lead_to(void **state)
{
    char text[TEXT];
    (void)state;
    write_four_bar(&locked[6], text);
    assert_int_equal(is_told(text, "four-bar 6", hol_method_find("ros2w"), lock_of(&locked[6]), ROUNDING), 0);
}

// ---- what is no lock ----------------------------------------------------------------------------------------------

// Parallelograms turn through the pose where all rods are in line; four-bars that just turn over; a driver that is refused nothing.
static const four_bar free_ones[] = {
    {1, 2, 2, 1, 1, 1, 1},
    {1, 2, 2, 1, 1, 1, -1},
    {0.5, 3, 3, 0.5, 0.7, 1, 1},
    {2, 1, 1, 2, 0.7, 1, 1},
    {0.15, 0.3879, 0.63, 0.393, 2.0, 1, 1},
    {0.15, 0.3879, 0.6308, 0.393, 2.0, 1, 1},
    {0.3, 1, 0.8, 0.7, 0.2, 1, 1},
    {0.3, 1, 0.8, 0.7, 0.2, -1, -1},
};

static void crossings_are_no_locks(void **state)
{
    char text[TEXT];
    int failed = 0, passed = 0, runs = 0;
    (void)state;
    for (int i = 0; i < HOL_COUNT(free_ones); i++) {
        write_four_bar(&free_ones[i], text);
        motion b = go(text, NULL);
        failed += b.end != HOL_OK;
        close_motion(&b);
        for (int m = 0; hol_methods[m]; m++, runs++) {
            if (hol_methods[m]->teaching || !in_sample(m + i, 2, 4)) continue;
            motion a = go(text, hol_methods[m]);
            passed += !a.end;
            if (a.end) print_message("%d %s: %.160s\n", i, hol_methods[m]->name, hol_context_error(ctx));
            failed += a.end && strstr(hol_context_error(ctx), "locked");
            close_motion(&a);
        }
    }
    print_message("%d of %d runs end\n", passed, runs);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(locks_are_named),
                                       cmocka_unit_test(a_lock_is_named_that_many_steps_lead_to),
                                       cmocka_unit_test(crossings_are_no_locks)};
    return cmocka_run_group_tests(tests, start, stop);
}
