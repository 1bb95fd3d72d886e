// Functions of time: what they do is found before the run, and no method passes over it.
#include "harness.h"
#include "method_forms.h"
#include "analysis/loads.h"
#include "expr/features.h"
#include "integrator/sundials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the search --------------------------------------------------------------------------------------------------

// The first function of time of a model with this force.
static void search(const char *force, double end, hol_loads *l, hol_model_data **m)
{
    char text[2500];
    snprintf(text, sizeof text,
             "dimension: 2\nsplines: [{name: spike, kind: linear, x: [0, 1.2345, 1.2395, 1.2445, 10], y: [0, "
             "0, 1, "
             "0, 0]}]\nbodies: [{name: a, type: point, mass: 1}]\n"
             "forces: [{name: f, type: force, on: a, value: [\"%s\", 0]}]\n",
             force);
    *m = compile(text, NULL, 0);
    if (hol_loads_create(ctx, *m, end, 1, l)) fail_msg("%s: %s", force, hol_context_error(ctx));
}

static int jumps_of(const hol_loads *l)
{
    int n = 0;
    for (int i = 0; i < l->n; i++) n += l->load[i].found.n_jumps;
    return n;
}

static double narrowest_of(const hol_loads *l)
{
    double least = HOL_INF;
    for (int i = 0; i < l->n_cells; i++) least = fmin(least, l->cell[i].to - l->cell[i].from);
    return least;
}

// What is in each function follows from its formula; widths of cells are within what makes a function nearly straight.
static void features_are_found(void **state)
{
    static const struct {
        const char *force;
        int jumps;
        double low, high; // width of the narrowest cell; 0: there is none
    } rows[] = {
        {"if(time-1.2345: 0, 200, if(time-1.2355: 200, 0, 0))", 2, 0, 0},
        {"20*(step(time,1.2345,0,1.2365,1)-step(time,1.2425,0,1.2445,1))", 4, 1e-5, 2e-3},
        {"spline(time, spike)", 3, 0, 0},
        {"exp(-((time-1.2345)/5e-3)^2)", 0, 1e-4, 5e-3},
        {"exp(-((time-1.2345)/50e-6)^2)", 0, 1e-6, 5e-5},
        {"exp(-((time-1.2345)/1e-6)^2)", 0, 1e-8, 1e-6},
        {"1000*sin(time) + exp(-((time-1.2345)/50e-6)^2)", 0, 1e-6, 5e-5}, // beside a large one
        {"exp(-4e4*sin(3*time)^2)", 0, 1e-4, 5e-3},
        {"1/(1+((time-1.2345)/1e-3)^2)", 0, 1e-5, 1e-3},
        {"tanh(1e4*(time-1.2345))", 0, 1e-6, 1e-4},
        {"abs(sin(10*time))", 15, 0, 0}, // pi/10 .. 15 pi/10 = 4.71; at 0 it starts
        {"mod(time, 0.3)", 16, 0, 0},
        {"max(sin(2*time), 0.999)", 4, 1e-3, 2e-2}, // all it does is within 0.09 s
        {"sin(0.1*time)", 0, 0, 0},
        {"time^3", 0, 0, 0},
        {"sin(977*time)", 0, 0, 0}, // the same everywhere: error control sees it
        {"max(sin(time), 2)", 0, 0, 0},
        {"step(time, 0, 0, 0.1, 1)", 2, 0, 0},    // its curvature begins with the run
        {"if(time-1: 0, DX(a), VX(a))", 1, 0, 0}, // the time says which expression of places it is
        {"if(time-1: 0, 200*DX(a), if(time-1.001: DX(a), 0, 0))", 2, 0, 0},
        {"DX(a)*if(time-1: 0, 1, 1)", 1, 0, 0}, // a part of an expression of places
        {"DX(a)*exp(-((time-1)/1e-4)^2)", 0, 1e-6, 1e-4},
        {"if(DX(a): 0, abs(time-1), abs(time-2))", 2, 0, 0},
        // kinks and jumps of what no single function shows: slopes are 0/0 there, or infinite times 0
        {"asin(sin(time))", 2, 0, 0},     // pi/2, 3 pi/2
        {"acos(cos(time+0.5))", 1, 0, 0}, // pi - 0.5
        {"atan(tan(time))", 2, 0, 0},     // jumps
        {"atan2(sin(time), cos(time))", 1, 0, 0},
        {"sqrt(sin(time)^2)", 1, 0, 0}, // pi; at 0 it starts
        {"(sin(time)^2)^0.5", 1, 0, 0},
        {"sqrt(1+cos(time))", 1, 0, 0}, // pi
        {"((time-1)^2)^0.5", 1, 0, 0},
        {"((time-1)^2)^1.5", 1, 0, 0},                 // of the third derivative
        {"(time-1)/sqrt((time-1)^2)", 1, 1e-10, 1e-2}, // enclosures of 0/0 are wide near it
        {"(time-1)^2/sqrt((time-1)^2)", 1, 1e-3, 0.1},
        {"atan(1/(time-1))", 1, 0, 0},
        {"sin(time-1)/(time-1)", 0, 1e-10, 1e-2}, // none: the same on both sides
        {"((time-1)^4)^0.5", 0, 0, 0},            // (time-1)^2
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        hol_loads l;
        hol_model_data *m;
        search(rows[i].force, 5, &l, &m);
        const double w = narrowest_of(&l);
        if (jumps_of(&l) != rows[i].jumps)
            fail_msg("%s: %d jumps, not %d", rows[i].force, jumps_of(&l), rows[i].jumps);
        if (rows[i].high == 0 ? l.n_cells > 0 : !(w >= rows[i].low && w <= rows[i].high))
            fail_msg("%s: the narrowest of %d cells has %g s", rows[i].force, l.n_cells, w);
        hol_loads_destroy(&l);
        hol_model_free(m);
    }
}

// Pulses of a random place, width 1e-6 .. 1e-1 of the run, shape and height: every jump at its time, every smooth pulse in narrow
// cells; nothing elsewhere.
enum { BOX, RAMPS, SHAPES_WITH_JUMPS, GAUSS = SHAPES_WITH_JUMPS, LORENTZ, SHAPES };

static int put_pulse(char *text, size_t size, int shape, double t, double w, double height)
{
    switch (shape) {
    case BOX:
        snprintf(text, size, "if(time - %.17g: 0, %.17g, if(time - %.17g: %.17g, 0, 0))", t, height, t + w,
                 height);
        return 2;
    case RAMPS:
        snprintf(text, size, "%.17g*(step(time, %.17g, 0, %.17g, 1) - step(time, %.17g, 0, %.17g, 1))",
                 height, t, t + 0.3 * w, t + 0.7 * w, t + w);
        return 4;
    case GAUSS: snprintf(text, size, "%.17g*exp(-((time - %.17g)/%.17g)^2)", height, t, w); return 0;
    default: snprintf(text, size, "%.17g/(1 + ((time - %.17g)/%.17g)^4)", height, t, w); return 0;
    }
}

static void random_pulses_are_found(void **state)
{
    hol_random dice = {7};
    const int all = goes_far() ? 1000 : 100;
    const double T = 10;
    (void)state;
    for (int i = 0; i < all; i++) {
        char text[600];
        const double w = T * pow(10, random_in(&dice, -6, -1)), t = random_in(&dice, 0.01, 0.8 * T),
                     height = pow(10, random_in(&dice, -3, 4));
        const int shape = i % SHAPES, wanted = put_pulse(text, sizeof text, shape, t, w, height);
        hol_loads l;
        hol_model_data *m;
        search(text, T, &l, &m);
        if (jumps_of(&l) != wanted) fail_msg("%s: %d jumps", text, jumps_of(&l));
        if (wanted && !(fabs(l.stop[0].before - t) < 1e-14 * T && fabs(l.stop[0].after - t) < 1e-14 * T))
            fail_msg("%s: stop at %.17g .. %.17g", text, l.stop[0].before, l.stop[0].after);
        bool seen = wanted || w > T / 50; // steps are no longer than that
        for (int k = 0; k < l.n_cells; k++) {
            const hol_cell *c = &l.cell[k];
            if (c->to - c->from > T / 40) fail_msg("%s: a wide cell of %g s", text, c->to - c->from);
            if (fmax(t - w - c->to, c->from - t - 2 * w) >
                2 * (c->to - c->from) + 60 * w) // halves on the way to it
                fail_msg("%s: a cell at %g .. %g", text, c->from, c->to);
            seen = seen || (c->from <= t + w && c->to >= t - w && c->to - c->from <= w);
        }
        if (!seen) fail_msg("%s: not seen in %d cells", text, l.n_cells);
        hol_loads_destroy(&l);
        hol_model_free(m);
    }
}

// ---- runs --------------------------------------------------------------------------------------------------------

// Methods with error control that take a point mass; each in its first form.
static bool next_method(int *i, const hol_method **method)
{
    for (; hol_methods[*i]; ++*i) {
        *method = hol_methods[(*i)];
        if (!(*method)->teaching && strcmp((*method)->name, "central")) {
            ++*i;
            return true;
        }
    }
    return false;
}

static const char HIT[] =
    "dimension: 2\n%s"
    "splines: [{name: spike, kind: linear, x: [0, %.17g, %.17g, %.17g, 10], y: [0, 0, 1, 0, 0]}]\n"
    "bodies: [{name: a, type: point, mass: 2, position: [0, 0]}]\n"
    "forces: [{name: f, type: force, on: a, value: [\"%s\", 0]}]\n"
    "simulate: {end: 2.5, tolerance: %g}\n";

// The speed of a free mass of 2 kg is the impulse by 2, which the formula of the pulse gives.
static void impulses_arrive(void **state)
{
    static const double pi = 3.14159265358979;
    hol_random dice = {11};
    const int rounds = goes_far() ? 30 : 2;
    (void)state;
    for (int round = 0; round < rounds; round++)
        for (int shape = 0; shape <= SHAPES; shape++) {
            const double w = pow(10, random_in(&dice, -5, -2)), t = random_in(&dice, 0.1, 2), F = 1 / w;
            const double impulse[] = {1, 0.7, sqrt(pi), pi / sqrt(2), 0.5};
            char force[600], text[1500];
            if (shape == SHAPES)
                snprintf(force, sizeof force, "%.17g*spline(time, spike)", F);
            else
                put_pulse(force, sizeof force, shape, t, w, F);
            const hol_method *method;
            for (int i = 0; next_method(&i, &method);) {
                char set[100];
                const char *const list[] = {set};
                snprintf(text, sizeof text, HIT, "", t, t + 0.4 * w, t + w, force,
                         tolerance_of_steps(method->name, round % 2 && method->order > 1 ? 1e-6 : 1e-3));
                snprintf(set, sizeof set, "simulate.method=%s", method->name);
                motion a = move(text, list, 1);
                const double v = a.end == HOL_OK ? value_of(&a, "a.vx") : (double)NAN;
                // 0.5 is missing if it is not seen
                const double allowed = method->order < 2 ? 0.1 : 0.05; // in few steps, tested by positions
                if (!(fabs(v - impulse[shape] / 2) < allowed * impulse[shape]))
                    fail_msg("%s, %s: %.9g instead of %.9g; %s", method->name, force, v, impulse[shape] / 2,
                             a.end ? hol_context_error(ctx) : "");
                close_motion(&a);
            }
        }
}

// A pulse too weak for any error test: the steps in which it is are short all the same, since what is seen is not what matters alone.
static void narrow_cells_have_short_steps(void **state)
{
    const hol_method *method;
    (void)state;
    for (int i = 0; next_method(&i, &method);) {
        char text[1500], set[100];
        const char *const list[] = {set};
        snprintf(text, sizeof text, HIT, "", 1., 2., 3., "1e-9*exp(-((time-1.2345)/1e-3)^2)", 1e-2);
        snprintf(set, sizeof set, "simulate.method=%s", method->name);
        motion a = open_motion(text, list, 1);
        double at = 0, longest = 0;
        for (bool done = false; !done; at = hol_simulation_time(a.sim)) {
            assert_int_equal(hol_simulation_step(a.sim, &done), HOL_OK);
            const double now = hol_simulation_time(a.sim);
            if (at < 1.2345 && now >= 1.2345) longest = now - at;
        }
        if (!(longest > 0 && longest < 2e-3)) fail_msg("%s: %g s", method->name, longest);
        close_motion(&a);
    }
}

// A force that jumps at 0.5 s is what it was up to the end of the step there, and what it becomes from then on: with a constant
// force on both sides every method of order 2 is exact.
static void each_side_has_its_own_value(void **state)
{
    const hol_method *method;
    (void)state;
    for (int i = 0; next_method(&i, &method);) {
        char text[1500], set[100];
        const char *const list[] = {set};
        if (method->order < 2) continue;
        snprintf(text, sizeof text, HIT, "", 1., 2., 3., "if(time-0.5: 0, 7, 4)", 1e-4);
        snprintf(set, sizeof set, "simulate.method=%s", method->name);
        motion a = move(text, list, 1);
        assert_int_equal(a.end, HOL_OK);
        // 4 N on 2 kg for 2 s: 4 m/s and 4 m; orders that are chosen and damping (hht) begin with a short step
        const double allowed = method->orders || !method->exact ? 1e-3 : 1e-10;
        near(method->name, value_of(&a, "a.vx"), 4, allowed);
        near(method->name, value_of(&a, "a.x"), 4, 4 * allowed);
        close_motion(&a);
    }
}

// What begins with the run has at 0 the curvature of what was before: a driver that starts from rest, of every kind. At 1.5 s the motion is at
// its end, or has the velocity that follows from the formula.
static void motions_begin_with_the_run(void **state)
{
    static const struct {
        const char *value;
        double x, v; // at 1.5 s
    } functions[] = {{"step(time,0,0,1,0.5)", 0.5, 0},   {"step(time,1e-12,0,1,0.5)", 0.5, 0},
                     {"havsin(time,0,0,1,0.5)", 0.5, 0}, {"step5(time,0,0,1,0.5)", 0.5, 0},
                     {"0.2*max(0,time)^2", 0.45, 0.6},   {"if(time: 0, 0, 0.2*time^2)", 0.45, 0.6}};
    static const struct {
        const char *part, *x, *v;
    } kinds[] = {
        {"joints: [{name: j, type: translational, bodies: [ground, a], at: [0, 0], axis: [1, 0]}]\n"
         "drivers: [{name: d, type: stroke, joint: j, value: \"%s\"}]\n",
         "a.x", "a.vx"},
        {"joints: [{name: j, type: revolute, bodies: [ground, a], at: [0, 0]}]\n"
         "drivers: [{name: d, type: angle, joint: j, value: \"%s\"}]\n",
         "a.theta", "a.omega"},
        {"ground: {markers: {m: {motion: {x: \"%s\"}}}}\n"
         "joints: [{name: j, type: fixed, between: [ground.m, a]}]\n",
         "a.x", "a.vx"},
    };
    const hol_method *method;
    (void)state;
    for (int i = 0; next_method(&i, &method);)
        for (int row = 0; row < HOL_COUNT(functions) * HOL_COUNT(kinds); row++) {
            const int f = row % HOL_COUNT(functions), kind = row / HOL_COUNT(functions);
            char part[600], text[1000], set[100];
            const char *const list[] = {set};
            snprintf(part, sizeof part, kinds[kind].part, functions[f].value);
            snprintf(text, sizeof text,
                     "dimension: 2\ngravity: [0, -9.81]\nbodies: [{name: a, mass: 1, inertia: 1}]\n%s"
                     "simulate: {end: 1.5, tolerance: %g}\n",
                     part, tolerance_of_steps(method->name, 1e-4));
            snprintf(set, sizeof set, "simulate.method=%s", method->name);
            motion a = move(text, list, 1);
            if (a.end) fail_msg("%s, %s: %s", method->name, part, hol_context_error(ctx));
            near(part, value_of(&a, kinds[kind].x), functions[f].x, 1e-3);
            near(part, value_of(&a, kinds[kind].v), functions[f].v, 5e-3);
            close_motion(&a);
        }
}

// Fixed steps end at no jump, but the first one begins on the right side of one at 0: a force that is 0 there and 4 N from then on makes
// 2 m/s and 1 m of 2 kg in 1 s, of which the first step of 0.1 s would lack up to 0.1 m/s.
static void fixed_steps_begin_behind_a_jump(void **state)
{
    const hol_method *method;
    (void)state;
    for (int i = 0; next_method(&i, &method);) {
        const char *const list[] = {"simulate.step=0.1"};
        char text[300];
        if (method->refuse == hol_sundials_refuse) continue;
        snprintf(
            text, sizeof text,
            "dimension: 2\nbodies: [{name: a, type: point, mass: 2}]\nforces: [{name: f, type: force, on: "
            "a, value: [\"if(time: 0, 0, 4)\", 0]}]\nsimulate: {end: 1, method: %s}\n",
            method->name);
        motion a = move(text, list, 1);
        if (a.end) fail_msg("%s: %s", method->name, hol_context_error(ctx));
        near(method->name, value_of(&a, "a.vx"), 2, 1e-9);
        near(method->name, value_of(&a, "a.x"), 1, method->order < 2 ? 0.1 : 1e-9);
        close_motion(&a);
    }
}

// ---- what no run can pass ------------------------------------------------------------------------------------------

static void what_no_run_can_pass_is_refused(void **state)
{
    static const struct {
        const char *part, *words;
    } rows[] = {
        {"drivers: [{name: d, type: angle, joint: pin, value: \"if(time - 0.5: 0, 1, 1)\"}]",
         "\"d\" prescribes (\"if(time - 0.5: 0, 1, 1)\") jumps by 1 rad at 0.5 s: a motion that no force can "
         "make"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"max(0, time - 0.5)\"}]",
         "jumps by 1 rad/s at 0.5 s: a motion that no force can make; with a for what it is before and b for "
         "what "
         "it is after, write (a) + ((b) - (a))*step5(time, 0.5, 0, 0.54, 1)"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"max(0, time)\"}]",
         "jumps by 1 rad/s at 0 s: a motion that no force can make"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"if(time: 0, 0, 1)\"}]",
         "jumps by 1 rad at 0 s: a motion that no force can make"},
        // its slope has no bound on either side; steps collapsed there, and the message named nothing
        {"drivers: [{name: d, type: angle, joint: pin, value: \"sqrt(abs(time - 0.5))\"}]",
         "has no bounded velocity at 0.5 s: a motion that no force can make; --end 0.4995"},
        // where the derivative of an outer function has no bound and that of the inner one is 0
        {"drivers: [{name: d, type: angle, joint: pin, value: asin(sin(time))}]",
         "(\"asin(sin(time))\") jumps by -2 rad/s at 1.5707963"},
        {"drivers: [{name: d, type: angle, joint: pin, value: atan(tan(time))}]",
         "(\"atan(tan(time))\") jumps by -3.14159 rad at 1.57079633 s"},
        {"drivers: [{name: d, type: angle, joint: pin, value: 2*acos(cos(time+2))}]",
         "(\"2*acos(cos(time+2))\") jumps by -4 rad/s at 1.1415926"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"sqrt(sin(2*time+1)^2)\"}]",
         "jumps by 4 rad/s at 1.07079633 s"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"((time - 0.5)^2)^0.5\"}]",
         "jumps by 2 rad/s at 0.5 s"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"(time - 0.5)/((time - 0.5)^2)^(1/3)\"}]",
         "has no bounded velocity at 0.5 s"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"((time - 0.5)^2)^0.75\"}]",
         "has no bounded acceleration at 0.5 s"},
        {"drivers: [{name: d, type: angle, joint: pin, value: \"abs(time - 0.5)^1.5\"}]",
         "has no bounded acceleration at 0.5 s"},
        {"constraints: [{name: c, position: \"AZ(a) - asin(sin(time))\"}]",
         "(\"AZ(a) - asin(sin(time))\") jumps at 1.5707963"},
        {"constraints: [{name: c, velocity: \"WZ(a) - 3*atan(tan(time))\"}]",
         "(\"WZ(a) - 3*atan(tan(time))\") jumps at 1.57079633 s: a motion"},
        {"constraints: [{name: c, velocity: \"WZ(a) - sqrt(abs(time - 0.5))\"}]",
         "has no bounded acceleration at 0.5 s"},
        {"splines: [{name: S, x: [0, 0.5, 1], y: [0, 1, 3], kind: linear}]\n"
         "drivers: [{name: d, type: angle, joint: pin, value: \"spline(time, S)\"}]",
         "that no force can make; the table is joined by lines: take one with kind: akima, or cubic"},
        {"splines: [{name: S, kind: akima, x: [0, 0.5, 1], y: [0, 1, 3], beyond: hold}]\n"
         "drivers: [{name: d, type: angle, joint: pin, value: \"spline(time, S)\"}]",
         "at 1 s: a motion that no force can make; `beyond: hold` breaks off the slope of the table at its "
         "end"},
        {"splines: [{name: S, kind: linear, x: [0, 1], y: [0, 1], beyond: hold}]\n"
         "drivers: [{name: d, type: angle, joint: pin, value: \"spline(time, S)\"}]",
         "at 1 s: a motion that no force can make; `beyond: hold` breaks off"},
        {"splines: [{name: S, kind: akima, x: [0, 1, 3], y: [0, 1, 3], beyond: hold}]\n"
         "constraints: [{name: c, position: \"AZ(a) - spline(2*time, S)\"}]",
         "`beyond: hold` breaks off"},
        {"constraints: [{name: c, position: \"AZ(a) - if(time - 0.5: 0, 1, 1)\"}]",
         "constraint \"c\" (\"AZ(a) - if(time - 0.5: 0, 1, 1)\") jumps at 0.5 s: a motion that no force can "
         "make; put step5(time, 0.5, 0, 0.54, 1)"},
        {"constraints: [{name: c, position: \"2*(AZ(a) - max(0, time - 0.5))\"}]",
         "jumps at 0.5 s by its slope"},
        {"constraints: [{name: c, velocity: \"WZ(a) - if(time - 0.5: 0, 1, 1)\"}]",
         "constraint \"c\" (\"WZ(a)"},
        {"constraints: [{name: c, position: \"AZ(a) - 1/(time - 0.5)^2 + 4\"}]", "has a pole at t = 0.5 s"},
        {"forces: [{name: f, type: torque, on: a, value: 1/(time - 0.5)}]",
         "force \"f\" (\"1/(time - 0.5)\") has a pole at t = 0.5 s"},
        {"forces: [{name: f, type: torque, on: a, value: tan(time)}]", "has a pole at t = 1.57079633 s"},
        {"variables: [{name: u, value: 1/(time - 0.5)}]\nforces: [{name: f, type: torque, on: a, value: "
         "u*AZ(a)}]",
         "variable \"u\" (\"1/(time - 0.5)\") has a pole at t = 0.5 s"},
        {"states: [{name: x, rate: 1/(time - 0.5)^2}]", "state \"x\" (\"1/(time - 0.5)^2\") has a pole"},
    };
    static const char *const fine[] = {
        "variables: [{name: u, value: 1/(time - 0.5)}]", // no motion takes it
        "forces: [{name: f, type: torque, on: a, value: \"if(time - 0.4: 1/(time - 0.5), 0, 1)\"}]",
        "forces: [{name: f, type: torque, on: a, value: sin(time - 0.51)/(time - 0.51)}]",
        "forces: [{name: f, type: torque, on: a, value: tan(time/8)}]",
        "drivers: [{name: d, type: angle, joint: pin, value: \"step(time, 0.5, 0, 0.6, 1)\"}]",
        // what the messages offer
        "drivers: [{name: d, type: angle, joint: pin, value: \"step5(time, 0.5, 0, 0.54, 1)\"}]",
        ("drivers: [{name: d, type: angle, joint: pin, value: \"max(0, time - 0.5)*step5(time, 0.5, 0, 0.54, "
         "1)\"}]"),
        "constraints: [{name: c, position: \"AZ(a) - step5(time, 0.5, 0, 0.54, 1)\"}]",
        "constraints: [{name: c, velocity: \"WZ(a) - max(0, time - 0.5)\"}]",
        "splines: [{name: S, kind: akima, x: [0, 0.5, 1], y: [0, 1, 3], beyond: line}]\n"
        "drivers: [{name: d, type: angle, joint: pin, value: \"spline(time, S)\"}]",
        "splines: [{name: S, kind: akima, x: [-1.4, -1.2, -1, 0.5, 1, 1.2, 1.4], y: [0, 0, 0, 1, 3, 3, 3], "
        "beyond: hold}]\n"
        "drivers: [{name: d, type: angle, joint: pin, value: \"spline(time, S)\"}]",
        // an edge of a table that is touched at rest; what only looks like a corner
        "splines: [{name: S, kind: akima, x: [0, 0.2, 0.5, 1], y: [0, 1, 3, 4], beyond: hold}]\n"
        "drivers: [{name: d, type: angle, joint: pin, value: \"spline(sin(time)^2, S)\"}]",
        "drivers: [{name: d, type: angle, joint: pin, value: \"((time - 0.5)^4)^0.5\"}]",
        "drivers: [{name: d, type: angle, joint: pin, value: \"((time - 0.5)^2)^1.5\"}]",
        "drivers: [{name: d, type: angle, joint: pin, value: \"asin(0.99*sin(time))\"}]",
        "drivers: [{name: d, type: angle, joint: pin, value: sin(time - 0.5)/(time - 0.5)}]",
        "constraints: [{name: c, velocity: \"WZ(a) - asin(sin(time))\"}]",
        // where it jumps the jump has the factor 0
        "constraints: [{name: c, position: \"AZ(a)*if(time - 0.5: 1, 1, 2)\"}]",
    };
    const char *model =
        "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
        "joints: [{name: pin, type: revolute, between: [ground, a]}]\n%s\nsimulate: {end: 2}\n";
    char text[900];
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        snprintf(text, sizeof text, model, rows[i].part);
        hol_model *m = load_model(text, NULL, 0);
        assert_null(hol_simulation_create(ctx, m));
        expect_message(rows[i].words);
        hol_model_destroy(m);
    }
    for (int i = 0; i < HOL_COUNT(fine); i++) {
        snprintf(text, sizeof text, model, fine[i]);
        motion a = move(text, NULL, 0);
        if (a.end) fail_msg("%s: %s", fine[i], hol_context_error(ctx));
        close_motion(&a);
    }
}

// What is known of a constraint only when the time comes.
static void constraints_that_jump_on_the_way_stop(void **state)
{
    static const char *const rows[] = {"position: \"if(time - 0.5: DX(a), 1, DX(a) - 0.1)\"",
                                       "position: \"(DX(a) + 1)*if(time - 0.5: 1, 1, 2) - 1\"",
                                       "velocity: \"if(time - 0.5: VX(a), 1, VX(a) - 0.1)\""};
    char text[600];
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int k = 0; k < 3; k++) {
            snprintf(text, sizeof text,
                     "dimension: 2\ngravity: [0, -1]\nbodies: [{name: a, type: point, mass: 1}]\n"
                     "constraints: [{name: c, %s}]\nsimulate: {end: 2, method: %s}\n",
                     rows[i], (const char *const[]){"hht", "rk", "bdf"}[k]);
            motion a = move(text, NULL, 0);
            if (!a.end) fail_msg("%s: passed", rows[i]);
            expect_message("stopped at t = 0.5 s: an expression of `constraints` jumps there");
            close_motion(&a);
        }
}

// Curvatures and slopes of constraints are passed by new starts: s = (t - 0.5)^2 from 0.5 on, and v = t - 0.5.
static void constraints_with_corners_are_met(void **state)
{
    static const struct {
        const char *constraint;
        double at; // DX at 2 s
    } rows[] = {{"position: \"DX(a) - max(0, time - 0.5)^2\"", 2.25},
                {"velocity: \"VX(a) - max(0, time - 0.5)\"", 1.125}};
    char text[600];
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++)
        for (int k = 0; k < 3; k++) {
            snprintf(
                text, sizeof text,
                "dimension: 2\ngravity: [0, -1]\nbodies: [{name: a, type: point, mass: 1}]\n"
                "constraints: [{name: c, %s}]\nsimulate: {end: 2, tolerance: 1e-6, output: 1, method: %s}\n",
                rows[i].constraint, (const char *const[]){"hht", "rk", "bdf"}[k]);
            motion a = move(text, NULL, 0);
            if (a.end) fail_msg("%s: %s", rows[i].constraint, hol_context_error(ctx));
            near("DX", value_of(&a, "a.x"), rows[i].at, 1e-4);
            close_motion(&a);
        }
}

// What is 0/0, or has a slope that is, at one time: no method asks for it there, at the start, on the way or in a row of results. Speeds at
// 3 s are integrals: of |t - 1|/(t - 1), of the triangle wave acos(cos(3 t)), and asin(sin(t)) itself, whose angle is one.
static void places_without_a_slope_are_passed(void **state)
{
    const double pi = HOL_PI, left = pi - 3, over = 9 - 2 * pi;
    const struct {
        const char *part, *signal;
        double wanted;
        unsigned needs;
    } rows[] = {
        {"forces: [{name: f, type: torque, on: a, value: \"(time-1)/sqrt((time-1)^2)\"}]", "a.omega", 1, 0},
        {"forces: [{name: f, type: torque, on: a, value: acos(cos(3*time))}]", "a.omega",
         (pi * pi + over * over / 2) / 3, 0},
        {"forces: [{name: f, type: torque, on: a, value: \"sin(time-1)/(time-1) - sin(time-1)/(time-1) + "
         "sqrt(1-cos(time)^2)\"}]",
         "a.omega", 1 - cos(3), 0},
        {"constraints: [{name: c, velocity: \"WZ(a) - asin(sin(time))\"}]", "a.theta",
         pi * pi / 4 - left * left / 2, HOL_ACCEPTS_RATES},
    };
    const hol_method *method;
    (void)state;
    for (int k = 0; k < HOL_COUNT(rows); k++)
        for (int i = 0; next_method(&i, &method);) {
            char text[900], set[100];
            const char *const list[] = {set};
            if (rows[k].needs & ~method->accepts) continue;
            snprintf(text, sizeof text,
                     "dimension: 2\nbodies: [{name: a, mass: 1, inertia: 1}]\n"
                     "joints: [{name: pin, type: revolute, between: [ground, a]}]\n%s\n"
                     "simulate: {end: 3, output: 0.25, tolerance: %g}\n",
                     rows[k].part, tolerance_of_steps(method->name, 1e-5));
            snprintf(set, sizeof set, "simulate.method=%s", method->name);
            motion a = move(text, list, 1);
            if (a.end) fail_msg("%s, %s: %s", rows[k].part, method->name, hol_context_error(ctx));
            near(method->name, value_of(&a, rows[k].signal), rows[k].wanted, 5e-3);
            close_motion(&a);
        }
}

// An event sets when a pulse comes: 100 N for 0.01 s on 2 kg, after the event. Its impulse is 1 N s.
static void parameters_that_events_set_are_followed(void **state)
{
    const char *text =
        "dimension: 2\nparameters: {t1: 100}\nbodies: [{name: a, type: point, mass: 2}]\n"
        "forces: [{name: f, type: force, on: a, value: [\"if(time-t1: 0, 100, if(time-t1-0.01: 100, 0, "
        "0))\", 0]}]\n"
        "events: [{name: go, at: [0.3], set: {t1: 1.2345}}]\nsimulate: {end: 2.5, tolerance: 1e-4}\n";
    const hol_method *method;
    (void)state;
    for (int i = 0; next_method(&i, &method);) {
        char set[100];
        const char *const list[] = {set};
        if (!(method->accepts & HOL_ACCEPTS_EVENTS) || !(method->accepts & HOL_ACCEPTS_VARIABLES)) continue;
        snprintf(set, sizeof set, "simulate.method=%s", method->name);
        motion a = move(text, list, 1);
        if (a.end) fail_msg("%s: %s", method->name, hol_context_error(ctx));
        near(method->name, value_of(&a, "a.vx"), 0.5, 5e-3);
        close_motion(&a);
    }
}

// A run that is broken off and resumed sees the same stop times.
static void checkpoints_have_them(void **state)
{
    const hol_method *method;
    (void)state;
    for (int i = 0; next_method(&i, &method);) {
        char text[1500], set[100], file[] = "/tmp/holonom_loads_XXXXXX";
        const char *const list[] = {set};
        const int made = mkstemp(file);
        if (method->begins_anew) continue;
        assert_true(made >= 0);
        snprintf(text, sizeof text, HIT, "", 1., 1.01, 1.02,
                 "5*sin(9*time)+spline(time, spike)+50*exp(-((time-1.3)/1e-4)^2)",
                 tolerance_of_steps(method->name, 1e-5));
        snprintf(set, sizeof set, "simulate.method=%s", method->name);
        resume(text, list, 1, file);
        remove(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_found),
        cmocka_unit_test(random_pulses_are_found),
        cmocka_unit_test(impulses_arrive),
        cmocka_unit_test(narrow_cells_have_short_steps),
        cmocka_unit_test(each_side_has_its_own_value),
        cmocka_unit_test(motions_begin_with_the_run),
        cmocka_unit_test(fixed_steps_begin_behind_a_jump),
        cmocka_unit_test(what_no_run_can_pass_is_refused),
        cmocka_unit_test(constraints_that_jump_on_the_way_stop),
        cmocka_unit_test(constraints_with_corners_are_met),
        cmocka_unit_test(places_without_a_slope_are_passed),
        cmocka_unit_test(parameters_that_events_set_are_followed),
        cmocka_unit_test(checkpoints_have_them),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
