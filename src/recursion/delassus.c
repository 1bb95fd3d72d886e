// The Delassus matrix A = D K D^T of few loop rows, all of it at once, and products with K D^T (formulas in delassus.h): the
// wrenches of the rows are carried inwards along the articulated bodies, and A is the sum of products of what they leave at each.
// docs/theory.md, section 14.5.
#include "recursion/delassus.h"
#include "recursion/spatial.h"

#include <string.h>

// A body that feels rows of the loops.
typedef struct {
    hol_carried at;  // the rows' wrenches there
    int dof, father; // directions of its joint; the father's number among these bodies, -1: none
    int *row, *to;   // loop rows, and their places among those of the father                    (n)
    int first;       // row of rows in one piece, -1: they are not
} body;

struct hol_delassus {
    hol_tree *r;
    int n_bodies;
    body *of;                        // children first
    double *(*from)[HOL_MAX_BODIES]; // where an element's rows begin on its bodies, a point's on its ends
    int *numbers;
    double *wrenches;
    size_t size; // of the wrenches
};

// ---- creation -------------------------------------------------------------------------------------------------

// Visits the bodies that feel element k, those between its own and the roots. seen: k + 1 where it has been already.
static int next_body(const hol_tree *r, int k, int *seen, int *b, int j)
{
    const hol_element *e = hol_loop_joint(r, &r->loop[k]);
    if (j >= 0) j = r->link[j].father;
    while (j < 0 || seen[j] == k + 1) {
        if (*b == e->n_bodies) return -1;
        j = r->place[e->body[(*b)++]];
    }
    seen[j] = k + 1;
    return j;
}

// n (n_bodies): rows that each body feels.
static void count_rows(const hol_tree *r, int *seen, int *n)
{
    for (int k = 0; k < r->n_loop_elements; k++)
        for (int b = 0, j = -1; (j = next_body(r, k, seen, &b, j)) >= 0;) n[j] += r->loop[k].rows;
    memset(seen, 0, (size_t)r->n_bodies * sizeof *seen);
}

// Room for what n[j] rows leave at body j.
static hol_status allocate(hol_context *ctx, hol_delassus *c, const int *n)
{
    const hol_tree *r = c->r;
    size_t rows = 0, alpha = 0;
    for (int j = 0; j < r->n_bodies; j++) {
        c->n_bodies += n[j] > 0;
        rows += (size_t)n[j];
        alpha += 2 * (size_t)n[j] * r->link[j].dof;
    }
    c->size = rows * (size_t)r->d;
    c->of = hol_calloc(ctx, (size_t)c->n_bodies + 1, sizeof *c->of);
    c->from = hol_calloc(ctx, (size_t)r->n_loop_elements + 1, sizeof *c->from);
    c->numbers = hol_calloc(ctx, 2 * rows + 1, sizeof *c->numbers);
    c->wrenches = hol_calloc(ctx, c->size + alpha + 1, sizeof *c->wrenches);
    return c->of && c->from && c->numbers && c->wrenches ? HOL_OK : HOL_ERR_MEMORY;
}

// number (n_bodies): of each body among those that feel rows.
static void lay_out(hol_delassus *c, const int *n, int *number)
{
    const hol_tree *r = c->r;
    int *list = c->numbers;
    double *h = c->wrenches, *alpha = h + c->size;
    body *b = c->of;
    for (int j = r->n_bodies - 1; j >= 0; j--) {
        if (!n[j]) continue;
        number[j] = (int)(b - c->of);
        const int f = r->link[j].dof;
        *b++ = (body){.at = {.j = j, .h = h, .alpha = alpha, .z = alpha + n[j] * f, .to = list + n[j]},
                      .dof = f,
                      .father = r->link[j].father,
                      .row = list,
                      .to = list + n[j]};
        list += 2 * n[j];
        h += n[j] * r->d;
        alpha += 2 * n[j] * f;
    }
    for (b = c->of; b < c->of + c->n_bodies; b++)
        if (b->father >= 0) {
            b->father = number[b->father];
            b->at.above = c->of[b->father].at.h;
        }
}

// For every body the rows that come through it, and where each of them stands among those of its father.
static void list_rows(hol_delassus *c, int *seen, const int *number)
{
    const hol_tree *r = c->r;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        const hol_element *e = hol_loop_joint(r, l);
        for (int i = 0; i < (l->point ? 2 : e->n_bodies); i++) {
            const int j = l->point ? l->end[i] : r->place[e->body[i]];
            const body *b = &c->of[j < 0 ? 0 : number[j]];
            c->from[k][i] = j < 0 ? NULL : b->at.h + b->at.n * r->d;
        }
        for (int b = 0, j = -1; (j = next_body(r, k, seen, &b, j)) >= 0;) {
            body *o = &c->of[number[j]];
            for (int i = 0; i < l->rows; i++) o->row[o->at.n++] = l->first + i;
        }
    }
    for (body *b = c->of; b < c->of + c->n_bodies; b++) {
        b->first = b->row[b->at.n - 1] - b->row[0] == b->at.n - 1 ? b->row[0] : -1;
        for (int i = 0, k = 0; i < b->at.n && b->father >= 0; i++, k++) {
            while (c->of[b->father].row[k] != b->row[i]) k++;
            b->to[i] = k;
        }
    }
}

hol_status hol_delassus_create(hol_context *ctx, hol_tree *r, hol_delassus **out)
{
    const size_t bodies = (size_t)r->n_bodies;
    hol_delassus *c = *out = hol_calloc(ctx, 1, sizeof *c);
    int *n = hol_calloc(ctx, 3 * bodies + 1, sizeof *n);
    hol_status st = c && n ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) {
        c->r = r;
        count_rows(r, n + bodies, n);
        st = allocate(ctx, c, n);
    }
    if (!st) {
        lay_out(c, n, n + 2 * bodies);
        list_rows(c, n + bodies, n + 2 * bodies);
    }
    hol_free(n);
    return st;
}

void hol_delassus_destroy(hol_delassus *c)
{
    if (!c) return;
    void *const arrays[] = {c->of, c->from, c->numbers, c->wrenches, c};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

// ---- the matrix -----------------------------------------------------------------------------------------------

// The rows of a loop element, as wrenches, at its bodies; what stays 0 is not written.
HOL_INLINE void put_rows(const hol_tree *r, const int d, const hol_loop_element *l, double *const *to)
{
    const double *D = r->D + l->D;
    const int bodies = l->point ? 2 : hol_loop_joint(r, l)->n_bodies;
    if (l->point) {
        for (int end = 0; end < 2; end++)
            if (to[end]) point_rows(d, end ? 1 : -1, D + hol_point_size(d) * end, d, to[end]);
        return;
    }
    for (int i = 0; i < l->rows; i++)
        for (int b = 0; b < bodies; b++, D += d)
            for (int c = 0; c < d; c++) to[b][i * d + c] = D[c];
}

// A += z alpha^T, lower triangle by columns.
HOL_INLINE void add_square(const int n, const double *restrict z, const double *restrict alpha, int m,
                           double *restrict A)
{
    for (int k = 0; k < n; k++, A += m)
        for (int i = k; i < n; i++) A[i] += z[k] * alpha[i];
}

// A += z^T alpha of one body; rows that follow each other, as those of one or two points do, in sizes that
// the compiler knows.
static void add_product(const body *b, const double *z, const double *alpha, int m, double *A)
{
    const int n = b->at.n, *row = b->row;
    if (b->first < 0) {
        for (int k = 0; k < n; k++)
            for (int i = k; i < n; i++) A[row[k] * m + row[i]] += z[k] * alpha[i];
        return;
    }
    A += b->first * (m + 1);
    switch (n) { // rows of one or two points
    case 2: add_square(2, z, alpha, m, A); break;
    case 3: add_square(3, z, alpha, m, A); break;
    case 4: add_square(4, z, alpha, m, A); break;
    case 6: add_square(6, z, alpha, m, A); break;
    default: add_square(n, z, alpha, m, A);
    }
}

void hol_delassus_matrix(hol_delassus *c, double *A)
{
    const hol_tree *r = c->r;
    const int m = r->size.n_loops;
    memset(c->wrenches, 0, c->size * sizeof *c->wrenches);
    memset(A, 0, (size_t)(m * m) * sizeof *A);
    for (int k = 0; k < r->n_loop_elements; k++) HOL_SIZED(r->d, put_rows, r, &r->loop[k], c->from[k]);
    for (const body *b = c->of; b < c->of + c->n_bodies; b++) {
        const int n = b->at.n;
        hol_tree_carry(r, &b->at);
        for (int f = 0; f < b->dof; f++) add_product(b, b->at.z + f * n, b->at.alpha + f * n, m, A);
    }
}

// (14.11)
HOL_INLINE void times_body(const body *b, const int d, const int dof, const double *restrict alpha,
                           const double *restrict jump, double *restrict out)
{
    const int n = b->at.n;
    const double *h = b->at.h, *z = b->at.z;
    for (int i = 0; i < n; i++, h += d) {
        double x = dot_product(d, h, jump);
        for (int f = 0; f < dof; f++) x += z[f * n + i] * alpha[f];
        out[b->row[i]] += x;
    }
}

// D of the twists that alpha and jump make, without these being made.
HOL_INLINE void times(const hol_delassus *c, const int d, const double *alpha, const double *jump,
                      double *out)
{
    for (const body *b = c->of; b < c->of + c->n_bodies; b++) {
        const double *a = alpha + d * b->at.j, *step = jump + d * b->at.j;
        if (b->dof == 1)
            times_body(b, d, 1, a, step, out);
        else
            times_body(b, d, b->dof, a, step, out);
    }
}

hol_status hol_delassus_begin(hol_delassus *c, double *A, const double *f, const double *jump, double *u,
                              double *out)
{
    const hol_status st = hol_tree_backward(c->r, A != NULL, f, jump, u);
    if (st) return st;
    if (A) hol_delassus_matrix(c, A);
    memset(out, 0, (size_t)c->r->size.n_loops * sizeof *out);
    HOL_SIZED(c->r->d, times, c, u, jump, out);
    return HOL_OK;
}

void hol_delassus_end(const hol_delassus *c, const double *jump, const double *mu, double *u)
{
    const hol_tree *r = c->r;
    for (const body *b = c->of; b < c->of + c->n_bodies; b++) {
        const int n = b->at.n;
        const double *alpha = b->at.alpha;
        double *to = u + (size_t)r->d * (size_t)b->at.j;
        for (int f = 0; f < b->dof; f++, alpha += n) {
            double x = to[f];
            for (int i = 0; i < n; i++) x -= alpha[i] * mu[b->row[i]];
            to[f] = x;
        }
    }
    hol_tree_forward(r, jump, u);
}
