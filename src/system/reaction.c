// From generalised forces to force and torque at a joint frame. docs/theory.md, section 6.
//
// Where some rows are redundant: smallest multipliers of all joints with the same force, (4.6),
//
//     [ D  Phi^T ; Phi  0 ] [ z ; mu ] = [ Phi_act^T lam ; 0 ],    z = 0
//
// Those of the bodies' own rows, p.p = 1, do not count: their rows are multiplied by a large number.
#include "system/reaction.h"
#include "system/wrench.h"

#include <math.h>
#include <string.h>

hol_status hol_reactions_create(hol_context *ctx, const hol_equations *s, hol_reactions *r)
{
    memset(r, 0, sizeof *r);
    r->s = s;
    r->lam = hol_calloc(ctx, (size_t)s->m->nc + 1, sizeof *r->lam);
    r->work = hol_calloc(ctx, (size_t)(s->nf + s->m->nc + s->nk), sizeof *r->work);
    return r->lam && r->work ? HOL_OK : HOL_ERR_MEMORY;
}

// The equations of all rows and their matrix are large: made with the first result, which is before the first step, and only if there are results.
static hol_status make_full(hol_reactions *r)
{
    if (!r->full) r->full = hol_equations_create(r->s->ctx, r->s->m, NULL);
    if (!r->full) return HOL_ERR_MEMORY;
    r->full->dependent = true;
    r->kernel.s = r->full;
    return hol_kernel_need(&r->kernel);
}

void hol_reactions_destroy(hol_reactions *r)
{
    hol_kernel_drop(&r->kernel);
    hol_equations_destroy(r->full);
    hol_free(r->lam);
    hol_free(r->work);
    memset(r, 0, sizeof *r);
}

#define FREE 1e5 // their share of the norm is 1/FREE^2

// Rows of the bodies themselves, from before to behind the factor.
static void free_normalisations(const hol_equations *s, double *values)
{
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_scatter *c = &s->scatter[k];
        for (int i = c->border; i < c->border + c->n_borders; i++) {
            values[s->border[i].slot] *= FREE;
            values[s->border[i].transposed] *= FREE;
        }
    }
}

// At and next to a singular pose multipliers have no bound, and no smallest ones are found: drivers have theirs, joints have none.
static void leave_to_drivers(hol_reactions *r, const hol_state *x)
{
    const hol_equations *s = r->s;
    r->unbounded = true;
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        for (int i = e->row; i < e->row + e->n_rows; i++) {
            const bool drives = e->type->role == HOL_ROLE_DRIVER && s->active[i] >= 0;
            r->lam[i] = drives ? x->lam[s->active[i]] : (double)NAN;
        }
    }
}

bool hol_reactions_unbounded(const hol_equations *s, const hol_state *x)
{
    for (int i = 0; i < s->nc; i++)
        if (isnan(x->lam[i])) return true;
    return false;
}

#define SHARED 1e-7 // part of the forces that the smallest multipliers may leave, in z

// The largest entry by natural size.
static double largest(const hol_equations *s, const double *f, bool moved)
{
    double most = 0;
    for (int i = 0; i < s->nq; i++)
        most = hol_larger(fabs(f[i]) * (moved ? 1 / s->q_size[i] : s->q_size[i]), most);
    return most;
}

hol_status hol_reactions_update(hol_reactions *r, const hol_state *x)
{
    const hol_equations *s = r->s;
    r->unbounded = hol_reactions_unbounded(s, x);
    if (s->nc == s->m->nc && !s->independent) {
        for (int i = 0; i < s->nc; i++) r->lam[s->model_row[i]] = x->lam[i];
        return HOL_OK;
    }
    if (r->unbounded) leave_to_drivers(r, x);
    if (r->unbounded) return HOL_OK;
    hol_status st = make_full(r);
    if (st) return st;
    double *f = r->work;
    memset(f, 0, (size_t)r->full->n * sizeof *f);
    hol_equations_constraint_force(s, x, f);
    const double force = largest(s, f, false);
    hol_state all = *x;
    all.lam = r->lam; // not read with these coefficients
    st = hol_kernel_fill(&r->kernel, &all, 0, NULL);
    if (st) return st;
    free_normalisations(r->full, hol_kkt_values(r->kernel.A));
    st = hol_kernel_factor(&r->kernel);
    if (!st) st = hol_kernel_solve(&r->kernel, 1, f);
    if (st) return st;
    memcpy(r->lam, f + s->nf, (size_t)s->m->nc * sizeof *f);
    for (int k = 0; k < s->m->n_bodies; k++)
        for (int i = 0; i < s->m->element[k].n_rows; i++) r->lam[s->m->element[k].row + i] *= FREE;
    if (largest(s, f, true) > SHARED * force) leave_to_drivers(r, x);
    return HOL_OK;
}

// Generalised force of element e on all its coordinates (ny - 1), without multipliers that have no bound.
static void generalised(const hol_reactions *r, const hol_state *x, const hol_element *e, const hol_real *y,
                        const hol_real *w, double *Q)
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y], f[HOL_MAX_Y] = {0};
    const int nq = e->ny - 1;
    if (e->n_rows) {
        e->type->phi(e->data, e->ny, y, NULL, NULL, J);
        for (int i = 0; i < e->n_rows; i++)
            for (int j = 0; j < nq && !isnan(r->lam[e->row + i]); j++)
                f[j] -= J[i * e->ny + j] * r->lam[e->row + i];
    } else if (e->type->force && hol_element_acts(e, x->mem)) {
        hol_real u[HOL_MAX_ROWS];
        hol_equations_inputs(e, x, u);
        e->type->force(e->data, e->ny, y, w, x->mem + e->mem, u, f);
    }
    for (int j = 0; j < nq; j++) Q[j] = hol_re(f[j]);
}

#define ASIDE 1e-4   // way to where it is looked whether what is 0 in a pose is 0 beside it
#define NOTHING 1e-6 // part of the largest factors below which a sum of products is 0

// Components in which multipliers without bound have a part are no numbers: the part at y, of which one that is 0 in the pose alone has a limit
// that is not known.
static void leave_unbounded(const hol_reactions *r, const hol_element *e, const hol_real *y, double out[6])
{
    hol_real J[HOL_MAX_ROWS * HOL_MAX_Y];
    hol_wrench_map map;
    e->type->phi(e->data, e->ny, y, NULL, NULL, J);
    hol_wrench_map_at(r->s->m, e, y, false, &map);
    for (int k = 0; k < e->n_rows; k++) {
        const hol_real *row = J + k * e->ny + map.iy;
        for (int a = 0; a < 6 && isnan(r->lam[e->row + k]); a++) {
            double sum = 0, arm = 0, turn = 0;
            for (int i = 0; i < map.size; i++) {
                sum += hol_re(map.c[a][i] * row[i]);
                arm = hol_larger(fabs(hol_re(map.c[a][i])), arm);
                turn = hol_larger(fabs(hol_re(row[i])), turn);
            }
            if (fabs(sum) > NOTHING * arm * turn) out[a] = (double)NAN;
        }
    }
}

static bool has_bounds(const hol_reactions *r, const hol_element *e)
{
    for (int i = 0; i < e->n_rows; i++)
        if (isnan(r->lam[e->row + i])) return false;
    return true;
}

void hol_reaction(const hol_reactions *r, const hol_state *x, int k, double out[6])
{
    const hol_model_data *m = r->s->m;
    const hol_element *e = &m->element[k];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    double Q[HOL_MAX_Y];
    hol_wrench_map map;
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    generalised(r, x, e, y, w, Q);
    hol_wrench_map_at(m, e, y, false, &map);
    for (int a = 0; a < 6; a++) {
        out[a] = 0;
        for (int i = 0; i < map.size; i++) out[a] += hol_re(map.c[a][i]) * Q[map.iy + i];
    }
    if (has_bounds(r, e)) return;
    const double dt = ASIDE / hol_equations_coordinate_norm(r->s, x->v);
    leave_unbounded(r, e, y, out);
    for (int i = 0; i < e->ny && isfinite(dt); i++) y[i] += dt * w[i];
    leave_unbounded(r, e, y, out);
}
