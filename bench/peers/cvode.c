// Written by hand for the two stiff problems, in as few coordinates as there are degrees of freedom: SUNDIALS CVODE, BDF, dense matrix by
// differences. SETTING: the tolerance.
#include "peers.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { STATES = 4 };

#define G 9.81

// ---- governor: s, alpha from the downward vertical, rates; the shaft's rate follows from the constant angular momentum ----------

#define R 0.05
#define ARM 5.3
#define COM (5.15 / ARM)
#define ALONG (0.3 * 2e-4 / 12)
#define ACROSS (0.3 * 1.0001 / 12 + 0.3 * (COM - 0.5) * (COM - 0.5) + 5 * (1 - COM) * (1 - COM))

// Moment of inertia about the shaft, and its derivative by alpha.
static double about_shaft(double alpha, double *slope)
{
    const double s = sin(alpha), c = cos(alpha), radius = R + COM * s;
    *slope = 2 * (2 * ARM * radius * COM * c + 2 * (ACROSS - ALONG) * s * c);
    return ALONG + 0.005 + 2 * (ARM * radius * radius + ACROSS * s * s + ALONG * c * c);
}

static void governor(const double *y, double momentum, double *rate)
{
    const double s = sin(y[1]), c = cos(y[1]), dx = 0.5 * s, dz = 1 - 0.5 * c - y[0];
    const double l = sqrt(dx * dx + dz * dz), vx = 0.5 * c * y[3], vz = 0.5 * s * y[3] - y[2];
    const double pull = 8e5 * (l - 0.5) + 4e4 * (dx * vx + dz * vz) / l;
    double slope;
    const double J = about_shaft(y[1], &slope), spin = momentum / J;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = 2 * pull * dz / l / 3 - G;
    rate[3] =
        (slope * spin * spin / 2 - 2 * ARM * G * COM * s - 2 * pull * (dx * 0.5 * c + dz * 0.5 * s) / l) /
        (2 * (ACROSS + ARM * COM * COM));
}

// ---- stiff double pendulum: angles from x, rates ------------------------------------------------------------------------

static void pendulum(const double *y, double *rate)
{
    const double m1 = 3, m2 = 0.3, d = y[1] - y[0];
    const double inner = -400 * (y[0] - 1.5 * PEER_PI) - 15 * y[2], outer = -3e5 * d - 5e4 * (y[3] - y[2]);
    const double a = m1 * (1 + 1. / 3) + 4 * m2, b = m2 * 2 * 1.5 * cos(d), c = m2 * 1.5 * 1.5 * (1 + 1. / 3);
    const double couple = m2 * 2 * 1.5 * sin(d);
    const double f = inner - outer - (m1 + 2 * m2) * G * cos(y[0]) + couple * y[3] * y[3];
    const double g = outer - m2 * 1.5 * G * cos(y[1]) - couple * y[2] * y[2];
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (c * f - b * g) / (a * c - b * b);
    rate[3] = (a * g - b * f) / (a * c - b * b);
}

// ---- runs ---------------------------------------------------------------------------------------------------------------

typedef struct {
    bool governor;
    double momentum;
} hand;

static int rhs(realtype t, N_Vector y, N_Vector rate, void *user)
{
    const hand *h = user;
    (void)t;
    if (h->governor)
        governor(N_VGetArrayPointer(y), h->momentum, N_VGetArrayPointer(rate));
    else
        pendulum(N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    return 0;
}

static bool integrate(void *solver, N_Vector y, const peer_problem *p, bool sampled, peer_outcome *out)
{
    const int points = sampled ? p->points : 1;
    double t;
    int flag = 0;
    const double begin = peer_now();
    for (int i = 1; i <= points && flag >= 0; i++) {
        flag = CVode(solver, p->end * i / points, y, &t, CV_NORMAL);
        out->got[i - 1] = *N_VGetArrayPointer(y);
    }
    out->seconds = peer_now() - begin;
    CVodeGetNumSteps(solver, &out->steps);
    CVodeGetNumRhsEvals(solver, &out->rhs);
    if (flag < 0) snprintf(out->failure, sizeof out->failure, "%s", CVodeGetReturnFlagName(flag));
    return flag >= 0;
}

static bool run(const peer_problem *p, const char *setting, bool sampled, peer_outcome *out)
{
    hand h = {.governor = peer_is(p, "flyball")};
    if (!h.governor && !peer_is(p, "stiff_pendulum")) {
        snprintf(out->failure, sizeof out->failure, "unknown");
        return false;
    }
    double slope, state[STATES] = {0.5, PEER_PI / 3, 0, 0};
    if (h.governor)
        h.momentum = 2 * PEER_PI * about_shaft(state[1], &slope);
    else
        memcpy(state, (double[STATES]){2 * PEER_PI, 23 * PEER_PI / 12, 0, 0}, sizeof state);
    SUNContext context;
    if (SUNContext_Create(NULL, &context)) return false;
    N_Vector y = N_VMake_Serial(STATES, state, context);
    SUNMatrix A = SUNDenseMatrix(STATES, STATES, context);
    SUNLinearSolver linear = SUNLinSol_Dense(y, A, context);
    void *solver = CVodeCreate(CV_BDF, context);
    CVodeInit(solver, rhs, 0, y);
    CVodeSetUserData(solver, &h);
    CVodeSStolerances(solver, atof(setting), atof(setting));
    CVodeSetLinearSolver(solver, linear, A);
    CVodeSetMaxNumSteps(solver, 200000);
    const bool fine = integrate(solver, y, p, sampled, out);
    CVodeFree(&solver);
    SUNLinSolFree(linear);
    SUNMatDestroy(A);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return fine;
}

int main(int argc, char **argv) { return peer_main(argc, argv, run); }
