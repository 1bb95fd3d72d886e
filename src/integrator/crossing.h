// States at and next to singular poses, where the equations determine neither velocities nor accelerations but the motion goes on:
// rows, ends of steps, events. docs/theory.md, section 9.8.
#ifndef HOL_CROSSING_H
#define HOL_CROSSING_H

#include "integrator/integrator.h"

typedef enum hol_crossed {
    HOL_CROSSED_FAR, // no pose is near, or nothing moves: the state is as it was, and its equations determine it
    HOL_CROSSED_NEAR, // one is, to which no motion was found: the state is as it was, and its equations determine it on the joints alone
    HOL_CROSSED_TAKEN, // the state is on the joints, with all its unknowns; multipliers that grow without bound there are NaN
    HOL_CROSSED_LOST // in a pose, and no motion leads straight on: the state is as it was, and its unknowns are rounding
} hol_crossed;

// NULL with HOL_OK: the model has no loops, the method is kinematics', which has its own, or makes no matrices.
hol_status hol_crossing_create(hol_integrator *it, hol_crossing **out);
void hol_crossing_destroy(hol_crossing *c);
// A state x whose positions and velocities are those of the last step at its time, or of its end; nothing else of it counts.
hol_status hol_crossing_of_step(hol_integrator *it, hol_state *x, hol_crossed *how);
// Are velocities v (nq) of a state that was lost there those of its positions and the step?
bool hol_crossing_believes(const hol_integrator *it, const double *v);
// The same where its velocities are right, and forces or velocities may have jumped since the step.
hol_status hol_crossing_of_state(hol_integrator *it, hol_state *x, hol_crossed *how);
// it->x, the start in a pose, gets the accelerations of its motion. HOL_RECOVERABLE: it rests, or nearly so, and what drives it off does
// so along one of the motions that meet there.
hol_status hol_crossing_start(hol_integrator *it);
// A step that the method does not find, to t1, into a pose, over it or out of it: by the trapezoidal rule on the branch of the motion. The
// method begins anew behind it. HOL_RECOVERABLE: no pose is near, or no motion leads on; it->x is as it was.
hol_status hol_crossing_step(hol_integrator *it, double t1);
// Accelerations and multipliers of x, whose positions and velocities are right, by the factors of k or as hol_crossing_of_state has them,
// with positions and velocities then. HOL_RECOVERABLE: they are not determined.
hol_status hol_crossing_accelerate(hol_integrator *it, hol_kernel *k, hol_state *x);
// Way from it->x to the pose that is near it, ahead or behind; HOL_INF: none is, or nothing moves [natural sizes]
hol_status hol_crossing_way(hol_integrator *it, double *way);
// Would hol_crossing_of_step change a copy of it->x?
hol_status hol_crossing_sees(hol_integrator *it, bool *near);
// Smallest singular value of the constraints at x in natural sizes, for small models; HOL_INF: not known. It is no work of the method.
double hol_crossing_distance(hol_integrator *it, const hol_state *x);
// Corrects the multipliers of x, whose motion is right, by a matrix made there; where that is singular they stay what they are.
hol_status hol_crossing_multipliers(hol_integrator *it, hol_state *x);
// A state a little further on the motion of x, a start in a pose, on the joints: where a method finds coordinates that it does not find at x.
// HOL_RECOVERABLE: nothing moves, or there is none. Destroy it in any case.
hol_status hol_crossing_beside(hol_kernel *k, const hol_state *x, hol_state *out);
// Multipliers that are no number count as 0 in a state from which a method goes on. Were there any?
bool hol_crossing_bound(const hol_equations *s, hol_state *x);
// The power that these lack: what joints and drivers give by their motion, v . (M a - Q), without that of the multipliers of x. It is finite where a
// driver stands still that they hold without bound.
double hol_crossing_power(const hol_integrator *it, const hol_state *x);

#endif
