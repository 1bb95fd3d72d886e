// Newmark with the constraints held by the accelerations; velocities and positions drift, unless gains pull them back
// (Baumgarte 1972):
//
//     M a1 + Phi_q^T lam1 = Q1
//     Phi'' + 2 alpha Phi' + beta^2 Phi = 0,     Phi' = Phi_q v1 + Phi_t,   Phi'' = Phi_q a1 - tau
//     q1 = q0 + h v0 + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1]
#include "integrator/teaching.h"

enum { ALPHA = HOL_NEWMARK_OWN, BETA };
static const hol_option options[] = {
    HOL_TEACHING_NEWMARK_ROWS,
    {"baumgarte_alpha", HOL_NUMBER, "1/s", 0, 0, HOL_INF, 0, NULL,
     "gain of what the velocities miss; 0: none"},
    {"baumgarte_beta", HOL_NUMBER, "1/s", 0, 0, HOL_INF, 0, NULL,
     "gain of what the positions miss; equal to baumgarte_alpha: the fastest decay without oscillation"},
    HOL_END_OPTIONS};

static hol_status step(hol_integrator *it, double t1)
{
    const double alpha = it->option[ALPHA].num, beta = it->option[BETA].num;
    const hol_level accelerations = {.acceleration = 1, .velocity = 2 * alpha, .position = beta * beta};
    return hol_teaching_newmark(it, t1, &accelerations);
}

const hol_method hol_method_newmark_index1 = {
    .name = "newmark-index1",
    .family = "Newmark",
    .doc = "Newmark with the constraints of the accelerations, with Baumgarte's gains; fixed steps",
    .order = 1,
    .order_of = hol_newmark_order,
    .options = options,
    .limit = hol_newmark_limit,
    .step = step,
    HOL_TEACHING_FUNCTIONS,
};
