// Programs: building with constant folding, and evaluation.
#include "expr/program.h"
#include <math.h>
#include <string.h>

static bool is_constant(const hol_op *op) { return op->kind == HOL_OP_NUMBER; }

// ---- one call ------------------------------------------------------------------------------------------------

// + - * / with one constant; false: there is none, or it is another function
static bool call_with_constant(const hol_shape *s, char sign, const hol_operand *arg, hol_real *out)
{
    const bool first = arg[0].constant;
    if (!first && !arg[1].constant) return false;
    const double c = hol_re(arg[!first].x[0]);
    const hol_real *x = arg[first].x;
    switch (sign) {
    case '+': hol_num_affine(s, 1, x, c, out); return true;
    case '-': hol_num_affine(s, first ? -1 : 1, x, first ? c : -c, out); return true;
    case '*': hol_num_affine(s, c, x, 0, out); return true;
    case '/':
        for (int i = 0; i < hol_num_size(s) && !first; i++) out[i] = x[i] / c;
        return !first;
    default: return false;
    }
}

static void taylor(const hol_op *op, hol_real x, hol_real f[4])
{
    if (op->table)
        hol_spline_eval(op->table, op->derivative, x, f);
    else
        op->fn->taylor(x, f);
}

// A function of which one argument varies is a function of one argument: its series in that argument gives f.
static void call_on_one(const hol_shape *s, const hol_op *op, const hol_real **x, int varying, hol_real *out)
{
    const hol_shape series = {0, hol_num_compose_order(s), 0};
    const hol_real *a = x[varying], at[4] = {a[0], 1};
    hol_real f[4];
    x[varying] = at;
    op->fn->many(&series, op->count, x, f);
    hol_num_compose(s, f, a, out);
}

void hol_op_call(const hol_shape *s, const hol_op *op, const hol_operand *arg, hol_real *out)
{
    const hol_real *x[HOL_STACK];
    hol_real f[4];
    int varying = 0, last = 0;
    if (!op->fn->many) {
        taylor(op, arg[0].x[0], f);
        hol_num_compose(s, f, arg[0].x, out);
        return;
    }
    if (op->count == 2 && call_with_constant(s, op->fn->name[0], arg, out)) return;
    for (int i = 0; i < op->count; i++) {
        x[i] = arg[i].x;
        if (arg[i].constant) continue;
        varying++;
        last = i;
    }
    if (varying == 1 && op->count > 1 && s->n > 0) {
        call_on_one(s, op, x, last, out);
        return;
    }
    for (int i = 0; i < op->count; i++)
        if (arg[i].constant) hol_num_constant(s, x[i][0], arg[i].constant);
    op->fn->many(s, op->count, x, out);
}

// ---- building ----------------------------------------------------------------------------------------------

// Appends an operation; growth: by how much it changes the depth of the stack.
static hol_status add(hol_builder *b, hol_op op, int growth)
{
    if (!HOL_GROW(b->ctx, b->op, b->capacity, b->n + 1)) return HOL_ERR_MEMORY;
    b->op[b->n++] = op;
    b->depth += growth;
    if (growth == 1) b->nature[b->depth - 1] = (hol_nature){.flags = 0};
    if (b->depth > b->deepest) b->deepest = b->depth;
    return HOL_OK;
}

hol_status hol_build_push(hol_builder *b, hol_op op)
{
    return b->depth >= HOL_STACK ? HOL_ERR_LIMIT : add(b, op, 1);
}

hol_op hol_build_pop(hol_builder *b)
{
    b->depth--;
    return b->op[--b->n];
}

// The constant op(arg); a bad argument makes the result bad for the same reason.
static hol_status fold(hol_builder *b, const hol_op *op, const hol_op *arg, hol_op *result)
{
    const hol_shape plain = {0, 0, 0};
    hol_real x[HOL_STACK][4] = {{0}}, out[4];
    hol_operand values[HOL_STACK];
    for (int i = 0; i < op->count; i++) {
        x[i][0] = arg[i].number;
        values[i] = (hol_operand){x[i], x[i]};
        if (!arg[i].bad) continue;
        *result = arg[i];
        return HOL_OK;
    }
    hol_op_call(&plain, op, values, out);
    *result = (hol_op){.kind = HOL_OP_NUMBER, .number = hol_re(out[0]), .at = op->at};
    if (isfinite(result->number)) return HOL_OK;
    char text[HOL_CALL_TEXT];
    hol_real number[HOL_STACK];
    for (int i = 0; i < op->count; i++) number[i] = arg[i].number;
    hol_explain_call(op, number, text, sizeof text);
    result->bad = hol_arena_copy(b->arena, text, strlen(text));
    return result->bad ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_build_call(hol_builder *b, hol_op op)
{
    int constants = 0;
    while (constants < op.count && constants < b->n && is_constant(&b->op[b->n - 1 - constants])) constants++;
    if (constants < op.count) return add(b, op, 1 - op.count);

    hol_op result;
    const hol_status status = fold(b, &op, b->op + b->n - op.count, &result);
    if (status != HOL_OK) return status;
    b->n -= op.count;
    return add(b, result, 1 - op.count);
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
    b->nature[b->depth - 1] = b->nature[b->depth - 1 + chosen];
}

static const hol_expr *make(hol_arena *arena, const hol_expr *head, const hol_op *op)
{
    hol_expr *e = hol_arena_alloc(arena, 1, sizeof *e + (size_t)head->n * sizeof *op);
    if (!e) return NULL;
    *e = *head;
    memcpy(e->op, op, (size_t)head->n * sizeof *op);
    return e;
}

const hol_expr *hol_build_finish(const hol_builder *b, const char *text, hol_src at)
{
    const hol_expr head = {
        .scale = 1, .nature = b->nature[0], .text = text, .at = at, .deepest = b->deepest, .n = b->n};
    return make(b->arena, &head, b->op);
}

const hol_expr *hol_expr_constant(hol_arena *arena, double value)
{
    const hol_op op = {.kind = HOL_OP_NUMBER, .number = value};
    return make(arena, &(hol_expr){.scale = 1, .deepest = 1, .n = 1}, &op);
}

const hol_expr *hol_expr_scaled(hol_arena *arena, const hol_expr *e, double scale)
{
    hol_expr head = *e;
    head.scale *= scale;
    return make(arena, &head, e->op);
}

const hol_expr *hol_expr_with_rate(hol_arena *arena, const hol_expr *e, const hol_expr *rate)
{
    hol_expr head = *e;
    head.rate = rate;
    return make(arena, &head, e->op);
}

const hol_expr *hol_expr_rate(const hol_expr *e) { return e->rate; }

// ---- evaluation --------------------------------------------------------------------------------------------

bool hol_expr_is_constant(const hol_expr *e) { return e->n == 1 && is_constant(&e->op[0]); }

double hol_expr_factor(const hol_expr *e) { return e->scale; }

double hol_expr_value(const hol_expr *e) { return e->scale * e->op[0].number; }

hol_nature hol_expr_nature(const hol_expr *e) { return e->nature; }

bool hol_expr_uses_time(const hol_expr *e)
{
    for (int i = 0; i < e->n; i++)
        if (e->op[i].kind == HOL_OP_TIME) return true;
    return false;
}

const char *hol_expr_text(const hol_expr *e) { return e->text ? e->text : ".."; }

void hol_expr_mark_leaves(const hol_expr *e, char *mark)
{
    for (int i = 0; i < e->n; i++)
        if (e->op[i].kind == HOL_OP_LEAF) mark[e->op[i].leaf] = 1;
}

bool hol_expr_uses_leaf(const hol_expr *e, int leaf)
{
    for (int i = 0; i < e->n; i++)
        if (e->op[i].kind == HOL_OP_LEAF && e->op[i].leaf == leaf) return true;
    return false;
}

// Runs the program and returns where its result is. `space` has two places for every value on the stack, so that a call
// never writes over its arguments.
static hol_operand run(const hol_expr *e, const hol_shape *s, const hol_real *time,
                       const hol_real *const *leaf, hol_real *space)
{
    const int size = hol_num_size(s);
    hol_operand stack[HOL_STACK];
    int top = 0;
    for (const hol_op *op = e->op, *end = op + e->n; op < end; op++) {
        if (op->kind == HOL_OP_CALL) top -= op->count;
        hol_real *room = space + 2 * top * size;
        switch (op->kind) {
        case HOL_OP_NUMBER:
            room[0] = op->number;
            room[1] = room[2] = room[3] = 0;
            stack[top] = (hol_operand){room, room};
            break;
        case HOL_OP_TIME: stack[top] = (hol_operand){time, NULL}; break;
        case HOL_OP_LEAF: stack[top] = (hol_operand){leaf[op->leaf], NULL}; break;
        case HOL_OP_CALL:
            if (stack[top].x == room) room += size;
            hol_op_call(s, op, &stack[top], room);
            stack[top] = (hol_operand){room, NULL};
        }
        top++;
    }
    return stack[0];
}

static void evaluate(const hol_expr *e, const hol_shape *s, const hol_real *time, const hol_real *const *leaf,
                     hol_real *space, hol_real *out)
{
    const hol_operand result = run(e, s, time, leaf, space);
    if (result.constant)
        hol_num_constant(s, e->scale * result.x[0], out);
    else
        hol_num_affine(s, e->scale, result.x, 0, out);
}

// Not part of its caller, which would always take as much of the stack.
HOL_NOINLINE static void evaluate_large(const hol_expr *e, const hol_shape *s, const hol_real *time,
                                        const hol_real *const *leaf, hol_real *out)
{
    enum { ON_STACK = 6144 };
    const size_t wanted = 2 * (size_t)e->deepest * (size_t)hol_num_size(s);
    if (wanted <= ON_STACK) {
        hol_real space[ON_STACK];
        evaluate(e, s, time, leaf, space, out);
        return;
    }
    // hundreds of directions through an expression nested deeply: more than threads with small stacks have
    hol_real *space = hol_calloc(NULL, wanted, sizeof *space);
    if (space)
        evaluate(e, s, time, leaf, space, out);
    else
        hol_num_constant(s, (double)NAN, out); // the step fails
    hol_free(space);
}

void hol_expr_eval(const hol_expr *e, const hol_shape *shape, const hol_real *time,
                   const hol_real *const *leaf, hol_real *out)
{
    hol_real space[2048];
    if (2 * e->deepest * hol_num_size(shape) <= HOL_COUNT(space))
        evaluate(e, shape, time, leaf, space, out);
    else
        evaluate_large(e, shape, time, leaf, out);
}

void hol_expr_jet(const hol_expr *e, hol_real t, hol_real jet[4])
{
    const hol_shape series = {0, 3, 0};
    const hol_real time[4] = {t, 1};
    const double factorial[4] = {1, 1, 2, 6};
    hol_real space[2 * HOL_STACK * 4];
    const hol_operand result = run(e, &series, time, NULL, space);
    for (int k = 0; k < 4; k++) jet[k] = e->scale * factorial[k] * result.x[k];
}
