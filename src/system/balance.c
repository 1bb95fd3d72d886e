// Where the accelerations a hold the rows, what is missing follows from
//
//     S (da; dz; dlam; dkap) = -(M a + Phi_q^T lam + Psi_v^T kap - Q; E; 0; 0)                                          (19.7)
//
// with the matrix S of (4.4): no right-hand side of the rows is divided by their smallest singular value. docs/theory.md, section 19.1.
#include "system/balance.h"
#include "system/explicit.h"
#include "system/reaction.h"

#include <math.h>
#include <string.h>

#define BALANCED 1e-8 // part of the forces that rounding may leave over
enum { TURNS = 3 };   // of Newton's method for users' unknowns

// The largest entry of generalised forces by natural size.
static double size_of_forces(const hol_equations *s, const double *Q)
{
    double most = 0;
    for (int i = 0; i < s->nq; i++) most = hol_larger(fabs(Q[i]) * s->q_size[i], most);
    return most;
}

// The right-hand side of (19.7) into k->rhs. Is it more than rounding of what is to be balanced?
static bool is_unbalanced(hol_kernel *k, const hol_state *x)
{
    hol_equations *s = k->s;
    double *e = k->rhs, *part = k->work;
    hol_equations_constraint_force(s, x, part);
    double force = size_of_forces(s, part);
    hol_equations_mass_times(s, x, x->a, part);
    force = fmax(force, size_of_forces(s, part));
    memset(e, 0, (size_t)s->n * sizeof *e);
    hol_equations_residual(s, x, e, NULL);
    hol_equations_users(s, x, e + s->nq);
    for (int i = 0; i < s->nf; i++) e[i] = -e[i];
    bool users = false;
    for (int i = 0; i < s->nz; i++)
        users = users || fabs(e[s->nq + i]) > BALANCED * fmax(s->m->equation[i].size, fabs(x->z[i]));
    return users || size_of_forces(s, e) > BALANCED * force;
}

// A turn of Newton's method with k->rhs. Accelerations that joints and drivers determine stay.
static hol_status correct(hol_kernel *k, hol_state *x)
{
    const hol_equations *s = k->s;
    const hol_status st = hol_kernel_solve(k, 1, k->rhs);
    for (int i = s->nc + s->nk >= s->nq ? s->nq : 0; i < s->n && !st; i++) x->a[i] += k->rhs[i];
    return st;
}

// The same to the end; unknowns that are none the better for it are those that they were.
static hol_status settle(hol_kernel *k, hol_state *x)
{
    const hol_equations *s = k->s;
    const size_t size = (size_t)s->n * sizeof *x->a;
    double *kept = k->work + s->n;
    memcpy(kept, x->a, size);
    bool left = true;
    hol_status st = hol_kernel_set_mass(k, x);
    for (int i = 0; i < TURNS && !st && left; i++) {
        st = correct(k, x);
        left = is_unbalanced(k, x);
    }
    if (st || left) memcpy(x->a, kept, size);
    hol_kkt_forget_pivots(k->A);
    return st < 0 ? st : HOL_OK;
}

hol_status hol_balance(hol_kernel *k, hol_state *x, bool *changed)
{
    hol_equations *s = k->s;
    *changed = false;
    if (hol_reactions_unbounded(s, x)) return HOL_OK;
    hol_status st = s->users ? hol_explicit_evaluate(s->users, s, x) : HOL_OK;
    *changed = !st && is_unbalanced(k, x);
    if (*changed) st = settle(k, x);
    return st || !*changed || !s->users ? st : hol_explicit_evaluate(s->users, s, x);
}
