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
#define ROUNDING 1e-6 // sigma below which t* is the time of the pose

// Part of row i in mu . Phi_t.
static double part(const hol_equations *s, const double *mu, const double *phi_t, int i)
{
    return mu[i] * phi_t[s->model_row[i]];
}

// Is it a fold? phi_t: of all model rows.
static bool folds(const hol_equations *s, double sigma, const double *mu, const double *phi_t)
{
    double along = 0, all = 0;
    for (int i = 0; i < s->nc; i++) {
        const double size = s->row_size[i], rate = phi_t[s->model_row[i]] / size;
        along += part(s, mu, phi_t, i);
        all += rate * rate;
    }
    return fabs(along) > FOLD * sigma * sqrt(all);
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

// t* - t by the chord of sigma^2 from a pose before x, on its tangent; 0 where sigma does not fall.
static double time_left(hol_kernel *k, const hol_state *x, double sigma, hol_state *before, double *mu)
{
    const double speed = hol_equations_coordinate_norm(k->s, x->v), dt = BEFORE * sigma / speed;
    if (!(sigma > ROUNDING) || !isfinite(dt)) return 0;
    hol_state_copy(k->s, before, x);
    before->t = x->t - dt;
    for (int i = 0; i < k->s->nq; i++) before->q[i] -= dt * x->v[i];
    const double larger = hol_weakest(k, before, mu), left = dt / (larger * larger / (sigma * sigma) - 1);
    return larger > sigma && isfinite(left) ? left : 0;
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

// What is driven, to where and by what, at a fold with this mu.
static void describe(hol_kernel *k, const hol_state *x, double sigma, hol_state *room, double *mu,
                     hol_lock *out)
{
    const hol_element *by = out->by;
    hol_weak_names(k->s, mu, out->joints, sizeof out->joints);
    const double chord = x->t + time_left(k, x, sigma, room, mu), turn = time_of_turn(k->s, x);
    out->exact = turn >= x->t && turn - x->t < 10 * fmax(chord - x->t, 1e-6 * k->s->m->time_scale);
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
    memset(out, 0, sizeof *out);
    if (!s->nc || hol_kernel_need(k)) return false;
    double *mu = k->work + s->n, *phi_t = mu + s->nc; // nc <= n, and m->nc behind
    const double sigma = hol_weakest(k, x, mu);
    if (!(sigma < HOL_WEAK) || hol_state_create(s, &room)) return false;
    hol_equations_phi_dot_all(s, x->t, x->q, room.v, phi_t);
    if (folds(s, sigma, mu, phi_t)) out->by = drives(s, mu, phi_t);
    if (out->by) describe(k, x, sigma, &room, mu, out);
    hol_state_destroy(&room);
    return out->by != NULL;
}
