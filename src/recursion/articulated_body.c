// The articulated-body algorithm (ABA; Featherstone 2008): a backward pass from the leaves to the roots, which makes
// articulated inertias and the forces on them, and a forward pass, which makes accelerations. docs/theory.md, section 14.3.
//
//     u_j = X u_k + F s + jump,   P = I - W W^T,   W = I F L^-T,   L L^T = F^T I F
//     I_k += X^T P X,   h = h_j - I jump,   alpha = L^-1 F^T h,   h_k += X^T (h - W alpha)
//     s = L^-T (alpha - W^T X u_k)
//
// and for one direction W = I F / D, D = F^T I F, which saves the root. A rotor of the inertia J with c'' = n.(u_j - X u_k) + bent
// adds J (F^T n)(F^T n)^T to F^T I F and -J (F^T n)(n.jump) to F^T h, here alone (rotors.c); where it turns with the body that carries it,
// I F has k axis (F^T n)^T more in W (14.8b).
//
// with I the articulated inertia of a body, h the force on it, k its father. Sizes are constants to the compiler.
#include "recursion/kinematics.h"

#include <stdatomic.h>

enum { FACTOR = 1, APPLY = 2 };
#define FREE_OF_INERTIA 1e-13 // a pivot this small against its terms: nothing resists

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
HOL_INLINE void give_inertia(hol_tree *r, const hol_link *l, const int d, const hol_articulated *P)
{
    const int k = l->father;
    if (k < 0) return;
    hol_articulated *to = inertia_of(r, d, k);
    if (l->opens) inertia_own(r, d, k, to);
    inertia_add(d, P, to);
}

// On the way in u of a body is the force on it and on what hangs on it, then, that done, alpha. force NULL: none.
// h, given at the father's own point.
HOL_INLINE void give_force(const hol_link *l, const int d, const double *h, const double *force, double *u)
{
    double *to = u + (size_t)d * (size_t)l->father;
    const double *from = l->opens ? (force ? force + (size_t)d * (size_t)l->father : hol_zero6) : to;
    for (int i = 0; i < d; i++) to[i] = from[i] + h[i];
}

// The force on body j that is known when its turn comes.
HOL_INLINE const double *force_on(const hol_link *l, const int d, int j, const double *force, const double *u)
{
    if (!l->leaf) return u + (size_t)d * (size_t)j;
    return force ? force + (size_t)d * (size_t)j : hol_zero6;
}

// A rotor that turns with the body that carries it, (14.8b): to U = I F, and where the link itself carries it to D.
HOL_INLINE void spin_factor(const hol_rotor *o, const int d, const int f, const double *F, double *U,
                            double *D)
{
    double own[HOL_TWIST];
    for (int i = 0; i < f; i++) {
        own[i] = o->owned ? o->spin * dot_product(d, F + d * i, o->axis) : 0;
        for (int p = 0; p <= i; p++) D[i * f + p] += own[i] * o->along[p] + o->along[i] * own[p];
        for (int c = 0; c < d; c++) U[d * i + c] += o->spin * o->along[i] * o->axis[c];
    }
}

// What the rotors of link j add to U = I F and to D = F^T I F, (14.8a).
HOL_INLINE void gear_factor(hol_tree *r, const int d, const int f, int j, const double *F, double *U,
                            double *D)
{
    for (int k = r->first_rotor[j]; k < r->first_rotor[j + 1]; k++) {
        hol_rotor *o = &r->rotor[k];
        for (int i = 0; i < f; i++) {
            o->along[i] = dot_product(d, F + d * i, o->n);
            for (int p = 0; p <= i; p++) D[i * f + p] += o->inertia * o->along[i] * o->along[p];
        }
        if (o->spin != 0) spin_factor(o, d, f, F, U, D);
    }
}

// And what they take from F^T h, and from h, where the joint jumps. A father that carries the rotor feels of h what F does not.
HOL_INLINE void gear_jump(const hol_tree *r, const int d, const int f, int j, const double *jump,
                          double *held, double *h)
{
    for (int i = 0; i < f; i++) held[i] = 0;
    for (int k = r->first_rotor[j]; k < r->first_rotor[j + 1]; k++) {
        const hol_rotor *o = &r->rotor[k];
        const double *F = r->pool + r->link[j].pool, by = dot_product(d, o->n, jump);
        double moved = o->inertia * by;
        if (o->spin != 0 && o->owned) moved += o->spin * dot_product(d, o->axis, jump);
        for (int i = 0; i < f; i++) held[i] += moved * o->along[i];
        if (o->spin == 0) continue;
        for (int i = 0; i < d; i++) h[i] -= o->spin * by * o->axis[i];
        for (int i = 0; i < f && !o->owned; i++) held[i] -= o->spin * by * dot_product(d, F + d * i, o->axis);
    }
}

// Factors of body j, with f directions; its articulated inertia goes to the father.
HOL_INLINE bool factor_link(hol_tree *r, const hol_link *l, const int d, const int f, const bool geared,
                            int j)
{
    const double *reach = HOL_OF(r, d, frame, j, r);
    hol_articulated *I = inertia_of(r, d, j), P;
    double *F = r->pool + l->pool, *W = F + d * f, *L = W + d * f, U[36], D[36], V[HOL_TWIST];
    bool positive = true;
    if (l->leaf) inertia_own(r, d, j, I);
    for (int i = 0; i < f; i++) {
        inertia_times(d, I, F + d * i, U + d * i);
        for (int p = 0; p <= i; p++) D[i * f + p] = dot_product(d, F + d * p, U + d * i);
    }
    if (geared) gear_factor(r, d, f, j, F, U, D);
    inertia_copy(d, I, &P);
    if (f == 1) { // one direction: W = U/D, and P is carried while the division is under way
        const double inverse = 1 / D[0];
        positive = D[0] > FREE_OF_INERTIA * inertia_scale(d, I, F);
        L[0] = inverse;
        if (l->father < 0) return positive;
        for (int c = 0; c < d; c++) W[c] = U[c] * inverse;
        carry_wrench(d, reach, U, V);
        inertia_carry(d, &P, reach);
        inertia_minus(d, &P, V, inverse);
    } else {
        positive &= invert_factor(f, D, L);
        if (l->father < 0) return positive;
        for (int i = 0; i < f; i++)
            for (int c = 0; c < d; c++) {
                double x = 0;
                for (int p = 0; p <= i; p++) x += L[i * f + p] * U[d * p + c];
                W[d * i + c] = x;
            }
        for (int i = 0; i < f; i++) inertia_minus(d, &P, W + d * i, 1);
        inertia_carry(d, &P, reach);
    }
    give_inertia(r, l, d, &P);
    return positive;
}

// The force h on body j is known: alpha, and in place of h what the father feels of it. held (f): what rotors take of F^T h; NULL: 0.
HOL_INLINE void pass_link(const hol_tree *r, const hol_link *l, const int d, const int f, int j,
                          const double *held, double *h, double *alpha)
{
    const double *F = r->pool + l->pool, *W = F + d * f, *L = W + d * f;
    double s[HOL_TWIST];
    for (int i = 0; i < f; i++) s[i] = dot_product(d, F + d * i, h);
    for (int i = 0; i < f && held; i++) s[i] -= held[i];
    for (int i = 0; i < f; i++) {
        double x = f == 1 ? s[0] : 0; // of one direction W holds both factors
        for (int p = 0; p <= i && f > 1; p++) x += L[i * f + p] * s[p];
        alpha[i] = x;
    }
    if (l->father < 0) return;
    for (int i = 0; i < f; i++)
        for (int p = 0; p < d; p++) h[p] -= W[d * i + p] * alpha[i];
    carry_wrench(d, HOL_OF(r, d, frame, j, r), h, h);
}

// Pass inwards at body j: what the force leaves free along the joint goes into the room of u, the rest on to
// the father.
HOL_INLINE void apply_link(hol_tree *r, const hol_link *l, const int d, const int f, const bool geared, int j,
                           const double *force, const double *jump, double *u)
{
    double h[HOL_TWIST], c[HOL_TWIST], held[HOL_TWIST];
    const bool holds = geared && jump;
    const double *h0 = force_on(l, d, j, force, u);
    for (int i = 0; i < d; i++) h[i] = h0[i];
    if (jump && f < d) {
        inertia_times(d, inertia_of(r, d, j), jump + (size_t)d * (size_t)j, c);
        for (int i = 0; i < d; i++) h[i] -= c[i];
    }
    if (holds) gear_jump(r, d, f, j, jump + (size_t)d * (size_t)j, held, h);
    pass_link(r, l, d, f, j, holds ? held : NULL, h, u + (size_t)d * (size_t)j);
    if (l->father >= 0) give_force(l, d, h, force, u);
}

// Pass outwards at body j: the father's acceleration carried here, and what the joint adds.
HOL_INLINE void forward_link(const hol_tree *r, const hol_link *l, const int d, const int f, int j,
                             const double *jump, double *u)
{
    const double *F = r->pool + l->pool, *W = F + d * f, *L = W + d * f;
    double x[HOL_TWIST], s[HOL_TWIST], *out = u + (size_t)d * (size_t)j;
    const double *alpha = out;
    for (int i = 0; i < f; i++) s[i] = f == 1 ? L[0] * alpha[0] : alpha[i];
    if (l->father >= 0) {
        carry_twist(d, HOL_OF(r, d, frame, j, r), u + (size_t)d * (size_t)l->father, x);
        for (int i = 0; i < f; i++) s[i] -= dot_product(d, W + d * i, x);
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
HOL_INLINE bool factor_ball(hol_tree *r, const hol_link *l, int j)
{
    ball *o = (ball *)(r->pool + l->pool);
    const double *s = o->s, *at = r->frame6[j].r;
    const double back[3] = {-s[0], -s[1], -s[2]}, out[3] = {at[0] + s[0], at[1] + s[1], at[2] + s[2]};
    hol_articulated *own = inertia_of(r, 6, j), I;
    if (l->leaf) inertia_own(r, 6, j, own);
    I = *own;
    inertia_carry(6, &I, back);
    const bool positive = invert_symmetric(I.C, o->G);
    for (int i = 0; i < 3; i++) hol_sym3(o->G, I.H + 3 * i, o->K + 3 * i);
    const double *K = o->K, *H = I.H;
    double *P = o->P;
    P[0] = I.A[0] - hol_dot3(K, H), P[1] = I.A[1] - hol_dot3(K, H + 3), P[2] = I.A[2] - hol_dot3(K, H + 6);
    P[3] = I.A[3] - hol_dot3(K + 3, H + 3), P[4] = I.A[4] - hol_dot3(K + 3, H + 6);
    P[5] = I.A[5] - hol_dot3(K + 6, H + 6);
    hol_articulated given = {.A = {P[0], P[1], P[2], P[3], P[4], P[5]}};
    inertia_carry(6, &given, out);
    give_inertia(r, l, 6, &given);
    return positive;
}

// The jump of the point.
HOL_INLINE void ball_jump(const ball *o, const double *jump, double *b)
{
    hol_cross3(jump + 3, o->s, b);
    for (int i = 0; i < 3; i++) b[i] += jump[i];
}

// As pass_link; b: the jump of the point, or NULL.
HOL_INLINE void pass_ball(const hol_tree *r, const hol_link *l, int j, const double *b, double *h,
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

HOL_INLINE void apply_ball(hol_tree *r, const hol_link *l, int j, const double *force, const double *jump,
                           double *u)
{
    const double *h0 = force_on(l, 6, j, force, u);
    double h[HOL_TWIST], b[3];
    for (int i = 0; i < 6; i++) h[i] = h0[i];
    if (jump) ball_jump((const ball *)(r->pool + l->pool), jump + 6 * (size_t)j, b);
    pass_ball(r, l, j, jump ? b : NULL, h, u + 6 * (size_t)j); // tau in place of alpha
    if (l->father >= 0) give_force(l, 6, h, force, u);
}

// Pass outwards of a spherical joint.
HOL_INLINE void forward_ball(const hol_tree *r, const hol_link *l, int j, const double *jump, double *u)
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

// CALL(f) with the number f of freedoms of a joint as a constant; for other shapes of a link OTHERWISE.
#define FOR_DOF(d, dof, OTHERWISE)                                                                           \
    switch (dof) {                                                                                           \
    case 0: CALL(0); break;                                                                                  \
    case 1: CALL(1); break;                                                                                  \
    case 2: CALL(2); break;                                                                                  \
    case 3: CALL(3); break;                                                                                  \
    case 4:                                                                                                  \
        if (d == 6) CALL(4);                                                                                 \
        break;                                                                                               \
    case 5:                                                                                                  \
        if (d == 6) CALL(5);                                                                                 \
        break;                                                                                               \
    case 6:                                                                                                  \
        if (d == 6) CALL(6);                                                                                 \
        break;                                                                                               \
    default: OTHERWISE;                                                                                      \
    }

// Factors and forces of body j; false: a pivot is not positive.
HOL_INLINE bool backward_joint(hol_tree *r, const int d, const int f, const bool geared, const int what,
                               int j, const double *force, const double *jump, double *u)
{
    const hol_link *l = &r->link[j];
    const bool spherical = d == 6 && f == 3 && !geared && l->kind == HOL_LINK_SPHERICAL;
    bool positive = true;
    if (what & FACTOR) positive = spherical ? factor_ball(r, l, j) : factor_link(r, l, d, f, geared, j);
    if (!(what & APPLY)) return positive;
    if (spherical)
        apply_ball(r, l, j, force, jump, u);
    else
        apply_link(r, l, d, f, geared, j, force, jump, u);
    return positive;
}

// The same where rotors turn with the joint; apart, as what has none would pay for its registers.
static HOL_NOINLINE bool backward_geared(hol_tree *r, const int d, const int what, int j, const double *force,
                                         const double *jump, double *u)
{
    const int f = r->link[j].dof;
    return f == 1 ? backward_joint(r, d, 1, true, what, j, force, jump, u)
                  : backward_joint(r, d, f, true, what, j, force, jump, u);
}

// By the number of the joint's freedoms.
HOL_INLINE bool backward_body(hol_tree *r, const int d, const int what, int j, const double *force,
                              const double *jump, double *u)
{
    bool positive = true;
#define CALL(f) positive = backward_joint(r, d, f, false, what, j, force, jump, u)
    FOR_DOF(d, r->link[j].shape, positive = backward_geared(r, d, what, j, force, jump, u))
#undef CALL
    return positive;
}

HOL_INLINE void forward_joint(const hol_tree *r, const int d, const int f, int j, const double *jump,
                              double *u)
{
    const hol_link *l = &r->link[j];
    if (d == 6 && f == 3 && l->kind == HOL_LINK_SPHERICAL)
        forward_ball(r, l, j, jump, u);
    else
        forward_link(r, l, d, f, j, jump, u);
}

HOL_INLINE void forward_body(const hol_tree *r, const int d, int j, const double *jump, double *u)
{
#define CALL(f) forward_joint(r, d, f, j, jump, u)
    FOR_DOF(d, r->link[j].dof, (void)0)
#undef CALL
}

// A pass over the bodies, for ranges of them.
typedef struct {
    hol_tree *r;
    int what;
    const double *force, *jump;
    double *u;
    hol_state *x;
    atomic_bool failed; // a pivot was not positive
} pass;

HOL_INLINE void backward(pass *o, const int d, const int what, int from, int to)
{
    bool positive = true;
    for (int j = to - 1; j >= from; j--) positive &= backward_body(o->r, d, what, j, o->force, o->jump, o->u);
    if (!positive) atomic_store(&o->failed, true);
}

// The backward pass over bodies from .. to - 1, by dimension and by what is to be done.
HOL_WIDE static void backward_range(void *with, int from, int to)
{
    pass *o = with;
    const int d = o->r->d;
    switch (o->what) {
    case FACTOR: HOL_SIZED(d, backward, o, FACTOR, from, to); break;
    case APPLY: HOL_SIZED(d, backward, o, APPLY, from, to); break;
    default: HOL_SIZED(d, backward, o, FACTOR | APPLY, from, to);
    }
}

// Has the body, without others, inertia in all directions?
static bool has_inertia(const hol_tree *r, int j)
{
    if (r->d == 3) return r->body3[j].m > 0 && r->body3[j].J > 0;
    const double *J = r->body6[j].J, minor = J[0] * J[4] - J[1] * J[3];
    const double det = J[2] * (J[3] * J[7] - J[4] * J[6]) - J[5] * (J[0] * J[7] - J[1] * J[6]) + J[8] * minor;
    return r->body6[j].m > 0 && J[0] > 0 && minor > 0 && det > 0;
}

// Names the body whose pivot was not positive. One that has inertia is not at fault: its state is none, as where steps are unstable.
static hol_status diagnose(hol_tree *r)
{
    const hol_model_data *m = r->s->m;
    double sum = 0;
    for (int i = 0; i < m->nq; i++) sum += r->x->q[i] + r->x->v[i];
    for (int j = r->n_bodies - 1; j >= 0; j--) {
        if (HOL_SIZED(r->d, backward_body, r, FACTOR, j, NULL, NULL, NULL)) continue;
        if (!isfinite(sum) || has_inertia(r, j)) return HOL_RECOVERABLE;
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

hol_status hol_tree_factor(hol_tree *r)
{
    pass o = {.r = r, .what = FACTOR};
    r->size.factors++;
    hol_tree_inwards(r, backward_range, &o);
    return o.failed ? diagnose(r) : HOL_OK;
}

HOL_INLINE void forward(const pass *o, const int d, int from, int to)
{
    for (int j = from; j < to; j++) forward_body(o->r, d, j, o->jump, o->u);
}
HOL_RANGE(forward, pass)

void hol_tree_forward(const hol_tree *r, const double *jump, double *u)
{
    pass o = {.r = (hol_tree *)r, .jump = jump, .u = u};
    hol_tree_outwards(r, forward_range, &o);
}

hol_status hol_tree_backward(hol_tree *r, bool factors, const double *f, const double *jump, double *u)
{
    pass o = {.r = r, .what = (factors ? FACTOR : 0) | APPLY, .force = f, .jump = jump, .u = u};
    r->size.applies++;
    r->size.factors += factors;
    hol_tree_inwards(r, backward_range, &o);
    return o.failed ? diagnose(r) : HOL_OK;
}

void hol_tree_apply(hol_tree *r, const double *f, const double *jump, double *u)
{
    hol_tree_backward(r, false, f, jump, u);
    hol_tree_forward(r, jump, u);
}

// n wrenches carried inwards over a body: what they leave along the joint (alpha, z), and the rest at its
// father.
HOL_INLINE void carry_rows(const hol_tree *r, const int d, const int f, const int n, const hol_carried *o)
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
            pass_link(r, l, d, f, o->j, NULL, g, a);
            for (int p = 0; p < f; p++) b[p] = inverse * a[p];
        }
        for (int p = 0; p < f; p++) alpha[p * n + i] = a[p], z[p * n + i] = b[p];
        if (l->father < 0) continue;
        double *sum = above + d * o->to[i];
        for (int c = 0; c < d; c++) sum[c] += g[c];
    }
}

// Most often one direction and the rows of a point.
HOL_INLINE void carry_link(const hol_tree *r, const int d, const int f, const hol_carried *o)
{
    if (f == 1 && o->n == 2)
        carry_rows(r, d, f, 2, o);
    else if (f == 1 && o->n == 3)
        carry_rows(r, d, f, 3, o);
    else
        carry_rows(r, d, f, o->n, o);
}

HOL_INLINE void carry_body(const hol_tree *r, const int d, const hol_carried *o){
#define CALL(f) carry_link(r, d, f, o)
    FOR_DOF(d, r->link[o->j].dof, (void)0)
#undef CALL
}

HOL_WIDE static void carry_over(const hol_tree *r, const hol_carried *o)
{
    HOL_SIZED(r->d, carry_body, r, o);
}

void hol_tree_carry(const hol_tree *r, const hol_carried *o) { carry_over(r, o); }

// ---- everything in two passes -----------------------------------------------------------------------------------

// Frames and joints on the way in: a body's frame is there before its first child is eliminated.
HOL_INLINE void place_and_go_backward(pass *o, const int d, int from, int to)
{
    hol_tree *r = o->r;
    bool positive = true;
    for (int j = to - 1; j >= from; j--) {
        const hol_link *l = &r->link[j];
        if (l->leaf) place_frame(r, d, o->x, j);
        if (l->opens) place_frame(r, d, o->x, l->father);
        place_joint(r, d, o->x, j);
        positive &= backward_body(r, d, FACTOR | APPLY, j, r->f, r->jump, r->u);
    }
    if (!positive) atomic_store(&o->failed, true);
}
HOL_RANGE(place_and_go_backward, pass)

// The forward pass, with accelerations of the coordinates written as each body has its own.
HOL_INLINE void forward_accelerations(const pass *o, const int d, int from, int to)
{
    for (int j = from; j < to; j++) {
        forward_body(o->r, d, j, o->r->jump, o->r->u);
        set_acceleration(o->r, d, j, o->r->u, o->x);
    }
}
HOL_RANGE(forward_accelerations, pass)

static hol_status accelerate(pass *o)
{
    hol_tree *r = o->r;
    r->size.factors++;
    r->size.applies++;
    if (o->failed) return diagnose(r);
    hol_tree_outwards(r, forward_accelerations_range, o);
    return HOL_OK;
}

hol_status hol_tree_solve_unforced(hol_tree *r, hol_state *x)
{
    pass o = {.r = r, .x = x};
    r->x = x;
    hol_tree_inwards(r, place_and_go_backward_range, &o);
    return accelerate(&o);
}

hol_status hol_tree_solve(hol_tree *r, hol_state *x)
{
    pass o = {.r = r, .what = FACTOR | APPLY, .force = r->f, .jump = r->jump, .u = r->u, .x = x};
    hol_tree_inwards(r, backward_range, &o);
    return accelerate(&o);
}
