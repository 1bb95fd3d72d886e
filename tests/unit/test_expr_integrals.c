// Integrals of functions of time in closed form: against quadrature of the function, its derivatives, its enclosures. What has no
// closed form is named.
#include "expressions.h"

#include "expr/enclose.h"

#include <math.h>

static const char *const closed[] = {
    "0",
    "3.5",
    "-time",
    "time^2*(1 - time)/4 + (time - 0.3)*(2*time + 1)*2",
    "(time - 10)^5/100",
    "5/(1 + 1) - (2 - (time - (1 - 3*time)))",
    "sin(3*time - 0.5) - 2*cos(time*omega + L)",
    "time^2 + 2*(3*time)^3 - (2*time)^0",
    "exp(-time/2)*3 + sinh(2*time - 1) - cosh(1 - time)/5",
    "sqrt(time + 2) + 2*(3 + time)^-1.5 + (4 - time)^(1/3)",
    "poly(time, 0.2, 1, 2, -3, 0.5) + poly(2*time - 1, 0, 1, 0, 4)",
    "step(time, 0.4, -1, 1.1, 3) + 2*step(1 - 2*time, -1, 1, 0.5, 2)",
    "2*spline(time, bump) - spline(1 - 2*time, corner)/3",
    "spline(time, bump, 1) + spline(time, bump, 2) + spline(2*time, corner, 1)",
    "cubspl(time, 0, bump) + akispl(time - 0.1, 0, corner)",
    "cos(1e-8*time) + 2*sin(1e-9*time + 0.3) - exp(-time/1e6) + cosh(1e-6*time)/2 + sinh(1e-7*time - 1)",
    "(1 + 1e-6*time)^3 - (1 + 1e-12*time)^5/3 + (2 + 1e-4*time)^0.5 + (3 - 1e-7*time)^-1.5",
    "cos(time*0.3 + 1) + (time + 5)^-3 + (1 - time/7)^2.5 + exp(0*time) + sqrt(4 + 0*time)",
    "poly(1e-8*time + 2, 0, 1, 2, 3) + step(time/10, -1, 1, 1, 2)",
    "time - 2 + (3 - time)*(time + 1) - (sin(time) - (cos(time) - 2*(step(time, 0.05, 0, 1, 1) + 3)))",
};

static const hol_expr *function(const char *text)
{
    const hol_expr *e = NULL;
    const hol_src at = {"m.yaml", 3, 10, NULL};
    assert_int_equal(hol_expr_parse_time(ctx, arena, text, at, &outer, &si, &leaves, &e), HOL_OK);
    return e;
}

static const hol_expr *integral(const hol_expr *e, double from)
{
    const hol_expr *f = NULL;
    hol_src at = {NULL, 0, 0, NULL};
    const char *what = NULL;
    assert_int_equal(hol_expr_integral(ctx, arena, e, from, &f, &at, &what), HOL_OK);
    if (!f) fail_msg("%s: %s", hol_expr_text(e), what);
    return f;
}

static double value(const hol_expr *e, double t)
{
    hol_real jet[4];
    hol_expr_jet(e, t, jet);
    return hol_re(jet[0]);
}

// Gauss-Legendre of 5 points over parts of 0.005, at whose borders lie the nodes of the tables and the ends of ramps.
static double quadrature(const hol_expr *e, double to)
{
    static const double x[3] = {0, 0.53846931010568309104, 0.90617984593866399280},
                        w[3] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
    const int parts = (int)lround(fabs(to) / 0.005);
    const double h = to < 0 ? -0.005 : 0.005;
    double sum = 0;
    for (int i = 0; i < parts; i++)
        for (int k = -2; k <= 2; k++) {
            const int j = abs(k);
            sum += w[j] * value(e, h * (i + 0.5 + (k < 0 ? -x[j] : x[j]) / 2));
        }
    return sum * h / 2;
}

static void near_to(const char *text, double t, double have, double want, double allowed)
{
    if (!(fabs(have - want) <= allowed * fmax(1, fabs(want))))
        fail_msg("%s at %g: %.17g instead of %.17g", text, t, have, want);
}

static void integrals_by_quadrature(void **state)
{
    (void)state;
    static const double times[] = {-1.7, -0.35, 0, 0.12, 0.9, 1.31, 2.6, 3.3};
    for (int i = 0; i < HOL_COUNT(closed); i++) {
        const hol_expr *e = hol_expr_scaled(arena, function(closed[i]), 0.4), *f = integral(e, 0.7),
                       *ff = integral(f, -3);
        near_to(closed[i], 0, value(f, 0), 0.7, 1e-14);
        near_to(closed[i], 0, value(ff, 0), -3, 1e-14);
        for (int k = 0; k < HOL_COUNT(times); k++) {
            hol_real a[4], b[4], c[4];
            hol_expr_jet(e, times[k], a);
            hol_expr_jet(f, times[k], b);
            hol_expr_jet(ff, times[k], c);
            near_to(closed[i], times[k], hol_re(b[0]), 0.7 + quadrature(e, times[k]), 1e-12);
            near_to(closed[i], times[k], hol_re(c[0]), -3 + quadrature(f, times[k]), 1e-12);
            for (int d = 0; d < 3; d++) {
                near_to(closed[i], times[k], hol_re(b[d + 1]), hol_re(a[d]), 1e-12);
                near_to(closed[i], times[k], hol_re(c[d + 1]), hol_re(b[d]), 1e-12);
            }
        }
    }
}

// Of slow functions, which are nearly constant: (8.23b) by its first terms. Differences of their antiderivatives lost all digits: that of
// cos(1e-8 t) was 0 at all times.
static void slow_ones(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double t, once, twice;
    } slow[] = {
        {"cos(1e-8*time)", 2, 2, 2},
        {"sin(1e-9*time)", 3, 4.5e-9, 4.5e-9},
        {"exp(-time/1e6)", 0.25, 0.25 - 3.125e-8 + 2.604166666666667e-15, 0.03125 - 2.604166666666667e-9},
        {"cosh(1e-6*time)", 0.25, 0.25 + 2.604166666666667e-15, 0.03125},
        {"(1 + 1e-6*time)^3", 1, 1 + 1.5e-6 + 1e-12, 0.5 + 0.5e-6 + 0.25e-12},
        {"(1 + 1e-12*time)^5", 1, 1 + 2.5e-12, 0.5 + 5e-12 / 6},
        {"(4 + 1e-9*time)^0.5", 2, 4 + 5e-10, 4 + 1e-9 / 3},
        {"exp(-0*time)", 3, 3, 4.5},
        {"step(0*time, -1, 0, 1, 1)", 3, 1.5, 2.25},
        {"poly(1e-12*time, 1, 0, 0, 1)", 2, 2 - 4e-12, 2 - 8e-12 / 3},
    };
    for (int i = 0; i < HOL_COUNT(slow); i++) {
        const hol_expr *f = integral(function(slow[i].text), 0);
        const double once = value(f, slow[i].t), twice = value(integral(f, 0), slow[i].t);
        if (!(fabs(once - slow[i].once) <= 1e-14 * slow[i].once) ||
            !(fabs(twice - slow[i].twice) <= 1e-14 * slow[i].twice))
            fail_msg("%s: %.17g, %.17g", slow[i].text, once, twice);
    }
    const hol_expr *f = integral(function("step(1e-6*time, -1, 1, 1, 2)"), 0), *ff;
    hol_src at = {NULL, 0, 0, NULL};
    const char *what = NULL;
    assert_int_equal(hol_expr_integral(ctx, arena, f, 0, &ff, &at, &what), HOL_OK);
    assert_null(ff); // of 2.5e11, what it would start from, rounding leaves 1e-5
    assert_string_equal(what, "spline");
}

// Enclosures hold the value and the slope everywhere in their interval.
static void enclosures(void **state)
{
    (void)state;
    for (int i = 0; i < HOL_COUNT(closed); i++)
        for (int k = 0; k < 60; k++) {
            const hol_expr *f = integral(function(closed[i]), 0), *g = k % 2 ? f : integral(f, 0);
            const double from = -1.5 + 0.07 * k, to = from + 0.001 * k * k;
            const hol_enclosure time = {{from, to}, {1, 1}, 0};
            hol_enclosure out;
            hol_expr_enclose(g, &time, NULL, &out);
            for (int n = 0; n <= 10; n++) {
                hol_real jet[4];
                hol_expr_jet(g, from + n * (to - from) / 10, jet);
                if (hol_re(jet[0]) < out.v.lo || hol_re(jet[0]) > out.v.hi || hol_re(jet[1]) < out.d.lo ||
                    hol_re(jet[1]) > out.d.hi)
                    fail_msg("%s: %g .. %g does not hold %g", closed[i], from, to, hol_re(jet[0]));
            }
        }
}

static void what_has_none_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *function;
        int column;
    } none[] = {{"1 + tanh(time)", "tanh", 14},
                {"sin(time^2)", "sin", 10},
                {"time*sin(time)", "*", 14},
                {"1/(time + 1)", "/", 11},
                {"(time + 1)^-1", "^", 20},
                {"2*abs(time - 1)", "abs", 12},
                {"if(time: 1, 2, 3)", "if", 10},
                {"step5(time, 0, 0, 1, 1)", "step5", 10},
                {"spline(time, corner, 2)", "spline", 10},
                {"spline(1e-12*time + 0.9, bump)", "spline", 10},
                {"time^-2", "^", 14}};
    for (int i = 0; i < HOL_COUNT(none); i++) {
        const hol_expr *f;
        hol_src at = {NULL, 0, 0, NULL};
        const char *what = "";
        assert_int_equal(hol_expr_integral(ctx, arena, function(none[i].text), 0, &f, &at, &what), HOL_OK);
        assert_null(f);
        if (strcmp(what, none[i].function) != 0 || at.col != none[i].column)
            fail_msg("%s: %s at %d", none[i].text, what, at.col);
    }
}

// A sum of as many terms as one likes, and one that is nested too deeply for a program: no crash.
static void long_ones(void **state)
{
    (void)state;
    enum { TERMS = 20000 };
    char *text = malloc(5 * TERMS + 10), *p = text;
    assert_non_null(text);
    for (int i = 0; i < TERMS; i++) p += sprintf(p, "%stime", i ? "+" : "");
    const hol_expr *f = integral(function(text), 1);
    near_to("sum", 2, value(f, 2), 1 + TERMS * 2.0, 1e-12);
    p = text;
    for (int i = 0; i < 62; i++) p += sprintf(p, "1-(");
    p += sprintf(p, "time");
    for (int i = 0; i < 62; i++) *p++ = ')';
    *p = 0;
    hol_src at;
    const char *what;
    assert_int_equal(hol_expr_integral(ctx, arena, function(text), 0, &f, &at, &what), HOL_OK);
    assert_null(f);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_by_quadrature), cmocka_unit_test(slow_ones), cmocka_unit_test(enclosures),
        cmocka_unit_test(what_has_none_is_named),  cmocka_unit_test(long_ones),
    };
    return cmocka_run_group_tests_name("expr_integrals", tests, set_up, tear_down);
}
