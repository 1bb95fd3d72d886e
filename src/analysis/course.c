// Expressions within a step. The leaves are cubics through their values and rates at both ends of a part of it, or chords where
// rates are not known; the program of an expression is run over their enclosures, (8.39).
#include "analysis/course.h"
#include "element/contact.h"
#include "system/fault.h"
#include "system/leaf.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NEAR 1e-12  // of natural sizes: what leaves may be wrong by
#define SMOOTH 0.1  // of the radii of a contact: a motion within which its gap is smooth
#define KEPT 4e6    // numbers of states that are kept
enum { PARTS = 3 }; // components of a length
enum { STATES = 64 };

// ---- which expressions --------------------------------------------------------------------------------------------

const hol_equation *hol_course_expression(const hol_course *c, int k)
{
    const hol_model_data *m = c->it->s->m;
    return k < m->n_equations ? &m->equation[k] : m->event[k - m->n_equations].when;
}

bool hol_course_is_explicit(const hol_course *c, const hol_leaf *l)
{
    return l->kind == HOL_LEAF_VALUE && !c->implicit[l->index] && !c->it->s->m->equation[l->index].block;
}

static bool is_length(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_QUANTITY && l->measured.kind == HOL_MEASURED_LENGTH;
}

// The gap of a contact, which is smooth in motions of a part of its radii only.
static bool is_gap(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_REACTION && l->component == HOL_LEAF_OBSERVED + HOL_CONTACT_GAP;
}

static bool is_gap_rate(const hol_leaf *l)
{
    return l->kind == HOL_LEAF_REACTION && l->component == HOL_LEAF_OBSERVED + HOL_CONTACT_RATE;
}

static bool is_of_motion(const hol_leaf *l)
{
    return hol_leaf_is_given(l) || is_gap(l) || is_gap_rate(l) ||
           (l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) < 2);
}

bool hol_course_is_of_motion(const hol_equation *e)
{
    bool yes = true;
    for (int j = 0; j < e->n_leaves; j++) yes = yes && is_of_motion(&e->leaf[j]);
    return yes;
}

// Do value and rate of a leaf follow from places and velocities?
static bool moves_alone(const hol_leaf *l)
{
    return is_of_motion(l) && !is_gap_rate(l) &&
           !(l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) > 0);
}

static void mark_leaves(const hol_course *c, const hol_equation *e, char *mark)
{
    for (int j = 0; j < e->n_leaves; j++)
        if (hol_course_is_explicit(c, &e->leaf[j])) mark[e->leaf[j].index] = 1;
}

void hol_course_mark_taken(const hol_course *c, char *mark)
{
    for (int i = c->follow.n - 1; i >= 0; i--) { // in the reverse of the order in which they follow
        const int k = c->follow.order[i];
        if (k >= 0 && mark[k]) mark_leaves(c, hol_course_expression(c, k), mark);
    }
}

static bool has_rate(const hol_course *c, const hol_leaf *l)
{
    return hol_course_is_explicit(c, l) || l->kind == HOL_LEAF_STATE || is_of_motion(l);
}

static bool is_smooth(const hol_course *c, const hol_leaf *l)
{
    return has_rate(c, l) && !(hol_course_is_explicit(c, l) && c->rough[l->index]);
}

static bool all_smooth(const hol_course *c, int k)
{
    const hol_equation *e = hol_course_expression(c, k);
    for (int j = 0; j < e->n_leaves; j++)
        if (!is_smooth(c, &e->leaf[j])) return false;
    return true;
}

// Which equations take what has no rate, in the order in which they follow.
static void find_rough(hol_course *c)
{
    for (int i = 0; i < c->follow.n; i++) {
        const int k = c->follow.order[i];
        if (k >= 0) c->rough[k] = !all_smooth(c, k);
    }
}

hol_status hol_course_create(hol_integrator *it, hol_course *c)
{
    const hol_model_data *m = it->s->m;
    hol_context *ctx = it->ctx;
    *c = (hol_course){.it = it, .n = m->n_equations + m->n_events};
    int most = 1;
    for (int k = 0; k < c->n; k++) {
        const hol_equation *e = hol_course_expression(c, k);
        if (e && e->n_leaves > most) most = e->n_leaves;
    }
    c->implicit = hol_calloc(ctx, (size_t)(c->n + 2 * m->n_equations) + 1, 1);
    c->first = hol_calloc(ctx, (size_t)c->n, sizeof *c->first);
    c->range = hol_calloc(ctx, (size_t)c->n, sizeof *c->range);
    c->leaf = hol_calloc(ctx, (size_t)most, sizeof *c->leaf);
    c->given = hol_calloc(ctx, (size_t)most, sizeof *c->given);
    c->used = hol_calloc(ctx, (size_t)most, 1);
    c->arena = hol_arena_create(ctx);
    if (!c->implicit || !c->first || !c->range || !c->leaf || !c->given || !c->used || !c->arena)
        return HOL_ERR_MEMORY;
    c->rough = c->implicit + m->n_equations;
    c->needed = c->rough + m->n_equations;
    hol_status st = hol_chain_create(ctx, m, &c->chain);
    if (!st) st = hol_explicit_create_part(ctx, m, true, &c->follow, c->implicit);
    if (!st) find_rough(c);
    return st;
}

// Numbers the leaves of all that is needed.
static void number_leaves(hol_course *c)
{
    const int equations = c->it->s->m->n_equations;
    for (int k = equations; k < c->n; k++)
        if (c->needed[k]) mark_leaves(c, hol_course_expression(c, k), c->needed);
    hol_course_mark_taken(c, c->needed);
    for (int k = 0; k < c->n; k++) {
        const hol_equation *e = hol_course_expression(c, k);
        c->first[k] = c->n_leaves;
        if (!c->needed[k]) continue;
        c->n_leaves += PARTS * e->n_leaves;
        for (int j = 0; j < e->n_leaves; j++)
            c->rates = c->rates || is_gap_rate(&e->leaf[j]) ||
                       (e->leaf[j].kind == HOL_LEAF_QUANTITY && hol_measured_level(&e->leaf[j].measured) > 0);
    }
}

hol_status hol_course_prepare(hol_course *c, int levels)
{
    number_leaves(c);
    c->levels = levels;
    c->node = hol_calloc(c->it->ctx, (size_t)(levels + 2) * (size_t)c->n_leaves + 1, sizeof *c->node);
    return c->node ? hol_state_create(c->it->s, &c->trial) : HOL_ERR_MEMORY;
}

hol_status hol_course_keep(hol_course *c)
{
    const hol_equations *s = c->it->s;
    const int most = (int)(KEPT / (2.0 * s->nq + s->n + s->nx + s->nz)), n = most < STATES ? most : STATES;
    hol_status st = HOL_OK;
    c->kept = hol_calloc(c->it->ctx, (size_t)n + 1, sizeof *c->kept);
    if (!c->kept) return HOL_ERR_MEMORY;
    for (; c->room_kept < n && !st; c->room_kept++) st = hol_state_create(s, &c->kept[c->room_kept].x);
    return st;
}

void hol_course_hold(hol_course *c, bool keeps)
{
    c->keeps = keeps;
    c->n_kept = 0;
}

void hol_course_destroy(hol_course *c)
{
    for (int i = 0; i < c->room_kept; i++) hol_state_destroy(&c->kept[i].x);
    hol_free(c->kept);
    hol_explicit_destroy(&c->follow);
    hol_state_destroy(&c->trial);
    hol_free(c->implicit);
    hol_free(c->first);
    hol_free(c->range);
    hol_free(c->leaf);
    hol_free(c->given);
    hol_free(c->used);
    hol_arena_destroy(c->arena);
    hol_free(c->node);
    hol_chain_destroy(&c->chain);
    *c = (hol_course){.n = 0};
}

// ---- leaves within a step -----------------------------------------------------------------------------------------

// A measure and its rate u' = u_y w + u_w b; that of an acceleration is not known.
static hol_course_leaf measure(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    const int level = hol_measured_level(&l->measured);
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], none[HOL_MAX_Y];
    hol_leaf_value v;
    hol_leaf_eval(s, x, l, level < 2, &v);
    hol_course_leaf out = {hol_re(v.f), level < 2 ? 0 : (double)NAN};
    if (level > 1) return out;
    hol_gather(s->m, l->n_bodies, l->body, x->t, x->q, x->v, 1, y, w);
    hol_gather(s->m, l->n_bodies, l->body, 0, x->a, NULL, 0, b, none);
    for (int j = 0; j < l->ny; j++) out.d += hol_re(v.y[j] * w[j]) + (level ? hol_re(v.w[j] * b[j]) : 0);
    return out;
}

// Value and rate of a leaf; those of unknowns and reactions have no rate.
static hol_course_leaf node_of(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    hol_leaf_value v;
    switch (l->kind) {
    case HOL_LEAF_QUANTITY: return measure(s, x, l);
    case HOL_LEAF_STATE: return (hol_course_leaf){x->X[l->index], x->z[s->m->state[l->index].equation]};
    case HOL_LEAF_VALUE: return (hol_course_leaf){x->z[l->index], (double)NAN};
    case HOL_LEAF_HELD:
    case HOL_LEAF_RAMP:
    case HOL_LEAF_PACE:
    case HOL_LEAF_REACTION: break;
    }
    hol_leaf_eval(s, x, l, false, &v);
    return (hol_course_leaf){hol_re(v.f), hol_leaf_is_given(l) ? hol_leaf_pace(x, l) : (double)NAN};
}

// The components of a length, which has a corner where they are 0 together.
static void find_parts(const hol_equations *s, const hol_state *x, const hol_leaf *l, hol_course_leaf *node)
{
    hol_leaf part = *l;
    part.measured = (hol_measured){.kind = HOL_MEASURED_COMPONENT, .n_parts = 1};
    for (int i = 0; i < l->measured.n_parts; i++) {
        part.measured.part[0] = l->measured.part[i];
        node[i] = measure(s, x, &part);
    }
}

// A gap and its rate, and behind them the pace of the motion.
static void find_gap(const hol_equations *s, const hol_state *x, const hol_leaf *l, hol_course_leaf *node)
{
    const hol_element *e = &s->m->element[l->index];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], g, rate;
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    e->type->observe(e->data, e->ny, y, w, NULL, HOL_CONTACT_GAP, &g, NULL, NULL);
    e->type->observe(e->data, e->ny, y, w, NULL, HOL_CONTACT_RATE, &rate, NULL, NULL);
    node[0] = (hol_course_leaf){hol_re(g), hol_re(rate)};
    node[1] = (hol_course_leaf){hol_contact_pace(e, y, w), (double)NAN};
}

// The rate of a gap and its rate.
static hol_course_leaf gap_rate(const hol_equations *s, const hol_state *x, const hol_leaf *l)
{
    const hol_element *e = &s->m->element[l->index];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], b[HOL_MAX_Y], none[HOL_MAX_Y], f, f_y[HOL_MAX_Y], f_w[HOL_MAX_Y];
    hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
    hol_element_gather(s->m, e, 0, x->a, NULL, 0, b, none);
    e->type->observe(e->data, e->ny, y, w, NULL, HOL_CONTACT_RATE, &f, f_y, f_w);
    hol_course_leaf out = {hol_re(f), 0};
    for (int k = 0; k < e->ny - 1; k++) out.d += hol_re(f_y[k] * w[k] + f_w[k] * b[k]);
    return out;
}

// The leaves of expression k at a state.
static void find_nodes_of(const hol_course *c, int k, const hol_state *x, hol_course_leaf *node)
{
    const hol_equation *e = hol_course_expression(c, k);
    for (int j = 0; c->needed[k] && j < e->n_leaves; j++) {
        const hol_leaf *l = &e->leaf[j];
        hol_course_leaf *at = &node[c->first[k] + PARTS * j];
        if (is_length(l))
            find_parts(c->it->s, x, l, at);
        else if (is_gap(l))
            find_gap(c->it->s, x, l, at);
        else if (is_gap_rate(l))
            *at = gap_rate(c->it->s, x, l);
        else if (!hol_course_is_explicit(c, l))
            *at = node_of(c->it->s, x, l);
    }
}

// All leaves at a state.
static void find_nodes(const hol_course *c, const hol_state *x, hol_course_leaf *node)
{
    for (int k = 0; k < c->n; k++) find_nodes_of(c, k, x, node);
}

static hol_interval hull(const double *x, int n)
{
    hol_interval out = {x[0], x[0]};
    for (int i = 1; i < n; i++) out = (hol_interval){fmin(out.lo, x[i]), fmax(out.hi, x[i])};
    const double loose = 4 * DBL_EPSILON * fmax(fabs(out.lo), fabs(out.hi));
    return out.lo == out.hi ? out : (hol_interval){out.lo - loose, out.hi + loose};
}

// Natural size of a leaf of the motion or of a state; 0: it has none.
static double size_of(const hol_course *c, const hol_leaf *l)
{
    const hol_model_data *m = c->it->s->m;
    if (l->kind == HOL_LEAF_STATE) return m->state[l->index].size;
    if (is_gap(l)) return m->length_scale;
    if (is_gap_rate(l)) return m->length_scale / m->time_scale;
    if (l->kind != HOL_LEAF_QUANTITY) return 0;
    const double size = hol_quantity_is_angle(l->measured.part[0].what) ? 1 : m->length_scale;
    return size / pow(m->time_scale, hol_measured_level(&l->measured));
}

// The cubic through values and rates at both ends by its Bernstein coefficients; the chord where rates are not known. Widened by what a leaf
// that changes may be wrong by, two coordinates that are 0 together being hardly ever so to the last digit, and by what is asked for.
static hol_enclosure cubic(const hol_course_leaf *a, const hol_course_leaf *b, double h, double near,
                           double loose)
{
    const double v[4] = {a->f, a->f + h * a->d / 3, b->f - h * b->d / 3, b->f};
    const double slope[3] = {a->d, h > 0 ? 3 * (v[2] - v[1]) / h : a->d, b->d}, ends[2] = {a->f, b->f};
    hol_enclosure out = {hull(v, 4), hull(slope, 3), 0};
    if (!isfinite(v[1]) || !isfinite(v[2])) {
        const double chord = h > 0 ? (b->f - a->f) / h : 0;
        out = (hol_enclosure){hull(ends, 2), {chord, chord}, 0};
    }
    const double by = loose + (out.v.lo < out.v.hi ? near : 0);
    out.v = (hol_interval){out.v.lo - by, out.v.hi + by};
    return out;
}

// A gap changes by the way at most; where that is short beside the radii it is smooth, a cubic.
static hol_enclosure gap_over(const hol_element *e, const hol_course_leaf *a, const hol_course_leaf *b,
                              double h, double near, double loose)
{
    const double fast = fmax(a[1].f, b[1].f) + fabs(b[1].f - a[1].f), way = h * fast, sum = a->f + b->f,
                 by = near + loose;
    if (way < SMOOTH * hol_contact_fineness(e)) return cubic(a, b, h, near, loose);
    return (hol_enclosure){{(sum - way) / 2 - by, (sum + way) / 2 + by}, {-fast, fast}, 0};
}

// The length of its components.
static hol_enclosure length_over(const hol_leaf *l, const hol_course_leaf *a, const hol_course_leaf *b,
                                 double h, double near, double loose)
{
    hol_enclosure part[PARTS], out;
    for (int i = 0; i < l->measured.n_parts; i++) part[i] = cubic(&a[i], &b[i], h, near, loose);
    hol_enclose_norm(l->measured.n_parts, part, &out);
    out.marks = 0; // of its corner the hulls tell
    return out;
}

// A leaf over a part of the step.
static hol_enclosure leaf_over(const hol_course *c, const hol_leaf *l, const hol_course_leaf *a,
                               const hol_course_leaf *b, double h)
{
    const double size = size_of(c, l), near = NEAR * size, loose = c->loose * size;
    if (is_gap(l)) return gap_over(&c->it->s->m->element[l->index], a, b, h, near, loose);
    return is_length(l) ? length_over(l, a, b, h, near, loose) : cubic(a, b, h, near, loose);
}

const hol_course_leaf *hol_course_node(const hol_course *c, int level)
{
    return c->node + (size_t)(level + 2) * (size_t)c->n_leaves;
}

double hol_course_change(const hol_course *c)
{
    const hol_course_leaf *first = hol_course_node(c, -2), *last = hol_course_node(c, -1);
    const double h = c->it->x.t - c->it->before.t;
    double most = 0;
    for (int k = 0; k < c->n; k++) {
        const hol_equation *e = hol_course_expression(c, k);
        for (int j = 0; c->needed[k] && j < e->n_leaves; j++) {
            const int at = c->first[k] + PARTS * j;
            const double size = hol_course_is_explicit(c, &e->leaf[j]) ? 0 : size_of(c, &e->leaf[j]);
            if (!(size > 0)) continue;
            const hol_interval v = leaf_over(c, &e->leaf[j], &first[at], &last[at], h).v;
            most = fmax(most, (v.hi - v.lo) / size);
        }
    }
    return most;
}

hol_status hol_course_begin(hol_course *c)
{
    const hol_status st = c->rates ? hol_integrator_complete(c->it) : HOL_OK;
    if (st < 0) return st;
    find_nodes(c, &c->it->before, c->node);
    find_nodes(c, &c->it->x, c->node + c->n_leaves);
    return HOL_OK;
}

// On with the velocities of the last point.
static void coast(hol_course *c, double t)
{
    const hol_equations *s = c->it->s;
    const hol_state *x = &c->it->x;
    hol_state_copy(s, &c->trial, x);
    c->trial.t = t;
    for (int i = 0; i < s->nq; i++) {
        c->trial.q[i] += (t - x->t) * x->v[i];
        c->trial.a[i] = 0;
    }
}

static void interpolate(hol_course *c, double t, bool motion, hol_state *out)
{
    (motion ? hol_integrator_interpolate_motion : hol_integrator_interpolate)(c->it, t, out);
}

const hol_state *hol_course_state(hol_course *c, double t, bool motion)
{
    hol_course_kept *k = c->kept;
    for (int i = 0; i < c->n_kept; i++)
        if (k[i].x.t == t && k[i].motion == motion) return &k[i].x;
    if (!c->keeps || c->n_kept == c->room_kept) {
        interpolate(c, t, motion, &c->trial);
        return &c->trial;
    }
    k += c->n_kept++;
    interpolate(c, t, motion, &k->x);
    k->x.t = t;
    k->motion = motion;
    return &k->x;
}

// The state at a time of the step, with accelerations and other unknowns or without.
static const hol_state *go_to(hol_course *c, double t, bool motion)
{
    const hol_state *x = &c->it->x;
    if (c->ahead == HOL_WITHIN) return hol_course_state(c, t, motion);
    if (c->ahead == HOL_AHEAD)
        hol_state_carry_on(c->it->s, x, t - x->t, &c->trial);
    else
        coast(c, t);
    return &c->trial;
}

static hol_course_leaf *leaves_at(hol_course *c, int level)
{
    return c->node + (size_t)(level + 2) * (size_t)c->n_leaves;
}

const hol_course_leaf *hol_course_at(hol_course *c, double t, int level)
{
    hol_course_leaf *node = leaves_at(c, level);
    find_nodes(c, go_to(c, t, false), node);
    return node;
}

const hol_course_leaf *hol_course_at_one(hol_course *c, double t, int level, int k)
{
    const hol_equation *e = hol_course_expression(c, k);
    bool own = true, motion = true;
    for (int j = 0; j < e->n_leaves; j++) {
        own = own && !hol_course_is_explicit(c, &e->leaf[j]);
        motion = motion && moves_alone(&e->leaf[j]);
    }
    if (!own) return hol_course_at(c, t, level);
    hol_course_leaf *node = leaves_at(c, level);
    find_nodes_of(c, k, go_to(c, t, motion), node);
    return node;
}

// ---- expressions within a step ------------------------------------------------------------------------------------

// Leaf j of expression k over a part of the step; what it takes has been looked at.
static void look_at_leaf(hol_course *c, int k, int j, double h, const hol_course_leaf *a,
                         const hol_course_leaf *b)
{
    const hol_leaf *l = &hol_course_expression(c, k)->leaf[j];
    const int at = c->first[k] + PARTS * j;
    c->leaf[j] = hol_course_is_explicit(c, l) ? c->range[l->index] : leaf_over(c, l, &a[at], &b[at], h);
    if (c->own_marks) c->leaf[j].marks = 0;
    c->given[j] = &c->leaf[j];
}

// The expression over a part of the step; what it takes has been looked at.
static void look_at(hol_course *c, int k, double t0, double t1, const hol_course_leaf *a,
                    const hol_course_leaf *b)
{
    const hol_equation *e = hol_course_expression(c, k);
    const hol_enclosure time = {{t0, t1}, {1, 1}, 0};
    for (int j = 0; j < e->n_leaves; j++) look_at_leaf(c, k, j, t1 - t0, a, b);
    hol_expr_enclose(e->expr, &time, c->given, &c->range[k]);
}

static bool is_taken(const void *user, const hol_expr *e, int j, const hol_leaf *leaf)
{
    const hol_course *c = user;
    return (e != c->term || c->used[j]) && hol_course_is_explicit(c, leaf);
}

static int *copy_list(hol_arena *arena, int n, const int *list)
{
    int *copy = hol_arena_alloc(arena, (size_t)n + 1, sizeof *copy);
    if (copy && n) memcpy(copy, list, (size_t)n * sizeof *copy);
    return copy;
}

hol_status hol_course_take(hol_course *c, int k, const hol_expr *part, hol_course_term *t)
{
    const hol_equation *e = hol_course_expression(c, k);
    const hol_expr *expr = part ? part : e->expr;
    *t = (hol_course_term){.equation = k, .expr = expr, .smooth = true};
    memset(c->used, 0, (size_t)e->n_leaves);
    hol_expr_mark_leaves(expr, c->used);
    for (int j = 0; j < e->n_leaves; j++) t->n_leaves += c->used[j];
    t->leaf = hol_arena_alloc(c->arena, (size_t)t->n_leaves + 1, sizeof *t->leaf);
    if (!t->leaf) return HOL_ERR_MEMORY;
    t->n_leaves = 0;
    for (int j = 0; j < e->n_leaves; j++) {
        if (!c->used[j]) continue;
        t->leaf[t->n_leaves++] = j;
        t->smooth = t->smooth && is_smooth(c, &e->leaf[j]);
    }
    c->term = expr;
    hol_chain_find(&c->chain, expr, e->n_leaves, e->leaf, is_taken, c);
    t->n_taken = c->chain.n;
    t->taken = copy_list(c->arena, t->n_taken, c->chain.list);
    return t->taken ? HOL_OK : HOL_ERR_MEMORY;
}

const hol_enclosure *hol_course_look(hol_course *c, const hol_course_term *t, double t0, double t1,
                                     const hol_course_leaf *a, const hol_course_leaf *b)
{
    const hol_enclosure time = {{t0, t1}, {1, 1}, 0};
    for (int i = 0; i < t->n_taken; i++) look_at(c, t->taken[i], t0, t1, a, b);
    for (int i = 0; i < t->n_leaves; i++) look_at_leaf(c, t->equation, t->leaf[i], t1 - t0, a, b);
    hol_expr_enclose(t->expr, &time, c->given, &c->range[t->equation]);
    return &c->range[t->equation];
}

// Of a speed or a state, over its natural size; 0 of all else: a step of places is wrong by a part of natural sizes, of others by one of what they are.
static double pace_of(const hol_course *c, int k, int j, const hol_course_leaf *node)
{
    const hol_leaf *l = &hol_course_expression(c, k)->leaf[j];
    const bool moves =
        is_gap_rate(l) || (l->kind == HOL_LEAF_QUANTITY && hol_measured_level(&l->measured) > 0);
    const double size = hol_course_is_explicit(c, l) ? 0 : size_of(c, l);
    double most = 0;
    if (!(size > 0) || !(moves || l->kind == HOL_LEAF_STATE)) return 0;
    for (int i = 0; i < (is_length(l) ? PARTS : 1); i++)
        most = fmax(most, fabs(node[c->first[k] + PARTS * j + i].f));
    return isfinite(most) ? most / size : 0;
}

double hol_course_pace(const hol_course *c, const hol_course_term *t, const hol_course_leaf *node)
{
    double most = 0;
    for (int i = 0; i < t->n_taken; i++) {
        const int k = t->taken[i], n = hol_course_expression(c, k)->n_leaves;
        for (int j = 0; j < n; j++) most = fmax(most, pace_of(c, k, j, node));
    }
    for (int i = 0; i < t->n_leaves; i++) most = fmax(most, pace_of(c, t->equation, t->leaf[i], node));
    return most;
}

double hol_course_doubt(hol_course *c, const hol_course_term *t, const hol_state *x, double loose)
{
    hol_course_leaf *node = leaves_at(c, 0);
    const double before = c->loose;
    for (int i = 0; i < t->n_taken; i++) find_nodes_of(c, t->taken[i], x, node);
    find_nodes_of(c, t->equation, x, node);
    c->loose = loose;
    const hol_interval r = hol_course_look(c, t, x->t, x->t, node, node)->v;
    c->loose = before;
    return r.hi - r.lo;
}
