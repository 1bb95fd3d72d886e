// The equations of motion as u' = f(t, u) with u = (q; v; X) put onto the constraints first (docs/theory.md, section
// 9.4; formulas in state_space.h): corrections by a kernel at a point near by, made anew when they become many.
#include "integrator/state_space.h"
#include "system/kernel.h"

#include <string.h>

enum { NEW_MATRIX = 8 }; // what making and factoring the matrix costs, in corrections
static const hol_closing closing = {.most = 30, .slow = 0.9};

hol_status hol_state_space_create(hol_context *ctx, hol_kernel *k, hol_state_space *f)
{
    memset(f, 0, sizeof *f);
    f->k = k;
    f->s = k->s;
    f->ctx = ctx;
    f->n = 2 * f->s->nq + f->s->nx;
    f->kernel = hol_kernel_of(f->s);
    return hol_kernel_need(&f->kernel);
}

void hol_state_space_destroy(hol_state_space *f)
{
    hol_kernel_drop(&f->kernel);
    memset(f, 0, sizeof *f);
}

hol_status hol_state_space_set(hol_state_space *f, const hol_state *x)
{
    f->spent = 0;
    f->least = -1;
    return hol_kernel_set(&f->kernel, x, HOL_WITH_RATES, NULL);
}

hol_status hol_state_space_follow(hol_state_space *f, const hol_state *x)
{
    return f->spent > NEW_MATRIX ? hol_state_space_set(f, x) : HOL_OK;
}

hol_status hol_state_space_settle(hol_state_space *f, double t, const double *u, hol_state *x)
{
    x->t = t;
    hol_state_unpack(f->s, u, x);
    f->last = 0;
    hol_status st = hol_kernel_positions(&f->kernel, x, &closing, &f->last);
    if (!st) st = hol_kernel_velocities(&f->kernel, x, &closing, &f->last);
    return st;
}

hol_status hol_state_space_evaluate(hol_state_space *f, double t, const double *u, hol_state *x, double *rate)
{
    hol_status st = hol_state_space_settle(f, t, u, x);
    if (f->least < 0 || f->last < f->least) f->least = f->last;
    f->spent += f->last - f->least;
    if (!st) st = hol_solve_accelerations(f->k, x);
    if (!st && rate) hol_state_rate(f->s, x, rate);
    return st;
}
