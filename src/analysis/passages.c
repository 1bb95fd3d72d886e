// The first passage of each event inside the last step: zero crossings are looked for on what the method gives between its steps, by enclosures
// where the expression is smooth and by parts where it is not, and located by bisection and secants (Illinois). docs/theory.md,
// section 8.5.
#include "analysis/passages.h"
#include "analysis/bands.h"
#include "analysis/stops.h"
#include "integrator/crossing.h"

#include <float.h>
#include <math.h>

// Of the natural length: shapes that rest and are no farther from touching count as what they were, and joints at their stops.
#define TOUCH 1e-11
#define UNTOLD                                                                                               \
    (16 * DBL_EPSILON) // the same of what slides along each other: rounding alone says on which side it is
// Of a step: what an expression does not pass twice in, so that what it may be wrong by is not resolved. A joint that begins at its stop goes
// into it more slowly.
#define SHORT 1e-10

enum { MAX_HALVINGS = 80, FLICKERS = 3, MOST_CELLS = 2000, MOST_LOOKS = 2000 };
#define GOLDEN 0.6180339887498949

static bool leaf_needs_unknowns(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_VALUE || (l->kind == HOL_LEAF_REACTION && l->component < HOL_LEAF_OBSERVED) ||
           (l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) > 1);
}

bool hol_event_needs_unknowns(const hol_event *e)
{
    bool yes = false;
    for (int i = 0; e->when && i < e->when->n_leaves; i++)
        yes = yes || leaf_needs_unknowns(&e->when->leaf[i]);
    return yes;
}

// What passes through 0. A rigid stop is met by what goes in: beyond it by the error of a step, or of what is between steps, and on the
// way out, the joint counts as free. What pulls a joint off its stop is more than rounding.
double hol_event_value_of(const hol_events *e, const hol_event *v, const hol_state *x)
{
    const double g = hol_equations_expression(e->it->s, x, v->when);
    if (v->rest && !v->impact) return g - x->mem[v->side + 1];
    return v->impact && g >= 0 && !hol_stop_goes_in(e, v, x) ? -fmax(g, DBL_MIN) : g;
}

// Accelerations and all other unknowns of the trial state, which do not count as work of the method.
hol_status hol_events_find_unknowns(hol_events *e)
{
    hol_equations *s = e->it->s;
    const hol_evaluations count = s->count;
    const hol_status st = hol_crossing_accelerate(e->it, e->deep, &e->trial);
    s->count = count;
    return st;
}

// The expression at t inside the last step. HOL_RECOVERABLE: the unknowns could not be found there.
hol_status hol_event_value_at(hol_events *e, const hol_event *v, double t, double *out)
{
    hol_integrator *it = e->it;
    (hol_course_is_of_motion(v->when) ? hol_integrator_interpolate_motion
                                      : hol_integrator_interpolate)(it, t, &e->trial);
    if (hol_event_needs_unknowns(v) && t < it->x.t && hol_events_find_unknowns(e)) return HOL_RECOVERABLE;
    *out = hol_event_value_of(e, v, &e->trial);
    return HOL_OK;
}

// The same at the end of a part, where others look, too.
static hol_status value_of_part(hol_events *e, const hol_event *v, double t, double *out)
{
    const bool motion = hol_course_is_of_motion(v->when);
    if (hol_event_needs_unknowns(v)) return hol_event_value_at(e, v, t, out);
    *out = hol_event_value_of(e, v, hol_course_state(&e->course, t, motion));
    return HOL_OK;
}

// Of shapes that slide along each other and only touch, rounding makes contacts begin and end for ever: when they have done so some times at one
// time, they stay what they are.
double hol_event_told(const hol_events *e, const hol_event *v, double g)
{
    return v->touch && e->repeated >= FLICKERS && fabs(g) <= UNTOLD * e->m->length_scale ? 0 : g;
}

bool hol_event_is_plain(const hol_event *v) { return v->when && !v->touch && !v->impact && !v->rest; }

bool hol_event_is_users(const hol_event *v) { return hol_event_is_plain(v) && !v->lets_go; }

// By signs: a product of small values is 0.
bool hol_event_counts(const hol_event *v, double from, double to)
{
    return hol_event_sign_of(from) * hol_event_sign_of(to) < 0 &&
           (v->direction == 0 || hol_event_sign_of(to) == v->direction);
}

#define STAGE 0.1 // of a bracket that shrinks: from one look at what its ends have to the next
#define LEAST 3   // looks without which nothing is known

// A bracket of a change of sign.
typedef struct {
    double end[2];       // values at its ends
    double width, least; // at the last look, and the smaller one of the ends then
    int looks;
    bool grows; // from each look to the next, as |t|^-1/4 does at least
} bracket;

static void look_at_bracket(bracket *b, double width)
{
    const double least = fmin(fabs(b->end[0]), fabs(b->end[1]));
    if (width > STAGE * b->width) return;
    if (b->looks++) b->grows = b->grows && least > b->least * pow(b->width / width, 0.25);
    b->width = width;
    b->least = least;
}

// Have both ends grown all the time instead of vanishing, or staying what they are beside a jump? (8.38a)
static bool is_pole(const bracket *b) { return b->grows && b->looks >= LEAST; }

// The first passage of one event inside the last step.
typedef struct {
    hol_events *e;
    const hol_event *v;
    const hol_course_term *term;
    double sign;      // the last one
    double t0, value; // where it was, and the expression there
    double floor;     // what is smaller has no sign; 0 as soon as it has been larger
    int left;         // parts that may still be looked at
    hol_passing out;
} scan;

// What passes through 0 at t: the expression, or what it is beyond the band that it has not left yet.
static hol_status passing_value(const scan *s, double t, double *value)
{
    const hol_status st = hol_event_value_at(s->e, s->v, t, value);
    *value += s->sign * s->floor;
    return st;
}

// A time inside the bracket: the secant's, every third one in the middle. Where there is no value, another one. HOL_RECOVERABLE as above.
static hol_status look_inside(const scan *s, bool middle, const double t[2], const double g[2], double *at,
                              double *value)
{
    const double width = t[1] - t[0];
    *at = middle ? 0.5 * (t[0] + t[1]) : t[1] - g[1] * width / (g[1] - g[0]);
    if (!(*at > t[0] && *at < t[1])) *at = 0.5 * (t[0] + t[1]);
    const hol_status st = passing_value(s, *at, value);
    if (st || isfinite(*value)) return st;
    *at += 0.1 * (t[1] - *at);
    return passing_value(s, *at, value);
}

// Bisection with the secant's point where it helps (Illinois): the first side on which the new sign holds; at a pole it does not pass.
static void root(scan *s, double t1, double g1)
{
    const hol_integrator *it = s->e->it;
    const double t0 = s->t0, g0 = s->value, close = 4 * DBL_EPSILON * fmax(fabs(t1), it->x.t - it->before.t);
    hol_passing *out = &s->out;
    double t[2] = {t0, t1}, g[2] = {g0, g1}, at, value;
    bracket b = {.end = {HOL_INF, g1}, .width = t1 - t0, .grows = true};
    passing_value(s, t0, &b.end[0]); // g0 may be the sign alone
    for (int k = 0; k < MAX_HALVINGS && t[1] - t[0] > close; k++) {
        if (look_inside(s, k % 3 == 2, t, g, &at, &value)) break;
        if (!isfinite(value)) {
            *(is_pole(&b) ? &out->pole : &out->blind) = at;
            return;
        }
        const int side = hol_event_sign_of(value) != -hol_event_sign_of(g[1]); // 1: the new sign holds there
        t[side] = at;
        if (value == 0) break;
        g[side] = b.end[side] = value;
        g[!side] *= 0.5;
        look_at_bracket(&b, t[1] - t[0]);
    }
    *(is_pole(&b) ? &out->pole : &out->t) = t[1];
}

// A pole has turned the sign: it is another one, and nothing has passed.
static void turn(hol_passing *p)
{
    p->behind = p->sign;
    p->sign = 0;
}

static const hol_passing nowhere = {HOL_INF, 0, HOL_INF, HOL_INF, 0};

// At no even distances.
static double part_time(const hol_integrator *it, int k)
{
    static const double part[HOL_EVENT_PARTS] = {0.0901699, 0.236068,  0.3262379, 0.472136,
                                                 0.618034,  0.7639320, 0.9098301, 1};
    return k == HOL_EVENT_PARTS ? it->x.t : it->before.t + (it->x.t - it->before.t) * part[k - 1];
}

// It has left the band.
static void leave_band(scan *s) { s->floor = 0; }

// Until t it has its sign.
static void keep(scan *s, double t, double g)
{
    s->t0 = t;
    s->value = g != 0 ? g : s->sign;
}

// The expression has come to another time; between, it has passed at most once. once: it only grows or only falls there.
static void arrive(scan *s, double t, double g, bool once)
{
    double begin;
    if (fabs(g) <= s->floor) {
        keep(s, t, 0);
        return;
    }
    if (once && s->floor > 0 && !hol_event_value_at(s->e, s->v, s->t0, &begin) && begin * s->sign > 0)
        leave_band(s);
    if (hol_event_counts(s->v, s->sign, g)) {
        s->out.sign = hol_event_sign_of(g);
        root(s, t, g);
        if (s->out.t == HOL_INF && s->out.pole < HOL_INF) turn(&s->out);
    }
    leave_band(s);
    s->sign = hol_event_sign_of(g);
    keep(s, t, g);
}

// A part in which it has one sign, as before.
static void go_on(scan *s, double t)
{
    leave_band(s);
    keep(s, t, 0);
}

// A part of the step: one without 0 has one sign, one where the slope has no 0 at most one passage; others are halved.
static void halve(scan *s, int level, double t0, double t1, const hol_course_leaf *a,
                  const hol_course_leaf *b)
{
    hol_course *c = &s->e->course;
    if (s->left <= 0 || s->out.t < HOL_INF) return;
    const hol_enclosure r = *hol_course_look(c, s->term, t0, t1, a, b);
    const double step = s->e->it->x.t - s->e->it->before.t,
                 blur = s->v->touch || s->v->impact ? TOUCH * s->e->m->length_scale : 0,
                 moves = step * fmax(fabs(r.d.lo), fabs(r.d.hi)), least = s->floor;
    const bool constant = r.v.lo == r.v.hi, touches = r.v.lo > -blur && r.v.hi < blur && moves < blur,
               small = r.v.lo >= -least && r.v.hi <= least,
               monotone = !(r.marks & HOL_MARK_KINK) && (r.d.lo > 0 || r.d.hi < 0);
    const double one = r.v.lo > least    ? 1
                       : r.v.hi < -least ? -1
                                         : 0,
                 close = fmax(4 * DBL_EPSILON * fabs(t1), s->v->impact ? 0 : SHORT * step);
    double g;
    if (r.marks & HOL_MARK_HOLES || --s->left <= 0) {
        s->left = 0;
    } else if (one != 0 && one == s->sign) {
        go_on(s, t1);
    } else if ((constant && one == 0) || touches || (least > 0 && small)) {
        keep(s, t1, 0);
    } else if (one != 0 || monotone || t1 - t0 <= close || level == HOL_EVENT_LEVELS) {
        if (value_of_part(s->e, s->v, t1, &g) || !isfinite(g))
            s->left = 0;
        else
            arrive(s, t1, hol_event_told(s->e, s->v, g), monotone);
    } else {
        const double middle = t0 + 0.5 * (t1 - t0);
        const hol_course_leaf *between = hol_course_at_one(c, middle, level, s->term->equation);
        halve(s, level + 1, t0, middle, a, between);
        halve(s, level + 1, middle, t1, between, b);
    }
}

// At the begin of the last step: a band where the event is unarmed, or the step comes to rest.
static scan begin_scan(hol_events *e, int i)
{
    const hol_integrator *it = e->it;
    const hol_event *v = &e->m->event[i];
    const double sign = it->x.mem[v->sign];
    const double floor = hol_event_floor_of_step(e, v);
    return (scan){.e = e,
                  .v = v,
                  .term = &e->term[i],
                  .sign = sign,
                  .t0 = it->before.t,
                  .value = sign,
                  .floor = sign == 0 ? fmax(floor, hol_event_doubt(e, v)) : floor,
                  .left = MOST_CELLS,
                  .out = nowhere};
}

// The first passage of a smooth event, by enclosures; it stays open where that is not decided.
static void scan_step(hol_events *e, int i)
{
    const hol_integrator *it = e->it;
    const hol_course_leaf *begin = hol_course_node(&e->course, -2), *end = hol_course_node(&e->course, -1);
    hol_event_goes(e, &e->m->event[i], begin, end);
    scan s = begin_scan(e, i);
    halve(&s, 0, it->before.t, it->x.t, begin, end);
    e->open[i] = s.left <= 0 || s.out.blind < HOL_INF;
    e->passing[i] = s.out;
}

// All expressions at the ends of the parts of the last step: a state is made once for all of them.
static void look(hol_events *e)
{
    hol_integrator *it = e->it;
    for (int k = 1; k <= HOL_EVENT_PARTS; k++) {
        const double t = part_time(it, k);
        bool made = false, solved = false, found = true;
        for (int i = 0; i < e->m->n_events; i++) {
            const hol_event *v = &e->m->event[i];
            hol_event_value *out = &e->part[HOL_EVENT_PARTS * i + k - 1];
            if (!e->open[i]) continue;
            if (!made) hol_integrator_interpolate(it, t, &e->trial);
            made = true;
            const bool solve = t < it->x.t && hol_event_needs_unknowns(v);
            if (solve && !solved) found = !hol_events_find_unknowns(e);
            solved = solved || solve;
            out->known = found || !solve;
            if (out->known) out->g = hol_event_value_of(e, v, &e->trial);
        }
    }
}

// A point of an expression within the step.
typedef struct {
    double t, g;
} point;

#define STRAIGHT                                                                                             \
    0.25 // of its distance to 0: how far an expression may be off a chord over which it does not pass
#define ALIKE 1e-6 // of its largest size: what it passes by less is not looked for
#define CLOSER 4   // times halved: a part with a change of sign, of which the first one is looked for

// Is it so far off the chord between its neighbours that it may pass between them?
static bool is_bent(const scan *s, point a, point m, point b)
{
    const double chord = a.g + (b.g - a.g) * (m.t - a.t) / (b.t - a.t),
                 least = fmin(fabs(a.g), fmin(fabs(m.g), fabs(b.g)));
    const double size = s->e->band[s->v - s->e->m->event].largest;
    return isfinite(m.g) && fabs(m.g - chord) > fmax(STRAIGHT * least, ALIKE * size);
}

// From a to b: it is looked at once more between, and so on where it bends. At no even distances, at which a vibration
// looks like rest.
static void search(scan *s, point a, point b, int level)
{
    const bool passes = s->out.t < HOL_INF || s->out.blind < HOL_INF ||
                        (hol_event_counts(s->v, s->sign, b.g) && level <= HOL_EVENT_FINE - CLOSER);
    point m = {a.t + (level % 2 ? GOLDEN : 1 - GOLDEN) * (b.t - a.t), 0};
    const bool looks =
        !passes && level > 0 && --s->left > 0 && !hol_event_value_at(s->e, s->v, m.t, &m.g) && isfinite(m.g);
    m.g = hol_event_told(s->e, s->v, m.g);
    if (looks && (level == HOL_EVENT_FINE || is_bent(s, a, m, b))) {
        search(s, a, m, level - 1);
        search(s, m, b, level - 1);
    } else {
        if (looks && s->out.t == HOL_INF) arrive(s, m.t, m.g, false);
        if (s->out.t == HOL_INF && s->out.blind == HOL_INF) arrive(s, b.t, b.g, false);
    }
}

// The first passage of one event inside the last step, at the ends of its parts, and between them where it bends.
static hol_passing passage(hol_events *e, int i)
{
    const hol_event_value *part = &e->part[HOL_EVENT_PARTS * i];
    scan s = begin_scan(e, i);
    point p[HOL_EVENT_PARTS + 1] = {{e->it->before.t, e->seen[i]}};
    int n = 0;
    for (int k = 1; k <= HOL_EVENT_PARTS; k++) {
        const point next = {part_time(e->it, k), hol_event_told(e, s.v, part[k - 1].g)};
        if (!part[k - 1].known) continue;
        if (isfinite(next.g))
            p[++n] = next;
        else
            s.out.blind = fmin(s.out.blind, next.t);
    }
    const double blind = s.out.blind;
    s.out.blind = HOL_INF;
    s.left = MOST_LOOKS;
    bool bent = false; // one part that looks straight may be so by chance
    for (int k = 1; k < n; k++) bent = bent || is_bent(&s, p[k - 1], p[k], p[k + 1]);
    for (int k = 1; k <= n && p[k].t < blind && s.out.t == HOL_INF && s.out.blind == HOL_INF; k++)
        search(&s, p[k - 1], p[k], bent ? HOL_EVENT_FINE : 0);
    if (s.out.t == HOL_INF && s.out.blind == HOL_INF) s.out.blind = blind;
    return s.out;
}

// The first passage of each event inside the last step: by enclosures, or at the ends of its parts.
hol_status hol_events_find_passages(hol_events *e)
{
    bool begun = false, any = false;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        e->open[i] = v->when && !hol_event_is_over(e, v, &e->it->x);
        e->passing[i] = nowhere;
        e->band[i].behind_at = (double)NAN;
        if (e->open[i] && e->term[i].smooth) {
            const hol_status st = begun ? HOL_OK : hol_course_begin(&e->course);
            if (st) return st;
            if (!begun) hol_course_hold(&e->course, true);
            begun = true;
            scan_step(e, i);
        }
        any = any || e->open[i];
    }
    hol_course_hold(&e->course, false);
    if (any) look(e);
    for (int i = 0; i < e->m->n_events; i++)
        if (e->open[i]) e->passing[i] = passage(e, i);
    return HOL_OK;
}
