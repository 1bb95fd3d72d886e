// What is told of contacts before a run: shapes drawn in each other, contacts that are soft or short.
#include "harness.h"

#include <stdio.h>
#include <string.h>

// Shapes drawn in each other: what pushes more than all bodies weigh is told, what is too deep is refused, by place and way out.
#define DRAWN                                                                                                \
    "dimension: 2\nparameters: {y: 0.2, K: 1e7, end: 1}\ngravity: [0, -9.81]\n"                              \
    "ground: {shape: {type: halfplane}}\n"                                                                   \
    "bodies: [{name: b, mass: 0.5, inertia: 1e-3, position: [3, y], shape: {type: sphere, radius: 0.1}}]\n"  \
    "contacts: [{name: k, between: [b, ground], stiffness: K, restitution: 0.5}]\n"                          \
    "simulate: {end: end, method: rk, tolerance: 1e-6}\n"

// The warnings of `check` of one kind, "": there are none.
static const char *warned(const char *const *set, int n, const char *kind)
{
    static char text[1000];
    hol_model *model = load_model(DRAWN, set, n);
    hol_check *c = hol_check_create(ctx, model);
    *text = 0;
    assert_non_null(c);
    for (int i = 0; i < c->n_warnings; i++)
        if (strcmp(c->warning[i].name, kind) == 0) snprintf(text, sizeof text, "%s", c->warning[i].text);
    hol_check_destroy(c);
    hol_model_destroy(model);
    return text;
}

static void shapes_drawn_in_each_other_are_told(void **state)
{
    (void)state;
    const char *const near[] = {"parameters.y=0.09"}, *const deep[] = {"parameters.y=0.03"},
                      *const rests[] = {"parameters.y=0.09993"}, *const free[] = {"parameters.y=0.1"};
    assert_string_equal(warned(near, 1, "overlap"),
                        "contacts.k: \"b\" and \"ground\" begin 0.01 m deep "
                        "in each other, with a force of 1e+04 N, which gives them "
                        "up to 1.22e-07 J of the 40 J that are stored: the damping "
                        "takes the rest, since `restitution` is that of shapes that "
                        "come in; move \"b\" by 0.01 m along "
                        "[0, 1], or let the run begin in an equilibrium: "
                        "`start: equilibrium`");
    assert_string_equal(warned(deep, 1, "overlap"),
                        "contacts.k: \"b\" and \"ground\" begin 0.07 m deep in each other, more than "
                        "`deepest`, 0.05 m: a run is refused; move \"b\" by 0.07 m along [0, 1]");
    assert_string_equal(warned(rests, 1, "overlap"), "");
    assert_string_equal(warned(free, 1, "overlap"), "");
    hol_model *model = load_model(DRAWN, deep, 1);
    assert_null(hol_simulation_create(ctx, model));
    assert_int_equal(hol_context_status(ctx), HOL_ERR_MODEL);
    expect_message(
        "6:12: error: contacts.k: \"b\" and \"ground\" begin 0.07 m deep in each other, at [3, -0.035], "
        "more than `deepest`, 0.05 m; move \"b\" by 0.07 m along [0, 1]");
    hol_context_clear(ctx);
    hol_model_destroy(model);
}

// What gives way by more than 1 % of the radius, with the stiffness for 0.1 %; impacts far shorter than the run.
static void soft_and_short_contacts_are_told(void **state)
{
    (void)state;
    const char *const soft[] = {"parameters.K=1e4"}, *const stiff[] = {"parameters.K=4.905e6"},
                      *const shorter[] = {"parameters.K=1e12", "parameters.end=1000"};
    assert_string_equal(warned(soft, 1, "depth"),
                        "contacts.k: under the weight of the lighter body it is 0.0062 m deep, 6.2 % of the "
                        "radius of 0.1 m; 4.9e+02 times the stiffness keeps it at 0.1 %");
    assert_string_equal(warned(stiff, 1, "depth"), "");
    assert_string_equal(warned(stiff, 1, "impact"), "");
    assert_non_null(strstr(warned(shorter, 2, "impact"), "contacts.k: an impact at 1 m/s lasts "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_drawn_in_each_other_are_told),
        cmocka_unit_test(soft_and_short_contacts_are_told),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
