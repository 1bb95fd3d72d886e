// Newmark in all coordinates, the equations of motion projected onto the null space of the constraints:
//
//     N^T (M a1 - Q1) = 0,   Phi_q N = 0        Fernandez de Bustos et al. 2021, equation (23)
//     Phi(q1, t1) = 0
//     q1 = q0 + h v0 + h^2 [(1/2 - beta) a0 + beta a1],   v1 = v0 + h [(1 - gamma) a0 + gamma a1]
//
// The first line says that M a1 - Q1 lies in the range of Phi_q^T, so that multipliers exist, M a1 + Phi_q^T lam1 = Q1: the
// iteration solves for them too, and needs no N. Velocities and accelerations need not satisfy their constraints.
#include "integrator/teaching.h"

static const hol_option options[] = {HOL_TEACHING_NEWMARK_ROWS, HOL_END_OPTIONS};

static hol_status step(hol_integrator *it, double t1)
{
    static const hol_level positions = {.position = 1};
    return hol_teaching_newmark(it, t1, &positions);
}

const hol_method hol_method_projected = {
    .name = "projected",
    .family = "Newmark",
    .doc =
        "Newmark in all coordinates, projected equations of motion, constraints of the positions (Fernandez "
        "de Bustos 2021, equation 23); fixed steps. Accelerations and reactions of its rows are its own: "
        "they need "
        "not satisfy the constraints, and oscillate",
    .order = 1,
    .order_of = hol_newmark_order,
    .options = options,
    .holds = HOL_HOLDS_POSITIONS,
    .limit = hol_newmark_limit,
    .step = step,
    HOL_TEACHING_FUNCTIONS,
};
