// Expressions: derivatives by time, gradients, each in every shape of numbers.
#include "expressions.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("expr_derivatives", tests, NULL, NULL);
}
