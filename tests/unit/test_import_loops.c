// Loops of imported robots whose numbers have few digits: a plane four-bar somewhere in space moves as the plane model of it does, though
// its axes are parallel, and its ends meet, only to within the digits of the file.
#include "import_text.h"
#include "io/import_robot.h"

#include <math.h>
#include <stdio.h>

// In the plane: ends of the crank, of the coupler, and of the rocker.
static const double A[2] = {0, 0}, B[2] = {0, 0.2}, C[2] = {0.5, 0.45}, D[2] = {0.4, 0};
static const double gravity[3] = {0, 0, -9.80665};

typedef struct {
    pieces text;
    int digits;
    double u[3], v[3], n[3]; // of the plane, and its normal
    double tilt;             // of one axis [rad]
    hol_import_frame base, crank, coupler, rocker;
} four_bar;

static void add(four_bar *b, const char *format, ...) HOL_PRINTF(2, 3);
static void add(four_bar *b, const char *format, ...)
{
    char line[400];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    add_piece(&b->text, line);
}

// A place of the plane relative to another one, in the axes of a frame; z: the normal instead.
static void in_frame(const four_bar *b, const hol_import_frame *f, const double *p, const double *from,
                     double out[3])
{
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = p ? (p[0] - from[0]) * b->u[k] + (p[1] - from[1]) * b->v[k] : b->n[k];
    for (int k = 0; k < 3; k++) out[k] = f->R[k] * x[0] + f->R[3 + k] * x[1] + f->R[6 + k] * x[2];
}

static void add_numbers(four_bar *b, const char *key, const double x[3])
{
    add(b, " %s='%.*f %.*f %.*f'", key, b->digits, x[0], b->digits, x[1], b->digits, x[2]);
}

static void add_place(four_bar *b, const char *key, const hol_import_frame *f, const double *p,
                      const double *from)
{
    double x[3];
    in_frame(b, f, p, from, x);
    add_numbers(b, key, x);
}

// Roll, pitch and yaw of a frame in another one.
static void add_turn(four_bar *b, const char *key, const hol_import_frame *in, const hol_import_frame *f)
{
    const hol_import_frame back = hol_frame_inverse(in), r = hol_frame_times(&back, f);
    const double angle[3] = {atan2(r.R[7], r.R[8]), -asin(r.R[6]), atan2(r.R[3], r.R[0])};
    add_numbers(b, key, angle);
}

static void add_axis(four_bar *b, const char *key, const hol_import_frame *f, double tilt)
{
    double n[3];
    in_frame(b, f, NULL, NULL, n);
    n[n[0] * n[0] < 0.5 ? 0 : 1] += tilt;
    add_numbers(b, key, n);
}

static void add_link(four_bar *b, const char *name, const hol_import_frame *f, const double *from,
                     const double *to)
{
    const double middle[2] = {from[0] / 2 + to[0] / 2, from[1] / 2 + to[1] / 2};
    add(b, "<link name='%s'><inertial><origin", name);
    add_place(b, "xyz", f, middle, from);
    add(b, "/><mass value='1'/><inertia ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'/>"
           "</inertial></link>\n");
}

static void add_joint(four_bar *b, const char *name, const char *parent, const char *child,
                      const hol_import_frame *in, const hol_import_frame *f, const double *p,
                      const double *from, double tilt)
{
    add(b, "<joint name='%s' type='continuous'><parent link='%s'/><child link='%s'/><origin", name, parent,
        child);
    add_place(b, "xyz", in, p, from);
    add_turn(b, "rpy", in, f);
    add(b, "/><axis");
    add_axis(b, "xyz", f, tilt);
    add(b, "/></joint>\n");
}

static void make_urdf(four_bar *b)
{
    add(b, "<robot name='r'>\n<link name='base'/>\n");
    add_link(b, "crank", &b->crank, A, B);
    add_link(b, "coupler", &b->coupler, B, C);
    add_link(b, "rocker", &b->rocker, D, C);
    add_joint(b, "a", "base", "crank", &b->base, &b->crank, A, A, 0);
    add_joint(b, "b", "crank", "coupler", &b->crank, &b->coupler, B, A, b->tilt);
    add_joint(b, "d", "base", "rocker", &b->base, &b->rocker, D, A, 0);
    add(b, "<loop_joint name='c' type='continuous'><link1 link='coupler'");
    add_place(b, "xyz", &b->coupler, C, B);
    add(b, "/><link2 link='rocker'");
    add_place(b, "xyz", &b->rocker, C, D);
    add_turn(b, "rpy", &b->rocker, &b->coupler);
    add(b, "/><axis");
    add_axis(b, "xyz", &b->coupler, 0);
    add(b, "/></loop_joint></robot>");
}

static void add_body(four_bar *b, const char *name, const char *joint, const hol_import_frame *in,
                     const hol_import_frame *f, const double *p, const double *from, const double *to,
                     double tilt)
{
    const double middle[2] = {p[0] / 2 + to[0] / 2, p[1] / 2 + to[1] / 2};
    add(b, "<body name='%s'", name);
    add_place(b, "pos", in, p, from);
    add_turn(b, "euler", in, f);
    add(b, ">\n<joint name='%s'", joint);
    add_axis(b, "axis", f, tilt);
    add(b, "/>\n<inertial mass='1' diaginertia='0.01 0.01 0.01'");
    add_place(b, "pos", f, middle, p);
    add(b, "/>");
}

static void make_mjcf(four_bar *b)
{
    add(b, "<mujoco><compiler angle='radian' eulerseq='XYZ'/><option gravity='0 0 -9.80665'/><worldbody>\n");
    add_body(b, "crank", "a", &b->base, &b->crank, A, A, B, 0);
    add_body(b, "coupler", "b", &b->crank, &b->coupler, B, A, C, b->tilt);
    add(b, "</body></body>\n");
    add_body(b, "rocker", "d", &b->base, &b->rocker, D, A, C, 0);
    add(b, "</body></worldbody>\n<equality><connect name='c' body1='coupler' body2='rocker'");
    add_place(b, "anchor", &b->coupler, C, B);
    add(b, "/></equality></mujoco>");
}

// In a plane that has no special direction, with bodies whose frames have none.
static void set_up(four_bar *b, int digits, double tilt)
{
    const double turns[4][3] = {{0.4, -0.9, 0.7}, {1.1, 0.3, -0.5}, {-0.6, 0.8, 1.9}, {0.2, -0.4, 2.3}};
    hol_import_frame plane = hol_frame_none, *const frame[] = {&b->crank, &b->coupler, &b->rocker};
    *b = (four_bar){.digits = digits, .tilt = tilt, .base = hol_frame_none};
    hol_frame_euler("XYZ", turns[0], plane.R);
    for (int k = 0; k < 3; k++) {
        b->u[k] = plane.R[3 * k], b->v[k] = plane.R[3 * k + 1], b->n[k] = plane.R[3 * k + 2];
        *frame[k] = hol_frame_none;
        hol_frame_euler("XYZ", turns[k + 1], frame[k]->R);
    }
}

// The angle of the crank after 0.2 s, in the plane.
static double in_the_plane(const four_bar *b)
{
    char text[1600];
    double g[2] = {0, 0};
    for (int k = 0; k < 3; k++) g[0] += gravity[k] * b->u[k], g[1] += gravity[k] * b->v[k];
    snprintf(
        text, sizeof text,
        "dimension: 2\ngravity: [%.17g, %.17g]\nbodies:\n"
        "  - {name: crank, mass: 1, inertia: 0.01, com: [0, 0.1], markers: {b: [0, 0.2]}}\n"
        "  - {name: coupler, mass: 1, inertia: 0.01, com: [0.25, 0.125], position: [0, 0.2], markers: {c: "
        "[0.5, 0.25]}}\n"
        "  - {name: rocker, mass: 1, inertia: 0.01, com: [0.05, 0.225], position: [0.4, 0], markers: {c: "
        "[0.1, 0.45]}}\n"
        "joints:\n  - {name: a, type: revolute, between: [ground, crank]}\n"
        "  - {name: b, type: revolute, between: [crank.b, coupler]}\n"
        "  - {name: d, type: revolute, between: [ground: [0.4, 0], rocker]}\n"
        "  - {name: c, type: revolute, between: [coupler.c, rocker.c]}\n",
        g[0], g[1]);
    motion m = move(
        text, (const char *[]){"simulate.end=0.2", "simulate.tolerance=1e-8", "simulate.signals=a.angle"}, 3);
    assert_int_equal(m.end, HOL_OK);
    const double angle = value_of(&m, "a.angle");
    close_motion(&m);
    return angle;
}

static char *import_four_bar(four_bar *b, bool urdf)
{
    if (urdf)
        make_urdf(b);
    else
        make_mjcf(b);
    char *model = import_text("r.xml", b->text.text, strlen(b->text.text), (hol_import_options){0});
    if (!model) fail_msg("%s", hol_context_error(ctx));
    free(b->text.text);
    return model;
}

static const char axes[] =
    "axes of loops that are parallel, or perpendicular, but for the digits of the file",
                  ends[] = "loops whose ends do not meet exactly, by the digits of the file";

// By how much the numbers of the file may be off the angle is off; derivatives of it by lengths and angles are below 20.
static void digits_do_not_hold_a_loop(void **state)
{
    (void)state;
    for (int digits = 4; digits <= 16; digits += 2)
        for (int urdf = 0; urdf < 2; urdf++) {
            four_bar b;
            set_up(&b, digits, 0);
            const double want = in_the_plane(&b);
            char *model = import_four_bar(&b, urdf);
            motion m = move(
                model,
                (const char *[]){"simulate.end=0.2", "simulate.tolerance=1e-8", "simulate.signals=a.angle"},
                3);
            hol_check *check = hol_check_create(ctx, m.model);
            assert_non_null(check);
            if (m.end || check->degrees_of_freedom != 1)
                fail_msg("%d digits: %s\n%s", digits, model, hol_context_error(ctx));
            assert_int_equal(check->n_redundant, urdf ? 3 : 1);
            near("angle", value_of(&m, "a.angle"), want, 20 * pow(10, -digits) + 1e-8);
            // what is told is what there is to be told
            if (says(model, axes) != (digits < 10) || (digits >= 14 && says(model, ends)))
                fail_msg("%d digits: %s", digits, model);
            hol_check_destroy(check);
            close_motion(&m);
            free(model);
        }
}

// An axis that is meant to be askew is left alone: by 0.01 rad the loop has no motion.
static void axes_that_are_askew_stay(void **state)
{
    (void)state;
    four_bar b;
    set_up(&b, 12, 0.01);
    char *model = import_four_bar(&b, false);
    motion m = open_motion(model, NULL, 0);
    hol_check *check = hol_check_create(ctx, m.model);
    assert_non_null(check);
    assert_int_equal(check->degrees_of_freedom, 0);
    assert_false(says(model, axes));
    hol_check_destroy(check);
    close_motion(&m);
    free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_do_not_hold_a_loop),
        cmocka_unit_test(axes_that_are_askew_stay),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
