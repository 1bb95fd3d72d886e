// Written by hand for each problem: SUNDIALS ARKODE's explicit Runge-Kutta pairs on accelerations from [M G^T; G 0], positions and velocities
// projected onto the constraints after every step. SETTING: PAIR:TOLERANCE, PAIR one of dormand verner fehlberg (orders 5, 6, 8). Of an
// evaluation any text.
#include "hinges.h"
#include "kkt.h"
#include "peers.h"
#include "rods.h"
#include "seven_angles.h"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

typedef enum { RODS, HINGED, ANGLES } formulation;

typedef struct {
    formulation kind;
    int nq, nv, nc, constant; // entries of the matrix that stay
    rods r;
    kkt k;
    double *b; // right-hand side and solution                                  (nv + nc)
    double dense[(SEVEN + SIX) * (SEVEN + SIX)];
    int pivot[SEVEN + SIX];
    long steps;
} hand;

// ---- Andrews: dense -------------------------------------------------------------------------------------------------

enum { FULL = SEVEN + SIX };

static bool factor_dense(double *A, int *pivot)
{
    for (int k = 0; k < FULL; k++) {
        int best = k;
        for (int i = k + 1; i < FULL; i++)
            if (fabs(A[FULL * i + k]) > fabs(A[FULL * best + k])) best = i;
        pivot[k] = best;
        if (A[FULL * best + k] == 0) return false;
        for (int j = 0; j < FULL && best != k; j++) {
            const double t = A[FULL * k + j];
            A[FULL * k + j] = A[FULL * best + j];
            A[FULL * best + j] = t;
        }
        const double inverse = 1 / A[FULL * k + k];
        for (int i = k + 1; i < FULL; i++) {
            const double f = A[FULL * i + k] *= inverse;
            if (f != 0)
                for (int j = k + 1; j < FULL; j++) A[FULL * i + j] -= f * A[FULL * k + j];
        }
    }
    return true;
}

static void solve_dense(const double *A, const int *pivot, double *b)
{
    for (int k = 0; k < FULL; k++) {
        const double t = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = t;
    }
    for (int i = 0; i < FULL; i++)
        for (int j = 0; j < i; j++) b[i] -= A[FULL * i + j] * b[j];
    for (int i = FULL - 1; i >= 0; i--) {
        for (int j = i + 1; j < FULL; j++) b[i] -= A[FULL * i + j] * b[j];
        b[i] /= A[FULL * i + i];
    }
}

// ---- the matrix, and right-hand sides -------------------------------------------------------------------------------

static void rod_matrix(hand *h, const double *q, const double *v, double *phi, double *gamma)
{
    const rods *r = &h->r;
    const int n = h->nv;
    for (int e = 0; e < r->n_rods; e++) {
        const int a = r->rods[e].a, b = r->rods[e].b;
        const double *x = rods_at(r, q, a), *y = q + 2 * b;
        double square = 0, rate = 0;
        for (int k = 0; k < 2; k++) {
            const double d = y[k] - x[k], w = v ? v[2 * b + k] - (a >= 0 ? v[2 * a + k] : 0) : 0;
            square += d * d;
            rate += w * w;
            if (a >= 0) kkt_set(&h->k, n + e, 2 * a + k, -d);
            kkt_set(&h->k, n + e, 2 * b + k, d);
        }
        if (phi) phi[e] = (square - 1) / 2;
        if (gamma) gamma[e] = -rate;
    }
}

static void rod_masses(hand *h)
{
    for (int e = 0; e < h->r.n_rods; e++) {
        const int a = h->r.rods[e].a, b = h->r.rods[e].b;
        for (int k = 0; k < 2; k++) {
            kkt_put(&h->k, 2 * b + k, 2 * b + k, 1. / 3);
            if (a < 0) continue;
            kkt_put(&h->k, 2 * a + k, 2 * a + k, 1. / 3);
            kkt_put(&h->k, 2 * a + k, 2 * b + k, 1. / 6);
            kkt_put(&h->k, 2 * b + k, 2 * a + k, 1. / 6);
        }
    }
}

// The matrix at q into its place, and what is asked for: forces, phi, gamma = -G' v.
static void assemble(hand *h, const double *q, const double *v, double *force, double *phi, double *gamma)
{
    if (h->kind == RODS) {
        kkt_begin(&h->k, h->constant);
        if (h->constant == 0) {
            rod_masses(h);
            if (h->k.start) h->constant = h->k.used;
        }
        rod_matrix(h, q, v, phi, gamma);
        for (int i = 0; i < h->r.points && force; i++)
            force[2 * i] = 0, force[2 * i + 1] = -RODS_G * h->r.mass[i];
    } else if (h->kind == HINGED) {
        hinge_frame f[BODIES];
        kkt_begin(&h->k, 0);
        hinge_frames(q, f);
        hinge_masses(f, &h->k);
        hinge_rows(q, v, f, &h->k, phi, gamma);
        if (force) hinge_forces(v, f, force);
    } else {
        double M[SEVEN * SEVEN], G[SIX * SEVEN];
        seven_mass(q, M);
        seven_constraints(q, v, phi, G, gamma);
        memset(h->dense, 0, sizeof h->dense);
        for (int i = 0; i < SEVEN; i++) memcpy(h->dense + FULL * i, M + SEVEN * i, SEVEN * sizeof *M);
        for (int c = 0; c < SIX; c++)
            for (int i = 0; i < SEVEN; i++)
                h->dense[FULL * (SEVEN + c) + i] = h->dense[FULL * i + SEVEN + c] = G[SEVEN * c + i];
        if (force) seven_forces(q, v, force);
    }
}

static bool factor(hand *h)
{
    return h->kind == ANGLES ? factor_dense(h->dense, h->pivot) : kkt_factor(&h->k);
}

static void solve(hand *h, double *b)
{
    if (h->kind == ANGLES)
        solve_dense(h->dense, h->pivot, b);
    else
        kkt_solve(&h->k, b);
}

static void rates(const hand *h, const double *q, const double *v, double *out)
{
    if (h->kind == HINGED)
        hinge_rates(q, v, out);
    else
        memcpy(out, v, (size_t)h->nv * sizeof *v);
}

static double energy(const hand *h, const double *y)
{
    const double *v = y + h->nq;
    return h->kind == RODS ? rods_energy(&h->r, y, v) : h->kind == HINGED ? hinge_energy(y, v) : 0;
}

static void watch(const hand *h, const double *y, double *out)
{
    if (h->kind == HINGED)
        hinge_watch(y, out);
    else
        memcpy(out, y + (h->kind == RODS ? 2 * h->r.watched : 0), (h->kind == RODS ? 2 : 1) * sizeof *y);
}

// ---- what ARKODE calls ----------------------------------------------------------------------------------------------

static bool accelerations(hand *h, const double *y, double *out)
{
    assemble(h, y, y + h->nq, h->b, NULL, h->b + h->nv);
    if (!factor(h)) return false;
    solve(h, h->b);
    memcpy(out, h->b, (size_t)h->nv * sizeof *out);
    return true;
}

static int rhs(realtype t, N_Vector y, N_Vector rate, void *user)
{
    hand *h = user;
    const double *q = N_VGetArrayPointer(y);
    double *out = N_VGetArrayPointer(rate);
    (void)t;
    rates(h, q, q + h->nq, out);
    return accelerations(h, q, out + h->nq) ? 0 : 1;
}

static int project(realtype t, N_Vector y, void *user)
{
    hand *h = user;
    double *q = N_VGetArrayPointer(y), *v = q + h->nq, change[HINGE_Q];
    (void)t;
    for (int pass = 0; pass < 2; pass++) { // one matrix; what it leaves of the positions is of second order
        if (pass == 0 || h->kind != ANGLES) {
            assemble(h, q, NULL, NULL, h->b + h->nv, NULL);
            if (pass == 0 && !factor(h)) return 1;
        } else
            seven_constraints(q, NULL, h->b + h->nv, NULL, NULL);
        for (int i = 0; i < h->nv; i++) h->b[i] = 0;
        for (int i = 0; i < h->nc; i++) h->b[h->nv + i] = -h->b[h->nv + i];
        solve(h, h->b);
        if (h->kind == HINGED) {
            hinge_rates(q, h->b, change);
            for (int i = 0; i < h->nq; i++) q[i] += change[i];
            for (int b = 0; b < BODIES; b++) {
                double *p = q + 7 * b + 3;
                const double size = sqrt(p[0] * p[0] + dot(p + 1, p + 1));
                for (int i = 0; i < 4; i++) p[i] /= size;
            }
        } else
            for (int i = 0; i < h->nv; i++) q[i] += h->b[i];
    }
    // velocities: M v* + G^T mu = M v, G v* = 0 as a change with gamma = -G v, by phi' at v
    assemble(h, q, NULL, NULL, NULL, NULL);
    if (!factor(h)) return 1;
    for (int i = 0; i < h->nv; i++) h->b[i] = 0;
    if (h->kind == ANGLES) {
        double G[SIX * SEVEN];
        seven_constraints(q, NULL, NULL, G, NULL);
        for (int c = 0; c < SIX; c++) {
            h->b[SEVEN + c] = 0;
            for (int i = 0; i < SEVEN; i++) h->b[SEVEN + c] -= G[SEVEN * c + i] * v[i];
        }
    } else // columns of the velocities, rows of G
        for (int c = 0; c < h->nc; c++) h->b[h->nv + c] = 0;
    for (int j = 0; j < h->nv && h->kind != ANGLES; j++)
        for (int p = h->k.start[j]; p < h->k.start[j + 1]; p++)
            if (h->k.index[p] >= h->nv) h->b[h->k.index[p]] -= h->k.value[p] * v[j];
    solve(h, h->b);
    for (int i = 0; i < h->nv; i++) v[i] += h->b[i];
    return 0;
}

// ---- runs -----------------------------------------------------------------------------------------------------------

static bool learn(hand *h, const double *y)
{
    if (h->kind == ANGLES) return true;
    assemble(h, y, y + h->nq, h->b, NULL, h->b + h->nv);
    return kkt_learn(&h->k, h->nv + h->nc);
}

static double *start(hand *h, const peer_problem *p)
{
    memset(h, 0, sizeof *h);
    double *y = NULL;
    if (peer_is(p, "parallelograms") || peer_is(p, "ladder")) {
        h->kind = RODS;
        rods_start(&h->r, p);
        h->nq = h->nv = 2 * h->r.points;
        h->nc = h->r.n_rods;
        y = calloc((size_t)(2 * h->nq), sizeof *y);
        memcpy(y, h->r.x, 2 * (size_t)h->nq * sizeof *y);
    } else if (peer_is(p, "bricard")) {
        h->kind = HINGED;
        h->nq = HINGE_Q, h->nv = HINGE_V, h->nc = HINGE_ROWS;
        y = calloc(HINGE_Q + HINGE_V, sizeof *y);
        hinge_start(y);
    } else if (peer_is(p, "andrews")) {
        h->kind = ANGLES;
        h->nq = h->nv = SEVEN, h->nc = SIX;
        y = calloc(2 * SEVEN, sizeof *y);
        memcpy(y, seven_start, sizeof seven_start);
    } else
        return NULL;
    h->b = calloc((size_t)(h->nv + h->nc), sizeof *h->b);
    if (learn(h, y)) return y;
    free(y);
    return NULL;
}

static void finish(hand *h, double *y)
{
    if (h->r.rods) rods_free(&h->r);
    kkt_free(&h->k);
    free(h->b);
    free(y);
}

static bool integrate(hand *h, void *solver, N_Vector y, const peer_problem *p, bool sampled,
                      peer_outcome *out)
{
    const double *state = N_VGetArrayPointer(y), e = energy(h, state);
    const int points = sampled ? p->points : 1;
    double t = 0;
    int flag = 0;
    const double begin = peer_now();
    for (int i = 1; i <= points && flag >= 0; i++) {
        const double stop = p->end * i / points;
        ERKStepSetStopTime(solver, stop);
        while (flag >= 0 && t < stop * (1 - 1e-13)) {
            flag = ERKStepEvolve(solver, stop, y, &t, sampled ? ARK_ONE_STEP : ARK_NORMAL);
            if (sampled) peer_drift(out, energy(h, state) - e);
        }
        if (sampled) watch(h, state, out->got + (i - 1) * p->values);
    }
    out->seconds = peer_now() - begin;
    long steps = 0, evaluations = 0;
    ERKStepGetNumSteps(solver, &steps);
    ERKStepGetNumRhsEvals(solver, &evaluations);
    out->steps = steps;
    out->rhs = evaluations;
    if (flag < 0)
        snprintf(out->failure, sizeof out->failure, "%s at t = %.3g s", ERKStepGetReturnFlagName(flag), t);
    return flag >= 0;
}

static bool whole(hand *h, double *start_at, const peer_problem *p, const char *setting, bool sampled,
                  peer_outcome *out)
{
    SUNContext context;
    char pair[20] = "";
    double tolerance = 1e-6;
    sscanf(setting, "%19[^:]:%lf", pair, &tolerance);
    if (SUNContext_Create(NULL, &context)) return false;
    N_Vector y = N_VMake_Serial(h->nq + h->nv, start_at, context);
    void *solver = ERKStepCreate(rhs, 0, y, context);
    ERKStepSetUserData(solver, h);
    ERKStepSStolerances(solver, tolerance, tolerance);
    ERKStepSetTableNum(solver, strcmp(pair, "dormand") == 0  ? ARKODE_DORMAND_PRINCE_7_4_5
                               : strcmp(pair, "verner") == 0 ? ARKODE_VERNER_8_5_6
                                                             : ARKODE_FEHLBERG_13_7_8);
    ERKStepSetPostprocessStepFn(solver, project);
    ERKStepSetMaxNumSteps(solver, 200000);
    ERKStepSetErrFile(solver, NULL);
    const bool fine = integrate(h, solver, y, p, sampled, out);
    ERKStepFree(&solver);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return fine;
}

static void evaluation(hand *h, const double *y, peer_outcome *out)
{
    int n = 0;
    bool fine = accelerations(h, y, h->b);
    const double begin = peer_now();
    for (; fine && peer_again(n, 4, begin); n++) {
        assemble(h, y, y + h->nq, h->b, NULL, h->b + h->nv);
        fine = factor(h);
        solve(h, h->b);
    }
    out->seconds = (peer_now() - begin) / n;
}

static bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    hand h;
    double *y = start(&h, p);
    if (!y) {
        snprintf(out->failure, sizeof out->failure, "unknown");
        return false;
    }
    bool fine = true;
    if (peer_rhs(p))
        evaluation(&h, y, out);
    else
        fine = whole(&h, y, p, setting, sampled, out);
    finish(&h, y);
    return fine;
}

int main(int argc, char **argv) { return peer_main(argc, argv, run); }
