// The reachable interval of a driver: its function is let go, all other drivers stay where they are, and the curve of poses is followed
// both ways to the dead centres of what it drives. docs/theory.md, section 19.3.
#include "analysis/reach.h"
#include "element/coordinate.h"
#include "element/primitive.h"
#include "system/curve.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 4000 };
#define FIRST 0.02  // step in natural sizes
#define LONGEST 0.1 // and the longest
#define LEAST 1e-9  // shorter ones are none
#define BEND 0.1    // angle between tangents that a step aims at [rad]
#define ENDLESS 20  // natural lengths, beyond which a stroke is said to have no end

typedef struct {
    const hol_element *driver;
    hol_curve c;
    double value; // of what is driven, full turns counted [rad, m]
} walk;

static const hol_prim *row_of(const walk *w) { return ((const hol_prims *)w->driver->data)->p; }

static double size_of(const walk *w) { return hol_prim_is_length(row_of(w)) ? w->c.s->m->length_scale : 1; }

// Of what is driven along the curve. A row for turns in space is the sine of half of what is missing.
static double slope_of(const walk *w)
{
    const hol_element *e = w->driver;
    hol_real y[HOL_MAX_Y], v[HOL_MAX_Y];
    hol_element_gather(w->c.s->m, e, w->c.x.t, w->c.x.q, w->c.x.v, 1, y, v);
    return w->c.slope * size_of(w) / hol_prim_value_slope(row_of(w), e->ny, y, w->value);
}

// What a driver drives at a pose, near `expected`.
static double value_at(const hol_equations *s, const hol_element *e, const hol_state *x, double expected)
{
    hol_real y[HOL_MAX_Y], v[HOL_MAX_Y], phi[HOL_MAX_ROWS];
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, v);
    e->type->phi(e->data, e->ny, y, NULL, phi, NULL);
    return hol_prim_value(((const hol_prims *)e->data)->p, e->ny, y, hol_re(phi[0]), expected);
}

static double value_of(const walk *w, double expected)
{
    return value_at(w->c.s, w->driver, &w->c.x, expected);
}

// Follows the curve to its dead centre: *end is the value there, *bounded false where there is none within a full turn.
static hol_status follow(walk *w, double *end, bool *bounded)
{
    const double start = w->value,
                 most = hol_prim_is_length(row_of(w)) ? ENDLESS * w->c.s->m->length_scale : 2 * HOL_PI;
    double ds = FIRST;
    *bounded = false;
    for (int i = 0; i < MOST_STEPS && fabs(w->value - start) < most; i++) {
        const double slope = slope_of(w);
        const hol_status st = hol_curve_step(&w->c, ds);
        if (st < 0 || (st && ds < LEAST)) return st;
        if (st) {
            ds *= 0.5;
            continue;
        }
        w->value = value_of(w, w->value + ds * slope);
        if (slope_of(w) * slope <= 0) {
            const hol_status turned = hol_curve_turning_point(&w->c, 2 * LONGEST);
            *end = w->value = value_of(w, w->value);
            *bounded = true;
            return turned;
        }
        ds = fmin(LONGEST, ds * fmin(2, fmax(0.5, BEND / fmax(w->c.bend, 0.01 * BEND))));
    }
    *end = w->value;
    return HOL_OK;
}

// Both ways from x. HOL_RECOVERABLE: the poses cannot be followed. Which of them leads up is seen at their ends: with an odd number of turns more
// than the Euler parameters show the row of a turn has the other sign.
static hol_status find(hol_context *ctx, hol_equations *s, const hol_state *x, const hol_element *e,
                       hol_reach *out)
{
    double end[2] = {0, 0};
    bool bounded[2] = {false, false};
    hol_status st = HOL_OK;
    for (int way = 0; way < 2 && !st; way++) {
        walk w = {.driver = e};
        st = hol_curve_create(ctx, s, x, s->active[e->row], &w.c);
        if (!st) {
            w.value = value_of(&w, hol_driven_angle(e, x->t));
            if (way) hol_curve_turn(&w.c);
            st = follow(&w, &end[way], &bounded[way]);
        }
        hol_curve_destroy(&w.c);
    }
    const int up = end[0] < end[1];
    out->most = end[up], out->least = end[!up];
    out->most_bounded = bounded[up], out->least_bounded = bounded[!up];
    return st;
}

// The i-th driver whose row is in use; NULL: there is none.
static const hol_element *driver_of(const hol_equations *s, int i)
{
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        const bool acts = e->type->role == HOL_ROLE_DRIVER && e->n_rows && s->active[e->row] >= 0;
        if (acts && i-- == 0) return e;
    }
    return NULL;
}

// As the driver's file means it, in a mirror that turns it around.
static void mirror(hol_reach *r)
{
    const hol_reach frames = *r;
    r->now = -frames.now;
    r->least = -frames.most, r->most = -frames.least;
    r->least_bounded = frames.most_bounded, r->most_bounded = frames.least_bounded;
}

hol_status hol_reach_find(hol_context *ctx, hol_equations *s, const hol_state *x, int i, hol_reach *out)
{
    if (s->nc != s->nq || s->nk || s->nq > HOL_CURVE_MOST) return HOL_RECOVERABLE;
    const hol_element *e = driver_of(s, i);
    if (!e) return HOL_RECOVERABLE;
    *out = (hol_reach){.driver = e->name,
                       .unit = e->type->row(e->data, 0).is_length ? "m" : "rad",
                       .now = value_at(s, e, x, hol_driven_angle(e, x->t))};
    const hol_status st = find(ctx, s, x, e, out);
    out->known = !st;
    if (hol_driven_sign(e) < 0) mirror(out);
    return st < 0 ? st : HOL_OK;
}
