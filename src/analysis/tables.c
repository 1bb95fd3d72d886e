// Tables that a run leaves, found at its rows: nothing is looked at in steps.
#include "analysis/tables.h"
#include "expr/spline.h"

#include <math.h>

enum { MOST_OF_ONE = 20, MOST_TOLD = 5 };

double hol_table_beyond(const hol_spline *table, double x)
{
    const double *at, *y;
    const int n = hol_spline_nodes(table, &at, &y);
    const double slack = 1e-9 * (at[n - 1] - at[0]); // of rounding
    if (x > at[n - 1] + slack) return x - at[n - 1];
    return x < at[0] - slack ? x - at[0] : 0;
}

// The tables that one equation uses.
static hol_status add(hol_tables *t, const hol_equation *e)
{
    hol_table_use use[MOST_OF_ONE];
    const int n = e->expr ? hol_expr_tables(t->arena, e->expr, MOST_OF_ONE, use) : 0;
    if (n < 0) return HOL_ERR_MEMORY;
    for (int i = 0; i < n && i < MOST_OF_ONE; i++) {
        if (use[i].of_time || hol_spline_goes_on(use[i].table) != HOL_SPLINE_UNSAID) continue;
        if (!HOL_ARENA_GROW(t->arena, t->list, t->n)) return HOL_ERR_MEMORY;
        hol_table_watch *w = &t->list[t->n++];
        *w = (hol_table_watch){.argument = *e, .table = use[i].table, .first = -1};
        w->argument.expr = use[i].argument;
        w->argument.at = use[i].at;
    }
    return HOL_OK;
}

hol_status hol_tables_create(hol_context *ctx, const hol_model_data *m, hol_tables *out)
{
    *out = (hol_tables){.arena = hol_arena_create(ctx)};
    hol_status st = out->arena ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_equations && !st; i++) st = add(out, &m->equation[i]);
    for (int i = 0; i < m->n_events && !st; i++) {
        const hol_event *v = &m->event[i];
        if (v->when) st = add(out, v->when);
        for (int k = 0; k < v->n_sets && !st; k++) st = add(out, &v->set[k].value);
    }
    return st;
}

void hol_tables_destroy(hol_tables *t)
{
    hol_arena_destroy(t->arena);
    *t = (hol_tables){.arena = NULL};
}

void hol_tables_look(hol_tables *t, const hol_equations *s, const hol_state *x)
{
    for (int i = 0; i < t->n; i++) {
        hol_table_watch *w = &t->list[i];
        const double at = hol_equations_expression(s, x, &w->argument), far = hol_table_beyond(w->table, at);
        if (far == 0) continue;
        if (w->first < 0) w->first = x->t;
        if (fabs(far) >= fabs(hol_table_beyond(w->table, w->farthest)) || w->first == x->t) w->farthest = at;
    }
}

void hol_tables_tell(hol_context *ctx, const hol_tables *t)
{
    for (int i = 0, told = 0; i < t->n && told < MOST_TOLD; i++) {
        const hol_table_watch *w = &t->list[i];
        const double *at, *y;
        if (w->first < 0) continue;
        const int n = hol_spline_nodes(w->table, &at, &y);
        hol_note_at(
            ctx, HOL_WARNING, w->argument.at,
            "table \"%s\", of %.6g to %.6g, was asked for %.6g, first at t = %.6g s: beyond its points it "
            "goes on as a straight line. Give it more points, or " HOL_BEYOND_SAYS,
            hol_spline_name(w->table) ? hol_spline_name(w->table) : "", at[0], at[n - 1], w->farthest,
            w->first);
        told++;
    }
}
