// Singular poses ahead (docs/theory.md, section 9.5): the smallest singular value of the constraints at the last points and
// its extrapolation say when the motion will go through the next one, so that one step passes it with room on both sides.
#include "integrator/pose.h"
#include "linalg/least.h"

#include <math.h>
#include <string.h>

#define NEAR 2.5     // steps before and after a singular pose in which it shows
#define TOO_NEAR 0.2 // part of the distance before a step that must be left after it
enum { MOVES = 6 };
#define CHORD 0.01 // part of sigma, as a way, over which its slope is measured
#define LEAP 1.5   // times the last step: the longest by which a pose is passed
#define SHORT 0.8  // part of the wanted step by which the pose is passed

void hol_pose_restart(hol_pose *p)
{
    memset(p, 0, sizeof *p);
    p->distance = p->next = p->time = HOL_INF;
}

// Multipliers that the system's matrix gives for a right-hand side lam of the constraints.
static hol_status solve_rows(void *with, double *lam)
{
    hol_kernel *k = with;
    const hol_equations *s = k->s;
    double *x = k->work;
    memset(x, 0, (size_t)s->nf * sizeof *x);
    memset(lam + s->nc, 0, (size_t)(s->n - s->nf - s->nc) * sizeof *x);
    return hol_kernel_solve(k, 1, x);
}

double hol_pose_least(hol_kernel *k)
{
    const hol_equations *s = k->s;
    return s->nc ? hol_least_root(s->nc, s->row_size, k->work + s->nf, solve_rows, k) : HOL_INF;
}

double hol_pose_sigma(hol_kernel *k, const hol_state *x)
{
    const double least = hol_kernel_set(k, x, 0, NULL) ? 0 : hol_pose_least(k);
    return isfinite(least) ? least : 0;
}

double hol_pose_slope(hol_kernel *k, const hol_state *x, const double *v, double sigma, hol_state *room)
{
    const hol_equations *s = k->s;
    const double speed = hol_equations_coordinate_norm(s, v), dt = speed > 0 ? CHORD * sigma / speed : 0;
    if (!(dt > 0 && isfinite(dt))) return 0;
    hol_state_copy(s, room, x);
    for (int i = 0; i < s->nq; i++) room->q[i] += dt * v[i];
    const double next = hol_pose_sigma(k, room);
    return next > 0 ? (next - sigma) / dt : 0;
}

void hol_pose_measure(hol_pose *p, hol_kernel *k) { p->next = hol_pose_least(k); }

bool hol_pose_spoils(hol_pose *p, double t, double h)
{
    if (p->moved == MOVES || !isfinite(p->distance) || p->next >= TOO_NEAR * p->distance) return false;
    const double ahead =
                     t + h * p->next / (p->distance - p->next), // along the chord, before and after the pose
        behind = t - h * p->next / (p->distance + p->next);
    p->time = fabs(behind - p->time) < fabs(ahead - p->time) ? behind : ahead;
    p->moved++;
    return true;
}

bool hol_pose_leap(hol_pose *p, double t, double h, double gap)
{
    if (p->moved == MOVES || !isfinite(p->distance) || p->next >= p->distance) return false;
    const double rest = h * p->next / (p->distance - p->next), leap = (h + rest) / gap;
    if (leap <= h || leap > LEAP * p->span) return false;
    p->time = t + rest;
    p->leap = leap;
    p->moved++;
    return true;
}

// The parabola through the last three distances, where it falls.
void hol_pose_accept(hol_pose *p, double t, double h)
{
    const double mean = (p->next - p->distance) / h;
    const bool passed = p->time > t - h && p->time <= t, falls = mean < 0 && !passed;
    const double bend = falls && p->slope < 0 ? fmin(0, (mean - p->slope) / (h + p->span)) : 0;
    const double slope = mean + bend * h;
    p->distance = p->next;
    p->slope = falls ? mean : 0;
    p->span = h;
    if (falls && isfinite(mean))
        p->time = t + 2 * p->distance / (-slope + sqrt(slope * slope - 4 * bend * p->distance));
    if (mean > 0) p->moved = 0;
}

bool hol_pose_is_near(const hol_pose *p, double t, double h) { return fabs(p->time - t) < NEAR * h; }

double hol_pose_plan(const hol_pose *p, double t, double h, double gap)
{
    if (p->leap > 0) return p->leap;
    const double x = p->time - t, rest = SHORT * gap * h;
    if (!(x > 0) || x > h + rest) return h;
    return x <= gap * h ? x / gap : x - rest; // the second: so that the next step goes through
}

void hol_pose_archive(hol_pose *p, hol_archive *a)
{
    HOL_ARCHIVE(a, p->distance);
    HOL_ARCHIVE(a, p->next);
    HOL_ARCHIVE(a, p->slope);
    HOL_ARCHIVE(a, p->span);
    HOL_ARCHIVE(a, p->time);
    hol_archive_int(a, &p->moved, 0, MOVES);
}
