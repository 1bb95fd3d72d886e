// Joints that hold points in the plane: D = +-[I -arm~] of the second body and of the first, by arms alone. Passes go over
// the bodies piece by piece, each with the joints whose bodies are there.
#include "recursion/joint_matrix_data.h"

#include <math.h>

// ---- the matrix ---------------------------------------------------------------------------------------------------

// +-(I/m + a~ b~^T/J) of two arms in the plane
HOL_INLINE void set_crossings(hol_joint_matrix_progress *p, const bool added, size_t end, double *value)
{
    const hol_joint_matrix *o = p->joints;
    const double *D = o->r->D, *inverse = o->inverse;
    const hol_crossing *c = p->crossing[added], *const last =
                                                    o->arms.crossing + (added ? o->n_meetings : o->n_first);
    for (; c < last && c->to < end; c++) {
        const double *a = D + c->left, *b = D + c->right, g = inverse[c->inverse],
                     w = inverse[c->inverse + 1];
        const double x = w * b[0], y = w * b[1], A[4] = {g + a[1] * y, -a[1] * x, -a[0] * y, g + a[0] * x};
        double *to = value + c->to;
        for (int i = 0; i < 4; i++) to[i] = added ? to[i] + A[i] : A[i];
    }
    p->crossing[added] = c;
}

// Diagonal blocks of the joints whose place is before `end`.
HOL_INLINE void set_hinges(hol_joint_matrix_progress *p, size_t end, double *value)
{
    const hol_joint_matrix *o = p->joints;
    const double *D = o->r->D, *inverse = o->inverse;
    const hol_hinge *h = p->hinge, *const last = o->arms.hinge + o->r->n_loop_elements;
    for (; h < last && h->to < end; h++) {
        const double *a = D + h->arms, *b = a + 2, *u = inverse + h->inverse[0], *w = inverse + h->inverse[1];
        const double g = u[0] + w[0], x = u[1] * a[0], y = w[1] * b[0];
        double *to = value + h->to;
        to[0] = g + u[1] * a[1] * a[1] + w[1] * b[1] * b[1];
        to[1] = to[2] = -x * a[1] - y * b[1];
        to[3] = g + x * a[0] + y * b[0];
    }
    p->hinge = h;
}

HOL_WIDE static void set(hol_joint_matrix_progress *p, size_t end, double *value)
{
    set_hinges(p, end, value);
    set_crossings(p, false, end, value);
    set_crossings(p, true, end, value);
}

void hol_arms_set(void *with, size_t begin, size_t end, double *value)
{
    (void)begin;
    set(with, end, value);
}

// ---- accelerations ------------------------------------------------------------------------------------------------

// Rotations and accelerations under weight alone of bodies begin .. end - 1.
HOL_INLINE void fall(const hol_arms *o, const hol_state *x, int begin, int end, double *u)
{
    for (int j = begin; j < end; j++) {
        const hol_falling *body = &o->body[j];
        const double angle = x->q[body->q + 2]; // once: the compiler then takes both functions together
        hol_turn *turn = &o->turn[j];
        turn->c = cos(angle);
        turn->s = sin(angle);
        turn->w = x->v[body->q + 2];
        u[3 * j] = body->fall[0], u[3 * j + 1] = body->fall[1], u[3 * j + 2] = 0;
    }
}

// What `fall` does, of bodies on which forces act: from the recursion's frames.
HOL_INLINE void turn(const hol_joint_matrix *o, int begin, int end)
{
    const hol_tree *r = o->r;
    for (int j = begin; j < end; j++)
        o->arms.turn[j] = (hol_turn){r->frame3[j].R[0], r->frame3[j].R[1], r->nu[3 * j + 2]};
}

// bias: tau is wanted too.
HOL_INLINE void bend(const hol_joint_matrix *o, int k, const bool bias, const double *u, double *b)
{
    const hol_tree *r = o->r;
    const double *s = r->s_loop + 4 * (size_t)k;
    double *arm = hol_arms_of(r, k), turned[2] = {0}, missed[2] = {0};
    for (int i = 0; i < 2; i++, s += 2, arm += 2) {
        const int j = o->arms.end[k][i];
        if (j < 0) continue; // its arm stays 0
        const hol_turn *f = &o->arms.turn[j];
        const double *a = u + 3 * j, sign = i ? 1 : -1, ww = f->w * f->w;
        const double ax = f->c * s[0] - f->s * s[1], ay = f->s * s[0] + f->c * s[1];
        arm[0] = ax, arm[1] = ay;
        turned[0] += sign * ww * ax, turned[1] += sign * ww * ay;
        missed[0] += sign * (a[0] - a[2] * ay), missed[1] += sign * (a[1] + a[2] * ax);
    }
    b[2 * k] = missed[0] - turned[0], b[2 * k + 1] = missed[1] - turned[1];
    if (bias) r->tau[2 * k] = turned[0], r->tau[2 * k + 1] = turned[1];
}

// Frames and arms piece by piece, and what the accelerations of the bodies, each for itself, miss at the joints.
HOL_WIDE static void prepare(hol_joint_matrix *o, const hol_state *x, bool bias, double *u, double *b)
{
    const hol_arms *a = &o->arms;
    const bool forces = hol_tree_is_forced(o->r);
    if (forces) {
        hol_tree_set(o->r, x);
        hol_joint_matrix_move(o, u);
    }
    for (int i = 0, j = 0, k = 0; i < a->n_pieces; i++, j += HOL_PIECE) {
        const int end = j + HOL_PIECE < o->r->n_bodies ? j + HOL_PIECE : o->r->n_bodies;
        if (forces)
            turn(o, j, end);
        else
            fall(a, x, j, end, u);
        if (bias)
            for (; k < a->piece[i].joints; k++) bend(o, k, true, u, b);
        else
            for (; k < a->piece[i].joints; k++) bend(o, k, false, u, b);
    }
    o->r->x = x;
}

void hol_arms_prepare(hol_joint_matrix *o, const hol_state *x, bool bias, double *u, double *b)
{
    prepare(o, x, bias, u, b);
}

// Takes M^-1 D^T d of joint k off the accelerations of its bodies.
HOL_INLINE void take(const hol_joint_matrix *o, int k, const double *d, double *u)
{
    const double *a = hol_arms_of(o->r, k);
    for (int b = 0; b < 2; b++, a += 2) {
        const int j = o->arms.end[k][b];
        if (j < 0) continue;
        const double *G = o->inverse + HOL_PLANE * j;
        const double x = b ? d[2 * k] : -d[2 * k], y = b ? d[2 * k + 1] : -d[2 * k + 1];
        double *w = u + 3 * j;
        w[0] -= G[0] * x, w[1] -= G[0] * y, w[2] -= G[1] * (a[0] * y - a[1] * x);
    }
}

// 0 x is 0 of what is finite.
HOL_WIDE static bool take_all(const hol_joint_matrix *o, const double *d, double *u, hol_state *x)
{
    const hol_arms *a = &o->arms;
    double sum[3] = {0};
    for (int i = 0, j = 0, k = 0; i < a->n_pieces; i++) {
        for (; k < a->piece[i].joints; k++) take(o, k, d, u);
        for (; x && j < a->piece[i].bodies; j++) {
            double *to = x->a + a->body[j].q;
            for (int c = 0; c < 3; c++) to[c] = u[3 * j + c], sum[c] += 0 * u[3 * j + c];
        }
    }
    return isfinite(sum[0] + sum[1] + sum[2]);
}

bool hol_arms_take(const hol_joint_matrix *o, const double *d, double *u, hol_state *x)
{
    return take_all(o, d, u, x);
}
