// Forces of swarms: balls are placed, pairs near each other found anew where one has moved too far, forces of pairs found one by one, and summed
// for each ball in the order of its pairs.
#include "system/swarm.h"
#include "linalg/vector3.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define SKIN 0.1 // of the radius: what two balls are apart that count as near; each may move by half of it

// ---- rooms --------------------------------------------------------------------------------------------------------

// Rooms; no pair has been looked for yet.
static hol_status create(hol_context *ctx, const hol_model_data *m, const hol_swarm_rule *r, hol_swarm *w)
{
    const size_t n = (size_t)r->n_balls + 1;
    w->r = r;
    hol_status st = hol_search_create(ctx, r, m->dimension, &w->search);
    if (!st) st = hol_near_create(ctx, r, &w->near);
    if (st) return st;
    w->at = hol_calloc(ctx, n, sizeof *w->at);
    w->load = hol_calloc(ctx, n, sizeof *w->load);
    w->built = hol_calloc(ctx, n, sizeof *w->built);
    w->reach = hol_calloc(ctx, n, sizeof *w->reach);
    w->q = hol_calloc(ctx, (size_t)m->nq + 1, sizeof *w->q);
    w->v = hol_calloc(ctx, (size_t)m->nq + 1, sizeof *w->v);
    for (int k = 0; k < 2; k++) w->memory[k].begun = hol_calloc(ctx, n, sizeof *w->memory[k].begun);
    if (!w->at || !w->load || !w->built || !w->reach || !w->memory[0].begun || !w->memory[1].begun || !w->q ||
        !w->v)
        return HOL_ERR_MEMORY;
    hol_swarm_forget(w);
    for (int i = 0; i < r->n_balls; i++) {
        w->reach[i] = (1 + SKIN / 2) * r->shape[i].radius;
        for (int k = 0; k < 3; k++) w->built[i][k] = (double)NAN;
    }
    return HOL_OK;
}

// All rooms.
static void destroy(hol_swarm *w)
{
    void *const arrays[] = {w->at, w->load, w->pair, w->arm, w->acts, w->built, w->reach, w->q, w->v};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
    for (int k = 0; k < 2; k++) {
        hol_free(w->memory[k].touching);
        hol_free(w->memory[k].begun);
    }
    hol_search_destroy(&w->search);
    hol_near_destroy(&w->near);
}

hol_swarms *hol_swarms_create(hol_context *ctx, const hol_model_data *m)
{
    hol_swarms *w = hol_calloc(ctx, 1, sizeof *w);
    hol_status st = HOL_OK;
    if (!w) return NULL;
    if (m->n_swarms && !(w->of = hol_calloc(ctx, (size_t)m->n_swarms, sizeof *w->of))) st = HOL_ERR_MEMORY;
    for (; w->n < m->n_swarms && !st; w->n++) st = create(ctx, m, &m->swarm[w->n], &w->of[w->n]);
    if (!st) return w;
    hol_swarms_destroy(w);
    return NULL;
}

void hol_swarms_destroy(hol_swarms *w)
{
    if (!w) return;
    for (int i = 0; i < w->n; i++) destroy(&w->of[i]);
    hol_free(w->of);
    hol_free(w);
}

// Room for loads of as many pairs as there may be.
static bool make_room(hol_swarm *w)
{
    if (w->room >= w->near.room) return true;
    int rooms[] = {w->room, w->room, w->room};
    hol_context *ctx = w->search.ctx;
    if (!HOL_GROW(ctx, w->pair, rooms[0], w->near.room) || !HOL_GROW(ctx, w->arm, rooms[1], w->near.room) ||
        !HOL_GROW(ctx, w->acts, rooms[2], w->near.room))
        return false;
    w->room = w->near.room;
    return true;
}

// ---- places -------------------------------------------------------------------------------------------------------

// om = G p' of a body in space with the Euler parameters p, G = 2 E.
static void find_rate(const double *p, double G[3][4])
{
    hol_real E[3][4], at[4];
    for (int i = 0; i < 4; i++) at[i] = p[i];
    hol_global_rate(at, E);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) G[i][k] = 2 * hol_re(E[i][k]);
}

// The angular velocity of a body of these rates, or with accelerations in their place the angular acceleration.
static void turn(const hol_body *b, const double *q, const double *rate, double om[3])
{
    double G[3][4];
    memset(om, 0, 3 * sizeof *om);
    if (b->frame == HOL_FRAME_PLANAR) om[2] = rate[b->q + 2];
    if (b->frame != HOL_FRAME_SPATIAL) return;
    find_rate(q + b->q + 3, G);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) om[i] += G[i][k] * rate[b->q + 3 + k];
}

// From the centre of mass to the ball.
static void find_arm(const hol_body *b, const double *q, const double *s, double arm[3])
{
    double R[9];
    memset(arm, 0, 3 * sizeof *arm);
    if (s[0] == 0 && s[1] == 0 && s[2] == 0) return;
    memcpy(arm, s, 3 * sizeof *arm);
    if (b->frame == HOL_FRAME_PLANAR) {
        const double c = cos(q[b->q + 2]), n = sin(q[b->q + 2]);
        arm[0] = c * s[0] - n * s[1];
        arm[1] = n * s[0] + c * s[1];
    }
    if (b->frame != HOL_FRAME_SPATIAL) return;
    hol_quat_matrix(q + b->q + 3, R);
    for (int i = 0; i < 3; i++) arm[i] = hol_dot3(R + 3 * i, s);
}

// Centre, velocity and arm of one; what stands on ground is at rest.
static void place_ball(const hol_model_data *m, const hol_swarm_shape *shape, const hol_state *x, hol_ball *o)
{
    memset(o, 0, sizeof *o);
    if (shape->body < 0) {
        memcpy(o->c, shape->s, sizeof o->c);
        return;
    }
    const hol_body *b = &m->body[shape->body];
    turn(b, x->q, x->v, o->om);
    find_arm(b, x->q, shape->s, o->arm);
    hol_cross3(o->om, o->arm, o->v);
    for (int i = 0; i < m->dimension; i++) {
        o->c[i] = x->q[b->q + i] + o->arm[i];
        o->v[i] += x->v[b->q + i];
    }
}

// A pass over balls.
typedef struct {
    const hol_equations *s;
    hol_swarm *w;
    const hol_state *x;
    hol_ball *out;
    bool moved[HOL_TEAM_PARTS]; // has one moved by more than half of its skin since pairs were found?
    bool same[HOL_TEAM_PARTS];  // are all where they were?
} placing;

// A part of the balls, whether one of them has left its skin, and whether they are where they were.
static void place_part(void *with, int part, int from, int to)
{
    placing *o = with;
    o->moved[part] = false;
    o->same[part] = true;
    for (int i = from; i < to; i++) {
        double d[3], most = SKIN / 2 * o->w->r->shape[i].radius;
        const hol_ball before = o->out[i];
        place_ball(o->s->m, &o->w->r->shape[i], o->x, &o->out[i]);
        for (int k = 0; k < 3; k++) d[k] = o->out[i].c[k] - o->w->built[i][k];
        if (!(hol_dot3(d, d) < most * most)) o->moved[part] = true;
        if (memcmp(&before, &o->out[i], sizeof before) != 0) o->same[part] = false;
    }
}

void hol_swarm_place(const hol_equations *s, hol_swarm *w, const hol_state *x, hol_ball *out)
{
    placing o = {.s = s, .w = w, .x = x, .out = out};
    (void)hol_team_parts(s->team, w->r->n_balls, place_part, &o);
}

// ---- what is known of accepted states -----------------------------------------------------------------------------

static void take(hol_swarm *w)
{
    const hol_swarm_memory *known = &w->memory[w->knows];
    hol_near_take(known->touching, known->n, &w->near);
}

// The list goes by what a state at t knows.
static void recall(hol_swarm *w, double t)
{
    const int before = t < w->memory[0].t;
    if (before == w->knows) return;
    w->knows = before;
    w->met = false;
    for (int k = 0; k < w->near.n; k++) w->near.pair[k].touches = false;
    take(w);
}

void hol_swarm_forget(hol_swarm *w)
{
    for (int k = 0; k < w->near.n; k++) w->near.pair[k].touches = false;
    for (int k = 0; k < 2; k++) w->memory[k].t = -HOL_INF, w->memory[k].n = 0;
    w->knows = 0;
    w->met = false;
}

bool hol_swarm_keep(hol_swarm *w, double t)
{
    hol_swarm_memory *known = &w->memory[0];
    if (t > known->t) {
        const hol_swarm_memory before = *known;
        *known = w->memory[1];
        w->memory[1] = before;
    }
    known->t = t;
    known->n = 0;
    for (int k = 0; k < w->near.n; k++) {
        if (!w->near.pair[k].touches) continue;
        if (known->n == known->room && !HOL_GROW(w->search.ctx, known->touching, known->room, known->n + 1))
            return false;
        known->touching[known->n++] = w->near.pair[k];
    }
    return true;
}

// ---- who is near whom ---------------------------------------------------------------------------------------------

// Pairs that are near each other, at the balls as they are placed; without memory there are none, and the loads no numbers.
static bool search(hol_swarm *w)
{
    for (int i = 0; i < w->r->n_balls; i++) memcpy(w->built[i], w->at[i].c, sizeof w->built[i]);
    if (hol_search_near(&w->search, (const double(*)[3])w->built, w->reach, INT_MAX, &w->near)) {
        w->built[0][0] = (double)NAN;
        return false;
    }
    take(w);
    return make_room(w);
}

// Power and losses are asked for where the forces were.
static bool is_placed(const hol_equations *s, const hol_swarm *w, const hol_state *x)
{
    const size_t size = (size_t)s->nq * sizeof *w->q;
    return w->placed && memcmp(w->q, x->q, size) == 0 && memcmp(w->v, x->v, size) == 0;
}

bool hol_swarm_prepare(const hol_equations *s, hol_swarm *w, const hol_state *x)
{
    recall(w, x->t);
    if (is_placed(s, w, x)) return true;
    const size_t size = (size_t)s->nq * sizeof *w->q;
    memcpy(w->q, x->q, size);
    memcpy(w->v, x->v, size);
    w->placed = true;
    placing o = {.s = s, .w = w, .x = x, .out = w->at};
    const int parts = hol_team_parts(s->team, w->r->n_balls, place_part, &o);
    bool moved = false;
    for (int p = 0; p < parts; p++) {
        moved = moved || o.moved[p];
        w->met = w->met && o.same[p];
    }
    if (!moved) return true;
    w->met = false;
    w->placed = search(w);
    return w->placed;
}

// ---- two shapes ---------------------------------------------------------------------------------------------------

// The speed of an approach from the accepted state on that is known, if nothing disturbs it, and the second rate of the gap there. (23.18)
static double approach_of(const hol_swarm *w, const hol_near *p, double slowest, double *bend)
{
    const double(*begun)[9] = (const double(*)[9])w->memory[w->knows].begun;
    double r[9], n[3];
    *bend = 0;
    if (p->touches) return p->speed;
    if (!w->settled) return 0;
    memcpy(r, begun[p->a], sizeof r);
    const bool half = p->b >= w->r->n_balls;
    if (half)
        for (int i = 0; i < 3; i++) r[i] -= w->r->shape[p->b].s[i];
    else
        for (int i = 0; i < 9; i++) r[i] -= begun[p->b][i];
    const double length = half ? 1 : sqrt(hol_dot3(r, r));
    for (int i = 0; i < 3; i++) n[i] = half ? w->r->shape[p->b].n[i] : r[i] / length;
    const double radii = w->r->shape[p->a].radius + (half ? 0 : w->r->shape[p->b].radius),
                 g = (half ? hol_dot3(r, n) : length) - radii, g1 = hol_dot3(n, r + 3),
                 g2 = hol_dot3(n, r + 6) + (half ? 0 : (hol_dot3(r + 3, r + 3) - g1 * g1) / length),
                 square = g1 * g1 - 2 * fmax(g, 0) * g2;
    *bend = g2;
    return fmax(square > 0 && (g1 < 0 || g2 < 0) ? sqrt(square) : 0, slowest);
}

bool hol_swarm_meet(const hol_swarm *w, const hol_ball *at, const hol_near *p, hol_swarm_meeting *o)
{
    static const hol_ball none;
    const bool half = p->b >= w->r->n_balls;
    const hol_swarm_shape *second = &w->r->shape[p->b];
    const hol_ball *a = &at[p->a], *b = half ? &none : &at[p->b];
    const double *from = half ? second->s : b->c;
    double r[3], s[3], turned[2][3];
    for (int i = 0; i < 3; i++) r[i] = a->c[i] - from[i], s[i] = a->v[i] - b->v[i];
    const double length = half ? hol_dot3(second->n, r) : sqrt(hol_dot3(r, r));
    for (int i = 0; i < 3; i++) o->n[i] = half ? second->n[i] : r[i] / length;
    o->gap = length - w->r->shape[p->a].radius - (half ? 0 : second->radius);
    o->rate = hol_dot3(o->n, s);
    if (!(o->gap < 0)) return false;
    o->law = hol_swarm_law(w->r, p->a, p->b);
    o->arm[0] = o->law.radius + o->law.place * o->gap;
    o->arm[1] = length - o->arm[0];
    hol_cross3(a->om, o->n, turned[0]);
    hol_cross3(b->om, o->n, turned[1]);
    for (int i = 0; i < 3; i++)
        o->u[i] = s[i] - o->arm[0] * turned[0][i] - (half ? 0 : o->arm[1] * turned[1][i]) - o->rate * o->n[i];
    const double slip = hol_dot3(o->u, o->u);
    o->approach = approach_of(w, p, o->law.slowest, &o->bend);
    const hol_contact_normal N = hol_contact_press(&o->law, o->approach, -o->gap, -o->rate);
    const double h = hol_re(hol_contact_rub(&o->law, slip).h);
    o->F = hol_re(N.F);
    o->elastic = hol_re(N.elastic);
    o->damping = hol_re(N.F_v);
    o->rubbing = o->F * h;
    for (int i = 0; i < 3; i++) o->f[i] = o->F * (o->n[i] - h * o->u[i]);
    hol_cross3(o->n, o->f, o->t);
    o->lost_damping = (o->elastic - o->F) * o->rate;
    o->lost_rubbing = o->F * h * slip;
    return true;
}

// ---- loads --------------------------------------------------------------------------------------------------------

// A pass over pairs.
typedef struct {
    hol_swarm *w;
    hol_swarm_sum of[HOL_TEAM_PARTS];
} meeting;

// Forces of pairs, each into its own place, and sums over a part of them.
static void meet_part(void *with, int part, int from, int to)
{
    meeting *all = with;
    hol_swarm *w = all->w;
    hol_swarm_sum *sum = &all->of[part];
    *sum = (hol_swarm_sum){0};
    for (int k = from; k < to; k++) {
        hol_swarm_meeting o;
        w->acts[k] = hol_swarm_meet(w, w->at, &w->near.pair[k], &o);
        if (!w->acts[k]) continue;
        memcpy(w->pair[k].f, o.f, sizeof o.f);
        memcpy(w->pair[k].torque, o.t, sizeof o.t);
        memcpy(w->arm[k], o.arm, sizeof o.arm);
        sum->stored += hol_re(hol_contact_potential(&o.law, -o.gap));
        sum->lost_damping += o.lost_damping;
        sum->lost_rubbing += o.lost_rubbing;
    }
}

static void add_sum(const hol_swarm_sum *from, hol_swarm_sum *out)
{
    out->stored += from->stored;
    out->lost_damping += from->lost_damping;
    out->lost_rubbing += from->lost_rubbing;
}

// All pairs at a state, unless they are known there. false: no memory.
static bool meet(const hol_equations *s, hol_swarm *w, const hol_state *x)
{
    meeting o = {.w = w};
    if (!hol_swarm_prepare(s, w, x)) return false;
    if (w->met) return true;
    const int parts = hol_team_parts(s->team, w->near.n, meet_part, &o);
    w->sum = (hol_swarm_sum){0};
    for (int p = 0; p < parts; p++) add_sum(&o.of[p], &w->sum);
    w->met = true;
    return true;
}

// Of one pair on its first ball, or on its second one.
static void add_load(const hol_swarm *w, int k, int which, hol_swarm_load *out)
{
    const double arm = w->arm[k][which], sign = which ? -1 : 1;
    if (!w->acts[k]) return;
    for (int i = 0; i < 3; i++) {
        out->f[i] += sign * w->pair[k].f[i];
        out->torque[i] -= arm * w->pair[k].torque[i];
    }
}

// Loads of balls, each the sum over its pairs in their order, which does not depend on threads.
static void sum_range(void *with, int from, int to)
{
    hol_swarm *w = with;
    for (int i = from; i < to; i++) {
        hol_swarm_load *l = &w->load[i];
        double moved[3];
        memset(l, 0, sizeof *l);
        for (int k = w->near.up_first[i]; k < w->near.up_first[i + 1]; k++) add_load(w, w->near.up[k], 1, l);
        for (int k = w->near.first[i]; k < w->near.first[i + 1]; k++) add_load(w, k, 0, l);
        hol_cross3(w->at[i].arm, l->f, moved);
        for (int c = 0; c < 3; c++) l->torque[c] += moved[c];
    }
}

void hol_swarms_load(const hol_equations *s, const hol_state *x)
{
    for (int i = 0; i < s->swarms->n; i++) {
        hol_swarm *w = &s->swarms->of[i];
        if (meet(s, w, x)) {
            hol_team_each(s->team, w->r->n_balls, sum_range, w);
            continue;
        }
        for (int k = 0; k < w->r->n_balls; k++) w->load[k].f[0] = (double)NAN;
    }
}

// Torque to generalised force: Q_p = G^T torque. q, out: of the body.
static void add_force(const hol_body *b, int dimension, const double *q, const hol_swarm_load *l, double c,
                      double *out)
{
    for (int i = 0; i < dimension; i++) out[i] += c * l->f[i];
    if (b->frame == HOL_FRAME_PLANAR) out[2] += c * l->torque[2];
    if (b->frame != HOL_FRAME_SPATIAL) return;
    double G[3][4];
    find_rate(q + 3, G);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) out[3 + k] += c * G[i][k] * l->torque[i];
}

// What a force along the normal would do.
int hol_swarm_gap_by(const hol_equations *s, const hol_swarm *w, const hol_state *x, const hol_near *p,
                     const hol_swarm_meeting *o, int which, double by[7])
{
    const int i = which ? p->b : p->a, body = w->r->shape[i].body;
    hol_swarm_load l;
    if (body < 0) return 0;
    memset(by, 0, 7 * sizeof *by);
    memcpy(l.f, o->n, sizeof l.f);
    hol_cross3(w->at[i].arm, o->n, l.torque);
    add_force(&s->m->body[body], s->m->dimension, x->q + s->m->body[body].q, &l, which ? -1 : 1, by);
    return s->m->body[body].size;
}

void hol_swarms_force(const hol_equations *s, const hol_state *x, double c, double *out)
{
    if (!s->swarms->n) return;
    hol_swarms_load(s, x);
    for (int i = 0; i < s->swarms->n; i++) {
        const hol_swarm *w = &s->swarms->of[i];
        for (int k = 0; k < w->r->n_balls; k++) {
            const hol_body *b = w->r->shape[k].body < 0 ? NULL : &s->m->body[w->r->shape[k].body];
            if (b) add_force(b, s->m->dimension, x->q + b->q, &w->load[k], c, out + b->q);
        }
    }
}

void hol_swarms_measure(const hol_equations *s, const hol_state *x, hol_swarm_sum *out)
{
    *out = (hol_swarm_sum){0};
    for (int i = 0; i < s->swarms->n; i++) {
        hol_swarm *w = &s->swarms->of[i];
        if (!meet(s, w, x)) out->stored = (double)NAN;
        add_sum(&w->sum, out);
    }
}

// ---- accepted states ----------------------------------------------------------------------------------------------

typedef struct {
    const hol_equations *s;
    hol_swarm *w;
    const hol_state *x;
} beginning;

// Centres with velocities and accelerations.
static void begin_range(void *with, int from, int to)
{
    const beginning *o = with;
    for (int i = from; i < to; i++) {
        const hol_swarm_shape *shape = &o->w->r->shape[i];
        double *out = o->w->memory[0].begun[i], alpha[3], part[3];
        hol_ball b;
        place_ball(o->s->m, shape, o->x, &b);
        memset(out, 0, sizeof o->w->memory[0].begun[i]);
        memcpy(out, b.c, sizeof b.c);
        memcpy(out + 3, b.v, sizeof b.v);
        if (shape->body < 0) continue;
        const hol_body *body = &o->s->m->body[shape->body];
        turn(body, o->x->q, o->x->a, alpha);
        hol_cross3(alpha, b.arm, out + 6);
        hol_cross3(b.om, b.arm, alpha);
        hol_cross3(b.om, alpha, part);
        for (int k = 0; k < 3; k++)
            out[6 + k] += part[k] + (k < o->s->m->dimension ? o->x->a[body->q + k] : 0);
    }
}

void hol_swarms_begin(const hol_equations *s, const hol_state *x)
{
    for (int i = 0; i < s->swarms->n; i++) {
        beginning o = {s, &s->swarms->of[i], x};
        hol_team_each(s->team, o.w->r->n_balls, begin_range, &o);
        o.w->memory[0].t = x->t;
        o.w->settled = true;
        recall(o.w, x->t);
    }
}
