// The functions of the expression language. To add one, write its Taylor coefficients (or, with several arguments, its
// arithmetic), its enclosure (enclose.c) and one row of the table at the end; parser, documentation and tests follow.
#include "expr/expr.h"
#include "expr/function.h"
#include <string.h>

static const double nothing = (double)NAN; // outside the domain; complex functions would continue silently

// ---- one argument: f, f', f''/2, f'''/6 --------------------------------------------------------------------

static void put(hol_real f[4], hol_real f0, hol_real f1, hol_real f2, hol_real f3)
{
    f[0] = f0;
    f[1] = f1;
    f[2] = f2;
    f[3] = f3;
}

static void sine(hol_real x, hol_real f[4])
{
    const hol_real s = sin(x), c = cos(x);
    put(f, s, c, -s / 2, -c / 6);
}

static void cosine(hol_real x, hol_real f[4])
{
    const hol_real s = sin(x), c = cos(x);
    put(f, c, -s, -c / 2, s / 6);
}

// y' = 1 + y^2
static void tangent(hol_real x, hol_real f[4])
{
    const hol_real y = tan(x), d = 1 + y * y;
    put(f, y, d, y * d, d * (1 + 3 * y * y) / 3);
}

// y' = (1 - x^2)^(-1/2)
static void arcsine(hol_real x, hol_real f[4])
{
    const bool inside = hol_re(x) >= -1 && hol_re(x) <= 1;
    const hol_real d = 1 / sqrt((1 - x) * (1 + x));
    put(f, inside ? asin(x) : nothing, d, x * d * d * d / 2, (1 + 2 * x * x) * d * d * d * d * d / 6);
}

static void arccosine(hol_real x, hol_real f[4])
{
    arcsine(x, f);
    const bool inside = hol_re(x) >= -1 && hol_re(x) <= 1;
    put(f, inside ? acos(x) : nothing, -f[1], -f[2], -f[3]);
}

// y' = 1/(1 + x^2)
static void arctangent(hol_real x, hol_real f[4])
{
    const hol_real d = 1 / (1 + x * x);
    put(f, atan(x), d, -x * d * d, (3 * x * x - 1) * d * d * d / 3);
}

static void hyperbolic_sine(hol_real x, hol_real f[4])
{
    const hol_real s = sinh(x), c = cosh(x);
    put(f, s, c, s / 2, c / 6);
}

static void hyperbolic_cosine(hol_real x, hol_real f[4])
{
    const hol_real s = sinh(x), c = cosh(x);
    put(f, c, s, c / 2, s / 6);
}

// y' = 1 - y^2, as 1/cosh^2 so that no digits are lost at large x
static void hyperbolic_tangent(hol_real x, hol_real f[4])
{
    const hol_real y = tanh(x), d = 1 / (cosh(x) * cosh(x));
    put(f, y, d, -y * d, d * (3 * y * y - 1) / 3);
}

static void square_root(hol_real x, hol_real f[4])
{
    const hol_real y = hol_re(x) >= 0 ? sqrt(x) : nothing;
    put(f, y, 1 / (2 * y), -1 / (8 * y * x), 1 / (16 * y * x * x));
}

static void exponential(hol_real x, hol_real f[4])
{
    const hol_real y = exp(x);
    put(f, y, y, y / 2, y / 6);
}

static void logarithm(hol_real x, hol_real f[4])
{
    put(f, hol_re(x) >= 0 ? log(x) : nothing, 1 / x, -1 / (2 * x * x), 1 / (3 * x * x * x));
}

static void decimal_logarithm(hol_real x, hol_real f[4])
{
    const double per_e = 0.434294481903251827651128918916605082; // log10(e)
    logarithm(x, f);
    for (int k = 0; k < 4; k++) f[k] *= per_e;
#ifndef HOL_COMPLEX
    f[0] = log10(x); // log10(1000) is 3, not 2.9999999999999996
#endif
}

static void magnitude(hol_real x, hol_real f[4])
{
    const double sign = hol_re(x) < 0 ? -1 : 1;
    put(f, sign * x, sign, 0, 0);
}

static void round_down(hol_real x, hol_real f[4]) { put(f, floor(hol_re(x)), 0, 0, 0); }
static void round_up(hol_real x, hol_real f[4]) { put(f, ceil(hol_re(x)), 0, 0, 0); }
static void round_near(hol_real x, hol_real f[4]) { put(f, round(hol_re(x)), 0, 0, 0); }

// ---- several arguments -------------------------------------------------------------------------------------

#define MANY(name) static void name(const hol_shape *s, int count, const hol_real *const *x, hol_real *out)

MANY(add) { (void)count, hol_num_add(s, x[0], x[1], out); }
MANY(subtract) { (void)count, hol_num_sub(s, x[0], x[1], out); }
MANY(multiply) { (void)count, hol_num_mul(s, x[0], x[1], out); }
MANY(divide) { (void)count, hol_num_div(s, x[0], x[1], out); }
MANY(raise) { (void)count, hol_num_pow(s, x[0], x[1], out); }
MANY(negate) { (void)count, hol_num_affine(s, -1, x[0], 0, out); }
MANY(arctangent2) { (void)count, hol_num_atan2(s, x[0], x[1], out); }
MANY(norm) { hol_num_norm(s, count, x, out); }

static double value(const hol_real *x) { return hol_re(x[0]); }

// NaN wins in both, so that it is not lost.
MANY(smallest)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (value(x[i]) < value(x[best]) || isnan(value(x[i]))) best = i;
    hol_num_copy(s, x[best], out);
}

MANY(largest)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (value(x[i]) > value(x[best]) || isnan(value(x[i]))) best = i;
    hol_num_copy(s, x[best], out);
}

// x - y*trunc(x/y)
MANY(remainder_of)
{
    hol_real whole[HOL_NUM_MAX];
    (void)count;
    if (value(x[1]) == 0) {
        hol_num_constant(s, nothing, out);
        return;
    }
    hol_num_affine(s, trunc(value(x[0]) / value(x[1])), x[1], 0, whole);
    hol_num_sub(s, x[0], whole, out);
}

MANY(branch)
{
    (void)count;
    const int chosen = isnan(value(x[0])) ? 0 : value(x[0]) < 0 ? 1 : value(x[0]) > 0 ? 3 : 2;
    hol_num_copy(s, x[chosen], out);
}

// sqrt(x^2 + w^2) - w, written so that small x keep their digits: x^2/(sqrt(x^2 + w^2) + w)
MANY(smooth_magnitude)
{
    hol_real length[HOL_NUM_MAX], square[HOL_NUM_MAX];
    hol_num_norm(s, count, x, length);
    hol_num_add(s, length, x[1], length);
    hol_num_mul(s, x[0], x[0], square);
    hol_num_div(s, square, length, out);
}

// ---- ramps: h0 up to x0, h1 from x1, and h0 + (h1 - h0) p(u), u = (x - x0)/(x1 - x0), between --------------

// 3 u^2 - 2 u^3
static void cubic(hol_real u, hol_real p[4]) { put(p, u * u * (3 - 2 * u), 6 * u * (1 - u), 3 - 6 * u, -2); }

// 10 u^3 - 15 u^4 + 6 u^5
static void quintic(hol_real u, hol_real p[4])
{
    const hol_real v = u * (1 - u);
    put(p, u * u * u * (10 + u * (6 * u - 15)), 30 * v * v, 30 * v * (1 - 2 * u), 10 - 60 * v);
}

// (1 - cos(pi u))/2, which is (1 + sin(pi u - pi/2))/2
static void haversine(hol_real u, hol_real p[4])
{
    const hol_real sn = sin(HOL_PI * u), cn = cos(HOL_PI * u);
    put(p, (1 - cn) / 2, HOL_PI * sn / 2, HOL_PI * HOL_PI * cn / 4, -HOL_PI * HOL_PI * HOL_PI * sn / 12);
}

// A function that goes from x[2] at x[0] <= x[1] to x[4] at x[0] >= x[3] along a profile between; outside it
// is constant.
static void ramp(const hol_shape *s, const hol_real *const *x, void (*profile)(hol_real u, hol_real p[4]),
                 hol_real *out)
{
    hol_real a[HOL_NUM_MAX], b[HOL_NUM_MAX], u[HOL_NUM_MAX], p[4];
    const bool before = value(x[0]) <= value(x[1]);
    if (before || value(x[0]) >= value(x[3])) {
        hol_num_copy(s, before ? x[2] : x[4], out);
        return;
    }
    hol_num_sub(s, x[0], x[1], a);
    hol_num_sub(s, x[3], x[1], b);
    hol_num_div(s, a, b, u);
    profile(u[0], p);
    hol_num_compose(s, p, u, a);
    hol_num_sub(s, x[4], x[2], b);
    hol_num_mul(s, b, a, out);
    hol_num_add(s, out, x[2], out);
}

MANY(step) { (void)count, ramp(s, x, cubic, out); }
MANY(step5) { (void)count, ramp(s, x, quintic, out); }
MANY(havsin) { (void)count, ramp(s, x, haversine, out); }

// ---- contact -------------------------------------------------------------------------------------------------

// k*depth^e + cmax*rate*p(depth/d), the damping growing to its full size at the depth d; never pulls. law: k, e, cmax, d
static void contact(const hol_shape *s, const hol_real *depth, const hol_real *rate,
                    const hol_real *const *law, hol_real *out)
{
    hol_real a[HOL_NUM_MAX], b[HOL_NUM_MAX], p[4];
    hol_num_mul(s, law[2], rate, a);
    if (!(value(depth) >= value(law[3]))) {
        hol_num_div(s, depth, law[3], b);
        cubic(b[0], p);
        hol_num_compose(s, p, b, out);
        hol_num_mul(s, a, out, b);
        hol_num_copy(s, b, a);
    }
    hol_num_pow(s, depth, law[1], b);
    hol_num_mul(s, law[0], b, out);
    hol_num_add(s, out, a, out);
    if (value(out) < 0) hol_num_constant(s, 0, out);
}

// x, xdot, x1, k, e, cmax, d
MANY(impact)
{
    hol_real depth[HOL_NUM_MAX], rate[HOL_NUM_MAX];
    (void)count;
    if (value(x[0]) >= value(x[2])) {
        hol_num_constant(s, 0, out);
        return;
    }
    hol_num_sub(s, x[2], x[0], depth);
    hol_num_affine(s, -1, x[1], 0, rate);
    contact(s, depth, rate, x + 3, out);
}

// x, xdot, x1, x2, k, e, cmax, d
MANY(bistop)
{
    hol_real depth[HOL_NUM_MAX];
    (void)count;
    if (value(x[0]) < value(x[2])) {
        const hol_real *const lower[] = {x[0], x[1], x[2], x[4], x[5], x[6], x[7]};
        impact(s, HOL_COUNT(lower), lower, out);
        return;
    }
    if (value(x[0]) <= value(x[3])) {
        hol_num_constant(s, 0, out);
        return;
    }
    hol_num_sub(s, x[0], x[3], depth);
    contact(s, depth, x[1], x + 4, out);
    hol_num_affine(s, -1, out, 0, out);
}

// ---- series --------------------------------------------------------------------------------------------------

// x, x0, a0, a1, ...: a0 + (x - x0) (a1 + (x - x0) (a2 + ...))
MANY(polynomial)
{
    hol_real d[HOL_NUM_MAX], product[HOL_NUM_MAX];
    hol_num_sub(s, x[0], x[1], d);
    hol_num_copy(s, x[count - 1], out);
    for (int i = count - 2; i >= 2; i--) {
        hol_num_mul(s, out, d, product);
        hol_num_add(s, product, x[i], out);
    }
}

// x, x0, omega, a0, a1, ...: a0 + sum_j a_j wave(j omega (x - x0))
static void fourier(const hol_shape *s, int count, const hol_real *const *x,
                    void (*wave)(hol_real phase, hol_real f[4]), hol_real *out)
{
    hol_real d[HOL_NUM_MAX], phase[HOL_NUM_MAX], a[HOL_NUM_MAX], b[HOL_NUM_MAX], f[4];
    hol_num_sub(s, x[0], x[1], d);
    hol_num_mul(s, d, x[2], phase);
    hol_num_copy(s, x[3], out);
    for (int j = 1; j < count - 3; j++) {
        hol_num_affine(s, j, phase, 0, a);
        wave(a[0], f);
        hol_num_compose(s, f, a, b);
        hol_num_mul(s, x[3 + j], b, a);
        hol_num_add(s, out, a, out);
    }
}

MANY(fourier_sine) { fourier(s, count, x, sine, out); }
MANY(fourier_cosine) { fourier(s, count, x, cosine, out); }

// x, x0, a, w, phi, b: a sin(w (x - x0) - phi) + b
MANY(harmonic)
{
    hol_real p[HOL_NUM_MAX], q[HOL_NUM_MAX], f[4];
    (void)count;
    hol_num_sub(s, x[0], x[1], p);
    hol_num_mul(s, x[3], p, q);
    hol_num_sub(s, q, x[4], q);
    sine(q[0], f);
    hol_num_compose(s, f, q, p);
    hol_num_mul(s, x[2], p, out);
    hol_num_add(s, out, x[5], out);
}

// ---- the tables --------------------------------------------------------------------------------------------

#define POWER_DOMAIN "a base other than 0 if the exponent is negative, and a base >= 0 if it is a fraction"
#define RAMP_ARGS "x, x0, h0, x1, h1"
#define BISTOP_ARGS "x, xdot, x1, x2, k, e, cmax, d"

enum { ANGLE_IN = HOL_RULE_ANGLE_IN, ANGLE_OUT = HOL_RULE_ANGLE_OUT, CONSTANT = HOL_RULE_CONSTANT };
enum { BRANCH = HOL_RULE_BRANCH | HOL_RULE_KINK, RAMP = HOL_RULE_RAMP, KINK = HOL_RULE_KINK };
enum { TABLE = HOL_RULE_TABLE, CUBIC = TABLE | HOL_RULE_CUBIC, AKIMA = TABLE | HOL_RULE_AKIMA };
enum { SAME = HOL_RULE_SAME, PURE = HOL_RULE_PURE, ARC = HOL_RULE_ARC, POWER = HOL_RULE_POWER };
enum { PRODUCT = HOL_RULE_PRODUCT, QUOTIENT = HOL_RULE_QUOTIENT, ROOT = HOL_RULE_ROOT };
enum {
    CONTACT = HOL_RULE_CONTACT | HOL_RULE_KINK | HOL_RULE_IMPACT,
    FOURIER = ANGLE_IN << 2 | HOL_RULE_FOURIER,
    HARMONIC = ANGLE_IN << 3 | ANGLE_IN << 4 | HOL_RULE_HARMONIC,
    ANY = HOL_MANY_ARGS
};

// clang-format off
//    name     arguments  least, most args, rules  domain         taylor, many, enclose            meaning
#define FUNCTIONS(X)                                                                                          \
    X("sin",   "x",       1, 1, ANGLE_IN | PURE,   "",                   sine, NULL, hol_enclose_sine,              "sine of an angle") \
    X("cos",   "x",       1, 1, ANGLE_IN | PURE,   "",                   cosine, NULL, hol_enclose_cosine,            "cosine of an angle") \
    X("tan",   "x",       1, 1, ANGLE_IN | PURE,   "",                   tangent, NULL, hol_enclose_tangent,           "tangent of an angle") \
    X("asin",  "x",       1, 1, ANGLE_OUT | ARC,  "-1 <= x <= 1",       arcsine, NULL, hol_enclose_arcsine,           "angle whose sine is x") \
    X("acos",  "x",       1, 1, ANGLE_OUT | ARC,  "-1 <= x <= 1",       arccosine, NULL, hol_enclose_arccosine,         "angle whose cosine is x") \
    X("atan",  "x",       1, 1, ANGLE_OUT | ARC,  "",                   arctangent, NULL, hol_enclose_arctangent,        "angle whose tangent is x") \
    X("atan2", "y, x",    2, 2, ANGLE_OUT | ARC,  "x or y other than 0", NULL, arctangent2, hol_enclose_arctangent2,      "angle of the vector (x, y), -pi..pi") \
    X("sinh",  "x",       1, 1, PURE,          "",                   hyperbolic_sine, NULL, hol_enclose_hyperbolic_sine,   "hyperbolic sine") \
    X("cosh",  "x",       1, 1, PURE,          "",                   hyperbolic_cosine, NULL, hol_enclose_hyperbolic_cosine, "hyperbolic cosine") \
    X("tanh",  "x",       1, 1, PURE,          "",                   hyperbolic_tangent, NULL, hol_enclose_hyperbolic_tangent, "hyperbolic tangent") \
    X("sqrt",  "x",       1, 1, ROOT,          "x >= 0",             square_root, NULL, hol_enclose_square_root,       "square root") \
    X("exp",   "x",       1, 1, PURE,          "",                   exponential, NULL, hol_enclose_exponential,       "e to the power x") \
    X("log",   "x",       1, 1, PURE,          "x > 0",              logarithm, NULL, hol_enclose_logarithm,         "natural logarithm") \
    X("ln",    "x",       1, 1, PURE,          "x > 0",              logarithm, NULL, hol_enclose_logarithm,         "natural logarithm") \
    X("log10", "x",       1, 1, PURE,          "x > 0",              decimal_logarithm, NULL, hol_enclose_decimal_logarithm, "logarithm to the base 10") \
    X("abs",   "x",       1, 1, KINK | SAME,       "",                   magnitude, NULL, hol_enclose_magnitude,         "x without its sign; kink at 0") \
    X("sabs",  "x, w",    2, 2, SAME,          "w > 0",              NULL, smooth_magnitude, hol_enclose_smooth_magnitude,  "smooth abs: sqrt(x^2 + w^2) - w; 0 at 0, below abs(x) by less than w") \
    X("hypot", "x, y, ...", 2, ANY, KINK | SAME,   "",                   NULL, norm, hol_enclose_norm,              "length of a vector, sqrt(x^2 + y^2 + ...); at the origin its derivatives are taken as 0") \
    X("min",   "a, b, ...", 2, ANY, KINK | SAME,   "",                   NULL, smallest, hol_enclose_smallest,          "smallest argument; kinks where they cross") \
    X("max",   "a, b, ...", 2, ANY, KINK | SAME,   "",                   NULL, largest, hol_enclose_largest,           "largest argument; kinks where they cross") \
    X("pow",   "x, y",    2, 2, POWER,          POWER_DOMAIN,         NULL, raise, hol_enclose_raise,             "x to the power y, as x^y") \
    X("mod",   "x, y",    2, 2, KINK | SAME,       "y other than 0",     NULL, remainder_of, hol_enclose_remainder_of,      "x - y*trunc(x/y), with the sign of x; jumps") \
    X("floor", "x",       1, 1, CONSTANT | SAME,   "",                   round_down, NULL, hol_enclose_round_down,        "largest integer <= x; constants only") \
    X("ceil",  "x",       1, 1, CONSTANT | SAME,   "",                   round_up, NULL, hol_enclose_round_up,          "smallest integer >= x; constants only") \
    X("round", "x",       1, 1, CONSTANT | SAME,   "",                   round_near, NULL, hol_enclose_round_near,        "nearest integer, halves away from 0; constants only") \
    X("step",  RAMP_ARGS, 5, 5, RAMP,       "",                   NULL, step, hol_enclose_step,              "h0 up to x0, h1 from x1, a cubic between (Adams STEP)") \
    X("step5", RAMP_ARGS, 5, 5, RAMP,       "",                   NULL, step5, hol_enclose_step5,             "as step with a quintic (Adams STEP5)") \
    X("havsin", RAMP_ARGS, 5, 5, RAMP,      "",                   NULL, havsin, hol_enclose_havsin,            "as step with half a cosine wave (Adams HAVSIN)") \
    X("if",    "x: negative, zero, positive", 4, 4, BRANCH, "",   NULL, branch, hol_enclose_branch,            "one of three values, by the sign of x (Adams IF)") \
    X("impact", "x, xdot, x1, k, e, cmax, d", 7, 7, CONTACT, "",  NULL, impact, hol_enclose_impact,            "k*(x1-x)^e - cmax*xdot*step(x, x1-d, 1, x1, 0) for x < x1, at least 0 (Adams IMPACT)") \
    X("bistop", BISTOP_ARGS, 8, 8, CONTACT, "",                   NULL, bistop, hol_enclose_bistop,            "impact below x1, and its mirror image above x2 (Adams BISTOP)") \
    X("poly",  "x, x0, a0, a1, ...", 3, ANY, HOL_RULE_POLYNOMIAL, "", NULL, polynomial, hol_enclose_polynomial,        "a0 + a1*(x-x0) + a2*(x-x0)^2 + ... (Adams POLY)") \
    X("forsin", "x, x0, w, a0, a1, ...", 4, ANY, FOURIER, "",     NULL, fourier_sine, hol_enclose_fourier_sine,      "a0 + a1*sin(w*(x-x0)) + a2*sin(2*w*(x-x0)) + ... (Adams FORSIN)") \
    X("forcos", "x, x0, w, a0, a1, ...", 4, ANY, FOURIER, "",     NULL, fourier_cosine, hol_enclose_fourier_cosine,    "a0 + a1*cos(w*(x-x0)) + a2*cos(2*w*(x-x0)) + ... (Adams FORCOS)") \
    X("shf",   "x, x0, a, w, phi, b", 6, 6, HARMONIC, "",         NULL, harmonic, hol_enclose_harmonic,          "a*sin(w*(x-x0) - phi) + b (Adams SHF)") \
    X("spline", "x, table[, derivative]", 2, 3, TABLE, "",        NULL, NULL, NULL,              "the table at x, or its 1st or 2nd derivative") \
    X("akispl", "x, 0, table[, derivative]", 3, 4, AKIMA, "",     NULL, NULL, NULL,              "as spline, the table joined by Akima's method (Adams AKISPL)") \
    X("cubspl", "x, 0, table[, derivative]", 3, 4, CUBIC, "",     NULL, NULL, NULL,              "as spline, the table joined by a natural cubic spline (Adams CUBSPL)")

#define OPERATORS(X)                                                                   \
    X("+", "a, b", 2, 2, SAME, "",                        NULL, add, hol_enclose_add,      "sum")           \
    X("-", "a, b", 2, 2, SAME, "",                        NULL, subtract, hol_enclose_subtract, "difference")    \
    X("*", "a, b", 2, 2, PRODUCT, "",                        NULL, multiply, hol_enclose_multiply, "product")       \
    X("/", "a, b", 2, 2, QUOTIENT, "a divisor other than 0",  NULL, divide, hol_enclose_divide,   "quotient")      \
    X("^", "a, b", 2, 2, POWER, POWER_DOMAIN,              NULL, raise, hol_enclose_raise,    "power")         \
    X("~", "a",    1, 1, SAME, "",                        NULL, negate, hol_enclose_negate,   "change of sign")
// clang-format on

#define ROW(name, arguments, least, most, rules, domain, taylor, many, enclose, meaning)                     \
    {name, arguments, least, most, rules, domain, taylor, many, enclose},
#define DOC(name, arguments, least, most, rules, domain, taylor, many, enclose, meaning)                     \
    {name, arguments, meaning},

static const hol_function functions[] = {FUNCTIONS(ROW)};
static const hol_function operators[] = {OPERATORS(ROW)};
static const hol_expr_doc docs[] = {FUNCTIONS(DOC)};

const hol_function *hol_operator(char sign)
{
    for (int i = 0; i < HOL_COUNT(operators); i++)
        if (operators[i].name[0] == sign) return &operators[i];
    return NULL;
}

const hol_function *hol_function_find(const char *name, size_t length)
{
    for (int i = 0; i < HOL_COUNT(functions); i++)
        if (hol_same_word(name, length, functions[i].name)) return &functions[i];
    return NULL;
}

bool hol_expr_is_function(const char *name) { return hol_function_find(name, strlen(name)); }

const hol_expr_doc *hol_expr_functions(int *count)
{
    *count = HOL_COUNT(docs);
    return docs;
}
