// What the files of method bdf share.
#ifndef HOL_BDF_DATA_H
#define HOL_BDF_DATA_H

#include "integrator/bdf_matrix.h"
#include "integrator/bdf_split.h"
#include "integrator/sundials.h"

#include <ida/ida.h>

// Whose multipliers bend the constraints in the Newton matrix, H(l) in bdf_matrix.h.
typedef enum { HOL_BENDS_ITERATE, HOL_BENDS_SPLIT, HOL_BENDS_NOT, HOL_BENDS_LAST } hol_bends;

typedef struct hol_formulation {
    const char *name;
    hol_bends bends;
    bool multipliers; // take part in Newton's test
    bool independent; // only independent coordinates take part in the error test
    bool keeps;       // the matrix serves for several steps
    bool
        predicts; // multipliers start from what the splitting sees at the prediction, not from IDA's extrapolation
    bool frozen; // the residual keeps Phi_q of the point where the matrix was made
} hol_formulation;

extern const hol_formulation hol_formulations[]; // in the order of the choices of bdf.formulation
#define HOL_FORMULATION_NAMES "cm-lambda|ggl|ggl-star|cs|cm|ggl-star-pinv|cm-kept"

// IDA's vector: q (nq), v (nq), X (nx), then z, lam, kap as in the state (n - nq), mu (nc).
typedef struct hol_bdf {
    const hol_formulation *f;
    bool stiff;     // there are vibrations that are not followed
    bool positions; // only positions take part in the error test
    int n;          // length of IDA's vector
    hol_bdf_matrix m;
    hol_bdf_split split;
    hol_state x1; // of the last residual, then the new point
    hol_sundials sun;
    SUNNonlinSolSysFn residual; // IDA's: corrections to d->r
    N_Vector y, yp;
    double *r, *dx; // residual and right-hand side, both in the order of the matrix   (n of the matrix)
    const hol_norm *norm;
    double *newton_weight;  //                                                     (n)
    double *step;           // the last correction                                 (n)
    double *mu;             // of x1                                                (nc)
    double *bend, *bend_mu; // multipliers in the matrix                          (nc)
    double *last, *last_mu; // of the last accepted point                         (nc)
    double *test;           //                                                     (nc)
    double *kept;           // coordinates of the point whose Phi_q is kept        (nq)
    double *memory;
    double inertia; // natural size of a mass times the square of a length
    long doubted;   // steps that had converged for the wrong reason
} hol_bdf;

// Newton's iteration as IDA wants it. NULL: out of memory.
SUNNonlinearSolver hol_bdf_newton(hol_integrator *it, SUNContext context);
// IDA's residual function.
int hol_bdf_residual(double t, N_Vector y, N_Vector yp, N_Vector r, void *user);
// A vector of IDA and its derivative into x and mu; mu may be NULL.
void hol_bdf_unpack(const hol_bdf *d, const hol_equations *s, double t, N_Vector y, N_Vector yp, hol_state *x,
                    double *mu);

#endif
