// The fastest vibration, omega_max (docs/theory.md, section 13.4): largest root of the eigenvalues of M_R^-1 K_R, dense
// for few degrees of freedom, by modes_sparse.c for many; and the fastest growth, of the whole matrix A.
#include "analysis/omega.h"
#include "analysis/modes_sparse.h"
#include "analysis/separate.h"
#include "linalg/dense.h"
#include "linalg/graded.h"
#include "linalg/state_space.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct hol_omega {
    hol_context *ctx;
    hol_equations *s;
    hol_kernel k;
    hol_state x;
    hol_reduced r;
    hol_modes_sparse sparse; // of large models, instead of room
    bool large;
    char *active; //                                                        (nc of the model)
    double *room; // see room_for
};

// Matrix, both parts of the eigenvalues, work.
static size_t room_for(int e) { return (size_t)e * (size_t)e + 6 * (size_t)e + 1; }

// The largest frequency of a linearised model with dense matrices.
static hol_status largest(hol_context *ctx, const hol_reduced *r, double *room, double *out)
{
    const size_t e = (size_t)r->e;
    double *re = room + e * e, *im = re + e, *work = im + e, most = 0;
    hol_reduced_stiffness(r, room);
    const hol_status st = hol_dense_eigenvalues(ctx, r->e, room, re, im, work);
    for (size_t k = 0; k < e && !st; k++)
        if (re[k] < 0) most = fmax(most, hypot(re[k], im[k])); // of -M_R^-1 K_R
    *out = sqrt(most);
    return st;
}

hol_status hol_omega_of(hol_context *ctx, const hol_reduced *r, double *out)
{
    double *room = hol_calloc(ctx, room_for(r->e), sizeof *room);
    const hol_status st = room ? largest(ctx, r, room, out) : HOL_ERR_MEMORY;
    hol_free(room);
    return st > 0 ? hol_fail(ctx, HOL_ERR_INTEGRATION, "omega_max is not found: LAPACK does not converge")
                  : st;
}

// True if they have changed.
static bool take_rows(hol_omega *o, const hol_equations *s)
{
    bool changed = false;
    for (int i = 0; i < s->m->nc; i++) {
        const char active = s->independent ? s->independent[i] : s->active[i] >= 0;
        changed = changed || active != o->active[i];
        o->active[i] = active;
    }
    return changed;
}

static hol_status create_parts(hol_omega *o)
{
    if (!o->large) return hol_reduced_create(o->ctx, &o->k, false, &o->r);
    const hol_status st = hol_reduced_create_part(o->ctx, &o->k, 0, &o->r);
    return st ? st : hol_modes_sparse_create(o->ctx, &o->r, 0, &o->sparse);
}

static void destroy_parts(hol_omega *o)
{
    hol_modes_sparse_destroy(&o->sparse);
    hol_reduced_destroy(&o->r);
}

hol_status hol_omega_create(hol_context *ctx, const hol_equations *s, hol_omega **out)
{
    *out = NULL;
    int d = s->nq - s->nc;
    for (int i = 0; i < s->m->nc && s->independent; i++) d += !s->independent[i];
    hol_omega *o = hol_calloc(ctx, 1, sizeof *o);
    if (!o) return HOL_ERR_MEMORY;
    o->ctx = ctx;
    o->large = d > HOL_OMEGA_MOST;
    o->active = hol_calloc(ctx, (size_t)s->m->nc + 1, 1);
    o->room = hol_calloc(ctx, o->large ? 1 : room_for(2 * d + s->nx), sizeof *o->room);
    hol_status st = o->active && o->room ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) take_rows(o, s);
    if (!st && !(o->s = hol_equations_create(ctx, s->m, o->active))) st = HOL_ERR_MEMORY;
    o->k = hol_kernel_of(o->s);
    if (!st) o->s->dependent = s->dependent;
    if (!st) st = hol_kernel_need(&o->k);
    if (!st) st = hol_state_create(o->s, &o->x);
    if (!st) st = create_parts(o);
    if (!st)
        *out = o;
    else
        hol_omega_destroy(o);
    return st;
}

void hol_omega_destroy(hol_omega *o)
{
    if (!o) return;
    destroy_parts(o);
    hol_state_destroy(&o->x);
    hol_kernel_drop(&o->k);
    hol_equations_destroy(o->s);
    hol_free(o->active);
    hol_free(o->room);
    hol_free(o);
}

static hol_status reselect(hol_omega *o, const hol_equations *s)
{
    if (!take_rows(o, s)) return HOL_OK;
    destroy_parts(o); // their size may be another one
    const hol_status st = hol_kernel_reselect(&o->k, o->active, NULL, 0);
    return st ? st : create_parts(o);
}

static hol_status find_large(hol_omega *o, double *out)
{
    const hol_status st = hol_reduced_prepare(&o->r, &o->x);
    return st ? st : hol_modes_sparse_fastest(&o->sparse, &o->x, out);
}

static hol_status find_dense(hol_omega *o, double *out)
{
    const hol_status st = hol_reduced_find(&o->r, &o->x);
    return st ? st : largest(o->ctx, &o->r, o->room, out);
}

// Goes to the state x, with the rows in use of s and the accelerations.
static hol_status go_to(hol_omega *o, const hol_equations *s, const hol_state *x)
{
    hol_status st = reselect(o, s);
    if (st) return st;
    hol_state_copy(o->s, &o->x, x);
    st = hol_solve_accelerations(&o->k, &o->x);
    return !st && (!o->r.memory || (o->large && !o->sparse.memory)) ? HOL_ERR_MEMORY : st;
}

double hol_omega_at(hol_omega *o, const hol_equations *s, const hol_state *x)
{
    double out;
    hol_status st = go_to(o, s, x);
    if (!st) st = o->large ? find_large(o, &out) : find_dense(o, &out);
    return st ? (double)NAN : out;
}

// Eigenvalues that fall together, as zero ones do in pairs, are parted by rounding by about its root; one that stands alone is right to
// rounding by its distance from the next.
#define ROUNDING 1e-6 // of the largest eigenvalue
#define ALONE 1e-12   // the same, as far from the next as the largest is from 0

// What rounding may make of the real part of the k-th of n eigenvalues.
static double unsure(int n, const double *re, const double *im, int k, double largest)
{
    double gap = largest;
    for (int i = 0; i < n; i++)
        if (i != k) gap = fmin(gap, hypot(re[i] - re[k], im[i] - im[k]));
    return gap > 0 ? fmin(ROUNDING, ALONE * largest / gap) * largest : ROUNDING * largest;
}

// Is a real part growth? Inertia and stiffness cancel in a vibration, and it is what they leave.
static bool counts(double re, double im, double least) { return re > least * hypot(re, im); }

// The largest real part of the eigenvalues of A, by more than rounding of the largest, and more than `least` of its own eigenvalue.
static hol_status largest_growth(hol_omega *o, double least, double *out)
{
    const size_t n = (size_t)o->r.n;
    double *re = o->room + n * n, *im = re + n, growth = 0, fastest = 0;
    memcpy(o->room, o->r.A, n * n * sizeof *o->room);
    if (hol_dense_eigenvalues(o->ctx, o->r.n, o->room, re, im, im + n)) return HOL_RECOVERABLE;
    for (size_t k = 0; k < n; k++) fastest = fmax(fastest, hypot(re[k], im[k]));
    for (size_t k = 0; k < n; k++)
        if (re[k] > growth && counts(re[k], im[k], least) && re[k] > unsure(o->r.n, re, im, (int)k, fastest))
            growth = re[k];
    *out = growth;
    return HOL_OK;
}

hol_status hol_omega_growth_at(hol_omega *o, const hol_equations *s, const hol_state *x, double *out)
{
    hol_status st = o->large ? HOL_RECOVERABLE : go_to(o, s, x);
    if (!st) st = hol_reduced_find(&o->r, &o->x);
    return st ? st : largest_growth(o, 0, out);
}

// ---- growth that is slow beside what is fast ------------------------------------------------------------------

// Of many eigenvalues 0 in pairs, as of a car whose wheels turn freely, rounding makes a cloud: one of it lies near another by chance in one
// sample of a few.
enum { SAMPLES = 16 };
#define SEEN 1e-14 // growth, against the fastest
#define SAME 0.1   // by which another rounding may change it

static bool any_grows(int n, const double *re, double least)
{
    for (int k = 0; k < n; k++)
        if (re[k] > least) return true;
    return false;
}

// Real parts that another rounding of A changes by much become 0. room: (n^2 + 6 n).
static hol_status forget_unsure(hol_omega *o, double *re, const double *im, double *room, hol_random *random)
{
    const hol_reduced *r = &o->r;
    const size_t n = (size_t)r->n;
    double *re2 = room + n * n, *im2 = re2 + n;
    for (size_t i = 0; i < n * n; i++)
        room[i] = r->A[i] * (1 + 4 * DBL_EPSILON * hol_random_uniform(random)) +
                  r->noise[i] * hol_random_uniform(random);
    const hol_status st = hol_graded_eigen_general(o->ctx, r->n, room, re2, im2, NULL);
    for (size_t k = 0; k < n && !st; k++) {
        double off = HOL_INF;
        for (size_t i = 0; i < n; i++) off = fmin(off, hypot(re2[i] - re[k], im2[i] - im[k]));
        if (off > SAME * re[k]) re[k] = fmin(re[k], 0);
    }
    return st;
}

// The largest real part that is one along directions by their stiffness.
static hol_status sure_growth(hol_omega *o, double least, double *out)
{
    const hol_reduced *r = &o->r;
    const size_t n = (size_t)r->n;
    const hol_state_space all = {.n = r->n, .A = r->A, .exact = true};
    double *re = hol_calloc(o->ctx, 2 * n + room_for(r->n), sizeof *re), fastest = 0;
    hol_random random = {31};
    if (!re) return HOL_ERR_MEMORY;
    double *im = re + n;
    hol_status st = hol_state_space_poles(o->ctx, &all, re, im, NULL, NULL);
    for (size_t k = 0; k < n; k++) fastest = fmax(fastest, hypot(re[k], im[k]));
    for (int i = 0; i < SAMPLES && !st && any_grows(r->n, re, SEEN * fastest); i++)
        st = forget_unsure(o, re, im, im + n, &random);
    *out = 0;
    for (size_t k = 0; k < n; k++)
        if (re[k] > SEEN * fastest && counts(re[k], im[k], least)) *out = fmax(*out, re[k]);
    hol_free(re);
    return st;
}

hol_status hol_omega_growth_exactly(hol_omega *o, const hol_equations *s, const hol_state *x, double least,
                                    double *out)
{
    hol_status st = o->large ? HOL_RECOVERABLE : go_to(o, s, x);
    if (!st) st = hol_separate_at(o->ctx, &o->r, &o->x);
    if (st) return st;
    return o->r.noise ? sure_growth(o, least, out) : largest_growth(o, least, out);
}
