// What events at the time of a state would change there; see first_events.h.
#include "analysis/first_events.h"
#include "analysis/events.h"

#include <math.h>
#include <string.h>

#define SAME 1e-12 // of a number or 1: less is rounding of the pose

enum { NAMES = 300 };

// The parameter or state that is set, by name.
static const char *name_of(const hol_model_data *m, const hol_set *set)
{
    if (set->is_state) return m->state[set->index].name;
    for (int i = 0; i < m->n_held; i++)
        if (m->held[i].slot == set->index) return m->held[i].name;
    return NULL;
}

// The element that is switched, by name.
static const char *switched_by(const hol_model_data *m, const hol_switch *change)
{
    for (int i = 0; i < m->n_elements; i++)
        if (m->element[i].gate == 1 + change->slot && m->element[i].name) return m->element[i].name;
    return NULL;
}

static void add(char text[NAMES], const char *verb, const char *name)
{
    const size_t n = strlen(text);
    if (name) hol_decimal_print(text + n, NAMES - n, "%s%s \"%s\"", n ? ", " : "", verb, name);
}

// What the event would do, in words; "": nothing that it is not already.
static void say(const hol_equations *s, const hol_state *x, const hol_event *v, char text[NAMES])
{
    *text = 0;
    for (int i = 0; i < v->n_sets; i++) {
        const hol_set *set = &v->set[i];
        const double now = (set->is_state ? x->X : x->mem)[set->index];
        const double then = hol_equations_expression(s, x, &set->value);
        if (!(fabs(then - now) <= SAME * (1 + fabs(now)))) add(text, "sets", name_of(s->m, set));
    }
    for (int i = 0; i < v->n_switches; i++)
        if ((x->mem[v->change[i].slot] != 0) != v->change[i].on)
            add(text, v->change[i].on ? "switches on" : "switches off", switched_by(s->m, &v->change[i]));
}

void hol_first_events_tell(const hol_equations *s, const hol_state *x, hol_severity level, const char *what)
{
    for (int i = 0; i < s->m->n_events; i++) {
        const hol_event *v = &s->m->event[i];
        char text[NAMES];
        if (!hol_event_is_due(v, x)) continue;
        say(s, x, v, text);
        if (*text)
            hol_note_at(s->ctx, level, v->at,
                        "event %s at t = %.6g s %s: %s. For what is behind it, give the file the value, or "
                        "`active: yes` or `no`",
                        v->name, x->t, text, what);
    }
}
