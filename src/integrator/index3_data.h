// Private to the index-3 family: what an integrator keeps, and the parts of a step.
#ifndef HOL_INDEX3_DATA_H
#define HOL_INDEX3_DATA_H

#include "integrator/index3.h"
#include "integrator/stop.h"

enum { HOL_INDEX3_HISTORY = 4 };

typedef struct {
    hol_scheme scheme;
    const hol_value *option; // the family's rows
    hol_state x1;            // trial state
    double *w0, *w1,
        *ws;         // algorithmic accelerations, then rates of states; ws: w0 for the step tried (nq + nx)
    double h_w;      // step size that w0 belongs to
    double *vs, *as; // v and a at the beginning of the step tried       (nq)
    double *jerk; // third derivative of q; at a start the second one of the states behind it       (nq + nx)
    bool knows_jerk;
    double tried[HOL_TRIED]; // sizes of the last steps tried, newest first
    double h_v;              // step size that the offset of v belongs to; 0: none yet
    int degree;              // of the predictor
    bool held;               // the last attempt was rejected: the step may not grow
    hol_limit why;           // what made the present step size
    double *e;               // residual, then correction                       (n)
    hol_history history;     // accepted unknowns (a; z; lam; kap)                  (n)
    double *largest;         // largest |q_i|, |X_i| so far, not below the natural size  (nq + nx)
    double *weight;          // of the error norm                                (nq + nx)
    double roughness; // rounding of the positions in the norm of hol_index3_weighted, in units of epsilon
    char *implicit;   // equations that take accelerations or joint forces                  (n_equations)
    double *memory;
    double h_factored; // step size the factored matrix belongs to, 0: none
    bool settled;      // it was made at a solution, not on the way to one
    bool light;        // it is that of the accelerations at the start of the step, (8.48)
    bool too_light;    // that did not do the last time
    double last_rate;
    int last_iterations;
} hol_index3;

// How a step treats the Newton matrix.
typedef enum { HOL_MATRIX_KEPT, HOL_MATRIX_FRESH, HOL_MATRIX_EVERY_TIME } hol_policy;

// One attempt at a step. way: the matrix at hand, a fresh one, a fresh one every time, a plain predictor, regularised.
typedef struct {
    hol_policy matrix;
    int degree, max;
    double delta; // regularisation: the step may end in a singular pose
} hol_way;

// Makes the matrix of a step of size h at d->x1 and factors it. delta: regularisation.
hol_status hol_index3_refresh(const hol_integrator *it, hol_index3 *d, double h, double delta);
// w0 of a start with steps of it->h, and the third derivative of q if such a step resolves it.
hol_status hol_index3_start_w(hol_integrator *it, hol_index3 *d);
// The history begins at the present state, no factors are at hand.
void hol_index3_forget(hol_integrator *it, hol_index3 *d);
// Solves for a step of size h to t1 in d->x1. HOL_RECOVERABLE: no convergence.
hol_status hol_index3_attempt(hol_integrator *it, hol_index3 *d, double t1, double h, const hol_way *w);
// a1, lam1 by the polynomial of the given degree through the last accepted values.
void hol_index3_predict(hol_index3 *d, double t1, int degree);
// The largest group, or the root mean square over coordinates, weighted by Y_i = max(size_i, relative * largest |q_i| so far).
double hol_index3_weighted(const hol_integrator *it, const hol_index3 *d, const double *x);
// The local error of the step tried, of size h, in units of the tolerance; (e) of d is overwritten.
double hol_index3_error(hol_integrator *it, hol_index3 *d, double h);
// The same of users' states.
double hol_index3_state_error(const hol_integrator *it, const hol_index3 *d, double h);
// Is one of the errors tested proportional to h^2?
bool hol_index3_tests_first_order(const hol_integrator *it, const hol_index3 *d);
// Takes over the size of an accepted state: `largest` and `roughness`.
void hol_index3_scale(const hol_integrator *it, hol_index3 *d, const hol_state *x);
// The factored matrix may serve for a step of size h.
bool hol_index3_matrix_is_good(const hol_index3 *d, double h);
// Notes the elements with the largest residuals where a step of size h fails: at its start, moved without history.
void hol_index3_blame(hol_integrator *it, hol_index3 *d, double h);
// The message of a step that cannot be made: time, size, the element to blame, a remedy.
// newton: it has not always converged, else the error test alone is not met.
hol_status hol_index3_fail(hol_integrator *it, hol_index3 *d, double h, bool newton);

#endif
