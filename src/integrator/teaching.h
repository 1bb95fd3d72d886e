// What the teaching methods share: the step of one Newton iteration in all coordinates, fixed steps only.
//
//     M a1 + Phi_q^T lam1 = Q1,     w2 Phi'' + w1 Phi' + w0 Phi = 0                         at t1
//     q1 = q* + b a1,    v1 = v* + g a1,    X1 = X* + g X1'
//
// A method chooses b, g, the known parts q*, v*, X*, and the level at which the constraints are held. docs/theory.md,
// section 12.
#ifndef HOL_TEACHING_H
#define HOL_TEACHING_H

#include "integrator/integrator.h"
#include "integrator/newmark.h"

typedef struct hol_teaching {
    hol_state x1;      // trial state
    double *q, *v, *X; // q*, v*, X*                                  (nq), (nq), (nx)
    double *e;         // residual, then correction                   (n)
    double *K, *D;     // of hol_linear_rows, with the pattern of S
    double *memory;
} hol_teaching;

typedef struct hol_level { // w0 [1/s^2], w1 [1/s], w2 [1]; only their ratios matter
    double position, velocity, acceleration;
} hol_level;

hol_status hol_teaching_create(hol_integrator *it);
void hol_teaching_destroy(hol_integrator *it);
hol_status hol_teaching_restart(hol_integrator *it); // one-step methods keep no history: nothing to do
void hol_teaching_archive(hol_integrator *it, hol_archive *a);
// Fixed steps only.
const char *hol_teaching_refuse(const hol_value *option, bool variable);

// Trial state: time, memory, and the last unknowns (a; z; lam) as a guess.
void hol_teaching_begin(hol_integrator *it, double t1);
// Solves the equations above for the trial state. HOL_RECOVERABLE: no convergence.
hol_status hol_teaching_solve(hol_integrator *it, double b, double g, const hol_level *level);
void hol_teaching_accept(hol_integrator *it);
// The message of a step that cannot be made.
hol_status hol_teaching_fail(hol_integrator *it);

// A whole step with Newmark's formulas, gamma and beta being the first two option rows.
hol_status hol_teaching_newmark(hol_integrator *it, double t1, const hol_level *level);

// What the hol_method of a teaching method has beside its name, doc, order, options, limit and step.
#define HOL_TEACHING_FUNCTIONS                                                                               \
    .teaching = true, .accepts = HOL_ACCEPTS_ALL & ~HOL_ACCEPTS_RATES, .fewest_steps = 40,                   \
    .refuse = hol_teaching_refuse, .create = hol_teaching_create, .destroy = hol_teaching_destroy,           \
    .restart = hol_teaching_restart, .rows_changed = hol_teaching_restart, .archive = hol_teaching_archive,  \
    .interpolate = hol_interpolate_hermite

#define HOL_TEACHING_NEWMARK_ROWS                                                                            \
    {"gamma", HOL_NUMBER, "", 0.5, 0.5, 1, 0, NULL, "velocity parameter; above 0.5: order 1 and damping"},   \
    {                                                                                                        \
        "beta", HOL_NUMBER, "", HOL_NONE, 0, 1, HOL_ABOVE, NULL,                                             \
            "position parameter; default (gamma + 1/2)^2/4; 1/12: Fox-Goodwin, 1/6: linear acceleration, "   \
            "1/4: "                                                                                          \
            "trapezoidal rule"                                                                               \
    }

#endif
