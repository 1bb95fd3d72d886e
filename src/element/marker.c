// Vector functions of markers and their derivatives.
//
//     spatial     F = r + A(p) u,      A(p) u quadratic in p:  F_p = 2 B(p,u),  (F_p w)_p = 2 B(w,u),  third zero
//     planar      F = r + A(theta) u,  A' u = perp(A u),  A'' u = -A u,  A''' u = -A' u
//     moving      F = s + c(t) + R(alpha(t)) u  (ground): one column, time
//     orientation F = p (x) quat, linear in p
//
// docs/theory.md, sections 2.2 and 2.3.
#include "element/marker.h"

#include <math.h>
#include <string.h>

const hol_axes hol_axes_of_body = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 0, 0, 0}, NULL, 0};

int hol_frame_size(hol_frame frame, int dimension)
{
    switch (frame) {
    case HOL_FRAME_POINT: return dimension;
    case HOL_FRAME_PLANAR: return 3;
    case HOL_FRAME_SPATIAL: return 7;
    default: return 0;
    }
}

// ---- Euler parameters -----------------------------------------------------------------------------------------

void hol_rotate(const hol_real p[4], const double u[3], hol_real out[3])
{
    hol_real B[3][4];
    hol_rotate_d(p, u, B);
    for (int i = 0; i < 3; i++) out[i] = B[i][0] * p[0] + B[i][1] * p[1] + B[i][2] * p[2] + B[i][3] * p[3];
}

void hol_rotate_d(const hol_real p[4], const double u[3], hol_real B[3][4])
{
    const hol_real *e = p + 1;
    const hol_real eu = e[0] * u[0] + e[1] * u[1] + e[2] * u[2];
    B[0][0] = p[0] * u[0] + e[1] * u[2] - e[2] * u[1]; // e0 u + e x u
    B[1][0] = p[0] * u[1] + e[2] * u[0] - e[0] * u[2];
    B[2][0] = p[0] * u[2] + e[0] * u[1] - e[1] * u[0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[i][j + 1] = e[i] * u[j] - u[i] * e[j]; // e u^T - u e^T
    for (int i = 0; i < 3; i++) B[i][i + 1] += eu;                           // (e.u) I
    B[0][2] += p[0] * u[2];                                                  // -e0 u~
    B[0][3] -= p[0] * u[1];
    B[1][1] -= p[0] * u[2];
    B[1][3] += p[0] * u[0];
    B[2][1] += p[0] * u[1];
    B[2][2] -= p[0] * u[0];
}

void hol_body_rate(const hol_real p[4], hol_real G[3][4])
{
    const hol_real g[3][4] = {
        {-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}};
    memcpy(G, g, sizeof g);
}

void hol_global_rate(const hol_real p[4], hol_real E[3][4])
{
    const hol_real g[3][4] = {
        {-p[1], p[0], -p[3], p[2]}, {-p[2], p[3], p[0], -p[1]}, {-p[3], -p[2], p[1], p[0]}};
    memcpy(E, g, sizeof g);
}

void hol_quat_multiply(const double a[4], const double b[4], double out[4])
{
    const double c[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                         a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                         a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                         a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
    memcpy(out, c, sizeof c);
}

void hol_matrix_quat(const double R[9], double p[4])
{
    // the largest of the four squared components is taken by its square root (Shepperd)
    const double trace = R[0] + R[4] + R[8];
    const double square[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace, 1 + 2 * R[8] - trace};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k]) k = i;
    const double h = 0.5 * sqrt(square[k]), f = 0.25 / h;
    const double sum[4][4] = {{0, R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                              {R[7] - R[5], 0, R[1] + R[3], R[2] + R[6]},
                              {R[2] - R[6], R[1] + R[3], 0, R[5] + R[7]},
                              {R[3] - R[1], R[2] + R[6], R[5] + R[7], 0}};
    for (int i = 0; i < 4; i++) p[i] = i == k ? h : f * sum[k][i];
    if (p[0] < 0)
        for (int i = 0; i < 4; i++) p[i] = -p[i];
}

// ---- one function per kind of frame ---------------------------------------------------------------------------

static void eval_fixed(const hol_marker *k, int what, hol_feature *o)
{
    o->n = 0;
    if (what == HOL_ORIENTATION)
        for (int i = 0; i < 4; i++) o->f[i] = hol_marker_quat(k)[i];
    else
        for (int i = 0; i < 3; i++) o->f[i] = what == HOL_ORIGIN ? k->s[i] : k->u[what][i];
}

// The place of a point mass: its coordinates are the feature.
static void eval_point(const hol_marker *k, const hol_real *y, const hol_real *w, int order, hol_feature *o)
{
    o->n = k->size;
    o->f[2] = o->fw[2] = o->fww[2] = 0; // in the plane
    for (int i = 0; i < 3; i++) {
        const bool in = i < k->size;
        if (in) o->f[i] = y[k->iy + i];
        o->fw[i] = in && order >= 2 ? w[k->iy + i] : 0;
        o->fww[i] = 0;
        for (int j = 0; j < k->size; j++) {
            o->d[i][j] = i == j;
            o->dw[i][j] = o->dww[i][j] = 0;
        }
    }
}

// Columns x, y, theta of an origin, theta alone of an axis.
static void eval_planar(const hol_marker *k, int what, const hol_real *y, const hol_real *w, int order,
                        hol_feature *o)
{
    const bool origin = what == HOL_ORIGIN;
    const double *u = origin ? k->s : k->u[what];
    const hol_real *q = y + k->iy;
    const hol_real c = cos(q[2]), s = sin(q[2]);
    const hol_real g[3] = {c * u[0] - s * u[1], s * u[0] + c * u[1], u[2]}; // A u
    const hol_real h[3] = {-g[1], g[0], 0};                                 // A' u
    const hol_real om = order >= 2 ? w[k->iy + 2] : 0;
    const int theta = origin ? 2 : 0;
    const bool rows = order == 2 || order == 3; // dw and dww are wanted
    o->n = theta + 1;
    o->iy = k->iy + 2 - theta;
    for (int i = 0; i < 3; i++) {
        const bool plane = i < 2; // components in the plane turn, the third one stays
        o->f[i] = !plane && origin ? 0 : g[i];
        o->fw[i] = h[i] * om;
        o->fww[i] = plane ? -g[i] * om * om : 0;
        if (origin && plane) {
            o->f[i] += q[i];
            if (order >= 2) o->fw[i] += w[k->iy + i];
        }
        for (int j = 0; j < theta; j++) o->d[i][j] = i == j;
        o->d[i][theta] = h[i];
        if (!rows) continue;
        for (int j = 0; j < theta; j++) o->dw[i][j] = o->dww[i][j] = 0;
        o->dw[i][theta] = plane ? -g[i] * om : 0;
        o->dww[i][theta] = -h[i] * om * om;
    }
}

// Columns x, y, z, e0..e3 of an origin, e0..e3 alone of an axis.
static void eval_spatial(const hol_marker *k, int what, const hol_real *y, const hol_real *w, int order,
                         hol_feature *o)
{
    const bool origin = what == HOL_ORIGIN;
    const double *u = origin ? k->s : k->u[what];
    const hol_real *p = y + k->iy + 3;
    const int first = origin ? 3 : 0; // column of e0
    hol_real B[3][4], Bw[3][4];
    hol_rotate_d(p, u, B);
    o->n = first + 4;
    o->iy = k->iy + 3 - first;
    for (int i = 0; i < 3; i++) {
        o->f[i] =
            (origin ? y[k->iy + i] : 0) + B[i][0] * p[0] + B[i][1] * p[1] + B[i][2] * p[2] + B[i][3] * p[3];
        if (order < 1) continue;
        for (int j = 0; j < first; j++) o->d[i][j] = i == j;
        for (int j = 0; j < 4; j++) o->d[i][first + j] = 2 * B[i][j];
    }
    if (order < 2) return;
    const hol_real *v = w + k->iy + 3;
    hol_rotate_d(v, u, Bw);
    for (int i = 0; i < 3; i++) {
        o->fw[i] = origin ? w[k->iy + i] : 0;
        o->fww[i] = 0;
        for (int j = 0; j < first; j++) o->dw[i][j] = o->dww[i][j] = 0;
        for (int j = 0; j < 4; j++) {
            o->fw[i] += 2 * B[i][j] * v[j];
            o->fww[i] += 2 * Bw[i][j] * v[j];
            o->dw[i][first + j] = 2 * Bw[i][j];
            o->dww[i][first + j] = 0;
        }
    }
}

// F = p (x) quat: row i of the right-multiplication matrix of quat
static void eval_orientation(const hol_marker *k, const hol_real *y, const hol_real *w, int order,
                             hol_feature *o)
{
    const double *m = hol_marker_quat(k);
    const double R[4][4] = {{m[0], -m[1], -m[2], -m[3]},
                            {m[1], m[0], m[3], -m[2]},
                            {m[2], -m[3], m[0], m[1]},
                            {m[3], m[2], -m[1], m[0]}};
    const hol_real *p = y + k->iy + 3, *v = order >= 2 ? w + k->iy + 3 : NULL;
    o->n = 4;
    o->iy = k->iy + 3;
    for (int i = 0; i < 4; i++) {
        o->f[i] = o->fw[i] = o->fww[i] = 0;
        for (int j = 0; j < 4; j++) {
            o->f[i] += R[i][j] * p[j];
            if (v) o->fw[i] += R[i][j] * v[j];
            o->d[i][j] = R[i][j];
            o->dw[i][j] = o->dww[i][j] = 0;
        }
    }
}

// Value and three time derivatives of a moving frame's function: jet[i][0..3].
static void moving_jets(const hol_marker *k, int what, hol_real t, hol_real jet[4][4])
{
    const hol_motion *mo = hol_marker_motion(k);
    hol_real al[4] = {0, 0, 0, 0};
    if (mo->angle) hol_expr_jet(mo->angle, t, al);
    const bool half = what == HOL_ORIENTATION; // Euler parameters turn by half the angle
    if (half)
        for (int i = 0; i < 4; i++) al[i] = al[i] * 0.5;
    const hol_real c = cos(al[0]), s = sin(al[0]);
    const hol_real a1 = al[1], a2 = al[2], a3 = al[3];
    // derivatives of cos(alpha(t)) and sin(alpha(t))
    const hol_real C[4] = {c, -s * a1, -s * a2 - c * a1 * a1, -s * a3 - 3 * c * a1 * a2 + s * a1 * a1 * a1};
    const hol_real S[4] = {s, c * a1, c * a2 - s * a1 * a1, c * a3 - 3 * s * a1 * a2 - c * a1 * a1 * a1};
    const double *n = mo->axis;
    if (half) {
        const double turn[4] = {0, n[0], n[1], n[2]}, *quat = hol_marker_quat(k);
        double nm[4];
        hol_quat_multiply(turn, quat, nm);
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) jet[i][j] = C[j] * quat[i] + S[j] * nm[i];
        return;
    }
    const double *u = what == HOL_ORIGIN ? NULL : k->u[what];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            if (u) { // Rodrigues: n (n.u) + cos (u - n (n.u)) + sin (n x u)
                const int a = (i + 1) % 3, b = (i + 2) % 3;
                const double along = n[i] * (n[0] * u[0] + n[1] * u[1] + n[2] * u[2]);
                jet[i][j] = C[j] * (u[i] - along) + S[j] * (n[a] * u[b] - n[b] * u[a]) + (j == 0 ? along : 0);
            } else
                jet[i][j] = j == 0 ? k->s[i] : 0;
        }
    if (u) return;
    for (int i = 0; i < 3; i++)
        if (mo->position[i]) {
            hol_real x[4];
            hol_expr_jet(mo->position[i], t, x);
            for (int j = 0; j < 4; j++) jet[i][j] += x[j];
        }
}

// A marker of ground whose place or angle is a function of time: derivatives are in time alone.
static void eval_moving(const hol_marker *k, int what, const hol_real *y, const hol_real *w, int order,
                        hol_feature *o)
{
    hol_real jet[4][4];
    moving_jets(k, what, y[k->iy], jet);
    o->n = 1; // time
    for (int i = 0; i < o->m; i++) {
        o->f[i] = jet[i][0];
        o->d[i][0] = jet[i][1];
        if (order < 2) continue;
        const hol_real wt = w[k->iy];
        o->fw[i] = jet[i][1] * wt;
        o->dw[i][0] = jet[i][2] * wt;
        o->fww[i] = jet[i][2] * wt * wt;
        o->dww[i][0] = jet[i][3] * wt * wt;
    }
}

void hol_feature_eval(const hol_marker *k, int what, const hol_real *y, const hol_real *w, int order,
                      hol_feature *o)
{
    o->m = what == HOL_ORIENTATION ? 4 : 3;
    o->iy = k->iy;
    for (int i = 0; i < 4; i++) o->f[i] = o->fw[i] = o->fww[i] = 0;
    switch (k->frame) {
    case HOL_FRAME_GROUND: eval_fixed(k, what, o); break;
    case HOL_FRAME_MOVING: eval_moving(k, what, y, w, order, o); break;
    case HOL_FRAME_POINT: eval_point(k, y, w, order, o); break;
    case HOL_FRAME_PLANAR: eval_planar(k, what, y, w, order, o); break;
    case HOL_FRAME_SPATIAL:
        if (what == HOL_ORIENTATION)
            eval_orientation(k, y, w, order, o);
        else
            eval_spatial(k, what, y, w, order, o);
        break;
    }
}

// f^T A(p) u = p^T N p with N symmetric: the Hessian in p is 2 N
static void spatial_hessian(const double *u, const hol_real *f, hol_real *H, int ny, int ip)
{
    const hol_real fu = f[0] * u[0] + f[1] * u[1] + f[2] * u[2];
    const hol_real uf[3] = {u[1] * f[2] - u[2] * f[1], u[2] * f[0] - u[0] * f[2], u[0] * f[1] - u[1] * f[0]};
    H[ip * ny + ip] += 2 * fu;
    for (int i = 0; i < 3; i++) {
        H[ip * ny + ip + 1 + i] += 2 * uf[i];
        H[(ip + 1 + i) * ny + ip] += 2 * uf[i];
        for (int j = 0; j < 3; j++)
            H[(ip + 1 + i) * ny + ip + 1 + j] += 2 * (f[i] * u[j] + u[i] * f[j] - (i == j ? fu : 0));
    }
}

void hol_feature_hessian(const hol_marker *k, int what, const hol_real *y, const hol_real *f, hol_real *H,
                         int ny)
{
    const int iy = k->iy;
    const double *u = what == HOL_ORIGIN ? k->s : what == HOL_ORIENTATION ? NULL : k->u[what];
    if (k->frame == HOL_FRAME_PLANAR && u) {
        const hol_real c = cos(y[iy + 2]), s = sin(y[iy + 2]);
        H[(iy + 2) * ny + iy + 2] -= f[0] * (c * u[0] - s * u[1]) + f[1] * (s * u[0] + c * u[1]);
    } else if (k->frame == HOL_FRAME_SPATIAL && u) {
        spatial_hessian(u, f, H, ny, iy + 3);
    } else if (k->frame == HOL_FRAME_MOVING) {
        hol_real jet[4][4];
        moving_jets(k, what, y[iy], jet);
        for (int i = 0; i < (u || what == HOL_ORIGIN ? 3 : 4); i++) H[iy * ny + iy] += f[i] * jet[i][2];
    }
}
