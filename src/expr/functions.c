// The functions of the expression language. To add one, write its Taylor coefficients (or its jet) and one row
// of the table at the end; parser, documentation and tests follow.
#include "expr/expr.h"
#include "expr/jet.h"

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

static hol_jet add(int count, const hol_jet *x) { return (void)count, hol_jet_add(x[0], x[1]); }
static hol_jet subtract(int count, const hol_jet *x) { return (void)count, hol_jet_sub(x[0], x[1]); }
static hol_jet multiply(int count, const hol_jet *x) { return (void)count, hol_jet_mul(x[0], x[1]); }
static hol_jet divide(int count, const hol_jet *x) { return (void)count, hol_jet_div(x[0], x[1]); }
static hol_jet raise(int count, const hol_jet *x) { return (void)count, hol_jet_pow(x[0], x[1]); }
static hol_jet arctangent2(int count, const hol_jet *x) { return (void)count, hol_jet_atan2(x[0], x[1]); }
static hol_jet negate(int count, const hol_jet *x) { return (void)count, hol_jet_affine(-1, x[0], 0); }

static double value(const hol_jet *x) { return hol_re(x->c[0]); }

// NaN wins in both, so that it is not lost.
static hol_jet smallest(int count, const hol_jet *x)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (value(&x[i]) < value(&x[best]) || isnan(value(&x[i]))) best = i;
    return x[best];
}

static hol_jet largest(int count, const hol_jet *x)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        if (value(&x[i]) > value(&x[best]) || isnan(value(&x[i]))) best = i;
    return x[best];
}

// x - y*trunc(x/y)
static hol_jet remainder_of(int count, const hol_jet *x)
{
    (void)count;
    if (value(&x[1]) == 0) return hol_jet_constant(nothing);
    const double quotient = trunc(value(&x[0]) / value(&x[1]));
    return hol_jet_sub(x[0], hol_jet_affine(quotient, x[1], 0));
}

static hol_jet branch(int count, const hol_jet *x)
{
    (void)count;
    if (isnan(value(&x[0]))) return x[0];
    return value(&x[0]) < 0 ? x[1] : value(&x[0]) > 0 ? x[3] : x[2];
}

// Ramps: h0 up to x0, h1 from x1, and h0 + (h1 - h0) p(s), s = (x - x0)/(x1 - x0), between.
static hol_jet ramp(const hol_jet *x, hol_jet (*shape)(hol_jet s))
{
    if (value(&x[0]) <= value(&x[1])) return x[2];
    if (value(&x[0]) >= value(&x[3])) return x[4];
    const hol_jet s = hol_jet_div(hol_jet_sub(x[0], x[1]), hol_jet_sub(x[3], x[1]));
    return hol_jet_add(x[2], hol_jet_mul(hol_jet_sub(x[4], x[2]), shape(s)));
}

// 3 s^2 - 2 s^3
static hol_jet cubic(hol_jet s) { return hol_jet_mul(hol_jet_mul(s, s), hol_jet_affine(-2, s, 3)); }

// 10 s^3 - 15 s^4 + 6 s^5
static hol_jet quintic(hol_jet s)
{
    const hol_jet tail = hol_jet_affine(1, hol_jet_mul(s, hol_jet_affine(6, s, -15)), 10);
    return hol_jet_mul(hol_jet_mul(s, hol_jet_mul(s, s)), tail);
}

// (1 - cos(pi s))/2, which is (1 + sin(pi s - pi/2))/2
static hol_jet haversine(hol_jet s)
{
    const hol_jet turn = hol_jet_affine(HOL_PI, s, 0);
    hol_real f[4];
    cosine(turn.c[0], f);
    return hol_jet_affine(-0.5, hol_jet_compose(f, turn), 0.5);
}

static hol_jet step(int count, const hol_jet *x) { return (void)count, ramp(x, cubic); }
static hol_jet step5(int count, const hol_jet *x) { return (void)count, ramp(x, quintic); }
static hol_jet havsin(int count, const hol_jet *x) { return (void)count, ramp(x, haversine); }

// ---- the tables --------------------------------------------------------------------------------------------

#define POWER_DOMAIN "a base other than 0 if the exponent is negative, and a base >= 0 if it is a fraction"
#define RAMP_ARGS "x, x0, h0, x1, h1"

enum { ANGLE_IN = HOL_RULE_ANGLE_IN, ANGLE_OUT = HOL_RULE_ANGLE_OUT, CONSTANT = HOL_RULE_CONSTANT };
enum { RAMP = HOL_RULE_RAMP, BRANCH = HOL_RULE_BRANCH, MANY = HOL_MANY_ARGS };

// clang-format off
//    name     arguments  least, most args, rules  domain         taylor, jet              meaning
#define FUNCTIONS(X)                                                                                          \
    X("sin",   "x",       1, 1, ANGLE_IN,   "",                   sine, NULL,              "sine of an angle") \
    X("cos",   "x",       1, 1, ANGLE_IN,   "",                   cosine, NULL,            "cosine of an angle") \
    X("tan",   "x",       1, 1, ANGLE_IN,   "",                   tangent, NULL,           "tangent of an angle") \
    X("asin",  "x",       1, 1, ANGLE_OUT,  "-1 <= x <= 1",       arcsine, NULL,           "angle whose sine is x") \
    X("acos",  "x",       1, 1, ANGLE_OUT,  "-1 <= x <= 1",       arccosine, NULL,         "angle whose cosine is x") \
    X("atan",  "x",       1, 1, ANGLE_OUT,  "",                   arctangent, NULL,        "angle whose tangent is x") \
    X("atan2", "y, x",    2, 2, ANGLE_OUT,  "x or y other than 0", NULL, arctangent2,      "angle of the vector (x, y), -pi..pi") \
    X("sinh",  "x",       1, 1, 0,          "",                   hyperbolic_sine, NULL,   "hyperbolic sine") \
    X("cosh",  "x",       1, 1, 0,          "",                   hyperbolic_cosine, NULL, "hyperbolic cosine") \
    X("tanh",  "x",       1, 1, 0,          "",                   hyperbolic_tangent, NULL, "hyperbolic tangent") \
    X("sqrt",  "x",       1, 1, 0,          "x >= 0",             square_root, NULL,       "square root") \
    X("exp",   "x",       1, 1, 0,          "",                   exponential, NULL,       "e to the power x") \
    X("log",   "x",       1, 1, 0,          "x > 0",              logarithm, NULL,         "natural logarithm") \
    X("ln",    "x",       1, 1, 0,          "x > 0",              logarithm, NULL,         "natural logarithm") \
    X("log10", "x",       1, 1, 0,          "x > 0",              decimal_logarithm, NULL, "logarithm to the base 10") \
    X("abs",   "x",       1, 1, 0,          "",                   magnitude, NULL,         "x without its sign; kink at 0") \
    X("min",   "a, b, ...", 2, MANY, 0,     "",                   NULL, smallest,          "smallest argument; kinks where they cross") \
    X("max",   "a, b, ...", 2, MANY, 0,     "",                   NULL, largest,           "largest argument; kinks where they cross") \
    X("pow",   "x, y",    2, 2, 0,          POWER_DOMAIN,         NULL, raise,             "x to the power y, as x^y") \
    X("mod",   "x, y",    2, 2, 0,          "y other than 0",     NULL, remainder_of,      "x - y*trunc(x/y), with the sign of x; jumps") \
    X("floor", "x",       1, 1, CONSTANT,   "",                   round_down, NULL,        "largest integer <= x; constants only") \
    X("ceil",  "x",       1, 1, CONSTANT,   "",                   round_up, NULL,          "smallest integer >= x; constants only") \
    X("round", "x",       1, 1, CONSTANT,   "",                   round_near, NULL,        "nearest integer, halves away from 0; constants only") \
    X("step",  RAMP_ARGS, 5, 5, RAMP,       "",                   NULL, step,              "h0 up to x0, h1 from x1, a cubic between (Adams STEP)") \
    X("step5", RAMP_ARGS, 5, 5, RAMP,       "",                   NULL, step5,             "as step with a quintic (Adams STEP5)") \
    X("havsin", RAMP_ARGS, 5, 5, RAMP,      "",                   NULL, havsin,            "as step with half a cosine wave (Adams HAVSIN)") \
    X("if",    "x: negative, zero, positive", 4, 4, BRANCH, "",   NULL, branch,            "one of three values, by the sign of x (Adams IF)")

#define OPERATORS(X)                                                                   \
    X("+", "a, b", 2, 2, 0, "",                        NULL, add,      "sum")           \
    X("-", "a, b", 2, 2, 0, "",                        NULL, subtract, "difference")    \
    X("*", "a, b", 2, 2, 0, "",                        NULL, multiply, "product")       \
    X("/", "a, b", 2, 2, 0, "a divisor other than 0",  NULL, divide,   "quotient")      \
    X("^", "a, b", 2, 2, 0, POWER_DOMAIN,              NULL, raise,    "power")         \
    X("~", "a",    1, 1, 0, "",                        NULL, negate,   "change of sign")
// clang-format on

#define ROW(name, arguments, least, most, rules, domain, taylor, jet, meaning)                               \
    {name, arguments, least, most, rules, domain, taylor, jet},
#define DOC(name, arguments, least, most, rules, domain, taylor, jet, meaning) {name, arguments, meaning},

static const hol_function functions[] = {FUNCTIONS(ROW)};
static const hol_function operators[] = {OPERATORS(ROW)};
static const hol_expr_doc docs[] = {FUNCTIONS(DOC)};

hol_jet hol_function_call(const hol_function *f, int count, const hol_jet *x)
{
    if (f->jet) return f->jet(count, x);
    hol_real taylor[4];
    f->taylor(x[0].c[0], taylor);
    return hol_jet_compose(taylor, x[0]);
}

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

const hol_expr_doc *hol_expr_functions(int *count)
{
    *count = HOL_COUNT(docs);
    return docs;
}

// Names are ASCII, and the letters of the C locale must not matter.
bool hol_same_word(const char *word, size_t length, const char *name)
{
    for (size_t i = 0; i < length; i++) {
        const char c = word[i];
        if (name[i] == 0 || name[i] != (c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c)) return false;
    }
    return name[length] == 0;
}
