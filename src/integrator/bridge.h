// Bridges: the motion through a singular pose, as a polynomial in time through poses on both sides of it, where joints and drivers
// determine the motion. It is one only if it holds the constraints all the way. docs/theory.md, section 19.1.
#ifndef HOL_BRIDGE_H
#define HOL_BRIDGE_H

#include "integrator/integrator.h"

enum { HOL_BRIDGE_NODES = 8 };

typedef struct hol_bridge {
    bool stands;
    bool about;  // a state, with other motions free: nodes are states beside it, of no motion
    double t;    // of the pose [s]
    double d;    // between poses, which are at t +- d, 2 d, 3 d, 4 d [s]
    double way;  // the same along it [natural sizes]
    double blur; // way to the pose that is not known; 0: all is [natural sizes]
    double most; // largest |(t_i - t) lam_i| of the nodes by natural size, or of kap
    int driver;  // row whose multiplier has no pole, whatever its values are; -1: none is known
    hol_state node[HOL_BRIDGE_NODES]; // in the order of time; without memory until the first one is built
    hol_state room, from;             // from: the state that it is about
} hol_bridge;

// Puts a predicted state onto the constraints, with all its unknowns.
typedef hol_status hol_bridge_settle(hol_integrator *it, hol_state *x);

// From the state x, on the branch that is meant, over a pose at about t. HOL_RECOVERABLE: no motion leads straight on there. The
// system's factors are void afterwards.
hol_status hol_bridge_build(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle, const hol_state *x,
                            double t);
// Where the motion from x is at t, to second order.
void hol_bridge_predict(const hol_equations *s, const hol_state *x, double t, hol_state *out);
// From a state x next to a pose at about t, whose positions and velocities are right but for what the weak rows make of them; v: the
// direction of its motion (nq). Motions may be free: the nodes are states on the constraints along v, and what is smooth along them is
// that of x at its time. HOL_RECOVERABLE: there is no pose next to x, or no motion straight through it.
hol_status hol_bridge_about(hol_bridge *b, hol_kernel *k, const hol_state *x, const double *v, double t);
// What x leads to along v (nq) in dt, with what its accelerations make of that where it is little within d; not its time.
void hol_bridge_beside(const hol_equations *s, const hol_state *x, const double *v, double d, double dt,
                       hol_state *out);
void hol_bridge_destroy(hol_bridge *b);
// Its first and its last time [s].
double hol_bridge_begin(const hol_bridge *b);
double hol_bridge_end(const hol_bridge *b);
// Has a step that went to its end reached that, but for rounding?
bool hol_bridge_is_passed(const hol_bridge *b, double t);
// Is t, but for rounding, within these?
bool hol_bridge_covers(const hol_bridge *b, double t);
// Is t so near to the pose that no state is found there but by the polynomial?
bool hol_bridge_carries(const hol_bridge *b, double t);
// Its nodes get the unknowns that they have with the forces of the time t.
hol_status hol_bridge_load(hol_bridge *b, hol_integrator *it, hol_bridge_settle *settle, double t);
// The state at t, with multipliers and users' unknowns as they are on both sides. Multipliers that grow without bound at the pose
// are NaN there. inputs: slots of the memory that follow (n).
hol_status hol_bridge_at(const hol_bridge *b, const hol_equations *s, int n, const int *slot, double t,
                         hol_state *out);
void hol_bridge_archive(hol_bridge *b, hol_integrator *it, hol_archive *a);

#endif
