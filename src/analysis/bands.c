// What of an event's expression counts as 0: how far it has gone, what errors make of it, whether it rests. docs/theory.md, section 8.5.
#include "analysis/bands.h"
#include "analysis/passages.h"

#include <float.h>
#include <limits.h>
#include <math.h>

// Of the largest size of an expression so far, the least below which it may count as 0; of that and the tolerance of a step; with steps that follow none.
#define ROUNDING 1e-12
#define PARKED 0.1
#define AT_REST 10 // times that, where it has rested: steps of rest may be wrong by the tolerance
#define STEADY 1e-4
#define DOUBT (16 * DBL_EPSILON) // of natural sizes, to either side: rounding of a pose
#define LOOKS_BACK 0.125         // of a step: where it is looked at once more
#define RESTS                                                                                                \
    4 // a parabola that comes from the largest size and turns back at 0 is that small for half as long

// Its time runs from here on, with the sign that it has got.
void hol_event_begin(hol_events *e, const hol_event *v, bool armed)
{
    hol_event_band *b = &e->band[v - e->m->event];
    b->armed = armed;
    b->quiet = HOL_INF;
    b->behind_at = (double)NAN;
    b->begun = e->it->x.t;
}

// What of it a checkpoint has.
void hol_event_archive(hol_event_band *b, hol_archive *a)
{
    hol_archive_number(a, &b->way, -HOL_INF, HOL_INF);
    if (a->reading) b->floor_at = (double)NAN;
    hol_archive_number(a, &b->largest, 0, HOL_INF);
    hol_archive_number(a, &b->pace, 0, HOL_INF);
    hol_archive_number(a, &b->from, -HOL_INF, HOL_INF);
    hol_archive_number(a, &b->until, -HOL_INF, HOL_INF);
    hol_archive_number(a, &b->quiet, -HOL_INF, HOL_INF);
    hol_archive_number(a, &b->begun, -HOL_INF, HOL_INF);
    hol_archive_number(a, &b->peak, 0, HOL_INF);
    hol_archive_int(a, &b->held, 0, INT_MAX);
    hol_archive_flag(a, &b->armed);
}

void hol_event_goes(hol_events *e, const hol_event *v, const hol_course_leaf *begin,
                    const hol_course_leaf *end)
{
    const hol_course_term *term = &e->term[v - e->m->event];
    e->band[v - e->m->event].pace =
        fmax(hol_course_pace(&e->course, term, begin), hol_course_pace(&e->course, term, end));
}

// The tolerance that steps follow; 0: none.
static double tolerance_of(const hol_events *e) { return fmax(0, fmax(e->it->asked, e->it->tolerance)); }

// The part of sizes that errors may be.
static double part_of_size(const hol_events *e)
{
    const double asked = tolerance_of(e);
    return fmax(ROUNDING, PARKED * (asked > 0 ? asked : STEADY));
}

// By how much errors of the leaves, this part of their natural sizes, make an expression wrong at the present state. (8.38e)
static double width_of(hol_events *e, const hol_event *v, double part)
{
    const double width = hol_course_doubt(&e->course, &e->term[v - e->m->event], &e->it->x, part);
    return isnan(width) ? HOL_INF : 0.5 * width;
}

// A tolerance is one of natural sizes, and so is the least floor; and no floor is above what errors of the leaves make, which grow with speeds and states.
static double floor_of(hol_events *e, const hol_event *v)
{
    const hol_event_band *b = &e->band[v - e->m->event];
    const double part = part_of_size(e), whole = hol_event_is_plain(v) ? part * b->largest : 0;
    if (!(whole > 0) || !e->term[v - e->m->event].smooth) return whole;
    const double least = width_of(e, v, part);
    if (whole > least) return fmin(whole, b->pace > 1 ? width_of(e, v, part * b->pace) : least);
    return tolerance_of(e) > 0 ? least : whole;
}

// What lies between it and its negative is 0 but for rounding, errors and vibrations that die. (8.38b)
static double present_floor(hol_events *e, const hol_event *v)
{
    hol_event_band *b = &e->band[v - e->m->event];
    if (b->floor_at != e->it->x.t) b->floor = floor_of(e, v);
    b->floor_at = e->it->x.t;
    return b->floor;
}

double hol_event_floor(hol_events *e, const hol_event *v)
{
    const hol_event_band *b = &e->band[v - e->m->event];
    return (!b->armed && b->quiet < HOL_INF ? AT_REST : 1) * present_floor(e, v);
}

double hol_event_floor_of_step(hol_events *e, const hol_event *v)
{
    const bool rests = hol_event_rests(e, v, hol_event_value_of(e, v, &e->it->x));
    return rests ? AT_REST * present_floor(e, v) : e->band[v - e->m->event].armed ? 0 : hol_event_floor(e, v);
}

double hol_event_doubt(hol_events *e, const hol_event *v)
{
    const hol_course_term *term = &e->term[v - e->m->event];
    return hol_event_is_plain(v) && term->smooth ? hol_course_doubt(&e->course, term, &e->it->x, DOUBT) : 0;
}

double hol_event_first_sign(hol_events *e, const hol_event *v, double g)
{
    return fabs(g) <= hol_event_doubt(e, v) ? 0 : hol_event_sign_of(g);
}

// The expression a little before the end of the last step, at `when`, where a state is made once for all of them.
static hol_status value_behind(hol_events *e, const hol_event *v, double when, double *out)
{
    hol_event_band *b = &e->band[v - e->m->event];
    hol_status st = HOL_OK;
    if (b->behind_at != when && hol_event_needs_unknowns(v)) {
        st = hol_event_value_at(e, v, when, &b->behind);
    } else if (b->behind_at != when) {
        if (e->looked != when) hol_integrator_interpolate(e->it, when, &e->behind);
        e->looked = when;
        b->behind = hol_event_value_of(e, v, &e->behind);
    }
    b->behind_at = st ? (double)NAN : when;
    *out = b->behind;
    return st;
}

// Was it below that some time before the end of the last step?
static bool was_within(hol_events *e, const hol_event *v, double floor, double *when)
{
    const hol_integrator *it = e->it;
    const double back = LOOKS_BACK * (it->x.t - it->before.t);
    double near;
    *when = it->x.t - back;
    return back > 0 && !value_behind(e, v, *when, &near) && fabs(near) <= floor;
}

// Since when has the expression been below the floor at the end of the last step, where it is g?
double hol_event_quiet_since(hol_events *e, const hol_event *v, double g)
{
    const double quiet = e->band[v - e->m->event].quiet;
    const double floor = hol_event_floor(e, v);
    double when;
    if (!(fabs(g) <= floor) || !hol_event_is_plain(v)) return HOL_INF;
    if (quiet < HOL_INF) return quiet;
    return was_within(e, v, floor, &when) ? when : e->it->x.t;
}

// Has it come to rest at 0? One that touches 0 leaves the band sooner; what is rounding is so at once. (8.38c)
bool hol_event_rests(hol_events *e, const hol_event *v, double g)
{
    const hol_state *x = &e->it->x;
    const double since = hol_event_quiet_since(e, v, g);
    const double least = ROUNDING * e->band[v - e->m->event].largest;
    double when;
    if (x->mem[v->sign] == 0 || !hol_event_is_plain(v)) return false;
    if (fabs(g) <= least && was_within(e, v, least, &when)) return true;
    const double stays = RESTS * sqrt(part_of_size(e)) * (x->t - e->band[v - e->m->event].begun);
    return since < x->t && x->t - since >= stays;
}

#define SHARE (1.0 / 64) // of the time since the begin: what is shorter counts less
#define POINT 1e-10      // of a step: what changes within it has jumped
#define LEAP 8           // times its size so far: what changes by more in a step may have jumped

// By how much has it jumped in the last step, in which it has come to g? Most of the change is in one point then; about a pole there is more of it
// the nearer one looks.
static double jump_of_step(hol_events *e, const hol_event *v, double g)
{
    const hol_integrator *it = e->it;
    const double begin = e->seen[v - e->m->event], least = 0.5 * fabs(g - begin),
                 close = POINT * (it->x.t - it->before.t);
    double t[2] = {it->before.t, it->x.t}, value[2] = {begin, g}, middle;
    if (!(least > 0.5 * LEAP * e->band[v - e->m->event].largest)) return 0;
    while (t[1] - t[0] > close && t[1] - t[0] > 4 * DBL_EPSILON * fabs(t[1])) {
        const double at = 0.5 * (t[0] + t[1]);
        if (hol_event_value_at(e, v, at, &middle)) return 0;
        const int side = fabs(middle - value[0]) > fabs(value[1] - middle);
        t[side] = at;
        value[side] = middle;
        const double change = fabs(value[1] - value[0]);
        if (!(change > least && change < 4 * least)) return 0;
    }
    return value[1] - value[0];
}

// It has come to g. What is set, and what jumps, is no size of what goes there, and what grows without bound at a pole does so for a short time. (8.38b)
void hol_event_measure(hol_events *e, const hol_event *v, double g)
{
    hol_event_band *b = &e->band[v - e->m->event];
    double *seen = &e->seen[v - e->m->event];
    const double t = e->it->x.t, dt = t - b->until;
    if (e->stepped && dt > 0) {
        const double jump = hol_event_is_plain(v) ? jump_of_step(e, v, g) : 0;
        b->way += (g - *seen - jump) * fmin(1, dt / (SHARE * (t - b->from)));
        b->largest = fmax(b->largest, fabs(b->way));
    }
    b->until = t;
    *seen = g;
}

// Its value is g now: it is armed by what is above the floor, and no more where it rests at 0.
void hol_event_arm(hol_events *e, const hol_event *v, double g)
{
    hol_event_band *b = &e->band[v - e->m->event];
    hol_event_measure(e, v, g);
    b->peak = fmax(b->peak, fabs(g));
    if (e->stepped && b->armed && hol_event_rests(e, v, g)) b->armed = false;
    if (fabs(g) > hol_event_floor(e, v)) b->armed = true;
    if (e->stepped) b->quiet = hol_event_quiet_since(e, v, g);
}

#define BESIDE 100 // times the floor: what goes no farther is held there
enum { OFTEN = 1000 };

// A speed that a force of its sign holds at 0 is held by events that undo each other, as often as the band is left: right within the band, and slow.
void hol_event_tell_held(hol_events *e, const hol_event *v)
{
    hol_event_band *b = &e->band[v - e->m->event];
    const hol_integrator *it = e->it;
    double middle = 0; // steps may go from one passage to the next
    if (hol_event_is_users(v) && it->before.t < it->x.t)
        hol_event_value_at(e, v, 0.5 * (it->before.t + it->x.t), &middle);
    b->peak = hol_larger(fabs(middle), b->peak);
    b->held = hol_event_is_users(v) && b->peak <= BESIDE * hol_event_floor(e, v) ? b->held + 1 : 0;
    const double within = b->peak;
    b->peak = 0;
    if (b->held != OFTEN) return;
    hol_note_at(
        e->ctx, HOL_WARNING, v->at,
        "event %s has happened %d times in a row, the last time at t = %.6g s, while \"%.200s\" stays within "
        "%.3g of 0: another event undoes what it does. What they hold is right within that, and takes very "
        "many steps: let the force "
        "change smoothly, as by tanh, or use `friction`",
        v->name, OFTEN, e->it->x.t, hol_expr_text(v->when->expr), within);
}
