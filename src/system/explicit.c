// Users' equations in an order in which each follows from those before it, found depth first over what an equation
// depends on; refused by name are those that depend on accelerations, multipliers, or themselves. docs/theory.md,
// section 15.6.
#include "system/explicit.h"
#include "system/reaction.h"

#include <math.h>
#include <string.h>

// How far an equation has been looked at: which of its leaves, which input of the force that the leaf stands for.
typedef struct {
    int leaf, input;
} progress;

typedef struct {
    const hol_model_data *m;
    hol_explicit *o;
    hol_obstacle *obstacle;
    char *mark;    // of each equation: 0 not seen, 1 on the way, 2 done, 3 does not follow
    bool unknowns; // accelerations and multipliers are given
    int *stack;    // the way, without recursion: chains may be long                        (n_equations)
    progress *seen;
} search;

enum { REFUSED = -2 }; // the equation does not follow

static int refuse(search *s, const hol_equation *e, const char *why)
{
    *s->obstacle = (hol_obstacle){e->name, why, e->at};
    return REFUSED;
}

static int next_of_block(search *s, int k)
{
    const hol_block *b = &s->m->block[s->m->equation[k].block - 1];
    return s->seen[k].leaf < b->n_inputs ? b->input + s->seen[k].leaf++ : -1;
}

// What the force behind a leaf takes, one after the other; -1: no more.
static int next_of_reaction(search *s, int k, const hol_leaf *l)
{
    const hol_element *f = &s->m->element[l->index];
    progress *at = &s->seen[k];
    if (l->component >= HOL_LEAF_OBSERVED) return -1;
    if ((f->n_rows || f->n_rates) && !s->unknowns)
        return refuse(s, &s->m->equation[k], "it depends on joint forces");
    while (at->input < f->n_inputs) {
        const int i = at->input++;
        if (!f->input[i].time) return f->input[i].z;
    }
    return -1;
}

// The next equation that equation k depends on, -1: no further one.
static int next_needed(search *s, int k)
{
    const hol_equation *e = &s->m->equation[k];
    if (e->block) return next_of_block(s, k);
    for (progress *at = &s->seen[k]; at->leaf < e->n_leaves; *at = (progress){at->leaf + 1, 0}) {
        const hol_leaf *l = &e->leaf[at->leaf];
        if (l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) > 1 && !s->unknowns)
            return refuse(s, e, "it depends on accelerations");
        const int next = l->kind == HOL_LEAF_VALUE && !at->input++ ? l->index
                         : l->kind == HOL_LEAF_REACTION            ? next_of_reaction(s, k, l)
                                                                   : -1;
        if (next != -1) return next;
    }
    return -1;
}

// Equation k is done; with one of a block all of them are.
static void finish(search *s, int k, char mark)
{
    const hol_equation *e = &s->m->equation[k];
    s->mark[k] = mark;
    if (e->block) {
        const hol_block *b = &s->m->block[e->block - 1];
        memset(s->mark + b->output, mark, (size_t)b->n_outputs);
        memset(s->mark + b->rate, mark, (size_t)b->n_states);
    }
    if (mark == 2) s->o->order[s->o->n++] = e->block ? -e->block : k;
}

// Depth first: mark 1 while what an equation depends on is visited, 2 afterwards.
static hol_status visit(search *s, int k)
{
    int depth = 0;
    if (s->mark[k] == 0) s->stack[depth++] = k;
    while (depth > 0) {
        const int now = s->stack[depth - 1];
        s->mark[now] = 1;
        int next = next_needed(s, now);
        if (next >= 0 && s->mark[next] == 1)
            next = refuse(s, &s->m->equation[next], "it depends on itself, alone or through others");
        if (next >= 0 && s->mark[next] == 0) {
            s->stack[depth++] = next;
        } else if (next < 0 || s->mark[next] == 3) {
            finish(s, now, next == -1 ? 2 : 3);
            depth--;
            if (next != -1) // neither do those on the way to it
                while (depth > 0) finish(s, s->stack[--depth], 3);
        }
    }
    return s->mark[k] == 2 ? HOL_OK : HOL_RECOVERABLE;
}

// Room of a search.
static hol_status search_begin(hol_context *ctx, search *s)
{
    const size_t n = (size_t)s->m->n_equations;
    *s->o = (hol_explicit){0};
    if (!n) return HOL_OK;
    s->mark = hol_calloc(ctx, n, 1);
    s->stack = hol_calloc(ctx, n, sizeof *s->stack);
    s->seen = hol_calloc(ctx, n, sizeof *s->seen);
    s->o->order = hol_calloc(ctx, n + (size_t)s->m->n_blocks, sizeof *s->o->order);
    return s->mark && s->stack && s->seen && s->o->order ? HOL_OK : HOL_ERR_MEMORY;
}

static void search_end(search *s)
{
    hol_free(s->mark);
    hol_free(s->stack);
    hol_free(s->seen);
}

// What the motion depends on: the forces, the rates of states, user code, which may have more to do than give values.
static hol_status visit_moving(search *s)
{
    const hol_model_data *m = s->m;
    hol_status st = HOL_OK;
    for (int k = 0; k < m->n_elements; k++)
        for (int i = 0; i < m->element[k].n_inputs && !st; i++)
            if (!m->element[k].input[i].time) st = visit(s, m->element[k].input[i].z);
    for (int i = 0; i < m->n_states && !st; i++) st = visit(s, m->state[i].equation);
    for (int k = 0; k < m->n_equations && !st; k++)
        if (m->equation[k].block) st = visit(s, k);
    s->o->n_moving = s->o->n;
    return st;
}

hol_status hol_explicit_create(hol_context *ctx, const hol_model_data *m, hol_explicit *o,
                               hol_obstacle *obstacle)
{
    search s = {.m = m, .o = o, .obstacle = obstacle};
    hol_status st = search_begin(ctx, &s);
    if (!st) st = visit_moving(&s);
    for (int k = 0; k < m->n_equations && !st; k++) st = visit(&s, k);
    search_end(&s);
    return st;
}

hol_status hol_explicit_create_part(hol_context *ctx, const hol_model_data *m, bool unknowns, hol_explicit *o,
                                    char *implicit)
{
    hol_obstacle obstacle;
    search s = {.m = m, .o = o, .obstacle = &obstacle, .unknowns = unknowns};
    const hol_status st = search_begin(ctx, &s);
    for (int k = 0; k < m->n_equations && !st; k++) implicit[k] = visit(&s, k) != HOL_OK;
    search_end(&s);
    return st;
}

void hol_explicit_destroy(hol_explicit *o)
{
    hol_free(o->order);
    *o = (hol_explicit){0};
}

// Is a value that is no finite number one for a reason? At a singular pose what takes multipliers has no bound, as these.
static bool has_no_bound(const hol_equations *s, const hol_state *x, double value)
{
    return isnan(value) && hol_reactions_unbounded(s, x);
}

// The first n of the order.
static hol_status evaluate(const hol_explicit *o, int n, hol_equations *s, hol_state *x)
{
    for (int i = 0; i < n; i++) {
        const int k = o->order[i];
        if (k >= 0) {
            x->z[k] = hol_equations_expression(s, x, &s->m->equation[k]);
            if (!isfinite(x->z[k]) && !has_no_bound(s, x, x->z[k])) return HOL_RECOVERABLE;
            continue;
        }
        const hol_block *b = &s->m->block[-1 - k];
        const hol_status st = hol_code_eval(s->ctx, b->code, x->t, x->z + b->input, x->X + b->state,
                                            x->z + b->output, x->z + b->rate, &s->fault);
        if (st < 0) s->fatal = st;
        if (st) return st;
    }
    return HOL_OK;
}

hol_status hol_explicit_evaluate(const hol_explicit *o, hol_equations *s, hol_state *x)
{
    return evaluate(o, o->n, s, x);
}

hol_status hol_explicit_evaluate_moving(const hol_explicit *o, hol_equations *s, hol_state *x)
{
    return evaluate(o, o->n_moving, s, x);
}

bool hol_explicit_return(hol_equations *s, hol_state *x, const double *e)
{
    if (!s->nz || !s->users || hol_all_finite(e, (size_t)s->nf)) return false;
    return hol_explicit_evaluate(s->users, s, x) == HOL_OK;
}
