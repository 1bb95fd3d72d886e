// Swarms in a run: that nothing passes through anything within a step, what touches from when on, and what all of it has taken.
// docs/theory.md, section 23.7.
#ifndef HOL_ANALYSIS_SWARMS_H
#define HOL_ANALYSIS_SWARMS_H

#include "holonom.h"
#include "integrator/integrator.h"
#include "system/swarm.h"

// Rooms of one swarm.
typedef struct hol_swarm_path {
    hol_ball *before, *after;    // of the last step                    (n_balls)
    double (*centre)[3], *reach; // of their ways in a long step        (n_balls)
    hol_near_list wide;          // pairs whose ways are near each other
} hol_swarm_path;

typedef struct hol_swarm_watch {
    hol_integrator *it;
    int n;
    hol_swarm_path *path; //                                                   (n)
    double stop;  // the next step ends there, since a longer one was taken back; infinite: none was [s]
    bool changed; // forces at it->x are others than those it was found with: speeds of approaches are
    int touching; // pairs at the last accepted state
    bool alone;   // no contacts are elements, who would find their depths before
    bool blind;   // for tests: ways are not looked at
    double onsets, most;   // so far; pairs that touched at one time
    double depth;          // [m]
    int deepest;           // the swarm that was so deep
    double lost[2];        // so far, by damping and by rubbing [J]
    double lost_before[2]; // at the start of the last step
    double power[2][2];    // at its start and its end [W]
    double begins[2];      // with which the next one begins [W]
    hol_state inside;      // of the step
} hol_swarm_watch;

// *w: all 0, or destroyed: then sums go on.
hol_status hol_swarm_watch_create(hol_integrator *it, hol_swarm_watch *w);
void hol_swarm_watch_destroy(hol_swarm_watch *w);
// A step begins at it->x, whoever has changed that.
void hol_swarm_watch_begin(hol_swarm_watch *w);
// The last step: *again, if on its way two shapes have met that have not been known to touch, and too long before its end; then it is taken
// back, and w->stop says where the next one is to end.
hol_status hol_swarm_watch_check(hol_swarm_watch *w, bool *again);
// The state it->x is accepted: what touches there.
hol_status hol_swarm_watch_look(hol_swarm_watch *w);
// The state was given from outside.
hol_status hol_swarm_watch_place(hol_swarm_watch *w);
// What damping and rubbing have taken, from the start of the run to a time within the last step [J]. w NULL: nothing.
void hol_swarm_watch_losses(const hol_swarm_watch *w, double t, double lost[2]);
// The last step ends at a time in it instead.
void hol_swarm_watch_cut(hol_swarm_watch *w, double t);
// Onsets, depth, losses beside what is there; most contacts at one time, searches.
void hol_swarm_watch_tell(const hol_swarm_watch *w, hol_statistics *s);
void hol_swarm_watch_archive(hol_swarm_watch *w, hol_archive *a);
// The model has none; else the error that `what` does not take them.
hol_status hol_swarms_refuse(hol_context *ctx, const hol_model_data *m, const char *what);

#endif
