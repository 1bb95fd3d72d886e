// Singular poses ahead of a motion: when it will go through the next one. docs/theory.md, section 9.5.
#ifndef HOL_POSE_H
#define HOL_POSE_H

#include "system/kernel.h"

typedef struct hol_pose {
    double distance,
        next; // from the pose, in some unit: of the last point and of the one tried; HOL_INF: not known
    double
        clear; // no smaller is the smallest singular value in natural sizes at the point tried last; 0: not known
    double slope, span; // of the distance in the last step if it fell, else 0; that step
    double time;        // when the motion went or will go through it; HOL_INF: none is near
    double leap;        // the next attempt goes through the pose by this step; 0: none does
    int moved;          // how often a step has been changed for its sake
} hol_pose;

void hol_pose_restart(hol_pose *p);
// Smallest singular value of the constraints by natural size, in some unit; HOL_INF: there are none. The system's factors are those of
// [M Phi_q^T; Phi_q 0] there or near by.
double hol_pose_least(hol_kernel *k);
// The same at x, in natural sizes; 0: not known. The factors are those of [E Phi_q^T; Phi_q 0] there afterwards, E = diag(1/size^2).
double hol_pose_sigma(hol_kernel *k, const hol_state *x);
// Its slope where it is sigma at x, by a chord along the velocities v (nq) (9.16); 0: not known. room: a state.
double hol_pose_slope(hol_kernel *k, const hol_state *x, const double *v, double sigma, hol_state *room);
// At the point tried, by these factors.
void hol_pose_measure(hol_pose *p, hol_kernel *k);
// The point tried, at t and h after the last one, is so near to the pose that another step should be taken, which `time`
// then says more exactly; said a few times for each pose.
bool hol_pose_spoils(hol_pose *p, double t, double h);
// The point tried, before the pose, comes after longer steps that failed. Should the pose be passed from the same point,
// now that it is known better? Accelerations near a pose are the worse the shorter the step that goes through it is.
bool hol_pose_leap(hol_pose *p, double t, double h, double gap);
// The point tried, at t and h after the last one, was accepted.
void hol_pose_accept(hol_pose *p, double t, double h);
// Does the pose show in a step of size h from t?
bool hol_pose_is_near(const hol_pose *p, double t, double h);
// The step to take from t instead of h, so that the pose falls at the part `gap` of a step.
double hol_pose_plan(const hol_pose *p, double t, double h, double gap);
void hol_pose_archive(hol_pose *p, hol_archive *a);

#endif
