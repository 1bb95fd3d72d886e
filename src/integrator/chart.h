// State-space coordinates of a constrained system around a point: y (d) with Phi(q(y), t) = 0. docs/theory.md, section 9.1.
//
//     partition: y are d of the coordinates q, chosen so that the others follow from them
//     tangent:   y = N^T E (q - q_n), N (nq x d) a basis of ker Phi_q(q_n) with N^T E N = 1, E = diag(1/size^2)
//
// Both are charts P (q - q_n) with P N = 1. Whatever has to be found with P given (positions, velocities, N itself) comes
// from one sparse matrix at q_n, [E  Phi_q^T; Phi_q  0], E being 1 for independent coordinates and 0 for the others in
// the first case: its solutions for (0; r) leave P x = 0.
//
// With velocity constraints Psi(q, v, t) = 0 the d velocities w are too many by nk; v(w) is then N w + drift and a
// combination of the solutions for (0; r; s) of a second matrix, [E Phi_q^T Psi_v^T; Phi_q 0 0; Psi_v 0 0] at (q_n, v_n): the
// velocity nearest to N w that satisfies all constraints, in E as at q_n.
#ifndef HOL_CHART_H
#define HOL_CHART_H

#include "system/kernel.h"

// Kinds of charts.
enum { HOL_CHART_COLUMNS = 4 }; // found at once
enum { HOL_CHART_PARTITION = 0, HOL_CHART_TANGENT = 1, HOL_CHART_NO_BASIS = 2 };

typedef struct hol_chart {
    hol_equations *s;
    hol_context *ctx;
    int d; // degrees of freedom
    bool tangent;
    bool implicit;          // without N: a vector of the kernel stands for its coordinates
    int size;               // entries of y: d, or nq without N
    int *index;             // partition: the independent coordinates                     (d)
    double *E;              // diagonal of the block above                                (nq)
    double *hint;           // partition: weight of a coordinate, larger is more dependent (nq)
    double *wish;           // the same by the user; 1: none                              (nq)
    double *q, t;           // the point                                                  (nq)
    double *N;              // dq/dy at the point; NULL: implicit                         (nq x d)
    double *drift;          // dq/dt at the point with y fixed                            (nq)
    hol_kernel positions;   // the chart's matrix
    hol_kernel velocities;  // the second one; without velocity constraints not made
    double *work;           // (HOL_CHART_COLUMNS n)
    double pivot0, pivot;   // smallest over largest pivot when the partition was chosen, and now
    double growth0, growth; // partition: largest entry of N in natural sizes, the same; 0 without N
    int most_corrections;   // of positions since the chart was set
} hol_chart;

// kind: HOL_CHART_PARTITION or HOL_CHART_TANGENT; with | HOL_CHART_NO_BASIS y and w are vectors N y, N w of the coordinates
// (nq), and P v is v projected.
hol_status hol_chart_create(hol_context *ctx, hol_equations *s, unsigned kind, hol_chart *c);
void hol_chart_destroy(hol_chart *c);
// Reads names such as "rod1.y, rod2.theta" of coordinates that should be independent.
hol_status hol_chart_wish(hol_chart *c, const char *names);
// Chooses the independent coordinates (partition), or a first basis (tangent), at x. A partition that is in use is not
// chosen again: wishes and then hints are left aside.
hol_status hol_chart_choose(hol_chart *c, const hol_state *x);
// The same at a start. *beside: it is a singular pose, in which there are none, and those of a state a little further on serve as soon as the
// motion has left it. k: a kernel, whose factors are void then.
hol_status hol_chart_begin(hol_chart *c, hol_kernel *k, const hol_state *x, bool *beside);
// Moves the chart to x: matrix, N, drift. HOL_RECOVERABLE: the partition is singular there.
hol_status hol_chart_set(hol_chart *c, const hol_state *x);
// p = P v (size) for a vector v of coordinates (nq).
void hol_chart_project(hol_chart *c, const double *v, double *p);
// v = N p.
void hol_chart_embed(const hol_chart *c, const double *p, double *v);
// The kernel of the velocities, whose liftings x satisfy Phi_q x = r and Psi_v x = s; with velocity constraints P x need not be 0.
hol_kernel *hol_chart_velocity_kernel(hol_chart *c);
// q(y, t) into x->q, from q = q_n + N y + drift (t - t_n). HOL_RECOVERABLE: no convergence.
hol_status hol_chart_positions(hol_chart *c, hol_state *x, const double *y);
// v with Phi_q v + Phi_t = 0 and P v = w at x->q; with velocity constraints Psi = 0 and P v near w. HOL_RECOVERABLE: none.
hol_status hol_chart_velocities(hol_chart *c, hol_state *x, const double *w);
// How much faster than a partition's coordinates the others move, in natural sizes, for one motion of all of them; for charts
// without a basis, whose `growth` is not known.
double hol_chart_growth(const hol_chart *c);
// The partition should be chosen anew: its pivots have become small or N large, or positions converge slowly.
bool hol_chart_is_worn(const hol_chart *c);
// Saves or restores all of it.
void hol_chart_archive(hol_chart *c, hol_archive *a);

#endif
