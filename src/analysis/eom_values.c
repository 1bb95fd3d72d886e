// The quantities of a model at a state, one by one. A quantity more is a row of the table and a function that finds it.
#include "analysis/eom.h"
#include "system/linear.h"
#include "system/place.h"

#include <string.h>

static size_t length(int n) { return (size_t)n * sizeof(double); }

static void turn_signs(int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = -x[i];
}

// ---- matrices -------------------------------------------------------------------------------------------------

static hol_status mass(hol_eom *e, double *out)
{
    hol_eom_need_matrix(e);
    hol_part_dense(&e->mass, out);
    return HOL_OK;
}

static hol_status phi_q(hol_eom *e, double *out)
{
    hol_eom_need_matrix(e);
    hol_part_dense(&e->phi_q, out);
    return HOL_OK;
}

static hol_status psi_v(hol_eom *e, double *out)
{
    hol_eom_need_matrix(e);
    hol_part_dense(&e->psi_v, out);
    return HOL_OK;
}

// Psi_q n + Psi_t tau of a direction (n; tau) (nq + 1).
static void along(hol_eom *e, const double *direction, double *out)
{
    hol_linear_rates(e->k.s, &e->x, 1, direction, NULL, e->m->nk, out);
    turn_signs(e->m->nk, out);
}

// Column by column.
static hol_status psi_q(hol_eom *e, double *out)
{
    double *n = e->work;
    memset(n, 0, length(e->m->nq + 1));
    for (int j = 0; j < e->m->nq; j++) {
        n[j] = 1;
        along(e, n, out + (size_t)j * (size_t)e->m->nk);
        n[j] = 0;
    }
    return HOL_OK;
}

// ---- vectors --------------------------------------------------------------------------------------------------

static hol_status forces(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_users(e);
    hol_state free = e->x;
    free.lam = free.kap = e->zero;
    if (st) return st;
    hol_equations_forces(e->k.s, &free, out);
    turn_signs(e->m->nq, out);
    return HOL_OK;
}

static hol_status phi(hol_eom *e, double *out)
{
    hol_equations_residual(e->k.s, &e->x, NULL, out);
    return HOL_OK;
}

static hol_status phi_t(hol_eom *e, double *out)
{
    hol_equations_phi_dot_all(e->k.s, e->x.t, e->x.q, e->zero, out);
    return HOL_OK;
}

static hol_status gamma_(hol_eom *e, double *out)
{
    hol_equations_tau(e->k.s, &e->x, out);
    return HOL_OK;
}

static hol_status psi(hol_eom *e, double *out)
{
    hol_equations_rates(e->k.s, &e->x, out);
    return HOL_OK;
}

static hol_status psi_t(hol_eom *e, double *out)
{
    double *n = e->work;
    memset(n, 0, length(e->m->nq));
    n[e->m->nq] = 1;
    along(e, n, out);
    return HOL_OK;
}

static hol_status psi_gamma(hol_eom *e, double *out)
{
    hol_state still = e->x;
    still.a = e->zero;
    hol_equations_rates_dot(e->k.s, &still, out);
    turn_signs(e->m->nk, out);
    return HOL_OK;
}

static hol_status accelerations(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_unknowns(e);
    if (!st) memcpy(out, e->x.a, length(e->m->nq));
    return st;
}

static hol_status multipliers(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_reactions(e);
    if (!st) memcpy(out, e->reactions.lam, length(e->m->nc));
    return st;
}

static hol_status velocity_multipliers(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_unknowns(e);
    if (!st) memcpy(out, e->x.kap, length(e->m->nk));
    return st;
}

static hol_status variables(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_users(e);
    for (int i = 0; i < e->n_variables && !st; i++) out[i] = e->x.z[e->variable[i]];
    return st;
}

static hol_status state_rates(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_users(e);
    for (int i = 0; i < e->m->n_states && !st; i++) out[i] = e->x.z[e->m->state[i].equation];
    return st;
}

// ---- tangents of the forces -----------------------------------------------------------------------------------

// Q along unit directions, `all` of them, which stand in one of e->tangent's arrays with this leading dimension; NULL: along the inputs.
static hol_status tangent(hol_eom *e, double *direction, int ld, int first, int all, double *out)
{
    hol_eom_tangent *t = &e->tangent;
    const size_t nq = (size_t)e->m->nq, n = (size_t)e->k.s->n;
    hol_status st = HOL_OK;
    memset(t->N, 0, HOL_EOM_COLUMNS * (2 * nq + 1 + (size_t)e->m->n_states) * sizeof *t->N); // and Z, X
    for (int from = 0; from < all && !st; from += HOL_EOM_COLUMNS) {
        const int cols = all - from < HOL_EOM_COLUMNS ? all - from : HOL_EOM_COLUMNS;
        for (int c = 0; c < cols && direction; c++)
            direction[c * (size_t)ld + (size_t)(first + from + c)] = 1;
        st = direction ? hol_eom_force_changes(e, cols) : hol_eom_force_changes_by_inputs(e, from, cols);
        for (int c = 0; c < cols; c++) {
            if (direction) direction[c * (size_t)ld + (size_t)(first + from + c)] = 0;
            memcpy(out + (size_t)(from + c) * nq, t->out + (size_t)c * n, nq * sizeof *out);
        }
    }
    return st;
}

static hol_status forces_q(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_tangent(e);
    return st ? st : tangent(e, e->tangent.N, e->m->nq + 1, 0, e->m->nq, out);
}

static hol_status forces_v(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_tangent(e);
    return st ? st : tangent(e, e->tangent.Z, e->m->nq, 0, e->m->nq, out);
}

static hol_status forces_x(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_tangent(e);
    return st ? st : tangent(e, e->tangent.X, e->m->n_states, 0, e->m->n_states, out);
}

static hol_status forces_t(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_tangent(e);
    return st ? st : tangent(e, e->tangent.N, e->m->nq + 1, e->m->nq, 1, out);
}

static hol_status forces_u(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_tangent(e);
    return st ? st : tangent(e, NULL, 0, 0, hol_model_inputs(e->m), out);
}

// ---- joint coordinates ----------------------------------------------------------------------------------------

static hol_status joint_positions(hol_eom *e, double *out)
{
    memcpy(out, e->joints.p, length(e->joints.n_p));
    return HOL_OK;
}

static hol_status joint_velocities(hol_eom *e, double *out)
{
    memcpy(out, e->joints.u, length(e->joints.n_u));
    return HOL_OK;
}

static hol_status joint_basis(hol_eom *e, double *out)
{
    memcpy(out, e->joints.N, (size_t)e->m->nq * length(e->joints.n_u));
    return HOL_OK;
}

static hol_status joint_drift(hol_eom *e, double *out)
{
    memcpy(out, e->joints.v0, length(e->m->nq));
    return HOL_OK;
}

static hol_status joint_inertia(hol_eom *e, double *out)
{
    hol_joint_space_inertia(&e->joints, &e->x);
    memcpy(out, e->joints.H, (size_t)e->joints.n_u * length(e->joints.n_u));
    return HOL_OK;
}

// The smallest accelerations that hold the joints: forces have no part in them, large ones take no digits.
static hol_status joint_bias(hol_eom *e, double *out)
{
    hol_equations *s = e->k.s;
    hol_state held = e->x;
    double *Q = e->work;
    hol_status st = forces(e, Q);
    if (!st) st = hol_kernel_set(&e->k, &e->x, 0, NULL);
    hol_equations_tau(s, &e->x, e->spare.lam);
    if (!st) st = hol_kernel_lift(&e->k, s->nc, e->spare.lam, e->spare.a);
    if (st) return st < 0 ? st : hol_eom_fail(e, "the bias is");
    held.a = e->spare.a;
    hol_joint_space_bias(&e->joints, &held, Q);
    memcpy(out, e->joints.h, length(e->joints.n_u));
    return HOL_OK;
}

static hol_status joint_accelerations(hol_eom *e, double *out)
{
    const hol_status st = hol_eom_need_unknowns(e);
    if (!st) hol_joint_space_rates(&e->joints, &e->x, out);
    return st;
}

// ---- the table ------------------------------------------------------------------------------------------------

typedef enum { ONE, N_Q, N_C, N_K, N_X, N_Z, N_I, N_P, N_U } size_name;

static const struct {
    size_name rows, columns;
    hol_status (*find)(hol_eom *e, double *out);
    hol_status (*joints)(hol_eom *e); // what of joint coordinates has to be there; NULL: nothing
} quantities[HOL_EOM_QUANTITIES] = {
    [HOL_EOM_MASS] = {N_Q, N_Q, mass, NULL},
    [HOL_EOM_FORCES] = {N_Q, ONE, forces, NULL},
    [HOL_EOM_PHI] = {N_C, ONE, phi, NULL},
    [HOL_EOM_PHI_Q] = {N_C, N_Q, phi_q, NULL},
    [HOL_EOM_PHI_T] = {N_C, ONE, phi_t, NULL},
    [HOL_EOM_GAMMA] = {N_C, ONE, gamma_, NULL},
    [HOL_EOM_PSI] = {N_K, ONE, psi, NULL},
    [HOL_EOM_PSI_Q] = {N_K, N_Q, psi_q, NULL},
    [HOL_EOM_PSI_V] = {N_K, N_Q, psi_v, NULL},
    [HOL_EOM_PSI_T] = {N_K, ONE, psi_t, NULL},
    [HOL_EOM_PSI_GAMMA] = {N_K, ONE, psi_gamma, NULL},
    [HOL_EOM_ACCELERATIONS] = {N_Q, ONE, accelerations, NULL},
    [HOL_EOM_MULTIPLIERS] = {N_C, ONE, multipliers, NULL},
    [HOL_EOM_VELOCITY_MULTIPLIERS] = {N_K, ONE, velocity_multipliers, NULL},
    [HOL_EOM_VARIABLE_VALUES] = {N_Z, ONE, variables, NULL},
    [HOL_EOM_STATE_RATES] = {N_X, ONE, state_rates, NULL},
    [HOL_EOM_FORCES_Q] = {N_Q, N_Q, forces_q, NULL},
    [HOL_EOM_FORCES_V] = {N_Q, N_Q, forces_v, NULL},
    [HOL_EOM_FORCES_X] = {N_Q, N_X, forces_x, NULL},
    [HOL_EOM_FORCES_T] = {N_Q, ONE, forces_t, NULL},
    [HOL_EOM_FORCES_U] = {N_Q, N_I, forces_u, NULL},
    [HOL_EOM_JOINT_POSITIONS] = {N_P, ONE, joint_positions, hol_eom_need_joints},
    [HOL_EOM_JOINT_VELOCITIES] = {N_U, ONE, joint_velocities, hol_eom_need_joints},
    [HOL_EOM_JOINT_BASIS] = {N_Q, N_U, joint_basis, hol_eom_need_basis},
    [HOL_EOM_JOINT_DRIFT] = {N_Q, ONE, joint_drift, hol_eom_need_basis},
    [HOL_EOM_JOINT_INERTIA] = {N_U, N_U, joint_inertia, hol_eom_need_basis},
    [HOL_EOM_JOINT_BIAS] = {N_U, ONE, joint_bias, hol_eom_need_basis},
    [HOL_EOM_JOINT_ACCELERATIONS] = {N_U, ONE, joint_accelerations, hol_eom_need_joints},
};

bool hol_eom_is_of_joints(hol_eom_quantity what) { return quantities[what].joints; }

void hol_eom_size(const hol_eom *e, hol_eom_quantity what, int *rows, int *columns)
{
    const int size[] = {[ONE] = 1,
                        [N_Q] = e->m->nq,
                        [N_C] = e->m->nc,
                        [N_K] = e->m->nk,
                        [N_X] = e->m->n_states,
                        [N_Z] = e->n_variables,
                        [N_I] = hol_model_inputs(e->m),
                        [N_P] = e->joints.n_p,
                        [N_U] = e->joints.n_u};
    *rows = size[quantities[what].rows];
    *columns = size[quantities[what].columns];
}

hol_status hol_eom_value(hol_eom *e, hol_eom_quantity what, double *out)
{
    int rows, columns;
    hol_status st = quantities[what].joints ? quantities[what].joints(e) : HOL_OK;
    if (!st) st = quantities[what].find(e, out);
    hol_eom_size(e, what, &rows, &columns);
    return st || hol_all_finite(out, (size_t)rows * (size_t)columns)
               ? st
               : hol_eom_fail(e, "what is asked for is");
}

const hol_part *hol_eom_part(const hol_eom *e, hol_eom_quantity what)
{
    return what == HOL_EOM_MASS    ? &e->mass
           : what == HOL_EOM_PHI_Q ? &e->phi_q
           : what == HOL_EOM_PSI_V ? &e->psi_v
                                   : NULL;
}

// ---- reactions ------------------------------------------------------------------------------------------------

hol_status hol_eom_find_wrench(hol_eom *e, const hol_element *of, hol_eom_wrench *out)
{
    const hol_end *end = &of->end[of->n_ends - 1];
    double value[6];
    hol_eom_motion at;
    const hol_status st = hol_eom_need_reactions(e);
    if (st) return st;
    hol_reaction(&e->reactions, &e->x, (int)(of - e->m->element), value);
    if (!hol_all_finite(value, 6)) return hol_eom_fail(e, "the reaction is");
    hol_place_end(e->m, &e->x, end, &at);
    out->body = end->body < 0 ? "ground" : e->m->body[end->body].name;
    memcpy(out->point, at.position, sizeof out->point);
    memcpy(out->axes, at.axes, sizeof out->axes);
    memcpy(out->force, value, sizeof out->force);
    memcpy(out->torque, value + 3, sizeof out->torque);
    return HOL_OK;
}
