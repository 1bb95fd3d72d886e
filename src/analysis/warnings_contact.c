// What `check` warns of in contacts: those that overlap as drawn, give way far under the weight, or are shorter than a run can be long, or act
// twice.
#include "analysis/warnings_data.h"
#include "element/contact.h"
#include "model/contacts.h"
#include "model/swarm.h"
#include "system/kernel.h"

#include <math.h>

enum { GIVEN = 200 };

#define PUSHES 2.0       // weights of all bodies: what lies in its equilibrium pushes with no more than one
#define HELD 0.5         // of what a force does alone: what does less is held by others
#define NOTICED 0.01     // of the energy of the bodies: what is thrown apart with less is not noticed
#define DEEP 0.01        // of the radius
#define WANTED 1e-3      // of the radius
#define SHORT 1e-6       // of the run
#define STEPS 20.0       // of an explicit method in an impact
#define IMPACT_SPEED 1.0 // [m/s]

// A contact at the start, as if it acted there. false: it does not act.
static bool look_first(const hol_model_data *m, const hol_element *e, const hol_state *x,
                       hol_contact_state *out)
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], u[HOL_MAX_ROWS] = {0};
    const double mem[HOL_CONTACT_MEMORY] = {0};
    if (e->type != &hol_force_contact || e->idle) return false;
    hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
    hol_contact_look(e, y, w, mem, u, out);
    return true;
}

// Of all bodies at the start: the weight [N], and about what they move with, their turns by the largest moment of inertia [J].
static void find_bodies(const hol_model_data *m, const hol_state *x, double *weight, double *kinetic)
{
    const double *g = m->spec->gravity;
    double mass = 0;
    *kinetic = 0;
    for (int i = 0; i < m->n_bodies; i++) {
        const hol_body *at = &m->body[i];
        const double *v = x->v + at->q, turn = at->frame == HOL_FRAME_SPATIAL ? 2 : 1;
        hol_inertia b = {0};
        if (m->element[i].type->inertia) m->element[i].type->inertia(m->element[i].data, &b);
        mass += b.m;
        for (int k = 0; k < at->size; k++) {
            const double J = fmax(fmax(b.J[0], b.J[4]), b.J[8]) * turn * turn;
            *kinetic += (k < m->dimension ? b.m : J) * v[k] * v[k] / 2;
        }
    }
    *weight = mass * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

bool hol_throws(hol_facts *f, const hol_element *e, double force, double energy, double size, hol_push *push)
{
    double weight, kinetic;
    find_bodies(f->m, f->pushed, &weight, &kinetic);
    if (!(force * size > PUSHES * weight * f->m->length_scale &&
          energy > NOTICED * (weight * f->m->length_scale + kinetic)))
        return false;
    hol_status st = f->accelerated ? HOL_OK : hol_kernel_need(f->k);
    if (!st && !f->accelerated) st = hol_solve_accelerations(f->k, f->pushed);
    f->accelerated = !st;
    if (!st) st = hol_push_find(f->k, f->pushed, e, push);
    return !st && push->all > HELD * push->alone;
}

// What the bodies get of what the shapes store: with a restitution they are damped as those that come as slowly as it holds for.
static void say_given(const hol_element *e, const hol_contact_state *at, const hol_push *push,
                      char text[GIVEN])
{
    const double v = hol_contact_fastest_apart(e, hol_contact_slowest(e)),
                 most = isfinite(v) ? v * v * at->F * at->F / push->alone / 2 : HOL_INF;
    if (most < at->stored)
        hol_decimal_print(
            text, GIVEN,
            "which gives them up to %.3g J of the %.3g J that are stored: the damping takes the "
            "rest, since `restitution` is that of shapes that come in",
            most, at->stored);
    else
        hol_decimal_print(text, GIVEN, "which gives them up to %.3g J", at->stored);
}

// Two shapes that begin in each other: so deep that a run is refused, or so that they push more than what lies in its equilibrium, and
// throw the bodies apart.
static void warn_overlap(hol_facts *f, const hol_element *e, const hol_contact_state *at,
                         const hol_push *push)
{
    const hol_model_data *m = f->m;
    char body[2][80], way[100], given[GIVEN];
    const double d = -at->gap;
    hol_model_end(m, e, 1, body[1], sizeof body[1]);
    hol_model_end(m, e, 0, body[0], sizeof body[0]);
    hol_contact_vector(at->normal, m->dimension, way);
    if (d > at->deepest) {
        hol_warn(f,
                 "contacts.%s: \"%s\" and \"%s\" begin %.3g m deep in each other, more than `deepest`, "
                 "%.3g m\n: "
                 "a run is refused; move \"%s\" by %.3g m along %s",
                 e->name, body[1], body[0], d, at->deepest, body[1], d, way);
        return;
    }
    say_given(e, at, push, given);
    hol_warn(f,
             "contacts.%s: \"%s\" and \"%s\" begin %.3g m deep in each other, with a force of "
             "%.3g N, %s\n; move \"%s\" by %.3g m along %s, or let the run begin "
             "in an equilibrium: `start: equilibrium`",
             e->name, body[1], body[0], d, at->F, given, body[1], d, way);
}

void hol_look_overlaps(hol_facts *f)
{
    const hol_model_data *m = f->m;
    for (int i = m->n_bodies; i < m->n_elements && f->pushed && !f->set->at_rest; i++) {
        hol_contact_state at;
        hol_push push = {0, 0};
        const hol_element *e = &m->element[i];
        if (!look_first(m, e, f->pushed, &at) || !(-at.gap > HOL_DEEP * m->length_scale)) continue;
        const bool refused = -at.gap > at.deepest;
        if (refused ? !f->brief : hol_throws(f, e, at.F, at.stored, m->length_scale, &push))
            warn_overlap(f, e, &at, &push);
    }
}

// Every contact that acts at the start; of a swarm its first one.
static void look_at_each(hol_facts *f, void (*look)(hol_facts *f, const hol_element *e))
{
    const hol_model_data *m = f->m;
    for (int i = m->n_bodies; i < m->n_elements; i++)
        if (m->element[i].type == &hol_force_contact && !m->element[i].idle) look(f, &m->element[i]);
    for (int i = 0; i < m->n_swarms; i++) {
        hol_swarm_pair first;
        if (hol_swarm_first(&m->swarm[i], &first)) look(f, &first.is);
    }
}

// Under the weight.
static void look_at_depth(hol_facts *f, const hol_element *e)
{
    double mass, weight;
    hol_contact_loads(f->m, e, f->m->spec->gravity, &mass, &weight);
    const double radius = hol_contact_radius(e), depth = hol_contact_static_depth(e, weight);
    if (!(radius > 0 && depth > DEEP * radius)) return;
    hol_warn(f,
             "contacts.%s: under the weight of the lighter body it is %.2g m deep, %.2g %% of the radius of "
             "%.3g m\n; %.2g times the stiffness keeps it at %g %%",
             e->name, depth, 100 * depth / radius, radius,
             pow(depth / (WANTED * radius), hol_contact_exponent(e)), 100 * WANTED);
}

void hol_look_depths(hol_facts *f) { look_at_each(f, look_at_depth); }

// A free one at a speed, that explicit methods must follow wherever it touches.
static void look_at_impact(hol_facts *f, const hol_element *e)
{
    hol_contact_impact impact;
    double mass, weight;
    hol_contact_loads(f->m, e, f->m->spec->gravity, &mass, &weight);
    if (!(mass > 0)) return;
    hol_contact_foretell(e, mass, IMPACT_SPEED, &impact);
    if (!(impact.lasts < SHORT * f->set->end)) return;
    hol_warn(f,
             "contacts.%s: an impact at %g m/s lasts %.2g s, and the run %.4g s: explicit methods (rk, "
             "adams, ..) need %.2g steps where it rests\n; is it as stiff as that? What rests or rolls for "
             "long is followed by hht or bdf in longer steps",
             e->name, IMPACT_SPEED, impact.lasts, f->set->end, STEPS * f->set->end / impact.lasts);
}

void hol_look_impacts(hol_facts *f)
{
    if (!f->brief) look_at_each(f, look_at_impact);
}

static bool is_same(hol_src a, hol_src b)
{
    return a.file == b.file && a.line == b.line && a.col == b.col && a.by == b.by;
}

// Two shapes that two rules hold.
void hol_look_twice(hol_facts *f)
{
    const hol_model_data *m = f->m;
    for (int i = 0; i < m->n_contact_sums; i++) {
        const struct hol_contact_sum *s = &m->contact_sum[i];
        const hol_element *first = s->of_rule ? NULL : &m->element[s->element[0]];
        for (int k = 1; k < s->n && first; k++) {
            const hol_element *e = &m->element[s->element[k]];
            if (is_same(e->at, first->at)) continue;
            hol_warn(f,
                     "contacts.%s: contacts.%s holds %s too, and the forces of both add up\n; is that meant? "
                     "Name shapes in one of the rules, or take its bodies out by `except`",
                     e->name, first->name, s->name);
            first = NULL;
        }
    }
}
