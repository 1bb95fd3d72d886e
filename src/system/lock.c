// Locks: the constraints Phi(q, t) = 0 fold along the time, so that no pose exists behind it. Where the smallest singular value sigma
// of Phi_q comes to 0, with mu its left singular vector (system/weak.h),
//
//     fold:      mu . Phi_t stays, so that the motion that Phi_t asks for, mu . Phi_t / sigma along the weak direction, grows without
//                bound; sigma^2 = c (t* - t)                                                          (9.15)
//     crossing:  mu . Phi_t falls with sigma: another branch meets this one, and the motion goes on
//
// all in rows of natural size. t* follows from sigma^2 at the pose and a little before it; where nothing is free but the time, the
// curve of poses is followed to it. docs/theory.md, sections 9.6 and 19.2.
#include "system/lock.h"
#include "system/curve.h"
#include "system/weak.h"

#include <math.h>
#include <string.h>

#define FOLD 100      // times as fast as the largest of Phi_t: more is without bound
#define BEFORE 0.01   // the way to the pose before, by sigma
#define FALLS 0.5     // power of sigma by which mu . Phi_t falls at a crossing; it is 1 there, 0 at a fold
#define ROUNDING 1e-6 // sigma below which t* is the time of the pose

// Part of row i in mu . Phi_t.
static double part(const hol_equations *s, const double *mu, const double *phi_t, int i)
{
    return mu[i] * phi_t[s->model_row[i]];
}

// mu . Phi_t; *all: the size of Phi_t. phi_t: of all model rows.
static double drive_along(const hol_equations *s, const double *mu, const double *phi_t, double *all)
{
    double along = 0, sum = 0;
    for (int i = 0; i < s->nc; i++) {
        const double rate = phi_t[s->model_row[i]] / s->row_size[i];
        along += part(s, mu, phi_t, i);
        sum += rate * rate;
    }
    *all = sqrt(sum);
    return along;
}

// A pose a little before another one.
typedef struct {
    double dt;    // how much earlier; 0: there is none [s]
    double sigma; // there
    double along; // mu . Phi_t there
} earlier;

// That on the tangent at x. mu, phi_t: room.
static earlier look_before(hol_kernel *k, const hol_state *x, double sigma, hol_state *before, double *mu,
                           double *phi_t)
{
    const double speed = hol_equations_coordinate_norm(k->s, x->v), dt = BEFORE * sigma / speed;
    earlier out = {0};
    double all;
    if (!(sigma > ROUNDING) || !isfinite(dt)) return out;
    hol_state_copy(k->s, before, x);
    before->t = x->t - dt;
    for (int i = 0; i < k->s->nq; i++) before->q[i] -= dt * x->v[i];
    out.dt = dt;
    out.sigma = hol_weakest(k, before, mu);
    hol_equations_phi_t_all(k->s, before->t, before->q, phi_t);
    out.along = drive_along(k->s, mu, phi_t, &all);
    return out;
}

// Does mu . Phi_t fall with sigma on the way to x? Where a driver touches a dead centre all of Phi_t does. Or does sigma grow, behind a pose?
static bool passes(const earlier *before, double sigma, double along)
{
    const double more = fabs(before->along) / fabs(along) - 1, grown = before->sigma / sigma - 1;
    return before->dt > 0 && (grown <= 0 || more > FALLS * grown);
}

// The element with the largest part in mu . Phi_t.
static const hol_element *drives(const hol_equations *s, const double *mu, const double *phi_t)
{
    const hol_element *most = NULL;
    double largest = 0;
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        double sum = 0;
        for (int i = 0; i < e->n_rows; i++)
            if (s->active[e->row + i] >= 0) sum += part(s, mu, phi_t, s->active[e->row + i]);
        if (fabs(sum) > largest) {
            largest = fabs(sum);
            most = e;
        }
    }
    return most;
}

// t* - t by the chord of sigma^2 from a pose before x; 0 where sigma does not fall.
static double time_left(const earlier *before, double sigma)
{
    const double left = before->dt / (before->sigma * before->sigma / (sigma * sigma) - 1);
    return before->dt > 0 && before->sigma > sigma && isfinite(left) ? left : 0;
}

#define FAR 0.3 // natural sizes along the curve of poses within which the fold is

// t* by the curve of poses, where there is one and it turns near x; 0: it is not found.
static double time_of_turn(hol_equations *s, const hol_state *x)
{
    hol_curve c = {0};
    double time = 0;
    if (s->nc != s->nq || s->nk || s->nq >= HOL_CURVE_MOST) return 0;
    if (!hol_curve_create(s->ctx, s, x, -1, &c) && !hol_curve_turning_point(&c, FAR)) time = c.x.t;
    hol_curve_destroy(&c);
    return time;
}

// To where what drives comes, at a fold that is `left` ahead by the chord.
static void describe(hol_kernel *k, const hol_state *x, double left, hol_lock *out)
{
    const hol_element *by = out->by;
    const double chord = x->t + left, turn = time_of_turn(k->s, x);
    // the joints hold to rounding, so that the state may be behind the turn by that
    out->exact = turn > 0 && fabs(turn - x->t) < 10 * fmax(chord - x->t, 1e-6 * k->s->m->time_scale);
    out->time = out->exact ? turn : chord;
    out->driven = by->type->role == HOL_ROLE_DRIVER;
    if (!out->driven) return;
    hol_real jet[4];
    hol_expr_jet(((const hol_prims *)by->data)->p[0].set, out->time, jet);
    out->value = hol_re(jet[0]);
}

bool hol_find_lock(hol_kernel *k, const hol_state *x, hol_lock *out)
{
    const hol_equations *s = k->s;
    hol_state room = {0};
    double all;
    memset(out, 0, sizeof *out);
    if (!s->nc || hol_kernel_need(k)) return false;
    double *mu = k->work + s->n, *phi_t = mu + s->nc; // nc <= n, and m->nc behind
    const double sigma = hol_weakest(k, x, mu);
    if (!(sigma < HOL_WEAK) || hol_state_create(s, &room)) return false;
    hol_equations_phi_t_all(s, x->t, x->q, phi_t);
    const double along = drive_along(s, mu, phi_t, &all);
    if (fabs(along) > FOLD * sigma * all) out->by = drives(s, mu, phi_t);
    if (out->by) {
        hol_weak_names(s, mu, out->joints, sizeof out->joints);
        const earlier before = look_before(k, x, sigma, &room, mu, phi_t);
        if (passes(&before, sigma, along)) out->by = NULL;
        if (out->by) describe(k, x, time_left(&before, sigma), out);
    }
    if (out->time - x->t > k->s->m->time_scale) out->by = NULL; // far ahead
    hol_state_destroy(&room);
    return out->by != NULL;
}
