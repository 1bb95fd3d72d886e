// Fixed steps in which bodies in space turn far: does their attitude go where their angular velocity leads? docs/theory.md, section 8.13.
#ifndef HOL_TURNING_H
#define HOL_TURNING_H

#include "integrator/integrator.h"

typedef struct hol_turning {
    const hol_integrator *it; // NULL: nothing is looked at
    double *off; // of each body: attitude less what angular velocities led to, so far [rad]  (n_bodies x 3)
    double
        *rate[4]; // room: angular velocities and accelerations at both ends of a step         (n_bodies x 6)
    double speed; // largest rate of an Euler parameter at the end of the last step; infinite: not known [1/s]
    bool told;
} hol_turning;

// step: the fixed size of steps; 0: error control looks after attitudes.
hol_status hol_turning_create(const hol_integrator *it, double step, hol_turning *u);
void hol_turning_destroy(hol_turning *u);
// After an accepted step, at whose end no coordinate moves faster than speed, by natural size: fails where a body has turned by more than half a
// turn and its attitude is lost; tells where it is off by much.
hol_status hol_turning_look(hol_turning *u, double speed);
void hol_turning_archive(hol_turning *u, hol_archive *a);

#endif
