// Inverse dynamics (docs/theory.md, section 21). Let lam_d be the multipliers of the drivers, which hold the motion, u the inputs:
//
//     lam_d(u) = 0,     minimise sum w_j u_j^2,     least_j <= u_j <= most_j                                          (21.1)
//     G = d lam_d / du by S (a_u; z_u; lam_u) = (Q_u; E_u; 0),     G (u + du) = G u - lam_d                               (21.2)
//
// Newton's method, one step where forces are linear in u. Each row of G is the force that a driver is relieved of.
#include "system/actuate.h"
#include "element/coordinate.h"
#include "linalg/dense.h"
#include "system/balance.h"
#include "system/linear.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 12, MOST_TURNS = 10 };
#define RELIEVED 1e-12 // part of the largest force that a driver may still give
#define GIVEN 1e-9     // part of the largest force that may be missing
#define PENALTY 1e5    // against the weights, where G is 1
#define FLAT 1e-11     // singular values of G below this part of the largest: actuators that do not help

// A driver, or a constraint that is named as one.
static bool prescribes(const hol_model_data *m, const hol_element *e)
{
    const hol_spec_inverse *o = &m->spec->inverse;
    bool named = e->type->role == HOL_ROLE_DRIVER;
    for (int i = 0; i < o->n_drives && e->type->role == HOL_ROLE_CONSTRAINT && !named; i++)
        named = strcmp(o->drives[i].name, e->name) == 0;
    return named;
}

// Rows of the drivers, room, and the numbers of who asks.
hol_status hol_actuators_create(hol_context *ctx, const hol_model_data *m, int n, const int *input,
                                const double *weight, const double *least, const double *most,
                                hol_actuators *a)
{
    *a = (hol_actuators){.n = n};
    a->row = hol_calloc(ctx, (size_t)m->nc + 2 * (size_t)n + 1, sizeof *a->row);
    if (!a->row) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_elements; i++)
        for (int r = 0; r < m->element[i].n_rows && prescribes(m, &m->element[i]); r++)
            a->row[a->n_rows++] = m->element[i].row + r;
    const size_t rows = (size_t)a->n_rows, count = (size_t)n;
    const size_t unknowns = (size_t)(m->nq + m->n_equations + m->nc + m->nk);
    a->memory =
        hol_calloc(ctx, unknowns + 2 * rows * count + count * count + rows * rows + 8 * rows + 11 * count + 1,
                   sizeof *a->memory);
    if (!a->memory) return HOL_ERR_MEMORY;
    a->input = a->row + m->nc;
    a->weight = a->memory;
    a->least = a->weight + count;
    a->most = a->least + count;
    for (size_t j = 0; j < count; j++) {
        a->input[j] = input[j];
        a->weight[j] = weight ? weight[j] : 1;
        a->least[j] = least ? least[j] : -HOL_INF;
        a->most[j] = most ? most[j] : HOL_INF;
    }
    return a->n_rows
               ? HOL_OK
               : hol_fail(ctx, HOL_ERR_USAGE, "inverse dynamics: no driver says how the model is to move");
}

void hol_actuators_destroy(hol_actuators *a)
{
    hol_free(a->row);
    hol_free(a->memory);
    *a = (hol_actuators){0};
}

// Any bound?
static bool is_bounded(const hol_actuators *a)
{
    bool any = false;
    for (int j = 0; j < a->n; j++) any = any || a->least[j] > -HOL_INF || a->most[j] < HOL_INF;
    return any;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = hol_larger(fabs(x[i]), most); // a NaN stays
    return most;
}

static double *value_of(const hol_equations *s, const hol_state *x, int input)
{
    return x->mem + s->m->held[hol_model_input(s->m, input)].slot;
}

// Forces of the drivers by natural size, f (n_rows); returns the largest of all multipliers, `natural` at least.
static double forces_of_drivers(const hol_kernel *k, const hol_actuators *a, const hol_state *x,
                                double natural, double *f)
{
    const hol_equations *s = k->s;
    double most = natural;
    for (int i = 0; i < s->nc; i++) most = hol_larger(fabs(x->lam[i]) * s->row_size[i], most);
    for (int i = 0; i < a->n_rows; i++) {
        const int row = s->active[a->row[i]];
        f[i] = row >= 0 ? x->lam[row] * s->row_size[row] : 0;
    }
    return most;
}

// The largest force by natural size that moves a body by its natural size in the natural time: less than a part of it is rounding. The
// mass matrix is that of the kernel.
static double natural_force(const hol_kernel *k)
{
    const hol_equations *s = k->s;
    const double *S = hol_kkt_values(k->A);
    double most = 0;
    for (int i = 0; i < s->nq; i++)
        most = hol_larger(fabs(S[s->diagonal[i]]) * s->q_size[i] * s->q_size[i], most);
    return most / (s->m->time_scale * s->m->time_scale);
}

// An actuator that acts on joints alone, but for rounding, has no lever: its column (n_rows) becomes 0. lam: the multipliers that a unit of it
// changes.
static void drop_rounding(const hol_equations *s, const hol_actuators *a, const double *lam, double *column)
{
    double most = 0;
    for (int i = 0; i < s->nc; i++) most = hol_larger(fabs(lam[i]) * s->row_size[i], most);
    if (largest(column, a->n_rows) <= FLAT * most) memset(column, 0, (size_t)a->n_rows * sizeof *column);
}

// G (n_rows x n) by natural size of the rows, at x, whose accelerations have been found.
static hol_status find_gains(hol_kernel *k, const hol_actuators *a, const hol_state *x, double *G,
                             double *room)
{
    hol_equations *s = k->s;
    hol_status st = hol_kernel_set_mass(k, x); // with the users' unknowns of x
    for (int j = 0; j < a->n && !st; j++) {
        hol_linear_inputs(s, x, a->input[j], 1, room);
        st = hol_kernel_solve(k, 1, room);
        double *column = G + (size_t)j * (size_t)a->n_rows;
        for (int i = 0; i < a->n_rows && !st; i++) {
            const int row = s->active[a->row[i]];
            column[i] = row >= 0 ? room[s->nf + row] * s->row_size[row] : 0;
        }
        if (!st) drop_rounding(s, a, room + s->nf, column);
    }
    return st;
}

// ' ("w" has no lever there)', of the first one like that.
static void name_without_lever(const hol_equations *s, const hol_actuators *a, const double *G, char *text,
                               size_t room)
{
    text[0] = 0;
    for (int j = 0; j < a->n; j++) {
        if (largest(G + (size_t)j * (size_t)a->n_rows, a->n_rows) > 0) continue;
        hol_decimal_print(text, room, " (\"%.60s\" has no lever there)",
                          s->m->held[hol_model_input(s->m, a->input[j])].name);
        return;
    }
}

// Refuses what is missing, (n_rows) by natural size, with the driver that lacks the most.
static hol_status fail_missing(hol_equations *s, const hol_actuators *a, const hol_state *x, const double *G,
                               const double *missing)
{
    int worst = 0;
    const char *name;
    char without[100];
    hol_real y[HOL_MAX_Y], w[HOL_MAX_Y], phi[HOL_MAX_ROWS];
    for (int i = 1; i < a->n_rows; i++)
        if (fabs(missing[i]) > fabs(missing[worst])) worst = i;
    const int row = a->row[worst];
    const hol_element *e = &s->m->element[s->m->row_element[row]];
    const hol_row what = hol_model_row(s->m, row, &name);
    double force = -missing[worst] / s->row_size[s->active[row]];
    if (e->type->role == HOL_ROLE_DRIVER) {
        const hol_prim *prim = ((const hol_prims *)e->data)->p;
        hol_element_gather(s->m, e, x->t, x->q, x->v, 1, y, w);
        e->type->phi(e->data, e->ny, y, x->mem + e->mem, phi, NULL);
        const double value = hol_prim_value(prim, e->ny, y, hol_re(phi[0]), hol_driven_angle(e, x->t));
        force *= hol_prim_value_slope(prim, e->ny, y, value) * hol_driven_sign(e);
    }
    name_without_lever(s, a, G, without, sizeof without);
    return hol_fail_at(
        s->ctx, HOL_ERR_USAGE, e->at,
        "inverse dynamics: at t = %.6g s the motion needs %.10g %s more of %s \"%s\", which no actuator "
        "gives%s%s: choose another one too, let this motion free, or take the nearest accelerations "
        "(project)",
        x->t, force, what.is_length ? "N" : "N m", e->type->role == HOL_ROLE_DRIVER ? "driver" : "constraint",
        e->name, is_bounded(a) ? " within its bounds" : "", without);
}

// The inputs u (n) of least weighted squares with G u = b, those of `held` staying as they are; missing = G u - b.
static hol_status least_squares(hol_equations *s, const hol_actuators *a, const double *G, const double *b,
                                const char *held, double *u, double *missing, double *room)
{
    const size_t rows = (size_t)a->n_rows, n = (size_t)a->n;
    double *A = room, *x = A + rows * n;
    int rank;
    memcpy(x, b, rows * sizeof *x);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < rows; i++) {
            A[j * rows + i] = held[j] ? 0 : G[j * rows + i] / sqrt(a->weight[j]);
            if (held[j]) x[i] -= G[j * rows + i] * u[j];
        }
    const hol_status st = hol_dense_least_norm(s->ctx, a->n_rows, a->n, A, x, FLAT, &rank);
    for (size_t j = 0; j < n && !st; j++)
        if (!held[j]) u[j] = x[j] / sqrt(a->weight[j]);
    for (size_t i = 0; i < rows; i++) {
        missing[i] = -b[i];
        for (size_t j = 0; j < n; j++)
            missing[i] += G[j * rows + i] * fmax(a->least[j], fmin(a->most[j], u[j]));
    }
    return st;
}

// Minimises |p (G u - b)|^2 + sum w_j u_j^2 over the inputs that are not held, into `to`.
static hol_status penalised(hol_equations *s, const hol_actuators *a, const double *G, const double *b,
                            double p, const char *held, const double *u, double *to, double *room)
{
    const size_t rows = (size_t)a->n_rows, n = (size_t)a->n, all = rows + n;
    double *A = room, *x = A + all * n;
    int rank;
    memset(A, 0, all * n * sizeof *A);
    memset(x, 0, all * sizeof *x);
    for (size_t i = 0; i < rows; i++) x[i] = p * b[i];
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < rows && held[j]; i++) x[i] -= p * G[j * rows + i] * u[j];
        for (size_t i = 0; i < rows && !held[j]; i++) A[j * all + i] = p * G[j * rows + i];
        A[j * all + rows + j] = sqrt(a->weight[j]);
    }
    const hol_status st = hol_dense_least_norm(s->ctx, (int)all, a->n, A, x, FLAT * FLAT, &rank);
    for (size_t j = 0; j < n; j++) to[j] = held[j] ? u[j] : x[j];
    return st;
}

// The part of the way from u to `to` that stays within the bounds, and the input that ends it; -1: all of it.
static double part_of_way(const hol_actuators *a, const char *held, const double *u, const double *to,
                          int *ends)
{
    double part = 1;
    *ends = -1;
    for (int j = 0; j < a->n; j++) {
        if (held[j] || (to[j] >= a->least[j] && to[j] <= a->most[j])) continue;
        const double bound = to[j] < a->least[j] ? a->least[j] : a->most[j],
                     there = (bound - u[j]) / (to[j] - u[j]);
        if (*ends >= 0 && there >= part) continue;
        part = there;
        *ends = j;
    }
    return part;
}

// The input that would rather leave its bound, by the slope of what is minimised; -1: none.
static int find_unwilling(const hol_actuators *a, const double *G, const double *b, double p,
                          const char *held, const double *u)
{
    const size_t rows = (size_t)a->n_rows;
    int found = -1;
    double most = 0;
    for (int j = 0; j < a->n; j++) {
        double slope = a->weight[j] * u[j], size = fabs(slope);
        for (size_t i = 0; i < rows; i++) {
            double missing = -b[i];
            for (int k = 0; k < a->n; k++) missing += G[(size_t)k * rows + i] * u[k];
            slope += p * p * G[(size_t)j * rows + i] * missing;
            size += fabs(p * p * G[(size_t)j * rows + i] * missing);
        }
        const double gain = u[j] <= a->least[j] ? -slope : slope;
        if (!held[j] || !(gain > fmax(most, GIVEN * size))) continue;
        most = gain;
        found = j;
    }
    return found;
}

// Which inputs stand at a bound: an active set, from a point within the bounds, G u = b by a penalty (C. Stark, R. Parker, Bounded-variable
// least squares, Computational Statistics 10, 1995).
static hol_status find_held(hol_equations *s, const hol_actuators *a, const double *G, const double *b,
                            double *u, char *held, double *room)
{
    const size_t n = (size_t)a->n;
    double *to = room, gain = largest(G, a->n_rows * a->n), weight = largest(a->weight, a->n);
    const double p = gain > 0 ? PENALTY * sqrt(weight) / gain : 1;
    hol_status st = HOL_OK;
    for (size_t j = 0; j < n; j++) u[j] = fmax(a->least[j], fmin(a->most[j], 0));
    memset(held, 0, n);
    for (int turn = 0; turn < MOST_TURNS * a->n && !st; turn++) {
        int ends;
        st = penalised(s, a, G, b, p, held, u, to, room + n);
        const double part = part_of_way(a, held, u, to, &ends);
        for (size_t j = 0; j < n; j++) u[j] += part * (to[j] - u[j]);
        if (ends >= 0) {
            u[ends] = to[ends] < a->least[ends] ? a->least[ends] : a->most[ends];
            held[ends] = 1;
            continue;
        }
        const int leaves = find_unwilling(a, G, b, p, held, u);
        if (leaves < 0) break;
        held[leaves] = 0;
    }
    return st;
}

// Within the bounds; missing: what no input within them gives.
static hol_status choose(hol_equations *s, const hol_actuators *a, const double *G, const double *b,
                         double *u, double *missing, double *room)
{
    char *held = hol_calloc(s->ctx, (size_t)a->n + 1, 1);
    hol_status st = held ? HOL_OK : HOL_ERR_MEMORY;
    if (!st && is_bounded(a)) st = find_held(s, a, G, b, u, held, room);
    if (!st) st = least_squares(s, a, G, b, held, u, missing, room);
    for (int j = 0; j < a->n && !st; j++) u[j] = fmax(a->least[j], fmin(a->most[j], u[j])); // rounding
    hol_free(held);
    return st;
}

// Inputs that change nothing where they are 0 begin at 1. Is there one?
static bool leave_flat(const hol_equations *s, const hol_actuators *a, hol_state *x, const double *G)
{
    bool any = false;
    for (int j = 0; j < a->n; j++) {
        double *u = value_of(s, x, a->input[j]);
        if (*u != 0 || largest(G + (size_t)j * (size_t)a->n_rows, a->n_rows) > 0) continue;
        *u = fmax(a->least[j], fmin(a->most[j], a->most[j] > 0 ? 1 : -1));
        any = any || *u != 0;
    }
    return any;
}

#define ALIKE 1e-14 // squares of singular values below this part of the largest: rounding

// The largest singular value of G against the least, by those of G^T G or G G^T; infinite above 1e7.
static hol_status find_condition(hol_equations *s, const hol_actuators *a, const double *G, double *condition)
{
    const int rows = a->n_rows, n = a->n, least = rows < n ? rows : n;
    double *P = hol_calloc(s->ctx, (size_t)least * (size_t)(least + 1) + 1, sizeof *P),
           *value = P ? P + least * least : NULL;
    if (!P) return HOL_ERR_MEMORY;
    for (int i = 0; i < least; i++)
        for (int j = 0; j < least; j++)
            for (int k = 0; k < (n <= rows ? rows : n); k++)
                P[j * least + i] +=
                    n <= rows ? G[i * rows + k] * G[j * rows + k] : G[k * rows + i] * G[k * rows + j];
    const hol_status st = hol_dense_eigen_symmetric(s->ctx, least, P, false, value);
    const double small = st ? 0 : value[0], large = st ? 0 : value[least - 1];
    *condition = small > ALIKE * large ? sqrt(large / small) : HOL_INF;
    hol_free(P);
    return st > 0 ? HOL_RECOVERABLE : st;
}

// The masses that the drivers move, by natural size: what their forces change by unit accelerations of their rows, L L^T into L.
static hol_status find_masses(hol_kernel *k, const hol_actuators *a, double *L, double *room)
{
    const hol_equations *s = k->s;
    const int n = a->n_rows;
    for (int j = 0; j < n; j++) {
        const int row = s->active[a->row[j]];
        memset(room, 0, (size_t)s->n * sizeof *room);
        if (row >= 0) room[s->nf + row] = s->row_size[row];
        const hol_status st = hol_kernel_solve(k, 1, room);
        if (st) return st;
        for (int i = 0; i < n; i++) {
            const int to = s->active[a->row[i]];
            L[j * n + i] = to >= 0 && row >= 0 ? -room[s->nf + to] * s->row_size[to] : i == j;
        }
    }
    for (int j = 0; j < n; j++) {
        for (int k1 = 0; k1 < j; k1++)
            for (int i = j; i < n; i++) L[j * n + i] -= L[k1 * n + i] * L[k1 * n + j];
        if (!(L[j * n + j] > 0)) return HOL_RECOVERABLE; // masses do not determine the motion
        const double root = sqrt(L[j * n + j]);
        for (int i = j; i < n; i++) L[j * n + i] /= root;
    }
    return HOL_OK;
}

// L^-1 x, of each of the columns.
static void weigh(int n, const double *L, int columns, double *x)
{
    for (; columns > 0; columns--, x += n)
        for (int j = 0; j < n; j++) {
            x[j] /= L[j * n + j];
            for (int i = j + 1; i < n; i++) x[i] -= L[j * n + i] * x[j];
        }
}

// G and b as they count for the accelerations that are missed: L^-1 G, L^-1 b.
static hol_status weigh_masses(hol_kernel *k, const hol_actuators *a, double *G, double *b, double *room)
{
    double *L = hol_calloc(k->s->ctx, (size_t)a->n_rows * (size_t)a->n_rows + 1, sizeof *L);
    const hol_status st = L ? find_masses(k, a, L, room) : HOL_ERR_MEMORY;
    if (!st) {
        weigh(a->n_rows, L, a->n, G);
        weigh(a->n_rows, L, 1, b);
    }
    hol_free(L);
    return st;
}

// What follows from the inputs of x.
typedef hol_status hol_solve(hol_kernel *k, hol_state *x);

// The inputs of least cost that relieve the drivers of f, by G, into x.
static hol_status take_over(hol_kernel *k, const hol_actuators *a, hol_solve *solve, hol_state *x, double *G,
                            const double *f, double force)
{
    const size_t rows = (size_t)a->n_rows, n = (size_t)a->n;
    double *b = (double *)f + rows, *missing = b + rows, *u = missing + rows, *room = u + n;
    for (size_t r = 0; r < rows; r++) b[r] = -f[r];
    for (size_t j = 0; j < n; j++) {
        u[j] = *value_of(k->s, x, a->input[j]);
        for (size_t r = 0; r < rows; r++) b[r] += G[j * rows + r] * u[j];
    }
    hol_status st = a->project ? weigh_masses(k, a, G, b, room) : HOL_OK;
    if (!st) st = choose(k->s, a, G, b, u, missing, room);
    if (st) return st;
    if (!a->project && !(largest(missing, a->n_rows) <= GIVEN * fmax(force, largest(b, a->n_rows))))
        return fail_missing(k->s, a, x, G, missing);
    for (size_t j = 0; j < n; j++) *value_of(k->s, x, a->input[j]) = u[j];
    return solve(k, x);
}

// det G of a square G. A: room.
static double find_lever(const hol_equations *s, const hol_actuators *a, const double *G, double *A)
{
    const int n = a->n;
    int *pivot = a->input + n;
    double det = 1;
    if (n != a->n_rows) return 0;
    memcpy(A, G, (size_t)(n * n) * sizeof *A);
    if (hol_dense_lu_factor(s->ctx, n, A, pivot)) return 0;
    for (int j = 0; j < n; j++) det *= A[j * n + j] * (pivot[j] == j + 1 ? 1 : -1);
    return det;
}

void hol_actuators_tell_passage(const hol_equations *s, hol_actuators *a, double t)
{
    enum { MOST_TOLD = 3 };
    if (a->passed++ >= MOST_TOLD) return;
    hol_note(
        s->ctx, HOL_WARNING,
        "inverse dynamics: at t = %.9g s, between rows, %s%.60s%s no lever on the motion: what the motion "
        "needs there no actuator gives, and around that time %s without bound: choose another actuator%s",
        t, a->n == 1 ? "\"" : "",
        a->n == 1 ? s->m->held[hol_model_input(s->m, a->input[0])].name : "the actuators together",
        a->n == 1 ? "\" has" : " have", a->n == 1 ? "it grows" : "they grow",
        a->passed == MOST_TOLD ? "; so it is later" : "");
}

// Once, that the motion is not made by actuators alone.
static void tell_missing(hol_equations *s, hol_actuators *a)
{
    if (a->told || !(a->now.missing > GIVEN)) return;
    a->told = true;
    hol_note(
        s->ctx, HOL_NOTICE,
        "inverse dynamics: from t = %.6g s on actuators cannot make the motion: they give what brings the "
        "accelerations nearest to it, and drivers the rest (signal inverse.missing)",
        a->now.t);
}

// The forces of drivers after another choice; *changed: by how much one of them is another now.
static double find_forces_anew(const hol_kernel *k, const hol_actuators *a, const hol_state *x,
                               double natural, double *f, double *changed)
{
    double *before = f + a->n_rows; // which the choice needs no more
    memcpy(before, f, (size_t)a->n_rows * sizeof *f);
    const double force = forces_of_drivers(k, a, x, natural, f);
    *changed = 0;
    for (int r = 0; r < a->n_rows; r++) *changed = fmax(*changed, fabs(f[r] - before[r]));
    return force;
}

// Newton's method for the inputs of x.
static hol_status actuate(hol_kernel *k, hol_actuators *a, hol_solve *solve, hol_state *x)
{
    double *G = a->most + a->n, *f = G + (size_t)a->n_rows * (size_t)a->n,
           *room = f + 3 * (size_t)a->n_rows + (size_t)a->n; // for all unknowns, or G once more
    double natural = 0, force = forces_of_drivers(k, a, x, natural, f);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        hol_status st = find_gains(k, a, x, G, room);
        natural = natural_force(k);
        if (!st && i == 0 && leave_flat(k->s, a, x, G)) { // as of u^2 at 0, which has a slope elsewhere
            st = solve(k, x);
            forces_of_drivers(k, a, x, natural, f);
            if (!st) st = find_gains(k, a, x, G, room);
        }
        if (!st && i == 0) st = find_condition(k->s, a, G, &a->now.condition);
        if (!st && i == 0) a->now.lever = find_lever(k->s, a, G, room);
        if (!st) st = take_over(k, a, solve, x, G, f, fmax(force, natural));
        if (st) return st;
        double changed;
        force = find_forces_anew(k, a, x, natural, f, &changed);
        const double left = force > 0 ? largest(f, a->n_rows) / force : 0;
        const bool done = left <= RELIEVED || (a->project && changed <= RELIEVED * force);
        a->now.t = x->t;
        a->now.missing = left <= RELIEVED ? 0 : left;
        a->now.most = 0;
        for (int j = 0; j < a->n; j++) a->now.most = fmax(a->now.most, fabs(*value_of(k->s, x, a->input[j])));
        if (!done) continue;
        tell_missing(k->s, a);
        return HOL_OK;
    }
    return !a->project && largest(f, a->n_rows) <= GIVEN * force ? HOL_OK : HOL_RECOVERABLE;
}

hol_status hol_actuate(hol_kernel *k, hol_actuators *a, hol_state *x)
{
    return actuate(k, a, hol_solve_accelerations, x);
}

static hol_status balance(hol_kernel *k, hol_state *x)
{
    bool changed;
    return hol_balance(k, x, &changed);
}

hol_status hol_actuate_moving(hol_kernel *k, hol_actuators *a, hol_state *x)
{
    const hol_status st = actuate(k, a, balance, x);
    hol_kkt_forget_pivots(k->A);
    return st;
}
