// All joints cut, rows of any kind: the matrix D M^-1 D^T filled from tables of D and M^-1 D^T (15.12), and solutions
// with its factors. docs/theory.md, section 15.9.
#include "recursion/joint_matrix_data.h"

#include <math.h>
#include <string.h>

void hol_joint_matrix_place(hol_joint_matrix *o)
{
    const hol_tree *r = o->r;
    for (int j = 0; j < r->n_bodies && r->d == 6; j++) { // in the plane they are constant
        double *G = o->inverse + HOL_SPACE * (size_t)j;
        G[0] = hol_inverse_mass(r, 6, j, G + 1);
    }
}

// Rows of points: -+[I -arm~]
HOL_INLINE void expand(const hol_tree *r, const int d, const hol_loop_element *l, hol_joint_table *t)
{
    memset(t->own, 0, (size_t)(l->rows * t->step) * sizeof *t->own);
    for (int b = 0; b < 2; b++)
        if (l->end[b] >= 0)
            point_rows(d, b ? 1 : -1, r->D + l->D + hol_point_size(d) * b, t->step, t->own + d * b);
}

// D and M^-1 D^T of every row at every body.
HOL_INLINE void fill_tables(hol_joint_matrix *o, const int d, int begin, int end)
{
    const hol_tree *r = o->r;
    for (int k = begin; k < end; k++) {
        const hol_loop_element *l = &r->loop[k];
        hol_joint_table *t = &o->table[k];
        if (l->point) expand(r, d, l, t);
        for (int b = 0; b < hol_bodies_of(r, l); b++) {
            const int j = hol_body_of(r, l, b);
            if (j < 0) continue;
            const double *G = o->inverse + (size_t)(hol_inverse_size(r) * j), *D = t->D + d * b;
            double *T = t->T + d * b;
            for (int i = 0; i < l->rows; i++, D += t->step, T += t->step) inverse_times(d, G[0], G + 1, D, T);
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
            const double x = dot_product(d, T, D);
            to[i * columns + c] = added ? to[i * columns + c] + x : x;
        }
    }
}

// Those before `end` among the values.
HOL_INLINE void set_meetings(hol_joint_matrix_progress *p, const bool added, size_t end, double *value)
{
    const hol_joint_matrix *o = p->joints;
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

int hol_joint_matrix_factor(hol_joint_matrix *o, double *x)
{
    hol_joint_matrix_progress p = {.joints = o, .hinge = o->arms.hinge};
    if (o->points) {
        p.crossing[0] = o->arms.crossing, p.crossing[1] = o->arms.crossing + o->n_first;
    } else {
        p.meeting[0] = o->meeting, p.meeting[1] = o->meeting + o->n_first;
        HOL_SIZED(o->r->d, fill_tables, o, 0, o->r->n_loop_elements);
    }
    return hol_blocks_factor(o->A, o->points ? hol_arms_set : set_rows, &p, x);
}

void hol_joint_matrix_solve(const hol_joint_matrix *o, double *x) { hol_blocks_solve(o->A, x); }
void hol_joint_matrix_solve_back(const hol_joint_matrix *o, double *x) { hol_blocks_solve_back(o->A, x); }

HOL_INLINE void move(const hol_joint_matrix *o, const int d, double *f)
{
    const double *G = o->inverse, *end = f + o->r->size.n;
    double u[6];
    for (; f < end; f += d, G += hol_inverse_size(o->r)) {
        inverse_times(d, G[0], G + 1, f, u);
        memcpy(f, u, (size_t)d * sizeof *u);
    }
}

void hol_joint_matrix_move(const hol_joint_matrix *o, double *f) { HOL_SIZED(o->r->d, move, o, f); }

void hol_joint_matrix_prepare(hol_joint_matrix *o, const hol_state *x, bool bias, double *b)
{
    double *u = o->r->f;
    if (o->points) {
        hol_arms_prepare(o, x, bias, u, b);
        return;
    }
    hol_tree_set(o->r, x);
    hol_joint_matrix_place(o);
    hol_joint_matrix_move(o, u);
    hol_tree_bend_loops(o->r, x, u, b);
}

// u -= M^-1 D^T d.
HOL_INLINE void take_rows(const hol_joint_matrix *o, const int width, const double *d, double *u)
{
    const hol_tree *r = o->r;
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

bool hol_joint_matrix_put(const hol_joint_matrix *o, const double *u, hol_state *x)
{
    if (!all_finite(o->r->size.n, u)) return false;
    hol_tree_put_accelerations(o->r, u, x);
    return true;
}

bool hol_joint_matrix_take(const hol_joint_matrix *o, const double *d, double *u, hol_state *x)
{
    if (o->points) return hol_arms_take(o, d, u, x);
    HOL_SIZED(o->r->d, take_rows, o, d, u);
    return !x || hol_joint_matrix_put(o, u, x);
}
