// Primitives by bilinear products of marker features; see primitive.h for the list and docs/theory.md, section 3.
//
//     s = a.b        s_y = a_y.b + a.b_y
//     (s_y w)_y      = a_wy.b + a_w.b_y + a_y.b_w + a.b_wy
//     (s_yw w)_y     = a_wwy.b + a_ww.b_y + 2 (a_wy.b_w + a_w.b_wy) + a_y.b_ww + a.b_wwy
#include "element/written_out.h"

#include <math.h>
#include <string.h>

// A vector quantity: signed sum of up to two features, its totals, and where its components come from.
typedef struct {
    int n, m;
    double sign[2];
    hol_feature part[2];
    hol_real f[4], fw[4], fww[4];
} vec;

// Adds a feature of marker k, with its sign, to a vector; its derivatives stand in a part of their own.
static void add_part(vec *v, const hol_marker *k, int what, double sign, const hol_real *y, const hol_real *w,
                     int order)
{
    hol_feature *p = &v->part[v->n];
    hol_feature_eval(k, what, y, w, order, p);
    v->sign[v->n++] = sign;
    v->m = p->m;
    for (int i = 0; i < p->m; i++) {
        v->f[i] += sign * p->f[i];
        v->fw[i] += sign * p->fw[i];
        v->fww[i] += sign * p->fww[i];
    }
}

static void init(vec *v)
{
    v->n = v->m = 0;
    for (int i = 0; i < 4; i++) v->f[i] = v->fw[i] = v->fww[i] = 0;
}

static void difference(vec *v, const hol_prim *p, const hol_real *y, const hol_real *w, int order)
{
    init(v);
    add_part(v, p->m2, HOL_ORIGIN, 1, y, w, order);
    add_part(v, p->m1, HOL_ORIGIN, -1, y, w, order);
}

static void feature(vec *v, const hol_marker *k, int what, const hol_real *y, const hol_real *w, int order)
{
    init(v);
    add_part(v, k, what, 1, y, w, order);
}

static void permute(hol_real x[4], int c)
{
    hol_real y[4];
    for (int i = 0; i < 4; i++) y[i] = hol_turn_sign[c][i] * x[hol_turn_index[c][i]];
    memcpy(x, y, sizeof y);
}

static void permute_rows(hol_real x[4][7], int c)
{
    hol_real y[4][7];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 7; j++) y[i][j] = hol_turn_sign[c][i] * x[hol_turn_index[c][i]][j];
    memcpy(x, y, sizeof y);
}

// The second orientation of TURN: conjugated and permuted, so that the bilinear product with the first is the
// component asked for.
static void turned(vec *v, const hol_marker *k, int component, const hol_real *y, const hol_real *w,
                   int order)
{
    feature(v, k, HOL_ORIENTATION, y, w, order);
    permute(v->f, component);
    permute(v->fw, component);
    permute(v->fww, component);
    if (order >= 1) permute_rows(v->part[0].d, component);
    if (order >= 2) permute_rows(v->part[0].dw, component);
    if (order >= 3) permute_rows(v->part[0].dww, component);
}

// row += c * (level-th derivative of a) . x
static void add_row(hol_real *row, const vec *a, int level, const hol_real *x, double c)
{
    for (int k = 0; k < a->n; k++) {
        const hol_feature *p = &a->part[k];
        const hol_real(*d)[7] = level == 0 ? p->d : level == 1 ? p->dw : p->dww;
        for (int j = 0; j < p->n; j++) {
            hol_real s = 0;
            for (int i = 0; i < a->m; i++) s += d[i][j] * x[i];
            row[p->iy + j] += c * a->sign[k] * s;
        }
    }
}

static hol_real dot(const hol_real *a, const hol_real *b, int m)
{
    hol_real s = 0;
    for (int i = 0; i < m; i++) s += a[i] * b[i];
    return s;
}

// o = c * a.b
static void bilinear(const vec *a, const vec *b, double c, int ny, int order, hol_scalar *o)
{
    hol_scalar_clear(o, ny, order);
    o->f = c * dot(a->f, b->f, a->m);
    if (order < 1) return;
    add_row(o->d, a, 0, b->f, c);
    add_row(o->d, b, 0, a->f, c);
    if (order < 2) return;
    o->fw = c * (dot(a->fw, b->f, a->m) + dot(a->f, b->fw, a->m));
    if (order > 2)
        o->fww = c * (dot(a->fww, b->f, a->m) + 2 * dot(a->fw, b->fw, a->m) + dot(a->f, b->fww, a->m));
    if (order == HOL_ALONG) return;
    add_row(o->dw, a, 1, b->f, c);
    add_row(o->dw, b, 0, a->fw, c);
    add_row(o->dw, a, 0, b->fw, c);
    add_row(o->dw, b, 1, a->f, c);
    if (order < 3) return;
    add_row(o->dww, a, 2, b->f, c);
    add_row(o->dww, b, 0, a->fww, c);
    add_row(o->dww, a, 1, b->fw, 2 * c);
    add_row(o->dww, b, 1, a->fw, 2 * c);
    add_row(o->dww, a, 0, b->fww, c);
    add_row(o->dww, b, 2, a->f, c);
}

// o -= f(t); time is the last entry of y
static void subtract_time(const hol_expr *set, int ny, const hol_real *y, const hol_real *w, int order,
                          hol_scalar *o)
{
    hol_real f[4];
    const int t = ny - 1;
    hol_expr_jet(set, y[t], f);
    o->f -= f[0];
    if (order >= 1) o->d[t] -= f[1];
    if (order < 2) return;
    o->fw -= f[1] * w[t];
    if (order > 2) o->fww -= f[2] * w[t] * w[t];
    if (order == HOL_ALONG) return;
    o->dw[t] -= f[2] * w[t];
    if (order > 2) o->dww[t] -= f[3] * w[t] * w[t];
}

// f <- f^2 with its derivatives
static void square_jet(hol_real f[4])
{
    const hol_real g[4] = {f[0] * f[0], 2 * f[0] * f[1], 2 * (f[1] * f[1] + f[0] * f[2]),
                           6 * f[1] * f[2] + 2 * f[0] * f[3]};
    memcpy(f, g, sizeof g);
}

// (d.d - l^2)/(2 l0) of the points' difference, l the set length; smooth where the distance itself is not.
static void eval_distance(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                          hol_scalar *o)
{
    vec d;
    difference(&d, p, y, w, order);
    const double c = 0.5 / p->offset;
    bilinear(&d, &d, c, ny, order, o);
    hol_real f[4] = {p->offset, 0, 0, 0};
    const int t = ny - 1;
    if (p->set) hol_expr_jet(p->set, y[t], f);
    square_jet(f);
    o->f -= c * f[0];
    if (order >= 1) o->d[t] -= c * f[1];
    if (order < 2) return;
    o->fw -= c * f[1] * w[t];
    if (order > 2) o->fww -= c * f[2] * w[t] * w[t];
    if (order == HOL_ALONG) return;
    o->dw[t] -= c * f[2] * w[t];
    if (order > 2) o->dww[t] -= c * f[3] * w[t] * w[t];
}

static void eval_turn(const hol_prim *p, int component, double c, int ny, const hol_real *y,
                      const hol_real *w, int order, hol_scalar *o)
{
    vec a, b;
    if (hol_turn_written_out(p, component, c, ny, y, w, order, o)) return;
    feature(&a, p->m1, HOL_ORIENTATION, y, w, order);
    turned(&b, p->m2, component, y, w, order);
    bilinear(&a, &b, c, ny, order, o);
}

// Derivatives of cos(f/2) (which = 0) or sin(f/2) (1) up to the third.
static void half_angle_jet(const hol_real f[4], int which, hol_real g[4])
{
    const hol_real h = f[0] * 0.5, h1 = f[1] * 0.5, h2 = f[2] * 0.5, h3 = f[3] * 0.5;
    const hol_real v = which ? sin(h) : cos(h),
                   d = which ? cos(h) : -sin(h); // value and slope in h; v'' = -v
    g[0] = v;
    g[1] = d * h1;
    g[2] = d * h2 - v * h1 * h1;
    g[3] = d * h3 - 3 * v * h1 * h2 - d * h1 * h1 * h1;
}

// o += sign * g(t) z
static void add_time_product(const hol_real g[4], const hol_scalar *z, double sign, int ny, const hol_real *w,
                             int order, hol_scalar *o)
{
    const int t = ny - 1;
    o->f += sign * g[0] * z->f;
    if (order < 1) return;
    for (int j = 0; j < ny; j++) o->d[j] += sign * g[0] * z->d[j];
    o->d[t] += sign * g[1] * z->f;
    if (order < 2) return;
    const hol_real gw = g[1] * w[t], gww = g[2] * w[t] * w[t];
    o->fw += sign * (gw * z->f + g[0] * z->fw);
    for (int j = 0; j < ny; j++) o->dw[j] += sign * (gw * z->d[j] + g[0] * z->dw[j]);
    o->dw[t] += sign * (g[2] * w[t] * z->f + g[1] * z->fw);
    if (order < 3) return;
    o->fww += sign * (gww * z->f + 2 * gw * z->fw + g[0] * z->fww);
    for (int j = 0; j < ny; j++) o->dww[j] += sign * (gww * z->d[j] + 2 * gw * z->dw[j] + g[0] * z->dww[j]);
    o->dww[t] += sign * (g[3] * w[t] * w[t] * z->f + 2 * g[2] * w[t] * z->fw + g[1] * z->fww);
}

// 2 (z cos(f/2) - w sin(f/2)) (3.8) with its derivatives: a rotation about z that follows the function f.
static void eval_twist_set(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                           hol_scalar *o)
{
    hol_real f[4] = {p->offset, 0, 0, 0}, g[4];
    hol_scalar z;
    if (p->set) hol_expr_jet(p->set, y[ny - 1], f);
    hol_scalar_clear(o, ny, order);
    eval_turn(p, 2, 2, ny, y, w, order, &z);
    half_angle_jet(f, 0, g);
    add_time_product(g, &z, 1, ny, w, order, o);
    eval_turn(p, HOL_TURN_W, 2, ny, y, w, order, &z);
    half_angle_jet(f, 1, g);
    add_time_product(g, &z, -1, ny, w, order, o);
}

void hol_prim_by_function(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, hol_scalar *o)
{
    enum { ALL = 3 };
    hol_real f[4] = {p->offset, 0, 0, 0}, g[4];
    hol_scalar z;
    if (p->set) hol_expr_jet(p->set, y[ny - 1], f);
    hol_scalar_clear(o, ny, ALL);
    if (p->kind == HOL_PRIM_TWIST_SET) { // -(z sin(f/2) + w cos(f/2))
        for (int which = 0; which < 2; which++) {
            eval_turn(p, which ? 2 : HOL_TURN_W, 1, ny, y, w, ALL, &z);
            half_angle_jet(f, which, g);
            add_time_product(g, &z, -1, ny, w, ALL, o);
        }
        return;
    }
    const double c = p->kind == HOL_PRIM_DISTANCE ? -1 / p->offset : 0; // -L/L0, or -1
    o->f = p->kind == HOL_PRIM_DISTANCE ? c * f[0] : -1;
    o->d[ny - 1] = c * f[1];
    o->dw[ny - 1] = c * f[2] * w[ny - 1];
    o->dww[ny - 1] = c * f[3] * w[ny - 1] * w[ny - 1];
    o->fw = c * f[1] * w[ny - 1];
    o->fww = c * f[2] * w[ny - 1] * w[ny - 1];
}

// theta of a planar frame: a body coordinate, or the prescribed angle of a moving frame
static void add_theta(const hol_marker *k, double sign, const hol_real *y, const hol_real *w, int order,
                      hol_scalar *o)
{
    if (k->frame == HOL_FRAME_PLANAR) {
        o->f += sign * y[k->iy + 2];
        if (order >= 1) o->d[k->iy + 2] += sign;
        if (order >= 2) o->fw += sign * w[k->iy + 2];
    } else if (k->frame == HOL_FRAME_MOVING && hol_marker_motion(k)->angle) {
        hol_real f[4];
        hol_expr_jet(hol_marker_motion(k)->angle, y[k->iy], f);
        o->f += sign * f[0];
        if (order >= 1) o->d[k->iy] += sign * f[1];
        if (order < 2) return;
        const hol_real wt = w[k->iy];
        o->fw += sign * f[1] * wt;
        o->dw[k->iy] += sign * f[2] * wt;
        if (order < 3) return;
        o->fww += sign * f[2] * wt * wt;
        o->dww[k->iy] += sign * f[3] * wt * wt;
    }
}

// l^2 = d.d =: 2 h, differentiated:  l l_y = h_y,  l l_wy + l_w l_y = h_wy,  l l_wwy + 2 l_w l_wy + l_ww l_y = h_wwy
static void eval_length(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                        hol_scalar *o)
{
    vec d;
    if (hol_length_written_out(p, ny, y, order, o)) return;
    difference(&d, p, y, w, order);
    bilinear(&d, &d, 0.5, ny, order, o);
    const hol_real l = sqrt(2 * o->f);
    o->f = l;
    if (order < 1) return;
    for (int j = 0; j < ny; j++) o->d[j] = o->d[j] / l;
    if (order < 2) return;
    o->fw = o->fw / l;
    for (int j = 0; j < ny; j++) o->dw[j] = (o->dw[j] - o->fw * o->d[j]) / l;
    if (order < 3) return;
    o->fww = (o->fww - o->fw * o->fw) / l;
    for (int j = 0; j < ny; j++) o->dww[j] = (o->dww[j] - 2 * o->fw * o->dw[j] - o->fww * o->d[j]) / l;
}

// a = 2 atan2(z, c), r = z^2 + c^2:  r a_y = 2 (c z_y - z c_y), differentiated along w as above
static void eval_twist(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                       hol_scalar *o)
{
    hol_scalar z, c;
    eval_turn(p, 2, 1, ny, y, w, order, &z);
    eval_turn(p, HOL_TURN_W, 1, ny, y, w, order, &c);
    const hol_real r = z.f * z.f + c.f * c.f, k = 2 / r;
    // a complex perturbation passes through the slope: atan2 is taken of the real parts
    const double zr = hol_re(z.f), cr = hol_re(c.f);
    o->f = 2 * atan2(zr, cr) + k * (c.f * (z.f - zr) - z.f * (c.f - cr));
    if (order < 1) return;
    for (int j = 0; j < ny; j++) o->d[j] = k * (c.f * z.d[j] - z.f * c.d[j]);
    if (order < 2) return;
    const hol_real rw = 2 * (z.f * z.fw + c.f * c.fw) / r;
    o->fw = k * (c.f * z.fw - z.f * c.fw);
    for (int j = 0; j < ny; j++)
        o->dw[j] = k * (c.fw * z.d[j] + c.f * z.dw[j] - z.fw * c.d[j] - z.f * c.dw[j]) - rw * o->d[j];
    if (order < 3) return;
    const hol_real rww = 2 * (z.fw * z.fw + z.f * z.fww + c.fw * c.fw + c.f * c.fww) / r;
    o->fww = k * (c.f * z.fww - z.f * c.fww) - rw * o->fw;
    for (int j = 0; j < ny; j++)
        o->dww[j] = k * (c.fww * z.d[j] + 2 * c.fw * z.dw[j] + c.f * z.dww[j] - z.fww * c.d[j] -
                         2 * z.fw * c.dw[j] - z.f * c.dww[j]) -
                    2 * rw * o->dw[j] - rww * o->d[j];
}

void hol_arc_series(hol_real x, hol_real a[4])
{
    enum { TERMS = 24 }; // 0.1^21 C(24, 3)/49 < 1e-19
    for (int j = 0; j < 4; j++) {
        double choose = 1; // C(k, j)
        hol_real power = 1;
        a[j] = 0;
        for (int k = j; k < TERMS; k++) {
            a[j] += (k % 2 ? -1 : 1) * choose * power / (2 * k + 1);
            choose = choose * (k + 1) / (k + 1 - j);
            power *= x;
        }
    }
}

// g = 2 atan2(|e|, e0)/|e| of u = |e|^2 and e0, with its derivatives.                                             (3.9a)
typedef struct {
    hol_real g, u, o, uu, uo, oo, uuu, uuo, uoo, ooo; // o: by e0
} arc;

// At u and e0 with n = u + e0^2, of small turns by the series.
static arc arc_at(hol_real u, hol_real e0)
{
    const hol_real n = u + e0 * e0;
    arc r = {.o = -2 / n,
             .oo = 4 * e0 / (n * n),
             .uo = 2 / (n * n),
             .ooo = 4 / (n * n) - 16 * e0 * e0 / (n * n * n),
             .uoo = -8 * e0 / (n * n * n),
             .uuo = -4 / (n * n * n)};
    if (hol_re(e0) > 0 && hol_re(u) < HOL_ARC_NEAR * hol_re(e0) * hol_re(e0)) {
        hol_real a[4];
        const hol_real square = e0 * e0;
        hol_arc_series(u / square, a);
        r.g = 2 * a[0] / e0;
        r.u = 2 * a[1] / (e0 * square);
        r.uu = 4 * a[2] / (e0 * square * square);
        r.uuu = 12 * a[3] / (e0 * square * square * square);
        return r;
    }
    const hol_real size =
        sqrt(u); // a complex perturbation passes through the slope of atan2, as in eval_twist
    const double sr = hol_re(size), er = hol_re(e0);
    r.g = 2 * (atan2(sr, er) + (e0 * (size - sr) - size * (e0 - er)) / n) / size;
    r.u = (e0 / n - r.g / 2) / u;
    r.uu = -(e0 / (n * n) + 1.5 * r.u) / u;
    r.uuu = (2 * e0 / (n * n * n) - 2.5 * r.uu) / u;
    return r;
}

// Euler parameters of frame 2 against frame 1 as drawn within half a turn: e0, then e; and g.
static arc eval_relative(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                         hol_scalar e[4])
{
    hol_real u = 0;
    for (int i = 0; i < 4; i++) eval_turn(p, i ? i - 1 : HOL_TURN_W, p->offset, ny, y, w, order, &e[i]);
    for (int i = 1; i < 4; i++) u += e[i].f * e[i].f;
    return arc_at(u, e[0].f);
}

// -1 where a mirror has exchanged the frames of a component.
static double sense(const hol_prim *p, int k) { return p[k].m1 == p[0].m1 ? 1 : -1; }

// The derivative of component k = g e_k by e_i.
static hol_real by_one(const arc *r, const hol_scalar *e, int k, int i)
{
    return (i ? 2 * r->u * e[i].f : r->o) * e[k].f + (i == k ? r->g : 0);
}

// g by e_i and e_j.
static hol_real arc_two(const arc *r, const hol_scalar *e, int i, int j)
{
    if (!i || !j) return i || j ? 2 * r->uo * e[i + j].f : r->oo;
    return 4 * r->uu * e[i].f * e[j].f + (i == j ? 2 * r->u : 0);
}

// By e_i and e_j.
static hol_real by_two(const arc *r, const hol_scalar *e, int k, int i, int j)
{
    const hol_real gi = i ? 2 * r->u * e[i].f : r->o, gj = j ? 2 * r->u * e[j].f : r->o;
    return arc_two(r, e, i, j) * e[k].f + (i == k ? gj : 0) + (j == k ? gi : 0);
}

// By e_i, and twice along the rates e' of all of them: g is a function of u and e0 alone, of which the rates are u' and e0'.
static hol_real by_three(const arc *r, const hol_scalar *e, int k, int i)
{
    hol_real uw = 0, uww = 0, gw[4] = {0}, gww, giww;
    for (int j = 1; j < 4; j++) uw += 2 * e[j].f * e[j].fw, uww += 2 * e[j].fw * e[j].fw;
    const hol_real o = e[0].fw, uu = r->uuu * uw * uw + 2 * r->uuo * uw * o + r->uoo * o * o + r->uu * uww;
    for (int m = 0; m < 4; m++)
        for (int j = 0; j < 4; j++) gw[m] += arc_two(r, e, m, j) * e[j].fw;
    gww = r->uu * uw * uw + 2 * r->uo * uw * o + r->oo * o * o + r->u * uww;
    if (i)
        giww = 2 * e[i].f * uu + 4 * e[i].fw * (r->uu * uw + r->uo * o);
    else
        giww = r->uuo * uw * uw + 2 * r->uoo * uw * o + r->ooo * o * o + r->uo * uww;
    return giww * e[k].f + 2 * gw[i] * e[k].fw + (i == k ? gww : 0);
}

// One component by those of the Euler parameters.
static void take_component(const arc *r, const hol_scalar e[4], int k, double sign, int ny, int order,
                           hol_scalar *o)
{
    hol_scalar_clear(o, ny, order);
    o->f = sign * r->g * e[k].f;
    for (int i = 0; i < 4 && order; i++) {
        const hol_real one = sign * by_one(r, e, k, i);
        hol_real two = 0;
        for (int j = 0; j < 4 && order > 1; j++) two += sign * by_two(r, e, k, i, j) * e[j].fw;
        if (order > 1) o->fw += one * e[i].fw;
        for (int j = 0; j < ny; j++) o->d[j] += one * e[i].d[j];
        for (int j = 0; j < ny && order > 1; j++) o->dw[j] += one * e[i].dw[j] + two * e[i].d[j];
        if (order < 3) continue;
        hol_real three = sign * by_three(r, e, k, i);
        for (int j = 0; j < 4; j++) three += sign * by_two(r, e, k, i, j) * e[j].fww;
        o->fww += one * e[i].fww + two * e[i].fw;
        for (int j = 0; j < ny; j++)
            o->dww[j] += one * e[i].dww[j] + 2 * two * e[i].dw[j] + three * e[i].d[j];
    }
}

void hol_rotation_eval(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                       hol_scalar *o)
{
    hol_scalar e[4];
    const arc r = eval_relative(p, ny, y, w, order, e);
    for (int k = 0; k < 3; k++) take_component(&r, e, 1 + p[k].axis1, sense(p, k), ny, order, &o[k]);
}

static void eval_rotation(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                          hol_scalar *o)
{
    hol_scalar e[4];
    const arc r = eval_relative(p, ny, y, w, order, e);
    take_component(&r, e, 1 + p->axis1, 1, ny, order, o);
}

// Rows of the difference itself: copied, not multiplied out.
static void eval_point(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                       hol_scalar *o)
{
    vec d;
    if (hol_point_written_out(p, ny, y, w, order, o)) return;
    difference(&d, p, y, w, order);
    for (int i = 0; i < p->rows; i++) {
        hol_scalar_clear(&o[i], ny, order);
        o[i].f = d.f[i];
        o[i].fw = d.fw[i];
        o[i].fww = d.fww[i];
        for (int k = 0; k < d.n; k++) {
            const hol_feature *part = &d.part[k];
            for (int j = 0; j < part->n; j++) {
                if (order >= 1) o[i].d[part->iy + j] += d.sign[k] * part->d[i][j];
                if (order == 2 || order == 3) o[i].dw[part->iy + j] += d.sign[k] * part->dw[i][j];
                if (order == 3) o[i].dww[part->iy + j] += d.sign[k] * part->dww[i][j];
            }
        }
    }
}

void hol_prim_eval(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order, hol_scalar *o)
{
    vec a, b;
    const bool simple = p->kind <= HOL_PRIM_TURN; // the others have no short way
    if (order == HOL_ALONG && !simple) order = 3;
    switch (p->kind) {
    case HOL_PRIM_POINT: eval_point(p, ny, y, w, order, o); return;
    case HOL_PRIM_ALONG:
        feature(&a, p->m1, p->axis1, y, w, order);
        difference(&b, p, y, w, order);
        bilinear(&a, &b, 1, ny, order, o);
        break;
    case HOL_PRIM_DOT:
        feature(&a, p->m1, p->axis1, y, w, order);
        feature(&b, p->m2, p->axis2, y, w, order);
        bilinear(&a, &b, 1, ny, order, o);
        break;
    case HOL_PRIM_DISTANCE: eval_distance(p, ny, y, w, order, o); return;
    case HOL_PRIM_TURN: eval_turn(p, p->axis1, 2, ny, y, w, order, o); break;
    case HOL_PRIM_ANGLE:
        hol_scalar_clear(o, ny, order);
        o->f = -p->offset;
        add_theta(p->m2, 1, y, w, order, o);
        add_theta(p->m1, -1, y, w, order, o);
        break;
    case HOL_PRIM_TWIST_SET: eval_twist_set(p, ny, y, w, order, o); return;
    case HOL_PRIM_LENGTH: eval_length(p, ny, y, w, order, o); break;
    case HOL_PRIM_TWIST: eval_twist(p, ny, y, w, order, o); break;
    case HOL_PRIM_ROTATION: eval_rotation(p, ny, y, w, order, o); break;
    }
    if (p->set) subtract_time(p->set, ny, y, w, order, o);
}

static double set_at(const hol_prim *p, double t)
{
    hol_real f[4] = {p->offset, 0, 0, 0};
    if (p->set) hol_expr_jet(p->set, t, f);
    return hol_re(f[0]);
}

// Of a row that sets a turn, 2 s sin((value - f)/2), where s is -1 if conj(Q1) Q2 is the other one of the two quaternions of the value:
// s cos((value - f)/2).
static double set_cosine(const hol_prim *p, int ny, const hol_real *y)
{
    const double f = set_at(p, hol_re(y[ny - 1]));
    hol_scalar z, w;
    eval_turn(p, 2, 1, ny, y, NULL, 0, &z);
    eval_turn(p, HOL_TURN_W, 1, ny, y, NULL, 0, &w);
    return hol_re(w.f) * cos(f / 2) + hol_re(z.f) * sin(f / 2);
}

// 1; L/L0 of a distance; of a rotation -1 where conj(Q1) Q2 is the other one of the two quaternions of the angle f.
double hol_prim_set_slope(const hol_prim *p, int ny, const hol_real *y)
{
    if (p->kind == HOL_PRIM_DISTANCE) return set_at(p, hol_re(y[ny - 1])) / p->offset;
    return p->kind == HOL_PRIM_TWIST_SET && set_cosine(p, ny, y) < 0 ? -1 : 1;
}

// ---- rows as numbers ------------------------------------------------------------------------------------------

hol_shape hol_scalar_shape(int ny, int order)
{
    const int gradient = order - 1;
    return (hol_shape){order > 0 ? ny : 0, gradient > 0 ? gradient : 0, gradient > 0 ? gradient : 0};
}

void hol_scalar_to_num(const hol_shape *shape, const hol_scalar *s, hol_real *out)
{
    const hol_real *const row[3] = {s->d, s->dw, s->dww};
    out[0] = s->f;
    out[1] = shape->order > 0 ? s->fw : 0;
    out[2] = shape->order > 1 ? s->fww / 2 : 0;
    out[3] = 0;
    for (int k = 0; k <= shape->gradient; k++)
        for (int j = 0; j < shape->n; j++) out[4 + k * shape->n + j] = k < 2 ? row[k][j] : row[k][j] / 2;
}

void hol_scalar_from_num(const hol_shape *shape, const hol_real *x, hol_scalar *out)
{
    hol_real *const row[3] = {out->d, out->dw, out->dww};
    out->f = x[0];
    if (shape->order > 0) out->fw = x[1];
    if (shape->order > 1) out->fww = 2 * x[2];
    for (int k = 0; k <= shape->gradient; k++)
        for (int j = 0; j < shape->n; j++) row[k][j] = (k < 2 ? 1 : 2) * x[4 + k * shape->n + j];
}

// ---- Hessians -------------------------------------------------------------------------------------------------

// H += c (a_y^T b_y + b_y^T a_y)
static void add_outer(const vec *a, const vec *b, hol_real c, hol_real *H, int ny)
{
    for (int ka = 0; ka < a->n; ka++)
        for (int kb = 0; kb < b->n; kb++) {
            const hol_feature *pa = &a->part[ka], *pb = &b->part[kb];
            const hol_real s = c * a->sign[ka] * b->sign[kb];
            for (int i = 0; i < pa->n; i++)
                for (int j = 0; j < pb->n; j++) {
                    hol_real x = 0;
                    for (int m = 0; m < a->m; m++) x += pa->d[m][i] * pb->d[m][j];
                    H[(pa->iy + i) * ny + pb->iy + j] += s * x;
                    H[(pb->iy + j) * ny + pa->iy + i] += s * x;
                }
        }
}

static void difference_hessian(const hol_prim *p, const hol_real *y, const hol_real *x, hol_real *H, int ny)
{
    const hol_real minus[4] = {-x[0], -x[1], -x[2], 0};
    hol_feature_hessian(p->m2, HOL_ORIGIN, y, x, H, ny);
    hol_feature_hessian(p->m1, HOL_ORIGIN, y, minus, H, ny);
}

static void scaled(const hol_real *x, hol_real c, hol_real out[4])
{
    for (int i = 0; i < 4; i++) out[i] = c * x[i];
}

// c times the second derivative of DOT or ALONG: of both factors, and of their product.
static void axis_hessian(const hol_prim *p, const hol_real *y, hol_real c, hol_real *H, int ny)
{
    vec a, b;
    hol_real x[4];
    feature(&a, p->m1, p->axis1, y, NULL, 1);
    if (p->kind == HOL_PRIM_ALONG)
        difference(&b, p, y, NULL, 1);
    else
        feature(&b, p->m2, p->axis2, y, NULL, 1);
    scaled(b.f, c, x);
    hol_feature_hessian(p->m1, p->axis1, y, x, H, ny);
    scaled(a.f, c, x);
    if (p->kind == HOL_PRIM_ALONG)
        difference_hessian(p, y, x, H, ny);
    else
        hol_feature_hessian(p->m2, p->axis2, y, x, H, ny);
    add_outer(&a, &b, c, H, ny);
}

// H += c (|r2 - r1|^2/2)_yy
static void half_square_hessian(const hol_prim *p, const hol_real *y, hol_real c, hol_real *H, int ny)
{
    vec d;
    hol_real x[4];
    difference(&d, p, y, NULL, 1);
    scaled(d.f, c, x);
    difference_hessian(p, y, x, H, ny);
    add_outer(&d, &d, 0.5 * c, H, ny);
}

// The same of one component of TURN.
static void turn_hessian(const hol_prim *p, int component, const hol_real *y, hol_real c, hol_real *H, int ny)
{
    vec a, b;
    hol_real x[4];
    feature(&a, p->m1, HOL_ORIENTATION, y, NULL, 1);
    turned(&b, p->m2, component, y, NULL, 1);
    add_outer(&a, &b, c, H, ny);
    // orientations are linear in body coordinates; only a moving ground frame has a second derivative, in time
    scaled(b.f, c, x);
    hol_feature_hessian(p->m1, HOL_ORIENTATION, y, x, H, ny);
    hol_real na[4]; // N_c^T a
    for (int i = 0; i < 4; i++) na[hol_turn_index[component][i]] = hol_turn_sign[component][i] * a.f[i] * c;
    hol_feature_hessian(p->m2, HOL_ORIENTATION, y, na, H, ny);
}

// The same of (3.8), with the factors of the half angle.
static void twist_set_hessian(const hol_prim *p, int ny, const hol_real *y, hol_real c, hol_real *H)
{
    hol_real f[4] = {p->offset, 0, 0, 0}, g[4];
    hol_scalar z;
    const int t = ny - 1;
    if (p->set) hol_expr_jet(p->set, y[t], f);
    for (int which = 0; which < 2; which++) {
        const int component = which ? HOL_TURN_W : 2;
        const double sign = which ? -2 : 2;
        half_angle_jet(f, which, g);
        eval_turn(p, component, 1, ny, y, NULL, 1, &z);
        turn_hessian(p, component, y, c * sign * g[0], H, ny);
        for (int j = 0; j < ny; j++) {
            H[t * ny + j] += c * sign * g[1] * z.d[j];
            H[j * ny + t] += c * sign * g[1] * z.d[j];
        }
        H[t * ny + t] += c * sign * g[2] * z.f;
    }
}

static void length_hessian(const hol_prim *p, int ny, const hol_real *y, hol_real c, hol_real *H)
{
    hol_scalar l;
    eval_length(p, ny, y, NULL, 1, &l);
    half_square_hessian(p, y, c / l.f, H, ny);
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < ny; j++) H[i * ny + j] -= c / l.f * l.d[i] * l.d[j];
}

// The same of TWIST, g(z, w) of the two components by (3.6).
static void twist_hessian(const hol_prim *p, int ny, const hol_real *y, hol_real c, hol_real *H)
{
    hol_scalar z, w;
    eval_turn(p, 2, 1, ny, y, NULL, 1, &z);
    eval_turn(p, HOL_TURN_W, 1, ny, y, NULL, 1, &w);
    const hol_real r2 = z.f * z.f + w.f * w.f, gz = 2 * w.f / r2, gw = -2 * z.f / r2;
    const hol_real zz = gz * gw, zw = 2 * (z.f * z.f - w.f * w.f) / (r2 * r2);
    turn_hessian(p, 2, y, c * gz, H, ny);
    turn_hessian(p, HOL_TURN_W, y, c * gw, H, ny);
    for (int i = 0; i < ny; i++)
        for (int j = 0; j < ny; j++)
            H[i * ny + j] +=
                c * (zz * (z.d[i] * z.d[j] - w.d[i] * w.d[j]) + zw * (z.d[i] * w.d[j] + w.d[i] * z.d[j]));
}

// The same of n components of ROTATION.
static void rotation_hessian(const hol_prim *p, int n, int ny, const hol_real *y, const hol_real *c,
                             hol_real *H)
{
    hol_scalar e[4];
    hol_real one[4] = {0}, two[4][4] = {{0}};
    const arc r = eval_relative(p, ny, y, NULL, 1, e);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 4; i++) {
            const hol_real by = sense(p, k) * c[k];
            one[i] += by * by_one(&r, e, 1 + p[k].axis1, i);
            for (int j = 0; j < 4; j++) two[i][j] += by * by_two(&r, e, 1 + p[k].axis1, i, j);
        }
    for (int i = 0; i < 4; i++) {
        hol_real row[HOL_MAX_Y] = {0};
        turn_hessian(p, i ? i - 1 : HOL_TURN_W, y, p->offset * one[i], H, ny);
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < ny; j++) row[j] += two[i][k] * e[k].d[j];
        for (int m = 0; m < ny; m++)
            for (int j = 0; j < ny; j++) H[m * ny + j] += e[i].d[m] * row[j];
    }
}

void hol_rotation_hessian(const hol_prim *p, int ny, const hol_real *y, const hol_real *c, hol_real *H)
{
    rotation_hessian(p, 3, ny, y, c, H);
}

static void theta_hessian(const hol_marker *k, const hol_real *y, hol_real c, hol_real *H, int ny)
{
    if (k->frame != HOL_FRAME_MOVING || !hol_marker_motion(k)->angle) return;
    hol_real f[4];
    hol_expr_jet(hol_marker_motion(k)->angle, y[k->iy], f);
    H[k->iy * ny + k->iy] += c * f[2];
}

void hol_prim_hessian(const hol_prim *p, int ny, const hol_real *y, const hol_real *c, hol_real *H)
{
    const int t = ny - 1;
    hol_real f[4] = {0, 0, 0, 0};
    if (p->set) hol_expr_jet(p->set, y[t], f);
    switch (p->kind) {
    case HOL_PRIM_POINT: {
        const hol_real x[4] = {c[0], c[1], p->rows > 2 ? c[2] : 0, 0};
        difference_hessian(p, y, x, H, ny);
        return;
    }
    case HOL_PRIM_ALONG:
    case HOL_PRIM_DOT: axis_hessian(p, y, c[0], H, ny); break;
    case HOL_PRIM_DISTANCE:
        half_square_hessian(p, y, c[0] / p->offset, H, ny);
        H[t * ny + t] -= c[0] / p->offset * (f[1] * f[1] + f[0] * f[2]);
        return;
    case HOL_PRIM_TURN: turn_hessian(p, p->axis1, y, 2 * c[0], H, ny); break;
    case HOL_PRIM_ANGLE:
        theta_hessian(p->m2, y, c[0], H, ny);
        theta_hessian(p->m1, y, -c[0], H, ny);
        break;
    case HOL_PRIM_TWIST_SET: twist_set_hessian(p, ny, y, c[0], H); return;
    case HOL_PRIM_LENGTH: length_hessian(p, ny, y, c[0], H); break;
    case HOL_PRIM_TWIST: twist_hessian(p, ny, y, c[0], H); break;
    case HOL_PRIM_ROTATION: rotation_hessian(p, 1, ny, y, c, H); break;
    }
    H[t * ny + t] -= c[0] * f[2];
}

bool hol_prim_is_length(const hol_prim *p)
{
    return p->kind == HOL_PRIM_POINT || p->kind == HOL_PRIM_ALONG || p->kind == HOL_PRIM_DISTANCE ||
           p->kind == HOL_PRIM_LENGTH;
}

double hol_prim_value(const hol_prim *p, int ny, const hol_real *y, double residual, double near)
{
    const double f = set_at(p, hol_re(y[ny - 1]));
    if (p->kind == HOL_PRIM_DISTANCE) return sqrt(fmax(0, f * f + 2 * p->offset * residual));
    if (p->kind != HOL_PRIM_TWIST_SET) return f + residual;
    const double value = f + 2 * atan2(residual / 2, set_cosine(p, ny, y));
    return value + 2 * HOL_PI * rint((near - value) / (2 * HOL_PI));
}

double hol_prim_value_slope(const hol_prim *p, int ny, const hol_real *y, double value)
{
    if (p->kind == HOL_PRIM_DISTANCE) return value / p->offset;
    return p->kind == HOL_PRIM_TWIST_SET ? set_cosine(p, ny, y) : 1;
}
