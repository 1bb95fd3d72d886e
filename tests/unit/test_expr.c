// Expressions: values, precedence, units, messages. complex_expr*.c are the same with HOL_COMPLEX, where derivatives are checked by
// the complex step as well.
#include "expressions.h"

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
            "spline needs a table, and tables cannot be used here, where a constant is wanted: they stand in "
            "functions of "
            "time, variables, states, events, constraints and the values of forces");
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
    REFUSED("exp(1000)", 1, "exp(1000) is above the largest number, 1.8e308");
    REFUSED("1e200*1e200", 6, "1e+200*1e+200 is above the largest number, 1.8e308");
    snprintf(text, sizeof text, "0^-1 is not a finite number; ^ %s", power);
    REFUSED("0^-1", 2, text);
    snprintf(text, sizeof text, "pow(-8, 0.5) is not a finite number; pow %s", power);
    REFUSED("pow(-8, 1/2)", 1, text);
    REFUSED("min(0, 1/0)", 9, "1/0 is not a finite number; / needs a divisor other than 0");
    REFUSED("if(1/0: 1, 2, 3)", 5, "1/0 is not a finite number; / needs a divisor other than 0");
    REFUSED_WITH_TIME("time + 1/0", 9, "1/0 is not a finite number; / needs a divisor other than 0");
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    char *fits = nested("(", 100, ")"), *deep = nested("(", 101, ")"),
         *very_deep = nested("-sin(", 100000, ")");
    char *stack = nested("1+(", 63, ")"), *full = nested("1+(", 64, ")");
    const char *message =
        "brackets and powers are nested deeper than 100; name a part of the expression under "
        "\"parameters:\"";
    VALUE(fits, 1);
    VALUE(stack, 64);
    REFUSED(deep, 102, message);
    REFUSED(very_deep, 506, message);
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
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
