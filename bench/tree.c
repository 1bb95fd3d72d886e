// The O(n) solver of trees: nanoseconds per body and evaluation of the accelerations, on the spatial chain beside an
// articulated-body recursion in C written for this chain alone, and beside the sparse KKT solve; all interleaved.
#include "bench.h"
#include "analysis/dynamics.h"
#include "system/kernel.h"
#include "system/initial.h"
#include "recursion/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- the recursion written for the chain ---------------------------------------------------------------------------

// Featherstone: Rigid Body Dynamics Algorithms, Springer 2008, table 7.1, in link coordinates about the joint, hinge axes
// 1 (y) and 2 (z) by turns, links of length 1 along x, centre of mass in the middle.
typedef struct {
    double c, s, w[3], v[3], cw[3], cv[3]; // twist and bias
    double A[6], H[9], C[6], pf[3], pt[3]; // articulated inertia (force rows first) and bias force
    double Uv[3], Uw[3], inverse, u;
    double aw[3], av[3];
} probe;

#define INLINE static inline __attribute__((always_inline))

static const double mass = 1, Ia = 0.02 / 12, It = 1.01 / 12;

INLINE void into_link(int k, double c, double s, const double *x, double *y) // R^T x
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    y[k] = x[k], y[i] = c * x[i] + s * x[j], y[j] = c * x[j] - s * x[i];
}
INLINE void out_of_link(int k, double c, double s, const double *x, double *y)
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double a = c * x[i] - s * x[j], b = s * x[i] + c * x[j];
    y[k] = x[k], y[i] = a, y[j] = b;
}
INLINE void turn_symmetric(int k, double c, double s, const double *M, double *N)
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
#define AT(a, b) ((a) + (b) + ((a) && (b)))
    const double ii = M[AT(i, i)], jj = M[AT(j, j)], ij = M[AT(i, j)], ki = M[AT(k, i)], kj = M[AT(k, j)];
    const double cc = c * c, ss = s * s, cs = c * s;
    N[AT(k, k)] = M[AT(k, k)];
    N[AT(k, i)] = c * ki - s * kj;
    N[AT(k, j)] = s * ki + c * kj;
    N[AT(i, i)] = cc * ii - 2 * cs * ij + ss * jj;
    N[AT(j, j)] = ss * ii + 2 * cs * ij + cc * jj;
    N[AT(i, j)] = cs * (ii - jj) + (cc - ss) * ij;
}

INLINE void outward(probe *b, const probe *f, int k, double q, double rate, double step)
{
    double x[3];
    b->c = cos(q), b->s = sin(q);
    // the father's twist at this joint, step further along x
    x[0] = f->v[0], x[1] = f->v[1] + step * f->w[2], x[2] = f->v[2] - step * f->w[1];
    into_link(k, b->c, b->s, x, b->v);
    into_link(k, b->c, b->s, f->w, b->w);
    b->w[k] += rate;
    const int i = (k + 1) % 3, j = (k + 2) % 3; // x x e_k rate
    b->cw[k] = b->cv[k] = 0;
    b->cw[i] = b->w[j] * rate, b->cw[j] = -b->w[i] * rate;
    b->cv[i] = b->v[j] * rate, b->cv[j] = -b->v[i] * rate;
    const double h = 0.5 * mass, *w = b->w, *v = b->v, Io = It + 0.25 * mass;
    const double p[3] = {mass * v[0], mass * v[1] + h * w[2], mass * v[2] - h * w[1]}; // m v + w x h
    const double L[3] = {Ia * w[0], Io * w[1] - h * v[2], Io * w[2] + h * v[1]};       // I w + h x v
    b->pf[0] = w[1] * p[2] - w[2] * p[1], b->pf[1] = w[2] * p[0] - w[0] * p[2];
    b->pf[2] = w[0] * p[1] - w[1] * p[0];
    b->pt[0] = w[1] * L[2] - w[2] * L[1] + v[1] * p[2] - v[2] * p[1];
    b->pt[1] = w[2] * L[0] - w[0] * L[2] + v[2] * p[0] - v[0] * p[2];
    b->pt[2] = w[0] * L[1] - w[1] * L[0] + v[0] * p[1] - v[1] * p[0];
    const double A[6] = {mass, 0, 0, mass, 0, mass}, H[9] = {0, 0, 0, 0, 0, h, 0, -h, 0};
    const double C[6] = {Ia, 0, 0, Io, 0, Io};
    memcpy(b->A, A, sizeof A);
    memcpy(b->H, H, sizeof H);
    memcpy(b->C, C, sizeof C);
}

INLINE void inward(probe *b, probe *f, int k, double step)
{
    double *A = b->A, *H = b->H, *C = b->C;
    for (int i = 0; i < 3; i++) b->Uv[i] = H[3 * i + k], b->Uw[i] = C[AT(i, k)];
    b->inverse = 1 / b->Uw[k];
    b->u = -b->pt[k];
    if (!f) return;
    const double *U = b->Uv, *T = b->Uw, d = b->inverse, e = b->u * d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (j >= i) A[AT(i, j)] -= U[i] * d * U[j], C[AT(i, j)] -= T[i] * d * T[j];
            H[3 * i + j] -= U[i] * d * T[j];
        }
    double pf[3], pt[3], F[3], N[3];
    for (int i = 0; i < 3; i++) {
        pf[i] = b->pf[i] + U[i] * e, pt[i] = b->pt[i] + T[i] * e;
        for (int j = 0; j < 3; j++) {
            pf[i] += A[AT(i, j)] * b->cv[j] + H[3 * i + j] * b->cw[j];
            pt[i] += H[3 * j + i] * b->cv[j] + C[AT(i, j)] * b->cw[j];
        }
    }
    double B[6], G[9], D[6], rows[9];
    turn_symmetric(k, b->c, b->s, A, B);
    turn_symmetric(k, b->c, b->s, C, D);
    for (int i = 0; i < 3; i++) out_of_link(k, b->c, b->s, H + 3 * i, rows + 3 * i); // columns turned
    for (int j = 0; j < 3; j++) {
        const double column[3] = {rows[j], rows[3 + j], rows[6 + j]};
        double turned[3];
        out_of_link(k, b->c, b->s, column, turned);
        for (int i = 0; i < 3; i++) G[3 * i + j] = turned[i];
    }
    out_of_link(k, b->c, b->s, pf, F);
    out_of_link(k, b->c, b->s, pt, N);
    // by `step` along x: H' = H - A r~, C' = C + r~ H' - H^T r~
    const double x = step;
    const double T01 = G[6] * x, T02 = -G[3] * x, T11 = G[7] * x, T12 = -G[4] * x, T22 = -G[5] * x;
    G[1] -= B[2] * x, G[2] += B[1] * x, G[4] -= B[4] * x, G[5] += B[3] * x, G[7] -= B[5] * x,
        G[8] += B[4] * x;
    for (int i = 0; i < 6; i++) f->A[i] += B[i];
    for (int i = 0; i < 9; i++) f->H[i] += G[i];
    f->C[0] += D[0], f->C[1] += D[1] - T01, f->C[2] += D[2] - T02;
    f->C[3] += D[3] - x * G[7] - T11, f->C[4] += D[4] - x * G[8] - T12, f->C[5] += D[5] + x * G[5] - T22;
    for (int i = 0; i < 3; i++) f->pf[i] += F[i], f->pt[i] += N[i];
    f->pt[1] -= x * F[2], f->pt[2] += x * F[1];
}

INLINE double along(probe *b, const probe *f, int k, double step)
{
    double x[3];
    x[0] = f->av[0], x[1] = f->av[1] + step * f->aw[2], x[2] = f->av[2] - step * f->aw[1];
    into_link(k, b->c, b->s, x, b->av);
    into_link(k, b->c, b->s, f->aw, b->aw);
    double sum = b->u;
    for (int i = 0; i < 3; i++) {
        b->av[i] += b->cv[i], b->aw[i] += b->cw[i];
        sum -= b->Uv[i] * b->av[i] + b->Uw[i] * b->aw[i];
    }
    const double qdd = sum * b->inverse;
    b->aw[k] += qdd;
    return qdd;
}

static void probe_chain(probe *b, int n, const double *q, const double *rate, double *qdd)
{
    const probe base = {.av = {0, 0, 9.81}};
    outward(b, &base, 1, q[0], rate[0], 0);
    for (int i = 1; i < n; i++)
        if (i % 2)
            outward(b + i, b + i - 1, 2, q[i], rate[i], 1);
        else
            outward(b + i, b + i - 1, 1, q[i], rate[i], 1);
    for (int i = n - 1; i > 0; i--)
        if (i % 2)
            inward(b + i, b + i - 1, 2, 1);
        else
            inward(b + i, b + i - 1, 1, 1);
    inward(b, NULL, 1, 0);
    qdd[0] = along(b, &base, 1, 0);
    for (int i = 1; i < n; i++)
        qdd[i] = i % 2 ? along(b + i, b + i - 1, 2, 1) : along(b + i, b + i - 1, 1, 1);
}

// ---- the comparison -------------------------------------------------------------------------------------------------

typedef struct {
    hol_context *ctx;
    hol_model_data *m;
    hol_kernel k;
    hol_equations *s;
    hol_state x;
    hol_rank rank;
    hol_forest forest;
    hol_tree *r;
} setting;

static bool open_model(setting *o, const char *path, const char *set)
{
    memset(o, 0, sizeof *o);
    o->ctx = hol_context_create();
    hol_spec *spec = o->ctx ? hol_spec_read_file(o->ctx, path, &set, 1) : NULL;
    o->m = spec ? hol_model_compile(spec) : NULL;
    const bool begun = o->m && !hol_initialise(o->ctx, o->m, true, &o->k, &o->x, &o->rank);
    o->s = o->k.s;
    if (begun && !hol_forest_create(o->ctx, o->m, o->x.q, &o->forest) &&
        !hol_tree_create(o->ctx, o->s, &o->forest, &o->r))
        return true;
    printf("  %s: %s\n", path, o->ctx ? hol_context_error(o->ctx) : "no memory");
    return false;
}

static void close_model(setting *o)
{
    hol_tree_destroy(o->r);
    hol_forest_destroy(&o->forest);
    hol_rank_destroy(&o->rank);
    hol_state_destroy(&o->x);
    hol_start_destroy(&o->k);
    hol_model_free(o->m);
    hol_context_destroy(o->ctx);
}

// Largest difference of the hinge accelerations of the two.
static double compare(setting *o, const double *qdd, double *u)
{
    double worst = 0;
    hol_tree_set(o->r, &o->x);
    if (hol_tree_factor(o->r)) return HOL_INF;
    hol_tree_apply(o->r, o->r->f, o->r->jump, u);
    for (int i = 0; i < o->m->n_bodies; i++) {
        double R[9], sum = 0;
        hol_quat_matrix(o->x.q + 7 * i + 3, R);
        for (int k = 0; k < 3; k++)
            sum += R[3 * k + (i % 2 ? 2 : 1)] * (u[6 * i + 3 + k] - (i ? u[6 * i - 3 + k] : 0));
        worst = fmax(worst, fabs(sum - qdd[i]));
    }
    return worst;
}

enum { ROUNDS = 7 };

// Least time per body of one evaluation by the probe, the tree, its parts, and the sparse solve [s].
typedef struct {
    double probe, tree, set, factor, apply, sparse;
} times;

static void least(double *best, double begin, int repeat, int n)
{
    const double t = (now() - begin) / repeat / n;
    if (*best == 0 || t < *best) *best = t;
}

static void measure(setting *o, probe *b, const double *q, double *qdd, double *u, times *t)
{
    const int n = o->m->n_bodies, repeat = 1 + 100000 / n;
    double *rate = qdd + n;
    double begin;
    for (int k = 0; k < ROUNDS; k++) {
        if (b) {
            begin = now();
            for (int i = 0; i < repeat; i++) probe_chain(b, n, q, rate, qdd);
            least(&t->probe, begin, repeat, n);
        }
        begin = now();
        for (int i = 0; i < repeat; i++) hol_tree_accelerations(o->r, &o->x, false);
        least(&t->tree, begin, repeat, n);
        begin = now();
        for (int i = 0; i < repeat; i++) hol_tree_set(o->r, &o->x);
        least(&t->set, begin, repeat, n);
        begin = now();
        for (int i = 0; i < repeat; i++) hol_tree_factor(o->r);
        least(&t->factor, begin, repeat, n);
        begin = now();
        for (int i = 0; i < repeat; i++) hol_tree_apply(o->r, o->r->f, o->r->jump, u);
        least(&t->apply, begin, repeat, n);
        if (k > 1) continue;
        begin = now();
        for (int i = 0; i <= repeat / 10; i++) hol_solve_accelerations(&o->k, &o->x);
        least(&t->sparse, begin, 1 + repeat / 10, n);
    }
}

static int bench_chain(const char *models, const char *file, bool space)
{
    static const int sizes[] = {10, 100, 1000, 10000, 100000};
    int failed = 0;
    printf("%s: ns per body and evaluation, least of %d rounds\n"
           "  bodies    tree     set  factor   apply  sparse   in C   ratio   difference\n",
           file, ROUNDS);
    for (int i = 0; i < 5; i++) {
        const int n = sizes[i];
        char path[500], set[60];
        setting o;
        times t = {0};
        snprintf(path, sizeof path, "%s/%s", models, file);
        snprintf(set, sizeof set, "parameters.n=%d", n);
        double *q = calloc((size_t)n, sizeof *q), *qdd = calloc(2 * (size_t)n, sizeof *qdd),
               *u = calloc(6 * (size_t)n, sizeof *u);
        probe *b = space ? calloc((size_t)n, sizeof *b) : NULL;
        double difference = 0;
        if (!open_model(&o, path, set) || !q || !qdd || !u || (space && !b)) failed = 1;
        for (int k = 0; k < n && q; k++) q[k] = 0.1 * sin(k + 1);
        if (!failed) measure(&o, b, q, qdd, u, &t);
        if (!failed && space) difference = compare(&o, qdd, u);
        printf("%8d %7.0f %7.0f %7.0f %7.0f %7.0f", n, 1e9 * t.tree, 1e9 * t.set, 1e9 * t.factor,
               1e9 * t.apply, 1e9 * t.sparse);
        if (space) printf(" %6.0f %7.2f %12.1e", 1e9 * t.probe, t.tree / t.probe, difference);
        printf("\n");
        fflush(stdout);
        close_model(&o);
        free(q);
        free(qdd);
        free(u);
        free(b);
        if (space && !(t.tree <= 1.7 * t.probe && difference < 1e-6)) failed = 1;
        if (failed) break;
    }
    printf("\n");
    return failed;
}

int bench_tree(const char *models)
{
    return bench_chain(models, "chain3d.yaml", true) | bench_chain(models, "chain.yaml", false);
}
