// Rows of the tree in twists, their multipliers, and the projections onto them. docs/theory.md, section 14.4.
#include "recursion/data.h"
#include "recursion/frames.h"

#include <math.h>
#include <string.h>

// ---- rows -----------------------------------------------------------------------------------------------------

void hol_link_rows(const hol_recursion *r, int j, const hol_state *x, double *B, double *value, double *gam,
                   double *time)
{
    const hol_forest *f = r->forest;
    const int body = r->order[j], d = r->d;
    double all[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST];
    for (int i = f->first[body]; i < f->first[body + 1]; i++) {
        const hol_element *e = &r->s->m->element[f->tie[i]];
        const int own = e->body[0] == body ? 0 : 1, width = e->n_bodies * d;
        hol_twist_rows(r->s->m, e, x, all, value, gam, time);
        for (int row = 0; row < e->n_rows; row++, B += d)
            memcpy(B, all + row * width + own * d, (size_t)d * sizeof *B);
        if (value) value += e->n_rows;
        if (gam) gam += e->n_rows;
        if (time) time += e->n_rows;
    }
}

// jump = Q R^-T gam
static void right_inverse(int d, int m, const double *Q, const double *R, const double *gam, double *jump)
{
    double z[HOL_TWIST];
    for (int i = 0; i < m; i++) {
        z[i] = gam[i];
        for (int p = 0; p < i; p++) z[i] -= R[p * m + i] * z[p];
        z[i] = R[i * m + i] != 0 ? z[i] / R[i * m + i] : 0;
    }
    for (int i = 0; i < d; i++) {
        jump[i] = 0;
        for (int p = 0; p < m; p++) jump[i] += Q[p * d + i] * z[p];
    }
}

// ---- multipliers ----------------------------------------------------------------------------------------------

// M u of one body
static void own_force(const hol_recursion *r, int j, const double *u, double *out)
{
    const double *w = u + (size_t)r->d * (size_t)j;
    if (r->d == 3) {
        const hol_body3 *b = &r->body3[j];
        out[0] = b->m * w[0], out[1] = b->m * w[1], out[2] = b->J * w[2];
        return;
    }
    for (int i = 0; i < 3; i++) out[i] = r->body6[j].m * w[i];
    hol_sym3(r->frame6[j].J, w + 3, out + 3);
}

static const hol_element *tie_of(const hol_recursion *r, int j)
{
    return &r->s->m->element[r->forest->tie[r->forest->first[r->order[j]]]];
}

// Euler parameters of the marker at an end of a tie.
static void turned_marker(const hol_recursion *r, const hol_end *end, double *Q)
{
    const double *own = hol_marker_quat(end->marker);
    if (end->body < 0)
        memcpy(Q, own, 4 * sizeof *Q);
    else
        hol_quat_multiply(r->x->q + r->s->m->body[end->body].q + 3, own, Q);
}

// The point takes the force; the components of the rotation what is left of the torque, by their directions b.
static void turn_multipliers(const hol_recursion *r, int j, const double *h, double *lam)
{
    const hol_link *l = &r->link[j];
    const hol_element *e = tie_of(r, j);
    const hol_prim *turn = ((const hol_prims *)e->data)->p + 1;
    const double sign = l->owns_axis ? 1 : -1; // of the rows by the own twist: opposite
    double Q[2][4], b[3][3], s[3], left[3], across[3], z[3];
    for (int i = 0; i < 2; i++) turned_marker(r, &e->end[i], Q[i]);
    for (int i = 0; i < l->rows - 3; i++) hol_turn_direction(Q[0], Q[1], turn[i].axis1, b[i]);
    hol_turn3(r->frame6[j].R, r->body6[j].s, s);
    hol_cross3(s, h, left);
    for (int i = 0; i < 3; i++) lam[i] = sign * h[i], left[i] = sign * (h[3 + i] - left[i]);
    hol_cross3(b[0], b[1], across);
    if (l->rows < 6) memcpy(b[2], across, sizeof across); // no torque there
    const double det = hol_dot3(across, b[2]);
    for (int i = 3; i < l->rows; i++) {
        hol_cross3(b[(i + 1) % 3], b[(i + 2) % 3], z);
        lam[i] = det != 0 ? hol_dot3(left, z) / det : 0;
    }
}

// h = -B^T lam of link j. A point alone has the rows +-[I -s~].
static void link_multipliers(const hol_recursion *r, int j, const double *h, double *lam)
{
    const hol_link *l = &r->link[j];
    const int d = r->d, n = l->rows;
    double B[36], Q[36], R[36], z[HOL_TWIST];
    if (l->kind == (d == 3 ? HOL_LINK_REVOLUTE : HOL_LINK_SPHERICAL)) {
        for (int i = 0; i < n; i++) lam[i] = l->owns_axis ? h[i] : -h[i];
        return;
    }
    if (l->turns) {
        turn_multipliers(r, j, h, lam);
        return;
    }
    hol_link_rows(r, j, r->x, B, NULL, NULL, NULL);
    hol_row_factors(d, n, B, Q, R);
    for (int i = 0; i < n; i++) {
        z[i] = 0;
        for (int c = 0; c < d; c++) z[i] -= Q[i * d + c] * h[c];
    }
    for (int i = n - 1; i >= 0; i--) { // R lam = -Q^T h
        for (int p = i + 1; p < n; p++) z[i] -= R[i * n + p] * lam[p];
        lam[i] = R[i * n + i] != 0 ? z[i] / R[i * n + i] : 0;
    }
}

typedef struct {
    const hol_recursion *r;
    const double *f, *u;
    double *carried;
} forces;

static void missing_forces(void *with, int from, int to)
{
    const forces *o = with;
    const int d = o->r->d;
    for (int j = from; j < to; j++) {
        own_force(o->r, j, o->u, o->carried + (size_t)d * (size_t)j);
        for (int i = 0; i < d; i++) o->carried[d * j + i] -= o->f[d * j + i];
    }
}

// Multipliers of the tree's rows from the forces that arrive at each body, leaves first.
static void carry_forces(void *with, int from, int to)
{
    const forces *o = with;
    const hol_recursion *r = o->r;
    const int d = r->d;
    for (int j = to - 1; j >= from; j--) {
        const hol_link *l = &r->link[j];
        const double *h = o->carried + (size_t)d * (size_t)j;
        link_multipliers(r, j, h, r->lam + l->row);
        if (l->father < 0) continue;
        double *to_father = o->carried + (size_t)d * (size_t)l->father;
        for (int i = 0; i < d; i++) to_father[i] += h[i];
        if (d == 3) {
            const double *at = r->frame3[j].r;
            to_father[2] += at[0] * h[1] - at[1] * h[0];
        } else {
            double t[3];
            hol_cross3(r->frame6[j].r, h, t);
            for (int i = 0; i < 3; i++) to_father[3 + i] += t[i];
        }
    }
}

// The joint's force on a body is M u - f and what its children take: -B^T lam.
void hol_recursion_multipliers(hol_recursion *r, const double *f, const double *u)
{
    forces o = {r, f, u, r->jump};
    hol_recursion_each(r, missing_forces, &o);
    hol_recursion_inwards(r, carry_forces, &o);
}

// Multiplier of a normalisation: of M a + Phi_q^T lam = Q the component along p, M p'' has none.
void hol_recursion_put_normalisations(hol_recursion *r, hol_state *x)
{
    const hol_equations *s = r->s;
    double *g = r->general;
    if (r->d == 3) return;
    memset(g, 0, (size_t)s->nq * sizeof *g);
    for (int k = 0; k < s->m->n_bodies; k++)
        if (s->m->element[k].n_rows) x->lam[s->active[s->m->element[k].row]] = 0;
    for (int k = 0; k < s->m->n_elements; k++) {
        const hol_element *e = &s->m->element[k];
        const hol_element_type *t = e->type;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], f[HOL_MAX_Y] = {0}, u[HOL_MAX_ROWS];
        hol_real J[HOL_MAX_ROWS * HOL_MAX_Y];
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        if (t->force && hol_element_acts(e, x->mem)) {
            hol_equations_inputs(e, x, u);
            t->force(e->data, e->ny, y, w, x->mem + e->mem, u, f);
        }
        if (e->n_rows) t->phi(e->data, e->ny, y, NULL, NULL, J);
        for (int i = 0; i < e->n_rows; i++) {
            const int row = s->active[e->row + i];
            for (int j = 0; j < e->ny - 1 && row >= 0; j++) f[j] -= J[i * e->ny + j] * x->lam[row];
        }
        for (int i = 0, n = 0; i < e->n_bodies; i++)
            for (int c = 0; c < s->m->body[e->body[i]].size; c++)
                g[s->m->body[e->body[i]].q + c] += hol_re(f[n++]);
    }
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_body *b = &s->m->body[k];
        if (b->frame != HOL_FRAME_SPATIAL) continue;
        double pg = 0, pp = 0;
        for (int i = 3; i < 7; i++) pg += x->q[b->q + i] * g[b->q + i], pp += x->q[b->q + i] * x->q[b->q + i];
        x->lam[s->active[s->m->element[k].row]] = pg / pp;
    }
}

void hol_recursion_put_multipliers(const hol_recursion *r, const double *mu, hol_state *x)
{
    for (int i = 0; i < r->size.n_tree; i++) x->lam[r->tree_row[i]] = r->lam[i];
    for (int i = 0; i < r->size.n_loops; i++) x->lam[r->loop_row[i]] = mu ? mu[i] : 0;
}

void hol_recursion_take_multipliers(const hol_recursion *r, const hol_state *x, double *mu)
{
    for (int i = 0; i < r->size.n_loops; i++) mu[i] = x->lam[r->loop_row[i]];
}

// ---- projections ------------------------------------------------------------------------------------------------

static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, nothing[7];

// Change of a closed-form joint in space: point and rotation of the child that do not fit, at positions or velocities.
static void gap6(const hol_recursion *r, const hol_state *x, int j, bool velocity, double *gap)
{
    const hol_link *l = &r->link[j];
    const hol_body6 *own = &r->body6[j];
    const int k = l->father;
    const double *R = r->frame6[j].R, *Rk = k < 0 ? upright : r->frame6[k].R;
    const double *q = x->q + l->q, *qk = k < 0 ? nothing : x->q + r->link[k].q;
    const double *nu = r->nu + 6 * j, *nk = k < 0 ? nothing : r->nu + 6 * k;
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
HOL_INLINE void point_gap6(const hol_recursion *r, const hol_state *x, int j, bool velocity, double *gap)
{
    const hol_link *l = &r->link[j];
    const int k = l->father;
    const double *s = r->pool + l->pool, *arm = r->frame6[j].r;
    const double *q = x->q + l->q, *qk = k < 0 ? nothing : x->q + r->link[k].q;
    const double *nu = r->nu + 6 * j, *nk = k < 0 ? nothing : r->nu + 6 * k;
    for (int i = 0; i < 3; i++) gap[i] = qk[i] + arm[i] - q[i], gap[3 + i] = 0;
    if (!velocity) return;
    const double s1[3] = {arm[0] + s[0], arm[1] + s[1], arm[2] + s[2]};
    double t[3], t1[3];
    hol_cross3(nu + 3, s, t);
    hol_cross3(nk + 3, s1, t1);
    for (int i = 0; i < 3; i++) gap[i] = nk[i] + t1[i] - nu[i] - t[i];
}

// How far a joint in the plane is open, or its rate, as a twist of the child.
HOL_INLINE void point_gap3(const hol_recursion *r, const hol_state *x, int j, bool velocity, double *gap)
{
    const hol_link *l = &r->link[j];
    const int k = l->father;
    const double *F = r->pool + l->pool, *arm = r->frame3[j].r, sx = -F[1], sy = F[0];
    const double *q = x->q + l->q, *qk = k < 0 ? nothing : x->q + r->link[k].q;
    const double *nu = r->nu + 3 * j, *nk = k < 0 ? nothing : r->nu + 3 * k;
    gap[2] = 0;
    if (velocity) {
        gap[0] = nk[0] - nk[2] * (arm[1] + sy) - nu[0] + nu[2] * sy;
        gap[1] = nk[1] + nk[2] * (arm[0] + sx) - nu[1] - nu[2] * sx;
    } else {
        gap[0] = qk[0] + arm[0] - q[0];
        gap[1] = qk[1] + arm[1] - q[1];
    }
}

// rates of link j's rows: B (nu_j - X nu_k) + their partial time derivative
static void link_rates(const hol_recursion *r, int j, const double *B, const double *time, double *out)
{
    const hol_link *l = &r->link[j];
    const int d = r->d, k = l->father;
    double z[HOL_TWIST];
    memcpy(z, r->nu + (size_t)d * (size_t)j, (size_t)d * sizeof *z);
    if (k >= 0) {
        const double *nk = r->nu + (size_t)d * (size_t)k;
        if (d == 6) {
            double t[3];
            hol_cross3(nk + 3, r->frame6[j].r, t);
            for (int i = 0; i < 3; i++) z[i] -= nk[i] + t[i], z[3 + i] -= nk[3 + i];
        } else {
            z[0] -= nk[0] - nk[2] * r->frame3[j].r[1];
            z[1] -= nk[1] + nk[2] * r->frame3[j].r[0];
            z[2] -= nk[2];
        }
    }
    for (int i = 0; i < l->rows; i++) {
        out[i] = time[i];
        for (int c = 0; c < d; c++) out[i] += B[i * d + c] * z[c];
    }
}

// A change of the body's twist that closes its joint.
HOL_INLINE void gap_of(const hol_recursion *r, const hol_state *x, const int d, int j, const bool velocity,
                       double *gap)
{
    const hol_link *l = &r->link[j];
    if (l->kind == HOL_LINK_FREE) {
        memset(gap, 0, (size_t)d * sizeof *gap);
    } else if (d == 6 && l->kind == HOL_LINK_SPHERICAL) {
        point_gap6(r, x, j, velocity, gap);
    } else if (d == 6 && l->kind != HOL_LINK_GENERAL) {
        gap6(r, x, j, velocity, gap);
    } else if (d == 3 && l->kind == HOL_LINK_REVOLUTE) {
        point_gap3(r, x, j, velocity, gap);
    } else {
        double B[36], Q[36], R[36], g[HOL_TWIST], t[HOL_TWIST];
        hol_link_rows(r, j, x, B, g, NULL, t);
        if (velocity) link_rates(r, j, B, t, g);
        for (int i = 0; i < l->rows; i++) g[i] = -g[i];
        hol_row_factors(d, l->rows, B, Q, R);
        right_inverse(d, l->rows, Q, R, g, gap);
    }
}

typedef struct {
    const hol_recursion *r;
    const hol_state *x;
    bool velocity;
    double most[HOL_TEAM_PARTS], turned[HOL_TEAM_PARTS]; // lengths and angles
} gaps;

// Gaps of all joints of a range, and their largest.
HOL_INLINE void gaps_of(gaps *o, const int d, const bool velocity, int part, int from, int to)
{
    const hol_recursion *r = o->r;
    const int lengths = d == 6 ? 3 : 2;
    double most = 0, turned = 0;
    for (int j = from; j < to; j++) {
        double *gap = r->u + (size_t)d * (size_t)j;
        gap_of(r, o->x, d, j, velocity, gap);
        for (int i = 0; i < lengths; i++) most = hol_larger(fabs(gap[i]), most);
        for (int i = lengths; i < d; i++) turned = hol_larger(fabs(gap[i]), turned);
    }
    o->most[part] = most;
    o->turned[part] = turned;
}

// The same by dimension and level, for a part whose largest gap is kept apart.
static void gaps_part(void *with, int part, int from, int to)
{
    gaps *o = with;
    if (o->r->d == 3) {
        if (o->velocity)
            gaps_of(o, 3, true, part, from, to);
        else
            gaps_of(o, 3, false, part, from, to);
    } else {
        if (o->velocity)
            gaps_of(o, 6, true, part, from, to);
        else
            gaps_of(o, 6, false, part, from, to);
    }
}

// Those of all bodies into r->u, and the largest one by natural size.
double hol_recursion_gaps(const hol_recursion *r, const hol_state *x, bool velocity)
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
hol_status hol_recursion_close_gaps(hol_recursion *r, bool factored)
{
    double *const gap = r->u;
    r->u = r->jump;
    r->jump = gap;
    if (!factored) return hol_recursion_factor_apply(r, NULL, gap, r->u);
    hol_recursion_apply(r, NULL, gap, r->u);
    return HOL_OK;
}

enum { MAX_STEPS = 20 };

// Leaves the state set, and factored if *count was raised.
hol_status hol_recursion_project_positions(hol_recursion *r, hol_state *x, double tolerance, int *count)
{
    for (int k = 0; k < MAX_STEPS; k++) {
        hol_recursion_set(r, x);
        const double size = hol_recursion_gaps(r, x, false);
        if (size <= tolerance) return HOL_OK;
        if (!isfinite(size)) return HOL_RECOVERABLE;
        const hol_status st = hol_recursion_close_gaps(r, false);
        if (st) return st;
        hol_recursion_move(r, 1, r->u, x);
        ++*count;
    }
    return HOL_RECOVERABLE;
}

hol_status hol_recursion_project_velocities(hol_recursion *r, hol_state *x)
{
    hol_recursion_set(r, x);
    if (hol_recursion_gaps(r, x, true) <= 0) return HOL_OK;
    const hol_status st = hol_recursion_close_gaps(r, false);
    if (st) return st;
    for (int i = 0; i < r->size.n; i++) r->u[i] += r->nu[i];
    hol_recursion_put_velocities(r, r->u, x);
    return HOL_OK;
}

// Small gaps close at once: with the directions of x whatever the factors are, and up to the square of the gap.
hol_status hol_recursion_project(hol_recursion *r, hol_state *x, double position, double velocity, bool near,
                                 bool *set)
{
    int count = 0;
    hol_status st = HOL_OK;
    hol_recursion_set(r, x);
    const bool rates = hol_recursion_gaps(r, x, true) > velocity;
    if (rates && !(st = hol_recursion_close_gaps(r, near && !r->n_general)))
        for (int i = 0; i < r->size.n; i++) r->nu[i] += r->u[i];
    const double open = st ? HOL_INF : hol_recursion_gaps(r, x, false);
    if (!isfinite(open)) return st ? st : HOL_RECOVERABLE;
    *set = !rates && open <= position;
    if (*set) return HOL_OK;
    if (open > position && !(st = hol_recursion_close_gaps(r, (near || rates) && !r->n_general)))
        hol_recursion_move(r, 1, r->u, x);
    if (st) return st;
    hol_recursion_put_velocities(r, r->nu, x);
    if (open * open <= position) return HOL_OK;
    st = hol_recursion_project_positions(r, x, position, &count);
    return st ? st : hol_recursion_project_velocities(r, x);
}

// ---- states -----------------------------------------------------------------------------------------------------

typedef struct {
    const hol_recursion *r;
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
        double *p = o->x->q + l->q + 3, *v = o->x->v + l->q + 3, size = 0, rate = 0;
        if (l->frame != HOL_FRAME_SPATIAL) continue;
        for (int i = 0; i < 4; i++) size += p[i] * p[i];
        for (int i = 0; i < 4; i++) p[i] /= sqrt(size), rate += p[i] * v[i];
        for (int i = 0; i < 4; i++) v[i] -= rate * p[i];
    }
}

void hol_recursion_normalise(const hol_recursion *r, hol_state *x)
{
    motion o = {.r = r, .x = x};
    hol_recursion_each(r, normalise, &o);
}

// q += h times the rates that twists u give.
static void move(void *with, int from, int to)
{
    const motion *o = with;
    const hol_recursion *r = o->r;
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

void hol_recursion_move(const hol_recursion *r, double h, const double *u, hol_state *x)
{
    motion o = {r, h, u, x};
    hol_recursion_each(r, move, &o);
}

// Velocities of the coordinates from twists u.
static void put_velocities(void *with, int from, int to)
{
    const motion *o = with;
    const hol_recursion *r = o->r;
    for (int j = from; j < to; j++) {
        const hol_link *l = &r->link[j];
        const double *w = o->u + (size_t)r->d * (size_t)j;
        double *v = o->x->v + l->q;
        const int plain = l->frame == HOL_FRAME_SPATIAL ? 3 : r->s->m->body[r->order[j]].size;
        for (int i = 0; i < plain; i++) v[i] = w[i];
        if (l->frame == HOL_FRAME_SPATIAL) euler_rate(o->x->q + l->q + 3, w + 3, v + 3);
    }
}

void hol_recursion_put_velocities(const hol_recursion *r, const double *nu, hol_state *x)
{
    motion o = {.r = r, .u = nu, .x = x};
    hol_recursion_each(r, put_velocities, &o);
}

static void put_accelerations(void *with, int from, int to)
{
    const motion *o = with;
    for (int j = from; j < to; j++)
        if (o->r->d == 6)
            acceleration6(o->r, j, o->u, o->x);
        else
            acceleration3(o->r, j, o->u, o->x);
}

void hol_recursion_put_accelerations(const hol_recursion *r, const double *u, hol_state *x)
{
    motion o = {.r = r, .u = u, .x = x};
    hol_recursion_each(r, put_accelerations, &o);
}
