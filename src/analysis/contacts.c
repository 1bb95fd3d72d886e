// What contacts do in the steps of a run. Work is summed by Boole's rule over the step, as the account does it; steps end at
// onsets and ends.
#include "analysis/contacts.h"
#include "model/contacts.h"

#include <math.h>

#define TOUCH 1e-12 // of the natural length
#define LIGHT 0.03  // of the largest force of contacts: a tenth of its depth
#define SLOW 1e-5   // of the speed by natural size and time: an impact that is no slower counts
#define EDGE 1e-9   // of the elastic force: between pushing and pulling

enum { PARTS = 8, TURNS = 4, LEAST_STEPS = 4 };
// Boole's rule over both halves.
static const double boole[PARTS + 1] = {7.0 / 180,  32.0 / 180, 12.0 / 180, 32.0 / 180, 14.0 / 180,
                                        32.0 / 180, 12.0 / 180, 32.0 / 180, 7.0 / 180};

void hol_contact_at(const hol_model_data *m, const hol_element *e, const hol_state *x, hol_contact_state *out)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS];
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    hol_equations_inputs(e, x, u);
    hol_contact_look(e, y, w, hol_element_acts(e, x->mem) ? x->mem + e->mem : NULL, u, out);
}

static void look_at(const hol_contacts *c, int i, const hol_state *x, hol_contact_state *out)
{
    const hol_model_data *m = c->it->s->m;
    hol_contact_at(m, &m->element[c->element[i]], x, out);
}

// The stiffness that would do follows from the energy of the two bodies against each other, all of which a depth is to hold that grows
// with its power 1/(n + 1).
static hol_status check_depth(const hol_contacts *c, int i, double t, const hol_contact_state *at)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    const double d = -at->gap;
    char body[2][80];
    if (!(d > at->deepest)) return HOL_OK;
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    const double n = at->exponent, energy = at->stored + 0.5 * mass * at->rate * at->rate,
                 K = (n + 1) * energy / pow(at->deepest / 10, n + 1);
    return hol_fail_at(
        c->it->ctx, HOL_ERR_INTEGRATION, e->at,
        "stopped at t = %.9g s: contacts.%s: \"%s\" and \"%s\" are %.3g m deep in each other, more than "
        "`deepest`, %.3g m; a stiffness of %.2g N/m^%.3g would keep them at a tenth of that, or let them "
        "begin farther apart",
        t, e->name, hol_model_end(m, e, 1, body[1], sizeof body[1]),
        hol_model_end(m, e, 0, body[0], sizeof body[0]), d, at->deepest, K, n);
}

// How deep it is to be expected: now, where the weight rests on it, and where an elastic impact turns back.
static double expected(const hol_contacts *c, int i, const hol_contact_state *at)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    return fmax(-at->gap, fmax(hol_contact_static_depth(e, weight),
                               hol_contact_elastic_depth(e, mass, fmax(-at->rate, 0))));
}

// The first step of a contact: d^n is not smooth at its beginning, and a step with one look at it may miss what it does.     (23.10)
static void grade(hol_contacts *c, int i)
{
    hol_integrator *it = c->it;
    const hol_element *e = &it->s->m->element[c->element[i]];
    double mass, weight;
    hol_contact_loads(it->s->m, e, it->s->m->spec->gravity, &mass, &weight);
    const double depth = c->touch[i].deepest, speed = hol_contact_elastic_speed(e, mass, depth);
    if (it->tolerance > 0 && depth > 0 && speed > 0 && speed < HOL_INF)
        it->h = fmin(it->h, 3 * depth / speed * pow(it->tolerance, 1 / (hol_contact_exponent(e) + 1)));
}

// came: it has not overlapped or been switched off before.
static void begin(hol_contacts *c, int i, const hol_contact_state *at, double t, bool came)
{
    c->touch[i] = (hol_touch){
        .lasts = 1, .onset = t, .speed = came ? fmax(-at->rate, 0) : 0, .deepest = expected(c, i, at)};
    c->onsets += came;
    c->depth = fmax(c->depth, -at->gap);
    if (came) grade(c, i);
}

// The depth in a part of the step from t0 on, at its ends or where it turns back, by secants of the rate.
static double deepest(hol_contacts *c, int i, double t0, double h, const hol_contact_state *a,
                      const hol_contact_state *b)
{
    double most = fmax(-a->gap, -b->gap), from = 0, to = h, before = a->rate, after = b->rate;
    for (int k = 0; k < TURNS && before < 0 && after > 0; k++) {
        const double t = from + (to - from) * before / (before - after);
        hol_contact_state at;
        hol_integrator_interpolate(c->it, t0 + t, &c->inside);
        look_at(c, i, &c->inside, &at);
        most = fmax(most, -at.gap);
        *(at.rate < 0 ? &from : &to) = t;
        *(at.rate < 0 ? &before : &after) = at.rate;
    }
    return most;
}

// What the last step has added to a contact that lasts.
static void add(hol_contacts *c, int i, const hol_contact_state *at, double h)
{
    hol_touch *o = &c->touch[i];
    double damping = 0, rubbing = 0;
    for (int k = 0; k <= PARTS; k++) {
        damping += h * boole[k] * at[k].lost_damping;
        rubbing += h * boole[k] * at[k].lost_rubbing;
        if (!k) continue;
        const double d = deepest(c, i, c->it->before.t + h * (k - 1) / PARTS, h / PARTS, &at[k - 1], &at[k]);
        c->depth = fmax(c->depth, d);
        o->deepest = fmax(o->deepest, d);
    }
    o->steps++;
    c->lost_damping += damping;
    c->lost_rubbing += rubbing;
}

// A fixed step tests no error: what a contact of a step or two gives back is anything, and explicit methods are unstable in it. What
// touches from the start on has not come at a speed.
static hol_status check_steps(const hol_contacts *c, int i)
{
    const hol_integrator *it = c->it;
    const hol_touch *o = &c->touch[i];
    const hol_element *e = &it->s->m->element[c->element[i]];
    const bool can_control = it->method->divisor != 0;
    if (it->tolerance > 0 || o->steps >= LEAST_STEPS || o->speed == 0) return HOL_OK;
    return hol_fail_at(it->ctx, HOL_ERR_INTEGRATION, e->at,
                       "stopped at t = %.9g s: contacts.%s: what came at %.3g m/s has left after %g fixed "
                       "step%s of %s, too few for "
                       "what a contact gives back; give %sa step of %.1g s to begin with",
                       it->x.t, e->name, o->speed, o->steps, o->steps == 1 ? "" : "s", it->method->name,
                       can_control ? "a `tolerance` in place of the step, or " : "",
                       (it->x.t - o->onset) / 20);
}

// An onset is where the step ends, on either side of it by rounding.
static bool is_met(const hol_contacts *c, const hol_contact_state *at)
{
    return at->gap < 0 || (at->rate < 0 && at->gap < TOUCH * c->it->s->m->length_scale);
}

// The last step, for one contact.
static hol_status look(hol_contacts *c, int i)
{
    const hol_integrator *it = c->it;
    const double h = it->x.t - it->before.t;
    hol_contact_state at[PARTS + 1];
    hol_touch *o = &c->touch[i];
    if (!hol_element_acts(&it->s->m->element[c->element[i]], it->x.mem)) {
        o->lasts = -1;
        return HOL_OK;
    }
    if (o->lasts != 0) look_at(c, i, &it->before, &at[0]);
    if (o->lasts < 0) {
        o->lasts = 0;
        if (at[0].gap < 0) begin(c, i, &at[0], it->before.t, false);
    }
    const bool lasts = o->lasts > 0;
    look_at(c, i, &it->x, &at[PARTS]);
    if (!lasts && is_met(c, &at[PARTS])) begin(c, i, &at[PARTS], it->x.t, true);
    if (!lasts) return HOL_OK;
    for (int k = 1; k < PARTS; k++) {
        hol_integrator_interpolate(c->it, it->before.t + h * k / PARTS, &c->inside);
        look_at(c, i, &c->inside, &at[k]);
    }
    add(c, i, at, h);
    if (fabs(at[PARTS].whole) < EDGE * at[PARTS].elastic) grade(c, i);
    const bool ends = at[PARTS].gap >= 0 && at[PARTS].rate >= 0;
    if (ends) o->lasts = 0;
    hol_status st = ends ? check_steps(c, i) : HOL_OK;
    for (int k = 1; k <= PARTS && !st; k++) st = check_depth(c, i, it->before.t + h * k / PARTS, &at[k]);
    return st;
}

// Its island in the norm of errors.
static hol_island *island_of(const hol_contacts *c, int i)
{
    hol_groups *g = c->it->norm.groups;
    return &g->island[g->island_of[c->it->s->m->element[c->element[i]].body[0]]];
}

// The natural depth: its own, but for what is light beside the other contacts of the island, or beside what moves it. So touching balls, which
// wait for a blow, do not keep steps short.
static double natural(const hol_contacts *c, int i, double mass)
{
    const hol_element *e = &c->it->s->m->element[c->element[i]];
    const hol_island *o = island_of(c, i);
    return fmax(c->touch[i].deepest,
                fmax(hol_contact_static_depth(e, LIGHT * o->push),
                     hol_contact_elastic_depth(e, mass, SLOW * o->length * c->it->norm.groups->slowest)));
}

// The depth of contact i for the norm of errors.                                            (5.12f)
static void measure(hol_contacts *c, int i)
{
    const hol_model_data *m = c->it->s->m;
    const hol_element *e = &m->element[c->element[i]];
    hol_groups *g = c->it->norm.groups;
    hol_real y[HOL_MAX_Y];
    double by[HOL_MAX_Y], mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    const double size = natural(c, i, mass), speed = hol_contact_elastic_speed(e, mass, size);
    if (!(size > 0 && speed < HOL_INF)) return;
    hol_depth *d = hol_depths_add(g, g->island_of[e->body[0]], size, speed);
    hol_element_gather(m, e, c->it->x.t, c->it->x.q, NULL, 0, y, NULL);
    hol_contact_gap_by(e, y, by);
    for (int k = 0, n = 0; k < e->n_bodies; k++)
        for (int j = 0; j < m->body[e->body[k]].size; j++, n++)
            d->position[d->n++] = d->rate[d->n_rates++] = (hol_share){m->body[e->body[k]].q + j, by[n], 0};
}

// The norm of errors knows the contacts that last.
static void measure_all(hol_contacts *c)
{
    hol_groups *g = c->it->norm.groups;
    if (!g || !c->n) return;
    hol_depths_clear(g);
    for (int k = 0; k < g->n_islands; k++) g->island[k].push = 0;
    for (int i = 0; i < c->n; i++) {
        const hol_element *e = &c->it->s->m->element[c->element[i]];
        hol_island *o = island_of(c, i);
        if (c->touch[i].lasts > 0) o->push = fmax(o->push, hol_contact_elastic_force(e, c->touch[i].deepest));
    }
    for (int i = 0; i < c->n; i++)
        if (c->touch[i].lasts > 0) measure(c, i);
}

hol_status hol_contacts_look(hol_contacts *c)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < c->n && !st; i++) st = look(c, i);
    measure_all(c);
    return st;
}

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

// Contact i at the present state, which it has not come to by steps.
static void place(hol_contacts *c, int i, bool known)
{
    const hol_element *e = &c->it->s->m->element[c->element[i]];
    hol_state *x = &c->it->x;
    hol_contact_state at;
    look_at(c, i, x, &at);
    c->touch[i] = (hol_touch){.lasts = hol_element_acts(e, x->mem) ? 0 : -1};
    if (c->touch[i].lasts == 0 && at.gap < 0) begin(c, i, &at, x->t, false);
    x->mem[e->mem + HOL_CONTACT_LASTS] = at.gap <= TOUCH * c->it->s->m->length_scale ? 1 : -1;
    if (!known && at.gap < 0) x->mem[e->mem + HOL_CONTACT_SPEED] = approach_of(c, i, &at);
}

void hol_contacts_place(hol_contacts *c, bool known)
{
    for (int i = 0; i < c->n; i++) place(c, i, known);
    measure_all(c);
}

// Room for the contacts of the model; those that went on before it was made anew keep what is known of them.
static hol_status make_room(hol_context *ctx, hol_contacts *c)
{
    c->element = hol_calloc(ctx, (size_t)c->n, sizeof *c->element);
    if (c->touch && c->n_touch == c->n) return c->element ? HOL_OK : HOL_ERR_MEMORY;
    hol_contacts_forget(c);
    c->touch = hol_calloc(ctx, (size_t)c->n, sizeof *c->touch);
    c->n_touch = c->n;
    return c->element && c->touch ? HOL_OK : HOL_ERR_MEMORY;
}

hol_status hol_contacts_create(hol_integrator *it, hol_contacts *c)
{
    const hol_model_data *m = it->s->m;
    c->it = it;
    c->n = 0;
    for (int i = 0; i < m->n_elements; i++) c->n += m->element[i].type == &hol_force_contact;
    if (!c->n) return HOL_OK;
    hol_status st = make_room(it->ctx, c);
    if (!st && it->norm.groups) st = hol_depths_reserve(it->ctx, it->norm.groups, c->n, HOL_MAX_Y);
    if (st || hol_state_create(it->s, &c->inside)) return HOL_ERR_MEMORY;
    for (int i = 0, k = 0; i < m->n_elements; i++)
        if (m->element[i].type == &hol_force_contact) c->element[k++] = i;
    for (int i = 0; i < c->n && !st; i++) {
        const hol_touch before = c->touch[i];
        hol_contact_state at;
        place(c, i, true);
        if (before.lasts > 0 && c->touch[i].lasts > 0) c->touch[i] = before;
        look_at(c, i, &it->x, &at);
        if (c->touch[i].lasts > 0) st = check_depth(c, i, it->x.t, &at);
    }
    measure_all(c);
    return st;
}

void hol_contacts_destroy(hol_contacts *c)
{
    if (!c->n) return;
    hol_state_destroy(&c->inside);
    hol_free(c->element);
    c->element = NULL;
    c->n = 0;
}

void hol_contacts_forget(hol_contacts *c)
{
    hol_free(c->touch);
    c->touch = NULL;
    c->n_touch = 0;
}

void hol_contacts_archive(hol_contacts *c, hol_archive *a)
{
    if (!c->n) return;
    HOL_ARCHIVE(a, c->onsets);
    HOL_ARCHIVE(a, c->depth);
    HOL_ARCHIVE(a, c->lost_damping);
    HOL_ARCHIVE(a, c->lost_rubbing);
    for (int i = 0; i < c->n; i++) HOL_ARCHIVE(a, c->touch[i]);
    measure_all(c);
}
