// KKT matrices, sparse and of a fixed pattern: analyse once, factor many times, solve.
//
//     S = [ A  B^T ; B  -delta ]      A: n_first square;  B: multiplier rows
//
// One object holds the values, their factors, and what was counted. It knows no mechanics, and no other object of the program
// factors a sparse matrix. After hol_kkt_create nothing here allocates, except a full (pivoting) factorisation, which is counted.
#ifndef HOL_KKT_H
#define HOL_KKT_H

#include "base/archive.h"
#include "linalg/pattern.h"

// The delta of hol_kkt_factor for rows that may be dependent: redundant joints, singular poses.
#define HOL_KKT_DELTA 1e-9

typedef struct hol_kkt hol_kkt;

// Ordering and symbolic analysis. The pattern's arrays are kept by pointer and must outlive all but hol_kkt_destroy. It is
// structurally symmetric, contains the whole diagonal, and its unknowns n_first..n-1 are the multipliers (zero diagonal values).
// NULL: out of memory or a bad pattern, the message is in ctx.
hol_kkt *hol_kkt_create(hol_context *ctx, const hol_pattern *pattern, int n_first);
// Another one of the same pattern, in the order that was found for it.
hol_kkt *hol_kkt_create_like(const hol_kkt *like);
void hol_kkt_destroy(hol_kkt *A);
// Unknowns first..n_first-1 have equations of their own, 1 on the diagonal and entries of any size on one side of it: where these would hide A,
// the row and the column are scaled each by its own.
void hol_kkt_scale_apart(hol_kkt *A, int first);
double *hol_kkt_values(hol_kkt *A); // (start[n]), the caller's to fill

// Factors the matrix, which is scaled symmetrically inside. The pivot sequence of the last full factorisation is kept while its
// pivots stay large, else the matrix is pivoted anew.
//   delta >= 0 [-]: subtracted from every multiplier diagonal, in units of B A^-1 B^T (the geometric mean over the
//   rows). 0: the matrix as it is. HOL_KKT_DELTA: redundant rows allowed.
//   HOL_RECOVERABLE: singular to working precision, nothing can be solved.
hol_status hol_kkt_factor(hol_kkt *A, double delta);

// The next factorisation chooses its pivots anew: when hol_kkt_rcond has become small they may be to blame, not S.
void hol_kkt_forget_pivots(hol_kkt *A);

// From now on a matrix that seems to be singular is scaled otherwise before it is said to be: so that no row has an entry much
// larger than 1, of the border or not; then rows and columns each by their own. Not where a singular pose is to be noticed early.
void hol_kkt_try_even_scale(hol_kkt *A);

// x <- S^-1 x with the last factorisation, x (n x cols), and at most so many corrections of each by iterative refinement
// against the values, which may differ a little from the factored ones: without delta, or newer. It stops at rounding level, or
// when the residual no longer halves. With redundant rows and a consistent right-hand side the multipliers tend to those of
// minimum Euclidean norm. HOL_RECOVERABLE: not finite.
enum {
    HOL_KKT_AS_FACTORED = -1,
    HOL_KKT_REFINEMENTS = 10
}; // as many where the factors have a delta, else none
hol_status hol_kkt_solve(hol_kkt *A, int cols, double *x, int refinements);

// Smallest over largest pivot of the scaled matrix, a crude reciprocal condition number; 0: singular.
double hol_kkt_rcond(const hol_kkt *A);

// Saves or restores the values and the factorisation, bit for bit: the pivot sequence depends on the values of the last full
// factorisation, the factors on those of the last one.
void hol_kkt_archive(hol_kkt *A, hol_archive *a);

typedef struct hol_kkt_stats {
    long factorizations, pivotings, solves; // pivotings: full factorisations among them
    double factor_flops, factor_nonzeros;   // of the last full factorisation
    int refinements;                        // corrections of the last right-hand side that was refined
    double residual;                        // what they left, scaled and relative to its terms
} hol_kkt_stats;
void hol_kkt_take_stats(hol_kkt *A, const hol_kkt *from);     // goes on counting where another one stopped
void hol_kkt_get_stats(const hol_kkt *A, hol_kkt_stats *out); // NULL: nothing was done

#endif
