// Integrals of functions of time in closed form, (8.23b) of docs/theory.md. The program of the integral is that of the function with
// every term in place of which its integral stands; sums, signs and constant factors go on as they are.
#include "expr/antiderivative.h"
#include "expr/lex.h"
#include "expr/program.h"

#include <float.h>
#include <math.h>

enum { DEGREE = 12 }; // of polynomials at most
#define SLOW 1e-2     // [1/s]: slopes by the way to where a polynomial begins
#define LOST                                                                                                 \
    1e-9 // of 1, of the value at the beginning, or of what it changes by in 1 s, that rounding may take

// c0 + c1 t + c2 t^2 + ..
typedef struct {
    int degree; // -1: it is none
    double c[DEGREE + 1];
} series;

typedef enum { NOTHING, KEPT, TERM } part;

typedef struct {
    const hol_expr *e;
    hol_builder build;
    int *first;         // instructions with which the value of each instruction begins    (e->n)
    const hol_op *none; // what has no integral here
} integral;

// ---- polynomials in time ---------------------------------------------------------------------------------------

static const series no_series = {.degree = -1};

static series constant_series(double c) { return (series){0, {c}}; }

static series sum(const series *a, double factor, const series *b)
{
    series out = *a;
    if (a->degree < 0 || b->degree < 0) return no_series;
    for (int i = 0; i <= b->degree; i++) out.c[i] += factor * b->c[i];
    if (b->degree > out.degree) out.degree = b->degree;
    return out;
}

static series product(const series *a, const series *b)
{
    series out = {.degree = a->degree + b->degree};
    if (a->degree < 0 || b->degree < 0 || out.degree > DEGREE) return no_series;
    for (int i = 0; i <= a->degree; i++)
        for (int k = 0; k <= b->degree; k++) out.c[i + k] += a->c[i] * b->c[k];
    return out;
}

static series power(const series *a, const series *b)
{
    series out = constant_series(1);
    const double n = b->c[0];
    if (b->degree != 0 || !(n >= 0 && n <= DEGREE && n == floor(n))) return no_series;
    for (int i = 0; i < n; i++) out = product(&out, a);
    return out;
}

// x, x0, a0, a1, ..
static series written_out(int count, const series *x)
{
    const series d = sum(&x[0], -1, &x[1]);
    series out = x[count - 1];
    for (int i = count - 2; i >= 2; i--) {
        out = product(&out, &d);
        out = sum(&out, 1, &x[i]);
    }
    return out;
}

// What a call makes of polynomials.
static series call(const hol_op *op, const series *x)
{
    const series none = constant_series(0);
    if (op->table) return no_series;
    if (op->fn->enclose == hol_enclose_add) return sum(&x[0], 1, &x[1]);
    if (op->fn->enclose == hol_enclose_subtract) return sum(&x[0], -1, &x[1]);
    if (op->fn->enclose == hol_enclose_negate) return sum(&none, -1, &x[0]);
    if (op->fn->enclose == hol_enclose_multiply) return product(&x[0], &x[1]);
    if (op->fn->enclose == hol_enclose_raise) return power(&x[0], &x[1]);
    if (op->fn->enclose == hol_enclose_polynomial) return written_out(op->count, x);
    if (op->fn->enclose != hol_enclose_divide || x[1].degree != 0) return no_series;
    series out = x[0];
    for (int i = 0; i <= out.degree; i++) out.c[i] /= x[1].c[0];
    return out;
}

// What instruction `end` gives.
static series series_of(const integral *g, int end)
{
    series stack[HOL_STACK];
    int top = 0;
    for (int i = g->first[end]; i <= end; i++) {
        const hol_op *op = &g->e->op[i];
        if (op->kind == HOL_OP_CALL) top -= op->count;
        switch (op->kind) {
        case HOL_OP_NUMBER: stack[top] = constant_series(op->number); break;
        case HOL_OP_TIME: stack[top] = (series){1, {0, 1}}; break;
        case HOL_OP_LEAF: stack[top] = no_series; break;
        case HOL_OP_CALL: {
            const series value = call(op, &stack[top]);
            stack[top] = value;
        }
        }
        top++;
    }
    while (stack[0].degree > 0 && stack[0].c[stack[0].degree] == 0) stack[0].degree--;
    return stack[0];
}

// ---- writing ---------------------------------------------------------------------------------------------------

static hol_status push(integral *g, int at, double number)
{
    return hol_build_push(&g->build, (hol_op){.kind = HOL_OP_NUMBER, .at = at, .number = number});
}

static hol_status put_call(integral *g, int at, const hol_function *fn, int count)
{
    return hol_build_call(&g->build, (hol_op){.kind = HOL_OP_CALL, .at = at, .fn = fn, .count = count});
}

static hol_status put_factor(integral *g, int at, double factor)
{
    hol_status st = factor == 1 ? HOL_OK : push(g, at, factor);
    return st || factor == 1 ? st : put_call(g, at, hol_operator('*'), 2);
}

// An instruction as it is.
static hol_status copy(integral *g, const hol_op *op)
{
    return op->kind == HOL_OP_CALL ? hol_build_call(&g->build, *op) : hol_build_push(&g->build, *op);
}

static hol_status copy_value(integral *g, int end)
{
    hol_status st = HOL_OK;
    for (int i = g->first[end]; i <= end && !st; i++) st = copy(g, &g->e->op[i]);
    return st;
}

// poly(time, 0, 0, c0, c1/2, ..)
static hol_status put_series(integral *g, int at, const series *s)
{
    hol_status st = hol_build_push(&g->build, (hol_op){.kind = HOL_OP_TIME, .at = at});
    for (int i = 0; i < 2 && !st; i++) st = push(g, at, 0);
    for (int i = 0; i <= s->degree && !st; i++) st = push(g, at, s->c[i] / (i + 1));
    return st ? st : put_call(g, at, hol_function_find("poly", 4), s->degree + 4);
}

// ---- functions of u = a t + b: F(u)/a with F' = f --------------------------------------------------------------

// Where the first argument ends, and whether the others are numbers; -1: one of them is not.
static int first_argument(const integral *g, int i)
{
    int end = i - 1;
    for (int k = 1; k < g->e->op[i].count; k++, end--)
        if (g->e->op[end].kind != HOL_OP_NUMBER) return -1;
    return end;
}

// The table's integral, that of a level ramp too. A derivative that jumps has no integral of which it is the derivative.
static hol_status put_table(integral *g, const hol_op *op, const hol_spline *table, bool *found)
{
    hol_op out = *op;
    *found = op->derivative > -2 && hol_spline_smooth(table) >= op->derivative - 1;
    if (!*found) return HOL_OK;
    out.fn = hol_function_find("spline", 6);
    out.count = 1;
    out.derivative = op->derivative - 1;
    out.table = hol_spline_integrable(g->build.arena, table);
    return out.table ? hol_build_call(&g->build, out) : HOL_ERR_MEMORY;
}

static hol_status put_ramp(integral *g, int i, bool *found)
{
    const hol_op *op = &g->e->op[i];
    const double x[2] = {op[-4].number, op[-2].number}, y[2] = {op[-3].number, op[-1].number};
    const hol_spline *ramp = hol_spline_create(g->build.arena, HOL_SPLINE_STEP, 2, x, y);
    if (ramp) ramp = hol_spline_named(g->build.arena, ramp, NULL, HOL_SPLINE_LINE); // level there
    return ramp ? put_table(g, op, ramp, found) : HOL_ERR_MEMORY;
}

// sin, cos, exp, sinh, cosh, powers and roots of u = a t + b, behind u.
static hol_status put_antiderivative(integral *g, const hol_op *op, const series *u, bool *found)
{
    const int kind = hol_antiderivative_kind(op->fn);
    const double exponent = op->count == 2 ? op[-1].number : 0.5,
                 number[] = {kind, 1, u->c[1], u->c[0], exponent};
    *found = kind >= 0 && hol_antiderivative_exists(kind, 1, exponent);
    if (!*found) return HOL_OK;
    hol_status st = hol_build_push(&g->build, (hol_op){.kind = HOL_OP_TIME, .at = op->at});
    for (int i = 0; i < HOL_COUNT(number) && !st; i++) st = push(g, op->at, number[i]);
    return st ? st
              : put_call(g, op->at, hol_antiderivative_function(kind, exponent),
                         HOL_ANTIDERIVATIVE_ARGUMENTS);
}

// Of such an integral: the same with one more.
static hol_status put_next(integral *g, int i, bool *found)
{
    const hol_op *op = &g->e->op[i], *number = op - HOL_ANTIDERIVATIVE_ARGUMENTS;
    const double order = number[HOL_ANTIDERIVATIVE_ORDER].number + 1;
    hol_status st = HOL_OK;
    *found = hol_antiderivative_exists((int)number[HOL_ANTIDERIVATIVE_KIND].number, (int)order,
                                       number[HOL_ANTIDERIVATIVE_EXPONENT].number);
    for (int k = g->first[i]; k <= i && !st && *found; k++) {
        hol_op next = g->e->op[k];
        if (k == i - HOL_ANTIDERIVATIVE_ARGUMENTS + HOL_ANTIDERIVATIVE_ORDER) next.number = order;
        st = copy(g, &next);
    }
    return st;
}

// x0, a0, a1, .. behind u: x0, 0, a0, a1/2, ..
static hol_status put_polynomial(integral *g, int i)
{
    const hol_op *op = &g->e->op[i], *number = op - op->count + 1;
    hol_status st = push(g, op->at, number[0].number);
    if (!st) st = push(g, op->at, 0);
    for (int k = 1; k < op->count - 1 && !st; k++) st = push(g, op->at, number[k].number / k);
    return st ? st : put_call(g, op->at, op->fn, op->count + 1);
}

// Is x0 so far from the beginning, for the slope, that powers of u - x0 keep less digits than those of time?
static bool is_slow(const hol_op *op, const series *u)
{
    return fabs(u->c[1]) < SLOW * fabs(u->c[0] - op[1 - op->count].number);
}

// Behind u; *found: the function is one of those that are known.
static hol_status put_function(integral *g, int i, const series *u, bool *found)
{
    const hol_op *op = &g->e->op[i];
    if (op->table) return put_table(g, op, op->table, found);
    if (op->fn->enclose == hol_enclose_step) return put_ramp(g, i, found);
    *found = op->fn->enclose == hol_enclose_polynomial && !is_slow(op, u);
    if (*found) return put_polynomial(g, i);
    return put_antiderivative(g, op, u, found);
}

// Of a number: what the function gives at any time.
static hol_status put_constant(integral *g, int i)
{
    integral at = {.e = g->e, .build = {.ctx = g->build.ctx, .arena = g->build.arena}, .first = g->first};
    hol_status st = copy_value(&at, i);
    const hol_expr *value = st ? NULL : hol_build_finish(&at.build, NULL, g->e->at);
    hol_real jet[4];
    hol_free(at.build.op);
    if (!value) return st ? st : HOL_ERR_MEMORY;
    hol_expr_jet(value, 0, jet);
    const series all = constant_series(hol_re(jet[0]));
    return put_series(g, g->e->op[i].at, &all);
}

// A term that is no sum and no multiple.
static hol_status put_term(integral *g, int i)
{
    const hol_op *op = &g->e->op[i];
    const int depth = g->build.depth, n = g->build.n,
              end = op->kind == HOL_OP_CALL ? first_argument(g, i) : -1;
    const series u = end >= 0 ? series_of(g, end) : no_series;
    bool found = false;
    if (u.degree == 0) return put_constant(g, i);
    if (op->fn && op->fn->enclose == hol_enclose_antiderivative) {
        const hol_status st = put_next(g, i, &found);
        if (st || found) return st;
    }
    hol_status st = u.degree == 1 ? copy_value(g, end) : HOL_OK;
    if (!st && u.degree == 1) st = put_function(g, i, &u, &found);
    if (st || (found && g->build.op[g->build.n - 1].fn->enclose == hol_enclose_antiderivative)) return st;
    if (found) return put_factor(g, op->at, 1 / u.c[1]);
    g->build.n = n;
    g->build.depth = depth;
    const series all = series_of(g, i);
    if (all.degree >= 0) return put_series(g, op->at, &all);
    g->none = op;
    return HOL_OK;
}

// ---- the whole -------------------------------------------------------------------------------------------------

static bool is_number(const hol_op *op) { return op->kind == HOL_OP_NUMBER; }

// What becomes of the operands of a sum or a multiple: into *part. false: it is a term.
static bool open(const integral *g, int i, part *is)
{
    const hol_op *op = &g->e->op[i];
    if (op->kind != HOL_OP_CALL || op->table) return false;
    const int right = i - 1, left = op->count == 2 ? g->first[right] - 1 : right;
    const bool sums = op->fn->enclose == hol_enclose_add || op->fn->enclose == hol_enclose_subtract ||
                      op->fn->enclose == hol_enclose_negate;
    const bool times = op->fn->enclose == hol_enclose_multiply, over = op->fn->enclose == hol_enclose_divide;
    const bool by_right = (times || over) && is_number(&g->e->op[right]),
               by_left = times && is_number(&g->e->op[left]);
    if (!sums && !by_right && !by_left) return false;
    is[left] = by_left ? KEPT : TERM;
    is[right] = by_right && !by_left ? KEPT : TERM;
    is[i] = KEPT;
    return true;
}

// Sums and factors are found from the end downwards, without recursion: a sum of 10^5 terms is nested as deep.
static hol_status write(integral *g, part *is)
{
    hol_status st = HOL_OK;
    is[g->e->n - 1] = TERM;
    for (int i = 0; i < g->e->n; i++) {
        const hol_op *op = &g->e->op[i];
        g->first[i] = i;
        for (int k = 0; op->kind == HOL_OP_CALL && k < op->count; k++)
            g->first[i] = g->first[g->first[i] - 1];
    }
    for (int i = g->e->n - 1; i >= 0; i--)
        if (is[i] == TERM) open(g, i, is);
    for (int i = 0; i < g->e->n && !st && !g->none; i++)
        if (is[i]) st = is[i] == KEPT ? copy(g, &g->e->op[i]) : put_term(g, i);
    return st;
}

// Where digits are lost: the last table, else the whole.
static const hol_op *last_table(const hol_expr *e)
{
    for (int i = e->n - 1; i >= 0; i--)
        if (e->op[i].kind == HOL_OP_CALL && e->op[i].table) return &e->op[i];
    return &e->op[e->n - 1];
}

// Adds what the integral lacks of `start` at time 0.
static hol_status begin_at(integral *g, double start, const hol_expr **out)
{
    hol_real at[4], of[4];
    const hol_expr *bare = hol_build_finish(&g->build, NULL, g->e->at);
    if (!bare) return HOL_ERR_MEMORY;
    hol_expr_jet(bare, 0, at);
    hol_expr_jet(g->e, 0, of);
    const double from = start / g->e->scale, lack = from - hol_re(at[0]),
                 most = LOST * fmax(1, fmax(fabs(from), fabs(hol_re(of[0]) / g->e->scale)));
    if (!isfinite(lack) || DBL_EPSILON * fabs(lack) > most) {
        g->none = last_table(g->e);
        return HOL_OK;
    }
    hol_status st = push(g, 0, lack);
    if (!st) st = put_call(g, 0, hol_operator('+'), 2);
    const hol_expr *whole = st ? NULL : hol_build_finish(&g->build, g->e->text, g->e->at);
    if (!st && whole) whole = hol_expr_scaled(g->build.arena, whole, g->e->scale);
    if (!st) *out = whole ? hol_expr_with_rate(g->build.arena, whole, g->e) : NULL;
    return st ? st : *out ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_expr_integral(hol_context *ctx, hol_arena *arena, const hol_expr *e, double start,
                             const hol_expr **out, hol_src *at, const char **function)
{
    integral g = {.e = e, .build = {.ctx = ctx, .arena = arena}};
    part *is = hol_arena_alloc(arena, (size_t)e->n, sizeof *is);
    g.first = hol_arena_alloc(arena, (size_t)e->n, sizeof *g.first);
    *out = NULL;
    if (!is || !g.first) return HOL_ERR_MEMORY;
    hol_status st = write(&g, is);
    if (!st && !g.none) st = begin_at(&g, start, out);
    hol_free(g.build.op);
    if (st == HOL_ERR_LIMIT) {
        g.none = &e->op[e->n - 1];
        st = HOL_OK;
    }
    if (st || !g.none) return st;
    *out = NULL;
    *at = e->at;
    *function = g.none->kind == HOL_OP_CALL ? g.none->fn->name : "time";
    if (e->text) at->col += hol_lex_column(e->text, g.none->at);
    return HOL_OK;
}
