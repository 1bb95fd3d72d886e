// Multipliers of the loops that a tree leaves open (formula (15.8) in loop_solve.h): A made and factored for few rows, else conjugate
// gradients with the tree as operator. docs/theory.md, section 15.5.
#include "recursion/loop_solver.h"
#include "recursion/delassus.h"
#include "recursion/spatial.h"
#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- A mu = b ----------------------------------------------------------------------------------------------------

// Rows and columns k and b > k change places; columns before k are factors.
static void exchange(hol_loops *o, double *A, const int m, int k, int b)
{
    const int held = o->pivot[k];
    o->pivot[k] = o->pivot[b];
    o->pivot[b] = held;
    hol_vector_swap(1, &A[k + k * m], &A[b + b * m]);
    for (int i = 0; i < k; i++) hol_vector_swap(1, &A[k + i * m], &A[b + i * m]);
    for (int i = k + 1; i < b; i++) hol_vector_swap(1, &A[i + k * m], &A[b + i * m]);
    for (int i = b + 1; i < m; i++) hol_vector_swap(1, &A[i + k * m], &A[i + b * m]);
}

// The largest diagonal entry from k on, which is to be more than rounding of its own row; -1: none is.
HOL_INLINE int find_pivot(const hol_loops *o, const double *A, const int m, const double *rounding, int k)
{
    int best = k;
    for (int i = k + 1; i < m; i++)
        if (A[i + i * m] > A[best + best * m]) best = i;
    const double largest = A[best + best * m];
    if (largest > 0 && largest > rounding[o->pivot[best]]) return best;
    best = -1;
    for (int i = k; i < m; i++)
        if (A[i + i * m] > (best < 0 ? 0 : A[best + best * m]) && A[i + i * m] > rounding[o->pivot[i]])
            best = i;
    return best;
}

// Factors L P L^T with pivots of A by columns, the largest diagonal entry first; what is left of a semi-definite matrix when
// all of them are rounding is left out: rounding of their own rows, for those of loops through a body of 1e-11 kg m^2 are 1e11 times those of
// others. In the lower triangle, 1/P on the diagonal.
HOL_INLINE void factor_square(hol_loops *o, const int m)
{
    double *restrict A = o->A;
    const double *restrict size = o->row_size;
    double rounding[HOL_LOOPS_DENSE]; // of each row, as they are numbered first
    int k = 0;
    for (int j = 0; j < m; j++) {
        for (int i = j; i < m; i++) A[i + j * m] *= size[i] * size[j];
        o->pivot[j] = j;
        rounding[j] = 4 * m * DBL_EPSILON * A[j + j * m];
    }
    for (; k < m; k++) {
        const int best = find_pivot(o, A, m, rounding, k);
        if (best < 0) break;
        if (best != k) exchange(o, A, m, k, best);
        double *restrict L = A + k * m;
        const double inverse = L[k] = 1 / L[k];
        for (int j = k + 1; j < m; j++) {
            const double x = L[j] * inverse;
            for (int i = j; i < m; i++) A[i + j * m] -= L[i] * x;
            L[j] = x;
        }
    }
    o->rank = k;
}

// Small ones have sizes that the compiler knows.
static void factor_dense(hol_loops *o)
{
    switch (o->size->n_loops) {
    case 2: factor_square(o, 2); break;
    case 3: factor_square(o, 3); break;
    case 4: factor_square(o, 4); break;
    case 5: factor_square(o, 5); break;
    case 6: factor_square(o, 6); break;
    default: factor_square(o, o->size->n_loops);
    }
}

// n: of the rows that are not left out.
HOL_INLINE void solve_square(const hol_loops *o, const int m, const int n, const double *b, double *mu)
{
    const double *L = o->A;
    double y[HOL_LOOPS_DENSE];
    for (int i = 0; i < n; i++) y[i] = b[o->pivot[i]] * o->row_size[o->pivot[i]];
    for (int k = 0; k < n; k++, L += m)
        for (int i = k + 1; i < n; i++) y[i] -= L[i] * y[k];
    for (int k = n - 1; k >= 0; k--) {
        L -= m;
        double x = y[k] * L[k];
        for (int i = k + 1; i < n; i++) x -= L[i] * y[i];
        y[k] = x;
    }
    for (int i = 0; i < m; i++) mu[o->pivot[i]] = i < n ? y[i] * o->row_size[o->pivot[i]] : 0;
}

// mu = A^-1 b with the dense factors, small sizes by loops that the compiler knows.
static void solve_dense(const hol_loops *o, const double *b, double *mu)
{
    const int m = o->size->n_loops;
    switch (o->rank == m ? m : 0) {
    case 2: solve_square(o, 2, 2, b, mu); break;
    case 3: solve_square(o, 3, 3, b, mu); break;
    case 4: solve_square(o, 4, 4, b, mu); break;
    case 5: solve_square(o, 5, 5, b, mu); break;
    case 6: solve_square(o, 6, 6, b, mu); break;
    default: solve_square(o, m, o->rank, b, mu);
    }
}

// mu += what is missing of A mu = b, the residual g = b - A mu being given, and u -= K D^T of the change, until the residual
// is `part` of b in the preconditioner's norm, or no larger than `exact` by the rows' natural size.
static hol_status solve_gradients(hol_loops *o, const double *b, double *g, double part, double exact,
                                  double *mu, double *u)
{
    const int m = o->size->n_loops, n = o->size->n, most = 10 * m + 100;
    double *p = o->p, *z = o->z;
    memcpy(z, b, (size_t)m * sizeof *z);
    hol_tree_solve_blocks(o->r, z);
    const double enough = part * part * hol_vector_dot(m, b, z);
    memcpy(z, g, (size_t)m * sizeof *z);
    hol_tree_solve_blocks(o->r, z);
    double rho = hol_vector_dot(m, g, z), first = rho;
    memcpy(p, z, (size_t)m * sizeof *p);
    for (int k = 0; rho > enough && hol_tree_loop_norm(o->r, g) > exact; k++) {
        if (k == most) return rho <= 1e-6 * fmax(first, enough / (part * part)) ? HOL_OK : HOL_RECOVERABLE;
        hol_tree_operator(o->r, p, o->k, z);
        o->iterations++;
        const double curvature = hol_vector_dot(m, p, z);
        if (!(curvature > DBL_EPSILON * DBL_EPSILON * hol_vector_dot(m, p, p)))
            break; // the rest is in the null space
        const double a = rho / curvature;
        for (int i = 0; i < m; i++) mu[i] += a * p[i];
        for (int i = 0; i < m; i++) g[i] -= a * z[i];
        for (int i = 0; i < n; i++) u[i] -= a * o->k[i];
        memcpy(z, g, (size_t)m * sizeof *z);
        hol_tree_solve_blocks(o->r, z);
        const double next = hol_vector_dot(m, g, z), c = next / rho;
        rho = next;
        for (int i = 0; i < m; i++) p[i] = z[i] + c * p[i];
    }
    return isfinite(rho) ? HOL_OK : HOL_RECOVERABLE;
}

// Twists u of the force f and of the jump with D u + c given = 0, by multipliers mu, A mu = D u_free + c given, from the given
// ones. Both are exact enough for `part` and `exact` above. fresh: no factors of a dense A are there.
static hol_status solve(hol_loops *o, bool fresh, const double *f, const double *jump, double c,
                        const double *given, double part, double exact, double *mu, double *u)
{
    const int m = o->size->n_loops, n = o->size->n;
    double *b = o->b;
    o->solves++;
    if (o->A) {
        const hol_status st = hol_delassus_begin(o->delassus, fresh ? o->A : NULL, f, jump, u, b);
        if (st) return st;
        if (fresh) factor_dense(o);
        for (int i = 0; i < m; i++) b[i] += c * given[i];
        solve_dense(o, b, mu);
        hol_delassus_end(o->delassus, jump, mu, u);
        return isfinite(hol_vector_dot(m, mu, mu)) ? HOL_OK : HOL_RECOVERABLE;
    }
    hol_tree_apply(o->r, f, jump, u);
    hol_tree_loops_times(o->r, u, b);
    for (int i = 0; i < m; i++) b[i] += c * given[i];
    memcpy(o->g, b, (size_t)m * sizeof *o->g);
    if (hol_vector_dot(m, mu, mu) > 0) {
        hol_tree_operator(o->r, mu, o->k, o->z);
        for (int i = 0; i < m; i++) o->g[i] -= o->z[i];
        for (int i = 0; i < n; i++) u[i] -= o->k[i];
    }
    return solve_gradients(o, b, o->g, part, exact, mu, u);
}

// At a state that is placed, its rows too.
static hol_status factor(hol_loops *o)
{
    const hol_status st = hol_tree_factor(o->r);
    if (st) return st;
    if (o->A) {
        hol_delassus_matrix(o->delassus, o->A);
        factor_dense(o);
    } else
        hol_tree_factor_blocks(o->r);
    return HOL_OK;
}

// Everything that depends on the state, factored, but for a dense A: that is done on the way.
static hol_status prepare(hol_loops *o, const hol_state *x)
{
    hol_tree_set(o->r, x);
    hol_tree_bend_loops(o->r, x, NULL, NULL);
    return o->A ? HOL_OK : factor(o);
}

// ---- the interface ----------------------------------------------------------------------------------------------

static void put_multipliers(hol_loops *o, hol_state *x)
{
    double *f = o->r->f;
    hol_tree_loops_force(o->r, -1, o->mu, f);
    hol_tree_find_multipliers(o->r, f, o->u);
    hol_tree_put_multipliers(o->r, o->mu, x);
}

// At a state that is prepared. fresh: as in `solve`.
static hol_status accelerate_by(hol_loops *o, bool fresh, hol_state *x, bool multipliers)
{
    const int m = o->size->n_loops;
    const hol_status st = solve(o, fresh, o->r->f, o->r->jump, -1, o->r->tau, o->accuracy, 0, o->mu, o->u);
    if (st) {
        memset(o->mu, 0, (size_t)m * sizeof *o->mu);
        return st;
    }
    hol_tree_put_accelerations(o->r, o->u, x);
    if (multipliers) put_multipliers(o, x);
    return HOL_OK;
}

static hol_status accelerate(hol_loops *o, hol_state *x, bool multipliers)
{
    const hol_status st = prepare(o, x);
    return st ? st : accelerate_by(o, true, x, multipliers);
}

// By the tree that is free of forces: with factors of the state, or those that are there.
static hol_status close(hol_loops *o, const hol_joint_state *to, bool velocity, bool fresh, double part,
                        double exact)
{
    const double *open = velocity ? o->r->rate : o->r->theta;
    hol_status st = fresh ? factor(o) : HOL_OK;
    if (st) return st;
    if (to) memset(o->r->u, 0, (size_t)o->size->n * sizeof *o->w);
    memset(o->d, 0, (size_t)o->size->n_loops * sizeof *o->d);
    st = solve(o, false, NULL, o->r->u, 1, open, part, exact, o->d, o->w);
    for (int i = 0; i < o->size->n && velocity && !to; i++) o->w[i] += o->r->nu[i];
    return st;
}

static hol_status settled(hol_loops *o, bool *fresh)
{
    *fresh = false;
    return factor(o);
}

static hol_status finish(hol_loops *o, bool fresh, hol_state *x)
{
    (void)fresh;
    hol_tree_add_forces(o->r, x);
    return accelerate_by(o, false, x, true);
}

// Bodies by section 14.3, for each of `times` right-hand sides: factors 70 and 370, an application 40 and 130.
static double operations(const hol_loops *o, double times)
{
    const bool plane = o->size->d == 3;
    return o->s->m->n_bodies * ((plane ? 70 : 370) + (plane ? 40 : 130) * (2 + times));
}

static double operations_of_dense(const hol_loops *o)
{
    const double m = o->size->n_loops;
    return operations(o, m) + m * m * m / 3;
}

enum { USUAL = 15 }; // conjugate gradients to a millionth

static double operations_of_gradients(const hol_loops *o)
{
    return operations(o, o->size->n_loops ? USUAL : 0);
}

const hol_loop_solver hol_loop_dense = {accelerate,  put_multipliers,    close, settled, finish,
                                        solve_dense, operations_of_dense};
const hol_loop_solver hol_loop_gradients = {accelerate, put_multipliers,        close, settled, finish,
                                            NULL,       operations_of_gradients};

double hol_loops_independence(const hol_loops *o)
{
    const int m = o->size->n_loops;
    double least = 1;
    if (!o->A || o->rank < m) return 0;
    for (int k = 0; k < m; k++) {
        const double *L = o->A + k, pivot = 1 / L[k * m];
        double whole = pivot;
        for (int c = 0; c < k; c++) whole += L[c * m] * L[c * m] / o->A[c + c * m];
        least = fmin(least, pivot / whole);
    }
    return sqrt(least);
}
