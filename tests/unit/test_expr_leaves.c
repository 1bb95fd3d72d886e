// Expressions: leaves, which their owner knows, kinks and tables.
#include "expressions.h"

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
                {"abs(p) + min(q, 1)*max(r, step(u, 0, 0, 1, 1))", 3},
                {"if(p: 1, 2, 3) + mod(q, 2) + hypot(p, q)", 3},
                {"if(1: 1, 2, abs(3)) + sabs(p, 1)", 0},
                {"impact(p, 0, 1, 1, 2, 0, 1) + bistop(p, 0, 1, 2, 1, 2, 0, 1)", 2},
                {"step5(p, 0, 0, 1, 1) + havsin(p, 0, 0, 1, 1)", 0},
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

static const hol_spline_kind kinds[] = {HOL_SPLINE_LINEAR, HOL_SPLINE_CUBIC, HOL_SPLINE_AKIMA,
                                        HOL_SPLINE_NOT_A_KNOT};

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
            const bool inside = i > 0 && i < BUMPS - 1; // not-a-knot: its curvature ends with the table
            const int smooth = kinds[n] == HOL_SPLINE_NOT_A_KNOT && inside ? 2 : hol_spline_smooth(s);
            close_to("node", spline_at(s, 0, x, 0), bump_y[i], kinds[n] == HOL_SPLINE_NOT_A_KNOT ? 1e-15 : 0);
            for (int k = 0; k <= smooth; k++)
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
    for (int n = 2; n <= 6;
         n++) { // a cubic is reproduced with all derivatives, a parabola of three points, the line of two
        double y[6];
        for (int i = 0; i < n; i++) y[i] = n == 2 ? x[i] : n == 3 ? x[i] * x[i] : x[i] * x[i] * (x[i] - 3);
        s = hol_spline_create(arena, HOL_SPLINE_NOT_A_KNOT, n, x, y);
        for (double t = 0; t <= n - 1; t += 0.125) {
            close_to("not a knot", spline_at(s, 0, t, 0),
                     n == 2   ? t
                     : n == 3 ? t * t
                              : t * t * (t - 3),
                     1e-13);
            close_to("not a knot", spline_at(s, 2, t, 0), n == 2 ? 0 : n == 3 ? 2 : 6 * t - 6, 1e-12);
        }
    }
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

// Beyond its ends a table that is held has the value there and no slope; inside it is what it was, and its ends are kinks.
static void tables_are_held_at_their_ends(void **state)
{
    (void)state;
    for (int n = 0; n < HOL_COUNT(kinds); n++) {
        const hol_spline *s = hol_spline_create(arena, kinds[n], BUMPS, bump_x, bump_y),
                         *held = hol_spline_named(arena, s, "bumps", HOL_SPLINE_HOLD);
        const double first = bump_x[0], last = bump_x[BUMPS - 1];
        hol_interval f, slope;
        assert_string_equal(hol_spline_name(hol_spline_as(arena, HOL_SPLINE_LINEAR, held)), "bumps");
        for (double x = first + 0.01; x < last; x += 0.1)
            for (int k = 0; k < 3; k++)
                close_to("inside", spline_at(held, 0, x, k), spline_at(s, 0, x, k), 0);
        close_to("before", spline_at(held, 0, first - 3, 0), bump_y[0], 0);
        close_to("behind", spline_at(held, 0, last + 3, 0), bump_y[BUMPS - 1], 0);
        for (int k = 1; k < 4; k++) {
            close_to("before", spline_at(held, 0, first - 3, k), 0, 0);
            close_to("behind", spline_at(held, 0, last + 3, k), 0, 0);
        }
        const double at_end = spline_at(s, 0, last + 1, 1); // of the line beyond
        assert_int_equal(hol_spline_enclose(held, 0, (hol_interval){last - 1e-3, last + 1e-3}, &f, &slope),
                         kinds[n] == HOL_SPLINE_LINEAR || fabs(at_end) > 1e-6);
        assert_true(slope.lo <= 0 && slope.hi >= 0);
        assert_int_equal(hol_spline_smooth(held) == 0,
                         kinds[n] == HOL_SPLINE_LINEAR || at_end != 0 || spline_at(s, 0, first - 1, 1) != 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        TEST(tables_are_held_at_their_ends),
#ifdef HOL_COMPLEX
        TEST(tables_agree_with_the_complex_step),
#endif
        TEST(tables_are_called_as_in_adams),
        TEST(wrong_calls_of_tables_are_reported),
    };
    return cmocka_run_group_tests_name("expr_leaves", tests, NULL, NULL);
}
