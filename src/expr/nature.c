// What is known of the dimension of a result (hol_nature), from what is known of the arguments.
//
// A dimension is held against another only where a unit was written on one side and both are known: who writes no unit
// computes in SI and is not asked. The time counts as its number of seconds too, a measured angle as a number.
#include "expr/program.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH, MASS, TIME, ANGLE, N_POWERS };
enum {
    PASSED_ON = HOL_NATURE_PLAIN | HOL_NATURE_BARE | HOL_NATURE_LOOSE | HOL_NATURE_ANY_ANGLE |
                HOL_NATURE_ANY_TIME | HOL_NATURE_CYCLES | HOL_NATURE_MIXED | HOL_NATURE_PI |
                HOL_NATURE_MINUTES,
    SHOWN = 100
};

static bool is_pure(const hol_nature *a)
{
    for (int i = 0; i < N_POWERS; i++)
        if (a->dimension.power[i]) return false;
    return true;
}

static bool written(const hol_nature *a) { return a->flags & HOL_NATURE_UNIT; }

// A number in SI for certain.
static bool in_si(const hol_nature *a) { return a->flags & (HOL_NATURE_UNIT | HOL_NATURE_ANGLE); }

// A number without any unit and dimension.
static bool is_number(const hol_nature *a) { return !in_si(a) && is_pure(a); }

// Could both be of one dimension? Without any angle stands for radians.
static bool agree(const hol_nature *a, const hol_nature *b)
{
    const unsigned any = a->flags | b->flags;
    const int *p = a->dimension.power, *q = b->dimension.power;
    if (any & (HOL_NATURE_LOOSE | HOL_NATURE_PLAIN)) return true;
    if (p[LENGTH] != q[LENGTH] || p[MASS] != q[MASS]) return false;
    if (p[TIME] != q[TIME] && !(any & HOL_NATURE_ANY_TIME)) return false;
    return p[ANGLE] == q[ANGLE] || !p[ANGLE] || !q[ANGLE] || any & HOL_NATURE_ANY_ANGLE;
}

bool hol_nature_turns(const hol_nature *a)
{
    return a->flags & HOL_NATURE_CYCLES && !(a->flags & (HOL_NATURE_PI | HOL_NATURE_ANY_ANGLE)) &&
           !a->dimension.power[ANGLE];
}

static const char turn_or_radian[] =
    "Hz, 1/min or 1/h in an angle: a turn or a radian? write rpm, rev/s or rad/s, or 2*pi times it";

static bool has_no_extent(const hol_nature *a)
{
    return !a->dimension.power[LENGTH] && !a->dimension.power[MASS];
}

// Beside b, is a such a rate where turns and radians differ? Beside an angle or its rate, or times a unit with 1/rad.
static bool turns_beside(const hol_nature *a, const hol_nature *b)
{
    const bool angle = b->flags & (HOL_NATURE_ANGLE | HOL_NATURE_ANY_ANGLE) || b->dimension.power[ANGLE];
    hol_nature without = *a;
    if (a->flags & HOL_NATURE_LOOSE || !angle) return false;
    if (a->dimension.power[ANGLE] < 0) without.dimension.power[ANGLE] = 0;
    return hol_nature_turns(&without) &&
           (has_no_extent(a) || (a->dimension.power[ANGLE] < 0 &&
                                 (!b->dimension.power[ANGLE] || b->flags & HOL_NATURE_ANY_ANGLE)));
}

// The time and measured angles count as numbers, but they are not called so.
static const char *show(const hol_nature *x, char text[SHOWN])
{
    hol_dimension_print(&x->dimension, text, SHOWN);
    if (written(x) || !is_pure(x)) return text;
    if (x->flags & HOL_NATURE_ANY_TIME) return "what is made of the time";
    return x->flags & HOL_NATURE_ANY_ANGLE ? "what is made of an angle" : text;
}

static const char *two_dimensions(hol_builder *b, const hol_nature *x, const hol_nature *y)
{
    char text[2][SHOWN];
    const char *first = show(x, text[0]), *second = show(y, text[1]);
    const bool number = (is_number(x) && first == text[0]) || (is_number(y) && second == text[1]);
    return hol_arena_print(b->arena, "%s and %s stand side by side here; %s", first, second,
                           number ? "give the number its unit" : "they must be of one dimension");
}

// Values that stand side by side: sums, comparisons, branches. The number 0 fits everywhere.
static const char *same(hol_builder *b, int n, const hol_nature *x, hol_nature *out)
{
    *out = x[0];
    for (int i = 1; i < n; i++) {
        if (x[i].flags & HOL_NATURE_ZERO) continue;
        if (out->flags & HOL_NATURE_ZERO) {
            *out = x[i];
            continue;
        }
        if (turns_beside(out, &x[i]) || turns_beside(&x[i], out)) return turn_or_radian;
        const bool turns = hol_nature_turns(out) || hol_nature_turns(&x[i]);
        const bool hard = written(out) || written(&x[i]);
        if (hard && !agree(out, &x[i])) return two_dimensions(b, out, &x[i]);
        const bool unlike = memcmp(&out->dimension, &x[i].dimension, sizeof out->dimension) != 0;
        const bool mixed = in_si(out) != in_si(&x[i]) && (is_number(out) || is_number(&x[i]));
        if (!written(out) && (written(&x[i]) || is_pure(out))) out->dimension = x[i].dimension;
        if (written(out) && written(&x[i]) && !out->dimension.power[ANGLE])
            out->dimension.power[ANGLE] = x[i].dimension.power[ANGLE];
        out->flags |= x[i].flags;
        if (turns) out->flags &= ~(unsigned)HOL_NATURE_PI; // pi elsewhere in a sum does not make turns clear
        if (!hard && unlike) out->flags |= HOL_NATURE_LOOSE;
        if (mixed) out->flags |= HOL_NATURE_MIXED;
    }
    return NULL;
}

// Of x times y, or x by y.
static void product(const hol_nature *x, const hol_nature *y, int sign, hol_nature *out)
{
    out->flags = (x->flags | y->flags) & ~(unsigned)HOL_NATURE_ZERO;
    for (int i = 0; i < N_POWERS; i++) {
        const long long p = x->dimension.power[i] + (long long)sign * y->dimension.power[i];
        const bool fits = llabs(p) <= INT_MAX / 2;
        out->dimension.power[i] = fits ? (int)p : 0;
        if (!fits) out->flags |= HOL_NATURE_LOOSE;
    }
    if (sign < 0 && y->flags & HOL_NATURE_MINUTES && has_no_extent(x)) out->flags |= HOL_NATURE_CYCLES;
    // a factor such as 50 may have any unit where nothing else has one: 50*VX(a) is a force
    const bool factor = is_number(x) != is_number(y) && (x->flags | y->flags) & HOL_NATURE_BARE;
    if (!written(out) && factor && !is_pure(out)) out->flags |= HOL_NATURE_LOOSE;
}

// Dimension of x to a constant power; NULL, or why that has no dimension that can be written.
static const char *raise(hol_builder *b, const hol_nature *x, double exponent, hol_nature *out)
{
    char text[SHOWN];
    *out = *x;
    for (int i = 0; i < N_POWERS; i++) {
        const double p = x->dimension.power[i] * exponent;
        if (fabs(p) <= 20 * HOL_POWER_ONE && fabs(p - rint(p)) < HOL_POWER_ROUNDING) {
            out->dimension.power[i] = (int)rint(p);
            continue;
        }
        out->flags |= HOL_NATURE_LOOSE;
        if (!written(x) || x->flags & HOL_NATURE_LOOSE) continue;
        hol_dimension_print(&x->dimension, text, sizeof text);
        return hol_arena_print(
            b->arena,
            "the power %.6g of %s has no dimension that can be written; exponents are fractions with a "
            "denominator of at most 10, or 12, or decimals of two digits, and at most 20",
            exponent, text);
    }
    return NULL;
}

static const char exponent_has_unit[] = "an exponent is a pure number, here it has a unit";

// Dimension of x[0]^x[1]; NULL, or the rule that is broken.
static const char *power(hol_builder *b, const hol_nature *x, hol_nature *out)
{
    const hol_op *top = &b->op[b->n - 1];
    const bool constant = top->kind == HOL_OP_NUMBER && !top->bad;
    if (written(&x[1]) && !is_pure(&x[1]) && !(x[1].flags & HOL_NATURE_LOOSE)) return exponent_has_unit;
    if (constant) return raise(b, x, top->number, out);
    *out = x[0];
    out->flags |= HOL_NATURE_LOOSE;
    if (!written(x) || is_pure(x) || x->flags & HOL_NATURE_LOOSE) return NULL;
    return "a quantity with a unit has constant powers only; divide it by its unit first";
}

// A number or an angle is wanted; of measures and of what is not known anything.
static const char *pure(hol_builder *b, const hol_op *op, const hol_nature *x, hol_nature *out)
{
    static const hol_nature number = {.flags = 0};
    hol_nature turned = *x;
    char text[SHOWN];
    if (op->fn->rules & HOL_RULE_ANGLE_IN && hol_nature_turns(x)) return turn_or_radian;
    turned.dimension.power[ANGLE] = 0;
    *out = (hol_nature){.flags = x->flags & (HOL_NATURE_BARE | HOL_NATURE_PLAIN) ? HOL_NATURE_BARE : 0};
    const bool angle = (op->fn->rules & HOL_RULE_ANGLE_IN) || x->dimension.power[ANGLE] == 0 ||
                       x->flags & HOL_NATURE_ANY_ANGLE;
    if (!written(x) || (agree(&turned, &number) && angle)) return NULL;
    hol_dimension_print(&x->dimension, text, sizeof text);
    return hol_arena_print(b->arena, "%s of %s: it takes %s", op->fn->name, text,
                           op->fn->rules & HOL_RULE_ANGLE_IN ? "an angle" : "a pure number");
}

// (x, x0, h0, x1, h1)
static const char *ramp(hol_builder *b, const hol_nature *x, hol_nature *out)
{
    const hol_nature at[] = {x[0], x[1], x[3]}, height[] = {x[2], x[4]};
    const char *why = same(b, 3, at, out);
    return why ? why : same(b, 2, height, out);
}

// a0 + a1 (x - x0) + ..: (x, x0, a0, a1, ..)
static const char *polynomial(hol_builder *b, int n, const hol_nature *x, hol_nature *out)
{
    hol_nature way, power = {.flags = 0};
    const char *why = same(b, 2, x, &way);
    way.flags &= ~(unsigned)HOL_NATURE_ZERO;
    *out = x[2];
    for (int i = 3; i < n && !why; i++) {
        hol_nature both[2] = {*out}, last = power;
        product(&last, &way, 1, &power);
        if (x[i].flags & HOL_NATURE_ZERO) continue;
        product(&x[i], &power, 1, &both[1]);
        why = same(b, 2, both, out);
    }
    return why;
}

// The argument of a sine inside a function: an angle or a number.
static const char *phase(hol_builder *b, const hol_op *op, const char *what, const hol_nature *x)
{
    static const hol_nature number = {.flags = 0};
    hol_nature turned = *x;
    char text[SHOWN];
    if (hol_nature_turns(x)) return turn_or_radian;
    turned.dimension.power[ANGLE] = 0;
    if (!written(x) || x->flags & HOL_NATURE_ZERO || agree(&turned, &number)) return NULL;
    hol_dimension_print(&x->dimension, text, sizeof text);
    return hol_arena_print(b->arena, "%s(%s): %s is an angle, here it is %s", op->fn->name, op->fn->arguments,
                           what, text);
}

// Sines of w (x - x0): (x, x0, w, a0, a1, ..) or, harmonic, (x, x0, a, w, phi, b)
static const char *waves(hol_builder *b, const hol_op *op, const hol_nature *x, bool harmonic,
                         hol_nature *out)
{
    const int n = op->count;
    const hol_nature height[] = {x[2], x[n - 1]}, *w = &x[harmonic ? 3 : 2];
    hol_nature angle[2] = {{.flags = 0}, {.flags = HOL_NATURE_ZERO}}, way;
    const char *why = same(b, 2, x, &way);
    product(w, &way, 1, &angle[0]);
    if (harmonic) angle[1] = x[4];
    if (w->flags & HOL_NATURE_ZERO) angle[0] = *w;
    if (!why) why = phase(b, op, "w*(x - x0)", &angle[0]);
    if (!why) why = phase(b, op, "phi", &angle[1]);
    if (why) return why;
    return harmonic ? same(b, 2, height, out) : same(b, n - 3, x + 3, out);
}

// Is the dimension known for certain? Plain numbers may stand for anything.
static bool is_known(const hol_nature *a)
{
    const unsigned doubt = HOL_NATURE_LOOSE | HOL_NATURE_PLAIN | HOL_NATURE_ZERO;
    return !(a->flags & doubt) && (!is_number(a) || a->flags & HOL_NATURE_ANY_ANGLE);
}

// The first whose dimension is known, else one of unknown dimension.
static hol_nature first_known(int n, const hol_nature *x)
{
    for (int i = 0; i < n; i++)
        if (is_known(&x[i])) return x[i];
    return (hol_nature){.flags = HOL_NATURE_LOOSE};
}

static hol_nature known_product(const hol_nature *x, const hol_nature *y)
{
    hol_nature out = {.flags = HOL_NATURE_LOOSE};
    if (is_known(x) && is_known(y)) product(x, y, 1, &out);
    return out;
}

// The constant that argument i of n gives; NaN: it varies. All of them are the last instructions.
static double constant_argument(const hol_builder *b, int n, int i)
{
    int at = b->n;
    for (int k = n; k > i; k--)
        for (int open = 1; open > 0 && at > 0;) {
            const hol_op *op = &b->op[--at];
            open += (op->kind == HOL_OP_CALL ? op->count : 0) - 1;
        }
    const hol_op *op = &b->op[at];
    return op->kind == HOL_OP_NUMBER && !op->bad ? op->number : (double)NAN;
}

static bool has_fractions(const hol_nature *x)
{
    for (int i = 0; i < N_POWERS; i++)
        if (x->dimension.power[i] % HOL_POWER_ONE != 0) return true;
    return false;
}

// k*depth^e and cmax*speed are of one dimension, and without the second the first has no fractions. What is wrong is mostly k:
// with an exponent of 1.5 no stiffness in N/mm fits.
static const char *stiffness_fits(hol_builder *b, const hol_op *op, double e, const hol_nature *k,
                                  const hol_nature *depth, const hol_nature *spring, const hol_nature *damper)
{
    char given[SHOWN], wanted[SHOWN], made[SHOWN];
    const char *name = op->fn->name, *example = depth->dimension.power[LENGTH] ? "N/m" : "N m/rad";
    if (!written(k) || !is_known(k) || !is_known(depth)) return NULL;
    if (spring->flags & HOL_NATURE_LOOSE)
        return hol_arena_print(b->arena,
                               "%s: no unit of k fits the exponent %.6g, exponents of units are fractions "
                               "with a denominator of at most 10, or 12, or decimals of two digits; write k "
                               "as a plain number, in SI units",
                               name, e);
    const bool both = is_known(damper);
    if (both ? agree(spring, damper) : !has_fractions(spring) || has_fractions(depth)) return NULL;
    hol_dimension_print(&k->dimension, given, sizeof given);
    hol_dimension_print(&spring->dimension, made, sizeof made);
    hol_dimension_print(&damper->dimension, wanted, sizeof wanted);
    return hol_arena_print(
        b->arena,
        "%s: k is %s, so k*depth^%.6g is %s%s%s; with an exponent of %.6g k is a force per "
        "depth^%.6g, as in %s^%.6g",
        name, given, e, made, both ? ", and cmax*xdot is " : "", both ? wanted : "", e, e, example, e);
}

// A plain number beside quantities: it is in SI, which a reader of a file with units of its own is told.
static unsigned plain_beside(int n, const hol_nature *x, int exponent)
{
    unsigned plain = 0;
    for (int i = 0; i < n; i++)
        if (i != exponent && !written(&x[i])) plain |= x[i].flags & (HOL_NATURE_BARE | HOL_NATURE_PLAIN);
    return plain ? HOL_NATURE_BARE | HOL_NATURE_MIXED : 0;
}

// depth^e for a constant e. No exponent is refused: a plain k fits every one.
static hol_nature depth_raised(hol_builder *b, const hol_nature *depth, double e)
{
    hol_nature quiet = *depth, out = {.flags = HOL_NATURE_LOOSE};
    quiet.flags &= ~(unsigned)HOL_NATURE_UNIT;
    if (is_known(depth) && !isnan(e)) raise(b, &quiet, e, &out);
    return out;
}

// (x, xdot, x1, k, e, cmax, d), or with x2 behind x1
static const char *contact(hol_builder *b, const hol_op *op, const hol_nature *x, hol_nature *out)
{
    const int n = op->count, k = n - 4, e = n - 3, cmax = n - 2, d = n - 1;
    const hol_nature second = {.dimension = {{0, 0, HOL_POWER_ONE, 0}}};
    const hol_nature place[] = {x[0], x[2], x[k - 1], x[d]}, depth = first_known(HOL_COUNT(place), place);
    const double exponent = constant_argument(b, n, e);
    hol_nature ignored, rate[2] = {x[1]};
    product(&depth, &second, -1, &rate[1]);
    const char *why = same(b, HOL_COUNT(place), place, &ignored);
    if (!why) why = same(b, 2, rate, &ignored);
    if (!why && written(&x[e]) && is_known(&x[e]) && !is_pure(&x[e])) why = exponent_has_unit;
    if (why) return why;
    const hol_nature raised = depth_raised(b, &depth, exponent), speed = first_known(2, rate);
    const hol_nature term[] = {known_product(&x[k], &raised), known_product(&x[cmax], &speed)};
    const hol_nature sum = first_known(2, term);
    if (!isnan(exponent)) why = stiffness_fits(b, op, exponent, &x[k], &depth, &term[0], &term[1]);
    if (is_known(&sum)) *out = sum;
    out->flags &= is_known(&sum) ? ~0U : ~(unsigned)HOL_NATURE_CYCLES;
    out->flags |= plain_beside(n, x, e);
    return why;
}

// x of a table, and what it gives, where its columns have units.
static const char *table(hol_builder *b, const hol_op *op, const hol_nature *x, hol_nature *out)
{
    const hol_table *t = op->named;
    hol_nature both[2] = {*x, {.dimension = t->dimension[0], .flags = HOL_NATURE_UNIT}}, ignored;
    const unsigned measured = HOL_NATURE_ANY_TIME | HOL_NATURE_ANY_ANGLE | HOL_NATURE_LOOSE;
    const bool beside =
        !t->si[0] && (!is_number(x) || x->flags & measured); // plain abscissae: they are in SI
    const char *why = t->si[0] ? same(b, 2, both, &ignored) : NULL;
    *out = (hol_nature){.flags = HOL_NATURE_PLAIN | (x->flags & HOL_NATURE_BARE)};
    if (why || !t->si[1] || (op->derivative && !t->si[0])) return why;
    *out = (hol_nature){.dimension = t->dimension[1],
                        .flags = HOL_NATURE_UNIT | (t->cycles[1] ? HOL_NATURE_CYCLES : 0) |
                                 (beside ? HOL_NATURE_BARE | HOL_NATURE_MIXED : 0)};
    for (int i = 0; i < N_POWERS && op->derivative; i++)
        out->dimension.power[i] = out->dimension.power[i] - op->derivative * t->dimension[0].power[i];
    return NULL;
}

// By the rule of the function.
static const char *by_rule(hol_builder *b, const hol_op *op, const hol_nature *x, hol_nature *out)
{
    const int n = op->count;
    if (op->table) return table(b, op, x, out);
    if (op->fn->rules & HOL_RULE_RAMP) return ramp(b, x, out);
    if (op->fn->rules & HOL_RULE_BRANCH) return same(b, n - 1, x + 1, out);
    switch (op->fn->rules & HOL_NATURE_RULE) {
    case HOL_RULE_SAME: return same(b, n, x, out);
    case HOL_RULE_PRODUCT: product(&x[0], &x[1], 1, out); return NULL;
    case HOL_RULE_QUOTIENT: product(&x[0], &x[1], -1, out); return NULL;
    case HOL_RULE_POWER: return power(b, x, out);
    case HOL_RULE_ROOT: return raise(b, x, 0.5, out);
    case HOL_RULE_PURE: return pure(b, op, x, out);
    case HOL_RULE_ARC: {
        const char *why = n > 1 ? same(b, n, x, out) : pure(b, op, x, out);
        *out = (hol_nature){.flags = HOL_NATURE_ANGLE};
        return why;
    }
    case HOL_RULE_POLYNOMIAL: return polynomial(b, n, x, out);
    case HOL_RULE_FOURIER: return waves(b, op, x, false, out);
    case HOL_RULE_HARMONIC: return waves(b, op, x, true, out);
    case HOL_RULE_IMPACT: return contact(b, op, x, out);
    default: out->flags &= ~(unsigned)HOL_NATURE_CYCLES; return NULL; // the result is not known
    }
}

const char *hol_nature_call(hol_builder *b, const hol_op *op, hol_nature *out)
{
    const int n = op->count, first = b->depth - n;
    const hol_nature *x = &b->nature[first];
    unsigned homes = 0;
    *out = (hol_nature){.flags = HOL_NATURE_LOOSE};
    if (first < 0) return NULL;
    for (int i = 0; i < n; i++) out->flags |= x[i].flags & (unsigned)PASSED_ON;
    for (int i = 0; i < n; i++) homes |= x[i].flags & (unsigned)HOL_NATURE_HOMES;
    const char *why = by_rule(b, op, x, out);
    out->flags |= homes;
    return why;
}
