// Users' equations in an order in which each follows from those before it, found depth first over what an equation
// depends on; refused by name are those that depend on accelerations, multipliers, or themselves. docs/theory.md,
// section 15.6.
#include "system/explicit.h"

#include <math.h>

typedef struct {
    const hol_model_data *m;
    hol_explicit *o;
    hol_obstacle *obstacle;
    char *mark;    // of each equation: 0 not seen, 1 on the way, 2 done, 3 does not follow
    bool unknowns; // accelerations and multipliers are given
} search;

static hol_status visit(search *s, int k);

static hol_status refuse(search *s, const hol_equation *e, const char *why)
{
    *s->obstacle = (hol_obstacle){e->name, why, e->at};
    return HOL_RECOVERABLE;
}

// What one leaf of an expression depends on.
static hol_status visit_leaf(search *s, const hol_equation *e, const hol_leaf *l)
{
    hol_status st = HOL_OK;
    if (l->kind == HOL_LEAF_VALUE) return visit(s, l->index);
    if (l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) > 1 && !s->unknowns)
        return refuse(s, e, "it depends on accelerations");
    if (l->kind != HOL_LEAF_REACTION) return HOL_OK;
    const hol_element *f = &s->m->element[l->index];
    if ((f->n_rows || f->n_rates) && !s->unknowns) return refuse(s, e, "it depends on joint forces");
    for (int i = 0; i < f->n_inputs && !st; i++)
        if (!f->input[i].time) st = visit(s, f->input[i].z);
    return st;
}

// All equations of a block come when its inputs are there.
static hol_status visit_block(search *s, int k)
{
    const hol_block *b = &s->m->block[k];
    hol_status st = HOL_OK;
    for (int i = 0; i < b->n_inputs && !st; i++) st = visit(s, b->input + i);
    for (int i = 0; i < b->n_outputs; i++) s->mark[b->output + i] = st ? 3 : 2;
    for (int i = 0; i < b->n_states; i++) s->mark[b->rate + i] = st ? 3 : 2;
    if (!st) s->o->order[s->o->n++] = -1 - k;
    return st;
}

// Depth first: mark 1 while what an equation depends on is visited, 2 afterwards.
static hol_status visit(search *s, int k)
{
    const hol_equation *e = &s->m->equation[k];
    hol_status st = HOL_OK;
    if (s->mark[k] == 2) return HOL_OK;
    if (s->mark[k] == 3) return HOL_RECOVERABLE;
    if (s->mark[k] == 1) return refuse(s, e, "it depends on itself, alone or through others");
    s->mark[k] = 1;
    if (e->block) return visit_block(s, e->block - 1);
    for (int i = 0; i < e->n_leaves && !st; i++) st = visit_leaf(s, e, &e->leaf[i]);
    s->mark[k] = st ? 3 : 2;
    if (!st) s->o->order[s->o->n++] = k;
    return st;
}

// Room of a search.
static hol_status search_begin(hol_context *ctx, search *s)
{
    *s->o = (hol_explicit){0};
    if (!s->m->n_equations) return HOL_OK;
    s->mark = hol_calloc(ctx, (size_t)s->m->n_equations, 1);
    s->o->order = hol_calloc(ctx, (size_t)(s->m->n_equations + s->m->n_blocks), sizeof *s->o->order);
    return s->mark && s->o->order ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_explicit_create(hol_context *ctx, const hol_model_data *m, hol_explicit *o,
                               hol_obstacle *obstacle)
{
    search s = {.m = m, .o = o, .obstacle = obstacle};
    hol_status st = search_begin(ctx, &s);
    for (int k = 0; k < m->n_equations && !st; k++) st = visit(&s, k);
    hol_free(s.mark);
    return st;
}

hol_status hol_explicit_create_part(hol_context *ctx, const hol_model_data *m, bool unknowns, hol_explicit *o,
                                    char *implicit)
{
    hol_obstacle obstacle;
    search s = {.m = m, .o = o, .obstacle = &obstacle, .unknowns = unknowns};
    const hol_status st = search_begin(ctx, &s);
    for (int k = 0; k < m->n_equations && !st; k++) implicit[k] = visit(&s, k) != HOL_OK;
    hol_free(s.mark);
    return st;
}

void hol_explicit_destroy(hol_explicit *o)
{
    hol_free(o->order);
    *o = (hol_explicit){0};
}

hol_status hol_explicit_evaluate(const hol_explicit *o, hol_equations *s, hol_state *x)
{
    for (int i = 0; i < o->n; i++) {
        const int k = o->order[i];
        if (k >= 0) {
            x->z[k] = hol_equations_expression(s, x, &s->m->equation[k]);
            if (!isfinite(x->z[k])) return HOL_RECOVERABLE;
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
