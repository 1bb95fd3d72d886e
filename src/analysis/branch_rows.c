// What is left of balance on a branch of equilibria, row by row, and how it changes: forces along the directions that the joints leave, rates
// of states, and bristles, which are stretched by the way (20.5a). docs/theory.md, section 20.5.
#include "analysis/branch_data.h"
#include "analysis/sticking.h"
#include "system/initial.h"

#include <math.h>
#include <string.h>

#define DIFFERENCE 1e-5 // of the parameter's range
#define SLOWLY                                                                                               \
    1e-6 // speed by natural size [1/s] at which bristles are looked at: dampers and their own limits of rates are nothing
#define ASIDE 1e-2 // and that aside from the way
#define LONG 1e6   // [s]: what goes back at its limit has gone

// ---- slices -----------------------------------------------------------------------------------------------------

// The model there, at a state that need not fit.
hol_status hol_branch_open(hol_branch *w, double s, const hol_state *x, hol_slice *out)
{
    const hol_fixed fixed = {w->o->s.parameter, w->o->from + s * (w->o->to - w->o->from), &w->o->nature};
    return hol_slice_open(w->o, w->first, &fixed, 1, x, out);
}

// How what is left changes with the parameter, along the directions of c, and how the joints move the coordinates.
hol_status hol_branch_find_slope(hol_branch *w, double s, const hol_slice *c)
{
    const hol_reduced *r = &c->at.e.r;
    const size_t nq = (size_t)r->s->nq;
    const double ends[2] = {fmax(0, s - DIFFERENCE), fmin(1, s + DIFFERENCE)}, h = ends[1] - ends[0];
    hol_slice side[2] = {{0}, {0}};
    hol_status st = HOL_OK;
    for (int k = 0; k < 2 && !st; k++) {
        st = hol_branch_open(w, ends[k], &c->at.x, &side[k]);
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

// ---- bristles -------------------------------------------------------------------------------------------------------

bool hol_branch_is_bristle(const hol_equations *s, int k) { return s->m->state[k].stiffness > 0; }

// How bristles are stretched as the model moves slowly: their rates by velocities, about the way that the branch goes. What holds is stretched by
// all of the slip, what gives way by a part of it, or by nothing on one side.                                  (20.5a)
static hol_status find_slip_at(hol_branch *w, hol_slice *c)
{
    const hol_reduced *r = &c->at.e.r;
    const hol_equations *s = r->s;
    const size_t nq = (size_t)s->nq;
    double size = 0;
    hol_state *x = &w->seek.x;
    for (size_t i = 0; i < nq; i++) size = hol_larger(fabs(w->now.dq[i]) / s->q_size[i], size);
    memset(w->slip, 0, nq * (size_t)s->nx * sizeof *w->slip);
    hol_state_copy(s, x, &c->at.x);
    hol_status st = HOL_OK;
    for (int j = -1; j < r->d && !st; j++) {
        for (size_t i = 0; i < nq; i++)
            x->v[i] = SLOWLY *
                      ((size > 0 ? w->now.dq[i] / size : 0) + (j < 0 ? 0 : ASIDE * r->N[(size_t)j * nq + i]));
        st = hol_start_follow(&c->at.k, x);
        for (int k = 0; k < s->nx && !st; k++) w->rate[j >= 0][k] = x->z[s->m->state[k].equation];
        for (int k = 0; k < s->nx && j >= 0 && !st; k++) {
            const double by = (w->rate[1][k] - w->rate[0][k]) / (SLOWLY * ASIDE);
            for (size_t i = 0; i < nq && hol_branch_is_bristle(s, k); i++)
                w->slip[(size_t)k * nq + i] += by * r->WN[(size_t)j * nq + i];
        }
    }
    return st;
}

// At `now`, from which the next step goes.
hol_status hol_branch_find_slip(hol_branch *w)
{
    hol_slice c = {0};
    if (!w->sticks) return HOL_OK;
    hol_status st = hol_branch_open(w, w->now.s, &w->now.x, &c);
    if (!st) st = hol_equilibrium_look(w->ctx, &c.at.k, &c.at.rank, &c.at.x, false, &c.at.e);
    if (!st) st = find_slip_at(w, &c);
    hol_slice_close(&c);
    return st;
}

// By how much bristle k is stretched where coordinates change by dq.
static double stretched(const hol_branch *w, const hol_equations *s, int k, const double *dq)
{
    double sum = 0;
    for (int i = 0; i < s->nq; i++) sum += w->slip[(size_t)k * (size_t)s->nq + (size_t)i] * dq[i];
    return sum;
}

double hol_branch_state_size(const hol_slice *c, int k) { return 1 + fabs(c->at.x.X[k]); }

static double entry(const hol_reduced *r, int i, int j) { return r->A[(size_t)j * (size_t)r->n + (size_t)i]; }

// Where nothing presses a bristle rests at 0.
hol_branch_row hol_branch_row_of(const hol_slice *c, int i)
{
    const int k = i - c->at.e.r.d;
    if (k < 0) return HOL_OF_BALANCE;
    if (!hol_branch_is_bristle(c->at.k.s, k)) return HOL_OF_RATE;
    return hol_sticking_limit(c->at.k.s->m, k, &c->at.x) > 0 ? HOL_OF_BRISTLE : HOL_OF_REST;
}

// What is left in row i: of a bristle by (20.5a), which goes back at its limit.
double hol_branch_left_in(hol_branch *w, const hol_slice *c, hol_branch_row kind, int i)
{
    const hol_equations *s = c->at.k.s;
    const int k = i - c->at.e.r.d;
    double *dq = w->by_now;
    if (kind == HOL_OF_REST) return -c->at.x.X[k];
    if (kind != HOL_OF_BRISTLE) return c->at.e.left[i];
    for (int l = 0; l < s->nq; l++) dq[l] = c->at.x.q[l] - w->now.x.q[l];
    return w->now.x.X[k] + stretched(w, s, k, dq) - c->at.x.X[k] + LONG * c->at.e.left[i];
}

// That by unknown j.
double hol_branch_left_by(const hol_branch *w, const hol_slice *c, hol_branch_row kind, int i, int j)
{
    const hol_reduced *r = &c->at.e.r;
    const double own = i == j ? -1 : 0;
    if (kind == HOL_OF_REST) return own;
    if (kind != HOL_OF_BRISTLE) return entry(r, i, j);
    const double slip = j < r->d ? stretched(w, r->s, i - r->d, r->N + (size_t)j * (size_t)r->s->nq) : 0;
    return own + slip + LONG * entry(r, i, j);
}

// And by s.
double hol_branch_left_by_s(const hol_branch *w, const hol_slice *c, hol_branch_row kind, int i)
{
    if (kind == HOL_OF_REST) return 0;
    if (kind != HOL_OF_BRISTLE) return w->by[i];
    return stretched(w, c->at.k.s, i - c->at.e.r.d, w->qs) + LONG * w->by[i];
}

// Row i is multiplied by this: `most` is the largest stiffness.
double hol_branch_weight_of(const hol_slice *c, hol_branch_row kind, int i, double most)
{
    const hol_reduced *r = &c->at.e.r;
    if (kind == HOL_OF_BALANCE) return 1;
    const double size = hol_branch_state_size(c, i - r->d);
    if (kind == HOL_OF_RATE) return most * r->s->m->time_scale / size;
    return most / size / (kind == HOL_OF_BRISTLE ? 1 + LONG * fabs(entry(r, i, i)) : 1);
}
