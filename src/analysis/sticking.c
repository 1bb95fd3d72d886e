// Friction that sticks holds wherever it has come to: of all these poses the search finds one, to which forces alone have drawn the model,
// and motion may bring it to another. Near its limit it gives way on one side alone.
#include "analysis/sticking.h"
#include "analysis/contacts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BRISTLES 10.0 // times its stretch: as far an elastic bristle lets it go
#define NOTICED 1e-6  // natural sizes
#define SLIPS 0.99    // of the limit: there the motion goes on

// The element that state k, `c.1.bristle`, is of; NULL: it is none of a bristle.
static const hol_element *element_of(const hol_model_data *m, int k)
{
    const char *name = m->state[k].name, *word = strrchr(name, '.');
    if (!word || strncmp(word + 1, "bristle", strlen("bristle")) != 0) return NULL;
    const size_t length = (size_t)(word - name);
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (e->name && strncmp(e->name, name, length) == 0 && !e->name[length]) return e;
    }
    return NULL;
}

static void move(const hol_model_data *m, int body, double sign, const double *q, double *way)
{
    if (body < 0) return;
    const int first = m->body[body].q;
    for (int i = 0; i < m->dimension; i++) way[i] += sign * (q[first + i] - m->q0[first + i]);
}

// How far the centre of the second body has gone against that of the first, of contacts along them [m].
static double way_of(const hol_model_data *m, const hol_element *e, const hol_state *x)
{
    double way[3] = {0}, along = 0;
    move(m, e->end[0].body, -1, x->q, way);
    move(m, e->end[1].body, 1, x->q, way);
    if (e->type == &hol_force_contact) {
        hol_contact_state at;
        hol_contact_at(m, e, x, &at);
        if (!(at.F > 0)) return 0; // in flight it holds nothing
        for (int i = 0; i < 3; i++) along += way[i] * at.normal[i];
        for (int i = 0; i < 3; i++) way[i] -= along * at.normal[i];
    }
    return hypot(way[0], hypot(way[1], way[2]));
}

double hol_sticking_limit(const hol_model_data *m, int k, const hol_state *x)
{
    const char *name = m->state[k].name;
    const size_t length = (size_t)(strrchr(name, '.') + 1 - name);
    for (int i = 0; i < m->n_equations; i++) {
        const char *other = m->equation[i].name;
        if (other && strncmp(other, name, length) == 0 && strcmp(other + length, "limit") == 0)
            return x->z[i];
    }
    return 0;
}

// What the bristle that begins with state k pulls with, of which in space there are two components.
static double pull_of(const hol_model_data *m, const hol_element *e, int k, const hol_state *x)
{
    const size_t length = strlen(m->state[k].name);
    const bool two = m->state[k].name[length - 1] == 'x' && k + 1 < m->n_states && element_of(m, k + 1) == e;
    return m->state[k].stiffness * hypot(x->X[k], two ? x->X[k + 1] : 0);
}

int hol_sticking_fullest(const hol_model_data *m, const hol_state *x, double *part)
{
    int at = -1;
    *part = 0;
    for (int k = 0; k < m->n_states; k++) {
        const hol_element *e = element_of(m, k);
        const double f = e && hol_element_acts(e, x->mem) ? hol_sticking_limit(m, k, x) : 0;
        const double now = f > 0 ? pull_of(m, e, k, x) / f : 0;
        if (!(now > m->state[k].holds + NOTICED && now > *part)) continue;
        *part = now;
        at = k;
    }
    return at;
}

// Of what state k, a bristle, pulls with.
static const char *unit_of(const hol_model_data *m, int k)
{
    return strcmp(m->state[k].unit, "m") == 0 ? "N" : "N m";
}

const char *hol_sticking_said(const hol_model_data *m, const hol_state *x, char text[HOL_STICKING_TEXT])
{
    double part;
    const int at = hol_sticking_fullest(m, x, &part);
    *text = 0;
    if (at >= 0 && part >= SLIPS)
        hol_decimal_print(text, HOL_STICKING_TEXT,
                          "Friction at \"%s\" has come to its limit, %.4g %s, and may not hold it. ",
                          element_of(m, at)->name, hol_sticking_limit(m, at, x), unit_of(m, at));
    return text;
}

void hol_sticking_tell_edge(hol_context *ctx, const hol_model_data *m, const hol_state *x)
{
    double part;
    const int at = hol_sticking_fullest(m, x, &part);
    const hol_element *worst = at < 0 ? NULL : element_of(m, at);
    const double limit = at < 0 ? 0 : hol_sticking_limit(m, at, x), pull = limit * fmin(part, 1);
    if (!worst) return;
    hol_note(
        ctx, HOL_WARNING, // at its place hol_sticking_tell may have said another thing
        "friction is at an edge at \"%s\", where \"%s\" pulls with %.4g of %.4g %s: it gives way to what "
        "goes on and sticks to what goes back, and above %.2g of the limit linear motion, with its modes, "
        "responses and stability, is that of one side alone. Look at a run, or at a state in which "
        "friction holds less",
        worst->name, m->state[at].name, pull, limit, unit_of(m, at), m->state[at].holds);
}

void hol_sticking_tell(hol_context *ctx, const hol_model_data *m, const hol_state *x)
{
    const hol_element *worst = NULL;
    double most = NOTICED * m->length_scale;
    for (int k = 0; k < m->n_states; k++) {
        const hol_element *e = element_of(m, k);
        const double way = e && x->X[k] != 0 ? way_of(m, e, x) : 0;
        if (!(way > most) || way < BRISTLES * fabs(x->X[k])) continue;
        most = way;
        worst = e;
    }
    if (!worst) return;
    const int body = worst->end[1].body >= 0 ? worst->end[1].body : worst->end[0].body;
    hol_note_at(
        ctx, HOL_WARNING, worst->at,
        "friction holds at \"%s\", as it would at other poses: forces alone have brought \"%s\" %.3g m "
        "from where it is drawn, and a motion may end elsewhere. Let a run with damping come to rest, "
        "and look from there",
        worst->name, body >= 0 ? m->body[body].name : "", most);
}
