// What joints leave free (element/joint_motion.h): of every type in the table, by its definition in docs/model-reference.md.
#include "harness.h"
#include "element/joint_motion.h"

#include <stdio.h>
#include <string.h>

extern const hol_element_type hol_driver_angle, hol_driver_stroke, hol_driver_distance;

typedef struct {
    const char *type, *options;
    int dimension;
    const char *slides; // axes along which the second end moves
    hol_turning turning;
    bool point;
} expected;

static const expected free_of[] = {
    {"revolute", "", 2, "", HOL_TURNING_AXIS, true},
    {"translational", ", axis: [1, 0]", 2, "x", HOL_TURNING_NONE, false},
    {"fixed", "", 2, "", HOL_TURNING_NONE, true},
    {"in-line", ", axis: [1, 0]", 2, "x", HOL_TURNING_AXIS, false},
    {"orientation", "", 2, "xy", HOL_TURNING_NONE, false},
    {"parallel-axes", "", 2, "xy", HOL_TURNING_NONE, false},
    {"total", ", axis: [1, 0], hold: y", 2, "x", HOL_TURNING_AXIS, false},
    {"revolute", "", 3, "", HOL_TURNING_AXIS, true},
    {"spherical", "", 3, "", HOL_TURNING_FREE, true},
    {"fixed", "", 3, "", HOL_TURNING_NONE, true},
    {"universal", ", axis2: [1, 0, 0]", 3, "", HOL_TURNING_CROSS, true},
    {"translational", "", 3, "z", HOL_TURNING_NONE, false},
    {"cylindrical", "", 3, "z", HOL_TURNING_AXIS, false},
    {"screw", ", pitch: 0.1", 3, "z", HOL_TURNING_AXIS, false},
    {"planar", "", 3, "xy", HOL_TURNING_AXIS, false},
    {"in-plane", "", 3, "xy", HOL_TURNING_FREE, false},
    {"in-line", "", 3, "z", HOL_TURNING_FREE, false},
    {"orientation", "", 3, "xyz", HOL_TURNING_NONE, false},
    {"parallel-axes", "", 3, "xyz", HOL_TURNING_AXIS, false},
    {"perpendicular", ", axis2: [1, 0, 0]", 3, "xyz", HOL_TURNING_CROSS, false},
    {"total", ", hold: x z", 3, "y", HOL_TURNING_FREE, false},
    {"total", ", hold: x y z rz", 3, "", HOL_TURNING_OTHER, true},
    {"total", ", hold: x y z ry rz", 3, "", HOL_TURNING_OTHER, true},
    {"total", ", hold: rx ry", 3, "xyz", HOL_TURNING_AXIS, false},
    {"total", ", hold: x y z rx ry rz", 3, "", HOL_TURNING_NONE, true}};

// A joint of a body with ground, as the file says it.
static hol_model_data *one_joint(const expected *o)
{
    char text[600];
    const bool space = o->dimension == 3;
    snprintf(text, sizeof text,
             "dimension: %d\nbodies:\n  - {name: a, mass: 1, inertia: 1}\n"
             "joints:\n  - {name: j, type: %s, bodies: [ground, a], at: %s%s%s}\n",
             o->dimension, o->type, space ? "[0, 0, 0]" : "[0, 0]",
             space && strcmp(o->type, "spherical") != 0 ? ", axis: [0, 0, 1]" : "", o->options);
    return compile(text, NULL, 0);
}

static void joints_are_read(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(free_of); i++) {
        const expected *o = &free_of[i];
        hol_model_data *m = one_joint(o);
        const hol_element *e = &m->element[1];
        const hol_freedoms f = hol_joint_motion(e, o->dimension);
        char slides[4] = "";
        for (int k = 0; k < 3; k++)
            if (f.slides[k]) strncat(slides, &"xyz"[k], 1);
        print_message("%s%s, %dD: %s, %d\n", o->type, o->options, o->dimension, slides, f.turning);
        assert_null(f.why);
        assert_string_equal(slides, o->slides);
        assert_int_equal(f.n_slides, strlen(o->slides));
        assert_int_equal(f.turning, o->turning);
        assert_int_equal(f.point, o->point);
        assert_int_equal(f.threaded, strcmp(o->type, "screw") == 0);
        // couplers, drivers and friction take what is free
        if (e->type->coordinate == HOL_COORDINATE_ANGLE) assert_int_equal(f.turning, HOL_TURNING_AXIS);
        if (e->type->coordinate == HOL_COORDINATE_STROKE) assert_true(f.slides[o->dimension == 3 ? 2 : 0]);
        // a driver of what the joint holds is refused
        const bool stroke = f.slides[o->dimension == 3 ? 2 : 0], rz = strstr(o->options, "rz") != NULL;
        assert_int_equal(hol_joint_holds(e, o->dimension, &hol_driver_stroke), !stroke);
        assert_int_equal(hol_joint_holds(e, o->dimension, &hol_driver_angle),
                         f.turning == HOL_TURNING_NONE || rz);
        assert_int_equal(hol_joint_holds(e, o->dimension, &hol_driver_distance), f.n_slides == 0);
        hol_model_free(m);
    }
}

// All others have none, and say so.
static const char *const without[] = {"distance",          "constant-velocity", "revolute-spherical",
                                      "revolute-revolute", "point-on-curve",    "grip"};

static bool listed(const char *name)
{
    bool found = strcmp(name, "at-point") == 0; // spherical, of a point mass
    for (int k = 0; k < HOL_COUNT(free_of); k++) found = found || strcmp(name, free_of[k].type) == 0;
    for (int k = 0; k < HOL_COUNT(without); k++) found = found || strcmp(name, without[k]) == 0;
    return found;
}

static void every_type_is_here(void **state)
{
    (void)state;
    for (int i = 0; hol_element_types[i]; i++) {
        const hol_element_type *t = hol_element_types[i];
        if (t->role == HOL_ROLE_JOINT && t->ends == 2 && !listed(t->name))
            fail_msg("%s: what does it leave free?", t->name);
    }
    hol_model_data *m = compile(
        "dimension: 3\nground: {markers: {g: {axis: [0, 0, 1]}}}\nbodies:\n"
        "  - {name: a, mass: 1, inertia: 1, markers: {h: {position: [1, 0, 0], axis: [0, 0, 1]}}}\njoints:\n"
        "  - {name: d, type: distance, between: [ground.g, a.h]}\n"
        "  - {name: s, type: revolute-spherical, between: [ground.g, a.h]}\n"
        "  - {name: r, type: revolute-revolute, between: [ground.g, a.h]}\n"
        "  - {name: c, type: constant-velocity, bodies: [ground, a], at: [0, 0, 0],\n"
        "     axis: [0, 0, 1], axis2: [0, 0.6, 0.8]}\n",
        NULL, 0);
    for (int i = 1; i < m->n_elements; i++) {
        const hol_freedoms f = hol_joint_motion(&m->element[i], 3);
        assert_non_null(f.why);
        assert_int_equal(f.point, strcmp(m->element[i].name, "c") == 0);
    }
    hol_model_free(m);
}

// Rows about z alone leave two rotations free, which are no joint coordinates: the body is free and the joint closes it.
static void a_turn_held_alone_closes_like_a_loop(void **state)
{
    (void)state;
    const char *const model =
        "dimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  - {name: a, mass: 1, inertia: [0.2, 0.3, 0.4], position: [0.5, 0, 0], omega: [1, 2, 0]}\njoints:\n"
        "  - {name: j, type: total, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1], hold: x y z rz}\n"
        "simulate: {end: 0.5, tolerance: 1e-9}\n";
    const char *const set[] = {"method=joint_bdf", "method=rk"};
    double at[2][3];
    for (int i = 0; i < 2; i++) {
        motion a = move(model, &set[i], 1);
        for (int k = 0; k < 3; k++) at[i][k] = value_of(&a, (const char *const[]){"a.x", "a.y", "a.z"}[k]);
        close_motion(&a);
    }
    for (int k = 0; k < 3; k++) near("total", at[0][k], at[1][k], 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_read),
                                       cmocka_unit_test(every_type_is_here),
                                       cmocka_unit_test(a_turn_held_alone_closes_like_a_loop)};
    return cmocka_run_group_tests(tests, start, stop);
}
