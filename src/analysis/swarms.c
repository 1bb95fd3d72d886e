// Between the ends of a step the centres go along cubics, by places and velocities at both ends, as bodies in free flight do. Where such a way
// meets another one is found by a bound of the second derivative of the gap, which lets nothing through. docs/theory.md, section 23.7.
#include "analysis/swarms.h"
#include "analysis/contacts.h"
#include "analysis/quadrature.h"
#include "linalg/vector3.h"
#include "model/contacts.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define PASSES 0.15    // of the largest depth: how deep a step may end in an overlap that it has begun before
#define FAR 4          // times that: a step that begins so far before an overlap ends before it
#define SHARE 0.1      // of the tolerance: what an onset may be wrong by
#define TURNS 0.5      // a ball that stands out from its centre of mass turns by no more in a step [rad]
#define TOUCH 1e-10    // of the radii: this near is there
#define LEAST 1e-9     // of a step: ways are looked at no closer
#define HIT 4          // times the speed of the approach: what lies is hit that hard, (23.8)
#define ROUGH_HIT 1e-6 // of a speed: a hit is located so far
#define ROUGH 1e-4     // of a speed: what was foretold was disturbed
#define WHOLE 2.9433   // of depth over speed: how long an elastic impact lasts with n = 1.5
#define PART 0.05      // of that: the first step behind an onset

#define SPHERE 3.5 // of the mobility of a centre: that of a point of a solid sphere, which turns too
#define STABLE 3   // of a step by what dies out: explicit formulas are stable about so far

enum { HALVINGS = 40, HALF = 4, LOCATED = 1000, CROWD = 16, LOOKS = 1000, FEWEST_STEPS = 4 };

hol_status hol_swarms_refuse(hol_context *ctx, const hol_model_data *m, const char *what)
{
    if (!m->n_swarms) return HOL_OK;
    return hol_fail_at(
        ctx, HOL_ERR_USAGE, m->swarm[0].at,
        "%s: %s does not take contacts of more pairs than `locate`; name fewer bodies in the rule, or "
        "raise `locate`",
        m->swarm[0].path, what);
}

// ---- rooms --------------------------------------------------------------------------------------------------------

// Rooms of one swarm, and the masses of its bodies.
static hol_status make_path(hol_integrator *it, const hol_swarm *w, hol_swarm_path *p)
{
    const size_t n = (size_t)w->r->n_balls + 1;
    p->before = hol_calloc(it->ctx, 2 * n, sizeof *p->before);
    p->centre = hol_calloc(it->ctx, n, sizeof *p->centre);
    p->reach = hol_calloc(it->ctx, n, sizeof *p->reach);
    if (!p->before || !p->centre || !p->reach) return HOL_ERR_MEMORY;
    p->after = p->before + n;
    return hol_near_create(it->ctx, w->r, &p->wide);
}

void hol_swarm_watch_destroy(hol_swarm_watch *w)
{
    for (int i = 0; i < w->n; i++) {
        hol_swarm_path *p = &w->path[i];
        void *const arrays[] = {p->before, p->centre, p->reach};
        for (int k = 0; k < HOL_COUNT(arrays); k++) hol_free(arrays[k]);
        hol_near_destroy(&p->wide);
    }
    if (w->path) hol_state_destroy(&w->inside);
    hol_free(w->path);
    w->path = NULL;
    w->n = 0;
}

// ---- an impact ----------------------------------------------------------------------------------------------------

// Two shapes as a contact that is an element.
typedef struct {
    hol_end end[2];
    hol_element is;
    double mass, weight; // of both against each other [kg], of the lighter one [N]
} contact;

static void find_contact(const hol_swarm_watch *w, int i, const hol_near *p, const hol_contact *law,
                         contact *o)
{
    const hol_model_data *m = w->it->s->m;
    const hol_swarm_rule *r = w->it->s->swarms->of[i].r;
    o->end[0] = (hol_end){.body = r->shape[p->b].body};
    o->end[1] = (hol_end){.body = r->shape[p->a].body};
    o->is = (hol_element){.name = r->name, .data = law, .end = o->end};
    hol_contact_loads(m, &o->is, m->spec->gravity, &o->mass, &o->weight);
}

// Do steps end where contacts begin and end? Of very many, and with fixed steps, they do not.
static bool is_located(const hol_swarm_watch *w) { return w->it->tolerance > 0 && w->touching < LOCATED; }

// How deep a step may end in what it has begun, of the largest depth: so that what of the energy comes by it is a part of the tolerance; of
// very many contacts, which the error alone controls, as in a step of a twentieth of the impact.                                 (23.17)
static double most_passed(const hol_swarm_watch *w, const hol_contact *law)
{
    const double T = SHARE * w->it->tolerance / (1 + law->x);
    return is_located(w) ? fmin(PASSES, pow(T, 1 / (law->n + 1))) : PASSES;
}

// ---- ways ---------------------------------------------------------------------------------------------------------

static double size(const double *a) { return sqrt(hol_dot3(a, a)); }

// Of one shape against another one, a polynomial over the step, 0 to 1.
typedef struct {
    double q[4][3];
    const double *n;    // of a half-space; NULL: a ball
    double radii, bend; // bend: bound of the second derivative of the gap until they touch
} way;

// The cubic through places and velocities at both ends, and how much the gap along it may bend.
static void find_way(const hol_swarm *w, const hol_swarm_path *path, const hol_near *p, double h, way *o)
{
    static const hol_ball none;
    const bool half = p->b >= w->r->n_balls;
    const hol_swarm_shape *second = &w->r->shape[p->b];
    const hol_ball *a[2] = {&path->before[p->a], &path->after[p->a]}, *b[2] = {&none, &none};
    double d[2][3], step[3], inner[3], end[3];
    if (!half) b[0] = &path->before[p->b], b[1] = &path->after[p->b];
    for (int i = 0; i < 3; i++) {
        o->q[0][i] = a[0]->c[i] - (half ? second->s[i] : b[0]->c[i]);
        step[i] = a[1]->c[i] - (half ? second->s[i] : b[1]->c[i]) - o->q[0][i];
        for (int k = 0; k < 2; k++) d[k][i] = h * (a[k]->v[i] - b[k]->v[i]);
        o->q[1][i] = d[0][i];
        o->q[2][i] = 3 * step[i] - 2 * d[0][i] - d[1][i];
        o->q[3][i] = d[0][i] + d[1][i] - 2 * step[i];
        inner[i] = 3 * step[i] - d[0][i] - d[1][i];
        end[i] = 2 * o->q[2][i] + 6 * o->q[3][i];
    }
    o->n = half ? second->n : NULL;
    o->radii = w->r->shape[p->a].radius + (half ? 0 : second->radius);
    const double fastest = fmax(fmax(size(d[0]), size(d[1])), size(inner));
    o->bend = fmax(2 * size(o->q[2]), size(end)) + (half ? 0 : fastest * fastest / o->radii);
}

// The gap at a part of the step, and its rate over the step.
static void look_at(const way *o, double t, double *g, double *rate)
{
    double r[3], d[3];
    for (int i = 0; i < 3; i++) {
        r[i] = o->q[0][i] + t * (o->q[1][i] + t * (o->q[2][i] + t * o->q[3][i]));
        d[i] = o->q[1][i] + t * (2 * o->q[2][i] + t * 3 * o->q[3][i]);
    }
    const double length = o->n ? hol_dot3(o->n, r) : size(r);
    *g = length - o->radii;
    *rate = hol_dot3(o->n ? o->n : r, d) / (o->n ? 1 : length);
}

// Where they meet first, of the step, and the rate of the gap there over the step; above 1: they do not. From where the gap is g with the rate
// g' on it is at least g + g' t - bend t^2/2.                                                  (23.16)
static double first_touch(const way *o, double *rate)
{
    double t = 0, g;
    for (int k = 0; k < LOOKS && t < 1; k++) {
        look_at(o, t, &g, rate);
        if (g < TOUCH * o->radii && *rate < 0) return t;
        const double ahead = fmax(g, 0), root = sqrt(*rate * *rate + 2 * o->bend * ahead),
                     next = *rate < 0         ? 2 * ahead / (root - *rate)
                            : o->bend > 1e-30 ? (*rate + root) / o->bend
                                              : HOL_INF;
        t += fmax(next, LEAST);
    }
    return t < 1 ? t : 2;
}

// ---- the step -----------------------------------------------------------------------------------------------------

// Where in the step a way is above a gap, or comes nearer faster than by a rate, as it does at its end.
static double first_beyond(const way *o, double gap, double rate)
{
    double from = 0, to = 1;
    for (int k = 0; k < HALVINGS; k++) {
        const double t = 0.5 * (from + to);
        double g, change;
        look_at(o, t, &g, &change);
        *(g > gap || -change > rate ? &to : &from) = t;
    }
    return to;
}

// What lies and is hit: at HIT times its speed the damping changes, and the step must not go on much longer.                     (23.8)
static double find_hit(const hol_swarm_watch *w, int i, const hol_near *p, double h, const way *o)
{
    const double least = HIT * p->speed * h, most = least * (1 + fmax(w->it->tolerance, ROUGH_HIT));
    double g, rate;
    if (!(w->it->s->swarms->of[i].r->law.x > 0)) return HOL_INF;
    look_at(o, 0, &g, &rate);
    if (-rate > least) return HOL_INF; // it is known
    look_at(o, 1, &g, &rate);
    return g < 0 && -rate > most ? first_beyond(o, HOL_INF, 0.5 * (least + most)) : HOL_INF;
}

// The end of a contact, where d^n is not smooth, or where what is pulled apart loses what it has stored: errors see too little of either, and
// the step must not pass it.
static double find_end(const hol_swarm_watch *w, int i, const hol_near *p, const way *o)
{
    hol_swarm_meeting at;
    contact k;
    double g, rate;
    look_at(o, 1, &g, &rate);
    if (g < TOUCH * o->radii || !hol_swarm_meet(&w->it->s->swarms->of[i], w->path[i].before, p, &at))
        return HOL_INF;
    find_contact(w, i, p, &at.law, &k);
    const double counts = SHARE * w->it->tolerance * k.mass * at.rate * at.rate / 2;
    return hol_re(hol_contact_potential(&at.law, -at.gap)) > counts ? first_beyond(o, 0, HOL_INF) : HOL_INF;
}

// Two that touch: where must the step end instead, as far as an error controls it? Infinite: it may stand.
static double end_within(const hol_swarm_watch *w, int i, const hol_near *p, double h)
{
    way o;
    if (!is_located(w)) return HOL_INF;
    find_way(&w->it->s->swarms->of[i], &w->path[i], p, h, &o);
    return w->it->before.t + h * fmin(find_hit(w, i, p, h, &o), find_end(w, i, p, &o));
}

// Two shapes that have not been known to touch: where must the step end instead? Infinite: it may stand. A stage that feels the contact counts for
// a part of the whole step, so that one that comes from far ends before it.
static double end_for(const hol_swarm_watch *w, int i, const hol_near *p, double h)
{
    const hol_swarm *swarm = &w->it->s->swarms->of[i];
    double rate = 0, g, slope;
    way o;
    if (p->touches) return end_within(w, i, p, h);
    find_way(swarm, &w->path[i], p, h, &o);
    look_at(&o, 0, &g, &slope);
    const double met = g < 0 ? 2 : first_touch(&o, &rate), speed = -rate / h;
    if (met >= 1 || !(speed > 0)) return HOL_INF;
    const hol_contact law = hol_swarm_law(swarm->r, p->a, p->b);
    contact k;
    find_contact(w, i, p, &law, &k);
    const double passed = most_passed(w, &law) * hol_contact_elastic_depth(&k.is, k.mass, speed) / speed;
    const bool far = is_located(w) && met * h > FAR * passed;
    if (!far && !((1 - met) * h > passed)) return HOL_INF;
    return w->it->before.t + met * h + (far ? -0.5 : 0.5) * passed;
}

// The middle of a ball's way and how far from it it comes: by the four points between which a cubic stays.
static void cover(const hol_ball *a, const hol_ball *b, double h, double radius, double centre[3],
                  double *reach)
{
    double d[4][3];
    *reach = 0;
    for (int i = 0; i < 3; i++) {
        const double p[4] = {a->c[i], a->c[i] + h / 3 * a->v[i], b->c[i] - h / 3 * b->v[i], b->c[i]};
        centre[i] = 0.25 * (p[0] + p[1] + p[2] + p[3]);
        for (int k = 0; k < 4; k++) d[k][i] = p[k] - centre[i];
    }
    for (int k = 0; k < 4; k++) *reach = fmax(*reach, size(d[k]));
    *reach += radius;
}

// Do all balls stay, on their ways, where the pairs that are known hold all that may meet?
static bool stays(const hol_swarm *w, const hol_swarm_path *p)
{
    for (int i = 0; i < w->r->n_balls; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = p->centre[i][k] - w->built[i][k];
        if (!(size(d) + p->reach[i] <= w->reach[i])) return false;
    }
    return true;
}

// The pairs whose ways are near each other. HOL_RECOVERABLE: they are far too many, or one turns too far: a shorter step has fewer.
static hol_status find_pairs(hol_swarm_watch *w, int i, double h, const hol_near_list **out)
{
    hol_swarm *swarm = &w->it->s->swarms->of[i];
    hol_swarm_path *p = &w->path[i];
    const int n = swarm->r->n_balls;
    bool turns = false;
    for (int k = 0; k < n; k++) {
        cover(&p->before[k], &p->after[k], h, swarm->r->shape[k].radius, p->centre[k], &p->reach[k]);
        turns = turns || (size(p->before[k].arm) > 0 && !(size(p->before[k].om) * h < TURNS));
    }
    if (turns) return HOL_RECOVERABLE;
    *out = &swarm->near;
    if (stays(swarm, p)) return HOL_OK;
    const hol_status st = hol_search_near(&swarm->search, (const double(*)[3])p->centre, p->reach,
                                          CROWD * (n + CROWD), &p->wide);
    if (!st) hol_near_take(swarm->memory[0].touching, swarm->memory[0].n, &p->wide);
    *out = &p->wide;
    return st;
}

hol_status hol_swarm_watch_check(hol_swarm_watch *w, bool *again)
{
    *again = false;
    if (!w->n) return HOL_OK;
    hol_integrator *it = w->it;
    const double h = it->x.t - it->before.t;
    double stop = HOL_INF;
    for (int i = 0; i < w->n; i++) {
        hol_swarm *swarm = &it->s->swarms->of[i];
        const hol_near_list *list;
        hol_swarm_place(it->s, swarm, &it->before, w->path[i].before);
        hol_swarm_place(it->s, swarm, &it->x, w->path[i].after);
        if (w->blind) continue;
        const hol_status st = find_pairs(w, i, h, &list);
        if (st < 0) return st;
        if (st) stop = fmin(stop, it->before.t + 0.5 * h);
        for (int k = 0; k < list->n && !st; k++) stop = fmin(stop, end_for(w, i, &list->pair[k], h));
    }
    if (!(stop < it->x.t)) return HOL_OK;
    *again = true;
    w->stop = stop;
    return hol_integrator_take_back(it);
}

void hol_swarm_watch_begin(hol_swarm_watch *w)
{
    if (w->n) hol_swarms_begin(w->it->s, &w->it->x);
}

// ---- what touches -------------------------------------------------------------------------------------------------

// A depth beyond what is meant ends the run, with the stiffness that would do, as of contacts that are elements.
static hol_status check_depth(const hol_swarm_watch *w, int i, const hol_near *p, const hol_swarm_meeting *o)
{
    const hol_model_data *m = w->it->s->m;
    const hol_swarm *swarm = &w->it->s->swarms->of[i];
    double place[3];
    char at[100];
    contact c;
    if (!(-o->gap > o->law.deepest)) return HOL_OK;
    find_contact(w, i, p, &o->law, &c);
    for (int k = 0; k < 3; k++) place[k] = swarm->at[p->a].c[k] - o->arm[0] * o->n[k];
    return hol_fail_at(
        w->it->ctx, HOL_ERR_INTEGRATION, swarm->r->at,
        "stopped at t = %.9g s: %s: \"%s\" and \"%s\" are %.3g m deep in each other, at %s, more than "
        "`deepest`, %.3g m; %.2g times the stiffness would keep them at a tenth of that",
        w->it->x.t, swarm->r->path, hol_swarm_name(m, &swarm->r->shape[p->a]),
        hol_swarm_name(m, &swarm->r->shape[p->b]), -o->gap, hol_contact_vector(place, m->dimension, at),
        o->law.deepest, hol_contact_stiffer(&c.is, c.mass, -o->gap, o->rate));
}

// A step of a fixed size tests no error: what touches for a step or two gives back anything.
static hol_status check_step(const hol_swarm_watch *w, const hol_swarm *swarm, double speed, double lasts)
{
    const hol_integrator *it = w->it;
    if (it->tolerance > 0 || !(it->h_max * FEWEST_STEPS > lasts)) return HOL_OK;
    return hol_fail_at(
        it->ctx, HOL_ERR_INTEGRATION, swarm->r->at,
        "stopped at t = %.9g s: %s: what came at %.3g m/s touches for %.3g s, fewer than %d fixed steps; "
        "give a `tolerance` in place of the step, or a step of %.1g s to begin with",
        it->x.t, swarm->r->path, speed, lasts, FEWEST_STEPS, lasts / 20);
}

// Nor do they see that a formula is unstable, whose steps may not be much longer than what is damped or rubbed takes to die out.
static hol_status check_damping(const hol_swarm_watch *w, int i, const hol_near *p,
                                const hol_swarm_meeting *o)
{
    const hol_integrator *it = w->it;
    const hol_swarm *swarm = &it->s->swarms->of[i];
    contact c;
    if (it->tolerance > 0) return HOL_OK;
    find_contact(w, i, p, &o->law, &c);
    const double damped = o->damping / c.mass, rubbed = SPHERE * o->rubbing / c.mass, h = it->h_max;
    if (!(fmax(damped, rubbed) * h > STABLE)) return HOL_OK;
    return hol_fail_at(
        it->ctx, HOL_ERR_INTEGRATION, swarm->r->at,
        "stopped at t = %.9g s: %s: the %s of a contact takes %.1g s, and the fixed step of %.2g s is "
        "unstable; give a step of %.1g s or less, a `tolerance` in its place, or a %s",
        it->x.t, swarm->r->path, damped > rubbed ? "damping" : "friction", 1 / fmax(damped, rubbed), h,
        1 / fmax(damped, rubbed),
        damped > rubbed ? o->law.x > 0 ? "larger \"slowest\"" : "smaller \"damping\""
                        : "larger \"transition\"");
}

// What of the energy with which two have met is gone at most, where they are not deep in each other yet: as a part of it.
static double gone(const hol_swarm_watch *w, int i, const hol_near *p, const hol_swarm_meeting *o)
{
    contact c;
    find_contact(w, i, p, &o->law, &c);
    const double energy = c.mass * o->rate * o->rate / 2, V = hol_re(hol_contact_potential(&o->law, -o->gap));
    return 2 * (ROUGH + SPHERE * (1 + o->law.x) * V / (energy + V));
}

// The damping of a restitution goes by it, and forces jump.
static void change_speed(hol_swarm_watch *w, int i, hol_near *p, const hol_swarm_meeting *o, double speed)
{
    p->speed = speed;
    if (!(o->law.x > 0)) return;
    w->changed = true;
    w->it->s->swarms->of[i].met = false;
}

// It has not touched before. came: in this run, and from where it is now back by (23.18) it has met at a speed that was foretold unless others
// have disturbed it.
static hol_status begin_touch(hol_swarm_watch *w, int i, hol_near *p, const hol_swarm_meeting *o, bool came)
{
    const hol_swarm *swarm = &w->it->s->swarms->of[i];
    const double now = o->rate * o->rate, met = o->rate < 0 ? now - (came ? 2 * o->gap * o->bend : 0) : 0,
                 speed = fmax(sqrt(fmax(met, 0)), o->law.slowest);
    p->touches = true;
    p->speed = o->approach;
    if (!came || fabs(p->speed * p->speed - speed * speed) > gone(w, i, p, o) * fmax(now, speed * speed))
        change_speed(w, i, p, o, speed);
    if (!came || !(p->speed > 0)) return HOL_OK;
    contact c;
    find_contact(w, i, p, &o->law, &c);
    const double lasts = WHOLE * hol_contact_elastic_depth(&c.is, c.mass, p->speed) / p->speed;
    w->onsets++;
    hol_integrator_begin_briefly(w->it, w->it->x.t, PART * lasts);
    return check_step(w, swarm, p->speed, lasts);
}

// All pairs of one swarm at the balls as they are placed. came: what begins to touch has come in this run.
static hol_status look(hol_swarm_watch *w, int i, bool came)
{
    hol_swarm *swarm = &w->it->s->swarms->of[i];
    hol_status st = HOL_OK;
    for (int k = 0; k < swarm->near.n && !st; k++) {
        hol_near *p = &swarm->near.pair[k];
        hol_swarm_meeting o;
        if (!hol_swarm_meet(swarm, swarm->at, p, &o)) {
            p->touches = false;
            continue;
        }
        w->touching++;
        if (-o.gap > w->depth) {
            w->depth = -o.gap;
            w->deepest = i;
        }
        if (!p->touches) st = begin_touch(w, i, p, &o, came);
        if (-o.rate > HIT * p->speed) {
            double speed = p->speed;
            while (-o.rate > HIT * speed) speed *= HIT; // as often as an event would have come
            change_speed(w, i, p, &o, speed);
        }
        if (!st) st = check_depth(w, i, p, &o);
        if (!st) st = check_damping(w, i, p, &o);
    }
    return st || hol_swarm_keep(swarm, w->it->x.t) ? st : HOL_ERR_MEMORY;
}

static void find_powers(const hol_swarm_watch *w, const hol_state *x, double power[2])
{
    hol_swarm_sum sum;
    hol_swarms_measure(w->it->s, x, &sum);
    power[0] = sum.lost_damping;
    power[1] = sum.lost_rubbing;
}

// ---- depths in the norm of errors ---------------------------------------------------------------------------------

// The island of a pair.
static hol_island *island_of(const hol_swarm_watch *w, const hol_swarm *swarm, const hol_near *p, int *number)
{
    const hol_groups *g = w->it->norm.groups;
    const int a = swarm->r->shape[p->a].body;
    *number = g->island_of[a >= 0 ? a : swarm->r->shape[p->b].body];
    return &g->island[*number];
}

// How deep it is to be expected.
static double expected(const hol_swarm_watch *w, int i, const hol_near *p, const hol_swarm_meeting *o,
                       contact *c)
{
    find_contact(w, i, p, &o->law, c);
    return hol_contact_expected(&c->is, c->mass, c->weight, -o->gap, p->speed);
}

// The depth of one pair.                                                                      (5.12f)
static void measure(hol_swarm_watch *w, int i, const hol_near *p, const hol_swarm_meeting *o)
{
    const hol_model_data *m = w->it->s->m;
    const hol_swarm *swarm = &w->it->s->swarms->of[i];
    int number;
    contact c;
    const hol_island *island = island_of(w, swarm, p, &number);
    hol_groups *g = w->it->norm.groups;
    const double least = expected(w, i, p, o, &c),
                 depth = hol_contact_natural(&c.is, g, island, c.mass, least),
                 speed = hol_contact_elastic_speed(&c.is, c.mass, depth);
    if (!(depth > 0 && speed < HOL_INF)) return;
    hol_depth *d = hol_depths_add(g, number, depth, speed);
    for (int which = 0; which < 2; which++) {
        double by[7];
        const int entries = hol_swarm_gap_by(w->it->s, swarm, &w->it->x, p, o, which, by);
        for (int k = 0; k < entries; k++)
            d->position[d->n++] = d->rate[d->n_rates++] =
                (hol_share){m->body[swarm->r->shape[which ? p->b : p->a].body].q + k, by[k], 0};
    }
}

// All pairs that touch, unless they are very many.
static hol_status measure_all(hol_swarm_watch *w)
{
    hol_groups *g = w->it->norm.groups;
    hol_swarm_meeting o;
    contact c;
    if (!g || !w->n) return HOL_OK;
    if (w->alone) hol_depths_clear(g);
    for (int k = 0; k < g->n_islands && w->alone; k++) g->island[k].push = 0;
    if (w->touching == 0 || w->touching >= LOCATED) return HOL_OK;
    if (hol_depths_reserve(w->it->ctx, g, g->n_depths + w->touching, HOL_MAX_Y)) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < w->n; i++) {
            const hol_swarm *swarm = &w->it->s->swarms->of[i];
            for (int k = 0, unused; k < swarm->near.n; k++) {
                const hol_near *p = &swarm->near.pair[k];
                if (!p->touches || !hol_swarm_meet(swarm, swarm->at, p, &o)) continue;
                hol_island *island = island_of(w, swarm, p, &unused);
                if (pass)
                    measure(w, i, p, &o);
                else
                    island->push =
                        fmax(island->push, hol_contact_elastic_force(&c.is, expected(w, i, p, &o, &c)));
            }
        }
    return HOL_OK;
}

// ---- the end of a step ----------------------------------------------------------------------------------------------

// What touches at it->x, from where the next step begins.
static hol_status look_at_all(hol_swarm_watch *w, bool came)
{
    hol_integrator *it = w->it;
    hol_status st = HOL_OK;
    w->touching = 0;
    for (int i = 0; i < w->n && !st; i++) {
        st = hol_swarm_prepare(it->s, &it->s->swarms->of[i], &it->x) ? look(w, i, came) : HOL_ERR_MEMORY;
    }
    w->most = fmax(w->most, w->touching);
    w->stop = HOL_INF;
    if (!st) st = measure_all(w);
    hol_swarm_watch_begin(w);
    find_powers(w, &it->x, w->begins);
    return st;
}

// A cubic by sums and powers at both ends of the step.
void hol_swarm_watch_losses(const hol_swarm_watch *w, double t, double lost[2])
{
    lost[0] = lost[1] = 0;
    if (!w || !w->n) return;
    const double from = w->it->before.t, h = w->it->x.t - from, s = h > 0 ? fmax(t - from, 0) / h : 1,
                 r = 1 - s;
    for (int k = 0; k < 2; k++)
        lost[k] = s < 1 ? w->lost_before[k] + s * s * (3 - 2 * s) * (w->lost[k] - w->lost_before[k]) +
                              h * s * r * (r * w->power[k][0] - s * w->power[k][1])
                        : w->lost[k];
}

void hol_swarm_watch_cut(hol_swarm_watch *w, double t)
{
    double lost[2];
    hol_swarm_watch_losses(w, t, lost);
    memcpy(w->lost, lost, sizeof lost);
}

// The last step has been cut, and the method's sums over its stages are not those of it: by Boole's rule over both halves.
static void integrate(hol_swarm_watch *w, double lost[2])
{
    const double from = w->it->before.t, h = w->it->x.t - from;
    double power[2][2 * HALF + 1], at[2];
    for (int i = 0; i <= 2 * HALF; i++) {
        hol_integrator_interpolate_motion(w->it, from + h * i / (2 * HALF), &w->inside);
        find_powers(w, &w->inside, at);
        for (int k = 0; k < 2; k++) power[k][i] = at[k];
    }
    for (int k = 0; k < 2; k++)
        lost[k] = hol_integrate_quartic(power[k], h / 2, h / 2) +
                  hol_integrate_quartic(power[k] + HALF, h / 2, h / 2);
}

// What the last step takes.
static void add_losses(hol_swarm_watch *w)
{
    hol_integrator *it = w->it;
    double end[2], lost[2];
    memcpy(w->lost_before, w->lost, sizeof w->lost);
    memcpy(lost, it->lost, sizeof lost);
    if (it->lost_end != it->x.t) integrate(w, lost);
    find_powers(w, &it->x, end);
    for (int k = 0; k < 2; k++) {
        w->lost[k] += lost[k];
        w->power[k][0] = w->begins[k];
        w->power[k][1] = end[k];
    }
}

hol_status hol_swarm_watch_look(hol_swarm_watch *w)
{
    hol_integrator *it = w->it;
    if (!w->n) return HOL_OK;
    if (it->x.t > it->before.t) add_losses(w);
    if (it->x.t == w->stop) hol_integrator_limit(it, HOL_LIMIT_EVENT);
    return look_at_all(w, true);
}

hol_status hol_swarm_watch_place(hol_swarm_watch *w)
{
    for (int i = 0; i < w->n; i++) hol_swarm_forget(&w->it->s->swarms->of[i]);
    return look_at_all(w, false);
}

hol_status hol_swarm_watch_create(hol_integrator *it, hol_swarm_watch *w)
{
    const hol_swarms *all = it->s->swarms;
    hol_status st = HOL_OK;
    w->it = it;
    w->n = 0;
    w->stop = HOL_INF;
    if (!all->n) return HOL_OK;
    w->alone = true;
    for (int i = 0; i < it->s->m->n_elements; i++)
        if (it->s->m->element[i].type == &hol_force_contact) w->alone = false;
    w->path = hol_calloc(it->ctx, (size_t)all->n, sizeof *w->path);
    if (!w->path) return HOL_ERR_MEMORY;
    st = hol_state_create(it->s, &w->inside);
    for (; w->n < all->n && !st; w->n++) st = make_path(it, &all->of[w->n], &w->path[w->n]);
    if (st || all->of[0].settled) return st; // a run that goes on with other joints
    return hol_swarm_watch_place(w);
}

void hol_swarm_watch_tell(const hol_swarm_watch *w, hol_statistics *s)
{
    const hol_model_data *m = w->it->s->m;
    s->contact_bracketed = (long)w->onsets;
    s->contact_most = (long)w->most;
    s->contact_searches = 0;
    for (int i = 0; i < w->n; i++) s->contact_searches += w->it->s->swarms->of[i].search.made;
    s->contact_onsets += (long)w->onsets;
    s->contact_damping += w->lost[0];
    s->contact_friction += w->lost[1];
    if (!(w->depth > s->contact_depth)) return;
    s->contact_depth = w->depth;
    s->contact_deepest = m->swarm[w->deepest].name;
}

// ---- checkpoints --------------------------------------------------------------------------------------------------

// What touches, with its speeds; which other pairs are near each other is found anew.
static void archive_pairs(hol_swarm *w, hol_archive *a)
{
    hol_swarm_memory *known = &w->memory[0];
    int n = known->n;
    hol_archive_int(a, &n, 0, INT_MAX);
    if (a->reading) hol_swarm_forget(w);
    for (int k = 0; k < n && !a->failed; k++) {
        if (k == known->room && !HOL_GROW(w->search.ctx, known->touching, known->room, k + 1)) {
            a->failed = true;
            break;
        }
        hol_near *p = &known->touching[k];
        if (a->reading) *p = (hol_near){.touches = true};
        hol_archive_int(a, &p->a, k && a->reading ? p[-1].a : 0, w->r->n_balls - 1);
        hol_archive_int(a, &p->b, a->failed ? 0 : p->a + 1, w->r->n - 1);
        hol_archive_number(a, &p->speed, 0, DBL_MAX);
        if (!a->failed) known->n = k + 1;
    }
    if (!a->reading) return;
    for (int i = 0; i < w->r->n_balls; i++) w->built[i][0] = (double)NAN;
}

void hol_swarm_watch_archive(hol_swarm_watch *w, hol_archive *a)
{
    if (!w->n) return;
    double *const sums[] = {&w->onsets, &w->most, &w->depth};
    for (int i = 0; i < HOL_COUNT(sums); i++) hol_archive_bytes(a, sums[i], sizeof *sums[i]);
    hol_archive_bytes(a, w->lost, sizeof w->lost);
    hol_archive_bytes(a, w->lost_before, sizeof w->lost_before);
    hol_archive_bytes(a, w->power, sizeof w->power);
    hol_archive_bytes(a, w->begins, sizeof w->begins);
    hol_archive_int(a, &w->deepest, 0, w->n - 1);
    hol_archive_int(a, &w->touching, 0, INT_MAX);
    hol_archive_flag(a, &w->changed);
    for (int i = 0; i < w->n; i++) archive_pairs(&w->it->s->swarms->of[i], a);
    if (a->reading && !a->failed) hol_swarm_watch_begin(w);
}
