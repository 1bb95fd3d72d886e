// Integrals from time 0 on of functions f(u) of a linear function u = a t + b of time, once and twice, (8.23b) of docs/theory.md:
//
//     K_1 = (F_1(u) - F_1(b))/a,    K_2 = (F_2(u) - F_2(b))/a^2 - t F_1(b)/a,    F_k the k-th antiderivative of f
//     K_k = t^k sum_j f^(j)(b) (a t)^j/(j + k)!                      where a t is small: (8.23d), without differences
//
// The second holds for a = 0 too. The derivative of K_k is K_(k-1), and K_0 = f(u).
#include "expr/antiderivative.h"
#include "expr/interval.h"

#include <string.h>

enum { TERMS = 30 };
typedef enum { EXP, SIN, COS, SINH, COSH, POWER } kind;

typedef struct {
    kind f;
    int order;   // integrations: 1, 2
    double a, b; // u = a t + b
    double n;    // of u^n
} integral;

static const char *const names[] = {
    [EXP] = "exp", [SIN] = "sin", [COS] = "cos", [SINH] = "sinh", [COSH] = "cosh"};

int hol_antiderivative_kind(const hol_function *fn)
{
    if (fn->enclose == hol_enclose_raise || fn->enclose == hol_enclose_square_root) return POWER;
    for (int k = 0; k < HOL_COUNT(names); k++)
        if (strcmp(fn->name, names[k]) == 0) return k;
    return -1;
}

// ---- values ----------------------------------------------------------------------------------------------------

// u^e where that exists, (pow).
static hol_real raised(hol_real u, double e)
{
    const hol_shape plain = {0, 0, 0};
    const hol_real base[4] = {u}, exponent[4] = {e};
    hol_real out[4];
    hol_num_pow(&plain, base, exponent, out);
    return out[0];
}

// What stands before u^(n - m) in the m-th derivative of u^n; m < 0: in an antiderivative.
static double coefficient(double n, int m)
{
    double c = 1;
    for (int i = 0; i < m; i++) c *= n - i;
    for (int i = 1; i <= -m; i++) c /= n + i;
    return c;
}

// The m-th derivative of f at u; m < 0: an antiderivative.
static hol_real base(const integral *g, int m, hol_real u)
{
    const int turn = (m + (g->f == COS) + 4) % 4;
    switch (g->f) {
    case EXP: return exp(u);
    case SIN:
    case COS: return (turn < 2 ? 1 : -1) * (turn % 2 ? cos(u) : sin(u));
    case SINH:
    case COSH: return (m + (g->f == COSH)) % 2 ? cosh(u) : sinh(u);
    default: {
        const double c = coefficient(g->n, m);
        return c == 0 ? 0 : c * raised(u, g->n - m);
    }
    }
}

// Is the sum of TERMS right to the last digits?
static bool is_short(const integral *g, double t)
{
    const double x = fabs(g->a * t), b = fabs(g->b);
    return g->f == POWER ? b > 0 && 4 * x <= b && x * fabs(g->n) <= 2 * b : x < 1;
}

// (8.23d)
static hol_real sum_of_terms(const integral *g, int k, hol_real t)
{
    const hol_real x = g->a * t;
    hol_real power = 1, out = 0;
    for (int j = 1; j <= k; j++) power *= t / j;
    const hol_real first = g->f == POWER ? raised(g->b, g->n) : 0;
    for (int j = 0; j < TERMS; j++) {
        out += power * (g->f == POWER ? first : base(g, j, g->b));
        power *= x / (j + 1 + k) * (g->f == POWER ? (g->n - j) / g->b : 1);
    }
    return out;
}

// K_k at t, where the function's argument is u.
static hol_real value_of(const integral *g, int k, hol_real t, hol_real u)
{
    hol_real out = k < 0 ? base(g, -k, u) : 0;
    for (int j = 0; j < -k; j++) out *= g->a;
    if (k < 0) return out;
    if (k == 0) return base(g, 0, u);
    if (is_short(g, hol_re(t))) return sum_of_terms(g, k, t);
    out = (base(g, -k, u) - base(g, -k, g->b)) / g->a;
    return k == 1 ? out : out / g->a - t * base(g, -1, g->b) / g->a;
}

// The integral of so many integrations with its derivatives by time.
static void antiderivative(const hol_shape *s, int count, const hol_real *const *x, hol_real *out)
{
    const integral g = {(kind)hol_re(x[HOL_ANTIDERIVATIVE_KIND][0]),
                        (int)hol_re(x[HOL_ANTIDERIVATIVE_ORDER][0]), hol_re(x[HOL_ANTIDERIVATIVE_SLOPE][0]),
                        hol_re(x[HOL_ANTIDERIVATIVE_BEGINNING][0]),
                        hol_re(x[HOL_ANTIDERIVATIVE_EXPONENT][0])};
    hol_real f[4], factorial = 1;
    (void)count;
    for (int j = 0; j < 4; factorial *= ++j)
        f[j] =
            value_of(&g, g.order - j, x[HOL_ANTIDERIVATIVE_TIME][0], x[HOL_ANTIDERIVATIVE_U][0]) / factorial;
    hol_num_compose(s, f, x[HOL_ANTIDERIVATIVE_TIME], out);
}

// ---- enclosures ------------------------------------------------------------------------------------------------

// Of the m-th derivative of f, m <= 0.
static hol_interval range_of_base(const integral *g, int m, const hol_enclosure *u, unsigned *marks)
{
    const int turn = (m + (g->f == COS) + 4) % 4;
    hol_enclosure in = {u->v, u->d, 0}, out;
    hol_enclosure power[2] = {in, hol_enclose_constant(g->n - m)};
    switch (g->f) {
    case EXP: hol_enclose_exponential(1, &in, &out); break;
    case SIN:
    case COS:
        if (turn % 2)
            hol_enclose_cosine(1, &in, &out);
        else
            hol_enclose_sine(1, &in, &out);
        if (turn >= 2) out.v = hol_minus(out.v);
        break;
    case SINH:
    case COSH:
        if ((m + (g->f == COSH)) % 2)
            hol_enclose_hyperbolic_cosine(1, &in, &out);
        else
            hol_enclose_hyperbolic_sine(1, &in, &out);
        break;
    default: {
        const double c = coefficient(g->n, m);
        hol_enclose_raise(2, power, &out);
        out.v = hol_times((hol_interval){c, c}, out.v);
    }
    }
    *marks |= out.marks;
    return out.v;
}

// K_k(m) + K_(k-1) [t - m], and (8.23b): what lies in both.
static hol_interval range_of(const integral *g, int k, const hol_enclosure *u, hol_interval t,
                             hol_interval below)
{
    const double middle = 0.5 * t.lo + 0.5 * t.hi;
    const hol_interval at = {middle, middle}, a = {g->a, g->a};
    hol_interval mean = hol_whole, direct = hol_whole;
    unsigned marks = 0;
    if (is_short(g, middle)) {
        const double value = hol_re(value_of(g, k, middle, g->a * middle + g->b));
        mean = hol_plus(hol_loosen(hol_outward(value, value), 2 * TERMS), hol_times(below, hol_less(t, at)));
    }
    if (g->a != 0) {
        const hol_enclosure b = hol_enclose_constant(g->b);
        direct = hol_over(hol_less(range_of_base(g, -k, u, &marks), range_of_base(g, -k, &b, &marks)), a);
        if (k == 2)
            direct =
                hol_less(hol_over(direct, a), hol_over(hol_times(t, range_of_base(g, -1, &b, &marks)), a));
    }
    const hol_interval both = {fmax(mean.lo, direct.lo), fmin(mean.hi, direct.hi)};
    return both.lo <= both.hi ? both : hol_hull(mean, direct);
}

// Of the integral, and of its derivative, which is the integral before it.
HOL_ENCLOSE(antiderivative)
{
    const integral g = {(kind)x[HOL_ANTIDERIVATIVE_KIND].v.lo, (int)x[HOL_ANTIDERIVATIVE_ORDER].v.lo,
                        x[HOL_ANTIDERIVATIVE_SLOPE].v.lo, x[HOL_ANTIDERIVATIVE_BEGINNING].v.lo,
                        x[HOL_ANTIDERIVATIVE_EXPONENT].v.lo};
    unsigned marks = x[HOL_ANTIDERIVATIVE_U].marks | x[HOL_ANTIDERIVATIVE_TIME].marks;
    hol_interval below = hol_whole, range = range_of_base(&g, 0, &x[HOL_ANTIDERIVATIVE_U], &marks);
    (void)count;
    for (int k = 1; k <= g.order; k++) {
        below = range;
        range = range_of(&g, k, &x[HOL_ANTIDERIVATIVE_U], x[HOL_ANTIDERIVATIVE_TIME].v, below);
    }
    *out = (hol_enclosure){range, hol_times(below, x[HOL_ANTIDERIVATIVE_TIME].d), marks};
}

// ---- the table -------------------------------------------------------------------------------------------------

#define INTEGRAL(needs)                                                                                      \
    {                                                                                                        \
        "integral", "u, time, kind, order, slope, beginning, exponent", HOL_ANTIDERIVATIVE_ARGUMENTS,        \
            HOL_ANTIDERIVATIVE_ARGUMENTS, 0, needs, NULL, antiderivative, hol_enclose_antiderivative         \
    }
static const hol_function entire = INTEGRAL("");
static const hol_function of_power =
    INTEGRAL("a base other than 0 if the exponent is negative, and a base >= 0 if it is a fraction");

const hol_function *hol_antiderivative_function(int of, double exponent)
{
    return of == POWER && (exponent < 0 || exponent != floor(exponent)) ? &of_power : &entire;
}

bool hol_antiderivative_exists(int of, int order, double exponent)
{
    return order <= HOL_ANTIDERIVATIVE_ORDERS && !(of == POWER && (exponent == -1 || exponent == -order));
}
