// Frames and joints of the tree at a state, body by body, to be compiled into the passes over the bodies; small vectors
// written out. docs/theory.md, section 14.2.
#ifndef HOL_RECURSION_FRAMES_H
#define HOL_RECURSION_FRAMES_H

#include "recursion/data.h"

#include <math.h>
#include <string.h>

HOL_INLINE void hol_cross3(const double *a, const double *b, double *out)
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}
HOL_INLINE double hol_dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
HOL_INLINE void hol_turn3(const double *R, const double *u, double *out)
{
    const double x = u[0], y = u[1], z = u[2];
    out[0] = R[0] * x + R[1] * y + R[2] * z;
    out[1] = R[3] * x + R[4] * y + R[5] * z;
    out[2] = R[6] * x + R[7] * y + R[8] * z;
}
// symmetric: xx xy xz yy yz zz
HOL_INLINE void hol_sym3(const double *A, const double *u, double *out)
{
    const double x = u[0], y = u[1], z = u[2];
    out[0] = A[0] * x + A[1] * y + A[2] * z;
    out[1] = A[1] * x + A[3] * y + A[4] * z;
    out[2] = A[2] * x + A[4] * y + A[5] * z;
}

// ---- frames ---------------------------------------------------------------------------------------------------

// J in global axes: J_zz I + (J_xx - J_zz) x x^T + (J_yy - J_zz) y y^T of a diagonal one, R J R^T else.
HOL_INLINE void turn_inertia(const hol_body6 *l, const double *R, double *J)
{
    if (l->slim) {
        const double a = l->J[0] - l->J[8], b = l->J[4] - l->J[8];
        const double x[3] = {R[0], R[3], R[6]}, y[3] = {R[1], R[4], R[7]};
        const double ax[3] = {a * x[0], a * x[1], a * x[2]}, by[3] = {b * y[0], b * y[1], b * y[2]};
        J[0] = l->J[8] + ax[0] * x[0] + by[0] * y[0];
        J[1] = ax[0] * x[1] + by[0] * y[1];
        J[2] = ax[0] * x[2] + by[0] * y[2];
        J[3] = l->J[8] + ax[1] * x[1] + by[1] * y[1];
        J[4] = ax[1] * x[2] + by[1] * y[2];
        J[5] = l->J[8] + ax[2] * x[2] + by[2] * y[2];
        return;
    }
    double T[9];
    for (int i = 0; i < 3; i++) hol_turn3(l->J, R + 3 * i, T + 3 * i); // row i of R J, J symmetric
    J[0] = hol_dot3(T, R), J[1] = hol_dot3(T, R + 3), J[2] = hol_dot3(T, R + 6);
    J[3] = hol_dot3(T + 3, R + 3), J[4] = hol_dot3(T + 3, R + 6), J[5] = hol_dot3(T + 6, R + 6);
}

// Rotation, twist, weight and gyroscopic force of body j in space.
HOL_INLINE void frame6(hol_recursion *r, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    const hol_body6 *own = &r->body6[j];
    hol_frame6 *o = &r->frame6[j];
    double *nu = r->nu + 6 * j, *f = r->f + 6 * j;
    const double *q = x->q + l->q, *v = x->v + l->q;
    nu[0] = v[0], nu[1] = v[1], nu[2] = v[2];
    f[0] = own->weight[0], f[1] = own->weight[1], f[2] = own->weight[2];
    if (l->frame == HOL_FRAME_POINT) { // a rotation that nothing moves
        static const hol_frame6 still = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
        *o = still;
        for (int i = 0; i < 6; i++) o->J[i] *= own->J[0];
        nu[3] = nu[4] = nu[5] = f[3] = f[4] = f[5] = 0;
        return;
    }
    const double w = q[3], a = q[4], b = q[5], c = q[6];
    hol_quat_matrix(q + 3, o->R);
    nu[3] = 2 * (-a * v[3] + w * v[4] - c * v[5] + b * v[6]); // 2 E(p) p'
    nu[4] = 2 * (-b * v[3] + c * v[4] + w * v[5] - a * v[6]);
    nu[5] = 2 * (-c * v[3] - b * v[4] + a * v[5] + w * v[6]);
    turn_inertia(own, o->R, o->J);
    double h[3], g[3];
    hol_sym3(o->J, nu + 3, h);
    hol_cross3(h, nu + 3, g); // -omega x J omega
    f[3] = g[0], f[4] = g[1], f[5] = g[2];
}

// Rotation, twist and weight of body j in the plane.
HOL_INLINE void frame3(hol_recursion *r, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    hol_frame3 *o = &r->frame3[j];
    double *nu = r->nu + 3 * j, *f = r->f + 3 * j;
    const double *q = x->q + l->q, *v = x->v + l->q;
    nu[0] = v[0], nu[1] = v[1];
    f[0] = r->body3[j].weight[0], f[1] = r->body3[j].weight[1], f[2] = 0;
    if (l->frame == HOL_FRAME_POINT) {
        nu[2] = 0, o->c = 1, o->s = 0;
        return;
    }
    const double angle = q[2]; // once: the compiler then takes both functions together
    nu[2] = v[2];
    o->c = cos(angle);
    o->s = sin(angle);
}

// A point of a body (place -1: ground): arm in global axes, position, velocity, and w x (w x arm).
typedef struct {
    double arm[3], at[3], v[3], bend[3];
} hol_point;

// Place, arm, velocity and centripetal acceleration of a point s of body j; j < 0: of ground.
HOL_INLINE void hol_point_of(const hol_recursion *r, const int d, const hol_state *x, int j, const double *s,
                             hol_point *o)
{
    static const hol_point still;
    if (j < 0) {
        *o = still;
        for (int i = 0; i < 3; i++) o->at[i] = s[i];
        return;
    }
    const double *nu = r->nu + d * j, *q = x->q + r->link[j].q;
    if (d == 3) {
        const hol_frame3 *f = &r->frame3[j];
        const double w = nu[2];
        o->arm[0] = f->c * s[0] - f->s * s[1], o->arm[1] = f->s * s[0] + f->c * s[1];
        o->v[0] = nu[0] - w * o->arm[1], o->v[1] = nu[1] + w * o->arm[0];
        for (int i = 0; i < 2; i++) o->at[i] = q[i] + o->arm[i], o->bend[i] = -w * w * o->arm[i];
        return;
    }
    double t[3];
    hol_turn3(r->frame6[j].R, s, o->arm);
    hol_cross3(nu + 3, o->arm, t);
    hol_cross3(nu + 3, t, o->bend);
    for (int i = 0; i < 3; i++) o->at[i] = q[i] + o->arm[i], o->v[i] = nu[i] + t[i];
}

HOL_INLINE const hol_element *hol_loop_joint(const hol_recursion *r, const hol_loop_element *l)
{
    return &r->s->m->element[l->joint];
}

// Coordinates of a point or an arm.
HOL_INLINE int hol_point_size(const int d) { return d == 3 ? 2 : 3; }

// M^-1 of one body: of the mass, and of the inertia, in space xx xy xz yy yz zz. What has no inertia does not move.
HOL_INLINE double hol_inverse_mass(const hol_recursion *r, const int d, int j, double *G)
{
    if (d == 3) {
        const hol_body3 *b = &r->body3[j];
        G[0] = b->J > 0 ? 1 / b->J : 0;
        return b->m > 0 ? 1 / b->m : 0;
    }
    const double *J = r->frame6[j].J; // by cofactors
    const double a = J[3] * J[5] - J[4] * J[4], b = J[2] * J[4] - J[1] * J[5], c = J[1] * J[4] - J[2] * J[3];
    const double det = J[0] * a + J[1] * b + J[2] * c, g = det > 0 ? 1 / det : 0;
    G[0] = g * a, G[1] = g * b, G[2] = g * c;
    G[3] = g * (J[0] * J[5] - J[2] * J[2]), G[4] = g * (J[1] * J[2] - J[0] * J[4]);
    G[5] = g * (J[0] * J[3] - J[1] * J[1]);
    return r->body6[j].m > 0 ? 1 / r->body6[j].m : 0;
}

// b_c of (15.14): a component of conj(P) S changes by b.(w2 - w1)/2
HOL_INLINE void hol_turn_direction(const double *P, const double *S, int c, double *b)
{
    const double *p = P + 1, *s = S + 1;
    const int y = (c + 1) % 3, z = (c + 2) % 3;
    for (int i = 0; i < 3; i++) b[i] = p[c] * s[i] + s[c] * p[i];
    b[c] += P[0] * S[0] - hol_dot3(p, s); // and P_0 s x e_c + S_0 p x e_c
    b[y] += P[0] * s[z] + S[0] * p[z];
    b[z] -= P[0] * s[y] + S[0] * p[y];
}

// ---- joints ---------------------------------------------------------------------------------------------------

static const double still6[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero6[6];

// w x (w x s)
HOL_INLINE void centripetal(const double *w, double ww, const double *s, double *out)
{
    const double ws = hol_dot3(w, s);
    for (int i = 0; i < 3; i++) out[i] = w[i] * ws - ww * s[i];
}

// Sliding along an axis of the father's frame: its direction and the acceleration that follows from
// velocities.
HOL_INLINE void slide6(hol_recursion *r, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    const int k = l->father;
    hol_frame6 *o = &r->frame6[j];
    const double *nu = r->nu + 6 * j, *nk = k < 0 ? zero6 : r->nu + 6 * k, *w = nk + 3;
    const double *R = k < 0 ? still6 : r->frame6[k].R, *q = x->q + l->q;
    const double *qk = k < 0 ? zero6 : x->q + r->link[k].q;
    double *F = r->pool + l->pool, *c = r->jump + 6 * j, wr[3], v[3], b[3];
    for (int i = 0; i < 3; i++) o->r[i] = q[i] - qk[i];
    hol_turn3(l->owns_axis ? o->R : R, r->body6[j].a, F);
    F[3] = F[4] = F[5] = 0;
    hol_cross3(w, o->r, wr);
    for (int i = 0; i < 3; i++) v[i] = 2 * (nu[i] - nk[i]) - wr[i]; // w x r + 2 (v_j - v_k - w x r)
    hol_cross3(w, v, b);
    c[0] = b[0], c[1] = b[1], c[2] = b[2], c[3] = c[4] = c[5] = 0;
}

// Joints that hold a common point: directions of free rotation, arms, and what follows from velocities.
HOL_INLINE void touching6(hol_recursion *r, int j)
{
    const hol_link *l = &r->link[j];
    const int k = l->father;
    const hol_body6 *own = &r->body6[j];
    hol_frame6 *o = &r->frame6[j];
    const double *w = r->nu + 6 * j + 3, *wk = k < 0 ? zero6 : r->nu + 6 * k + 3;
    double *F = r->pool + l->pool, *c = r->jump + 6 * j;
    double s[3], s1[3], b[3], b1[3], g[3];
    hol_turn3(o->R, own->s, s);
    if (k >= 0) {
        hol_turn3(r->frame6[k].R, own->s_father, s1);
        centripetal(wk, hol_dot3(wk, wk), s1, b1);
    } else
        for (int i = 0; i < 3; i++) s1[i] = own->s_father[i], b1[i] = 0;
    for (int i = 0; i < 3; i++) o->r[i] = s1[i] - s[i];
    centripetal(w, hol_dot3(w, w), s, b);
    c[3] = c[4] = c[5] = 0;
    if (l->kind == HOL_LINK_REVOLUTE) {
        double a[3];
        hol_turn3(o->R, own->a, a);
        hol_cross3(s, a, F);
        F[3] = a[0], F[4] = a[1], F[5] = a[2];
        hol_cross3(wk, w, c + 3); // the axis turns with the father
    } else if (l->kind == HOL_LINK_SPHERICAL)
        for (int i = 0; i < 3; i++) F[i] = s[i]; // eliminate.c has this joint in closed form
    hol_cross3(s, c + 3, g);
    for (int i = 0; i < 3; i++) c[i] = b1[i] - b[i] + g[i];
}

// The same in the plane, rotation about z.
HOL_INLINE void touching3(hol_recursion *r, int j)
{
    const hol_link *l = &r->link[j];
    const int k = l->father;
    const hol_body3 *own = &r->body3[j];
    hol_frame3 *o = &r->frame3[j];
    double *F = r->pool + l->pool, *c = r->jump + 3 * j;
    const double w = r->nu[3 * j + 2];
    const double sx = o->c * own->s[0] - o->s * own->s[1], sy = o->s * own->s[0] + o->c * own->s[1];
    double x1 = own->s_father[0], y1 = own->s_father[1], ww = 0;
    if (k >= 0) {
        const hol_frame3 *p = &r->frame3[k];
        const double wk = r->nu[3 * k + 2];
        x1 = p->c * own->s_father[0] - p->s * own->s_father[1];
        y1 = p->s * own->s_father[0] + p->c * own->s_father[1];
        ww = wk * wk;
    }
    o->r[0] = x1 - sx, o->r[1] = y1 - sy;
    c[0] = w * w * sx - ww * x1;
    c[1] = w * w * sy - ww * y1;
    c[2] = 0;
    if (l->kind != HOL_LINK_REVOLUTE) return;
    F[0] = sy, F[1] = -sx, F[2] = 1;
}

// Sliding in the plane.
HOL_INLINE void slide3(hol_recursion *r, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    const int k = l->father;
    hol_frame3 *o = &r->frame3[j];
    static const hol_frame3 still = {1, 0, {0, 0}};
    const double *nu = r->nu + 3 * j, *nk = k < 0 ? zero6 : r->nu + 3 * k, w = nk[2];
    const double *q = x->q + l->q, *qk = k < 0 ? zero6 : x->q + r->link[k].q;
    const hol_frame3 *p = l->owns_axis ? o : k < 0 ? &still : &r->frame3[k];
    double *F = r->pool + l->pool, *c = r->jump + 3 * j;
    o->r[0] = q[0] - qk[0], o->r[1] = q[1] - qk[1];
    const double *a = r->body3[j].s;
    F[0] = p->c * a[0] - p->s * a[1];
    F[1] = p->s * a[0] + p->c * a[1];
    F[2] = 0;
    const double vx = 2 * (nu[0] - nk[0]) + w * o->r[1], vy = 2 * (nu[1] - nk[1]) - w * o->r[0];
    c[0] = -w * vy, c[1] = w * vx, c[2] = 0;
}

HOL_INLINE void joint6(hol_recursion *r, const hol_state *x, int j)
{
    switch (r->link[j].kind) {
    case HOL_LINK_FREE: memset(r->jump + 6 * j, 0, 6 * sizeof *r->jump); break;
    case HOL_LINK_SLIDE: slide6(r, x, j); break;
    case HOL_LINK_GENERAL: hol_link_general(r, x, j); break;
    default: touching6(r, j);
    }
}

HOL_INLINE void joint3(hol_recursion *r, const hol_state *x, int j)
{
    switch (r->link[j].kind) {
    case HOL_LINK_FREE: memset(r->jump + 3 * j, 0, 3 * sizeof *r->jump); break;
    case HOL_LINK_SLIDE: slide3(r, x, j); break;
    case HOL_LINK_GENERAL: hol_link_general(r, x, j); break;
    default: touching3(r, j);
    }
}

// ---- rates of Euler parameters --------------------------------------------------------------------------------

// E(p)^T omega / 2
HOL_INLINE void euler_rate(const double *p, const double *w, double *out)
{
    out[0] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    out[1] = 0.5 * (p[0] * w[0] + p[3] * w[1] - p[2] * w[2]);
    out[2] = 0.5 * (-p[3] * w[0] + p[0] * w[1] + p[1] * w[2]);
    out[3] = 0.5 * (p[2] * w[0] - p[1] * w[1] + p[0] * w[2]);
}

// p'' = E^T omega' / 2 - |omega|^2/4 p
HOL_INLINE void acceleration6(const hol_recursion *r, int j, const double *u, hol_state *x)
{
    const hol_link *l = &r->link[j];
    const double *p = x->q + l->q + 3, *w = r->nu + 6 * j + 3, *from = u + 6 * j;
    double *a = x->a + l->q, rate[4];
    for (int i = 0; i < 3; i++) a[i] = from[i];
    if (l->frame == HOL_FRAME_POINT) return;
    const double c = 0.25 * hol_dot3(w, w);
    euler_rate(p, from + 3, rate);
    for (int i = 0; i < 4; i++) a[3 + i] = rate[i] - c * p[i];
}

HOL_INLINE void acceleration3(const hol_recursion *r, int j, const double *u, hol_state *x)
{
    const hol_link *l = &r->link[j];
    double *a = x->a + l->q;
    a[0] = u[3 * j], a[1] = u[3 * j + 1];
    if (l->frame != HOL_FRAME_POINT) a[2] = u[3 * j + 2];
}

#endif
