// A twist is twice the direction of u = (w, z), two of the Euler parameters of its joint, which pass each other's zeros smoothly: see twists.h.
#include "integrator/twists.h"
#include "element/coordinate.h"
#include "element/turns.h"
#include "system/leaf.h"

#include <math.h>

enum { SAMPLES = 5 };
#define NEAR 0.5  // of the largest |u|^2 in a step, below which it may have gone past 0 on the other side
#define TURN 1.0  // in which u goes nearly straight on [rad]
#define BEND 0.25 // of the least |u|^2: how far that may be off a parabola
#define AWAY 1.0  // what the angle between its ends may be off by: on the other side of 0 it is pi less [rad]
#define LEAST 1e-3 // a turn in which no more is seen [rad]

void hol_twists_destroy(hol_twists *t)
{
    hol_state_destroy(&t->room);
    hol_free(t->told);
    t->told = NULL;
    t->near = -HOL_INF;
}

// |u|^2 at a state.
static double breadth(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    const double length = hol_leaf_breadth(s->m, l, x->t, x->q);
    return length * length;
}

// u x u' at a state, twice: smooth where the rate of the twist is not. Where u is shortest it is the sense in which u goes about 0.
static double moment(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    double rate;
    hol_leaf_angle(s, x, l, &rate);
    return breadth(s, x, l) * rate;
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

// A step as the twist sees it: |u|^2 at equal distances, and u x u' where that is least.
typedef struct {
    double b[SAMPLES], least, most, sense;
} course;

// Its sample at a state.
static void sample(const hol_equations *s, const hol_state *x, const hol_leaf *l, int k, course *c)
{
    c->b[k] = breadth(s, x, l);
    if (k == 0 || c->b[k] < c->least) c->sense = moment(s, x, l);
    c->least = k ? fmin(c->least, c->b[k]) : c->b[k];
    c->most = k ? fmax(c->most, c->b[k]) : c->b[k];
}

// On a straight way |u|^2 is a parabola: by how much are the samples off that through three of them, and how small does it become?
static bool is_straight(const course *c)
{
    const double *b = c->b, slope = 4 * b[2] - 3 * b[0] - b[4], bend = 2 * (b[0] + b[4]) - 4 * b[2],
                 at = bend > 0 ? fmax(0, fmin(1, -slope / (2 * bend))) : 0,
                 least = fmin(c->least, b[0] + at * (slope + at * bend));
    for (int k = 1; k < SAMPLES; k += 2) {
        const double way = k / (SAMPLES - 1.0);
        if (!(fabs(b[0] + way * (slope + way * bend) - b[k]) <= BEND * least)) return false;
    }
    return true;
}

// Counts the turns of one past its pose. Is the way sure?
static bool count(const double *before, double *mem, const course *c, double bodies)
{
    const double turned = mem[HOL_TURNS_VALUE] - before[HOL_TURNS_VALUE],
                 way = 2 * angle_of(c->b[0], c->b[SAMPLES / 2], c->b[SAMPLES - 1], c->sense),
                 lacks = round((way - turned) / (2 * HOL_PI));
    mem[HOL_TURNS_VALUE] += 2 * HOL_PI * lacks;
    return bodies <= TURN && is_straight(c) && fabs(turned + 2 * HOL_PI * lacks - way) <= AWAY;
}

// Is the way of this one sure? *turn: by how much its bodies have turned, where that is asked for, else 0; *missed as in hol_twists_look.
static bool is_sure(hol_twists *t, hol_integrator *it, const hol_leaf *l, double *turn, double *missed)
{
    double *before = it->before.mem + l->turns - 1, *mem = it->x.mem + l->turns - 1;
    const double t0 = it->before.t, h = it->x.t - t0, bodies = turn_of(it, l);
    const bool away = stays_away(breadth(it->s, &it->before, l), breadth(it->s, &it->x, l), bodies);
    course c;
    for (int k = 0; k < SAMPLES && !away; k++) {
        const bool inside = k > 0 && k < SAMPLES - 1;
        if (inside) hol_integrator_interpolate_motion(it, t0 + h * k / (SAMPLES - 1), &t->room);
        sample(it->s, inside ? &t->room : k ? &it->x : &it->before, l, k, &c);
    }
    if (away || !(c.least < NEAR * c.most)) {
        *missed = fmax(*missed, hol_turns_missed(before, mem));
        return true;
    }
    *turn = bodies;
    return count(before, mem, &c, bodies);
}

// The joint whose twist it is.
static const char *joint_of(const hol_model_data *m, const hol_leaf *twist)
{
    for (int i = m->n_bodies; i < m->n_elements; i++)
        for (const hol_joint_coordinate *c = hol_joint_coordinates(&m->element[i], 3); c->name; c++) {
            hol_leaf leaf;
            if (!hol_joint_coordinate_turns(c, 3)) continue;
            hol_joint_leaf(&m->element[i], 3, c, &leaf);
            if (leaf.turns == twist->turns) return m->element[i].name;
        }
    return "a joint";
}

static void tell(hol_twists *t, const hol_integrator *it, int i)
{
    if (t->told[i]) return;
    t->told[i] = true;
    hol_note(it->ctx, HOL_WARNING,
             "t = %.6g s: the motion goes through a pose in which the z axes of %.200s are opposite, where "
             "its twist has no value: behind it, and behind each such pose that follows, the twist may be a "
             "whole turn off",
             it->x.t, joint_of(it->s->m, &it->s->counter[i]));
}

static hol_status make_room(hol_twists *t, const hol_equations *s)
{
    if (!t->told) t->told = hol_calloc(s->ctx, (size_t)s->n_counters + 1, sizeof *t->told);
    return t->told && (t->room.q || hol_state_create(s, &t->room) == HOL_OK) ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_twists_look(hol_twists *t, hol_integrator *it, double *missed, bool *sure)
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
        if (make_room(t, s)) return HOL_ERR_MEMORY;
        const bool fine = is_sure(t, it, l, &turn, missed);
        *sure = fine || turn < LEAST;
        if (!fine && *sure) tell(t, it, i);
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
        const hol_state *const states[3] = {begin, &t->room, x};
        course c;
        if (!hol_leaf_is_twist(l)) continue;
        for (int k = 0; k < 3; k++) sample(s, states[k], l, k, &c);
        const double *before = begin->mem + l->turns - 1, way = angle_of(c.b[0], c.b[1], c.b[2], c.sense);
        double *mem = x->mem + l->turns - 1;
        mem[HOL_TURNS_VALUE] = before[HOL_TURNS_VALUE] + 2 * way;
        mem[HOL_TURNS_RATE] = 0;
        mem[HOL_TURNS_TIME] = x->t;
    }
}
