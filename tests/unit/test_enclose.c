// Enclosures of functions of time: a battery over the table of functions, in which values, derivatives and jumps at random times
// lie in the enclosures of random intervals, without a list of functions by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "expr/enclose.h"
#include "expr/function.h"
#include "expr/spline.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hol_context *ctx;
static hol_arena *arena;
static uint64_t dice = 20240917;

// A number in 0..1 (xorshift64*).
static double random01(void)
{
    dice ^= dice >> 12;
    dice ^= dice << 25;
    dice ^= dice >> 27;
    return (double)(dice * 2685821657736338717u >> 11) / 9007199254740992.0;
}

static double between(double lo, double hi) { return lo + (hi - lo) * random01(); }

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

// ---- random expressions ------------------------------------------------------------------------------------------

enum { NODES = 7 };
static const double node_x[NODES] = {-1.3, -0.6, 0.1, 0.4, 0.55, 1.03, 1.9},
                    node_y[NODES] = {0.2, 0.9, -0.3, 0.5, 0.4, 1.1, -0.7};

static const hol_table *find_table(void *user, const hol_leaf_text *name)
{
    static const struct {
        const char *name;
        hol_spline_kind kind;
    } tables[] = {{"lines", HOL_SPLINE_LINEAR}, {"smooth", HOL_SPLINE_CUBIC}, {"akima", HOL_SPLINE_AKIMA}};
    hol_table *t = hol_arena_alloc(arena, 1, sizeof *t);
    (void)user;
    for (int i = 0; i < HOL_COUNT(tables); i++)
        if (strlen(tables[i].name) == name->length && !strncmp(tables[i].name, name->text, name->length))
            t->spline = hol_spline_create(arena, tables[i].kind, NODES, node_x, node_y);
    return t;
}

static int find_leaf(void *user, const hol_leaf_call *call)
{
    (void)user;
    (void)call;
    return HOL_LEAF_UNKNOWN;
}

static void no_names(void *user, hol_nearest *nearest)
{
    (void)user;
    (void)nearest;
}

static const hol_leaves leaves = {find_leaf, find_table, no_names, NULL, NULL};

// A function of time, or a constant, of a size that suits most functions.
static void put_argument(char *text, size_t size, bool constant)
{
    const double a = between(-2, 2), b = between(-2, 2);
    switch (constant ? 0 : (int)between(0, 6)) {
    case 0: snprintf(text, size, "(%.17g)", constant && random01() < 0.3 ? floor(3 * a) : a); break;
    case 1: snprintf(text, size, "(%.17g + %.17g*time)", a, b); break;
    case 2: snprintf(text, size, "sin(%.17g + %.17g*time)", a, 3 * b); break;
    case 3: snprintf(text, size, "(%.17g*time)^2", b); break;
    case 4: snprintf(text, size, "exp(%.17g - %.17g*time)", a, b); break;
    default: snprintf(text, size, "time");
    }
}

// A call of the function; what the parser refuses is tried anew.
static void put_call(char *text, size_t size, const hol_expr_doc *f, bool all_constant)
{
    const hol_function *fn = hol_function_find(f->name, strlen(f->name));
    const int more = fn->max_args > fn->min_args ? (int)between(0, 3) : 0;
    const int count = fn->min_args + (fn->max_args < fn->min_args + more ? 0 : more);
    static const char *const table[] = {"lines", "smooth", "akima"};
    char argument[120];
    const bool constant = all_constant || (fn->rules & HOL_RULE_CONSTANT);
    put_argument(argument, sizeof argument, constant);
    size_t n = (size_t)snprintf(text, size, "%s(%s", f->name, argument);
    if (fn->rules & HOL_RULE_TABLE) {
        const bool zero = strstr(fn->arguments, " 0,") != NULL;
        snprintf(text + n, size - n, "%s, %s, %d)", zero ? ", 0" : "", table[(int)between(0, 3)],
                 (int)between(0, 3));
        return;
    }
    for (int i = 1; i < count; i++) {
        put_argument(argument, sizeof argument, constant || random01() < 0.5);
        n += (size_t)snprintf(text + n, size - n, "%s%s",
                              i == 1 && (fn->rules & HOL_RULE_BRANCH) ? ": " : ", ", argument);
    }
    snprintf(text + n, size - n, ")");
}

static const hol_expr *parse(const char *text)
{
    const hol_units si = {1, 1, 1, 1, 1, 0};
    const hol_expr *e;
    hol_context_clear(ctx);
    hol_expr_parse_leaves(ctx, arena, text, (hol_src){0}, NULL, &si, &leaves, &e);
    return e;
}

// ---- the battery ---------------------------------------------------------------------------------------------------

static bool lies_in(hol_interval a, double x)
{
    const double loose = 1e-11 * fabs(x); // of derivatives, which the jets find in another order
    return a.lo - loose <= x && x <= a.hi + loose;
}

// What rounding can do to a value at a time.
static double noise_at(const hol_expr *e, double t)
{
    const hol_enclosure time = {{t, t}, {1, 1}, 0};
    hol_enclosure c;
    hol_expr_enclose(e, &time, NULL, &c);
    return c.v.hi - c.v.lo;
}

// Looks at random times of the interval; how many values there were.
static int compare(const char *text, const hol_expr *e, hol_interval cell)
{
    enum { LOOKS = 12 };
    const hol_enclosure time = {cell, {1, 1}, 0};
    hol_enclosure c;
    double last = (double)NAN, last_t = 0;
    int finite = 0;
    hol_expr_enclose(e, &time, NULL, &c);
    for (int i = 0; i < LOOKS; i++) {
        const double t = i == 0 ? cell.lo : i == 1 ? cell.hi : between(cell.lo, cell.hi);
        double y[4];
        hol_expr_jet(e, t, y);
        if (!isfinite(y[0])) {
            if (c.marks & (HOL_MARK_POLE | HOL_MARK_DOMAIN | HOL_MARK_NONE | HOL_MARK_LARGE)) continue;
            fail_msg("%s at %.17g: %g, and nothing was marked", text, t, y[0]);
        }
        finite++;
        if (c.marks & HOL_MARK_NONE)
            fail_msg("%s at %.17g in [%.17g, %.17g]: %g, and there should be no value", text, t, cell.lo,
                     cell.hi, y[0]);
        if (!(c.v.lo <= y[0] && y[0] <= c.v.hi))
            fail_msg("%s at %.17g in [%.17g, %.17g]: %.17g is not in [%.17g, %.17g]", text, t, cell.lo,
                     cell.hi, y[0], c.v.lo, c.v.hi);
        if (isfinite(y[1]) && !lies_in(c.d, y[1]))
            fail_msg("%s at %.17g in [%.17g, %.17g]: the derivative %.17g is not in [%.17g, %.17g]", text, t,
                     cell.lo, cell.hi, y[1], c.d.lo, c.d.hi);
        // without a mark it does not jump: the mean value theorem holds
        const double rise = y[0] - last, loose = noise_at(e, t) + noise_at(e, last_t);
        if (c.marks == 0 && i > 0 && fabs(rise) > fmax(fabs(c.d.lo), fabs(c.d.hi)) * fabs(t - last_t) + loose)
            fail_msg("%s jumps by %g between %.17g and %.17g, and no kink was marked", text, rise, last_t, t);
        last = y[0];
        last_t = t;
    }
    return finite;
}

// Random calls of a function, in intervals of every width.
static void try_function(const hol_expr_doc *f)
{
    const int calls = getenv("LONG") ? 4000 : 120;
    char text[1200];
    int finite = 0;
    for (int i = 0, made = 0; made < calls && i < 40 * calls; i++) {
        put_call(text, sizeof text, f, i % 10 == 0);
        const hol_expr *e = parse(text);
        if (!e) continue;
        made++;
        for (int k = 0; k < 6; k++) {
            const double middle = between(-2, 3), w = pow(10, between(-9, 0.5));
            finite += compare(text, e, (hol_interval){middle - w, middle + w});
        }
    }
    if (finite < calls) fail_msg("%s: %d values in %d calls", f->name, finite, calls);
}

static void test_table(void **state)
{
    (void)state;
    int n;
    const hol_expr_doc *all = hol_expr_functions(&n);
    for (int i = 0; i < n; i++) try_function(&all[i]);
}

// Of operators, products of functions, and branches within branches.
static void test_compositions(void **state)
{
    (void)state;
    int n;
    const hol_expr_doc *all = hol_expr_functions(&n);
    const int calls = getenv("LONG") ? 100000 : 3000;
    for (int i = 0; i < calls; i++) {
        char a[1200], b[1200], text[2600];
        put_call(a, sizeof a, &all[(int)between(0, n)], false);
        put_call(b, sizeof b, &all[(int)between(0, n)], false);
        snprintf(text, sizeof text, i % 2 ? "-(%s) %c (%s)" : "if((%s)%c 0.5: 1, 2, %s)", a,
                 "+-*/^"[(int)between(0, 5)], b);
        const hol_expr *e = parse(text);
        const double middle = between(-2, 3), w = pow(10, between(-9, 0.5));
        if (e) compare(text, e, (hol_interval){middle - w, middle + w});
    }
}

// ---- marks ---------------------------------------------------------------------------------------------------------

static unsigned marks_of(const char *text, double lo, double hi)
{
    const hol_enclosure time = {{lo, hi}, {1, 1}, 0};
    const hol_expr *e = parse(text);
    hol_enclosure out;
    if (!e) fail_msg("%s: %s", text, hol_context_error(ctx));
    hol_expr_enclose(e, &time, NULL, &out);
    return out.marks;
}

static void test_marks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double lo, hi;
        unsigned marks;
    } rows[] = {
        {"if(time - 1: 0, 5, 5)", 0.5, 1.5, HOL_MARK_KINK},
        {"if(time - 1: 0, 5, 5)", 1.01, 1.5, 0},
        {"if(time - 1: 0, 5, 1/(time - 2))", 0, 0.9, 0}, // a branch that is not taken has no pole
        {"if(time - 1: 0, 5, 1/(time - 2))", 1.5, 3, HOL_MARK_POLE},
        {"abs(time - 1)", 0.99, 1.01, HOL_MARK_KINK},
        {"abs(step(time, 1, 0, 2, 1))", 0, 0.9, 0}, // exactly 0 all the time
        {"max(0, step(time, 1, 0, 2, 1))", 0, 0.9, 0},
        {"mod(time, 0.3)", 0.31, 0.59, 0},
        {"mod(time, 0.3)", 0.31, 0.61, HOL_MARK_KINK},
        {"step(time, 1, 0, 2, 3)", 0.9, 1.1, HOL_MARK_KINK},
        {"step(time, 1, 0, 2, 3)", 1.1, 1.9, 0},
        {"spline(time, lines)", 0.41, 0.54, 0},
        {"spline(time, lines)", 0.41, 0.56, HOL_MARK_KINK},
        {"spline(time, smooth)", 0.41, 0.56, 0},
        {"spline(time, smooth, 2)", 0.41, 0.56, HOL_MARK_KINK},
        {"1/(time - 1)", 0.9, 1.1, HOL_MARK_POLE},
        {"tan(time)", 1.5, 1.6, HOL_MARK_POLE},
        {"tan(time)", -1.5, 1.5, 0},
        {"sqrt(1 - time)", 0.9, 1.1, HOL_MARK_DOMAIN},
        {"sqrt(1 - time)", 1.1, 1.2, HOL_MARK_NONE},
        {"time^-2", -0.1, 0.1, HOL_MARK_POLE},
        {"step(time, 1, 0, 2, 1)^(1 + time)", 0, 0.9, HOL_MARK_DOMAIN}, // 0
        {"(step(time, 1, 0, 2, 1) - 1)^(1 + time)", 0, 0.9, HOL_MARK_NONE | HOL_MARK_DOMAIN},
        {"0*abs(time)", -0.1, 0.1, 0},
        {"atan2(time, -1)", -0.1, 0.1, HOL_MARK_KINK},
        {"hypot(time, 1)", -0.1, 0.1, 0},
    };
    for (int i = 0; i < HOL_COUNT(rows); i++) {
        const unsigned marks = marks_of(rows[i].text, rows[i].lo, rows[i].hi);
        if (marks != rows[i].marks)
            fail_msg("%s in %g .. %g: marks %u instead of %u", rows[i].text, rows[i].lo, rows[i].hi, marks,
                     rows[i].marks);
    }
}

// An interval of the right size: f at a point has a width of rounding, f over w one of |f'| w.
static void test_widths(void **state)
{
    (void)state;
    static const char *const text[] = {"sin(time)", "exp(-time^2)",         "1/(1 + time^2)",
                                       "time^3",    "spline(time, smooth)", "step5(time, 0, 0, 2, 1)"};
    for (int i = 0; i < HOL_COUNT(text); i++) {
        const hol_expr *e = parse(text[i]);
        for (double w = 1e-12; w < 0.1; w *= 10) {
            const hol_enclosure time = {{0.7 - w, 0.7 + w}, {1, 1}, 0};
            hol_enclosure out;
            double y[4];
            hol_expr_jet(e, 0.7, y);
            hol_expr_enclose(e, &time, NULL, &out);
            assert_true(out.v.hi - out.v.lo <= 8 * w * fabs(y[1]) + 1e-13);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_compositions),
                                       cmocka_unit_test(test_marks), cmocka_unit_test(test_widths)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
