// What of an expression depends on the time alone, and where it is not smooth: parts of the program as programs of their own.
#include "expr/lex.h"
#include "expr/program.h"

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

// ---- parts -------------------------------------------------------------------------------------------------------

// What the instructions up to one of them give.
typedef struct {
    int first;   // with which it begins
    bool timed;  // it depends on nothing but time and leaves that do
    bool varies; // and on these it does
} part;

typedef struct {
    hol_arena *arena;
    const hol_expr *e;
    hol_timed_leaf *leaf;
    void *user;
    part *part; // (e->n)
    bool whole; // sums are one part
    int n, most;
    hol_time_part *out;
} parts;

// Where the arguments of a call end, the last one first.
static int before(const parts *p, int end) { return p->part[end].first - 1; }

// Where what instruction i gives begins, and whether it depends on the time alone.
static void find_part(parts *p, int i)
{
    const hol_op *op = &p->e->op[i];
    part *out = &p->part[i];
    *out = (part){i, true, op->kind == HOL_OP_TIME};
    if (op->kind == HOL_OP_LEAF) *out = (part){i, p->leaf && p->leaf(p->user, op->leaf), true};
    if (op->kind != HOL_OP_CALL) return;
    for (int k = 0, end = i - 1; k < op->count; k++, end = before(p, end)) {
        out->timed = out->timed && p->part[end].timed;
        out->varies = out->varies || p->part[end].varies;
        out->first = p->part[end].first;
    }
}

// The instructions that give the value of instruction i, as a program of their own with room for `more` behind them.
static hol_expr *copy_part(const parts *p, int i, int more)
{
    const int first = p->part[i].first, n = i - first + 1;
    hol_expr *e = hol_arena_alloc(p->arena, 1, sizeof *e + (size_t)(n + more) * sizeof *e->op);
    if (!e) return NULL;
    *e = *p->e;
    e->n = n;
    memcpy(e->op, p->e->op + first, (size_t)n * sizeof *e->op);
    return e;
}

static void keep(parts *p, hol_expr *e, bool is_term)
{
    if (p->n < p->most) p->out[p->n] = (hol_time_part){e, is_term};
    p->n++;
}

// if(x: a, b, c) with a function of time x alone: if(x: 0, 1, 2) is one that jumps where a, b, c take turns.
static void keep_turns(parts *p, int i)
{
    const hol_op *op = &p->e->op[i];
    int x = i - 1;
    for (int k = 1; k < op->count; k++) x = before(p, x);
    if (!p->part[x].timed || !p->part[x].varies) return;
    hol_expr *e = copy_part(p, x, op->count);
    for (int k = 0; e && k < op->count - 1; k++)
        e->op[e->n++] = (hol_op){.kind = HOL_OP_NUMBER, .at = op->at, .number = k};
    if (e) e->op[e->n++] = *op;
    keep(p, e, false);
}

static bool is_sum(const hol_op *op)
{
    return op->kind == HOL_OP_CALL && op->fn->name[1] == 0 && strchr("+-~", op->fn->name[0]);
}

// Of a product with constants, or of a quotient by one, the factor that varies; -1: it is none.
static int varying_factor(const parts *p, int i)
{
    const hol_op *op = &p->e->op[i];
    if (op->kind != HOL_OP_CALL || op->fn->name[1] || !strchr("*/", op->fn->name[0])) return -1;
    const int right = i - 1, left = before(p, right);
    if (p->part[left].varies && !p->part[right].varies) return left;
    return op->fn->name[0] == '*' && p->part[right].varies && !p->part[left].varies ? right : -1;
}

// Keeps a part if it ends the way down. false: its operands are looked at.
static bool ends_here(parts *p, int i, bool is_term)
{
    const hol_op *op = &p->e->op[i];
    const part *a = &p->part[i];
    if (a->timed && (!a->varies || op->kind == HOL_OP_TIME)) return true;
    if (op->kind == HOL_OP_LEAF && !a->timed) return true;
    if (!a->timed || (!p->whole && is_sum(op))) return false;
    keep(p, copy_part(p, i, 0), is_term);
    return true;
}

// From the end of a part downwards: terms of a sum are parts of their own, so that a small one beside a large one is seen. is_term:
// of the whole, but for a constant factor. The first operand is gone on with here: a sum of 10^5 terms is nested as deep in it.
static void split(parts *p, int i, bool is_term)
{
    for (;;) {
        const hol_op *op = &p->e->op[i];
        const int factor = p->whole && p->part[i].timed ? -1 : varying_factor(p, i);
        if (factor < 0 && ends_here(p, i, is_term)) return;
        if (factor >= 0) {
            i = factor;
            continue;
        }
        if (op->fn->rules & HOL_RULE_BRANCH) keep_turns(p, i);
        is_term = is_term && is_sum(op);
        int end = i - 1;
        for (int k = 1; k < op->count; k++, end = before(p, end)) split(p, end, is_term);
        if (op->count < 1) return;
        i = end;
    }
}

// ---- terms -------------------------------------------------------------------------------------------------------

typedef struct {
    int end; // instruction
    bool minus;
} term;

// The factor of constants is taken out of *factor; where what is left of it ends.
static int without_factors(const parts *p, int i, double *factor)
{
    for (int inner; (inner = varying_factor(p, i)) >= 0; i = inner) {
        const int right = i - 1, constant = inner == right ? before(p, right) : right;
        if (p->e->op[constant].kind != HOL_OP_NUMBER) return i;
        const double c = p->e->op[constant].number;
        *factor = p->e->op[i].fn->name[0] == '*' ? *factor * c : *factor / c;
    }
    return i;
}

// From the last term to the first, without what is constant. list NULL: how many there are.
static int list_terms(const parts *p, int i, term *list)
{
    int n = 0;
    for (bool minus = false, more = true; more;) {
        const hol_op *op = &p->e->op[i];
        const bool sum = is_sum(op), two = sum && op->count > 1, negative = sum && op->fn->name[0] != '+';
        const int end = sum && !two ? -1 : two ? i - 1 : i;
        if (end >= 0 && p->part[end].varies) {
            if (list) list[n] = (term){end, two && negative ? !minus : minus};
            n++;
        }
        if (sum && !two) minus = !minus;
        more = sum;
        i = two ? before(p, i - 1) : i - 1;
    }
    return n;
}

// The sum of two terms, but for a sign.
static hol_expr *join(const parts *p, const term *a, const term *b)
{
    const int n = b->end - p->part[b->end].first + 1;
    hol_expr *e = copy_part(p, a->end, n + 1);
    if (!e) return NULL;
    memcpy(e->op + e->n, p->e->op + p->part[b->end].first, (size_t)n * sizeof *e->op);
    e->n += n + 1;
    e->op[e->n - 1] = (hol_op){.kind = HOL_OP_CALL,
                               .at = e->op[0].at,
                               .count = 2,
                               .fn = hol_operator(a->minus == b->minus ? '+' : '-')};
    return e;
}

// Writes them; false: no memory.
static bool write_terms(const parts *p, int n, const term *list, double factor, const hol_expr **out)
{
    for (int i = 0; i < 2 * n - 1; i++) {
        const term *a = &list[i < n ? i : i - n];
        hol_expr *e = i < n ? copy_part(p, a->end, 0) : join(p, a, a + 1);
        if (!e) return false;
        e->scale *= factor;
        out[i] = e;
    }
    return true;
}

int hol_expr_terms(hol_arena *arena, const hol_expr *e, int most, const hol_expr **out)
{
    parts p = {.arena = arena, .e = e};
    double factor = 1;
    p.part = hol_arena_alloc(arena, (size_t)e->n, sizeof *p.part);
    if (!p.part) return -1;
    for (int i = 0; i < e->n; i++) find_part(&p, i);
    const int end = without_factors(&p, e->n - 1, &factor), n = list_terms(&p, end, NULL);
    if (n == 0 || 2 * n - 1 > most) return n;
    term *list = hol_arena_alloc(arena, (size_t)n, sizeof *list);
    if (!list) return -1;
    list_terms(&p, end, list);
    return write_terms(&p, n, list, factor, out) ? n : -1;
}

int hol_expr_leaf(const hol_expr *e)
{
    return e->n == 1 && e->op[0].kind == HOL_OP_LEAF ? e->op[0].leaf : -1;
}

int hol_expr_parts(hol_arena *arena, const hol_expr *e, hol_timed_leaf *leaf, void *user, bool whole,
                   int most, hol_time_part *out)
{
    parts p = {.arena = arena, .e = e, .leaf = leaf, .user = user, .whole = whole, .most = most, .out = out};
    p.part = hol_arena_alloc(arena, (size_t)e->n, sizeof *p.part);
    if (!p.part) return -1;
    for (int i = 0; i < e->n; i++) find_part(&p, i);
    split(&p, e->n - 1, true);
    for (int i = 0; i < p.n && i < most; i++)
        if (!out[i].part) return -1;
    return p.n;
}

int hol_expr_kink_places(hol_arena *arena, const hol_expr *e, int most, hol_kink *out)
{
    parts p = {.arena = arena, .e = e};
    int n = 0;
    p.part = hol_arena_alloc(arena, (size_t)e->n, sizeof *p.part);
    if (!p.part) return -1;
    for (int i = 0; i < e->n; i++) {
        const hol_op *op = &e->op[i];
        find_part(&p, i);
        if (!has_kink(op) || n++ >= most) continue;
        hol_kink *k = &out[n - 1];
        *k = (hol_kink){.function = op->fn->name, .at = e->at, .table = op->table != NULL};
        if (op->table) k->smooth = hol_spline_smooth(op->table) - op->derivative;
        if (e->text) k->at.col += hol_lex_column(e->text, op->at);
        if (p.part[i].timed && p.part[i].varies) k->of_time = copy_part(&p, i, 0);
    }
    return n;
}

int hol_expr_tables(hol_arena *arena, const hol_expr *e, int most, hol_table_use *out)
{
    parts p = {.arena = arena, .e = e};
    int n = 0;
    bool any = false;
    for (int i = 0; i < e->n; i++) any = any || e->op[i].table;
    if (!any) return 0;
    p.part = hol_arena_alloc(arena, (size_t)e->n, sizeof *p.part);
    if (!p.part) return -1;
    for (int i = 0; i < e->n; i++) {
        const hol_op *op = &e->op[i];
        find_part(&p, i);
        if (op->kind != HOL_OP_CALL || !op->table || op->count != 1 || n++ >= most) continue;
        hol_expr *argument = copy_part(&p, i - 1, 0);
        if (!argument) return -1;
        argument->scale = 1;
        out[n - 1] = (hol_table_use){op->table, e->at, argument, p.part[i - 1].timed};
        if (e->text) out[n - 1].at.col += hol_lex_column(e->text, op->at);
    }
    return n;
}
