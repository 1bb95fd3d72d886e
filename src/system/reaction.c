// From generalised forces to force and torque at a joint frame. docs/theory.md, section 6.
//
//     F = Q_r,   T_com = Q_theta (planar),  T_com = A G Q_p / 2 (spatial),   T_P = T_com - (P - r) x F
//
// Smallest multipliers of all rows with the same force: [D  Phi^T; Phi  0][z; mu] = [Phi_act^T lam; 0] gives z = 0.
#include "system/reaction.h"

#include <math.h>
#include <string.h>

hol_status hol_reactions_create(hol_context *ctx, const hol_system *s, hol_reactions *r)
{
    memset(r, 0, sizeof *r);
    r->s = s;
    r->lam = hol_calloc(ctx, (size_t)s->m->nc + 1, sizeof *r->lam);
    r->work = hol_calloc(ctx, (size_t)(s->nq + s->m->nc), sizeof *r->work);
    if (!r->lam || !r->work) return HOL_ERR_MEMORY;
    if (s->nc == s->m->nc) return HOL_OK;
    r->full = hol_system_create(ctx, s->m, NULL);
    if (!r->full) return HOL_ERR_MEMORY;
    r->full->delta = HOL_SPARSE_DELTA;
    return HOL_OK;
}

void hol_reactions_destroy(hol_reactions *r)
{
    hol_system_destroy(r->full);
    hol_free(r->lam);
    hol_free(r->work);
    memset(r, 0, sizeof *r);
}

hol_status hol_reactions_update(hol_reactions *r, const hol_state *x)
{
    const hol_system *s = r->s;
    if (!r->full) {
        for (int i = 0; i < s->nc; i++) r->lam[s->model_row[i]] = x->lam[i];
        return HOL_OK;
    }
    static const hol_coefficients none = {0, 0, 0, 0};
    double *f = r->work;
    hol_system_constraint_force(s, x, f);
    memset(f + s->nq, 0, (size_t)s->m->nc * sizeof *f);
    hol_state all = *x;
    all.lam = r->lam; // not read with these coefficients
    hol_system_matrix(r->full, &all, &none);
    hol_system_shift(r->full, 1);
    hol_status st = hol_system_factor(r->full);
    if (!st) st = hol_system_solve(r->full, f);
    if (st) return st;
    memcpy(r->lam, f + s->nq, (size_t)s->m->nc * sizeof *f);
    return HOL_OK;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// Generalised force of element e on all its coordinates (ny - 1).
static void generalised(const hol_reactions *r, const hol_state *x, const hol_element *e, const hol_real *y,
                        const hol_real *w, double *Q)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y], f[HOL_MAX_Y] = {0};
    const int nq = e->ny - 1;
    if (e->n_rows) {
        e->type->phi(e->data, e->ny, y, NULL, J);
        for (int i = 0; i < e->n_rows; i++)
            for (int j = 0; j < nq; j++) f[j] -= J[i * e->ny + j] * r->lam[e->row + i];
    } else if (e->type->force)
        e->type->force(e->data, e->ny, y, w, x->mem + e->mem, f);
    for (int j = 0; j < nq; j++) Q[j] = hol_re(f[j]);
}

// Force and torque about the point P on the body whose coordinates start at y, from its part of Q.
static void wrench(const hol_body *b, const hol_real *y, const double *Q, const double P[3], double F[3],
                   double T[3])
{
    double arm[3] = {0, 0, 0}, moment[3];
    const int lengths = b->frame == HOL_FRAME_POINT ? b->size : b->frame == HOL_FRAME_PLANAR ? 2 : 3;
    for (int i = 0; i < 3; i++) {
        F[i] = i < lengths ? Q[i] : 0;
        arm[i] = P[i] - (i < lengths ? hol_re(y[i]) : 0);
        T[i] = 0;
    }
    if (b->frame == HOL_FRAME_PLANAR) T[2] = Q[2];
    if (b->frame == HOL_FRAME_SPATIAL) {
        hol_real E[3][4]; // global: T = E Q_p / 2
        hol_global_rate(y + 3, E);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) T[i] += 0.5 * hol_re(E[i][j]) * Q[3 + j];
    }
    cross(arm, F, moment);
    for (int i = 0; i < 3; i++) T[i] -= moment[i];
    if (b->frame == HOL_FRAME_POINT) T[0] = T[1] = T[2] = 0;
}

void hol_reaction(const hol_reactions *r, const hol_state *x, int k, double out[6])
{
    const hol_model_data *m = r->s->m;
    const hol_element *e = &m->element[k];
    const hol_end *end = &e->end[e->n_ends - 1];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    double Q[HOL_MAX_Y], P[3], F[3], T[3];
    hol_feature origin;
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    generalised(r, x, e, y, w, Q);
    hol_feature_eval(end->marker, HOL_ORIGIN, y, NULL, 0, &origin);
    for (int i = 0; i < 3; i++) P[i] = hol_re(origin.f[i]);
    // the second body feels the force itself; if it is ground, the opposite of what the first one feels
    const bool ground = end->body < 0;
    const int body = ground ? e->body[0] : end->body;
    const int iy = ground || e->n_bodies == 1 ? 0 : m->body[e->body[0]].size;
    wrench(&m->body[body], y + iy, Q + iy, P, F, T);
    for (int a = 0; a < 3; a++) {
        hol_feature axis = {0};
        double u[3] = {a == 0, a == 1, a == 2}; // a point mass has no axes: global ones
        if (end->marker->frame != HOL_FRAME_POINT) {
            hol_feature_eval(end->marker, a, y, NULL, 0, &axis);
            for (int i = 0; i < 3; i++) u[i] = hol_re(axis.f[i]);
        }
        const double sign = ground ? -1 : 1;
        out[a] = sign * (u[0] * F[0] + u[1] * F[1] + u[2] * F[2]);
        out[3 + a] = sign * (u[0] * T[0] + u[1] * T[1] + u[2] * T[2]);
    }
}
