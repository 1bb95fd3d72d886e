// Expressions: values, precedence, units, messages, and derivatives. Compile it a second time with HOL_COMPLEX
// (together with src/expr) and the derivatives are checked by the complex step as well.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "expr/expr.h"
#include <float.h>
#include <locale.h>
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

static bool find(const void *data, const char *name, size_t length, double *value)
{
    const list *l = data;
    for (int i = 0; i < l->n; i++) {
        if (strlen(l->item[i].name) != length || strncmp(l->item[i].name, name, length) != 0) continue;
        *value = l->item[i].value;
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

static const hol_units si = {1, 1, 1, 1};
static const hol_units other_units = {1e-3, 1e3, 1e-3, HOL_PI / 180}; // mm, tonne, ms, deg

// ---- helpers -----------------------------------------------------------------------------------------------

static hol_context *ctx;
static hol_arena *arena;

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

static void error_is(const char *text, bool time, int col, const char *message)
{
    const hol_expr *e;
    char expected[700];
    snprintf(expected, sizeof expected, "x.yaml:4:%d: error: %s", col, message);
    const hol_status status = parse(text, &outer, &si, time, &e);
    if (status == HOL_OK) fail_msg("\"%s\" is accepted, should give\n  %s", text, expected);
    assert_int_equal(status, HOL_ERR_MODEL);
    assert_null(e);
    assert_string_equal(hol_context_error(ctx), expected);
}

// The column is counted from 1 inside the expression.
#define REFUSED(text, col, message) error_is(text, false, 10 + (col), message)
#define REFUSED_WITH_TIME(text, col, message) error_is(text, true, 10 + (col), message)

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

static void the_locale_does_not_change_numbers(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) skip();
    VALUE("1.5", 1.5);
    setlocale(LC_NUMERIC, "C");
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
    VALUE("9.81 m/(1 s)^2", 9.81);
    VALUE("sqrt(4) mm", 2e-3);
}

static void units_are_converted_to_those_of_the_file(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double expected;
    } rows[] = {{"5 mm", 5},     {"2 m", 2000},        {"2 kg", 0.002},       {"3 s", 3000},
                {"90 deg", 90},  {"1 rev", 360},       {"60 rpm", 0.36},      {"7", 7},
                {"1 N", 1e-6},   {"1 MPa", 1e-6},      {"1 Nm", 1e-3},        {"sin(90)", 1},
                {"asin(1)", 90}, {"atan2(1,-1)", 135}, {"cos(1 rev/6)", 0.5}, {"atan(tan(12))", 12}};
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
    close_to("rpm", hol_unit_find("rpm", 3, dimension), 2 * HOL_PI / 60, 0);
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
    REFUSED("5 dge", 3, "\"dge\" is not a unit; did you mean \"deg\"?");
    REFUSED("5 furlong", 3, "\"furlong\" is not a unit; \"holonom elements\" lists them");
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
    REFUSED("3 m^2", 4, "a power of a unit can be read in two ways; write (3 m)^2 or 3*(1 m)^2");
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
    VALUE(signs, -1);
    VALUE(terms, 100001);
    free(signs), free(terms);
}

// ---- derivatives -------------------------------------------------------------------------------------------

static void jets_are_derivatives_per_second(void **state)
{
    (void)state;
    hol_real j[4];
    hol_expr_jet(parsed("2*time^3", NULL, NULL, true), 3, j);
    const double expected[4] = {54, 54, 36, 12};
    for (int k = 0; k < 4; k++) close_to("2*time^3", hol_re(j[k]), expected[k], DBL_EPSILON);

    // ms and degrees: d/dt sin(360*time/1000) = 2 pi cos
    hol_expr_jet(parsed("sin(0.36*t)", NULL, &other_units, true), 0.125, j);
    const double w = 2 * HOL_PI, s = sin(w / 8), c = cos(w / 8);
    const double slow[4] = {s, w * c, -w * w * s, -w * w * w * c};
    for (int k = 0; k < 4; k++) close_to("sin in ms and deg", hol_re(j[k]), slow[k], 1e-14);
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
    {"+ - * /", "(1 - 2*time + time^3)*sin(time)/(1.5 + cos(2*time)) - 1/(1 + time)"},
    {"+ - * /", "-time + 3 kN*time/(1 + time^2)"},
};
static const double times[] = {0.07, 0.31, 0.83, 1.13, 1.37};

static void every_function_has_a_probe(void **state)
{
    (void)state;
    int count;
    const hol_expr_doc *row = hol_expr_functions(&count);
    for (int i = 0; i < count; i++) {
        int seen = 0;
        for (int j = 0; j < HOL_COUNT(probes); j++) seen += strcmp(probes[j].function, row[i].name) == 0;
        if (!seen) fail_msg("no derivative probe for %s", row[i].name);
        assert_true(*row[i].arguments && *row[i].meaning);
    }
}

// Fourth-order central differences of jet[k] against jet[k+1], in the real and the complex build.
static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    const double h = 1e-3; // error about h^4 |f^(5)|/30 + eps/h
    for (int i = 0; i < HOL_COUNT(probes); i++) {
        const hol_expr *e = parsed(probes[i].text, NULL, &si, true);
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
    const hol_units *systems[] = {&si, &other_units};
    double worst = 0;
    for (int i = 0; i < HOL_COUNT(probes) * 2; i++) {
        const char *text = probes[i / 2].text;
        const hol_units *units = systems[i % 2];
        const hol_expr *e = parsed(text, NULL, units, true);
        for (int n = 0; n < HOL_COUNT(times); n++) {
            const double t = times[n] * units->time;
            hol_real j[4], shifted[4];
            hol_expr_jet(e, t, j);
            hol_expr_jet(e, t + h * units->time * (double complex)_Complex_I, shifted);
            for (int k = 0; k < 3; k++) {
                const double unit = pow(units->time, k + 1); // sizes per unit of time
                const double step = cimag(shifted[k]) / (h * units->time) * unit, d = creal(j[k + 1]) * unit;
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

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_are_read_to_the_last_digit),
        TEST(the_locale_does_not_change_numbers),
        TEST(operators_bind_as_in_mathematics),
        TEST(constants_and_parameters_have_their_values),
        TEST(an_inner_name_wins_over_outer_names_and_constants),
        TEST(folded_functions_equal_those_of_c),
        TEST(ramps_and_branches_pick_the_right_piece),
        TEST(branches_follow_time),
        TEST(units_follow_a_value_and_bind_tightest),
        TEST(units_are_converted_to_those_of_the_file),
        TEST(every_unit_is_documented_and_found),
        TEST(wrong_names_are_reported),
        TEST(long_words_are_cut_between_characters),
        TEST(wrong_calls_are_reported),
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
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
