// A twist is twice the direction of u = (w, z), two of the Euler parameters of its joint, which pass each other's zeros smoothly: see twists.h.
#include "integrator/twists.h"
#include "element/turns.h"
#include "system/leaf.h"

#include <math.h>

enum { SAMPLES = 5 };
#define NEAR 0.5 // of the largest |u|^2 in a step, below which it may have gone past 0 on the other side
#define TURN 1.0 // in which u goes nearly straight on [rad]
#define BEND                                                                                                 \
    8.0 // a turn's square times the larger end over the smaller: how far u may bend beside the smaller one
#define AWAY 1.0 // what the angle between its ends may be off by: on the other side of 0 it is pi less [rad]
#define LEAST 1e-3 // a turn in which no more is seen [rad]

void hol_twists_destroy(hol_twists *t)
{
    hol_state_destroy(&t->room);
    t->near = -HOL_INF;
}

// |u|^2 at a state.
static double breadth(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    return hol_leaf_breadth(s->m, l, x->t, x->q);
}

// u x u' at a state, twice: smooth where the rate of the twist is not.
static double moment(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    double rate;
    hol_leaf_angle(s, x, l, &rate);
    return breadth(s, x, l) * rate;
}

// The sense in which u goes about 0 in the last step.
static double sense_of(const hol_integrator *it, const hol_leaf *l)
{
    return moment(it->s, &it->before, l) + moment(it->s, &it->x, l);
}

// By how much bodies of the leaf turn in the last step, at most: |omega| = 2 |p'|.
static double turn_of(const hol_integrator *it, const hol_leaf *l)
{
    double sum = 0;
    for (int i = 0; i < l->n_bodies; i++) {
        const hol_body *b = &it->s->m->body[l->body[i]];
        double most = 0;
        if (b->frame != HOL_FRAME_SPATIAL) continue;
        for (int end = 0; end < 2; end++) {
            const double *p = (end ? it->x.v : it->before.v) + b->q + 3;
            most = fmax(most, 2 * sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]));
        }
        sum += most * (it->x.t - it->before.t);
    }
    return sum;
}

// On a straight way from u0 to u1, of |u|^2 at its begin, in its middle and at its end: the angle between them, in the sense of u x u'.     (8.52b)
static double angle_of(double begin, double middle, double end, double sense)
{
    const double cosine = (4 * middle - begin - end) / (2 * sqrt(begin * end));
    return copysign(acos(fmax(-1, fmin(1, cosine))), sense);
}

// |u| changes by no more than half the turn: does it stay far enough from 0 between two ends, which have these |u|^2?
static bool stays_away(double b0, double b1, double turn)
{
    const double least = sqrt(fmin(b0, b1)) - 0.25 * turn, most = fmin(1, sqrt(fmax(b0, b1)) + 0.25 * turn);
    return least > 0 && least * least > NEAR * most * most;
}

// Is the way of this one sure? *turn: by how much its bodies have turned, where that is asked for; 0: it is not.
static bool is_sure(hol_twists *t, hol_integrator *it, const hol_leaf *l, double *turn)
{
    const double *before = it->before.mem + l->turns - 1, *mem = it->x.mem + l->turns - 1, t0 = it->before.t,
                 h = it->x.t - t0, bodies = turn_of(it, l);
    double b[SAMPLES] = {[0] = breadth(it->s, &it->before, l), [SAMPLES - 1] = breadth(it->s, &it->x, l)};
    double least = fmin(b[0], b[SAMPLES - 1]), most = fmax(b[0], b[SAMPLES - 1]);
    if (stays_away(b[0], b[SAMPLES - 1], bodies)) return true;
    for (int k = 1; k < SAMPLES - 1; k++) {
        hol_integrator_interpolate_motion(it, t0 + h * k / (SAMPLES - 1), &t->room);
        b[k] = breadth(it->s, &t->room, l);
        least = fmin(least, b[k]);
        most = fmax(most, b[k]);
    }
    if (!(least < NEAR * most)) return true;
    *turn = bodies;
    const double counted = 0.5 * (mem[HOL_TURNS_VALUE] - before[HOL_TURNS_VALUE]), sense = sense_of(it, l);
    const double ends = fmax(b[0], b[SAMPLES - 1]) / fmin(b[0], b[SAMPLES - 1]);
    return bodies <= TURN && bodies * bodies * sqrt(ends) <= BEND &&
           fabs(angle_of(b[0], b[SAMPLES / 2], b[SAMPLES - 1], sense) - counted) <= AWAY;
}

static void tell(hol_twists *t, const hol_integrator *it)
{
    if (t->told) return;
    t->told = true;
    hol_note(it->ctx, HOL_WARNING,
             "t = %.6g s: the motion goes through a pose in which the z axes of a joint are opposite, where "
             "its twist has no value: behind it "
             "the twist may be a whole turn off",
             it->x.t);
}

hol_status hol_twists_look(hol_twists *t, hol_integrator *it, bool *sure)
{
    const hol_equations *s = it->s;
    bool near = false;
    *sure = true;
    it->twists = t;
    t->near = -HOL_INF;
    for (int i = 0; i < s->n_counters && *sure && it->x.t > it->before.t; i++) {
        const hol_leaf *l = &s->counter[i];
        double turn = 0;
        if (!hol_leaf_is_twist(l)) continue;
        if (!t->room.q && hol_state_create(s, &t->room)) return HOL_ERR_MEMORY;
        const bool fine = is_sure(t, it, l, &turn);
        *sure = fine || turn < LEAST;
        if (!fine && *sure) tell(t, it);
        near = near || turn > 0;
    }
    if (near) t->near = it->x.t; // behind the last look, whose states between have no turns
    return HOL_OK;
}

void hol_twists_place(hol_twists *t, hol_integrator *it, hol_state *x)
{
    const hol_equations *s = it->s;
    const hol_state *begin = &it->before;
    if (!(x->t > begin->t && x->t < it->x.t && it->x.t == t->near)) return;
    t->near = -HOL_INF; // of the state between
    hol_integrator_interpolate_motion(it, 0.5 * (begin->t + x->t), &t->room);
    t->near = it->x.t;
    for (int i = 0; i < s->n_counters; i++) {
        const hol_leaf *l = &s->counter[i];
        if (!hol_leaf_is_twist(l)) continue;
        const double *before = begin->mem + l->turns - 1,
                     way = angle_of(breadth(s, begin, l), breadth(s, &t->room, l), breadth(s, x, l),
                                    sense_of(it, l));
        double *mem = x->mem + l->turns - 1;
        mem[HOL_TURNS_VALUE] = before[HOL_TURNS_VALUE] + 2 * way;
        mem[HOL_TURNS_RATE] = 0;
        mem[HOL_TURNS_TIME] = x->t;
    }
}
