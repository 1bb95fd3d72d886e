// What `check` finds: counts of bodies, coordinates and constraints, rank and redundancy at the assembled pose, unique
// reactions, the tree of joints, and warnings.
#include "analysis/check.h"
#include "analysis/signals.h"
#include "analysis/warnings.h"
#include "element/contact.h"
#include "model/contacts.h"
#include "model/swarm.h"
#include "system/initial.h"
#include "system/redundancy.h"
#include "recursion/recursion.h"

#include <string.h>

typedef struct {
    hol_check check; // first: what the caller has
    hol_redundancies found;
    hol_warnings warnings;
    hol_arena *arena; // of texts; NULL: none yet
} whole_check;

// How far joints are open, and velocities off, as the file gives them.
static hol_status given_data(const hol_model_data *m, const hol_equations *s, hol_check *c)
{
    hol_state x = {0};
    hol_measure v;
    hol_status st = hol_state_create(s, &x);
    if (st) return st;
    memcpy(x.q, m->q0, (size_t)m->nq * sizeof *x.q);
    memcpy(x.v, m->v0, (size_t)m->nq * sizeof *x.v);
    hol_equations_measure(s, &x, &v);
    c->position_violation = v.position;
    c->velocity_violation = v.velocity;
    if (v.position_row >= 0) c->open_direction = hol_model_row(m, v.position_row, &c->open_joint).direction;
    hol_state_destroy(&x);
    return HOL_OK;
}

// The equations that are not in use, by joint and direction.
static hol_status name_redundant(hol_context *ctx, const hol_model_data *m, const hol_rank *rank,
                                 hol_check *c)
{
    c->redundant = hol_calloc(ctx, (size_t)rank->n_redundant + 1, sizeof *c->redundant);
    if (!c->redundant) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->nc; i++) {
        hol_redundancy *out = &c->redundant[c->n_redundant];
        if (rank->active[i]) continue;
        out->direction = hol_model_row(m, i, &out->joint).direction;
        c->n_redundant++;
    }
    return HOL_OK;
}

// Groups of dependent equations, and which components of each reaction are unique.
static hol_status diagnose(hol_context *ctx, const hol_model_data *m, const hol_state *x,
                           const hol_rank *rank, whole_check *w)
{
    hol_check *c = &w->check;
    int n;
    const char *const *names = hol_reaction_components(m->dimension, &n);
    hol_status st = hol_redundancy_find(ctx, m, x, rank, true, &w->found);
    if (st) return st;
    c->poses = w->found.poses;
    c->n_loops = w->found.n_loops;
    c->loop = w->found.loop;
    c->instantaneous = w->found.instantaneous;
    c->instant = w->found.momentary;
    c->reaction = hol_arena_alloc(w->found.arena, (size_t)m->n_elements + 1, sizeof *c->reaction);
    if (!c->reaction) return HOL_ERR_MEMORY;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (!e->n_rows || e->n_ends != 2) continue;
        hol_reaction_check *r = &c->reaction[c->n_reactions++];
        *r = (hol_reaction_check){.joint = e->name, .n = n, .component = names};
        for (int a = 0; a < n; a++) {
            r->uniqueness[a] = (hol_uniqueness)w->found.reaction[i][n == 3 && a == 2 ? 5 : a];
            c->components[r->uniqueness[a]]++;
        }
    }
    return HOL_OK;
}

static void loop_operator(hol_context *ctx, hol_tree *r, const hol_state *x, hol_tree_check *out)
{
    out->loop_rows = hol_tree_sizes(r)->n_loops;
    if (hol_tree_spectrum(ctx, r, x, false, NULL, &out->least, &out->most)) out->least = out->most = 0;
    if (out->least < 1e-12 * out->most) out->least = 0; // a singular pose
}

// The last to be called: s and x change where other redundant rows are left out.
static hol_status describe_tree(hol_context *ctx, const hol_model_data *m, hol_kernel *k, hol_state *x,
                                hol_rank *rank, hol_tree_check *out)
{
    hol_forest f;
    hol_tree *r = NULL;
    bool changed = false;
    hol_status st = hol_forest_create(ctx, m, x->q, &f);
    if (!st) st = hol_forest_prefer(ctx, &f, x, rank->active, &changed);
    if (!st && changed) st = hol_kernel_reselect(k, rank->active, &x, 1);
    // models that the recursion refuses have a tree, but no operator; the message is not for the user
    hol_context *quiet = hol_context_create();
    if (!st && !quiet) st = hol_fail(ctx, HOL_ERR_MEMORY, "out of memory");
    out->roots = f.n_roots;
    out->depth = f.depth;
    out->n_cut = f.n_cut;
    for (int i = 0; i < f.n_cut && i < HOL_TREE_NAMES && !st; i++) out->cut[i] = m->element[f.cut[i]].name;
    if (!st && f.n_cut && !hol_tree_create(quiet, k->s, &f, &r)) loop_operator(quiet, r, x, out);
    hol_tree_destroy(r);
    hol_forest_destroy(&f);
    hol_context_destroy(quiet);
    return st;
}

// What does not act at the start, but for laws, which go with their joint, and what events switch.
static hol_status list_switched(hol_context *ctx, const hol_model_data *m, hol_check *c)
{
    const size_t n = (size_t)m->n_elements + 1;
    char *by_event = hol_calloc(ctx, (size_t)m->n_mem + 1, 1); // places in the memory
    c->idle = hol_calloc(ctx, n, sizeof *c->idle);
    c->switched = hol_calloc(ctx, n, sizeof *c->switched);
    const bool room = by_event && c->idle && c->switched;
    for (int k = 0; k < m->n_events && room; k++)
        for (int j = 0; j < m->event[k].n_switches; j++) by_event[m->event[k].change[j].slot] = 1;
    for (int i = m->n_bodies; i < m->n_elements && room; i++) {
        const hol_element *e = &m->element[i];
        if (e->idle) c->idle[c->n_idle++] = e->name;
        if (e->all_rows + e->all_rates && e->gate && by_event[e->gate - 1])
            c->switched[c->n_switched++] = e->name;
        i += e->n_laws;
    }
    hol_free(by_event);
    return room ? HOL_OK : HOL_ERR_MEMORY;
}

// What the shapes of bodies make of them.
static hol_status list_masses(hol_context *ctx, const hol_model_data *m, hol_check *c)
{
    const hol_spec *spec = m->spec;
    c->mass = hol_calloc(ctx, (size_t)spec->n_masses + 1, sizeof *c->mass);
    if (!c->mass) return HOL_ERR_MEMORY;
    for (int i = 0; i < spec->n_masses; i++) {
        hol_mass_check *out = &c->mass[c->n_masses++];
        out->body = m->body[spec->mass[i].body].name;
        out->mass = spec->mass[i].is[0];
        memcpy(out->centre, &spec->mass[i].is[1], sizeof out->centre);
        memcpy(out->inertia, &spec->mass[i].is[4], sizeof out->inertia);
    }
    return HOL_OK;
}

// What one contact will do.
static void foretell(const hol_model_data *m, const hol_element *e, hol_contact_check *out)
{
    static const double speed[] = {0.1, 1, 10};
    double mass, weight;
    hol_contact_loads(m, e, m->spec->gravity, &mass, &weight);
    out->name = e->name;
    out->deepest = hol_contact_deepest(e);
    out->rests = hol_contact_static_depth(e, weight);
    for (int k = 0; k < HOL_COUNT(speed); k++) {
        hol_contact_impact impact = {(double)NAN, (double)NAN, (double)NAN};
        if (mass > 0) hol_contact_foretell(e, mass, speed[k], &impact);
        out->speed[k] = speed[k];
        out->restitution[k] = impact.restitution;
        out->lasts[k] = impact.lasts;
        out->depth[k] = impact.depth;
    }
}

// Why two shapes do not touch.
static const char *why_left(hol_arena *arena, const hol_model_data *m, const struct hol_contact_row *row)
{
    if (row->left == HOL_CONTACT_JOINED)
        return hol_arena_print(arena, "joint \"%s\" connects them: `joined: yes` lets them touch",
                               m->element[row->element].name);
    return row->left == HOL_CONTACT_EXCEPTED ? "both stand under `except`" : "they are of one body";
}

// The pairs of shapes that rules name.
static hol_status list_pairs(hol_context *ctx, const hol_model_data *m, whole_check *w)
{
    hol_check *c = &w->check;
    w->arena = hol_arena_create(ctx);
    c->pair = hol_calloc(ctx, (size_t)m->n_contact_rows + 1, sizeof *c->pair);
    if (!c->pair || !w->arena) return HOL_ERR_MEMORY;
    c->more_pairs = m->left_out_untold;
    for (int i = 0; i < m->n_contact_rows; i++) {
        const struct hol_contact_row *row = &m->contact_row[i];
        hol_pair_check *out = &c->pair[c->n_pairs++];
        *out = (hol_pair_check){.rule = row->rule, .pair = row->pair, .contacts = row->n};
        if (row->left && !(out->left = why_left(w->arena, m, row))) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// What contacts will do.
static hol_status list_contacts(hol_context *ctx, const hol_model_data *m, hol_check *c)
{
    int n = m->n_swarms;
    for (int i = 0; i < m->n_elements; i++) n += m->element[i].type == &hol_force_contact;
    c->contact = hol_calloc(ctx, (size_t)n + 1, sizeof *c->contact);
    if (!c->contact) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_elements; i++)
        if (m->element[i].type == &hol_force_contact)
            foretell(m, &m->element[i], &c->contact[c->n_contacts++]);
    for (int i = 0; i < m->n_swarms; i++) {
        hol_swarm_pair first;
        if (hol_swarm_first(&m->swarm[i], &first)) foretell(m, &first.is, &c->contact[c->n_contacts++]);
    }
    return HOL_OK;
}

// What will hurt a run, or looks like a slip of the pen.
static hol_status warn(hol_context *ctx, const hol_model_data *m, const hol_settings *set, hol_kernel *k,
                       hol_state *x, const hol_rank *rank, whole_check *w)
{
    hol_warnings *all = &w->warnings;
    const hol_status st = hol_warnings_find(ctx, m, set, k, x, rank, all);
    w->check.kinks = all->kinks;
    w->check.n_kinks = all->n_kinks;
    w->check.kink = all->kink;
    w->check.n_loads = all->n_loads;
    w->check.load = all->load;
    w->check.n_warnings = all->n;
    w->check.warning = all->warning;
    return st;
}

// Starts the model and examines it; NULL: it cannot be started, and the message is in the context.
hol_check *hol_check_model(hol_context *ctx, const hol_model_data *m, const hol_settings *set)
{
    whole_check *w = hol_calloc(ctx, 1, sizeof *w);
    hol_kernel k;
    hol_state x = {0};
    hol_rank rank;
    if (!w) return NULL;
    hol_check *c = &w->check;
    hol_status st = hol_initialise(ctx, m, HOL_START_TERSE, &k, &x, &rank);
    if (st) {
        hol_free(w);
        return NULL;
    }
    c->title = m->title;
    c->dimension = m->dimension;
    c->bodies = m->n_bodies;
    c->coordinates = m->nq;
    c->constraints = m->nc;
    c->rank = rank.independent;
    c->degrees_of_freedom = m->nq - rank.independent;
    c->momentary = rank.momentary;
    c->rank_complete = rank.large_components == 0;
    c->length_scale = m->length_scale;
    c->gravity = m->spec->gravity_given;
    c->velocity_constraints = m->nk;
    st = hol_signals_check(ctx, k.s, set->request, set->n_requests);
    if (!st) st = hol_signals_check_plots(ctx, k.s);
    if (!st) st = given_data(m, k.s, c);
    if (!st) st = name_redundant(ctx, m, &rank, c);
    if (!st) st = list_masses(ctx, m, c);
    if (!st) st = list_contacts(ctx, m, c);
    if (!st) st = list_pairs(ctx, m, w);
    if (!st) st = list_switched(ctx, m, c);
    if (!st) st = diagnose(ctx, m, &x, &rank, w);
    if (!st) st = warn(ctx, m, set, &k, &x, &rank, w);
    if (!st) st = describe_tree(ctx, m, &k, &x, &rank, &c->tree);
    hol_state_destroy(&x);
    hol_rank_destroy(&rank);
    hol_start_destroy(&k);
    if (!st) return c;
    hol_check_free(c);
    return NULL;
}

// Lists and what they point to; names are those of the model.
void hol_check_free(hol_check *c)
{
    if (!c) return;
    hol_redundancy_destroy(&((whole_check *)c)->found);
    hol_warnings_destroy(&((whole_check *)c)->warnings);
    hol_arena_destroy(((whole_check *)c)->arena);
    hol_free(c->redundant);
    hol_free(c->mass);
    hol_free(c->contact);
    hol_free(c->pair);
    hol_free(c->idle), hol_free(c->switched);
    hol_free(c);
}
