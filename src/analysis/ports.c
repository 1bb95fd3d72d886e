// How signals depend on inputs at one time (docs/theory.md, section 22.6). An input changes the unknowns by one solution of the KKT system,
// as in (22.2). Nearly all signals are linear in accelerations, multipliers, users' unknowns and inputs, so that two states far along that
// direction tell their change to rounding; the table of groups says which are not.
#include "analysis/ports.h"
#include "analysis/signal_groups.h"
#include "model/contacts.h"
#include "system/linear.h"

#include <math.h>
#include <string.h>

// ---- changes --------------------------------------------------------------------------------------------------

typedef struct {
    hol_dynamics *d;
    hol_kernel k;       // of the method's equations, with the factors at x
    hol_state x, aside; // the present state; one with other unknowns
    double *change;     // of all unknowns                                    (n)
    double *value, *up; // of the signals: at x; to one side            (signals)
} ports;

// All that a call needs, in a memory of its own: masters ask now and then.
static hol_status make_room(ports *p)
{
    const hol_equations *s = p->k.s;
    const size_t n = (size_t)p->d->signals.n;
    p->change = hol_calloc(p->d->ctx, (size_t)s->n + 2 * n + 1, sizeof *p->change);
    if (!p->change) return HOL_ERR_MEMORY;
    p->value = p->change + s->n;
    p->up = p->value + n;
    hol_status st = hol_state_create(s, &p->x);
    if (!st) st = hol_state_create(s, &p->aside);
    return st ? st : hol_kernel_need(&p->k);
}

static void destroy(ports *p)
{
    hol_kernel_drop(&p->k);
    hol_state_destroy(&p->x);
    hol_state_destroy(&p->aside);
    hol_free(p->change);
}

// The present state, with the factors that its unknowns are found with.
static hol_status take_state(ports *p)
{
    const hol_signals *g = &p->d->signals;
    hol_state_copy(p->k.s, &p->x, g->x);
    memcpy(p->value, g->value, (size_t)g->n * sizeof *p->value);
    const hol_status st = hol_solve_accelerations(&p->k, &p->x);
    return st ? st : hol_factor_accelerations(&p->k, &p->x);
}

// So long a part of the change that what does not change is lost in it.
static double find_length(const ports *p)
{
    enum { LONGER = 10 }; // a power of 2
    double size = 1, most = 0;
    for (int i = 0; i < p->k.s->n; i++) {
        size = fmax(size, fabs(p->x.a[i])); // where all unknowns begin
        most = fmax(most, fabs(p->change[i]));
    }
    return most > 0 && size / most < 1e200 ? ldexp(1, LONGER + ilogb(size / most)) : 1;
}

// All signals where the input and the unknowns are so far along their change.
static hol_status evaluate(ports *p, const hol_held *h, double length)
{
    hol_signals *g = &p->d->signals;
    hol_state_copy(p->k.s, &p->aside, &p->x);
    for (int i = 0; i < p->k.s->n; i++) p->aside.a[i] += length * p->change[i];
    p->aside.mem[h->slot] += length;
    return hol_signals_evaluate(g, &p->aside, g->work);
}

// From the values to both sides.
static double change_of(hol_bend bend, double value, double up, double down, double length)
{
    switch (bend) {
    case HOL_BEND_NONE: return (up - down) / (2 * length);
    case HOL_BEND_ROOT: return value != 0 ? (up - down) * (up + down) / (4 * length * value) : 0;
    case HOL_BEND_STEPS: return 0;
    default: return (double)NAN;
    }
}

static hol_bend bend_of(const hol_column *c)
{
    return c->group->bend ? c->group->bend(c->component) : HOL_BEND_NONE;
}

// The changes with one input.
static hol_status find_changes(ports *p, int input, double *out)
{
    const hol_signals *g = &p->d->signals;
    const hol_held *h = &g->m->held[hol_model_input(g->m, input)];
    hol_linear_inputs(p->k.s, &p->x, input, 1, p->change);
    hol_status st = hol_kernel_solve(&p->k, 1, p->change);
    if (st) return st;
    const double length = find_length(p);
    st = evaluate(p, h, length);
    memcpy(p->up, g->value, (size_t)g->n * sizeof *p->up);
    if (!st) st = evaluate(p, h, -length);
    for (int i = 0; i < g->n; i++)
        out[i] = change_of(bend_of(&g->column[i]), p->value[i], p->up[i], g->value[i], length);
    return st;
}

hol_status hol_ports_changes(hol_dynamics *d, int n, const int *input, double *out)
{
    hol_signals *g = &d->signals;
    hol_status st = hol_dynamics_values(d);
    if (st) return st;
    const hol_state *there = g->x;
    const hol_evaluations count = d->s->count;
    ports p = {.d = d, .k = hol_kernel_of(d->s)};
    st = make_room(&p);
    if (!st) st = take_state(&p);
    for (int i = 0; i < n && !st; i++) st = find_changes(&p, input[i], out + (size_t)i * (size_t)g->n);
    if (p.value) memcpy(g->value, p.value, (size_t)g->n * sizeof *g->value);
    g->x = there;
    g->is_measured = false;
    d->s->count = count;
    destroy(&p);
    return st;
}

bool hol_ports_lack(const hol_column *signal) { return bend_of(signal) == HOL_BEND_OTHER; }

// ---- dependencies ---------------------------------------------------------------------------------------------

// What an input reaches: users' unknowns, and bodies in groups that constraints hold together, all of whose accelerations and multipliers
// depend on the forces on each.
typedef struct {
    const hol_model_data *m;
    int *group;         // of a body: another one of it, or itself                  (n_bodies)
    char *moved, *user; // the first body of a group; users' unknowns          (n_bodies), (n_equations)
    bool more;          // something was reached in this round
} reach;

static int group_of(const reach *r, int body)
{
    while (r->group[body] != body) body = r->group[body];
    return body;
}

// Elements that are switched off at present count.
static bool holds(const hol_element *e)
{
    return e->all_rows || e->all_rates || (e->type->mass && e->n_bodies > 1);
}

static void join_groups(reach *r)
{
    for (int i = 0; i < r->m->n_bodies; i++) r->group[i] = i;
    for (int k = 0; k < r->m->n_elements; k++) {
        const hol_element *e = &r->m->element[k];
        for (int i = 1; i < e->n_bodies && holds(e); i++)
            r->group[group_of(r, e->body[i])] = group_of(r, e->body[0]);
    }
}

static bool moves(const reach *r, int n, const int *body)
{
    bool any = false;
    for (int i = 0; i < n; i++) any = any || r->moved[group_of(r, body[i])];
    return any;
}

// Does what an element takes depend on it?
static bool driven(const reach *r, const hol_element *e)
{
    bool any = false;
    for (int i = 0; i < e->n_inputs; i++) any = any || (!e->input[i].time && r->user[e->input[i].z]);
    return any;
}

// What an element acts with: its inputs; multipliers, and where it is a hard limit those of what holds the joint there.
static bool acts_with(const reach *r, const hol_element *e)
{
    const bool rests = e->type->role == HOL_ROLE_FORCE && e->n_laws && holds(e + 1);
    return driven(r, e) || ((holds(e) || rests) && moves(r, e->n_bodies, e->body));
}

// As leaves are linked with unknowns (system/leaf.c).
static bool leaf_depends(const reach *r, const hol_leaf *l, int slot)
{
    switch (l->kind) {
    case HOL_LEAF_QUANTITY: return hol_measured_level(&l->measured) > 1 && moves(r, l->n_bodies, l->body);
    case HOL_LEAF_REACTION: return l->component < HOL_LEAF_OBSERVED && acts_with(r, &r->m->element[l->index]);
    case HOL_LEAF_VALUE: return r->user[l->index];
    case HOL_LEAF_HELD:
    case HOL_LEAF_RAMP: return l->index == slot;
    default: return false;
    }
}

static void note(reach *r, char *what)
{
    r->more = r->more || !*what;
    *what = 1;
}

// User code does not say which output depends on which of its inputs.
static void pass_block(reach *r, const hol_block *b)
{
    bool any = false;
    for (int i = 0; i < b->n_inputs; i++) any = any || r->user[b->input + i];
    for (int i = 0; i < b->n_outputs && any; i++) note(r, &r->user[b->output + i]);
    for (int i = 0; i < b->n_states && any; i++) note(r, &r->user[b->rate + i]);
}

// One step further from what is reached.
static void pass_on(reach *r, int slot)
{
    const hol_model_data *m = r->m;
    for (int k = 0; k < m->n_equations; k++) {
        const hol_equation *e = &m->equation[k];
        for (int i = 0; i < e->n_leaves && !e->block; i++)
            if (leaf_depends(r, &e->leaf[i], slot)) note(r, &r->user[k]);
    }
    for (int k = 0; k < m->n_blocks; k++) pass_block(r, &m->block[k]);
    for (int k = 0; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        for (int i = 0; i < e->n_bodies && driven(r, e); i++) note(r, &r->moved[group_of(r, e->body[i])]);
    }
}

// Accelerations, what acts, variables: what is found with the unknowns, or by them.
static bool column_depends(const reach *r, const hol_column *c)
{
    const hol_signal_group *group = c->group;
    const hol_model_data *m = r->m;
    const hol_signals of = {.m = m};
    if (bend_of(c) == HOL_BEND_OTHER) return true;
    if (group->objects == &hol_signal_users) return c->object < m->n_equations && r->user[c->object];
    if (group->objects && group->acts) return acts_with(r, &m->element[c->object]);
    if (!group->objects || hol_signal_columns(&of, group, c->object).name[c->component].had != HOL_HAD_SOLVED)
        return false;
    if (group->objects == &hol_signal_markers) {
        const int body = hol_model_marker_body(m, c->object);
        return body >= 0 && moves(r, 1, &body);
    }
    if (group->objects == &hol_signal_sums) {
        bool any = false;
        for (int i = 0; i < m->contact_sum[c->object].n; i++)
            any = any || driven(r, &m->element[m->contact_sum[c->object].element[i]]);
        return any;
    }
    const hol_element *e = &m->element[c->object];
    return driven(r, e) || moves(r, e->n_bodies, e->body);
}

hol_status hol_ports_depend(const hol_signals *g, int input, char *out)
{
    const hol_model_data *m = g->m;
    const int slot = m->held[hol_model_input(m, input)].slot;
    reach r = {.m = m, .more = true};
    r.group = hol_calloc(g->ctx, (size_t)m->n_bodies + 1, sizeof *r.group);
    r.moved = hol_calloc(g->ctx, (size_t)(m->n_bodies + m->n_equations) + 1, 1);
    const bool good = r.group && r.moved;
    if (good) {
        r.user = r.moved + m->n_bodies;
        join_groups(&r);
        while (r.more) {
            r.more = false;
            pass_on(&r, slot);
        }
        for (int i = 0; i < g->n; i++) out[i] = column_depends(&r, &g->column[i]);
    }
    hol_free(r.group);
    hol_free(r.moved);
    return good ? HOL_OK : HOL_ERR_MEMORY;
}
