// The one Newton matrix of all formulations of method bdf. docs/theory.md, section 10.2.
//
//     [ M - Q_v/c + K/c^2    -(M - Q_v/c)   Phi_q^T           ] [ c^2 dq ]     [ -r2           ]
//     [ -H(mu)/c             -E                     -Phi_q^T  ] [ c^2 u  ]  =  [ c r1          ]
//     [ Phi_q                                                 ] [ dlam   ]     [ -c^2 g        ]
//     [ W/c                  -Phi_q                           ] [ c dmu  ]     [ c^2 g - c g'  ]
//
// c is IDA's factor of dy' against dy, dv = c (dq - u), K = (M a)_q + H(lam) - Q_q, H(l) = (Phi_q^T l)_q, W =
// (Phi_q v + Phi_t)_q. Users' unknowns dz and states c dX stand behind u, multipliers of velocity constraints
// behind c dmu. As c grows the matrix tends to that of the accelerations, so that its pivots serve for steps
// of all sizes.
#ifndef HOL_BDF_MATRIX_H
#define HOL_BDF_MATRIX_H

#include "system/composite.h"
#include "system/composite.h"
#include "system/kernel.h"

typedef struct hol_bdf_matrix {
    hol_context *ctx;
    hol_equations *s;
    hol_kernel *k;            // room to work in
    int n, n_first;           // unknowns, those before the multipliers
    int first_z, first_state; // places of users' unknowns and states
    int first_mu, first_kap;
    hol_composite composite;
    hol_kkt *A;                      // its matrix
    int *metric;                     // of -E                                          (nq)
    int *states;                     // of 1 and -1 in the rows of states              (2 nx)
    double *E;                       // of q' - v: the size of the masses              (nq)
    double *own, *rest, *W;          // with the pattern of S
    double *by_state;                // the same; NULL without users' states
    double *row, *col, *most, *more; // scaling of the values, and room for it        (n)
    double c;                        // of the matrix that is factored; 0: none
} hol_bdf_matrix;

hol_status hol_bdf_matrix_create(hol_context *ctx, hol_kernel *k, const hol_state *x, hol_bdf_matrix *b);
void hol_bdf_matrix_destroy(hol_bdf_matrix *b);
// Values and factors at x, with H(x->lam) and H(mu).
hol_status hol_bdf_matrix_set(hol_bdf_matrix *b, const hol_state *x, const double *mu, double c);
// In place; the right-hand side as above.
hol_status hol_bdf_matrix_solve(hol_bdf_matrix *b, double *x);
// Largest row of H(lam) against c^2 E, in natural sizes: what multipliers that are wrong by lam (nc) do to
// the matrix.
double hol_bdf_matrix_wrong(hol_bdf_matrix *b, const hol_state *x, const double *lam, double c);

#endif
