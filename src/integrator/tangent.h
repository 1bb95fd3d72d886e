// Private to the method tangent: Newmark's formulas, or those of HHT and generalized-alpha, for the part of the motion in the
// tangent space of the constraints at the end of the step; the rest follows from the constraints of all three levels.
//
//     E (q1 - q*) + Phi_q^T s = 0,                   Phi = 0
//     E (v1 - v*) + Phi_q^T r + Psi_v^T p = 0,       Phi_q v + Phi_t = 0, Psi = 0
//     M a1 + Phi_q^T lam + Psi_v^T kap - Q = 0,      Phi_q a = tau, Psi' = 0
//
// all at t1, q* and v* being the q1, v1 of scheme.h. docs/theory.md, section 11; Fernandez de Bustos et al. 2021.
#ifndef HOL_TANGENT_H
#define HOL_TANGENT_H

#include "integrator/chart.h"
#include "integrator/index3.h"
#include "integrator/one_step.h"

enum { HOL_TANGENT_PAST = 5 };

typedef enum {
    HOL_TANGENT_POSITION,
    HOL_TANGENT_VELOCITY,
    HOL_TANGENT_ACCELERATION,
    HOL_TANGENT_LEVELS
} hol_tangent_level;

typedef struct hol_tangent {
    hol_scheme scheme;
    char chosen[48]; // rule and basis
    bool zero;       // the first step from a start takes its accelerations as 0
    int degree;      // of the predictor

    hol_chart chart; // its matrices [E Phi_q^T ..; Phi_q 0 ..]; no basis is formed
    double growth;   // partition: of the coordinates against the independent ones
    bool has_chart;  // they are factored
    double h_matrix; // step size the system's factors belong to; 0: none
    double *K, *D;   // derivatives of the third line's constraints, with the pattern of S; zero elsewhere
    int least;       // fewest iterations of a step since the matrices were made, -1: none yet
    int spent;       // iterations above that

    hol_state x1, mid;               // the new point; the point inside a divided step
    const hol_state *x0;             // where the step being solved begins
    const double *a0, *w;            // accelerations there; algorithmic ones (nq), then rates of states (nx)
    double h_w, h_mid;               // step sizes that w0 and w_mid belong to
    double *w0, *w_mid;              // of the accepted point, of the point inside       (nq + nx)
    double *w1, *ws;                 // of the new point; w scaled to the step tried     (nq + nx)
    double *start;                   // accelerations of the accepted point as the method takes them (nq)
    double *s, *r;                   // multipliers of positions; of velocities          (n - nf)
    double *target;                  // q*, then v*                                      (nq)
    double *b;                       // right-hand side and solution            (n)
    double *row[HOL_TANGENT_LEVELS]; // what the constraints miss               (n - nf)
    double *back[2];                 // forces of s and r                       (nq)
    double *moved[2];                // last corrections of positions and velocities (nq)
    hol_history history;             // unknowns (a; z; lam; kap) of accepted points     (n)
    double *memory;

    hol_one_step one;
    int refined;                        // refinements of solutions with the chart's matrix
    double missing[HOL_TANGENT_LEVELS]; // of the constraints before the last correction, by natural size
    bool behind;                        // the last correction may not have found the multipliers
    int last_iterations;
} hol_tangent;

// How a step is tried.
typedef enum { HOL_TANGENT_KEEP, HOL_TANGENT_FRESH, HOL_TANGENT_EVERY } hol_tangent_policy;
typedef enum {
    HOL_TANGENT_HISTORY,
    HOL_TANGENT_TAYLOR,
    HOL_TANGENT_COAST,
    HOL_TANGENT_STAY
} hol_tangent_guess;

// Solves the step from d->x0 to t1 into d->x1. HOL_RECOVERABLE: no convergence.
hol_status hol_tangent_solve(hol_integrator *it, hol_tangent *d, double t1, double h,
                             hol_tangent_policy matrix, hol_tangent_guess guess);

#endif
