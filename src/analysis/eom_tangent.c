// Tangents of the forces with what users' equations do on the way, and the linearised motion.
//
//     dQ = Q_q n + Q_v z + Q_t tau + Q_z dz,     (1 - E_z) dz = E_q n + E_v z + E_X dX + E_t tau
//
// at fixed accelerations and multipliers. 1 - E_z has rows of all sizes: it is factored by itself, dense, by partial pivoting.
#include "analysis/eom.h"
#include "linalg/dense.h"
#include "system/linear.h"

#include <string.h>

// ---- forces ---------------------------------------------------------------------------------------------------

// Room for some directions at once, and for users' equations.
static hol_status make_tangent(hol_eom *e)
{
    hol_eom_tangent *t = &e->tangent;
    const hol_equations *s = e->k.s;
    const size_t nq = (size_t)s->nq, nx = (size_t)s->nx, nz = (size_t)s->nz, n = (size_t)s->n,
                 entries = nz ? (size_t)s->pattern.start[s->n] : 0, cols = HOL_EOM_COLUMNS;
    if (t->memory) return HOL_OK;
    if (!t->pivot) t->pivot = hol_calloc(e->ctx, nz + 1, sizeof *t->pivot);
    if (!t->pivot) return HOL_ERR_MEMORY;
    t->memory = hol_calloc(e->ctx, cols * (2 * nq + 1 + nx + n) + entries + nz * nz + 1, sizeof *t->memory);
    if (!t->memory) return HOL_ERR_MEMORY;
    t->N = t->memory;
    t->Z = t->N + cols * (nq + 1);
    t->X = t->Z + cols * nq;
    t->out = t->X + cols * nx;
    t->values = t->out + cols * n;
    t->LU = t->values + entries;
    return HOL_OK;
}

void hol_eom_tangent_destroy(hol_eom_tangent *t)
{
    hol_free(t->pivot);
    hol_free(t->memory);
    *t = (hol_eom_tangent){0};
}

// 1 - E_z out of S, factored; -Q_z stays among the values.
static hol_status factor_users(hol_eom *e)
{
    static const hol_coefficients users = {0, 0, 0, 0, HOL_WITH_EQUATIONS};
    hol_eom_tangent *t = &e->tangent;
    hol_equations *s = e->k.s;
    const hol_pattern *p = &s->pattern;
    const size_t nz = (size_t)s->nz;
    hol_equations_matrix(s, &e->x, &users, t->values);
    memset(t->LU, 0, nz * nz * sizeof *t->LU);
    for (int j = s->nq; j < s->nf; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++)
            if (p->index[k] >= s->nq && p->index[k] < s->nf)
                t->LU[(size_t)(p->index[k] - s->nq) + (size_t)(j - s->nq) * nz] = t->values[k];
    return hol_dense_lu_factor(e->ctx, s->nz, t->LU, t->pivot);
}

hol_status hol_eom_need_tangent(hol_eom *e)
{
    hol_status st = hol_eom_need_users(e);
    if (!st) st = make_tangent(e);
    if (st || e->known & HOL_KNOWS_TANGENT) return st;
    if (e->k.s->nz) st = factor_users(e);
    if (st) return st < 0 ? st : hol_eom_fail(e, "the changes of users' variables are");
    e->known |= HOL_KNOWS_TANGENT;
    return HOL_OK;
}

// dQ += Q_z dz, dz from the rows of z; all of them in out (n).
static hol_status follow_users(hol_eom *e, double *out)
{
    const hol_eom_tangent *t = &e->tangent;
    const hol_equations *s = e->k.s;
    const hol_pattern *p = &s->pattern;
    const hol_status st = hol_dense_lu_solve(e->ctx, s->nz, t->LU, t->pivot, false, 1, out + s->nq);
    for (int j = s->nq; j < s->nf; j++)
        for (int k = p->start[j]; k < p->start[j + 1] && p->index[k] < s->nq; k++)
            out[p->index[k]] -= t->values[k] * out[j];
    return st;
}

// The same for some columns of out.
static hol_status follow_all(hol_eom *e, int cols)
{
    hol_status st = HOL_OK;
    for (int c = 0; c < cols && e->k.s->nz && !st; c++)
        st = follow_users(e, e->tangent.out + (size_t)c * (size_t)e->k.s->n);
    return st;
}

hol_status hol_eom_force_changes(hol_eom *e, int cols)
{
    hol_eom_tangent *t = &e->tangent;
    hol_linear_forces(e->k.s, &e->x, cols, t->N, t->Z, t->X, t->out);
    return follow_all(e, cols);
}

hol_status hol_eom_force_changes_by_inputs(hol_eom *e, int first, int cols)
{
    hol_linear_inputs(e->k.s, &e->x, first, cols, e->tangent.out);
    return follow_all(e, cols);
}

// ---- the linearised motion ------------------------------------------------------------------------------------

void hol_eom_linearised_destroy(hol_eom_linearised *l)
{
    if (l->r.s) hol_reduced_destroy(&l->r);
    if (l->s) hol_kernel_drop(&l->k);
    hol_state_destroy(&l->x);
    hol_equations_destroy(l->s);
    hol_free(l->active);
    hol_free(l->B);
    *l = (hol_eom_linearised){0};
}

// Room for B, C and D.
static hol_status make_ports(hol_eom *e)
{
    hol_eom_linearised *l = &e->linear;
    const size_t n = (size_t)l->r.n, n_i = (size_t)hol_model_inputs(e->m), nz = (size_t)e->n_variables;
    l->B = hol_calloc(e->ctx, n * n_i + nz * n + nz * n_i + 1, sizeof *l->B);
    if (!l->B) return HOL_ERR_MEMORY;
    l->C = l->B + n * n_i;
    l->D = l->C + nz * n;
    return HOL_OK;
}

// Equations of the independent rows; of the last call, if they are the same.
static hol_status choose(hol_eom *e, const hol_rank *rank, bool natural)
{
    hol_eom_linearised *l = &e->linear;
    const size_t nc = (size_t)e->m->nc;
    if (l->ready && l->natural == natural && memcmp(l->active, rank->active, nc) == 0) return HOL_OK;
    hol_eom_linearised_destroy(l);
    l->natural = natural;
    l->active = hol_calloc(e->ctx, nc + 1, 1);
    if (!l->active) return HOL_ERR_MEMORY;
    memcpy(l->active, rank->active, nc);
    l->s = hol_equations_create(e->ctx, e->m, rank->active);
    if (!l->s) return HOL_ERR_MEMORY;
    l->k = hol_kernel_of(l->s);
    hol_status st = hol_state_create(l->s, &l->x);
    if (!st) st = hol_kernel_need(&l->k);
    if (!st) hol_kkt_try_even_scale(l->k.A);
    if (!st) st = hol_reduced_create(e->ctx, &l->k, natural, &l->r);
    if (!st) st = make_ports(e);
    l->ready = !st;
    return st;
}

// The change of the variables in that of all unknowns.
static void take_variables(const hol_eom *e, const double *change, double *column)
{
    for (int i = 0; i < e->n_variables; i++) column[i] = change[e->m->nq + e->variable[i]];
}

// B, C and D: the variables along the directions of A, which have been solved for, and all along the inputs.
static hol_status find_ports(hol_eom *e)
{
    hol_eom_linearised *l = &e->linear;
    const size_t all = (size_t)l->s->n, nz = (size_t)e->n_variables, n = (size_t)l->r.n;
    const int n_i = hol_model_inputs(e->m);
    for (size_t j = 0; j < n; j++) take_variables(e, l->r.out + j * all, l->C + j * nz);
    for (int j = 0; j < n_i; j++) {
        double *change = l->r.work;
        hol_linear_inputs(l->s, &l->x, j, 1, change);
        const hol_status st = hol_kernel_solve(&l->k, 1, change);
        if (st) return st;
        hol_reduced_take(&l->r, change, l->B + (size_t)j * n);
        take_variables(e, change, l->D + (size_t)j * nz);
    }
    return HOL_OK;
}

// The state with its accelerations by these rows.
static hol_status take_state(hol_eom *e)
{
    hol_eom_linearised *l = &e->linear;
    l->x.t = e->x.t;
    memcpy(l->x.q, e->x.q, (size_t)e->m->nq * sizeof *l->x.q);
    memcpy(l->x.v, e->x.v, (size_t)e->m->nq * sizeof *l->x.v);
    memcpy(l->x.z, e->x.z, (size_t)e->m->n_equations * sizeof *l->x.z);
    memcpy(l->x.X, e->x.X, (size_t)e->m->n_states * sizeof *l->x.X);
    memcpy(l->x.mem, e->x.mem, (size_t)e->m->n_mem * sizeof *l->x.mem);
    return hol_solve_accelerations(&l->k, &l->x);
}

// The rows that are independent here.
static hol_status find_rank(hol_eom *e, hol_rank *rank)
{
    hol_equations *s = e->k.s;
    const bool dependent = s->dependent;
    s->dependent = true;
    const hol_status st = hol_rank_find(e->ctx, &e->k, &e->x, rank);
    s->dependent = dependent;
    return st > 0 ? hol_eom_fail(e, "the degrees of freedom are") : st;
}

hol_status hol_eom_find_linear(hol_eom *e, bool natural, hol_eom_linear *out)
{
    hol_eom_linearised *l = &e->linear;
    hol_rank rank;
    hol_status st = hol_eom_need_unknowns(e);
    if (!st) st = find_rank(e, &rank);
    if (st) return st;
    if (rank.momentary)
        st = hol_fail(
            e->ctx, HOL_ERR_INTEGRATION,
            "the motion cannot be linearised at t = %.6g s: a singular pose, in which the joints lose "
            "independence",
            e->x.t);
    else if (rank.large_components)
        st = hol_fail(
            e->ctx, HOL_ERR_INTEGRATION,
            "the motion cannot be linearised: a group of loops has more than %d equations, so that its "
            "degrees of freedom are not known",
            HOL_RANK_MAX_ROWS);
    if (!st) st = choose(e, &rank, natural);
    hol_rank_destroy(&rank);
    if (!st) st = take_state(e);
    if (!st) st = hol_reduced_find(&l->r, &l->x);
    if (!st) st = find_ports(e);
    if (st) return st < 0 ? st : hol_eom_fail(e, "the linearised motion is");
    *out = (hol_eom_linear){l->r.d,
                            l->r.e,
                            e->m->n_states,
                            l->r.n,
                            hol_model_inputs(e->m),
                            e->n_variables,
                            l->r.A,
                            l->r.N,
                            l->r.Z,
                            l->r.V,
                            l->B,
                            l->C,
                            l->D};
    return HOL_OK;
}
