// Rows of joints in space that hold a point and components of the rotation, in closed form. With the markers' Euler
// parameters Q1, Q2 (primitive.h, TURN) and Q' = omega Q/2,
//
//     s_c  = 2 (conj(Q1) Q2)_c,   s_c' = b_c . (omega2 - omega1),   b_c . w = (conj(Q1) w Q2)_c
//     s_c'' = b_c . (omega2' - omega1') - b_c . (omega1 x omega2) - |omega2 - omega1|^2 s_c/4
//
// docs/theory.md, section 15.9.
#include "recursion/spatial.h"

#include <string.h>

typedef struct {
    const hol_prims *list;
    hol_point at[2];
    double Q[2][4], across[3], slip; // omega1 x omega2, |omega2 - omega1|^2
} ends;

// Both ends of a joint: places, arms, angular velocities and the markers' Euler parameters.
static void set_ends(const hol_tree *r, const hol_state *x, const hol_loop_element *l, ends *o)
{
    static const double still[3];
    const double *w[2];
    const hol_element *e = hol_loop_joint(r, l);
    o->list = e->data;
    for (int i = 0; i < 2; i++) {
        const int j = l->end[i];
        const double *own = hol_marker_quat(e->end[i].marker);
        hol_point_of(r, 6, x, j, r->s_loop + l->s + 3 * i, &o->at[i]);
        w[i] = j < 0 ? still : r->nu + 6 * (size_t)j + 3;
        if (j < 0 || r->link[j].frame == HOL_FRAME_POINT)
            memcpy(o->Q[i], own, sizeof o->Q[i]);
        else
            hol_quat_multiply(x->q + r->link[j].q + 3, own, o->Q[i]);
    }
    hol_cross3(w[0], w[1], o->across);
    o->slip = 0;
    for (int i = 0; i < 3; i++) o->slip += (w[1][i] - w[0][i]) * (w[1][i] - w[0][i]);
}

// Component c of the difference of the points: D of both ends, value and bias.
static void point_row(const ends *o, int c, double D[2][6], double *value, double *tau)
{
    memset(D, 0, 12 * sizeof **D);
    for (int i = 0; i < 2; i++) {
        const double *s = o->at[i].arm, sign = i ? 1 : -1;
        const int y = (c + 1) % 3, z = (c + 2) % 3; // (w x s)_c = w_y s_z - w_z s_y
        D[i][c] = sign;
        D[i][3 + y] = sign * s[z], D[i][3 + z] = -sign * s[y];
    }
    *value = o->at[1].at[c] - o->at[0].at[c];
    *tau = o->at[0].bias[c] - o->at[1].bias[c];
}

static void turn_row(const ends *o, int c, double D[2][6], double *value, double *tau)
{
    const double *P = o->Q[0], *S = o->Q[1], *p = P + 1, *s = S + 1;
    const int y = (c + 1) % 3, z = (c + 2) % 3;
    double *b = D[1] + 3;
    hol_turn_direction(P, S, c, b);
    for (int i = 0; i < 3; i++) D[0][i] = D[1][i] = 0, D[0][3 + i] = -b[i];
    *value = 2 * (P[0] * s[c] - S[0] * p[c] - (p[y] * s[z] - p[z] * s[y]));
    *tau = hol_dot3(b, o->across) + 0.25 * o->slip * *value;
}

void hol_joint_rows(hol_tree *r, const hol_state *x, const hol_loop_element *l)
{
    const hol_element *e = hol_loop_joint(r, l);
    const int width = 6 * e->n_bodies;
    int of[2] = {-1, -1};
    ends o;
    set_ends(r, x, l, &o);
    const bool point = o.list->p[0].kind == HOL_PRIM_POINT; // its three rows come first
    for (int i = 0; i < 2; i++)
        for (int b = 0; b < e->n_bodies; b++)
            if (e->body[b] == e->end[i].body) of[i] = b;
    for (int i = 0; i < l->rows; i++) {
        double both[2][6], *D = r->D + l->D + (size_t)(i * width), rate = 0;
        const int row = l->row[i];
        double *value = &r->theta[l->first + i], *tau = &r->tau[l->first + i];
        if (point && row < 3)
            point_row(&o, row, both, value, tau);
        else
            turn_row(&o, o.list->p[point ? row - 2 : row].axis1, both, value, tau);
        for (int k = 0; k < 2; k++) {
            if (of[k] < 0) continue;
            const double *w = r->nu + 6 * (size_t)l->end[k];
            memcpy(D + 6 * of[k], both[k], sizeof both[k]);
            rate += hol_dot3(both[k], w) + hol_dot3(both[k] + 3, w + 3);
        }
        r->rate[l->first + i] = rate;
    }
}
