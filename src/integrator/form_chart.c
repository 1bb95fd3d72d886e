// The form u = (q; v; X) on the constraints, for methods that are linear in u. What such a method does to all coordinates it does
// to those of any chart y = P (q - q_n), so that the chart may be another one from one evaluation to the next:
//
//     q' = v*,  v' = a(q*, v*, X, t),  X' = z        q* = q + x: Phi(q*, t) = 0, N^T E x = 0; v* likewise
//
// N is a basis of ker Phi_q, E = diag(1/size^2): the tangent chart of chart.h. One matrix at a point near by serves,
// [E  Phi_q^T  Psi_v^T; Phi_q  0  0; Psi_v  0  0], made anew when corrections become many. docs/theory.md, section 9.4.
#include "integrator/form.h"
#include "integrator/stop.h"

#include <string.h>

enum { NEW_MATRIX = 8 }; // what making and factoring the matrix costs, in corrections
static const hol_closing closing = {.most = 30, .slow = 0.9};

typedef struct {
    hol_kernel kernel; // of the point near by
    int last;          // corrections of the last point
    int least;         // the fewest of one evaluation with this matrix, -1: none yet
    int spent;         // those beyond the fewest since the matrix was made
} chart;

static hol_status begin(hol_form *f)
{
    chart *d = f->data;
    d->spent = 0;
    d->least = -1;
    return hol_kernel_set(&d->kernel, &f->it->x, HOL_WITH_RATES, NULL);
}

// The matrix at the start.
static hol_status create(hol_form *f)
{
    hol_integrator *it = f->it;
    chart *d = f->data = hol_calloc(it->ctx, 1, sizeof *d);
    f->norm = it->norm;
    f->closes = true;
    if (!d) return HOL_ERR_MEMORY;
    d->kernel = hol_kernel_of(it->s);
    hol_status st = hol_kernel_need_like(&d->kernel, it->k);
    if (!st) st = begin(f);
    return st > 0 ? hol_stop_without_coordinates(it) : st;
}

static void destroy(hol_form *f)
{
    chart *d = f->data;
    if (d) hol_kernel_drop(&d->kernel);
    hol_free(d);
}

static hol_status close(hol_form *f, double *u, hol_state *x)
{
    chart *d = f->data;
    d->last = 0;
    hol_status st = hol_kernel_positions(&d->kernel, x, &closing, &d->last);
    if (!st) st = hol_kernel_velocities(&d->kernel, x, &closing, &d->last);
    hol_state_pack(f->it->s, x, u);
    return st;
}

static void learn(hol_form *f)
{
    chart *d = f->data;
    if (d->least < 0 || d->last < d->least) d->least = d->last;
    d->spent += d->last - d->least;
}

static hol_status accelerate(hol_form *f, hol_state *x, hol_wanted wanted)
{
    (void)wanted;
    return hol_solve_accelerations(f->it->k, x);
}

static hol_status follow(hol_form *f)
{
    const chart *d = f->data;
    return d->spent > NEW_MATRIX ? begin(f) : HOL_OK;
}

// The order of pivots would not be the same after a restart: a new matrix in either case.
static void archive(hol_form *f, hol_archive *a)
{
    if (hol_form_renew(f)) a->failed = true;
}

const hol_form_type hol_form_chart = {
    .name = "sparse",
    .matrix = true,
    .create = create,
    .destroy = destroy,
    HOL_FORM_ALL,
    .close = close,
    .learn = learn,
    .accelerate = accelerate,
    .begin = begin,
    .follow = follow,
    .archive = archive,
};
