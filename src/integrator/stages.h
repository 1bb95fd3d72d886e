// The linear algebra of Rosenbrock stages at the point of a chart: what a method asks of the equations' Jacobian.
//
//     Nystrom form    ((1/g) - h J2 - g h^2 J1) l = r + J1 rho + h dt f_t                l, r: of w and users' states
//     first order     ((1/g) - h J) l = r + h dt F_t                                     l, r: of y, w and users' states
//
// The second is used with velocity constraints, where y' is not w. With an implicit chart the first is a sparse system
// (stage_matrix.h), else both are dense. docs/theory.md, section 9.2.
#ifndef HOL_STAGES_H
#define HOL_STAGES_H

#include "integrator/stage_matrix.h"
#include "integrator/jacobian.h"

typedef struct hol_stages {
    hol_context *ctx;
    hol_chart *c;
    bool first_order;
    int n;        // entries of w and users' states
    int m;        // entries of l: n, in first-order form those of y before them
    double wrong; // for tests: the Jacobian is multiplied by this
    hol_stage_matrix *sparse;
    hol_jacobian j;  // dense
    double *E;       // matrix, factored                                              (m x m)
    int *pivot;      //                                                               (m)
    double h, gamma; // of the matrix
} hol_stages;

hol_status hol_stages_create(hol_context *ctx, hol_chart *c, hol_stages *out);
void hol_stages_destroy(hol_stages *g);
// The chart has been made anew, for other rows of the constraints but as many.
hol_status hol_stages_rows_changed(hol_stages *g);
// Does `find` need the factors of k to be those of the accelerations at x?
bool hol_stages_need_factors(const hol_stages *g);
// The Jacobian at x, which is the chart's point. k: of the accelerations.
hol_status hol_stages_find(hol_stages *g, hol_kernel *k, const hol_state *x);
hol_status hol_stages_factor(hol_stages *g, double h, double gamma);
// l: r on entry. rho (n) may be NULL, and is of the Nystrom form only.
hol_status hol_stages_solve(hol_stages *g, double dt, const double *rho, double *l);
void hol_stages_archive(hol_stages *g, hol_archive *a);

#endif
