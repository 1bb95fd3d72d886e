// Points, turns and lengths between bodies, of which most joints and springs consist, written out for speed. With B of
// marker.h, an end of a point in space is F = r + B p; it is quadratic in p, so that
//
//     F_p = 2 B(p),   F_p w = 2 B(p) p',   (F_p w)_p = 2 B(p'),   (F_p w)_p w = 2 B(p') p',   and the third is zero.
//
// A turn is bilinear in p1 and p2: with Q = p (x) m, s = c Q1 . N Q2 has s_p1 = c (N Q2) (x) conj(m1) and
// s_p2 = c (N^T Q1) (x) conj(m2). docs/theory.md, (3.5a), (3.5b).
#include "element/written_out.h"

#include <math.h>
#include <string.h>

const int hol_turn_index[4][4] = {{1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}, {0, 1, 2, 3}};
const double hol_turn_sign[4][4] = {{1, -1, -1, 1}, {1, 1, -1, -1}, {1, -1, 1, -1}, {1, 1, 1, 1}};

void hol_scalar_clear(hol_scalar *o, int ny, int order)
{
    const size_t size = (size_t)ny * sizeof *o->d;
    o->f = o->fw = o->fww = 0;
    if (order >= 1) memset(o->d, 0, size);
    if (order == 2 || order == 3) memset(o->dw, 0, size);
    if (order == 3) memset(o->dww, 0, size);
}

// ---- points ---------------------------------------------------------------------------------------------------

typedef struct { // one end
    const hol_marker *k;
    hol_real f[3];
    hol_real h[2];    // in the plane: derivative of f by the angle
    hol_real B[3][4]; // in space: half of that by the Euler parameters
} end;

static hol_real dot4(const hol_real *a, const hol_real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// false: it moves as a function of time.
static bool look(const hol_marker *k, const hol_real *y, end *o)
{
    const hol_real *q = y + k->iy;
    o->k = k;
    for (int i = 0; i < 3; i++) o->f[i] = k->frame == HOL_FRAME_GROUND ? k->s[i] : 0;
    if (k->frame == HOL_FRAME_POINT)
        for (int i = 0; i < k->size; i++) o->f[i] = q[i];
    if (k->frame == HOL_FRAME_PLANAR) {
        const hol_real c = cos(q[2]), s = sin(q[2]);
        const hol_real g[2] = {c * k->s[0] - s * k->s[1], s * k->s[0] + c * k->s[1]};
        o->h[0] = -g[1], o->h[1] = g[0];
        for (int i = 0; i < 2; i++) o->f[i] = q[i] + g[i];
    }
    if (k->frame == HOL_FRAME_SPATIAL) {
        hol_rotate_d(q + 3, k->s, o->B);
        for (int i = 0; i < 3; i++) o->f[i] = q[i] + dot4(o->B[i], q + 3);
    }
    return k->frame != HOL_FRAME_MOVING;
}

// Coordinates of the body that are those of the point or of its centre of mass.
static int plain(const hol_marker *k)
{
    return k->frame == HOL_FRAME_SPATIAL ? 3 : k->frame == HOL_FRAME_PLANAR ? 2 : k->size;
}

// What velocities add; (F_p w)_p and ((F_p w)_p w)_p are not wanted with HOL_ALONG.
static void add_planar_rates(const end *e, double sign, const hol_real *w, int order, hol_scalar *o)
{
    const int theta = e->k->iy + 2;
    const hol_real om = w[theta], g[2] = {e->h[1], -e->h[0]};
    for (int i = 0; i < 2; i++) {
        o[i].fw += sign * e->h[i] * om;
        o[i].fww -= sign * g[i] * om * om;
        if (order == HOL_ALONG) continue;
        o[i].dw[theta] -= sign * g[i] * om;
        if (order > 2) o[i].dww[theta] -= sign * e->h[i] * om * om;
    }
}

// Rates of first and second order of a spatial end's place, and of their derivatives.
static void add_spatial_rates(const end *e, double sign, const hol_real *w, int order, hol_scalar *o)
{
    const int p = e->k->iy + 3;
    const hol_real *v = w + p;
    hol_real Bv[3][4];
    hol_rotate_d(v, e->k->s, Bv);
    for (int i = 0; i < 3; i++) {
        o[i].fw += 2 * sign * dot4(e->B[i], v);
        o[i].fww += 2 * sign * dot4(Bv[i], v);
        for (int j = 0; j < 4 && order != HOL_ALONG; j++) o[i].dw[p + j] += 2 * sign * Bv[i][j];
    }
}

// Adds an end's place with sign to the rows, with the derivatives that are asked for.
static void add_end(const end *e, double sign, int rows, const hol_real *w, int order, hol_scalar *o)
{
    const hol_marker *k = e->k;
    const int q = k->iy;
    for (int i = 0; i < rows; i++) o[i].f += sign * e->f[i];
    if (order < 1 || k->frame == HOL_FRAME_GROUND) return;
    for (int i = 0; i < rows; i++) {
        o[i].d[q + i] += sign;
        if (k->frame == HOL_FRAME_PLANAR) o[i].d[q + 2] += sign * e->h[i];
        for (int j = 0; j < 4 && k->frame == HOL_FRAME_SPATIAL; j++)
            o[i].d[q + 3 + j] += 2 * sign * e->B[i][j];
        if (order > 1) o[i].fw += sign * w[q + i];
    }
    if (order > 1 && k->frame == HOL_FRAME_PLANAR) add_planar_rates(e, sign, w, order, o);
    if (order > 1 && k->frame == HOL_FRAME_SPATIAL) add_spatial_rates(e, sign, w, order, o);
}

bool hol_point_written_out(const hol_prim *p, int ny, const hol_real *y, const hol_real *w, int order,
                           hol_scalar *o)
{
    end first, second;
    if (!look(p->m1, y, &first) || !look(p->m2, y, &second)) return false;
    for (int i = 0; i < p->rows; i++) hol_scalar_clear(&o[i], ny, order);
    add_end(&second, 1, p->rows, w, order, o);
    add_end(&first, -1, p->rows, w, order, o);
    return true;
}

// ---- lengths --------------------------------------------------------------------------------------------------

// row += x . F_y of the end
static void add_projected(const end *e, const hol_real *x, hol_real *row)
{
    hol_real *to = row + e->k->iy;
    for (int j = 0; j < plain(e->k); j++) to[j] += x[j];
    if (e->k->frame == HOL_FRAME_PLANAR) to[2] += x[0] * e->h[0] + x[1] * e->h[1];
    for (int j = 0; j < 4 && e->k->frame == HOL_FRAME_SPATIAL; j++)
        to[3 + j] += 2 * (e->B[0][j] * x[0] + e->B[1][j] * x[1] + e->B[2][j] * x[2]);
}

bool hol_length_written_out(const hol_prim *p, int ny, const hol_real *y, int order, hol_scalar *o)
{
    end first, second;
    hol_real x[3], back[3];
    if (order > 1 || !look(p->m1, y, &first) || !look(p->m2, y, &second)) return false;
    for (int i = 0; i < 3; i++) x[i] = second.f[i] - first.f[i];
    hol_scalar_clear(o, ny, order);
    o->f = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (order < 1) return true;
    for (int i = 0; i < 3; i++) x[i] = x[i] / o->f, back[i] = -x[i];
    add_projected(&second, x, o->d);
    add_projected(&first, back, o->d);
    return true;
}

// ---- turns ----------------------------------------------------------------------------------------------------

// x (x) m, or with conj(m)
static void times(const hol_real *x, const double *m, double side, hol_real out[4])
{
    const double a = side * m[1], b = side * m[2], c = side * m[3];
    out[0] = x[0] * m[0] - x[1] * a - x[2] * b - x[3] * c;
    out[1] = x[1] * m[0] + x[0] * a + x[2] * c - x[3] * b;
    out[2] = x[2] * m[0] + x[0] * b + x[3] * a - x[1] * c;
    out[3] = x[3] * m[0] + x[0] * c + x[1] * b - x[2] * a;
}

// Euler parameters of a marker, or their rates, from those of its body, or theirs.
static void orient(const hol_marker *k, const hol_real *y, bool rates, hol_real Q[4])
{
    const double *m = hol_marker_quat(k);
    if (k->frame == HOL_FRAME_SPATIAL)
        times(y + k->iy + 3, m, 1, Q);
    else
        for (int i = 0; i < 4; i++) Q[i] = rates ? 0 : m[i];
}

// row += c x (x) conj(m) in the columns of the body's parameters
static void add_row(const hol_marker *k, double c, const hol_real *x, hol_real *row)
{
    hol_real g[4];
    if (k->frame != HOL_FRAME_SPATIAL) return;
    times(x, hol_marker_quat(k), -1, g);
    for (int j = 0; j < 4; j++) row[k->iy + 3 + j] += c * g[j];
}

typedef struct { // of one pair (Q1, Q2)
    hol_real Q1[4], NQ2[4], NTQ1[4];
} pair;

static void set_pair(const hol_prim *p, int component, const hol_real *y, bool rates, pair *o)
{
    const int *index = hol_turn_index[component];
    const double *sign = hol_turn_sign[component];
    hol_real Q2[4];
    orient(p->m1, y, rates, o->Q1);
    orient(p->m2, y, rates, Q2);
    for (int i = 0; i < 4; i++) o->NQ2[i] = sign[i] * Q2[index[i]];
    for (int i = 0; i < 4; i++) o->NTQ1[index[i]] = sign[i] * o->Q1[i];
}

static bool is_plain(const hol_marker *k)
{
    return k->frame == HOL_FRAME_GROUND || k->frame == HOL_FRAME_SPATIAL;
}

bool hol_turn_written_out(const hol_prim *p, int component, double c, int ny, const hol_real *y,
                          const hol_real *w, int order, hol_scalar *o)
{
    pair q, v;
    if (!is_plain(p->m1) || !is_plain(p->m2)) return false;
    hol_scalar_clear(o, ny, order);
    set_pair(p, component, y, false, &q);
    o->f = c * dot4(q.Q1, q.NQ2);
    if (order < 1) return true;
    add_row(p->m1, c, q.NQ2, o->d);
    add_row(p->m2, c, q.NTQ1, o->d);
    if (order < 2) return true;
    set_pair(p, component, w, true, &v);
    o->fw = c * (dot4(v.Q1, q.NQ2) + dot4(q.Q1, v.NQ2));
    o->fww = 2 * c * dot4(v.Q1, v.NQ2);
    if (order == HOL_ALONG) return true;
    add_row(p->m1, c, v.NQ2, o->dw);
    add_row(p->m2, c, v.NTQ1, o->dw);
    return true;
}
