// Geometry of a contact: the gap, the normal, the slip at the point and their derivatives (docs/theory.md, section 23).
// A pair of shapes more is a row of `pairs`, and a core (contact_cores.c).
#include "element/contact_parts.h"
#include "element/written_out.h"

#include <stddef.h>
#include <string.h>

// ---- normals ----------------------------------------------------------------------------------------------------

// Column k of a feature as a vector of three.
static void column(const hol_feature *f, hol_real d[4][7], int k, hol_real *out)
{
    for (int i = 0; i < 3; i++) out[i] = i < f->m ? d[i][k] : 0;
}

// The axis of end 0 that stands on its plane.
static void normal_of_half(const hol_contact *c, const hol_real *y, bool by_y, hol_contact_geometry *o)
{
    hol_feature axis;
    hol_feature_eval(c->m[0], c->dimension - 1, y, NULL, by_y ? 1 : 0, &axis);
    for (int i = 0; i < axis.m; i++) o->n[i] = axis.f[i];
    for (int k = 0; k < axis.n && by_y; k++) column(&axis, axis.d, k, o->n_y[axis.iy + k]);
}

// Along the line of the centres.
static void normal_of_balls(const hol_contact *c, const hol_real *y, bool by_y, hol_contact_geometry *o)
{
    const hol_real length = o->g + c->radii;
    (void)y;
    hol_add(1 / length, o->r, o->n);
    for (int k = 0; k < HOL_CONTACT_MOST && by_y; k++) {
        hol_add(1 / length, o->r_y[k], o->n_y[k]);
        hol_add(-hol_dot(o->n, o->r_y[k]) / length, o->n, o->n_y[k]);
    }
}

// The distance from a core by its coordinates x in the axes of end 0 and, of shapes that are no balls, by products of axes.
typedef enum { NO_DOTS, UP_WITH_ALL, ALL_WITH_ROD, ALL_WITH_ALL } dots;
static const struct {
    hol_prim_kind gap;
    void (*normal)(const hol_contact *c, const hol_real *y, bool by_y, hol_contact_geometry *o);
    hol_core_fn *core; // NULL: the gap is a primitive
    dots dots;
    hol_core_fn *share;       // NULL: all of the force is this contact's
    hol_core_again_fn *again; // NULL: no ball touches this in two places
} pairs[] = {[HOL_CONTACT_HALF_BALL] = {.gap = HOL_PRIM_ALONG, .normal = normal_of_half},
             [HOL_CONTACT_BALLS] = {.gap = HOL_PRIM_LENGTH, .normal = normal_of_balls},
             [HOL_CONTACT_BOX_BALL] = {.core = hol_core_box},
             [HOL_CONTACT_CAN_BALL] = {.core = hol_core_can},
             [HOL_CONTACT_RING_BALL] = {.core = hol_core_ring, .again = hol_core_ring_again},
             [HOL_CONTACT_OUTLINE_BALL] = {.core = hol_core_outline,
                                           .share = hol_core_share,
                                           .again = hol_core_outline_again},
             [HOL_CONTACT_CURVE_BALL] = {.core = hol_core_curve, .again = hol_core_curve_again},
             [HOL_CONTACT_HALF_CURVE] = {.core = hol_core_cam, .dots = UP_WITH_ALL},
             [HOL_CONTACT_HALF_RIM] = {.core = hol_core_rim, .dots = UP_WITH_ALL},
             [HOL_CONTACT_HALF_ELLIPSOID] = {.core = hol_core_ellipsoid, .dots = UP_WITH_ALL},
             [HOL_CONTACT_EGG_BALL] = {.core = hol_core_egg},
             [HOL_CONTACT_EGGS] = {.core = hol_core_eggs, .dots = ALL_WITH_ALL},
             [HOL_CONTACT_RODS] = {.core = hol_core_rods, .dots = ALL_WITH_ROD}};

// The which-th argument of a core: a coordinate, or from 3 on a product of axes. false: there is none.
static bool argument(const hol_contact *c, int which, hol_prim *p)
{
    const int up = c->dimension - 1, k = which - 3;
    *p = (hol_prim){.kind = HOL_PRIM_ALONG,
                    .rows = 1,
                    .axis1 = (signed char)which,
                    .m1 = c->m[0],
                    .m2 = c->m[1],
                    .label = "gap"};
    if (which < 3) return which < c->dimension;
    p->kind = HOL_PRIM_DOT;
    switch (pairs[c->pair].dots) {
    case NO_DOTS: return false;
    case UP_WITH_ALL: p->axis1 = (signed char)up, p->axis2 = (signed char)k; break;
    case ALL_WITH_ROD: p->axis1 = (signed char)k, p->axis2 = c->dimension == 2 ? 0 : 2; break;
    case ALL_WITH_ALL: p->axis1 = (signed char)(k / 3), p->axis2 = (signed char)(k % 3); return true;
    }
    return k < c->dimension;
}

// A core with its arguments, of order as in hol_prim_eval.
typedef struct {
    hol_core of;
    bool used[HOL_CORE_MOST];
    hol_scalar x[HOL_CORE_MOST];
} cored;

// At (y, w); w may be NULL for order below 2.
static void find_core(const hol_contact *c, hol_core_fn *core, int ny, const hol_real *y, const hol_real *w,
                      int order, cored *o)
{
    hol_real x[HOL_CORE_MOST] = {0};
    hol_prim p;
    memset(&o->of, 0, sizeof o->of);
    for (int i = 0; i < HOL_CORE_MOST; i++) {
        o->used[i] = argument(c, i, &p);
        if (o->used[i]) hol_prim_eval(&p, ny, y, w, order, &o->x[i]);
        if (o->used[i]) x[i] = o->x[i].f;
    }
    core(c, x, &o->of);
}

// By the chain rule.
static void chain(const cored *o, int ny, int order, hol_scalar *out)
{
    hol_scalar_clear(out, ny, order);
    out->f = o->of.f;
    for (int i = 0; i < HOL_CORE_MOST && order > 0; i++) {
        hol_real change = 0;
        if (!o->used[i]) continue;
        for (int j = 0; j < HOL_CORE_MOST && order > 1; j++)
            if (o->used[j]) change += o->of.dd[i][j] * o->x[j].fw;
        for (int k = 0; k < ny; k++) out->d[k] += o->of.d[i] * o->x[i].d[k];
        if (order < 2) continue;
        out->fw += o->of.d[i] * o->x[i].fw;
        for (int k = 0; k < ny; k++) out->dw[k] += o->of.d[i] * o->x[i].dw[k] + change * o->x[i].d[k];
    }
}

// How the i-th first derivative of a core changes by entry k of y.
static hol_real change_by(const cored *o, const hol_real *row, int k)
{
    hol_real sum = 0;
    for (int j = 0; j < HOL_CORE_MOST; j++)
        if (o->used[j]) sum += row[j] * o->x[j].d[k];
    return sum;
}

// out += sum of x_i times axis i of a marker, with derivatives unless out_y is NULL; rows: x_i by the arguments.
static void add_axes(const cored *o, const hol_marker *m, int n, int ny, const hol_real *y, const hol_real *x,
                     hol_real rows[][HOL_CORE_MOST], hol_real out[3], hol_real out_y[HOL_CONTACT_MOST][3])
{
    for (int i = 0; i < n; i++) {
        hol_feature axis;
        hol_real part[3], u[3] = {0, 0, 0};
        hol_feature_eval(m, i, y, NULL, out_y ? 1 : 0, &axis);
        for (int j = 0; j < axis.m; j++) u[j] = axis.f[j];
        hol_add(x[i], u, out);
        if (!out_y) continue;
        for (int k = 0; k < ny; k++) hol_add(change_by(o, rows[i], k), u, out_y[k]);
        for (int k = 0; k < axis.n; k++) {
            column(&axis, axis.d, k, part);
            hol_add(x[i], part, out_y[axis.iy + k]);
        }
    }
}

hol_real hol_contact_gap(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, int order,
                         hol_scalar *out)
{
    cored o;
    if (!pairs[c->pair].core) {
        hol_prim_eval(&c->gap, ny, y, w, order, out);
    } else {
        find_core(c, pairs[c->pair].core, ny, y, w, order, &o);
        chain(&o, ny, order, out);
    }
    return out->f - c->radii;
}

// Parts of an outline share sides.
static bool shares(const hol_contact *c) { return pairs[c->pair].share && (c->shared[0] || c->shared[1]); }

void hol_contact_share(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, int order,
                       hol_scalar *out)
{
    cored o;
    hol_scalar_clear(out, ny, order);
    out->f = 1;
    if (!shares(c)) return;
    find_core(c, pairs[c->pair].share, ny, y, w, order, &o);
    chain(&o, ny, order, out);
}

// H += F f_yy of a core.
static void add_hessian(const hol_contact *c, hol_core_fn *core, int ny, const hol_real *y, hol_real F,
                        hol_real *H)
{
    cored o;
    hol_prim p;
    find_core(c, core, ny, y, NULL, 1, &o);
    for (int i = 0; i < HOL_CORE_MOST; i++) {
        const hol_real by = F * o.of.d[i];
        if (!argument(c, i, &p)) continue;
        hol_prim_hessian(&p, ny, y, &by, H);
        for (int k = 0; k < ny; k++) {
            const hol_real row = F * change_by(&o, o.of.dd[i], k);
            for (int j = 0; j < ny; j++) H[j * ny + k] += row * o.x[i].d[j];
        }
    }
}

void hol_contact_hessian(const hol_contact *c, int ny, const hol_real *y, hol_real F, hol_real V, hol_real *H)
{
    if (pairs[c->pair].core)
        add_hessian(c, pairs[c->pair].core, ny, y, F, H);
    else
        hol_prim_hessian(&c->gap, ny, y, &F, H);
    if (shares(c)) add_hessian(c, pairs[c->pair].share, ny, y, -V, H);
}

double hol_contact_again(const hol_element *e, const hol_real *y)
{
    const hol_contact *c = e->data;
    hol_real x[HOL_CORE_MOST] = {0};
    hol_scalar at;
    hol_prim p;
    if (!pairs[c->pair].again) return -HOL_INF;
    for (int i = 0; argument(c, i, &p); i++) {
        hol_prim_eval(&p, e->ny, y, NULL, 0, &at);
        x[i] = at.f;
    }
    return pairs[c->pair].again(c, x);
}

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

void hol_contact_turn(const hol_marker *m, const hol_real *y, hol_real turn[HOL_CONTACT_MOST][3])
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
    hol_contact_turn(m, unit, turn);
    return true;
}

static void sum(hol_real turn[HOL_CONTACT_MOST][3], int ny, const hol_real *w, hol_real *out)
{
    for (int k = 0; k < ny - 1; k++) hol_add(w[k], turn[k], out);
}

// r and its rate. By the first derivatives alone that is their sum along w.
static void find_place(const hol_contact *c, const hol_real *y, const hol_real *w, bool by_y,
                       hol_contact_geometry *o)
{
    for (int e = 0; e < 2; e++) {
        hol_feature *f = &o->end[e];
        const int sign = e ? 1 : -1;
        hol_real part[3];
        hol_feature_eval(c->m[e], HOL_ORIGIN, y, w, by_y ? 2 : 1, f);
        for (int i = 0; i < f->m && i < 3; i++) {
            o->r[i] += sign * f->f[i];
            if (by_y) o->s[i] += sign * f->fw[i];
        }
        for (int k = 0; k < f->n; k++) {
            column(f, f->d, k, part);
            hol_add(sign, part, o->J[f->iy + k]);
            if (!by_y) {
                hol_add(sign * w[f->iy + k], part, o->s);
                continue;
            }
            hol_add(sign, part, o->r_y[f->iy + k]);
            column(f, f->dw, k, part);
            hol_add(sign, part, o->s_y[f->iy + k]);
        }
    }
}

// The gap, the normal and the arm from r2 to the point.
static void find_gap(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y,
                     hol_contact_geometry *o)
{
    const int order = by_y ? 2 : 1;
    cored q;
    if (pairs[c->pair].core) {
        find_core(c, pairs[c->pair].core, ny, y, w, order, &q);
        chain(&q, ny, order, &o->gap);
        o->g = o->gap.f - c->radii;
        add_axes(&q, c->m[0], c->dimension, ny, y, q.of.d, q.of.dd, o->n, by_y ? o->n_y : NULL);
        if (pairs[c->pair].dots != NO_DOTS)
            add_axes(&q, c->m[1], c->dimension, ny, y, q.of.w, q.of.w_d, o->arm, by_y ? o->arm_y : NULL);
    } else {
        o->g = hol_contact_gap(c, ny, y, w, order, &o->gap);
        pairs[c->pair].normal(c, y, by_y, o);
    }
    const hol_real rho = c->radius + c->place * o->g;
    hol_add(-rho, o->n, o->arm);
    for (int k = 0; k < ny && by_y; k++) {
        hol_add(-c->place * o->gap.d[k], o->n, o->arm_y[k]);
        hol_add(-rho, o->n_y[k], o->arm_y[k]);
    }
    if (by_y) return;
    o->gap.fw = 0;
    for (int k = 0; k < ny; k++) o->gap.fw += o->gap.d[k] * w[k];
}

// Angular velocities, and what they add to the slip.
static void find_spin(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y,
                      hol_contact_geometry *o)
{
    hol_real om1[3] = {0}, by[HOL_CONTACT_MOST][3];
    for (int e = 0; e < 2; e++) hol_contact_turn(c->m[e], y, o->turn[e]);
    sum(o->turn[0], ny, w, om1);
    sum(o->turn[1], ny, w, o->spin);
    hol_add(-1, om1, o->spin);
    hol_add_cross(-1, om1, o->r, o->s);
    hol_add_cross(1, o->spin, o->arm, o->s);
    for (int k = 0; k < ny - 1; k++) {
        hol_real turn[3] = {0};
        hol_add(1, o->turn[1][k], turn);
        hol_add(-1, o->turn[0][k], turn);
        hol_add_cross(-1, o->turn[0][k], o->r, o->J[k]);
        hol_add_cross(1, turn, o->arm, o->J[k]);
        if (!by_y) continue;
        if (hol_contact_turn_by(c->m[0], k, by)) sum(by, ny, w, o->om1_y[k]);
        if (hol_contact_turn_by(c->m[1], k, by)) sum(by, ny, w, o->spin_y[k]);
        hol_add(-1, o->om1_y[k], o->spin_y[k]);
        hol_add_cross(-1, o->om1_y[k], o->r, o->s_y[k]);
        hol_add_cross(-1, om1, o->r_y[k], o->s_y[k]);
        hol_add_cross(1, o->spin_y[k], o->arm, o->s_y[k]);
        hol_add_cross(1, o->spin, o->arm_y[k], o->s_y[k]);
    }
}

void hol_contact_find(const hol_contact *c, int ny, const hol_real *y, const hol_real *w, bool by_y,
                      hol_contact_geometry *o)
{
    memset(o, 0, offsetof(hol_contact_geometry, n_y));
    if (by_y) memset(o->n_y, 0, offsetof(hol_contact_geometry, gap) - offsetof(hol_contact_geometry, n_y));
    find_place(c, y, w, by_y, o);
    find_gap(c, ny, y, w, by_y, o);
    hol_contact_share(c, ny, y, w, by_y ? 2 : 1, &o->share);
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
