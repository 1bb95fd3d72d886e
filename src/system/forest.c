// The spanning forest of the joints, by breadth-first search, and the loop closures that are cut; strands of bodies
// that continue each other are kept whole. docs/theory.md, section 14.1. Every pass is linear in the number of bodies
// and elements.
#include "system/forest.h"
#include "linalg/breadth.h"
#include "system/twist.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {                   // an element that may tie two bodies, or a body and ground
    int element, end[2], place[2]; // bodies, n_bodies: ground; where on each body the joint is (numbers)
    bool strong;                   // holds a point, more or less: strands go through it
    bool geared;           // a rotor turns with it: in the tree it costs nothing, outside none carries it
    bool held;             // belongs to the tree before all else
    bool chosen, straight; // in the forest; within a strand
} edge;

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    const double *q;
    const char *cut;
    hol_forest *f;
    int n_edges, ground;
    edge *edge;
    int *first,
        *adjacent; // edges at each vertex                                   (n_bodies + 2), (2 n_edges)
    int *set;      // union-find over bodies and ground
    int *rank, *via, *queue; // order of the search, edge each vertex was reached by
    int n_reached;
} chooser;

// ---- edges ----------------------------------------------------------------------------------------------------

// Could the element belong to the tree? Couplers and constraints by expression measure against ground too.
static bool may_tie(const hol_element *e)
{
    return e->n_rows > 0 && e->n_ends == 2 && !e->type->joints && e->type->role != HOL_ROLE_CONSTRAINT &&
           e->loop != HOL_LOOP_YES;
}

static int vertex(const chooser *c, const hol_end *end) { return end->body < 0 ? c->ground : end->body; }

// The joints that rotors turn with: of those between the same two, what holds a point.
static void find_geared(const chooser *c)
{
    const hol_model_data *m = c->m;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (!e->type->resist) continue;
        const int a = e->body[0], b = e->n_bodies > 1 ? e->body[1] : c->ground;
        for (int k = c->first[a]; k < c->first[a + 1]; k++) {
            edge *g = &c->edge[c->adjacent[k]];
            if (g->strong && g->end[g->end[0] == a] == b) g->geared = true;
        }
    }
}

// Constraints that may tie two bodies, as edges of a graph with those at each body listed; strong: with rows
// enough to hold a point.
static hol_status list_edges(chooser *c)
{
    const hol_model_data *m = c->m;
    const size_t n = (size_t)m->n_bodies + 1, ne = (size_t)(m->n_elements - m->n_bodies) + 1;
    c->ground = m->n_bodies;
    c->edge = hol_calloc(c->ctx, ne, sizeof *c->edge);
    c->first = hol_calloc(c->ctx, n + 2, sizeof *c->first);
    c->adjacent = hol_calloc(c->ctx, 2 * ne, sizeof *c->adjacent);
    c->set = hol_calloc(c->ctx, 4 * n, sizeof *c->set);
    if (!c->edge || !c->first || !c->adjacent || !c->set) return HOL_ERR_MEMORY;
    c->rank = c->set + n, c->via = c->rank + n, c->queue = c->via + n;
    for (int i = m->n_bodies; i < m->n_elements; i++) {
        const hol_element *e = &m->element[i];
        if (!may_tie(e) || (c->cut && c->cut[i]) || vertex(c, &e->end[0]) == vertex(c, &e->end[1])) continue;
        edge *g = &c->edge[c->n_edges++];
        *g = (edge){.element = i, .strong = e->n_rows >= m->dimension};
        for (int k = 0; k < 2; k++) {
            g->end[k] = vertex(c, &e->end[k]);
            c->first[g->end[k] + 2]++;
        }
    }
    for (size_t v = 2; v < n + 2; v++) c->first[v] += c->first[v - 1];
    for (int i = 0; i < c->n_edges; i++)
        for (int k = 0; k < 2; k++) c->adjacent[c->first[c->edge[i].end[k] + 1]++] = i;
    find_geared(c);
    return HOL_OK;
}

static int root_of(int *set, int v)
{
    while (set[v] != v) v = set[v] = set[set[v]];
    return v;
}

static bool unite(chooser *c, int a, int b)
{
    a = root_of(c->set, a), b = root_of(c->set, b);
    if (a == b) return false;
    c->set[a < b ? b : a] = a < b ? a : b;
    return true;
}

// ---- how far from ground ------------------------------------------------------------------------------------------

// Breadth first from v, joints that hold points before others, which wait in the far part of the queue.
static void reach(chooser *c, int v, int *weak, int *n_weak)
{
    int next = c->n_reached;
    c->queue[c->n_reached++] = v;
    for (;;) {
        for (; next < c->n_reached; next++) {
            const int a = c->queue[next];
            for (int i = c->first[a]; i < c->first[a + 1]; i++) {
                const int g = c->adjacent[i];
                const edge *at = &c->edge[g];
                const int b = at->end[0] == a ? at->end[1] : at->end[0];
                c->f->visited++;
                if (c->rank[b] >= 0) continue;
                if (!at->strong) {
                    weak[(*n_weak)++] = g;
                    continue;
                }
                c->rank[b] = c->n_reached;
                c->via[b] = g;
                c->queue[c->n_reached++] = b;
            }
        }
        int found = -1;
        while (*n_weak && found < 0) {
            const int g = weak[--*n_weak];
            for (int k = 0; k < 2; k++)
                if (c->rank[c->edge[g].end[k]] < 0) found = c->edge[g].end[k], c->via[found] = g;
        }
        if (found < 0) return;
        c->rank[found] = c->n_reached;
        c->queue[c->n_reached++] = found;
    }
}

// Breadth first from the ground, then from each body not reached; weak joints come last.
static hol_status search(chooser *c)
{
    int *weak = hol_calloc(c->ctx, 2 * (size_t)c->n_edges + 1, sizeof *weak), n_weak = 0;
    if (!weak) return HOL_ERR_MEMORY;
    for (int v = 0; v <= c->ground; v++) c->rank[v] = c->via[v] = -1;
    for (int k = 0; k <= c->ground; k++) { // ground first
        const int v = k == 0 ? c->ground : k - 1;
        if (c->rank[v] >= 0) continue;
        c->rank[v] = c->n_reached;
        reach(c, v, weak, &n_weak);
    }
    hol_free(weak);
    return HOL_OK;
}

// ---- strands ----------------------------------------------------------------------------------------------------

// Place of an end in global axes, from the body's centre.
static void joint_point(const chooser *c, const hol_end *end, double out[3])
{
    const hol_body *b = &c->m->body[end->body];
    const double *q = c->q + b->q, *s = end->marker->s;
    for (int i = 0; i < 3; i++) out[i] = 0;
    if (b->frame == HOL_FRAME_PLANAR) {
        out[0] = cos(q[2]) * s[0] - sin(q[2]) * s[1];
        out[1] = sin(q[2]) * s[0] + cos(q[2]) * s[1];
    } else if (b->frame == HOL_FRAME_SPATIAL) {
        double R[9];
        hol_quat_matrix(q + 3, R);
        for (int i = 0; i < 3; i++) out[i] = R[3 * i] * s[0] + R[3 * i + 1] * s[1] + R[3 * i + 2] * s[2];
    }
}

// Angle by which the way from one centre of mass through the joint to the other one turns there.
static double turning(const chooser *c, const hol_element *e)
{
    double a[3], b[3], aa = 0, bb = 0, ab = 0;
    joint_point(c, &e->end[0], a);
    joint_point(c, &e->end[1], b);
    for (int i = 0; i < 3; i++) aa += a[i] * a[i], bb += b[i] * b[i], ab -= a[i] * b[i];
    if (!(aa > 0 && bb > 0)) return 0;
    const double x = ab / sqrt(aa * bb);
    return acos(x < -1 ? -1 : x > 1 ? 1 : x);
}

// Joints of a body at the same point of it get the same number.
static void number_places(chooser *c)
{
    const double near = 1e-6 * c->m->length_scale;
    for (int v = 0; v < c->ground; v++)
        for (int i = c->first[v]; i < c->first[v + 1]; i++) {
            edge *g = &c->edge[c->adjacent[i]];
            const int k = g->end[0] == v ? 0 : 1;
            const double *s = c->m->element[g->element].end[k].marker->s;
            g->place[k] = i;
            // a body with many joints: the few before are looked at, so that the search stays linear
            for (int p = i - 1; p >= c->first[v] && p >= i - 16; p--) {
                const edge *h = &c->edge[c->adjacent[p]];
                const int w = h->end[0] == v ? 0 : 1;
                const double *t = c->m->element[h->element].end[w].marker->s;
                const double gap = fabs(s[0] - t[0]) + fabs(s[1] - t[1]) + fabs(s[2] - t[2]);
                if (gap <= near) g->place[k] = h->place[w];
            }
        }
}

#define STRAIGHT 1.0472 // a strand turns by less than 60 degrees at a joint [rad]
enum { BINS = 1024 };

// Pairs of bodies that continue each other, the straightest first, one partner at each place of a body.
static hol_status pair_ends(chooser *c)
{
    const size_t ne = (size_t)c->n_edges + 1;
    int *bin = hol_calloc(c->ctx, BINS + 2, sizeof *bin), *of = hol_calloc(c->ctx, ne, sizeof *of);
    int *sorted = hol_calloc(c->ctx, ne, sizeof *sorted);
    char *taken = hol_calloc(c->ctx, 2 * ne, 1);
    hol_status st = bin && of && sorted && taken ? HOL_OK : HOL_ERR_MEMORY;
    for (int i = 0; i < c->n_edges && !st; i++) {
        const edge *g = &c->edge[i];
        const bool candidate = g->strong && g->end[0] != c->ground && g->end[1] != c->ground;
        const double angle = candidate ? turning(c, &c->m->element[g->element]) : STRAIGHT;
        of[i] = angle < STRAIGHT ? (int)(BINS * angle / STRAIGHT) : BINS;
        bin[of[i] + 1]++;
    }
    for (int k = 0; k <= BINS && !st; k++) bin[k + 1] += bin[k];
    for (int i = 0; i < c->n_edges && !st; i++) sorted[bin[of[i]]++] = i;
    for (int k = 0; k < c->n_edges && !st; k++) {
        edge *g = &c->edge[sorted[k]];
        if (of[sorted[k]] == BINS) break;
        if (taken[g->place[0]] || taken[g->place[1]]) continue;
        taken[g->place[0]] = taken[g->place[1]] = 1;
        g->chosen = true; // for now: a strand that closes is opened below
    }
    hol_free(bin);
    hol_free(of);
    hol_free(sorted);
    hol_free(taken);
    return st;
}

// Joints that belong to the tree before all that is chosen later: `loop: no`, or those that rotors turn with.
static void hold(chooser *c, bool geared)
{
    for (int i = 0; i < c->n_edges; i++) {
        edge *g = &c->edge[i];
        if (g->held || !(geared ? g->geared : c->m->element[g->element].loop == HOL_LOOP_NO)) continue;
        g->held = true;
        g->chosen = unite(c, g->end[0], g->end[1]);
    }
}

// The forest: joints that must not be cut, those that rotors turn with, then strands, each opened where it closes farthest from
// ground, then each strand by the joint through which the search has reached it first.
static void grow(chooser *c)
{
    for (int v = 0; v <= c->ground; v++) c->set[v] = v;
    hold(c, false);
    hold(c, true);
    for (int k = 0; k < c->n_reached; k++) {
        const int a = c->queue[k];
        for (int i = c->first[a]; i < c->first[a + 1]; i++) {
            edge *g = &c->edge[c->adjacent[i]];
            const int b = g->end[0] == a ? g->end[1] : g->end[0];
            if (!g->chosen || g->held || c->rank[b] > c->rank[a]) continue;
            g->chosen = g->straight = unite(c, a, b);
        }
    }
    for (int k = 0; k < c->n_reached; k++) {
        const int a = c->queue[k];
        if (c->via[a] < 0) continue;
        edge *g = &c->edge[c->via[a]];
        if (!g->chosen && unite(c, g->end[0], g->end[1])) g->chosen = true;
    }
}

// ---- fathers ----------------------------------------------------------------------------------------------------

// Depth first from the roots; a strand goes on first: it is pushed last.
static hol_status order_bodies(chooser *c)
{
    hol_forest *f = c->f;
    const size_t n = (size_t)c->ground + 1;
    int *stack = hol_calloc(c->ctx, n + 1, sizeof *stack), *depth = hol_calloc(c->ctx, n + 1, sizeof *depth);
    char *seen = hol_calloc(c->ctx, n + 1, 1);
    hol_status st = stack && depth && seen ? HOL_OK : HOL_ERR_MEMORY;
    int placed = 0;
    for (int k = 0; k < c->n_reached && !st; k++) {
        int n_stack = 0;
        if (seen[c->queue[k]]) continue;
        seen[c->queue[k]] = 1;
        stack[n_stack++] = c->queue[k];
        if (c->queue[k] != c->ground) f->father[c->queue[k]] = -1;
        depth[c->queue[k]] = c->queue[k] != c->ground;
        while (n_stack) {
            const int a = stack[--n_stack];
            if (a != c->ground) {
                f->order[placed++] = a;
                f->n_roots += f->father[a] < 0;
                if (depth[a] > f->depth) f->depth = depth[a];
            }
            for (int straight = 0; straight < 2; straight++)
                for (int i = c->first[a]; i < c->first[a + 1]; i++) {
                    const edge *g = &c->edge[c->adjacent[i]];
                    const int b = g->end[0] == a ? g->end[1] : g->end[0];
                    if (!g->chosen || g->straight != straight || seen[b]) continue;
                    seen[b] = 1;
                    f->father[b] = a == c->ground ? -1 : a;
                    depth[b] = depth[a] + 1;
                    stack[n_stack++] = b;
                }
        }
    }
    hol_free(stack);
    hol_free(depth);
    hol_free(seen);
    return st;
}

// ---- ties -------------------------------------------------------------------------------------------------------

// Rows of an element by the twist of one of its bodies, in units of the natural length.
static void rows_of(const chooser *c, const hol_element *e, int body, double *B)
{
    const hol_model_data *m = c->m;
    const int d = hol_twist_size(m);
    hol_state x = {.t = 0, .q = (double *)c->q, .v = m->v0};
    double all[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST];
    hol_twist_rows(m, e, &x, all, NULL, NULL, NULL);
    const int own = e->body[0] == body ? 0 : 1, width = e->n_bodies * d;
    for (int i = 0; i < e->n_rows; i++)
        for (int k = 0; k < d; k++)
            B[i * d + k] = all[i * width + own * d + k] * (k < m->dimension ? m->length_scale : 1);
}

#define INDEPENDENT 1e-6 // part of a row that those before do not span

static int true_size(const hol_body *b) { return b->frame == HOL_FRAME_SPATIAL ? 6 : b->size; }

// The edges between a body and its father: the chosen one, then what fits.
static int tie_body(const chooser *c, int body, int *tie)
{
    const hol_forest *f = c->f;
    const int father = f->father[body] < 0 ? c->ground : f->father[body], d = hol_twist_size(c->m);
    double B[2 * 36], Q[36], R[36];
    int n = 0, rows = 0, parallel = 0;
    for (int pass = 0; pass < 2 && (pass == 0 || n); pass++)
        for (int i = c->first[body]; i < c->first[body + 1]; i++) {
            const edge *g = &c->edge[c->adjacent[i]];
            const hol_element *e = &c->m->element[g->element];
            const int other = g->end[0] == body ? g->end[1] : g->end[0];
            if (other != father || g->chosen == pass) continue;
            if (pass == 0) {
                tie[n++] = g->element;
                rows = e->n_rows;
                continue;
            }
            if (rows + e->n_rows > true_size(&c->m->body[body])) continue;
            if (!parallel++) rows_of(c, &c->m->element[tie[0]], body, B);
            rows_of(c, e, body, B + rows * d);
            if (hol_row_factors(d, rows + e->n_rows, B, Q, R) < INDEPENDENT) continue;
            tie[n++] = g->element;
            rows += e->n_rows;
        }
    return n;
}

// Which joints tie each body to its father; all other constraints are cut.
static hol_status tie_all(chooser *c)
{
    hol_forest *f = c->f;
    const hol_model_data *m = c->m;
    f->tie = hol_calloc(c->ctx, (size_t)c->n_edges + 1, sizeof *f->tie);
    f->cut = hol_calloc(c->ctx, (size_t)(m->n_elements - m->n_bodies) + 1, sizeof *f->cut);
    f->kept = hol_calloc(c->ctx, (size_t)m->nc + 1, 1);
    if (!f->tie || !f->cut || !f->kept) return HOL_ERR_MEMORY;
    for (int b = 0, n = 0; b < m->n_bodies; b++) {
        f->first[b] = n;
        n += tie_body(c, b, f->tie + n);
        f->first[b + 1] = n;
        for (int i = f->first[b]; i < n; i++) {
            const hol_element *e = &m->element[f->tie[i]];
            memset(f->kept + e->row, 1, (size_t)e->n_rows);
            f->n_rows += e->n_rows;
        }
    }
    for (int i = m->n_bodies; i < m->n_elements; i++)
        if (m->element[i].n_rows && !f->kept[m->element[i].row]) f->cut[f->n_cut++] = i;
    return HOL_OK;
}

// ---- joints that must not be cut --------------------------------------------------------------------------------

enum { NAMED = 8 };

typedef struct {
    char text[400];
    int n;
} name_list;

static void add_name(name_list *l, const char *name)
{
    const size_t used = strlen(l->text);
    if (l->n++ < NAMED) snprintf(l->text + used, sizeof l->text - used, ", %.40s", name);
}

// All joints around the loop that e closes are in the tree: they are on the ways from both ends to where these meet.
static hol_status contradiction(chooser *c, const hol_element *e)
{
    const hol_forest *f = c->f;
    name_list names = {.n = 0};
    char *passed = hol_calloc(c->ctx, (size_t)c->ground + 1, 1);
    if (!passed) return HOL_ERR_MEMORY;
    int meet = e->end[1].body;
    for (int b = e->end[0].body; b >= 0; b = f->father[b]) passed[b] = 1;
    for (; meet >= 0 && !passed[meet]; meet = f->father[meet])
        add_name(&names, c->m->element[f->tie[f->first[meet]]].name);
    for (int b = e->end[0].body; b != meet; b = f->father[b])
        add_name(&names, c->m->element[f->tie[f->first[b]]].name);
    hol_free(passed);
    return hol_fail_at(c->ctx, HOL_ERR_MODEL, e->at,
                       "%s: \"loop: no\" stands at all joints around a loop, one of them must be cut: %s%s%s",
                       e->name, e->name, names.text, names.n > NAMED ? ", ..." : "");
}

static hol_status check_choice(chooser *c)
{
    for (int i = 0; i < c->f->n_cut; i++) {
        const hol_element *e = &c->m->element[c->f->cut[i]];
        if (e->loop == HOL_LOOP_NO) return contradiction(c, e);
    }
    return HOL_OK;
}

// ---- all joints cut -----------------------------------------------------------------------------------------------

enum {
    MANY = 1000
}; // bodies that the caches do not hold: neighbours stand near each other. Else the model's order

// An order in which bodies with a common joint stand near each other.
static hol_status order_neighbours(hol_context *ctx, hol_forest *f)
{
    const hol_model_data *m = f->m;
    hol_pattern p = {0};
    hol_pattern_builder to = {.ctx = ctx, .pattern = &p, .n = m->n_bodies};
    int *level = hol_calloc(ctx, (size_t)m->n_bodies + 1, sizeof *level);
    while (level && hol_pattern_pass(&to))
        for (int i = m->n_bodies; i < m->n_elements; i++) {
            const hol_element *e = &m->element[i];
            for (int b = 1; b < e->n_bodies && e->n_rows; b++)
                hol_pattern_add_both(&to, e->body[0], e->body[b]);
        }
    const hol_status st = level ? to.status : HOL_ERR_MEMORY;
    if (!st) hol_breadth_order(&p, f->order, level);
    hol_pattern_destroy(&p);
    hol_free(level);
    return st;
}

// Joints in the order in which the last of their bodies comes, of one body in the model's.
static hol_status order_joints(hol_context *ctx, hol_forest *f)
{
    const hol_model_data *m = f->m;
    int *place = hol_calloc(ctx, 2 * (size_t)m->n_bodies + 3, sizeof *place), *next = place + m->n_bodies + 1;
    if (!place) return HOL_ERR_MEMORY;
    for (int b = 0; b < m->n_bodies; b++) place[f->order[b]] = b;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = m->n_bodies; i < m->n_elements; i++) {
            const hol_element *e = &m->element[i];
            int last = 0;
            if (!e->n_rows) continue;
            for (int b = 0; b < e->n_bodies; b++) last = place[e->body[b]] > last ? place[e->body[b]] : last;
            if (pass)
                f->cut[next[last]++] = i;
            else
                next[last + 1]++, f->n_cut++;
        }
        for (int b = 0; b < m->n_bodies && pass == 0; b++) next[b + 1] += next[b];
    }
    hol_free(place);
    return HOL_OK;
}

hol_status hol_forest_none(hol_context *ctx, const hol_model_data *m, hol_forest *f)
{
    const size_t n = (size_t)m->n_bodies + 1;
    *f = (hol_forest){.m = m, .n_roots = m->n_bodies, .depth = m->n_bodies > 0};
    f->father = hol_calloc(ctx, n, sizeof *f->father);
    f->order = hol_calloc(ctx, n, sizeof *f->order);
    f->first = hol_calloc(ctx, n + 1, sizeof *f->first);
    f->tie = hol_calloc(ctx, 1, sizeof *f->tie);
    f->cut = hol_calloc(ctx, (size_t)(m->n_elements - m->n_bodies) + 1, sizeof *f->cut);
    f->kept = hol_calloc(ctx, (size_t)m->nc + 1, 1);
    if (!f->father || !f->order || !f->first || !f->tie || !f->cut || !f->kept) return HOL_ERR_MEMORY;
    for (int b = 0; b < m->n_bodies; b++) f->father[b] = -1, f->order[b] = b;
    if (m->n_bodies >= MANY) {
        const hol_status st = order_neighbours(ctx, f);
        return st ? st : order_joints(ctx, f);
    }
    for (int i = m->n_bodies; i < m->n_elements; i++)
        if (m->element[i].n_rows) f->cut[f->n_cut++] = i;
    return HOL_OK;
}

hol_status hol_forest_create(hol_context *ctx, const hol_model_data *m, const double *q, hol_forest *f)
{
    return hol_forest_create_without(ctx, m, q, NULL, f);
}

hol_status hol_forest_create_without(hol_context *ctx, const hol_model_data *m, const double *q,
                                     const char *cut, hol_forest *f)
{
    const size_t n = (size_t)m->n_bodies + 1;
    chooser c = {.ctx = ctx, .m = m, .q = q, .cut = cut, .f = f};
    memset(f, 0, sizeof *f);
    f->m = m;
    f->father = hol_calloc(ctx, n, sizeof *f->father);
    f->order = hol_calloc(ctx, n, sizeof *f->order);
    f->first = hol_calloc(ctx, n + 1, sizeof *f->first);
    hol_status st = f->father && f->order && f->first ? list_edges(&c) : HOL_ERR_MEMORY;
    if (!st) st = search(&c);
    if (!st) {
        number_places(&c);
        st = pair_ends(&c);
    }
    if (!st) {
        grow(&c);
        st = order_bodies(&c);
    }
    if (!st) st = tie_all(&c);
    if (!st) st = check_choice(&c);
    void *const arrays[] = {c.edge, c.first, c.adjacent, c.set};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    return st;
}

void hol_forest_destroy(hol_forest *f)
{
    void *const arrays[] = {f->father, f->order, f->first, f->tie, f->cut, f->kept};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    memset(f, 0, sizeof *f);
}
