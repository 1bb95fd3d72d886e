// Functions of time, found in the model, searched one by one, and their stop times and short cells in common lists.
#include "analysis/loads.h"
#include "expr/spline.h"
#include "system/explicit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64, MOST_SLOPES = 100 };
#define SHORT 0.01    // of the run: pulses that are shorter are over when the steps are long again
#define BESIDE 8      // widths
#define TOGETHER 1e-9 // of the run: stop times that are nearer are one

// ---- what an expression takes ------------------------------------------------------------------------------------

static bool is_timed(const hol_loads *l, const hol_leaf *leaf)
{
    return (leaf->kind == HOL_LEAF_HELD && !leaf->outside && !isnan(l->held[leaf->index])) ||
           (leaf->kind == HOL_LEAF_VALUE && l->timed[leaf->index]);
}

// Which unknowns follow from the time and from parameters alone? What takes itself does not, and has no place in the order.
static hol_status find_timed(hol_loads *l)
{
    hol_explicit follow;
    const hol_status st = hol_explicit_create_part(l->ctx, l->m, true, &follow, l->timed);
    memset(l->timed, 0, (size_t)l->m->n_equations);
    for (int i = 0; i < follow.n && !st; i++) {
        const int k = follow.order[i];
        if (k < 0) continue; // user code
        const hol_equation *e = &l->m->equation[k];
        bool timed = true;
        for (int j = 0; j < e->n_leaves && timed; j++) timed = is_timed(l, &e->leaf[j]);
        l->timed[k] = timed;
    }
    hol_explicit_destroy(&follow);
    return st;
}

// One way of looking at functions of time: in an interval, or at one time as a Taylor series.
typedef struct hol_look {
    const void *time; // hol_enclosure, or double[4]
    void (*find)(hol_loads *l, const struct hol_look *look, const hol_expr *e, int n, const hol_leaf *leaf,
                 int unknown);
} hol_look;

static bool is_used(const void *user, const hol_expr *e, int j, const hol_leaf *leaf)
{
    (void)user, (void)leaf;
    return hol_expr_uses_leaf(e, j);
}

// The unknowns that an expression takes, each behind those that it takes itself.
static const hol_chain *chain_of(hol_loads *l, const hol_expr *e, int n, const hol_leaf *leaf)
{
    if (l->chain_of != e) hol_chain_find(&l->chain, e, n, leaf, is_used, NULL);
    l->chain_of = e;
    return &l->chain;
}

// Finds what the expression holds, each unknown once however many others follow from it, then itself: in the last place of the values.
static void look_at(hol_loads *l, const hol_look *look, const hol_expr *e, int n, const hol_leaf *leaf)
{
    const hol_equation *all = l->m->equation;
    const hol_chain *chain = chain_of(l, e, n, leaf);
    for (int k = 0; k < chain->n; k++) {
        const int i = chain->list[k];
        look->find(l, look, all[i].expr, all[i].n_leaves, all[i].leaf, i);
    }
    look->find(l, look, e, n, leaf, l->m->n_equations);
}

// An expression in an interval of time; its leaves are parameters, or unknowns that are functions of time themselves.
static void enclose(hol_loads *l, const hol_look *look, const hol_expr *e, int n, const hol_leaf *leaf,
                    int unknown)
{
    hol_enclosure held[n + 1];
    const hol_enclosure *given[n + 1];
    for (int i = 0; i < n; i++) {
        given[i] = leaf[i].kind == HOL_LEAF_HELD ? &held[i] : &l->range[leaf[i].index];
        if (leaf[i].kind == HOL_LEAF_HELD) held[i] = hol_enclose_constant(l->held[leaf[i].index]);
    }
    hol_expr_enclose(e, look->time, given, &l->range[unknown]);
}

// The same at one time, as a Taylor series.
static void evaluate(hol_loads *l, const hol_look *look, const hol_expr *e, int n, const hol_leaf *leaf,
                     int unknown)
{
    const hol_shape series = {0, 3, 0};
    double held[n + 1][4];
    const double *given[n + 1];
    for (int i = 0; i < n; i++) {
        given[i] = leaf[i].kind == HOL_LEAF_HELD ? held[i] : l->jet[leaf[i].index];
        if (leaf[i].kind == HOL_LEAF_HELD) hol_num_constant(&series, l->held[leaf[i].index], held[i]);
    }
    hol_expr_eval(e, &series, look->time, given, l->jet[unknown]);
}

static void enclose_load(const hol_timed *f, hol_interval t, hol_enclosure *out)
{
    const hol_load *load = (const hol_load *)f;
    const hol_enclosure time = {t, {1, 1}, 0};
    look_at(load->all, &(hol_look){&time, enclose}, load->part, load->n_leaves, load->leaf);
    *out = load->all->range[load->all->m->n_equations];
}

static void jet_of_load(const hol_timed *f, double t, double y[4])
{
    const hol_load *load = (const hol_load *)f;
    const double time[4] = {t, 1};
    look_at(load->all, &(hol_look){time, evaluate}, load->part, load->n_leaves, load->leaf);
    memcpy(y, load->all->jet[load->all->m->n_equations], 4 * sizeof *y);
    y[2] *= 2;
    y[3] *= 6;
}

// ---- collecting --------------------------------------------------------------------------------------------------

typedef struct {
    hol_loads *l;
    const hol_leaf *leaf;
} owner;

static bool leaf_is_timed(void *user, int i)
{
    const owner *o = user;
    return o->leaf && is_timed(o->l, &o->leaf[i]);
}

// The parts of f->whole that are functions of time. What holds positions or velocities is taken as a whole.
static hol_status add(hol_loads *l, const hol_load *f)
{
    hol_time_part part[MOST_PARTS];
    owner o = {l, f->leaf};
    const int n = hol_expr_parts(l->arena, f->whole, leaf_is_timed, &o, f->level > 0, MOST_PARTS, part);
    if (n < 0) return HOL_ERR_MEMORY;
    for (int i = 0; i < n && i < MOST_PARTS; i++) {
        if (hol_expr_leaf(part[i].part) >= 0) continue; // a parameter, or a variable that is searched itself
        if (!HOL_GROW(l->ctx, l->load, l->capacity, l->n + 1)) return HOL_ERR_MEMORY;
        hol_load *own = &l->load[l->n++];
        *own = *f;
        own->timed = (hol_timed){enclose_load, jet_of_load};
        own->all = l;
        own->part = part[i].part;
        own->is_term = part[i].is_term;
        l->doubtful = l->doubtful || (f->level > 0 && !part[i].is_term);
    }
    return HOL_OK;
}

// What an element holds, exerts or prescribes; of time alone.
static hol_status add_of(hol_loads *l, const hol_element *e, hol_load_kind kind, const hol_expr *whole,
                         int level, bool angle)
{
    return add(l, &(hol_load){.kind = kind,
                              .name = e->name,
                              .at = e->at,
                              .whole = whole,
                              .level = level,
                              .equation = -1,
                              .angle = angle});
}

// What each equation gives.
static void find_kinds(hol_loads *l)
{
    const hol_model_data *m = l->m;
    for (int i = 0; i < m->n_equations; i++)
        l->kind[i] = m->equation[i].hidden ? HOL_LOAD_FORCE : HOL_LOAD_VARIABLE;
    for (int i = 0; i < m->n_states; i++) l->kind[m->state[i].equation] = HOL_LOAD_RATE;
}

// What the unknown takes the rate of.
static hol_status collect_rates(hol_loads *l, const hol_equation *e)
{
    hol_status st = HOL_OK;
    for (int i = 0; i < e->n_leaves && !st; i++)
        if (e->leaf[i].kind == HOL_LEAF_PACE)
            st = add(l, &(hol_load){.kind = HOL_LOAD_MOTION,
                                    .name = e->name,
                                    .at = e->at,
                                    .whole = e->leaf[i].of_time,
                                    .level = 1,
                                    .equation = -1,
                                    .angle = e->leaf[i].component > 0});
    return st;
}

// Variables, components of forces, rates of states, and the expressions of events.
static hol_status collect_equations(hol_loads *l)
{
    const hol_model_data *m = l->m;
    hol_status st = HOL_OK;
    for (int i = 0; i < m->n_equations && !st; i++) {
        const hol_equation *e = &m->equation[i];
        if (e->expr && !e->block)
            st = add(l, &(hol_load){.kind = (hol_load_kind)l->kind[i],
                                    .name = e->name,
                                    .at = e->at,
                                    .whole = e->expr,
                                    .n_leaves = e->n_leaves,
                                    .leaf = e->leaf,
                                    .equation = i});
        if (!st) st = collect_rates(l, e);
    }
    for (int i = 0; i < m->n_events && !st; i++) {
        const hol_equation *e = m->event[i].when;
        if (e)
            st = add(l, &(hol_load){.kind = HOL_LOAD_EVENT,
                                    .name = m->event[i].name,
                                    .at = m->event[i].at,
                                    .whole = e->expr,
                                    .n_leaves = e->n_leaves,
                                    .leaf = e->leaf,
                                    .equation = -1});
    }
    return st;
}

// What is prescribed. Of what is given by its speed or acceleration this is searched: its integral hardly shows what is short.
static hol_status add_motion(hol_loads *l, const hol_element *e, const hol_prim *p)
{
    const hol_expr *given = p->set;
    int level = 2;
    while (level > 0 && hol_expr_rate(given)) given = hol_expr_rate(given), level--;
    return add_of(l, e, HOL_LOAD_MOTION, given, level, !hol_prim_is_length(p));
}

// Inputs of a force that are functions of time alone, what a driver prescribes, and what an expression holds at 0.
static hol_status collect_element(hol_loads *l, const hol_element *e)
{
    hol_status st = HOL_OK;
    for (int k = 0; k < e->n_inputs && !st; k++)
        if (e->input[k].time) st = add_of(l, e, HOL_LOAD_FORCE, e->input[k].time, 0, false);
    bool is_rate;
    const hol_measured_formula *held = hol_constraint_formula(e, &is_rate);
    if (held) return add_of(l, e, HOL_LOAD_CONSTRAINT, held->expr, is_rate ? 1 : 2, false);
    if (e->type->phi != hol_prims_phi) return st;
    const hol_prims *list = e->data;
    for (int k = 0; k < list->n && !st; k++)
        if (list->p[k].set) st = add_motion(l, e, &list->p[k]);
    return st;
}

// What a marker of ground that moves prescribes: its position and angle.
static hol_status collect_marker(hol_loads *l, const hol_marker_info *k)
{
    const hol_motion *motion = k->marker.frame == HOL_FRAME_MOVING ? hol_marker_motion(&k->marker) : NULL;
    hol_load f = {.kind = HOL_LOAD_MOTION, .name = k->name, .level = 2, .equation = -1};
    hol_status st = HOL_OK;
    for (int i = 0; i < 4 && motion && !st; i++) {
        f.at = motion->at;
        f.angle = i == 3;
        f.whole = f.angle ? motion->angle : motion->position[i];
        if (f.whole) st = add(l, &f);
    }
    return st;
}

static bool is_not_marked(const void *user, const hol_expr *e, int j, const hol_leaf *leaf)
{
    const hol_loads *l = user;
    (void)j;
    return e && !l->taken[leaf->index];
}

// Marks an unknown and what it follows from.
static void mark_taken(hol_loads *l, int of)
{
    const hol_equation *e = &l->m->equation[of];
    l->taken[of] = true;
    hol_chain_find(&l->chain, e->expr, e->n_leaves, e->leaf, is_not_marked, l);
    l->chain_of = NULL;
    for (int i = 0; i < l->chain.n; i++) l->taken[l->chain.list[i]] = true;
}

// All functions of time of the model.
static hol_status collect(hol_loads *l)
{
    find_kinds(l);
    hol_status st = collect_equations(l);
    for (int i = 0; i < l->m->n_equations; i++)
        if (l->kind[i] != HOL_LOAD_VARIABLE) mark_taken(l, i);
    for (int i = l->m->n_bodies; i < l->m->n_elements && !st; i++) st = collect_element(l, &l->m->element[i]);
    for (int i = l->m->ground_marker; i < l->m->n_markers && !st; i++)
        st = collect_marker(l, &l->m->marker[i]);
    return st;
}

// ---- stop times --------------------------------------------------------------------------------------------------

// A motion's curvature is the acceleration of what it moves, which a force's value is.
static int order_of(const hol_load *f, const hol_jump *j) { return j->order - f->level; }

bool hol_load_is_unbounded(const hol_jump *j) { return !isfinite(j->left) || !isfinite(j->right); }

bool hol_load_cannot(const hol_load *f, const hol_jump *j)
{
    const int order = order_of(f, j), least = f->level > 0 && hol_load_is_unbounded(j) ? 1 : 0;
    return order < least && f->is_term;
}

// Is the next jump of the function so near that what the method knows of the time between is of no use afterwards?
static bool is_short(const hol_loads *l, const hol_load *f, const hol_jump *j)
{
    const int i = (int)(j - f->found.jump);
    const double near = SHORT * (l->end - l->from);
    return (i > 0 && j->before - j[-1].after < near) ||
           (i + 1 < f->found.n_jumps && j[1].before - j->after < near);
}

// Does the method start anew? Not for the sign of an event, and where a slope jumps all the time error control does without.
static bool starts_anew(const hol_loads *l, const hol_load *f, const hol_jump *j, int slopes)
{
    const int order = order_of(f, j);
    if (f->kind == HOL_LOAD_EVENT) return false;
    if (order <= HOL_JUMP_VALUE) return true;
    if (order == HOL_JUMP_SLOPE) return slopes <= MOST_SLOPES;
    return f->found.n_jumps <= MOST_SLOPES && is_short(l, f, j);
}

// Does the start lie on it, with accelerations that do not jump? Then there is nothing to begin anew.
static bool begins_even(const hol_loads *l, const hol_load *f, const hol_jump *j)
{
    return j->before <= l->from && order_of(f, j) > HOL_JUMP_VALUE;
}

// A place that is wider than a few digits is one where an argument rests: beside it derivatives have lost digits by (width/distance)^2.
static hol_status add_stop(hol_loads *l, double before, double after, bool anew)
{
    const double width = after - before, beside = width > HOL_STOP_SHARP * after ? BESIDE * width : 0;
    if (!HOL_GROW(l->ctx, l->stop, l->stop_capacity, l->n_stops + 1)) return HOL_ERR_MEMORY;
    l->stop[l->n_stops++] = (hol_stop_time){fmax(l->from, before - beside), after + beside, anew};
    return HOL_OK;
}

// The jumps of one function become stop times. So do places where it has no value, or no derivative, with both on either side: no stage of
// a step is there, and the first one begins no nearer to one than a search finds.
static hol_status add_stops(hol_loads *l, const hol_load *f)
{
    const double apart = TOGETHER * (l->end - l->from);
    hol_status st = HOL_OK;
    int slopes = 0;
    for (int i = 0; i < f->found.n_jumps; i++) slopes += order_of(f, &f->found.jump[i]) == HOL_JUMP_SLOPE;
    for (int i = 0; i < f->found.n_jumps && !st; i++) {
        const hol_jump *j = &f->found.jump[i];
        if (!begins_even(l, f, j)) st = add_stop(l, j->before, j->after, starts_anew(l, f, j, slopes));
    }
    for (int i = 0; i < f->found.n_holes && !st; i++) {
        const hol_hole *h = &f->found.hole[i];
        if (h->kind == HOL_HOLE_REMOVABLE || h->kind == HOL_HOLE_TOUCHED)
            st = add_stop(l, h->before, h->before > l->from ? h->after : h->after + apart,
                          f->kind != HOL_LOAD_EVENT);
    }
    return st;
}

static hol_status add_cells(hol_loads *l, const hol_features *f)
{
    if (!f->n_cells) return HOL_OK;
    if (!HOL_GROW(l->ctx, l->cell, l->cell_capacity, l->n_cells + f->n_cells)) return HOL_ERR_MEMORY;
    memcpy(l->cell + l->n_cells, f->cell, (size_t)f->n_cells * sizeof *f->cell);
    l->n_cells += f->n_cells;
    return HOL_OK;
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b; // their first member
    return (x > y) - (x < y);
}

// In order; those that are nearer to each other than what is told apart are one.
static void merge_stops(hol_loads *l)
{
    const double together = TOGETHER * (l->end - l->from);
    int n = 0;
    if (l->n_stops) qsort(l->stop, (size_t)l->n_stops, sizeof *l->stop, by_time);
    for (int i = 0; i < l->n_stops; i++) {
        hol_stop_time *last = n ? &l->stop[n - 1] : NULL;
        if (!last || l->stop[i].before - last->after > together) {
            l->stop[n++] = l->stop[i];
            continue;
        }
        last->after = fmax(last->after, l->stop[i].after);
        last->anew = last->anew || l->stop[i].anew;
    }
    l->n_stops = n;
}

// What all functions do from l->from on.
static hol_status find(hol_loads *l)
{
    hol_status st = HOL_OK;
    l->n_stops = l->n_cells = l->reached = 0;
    l->longest = HOL_INF;
    for (int i = 0; i < l->n && !st && l->end > l->from; i++) {
        hol_load *f = &l->load[i];
        hol_features_free(&f->found);
        st = hol_features_find(l->ctx, &f->timed, l->from, l->end, l->finest, &f->found);
        if (!st) st = add_stops(l, f);
        if (!st) st = add_cells(l, &f->found);
        l->evaluations += f->found.evaluations;
        if (f->found.dense) l->longest = fmin(l->longest, 2 * f->found.shortest);
    }
    merge_stops(l);
    if (l->n_cells) qsort(l->cell, (size_t)l->n_cells, sizeof *l->cell, by_time);
    return st;
}

hol_status hol_loads_create(hol_context *ctx, const hol_model_data *m, double end, double finest,
                            hol_loads *out)
{
    *out = (hol_loads){.ctx = ctx, .m = m, .end = end, .finest = finest, .longest = HOL_INF};
    out->arena = hol_arena_create(ctx);
    out->timed = hol_calloc(ctx, (size_t)m->n_equations + 1, sizeof *out->timed);
    out->kind = hol_calloc(ctx, (size_t)m->n_equations + 1, sizeof *out->kind);
    out->taken = hol_calloc(ctx, (size_t)m->n_equations + 1, sizeof *out->taken);
    out->range = hol_calloc(ctx, (size_t)m->n_equations + 1, sizeof *out->range);
    out->jet = hol_calloc(ctx, (size_t)m->n_equations + 1, sizeof *out->jet);
    out->held = hol_calloc(ctx, (size_t)m->n_mem + 1, sizeof *out->held);
    const bool room =
        out->arena && out->timed && out->kind && out->taken && out->held && out->range && out->jet;
    hol_status st = room ? hol_chain_create(ctx, m, &out->chain) : HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_mem && !st; i++) out->held[i] = (double)NAN;
    for (int i = 0; i < m->n_held && !st; i++) out->held[m->held[i].slot] = m->held[i].initial;
    if (!st) st = find_timed(out);
    if (!st) st = collect(out);
    return st ? st : find(out);
}

void hol_loads_destroy(hol_loads *l)
{
    for (int i = 0; i < l->n; i++) hol_features_free(&l->load[i].found);
    hol_arena_destroy(l->arena);
    hol_free(l->timed);
    hol_free(l->kind);
    hol_free(l->taken);
    hol_chain_destroy(&l->chain);
    hol_free(l->range);
    hol_free(l->jet);
    hol_free(l->held);
    hol_free(l->load);
    hol_free(l->stop);
    hol_free(l->cell);
    *l = (hol_loads){.n = 0};
}

// Does an expression take a parameter that events have set since the search?
static bool is_changed(const hol_loads *l, const hol_expr *e, int n, const hol_leaf *leaf, const double *mem)
{
    for (int i = 0; i < n; i++)
        if (leaf[i].kind == HOL_LEAF_HELD && hol_expr_uses_leaf(e, i) &&
            mem[leaf[i].index] != l->held[leaf[i].index])
            return true;
    return false;
}

// The same of a function and of all that it takes.
static bool takes_changed(hol_loads *l, const hol_load *load, const double *mem)
{
    const hol_chain *chain = chain_of(l, load->part, load->n_leaves, load->leaf);
    bool yes = is_changed(l, load->part, load->n_leaves, load->leaf, mem);
    for (int i = 0; i < chain->n && !yes; i++) {
        const hol_equation *z = &l->m->equation[chain->list[i]];
        yes = is_changed(l, z->expr, z->n_leaves, z->leaf, mem);
    }
    return yes;
}

hol_status hol_loads_update(hol_loads *l, const double *mem, double t)
{
    const hol_held *h = l->m->held;
    bool set = false, taken = false;
    for (int i = 0; i < l->m->n_held; i++)
        set = set || (!h[i].outside && mem[h[i].slot] != l->held[h[i].slot]);
    if (!set) return HOL_OK;
    for (int k = 0; k < l->n && !taken; k++) taken = takes_changed(l, &l->load[k], mem);
    for (int i = 0; i < l->m->n_held; i++) l->held[h[i].slot] = mem[h[i].slot];
    if (!taken) return HOL_OK;
    int undecided;
    hol_loads_count(l, t, &l->stops_passed, &l->cells_passed, &undecided);
    l->from = t;
    const hol_status st = find(l);
    return st ? st : hol_loads_refuse(l);
}

// What was found follows from where the search began and from the parameters.
void hol_loads_archive(hol_loads *l, const double *mem, hol_archive *a)
{
    double from = l->from;
    bool same = true;
    hol_archive_number(a, &from, 0, DBL_MAX);
    hol_archive_counts(a, &l->stops_passed, 1);
    hol_archive_counts(a, &l->cells_passed, 1);
    if (!a->reading || a->failed) return;
    const hol_held *h = l->m->held;
    for (int i = 0; i < l->m->n_held; i++)
        same = same && (h[i].outside || mem[h[i].slot] == l->held[h[i].slot]);
    if (same && from == l->from) return;
    for (int i = 0; i < l->m->n_held; i++) l->held[h[i].slot] = mem[h[i].slot];
    l->from = from;
    if (find(l)) a->failed = true;
}

// ---- during the run ----------------------------------------------------------------------------------------------

// The first stop time after t.
static const hol_stop_time *next(const hol_loads *l, double t)
{
    int low = 0, high = l->n_stops;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (l->stop[middle].before <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->n_stops ? &l->stop[low] : NULL;
}

// How long a step from t may be for a cell: twice its width, and longer by half the way to it, so that what the function does
// beside its narrow cells is seen too; behind it steps grow by three.
static double longest_for(const hol_cell *c, double t)
{
    const double w = c->to - c->from;
    return 2 * w + (t < c->from ? 0.5 * (c->from - t) : t > c->to ? 2 * (t - c->to) : 0);
}

// A step that overlaps a cell of width w is at most 2 w long, (8.36). Rather two equal steps than a long and a tiny one.
static double within_cells(hol_loads *l, double t, double stop)
{
    double most = stop - t;
    while (l->reached > 0 && l->cell[l->reached - 1].to > t) l->reached--;
    while (l->reached < l->n_cells && l->cell[l->reached].to <= t) l->reached++;
    for (int i = l->reached > 0 ? l->reached - 1 : 0; i < l->n_cells && l->cell[i].from - t < 2 * most; i++)
        most = fmin(most, longest_for(&l->cell[i], t));
    if (most >= stop - t) return stop;
    return stop - t < 2 * most ? t + 0.5 * (stop - t) : t + most;
}

double hol_loads_next(hol_loads *l, double t, double stop)
{
    const hol_stop_time *s = next(l, t);
    if (s) stop = fmin(stop, s->before);
    return l->n_cells ? within_cells(l, t, stop) : stop;
}

const hol_stop_time *hol_loads_at(const hol_loads *l, double t)
{
    if (!l->n_stops) return NULL;
    const hol_stop_time *s = next(l, t);
    const ptrdiff_t i = s ? s - l->stop - 1 : l->n_stops - 1;
    return i >= 0 && t < l->stop[i].after && l->stop[i].anew ? &l->stop[i] : NULL;
}

void hol_loads_count(const hol_loads *l, double t, long *stops, long *cells, int *undecided)
{
    *stops = l->stops_passed;
    *cells = l->cells_passed;
    *undecided = 0;
    for (int i = 0; i < l->n_stops && l->stop[i].before <= t; i++) ++*stops;
    for (int i = 0; i < l->n_cells && l->cell[i].from < t; i++) *cells += l->cell[i].to <= t;
    for (int i = 0; i < l->n; i++) *undecided += l->load[i].found.undecided;
}

// ---- what no run can pass ------------------------------------------------------------------------------------------

const char *hol_load_word(const hol_load *f)
{
    static const char *const word[] = {"force", "the motion of", "constraint", "state", "variable", "event"};
    return word[f->kind];
}

const char *hol_load_what_jumps(const hol_load *f, const hol_jump *j)
{
    static const char *const what[] = {"position", "velocity", "acceleration"};
    return what[j->order + 2 - f->level];
}

enum { MOST_TABLES = 8 };

// What to write where a table has a corner at the time t; NULL: none has one.
static const char *smoother_table(const hol_loads *l, const hol_load *f, double t)
{
    hol_table_use use[MOST_TABLES];
    hol_real x[4];
    const int n = hol_expr_tables(l->arena, f->whole, MOST_TABLES, use);
    bool kinks = false;
    for (int i = 0; i < n && i < MOST_TABLES; i++) {
        kinks = kinks || hol_spline_kinks(use[i].table);
        if (!use[i].of_time) continue;
        hol_expr_jet(use[i].argument, t, x);
        if (hol_spline_breaks_off(use[i].table, hol_re(x[0])))
            return "`beyond: hold` breaks off the slope of the table at its end: take `beyond: line`, or end "
                   "a table "
                   "of kind: akima with three points of one value, behind which it is level";
    }
    return kinks ? "the table is joined by lines: take one with kind: akima, or cubic, whose slope is "
                   "continuous"
                 : NULL;
}

// What is offered takes a fiftieth of the run.
void hol_load_way(const hol_load *f, const hol_jump *j, char text[HOL_LOAD_WAY])
{
    const hol_loads *l = f->all;
    const double from = hol_jump_time(j), to = from + 0.02 * (l->end - l->from);
    const char *const smoother = j->order == HOL_JUMP_VALUE ? NULL : smoother_table(l, f, from);
    if (j->order == HOL_JUMP_VALUE && f->kind == HOL_LOAD_MOTION)
        hol_decimal_print(
            text, HOL_LOAD_WAY,
            "step5(time, %.6g, %.6g, %.6g, %.6g) goes from the one value to the other in a while", from,
            j->left, to, j->right);
    else if (j->order == HOL_JUMP_VALUE)
        hol_decimal_print(
            text, HOL_LOAD_WAY,
            "put step5(time, %.6g, 0, %.6g, 1), which goes from 0 to 1 in a while, in place of the jump",
            from, to);
    else if (smoother)
        hol_decimal_print(text, HOL_LOAD_WAY, "%s", smoother);
    else
        hol_decimal_print(
            text, HOL_LOAD_WAY,
            "with a for what it is before and b for what it is after, write (a) + ((b) - (a))*"
            "step5(time, %.6g, 0, %.6g, 1), which goes from the one to the other in a while%s",
            from, to,
            f->kind == HOL_LOAD_MOTION ? "" : ", or write spline(time, NAME) of a table with kind: cubic");
}

// A position or a velocity that jumps takes an infinite force.
static hol_status refuse_jump(const hol_loads *l, const hol_load *f, const hol_jump *j)
{
    const bool motion = f->kind == HOL_LOAD_MOTION, value = j->order == HOL_JUMP_VALUE;
    char by[40] = "", way[HOL_LOAD_WAY];
    hol_load_way(f, j, way);
    if (hol_load_is_unbounded(j))
        return hol_fail_at(l->ctx, HOL_ERR_MODEL, f->at,
                           "%s \"%s\"%s (\"%.200s\") has no bounded %s at %.9g s: a motion that no force can "
                           "make; --end %.4g ends before it",
                           motion ? "the motion that" : "constraint", f->name, motion ? " prescribes" : "",
                           hol_expr_text(f->whole), hol_load_what_jumps(f, j), hol_jump_time(j),
                           0.999 * j->before);
    if (motion)
        hol_decimal_print(by, sizeof by, " by %.6g %s%s", j->right - j->left, f->angle ? "rad" : "m",
                          value ? "" : "/s");
    return hol_fail_at(l->ctx, HOL_ERR_MODEL, f->at,
                       "%s \"%s\"%s (\"%.200s\") jumps%s at %.9g s%s: a motion that no force can make; %s",
                       motion ? "the motion that" : "constraint", f->name, motion ? " prescribes" : "",
                       hol_expr_text(f->whole), by, hol_jump_time(j), motion || value ? "" : " by its slope",
                       way);
}

// Does the motion follow from it?
static bool is_needed(const hol_loads *l, const hol_load *f)
{
    return f->kind == HOL_LOAD_VARIABLE ? l->taken[f->equation] : f->kind != HOL_LOAD_EVENT;
}

static hol_status refuse_pole(const hol_loads *l, const hol_load *f, const hol_hole *h)
{
    const double at = 0.5 * (h->before + h->after);
    return hol_fail_at(
        l->ctx, HOL_ERR_MODEL, f->at,
        "%s \"%s\" (\"%.200s\") has a pole at t = %.9g s, where it grows without bound: no run "
        "can pass it; --end %.4g ends before it",
        hol_load_word(f), f->name, hol_expr_text(f->whole), at, 0.999 * at);
}

static hol_status refuse_large(const hol_loads *l, const hol_load *f, const hol_hole *h)
{
    return hol_fail_at(l->ctx, HOL_ERR_MODEL, f->at,
                       "%s \"%s\" (\"%.200s\") grows above the largest number, 1.8e308, at t = %.9g s: no "
                       "run can pass it; is its exponent right, and its unit?",
                       hol_load_word(f), f->name, hol_expr_text(f->whole), 0.5 * (h->before + h->after));
}

hol_status hol_loads_refuse(const hol_loads *l)
{
    for (int i = 0; i < l->n; i++) {
        const hol_load *f = &l->load[i];
        for (int k = 0; k < f->found.n_jumps; k++)
            if (hol_load_cannot(f, &f->found.jump[k])) return refuse_jump(l, f, &f->found.jump[k]);
        for (int k = 0; k < f->found.n_holes && is_needed(l, f); k++) {
            const hol_hole *h = &f->found.hole[k];
            if (h->kind == HOL_HOLE_POLE) return refuse_pole(l, f, h);
            if (h->kind == HOL_HOLE_LARGE) return refuse_large(l, f, h);
        }
    }
    return HOL_OK;
}
