// Eigenvalues of M_R^-1 K_R of large models without a basis of ker Phi_q: the fastest and the slowest vibrations by Lanczos'
// or Arnoldi's method on sparse KKT matrices. docs/theory.md, section 13.5.
#ifndef HOL_MODES_SPARSE_H
#define HOL_MODES_SPARSE_H

#include "analysis/reduced.h"
#include "linalg/eigen.h"

typedef struct hol_modes_sparse {
    hol_context *ctx;
    hol_equations *s;
    hol_reduced *r;     // the caller's: a part
    const hol_state *x; // where
    bool follows;       // velocities change with positions
    double *K, *D;      // stiffness and damping                                (nonzeros of S)
    double *A1;         // what accelerations do: M, and in users' equations    (nonzeros of S)
    hol_kkt *A;         // of it; NULL if only the fastest is wanted
    double shift;       // [1/s^2]
    hol_eigen eigen;
    int found, room;              // directions, and place for them
    double *basis, *Mbasis;       //                                                (nq x found)
    double *direction, *z, *work; //                                            (nq + 1), (nq), (n)
    double *memory;
} hol_modes_sparse;

// count: modes wanted, 0: only the fastest. HOL_ERR_USAGE: the model has what is not treated; the message names it.
hol_status hol_modes_sparse_create(hol_context *ctx, hol_reduced *r, int count, hol_modes_sparse *v);
void hol_modes_sparse_destroy(hol_modes_sparse *v);
// sqrt|k| of the eigenvalue k with the largest real part if that is positive, else 0. At a consistent state, the system's
// factors being those of the accelerations there, and r prepared. Nothing is allocated.
hol_status hol_modes_sparse_fastest(hol_modes_sparse *v, const hol_state *x, double *omega);
// A basis of the directions that belong to the `count` eigenvalues nearest to 0, after the fastest has been found there.
hol_status hol_modes_sparse_slowest(hol_modes_sparse *v, int count, double omega_max);

#endif
