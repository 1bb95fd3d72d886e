// All joints cut, rows of any kind: the matrix D M^-1 D^T filled from tables of D and M^-1 D^T (15.12), and solutions
// with its factors. docs/theory.md, section 15.9.
#include "recursion/joints_data.h"

#include <math.h>
#include <string.h>

void hol_joints_place(hol_joints *o)
{
    const hol_recursion *r = o->r;
    for (int j = 0; j < r->n_bodies && r->d == 6; j++) { // in the plane they are constant
        double *G = o->inverse + HOL_SPACE * (size_t)j;
        G[0] = hol_inverse_mass(r, 6, j, G + 1);
    }
}

// Rows of points: -+[I -arm~]
static void expand(const hol_recursion *r, const hol_loop_element *l, hol_joint_table *t)
{
    const int d = r->d, n = l->rows;
    memset(t->own, 0, (size_t)(n * t->step) * sizeof *t->own);
    for (int b = 0; b < 2; b++) {
        const double *a = r->D + l->D + hol_point_size(d) * b, sign = b ? 1 : -1;
        double *D = t->own + d * b;
        if (l->end[b] < 0) continue;
        for (int i = 0; i < n; i++) D[i * t->step + i] = sign;
        if (d == 3) {
            D[2] = -sign * a[1], D[t->step + 2] = sign * a[0];
            continue;
        }
        D[4] = sign * a[2], D[5] = -sign * a[1];
        D[t->step + 3] = -sign * a[2], D[t->step + 5] = sign * a[0];
        D[2 * t->step + 3] = sign * a[1], D[2 * t->step + 4] = -sign * a[0];
    }
}

HOL_INLINE void weigh(const int d, const double *G, const double *D, double *T)
{
    T[0] = G[0] * D[0], T[1] = G[0] * D[1];
    if (d == 3) {
        T[2] = G[1] * D[2];
        return;
    }
    T[2] = G[0] * D[2];
    hol_sym3(G + 1, D + 3, T + 3);
}

// D and M^-1 D^T of every row at every body.
static void fill_tables(hol_joints *o)
{
    const hol_recursion *r = o->r;
    const int d = r->d;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        hol_joint_table *t = &o->table[k];
        if (l->point) expand(r, l, t);
        for (int b = 0; b < hol_bodies_of(r, l); b++) {
            const int j = hol_body_of(r, l, b);
            if (j < 0) continue;
            const double *G = o->inverse + (size_t)(hol_inverse_size(r) * j), *D = t->D + d * b;
            double *T = t->T + d * b;
            for (int i = 0; i < l->rows; i++, D += t->step, T += t->step)
                if (d == 3)
                    weigh(3, G, D, T);
                else
                    weigh(6, G, D, T);
        }
    }
}

// One meeting: to = or += T D^T, rows by columns.
HOL_INLINE void set_block(const int d, const int rows, const int columns, const bool added,
                          const hol_meeting *m, double *to)
{
    for (int i = 0; i < rows; i++) {
        const double *T = m->left + i * m->step_left;
        for (int c = 0; c < columns; c++) {
            const double *D = m->right + c * m->step_right;
            double x = T[0] * D[0] + T[1] * D[1] + T[2] * D[2];
            if (d == 6) x += T[3] * D[3] + T[4] * D[4] + T[5] * D[5];
            to[i * columns + c] = added ? to[i * columns + c] + x : x;
        }
    }
}

// Those before `end` among the values.
HOL_INLINE void set_meetings(hol_joints_progress *p, const bool added, size_t end, double *value)
{
    const hol_joints *o = p->joints;
    const hol_meeting *m = p->meeting[added], *const last = o->meeting + (added ? o->n_meetings : o->n_first);
    for (; m < last && m->to < end; m++)
        if (o->r->d == 6 && m->rows == 5 && m->columns == 5)
            set_block(6, 5, 5, added, m, value + m->to);
        else if (o->r->d == 6 && m->rows == 3 && m->columns == 3)
            set_block(6, 3, 3, added, m, value + m->to);
        else
            set_block(o->r->d, m->rows, m->columns, added, m, value + m->to);
    p->meeting[added] = m;
}

static void set_rows(void *with, size_t begin, size_t end, double *value)
{
    (void)begin;
    set_meetings(with, false, end, value);
    set_meetings(with, true, end, value);
}

int hol_joints_factor(hol_joints *o, double *x)
{
    hol_joints_progress p = {.joints = o, .hinge = o->arms.hinge};
    if (o->points) {
        p.crossing[0] = o->arms.crossing, p.crossing[1] = o->arms.crossing + o->n_first;
    } else {
        p.meeting[0] = o->meeting, p.meeting[1] = o->meeting + o->n_first;
        fill_tables(o);
    }
    return hol_blocks_factor(o->A, o->points ? hol_arms_set : set_rows, &p, x);
}

void hol_joints_solve(const hol_joints *o, double *x) { hol_blocks_solve(o->A, x); }
void hol_joints_solve_back(const hol_joints *o, double *x) { hol_blocks_solve_back(o->A, x); }

void hol_joints_move(const hol_joints *o, double *f)
{
    const double *G = o->inverse, *end = f + o->r->size.n;
    double u[6];
    if (o->r->d == 3)
        for (; f < end; f += 3, G += HOL_PLANE) weigh(3, G, f, f);
    else
        for (; f < end; f += 6, G += HOL_SPACE) {
            weigh(6, G, f, u);
            memcpy(f, u, sizeof u);
        }
}

void hol_joints_prepare(hol_joints *o, const hol_state *x, bool bias, double *b)
{
    double *u = hol_recursion_forces(o->r);
    if (o->points) {
        hol_arms_prepare(o, x, bias, u, b);
        return;
    }
    hol_recursion_set(o->r, x);
    hol_joints_place(o);
    hol_joints_move(o, u);
    hol_recursion_bend_loops(o->r, x, u, b);
}

// u -= M^-1 D^T d.
HOL_INLINE void take_rows(const hol_joints *o, const int width, const double *d, double *u)
{
    const hol_recursion *r = o->r;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const hol_joint_table *t = &o->table[k];
        for (int b = 0; b < hol_bodies_of(r, l); b++) {
            const int j = hol_body_of(r, l, b);
            if (j < 0) continue;
            const double *T = t->T + width * b;
            double *w = u + (size_t)width * (size_t)j;
            for (int i = 0; i < l->rows; i++, T += t->step)
                for (int c = 0; c < width; c++) w[c] -= T[c] * d[l->first + i];
        }
    }
}

// Two sums that do not wait for each other; 0 x is 0 of what is finite.
static bool all_finite(int n, const double *x)
{
    double even = 0, odd = 0;
    for (int i = 0; i + 1 < n; i += 2) even += 0 * x[i], odd += 0 * x[i + 1];
    return isfinite(even + odd) && (n % 2 == 0 || isfinite(x[n - 1]));
}

bool hol_joints_put(const hol_joints *o, const double *u, hol_state *x)
{
    if (!all_finite(o->r->size.n, u)) return false;
    hol_recursion_put_accelerations(o->r, u, x);
    return true;
}

bool hol_joints_take(const hol_joints *o, const double *d, double *u, hol_state *x)
{
    if (o->points) return hol_arms_take(o, d, u, x);
    if (o->r->d == 3)
        take_rows(o, 3, d, u);
    else
        take_rows(o, 6, d, u);
    return !x || hol_joints_put(o, u, x);
}
