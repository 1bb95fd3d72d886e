// Event handling: zero crossings of expressions are looked for inside a step on what the method gives between its steps, by
// enclosures where the expression is smooth and by four parts where it is not, and located by bisection and secants
// (Illinois); the step ends there, and the state is changed. docs/theory.md, section 8.5. An
// expression's sign at the last accepted point and the number of times an event has happened are kept in the state's
// memory, so that a checkpoint has them.
#include "analysis/contacts.h"
#include "analysis/stops.h"
#include "integrator/crossing.h"
#include "system/fault.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the natural length: shapes that rest and are no farther from touching count as what they were, and joints at their stops.
#define TOUCH 1e-11
#define UNTOLD                                                                                               \
    (16 * DBL_EPSILON) // the same of what slides along each other: rounding alone says on which side it is
// Of a step: what an expression does not pass twice in, so that what it may be wrong by is not resolved. A joint that begins at its stop goes
// into it more slowly.
#define SHORT 1e-10

enum { PARTS = 4, MAX_HALVINGS = 80, FLICKERS = 3, LEVELS = 50, MOST_CELLS = 2000 };

static bool leaf_needs_unknowns(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_VALUE || (l->kind == HOL_LEAF_REACTION && l->component < HOL_LEAF_OBSERVED) ||
           (l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) > 1);
}

static bool needs_unknowns(const hol_event *e)
{
    bool yes = false;
    for (int i = 0; e->when && i < e->when->n_leaves; i++)
        yes = yes || leaf_needs_unknowns(&e->when->leaf[i]);
    return yes;
}

bool hol_events_need_unknowns(const hol_model_data *m)
{
    bool yes = false;
    for (int i = 0; i < m->n_events; i++) yes = yes || needs_unknowns(&m->event[i]);
    return yes;
}

hol_status hol_event_no_value(const hol_events *e, const hol_event *v, const hol_equation *expression,
                              const char *key, const hol_state *x)
{
    const double t = e->it->x.t;
    char what[200];
    hol_fault f;
    snprintf(what, sizeof what, "events.%s.%s", v->name, key);
    if (!hol_fault_in_equation(e->it->s, x, expression, what, &f) && !hol_fault_find(e->it->s, x, &f))
        return hol_fail_at(
            e->ctx, HOL_ERR_INTEGRATION, v->at,
            "stopped at t = %.6g s: %s has no finite value at t = %.9g s: what it takes has none", t, what,
            x->t);
    return hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, f.at, "stopped at t = %.6g s: %s", t, f.text);
}

static double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// What passes through 0. A rigid stop is met by what goes in: beyond it by the error of a step, or of what is between steps, and on the
// way out, the joint counts as free. What pulls a joint off its stop is more than rounding.
static double value_of(const hol_events *e, const hol_event *v, const hol_state *x)
{
    const double g = hol_equations_expression(e->it->s, x, v->when);
    if (v->rest && !v->impact) return g - x->mem[v->side + 1];
    return v->impact && g >= 0 && !hol_stop_goes_in(e, v, x) ? -fmax(g, DBL_MIN) : g;
}

// The sign of an event's expression at the present state. A rigid stop has no force that would bring back what lies beyond it; a joint that
// is at it is met there if it goes in.
static hol_status note_sign(const hol_events *e, const hol_event *v)
{
    hol_state *x = &e->it->x;
    const double g = hol_stop_is_away(e, v, x) ? 0 : value_of(e, v, x);
    if (!isfinite(g)) return hol_event_no_value(e, v, v->when, "when", x);
    x->mem[v->sign] = v->impact && !hol_stop_is_away(e, v, x) ? -1 : sign_of(g);
    if (!v->impact || hol_stop_is_away(e, v, x) || !hol_stop_is_passed(e, v, g)) return HOL_OK;
    return hol_fail_at(e->ctx, HOL_ERR_INTEGRATION, v->at,
                       "%s: at t = %.6g s the joint is %.3g beyond its hard stop; begin within its range, or "
                       "give the stop a "
                       "`stiffness` instead of `hard: yes`",
                       v->name, x->t, g);
}

// The enclosures of what passes through 0.
static hol_status make_course(hol_events *e)
{
    const hol_model_data *m = e->m;
    bool any = false;
    for (int i = 0; i < m->n_events; i++) any = any || m->event[i].when;
    if (!any) return HOL_OK;
    hol_status st = hol_course_create(e->it, &e->course);
    for (int i = 0; i < m->n_events && !st; i++) {
        if (!m->event[i].when) continue;
        st = hol_course_take(&e->course, m->n_equations + i, NULL, &e->term[i]);
        e->course.needed[m->n_equations + i] = e->term[i].smooth;
    }
    if (!st) st = hol_course_prepare(&e->course, LEVELS);
    return st ? st : hol_course_keep(&e->course);
}

hol_status hol_events_create(hol_integrator *it, hol_kernel *deep, hol_events *e)
{
    const hol_model_data *m = it->s->m;
    int most = 1;
    *e = (hol_events){.m = m, .ctx = it->ctx, .it = it, .deep = deep, .last = -HOL_INF, .ahead = HOL_INF};
    if (!m->n_events) return HOL_OK;
    for (int i = 0; i < m->n_events; i++) most = m->event[i].n_sets > most ? m->event[i].n_sets : most;
    e->value = hol_calloc(it->ctx, (size_t)most, sizeof *e->value);
    e->hit = hol_calloc(it->ctx, 2 * (size_t)m->n_events, sizeof *e->hit);
    e->passing = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->passing);
    e->open = hol_calloc(it->ctx, 4 * (size_t)m->n_events, 1);
    e->stop = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->stop);
    e->stop_of = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->stop_of);
    e->term = hol_calloc(it->ctx, (size_t)m->n_events, sizeof *e->term);
    e->part = hol_calloc(it->ctx, PARTS * (size_t)m->n_events, sizeof *e->part);
    if (!e->value || !e->hit || !e->part || !e->passing || !e->open || !e->term || !e->stop || !e->stop_of ||
        hol_state_create(it->s, &e->trial))
        return HOL_ERR_MEMORY;
    e->seen = e->hit + m->n_events;
    e->acted = e->open + m->n_events;
    e->still = e->acted + m->n_events;
    e->poles = e->still + m->n_events;
    e->fresh = true;
    hol_status st = make_course(e);
    for (int i = 0; i < m->n_events && !st; i++) {
        if (m->event[i].when) st = note_sign(e, &m->event[i]);
    }
    return st;
}

void hol_events_forget(hol_events *e)
{
    for (int i = 0; i < e->m->n_events; i++) e->hit[i] = 0;
}

// When it happens again after so many times.
static double time_of(const hol_event *v, double count)
{
    return v->n_times ? v->time[(int)count] : count * v->every;
}

// How often an event at times has happened when the time is t.
static double count_until(const hol_event *v, double t)
{
    int n = 0;
    if (!v->n_times) return floor(t / v->every * (1 + 4 * DBL_EPSILON)) + 1;
    while (n < v->n_times && v->time[n] <= t) n++;
    return n;
}

hol_status hol_events_place(hol_events *e)
{
    hol_state *x = &e->it->x;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        if (!v->when && !(v->once && x->mem[v->count] > 0)) x->mem[v->count] = count_until(v, x->t);
        const hol_status st = v->when ? note_sign(e, v) : HOL_OK;
        if (st) return st;
    }
    hol_events_forget(e);
    e->placed = e->m->n_stops > 0;
    e->fresh = true;
    return HOL_OK;
}

void hol_events_await(hol_events *e)
{
    hol_state *x = &e->it->x;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        double *n = &x->mem[v->count];
        if (!v->when && *n > 0 && time_of(v, *n - 1) >= x->t * (1 - 4 * DBL_EPSILON)) --*n;
    }
}

hol_status hol_events_move(hol_events *e, hol_integrator *it)
{
    e->m = it->s->m;
    e->it = it;
    hol_state_destroy(&e->trial);
    hol_course_destroy(&e->course);
    e->course = (hol_course){0};
    hol_events_forget(e);
    const hol_status st = hol_state_create(it->s, &e->trial);
    return st ? st : make_course(e);
}

void hol_events_destroy(hol_events *e)
{
    if (!e->m || !e->m->n_events) return;
    hol_state_destroy(&e->trial);
    hol_free(e->value);
    hol_free(e->hit);
    hol_free(e->part);
    hol_free(e->passing);
    hol_free(e->open);
    hol_free(e->term);
    hol_free(e->stop);
    hol_free(e->stop_of);
    hol_course_destroy(&e->course);
}

static bool is_whole(double count) { return count >= 0 && count <= 1e15 && count == floor(count); }

void hol_events_archive(hol_events *e, hol_archive *a)
{
    HOL_ARCHIVE(a, e->last);
    hol_archive_int(a, &e->repeated, 0, HOL_MOST_ROUNDS);
    for (int i = 0; i < e->m->n_events; i++) {
        hol_archive_number(a, &e->hit[i], -1, 1); // of what waits
        if (!a->reading) continue;
        const hol_event *v = &e->m->event[i];
        const double sign = v->when ? e->it->x.mem[v->sign] : 0;
        if (!is_whole(e->it->x.mem[v->count]) || sign != sign_of(sign)) a->failed = true;
    }
}

// Will it not happen again?
static bool is_spent(const hol_event *v, const hol_state *x)
{
    const double count = x->mem[v->count];
    return (v->once && count > 0) || (v->n_times && count >= v->n_times);
}

// Will it not happen, for ever or as long as its stop is switched off?
static bool is_over(const hol_events *e, const hol_event *v, const hol_state *x)
{
    return hol_stop_is_away(e, v, x) || is_spent(v, x);
}

double hol_event_due(const hol_event *v, const hol_state *x)
{
    const double count = x->mem[v->count];
    if (v->when || is_spent(v, x)) return HOL_INF;
    return time_of(v, count);
}

double hol_events_next_time(const hol_events *e, double end)
{
    double next = end;
    if (!e->m->n_events) return end;
    for (int i = 0; i < e->m->n_events; i++) next = fmin(next, hol_event_due(&e->m->event[i], &e->it->x));
    return next;
}

// ---- passages -------------------------------------------------------------------------------------------------

// Accelerations and all other unknowns of the trial state, which do not count as work of the method.
static hol_status find_unknowns(hol_events *e)
{
    hol_equations *s = e->it->s;
    const hol_evaluations count = s->count;
    const hol_status st = hol_crossing_accelerate(e->it, e->deep, &e->trial);
    s->count = count;
    return st;
}

// The expression at t inside the last step. HOL_RECOVERABLE: the unknowns could not be found there.
static hol_status value_at(hol_events *e, const hol_event *v, double t, double *out)
{
    hol_integrator *it = e->it;
    (hol_course_is_of_motion(v->when) ? hol_integrator_interpolate_motion
                                      : hol_integrator_interpolate)(it, t, &e->trial);
    if (needs_unknowns(v) && t < it->x.t && find_unknowns(e)) return HOL_RECOVERABLE;
    *out = value_of(e, v, &e->trial);
    return HOL_OK;
}

// The same at the end of a part, where others look, too.
static hol_status value_of_part(hol_events *e, const hol_event *v, double t, double *out)
{
    const bool motion = hol_course_is_of_motion(v->when);
    if (needs_unknowns(v)) return value_at(e, v, t, out);
    *out = value_of(e, v, hol_course_state(&e->course, t, motion));
    return HOL_OK;
}

// Of shapes that slide along each other and only touch, rounding makes contacts begin and end for ever: when they have done so some times at one
// time, they stay what they are.
static double told(const hol_events *e, const hol_event *v, double g)
{
    return v->touch && e->repeated >= FLICKERS && fabs(g) <= UNTOLD * e->m->length_scale ? 0 : g;
}

// By signs: a product of small values is 0.
static bool counts(const hol_event *v, double from, double to)
{
    return sign_of(from) * sign_of(to) < 0 && (v->direction == 0 || sign_of(to) == v->direction);
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

// A time inside the bracket: the secant's, every third one in the middle. Where there is no value, another one. HOL_RECOVERABLE as above.
static hol_status look_inside(hol_events *e, const hol_event *v, bool middle, const double t[2],
                              const double g[2], double *at, double *value)
{
    const double width = t[1] - t[0];
    *at = middle ? 0.5 * (t[0] + t[1]) : t[1] - g[1] * width / (g[1] - g[0]);
    if (!(*at > t[0] && *at < t[1])) *at = 0.5 * (t[0] + t[1]);
    const hol_status st = value_at(e, v, *at, value);
    if (st || isfinite(*value)) return st;
    *at += 0.1 * (t[1] - *at);
    return value_at(e, v, *at, value);
}

// Bisection with the secant's point where it helps (Illinois): the first side on which the new sign holds; at a pole it does not pass.
static void root(hol_events *e, const hol_event *v, double t0, double g0, double t1, double g1,
                 hol_passing *out)
{
    const double close = 4 * DBL_EPSILON * fmax(fabs(t1), e->it->x.t - e->it->before.t);
    double t[2] = {t0, t1}, g[2] = {g0, g1}, at, value;
    bracket b = {.end = {HOL_INF, g1}, .width = t1 - t0, .grows = true};
    value_at(e, v, t0, &b.end[0]); // g0 may be the sign alone
    for (int k = 0; k < MAX_HALVINGS && t[1] - t[0] > close; k++) {
        if (look_inside(e, v, k % 3 == 2, t, g, &at, &value)) break;
        if (!isfinite(value)) {
            *(is_pole(&b) ? &out->pole : &out->blind) = at;
            return;
        }
        const int side = sign_of(value) != -sign_of(g[1]); // 1: the new sign holds there
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

static double part_time(const hol_integrator *it, int k)
{
    return k == PARTS ? it->x.t : it->before.t + (it->x.t - it->before.t) * k / PARTS;
}

// The first passage of one event inside the last step, by enclosures.
typedef struct {
    hol_events *e;
    const hol_event *v;
    const hol_course_term *term;
    double sign;      // the last one
    double t0, value; // where it was, and the expression there
    int left;         // parts that may still be looked at
    hol_passing out;
} scan;

// The expression has come to another time; between, it has passed at most once.
static void arrive(scan *s, double t, double g)
{
    const double value = s->value;
    if (counts(s->v, s->sign, g)) {
        s->out.sign = sign_of(g);
        root(s->e, s->v, s->t0, value, t, g, &s->out);
        if (s->out.pole < HOL_INF) turn(&s->out);
    }
    if (g != 0) s->sign = sign_of(g);
    s->t0 = t;
    s->value = g != 0 ? g : s->sign;
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
                 moves = step * fmax(fabs(r.d.lo), fabs(r.d.hi));
    const bool constant = r.v.lo == r.v.hi, touches = r.v.lo > -blur && r.v.hi < blur && moves < blur,
               monotone = !(r.marks & HOL_MARK_KINK) && (r.d.lo > 0 || r.d.hi < 0);
    const double one = r.v.lo > 0   ? 1
                       : r.v.hi < 0 ? -1
                                    : 0,
                 close = fmax(4 * DBL_EPSILON * fabs(t1), s->v->impact ? 0 : SHORT * step);
    double g;
    if (r.marks & HOL_MARK_HOLES || --s->left <= 0) {
        s->left = 0;
    } else if ((one != 0 && one == s->sign) || (constant && one == 0) || touches) {
        s->t0 = t1;
        s->value = s->sign;
    } else if (one != 0 || monotone || t1 - t0 <= close || level == LEVELS) {
        if (value_of_part(s->e, s->v, t1, &g) || !isfinite(g))
            s->left = 0;
        else
            arrive(s, t1, told(s->e, s->v, g));
    } else {
        const double middle = t0 + 0.5 * (t1 - t0);
        const hol_course_leaf *between = hol_course_at_one(c, middle, level, s->term->equation);
        halve(s, level + 1, t0, middle, a, between);
        halve(s, level + 1, middle, t1, between, b);
    }
}

// The first passage of a smooth event; it stays open where that is not decided.
static void scan_step(hol_events *e, int i)
{
    const hol_integrator *it = e->it;
    const hol_event *v = &e->m->event[i];
    const double sign = it->x.mem[v->sign];
    scan s = {e, v, &e->term[i], sign, it->before.t, sign, MOST_CELLS, nowhere};
    halve(&s, 0, it->before.t, it->x.t, hol_course_node(&e->course, -2), hol_course_node(&e->course, -1));
    e->open[i] = s.left <= 0 || s.out.blind < HOL_INF;
    e->passing[i] = s.out;
}

// All expressions at the ends of the parts of the last step: a state is made once for all of them.
static void look(hol_events *e)
{
    hol_integrator *it = e->it;
    for (int k = 1; k <= PARTS; k++) {
        const double t = part_time(it, k);
        bool made = false, solved = false, found = true;
        for (int i = 0; i < e->m->n_events; i++) {
            const hol_event *v = &e->m->event[i];
            hol_event_value *out = &e->part[PARTS * i + k - 1];
            if (!e->open[i]) continue;
            if (!made) hol_integrator_interpolate(it, t, &e->trial);
            made = true;
            const bool solve = t < it->x.t && needs_unknowns(v);
            if (solve && !solved) found = !find_unknowns(e);
            solved = solved || solve;
            out->known = found || !solve;
            if (out->known) out->g = value_of(e, v, &e->trial);
        }
    }
}

// The first passage of one event inside the last step.
static hol_passing passage(hol_events *e, const hol_event *v)
{
    hol_passing out = nowhere;
    const hol_integrator *it = e->it;
    const hol_event_value *part = &e->part[PARTS * (v - e->m->event)];
    double from = it->x.mem[v->sign], last = it->before.t, last_value = from;
    for (int k = 1; k <= PARTS; k++) {
        const double t = part_time(it, k), g = told(e, v, part[k - 1].g);
        if (!part[k - 1].known) continue;
        if (!isfinite(g)) {
            out.blind = t;
            return out;
        }
        if (counts(v, from, g)) {
            out.sign = sign_of(g);
            root(e, v, last, last_value, t, g, &out);
            if (out.pole == HOL_INF) return out;
            turn(&out);
        }
        if (g != 0) from = sign_of(g);
        last = t;
        last_value = g != 0 ? g : from;
    }
    return out;
}

// The first passage of each event inside the last step: by enclosures, or at the ends of its parts.
static hol_status find_passages(hol_events *e)
{
    bool begun = false, any = false;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        e->open[i] = v->when && !is_over(e, v, &e->it->x);
        e->passing[i] = nowhere;
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
        if (e->open[i]) e->passing[i] = passage(e, &e->m->event[i]);
    return HOL_OK;
}

// A state between steps is only nearly consistent.
static hol_status put_on_joints(hol_kernel *k, hol_state *x)
{
    hol_status st = hol_project_positions(k, x, NULL);
    if (!st) st = hol_project_velocities(k, x);
    return st ? st : hol_solve_accelerations(k, x);
}

// What a pole has turned in the step, as far as it is kept, has that sign now and has not passed.
static void go_past_poles(hol_events *e)
{
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_event *v = &e->m->event[i];
        const hol_passing *p = &e->passing[i];
        if (!v->when || !(p->pole <= e->it->x.t)) continue;
        if (!e->poles[i])
            hol_note_at(
                e->ctx, HOL_WARNING, v->at,
                "event %s: \"%.200s\" changes its sign at t = %.9g s at a pole, where it grows without "
                "bound instead of passing through 0: it does not happen there",
                v->name, hol_expr_text(v->when->expr), p->pole);
        e->poles[i] = 1;
        e->it->x.mem[v->sign] = p->behind;
    }
}

// The step ends at the first passage, `first`, in a state on the joints.
static hol_status cut_step(hol_events *e, double first)
{
    hol_integrator *it = e->it;
    hol_crossed how;
    hol_integrator_interpolate(it, first, &e->trial);
    hol_status st = hol_crossing_of_step(it, &e->trial, &how);
    hol_state_copy(it->s, &it->x, &e->trial);
    if (how == HOL_CROSSED_TAKEN) hol_crossing_bound(it->s, &it->x);
    if (!st && how != HOL_CROSSED_TAKEN) st = put_on_joints(it->k, &it->x);
    if (st > 0)
        st = hol_fail(e->ctx, HOL_ERR_INTEGRATION,
                      "stopped at t = %.9g s: no consistent state was found at an event", first);
    hol_integrator_limit(it, HOL_LIMIT_EVENT);
    return st;
}

#define BENT 0.1  // of the tolerance: error of a step that forces beyond an onset may have bent
#define BARE 1e-3 // of a step: what is between its ends is right in so little behind its start

// Stops and contacts push behind their onset, in steps too that go over it: what is between the ends of such a step is wrong by several times
// the error of the step, so that one ends before them. Methods that lose their order where they begin anew gain nothing.
static bool is_bent(const hol_events *e, double t)
{
    const hol_integrator *it = e->it;
    bool onset = false;
    for (int i = 0; i < e->m->n_events && !onset; i++)
        onset = e->hit[i] != 0 && (e->m->event[i].onset || e->m->event[i].touch);
    return onset && it->tolerance > 0 && !it->method->orders && it->error > BENT &&
           t - it->before.t > BARE * (it->x.t - it->before.t) && !hol_integrator_has_tried(it);
}

hol_status hol_events_locate(hol_events *e, bool *again)
{
    hol_integrator *it = e->it;
    double first = HOL_INF, blind = HOL_INF;
    const hol_event *lost = NULL;
    int from = 0; // those before it come later than the first
    *again = e->fresh = false;
    e->ahead = HOL_INF;
    e->stepped = true;
    memset(e->still, 0, (size_t)e->m->n_events);
    const hol_status failed = find_passages(e);
    if (failed) return failed;
    for (int i = 0; i < e->m->n_events; i++) {
        const hol_passing p = e->passing[i];
        if (p.t < first) from = i;
        e->hit[i] = p.t <= first ? p.sign : 0;
        first = fmin(first, p.t);
        if (p.blind < blind) lost = &e->m->event[i];
        blind = fmin(blind, p.blind);
    }
    for (int i = 0; i < from; i++) e->hit[i] = 0;
    if (lost &&
        blind <= first) { // what comes before may end the run, or keep the expression where it has a value
        hol_integrator_interpolate(it, blind, &e->trial);
        if (needs_unknowns(lost) && blind < it->x.t) find_unknowns(e);
        return hol_event_no_value(e, lost, lost->when, "when", &e->trial);
    }
    *again = first < it->x.t && is_bent(e, first);
    if (*again) {
        e->ahead = first;
        hol_events_forget(e);
        return hol_integrator_take_back(it);
    }
    const hol_status st = first < it->x.t ? cut_step(e, first) : HOL_OK;
    go_past_poles(e);
    return st;
}

// ---- actions --------------------------------------------------------------------------------------------------

// A contact that is switched begins anew where it is: off, it remembers nothing; on, it knows on which side of it shapes are.
static hol_status switch_contact(hol_events *e, int slot)
{
    hol_status st = HOL_OK;
    for (int k = e->m->n_bodies; k < e->m->n_elements && !st; k++) {
        const hol_element *c = &e->m->element[k];
        if (c->type != &hol_force_contact || c->gate != 1 + slot) continue;
        hol_contact_switch(e->it->s, &e->it->x, c);
        for (int i = 0; i < e->m->n_events && !st; i++)
            if (e->m->event[i].of == 1 + k) st = note_sign(e, &e->m->event[i]);
    }
    return st;
}

// What an event does: all new values are found from the state before, then stored; forces are switched.
static hol_status act(hol_events *e, const hol_event *v)
{
    hol_state *x = &e->it->x;
    for (int i = 0; i < v->n_sets; i++) {
        e->value[i] = hol_equations_expression(e->it->s, x, &v->set[i].value);
        if (!isfinite(e->value[i])) return hol_event_no_value(e, v, &v->set[i].value, "set", x);
    }
    for (int i = 0; i < v->n_sets; i++) (v->set[i].is_state ? x->X : x->mem)[v->set[i].index] = e->value[i];
    for (int i = 0; i < v->n_switches; i++) {
        double *on = &x->mem[v->change[i].slot];
        const bool changes = (*on != 0) != v->change[i].on;
        if (v->change[i].rows && changes) e->switching = v;
        *on = v->change[i].on;
        const hol_status st = changes ? switch_contact(e, v->change[i].slot) : HOL_OK;
        if (st) return st;
    }
    for (int i = 0; i < e->m->n_events && v->n_switches; i++)
        if (hol_stop_is_away(e, &e->m->event[i], x)) x->mem[e->m->event[i].sign] = 0;
    if (v->rest && !v->impact) hol_stop_let_go(e, v);
    e->impacts += v->impact > 0;
    e->fresh = e->stepped = false;
    if (v->print) hol_note(e->ctx, HOL_NOTICE, "event %s at t = %.9g s: %s", v->name, x->t, v->print);
    if (v->stop && !e->ended) e->ended = v->name;
    x->mem[v->count]++;
    return HOL_OK;
}

// The sign of what has come to a value: 0 is reached, which counts as passed.
static double sign_behind(double g, double before) { return g != 0 ? sign_of(g) : -before; }

#define BACK (1.0 / 64) // of the step: how far it is looked back from where an expression is 0

// Does the expression, 0 where the last step ends, touch 0 there? Twice as far back it is twice as large if it passes.
static bool only_touches(hol_events *e, const hol_event *v)
{
    const hol_integrator *it = e->it;
    const double back = BACK * (it->x.t - it->before.t);
    double near, far;
    if (!e->stepped || !(back > 0) || value_at(e, v, it->x.t - back, &near) ||
        value_at(e, v, it->x.t - 2 * back, &far))
        return false;
    return fabs(far) > 3 * fabs(near);
}

// The sign that the expression, g at the present state, has come to. Where it was located there, it has that, whatever the projection onto
// the joints has made of a value that is nearly 0.
static double sign_now(hol_events *e, const hol_event *v, double g)
{
    const double hit = e->hit[v - e->m->event], before = e->it->x.mem[v->sign],
                 behind = sign_behind(g, before);
    if (hit != 0) return hit;
    if (g == 0 && before != 0 && only_touches(e, v)) return before;
    return v->touch && told(e, v, g) == 0 && counts(v, before, behind) ? before : behind;
}

static bool has_passed(const hol_events *e, const hol_event *v, double now)
{
    return e->hit[v - e->m->event] != 0 || counts(v, e->it->x.mem[v->sign], now);
}

// Is it one that is looked at now? A stop that is switched off is looked at last.
static bool is_looked_at(const hol_events *e, const hol_event *v)
{
    const hol_state *x = &e->it->x;
    return v->when && !is_over(e, v, x) && !(v->impact && x->mem[v->sign] == 0);
}

// Has the expression the other sign at the present state?
static hol_status passed(hol_events *e, const hol_event *v, bool *yes)
{
    hol_state *x = &e->it->x;
    *yes = false;
    if (!is_looked_at(e, v)) return HOL_OK;
    const double g = value_of(e, v, x), now = sign_now(e, v, g);
    if (!isfinite(g)) return hol_event_no_value(e, v, v->when, "when", x);
    *yes = has_passed(e, v, now);
    e->hit[v - e->m->event] = 0;
    e->seen[v - e->m->event] = g;
    if (now != 0) x->mem[v->sign] = now;
    return HOL_OK;
}

// Many events may happen at one time, each once; what undoes itself comes round after round.
static hol_status check_repeated(hol_events *e, const hol_event *v)
{
    const double t = e->it->x.t;
    e->repeated = t - e->last <= 1e-12 * fabs(t) ? e->repeated + 1 : 0;
    e->last = t;
    if (e->repeated < HOL_MOST_ROUNDS) return HOL_OK;
    return hol_fail_at(
        e->ctx, HOL_ERR_INTEGRATION, v->at,
        "stopped at t = %.9g s: event %s happens again and again at the same time: what it does undoes "
        "its own condition",
        t, v->name);
}

hol_status hol_events_settle(hol_events *e)
{
    hol_integrator *it = e->it;
    hol_status st = hol_crossing_accelerate(it, it->k, &it->x);
    if (st > 0)
        st = hol_fail(e->ctx, HOL_ERR_INTEGRATION,
                      "stopped at t = %.9g s: the accelerations are not determined after an event", it->x.t);
    for (int i = 0; i < e->m->n_events && !st; i++) {
        const hol_event *v = &e->m->event[i];
        if (!v->when || is_over(e, v, &it->x)) continue;
        if (v->impact && it->x.mem[v->sign] == 0) { // it was switched off
            st = note_sign(e, v);
            continue;
        }
        const double g = value_of(e, v, &it->x), before = it->x.mem[v->sign];
        if (!isfinite(g)) st = hol_event_no_value(e, v, v->when, "when", &it->x);
        if (!(fabs(g - e->seen[i]) > 1e-9 * fmax(1, fabs(g)))) continue;
        if (!e->acted[i] && counts(v, before, sign_behind(g, before)))
            e->again = true; // a count, a force limit, a speed that another event has carried there
        else if (g != 0)
            it->x.mem[v->sign] = sign_of(g);
    }
    if (!st) st = hol_integrator_restart(it);
    e->fresh = !st;
    e->again = e->again || (!st && hol_stops_may_rest(e));
    return st;
}

static double energy_of(const hol_integrator *it)
{
    hol_measure now;
    hol_equations_measure_parts(it->s, &it->x, 0, &now);
    return now.kinetic + now.potential;
}

bool hol_event_is_due(const hol_event *v, const hol_state *x)
{
    return hol_event_due(v, x) <= x->t + 4 * DBL_EPSILON * fabs(x->t);
}

bool hol_events_wait(hol_events *e)
{
    bool any = false;
    for (int i = 0; i < e->m->n_events && !any; i++) {
        const hol_event *v = &e->m->event[i];
        any = hol_event_is_due(v, &e->it->x) || (!v->touch && is_looked_at(e, v) &&
                                                 has_passed(e, v, sign_now(e, v, value_of(e, v, &e->it->x))));
    }
    return any;
}

// What may rest does.
static hol_status rest(hol_events *e, bool *happened)
{
    if (!hol_stops_may_rest(e)) return HOL_OK;
    if (!*happened) e->energy = energy_of(e->it);
    *happened = true;
    const hol_status st = hol_stops_rest(e);
    return st || !e->switching ? st : check_repeated(e, e->switching);
}

// Is it the file's own, which nothing but its expression tells of?
static bool is_plain(const hol_event *v) { return v->when && !v->touch && !v->impact && !v->rest; }

// Event i has acted: its sign is that behind its own action. What acted before it in this round and is carried through 0 by it is due again. Where
// the action leaves an expression what it was, its sign is the one that it has got: its value is 0 but for rounding, on either side.
static void note_acted(hol_events *e, int i)
{
    hol_state *x = &e->it->x;
    e->acted[i] = true;
    for (int k = 0; k <= i; k++) {
        const hol_event *v = &e->m->event[k];
        if (!e->acted[k] || !is_plain(v)) continue;
        const double g = value_of(e, v, x), before = x->mem[v->sign];
        if (g == e->seen[k]) continue;
        if (k < i && counts(v, before, sign_behind(g, before)) && !is_over(e, v, x)) {
            e->acted[k] = false;
        } else if (g != 0) {
            x->mem[v->sign] = sign_of(g);
            e->seen[k] = g;
        }
    }
}

hol_status hol_events_happen(hol_events *e, bool *happened)
{
    const hol_event *last = NULL;
    hol_status st = HOL_OK;
    *happened = false;
    e->impacts = 0;
    e->again = e->placed = false;
    e->switching = NULL;
    if (e->m->n_events) memset(e->acted, 0, (size_t)e->m->n_events);
    for (int i = 0; i < e->m->n_events && !st; i++) {
        const hol_event *v = &e->m->event[i];
        bool now = hol_event_is_due(v, &e->it->x);
        if (v->when) st = passed(e, v, &now);
        if (st || !now) continue;
        if (!*happened) e->energy = energy_of(e->it);
        st = act(e, v);
        if (!st) note_acted(e, i);
        *happened = true;
        last = v;
    }
    if (last && !st) st = check_repeated(e, last);
    if (e->impacts && !st) st = hol_stops_collide(e);
    if (!st && e->fresh) st = rest(e, happened);
    return st || !*happened || e->switching ? st : hol_events_settle(e);
}
