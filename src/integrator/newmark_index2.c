// Newmark with the constraints held by the velocities; the positions drift, unless a gain pulls them back (Baumgarte 1972):
//
//     M a1 + Phi_q^T lam1 = Q1
//     Phi_q v1 + Phi_t + k Phi = 0
//     q1 = q0 + h v0 + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1]
#include "integrator/teaching.h"

enum { GAIN = HOL_NEWMARK_OWN };
static const hol_option options[] = {HOL_TEACHING_NEWMARK_ROWS,
                                     {"baumgarte", HOL_NUMBER, "1/s", 0, 0, HOL_INF, 0, NULL,
                                      "gain k: what the positions miss decays as exp(-k t); 0: they drift"},
                                     HOL_END_OPTIONS};

static hol_status step(hol_integrator *it, double t1)
{
    const hol_level velocities = {.velocity = 1, .position = it->option[GAIN].num};
    return hol_teaching_newmark(it, t1, &velocities);
}

const hol_method hol_method_newmark_index2 = {
    .name = "newmark-index2",
    .family = "Newmark",
    .doc = "Newmark with the constraints of the velocities, with a gain for the positions; fixed steps",
    .order = 1,
    .order_of = hol_newmark_order,
    .options = options,
    .holds = HOL_HOLDS_VELOCITIES,
    .limit = hol_newmark_limit,
    .step = step,
    HOL_TEACHING_FUNCTIONS,
};
