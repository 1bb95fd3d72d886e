// Exact derivatives of the state-space equations w' = f(t, y, w), y' = first d entries of w, at the point of a chart, by
// implicit differentiation: one factorisation, 2 d + nx + 1 right-hand sides. w are the d velocities of the chart and the
// nx users' states: n = d + nx. With velocity constraints y' is not w but P v(t, y, w). docs/theory.md, section 9.2.
#ifndef HOL_JACOBIAN_H
#define HOL_JACOBIAN_H

#include "integrator/chart.h"

typedef struct hol_jacobian {
    int n;
    double *J1, *J2, *ft; // f_y (n x n, columns of states 0), f_w (n x n), f_t (n), column-major
    double *V1, *V2, *vt; // of y' by y (d x d), by w (d x d), by t (d); NULL without velocity constraints
    double *N, *Z, *X,
        *out; // directions and changes of all unknowns      (nq + 1, nq, nx, unknowns) x (2 d + nx + 1)
    double *memory;
} hol_jacobian;

hol_status hol_jacobian_create(hol_context *ctx, const hol_chart *c, hol_jacobian *j);
void hol_jacobian_destroy(hol_jacobian *j);
// At x, which is the chart's point; the factors of k are those of the accelerations at x.
hol_status hol_jacobian_find(hol_jacobian *j, hol_chart *c, hol_kernel *k, const hol_state *x);

#endif
