// What the error norm judges together: islands of bodies that act on each other, their lengths, and the groups of a vector's
// entries. docs/theory.md, section 5.5.
#include "integrator/norm.h"
#include "model/swarm.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define BRIEF 0.1 // steps of good methods are longer, by 1/W, where the error limits them

// ---- islands --------------------------------------------------------------------------------------------------

// The body that stands for the island of one, paths being made shorter on the way.
static int root_of(int *father, int body)
{
    while (father[body] != body) body = father[body] = father[father[body]];
    return body;
}

static void join(int *father, int a, int b)
{
    if (a >= 0 && b >= 0) father[root_of(father, a)] = root_of(father, b);
}

static void join_all(int *father, const int *body, int n, int *with)
{
    for (int i = 0; i < n; i++) {
        if (*with < 0) *with = body[i];
        join(father, body[i], *with);
    }
}

// Bodies that an equation of users looks at; all such are one island.
static void join_leaves(const hol_model_data *m, int *father, const hol_equation *e, int *with)
{
    for (int k = 0; k < e->n_leaves; k++) {
        const hol_leaf *l = &e->leaf[k];
        if (l->kind == HOL_LEAF_QUANTITY) join_all(father, l->body, l->n_bodies, with);
        if (l->kind != HOL_LEAF_REACTION) continue;
        join_all(father, m->element[l->index].body, m->element[l->index].n_bodies, with);
    }
}

static bool takes_unknowns(const hol_element *e)
{
    for (int i = 0; i < e->n_inputs; i++)
        if (!e->input[i].time) return true;
    return false;
}

// father[body]: another one of its island.
static void find_islands(const hol_model_data *m, int *father)
{
    int users = -1;
    for (int k = 0; k < m->n_bodies; k++) father[k] = k;
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        int own = -1;
        join_all(father, e->body, e->n_bodies, &own);
        if (takes_unknowns(e)) join_all(father, e->body, e->n_bodies, &users);
    }
    for (int k = 0; k < m->n_equations; k++) join_leaves(m, father, &m->equation[k], &users);
    for (int k = 0; k < m->n_swarms; k++) {
        int own = -1;
        for (int i = 0; i < m->swarm[k].n; i++)
            if (m->swarm[k].shape[i].body >= 0) join_all(father, &m->swarm[k].shape[i].body, 1, &own);
    }
}

typedef struct {
    double lo[3], hi[3];
} box;

static void widen(box *b, const double *place, int n)
{
    for (int i = 0; i < n; i++) {
        b->lo[i] = fmin(b->lo[i], place[i]);
        b->hi[i] = fmax(b->hi[i], place[i]);
    }
}

// Without a place on a body that is not its centre: how far apart bodies and their places on ground are drawn.
static void find_extents(const hol_model_data *m, const hol_groups *g, box *extent)
{
    for (int k = 0; k < g->n_islands; k++)
        for (int i = 0; i < 3; i++) extent[k].lo[i] = HOL_INF, extent[k].hi[i] = -HOL_INF;
    for (int k = 0; k < m->n_bodies; k++)
        widen(&extent[g->island_of[k]], m->start_q + m->body[k].q, m->dimension);
    for (int k = m->n_bodies; k < m->n_elements; k++) {
        const hol_element *e = &m->element[k];
        for (int i = 0; i < e->n_ends && e->n_bodies; i++)
            if (e->end[i].body < 0 && e->end[i].marker->frame == HOL_FRAME_GROUND)
                widen(&extent[g->island_of[e->body[0]]], e->end[i].marker->s, m->dimension);
    }
    for (int k = 0; k < m->n_swarms; k++)
        for (int i = 0, first = -1; i < m->swarm[k].n; i++) {
            const hol_swarm_shape *shape = &m->swarm[k].shape[i];
            if (shape->body >= 0 && first < 0) first = g->island_of[shape->body];
            if (shape->body < 0 && first >= 0) widen(&extent[first], shape->s, m->dimension);
        }
}

// Length of each island: the model's where the user gives one, else that of its longest body, or as far as it extends.
static hol_status find_lengths(hol_context *ctx, const hol_model_data *m, hol_groups *g)
{
    box *extent = hol_calloc(ctx, (size_t)g->n_islands + 1, sizeof *extent);
    if (!extent) return HOL_ERR_MEMORY;
    find_extents(m, g, extent);
    for (int k = 0; k < m->n_bodies; k++) {
        hol_island *o = &g->island[g->island_of[k]];
        o->length = fmax(o->length, m->body[k].length);
    }
    for (int k = 0; k < g->n_islands; k++) {
        hol_island *o = &g->island[k];
        double sum = 0;
        for (int i = 0; i < m->dimension; i++) sum += pow(extent[k].hi[i] - extent[k].lo[i], 2);
        if (!(o->length > 0)) o->length = sqrt(sum);
        if (m->spec->length_scale > 0 || !(o->length > 0)) o->length = m->length_scale;
    }
    hol_free(extent);
    return HOL_OK;
}

// Does a joint or a force act on its bodies, or do they fly?
static void find_held(const hol_model_data *m, hol_groups *g)
{
    for (int k = m->n_bodies; k < m->n_elements; k++)
        for (int i = 0; i < m->element[k].n_bodies; i++)
            g->island[g->island_of[m->element[k].body[i]]].held = true;
    for (int k = 0; k < m->n_swarms; k++)
        for (int i = 0; i < m->swarm[k].n_balls; i++)
            if (m->swarm[k].shape[i].body >= 0)
                g->island[g->island_of[m->swarm[k].shape[i].body]].held = true;
}

// Islands are numbered in the order of their first bodies.
static hol_status make_islands(hol_context *ctx, const hol_model_data *m, hol_groups *g)
{
    int *father = hol_calloc(ctx, (size_t)m->n_bodies + 1, sizeof *father);
    if (!father) return HOL_ERR_MEMORY;
    find_islands(m, father);
    for (int k = 0; k < m->n_bodies; k++)
        if (root_of(father, k) == k) g->island_of[k] = g->n_islands++;
    for (int k = 0; k < m->n_bodies; k++) g->island_of[k] = g->island_of[root_of(father, k)];
    hol_free(father);
    g->island = hol_calloc(ctx, (size_t)g->n_islands + 1, sizeof *g->island);
    if (!g->island) return HOL_ERR_MEMORY;
    find_held(m, g);
    return find_lengths(ctx, m, g);
}

// ---- groups ---------------------------------------------------------------------------------------------------

// Room for so many of each kind.
static hol_status make_room(hol_context *ctx, int n_bodies, int positions, int rates, int states,
                            hol_groups **out)
{
    const size_t n = (size_t)positions + (size_t)rates + (size_t)states;
    hol_groups *g = *out = hol_calloc(ctx, 1, sizeof *g);
    if (!g) return HOL_ERR_MEMORY;
    g->island_of = hol_calloc(ctx, (size_t)n_bodies + 1, sizeof *g->island_of);
    g->position = hol_calloc(ctx, n + 1, sizeof *g->position);
    if (!g->island_of || !g->position) return HOL_ERR_MEMORY;
    g->rate = g->position + positions;
    g->state = g->rate + rates;
    return HOL_OK;
}

static void add(hol_group *list, int *n, hol_group o)
{
    if (o.count) list[(*n)++] = o;
}

// Translation and rotation of body k.
static void add_body(const hol_model_data *m, const hol_admitted *a, int k, hol_groups *g)
{
    const hol_body *b = &m->body[k];
    const int island = g->island_of[k];
    const double length = g->island[island].length;
    int lengths = 0;
    while (lengths < b->size && hol_model_is_length(m, k, lengths)) lengths++;
    const hol_group way = {.at = b->q,
                           .count = lengths,
                           .island = island,
                           .factor = 1,
                           .size = length * (a->length > 0 ? pow(a->length / length, a->power) : a->part),
                           .span = length},
                    turn = {.at = b->q + lengths,
                            .count = b->size - lengths,
                            .island = island,
                            .turns = true,
                            .factor = b->frame == HOL_FRAME_SPATIAL ? 2 : 1,
                            .size = a->angle > 0 ? a->angle : a->part,
                            .span = 1};
    add(g->position, &g->n_positions, way);
    add(g->position, &g->n_positions, turn);
    add(g->rate, &g->n_rates, way);
    add(g->rate, &g->n_rates, turn);
}

hol_status hol_groups_create(hol_context *ctx, const hol_model_data *m, hol_errors errors,
                             const hol_admitted *a, hol_groups **out)
{
    hol_status st = make_room(ctx, m->n_bodies, 2 * m->n_bodies, 2 * m->n_bodies, m->n_states, out);
    hol_groups *g = *out;
    if (!st) st = make_islands(ctx, m, g);
    if (st) return st;
    g->slowest = 1 / m->time_scale;
    g->brief = BRIEF;
    g->skips = errors == HOL_ERRORS_POSITIONS;
    for (int k = 0; k < m->n_bodies; k++) add_body(m, a, k, g);
    for (int i = 0; i < m->n_states; i++) {
        const double part = m->state[i].forgets ? a->state * a->forgotten : a->state;
        add(g->state, &g->n_states,
            (hol_group){.at = i, .count = 1, .factor = 1, .size = part * m->state[i].size, .span = 1});
    }
    return HOL_OK;
}

// The group of the model that a coordinate begins: groups stand in the order of coordinates.
static const hol_group *group_at(const hol_groups *g, int at)
{
    int lo = 0, hi = g->n_positions - 1;
    while (lo < hi) {
        const int mid = (lo + hi + 1) / 2;
        if (g->position[mid].at <= at)
            lo = mid;
        else
            hi = mid - 1;
    }
    return &g->position[lo];
}

// Groups of n entries that are like coordinates of g.
static int follow(const hol_groups *g, const int *like, int n, hol_group *out)
{
    int groups = 0;
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && like[end] == like[i];) end++;
        const hol_group *from = group_at(g, like[i]);
        out[groups] = *from;
        out[groups].at = i;
        out[groups].count = end - i;
        out[groups++].factor = end - i == 4 ? 2 : 1; // four are Euler parameters
    }
    return groups;
}

hol_status hol_groups_create_like(hol_context *ctx, const hol_model_data *m, const hol_groups *g,
                                  const int *like, int n_q, int n_u, hol_groups **out)
{
    const hol_status st = make_room(ctx, m->n_bodies, n_q, n_u, g->n_states, out);
    hol_groups *o = *out;
    if (st) return st;
    o->n_islands = g->n_islands;
    o->slowest = g->slowest;
    o->brief = g->brief;
    o->skips = g->skips;
    o->island = hol_calloc(ctx, (size_t)g->n_islands + 1, sizeof *o->island);
    if (!o->island) return HOL_ERR_MEMORY;
    memcpy(o->island, g->island, (size_t)g->n_islands * sizeof *o->island);
    o->n_positions = follow(g, like, n_q, o->position);
    o->n_rates = follow(g, like + n_q, n_u, o->rate);
    memcpy(o->state, g->state, (size_t)g->n_states * sizeof *o->state);
    o->n_states = g->n_states;
    return HOL_OK;
}

void hol_groups_destroy(hol_groups *g)
{
    if (!g) return;
    hol_free(g->island_of);
    hol_free(g->position);
    hol_free(g->island);
    if (g->depth) hol_free(g->depth[0].position);
    hol_free(g->depth);
    hol_free(g);
}
