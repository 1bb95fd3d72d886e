// Accelerations and projections along the tree with exact loop multipliers (formula (15.8) in loop_solve.h): conjugate
// gradients, or A made and factored for few rows, or the joints' own matrix. docs/theory.md, section 15.5.
#include "recursion/loop_solve.h"
#include "linalg/dense.h"
#include "linalg/least.h"
#include "recursion/delassus.h"
#include "recursion/coordinates.h"
#include "recursion/spatial.h"
#include "recursion/joint_matrix.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_CORRECTIONS = 30 };
#define NEWTON 1e-4 // part of the error of the positions that the solver may leave
#define EXACT 1e-13 // the same of velocities

// ---- creation -------------------------------------------------------------------------------------------------

hol_status hol_loops_possible(hol_context *ctx, const hol_model_data *m, hol_obstacle *obstacle)
{
    hol_explicit users;
    for (int i = 0; i < m->n_elements; i++)
        if (m->element[i].n_rates) {
            *obstacle = (hol_obstacle){m->element[i].name, "it is a velocity constraint", m->element[i].at};
            return HOL_RECOVERABLE;
        }
    const hol_status st = hol_explicit_create(ctx, m, &users, obstacle);
    hol_explicit_destroy(&users);
    return st;
}

// Vectors of the loops and of the coordinates, and a dense matrix where the rows are few.
static hol_status make_room(hol_context *ctx, hol_loops *o)
{
    const size_t m = (size_t)o->size->n_loops, n = (size_t)o->size->n;
    const size_t dense = m <= HOL_LOOPS_DENSE && !o->joints ? m * m : 0;
    o->memory = hol_calloc(ctx, 6 * m + 3 * n + dense + 1, sizeof *o->memory);
    o->pivot = hol_calloc(ctx, m + 1, sizeof *o->pivot);
    if (!o->memory || !o->pivot) return HOL_ERR_MEMORY;
    double **const loop[] = {&o->mu, &o->b, &o->g, &o->p, &o->z, &o->d};
    double **const body[] = {&o->u, &o->w, &o->k};
    double *at = o->memory;
    for (int i = 0; i < HOL_COUNT(loop); i++, at += m) *loop[i] = at;
    for (int i = 0; i < HOL_COUNT(body); i++, at += n) *body[i] = at;
    if (o->joints) o->u = o->r->f;
    o->A = dense ? at : NULL;
    o->row_size = o->r->row_size;
    return dense ? hol_delassus_create(ctx, o->r, &o->delassus) : HOL_OK;
}

// x: where the forest is laid out, NULL: the joints stand alone.
static hol_status create(hol_context *ctx, hol_equations *s, const hol_state *x, const char *cut,
                         double accuracy, hol_loops *o)
{
    hol_obstacle obstacle;
    *o = (hol_loops){.s = s, .accuracy = accuracy};
    hol_status st = hol_explicit_create(ctx, s->m, &o->users, &obstacle);
    if (!st)
        st = x ? hol_forest_create_without(ctx, s->m, x->q, cut, &o->forest)
               : hol_forest_none(ctx, s->m, &o->forest);
    if (!st) st = hol_tree_create(ctx, s, &o->forest, &o->r);
    if (!st) o->size = hol_tree_sizes(o->r);
    return st;
}

hol_status hol_loops_create(hol_context *ctx, hol_equations *s, const hol_state *x, const char *cut,
                            double accuracy, hol_loops *o)
{
    const hol_status st = create(ctx, s, x, cut, accuracy, o);
    return st ? st : make_room(ctx, o);
}

hol_status hol_loops_create_joints(hol_context *ctx, hol_equations *s, double accuracy, double most_products,
                                   hol_loops *o)
{
    hol_status st = create(ctx, s, NULL, NULL, accuracy, o);
    if (!st) st = hol_joint_matrix_create(ctx, o->r, most_products, &o->joints);
    return st ? st : make_room(ctx, o);
}

void hol_loops_release(hol_loops *o)
{
    hol_delassus_destroy(o->delassus);
    hol_free(o->memory);
    hol_free(o->pivot);
    o->delassus = NULL;
    o->memory = NULL;
    o->pivot = NULL;
}

void hol_loops_destroy(hol_loops *o)
{
    hol_loops_release(o);
    hol_joint_matrix_destroy(o->joints);
    hol_tree_destroy(o->r);
    hol_forest_destroy(&o->forest);
    hol_explicit_destroy(&o->users);
    *o = (hol_loops){0};
}

void hol_loops_archive(hol_loops *o, hol_archive *a)
{
    hol_archive_numbers(a, o->mu, (size_t)o->size->n_loops);
    hol_archive_counts(a, &o->solves, 1);
    hol_archive_counts(a, &o->iterations, 1);
    hol_archive_flag(a, &o->refine);
}

// ---- A mu = b ----------------------------------------------------------------------------------------------------

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void swap(double *x, double *y)
{
    const double held = *x;
    *x = *y;
    *y = held;
}

// Rows and columns k and b > k change places; columns before k are factors.
static void exchange(hol_loops *o, double *A, const int m, int k, int b)
{
    const int held = o->pivot[k];
    o->pivot[k] = o->pivot[b];
    o->pivot[b] = held;
    swap(&A[k + k * m], &A[b + b * m]);
    for (int i = 0; i < k; i++) swap(&A[k + i * m], &A[b + i * m]);
    for (int i = k + 1; i < b; i++) swap(&A[i + k * m], &A[b + i * m]);
    for (int i = b + 1; i < m; i++) swap(&A[i + k * m], &A[i + b * m]);
}

// Factors L P L^T with pivots of A by columns, the largest diagonal entry first; what is left of a semi-definite matrix when
// all of them are rounding is left out. In the lower triangle, 1/P on the diagonal.
HOL_INLINE void factor_square(hol_loops *o, const int m)
{
    double *restrict A = o->A;
    const double *restrict size = o->row_size;
    double most = 0;
    int k = 0;
    for (int j = 0; j < m; j++) {
        for (int i = j; i < m; i++) A[i + j * m] *= size[i] * size[j];
        o->pivot[j] = j;
        most = A[j + j * m] > most ? A[j + j * m] : most;
    }
    for (; k < m; k++) {
        int best = k;
        double largest = A[k + k * m];
        for (int i = k + 1; i < m; i++)
            if (A[i + i * m] > largest) best = i, largest = A[i + i * m];
        if (!(largest > 4 * m * DBL_EPSILON * most)) break;
        if (best != k) exchange(o, A, m, k, best);
        double *restrict L = A + k * m;
        const double inverse = L[k] = 1 / largest;
        for (int j = k + 1; j < m; j++) {
            const double x = L[j] * inverse;
            for (int i = j; i < m; i++) A[i + j * m] -= L[i] * x;
            L[j] = x;
        }
    }
    o->rank = k;
}

// Small ones have sizes that the compiler knows.
static void factor_dense(hol_loops *o)
{
    switch (o->size->n_loops) {
    case 2: factor_square(o, 2); break;
    case 3: factor_square(o, 3); break;
    case 4: factor_square(o, 4); break;
    case 5: factor_square(o, 5); break;
    case 6: factor_square(o, 6); break;
    default: factor_square(o, o->size->n_loops);
    }
}

// n: of the rows that are not left out.
HOL_INLINE void solve_square(const hol_loops *o, const int m, const int n, const double *b, double *mu)
{
    const double *L = o->A;
    double y[HOL_LOOPS_DENSE];
    for (int i = 0; i < n; i++) y[i] = b[o->pivot[i]] * o->row_size[o->pivot[i]];
    for (int k = 0; k < n; k++, L += m)
        for (int i = k + 1; i < n; i++) y[i] -= L[i] * y[k];
    for (int k = n - 1; k >= 0; k--) {
        L -= m;
        double x = y[k] * L[k];
        for (int i = k + 1; i < n; i++) x -= L[i] * y[i];
        y[k] = x;
    }
    for (int i = 0; i < m; i++) mu[o->pivot[i]] = i < n ? y[i] * o->row_size[o->pivot[i]] : 0;
}

// mu = A^-1 b with the dense factors, small sizes by loops that the compiler knows.
static void solve_dense(const hol_loops *o, const double *b, double *mu)
{
    const int m = o->size->n_loops;
    switch (o->rank == m ? m : 0) {
    case 2: solve_square(o, 2, 2, b, mu); break;
    case 3: solve_square(o, 3, 3, b, mu); break;
    case 4: solve_square(o, 4, 4, b, mu); break;
    case 5: solve_square(o, 5, 5, b, mu); break;
    case 6: solve_square(o, 6, 6, b, mu); break;
    default: solve_square(o, m, o->rank, b, mu);
    }
}

// mu += what is missing of A mu = b, the residual g = b - A mu being given, and u -= K D^T of the change, until the residual
// is `part` of b in the preconditioner's norm, or no larger than `exact` by the rows' natural size.
static hol_status solve_gradients(hol_loops *o, const double *b, double *g, double part, double exact,
                                  double *mu, double *u)
{
    const int m = o->size->n_loops, n = o->size->n, most = 10 * m + 100;
    double *p = o->p, *z = o->z;
    memcpy(z, b, (size_t)m * sizeof *z);
    hol_tree_solve_blocks(o->r, z);
    const double enough = part * part * dot(m, b, z);
    memcpy(z, g, (size_t)m * sizeof *z);
    hol_tree_solve_blocks(o->r, z);
    double rho = dot(m, g, z), first = rho;
    memcpy(p, z, (size_t)m * sizeof *p);
    for (int k = 0; rho > enough && hol_tree_loop_norm(o->r, g) > exact; k++) {
        if (k == most) return rho <= 1e-6 * fmax(first, enough / (part * part)) ? HOL_OK : HOL_RECOVERABLE;
        hol_tree_operator(o->r, p, o->k, z);
        o->iterations++;
        const double curvature = dot(m, p, z);
        if (!(curvature > DBL_EPSILON * DBL_EPSILON * dot(m, p, p))) break; // the rest is in the null space
        const double a = rho / curvature;
        for (int i = 0; i < m; i++) mu[i] += a * p[i];
        for (int i = 0; i < m; i++) g[i] -= a * z[i];
        for (int i = 0; i < n; i++) u[i] -= a * o->k[i];
        memcpy(z, g, (size_t)m * sizeof *z);
        hol_tree_solve_blocks(o->r, z);
        const double next = dot(m, g, z), c = next / rho;
        rho = next;
        for (int i = 0; i < m; i++) p[i] = z[i] + c * p[i];
    }
    return isfinite(rho) ? HOL_OK : HOL_RECOVERABLE;
}

// Twists u of the force f and of the jump with D u + c given = 0, by multipliers mu, A mu = D u_free + c given, from the given
// ones. Both are exact enough for `part` and `exact` above. fresh: no factors of a dense A are there.
static hol_status solve(hol_loops *o, bool fresh, const double *f, const double *jump, double c,
                        const double *given, double part, double exact, double *mu, double *u)
{
    const int m = o->size->n_loops, n = o->size->n;
    double *b = o->b;
    o->solves++;
    if (o->A) {
        const hol_status st = hol_delassus_begin(o->delassus, fresh ? o->A : NULL, f, jump, u, b);
        if (st) return st;
        if (fresh) factor_dense(o);
        for (int i = 0; i < m; i++) b[i] += c * given[i];
        solve_dense(o, b, mu);
        hol_delassus_end(o->delassus, jump, mu, u);
        return isfinite(dot(m, mu, mu)) ? HOL_OK : HOL_RECOVERABLE;
    }
    hol_tree_apply(o->r, f, jump, u);
    hol_tree_loops_times(o->r, u, b);
    for (int i = 0; i < m; i++) b[i] += c * given[i];
    memcpy(o->g, b, (size_t)m * sizeof *o->g);
    if (dot(m, mu, mu) > 0) {
        hol_tree_operator(o->r, mu, o->k, o->z);
        for (int i = 0; i < m; i++) o->g[i] -= o->z[i];
        for (int i = 0; i < n; i++) u[i] -= o->k[i];
    }
    return solve_gradients(o, b, o->g, part, exact, mu, u);
}

// At a state that is placed, its rows too.
static hol_status factor(hol_loops *o)
{
    const hol_status st = hol_tree_factor(o->r);
    if (st) return st;
    if (o->A) {
        hol_delassus_matrix(o->delassus, o->A);
        factor_dense(o);
    } else
        hol_tree_factor_blocks(o->r);
    return HOL_OK;
}

// Everything that depends on the state, factored, but for a dense A: that is done on the way.
static hol_status prepare(hol_loops *o, const hol_state *x)
{
    hol_tree_set(o->r, x);
    hol_tree_bend_loops(o->r, x, NULL, NULL);
    return o->A ? HOL_OK : factor(o);
}

// ---- all joints cut -----------------------------------------------------------------------------------------------

// d <- A^-1 d and u -= M^-1 D^T d. fresh: by new factors of A, at a state that is placed. x, false: as hol_joint_matrix_take.
static bool correct(hol_loops *o, bool fresh, double *d, double *u, hol_state *x)
{
    if (fresh) {
        o->rank = hol_joint_matrix_factor(o->joints, d);
        hol_joint_matrix_solve_back(o->joints, d);
    } else
        hol_joint_matrix_solve(o->joints, d);
    o->solves++;
    return hol_joint_matrix_take(o->joints, d, u, x);
}

// b = D u - tau: what the accelerations u miss.
static void miss(const hol_loops *o, const double *u, double *b)
{
    const double *tau = o->r->tau;
    hol_tree_loops_times(o->r, u, b);
    for (int i = 0; i < o->size->n_loops; i++) b[i] -= tau[i];
}

enum { REFINEMENTS = 5 };

// What rounding leaves is looked at where the multipliers are wanted, once a step; from the first time on that it counts,
// everywhere.
static bool looks(const hol_loops *o, bool multipliers) { return multipliers || o->refine; }

// At a state that is prepared: in u the accelerations without joints, in mu what they miss. fresh: as above.
static hol_status accelerate_joints(hol_loops *o, bool fresh, hol_state *x, bool multipliers)
{
    const int m = o->size->n_loops;
    const bool look = looks(o, multipliers);
    const double enough = look ? o->accuracy * hol_tree_loop_norm(o->r, o->mu) : 0;
    bool finite = correct(o, fresh, o->mu, o->u, look ? NULL : x);
    double last = HOL_INF;
    for (int k = 0; k < REFINEMENTS && look; k++) {
        miss(o, o->u, o->d);
        const double left = hol_tree_loop_norm(o->r, o->d);
        if (left <= enough || !(left < 0.5 * last)) break;
        last = left;
        o->refine = true;
        correct(o, false, o->d, o->u, NULL);
        for (int i = 0; i < m; i++) o->mu[i] += o->d[i];
    }
    if (look) finite = hol_joint_matrix_put(o->joints, o->u, x);
    if (!finite) { // multipliers that are not leave their bodies so
        memset(o->mu, 0, (size_t)m * sizeof *o->mu);
        return HOL_RECOVERABLE;
    }
    if (multipliers) hol_tree_put_multipliers(o->r, o->mu, x);
    return HOL_OK;
}

static void look_at(hol_loops *o, const hol_state *x)
{
    hol_tree_place(o->r, x);
    hol_tree_set_loops(o->r, x);
}

// ---- accelerations ------------------------------------------------------------------------------------------------

// At a state that is prepared. fresh: as above.
static hol_status accelerate(hol_loops *o, bool fresh, hol_state *x, bool multipliers)
{
    const int m = o->size->n_loops;
    const hol_status st = solve(o, fresh, o->r->f, o->r->jump, -1, o->r->tau, o->accuracy, 0, o->mu, o->u);
    if (st) {
        memset(o->mu, 0, (size_t)m * sizeof *o->mu);
        return st;
    }
    hol_tree_put_accelerations(o->r, o->u, x);
    if (!multipliers) return HOL_OK;
    double *f = o->r->f;
    hol_tree_loops_force(o->r, -1, o->mu, f);
    hol_tree_find_multipliers(o->r, f, o->u);
    hol_tree_put_multipliers(o->r, o->mu, x);
    return HOL_OK;
}

// The multipliers are those of the joints.
static hol_status find_accelerations(hol_loops *o, hol_state *x, bool multipliers)
{
    o->s->count.residuals++, o->s->count.along_tree++;
    hol_status st = hol_explicit_evaluate(&o->users, o->s, x);
    if (!st && !o->size->n_loops) return hol_tree_accelerations(o->r, x, multipliers);
    if (st) return st;
    if (o->joints) {
        hol_joint_matrix_prepare(o->joints, x, looks(o, multipliers), o->mu);
        return accelerate_joints(o, true, x, multipliers);
    }
    st = prepare(o, x);
    return st ? st : accelerate(o, true, x, multipliers);
}

hol_status hol_loops_accelerations(hol_loops *o, hol_state *x, bool multipliers)
{
    const hol_status st = find_accelerations(o, x, multipliers);
    if (!st && !hol_all_finite(x->a, (size_t)o->s->nq))
        return HOL_RECOVERABLE; // here the force that is none can still be named
    if (!st && multipliers) hol_loops_complete(o, x);
    return st;
}

void hol_loops_complete(hol_loops *o, hol_state *x) { hol_tree_put_normalisations(o->r, x); }

// ---- projections --------------------------------------------------------------------------------------------------

// What is corrected: joint coordinates q and rates u of the tree, or, NULL, the bodies' own coordinates and velocities.
typedef struct joint_state {
    hol_coordinates *c;
    double *q, *u, *room; // room: (n_q + n_u)
} joint_state;

// What the joints are open by at x that look_at has seen, or the rates of that, in natural sizes.
static double opening(const hol_loops *o, const joint_state *to, const hol_state *x, bool velocity)
{
    const double loops = hol_tree_loop_norm(o->r, velocity ? o->r->rate : o->r->theta);
    if (o->joints || to) return loops;
    const double tree = hol_tree_gaps(o->r, x, velocity);
    return isfinite(tree + loops) ? fmax(velocity ? tree / o->s->m->time_scale : tree, loops) : HOL_INF;
}

// By the joints' own matrix, made at the positions; for velocities it is there. Into o->w as in `close_all`.
static void close_joints(hol_loops *o, bool velocity, bool fresh, const double *open)
{
    const size_t n = (size_t)o->size->n;
    if (fresh && !velocity) hol_joint_matrix_place(o->joints);
    memset(o->w, 0, n * sizeof *o->w);
    if (velocity) memcpy(o->w, o->r->nu, n * sizeof *o->w);
    memcpy(o->d, open, (size_t)o->size->n_loops * sizeof *o->d);
    correct(o, fresh, o->d, o->w, NULL);
}

// Into o->w twists of smallest energy that close what is open: the change of the positions, or the velocities then, or in joint
// coordinates their change, which keeps the joints of the tree whole. fresh: by new factors. part, exact: as in `solve`.
static hol_status close_all(hol_loops *o, const joint_state *to, bool velocity, bool fresh, double part,
                            double exact)
{
    const double *open = velocity ? o->r->rate : o->r->theta;
    if (o->joints) return close_joints(o, velocity, fresh, open), HOL_OK;
    hol_status st = fresh ? factor(o) : HOL_OK;
    if (st) return st;
    if (to) memset(o->r->u, 0, (size_t)o->size->n * sizeof *o->w);
    memset(o->d, 0, (size_t)o->size->n_loops * sizeof *o->d);
    st = solve(o, false, NULL, o->r->u, 1, open, part, exact, o->d, o->w);
    for (int i = 0; i < o->size->n && velocity && !to; i++) o->w[i] += o->r->nu[i];
    return st;
}

// Joint coordinates, or their rates, by the twists o->w.
static void move_joints(const hol_loops *o, const joint_state *to, bool velocity)
{
    const hol_coordinates_size *z = hol_coordinates_sizes(to->c);
    double *rate = to->room + z->n_q;
    hol_coordinates_velocities(to->c, o->w, rate);
    for (int i = 0; i < z->n_u && velocity; i++) to->u[i] += rate[i];
    if (velocity) return;
    hol_coordinates_rates(to->c, to->q, rate, to->room);
    for (int i = 0; i < z->n_q; i++) to->q[i] += to->room[i];
}

// What `close_all` has found, done; the rows are those of the new state.
static void move(hol_loops *o, const joint_state *to, bool velocity, hol_state *x)
{
    if (to) {
        move_joints(o, to, velocity);
        hol_coordinates_put(to->c, to->q, to->u, x);
    } else if (velocity)
        hol_tree_put_velocities(o->r, o->w, x);
    else
        hol_tree_move(o->r, 1, o->w, x);
    look_at(o, x);
}

// Newton's method in the metric of the masses, down to rounding: near a singular pose what is left is divided by sigma^2. In
// joint coordinates, and with the joints' own matrix, the factors are those of the start, made anew where that is slow;
// *fresh: there are none. Leaves the rows at x.
static hol_status settle_positions(hol_loops *o, const joint_state *to, hol_state *x, bool *fresh)
{
    const bool always = !o->joints && !to;
    const double exact = (always ? 1 : 4) * DBL_EPSILON * fmax(1, hol_equations_coordinate_norm(o->s, x->q));
    double last = HOL_INF;
    look_at(o, x);
    for (int k = 0; k < MAX_CORRECTIONS; k++) {
        const double size = opening(o, to, x, false);
        if (!isfinite(size)) return HOL_RECOVERABLE;
        if (size <= exact || (size <= 100 * exact && size > 0.5 * last)) return HOL_OK;
        if (k > 2 && size > 0.5 * last) return HOL_RECOVERABLE;
        *fresh = always || k == 0 || size > 0.1 * last;
        const hol_status st = close_all(o, to, false, *fresh, NEWTON, 0.1 * exact);
        if (st) return st;
        *fresh = false;
        move(o, to, false, x);
        last = size;
    }
    return HOL_RECOVERABLE;
}

// Velocities put onto the joints and loops, again until rounding is reached. *fresh: there are no factors yet.
static hol_status settle_velocities(hol_loops *o, const joint_state *to, hol_state *x, bool *fresh)
{
    const double exact =
        8 * DBL_EPSILON * fmax(1 / o->s->m->time_scale, hol_equations_coordinate_norm(o->s, x->v));
    double last = HOL_INF;
    for (int k = 0; k < REFINEMENTS; k++, *fresh = false) {
        const double size = opening(o, to, x, true);
        if (!isfinite(size)) return HOL_RECOVERABLE;
        if (size <= exact || size > 0.5 * last) return HOL_OK;
        const hol_status st = close_all(o, to, true, *fresh, EXACT, exact);
        if (st) return st;
        move(o, to, true, x);
        last = size;
    }
    return HOL_OK;
}

// All by the same factors once the positions are there; the joints' own matrix is made there.
static hol_status settle_loops(hol_loops *o, hol_state *x)
{
    bool fresh = true;
    hol_status st = settle_positions(o, NULL, x, &fresh);
    if (!st && o->joints) hol_joint_matrix_place(o->joints);
    if (!st && !o->joints) st = factor(o);
    fresh = o->joints != NULL;
    if (!st) st = settle_velocities(o, NULL, x, &fresh);
    if (st) return st;
    o->s->count.residuals++, o->s->count.along_tree++;
    st = hol_explicit_evaluate(&o->users, o->s, x);
    if (st) return st;
    hol_tree_add_forces(o->r, x);
    if (!o->joints) return accelerate(o, false, x, true);
    hol_joint_matrix_move(o->joints, o->u);
    miss(o, o->u, o->mu);
    return accelerate_joints(o, fresh, x, true);
}

static hol_status settle_tree(hol_loops *o, hol_state *x)
{
    const double exact = 4 * DBL_EPSILON * fmax(1, hol_equations_coordinate_norm(o->s, x->q));
    hol_status st = hol_tree_project_positions(o->r, x, exact);
    if (!st) st = hol_tree_project_velocities(o->r, x);
    return st ? st : find_accelerations(o, x, true);
}

hol_status hol_loops_settle(hol_loops *o, hol_state *x)
{
    hol_tree_normalise(o->r, x);
    return o->size->n_loops || o->joints ? settle_loops(o, x) : settle_tree(o, x);
}

// In joint coordinates, with factors of the first pose as long as Newton's method converges well by them.
hol_status hol_coordinates_close(hol_coordinates *c, hol_loops *o, double *q, double *u, double *room,
                                 hol_state *x)
{
    const joint_state to = {c, q, u, room};
    bool fresh = true;
    hol_coordinates_put(c, q, u, x);
    const hol_status st = settle_positions(o, &to, x, &fresh);
    return st ? st : settle_velocities(o, &to, x, &fresh);
}

const double *hol_loops_found(const hol_loops *o) { return o->size->n_loops ? o->u : NULL; }

// ---- what it costs -----------------------------------------------------------------------------------------------

enum { USUAL = 15 }; // conjugate gradients to a millionth

// Bodies by section 14.3: factors 70 and 370, an application 40 and 130.
double hol_loops_operations(const hol_loops *o)
{
    if (o->joints) return hol_joint_matrix_operations(o->joints);
    const double n = o->s->m->n_bodies, m = o->size->n_loops, d = o->size->d;
    const double factor = d == 3 ? 70 : 370, apply = d == 3 ? 40 : 130;
    return n * (factor + apply * (2 + (o->A ? m : m > 0 ? USUAL : 0))) + (o->A ? m * m * m / 3 : 0);
}

bool hol_loops_blind(const hol_loops *o) { return o->size->n_loops > 0 && !o->A && !o->joints; }

// ---- how singular ------------------------------------------------------------------------------------------------

static hol_status solve_rows(void *with, double *x)
{
    hol_loops *o = with;
    if (o->joints)
        hol_joint_matrix_solve(o->joints, x);
    else
        solve_dense(o, x, x);
    return HOL_OK;
}

double hol_loops_distance(hol_loops *o)
{
    const int m = o->size->n_loops;
    if ((!o->A && !o->joints) || !m) return HOL_INF;
    return o->rank < m ? 0 : hol_least_root(m, o->row_size, o->b, solve_rows, o);
}

double hol_loops_independence(const hol_loops *o)
{
    const int m = o->size->n_loops;
    double least = 1;
    if (!o->A || o->rank < m) return 0;
    for (int k = 0; k < m; k++) {
        const double *L = o->A + k, pivot = 1 / L[k * m];
        double whole = pivot;
        for (int c = 0; c < k; c++) whole += L[c * m] * L[c * m] / o->A[c + c * m];
        least = fmin(least, pivot / whole);
    }
    return sqrt(least);
}
