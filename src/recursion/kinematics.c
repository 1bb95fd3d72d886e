// Forward pass: frames, twists, joint axes, velocity-dependent (Coriolis, centrifugal, gyroscopic) terms and forces of
// the tree at a state. docs/theory.md, section 14.2.
#include "recursion/kinematics.h"
#include "system/swarm.h"

#include <math.h>
#include <string.h>

extern const hol_element_type hol_force_spring_damper, hol_force_rotational_spring_damper;

void hol_right_inverse(int d, int m, const double *Q, const double *R, const double *gam, double *jump)
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

// Directions from the null space of the rows, bias by their right inverse; r as place_slide and place_touching have it.
void hol_link_general(hol_tree *r, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    const int d = r->d, k = l->father, m = l->rows;
    const double *q = x->q + l->q, *qk = place_of(r, x, k);
    double B[36], gam[6], Q[36], R[36], s[3], s1[3], *reach = HOL_OF(r, d, frame, j, r);
    hol_link_rows(r, j, x, B, NULL, gam, NULL);
    hol_row_factors(d, m, B, Q, R);
    memcpy(r->pool + l->pool, Q + d * m, (size_t)(d * l->dof) * sizeof *Q);
    hol_right_inverse(d, m, Q, R, gam, r->jump + (size_t)d * (size_t)j);
    for (int i = 0; i < hol_point_size(d); i++) reach[i] = q[i] - qk[i];
    if (!l->touching) return;
    rotate(d, rotation_of(r, d, j), HOL_OF(r, d, body, j, s), s);
    rotate(d, rotation_of(r, d, k), HOL_OF(r, d, body, j, s_father), s1);
    for (int i = 0; i < hol_point_size(d); i++) reach[i] = s1[i] - s[i];
}

// ---- forces ---------------------------------------------------------------------------------------------------

// Generalised force on a body to a wrench: torque = E Q_p / 2.
static void add_wrench(const hol_tree *r, const hol_state *x, int body, const hol_real *Q, double *f)
{
    const hol_body *b = &r->s->m->body[body];
    const int plain = b->frame == HOL_FRAME_SPATIAL ? 3 : b->size;
    double *out = f + (size_t)r->d * (size_t)r->place[body];
    for (int i = 0; i < plain; i++) out[i] += hol_re(Q[i]);
    if (b->frame != HOL_FRAME_SPATIAL) return;
    hol_real E[3][4], p[4];
    for (int i = 0; i < 4; i++) p[i] = x->q[b->q + 3 + i];
    hol_global_rate(p, E);
    for (int i = 0; i < 3; i++)
        out[3 + i] += 0.5 * hol_re(E[i][0] * Q[3] + E[i][1] * Q[4] + E[i][2] * Q[5] + E[i][3] * Q[6]);
}

// A spring-damper between two points: as wrenches at once.
static bool is_line(const hol_element *e)
{
    return e->type == &hol_force_spring_damper && e->end[0].marker->frame != HOL_FRAME_MOVING &&
           e->end[1].marker->frame != HOL_FRAME_MOVING;
}

// false: its ends are at one place, which hol_law_force knows how to deal with.
HOL_INLINE bool add_line(hol_tree *r, const int d, const hol_state *x, const hol_element *e)
{
    const hol_law *law = e->data;
    const int n = hol_point_size(d);
    hol_point p[2];
    double along[3], ll = 0, lv = 0, u[HOL_MAX_ROWS];
    int at[2];
    for (int k = 0; k < 2; k++) {
        at[k] = e->end[k].body < 0 ? -1 : r->place[e->end[k].body];
        hol_point_of(r, d, x, at[k], e->end[k].marker->s, &p[k]);
    }
    for (int i = 0; i < n; i++) {
        along[i] = p[1].at[i] - p[0].at[i];
        ll += along[i] * along[i];
        lv += along[i] * (p[1].v[i] - p[0].v[i]);
    }
    if (ll <= HOL_COINCIDENT * HOL_COINCIDENT) return false;
    hol_equations_inputs(e, x, u);
    const double l = sqrt(ll), rate = lv / l, loss = law->C[0] * rate + (law->adds ? u[0] : 0);
    const double tension = (law->K[0] * (l - law->s0[0]) + loss) / l;
    r->power -= loss * rate;
    for (int k = 0; k < 2; k++) {
        if (at[k] < 0) continue;
        const double c = k ? -tension : tension, *arm = p[k].arm;
        double *f = r->f + (size_t)d * (size_t)at[k];
        double g[3], t[3];
        for (int i = 0; i < n; i++) f[i] += g[i] = c * along[i];
        moment_of(d, arm, g, t);
        for (int i = n; i < d; i++) f[i] += t[i - n];
    }
    return true;
}

// A rotational spring-damper in the plane: as moments at once.
static bool is_turn(const hol_tree *r, const hol_element *e)
{
    return r->d == 3 && e->type == &hol_force_rotational_spring_damper &&
           e->end[0].marker->frame != HOL_FRAME_MOVING && e->end[1].marker->frame != HOL_FRAME_MOVING;
}

// Moments K (theta - theta0) + C theta' + T on its ends, less on the second, as hol_law_force has them.
static void add_turn(hol_tree *r, const hol_state *x, const hol_element *e)
{
    const hol_law *law = e->data;
    double angle = -law->s[0].offset, rate = 0, u[HOL_MAX_ROWS];
    double *moment[2] = {NULL, NULL};
    for (int k = 1; k >= 0; k--) {
        if (e->end[k].marker->frame != HOL_FRAME_PLANAR) continue;
        const int j = r->place[e->end[k].body], q = r->link[j].q + 2, sign = k ? 1 : -1;
        angle += sign * x->q[q];
        rate += sign * x->v[q];
        moment[k] = r->f + 3 * j + 2;
    }
    hol_equations_inputs(e, x, u);
    const double loss = law->C[0] * rate, more = law->adds ? u[0] : 0;
    const double torque = law->K[0] * (angle - law->s0[0]) + loss + more;
    r->power -= (loss + more) * rate;
    if (moment[0]) *moment[0] += torque;
    if (moment[1]) *moment[1] -= torque;
}

// Power that is not derived from a potential, Q.v + dV/dt.
static double power_of(const hol_element *e, const double *mem, const hol_real *y, const hol_real *w,
                       const hol_real *Q)
{
    hol_real V, power = 0;
    if (e->type->bounded)
        e->type->bounded(e->data, e->ny, y, w, &V, &power);
    else if (e->type->energy)
        e->type->energy(e->data, e->ny, y, w, mem, &V, &power);
    for (int i = 0; i < e->ny - 1; i++) power += Q[i] * w[i];
    return hol_re(power);
}

// Of contacts that are no elements, as wrenches.
static HOL_NOINLINE void add_swarms(hol_tree *r, const hol_state *x)
{
    const hol_swarms *all = r->s->swarms;
    const bool plane = r->d == 3;
    hol_swarm_sum sum = {0};
    hol_swarms_load(r->s, x);
    for (int i = 0; i < all->n; i++)
        for (int k = 0; k < all->of[i].r->n_balls; k++) {
            const int body = all->of[i].r->shape[k].body;
            const hol_swarm_load *l = &all->of[i].load[k];
            if (body < 0) continue;
            double *out = r->f + (size_t)r->d * (size_t)r->place[body];
            for (int c = 0; c < (plane ? 2 : 3); c++) out[c] += l->f[c];
            if (r->s->m->body[body].frame == HOL_FRAME_POINT) continue;
            for (int c = plane ? 2 : 0; c < 3; c++) out[plane ? 2 : 3 + c] += l->torque[c];
        }
    hol_swarms_measure(r->s, x, &sum); // it is known there
    r->power -= sum.lost_damping + sum.lost_rubbing;
}

void hol_tree_add_forces(hol_tree *r, const hol_state *x)
{
    const hol_model_data *m = r->s->m;
    r->power = 0;
    for (int i = 0; i < r->n_forces; i++) {
        const hol_element *e = &m->element[r->force[i]];
        if (!hol_element_acts(e, x->mem)) continue;
        if (is_line(e) && HOL_SIZED(r->d, add_line, r, x, e)) continue;
        if (is_turn(r, e)) {
            add_turn(r, x, e);
            continue;
        }
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], Q[HOL_MAX_Y] = {0}, u[HOL_MAX_ROWS];
        hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
        hol_equations_inputs(e, x, u);
        e->type->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
        if (r->sums_power) r->power += power_of(e, x->mem + e->mem, y, w, Q);
        for (int k = 0, at = 0; k < e->n_bodies; at += m->body[e->body[k++]].size)
            add_wrench(r, x, e->body[k], Q + at, r->f);
    }
    if (r->s->swarms->n) add_swarms(r, x);
    if (r->n_rotors) hol_tree_add_rotors(r);
}

typedef struct {
    hol_tree *r;
    const hol_state *x;
} placing;

// Frames and joints of bodies from .. to - 1.
HOL_INLINE void place(const placing *o, const int d, int from, int to)
{
    for (int j = from; j < to; j++) {
        place_frame(o->r, d, o->x, j);
        place_joint(o->r, d, o->x, j);
    }
}
HOL_RANGE(place, placing)

void hol_tree_place(hol_tree *r, const hol_state *x)
{
    placing o = {r, x};
    hol_tree_outwards(r, place_range, &o);
    if (r->n_rotors) hol_tree_place_rotors(r, x);
    r->x = x;
}

void hol_tree_set(hol_tree *r, const hol_state *x)
{
    hol_tree_place(r, x);
    hol_tree_add_forces(r, x);
}
