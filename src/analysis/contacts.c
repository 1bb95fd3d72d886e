// What contacts do in the steps of a run. Work is summed by Boole's rule over the step, as the account does it; steps end at
// onsets and ends.
#include "analysis/contacts.h"
#include "analysis/quadrature.h"
#include "model/contacts.h"

#include <math.h>
#include <string.h>

#define TOUCH 1e-12  // of the natural length
#define LIGHT 0.03   // of the largest force of contacts: a tenth of its depth
#define SLOW 1e-5    // of the speed by natural size and time: an impact that is no slower counts
#define PRESSES 1e-6 // of the natural acceleration
#define SOON 1e-5    // of the natural time
#define EDGE 1e-9    // of the elastic force: between pushing and pulling

enum { PARTS = 8, TURNS = 4, LEAST_STEPS = 4, MOST_DENIED = 20 };

void hol_contact_at(const hol_model_data *m, const hol_element *e, const hol_state *x, hol_contact_state *out)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS];
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    hol_equations_inputs(e, x, u);
    hol_contact_look(e, y, w, hol_element_acts(e, x->mem) ? x->mem + e->mem : NULL, u, out);
}

double hol_contact_touch(const hol_model_data *m) { return TOUCH * m->length_scale; }

// The rate of the gap a while later, or before, where nothing changes the accelerations [m/s].
static double rate_at(const hol_model_data *m, const hol_element *e, const hol_state *x, double later)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], a[HOL_MAX_Y], u[HOL_MAX_ROWS] = {0};
    hol_contact_state at;
    hol_element_gather(m, e, x->t, x->q, x->a, 0, y, a);
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    for (int i = 0; i < e->ny; i++) {
        y[i] += later * w[i] + later * later / 2 * a[i];
        w[i] += later * a[i];
    }
    hol_contact_look(e, y, w, x->mem + e->mem, u, &at);
    return at.rate;
}

double hol_contact_parting(const hol_model_data *m, const hol_element *e, const hol_state *x)
{
    const double later = SOON * m->time_scale;
    return (rate_at(m, e, x, later) - rate_at(m, e, x, -later)) / (2 * later);
}

static bool lasts_by_memory(const hol_element *e, const double *mem)
{
    return hol_element_acts(e, mem) && mem[e->mem + HOL_CONTACT_LASTS] > 0;
}

// Its bristles begin, where it lasts by its memory as shapes that touch do, else with nothing.
static void stretch(const hol_equations *s, hol_state *x, const hol_element *e)
{
    const int index = (int)(e - s->m->element);
    const bool lasts = lasts_by_memory(e, x->mem);
    for (int i = 0; i < s->m->n_states; i++) {
        const hol_user_state *o = &s->m->state[i];
        if (o->contact == index)
            x->X[i] = lasts && o->touched ? hol_equations_expression(s, x, o->touched) : 0;
    }
}

void hol_contact_switch(const hol_equations *s, hol_state *x, const hol_element *e)
{
    hol_contact_state at;
    hol_contact_at(s->m, e, x, &at);
    const bool touches = at.gap <= hol_contact_touch(s->m);
    x->mem[e->mem + HOL_CONTACT_LASTS] = hol_element_acts(e, x->mem) && touches ? 1 : -1;
    x->mem[e->mem + HOL_CONTACT_SPEED] = touches ? fmax(-at.rate, hol_contact_slowest(e)) : HOL_MADE_NEVER;
    stretch(s, x, e);
}

static void look_at(const hol_contacts *c, int i, const hol_state *x, hol_contact_state *out)
{
    const hol_model_data *m = c->it->s->m;
    hol_contact_at(m, &m->element[c->element[i]], x, out);
}

// Looks at contact i in the last step: PARTS + 1 of them.
static hol_contact_state *looks_at(const hol_contacts *c, int i) { return c->at + (PARTS + 1) * (size_t)i; }

// Looks at what lasts in the last step, of length h, between its ends; a state within it serves all of them. Forces of contacts follow from
// places and velocities, but where equations give their friction.
static void look_between(hol_contacts *c, bool equations, double h)
{
    const hol_model_data *m = c->it->s->m;
    bool any = false;
    for (int i = 0; i < c->n && !any; i++)
        any = c->follows[i] && (m->element[c->element[i]].n_inputs > 0) == equations;
    for (int k = 1; k < PARTS && any; k++) {
        (equations ? hol_integrator_interpolate
                   : hol_integrator_interpolate_motion)(c->it, c->it->before.t + h * k / PARTS, &c->inside);
        for (int i = 0; i < c->n; i++)
            if (c->follows[i] && (m->element[c->element[i]].n_inputs > 0) == equations)
                look_at(c, i, &c->inside, &looks_at(c, i)[k]);
    }
}

// A depth beyond what is meant ends the run, with the stiffness that would do.
static hol_status check_depth(const hol_contacts *c, int i, double t, const hol_contact_state *at)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    const double d = -at->gap;
    char body[2][80];
    if (!(d > at->deepest)) return HOL_OK;
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    return hol_fail_at(
        c->it->ctx, HOL_ERR_INTEGRATION, e->at,
        "stopped at t = %.9g s: contacts.%s: \"%s\" and \"%s\" are %.3g m deep in each other, more than "
        "`deepest`, %.3g m; %.2g times the stiffness would keep them at a tenth of that",
        t, e->name, hol_model_end(m, e, 1, body[1], sizeof body[1]),
        hol_model_end(m, e, 0, body[0], sizeof body[0]), d, at->deepest,
        hol_contact_stiffer(e, mass, d, at->rate));
}

static double expected(const hol_contacts *c, int i, const hol_contact_state *at)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    return hol_contact_expected(e, mass, weight, -at->gap, fmax(-at->rate, 0));
}

// The first step of a contact: d^n is not smooth at its beginning, and a step with one look at it may miss what it does.     (23.8b)
static void grade(hol_contacts *c, int i, double t)
{
    hol_integrator *it = c->it;
    const hol_element *e = &it->s->m->element[c->element[i]];
    double mass, weight;
    hol_contact_loads(it->s->m, e, it->s->m->spec->gravity, &mass, &weight);
    const double depth = c->touch[i].expected, speed = hol_contact_elastic_speed(e, mass, depth);
    if (it->tolerance > 0 && depth > 0 && speed > 0 && speed < HOL_INF)
        hol_integrator_begin_briefly(
            it, t, 3 * depth / speed * pow(it->tolerance, 1 / (hol_contact_exponent(e) + 1)));
}

// Does it come at a speed that takes it deeper than it is? What is put there, as its onset does, shows little yet of the force to come.
static bool comes(const hol_contacts *c, int i, const hol_contact_state *at)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    return at->rate < 0 && hol_contact_elastic_depth(e, mass, -at->rate) > -at->gap;
}

static void deepen(hol_contacts *c, int i, double depth)
{
    c->touch[i].depth = fmax(c->touch[i].depth, depth);
    c->touch[i].expected = fmax(c->touch[i].expected, depth);
    if (!(depth > c->found.depth)) return;
    c->found.depth = depth;
    c->found.deepest = i;
}

// The sums of the contact before become earlier ones.
static void begin(hol_contacts *c, int i, const hol_contact_state *at, double t, hol_contact_edge how)
{
    hol_touch *o = &c->touch[i];
    for (int k = 0; k < HOL_CONTACT_SUMS; k++) {
        o->earlier[k] += o->sum[k];
        o->sum[k] = 0;
    }
    o->lasts = 1;
    o->begins = how;
    o->onset = t;
    o->v_i = at->rate == 0 ? 0 : -at->rate;
    o->steps = o->depth = o->denied = o->way = o->speed = 0;
    o->expected = expected(c, i, at);
    c->found.onsets += how == HOL_EDGE_MET;
    deepen(c, i, -at->gap);
    if ((how == HOL_EDGE_MET && t >= c->it->x.t) || comes(c, i, at)) grade(c, i, t);
}

static void end(hol_contacts *c, int i, const hol_contact_state *at, double t, hol_contact_edge how)
{
    hol_touch *o = &c->touch[i];
    o->lasts = how == HOL_EDGE_SWITCHED ? -1 : 0;
    o->untold = 1;
    o->ends = how;
    o->end = t;
    o->v_end = at->rate;
}

// The step in which contacts have ended stays as it is.
static hol_status tell(hol_contacts *c)
{
    const hol_model_data *m = c->it->s->m;
    hol_status st = HOL_OK;
    for (int i = 0; i < c->n && !st; i++) {
        hol_touch *o = &c->touch[i];
        if (o->untold == 0) continue;
        o->untold = 0;
        if (!c->tell) continue;
        const hol_contact_event event = {.name = m->element[c->element[i]].name,
                                         .pair = hol_contact_pair_name(m, c->element[i]),
                                         .begins = (hol_contact_edge)o->begins,
                                         .ends = (hol_contact_edge)o->ends,
                                         .onset = o->onset,
                                         .end = o->end,
                                         .v_i = o->v_i,
                                         .v_end = o->v_end,
                                         .depth = o->depth,
                                         .impulse = o->sum[HOL_SUM_IMPULSE],
                                         .damping = o->sum[HOL_SUM_DAMPING],
                                         .friction = o->sum[HOL_SUM_FRICTION],
                                         .slid = o->sum[HOL_SUM_SLID]};
        st = c->tell(c->user, &event);
    }
    return st;
}

#define DEEPER 1e-12 // of the largest depth: a smaller one more is rounding

// The depth in a part of the step from t0 on, at its ends or, where that could be the largest so far, where it turns back, by secants of the
// rate.
static double deepest(hol_contacts *c, int i, double t0, double h, const hol_contact_state *a,
                      const hol_contact_state *b)
{
    double most = fmax(-a->gap, -b->gap), from = 0, to = h, before = a->rate, after = b->rate;
    const double bound = fmin(-a->gap - h * a->rate, -b->gap + h * b->rate);
    const bool matters = bound > (1 + DEEPER) * c->touch[i].depth;
    for (int k = 0; k < TURNS && matters && before < 0 && after > 0; k++) {
        const double t = from + (to - from) * before / (before - after);
        hol_contact_state at;
        hol_integrator_interpolate_motion(c->it, t0 + t, &c->inside);
        look_at(c, i, &c->inside, &at);
        most = fmax(most, -at.gap);
        *(at.rate < 0 ? &from : &to) = t;
        *(at.rate < 0 ? &before : &after) = at.rate;
    }
    return most;
}

// What the last step, of length h, adds to a sum up to a time in it.
static double part_of(const hol_touch_step *o, int sum, double h, double t)
{
    const double half = 0.5 * h, *rate = o->rate[sum];
    const double first = hol_integrate_quartic(rate, half, fmin(t, half));
    return t > half ? first + hol_integrate_quartic(rate + 4, half, t - half) : first;
}

// What the first parts of the last step have added to a contact that lasts.
static void add(hol_contacts *c, int i, const hol_contact_state *at, double h, int parts)
{
    hol_touch *o = &c->touch[i];
    hol_touch_step last = {.lasts = true};
    for (int k = 0; k <= PARTS; k++) {
        last.rate[HOL_SUM_IMPULSE][k] = at[k].F;
        last.rate[HOL_SUM_DAMPING][k] = at[k].lost_damping;
        last.rate[HOL_SUM_FRICTION][k] = at[k].lost_rubbing;
        last.rate[HOL_SUM_SLID][k] = at[k].slip;
        if (k && k <= parts)
            deepen(c, i, deepest(c, i, c->it->before.t + h * (k - 1) / PARTS, h / PARTS, &at[k - 1], &at[k]));
    }
    for (int s = 0; s < HOL_CONTACT_SUMS; s++) {
        last.before[s] = o->earlier[s] + o->sum[s];
        o->sum[s] += part_of(&last, s, h, h * parts / PARTS);
    }
    o->steps += c->it->tolerance > 0 ? 1 : h / c->it->h_asked; // a part that events have cut off is a part
    c->step[i] = last;
}

// A fixed step tests no error: what a contact of a step or two gives back is anything, and explicit methods are unstable in it. What
// touches from the start on has not come at a speed.
static hol_status check_steps(const hol_contacts *c, int i, double t)
{
    const hol_integrator *it = c->it;
    const hol_touch *o = &c->touch[i];
    const hol_element *e = &it->s->m->element[c->element[i]];
    const bool can_control = it->method->divisor != 0, came = o->begins == HOL_EDGE_MET;
    if (it->tolerance > 0 || o->steps >= LEAST_STEPS || !(came && o->v_i >= hol_contact_slowest(e)))
        return HOL_OK;
    double mass, weight;
    hol_contact_loads(it->s->m, e, it->s->m->spec->gravity, &mass, &weight);
    const double natural = 3 * o->expected / hol_contact_elastic_speed(e, mass, o->expected); // as in (23.8b)
    return hol_fail_at(it->ctx, HOL_ERR_INTEGRATION, e->at,
                       "stopped at t = %.9g s: contacts.%s: what came at %.3g m/s has left after %.2g fixed "
                       "step%s of %s, too few for "
                       "what a contact gives back; give %sa step of %.1g s to begin with",
                       t, e->name, o->v_i, o->steps, o->steps == 1 ? "" : "s", it->method->name,
                       can_control ? "a `tolerance` in place of the step, or " : "",
                       fmax(t - o->onset, natural) / 20);
}

// A ball that lies in a hollow of one line touches it in two places, of which only the nearest one pushes. when NULL: a run stops.
static hol_status check_again(hol_context *ctx, const hol_model_data *m, const hol_element *e,
                              const hol_state *x, const char *when)
{
    hol_real y[HOL_MAX_Y];
    char body[2][80], stopped[60];
    hol_element_gather(m, e, x->t, x->q, NULL, 0, y, NULL);
    if (!(hol_contact_again(e, y) > 0)) return HOL_OK;
    hol_decimal_print(stopped, sizeof stopped, "stopped at t = %.9g s", x->t);
    return hol_fail_at(
        ctx, HOL_ERR_INTEGRATION, e->at,
        "%s: contacts.%s: \"%s\" touches one shape of \"%s\" in two places "
        "at once, of which one alone would push; draw its two sides as two shapes, or a line as "
        "a `polygon`, whose hollow corners count as two",
        when ? when : stopped, e->name, hol_model_end(m, e, 1, body[1], sizeof body[1]),
        hol_model_end(m, e, 0, body[0], sizeof body[0]));
}

hol_status hol_contacts_touch_once(hol_context *ctx, const hol_model_data *m, const hol_state *x,
                                   const char *when)
{
    hol_status st = HOL_OK;
    for (int i = m->n_bodies; i < m->n_elements && !st; i++)
        if (m->element[i].type == &hol_force_contact && hol_element_acts(&m->element[i], x->mem))
            st = check_again(ctx, m, &m->element[i], x, when);
    return st;
}

// An onset is where the step ends, on either side of it by rounding.
static bool is_at_surface(const hol_contacts *c, const hol_contact_state *at)
{
    return at->rate < 0 && fabs(at->gap) < hol_contact_touch(c->it->s->m);
}

static bool is_met(const hol_contacts *c, const hol_contact_state *at)
{
    return at->gap < 0 || is_at_surface(c, at);
}

// An event has switched it off.
static void leave_alone(hol_contacts *c, int i)
{
    hol_contact_state at;
    if (c->touch[i].lasts > 0) {
        look_at(c, i, &c->it->before, &at);
        end(c, i, &at, c->it->before.t, HOL_EDGE_SWITCHED);
    }
    c->touch[i].lasts = -1;
}

// Has the last step felt it? What a step that is too long shows within ends contacts whose shapes still come together, time and again;
// rounding at the onset does it a few times.
static bool acts(const hol_contacts *c, int i)
{
    const hol_integrator *it = c->it;
    return it->before.mem[it->s->m->element[c->element[i]].mem + HOL_CONTACT_LASTS] >= 0;
}

// The step up to x of a contact that lasts in it.
static hol_status follow(hol_contacts *c, int i, const hol_state *x)
{
    const double t = x->t, t0 = c->it->before.t, h = t - t0;
    const hol_contact_state *at = looks_at(c, i);
    int parts = 1; // a run that ends in the step by its depth does so behind these
    while (parts < PARTS && !(-at[parts].gap > at[parts].deepest)) parts++;
    add(c, i, at, h, parts);
    if (fabs(at[PARTS].whole) < EDGE * at[PARTS].elastic) grade(c, i, t);
    const bool ends = at[PARTS].gap >= 0 && at[PARTS].rate >= 0;
    c->touch[i].denied += !acts(c, i);
    hol_status st = ends || c->touch[i].denied > MOST_DENIED ? check_steps(c, i, t) : HOL_OK;
    if (!st) st = check_depth(c, i, t0 + h * parts / PARTS, &at[parts]);
    const hol_model_data *m = c->it->s->m;
    if (!st) st = check_again(c->it->ctx, m, &m->element[c->element[i]], x, NULL);
    if (ends) end(c, i, &at[PARTS], t, HOL_EDGE_MET);
    return st;
}

// Do shapes that touch at this state without a force begin to press each other there? They have no onset to be found.
static bool closes(const hol_contacts *c, int i, const hol_state *x)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    const double natural = m->length_scale / (m->time_scale * m->time_scale);
    return x->mem[e->mem + HOL_CONTACT_LASTS] > 0 && hol_contact_parting(m, e, x) < -PRESSES * natural;
}

// One contact at the ends of the step that ends at x. Does it last in it?
static bool look(hol_contacts *c, int i, const hol_state *x)
{
    const hol_integrator *it = c->it;
    hol_contact_state *at = looks_at(c, i);
    hol_touch *o = &c->touch[i];
    c->step[i].lasts = false;
    if (!hol_element_acts(&it->s->m->element[c->element[i]], x->mem)) {
        leave_alone(c, i);
        return false;
    }
    if (o->lasts != 0) look_at(c, i, &it->before, &at[0]);
    if (o->lasts < 0) {
        o->lasts = 0;
        if (at[0].gap < 0) begin(c, i, &at[0], it->before.t, HOL_EDGE_SWITCHED);
    }
    look_at(c, i, x, &at[PARTS]);
    if (!(o->lasts > 0) && is_met(c, &at[PARTS]) && closes(c, i, &it->before)) {
        look_at(c, i, &it->before, &at[0]);
        begin(c, i, &at[0], it->before.t, HOL_EDGE_MET);
    }
    const bool lasts = o->lasts > 0;
    if (!lasts && is_met(c, &at[PARTS])) begin(c, i, &at[PARTS], x->t, HOL_EDGE_MET);
    return lasts;
}

// The step that ends at x.
static hol_status look_all(hol_contacts *c, const hol_state *x)
{
    const double h = x->t - c->it->before.t;
    hol_status st = HOL_OK;
    for (int i = 0; i < c->n; i++) c->follows[i] = look(c, i, x);
    look_between(c, false, h);
    look_between(c, true, h);
    for (int i = 0; i < c->n && !st; i++)
        if (c->follows[i]) st = follow(c, i, x);
    return st;
}

// ---- the norm of errors -------------------------------------------------------------------------------------------

// Its island in the norm of errors.
static hol_island *island_of(const hol_contacts *c, int i)
{
    hol_groups *g = c->it->norm.groups;
    return &g->island[g->island_of[c->it->s->m->element[c->element[i]].body[0]]];
}

double hol_contact_natural(const hol_element *e, const hol_groups *g, const hol_island *o, double mass,
                           double expected)
{
    return fmax(expected, fmax(hol_contact_static_depth(e, LIGHT * o->push),
                               hol_contact_elastic_depth(e, mass, SLOW * o->length * g->slowest)));
}

// The gap of contact i in the norm of errors, of a natural size and speed.
static void weigh(hol_contacts *c, int i, double size, double speed)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    hol_groups *g = c->it->norm.groups;
    hol_real y[HOL_MAX_Y];
    double by[HOL_MAX_Y];
    if (!(size > 0 && speed > 0 && speed < HOL_INF)) return;
    hol_depth *d = hol_depths_add(g, g->island_of[e->body[0]], size, speed);
    hol_element_gather(m, e, c->it->x.t, c->it->x.q, NULL, 0, y, NULL);
    hol_contact_gap_by(e, y, by);
    for (int k = 0, n = 0; k < e->n_bodies; k++)
        for (int j = 0; j < m->body[e->body[k]].size; j++, n++)
            d->position[d->n++] = d->rate[d->n_rates++] = (hol_share){m->body[e->body[k]].q + j, by[n], 0};
}

// The depth of one that lasts.                                                              (5.12f)
static void measure(hol_contacts *c, int i)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    const double size =
        hol_contact_natural(e, c->it->norm.groups, island_of(c, i), mass, c->touch[i].expected);
    weigh(c, i, size, hol_contact_elastic_speed(e, mass, size));
}

// The norm of errors knows the contacts that last, and those that are to be met soon.
static void measure_all(hol_contacts *c)
{
    hol_groups *g = c->it->norm.groups;
    if (!g || !c->n) return;
    hol_depths_clear(g);
    for (int k = 0; k < g->n_islands; k++) g->island[k].push = 0;
    for (int i = 0; i < c->n; i++) {
        const hol_element *e = &c->it->s->m->element[c->element[i]];
        hol_island *o = island_of(c, i);
        if (c->touch[i].lasts > 0)
            o->push = fmax(o->push, hol_contact_elastic_force(e, c->touch[i].expected));
    }
    for (int i = 0; i < c->n; i++)
        if (c->touch[i].lasts > 0)
            measure(c, i);
        else if (c->touch[i].speed > 0)
            weigh(c, i, c->touch[i].way, c->touch[i].speed);
}

// Is the onset of a contact so near that its speed would be wrong by more than the tolerance, if a first step of order 1 took its error for
// what a step may be wrong by? Its way h^2 a is twice that of the motion.                    (23.8d)
static void foresee(hol_contacts *c, int i)
{
    const hol_integrator *it = c->it;
    const hol_model_data *m = it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    hol_touch *o = &c->touch[i];
    hol_contact_state at;
    o->way = o->speed = 0;
    if (o->lasts != 0) return;
    look_at(c, i, &it->x, &at);
    const double a = hol_contact_parting(m, e, &it->x), square = at.rate * at.rate - 2 * a * at.gap,
                 h = fmin(it->h_max, sqrt(2 * it->tolerance / hol_equations_coordinate_norm(it->s, it->x.a)));
    if (!(square > 0 && (a < 0 || at.rate < 0))) return;
    const double speed = fmax(sqrt(square), hol_contact_slowest(e));
    if (!(fabs(a) * h > sqrt(2 * it->asked) * speed)) return;
    const double few = fmax(1, it->asked / it->method->divisor / it->tolerance); // these errors do not add up
    o->way = few * speed * speed / fabs(a);
    o->speed = few * speed;
}

void hol_contacts_foresee(hol_contacts *c)
{
    const hol_integrator *it = c->it;
    if (!c->n || !it->norm.groups || !it->method->orders || it->x.t != it->before.t) return;
    for (int i = 0; i < c->n; i++) foresee(c, i);
    measure_all(c);
}

hol_status hol_contacts_look(hol_contacts *c)
{
    if (!c->n) return HOL_OK;
    hol_status st = tell(c);
    memcpy(c->before, c->touch, (size_t)c->n * sizeof *c->touch);
    c->found_before = c->found;
    if (!st) st = look_all(c, &c->it->x);
    measure_all(c);
    return st;
}

hol_status hol_contacts_cut(hol_contacts *c, const hol_state *x)
{
    if (!c->n) return HOL_OK;
    memcpy(c->touch, c->before, (size_t)c->n * sizeof *c->touch);
    c->found = c->found_before;
    return look_all(c, x);
}

// Those that last end at x as the run does, for those who are told.
static hol_status end_all(hol_contacts *c, const hol_state *x)
{
    for (int i = 0; i < c->n; i++) {
        hol_contact_state at;
        if (!(c->touch[i].lasts > 0)) continue;
        look_at(c, i, x, &at);
        end(c, i, &at, x->t, HOL_EDGE_RUN);
    }
    return tell(c);
}

hol_status hol_contacts_finish(hol_contacts *c)
{
    hol_status st = tell(c);
    if (st || !c->n) return st;
    memcpy(c->before, c->touch, (size_t)c->n * sizeof *c->touch);
    st = end_all(c, &c->it->x);
    memcpy(c->touch, c->before, (size_t)c->n * sizeof *c->touch); // a checkpoint may follow
    return st;
}

// ---- sums -------------------------------------------------------------------------------------------------------

static int number_of(const hol_contacts *c, int element)
{
    int low = 0, high = c->n - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        *(c->element[middle] < element ? &low : &high) = c->element[middle] < element ? middle + 1 : middle;
    }
    return low;
}

static void sums_at(const hol_contacts *c, int i, double t, double sum[HOL_CONTACT_SUMS])
{
    const hol_touch *o = &c->touch[i];
    const hol_touch_step *step = &c->step[i];
    const double from = c->it->before.t, to = c->it->x.t;
    for (int k = 0; k < HOL_CONTACT_SUMS; k++)
        sum[k] = step->lasts && t < to ? step->before[k] + part_of(step, k, to - from, fmax(t - from, 0))
                                       : o->earlier[k] + o->sum[k];
}

void hol_contacts_sums(const hol_contacts *c, int element, double t, double sum[HOL_CONTACT_SUMS])
{
    memset(sum, 0, HOL_CONTACT_SUMS * sizeof *sum);
    if (c && c->n) sums_at(c, number_of(c, element), t, sum);
}

void hol_contacts_total(const hol_contacts *c, double t, double sum[HOL_CONTACT_SUMS])
{
    double one[HOL_CONTACT_SUMS];
    memset(sum, 0, HOL_CONTACT_SUMS * sizeof *sum);
    for (int i = 0; c && i < c->n; i++) {
        sums_at(c, i, t, one);
        for (int k = 0; k < HOL_CONTACT_SUMS; k++) sum[k] += one[k];
    }
}

// ---- states from outside ----------------------------------------------------------------------------------------

// The speed of a free impact that comes through here, as far as nothing has been lost of it yet: by the energy beyond that of lying there.
static double approach_of(const hol_contacts *c, int i, const hol_contact_state *at)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    const double d = fmax(-at->gap, 0), lies = hol_contact_static_depth(e, weight),
                 beyond = at->stored - weight * lies / (at->exponent + 1) - weight * (d - lies);
    return fmax(sqrt(at->rate * at->rate + (mass > 0 ? 2 * fmax(beyond, 0) / mass : 0)),
                hol_contact_slowest(e));
}

// Whether contact i lasts at the present state, which it has not come to by steps, goes into its memory.
static void place(hol_contacts *c, int i, bool known)
{
    const hol_element *e = &c->it->s->m->element[c->element[i]];
    hol_state *x = &c->it->x;
    hol_contact_state at;
    look_at(c, i, x, &at);
    x->mem[e->mem + HOL_CONTACT_LASTS] = at.gap <= hol_contact_touch(c->it->s->m) ? 1 : -1;
    if (!known && at.gap < 0) x->mem[e->mem + HOL_CONTACT_SPEED] = approach_of(c, i, &at);
}

void hol_contacts_place(hol_contacts *c, bool known)
{
    for (int i = 0; i < c->n; i++) place(c, i, known);
    measure_all(c);
}

// What lasts at the present state from the beginning on.
static void begin_here(hol_contacts *c, int i)
{
    const hol_state *x = &c->it->x;
    hol_contact_state at;
    hol_touch *o = &c->touch[i];
    look_at(c, i, x, &at);
    if (!hol_element_acts(&c->it->s->m->element[c->element[i]], x->mem))
        o->lasts = -1;
    else if (is_met(c, &at) && !(o->lasts > 0))
        begin(c, i, &at, x->t, is_at_surface(c, &at) ? HOL_EDGE_MET : HOL_EDGE_RUN);
}

hol_status hol_contacts_move(hol_contacts *c, const hol_state *before)
{
    const hol_status st = end_all(c, before);
    for (int i = 0; i < c->n; i++) {
        c->step[i].lasts = false;
        c->touch[i].lasts = 0;
        begin_here(c, i);
    }
    return st;
}

// ---- the whole --------------------------------------------------------------------------------------------------

// Nothing may begin deeper than a run may go.
static hol_status check_start(const hol_contacts *c, int i)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    hol_contact_state at;
    char body[2][80], point[100], way[100];
    look_at(c, i, &c->it->x, &at);
    if (!(-at.gap > at.deepest)) return HOL_OK;
    return hol_fail_at(
        c->it->ctx, HOL_ERR_MODEL, e->at,
        "contacts.%s: \"%s\" and \"%s\" begin %.3g m deep in each other, at %s, more than `deepest`, %.3g m; "
        "move \"%s\" by %.3g m along %s",
        e->name, hol_model_end(m, e, 1, body[1], sizeof body[1]),
        hol_model_end(m, e, 0, body[0], sizeof body[0]), -at.gap,
        hol_contact_vector(at.point, m->dimension, point), at.deepest, body[1], -at.gap,
        hol_contact_vector(at.normal, m->dimension, way));
}

// What was summed stays, if there is any.
static hol_status make_room(hol_integrator *it, hol_contacts *c)
{
    const size_t n = (size_t)c->n;
    if (!c->touch) c->found.deepest = -1;
    if (!c->touch) c->touch = hol_calloc(it->ctx, n, sizeof *c->touch);
    c->element = hol_calloc(it->ctx, n, sizeof *c->element);
    c->before = hol_calloc(it->ctx, n, sizeof *c->before);
    c->step = hol_calloc(it->ctx, n, sizeof *c->step);
    c->at = hol_calloc(it->ctx, (PARTS + 1) * n, sizeof *c->at);
    c->follows = hol_calloc(it->ctx, n, sizeof *c->follows);
    return c->touch && c->element && c->before && c->step && c->at && c->follows
               ? hol_state_create(it->s, &c->inside)
               : HOL_ERR_MEMORY;
}

hol_status hol_contacts_create(hol_integrator *it, hol_contacts *c)
{
    const hol_model_data *m = it->s->m;
    const bool first = !c->touch;
    c->it = it;
    c->n = 0;
    for (int i = 0; i < m->n_elements; i++) c->n += m->element[i].type == &hol_force_contact;
    if (!c->n) return HOL_OK;
    hol_status st = make_room(it, c);
    if (st) return st;
    if (it->norm.groups && hol_depths_reserve(it->ctx, it->norm.groups, c->n, HOL_MAX_Y))
        return HOL_ERR_MEMORY;
    for (int i = 0, k = 0; i < m->n_elements; i++)
        if (m->element[i].type == &hol_force_contact) c->element[k++] = i;
    for (int i = 0; i < c->n && !st; i++) {
        begin_here(c, i);
        if (c->touch[i].lasts > 0) st = check_start(c, i);
    }
    hol_contacts_place(c, true);
    for (int i = 0; i < c->n && first; i++) {
        const hol_element *e = &m->element[c->element[i]];
        const bool holds = m->beginning && lasts_by_memory(e, it->x.mem); // what the equilibrium asks for
        if (!holds) stretch(it->s, &it->x, e);
    }
    return st;
}

void hol_contacts_leave(hol_contacts *c)
{
    if (!c->n) return;
    hol_state_destroy(&c->inside);
    hol_free(c->element);
    hol_free(c->before);
    hol_free(c->step);
    hol_free(c->at);
    hol_free(c->follows);
    c->element = NULL;
    c->before = NULL;
    c->step = NULL;
    c->at = NULL;
    c->follows = NULL;
    c->n = 0;
}

void hol_contacts_destroy(hol_contacts *c)
{
    hol_contacts_leave(c);
    hol_free(c->touch);
    c->touch = NULL;
}

void hol_contacts_archive(hol_contacts *c, hol_archive *a)
{
    if (!c->n) return;
    HOL_ARCHIVE(a, c->found.onsets);
    HOL_ARCHIVE(a, c->found.depth);
    hol_archive_int(a, &c->found.deepest, -1, c->n - 1);
    for (int i = 0; i < c->n; i++) {
        HOL_ARCHIVE(a, c->touch[i]);
        const hol_touch *o = &c->touch[i];
        if (!(o->begins >= 0 && o->begins < HOL_CONTACT_EDGES && o->ends >= 0 && o->ends < HOL_CONTACT_EDGES))
            a->failed = true;
        if (a->reading) c->step[i].lasts = false; // no row is within a step that another run has made
    }
    measure_all(c);
}
