// Every public function of holonom_analyses.h is called without each of the things it needs, and with numbers that mean nothing: it says
// so, by status and message, and nothing breaks. A function of the header that is missing here fails the test.
#include "interface.h"

#include <holonom_analyses.h>

#include <math.h>

// NULL, and the context says why.
#define NOTHING(call, words) expect_usage(#call, (call) ? HOL_OK : hol_context_status(ctx), words)
// No context: there is nobody to tell but the caller.
#define REFUSED(call) assert_int_equal(call, HOL_ERR_USAGE)

static const char DRIVEN[] = "dimension: 2\n"
                             "bodies: [{name: arm, mass: 1, inertia: 0.1, markers: {tip: [1, 0]}}]\n"
                             "joints: [{name: pin, type: revolute, between: [ground, arm]}]\n"
                             "drivers: [{name: turn, type: angle, joint: pin, value: time}]\n"
                             "simulate: {end: 1}\n";

static hol_model *driven;
static hol_assembly *assembly;
static hol_statics *statics;
static hol_linear *linear;
static const char svg[] = "/no_such_folder/a.svg"; // paths are drawn as SVG

static void print(void *user, const char *text) { *(size_t *)user += strlen(text); }

// ---- what is missing ------------------------------------------------------------------------------------------

static void make(hol_assembly *(*create)(hol_context *, const hol_model *))
{
    assert_null(create(NULL, model));
    NOTHING(create(ctx, NULL), "model is NULL");
}
static void assembly_create(void) { make(hol_assembly_create); }
static void assembly_create_all(void) { make(hol_assembly_create_all); }
static void assembly_destroy(void) { hol_assembly_destroy(NULL); }
static void assembly_write(void)
{
    REFUSED(hol_assembly_write(NULL, assembly, csv));
    USAGE(hol_assembly_write(ctx, NULL, csv), "assembly is NULL");
    USAGE(hol_assembly_write(ctx, assembly, NULL), "path is NULL");
}
static void assembly_write_pose(void)
{
    REFUSED(hol_assembly_write_pose(NULL, assembly, 0, csv));
    USAGE(hol_assembly_write_pose(ctx, NULL, 0, csv), "assembly is NULL");
    USAGE(hol_assembly_write_pose(ctx, assembly, 0, NULL), "path is NULL");
    USAGE(hol_assembly_write_pose(ctx, assembly, -1, csv), "pose");
    USAGE(hol_assembly_write_pose(ctx, assembly, 1000, csv), "pose");
}
static void kinematics_create(void)
{
    assert_null(hol_kinematics_create(NULL, driven));
    NOTHING(hol_kinematics_create(ctx, NULL), "model is NULL");
}
static void kinematics_follow(void)
{
    assert_null(hol_kinematics_follow(NULL, driven));
    NOTHING(hol_kinematics_follow(ctx, NULL), "model is NULL");
}
static void paths_write(void)
{
    static const char *const marker[] = {"arm", NULL};
    REFUSED(hol_paths_write(NULL, result, model, 1, marker, svg));
    USAGE(hol_paths_write(ctx, NULL, model, 1, marker, svg), "result is NULL");
    USAGE(hol_paths_write(ctx, result, NULL, 1, marker, svg), "model is NULL");
    USAGE(hol_paths_write(ctx, result, model, 1, NULL, svg), "marker");
    USAGE(hol_paths_write(ctx, result, model, 2, marker, svg), "marker");
    USAGE(hol_paths_write(ctx, result, model, -1, marker, svg), "");
    USAGE(hol_paths_write(ctx, result, model, 1, marker, NULL), "path is NULL");
}
static void simulation_paths(void)
{
    static const char *const marker[] = {"arm", NULL};
    REFUSED(hol_simulation_paths(NULL, 1, marker, svg));
    USAGE(hol_simulation_paths(sim, 1, NULL, svg), "marker");
    USAGE(hol_simulation_paths(sim, 2, marker, svg), "marker");
    USAGE(hol_simulation_paths(sim, -1, marker, svg), "");
    USAGE(hol_simulation_paths(sim, 1, marker, NULL), "path is NULL");
}
static void kinematics_reach(void)
{
    hol_reach reach;
    hol_simulation *turning = hol_kinematics_create(ctx, driven);
    assert_non_null(turning);
    assert_false(hol_kinematics_reach(NULL, 0, &reach));
    assert_false(hol_kinematics_reach(turning, 0, NULL));
    assert_false(hol_kinematics_reach(turning, -1, &reach));
    assert_false(hol_kinematics_reach(turning, 1, &reach));
    assert_false(hol_kinematics_reach(sim, 0, &reach)); // no kinematics
    assert_true(hol_kinematics_reach(turning, 0, &reach));
    hol_simulation_destroy(turning);
}
static void statics_create(void)
{
    assert_null(hol_statics_create(NULL, model, NULL));
    NOTHING(hol_statics_create(ctx, NULL, NULL), "model is NULL");
    NOTHING(hol_statics_create(ctx, model, &(hol_statics_options){.vary = "none"}), "none");
}
static void statics_destroy(void) { hol_statics_destroy(NULL); }
static void statics_write(void)
{
    REFUSED(hol_statics_write(NULL, statics, csv));
    USAGE(hol_statics_write(ctx, NULL, csv), "statics is NULL");
    USAGE(hol_statics_write(ctx, statics, NULL), "path is NULL");
}
static void statics_write_pose(void)
{
    REFUSED(hol_statics_write_pose(NULL, statics, 0, csv));
    USAGE(hol_statics_write_pose(ctx, NULL, 0, csv), "statics is NULL");
    USAGE(hol_statics_write_pose(ctx, statics, 0, NULL), "path is NULL");
    USAGE(hol_statics_write_pose(ctx, statics, -1, csv), "point");
    USAGE(hol_statics_write_pose(ctx, statics, 1000, csv), "point");
}
static void inverse_create(void)
{
    static const char *const actuator[] = {"none"}, *const missing[] = {NULL};
    assert_null(hol_inverse_create(NULL, driven, NULL));
    NOTHING(hol_inverse_create(ctx, NULL, NULL), "model is NULL");
    NOTHING(hol_inverse_create(ctx, driven, &(hol_inverse_options){.n_actuators = 1}), "actuator");
    NOTHING(hol_inverse_create(ctx, driven, &(hol_inverse_options){.n_actuators = -1}), "actuator");
    NOTHING(hol_inverse_create(ctx, driven, &(hol_inverse_options){.n_actuators = 1, .actuator = missing}),
            "actuator");
    assert_null(
        hol_inverse_create(ctx, driven, &(hol_inverse_options){.n_actuators = 1, .actuator = actuator}));
    assert_non_null(strstr(hol_context_error(ctx), "none"));
    hol_context_clear(ctx);
}
static void linear_create(void)
{
    assert_null(hol_linear_create(NULL, model, NULL));
    NOTHING(hol_linear_create(ctx, NULL, NULL), "model is NULL");
    NOTHING(hol_linear_create(ctx, model, &(hol_linear_options){.at = -1}), "");
    NOTHING(hol_linear_create(ctx, model, &(hol_linear_options){.at = (double)NAN}), "");
    NOTHING(hol_linear_create(ctx, model, &(hol_linear_options){.metric = (hol_metric)7}), "metric");
}
static void linear_destroy(void) { hol_linear_destroy(NULL); }
static void linear_zeros(void)
{
    double re[8], im[8];
    int n;
    REFUSED(hol_linear_zeros(NULL, linear, 0, 0, &n, re, im));
    USAGE(hol_linear_zeros(ctx, NULL, 0, 0, &n, re, im), "linear is NULL");
    USAGE(hol_linear_zeros(ctx, linear, 0, 0, NULL, re, im), "n is NULL");
    USAGE(hol_linear_zeros(ctx, linear, 0, 0, &n, NULL, im), "re is NULL");
    USAGE(hol_linear_zeros(ctx, linear, 0, 0, &n, re, NULL), "im is NULL");
    USAGE(hol_linear_zeros(ctx, linear, 1000, 0, &n, re, im), "");
    USAGE(hol_linear_zeros(ctx, linear, 0, 1000, &n, re, im), "");
}
static void linear_transfer(void)
{
    double above[8], below[8];
    int degree, order;
    REFUSED(hol_linear_transfer(NULL, linear, 0, 0, &degree, &order, above, below));
    USAGE(hol_linear_transfer(ctx, NULL, 0, 0, &degree, &order, above, below), "linear is NULL");
    USAGE(hol_linear_transfer(ctx, linear, 0, 0, NULL, &order, above, below), "degree is NULL");
    USAGE(hol_linear_transfer(ctx, linear, 0, 0, &degree, NULL, above, below), "order is NULL");
    USAGE(hol_linear_transfer(ctx, linear, 0, 0, &degree, &order, NULL, below), "numerator is NULL");
    USAGE(hol_linear_transfer(ctx, linear, 0, 0, &degree, &order, above, NULL), "denominator is NULL");
    USAGE(hol_linear_transfer(ctx, linear, -1, 0, &degree, &order, above, below), "");
    USAGE(hol_linear_transfer(ctx, linear, 0, 1000, &degree, &order, above, below), "");
}
static void linear_response(void)
{
    double omega[1] = {1}, re[8], im[8];
    const double none[] = {(double)NAN}, no_time[] = {(double)INFINITY};
    REFUSED(hol_linear_response(NULL, linear, 1, omega, re, im));
    USAGE(hol_linear_response(ctx, NULL, 1, omega, re, im), "linear is NULL");
    USAGE(hol_linear_response(ctx, linear, 1, NULL, re, im), "omega is NULL");
    USAGE(hol_linear_response(ctx, linear, 1, omega, NULL, im), "re is NULL");
    USAGE(hol_linear_response(ctx, linear, 1, omega, re, NULL), "im is NULL");
    USAGE(hol_linear_response(ctx, linear, -1, omega, re, im), "");
    USAGE(hol_linear_response(ctx, linear, 1, none, re, im), "");
    USAGE(hol_linear_response(ctx, linear, 1, no_time, re, im), "");
}
static void linear_print(void)
{
    size_t n = 0;
    REFUSED(hol_linear_print(NULL, linear, 0, NULL, print, &n));
    USAGE(hol_linear_print(ctx, NULL, 0, NULL, print, &n), "linear is NULL");
    USAGE(hol_linear_print(ctx, linear, 0, NULL, NULL, &n), "print is NULL");
    USAGE(hol_linear_print(ctx, linear, 1, NULL, print, &n), "omega is NULL");
    USAGE(hol_linear_print(ctx, linear, -1, NULL, print, &n), "");
    assert_int_equal(n, 0);
    assert_int_equal(hol_linear_print(ctx, linear, 0, NULL, print, &n), HOL_OK);
    assert_true(n > 0);
}
static void linear_write(void)
{
    REFUSED(hol_linear_write(NULL, linear, 0, NULL, csv));
    USAGE(hol_linear_write(ctx, NULL, 0, NULL, csv), "linear is NULL");
    USAGE(hol_linear_write(ctx, linear, 0, NULL, NULL), "path is NULL");
    USAGE(hol_linear_write(ctx, linear, 1, NULL, csv), "omega is NULL");
    USAGE(hol_linear_write(ctx, linear, -1, NULL, csv), "");
}

// ---- the tests -------------------------------------------------------------------------------------------------

#define ROW(name)                                                                                            \
    {                                                                                                        \
        "hol_" #name, name                                                                                   \
    }
static const lacking row[] = {
    ROW(assembly_create),     ROW(assembly_create_all), ROW(assembly_destroy),  ROW(assembly_write),
    ROW(assembly_write_pose), ROW(kinematics_create),   ROW(kinematics_follow), ROW(paths_write),
    ROW(simulation_paths),    ROW(kinematics_reach),    ROW(statics_create),    ROW(statics_destroy),
    ROW(statics_write),       ROW(statics_write_pose),  ROW(inverse_create),    ROW(linear_create),
    ROW(linear_destroy),      ROW(linear_zeros),        ROW(linear_transfer),   ROW(linear_response),
    ROW(linear_print),        ROW(linear_write)};

static void every_function_says_what_it_lacks(void **state)
{
    (void)state;
    driven = hol_model_parse(ctx, "driven", DRIVEN, strlen(DRIVEN), NULL, 0);
    assembly = hol_assembly_create(ctx, model);
    statics = hol_statics_create(ctx, model, &(hol_statics_options){.unstable = true});
    linear = hol_linear_create(ctx, model, NULL);
    assert_true(driven && assembly && statics && linear);
    call_all(row, HOL_COUNT(row));
    hol_linear_destroy(linear);
    hol_statics_destroy(statics);
    hol_assembly_destroy(assembly);
    hol_model_destroy(driven);
}

static void every_function_of_the_header_is_here(void **state)
{
    (void)state;
    expect_all_functions("include/holonom_analyses.h", row, HOL_COUNT(row));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_of_the_header_is_here),
        cmocka_unit_test(every_function_says_what_it_lacks),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
