// Operations on twists, wrenches, rotations and inertias, in the plane (d = 3) and in space (d = 6), to be compiled into the
// passes over the bodies, which are written once over them. d is a constant to the compiler; small vectors are written out.
//
// A twist is a velocity, then an angular velocity w; a wrench a force, then a moment; both about the centre of mass, in global
// axes. A rotation R is (cos, sin) in the plane, a matrix by rows in space.
#ifndef HOL_RECURSION_SPATIAL_H
#define HOL_RECURSION_SPATIAL_H

#include "linalg/vector3.h"
#include "recursion/data.h"

#include <math.h>
#include <string.h>

// What r keeps of either dimension: HOL_OF(r, d, frame, j, R) is r->frame3[j].R or r->frame6[j].R.
#define HOL_OF(r, d, part, j, member) ((d) == 3 ? (r)->part##3 [j].member : (r)->part##6 [j].member)
// f(first, d, ..) with the d that a tree has as a constant.
#define HOL_SIZED(tree_d, f, first, ...) ((tree_d) == 6 ? f(first, 6, __VA_ARGS__) : f(first, 3, __VA_ARGS__))

// name_range(with, from, to) for a pass (partition.c): name(o, d, from, to) with o of this type, whose member r is the tree.
#define HOL_RANGE(name, type)                                                                                \
    HOL_WIDE static void name##_range(void *with, int from, int to)                                          \
    {                                                                                                        \
        type *o = with;                                                                                      \
        HOL_SIZED(o->r->d, name, o, from, to);                                                               \
    }

static const double hol_zero6[6];

// Numbers of a point, an arm or a velocity.
HOL_INLINE int hol_point_size(const int d) { return d == 3 ? 2 : 3; }

// Rotation of body j in the plane. Coordinates that put a body and the frames of the state that follows ask for the same angle.
HOL_INLINE void hol_turn_plane(hol_tree *r, int j, double angle, double *R)
{
    hol_angle3 *o = &r->angle3[j];
    if (!(o->angle == angle)) *o = (hol_angle3){angle, {cos(angle), sin(angle)}};
    R[0] = o->R[0];
    R[1] = o->R[1];
}

// ---- vectors in space ---------------------------------------------------------------------------------------------

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

// ---- vectors of either dimension ----------------------------------------------------------------------------------

// R s
HOL_INLINE void rotate(const int d, const double *R, const double *s, double *out)
{
    if (d == 6) {
        hol_turn3(R, s, out);
        return;
    }
    const double x = s[0], y = s[1];
    out[0] = R[0] * x - R[1] * y;
    out[1] = R[1] * x + R[0] * y;
}

// R^T s
HOL_INLINE void rotate_back(const int d, const double *R, const double *s, double *out)
{
    const double x = s[0], y = s[1];
    if (d == 6) {
        const double z = s[2];
        for (int i = 0; i < 3; i++) out[i] = R[i] * x + R[3 + i] * y + R[6 + i] * z;
    } else {
        out[0] = R[0] * x + R[1] * y;
        out[1] = R[0] * y - R[1] * x;
    }
}

// w x s
HOL_INLINE void spin_of(const int d, const double *w, const double *s, double *out)
{
    if (d == 6) {
        hol_cross3(w, s, out);
        return;
    }
    const double x = -w[0] * s[1], y = w[0] * s[0];
    out[0] = x, out[1] = y;
}

// s x f
HOL_INLINE void moment_of(const int d, const double *s, const double *f, double *out)
{
    if (d == 6)
        hol_cross3(s, f, out);
    else
        out[0] = s[0] * f[1] - s[1] * f[0];
}

// w x (w x s)
HOL_INLINE void centripetal(const int d, const double *w, const double *s, double *out)
{
    const double ww = d == 6 ? hol_dot3(w, w) : w[0] * w[0], ws = d == 6 ? hol_dot3(w, s) : 0;
    for (int i = 0; i < hol_point_size(d); i++) out[i] = d == 6 ? w[i] * ws - ww * s[i] : -(ww * s[i]);
}

HOL_INLINE double dot_point(const int d, const double *a, const double *b)
{
    return d == 6 ? hol_dot3(a, b) : a[0] * b[0] + a[1] * b[1];
}

// of twists and wrenches
HOL_INLINE double dot_product(const int d, const double *a, const double *b)
{
    double s = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    if (d == 6) s += a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
    return s;
}

// ---- twists and wrenches ------------------------------------------------------------------------------------------

// The twist of the point that r leads to.
HOL_INLINE void carry_twist(const int d, const double *r, const double *u, double *out)
{
    if (d == 6) {
        out[0] = u[0] + u[4] * r[2] - u[5] * r[1];
        out[1] = u[1] + u[5] * r[0] - u[3] * r[2];
        out[2] = u[2] + u[3] * r[1] - u[4] * r[0];
        out[3] = u[3], out[4] = u[4], out[5] = u[5];
    } else {
        out[0] = u[0] - u[2] * r[1];
        out[1] = u[1] + u[2] * r[0];
        out[2] = u[2];
    }
}

// The wrench about the point from which r leads here.
HOL_INLINE void carry_wrench(const int d, const double *r, const double *f, double *out)
{
    if (d == 6) {
        out[0] = f[0], out[1] = f[1], out[2] = f[2];
        out[3] = f[3] + r[1] * f[2] - r[2] * f[1];
        out[4] = f[4] + r[2] * f[0] - r[0] * f[2];
        out[5] = f[5] + r[0] * f[1] - r[1] * f[0];
    } else {
        out[0] = f[0], out[1] = f[1];
        out[2] = f[2] + r[0] * f[1] - r[1] * f[0];
    }
}

// Rows of sign (velocity of the point at this arm): sign [I -arm~], what stays 0 is not written.
HOL_INLINE void point_rows(const int d, double sign, const double *arm, const int step, double *D)
{
    const double x = sign * arm[0], y = sign * arm[1];
    for (int i = 0; i < hol_point_size(d); i++) D[i * step + i] = sign;
    if (d == 3) {
        D[2] = -y, D[step + 2] = x;
        return;
    }
    const double z = sign * arm[2];
    D[4] = z, D[5] = -y;
    D[step + 3] = -z, D[step + 5] = x;
    D[2 * step + 3] = y, D[2 * step + 4] = -x;
}

// ---- inertias -----------------------------------------------------------------------------------------------------

// In space [A H; H^T C], A and C symmetric: the upper triangle by rows. In the plane A alone is there, the whole matrix.
typedef struct hol_articulated {
    double A[6], H[9], C[6];
} hol_articulated;

HOL_INLINE size_t hol_articulated_size(const int d) { return (d == 3 ? 6 : 21) * sizeof(double); }

HOL_INLINE void inertia_copy(const int d, const hol_articulated *P, hol_articulated *to)
{
    if (d == 6)
        *to = *P;
    else
        memcpy(to->A, P->A, sizeof to->A);
}

// to += P
HOL_INLINE void inertia_add(const int d, const hol_articulated *P, hol_articulated *to)
{
    for (int i = 0; i < 6; i++) to->A[i] += P->A[i];
    for (int i = 0; i < 9 && d == 6; i++) to->H[i] += P->H[i];
    for (int i = 0; i < 6 && d == 6; i++) to->C[i] += P->C[i];
}

// I u
HOL_INLINE void inertia_times(const int d, const hol_articulated *I, const double *u, double *out)
{
    if (d == 3) {
        hol_sym3(I->A, u, out);
        return;
    }
    const double *A = I->A, *H = I->H, *C = I->C;
    const double x = u[0], y = u[1], z = u[2], a = u[3], b = u[4], c = u[5];
    out[0] = A[0] * x + A[1] * y + A[2] * z + H[0] * a + H[1] * b + H[2] * c;
    out[1] = A[1] * x + A[3] * y + A[4] * z + H[3] * a + H[4] * b + H[5] * c;
    out[2] = A[2] * x + A[4] * y + A[5] * z + H[6] * a + H[7] * b + H[8] * c;
    out[3] = H[0] * x + H[3] * y + H[6] * z + C[0] * a + C[1] * b + C[2] * c;
    out[4] = H[1] * x + H[4] * y + H[7] * z + C[1] * a + C[3] * b + C[4] * c;
    out[5] = H[2] * x + H[5] * y + H[8] * z + C[2] * a + C[4] * b + C[5] * c;
}

// I -= c w w^T
HOL_INLINE void inertia_minus(const int d, hol_articulated *I, const double *w, double c)
{
    double *A = I->A, *H = I->H, *C = I->C;
    const double x[6] = {
        c * w[0], c * w[1], c * w[2], d == 6 ? c * w[3] : 0, d == 6 ? c * w[4] : 0, d == 6 ? c * w[5] : 0};
    A[0] -= w[0] * x[0], A[1] -= w[0] * x[1], A[2] -= w[0] * x[2];
    A[3] -= w[1] * x[1], A[4] -= w[1] * x[2], A[5] -= w[2] * x[2];
    if (d == 3) return;
    H[0] -= w[0] * x[3], H[1] -= w[0] * x[4], H[2] -= w[0] * x[5];
    H[3] -= w[1] * x[3], H[4] -= w[1] * x[4], H[5] -= w[1] * x[5];
    H[6] -= w[2] * x[3], H[7] -= w[2] * x[4], H[8] -= w[2] * x[5];
    C[0] -= w[3] * x[3], C[1] -= w[3] * x[4], C[2] -= w[3] * x[5];
    C[3] -= w[4] * x[4], C[4] -= w[4] * x[5], C[5] -= w[5] * x[5];
}

// I <- X^T I X about the point from which r leads here:  H' = H - A r~,  C' = C + r~ H' - H^T r~.
HOL_INLINE void inertia_carry(const int d, hol_articulated *I, const double *r)
{
    const double x = r[0], y = r[1];
    double *A = I->A, *H = I->H, *C = I->C;
    if (d == 3) { // X = [1 0 -y; 0 1 x; 0 0 1]
        const double hx = A[2] - A[0] * y + A[1] * x, hy = A[4] - A[1] * y + A[3] * x;
        A[5] += -y * (A[2] + hx) + x * (A[4] + hy);
        A[2] = hx, A[4] = hy;
        return;
    }
    const double z = r[2];
    // -H^T r~ has column i = -(H^T column ..): entries (H^T r~)_ij with H before the change
    const double T00 = H[3] * z - H[6] * y, T01 = H[6] * x - H[0] * z, T02 = H[0] * y - H[3] * x;
    const double T11 = H[7] * x - H[1] * z, T12 = H[1] * y - H[4] * x, T22 = H[2] * y - H[5] * x;
    H[0] -= A[1] * z - A[2] * y, H[1] -= A[2] * x - A[0] * z, H[2] -= A[0] * y - A[1] * x;
    H[3] -= A[3] * z - A[4] * y, H[4] -= A[4] * x - A[1] * z, H[5] -= A[1] * y - A[3] * x;
    H[6] -= A[4] * z - A[5] * y, H[7] -= A[5] * x - A[2] * z, H[8] -= A[2] * y - A[4] * x;
    C[0] += y * H[6] - z * H[3] - T00;
    C[1] += y * H[7] - z * H[4] - T01;
    C[2] += y * H[8] - z * H[5] - T02;
    C[3] += z * H[1] - x * H[7] - T11;
    C[4] += z * H[2] - x * H[8] - T12;
    C[5] += x * H[5] - y * H[2] - T22;
}

// An upper bound of F^T I F, up to a factor: what a pivot is measured by.
HOL_INLINE double inertia_scale(const int d, const hol_articulated *I, const double *F)
{
    const double *A = I->A, *C = I->C;
    if (d == 3) return (A[0] + A[3]) * (F[0] * F[0] + F[1] * F[1]) + A[5] * F[2] * F[2];
    return (A[0] + A[3] + A[5]) * hol_dot3(F, F) + (C[0] + C[3] + C[5]) * hol_dot3(F + 3, F + 3);
}

// ---- bodies -------------------------------------------------------------------------------------------------------

// The articulated inertia of body j: of all that hangs on it.
HOL_INLINE hol_articulated *inertia_of(const hol_tree *r, const int d, int j)
{
    return (hol_articulated *)(void *)(r->inertia + hol_articulated_size(d) * (size_t)j);
}

// The inertia of body j alone, about its centre of mass.
HOL_INLINE void inertia_own(const hol_tree *r, const int d, int j, hol_articulated *I)
{
    static const hol_articulated none;
    inertia_copy(d, &none, I);
    I->A[0] = I->A[3] = HOL_OF(r, d, body, j, m);
    if (d == 3) {
        I->A[5] = r->body3[j].J;
        return;
    }
    I->A[5] = I->A[0];
    for (int i = 0; i < 6; i++) I->C[i] = r->frame6[j].J[i];
}

// M u of body j alone.
HOL_INLINE void mass_times(const hol_tree *r, const int d, int j, const double *u, double *out)
{
    for (int i = 0; i < hol_point_size(d); i++) out[i] = HOL_OF(r, d, body, j, m) * u[i];
    if (d == 3)
        out[2] = r->body3[j].J * u[2];
    else
        hol_sym3(r->frame6[j].J, u + 3, out + 3);
}

// M^-1 of one body: of the mass, and of the inertia, in space xx xy xz yy yz zz. What has no inertia does not move.
HOL_INLINE double hol_inverse_mass(const hol_tree *r, const int d, int j, double *G)
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

// M^-1 f by what hol_inverse_mass has given; not in place.
HOL_INLINE void inverse_times(const int d, double inverse, const double *G, const double *f, double *out)
{
    for (int i = 0; i < hol_point_size(d); i++) out[i] = inverse * f[i];
    if (d == 3)
        out[2] = G[0] * f[2];
    else
        hol_sym3(G, f + 3, out + 3);
}

// A += arm~ G arm~^T, lower triangle.
HOL_INLINE void add_turned(const int d, const double *a, const double *G, double *A)
{
    if (d == 3) {
        A[0] += a[1] * a[1] * G[0], A[2] -= a[0] * a[1] * G[0], A[3] += a[0] * a[0] * G[0];
        return;
    }
    const double turn[3][3] = {{0, a[2], -a[1]}, {-a[2], 0, a[0]}, {a[1], -a[0], 0}};
    for (int c = 0; c < 3; c++) {
        double g[3];
        hol_sym3(G, turn[c], g);
        for (int p = c; p < 3; p++) A[p * 3 + c] += hol_dot3(turn[p], g);
    }
}

// Body j's rotation, twist, and coordinates at x; j < 0: those of ground.
HOL_INLINE const double *rotation_of(const hol_tree *r, const int d, int j)
{
    static const double upright3[2] = {1, 0}, upright6[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (j < 0) return d == 3 ? upright3 : upright6;
    return HOL_OF(r, d, frame, j, R);
}
HOL_INLINE const double *twist_of(const hol_tree *r, const int d, int j)
{
    return j < 0 ? hol_zero6 : r->nu + d * j;
}
HOL_INLINE const double *place_of(const hol_tree *r, const hol_state *x, int j)
{
    return j < 0 ? hol_zero6 : x->q + r->link[j].q;
}

// A point of a body (place -1: ground): arm in global axes, position, velocity, and w x (w x arm).
typedef struct {
    double arm[3], at[3], v[3], bias[3];
} hol_point;

// Place, arm, velocity and centripetal acceleration of a point s of body j; j < 0: of ground.
HOL_INLINE void hol_point_of(const hol_tree *r, const int d, const hol_state *x, int j, const double *s,
                             hol_point *o)
{
    static const hol_point still;
    const int n = hol_point_size(d);
    if (j < 0) {
        *o = still;
        for (int i = 0; i < n; i++) o->at[i] = s[i];
        return;
    }
    const double *nu = r->nu + d * j, *w = nu + n, *q = x->q + r->link[j].q;
    double t[3];
    rotate(d, HOL_OF(r, d, frame, j, R), s, o->arm);
    spin_of(d, w, o->arm, t);
    if (d == 6)
        hol_cross3(w, t, o->bias);
    else
        centripetal(d, w, o->arm, o->bias);
    for (int i = 0; i < n; i++) o->at[i] = q[i] + o->arm[i], o->v[i] = nu[i] + t[i];
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

// The rates of Euler parameters: E(p)^T omega / 2
HOL_INLINE void euler_rate(const double *p, const double *w, double *out)
{
    out[0] = 0.5 * (-p[1] * w[0] - p[2] * w[1] - p[3] * w[2]);
    out[1] = 0.5 * (p[0] * w[0] + p[3] * w[1] - p[2] * w[2]);
    out[2] = 0.5 * (-p[3] * w[0] + p[0] * w[1] + p[1] * w[2]);
    out[3] = 0.5 * (p[2] * w[0] - p[1] * w[1] + p[0] * w[2]);
}

#endif
