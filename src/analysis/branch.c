// Branches of equilibria over a parameter (docs/theory.md, section 20.5): pseudo-arclength continuation in the tangent space of the joints,
// with folds, bifurcations and changes of stability between its points. The model is read again for each value: lengths, masses and
// numbers of joints are parameters as loads are.
#include "analysis/slice.h"
#include "linalg/dense.h"
#include "system/initial.h"

#include <math.h>
#include <string.h>

enum {
    MOST_POINTS = 2000,
    MOST_CORRECTIONS = 12,
    MANY_CORRECTIONS = 7,
    FEW_CORRECTIONS = 4,
    MOST_SECANTS = 40,
    MOST_BRANCHES = 16
};
#define FIRST 0.02 // step along the arc: natural sizes, and part of the parameter's range
#define LONGEST 0.1
#define SHORTEST 1e-7
#define FARTHEST 0.2    // of a coordinate in one step, by natural size
#define BENT 0.94       // cosine of 20 degrees between tangents
#define CONVERGED 1e-12 // correction
#define CLOSE 1e-8      // correction below which it may be rounding
#define DIFFERENCE 1e-5 // of the parameter's range
#define LOCATED 1e-13   // of the step
#define FLAT 1e-12

// Where a branch is, and where it goes.
typedef struct {
    hol_state x;
    double s;        // part of the parameter's range
    double *dq, *dX; // tangent                                                     (nq), (nx)
    double ds;
    int negative, neutral;
    bool stable;
} place;

typedef struct {
    hol_statics_data *o;
    hol_context *ctx;
    const hol_at_rest *first; // layout of states, and rows in use
    place now, next, seek;
    double *J, *z; // bordered                                          ((n + 1)^2), (n + 1)
    double *by;    // of what is left by s                                              (n)
    double *qs;    // of coordinates that joints move with s                           (nq)
    double *u[2];  //                                                                  (nq)
    int branch;
    int n_found;
    place found[MOST_BRANCHES]; // bifurcations
} walk;

// ---- slices -----------------------------------------------------------------------------------------------------

// The model there, at a state that need not fit.
static hol_status open_slice(walk *w, double s, const hol_state *x, hol_slice *out)
{
    const hol_fixed fixed = {w->o->s.parameter, w->o->from + s * (w->o->to - w->o->from), &w->o->nature};
    return hol_slice_open(w->o, w->first, &fixed, 1, x, out);
}

// How what is left changes with the parameter, along the directions of c, and how the joints move the coordinates.
static hol_status find_slope(walk *w, double s, const hol_slice *c)
{
    const hol_reduced *r = &c->at.e.r;
    const size_t nq = (size_t)r->s->nq;
    const double ends[2] = {fmax(0, s - DIFFERENCE), fmin(1, s + DIFFERENCE)}, h = ends[1] - ends[0];
    hol_slice side[2] = {{0}, {0}};
    hol_status st = HOL_OK;
    for (int k = 0; k < 2 && !st; k++) {
        st = open_slice(w, ends[k], &c->at.x, &side[k]);
        if (!st) st = hol_equilibrium_rest(&side[k].at.k, &side[k].at.x, w->u[k]);
    }
    for (int j = 0; j < r->d && !st; j++) {
        w->by[j] = 0;
        for (size_t i = 0; i < nq; i++) w->by[j] += r->WN[(size_t)j * nq + i] * (w->u[1][i] - w->u[0][i]) / h;
    }
    for (int k = 0; k < r->s->nx && !st; k++) {
        const int z = r->s->m->state[k].equation;
        w->by[r->d + k] = (side[1].at.x.z[z] - side[0].at.x.z[z]) / h;
    }
    for (size_t i = 0; i < nq && !st; i++) w->qs[i] = (side[1].at.x.q[i] - side[0].at.x.q[i]) / h;
    for (int k = 0; k < 2; k++) hol_slice_close(&side[k]);
    return st;
}

// ---- the bordered matrix ------------------------------------------------------------------------------------------

static double state_size(const hol_slice *c, int k) { return 1 + fabs(c->at.x.X[k]); }

// (20.5), rows in units of an energy, columns of natural sizes; the last row is the tangent t, or holds s. Its right-hand side is what is
// left, or for the tangent there 0 and 1. The solution in w->z.
static hol_status solve(walk *w, const place *t, const hol_slice *c, bool holds, bool tangent)
{
    const hol_reduced *r = &c->at.e.r;
    const int d = r->d, n = r->n, size = n + 1;
    const size_t nq = (size_t)r->s->nq;
    double most = 0;
    int rank;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) most = fmax(most, fabs(r->A[(size_t)j * (size_t)n + (size_t)i]));
    if (most == 0) most = c->at.e.balance.against > 0 ? c->at.e.balance.against : 1;
    for (int i = 0; i < n; i++) {
        const double row = i < d ? 1 : most * r->s->m->time_scale / state_size(c, i - d);
        for (int j = 0; j < n; j++)
            w->J[j * size + i] =
                row * r->A[(size_t)j * (size_t)n + (size_t)i] * (j < d ? 1 : state_size(c, j - d));
        w->J[n * size + i] = row * w->by[i];
        w->z[i] = tangent ? 0 : -row * c->at.e.left[i];
    }
    for (int j = 0; j < n; j++) {
        double along = 0;
        for (size_t i = 0; i < nq && j < d; i++) along += r->WN[(size_t)j * nq + i] * t->dq[i];
        if (j >= d) along = t->dX[j - d] / state_size(c, j - d);
        w->J[j * size + n] = holds ? 0 : most * along;
    }
    w->J[n * size + n] = holds ? most : most * t->ds;
    w->z[n] = tangent ? most : 0;
    const hol_status st = hol_dense_least_norm(w->ctx, size, size, w->J, w->z, FLAT, &rank);
    if (holds) w->z[n] = 0;
    return st > 0 || hol_all_finite(w->z, (size_t)size) ? st : HOL_RECOVERABLE;
}

// The solution as a change of coordinates, states and s, times factor.
static void add(walk *w, const hol_slice *c, double factor, double *q, double *X, double *s)
{
    const hol_reduced *r = &c->at.e.r;
    const size_t nq = (size_t)r->s->nq;
    for (size_t i = 0; i < nq; i++) {
        double sum = w->qs[i] * w->z[r->n];
        for (int j = 0; j < r->d; j++) sum += w->z[j] * r->N[(size_t)j * nq + i];
        q[i] += factor * sum;
    }
    for (int k = 0; k < r->s->nx; k++) X[k] += factor * w->z[r->d + k] * state_size(c, k);
    *s += factor * w->z[r->n];
}

static double length(const walk *w, int n)
{
    double sum = 0;
    for (int i = 0; i <= n; i++) sum += w->z[i] * w->z[i];
    return sqrt(sum);
}

// The tangent at a point, on the side of t.
static hol_status take_tangent(walk *w, const place *t, const hol_slice *c, place *out)
{
    const hol_equations *e = c->at.k.s;
    hol_status st = solve(w, t, c, false, true);
    if (st) return st;
    const double size = length(w, c->at.e.r.n);
    if (!(size > 0)) return HOL_RECOVERABLE;
    double *dq = w->u[0]; // t may be out
    memset(dq, 0, (size_t)e->nq * sizeof *dq);
    double *states = hol_calloc(w->ctx, (size_t)e->nx + 1, sizeof *states), ds = 0;

    if (!states) return HOL_ERR_MEMORY;
    add(w, c, 1 / size, dq, states, &ds);
    memcpy(out->dq, dq, (size_t)e->nq * sizeof *dq);
    memcpy(out->dX, states, (size_t)e->nx * sizeof *dq);
    out->ds = ds;
    hol_free(states);
    return HOL_OK;
}

// ---- steps --------------------------------------------------------------------------------------------------------

// out->x and out->s put onto the branch, by steps across the tangent of t, or with s held; *c is the model there, *count how many steps
// it took. HOL_RECOVERABLE: they do not converge.
static hol_status correct(walk *w, const place *t, bool holds, place *out, hol_slice *c, int *count)
{
    double last = HOL_INF;
    bool done = false;
    hol_status st = HOL_OK;
    for (*count = 0; *count < MOST_CORRECTIONS; ++*count) {
        if (!(out->s >= -CLOSE && out->s <= 1 + CLOSE)) return HOL_RECOVERABLE;
        hol_slice_close(c);
        st = open_slice(w, out->s, &out->x, c);
        if (!st) st = hol_equilibrium_look(w->ctx, &c->at.k, &c->at.rank, &c->at.x, &c->at.e);
        if (!st) st = find_slope(w, out->s, c);
        if (st) return st;
        hol_state_copy(c->at.k.s, &out->x, &c->at.x);
        if (done) return HOL_OK;
        st = solve(w, t, c, holds, false);
        if (st) return st;
        const double size = length(w, c->at.e.r.n);
        if (size > 2 * last && size > CLOSE) return HOL_RECOVERABLE;
        done = size <= CONVERGED || (size <= CLOSE && size > 0.5 * last);
        last = size;
        add(w, c, 1, out->x.q, out->x.X, &out->s);
    }
    return HOL_RECOVERABLE;
}

// A step of length h along the arc: *out and the model there.
static hol_status advance(walk *w, double h, bool to_end, place *out, hol_slice *c, int *count)
{
    const hol_equations *e = w->first->k.s;
    const place *now = &w->now;
    hol_state_copy(e, &out->x, &now->x);
    for (int i = 0; i < e->nq; i++) out->x.q[i] += h * now->dq[i];
    for (int k = 0; k < e->nx; k++) out->x.X[k] += h * now->dX[k];
    out->s = to_end ? (now->ds > 0 ? 1 : 0) : now->s + h * now->ds;
    hol_status st = correct(w, now, to_end, out, c, count);
    if (!st) st = take_tangent(w, now, c, out);
    out->negative = c->at.e.negative;
    out->neutral = c->at.e.neutral;
    return st;
}

// Of the angle between two tangents, by natural sizes.
static double cosine(const walk *w, const place *a, const place *b)
{
    const hol_equations *e = w->first->k.s;
    double ab = a->ds * b->ds, aa = a->ds * a->ds, bb = b->ds * b->ds;
    for (int i = 0; i < e->nq; i++) {
        const double size = e->q_size[i] * e->q_size[i];
        ab += a->dq[i] * b->dq[i] / size;
        aa += a->dq[i] * a->dq[i] / size;
        bb += b->dq[i] * b->dq[i] / size;
    }
    return ab / sqrt(aa * bb);
}

// A point of the result.
static hol_status record(walk *w, hol_slice *c, place *p, hol_static_kind at)
{
    hol_statics *s = &w->o->s;
    const hol_status st = hol_statics_add(w->o, &c->at);
    if (st) return st;
    hol_static_point *point = &s->point[s->n_points - 1];
    point->branch = w->branch;
    point->at = at;
    point->parameter = w->o->from + p->s * (w->o->to - w->o->from);
    point->slope = p->ds;
    if (at == HOL_STATIC_FOLD || at == HOL_STATIC_BIFURCATION) point->stiffness = 0; // to rounding
    p->stable = point->stable;
    return HOL_OK;
}

// ---- what lies between two points -----------------------------------------------------------------------------------

// What is 0 at such a point: the slope; the eigenvalue number k of those that are not neutral.
static double sought(const walk *w, hol_static_kind kind, int k, const place *p, const hol_slice *c)
{
    const hol_equilibrium *e = &c->at.e;
    if (kind == HOL_STATIC_FOLD) return p->ds;
    if (e->neutral > w->now.neutral) return 0;
    return e->stiffness[k < e->negative ? k : k + e->neutral];
}

// State and tangent.
static void copy_place(const walk *w, const place *from, place *to)
{
    const hol_equations *e = w->first->k.s;
    hol_state_copy(e, &to->x, &from->x);
    memcpy(to->dq, from->dq, (size_t)e->nq * sizeof *to->dq);
    memcpy(to->dX, from->dX, (size_t)e->nx * sizeof *to->dX);
    to->s = from->s;
    to->ds = from->ds;
    to->negative = from->negative;
    to->neutral = from->neutral;
    to->stable = from->stable;
}

// Between now (0) and a step of h: the place in w->seek and its model, by regula falsi (Illinois).
static hol_status locate(walk *w, hol_static_kind kind, int k, double h, double at_now, double at_next,
                         hol_slice *c)
{
    double lo = 0, hi = h, a = at_now, b = at_next;
    int count, side = 0;
    hol_status st = HOL_OK;
    for (int i = 0; i < MOST_SECANTS && !st; i++) {
        const double x = (lo * b - hi * a) / (b - a);
        st = advance(w, x, false, &w->seek, c, &count);
        if (st) break;
        const double f = sought(w, kind, k, &w->seek, c);
        if (fabs(f) <= LOCATED * fmax(fabs(at_now), fabs(at_next)) || hi - lo <= LOCATED * h) break;
        const bool same = (f > 0) == (b > 0);
        if (same) {
            hi = x, b = f;
            if (side > 0) a /= 2;
            side = 1;
        } else {
            lo = x, a = f;
            if (side < 0) b /= 2;
            side = -1;
        }
    }
    return st;
}

// Where stability changes without either: bisection.
static hol_status bisect(walk *w, double h, bool stable_now, hol_slice *c)
{
    double lo = 0, hi = h, growth = 0;
    int count;
    hol_status st = HOL_OK;
    for (int i = 0; i < MOST_SECANTS && !st; i++) {
        st = advance(w, 0.5 * (lo + hi), false, &w->seek, c, &count);
        if (!st) st = hol_equilibrium_growth(w->ctx, c->at.k.s, &c->at.x, &growth);
        if ((growth > 0) == !stable_now)
            lo = 0.5 * (lo + hi);
        else
            hi = 0.5 * (lo + hi);
    }
    return st;
}

// A place at which others cross is kept, its tangent along the direction that has lost its stiffness.
static hol_status keep_crossing(walk *w, int k, const hol_slice *c)
{
    const hol_equilibrium *e = &c->at.e;
    const hol_equations *q = w->first->k.s;
    if (w->n_found == MOST_BRANCHES || w->branch) return HOL_OK;
    place *p = &w->found[w->n_found];
    hol_status st = hol_state_create(q, &p->x);
    p->dq = hol_calloc(w->ctx, (size_t)(q->nq + q->nx) + 1, sizeof *p->dq);
    w->n_found++;
    if (st || !p->dq) return HOL_ERR_MEMORY;
    p->dX = p->dq + q->nq;
    copy_place(w, &w->seek, p);
    const int j = k + (e->neutral > w->now.neutral || k < e->negative ? 0 : e->neutral), d = e->r.d;
    memset(p->dq, 0, (size_t)(q->nq + q->nx) * sizeof *p->dq);
    for (int l = 0; l < d; l++)
        for (int i = 0; i < q->nq; i++)
            p->dq[i] +=
                e->shape[(size_t)j * (size_t)d + (size_t)l] * e->r.N[(size_t)l * (size_t)q->nq + (size_t)i];
    p->ds = 0;
    return HOL_OK;
}

// Folds, bifurcations and changes between now and next, which a step of h has reached; their points.
static hol_status look_between(walk *w, double h, const hol_slice *end, bool stable_next)
{
    const place *now = &w->now, *next = &w->next;
    const bool fold = now->ds * next->ds < 0;
    const int change = next->negative - now->negative, crossing = change > 0 ? now->negative : next->negative;
    hol_slice c = {0};
    hol_status st = HOL_OK;
    if (fold) {
        st = locate(w, HOL_STATIC_FOLD, 0, h, now->ds, next->ds, &c);
        if (!st) st = record(w, &c, &w->seek, HOL_STATIC_FOLD);
        hol_slice_close(&c);
    }
    if (!st && change && !(fold && (change == 1 || change == -1)) && now->neutral == next->neutral) {

        const double at_next = sought(w, HOL_STATIC_BIFURCATION, crossing, next, end);
        st = locate(w, HOL_STATIC_BIFURCATION, crossing, h, -at_next, at_next, &c);
        if (!st) st = record(w, &c, &w->seek, HOL_STATIC_BIFURCATION);
        if (!st) st = keep_crossing(w, crossing, &c);
        hol_slice_close(&c);
    }
    if (!st && !fold && !change && now->stable != stable_next) {
        st = bisect(w, h, now->stable, &c);
        if (!st) st = record(w, &c, &w->seek, HOL_STATIC_CHANGE);
        hol_slice_close(&c);
    }
    return st;
}

// ---- a branch -------------------------------------------------------------------------------------------------------

// From w->now along its tangent until the parameter leaves its range.
static hol_status follow(walk *w)
{
    double h = FIRST;
    int n = 0, count;
    hol_status st = HOL_OK;
    while (!st && n++ < MOST_POINTS) {
        const hol_equations *e = w->first->k.s;
        double most = 0;
        for (int i = 0; i < e->nq; i++) most = fmax(most, fabs(w->now.dq[i]) / e->q_size[i]);
        if (h * most > FARTHEST) h = FARTHEST / most;
        const double left = w->now.ds > 0   ? (1 - w->now.s) / w->now.ds
                            : w->now.ds < 0 ? -w->now.s / w->now.ds
                                            : HOL_INF;
        const bool last = left <= h * (1 + CLOSE);
        if (last && left <= CLOSE && w->now.s > 0 && n > 1) return HOL_OK;
        hol_slice c = {0};
        st = advance(w, last ? left : h, last, &w->next, &c, &count);
        const bool bent = !st && cosine(w, &w->now, &w->next) < BENT;
        if (st < 0 && st != HOL_ERR_MEMORY && st != HOL_ERR_CANCELLED && st != HOL_ERR_USAGE) {
            hol_context_clear(w->ctx); // no model at such a value
            st = HOL_RECOVERABLE;
        }
        if (st > 0 || (bent && h > 1e3 * SHORTEST)) {
            hol_slice_close(&c);
            h = fmin(h, last ? left : h) * 0.5;
            if (h < SHORTEST) break;
            st = HOL_OK;
            continue;
        }
        double growth = 0;
        if (!st && !w->first->k.s->nk) st = hol_equilibrium_growth(w->ctx, c.at.k.s, &c.at.x, &growth);
        if (!st) st = look_between(w, last ? left : h, &c, !c.at.e.negative && !(growth > 0));
        if (!st) st = record(w, &c, &w->next, HOL_STATIC_REGULAR);
        hol_slice_close(&c);
        if (!st) copy_place(w, &w->next, &w->now);
        if (st || last) return st;
        h = fmin(LONGEST, count <= FEW_CORRECTIONS ? 1.5 * h : count >= MANY_CORRECTIONS ? 0.5 * h : h);
    }
    if (st < 0) return st;
    if (w->o->s.ended) return HOL_OK;
    w->o->s.ended = hol_arena_print(w->o->arena, "the branch cannot be followed beyond %s = %.9g (%s)",
                                    w->o->s.parameter, w->o->from + w->now.s * (w->o->to - w->o->from),
                                    n > MOST_POINTS ? "too many points" : "the steps become too short");
    return w->o->s.ended ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status create_place(const hol_equations *e, place *p)
{
    const hol_status st = hol_state_create(e, &p->x);
    p->dq = hol_calloc(e->ctx, (size_t)(e->nq + e->nx) + 1, sizeof *p->dq);
    p->dX = p->dq ? p->dq + e->nq : NULL;
    return st ? st : p->dq ? HOL_OK : HOL_ERR_MEMORY;
}

static void destroy_place(place *p)
{
    hol_state_destroy(&p->x);
    hol_free(p->dq);
}

// Places, the bordered matrix, and vectors.
static hol_status make_room(walk *w)
{
    const hol_equations *e = w->first->k.s;
    const size_t nq = (size_t)e->nq, n = (size_t)(e->nq - e->nc + e->nx) + 1;
    w->J = hol_calloc(w->ctx, n * n + 2 * n + 3 * nq + 1, sizeof *w->J);
    if (!w->J) return HOL_ERR_MEMORY;
    w->z = w->J + n * n;
    w->by = w->z + n;
    w->qs = w->by + n;
    w->u[0] = w->qs + nq;
    w->u[1] = w->u[0] + nq;
    hol_status st = create_place(e, &w->now);
    if (!st) st = create_place(e, &w->next);
    return st ? st : create_place(e, &w->seek);
}

// The branch of the first point, with s growing.
static hol_status follow_first(walk *w)
{
    hol_slice c = {0};
    hol_state_copy(w->first->k.s, &w->now.x, &w->first->x);
    w->now.s = 0;
    w->now.ds = 1;
    hol_status st = open_slice(w, 0, &w->now.x, &c);
    if (!st) st = hol_equilibrium_look(w->ctx, &c.at.k, &c.at.rank, &c.at.x, &c.at.e);
    if (!st) st = find_slope(w, 0, &c);
    if (!st) st = take_tangent(w, &w->now, &c, &w->now);
    w->now.negative = c.at.e.negative;
    w->now.neutral = c.at.e.neutral;
    hol_static_point *point = &w->o->s.point[0];
    w->now.stable = point->stable;
    point->parameter = w->o->from;
    point->slope = w->now.ds;
    hol_slice_close(&c);
    if (st > 0)
        return hol_fail(w->ctx, HOL_ERR_INTEGRATION, "the branch has no direction at %s = %.9g",
                        w->o->s.parameter, w->o->from);
    return st ? st : follow(w);
}

hol_status hol_statics_follow(hol_statics_data *o, const hol_at_rest *from, bool branches)
{
    walk w = {.o = o, .ctx = o->ctx, .first = from};
    hol_status st = make_room(&w);
    if (!st) st = follow_first(&w);
    for (int i = 0; i < 2 * w.n_found && branches && !st; i++) {
        w.branch = i + 1;
        copy_place(&w, &w.found[i / 2], &w.now);
        w.now.neutral = o->s.point[0].neutral;
        for (int k = 0; k < from->k.s->nq && i % 2; k++) w.now.dq[k] = -w.now.dq[k];
        st = follow(&w);
    }
    for (int i = 0; i < w.n_found; i++) destroy_place(&w.found[i]);
    destroy_place(&w.now);
    destroy_place(&w.next);
    destroy_place(&w.seek);
    hol_free(w.J);
    return st;
}
