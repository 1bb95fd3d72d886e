// Discontinuities: where the functions of an expression are not smooth, as far as the text tells: places in the file,
// and times.
#include "expr/lex.h"
#include "expr/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_kink(const hol_op *op)
{
    if (op->kind != HOL_OP_CALL) return false;
    return op->table ? hol_spline_smooth(op->table) <= op->derivative : (op->fn->rules & HOL_RULE_KINK) != 0;
}

int hol_expr_kinks(const hol_expr *e)
{
    int n = 0;
    for (int i = 0; i < e->n; i++) n += has_kink(&e->op[i]);
    return n;
}

// An argument a + b time of a call, of which nothing else is known to have kinks at known times.
typedef struct {
    bool known;
    double a, b;
} line;

// The instructions first..end-1 as a function of time.
static line line_of(hol_context *ctx, const hol_expr *e, int first, int end)
{
    enum { LOOKS = 3 };
    hol_real y[LOOKS][4];
    line l = {.known = true};
    for (int i = first; i < end; i++) l.known = l.known && e->op[i].kind != HOL_OP_LEAF;
    hol_expr *part =
        l.known ? hol_calloc(ctx, 1, sizeof *part + (size_t)(end - first) * sizeof *e->op) : NULL;
    if (!part) return (line){.known = false};
    *part = (hol_expr){.scale = 1, .deepest = e->deepest, .n = end - first};
    memcpy(part->op, e->op + first, (size_t)(end - first) * sizeof *e->op);
    for (int i = 0; i < LOOKS; i++) hol_expr_jet(part, i, y[i]);
    hol_free(part);
    l.a = hol_re(y[0][0]);
    l.b = hol_re(y[1][0]) - l.a;
    for (int i = 0; i < LOOKS; i++) {
        const double size = fabs(l.a) + fabs(l.b);
        l.known = l.known && fabs(hol_re(y[i][0]) - l.a - l.b * i) <= 1e-12 * size &&
                  fabs(hol_re(y[i][1]) - l.b) <= 1e-12 * size;
    }
    return l;
}

// The time at which the argument has this value.
static void add_time(hol_kink *k, line x, double value, double end)
{
    const double t = (value - x.a) / x.b;
    if (!x.known || x.b == 0 || !(t >= 0 && t <= end)) return;
    if (k->n_times < HOL_KINK_TIMES) k->time[k->n_times] = t;
    k->n_times++;
}

// start[i] .. start[i + 1]: the instructions of argument i.
static void find_times(hol_context *ctx, const hol_expr *e, const hol_op *op, const int *start, double end,
                       hol_kink *k)
{
    const line x = line_of(ctx, e, start[0], start[1]);
    if (op->table) {
        const double *node, *y;
        const int n = hol_spline_nodes(op->table, &node, &y);
        for (int i = 0; i < n && x.known; i++) add_time(k, x, node[i], end);
    } else if (op->fn->rules & HOL_RULE_RAMP) {
        const line from = line_of(ctx, e, start[1], start[2]), to = line_of(ctx, e, start[3], start[4]);
        if (from.known && from.b == 0) add_time(k, x, from.a, end);
        if (to.known && to.b == 0) add_time(k, x, to.a, end);
    } else if (op->fn->rules & HOL_RULE_BRANCH || strcmp(op->fn->name, "abs") == 0)
        add_time(k, x, 0, end);
    else if (op->count == 2 && (strcmp(op->fn->name, "min") == 0 || strcmp(op->fn->name, "max") == 0)) {
        const line y = line_of(ctx, e, start[1], start[2]);
        add_time(k, (line){x.known && y.known, x.a - y.a, x.b - y.b}, 0, end);
    }
}

int hol_expr_kink_places(hol_context *ctx, const hol_expr *e, double end, int most, hol_kink *out)
{
    int start[HOL_STACK + 1], top = 0, n = 0; // where the instructions of each value on the stack begin
    for (int i = 0; i < e->n; i++) {
        const hol_op *op = &e->op[i];
        const int first = op->kind == HOL_OP_CALL ? top - op->count : top;
        if (has_kink(op) && n++ < most) {
            hol_kink *k = &out[n - 1];
            *k = (hol_kink){.function = op->fn->name, .at = e->at};
            if (e->text) k->at.col += hol_lex_column(e->text, op->at);
            start[top] = i;
            find_times(ctx, e, op, start + first, end, k);
        }
        if (op->kind != HOL_OP_CALL) start[first] = i;
        top = first + 1;
    }
    return n;
}
