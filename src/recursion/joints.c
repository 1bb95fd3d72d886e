// See joints.h.
#include "recursion/joints.h"
#include "linalg/blocks.h"
#include "recursion/data.h"
#include "recursion/frames.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANE = 2, SPACE = 7 }; // numbers of an inverse: 1/m; J^-1, in space xx xy xz yy yz zz in global axes

typedef struct { // two joints of a body, or one with itself: a block of A has T_i D_j^T
    unsigned to;
    const double *left, *right; // of T, of D: rows of the body
    int rows, columns, step_left, step_right;
} meeting;

typedef struct {              // of points in the plane: two joints of a body
    unsigned to, left, right; // arms, in D
    unsigned inverse;         // negative where the body is the first end of one and the second of the other
} crossing;

typedef struct { // a point in the plane: the block of the joint itself
    unsigned to, arms, inverse[2];
} hinge;

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
    int n_meetings, n_first;
    meeting *meeting;   // the first of each block, then those that are added                (n_meetings)
    crossing *crossing; // of arms: instead, without those of a joint with itself
    hinge *hinge;       //                                                            (n_loop_elements)
    table *table;       //                                                            (n_loop_elements)
    double *inverse;    // of the bodies' masses; in the plane a second time with the other sign, and zeros
    double *memory;     // of the tables
};

// ---- layout ---------------------------------------------------------------------------------------------------

static int inverse_size(const hol_recursion *r) { return r->d == 3 ? PLANE : SPACE; }
static int bodies_of(const hol_recursion *r, const hol_loop_element *l)
{
    return l->point ? 2 : hol_loop_joint(r, l)->n_bodies;
}
static int body_of(const hol_recursion *r, const hol_loop_element *l, int b)
{
    return l->point ? l->end[b] : r->place[hol_loop_joint(r, l)->body[b]];
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
            for (int b = 0; b < bodies_of(r, l) && l->rows; b++) {
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
        room += (size_t)((l->point ? 4 : bodies_of(r, l)) * l->rows * r->d);
    }
    o->table = hol_calloc(ctx, (size_t)r->n_loop_elements + 1, sizeof *o->table);
    o->memory = hol_calloc(ctx, (o->arms ? 0 : room) + 1, sizeof *o->memory);
    if (!o->table || !o->memory) return HOL_ERR_MEMORY;
    double *at = o->memory;
    for (int k = 0; k < r->n_loop_elements && !o->arms; k++) {
        const hol_loop_element *l = &r->loop[k];
        const int step = bodies_of(r, l) * r->d;
        table *t = &o->table[k];
        *t = (table){.D = r->D + l->D, .T = at, .step = step};
        at += l->rows * step;
        if (!l->point) continue;
        t->D = t->own = at;
        at += l->rows * step;
    }
    return HOL_OK;
}

// a, b: entries of the incidence of body j
static size_t meet(const hol_joints *o, int a, int b, meeting *m)
{
    const hol_recursion *r = o->r;
    const int k[2] = {a / HOL_MAX_BODIES, b / HOL_MAX_BODIES},
              end[2] = {a % HOL_MAX_BODIES, b % HOL_MAX_BODIES};
    bool swapped;
    m->to = (unsigned)hol_blocks_place(o->A, k[0], k[1], &swapped);
    const int row = swapped ? 1 : 0, column = 1 - row;
    const table *t = &o->table[k[row]], *u = &o->table[k[column]];
    m->rows = r->loop[k[row]].rows, m->columns = r->loop[k[column]].rows;
    m->left = t->T + r->d * end[row], m->step_left = t->step;
    m->right = u->D + r->d * end[column], m->step_right = u->step;
    return m->to;
}

static size_t cross(const hol_joints *o, int j, int a, int b, crossing *c)
{
    const hol_recursion *r = o->r;
    const int k[2] = {a / HOL_MAX_BODIES, b / HOL_MAX_BODIES},
              end[2] = {a % HOL_MAX_BODIES, b % HOL_MAX_BODIES};
    bool swapped;
    c->to = (unsigned)hol_blocks_place(o->A, k[0], k[1], &swapped);
    const int row = swapped ? 1 : 0, column = 1 - row;
    c->left = r->loop[k[row]].D + (unsigned)(2 * end[row]);
    c->right = r->loop[k[column]].D + (unsigned)(2 * end[column]);
    c->inverse = (unsigned)(PLANE * (end[0] == end[1] ? j : r->n_bodies + j));
    return c->to;
}

// What is made begins with its place among the values.
static int by_place(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

// The values are written from the first to the last.
static void sort_meetings(hol_joints *o)
{
    const size_t size = o->arms ? sizeof *o->crossing : sizeof *o->meeting;
    char *first = o->arms ? (void *)o->crossing : (void *)o->meeting;
    qsort(first, (size_t)o->n_first, size, by_place);
    qsort(first + (size_t)o->n_first * size, (size_t)(o->n_meetings - o->n_first), size, by_place);
}

static hol_status list_meetings(hol_context *ctx, hol_joints *o, const incidence *at)
{
    const size_t numbers = hol_blocks_sizes(o->A)->numbers;
    int n = 0;
    char *seen = hol_calloc(ctx, numbers + 1, sizeof *seen);
    if (o->arms)
        o->crossing = hol_calloc(ctx, (size_t)o->n_meetings + 1, sizeof *o->crossing);
    else
        o->meeting = hol_calloc(ctx, (size_t)o->n_meetings + 1, sizeof *o->meeting);
    const hol_status st = seen && (o->crossing || o->meeting) ? HOL_OK : HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2 && !st; pass++) { // the first of each block, then the others
        for (int j = 0; j < o->r->n_bodies; j++)
            for (int a = at->first[j]; a < at->first[j + 1]; a++)
                for (int b = at->first[j]; b <= a - o->arms; b++) {
                    const size_t to = o->arms ? cross(o, j, at->list[a], at->list[b], &o->crossing[n])
                                              : meet(o, at->list[a], at->list[b], &o->meeting[n]);
                    if (seen[to] == pass) n++;
                    seen[to] = 1;
                }
        if (pass) break;
        o->n_first = n;
        memset(seen, 0, numbers);
    }
    o->n_meetings = n;
    hol_free(seen);
    if (!st) sort_meetings(o);
    return st;
}

static hol_status list_hinges(hol_context *ctx, hol_joints *o)
{
    const hol_recursion *r = o->r;
    bool swapped;
    o->hinge = hol_calloc(ctx, (size_t)r->n_loop_elements + 1, sizeof *o->hinge);
    if (!o->hinge) return HOL_ERR_MEMORY;
    for (int k = 0; k < r->n_loop_elements && o->arms; k++) {
        const hol_loop_element *l = &r->loop[k];
        hinge *h = &o->hinge[k];
        h->to = (unsigned)hol_blocks_place(o->A, k, k, &swapped);
        h->arms = l->D;
        for (int i = 0; i < 2; i++)
            h->inverse[i] = (unsigned)(PLANE * (l->end[i] < 0 ? 2 * r->n_bodies : l->end[i]));
    }
    if (o->arms) qsort(o->hinge, (size_t)r->n_loop_elements, sizeof *o->hinge, by_place);
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
        o->inverse =
            hol_calloc(ctx, (size_t)inverse_size(r) * ((size_t)r->n_bodies + 1) * (r->d == 3 ? 2 : 1),
                       sizeof *o->inverse);
        st = o->inverse ? make_blocks(ctx, o, &at, most_products) : HOL_ERR_MEMORY;
    }
    if (!st) st = make_tables(ctx, o);
    if (!st) st = list_meetings(ctx, o, &at);
    if (!st) st = list_hinges(ctx, o);
    hol_free(at.first);
    hol_free(at.list);
    for (int j = 0; j < r->n_bodies && !st && r->d == 3; j++) {
        double *plus = o->inverse + PLANE * j, *minus = plus + PLANE * r->n_bodies;
        plus[0] = 1 / r->body3[j].m, plus[1] = 1 / r->body3[j].J;
        minus[0] = -plus[0], minus[1] = -plus[1];
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
    void *const arrays[] = {o->meeting, o->crossing, o->hinge, o->table, o->inverse, o->memory, o};
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

void hol_joints_place(hol_joints *o)
{
    const hol_recursion *r = o->r;
    for (int j = 0; j < r->n_bodies && r->d == 6; j++) { // in the plane they are constant
        double *G = o->inverse + SPACE * (size_t)j;
        G[0] = hol_inverse_mass(r, 6, j, G + 1);
    }
}

// Rows of points: -+[I -arm~]
static void expand(const hol_recursion *r, const hol_loop_element *l, table *t)
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

static void fill_tables(hol_joints *o)
{
    const hol_recursion *r = o->r;
    const int d = r->d;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        table *t = &o->table[k];
        if (l->point) expand(r, l, t);
        for (int b = 0; b < bodies_of(r, l); b++) {
            const int j = body_of(r, l, b);
            if (j < 0) continue;
            const double *G = o->inverse + (size_t)(inverse_size(r) * j), *D = t->D + d * b;
            double *T = t->T + d * b;
            for (int i = 0; i < l->rows; i++, D += t->step, T += t->step)
                if (d == 3)
                    weigh(3, G, D, T);
                else
                    weigh(6, G, D, T);
        }
    }
}

HOL_INLINE void set_block(const int d, const int rows, const int columns, const bool added, const meeting *m,
                          double *to)
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

typedef struct { // what of the matrix is set next
    const hol_joints *joints;
    const hinge *hinge;
    const crossing *crossing[2]; // the first of each block, then those that are added
    const meeting *meeting[2];
} progress;

// Those before `end` among the values.
HOL_INLINE void set_meetings(progress *p, const bool added, size_t end, double *value)
{
    const hol_joints *o = p->joints;
    const meeting *m = p->meeting[added], *const last = o->meeting + (added ? o->n_meetings : o->n_first);
    for (; m < last && m->to < end; m++)
        if (o->r->d == 6 && m->rows == 5 && m->columns == 5)
            set_block(6, 5, 5, added, m, value + m->to);
        else if (o->r->d == 6 && m->rows == 3 && m->columns == 3)
            set_block(6, 3, 3, added, m, value + m->to);
        else
            set_block(o->r->d, m->rows, m->columns, added, m, value + m->to);
    p->meeting[added] = m;
}

// +-(I/m + a~ b~^T/J) of two arms in the plane
HOL_INLINE void set_crossings(progress *p, const bool added, size_t end, double *value)
{
    const hol_joints *o = p->joints;
    const double *D = o->r->D, *inverse = o->inverse;
    const crossing *c = p->crossing[added], *const last = o->crossing + (added ? o->n_meetings : o->n_first);
    for (; c < last && c->to < end; c++) {
        const double *a = D + c->left, *b = D + c->right, g = inverse[c->inverse],
                     w = inverse[c->inverse + 1];
        const double x = w * b[0], y = w * b[1], A[4] = {g + a[1] * y, -a[1] * x, -a[0] * y, g + a[0] * x};
        double *to = value + c->to;
        for (int i = 0; i < 4; i++) to[i] = added ? to[i] + A[i] : A[i];
    }
    p->crossing[added] = c;
}

static void set_hinges(progress *p, size_t end, double *value)
{
    const hol_joints *o = p->joints;
    const double *D = o->r->D, *inverse = o->inverse;
    const hinge *h = p->hinge, *const last = o->hinge + o->r->n_loop_elements;
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

static void set_arms(void *with, size_t begin, size_t end, double *value)
{
    (void)begin;
    set_hinges(with, end, value);
    set_crossings(with, false, end, value);
    set_crossings(with, true, end, value);
}

static void set_rows(void *with, size_t begin, size_t end, double *value)
{
    (void)begin;
    set_meetings(with, false, end, value);
    set_meetings(with, true, end, value);
}

int hol_joints_factor(hol_joints *o, double *x)
{
    progress p = {.joints = o, .hinge = o->hinge};
    if (o->arms) {
        p.crossing[0] = o->crossing, p.crossing[1] = o->crossing + o->n_first;
    } else {
        p.meeting[0] = o->meeting, p.meeting[1] = o->meeting + o->n_first;
        fill_tables(o);
    }
    return hol_blocks_factor(o->A, o->arms ? set_arms : set_rows, &p, x);
}

void hol_joints_solve(const hol_joints *o, double *x) { hol_blocks_solve(o->A, x); }
void hol_joints_solve_back(const hol_joints *o, double *x) { hol_blocks_solve_back(o->A, x); }

void hol_joints_move(const hol_joints *o, const double *f, double *u)
{
    const double *G = o->inverse, *end = f + o->r->size.n;
    if (o->r->d == 3)
        for (; f < end; f += 3, u += 3, G += PLANE) weigh(3, G, f, u);
    else
        for (; f < end; f += 6, u += 6, G += SPACE) weigh(6, G, f, u);
}

// Of points in the plane: D = +-[I -arm~].
static void take_arms(const hol_joints *o, const double *d, double *u)
{
    const hol_recursion *r = o->r;
    for (int k = 0; k < r->n_loop_elements; k++, d += 2) {
        const hol_loop_element *l = &r->loop[k];
        for (int b = 0; b < 2; b++) {
            const int j = l->end[b];
            if (j < 0) continue;
            const double *a = r->D + l->D + 2 * b, *G = o->inverse + PLANE * j;
            const double x = b ? d[0] : -d[0], y = b ? d[1] : -d[1];
            double *w = u + 3 * j;
            w[0] -= G[0] * x, w[1] -= G[0] * y, w[2] -= G[1] * (a[0] * y - a[1] * x);
        }
    }
}

HOL_INLINE void take_rows(const hol_joints *o, const int width, const double *d, double *u)
{
    const hol_recursion *r = o->r;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const table *t = &o->table[k];
        for (int b = 0; b < bodies_of(r, l); b++) {
            const int j = body_of(r, l, b);
            if (j < 0) continue;
            const double *T = t->T + width * b;
            double *w = u + (size_t)width * (size_t)j;
            for (int i = 0; i < l->rows; i++, T += t->step)
                for (int c = 0; c < width; c++) w[c] -= T[c] * d[l->first + i];
        }
    }
}

void hol_joints_take(const hol_joints *o, const double *d, double *u)
{
    if (o->arms)
        take_arms(o, d, u);
    else if (o->r->d == 3)
        take_rows(o, 3, d, u);
    else
        take_rows(o, 6, d, u);
}
