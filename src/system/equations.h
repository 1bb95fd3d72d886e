// The equations of a model at a state, sparse and without allocation.
//
//     M(q,t) a + Phi_q^T lam = Q(q,v,t),    Phi(q,t) = 0                                        (1.1), (1.2)
//
// hol_equations, "the system" elsewhere, fixes which constraint rows are active (redundant ones are left out, see rank.h),
// numbers unknowns x = (q or a ; lam), and knows where every element's entries go. One matrix serves all methods:
//
//     S = [ cM M + cMa (M a)_q + cK ((Phi_q^T lam)_q - Q_q) - cD Q_v    Phi_q^T ]
//         [ Phi_q                                                       0       ]               (5.7)
//
// with the coefficients of the method (5.8). Velocity constraints Psi(q, v, t) = 0 add rows of multipliers kap, users'
// equations add the unknowns z (section 8): x = (a; z; lam; kap). Nothing here allocates after hol_equations_create.
#ifndef HOL_EQUATIONS_H
#define HOL_EQUATIONS_H

#include "base/team.h"
#include "base/archive.h"
#include "linalg/pattern.h"
#include "model/code.h"
#include "model/model.h"

// All a simulation knows at one time; exactly what a checkpoint holds.
typedef struct hol_state {
    double t;    // [s]
    double *q;   // positions, Euler parameters scalar first                          (nq)
    double *v;   // velocities q'                                                     (nq)
    double *a;   // accelerations q''; from here on the unknowns stand together, (n) in all   (nq)
    double *z;   // unknowns of users' equations                                      (nz)
    double *lam; // multipliers of the active rows: -Phi_q^T lam acts on the bodies   (nc)
    double *kap; // those of the velocity constraints: -Psi_v^T kap                   (nk)
    double *X;   // users' states                                                     (nx)
    double *mem; // element memory, then what events hold                             (n_mem)
} hol_state;

typedef struct hol_entry { // one entry of an element's block and its place in the matrix
    short i, j;
    int slot;
} hol_entry;

typedef struct hol_border { // one entry of an element's constraint Jacobian and its two places
    short i, j;
    int slot, transposed;
} hol_border;

typedef struct hol_pair { // an entry of the matrix and the one opposite
    int slot, transposed;
} hol_pair;

typedef struct hol_scatter { // per element: ranges in the lists below
    int entry, n_entries;
    int border, n_borders;
    int row[HOL_MAX_ROWS]; // active row, -1: left out
    int input, rate;       // first pair: (nq x inputs that are unknowns), (rates x nq)
} hol_scatter;

// How often what was evaluated.
typedef struct hol_evaluations {
    long residuals, jacobians; // of the forces (right-hand sides), of a matrix
    long bordered, along_tree; // of both at once; of residuals, those by the recursion, which has no matrix
    long light;                // of the matrices, those without derivatives of forces: mass and borders
} hol_evaluations;

enum { HOL_DIVIDE = 20000 }; // bodies; below, threads gain less than they cost

typedef struct hol_equations {
    hol_context *ctx;          // of the simulation: the model's own belongs to the thread that loaded it
    hol_team *team;            // of the simulation; NULL: one thread
    struct hol_swarms *swarms; // contacts that are no elements (swarm.h)
    int divide;                // trees of so many bodies and more are divided into pieces; 0: HOL_DIVIDE
    const hol_model_data *m;
    int nq, nc, n;        // coordinates, active rows, unknowns
    int nz, nk, nx;       // users' equations, velocity constraints, users' states
    int nf;               // first multiplier among the unknowns: nq + nz
    int *active;          // active row of each model row, or -1                    (m->nc)
    int *model_row;       // model row of each active row                           (nc)
    double *row_size;     // natural size of each active row                        (nc)
    double *q_size;       // natural size of each coordinate                        (nq)
    double *code;         // room for the arguments and results of user code
    hol_code_fault fault; // why user code asked for a smaller step, last
    hol_status fatal;     // user code has given up; the message is in the context
    bool dependent; // the rows in use may depend on each other: factors of their matrices are regularised
    long selection; // how often other rows were chosen
    // structure of the matrix; NULL until hol_equations_need_structure
    hol_pattern pattern;
    int *diagonal;        // slot of each diagonal entry                            (n)
    hol_scatter *scatter; //                                                        (n_elements)
    hol_entry *entry;
    hol_border *border;
    hol_pair *pair;
    struct hol_explicit
        *follow; // those that follow from each other where accelerations and multipliers are given too
    struct hol_explicit *users; // the order of users' equations, where q, v, X, t give them all; else NULL
    bool ordered;               // it has been looked for
    int *equation_pair;         // first pair of each equation                              (nz)
    int *block_pair;            // first pair of each block of user code                    (n_blocks)
    hol_evaluations count;
    // Where all rows are in use although some are redundant: 1: one of an independent set, the caller's (m->nc); else NULL.
    const char *independent;
    // Rows of the tree that a method lays may take the place of others: it goes along one, and begins in no singular pose.
    bool exchanges;
    int n_counters, counter_room;
    hol_leaf
        *counter; // angles whose full turns are counted, of expressions and of results          (n_counters)
    // The tree of joints along which a method goes, once it is laid: elements cut in it (m->n_elements), its rows (m->nc). It stays
    // where other rows are chosen on the way. NULL: none.
    char *cut, *kept;
    double
        ahead; // time by which joints, drivers and constraints are ahead of forces and users' equations: 0 but beside a state (9.18)
} hol_equations;

enum { HOL_WITH_EQUATIONS = 1, HOL_WITH_RATES = 2, HOL_WITH_ALL = 3 };
typedef struct hol_coefficients {
    double cM, cMa, cK, cD; // [-], [s^2], [s^2], [s]
    unsigned with;          // users' equations and velocity constraints; what is left out solves to 0
} hol_coefficients;

// active: 1 for rows that take part (m->nc), NULL: all of them. Without the structure of the matrix.
hol_equations *hol_equations_create(hol_context *ctx, const hol_model_data *m, const char *active);
void hol_equations_destroy(hol_equations *s);
// Other rows take part from now on; the structure is void, and kernels notice. This allocates.
hol_status hol_equations_select(hol_equations *s, const char *active);
// Makes the structure of the matrix if it is not there; gives it back.
hol_status hol_equations_need_structure(hol_equations *s);
void hol_equations_drop_structure(hol_equations *s);

// eom = M a + Phi_q^T lam - Q  (nq),  phi = active rows of Phi  (nc). Either may be NULL; without eom it is not counted.
void hol_equations_residual(hol_equations *s, const hol_state *x, double *eom, double *phi);
// The same with the rows at the level of accelerations, Phi_q a - tau  (nc), in place of phi.
void hol_equations_accelerated(hol_equations *s, const hol_state *x, double *eom, double *rows);
// M b  (nq); not counted.
void hol_equations_mass_times(const hol_equations *s, const hol_state *x, const double *b, double *out);
// Phi_q^T lam - Q  (nq); not counted.
void hol_equations_forces(const hol_equations *s, const hol_state *x, double *out);
// z - E  (nz)
void hol_equations_users(hol_equations *s, const hol_state *x, double *out);
// The value of an expression with leaves.
double hol_equations_expression(const hol_equations *s, const hol_state *x, const hol_equation *e);
// Its derivatives by the leaves and, last, by time (n_leaves + 1).
void hol_equations_slopes(const hol_equations *s, const hol_state *x, const hol_equation *e, double *slope);
// Psi  (nk)
void hol_equations_rates(const hol_equations *s, const hol_state *x, double *psi);
// Psi_v a + Psi_q v + Psi_t  (nk), with the accelerations of the state
void hol_equations_rates_dot(const hol_equations *s, const hol_state *x, double *out);
// Values of S (pattern.start[n]).
void hol_equations_matrix(hol_equations *s, const hol_state *x, const hol_coefficients *c, double *values);
// Values of the matrix of (8.20) and r = (Q; 0; tau), in one pass; solved, r is (a; 0; lam) where z = E holds already and E takes
// none of these. Without velocity constraints only.
void hol_equations_bordered(hol_equations *s, const hol_state *x, double *values, double *r);
// Adds w to the diagonal of coordinate rows, in proportion to 1/size^2: used where M alone may be singular.
void hol_equations_shift(const hol_equations *s, double w, double *values);
// The regularisation of factors with the rows in use (hol_kkt_factor).
double hol_equations_delta(const hol_equations *s);
// Largest entry by natural size: of a vector of the coordinates (nq), and of the first `rows` rows of the constraints, those of
// velocities behind (speeds by the natural length). NaN where there is one.
double hol_equations_coordinate_norm(const hol_equations *s, const double *x);
double hol_equations_row_norm(const hol_equations *s, const double *r, int rows);
// Largest difference of two vectors of the coordinates (nq), by natural size. NaN where there is one.
double hol_equations_distance(const hol_equations *s, const double *x, const double *y);
// The value at t of an input that goes in a straight line: r has its value at a time, its slope, and that time.
static inline double hol_ramp(const double r[3], double t) { return r[0] + r[1] * (t - r[2]); }
static inline double hol_held_value(const hol_held *h, const double *mem, double t)
{
    return h->linear ? hol_ramp(mem + h->slot, t) : mem[h->slot];
}
// The values of an element's inputs, (n_inputs).
void hol_equations_inputs(const hol_element *e, const hol_state *x, hol_real *u);

// Adds (Phi_q^T lam)_q of the active rows, lam (nc), to the values of S.
void hol_equations_add_curvature(const hol_equations *s, const hol_state *x, const double *lam,
                                 double *values);
// Phi_q v + Phi_t for all model rows (m->nc).
void hol_equations_phi_dot_all(const hol_equations *s, double t, const double *q, const double *v,
                               double *phi);
// Phi_t alone, for all model rows (m->nc).
void hol_equations_phi_t_all(const hol_equations *s, double t, const double *q, double *phi);
// Phi_q x of the active rows (nc), for any vector x (nq).
void hol_equations_jacobian_times(const hol_equations *s, double t, const double *q, const double *x,
                                  double *out);
// tau = -[(Phi_q v)_q v + 2 Phi_qt v + Phi_tt] of active rows (nc).
void hol_equations_tau(const hol_equations *s, const hol_state *x, double *tau);
// out = Phi_q^T lam (nq), for multipliers of the active rows.
void hol_equations_constraint_force(const hol_equations *s, const hol_state *x, double *out);

// What a state tells about itself, from one pass over the elements.
typedef struct hol_measure {
    double kinetic, potential; // [J]
    double power;              // of all that is not in the potential: dampers, drivers, applied forces [W]
    // largest |Phi_i| and |(Phi_q v + Phi_t)_i| over all rows (redundant ones too), divided by the natural size of the
    // row (and multiplied by the time scale), and the model rows they stand in (-1: none)
    double position, velocity;
    int position_row, velocity_row;
    double rate; // largest |Psi| of the velocity constraints, by natural length and time
} hol_measure;
void hol_equations_measure(const hol_equations *s, const hol_state *x, hol_measure *out);
// The energies, and of the rest only these parts. Power without rows is that of the forces.
enum { HOL_MEASURE_ROWS = 1, HOL_MEASURE_POWER = 2 };
void hol_equations_measure_parts(const hol_equations *s, const hol_state *x, unsigned parts,
                                 hol_measure *out);

// What may do work that no potential gives back: nothing; forces; drivers, moving frames and velocity constraints too.
typedef enum hol_powers { HOL_POWER_NONE, HOL_POWER_FORCES, HOL_POWER_ROWS } hol_powers;
hol_powers hol_model_powers(const hol_model_data *m);
// Is no freedom left? Errors of energy change no motion then, and the steps of a method have no errors.
bool hol_equations_are_prescribed(const hol_equations *s);
double hol_equations_power(const hol_equations *s, const hol_state *x);      // of the forces [W]
double hol_equations_held_power(const hol_equations *s, const hol_state *x); // of the rest [W]
// Energy that is stored beyond what this power is counted by (`bounded` of elements) [J].
double hol_equations_unbounded(const hol_equations *s, const hol_state *x);

// Saves or restores a state; what was counted.
void hol_state_archive(const hol_equations *s, hol_state *x, hol_archive *a);
void hol_equations_archive(hol_equations *s, hol_archive *a);

// This angle, which has a memory, is counted from now on.
hol_status hol_equations_count(hol_equations *s, const hol_leaf *leaf);
// And so are all of joints that have one: what is told of them later has the turns of the whole way.
hol_status hol_equations_count_joints(hol_equations *s);
// From now on angles are the ones nearest to those of the present, not to where these would have moved.
void hol_equations_stop_turns(const hol_equations *s, hol_state *x);
// The angle that turned the least evenly between two accepted states: by how much its memory was off [rad]. *name: its element; NULL: of
// an expression. 0 where none is counted; twists are looked at by hol_twists_look.
double hol_equations_turns_missed(const hol_equations *s, const hol_state *before, const hol_state *x,
                                  const char **name);
// Brings the memory of elements and of counted angles up to an accepted state.
void hol_equations_remember(const hol_equations *s, const hol_state *x);
// The force element with the largest generalised force on a body (given by its own element), NULL if none acts there.
const hol_element *hol_equations_strongest(const hol_equations *s, const hol_state *x,
                                           const hol_element *body, double *size);
// The largest component of the generalised forces of an element; 0: it has none, or does not act.
double hol_equations_force_size(const hol_equations *s, const hol_state *x, const hol_element *e);
// Sum of the sizes of all that act along each coordinate, forces and those of the rows in use, whatever of it cancels; values: of S,
// or of any matrix with the same Phi_q  (nq).
void hol_equations_force_sizes(const hol_equations *s, const hol_state *x, const double *values, double *out);
// Elements with the largest part in the residual vector r (n): up to `most` indices into m->element, -1 beyond.
void hol_equations_worst(const hol_equations *s, const double *r, int most, int *element, double *size);

// A state's arrays, allocated at once for this system; nothing else owns memory here.
hol_status hol_state_create(const hol_equations *s, hol_state *x);
void hol_state_destroy(hol_state *x);
void hol_state_copy(const hol_equations *s, hol_state *to, const hol_state *from);
// The state dt after another, as its velocities, accelerations and rates take it there; those that are not finite do not. The rest is copied.
void hol_state_carry_on(const hol_equations *s, const hol_state *from, double dt, hol_state *to);
// The same with the mean of the accelerations and rates at both ends, those of `to` being known.
void hol_state_carry_better(const hol_equations *s, const hol_state *from, hol_state *to);
// Euler parameters of length 1 and rates across them: such a state is one orientation and one angular velocity, however these are
// computed from it.
void hol_state_hold_norms(const hol_equations *s, hol_state *x);
// u = (q; v; X) of a state and back, and its rate (v; a; X'), (2 nq + nx).
void hol_state_pack(const hol_equations *s, const hol_state *x, double *u);
void hol_state_unpack(const hol_equations *s, const double *u, hol_state *x);
void hol_state_rate(const hol_equations *s, const hol_state *x, double *rate);

#endif
