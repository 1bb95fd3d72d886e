// Jumps in place. Ahead of a step the motion is carried on with the accelerations at hand; where an expression with a branch has two
// values at two times that nothing lies between, a step ends shortly before. When what the jerk makes of the rest of the way is far
// below the tolerance the state is carried to the jump, and the method begins anew behind it. docs/theory.md, section 8.11.
#include "analysis/jumps.h"
#include "system/fault.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define APPROACH 0.95 // of the way to the jump
#define CARRIED 0.02  // of the tolerance of a step: what the jerk may do to the rest of the way
#define SHORT 0.1     // of the longest step of late: a longer way is no last bit, whatever the jerk was
#define HARDLY 1e-7   // of that step: so short a way is always carried
#define NARROW 1e-6   // of the time that is looked through: whatever happens in it is no more than one jump
#define LITTLE 1e-12  // of the longest step of late: the first way behind a jump that is met again at once
#define SOON 0.02     // of that step: a jump that is met again so soon pushes back
#define PAUSE 1000    // such steps in which no jump is looked for after too many
enum {
    MOST_CELLS = 300,
    MOST = 8,
    HELD = 5000,     // steps of a motion that a jump holds, after which the rest of the run is looked at
    ENDLESS = 500000 // steps of the rest at the pace of these, which are not taken
};

void hol_jumps_create(hol_strips *strips, double tolerance, hol_jumps *p)
{
    bool any = false;
    *p = (hol_jumps){.stop = HOL_INF, .edge = HOL_INF, .last = -HOL_INF, .until = -HOL_INF};
    for (int i = 0; i < strips->n; i++) any = any || strips->term[i].jumps;
    if (any && tolerance > 0) p->strips = strips;
}

// ---- where one is -------------------------------------------------------------------------------------------------

typedef struct {
    hol_course *c;
    const hol_strip_term *term;
    double start, end, before; // what begins later does not matter
    int left;                  // parts that may still be looked at
    double from, to;           // the jump; infinite: none
} search;

static double value_at(const search *s, double t, const hol_course_leaf *node)
{
    const hol_interval v = hol_course_look(s->c, &s->term->t, t, t, node, node)->v;
    return 0.5 * (v.lo + v.hi);
}

// Is what changes by no more than this too little for a jump?
static bool is_little(const search *s, double change)
{
    return change * (s->end - s->start) <= s->term->least;
}

// The last time, with none between it and the next one, at which the value is about that of the left end: does it jump there? At the place
// of a jump itself it may be a third one.
static void pin(search *s, double t0, double t1, const hol_course_leaf *a, const hol_course_leaf *b)
{
    const double left = value_at(s, t0, a), right = value_at(s, t1, b), most = 0.1 * fabs(right - left);
    double v0 = left, v1 = right, middle;
    if (is_little(s, fabs(right - left))) return; // a kink
    while (middle = t0 + 0.5 * (t1 - t0), middle > t0 && middle < t1) {
        const double v = value_at(s, middle, hol_course_at(s->c, middle, s->c->levels - 1));
        if (fabs(v - left) <= most)
            t0 = middle, v0 = v;
        else
            t1 = middle, v1 = v;
    }
    if (fabs(v1 - v0) * (s->end - s->start) > s->term->least) s->from = t0, s->to = t1;
}

// The first jump in a part of the time. level: of the room for what is in its middle.
static void halve(search *s, int level, double t0, double t1, const hol_course_leaf *a,
                  const hol_course_leaf *b)
{
    const double middle = t0 + 0.5 * (t1 - t0);
    if (isfinite(s->from) || t0 >= s->before || s->left-- <= 0) return;
    const hol_enclosure *all = hol_course_look(s->c, &s->term->t, t0, t1, a, b);
    if (!(all->marks & HOL_MARK_KINK) || is_little(s, all->v.hi - all->v.lo)) return;
    if (level == s->c->levels - 1 || t1 - t0 <= NARROW * (s->end - s->start) ||
        !(middle > t0 && middle < t1)) {
        pin(s, t0, t1, a, b);
        return;
    }
    const hol_course_leaf *c = hol_course_at(s->c, middle, level);
    halve(s, level + 1, t0, middle, a, c);
    halve(s, level + 1, middle, t1, c, b);
}

// The first jump of all terms between two times, whose leaves are at the ends of the course.
static bool find_first(hol_jumps *p, double t0, double t1, double *from, double *to)
{
    hol_strips *z = p->strips;
    *from = *to = HOL_INF;
    for (int i = 0; i < z->n; i++) {
        search s = {&z->c, &z->term[i], t0, t1, *from, MOST_CELLS, HOL_INF, HOL_INF};
        if (!z->term[i].jumps) continue;
        halve(&s, 0, t0, t1, hol_course_node(&z->c, -2), hol_course_node(&z->c, -1));
        if (!(s.from < *from)) continue;
        *from = s.from;
        *to = s.to;
        p->term = i;
    }
    return isfinite(*from);
}

// ---- before a step --------------------------------------------------------------------------------------------------

// What the jerk of the last step makes of positions and velocities in a time, by natural sizes; infinite: not known.
static double missed(const hol_integrator *it, double time)
{
    const hol_equations *s = it->s;
    const double h = it->x.t - it->before.t;
    double worst = 0;
    if (!(h > 0)) return HOL_INF;
    for (int i = 0; i < s->nq; i++) {
        const double bend = fabs(it->x.a[i] - it->before.a[i]) / h * time * time / s->q_size[i];
        worst = fmax(worst, bend * fmax(time / 6, s->m->time_scale / 2));
    }
    return worst;
}

// The longest step of late; before there is one, what the first is to be: at a start that lies on a jump, ways are parts of that.
static double longest_step(const hol_jumps *p)
{
    const hol_integrator *it = p->strips->c.it;
    return p->recent.longest > 0 ? p->recent.longest : it->h > 0 ? it->h : HARDLY * it->end;
}

static bool is_near(const hol_jumps *p, double time)
{
    const hol_integrator *it = p->strips->c.it;
    const double longest = longest_step(p);
    return time <= HARDLY * longest ||
           (time <= SHORT * longest && missed(it, time) <= CARRIED * it->tolerance);
}

bool hol_jumps_was_near(const hol_jumps *p)
{
    const hol_integrator *it = p->strips->c.it;
    return is_near(p, it->x.t - it->before.t);
}

static bool pauses(const hol_jumps *p) { return p->often > MOST && p->strips->c.it->x.t < p->until; }

hol_status hol_jumps_look_ahead(hol_jumps *p, double end)
{
    const double hint = p->stop;
    p->stop = p->edge = HOL_INF;
    if (!p->strips || pauses(p)) return HOL_OK;
    hol_course *c = &p->strips->c;
    hol_integrator *it = c->it;
    const double t = it->x.t, h = fmin(fmax(it->h, 2 * (t - it->before.t)), end - t);
    const hol_evaluations count = it->s->count;
    double from, to;
    hol_status st = hol_integrator_complete(it);
    if (st < 0) return st;
    if (hint > t) p->stop = hint; // of a step that was taken back
    c->ahead = HOL_AHEAD;
    hol_course_at(c, t, -2);
    hol_course_at(c, t + h, -1);
    const bool found = find_first(p, t, t + h, &from, &to);
    c->ahead = HOL_WITHIN;
    it->s->count = count;
    if (!found) return HOL_OK;
    if (is_near(p, from - t)) {
        p->edge = fmax(from, t);
        p->behind = to + p->margin + 4 * DBL_EPSILON * fabs(to);
    }
    const double before = t + APPROACH * (from - t);
    if (before > t) p->stop = fmin(p->stop, before);
    return HOL_OK;
}

static const hol_equation *expression(const hol_jumps *p)
{
    return &p->strips->c.it->s->m->equation[p->strips->term[p->term].t.equation];
}

// Of a motion that is pushed back from both sides, once.
static void tell(hol_jumps *p)
{
    const hol_integrator *it = p->strips->c.it;
    const hol_equation *e = expression(p);
    if (p->told) return;
    p->told = true;
    hol_note_at(
        it->ctx, HOL_WARNING, e->at,
        "%s (\"%.200s\") jumps to and fro at t = %.6g s: it holds the motion where it jumps, and steps may "
        "become very short; a smooth change, such as tanh(x/0.001) for a sign, lets them be longer",
        e->path, hol_expr_text(e->expr), it->x.t);
}

// With the expression, and what to do.
static hol_status end_by_name(const hol_jumps *p)
{
    const hol_integrator *it = p->strips->c.it;
    const hol_equation *e = expression(p);
    hol_context_clear(it->ctx);
    return hol_fail_at(
        it->ctx, HOL_ERR_INTEGRATION, e->at,
        "stopped at t = %.6g s: %s (\"%.200s\") pushes the motion back from both sides of where it jumps, "
        "which holds it there: it jumps again within every step, and steps have no end. Dry friction is "
        "`friction` of a joint or a contact, whose bristle holds at rest; else write what changes smoothly, "
        "such as tanh(x/0.001) for a sign",
        it->x.t, e->path, hol_expr_text(e->expr));
}

hol_status hol_jumps_explain(const hol_jumps *p) { return p->strips && pauses(p) ? end_by_name(p) : HOL_OK; }

// Once it is known that a jump holds the motion: has the step passed over one, which may be too little for so short a step to end at?
static bool crosses(const hol_jumps *p)
{
    hol_course *c = &p->strips->c;
    const hol_integrator *it = c->it;
    return p->told && hol_course_look(c, &p->strips->term[p->term].t, it->before.t, it->x.t,
                                      hol_course_node(c, -2), hol_course_node(c, -1))
                              ->marks &
                          HOL_MARK_KINK;
}

// Steps by which a jump holds the motion are all alike: would they come to the end?
static hol_status count_held(hol_jumps *p)
{
    const hol_integrator *it = p->strips->c.it;
    const bool endless = (it->end - it->x.t) * HELD > (it->x.t - p->since) * ENDLESS;
    p->held += pauses(p) || isfinite(p->stop) || crosses(p);
    if (++p->steps < HELD) return HOL_OK;
    if (2 * p->held > HELD && endless) return end_by_name(p);
    p->steps = p->held = 0;
    p->since = it->x.t;
    return HOL_OK;
}

void hol_jumps_passed(hol_jumps *p)
{
    const double t = p->strips->c.it->x.t, longest = longest_step(p);
    p->margin = t - p->last < HARDLY * longest ? 16 * fmax(p->margin, LITTLE * longest) : 0;
    p->often = t - p->last >= SOON * longest ? 1 : p->often > MOST ? p->often : p->often + 1;
    p->last = t;
    if (p->often > MOST) p->until = t + PAUSE * longest;
    p->edge = p->stop = HOL_INF;
    p->met++;
    if (p->often > MOST) tell(p);
}

// ---- after a step ---------------------------------------------------------------------------------------------------

// Back to where the step began; the next one ends before the jump.
static hol_status take_back(hol_jumps *p, double from)
{
    hol_integrator *it = p->strips->c.it;
    p->stop = it->before.t + APPROACH * (from - it->before.t);
    return hol_integrator_take_back(it);
}

hol_status hol_jumps_check(hol_jumps *p, bool *again)
{
    double from, to;
    *again = false;
    if (!p->strips) return HOL_OK;
    hol_integrator *it = p->strips->c.it;
    hol_recent_accept(&p->recent, it->x.t, it->x.t - it->before.t);
    if (p->often > MOST && it->x.t >= p->until) p->often = 0;
    const hol_status st = count_held(p);
    if (st || pauses(p) || hol_integrator_has_tried(it)) return st;
    const hol_evaluations count = it->s->count;
    const bool found = find_first(p, it->before.t, it->x.t, &from, &to);
    it->s->count = count;
    if (!found || !(from > it->before.t)) return HOL_OK;
    *again = true;
    return take_back(p, from);
}

void hol_jumps_archive(hol_jumps *p, hol_archive *a)
{
    HOL_ARCHIVE(a, p->stop);
    HOL_ARCHIVE(a, p->edge);
    hol_archive_number(a, &p->behind, 0, DBL_MAX);
    hol_archive_number(a, &p->margin, 0, DBL_MAX);
    hol_recent_archive(&p->recent, a);
    HOL_ARCHIVE(a, p->last);
    HOL_ARCHIVE(a, p->until);
    HOL_ARCHIVE(a, p->since);
    hol_archive_int(a, &p->steps, 0, HELD);
    hol_archive_int(a, &p->held, 0, HELD);
    hol_archive_int(a, &p->often, 0, MOST + 1);
    hol_archive_int(a, &p->term, 0, p->strips && p->strips->n ? p->strips->n - 1 : 0);
    hol_archive_flag(a, &p->told);
    hol_archive_counts(a, &p->met, 1);
    if (a->reading && (isnan(p->stop) || isnan(p->edge))) a->failed = true;
}
