// Programs: building with constant folding, and evaluation.
#include "expr/program.h"
#include <stdio.h>
#include <string.h>

struct hol_expr {
    double scale;
    double time_unit; // seconds per unit of time
    int n;
    hol_op op[]; // (n)
};

static bool is_constant(const hol_op *op) { return !op->fn && !op->is_time; }

// ---- building ----------------------------------------------------------------------------------------------

hol_status hol_build_push(hol_builder *b, hol_op op)
{
    if (!op.fn && b->depth == HOL_STACK) return HOL_ERR_LIMIT;
    if (b->n == b->capacity) {
        hol_op *grown = hol_grow(b->ctx, b->op, &b->capacity, b->n + 1, sizeof *grown);
        if (!grown) return HOL_ERR_MEMORY;
        b->op = grown;
    }
    b->op[b->n++] = op;
    b->depth += op.fn ? 1 - op.count : 1;
    return HOL_OK;
}

// "sqrt(-1) is not a finite number; sqrt needs x >= 0"
static const char *explain(hol_arena *arena, const hol_function *fn, int count, const hol_op *arg)
{
    enum { SHOWN = 5 };
    char list[SHOWN * 32] = "";
    const bool infix = strchr("+-*/^", fn->name[0]) != NULL;
    int n = 0;
    for (int i = 0; i < count && i < SHOWN; i++)
        n += snprintf(list + n, sizeof list - (size_t)n, "%s%.6g",
                      i == 0  ? ""
                      : infix ? fn->name
                              : ", ",
                      arg[i].number);
    const char *rest = count > SHOWN ? ", ..." : "";
    const char *needs = *fn->domain ? " needs " : "";
    const char *who = *fn->domain ? fn->name : "";
    const char *semicolon = *fn->domain ? "; " : "";
    if (infix)
        return hol_arena_print(arena, "%s is not a finite number%s%s%s%s", list, semicolon, who, needs,
                               fn->domain);
    return hol_arena_print(arena, "%s(%s%s) is not a finite number%s%s%s%s", fn->name, list, rest, semicolon,
                           who, needs, fn->domain);
}

// The constant fn(arg); a bad argument makes the result bad for the same reason.
static hol_status fold(hol_builder *b, const hol_function *fn, int count, int at, const hol_op *arg,
                       hol_op *result)
{
    hol_jet x[HOL_STACK] = {{{0}}};
    for (int i = 0; i < count; i++) {
        x[i] = hol_jet_constant(arg[i].number);
        if (!arg[i].bad) continue;
        *result = arg[i];
        return HOL_OK;
    }
    *result = (hol_op){.number = hol_re(hol_function_call(fn, count, x).c[0]), .at = at};
    if (isfinite(result->number)) return HOL_OK;
    result->bad = explain(b->arena, fn, count, arg);
    return result->bad ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_build_call(hol_builder *b, const hol_function *fn, int count, int at)
{
    int constants = 0;
    while (constants < count && constants < b->n && is_constant(&b->op[b->n - 1 - constants])) constants++;
    if (constants < count) return hol_build_push(b, (hol_op){.fn = fn, .count = count, .at = at});

    hol_op result;
    const hol_status status = fold(b, fn, count, at, b->op + b->n - count, &result);
    if (status != HOL_OK) return status;
    b->n -= count;
    b->depth -= count;
    return hol_build_push(b, result);
}

bool hol_build_is_constant(const hol_builder *b, int first, int end)
{
    return end == first + 1 && is_constant(&b->op[first]);
}

void hol_build_branch(hol_builder *b, const int start[4])
{
    const hol_op *x = &b->op[start[0]];
    const int chosen = x->bad ? 0 : x->number < 0 ? 1 : x->number > 0 ? 3 : 2;
    const int end = chosen < 3 ? start[chosen + 1] : b->n;
    const int kept = end - start[chosen];
    memmove(&b->op[start[0]], &b->op[start[chosen]], (size_t)kept * sizeof *b->op);
    b->n = start[0] + kept;
    b->depth -= 3; // four values became one
}

static hol_expr *make(hol_arena *arena, const hol_op *op, int n, double scale, double time_unit)
{
    hol_expr *e = hol_arena_alloc(arena, 1, sizeof *e + (size_t)n * sizeof *op);
    if (!e) return NULL;
    e->scale = scale;
    e->time_unit = time_unit;
    e->n = n;
    memcpy(e->op, op, (size_t)n * sizeof *op);
    return e;
}

const hol_expr *hol_build_finish(const hol_builder *b, double time_unit)
{
    return make(b->arena, b->op, b->n, 1, time_unit);
}

const hol_expr *hol_expr_constant(hol_arena *arena, double value)
{
    const hol_op op = {.number = value};
    return make(arena, &op, 1, 1, 1);
}

const hol_expr *hol_expr_scaled(hol_arena *arena, const hol_expr *e, double scale)
{
    return make(arena, e->op, e->n, scale * e->scale, e->time_unit);
}

// ---- evaluation --------------------------------------------------------------------------------------------

bool hol_expr_is_constant(const hol_expr *e) { return e->n == 1 && is_constant(&e->op[0]); }

double hol_expr_value(const hol_expr *e) { return e->scale * e->op[0].number; }

static hol_jet run(const hol_op *op, int n, hol_jet time)
{
    hol_jet stack[HOL_STACK];
    int top = 0;
    for (const hol_op *end = op + n; op < end; op++) {
        if (op->fn) {
            top -= op->count;
            stack[top] = hol_function_call(op->fn, op->count, &stack[top]);
        } else {
            stack[top] = op->is_time ? time : hol_jet_constant(op->number);
        }
        top++;
    }
    return stack[0];
}

void hol_expr_jet(const hol_expr *e, hol_real t, hol_real jet[4])
{
    const hol_jet time = {{t / e->time_unit, 1 / e->time_unit, 0, 0}};
    const hol_jet result = run(e->op, e->n, time);
    const double factorial[4] = {1, 1, 2, 6};
    for (int k = 0; k < 4; k++) jet[k] = e->scale * factorial[k] * result.c[k];
}
