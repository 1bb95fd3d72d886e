// The motion near a state with inputs and outputs (docs/theory.md, section 22). Every state and every input is a direction: how positions,
// velocities, users' states, accelerations and multipliers change along it. The rows of C and D, and those of the user's coordinates,
// are changes of expressions along these.
#include "analysis/linearise.h"
#include "analysis/equilibrium.h"
#include "analysis/moment.h"
#include "linalg/state_space.h"
#include "system/linear.h"
#include "system/redundancy.h"

#include <math.h>
#include <string.h>

enum { MOST_FREEDOM = 1000 };
#define DEPENDENT 1e-10 // what of a coordinate must not be in those before it
#define CLOSES 1e-8     // what may be left of a rate beside the coordinates, by its parts
#define ROUNDING 1e-11  // of these, against all of a row

typedef struct {
    hol_linear l; // first: what the caller sees
    hol_arena *arena;
} owner;

typedef struct {
    hol_context *ctx;
    hol_arena *arena; // of the result
    const hol_model_data *m;
    const hol_linearise *wanted;
    hol_equations *s;
    hol_kernel *k;
    hol_state *x;
    hol_reduced r;
    int base, drivers; // states p, w, X; drivers among the inputs, two states each
    int n, nu, ny;
    int n_xi; // of the user's states; 0: no coordinates
    double *N, *Z, *X,
        *change;       // by state, then by input           (nq + 1), (nq), (nx), (n of the system) x (n + nu)
    double *A, *B, *Y; // (n x n), (n x nu), (ny x (n + nu))
    double *T, *R, *value,
        *work;             // user's states and their rates, row by row: (n_xi x (n + nu)); values; (n + nu)
    double *size, *size_y; // what rows of R and Y are made of, without signs: (n_xi), (ny)
    double *memory;
} builder;

static size_t width(const builder *b) { return (size_t)(b->n + b->nu); }

// ---- directions -----------------------------------------------------------------------------------------------

// All arrays in one memory.
static hol_status make_room(builder *b)
{
    const size_t nq = (size_t)b->s->nq, nx = (size_t)b->s->nx, all = (size_t)b->s->n, n = (size_t)b->n,
                 nu = (size_t)b->nu, cols = n + nu, xi = (size_t)b->n_xi;
    const size_t sizes[] = {cols * (nq + 1),      cols * nq, cols * nx, cols * all, n * n,        n * nu,
                            (size_t)b->ny * cols, xi * cols, xi * cols, xi,         4 * cols + n, xi,
                            (size_t)b->ny};
    double **const parts[] = {&b->N, &b->Z, &b->X,     &b->change, &b->A,    &b->B,     &b->Y,
                              &b->T, &b->R, &b->value, &b->work,   &b->size, &b->size_y};
    size_t sum = 1;
    for (int i = 0; i < HOL_COUNT(sizes); i++) sum += sizes[i];
    double *at = b->memory = hol_calloc(b->ctx, sum, sizeof *at);
    if (!at) return HOL_ERR_MEMORY;
    for (int i = 0; i < HOL_COUNT(sizes); i++) *parts[i] = at, at += sizes[i];
    return HOL_OK;
}

static double *change_of(const builder *b, int c) { return b->change + (size_t)c * (size_t)b->s->n; }

// Accelerations and multipliers of a direction, whose right-hand side has more than it gives in a row.
static hol_status solve_direction(builder *b, int c, int row, double more)
{
    if (row >= 0) change_of(b, c)[b->s->nf + row] += more;
    return hol_kernel_solve(b->k, 1, change_of(b, c));
}

// The two states and the input of a driver: its row is Phi + P u, its rate has P' u + P u', its acceleration P'' u + 2 P' u' + P u''.
static hol_status add_driver(builder *b, const hol_port *port, int state, int input)
{
    const hol_element *e = &b->s->m->element[port->driver];
    const size_t nq = (size_t)b->s->nq;
    double P[3], *forces = change_of(b, state), *n = b->N + (size_t)state * (nq + 1),
                 *z = b->Z + (size_t)state * nq;
    double *held = hol_calloc(b->ctx, (size_t)(b->s->n + b->s->nc) + 1, sizeof *held);
    if (!held) return HOL_ERR_MEMORY;
    double *rows = held + b->s->n;
    const int row = hol_linear_driver(b->s, b->x, e, P, held);
    if (row < 0) {
        hol_free(held);
        return hol_fail(b->ctx, HOL_ERR_USAGE,
                        "linearise.inputs: what the driver \"%s\" holds is held by others too: it is "
                        "redundant and cannot "
                        "be moved",
                        port->name);
    }
    for (int i = 0; i < 3; i++) P[i] *= port->sign;
    rows[row] = -P[0];
    hol_status st = hol_kernel_lift(&b->r.positions, b->s->nc, rows, n);
    if (!st) st = hol_reduced_follow_driven(&b->r, b->x, n, row, -P[1], z);
    if (!st) {
        hol_linear_accelerations(b->s, b->x, 1, n, z, NULL, forces);
        for (int i = 0; i < b->s->n; i++) forces[i] += port->sign * held[i];
        st = solve_direction(b, state, row, -P[2]);
    }
    hol_free(held);
    n += nq + 1;
    z += nq;
    if (!st) st = hol_reduced_follow_driven(&b->r, b->x, n, row, -P[0], z);
    if (st) return st;
    hol_linear_accelerations(b->s, b->x, 1, n, z, NULL, change_of(b, state + 1));
    st = solve_direction(b, state + 1, row, -2 * P[1]);
    return st ? st : solve_direction(b, b->n + input, row, -P[0]);
}

// The number of an input among those that programs set.
static int number_of(const hol_model_data *m, int held)
{
    int i = 0;
    while (hol_model_input(m, i) != held) i++;
    return i;
}

// Those of A are there; drivers and inputs are solved for.
static hol_status find_directions(builder *b)
{
    const hol_reduced *r = &b->r;
    const size_t nq = (size_t)b->s->nq, base = (size_t)b->base;
    hol_status st = HOL_OK;
    memcpy(b->N, r->dq, base * (nq + 1) * sizeof *b->N);
    memcpy(b->Z, r->dv, base * nq * sizeof *b->Z);
    memcpy(b->X, r->dX, base * (size_t)b->s->nx * sizeof *b->X);
    memcpy(b->change, r->out, base * (size_t)b->s->n * sizeof *b->change);
    for (int i = 0, state = b->base; i < b->nu && !st; i++) {
        const hol_port *p = &b->wanted->input[i];
        if (p->driver >= 0) {
            st = add_driver(b, p, state, i);
            state += 2;
        } else {
            hol_linear_inputs(b->s, b->x, number_of(b->m, p->held), 1, change_of(b, b->n + i));
            st = hol_kernel_solve(b->k, 1, change_of(b, b->n + i));
        }
    }
    return st;
}

// ---- matrices of the program's own coordinates ----------------------------------------------------------------

// p' is the part of the change of velocities along N; w' and X' are parts of the changes.
static void take_column(const builder *b, int c, double *column)
{
    const hol_reduced *r = &b->r;
    const size_t nq = (size_t)b->s->nq;
    hol_reduced_take(r, change_of(b, c), column);
    for (int i = 0; i < r->d; i++)
        for (size_t k = 0; k < nq; k++) column[i] += r->WN[(size_t)i * nq + k] * b->Z[(size_t)c * nq + k];
}

// A is that of the base, with what drivers add; a driver's two states are a value and its rate.
static void find_matrices(builder *b)
{
    const size_t n = (size_t)b->n;
    for (int c = 0; c < b->base; c++)
        memcpy(b->A + (size_t)c * n, b->r.A + (size_t)c * (size_t)b->base, (size_t)b->base * sizeof *b->A);
    for (int c = b->base; c < b->n; c++) take_column(b, c, b->A + (size_t)c * n);
    for (int i = 0; i < b->nu; i++) take_column(b, b->n + i, b->B + (size_t)i * n);
    for (int i = 0, state = b->base; i < b->nu; i++) {
        if (b->wanted->input[i].driver < 0) continue;
        b->A[(size_t)(state + 1) * n + (size_t)state] = 1;
        b->B[(size_t)i * n + (size_t)(state + 1)] = 1;
        state += 2;
    }
}

// ---- outputs --------------------------------------------------------------------------------------------------

// Reactions that redundant rows share have no value of their own.
static hol_status check_reactions(const builder *b, const hol_rank *rank)
{
    hol_redundancies found;
    if (!rank->n_redundant) return HOL_OK;
    hol_status st = hol_redundancy_find(b->ctx, b->s->m, b->x, rank, false, &found);
    if (st) return st;
    for (int i = 0; i < b->ny && !st; i++) {
        const hol_equation *e = &b->wanted->output[i];
        for (int k = 0; k < e->n_leaves && !st; k++) {
            const hol_leaf *l = &e->leaf[k];
            const int first = l->component < 6 ? l->component : 3 * (l->component - 6),
                      last = l->component < 6 ? first : first + 2;
            for (int c = first; c <= last && l->kind == HOL_LEAF_REACTION && !st; c++)
                if (found.reaction[l->index][c] == HOL_SHARED ||
                    found.reaction[l->index][c] == HOL_NOT_EXAMINED)
                    st = hol_fail_at(b->ctx, HOL_ERR_USAGE, e->at,
                                     "%s: the reaction of \"%s\" is shared by redundant equations and has no "
                                     "changes of its "
                                     "own; `holonom check` shows which",
                                     e->path, b->s->m->element[l->index].name);
        }
    }
    hol_redundancy_destroy(&found);
    return st;
}

static double output_value(const builder *b, const hol_equation *e)
{
    return e->expr ? hol_equations_expression(b->s, b->x, e) : b->x->z[e->leaf[0].index];
}

// Row i of Y: by states, then by inputs.
static hol_status find_outputs(builder *b)
{
    for (int i = 0; i < b->ny; i++) {
        const hol_equation *e = &b->wanted->output[i];
        double *row = b->Y + i;
        b->size_y[i] =
            hol_linear_expression(b->s, b->x, e, b->n + b->nu, b->N, b->Z, b->X, b->change, row, b->ny);
        for (int k = 0; k < b->nu; k++)
            if (b->wanted->input[k].held >= 0)
                row[(size_t)(b->n + k) * (size_t)b->ny] +=
                    hol_linear_by_held(b->s, b->x, e, b->wanted->input[k].held);
        for (size_t c = 0; c < width(b); c++)
            if (!isfinite(row[c * (size_t)b->ny]))
                return hol_fail_at(b->ctx, HOL_ERR_INTEGRATION, e->at,
                                   "%s: \"%s\" has no finite derivatives at t = %.6g s", e->path, e->name,
                                   b->x->t);
    }
    return HOL_OK;
}

// ---- coordinates of the user ----------------------------------------------------------------------------------

static bool is_rate(const hol_element *e) { return e->type->rate != NULL; }

// Of states of the user: whose coordinate it is, and whether its rate; -1: a state X or of a driver.
typedef struct {
    int coordinate;
    bool rate;
} part;

static int positions(const hol_linearise *w)
{
    int n = 0;
    for (int i = 0; i < w->n_coordinates; i++) n += !is_rate(&w->coordinate[i]);
    return n;
}

static part part_of(const hol_linearise *w, int row)
{
    const int k = positions(w);
    if (row >= k) return row < k + w->n_coordinates ? (part){row - k, true} : (part){-1, false};
    int i = 0;
    for (int left = row; is_rate(&w->coordinate[i]) || left-- > 0;) i++;
    return (part){i, false};
}

// Rows of T and R: the states, and their rates.
static hol_status find_rows(builder *b)
{
    const hol_linearise *w = b->wanted;
    const size_t cols = width(b), k = (size_t)positions(w);
    double *const level[3] = {b->work, b->work + cols, b->work + 2 * cols};
    size_t y = 0;
    for (int i = 0; i < w->n_coordinates; i++) {
        const hol_element *e = &w->coordinate[i];
        const size_t rate = k + (size_t)i;
        double value[3] = {0};
        hol_linear_coordinate(b->s, b->x, e, (int)cols, b->N, b->Z, b->change, value, level, 1,
                              &b->size[rate]);
        if (!hol_all_finite(level[1], 2 * cols) || (!is_rate(e) && !hol_all_finite(level[0], cols)))
            return hol_fail_at(b->ctx, HOL_ERR_INTEGRATION, e->at,
                               "linearise.coordinates: \"%s\" has no finite derivatives at t = %.6g s",
                               e->name, b->x->t);
        memcpy(b->T + rate * cols, level[1], cols * sizeof *b->T);
        memcpy(b->R + rate * cols, level[2], cols * sizeof *b->R);
        b->value[rate] = value[1];
        if (is_rate(e)) continue;
        memcpy(b->T + y * cols, level[0], cols * sizeof *b->T);
        memcpy(b->R + y * cols, level[1], cols * sizeof *b->R);
        b->value[y++] = value[0];
    }
    const int first = b->r.d + b->r.e; // X and those of drivers
    for (int i = first; i < b->n; i++) {
        const size_t row = k + (size_t)(w->n_coordinates + i - first);
        b->T[row * cols + (size_t)i] = 1;
        for (int c = 0; c < b->n; c++)
            b->R[row * cols + (size_t)c] = b->A[(size_t)c * (size_t)b->n + (size_t)i];
        for (int c = 0; c < b->nu; c++)
            b->R[row * cols + (size_t)(b->n + c)] = b->B[(size_t)c * (size_t)b->n + (size_t)i];
    }
    return HOL_OK;
}

static double dot(size_t n, const double *a, const double *c)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * c[i];
    return sum;
}

static const char *state_text(const builder *b, int row)
{
    const part p = part_of(b->wanted, row);
    if (p.coordinate < 0) return b->m->state[row - positions(b->wanted) - b->wanted->n_coordinates].name;
    const hol_element *e = &b->wanted->coordinate[p.coordinate];
    return p.rate && !is_rate(e) ? hol_arena_print(b->arena, "the rate of %s", e->name) : e->name;
}

// T = L Q with orthonormal rows Q (n_xi x n), by Gram and Schmidt, twice; L (n_xi x n_xi, row by row).
static hol_status factor(const builder *b, double *Q, double *L)
{
    const size_t n = (size_t)b->n, m = (size_t)b->n_xi;
    for (size_t i = 0; i < m; i++) {
        double *q = Q + i * n;
        memcpy(q, b->T + i * width(b), n * sizeof *q);
        const double whole = sqrt(dot(n, q, q));
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < i; k++) {
                const double f = dot(n, q, Q + k * n);
                L[i * m + k] += f;
                for (size_t j = 0; j < n; j++) q[j] -= f * Q[k * n + j];
            }
        const double size = sqrt(dot(n, q, q));
        if (!(size > DEPENDENT * whole))
            return hol_fail(
                b->ctx, HOL_ERR_USAGE,
                whole > 0
                    ? "linearise.coordinates: %s depends on the coordinates before it: leave one of them out"
                    : "linearise.coordinates: %s does not change with the motion: the joints hold it",
                state_text(b, (int)i));
        L[i * m + i] = size;
        for (size_t j = 0; j < n; j++) q[j] /= size;
    }
    return HOL_OK;
}

// The coordinate of a body that a direction of the base moves the most, against its size.
static const char *moved(const builder *b, const double *direction)
{
    const size_t nq = (size_t)b->s->nq;
    const char *unit, *name = NULL;
    double most = 0;
    for (int i = 0; i < b->s->m->n_bodies; i++)
        for (int j = 0; j < b->s->m->body[i].size; j++) {
            const size_t at = (size_t)(b->s->m->body[i].q + j);
            double dq = 0, dv = 0;
            for (int c = 0; c < b->n; c++) {
                dq += b->N[(size_t)c * (nq + 1) + at] * direction[c];
                dv += b->Z[(size_t)c * nq + at] * direction[c];
            }
            const double size = fmax(fabs(dq), fabs(dv) * b->s->m->time_scale) / b->s->q_size[at];
            if (!(size > most * (1 + 1e-9))) continue;
            most = size;
            name = hol_arena_print(b->arena, "%s%s.%s",
                                   fabs(dq) >= fabs(dv) * b->s->m->time_scale ? "" : "the velocity of ",
                                   b->s->m->body[i].name, hol_model_coordinate_word(b->s->m, i, j, &unit));
        }
    for (int i = 0; i < b->s->nx && !name; i++)
        if (fabs(direction[b->r.d + b->r.e + i]) > 0) name = b->m->state[i].name;
    return name;
}

// The largest of a row and of the parts that it is made of, in a group of states.
static double size_of(const builder *b, size_t from, size_t to, const double *row, const double *by)
{
    double size = sqrt(dot(to - from, row + from, row + from));
    for (int k = 0; k < b->n_xi; k++) {
        const double *T = b->T + (size_t)k * width(b);
        size = fmax(size, fabs(by[k]) * sqrt(dot(to - from, T + from, T + from)));
    }
    return size;
}

// row (n) = by (n_xi) T: NULL, or on what it depends besides. made_of: see size.
static const char *express(const builder *b, const double *Q, const double *L, const double *row,
                           double made_of, double *by)
{
    const size_t n = (size_t)b->n, m = (size_t)b->n_xi, w = (size_t)b->r.d, X = w + (size_t)b->r.e;
    double *left = b->work;
    memcpy(left, row, n * sizeof *left);
    for (size_t k = 0; k < m; k++) {
        by[k] = dot(n, row, Q + k * n);
        for (size_t j = 0; j < n; j++) left[j] -= by[k] * Q[k * n + j];
    }
    for (size_t k = m; k-- > 0;) { // by L = its parts along Q
        by[k] /= L[k * m + k];
        for (size_t i = 0; i < k; i++) by[i] -= by[k] * L[k * m + i];
    }
    const size_t ends[] = {0, w, X, n};
    bool closed = true;
    const double whole = fmax(made_of, size_of(b, 0, n, row, by));
    for (int g = 0; g < 3; g++) {
        const size_t length = ends[g + 1] - ends[g];
        const double rest = sqrt(dot(length, left + ends[g], left + ends[g]));
        const bool nothing =
            rest <= fmax(CLOSES * size_of(b, ends[g], ends[g + 1], row, by), ROUNDING * whole);
        for (size_t j = ends[g]; j < ends[g + 1] && nothing; j++) left[j] = 0;
        closed = closed && nothing;
    }
    return closed ? NULL : moved(b, left);
}

// The state that a rate is, as of a coordinate; -1: none.
static int same_row(const builder *b, const double *row)
{
    for (int i = 0; i < b->n_xi; i++)
        if (memcmp(row, b->T + (size_t)i * width(b), (size_t)b->n * sizeof *row) == 0) return i;
    return -1;
}

// A, B, C and D by the user's coordinates, or which of them do not do.
static hol_status transform(builder *b, double *A, double *B, double *C, double *D)
{
    const size_t n = (size_t)b->n, m = (size_t)b->n_xi, nu = (size_t)b->nu, ny = (size_t)b->ny;
    if (m > n)
        return hol_fail(b->ctx, HOL_ERR_USAGE,
                        "linearise.coordinates: with their rates they are more than the %d states of the "
                        "motion: leave out "
                        "what others determine",
                        b->n);
    double *Q = hol_calloc(b->ctx, m * n + m * m + m + n + 1, sizeof *Q), *L = Q + m * n, *by = L + m * m,
           *row = by + m;
    hol_status st = Q ? factor(b, Q, L) : HOL_ERR_MEMORY;
    for (size_t i = 0; i < m && !st; i++) {
        const char *besides = express(b, Q, L, b->R + i * width(b), b->size[i], by);
        const int state = same_row(b, b->R + i * width(b));
        for (size_t k = 0; k < m && state >= 0; k++) by[k] = (int)k == state;
        if (besides)
            st = hol_fail(b->ctx, HOL_ERR_USAGE,
                          "linearise.coordinates do not close: the rate of %s depends on %s besides; name a "
                          "measure of it "
                          "too",
                          state_text(b, (int)i), besides);
        for (size_t k = 0; k < m; k++) A[k * m + i] = by[k];
        for (size_t k = 0; k < nu; k++) B[k * m + i] = b->R[i * width(b) + n + k];
    }
    for (size_t i = 0; i < ny && !st; i++) {
        const hol_equation *e = &b->wanted->output[i];
        for (size_t c = 0; c < n; c++) row[c] = b->Y[c * ny + i];
        const char *besides = express(b, Q, L, row, b->size_y[i], by);
        if (besides)
            st = hol_fail_at(
                b->ctx, HOL_ERR_USAGE, e->at,
                "%s: \"%s\" depends on %s besides the coordinates; name a measure of it among them", e->path,
                e->name, besides);
        for (size_t k = 0; k < m; k++) C[k * ny + i] = by[k];
        for (size_t k = 0; k < nu; k++) D[k * ny + i] = b->Y[(n + k) * ny + i];
    }
    hol_free(Q);
    return st;
}

// ---- the result -----------------------------------------------------------------------------------------------

static const char *keep(hol_arena *arena, const char *text)
{
    return hol_arena_copy(arena, text, strlen(text));
}

// "m/s" of m.
static const char *rate_unit(hol_arena *arena, const char *unit)
{
    return *unit ? hol_arena_print(arena, "%s/s", unit) : "";
}

// A state of the program's own, or of the user.
static bool name_base(const builder *b, int i, hol_linear_signal *out, hol_linear_kind *kind)
{
    const int d = b->r.d, X = d + b->r.e;
    *kind = i < d ? HOL_LINEAR_P : i < X ? HOL_LINEAR_W : HOL_LINEAR_STATE;
    out->unit = "";
    out->value = i < X ? (double)NAN : b->x->X[i - X];
    out->name = i < d   ? hol_arena_print(b->arena, "p%d", i + 1)
                : i < X ? hol_arena_print(b->arena, "w%d", i - d + 1)
                        : keep(b->arena, b->m->state[i - X].name);
    return out->name;
}

// A coordinate or rate that was named.
static bool name_own(const builder *b, int row, hol_linear_signal *out, hol_linear_kind *kind)
{
    const part p = part_of(b->wanted, row);
    const hol_element *e = &b->wanted->coordinate[p.coordinate];
    const char *unit = b->wanted->unit[p.coordinate];
    const bool derived = p.rate && !is_rate(e);
    *kind = p.rate ? HOL_LINEAR_RATE : HOL_LINEAR_POSITION;
    out->value = b->value[row];
    out->name = hol_arena_print(b->arena,
                                !derived                    ? "%s"
                                : strpbrk(e->name, "+-*/^") ? "(%s)'"
                                                            : "%s'",
                                e->name);
    out->unit = derived ? rate_unit(b->arena, unit) : keep(b->arena, unit);
    return out->name && out->unit;
}

// Names, units and values of the states.
static hol_status name_states(const builder *b, hol_linear *l)
{
    hol_linear_signal *x = hol_arena_alloc(b->arena, (size_t)l->n_x + 1, sizeof *x);
    hol_linear_kind *kind = hol_arena_alloc(b->arena, (size_t)l->n_x + 1, sizeof *kind);
    if (!x || !kind) return HOL_ERR_MEMORY;
    l->x = x;
    l->kind = kind;
    const int own = b->n_xi ? positions(b->wanted) + b->wanted->n_coordinates : 0,
              skip = b->n_xi ? b->r.d + b->r.e : 0;
    int n = 0;
    for (; n < own; n++)
        if (!name_own(b, n, &x[n], &kind[n])) return HOL_ERR_MEMORY;
    for (int i = skip; i < b->base; i++, n++)
        if (!name_base(b, i, &x[n], &kind[n])) return HOL_ERR_MEMORY;
    for (int i = 0; i < b->nu; i++) {
        const hol_port *p = &b->wanted->input[i];
        const char *unit = *p->unit == 'm' ? "m" : "rad";
        if (p->driver < 0) continue;
        for (int rate = 0; rate < 2; rate++, n++) {
            kind[n] = rate ? HOL_LINEAR_INPUT_RATE : HOL_LINEAR_INPUT;
            x[n] = (hol_linear_signal){hol_arena_print(b->arena, rate ? "%s'" : "%s", p->name),
                                       rate ? rate_unit(b->arena, unit) : unit, 0};
            if (!x[n].name || !x[n].unit) return HOL_ERR_MEMORY;
        }
    }
    return HOL_OK;
}

// And of inputs and outputs.
static hol_status name_ports(const builder *b, hol_linear *l)
{
    hol_linear_signal *u = hol_arena_alloc(b->arena, (size_t)(b->nu + b->ny) + 1, sizeof *u), *y = u + b->nu;
    if (!u) return HOL_ERR_MEMORY;
    l->u = u;
    l->y = y;
    for (int i = 0; i < b->nu; i++) {
        const hol_port *p = &b->wanted->input[i];
        const double value = p->held < 0 ? 0 : hol_held_value(&b->m->held[p->held], b->x->mem, b->x->t);
        u[i] = (hol_linear_signal){p->driver < 0 ? keep(b->arena, p->name)
                                                 : hol_arena_print(b->arena, "%s''", p->name),
                                   keep(b->arena, p->unit), value};
        if (!u[i].name || !u[i].unit) return HOL_ERR_MEMORY;
    }
    for (int i = 0; i < b->ny; i++) {
        const hol_equation *e = &b->wanted->output[i];
        y[i] = (hol_linear_signal){keep(b->arena, e->name), keep(b->arena, e->unit), output_value(b, e)};
        if (!y[i].name || !y[i].unit) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

// What was linearised, and the coordinates of its bodies.
static hol_status name_bodies(const builder *b, hol_linear *l)
{
    const hol_model_data *m = b->m;
    const char **coordinate = hol_arena_alloc(b->arena, (size_t)m->nq + 1, sizeof *coordinate),
               **unit = hol_arena_alloc(b->arena, (size_t)m->nq + 1, sizeof *unit);
    l->title = m->title ? keep(b->arena, m->title) : NULL;
    l->model = keep(b->arena, m->spec->file);
    if (!coordinate || !unit || (m->title && !l->title) || !l->model) return HOL_ERR_MEMORY;
    l->coordinate = coordinate;
    l->unit = unit;
    l->n_coordinates = m->nq;
    for (int k = 0; k < m->n_bodies; k++)
        for (int i = 0; i < m->body[k].size; i++) {
            const int at = m->body[k].q + i;
            const char *word = hol_model_coordinate_word(m, k, i, &unit[at]);
            if (!(coordinate[at] = hol_arena_print(b->arena, "%s.%s", m->body[k].name, word)))
                return HOL_ERR_MEMORY;
        }
    return HOL_OK;
}

// The matrices, in memory of the result.
static hol_status take_matrices(builder *b, hol_linear *l)
{
    const size_t n = (size_t)l->n_x, nu = (size_t)b->nu, ny = (size_t)b->ny, nq = (size_t)b->s->nq,
                 cols = (size_t)b->n;
    double *A = hol_arena_alloc(b->arena, 3 * n * n + n * nu + ny * n + 2 * ny * nu + 2 * n + 1, sizeof *A);
    if (!A) return HOL_ERR_MEMORY;
    double *B = A + n * n, *C = B + n * nu, *D = C + ny * n, *pole = D + ny * nu, *gain = pole + 2 * n,
           *vector = gain + ny * nu;
    l->A = A;
    l->B = B;
    l->C = C;
    l->D = D;
    l->pole_re = pole;
    l->pole_im = pole + n;
    l->gain = gain;
    l->vector_re = vector;
    l->vector_im = vector + n * n;
    hol_status st = HOL_OK;
    if (b->n_xi)
        st = transform(b, A, B, C, D);
    else {
        double *dq = hol_arena_alloc(b->arena, 2 * nq * cols + 1, sizeof *dq), *dv = dq + nq * cols;
        if (!dq) return HOL_ERR_MEMORY;
        l->dq = dq;
        l->dv = dv;
        for (size_t c = 0; c < cols; c++) memcpy(dq + c * nq, b->N + c * (nq + 1), nq * sizeof *dq);
        memcpy(dv, b->Z, nq * cols * sizeof *dv);
        memcpy(A, b->A, n * n * sizeof *A);
        memcpy(B, b->B, n * nu * sizeof *B);
        memcpy(C, b->Y, ny * n * sizeof *C);
        memcpy(D, b->Y + ny * n, ny * nu * sizeof *D);
    }
    const hol_state_space s = {l->n_x, b->nu, b->ny, A, B, C, D};
    if (!st) st = hol_state_space_poles(b->ctx, &s, pole, pole + n, vector, vector + n * n);
    if (!st) st = hol_state_space_gain(b->ctx, &s, pole, pole + n, gain);
    return st > 0 ? hol_fail(b->ctx, HOL_ERR_INTEGRATION,
                             "the eigenvalues are not found: LAPACK does not converge")
                  : st;
}

// Do coordinates and their rates stay as they are, and states of the user?
static bool is_steady(const builder *b, const hol_linear *l, const hol_balance *balance)
{
    const double T = b->m->time_scale;
    const int k = positions(b->wanted);
    if (!b->n_xi || balance->rate >= HOL_MODES_AT_REST) return false;
    for (int i = 0; i < b->wanted->n_coordinates; i++) {
        const hol_element *e = &b->wanted->coordinate[i];
        const double size = b->wanted->unit[i][0] == 'm' ? b->m->length_scale : 1;
        double value[3], ignored, *const level[3] = {b->work, b->work, b->work};
        hol_linear_coordinate(b->s, b->x, e, 0, b->N, b->Z, b->change, value, level, 1, &ignored);
        if (!is_rate(e) && fabs(value[1]) * T >= HOL_MODES_AT_REST * size) return false;
        if (fabs(value[2]) * T * (is_rate(e) ? 1 : T) >=
            HOL_MODES_AT_REST * fmax(size, fabs(b->value[k + i])))
            return false;
    }
    return l->n_x > 0;
}

// Whether anything moves, and what the eigenvalues are not then.
static void judge(builder *b, hol_linear *l)
{
    hol_balance balance;
    hol_equilibrium_judge(&b->r, b->x, b->work, &balance);
    l->equilibrium = balance.found || (balance.speed < HOL_MODES_AT_REST &&
                                       balance.acceleration < HOL_BALANCED && balance.rate < HOL_BALANCED);
    l->residual = balance.residual;
    l->speed = balance.speed;
    l->steady = is_steady(b, l, &balance);
    if (!l->equilibrium && !l->steady)
        l->warning = b->n_xi ? "the coordinates change at this state: the matrices are those of its "
                               "neighbourhood at this moment, "
                               "and their eigenvalues say nothing about stability"
                     : balance.speed >= HOL_MODES_AT_REST
                         ? "this state is in motion: A and its eigenvalues depend on the coordinates in "
                           "which they are computed, and "
                           "say nothing about stability, also where the motion is steady. Name coordinates "
                           "that are constant in it "
                           "(--coordinates)"
                         : "this state is not an equilibrium: A and its eigenvalues depend on the "
                           "coordinates in which they are "
                           "computed, and say nothing about stability. Use --equilibrium for the pose in "
                           "which the forces balance";
}

// ---- all of it ------------------------------------------------------------------------------------------------

// How many of all there are; room for them.
static hol_status count(builder *b)
{
    const hol_linearise *w = b->wanted;
    const int d = b->s->nq - b->s->nc;
    if (d > MOST_FREEDOM)
        return hol_fail(b->ctx, HOL_ERR_USAGE,
                        "%d degrees of freedom: A, B, C and D are made by dense matrices, up to %d", d,
                        MOST_FREEDOM);
    for (int i = 0; i < w->n_inputs; i++) {
        b->drivers += w->input[i].driver >= 0;
        if (w->input[i].driver >= 0 && !b->s->m->element[w->input[i].driver].n_rows)
            return hol_fail(b->ctx, HOL_ERR_USAGE,
                            "linearise.inputs: the driver \"%s\" is switched off at t = %.6g s",
                            w->input[i].name, b->x->t);
    }
    b->base = b->r.n;
    b->n = b->base + 2 * b->drivers;
    b->nu = w->n_inputs;
    b->ny = w->n_outputs;
    const int k = positions(w);
    b->n_xi = w->n_coordinates ? k + w->n_coordinates + b->n - b->r.d - b->r.e : 0;
    return make_room(b);
}

// At a state whose accelerations are known.
static hol_status find_there(builder *b, hol_rank *rank, const hol_linear_options *o, hol_linear *l)
{
    const bool large = b->s->nq - b->s->nc > MOST_FREEDOM;
    hol_status st = o->equilibrium && !large ? hol_equilibrium_go(b->ctx, b->k, rank, b->x) : HOL_OK;
    if (!st && !large) st = hol_reduced_create(b->ctx, b->k, o->metric == HOL_METRIC_NATURAL, &b->r);
    if (!st && b->r.s) st = hol_reduced_find(&b->r, b->x);
    if (!st) st = count(b);
    if (!st) st = check_reactions(b, rank);
    if (!st) st = find_directions(b);
    if (st > 0)
        st = hol_fail(b->ctx, HOL_ERR_INTEGRATION,
                      "nothing can be linearised at t = %.6g s: a singular pose, or the masses do not "
                      "determine the motion",
                      b->x->t);
    if (st) return st;
    find_matrices(b);
    st = find_outputs(b);
    if (!st && b->n_xi) st = find_rows(b);
    if (st) return st;
    l->time = b->x->t;
    l->metric = o->metric;
    l->n_x = b->n_xi ? b->n_xi : b->n;
    l->n_u = b->nu;
    l->n_y = b->ny;
    l->degrees_of_freedom = b->r.d;
    l->velocity_constraints = b->s->nk;
    st = take_matrices(b, l);
    if (!st) st = name_states(b, l);
    if (!st) st = name_ports(b, l);
    if (!st) st = name_bodies(b, l);
    if (!st) judge(b, l);
    return st;
}

hol_linear *hol_linear_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                            const hol_linear_options *o)
{
    owner *own = hol_calloc(ctx, 1, sizeof *own);
    if (!own) return NULL;
    builder b = {.ctx = ctx, .arena = own->arena = hol_arena_create(ctx), .m = m, .wanted = m->linearise};
    hol_moment at = {0};
    hol_status st =
        b.arena ? hol_moment_create(ctx, m, set, o->at, "nothing can be linearised", &at) : HOL_ERR_MEMORY;
    if (!st) {
        b.k = at.k;
        b.s = at.k->s;
        b.x = at.x;
        st = find_there(&b, at.rank, o, &own->l);
    }
    if (b.r.s) hol_reduced_destroy(&b.r);
    hol_free(b.memory);
    hol_moment_destroy(&at);
    if (!st) return &own->l;
    hol_linear_free(&own->l);
    return NULL;
}

void hol_linear_free(hol_linear *linear)
{
    if (!linear) return;
    owner *own = (owner *)linear;
    hol_arena_destroy(own->arena);
    hol_free(own);
}
