// Singular poses ahead of a motion: when it will go through the next one. docs/theory.md, section 9.5.
#ifndef HOL_POSE_H
#define HOL_POSE_H

#include "system/system.h"

typedef struct hol_pose {
    double distance,
        next; // from the pose, in some unit: of the last point and of the one tried; HOL_INF: not known
    double slope, span; // of the distance in the last step if it fell, else 0; that step
    double time;        // when the motion went or will go through it; HOL_INF: none is near
    bool moved;         // a step has been changed for its sake
} hol_pose;

void hol_pose_restart(hol_pose *p);
// At the point tried; the system's factors are those of [M Phi_q^T; Phi_q 0] there or near by.
void hol_pose_measure(hol_pose *p, hol_system *s);
// The point tried is so near to the pose that another step should be taken; said once for each pose.
bool hol_pose_spoils(hol_pose *p);
// The point tried, at t and h after the last one, was accepted.
void hol_pose_accept(hol_pose *p, double t, double h);
// Does the pose show in a step of size h from t?
bool hol_pose_is_near(const hol_pose *p, double t, double h);
// The step to take from t instead of h, so that the pose falls at the part `gap` of a step.
double hol_pose_plan(const hol_pose *p, double t, double h, double gap);
void hol_pose_archive(hol_pose *p, hol_archive *a);

#endif
