// Redundant loops along a tree of joints, in every form of every method: the tree laid at the start stays where other rows are chosen on
// the way, whatever the order of the file is and however the mechanism lies; another tree, of joints that have coordinates, has its rows
// in use too.
#include "method_forms.h"

#include <math.h>

// A beam on three parallel cranks, turned with its gravity. One equation is redundant, and which one, changes on the way.
#define CRANK(i)                                                                                             \
    "  - {name: c" #i ", mass: 0.5 + 0.1*" #i ", inertia: 0.02, angle: 1.1 + turn,\n"                        \
    "     position: [(" #i "+u/2)*c - w/2*s, (" #i "+u/2)*s + w/2*c]}\n"
#define HEAD                                                                                                 \
    "dimension: 2\n"                                                                                         \
    "parameters: {turn: 0, c: cos(turn), s: sin(turn), u: 0.7*cos(1.1), w: 0.7*sin(1.1)}\n"                  \
    "gravity: [9.81*s, -9.81*c]\n"                                                                           \
    "bodies:\n"                                                                                              \
    "  - {name: beam, mass: 2, inertia: 0.5, angle: turn, position: [(1+u)*c - w*s, (1+u)*s + "              \
    "w*c]}\n" CRANK(0) CRANK(1) CRANK(2) "simulate: {end: 1.5, signals: [beam.x, beam.y]}\n"                 \
                                         "joints:\n"
#define FOOT(i)                                                                                              \
    "  - {name: a" #i ", type: revolute, between: [ground: [" #i "*c, " #i "*s], c" #i ": [-0.35, 0]]}\n"
#define TOP(i) "  - {name: b" #i ", type: revolute, between: [c" #i ": [0.35, 0], beam: [" #i "-1, 0]]}\n"

static const char in_order[] = HEAD FOOT(0) TOP(0) FOOT(1) TOP(1) FOOT(2) TOP(2);
static const char reversed[] = HEAD TOP(2) FOOT(2) TOP(1) FOOT(1) TOP(0) FOOT(0);

// Shafts with a constant-velocity joint, which has no coordinates: their tree cuts it, that of the other forms the cylindrical joint.
static const char shafts[] =
    "dimension: 3\n"
    "bodies:\n"
    "  - {name: s1, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], omega: [3, 0, 0], markers: {\n"
    "     a: {position: [-0.5, 0, 0], axis: [1, 0, 0]}, m: {position: [0.5, 0, 0], axis: [1, 0, 0]}}}\n"
    "  - {name: s2, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0], omega: [3, 0, 0], markers: {\n"
    "     m: {position: [-0.5, 0, 0], axis: [1, 0, 0]}, b: {position: [0.5, 0, 0], axis: [1, 0, 0]}}}\n"
    "ground: {markers: {a: {axis: [1, 0, 0]}, b: {position: [2, 0, 0], axis: [1, 0, 0]}}}\n"
    "joints:\n"
    "  - {name: A, type: revolute, between: [ground.a, s1.a]}\n"
    "  - {name: V, type: constant-velocity, between: [s1.m, s2.m]}\n"
    "  - {name: B, type: cylindrical, between: [ground.b, s2.b]}\n"
    "simulate: {end: 1, signals: [s2.x, s2.qx]}\n";

enum { MOST = 12 };
typedef struct {
    double x, y;
    long changes;
} place;

// Where two signals are at the end.
static place end_of(const char *text, const form *f, const char *more, const char *x, const char *y)
{
    const char *set[MOST];
    char all[FORM_TEXT + 100];
    const bool fixed = f->method->refuse && f->method->refuse(f->value, true);
    snprintf(all, sizeof all, "%s %s %s", f->set, fixed ? "simulate.step=1e-3" : "simulate.tolerance=1e-4",
             more);
    motion a = move(text, set, split(all, set, MOST));
    if (a.end != HOL_OK) print_error("%s %s: %s\n", f->set, more, hol_context_error(ctx));
    assert_int_equal(a.end, HOL_OK);
    const place out = {value_of(&a, x), value_of(&a, y), hol_simulation_statistics(a.sim)->repartitions};
    close_motion(&a);
    return out;
}

// With accelerations by a tree, or in joint coordinates, in some of the forms. Not srm, whose loops are open.
static bool goes_along(const form *f)
{
    const hol_method *m = f->method;
    return tried(f) && !m->teaching && strcmp(m->name, "srm") != 0 &&
           (m->tree || m->matrix_free || m->matrix_free_for);
}

static void order_and_place_of_the_mechanism_do_not_matter(void **state)
{
    int n = 0;
    long changes = 0;
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (!goes_along(&f)) continue;
        const place plain = end_of(in_order, &f, "", "beam.x", "beam.y");
        for (int k = 0; k < 3; k++) {
            const double turn = k ? 1.2 : 0;
            const place p =
                end_of(k == 1 ? in_order : reversed, &f, k ? "parameters.turn=1.2" : "", "beam.x", "beam.y");
            near(f.set, p.x * cos(turn) + p.y * sin(turn), plain.x, 2e-3);
            near(f.set, p.y * cos(turn) - p.x * sin(turn), plain.y, 2e-3);
            changes += p.changes;
        }
        n++;
    }
    assert_true(n > (few() ? 1 : 5) && changes > n);
}

static void a_tree_of_joints_with_coordinates_has_its_rows(void **state)
{
    (void)state;
    for (form f = {0}; next_form(&f);) {
        if (!goes_along(&f)) continue;
        const place p = end_of(shafts, &f, "", "s2.x", "s2.qx");
        near(f.set, p.x, 1.5, 1e-6);
        near(f.set, p.y, sin(1.5), 1e-3); // both shafts turn with 3 rad/s
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_and_place_of_the_mechanism_do_not_matter),
                                       cmocka_unit_test(a_tree_of_joints_with_coordinates_has_its_rows)};
    return cmocka_run_group_tests(tests, start, stop);
}
