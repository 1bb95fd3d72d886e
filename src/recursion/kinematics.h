// Frames and joints of the tree at a state, body by body, to be compiled into the passes over the bodies.
// docs/theory.md, section 14.2.
#ifndef HOL_RECURSION_KINEMATICS_H
#define HOL_RECURSION_KINEMATICS_H

#include "recursion/spatial.h"

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

// Rotation, angular velocity w and gyroscopic moment g of body j in space, from its Euler parameters and their rates.
HOL_INLINE void set_rotation6(hol_tree *r, int j, const double *p, const double *rate, double *w, double *g)
{
    hol_frame6 *o = &r->frame6[j];
    double h[3];
    hol_quat_matrix(p, o->R);
    w[0] = 2 * (-p[1] * rate[0] + p[0] * rate[1] - p[3] * rate[2] + p[2] * rate[3]); // 2 E(p) p'
    w[1] = 2 * (-p[2] * rate[0] + p[3] * rate[1] + p[0] * rate[2] - p[1] * rate[3]);
    w[2] = 2 * (-p[3] * rate[0] - p[2] * rate[1] + p[1] * rate[2] + p[0] * rate[3]);
    turn_inertia(&r->body6[j], o->R, o->J);
    hol_sym3(o->J, w, h);
    hol_cross3(h, w, g); // -omega x J omega
}

// Rotation, twist, weight and gyroscopic force of body j.
HOL_INLINE void place_frame(hol_tree *r, const int d, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    const int n = hol_point_size(d);
    const double *weight = HOL_OF(r, d, body, j, weight), *q = x->q + l->q, *v = x->v + l->q;
    double *R = HOL_OF(r, d, frame, j, R), *nu = r->nu + d * j, *f = r->f + d * j;
    for (int i = 0; i < n; i++) nu[i] = v[i], f[i] = weight[i];
    if (l->frame == HOL_FRAME_POINT) { // a rotation that nothing moves
        memcpy(R, rotation_of(r, d, -1), (d == 3 ? 2 : 9) * sizeof *R);
        for (int i = n; i < d; i++) nu[i] = f[i] = 0;
        if (d == 6)
            for (int i = 0; i < 6; i++) r->frame6[j].J[i] = i == 0 || i == 3 || i == 5 ? r->body6[j].J[0] : 0;
    } else if (d == 6) {
        set_rotation6(r, j, q + 3, v + 3, nu + 3, f + 3);
    } else {
        nu[2] = v[2], f[2] = 0;
        hol_turn_plane(r, j, q[2], R);
    }
}

// ---- joints ---------------------------------------------------------------------------------------------------

// Sliding along an axis of the father's frame: its direction and the acceleration that follows from
// velocities.
HOL_INLINE void place_slide(hol_tree *r, const int d, const hol_state *x, int j)
{
    const hol_link *l = &r->link[j];
    const int n = hol_point_size(d), k = l->father;
    const double *nu = r->nu + d * j, *nk = twist_of(r, d, k), *w = nk + n;
    const double *q = x->q + l->q, *qk = place_of(r, x, k);
    double *reach = HOL_OF(r, d, frame, j, r), *F = r->pool + l->pool, *c = r->jump + d * j, wr[3], v[3];
    for (int i = 0; i < n; i++) reach[i] = q[i] - qk[i];
    rotate(d, rotation_of(r, d, l->owns_axis ? j : k), HOL_OF(r, d, body, j, a), F);
    spin_of(d, w, reach, wr);
    for (int i = 0; i < n; i++) v[i] = 2 * (nu[i] - nk[i]) - wr[i]; // w x r + 2 (v_j - v_k - w x r)
    spin_of(d, w, v, c);
    for (int i = n; i < d; i++) F[i] = c[i] = 0;
}

// Joints that hold a common point: directions of free rotation, arms, and what follows from velocities.
HOL_INLINE void place_touching(hol_tree *r, const int d, int j)
{
    const hol_link *l = &r->link[j];
    const int n = hol_point_size(d), k = l->father;
    const double *R = HOL_OF(r, d, frame, j, R), *w = r->nu + d * j + n, *wk = twist_of(r, d, k) + n;
    const double *own = HOL_OF(r, d, body, j, s), *s_father = HOL_OF(r, d, body, j, s_father);
    double *reach = HOL_OF(r, d, frame, j, r), *F = r->pool + l->pool, *c = r->jump + d * j;
    double s[3], s1[3], b[3], b1[3] = {0}, g[3];
    rotate(d, R, own, s);
    if (k >= 0) {
        rotate(d, HOL_OF(r, d, frame, k, R), s_father, s1);
        centripetal(d, wk, s1, b1);
    } else
        for (int i = 0; i < n; i++) s1[i] = s_father[i];
    for (int i = 0; i < n; i++) reach[i] = s1[i] - s[i];
    centripetal(d, w, s, b);
    for (int i = n; i < d; i++) c[i] = 0;
    if (l->kind == HOL_LINK_REVOLUTE && d == 3) {
        F[0] = s[1], F[1] = -s[0], F[2] = 1;
    } else if (l->kind == HOL_LINK_REVOLUTE) {
        double a[3];
        hol_turn3(R, r->body6[j].a, a);
        hol_cross3(s, a, F);
        F[3] = a[0], F[4] = a[1], F[5] = a[2];
        hol_cross3(wk, w, c + 3); // the axis turns with the father
    } else if (d == 6 && l->kind == HOL_LINK_SPHERICAL)
        for (int i = 0; i < 3; i++) F[i] = s[i]; // articulated_body.c has this joint in closed form
    if (d == 6) hol_cross3(s, c + 3, g);
    for (int i = 0; i < n; i++) c[i] = d == 6 ? b1[i] - b[i] + g[i] : b1[i] - b[i];
}

HOL_INLINE void place_joint(hol_tree *r, const int d, const hol_state *x, int j)
{
    switch (r->link[j].kind) {
    case HOL_LINK_FREE: memset(r->jump + d * j, 0, (size_t)d * sizeof *r->jump); break;
    case HOL_LINK_SLIDE: place_slide(r, d, x, j); break;
    case HOL_LINK_GENERAL: hol_link_general(r, x, j); break;
    default: place_touching(r, d, j);
    }
}

// The kind of link that is held by a point only.
HOL_INLINE hol_link_kind point_alone(const int d) { return d == 3 ? HOL_LINK_REVOLUTE : HOL_LINK_SPHERICAL; }

// q'' of the accelerations u: of Euler parameters p'' = E^T omega' / 2 - |omega|^2/4 p.
HOL_INLINE void set_acceleration(const hol_tree *r, const int d, int j, const double *u, hol_state *x)
{
    const hol_link *l = &r->link[j];
    const double *from = u + d * j;
    double *a = x->a + l->q, rate[4];
    for (int i = 0; i < hol_point_size(d); i++) a[i] = from[i];
    if (l->frame == HOL_FRAME_POINT) return;
    if (d == 3) {
        a[2] = from[2];
        return;
    }
    const double *p = x->q + l->q + 3, *w = r->nu + 6 * j + 3, c = 0.25 * hol_dot3(w, w);
    euler_rate(p, from + 3, rate);
    for (int i = 0; i < 4; i++) a[3 + i] = rate[i] - c * p[i];
}

#endif
