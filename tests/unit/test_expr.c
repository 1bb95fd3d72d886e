// Expressions: values, precedence, units, messages, leaves, tables, and derivatives. complex_expr.c is the same with
// HOL_COMPLEX, where the derivatives are checked by the complex step as well.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "expr/expr.h"
#include "expr/spline.h"
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- a scope of a few parameters ---------------------------------------------------------------------------

typedef struct parameter {
    const char *name;
    double value;
} parameter;

static const parameter parameters[] = {{"m", 3},
                                       {"g", 9.81},
                                       {"L", 0.5},
                                       {"length", 2},
                                       {"omega", 7},
                                       {"\u03b1", 0.25},
                                       {"huge", (double)INFINITY}};
static const parameter shadows[] = {{"L", 4}, {"e", 210e9}, {"t", 0.01}, {"time", 99}, {"sin", 5}};

typedef struct list {
    const parameter *item;
    int n;
} list;

static bool find(const void *data, const char *name, size_t length, hol_constant *out)
{
    const list *l = data;
    for (int i = 0; i < l->n; i++) {
        if (strlen(l->item[i].name) != length || strncmp(l->item[i].name, name, length) != 0) continue;
        out->value = l->item[i].value;
        return true;
    }
    return false;
}

static void each(const void *data, hol_nearest *nearest)
{
    const list *l = data;
    for (int i = 0; i < l->n; i++) hol_nearest_try(nearest, l->item[i].name);
}

static const list outer_list = {parameters, HOL_COUNT(parameters)},
                  inner_list = {shadows, HOL_COUNT(shadows)};
static const hol_scope outer = {NULL, find, each, &outer_list};
static const hol_scope inner = {&outer, find, each, &inner_list};

static const hol_units si = {1, 1, 1, 1, 1};
static const hol_units other_units = {1e-3, 1e3, 1e-3, HOL_PI / 180, 1}; // mm, tonne, ms, deg

// ---- leaves and a table --------------------------------------------------------------------------------------

static hol_context *ctx;
static hol_arena *arena;

// The leaf of a name is its index; those after LAST_NAME are refused or too many.
static const char *const leaf_names[] = {"p", "q", "r", "u", "v", "w", "x{i+1}", "gain", "e", "t"};
enum { MEASURE = HOL_COUNT(leaf_names), TOO_MANY = HOL_NUM_VARIABLES - 1 };
static hol_leaf_call asked; // what leaf_find was asked last

static bool is_text(hol_leaf_text t, const char *text)
{
    return t.length == strlen(text) && strncmp(t.text, text, t.length) == 0;
}

static int leaf_find(void *user, const hol_leaf_call *call)
{
    assert_ptr_equal(user, &asked);
    asked = *call;
    if (call->call)
        return is_text(call->name, "DX") || is_text(call->name, "dx") ? MEASURE : HOL_LEAF_UNKNOWN;
    for (int i = 0; i < HOL_COUNT(leaf_names); i++)
        if (is_text(call->name, leaf_names[i])) return i;
    if (is_text(call->name, "silent")) return HOL_LEAF_ERROR;
    if (is_text(call->name, "forbidden")) {
        hol_fail_at(ctx, HOL_ERR_USAGE, call->name.at, "forbidden here");
        return HOL_LEAF_ERROR;
    }
    if (is_text(call->name, "lot")) return TOO_MANY;
    return is_text(call->name, "fits") ? TOO_MANY - 1 : HOL_LEAF_UNKNOWN;
}

static void leaf_each(void *user, hol_nearest *nearest)
{
    (void)user;
    for (int i = 0; i < HOL_COUNT(leaf_names); i++) hol_nearest_try(nearest, leaf_names[i]);
    hol_nearest_try(nearest, "WXYZ");
    hol_nearest_try(nearest, "DX");
}

static const double bump_x[] = {-1.3, -0.6, 0.1, 0.4, 0.55, 1.03, 1.9},
                    bump_y[] = {0.2, 0.9, -0.3, 0.5, 0.4, 1.1, -0.7};
enum { BUMPS = HOL_COUNT(bump_x) };

static const hol_table *leaf_table(void *user, const hol_leaf_text *name)
{
    (void)user;
    hol_table *t = hol_arena_alloc(arena, 1, sizeof *t);
    if (is_text(*name, "bump")) t->spline = hol_spline_create(arena, HOL_SPLINE_AKIMA, BUMPS, bump_x, bump_y);
    if (is_text(*name, "corner"))
        t->spline = hol_spline_create(arena, HOL_SPLINE_LINEAR, BUMPS, bump_x, bump_y);
    if (t->spline) return t;
    hol_fail_at(ctx, HOL_ERR_MODEL, name->at, "no table \"%.*s\"", (int)name->length, name->text);
    return NULL;
}

static const hol_leaves leaves = {leaf_find, leaf_table, leaf_each, &asked, NULL};

// ---- helpers -----------------------------------------------------------------------------------------------

static int set_up(void **state)
{
    (void)state;
    ctx = hol_context_create();
    arena = hol_arena_create(ctx);
    return ctx && arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    hol_arena_destroy(arena);
    hol_context_destroy(ctx);
    return 0;
}

static hol_status parse(const char *text, const hol_scope *scope, const hol_units *units, bool time,
                        const hol_expr **e)
{
    hol_context_clear(ctx);
    return hol_expr_parse(ctx, arena, text, (hol_src){"x.yaml", 4, 11}, scope, units, time, e);
}

static const hol_expr *parsed(const char *text, const hol_scope *scope, const hol_units *units, bool time)
{
    const hol_expr *e;
    if (parse(text, scope, units, time, &e) != HOL_OK) fail_msg("\"%s\": %s", text, hol_context_error(ctx));
    return e;
}

static hol_status parse_leaves(const char *text, const hol_units *units, const hol_expr **e)
{
    hol_context_clear(ctx);
    return hol_expr_parse_leaves(ctx, arena, text, (hol_src){"x.yaml", 4, 11}, &outer, units, &leaves, e);
}

static const hol_expr *with_leaves(const char *text, const hol_units *units)
{
    const hol_expr *e;
    if (parse_leaves(text, units, &e) != HOL_OK) fail_msg("\"%s\": %s", text, hol_context_error(ctx));
    return e;
}

static double value_in(const char *text, const hol_scope *scope, const hol_units *units)
{
    const hol_expr *e = parsed(text, scope, units, false);
    assert_true(hol_expr_is_constant(e));
    return hol_expr_value(e);
}

// Equal to a few units in the last place.
static void close_to(const char *what, double value, double expected, double tolerance)
{
    const double error = fabs(value - expected);
    if (!(error <= tolerance * (fabs(expected) > DBL_MIN ? fabs(expected) : 1)))
        fail_msg("%s is %.17g, should be %.17g (error %.1e)", what, value, expected, error);
}

#ifdef HOL_COMPLEX
static const double few_digits = 1e-13; // complex powers are exp(r log x)
#else
static const double few_digits = 4 * DBL_EPSILON;
#endif

#define VALUE(text, expected) close_to(text, value_in(text, &outer, &si), expected, few_digits)
#define SAME(text) VALUE(#text, text)

enum { CONSTANTS, TIME, LEAVES }; // what an expression may use

static void error_is(const char *text, int may_use, int col, const char *message)
{
    const hol_expr *e;
    char expected[700];
    snprintf(expected, sizeof expected, "x.yaml:4:%d: error: %s", col, message);
    const hol_status status =
        may_use == LEAVES ? parse_leaves(text, &si, &e) : parse(text, &outer, &si, may_use, &e);
    if (status == HOL_OK) fail_msg("\"%s\" is accepted, should give\n  %s", text, expected);
    assert_int_equal(status, HOL_ERR_MODEL);
    assert_null(e);
    assert_string_equal(hol_context_error(ctx), expected);
}

// The column is counted from 1 inside the expression.
#define REFUSED(text, col, message) error_is(text, CONSTANTS, 10 + (col), message)
#define REFUSED_WITH_TIME(text, col, message) error_is(text, TIME, 10 + (col), message)
#define REFUSED_WITH_LEAVES(text, col, message) error_is(text, LEAVES, 10 + (col), message)

// ---- values ------------------------------------------------------------------------------------------------

static void numbers_are_read_to_the_last_digit(void **state)
{
    (void)state;
    const char *numbers[] = {"0",
                             "1",
                             "1.5",
                             ".5",
                             "1.",
                             "1e-3",
                             "1E+3",
                             "0.1",
                             "123456.789",
                             "1e-300",
                             "5e-324",
                             "000.07",
                             "1e308",
                             "0e99999999999",
                             "1e-9999",
                             "9007199254740993",
                             "3.141592653589793238462643383279502884197169399375"};
    for (int i = 0; i < HOL_COUNT(numbers); i++) {
        const double v = value_in(numbers[i], NULL, NULL), expected = strtod(numbers[i], NULL);
        if (v != expected) fail_msg("%s is read as %.17g", numbers[i], v);
    }
    char zeros[202];
    snprintf(zeros, sizeof zeros, "1%0100d", 0); // 1e100 without an exponent
    close_to(zeros, value_in(zeros, NULL, NULL), 1e100, 0);
    snprintf(zeros, sizeof zeros, "0.%0100d", 1);
    close_to(zeros, value_in(zeros, NULL, NULL), 1e-100, 0);
}

static void operators_bind_as_in_mathematics(void **state)
{
    (void)state;
    const double L = 0.5, m = 3;
    SAME(1 + 2 * 3);
    SAME((1 + 2) * 3);
    SAME(7 - 4 - 2);
    SAME(64 / 4.0 / 2);
    SAME(2 * -3);
    SAME(2 - -3);
    SAME(- -3 + +1);
    SAME(m * L * L / 12);
    VALUE("m*L^2/12", m * L * L / 12);
    VALUE("-2^2", -4);
    VALUE("2^3^2", 512);
    VALUE("2**3**2", 512);
    VALUE("2^-1", 0.5);
    VALUE("2^-2^2", 1.0 / 16);
    VALUE("(-2)^3", -8);
    VALUE("(-2)^-3", -0.125);
    VALUE("0^0", 1);
    VALUE("4*2^3", 32);
    VALUE("2^3*4", 32);
    VALUE(" (1+1/2)\t* L\n", 0.75);
}

static void constants_and_parameters_have_their_values(void **state)
{
    (void)state;
    VALUE("pi", HOL_PI);
    VALUE("PI", HOL_PI);
    VALUE("e", exp(1.0));
    VALUE("m*g", 3 * 9.81);
    VALUE("2*\u03b1", 0.5);
    VALUE("length*Sin(omega) + COS(0)", 2 * sin(7.0) + 1);
}

static void an_inner_name_wins_over_outer_names_and_constants(void **state)
{
    (void)state;
    close_to("L", value_in("L", &inner, &si), 4, 0);
    close_to("m", value_in("m", &inner, &si), 3, 0);
    close_to("e", value_in("e", &inner, &si), 210e9, 0);
    close_to("t", value_in("t", &inner, &si), 0.01, 0);
    assert_true(hol_expr_is_constant(parsed("t", &inner, &si, true)));
    assert_false(hol_expr_is_constant(parsed("time", &inner, &si, true)));
    close_to("sin + sin(0)", value_in("sin + sin(0)", &inner, &si), 5, 0);
}

static void folded_functions_equal_those_of_c(void **state)
{
    (void)state;
    SAME(sin(0.7));
    SAME(cos(0.7));
    SAME(tan(0.7));
    SAME(asin(0.7));
    SAME(acos(-0.7));
    SAME(atan(-9.7));
    SAME(sinh(0.7));
    SAME(cosh(0.7));
    SAME(tanh(0.7));
    SAME(sqrt(0.7));
    SAME(exp(0.7));
    SAME(log(0.7));
    SAME(log10(0.7));
    SAME(floor(-0.7));
    SAME(ceil(-0.7));
    SAME(round(-0.7));
    SAME(pow(0.7, 3.3));
    SAME(pow(0.7, -2));
    SAME(pow(7, 100));
    SAME(pow(-7, 100));
    SAME(pow(-7, 101));
    VALUE("ln(2)", log(2.0));
    VALUE("abs(-3) + abs(2)", 5);
    VALUE("min(3, 1, 2) + 10*max(3, 1, 2)", 31);
    VALUE("mod(7, 4) + 10*mod(-7, 4)", 3 - 30);
    for (int i = 0; i < 16; i++) {
        char text[80];
        const double angle = -3.0 + 0.4 * i, x = cos(angle), y = sin(angle);
        snprintf(text, sizeof text, "atan2(%.17g, %.17g)", y, x);
        close_to(text, value_in(text, NULL, NULL), atan2(y, x), 4 * DBL_EPSILON);
    }
    VALUE("atan2(0, -1)", HOL_PI);
    VALUE("atan2(-2, 0)", -HOL_PI / 2);
    VALUE("atan2(1e-170, 0)", HOL_PI / 2);
#ifndef HOL_COMPLEX
    close_to("log10(1000)", value_in("log10(1000)", NULL, NULL), 3, 0);
#endif
}

static void ramps_and_branches_pick_the_right_piece(void **state)
{
    (void)state;
    VALUE("step(0, 1, 5, 3, 9)", 5);
    VALUE("step(4, 1, 5, 3, 9)", 9);
    VALUE("step(1.5, 1, 5, 3, 9)", 5 + 4 * (3.0 / 16 - 2.0 / 64));
    VALUE("step5(1.5, 1, 5, 3, 9)", 5 + 4 * (10.0 / 64 - 15.0 / 256 + 6.0 / 1024));
    VALUE("havsin(1.5, 1, 5, 3, 9)", 7 + 2 * sin(0.25 * HOL_PI - HOL_PI / 2));
    VALUE("if(-2: 10, 20, 30)", 10);
    VALUE("if(0, 10, 20, 30)", 20);
    VALUE("IF(m-1: 10, 20, 30)", 30);
    VALUE("2 + if(m-3: 1, 7, 1/(m-3))*2", 16); // the branch left out may be infinite
    assert_true(hol_expr_is_constant(parsed("if(0: time, 5, sin(time)) + 1", NULL, NULL, true)));
    assert_false(hol_expr_is_constant(parsed("if(1: 2, 5, sin(time)) + 1", NULL, NULL, true)));
}

static void contact_forces_are_those_of_adams(void **state)
{
    (void)state;
    VALUE("impact(1, -5, 1, 100, 2, 3, 0.5)", 0);           // touching
    VALUE("impact(3, -5, 1, 100, 2, 3, 0.5)", 0);           // apart
    VALUE("IMPACT(0, -5, 1, 100, 2, 3, 0.5)", 100 + 3 * 5); // full damping
    VALUE("impact(0.75, -5, 1, 100, 2, 3, 0.5)", 6.25 + 7.5);
    VALUE("impact(0.875, -5, 1, 100, 2, 3, 0.5)", 1.5625 + 15 * (3 / 16.0 - 2 / 64.0));
    VALUE("impact(0, 50, 1, 100, 2, 3, 0.5)", 0); // would pull
    VALUE("impact(0.9, -5, 1, 100, 1, 3, 0)", 10 + 15);
    VALUE("impact(0.9, 0, 1, 100, 1.5, 3, 0.01)", 100 * pow(1 - 0.9, 1.5));
    VALUE("bistop(0.75, -5, 1, 2, 100, 2, 3, 0.5)", 6.25 + 7.5);
    VALUE("bistop(1.5, -5, 1, 2, 100, 2, 3, 0.5)", 0);
    VALUE("bistop(1, -5, 1, 2, 100, 2, 3, 0.5) + bistop(2, 5, 1, 2, 100, 2, 3, 0.5)", 0);
    VALUE("bistop(2.25, 5, 1, 2, 100, 2, 3, 0.5)", -6.25 - 7.5);
    VALUE("bistop(3, -50, 1, 2, 100, 2, 3, 0.5)", 0); // would pull
}

static void series_have_their_values(void **state)
{
    (void)state;
    VALUE("poly(3, 1, 5)", 5);
    VALUE("poly(3, 1, 5, 7, 11)", 5 + 7 * 2 + 11 * 4);
    VALUE("forsin(3, 1, 0.4, 5, 7, 11)", 5 + 7 * sin(0.8) + 11 * sin(1.6));
    VALUE("forcos(3, 1, 0.4, 5, 7, 11)", 5 + 7 * cos(0.8) + 11 * cos(1.6));
    VALUE("forcos(3, 1, 0.4, 5)", 5);
    VALUE("shf(3, 1, 5, 0.4, 0.1, 7)", 5 * sin(0.7) + 7);
    VALUE("forsin(3, 1, 15 deg, 5, 7, 11)", 5 + 7 * 0.5 + 11 * sin(HOL_PI / 3));
    VALUE("shf(3, 1, 5, 20 deg, 10 deg, 7)", 9.5);
}

static void lengths_and_smooth_magnitudes_have_their_values(void **state)
{
    (void)state;
    VALUE("hypot(3, -4)", 5);
    VALUE("hypot(2, 3, 6)", 7);
    VALUE("hypot(0, 0, 0)", 0);
    VALUE("hypot(3e200, 4e200)", 5e200);
    VALUE("hypot(3e-200, 4e-200)", 5e-200);
    VALUE("hypot(5e-324, 0)", 5e-324);
    VALUE("sabs(4, 3)", 2);
    VALUE("sabs(-4, 3)", 2);
    VALUE("sabs(0, 3)", 0);
    VALUE("sabs(1e-9, 1)", 5e-19);
}

static void branches_follow_time(void **state)
{
    (void)state;
    const hol_expr *e = parsed("if(time - 1: 10, 20, 30) + 1", NULL, NULL, true);
    hol_real j[4];
    for (int t = 0; t <= 2; t++) {
        hol_expr_jet(e, t, j);
        close_to("if(time - 1: 10, 20, 30) + 1", hol_re(j[0]), 11 + 10 * t, 0);
    }
}

// ---- units -------------------------------------------------------------------------------------------------

static void units_follow_a_value_and_bind_tightest(void **state)
{
    (void)state;
    VALUE("90 deg", HOL_PI / 2);
    VALUE("(30+60) deg", HOL_PI / 2);
    VALUE("2*90 deg", HOL_PI);
    VALUE("-90deg", -HOL_PI / 2);
    VALUE("90\u00b0", HOL_PI / 2);
    VALUE("sin(90 deg)", 1);
    VALUE("10 mm + 2 m", 2.01);
    VALUE("3000 rpm", 100 * HOL_PI);
    VALUE("2 kN", 2000);
    VALUE("3 N m", 3);
    VALUE("m m", 3); // the parameter m in metres
    VALUE("g g", 9.81e-3);
    VALUE("9.81 m/s^2", 9.81);
    VALUE("9.81 m/(1 s)^2", 9.81);
    VALUE("3 m^2", 3);
    VALUE("(3 mm)^2", 9e-6);
    VALUE("3*(1 mm)^2", 3e-6);
    VALUE("10 N/mm*2", 2e4);
    VALUE("10 N/mm/2", 5e3);
    VALUE("10 N/mm/L", 2e4);
    VALUE("10 N/mm*(1 + 1)", 2e4);
    VALUE("sqrt(4) mm", 2e-3);
}

// Quantities and functions are in SI whatever the units of the file, and a plain number stays what it is.
static void units_of_the_file_do_not_reach_expressions(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double expected;
    } rows[] = {{"5 mm", 5e-3},
                {"2 kg", 2},
                {"90 deg", HOL_PI / 2},
                {"60 rpm", 2 * HOL_PI},
                {"7", 7},
                {"1 MPa", 1e6},
                {"asin(1)", HOL_PI / 2},
                {"sin(90 deg)", 1},
                {"cos(0)", 1},
                {"cos(1 rev/6)", 0.5},
                {"atan(tan(12 deg))", 12 * HOL_PI / 180}};
    for (int i = 0; i < HOL_COUNT(rows); i++)
        close_to(rows[i].text, value_in(rows[i].text, NULL, &other_units), rows[i].expected, 8 * DBL_EPSILON);
}

static void every_unit_is_documented_and_found(void **state)
{
    (void)state;
    int count, dimension[4];
    const hol_expr_doc *row = hol_expr_unit_names(&count);
    for (int i = 0; i < count; i++) {
        assert_true(hol_unit_find(row[i].name, strlen(row[i].name), dimension) > 0);
        assert_true(*row[i].arguments && *row[i].meaning);
        for (int j = 0; j < i; j++) assert_string_not_equal(row[i].name, row[j].name);
    }
    close_to("rpm", hol_unit_find("rpm", 3, dimension), 2 * HOL_PI / 60, DBL_EPSILON);
    assert_int_equal(dimension[2], -1);
    assert_int_equal(dimension[3], 1);
    close_to("kp", hol_unit_find("kp", 2, dimension), 0, 0);
}

// ---- messages ----------------------------------------------------------------------------------------------

#define PARAMETERS "(parameters are given under \"parameters:\")"

static void wrong_names_are_reported(void **state)
{
    (void)state;
    REFUSED("2*lenght", 3, "unknown name \"lenght\"; did you mean \"length\"? " PARAMETERS);
    REFUSED("1 + zzz", 5, "unknown name \"zzz\" " PARAMETERS);
    REFUSED("5/kN", 3, "unknown name \"kN\"; the unit stands after a value: 1 kN " PARAMETERS);
    REFUSED("2 + sin", 5, "\"sin\" is a function; write sin(...)");
    REFUSED("1 + Sinn(2)", 5, "\"Sinn\" is not a function; did you mean \"sin\"?");
    REFUSED("foo(2)", 1, "\"foo\" is not a function; \"holonom elements\" lists them");
    REFUSED("L (2)", 1, "\"L\" is a value, not a function; to multiply, write L*(...)");
    REFUSED("5 dge", 3, "unknown unit \"dge\"; did you mean \"deg\"?");
    REFUSED("5 furlong", 3, "unknown unit \"furlong\"; \"holonom elements\" lists them");
    REFUSED("2 L", 3, "\"L\" is not a unit; to multiply, write *L");
    REFUSED("2pi", 2, "\"pi\" is not a unit; to multiply, write *pi");
    REFUSED("2*huge", 3, "\"huge\" is not a finite number");
    REFUSED("\u03b1*\u03b1*q", 5, "unknown name \"q\" " PARAMETERS); // columns count characters
}

static void long_words_are_cut_between_characters(void **state)
{
    (void)state;
    REFUSED("aaaaaaaaa\u03b1aaaaaaaaaaaaaaaaaaaaaaaaaaaa\u03b1\u03b1", 1,
            "unknown name \"aaaaaaaaa\u03b1aaaaaaaaaaaaaaaaaaaaaaaaaaaa\" " PARAMETERS);
}

static void wrong_calls_are_reported(void **state)
{
    (void)state;
    REFUSED("1+sin(1, 2)", 3, "sin takes 1 argument (x), here are 2");
    REFUSED("sin()", 1, "sin takes 1 argument (x), here are 0");
    REFUSED("atan2(1)", 1, "atan2 takes 2 arguments (y, x), here is 1");
    REFUSED("min(1)", 1, "min takes 2 or more arguments (a, b, ...), here is 1");
    REFUSED("step(1, 2, 3)", 1, "step takes 5 arguments (x, x0, h0, x1, h1), here are 3");
    REFUSED("step(1, 2, 0, 1, 0)", 1, "step(x, x0, h0, x1, h1) needs x0 < x1, here x0 = 2 and x1 = 1");
    REFUSED("min(1: 2)", 6, "unexpected \":\"; the operators are + - * / ^ and brackets are ( )");
    REFUSED_WITH_TIME("floor(time)", 1,
                      "floor of a function of time jumps; use step(...) or a constant argument");
    REFUSED_WITH_TIME("1 + round(2*time + 1)", 5,
                      "round of a function of time jumps; use step(...) or a constant argument");
}

static void wrong_contacts_are_reported(void **state)
{
    (void)state;
    REFUSED("impact(0, 0, 1, 5, 0, 0, 1)", 1,
            "impact(x, xdot, x1, k, e, cmax, d) needs e > 0 and d >= 0, here e = 0");
    REFUSED("1 + bistop(0, 0, 1, 2, 5, 1, 0, -1)", 5,
            "bistop(x, xdot, x1, x2, k, e, cmax, d) needs e > 0 and d >= 0, here d = -1");
    REFUSED("poly(1, 2)", 1, "poly takes 3 or more arguments (x, x0, a0, a1, ...), here are 2");
    REFUSED("sabs(0, 0)", 1, "sabs(0, 0) is not a finite number; sabs needs w > 0");
    REFUSED("spline(1, bump)", 1,
            "spline needs a table, and tables cannot be used here: they stand in variables, states, events "
            "and the values of forces");
}

static void wrong_grammar_is_reported(void **state)
{
    (void)state;
    const char *empty = "the value is empty; write a number or an expression such as 2*L";
    REFUSED("", 1, empty);
    REFUSED("  \t", 1, empty);
    REFUSED("1 + ", 5, "a value is missing at the end of the expression");
    REFUSED("1 + * 2", 5, "a value is missing before \"*\"");
    REFUSED("()", 2, "a value is missing before \")\"");
    REFUSED("max(1,)", 7, "a value is missing before \")\"");
    REFUSED("2*(1 + (3)", 3, "\"(\" is never closed; add \")\"");
    REFUSED("sin(1", 4, "\"(\" is never closed; add \")\"");
    REFUSED("(1))", 4, "\")\" has no \"(\" before it");
    REFUSED("1,5", 2, "unexpected \",\"; decimals are written with a point");
    REFUSED("1 2.5", 3, "unexpected \"2.5\"; an operator such as * is missing before it");
    REFUSED("2 (3)", 3, "unexpected \"(\"; an operator such as * is missing before it");
    REFUSED("1 + 2 $", 7, "unexpected \"$\"; the operators are + - * / ^ and brackets are ( )");
    REFUSED("#", 1, "unexpected \"#\"; the operators are + - * / ^ and brackets are ( )");
    REFUSED("0..5", 3, "unexpected \".5\"; an operator such as * is missing before it");
    REFUSED("1e999", 1, "the number is too large; the largest is 1.797e308");
    REFUSED("2^3 m", 2, "an exponent has no unit; write (2^3) m for a unit of the whole power");
}

static void time_is_refused_where_a_constant_is_needed(void **state)
{
    (void)state;
    REFUSED("2*time", 3, "\"time\" is the time, and this value must be a constant");
    REFUSED("sin(Time)", 5, "\"Time\" is the time, and this value must be a constant");
    REFUSED("t", 1, "\"t\" is the time, and this value must be a constant");
}

static void infinite_constants_are_reported_where_they_arise(void **state)
{
    (void)state;
    const char *power =
        "needs a base other than 0 if the exponent is negative, and a base >= 0 if it is a fraction";
    char text[200];
    REFUSED("1 + 2/(m-3)", 6, "2/0 is not a finite number; / needs a divisor other than 0");
    REFUSED("1/(1/0)", 5, "1/0 is not a finite number; / needs a divisor other than 0");
    REFUSED("2*sqrt(-1)", 3, "sqrt(-1) is not a finite number; sqrt needs x >= 0");
    REFUSED("log(0)", 1, "log(0) is not a finite number; log needs x > 0");
    REFUSED("ln(-2)", 1, "ln(-2) is not a finite number; ln needs x > 0");
    REFUSED("asin(1.5)", 1, "asin(1.5) is not a finite number; asin needs -1 <= x <= 1");
    REFUSED("atan2(0, 0)", 1, "atan2(0, 0) is not a finite number; atan2 needs x or y other than 0");
    REFUSED("mod(3, 0)", 1, "mod(3, 0) is not a finite number; mod needs y other than 0");
    REFUSED("exp(1000)", 1, "exp(1000) is not a finite number");
    REFUSED("1e200*1e200", 6, "1e+200*1e+200 is not a finite number");
    snprintf(text, sizeof text, "0^-1 is not a finite number; ^ %s", power);
    REFUSED("0^-1", 2, text);
    snprintf(text, sizeof text, "pow(-8, 0.5) is not a finite number; pow %s", power);
    REFUSED("pow(-8, 1/2)", 1, text);
    REFUSED("min(0, 1/0)", 9, "1/0 is not a finite number; / needs a divisor other than 0");
    REFUSED("if(1/0: 1, 2, 3)", 5, "1/0 is not a finite number; / needs a divisor other than 0");
    REFUSED_WITH_TIME("time + 1/0", 9, "1/0 is not a finite number; / needs a divisor other than 0");
}

// "(((...1...)))" and "1^1^1...", n deep
static char *nested(const char *open, int n, const char *close)
{
    char *text = calloc((size_t)n * (strlen(open) + strlen(close)) + 2, 1), *end = text;
    for (int i = 0; i < n; i++) end += sprintf(end, "%s", open);
    *end++ = '1';
    for (int i = 0; i < n; i++) end += sprintf(end, "%s", close);
    return text;
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    char *fits = nested("(", 200, ")"), *deep = nested("(", 201, ")"),
         *very_deep = nested("-sin(", 100000, ")");
    char *stack = nested("1+(", 63, ")"), *full = nested("1+(", 64, ")");
    const char *message =
        "brackets and powers are nested deeper than 200; name a part of the expression under "
        "\"parameters:\"";
    VALUE(fits, 1);
    VALUE(stack, 64);
    REFUSED(deep, 202, message);
    REFUSED(very_deep, 1006, message);
    REFUSED(full, 193,
            "the expression needs more than 64 intermediate values at once; reorder it or name a part of it "
            "under "
            "\"parameters:\"");
    free(fits), free(deep), free(very_deep), free(stack), free(full);

    char *signs = nested("-", 100001, ""), *terms = nested("1+", 100000, "");
    char *branches = nested("if(0: 1, 2, 3)+", 100, "");
    VALUE(signs, -1);
    VALUE(terms, 100001);
    VALUE(branches, 201);
    free(signs), free(terms), free(branches);
}

// ---- derivatives -------------------------------------------------------------------------------------------

static void jets_are_derivatives_per_second(void **state)
{
    (void)state;
    hol_real j[4];
    hol_expr_jet(parsed("2*time^3", NULL, NULL, true), 3, j);
    const double expected[4] = {54, 54, 36, 12};
    for (int k = 0; k < 4; k++) close_to("2*time^3", hol_re(j[k]), expected[k], DBL_EPSILON);

    // d/dt sin(360 deg*time) = 2 pi cos
    hol_expr_jet(parsed("sin(360 deg/s*t)", NULL, &other_units, true), 0.125, j);
    const double w = 2 * HOL_PI, s = sin(w / 8), c = cos(w / 8);
    const double slow[4] = {s, w * c, -w * w * s, -w * w * w * c};
    for (int k = 0; k < 4; k++) close_to("sin of 360 deg/s*t", hol_re(j[k]), slow[k], 1e-14);
}

static void integer_powers_have_derivatives_at_zero_and_below(void **state)
{
    (void)state;
    hol_real j[4];
    hol_expr_jet(parsed("time^3", NULL, NULL, true), 0, j);
    const double at_zero[4] = {0, 0, 0, 6};
    for (int k = 0; k < 4; k++) close_to("time^3 at 0", hol_re(j[k]), at_zero[k], 0);
    hol_expr_jet(parsed("time^3", NULL, NULL, true), -2, j);
    const double below[4] = {-8, 12, -12, 6};
    for (int k = 0; k < 4; k++) close_to("time^3 at -2", hol_re(j[k]), below[k], 0);
    hol_expr_jet(parsed("time^0", NULL, NULL, true), 0, j);
    const double one[4] = {1, 0, 0, 0};
    for (int k = 0; k < 4; k++) close_to("time^0 at 0", hol_re(j[k]), one[k], 0);
    hol_expr_jet(parsed("sqrt(max(0, time - 1)) + max(0, time - 1)^0.5", NULL, NULL, true), 0.5, j);
    for (int k = 0; k < 4; k++) close_to("a clipped root", hol_re(j[k]), 0, 0);
}

static void constants_and_scaled_expressions_keep_their_derivatives(void **state)
{
    (void)state;
    hol_real j[4], scaled[4];
    const hol_expr *e = parsed("exp(time)/3", NULL, NULL, true), *c = hol_expr_constant(arena, 2.5);
    hol_expr_jet(e, 0.3, j);
    hol_expr_jet(hol_expr_scaled(arena, hol_expr_scaled(arena, e, 2), 4), 0.3, scaled);
    for (int k = 0; k < 4; k++) close_to("8 e", hol_re(scaled[k]), 8 * hol_re(j[k]), 0);
    assert_true(hol_expr_is_constant(c));
    close_to("2.5", hol_expr_value(c), 2.5, 0);
    close_to("4*2.5", hol_expr_value(hol_expr_scaled(arena, c, 4)), 10, 0);
    hol_expr_jet(hol_expr_scaled(arena, c, 4), 7, j);
    const double expected[4] = {10, 0, 0, 0};
    for (int k = 0; k < 4; k++) close_to("4*2.5", hol_re(j[k]), expected[k], 0);
}

// At least one expression for every function; all are smooth at the times below, and all times reach other pieces.
static const struct probe {
    const char *function, *text;
} probes[] = {
    {"sin", "sin(3*time + 0.2)"},
    {"cos", "cos(3*time^2 + 0.2)"},
    {"tan", "tan(0.3*time + 0.1*time^3)"},
    {"asin", "asin(0.3*sin(2*time) + 0.2*time)"},
    {"acos", "acos(0.5*cos(2*time))"},
    {"atan", "atan(3*time^2 - 1.2)"},
    {"atan2", "atan2(sin(2*time + 1)*(1 + time), cos(2*time + 1)*(2 - 0.5*time^2))"},
    {"sinh", "sinh(time^2 - 0.3)"},
    {"cosh", "cosh(time^2 - 0.3)"},
    {"tanh", "tanh(time^2 - 0.3)"},
    {"sqrt", "sqrt(1 + time + time^3)"},
    {"exp", "exp(-time^2/2 + time)"},
    {"log", "log(2 + sin(time))"},
    {"ln", "ln(2 + sin(time))"},
    {"log10", "log10(2 + sin(time))"},
    {"abs", "abs(sin(4*time) - 0.3)"},
    {"min", "min(sin(4*time), time^3, 0.8 - time^2)"},
    {"max", "max(sin(4*time), time^3, 0.8 - time^2)"},
    {"pow", "pow(1 + time^2, 2.7) + pow(time - 3, 3) + pow(time - 0.5, -2)"},
    {"pow", "(2 + sin(time))^cos(3*time) + 2^time + (1 + time)^80/2^80"},
    {"mod", "mod(sin(3*time), 0.3 + 0.1*time^2)"},
    {"floor", "floor(2.5)*sin(time)"},
    {"ceil", "ceil(2.5)*sin(time)"},
    {"round", "round(2.5)*sin(time)"},
    {"step", "step(sin(time), 0.2, cos(time), 0.8 + 0.02*time, time^2)"},
    {"step5", "step5(sin(time), 0.2, cos(time), 0.8 + 0.02*time, time^2)"},
    {"havsin", "havsin(sin(time), 0.2, cos(time), 0.8 + 0.02*time, time^2)"},
    {"if", "if(sin(4*time): time^2, 0, exp(time))"},
    {"sabs", "sabs(sin(4*time) - 0.3, 0.2 + time)"},
    {"hypot", "hypot(time - 2, sin(time), 0.3)"},
    {"impact", "impact(cos(4*time), -4*sin(4*time), 0.9, 20, 2.2, 0.3, 0.4)"},
    {"bistop", "bistop(2*cos(4*time), -8*sin(4*time), -0.5, 0.9, 20, 2.2, 0.3, 0.4)"},
    {"poly", "poly(time, 0.3, 1, 2*time, -3, 4)"},
    {"forsin", "forsin(time, 0.1, 3, 1, 2*time, -0.5, 0.2)"},
    {"forcos", "forcos(time, 0.1, 3, 1, 2*time, -0.5, 0.2)"},
    {"shf", "shf(time, 0.2, 1.5*time, 4, 0.3*time, 2)"},
    {"spline", "spline(sin(time), bump) + spline(time, bump, 1) + spline(2*time - 1, bump, 2)"},
    {"akispl", "akispl(sin(time), 0, corner) + akispl(time, 0, bump, 1) + akispl(2*time - 1, 0, bump, 2)"},
    {"cubspl", "cubspl(sin(time), 0, bump) + cubspl(time, 0, bump, 1) + cubspl(2*time - 1, 0, bump, 2)"},
    {"+ - * /", "(1 - 2*time + time^3)*sin(time)/(1.5 + cos(2*time)) - 1/(1 + time)"},
    {"+ - * /", "-(1 N)*time + 3 kN*time/(1 + time^2)"},
};
static const double times[] = {0.07, 0.31, 0.83, 1.13, 1.37};

// The same with leaves, which are in (0.2, 0.9) as the time is: every function, each argument of it varying.
static const struct probe leaf_probes[] = {
    {"sin", "sin(3*p + q*r)"},
    {"cos", "cos(3*p + q*time)"},
    {"tan", "tan(0.5*p + 0.3*q)"},
    {"asin", "asin(0.9*p*q)"},
    {"acos", "acos(0.9*p*q - 0.1)"},
    {"atan", "atan(3*p - 2/q)"},
    {"atan2", "atan2(p*sin(9*q), p*cos(9*q) + 0.1*r) + atan2(p, -2) + atan2(-0.2, q)"},
    {"sinh", "sinh(p*q - r)"},
    {"cosh", "cosh(p*q - r)"},
    {"tanh", "tanh(p*q - r)"},
    {"sqrt", "sqrt(p + q^3)"},
    {"exp", "exp(p - 2*q)"},
    {"log", "log(p*q)"},
    {"ln", "ln(p + q)"},
    {"log10", "log10(p/q)"},
    {"abs", "abs(p - q)*r"},
    {"sabs", "sabs(p - q, 0.1*r) + sabs(u, 0.2) + sabs(0.2, v)"},
    {"hypot", "hypot(p - 0.5, q*r, sin(u)) + hypot(v, 3) + hypot(-2, w, p)"},
    {"min", "min(p, q*u, 0.6)"},
    {"max", "max(p, q*u, 0.6)"},
    {"pow", "pow(p, q) + pow(p - q, 3) + pow(p*q, -2) + 2^r + (u + 1)^2.5 + r^0"},
    {"mod", "mod(5*p, 0.3 + 0.1*q) + mod(7*r, 0.4)"},
    {"floor", "floor(2.5)*p"},
    {"ceil", "ceil(2.5)*p"},
    {"round", "round(2.5)*p"},
    {"step", "step(p, 0.3*q, r, 0.5 + u, v) + step(w, 0.3, 1, 0.7, 2)"},
    {"step5", "step5(p, 0.3*q, r, 0.5 + u, v) + step5(w, 0.3, 1, 0.7, 2)"},
    {"havsin", "havsin(p, 0.3*q, r, 0.5 + u, v) + havsin(w, 0.3, 1, 0.7, 2)"},
    {"if", "if(p - q: r*u, 0, exp(v))"},
    {"impact", "impact(p, q - 0.5, r, 1 + u, 1.5 + v, w, 0.1 + 0.2*time)"},
    {"impact", "impact(p, q - 0.5, 0.8, 1, 2.2, 0.3, 0.4) + impact(r, -1, 0.9, 7, 1.5, 2, 0.3)"},
    {"bistop", "bistop(3*p - 1.5, q - 0.5, -0.5*r, 0.5*u, 1 + v, 1.2 + w, 0.3*time, 0.4)"},
    {"bistop", "bistop(3*p - 1.5, q - 0.5, -0.3, 0.3, 2, 2.2, 0.3, 0.4)"},
    {"poly", "poly(p, q, r, u, v, w, time) + poly(r, 0.1, 3, 4, 5)"},
    {"forsin", "forsin(p, q, 3*r, u, v, w, 0.3) + forsin(time, 0.1, 2, 3, 4, 5)"},
    {"forcos", "forcos(p, q, 3*r, u, v, w, 0.3) + forcos(time, 0.1, 2, 3, 4, 5)"},
    {"shf", "shf(p, q, r, 2*u, v, w) + shf(time, 0.1, 2, 3, 4, 5)"},
    {"spline", "spline(2*p - 0.5, bump)*q + spline(r, bump, 1) + spline(p*q, bump, 2) + spline(u, corner)"},
    {"akispl", "akispl(2*p - 0.5, 0, bump)*q + akispl(r, 0, corner, 1) + akispl(p*q, 0, bump, 2)"},
    {"cubspl", "cubspl(2*p - 0.5, 0, bump)*q + cubspl(r, 0, corner, 1) + cubspl(p*q, 0, bump, 2)"},
    {"+ - * /", "p"},
    {"+ - * /", "7.5"},
    {"+ - * /", "-p + q*r - u/v + (3 - w)*2 + (p - 4)/5 + 6/q + (7 + r) - (u + 8)*time"},
    {"+ - * /", "(p*q*r*u*v*w*time + 1)/(p + q + r + u + v + w + time - 0.5)"},
    {"+ - * /", "-1000*(p - 0.5) - 20*q + 3*r*u - v/w + sin(p)*cos(r) + 2.5*u^2 + p*q*r - 4"},
    {"+ - * /",
     "sqrt(hypot(p - q, r, u)^3 + exp(-v*w))*atan2(q*sin(p), 1 + w)/(1 + sabs(u - v, 0.1)) + min(p, q)^r"},
};

static bool has_probe(const struct probe *all, int n, const char *function)
{
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].function, function) == 0) return true;
    return false;
}

static void every_function_has_a_probe(void **state)
{
    (void)state;
    int count;
    const hol_expr_doc *row = hol_expr_functions(&count);
    for (int i = 0; i < count; i++) {
        if (!has_probe(probes, HOL_COUNT(probes), row[i].name))
            fail_msg("no derivative probe for %s", row[i].name);
        if (!has_probe(leaf_probes, HOL_COUNT(leaf_probes), row[i].name))
            fail_msg("no probe with leaves for %s", row[i].name);
        assert_true(*row[i].arguments && *row[i].meaning);
    }
}

// Fourth-order central differences of jet[k] against jet[k+1], in the real and the complex build.
static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    const double h = 1e-3; // error about h^4 |f^(5)|/30 + eps/h
    for (int i = 0; i < HOL_COUNT(probes); i++) {
        const hol_expr *e = with_leaves(probes[i].text, &si);
        for (int n = 0; n < HOL_COUNT(times); n++) {
            hol_real j[4], at[4][4];
            hol_expr_jet(e, times[n], j);
            for (int p = 0; p < 4; p++) hol_expr_jet(e, times[n] + (double[]){-2, -1, 1, 2}[p] * h, at[p]);
            for (int k = 0; k < 3; k++) {
                const double d =
                    (8 * (hol_re(at[2][k]) - hol_re(at[1][k])) - hol_re(at[3][k]) + hol_re(at[0][k])) /
                    (12 * h);
                const double error = fabs(d - hol_re(j[k + 1])), size = fabs(hol_re(j[k + 1])) + 1;
                if (!(error <= 1e-5 * size))
                    fail_msg("%s at %g: derivative %d is %.15g, differences say %.15g", probes[i].text,
                             times[n], k + 1, hol_re(j[k + 1]), d);
            }
        }
    }
}

#ifdef HOL_COMPLEX
// jet[k+1](t) = Im jet[k](t + i h)/h without cancellation.
static void derivatives_agree_with_the_complex_step(void **state)
{
    (void)state;
    const double h = 1e-20;
    double worst = 0;
    for (int i = 0; i < HOL_COUNT(probes); i++) {
        const char *text = probes[i].text;
        const hol_expr *e = with_leaves(text, &si);
        for (int n = 0; n < HOL_COUNT(times); n++) {
            const double t = times[n];
            hol_real j[4], shifted[4];
            hol_expr_jet(e, t, j);
            hol_expr_jet(e, t + h * (double complex)_Complex_I, shifted);
            for (int k = 0; k < 3; k++) {
                const double step = cimag(shifted[k]) / h, d = creal(j[k + 1]);
                const double error = fabs(step - d) / (fabs(d) > 1e-3 ? fabs(d) : 1e-3);
                if (!(error <= 1e-12))
                    fail_msg("%s at %g: derivative %d is %.17g, the complex step says %.17g", text, t, k + 1,
                             d, step);
                if (error > worst) worst = error;
            }
        }
    }
    print_message("worst relative difference from the complex step: %.1e\n", worst);
}
#endif

static void leaving_the_domain_gives_nan_not_a_crash(void **state)
{
    (void)state;
    hol_real j[4];
    hol_expr_jet(parsed("sqrt(time)", NULL, NULL, true), -1, j);
    assert_true(isnan(hol_re(j[0])));
    hol_expr_jet(parsed("1/time", NULL, NULL, true), 0, j);
    assert_false(isfinite(hol_re(j[0])));
    hol_expr_jet(parsed("max(1, log(time))", NULL, NULL, true), -1, j);
    assert_true(isnan(hol_re(j[0])));
    hol_expr_jet(parsed("time^0.5 + time^time", NULL, NULL, true), -1, j);
    assert_true(isnan(hol_re(j[0])));
}

// ---- gradients -----------------------------------------------------------------------------------------------

enum { LEAF_COUNT = 6, VARIABLES = LEAF_COUNT + 1, POINTS = 40 }; // the last variable is the time
static const hol_shape whole = {VARIABLES, 3, 2};

static double between(hol_random *dice, double lo, double hi)
{
    return lo + (hi - lo) * 0.5 * (1 + hol_random_uniform(dice));
}

// The expression at variables that have values y and rates w along the direction.
static void at_point(const hol_expr *e, const hol_shape *shape, const hol_real *y, const hol_real *w,
                     hol_real *out)
{
    hol_real x[VARIABLES][HOL_NUM_MAX];
    const hol_real *leaf[LEAF_COUNT];
    for (int i = 0; i < VARIABLES; i++) hol_num_variable(shape, i, y[i], w[i], x[i]);
    for (int i = 0; i < LEAF_COUNT; i++) leaf[i] = x[i];
    hol_expr_eval(e, shape, x[LEAF_COUNT], leaf, out);
}

static void random_point(hol_random *dice, hol_real *y, hol_real *w)
{
    for (int i = 0; i < VARIABLES; i++) {
        y[i] = between(dice, 0.2, 0.9);
        w[i] = hol_random_uniform(dice);
    }
}

// The largest of n numbers, or 1e-3.
static double size_of(const hol_real *x, int n)
{
    double size = 1e-3;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(hol_re(x[i])));
    return size;
}

static void agree(const char *text, const char *what, int k, double value, double expected, double size)
{
    if (!(fabs(value - expected) <= 1e-12 * size))
        fail_msg("%s: %s %d is %.17g, should be %.17g", text, what, k, value, expected);
}

// sum_i w_i g_k,i = (k + 1) c_(k+1), since f(y + tau w) changes with tau as with y in the direction w
static void gradients_along_the_direction_are_the_series(void **state)
{
    (void)state;
    hol_random dice = {20240611};
    for (int i = 0; i < HOL_COUNT(leaf_probes) * POINTS; i++) {
        const char *text = leaf_probes[i / POINTS].text;
        hol_real y[VARIABLES], w[VARIABLES], f[HOL_NUM_MAX];
        random_point(&dice, y, w);
        at_point(with_leaves(text, &si), &whole, y, w, f);
        for (int k = 0; k < 3; k++) {
            const hol_real *g = f + 4 + k * VARIABLES;
            double sum = 0;
            for (int n = 0; n < VARIABLES; n++) sum += hol_re(g[n] * w[n]);
            agree(text, "gradient", k, sum, hol_re((k + 1) * f[k + 1]), size_of(g, VARIABLES));
        }
    }
}

// A shape that asks for less gives the same numbers; the value is the same to the last digit.
static void every_shape_gives_the_same_numbers(void **state)
{
    (void)state;
    const hol_shape shapes[] = {{0, 0, 0},         {0, 1, 0},         {0, 3, 0},
                                {VARIABLES, 0, 0}, {VARIABLES, 1, 0}, {VARIABLES, 1, 1},
                                {VARIABLES, 2, 0}, {VARIABLES, 2, 2}, {VARIABLES, 3, 1}};
    hol_random dice = {20240612};
    for (int i = 0; i < HOL_COUNT(leaf_probes) * POINTS; i++) {
        const char *text = leaf_probes[i / POINTS].text;
        const hol_expr *e = with_leaves(text, &si);
        hol_real y[VARIABLES], w[VARIABLES], f[HOL_NUM_MAX], part[HOL_NUM_MAX];
        random_point(&dice, y, w);
        at_point(e, &whole, y, w, f);
        for (int j = 0; j < HOL_COUNT(shapes); j++) {
            const hol_shape *s = &shapes[j];
            at_point(e, s, y, w, part);
            assert_true(hol_re(part[0]) == hol_re(f[0]));
            for (int k = 1; k < 4; k++)
                agree(text, "coefficient", k, hol_re(part[k]), k <= s->order ? hol_re(f[k]) : 0,
                      size_of(f, 4));
            for (int k = 4; k < hol_num_size(s); k++)
                agree(text, "entry", k, hol_re(part[k]), hol_re(f[k]), size_of(f + 4, 3 * VARIABLES));
        }
    }
}

#ifdef HOL_COMPLEX
// g_k,i = Im c_k(y + i h e_i)/h and (k + 1) c_(k+1) = Im c_k(y + i h w)/h
static void gradients_agree_with_the_complex_step(void **state)
{
    (void)state;
    const double h = 1e-30;
    hol_random dice = {20240613};
    double worst = 0;
    for (int i = 0; i < HOL_COUNT(leaf_probes) * POINTS; i++) {
        const char *text = leaf_probes[i / POINTS].text;
        const hol_expr *e = with_leaves(text, &si);
        hol_real y[VARIABLES], w[VARIABLES], f[HOL_NUM_MAX], moved[HOL_NUM_MAX], z[VARIABLES];
        random_point(&dice, y, w);
        at_point(e, &whole, y, w, f);
        for (int n = 0; n <= VARIABLES; n++) { // every variable, and the direction
            for (int m = 0; m < VARIABLES; m++)
                z[m] = y[m] + h * (n == VARIABLES ? w[m] : n == m) * (double complex)_Complex_I;
            at_point(e, &whole, z, w, moved);
            for (int k = 0; k < 3; k++) {
                const hol_real *g = f + 4 + k * VARIABLES;
                const double step = cimag(moved[k]) / h, size = size_of(g, VARIABLES);
                const double d = creal(n == VARIABLES ? (k + 1) * f[k + 1] : g[n]);
                agree(text, "the derivative of coefficient", k, d, step, size);
                worst = fmax(worst, fabs(step - d) / size);
            }
        }
    }
    print_message("worst relative difference from the complex step: %.1e\n", worst);
}
#endif

static void lengths_at_rest_have_no_gradient(void **state)
{
    (void)state;
    const hol_expr *e = with_leaves("hypot(p, 2*q) + hypot(r, 0)", &si);
    hol_real y[VARIABLES] = {0}, w[VARIABLES] = {0.3, -0.2, 0.7}, f[HOL_NUM_MAX];
    at_point(e, &whole, y, w, f);
    assert_true(hol_num_is_constant(&whole, f) && hol_re(f[0]) == 0);
    y[0] = 3e-200;
    y[1] = 2e-200;
    at_point(e, &(hol_shape){VARIABLES, 0, 0}, y, w, f);
    close_to("hypot", hol_re(f[0]), 5e-200, few_digits);
    close_to("d hypot/dp", hol_re(f[4]), 0.6, few_digits);
    close_to("d hypot/dq", hol_re(f[5]), 1.6, few_digits);
}

static void a_constant_force_ends_where_it_is_clipped(void **state)
{
    (void)state;
    hol_real y[VARIABLES] = {-1, 0.5}, w[VARIABLES] = {1, 1}, f[HOL_NUM_MAX];
    at_point(with_leaves("sqrt(max(0, p)) + max(0, p)^0.5 + impact(q, 1, 0.4, 5, 1.5, 3, 0.1)", &si), &whole,
             y, w, f);
    assert_true(hol_num_is_constant(&whole, f) && hol_re(f[0]) == 0);
}

// Deep, and with every variable there can be.
static void large_programs_have_gradients(void **state)
{
    (void)state;
    enum { DEPTH = 60, MOST = HOL_NUM_VARIABLES };
    char *text = nested("p*time+(", DEPTH, ")");
    const hol_expr *e = with_leaves(text, &si);
    hol_real p[HOL_NUM_MAX], time[HOL_NUM_MAX], f[HOL_NUM_MAX];
    const hol_shape full = {MOST, 3, 2};
    hol_num_variable(&full, 0, 3, 2, p);
    hol_num_variable(&full, MOST - 1, 5, 1, time);
    hol_expr_eval(e, &full, time, (const hol_real *const[]){p}, f);
    const double series[] = {DEPTH * 15 + 1, DEPTH * 13, DEPTH * 2, 0};
    for (int k = 0; k < 4; k++) close_to("series", hol_re(f[k]), series[k], 0);
    close_to("by p", hol_re(f[4]), DEPTH * 5, 0);
    close_to("by the time", hol_re(f[4 + MOST - 1]), DEPTH * 3, 0);
    close_to("by p, its rate", hol_re(f[4 + MOST]), DEPTH, 0);
    close_to("by another", hol_re(f[4 + 1]), 0, 0);
    free(text);
}

// ---- leaves --------------------------------------------------------------------------------------------------

static void leaves_are_found_by_name(void **state)
{
    (void)state;
    const hol_expr *e = with_leaves("2*gain + L*time", &si);
    assert_true(hol_expr_uses_leaf(e, 7) && !hol_expr_uses_leaf(e, 0) && hol_expr_uses_time(e));
    assert_true(is_text(asked.name, "gain") && !asked.call && asked.n_args == 0);
    assert_int_equal(asked.name.at.col, 13);
    e = with_leaves("e*t*pi", &si); // leaves win over the constants
    assert_true(hol_expr_uses_leaf(e, 8) && hol_expr_uses_leaf(e, 9) && !hol_expr_uses_time(e));
    e = with_leaves("m*time", &si); // the scope wins over leaves
    assert_true(hol_expr_uses_time(e) && !hol_expr_is_constant(e));
    assert_true(hol_expr_is_constant(with_leaves("m*L", &si)));
    assert_true(hol_expr_uses_leaf(with_leaves("fits", &si), TOO_MANY - 1));
    assert_false(hol_expr_is_constant(with_leaves("0*p", &si)));
    assert_true(hol_expr_is_constant(with_leaves("if(0: p, 2, q)", &si)));
}

static void braces_belong_to_a_name(void **state)
{
    (void)state;
    assert_true(hol_expr_uses_leaf(with_leaves("3*x{i+1} - 2", &si), 6));
    assert_true(is_text(asked.name, "x{i+1}"));
    REFUSED_WITH_LEAVES(
        "2 + x{i*{2}}_y + 1", 5,
        "unknown name \"x{i*{2}}_y\" (names are given under \"parameters:\" and \"variables:\")");
    REFUSED_WITH_LEAVES("p{i + 1", 2, "unexpected \"{\"; the operators are + - * / ^ and brackets are ( )");
    REFUSED_WITH_TIME("L{i}", 2, "unexpected \"{\"; the operators are + - * / ^ and brackets are ( )");
}

static void calls_hand_over_their_text(void **state)
{
    (void)state;
    const hol_expr *e = with_leaves("\u03b1*DX( a{i+1}.tip ,\tf(2, 3)[4, 5] + {6, 7}, \u03b1 b) + 1", &si);
    assert_true(hol_expr_uses_leaf(e, MEASURE));
    assert_true(asked.call && is_text(asked.name, "DX") && asked.n_args == 3);
    assert_true(is_text(asked.arg[0], "a{i+1}.tip"));
    assert_true(is_text(asked.arg[1], "f(2, 3)[4, 5] + {6, 7}"));
    assert_true(is_text(asked.arg[2], "\u03b1 b"));
    assert_int_equal(asked.name.at.col, 13); // columns count characters
    assert_int_equal(asked.arg[0].at.col, 17);
    assert_int_equal(asked.arg[1].at.col, 30);
    assert_int_equal(asked.arg[2].at.col, 54);
    assert_int_equal(asked.arg[2].at.line, 4);
    with_leaves("dx()", &si);
    assert_true(asked.call && asked.n_args == 0 && is_text(asked.name, "dx"));
    with_leaves("2*SIN(DX(1,2,3,4,5,6)) mm", &si);
    assert_true(asked.n_args == 6 && is_text(asked.arg[5], "6"));
}

static void wrong_leaves_are_reported(void **state)
{
    (void)state;
#define NAMES "(names are given under \"parameters:\" and \"variables:\")"
    REFUSED_WITH_LEAVES("2*rod.x", 3, "unknown name \"rod.x\"; write DX(rod)");
    REFUSED_WITH_LEAVES("rod{i}.Omega", 1, "unknown name \"rod{i}.Omega\"; write WZ(rod{i})");
    REFUSED_WITH_LEAVES(
        "rod.tip", 1,
        "unknown name \"rod.tip\"; what is measured is written as DX(rod); `holonom elements` lists "
        "such measures");
    REFUSED_WITH_LEAVES("2*gian", 3, "unknown name \"gian\"; did you mean \"gain\"? " NAMES);
    REFUSED_WITH_LEAVES("2*lenght", 3, "unknown name \"lenght\"; did you mean \"length\"? " NAMES);
    REFUSED_WITH_LEAVES("5 dge", 3, "unknown unit \"dge\"; did you mean \"deg\"?");
    REFUSED_WITH_LEAVES("5 gain", 3, "\"gain\" is not a unit; to multiply, write *gain");
    REFUSED_WITH_LEAVES("gain(5)", 1, "\"gain\" is a value, not a function; to multiply, write gain*(...)");
    REFUSED_WITH_LEAVES("Sinn(p)", 1, "\"Sinn\" is not a function; did you mean \"sin\"?");
    REFUSED_WITH_LEAVES("wxyy(p)", 1, "\"wxyy\" is not a function; did you mean \"WXYZ\"?");
    REFUSED_WITH_LEAVES("inpact(p, q, 0, 1, 1, 0, 1)", 1,
                        "\"inpact\" is not a function; did you mean \"impact\"?");
    REFUSED_WITH_LEAVES("quux(p)", 1, "\"quux\" is not a function; \"holonom elements\" lists them");
    REFUSED_WITH_LEAVES("1 + dx(1,2,3,4,5,6,7)", 5, "dx takes at most 6 arguments, here are 7");
    REFUSED_WITH_LEAVES("1 + DX(a, b", 7, "\"(\" is never closed; add \")\"");
    REFUSED_WITH_LEAVES("DX(a,, b)", 6, "a value is missing before \",\"");
    REFUSED_WITH_LEAVES("DX( , b)", 5, "a value is missing before \",\"");
    REFUSED_WITH_LEAVES("DX(a, )", 7, "a value is missing before \")\"");
    REFUSED_WITH_LEAVES("floor(p)", 1,
                        "floor of a value that varies jumps; use step(...) or a constant argument");
    char most[120];
    snprintf(most, sizeof most, "an expression uses at most %d measures and variables; %s", TOO_MANY,
             "name a part of it under \"variables:\"");
    REFUSED_WITH_LEAVES("p + lot", 5, most);
}

static void the_owner_of_leaves_may_stop_the_parser(void **state)
{
    (void)state;
    const hol_expr *e;
    assert_int_equal(parse_leaves("1 + forbidden*2", &si, &e), HOL_ERR_USAGE);
    assert_string_equal(hol_context_error(ctx), "x.yaml:4:15: error: forbidden here");
    assert_null(e);
    assert_int_equal(parse_leaves("silent", &si, &e), HOL_ERR_MODEL);
    assert_int_equal(parse_leaves("spline(p, hill)", &si, &e), HOL_ERR_MODEL);
    assert_string_equal(hol_context_error(ctx), "x.yaml:4:21: error: no table \"hill\"");
}

static void kinks_are_counted(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int kinks;
    } rows[] = {{"sin(p) + q^2", 0},
                {"abs(-3) + step(1, 0, 0, 2, 1)", 0},
                {"abs(p) + min(q, 1)*max(r, step(u, 0, 0, 1, 1))", 4},
                {"if(p: 1, 2, 3) + mod(q, 2) + hypot(p, q)", 3},
                {"if(1: 1, 2, abs(3)) + sabs(p, 1)", 0},
                {"impact(p, 0, 1, 1, 2, 0, 1) + bistop(p, 0, 1, 2, 1, 2, 0, 1)", 2},
                {"step5(p, 0, 0, 1, 1) + havsin(p, 0, 0, 1, 1)", 2},
                {"spline(p, bump) + cubspl(p, 0, corner)", 0},
                {"spline(p, corner)", 1},
                {"spline(p, bump, 1) + cubspl(p, 0, bump, 1) + cubspl(p, 0, bump, 2)", 2},
                {"spline(1, corner)", 0}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const int kinks = hol_expr_kinks(with_leaves(rows[i].text, &si));
        if (kinks != rows[i].kinks) fail_msg("%s has %d kinks, not %d", rows[i].text, kinks, rows[i].kinks);
    }
}

// ---- tables --------------------------------------------------------------------------------------------------

static const hol_spline_kind kinds[] = {HOL_SPLINE_LINEAR, HOL_SPLINE_CUBIC, HOL_SPLINE_AKIMA};

static double spline_at(const hol_spline *s, int derivative, double x, int k)
{
    hol_real f[4];
    hol_spline_eval(s, derivative, x, f);
    return hol_re(f[k]);
}

static void tables_go_through_their_nodes(void **state)
{
    (void)state;
    for (int n = 0; n < HOL_COUNT(kinds); n++) {
        const hol_spline *s = hol_spline_create(arena, kinds[n], BUMPS, bump_x, bump_y);
        for (int i = 0; i < BUMPS; i++) {
            const double x = bump_x[i], before = nextafter(x, -9);
            close_to("node", spline_at(s, 0, x, 0), bump_y[i], 0);
            for (int k = 0; k <= hol_spline_smooth(s); k++)
                close_to("derivative before a node", spline_at(s, 0, before, k), spline_at(s, 0, x, k),
                         1e-13);
        }
        assert_true(hol_spline_kinks(s) == (kinds[n] == HOL_SPLINE_LINEAR));
        assert_true(isnan(spline_at(s, 0, (double)NAN, 0)));
    }
}

static void tables_go_on_as_lines(void **state)
{
    (void)state;
    for (int n = 0; n < HOL_COUNT(kinds); n++) {
        const hol_spline *s = hol_spline_create(arena, kinds[n], BUMPS, bump_x, bump_y);
        const double first = bump_x[0], last = bump_x[BUMPS - 1];
        const double m0 = spline_at(s, 0, first, 1), m1 = spline_at(s, 0, last, 1);
        close_to("left", spline_at(s, 0, first - 2, 0), bump_y[0] - 2 * m0, 1e-14);
        close_to("right", spline_at(s, 0, last + 2, 0), bump_y[BUMPS - 1] + 2 * m1, 1e-14);
        for (int k = 2; k < 4; k++) {
            close_to("left", spline_at(s, 0, first - 2, k), 0, 0);
            close_to("right", spline_at(s, 0, last + 2, k), 0, 0);
        }
    }
}

static void tables_reproduce_lines(void **state)
{
    (void)state;
    for (int n = 2; n <= BUMPS; n++) {
        double y[BUMPS];
        for (int i = 0; i < n; i++) y[i] = 3 - 0.7 * bump_x[i];
        for (int j = 0; j < HOL_COUNT(kinds); j++) {
            const hol_spline *s = hol_spline_create(arena, kinds[j], n, bump_x, y);
            for (double x = -3; x < 3; x += 0.17) {
                close_to("line", spline_at(s, 0, x, 0), 3 - 0.7 * x, 1e-14);
                close_to("its slope", spline_at(s, 0, x, 1), -0.7, 1e-13);
                close_to("its slope", spline_at(s, 1, x, 0), -0.7, 1e-13);
                close_to("its curvature", spline_at(s, 2, x, 0), 0, 1e-12);
            }
        }
    }
}

static void curved_tables_have_known_values(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5}, roof[] = {0, 1, 0}, square[] = {0, 1, 4, 9, 16, 25},
                 bend[] = {0, 0, 0, 1, 2, 3};
    const hol_spline *s = hol_spline_create(arena, HOL_SPLINE_CUBIC, 3, x, roof);
    close_to("natural cubic", spline_at(s, 0, 0.5, 0), 0.6875, 1e-15); // M = 0, -3, 0
    close_to("natural cubic", spline_at(s, 2, 1, 0), -3, 1e-15);
    close_to("natural cubic", spline_at(s, 2, 0, 0), 0, 0);
    s = hol_spline_create(arena, HOL_SPLINE_AKIMA, 6, x, square); // a parabola is reproduced
    for (double t = 0; t < 5; t += 0.3) close_to("Akima", spline_at(s, 0, t, 0), t * t, 1e-14);
    close_to("Akima", spline_at(s, 0, 6, 0), 35, 1e-14);
    s = hol_spline_create(arena, HOL_SPLINE_AKIMA, 6, x, bend); // no overshoot beside a bend
    close_to("Akima", spline_at(s, 0, 0.7, 0), 0, 0);
    close_to("Akima", spline_at(s, 0, 3.7, 0), 1.7, 1e-15);
    close_to("Akima", spline_at(s, 0, 2, 1), 0.5, 1e-15);
    s = hol_spline_create(arena, HOL_SPLINE_LINEAR, 3, x, roof);
    close_to("linear", spline_at(s, 0, 1.75, 0), 0.25, 0);
    assert_ptr_equal(hol_spline_as(arena, HOL_SPLINE_LINEAR, s), s);
    close_to("as cubic", spline_at(hol_spline_as(arena, HOL_SPLINE_CUBIC, s), 0, 0.5, 0), 0.6875, 1e-15);
}

// The k-th coefficient of the d-th derivative comes from the others: f_(k+1) (k+1) of d is f_k of d + 1.
static void derivatives_of_tables_fit_together(void **state)
{
    (void)state;
    for (int n = 0; n < HOL_COUNT(kinds); n++) {
        const hol_spline *s = hol_spline_create(arena, kinds[n], BUMPS, bump_x, bump_y);
        for (double x = -2; x < 2.5; x += 0.19)
            for (int d = 0; d < 2; d++)
                for (int k = 0; k < 3; k++)
                    close_to("derivative", spline_at(s, d + 1, x, k), (k + 1) * spline_at(s, d, x, k + 1),
                             1e-15);
    }
}

#ifdef HOL_COMPLEX
static void tables_agree_with_the_complex_step(void **state)
{
    (void)state;
    const double h = 1e-30;
    for (int n = 0; n < HOL_COUNT(kinds); n++) {
        const hol_spline *s = hol_spline_create(arena, kinds[n], BUMPS, bump_x, bump_y);
        for (double x = -2; x < 2.5; x += 0.19)
            for (int d = 0; d < 3; d++) {
                hol_real f[4], moved[4];
                hol_spline_eval(s, d, x, f);
                hol_spline_eval(s, d, x + h * (double complex)_Complex_I, moved);
                for (int k = 0; k < 3; k++)
                    close_to("table", (k + 1) * creal(f[k + 1]), cimag(moved[k]) / h, 1e-13);
            }
    }
}
#endif

static void tables_are_called_as_in_adams(void **state)
{
    (void)state;
    const hol_spline *akima = hol_spline_create(arena, HOL_SPLINE_AKIMA, BUMPS, bump_x, bump_y);
    const hol_spline *cubic = hol_spline_as(arena, HOL_SPLINE_CUBIC, akima);
    const struct {
        const char *text;
        const hol_spline *s;
        int derivative;
    } rows[] = {{"spline(0.3, bump)", akima, 0},         {"SPLINE(0.3, bump, 1)", akima, 1},
                {"akispl(0.3, 0, bump)", akima, 0},      {"AKISPL(0.3, 1 - 1,  corner , 2)", akima, 2},
                {"cubspl(0.6/2, 0, bump, 0)", cubic, 0}, {"cubspl(0.3, 0, corner, L*2)", cubic, 1}};
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const hol_expr *e = with_leaves(rows[i].text, &si);
        assert_true(hol_expr_is_constant(e));
        close_to(rows[i].text, hol_expr_value(e), spline_at(rows[i].s, rows[i].derivative, 0.3, 0), 1e-15);
    }
}

static void wrong_calls_of_tables_are_reported(void **state)
{
    (void)state;
    REFUSED_WITH_LEAVES("spline()", 1, "spline takes 2 or 3 arguments (x, table[, derivative]), here are 0");
    REFUSED_WITH_LEAVES("spline(p)", 1, "spline takes 2 or 3 arguments (x, table[, derivative]), here is 1");
    REFUSED_WITH_LEAVES("spline(p, bump, 1, 2)", 1,
                        "spline takes 2 or 3 arguments (x, table[, derivative]), here are 4");
    REFUSED_WITH_LEAVES("akispl(p, 0)", 1,
                        "akispl takes 3 or 4 arguments (x, 0, table[, derivative]), here are 2");
    REFUSED_WITH_LEAVES("akispl(p, q, bump)", 11,
                        "the second argument of akispl must be 0; a table has one variable");
    REFUSED_WITH_LEAVES("spline(p, bump, 3)", 17, "the derivative of a table is 0, 1 or 2");
    REFUSED_WITH_LEAVES("spline(p, bump, q)", 17, "the derivative of a table is 0, 1 or 2");
    REFUSED_WITH_LEAVES("spline(p, bump", 7, "\"(\" is never closed; add \")\"");
    REFUSED_WITH_LEAVES("spline(p 3", 10, "unexpected \"3\"; an operator such as * is missing before it");
    REFUSED_WITH_LEAVES("spline(p, )", 11, "a value is missing before \")\"");
    REFUSED_WITH_LEAVES("spline(p, hill) + 1/0", 11, "no table \"hill\"");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_are_read_to_the_last_digit),
        TEST(operators_bind_as_in_mathematics),
        TEST(constants_and_parameters_have_their_values),
        TEST(an_inner_name_wins_over_outer_names_and_constants),
        TEST(folded_functions_equal_those_of_c),
        TEST(ramps_and_branches_pick_the_right_piece),
        TEST(contact_forces_are_those_of_adams),
        TEST(series_have_their_values),
        TEST(lengths_and_smooth_magnitudes_have_their_values),
        TEST(branches_follow_time),
        TEST(units_follow_a_value_and_bind_tightest),
        TEST(units_of_the_file_do_not_reach_expressions),
        TEST(every_unit_is_documented_and_found),
        TEST(wrong_names_are_reported),
        TEST(long_words_are_cut_between_characters),
        TEST(wrong_calls_are_reported),
        TEST(wrong_contacts_are_reported),
        TEST(wrong_grammar_is_reported),
        TEST(time_is_refused_where_a_constant_is_needed),
        TEST(infinite_constants_are_reported_where_they_arise),
        TEST(nesting_has_a_limit),
        TEST(jets_are_derivatives_per_second),
        TEST(integer_powers_have_derivatives_at_zero_and_below),
        TEST(constants_and_scaled_expressions_keep_their_derivatives),
        TEST(every_function_has_a_probe),
        TEST(derivatives_agree_with_differences),
#ifdef HOL_COMPLEX
        TEST(derivatives_agree_with_the_complex_step),
#endif
        TEST(leaving_the_domain_gives_nan_not_a_crash),
        TEST(gradients_along_the_direction_are_the_series),
        TEST(every_shape_gives_the_same_numbers),
#ifdef HOL_COMPLEX
        TEST(gradients_agree_with_the_complex_step),
#endif
        TEST(lengths_at_rest_have_no_gradient),
        TEST(a_constant_force_ends_where_it_is_clipped),
        TEST(large_programs_have_gradients),
        TEST(leaves_are_found_by_name),
        TEST(braces_belong_to_a_name),
        TEST(calls_hand_over_their_text),
        TEST(wrong_leaves_are_reported),
        TEST(the_owner_of_leaves_may_stop_the_parser),
        TEST(kinks_are_counted),
        TEST(tables_go_through_their_nodes),
        TEST(tables_go_on_as_lines),
        TEST(tables_reproduce_lines),
        TEST(curved_tables_have_known_values),
        TEST(derivatives_of_tables_fit_together),
#ifdef HOL_COMPLEX
        TEST(tables_agree_with_the_complex_step),
#endif
        TEST(tables_are_called_as_in_adams),
        TEST(wrong_calls_of_tables_are_reported),
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
