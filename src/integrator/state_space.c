// See state_space.h.
#include "integrator/state_space.h"
#include "system/project.h"
#include "system/settle.h"

#include <string.h>

enum { NEW_MATRIX = 8 }; // what making and factoring the matrix costs, in corrections
#define SLOW 0.9

hol_status hol_state_space_create(hol_context *ctx, hol_system *s, hol_state_space *f)
{
    memset(f, 0, sizeof *f);
    f->s = s;
    f->ctx = ctx;
    f->n = 2 * s->nq + s->nx;
    f->solver = hol_sparse_create(ctx, &s->pattern, s->nf);
    f->values = hol_calloc(ctx, (size_t)s->pattern.start[s->n], sizeof *f->values);
    return f->solver && f->values ? HOL_OK : HOL_ERR_MEMORY;
}

void hol_state_space_destroy(hol_state_space *f)
{
    hol_sparse_destroy(f->solver);
    hol_free(f->values);
    memset(f, 0, sizeof *f);
}

// The system's matrix and factors stay as they are while ours take their place.
static void exchange(hol_state_space *f)
{
    hol_system *s = f->s;
    hol_sparse *const solver = s->solver;
    double *const values = s->values;
    s->solver = f->solver;
    s->values = f->values;
    f->solver = solver;
    f->values = values;
}

hol_status hol_state_space_set(hol_state_space *f, const hol_state *x)
{
    static const hol_coefficients rows_only = {0, 0, 0, 0, HOL_WITH_RATES};
    f->spent = 0;
    f->least = -1;
    exchange(f);
    hol_system_matrix_into(f->s, x, &rows_only, f->s->values);
    hol_system_shift(f->s, 1);
    const hol_status st = hol_system_factor(f->s);
    exchange(f);
    return st;
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
    exchange(f);
    hol_status st = hol_chord_positions(f->s, x, SLOW, &f->last);
    if (!st) st = hol_chord_velocities(f->s, x, SLOW, &f->last);
    exchange(f);
    return st;
}

hol_status hol_state_space_evaluate(hol_state_space *f, double t, const double *u, hol_state *x, double *rate)
{
    hol_status st = hol_state_space_settle(f, t, u, x);
    if (f->least < 0 || f->last < f->least) f->least = f->last;
    f->spent += f->last - f->least;
    if (!st) st = hol_solve_accelerations(f->s, x);
    if (!st && rate) hol_state_rate(f->s, x, rate);
    return st;
}
