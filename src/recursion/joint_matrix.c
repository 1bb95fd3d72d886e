// All joints cut: the Delassus matrix D M^-1 D^T of all rows by blocks of one joint each (15.12), set up once: which joints
// share a body, where their blocks stand in the matrix, and which numbers meet in them. docs/theory.md, section 15.9.
#include "recursion/joint_matrix_data.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- layout ---------------------------------------------------------------------------------------------------

// The loop elements of every body, (element, which of its bodies) in one number.
typedef struct {
    int *first, *list;
} incidence;

// For each body its ends of joints, counted in a first pass and stored in a second.
static hol_status list_incidence(hol_context *ctx, const hol_tree *r, incidence *o)
{
    o->first = hol_calloc(ctx, (size_t)r->n_bodies + 2, sizeof *o->first);
    if (!o->first) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < r->n_loop_elements; k++) {
            const hol_loop_element *l = &r->loop[k];
            for (int b = 0; b < hol_bodies_of(r, l) && l->rows; b++) {
                const int j = hol_body_of(r, l, b);
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

static double count_meetings(const hol_tree *r, const incidence *at)
{
    double n = 0;
    for (int j = 0; j < r->n_bodies; j++) {
        const double m = at->first[j + 1] - at->first[j];
        n += 0.5 * m * (m + 1);
    }
    return n;
}

// The pattern of the matrix, a block for each pair of joints with a common body, and its order of
// elimination.
static hol_status make_blocks(hol_context *ctx, hol_joint_matrix *o, const incidence *at, double most)
{
    const hol_tree *r = o->r;
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

// Arms alone are kept of the rows: the same room for each joint.
static bool holds_points(const hol_tree *r)
{
    bool all = r->d == 3;
    for (int k = 0; k < r->n_loop_elements; k++)
        all = all && r->loop[k].point && r->loop[k].D == 4 * (unsigned)k;
    for (int j = 0; j < r->n_bodies; j++) all = all && r->link[j].frame == HOL_FRAME_PLANAR;
    return all;
}

// Room for rows D and products M^-1 D^T, joint by joint.
static hol_status make_tables(hol_context *ctx, hol_joint_matrix *o)
{
    hol_tree *r = o->r;
    size_t room = 0;
    o->points = holds_points(r);
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        room += (size_t)((l->point ? 4 : hol_bodies_of(r, l)) * l->rows * r->d);
    }
    o->table = hol_calloc(ctx, (size_t)r->n_loop_elements + 1, sizeof *o->table);
    o->memory = hol_calloc(ctx, (o->points ? 0 : room) + 1, sizeof *o->memory);
    if (!o->table || !o->memory) return HOL_ERR_MEMORY;
    double *at = o->memory;
    for (int k = 0; k < r->n_loop_elements && !o->points; k++) {
        const hol_loop_element *l = &r->loop[k];
        const int step = hol_bodies_of(r, l) * r->d;
        hol_joint_table *t = &o->table[k];
        *t = (hol_joint_table){.D = r->D + l->D, .T = at, .step = step};
        at += l->rows * step;
        if (!l->point) continue;
        t->D = t->own = at;
        at += l->rows * step;
    }
    return HOL_OK;
}

// a, b: entries of the incidence of body j
static size_t meet(const hol_joint_matrix *o, int a, int b, hol_meeting *m)
{
    const hol_tree *r = o->r;
    const int k[2] = {a / HOL_MAX_BODIES, b / HOL_MAX_BODIES},
              end[2] = {a % HOL_MAX_BODIES, b % HOL_MAX_BODIES};
    bool swapped;
    m->to = (unsigned)hol_blocks_place(o->A, k[0], k[1], &swapped);
    const int row = swapped ? 1 : 0, column = 1 - row;
    const hol_joint_table *t = &o->table[k[row]], *u = &o->table[k[column]];
    m->rows = r->loop[k[row]].rows, m->columns = r->loop[k[column]].rows;
    m->left = t->T + r->d * end[row], m->step_left = t->step;
    m->right = u->D + r->d * end[column], m->step_right = u->step;
    return m->to;
}

// Where two ends at body j meet: the block, and the numbers it takes of both. Returns its place.
static size_t cross(const hol_joint_matrix *o, int j, int a, int b, hol_crossing *c)
{
    const hol_tree *r = o->r;
    const int k[2] = {a / HOL_MAX_BODIES, b / HOL_MAX_BODIES},
              end[2] = {a % HOL_MAX_BODIES, b % HOL_MAX_BODIES};
    bool swapped;
    c->to = (unsigned)hol_blocks_place(o->A, k[0], k[1], &swapped);
    const int row = swapped ? 1 : 0, column = 1 - row;
    c->left = r->loop[k[row]].D + (unsigned)(2 * end[row]);
    c->right = r->loop[k[column]].D + (unsigned)(2 * end[column]);
    c->inverse = (unsigned)(HOL_PLANE * (end[0] == end[1] ? j : r->n_bodies + j));
    return c->to;
}

// What is made begins with its place among the values.
static int by_place(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

// The values are written from the first to the last.
static void sort_meetings(hol_joint_matrix *o)
{
    const size_t size = o->points ? sizeof *o->arms.crossing : sizeof *o->meeting;
    char *first = o->points ? (void *)o->arms.crossing : (void *)o->meeting;
    qsort(first, (size_t)o->n_first, size, by_place);
    qsort(first + (size_t)o->n_first * size, (size_t)(o->n_meetings - o->n_first), size, by_place);
}

// All pairs of ends at a body; the first one of a block sets it, others add to it.
static hol_status list_meetings(hol_context *ctx, hol_joint_matrix *o, const incidence *at)
{
    const size_t numbers = hol_blocks_sizes(o->A)->numbers;
    int n = 0;
    char *seen = hol_calloc(ctx, numbers + 1, sizeof *seen);
    if (o->points)
        o->arms.crossing = hol_calloc(ctx, (size_t)o->n_meetings + 1, sizeof *o->arms.crossing);
    else
        o->meeting = hol_calloc(ctx, (size_t)o->n_meetings + 1, sizeof *o->meeting);
    const hol_status st = seen && (o->arms.crossing || o->meeting) ? HOL_OK : HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2 && !st; pass++) { // the first of each block, then the others
        for (int j = 0; j < o->r->n_bodies; j++)
            for (int a = at->first[j]; a < at->first[j + 1]; a++)
                for (int b = at->first[j]; b <= a - o->points; b++) {
                    const size_t to = o->points ? cross(o, j, at->list[a], at->list[b], &o->arms.crossing[n])
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

// The diagonal block of each joint of a point in the plane, in the order in which they are filled.
static void list_hinges(hol_joint_matrix *o)
{
    const hol_tree *r = o->r;
    bool swapped;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const hol_loop_element *l = &r->loop[k];
        hol_hinge *h = &o->arms.hinge[k];
        h->to = (unsigned)hol_blocks_place(o->A, k, k, &swapped);
        h->arms = l->D;
        for (int i = 0; i < 2; i++)
            h->inverse[i] = (unsigned)(HOL_PLANE * (l->end[i] < 0 ? 2 * r->n_bodies : l->end[i]));
    }
    qsort(o->arms.hinge, (size_t)r->n_loop_elements, sizeof *o->arms.hinge, by_place);
}

// Bodies in runs of HOL_PIECE with the joints that each run completes, so that placing and joints alternate
// while both are in the caches.
static void cut_pieces(const hol_tree *r, int n, hol_piece *piece)
{
    int first = r->n_bodies;
    for (int i = 0, k = 0; i < n; i++) {
        const int end = i < n - 1 ? (i + 1) * HOL_PIECE : r->n_bodies;
        while (k < r->n_loop_elements && r->loop[k].end[0] < end && r->loop[k].end[1] < end) k++;
        piece[i].joints = k;
    }
    for (int i = n - 1; i >= 0; i--) {
        piece[i].bodies = first;
        for (int k = i ? piece[i - 1].joints : 0; k < piece[i].joints; k++)
            for (int b = 0; b < 2; b++)
                if (r->loop[k].end[b] >= 0 && r->loop[k].end[b] < first) first = r->loop[k].end[b];
    }
}

// Tables for joints that hold points in the plane.
static hol_status make_arms(hol_context *ctx, hol_joint_matrix *o)
{
    const hol_tree *r = o->r;
    hol_arms *a = &o->arms;
    const size_t n = (size_t)r->n_bodies + 1, n_joints = (size_t)r->n_loop_elements + 1;
    a->n_pieces = (r->n_bodies + HOL_PIECE - 1) / HOL_PIECE;
    a->hinge = hol_calloc(ctx, n_joints, sizeof *a->hinge);
    a->end = hol_calloc(ctx, n_joints, sizeof *a->end);
    a->body = hol_calloc(ctx, n, sizeof *a->body);
    a->piece = hol_calloc(ctx, (size_t)a->n_pieces + 1, sizeof *a->piece);
    a->turn = hol_calloc(ctx, n, sizeof *a->turn);
    if (!a->hinge || !a->end || !a->body || !a->piece || !a->turn) return HOL_ERR_MEMORY;
    list_hinges(o);
    cut_pieces(r, a->n_pieces, a->piece);
    for (int k = 0; k < r->n_loop_elements; k++) memcpy(a->end[k], r->loop[k].end, sizeof a->end[k]);
    for (int j = 0; j < r->n_bodies; j++) {
        const double *weight = r->body3[j].weight, inverse = o->inverse[HOL_PLANE * j];
        a->body[j] = (hol_falling){{inverse * weight[0], inverse * weight[1]}, r->link[j].q};
    }
    return HOL_OK;
}

// Has every body mass and a regular inertia? Its inverse is needed.
static bool has_inertia(const hol_tree *r)
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

static void invert_masses(hol_joint_matrix *o)
{
    const hol_tree *r = o->r;
    for (int j = 0; j < r->n_bodies && r->d == 3; j++) {
        double *plus = o->inverse + HOL_PLANE * j, *minus = plus + HOL_PLANE * r->n_bodies;
        plus[0] = 1 / r->body3[j].m, plus[1] = 1 / r->body3[j].J;
        minus[0] = -plus[0], minus[1] = -plus[1];
    }
}

static double find_lightest(const hol_tree *r)
{
    double least = HOL_INF;
    for (int j = 0; j < r->n_bodies && r->d == 3; j++) {
        const double *size = r->s->q_size + r->link[j].q, m = r->body3[j].m;
        least = fmin(least, m * fmin(size[0] * size[0], size[1] * size[1]));
        if (r->link[j].frame != HOL_FRAME_POINT) least = fmin(least, r->body3[j].J * size[2] * size[2]);
    }
    return least < HOL_INF ? least : 0;
}

double hol_joint_matrix_lightest(const hol_joint_matrix *o) { return o->lightest; }

// The order of it all; recoverable: more blocks or products than are worth it.
static hol_status make(hol_context *ctx, hol_joint_matrix *o, double most_products)
{
    hol_tree *r = o->r;
    incidence at = {0};
    hol_status st = list_incidence(ctx, r, &at);
    const double n = st ? 0 : count_meetings(r, &at);
    if (!st && n > fmin(most_products, INT_MAX / 4)) st = HOL_RECOVERABLE;
    if (!st) {
        o->n_meetings = (int)n;
        o->inverse =
            hol_calloc(ctx, (size_t)hol_inverse_size(r) * ((size_t)r->n_bodies + 1) * (r->d == 3 ? 2 : 1),
                       sizeof *o->inverse);
        st = o->inverse ? make_blocks(ctx, o, &at, most_products) : HOL_ERR_MEMORY;
    }
    if (!st) st = make_tables(ctx, o);
    if (!st) st = list_meetings(ctx, o, &at);
    if (!st) invert_masses(o);
    o->lightest = find_lightest(r);
    if (!st && o->points) st = make_arms(ctx, o);
    hol_free(at.first);
    hol_free(at.list);
    return st;
}

hol_status hol_joint_matrix_create(hol_context *ctx, hol_tree *r, double most_products,
                                   hol_joint_matrix **out)
{
    *out = NULL;
    if (!has_inertia(r)) return HOL_RECOVERABLE;
    hol_joint_matrix *o = hol_calloc(ctx, 1, sizeof *o);
    if (!o) return HOL_ERR_MEMORY;
    o->r = r;
    const hol_status st = make(ctx, o, most_products);
    if (st)
        hol_joint_matrix_destroy(o);
    else
        *out = o;
    return st;
}

void hol_joint_matrix_destroy(hol_joint_matrix *o)
{
    if (!o) return;
    hol_blocks_destroy(o->A);
    hol_arms *a = &o->arms;
    void *const arrays[] = {a->crossing, a->hinge, a->end,     a->body,   a->turn, a->piece,
                            o->meeting,  o->table, o->inverse, o->memory, o};
    for (int i = 0; i < HOL_COUNT(arrays); i++) hol_free(arrays[i]);
}

double hol_joint_matrix_operations(const hol_joint_matrix *o)
{
    const hol_tree *r = o->r;
    double rows = 0, blocks = 0;
    if (!r->n_loop_elements) return 0;
    for (int k = 0; k < r->n_loop_elements; k++) {
        const double n = r->loop[k].rows;
        rows += (r->d == 3 ? 25 : 50) * n * n + 3 * n * r->d;
        blocks += 2 * n * n * n + 16;
    }
    return rows + hol_blocks_sizes(o->A)->products * blocks / r->n_loop_elements;
}
