// The articulated-body algorithm (ABA; Featherstone 2008): elimination inwards, from the leaves to the roots, with
// articulated inertias, and substitution back outwards. docs/theory.md, section 14.3.
//
//     u_j = X u_k + F s + jump,   P = I - W W^T,   W = I F L^-T,   L L^T = F^T I F
//     I_k += X^T P X,   h = h_j - I jump,   alpha = L^-1 F^T h,   h_k += X^T (h - W alpha)
//     s = L^-T (alpha - W^T X u_k)
//
// and for one direction W = I F / D, D = F^T I F, which saves the root.
//
// with I the articulated inertia of a body, h the force on it, k its father. Sizes are constants to the compiler.
#include "recursion/frames.h"

#include <stdatomic.h>

enum { FACTOR = 1, APPLY = 2 };
#define FREE_OF_INERTIA 1e-13 // a pivot this small against its terms: nothing resists

// ---- what depends on the dimension ------------------------------------------------------------------------------

// I u for a spatial inertia [A H; H^T C] about the centre of mass.
HOL_INLINE void times6(const hol_inertia6 *I, const double *u, double *out)
{
    const double *A = I->A, *H = I->H, *C = I->C;
    const double x = u[0], y = u[1], z = u[2], a = u[3], b = u[4], c = u[5];
    out[0] = A[0] * x + A[1] * y + A[2] * z + H[0] * a + H[1] * b + H[2] * c;
    out[1] = A[1] * x + A[3] * y + A[4] * z + H[3] * a + H[4] * b + H[5] * c;
    out[2] = A[2] * x + A[4] * y + A[5] * z + H[6] * a + H[7] * b + H[8] * c;
    out[3] = H[0] * x + H[3] * y + H[6] * z + C[0] * a + C[1] * b + C[2] * c;
    out[4] = H[1] * x + H[4] * y + H[7] * z + C[1] * a + C[3] * b + C[4] * c;
    out[5] = H[2] * x + H[5] * y + H[8] * z + C[2] * a + C[4] * b + C[5] * c;
}

HOL_INLINE void times3(const double *I, const double *u, double *out)
{
    out[0] = I[0] * u[0] + I[1] * u[1] + I[2] * u[2];
    out[1] = I[1] * u[0] + I[3] * u[1] + I[4] * u[2];
    out[2] = I[2] * u[0] + I[4] * u[1] + I[5] * u[2];
}

// I -= c w w^T
HOL_INLINE void minus_product6(hol_inertia6 *I, const double *w, double c)
{
    double *A = I->A, *H = I->H, *C = I->C;
    const double x[6] = {c * w[0], c * w[1], c * w[2], c * w[3], c * w[4], c * w[5]};
    A[0] -= w[0] * x[0], A[1] -= w[0] * x[1], A[2] -= w[0] * x[2];
    A[3] -= w[1] * x[1], A[4] -= w[1] * x[2], A[5] -= w[2] * x[2];
    H[0] -= w[0] * x[3], H[1] -= w[0] * x[4], H[2] -= w[0] * x[5];
    H[3] -= w[1] * x[3], H[4] -= w[1] * x[4], H[5] -= w[1] * x[5];
    H[6] -= w[2] * x[3], H[7] -= w[2] * x[4], H[8] -= w[2] * x[5];
    C[0] -= w[3] * x[3], C[1] -= w[3] * x[4], C[2] -= w[3] * x[5];
    C[3] -= w[4] * x[4], C[4] -= w[4] * x[5], C[5] -= w[5] * x[5];
}

HOL_INLINE void minus_product3(double *I, const double *w, double c)
{
    const double x = c * w[0], y = c * w[1], z = c * w[2];
    I[0] -= w[0] * x, I[1] -= w[0] * y, I[2] -= w[0] * z;
    I[3] -= w[1] * y, I[4] -= w[1] * z, I[5] -= w[2] * z;
}

// I <- X^T I X:  H' = H - A r~,  C' = C + r~ H' - H^T r~
HOL_INLINE void carry6(hol_inertia6 *I, const double *r)
{
    double *A = I->A, *H = I->H, *C = I->C;
    const double x = r[0], y = r[1], z = r[2];
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

// The same in the plane, X = [1 0 -r_y; 0 1 r_x; 0 0 1].
HOL_INLINE void carry3(double *I, const double *r)
{
    const double hx = I[2] - I[0] * r[1] + I[1] * r[0], hy = I[4] - I[1] * r[1] + I[3] * r[0];
    I[5] += -r[1] * (I[2] + hx) + r[0] * (I[4] + hy);
    I[2] = hx, I[4] = hy;
}

// The twist of the point that r leads to.
HOL_INLINE void carry_twist(int d, const double *r, const double *u, double *out)
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
HOL_INLINE void carry_wrench(int d, const double *r, const double *f, double *out)
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

HOL_INLINE void own6(const hol_recursion *r, int j, hol_inertia6 *I)
{
    static const hol_inertia6 none;
    *I = none;
    I->A[0] = I->A[3] = I->A[5] = r->body6[j].m;
    for (int i = 0; i < 6; i++) I->C[i] = r->frame6[j].J[i];
}

HOL_INLINE void own3(const hol_recursion *r, int j, double *I)
{
    I[0] = I[3] = r->body3[j].m;
    I[1] = I[2] = I[4] = 0;
    I[5] = r->body3[j].J;
}

HOL_INLINE double dot(int d, const double *a, const double *b)
{
    double s = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    if (d == 6) s += a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
    return s;
}

// ---- one body ---------------------------------------------------------------------------------------------------

// Lower Cholesky factor of the (f x f) matrix D inverted into L; false: not positive.
HOL_INLINE bool invert_factor(const int f, double *D, double *L)
{
    bool positive = true;
    for (int i = 0; i < f; i++) {
        const double before = D[i * f + i];
        double p = before;
        for (int k = 0; k < i; k++) p -= D[i * f + k] * D[i * f + k];
        positive &= p > FREE_OF_INERTIA * before;
        const double inverse = 1 / sqrt(p);
        for (int j = i + 1; j < f; j++) {
            double x = D[j * f + i];
            for (int k = 0; k < i; k++) x -= D[j * f + k] * D[i * f + k];
            D[j * f + i] = x * inverse;
        }
        L[i * f + i] = inverse;
        for (int j = 0; j < i; j++) {
            double x = 0;
            for (int k = j; k < i; k++) x += D[i * f + k] * L[k * f + j];
            L[i * f + j] = -x * inverse;
        }
    }
    return positive;
}

// The father gets P.
HOL_INLINE void give_inertia(hol_recursion *r, const hol_link *l, const int d, const hol_inertia6 *P6,
                             const double *P3)
{
    const int k = l->father;
    if (k < 0) return;
    if (d == 6) {
        hol_inertia6 *to = &r->inertia[k];
        if (l->opens) own6(r, k, to);
        for (int i = 0; i < 6; i++) to->A[i] += P6->A[i];
        for (int i = 0; i < 9; i++) to->H[i] += P6->H[i];
        for (int i = 0; i < 6; i++) to->C[i] += P6->C[i];
    } else {
        double *to = r->inertia3[k];
        if (l->opens) own3(r, k, to);
        for (int i = 0; i < 6; i++) to[i] += P3[i];
    }
}

// On the way in u of a body is the force on it and on what hangs on it, then, that done, alpha. force NULL: none.
// h, given at the father's own point.
HOL_INLINE void give_force(const hol_link *l, const int d, const double *h, const double *force, double *u)
{
    double *to = u + (size_t)d * (size_t)l->father;
    const double *from = l->opens ? (force ? force + (size_t)d * (size_t)l->father : zero6) : to;
    for (int i = 0; i < d; i++) to[i] = from[i] + h[i];
}

// The force on body j that is known when its turn comes.
HOL_INLINE const double *force_on(const hol_link *l, const int d, int j, const double *force, const double *u)
{
    if (!l->leaf) return u + (size_t)d * (size_t)j;
    return force ? force + (size_t)d * (size_t)j : zero6;
}

// Factors of body j, with f directions; its articulated inertia goes to the father.
HOL_INLINE bool factor_link(hol_recursion *r, const hol_link *l, const int d, const int f, int j)
{
    hol_inertia6 *I6 = d == 6 ? &r->inertia[j] : NULL, P6;
    double *I3 = d == 3 ? r->inertia3[j] : NULL, P3[6];
    double *F = r->pool + l->pool, *W = F + d * f, *L = W + d * f;
    double U[36], D[36];
    bool positive = true;
    if (l->leaf) {
        if (d == 6)
            own6(r, j, I6);
        else
            own3(r, j, I3);
    }
    for (int i = 0; i < f; i++) {
        if (d == 6)
            times6(I6, F + d * i, U + d * i);
        else
            times3(I3, F + d * i, U + d * i);
        for (int p = 0; p <= i; p++) D[i * f + p] = dot(d, F + d * p, U + d * i);
    }
    const double *carry = d == 6 ? r->frame6[j].r : r->frame3[j].r;
    if (d == 6)
        P6 = *I6;
    else
        memcpy(P3, I3, sizeof P3);
    if (f == 1) { // one direction: W = U/D, and P is carried while the division is under way
        const double scale = d == 6 ? (I6->A[0] + I6->A[3] + I6->A[5]) * dot(3, F, F) +
                                          (I6->C[0] + I6->C[3] + I6->C[5]) * dot(3, F + 3, F + 3)
                                    : (I3[0] + I3[3]) * (F[0] * F[0] + F[1] * F[1]) + I3[5] * F[2] * F[2];
        double V[HOL_TWIST];
        const double inverse = 1 / D[0];
        positive = D[0] > FREE_OF_INERTIA * scale;
        L[0] = inverse;
        if (l->father < 0) return positive;
        for (int c = 0; c < d; c++) W[c] = U[c] * inverse;
        carry_wrench(d, carry, U, V);
        if (d == 6) {
            carry6(&P6, carry);
            minus_product6(&P6, V, inverse);
        } else {
            carry3(P3, carry);
            minus_product3(P3, V, inverse);
        }
    } else {
        positive &= invert_factor(f, D, L);
        if (l->father < 0) return positive;
        for (int i = 0; i < f; i++)
            for (int c = 0; c < d; c++) {
                double x = 0;
                for (int p = 0; p <= i; p++) x += L[i * f + p] * U[d * p + c];
                W[d * i + c] = x;
            }
        for (int i = 0; i < f; i++)
            if (d == 6)
                minus_product6(&P6, W + d * i, 1);
            else
                minus_product3(P3, W + d * i, 1);
        if (d == 6)
            carry6(&P6, carry);
        else
            carry3(P3, carry);
    }
    give_inertia(r, l, d, &P6, P3);
    return positive;
}

// The force h on body j is known: alpha, and in place of h what the father feels of it.
HOL_INLINE void pass_link(const hol_recursion *r, const hol_link *l, const int d, const int f, int j,
                          double *h, double *alpha)
{
    const double *F = r->pool + l->pool, *W = F + d * f, *L = W + d * f;
    double s[HOL_TWIST];
    for (int i = 0; i < f; i++) s[i] = dot(d, F + d * i, h);
    for (int i = 0; i < f; i++) {
        double x = f == 1 ? s[0] : 0; // of one direction W holds both factors
        for (int p = 0; p <= i && f > 1; p++) x += L[i * f + p] * s[p];
        alpha[i] = x;
    }
    if (l->father < 0) return;
    for (int i = 0; i < f; i++)
        for (int p = 0; p < d; p++) h[p] -= W[d * i + p] * alpha[i];
    carry_wrench(d, d == 6 ? r->frame6[j].r : r->frame3[j].r, h, h);
}

// Pass inwards at body j: what the force leaves free along the joint goes into the room of u, the rest on to
// the father.
HOL_INLINE void apply_link(hol_recursion *r, const hol_link *l, const int d, const int f, int j,
                           const double *force, const double *jump, double *u)
{
    double h[HOL_TWIST], c[HOL_TWIST];
    const double *h0 = force_on(l, d, j, force, u);
    for (int i = 0; i < d; i++) h[i] = h0[i];
    if (jump && f < d) {
        if (d == 6)
            times6(&r->inertia[j], jump + (size_t)d * (size_t)j, c);
        else
            times3(r->inertia3[j], jump + (size_t)d * (size_t)j, c);
        for (int i = 0; i < d; i++) h[i] -= c[i];
    }
    pass_link(r, l, d, f, j, h, u + (size_t)d * (size_t)j);
    if (l->father >= 0) give_force(l, d, h, force, u);
}

// Pass outwards at body j: the father's acceleration carried here, and what the joint adds.
HOL_INLINE void substitute_link(const hol_recursion *r, const hol_link *l, const int d, const int f, int j,
                                const double *jump, double *u)
{
    const double *F = r->pool + l->pool, *W = F + d * f, *L = W + d * f;
    double x[HOL_TWIST], s[HOL_TWIST], *out = u + (size_t)d * (size_t)j;
    const double *alpha = out;
    for (int i = 0; i < f; i++) s[i] = f == 1 ? L[0] * alpha[0] : alpha[i];
    if (l->father >= 0) {
        carry_twist(d, d == 6 ? r->frame6[j].r : r->frame3[j].r, u + (size_t)d * (size_t)l->father, x);
        for (int i = 0; i < f; i++) s[i] -= dot(d, W + d * i, x);
    } else
        for (int i = 0; i < d; i++) x[i] = 0;
    if (jump && f < d)
        for (int i = 0; i < d; i++) x[i] += jump[(size_t)d * (size_t)j + (size_t)i];
    for (int i = 0; i < f; i++) {
        double rate = f == 1 ? s[0] : 0;
        for (int p = i; p < f && f > 1; p++) rate += L[p * f + i] * s[p];
        for (int p = 0; p < d; p++) x[p] += F[d * i + p] * rate;
    }
    for (int i = 0; i < d; i++) out[i] = x[i];
}

// ---- a spherical joint ------------------------------------------------------------------------------------------
//
// About its point, where the body has [A H; H^T C] and the torque tau: with the point's acceleration a
//
//     w = C^-1 (tau - H^T a),   P = A - H C^-1 H^T,   h_k = f - H C^-1 tau - P b
//
// b: the jump of the point. The father feels a force there, no torque.

typedef struct {
    double s[3], K[9], G[6], P[6]; // point in global axes, H C^-1, C^-1
} ball;

// G = C^-1 by cofactors; false: not positive.
HOL_INLINE bool invert_symmetric(const double *C, double *G)
{
    const double a = C[3] * C[5] - C[4] * C[4], b = C[2] * C[4] - C[1] * C[5], c = C[1] * C[4] - C[2] * C[3];
    const double minor = C[0] * C[3] - C[1] * C[1], det = C[0] * a + C[1] * b + C[2] * c, g = 1 / det;
    G[0] = g * a, G[1] = g * b, G[2] = g * c;
    G[3] = g * (C[0] * C[5] - C[2] * C[2]), G[4] = g * (C[1] * C[2] - C[0] * C[4]), G[5] = g * minor;
    return C[0] > 0 && minor > FREE_OF_INERTIA * C[0] * C[3] && det > FREE_OF_INERTIA * minor * C[5];
}

// The articulated inertia of a body on a spherical joint: the rotation is eliminated about the joint's point.
HOL_INLINE bool factor_ball(hol_recursion *r, const hol_link *l, int j)
{
    ball *o = (ball *)(r->pool + l->pool);
    const double *s = o->s, *at = r->frame6[j].r;
    const double back[3] = {-s[0], -s[1], -s[2]}, out[3] = {at[0] + s[0], at[1] + s[1], at[2] + s[2]};
    if (l->leaf) own6(r, j, &r->inertia[j]);
    hol_inertia6 I = r->inertia[j];
    carry6(&I, back);
    const bool positive = invert_symmetric(I.C, o->G);
    for (int i = 0; i < 3; i++) hol_sym3(o->G, I.H + 3 * i, o->K + 3 * i);
    const double *K = o->K, *H = I.H;
    double *P = o->P;
    P[0] = I.A[0] - hol_dot3(K, H), P[1] = I.A[1] - hol_dot3(K, H + 3), P[2] = I.A[2] - hol_dot3(K, H + 6);
    P[3] = I.A[3] - hol_dot3(K + 3, H + 3), P[4] = I.A[4] - hol_dot3(K + 3, H + 6);
    P[5] = I.A[5] - hol_dot3(K + 6, H + 6);
    hol_inertia6 given = {.A = {P[0], P[1], P[2], P[3], P[4], P[5]}};
    carry6(&given, out);
    give_inertia(r, l, 6, &given, NULL);
    return positive;
}

// The jump of the point.
HOL_INLINE void ball_jump(const ball *o, const double *jump, double *b)
{
    hol_cross3(jump + 3, o->s, b);
    for (int i = 0; i < 3; i++) b[i] += jump[i];
}

// As pass_link; b: the jump of the point, or NULL.
HOL_INLINE void pass_ball(const hol_recursion *r, const hol_link *l, int j, const double *b, double *h,
                          double *tau)
{
    const ball *o = (const ball *)(r->pool + l->pool);
    const double *at = r->frame6[j].r, out[3] = {at[0] + o->s[0], at[1] + o->s[1], at[2] + o->s[2]};
    double t[3];
    hol_cross3(o->s, h, t);
    for (int i = 0; i < 3; i++) tau[i] = h[3 + i] - t[i];
    hol_turn3(o->K, tau, t);
    for (int i = 0; i < 3; i++) h[i] -= t[i];
    if (l->father < 0) return;
    if (b) {
        hol_sym3(o->P, b, t);
        for (int i = 0; i < 3; i++) h[i] -= t[i];
    }
    hol_cross3(out, h, h + 3);
}

HOL_INLINE void apply_ball(hol_recursion *r, const hol_link *l, int j, const double *force,
                           const double *jump, double *u)
{
    const double *h0 = force_on(l, 6, j, force, u);
    double h[HOL_TWIST], b[3];
    for (int i = 0; i < 6; i++) h[i] = h0[i];
    if (jump) ball_jump((const ball *)(r->pool + l->pool), jump + 6 * (size_t)j, b);
    pass_ball(r, l, j, jump ? b : NULL, h, u + 6 * (size_t)j); // tau in place of alpha
    if (l->father >= 0) give_force(l, 6, h, force, u);
}

// Pass outwards of a spherical joint.
HOL_INLINE void substitute_ball(const hol_recursion *r, const hol_link *l, int j, const double *jump,
                                double *u)
{
    const ball *o = (const ball *)(r->pool + l->pool);
    const double *K = o->K, *at = r->frame6[j].r;
    const double arm[3] = {at[0] + o->s[0], at[1] + o->s[1], at[2] + o->s[2]};
    double a[3] = {0}, t[3], *out = u + 6 * (size_t)j;
    if (jump) ball_jump(o, jump + 6 * (size_t)j, a);
    if (l->father >= 0) {
        const double *uk = u + 6 * (size_t)l->father;
        hol_cross3(uk + 3, arm, t);
        for (int i = 0; i < 3; i++) a[i] += uk[i] + t[i];
    }
    hol_sym3(o->G, out, out + 3); // out: tau
    for (int i = 0; i < 3; i++) out[3 + i] -= K[i] * a[0] + K[3 + i] * a[1] + K[6 + i] * a[2];
    hol_cross3(out + 3, o->s, t);
    for (int i = 0; i < 3; i++) out[i] = a[i] - t[i];
}

// ---- passes -----------------------------------------------------------------------------------------------------

// Factors and forces of body j, for the number of freedoms f that the compiler knows.
HOL_INLINE bool eliminate_link(hol_recursion *r, const int d, const int f, const int what, int j,
                               const double *force, const double *jump, double *u)
{
    const hol_link *l = &r->link[j];
    bool positive = true;
    if (d == 6 && f == 3 && l->kind == HOL_LINK_SPHERICAL) {
        if (what & FACTOR) positive = factor_ball(r, l, j);
        if (what & APPLY) apply_ball(r, l, j, force, jump, u);
        return positive;
    }
    if (what & FACTOR) positive = factor_link(r, l, d, f, j);
    if (what & APPLY) apply_link(r, l, d, f, j, force, jump, u);
    return positive;
}

// The same for any number of freedoms.
HOL_INLINE bool eliminate_body(hol_recursion *r, const int d, const int what, int j, const double *force,
                               const double *jump, double *u)
{
    switch (r->link[j].dof) {
    case 0: return eliminate_link(r, d, 0, what, j, force, jump, u);
    case 1: return eliminate_link(r, d, 1, what, j, force, jump, u);
    case 2: return eliminate_link(r, d, 2, what, j, force, jump, u);
    case 3: return eliminate_link(r, d, 3, what, j, force, jump, u);
    case 4: return d < 6 || eliminate_link(r, d, 4, what, j, force, jump, u);
    case 5: return d < 6 || eliminate_link(r, d, 5, what, j, force, jump, u);
    default: return d < 6 || eliminate_link(r, d, 6, what, j, force, jump, u);
    }
}

// The pass outwards at a body, by its number of freedoms.
HOL_INLINE void substitute_body(const hol_recursion *r, const int d, int j, const double *jump, double *u)
{
    const hol_link *l = &r->link[j];
    switch (l->dof) {
    case 0: substitute_link(r, l, d, 0, j, jump, u); break;
    case 1: substitute_link(r, l, d, 1, j, jump, u); break;
    case 2: substitute_link(r, l, d, 2, j, jump, u); break;
    case 3:
        if (d == 6 && l->kind == HOL_LINK_SPHERICAL)
            substitute_ball(r, l, j, jump, u);
        else
            substitute_link(r, l, d, 3, j, jump, u);
        break;
    case 4:
        if (d == 6) substitute_link(r, l, d, 4, j, jump, u);
        break;
    case 5:
        if (d == 6) substitute_link(r, l, d, 5, j, jump, u);
        break;
    default:
        if (d == 6) substitute_link(r, l, d, 6, j, jump, u);
    }
}

// A pass over the bodies, for ranges of them.
typedef struct {
    hol_recursion *r;
    int what;
    const double *force, *jump;
    double *u;
    hol_state *x;
    atomic_bool failed; // a pivot was not positive
} pass;

HOL_INLINE void eliminate(pass *o, const int d, const int what, int from, int to)
{
    bool positive = true;
    for (int j = to - 1; j >= from; j--)
        positive &= eliminate_body(o->r, d, what, j, o->force, o->jump, o->u);
    if (!positive) atomic_store(&o->failed, true);
}

// The pass inwards over bodies from .. to - 1, by dimension and by what is to be done.
static void eliminate_range(void *with, int from, int to)
{
    pass *o = with;
    const int all = FACTOR | APPLY;
    if (o->r->d == 6) {
        if (o->what == all)
            eliminate(o, 6, all, from, to);
        else if (o->what == APPLY)
            eliminate(o, 6, APPLY, from, to);
        else
            eliminate(o, 6, FACTOR, from, to);
    } else {
        if (o->what == all)
            eliminate(o, 3, all, from, to);
        else if (o->what == APPLY)
            eliminate(o, 3, APPLY, from, to);
        else
            eliminate(o, 3, FACTOR, from, to);
    }
}

// Names the body whose pivot was not positive.
static hol_status blame(hol_recursion *r)
{
    const hol_model_data *m = r->s->m;
    double sum = 0;
    for (int i = 0; i < m->nq; i++) sum += r->x->q[i] + r->x->v[i];
    for (int j = r->n_bodies - 1; j >= 0; j--) {
        const bool positive = r->d == 6 ? eliminate_body(r, 6, FACTOR, j, NULL, NULL, NULL)
                                        : eliminate_body(r, 3, FACTOR, j, NULL, NULL, NULL);
        if (positive) continue;
        if (!isfinite(sum)) return HOL_RECOVERABLE;
        const hol_body *b = &m->body[r->order[j]];
        return hol_fail_at(
            r->ctx, HOL_ERR_MODEL, b->at,
            "bodies.%s: its joints leave a motion free that nothing resists: neither this body nor "
            "those that hang on it in the tree of joints have inertia there; give it mass and inertia, "
            "or use a sparse solver",
            b->name);
    }
    return HOL_RECOVERABLE;
}

hol_status hol_recursion_factor(hol_recursion *r)
{
    pass o = {.r = r, .what = FACTOR};
    r->size.factors++;
    hol_recursion_inwards(r, eliminate_range, &o);
    return o.failed ? blame(r) : HOL_OK;
}

static void substitute_range(void *with, int from, int to)
{
    const pass *o = with;
    if (o->r->d == 6)
        for (int j = from; j < to; j++) substitute_body(o->r, 6, j, o->jump, o->u);
    else
        for (int j = from; j < to; j++) substitute_body(o->r, 3, j, o->jump, o->u);
}

void hol_recursion_substitute(const hol_recursion *r, const double *jump, double *u)
{
    pass o = {.r = (hol_recursion *)r, .jump = jump, .u = u};
    hol_recursion_outwards(r, substitute_range, &o);
}

hol_status hol_recursion_eliminate(hol_recursion *r, bool factors, const double *f, const double *jump,
                                   double *u)
{
    pass o = {.r = r, .what = (factors ? FACTOR : 0) | APPLY, .force = f, .jump = jump, .u = u};
    r->size.applies++;
    r->size.factors += factors;
    hol_recursion_inwards(r, eliminate_range, &o);
    return o.failed ? blame(r) : HOL_OK;
}

void hol_recursion_apply(hol_recursion *r, const double *f, const double *jump, double *u)
{
    hol_recursion_eliminate(r, false, f, jump, u);
    hol_recursion_substitute(r, jump, u);
}

// n wrenches carried inwards over a body: what they leave along the joint (alpha, z), and the rest at its
// father.
HOL_INLINE void carry_rows(const hol_recursion *r, const int d, const int f, const int n,
                           const hol_carried *o)
{
    const hol_link *l = &r->link[o->j];
    const bool spherical = d == 6 && f == 3 && l->kind == HOL_LINK_SPHERICAL;
    const double *pool = r->pool + l->pool, inverse = f == 1 ? pool[2 * d] : 1;
    double *restrict h = o->h, *restrict alpha = o->alpha, *restrict z = o->z, *restrict above = o->above;
    for (int i = 0; i < n; i++, h += d) {
        double a[HOL_TWIST], b[HOL_TWIST], g[HOL_TWIST];
        for (int c = 0; c < d; c++) g[c] = h[c];
        if (spherical) {
            const ball *joint = (const ball *)pool;
            pass_ball(r, l, o->j, NULL, g, a);
            hol_sym3(joint->G, a, b);
            for (int c = 0; c < 3; c++) h[c] = g[c]; // acts on the point's jump
            hol_cross3(joint->s, g, h + 3);
        } else {
            pass_link(r, l, d, f, o->j, g, a);
            for (int p = 0; p < f; p++) b[p] = inverse * a[p];
        }
        for (int p = 0; p < f; p++) alpha[p * n + i] = a[p], z[p * n + i] = b[p];
        if (l->father < 0) continue;
        double *sum = above + d * o->to[i];
        for (int c = 0; c < d; c++) sum[c] += g[c];
    }
}

// Most often one direction and the rows of a point.
HOL_INLINE void carry_link(const hol_recursion *r, const int d, const int f, const hol_carried *o)
{
    if (f == 1 && o->n == 2)
        carry_rows(r, d, f, 2, o);
    else if (f == 1 && o->n == 3)
        carry_rows(r, d, f, 3, o);
    else
        carry_rows(r, d, f, o->n, o);
}

static void carry_planar(const hol_recursion *r, const hol_carried *o)
{
    switch (r->link[o->j].dof) {
    case 0: carry_link(r, 3, 0, o); break;
    case 1: carry_link(r, 3, 1, o); break;
    case 2: carry_link(r, 3, 2, o); break;
    default: carry_link(r, 3, 3, o);
    }
}

// The same in space, by the number of freedoms.
static void carry_spatial(const hol_recursion *r, const hol_carried *o)
{
    switch (r->link[o->j].dof) {
    case 0: carry_link(r, 6, 0, o); break;
    case 1: carry_link(r, 6, 1, o); break;
    case 2: carry_link(r, 6, 2, o); break;
    case 3: carry_link(r, 6, 3, o); break;
    case 4: carry_link(r, 6, 4, o); break;
    case 5: carry_link(r, 6, 5, o); break;
    default: carry_link(r, 6, 6, o);
    }
}

void hol_recursion_carry(const hol_recursion *r, const hol_carried *o)
{
    if (r->d == 6)
        carry_spatial(r, o);
    else
        carry_planar(r, o);
}

hol_status hol_recursion_factor_apply(hol_recursion *r, const double *f, const double *jump, double *u)
{
    const hol_status st = hol_recursion_eliminate(r, true, f, jump, u);
    if (!st) hol_recursion_substitute(r, jump, u);
    return st;
}

// ---- everything in two passes -----------------------------------------------------------------------------------

// Frames and joints on the way in: a body's frame is there before its first child is eliminated.
HOL_INLINE void set_and_eliminate(pass *o, const int d, int from, int to)
{
    hol_recursion *r = o->r;
    bool positive = true;
    for (int j = to - 1; j >= from; j--) {
        const hol_link *l = &r->link[j];
        if (d == 6) {
            if (l->leaf) frame6(r, o->x, j);
            if (l->opens) frame6(r, o->x, l->father);
            joint6(r, o->x, j);
        } else {
            if (l->leaf) frame3(r, o->x, j);
            if (l->opens) frame3(r, o->x, l->father);
            joint3(r, o->x, j);
        }
        positive &= eliminate_body(r, d, FACTOR | APPLY, j, r->f, r->jump, r->u);
    }
    if (!positive) atomic_store(&o->failed, true);
}

static void fall_range(void *with, int from, int to)
{
    pass *o = with;
    if (o->r->d == 6)
        set_and_eliminate(o, 6, from, to);
    else
        set_and_eliminate(o, 3, from, to);
}

// The pass outwards, with accelerations of the coordinates written as each body has its own.
HOL_INLINE void substitute_accelerations(const pass *o, const int d, int from, int to)
{
    const hol_recursion *r = o->r;
    for (int j = from; j < to; j++) {
        substitute_body(r, d, j, r->jump, r->u);
        if (d == 6)
            acceleration6(r, j, r->u, o->x);
        else
            acceleration3(r, j, r->u, o->x);
    }
}

static void accelerate_range(void *with, int from, int to)
{
    const pass *o = with;
    if (o->r->d == 6)
        substitute_accelerations(o, 6, from, to);
    else
        substitute_accelerations(o, 3, from, to);
}

static hol_status accelerate(pass *o)
{
    hol_recursion *r = o->r;
    r->size.factors++;
    r->size.applies++;
    if (o->failed) return blame(r);
    hol_recursion_outwards(r, accelerate_range, o);
    return HOL_OK;
}

hol_status hol_recursion_fall(hol_recursion *r, hol_state *x)
{
    pass o = {.r = r, .x = x};
    r->x = x;
    hol_recursion_inwards(r, fall_range, &o);
    return accelerate(&o);
}

hol_status hol_recursion_solve_accelerations(hol_recursion *r, hol_state *x)
{
    pass o = {.r = r, .what = FACTOR | APPLY, .force = r->f, .jump = r->jump, .u = r->u, .x = x};
    hol_recursion_inwards(r, eliminate_range, &o);
    return accelerate(&o);
}
