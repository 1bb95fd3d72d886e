// What events switch on and off: joints with their laws, contacts of a rule, forces, drivers, constraints. Each gets a place in the
// memory that says whether it acts.
#include "model/compile.h"
#include "model/contacts.h"

// An element that an event switches gets a place in the memory that says whether it acts.
static void add_switch(hol_compiler *c, hol_element *f, bool on, hol_event *e)
{
    const bool rows = f->all_rows + f->all_rates > 0;
    c->m->n_switched += rows && !f->gate;
    if (!f->gate) f->gate = 1 + c->m->n_mem++;
    e->change[e->n_switches++] = (hol_switch){f->gate - 1, on, rows};
}

// The contacts that a rule makes have its name together; NULL: no such rule.
static const struct hol_contact_sum *find_sum(const hol_compiler *c, const hol_spec_switch *w)
{
    const int k = c->contact_sums ? hol_names_find_at(c->contact_sums, w->at, w->name) : -1;
    return k < 0 ? NULL : &c->m->contact_sum[k];
}

// What the name means: a joint with its laws, all contacts of a rule, or an element alone.
static hol_status take_switch(hol_compiler *c, const hol_spec_event *s, const hol_spec_switch *w,
                              hol_event *e)
{
    hol_model_data *m = c->m;
    const int k = hol_names_find_at(c->others, w->at, w->name);
    if (k < m->n_bodies) {
        const struct hol_contact_sum *several = find_sum(c, w);
        for (int i = 0; several && i < several->n; i++)
            add_switch(c, &m->element[several->element[i]], w->on, e);
        if (several) return HOL_OK;
        hol_choice o;
        hol_choice_start(&o, w->name);
        for (int j = m->n_bodies; j < m->n_elements; j++)
            hol_choice_offer(&o, hol_seen_name(w->at, m->element[j].name));
        for (int j = 0; j < m->n_contact_sums; j++)
            if (m->contact_sum[j].of_rule) hol_choice_offer(&o, hol_seen_name(w->at, m->contact_sum[j].name));
        return hol_choice_fail(c, w->at, s->path, "there is no joint, driver, constraint or force", w->name,
                               &o);
    }
    hol_element *f = &m->element[k];
    if (f->type == &hol_joint_stop)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, w->at, "%s: \"%s\" comes and goes by itself; switch \"%s\"",
                           s->path, f->name, f[-1].name);
    if (f->type->mass)
        return hol_fail_at(m->ctx, HOL_ERR_MODEL, w->at,
                           "%s: \"%s\" is a %s: what has inertia is not switched", s->path, f->name,
                           f->type->name);
    for (int i = 0; i <= f->n_laws; i++) {
        if (f[i].type->mass)
            return hol_fail_at(m->ctx, HOL_ERR_MODEL, w->at, HOL_INERTIA_STAYS, s->path, f->name);
        if (!w->on || f[i].type != &hol_joint_stop) add_switch(c, &f[i], w->on, e);
    }
    return HOL_OK;
}

hol_status hol_compile_switches(hol_compiler *c, const hol_spec_event *s, hol_event *e)
{
    int most = s->n_switches;
    for (int i = 0; i < s->n_switches; i++) {
        const int k = hol_names_find_at(c->others, s->change[i].at, s->change[i].name);
        const struct hol_contact_sum *several = find_sum(c, &s->change[i]);
        if (k >= 0) most += c->m->element[k].n_laws;
        if (several) most += several->n;
    }
    e->change = hol_arena_alloc(c->spec->arena, (size_t)most + 1, sizeof *e->change);
    hol_status st = e->change ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < s->n_switches && !st; i++) st = take_switch(c, s, &s->change[i], e);
    return st;
}
