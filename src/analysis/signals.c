// Result columns by name: which of them a request means, whether they are unique, and their values at a state.
#include "analysis/signal_groups.h"
#include "system/redundancy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const hol_signal_group *find_object(const hol_signals *g, char *name, int *object)
{
    for (int i = 0; i < hol_n_signal_groups; i++) {
        const hol_signal_group *group = &hol_signal_groups[i];
        *object = group->objects ? group->objects->find(g, name) : strcmp(group->name, name) ? -1 : 0;
        if (*object >= 0 && hol_signal_has_columns(g, group, *object)) return group;
    }
    return NULL;
}

static bool has_column(const hol_signals *g, const hol_signal_group *group, int object, const char *only)
{
    const hol_column_list list = hol_signal_columns(g, group, object);
    for (int i = 0; i < list.n; i++)
        if (strcmp(list.name[i].name, only) == 0) return true;
    return false;
}

// The group of an element, which may have several, that has this column.
static const hol_signal_group *find_column(const hol_signals *g, const hol_signal_group *group, int object,
                                           const char *only)
{
    if (!group->objects || !group->objects->of_elements || has_column(g, group, object, only)) return group;
    for (int i = 0; i < hol_n_signal_groups; i++) {
        const hol_signal_group *other = &hol_signal_groups[i];
        if (other->objects && other->objects->of_elements && *hol_signal_name(g, other, object) &&
            has_column(g, other, object, only))
            return other;
    }
    return group;
}

// What has that name, or the part of it before a dot: then *only is the part behind, a column's name, which may have a dot, too; NULL: all of
// them. Reactions and coordinates of a joint are two groups, and so are those of a force in a joint and what it gives.
static const hol_signal_group *find(const hol_signals *g, char *name, int *object, const char **only)
{
    char *dot = strrchr(name, '.'), *behind = NULL;
    const hol_signal_group *group = find_object(g, name, object);
    *only = NULL;
    for (int i = 0; group && group->objects && group->objects->of_elements && i < hol_n_signal_groups; i++)
        if (hol_signal_groups[i].whole && *hol_signal_name(g, &hol_signal_groups[i], *object))
            group = &hol_signal_groups[i];
    for (bool nearer = false; !group && dot; nearer = true) {
        if (behind) *behind = '.';
        *dot = 0;
        *only = dot + 1;
        group = find_object(g, name, object);
        if (group) group = find_column(g, group, *object, *only);
        if (group && nearer && !has_column(g, group, *object, *only)) group = NULL;
        behind = dot;
        dot = strrchr(name, '.');
    }
    return group;
}

const char *hol_signal_doc_of(const hol_model_data *m, const char *name)
{
    const hol_signals g = {.m = m};
    char text[512];
    int object;
    const char *only;
    const bool fits = snprintf(text, sizeof text, "%s", name) < (int)sizeof text;
    const hol_signal_group *group = fits ? find(&g, text, &object, &only) : NULL;
    const hol_column_list list = group ? hol_signal_columns(&g, group, object) : (hol_column_list){NULL, 0};
    for (int i = 0; i < list.n; i++)
        if (strcmp(list.name[i].name, only ? only : "") == 0) return list.name[i].doc;
    return "";
}

// ---- requests -------------------------------------------------------------------------------------------------

static const char *column_name_of(const hol_signals *g, const char *object, const char *component)
{
    return hol_arena_print(g->arena, "%s%s%s", object, *component ? "." : "", component);
}

// In the units that the model chooses, but for those that are chosen for a variable alone.
static hol_status find_unit(hol_signals *g, hol_column *c)
{
    if (c->group->unit) c->group->unit(g->m, c->object, c);
    if (c->shown) return HOL_OK;
    return hol_unit_shown(g->arena, &g->m->spec->systems.system[0].output, c->unit, &c->shown, &c->factor);
}

// head: the object's name, NULL: no memory. only: a component's, or NULL for all. HOL_RECOVERABLE: there is no such component.
hol_status hol_signals_add(hol_signals *g, const hol_signal_group *group, int object, const char *head,
                           const char *only)
{
    const hol_column_list list = hol_signal_columns(g, group, object);
    hol_status st = head ? HOL_RECOVERABLE : HOL_ERR_MEMORY;
    for (int i = 0; i < list.n && head; i++) {
        const hol_column_name *n = &list.name[i];
        if (only && strcmp(only, n->name) != 0) continue;
        const char *name = column_name_of(g, head, n->name);
        if (!name) return HOL_ERR_MEMORY;
        st = HOL_OK;
        if (g->names && hol_names_find(g->names, name) >= 0) continue; // asked for twice: one column
        if (g->names && hol_names_add(g->names, name, g->n)) return HOL_ERR_MEMORY;
        if (!HOL_GROW(g->ctx, g->column, g->capacity, g->n + 1)) return HOL_ERR_MEMORY;
        hol_column *c = &g->column[g->n++];
        *c = (hol_column){.name = name,
                          .unit = n->unit,
                          .doc = n->doc,
                          .group = group,
                          .object = object,
                          .component = i,
                          .element = group->objects == &hol_signal_elements ? &g->m->element[object] : NULL,
                          .uniqueness = HOL_UNIQUE};
        if (find_unit(g, c)) return HOL_ERR_MEMORY;
        g->used |= 1U << (group - hol_signal_groups);
    }
    return st;
}

// For "did you mean": names of objects, or of their columns.
static void offer(const hol_signals *g, hol_nearest *nearest, bool columns)
{
    for (int i = 0; i < hol_n_signal_groups; i++) {
        for (int k = 0; k < hol_signal_count(g, &hol_signal_groups[i]); k++) {
            const char *name = hol_signal_name(g, &hol_signal_groups[i], k);
            if (!name || !*name) continue;
            if (!columns) hol_nearest_try(nearest, name);
            const hol_column_list list =
                columns ? hol_signal_columns(g, &hol_signal_groups[i], k) : (hol_column_list){NULL, 0};
            for (int c = 0; c < list.n; c++) {
                const char *full = column_name_of(g, name, list.name[c].name);
                if (full) hol_nearest_try(nearest, full);
            }
        }
    }
}

// Names of the columns of what stands before the last dot of a name, "Fx, Fy, T"; "": that is no object either.
static void list_columns(const hol_signals *g, const char *asked, char *text, size_t size)
{
    int object;
    const char *only = NULL;
    size_t n = 0;
    char *name = hol_arena_copy(g->arena, asked, strlen(asked));
    const hol_signal_group *group = name ? find(g, name, &object, &only) : NULL;
    *text = 0;
    for (int i = 0; i < hol_n_signal_groups && group && only; i++) {
        const hol_signal_group *other = &hol_signal_groups[i];
        const bool same = other == group || (group->objects && group->objects->of_elements &&
                                             other->objects && other->objects->of_elements);
        if (!same || (other->objects && !*hol_signal_name(g, other, object))) continue;
        const hol_column_list list = hol_signal_columns(g, other, object);
        for (int c = 0; c < list.n && n + 1 < size; c++)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", list.name[c].name);
    }
}

// The message for a name that is no signal: with the nearest one, or those of the object.
static hol_status unknown(const hol_signals *g, const hol_word *r)
{
    hol_nearest nearest;
    hol_nearest_start(&nearest, r->name);
    offer(g, &nearest, false); // crank0.tip before crank0.tip.x
    if (g->m->n_elements < 5000) offer(g, &nearest, true);
    char columns[200], way[400];
    const char *dot = strrchr(r->name, '.');
    list_columns(g, r->name, columns, sizeof columns);
    if (*columns && nearest.distance > 1)
        snprintf(way, sizeof way, "\"%.*s\" has %s", (int)(dot - r->name), r->name, columns);
    else if (nearest.best)
        snprintf(way, sizeof way, "did you mean \"%s\"?", nearest.best);
    else
        snprintf(way, sizeof way, "\"all\" asks for what `holonom elements all` says");
    if (r->at.line)
        return hol_fail_at(g->ctx, HOL_ERR_MODEL, r->at, "%s: there is no signal \"%s\"; %s", g->where,
                           r->name, way);
    return hol_fail(g->ctx, HOL_ERR_USAGE, "there is no signal \"%s\"; %s", r->name, way);
}

// The columns of one request.
static hol_status add_request(hol_signals *g, const hol_word *r)
{
    int object;
    const char *only;
    char *name = hol_arena_copy(g->arena, r->name, strlen(r->name));
    if (!name || hol_signals_name_users(g)) return HOL_ERR_MEMORY;
    const hol_signal_group *group = find(g, name, &object, &only);
    const bool several = group && group->add && !only,
               element = group && !only && group->objects && group->objects->of_elements;
    hol_status st = several ? group->add(g)
                    : group ? hol_signals_add(g, group, object, name, only)
                            : HOL_RECOVERABLE;
    for (int i = 0; i < hol_n_signal_groups && element && !st; i++)
        if (hol_signal_groups[i].also && *hol_signal_name(g, &hol_signal_groups[i], object))
            st = hol_signals_add(g, &hol_signal_groups[i], object, name, NULL);
    return st == HOL_RECOVERABLE ? unknown(g, r) : st;
}

// The columns of the requests that stand in the model where `where` says.
static hol_status create(hol_context *ctx, const hol_equations *s, const char *where, const hol_word *request,
                         int n, hol_signals *g)
{
    static const hol_word everything = {"all", {0}};
    const hol_output_units *chosen = &s->m->spec->systems.system[0].output;
    memset(g, 0, sizeof *g);
    g->s = s;
    g->m = s->m;
    g->ctx = ctx;
    g->where = where;
    g->arena = hol_arena_create(ctx);
    hol_status st =
        g->arena ? hol_unit_shown(g->arena, chosen, "s", &g->time_shown, &g->time_factor) : HOL_ERR_MEMORY;
    if (n == 0) {
        request = &everything;
        n = 1;
    }
    // "all" alone cannot overlap
    if (!st && n > 1 && !(g->names = hol_names_create_in(ctx, g->arena))) st = HOL_ERR_MEMORY;
    for (int i = 0; i < n && !st; i++) st = add_request(g, &request[i]);
    if (!st && !(g->value = hol_calloc(ctx, (size_t)g->n + 1, sizeof *g->value))) st = HOL_ERR_MEMORY;
    for (int i = 0; i < hol_n_signal_groups && !st; i++)
        if (hol_signal_groups[i].begin && (g->used & 1U << i)) st = hol_signal_groups[i].begin(g);
    if (st) hol_signals_destroy(g);
    return st;
}

hol_status hol_signals_create(hol_context *ctx, const hol_equations *s, const hol_word *request, int n,
                              hol_signals *g)
{
    return create(ctx, s, "simulate.signals", request, n, g);
}

hol_status hol_signals_create_of(hol_context *ctx, const hol_equations *s, const char *where,
                                 const hol_word *request, int n, hol_signals *g)
{
    return create(ctx, s, where, request, n, g);
}

hol_status hol_signals_check(hol_context *ctx, const hol_equations *s, const hol_word *request, int n)
{
    hol_signals g;
    if (n == 0) return HOL_OK;
    const hol_status st = hol_signals_create(ctx, s, request, n, &g);
    if (!st) hol_signals_destroy(&g);
    return st;
}

// x is one signal, y what may be asked for.
static hol_status check_plot(hol_context *ctx, const hol_equations *s, const hol_spec_plot *p)
{
    hol_signals g;
    hol_status st = create(ctx, s, p->x_path, &p->x, 1, &g);
    if (!st && g.n != 1)
        st =
            hol_fail_at(ctx, HOL_ERR_MODEL, p->x.at, "%s: one signal is wanted, \"%s\" is %d: %s, %s%s",
                        p->x_path, p->x.name, g.n, g.column[0].name, g.column[1].name, g.n > 2 ? ", .." : "");
    hol_signals_destroy(&g);
    if (!st) st = create(ctx, s, p->y_path, p->y, p->n, &g);
    if (!st) hol_signals_destroy(&g);
    return st;
}

hol_status hol_signals_check_plots(hol_context *ctx, const hol_equations *s)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < s->m->spec->n_plots && !st; i++) st = check_plot(ctx, s, &s->m->spec->plot[i]);
    return st;
}

void hol_signals_destroy(hol_signals *g)
{
    if (!g->s) return;
    if (g->wants_reactions) hol_reactions_destroy(&g->reactions);
    hol_omega_destroy(g->omega);
    hol_arena_destroy(g->arena);
    hol_free(g->column);
    hol_free(g->value);
    memset(g, 0, sizeof *g);
}

// ---- uniqueness -----------------------------------------------------------------------------------------------

const char *hol_uniqueness_word(hol_uniqueness u)
{
    static const char *const words[] = {"unique", "undetermined", "shared", "not examined", "absent"};
    return (unsigned)u < HOL_UNIQUENESSES ? words[u] : NULL;
}

const char *const *hol_reaction_components(int dimension, int *n)
{
    static const char *const planar[] = {"Fx", "Fy", "T"}, *const spatial[] = {"Fx", "Fy", "Fz",
                                                                               "Tx", "Ty", "Tz"};
    *n = dimension == 2 ? HOL_COUNT(planar) : HOL_COUNT(spatial);
    return dimension == 2 ? planar : spatial;
}

bool hol_signal_is_reaction(const hol_column *c)
{
    return c->element && c->element->n_rows && (c->group->reaction || c->group->scalar);
}

bool hol_signal_has_axes(const hol_column *c)
{
    return c->element && c->element->n_ends && c->group->reaction;
}

// The least known of all components that act.
static hol_uniqueness least_known(const unsigned char *reaction)
{
    hol_uniqueness u = HOL_UNIQUE;
    for (int i = 0; i < 6; i++)
        if (reaction[i] != HOL_ABSENT && reaction[i] != HOL_UNIQUE) u = (hol_uniqueness)reaction[i];
    return u;
}

// A list of names as they come, of which a few are told.
typedef struct {
    char text[400];
    size_t n;
    int count;
} names;

static void add_name(names *l, const char *name)
{
    enum { NAMED = 4 };
    if (l->count++ < NAMED && l->n + 1 < sizeof l->text)
        l->n += (size_t)snprintf(l->text + l->n, sizeof l->text - l->n, "%s%.80s", l->count > 1 ? ", " : "",
                                 name);
    else if (l->n + 1 < sizeof l->text)
        snprintf(l->text + l->n, sizeof l->text - l->n, " and %d more", l->count - NAMED);
}

// Names of the elements with such columns, as a note.
static void note_open(const hol_signals *g, hol_uniqueness which, const char *text)
{
    names list = {0};
    int last = -1;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        if (!hol_signal_is_reaction(c) || c->uniqueness != which || c->object == last) continue;
        last = c->object;
        add_name(&list, g->m->element[last].name);
    }
    if (list.count) hol_note(g->ctx, HOL_NOTICE, "reactions of %s %s", list.text, text);
}

// ---- reactions that expressions measure ------------------------------------------------------------------------

static bool measures_rows(const hol_model_data *m, const hol_leaf *l)
{
    return l->kind == HOL_LEAF_REACTION && l->component < HOL_LEAF_OBSERVED && m->element[l->index].n_rows;
}

// Of the components that the leaf is made of.
static hol_uniqueness of_measure(const hol_leaf *l, const unsigned char *reaction)
{
    if (l->component < 6) return (hol_uniqueness)reaction[l->component];
    if (l->component >= HOL_REACTION_EFFORT) return least_known(reaction);
    unsigned char length[6] = {HOL_UNIQUE, HOL_UNIQUE, HOL_UNIQUE, HOL_UNIQUE, HOL_UNIQUE, HOL_UNIQUE};
    const int first = 3 * (l->component - 6);
    memcpy(length + first, reaction + first, 3 * sizeof *length);
    return least_known(length);
}

enum { MEASURED = 1, RUBBED }; // of an element: by an expression; by the friction of its joint

// Does the expression measure one that is shared (any reaction, where r is NULL)? Marks the elements, mark: (n_elements) or NULL.
static bool measures_shared(const hol_model_data *m, const hol_equation *e, const hol_redundancies *r,
                            char *mark)
{
    bool found = false;
    for (int i = 0; e && i < e->n_leaves; i++) {
        const hol_leaf *l = &e->leaf[i];
        if (!measures_rows(m, l) || (r && of_measure(l, r->reaction[l->index]) != HOL_SHARED)) continue;
        found = true;
        if (mark && mark[l->index] != RUBBED) mark[l->index] = e->law ? RUBBED : MEASURED;
    }
    return found;
}

// Of all expressions of the model: their names.
static bool any_shared(const hol_signals *g, const hol_redundancies *r, names *list, char *mark)
{
    const hol_model_data *m = g->m;
    for (int k = 0; k < m->n_equations; k++)
        if (measures_shared(m, &m->equation[k], r, mark)) add_name(list, m->equation[k].path);
    for (int k = 0; k < m->n_events; k++) {
        const hol_event *e = &m->event[k];
        bool shared = measures_shared(m, e->when, r, mark);
        for (int i = 0; i < e->n_sets; i++) shared = measures_shared(m, &e->set[i].value, r, mark) || shared;
        if (shared) add_name(list, e->name);
    }
    return list->count;
}

// Keeps what is to be compared with the smallest reactions, row by row.
static hol_status watch_measures(hol_signals *g, const hol_redundancies *r)
{
    names list = {0};
    char *mark = hol_arena_alloc(g->arena, (size_t)g->m->n_elements + 1, 1);
    if (!mark) return HOL_ERR_MEMORY;
    if (!any_shared(g, r, &list, mark)) return HOL_OK;
    char *text = hol_arena_alloc(g->arena, sizeof list.text, 1);
    if (!text) return HOL_ERR_MEMORY;
    g->shares = mark;
    memcpy(text, list.text, sizeof list.text);
    g->sharing = text;
    return hol_signals_begin_reactions(g);
}

#define APART 1e-6 // of the largest multiplier: reactions that differ by more

// Do the equations in use carry what results show, in joints with this mark?
static bool carry_the_same(const hol_signals *g, char mark)
{
    const hol_equations *s = g->s;
    double most = 0, apart = 0;
    for (int i = 0; i < s->m->nc; i++) {
        const double told = g->reactions.lam[i], used = s->active[i] >= 0 ? g->x->lam[s->active[i]] : 0;
        const int k = s->m->row_element[i];
        if (k >= s->m->n_bodies) most = hol_larger(fabs(used), most); // those of p.p = 1 turn nothing
        if (g->shares[k] == mark) apart = hol_larger(fabs(told - used), apart);
    }
    return !(apart > APART * most);
}

// Friction goes by the load of its joint: an error where that is not known. Other expressions are warned of, once.
static hol_status compare_measures(hol_signals *g)
{
    const hol_status st = hol_signals_update_reactions(g);
    if (st || g->reactions.unbounded) return st;
    if (!carry_the_same(g, RUBBED))
        return hol_fail(g->ctx, HOL_ERR_INTEGRATION,
                        "%s: friction goes by the load of its joint, and how much of it which joint carries "
                        "is open at t = %.6g s, for "
                        "redundant equations share it: leave out those that holonom check says can go, or "
                        "give the friction as a force",
                        g->sharing, g->x->t);
    if (g->quiet || g->told_sharing || carry_the_same(g, MEASURED)) return HOL_OK;
    g->told_sharing = true;
    hol_note(g->ctx, HOL_WARNING,
             "%s: the reactions measured there are shared by redundant equations; measured is what the "
             "equations in use carry, one of many "
             "possible answers, while result columns show the smallest (another at t = %.6g s); holonom "
             "check says which equations can go, "
             "and without them it is unique",
             g->sharing, g->x->t);
    return HOL_OK;
}

hol_status hol_signals_judge(hol_signals *g, const hol_state *x, const hol_rank *rank, bool quiet)
{
    const hol_model_data *m = g->m;
    hol_redundancies r;
    names none = {0};
    bool wanted = any_shared(g, NULL, &none, NULL);
    for (int i = 0; i < g->n; i++) wanted = wanted || hol_signal_is_reaction(&g->column[i]);
    g->quiet = quiet;
    if (!wanted || !(rank->n_redundant || rank->momentary || rank->large_components)) return HOL_OK;
    const hol_status st = hol_redundancy_find(g->ctx, m, x, rank, false, &r);
    if (st) return st;
    for (int i = 0; i < g->n; i++) {
        hol_column *c = &g->column[i];
        if (!hol_signal_is_reaction(c)) continue;
        const bool torque = m->dimension == 2 && c->component == 2;
        c->uniqueness = c->group->scalar ? least_known(r.reaction[c->object])
                                         : (hol_uniqueness)r.reaction[c->object][torque ? 5 : c->component];
        g->open_reactions = g->open_reactions || (c->uniqueness != HOL_UNIQUE && c->uniqueness != HOL_ABSENT);
    }
    const hol_status watched = watch_measures(g, &r);
    hol_redundancy_destroy(&r);
    if (quiet || watched) return watched;
    note_open(g, HOL_SHARED,
              "are shared by redundant equations: given are the values of smallest norm (see holonom check)");
    note_open(g, HOL_UNDETERMINED, "are not determined in the singular pose at the start");
    note_open(g, HOL_NOT_EXAMINED, "may be shared: their group of loops is too large to tell");
    return HOL_OK;
}

// ---- what has to be found -------------------------------------------------------------------------------------

// For the value of equation k.
static unsigned needs_of(const char *implicit, const char *circle, int k)
{
    return HOL_NEED_VALUES | HOL_NEED_FORCES | (implicit[k] ? HOL_NEED_UNKNOWNS : 0) |
           (circle[k] ? HOL_NEED_CIRCLE : 0);
}

unsigned hol_signals_needs(const hol_signals *g, const char *implicit, const char *circle)
{
    unsigned needs = 0;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        const hol_element *e = c->group->acts ? &g->m->element[c->object] : NULL;
        const bool force = e && !e->n_rows && !e->n_rates,
                   rests = force && e->type->role == HOL_ROLE_FORCE && e->n_laws && e[1].n_rows;
        if (!force || rests)
            needs |= hol_signal_ways[hol_signal_columns(g, c->group, c->object).name[c->component].had].needs;
        if (force) needs |= HOL_NEED_FORCES;
        for (int k = 0; force && k < e->n_inputs; k++)
            if (!e->input[k].time) needs |= needs_of(implicit, circle, e->input[k].z);
        if (c->group->objects == &hol_signal_users && c->object < g->m->n_equations)
            needs |= needs_of(implicit, circle, c->object);
    }
    return needs;
}

// ---- values ---------------------------------------------------------------------------------------------------

hol_status hol_signals_evaluate(hol_signals *g, const hol_state *x, double work)
{
    double value[32] = {0};
    const hol_column *last = NULL;
    hol_status st = HOL_OK;
    g->x = x;
    g->work = work;
    g->is_measured = g->has_reactions = false;
    for (int i = 0; i < hol_n_signal_groups && !st; i++)
        if (hol_signal_groups[i].update && (g->used & 1U << i)) st = hol_signal_groups[i].update(g);
    if (!st && g->sharing) st = compare_measures(g);
    if (st) return st;
    for (int i = 0; i < g->n; i++) {
        const hol_column *c = &g->column[i];
        if (!last || last->group != c->group || last->object != c->object)
            c->group->value(g, c->object, value);
        last = c;
        g->value[i] = value[c->component];
    }
    return HOL_OK;
}

int hol_signals_not_finite(const hol_signals *g)
{
    if (hol_all_finite(g->value, (size_t)g->n)) return -1;
    int found = -1;
    for (int i = 0; i < g->n; i++) {
        if (isfinite(g->value[i]) || g->column[i].group->may_fail) continue;
        if (isinf(g->value[i])) return i;
        if (found < 0) found = i;
    }
    return found;
}
