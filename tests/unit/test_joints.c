// What joints hold: poses written down by geometry satisfy their rows, over several turns, and others do not.
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <math.h>

#define DEG (HOL_PI / 180)

// An element with a pose and its memory.
typedef struct {
    const hol_element *e;
    double y[HOL_MAX_Y], mem[HOL_MAX_MEMORY], row[HOL_MAX_ROWS], J[HOL_MAX_ROWS * HOL_MAX_Y];
} joint;

static joint take(const hol_model_data *m, const char *name)
{
    joint j = {.e = &m->element[hol_model_find_element(m, name)]};
    double w[HOL_MAX_Y];
    hol_element_gather(m, j.e, 0, m->q0, m->v0, 1, j.y, w);
    return j;
}

static const double *rows(joint *j)
{
    j->e->type->phi(j->e->data, j->e->ny, j->y, j->mem, j->row, j->J);
    return j->row;
}

static void close_to(double have, double want) { near("value", have, want, 1e-12 * fmax(1, fabs(want))); }

static void must_hold(joint *j)
{
    rows(j);
    for (int i = 0; i < j->e->n_rows; i++)
        if (!(fabs(j->row[i]) <= 1e-12)) {
            print_error("%s: %s is %.3g\n", j->e->type->name, j->e->type->row(j->e->data, i).direction,
                        j->row[i]);
            fail();
        }
}

static void remember(joint *j)
{
    static const double rest[HOL_MAX_Y];
    j->e->type->remember(j->e->data, j->e->ny, j->y, rest, j->mem);
}

// ---- poses ----------------------------------------------------------------------------------------------------

static void turn(const double axis[3], double angle, double q[4])
{
    const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    q[0] = cos(angle / 2);
    for (int i = 0; i < 3; i++) q[i + 1] = sin(angle / 2) * axis[i] / n;
}

static void rotate(const double q[4], const double u[3], double out[3])
{
    double R[9];
    hol_quat_matrix(q, R);
    for (int i = 0; i < 3; i++) out[i] = R[3 * i] * u[0] + R[3 * i + 1] * u[1] + R[3 * i + 2] * u[2];
}

// Moves the body of the second end so that its marker stands at r with the orientation q.
static void put_second(joint *j, const double r[3], const double q[4])
{
    const hol_marker *k = j->e->end[1].marker;
    const double back[4] = {hol_marker_quat(k)[0], -hol_marker_quat(k)[1], -hol_marker_quat(k)[2],
                            -hol_marker_quat(k)[3]};
    double body[4], arm[3];
    hol_quat_multiply(q, back, body);
    rotate(body, k->s, arm);
    for (int i = 0; i < 3; i++) j->y[k->iy + i] = r[i] - arm[i];
    memcpy(j->y + k->iy + 3, body, sizeof body);
}

// The same, given in the frame of the first end, which is on ground.
static void put_relative(joint *j, const double d[3], const double turned[4])
{
    const hol_marker *k = j->e->end[0].marker;
    double r[3], q[4];
    rotate(hol_marker_quat(k), d, r);
    for (int i = 0; i < 3; i++) r[i] += k->s[i];
    hol_quat_multiply(hol_marker_quat(k), turned, q);
    put_second(j, r, q);
}

static const double origin[3] = {0, 0, 0}, x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0},
                    z_axis[3] = {0, 0, 1};

// ---- screws ---------------------------------------------------------------------------------------------------

static void a_screw_advances_by_its_pitch_per_turn(void **state)
{
    (void)state;
    for (int left = 0; left < 2; left++) {
        char text[500];
        const double pitch = left ? -0.02 : 0.02;
        snprintf(
            text, sizeof text,
            "dimension: 3\nbodies:\n  - {name: nut, mass: 1, inertia: [1, 1, 1], position: [0.3, 0.1, 0.2]}\n"
            "joints:\n  - {name: s, type: screw, pitch: %g, bodies: [ground, nut], at: [0.1, 0.2, 0.3], "
            "axis: [1, 2, 2]}\n",
            pitch);
        hol_model_data *m = compile(text, NULL, 0);
        joint s = take(m, "s");
        assert_int_equal(s.e->n_rows, 5);
        assert_int_equal(s.e->n_mem, HOL_TURNS_SIZE);
        must_hold(&s);
        double q[4];
        for (int k = 0; k <= 60; k++) { // about five turns forth
            const double d[3] = {0, 0, pitch * 0.5 * k / (2 * HOL_PI)};
            turn(z_axis, 0.5 * k, q);
            put_relative(&s, d, q);
            must_hold(&s);
            remember(&s);
        }
        const double too_far[3] = {0, 0, pitch * (30 / (2 * HOL_PI) + 1)}; // one turn more than it has turned
        put_relative(&s, too_far, q);
        close_to(rows(&s)[4], pitch);
        assert_string_equal(s.e->type->row(s.e->data, 4).direction, "thread");
        assert_true(s.e->type->row(s.e->data, 4).is_length);
        hol_model_free(m);
    }
}

// ---- shafts at an angle ---------------------------------------------------------------------------------------

static const char *const shafts =
    "dimension: 3\n"
    "ground: {markers: {in: {axis: [0, 0, 1]}, out: {axis: [0.5, 0, 0.8660254037844386]}}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [1, 1, 1], markers: {arm: {axis: [1, 0, 0]}}}\n"
    "  - {name: b, mass: 1, inertia: [1, 1, 1], markers: {arm: {axis: [0, 1, 0]}}}\n"
    "joints:\n"
    "  - {name: cv, type: constant-velocity, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1],\n"
    "     axis2: [0.5, 0, 0.8660254037844386]}\n"
    "  - {name: cross, type: universal, between: [a.arm, b.arm]}\n";
static const double bend = 30 * DEG, out_axis[3] = {0.5, 0, 0.8660254037844386};

static void turn_shafts(joint *j, double first, double second)
{
    memset(j->y, 0, sizeof j->y);
    turn(z_axis, first, j->y + 3);
    turn(out_axis, second, j->y + 10);
}

// How fast the second shaft turns when the first one turns by 1 rad/s, by the row that couples them.
static double ratio(joint *j)
{
    static const double *const axis[2] = {z_axis, out_axis};
    double part[2] = {0, 0};
    rows(j);
    for (int k = 0; k < 2; k++) {
        double E[3][4];
        hol_global_rate(j->y + 7 * k + 3, E);
        for (int c = 0; c < 4; c++) {
            const double rate = 0.5 * (E[0][c] * axis[k][0] + E[1][c] * axis[k][1] + E[2][c] * axis[k][2]);
            part[k] += j->J[3 * j->e->ny + 7 * k + 3 + c] * rate;
        }
    }
    return -part[0] / part[1];
}

static void a_constant_velocity_joint_keeps_equal_rates(void **state)
{
    (void)state;
    hol_model_data *m = compile(shafts, NULL, 0);
    joint cv = take(m, "cv"), cross = take(m, "cross");
    double slowest = 1, fastest = 1;
    assert_int_equal(cv.e->n_rows, 4);
    assert_int_equal(cv.e->n_mem, 0);
    for (int k = -100; k <= 100; k++) {
        const double angle = 0.2 * k;
        turn_shafts(&cv, angle, angle);
        must_hold(&cv);
        close_to(ratio(&cv), 1);
        turn_shafts(&cv, angle, angle + 0.3);
        close_to(fabs(rows(&cv)[3]), 2 * cos(bend / 2) * sin(0.15));
        // the cross: z of its arms is x of the first shaft and y of the second
        const double other = atan2(sin(angle), cos(angle) * cos(bend));
        turn_shafts(&cross, angle, other);
        must_hold(&cross);
        slowest = fmin(slowest, ratio(&cross));
        fastest = fmax(fastest, ratio(&cross));
    }
    assert_true(slowest < 0.87 && fastest > 1.15); // cos 30 deg and its inverse
    hol_model_free(m);
}

// ---- couplers -------------------------------------------------------------------------------------------------

static const char *const wheels =
    "dimension: 3\n"
    "ground: {markers: {p: {position: [0, 0, 0], axis: [0, 0, 1]}, q: {position: [1, 0, 0], axis: [0, 0, "
    "1]},\n"
    "                   rail: {position: [0, 1, 0], axis: [1, 0, 0]}}}\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [1, 1, 1], orientation: {rpy: [0, 0, 170 deg]}}\n"
    "  - {name: b, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], orientation: {rpy: [0, 0, -100 deg]}}\n"
    "  - {name: c, mass: 1, inertia: [1, 1, 1], position: [0.4, 1, 0], markers: {m: {axis: [1, 0, 0]}}}\n"
    "joints:\n"
    "  - {name: ja, type: revolute, between: [ground.p, a]}\n"
    "  - {name: jb, type: cylindrical, between: [ground.q, b]}\n"
    "  - {name: jc, type: translational, between: [ground.rail, c.m]}\n"
    "  - {name: gears, type: gear, joints: [ja, jb], ratio: -0.4}\n"
    "  - {name: rack, type: rack-pinion, joints: [ja, jc], radius: 0.05}\n"
    "  - {name: three, type: coupler, joints: [jc, jb, ja], ratios: [2, -0.3, 0.7]}\n";

static void spin(joint *j, int body, double angle) { turn(z_axis, angle, j->y + 7 * body + 3); }

// Drawn near half a turn: the first steps already pass it.
static void gears_keep_their_ratio_over_several_turns(void **state)
{
    (void)state;
    hol_model_data *m = compile(wheels, NULL, 0);
    joint g = take(m, "gears"), r = take(m, "rack"), all = take(m, "three");
    assert_int_equal(g.e->n_mem, 2 * HOL_TURNS_SIZE);
    assert_int_equal(r.e->n_mem, HOL_TURNS_SIZE);
    assert_int_equal(all.e->n_mem, 2 * HOL_TURNS_SIZE);
    assert_false(g.e->type->row(g.e->data, 0).is_length);
    assert_true(r.e->type->row(r.e->data, 0).is_length && all.e->type->row(all.e->data, 0).is_length);
    must_hold(&g);
    for (int forth = 0; forth < 2; forth++)
        for (int k = 0; k <= 100; k++) {
            const double a = forth ? 50 - 0.5 * k : 0.5 * k, b = -0.4 * a, c = 0.05 * a;
            spin(&g, 0, 170 * DEG + a);
            spin(&g, 1, -100 * DEG + b);
            must_hold(&g);
            remember(&g);
            spin(&r, 0, 170 * DEG + a);
            r.y[7] = 0.4 + c;
            must_hold(&r);
            remember(&r);
            all.y[0] = 0.4 + (0.3 * b - 0.7 * a) / 2; // bodies in the order of the joints
            spin(&all, 1, -100 * DEG + b);
            spin(&all, 2, 170 * DEG + a);
            must_hold(&all);
            remember(&all);
        }
    spin(&g, 0, 170 * DEG + 0.2);
    close_to(rows(&g)[0], -0.4 * 0.2); // by the larger ratio, 1, of the second wheel
    r.y[7] = 0.4 + 0.01;
    close_to(rows(&r)[0], -0.01);
    hol_model_free(m);
}

static void planar_gears_and_racks(void **state)
{
    (void)state;
    hol_model_data *m = compile("dimension: 2\nbodies:\n"
                                "  - {name: arm, mass: 1, inertia: 1, angle: 0.3}\n"
                                "  - {name: sun, mass: 1, inertia: 1, angle: 9}\n"
                                "  - {name: planet, mass: 1, inertia: 1, position: [1, 0], angle: -2}\n"
                                "  - {name: bar, mass: 1, inertia: 1, position: [0.5, 0.5], angle: 0.3}\n"
                                "joints:\n"
                                "  - {name: ja, type: revolute, between: [arm, sun]}\n"
                                "  - {name: jb, type: revolute, between: [planet, {arm: [1, 0]}]}\n"
                                "  - {name: jc, type: translational, between: [arm, bar]}\n"
                                "  - {name: gears, type: gear, joints: [ja, jb], ratio: 2}\n"
                                "  - {name: rack, type: rack-pinion, joints: [ja, jc], radius: -0.2}\n",
                                NULL, 0);
    joint g = take(m, "gears"), r = take(m, "rack");
    assert_int_equal(g.e->n_bodies, 3);
    assert_int_equal(g.e->n_mem, 0);
    must_hold(&g);
    must_hold(&r);
    for (int k = -20; k <= 20; k++) {
        const double carrier = 0.7 * k, sun = 1.1 * k; // turned since drawn
        g.y[2] = 0.3 + carrier;
        g.y[5] = 9 + sun;
        g.y[8] = -2 + carrier - 2 * (sun - carrier); // the second joint is named from the planet to the arm
        must_hold(&g);
    }
    const double u[2] = {cos(0.3), sin(0.3)};
    r.y[5] = 9 + 1.5; // the bar slides along x of the arm, against the pinion's sense
    for (int i = 0; i < 2; i++) r.y[6 + i] += -0.2 * 1.5 * u[i];
    must_hold(&r);
    hol_model_free(m);
}

// ---- links ----------------------------------------------------------------------------------------------------

static void links_keep_their_length_and_their_axes(void **state)
{
    (void)state;
    hol_model_data *m =
        compile("dimension: 3\nground: {markers: {g: {position: [0.1, 0.2, 0.3], orientation: {rpy: [0.4, "
                "0.5, 0.6]}}}}\n"
                "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], position: [1, 2, 3], markers: {m: [0.2, "
                "0.1, 0]}}\n"
                "joints:\n"
                "  - {name: rs, type: revolute-spherical, between: [ground.g, a.m], length: 0.8}\n"
                "  - {name: rr, type: revolute-revolute, between: [ground.g, a.m], length: 0.8}\n"
                "  - {name: drawn, type: revolute-spherical, between: [ground.g, a.m]}\n"
                "  - {name: rod, type: distance, between: [ground.g, a.m]}\n",
                NULL, 0);
    joint rs = take(m, "rs"), rr = take(m, "rr"), drawn = take(m, "drawn"), rod = take(m, "rod");
    assert_int_equal(rs.e->n_rows, 2);
    assert_int_equal(rr.e->n_rows, 4);
    must_hold(&rod);
    close_to(rows(&drawn)[1], 0);
    const double any[3] = {0.3, -0.7, 0.2};
    double q[4];
    for (int k = 0; k < 20; k++) {
        const double d[3] = {0.8 * cos(k), 0.8 * sin(k), 0};
        turn(any, 0.3 * k, q);
        put_relative(&rs, d, q);
        must_hold(&rs);
        turn(z_axis, -0.7 * k, q);
        put_relative(&rr, d, q);
        must_hold(&rr);
    }
    const double off[3] = {0.8, 0, 0.1};
    turn(x_axis, 0.2, q);
    put_relative(&rr, off, q);
    rows(&rr);
    close_to(rr.row[0], 0.1);
    close_to(rr.row[1], 2 * sin(0.1));
    close_to(rr.row[2], 0);
    close_to(rr.row[3], 0.01 / 1.6);
    hol_model_free(m);
}

// ---- any directions -------------------------------------------------------------------------------------------

static const char *const directions[6] = {"x", "y", "z", "rx", "ry", "rz"};
static const char *const texts[6] = {
    "x", "y", "z", "rotation about x", "rotation about y", "rotation about z"};

// Moves in one direction violate exactly the row of that direction.
static void check_total(const char *held)
{
    char text[600];
    snprintf(text, sizeof text,
             "dimension: 3\nground: {markers: {g: {position: [0.1, 0.2, 0.3], orientation: {rpy: [0.4, 0.5, "
             "0.6]}}}}\n"
             "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1], markers: {m: [0.2, 0.1, 0]}}\n"
             "joints:\n  - {name: t, type: total, between: [ground.g, a.m], hold: \"%s\"}\n",
             held);
    hol_model_data *m = compile(text, NULL, 0);
    joint t = take(m, "t");
    static const double *const axes[3] = {x_axis, y_axis, z_axis};
    for (int k = 0; k < 6; k++) {
        double d[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
        if (k < 3) d[k] = 0.4;
        if (k >= 3) turn(axes[k - 3], 2.5, q);
        put_relative(&t, d, q);
        rows(&t);
        bool found = false;
        for (int i = 0; i < t.e->n_rows; i++) {
            const bool its = strcmp(t.e->type->row(t.e->data, i).direction, texts[k]) == 0;
            found = found || its;
            // three translations together are those of the common point, in global axes
            if (k < 3 && t.e->n_rows >= 3 && strstr(held, "x y z")) continue;
            close_to(t.row[i], !its ? 0 : k < 3 ? 0.4 : 2 * sin(1.25));
        }
        const char *at = strstr(held, directions[k]);
        while (at && (at > held && at[-1] != ' ')) at = strstr(at + 1, directions[k]);
        assert_true(found == (at != NULL));
    }
    hol_model_free(m);
}

static void total_joints_hold_what_they_name(void **state)
{
    (void)state;
    static const char *const held[] = {"x",    "ry",    "x z ry",         "rx ry",
                                       "rz y", "x y z", "x y z rx ry rz", "rz rx ry"};
    for (int i = 0; i < HOL_COUNT(held); i++) check_total(held[i]);
}

// One rotation held: any tilt about an axis across it is free, by large angles.
static void a_held_rotation_leaves_large_tilts(void **state)
{
    (void)state;
    hol_model_data *m = compile("dimension: 3\nbodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\njoints:\n"
                                "  - {name: one, type: total, between: [ground, a], hold: rz}\n"
                                "  - {name: two, type: total, between: [ground, a], hold: rx rz}\n"
                                "  - {name: parallel, type: orientation, between: [ground, a]}\n",
                                NULL, 0);
    joint one = take(m, "one"), two = take(m, "two"), parallel = take(m, "parallel");
    double q[4];
    for (int k = 0; k < 50; k++) {
        const double axis[3] = {cos(k), sin(k), 0}, anywhere[3] = {0.3 * k, -1, 2};
        turn(axis, 0.06 * k, q);
        put_relative(&one, anywhere, q);
        must_hold(&one);
        turn(y_axis, 0.4 * k, q);
        put_relative(&two, anywhere, q);
        must_hold(&two);
        turn(y_axis, 0, q);
        put_relative(&parallel, anywhere, q);
        must_hold(&parallel);
    }
    turn(y_axis, HOL_PI, q); // not half a turn away either
    put_relative(&parallel, origin, q);
    close_to(fabs(rows(&parallel)[1]), 2);
    hol_model_free(m);
}

static void planar_total_and_orientation(void **state)
{
    (void)state;
    hol_model_data *m =
        compile("dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 1, angle: 7}\njoints:\n"
                "  - {name: t, type: total, between: [ground, a], hold: y rz}\n"
                "  - {name: o, type: orientation, between: [ground, a]}\n",
                NULL, 0);
    joint t = take(m, "t"), o = take(m, "o");
    assert_int_equal(t.e->n_rows, 2);
    assert_int_equal(o.e->n_rows, 1);
    t.y[0] = 5;
    t.y[1] = 0.25;
    t.y[2] = o.y[2] = 2 * HOL_PI + 0.1; // the whole turn of the drawn pose stays
    rows(&t);
    close_to(t.row[0], 0.25);
    close_to(t.row[1], 0.1);
    close_to(rows(&o)[0], 0.1);
    hol_model_free(m);
}

// ---- curves ---------------------------------------------------------------------------------------------------

static void points_stay_on_curves(void **state)
{
    (void)state;
    // a parabola is not exact for an Akima spline, a line is; the cam is a circle around a point off its centre
    hol_model_data *m =
        compile("dimension: 3\nground: {markers: {g: {position: [0.1, 0.2, 0.3], orientation: {rpy: [0.4, "
                "0.5, 0.6]}}}}\n"
                "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n"
                "splines:\n"
                "  - {name: ramp, kind: akima, x: [-1, 0, 1, 2], y: [-2.5, -0.5, 1.5, 3.5]}\n"
                "joints:\n  - {name: c, type: point-on-curve, between: [ground.g, a], curve: ramp}\n",
                NULL, 0);
    joint c = take(m, "c");
    const double free_turn[4] = {0.5, 0.5, -0.5, 0.5};
    assert_int_equal(c.e->n_rows, 2);
    for (int k = -20; k <= 40; k++) {
        const double d[3] = {0.1 * k, 0.2 * k - 0.5, 0};
        put_relative(&c, d, free_turn);
        must_hold(&c);
    }
    const double off[3] = {0.5, 0.6, -0.2};
    put_relative(&c, off, free_turn);
    rows(&c);
    close_to(c.row[0], 0.1);
    close_to(c.row[1], -0.2);
    hol_model_free(m);
}

// A disc of radius 30 mm about a point 10 mm off the shaft, in the direction of 40 deg of the cam.
static double radius(double angle)
{
    return 0.01 * cos(angle - 40 * DEG) + sqrt(9e-4 - pow(0.01 * sin(angle - 40 * DEG), 2));
}

// The model with a table from -beyond to 360 + beyond, every 5 deg, in millimetres and degrees.
static hol_model_data *cam_model(int beyond)
{
    char text[6000];
    int n = snprintf(
        text, sizeof text,
        "dimension: 2\nunits: {length: mm, angle: deg}\nbodies:\n"
        "  - {name: cam, mass: 1, inertia: 1}\n  - {name: p, type: point, mass: 1, position: [40, 0]}\n"
        "splines:\n  - {name: profile, kind: cubic, x: [");
    for (int column = 0; column < 2; column++) {
        for (int angle = -beyond; angle <= 360 + beyond; angle += 5)
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%.15g", angle > -beyond ? ", " : "",
                          column ? 1e3 * radius(angle * DEG) : angle);
        n += snprintf(text + n, sizeof text - (size_t)n, column ? "]}\n" : "], y: [");
    }
    snprintf(text + n, sizeof text - (size_t)n,
             "joints:\n  - {name: c, type: point-on-curve, between: [cam, p], curve: profile, polar: yes}\n");
    return compile(text, NULL, 0);
}

static void count_warnings(void *user, hol_severity severity, const char *text)
{
    *(int *)user += severity == HOL_WARNING && strstr(text, "corner");
}

static void a_cam_pushes_its_follower(void **state)
{
    (void)state;
    int warnings = 0;
    hol_context_set_log(ctx, count_warnings, &warnings);
    hol_model_free(cam_model(0)); // a table of one turn: a natural spline has a corner where it closes
    assert_int_equal(warnings, 1);
    hol_model_data *m = cam_model(60);
    assert_int_equal(warnings, 1);
    hol_context_set_log(ctx, NULL, NULL);
    joint c = take(m, "c");
    assert_int_equal(c.e->n_rows, 1);
    assert_int_equal(c.e->n_mem, 0);
    double before = 0;
    for (int k = 0; k <= 2000; k++) { // the cam turns, the follower stays on the x axis
        c.y[2] = 0.01 * k - 10;
        c.y[3] = radius(-c.y[2]);
        assert_true(fabs(rows(&c)[0]) < 1e-7);                // of the spline
        if (k > 0) assert_true(fabs(c.J[2] - before) < 2e-4); // no corner where the angle starts anew
        before = c.J[2];
    }
    hol_model_free(m);
}

// Shafts in line need one axis: the joint is that of two frames with z along it, to the last bit.
static void shafts_in_line_have_one_axis(void **state)
{
    static const char *const ways[] = {"bodies: [a, c], at: [0, 0, 0], axis: [0, 0, 1]",
                                       "bodies: [a, c], at: [0, 0, 0], axis: [0, 0, 1], axis2: [0, 0, 1]",
                                       "between: [a, c]"};
    double found[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, 0]\nbodies:\n"
                 "  - {name: a, mass: 1.3, inertia: [0.05, 0.04, 0.06], omega: [0, 0, 2]}\n"
                 "  - {name: c, mass: 1.3, inertia: [0.05, 0.04, 0.06], omega: [0.3, 0.1, 2]}\n"
                 "joints: [{name: cv, type: constant-velocity, %s}]\n"
                 "simulate: {end: 0.5, method: rk, tolerance: 1e-8, signals: [coordinates]}\n",
                 ways[i]);
        motion m = move(text, NULL, 0);
        if (m.end) fail_msg("%s: %s", ways[i], hol_context_error(ctx));
        found[i] = value_of(&m, "cv.bend");
        close_motion(&m);
        assert_true(found[i] == found[0] && found[i] > 0.1);
    }
}

// Couplers above and below the joints that they name: 1 N m turns a disc of 1 kg m^2, to which the coupler adds J of another disc or
// m r^2 of a slide, for a second: angle = 1/(2 (1 + added)).
static void couplers_may_stand_above_their_joints(void **state)
{
    static const struct {
        const char *coupler;
        double angle;
    } all[] = {{"type: gear, joints: [h, k], ratio: 1", 1 / 4.},
               {"type: coupler, joints: [h, k], ratios: [1, -1]", 1 / 4.},
               {"type: rack-pinion, joints: [h, s], radius: 0.5", 1 / 2.5},
               {"type: lock, joint: h", 0}};
    static const char *const places[] = {
        "  - {name: h, type: revolute, between: [ground, a]}\n",
        "  - {name: k, type: revolute, between: [ground, b]}\n"
        "  - {name: s, type: translational, between: [ground, c]}\n",
    };
    (void)state;
    for (int i = 0; i < HOL_COUNT(all); i++)
        for (int place = 0; place < 3; place++) {
            char text[1000], line[100];
            snprintf(line, sizeof line, "  - {name: g, %s}\n", all[i].coupler);
            snprintf(
                text, sizeof text,
                "dimension: 2\nbodies:\n  - {name: a, mass: 1, inertia: 1}\n  - {name: b, mass: 1, inertia: "
                "1}\n  - {name: c, mass: 1, inertia: 1}\njoints:\n%s%s%s%s%s"
                "forces: [{name: f, type: torque, on: a, value: 1}]\nsimulate: {end: 1, method: hht}\n",
                place == 0 ? line : "", places[0], place == 1 ? line : "", places[1], place == 2 ? line : "");
            motion m = move(text, NULL, 0);
            if (m.end) fail_msg("%s: %s", all[i].coupler, hol_context_error(ctx));
            near(all[i].coupler, value_of(&m, "a.theta"), all[i].angle, 1e-12);
            close_motion(&m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_screw_advances_by_its_pitch_per_turn),
        cmocka_unit_test(a_constant_velocity_joint_keeps_equal_rates),
        cmocka_unit_test(shafts_in_line_have_one_axis),
        cmocka_unit_test(gears_keep_their_ratio_over_several_turns),
        cmocka_unit_test(planar_gears_and_racks),
        cmocka_unit_test(links_keep_their_length_and_their_axes),
        cmocka_unit_test(total_joints_hold_what_they_name),
        cmocka_unit_test(a_held_rotation_leaves_large_tilts),
        cmocka_unit_test(planar_total_and_orientation),
        cmocka_unit_test(points_stay_on_curves),
        cmocka_unit_test(a_cam_pushes_its_follower),
        cmocka_unit_test(couplers_may_stand_above_their_joints),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
