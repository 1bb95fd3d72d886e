// See joints.h.
#include "recursion/joints.h"
#include "linalg/blocks.h"
#include "recursion/data.h"
#include "recursion/frames.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { INVERSE = 7 }; // 1/m; J^-1: one number in the plane, in space xx xy xz yy yz zz in global axes

typedef struct { // two joints of a body, or one with itself: a block of A has T_i D_j^T added
    size_t to;
    const double *left, *right; // of T, of D: rows of the body; in the plane of points their arms
    int rows, columns, step_left, step_right;
    int body;
    double sign; // of points: -1 where the body is the first end of one and the second of the other
} meeting;

typedef struct { // rows of a joint by the twists of its bodies
    const double *D;
    double *T;   // D M^-1
    int step;    // from one row to the next
    double *own; // D of a joint that keeps its arms only; NULL: of an element
} table;

struct hol_joints {
    hol_recursion *r;
    hol_blocks *A;
    bool arms; // in the plane, and all joints hold points: no tables
    int n_meetings;
    meeting *meeting; //                                                                      (n_meetings)
    table *table;     //                                                              (n_loop_elements)
    double *inverse;  //                                                          (INVERSE x n_bodies)
    double *memory;   // of the tables
};

// ---- layout ---------------------------------------------------------------------------------------------------

static int bodies_of(const hol_loop_element *l) { return l->point ? 2 : l->e->n_bodies; }
static int body_of(const hol_recursion *r, const hol_loop_element *l, int b)
{
    return l->point ? l->end[b] : r->place[l->e->body[b]];
}

// The loop elements of every body, (element, which of its bodies) in one number.
typedef struct {
    int *first, *list;
} incidence;

static hol_status list_incidence(hol_context *ctx, const hol_recursion *r, incidence *o)
{
    o->first = hol_calloc(ctx, (size_t)r->n_bodies + 2, sizeof *o->first);
    if (!o->first) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < r->n_loop_elements; k++) {
            const hol_loop_element *l = &r->loop[k];
            for (int b = 0; b < bodies_of(l) && l->rows; b++) {
                const int j = body_of(r, l, b);
                if (j < 0) continue;
                if (pass)
                    o->list[o->first[j + 1]++] = HOL_MAX_BODIES * k + b;
                else
                    o->first[j + 2]++;
            }
        }
        if (pass) break;
        for (int j = 1; j <= r->n_bodies; j++) o->first[j + 1] += o->first[j];
        o->list = hol_calloc(ctx, (size_t)o->first[r->n_bodies + 1] + 1, sizeof *o->list);
        if (!o->list) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

static double count_meetings(const hol_recursion *r, const incidence *at)
{
    double n = 0;
    for (int j = 0; j < r->n_bodies; j++) {
        const double m = at->first[j + 1] - at->first[j];
        n += 0.5 * m * (m + 1);
    }
    return n;
}

static hol_status make_blocks(hol_context *ctx, hol_joints *o, const incidence *at, double most)
{
    const hol_recursion *r = o->r;
    int *size = hol_calloc(ctx, (size_t)r->n_loop_elements + 1, sizeof *size), n = 0;
    int(*pair)[2] = hol_calloc(ctx, (size_t)o->n_meetings + 1, sizeof *pair);
    hol_status st = size && pair ? HOL_OK : HOL_ERR_MEMORY;
    for (int k = 0; k < r->n_loop_elements && !st; k++) size[k] = r->loop[k].rows;
    for (int j = 0; j < r->n_bodies && !st; j++)
        for (int a = at->first[j]; a < at->first[j + 1]; a++)
            for (int b = at->first[j]; b <= a; b++, n++)
                pair[n][0] = at->list[a] / HOL_MAX_BODIES, pair[n][1] = at->list[b] / HOL_MAX_BODIES;
    if (!st) st = hol_blocks_create(ctx, r->n_loop_elements, size, n, (const int(*)[2])pair, most, &o->A);
    hol_free(size);
    hol_free(pair);
    return st;
}

static hol_status make_tables(hol_context *ctx, hol_joints *o)
{
    hol_recursion *r = o->r;
    size_t room = 0;
    o->arms = r->d == 3;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        o->arms = o->arms && l->point;
        room += (size_t)((l->point ? 4 : l->e->n_bodies) * l->rows * r->d);
    }
    o->table = hol_calloc(ctx, (size_t)r->n_loop_elements + 1, sizeof *o->table);
    o->memory = hol_calloc(ctx, (o->arms ? 0 : room) + 1, sizeof *o->memory);
    if (!o->table || !o->memory) return HOL_ERR_MEMORY;
    double *at = o->memory;
    for (int k = 0; k < r->n_loop_elements && !o->arms; k++) {
        const hol_loop_element *l = &r->loop[k];
        const int step = bodies_of(l) * r->d;
        table *t = &o->table[k];
        *t = (table){.D = r->D + l->D, .T = at, .step = step};
        at += l->rows * step;
        if (!l->point) continue;
        t->D = t->own = at;
        at += l->rows * step;
    }
    return HOL_OK;
}

static void meet(hol_joints *o, int j, int a, int b, meeting *m)
{
    const hol_recursion *r = o->r;
    int k[2] = {a / HOL_MAX_BODIES, b / HOL_MAX_BODIES}, end[2] = {a % HOL_MAX_BODIES, b % HOL_MAX_BODIES};
    bool swapped;
    m->to = hol_blocks_place(o->A, k[0], k[1], &swapped);
    const int row = swapped ? 1 : 0, column = 1 - row;
    const hol_loop_element *l = &r->loop[k[row]], *c = &r->loop[k[column]];
    m->body = j;
    m->rows = l->rows, m->columns = c->rows;
    m->sign = end[0] == end[1] ? 1 : -1;
    if (o->arms) {
        m->left = r->D + l->D + 3 * end[row];
        m->right = r->D + c->D + 3 * end[column];
        return;
    }
    const table *t = &o->table[k[row]], *u = &o->table[k[column]];
    m->left = t->T + r->d * end[row], m->step_left = t->step;
    m->right = u->D + r->d * end[column], m->step_right = u->step;
}

static hol_status list_meetings(hol_context *ctx, hol_joints *o, const incidence *at)
{
    int n = 0;
    o->meeting = hol_calloc(ctx, (size_t)o->n_meetings + 1, sizeof *o->meeting);
    if (!o->meeting) return HOL_ERR_MEMORY;
    for (int j = 0; j < o->r->n_bodies; j++)
        for (int a = at->first[j]; a < at->first[j + 1]; a++)
            for (int b = at->first[j]; b <= a; b++) meet(o, j, at->list[a], at->list[b], &o->meeting[n++]);
    return HOL_OK;
}

static bool has_inertia(const hol_recursion *r)
{
    bool all = true;
    for (int j = 0; j < r->n_bodies; j++)
        if (r->d == 3) {
            all &= r->body3[j].m > 0 && r->body3[j].J > 0;
        } else {
            const double *J = r->body6[j].J;
            const double minor = J[0] * J[4] - J[1] * J[3];
            const double det =
                J[8] * minor - J[5] * (J[0] * J[7] - J[1] * J[6]) + J[2] * (J[3] * J[7] - J[4] * J[6]);
            const double trace = J[0] + J[4] + J[8];
            all &= r->body6[j].m > 0 && J[0] > 0 && minor > 0 && det > 1e-12 * trace * trace * trace;
        }
    return all;
}

static hol_status make(hol_context *ctx, hol_joints *o, double most_products)
{
    hol_recursion *r = o->r;
    incidence at = {0};
    hol_status st = list_incidence(ctx, r, &at);
    const double n = st ? 0 : count_meetings(r, &at);
    if (!st && n > fmin(most_products, INT_MAX / 4)) st = HOL_RECOVERABLE;
    if (!st) {
        o->n_meetings = (int)n;
        o->inverse = hol_calloc(ctx, INVERSE * (size_t)r->n_bodies + 1, sizeof *o->inverse);
        st = o->inverse ? make_blocks(ctx, o, &at, most_products) : HOL_ERR_MEMORY;
    }
    if (!st) st = make_tables(ctx, o);
    if (!st) st = list_meetings(ctx, o, &at);
    hol_free(at.first);
    hol_free(at.list);
    for (int j = 0; j < r->n_bodies && !st && r->d == 3; j++) {
        o->inverse[INVERSE * j] = 1 / r->body3[j].m;
        o->inverse[INVERSE * j + 1] = 1 / r->body3[j].J;
    }
    return st;
}

hol_status hol_joints_create(hol_context *ctx, hol_recursion *r, double most_products, hol_joints **out)
{
    *out = NULL;
    if (!has_inertia(r)) return HOL_RECOVERABLE;
    hol_joints *o = hol_calloc(ctx, 1, sizeof *o);
    if (!o) return HOL_ERR_MEMORY;
    o->r = r;
    const hol_status st = make(ctx, o, most_products);
    if (st)
        hol_joints_destroy(o);
    else
        *out = o;
    return st;
}

void hol_joints_destroy(hol_joints *o)
{
    if (!o) return;
    hol_blocks_destroy(o->A);
    void *const arrays[] = {o->meeting, o->table, o->inverse, o->memory, o};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

double hol_joints_operations(const hol_joints *o)
{
    const hol_recursion *r = o->r;
    double rows = 0, blocks = 0;
    if (!r->n_loop_elements) return 0;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const double n = r->loop[k].rows;
        rows += (r->d == 3 ? 25 : 50) * n * n + 3 * n * r->d;
        blocks += 2 * n * n * n + 16;
    }
    return rows + hol_blocks_sizes(o->A)->products * blocks / r->n_loop_elements;
}

// ---- numbers --------------------------------------------------------------------------------------------------

static void invert_masses(hol_joints *o)
{
    const hol_recursion *r = o->r;
    for (int j = 0; j < r->n_bodies; j++) {
        double *G = o->inverse + INVERSE * (size_t)j;
        G[0] = hol_inverse_mass(r, 6, j, G + 1);
    }
}

// Rows of points: -+[I -arm~]
static void expand(const hol_recursion *r, const hol_loop_element *l, table *t)
{
    const int d = r->d, n = l->rows;
    memset(t->own, 0, (size_t)(n * t->step) * sizeof *t->own);
    for (int b = 0; b < 2; b++) {
        const double *a = r->D + l->D + 3 * b, sign = b ? 1 : -1;
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

static void fill_tables(hol_joints *o)
{
    const hol_recursion *r = o->r;
    const int d = r->d;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        table *t = &o->table[k];
        if (l->point) expand(r, l, t);
        for (int b = 0; b < bodies_of(l); b++) {
            const int j = body_of(r, l, b);
            if (j < 0) continue;
            const double *G = o->inverse + INVERSE * (size_t)j, *D = t->D + d * b;
            double *T = t->T + d * b;
            for (int i = 0; i < l->rows; i++, D += t->step, T += t->step)
                if (d == 3)
                    weigh(3, G, D, T);
                else
                    weigh(6, G, D, T);
        }
    }
}

HOL_INLINE void add_block(const int d, const int rows, const int columns, const meeting *m, double *to)
{
    for (int i = 0; i < rows; i++) {
        const double *T = m->left + i * m->step_left;
        for (int c = 0; c < columns; c++) {
            const double *D = m->right + c * m->step_right;
            double x = T[0] * D[0] + T[1] * D[1] + T[2] * D[2];
            if (d == 6) x += T[3] * D[3] + T[4] * D[4] + T[5] * D[5];
            to[i * columns + c] += x;
        }
    }
}

static void add_meetings(const hol_joints *o, double *value)
{
    for (int k = 0; k < o->n_meetings; k++) {
        const meeting *m = &o->meeting[k];
        if (o->r->d == 6 && m->rows == 5 && m->columns == 5)
            add_block(6, 5, 5, m, value + m->to);
        else if (o->r->d == 6 && m->rows == 3 && m->columns == 3)
            add_block(6, 3, 3, m, value + m->to);
        else
            add_block(o->r->d, m->rows, m->columns, m, value + m->to);
    }
}

// +-(I/m + a~ a~^T/J) of two arms in the plane
static void add_arms(const hol_joints *o, double *value)
{
    for (int k = 0; k < o->n_meetings; k++) {
        const meeting *m = &o->meeting[k];
        const double *G = o->inverse + INVERSE * (size_t)m->body, *a = m->left, *b = m->right;
        const double g = m->sign * G[0], w = m->sign * G[1];
        double *to = value + m->to;
        to[0] += g + w * a[1] * b[1], to[1] -= w * a[1] * b[0];
        to[2] -= w * a[0] * b[1], to[3] += g + w * a[0] * b[0];
    }
}

int hol_joints_factor(hol_joints *o)
{
    double *value = hol_blocks_clear(o->A);
    if (o->r->d == 6) invert_masses(o);
    if (o->arms) {
        add_arms(o, value);
    } else {
        fill_tables(o);
        add_meetings(o, value);
    }
    return hol_blocks_factor(o->A);
}

void hol_joints_solve(const hol_joints *o, double *x) { hol_blocks_solve(o->A, x); }

void hol_joints_move(const hol_joints *o, const double *f, double *u)
{
    const hol_recursion *r = o->r;
    for (int j = 0; j < r->n_bodies; j++) {
        const double *G = o->inverse + INVERSE * (size_t)j;
        if (r->d == 3)
            weigh(3, G, f + 3 * j, u + 3 * j);
        else
            weigh(6, G, f + 6 * j, u + 6 * j);
    }
}
