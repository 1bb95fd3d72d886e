// Which redundant rows are left out, so that those of the tree take part. docs/theory.md, section 14.1.
#include "system/loop.h"
#include "system/rank.h"
#include "system/forest.h"

#include <string.h>

// The rows in use are counted; of the others, one of the tree gives a reason to choose anew.
static int rows_in_use(const hol_loop *l, const hol_forest *f, const char *active, bool *tree_left_out)
{
    int n = 0;
    *tree_left_out = false;
    for (int k = 0; k < l->n_rows; k++) {
        n += active[l->row[k]];
        if (!active[l->row[k]] && f->kept[l->row[k]]) *tree_left_out = true;
    }
    return n;
}

// Picks the independent rows of one loop, those of the tree first.
static hol_status choose(hol_context *ctx, const hol_graph *g, hol_loop *l, const hol_forest *f,
                         const hol_state *x, int n, char *active)
{
    hol_status st = hol_loop_reserve(ctx, l, l->n_columns, l->n_rows);
    if (!st) {
        hol_loop_jacobian(g, l, x->t, x->q);
        hol_loop_prefer(g, l, f->kept);
        st = hol_dense_qr_factor(ctx, &l->qr, l->n_columns, l->n_rows, l->jacobian, HOL_RANK_THRESHOLD);
    }
    for (int k = 0; k < l->n_rows && !st; k++) active[l->row[l->qr.pivot[k]]] = k < n;
    hol_loop_release(l);
    return st;
}

hol_status hol_forest_prefer(hol_context *ctx, const hol_forest *f, const hol_state *x, char *active,
                             bool *changed)
{
    hol_graph g = {0};
    hol_loop l;
    hol_status st = hol_loop_create(ctx, f->m, &l);
    *changed = false;
    if (!st) st = hol_graph_create(ctx, f->m, &g);
    for (int c = 0; c < g.n_components && !st; c++) {
        bool left_out;
        if (g.group[c + 1] - g.group[c] < 2) continue;
        hol_loop_enter(&g, c, &l);
        const int n = rows_in_use(&l, f, active, &left_out);
        if (left_out && l.n_rows <= HOL_RANK_MAX_ROWS) {
            st = choose(ctx, &g, &l, f, x, n, active);
            *changed = true;
        }
        hol_loop_leave(&g, &l);
    }
    hol_graph_destroy(&g);
    hol_loop_destroy(&l);
    return st;
}
