// Forward pass: frames, twists, joint axes, velocity-dependent (Coriolis, centrifugal, gyroscopic) terms and forces of
// the tree at a state. docs/theory.md, section 14.2.
#include "recursion/data.h"
#include "recursion/frames.h"

#include <math.h>
#include <string.h>

extern const hol_element_type hol_force_spring_damper;

static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// Directions from the null space of the rows, bias by their right inverse.
void hol_link_general(hol_recursion *r, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    const int d = r->d, k = l->father, m = l->rows;
    double B[36], gam[6], Q[36], R[36], z[6], *c = r->jump + (size_t)d * (size_t)j;
    hol_link_rows(r, j, x, B, NULL, gam, NULL);
    hol_row_factors(d, m, B, Q, R);
    memcpy(r->pool + l->pool, Q + d * m, (size_t)(d * l->dof) * sizeof *Q);
    for (int i = 0; i < m; i++) { // R^T z = gam
        z[i] = gam[i];
        for (int p = 0; p < i; p++) z[i] -= R[p * m + i] * z[p];
        z[i] = z[i] / R[i * m + i];
    }
    for (int i = 0; i < d; i++) {
        c[i] = 0;
        for (int p = 0; p < m; p++) c[i] += Q[p * d + i] * z[p];
    }
    double *to = d == 6 ? r->frame6[j].r : r->frame3[j].r;
    const int lengths = d == 6 ? 3 : 2;
    for (int i = 0; i < lengths; i++) to[i] = x->q[l->q + i] - (k < 0 ? 0 : x->q[r->link[k].q + i]);
    if (!l->touching) return;
    double s[3], s1[3]; // as in touching6 and touching3
    if (d == 6) {
        const hol_body6 *own = &r->body6[j];
        hol_turn3(r->frame6[j].R, own->s, s);
        hol_turn3(k < 0 ? upright : r->frame6[k].R, own->s_father, s1);
    } else {
        static const hol_frame3 still = {1, 0, {0, 0}};
        const hol_frame3 *o = &r->frame3[j], *p = k < 0 ? &still : &r->frame3[k];
        const double *own = r->body3[j].s, *other = r->body3[j].s_father;
        s[0] = o->c * own[0] - o->s * own[1], s[1] = o->s * own[0] + o->c * own[1];
        s1[0] = p->c * other[0] - p->s * other[1];
        s1[1] = p->s * other[0] + p->c * other[1];
    }
    for (int i = 0; i < lengths; i++) to[i] = s1[i] - s[i];
}

// ---- forces ---------------------------------------------------------------------------------------------------

// Generalised force on a body to a wrench: torque = E Q_p / 2.
static void add_wrench(const hol_recursion *r, const hol_state *x, int body, const hol_real *Q, double *f)
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
HOL_INLINE bool add_line(hol_recursion *r, const int d, const hol_state *x, const hol_element *e)
{
    const hol_law *law = e->data;
    const int n = d == 3 ? 2 : 3;
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
        if (d == 3) {
            f[2] += arm[0] * g[1] - arm[1] * g[0];
            continue;
        }
        hol_cross3(arm, g, t);
        for (int i = 0; i < 3; i++) f[3 + i] += t[i];
    }
    return true;
}

// Power that is not derived from a potential, Q.v + dV/dt.
static double power_of(const hol_element *e, const double *mem, const hol_real *y, const hol_real *w,
                       const hol_real *Q)
{
    hol_real V, power = 0;
    if (e->type->energy) e->type->energy(e->data, e->ny, y, w, mem, &V, &power);
    for (int i = 0; i < e->ny - 1; i++) power += Q[i] * w[i];
    return hol_re(power);
}

void hol_recursion_add_forces(hol_recursion *r, const hol_state *x)
{
    const hol_model_data *m = r->s->m;
    r->power = 0;
    for (int i = 0; i < r->n_forces; i++) {
        const hol_element *e = &m->element[r->force[i]];
        if (!hol_element_acts(e, x->mem)) continue;
        if (is_line(e) && (r->d == 6 ? add_line(r, 6, x, e) : add_line(r, 3, x, e))) continue;
        hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], Q[HOL_MAX_Y] = {0}, u[HOL_MAX_ROWS];
        hol_element_gather(m, e, x->t, x->q, x->v, 1, y, w);
        hol_equations_inputs(e, x, u);
        e->type->force(e->data, e->ny, y, w, x->mem + e->mem, u, Q);
        if (r->sums_power) r->power += power_of(e, x->mem + e->mem, y, w, Q);
        for (int k = 0, at = 0; k < e->n_bodies; at += m->body[e->body[k++]].size)
            add_wrench(r, x, e->body[k], Q + at, r->f);
    }
}

typedef struct {
    hol_recursion *r;
    const hol_state *x;
} placing;

// Frames and joints of bodies from .. to - 1.
static void place_range(void *with, int from, int to)
{
    const placing *o = with;
    hol_recursion *r = o->r;
    if (r->d == 6)
        for (int j = from; j < to; j++) {
            frame6(r, o->x, j);
            joint6(r, o->x, j);
        }
    else
        for (int j = from; j < to; j++) {
            frame3(r, o->x, j);
            joint3(r, o->x, j);
        }
}

void hol_recursion_place(hol_recursion *r, const hol_state *x)
{
    placing o = {r, x};
    hol_recursion_outwards(r, place_range, &o);
    r->x = x;
}

void hol_recursion_set(hol_recursion *r, const hol_state *x)
{
    hol_recursion_place(r, x);
    hol_recursion_add_forces(r, x);
}
