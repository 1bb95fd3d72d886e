// A model at a state, what include/holonom_equations.h shows: all constraint rows in use, and what has been found at the state.
//
// What is found is kept, and marked in `known`, until the state changes. Functions of eom_*.c find what they need of the rest.
#ifndef HOL_ANALYSIS_EOM_H
#define HOL_ANALYSIS_EOM_H

#include "analysis/reduced.h"
#include "holonom_equations.h"
#include "recursion/joint_space.h"
#include "system/part.h"
#include "system/rank.h"
#include "system/reaction.h"

enum {
    HOL_KNOWS_MATRIX = 1,    // mass, phi_q, psi_v
    HOL_KNOWS_USERS = 2,     // x.z, where it follows without accelerations
    HOL_KNOWS_UNKNOWNS = 4,  // x.a and all behind
    HOL_KNOWS_REACTIONS = 8, // reactions.lam
    HOL_KNOWS_JOINTS = 16,   // of joint coordinates p, u
    HOL_KNOWS_BASIS = 32,    // N, v0
    HOL_KNOWS_TANGENT = 64   // the factors of users' equations
};

typedef struct hol_eom_linearised {
    hol_equations *s; // of independent rows
    hol_kernel k;
    char *active; // these rows                                                            (m->nc)
    hol_state x;
    hol_reduced r;
    double *B, *C,
        *D; // of inputs and variables, in one memory                   (n x n_i), (n_z x n), (n_z x n_i)
    bool natural, ready;
} hol_eom_linearised;

// Columns of tangents of the forces are found so many at a time.
enum { HOL_EOM_COLUMNS = 16 };
typedef struct hol_eom_tangent {
    double *values;          // of S: -Q_z and 1 - E_z                            (as S has entries)
    double *LU;              // of 1 - E_z                                            (nz x nz)
    int *pivot;              //                                                            (nz)
    double *N, *Z, *X, *out; // of linear.h                                 (HOL_EOM_COLUMNS)
    double *memory;
} hol_eom_tangent;

struct hol_eom {
    hol_context *ctx;
    const hol_model_data *m;
    hol_kernel k; // k.s: all rows
    hol_rank rank;
    hol_state x, spare;
    unsigned known;
    bool follows; // users' equations follow from positions, velocities, states and time
    hol_explicit users;
    hol_part mass, phi_q, psi_v;
    double *values; // of S
    double *zero;   // as many as there are unknowns                                        (n)
    double *work;   //                                                                (n + nq + 1)
    hol_reactions reactions;
    int n_variables, *variable; // users' equations that have a name of their own
    hol_eom_tangent tangent;
    hol_joint_space joints; // used if joints.memory
    hol_eom_linearised linear;
};

// NULL: error.
hol_eom *hol_eom_make(hol_context *ctx, const hol_model_data *m, hol_eom_start start);
void hol_eom_free(hol_eom *e);
// The state has changed: nothing is known.
void hol_eom_moved(hol_eom *e);

// ---- what is found at the state -------------------------------------------------------------------------------

void hol_eom_need_matrix(hol_eom *e);
hol_status hol_eom_need_users(hol_eom *e);
hol_status hol_eom_need_unknowns(hol_eom *e);
hol_status hol_eom_need_reactions(hol_eom *e);
hol_status hol_eom_need_joints(hol_eom *e);
hol_status hol_eom_need_basis(hol_eom *e);
// HOL_ERR_USAGE, or HOL_OK on the constraints.
hol_status hol_eom_need_consistent(hol_eom *e, const char *call);
// The message about what is not a finite number at the state, or that what is asked for is not determined there.
hol_status hol_eom_fail(hol_eom *e, const char *what);

// ---- what is asked for ----------------------------------------------------------------------------------------

hol_status hol_eom_put_on(hol_eom *e, hol_eom_change *change);
// The state of joint coordinates.
hol_status hol_eom_put_joints(hol_eom *e, double t, const double *p, const double *u);
// Is what is asked for a quantity of joint coordinates?
bool hol_eom_is_of_joints(hol_eom_quantity what);
void hol_eom_size(const hol_eom *e, hol_eom_quantity what, int *rows, int *columns);
hol_status hol_eom_value(hol_eom *e, hol_eom_quantity what, double *out);
const hol_part *hol_eom_part(const hol_eom *e, hol_eom_quantity what); // NULL: it is no sparse one
hol_status hol_eom_find_wrench(hol_eom *e, const hol_element *of, hol_eom_wrench *out);
hol_status hol_eom_find_linear(hol_eom *e, bool natural, hol_eom_linear *out);

int hol_eom_list_size(const hol_eom *e, hol_eom_list list);
bool hol_eom_list_name(const hol_eom *e, hol_eom_list list, int i, hol_eom_name *out);
int hol_eom_list_find(const hol_eom *e, hol_eom_list list, const char *name);

// dQ along cols directions, (nq x cols); see linear.h for N, Z, X, which stand in e->tangent.
hol_status hol_eom_need_tangent(hol_eom *e);
hol_status hol_eom_force_changes(hol_eom *e, int cols);
// The same along the inputs first .. first + cols - 1.
hol_status hol_eom_force_changes_by_inputs(hol_eom *e, int first, int cols);
void hol_eom_tangent_destroy(hol_eom_tangent *t);
void hol_eom_linearised_destroy(hol_eom_linearised *l);

#endif
