// Rows in use of redundant loops. Those that were independent where they were chosen may become dependent on the way, while the
// mechanism itself is not singular: others take their place in time. docs/theory.md, section 4.3, (4.4k).
#include "analysis/dynamics.h"
#include "integrator/pose.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define WEAKER 0.5 // part of the largest sigma since rows were sought last, below which others are sought
#define APART 0.5  // part of sigma between two looks: no singular value changes faster than the rows turn

// ---- creation ---------------------------------------------------------------------------------------------------

// Loops that are large are looked at seldom; the system's matrix tells between when a look is due. Methods without a matrix, on large
// models, and those with all rows have no use for it.
static hol_status prepare_looks(hol_dynamics *d)
{
    if (!hol_rank_watch_is_seldom(d->watch) || d->s->independent || hol_integrator_is_bare(d->it))
        return HOL_OK;
    d->selection.watches = true;
    d->selection.kernel = hol_kernel_of(d->s);
    return hol_kernel_need_like(&d->selection.kernel, d->it->k);
}

hol_status hol_selection_create(hol_dynamics *d, bool eager)
{
    const hol_status st = hol_rank_watch_create(d->ctx, d->m, &d->rank, eager, &d->watch);
    if (st || !d->watch) return st;
    d->selection.chosen_at = hol_calloc(d->ctx, (size_t)d->s->nq + 1, sizeof *d->selection.chosen_at);
    if (!d->selection.chosen_at) return HOL_ERR_MEMORY;
    memcpy(d->selection.chosen_at, d->it->x.q, (size_t)d->s->nq * sizeof *d->selection.chosen_at);
    return prepare_looks(d);
}

void hol_selection_destroy(hol_dynamics *d)
{
    hol_rank_watch_destroy(d->watch);
    hol_free(d->selection.chosen_at);
    hol_kernel_drop(&d->selection.kernel);
    d->watch = NULL;
    d->selection = (hol_selection){0};
}

// ---- changes ----------------------------------------------------------------------------------------------------

// The rows in d->rank.active take part from now on. Where all do, they only say which are independent.
static hol_status apply_rows(hol_dynamics *d)
{
    const char *active = d->rank.active;
    memcpy(d->selection.chosen_at, d->it->x.q, (size_t)d->s->nq * sizeof *d->selection.chosen_at);
    if (d->s->independent) return HOL_OK;
    hol_status st = hol_integrator_reselect(d->it, active);
    if (st < 0) return st; // the method has said why
    return st ? hol_fail(d->ctx, HOL_ERR_INTEGRATION,
                         "stopped at t = %.6g s: no independent set of joint equations is found here: a "
                         "singular pose",
                         d->it->x.t)
              : hol_dynamics_take_rows(d);
}

// Have the rows in use become so weak that others should be sought? It is no work of the method.
static hol_status look(hol_dynamics *d, bool *due)
{
    const hol_integrator *it = d->it;
    hol_selection *w = &d->selection;
    const double way = (it->x.t - it->before.t) * hol_equations_coordinate_norm(d->s, it->x.v);
    *due = false;
    w->way -= way;
    if (w->way > way) return HOL_OK;
    const hol_evaluations count = d->s->count;
    const hol_status st = hol_kernel_need_like(&w->kernel, it->k);
    if (st) return st;
    const double sigma = hol_pose_sigma(&w->kernel, &it->x);
    d->s->count = count;
    *due = sigma < WEAKER * w->most;
    w->most = *due ? sigma : fmax(w->most, sigma);
    w->way = APART * sigma;
    return HOL_OK;
}

hol_status hol_selection_watch(hol_dynamics *d)
{
    bool due = false;
    if (!d->watch) return HOL_OK;
    const hol_status st = d->selection.watches ? look(d, &due) : HOL_OK;
    if (st || !hol_rank_watch_check(d->watch, &d->it->x, d->it->independence, due, d->rank.active)) return st;
    d->selection.way = d->selection.most = 0;
    return apply_rows(d);
}

// ---- archive ----------------------------------------------------------------------------------------------------

// As many rows as before; without a watch the same ones. *other: they are not those in use, or were chosen at another pose, on which
// the tree of the joints depends.
static void archive_active(hol_dynamics *d, hol_archive *a, bool *other)
{
    int more = 0;
    *other = false;
    for (int i = 0; i < d->m->nc; i++) {
        bool active = d->rank.active[i] != 0;
        hol_archive_flag(a, &active);
        more += active - d->rank.active[i];
        *other = *other || active != d->rank.active[i];
        if (!d->watch && active != d->rank.active[i]) a->failed = true;
        if (!a->failed) d->rank.active[i] = active;
    }
    if (more) a->failed = true;
    if (d->watch) *other = !hol_archive_numbers_same(a, d->selection.chosen_at, (size_t)d->s->nq) || *other;
}

hol_status hol_selection_archive(hol_dynamics *d, hol_archive *a)
{
    hol_selection *w = &d->selection;
    bool other;
    archive_active(d, a, &other);
    if (d->watch) hol_rank_watch_archive(d->watch, a);
    if (w->watches) {
        hol_archive_number(a, &w->way, -DBL_MAX, HOL_INF);
        hol_archive_number(a, &w->most, 0, HOL_INF);
    }
    if (!a->reading || a->failed || !d->watch || !other) return HOL_OK;
    memcpy(d->it->x.q, w->chosen_at, (size_t)d->s->nq * sizeof *w->chosen_at); // what it has follows
    return apply_rows(d);
}
