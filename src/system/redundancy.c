// What redundant constraints are made of (formulas in redundancy.h): the null space of a loop's rows as a tableau, made
// sparse by exchanges, gives the minimal groups; a row of the null space says which reactions are not unique.
// docs/theory.md, section 4.6.
#include "system/redundancy.h"
#include "system/loop.h"
#include "system/remedy.h"
#include "system/wrench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSES = 5, FEW_POSES = 3, MOST_EXCHANGES = 1000 };
#define ZERO 1e-7     // of a coefficient against the largest of its circuit
#define PIVOT 1e-2    // smallest coefficient at which rows are exchanged, against the largest of its circuit
#define MOST_WORK 3e8 // operations spent on looking for smaller circuits

// ---- circuits -------------------------------------------------------------------------------------------------

// Row other[c] + sum_i t(i, c) row basic[i] = 0.
typedef struct {
    int r, k;
    int *basic, *other; // rows of the matrix                                              (r), (k)
    double *t;          //                                                               (r x k)
} tableau;

// R11 T = -R12 by substitution; what is rounding becomes 0.
static void solve_triangle(const hol_dense_qr *qr, tableau *f)
{
    const size_t ld = (size_t)qr->rows;
    for (int c = 0; c < f->k; c++) {
        double *t = f->t + (size_t)c * (size_t)f->r, most = 1;
        const double *right = qr->a + ld * (size_t)(f->r + c);
        for (int i = 0; i < f->r; i++) t[i] = -right[i];
        for (int i = f->r - 1; i >= 0; i--) {
            const double *column = qr->a + ld * (size_t)i;
            t[i] /= column[i];
            for (int j = 0; j < i; j++) t[j] -= column[j] * t[i];
            most = fmax(most, fabs(t[i]));
        }
        for (int i = 0; i < f->r; i++)
            if (fabs(t[i]) < ZERO * most) t[i] = 0;
    }
}

// T = -R11^-1 R12 of a QR factorisation with column pivoting: the dependent rows by the independent ones
// (4.7).
static hol_status make_tableau(hol_arena *arena, const hol_dense_qr *qr, tableau *f)
{
    f->r = qr->rank;
    f->k = qr->columns - qr->rank;
    f->basic = hol_arena_alloc(arena, (size_t)f->r + 1, sizeof *f->basic);
    f->other = hol_arena_alloc(arena, (size_t)f->k + 1, sizeof *f->other);
    f->t = hol_arena_alloc(arena, (size_t)f->r * (size_t)f->k + 1, sizeof *f->t);
    if (!f->basic || !f->other || !f->t) return HOL_ERR_MEMORY;
    for (int i = 0; i < f->r; i++) f->basic[i] = qr->pivot[i];
    for (int c = 0; c < f->k; c++) f->other[c] = qr->pivot[f->r + c];
    solve_triangle(qr, f);
    return HOL_OK;
}

static int count(const double *t, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) k += t[i] != 0;
    return k;
}

// Column d of the tableau after basic[i] and other[c] have changed places, into `out`; its largest entry.
static double exchanged(const tableau *f, int i, int c, int d, double *out)
{
    const double *tc = f->t + (size_t)c * (size_t)f->r, *td = f->t + (size_t)d * (size_t)f->r;
    const double factor = c == d ? 1 / tc[i] : td[i] / tc[i];
    double most = 1;
    for (int j = 0; j < f->r; j++) {
        out[j] = j == i ? (c == d ? factor : -factor) : c == d ? tc[j] * factor : td[j] - tc[j] * factor;
        const double scale = fmax(fabs(c == d ? out[j] : td[j]), fabs(tc[j] * factor));
        if (j != i && c != d && fabs(out[j]) < ZERO * scale) out[j] = 0;
        most = fmax(most, fabs(out[j]));
    }
    for (int j = 0; j < f->r; j++)
        if (fabs(out[j]) < ZERO * most) out[j] = 0;
    return most;
}

// How many entries an exchange removes. Columns without basic[i] stay.
static int gain(const tableau *f, int i, int c, double *work)
{
    int n = 0;
    for (int d = 0; d < f->k; d++) {
        const double *t = f->t + (size_t)d * (size_t)f->r;
        if (d == c || t[i] == 0) continue;
        n += count(t, f->r);
        exchanged(f, i, c, d, work);
        n -= count(work, f->r);
    }
    return n;
}

// Row i of the independent ones changes places with the dependent one c, (4.8).
static void exchange(tableau *f, int i, int c, double *work)
{
    const size_t r = (size_t)f->r;
    for (int d = 0; d < f->k; d++) {
        if (d == c || f->t[(size_t)d * r + (size_t)i] == 0) continue;
        exchanged(f, i, c, d, work);
        memcpy(f->t + (size_t)d * r, work, r * sizeof *work);
    }
    exchanged(f, i, c, c, work);
    memcpy(f->t + (size_t)c * r, work, r * sizeof *work);
    const int row = f->basic[i];
    f->basic[i] = f->other[c];
    f->other[c] = row;
}

// The best exchange, until none makes the circuits smaller.
static void shorten(tableau *f, double *work)
{
    double done = 0;
    for (int n = 0; n < MOST_EXCHANGES; n++) {
        int best = 0, best_i = -1, best_c = -1;
        for (int c = 0; c < f->k; c++) {
            const double *t = f->t + (size_t)c * (size_t)f->r;
            double most = 1;
            for (int i = 0; i < f->r; i++) most = fmax(most, fabs(t[i]));
            for (int i = 0; i < f->r; i++) {
                if (fabs(t[i]) < PIVOT * most) continue;
                if ((done += (double)f->r * f->k) > MOST_WORK) return;
                const int g = gain(f, i, c, work);
                if (g <= best) continue;
                best = g;
                best_i = i;
                best_c = c;
            }
        }
        if (best_i < 0) return;
        exchange(f, best_i, best_c, work);
    }
}

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

// The equations of one minimal group, by the names of their joints.
static hol_status name_circuit(hol_arena *arena, const hol_model_data *m, const tableau *f, int c,
                               const int *model_row, hol_dependency *out)
{
    const double *t = f->t + (size_t)c * (size_t)f->r;
    const int n = 1 + count(t, f->r);
    int *row = hol_arena_alloc(arena, (size_t)n, sizeof *row), k = 0;
    out->equation = hol_arena_alloc(arena, (size_t)n, sizeof *out->equation);
    if (!row || !out->equation) return HOL_ERR_MEMORY;
    row[k++] = model_row[f->other[c]];
    for (int i = 0; i < f->r; i++)
        if (t[i] != 0) row[k++] = model_row[f->basic[i]];
    qsort(row, (size_t)n, sizeof *row, compare_ints);
    out->n = n;
    for (int i = 0; i < n; i++)
        out->equation[i].direction = hol_model_row(m, row[i], &out->equation[i].joint).direction;
    return HOL_OK;
}

// ---- one component --------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    const hol_model_data *m;
    hol_graph g;
    hol_loop l;
    hol_state pose[POSES];
    int n_poses;
    hol_arena *scratch; // of the component
    int *first;         // first row of each edge                                           (n_edges)
    hol_redundancies *out;
} doctor;

static const hol_element *edge_element(const doctor *d, int i)
{
    return &d->m->element[d->g.element[d->l.edge[i]]];
}

static hol_status factor(doctor *d, int pose)
{
    hol_loop_jacobian(&d->g, &d->l, d->pose[pose].t, d->pose[pose].q);
    return hol_dense_qr_factor(d->ctx, &d->l.qr, d->l.n_columns, d->l.n_rows, d->l.jacobian,
                               HOL_RANK_THRESHOLD);
}

static void put(unsigned char *flag, hol_uniqueness value)
{
    if (*flag < (unsigned char)value) *flag = (unsigned char)value;
}

// Derivatives of the six components by the element's multipliers, in rows of length 1 and with torques per length.
static void reaction_map(const doctor *d, const hol_element *e, const hol_state *x, const double *norm,
                         double g[6][HOL_MAX_ROWS])
{
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], J[HOL_MAX_ROWS * HOL_MAX_Y];
    hol_wrench_map map;
    hol_element_gather(d->m, e, x->t, x->q, NULL, 0, y, w);
    e->type->phi(e->data, e->ny, y, NULL, NULL, J);
    hol_wrench_map_at(d->m, e, y, false, &map);
    for (int a = 0; a < 6; a++)
        for (int i = 0; i < e->n_rows; i++) {
            g[a][i] = 0;
            for (int j = 0; j < map.size; j++)
                g[a][i] -= hol_re(map.c[a][j]) * hol_re(J[i * e->ny + map.iy + j]);
            g[a][i] /= norm[i] * (a < 3 ? 1 : d->m->length_scale);
        }
}

// A component is open when some null vector has a part in it. null (n_rows of the loop x k), from the element's rows on.
static void mark_element(doctor *d, const hol_element *e, const hol_state *x, const double *null, int k,
                         hol_uniqueness value, double *rows)
{
    unsigned char *flag = d->out->reaction[e - d->m->element];
    double norm[HOL_MAX_ROWS], g[6][HOL_MAX_ROWS], most = 0;
    const bool wrench = e->n_ends == 2;
    hol_loop_rows(d->m, &d->l, e, x->t, x->q, rows, norm);
    if (wrench) reaction_map(d, e, x, norm, g);
    for (int a = 0; a < 6 && wrench; a++)
        for (int i = 0; i < e->n_rows; i++) most = fmax(most, fabs(g[a][i]));
    for (int c = 0; c < k; c++) {
        const double *n = null + (size_t)c * (size_t)d->l.n_rows;
        for (int i = 0; i < e->n_rows && !wrench; i++)
            if (n[i] != 0) put(&flag[0], value);
        for (int a = 0; a < 6 && wrench; a++) {
            double sum = 0;
            for (int i = 0; i < e->n_rows; i++) sum += g[a][i] * n[i];
            if (fabs(sum) > ZERO * most) put(&flag[a], value);
        }
    }
}

// Null vectors of the tableau, largest entry 1.
static double *null_vectors(const doctor *d, const tableau *f)
{
    const size_t rows = (size_t)d->l.n_rows;
    double *null = hol_arena_alloc(d->scratch, rows * (size_t)f->k + 1, sizeof *null);
    for (int c = 0; c < f->k && null; c++) {
        const double *t = f->t + (size_t)c * (size_t)f->r;
        double most = 1;
        for (int i = 0; i < f->r; i++) most = fmax(most, fabs(t[i]));
        for (int i = 0; i < f->r; i++) null[(size_t)f->basic[i] + rows * (size_t)c] = t[i] / most;
        null[(size_t)f->other[c] + rows * (size_t)c] = 1 / most;
    }
    return null;
}

// With the QR at that pose.
static hol_status mark_pose(doctor *d, int pose, hol_uniqueness value)
{
    tableau f;
    hol_status st = make_tableau(d->scratch, &d->l.qr, &f);
    double *null = st ? NULL : null_vectors(d, &f);
    double *rows = hol_arena_alloc(d->scratch, (size_t)d->l.n_columns * HOL_MAX_ROWS, sizeof *rows);
    if (!null || !rows) return HOL_ERR_MEMORY;
    for (int i = 0; i < d->l.n_edges; i++)
        mark_element(d, edge_element(d, i), &d->pose[pose], null + d->first[i], f.k, value, rows);
    return HOL_OK;
}

// ---- loops, of one component ------------------------------------------------------------------------------------

// Circuits with a common joint belong together: label[c] is the least of them; edge[i]: a circuit that the edge is in, -1.
static void connect(const doctor *d, const tableau *f, const double *null, int *label, int *edge)
{
    for (int c = 0; c < f->k; c++) label[c] = c;
    for (int i = 0; i < d->l.n_edges; i++) {
        edge[i] = -1;
        for (int c = 0; c < f->k; c++) {
            const double *n = null + (size_t)c * (size_t)d->l.n_rows + d->first[i];
            bool has = false;
            for (int r = 0; r < edge_element(d, i)->n_rows; r++) has = has || n[r] != 0;
            if (!has) continue;
            if (edge[i] < 0) edge[i] = c;
            const int a = label[edge[i]], b = label[c];
            for (int e = 0; e < f->k && a != b; e++)
                if (label[e] == (a > b ? a : b)) label[e] = a > b ? b : a;
        }
    }
}

// Of the circuits with this label, their number: those with earlier rows first, however they were found.
static int list_circuits(const doctor *d, const tableau *f, const double *null, const int *label, int which,
                         int *list)
{
    int n = 0;
    for (int c = 0; c < f->k; c++) {
        if (label[c] != which) continue;
        int at = n++;
        for (; at > 0; at--) {
            const double *a = null + (size_t)list[at - 1] * (size_t)d->l.n_rows;
            const double *b = null + (size_t)c * (size_t)d->l.n_rows;
            int k = 0;
            while (k < d->l.n_rows && (a[k] != 0) == (b[k] != 0)) k++;
            if (k == d->l.n_rows || a[k] != 0) break;
            list[at] = list[at - 1];
        }
        list[at] = c;
    }
    return n;
}

// A loop with permanently redundant equations: its joints, groups, and what would do without.
static hol_status add_loop(doctor *d, const tableau *f, const double *null, const int *label, const int *edge,
                           int which, hol_remedy *ask)
{
    hol_arena *arena = d->out->arena;
    hol_redundant_loop *loop = &d->out->loop[d->out->n_loops];
    const size_t rows = (size_t)d->l.n_rows;
    int *part = hol_arena_alloc(d->scratch, (size_t)d->l.n_edges, sizeof *part);
    int *list = hol_arena_alloc(d->scratch, (size_t)f->k, sizeof *list);
    double *own = hol_arena_alloc(d->scratch, rows * (size_t)f->k, sizeof *own);
    loop->joint = hol_arena_alloc(arena, (size_t)d->l.n_edges, sizeof *loop->joint);
    loop->group = hol_arena_alloc(arena, (size_t)f->k, sizeof *loop->group);
    if (!part || !list || !own || !loop->joint || !loop->group) return HOL_ERR_MEMORY;
    loop->redundant = list_circuits(d, f, null, label, which, list);
    for (int i = 0; i < loop->redundant; i++) {
        memcpy(own + rows * (size_t)i, null + rows * (size_t)list[i], rows * sizeof *own);
        const hol_status st = name_circuit(arena, d->m, f, list[i], d->l.row, &loop->group[i]);
        if (st) return st;
    }
    for (int i = 0; i < d->l.n_edges; i++) {
        if (edge[i] < 0 || label[edge[i]] != which) continue;
        part[loop->n_joints] = i;
        loop->joint[loop->n_joints++] = edge_element(d, i)->name;
    }
    d->out->n_loops++;
    ask->k = loop->redundant;
    ask->null = own;
    ask->n_parts = loop->n_joints;
    ask->part = part;
    return hol_remedy_find(ask, arena, loop);
}

// Groups that have rows in common are told as one loop.
static hol_status explain_permanent(doctor *d, const tableau *f, hol_remedy *ask)
{
    int *label = hol_arena_alloc(d->scratch, (size_t)f->k, sizeof *label);
    int *edge = hol_arena_alloc(d->scratch, (size_t)d->l.n_edges, sizeof *edge);
    double *null = null_vectors(d, f);
    hol_status st = label && edge && null ? HOL_OK : HOL_ERR_MEMORY;
    if (!st) connect(d, f, null, label, edge);
    for (int c = 0; c < f->k && !st; c++)
        if (label[c] == c) st = add_loop(d, f, null, label, edge, c, ask);
    return st;
}

// Among rows that are independent nearby, those that depend on each other in the given pose.
static hol_status explain_momentary(doctor *d, const tableau *generic)
{
    const size_t columns = (size_t)d->l.n_columns;
    double *chosen = hol_arena_alloc(d->scratch, columns * (size_t)generic->r, sizeof *chosen);
    int *row = hol_arena_alloc(d->scratch, (size_t)generic->r, sizeof *row);
    double *work = hol_arena_alloc(d->scratch, (size_t)generic->r + 1, sizeof *work);
    tableau f;
    if (!chosen || !row || !work) return HOL_ERR_MEMORY;
    hol_loop_jacobian(&d->g, &d->l, d->pose[0].t, d->pose[0].q);
    for (int i = 0; i < generic->r; i++) {
        row[i] = d->l.row[generic->basic[i]];
        memcpy(chosen + columns * (size_t)i, d->l.jacobian + columns * (size_t)generic->basic[i],
               columns * sizeof *chosen);
    }
    hol_status st =
        hol_dense_qr_factor(d->ctx, &d->l.qr, d->l.n_columns, generic->r, chosen, HOL_RANK_THRESHOLD);
    if (!st) st = make_tableau(d->scratch, &d->l.qr, &f);
    if (!st) shorten(&f, work);
    for (int c = 0; !st && c < f.k; c++)
        st = name_circuit(d->out->arena, d->m, &f, c, row, &d->out->momentary[d->out->instantaneous++]);
    return st;
}

// Permanent groups in a generic pose, and what is dependent at the given one only.
static hol_status explain(doctor *d, const int *rank, int best)
{
    tableau f;
    const hol_state *pose[POSES];
    hol_remedy ask = {.ctx = d->ctx, .g = &d->g, .l = &d->l, .rank = best, .pose = pose, .first = d->first};
    int generic = -1;
    for (int p = 1; p <= d->n_poses; p++) { // the given one last: it may be special
        const int k = p % d->n_poses;
        if (rank[k] != best) continue;
        if (generic < 0) generic = k;
        pose[ask.n_poses++] = &d->pose[k];
    }
    hol_status st = factor(d, generic);
    if (!st) st = make_tableau(d->scratch, &d->l.qr, &f);
    double *work = st ? NULL : hol_arena_alloc(d->scratch, (size_t)f.r + 1, sizeof *work);
    if (!st && !work) st = HOL_ERR_MEMORY;
    if (!st) shorten(&f, work);
    if (!st && f.k) st = explain_permanent(d, &f, &ask);
    return st || rank[0] == best ? st : explain_momentary(d, &f);
}

// Ranks in all poses, what each says of the reactions, and if asked for the explanation.
static hol_status examine(doctor *d, bool explained)
{
    int rank[POSES] = {0}, best = 0;
    hol_status st = hol_loop_reserve(d->ctx, &d->l, d->l.n_columns, d->l.n_rows);
    d->scratch = hol_arena_create(d->ctx);
    d->first = d->scratch ? hol_arena_alloc(d->scratch, (size_t)d->l.n_edges, sizeof *d->first) : NULL;
    if (!st && !d->first) st = HOL_ERR_MEMORY;
    for (int i = 1; i < d->l.n_edges && !st; i++)
        d->first[i] = d->first[i - 1] + edge_element(d, i - 1)->n_rows;
    for (int p = 0; p < d->n_poses && !st; p++) {
        st = factor(d, p);
        rank[p] = d->l.qr.rank;
        best = rank[p] > best ? rank[p] : best;
    }
    for (int p = 0; p < d->n_poses && !st; p++) {
        const bool singular = rank[p] < best;
        if (rank[p] == d->l.n_rows || (singular && p)) continue;
        st = factor(d, p);
        if (!st) st = mark_pose(d, p, singular ? HOL_UNDETERMINED : HOL_SHARED);
    }
    if (!st && explained && (best < d->l.n_rows || rank[0] < best)) st = explain(d, rank, best);
    hol_arena_destroy(d->scratch);
    hol_loop_release(&d->l);
    return st;
}

// Components that no multiplier reaches, in no pose: the turn about the axis of a revolute. In loops that are too large the poses
// leave joints open, which may hide one but makes none.
static void mark_absent(doctor *d, const hol_element *e)
{
    unsigned char *flag = d->out->reaction[e - d->m->element];
    double one[HOL_MAX_ROWS], g[6][HOL_MAX_ROWS];
    bool reached[6] = {false};
    for (int i = 0; i < e->n_rows; i++) one[i] = 1;
    for (int p = 0; p < d->n_poses; p++) {
        reaction_map(d, e, &d->pose[p], one, g);
        for (int i = 0; i < e->n_rows; i++) {
            double most = 0;
            for (int a = 0; a < 6; a++) most = fmax(most, fabs(g[a][i]));
            for (int a = 0; a < 6; a++) reached[a] = reached[a] || fabs(g[a][i]) > ZERO * most;
        }
    }
    for (int a = 0; a < 6; a++)
        if (!reached[a]) flag[a] = HOL_ABSENT;
}

// ---- all of them ----------------------------------------------------------------------------------------------

static bool is_suspect(const doctor *d, const hol_rank *rank)
{
    bool suspect = rank->momentary;
    for (int k = 0; k < d->l.n_rows; k++) suspect = suspect || !rank->active[d->l.row[k]];
    return suspect;
}

static void not_examined(doctor *d)
{
    for (int i = 0; i < d->l.n_edges; i++)
        for (int a = 0; a < 6; a++)
            put(&d->out->reaction[edge_element(d, i) - d->m->element][a], HOL_NOT_EXAMINED);
}

// Every loop that may be redundant.
static hol_status examine_all(doctor *d, const hol_rank *rank, bool explained)
{
    hol_status st = HOL_OK;
    for (int c = 0; c < d->g.n_components && !st; c++) {
        if (d->g.group[c + 1] - d->g.group[c] < 2) continue;
        hol_loop_enter(&d->g, c, &d->l);
        if (d->l.n_rows > HOL_RANK_MAX_ROWS)
            not_examined(d);
        else if (is_suspect(d, rank))
            st = examine(d, explained);
        hol_loop_leave(&d->g, &d->l);
    }
    return st;
}

// Poses near by are made with all rows in use, loops examined in them, absent components marked.
static hol_status diagnose(doctor *d, const hol_state *x, const hol_rank *rank, bool explained)
{
    hol_equations *s = NULL;
    hol_kernel full = hol_kernel_of(NULL);
    hol_random random = {4099};
    hol_status st = hol_graph_create(d->ctx, d->m, &d->g);
    if (!st) st = hol_loop_create(d->ctx, d->m, &d->l);
    if (!st && !(s = hol_equations_create(d->ctx, d->m, NULL))) st = HOL_ERR_MEMORY;
    if (!st) {
        s->dependent = true; // redundant rows are in
        full = hol_kernel_of(s);
        st = hol_rank_poses(&full, &d->g, x, &random, explained ? POSES : FEW_POSES, d->pose, &d->n_poses);
    }
    d->out->poses = d->n_poses;
    if (!st) st = examine_all(d, rank, explained);
    for (int i = d->m->n_bodies; i < d->m->n_elements && !st; i++)
        if (d->m->element[i].n_rows && d->m->element[i].n_ends == 2) mark_absent(d, &d->m->element[i]);
    for (int i = 0; i < d->n_poses; i++) hol_state_destroy(&d->pose[i]);
    hol_kernel_drop(&full);
    hol_equations_destroy(s);
    hol_loop_destroy(&d->l);
    hol_graph_destroy(&d->g);
    return st;
}

hol_status hol_redundancy_find(hol_context *ctx, const hol_model_data *m, const hol_state *x,
                               const hol_rank *rank, bool explained, hol_redundancies *out)
{
    doctor d = {.ctx = ctx, .m = m, .out = out};
    memset(out, 0, sizeof *out);
    out->arena = hol_arena_create(ctx);
    if (!out->arena) return HOL_ERR_MEMORY;
    out->reaction = hol_arena_alloc(out->arena, (size_t)m->n_elements + 1, sizeof *out->reaction);
    out->loop = hol_arena_alloc(out->arena, (size_t)m->nc + 1, sizeof *out->loop);
    out->momentary = hol_arena_alloc(out->arena, (size_t)m->nc + 1, sizeof *out->momentary);
    hol_status st = out->reaction && out->loop && out->momentary ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && (rank->n_redundant || rank->momentary || rank->large_components))
        st = diagnose(&d, x, rank, explained);
    if (st) hol_redundancy_destroy(out);
    return st;
}

void hol_redundancy_destroy(hol_redundancies *r)
{
    hol_arena_destroy(r->arena);
    memset(r, 0, sizeof *r);
}
