// Directions by their stiffness (docs/theory.md, section 13.6). Along random ones the stiffest force stands in every entry of K_R, and its
// rounding with it. Along eigenvectors the softest do not stretch what is stiff, each element says so by itself, and small entries are
// sums of small parts. What rounding leaves all the same is measured: the matrix once more where pose, multipliers and directions
// differ by it.
#include "analysis/separate.h"
#include "linalg/dense.h"
#include "linalg/graded.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TURNS = 2, SAMPLES = 4 };
#define CLOSE 1e-7 // softest against stiffest: what is above keeps its digits along any directions
#define MOVED (4 * DBL_EPSILON) // of a number: less may be lost in the rounding of what is computed from it
#define SURE 4                  // times the largest change that rounding has made
#define SYMMETRIC 1e-9          // what K_R may lack in symmetry
#define BESIDE                                                                                               \
    1e-12 // rounding of the stiffest in the entry of it and a soft one, which moves the soft one by the square of it
#define NOTHING 1e-9   // stiffness by natural time that is rounding of motions without any
#define DOMINATES 1e3  // damping against stiffness, by natural time
#define BALANCED 1e-12 // accelerations of rounding alone, in natural sizes, against the stiffest
#define STATES 1e-9    // to which states are known at rest, against 1 + |X|

// ---- directions -----------------------------------------------------------------------------------------------

// -K_R stands d - d lower in A, or at rest on top.
static double stiffness(const hol_reduced *r, int i, int j)
{
    return -r->A[(size_t)j * (size_t)r->n + (size_t)(r->rest ? i : r->d + i)];
}

// -C_R, in a model that moves.
static double damping(const hol_reduced *r, int i, int j)
{
    return r->rest ? 0 : -r->A[(size_t)(r->d + j) * (size_t)r->n + (size_t)(r->d + i)];
}

// The weight of C_R beside K_R: 1/T, T the natural time, where damping is far stiffer than all else, so that fast decays hide slow ones; 0: it
// is not, and rigid motions are those of K_R alone.
static double weight_of(const hol_reduced *r)
{
    const double T = r->s->m->time_scale;
    double K = 0, C = 0;
    for (int j = 0; j < r->d; j++)
        for (int i = 0; i < r->d; i++) {
            K = fmax(K, fabs(stiffness(r, i, j)));
            C = fmax(C, fabs(damping(r, i, j)));
        }
    return C > DOMINATES * K * T && C * T > DOMINATES ? 1 / T : 0;
}

// The symmetric part of K_R + weight C_R, what it lacks, and its largest entry.
static double fill(const hol_reduced *r, double weight, double *K, double *largest)
{
    const int d = r->d;
    double lacks = 0;
    *largest = 0;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) {
            const double a = stiffness(r, i, j) + weight * damping(r, i, j),
                         b = stiffness(r, j, i) + weight * damping(r, j, i);
            K[(size_t)j * (size_t)d + (size_t)i] = 0.5 * (a + b);
            lacks = fmax(lacks, fabs(a - b));
            *largest = fmax(*largest, fabs(a));
        }
    return lacks;
}

// Turned until K_R is about diagonal. *apart: it was worth it.
static hol_status turn(hol_context *ctx, hol_reduced *r, const hol_state *x, bool *apart)
{
    const size_t d = (size_t)r->d, square = d * d;
    double *K = hol_calloc(ctx, 2 * square + d + d * (size_t)r->s->nq + 1, sizeof *K);
    if (!K) return HOL_ERR_MEMORY;
    double *U = K + square, *value = U + square, *room = value + d, largest, least = HOL_INF;
    const double weight = weight_of(r), lacks = fill(r, weight, K, &largest);
    memcpy(U, K, square * sizeof *K);
    hol_status st =
        hol_all_finite(K, square) ? hol_dense_eigen_symmetric(ctx, r->d, U, true, value) : HOL_RECOVERABLE;
    for (size_t i = 0; i < d; i++) least = fmin(least, fabs(value[i]));
    *apart = !(least > (weight > 0 ? sqrt(CLOSE) : CLOSE) * largest && lacks <= SYMMETRIC * largest);
    const double T = r->s->m->time_scale, nothing = r->rest ? 0 : NOTHING / (T * T);
    for (int i = 0; i < TURNS && *apart && largest > nothing && !st; i++) {
        if (i > 0) {
            fill(r, weight, K, &largest);
            st = hol_graded_eigen(r->d, K, value, U);
        }
        if (!st) st = hol_reduced_rotate(r, x, U, room);
    }
    hol_free(K);
    return st;
}

// ---- noise ----------------------------------------------------------------------------------------------------

// A matrix at a state and along directions that differ by rounding.
typedef struct {
    hol_reduced *r; // its W N differs by rounding meanwhile
    const hol_state *x;
    hol_state moved;
    hol_random random;
    double *dq, *dv, *WN, *out, *A; // as those of r
    double *left, *here; // forces left at x and where it was moved to                     (n of the system)
    double *memory;
} sample;

static double about(sample *o, double x) { return x * (1 + MOVED * hol_random_uniform(&o->random)); }

// What forces, multipliers and users' equations leave.
static void take_left(hol_equations *s, const hol_state *x, double *left)
{
    memset(left, 0, (size_t)s->n * sizeof *left);
    hol_equations_residual(s, x, left, NULL);
    if (s->nz) hol_equations_users(s, x, left + s->nq);
}

// Unknowns that go with the forces where it was moved to, as they go at x.
static hol_status follow(sample *o)
{
    hol_equations *s = o->r->s;
    double *to = o->here;
    take_left(s, &o->moved, to);
    for (int i = 0; i < s->n; i++) to[i] = o->left[i] - to[i];
    const hol_status st = hol_kernel_solve(o->r->k, 1, to);
    for (int i = o->r->rest ? s->nq : 0; i < s->n && !st; i++) o->moved.a[i] = about(o, o->x->a[i] + to[i]);
    return st;
}

// One more matrix; noise becomes what its entries differ by, where that is more.
static hol_status look(sample *o, double *noise)
{
    hol_reduced *r = o->r;
    const hol_equations *s = r->s;
    const size_t n = (size_t)r->n, nq = (size_t)s->nq;
    hol_state_copy(s, &o->moved, o->x);
    for (size_t i = 0; i < nq; i++)
        o->moved.q[i] += MOVED * fmax(fabs(o->x->q[i]), s->q_size[i]) * hol_random_uniform(&o->random);
    for (int i = 0; i < s->nx; i++)
        o->moved.X[i] += (r->rest ? STATES : MOVED) * (1 + fabs(o->x->X[i])) * hol_random_uniform(&o->random);
    hol_status st = follow(o);
    for (size_t i = 0; i < n * (nq + 1); i++) o->dq[i] = about(o, r->dq[i]);
    for (size_t i = 0; i < n * nq; i++) o->dv[i] = about(o, r->dv[i]);
    for (size_t i = 0; i < nq * (size_t)r->d; i++) r->WN[i] = about(o, o->WN[i]);
    if (!st) st = hol_reduced_matrix(r, &o->moved, o->dq, o->dv, r->dX, o->out, o->A);
    for (size_t i = 0; i < n * n && !st; i++) noise[i] = fmax(noise[i], SURE * fabs(o->A[i] - r->A[i]));
    return st;
}

// Largest change of a coordinate by natural size along direction i.
static double reach(const hol_reduced *r, int i)
{
    const size_t nq = (size_t)r->s->nq;
    double most = 0;
    for (size_t k = 0; k < nq; k++) most = fmax(most, fabs(r->N[(size_t)i * nq + k]) / r->s->q_size[k]);
    return most;
}

// In balance to rounding, forces that are left turn with what they act on: a stiffness (13.9a). left: at rest, of all unknowns; room: (d).
static void add_unbalanced(hol_reduced *r, const hol_state *x, const double *left, double *room)
{
    const size_t nq = (size_t)r->s->nq, d = (size_t)r->d, n = (size_t)r->n, top = r->rest ? 0 : d;
    const double *direction = r->rest ? r->N : r->WN, *force = r->rest ? left : x->a;
    double *by = room, stiffest = 0, all = 0;
    for (size_t k = 0; k < nq; k++)
        if (x->v[k] != 0) return; // what moves may be slowed down
    for (int j = 0; j < r->d; j++)
        for (int i = 0; i < r->d; i++) stiffest = fmax(stiffest, fabs(stiffness(r, i, j)));
    for (size_t i = 0; i < d; i++) {
        double a = 0;
        by[i] = reach(r, (int)i);
        for (size_t k = 0; k < nq; k++) a += direction[i * nq + k] * force[k];
        if (!(fabs(a) * by[i] <= BALANCED * stiffest)) return;
        all = hypot(all, a);
    }
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < d; i++) r->noise[j * n + top + i] += SURE * all * fmax(by[i], by[j]);
}

// What one of two entries that belong together hides the other one hides too: one alone would be a motion that grows with the time.
static void pair(const hol_reduced *r)
{
    const size_t n = (size_t)r->n, d = (size_t)r->d, top = r->rest ? 0 : d;
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < j; i++) {
            double *a = r->noise + j * n + top + i, *b = r->noise + i * n + top + j;
            *a = *b = fmax(*a, *b);
        }
}

// What is not above its noise becomes 0, and what couples a direction without stiffness to a stiff one by so little that the stiffness which
// that makes is hidden.
static void forget_hidden(hol_reduced *r)
{
    const size_t n = (size_t)r->n, d = (size_t)r->d, top = r->rest ? 0 : d;
    double *K = r->A + top; // K[j n + i], of the sign of A
    for (size_t i = 0; i < n * n; i++)
        if (fabs(r->A[i]) <= r->noise[i]) r->A[i] = 0;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d && K[i * n + i] == 0; j++) {
            const double couples = fmax(fabs(K[j * n + i]), fabs(K[i * n + j]));
            if (couples * couples < r->noise[i * n + top + i] * fabs(K[j * n + j]))
                K[j * n + i] = K[i * n + j] = 0;
        }
}

// Noise of all entries; what is not above it is 0.
static hol_status measure(hol_context *ctx, hol_reduced *r, const hol_state *x)
{
    hol_equations *s = r->s;
    const size_t n = (size_t)r->n, nq = (size_t)s->nq, all = (size_t)s->n;
    sample o = {.r = r, .x = x, .random = {2718}};
    r->noise = hol_calloc(ctx, n * n + 1, sizeof *r->noise);
    o.memory =
        hol_calloc(ctx, n * (2 * nq + 1 + all + n) + nq * (size_t)r->d + 2 * all + 1, sizeof *o.memory);
    hol_status st = r->noise && o.memory ? hol_state_create(s, &o.moved) : HOL_ERR_MEMORY;
    if (!st) {
        o.dq = o.memory;
        o.dv = o.dq + n * (nq + 1);
        o.WN = o.dv + n * nq;
        o.out = o.WN + nq * (size_t)r->d;
        o.A = o.out + n * all;
        o.left = o.A + n * n;
        o.here = o.left + all;
        memcpy(o.WN, r->WN, nq * (size_t)r->d * sizeof *o.WN);
        take_left(s, x, o.left);
    }
    for (int i = 0; i < SAMPLES && !st; i++) st = look(&o, r->noise);
    if (o.WN) memcpy(r->WN, o.WN, nq * (size_t)r->d * sizeof *o.WN);
    if (!st) add_unbalanced(r, x, o.left, o.memory);
    if (!st) pair(r);
    if (!st) forget_hidden(r);
    hol_state_destroy(&o.moved);
    hol_free(o.memory);
    return st;
}

hol_status hol_separate(hol_context *ctx, hol_reduced *r, const hol_state *x)
{
    const hol_evaluations count = r->s->count;
    bool apart = true;
    hol_free(r->noise);
    r->noise = NULL;
    hol_status st = r->s->nk && !r->rest ? HOL_OK : turn(ctx, r, x, &apart);
    if (!st && apart) st = measure(ctx, r, x);
    r->s->count = count;
    return st;
}

hol_status hol_separate_at(hol_context *ctx, hol_reduced *r, hol_state *x)
{
    const hol_evaluations count = r->s->count;
    // what accelerations and multipliers miss is no noise, and would stand in K_R as a stiffness
    hol_status st = hol_refine_accelerations(r->k, x);
    r->s->count = count;
    if (!st) st = hol_reduced_find(r, x);
    return st ? st : hol_separate(ctx, r, x);
}

static double noise_at(const hol_reduced *r, int i, int j)
{
    return r->noise[(size_t)j * (size_t)r->n + (size_t)(r->rest ? i : r->d + i)];
}

double hol_separate_may_lack(const hol_reduced *r, int i, int j, double part, double stiffest)
{
    if (!r->noise) return part * stiffest;
    const double a = fabs(stiffness(r, i, i)), b = fabs(stiffness(r, j, j));
    return part * sqrt(a) * sqrt(b) + BESIDE * fmax(a, b) + noise_at(r, i, j) + noise_at(r, j, i);
}

double hol_separate_unsure(const hol_reduced *r, const double *u)
{
    const int d = r->d;
    double sum = 0;
    if (!r->noise) return 0;
    for (int j = 0; j < d; j++)
        for (int i = 0; i < d; i++) sum += fabs(u[i] * u[j]) * noise_at(r, i, j);
    return sum;
}
