// Poses in which the slope of a force jumps: what statics, modes and linearised models say of them. docs/theory.md, section 13.7.
#include "at_rest.h"
#include "modes_of.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A slide of 2 kg with this force and these laws.
static const char *slide(const char *force, const char *laws)
{
    static char text[1000];
    snprintf(text, sizeof text,
             "dimension: 2\ngravity: [0, 0]\ninputs: [{name: u, unit: N}]\n"
             "bodies: [{name: a, mass: 2, inertia: 1}]\n"
             "joints: [{name: s, type: translational, between: [ground, a]%s}]\n"
             "forces: [{name: f, type: joint-force, joint: s, value: \"%s\"}]\n"
             "linearise: {inputs: [u], outputs: [DX(a)]}\n",
             laws, force);
    return text;
}

static void tells(const char *what, bool yes)
{
    if (yes != (strstr(warning, what) != NULL))
        fail_msg("%s is wanted%s: %s", what, yes ? "" : " not", warning);
}

static void stands(const char *text, bool stable, hol_static_kink kink)
{
    hol_model *model;
    *warning = 0;
    hol_statics *s = at_rest(text, NULL, 0, NULL, &model);
    assert_int_equal(s->point[0].stable, stable);
    assert_int_equal(s->point[0].kink, kink);
    tells("has a kink", kink != HOL_STATIC_SMOOTH);
    leave(s, model);
}

// By the slopes of both sides: all above 0 hold, one below 0 lets go, and 0 says nothing.
static void a_pose_at_a_kink_stands_by_both_sides(void **state)
{
    (void)state;
    stands(slide("-50*DX(a)", ""), true, HOL_STATIC_SMOOTH);
    stands(slide("-50*abs(DX(a))", ""), false, HOL_STATIC_KINK_LEAVES);
    stands(slide("-50*if(DX(a): DX(a), 0, 2*DX(a))", ""), true, HOL_STATIC_KINK_STAYS);
    stands(slide("-50*DX(a) - 20*min(DX(a), 0)", ""), true, HOL_STATIC_KINK_STAYS);
    stands(slide("-50*DX(a) - 20*min(DX(a), 0) + 3*VX(a)", ""), false,
           HOL_STATIC_KINK_UNKNOWN); // it swings up
    stands(slide("0", ", limits: {range: [-1, 0], stiffness: 1000, exponent: 1}"), false,
           HOL_STATIC_KINK_UNKNOWN);
    stands(slide("-10*DX(a)", ", limits: {range: [-1, 0], stiffness: 1000, exponent: 1}"), true,
           HOL_STATIC_KINK_STAYS);
}

// Smooth laws, and kinks that are elsewhere or that nothing takes.
static void nothing_is_told_where_nothing_bends(void **state)
{
    (void)state;
    stands(slide("-50*DX(a) - 7*DX(a)*abs(DX(a))", ""), true, HOL_STATIC_SMOOTH);
    stands(slide("-50*DX(a) - 100*max(DX(a) - 0.001, 0)", ""), true, HOL_STATIC_SMOOTH);
    stands(slide("-50*DX(a) - if(1: 0, abs(DX(a)), 0)", ""), true, HOL_STATIC_SMOOTH);
    stands(slide("-50*DX(a)", ", limits: {range: [-1, 0], stiffness: 1000}"), true, HOL_STATIC_SMOOTH);
    stands(slide("-50*DX(a)", ", limits: {range: [-1, 0.5], stiffness: 1000, exponent: 1}"), true,
           HOL_STATIC_SMOOTH);
}

// A ball on a bushing touches the floor and does not press it: 100 N/m on one side, 10100 on the other.
static void a_contact_that_does_not_press_is_one_sided(void **state)
{
    static const char text[] =
        "dimension: 2\ngravity: [0, 0]\nground: {shape: [{name: fl, type: halfplane}]}\nbodies:\n"
        "  - {name: ball, mass: 1, inertia: 0.004, position: [0, %s], shape: {type: sphere, radius: 0.1}}\n"
        "forces:\n  - {name: q, type: bushing, between: [ground: [0, %s], ball], stiffness: [100, 100, 1]}\n"
        "contacts:\n  - {name: c, between: [ball, ground.fl], stiffness: 1e4, exponent: %s}\n";
    char own[1000];
    (void)state;
    snprintf(own, sizeof own, text, "0.1", "0.1", "1");
    stands(own, true, HOL_STATIC_KINK_STAYS);
    tells("where ball.y", true);
    snprintf(own, sizeof own, text, "0.1", "0.1", "1.5");
    stands(own, true, HOL_STATIC_SMOOTH);
    snprintf(own, sizeof own, text, "0.2", "0.2", "1");
    stands(own, true, HOL_STATIC_SMOOTH);
}

// 5 rad/s is sqrt(50/2), of the side on which the slide goes ahead.
static void modes_say_whose_they_are(void **state)
{
    (void)state;
    *warning = 0;
    hol_modes *m = modes_of(slide("-50*abs(DX(a))", ""));
    close_to("omega", m->mode[0].omega, 5, 1e-9);
    tells("its slope is -50 where a.x (0 now) grows and 50 where that falls; the modes are those of the side "
          "on "
          "which it grows alone",
          true);
    hol_modes_destroy(m);
    *warning = 0; // and nothing is blamed on rounding
    m = modes_of(slide("-50*if(DX(a): DX(a), 0, 2*DX(a))", ""));
    tells("its slope is -100 where a.x (0 now) grows and -50 where that falls; the modes are those of "
          "neither side",
          true);
    hol_modes_destroy(m);
    *warning = 0;
    m = modes_of(slide("-50*DX(a) - 5*max(0, s.speed)", ""));
    tells("its slope is -5 where the rate of a.x (0 now) grows and 0 where that falls", true);
    hol_modes_destroy(m);
    *warning = 0;
    m = modes_of(slide("-50*DX(a) - 5*s.speed*abs(s.speed)", ""));
    tells("kink", false);
    hol_modes_destroy(m);
}

// An input that bends, an output that does, and neither.
static void linearised_models_say_whose_they_are(void **state)
{
    static const struct {
        const char *force, *told;
    } rows[] = {{"-50*DX(a) + abs(u)", "where u (0 now) grows and -1 where that falls"},
                {"-50*abs(DX(a)) + u", "what is linearised is that of the side on which it grows alone"},
                {"-50*DX(a) + u", NULL}};
    (void)state;
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        hol_model *model = load_model(slide(rows[i].force, ""), NULL, 0);
        *warning = 0;
        hol_linear *l = hol_linear_create(ctx, model, &(hol_linear_options){0});
        assert_non_null(l);
        tells(rows[i].told ? rows[i].told : "kink", rows[i].told != NULL);
        hol_linear_destroy(l);
        hol_model_destroy(model);
    }
}

// sqrt(x) at 0 has a value and no slope: that is said, and not that the pose is singular.
static void what_has_no_slope_is_named(void **state)
{
    hol_model *model = load_model(slide("u - 50*sqrt(DX(a))", ""), NULL, 0);
    (void)state;
    for (int i = 0; i < 3; i++) {
        const void *made = i == 0   ? (void *)hol_statics_create(ctx, model, NULL)
                           : i == 1 ? (void *)hol_modes_create(ctx, model, NULL)
                                    : (void *)hol_linear_create(ctx, model, &(hol_linear_options){0});
        assert_null(made);
        expect_message("has no finite slope");
        hol_context_clear(ctx);
    }
    hol_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pose_at_a_kink_stands_by_both_sides),
                                       cmocka_unit_test(nothing_is_told_where_nothing_bends),
                                       cmocka_unit_test(a_contact_that_does_not_press_is_one_sided),
                                       cmocka_unit_test(modes_say_whose_they_are),
                                       cmocka_unit_test(linearised_models_say_whose_they_are),
                                       cmocka_unit_test(what_has_no_slope_is_named)};
    return cmocka_run_group_tests(tests, start_listening, stop);
}
