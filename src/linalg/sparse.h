// Sparse saddle-point systems of fixed pattern: analyse once, factor many times, solve.
//     S = [ A  B^T ; B  -delta ]      A: n_first square;  B: multiplier rows
//
// After hol_sparse_create nothing here allocates, except a full (pivoting) factorisation, which is counted.
#ifndef HOL_SPARSE_H
#define HOL_SPARSE_H

#include "base/archive.h"
#include "linalg/pattern.h"

// The delta of hol_sparse_factor for rows that may be dependent: redundant joints, singular poses.
#define HOL_SPARSE_DELTA 1e-9

typedef struct hol_sparse hol_sparse;

// Ordering and symbolic analysis. The pattern's arrays are kept by pointer and must outlive the solver. It is structurally
// symmetric, contains the whole diagonal, and its unknowns n_first..n-1 are the multipliers (zero diagonal values).
// NULL: out of memory or a bad pattern, the message is in ctx.
hol_sparse *hol_sparse_create(hol_context *ctx, const hol_pattern *pattern, int n_first);
void hol_sparse_destroy(hol_sparse *s);

// Factors the matrix with these values (start[n]), which are scaled symmetrically inside. The pivot sequence of the
// last full factorisation is kept while its pivots stay large, else the matrix is pivoted anew.
//   delta >= 0 [-]: subtracted from every multiplier diagonal, in units of B A^-1 B^T (the geometric mean over the
//   rows). 0: the matrix as it is. 1e-9: redundant rows allowed; solve with hol_sparse_solve_refined then.
//   HOL_RECOVERABLE: singular to working precision, nothing can be solved.
hol_status hol_sparse_factor(hol_sparse *s, const double *values, double delta);

// From now on a matrix that seems to be singular is scaled otherwise before it is said to be: so that no row has an entry much
// larger than 1, of the border or not. Not where a singular pose is to be noticed early.
void hol_sparse_try_even_scale(hol_sparse *s);
// The next factorisation chooses its pivots anew: when hol_sparse_rcond has become small they may be to blame, not S.
void hol_sparse_forget_pivots(hol_sparse *s);

// x <- S^-1 x with the last factorisation; x is (n).
void hol_sparse_solve(hol_sparse *s, double *x);
// The same of x (n x cols), four of them for one pass over the factors.
void hol_sparse_solve_columns(hol_sparse *s, int cols, double *x);

// The same with iterative refinement against the matrix `values` (start[n]), which may differ a little from the
// factored one: the one without delta, or a newer one. Stops at rounding level, when the residual no longer halves,
// or after max_iterations corrections. With redundant rows and a consistent right-hand side the multipliers tend to
// those of minimum Euclidean norm.
//   returns the corrections made; *residual (or NULL): last scaled residual, relative to its terms
int hol_sparse_solve_refined(hol_sparse *s, const double *values, double *x, int max_iterations,
                             double *residual);

// Smallest over largest pivot of the scaled matrix, a crude reciprocal condition number; 0: singular.
double hol_sparse_rcond(const hol_sparse *s);

// Saves or restores the factorisation, bit for bit: the pivot sequence depends on the values of the last full
// factorisation, the factors on those of the last one, which are `values` (start[n]).
void hol_sparse_archive(hol_sparse *s, hol_archive *a, const double *values);

typedef struct hol_sparse_stats {
    long factorizations, pivotings, solves; // pivotings: full factorisations among them
    double factor_flops, factor_nonzeros;   // of the last full factorisation
} hol_sparse_stats;
void hol_sparse_take_stats(hol_sparse *s,
                           const hol_sparse *from); // goes on counting where another one stopped
void hol_sparse_get_stats(const hol_sparse *s, hol_sparse_stats *out); // NULL: nothing was done

#endif
