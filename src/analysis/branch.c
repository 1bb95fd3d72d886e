// Branches of equilibria over a parameter (docs/theory.md, section 20.5): pseudo-arclength continuation in the tangent space of the joints,
// with folds, bifurcations and changes of stability between its points. The model is read again for each value: lengths, masses and
// numbers of joints are parameters as loads are.
#include "analysis/branch_data.h"
#include "analysis/contacts.h"
#include "analysis/sticking.h"
#include "analysis/verdict.h"
#include "linalg/dense.h"
#include "system/initial.h"
#include "system/weak.h"

#include <math.h>
#include <string.h>

enum {
    MOST_POINTS = 2000,
    STRETCH = 50, // points after which the parameter should have gone on
    MOST_CORRECTIONS = 12,
    MANY_CORRECTIONS = 7,
    FEW_CORRECTIONS = 4,
    MOST_SECANTS = 40,
    MOST_EVADED = 4
};
#define FIRST 0.02 // step along the arc: natural sizes, and part of the parameter's range
#define LONGEST 0.1
#define SHORTEST 1e-7
#define NEAR 0.05       // smallest singular value of the joints' equations, where the parameter stands
#define STANDS 1e-3     // part of the range in so many points
#define FARTHEST 0.2    // of a coordinate in one step, by natural size
#define BENT 0.94       // cosine of 20 degrees between tangents
#define CONVERGED 1e-12 // correction
#define CLOSE 1e-8      // correction below which it may be rounding
#define LOCATED 1e-13   // of the step
#define FLAT 1e-12
#define ARRIVED 0.5 // part of a step that is one
#define FIRM 1e5    // weight of what is to be 0 beside what is to be small
#define OPENS 1e-3  // of the largest force of a contact

// ---- the bordered matrix ------------------------------------------------------------------------------------------

// What (20.5) is solved for: what is left, by a step across the tangent or with s held; the tangent; the tangent of the branch that crosses
// at a bifurcation, where s grows and what goes along t does not.
typedef enum { TO_BRANCH, TO_BRANCH_AT_S, TANGENT, TANGENT_ACROSS } aim;

// Rows in units of an energy, columns of natural sizes; the last row is the tangent t, or holds s. The solution in w->z.
static hol_status solve(hol_branch *w, const hol_branch_place *t, const hol_slice *c, aim what)
{
    const hol_reduced *r = &c->at.e.r;
    const int d = r->d, n = r->n, size = n + 1;
    const size_t nq = (size_t)r->s->nq;
    const bool held = what == TO_BRANCH_AT_S, across = what == TANGENT_ACROSS;
    double most = 0, slope = 0;
    int rank;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) most = fmax(most, fabs(r->A[(size_t)j * (size_t)n + (size_t)i]));
    if (most == 0) most = c->at.e.balance.against > 0 ? c->at.e.balance.against : 1;
    for (int i = 0; i < n; i++) {
        const hol_branch_row kind = hol_branch_row_of(c, i);
        const double row = hol_branch_weight_of(c, kind, i, most),
                     by = row * hol_branch_left_by_s(w, c, kind, i);
        for (int j = 0; j < n; j++)
            w->J[j * size + i] =
                row * hol_branch_left_by(w, c, kind, i, j) * (j < d ? 1 : hol_branch_state_size(c, j - d));
        w->J[n * size + i] = across ? 0 : by;
        slope = hol_larger(fabs(by), slope);
        w->z[i] = across ? -by : what == TANGENT ? 0 : -row * hol_branch_left_in(w, c, kind, i);
    }
    for (int j = 0; j < n; j++) {
        double along = 0;
        for (size_t i = 0; i < nq && j < d; i++) along += r->WN[(size_t)j * nq + i] * t->dq[i];
        if (j >= d) along = t->dX[j - d] / hol_branch_state_size(c, j - d);
        w->J[j * size + n] = held ? 0 : (across ? FIRM * (most + slope) : most) * along;
    }
    w->J[n * size + n] = held ? most : across ? 0 : most * t->ds;
    w->z[n] = what == TANGENT ? most : 0;
    const hol_status st = hol_dense_least_norm(w->ctx, size, size, w->J, w->z, FLAT, &rank);
    if (held) w->z[n] = 0;
    if (across) w->z[n] = 1;
    return st > 0 || hol_all_finite(w->z, (size_t)size) ? st : HOL_RECOVERABLE;
}

// The solution as a change of coordinates, states and s, times factor.
static void add(hol_branch *w, const hol_slice *c, double factor, double *q, double *X, double *s)
{
    const hol_reduced *r = &c->at.e.r;
    const size_t nq = (size_t)r->s->nq;
    for (size_t i = 0; i < nq; i++) {
        double sum = w->qs[i] * w->z[r->n];
        for (int j = 0; j < r->d; j++) sum += w->z[j] * r->N[(size_t)j * nq + i];
        q[i] += factor * sum;
    }
    for (int k = 0; k < r->s->nx; k++) X[k] += factor * w->z[r->d + k] * hol_branch_state_size(c, k);
    *s += factor * w->z[r->n];
}

static double length(const hol_branch *w, int n)
{
    double sum = 0;
    for (int i = 0; i <= n; i++) sum += w->z[i] * w->z[i];
    return sqrt(sum);
}

// The tangent at a point, on the side of t, or that of the branch that crosses t there, with s growing.
static hol_status take_tangent(hol_branch *w, const hol_branch_place *t, const hol_slice *c, aim what,
                               hol_branch_place *out)
{
    const hol_equations *e = c->at.k.s;
    hol_status st = solve(w, t, c, what);
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

// The step from t has come to rest. HOL_RECOVERABLE: where forces do not balance, or not as far along the arc as it was to go. Either is what
// least squares make of (20.5) where a force grows with s along a direction that nothing holds.
static hol_status check(hol_branch *w, const hol_branch_place *t, double h, bool holds,
                        const hol_branch_place *at, const hol_slice *c)
{
    const hol_equations *e = c->at.k.s; // natural sizes change with s
    double way = (at->s - t->s) * t->ds, whole = t->ds * t->ds;
    for (int i = 0; i < e->nq; i++) {
        const double size = e->q_size[i] * e->q_size[i];
        way += (at->x.q[i] - t->x.q[i]) * t->dq[i] / size;
        whole += t->dq[i] * t->dq[i] / size;
    }
    for (int k = 0; k < e->nx; k++) {
        const double size = hol_branch_state_size(c, k) * hol_branch_state_size(c, k);
        way += (at->x.X[k] - t->x.X[k]) * t->dX[k] / size;
        whole += t->dX[k] * t->dX[k] / size;
    }
    if (c->at.e.balanced && (holds || way > ARRIVED * h * whole)) return HOL_OK;
    char text[HOL_UNHELD_TEXT];
    hol_status st = hol_unheld_say(w->ctx, &c->at.e, c->at.x.q, c->at.e.left, w->o->s.parameter, text);
    if (!st && !*text) st = hol_unheld_say(w->ctx, &c->at.e, c->at.x.q, w->by, w->o->s.parameter, text);
    if (!st && *text) memcpy(w->unheld, text, sizeof text);
    return st ? st : HOL_RECOVERABLE;
}

// out->x and out->s put onto the branch, by steps across the tangent of t, or with s held; *c is the model there, *count how many steps
// it took. HOL_RECOVERABLE: they do not converge.
static hol_status correct(hol_branch *w, const hol_branch_place *t, bool holds, hol_branch_place *out,
                          hol_slice *c, int *count)
{
    double last = HOL_INF;
    bool done = false;
    hol_status st = HOL_OK;
    for (*count = 0; *count < MOST_CORRECTIONS; ++*count) {
        if (!(out->s >= -CLOSE && out->s <= 1 + CLOSE)) return HOL_RECOVERABLE;
        hol_slice_close(c);
        st = hol_branch_open(w, out->s, &out->x, c);
        if (!st) st = hol_equilibrium_look(w->ctx, &c->at.k, &c->at.rank, &c->at.x, false, &c->at.e);
        if (!st) st = hol_branch_find_slope(w, out->s, c);
        if (st) return st;
        if (done) hol_equations_remember(c->at.k.s, &c->at.x); // full turns, by those of where the step began
        hol_state_copy(c->at.k.s, &out->x, &c->at.x);
        if (done) return HOL_OK;
        st = solve(w, t, c, holds ? TO_BRANCH_AT_S : TO_BRANCH);
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
static hol_status advance(hol_branch *w, double h, bool to_end, hol_branch_place *out, hol_slice *c,
                          int *count)
{
    const hol_equations *e = w->first->k.s;
    const hol_branch_place *now = &w->now;
    hol_state_copy(e, &out->x, &now->x);
    for (int i = 0; i < e->nq; i++) out->x.q[i] += h * now->dq[i];
    for (int k = 0; k < e->nx; k++) out->x.X[k] += h * now->dX[k];
    out->s = to_end ? (now->ds > 0 ? 1 : 0) : now->s + h * now->ds;
    hol_status st = correct(w, now, to_end, out, c, count);
    if (!st) st = check(w, now, h, to_end, out, c);
    if (!st) st = take_tangent(w, now, c, TANGENT, out);
    out->negative = c->at.e.negative;
    out->neutral = c->at.e.neutral;
    return st;
}

// Of the angle between two tangents, by natural sizes.
static double cosine(const hol_branch *w, const hol_branch_place *a, const hol_branch_place *b)
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

// The same between the tangent at a and the way to b: elsewhere than along it there is another part of the branch, beyond folds that the step would
// go over.
static double cosine_to(const hol_branch *w, const hol_branch_place *a, const hol_branch_place *b)
{
    const hol_equations *e = w->first->k.s;
    const double ds = b->s - a->s;
    double ab = a->ds * ds, aa = a->ds * a->ds, bb = ds * ds;
    for (int i = 0; i < e->nq; i++) {
        const double size = e->q_size[i] * e->q_size[i], dq = b->x.q[i] - a->x.q[i];
        ab += a->dq[i] * dq / size;
        aa += a->dq[i] * a->dq[i] / size;
        bb += dq * dq / size;
    }
    return ab / sqrt(aa * bb);
}

// A point of the result.
static hol_status record(hol_branch *w, hol_slice *c, hol_branch_place *p, hol_static_kind at)
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
    // two equilibria meet there, and a push on leaves both, whatever sign rounding has given to the stiffness
    if (at == HOL_STATIC_FOLD) point->stable = false;
    return HOL_OK;
}

// ---- what lies between two points -----------------------------------------------------------------------------------

// What is 0 at such a point: the slope; the eigenvalue number k of those that are not neutral.
static double sought(const hol_branch *w, hol_static_kind kind, int k, const hol_branch_place *p,
                     const hol_slice *c)
{
    const hol_equilibrium *e = &c->at.e;
    if (kind == HOL_STATIC_FOLD) return p->ds;
    if (e->neutral > w->now.neutral) return 0;
    return e->stiffness[k < e->negative ? k : k + e->neutral];
}

// State and tangent.
static void copy_place(const hol_branch *w, const hol_branch_place *from, hol_branch_place *to)
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

// A step of x to w->seek; where the matrix is singular its corrections may not converge: somewhere else between lo and hi.
static hol_status evade(hol_branch *w, double lo, double hi, double *x, hol_slice *c)
{
    int count;
    hol_status st = advance(w, *x, false, &w->seek, c, &count);
    for (int i = 0; i < MOST_EVADED && st > 0; i++) {
        *x = lo + (hi - lo) * (0.35 + 0.1 * i);
        st = advance(w, *x, false, &w->seek, c, &count);
    }
    return st;
}

// Between now (0) and a step of h: the place in w->seek and its model, by regula falsi (Illinois); as near as corrections converge.
static hol_status locate(hol_branch *w, hol_static_kind kind, int k, double h, double at_now, double at_next,
                         hol_slice *c)
{
    double lo = 0, hi = h, a = at_now, b = at_next, best = h;
    int count, side = 0;
    hol_status st = HOL_OK;
    for (int i = 0; i < MOST_SECANTS && !st; i++) {
        double x = (lo * b - hi * a) / (b - a);
        st = evade(w, lo, hi, &x, c);
        if (st) break;
        best = x;
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
    return st > 0 ? advance(w, best, false, &w->seek, c, &count) : st;
}

// Where stability changes without either: bisection.
static hol_status bisect(hol_branch *w, double h, bool stable_now, hol_slice *c)
{
    double lo = 0, hi = h, growth = 0;
    int count;
    hol_status st = HOL_OK;
    for (int i = 0; i < MOST_SECANTS && !st; i++) {
        st = advance(w, 0.5 * (lo + hi), false, &w->seek, c, &count);
        if (!st) st = hol_verdict_growth_exactly(w->ctx, c->at.k.s, &c->at.x, &growth);
        if ((growth > 0) == !stable_now)
            lo = 0.5 * (lo + hi);
        else
            hi = 0.5 * (lo + hi);
    }
    return st;
}

static void destroy_place(hol_branch_place *p)
{
    hol_state_destroy(&p->x);
    hol_free(p->dq);
}

static hol_status create_place(const hol_equations *e, hol_branch_place *p)
{
    const hol_status st = hol_state_create(e, &p->x);
    p->dq = hol_calloc(e->ctx, (size_t)(e->nq + e->nx) + 1, sizeof *p->dq);
    p->dX = p->dq ? p->dq + e->nq : NULL;
    return st ? st : p->dq ? HOL_OK : HOL_ERR_MEMORY;
}

// Another branch begins in w->seek, with this tangent.
static hol_status keep(hol_branch *w, double sign, const double *dq, const double *dX, double ds)
{
    const hol_equations *q = w->first->k.s;
    if (w->n_found == HOL_MOST_BRANCHES || w->branch) return HOL_OK;
    hol_branch_place *p = &w->found[w->n_found++];
    hol_status st = create_place(q, p);
    if (st) return st;
    copy_place(w, &w->seek, p);
    for (int i = 0; i < q->nq; i++) p->dq[i] = sign * dq[i];
    for (int i = 0; i < q->nx; i++) p->dX[i] = dX ? sign * dX[i] : 0;
    p->ds = sign * ds;
    p->neutral = w->now.neutral;
    return HOL_OK;
}

// Others cross here, along the direction that has lost its stiffness: one to each side.
static hol_status keep_crossing(hol_branch *w, int k, const hol_slice *c)
{
    const hol_equilibrium *e = &c->at.e;
    const hol_equations *q = w->first->k.s;
    const int j = k + (e->neutral > w->now.neutral || k < e->negative ? 0 : e->neutral), d = e->r.d;
    double *dq = w->u[0];
    memset(dq, 0, (size_t)q->nq * sizeof *dq);
    for (int l = 0; l < d; l++)
        for (int i = 0; i < q->nq; i++)
            dq[i] +=
                e->shape[(size_t)j * (size_t)d + (size_t)l] * e->r.N[(size_t)l * (size_t)q->nq + (size_t)i];
    const hol_status st = keep(w, 1, dq, NULL, 0);
    return st ? st : keep(w, -1, dq, NULL, 0);
}

// The walk has come from the side to where its branch crosses another one, a pitchfork, and would go back on its other half. It goes on
// along the other one, in the direction in which the parameter went; the other half and the way back are branches of their own.
static hol_status turn(hol_branch *w, const hol_slice *c)
{
    const double forward = w->now.ds > 0 ? 1 : -1;
    hol_status st = keep(w, 1, w->seek.dq, w->seek.dX, w->seek.ds);
    if (!st) st = take_tangent(w, &w->seek, c, TANGENT_ACROSS, &w->seek);
    if (!st) st = keep(w, -forward, w->seek.dq, w->seek.dX, w->seek.ds);
    for (int i = 0; i < w->first->k.s->nq && !st; i++) w->seek.dq[i] *= forward;
    for (int i = 0; i < w->first->k.s->nx && !st; i++) w->seek.dX[i] *= forward;
    w->seek.ds *= forward;
    w->seek.neutral = w->now.neutral;
    return st;
}

// Folds, bifurcations and changes between now and next, which a step of h has reached; their points. At a fold one direction gains or loses
// its stiffness; where none does, the branch crosses another one there: *turned, and w->seek is where the walk goes on.
static hol_status look_between(hol_branch *w, double h, const hol_slice *end, bool stable_next, bool *turned)
{
    const hol_branch_place *now = &w->now, *next = &w->next;
    const bool fold = now->ds * next->ds < 0;
    const int change = next->negative - now->negative, crossing = change > 0 ? now->negative : next->negative;
    hol_slice c = {0};
    hol_status st = HOL_OK;
    *turned = fold && !change && now->neutral == next->neutral && end->at.e.symmetric;
    if (fold) {
        st = locate(w, HOL_STATIC_FOLD, 0, h, now->ds, next->ds, &c);
        if (!st) st = record(w, &c, &w->seek, *turned ? HOL_STATIC_BIFURCATION : HOL_STATIC_FOLD);
        if (!st && *turned) st = turn(w, &c);
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

// Where there is no model at a value of the parameter, or the way bends, a shorter step is wanted: HOL_RECOVERABLE.
static hol_status go(hol_branch *w, double h, bool last, bool may_bend, hol_slice *c, int *count)
{
    const hol_status st = advance(w, h, last, &w->next, c, count);
    if (st < 0 && st != HOL_ERR_MEMORY && st != HOL_ERR_CANCELLED && st != HOL_ERR_USAGE) {
        hol_context_clear(w->ctx);
        return HOL_RECOVERABLE;
    }
    if (st || may_bend) return st;
    return cosine(w, &w->now, &w->next) < BENT || cosine_to(w, &w->now, &w->next) < BENT ? HOL_RECOVERABLE
                                                                                         : HOL_OK;
}

// Points and branches that a step has recorded which is taken again.
static void forget(hol_branch *w, int n_points, int n_found)
{
    w->o->s.n_points = n_points;
    while (w->n_found > n_found) {
        destroy_place(&w->found[--w->n_found]);
        w->found[w->n_found] = (hol_branch_place){0};
    }
}

// The point as before, with what forces of higher order do where the stiffness vanishes.
static hol_status look_aside(hol_branch *w, hol_slice *c)
{
    hol_equilibrium_destroy(&c->at.e);
    return hol_equilibrium_look(w->ctx, &c->at.k, &c->at.rank, &c->at.x, true, &c->at.e);
}

// What lies before the new point, and the point, from which the walk goes on unless it has *turned.
static hol_status arrive(hol_branch *w, double h, hol_slice *c, bool *turned)
{
    const int n_points = w->o->s.n_points, n_found = w->n_found;
    double growth = 0;
    hol_status st = HOL_OK;
    *turned = false;
    if (c->at.e.neutral) st = look_aside(w, c);
    if (!st && !w->first->k.s->nk) st = hol_verdict_growth(w->ctx, c->at.k.s, &c->at.x, &growth);
    if (!st && !w->leaves) st = look_between(w, h, c, hol_verdict_stays(&c->at.e, growth), turned);
    if (!st && !*turned) st = record(w, c, &w->next, HOL_STATIC_REGULAR);
    if (st > 0) forget(w, n_points, n_found);
    if (st) return st;
    copy_place(w, *turned ? &w->seek : &w->next, &w->now);
    *w->unheld = 0;
    w->leaves = *turned;
    return HOL_OK;
}

// How long a step may be for the sake of the coordinates.
static double shortened(const hol_branch *w, double h)
{
    const hol_equations *e = w->first->k.s;
    double most = 0;
    for (int i = 0; i < e->nq; i++) most = hol_larger(fabs(w->now.dq[i]) / e->q_size[i], most);
    return h * most > FARTHEST ? FARTHEST / most : h;
}

// Arc up to the end of the parameter's range, along the tangent.
static double arc_left(const hol_branch_place *p)
{
    return p->ds > 0 ? (1 - p->s) / p->ds : p->ds < 0 ? -p->s / p->ds : HOL_INF;
}

// Why the branch ends before the range does.
static hol_status tell_end(hol_branch *w, const char *why)
{
    if (w->o->s.ended) return HOL_OK;
    w->o->s.ended = hol_arena_print(w->o->arena, "the branch cannot be followed beyond %s = %.9g (%s)",
                                    w->o->s.parameter, w->o->from + w->now.s * (w->o->to - w->o->from), why);
    return w->o->s.ended ? HOL_OK : HOL_ERR_MEMORY;
}

// The contact that presses with next to nothing beside the others, which opens: an edge, behind which the branch may go anywhere; NULL: none.
static const char *opening(const hol_branch *w)
{
    const hol_model_data *m = w->o->m;
    const hol_element *least = NULL;
    double low = HOL_INF, high = 0;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        hol_contact_state at;
        if (m->element[i].type != &hol_force_contact) continue;
        hol_contact_at(m, &m->element[i], &w->now.x, &at);
        high = fmax(high, at.F);
        if (!(at.F > 0 && at.F < low)) continue;
        low = at.F;
        least = &m->element[i];
    }
    return least && low < OPENS * high ? least->name : NULL;
}

// The bristle, a state, whose friction gives way altogether at a place; -1: none does.
static int sliding(const hol_branch *w, const hol_branch_place *p)
{
    double part;
    const int k = w->sticks ? hol_sticking_fullest(w->first->k.s->m, &p->x, &part) : -1;
    return k >= 0 && part > 1 ? k : -1;
}

// Has the parameter turned back where friction slides and no stiffness has gone? That is no fold: the model goes anywhere at one value.
static bool slides_on(const hol_branch *w)
{
    return w->now.ds * w->next.ds < 0 && w->now.negative == w->next.negative && sliding(w, &w->next) >= 0;
}

static hol_status tell_slide(hol_branch *w, int k)
{
    char why[200];
    hol_decimal_print(why, sizeof why, "friction holds no more there: what %s is stretched by slides",
                      w->first->k.s->m->state[k].name);
    return tell_end(w, why);
}

// Steps that become too short, where they do at an edge.
static hol_status tell_short(hol_branch *w)
{
    char why[200];
    const char *name = opening(w);
    const int slides = fabs(w->now.ds) < STANDS ? sliding(w, &w->now) : -1;
    if (slides >= 0) return tell_slide(w, slides);
    if (name)
        hol_decimal_print(why, sizeof why, "the steps become too short at an edge: contact %s opens there",
                          name);
    return tell_end(w, name ? why : *w->unheld ? w->unheld : "the steps become too short");
}

// Has the parameter come to a stand at a singular pose, where the joints cannot be closed beyond? Looked at now and then; *mark: where it
// was before. Writes what is told then; the slice is of no use afterwards.
static bool is_at_end(const hol_branch *w, int n, double *mark, hol_slice *c, char *text, size_t room)
{
    char joints[200];
    if (n % STRETCH) return false;
    const bool stands = fabs(w->now.s - *mark) < STANDS;
    *mark = w->now.s;
    if (!stands || !c->at.k.s->nc || hol_kernel_need(&c->at.k)) return false;
    double *mu = c->at.k.work + c->at.k.s->n;
    if (!(hol_weakest(&c->at.k, &c->at.x, mu) < NEAR)) return false;
    hol_weak_names(c->at.k.s, mu, joints, sizeof joints);
    snprintf(text, room,
             "a singular pose is near: the equations of %s lose their independence there, as where links "
             "come into line",
             joints);
    return true;
}

// From w->now along its tangent until the parameter leaves its range.
static hol_status follow(hol_branch *w)
{
    double h = FIRST, mark = -1;
    int n = 0, count, known = 0; // points at which the slip has been found
    char singular[400];
    hol_status st = HOL_OK;
    while (!st && n++ < MOST_POINTS) {
        if (known < w->o->s.n_points) st = hol_branch_find_slip(w);
        if (st) break;
        known = w->o->s.n_points;
        h = shortened(w, h);
        const double left = arc_left(&w->now);
        const bool last = left <= h * (1 + CLOSE);
        if (last && left <= CLOSE && w->now.s > 0 && n > 1) return HOL_OK;
        const double step = last ? left : h;
        bool turned = false;
        hol_slice c = {0};
        st = go(w, step, last, h <= 1e3 * SHORTEST, &c, &count);
        const bool slides = !st && slides_on(w);
        if (!st && !slides) st = arrive(w, step, &c, &turned);
        const bool at_end =
            !st && !turned && !slides && is_at_end(w, n, &mark, &c, singular, sizeof singular);
        hol_slice_close(&c);
        if (slides) return tell_slide(w, sliding(w, &w->next));
        if (at_end) return tell_end(w, singular);
        if (st < 0 || (!st && last && !turned)) return st;
        if (st > 0) {
            h = fmin(h, step) * 0.5;
            if (h < SHORTEST) break;
            st = HOL_OK;
        } else
            h = turned                      ? FIRST
                : count <= FEW_CORRECTIONS  ? fmin(LONGEST, 1.5 * h)
                : count >= MANY_CORRECTIONS ? 0.5 * h
                                            : h;
    }
    return n > MOST_POINTS ? tell_end(w, "too many points") : tell_short(w);
}

// Places, the bordered matrix, and vectors.
static hol_status make_room(hol_branch *w)
{
    const hol_equations *e = w->first->k.s;
    const size_t nq = (size_t)e->nq, n = (size_t)(e->nq - e->nc + e->nx) + 1;
    const size_t nx = (size_t)e->nx;
    w->J = hol_calloc(w->ctx, n * n + 2 * n + 4 * nq + nx * nq + 2 * nx + 1, sizeof *w->J);
    if (!w->J) return HOL_ERR_MEMORY;
    w->z = w->J + n * n;
    w->by = w->z + n;
    w->qs = w->by + n;
    w->u[0] = w->qs + nq;
    w->u[1] = w->u[0] + nq;
    w->by_now = w->u[1] + nq;
    w->slip = w->by_now + nq;
    w->rate[0] = w->slip + nx * nq;
    w->rate[1] = w->rate[0] + nx;
    for (int k = 0; k < e->nx; k++) w->sticks = w->sticks || hol_branch_is_bristle(e, k);
    hol_status st = create_place(e, &w->now);
    if (!st) st = create_place(e, &w->next);
    return st ? st : create_place(e, &w->seek);
}

// The branch of the first point, with s growing.
static hol_status follow_first(hol_branch *w)
{
    hol_slice c = {0};
    hol_state_copy(w->first->k.s, &w->now.x, &w->first->x);
    w->now.s = 0;
    w->now.ds = 1;
    hol_status st = hol_branch_open(w, 0, &w->now.x, &c);
    if (!st) st = hol_equilibrium_look(w->ctx, &c.at.k, &c.at.rank, &c.at.x, false, &c.at.e);
    if (!st) st = hol_branch_find_slope(w, 0, &c);
    if (!st) st = hol_branch_find_slip(w);
    if (!st) st = take_tangent(w, &w->now, &c, TANGENT, &w->now);
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
    hol_branch w = {.o = o, .ctx = o->ctx, .first = from};
    hol_status st = make_room(&w);
    if (!st) st = follow_first(&w);
    for (int i = 0; i < w.n_found && branches && !st; i++) {
        w.branch = i + 1;
        copy_place(&w, &w.found[i], &w.now);
        w.leaves = true;
        st = follow(&w);
    }
    for (int i = 0; i < w.n_found; i++) destroy_place(&w.found[i]);
    destroy_place(&w.now);
    destroy_place(&w.next);
    destroy_place(&w.seek);
    hol_free(w.J);
    return st;
}
