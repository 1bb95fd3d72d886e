// The KKT matrix of a kernel, liftings, projections, and points near the constraints put onto them by chord steps (modified Newton):
//
//     x += lift(-what is missing), with the factors of a matrix that was made near by
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 30, MAX_MATRICES = 8 };
#define SLOW 0.1 // of hol_kernel_settle

hol_kernel hol_kernel_of(hol_equations *s) { return (hol_kernel){.s = s}; }

hol_status hol_kernel_need_room(hol_kernel *k)
{
    const hol_equations *s = k->s;
    if (!k->rhs) k->rhs = hol_calloc(s->ctx, (size_t)s->n + 1, sizeof *k->rhs);
    if (!k->work) k->work = hol_calloc(s->ctx, 2 * (size_t)(s->n + s->m->nc + s->nk) + 1, sizeof *k->work);
    return k->rhs && k->work ? HOL_OK : HOL_ERR_MEMORY;
}

// A matrix for the rows that are in use now, which goes on counting where the one before stopped.
hol_status hol_kernel_need(hol_kernel *k) { return hol_kernel_need_like(k, NULL); }

hol_status hol_kernel_need_like(hol_kernel *k, const hol_kernel *like)
{
    hol_equations *s = k->s;
    const bool alike = like && like->A && like->s == s && like->selection == s->selection;
    hol_kkt *const old = k->A;
    if (old && k->selection == s->selection) return HOL_OK;
    hol_status st = hol_kernel_need_room(k);
    if (!st) st = hol_equations_need_structure(s);
    k->A = st ? NULL : alike ? hol_kkt_create_like(like->A) : hol_kkt_create(s->ctx, &s->pattern, s->nf);
    if (k->A) hol_kkt_scale_apart(k->A, s->nq);
    k->selection = s->selection;
    hol_kernel_forget_accelerations(k);
    if (k->A && old) hol_kkt_take_stats(k->A, old);
    hol_kkt_destroy(old);
    if (k->A) return HOL_OK;
    hol_kernel_drop(k);
    return HOL_ERR_MEMORY;
}

void hol_kernel_drop(hol_kernel *k)
{
    hol_kkt_destroy(k->A);
    hol_free(k->rhs);
    hol_free(k->work);
    *k = hol_kernel_of(k->s);
}

void hol_kernel_archive(hol_kernel *k, hol_archive *a)
{
    if (k->A) hol_kkt_archive(k->A, a);
    if (a->reading) hol_kernel_forget_accelerations(k);
}

static long count_factors(const hol_kernel *k)
{
    hol_kkt_stats stats;
    hol_kkt_get_stats(k->A, &stats);
    return stats.factorizations;
}

void hol_kernel_note_accelerations(hol_kernel *k, const hol_state *x)
{
    k->solved = count_factors(k);
    k->solved_of = x->q;
    k->solved_at = x->t;
}

void hol_kernel_forget_accelerations(hol_kernel *k) { k->solved = 0; }

bool hol_kernel_has_accelerations(const hol_kernel *k, const hol_state *x)
{
    return k->A && k->selection == k->s->selection && k->solved > 0 && k->solved == count_factors(k) &&
           k->solved_of == x->q && k->solved_at == x->t;
}

// ---- the matrix -----------------------------------------------------------------------------------------------

void hol_kernel_matrix(hol_kernel *k, const hol_state *x, const hol_coefficients *c)
{
    k->s->count.jacobians++;
    k->s->count.light += c->cK == 0 && c->cD == 0;
    hol_equations_matrix(k->s, x, c, hol_kkt_values(k->A));
}

hol_status hol_kernel_factor(hol_kernel *k) { return hol_kkt_factor(k->A, hol_equations_delta(k->s)); }

hol_status hol_kernel_solve(hol_kernel *k, int cols, double *b)
{
    return hol_kkt_solve(k->A, cols, b, HOL_KKT_AS_FACTORED);
}

hol_status hol_kernel_fill(hol_kernel *k, const hol_state *x, unsigned with, const double *E)
{
    const hol_coefficients borders = {0, 0, 0, 0, with};
    hol_equations *s = k->s;
    const hol_status st = hol_kernel_need(k);
    if (st) return st;
    double *values = hol_kkt_values(k->A);
    hol_equations_matrix(s, x, &borders, values);
    if (!E) hol_equations_shift(s, 1, values);
    for (int i = 0; i < s->nq && E; i++) values[s->diagonal[i]] += E[i];
    return HOL_OK;
}

hol_status hol_kernel_set(hol_kernel *k, const hol_state *x, unsigned with, const double *E)
{
    const hol_status st = hol_kernel_fill(k, x, with, E);
    return st ? st : hol_kernel_factor(k);
}

hol_status hol_kernel_set_mass(hol_kernel *k, const hol_state *x)
{
    static const hol_coefficients mass_only = {1, 0, 0, 0, HOL_WITH_ALL};
    const hol_status st = hol_kernel_need(k);
    if (st) return st;
    hol_equations_matrix(k->s, x, &mass_only, hol_kkt_values(k->A));
    return hol_kernel_factor(k);
}

// ---- liftings and projections ---------------------------------------------------------------------------------

hol_status hol_kernel_lift(hol_kernel *k, int rows, const double *r, double *x)
{
    const hol_equations *s = k->s;
    double *b = k->work;
    memset(b, 0, (size_t)s->n * sizeof *b);
    memcpy(b + s->nf, r, (size_t)rows * sizeof *b);
    const hol_status st = hol_kernel_solve(k, 1, b);
    if (!st) memmove(x, b, (size_t)s->nq * sizeof *x);
    return st;
}

hol_status hol_kernel_project(hol_kernel *k, const double *b, double *v)
{
    const hol_equations *s = k->s;
    double *x = k->work;
    memmove(x, b, (size_t)s->nq * sizeof *x);
    memset(x + s->nq, 0, (size_t)(s->n - s->nq) * sizeof *x);
    const hol_status st = hol_kernel_solve(k, 1, x);
    memcpy(v, x, (size_t)s->nq * sizeof *v);
    return st;
}

// ---- chord steps ----------------------------------------------------------------------------------------------

// What the constraints of a level miss at x, signs turned, into the multiplier rows of k->work; its largest entry by natural size.
typedef double missing_at(hol_kernel *k, const hol_state *x);

static double missing_positions(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    double *r = k->work + s->nf;
    hol_equations_residual(k->s, x, NULL, r);
    for (int i = 0; i < s->nc; i++) r[i] = -r[i];
    memset(r + s->nc, 0, (size_t)s->nk * sizeof *r);
    return hol_equations_row_norm(s, r, s->nc);
}

static double missing_velocities(hol_kernel *k, const hol_state *x)
{
    const hol_equations *s = k->s;
    double *r = k->work + s->nf, *all = k->work + s->n;
    hol_equations_phi_dot_all(s, x->t, x->q, x->v, all);
    hol_equations_rates(s, x, r + s->nc);
    for (int i = 0; i < s->nc + s->nk; i++) r[i] = i < s->nc ? -all[s->model_row[i]] : -r[i];
    return hol_equations_row_norm(s, r, s->nc + s->nk);
}

void hol_kernel_missing_velocities(hol_kernel *k, const hol_state *x) { (void)missing_velocities(k, x); }

// The loop of all projections that keep their matrix. part: q or v of x. exact: what rounding leaves.
static hol_status close(hol_kernel *k, const hol_state *x, double *part, missing_at *missing, double exact,
                        const hol_closing *limits, int *count)
{
    double last = HOL_INF;
    for (int i = 0; i <= limits->most; i++) {
        const double size = missing(k, x);
        const bool enough = size <= exact || (size <= 100 * exact && size > 0.5 * last);
        if (enough && i >= limits->least) return HOL_OK;
        const bool slow = i > 2 && size > limits->slow * last;
        if (!isfinite(size) || slow || i == limits->most)
            return size <= limits->loose * exact ? HOL_OK : HOL_RECOVERABLE;
        memset(k->work, 0, (size_t)k->s->nf * sizeof *k->work);
        const hol_status st = hol_kernel_solve(k, 1, k->work);
        if (st) return st;
        for (int j = 0; j < k->s->nq; j++) part[j] += k->work[j];
        ++*count;
        if (isfinite(last) && size * (size / last) < 0.1 * exact)
            return HOL_OK; // the next one would find nothing
        last = size;
    }
    return HOL_RECOVERABLE;
}

hol_status hol_kernel_positions(hol_kernel *k, hol_state *x, const hol_closing *limits, int *count)
{
    const double exact = 4 * DBL_EPSILON * fmax(1, hol_equations_coordinate_norm(k->s, x->q));
    return close(k, x, x->q, missing_positions, exact, limits, count);
}

hol_status hol_kernel_velocities(hol_kernel *k, hol_state *x, const hol_closing *limits, int *count)
{
    const double exact =
        8 * DBL_EPSILON * fmax(1 / k->s->m->time_scale, hol_equations_coordinate_norm(k->s, x->v));
    return close(k, x, x->v, missing_velocities, exact, limits, count);
}

typedef hol_status chord(hol_kernel *k, hol_state *x, const hol_closing *limits, int *count);

// Chord steps, with a matrix made anew where they no longer converge.
static hol_status with_new_matrices(hol_kernel *k, hol_state *x, chord *step)
{
    static const hol_closing limits = {.most = MAX_CORRECTIONS, .slow = SLOW};
    int count = 0;
    hol_status st = step(k, x, &limits, &count);
    for (int i = 0; i < MAX_MATRICES && st > 0; i++) {
        st = hol_kernel_set_mass(k, x);
        if (!st) st = step(k, x, &limits, &count);
    }
    return st;
}

hol_status hol_kernel_settle(hol_kernel *k, hol_state *x)
{
    hol_status st = hol_kernel_set_mass(k, x);
    if (!st) st = with_new_matrices(k, x, hol_kernel_positions);
    if (!st) st = with_new_matrices(k, x, hol_kernel_velocities);
    return st ? st : hol_solve_accelerations(k, x);
}

// ---- other rows -----------------------------------------------------------------------------------------------

// lam of the new rows with the same force: [D  Phi_q^T; Phi_q  0][z; lam] = [f; 0], z = 0.
static hol_status convert_lam(hol_kernel *k, const double *force, hol_state *x)
{
    const hol_equations *s = k->s;
    hol_status st = hol_kernel_set(k, x, 0, NULL);
    memset(k->rhs, 0, (size_t)s->n * sizeof *k->rhs);
    memcpy(k->rhs, force, (size_t)s->nq * sizeof *force);
    if (!st) st = hol_kernel_solve(k, 1, k->rhs);
    if (!st) memcpy(x->lam, k->rhs + s->nf, (size_t)s->nc * sizeof *x->lam);
    return st;
}

hol_status hol_kernel_reselect(hol_kernel *k, const char *active, hol_state *const *x, int n_states)
{
    hol_equations *s = k->s;
    const size_t nq = (size_t)s->nq;
    double *force = hol_calloc(s->ctx, (size_t)n_states * nq + 1, sizeof *force);
    hol_status st = force ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < n_states && !st; i++) hol_equations_constraint_force(s, x[i], force + (size_t)i * nq);
    if (!st) st = hol_equations_select(s, active);
    if (!st) st = hol_kernel_need(k);
    for (int i = 0; i < n_states && !st; i++) st = convert_lam(k, force + (size_t)i * nq, x[i]);
    hol_free(force);
    return st;
}
