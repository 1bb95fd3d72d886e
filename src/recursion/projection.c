// Positions and velocities put onto the joints of the tree by the smallest changes in the metric of the masses: what the joints
// are open by, as twists, closed by the two passes. How states follow twists. docs/theory.md, section 14.4.
#include "recursion/kinematics.h"

#include <math.h>
#include <string.h>

// ---- projections ------------------------------------------------------------------------------------------------

// Change of a closed-form joint in space: point and rotation of the child that do not fit, at positions or velocities.
static void gap6(const hol_tree *r, const hol_state *x, int j, bool velocity, double *gap)
{
    const hol_link *l = &r->link[j];
    const hol_body6 *own = &r->body6[j];
    const int k = l->father;
    const double *R = r->frame6[j].R, *Rk = rotation_of(r, 6, k);
    const double *q = x->q + l->q, *qk = place_of(r, x, k), *nu = r->nu + 6 * j, *nk = twist_of(r, 6, k);
    double s[3], s1[3], a[3] = {0}, d[3], turn[3] = {0}, t[3], t1[3];
    hol_turn3(R, own->s, s);
    hol_turn3(Rk, own->s_father, s1);
    if (l->kind == HOL_LINK_SLIDE)
        hol_turn3(l->owns_axis ? R : Rk, own->a, a);
    else if (l->kind == HOL_LINK_REVOLUTE)
        hol_turn3(R, own->a, a);
    for (int i = 0; i < 3; i++) d[i] = q[i] + s[i] - qk[i] - s1[i];
    if (velocity) {
        double arm[3];
        for (int i = 0; i < 3; i++) arm[i] = l->kind == HOL_LINK_SLIDE ? s1[i] + d[i] : s1[i];
        hol_cross3(nu + 3, s, t);
        hol_cross3(nk + 3, arm, t1);
        for (int i = 0; i < 3; i++) d[i] = nu[i] + t[i] - nk[i] - t1[i], turn[i] = nu[3 + i] - nk[3 + i];
        if (l->kind == HOL_LINK_REVOLUTE) {
            const double along = hol_dot3(turn, a);
            for (int i = 0; i < 3; i++) turn[i] -= along * a[i];
        }
    } else if (l->kind == HOL_LINK_REVOLUTE) { // turns the child's axis to the father's
        double b[3], c[3];
        hol_turn3(Rk, r->axes[j].father + 6, b);
        hol_cross3(b, a, c);
        memcpy(turn, c, sizeof turn);
    } else
        for (int i = 0; i < 3; i++) { // and of all three axes
            double b[3], c[3], z[3];
            hol_turn3(Rk, r->axes[j].father + 3 * i, b);
            hol_turn3(R, r->axes[j].own + 3 * i, c);
            hol_cross3(b, c, z);
            for (int p = 0; p < 3; p++) turn[p] += 0.5 * z[p];
        }
    if (l->kind == HOL_LINK_SLIDE) {
        const double along = hol_dot3(d, a);
        for (int i = 0; i < 3; i++) d[i] -= along * a[i];
    }
    hol_cross3(turn, s, t);
    for (int i = 0; i < 3; i++) gap[i] = -d[i] + t[i], gap[3 + i] = -turn[i];
}

// The same of a point alone: its arms are in the directions and in r, the father's less the own one.
HOL_INLINE void point_gap(const hol_tree *r, const int d, const hol_state *x, int j, bool velocity,
                          double *gap)
{
    const hol_link *l = &r->link[j];
    const int n = hol_point_size(d), k = l->father;
    const double *F = r->pool + l->pool, *reach = HOL_OF(r, d, frame, j, r);
    const double *q = x->q + l->q, *qk = place_of(r, x, k), *nu = r->nu + d * j, *nk = twist_of(r, d, k);
    double s[3] = {d == 3 ? -F[1] : F[0], d == 3 ? F[0] : F[1], d == 3 ? 0 : F[2]}, s1[3], t[3], t1[3];
    for (int i = n; i < d; i++) gap[i] = 0;
    for (int i = 0; i < n && !velocity; i++) gap[i] = qk[i] + reach[i] - q[i];
    if (!velocity) return;
    for (int i = 0; i < n; i++) s1[i] = reach[i] + s[i];
    spin_of(d, nu + n, s, t);
    spin_of(d, nk + n, s1, t1);
    for (int i = 0; i < n; i++) gap[i] = nk[i] + t1[i] - nu[i] - t[i];
}

// rates of link j's rows: B (nu_j - X nu_k) + their partial time derivative
static void link_rates(const hol_tree *r, int j, const double *B, const double *time, double *out)
{
    const hol_link *l = &r->link[j];
    const int d = r->d, k = l->father;
    const double *nu = r->nu + d * j, *nk = twist_of(r, d, k);
    double z[HOL_TWIST], t[3];
    spin_of(d, nk + hol_point_size(d), HOL_OF(r, d, frame, j, r), t);
    for (int i = 0; i < d; i++) z[i] = nu[i] - (i < hol_point_size(d) ? nk[i] + t[i] : nk[i]);
    for (int i = 0; i < l->rows; i++) {
        out[i] = time[i];
        for (int c = 0; c < d; c++) out[i] += B[i * d + c] * z[c];
    }
}

// A change of the body's twist that closes its joint.
HOL_INLINE void gap_of(const hol_tree *r, const hol_state *x, const int d, int j, const bool velocity,
                       double *gap)
{
    const hol_link *l = &r->link[j];
    if (l->kind == HOL_LINK_FREE) {
        memset(gap, 0, (size_t)d * sizeof *gap);
    } else if (l->kind == point_alone(d)) {
        point_gap(r, d, x, j, velocity, gap);
    } else if (d == 6 && l->kind != HOL_LINK_GENERAL) {
        gap6(r, x, j, velocity, gap);
    } else {
        double B[36], Q[36], R[36], g[HOL_TWIST], t[HOL_TWIST];
        hol_link_rows(r, j, x, B, g, NULL, t);
        if (velocity) link_rates(r, j, B, t, g);
        for (int i = 0; i < l->rows; i++) g[i] = -g[i];
        hol_row_factors(d, l->rows, B, Q, R);
        hol_right_inverse(d, l->rows, Q, R, g, gap);
    }
}

typedef struct {
    const hol_tree *r;
    const hol_state *x;
    bool velocity;
    double most[HOL_TEAM_PARTS], turned[HOL_TEAM_PARTS]; // lengths and angles
} gaps;

// Gaps of all joints of a range, and their largest.
HOL_INLINE void gaps_of(gaps *o, const int d, const bool velocity, int part, int from, int to)
{
    const hol_tree *r = o->r;
    double most = 0, turned = 0;
    for (int j = from; j < to; j++) {
        double *gap = r->u + (size_t)d * (size_t)j;
        gap_of(r, o->x, d, j, velocity, gap);
        for (int i = 0; i < hol_point_size(d); i++) most = hol_larger(fabs(gap[i]), most);
        for (int i = hol_point_size(d); i < d; i++) turned = hol_larger(fabs(gap[i]), turned);
    }
    o->most[part] = most;
    o->turned[part] = turned;
}

static void gaps_part(void *with, int part, int from, int to)
{
    gaps *o = with;
    if (o->velocity)
        HOL_SIZED(o->r->d, gaps_of, o, true, part, from, to);
    else
        HOL_SIZED(o->r->d, gaps_of, o, false, part, from, to);
}

// Those of all bodies into r->u, and the largest one by natural size.
double hol_tree_gaps(const hol_tree *r, const hol_state *x, bool velocity)
{
    const hol_model_data *m = r->s->m;
    gaps o;
    o.r = r;
    o.x = x;
    o.velocity = velocity;
    const int parts = hol_team_parts(r->s->team, r->n_bodies, gaps_part, &o);
    double most = o.most[0], turned = o.turned[0];
    for (int p = 1; p < parts; p++)
        most = hol_larger(o.most[p], most), turned = hol_larger(o.turned[p], turned);
    most /= m->length_scale;
    return hol_larger(turned, most) * (velocity ? m->time_scale : 1);
}

// r->u becomes the change of twists that closes the gaps in r->u.
hol_status hol_tree_close_gaps(hol_tree *r, bool factored)
{
    double *const gap = r->u;
    r->u = r->jump;
    r->jump = gap;
    const hol_status st = hol_tree_backward(r, !factored, NULL, gap, r->u);
    if (!st) hol_tree_forward(r, gap, r->u);
    return st;
}

enum { MAX_STEPS = 20 };

hol_status hol_tree_project_positions(hol_tree *r, hol_state *x, double tolerance)
{
    for (int k = 0; k < MAX_STEPS; k++) {
        hol_tree_place(r, x);
        const double size = hol_tree_gaps(r, x, false);
        if (size <= tolerance) return HOL_OK;
        if (!isfinite(size)) return HOL_RECOVERABLE;
        const hol_status st = hol_tree_close_gaps(r, false);
        if (st) return st;
        hol_tree_move(r, 1, r->u, x);
    }
    return HOL_RECOVERABLE;
}

hol_status hol_tree_project_velocities(hol_tree *r, hol_state *x)
{
    hol_tree_place(r, x);
    if (hol_tree_gaps(r, x, true) <= 0) return HOL_OK;
    const hol_status st = hol_tree_close_gaps(r, false);
    if (st) return st;
    for (int i = 0; i < r->size.n; i++) r->u[i] += r->nu[i];
    hol_tree_put_velocities(r, r->u, x);
    return HOL_OK;
}

// Small gaps close at once: with the directions of x whatever the factors are, and up to the square of the gap.
hol_status hol_tree_project(hol_tree *r, hol_state *x, double position, double velocity, bool near,
                            bool *placed)
{
    hol_status st = HOL_OK;
    const bool factored = near && r->size.factors > 0;
    hol_tree_normalise(r, x);
    hol_tree_place(r, x);
    const bool rates = hol_tree_gaps(r, x, true) > velocity;
    if (rates && !(st = hol_tree_close_gaps(r, factored && !r->n_general)))
        for (int i = 0; i < r->size.n; i++) r->nu[i] += r->u[i];
    const double open = st ? HOL_INF : hol_tree_gaps(r, x, false);
    if (!isfinite(open)) return st ? st : HOL_RECOVERABLE;
    *placed = !rates && open <= position;
    if (*placed) return HOL_OK;
    if (open > position && !(st = hol_tree_close_gaps(r, (factored || rates) && !r->n_general)))
        hol_tree_move(r, 1, r->u, x);
    if (st) return st;
    hol_tree_put_velocities(r, r->nu, x);
    if (open * open <= position) return HOL_OK;
    st = hol_tree_project_positions(r, x, position);
    return st ? st : hol_tree_project_velocities(r, x);
}

// ---- states -----------------------------------------------------------------------------------------------------

typedef struct {
    const hol_tree *r;
    double h;
    const double *u;
    hol_state *x;
} motion;

// Euler parameters of length 1, and rates across them.
static void normalise(void *with, int from, int to)
{
    const motion *o = with;
    for (int j = from; j < to; j++) {
        const hol_link *l = &o->r->link[j];
        if (l->frame == HOL_FRAME_SPATIAL) hol_hold_norm(o->x->q + l->q + 3, o->x->v + l->q + 3);
    }
}

void hol_tree_normalise(const hol_tree *r, hol_state *x)
{
    motion o = {.r = r, .x = x};
    hol_tree_each(r, normalise, &o);
}

// q += h times the rates that twists u give.
static void move(void *with, int from, int to)
{
    const motion *o = with;
    const hol_tree *r = o->r;
    const double h = o->h;
    for (int j = from; j < to; j++) {
        const hol_link *l = &r->link[j];
        const double *w = o->u + (size_t)r->d * (size_t)j;
        double *q = o->x->q + l->q;
        const int plain = l->frame == HOL_FRAME_SPATIAL ? 3 : r->s->m->body[r->order[j]].size;
        for (int i = 0; i < plain; i++) q[i] += h * w[i];
        if (l->frame != HOL_FRAME_SPATIAL) continue;
        const double half = 0.5 * h * sqrt(hol_dot3(w + 3, w + 3));
        const double c = cos(half), s = 0.5 * h * (half > 1e-3 ? sin(half) / half : 1 - half * half / 6);
        const double turn[4] = {c, s * w[3], s * w[4], s * w[5]};
        hol_quat_multiply(turn, q + 3, q + 3);
        const double size = 1 / sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
        for (int i = 3; i < 7; i++) q[i] *= size;
    }
}

void hol_tree_move(const hol_tree *r, double h, const double *u, hol_state *x)
{
    motion o = {r, h, u, x};
    hol_tree_each(r, move, &o);
}

// Velocities of the coordinates from twists u.
static void put_velocities(void *with, int from, int to)
{
    const motion *o = with;
    const hol_tree *r = o->r;
    for (int j = from; j < to; j++) {
        const hol_link *l = &r->link[j];
        const double *w = o->u + (size_t)r->d * (size_t)j;
        double *v = o->x->v + l->q;
        const int plain = l->frame == HOL_FRAME_SPATIAL ? 3 : r->s->m->body[r->order[j]].size;
        for (int i = 0; i < plain; i++) v[i] = w[i];
        if (l->frame == HOL_FRAME_SPATIAL) euler_rate(o->x->q + l->q + 3, w + 3, v + 3);
    }
}

void hol_tree_put_velocities(const hol_tree *r, const double *nu, hol_state *x)
{
    motion o = {.r = r, .u = nu, .x = x};
    hol_tree_each(r, put_velocities, &o);
}

HOL_INLINE void accelerations(const motion *o, const int d, int from, int to)
{
    for (int j = from; j < to; j++) set_acceleration(o->r, d, j, o->u, o->x);
}
HOL_RANGE(accelerations, motion)

void hol_tree_put_accelerations(const hol_tree *r, const double *u, hol_state *x)
{
    motion o = {.r = r, .u = u, .x = x};
    hol_tree_each(r, accelerations_range, &o);
}
