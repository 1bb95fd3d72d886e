// Joint-space inertia and bias (formulas (17.8) in joint_space.h): the basis N by one pass over the bodies for each rate, inertia by
// products with the mass matrix of the bodies, and the bias from any accelerations that hold the joints. docs/theory.md, section 17.5.
#include "recursion/joint_space.h"

#include <string.h>

// All arrays in one piece.
static hol_status make_room(hol_context *ctx, const hol_equations *s, hol_joint_space *o)
{
    const hol_coordinates_size *z = hol_coordinates_sizes(o->c);
    const size_t nq = (size_t)s->nq, n_p = (size_t)z->n_q, n_u = (size_t)z->n_u, n = (size_t)o->tree.size->n;
    o->n_p = z->n_q, o->n_u = z->n_u;
    o->memory = hol_calloc(ctx, n_p + 3 * n_u + nq * n_u + 3 * nq + n_u * n_u + n + 1, sizeof *o->memory);
    if (!o->memory) return HOL_ERR_MEMORY;
    double **const part[] = {&o->p, &o->u, &o->h, &o->rate, &o->N, &o->v0, &o->Mx, &o->a, &o->H, &o->twist};
    const size_t size[] = {n_p, n_u, n_u, n_u, nq * n_u, nq, nq, nq, n_u * n_u, n};
    double *at = o->memory;
    for (int i = 0; i < HOL_COUNT(part); at += size[i++]) *part[i] = at;
    return hol_state_create(s, &o->x);
}

// A joint that is not in the tree.
static hol_status refuse_loop(const hol_joint_space *o, hol_obstacle *obstacle)
{
    const hol_forest *f = &o->tree.forest;
    if (!f->n_cut) return HOL_OK;
    const hol_element *e = &f->m->element[f->cut[0]];
    const bool closes = e->type->role == HOL_ROLE_JOINT && e->n_ends == 2;
    *obstacle = (hol_obstacle){e->name,
                               closes ? "it closes a loop of joints"
                                      : "its equations tie bodies together beside the tree of joints",
                               e->at};
    return HOL_RECOVERABLE;
}

hol_status hol_joint_space_create(hol_context *ctx, hol_equations *s, const hol_state *x, hol_joint_space *o,
                                  hol_obstacle *obstacle)
{
    *o = (hol_joint_space){0};
    hol_status st = hol_loops_possible(ctx, s->m, obstacle);
    if (!st) st = hol_loops_create(ctx, s, x, NULL, 0, &o->tree, obstacle);
    if (!st) st = refuse_loop(o, obstacle);
    if (!st) st = hol_coordinates_create(ctx, o->tree.r, x, NULL, &o->c, obstacle);
    if (st) return st;
    hol_loops_release(&o->tree);
    return make_room(ctx, s, o);
}

void hol_joint_space_destroy(hol_joint_space *o)
{
    hol_coordinates_destroy(o->c);
    if (o->tree.s) hol_loops_destroy(&o->tree);
    hol_state_destroy(&o->x);
    hol_free(o->memory);
    *o = (hol_joint_space){0};
}

void hol_joint_space_take(hol_joint_space *o, const hol_state *x)
{
    hol_state_copy(o->tree.s, &o->x, x);
    hol_coordinates_take(o->c, x, o->p, o->u);
    hol_coordinates_within_half_turns(o->c, o->p);
    hol_coordinates_put(o->c, o->p, o->u, &o->x);
}

void hol_joint_space_put(hol_joint_space *o, const double *p, const double *u, hol_state *x)
{
    memmove(o->p, p, (size_t)o->n_p * sizeof *p);
    memmove(o->u, u, (size_t)o->n_u * sizeof *u);
    hol_coordinates_put(o->c, o->p, o->u, x);
    hol_state_copy(o->tree.s, &o->x, x);
}

void hol_joint_space_find_basis(hol_joint_space *o)
{
    const size_t nq = (size_t)o->tree.s->nq;
    double *unit = o->rate;
    memset(unit, 0, (size_t)o->n_u * sizeof *unit);
    hol_coordinates_put(o->c, o->p, unit, &o->x);
    memcpy(o->v0, o->x.v, nq * sizeof *o->v0);
    for (int k = 0; k < o->n_u; k++) {
        double *N = o->N + (size_t)k * nq;
        unit[k] = 1;
        hol_coordinates_put(o->c, o->p, unit, &o->x);
        unit[k] = 0;
        for (size_t i = 0; i < nq; i++) N[i] = o->x.v[i] - o->v0[i];
    }
    hol_coordinates_put(o->c, o->p, o->u, &o->x); // accelerations are those of the last motion
}

void hol_joint_space_rates(hol_joint_space *o, const hol_state *x, double *rate)
{
    hol_coordinates_second_rates(o->c, x, o->twist, rate);
}

// N^T y
static double along(const hol_joint_space *o, int k, const double *y)
{
    const size_t nq = (size_t)o->tree.s->nq;
    double sum = 0;
    for (size_t i = 0; i < nq; i++) sum += o->N[(size_t)k * nq + i] * y[i];
    return sum;
}

void hol_joint_space_inertia(hol_joint_space *o, const hol_state *x)
{
    const size_t n = (size_t)o->n_u, nq = (size_t)o->tree.s->nq;
    for (size_t j = 0; j < n; j++) {
        hol_equations_mass_times(o->tree.s, x, o->N + j * nq, o->Mx);
        for (size_t i = 0; i <= j; i++) o->H[j * n + i] = o->H[i * n + j] = along(o, (int)i, o->Mx);
    }
}

void hol_joint_space_bias(hol_joint_space *o, const hol_state *x, const double *Q)
{
    const size_t nq = (size_t)o->tree.s->nq;
    hol_joint_space_rates(o, x, o->rate);
    memcpy(o->a, x->a, nq * sizeof *o->a);
    for (int k = 0; k < o->n_u; k++)
        for (size_t i = 0; i < nq; i++) o->a[i] -= o->N[(size_t)k * nq + i] * o->rate[k];
    hol_equations_mass_times(o->tree.s, x, o->a, o->Mx);
    for (size_t i = 0; i < nq; i++) o->Mx[i] -= Q[i];
    for (int k = 0; k < o->n_u; k++) o->h[k] = along(o, k, o->Mx);
}
