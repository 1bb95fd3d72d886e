// Rows of the tree in twists, and the multipliers that go with accelerations: the joint's force on a body is M u - f and what
// its children take, -B^T lam. docs/theory.md, section 14.4.
#include "recursion/kinematics.h"

#include <math.h>
#include <string.h>

// ---- rows -----------------------------------------------------------------------------------------------------

void hol_link_rows(const hol_tree *r, int j, const hol_state *x, double *B, double *value, double *gam,
                   double *time)
{
    const hol_forest *f = r->forest;
    const int body = r->order[j], d = r->d;
    double all[HOL_MAX_ROWS * HOL_MAX_BODIES * HOL_TWIST];
    for (int i = f->first[body]; i < f->first[body + 1]; i++) {
        const hol_element *e = &r->s->m->element[f->tie[i]];
        const int own = e->body[0] == body ? 0 : 1, width = e->n_bodies * d;
        hol_twist_rows(r->s->m, e, x, all, value, gam, time);
        for (int row = 0; row < e->n_rows; row++, B += d)
            memcpy(B, all + row * width + own * d, (size_t)d * sizeof *B);
        if (value) value += e->n_rows;
        if (gam) gam += e->n_rows;
        if (time) time += e->n_rows;
    }
}

// ---- multipliers ----------------------------------------------------------------------------------------------

static const hol_element *tie_of(const hol_tree *r, int j)
{
    return &r->s->m->element[r->forest->tie[r->forest->first[r->order[j]]]];
}

// Euler parameters of the marker at an end of a tie.
static void turned_marker(const hol_tree *r, const hol_end *end, double *Q)
{
    const double *own = hol_marker_quat(end->marker);
    if (end->body < 0)
        memcpy(Q, own, 4 * sizeof *Q);
    else
        hol_quat_multiply(r->x->q + r->s->m->body[end->body].q + 3, own, Q);
}

// The point takes the force; the components of the rotation what is left of the torque, by their directions b.
static void turn_multipliers(const hol_tree *r, int j, const double *h, double *lam)
{
    const hol_link *l = &r->link[j];
    const hol_element *e = tie_of(r, j);
    const hol_prim *turn = ((const hol_prims *)e->data)->p + 1;
    const double sign = l->owns_axis ? 1 : -1; // of the rows by the own twist: opposite
    double Q[2][4], b[3][3], s[3], left[3], across[3], z[3];
    for (int i = 0; i < 2; i++) turned_marker(r, &e->end[i], Q[i]);
    for (int i = 0; i < l->rows - 3; i++) hol_turn_direction(Q[0], Q[1], turn[i].axis1, b[i]);
    hol_turn3(r->frame6[j].R, r->body6[j].s, s);
    hol_cross3(s, h, left);
    for (int i = 0; i < 3; i++) lam[i] = sign * h[i], left[i] = sign * (h[3 + i] - left[i]);
    hol_cross3(b[0], b[1], across);
    if (l->rows < 6) memcpy(b[2], across, sizeof across); // no torque there
    const double det = hol_dot3(across, b[2]);
    for (int i = 3; i < l->rows; i++) {
        hol_cross3(b[(i + 1) % 3], b[(i + 2) % 3], z);
        lam[i] = det != 0 ? hol_dot3(left, z) / det : 0;
    }
}

// h = -B^T lam of link j. A point alone has the rows +-[I -s~].
static void link_multipliers(const hol_tree *r, int j, const double *h, double *lam)
{
    const hol_link *l = &r->link[j];
    const int d = r->d, n = l->rows;
    double B[36], Q[36], R[36], z[HOL_TWIST];
    if (l->kind == point_alone(d)) {
        for (int i = 0; i < n; i++) lam[i] = l->owns_axis ? h[i] : -h[i];
        return;
    }
    if (l->turns) {
        turn_multipliers(r, j, h, lam);
        return;
    }
    hol_link_rows(r, j, r->x, B, NULL, NULL, NULL);
    hol_row_factors(d, n, B, Q, R);
    for (int i = 0; i < n; i++) {
        z[i] = 0;
        for (int c = 0; c < d; c++) z[i] -= Q[i * d + c] * h[c];
    }
    for (int i = n - 1; i >= 0; i--) { // R lam = -Q^T h
        for (int p = i + 1; p < n; p++) z[i] -= R[i * n + p] * lam[p];
        lam[i] = R[i * n + i] != 0 ? z[i] / R[i * n + i] : 0;
    }
}

typedef struct {
    const hol_tree *r;
    const double *f, *u;
    double *carried;
} forces;

HOL_INLINE void missing(const forces *o, const int d, int from, int to)
{
    for (int j = from; j < to; j++) {
        mass_times(o->r, d, j, o->u + d * j, o->carried + d * j);
        for (int i = 0; i < d; i++) o->carried[d * j + i] -= o->f[d * j + i];
    }
}
HOL_RANGE(missing, forces)

// Multipliers of the tree's rows from the forces that arrive at each body, leaves first.
HOL_INLINE void carry(const forces *o, const int d, int from, int to)
{
    const hol_tree *r = o->r;
    for (int j = to - 1; j >= from; j--) {
        const hol_link *l = &r->link[j];
        double *h = o->carried + d * j, *above = o->carried + d * l->father, t[3];
        link_multipliers(r, j, h, r->lam + l->row);
        if (l->father < 0) continue;
        for (int i = 0; i < d; i++) above[i] += h[i];
        moment_of(d, HOL_OF(r, d, frame, j, r), h, t);
        for (int i = hol_point_size(d); i < d; i++) above[i] += t[i - hol_point_size(d)];
    }
}
HOL_RANGE(carry, forces)

// The joint's force on a body is M u - f and what its children take: -B^T lam.
void hol_tree_find_multipliers(hol_tree *r, const double *f, const double *u)
{
    forces o = {r, f, u, r->jump};
    hol_tree_each(r, missing_range, &o);
    hol_tree_take_rotors(r, u, o.carried);
    hol_tree_inwards(r, carry_range, &o);
}

// Multiplier of a normalisation: of M a + Phi_q^T lam = Q the component along p. M p'' has none, but that of rotors has.
void hol_tree_put_normalisations(hol_tree *r, hol_state *x)
{
    const hol_equations *s = r->s;
    if (r->d == 3) return;
    for (int k = 0; k < s->m->n_bodies; k++)
        if (s->m->element[k].n_rows) x->lam[s->active[s->m->element[k].row]] = 0;
    hol_equations_forces(s, x, r->general);
    hol_tree_rotors_inertia(r, x, r->general);
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_body *b = &s->m->body[k];
        const double *p = x->q + b->q, *g = r->general + b->q;
        if (b->frame != HOL_FRAME_SPATIAL) continue;
        double pg = 0, pp = 0;
        for (int i = 3; i < 7; i++) pg += p[i] * g[i], pp += p[i] * p[i];
        x->lam[s->active[s->m->element[k].row]] = -pg / pp;
    }
}

void hol_tree_put_multipliers(const hol_tree *r, const double *mu, hol_state *x)
{
    for (int i = 0; i < r->size.n_tree; i++) x->lam[r->tree_row[i]] = r->lam[i];
    for (int i = 0; i < r->size.n_loops; i++) x->lam[r->loop_row[i]] = mu ? mu[i] : 0;
}

void hol_tree_multipliers(hol_tree *r, const double *mu, hol_state *x)
{
    hol_tree_find_multipliers(r, r->f, r->u);
    hol_tree_put_multipliers(r, mu, x);
}

void hol_tree_loop_multipliers(const hol_tree *r, const hol_state *x, double *mu)
{
    for (int i = 0; i < r->size.n_loops; i++) mu[i] = x->lam[r->loop_row[i]];
}
