// All joints cut: bodies stand alone, and the multipliers of all joints come from A = D M^-1 D^T, factored by blocks
// (joint_matrix.h). docs/theory.md, section 15.5.
#include "recursion/loop_solver.h"
#include "recursion/joint_matrix.h"
#include "recursion/spatial.h"

#include <string.h>

// d <- A^-1 d and u -= M^-1 D^T d. fresh: by new factors of A, at a state that is placed. x, false: as hol_joint_matrix_take.
static bool correct(hol_loops *o, bool fresh, double *d, double *u, hol_state *x)
{
    if (fresh) {
        o->rank = hol_joint_matrix_factor(o->joints, d);
        hol_joint_matrix_solve_back(o->joints, d);
    } else
        hol_joint_matrix_solve(o->joints, d);
    o->solves++;
    return hol_joint_matrix_take(o->joints, d, u, x);
}

// b = D u - tau: what the accelerations u miss.
static void miss(const hol_loops *o, const double *u, double *b)
{
    const double *tau = o->r->tau;
    hol_tree_loops_times(o->r, u, b);
    for (int i = 0; i < o->size->n_loops; i++) b[i] -= tau[i];
}

enum { REFINEMENTS = 5 };

// What rounding leaves is looked at where the multipliers are wanted, once a step; from the first time on that it counts,
// everywhere.
static bool looks(const hol_loops *o, bool multipliers) { return multipliers || o->refine; }

static void put_multipliers(hol_loops *o, hol_state *x) { hol_tree_put_multipliers(o->r, o->mu, x); }

// At a state that is prepared: in u the accelerations without joints, in mu what they miss. fresh: as in `correct`.
static hol_status accelerate_by(hol_loops *o, bool fresh, hol_state *x, bool multipliers)
{
    const int m = o->size->n_loops;
    const bool look = looks(o, multipliers);
    const double enough = look ? o->accuracy * hol_tree_loop_norm(o->r, o->mu) : 0;
    bool finite = correct(o, fresh, o->mu, o->u, look ? NULL : x);
    double last = HOL_INF;
    for (int k = 0; k < REFINEMENTS && look; k++) {
        miss(o, o->u, o->d);
        const double left = hol_tree_loop_norm(o->r, o->d);
        if (left <= enough || !(left < 0.5 * last)) break;
        last = left;
        o->refine = true;
        correct(o, false, o->d, o->u, NULL);
        for (int i = 0; i < m; i++) o->mu[i] += o->d[i];
    }
    if (look) finite = hol_joint_matrix_put(o->joints, o->u, x);
    if (!finite) { // multipliers that are not leave their bodies so
        memset(o->mu, 0, (size_t)m * sizeof *o->mu);
        return HOL_RECOVERABLE;
    }
    if (multipliers) put_multipliers(o, x);
    return HOL_OK;
}

static hol_status accelerate(hol_loops *o, hol_state *x, bool multipliers)
{
    hol_joint_matrix_prepare(o->joints, x, looks(o, multipliers), o->mu);
    return accelerate_by(o, true, x, multipliers);
}

// The matrix is made at the positions; for velocities it is there.
static hol_status close(hol_loops *o, const hol_joint_state *to, bool velocity, bool fresh, double part,
                        double exact)
{
    const size_t n = (size_t)o->size->n;
    (void)to, (void)part, (void)exact;
    if (fresh && !velocity) hol_joint_matrix_place(o->joints);
    memset(o->w, 0, n * sizeof *o->w);
    if (velocity) memcpy(o->w, o->r->nu, n * sizeof *o->w);
    memcpy(o->d, velocity ? o->r->rate : o->r->theta, (size_t)o->size->n_loops * sizeof *o->d);
    correct(o, fresh, o->d, o->w, NULL);
    return HOL_OK;
}

static hol_status settled(hol_loops *o, bool *fresh)
{
    hol_joint_matrix_place(o->joints);
    *fresh = true;
    return HOL_OK;
}

static hol_status finish(hol_loops *o, bool fresh, hol_state *x)
{
    hol_tree_add_forces(o->r, x);
    hol_joint_matrix_move(o->joints, o->u);
    miss(o, o->u, o->mu);
    return accelerate_by(o, fresh, x, true);
}

static void divide(const hol_loops *o, const double *b, double *x)
{
    if (x != b) memcpy(x, b, (size_t)o->size->n_loops * sizeof *x);
    hol_joint_matrix_solve(o->joints, x);
}

static double operations(const hol_loops *o) { return hol_joint_matrix_operations(o->joints); }

const hol_loop_solver hol_loop_joints = {accelerate, put_multipliers, close,     settled,
                                         finish,     divide,          operations};
