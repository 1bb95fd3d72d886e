// Written by hand for each problem: SUNDIALS IDA on the stabilised index-2 equations of Gear, Gupta and Leimkuhler,
//     q' = v - G^T mu,  M v' = f - G^T lambda,  phi = 0,  G v = 0,
// variables y = (q, v, mu, lambda). Rods: exact matrix, sparse, KLU. Andrews in seven angles and the double pendulum in coordinates of its
// bodies: dense matrix by differences. SETTING: the tolerance.
#include "kkt.h"
#include "peers.h"
#include "rods.h"
#include "seven_angles.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef enum { RODS, ANGLES, PENDULUM } formulation;
enum { BODY = 6, TIES = 4 }; // coordinates and constraints of the pendulum

typedef struct {
    formulation kind;
    int n, c; // coordinates, constraints
    rods r;
    kkt k; // Newton's matrix
} hand;

// ---- rods ---------------------------------------------------------------------------------------------------------------

static void rod_residual(const hand *h, const double *y, const double *yp, double *F)
{
    const rods *r = &h->r;
    const int n = h->n;
    const double *v = y + n, *mu = v + n, *lambda = mu + h->c;
    double *Fv = F + n, *phi = Fv + n, *rate = phi + h->c;
    for (int i = 0; i < n; i++) {
        F[i] = yp[i] - v[i];
        Fv[i] = i % 2 ? RODS_G * r->mass[i / 2] : 0;
    }
    for (int e = 0; e < r->n_rods; e++) {
        const int a = r->rods[e].a, b = r->rods[e].b;
        const double *x = rods_at(r, y, a);
        double square = 0, product = 0;
        for (int k = 0; k < 2; k++) {
            const int i = 2 * a + k, j = 2 * b + k;
            const double d = y[j] - x[k], w = v[j] - (a >= 0 ? v[i] : 0);
            square += d * d;
            product += d * w;
            F[j] += d * mu[e];
            Fv[j] += d * lambda[e] + yp[n + j] / 3;
            if (a < 0) continue;
            F[i] -= d * mu[e];
            Fv[i] -= d * lambda[e] - yp[n + i] / 3 - yp[n + j] / 6;
            Fv[j] += yp[n + i] / 6;
        }
        phi[e] = (square - 1) / 2;
        rate[e] = product;
    }
}

// The matrix of (a, b): G of one rod is (-d, d), its derivative by a difference w is (-w, w).
static void pair(kkt *k, int row, int column, int a, int b, double s)
{
    kkt_put(k, row + b, column + b, s);
    if (a < 0) return;
    kkt_put(k, row + a, column + a, s);
    kkt_put(k, row + a, column + b, -s);
    kkt_put(k, row + b, column + a, -s);
}

static void rod_matrix(hand *h, double cj, const double *y)
{
    const rods *r = &h->r;
    const int n = h->n, c = h->c;
    const double *v = y + n, *mu = v + n, *lambda = mu + c;
    kkt *m = &h->k;
    kkt_begin(m, 0);
    for (int i = 0; i < n; i++) {
        kkt_put(m, i, i, cj);
        kkt_put(m, i, n + i, -1);
    }
    for (int e = 0; e < r->n_rods; e++) {
        const int a = r->rods[e].a, b = r->rods[e].b, up = 2 * n + e, down = 2 * n + c + e;
        const double *x = rods_at(r, y, a);
        for (int k = 0; k < 2; k++) {
            const int i = a < 0 ? -1 : 2 * a + k, j = 2 * b + k;
            const double d = y[j] - x[k], w = v[j] - (a >= 0 ? v[i] : 0);
            pair(m, 0, 0, i, j, mu[e]);
            pair(m, n, 0, i, j, lambda[e]);
            kkt_put(m, n + j, n + j, cj / 3);
            kkt_put(m, j, up, d);
            kkt_put(m, up, j, d);
            kkt_put(m, n + j, down, d);
            kkt_put(m, down, n + j, d);
            kkt_put(m, down, j, w);
            if (a < 0) continue;
            kkt_put(m, n + i, n + i, cj / 3);
            kkt_put(m, n + i, n + j, cj / 6);
            kkt_put(m, n + j, n + i, cj / 6);
            kkt_put(m, i, up, -d);
            kkt_put(m, up, i, -d);
            kkt_put(m, n + i, down, -d);
            kkt_put(m, down, n + i, -d);
            kkt_put(m, down, i, -w);
        }
    }
}

static int rod_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J, void *user,
                        N_Vector t1, N_Vector t2, N_Vector t3)
{
    hand *h = user;
    (void)t, (void)yp, (void)r, (void)t1, (void)t2, (void)t3;
    rod_matrix(h, cj, N_VGetArrayPointer(y));
    sunindextype *start = SUNSparseMatrix_IndexPointers(J), *index = SUNSparseMatrix_IndexValues(J);
    for (int i = 0; i <= h->k.n; i++) start[i] = h->k.start[i];
    for (int i = 0; i < h->k.start[h->k.n]; i++) index[i] = h->k.index[i];
    memcpy(SUNSparseMatrix_Data(J), h->k.value, (size_t)h->k.start[h->k.n] * sizeof *h->k.value);
    return 0;
}

// ---- Andrews --------------------------------------------------------------------------------------------------------------

static void angle_residual(const double *y, const double *yp, double *F)
{
    const double *v = y + SEVEN, *mu = v + SEVEN, *lambda = mu + SIX;
    double M[SEVEN * SEVEN], C[SIX * SEVEN], f[SEVEN];
    seven_mass(y, M);
    seven_constraints(y, NULL, F + 2 * SEVEN, C, NULL);
    seven_forces(y, v, f);
    for (int i = 0; i < SEVEN; i++) {
        F[i] = yp[i] - v[i];
        F[SEVEN + i] = -f[i];
        for (int j = 0; j < SEVEN; j++) F[SEVEN + i] += M[SEVEN * i + j] * yp[SEVEN + j];
        for (int c = 0; c < SIX; c++) {
            F[i] += C[SEVEN * c + i] * mu[c];
            F[SEVEN + i] += C[SEVEN * c + i] * lambda[c];
        }
    }
    for (int c = 0; c < SIX; c++) {
        F[2 * SEVEN + SIX + c] = 0;
        for (int i = 0; i < SEVEN; i++) F[2 * SEVEN + SIX + c] += C[SEVEN * c + i] * v[i];
    }
}

// ---- pendulum: centre x y and angle of both bodies, shoulder and elbow -----------------------------------------------------

static void pendulum_residual(const double *y, const double *yp, double *F)
{
    const double *v = y + BODY, *mu = v + BODY, *lambda = mu + TIES, *a = yp + BODY;
    const double s1 = sin(y[2]), c1 = cos(y[2]), s2 = 1.5 * sin(y[5]), c2 = 1.5 * cos(y[5]);
    const double inner = -400 * (y[2] - 1.5 * PEER_PI) - 15 * v[2],
                 outer = -3e5 * (y[5] - y[2]) - 5e4 * (v[5] - v[2]);
    const double C[TIES][BODY] = {
        {1, 0, s1, 0, 0, 0}, {0, 1, -c1, 0, 0, 0}, {-1, 0, s1, 1, 0, s2}, {0, -1, -c1, 0, 1, -c2}};
    const double phi[TIES] = {y[0] - c1, y[1] - s1, y[3] - c2 - y[0] - c1, y[4] - s2 - y[1] - s1};
    const double M[BODY] = {3, 3, 1, 0.3, 0.3, 0.225};
    const double f[BODY] = {0, -3 * RODS_G, inner - outer, 0, -0.3 * RODS_G, outer};
    for (int i = 0; i < BODY; i++) {
        F[i] = yp[i] - v[i];
        F[BODY + i] = M[i] * a[i] - f[i];
        for (int c = 0; c < TIES; c++) {
            F[i] += C[c][i] * mu[c];
            F[BODY + i] += C[c][i] * lambda[c];
        }
    }
    for (int c = 0; c < TIES; c++) {
        F[2 * BODY + c] = phi[c];
        F[2 * BODY + TIES + c] = 0;
        for (int i = 0; i < BODY; i++) F[2 * BODY + TIES + c] += C[c][i] * v[i];
    }
}

// ---- runs ---------------------------------------------------------------------------------------------------------------

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void *user)
{
    const hand *h = user;
    const double *Y = N_VGetArrayPointer(y), *Yp = N_VGetArrayPointer(yp);
    (void)t;
    if (h->kind == RODS)
        rod_residual(h, Y, Yp, N_VGetArrayPointer(F));
    else if (h->kind == ANGLES)
        angle_residual(Y, Yp, N_VGetArrayPointer(F));
    else
        pendulum_residual(Y, Yp, N_VGetArrayPointer(F));
    return 0;
}

// Accelerations and multipliers of the start: they are linear in the residual, whose matrix differences give exactly.
static bool consistent(hand *h, double *y, double *yp)
{
    const int n = h->n, m = h->n + h->c, all = 2 * (h->n + h->c);
    double *A = calloc((size_t)m * (size_t)m + (size_t)m + 3 * (size_t)all, sizeof *A),
           *b = A + (size_t)m * (size_t)m;
    double *F = b + m, *F1 = F + all, *y1 = F1 + all;
    const double step = 1;
    N_Vector V[4];
    SUNContext context;
    if (!A || SUNContext_Create(NULL, &context)) return false;
    memcpy(yp, y + n, (size_t)n * sizeof *y);
    double *const data[4] = {y, yp, F, F1};
    for (int k = 0; k < 4; k++) V[k] = N_VMake_Serial(all, data[k], context);
    residual(0, V[0], V[1], V[2], h);
    for (int j = 0; j < n; j++) { // M
        yp[n + j] += step;
        residual(0, V[0], V[1], V[3], h);
        yp[n + j] -= step;
        for (int i = 0; i < n; i++) A[i * m + j] = (F1[n + i] - F[n + i]) / step;
    }
    for (int j = 0; j < h->c; j++) { // G^T, G
        y[2 * n + h->c + j] += step;
        residual(0, V[0], V[1], V[3], h);
        y[2 * n + h->c + j] -= step;
        for (int i = 0; i < n; i++) A[i * m + n + j] = A[(n + j) * m + i] = (F1[n + i] - F[n + i]) / step;
    }
    // G' v by a central difference of G(q) v along v
    const double small = 1e-6;
    for (int side = -1; side <= 1; side += 2) {
        memcpy(y1, y, (size_t)all * sizeof *y);
        for (int i = 0; i < n; i++) y1[i] += side * small * y[n + i];
        N_Vector at = N_VMake_Serial(all, y1, context);
        residual(0, at, V[1], V[3], h);
        N_VDestroy(at);
        for (int j = 0; j < h->c; j++) b[n + j] -= side * F1[2 * n + h->c + j] / (2 * small);
    }
    for (int i = 0; i < n; i++) b[i] = -F[n + i];
    SUNMatrix D = SUNDenseMatrix(m, m, context);
    N_Vector x = N_VMake_Serial(m, b, context);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) SM_ELEMENT_D(D, i, j) = A[i * m + j];
    SUNLinearSolver linear = SUNLinSol_Dense(x, D, context);
    const bool fine = SUNLinSolSetup(linear, D) == 0 && SUNLinSolSolve(linear, D, x, x, 0) == 0;
    for (int i = 0; i < n; i++) yp[n + i] = b[i];
    for (int j = 0; j < h->c; j++) y[2 * n + h->c + j] = b[n + j];
    SUNLinSolFree(linear);
    SUNMatDestroy(D);
    N_VDestroy(x);
    for (int k = 0; k < 4; k++) N_VDestroy(V[k]);
    SUNContext_Free(&context);
    free(A);
    return fine;
}

static double *start(hand *h, const peer_problem *p)
{
    memset(h, 0, sizeof *h);
    if (peer_is(p, "parallelograms") || peer_is(p, "ladder")) {
        h->kind = RODS;
        rods_start(&h->r, p);
        h->n = 2 * h->r.points;
        h->c = h->r.n_rods;
    } else if (peer_is(p, "andrews")) {
        h->kind = ANGLES, h->n = SEVEN, h->c = SIX;
    } else if (peer_is(p, "stiff_pendulum")) {
        h->kind = PENDULUM, h->n = BODY, h->c = TIES;
    } else
        return NULL;
    const int all = 2 * (h->n + h->c);
    double *y = calloc(2 * (size_t)all, sizeof *y);
    if (h->kind == RODS) memcpy(y, h->r.x, 2 * (size_t)h->n * sizeof *y);
    if (h->kind == ANGLES) memcpy(y, seven_start, sizeof seven_start);
    if (h->kind == PENDULUM) {
        const double a = 2 * PEER_PI, b = 23 * PEER_PI / 12;
        const double q[BODY] = {cos(a), sin(a), a, 2 * cos(a) + 1.5 * cos(b), 2 * sin(a) + 1.5 * sin(b), b};
        memcpy(y, q, sizeof q);
    }
    if (h->kind == RODS) {
        rod_matrix(h, 1, y);
        kkt_learn(&h->k, all);
    }
    if (consistent(h, y, y + all)) return y;
    free(y);
    return NULL;
}

static bool integrate(const hand *h, void *solver, N_Vector y, N_Vector yp, const peer_problem *p,
                      bool sampled, peer_outcome *out)
{
    const double *state = N_VGetArrayPointer(y);
    const bool energy = h->kind == RODS;
    const double e = energy ? rods_energy(&h->r, state, state + h->n) : 0;
    // energy: at 100 times at least; the points are among them
    const int each = sampled && p->points < 100 ? (100 + p->points - 1) / p->points : 1,
              parts = sampled ? each * p->points : 1;
    double t;
    int flag = 0;
    IDASetStopTime(solver, p->end);
    const double begin = peer_now();
    for (int i = 1; i <= parts && flag >= 0; i++) {
        flag = IDASolve(solver, p->end * i / parts, &t, y, yp, IDA_NORMAL);
        if (!sampled) continue;
        if (energy) peer_drift(out, rods_energy(&h->r, state, state + h->n) - e);
        const double *at = state + (h->kind == RODS ? 2 * h->r.watched : h->kind == PENDULUM ? 2 : 0);
        if (i % each == 0) memcpy(out->got + (i / each - 1) * p->values, at, (size_t)p->values * sizeof *at);
    }
    out->seconds = peer_now() - begin;
    IDAGetNumSteps(solver, &out->steps);
    IDAGetNumResEvals(solver, &out->rhs);
    if (flag < 0)
        snprintf(out->failure, sizeof out->failure, "%s at t = %.3g s", IDAGetReturnFlagName(flag), t);
    return flag >= 0;
}

static bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    hand h;
    double *state = peer_rhs(p) ? NULL : start(&h, p);
    SUNContext context;
    if (!state || SUNContext_Create(NULL, &context)) {
        snprintf(out->failure, sizeof out->failure, "unknown");
        return false;
    }
    const int all = 2 * (h.n + h.c);
    N_Vector y = N_VMake_Serial(all, state, context), yp = N_VMake_Serial(all, state + all, context),
             id = N_VNew_Serial(all, context);
    for (int i = 0; i < all; i++) N_VGetArrayPointer(id)[i] = i < 2 * h.n;
    const bool sparse = h.kind == RODS;
    SUNMatrix J = sparse ? SUNSparseMatrix(all, all, h.k.start[all], CSC_MAT, context)
                         : SUNDenseMatrix(all, all, context);
    SUNLinearSolver linear = sparse ? SUNLinSol_KLU(y, J, context) : SUNLinSol_Dense(y, J, context);
    void *solver = IDACreate(context);
    IDAInit(solver, residual, 0, y, yp);
    IDASetUserData(solver, &h);
    IDASStolerances(solver, atof(setting), atof(setting));
    IDASetLinearSolver(solver, linear, J);
    if (sparse) IDASetJacFn(solver, rod_jacobian);
    IDASetId(solver, id);
    IDASetSuppressAlg(solver, SUNTRUE);
    IDASetMaxNumSteps(solver, 200000);
    IDASetErrFile(solver, NULL);
    const bool fine = integrate(&h, solver, y, yp, p, sampled, out);
    IDAFree(&solver);
    SUNLinSolFree(linear);
    SUNMatDestroy(J);
    N_VDestroy(y);
    N_VDestroy(yp);
    N_VDestroy(id);
    SUNContext_Free(&context);
    if (h.r.rods) rods_free(&h.r);
    kkt_free(&h.k);
    free(state);
    return fine;
}

int main(int argc, char **argv) { return peer_main(argc, argv, run); }
