// Rank of the constraints, loop by loop: column-pivoted QR of the scaled Phi_q^T in several poses; the rows that are
// redundant are left out. docs/theory.md, section 4.3.
#include "system/rank.h"
#include "system/loop.h"
#include "system/sides.h"

#include <math.h>
#include <string.h>

enum { POSES = 3, MATRICES = 20 };
#define STEP 1e-2   // to poses near by [natural sizes]
#define NEARLY 1e-4 // pivot of a row that few digits may hold apart from redundancy
#define GAP 1e-2    // and what it is of the pivot before

// ---- one component --------------------------------------------------------------------------------------------

// Where loops are examined: x and, once one of them is not of full rank there, poses near it.
typedef struct sample {
    hol_kernel *full;
    const hol_graph *g;
    const hol_state *x;
    hol_random random;
    hol_state pose[POSES];
    int n, asked; // poses that there are, and that were asked for
} sample;

static hol_status find_poses(sample *p, int most)
{
    if (p->asked >= most) return HOL_OK;
    p->asked = most;
    return hol_rank_poses(p->full, p->g, p->x, &p->random, most, p->pose, &p->n);
}

// How many of the last pivots are so small that digits may have made them, far below the one before. *first: which of them comes first.
static int count_nearly(const hol_dense_qr *qr, int *first)
{
    int n = 0;
    const double *const R = qr->a, one = fabs(R[0]);
    for (int k = qr->rank - 1; k > 0; k--) {
        const double own = fabs(R[k + (size_t)k * (size_t)qr->rows]),
                     before = fabs(R[k - 1 + (size_t)(k - 1) * (size_t)qr->rows]);
        if (!(own < NEARLY * one)) break;
        if (own < GAP * before) n = qr->rank - (*first = k);
    }
    return n;
}

// Are rows of a loop nearly redundant in the poses near by too, and not in a singular one alone? l: as factored in the first pose.
static hol_status find_nearly(hol_context *ctx, hol_loop *l, int component, sample *in, hol_rank *out)
{
    int first = 0, n = count_nearly(&l->qr, &first), other = 0;
    if (!n) return HOL_OK;
    const int row = l->row[l->qr.pivot[first]];
    const double by = fabs(l->qr.a[first + (size_t)first * (size_t)l->qr.rows]) / fabs(l->qr.a[0]);
    hol_status st = find_poses(in, POSES);
    for (int p = 1; p < in->n && n && !st; p++) {
        hol_loop_jacobian(in->g, l, in->pose[p].t, in->pose[p].q);
        st = hol_dense_qr_factor(ctx, &l->qr, l->n_columns, l->n_rows, l->jacobian, HOL_RANK_THRESHOLD);
        if (st) break;
        const int there = count_nearly(&l->qr, &other);
        n = there < n ? there : n;
    }
    if (st || !n) return st;
    if (!out->nearly) {
        out->nearly_by = by;
        out->nearly_row = row;
        hol_sides_loop(in->g, component, out->nearly_loop, sizeof out->nearly_loop);
    }
    out->nearly += n;
    return HOL_OK;
}

// Ranks of a loop in several poses; the rows that are used are the pivots of the first one with the largest
// rank. All rows in the first pose: no other one can have more.
static hol_status examine(hol_context *ctx, hol_loop *l, int component, sample *in, char *active,
                          hol_rank *out)
{
    int best = -1, first = 0;
    hol_status st = hol_loop_reserve(ctx, l, l->n_columns, l->n_rows);
    if (!st) st = find_poses(in, 1);
    for (int p = 0; p < in->n && best < l->n_rows && !st; p++) {
        hol_loop_jacobian(in->g, l, in->pose[p].t, in->pose[p].q);
        st = hol_dense_qr_factor(ctx, &l->qr, l->n_columns, l->n_rows, l->jacobian, HOL_RANK_THRESHOLD);
        if (!st && l->qr.rank < l->n_rows) st = find_poses(in, POSES);
        if (p == 0) first = l->qr.rank;
        if (st || l->qr.rank <= best) continue;
        best = l->qr.rank;
        if (best < l->n_rows && in->g->m->n_stops > 0) { // some of its rows may be of those that let go
            hol_loop_prefer(in->g, l, NULL);
            st = hol_dense_qr_factor(ctx, &l->qr, l->n_columns, l->n_rows, l->jacobian, HOL_RANK_THRESHOLD);
            if (st) break;
        }
        for (int k = 0; k < l->n_rows; k++) active[l->row[l->qr.pivot[k]]] = k < best;
        if (p == 0) st = find_nearly(ctx, l, component, in, out);
    }
    if (first < best) out->momentary = true;
    hol_loop_release(l);
    return st;
}

static bool too_large(const hol_graph *g, int c)
{
    long rows = 0;
    for (int i = g->group[c]; i < g->group[c + 1]; i++)
        rows += g->m->element[g->element[g->grouped[i]]].n_rows;
    return rows > HOL_RANK_MAX_ROWS;
}

// Every component of more than one edge, unless it is too large; one edge is independent.
static hol_status examine_all(hol_context *ctx, sample *in, hol_rank *out)
{
    hol_loop l;
    const hol_graph *g = in->g;
    hol_status st = hol_loop_create(ctx, g->m, &l);
    for (int c = 0; c < g->n_components && !st; c++) {
        if (g->group[c + 1] - g->group[c] < 2) continue;
        hol_loop_enter(g, c, &l);
        out->components++;
        if (l.n_rows > HOL_RANK_MAX_ROWS)
            out->large_components++;
        else
            st = examine(ctx, &l, c, in, out->active, out);
        hol_loop_leave(g, &l);
    }
    hol_loop_destroy(&l);
    return st;
}

// ---- watch ----------------------------------------------------------------------------------------------------

// Smallest over largest pivot of the rows in use, below which others are sought. Near where they become dependent explicit
// steps, which are long, cost more: there they are looked at after every step, else after every other one.
#define WEAK 0.03
#define WEAK_EAGER 0.2
#define SURE 0.5 // of (15.16)
// Others must be so much more independent; explicit steps lose nothing by a change. Where one link is short all sets are weak, and
// several are equally good: a change at each of their turns would cost the history of the method every time.
#define BETTER 2
#define BETTER_DUE 1.5 // the same where sigma has halved since the last look, which happens less often

struct hol_rank_watch {
    hol_context *ctx;
    hol_graph g;
    hol_loop l; // work space for the largest of the loops
    int n_loops;
    int *component; // components with redundant rows                               (n_loops)
    double *work;   // see hol_loop_independence
    int *order;
    char *before;     // the marks of a loop's rows before others were tried
    const char *tree; // rows that are not left out, of the hol_rank
    long calls, looks;
    bool eager;
    bool seldom; // the largest loop is not looked at each time
};

static bool has_redundant_row(const hol_graph *g, int c, const char *active)
{
    for (int i = g->group[c]; i < g->group[c + 1]; i++) {
        const hol_element *e = &g->m->element[g->element[g->grouped[i]]];
        for (int r = 0; r < e->n_rows; r++)
            if (!active[e->row + r]) return true;
    }
    return false;
}

// Points from look to look beyond the shortest way, of the loop in l: a look costs rows^3 operations.
static long points_between(const hol_loop *l)
{
    const double rows = l->n_rows;
    return (long)(rows * rows * rows / 1e6);
}

// The loops with redundant rows, whose choice is looked at in the course of a run.
static hol_status create_watch(hol_rank_watch *w, const hol_model_data *m, const hol_rank *rank)
{
    hol_context *ctx = w->ctx;
    int rows = 0, columns = 0;
    hol_status st = hol_loop_create(ctx, m, &w->l);
    if (!st) st = hol_graph_create(ctx, m, &w->g);
    if (!st && !(w->component = hol_calloc(ctx, (size_t)w->g.n_components, sizeof *w->component)))
        st = HOL_ERR_MEMORY;
    for (int c = 0; c < w->g.n_components && !st; c++) {
        if (!has_redundant_row(&w->g, c, rank->active)) continue;
        w->component[w->n_loops++] = c;
        hol_loop_enter(&w->g, c, &w->l);
        rows = w->l.n_rows > rows ? w->l.n_rows : rows;
        columns = w->l.n_columns > columns ? w->l.n_columns : columns;
        w->seldom = w->seldom || points_between(&w->l) > 0;
        hol_loop_leave(&w->g, &w->l);
    }
    if (st || rows == 0) return st;
    w->work = hol_calloc(ctx, (size_t)rows * (size_t)(rows + 1), sizeof *w->work);
    w->order = hol_calloc(ctx, (size_t)rows, sizeof *w->order);
    w->before = hol_calloc(ctx, (size_t)rows, 1);
    return w->work && w->order && w->before ? hol_loop_reserve(ctx, &w->l, columns, rows) : HOL_ERR_MEMORY;
}

hol_status hol_rank_watch_create(hol_context *ctx, const hol_model_data *m, const hol_rank *rank, bool eager,
                                 hol_rank_watch **out)
{
    *out = NULL;
    if (rank->n_redundant == 0) return HOL_OK;
    hol_rank_watch *w = hol_calloc(ctx, 1, sizeof *w);
    if (!w) return HOL_ERR_MEMORY;
    w->ctx = ctx;
    w->tree = rank->tree;
    w->eager = eager;
    hol_status st = create_watch(w, m, rank);
    if (st)
        hol_rank_watch_destroy(w);
    else
        *out = w;
    return st;
}

void hol_rank_watch_destroy(hol_rank_watch *w)
{
    if (!w) return;
    hol_loop_destroy(&w->l);
    hol_graph_destroy(&w->g);
    void *const arrays[] = {w->component, w->work, w->order, w->before, w};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

void hol_rank_watch_archive(hol_rank_watch *w, hol_archive *a) { hol_archive_counts(a, &w->calls, 1); }

long hol_rank_watch_looks(const hol_rank_watch *w) { return w->looks; }

// By how much must others be more independent?
static double least_gain(const hol_rank_watch *w, bool due)
{
    return w->eager ? 1 : due ? BETTER_DUE : BETTER;
}

bool hol_rank_watch_is_seldom(const hol_rank_watch *w) { return w && w->seldom; }

// Other rows of a loop, as many as before, whose matrix is in l; false: none of which the least pivot is more than `enough`.
static bool change_rows(hol_rank_watch *w, const hol_state *x, double enough, char *active)
{
    hol_loop *l = &w->l;
    int rank = 0;
    bool changed = false;
    for (int k = 0; k < l->n_rows; k++) rank += w->before[k] = active[l->row[k]];
    hol_loop_prefer(&w->g, l, w->tree);
    if (hol_dense_qr_factor(w->ctx, &l->qr, l->n_columns, l->n_rows, l->jacobian, HOL_RANK_THRESHOLD))
        return false;
    for (int k = 0; k < l->n_rows; k++) {
        const int row = l->row[l->qr.pivot[k]];
        changed = changed || active[row] != (k < rank);
        active[row] = k < rank;
    }
    if (!changed) return false;
    hol_loop_jacobian(&w->g, l, x->t, x->q);
    if (hol_loop_independence(l, active, w->work, w->order) > enough) return true;
    for (int k = 0; k < l->n_rows; k++) active[l->row[k]] = w->before[k];
    return false;
}

bool hol_rank_watch_check(hol_rank_watch *w, const hol_state *x, double independence, bool due, char *active)
{
    bool changed = false;
    const long call = w->calls++;
    for (int i = 0; i < w->n_loops && independence < SURE; i++) {
        hol_loop *l = &w->l;
        hol_loop_enter(&w->g, w->component[i], l);
        if (due || call % ((w->eager ? 1 : 2) + points_between(l)) == 0) {
            w->looks++;
            hol_loop_jacobian(&w->g, l, x->t, x->q);
            const double now = hol_loop_independence(l, active, w->work, w->order);
            if (now < (w->eager ? WEAK_EAGER : WEAK))
                changed |= change_rows(w, x, least_gain(w, due) * now, active);
        }
        hol_loop_leave(&w->g, l);
    }
    return changed;
}

// ---- poses ----------------------------------------------------------------------------------------------------

// Closes joints by `most` matrices, in the metric of natural sizes or of the masses, each as long as it is of use.
static hol_status close_by(hol_kernel *full, bool sizes, int most, hol_state *out)
{
    static const hol_closing limits = {.most = 3, .slow = 0.1};
    int count = 0;
    hol_status st = HOL_RECOVERABLE;
    for (int i = 0; i < most && st > 0; i++) {
        st = sizes ? hol_kernel_set(full, out, 0, NULL) : hol_kernel_set_metric(full, out, 0);
        if (!st) st = hol_kernel_positions(full, out, &limits, &count);
    }
    return st;
}

static void step_from(const hol_equations *s, const hol_state *x, double step, hol_state *out)
{
    for (int i = 0; i < s->nq; i++) out->q[i] = x->q[i] + step * out->v[i];
}

// Velocities at x, out's, that the rows admit. again: the matrix at hand is that of the call before, with the same x.
static hol_status draw(hol_kernel *full, const hol_state *x, hol_random *r, bool again, hol_state *out)
{
    static const hol_closing twice = {.least = 2, .most = 2, .slow = HOL_INF, .loose = HOL_INF};
    const hol_equations *s = full->s;
    int count = 0;
    hol_state_copy(s, out, x);
    for (int i = 0; i < s->nq; i++) out->v[i] = hol_random_uniform(r) * s->q_size[i];
    return again && !s->nk ? hol_kernel_velocities(full, out, &twice, &count)
                           : hol_project_velocities(full, out);
}

// In the metric of the masses, where one matrix does or not, else in that of natural sizes, for inertias out of all proportion to it.
// drivers: these go along. Where they are held all poses may be as singular as x.
static hol_status step_along(hol_kernel *full, const hol_state *x, bool drivers, hol_state *out)
{
    const hol_equations *s = full->s;
    double largest = 0;
    for (int i = 0; i < s->nq; i++) largest = fmax(largest, fabs(out->v[i]) / s->q_size[i]);
    const double step = largest > 0 ? STEP / largest : 0;
    out->t = drivers ? x->t + step : x->t;
    step_from(s, x, step, out);
    hol_status st = close_by(full, false, 1, out);
    if (st > 0) {
        step_from(s, x, step, out);
        st = hol_project_positions(full, out, NULL);
    }
    if (st <= 0) return st;
    step_from(s, x, step, out);
    return close_by(full, true, MATRICES, out);
}

// Drivers do not leave a dead centre that is the end of their way.
static hol_status step_on(hol_kernel *full, const hol_state *x, hol_state *out)
{
    const hol_status st = step_along(full, x, true, out);
    return st > 0 ? step_along(full, x, false, out) : st;
}

hol_status hol_rank_nearby(hol_kernel *full, const hol_state *x, hol_random *r, hol_state *out)
{
    const hol_status st = draw(full, x, r, false, out);
    return st ? st : step_along(full, x, false, out);
}

// Without the rows of loops that are too large: their matrix would cost more than all else, and what they do to the loops that
// are examined is to move bodies of these along, all alike. NULL: there are none.
static hol_status leave_out_large(const hol_equations *full, const hol_graph *g, hol_equations **out)
{
    hol_context *ctx = full->ctx;
    bool any = false;
    *out = NULL;
    char *held = hol_calloc(ctx, (size_t)g->m->nc + 1, 1);
    if (!held) return HOL_ERR_MEMORY;
    memset(held, 1, (size_t)g->m->nc);
    for (int c = 0; c < g->n_components; c++) {
        if (!too_large(g, c)) continue;
        any = true;
        for (int i = g->group[c]; i < g->group[c + 1]; i++) {
            const hol_element *e = &g->m->element[g->element[g->grouped[i]]];
            memset(held + e->row, 0, (size_t)e->n_rows);
        }
    }
    if (any && (*out = hol_equations_create(ctx, g->m, held))) (*out)->dependent = full->dependent;
    hol_free(held);
    return any && !*out ? HOL_ERR_MEMORY : HOL_OK;
}

static void take(const hol_equations *s, const hol_state *x, hol_state *to)
{
    to->t = x->t;
    memcpy(to->q, x->q, (size_t)s->nq * sizeof *x->q);
    memcpy(to->X, x->X, (size_t)s->nx * sizeof *x->X);
    memcpy(to->mem, x->mem, (size_t)s->m->n_mem * sizeof *x->mem);
}

hol_status hol_rank_poses(hol_kernel *full, const hol_graph *g, const hol_state *x, hol_random *r, int most,
                          hol_state *pose, int *n)
{
    hol_equations *without;
    hol_status st = leave_out_large(full->s, g, &without);
    hol_kernel apart = hol_kernel_of(without), *k = without ? &apart : full;
    const hol_equations *s = k->s;
    const int first = *n > 0 ? *n : 1;
    int made = *n;
    for (; made < most && !st; made++) {
        st = hol_state_create(s, &pose[made]);
        if (!st && made > 0) st = draw(k, &pose[0], r, made > first, &pose[made]);
        if (!st && made == 0) take(s, x, &pose[0]);
    }
    *n = made > 0;
    for (int i = first; i < made; i++) {
        if (!st) st = step_on(k, &pose[0], &pose[i]);
        if (st)
            hol_state_destroy(&pose[i]);
        else
            pose[(*n)++] = pose[i];
        if (st > 0) st = HOL_OK; // no admissible neighbour found: the pose itself must do
    }
    hol_kernel_drop(&apart);
    hol_equations_destroy(without);
    return st;
}

hol_status hol_rank_find(hol_context *ctx, hol_kernel *full, const hol_state *x, hol_rank *out)
{
    const hol_model_data *m = full->s->m;
    hol_graph g = {0};
    sample in = {.full = full, .g = &g, .x = x, .random = {2024}};
    memset(out, 0, sizeof *out);
    out->active = hol_calloc(ctx, (size_t)m->nc + 1, 1);
    hol_status st = out->active ? hol_graph_create(ctx, m, &g) : HOL_ERR_MEMORY;
    if (!st) memset(out->active, 1, (size_t)m->nc);
    if (!st && g.n_components < g.n_edges) st = examine_all(ctx, &in, out);
    for (int i = 0; i < in.n; i++) hol_state_destroy(&in.pose[i]);
    hol_graph_destroy(&g);
    for (int i = 0; i < m->nc && !st; i++) {
        out->independent += out->active[i];
        out->n_redundant += !out->active[i];
    }
    if (st) hol_rank_destroy(out);
    return st;
}

void hol_rank_destroy(hol_rank *r)
{
    hol_free(r->active);
    hol_free(r->tree);
    r->active = NULL;
    r->tree = NULL;
}
