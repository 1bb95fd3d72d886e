// Natural frequencies, damping ratios and mode shapes (docs/theory.md, section 13): the model at the start, or on the
// way at a time, linearised; symmetric stiffness without damping by a symmetric eigenproblem, all else by the general
// one, large models by modes_sparse.c.
#include "analysis/modes.h"
#include "analysis/contacts.h"
#include "analysis/equilibrium.h"
#include "analysis/first_events.h"
#include "analysis/modes_sparse.h"
#include "analysis/moment.h"
#include "analysis/omega.h"
#include "analysis/one_sided.h"
#include "analysis/separate.h"
#include "analysis/sticking.h"
#include "linalg/dense.h"
#include "linalg/graded.h"
#include "linalg/state_space.h"
#include "linalg/vector.h"
#include "system/fault.h"
#include "system/kernel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const hol_mode_words[] = {"rigid-body", "oscillation", "decay", "divergence", "real"};

enum {
    DENSE_FREEDOM = 300, // degrees of freedom up to which all modes are found
    MOST_DENSE = 1000,   // or, if many are wanted: half a minute and 0.3 GB
    MANY = 4,            // that is more than a fourth of them
    USUAL_COUNT = 20     // of large models
};
#define FLAT 1e-11       // singular values and eigenvalues of stiffness that count as 0, against the largest
#define RANK 1e-13       // the same where what is rounding is 0 already
#define SMALLEST 1e-2    // stiffness below which the largest is not a measure, by natural time
#define SYMMETRIC 1e-10  // what K_R may lack in symmetry
#define UNDAMPED 1e-13   // C_R against sqrt(K_R)
#define HIDDEN 1e-3      // of a frequency, what rounding may hide without a word
#define HIDDEN_ZERO 1e-2 // the same of one that is 0, by natural time
#define KNOWN 10         // times what rounding may make of the square of an eigenvalue that is told from 0
#define ALIKE 0.1        // part of a rigid motion that is none of others
#define ROUNDING 4e-16   // what remains of an eigenvalue 0, against the largest of all

typedef struct {
    hol_modes m; // first: what the caller sees
    hol_arena *arena;
} owner;

// Of what rounding may move the most: a frequency that is 0, or one that is not, by a part of itself.
typedef struct {
    double by;     // [rad/s], or a part of it [-]
    double re, im; // which
} hidden;

typedef struct {
    hol_context *ctx;
    hol_arena *arena;
    hol_reduced r;
    double scale;     // largest entry of K_R [1/s^2]
    double omega_max; // of a part; 0: the equations are complete
    double flat;      // eigenvalue of K_R that counts as 0 [1/s^2]
    double outside;   // see hol_modes
    hidden rigid, worst;
    bool kinks; // at the state, which are told
    int n, room;
    hol_mode *mode;
    double *p;       // of the mode at hand: real part and imaginary part of (p; w; X)       (2 x n)
    double *rigid_p; // orthonormal motions p of those that are rigid                     (d x n_rigid)
    int n_rigid;
} finder;

// ---- one mode -------------------------------------------------------------------------------------------------

// dq = N p, dX, of one of the two parts
static void expand(const finder *f, const double *p, double *shape, double *state)
{
    const hol_reduced *r = &f->r;
    const size_t nq = (size_t)r->s->nq;
    for (int j = 0; j < r->d; j++)
        for (size_t i = 0; i < nq; i++) shape[i] += r->N[(size_t)j * nq + i] * p[j];
    for (int k = 0; k < r->s->nx; k++) state[k] = p[r->d + r->e + k];
}

static void turn(int n, double *re, double *im, double c, double s)
{
    for (int i = 0; i < n; i++) {
        const double a = re[i], b = im[i];
        re[i] = c * a - s * b;
        im[i] = s * a + c * b;
    }
}

// Unit modal mass, or 1 as the largest state where no mass moves; the largest entry real and positive.
static hol_status normalise(const finder *f, hol_mode *mode)
{
    const hol_equations *s = f->r.s;
    const int nq = s->nq;
    double *Mu = hol_calloc(f->ctx, 2 * (size_t)nq + 1, sizeof *Mu), mass = 0, most = 0, re = 1, im = 0;
    if (!Mu) return HOL_ERR_MEMORY;
    hol_reduced_mass_times(&f->r, mode->shape_re, Mu);
    hol_reduced_mass_times(&f->r, mode->shape_im, Mu + nq);
    for (int k = 0; k < s->m->n_bodies; k++) {
        const hol_body *b = &s->m->body[k];
        for (int i = b->q; i < b->q + b->size; i++)
            mode->share[k] += mode->shape_re[i] * Mu[i] + mode->shape_im[i] * Mu[nq + i];
        mass += mode->share[k];
    }
    hol_free(Mu);
    for (int k = 0; k < s->m->n_bodies; k++) mode->share[k] = mass > 0 ? fmax(0, mode->share[k] / mass) : 0;
    const bool moves = mass > DBL_EPSILON * DBL_EPSILON;
    const int n = moves ? nq : s->nx;
    const double *x = moves ? mode->shape_re : mode->state_re, *y = moves ? mode->shape_im : mode->state_im;
    for (int i = 0; i < n; i++) {
        const double size = hypot(x[i], y[i]) / (moves ? s->q_size[i] : 1);
        if (!(size > most * (1 + 1e-9))) continue; // of equal ones the first
        most = size;
        re = x[i];
        im = y[i];
    }
    const double length = hypot(re, im),
                 factor = moves        ? 1 / sqrt(mass)
                          : length > 0 ? 1 / length
                                       : 1,
                 c = length > 0 ? factor * re / length : factor,
                 sine = length > 0 ? -factor * im / length : 0;
    if (!moves) memset(mode->share, 0, (size_t)s->m->n_bodies * sizeof *mode->share);
    turn(nq, mode->shape_re, mode->shape_im, c, sine);
    turn(s->nx, mode->state_re, mode->state_im, c, sine);
    return HOL_OK;
}

// Of a part: accelerations of the mode beyond the directions, against those of the mode, (omega^2 u).
static hol_status judge_part(finder *f, double square, const hol_mode *mode)
{
    hol_reduced *r = &f->r;
    const size_t nq = (size_t)r->s->nq;
    double beyond = 0, all = 0;
    double *da = hol_calloc(f->ctx, 2 * nq, sizeof *da), *Mda = da + nq;
    if (!da) return HOL_ERR_MEMORY;
    for (int part = 0; part < 2; part++) {
        const double *p = f->p + part * r->n, *u = part ? mode->shape_im : mode->shape_re;
        memset(da, 0, nq * sizeof *da);
        for (int j = 0; j < r->n; j++)
            for (size_t i = 0; i < nq && p[j] != 0; i++)
                da[i] += p[j] * r->out[(size_t)j * (size_t)r->s->n + i];
        const hol_status st = hol_reduced_project(r, da);
        for (int j = 0; j < r->e && !st; j++) {
            double sum = 0;
            for (size_t i = 0; i < nq; i++) sum += r->WV[(size_t)j * nq + i] * da[i];
            for (size_t i = 0; i < nq; i++) da[i] -= sum * r->V[(size_t)j * nq + i];
        }
        hol_reduced_mass_times(r, da, Mda);
        for (size_t i = 0; i < nq; i++) beyond += da[i] * Mda[i];
        hol_reduced_mass_times(r, u, Mda);
        for (size_t i = 0; i < nq; i++) all += u[i] * Mda[i];
        if (st) {
            hol_free(da);
            return st;
        }
    }
    hol_free(da);
    if (all > 0) f->outside = fmax(f->outside, sqrt(fmax(0, beyond) / all) / square);
    return HOL_OK;
}

// What rounding of stiff forces may make of the square of the eigenvalue whose vector is in f->p, (13.9); less than 0: it moves no body.
static double unsure_of(const finder *f)
{
    const hol_reduced *r = &f->r;
    double sum = 0, unsure = 0;
    for (int part = 0; part < 2; part++) {
        const double *p = f->p + part * r->n;
        unsure += hol_separate_unsure(r, p);
        for (int i = 0; i < r->d; i++) sum += p[i] * p[i];
    }
    return sum > 0 ? unsure / sum : -1;
}

// What rounding of stiff forces may make of a mode.
static void judge_rounding(finder *f, double re, double im)
{
    const hol_reduced *r = &f->r;
    const double square = re * re + im * im, unsure = unsure_of(f);
    if (unsure < 0 || (re != 0 && im == 0 && r->n != 2 * r->d)) return;
    const double by = square > 0 ? 0.5 * unsure / square : sqrt(unsure);
    hidden *most = square > 0 ? &f->worst : &f->rigid;
    if (by > most->by) *most = (hidden){by, re, im};
}

// re + i im with the vector in f->p; 0: rigid.
static hol_status add(finder *f, double re, double im)
{
    const hol_equations *s = f->r.s;
    const size_t nq = (size_t)s->nq, nx = (size_t)s->nx;
    const double none = (double)NAN;
    hol_mode *mode = hol_grow(f->ctx, f->mode, &f->room, f->n + 1, sizeof *mode);
    if (!mode) return HOL_ERR_MEMORY;
    f->mode = mode;
    mode += f->n++;
    *mode = (hol_mode){.re = re, .im = im, .omega = none, .frequency = none, .damping = none};
    mode->kind = im > 0   ? HOL_MODE_OSCILLATION
                 : re < 0 ? HOL_MODE_DECAY
                 : re > 0 ? HOL_MODE_DIVERGENCE
                          : HOL_MODE_RIGID;
    if (im > 0 || re == 0) {
        mode->omega = hypot(re, im);
        mode->frequency = mode->omega / (2 * HOL_PI);
    }
    if (im > 0) mode->damping = re == 0 ? 0 : -re / mode->omega;
    double *memory = hol_arena_alloc(f->arena, 2 * (nq + nx) + (size_t)s->m->n_bodies + 1, sizeof *memory);
    if (!memory) return HOL_ERR_MEMORY;
    mode->shape_re = memory;
    mode->shape_im = memory + nq;
    mode->state_re = memory + 2 * nq;
    mode->state_im = memory + 2 * nq + nx;
    mode->share = memory + 2 * (nq + nx);
    judge_rounding(f, re, im);
    expand(f, f->p, mode->shape_re, mode->state_re);
    expand(f, f->p + f->r.n, mode->shape_im, mode->state_im);
    const double square = re * re + im * im;
    const hol_status st = f->omega_max > 0 && square > 0 ? judge_part(f, square, mode) : HOL_OK;
    return st ? st : normalise(f, mode);
}

// ---- without damping: K_R is symmetric ------------------------------------------------------------------------

static double entry(const hol_reduced *r, int i, int j) { return r->A[(size_t)j * (size_t)r->n + (size_t)i]; }

static double noise(const hol_reduced *r, int i, int j)
{
    return r->noise ? r->noise[(size_t)j * (size_t)r->n + (size_t)i] : 0;
}

// Is the stiffness symmetric and nothing damped, so that the symmetric problem will do?
static bool is_undamped(const finder *f)
{
    const hol_reduced *r = &f->r;
    const int d = r->d;
    if (r->s->nx || r->s->nk) return false;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) {
            const double lacks = fabs(entry(r, d + i, j) - entry(r, d + j, i)),
                         stiff = sqrt(fabs(entry(r, d + i, i))) * sqrt(fabs(entry(r, d + j, j)));
            if (fabs(entry(r, d + i, d + j)) >
                    UNDAMPED * sqrt(r->noise ? stiff : f->scale) + noise(r, d + i, d + j) ||
                lacks > hol_separate_may_lack(r, i, j, SYMMETRIC, f->scale))
                return false;
        }
    return true;
}

// The symmetric problem: omega^2 > 0 a vibration, about 0 a rigid-body mode, < 0 a growing and a dying
// motion.
static hol_status find_undamped(finder *f)
{
    const hol_reduced *r = &f->r;
    const int d = r->d;
    const size_t square = (size_t)d * (size_t)d;
    double *K = hol_calloc(f->ctx, 2 * square + (size_t)d + 1, sizeof *K);
    if (!K) return HOL_ERR_MEMORY;
    double *vector = K + square, *value = vector + square;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++)
            K[(size_t)j * (size_t)d + (size_t)i] = -0.5 * (entry(r, d + i, j) + entry(r, d + j, i));
    hol_status st = HOL_OK;
    if (r->noise)
        st = hol_graded_eigen(d, K, value, vector);
    else {
        st = hol_dense_eigen_symmetric(f->ctx, d, K, true, value);
        vector = K;
    }
    for (int k = 0; k < d && !st; k++) {
        const double root = sqrt(fabs(value[k])), *u = vector + (size_t)k * (size_t)d;
        memset(f->p, 0, 2 * (size_t)r->n * sizeof *f->p);
        memcpy(f->p, u, (size_t)d * sizeof *u);
        if (fabs(value[k]) <= fmax(f->flat, hol_separate_unsure(r, u)))
            st = add(f, 0, 0);
        else if (value[k] > 0)
            st = add(f, 0, root);
        else {
            st = add(f, -root, 0);
            if (!st) st = add(f, root, 0);
        }
    }
    hol_free(K);
    return st;
}

// ---- with damping, states, velocity constraints ---------------------------------------------------------------

// A with times in units of 1/sqrt(scale), so that all entries compare; rows and columns of states by their largest. by: what columns were
// multiplied by (n).
static void fill_scaled(const finder *f, double *B, double *by)
{
    const hol_reduced *r = &f->r;
    const int d = r->d, e = r->e, n = r->n;
    const double omega = sqrt(f->scale);
    for (int j = 0; j < n; j++) by[j] = j >= d && j < d + e ? 1 : 1 / omega;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            B[(size_t)j * (size_t)n + (size_t)i] = entry(r, i, j) * by[j] / (i >= d && i < d + e ? omega : 1);
    for (int k = d + e; k < n; k++) {
        double row = 0, column = 0;
        for (int i = 0; i < n; i++) row = fmax(row, fabs(B[(size_t)i * (size_t)n + (size_t)k]));
        for (int i = 0; i < n && row > 0; i++) B[(size_t)i * (size_t)n + (size_t)k] /= row;
        for (int i = 0; i < n; i++) column = fmax(column, fabs(B[(size_t)k * (size_t)n + (size_t)i]));
        for (int i = 0; i < n && column > 0; i++) B[(size_t)k * (size_t)n + (size_t)i] /= column;
        if (column > 0) by[k] /= column;
    }
}

// Is the motion p (d) none of those that are known to be rigid? Then it is one of them now.
static bool is_new(finder *f, const double *p)
{
    const size_t d = (size_t)f->r.d;
    double *own = f->rigid_p + (size_t)f->n_rigid * d, size = 0, left = 0;
    if (f->n_rigid >= f->r.d) return false;
    memcpy(own, p, d * sizeof *own);
    for (size_t i = 0; i < d; i++) size += p[i] * p[i];
    for (int k = 0; k < 2 * f->n_rigid; k++) { // twice is enough
        const double *other = f->rigid_p + (size_t)(k % f->n_rigid) * d,
                     along = hol_vector_dot(f->r.d, own, other);
        for (size_t i = 0; i < d; i++) own[i] -= along * other[i];
    }
    for (size_t i = 0; i < d; i++) left += own[i] * own[i];
    if (!(left > ALIKE * ALIKE * size)) return false;
    for (size_t i = 0; i < d; i++) own[i] /= sqrt(left);
    f->n_rigid++;
    return true;
}

// The kernel of A: rigid motions and states that stay where they are.
static hol_status find_kernel(finder *f)
{
    const hol_reduced *r = &f->r;
    const int n = r->n;
    const size_t square = (size_t)n * (size_t)n;
    hol_dense_qr qr = {0};
    double *B = hol_calloc(f->ctx, 3 * square + 2 * (size_t)n + 1, sizeof *B);
    if (!B) return HOL_ERR_MEMORY;
    double *T = B + square, *basis = T + square, *by = basis + square;
    hol_status st = hol_dense_qr_create(f->ctx, &qr, n, n);
    if (!st) {
        if (r->noise) { // what is rounding is 0 already
            memcpy(B, r->A, square * sizeof *B);
            hol_graded_equilibrate(n, B, by + n, by);
        } else
            fill_scaled(f, B, by);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                T[(size_t)i * (size_t)n + (size_t)j] = B[(size_t)j * (size_t)n + (size_t)i];
            }
        st = hol_dense_qr_factor(f->ctx, &qr, n, n, T, r->noise ? RANK : FLAT);
    }
    const int count = st ? 0 : n - qr.rank;
    if (!st) st = hol_dense_qr_null_space(f->ctx, &qr, basis);
    for (int k = 0; k < count && !st; k++) {
        memset(f->p, 0, 2 * (size_t)n * sizeof *f->p);
        for (int i = 0; i < n; i++) f->p[i] = by[i] * basis[(size_t)k * (size_t)n + (size_t)i];
        (void)is_new(f, f->p);
        st = add(f, 0, 0);
    }
    hol_dense_qr_destroy(&qr);
    hol_free(B);
    return st;
}

// All eigenvalues of A in pairs. Those that are 0, or not told from it, belong to the kernel, each of its motions once or, where nothing brakes
// it, twice or more.
static hol_status find_general(finder *f)
{
    const size_t length = (size_t)f->r.n, square = length * length;
    const hol_state_space all = {.n = f->r.n, .A = f->r.A, .exact = f->r.noise != NULL};
    double *re = hol_calloc(f->ctx, 2 * square + 2 * length + 1, sizeof *re);
    if (!re) return HOL_ERR_MEMORY;
    double *im = re + length, *vector_re = im + length, *vector_im = vector_re + square;
    hol_status st = find_kernel(f);
    const bool kernel = f->n > 0;
    if (!st) st = hol_state_space_poles(f->ctx, &all, re, im, vector_re, vector_im);
    for (size_t i = 0; i < length && !st; i++) {
        const double size = re[i] * re[i] + im[i] * im[i];
        if (im[i] < 0 || (kernel && size == 0)) continue;
        memcpy(f->p, vector_re + i * length, length * sizeof *re);
        memcpy(f->p + length, vector_im + i * length, length * sizeof *re);
        if (!kernel || size > KNOWN * unsure_of(f))
            st = add(f, re[i], im[i]);
        else if (is_new(f, f->p) || is_new(f, f->p + length))
            st = add(f, 0, 0);
    }
    hol_free(re);
    return st;
}

// ---- all of them ----------------------------------------------------------------------------------------------

static int by_eigenvalue(const void *a, const void *b)
{
    const hol_mode *x = a, *y = b;
    const double p = hypot(x->re, x->im), q = hypot(y->re, y->im);
    return p < q ? -1 : p > q ? 1 : x->re < y->re ? -1 : x->re > y->re;
}

// Dense modes, sorted by eigenvalue.
static hol_status find_all(finder *f)
{
    const hol_reduced *r = &f->r;
    const double T = r->s->m->time_scale;
    f->scale = fmax(SMALLEST / (T * T), ROUNDING / FLAT * f->omega_max * f->omega_max);
    for (int j = 0; j < r->d; j++)
        for (int i = 0; i < r->e; i++) f->scale = fmax(f->scale, fabs(entry(r, r->d + i, j)));
    // of a part, whose directions are found to their own accuracy; else what moves nothing in the natural time
    f->flat = FLAT * (f->omega_max > 0 || !r->noise ? f->scale : SMALLEST / (T * T));
    f->p = hol_calloc(f->ctx, 2 * (size_t)r->n + (size_t)r->d * (size_t)(r->d + 1) + 1, sizeof *f->p);
    if (!f->p) return HOL_ERR_MEMORY;
    f->rigid_p = f->p + 2 * r->n;
    hol_status st = is_undamped(f) ? find_undamped(f) : find_general(f);
    hol_free(f->p);
    if (st > 0)
        st = hol_fail(f->ctx, HOL_ERR_INTEGRATION, "the eigenvalues are not found: LAPACK does not converge");
    if (!st && f->n) qsort(f->mode, (size_t)f->n, sizeof *f->mode, by_eigenvalue);
    return st;
}

// Names of the coordinates and states of a shape, in memory of the result.
static hol_status name_all(hol_arena *arena, const hol_model_data *m, hol_modes *out)
{
    out->title = m->title ? hol_arena_copy(arena, m->title, strlen(m->title)) : NULL;
    out->model = hol_arena_copy(arena, m->spec->file, strlen(m->spec->file));
    out->n_bodies = m->n_bodies;
    out->n_coordinates = m->nq;
    out->n_states = m->n_states;
    out->velocity_constraints = m->nk;
    out->body = hol_arena_alloc(arena, (size_t)m->n_bodies + 1, sizeof *out->body);
    out->coordinate = hol_arena_alloc(arena, (size_t)m->nq + 1, sizeof *out->coordinate);
    out->unit = hol_arena_alloc(arena, (size_t)m->nq + 1, sizeof *out->unit);
    out->state = hol_arena_alloc(arena, (size_t)m->n_states + 1, sizeof *out->state);
    out->pose = hol_arena_alloc(arena, (size_t)m->nq + 1, sizeof *out->pose);
    if ((m->title && !out->title) || !out->model || !out->body || !out->coordinate || !out->unit ||
        !out->state || !out->pose)
        return HOL_ERR_MEMORY;
    for (int k = 0; k < m->n_bodies; k++) {
        const hol_body *b = &m->body[k];
        if (!(out->body[k] = hol_arena_copy(arena, b->name, strlen(b->name)))) return HOL_ERR_MEMORY;
        for (int i = 0; i < b->size; i++) {
            const char *word = hol_model_coordinate_word(m, k, i, &out->unit[b->q + i]);
            out->coordinate[b->q + i] = hol_arena_print(arena, "%s.%s", b->name, word);
            if (!out->coordinate[b->q + i]) return HOL_ERR_MEMORY;
        }
    }
    for (int k = 0; k < m->n_states; k++)
        if (!(out->state[k] = hol_arena_copy(arena, m->state[k].name, strlen(m->state[k].name))))
            return HOL_ERR_MEMORY;
    return HOL_OK;
}

static hol_status nothing_at(hol_context *ctx, hol_equations *s, const hol_state *x)
{
    const hol_status st = hol_fault_report_at(s, x, "this pose", HOL_OK);
    if (st) return st;
    return hol_fail(
        ctx, HOL_ERR_INTEGRATION,
        "there are no modes at t = %.6g s: a singular pose, or the masses do not determine the motion", x->t);
}

// All modes, by dense matrices.
static hol_status find_dense(finder *f, hol_kernel *k, hol_rank *rank, hol_state *x,
                             const hol_modes_options *o, hol_modes *out)
{
    hol_status st = o->equilibrium ? hol_equilibrium_go(f->ctx, k, rank, x) : HOL_OK;
    if (!st) st = hol_reduced_create(f->ctx, k, o->metric == HOL_METRIC_NATURAL, &f->r);
    if (!st) st = hol_separate_at(f->ctx, &f->r, x);
    if (st > 0) st = nothing_at(f->ctx, k->s, x);
    if (!st) st = find_all(f);
    return st ? st : hol_omega_of(f->ctx, &f->r, &out->omega_max);
}

// What only dense matrices can do.
static hol_status refuse_large(hol_context *ctx, const hol_modes_options *o, int d)
{
    if (o->equilibrium)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "%d degrees of freedom: an equilibrium is looked for by dense matrices, up to %d. "
                        "Let the model come to "
                        "rest with damping and use --at",
                        d, MOST_DENSE);
    if (o->metric == HOL_METRIC_NATURAL)
        return hol_fail(
            ctx, HOL_ERR_USAGE,
            "%d degrees of freedom: in the natural metric modes are computed by dense matrices, up to %d", d,
            MOST_DENSE);
    if (o->count > d / MANY)
        return hol_fail(ctx, HOL_ERR_USAGE,
                        "%d modes of %d degrees of freedom: above %d degrees of freedom at most a fourth of "
                        "them are computed",
                        o->count, d, MOST_DENSE);
    return HOL_OK;
}

static hol_status not_found(const finder *f, int count)
{
    return hol_fail(
        f->ctx, HOL_ERR_INTEGRATION,
        "the lowest %d modes are not found beside the fastest, of %.3g rad/s, by which rounding "
        "goes; up to %d degrees of freedom dense matrices find them, if more than a fourth of all "
        "are asked for; above take smaller stiffnesses, or joints in their place",
        count, f->omega_max, MOST_DENSE);
}

// The lowest modes: the equations are projected onto the directions of the undamped ones at rest.
static hol_status find_sparse(finder *f, hol_kernel *k, const hol_state *x, int count, hol_modes *out)
{
    hol_modes_sparse v = {0};
    hol_status st = hol_reduced_create_part(f->ctx, k, 0, &f->r);
    if (!st) st = hol_modes_sparse_create(f->ctx, &f->r, count, &v);
    if (!st) st = hol_reduced_prepare(&f->r, x);
    if (!st) st = hol_modes_sparse_fastest(&v, x, &f->omega_max);
    if (!st) st = hol_modes_sparse_slowest(&v, count, f->omega_max);
    if (st > 0) st = not_found(f, count);
    hol_reduced_destroy(&f->r);
    if (!st) st = hol_reduced_create_part(f->ctx, k, v.found, &f->r);
    if (!st) st = hol_reduced_find_part(&f->r, x, v.found, v.basis);
    if (st > 0) st = nothing_at(f->ctx, k->s, x);
    out->projected = v.found;
    hol_modes_sparse_destroy(&v);
    return st ? st : find_all(f);
}

// What a part does not know of all: forces left, the fastest vibration; and no more modes than are wanted.
static hol_status judge_large(finder *f, const hol_state *x, int count, double *work, hol_modes *out)
{
    hol_reduced *r = &f->r;
    const size_t nq = (size_t)r->s->nq;
    double *a = work, *Ma = work + nq, sum = 0;
    memcpy(a, x->a, nq * sizeof *a);
    const hol_status st = hol_reduced_project(r, a);
    hol_reduced_mass_times(r, a, Ma);
    for (size_t i = 0; i < nq; i++) sum += a[i] * Ma[i];
    out->residual = sqrt(fmax(0, sum));
    out->omega_max = f->omega_max;
    out->outside = f->outside;
    if (f->n > count) f->n = count;
    return st;
}

// The modes at a state, dense or sparse, and whether the state is an equilibrium.
static hol_status find_at(finder *f, hol_kernel *k, hol_rank *rank, hol_state *x, const hol_modes_options *o,
                          hol_modes *out)
{
    const hol_equations *s = k->s;
    const int d = s->nq - s->nc, count = o->count ? o->count : USUAL_COUNT;
    const bool dense =
        d <= DENSE_FREEDOM ||
        (d <= MOST_DENSE && (o->equilibrium || o->metric == HOL_METRIC_NATURAL || s->nk || count > d / MANY));
    hol_balance left;
    hol_status st = hol_contacts_touch_once(f->ctx, s->m, x, "modes");
    if (!st && !dense) st = refuse_large(f->ctx, o, d);
    if (!st) st = dense ? find_dense(f, k, rank, x, o, out) : find_sparse(f, k, x, count, out);
    double *work = st ? NULL : hol_calloc(f->ctx, (size_t)f->r.n + 2 * (size_t)s->nq, sizeof *work);
    if (!st && !work) st = HOL_ERR_MEMORY;
    if (!st) {
        hol_equilibrium_judge(&f->r, x, work, &left);
        out->equilibrium =
            o->equilibrium || left.found ||
            (left.speed < HOL_MODES_AT_REST && left.acceleration < HOL_BALANCED && left.rate < HOL_BALANCED);
        out->residual = left.residual;
        out->speed = left.speed;
        out->rate = left.rate;
        out->time = x->t;
        out->metric = o->metric;
        out->degrees_of_freedom = d;
        if (left.speed < HOL_MODES_AT_REST) hol_sticking_tell_edge(f->ctx, s->m, x);
    }
    if (!st && !dense) st = judge_large(f, x, count, work, out);
    hol_free(work);
    return st;
}

// ---- where ----------------------------------------------------------------------------------------------------

// Away from an equilibrium the eigenvalues depend on the coordinates: what they are called must claim nothing.
static void warn(finder *f, const hol_model_data *m, hol_modes *out)
{
    // a speed that counts as rest moves eigenvalues by as much
    const double known = out->speed < HOL_BALANCED ? 0 : 10 * out->speed / m->time_scale;
    for (int i = 0; i < f->n; i++) {
        const bool real = f->mode[i].kind == HOL_MODE_DECAY || f->mode[i].kind == HOL_MODE_DIVERGENCE;
        if (real && (!out->equilibrium || fabs(f->mode[i].re) < known)) f->mode[i].kind = HOL_MODE_REAL;
    }
    if (out->equilibrium) return;
    out->warning =
        out->speed >= HOL_MODES_AT_REST
            ? "this state is in motion, faster than 1e-5 of its size in its natural time: the eigenvalues "
              "below depend on the coordinates in which they are "
              "computed. They are not the frequencies of the motion, also if it is steady, and say nothing "
              "about its stability. For vibrations about a pose at rest use --equilibrium; for those of a "
              "steady motion name coordinates that are constant in it, --coordinates"
            : "this state is not an equilibrium: the eigenvalues below depend on the coordinates in which "
              "they are computed, and say nothing about stability. Use --equilibrium for the vibrations "
              "about the pose in which the forces balance";
}

// Which frequencies rounding of the model's own numbers hides.
static void tell_hidden(const finder *f, const hol_model_data *m)
{
    const hidden *zero = &f->rigid, *worst = &f->worst;
    if (zero->by * m->time_scale > HIDDEN_ZERO)
        hol_note(
            f->ctx, HOL_WARNING,
            "a mode is told to be a rigid-body one, and a frequency of less than %.2g rad/s could not be "
            "told from 0: rounding of the stiffest forces is as large; take smaller stiffnesses, or "
            "joints in their place",
            zero->by);
    if (worst->by > HIDDEN)
        hol_note(
            f->ctx, HOL_WARNING,
            "the mode of %.6g rad/s is known to %.2g of itself alone: rounding of the stiffest forces is "
            "as large; take smaller stiffnesses, or joints in their place",
            hypot(worst->re, worst->im), worst->by);
}

// The modes at the start, or at a time of a run; none at a singular pose.
static hol_status find_there(finder *f, const hol_model_data *m, const hol_settings *set,
                             const hol_modes_options *o, hol_modes *out)
{
    hol_moment at;
    hol_status st = hol_moment_create(f->ctx, m, set, o->at, o->equilibrium, "there are no modes", &at);
    if (!st) st = find_at(f, at.k, at.rank, at.x, o, out);
    if (!st) st = hol_one_sided_tell(f->ctx, &f->r, at.x, HOL_ONE_SIDED_MODES, &f->kinks);
    if (!st) hol_first_events_tell(at.k->s, at.x, HOL_WARNING, "the modes are those of the model before it");
    if (!st) memcpy(out->pose, at.x->q, (size_t)m->nq * sizeof *out->pose);
    hol_reduced_destroy(&f->r);
    hol_moment_destroy(&at);
    return st;
}

hol_modes *hol_modes_find(hol_context *ctx, const hol_model_data *m, const hol_settings *set,
                          const hol_modes_options *o)
{
    owner *own = hol_calloc(ctx, 1, sizeof *own);
    if (!own) return NULL;
    finder f = {.ctx = ctx, .arena = own->arena = hol_arena_create(ctx)};
    hol_modes *out = &own->m;
    hol_status st = f.arena ? name_all(f.arena, m, out) : HOL_ERR_MEMORY;
    if (!st && !(o->at >= 0 && o->count >= 0))
        st = hol_fail(ctx, HOL_ERR_USAGE, "modes: the time and the number wanted must not be negative");
    if (!st && o->metric != HOL_METRIC_MASS && o->metric != HOL_METRIC_NATURAL)
        st = hol_fail(ctx, HOL_ERR_USAGE, "modes: there is no metric %d", (int)o->metric);
    if (!st) st = find_there(&f, m, set, o, out);
    out->n_all = f.n;
    out->n = o->count > 0 && o->count < f.n ? o->count : f.n;
    out->mode = f.mode;
    if (!st) warn(&f, m, out);
    if (!st && !f.kinks) tell_hidden(&f, m);
    if (!st) return out;
    hol_modes_free(out);
    return NULL;
}

void hol_modes_free(hol_modes *modes)
{
    if (!modes) return;
    owner *own = (owner *)modes;
    hol_free(modes->mode);
    hol_arena_destroy(own->arena);
    hol_free(own);
}
