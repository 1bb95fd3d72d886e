// Twists that count their turns: has one gone the way that its rates at both ends of a step say, or round the other side of the pose in which it has
// no value? docs/theory.md, section 8.13, (8.52b).
#ifndef HOL_TWISTS_H
#define HOL_TWISTS_H

#include "integrator/integrator.h"

struct hol_twists {
    hol_state room;
    double near; // end of the last step in which one may have gone past its pose [s]
    char *told;  // that one has gone over it                                    (n_counters of the equations)
};

void hol_twists_destroy(hol_twists *t);
// After a step. *sure: all turns are counted; otherwise a shorter step counts them. *missed: at least by how much those that are counted by their
// rates were off [rad]. One that goes over the pose itself is told, once of each.
hol_status hol_twists_look(hol_twists *t, hol_integrator *it, double *missed, bool *sure);
// Of a state within the last step: what it remembers of twists tells their turns there.
void hol_twists_place(hol_twists *t, hol_integrator *it, hol_state *x);

#endif
