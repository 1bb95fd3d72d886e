// Shapes that are drawn in touch push with nothing, so the motion linearised at the start does not know how stiff they will be.
#include "analysis/pressed.h"
#include "analysis/contacts.h"
#include "model/contacts.h"

#include <math.h>
#include <string.h>

#define TOUCHES 1e-9     // of the natural length
#define IMPACT_SPEED 1.0 // [m/s]
#define BOUNCES 0.95     // restitution

// The fastest rate of its bristles: one that slides gives way over its natural stretch, one that sticks swings by it under the weight. friction: the
// force that it may have to hold [N].
static double bristle_rate(const hol_model_data *m, const hol_element *e, double mass, double slip,
                           double friction)
{
    double rate = 0;
    for (int i = 0; i < m->n_states; i++) {
        const hol_user_state *s = &m->state[i];
        if (s->contact != (int)(e - m->element) || !s->forgets || strcmp(s->unit, "m") != 0) continue;
        rate = fmax(rate, fmax(sqrt(s->stiffness / mass), s->stiffness * slip / friction));
    }
    return rate;
}

// Does it swing on for long? A free impact tells. What does opens in every period, which no method can step over.
static bool bounces(const hol_element *e, double mass)
{
    hol_contact_impact impact;
    hol_contact_foretell(e, mass, IMPACT_SPEED, &impact);
    return impact.restitution > BOUNCES;
}

// A contact that touches and does not part: pressed by what would stop its shapes from coming together, and rubbed by no less than what
// stops their slip until the end.                                                                (16.6)
static void look(const hol_model_data *m, const hol_element *e, const hol_state *x, double end,
                 hol_pressed *out)
{
    hol_contact_state at;
    double mass, weight;
    hol_contact_at(m, e, x, &at);
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    const double near = TOUCHES * m->length_scale + hol_contact_static_depth(e, weight);
    if (!(mass > 0) || !(at.gap <= near) || !(fabs(at.rate) * end <= near)) return;
    const double mu = hol_contact_sliding(e), press = fmax(at.elastic, -mass * hol_contact_parting(m, e, x)),
                 friction = fmax(mu * press, mass * at.slip / end);
    const bool known = !(at.elastic < press / 2); // to the motion linearised at the start
    const double depth = known || !(press > 0) ? 0 : hol_contact_static_depth(e, press),
                 normal = depth > 0 ? hol_contact_elastic_speed(e, mass, depth) / depth : 0,
                 creep = known || !(mu > 0) ? 0 : hol_contact_creep_rate(e, mass, friction / mu),
                 along = friction > 0 ? fmax(creep, bristle_rate(m, e, mass, at.slip, friction)) : 0;
    if (along > out->rate) *out = (hol_pressed){along, e};
    if (normal > out->rate && !bounces(e, mass)) *out = (hol_pressed){normal, e};
}

void hol_pressed_find(const hol_model_data *m, const hol_state *x, double end, hol_pressed *out)
{
    *out = (hol_pressed){0};
    for (int i = m->n_bodies; i < m->n_elements; i++)
        if (m->element[i].type == &hol_force_contact && !m->element[i].idle)
            look(m, &m->element[i], x, end, out);
}

void hol_pressed_lift(const hol_model_data *m, hol_state *x)
{
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        hol_contact_state at;
        if (e->type != &hol_force_contact || e->idle) continue;
        hol_contact_at(m, e, x, &at);
        if (fabs(at.gap) <= hol_contact_touch(m)) x->mem[e->mem + HOL_CONTACT_LASTS] = -1;
    }
}
