// See columns.h.
#include "recursion/columns.h"
#include "recursion/data.h"

#include <string.h>

// A body that feels rows of the loops.
typedef struct {
    int j, n, father;  // its place; rows; the father's number among these bodies, -1: none
    int *row, *to;     // loop rows, and their places among those of the father              (n)
    double *h;         // wrenches: of the rows, and of what hangs on the body               (n x d)
    double *alpha, *z; // z = Z alpha of hol_recursion_carry                                (dof x n)
} body;

struct hol_columns {
    hol_recursion *r;
    int n_bodies;
    body *of;                        // children first
    double *(*from)[HOL_MAX_BODIES]; // where the wrenches of an element's rows begin on its bodies
    int *numbers;
    double *wrenches;
    size_t size; // of the wrenches
};

// ---- creation -------------------------------------------------------------------------------------------------

// Visits the bodies that feel element k, those between its own and the roots. seen: k + 1 where it has been already.
static int next_body(const hol_recursion *r, int k, int *seen, int *b, int j)
{
    const hol_element *e = r->loop[k].e;
    if (j >= 0) j = r->link[j].father;
    while (j < 0 || seen[j] == k + 1) {
        if (*b == e->n_bodies) return -1;
        j = r->place[e->body[(*b)++]];
    }
    seen[j] = k + 1;
    return j;
}

// n (n_bodies): rows that each body feels.
static void count_rows(const hol_recursion *r, int *seen, int *n)
{
    for (int k = 0; k < r->n_loop_elements; k++)
        for (int b = 0, j = -1; (j = next_body(r, k, seen, &b, j)) >= 0;) n[j] += r->loop[k].rows;
    memset(seen, 0, (size_t)r->n_bodies * sizeof *seen);
}

static hol_status allocate(hol_context *ctx, hol_columns *c, const int *n)
{
    const hol_recursion *r = c->r;
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
static void lay_out(hol_columns *c, const int *n, int *number)
{
    const hol_recursion *r = c->r;
    int *list = c->numbers;
    double *h = c->wrenches, *alpha = h + c->size;
    body *b = c->of;
    for (int j = r->n_bodies - 1; j >= 0; j--) {
        if (!n[j]) continue;
        number[j] = (int)(b - c->of);
        const int f = r->link[j].dof;
        *b++ = (body){.j = j,
                      .father = r->link[j].father,
                      .row = list,
                      .to = list + n[j],
                      .h = h,
                      .alpha = alpha,
                      .z = alpha + n[j] * f};
        list += 2 * n[j];
        h += n[j] * r->d;
        alpha += 2 * n[j] * f;
    }
    for (b = c->of; b < c->of + c->n_bodies; b++)
        if (b->father >= 0) b->father = number[b->father];
}

static void list_rows(hol_columns *c, int *seen, const int *number)
{
    const hol_recursion *r = c->r;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        for (int i = 0; i < l->e->n_bodies; i++) {
            const body *b = &c->of[number[r->place[l->e->body[i]]]];
            c->from[k][i] = b->h + b->n * r->d;
        }
        for (int b = 0, j = -1; (j = next_body(r, k, seen, &b, j)) >= 0;) {
            body *o = &c->of[number[j]];
            for (int i = 0; i < l->rows; i++) o->row[o->n++] = l->first + i;
        }
    }
    for (body *b = c->of; b < c->of + c->n_bodies; b++)
        for (int i = 0, k = 0; i < b->n && b->father >= 0; i++, k++) {
            while (c->of[b->father].row[k] != b->row[i]) k++;
            b->to[i] = k;
        }
}

hol_status hol_columns_create(hol_context *ctx, hol_recursion *r, hol_columns **out)
{
    const size_t bodies = (size_t)r->n_bodies;
    hol_columns *c = *out = hol_calloc(ctx, 1, sizeof *c);
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

void hol_columns_destroy(hol_columns *c)
{
    if (!c) return;
    void *const arrays[] = {c->of, c->from, c->numbers, c->wrenches, c};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

// ---- the matrix -----------------------------------------------------------------------------------------------

// The rows of an element as wrenches on its bodies; of a point [1 -arm~].
static void put_rows(const hol_recursion *r, const hol_loop_element *l, double *const *to)
{
    const int d = r->d, bodies = l->e->n_bodies;
    const double *D = r->D + l->D;
    if (!l->point) {
        for (int i = 0; i < l->rows; i++)
            for (int b = 0; b < bodies; b++, D += d)
                for (int c = 0; c < d; c++) to[b][i * d + c] = D[c];
        return;
    }
    for (int b = 0; b < bodies; b++) {
        const int end = l->e->body[b] == l->e->end[0].body ? 0 : 1;
        const double *arm = D + 3 * end, sign = end ? 1 : -1;
        double *h = to[b];
        for (int i = 0; i < l->rows; i++, h += d) {
            const int y = (i + 1) % 3, z = (i + 2) % 3;
            h[i] = sign;
            if (d == 3)
                h[2] = i ? sign * arm[0] : -sign * arm[1];
            else // arm x e_i
                h[3 + y] = sign * arm[z], h[3 + z] = -sign * arm[y];
        }
    }
}

static void carry(const hol_columns *c)
{
    hol_recursion *r = c->r;
    const int d = r->d;
    memset(c->wrenches, 0, c->size * sizeof *c->wrenches);
    for (int k = 0; k < r->n_loop_elements; k++) put_rows(r, &r->loop[k], c->from[k]);
    for (const body *b = c->of; b < c->of + c->n_bodies; b++) {
        hol_recursion_carry(r, b->j, b->n, b->h, b->alpha, b->z);
        for (int i = 0; i < b->n && b->father >= 0; i++) {
            double *to = c->of[b->father].h + b->to[i] * d;
            for (int p = 0; p < d; p++) to[p] += b->h[i * d + p];
        }
    }
}

// A += z alpha^T, lower triangle.
static void add_product(int n, const int *row, const double *z, const double *alpha, int m, double *A)
{
    if (row[n - 1] - row[0] == n - 1) { // rows in one piece
        A += row[0] * (m + 1);
        for (int i = 0; i < n; i++, A += m)
            for (int k = 0; k <= i; k++) A[k] += z[i] * alpha[k];
        return;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) A[row[i] * m + row[k]] += z[i] * alpha[k];
}

void hol_columns_matrix(hol_columns *c, double *A)
{
    const hol_recursion *r = c->r;
    const int m = r->size.n_loops;
    carry(c);
    memset(A, 0, (size_t)(m * m) * sizeof *A);
    for (const body *b = c->of; b < c->of + c->n_bodies; b++)
        for (int f = 0; f < r->link[b->j].dof; f++)
            add_product(b->n, b->row, b->z + f * b->n, b->alpha + f * b->n, m, A);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < i; k++) A[k * m + i] = A[i * m + k];
}

void hol_columns_move(const hol_columns *c, const double *mu, double *u)
{
    const hol_recursion *r = c->r;
    memset(u, 0, (size_t)r->size.n * sizeof *u);
    for (const body *b = c->of; b < c->of + c->n_bodies; b++) {
        const double *alpha = b->alpha;
        double *to = u + (size_t)r->d * (size_t)b->j;
        for (int f = 0; f < r->link[b->j].dof; f++, alpha += b->n)
            for (int i = 0; i < b->n; i++) to[f] += alpha[i] * mu[b->row[i]];
    }
    hol_recursion_substitute(r, NULL, u);
}
