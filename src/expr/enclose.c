// Enclosures of value V and derivative D of every function of the language over an interval of time, by the chain rule,
//     V(f(x)) = f([x]),    D(f(x)) = f'([x]) [x'],    (a b)' = a' b + a b',    (a/b)' = (a' - (a/b) b')/b,
// and marks where a branch, a divisor or a domain is not decided. A branch that is not taken leaves neither value nor mark.
#include "expr/interval.h"
#include "expr/program.h"

// ---- intervals -----------------------------------------------------------------------------------------------

#define LARGEST (DBL_MAX * (1 - 1e-13)) // lower bounds of what overflows are rounded down from DBL_MAX

static double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

hol_interval hol_times(hol_interval a, hol_interval b)
{
    const double p[4] = {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)};
    const double lo = fmin(fmin(p[0], p[1]), fmin(p[2], p[3])), hi = fmax(fmax(p[0], p[1]), fmax(p[2], p[3]));
    hol_interval out = hol_outward(lo, hi);
    if (hol_is_zero(a) || hol_is_zero(b)) return hol_zero;
    if (fabs(out.lo) < HOL_INTERVAL_LEAST) out.lo -= HOL_INTERVAL_LEAST;
    if (fabs(out.hi) < HOL_INTERVAL_LEAST) out.hi += HOL_INTERVAL_LEAST;
    return out;
}

hol_interval hol_over(hol_interval a, hol_interval b)
{
    if (hol_holds(b, 0)) return hol_whole;
    const hol_interval inverse = {1 / b.hi, 1 / b.lo};
    return hol_times(a, hol_outward(inverse.lo, inverse.hi));
}

hol_interval hol_square(hol_interval a)
{
    const double least = hol_least(a), most = hol_most(a);
    return hol_outward(least * least, most * most);
}

static bool same_sign(hol_interval a) { return a.lo > 0 || a.hi < 0 || hol_is_zero(a); }

static bool is_constant(const hol_enclosure *x) { return hol_is_zero(x->d) && x->v.lo == x->v.hi; }

// ---- enclosures ------------------------------------------------------------------------------------------------

hol_enclosure hol_enclose_constant(double x) { return (hol_enclosure){{x, x}, {0, 0}, 0}; }

// f(x) from f([x]) and f'([x]).
static hol_enclosure compose(const hol_enclosure *x, hol_interval f, hol_interval slope, unsigned marks)
{
    return (hol_enclosure){f, hol_times(slope, x->d), x->marks | marks};
}

static hol_enclosure plus(const hol_enclosure *a, const hol_enclosure *b)
{
    return (hol_enclosure){hol_plus(a->v, b->v), hol_plus(a->d, b->d), a->marks | b->marks};
}

static hol_enclosure minus(const hol_enclosure *a)
{
    return (hol_enclosure){hol_minus(a->v), hol_minus(a->d), a->marks};
}

static hol_enclosure less(const hol_enclosure *a, const hol_enclosure *b)
{
    const hol_enclosure negative = minus(b);
    return plus(a, &negative);
}

static bool vanishes(const hol_enclosure *a) { return hol_is_zero(a->v) && hol_is_zero(a->d); }

// What is multiplied by nothing has no kink; a pole of it remains one.
static hol_enclosure times(const hol_enclosure *a, const hol_enclosure *b)
{
    const unsigned kinks = vanishes(a) || vanishes(b) ? HOL_MARK_KINK : 0;
    return (hol_enclosure){hol_times(a->v, b->v), hol_plus(hol_times(a->d, b->v), hol_times(a->v, b->d)),
                           (a->marks | b->marks) & ~kinks};
}

static hol_enclosure over(const hol_enclosure *a, const hol_enclosure *b)
{
    const unsigned pole = hol_is_zero(b->v) ? HOL_MARK_NONE : hol_holds(b->v, 0) ? HOL_MARK_POLE : 0;
    const hol_interval q = hol_over(a->v, b->v);
    return (hol_enclosure){q, hol_over(hol_less(a->d, hol_times(q, b->d)), b->v), a->marks | b->marks | pole};
}

// Either of the two: what is not decided has a kink, and what only one of them lacks is lacking somewhere.
static hol_enclosure either(const hol_enclosure *a, const hol_enclosure *b)
{
    unsigned marks = a->marks | b->marks | HOL_MARK_KINK;
    if ((a->marks ^ b->marks) & HOL_MARK_NONE) marks = (marks & ~(unsigned)HOL_MARK_NONE) | HOL_MARK_DOMAIN;
    return (hol_enclosure){hol_hull(a->v, b->v), hol_hull(a->d, b->d), marks};
}

// The part of x in the domain; the marks say whether there is more, or none.
static hol_interval inside(const hol_enclosure *x, double lo, double hi, unsigned *marks)
{
    *marks = x->v.hi < lo || x->v.lo > hi   ? HOL_MARK_NONE
             : x->v.lo < lo || x->v.hi > hi ? HOL_MARK_DOMAIN
                                            : 0;
    return *marks & HOL_MARK_NONE ? (hol_interval){lo, lo} : hol_clip(x->v, lo, hi);
}

// ---- functions of one argument ---------------------------------------------------------------------------------

// Is phase + k period in [a] for some k? What rounding cannot tell is.
static bool meets(hol_interval a, double phase, double period)
{
    const double slack = HOL_INTERVAL_LAST * (hol_most(a) + period);
    const double k = ceil((a.lo - slack - phase) / period);
    return !(a.hi - a.lo < period) || phase + k * period <= a.hi + slack;
}

static hol_interval sine_of(hol_interval x)
{
    if (!(x.hi - x.lo < 2 * HOL_PI)) return (hol_interval){-1, 1};
    const double a = sin(x.lo), b = sin(x.hi);
    const hol_interval ends = hol_outward(fmin(a, b), fmax(a, b));
    return hol_clip((hol_interval){meets(x, -HOL_PI / 2, 2 * HOL_PI) ? -1 : ends.lo,
                                   meets(x, HOL_PI / 2, 2 * HOL_PI) ? 1 : ends.hi},
                    -1, 1);
}

static hol_interval cosine_of(hol_interval x)
{
    if (!(x.hi - x.lo < 2 * HOL_PI)) return (hol_interval){-1, 1};
    const double a = cos(x.lo), b = cos(x.hi);
    const hol_interval ends = hol_outward(fmin(a, b), fmax(a, b));
    return hol_clip(
        (hol_interval){meets(x, HOL_PI, 2 * HOL_PI) ? -1 : ends.lo, meets(x, 0, 2 * HOL_PI) ? 1 : ends.hi},
        -1, 1);
}

HOL_ENCLOSE(sine) { (void)count, *out = compose(x, sine_of(x->v), cosine_of(x->v), 0); }
HOL_ENCLOSE(cosine) { (void)count, *out = compose(x, cosine_of(x->v), hol_minus(sine_of(x->v)), 0); }

static hol_interval one_plus(hol_interval x) { return hol_plus((hol_interval){1, 1}, x); }

HOL_ENCLOSE(tangent)
{
    (void)count;
    const bool pole = meets(x->v, HOL_PI / 2, HOL_PI);
    const hol_interval y = pole ? hol_whole : hol_outward(tan(x->v.lo), tan(x->v.hi));
    *out = compose(x, y, one_plus(hol_square(y)), pole ? HOL_MARK_POLE : 0);
}

// (1 - x^2)^(-1/2)
static hol_interval arc_slope(hol_interval x)
{
    const double a = hol_least(x), b = hol_most(x);
    return hol_outward(1 / sqrt((1 - a) * (1 + a)), 1 / sqrt((1 - b) * (1 + b)));
}

HOL_ENCLOSE(arcsine)
{
    (void)count;
    unsigned marks;
    const hol_interval in = inside(x, -1, 1, &marks);
    *out = compose(x, hol_outward(asin(in.lo), asin(in.hi)), arc_slope(in), marks);
}

HOL_ENCLOSE(arccosine)
{
    (void)count;
    unsigned marks;
    const hol_interval in = inside(x, -1, 1, &marks);
    *out = compose(x, hol_outward(acos(in.hi), acos(in.lo)), hol_minus(arc_slope(in)), marks);
}

HOL_ENCLOSE(arctangent)
{
    (void)count;
    const hol_interval one = {1, 1};
    *out =
        compose(x, hol_outward(atan(x->v.lo), atan(x->v.hi)), hol_over(one, one_plus(hol_square(x->v))), 0);
}

static hol_interval sinh_of(hol_interval x) { return hol_outward(sinh(x.lo), sinh(x.hi)); }
static hol_interval cosh_of(hol_interval x) { return hol_outward(cosh(hol_least(x)), cosh(hol_most(x))); }

HOL_ENCLOSE(hyperbolic_sine) { (void)count, *out = compose(x, sinh_of(x->v), cosh_of(x->v), 0); }
HOL_ENCLOSE(hyperbolic_cosine) { (void)count, *out = compose(x, cosh_of(x->v), sinh_of(x->v), 0); }
HOL_ENCLOSE(hyperbolic_tangent)
{
    (void)count;
    const hol_interval c = cosh_of(x->v);
    const double near = 1 / c.lo, far = 1 / c.hi;
    *out = compose(x, hol_outward(tanh(x->v.lo), tanh(x->v.hi)), hol_outward(far * far, near * near), 0);
}

HOL_ENCLOSE(square_root)
{
    (void)count;
    unsigned marks;
    const hol_interval in = inside(x, 0, (double)INFINITY, &marks);
    const double a = sqrt(in.lo), b = sqrt(in.hi);
    *out = compose(x, hol_outward(a, b), hol_outward(0.5 / b, 0.5 / a), marks);
}

HOL_ENCLOSE(exponential)
{
    (void)count;
    hol_interval y = hol_outward(exp(x->v.lo), exp(x->v.hi));
    y.lo = fmax(0, y.lo - HOL_INTERVAL_LEAST);
    y.hi += HOL_INTERVAL_LEAST;
    *out = compose(x, y, y, 0);
}

static hol_enclosure logarithm_of(const hol_enclosure *x, double (*log_of)(double), double factor)
{
    unsigned marks;
    const hol_interval in = inside(x, 0, (double)INFINITY, &marks);
    if (in.hi == 0) marks |= HOL_MARK_NONE;
    if (in.lo == 0) marks |= HOL_MARK_DOMAIN;
    return compose(x, hol_outward(log_of(in.lo), log_of(in.hi)), hol_outward(factor / in.hi, factor / in.lo),
                   marks);
}

static double natural(double x) { return log(x); }
static double decimal(double x) { return log10(x); }

HOL_ENCLOSE(logarithm) { (void)count, *out = logarithm_of(x, natural, 1); }
HOL_ENCLOSE(decimal_logarithm)
{
    (void)count, *out = logarithm_of(x, decimal, 0.434294481903251827651128918916605082);
}

// 1 or -1 by the sign of x, both if that is not decided.
static hol_interval sign_of(hol_interval x, unsigned *marks)
{
    *marks = same_sign(x) ? 0 : HOL_MARK_KINK;
    return (hol_interval){x.lo < 0 ? -1 : 1, x.hi < 0 || (*marks == 0 && x.lo < 0) ? -1 : 1};
}

HOL_ENCLOSE(magnitude)
{
    (void)count;
    unsigned marks;
    const hol_interval slope = sign_of(x->v, &marks);
    *out = compose(x, (hol_interval){hol_least(x->v), hol_most(x->v)}, slope, marks);
}

static hol_enclosure staircase(const hol_enclosure *x, double lo, double hi)
{
    return (hol_enclosure){{lo, hi}, {0, 0}, x->marks | (lo == hi ? 0 : HOL_MARK_KINK)};
}

HOL_ENCLOSE(round_down) { (void)count, *out = staircase(x, floor(x->v.lo), floor(x->v.hi)); }
HOL_ENCLOSE(round_up) { (void)count, *out = staircase(x, ceil(x->v.lo), ceil(x->v.hi)); }
HOL_ENCLOSE(round_near) { (void)count, *out = staircase(x, round(x->v.lo), round(x->v.hi)); }

// ---- operators and powers --------------------------------------------------------------------------------------

HOL_ENCLOSE(add) { (void)count, *out = plus(&x[0], &x[1]); }
HOL_ENCLOSE(subtract) { (void)count, *out = less(&x[0], &x[1]); }
HOL_ENCLOSE(multiply) { (void)count, *out = times(&x[0], &x[1]); }
HOL_ENCLOSE(divide) { (void)count, *out = over(&x[0], &x[1]); }
HOL_ENCLOSE(negate) { (void)count, *out = minus(&x[0]); }

// x^r for x >= 0; r < 0 is not finite at 0
static hol_interval positive_power(hol_interval x, double r)
{
    const double a = r == 0 ? 1 : pow(x.lo, r), b = r == 0 ? 1 : pow(x.hi, r);
    return hol_outward(fmin(a, b), fmax(a, b));
}

// x^r where that exists, for an exponent that is an integer or x >= 0. Repeated products of x are wrong by an ulp each.
static hol_interval power_of(hol_interval x, double r)
{
    const bool even = r / 2 == floor(r / 2);
    const hol_interval size = {hol_least(x), hol_most(x)};
    hol_interval y = positive_power(size, r);
    if (x.lo < 0 && !even) {
        const hol_interval up = positive_power((hol_interval){fmax(0, x.lo), fmax(0, x.hi)}, r),
                           down = positive_power((hol_interval){fmax(0, -x.hi), -x.lo}, r);
        y = x.hi <= 0 ? hol_minus(down) : r < 0 ? hol_whole : hol_hull(up, hol_minus(down));
    }
    return hol_loosen(y, 20);
}

// x^r; for a fraction x >= 0.
static hol_enclosure constant_power(const hol_enclosure *x, double r)
{
    const bool integer = r == floor(r);
    unsigned marks = 0;
    hol_enclosure in = *x;
    if (!integer) in.v = inside(x, 0, (double)INFINITY, &marks);
    if (r < 0 && hol_holds(in.v, 0)) marks |= hol_is_zero(in.v) ? HOL_MARK_NONE : HOL_MARK_POLE;
    if (!integer && in.v.lo == 0) marks |= HOL_MARK_KINK; // some derivative has no bound at 0
    const hol_interval slope = r == 0 ? hol_zero : hol_times((hol_interval){r, r}, power_of(in.v, r - 1));
    return compose(&in, power_of(in.v, r), slope, marks);
}

// exp(r log x) where the exponent varies
HOL_ENCLOSE(raise)
{
    hol_enclosure logarithm, exponent;
    if ((is_constant(&x[0]) && x[0].v.lo == 1) || vanishes(&x[1])) { // of anything, as pow() has it
        *out = hol_enclose_constant(1);
        return;
    }
    if (is_constant(&x[1])) {
        *out = constant_power(&x[0], x[1].v.lo);
        out->marks |= x[1].marks;
        return;
    }
    hol_enclose_logarithm(1, &x[0], &logarithm);
    exponent = times(&x[1], &logarithm);
    hol_enclose_exponential(count, &exponent, out);
    out->v = hol_loosen(out->v, 8);                              // pow() has more digits than this
    const bool at_zero = x[0].v.hi == 0 && !(x[1].v.hi < 0),     // 0 to a power above 0 is 0
        beyond = x[1].marks & HOL_MARK_KINK && !(x[0].v.lo > 0); // it may be a constant integer there
    if (at_zero || beyond)
        *out =
            (hol_enclosure){hol_whole, hol_whole, (out->marks & ~(unsigned)HOL_MARK_NONE) | HOL_MARK_DOMAIN};
}

// ---- several arguments -----------------------------------------------------------------------------------------

static hol_enclosure square(const hol_enclosure *x)
{
    const hol_interval two = {2, 2};
    return compose(x, hol_square(x->v), hol_times(two, x->v), 0);
}

void hol_enclose_norm(int count, const hol_enclosure *x, hol_enclosure *out)
{
    hol_interval q = hol_zero;
    *out = (hol_enclosure){.marks = 0};
    for (int i = 0; i < count; i++) q = hol_plus(q, hol_square(x[i].v));
    out->v = hol_outward(sqrt(q.lo), sqrt(q.hi));
    for (int i = 0; i < count; i++) {
        out->marks |= x[i].marks;
        const hol_interval part = hol_clip(hol_over(x[i].v, out->v), -1, 1);
        out->d = hol_plus(out->d, hol_times(part, x[i].d));
    }
    if (hol_holds(out->v, 0) && !hol_is_zero(out->v)) out->marks |= HOL_MARK_KINK;
}

// x^2/(sqrt(x^2 + w^2) + w)
HOL_ENCLOSE(smooth_magnitude)
{
    hol_enclosure length, product;
    hol_enclose_norm(count, x, &length);
    length.marks &= ~(unsigned)HOL_MARK_KINK | x[0].marks | x[1].marks;
    length = plus(&length, &x[1]);
    product = square(&x[0]);
    *out = over(&product, &length);
    if (x[1].v.lo > 0) out->v = hol_clip(out->v, 0, hol_most(x[0].v));
}

// Of a and b the larger one; undecided only where the two can cross.
static hol_enclosure larger_of(const hol_enclosure *a, const hol_enclosure *b)
{
    if (a->marks & HOL_MARK_NONE) return *a;
    if (b->marks & HOL_MARK_NONE) return *b;
    if (a->v.lo >= b->v.hi) return *a;
    if (b->v.lo > a->v.hi) return *b;
    hol_enclosure out = either(a, b);
    out.v.lo = fmax(a->v.lo, b->v.lo);
    if (vanishes(a) && vanishes(b)) out.marks = a->marks | b->marks;
    return out;
}

HOL_ENCLOSE(largest)
{
    *out = x[0];
    for (int i = 1; i < count; i++) *out = larger_of(out, &x[i]);
}

HOL_ENCLOSE(smallest)
{
    hol_enclosure most = minus(&x[0]);
    for (int i = 1; i < count; i++) {
        const hol_enclosure other = minus(&x[i]);
        most = larger_of(&most, &other);
    }
    *out = minus(&most);
}

// x - y*trunc(x/y)
HOL_ENCLOSE(remainder_of)
{
    (void)count;
    const hol_enclosure q = over(&x[0], &x[1]);
    const hol_enclosure n = staircase(&q, trunc(q.v.lo), trunc(q.v.hi)), part = times(&n, &x[1]);
    *out = less(&x[0], &part);
    if (!(n.marks & HOL_MARK_KINK)) return;
    const double most = hol_most(x[1].v);
    out->v = (hol_interval){x[0].v.lo < 0 ? -most : 0, x[0].v.hi > 0 ? most : 0};
}

// One of three values, or all that the sign of the first argument leaves possible.
HOL_ENCLOSE(branch)
{
    (void)count;
    const hol_interval s = x[0].v;
    bool first = true;
    const bool taken[3] = {s.lo<0, hol_holds(s, 0), s.hi> 0};
    *out = x[0];
    if (x[0].marks & HOL_MARK_NONE) return;
    for (int i = 0; i < 3; i++) {
        if (!taken[i]) continue;
        *out = first ? x[i + 1] : either(out, &x[i + 1]);
        first = false;
    }
    if (x[0].marks & ~(unsigned)HOL_MARK_KINK || !same_sign(s)) out->marks |= x[0].marks;
}

// The angle is monotonic in x and in y wherever the box holds neither the origin nor the cut x < 0, y = 0.
HOL_ENCLOSE(arctangent2)
{
    (void)count;
    const hol_interval y = x[0].v, r = x[1].v;
    const double corner[4] = {atan2(y.lo, r.lo), atan2(y.lo, r.hi), atan2(y.hi, r.lo), atan2(y.hi, r.hi)};
    const bool origin = hol_holds(y, 0) && hol_holds(r, 0), cut = y.lo < 0 && y.hi >= 0 && r.lo < 0;
    const hol_interval h2 = hol_plus(hol_square(y), hol_square(r));
    out->v = (hol_interval){-4, 4};
    if (!origin && !cut)
        out->v = hol_outward(fmin(fmin(corner[0], corner[1]), fmin(corner[2], corner[3])),
                             fmax(fmax(corner[0], corner[1]), fmax(corner[2], corner[3])));
    out->d = hol_over(hol_less(hol_times(r, x[0].d), hol_times(y, x[1].d)), h2);
    out->marks = x[0].marks | x[1].marks | (origin || cut ? HOL_MARK_KINK : 0) |
                 (hol_is_zero(y) && hol_is_zero(r) ? HOL_MARK_NONE
                  : origin                         ? HOL_MARK_DOMAIN
                                                   : 0);
}

// ---- ramps -------------------------------------------------------------------------------------------------------

// A profile that rises from 0 at 0 to 1 at 1, steepest in the middle.
typedef struct {
    double (*p)(double u), (*slope)(double u);
} profile;

static double cubic_p(double u) { return u * u * (3 - 2 * u); }
static double cubic_slope(double u) { return 6 * u * (1 - u); }
static double quintic_p(double u) { return u * u * u * (10 + u * (6 * u - 15)); }
static double quintic_slope(double u) { return 30 * u * u * (1 - u) * (1 - u); }
static double haversine_p(double u) { return (1 - cos(HOL_PI * u)) / 2; }
static double haversine_slope(double u) { return HOL_PI * sin(HOL_PI * u) / 2; }
static const profile cubic = {cubic_p, cubic_slope}, quintic = {quintic_p, quintic_slope},
                     haversine = {haversine_p, haversine_slope};

// Products of numbers up to 15 lose some digits against the result, which is at most 1: their rounding is added to it.
static hol_interval loosen(double lo, double hi)
{
    const double loose = 64 * DBL_EPSILON;
    return (hol_interval){fmax(0, lo - loose), hi + loose};
}

// The profile of u where that is in 0..1; beyond it goes on as a constant.
static hol_enclosure rise(const profile *f, const hol_enclosure *u)
{
    const hol_interval in = hol_clip(u->v, 0, 1);
    const double a = f->slope(in.lo), b = f->slope(in.hi);
    const double most = hol_holds(in, 0.5) ? f->slope(0.5) : fmax(a, b);
    return compose(u, loosen(f->p(in.lo), f->p(in.hi)), loosen(fmin(a, b), most), 0);
}

// Before, on, and after the ramp; where that is not decided, all that may be.
static void ramp(const hol_enclosure *x, const profile *f, hol_enclosure *out)
{
    if (x[0].marks & HOL_MARK_NONE) {
        *out = x[0];
        return;
    }
    const bool before = x[0].v.hi <= x[1].v.lo, after = x[0].v.lo > x[1].v.hi;
    if (before || (after && x[0].v.lo >= x[3].v.hi)) {
        *out = before ? x[2] : x[4];
        return;
    }
    const hol_enclosure a = less(&x[0], &x[1]), b = less(&x[3], &x[1]), u = over(&a, &b), p = rise(f, &u),
                        height = less(&x[4], &x[2]), part = times(&height, &p);
    *out = plus(&x[2], &part);
    if (!after) *out = either(out, &x[2]);
    if (x[0].v.hi >= x[3].v.lo) *out = either(out, &x[4]);
}

HOL_ENCLOSE(step) { (void)count, ramp(x, &cubic, out); }
HOL_ENCLOSE(step5) { (void)count, ramp(x, &quintic, out); }
HOL_ENCLOSE(havsin) { (void)count, ramp(x, &haversine, out); }

// ---- contact -------------------------------------------------------------------------------------------------------

// As `contact` in functions.c, with a depth that is not negative. law: k, e, cmax, d
static hol_enclosure contact(const hol_enclosure *depth, const hol_enclosure *rate, const hol_enclosure *law)
{
    hol_enclosure push, damping = times(&law[2], rate);
    if (!(depth->v.lo >= law[3].v.hi)) {
        const hol_enclosure u = over(depth, &law[3]), p = rise(&cubic, &u), part = times(&damping, &p);
        damping = depth->v.hi < law[3].v.lo ? part : either(&part, &damping);
    }
    const hol_enclosure both[2] = {*depth, law[1]};
    hol_enclose_raise(2, both, &push);
    push = times(&law[0], &push);
    push = plus(&push, &damping);
    if (push.v.lo >= 0 || push.marks & HOL_MARK_NONE) return push;
    const hol_enclosure nothing = hol_enclose_constant(0);
    return push.v.hi < 0 ? nothing : larger_of(&push, &nothing);
}

// The force where the depth is positive, else nothing.
static hol_enclosure press(const hol_enclosure *depth, const hol_enclosure *rate, const hol_enclosure *law)
{
    const hol_enclosure nothing = hol_enclose_constant(0);
    hol_enclosure in = *depth;
    if (depth->v.hi <= 0) return nothing;
    in.v.lo = fmax(0, in.v.lo);
    const hol_enclosure force = contact(&in, rate, law);
    return depth->v.lo > 0 ? force : either(&force, &nothing);
}

// x, xdot, x1, k, e, cmax, d
HOL_ENCLOSE(impact)
{
    (void)count;
    const hol_enclosure depth = less(&x[2], &x[0]), rate = minus(&x[1]);
    *out = press(&depth, &rate, x + 3);
}

// x, xdot, x1, x2, k, e, cmax, d
HOL_ENCLOSE(bistop)
{
    (void)count;
    const hol_enclosure low = less(&x[2], &x[0]), rate = minus(&x[1]), high = less(&x[0], &x[3]);
    const hol_enclosure up = press(&low, &rate, x + 4), down = press(&high, &x[1], x + 4);
    *out = less(&up, &down);
    if (low.v.hi > 0 && high.v.hi > 0) *out = either(out, &up); // x2 < x1: the lower stop goes first
}

// ---- series ----------------------------------------------------------------------------------------------------------

HOL_ENCLOSE(polynomial)
{
    const hol_enclosure d = less(&x[0], &x[1]);
    *out = x[count - 1];
    for (int i = count - 2; i >= 2; i--) {
        const hol_enclosure product = times(out, &d);
        *out = plus(&product, &x[i]);
    }
}

// a0 + sum_j a_j wave(j omega (x - x0))
static void fourier(int count, const hol_enclosure *x, bool cosines, hol_enclosure *out)
{
    const hol_enclosure d = less(&x[0], &x[1]), phase = times(&d, &x[2]);
    *out = x[3];
    for (int j = 1; j < count - 3; j++) {
        const hol_enclosure whole = hol_enclose_constant(j), a = times(&whole, &phase);
        hol_enclosure wave;
        (cosines ? hol_enclose_cosine : hol_enclose_sine)(1, &a, &wave);
        wave = times(&x[3 + j], &wave);
        *out = plus(out, &wave);
    }
}

HOL_ENCLOSE(fourier_sine) { fourier(count, x, false, out); }
HOL_ENCLOSE(fourier_cosine) { fourier(count, x, true, out); }

// x, x0, a, w, phi, b: a sin(w (x - x0) - phi) + b
HOL_ENCLOSE(harmonic)
{
    hol_enclosure wave, a = less(&x[0], &x[1]);
    a = times(&x[3], &a);
    a = less(&a, &x[4]);
    hol_enclose_sine(count, &a, &wave);
    wave = times(&x[2], &wave);
    *out = plus(&wave, &x[5]);
}

// ---- the program -------------------------------------------------------------------------------------------------

static hol_enclosure table_at(const hol_op *op, const hol_enclosure *x)
{
    hol_interval f, slope;
    const bool kinks = hol_spline_enclose(op->table, op->derivative, x->v, &f, &slope);
    return compose(x, f, slope, kinks && !is_constant(x) ? HOL_MARK_KINK : 0);
}

#define OVERFLOWS 1e150 // slopes of less have a bound, but for edges of functions

// May a slope have no bound where those of the arguments have one, and nothing is large?
static bool is_steep(int count, const hol_enclosure *x, const hol_enclosure *out)
{
    bool bounded = true;
    for (int i = 0; i < count; i++)
        bounded = bounded && isfinite(hol_most(x[i].d)) && hol_most(x[i].v) < OVERFLOWS;
    return bounded && hol_most(out->v) < OVERFLOWS && isinf(hol_most(out->d));
}

// A function of what has no value has none, except a branch that is not taken. What overflows grows without bound. Where a slope may have
// no bound there may be a kink: (x^2)^0.5.
static void call(const hol_op *op, const hol_enclosure *x, hol_enclosure *out)
{
    if (op->table)
        *out = table_at(op, x);
    else
        op->fn->enclose(op->count, x, out);
    if (out->v.lo >= DBL_MAX || out->v.hi <= -DBL_MAX) out->marks |= HOL_MARK_NONE;
    if (out->v.lo > LARGEST || out->v.hi < -LARGEST) out->marks |= HOL_MARK_LARGE;
    if (!(fabs(out->v.lo) <= DBL_MAX && fabs(out->v.hi) <= DBL_MAX) &&
        !(out->marks & ~(unsigned)HOL_MARK_KINK))
        out->marks |= HOL_MARK_POLE;
    if (!out->marks && is_steep(op->count, x, out)) out->marks |= HOL_MARK_KINK;
    if (out->marks & HOL_MARK_NONE) out->v = out->d = hol_whole;
}

void hol_expr_enclose(const hol_expr *e, const hol_enclosure *time, const hol_enclosure *const *leaf,
                      hol_enclosure *out)
{
    hol_enclosure stack[HOL_STACK], result;
    const hol_enclosure scale = hol_enclose_constant(e->scale);
    int top = 0;
    for (int i = 0; i < e->n; i++) {
        const hol_op *op = &e->op[i];
        switch (op->kind) {
        case HOL_OP_NUMBER: stack[top] = hol_enclose_constant(op->number); break;
        case HOL_OP_TIME: stack[top] = *time; break;
        case HOL_OP_LEAF: stack[top] = *leaf[op->leaf]; break;
        case HOL_OP_CALL:
            top -= op->count;
            call(op, &stack[top], &result);
            stack[top] = result;
        }
        top++;
    }
    *out = e->scale == 1 ? stack[0] : times(&scale, &stack[0]);
}
