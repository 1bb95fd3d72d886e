// Norms of local errors, in units of the tolerance T (docs/theory.md, section 5.5). With groups, L and W being length and pace of
// the island, (5.12a):
//
//     positions  |e_r|/L,  |e_theta|        rates  |e_v|/(L W),  |e_omega|/W        states  |e_X|/max(size, |X|)
//
// and the largest counts, with the depths of contacts that last (depths.c). Without:
//
//     w_i = (size_i + relative |u_i|) T,     r_q = rms of e_i/w_i over positions,  r_v = that over rates and states
//
// where a step is judged by the larger of r_q and r_v, in CVODE by the root of the sum of their squares.
#include "integrator/norm.h"

#include <float.h>
#include <math.h>

#define LASTS 100 // radians of a vibration over which the largest of its accelerations are remembered
#define SEEN 0.1  // radians in which what these turn by is more than rounding
#define OWN 2     // squares and cubes of the pace that the motion's own may have
#define COUNTS                                                                                               \
    1 // tolerances: square of a vibration's speed, by that of the motion, from which it is followed
#define HELD 0.25    // and below which it is no more
#define ROUNDINGS 10 // of the largest coordinate: no smaller error of positions is asked for

static double length_of(const hol_group *g, const double *x)
{
    double sum = 0;
    for (int i = g->at; i < g->at + g->count; i++) sum += x[i] * x[i];
    return g->factor * sqrt(sum);
}

static double distance_of(const hol_group *g, const double *x0, const double *x1)
{
    double sum = 0;
    for (int i = g->at; i < g->at + g->count; i++) sum += (x1[i] - x0[i]) * (x1[i] - x0[i]);
    return g->factor * sqrt(sum);
}

void hol_norm_pace(const hol_norm *z, double h, const double *q, const double *v0, const double *v1)
{
    const hol_groups *g = z->groups;
    for (int k = 0; k < g->n_islands; k++) {
        g->island[k].pace = g->slowest;
        g->island[k].least = 0;
    }
    for (int k = 0; k < g->n_rates; k++) {
        hol_island *o = &g->island[g->rate[k].island];
        o->pace =
            fmax(o->pace, fmax(length_of(&g->rate[k], v0), length_of(&g->rate[k], v1)) / g->rate[k].span);
    }
    for (int k = 0; k < g->n_positions; k++) {
        const hol_group *p = &g->position[k];
        hol_island *o = &g->island[p->island];
        for (int i = p->at; i < p->at + p->count; i++)
            o->least = fmax(o->least, ROUNDINGS * DBL_EPSILON * fabs(q[i]) / p->span);
    }
    for (int k = 0; k < g->n_islands; k++) {
        hol_island *o = &g->island[k];
        o->share = h > 0 ? fmax(1, g->brief / (h * o->pace)) : 1;
    }
}

// Sum of products of two vectors of rates over the groups of an island, by natural size.
static double product(const hol_groups *g, int island, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < g->n_rates; k++) {
        const hol_group *r = &g->rate[k];
        const double scale = r->factor / r->span;
        for (int i = r->at; i < r->at + r->count && r->island == island; i++)
            sum += a[i] * b[i] * scale * scale;
    }
    return sum;
}

void hol_norm_share(const hol_norm *z, double h, const double *e, const double *damped, const double *taken)
{
    const hol_groups *g = z->groups;
    for (int k = 0; k < g->n_islands; k++) {
        hol_island *o = &g->island[k];
        const double stays = product(g, k, e, e), fast = product(g, k, taken, taken);
        const double dies = stays > 0 ? product(g, k, e, damped) / stays : 1;
        o->share = fmax(1, g->brief / fmax(h * o->pace, dies));
        if (stays > 0) o->share *= fmin(1, h * o->pace * sqrt(fast / stays)); // so much can have turned
    }
}

static void begin(hol_island *o)
{
    o->swing = o->turn = 0;
    o->resolved = true;
    o->follows = false;
}

// Speed of vibrations by that of the motion, from accelerations and from what they turn by, both less what those of the motion may have.
static void look(hol_island *o, double h, double T)
{
    const double swing = (o->swing - OWN * pow(o->pace, 2)) / o->stiff,
                 turn = (o->turn - OWN * pow(o->pace, 3)) / (o->stiff * o->stiff);
    const double speed = fmax(0, fmax(swing, turn)) / o->pace;
    o->resolved = o->resolved && h * o->stiff < 1;
    o->follows = o->resolved && speed * speed > (o->follows ? HELD : COUNTS) * T;
}

void hol_norm_follow(const hol_norm *z, double h, double T, const double *a0, const double *a1)
{
    const hol_groups *g = z->groups;
    for (int k = 0; k < g->n_islands; k++) {
        hol_island *o = &g->island[k];
        const double kept = exp(-h * o->stiff / LASTS);
        o->swing *= kept;
        o->turn *= kept;
        if (h <= 0) begin(o);
    }
    for (int k = 0; k < g->n_rates && h > 0; k++) {
        const hol_group *r = &g->rate[k];
        hol_island *o = &g->island[r->island];
        if (o->stiff <= 0) continue;
        o->swing = fmax(o->swing, length_of(r, a1) / r->span);
        o->turn = fmax(o->turn, distance_of(r, a0, a1) / r->span / fmax(h, SEEN / o->stiff));
    }
    for (int k = 0; k < g->n_islands && h > 0; k++)
        if (g->island[k].stiff > 0) look(&g->island[k], h, T);
}

double hol_norm_admitted(const hol_norm *z, const hol_island *o, double pace)
{
    const double share = pace > o->pace ? fmax(1, o->share * o->pace / pace) : o->share;
    return fmax(z->tolerance / share, o->least);
}

static double admitted(const hol_norm *z, const hol_island *o) { return hol_norm_admitted(z, o, o->pace); }

// Size of a rate's group: the pace is that of the motion, or of vibrations that are not followed.
static double rate_size(const hol_group *r, const hol_island *o)
{
    return r->size * (o->follows ? o->pace : fmax(o->pace, o->stiff));
}

double hol_norm_positions(const hol_norm *z, const double *e, const double *x0, const double *x1)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_positions; k++) {
        const hol_group *p = &g->position[k];
        const double way = x0 ? z->relative * distance_of(p, x0, x1) : 0;
        worst =
            hol_larger(length_of(p, e) / (fmax(p->size, way) * admitted(z, &g->island[p->island])), worst);
    }
    return hol_larger(hol_depths_positions(z, e), worst);
}

double hol_norm_rates(const hol_norm *z, const double *e)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_rates && !g->skips; k++) {
        const hol_group *r = &g->rate[k];
        const hol_island *o = &g->island[r->island];
        worst = hol_larger(length_of(r, e) / (rate_size(r, o) * admitted(z, o)), worst);
    }
    return g->skips ? 0 : hol_larger(hol_depths_rates(z, e), worst);
}

double hol_norm_turning(const hol_norm *z, const double *v, const double *a)
{
    const hol_groups *g = z->groups;
    double turning = 0;
    for (int i = 0; i < g->n_rates; i++) {
        const hol_group *r = &g->rate[i];
        const bool flies = !g->island[r->island].held;
        const double speed = length_of(r, v) / r->span, bend = length_of(r, a) / r->span;
        if (r->turns || !flies) turning = fmax(turning, fmax(speed, fmin(g->slowest, sqrt(bend))));
    }
    return turning;
}

double hol_norm_moving(const hol_norm *z, const double *v0, const double *v1)
{
    const hol_groups *g = z->groups;
    double most = 0;
    for (int i = 0; i < g->n_rates; i++) {
        const hol_group *r = &g->rate[i];
        if (!r->turns && !g->island[r->island].held) continue;
        most = fmax(most, (length_of(r, v0) + length_of(r, v1)) / (2 * r->span));
    }
    return most;
}

double hol_norm_speed(const hol_norm *z, const double *v)
{
    const hol_groups *g = z->groups;
    double most = 0;
    for (int k = 0; k < g->n_rates; k++)
        most = hol_larger(length_of(&g->rate[k], v) / (g->rate[k].span * g->island[g->rate[k].island].pace),
                          most);
    return most;
}

double hol_norm_states(const hol_norm *z, const double *e, const double *x0, const double *x1)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_states; k++) {
        const hol_group *s = &g->state[k];
        const double largest = fmax(fabs(x0[s->at]), fabs(x1[s->at]));
        worst = hol_larger(fabs(e[s->at]) / (fmax(s->size, z->relative * largest) * z->tolerance), worst);
    }
    return worst;
}

double hol_norm_size(const hol_norm *z, const double *x)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_positions; k++)
        worst = hol_larger(length_of(&g->position[k], x) / g->position[k].size, worst);
    return hol_larger(hol_depths_size(z, x), worst);
}

// A joint's equation is a difference of positions of its bodies: its rounding is that of the largest coordinate.
double hol_norm_roughness(const hol_norm *z, const double *q)
{
    const hol_groups *g = z->groups;
    double worst = 0;
    for (int k = 0; k < g->n_positions; k++) {
        const hol_group *p = &g->position[k];
        double most = p->span;
        for (int i = p->at; i < p->at + p->count; i++) most = fmax(most, fabs(q[i]));
        worst = fmax(worst, p->factor * most / p->size);
    }
    return fmax(hol_depths_roughness(z, q), worst);
}

// Sum of the squares of entries from .. to - 1.
static double sum_squares(const hol_norm *z, int from, int to, const double *e, const double *before,
                          const double *after)
{
    const double relative = z->relative, *size = z->size;
    double sum = 0;
    for (int i = from; i < to; i++) {
        const double x0 = fabs(before[i]), x1 = fabs(after[i]);
        const double x = e[i] / (size[i] + relative * (x0 > x1 ? x0 : x1));
        sum += x * x;
    }
    return sum;
}

static double mean_error(const hol_norm *z, const double *e, const double *before, const double *after)
{
    const double positions = sum_squares(z, 0, z->n_q, e, before, after),
                 others = sum_squares(z, z->n_q, z->n, e, before, after);
    return sqrt(fmax(positions / fmax(1, z->n_q), others / fmax(1, z->n - z->n_q))) / z->tolerance;
}

double hol_norm_error(const hol_norm *z, double h, const double *e, const double *before, const double *after)
{
    if (!z->groups) return mean_error(z, e, before, after);
    const int v = z->n_q, X = z->n - z->groups->n_states;
    hol_norm_pace(z, h, before, before + v, after + v);
    return hol_larger(hol_larger(hol_norm_positions(z, e, before, after), hol_norm_rates(z, e + v)),
                      hol_norm_states(z, e + X, before + X, after + X));
}

// ---- for CVODE and IDA ----------------------------------------------------------------------------------------

// The square of the norm below is the sum of the squares of the means of both parts.
static void mean_weights(const hol_norm *z, const double *u, const double *offset, int all, double *weight)
{
    const double relative = z->relative, tolerance = z->tolerance;
    double part = sqrt(all / fmax(1, z->n_q));
    for (int i = 0; i < z->n; i++) {
        const double x = offset ? u[i] + offset[i] : u[i];
        if (i == z->n_q) part = sqrt(all / fmax(1, z->n - z->n_q));
        weight[i] = part / ((z->size[i] + relative * fabs(x)) * tolerance);
    }
}

static void set(const hol_group *g, double size, double *weight)
{
    for (int i = g->at; i < g->at + g->count; i++) weight[i] = g->factor / size;
}

// Weights of the groups at u + offset, which they are found in.
static void group_weights(const hol_norm *z, const double *u, const double *offset, double *weight)
{
    const hol_groups *g = z->groups;
    double *v = weight + z->n_q, *X = weight + z->n - g->n_states;
    for (int i = 0; i < z->n; i++) weight[i] = offset ? u[i] + offset[i] : u[i];
    hol_norm_pace(z, 0, weight, v, v);
    for (int k = 0; k < g->n_positions; k++)
        set(&g->position[k], g->position[k].size * admitted(z, &g->island[g->position[k].island]), weight);
    for (int k = 0; k < g->n_rates; k++) {
        const hol_island *o = &g->island[g->rate[k].island];
        set(&g->rate[k], g->skips ? HOL_INF : rate_size(&g->rate[k], o) * admitted(z, o), v);
    }
    for (int k = 0; k < g->n_states; k++)
        set(&g->state[k], fmax(g->state[k].size, z->relative * fabs(X[k])) * z->tolerance, X);
    hol_depths_weigh(z, weight);
}

void hol_norm_weights(const hol_norm *z, const double *u, const double *offset, int all, double *weight)
{
    if (z->groups)
        group_weights(z, u, offset, weight);
    else
        mean_weights(z, u, offset, all, weight);
    for (int i = z->n; i < all; i++) weight[i] = 0;
}

static double worst_of(const hol_group *g, int n, const double *e, const double *weight)
{
    double worst = 0;
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (int i = g[k].at; i < g[k].at + g[k].count; i++) sum += e[i] * weight[i] * (e[i] * weight[i]);
        worst = hol_larger(sum, worst);
    }
    return worst;
}

static HOL_NOINLINE double group_norm(const hol_norm *z, const double *e, const double *weight)
{
    const hol_groups *g = z->groups;
    const int v = z->n_q, X = z->n - g->n_states;
    double sum = worst_of(g->position, g->n_positions, e, weight);
    sum = hol_larger(sum, worst_of(g->rate, g->n_rates, e + v, weight + v));
    sum = hol_larger(sum, worst_of(g->state, g->n_states, e + X, weight + X));
    return hol_larger(hol_depths_weighted(z, e, weight), sqrt(sum));
}

double hol_norm_weighted(const hol_norm *z, int all, const double *e, const double *weight)
{
    double sum = 0;
    if (z && z->groups) return group_norm(z, e, weight);
    for (int i = 0; i < all; i++) sum += e[i] * weight[i] * (e[i] * weight[i]);
    return sqrt(sum / (double)all);
}
