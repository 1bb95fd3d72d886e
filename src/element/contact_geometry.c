// Geometry of a contact: the gap, the normal, the slip at the point and their derivatives (docs/theory.md, section 23).
// A pair of shapes more is a row of `pairs`.
#include "element/contact_parts.h"

#include <string.h>

// ---- normals ----------------------------------------------------------------------------------------------------

// Column k of a feature as a vector of three.
static void column(const hol_feature *f, hol_real d[4][7], int k, hol_real *out)
{
    for (int i = 0; i < 3; i++) out[i] = i < f->m ? d[i][k] : 0;
}

// The axis of end 0 that stands on its plane.
static void normal_of_half(const hol_contact *c, const hol_real *y, hol_contact_geometry *o)
{
    hol_feature axis;
    hol_feature_eval(c->m[0], c->dimension - 1, y, NULL, 1, &axis);
    for (int i = 0; i < axis.m; i++) o->n[i] = axis.f[i];
    for (int k = 0; k < axis.n; k++) column(&axis, axis.d, k, o->n_y[axis.iy + k]);
}

// Along the line of the centres.
static void normal_of_balls(const hol_contact *c, const hol_real *y, hol_contact_geometry *o)
{
    const hol_real length = o->g + c->radii;
    (void)y;
    hol_add(1 / length, o->r, o->n);
    for (int k = 0; k < HOL_CONTACT_MOST; k++) {
        hol_add(1 / length, o->r_y[k], o->n_y[k]);
        hol_add(-hol_dot(o->n, o->r_y[k]) / length, o->n, o->n_y[k]);
    }
}

static const struct {
    hol_prim_kind gap;
    void (*normal)(const hol_contact *c, const hol_real *y, hol_contact_geometry *o);
} pairs[] = {[HOL_CONTACT_HALF_BALL] = {HOL_PRIM_ALONG, normal_of_half},
             [HOL_CONTACT_BALLS] = {HOL_PRIM_LENGTH, normal_of_balls}};

void hol_contact_measure(hol_contact *c)
{
    c->gap = (hol_prim){.kind = pairs[c->pair].gap,
                        .rows = 1,
                        .axis1 = (signed char)(c->dimension - 1),
                        .m1 = c->m[0],
                        .m2 = c->m[1],
                        .label = "gap"};
}

// ---- geometry ---------------------------------------------------------------------------------------------------

// First entry of y that turns the end, and how many there are.
static int turning(const hol_marker *m, int *first)
{
    const bool spatial = m->frame == HOL_FRAME_SPATIAL;
    *first = m->iy + (spatial ? 3 : 2);
    return spatial ? 4 : m->frame == HOL_FRAME_PLANAR ? 1 : 0;
}

// om = turn w.
static void find_turn(const hol_marker *m, const hol_real *y, hol_real turn[HOL_CONTACT_MOST][3])
{
    int at;
    const int n = turning(m, &at);
    hol_real E[3][4];
    if (n == 1) turn[at][2] = 1;
    if (n != 4) return;
    hol_global_rate(y + at, E);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) turn[at + k][i] = 2 * E[i][k];
}

// The same of the unit vector of coordinate k of the orientation: the derivative of om_w by it. false: it has none.
bool hol_contact_turn_by(const hol_marker *m, int k, hol_real turn[HOL_CONTACT_MOST][3])
{
    int at;
    hol_real unit[HOL_CONTACT_MOST] = {0};
    if (turning(m, &at) != 4 || k < at || k >= at + 4) return false;
    unit[k] = 1;
    memset(turn, 0, HOL_CONTACT_MOST * sizeof *turn);
    find_turn(m, unit, turn);
    return true;
}

static void sum(hol_real turn[HOL_CONTACT_MOST][3], int ny, const hol_real *w, hol_real *out)
{
    for (int k = 0; k < ny - 1; k++) hol_add(w[k], turn[k], out);
}

// r, its rate and the gap.
static void find_place(const hol_contact *c, int ny, const hol_real *y, const hol_real *w,
                       hol_contact_geometry *o)
{
    hol_prim_eval(&c->gap, ny, y, w, 2, &o->gap);
    o->g = o->gap.f - c->radii;
    o->rho = c->radius + c->place * o->g;
    for (int k = 0; k < ny; k++) o->rho_y[k] = c->place * o->gap.d[k];
    for (int e = 0; e < 2; e++) {
        hol_feature *f = &o->end[e];
        const int sign = e ? 1 : -1;
        hol_real part[3];
        hol_feature_eval(c->m[e], HOL_ORIGIN, y, w, 2, f);
        for (int i = 0; i < f->m && i < 3; i++) {
            o->r[i] += sign * f->f[i];
            o->s[i] += sign * f->fw[i];
        }
        for (int k = 0; k < f->n; k++) {
            column(f, f->d, k, part);
            hol_add(sign, part, o->r_y[f->iy + k]);
            hol_add(sign, part, o->J[f->iy + k]);
            column(f, f->dw, k, part);
            hol_add(sign, part, o->s_y[f->iy + k]);
        }
    }
}

// Angular velocities, and what they add to the slip.
static void find_spin(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y,
                      hol_contact_geometry *o)
{
    hol_real om1[3] = {0}, by[HOL_CONTACT_MOST][3];
    for (int e = 0; e < 2; e++) find_turn(c->m[e], y, o->turn[e]);
    sum(o->turn[0], ny, w, om1);
    sum(o->turn[1], ny, w, o->spin);
    hol_add(-1, om1, o->spin);
    hol_add_cross(-1, om1, o->r, o->s);
    hol_add_cross(-o->rho, o->spin, o->n, o->s);
    for (int k = 0; k < ny - 1; k++) {
        hol_real turn[3] = {0};
        hol_add(1, o->turn[1][k], turn);
        hol_add(-1, o->turn[0][k], turn);
        hol_add_cross(-1, o->turn[0][k], o->r, o->J[k]);
        hol_add_cross(-o->rho, turn, o->n, o->J[k]);
        if (!by_y) continue;
        if (hol_contact_turn_by(c->m[0], k, by)) sum(by, ny, w, o->om1_y[k]);
        if (hol_contact_turn_by(c->m[1], k, by)) sum(by, ny, w, o->spin_y[k]);
        hol_add(-1, o->om1_y[k], o->spin_y[k]);
        hol_add_cross(-1, o->om1_y[k], o->r, o->s_y[k]);
        hol_add_cross(-1, om1, o->r_y[k], o->s_y[k]);
        hol_add_cross(-o->rho_y[k], o->spin, o->n, o->s_y[k]);
        hol_add_cross(-o->rho, o->spin_y[k], o->n, o->s_y[k]);
        hol_add_cross(-o->rho, o->spin, o->n_y[k], o->s_y[k]);
    }
}

void hol_contact_find(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y,
                      hol_contact_geometry *o)
{
    memset(o, 0, sizeof *o);
    find_place(c, ny, y, w, o);
    pairs[c->pair].normal(c, y, o);
    find_spin(c, ny, y, w, by_y, o);
    const hol_real along = hol_dot(o->n, o->s);
    hol_add(1, o->s, o->u);
    hol_add(-along, o->n, o->u);
    for (int k = 0; k < ny - 1 && by_y; k++) {
        hol_add(1, o->s_y[k], o->u_y[k]);
        hol_add(-along, o->n_y[k], o->u_y[k]);
        hol_add(-hol_dot(o->n_y[k], o->s) - hol_dot(o->n, o->s_y[k]), o->n, o->u_y[k]);
    }
}

void hol_contact_tangent(const hol_contact *c, const hol_contact_geometry *o, const hol_real *y, int i,
                         hol_real e[3], hol_real e_y[HOL_CONTACT_MOST][3])
{
    hol_feature axis;
    for (int k = 0; k < 3; k++) e[k] = 0;
    if (e_y) memset(e_y, 0, HOL_CONTACT_MOST * sizeof *e_y);
    if (c->dimension == 2) { // n turned clockwise
        e[0] = o->n[1], e[1] = -o->n[0];
        for (int k = 0; k < HOL_CONTACT_MOST && e_y; k++) e_y[k][0] = o->n_y[k][1], e_y[k][1] = -o->n_y[k][0];
        return;
    }
    hol_feature_eval(c->m[0], i, y, NULL, 1, &axis);
    for (int k = 0; k < 3; k++) e[k] = axis.f[k];
    for (int k = 0; k < axis.n && e_y; k++) column(&axis, axis.d, k, e_y[axis.iy + k]);
}

int hol_contact_tangents(const hol_contact *c) { return c->rubs == HOL_CONTACT_STICK ? c->dimension - 1 : 0; }
