// Other joints in the place of some of a loop, so that it has no redundant equations and keeps its degrees of freedom.
// docs/theory.md, section 4.6.
//
// lam of a joint is within reach of another one in its place if Phi_q^T lam lies in the span of the other's rows. With F the
// part of the joint's rows outside that span, null vectors N c survive the replacement if F N c = 0. Several replacements
// leave the rank as it is if, together, F N has as many independent rows as they take equations away. What is proposed has
// passed the rank of the whole loop with the new rows, in all poses.
#include "system/remedy.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DATA = 2048, MOST_CHANGES = 3, MOST_NODES = 50000, MOST_SEARCHED = 16, MOST_CHOSEN = 2000 };
#define SMALL 1e-7 // vectors of length 1: what is left of one that depends on others

// What one would rather do: a joint that machines are made of, a primitive, a joint less.
enum { COST_JOINT = 2, COST_PRIMITIVE = 5, COST_SINGLE = 4, COST_OMITTED = 8, COST_ANY_AXIS = 1 };

typedef struct {
    int part;                     // which joint: place in the question's list
    hol_element e;                // in its place; n_rows 0: left out
    const hol_element_type *type; // NULL: left out
    const char *remark;
    int fewer, cost;
    double *f; // what it asks of the coefficients c: orthonormal                (k x fewer)
} candidate;

typedef struct {
    const hol_remedy *q;
    hol_arena *arena; // of the search
    candidate *list;
    int n, room;
    double *basis, *condition; // of what the chosen ask (k x k); room for one           (k)
    double *work;              // rows of two joints                               (n_columns x 18)
    int chosen[MOST_CHOSEN], best[MOST_CHOSEN];
    int n_best, best_cost, best_fewer, nodes;
} search;

static const hol_element *element(const hol_remedy *q, int edge)
{
    return &q->g->m->element[q->g->element[q->l->edge[edge]]];
}

// Appends v (n) to the orthonormal columns of `basis` if it is independent of them: its length beside 1.
static bool append(double *basis, int *count, int n, const double *v, double size)
{
    double *w = basis + (size_t)*count * (size_t)n, norm = 0;
    memmove(w, v, (size_t)n * sizeof *w);
    for (int pass = 0; pass < 2; pass++)
        for (int c = 0; c < *count; c++) {
            const double *b = basis + (size_t)c * (size_t)n;
            double dot = 0;
            for (int i = 0; i < n; i++) dot += b[i] * w[i];
            for (int i = 0; i < n; i++) w[i] -= dot * b[i];
        }
    for (int i = 0; i < n; i++) norm += w[i] * w[i];
    norm = sqrt(norm);
    if (norm <= SMALL * size) return false;
    for (int i = 0; i < n; i++) w[i] /= norm;
    ++*count;
    return true;
}

// ---- candidates -----------------------------------------------------------------------------------------------

// Do its options say what it holds, as lengths do, and not only what acts on its coordinate?
static bool holds_by_options(const hol_element_type *type)
{
    for (const hol_option *o = type->options; o->key; o++)
        if (!(o->flags & HOL_OF_LAW)) return true;
    return false;
}

static bool admits(const hol_element_type *type, const hol_element *e, int dimension)
{
    if (type->role != HOL_ROLE_JOINT || type->ends != 2 || holds_by_options(type)) return false;
    if (type->dimensions != dimension && type->dimensions != 5) return false;
    const int axes = type->axes[dimension - 2];
    for (int k = 0; k < 2; k++)
        if ((axes & (k ? HOL_AXES_SECOND : HOL_AXES_FIRST)) && e->end[k].marker->frame == HOL_FRAME_POINT)
            return false;
    return true;
}

// Another axis of one of the frames in the place of the one that the type uses. The other axes and the quaternion are
// not used by the types that this is done for.
typedef struct {
    int end, axis; // end -1: none
} turn;

// The element with this type instead, between the same frames.
static hol_status make(search *s, const hol_element *e, const hol_element_type *type, turn turned,
                       hol_element *out)
{
    const hol_model_data *m = s->q->g->m;
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y];
    hol_end *end = hol_arena_alloc(s->arena, 2, sizeof *end);
    hol_marker *marker = hol_arena_alloc(s->arena, 1, sizeof *marker);
    hol_axes *axes = hol_arena_alloc(s->arena, 1, sizeof *axes);
    void *data = hol_arena_alloc(s->arena, 1, MAX_DATA);
    if (!end || !marker || !axes || !data) return HOL_ERR_MEMORY;
    memcpy(end, e->end, 2 * sizeof *end);
    if (turned.end >= 0) {
        const hol_marker *old = e->end[turned.end].marker;
        *marker = *old;
        for (int k = 0; k < 3; k++) // turned in a circle, so that they stay right-handed
            memcpy(axes->u[k], old->u[(k + turned.axis + (m->dimension == 2 ? 0 : 1)) % 3], sizeof *old->u);
        if (m->dimension == 2 && turned.axis == 1)
            for (int k = 0; k < 3; k++) axes->u[1][k] = -old->u[0][k];
        memcpy(axes->quat, hol_marker_quat(old), sizeof axes->quat);
        axes->motion = hol_marker_motion(old);
        hol_marker_turn(marker, axes);
        end[turned.end].marker = marker;
    }
    hol_element_gather(m, e, 0, m->q0, NULL, 0, y, w);
    const hol_drawn_end drawn[2] = {hol_model_drawn_end(m, &end[0]), hol_model_drawn_end(m, &end[1])};
    const hol_setup in = {.ctx = s->q->ctx,
                          .arena = s->arena,
                          .dimension = m->dimension,
                          .path = e->name,
                          .at = e->at,
                          .n_ends = 2,
                          .end = drawn,
                          .ny = e->ny,
                          .y = y};
    *out = *e;
    out->type = type;
    out->end = end;
    out->data = data;
    hol_context_mute(in.ctx, true); // it is tried, and stands in no model
    const hol_status st = type->setup(&in, data, out);
    hol_context_mute(in.ctx, false);
    return st;
}

// Does it hold in this pose, being a joint that is not there?
static bool holds(const search *s, const hol_element *e, const hol_state *x)
{
    const double none[HOL_MAX_MEMORY] = {0};
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], phi[HOL_MAX_ROWS];
    hol_element_gather(s->q->g->m, e, x->t, x->q, NULL, 0, y, w);
    e->type->phi(e->data, e->ny, y, none, phi, NULL);
    for (int r = 0; r < e->n_rows; r++) {
        const double size = hol_element_row_size(s->q->g->m, e, r);
        if (!(fabs(hol_re(phi[r])) <= 1e-6 * size)) return false;
    }
    return true;
}

// What the replacement asks of the null vectors (c->f). False: it asks for something else than the joint does, or it would
// take away equations that are not redundant.
static bool find_conditions(search *s, candidate *c, const hol_element *old, int first)
{
    const hol_remedy *q = s->q;
    const hol_state *x = q->pose[0];
    const int n = q->l->n_columns;
    double *span = s->work, *rows = span + (size_t)n * 2 * HOL_MAX_ROWS, *condition = s->condition;
    int count = 0, found = 0;
    if (c->e.n_rows) hol_loop_rows(q->g->m, q->l, &c->e, x->t, x->q, rows, NULL);
    for (int r = 0; r < c->e.n_rows; r++)
        if (!append(span, &count, n, rows + (size_t)r * (size_t)n, 1)) return false;
    hol_loop_rows(q->g->m, q->l, old, x->t, x->q, rows, NULL);
    for (int r = 0; r < old->n_rows; r++) append(span, &count, n, rows + (size_t)r * (size_t)n, 1);
    if (count != old->n_rows) return false;     // not a part of the joint, or the joint's rows are dependent
    for (int j = c->e.n_rows; j < count; j++) { // directions outside the new span
        const double *u = span + (size_t)j * (size_t)n;
        for (int v = 0; v < q->k; v++) {
            const double *null = q->null + (size_t)v * (size_t)q->l->n_rows + first;
            condition[v] = 0;
            for (int r = 0; r < old->n_rows; r++) {
                double dot = 0;
                for (int i = 0; i < n; i++) dot += u[i] * rows[(size_t)r * (size_t)n + (size_t)i];
                condition[v] += dot * null[r];
            }
        }
        if (found < q->k && !append(c->f, &found, q->k, condition, 1)) return false;
    }
    return found == c->fewer;
}

// One candidate: another type of joint in place of this one, or none; kept if it has fewer equations and
// holds at the pose.
static hol_status add(search *s, int part, const hol_element_type *type, turn turned, int cost,
                      const char *remark)
{
    const hol_remedy *q = s->q;
    const hol_element *old = element(q, q->part[part]);
    candidate c = {.part = part, .type = type, .e = *old, .remark = remark, .cost = cost};
    c.e.n_rows = 0;
    hol_status st = type ? make(s, old, type, turned, &c.e) : HOL_OK;
    if (st) return st == HOL_ERR_MEMORY ? st : HOL_OK;
    c.fewer = old->n_rows - c.e.n_rows;
    if (c.fewer <= 0 || c.fewer > q->k || (type && !holds(s, &c.e, q->pose[0]))) return HOL_OK;
    c.f = hol_arena_alloc(s->arena, (size_t)q->k * (size_t)(c.fewer + 1), sizeof *c.f);
    if (!c.f) return HOL_ERR_MEMORY;
    if (!find_conditions(s, &c, old, q->first[q->part[part]])) return HOL_OK;
    candidate *list = hol_grow(q->ctx, s->list, &s->room, s->n + 1, sizeof *list);
    if (!list) return HOL_ERR_MEMORY;
    s->list = list;
    list[s->n++] = c;
    return HOL_OK;
}

static bool is_primitive(const hol_element_type *type) { return strncmp(type->doc, "primitive", 9) == 0; }

static const turn as_is = {-1, 0};

// One type in the place of the joint: with its axis, or, where the joint has none for it, with each axis of its frame.
static hol_status add_type(search *s, int part, const hol_element *e, const hol_element_type *type)
{
    static const char *const along[] = {"axis along x of its first frame", "along y of its first frame",
                                        "axis along z of its first frame"};
    static const char *const arms[] = {"second arm along x of its second frame",
                                       "second arm along y of its second frame"};
    const int dimension = s->q->g->m->dimension, wants = type->axes[dimension - 2],
              has = e->type->axes[dimension - 2];
    const int cost = is_primitive(type) ? COST_PRIMITIVE : COST_JOINT;
    hol_status st = HOL_OK;
    if (type->two_axes) { // z of the joint and one across
        for (int k = 0; k < 2 && !st && !e->type->two_axes && strcmp(type->name, "universal") == 0; k++)
            st = add(s, part, type, (turn){1, k}, cost + COST_ANY_AXIS, arms[k]);
        return st;
    }
    if (!(wants & ~has)) return add(s, part, type, as_is, cost, NULL);
    for (int k = 0; k < dimension && !st && wants == HOL_AXES_FIRST; k++)
        st = add(s, part, type, (turn){0, k}, cost + COST_ANY_AXIS, along[k]);
    return st;
}

static hol_status add_types(search *s, int part, const hol_element *e)
{
    hol_status st = HOL_OK;
    for (int i = 0; hol_element_types[i] && !st; i++)
        if (admits(hol_element_types[i], e, s->q->g->m->dimension))
            st = add_type(s, part, e, hol_element_types[i]);
    return st;
}

static int compare(const void *a, const void *b) // cheap ones first, then joints that stand later in the file
{
    const candidate *p = a, *q = b;
    return p->cost != q->cost   ? p->cost - q->cost
           : p->part != q->part ? q->part - p->part
                                : q->fewer - p->fewer;
}

// All candidates for the joints of the loop.
static hol_status find_candidates(search *s)
{
    const hol_remedy *q = s->q;
    hol_status st = HOL_OK;
    for (int i = 0; i < q->n_parts && !st; i++) {
        const hol_element *e = element(q, q->part[i]);
        if (e->referred) continue;
        if (e->type->role == HOL_ROLE_JOINT && e->n_ends == 2 && !e->type->joints && e->n_rows > 1)
            st = add_types(s, i, e);
        if (!st) st = add(s, i, NULL, as_is, e->n_rows > 1 ? COST_OMITTED : COST_SINGLE, NULL);
    }
    if (s->n) qsort(s->list, (size_t)s->n, sizeof *s->list, compare);
    return st;
}

// ---- choice ---------------------------------------------------------------------------------------------------

// The rank of the loop with the new joints is the old one, in every pose.
static bool verify(search *s, const int *chosen, int n)
{
    const hol_remedy *q = s->q;
    for (int p = 0; p < q->n_poses; p++) {
        int rows = 0;
        for (int i = 0; i < q->l->n_edges; i++) {
            const hol_element *e = element(q, i);
            for (int k = 0; k < n; k++)
                if (q->part[s->list[chosen[k]].part] == i) e = &s->list[chosen[k]].e;
            if (!e->n_rows) continue;
            hol_loop_rows(q->g->m, q->l, e, q->pose[p]->t, q->pose[p]->q,
                          q->l->jacobian + (size_t)rows * (size_t)q->l->n_columns, NULL);
            rows += e->n_rows;
        }
        if (hol_dense_qr_factor(q->ctx, &q->l->qr, q->l->n_columns, rows, q->l->jacobian,
                                HOL_RANK_THRESHOLD) ||
            q->l->qr.rank != q->rank)
            return false;
    }
    return true;
}

// Does the candidate go with those chosen? Then its conditions are appended to theirs.
static bool joins(search *s, const candidate *c, const int *chosen, int n, int *conditions)
{
    const int k = s->q->k, before = *conditions;
    for (int i = 0; i < n; i++)
        if (s->list[chosen[i]].part == c->part) return false;
    for (int j = 0; j < c->fewer; j++) {
        if (*conditions < k && append(s->basis, conditions, k, c->f + (size_t)j * (size_t)k, 1)) continue;
        *conditions = before;
        return false;
    }
    return true;
}

// Sets of at most MOST_CHANGES candidates that remove all, the cheapest.
static void combine(search *s, int from, int n, int conditions, int cost)
{
    if (conditions == s->q->k) {
        if (cost >= s->best_cost || !verify(s, s->chosen, n)) return;
        s->best_cost = cost;
        s->best_fewer = conditions;
        s->n_best = n;
        memcpy(s->best, s->chosen, (size_t)n * sizeof *s->best);
        return;
    }
    for (int i = from; i < s->n && n < MOST_CHANGES && s->nodes < MOST_NODES; i++) {
        int more = conditions;
        if (cost + s->list[i].cost >= s->best_cost) return; // so are those that follow
        s->nodes++;
        if (!joins(s, &s->list[i], s->chosen, n, &more)) continue;
        s->chosen[n] = i;
        combine(s, i + 1, n + 1, more, cost + s->list[i].cost);
    }
}

// For large loops: whatever still goes, in the order of what a removed equation costs.
static int by_yield(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    const int x = p->cost * q->fewer, y = q->cost * p->fewer;
    return x != y ? x - y : compare(a, b);
}

// The candidates of most yield first, as many as go together, in place of a search; kept if the whole passes
// the test.
static void take_what_goes(search *s)
{
    int conditions = 0, n = 0;
    qsort(s->list, (size_t)s->n, sizeof *s->list, by_yield);
    for (int i = 0; i < s->n && n < HOL_COUNT(s->chosen); i++)
        if (joins(s, &s->list[i], s->chosen, n, &conditions)) s->chosen[n++] = i;
    if (!n || !verify(s, s->chosen, n)) return;
    s->n_best = n;
    s->best_fewer = conditions;
    memcpy(s->best, s->chosen, (size_t)n * sizeof *s->best);
}

// The chosen candidates in the order of the file.
static hol_status report(const search *s, hol_arena *arena, hol_redundant_loop *out)
{
    out->replacement = hol_arena_alloc(arena, (size_t)s->n_best + 1, sizeof *out->replacement);
    if (!out->replacement) return HOL_ERR_MEMORY;
    out->removed = s->best_fewer;
    for (int part = 0; part < s->q->n_parts; part++) // in the order of the file
        for (int i = 0; i < s->n_best; i++) {
            const candidate *c = &s->list[s->best[i]];
            if (c->part != part) continue;
            out->replacement[out->n_replacements++] =
                (hol_replacement){c->e.name, c->type ? c->type->name : NULL, c->remark, c->fewer};
        }
    return HOL_OK;
}

hol_status hol_remedy_find(const hol_remedy *q, hol_arena *arena, hol_redundant_loop *out)
{
    search *s = hol_calloc(q->ctx, 1, sizeof *s);
    if (!s) return HOL_ERR_MEMORY;
    s->q = q;
    s->best_cost = 1 << 30;
    s->arena = hol_arena_create(q->ctx);
    if (s->arena) {
        s->basis = hol_arena_alloc(s->arena, (size_t)q->k * (size_t)(q->k + 1), sizeof *s->basis);
        s->condition = hol_arena_alloc(s->arena, (size_t)q->k + 1, sizeof *s->condition);
        s->work = hol_arena_alloc(s->arena, (size_t)q->l->n_columns * 3 * HOL_MAX_ROWS, sizeof *s->work);
    }
    hol_status st = s->basis && s->condition && s->work ? find_candidates(s) : HOL_ERR_MEMORY;
    if (!st && q->k <= MOST_SEARCHED) combine(s, 0, 0, 0, 0);
    if (!st && s->n && !s->n_best) take_what_goes(s);
    if (!st) st = report(s, arena, out);
    hol_arena_destroy(s->arena);
    hol_free(s->list);
    hol_free(s);
    return st;
}
