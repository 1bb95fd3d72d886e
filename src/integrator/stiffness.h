// Are the steps of an explicit method held by stability and not by the error? docs/theory.md, section 9.4.
//
// Looked at from time to time: the dominant eigenvalue of the equations of motion, by power iterations with differences. It
// holds the steps when it is real and negative, a motion that has died out, when h |lambda| stays near 1, and when the motion
// is so smooth that even Euler's method would meet the tolerance with these steps.
#ifndef HOL_STIFFNESS_H
#define HOL_STIFFNESS_H

#include "integrator/integrator.h"

typedef struct hol_stiffness {
    hol_stiff found;
    int steps, times, n_past; // since the last look; looks in a row that found it; states kept
    double t[3], *v[3];       // of the last looks, latest first: v and X                  (nq + nx)
    double *direction;        // of the dominant motion: dq, dv, dX                        (2 nq + nx)
    double *image;            // what becomes of dv, dX                                      (nq + nx)
    // The bound of the steps.
    double reach[2];    // h |lambda| up to which the method, which says so, is stable: real, of a vibration
    int order;          // 1 Euler's method, 2 Heun's: vibrations grow with any step; else 0
    double longest;     // step that is stable [s]; infinite: not known, or the motion is not steady
    double looked;      // steps up to here were looked at [s]
    int age;            // steps since the last look
    double rate;        // |lambda| [1/s]; 0: `fastest` is to begin anew
    bool vibrates;      // and is not real
    double *fastest[3]; // of the motion with the largest |lambda|, each dq, dv, dX                (2 nq + nx)
    hol_status (*accelerations)(hol_integrator *it,
                                hol_state *x); // at x; by the system's matrix unless another is set
    hol_state x;
    double *memory;
} hol_stiffness;

hol_status hol_stiffness_create(hol_integrator *it, hol_stiffness *w);
void hol_stiffness_destroy(hol_stiffness *w);
// The next steps have nothing to do with those before.
void hol_stiffness_restart(hol_stiffness *w);
// After an accepted step, it->x with its accelerations and it->limit, which becomes that of stability where the last look has
// found it. The factors are others then. A few evaluations from time to time are counted with the others.
void hol_stiffness_watch(hol_integrator *it, hol_stiffness *w);
// The longest step that is stable at it->x, for methods with fixed steps; w->rate and w->vibrates say why. Infinite: not known.
double hol_stiffness_longest(hol_integrator *it, hol_stiffness *w);
// What was found; the watch begins anew, when written too.
void hol_stiffness_archive(const hol_integrator *it, hol_stiffness *w, hol_archive *a);

#endif
